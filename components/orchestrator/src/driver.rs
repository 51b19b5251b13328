//! The driver: feeds a machine, whichever it is, performs what it asks for, passes its events on.
//!
//! One pool holds everything under way: model calls, tools, writes to the client and to the store,
//! the clock. Whatever comes next is handled; nothing waits for anything else. What is written
//! when, what waits for what, and what a slow reader gets is decided by the ask's [`Desk`].

use crate::bindings::exports::quarry::agent::ask as wit;
use crate::effects::{self, Progress, Whose};
use crate::follow::{Fed, Reading};
use crate::settings::OnDisconnect;
use crate::shelf::{Shelf, ShelfError};
use crate::under_way::Driving;
use crate::{log, snapshot};
use futures::future::{AbortHandle, LocalBoxFuture, abortable};
use futures::stream::FuturesUnordered;
use futures::{FutureExt, StreamExt};
use quarry_journal::{Command, Desk, End, Entry, Lane, Place, Start, Steady};
use quarry_machines::core::{Effect, Input, Machine, Reaction};
use quarry_rim::clock::{self, now};
use quarry_rim::diagnostics::note;
use quarry_types::{AskId, Credential, Retries, Timestamp};
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::task::{self, Poll};
use std::time::Duration;
use wit_bindgen::{FutureWriter, StreamWriter};

/// What is handled in one go at most, before anything of it is performed.
const TOGETHER: usize = 16;

/// What an ask needs besides its machine.
pub struct Context {
    pub id: AskId,
    pub credential: Credential,
    /// How a model call that failed is tried again, as far as its machine lets it be.
    pub retries: Retries,
    /// Whose documents tools may search.
    pub whose: Whose,
    pub on_disconnect: OnDisconnect,
    pub shelf: Option<Shelf>,
    /// Its place among the asks under way.
    pub slot: Option<u32>,
    pub expires: Timestamp,
    /// How long its log is kept after its end, in milliseconds, where that is shorter.
    pub lasts_ms: Option<u64>,
    pub retention_ms: u64,
}

/// Something that happened.
enum Happening {
    Inputs(Vec<Input>),
    Model(Progress),
    Sent(Option<StreamWriter<wit::Event>>),
    Followed(Fed),
    Stored(Lane, Result<(), ShelfError>),
    /// What was to become of a part, and whether it stands where it belongs.
    Added(Lane, Result<bool, ShelfError>),
    Looked(Result<bool, ShelfError>),
    Woke,
}

type Pool = FuturesUnordered<LocalBoxFuture<'static, Happening>>;

/// The reading end's two handles, from our side.
pub struct Client {
    pub events: StreamWriter<wit::Event>,
    pub outcome: FutureWriter<Result<(), wit::AskError>>,
}

struct Driver<M> {
    /// None once it has ended for good.
    machine: Option<M>,
    context: Context,
    desk: Desk<Effect>,
    pool: Pool,
    /// The writing end while no write is under way.
    writer: Option<StreamWriter<wit::Event>>,
    /// What feeds a slow reader from the log. It may outlive all else.
    following: Option<LocalBoxFuture<'static, Fed>>,
    broken: Option<wit::AskError>,
    /// When the driver will be woken.
    armed: Option<Timestamp>,
    /// Lets go of what is under way to or from the store.
    on_shelf: BTreeMap<Lane, AbortHandle>,
    /// By which it hears what is said to it here, without the store.
    driving: Driving,
}

/// Drives a machine to its end.
pub async fn drive<M: Machine>(machine: M, context: Context, client: Client, driving: Driving) {
    let desk =
        Desk::new(log::DIALECT, &context.id.to_string(), context.slot, context.expires, now());
    let desk = desk.lasting(context.lasts_ms);
    let desk = if context.shelf.is_some() { desk } else { desk.without_store() };
    let mut driver = Driver {
        machine: Some(machine),
        context,
        desk,
        pool: FuturesUnordered::new(),
        writer: Some(client.events),
        following: None,
        broken: None,
        armed: None,
        on_shelf: BTreeMap::new(),
        driving,
    };
    let begun = now();
    driver.handle(Input::Begin, begun);
    driver.run(begun).await;
    let Driver { context, desk, machine, writer, pool, following, mut broken, driving, .. } =
        driver;
    drop(driving);
    if !desk.is_logged() {
        broken = broken.or(Some(not_whole(desk.is_lost())));
    }
    // A call that is kept and not polled must not end meanwhile: its handle would be gone when it is dropped
    // (wasmtime 47 traps, and with it ends whoever else the instance serves).
    drop((desk, machine, writer, pool));
    // The reader may take its time: nothing of the ask is held for it.
    if let Some(following) = following
        && let Fed::Broken(error) = following.await
    {
        broken = Some(error);
    }
    _ = client.outcome.write(broken.map_or(Ok(()), Err)).await;
    let Some(shelf) = context.shelf else { return };
    let tidied = async {
        if let Some(lasts_ms) = context.lasts_ms {
            shelf.will_go(now(), lasts_ms, context.retention_ms).await?;
        }
        shelf.sweep(clock::recently(), context.retention_ms).await
    };
    if let Err(error) = tidied.await {
        note(format_args!("what is old could not be deleted: {error}"));
    }
}

/// Why nobody reads in its log what its client was told.
fn not_whole(is_lost: bool) -> wit::AskError {
    if is_lost {
        let words = "this ask was taken for dead, and its log has another end; join it to see that, and go on from there";
        return wit::AskError::Unavailable(words.to_owned());
    }
    note("an ask's log could not be written");
    unlogged()
}

fn unlogged() -> wit::AskError {
    wit::AskError::Unavailable(
        "the log of this ask could not be written, so it cannot be joined again".to_owned(),
    )
}

impl<M: Machine> Driver<M> {
    async fn run(&mut self, begun: Timestamp) {
        let mut at = begun;
        let mut steady = Steady::from(begun);
        loop {
            if self.driving.is_to_end() {
                self.handle(Input::Stop, at);
            }
            while let Some(command) = self.desk.poll(at) {
                self.perform(command, at);
            }
            if self.desk.is_over() {
                return;
            }
            self.arm(at);
            let Some(happening) = poll_fn(|context| self.poll_next(context)).await else { return };
            at = steady.read(now());
            if let Some(due) = self.armed.take_if(|due| *due <= at) {
                self.desk.woken(due, at);
            }
            self.on(happening, at);
            // What has happened meanwhile is handled in the same go, and its events leave together.
            for _ in 0..TOGETHER {
                let next = poll_fn(|context| self.poll_next(context)).now_or_never();
                let Some(Some(happening)) = next else { break };
                self.on(happening, at);
            }
        }
    }

    fn poll_next(&mut self, context: &mut task::Context<'_>) -> Poll<Option<Happening>> {
        let fed = self.following.as_mut().map(|following| following.poll_unpin(context));
        if let Some(Poll::Ready(fed)) = fed {
            self.following = None;
            return Poll::Ready(Some(Happening::Followed(fed)));
        }
        match self.pool.poll_next_unpin(context) {
            // Nothing else under way is no end while a reader is fed.
            Poll::Ready(None) if self.following.is_some() => Poll::Pending,
            next => next,
        }
    }

    fn arm(&mut self, at: Timestamp) {
        let Some(wake) = self.desk.wake_at() else { return };
        if self.armed.is_some_and(|armed| armed > at && armed <= wake) {
            return;
        }
        self.armed = Some(wake);
        let wait = Duration::from_millis(wake.since(at).max(1));
        self.pool.push(Box::pin(async move {
            clock::sleep(wait).await;
            Happening::Woke
        }));
    }

    fn on(&mut self, happening: Happening, at: Timestamp) {
        match happening {
            Happening::Inputs(inputs) => self.handle_all(inputs, at),
            Happening::Model(Progress::Deltas(inputs, call)) => {
                self.pool
                    .push(Box::pin(async move { Happening::Model(effects::go_on(call).await) }));
                self.handle_all(inputs, at);
            }
            Happening::Model(Progress::Done(input)) => self.handle(input, at),
            Happening::Sent(writer) => {
                self.writer = writer;
                self.desk.sent(self.writer.is_some(), at);
                if self.writer.is_none() {
                    self.left(at);
                }
            }
            Happening::Followed(Fed::Whole) => {}
            Happening::Followed(Fed::Left) => self.left(at),
            Happening::Followed(Fed::Broken(error)) => self.broken = Some(error),
            Happening::Stored(lane, result) => self.stored(lane, result, at),
            Happening::Added(lane, Ok(false)) => self.lost(lane, at),
            Happening::Added(lane, result) => self.stored(lane, result.map(drop), at),
            Happening::Looked(looked) => {
                self.desk.stored(Lane::Stop, looked.is_ok(), at);
                if looked.unwrap_or(false) {
                    self.handle(Input::Stop, at);
                }
            }
            Happening::Woke => {}
        }
    }

    fn stored(&mut self, lane: Lane, result: Result<(), ShelfError>, at: Timestamp) {
        self.desk.stored(lane, result.is_ok(), at);
        if let Err(error) = result {
            note(format_args!("an ask's {lane:?} could not be stored: {error}"));
        }
    }

    /// Another ended its log, and whoever reads it may go on from there: nothing more is paid here.
    fn lost(&mut self, lane: Lane, at: Timestamp) {
        note("an ask was taken for dead, and its log has an end");
        self.desk.lost(lane, at);
        self.handle(Input::Stop, at);
    }

    /// The client left. What it misses is in the log.
    fn left(&mut self, at: Timestamp) {
        if self.context.on_disconnect == OnDisconnect::Stop {
            self.handle(Input::Left, at);
        }
    }

    fn handle_all(&mut self, inputs: Vec<Input>, at: Timestamp) {
        inputs.into_iter().for_each(|input| self.handle(input, at));
    }

    fn handle(&mut self, input: Input, at: Timestamp) {
        // One that has ended and is kept to be gone on with takes in nothing more: that would make its end a final one.
        let Some(machine) = self.machine.as_mut().filter(|machine| !machine.has_ended()) else {
            return;
        };
        let changes_accounts = matches!(
            input,
            Input::ModelDone { .. }
                | Input::ToolDone { .. }
                | Input::ModelRetry { may_be_paid: true, .. }
        );
        let Reaction { events, effects, resumable, ended } = machine.handle(input, at);
        let end = match (ended, resumable) {
            (false, _) => None,
            (true, false) => Some(End::Final),
            (true, true) => Some(End::Resumable),
        };
        if end == Some(End::Final) {
            self.machine = None;
        }
        if changes_accounts && effects.is_empty() {
            self.desk.changed(at);
        }
        let start = if effects.iter().any(Effect::must_be_announced) {
            Start::Announced(effects)
        } else {
            Start::AtOnce(effects)
        };
        let entries = events.into_iter().map(log::entry).collect();
        self.desk.react(entries, start, end, at);
    }

    fn perform(&mut self, command: Command<Effect>, at: Timestamp) {
        match command {
            Command::Send(entries) => self.send(entries),
            Command::Follow { after } => self.follow(after),
            Command::Finish => self.writer = None,
            Command::Perform(effects) => effects.into_iter().for_each(|effect| self.start(effect)),
            Command::Snapshot => {
                let (id, expires) = (self.context.id, self.context.expires);
                let set = self.desk.snapshot_set();
                let machine = self.machine.as_ref();
                let values = machine.map(|machine| snapshot::values(machine, id, expires, set));
                let values = values.unwrap_or_default();
                self.desk.snapshot(values, at);
            }
            Command::Store(lane, place @ Place::Part(_), value) => {
                self.add(lane, move |shelf| {
                    Box::pin(async move { shelf.add(place, &value).await })
                });
            }
            Command::Store(lane, place, value) => self.on_shelf(lane, move |shelf| {
                Box::pin(async move { shelf.set(place, &value).await })
            }),
            Command::Remove(lane, place) => {
                self.on_shelf(lane, move |shelf| Box::pin(async move { shelf.remove(place).await }))
            }
            Command::Close { part: (place, value), slot } => {
                self.add(Lane::Close, move |shelf| {
                    Box::pin(async move { shelf.close((place, &value), slot).await })
                });
            }
            Command::LookForStop => {
                if let Some(shelf) = self.context.shelf.clone() {
                    let look = async move { Happening::Looked(shelf.has(Place::Stop).await) };
                    self.watch(Lane::Stop, look);
                }
            }
            Command::Abandon(lane) => {
                note(format_args!("an ask's {lane:?} was given up: the store does not answer"));
                if let Some(abort) = self.on_shelf.remove(&lane) {
                    abort.abort();
                }
            }
        }
    }

    fn on_shelf(
        &mut self,
        lane: Lane,
        work: impl FnOnce(Shelf) -> LocalBoxFuture<'static, Result<(), ShelfError>>,
    ) {
        let Some(shelf) = self.context.shelf.clone() else { return };
        let work = work(shelf);
        self.watch(lane, async move { Happening::Stored(lane, work.await) });
    }

    fn add(
        &mut self,
        lane: Lane,
        work: impl FnOnce(Shelf) -> LocalBoxFuture<'static, Result<bool, ShelfError>>,
    ) {
        let Some(shelf) = self.context.shelf.clone() else { return };
        let work = work(shelf);
        self.watch(lane, async move { Happening::Added(lane, work.await) });
    }

    /// What is abandoned happens as nothing.
    fn watch(&mut self, lane: Lane, work: impl Future<Output = Happening> + 'static) {
        let (work, abort) = abortable(work);
        self.on_shelf.insert(lane, abort);
        self.pool.push(Box::pin(async move { work.await.unwrap_or(Happening::Woke) }));
    }

    fn start(&self, effect: Effect) {
        match effect {
            Effect::CallModel { ticket, request, lost_tries } => {
                let credential = self.context.credential.clone();
                let retries = Retries { lost_tries, ..self.context.retries };
                self.pool.push(Box::pin(async move {
                    let call = effects::call_model(ticket, *request, credential, retries);
                    Happening::Model(call.await)
                }));
            }
            Effect::RunTool { ticket, errand } => {
                let whose = self.context.whose.clone();
                self.pool.push(Box::pin(async move {
                    Happening::Inputs(vec![effects::run_errand(ticket, errand, whose).await])
                }));
            }
        }
    }

    /// Sends these in one write: the client gets a burst as one chunk.
    fn send(&mut self, entries: Vec<Entry>) {
        let Some(mut writer) = self.writer.take() else { return };
        self.pool.push(Box::pin(async move {
            let events = entries.into_iter().map(log::event).collect();
            let unread = writer.write_all(events).await;
            Happening::Sent(unread.is_empty().then_some(writer))
        }));
    }

    fn follow(&mut self, after: u64) {
        let Some(writer) = self.writer.take() else { return };
        let Some(shelf) = self.context.shelf.clone() else {
            self.broken = Some(unlogged());
            return;
        };
        let reading = Reading::new(shelf, self.context.id, after);
        self.following = Some(Box::pin(reading.feed(writer)));
    }
}
