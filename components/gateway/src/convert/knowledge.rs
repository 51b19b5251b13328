//! The records of `quarry:knowledge` from and to the types of the doors.
//!
//! Border: names and units change here, and nothing else.

use quarry_doors::knowledge::{self as doors, Count, Outcome, Query, Source};
use quarry_doors::{Refusal, Reply};
use quarry_events::FailureKind;

use crate::bindings::quarry::agent::types::{Busy, FieldError};
use crate::bindings::quarry::knowledge::documents::{
    self, Change, Content, File, Format, Replacing,
};
use crate::bindings::quarry::knowledge::{collections, search, types};

pub use types::KnowledgeError;

pub fn refusal(error: KnowledgeError) -> Refusal {
    match error {
        KnowledgeError::InvalidField(FieldError { field, message }) => {
            Refusal::InvalidField { field, message }
        }
        KnowledgeError::InvalidDocument(message)
        | KnowledgeError::Unsupported(message)
        | KnowledgeError::Unreadable(message) => Refusal::NoDocument(message),
        KnowledgeError::TooLarge(message) => Refusal::TooMuch(message),
        KnowledgeError::Conflict(message) => Refusal::Taken(message),
        KnowledgeError::OtherDimension(message) => {
            Refusal::Conflict { message, status: "other_dimension".to_owned() }
        }
        KnowledgeError::NotFound(message) => Refusal::NotFound(message),
        KnowledgeError::KeyRefused(message) => of_provider(FailureKind::Unauthorized, message),
        KnowledgeError::MissingKey(message) => Refusal::NeedsKey(message),
        KnowledgeError::NoCredit(message) => of_provider(FailureKind::NoCredit, message),
        KnowledgeError::ProviderFailed(message) => {
            of_provider(FailureKind::ProviderFailed, message)
        }
        KnowledgeError::Busy(Busy { message, retry_after_ms }) => {
            Refusal::Busy { message, retry_after: retry_after_ms.div_ceil(1_000) }
        }
        KnowledgeError::Unreachable(message)
        | KnowledgeError::NoDatabase(message)
        | KnowledgeError::Unavailable(message) => Refusal::Unavailable(message),
        KnowledgeError::Other(message) => Refusal::Internal(message),
    }
}

const fn of_provider(kind: FailureKind, message: String) -> Refusal {
    Refusal::Provider { kind, message }
}

/// A source as it stands in its request: what became of those before it, and whether others follow.
pub fn source(source: Source, before: &Count, more_follow: bool) -> documents::Source {
    let content = match source.content {
        doors::Content::Text(text) => Content::Text(text),
        doors::Content::Markdown(text) => Content::Markdown(text),
        doors::Content::Html(html) => Content::Html(html),
        doors::Content::Url(url) => Content::Url(url),
        doors::Content::File { name, media_type, bytes } => {
            Content::File(File { name, media_type, bytes })
        }
    };
    let Source { collection, title, metadata, origin, replace, .. } = source;
    let metadata = metadata.iter().map(|(name, said)| (name.clone(), field_value(said))).collect();
    documents::Source {
        collection,
        content,
        title,
        metadata,
        origin: origin.as_deref().map(str::to_owned),
        replace: match replace {
            doors::Replace::Nothing => Replacing::Nothing,
            doors::Replace::Own => Replacing::SameOrigin,
            doors::Replace::Anything => Replacing::Anything,
        },
        sent_before: before.own_ids().to_vec(),
        more_follow,
        paid_tokens: before.tokens(),
    }
}

fn field_value(said: &doors::FieldValue) -> documents::FieldValue {
    match said {
        doors::FieldValue::Text(text) => documents::FieldValue::Text(text.clone()),
        doors::FieldValue::List(values) => documents::FieldValue::Values(values.clone()),
    }
}

/// What a document is called before it is read.
pub fn name(content: &Content) -> Option<String> {
    match content {
        Content::File(file) => Some(file.name.clone()),
        Content::Url(url) => Some(url.clone()),
        Content::Text(_) | Content::Markdown(_) | Content::Html(_) => None,
    }
}

pub fn query(query: Query) -> search::Query {
    let Query { text, collection, top_k, threshold, categories, source_orgs, documents } = query;
    let filter = search::Filter { categories, source_orgs, documents };
    search::Query { text, collection, top_k, threshold, filter }
}

pub fn loaded(name: Option<String>, loaded: documents::Loaded) -> Outcome {
    let change = match loaded.change {
        Change::Added => "added",
        Change::Replaced => "replaced",
        Change::Unchanged => "unchanged",
    };
    let outcome = Outcome::done(name, change, document(loaded.document), loaded.spent.map(spent));
    outcome.noting(loaded.notes)
}

pub fn not_loaded(failed: documents::NotLoaded) -> (Refusal, Option<doors::Spent>) {
    let documents::NotLoaded { why, spent: paid } = failed;
    (refusal(why), paid.map(spent))
}

fn spent(spent: types::Spent) -> doors::Spent {
    let types::Spent { model, tokens, cost } = spent;
    doors::Spent { model, tokens, cost }
}

pub fn findings(findings: search::Findings) -> Reply {
    let search::Findings { chunks, notes, spent: paid } = findings;
    doors::found(chunks.into_iter().map(found).collect(), notes, paid.map(spent))
}

pub fn document(document: documents::Document) -> doors::Document {
    doors::Document {
        id: document.id,
        collection: document.collection,
        name: document.name,
        format: match document.format {
            Format::Markdown => "markdown",
            Format::Text => "text",
            Format::Csv => "csv",
            Format::Json => "json",
            Format::Html => "html",
            Format::Pdf => "pdf",
            Format::Docx => "docx",
        },
        hash: document.hash,
        bytes: document.bytes,
        characters: document.characters,
        chunks: document.chunks,
        loaded_at: doors::time(document.loaded_at).unwrap_or_default(),
        notes: document.notes,
        origin: document.origin,
        metadata: metadata(document.metadata),
    }
}

fn metadata(metadata: types::Metadata) -> doors::Metadata {
    doors::Metadata {
        title: metadata.title,
        category: metadata.category,
        source_org: metadata.source_org,
        source_urls: metadata.source_urls,
        own_id: metadata.own_id,
        published: metadata.published,
        updated: metadata.updated,
        other: metadata.other.into_iter().collect(),
    }
}

pub fn chunk(chunk: types::Chunk) -> doors::Chunk {
    let types::Chunk { id, document, number, title, headings, text, start, end, page, address } =
        chunk;
    doors::Chunk { id, document, number, title, headings, text, start, end, page, address }
}

fn found(found: search::Found) -> doors::Found {
    let parts = doors::Parts { lexical: found.lexical, meaning: found.meaning };
    let (of, about) = (chunk(found.chunk), metadata(found.metadata));
    doors::Found { chunk: of, score: found.score, parts, metadata: about }
}

pub fn collection(collection: collections::Collection) -> doors::Collection {
    let (created_at, updated_at) =
        (doors::time(collection.created_at), doors::time(collection.updated_at));
    let collections::Collection { name, documents, chunks, .. } = collection;
    doors::Collection { name, documents, chunks, created_at, updated_at }
}

pub fn stats(stats: collections::CollectionStats) -> doors::Stats {
    doors::Stats {
        collection: collection(stats.collection),
        version: stats.version,
        bytes: stats.bytes,
        index_bytes: stats.index_bytes,
        segments: stats.segments,
        trained_on: stats.trained_on,
        categories: stats.categories.into_iter().collect(),
        embedding: stats.embedding.map(embedding),
        paid: stats.paid.into_iter().map(spent).collect(),
        reindex: stats.reindex.map(progress),
    }
}

pub const fn progress(so_far: types::Progress) -> doors::Progress {
    let types::Progress { done, chunks } = so_far;
    doors::Progress { done, chunks }
}

fn embedding(own: collections::Embedding) -> doors::Embedding {
    let collections::Embedding { model, dimension, vectors, tokens, cost } = own;
    doors::Embedding { model, dimension, vectors, tokens, cost }
}
