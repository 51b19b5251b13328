//! A run's journal as lines of JSON: for whoever audits it, and, as a bundle, for whoever replays it.
//!
//! A bundle is a head, then every entry, each state that is kept behind the entry that it follows from, then every
//! event that was told. It holds no secret, because the journal holds none.

use super::{Entry, KeptCheckpoint, Kind};
use quarry_events::run::{Event, EventName};
use quarry_types::{Json, RunId, Timestamp};
use serde::{Deserialize, Serialize};

/// The version of the form.
pub const VERSION: u32 = 2;

/// What the head says it is.
const BUNDLE: &str = "quarry-run";

/// A line.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// The first of a bundle.
    Head {
        /// Of which run.
        run: RunId,
        /// The version of the machine's state when it was written.
        machine: u32,
        /// The run that it shares its first entries with.
        origin: Option<RunId>,
    },
    /// An entry of the journal.
    Entry(Entry),
    /// A state that is kept.
    Checkpoint(KeptCheckpoint),
    /// An event.
    Event(Event),
}

/// Why a line is not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// It is no line of a bundle.
    #[error("it is no line of a run's bundle: {0}")]
    Shape(String),
    /// It was written by a newer server.
    #[error("it is of version {0}, and this one reads version {VERSION}; use a newer one")]
    Newer(u32),
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Raw {
    #[serde(skip_serializing_if = "Option::is_none")]
    bundle: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_id: Option<RunId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    machine: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<RunId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<EventName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sum: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<Json>,
}

impl Line {
    /// The line, with its end.
    #[must_use]
    pub fn write(self) -> String {
        let raw = match self {
            Line::Head { run, machine, origin } => Raw {
                bundle: Some(BUNDLE.to_owned()),
                version: Some(VERSION),
                run_id: Some(run),
                machine: Some(machine),
                origin,
                ..Raw::default()
            },
            Line::Entry(Entry { n, at, kind, body }) => Raw {
                n: Some(n),
                at: Some(at),
                kind: Some(kind.as_str().to_owned()),
                body: Some(body),
                ..Raw::default()
            },
            Line::Checkpoint(KeptCheckpoint { n, machine, version, sum, body }) => Raw {
                n: Some(n),
                checkpoint: Some(machine),
                version: Some(version),
                sum: Some(sum),
                // A state is JSON; one that is not is shown as an empty list, which is not what its sum is of.
                state: Json::from_text(body).or_else(|| Some(Json::of(&EMPTY))),
                ..Raw::default()
            },
            Line::Event(Event { sequence, name, data }) => Raw {
                event: Some(name),
                sequence: Some(sequence),
                // Events are JSON; one that is not (none should be) is shown as an empty list.
                data: Json::from_text(data).or_else(|| Some(Json::of(&EMPTY))),
                ..Raw::default()
            },
        };
        let mut line = serde_json::to_string(&raw).unwrap_or_default();
        line.push('\n');
        line
    }

    /// Reads a line.
    ///
    /// # Errors
    /// [`LineError`] when it is none, or of a newer version.
    pub fn read(line: &str) -> Result<Line, LineError> {
        let shape = |why: &str| LineError::Shape(why.to_owned());
        let raw: Raw = serde_json::from_str(line).map_err(|error| shape(&error.to_string()))?;
        if let Some(bundle) = raw.bundle {
            let (Some(run), Some(version), Some(machine)) = (raw.run_id, raw.version, raw.machine)
            else {
                return Err(shape("its head lacks a field"));
            };
            return match bundle == BUNDLE {
                false => Err(shape(&format!("it is a {bundle}"))),
                true if version > VERSION => Err(LineError::Newer(version)),
                true => Ok(Line::Head { run, machine, origin: raw.origin }),
            };
        }
        if let Some(machine) = raw.checkpoint {
            let (Some(n), Some(version), Some(sum), Some(state)) =
                (raw.n, raw.version, raw.sum, raw.state)
            else {
                return Err(shape("its state lacks a field"));
            };
            let body = state.into_text();
            return Ok(Line::Checkpoint(KeptCheckpoint { n, machine, version, sum, body }));
        }
        match (raw.n, raw.at, raw.kind, raw.body, raw.event, raw.sequence, raw.data) {
            (Some(n), Some(at), Some(kind), Some(body), ..) => match Kind::parse(&kind) {
                Some(kind) => Ok(Line::Entry(Entry { n, at, kind, body })),
                None => Err(shape(&format!("entry {n} is of the unknown kind {kind:?}"))),
            },
            (.., Some(name), Some(sequence), Some(data)) => {
                Ok(Line::Event(Event { sequence, name, data: data.into_text() }))
            }
            _ => Err(shape("it is neither a head, an entry, a state nor an event")),
        }
    }
}

const EMPTY: [(); 0] = [];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_back_byte_for_byte() {
        let body = Json::from_text(r#"{"input":"abort","é":1.50}"#.to_owned()).unwrap();
        let lines = [
            Line::Head { run: RunId::new(1, 2), machine: 1, origin: None },
            Line::Head { run: RunId::new(1, 2), machine: 1, origin: Some(RunId::new(1, 1)) },
            Line::Entry(Entry { n: 1, at: Timestamp(7), kind: Kind::Input, body }),
            Line::Checkpoint(KeptCheckpoint {
                n: 1,
                machine: "run".to_owned(),
                version: 3,
                sum: "5a".to_owned(),
                body: r#"{"tree":[1.50,"é"]}"#.to_owned(),
            }),
            Line::Event(Event {
                sequence: 3,
                name: EventName::RunStarted,
                data: r#"{"sequence":3,"x":"y\n"}"#.to_owned(),
            }),
        ];
        for line in lines {
            let written = line.clone().write();
            assert_eq!(written.matches('\n').count(), 1, "{written}");
            assert_eq!(Line::read(&written).as_ref(), Ok(&line), "{written}");
        }
        assert!(matches!(Line::read("{}"), Err(LineError::Shape(_))));
        let newer = Line::Head { run: RunId::new(1, 2), machine: 1, origin: None }.write();
        let newer = newer.replace("\"version\":2", "\"version\":9");
        assert_eq!(Line::read(&newer), Err(LineError::Newer(9)));
    }
}
