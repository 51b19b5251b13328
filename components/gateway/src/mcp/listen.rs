//! A stream that stays open and tells how tasks stand. Each is followed as other doors follow it: no event is read twice.
//!
//! Border: calls the orchestrator; how a task stands, and when that is news, is decided in `quarry-doors`.

use std::cell::{Cell, RefCell};
use std::future::pending;
use std::pin::{Pin, pin};
use std::time::Duration;

use futures::future::{join_all, select};
use quarry_doors::mcp::{Facts, Followed, Listen};
use quarry_doors::responses::run_of;
use quarry_doors::{Event, Refusal};
use quarry_rim::clock;
use quarry_rim::stream::written_within;
use quarry_rim::variables::Variables;
use wit_bindgen::StreamWriter;

use super::latest;
use crate::bindings::quarry::agent::run;
use crate::events::{Events, Next};
use crate::outgoing::{Answer, has_left};
use crate::{rejoin, runs};

/// Until tasks are told first, as far as they are known by then, and from then on between two looks whether there is news.
const FIRST_LOOK: Duration = Duration::from_millis(50);
const LOOKS: Duration = Duration::from_secs(1);
/// Looks without a word after which there is a sign of life.
const SILENT_LOOKS: u32 = 10;
/// Looks after which a stream ends: whoever still listens asks for another.
const MOST_LOOKS: u32 = 3_600;
/// For how long a reader may take nothing. A client that keeps its connection and never reads would else hold all that is
/// followed for it.
const PATIENCE: Duration = Duration::from_secs(20);
/// Between two looks whether somebody goes on with what has ended, or waits.
const RESTS: Duration = Duration::from_secs(10);

/// A stream that tells whoever this is how tasks stand.
pub fn open(listen: Listen, reader: run::Caller) -> Answer {
    let headers = listen.head();
    let pump = move |writer| -> Pin<Box<dyn Future<Output = ()>>> {
        Box::pin(hold(listen, reader, writer))
    };
    Answer::Stream { headers, pump: Box::new(pump) }
}

/// What is known of a task without what happened in it.
struct Stand {
    /// Which research it is by now.
    named: String,
    /// The number of its last event.
    last: u64,
    lasts_ms: u64,
    /// Whether nothing more comes of it by itself. Of a run, nobody knows.
    has_ended: bool,
    is_stopped: bool,
}

impl Stand {
    async fn of(id: &str, reader: &run::Caller) -> Result<Stand, Refusal> {
        if let Some(run) = run_of(id) {
            let known = run::describe(run, reader.clone()).await.map_err(runs::refusal)?;
            let (named, has_ended, is_stopped) = (id.to_owned(), false, false);
            let run::Known { last, lasts_ms, .. } = known;
            return Ok(Stand { named, last, lasts_ms, has_ended, is_stopped });
        }
        let (named, known) = latest(id.to_owned()).await?;
        Ok(Stand {
            named,
            last: known.last,
            lasts_ms: known.lasts_ms,
            has_ended: known.has_ended,
            is_stopped: known.is_stopped,
        })
    }
}

/// A task that is told of.
struct Watched {
    id: String,
    followed: RefCell<Followed>,
    lasts_ms: Cell<u64>,
}

impl Watched {
    /// Follows it from where it stands until it is over. None: that could not be told.
    async fn follow(&self, mut stand: Option<Stand>, reader: &run::Caller, variables: &Variables) {
        loop {
            let Some(stand) = stand.take() else {
                clock::sleep(RESTS).await;
                stand = Stand::of(&self.id, reader).await.ok();
                continue;
            };
            self.followed.borrow_mut().is(&stand.named, stand.last);
            self.lasts_ms.set(stand.lasts_ms);
            if !stand.has_ended || self.is_behind() {
                self.read(stand.named, reader, variables).await;
            }
            if stand.has_ended && !self.is_behind() {
                self.followed.borrow_mut().ended(stand.is_stopped);
            }
            if self.followed.borrow().is_over() {
                return;
            }
        }
    }

    fn is_behind(&self) -> bool {
        self.followed.borrow().is_behind()
    }

    /// Reads what is new of it, and what comes. Where that breaks off, the next look reads on.
    async fn read(&self, named: String, reader: &run::Caller, variables: &Variables) {
        let heard = self.followed.borrow().heard();
        match run_of(&self.id) {
            Some(run) => {
                if let Ok(events) = runs::events(run, heard, reader.clone(), variables).await {
                    self.hear(events, Followed::hear_of_run).await;
                }
            }
            None => {
                if let Ok(events) = rejoin(named, heard, variables).await {
                    self.hear(events, Followed::hear).await;
                }
            }
        }
    }

    async fn hear<N>(&self, mut events: Events<N>, hear: fn(&mut Followed, &[Event<N>])) {
        loop {
            match events.next().await {
                Next::Batch(batch) => hear(&mut self.followed.borrow_mut(), &batch),
                // Signs of life are given where all tasks are told.
                Next::Unkept | Next::Silence | Next::Look | Next::Late => {}
                Next::End(_) => return,
            }
        }
    }

    fn news(&self, listen: &Listen) -> Vec<u8> {
        let facts = Facts { lasts_ms: self.lasts_ms.get(), now: clock::now() };
        let news = self.followed.borrow_mut().news(facts);
        news.map_or_else(Vec::new, |task| listen.told(&task))
    }
}

async fn hold(mut listen: Listen, reader: run::Caller, writer: StreamWriter<u8>) {
    let variables = Variables::current(clock::now());
    let (mut watched, mut stands) = (Vec::new(), Vec::new());
    for id in std::mem::take(&mut listen.tasks) {
        let stand = match Stand::of(&id, &reader).await {
            Ok(stand) => Some(stand),
            // What cannot be told now is told later.
            Err(refusal) if refusal.is_passing() => None,
            Err(_) => continue,
        };
        let followed = RefCell::new(Followed::new(&id));
        watched.push(Watched { id: id.clone(), followed, lasts_ms: Cell::default() });
        stands.push(stand);
        listen.tasks.push(id);
    }
    let each = watched.iter().zip(stands);
    let following = join_all(each.map(|(task, stand)| task.follow(stand, &reader, &variables)));
    // Whoever listens is told when it leaves or its time is up, and with it goes whatever was read for it.
    let following = async {
        following.await;
        pending::<()>().await;
    };
    select(pin!(tell(&listen, &watched, writer)), pin!(following)).await;
}

async fn tell(listen: &Listen, watched: &[Watched], mut writer: StreamWriter<u8>) {
    let mut bytes = listen.acknowledged();
    let (mut silent, mut wait) = (0, FIRST_LOOK);
    for _ in 0..MOST_LOOKS {
        let reads = match bytes.is_empty() {
            // A reader that is behind does not say that it has left, either.
            true => clock::within(PATIENCE, has_left(&mut writer)).await == Some(false),
            false => written_within(PATIENCE, &mut writer, &bytes).await,
        };
        if !reads {
            return;
        }
        clock::sleep(wait).await;
        wait = LOOKS;
        bytes = watched.iter().flat_map(|task| task.news(listen)).collect();
        silent = if bytes.is_empty() { silent + 1 } else { 0 };
        if silent >= SILENT_LOOKS {
            silent = 0;
            bytes = listen.sign_of_life();
        }
    }
    bytes.extend(listen.ended());
    written_within(PATIENCE, &mut writer, &bytes).await;
}
