//! What became of a document that was to be loaded, and how many there were.

use quarry_events::FailureKind;
use serde::Serialize;
use serde_json::json;

use super::reply::{Document, Spent};
use crate::{Refusal, Reply};

/// What became of one of the documents that were sent.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "LoadedDocument"))]
pub struct Outcome {
    /// The file's name, or the address, or nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// `added`, `replaced` or `unchanged`; `failed`: `error` says why.
    change: &'static str,
    /// As it is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    document: Option<Document>,
    /// What its vectors cost, and those of its collection where the model was changed; absent: no model is set. Of one
    /// that failed: what had been paid by then; absent: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    embedding: Option<Spent>,
    /// What was not as it is set up to be, as where its collection waits for vectors of a model that was changed;
    /// absent: nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// What is wrong and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// What kind of fault it is, as of a refusal.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "crate::openapi::kinds"))]
    kind: Option<FailureKind>,
    /// Where its collection stands that is not in a state for it: `other_dimension`; absent: that is not what is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    /// Seconds behind which the same file may be sent again, as of a provider's limit; absent: it needs another change first.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u64>,
}

impl Outcome {
    /// It was loaded: `change` says how.
    #[must_use]
    pub fn done(
        name: Option<String>,
        change: &'static str,
        document: Document,
        embedding: Option<Spent>,
    ) -> Outcome {
        let document = Some(document);
        Outcome { document, ..Outcome::of(name, change, embedding) }
    }

    /// The same, with what was not as it is set up to be.
    #[must_use]
    pub fn noting(self, notes: Vec<String>) -> Outcome {
        Outcome { notes, ..self }
    }

    /// It was not.
    #[must_use]
    pub fn failed(name: Option<String>, why: &Refusal, embedding: Option<Spent>) -> Outcome {
        let (error, retry_after) = (Some(why.to_string()), why.retry_after());
        let kind = Some(why.kind());
        let status = match why {
            Refusal::Conflict { status, .. } => Some(status.clone()),
            _ => None,
        };
        Outcome { error, kind, status, retry_after, ..Outcome::of(name, FAILED, embedding) }
    }

    fn of(name: Option<String>, change: &'static str, embedding: Option<Spent>) -> Outcome {
        let (document, notes, error, kind) = (None, Vec::new(), None, None);
        let (status, retry_after) = (None, None);
        Outcome { name, change, document, embedding, notes, error, kind, status, retry_after }
    }

    /// The answer about the only document of a request: 201 for a new one.
    #[must_use]
    pub fn reply(&self) -> Reply {
        let status = if self.change == "added" { 201 } else { 200 };
        Reply::json(status, json!(self).to_string())
    }
}

const FAILED: &str = "failed";

/// How many documents were loaded.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Count {
    /// Added, replaced or unchanged.
    loaded: u32,
    /// Those among them that were there already.
    unchanged: u32,
    /// Not loaded.
    failed: u32,
    /// What was paid for the vectors of all.
    #[serde(skip)]
    tokens: u64,
    /// Of those that say their id themselves.
    #[serde(skip)]
    own_ids: Vec<String>,
}

impl Count {
    /// One more.
    pub fn add(&mut self, outcome: &Outcome) {
        let tokens = outcome.embedding.as_ref().map_or(0, |spent| spent.tokens);
        self.tokens = self.tokens.saturating_add(tokens);
        let own = outcome.document.iter().filter(|document| document.metadata.own_id.is_some());
        self.own_ids.extend(own.map(|document| document.id.clone()));
        match outcome.change {
            FAILED => self.failed += 1,
            change => {
                self.loaded += 1;
                self.unchanged += u32::from(change == "unchanged");
            }
        }
    }

    /// The ids of those that were loaded and say their id themselves: another file may say the same.
    #[must_use]
    pub fn own_ids(&self) -> &[String] {
        &self.own_ids
    }

    /// Tokens of embeddings that were paid for all of them.
    #[must_use]
    pub const fn tokens(&self) -> u64 {
        self.tokens
    }
}
