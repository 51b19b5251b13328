//! What comes packed out of the database, read. A damaged value is told with its place and never believed.

use super::{Entry, Hash, Kind};
use quarry_events::run::{Event, EventName, RunStatus};
use quarry_types::{Json, RunId, Timestamp};
use serde::de::DeserializeOwned;

/// Something in the database that nobody wrote so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damaged {
    /// A packed value is not of its shape.
    #[error("what the database has of the run's {what} cannot be read: {why}")]
    Shape {
        /// Of what.
        what: &'static str,
        /// What is wrong, in the parser's words.
        why: String,
    },
    /// An entry is missing, or stands twice.
    #[error("the run's journal has entry {found} where entry {expected} should stand")]
    Order {
        /// Which should follow.
        expected: u64,
        /// Which is there.
        found: u64,
    },
    /// An entry of a kind that this server does not know.
    #[error("entry {n} of the run's journal is of the unknown kind {kind:?}")]
    Kind {
        /// Which entry.
        n: u64,
        /// Its kind.
        kind: String,
    },
    /// The body that an entry names is not there, or not the one that was named.
    #[error("the body of entry {0} of the run's journal is gone or was changed")]
    Body(u64),
    /// An event with a name that this server does not know.
    #[error("event {sequence} of the run has the unknown name {name:?}")]
    Event {
        /// Which event.
        sequence: u64,
        /// Its name.
        name: String,
    },
    /// A status that this server does not know.
    #[error("the run has the unknown status {0:?}")]
    Status(String),
}

pub(super) fn read<T: DeserializeOwned>(what: &'static str, packed: &str) -> Result<T, Damaged> {
    serde_json::from_str(packed).map_err(|error| Damaged::Shape { what, why: error.to_string() })
}

pub(super) fn status(text: &str) -> Result<RunStatus, Damaged> {
    RunStatus::parse(text).ok_or_else(|| Damaged::Status(text.to_owned()))
}

/// A page of entries behind this one. An empty page: there are no more.
///
/// # Errors
/// [`Damaged`] when a body is not what was written, or an entry does not follow on the one before.
pub fn entries(behind: u64, packed: &str) -> Result<Vec<Entry>, Damaged> {
    type Row = (u64, u64, String, Option<String>, Option<Hash>);
    let rows: Vec<Row> = read("entries", packed)?;
    let mut last = behind;
    let entry = |(n, at, kind, body, blob): Row| {
        let expected = last.saturating_add(1);
        if n != expected {
            return Err(Damaged::Order { expected, found: n });
        }
        last = n;
        let Some(kind) = Kind::parse(&kind) else { return Err(Damaged::Kind { n, kind }) };
        let body = body.filter(|body| blob.is_none_or(|hash| Hash::of(body) == hash));
        let body = body.and_then(Json::from_text).ok_or(Damaged::Body(n))?;
        Ok(Entry { n, at: Timestamp(at), kind, body })
    };
    rows.into_iter().map(entry).collect()
}

/// A page of a run's events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Where the run stands.
    pub status: RunStatus,
    /// The sequence of its last event, on this page or behind it; 0: it has none.
    pub last: u64,
    /// Those on this page, in order.
    pub events: Vec<Event>,
}

impl Page {
    /// Whether nothing follows for whoever has read up to this event, unless the run is resumed.
    #[must_use]
    pub const fn is_over(&self, read: u64) -> bool {
        self.status.has_ended() && read >= self.last
    }
}

/// A page of events: the columns of its row.
///
/// # Errors
/// [`Damaged`] when it is not what was written.
pub fn page(status: &str, last: u64, packed: &str) -> Result<Page, Damaged> {
    let rows: Vec<(u64, String, String)> = read("events", packed)?;
    let event = |(sequence, name, data): (u64, String, String)| match EventName::parse(&name) {
        Some(name) => Ok(Event { sequence, name, data }),
        None => Err(Damaged::Event { sequence, name }),
    };
    let events = rows.into_iter().map(event).collect::<Result<_, _>>()?;
    Ok(Page { status: self::status(status)?, last, events })
}

/// What waits for whoever drives a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Waiting {
    /// Names it, so that it is taken once.
    pub id: String,
    /// What it says; nobody has looked yet whether it can be read. None: it is no text.
    pub body: Option<String>,
}

/// What waits, in the order in which it came.
///
/// # Errors
/// [`Damaged`] when the rows are not what was asked for.
pub fn inbox(packed: &str) -> Result<Vec<Waiting>, Damaged> {
    let rows: Vec<(String, Option<String>)> = read("inbox", packed)?;
    Ok(rows.into_iter().map(|(id, body)| Waiting { id, body }).collect())
}

/// The runs that are due.
///
/// # Errors
/// [`Damaged`] when it is not what was written.
pub fn due(packed: &str) -> Result<Vec<RunId>, Damaged> {
    read("id", packed)
}
