//! The driver: feeds the machine, performs what it asks for, passes its events on.
//!
//! One pool holds everything under way: model calls, tools, writes to the client, flushes of the
//! log, the clock. Whatever comes next is handled; nothing waits for anything else. So a slow
//! client does not hold the research back, and one that leaves does not end it.

use crate::bindings::exports::quarry::agent::ask as wit;
use crate::effects::{self, Progress};
use crate::log::Log;
use crate::settings::OnDisconnect;
use crate::{convert, store};
use futures::StreamExt;
use futures::future::LocalBoxFuture;
use futures::stream::FuturesUnordered;
use quarry_machines::ask::{Ask, Effect, Input, Reaction};
use quarry_types::Credential;
use quarry_types::{AskId, Timestamp};
use spin_sdk::key_value::Store;
use spin_sdk::wasip3::clocks::monotonic_clock;
use std::rc::Rc;
use wit_bindgen::{FutureWriter, StreamWriter};

/// An ask that takes longer than this is worth a look at the clock now and then.
const FIRST_TICK_NS: u64 = 250_000_000;
/// Between later looks.
const TICK_NS: u64 = 1_000_000_000;
/// Ticks between two signs of life.
const TICKS_PER_SIGN: u32 = 5;
/// A client that is this many events behind slows the ask down.
const MOST_UNSENT: usize = 4_096;

/// What an ask needs besides its machine.
pub struct Context {
    pub id: AskId,
    pub credential: Credential,
    pub secret: Option<String>,
    pub on_disconnect: OnDisconnect,
    pub expires_ms: u64,
    pub retention_ms: u64,
}

/// Something that happened.
enum Happening {
    Inputs(Vec<Input>),
    Model(Progress),
    Sent { writer: Option<StreamWriter<wit::Event>> },
    Flushed,
    Tick { stop: bool },
}

/// The reading end's two handles, from our side.
pub struct Client {
    pub events: StreamWriter<wit::Event>,
    pub outcome: FutureWriter<Result<(), wit::AskError>>,
}

struct Driver {
    ask: Ask,
    context: Context,
    store: Option<Rc<Store>>,
    pool: FuturesUnordered<LocalBoxFuture<'static, Happening>>,
    log: Log,
    is_flushing: bool,
    /// The writing end while no write is under way.
    writer: Option<StreamWriter<wit::Event>>,
    is_sending: bool,
    unsent: Vec<wit::Event>,
    ticks: u32,
    checkpointed: u64,
    /// The state of an ask that ended so that it can be gone on with.
    resumable: Option<String>,
}

/// Drives an ask to its end.
pub async fn drive(ask: Ask, context: Context, client: Client) {
    let log = Log::new(context.id, context.expires_ms);
    let mut driver = Driver {
        ask,
        context,
        store: None,
        pool: FuturesUnordered::new(),
        log,
        is_flushing: false,
        writer: Some(client.events),
        is_sending: false,
        unsent: Vec::new(),
        ticks: 0,
        checkpointed: 0,
        resumable: None,
    };
    driver.run().await;
    // The log is complete before the stream is said to have ended well.
    _ = client.outcome.write(Ok(())).await;
    driver.sweep().await;
}

impl Driver {
    async fn run(&mut self) {
        self.pool.push(Box::pin(tick(FIRST_TICK_NS, None, self.context.id)));
        self.handle(Input::Begin);
        while !self.ask.has_ended() {
            let Some(happening) = self.pool.next().await else { break };
            self.on(happening).await;
            // A client far behind gets the time to catch up before more is done for it.
            while self.unsent.len() > MOST_UNSENT && self.is_sending {
                let Some(happening) = self.pool.next().await else { break };
                self.on(happening).await;
            }
        }
        self.close().await;
    }

    async fn on(&mut self, happening: Happening) {
        match happening {
            Happening::Inputs(inputs) => inputs.into_iter().for_each(|input| self.handle(input)),
            Happening::Model(Progress::Deltas(inputs, call)) => {
                self.pool
                    .push(Box::pin(async move { Happening::Model(effects::go_on(call).await) }));
                inputs.into_iter().for_each(|input| self.handle(input));
            }
            Happening::Model(Progress::Done(input)) => self.handle(input),
            Happening::Sent { writer } => self.on_sent(writer),
            Happening::Flushed => {
                self.is_flushing = false;
            }
            Happening::Tick { stop } => {
                if stop {
                    self.handle(Input::Stop);
                } else {
                    self.on_tick().await;
                }
            }
        }
        self.send();
    }

    fn handle(&mut self, input: Input) {
        let Reaction { events, effects, continuation, .. } = self.ask.handle(input, now());
        if let Some(state) = continuation {
            self.resumable = Some(state.to_string());
        }
        self.log.append(&events);
        if self.writer.is_some() || self.is_sending {
            self.unsent.extend(events.iter().map(convert::event));
        }
        for effect in effects {
            if matches!(effect, Effect::CallModel { .. }) {
                self.look_for_stop();
            }
            self.start(effect);
        }
        self.send();
    }

    /// At each step, beside the call that begins it. Before the first tick nobody can have
    /// asked: the store is not even open.
    fn look_for_stop(&self) {
        let Some(store) = self.store.clone() else { return };
        let id = self.context.id;
        self.pool.push(Box::pin(async move {
            let stop = is_stop_wanted(&store, id).await;
            Happening::Inputs(if stop { vec![Input::Stop] } else { Vec::new() })
        }));
    }

    fn start(&mut self, effect: Effect) {
        match effect {
            Effect::CallModel { ticket, request } => {
                let credential = self.context.credential.clone();
                self.pool.push(Box::pin(async move {
                    Happening::Model(effects::call_model(ticket, *request, credential).await)
                }));
            }
            Effect::RunTool { ticket, job } => self.pool.push(Box::pin(async move {
                Happening::Inputs(vec![effects::run_tool(ticket, job).await])
            })),
        }
    }

    /// Sends all that is unsent in one write, unless one is under way.
    fn send(&mut self) {
        if self.unsent.is_empty() {
            return;
        }
        let Some(mut writer) = self.writer.take() else { return };
        let events = std::mem::take(&mut self.unsent);
        self.is_sending = true;
        self.pool.push(Box::pin(async move {
            let unread = writer.write_all(events).await;
            Happening::Sent { writer: unread.is_empty().then_some(writer) }
        }));
    }

    fn on_sent(&mut self, writer: Option<StreamWriter<wit::Event>>) {
        self.is_sending = false;
        self.writer = writer;
        if self.writer.is_none() {
            // The client left. What it missed is in the log.
            self.unsent.clear();
            self.flush();
            if self.context.on_disconnect == OnDisconnect::Stop {
                self.handle(Input::Stop);
            }
        }
    }

    async fn on_tick(&mut self) {
        self.ticks += 1;
        self.flush();
        let store = self.store().await;
        if self.ticks % TICKS_PER_SIGN == 1
            && let Some(store) = &store
        {
            let sign = now().0.to_string();
            // A sign of life that is not written is missed at worst: the ask looks dead to
            // those who rejoin, and still goes on.
            _ = store.set(store::alive_key(&self.context.id), sign).await;
            self.checkpoint(store).await;
        }
        self.pool.push(Box::pin(tick(TICK_NS, store, self.context.id)));
    }

    /// Keeps the continuation state, when anything has happened since it was last kept.
    async fn checkpoint(&mut self, store: &Store) {
        if self.checkpointed == self.ask.sequence() {
            return;
        }
        self.checkpointed = self.ask.sequence();
        let (state, _) = self.ask.continuation().write(self.context.secret.as_deref());
        self.keep(store, &state.to_string()).await;
    }

    async fn keep(&self, store: &Store, state: &str) {
        let value = store::with_expiry(self.context.expires_ms, state);
        if let Err(error) = store.set(store::state_key(&self.context.id), value).await {
            eprintln!("an ask's continuation state could not be kept: {error:?}");
        }
    }

    fn flush(&mut self) {
        if self.is_flushing {
            return;
        }
        let Some(flush) = self.log.take() else { return };
        self.is_flushing = true;
        let store = self.store.clone();
        self.pool.push(Box::pin(async move {
            let store = match store {
                Some(store) => Some(store),
                None => store::open().await.ok().map(Rc::new),
            };
            match store {
                Some(store) => {
                    if let Err(error) = flush.write(&store).await {
                        eprintln!("an ask's log could not be written: {error:?}");
                    }
                }
                None => eprintln!("an ask's log could not be written: no key-value store"),
            }
            Happening::Flushed
        }));
    }

    /// After the last event: the client gets what is left, the log what is missing.
    async fn close(&mut self) {
        self.send();
        while self.is_sending || !self.unsent.is_empty() {
            match self.pool.next().await {
                Some(Happening::Sent { writer }) => {
                    self.is_sending = false;
                    self.writer = writer;
                    if self.writer.is_none() {
                        self.unsent.clear();
                    }
                    self.send();
                }
                Some(Happening::Flushed) => self.is_flushing = false,
                Some(_) => {}
                None => break,
            }
        }
        // The client sees the end now; keeping the log costs it nothing.
        self.writer = None;
        while self.is_flushing {
            match self.pool.next().await {
                Some(Happening::Flushed) => self.is_flushing = false,
                Some(_) => {}
                None => break,
            }
        }
        let Some(store) = self.store().await else { return };
        if let Some(flush) = self.log.take()
            && let Err(error) = flush.write(&store).await
        {
            eprintln!("an ask's log could not be written: {error:?}");
        }
        if let Some(state) = self.resumable.take() {
            self.keep(&store, &state).await;
        }
    }

    async fn sweep(&mut self) {
        let retention = self.context.retention_ms;
        if let Some(store) = self.store().await {
            _ = store::sweep(&store, now().0, retention).await;
        }
    }

    async fn store(&mut self) -> Option<Rc<Store>> {
        if self.store.is_none() {
            self.store = store::open().await.ok().map(Rc::new);
        }
        self.store.clone()
    }
}

/// Waits, then looks whether somebody asked the ask to stop.
async fn tick(nanoseconds: u64, store: Option<Rc<Store>>, id: AskId) -> Happening {
    monotonic_clock::wait_for(nanoseconds).await;
    let store = match store {
        Some(store) => Some(store),
        None => store::open().await.ok().map(Rc::new),
    };
    let stop = match store {
        Some(store) => is_stop_wanted(&store, id).await,
        None => false,
    };
    Happening::Tick { stop }
}

async fn is_stop_wanted(store: &Store, id: AskId) -> bool {
    store.exists(store::stop_key(&id)).await.unwrap_or(false)
}

/// The wall clock.
pub fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp(since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX)))
}
