//! Documents that are pages: somebody reads them and gives their main text.
//!
//! Border: what is to be read out; Markdown and fields in. Everything in them is from outside.

use super::{CollectionName, FORM, Kind, LibraryError, Loading, Origin, Said, cut_hash};
use crate::document::{Document, Excess, Format, Metadata, cleaned_places, line};
use quarry_pages::extent::Extent;

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

/// What is known of a document before it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known<'k> {
    /// Where it belongs.
    pub collection: &'k CollectionName,
    /// Its id.
    pub id: String,
    /// Of its bytes and of what was said about it.
    pub hash: String,
    /// What that was when other texts were made of the same bytes, where that matters.
    pub before: Vec<String>,
    /// Its file's name.
    pub name: Option<&'k str>,
    /// Where it comes from.
    pub origin: &'k Origin,
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

    /// What bytes of this kind are called where pages are read.
    #[must_use]
    pub fn media_type(&self, kind: Kind) -> String {
        let decoded = self.said.is_decoded.then_some("utf-8");
        let charset = self.said.charset.as_deref().or(decoded);
        let named = charset.map(|charset| format!("; charset={charset}"));
        [kind.media_type(), named.as_deref().unwrap_or_default()].concat()
    }

    /// What is known before it was read, where that tells which document it is: what is there already need not be read.
    #[must_use]
    pub fn known(&self) -> Option<Known<'_>> {
        let Wanted::Bytes { kind, bytes } = &self.wanted else { return None };
        let said = &self.said;
        Some(Known {
            collection: &said.collection,
            id: said.id(said.given.id.as_deref(), *kind, bytes),
            hash: said.hash(FORM, *kind, bytes),
            before: said.hashes_before(*kind, bytes),
            name: said.name.as_deref(),
            origin: &said.origin,
        })
    }

    /// The document, when it was read.
    ///
    /// # Errors
    /// Where there is no text in it.
    pub fn read(self, page: PageText) -> Result<Loading, LibraryError> {
        let shown = self.shown().to_owned();
        let Pending { said, wanted, .. } = self;
        let (mut document, kind) = match &wanted {
            Wanted::Address(url) => of_address(url, &page)?,
            Wanted::Bytes { kind, .. } => (of_page(&shown, &page)?, *kind),
        };
        said.entitle(&mut document, &shown);
        // Places count in the text as it is kept.
        let pages = cleaned_places(&page.markdown, &page.pages);
        if page.truncated {
            let (extent, way_out) = match &wanted {
                Wanted::Address(_) => {
                    (Extent::Fetched, "load the file itself, of which more is read")
                }
                Wanted::Bytes { .. } => (Extent::AtHand, "load it in parts"),
            };
            document.issues.push(format!(
                "{shown} is longer than what is read of a page, a PDF or a DOCX ({} pages, {} MiB of text out of {} MiB of \
                 HTML), takes longer, or packs something in a way that is not followed: its end, or a part, is missing; {way_out}",
                extent.of_pdf().pages,
                extent.markdown() >> 20,
                extent.html() >> 20,
            ));
        }
        let is_cut = page.truncated && kind == Kind::Pdf;
        let bytes = match wanted {
            Wanted::Bytes { bytes, .. } => bytes,
            // What a page says of itself beside its text is shown of it, too.
            Wanted::Address(_) => {
                let beside = [page.title, page.published].map(Option::unwrap_or_default);
                [beside.concat(), page.markdown].concat().into_bytes()
            }
        };
        let mut loading = said.loading(kind, &bytes, document, pages);
        // Its reader may have had too little time: whoever sends it again has it read again.
        if is_cut {
            loading.hash = cut_hash(&loading.hash, loading.document.text.len());
        }
        Ok(loading)
    }
}

/// A page with what its reader knows of it.
fn of_page(shown: &str, page: &PageText) -> Result<Document, LibraryError> {
    let mut document = Document::of_page(shown, &page.markdown)?;
    document.metadata = found(page, shown, &mut document.issues).or(document.metadata);
    Ok(document)
}

/// What stands at an address, and of what kind it is. It comes from that address, whatever it says of itself: who may name
/// it, and whose it is, is for whoever loads it to say, else anybody's page could take the place of a document that is there.
fn of_address(url: &str, page: &PageText) -> Result<(Document, Kind), LibraryError> {
    let kind =
        if is_markdown(url, page) { Kind::Markdown } else { Kind::of_page(&page.media_type) };
    let mut document = match kind {
        // Its reader takes the first line with a mark for its title, which may be a comment in a program.
        Kind::Markdown | Kind::Text => Document::of_text(url, kind.format(), &page.markdown)?,
        Kind::Html | Kind::Pdf | Kind::Docx | Kind::Csv | Kind::Json => of_page(url, page)?,
    };
    document.metadata = Metadata {
        id: None,
        source_org: None,
        // One address, whatever stands in it.
        source_urls: vec![url.to_owned()],
        ..document.metadata
    };
    Ok((document, kind))
}

/// Whether an address has Markdown as it was written. Hosts of sources call that plain text.
fn is_markdown(url: &str, page: &PageText) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    match page.media_type.as_str() {
        "text/markdown" => true,
        "text/plain" => Format::of_name(path) == Some(Format::Markdown),
        _ => false,
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
