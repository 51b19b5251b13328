//! How much of a page is read, and how much text it may become.

use crate::body::{inflate, media};
use crate::{docx, pdf};
use std::time::Duration;

/// Bytes of Markdown that a page may become, but for the fence around JSON.
pub const MAX_MARKDOWN: usize = 1024 * 1024;

/// How much of a body is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Extent {
    /// As much as somebody who asks would wait for: a body that is fetched.
    #[default]
    Fetched,
    /// As much as the memory of an instance allows: a body that is at hand, which nobody waits for.
    AtHand,
}

impl Extent {
    /// Bytes of Markdown that a page may become, but for the fence around JSON.
    #[must_use]
    pub const fn markdown(self) -> usize {
        match self {
            Extent::Fetched => MAX_MARKDOWN,
            Extent::AtHand => 8 * 1024 * 1024,
        }
    }

    /// Bytes of a body that are read, after decompression: files of pages are larger than pages.
    #[must_use]
    pub fn body(self, content_type: &str) -> usize {
        match media::parse(content_type).0.as_str() {
            docx::MEDIA_TYPE => docx::MAX_BYTES,
            essence if media::may_be_pdf(essence) => self.pdf(),
            _ => self.html(),
        }
    }

    /// The same once its beginning has told what it is; none: nothing that is read.
    #[must_use]
    pub const fn of(self, kind: Option<media::Kind>) -> usize {
        match kind {
            Some(media::Kind::Pdf) => self.pdf(),
            Some(media::Kind::Docx) => docx::MAX_BYTES,
            Some(
                media::Kind::Html
                | media::Kind::Text
                | media::Kind::Markdown
                | media::Kind::Json
                | media::Kind::Feed,
            )
            | None => self.html(),
        }
    }

    /// The same of HTML, text and feeds.
    #[must_use]
    pub const fn html(self) -> usize {
        match self {
            Extent::Fetched => inflate::MAX_BYTES,
            Extent::AtHand => 8 * 1024 * 1024,
        }
    }

    const fn pdf(self) -> usize {
        match self {
            Extent::Fetched => pdf::MAX_BYTES,
            Extent::AtHand => pdf::MAX_WHOLE,
        }
    }

    /// The same of what is in a PDF file.
    #[must_use]
    pub const fn of_pdf(self) -> pdf::Limits {
        match self {
            Extent::Fetched => pdf::Limits {
                pages: 300,
                text: MAX_MARKDOWN,
                steps: 4_000_000,
                unpacked: 128 << 20,
                time: Duration::from_secs(12),
            },
            Extent::AtHand => pdf::Limits {
                pages: 3_000,
                text: self.markdown(),
                steps: 16_000_000,
                unpacked: 256 << 20,
                time: Duration::from_secs(30),
            },
        }
    }
}
