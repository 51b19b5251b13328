//! Loading documents: a place for it, one after the other, told as they come.
//!
//! Border: calls `quarry:knowledge/documents`; how it is told, and how much a stranger may send, is decided in
//! `quarry-doors`.

use std::iter::Peekable;
use std::pin::{Pin, pin};
use std::time::Duration;
use std::vec::IntoIter;

use futures::future::{Either, select};
use quarry_admission::CallerKey;
use quarry_doors::knowledge::{self as doors, Batch, Count, Outcome, Source, Telling};
use quarry_doors::{Due, Head, Refusal, Vigil};
use quarry_rim::clock;
use quarry_rim::variables::Variables;
use quarry_types::time::LOAD_KEPT_EVERY_MS;
use spin_sdk::wasip3::wit_stream;
use wit_bindgen::{StreamReader, StreamWriter, spawn};

use crate::bindings::quarry::agent::types::Caller;
use crate::bindings::quarry::knowledge::documents::{self, Loaded, NotLoaded, Progress};
use crate::convert::knowledge as wit;
use crate::gate;
use crate::outgoing::Answer;
use crate::settings::Settings;

/// How often a place is kept.
const KEPT_EVERY: Duration = Duration::from_millis(LOAD_KEPT_EVERY_MS);

/// For how long a reader may take nothing: behind that it is told nothing more, and what it sent is loaded all the same.
/// Never so long that its place could be lost meanwhile.
const fn patience(silence: Duration) -> Duration {
    let is_usual = silence.is_zero() || silence.as_secs() > KEPT_EVERY.as_secs();
    if is_usual { KEPT_EVERY } else { silence }
}

/// A place among the loads under way. It is given back when it is dropped.
pub struct Place(Option<documents::Place>);

impl Place {
    async fn take() -> Result<Place, Refusal> {
        documents::take_place().await.map(Place).map_err(wit::refusal)
    }

    async fn keep(&self) {
        if let Some(place) = &self.0 {
            documents::keep_place(place.clone()).await;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(place) = self.0.take() {
            spawn(documents::give_place_back(place));
        }
    }
}

/// A place that was had before the body was read.
pub struct Held {
    place: Place,
    /// As whom its holder was counted for that.
    pub counted: CallerKey,
}

impl Held {
    /// What comes of reading the body: that may take longer than a place lasts which nobody keeps.
    pub async fn during<T>(&self, reading: impl Future<Output = T>) -> T {
        let mut reading = pin!(reading);
        loop {
            match select(reading.as_mut(), pin!(clock::sleep(KEPT_EVERY))).await {
                Either::Left((read, _)) => return read,
                Either::Right(_) => self.place.keep().await,
            }
        }
    }
}

/// What is known of a load by its head, before its body is read: who is let in by what is said there has a place; of
/// anybody else the body says who it is, and may have little. Whoever has a place is counted by then, and so is whoever
/// guesses: many bodies that never end would else keep everybody out and count for nothing.
pub async fn announced(head: &Head, variables: &Variables) -> Result<Option<Held>, Refusal> {
    let settings = Settings::read(variables).await?;
    let credentials = doors::credentials(head);
    let (secret, token) = credentials.letters(&settings.access);
    let address = head.client_address.as_deref();
    let known = match (secret, token) {
        // What the body says is still to come: that is no guess.
        (None, None) => settings.access.admit(None, None).map_err(Refusal::from),
        _ => gate::may_read(&settings, token, secret, address, variables).await,
    };
    match known {
        Ok(caller) => {
            let counted = gate::counted(&settings, caller.email.as_deref(), address, None).await?;
            Ok(Some(Held { place: Place::take().await?, counted }))
        }
        Err(limit @ Refusal::RateLimited { .. }) => Err(limit),
        // A proxy may have added it: what the body says counts most.
        Err(_) => Ok(None),
    }
}

/// Loads documents of somebody who is let in.
pub async fn load(
    batch: Batch,
    caller: Caller,
    held: Option<Held>,
    silence: Duration,
) -> Result<Answer, Refusal> {
    let Batch { sources, telling } = batch;
    let place = match held {
        Some(Held { place, .. }) => place,
        None => Place::take().await?,
    };
    let mut loads = Loads::new(sources, caller, place, silence);
    if let Some(headers) = telling.head() {
        let (writer, bytes) = wit_stream::new();
        spawn(tell(loads, telling, Reader { writer: Some(writer), patience: patience(silence) }));
        let ended = Box::pin(async { true });
        return Ok(Answer::Bytes { headers, bytes, ended });
    }
    let mut outcomes = Vec::new();
    while let Some(mut load) = loads.begin().await {
        let done = loop {
            if let Heard::Done(done) = loads.hear(&mut load).await {
                break done;
            }
        };
        let (outcome, refused) = loads.end(load, done);
        if let (Telling::One, Some(why)) = (telling, refused) {
            return Err(why);
        }
        outcomes.push(outcome);
    }
    Ok(Answer::Whole(match (telling, outcomes.as_slice()) {
        (Telling::One, [outcome]) => outcome.reply(),
        _ => doors::loaded(outcomes, loads.count),
    }))
}

/// Loads documents and tells of each. A client that leaves, or reads nothing, stops nothing.
async fn tell(mut loads: Loads, telling: Telling, mut reader: Reader) {
    while let Some(mut load) = loads.begin().await {
        let done = loop {
            let bytes = match loads.hear(&mut load).await {
                Heard::Done(done) => break done,
                Heard::Progress(far) => telling.progress(load.name.as_deref(), wit::progress(far)),
                Heard::Silence => telling.sign_of_life(),
            };
            reader.tell(bytes).await;
            loads.heard();
        };
        let (outcome, _) = loads.end(load, done);
        reader.tell(telling.tell(&outcome)).await;
        loads.heard();
    }
    reader.tell(telling.end(&loads.count)).await;
}

/// Whoever is told; nobody any more when it has left, or took nothing for too long.
struct Reader {
    writer: Option<StreamWriter<u8>>,
    patience: Duration,
}

impl Reader {
    async fn tell(&mut self, bytes: Vec<u8>) {
        // Who writes to a reader that has left ends the instance, and all who are served by it.
        if let Some(mut writer) = self.writer.take()
            && let Some(left) = clock::within(self.patience, writer.write_all(bytes)).await
            && left.is_empty()
        {
            self.writer = Some(writer);
        }
    }
}

/// How a load ended. Boxed, because what else is heard is small.
type Done = Box<Result<Loaded, NotLoaded>>;
/// A read under way, with the stream that it borrows: it outlives what comes first.
type Reading = Pin<Box<dyn Future<Output = (StreamReader<Progress>, Option<Progress>)>>>;

/// What is heard of a load under way.
enum Heard {
    Progress(Progress),
    /// Nothing for so long that its reader is to be shown that somebody is there.
    Silence,
    Done(Done),
}

/// A load under way.
struct UnderWay {
    name: Option<String>,
    progress: Option<Reading>,
    outcome: Pin<Box<dyn Future<Output = Done>>>,
}

/// Documents that are loaded one after the other.
struct Loads {
    sources: Peekable<IntoIter<Source>>,
    caller: Caller,
    place: Place,
    /// When the place was kept last.
    kept: Duration,
    vigil: Vigil,
    /// What became of those that were.
    count: Count,
}

impl Loads {
    fn new(sources: Vec<Source>, caller: Caller, place: Place, silence: Duration) -> Self {
        let now = clock::monotonic();
        Loads {
            sources: sources.into_iter().peekable(),
            caller,
            place,
            // Its body may have taken long.
            kept: Duration::ZERO,
            vigil: Vigil::new(silence, now),
            count: Count::default(),
        }
    }

    /// Begins with the next.
    async fn begin(&mut self) -> Option<UnderWay> {
        let source = self.sources.next()?;
        let more_follow = self.sources.peek().is_some();
        let source = wit::source(source, &self.count, more_follow);
        let name = wit::name(&source.content);
        let (progress, outcome) = documents::load(source, self.caller.clone()).await;
        let outcome = Box::pin(async move { Box::new(outcome.await) });
        Some(UnderWay { name, progress: Some(read(progress)), outcome })
    }

    /// What comes next of it, or is due.
    async fn hear(&mut self, load: &mut UnderWay) -> Heard {
        loop {
            let now = clock::monotonic();
            if now.saturating_sub(self.kept) >= KEPT_EVERY {
                self.place.keep().await;
                self.kept = now;
            }
            let due = match self.vigil.due(now) {
                Due::Sign => return Heard::Silence,
                Due::In(time) => time.min(KEPT_EVERY),
                Due::Look | Due::Late => KEPT_EVERY,
            };
            let timer = Box::pin(clock::sleep(due));
            let first = match &mut load.progress {
                None => either(select(&mut load.outcome, timer).await),
                Some(progress) => match select(&mut load.outcome, select(progress, timer)).await {
                    Either::Left((done, _)) => First::Done(done),
                    Either::Right((Either::Left(((stream, far), _)), _)) => {
                        load.progress = far.is_some().then(|| read(stream));
                        First::Far(far)
                    }
                    Either::Right((Either::Right(_), _)) => First::Timer,
                },
            };
            match first {
                First::Done(done) => return Heard::Done(done),
                First::Far(Some(far)) => return Heard::Progress(far),
                First::Far(None) | First::Timer => {}
            }
        }
    }

    /// Its reader was written to.
    fn heard(&mut self) {
        self.vigil.heard(clock::monotonic());
    }

    /// What became of it, and why where it was not loaded.
    fn end(&mut self, load: UnderWay, done: Done) -> (Outcome, Option<Refusal>) {
        let name = load.name;
        let (outcome, refused) = match done.map_err(wit::not_loaded) {
            Ok(loaded) => (wit::loaded(name, loaded), None),
            Err((why, spent)) => (Outcome::failed(name, &why, spent), Some(why)),
        };
        self.count.add(&outcome);
        (outcome, refused)
    }
}

/// What comes first.
enum First {
    Done(Done),
    /// None: its stream has ended.
    Far(Option<Progress>),
    Timer,
}

fn either<A, B>(first: Either<(Done, A), ((), B)>) -> First {
    match first {
        Either::Left((done, _)) => First::Done(done),
        Either::Right(_) => First::Timer,
    }
}

fn read(mut stream: StreamReader<Progress>) -> Reading {
    Box::pin(async move {
        let far = stream.next().await;
        (stream, far)
    })
}
