//! Between the contract's types and those of the crate.
//!
//! Border: names change here, and nothing else.

use crate::bindings::collections as wit_collections;
use crate::bindings::documents::{self as wit, NotLoaded};
use crate::bindings::exports::quarry::agent::types::{Busy, FieldError};
use crate::bindings::quarry::models::chat;
use crate::bindings::search::{self as wit_search, NotSearched};
use crate::bindings::types::{self, KnowledgeError};
use quarry_knowledge::document::{FieldValue, Metadata};
use quarry_knowledge::intake::{CollectionName, Content, Origin, Replaces, Source};
use quarry_knowledge::library::{
    Change, ChunkView, CollectionView, Embeddings, Filter, Findings, Found, Kind, LibraryError,
    Loaded, Passes, Place, Progress, Query, Record, Spent, Stats, Unserved,
};

/// How long whoever finds others writing waits.
const RETRY_MS: u64 = 1_000;
/// The same, of others who make a whole collection anew.
const RENEWING_MS: u64 = 5_000;

pub fn error(error: LibraryError) -> KnowledgeError {
    let why = error.to_string();
    let busy = |message, retry_after_ms| KnowledgeError::Busy(Busy { message, retry_after_ms });
    match error.cause() {
        LibraryError::Field { field, message } => KnowledgeError::InvalidField(FieldError {
            field: field.clone().into_owned(),
            message: message.clone(),
        }),
        LibraryError::Document(_) => KnowledgeError::InvalidDocument(why),
        LibraryError::TooLarge(_) => KnowledgeError::TooLarge(why),
        LibraryError::Unsupported(_) => KnowledgeError::Unsupported(why),
        LibraryError::Elsewhere { .. } | LibraryError::Twin { .. } | LibraryError::Taken(_) => {
            KnowledgeError::Conflict(why)
        }
        LibraryError::OtherDimension(_) => KnowledgeError::OtherDimension(why),
        LibraryError::NotFound(_) => KnowledgeError::NotFound(why),
        LibraryError::Busy | LibraryError::Crowded(_) | LibraryError::Held(_) => {
            busy(why, RETRY_MS)
        }
        LibraryError::BeingRenewed(_) | LibraryError::Outrun(_) => busy(why, RENEWING_MS),
        LibraryError::NotEmbedded { passes, .. } => match passes {
            Some(Passes { wait_ms: Some(wait_ms) }) => busy(why, *wait_ms),
            // The database is there all the same.
            Some(_) => KnowledgeError::Unreachable(why),
            None => KnowledgeError::Other(why),
        },
        LibraryError::Unserved { by, .. } => match by {
            Unserved::Key => KnowledgeError::KeyRefused(why),
            Unserved::NoKey => KnowledgeError::MissingKey(why),
            Unserved::NoCredit => KnowledgeError::NoCredit(why),
            Unserved::Place | Unserved::Length | Unserved::Texts => {
                KnowledgeError::ProviderFailed(why)
            }
            // Which model embeds is the operator's choice, and not the caller's.
            Unserved::Model => KnowledgeError::Other(why),
        },
        LibraryError::NoDatabase(_) => KnowledgeError::NoDatabase(why),
        LibraryError::Unavailable(_) | LibraryError::Full(_) | LibraryError::Defective(_) => {
            KnowledgeError::Unavailable(why)
        }
        LibraryError::Damaged(_) | LibraryError::Of { .. } | LibraryError::Paid { .. } => {
            KnowledgeError::Other(why)
        }
    }
}

/// Others hold the database, and nothing was begun: a retry is cheap.
pub fn locked() -> KnowledgeError {
    let message =
        "the database is locked by others who write to it, and nothing was loaded; try again soon";
    KnowledgeError::Busy(Busy { message: message.to_owned(), retry_after_ms: RETRY_MS })
}

pub fn not_loaded(error: LibraryError) -> NotLoaded {
    let paid = error.spent().cloned().map(spent);
    NotLoaded { why: self::error(error), spent: paid }
}

pub fn not_searched(error: LibraryError) -> NotSearched {
    let paid = error.spent().cloned().map(spent);
    NotSearched { why: self::error(error), spent: paid }
}

/// What is not loaded before anything could be paid for.
pub const fn for_nothing(why: KnowledgeError) -> NotLoaded {
    NotLoaded { why, spent: None }
}

pub fn collection(name: Option<&str>) -> Result<CollectionName, KnowledgeError> {
    CollectionName::read(name).map_err(|wrong| error(wrong.into()))
}

pub fn source(source: wit::Source) -> Result<Source, KnowledgeError> {
    let content = match source.content {
        wit::Content::Text(text) => Content::Text(text),
        wit::Content::Markdown(text) => Content::Markdown(text),
        wit::Content::Html(html) => Content::Html(html),
        wit::Content::Url(url) => Content::Url(url),
        wit::Content::File(wit::File { name, media_type, bytes }) => {
            Content::File { name, media_type, bytes }
        }
    };
    let collection = collection(source.collection.as_deref())?;
    let replaces = match source.replace {
        wit::Replacing::Nothing => Replaces::Nothing,
        wit::Replacing::SameOrigin => Replaces::Own,
        wit::Replacing::Anything => Replaces::Anything,
    };
    let origin = Origin::read(source.origin, replaces).map_err(error)?.behind(source.sent_before);
    let metadata = source.metadata.into_iter().map(|(name, said)| (name, field_value(said)));
    Ok(Source { collection, content, title: source.title, metadata: metadata.collect(), origin })
}

fn field_value(said: wit::FieldValue) -> FieldValue {
    match said {
        wit::FieldValue::Text(text) => FieldValue::Text(text),
        wit::FieldValue::Values(values) => FieldValue::List(values),
    }
}

pub fn query(query: wit_search::Query) -> Result<Query, KnowledgeError> {
    let wit_search::Filter { categories, source_orgs, documents } = query.filter;
    Ok(Query {
        collection: collection(query.collection.as_deref())?,
        text: query.text,
        top_k: query.top_k,
        threshold: query.threshold,
        filter: Filter { categories, source_orgs, documents },
    })
}

pub fn findings(findings: Findings) -> wit_search::Findings {
    let Findings { found: all, note, taken, spent: paid } = findings;
    let chunks = all.into_iter().map(found).collect();
    let notes = note.into_iter().chain(taken).collect();
    wit_search::Findings { chunks, notes, spent: paid.map(spent) }
}

fn found(found: Found) -> wit_search::Found {
    let Found { chunk: of, metadata: about, score, lexical, meaning } = found;
    wit_search::Found { chunk: chunk(of), metadata: metadata(about), score, lexical, meaning }
}

pub fn chunk(chunk: ChunkView) -> types::Chunk {
    types::Chunk {
        id: chunk.id(),
        address: chunk.address(),
        document: chunk.document,
        number: chunk.number,
        title: chunk.title,
        headings: chunk.headings,
        text: chunk.text,
        start: chunk.start,
        end: chunk.end,
        page: chunk.page,
    }
}

fn metadata(metadata: Metadata) -> types::Metadata {
    types::Metadata {
        title: metadata.title.unwrap_or_default(),
        category: metadata.category,
        source_org: metadata.source_org,
        source_urls: metadata.source_urls,
        own_id: metadata.id,
        published: metadata.published,
        updated: metadata.updated,
        other: metadata.other.into_iter().collect(),
    }
}

pub fn document(record: Record, collection: String) -> wit::Document {
    wit::Document {
        id: record.id,
        collection,
        metadata: metadata(record.metadata),
        name: record.name,
        format: match record.kind {
            Kind::Markdown => wit::Format::Markdown,
            Kind::Text => wit::Format::Text,
            Kind::Csv => wit::Format::Csv,
            Kind::Json => wit::Format::Json,
            Kind::Html => wit::Format::Html,
            Kind::Pdf => wit::Format::Pdf,
            Kind::Docx => wit::Format::Docx,
        },
        hash: record.hash,
        bytes: record.bytes,
        characters: record.characters,
        chunks: record.chunks,
        loaded_at: record.loaded_at,
        notes: record.notes,
        origin: record.origin,
    }
}

pub fn loaded(loaded: Loaded, collection: String) -> wit::Loaded {
    let change = match loaded.change {
        Change::Added => wit::Change::Added,
        Change::Replaced => wit::Change::Replaced,
        Change::Unchanged => wit::Change::Unchanged,
    };
    let spent = loaded.spent.map(spent);
    let notes = loaded.note.into_iter().collect();
    wit::Loaded { document: document(loaded.record, collection), change, spent, notes }
}

fn spent(spent: Spent) -> types::Spent {
    let Spent { model, tokens, cost } = spent;
    types::Spent { model, tokens, cost }
}

pub fn listed(view: CollectionView) -> wit_collections::Collection {
    let CollectionView { name, documents, chunks, created_at, updated_at } = view;
    wit_collections::Collection { name, documents, chunks, created_at, updated_at }
}

pub fn stats(stats: Stats) -> wit_collections::CollectionStats {
    wit_collections::CollectionStats {
        collection: listed(stats.collection),
        version: stats.version,
        bytes: stats.bytes,
        index_bytes: stats.index_bytes,
        segments: stats.segments,
        trained_on: stats.trained_on,
        categories: stats.categories,
        embedding: stats.embedding.map(|own| embedding(own, &stats.paid)),
        paid: stats.paid.into_iter().map(spent).collect(),
        reindex: stats.reindex.map(progress),
    }
}

pub fn place(place: Place) -> wit::Place {
    let Place { number, holder } = place;
    wit::Place { number, holder }
}

pub fn held(place: wit::Place) -> Place {
    let wit::Place { number, holder } = place;
    Place { number, holder }
}

pub const fn progress(progress: Progress) -> types::Progress {
    let Progress { done, chunks } = progress;
    types::Progress { done, chunks }
}

fn embedding(own: Embeddings, paid: &[Spent]) -> wit_collections::Embedding {
    let Embeddings { model, dimension, vectors } = own;
    let paid = paid.iter().find(|paid| paid.model == model);
    let (tokens, cost) = paid.map_or((0, Some(0.0)), |paid| (paid.tokens, paid.cost));
    let dimension = u32::try_from(dimension).unwrap_or(u32::MAX);
    wit_collections::Embedding { model, dimension, vectors, tokens, cost }
}

/// Where a page ended.
pub fn cursor(text: &str) -> Result<u64, KnowledgeError> {
    let wants = "wants the `next_cursor` of the page before, unchanged";
    let wrong = || LibraryError::Field { field: "cursor".into(), message: wants.to_owned() };
    text.parse().map_err(|_| error(wrong()))
}

quarry_rim::read_chat_error!(chat);
