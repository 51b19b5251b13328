//! A request that is sent again joins the ask that it began, or goes on with it, and pays once.
//!
//! Border: reads and writes notes; where they stand, and for how long, is decided in `quarry-journal`.

use crate::bindings::exports::quarry::agent::ask::AskError;
use crate::follow::{Ended, Fate, Reading, Stage, UNKNOWN};
use crate::rejoin;
use crate::settings;
use crate::shelf::{Shelf, ShelfError};
use crate::slot;
use crate::snapshot::{self, Missing};
use crate::under_way;
use futures::future::{Either, select};
use quarry_events::Ending;
use quarry_journal::{
    self as journal, Chain, JOINED_FOR_MS, Place, REPLAYED_FOR_MS, lasting_notes,
};
use quarry_machines::ask::Ask;
use quarry_machines::core::Machine;
use quarry_rim::clock::{self, now};
use quarry_schema::trouble::Defect;
use quarry_types::{AskId, Timestamp};
use std::pin::pin;
use std::time::Duration;

/// How long whoever sends a request again waits until it is certain whether what it began is dead, in all: longer than one
/// that seems so is doubted, and once more where a busy processor kept it from looking.
const CERTAIN_WITHIN: Duration = Duration::from_secs(30);

/// What a request began when it came before.
pub struct Found {
    /// What its note names.
    pub noted: AskId,
    /// What became of that, or of what went on with it.
    pub before: Before,
}

/// What became of what a request began.
pub enum Before {
    /// An ask that can be joined.
    Joins(AskId),
    /// The same, of one that another request began to go on with what this one began.
    JoinsNext(AskId),
    /// The same, of one that ended without an answer: it failed, or somebody stopped it.
    Failed(AskId),
    /// An ask that ended so that it can be gone on with.
    GoesOn(AskId),
    /// One that has been silent for long, and left a state: it can be gone on with if it is dead, and else it may be one to
    /// join.
    Silent { id: AskId, is_joined: bool },
    /// An ask that ended too long ago for that.
    Over,
}

/// What a note takes the place of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// Whatever was noted before.
    Anything,
    /// What was begun earlier, so that a note that comes late takes the place of none that is newer: what was seen before
    /// it began, and else what has the lesser id. Of two that saw the same the clocks decide.
    Earlier {
        /// What stood there then, where that is known.
        seen: Option<AskId>,
    },
    /// This one alone, which the same request claimed: what was noted since then counts for more.
    Own(AskId),
}

/// What this request began before, if it did. That a store fails does not say that it began nothing.
pub async fn before(key: &str, now: Timestamp) -> Result<Option<Found>, ShelfError> {
    let Some(noted) = noted(key, now).await? else { return Ok(None) };
    Ok(Some(Found { noted, before: became(noted, now).await }))
}

async fn became(id: AskId, now: Timestamp) -> Before {
    if waits(id).await {
        // Somebody may have gone on with it already.
        return match newest(id).await.ok().flatten() {
            None => Before::GoesOn(id),
            Some(newest) if waits(newest).await => Before::GoesOn(newest),
            Some(newest) => Before::JoinsNext(newest),
        };
    }
    let Ok(shelf) = Shelf::open(id).await else { return Before::Joins(id) };
    match Reading::new(shelf.clone(), id, 0).stage().await {
        // Its store may have taken its state and nothing of its log.
        Stage::Ended(Ended { at: UNKNOWN, .. }) => {
            left_of(id, &shelf).await.unwrap_or(Before::Over)
        }
        Stage::Ended(Ended { at, .. }) if now.since(at) >= REPLAYED_FOR_MS => Before::Over,
        // What was stopped has no answer, and whose end was wished for behind its answer was not stopped.
        Stage::Ended(Ended { ending: Some(Ending::Answered), .. })
        | Stage::Silent
        | Stage::UnderWay => Before::Joins(id),
        Stage::Ended(_) => Before::Failed(id),
    }
}

/// What is to be done about what came before, where it is certain that there is something to join: who knows no end of an
/// ask may have been told one that its store did not take. Whoever wants to know has waited since then, by the clock that
/// only goes forward.
///
/// # Errors
/// It seems dead, and its store takes no writes: what somebody has to mend, where that is why.
pub async fn certain(before: Before, since: Duration) -> Result<Before, Option<Defect>> {
    let id = match before {
        Before::Joins(id)
        | Before::JoinsNext(id)
        | Before::Failed(id)
        | Before::Silent { id, .. } => id,
        Before::GoesOn(_) | Before::Over => return Ok(before),
    };
    let waited = clock::monotonic().saturating_sub(since);
    let lost = lost(id, CERTAIN_WITHIN.saturating_sub(waited)).await?;
    Ok(lost.unwrap_or(match before {
        Before::Silent { is_joined: true, .. } => Before::Joins(id),
        // It lives, and whoever asks anew did not mean it.
        Before::Silent { is_joined: false, .. } => Before::Over,
        before => before,
    }))
}

/// What is left of an ask that wrote no end; none: it lives, has an end, or was stopped on purpose, or nobody can say in
/// that time.
async fn lost(id: AskId, limit: Duration) -> Result<Option<Before>, Option<Defect>> {
    // One that is driven here lives, whatever its store shows.
    if under_way::is_driven(id) {
        return Ok(None);
    }
    let Ok(shelf) = Shelf::open(id).await else { return Ok(None) };
    let fate = Reading::new(shelf.clone(), id, 0).fate();
    let Some(fate) = clock::within(limit, fate).await else { return Ok(None) };
    match fate {
        Fate::Ended(
            Ended { ending: Some(Ending::Interrupted), .. } | Ended { at: UNKNOWN, .. },
        ) => Ok(left_of(id, &shelf).await),
        Fate::Ended(_) | Fate::Lives => Ok(None),
        Fate::Unsaid(defect) => Err(defect),
    }
}

/// Whether an ask may be gone on with that left a state on its way and no end, as its state says.
pub enum Alive {
    /// It is dead, and its log says so by now.
    No,
    /// It is under way, as far as anybody can tell at once.
    Yes,
    /// It seems dead, and nobody can say for now whether it is; what somebody has to mend first, where that is known.
    Unsaid(Option<Defect>),
}

/// Whether an ask is under way still. One that has been silent for long is looked at until that is certain.
pub async fn alive(id: AskId) -> Result<Alive, ShelfError> {
    if under_way::is_driven(id) {
        return Ok(Alive::Yes);
    }
    let shelf = Shelf::open(id).await?;
    let fate = Reading::new(shelf, id, 0).fate();
    Ok(match clock::within(CERTAIN_WITHIN, fate).await {
        Some(Fate::Ended(_)) => Alive::No,
        Some(Fate::Lives) => Alive::Yes,
        Some(Fate::Unsaid(defect)) => Alive::Unsaid(defect),
        None => Alive::Unsaid(None),
    })
}

/// What is left of an ask of which nobody tells an end: its state, or nothing; none: it was stopped on purpose, or nobody can
/// say.
async fn left_of(id: AskId, shelf: &Shelf) -> Option<Before> {
    let kept: Option<Ask> = match snapshot::kept(&id.to_string()).await {
        Ok(ask) => Some(ask),
        Err(Missing::Unavailable(_)) => return None,
        Err(Missing::Nothing | Missing::Unusable(_)) => None,
    };
    let is_stopped = is_stopped(shelf, kept.as_ref()).await.ok()?;
    if is_stopped && !shelf.has(Place::Left).await.ok()? {
        return None;
    }
    Some(kept.map_or(Before::Over, |_| Before::GoesOn(id)))
}

/// Whether it ended so that it can be gone on with, and nobody called it off.
async fn waits(id: AskId) -> bool {
    let kept: Option<Ask> = snapshot::kept(&id.to_string()).await.ok();
    let Some(ask) = kept.filter(Machine::has_ended) else { return false };
    !is_called_off(id, &ask).await.unwrap_or(ask.is_stopped())
}

/// What this request began before and what did not come to its end, where nobody reads it. Whoever sends it does not say
/// that it came before: so nobody is told again of an answer, of a failure, or of what somebody stopped. Also the ask
/// that a note names, whatever became of it.
pub async fn unfinished(
    key: &str,
    now: Timestamp,
) -> Result<(Option<AskId>, Option<Before>), Unsaid> {
    let Some(id) = noted(key, now).await? else { return Ok((None, None)) };
    Ok((Some(id), unfinished_of(id, now).await?))
}

/// That nobody can say now what became of an ask: its store fails, or takes no writes; what somebody has to mend first, where
/// that is known.
pub struct Unsaid(pub Option<Defect>);

impl From<ShelfError> for Unsaid {
    fn from(error: ShelfError) -> Self {
        Unsaid(error.defect())
    }
}

async fn unfinished_of(id: AskId, now: Timestamp) -> Result<Option<Before>, Unsaid> {
    let shelf = Shelf::open(id).await?;
    let is_left = shelf.has(Place::Left).await?;
    let kept: Option<Ask> = match snapshot::kept(&id.to_string()).await {
        Ok(ask) => Some(ask),
        Err(Missing::Unavailable(error)) => return Err(error.into()),
        Err(Missing::Nothing | Missing::Unusable(_)) => None,
    };
    // Most came to their end, and keep no state to go on with.
    if kept.is_none() && !is_left {
        return Ok(None);
    }
    let is_stopped = is_stopped(&shelf, kept.as_ref()).await?;
    if is_stopped && !is_left {
        return Ok(None);
    }
    let has_ended = kept.as_ref().is_some_and(Machine::has_ended);
    if has_ended && let Some(newest) = newest(id).await? {
        // What another went on with is found by the newest, as far as that waits, too.
        return match waits(newest).await {
            true => Box::pin(unfinished_of(newest, now)).await,
            false => Ok(None),
        };
    }
    // A limit ended it: it waits for that, however long. That its readers were gone by then stopped nothing.
    if kept.as_ref().is_some_and(|ask| ask.has_ended() && !ask.is_stopped()) {
        return Ok(Some(Before::GoesOn(id)));
    }
    Ok(match Reading::new(shelf.clone(), id, 0).stage().await {
        Stage::Ended(Ended { at, .. }) => {
            let is_recent = kept.is_some() && now.since(at) < REPLAYED_FOR_MS;
            // It may have come to its end since its state was read.
            let goes_on = is_recent && (has_ended || is_kept(id).await);
            goes_on.then_some(Before::GoesOn(id))
        }
        stage @ (Stage::Silent | Stage::UnderWay) => {
            let is_joined = is_left && !is_stopped && !shelf.is_read().await?;
            match stage {
                Stage::Silent if kept.is_some() => Some(Before::Silent { id, is_joined }),
                _ => is_joined.then_some(Before::Joins(id)),
            }
        }
    })
}

/// Whether an ask has come to its end, also to one that it can be gone on with from: its state is written before its log says
/// so.
pub async fn has_ended(id: AskId) -> Result<bool, ShelfError> {
    match snapshot::kept::<Ask>(&id.to_string()).await {
        Ok(ask) if ask.has_ended() => return Ok(true),
        Err(Missing::Unavailable(error)) => return Err(error),
        Ok(_) | Err(Missing::Nothing | Missing::Unusable(_)) => {}
    }
    Ok(matches!(stage(id).await?, Stage::Ended(_)))
}

/// Whether there is a state of it to go on from.
async fn is_kept(id: AskId) -> bool {
    snapshot::kept::<Ask>(&id.to_string()).await.is_ok()
}

/// Whether somebody ended it on purpose. Where its want of readers did, the last of them left a mark.
async fn is_called_off(id: AskId, kept: &Ask) -> Result<bool, ShelfError> {
    let shelf = Shelf::open(id).await?;
    Ok(is_stopped(&shelf, Some(kept)).await? && !shelf.has(Place::Left).await?)
}

/// Whether a mark says that somebody ended it on purpose. Beside that of a reader that left, want of readers did.
pub async fn is_ended_on_purpose(shelf: &Shelf) -> Result<bool, ShelfError> {
    Ok(shelf.has(Place::Stop).await? && !shelf.has(Place::Left).await?)
}

/// Whether somebody wanted its end. One that heard of it while the store took no writes has it in its state alone.
async fn is_stopped(shelf: &Shelf, kept: Option<&Ask>) -> Result<bool, ShelfError> {
    Ok(kept.is_some_and(Ask::is_stopped) || shelf.has(Place::Stop).await?)
}

/// The ask that goes on with an earlier one.
async fn next(id: AskId) -> Result<Option<AskId>, ShelfError> {
    let next = Shelf::open(id).await?.get(Place::GoneOn).await?;
    Ok(next.and_then(|next| AskId::parse(std::str::from_utf8(&next).ok()?)))
}

/// The newest of those that go on with an earlier one, each with the one before.
pub async fn newest(id: AskId) -> Result<Option<AskId>, ShelfError> {
    let mut chain = Chain::new(id);
    while let Some(at) = chain.looks_at() {
        let Some(next) = next(at).await? else { break };
        chain.goes_on_with(next);
    }
    if let Some((second, newest)) = chain.shortened() {
        let [second, newest] = [second, newest].map(|id| id.to_string());
        let (second, newest) = (second.as_bytes(), newest.as_bytes());
        // Where that fails, the next look walks as far.
        drop(Shelf::open(id).await?.claim(Place::GoneOn, newest, Some(second)).await);
    }
    Ok(chain.newest())
}

/// The ask that was begun with this key, where there is still something of it to be read. One that is driven here is found
/// before it is noted: it came behind what has ended.
pub async fn find(key: &str) -> Result<Option<String>, AskError> {
    let now = now();
    let found = match (staged(key, now).await, under_way::named(key)) {
        (Ok(Some((id, Stage::UnderWay))), _)
        | (_, Some(id))
        | (Ok(Some((id, Stage::Silent))), None) => Some(id),
        (Ok(Some((id, Stage::Ended(Ended { at, .. })))), None) => {
            (now.since(at) < JOINED_FOR_MS).then_some(id)
        }
        (Ok(None), None) => None,
        (Err(error), None) => return Err(rejoin::unavailable(error)),
    };
    Ok(found.map(|id| id.to_string()))
}

/// The ask that a note names, and how far it is.
async fn staged(key: &str, now: Timestamp) -> Result<Option<(AskId, Stage)>, ShelfError> {
    let Some(id) = noted(key, now).await? else { return Ok(None) };
    Ok(Some((id, stage(id).await?)))
}

/// Where the note of a request stands. Nothing is begun where it is not known how long an ask is kept.
async fn notes(key: &str, now: Timestamp) -> [AskId; 2] {
    let lasts_ms = settings::retention_at(now).await.unwrap_or_default();
    journal::notes(key, now, lasts_ms)
}

/// The ask that a note names.
pub async fn noted(key: &str, now: Timestamp) -> Result<Option<AskId>, ShelfError> {
    for log in notes(key, now).await {
        let noted = Shelf::open(log).await?.get(Place::Begun).await?;
        let id = noted.and_then(|noted| AskId::parse(std::str::from_utf8(&noted).ok()?));
        if id.is_some() {
            return Ok(id);
        }
    }
    Ok(None)
}

async fn stage(id: AskId) -> Result<Stage, ShelfError> {
    Ok(Reading::new(Shelf::open(id).await?, id, 0).stage().await)
}

/// Notes what this request is about to begin. Not where somebody else was quicker with the same.
pub async fn claim(
    key: &str,
    id: AskId,
    instead_of: Option<AskId>,
    now: Timestamp,
) -> Result<bool, ShelfError> {
    let [log, _] = notes(key, now).await;
    claim_in(log, id, instead_of).await
}

async fn claim_in(log: AskId, id: AskId, instead_of: Option<AskId>) -> Result<bool, ShelfError> {
    let shelf = Shelf::open(log).await?;
    let (id, instead_of) = (id.to_string(), instead_of.map(|id| id.to_string()));
    let instead_of = instead_of.as_deref().map(str::as_bytes);
    shelf.claim(Place::Begun, id.as_bytes(), instead_of).await
}

/// Undoes that: nothing is begun, and what was noted before is noted again.
pub async fn unclaim(key: &str, id: AskId, noted: Option<AskId>, now: Timestamp) {
    match noted {
        Some(noted) => drop(claim(key, noted, Some(id), now).await),
        None => take_back(key, id, now).await,
    }
}

/// Notes what this request began or joined: whoever is told of that can find it. Beside a store that hangs, or fails, it
/// goes ahead, and is noted as soon as that can be.
pub async fn note(key: &str, id: AskId, over: Over, now: Timestamp) {
    let [log, _] = notes(key, now).await;
    let noting = Box::pin(try_note(log, id, over));
    let rest = match select(noting, pin!(clock::sleep(slot::PATIENCE))).await {
        Either::Left((Ok(()), _)) => return,
        Either::Left((Err(error), _)) if error.is_for_good() => return,
        Either::Left((Err(_), _)) => None,
        Either::Right(((), rest)) => Some(rest),
    };
    wit_bindgen::spawn(async move {
        let noting = async {
            if let Some(rest) = rest
                && rest.await.is_ok()
            {
                return;
            }
            while try_note(log, id, over).await.is_err() {
                clock::sleep(slot::PAUSE).await;
            }
        };
        clock::within(slot::GIVE_UP, noting).await;
    });
}

async fn try_note(log: AskId, id: AskId, over: Over) -> Result<(), ShelfError> {
    let noted = id.to_string();
    match over {
        Over::Anything => Shelf::open(log).await?.set(Place::Begun, noted.as_bytes()).await,
        Over::Earlier { seen } => {
            let (shelf, seen) = (Shelf::open(log).await?, seen.map(|seen| seen.to_string()));
            shelf.raise(Place::Begun, noted.as_bytes(), seen.as_deref().map(str::as_bytes)).await
        }
        Over::Own(own) => claim_in(log, id, Some(own)).await.map(drop),
    }
}

/// Notes what was begun for as long as an ask is kept. A store that fails notes nothing: then its items are not found.
pub async fn keep(key: &str, begun: &str) {
    let Ok(lasts_ms) = settings::retention_ms().await else { return };
    let [log, _] = lasting_notes(key, now(), lasts_ms);
    if let Ok(shelf) = Shelf::open(log).await {
        drop(shelf.set(Place::Begun, begun.as_bytes()).await);
    }
}

/// What was noted so.
pub async fn kept(key: &str) -> Result<Option<String>, AskError> {
    let lasts_ms = settings::retention_ms().await?;
    for log in lasting_notes(key, now(), lasts_ms) {
        let shelf = Shelf::open(log).await.map_err(rejoin::unavailable)?;
        if let Some(begun) = shelf.get(Place::Begun).await.map_err(rejoin::unavailable)? {
            return Ok(String::from_utf8(begun).ok());
        }
    }
    Ok(None)
}

/// Notes which ask goes on with one that has ended. A store that fails has no such note, and then whoever looks at the
/// one that ended is told of its end.
pub async fn link(earlier: AskId, id: AskId) {
    if let Ok(shelf) = Shelf::open(earlier).await {
        drop(shelf.set(Place::GoneOn, id.to_string().as_bytes()).await);
    }
}

/// The request with this key is refused: what it began before and came to its end is no answer to it any more, when it
/// is sent again and says so. What can be gone on with is found as before. Nobody waits long to be told that it is
/// refused: a store that is slow changes nothing.
pub async fn invalidate(key: &str, now: Timestamp) {
    let invalidating = async {
        if let Ok((Some(noted), None)) = unfinished(key, now).await {
            take_back_ended(key, noted, now).await;
        }
    };
    clock::within(slot::PATIENCE, invalidating).await;
}

/// The same where it is known that this ask is noted, and that it cannot be gone on with.
pub async fn forget_ended(key: &str, id: AskId, now: Timestamp) {
    clock::within(slot::PATIENCE, take_back_ended(key, id, now)).await;
}

/// Takes the note of an ask back where it has ended.
async fn take_back_ended(key: &str, id: AskId, now: Timestamp) {
    if matches!(stage(id).await, Ok(Stage::Ended(_))) {
        for log in notes(key, now).await {
            forget(log, id).await;
        }
    }
}

/// Takes a note back: nothing was begun.
pub async fn take_back(key: &str, id: AskId, now: Timestamp) {
    let [log, _] = notes(key, now).await;
    undo(log, id).await;
}

/// The same of a note in this log, and what a key of its sender's means by it. Whoever is refused is not made to wait for a
/// store that hangs: it goes on beside that.
pub async fn undo(log: AskId, id: AskId) {
    let undoing = async move { Shelf::open(id).await?.undo(log).await };
    _ = slot::patiently(undoing, async |()| {}).await;
}

/// Takes a note of this ask out of a log of notes; another's stays.
pub async fn forget(log: AskId, id: AskId) {
    if let Ok(shelf) = Shelf::open(id).await {
        drop(shelf.unnote(log).await);
    }
}
