//! Documents that are pages: somebody reads them and gives their main text.
//!
//! Border: what is to be read out; Markdown and fields in. Everything in them is from outside.

use super::{FORM, Kind, LibraryError, Loading, Said};
use crate::document::{Document, Excess, Format, Metadata, line};
use quarry_pages::page::Extent;

/// A page that has to be read first.
#[derive(Debug)]
pub struct Pending {
    said: Said,
    shown: String,
    wanted: Wanted,
}

/// What is to be read.
#[derive(Debug)]
pub enum Wanted {
    /// An address.
    Address(String),
    /// A page, or a file that is read as one, that is here.
    Bytes {
        /// Which of these.
        kind: Kind,
        /// All of it.
        bytes: Vec<u8>,
    },
}

/// What was read of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageText {
    /// Its main text.
    pub markdown: String,
    /// Its media type, without parameters.
    pub media_type: String,
    /// Bytes of the Markdown at which the pages of a PDF file begin.
    pub pages: Vec<usize>,
    /// Its title.
    pub title: Option<String>,
    /// When it was published.
    pub published: Option<String>,
    /// Whether something was cut off.
    pub truncated: bool,
}

impl Pending {
    pub(super) const fn of_address(said: Said, url: String) -> Pending {
        Pending { said, shown: String::new(), wanted: Wanted::Address(url) }
    }

    pub(super) const fn of_bytes(said: Said, shown: String, kind: Kind, bytes: Vec<u8>) -> Pending {
        Pending { said, shown, wanted: Wanted::Bytes { kind, bytes } }
    }

    /// What it is called in errors.
    #[must_use]
    pub fn shown(&self) -> &str {
        match &self.wanted {
            Wanted::Address(url) => url,
            Wanted::Bytes { .. } => &self.shown,
        }
    }

    /// What is to be read.
    #[must_use]
    pub const fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    /// Its collection, id and hash, where they are known before it was read: what is there already need not be.
    #[must_use]
    pub fn known(&self) -> Option<(&super::CollectionName, String, String)> {
        let Wanted::Bytes { kind, bytes } = &self.wanted else { return None };
        let hash = self.said.hash(FORM, *kind, bytes);
        let id = self.said.id(self.said.given.id.as_deref(), *kind, bytes);
        Some((&self.said.collection, id, hash))
    }

    /// The document, when it was read.
    ///
    /// # Errors
    /// Where there is no text in it.
    pub fn read(self, page: PageText) -> Result<Loading, LibraryError> {
        let shown = self.shown().to_owned();
        let Pending { mut said, wanted, .. } = self;
        let mut document = Document::read(&shown, Format::Markdown, page.markdown.as_bytes())?;
        said.entitle(&mut document, &shown);
        let is_cleaned = document.text != page.markdown;
        if page.truncated {
            let (extent, way_out) = match &wanted {
                Wanted::Address(_) => {
                    (Extent::Fetched, "load the file itself, of which more is read")
                }
                Wanted::Bytes { .. } => (Extent::AtHand, "load it in parts"),
            };
            document.issues.push(format!(
                "{shown} is longer than what is read of a page, a PDF or a DOCX ({} pages, {} MiB of text out of {} MiB of \
                 HTML): its end is missing; {way_out}",
                extent.of_pdf().pages,
                extent.markdown() >> 20,
                extent.html() >> 20,
            ));
        }
        document.metadata = found(&page, &shown, &mut document.issues).or(document.metadata);
        let (kind, bytes) = match wanted {
            Wanted::Bytes { kind, bytes } => (kind, bytes),
            Wanted::Address(url) => {
                if said.given.source_urls.is_empty() && document.metadata.source_urls.is_empty() {
                    // One address, whatever stands in it.
                    said.given.source_urls.push(url);
                }
                let kind = Kind::of_page(&page.media_type);
                (kind, page.markdown.into_bytes())
            }
        };
        // Places count in the text as it is kept.
        let pages = if is_cleaned { Vec::new() } else { page.pages };
        Ok(said.loading(kind, &bytes, document, pages))
    }
}

/// What its reader knows of a page beside its text.
fn found(page: &PageText, shown: &str, issues: &mut Vec<String>) -> Metadata {
    let mut field = |name: &str, value: &Option<String>| {
        let line = line(value.as_ref()?);
        if !line.is_whole {
            issues.push(format!("the {name} of {shown} {}: its end is left out", Excess::Value));
        }
        Some(line.text).filter(|text| !text.is_empty())
    };
    let title = field("title", &page.title);
    Metadata { title, published: field("date", &page.published), ..Metadata::default() }
}
