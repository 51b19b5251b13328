//! Answers about documents, and how their loading is told.
//!
//! Border: what was done in, bytes out. Where events are wanted they leave as each document is done.

use std::collections::BTreeMap;

use quarry_types::Timestamp;
use serde::Serialize;
use serde_json::json;

use super::outcome::{Count, Outcome};
use crate::accept::{EVENT_STREAM, JSON, LINES, best};
use crate::frames::keep_alive;
use crate::runs::trace_head;
use crate::{Head, Headers, Reply, stream_head};

/// How loading is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Telling {
    /// One document: it, or why not, with a status of its own.
    One,
    /// When all are done.
    Together,
    /// As server-sent events, each document when it is done.
    Frames,
    /// As JSON objects, one a line.
    Lines,
}

impl Telling {
    pub(super) fn of(head: &Head, is_one: bool) -> Telling {
        match best(head.accept.as_deref(), &[JSON, EVENT_STREAM, LINES]) {
            Some(1) => Telling::Frames,
            Some(2) => Telling::Lines,
            _ if is_one => Telling::One,
            _ => Telling::Together,
        }
    }

    /// Headers of the stream, where it is one.
    #[must_use]
    pub fn head(self) -> Option<Headers> {
        match self {
            Telling::One | Telling::Together => None,
            Telling::Frames => Some(stream_head()),
            Telling::Lines => Some(trace_head()),
        }
    }

    fn bytes(self, event: &str, value: &impl Serialize) -> Vec<u8> {
        let data = json!(value).to_string();
        match self {
            Telling::Frames => format!("event: {event}\ndata: {data}\n\n").into_bytes(),
            Telling::One | Telling::Together | Telling::Lines => format!("{data}\n").into_bytes(),
        }
    }

    /// The bytes that tell of a document that is done.
    #[must_use]
    pub fn tell(self, result: &Outcome) -> Vec<u8> {
        self.bytes("document", result)
    }

    /// The bytes that tell how far the document of this name is. Lines are of documents alone: they
    /// are shown that somebody is there.
    #[must_use]
    pub fn progress(self, name: Option<&str>, progress: Progress) -> Vec<u8> {
        match self {
            Telling::Frames => self.bytes("progress", &Loading { name, progress }),
            Telling::One | Telling::Together | Telling::Lines => self.sign_of_life(),
        }
    }

    /// The bytes that show that somebody is there: a comment, or a blank before the next object.
    #[must_use]
    pub fn sign_of_life(self) -> Vec<u8> {
        match self {
            Telling::Frames => keep_alive(),
            Telling::One | Telling::Together | Telling::Lines => b" ".to_vec(),
        }
    }

    /// The last bytes: how many there were.
    #[must_use]
    pub fn end(self, count: &Count) -> Vec<u8> {
        self.bytes("done", count)
    }
}

/// How far a document is that is being loaded.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Loading<'n> {
    /// The file's name, or the address, or nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'n str>,
    #[serde(flatten)]
    progress: Progress,
}

/// What is known of a document.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Metadata {
    /// Its title.
    pub title: String,
    /// As the document writes it, or its first folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Who published it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_org: Option<String>,
    /// Where it is published, as written.
    pub source_urls: Vec<String>,
    /// Its own name for itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_id: Option<String>,
    /// As written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// As written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated: Option<String>,
    /// Further fields.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub other: BTreeMap<String, String>,
}

/// A document as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "KnowledgeDocument")
)]
pub struct Document {
    /// The same after a change.
    pub id: String,
    /// The name of its collection.
    pub collection: String,
    /// Its address or its file's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `markdown`, `text`, `csv`, `json`, `html`, `pdf` or `docx`.
    pub format: &'static str,
    /// SHA-256 of its bytes and of what was said about it; of a PDF file of which not all was read, `.` and how many bytes of
    /// text were.
    pub hash: String,
    /// As it came.
    pub bytes: u64,
    /// Of its text, in code points.
    pub characters: u32,
    /// Its chunks.
    pub chunks: u32,
    /// When it was loaded, or changed last.
    pub loaded_at: String,
    /// What could not be read of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Where it comes from, as whoever loaded it last said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// What is known of it.
    pub metadata: Metadata,
}

/// A chunk of a document.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "KnowledgeChunk"))]
pub struct Chunk {
    /// `<document>.<number>`.
    pub id: String,
    /// The id of its document.
    pub document: String,
    /// Its place in the document, from 0.
    pub number: u32,
    /// The title of its document.
    pub title: String,
    /// The headings that it stands under, outermost first.
    pub headings: Vec<String>,
    /// What it says.
    pub text: String,
    /// Its first code point in the document's text.
    pub start: u32,
    /// The one behind its last.
    pub end: u32,
    /// The page of a PDF file on which it begins, but for what it repeats of the chunk before; from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Where a citation opens it.
    pub address: String,
}

/// A chunk that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "FoundChunk"))]
pub struct Found {
    /// It.
    #[serde(flatten)]
    pub chunk: Chunk,
    /// How well it fits, 0 to 1.
    pub score: f64,
    /// What the score is made of.
    pub parts: Parts,
    /// What is known of its document.
    pub metadata: Metadata,
}

/// What a score is made of, each 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Parts {
    /// By its words.
    pub lexical: f64,
    /// By its meaning.
    pub meaning: f64,
}

/// A collection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "KnowledgeCollection")
)]
pub struct Collection {
    /// Its name.
    pub name: String,
    /// Its documents.
    pub documents: u32,
    /// Its chunks.
    pub chunks: u32,
    /// When its first document was loaded; none yet: it is empty.
    pub created_at: Option<String>,
    /// When it changed last.
    pub updated_at: Option<String>,
}

/// What a collection is made of.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "KnowledgeStats"))]
pub struct Stats {
    /// As it is listed.
    #[serde(flatten)]
    pub collection: Collection,
    /// Counts its changes: equal numbers, equal search results.
    pub version: u64,
    /// Of its documents as they came.
    pub bytes: u64,
    /// Of its index.
    pub index_bytes: u64,
    /// Parts of its index.
    pub segments: u32,
    /// Chunks that meaning was learned from; null: too few are there to learn it.
    pub trained_on: Option<u32>,
    /// Documents by category; those without are under an empty name.
    pub categories: BTreeMap<String, u32>,
    /// Its model of embeddings; null: meaning is what its own words tell.
    pub embedding: Option<Embedding>,
    /// What was paid for its vectors, by model: for documents, for those of loads and reindexes that failed, and for
    /// questions. Models that it had before are among them.
    pub paid: Vec<Spent>,
    /// How far it is, while a model of embeddings makes its vectors anew; null: nobody does that just now.
    pub reindex: Option<Progress>,
}

/// How far a load is, or a collection whose vectors are made anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ReindexProgress"))]
pub struct Progress {
    /// Chunks that have their vector; of a long document that gets none those that are indexed.
    pub done: u64,
    /// How many there are.
    pub chunks: u64,
}

/// The model of embeddings that a collection remembers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "KnowledgeEmbedding")
)]
pub struct Embedding {
    /// `provider:name`.
    pub model: String,
    /// Numbers of a vector.
    pub dimension: u32,
    /// Chunks that have one: all.
    pub vectors: u32,
    /// Tokens that were paid for it, whatever became of who paid them: those of this model in `paid`.
    pub tokens: u64,
    /// US dollars; null: some of it has no known price.
    pub cost: Option<f64>,
}

/// What the vectors of a load, of a question, or of a collection cost. What is known already costs nothing.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "EmbeddingCost"))]
pub struct Spent {
    /// `provider:name`.
    pub model: String,
    /// Tokens that were paid for.
    pub tokens: u64,
    /// US dollars; null: no price is known.
    pub cost: Option<f64>,
}

/// What became of several documents.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct LoadedDocuments {
    /// In the order in which they were sent.
    documents: Vec<Outcome>,
    #[serde(flatten)]
    count: Count,
}

/// A page of documents.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct DocumentList {
    /// The one loaded last first.
    documents: Vec<Document>,
    /// For the next page; null: there are no more.
    next_cursor: Option<String>,
}

/// Chunks of a document.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ChunkList {
    /// In their order.
    chunks: Vec<Chunk>,
    /// The first that is not here; null: there are no more.
    next: Option<u32>,
    /// A mark of the state that the document is in, as it stands in their addresses.
    as_of: String,
    /// Whether the document was changed since the state that was asked for: the chunks of these numbers may be others.
    /// Absent: no state was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<bool>,
}

/// What was found.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct FoundChunks {
    /// The best first.
    chunks: Vec<Found>,
    /// What was not as it is set up to be, as where a provider of embeddings failed, and which word that no document has
    /// was taken for which; absent: nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// What the vector of the question cost; absent: they are ranked without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    embedding: Option<Spent>,
}

/// The caller's collections.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct CollectionList {
    /// In the order of their names; `default` also when it is empty.
    collections: Vec<Collection>,
}

/// A time as it is written; 0: none.
#[must_use]
pub fn time(milliseconds: u64) -> Option<String> {
    (milliseconds > 0).then(|| Timestamp(milliseconds).iso())
}

/// Several documents were loaded, or were not.
#[must_use]
pub fn loaded(documents: Vec<Outcome>, count: Count) -> Reply {
    Reply::json(200, json!(LoadedDocuments { documents, count }).to_string())
}

/// A page of documents.
#[must_use]
pub fn listed(documents: Vec<Document>, next_cursor: Option<String>) -> Reply {
    Reply::json(200, json!(DocumentList { documents, next_cursor }).to_string())
}

/// A document.
#[must_use]
pub fn shown(document: &Document) -> Reply {
    Reply::json(200, json!(document).to_string())
}

/// Chunks of a document in the state that it is in, by somebody who may have `asked` for another.
#[must_use]
pub fn chunks(
    chunks: Vec<Chunk>,
    next: Option<u32>,
    as_of: String,
    asked: Option<String>,
) -> Reply {
    let changed = asked.map(|asked| asked != as_of);
    Reply::json(200, json!(ChunkList { chunks, next, as_of, changed }).to_string())
}

/// What was found.
#[must_use]
pub fn found(chunks: Vec<Found>, notes: Vec<String>, embedding: Option<Spent>) -> Reply {
    Reply::json(200, json!(FoundChunks { chunks, notes, embedding }).to_string())
}

/// The caller's collections.
#[must_use]
pub fn collections(collections: Vec<Collection>) -> Reply {
    Reply::json(200, json!(CollectionList { collections }).to_string())
}

/// What a collection is made of.
#[must_use]
pub fn stats(stats: &Stats) -> Reply {
    Reply::json(200, json!(stats).to_string())
}
