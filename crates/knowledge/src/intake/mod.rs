//! Intake: what somebody sends becomes a document that can be loaded, under an id of its own.
//!
//! Border: texts and bytes in; a document out, or what has to be read first by whoever reads pages. Two loads are of
//! one document when they name the same id, else the same address or file, else the same title, else the same text.

mod name;
mod origin;
mod page;

pub use name::{Owner, check_path};
pub use origin::{Origin, Replaces, place_name};
pub use page::{Known, PageText, Pending, Wanted};
pub use quarry_types::CollectionName;

use crate::document::{
    Document, DocumentError, Excess, FieldValue, Format, MAX_BYTES, Metadata, line, stem,
};
use crate::library::{Kind, LibraryError};
use quarry_pages::body::media;
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::fmt::Write as _;

/// Changes with what is made of the same bytes: a document of another is loaded anew.
const FORM: &str = "9";
/// Those of before, as far as documents that are there may have them: a document of one of them is that of the same bytes.
const FORMS_BEFORE: [&str; 1] = ["8"];
/// What texts without any name are known by never changes: one of another form takes the place of the old.
const KNOWN_BY: &str = "3";
/// Characters of a title, and of an address.
const TITLE: usize = 500;
const ADDRESS: usize = 2_048;
/// Fields of metadata, no more than are kept.
const FIELDS: usize = 32;
/// Digits of a mark.
const MARK: usize = 8;
/// Characters of a title that is taken from a text's first line.
const FIRST_LINE: usize = 80;

/// What somebody sends.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Where it belongs.
    pub collection: CollectionName,
    /// What there is of it.
    pub content: Content,
    /// In place of its own.
    pub title: Option<String>,
    /// Fields in place of its own.
    pub metadata: Vec<(String, FieldValue)>,
    /// Where it comes from.
    pub origin: Origin,
}

/// What of a document is there.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Paragraphs.
    Text(String),
    /// With front matter perhaps.
    Markdown(String),
    /// A page.
    Html(String),
    /// An address.
    Url(String),
    /// A file.
    File {
        /// With folders perhaps.
        name: String,
        /// As its sender says.
        media_type: Option<String>,
        /// Its bytes.
        bytes: Vec<u8>,
    },
}

/// A document that is ready to be loaded.
#[derive(Debug, Clone, PartialEq)]
pub struct Loading {
    /// Where it belongs.
    pub collection: CollectionName,
    /// Its id.
    pub id: String,
    /// Of its bytes and of what was said about it.
    pub hash: String,
    /// What that was when other texts were made of the same bytes, where that matters.
    pub before: Vec<String>,
    /// Its address or its file's name.
    pub name: Option<String>,
    /// How it came.
    pub kind: Kind,
    /// Bytes, as it came.
    pub bytes: u64,
    /// Its text.
    pub document: Document,
    /// Where the pages of a PDF file begin in it.
    pub pages: Vec<usize>,
    /// Where it comes from: no part of what it is known by, nor of its hash.
    pub origin: Origin,
}

/// What is to be done with a source.
#[derive(Debug)]
pub enum Incoming {
    /// Load it.
    Ready(Box<Loading>),
    /// Read a page first.
    Page(Box<Pending>),
}

/// What was said about a document, and what it is known by.
#[derive(Debug)]
struct Said {
    owner: Owner,
    collection: CollectionName,
    name: Option<String>,
    /// What a file's bytes are in, as its sender says.
    charset: Option<String>,
    /// Whether it came as a text: what it says of character sets is none of its own then.
    is_decoded: bool,
    given: Metadata,
    origin: Origin,
}

impl From<DocumentError> for LibraryError {
    fn from(error: DocumentError) -> Self {
        match error {
            DocumentError::TooLong { .. } => LibraryError::TooLarge(error.to_string()),
            DocumentError::Empty { .. }
            | DocumentError::NotText { .. }
            | DocumentError::Malformed { .. } => LibraryError::Document(error.to_string()),
        }
    }
}

impl Source {
    /// Reads it as far as it can be read here.
    ///
    /// # Errors
    /// Each names the field or file and what to do.
    pub fn read(self, owner: &Owner) -> Result<Incoming, LibraryError> {
        let given = self.given()?;
        let Source { collection, content, origin, .. } = self;
        let (owner, charset, is_decoded) = (owner.clone(), None, false);
        let said = |name| Said { owner, collection, name, charset, is_decoded, given, origin };
        match content {
            Content::Text(text) => said(None).text("the text", Kind::Text, &text),
            Content::Markdown(text) => said(None).text("the markdown", Kind::Markdown, &text),
            Content::Html(html) => {
                let said = Said { is_decoded: true, ..said(None) };
                said.page("the html", Kind::Html, html.into_bytes())
            }
            Content::Url(url) => {
                if url.chars().nth(ADDRESS).is_some() || url.chars().any(char::is_control) {
                    let wants =
                        format!("wants an http or https address of at most {ADDRESS} characters");
                    return Err(LibraryError::field("url", wants));
                }
                Ok(said(Some(url.clone())).address(url))
            }
            Content::File { name, media_type, bytes } => {
                check_path(&name)?;
                let (sent_as, charset) = media::parse(media_type.as_deref().unwrap_or_default());
                let kind = kind(&name, &sent_as, &bytes)?;
                // Of UTF-8 the bytes themselves tell, and of print and Word documents nothing else does.
                let charset = charset.filter(|charset| {
                    !matches!(kind, Kind::Pdf | Kind::Docx)
                        && !charset.eq_ignore_ascii_case("utf-8")
                });
                let mut said = Said { charset, ..said(Some(name.clone())) };
                said.in_folder(&name);
                match kind {
                    Kind::Html | Kind::Pdf | Kind::Docx => said.page(&name, kind, bytes),
                    Kind::Markdown | Kind::Text | Kind::Csv | Kind::Json => {
                        said.ready(&name, kind, &bytes)
                    }
                }
            }
        }
    }

    /// What was said about it, as metadata.
    fn given(&self) -> Result<Metadata, LibraryError> {
        let mut given = Metadata::default();
        if self.metadata.len() > FIELDS {
            let most = format!("has more than {FIELDS} fields; leave some out");
            return Err(LibraryError::field("metadata", most));
        }
        for (key, value) in &self.metadata {
            if line(key).text.is_empty() {
                let wants = "has a field without a name; give it one, or leave it out";
                return Err(LibraryError::field("metadata", wants));
            }
            let set = given.set(key, value);
            set.map_err(|excess| refused(format!("metadata.{}", line(key).text), excess))?;
        }
        if let Some(title) = &self.title {
            if title.chars().nth(TITLE).is_some() {
                let most = format!("is too long; send at most {TITLE} characters");
                return Err(LibraryError::field("title", most));
            }
            let set = given.set("title", &FieldValue::Text(title.clone()));
            set.map_err(|excess| refused("title", excess))?;
        }
        Ok(given)
    }
}

impl Said {
    /// The first folder is the category of a document that names none.
    fn in_folder(&mut self, name: &str) {
        if let Some((folder, _)) = name.split_once('/') {
            self.given.other.entry(FOLDER.to_owned()).or_insert_with(|| folder.to_owned());
        }
    }

    fn ready(self, shown: &str, kind: Kind, bytes: &[u8]) -> Result<Incoming, LibraryError> {
        let charset = self.charset.as_deref();
        let document = Document::read(shown, kind.format(), charset, bytes)?;
        Ok(self.entitled(document, shown, kind, bytes))
    }

    fn text(self, shown: &str, kind: Kind, text: &str) -> Result<Incoming, LibraryError> {
        let document = Document::of_text(shown, kind.format(), text)?;
        Ok(self.entitled(document, shown, kind, text.as_bytes()))
    }

    fn entitled(self, mut document: Document, shown: &str, kind: Kind, bytes: &[u8]) -> Incoming {
        self.entitle(&mut document, shown);
        Incoming::Ready(Box::new(self.loading(kind, bytes, document, Vec::new())))
    }

    fn page(self, shown: &str, kind: Kind, bytes: Vec<u8>) -> Result<Incoming, LibraryError> {
        if bytes.len() > MAX_BYTES {
            let (name, bytes) = (shown.to_owned(), bytes.len());
            return Err(DocumentError::TooLong { name, bytes }.into());
        }
        if bytes.trim_ascii().is_empty() {
            return Err(DocumentError::Empty { name: shown.to_owned() }.into());
        }
        Ok(Incoming::Page(Box::new(Pending::of_bytes(self, shown.to_owned(), kind, bytes))))
    }

    fn address(self, url: String) -> Incoming {
        Incoming::Page(Box::new(Pending::of_address(self, url)))
    }

    /// What has no name and no heading has its first line for a title.
    fn entitle(&self, document: &mut Document, shown: &str) {
        if self.name.is_none() && document.title() == stem(shown) {
            let first = document.text.lines().map(str::trim).find(|line| !line.is_empty());
            let title: String = first.unwrap_or_default().chars().take(FIRST_LINE).collect();
            document.metadata.title = Some(title);
        }
    }

    /// The document with all that is known of it.
    fn loading(
        self,
        kind: Kind,
        bytes: &[u8],
        mut document: Document,
        pages: Vec<usize>,
    ) -> Loading {
        let hash = self.hash(FORM, kind, bytes);
        let before = self.hashes_before(kind, bytes);
        let own_id = self.given.id.as_deref().or(document.metadata.id.as_deref());
        let id = self.id(own_id, kind, bytes);
        let Said { collection, name, mut given, origin, .. } = self;
        let folder = given.other.remove(FOLDER);
        document.metadata = given.or(std::mem::take(&mut document.metadata));
        if document.metadata.category.is_none() {
            document.metadata.category = folder;
        }
        let bytes = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Loading { collection, id, hash, before, name, kind, bytes, document, pages, origin }
    }

    /// What the hash was before: only whoever is to be asked first has to know that only the form is another.
    fn hashes_before(&self, kind: Kind, bytes: &[u8]) -> Vec<String> {
        let forms = FORMS_BEFORE.iter().filter(|_| self.origin.asks_first());
        forms.map(|form| self.hash(form, kind, bytes)).collect()
    }

    /// Of bytes and of everything that was said about them.
    fn hash(&self, form: &str, kind: Kind, bytes: &[u8]) -> String {
        let mut sum = Sha256::new();
        let said = (form, kind, &self.name, &self.given);
        sum.update(serde_json::to_vec(&said).unwrap_or_default());
        sum.update([0]);
        // In another character set the same bytes say something else.
        if let Some(charset) = &self.charset {
            sum.update(charset);
            sum.update([0]);
        }
        sum.update(bytes);
        hexadecimal(&sum.finalize())
    }

    fn id(&self, own_id: Option<&str>, kind: Kind, bytes: &[u8]) -> String {
        let hash;
        let (by, value) = match (own_id, &self.name, &self.given.title) {
            (Some(id), _, _) => ("id", id),
            (None, Some(name), _) => ("name", name.as_str()),
            (None, None, Some(title)) => ("title", title.as_str()),
            (None, None, None) => {
                hash = self.hash(KNOWN_BY, kind, bytes);
                ("hash", hash.as_str())
            }
        };
        let mut sum = Sha256::new();
        for part in [self.owner.as_str(), self.collection.as_str(), by, value] {
            sum.update(part);
            sum.update([0]);
        }
        let mut id = hexadecimal(&sum.finalize());
        id.truncate(32);
        id
    }
}

/// Whoever says more of a document than is kept can say less; a document that does is not to be changed for it.
fn refused(field: impl Into<Cow<'static, str>>, excess: Excess) -> LibraryError {
    LibraryError::field(field, format!("{excess}; {}", excess.way_out()))
}

/// The hash of a file of which so many bytes of text were read and not all.
fn cut_hash(of_file: &str, read: usize) -> String {
    format!("{of_file}.{read:08}")
}

/// Whether what is kept is of the same file and says the same, or more of it where not all could be read.
#[must_use]
pub fn says_as_much(kept: &str, comes: &str) -> bool {
    let Some((of_file, read)) = comes.split_once('.') else { return kept == comes };
    match kept.split_once('.') {
        None => kept == of_file,
        Some((kept_of, kept_read)) => kept_of == of_file && kept_read >= read,
    }
}

/// Whether both are of one file, however much of it could be read.
pub(crate) fn is_same_file(kept: &str, comes: &str) -> bool {
    let of_file = |hash: &str| hash.split('.').next().map(str::len).unwrap_or_default();
    kept.get(..of_file(kept)) == comes.get(..of_file(comes))
}

/// Under which name the folder stays apart until the document's own category is known.
const FOLDER: &str = "\u{0}folder";

/// A short mark of something: enough to tell it from others, and too little to tell what it is.
pub(crate) fn mark(of: &[u8]) -> String {
    let mut mark = hexadecimal(&Sha256::digest(of));
    mark.truncate(MARK);
    mark
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        _ = write!(text, "{byte:02x}");
        text
    })
}

/// How a file is read: by its name's ending, else as its sender says, else by its first bytes.
fn kind(name: &str, sent_as: &str, bytes: &[u8]) -> Result<Kind, LibraryError> {
    let by_ending = || match Format::of_name(name)? {
        Format::Markdown => Some(Kind::Markdown),
        Format::Text => Some(Kind::Text),
        Format::Csv => Some(Kind::Csv),
        Format::Json => Some(Kind::Json),
    };
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let of_pages = match ending.as_deref() {
        Some("html" | "htm" | "xhtml") => Some(Kind::Html),
        Some("pdf") => Some(Kind::Pdf),
        Some("docx") => Some(Kind::Docx),
        _ => None,
    };
    let by_sender = || match sent_as {
        "text/markdown" => Some(Kind::Markdown),
        "text/plain" => Some(Kind::Text),
        "text/csv" | "text/tab-separated-values" => Some(Kind::Csv),
        "application/json" => Some(Kind::Json),
        "text/html" | "application/xhtml+xml" => Some(Kind::Html),
        kind => [Kind::Pdf, Kind::Docx].into_iter().find(|known| known.media_type() == kind),
    };
    let by_bytes = || bytes.starts_with(b"%PDF-").then_some(Kind::Pdf);
    of_pages.or_else(by_ending).or_else(by_sender).or_else(by_bytes).ok_or_else(|| {
        LibraryError::Unsupported(format!(
            "{name} is of a format that is not read; Markdown, text, HTML, PDF, DOCX, CSV and JSON are: save it as one \
             of these, and end its name with .md, .txt, .html, .pdf, .docx, .csv or .json"
        ))
    })
}

#[cfg(test)]
mod tests;
