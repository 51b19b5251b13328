//! What a journal holds, and the form in which it is written.

use super::{Blob, Hash, LONGEST_INLINE};
use quarry_types::{Json, Timestamp};
use serde::Serialize;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Something that the machine is told: what was asked, a person's wish, the passing of time.
    Input,
    /// An effect is about to begin.
    Begun,
    /// What became of an effect, which the machine is told too.
    Outcome,
    /// For whoever reads the trace; the machine is not told.
    Note,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 4] = [Kind::Input, Kind::Begun, Kind::Outcome, Kind::Note];

    /// As it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Input => "input",
            Kind::Begun => "begun",
            Kind::Outcome => "outcome",
            Kind::Note => "note",
        }
    }

    /// The kind that is written so.
    #[must_use]
    pub fn parse(text: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// One entry of a run's journal.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// 1 for the first of a run, then without gaps.
    pub n: u64,
    /// When it was appended.
    pub at: Timestamp,
    /// What it is.
    pub kind: Kind,
    /// What it says. JSON, because SQLite ends a text at its first NUL, which JSON never has.
    pub body: Json,
}

/// An entry in the form in which it is written. Either its body stands in it, or it names a blob, in fields of
/// their own: so no body is taken for the name of another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Packed {
    at: u64,
    kind: Kind,
    size: usize,
    #[serde(flatten)]
    body: Body,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Body {
    Body(String),
    Blob(Hash),
}

impl Packed {
    /// Bytes that its body takes in it.
    pub(super) const fn weight(&self) -> usize {
        match self.body {
            Body::Body(_) => self.size,
            Body::Blob(_) => 0,
        }
    }
}

/// Entries that follow each other, as they are written: those with long bodies name blobs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pack {
    pub(super) entries: Vec<Packed>,
    pub(super) blobs: Vec<Blob>,
}

impl Pack {
    /// Adds the next entry; its number is its place.
    pub fn push(&mut self, at: Timestamp, kind: Kind, body: Json) {
        let body = body.into_text();
        let size = body.len();
        let body = match size > LONGEST_INLINE {
            false => Body::Body(body),
            true => {
                let hash = Hash::of(&body);
                self.blobs.push(Blob { hash: hash.clone(), body });
                Body::Blob(hash)
            }
        };
        self.entries.push(Packed { at: at.0, kind, size, body });
    }

    /// How many entries there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
