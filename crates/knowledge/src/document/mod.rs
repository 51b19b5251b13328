//! Documents: how the bytes of a file become a text with what is known of it.
//!
//! Border: a file's name and bytes in; one text out, into which chunks and citations count their places. HTML, PDF
//! and addresses come through the reader of pages, as Markdown.

mod front;
mod json;
mod metadata;
mod table;

pub(crate) use metadata::line;
pub use metadata::{Excess, FieldValue, Metadata};

use quarry_pages::body::charset;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Bytes of a document, as it comes and as it is kept.
pub const MAX_BYTES: usize = 20 * 1024 * 1024;

/// How a document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// With headings, and front matter perhaps.
    Markdown,
    /// Paragraphs.
    Text,
    /// A table, apart by commas, semicolons or tabs; its first line names the columns.
    Csv,
    /// Records, or an object of them.
    Json,
}

impl Format {
    /// The format that the ending of a file's name tells.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Format> {
        let (_, ending) = name.rsplit_once('.')?;
        Some(match ending.to_ascii_lowercase().as_str() {
            "md" | "markdown" | "mdx" => Format::Markdown,
            "txt" | "text" | "log" | "rst" => Format::Text,
            "csv" | "tsv" => Format::Csv,
            "json" => Format::Json,
            _ => return None,
        })
    }

    /// Whether the text that is kept of it has headings of Markdown.
    #[must_use]
    pub const fn has_headings(self) -> bool {
        matches!(self, Format::Markdown | Format::Json)
    }
}

/// Why a file gives no document. Each names the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DocumentError {
    /// Longer than may be.
    #[error("{name} has {bytes} bytes, {MAX_BYTES} are the most; part it into several documents")]
    TooLong {
        /// The file.
        name: String,
        /// Its bytes, or those of its text.
        bytes: usize,
    },
    /// Nothing but blanks.
    #[error("{name} has no text")]
    Empty {
        /// The file.
        name: String,
    },
    /// Bytes that are in no character set.
    #[error("{name} is not text; Markdown, plain text, CSV and JSON are read here")]
    NotText {
        /// The file.
        name: String,
    },
    /// Not of the format that it says.
    #[error("{name} is not {format}: {cause}; mend it, or name it .txt to load it as it is")]
    Malformed {
        /// The file.
        name: String,
        /// `CSV` or `JSON`.
        format: &'static str,
        /// Where and why.
        cause: String,
    },
}

/// A document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// What is known of it. A title is always there: its own, its first heading, or its file's name.
    pub metadata: Metadata,
    /// How it was written.
    pub format: Format,
    /// Its text: of a table and of JSON written out, a value a line; of others as it came, without front matter,
    /// byte order mark and control characters, its lines apart by `\n`.
    pub text: String,
    /// What could not be read of it, a sentence each.
    pub issues: Vec<String>,
}

impl Document {
    /// Reads a file. `charset` is what its sender says that it is in.
    ///
    /// # Errors
    /// [`DocumentError`], which names the file and what to do.
    pub fn read(
        name: &str,
        format: Format,
        charset: Option<&str>,
        bytes: &[u8],
    ) -> Result<Document, DocumentError> {
        if bytes.len() > MAX_BYTES {
            return Err(DocumentError::TooLong { name: name.to_owned(), bytes: bytes.len() });
        }
        let decoded = charset::decode_plain(bytes, charset);
        Self::read_as(name, format, format == Format::Markdown, decoded)
    }

    /// Reads a text that somebody else has decoded: what it says of character sets is a part of what it says.
    ///
    /// # Errors
    /// [`DocumentError`], which names the text and what to do.
    pub fn of_text(name: &str, format: Format, text: &str) -> Result<Document, DocumentError> {
        if text.len() > MAX_BYTES {
            return Err(DocumentError::TooLong { name: name.to_owned(), bytes: text.len() });
        }
        Self::read_as(name, format, format == Format::Markdown, decoded(text))
    }

    /// Makes one of a page, which comes as Markdown from its reader: what looks like front matter there is text.
    ///
    /// # Errors
    /// [`DocumentError`], which names the page and what to do.
    pub fn of_page(name: &str, markdown: &str) -> Result<Document, DocumentError> {
        Self::read_as(name, Format::Markdown, false, decoded(markdown))
    }

    fn read_as(
        name: &str,
        format: Format,
        has_front: bool,
        decoded: charset::Text,
    ) -> Result<Document, DocumentError> {
        if !is_text(&decoded.text) {
            return Err(DocumentError::NotText { name: name.to_owned() });
        }
        // Most texts are clean: a large one is in memory once.
        let clean = match cleaned(&decoded.text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(clean) => Some(clean),
        };
        let mut text = clean.unwrap_or(decoded.text);
        let mut metadata = Metadata::default();
        let mut issues = Vec::new();
        let malformed =
            |format, cause| DocumentError::Malformed { name: name.to_owned(), format, cause };
        match format {
            Format::Markdown if has_front => {
                let front = front::take(&text, &mut metadata, &mut issues);
                text.drain(..front);
            }
            Format::Markdown | Format::Text => {}
            Format::Csv => {
                text = table::write(&text, MAX_BYTES).map_err(|cause| malformed("CSV", cause))?
            }
            Format::Json => {
                text = json::write(&text, MAX_BYTES).map_err(|cause| malformed("JSON", cause))?
            }
        }
        if text.len() > MAX_BYTES {
            return Err(DocumentError::TooLong { name: name.to_owned(), bytes: text.len() });
        }
        if text.trim().is_empty() {
            return Err(DocumentError::Empty { name: name.to_owned() });
        }
        if decoded.is_guessed {
            issues.push(format!(
                "{name} is not in UTF-8 throughout and does not say in what else; it was read as {}: save it as UTF-8 \
                 where letters came out wrong",
                decoded.charset
            ));
        }
        if decoded.lossy {
            issues
                .push(format!("bytes of {name} are of no known character set: � stands for them"));
        }
        if metadata.title.is_none() {
            let first =
                (format == Format::Markdown).then(|| crate::chunk::first_heading(&text)).flatten();
            // An address may have no path.
            let name = || [stem(name), name].into_iter().find(|name| !name.is_empty());
            let title = first.unwrap_or_else(|| name().unwrap_or_default().to_owned());
            metadata.title = Some(line(&title).text);
        }
        Ok(Document { metadata, format, text, issues })
    }

    /// Gives it another title, as far as one is kept. One without words changes nothing.
    pub fn entitle(&mut self, title: &str) {
        let title = Some(line(title).text).filter(|title| !title.is_empty());
        self.metadata.title = title.or(self.metadata.title.take());
    }

    /// Its title.
    #[must_use]
    pub fn title(&self) -> &str {
        self.metadata.title.as_deref().unwrap_or_default()
    }
}

/// A text whose bytes were read by somebody else.
fn decoded(text: &str) -> charset::Text {
    let text = text.to_owned();
    charset::Text { text, charset: "UTF-8", lossy: false, is_guessed: false }
}

/// A file's name without folders and ending.
#[must_use]
pub fn stem(name: &str) -> &str {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Whether the beginning of a text is made of characters that people write.
fn is_text(text: &str) -> bool {
    let is_odd = |c: &char| {
        *c == '\u{fffd}' || (c.is_control() && !matches!(c, '\n' | '\t' | '\r' | '\u{c}'))
    };
    let head = text.chars().take(64 * 1024);
    let odd = head.clone().filter(is_odd).count();
    // A few strange characters make no text of a few words a picture.
    odd <= 16 || odd * 10 <= head.count()
}

/// The same text, clean: what a format writes by escapes comes to light behind the first cleaning.
fn cleaned(text: &str) -> Cow<'_, str> {
    let is_odd = |c: char| (c.is_control() && !matches!(c, '\n' | '\t')) || c == '\u{feff}';
    if text.contains(is_odd) { Cow::Owned(clean(text)) } else { Cow::Borrowed(text) }
}

/// Where places of a text, which come in their order, are in the same text when it is clean; none where one lies within
/// a letter.
pub(crate) fn cleaned_places(text: &str, places: &[usize]) -> Vec<usize> {
    let (mut at, mut kept) = (0, 0);
    let places = places.iter().map(|place| {
        let piece = text.get(at..*place)?;
        // Two characters may be one end of a line.
        let is_within = text.get(..at).is_some_and(|before| before.ends_with('\r'));
        let piece = if is_within { piece.strip_prefix('\n').unwrap_or(piece) } else { piece };
        (at, kept) = (*place, kept + cleaned(piece).len());
        Some(kept)
    });
    places.collect::<Option<_>>().unwrap_or_default()
}

/// A text whose lines end with `\n`, without control characters.
fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\r' => {
                characters.next_if_eq(&'\n');
                out.push('\n');
            }
            '\n' | '\t' => out.push(c),
            _ if c.is_control() || c == '\u{feff}' => {}
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;
