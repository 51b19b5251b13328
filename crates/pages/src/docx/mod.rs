//! The text of Word documents (DOCX): headings, paragraphs, lists, tables and notes as Markdown.
//! Border: bytes in, Markdown and fields out; pictures and formats are left where they are. Source: ECMA-376.

mod package;
mod words;

use crate::metadata::{Metadata, Source, in_one_line};
use package::Package;
use words::{Styles, Writer};

/// Its media type.
pub const MEDIA_TYPE: &str =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/// Bytes of a file; larger ones are not read.
pub const MAX_BYTES: usize = 20 * 1024 * 1024;

/// A file as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// Title, author and date, as the file's properties say.
    pub metadata: Metadata,
    /// Markdown.
    pub text: String,
    /// Whether something was left out.
    pub truncated: bool,
}

/// Why a file gives no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DocxError {
    /// Opens with a password only, or is of the format before 2007.
    #[error(
        "the Word document is protected by a password, or of the format before DOCX; save it as DOCX without one"
    )]
    Password,
    /// Cannot be unpacked, or was cut off.
    #[error("the Word document is damaged or incomplete; save it anew with its program")]
    Damaged,
    /// An archive, but of something else.
    #[error("the file is an archive without a Word document in it; load what it holds")]
    NoDocument,
    /// Small, but made to take very much memory or time.
    #[error("the Word document unpacks to more than can be read; part it")]
    Bomb,
    /// There are no letters in it.
    #[error(
        "the Word document holds no text; its pages may be pictures: have their text recognised"
    )]
    NoText,
}

/// Reads a file; at most about `limit` bytes of text.
pub fn read(bytes: &[u8], limit: usize) -> Result<Document, DocxError> {
    let mut package = Package::open(bytes)?;
    let main = package.main()?;
    let styles = package.part("word/styles.xml")?.map(|xml| Styles::read(&xml)).unwrap_or_default();
    let mut writer = Writer::new(&styles, limit);
    writer.part(&main);
    for notes in ["word/footnotes.xml", "word/endnotes.xml"] {
        if let Some(xml) = package.part(notes)? {
            writer.part(&xml);
        }
    }
    let (text, truncated) = writer.finish();
    if text.trim().is_empty() {
        return Err(if truncated { DocxError::Damaged } else { DocxError::NoText });
    }
    let core = package.small_part("docProps/core.xml")?;
    let metadata = core.map(|xml| metadata(&xml)).unwrap_or_default();
    Ok(Document { metadata, text, truncated })
}

fn metadata(xml: &str) -> Metadata {
    let field = |name: &str| {
        let text = in_one_line(&words::field(xml, name)?, 500);
        (!text.is_empty()).then_some((text, Source::Document))
    };
    Metadata {
        title: field("title"),
        author: field("creator"),
        description: field("description"),
        // A point in time; its day is what readers mean.
        published: field("created")
            .and_then(|(date, source)| Some((date.get(..10)?.to_owned(), source))),
        ..Metadata::default()
    }
}

#[cfg(test)]
pub(crate) mod tests;
