//! A run's record: what is known of it without reading its journal.

use super::Damaged;
use super::packed::{read, status};
use quarry_events::run::RunStatus;
use quarry_types::{Json, RunId, Timestamp};
use std::collections::BTreeSet;

/// What counts as a lease. The statements that give them say the same.
const LONGEST_LEASE_MS: u64 = 3_600_000;

/// What is known of a run without reading its journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its id.
    pub run: RunId,
    /// Whose it is; none: whoever knows the id.
    pub caller: Option<String>,
    /// Where it stands.
    pub status: RunStatus,
    /// The beginning of its task.
    pub task: String,
    /// The model that it was asked for with.
    pub model: String,
    /// The run that it shares its first entries with.
    pub origin: Option<RunId>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its last step was.
    pub updated_at: Timestamp,
    /// When it is to be driven next; none: not by itself.
    pub due_at: Option<Timestamp>,
    /// Who drives it.
    pub holder: Option<String>,
    /// Until when it is theirs.
    pub until: Option<Timestamp>,
    /// Of the request that made it, if that had an idempotency key.
    pub request_hash: Option<String>,
    /// For lists.
    pub summary: Json,
}

impl Record {
    /// Whether its time has come and nobody drives it.
    #[must_use]
    pub fn is_left(&self, now: Timestamp) -> bool {
        !self.status.has_ended()
            && self.due_at.is_some_and(|due| due <= now)
            && self.held_until(now).is_none()
    }

    /// Until when it is somebody's; none: it is nobody's. A lease that is an hour ahead was given by a clock that went
    /// wrong, and is none.
    #[must_use]
    pub fn held_until(&self, now: Timestamp) -> Option<Timestamp> {
        let is_lease = |until: &Timestamp| *until > now && until.since(now) <= LONGEST_LEASE_MS;
        self.until.filter(is_lease)
    }

    /// Up to when it was worked on, as far as is known: until now where somebody has it, else until its last step. Its
    /// time stands still while nobody drives it.
    #[must_use]
    pub fn driven_until(&self, now: Timestamp) -> Timestamp {
        match self.held_until(now) {
            Some(_) => now,
            None => self.updated_at.min(now),
        }
    }

    /// Whether nothing happens before somebody does something: it waits, and not for a time.
    #[must_use]
    pub const fn waits_for_somebody(&self) -> bool {
        matches!(self.status, RunStatus::Queued) && self.holder.is_none() && self.due_at.is_none()
    }

    /// Where a page of a list ends with this run.
    #[must_use]
    pub fn cursor(&self) -> String {
        format!("{}-{}", self.created_at.0, self.run)
    }
}

/// What a cursor says; none: it is none.
#[must_use]
pub fn behind(cursor: &str) -> Option<(Timestamp, RunId)> {
    let (at, id) = cursor.split_once('-')?;
    Some((Timestamp(at.parse().ok()?), RunId::parse(id)?))
}

type Row = (
    RunId,
    Option<String>,
    String,
    String,
    String,
    Option<RunId>,
    Timestamp,
    Timestamp,
    Option<Timestamp>,
    Option<String>,
    Option<Timestamp>,
    Option<String>,
    String,
);

fn known(row: Row) -> Result<Record, Damaged> {
    let (run, caller, stands, task, model, origin, created_at, updated_at, due_at, ..) = row;
    let (.., holder, until, request_hash, summary) = row;
    let summary = Json::from_text(summary)
        .ok_or_else(|| Damaged::Shape { what: "summary", why: "no JSON".to_owned() })?;
    let status = status(&stands)?;
    Ok(Record {
        run,
        caller,
        status,
        task,
        model,
        origin,
        created_at,
        updated_at,
        due_at,
        holder,
        until,
        request_hash,
        summary,
    })
}

/// One packed record.
///
/// # Errors
/// [`Damaged`] when it is not what was written.
pub fn record(packed: &str) -> Result<Record, Damaged> {
    known(read("record", packed)?)
}

/// Packed records.
///
/// # Errors
/// [`Damaged`] when one is not what was written.
pub fn records(packed: &str) -> Result<Vec<Record>, Damaged> {
    let rows: Vec<Row> = read("records", packed)?;
    rows.into_iter().map(known).collect()
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// Who drives it.
    pub holder: Option<String>,
    /// Until when it is theirs.
    pub until: Option<Timestamp>,
    /// The number of its last entry.
    pub n: u64,
    /// The sequence of its last event.
    pub sequence: u64,
}

/// A packed list of the numbers of entries.
///
/// # Errors
/// [`Damaged`] when it is not what was written.
pub fn numbers(packed: &str) -> Result<BTreeSet<u64>, Damaged> {
    read("entries with states", packed)
}

/// A packed position.
///
/// # Errors
/// [`Damaged`] when it is not what was written.
pub fn position(packed: &str) -> Result<Position, Damaged> {
    let (holder, until, n, sequence) = read("position", packed)?;
    Ok(Position { holder, until, n, sequence })
}
