//! The text of PDF files: what is written on their pages, put together to lines and paragraphs.
//! hayro reads the file and knows its fonts; nothing is painted.

mod fonts;
mod guard;
mod lines;
mod text;

use crate::metadata::{Metadata, Source, shorten};
use hayro_font::hayro_syntax::metadata::Metadata as Information;
use hayro_font::hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use lines::Lines;
use text::Writing;

/// Bytes of a file that is fetched; larger ones are not read.
pub const MAX_BYTES: usize = 10 * 1024 * 1024;
/// The same of one that is at hand.
pub const MAX_WHOLE: usize = 20 * 1024 * 1024;

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
    #[error("the PDF is protected by a password")]
    Password,
    /// Cannot be understood, or was cut off.
    #[error("the PDF is damaged or incomplete")]
    Damaged,
    /// Small, but made to take very much memory or time.
    #[error(
        "the PDF unpacks to more than can be read: 256 MiB without its pictures, 32 MiB in one piece"
    )]
    Bomb,
    /// So much is drawn before the first letter that it is not waited for.
    #[error(
        "the PDF draws more than is followed before its first letter; print it to a new file, or part it"
    )]
    Endless,
    /// Its pages are pictures, or its letters have no names.
    #[error("the PDF holds no text; its pages may be scans")]
    NoText,
}

/// Reads a file.
pub fn read(bytes: Vec<u8>, limits: Limits) -> Result<Document, PdfError> {
    guard::check_streams(&bytes)?;
    let pdf = Pdf::new(bytes).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => PdfError::Password,
        LoadPdfError::Decryption(_) | LoadPdfError::Invalid => PdfError::Damaged,
    })?;
    let mut lines = Lines::default();
    let mut writing = Writing::new(limits.steps, limits.unpacked);
    let mut truncated = pdf.pages().len() > limits.pages;
    for page in pdf.pages().iter().take(limits.pages) {
        lines.begin_page();
        writing.read(page, &mut lines);
        lines.end_page();
        truncated |= writing.is_cut();
        if writing.is_exhausted() || lines.length() > limits.text {
            truncated = true;
            break;
        }
    }
    let (text, pages) = lines.finish();
    if text.trim().is_empty() {
        return Err(if writing.is_exhausted() { PdfError::Endless } else { PdfError::NoText });
    }
    Ok(Document { metadata: metadata(pdf.metadata()), text, pages, truncated })
}

fn metadata(information: &Information) -> Metadata {
    let field = |bytes: &Option<Box<[u8]>>| {
        let text = text_string(bytes.as_deref()?);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (!text.is_empty()).then(|| (shorten(&text, 500), Source::Document))
    };
    let created = information.creation_date.as_ref().map(|date| {
        (format!("{:04}-{:02}-{:02}", date.year, date.month, date.day), Source::Document)
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
mod large;
#[cfg(test)]
mod tests;
