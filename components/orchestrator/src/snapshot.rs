//! The state of a machine, as it is kept: the machine itself, in an envelope.
//!
//! Border: envelopes are `quarry-journal`'s, and what is in them the machine's.

use crate::log;
use crate::shelf::{Shelf, ShelfError};
use quarry_events::{Course, Ending};
use quarry_journal::{Follower, Look, Place, Snapshot, SnapshotError, Values};
use quarry_machines::core::Machine;
use quarry_rim::clock::now;
use quarry_types::{AskId, Timestamp};

/// Why there is nothing to go on with.
pub enum Missing {
    /// Nothing is kept.
    Nothing,
    /// What is kept cannot be used; the sentence says why.
    Unusable(String),
    /// The store failed.
    Unavailable(ShelfError),
}

impl From<ShelfError> for Missing {
    fn from(error: ShelfError) -> Self {
        Missing::Unavailable(error)
    }
}

impl From<SnapshotError> for Missing {
    fn from(error: SnapshotError) -> Self {
        Missing::Unusable(error.to_string())
    }
}

/// The values that keep a machine. None when it cannot be written, which its types rule out.
pub fn values<M: Machine>(machine: &M, id: AskId, expires: Timestamp, set: bool) -> Values {
    serde_json::to_string(machine)
        .ok()
        .and_then(|state| {
            Snapshot::new(M::NAME, &id.to_string(), expires, machine.has_ended(), state).ok()
        })
        .map(|snapshot| snapshot.values(set))
        .unwrap_or_default()
}

/// What a machine that was interrupted can be gone on with from.
pub async fn kept<M: Machine>(id: &str) -> Result<M, Missing> {
    let id = AskId::parse(id).ok_or(Missing::Nothing)?;
    let shelf = Shelf::open(id).await?;
    let mut head = None;
    for place in Snapshot::HEADS {
        if head.is_none() {
            head = shelf.get(place).await?;
        }
    }
    let (places, mut found) = Snapshot::read(&head.ok_or(Missing::Nothing)?)?;
    for place in places {
        found.add(&shelf.get(place).await?.unwrap_or_default());
    }
    let snapshot = found.whole()?;
    let is_fresh = snapshot.expires() > now();
    if !is_fresh || snapshot.machine() != M::NAME || snapshot.id() != id.to_string() {
        return Err(Missing::Nothing);
    }
    // A state that an ask left on its way says nothing about its end; the log does. An end that a reader wrote is none to
    // go by: it says that the ask can be gone on with.
    if !snapshot.has_ended()
        && ending(&shelf, id).await?.is_some_and(|ending| ending != Ending::Interrupted)
    {
        return Err(Missing::Nothing);
    }
    serde_json::from_str(&snapshot.into_state())
        .map_err(|_| Missing::Unusable(SnapshotError::Version.to_string()))
}

/// How an ask ended, as its log says.
async fn ending(shelf: &Shelf, id: AskId) -> Result<Option<Ending>, Missing> {
    let mut follower = Follower::new(log::DIALECT, Timestamp(id.born_at()), 0);
    let mut course = Course::default();
    loop {
        match follower.poll() {
            Look::Read(place @ Place::Part(_)) => {
                let value = shelf.get(place).await?;
                if value.is_none() {
                    return Ok(course.ending());
                }
                follower.read(Ok(value), now());
            }
            Look::Deliver(entries) => log::pass(&mut course, &entries),
            Look::Read(_)
            | Look::Wait(_)
            | Look::Probe { .. }
            | Look::Bury { .. }
            | Look::Write(..)
            | Look::End(_) => return Ok(course.ending()),
        }
    }
}
