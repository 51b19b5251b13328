//! Takes a place among the asks under way.
//!
//! Border: how a place is taken is the shelf's; for how long, `quarry-journal`'s.

use crate::again;
use crate::beside::Beside;
use crate::bindings::exports::quarry::agent::ask::{AskError, Busy};
use crate::shelf::{Shelf, ShelfError};
use futures::future::{Either, select};
use quarry_journal::{Place, RETRY_AFTER_MS, full_until};
use quarry_rim::clock::{self, now, recently};
use quarry_schema::trouble::Defect;
use quarry_types::{AskId, Timestamp, text};
use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A store that takes longer than this, or fails, does not hold an ask up: it begins without a place.
pub const PATIENCE: Duration = Duration::from_millis(500);

/// A wait that ends so much too late tells of a busy processor: the store had no more of it than we.
const LATE: Duration = Duration::from_millis(250);

/// What hangs for longer is broken off all the same.
pub const GIVE_UP: Duration = Duration::from_secs(10);

/// What failed beside an ask is tried again after this.
pub const PAUSE: Duration = Duration::from_millis(250);

/// Until when this instance remembers that all places are taken. No data of anybody's.
static FULL_UNTIL: AtomicU64 = AtomicU64::new(0);

/// What came of the wish for a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// This one is its.
    Place(u32),
    /// There is no bound, or no store to hold a place in: it begins without.
    Without,
    /// The store failed, for this reason where somebody has to mend it, or took too long: it begins without, unless it may
    /// have come before and nothing is noted of it.
    Unsaid(Option<Defect>),
    /// All are taken, what is to be noted is noted already, or a key of its sender's means another request.
    Nothing,
}

/// A place for this ask among `places`, 0 for no bound.
pub async fn take(shelf: Option<&Shelf>, places: u32, beside: &Rc<Beside>) -> Taken {
    let Some(shelf) = shelf.filter(|_| places > 0) else { return Taken::Without };
    match is_full() {
        true => Taken::Nothing,
        false => try_take(shelf, places, None, beside).await,
    }
}

/// All places are taken, and this is remembered for a moment. Not longer by those who are told of it meanwhile: they did
/// not look.
pub fn full(places: u32) -> AskError {
    if !is_full() {
        FULL_UNTIL.store(full_until(now()).0, Ordering::Relaxed);
    }
    busy(places)
}

/// What is to be noted of an ask with its place.
#[derive(Clone)]
pub struct Note {
    /// It stands in the first of them where neither has one.
    pub logs: [AskId; 2],
    /// Whether it is not begun after all: a note that comes late is taken back then.
    pub is_off: Rc<Cell<bool>>,
}

impl Note {
    /// It came late.
    async fn settle(self, id: AskId) {
        let [log, _] = self.logs;
        if self.is_off.get() {
            again::undo(log, id).await;
        }
    }
}

/// The same for an ask that is to be found by a note: none where there is one already. Both are one statement, which is
/// why they stand together.
pub async fn take_noted(
    shelf: Result<&Shelf, Option<Defect>>,
    places: u32,
    (id, note): (AskId, Note),
    beside: &Rc<Beside>,
) -> Taken {
    match shelf {
        Err(defect) => Taken::Unsaid(defect),
        Ok(shelf) if places == 0 => try_note(shelf, id, note, beside).await,
        Ok(_) if is_full() => Taken::Nothing,
        Ok(shelf) => try_take(shelf, places, Some((id, note)), beside).await,
    }
}

/// Notes an ask that began without, so that a later try finds it; with a key of its sender's nothing begins so. Not once it
/// is called off, and not where another is noted.
pub fn note_late(id: AskId, note: Note) {
    wit_bindgen::spawn(async move {
        let noting = async {
            loop {
                clock::sleep(PAUSE).await;
                if note.is_off.get() {
                    return;
                }
                if let Ok(shelf) = Shelf::open(id).await
                    && shelf.note_first(Some(note.logs), None).await.is_ok()
                {
                    return note.settle(id).await;
                }
            }
        };
        clock::within(GIVE_UP, noting).await;
    });
}

async fn try_note(shelf: &Shelf, id: AskId, note: Note, beside: &Rc<Beside>) -> Taken {
    let (shelf, logs, beside) = (shelf.clone(), note.logs, Rc::clone(beside));
    let noting = async move {
        let is_noted = shelf.note_first(Some(logs), beside.means()).await?;
        if is_noted {
            beside.mark_meant();
        }
        Ok(is_noted)
    };
    let late = async move |is_noted| {
        if is_noted {
            note.settle(id).await;
        }
    };
    match patiently(noting, late).await {
        Ok(true) => Taken::Without,
        Ok(false) => Taken::Nothing,
        Err(defect) => Taken::Unsaid(defect),
    }
}

/// Whether this instance remembers that all places are taken.
pub fn is_full() -> bool {
    quarry_journal::is_full(Timestamp(FULL_UNTIL.load(Ordering::Relaxed)), recently())
}

async fn try_take(
    shelf: &Shelf,
    places: u32,
    note: Option<(AskId, Note)>,
    beside: &Rc<Beside>,
) -> Taken {
    let (shelf, take) = (shelf.clone(), shelf.clone().watched());
    let logs = note.as_ref().map(|(_, note)| note.logs);
    let (beside, late) = (Rc::clone(beside), Rc::clone(beside));
    let taking = async move { take.take_place(places, logs, &beside).await };
    // A place that comes late is nobody's.
    let give_back = async move |place: Option<u32>| {
        let Some(place) = place else { return };
        _ = shelf.remove(Place::Slot(place)).await;
        if let Some((id, note)) = note {
            note.settle(id).await;
        }
        late.settle().await;
    };
    match patiently(taking, give_back).await {
        Ok(Some(place)) => Taken::Place(place),
        Ok(None) => Taken::Nothing,
        Err(defect) => Taken::Unsaid(defect),
    }
}

/// Waits as long as a store may take; anew where the processor was busy meanwhile, but not for ever.
pub async fn patience() {
    let first = clock::monotonic();
    let mut begun = first;
    loop {
        clock::sleep(PATIENCE).await;
        let now = clock::monotonic();
        if now.saturating_sub(begun) < PATIENCE + LATE || now.saturating_sub(first) >= GIVE_UP {
            return;
        }
        begun = now;
    }
}

/// What a step of the store's comes to, where it succeeds in time. One that takes longer is not broken off half-way:
/// what comes of it then is for `late`.
///
/// # Errors
/// What somebody has to mend, where that is why it failed.
pub async fn patiently<T: 'static>(
    step: impl Future<Output = Result<T, ShelfError>> + 'static,
    late: impl AsyncFnOnce(T) + 'static,
) -> Result<T, Option<Defect>> {
    match select(Box::pin(step), pin!(patience())).await {
        Either::Left((done, _)) => done.map_err(|error| error.defect()),
        Either::Right(((), step)) => {
            wit_bindgen::spawn(async move {
                if let Some(Ok(done)) = clock::within(GIVE_UP, step).await {
                    late(done).await;
                }
            });
            Err(None)
        }
    }
}

impl Taken {
    /// The place, where it is one.
    pub const fn number(self) -> Option<u32> {
        match self {
            Taken::Place(place) => Some(place),
            Taken::Without | Taken::Unsaid(_) | Taken::Nothing => None,
        }
    }
}

/// The store takes too long to say whether a request began something before. Whoever may have paid for that does not pay
/// for it again unseen: nothing begins, and a retry is cheap.
pub fn unsaid() -> AskError {
    let message =
        "the store takes too long to say whether this request came before; try again soon";
    AskError::Busy(Busy { message: message.to_owned(), retry_after_ms: RETRY_AFTER_MS })
}

/// The store took no note of a request that may have come before. An ask that began without one would be paid for again by
/// the next try. Where somebody has to mend the store first, no try is of use before that. `says_so`: it has come with a key
/// or a count of tries, which can be left out.
pub fn unnoted(defect: Option<Defect>, says_so: bool) -> AskError {
    let instead = if says_so { ", or ask anew without a key or a count of tries" } else { "" };
    if let Some(defect) = defect {
        return AskError::Unavailable(format!(
            "this request cannot be noted, and each try that is not noted would be paid for: {defect}{instead}"
        ));
    }
    let message = format!(
        "the store takes too long, or fails, to note this request, and each try that is not noted would be paid for; \
         try again soon{instead}"
    );
    AskError::Busy(Busy { message, retry_after_ms: RETRY_AFTER_MS })
}

/// An ask that is to be gone on with has been silent for long, and its store does not let anybody say whether it is dead: one
/// that lives would be paid for twice.
pub fn undecided(defect: Option<Defect>) -> AskError {
    let words =
        "this ask has given no sign of life for a while, and nobody can say yet whether it is dead";
    match defect {
        Some(defect) => AskError::Unavailable(format!("{words}: {defect}")),
        None => AskError::Busy(Busy {
            message: format!("{words}; nothing was begun, try again soon"),
            retry_after_ms: RETRY_AFTER_MS,
        }),
    }
}

/// Others hold the database, or it takes as long: nothing begins that is worth nothing unless it is kept, nothing is changed,
/// and a retry is cheap.
pub fn locked() -> Busy {
    let message = "the database is locked by others who write to it, or does not answer, and nothing was begun or \
                   changed; try again soon";
    Busy { message: message.to_owned(), retry_after_ms: RETRY_AFTER_MS }
}

/// The same where only something that is there is read or changed: what was done of it before may stand.
pub fn held() -> Busy {
    let message = "the database is locked by others who write to it; try again soon";
    Busy { message: message.to_owned(), retry_after_ms: RETRY_AFTER_MS }
}

/// Why whoever joins what is under way, and is told nothing before its end, is not made to wait for it: it is known to
/// nobody else before its log takes writes. None: the store does not answer.
pub fn unwritten(error: Option<&ShelfError>) -> AskError {
    if let Some(defect) = error.and_then(ShelfError::defect) {
        let words = "this request is under way already, and its log cannot be written";
        return AskError::Unavailable(format!("{words}: {defect}"));
    }
    let message = "this request is under way already, and nothing of it can be read while the database is locked by \
                   others, or fails; nothing more is paid, try again soon";
    AskError::Busy(Busy { message: message.to_owned(), retry_after_ms: RETRY_AFTER_MS })
}

fn busy(places: u32) -> AskError {
    let places = text::count(places.into(), "ask", "asks");
    let message = format!("this server works on {places} at most, and does; try again soon");
    AskError::Busy(Busy { message, retry_after_ms: RETRY_AFTER_MS })
}
