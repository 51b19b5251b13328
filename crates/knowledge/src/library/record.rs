//! What is kept of documents and chunks, as it lies in the database.
//!
//! Border: JSON in and out.

use crate::chunk::Chunk;
use crate::document::{Document, Format, Metadata};
use crate::intake::mark;
use crate::rank::segment::Damaged;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// How a document came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// With headings, and front matter perhaps.
    Markdown,
    /// Paragraphs.
    Text,
    /// A table.
    Csv,
    /// Records.
    Json,
    /// A page.
    Html,
    /// Pages of print.
    Pdf,
    /// Word documents.
    Docx,
}

impl Kind {
    /// How it is read here; pages come as Markdown from their reader.
    #[must_use]
    pub const fn format(self) -> Format {
        match self {
            Kind::Markdown | Kind::Html | Kind::Pdf | Kind::Docx => Format::Markdown,
            Kind::Text => Format::Text,
            Kind::Csv => Format::Csv,
            Kind::Json => Format::Json,
        }
    }
}

impl Kind {
    /// What its bytes are called where pages are read.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Kind::Markdown => "text/markdown",
            Kind::Text => "text/plain",
            Kind::Csv => "text/csv",
            Kind::Json => "application/json",
            Kind::Html => "text/html",
            Kind::Pdf => "application/pdf",
            Kind::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        }
    }

    /// The kind that pages of a media type are, which is without parameters. What comes from an address as JSON or as a
    /// table is read as a page.
    #[must_use]
    pub fn of_page(media_type: &str) -> Kind {
        let mut known = [Kind::Pdf, Kind::Docx, Kind::Text, Kind::Markdown].into_iter();
        known.find(|kind| kind.media_type() == media_type).unwrap_or(Kind::Html)
    }
}

/// A document as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The same after a change.
    pub id: String,
    /// Its address or its file's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How it came.
    pub kind: Kind,
    /// SHA-256 of its bytes and of what was said about it.
    pub hash: String,
    /// As it came.
    pub bytes: u64,
    /// Of its text, in code points.
    pub characters: u32,
    /// Its chunks.
    pub chunks: u32,
    /// Milliseconds since 1970.
    pub loaded_at: u64,
    /// What could not be read of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What is known of it.
    pub metadata: Metadata,
    /// Where it comes from, as whoever loaded it said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

impl Record {
    /// What people know it by.
    pub(crate) fn shown(&self) -> &str {
        self.name.as_deref().unwrap_or_else(|| self.title())
    }

    /// A mark of what it says now: what is cited of it is of this state.
    pub(crate) fn state(&self) -> String {
        mark(self.hash.as_bytes())
    }

    pub(crate) fn title(&self) -> &str {
        self.metadata.title.as_deref().unwrap_or_default()
    }
}

/// Where a chunk stands, as it is kept beside its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    /// Its first character, and the one behind its last.
    #[serde(rename = "c")]
    pub characters: (u32, u32),
    #[serde(rename = "h", default, skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<String>,
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
}

/// A chunk with its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkView {
    /// The id of its document.
    pub document: String,
    /// The title of its document.
    pub title: String,
    /// Its place in the document, from 0.
    pub number: u32,
    /// The headings above it.
    pub headings: Vec<String>,
    /// What it says.
    pub text: String,
    /// Code points from here
    pub start: u32,
    /// up to and without here.
    pub end: u32,
    /// The page of a PDF file.
    pub page: Option<u32>,
    /// A mark of the state that its document is in: in another the chunk of this number may be another.
    pub as_of: String,
}

impl ChunkView {
    pub(super) fn new(of: &Record, number: u32, place: Place, text: String) -> Self {
        let Place { characters: (start, end), headings, page } = place;
        let (document, title, as_of) = (of.id.clone(), of.title().to_owned(), of.state());
        ChunkView { document, title, number, headings, text, start, end, page, as_of }
    }

    /// `<document>.<number>`.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}.{}", self.document, self.number)
    }

    /// Where a citation opens it, on this server, which is told of which state it was.
    #[must_use]
    pub fn address(&self) -> String {
        let ChunkView { document, number, as_of, .. } = self;
        format!("/knowledge/documents/{document}/chunks?from={number}&as_of={as_of}")
    }
}

/// What stands in the database of chunks: number, place, text.
pub(super) type KeptChunk = (u32, Place, String);

/// Chunks as a statement takes them, as many as have so many bytes together, or one if it alone has more: the JSON,
/// and how many.
pub(super) fn pack(document: &Document, chunks: &[Chunk], most: usize) -> (String, usize) {
    let mut packed: Vec<(u32, String, &str)> = Vec::new();
    let mut bytes = 0;
    for chunk in chunks {
        let text = chunk.text(&document.text);
        bytes += text.len() + 64;
        if bytes > most && !packed.is_empty() {
            break;
        }
        let small = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let place = Place {
            characters: (small(chunk.characters.start), small(chunk.characters.end)),
            headings: chunk.headings.clone(),
            page: chunk.page,
        };
        packed.push((chunk.number, serde_json::to_string(&place).unwrap_or_default(), text));
    }
    (serde_json::to_string(&packed).unwrap_or_default(), packed.len())
}

/// Reads what a statement packed.
pub(super) fn unpack<T: DeserializeOwned>(packed: Option<String>) -> Result<T, Damaged> {
    serde_json::from_str(packed.as_deref().unwrap_or("[]")).map_err(|_| Damaged("database"))
}

/// Reads JSON that stands in JSON as a text.
pub(super) fn inner<T: DeserializeOwned>(text: &str) -> Result<T, Damaged> {
    serde_json::from_str(text).map_err(|_| Damaged("database"))
}

/// Chunks as [`quarry_schema::knowledge::CHUNKS`] packs them.
pub(super) fn chunks(packed: Option<String>) -> Result<Vec<KeptChunk>, Damaged> {
    let rows: Vec<(u32, String, String)> = unpack(packed)?;
    rows.into_iter().map(|(number, place, text)| Ok((number, inner(&place)?, text))).collect()
}
