//! The text of PDF files: what is written on their pages, put together to lines and paragraphs.
//! hayro reads the file and knows its fonts; nothing is painted.

mod census;
mod charset;
mod fonts;
mod guard;
mod inline;
mod kind;
mod lines;
mod source;
mod text;
mod unpack;
mod walk;

use crate::metadata::{self, Metadata, in_one_line};
use crate::pace::{self, Alone, Pace};
use hayro_font::hayro_syntax::metadata::Metadata as Information;
use hayro_font::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use lines::Lines;
use source::Source;
use std::sync::Arc;
use std::time::Duration;
use text::Writing;

/// Bytes of a file that is fetched; larger ones are not read.
pub const MAX_BYTES: usize = 10 * 1024 * 1024;
/// The same of one that is at hand.
pub const MAX_WHOLE: usize = 20 * 1024 * 1024;

/// The part of the time that may go before the first page is read.
const OPENING: u32 = 6;

/// How much of a file is read.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Pages.
    pub pages: usize,
    /// Bytes of text, about.
    pub text: usize,
    /// Instructions, and letters: a form may draw other forms many times, and those yet others.
    pub steps: usize,
    /// Bytes of instructions and of what names letters, unpacked: pages may share a stream, and forms be drawn often.
    pub unpacked: usize,
    /// Time, of which what bounds nothing else has its bound: what pages refer to may be long, and read for each of them.
    pub time: Duration,
}

/// A file as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// Title, author and date, as the file's properties say.
    pub metadata: Metadata,
    /// Paragraphs apart by blank lines.
    pub text: String,
    /// Bytes of the text at which pages begin, one for each that was read.
    pub pages: Vec<usize>,
    /// Whether pages, or parts of one, were left out.
    pub truncated: bool,
}

/// Why a file gives no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PdfError {
    /// Opens with a password only.
    #[error("the PDF is protected by a password; save it without one")]
    Password,
    /// Cannot be understood, or was cut off.
    #[error("the PDF is damaged or incomplete; print it to a new file")]
    Damaged,
    /// Small, but made to take very much memory or time.
    #[error(
        "the PDF unpacks to more than can be read: 256 MiB without its pictures, 32 MiB in one piece; part it"
    )]
    Bomb,
    /// So much is drawn before the first letter that it is not waited for.
    #[error(
        "the PDF draws more than is followed before its first letter; print it to a new file, or part it"
    )]
    Endless,
    /// Its objects lead over the same bytes again and again, or it is packed in pieces that hold nearly nothing.
    #[error(
        "the PDF is built in a way that takes too long to read: what is open in it nowhere ends, is referred to too often, or is packed in too many pieces; print it to a new file"
    )]
    Tangled,
    /// A dictionary of it has so many names that to read it would take long.
    #[error(
        "the PDF has a dictionary of more than 20,000 names, which no page needs; print it to a new file"
    )]
    Crowded,
    /// It was left off before its first letter.
    #[error(
        "the PDF takes longer to read than is waited for; try again when less is going on, print it to a new file, or part it"
    )]
    Slow,
    /// What it packs is not unpacked.
    #[error("the PDF packs its text in a way that is not followed; print it to a new file")]
    Hidden,
    /// What its codes of letters mean is not known.
    #[error(
        "the PDF writes with fonts that do not tell their letters; print it to a new file, or have its text recognised"
    )]
    Unread,
    /// Its pages are pictures, or its letters have no names.
    #[error("the PDF holds no text; its pages may be scans: have their text recognised")]
    NoText,
}

impl PdfError {
    /// Whether the same file may be read another time.
    #[must_use]
    pub const fn may_pass(self) -> bool {
        matches!(self, PdfError::Slow)
    }
}

/// Reads a file, for whoever has all the time.
pub fn read(bytes: Vec<u8>, limits: Limits) -> Result<Document, PdfError> {
    pace::at_once(read_beside(bytes, limits, &mut Alone))
}

/// Reads a file, with pauses between its pages, and within those that take long.
pub async fn read_beside(
    mut bytes: Vec<u8>,
    limits: Limits,
    pace: &mut impl Pace,
) -> Result<Document, PdfError> {
    let guard::Checked { is_cut: is_hidden, bodies } = guard::check(&mut bytes)?;
    pace.pause().await;
    let begun = (pace.clock())();
    let until = begun.saturating_add(limits.time);
    // All pages are looked up at once, and others wait for that.
    let opening = begun.saturating_add(limits.time / OPENING);
    let source = Arc::new(Source::new(bytes, bodies, pace.clock(), opening));
    let pdf = Pdf::new(source.clone()).map_err(|error| match error {
        _ if source.was_over() => PdfError::Slow,
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => PdfError::Password,
        LoadPdfError::Decryption(_) | LoadPdfError::Invalid if is_hidden => PdfError::Hidden,
        LoadPdfError::Decryption(_) | LoadPdfError::Invalid => PdfError::Damaged,
    })?;
    source.extend(until);
    let mut lines = Lines::default();
    let mut writing = Writing::new(limits, &source);
    let mut truncated = is_hidden || pdf.pages().len() > limits.pages;
    for page in pdf.pages().iter().take(limits.pages) {
        pace.pause().await;
        lines.begin_page();
        writing.read(page, &mut lines, pace).await;
        lines.end_page();
        if writing.is_exhausted() || lines.length() > limits.text {
            truncated = true;
            break;
        }
    }
    truncated |= writing.is_cut() || source.was_over();
    let (text, pages) = lines.finish();
    if text.trim().is_empty() {
        return Err(if source.was_over() {
            PdfError::Slow
        } else if writing.is_exhausted() {
            PdfError::Endless
        } else if writing.is_unread() {
            PdfError::Unread
        } else if writing.is_cut() || is_hidden {
            PdfError::Hidden
        } else {
            PdfError::NoText
        });
    }
    Ok(Document { metadata: metadata(pdf.metadata()), text, pages, truncated })
}

fn metadata(information: &Information) -> Metadata {
    let field = |bytes: &Option<Box<[u8]>>| {
        let text = in_one_line(&text_string(bytes.as_deref()?), 500);
        (!text.is_empty()).then_some((text, metadata::Source::Document))
    };
    let created = information.creation_date.as_ref().map(|date| {
        (format!("{:04}-{:02}-{:02}", date.year, date.month, date.day), metadata::Source::Document)
    });
    Metadata {
        title: field(&information.title),
        author: field(&information.author),
        description: field(&information.subject),
        published: created,
        ..Metadata::default()
    }
}

/// A PDF text string (ISO 32000-1, 7.9.2.2): UTF-16 or UTF-8 with a mark, else nearly Latin-1.
fn text_string(bytes: &[u8]) -> String {
    match bytes {
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0xEF, 0xBB, 0xBF, ..] => {
            encoding_rs::UTF_8.decode(bytes).0.into_owned()
        }
        _ => encoding_rs::WINDOWS_1252.decode(bytes).0.into_owned(),
    }
    .replace('\0', "")
}

#[cfg(test)]
mod crowded;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod large;
#[cfg(test)]
mod tests;
