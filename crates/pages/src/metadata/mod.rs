//! What a page says of itself: title, author, date, language, canonical address, description,
//! each with the place it was found in.

mod byline;
pub mod date;
pub mod jsonld;
mod signals;

use crate::extract::{Said, leads_home};
use crate::html::{Attr, Tag, Tree};
use crate::lead;
pub use quarry_types::Signal;
use std::collections::{HashMap, HashSet};
use url::Url;

/// Where a field was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A JSON-LD script.
    JsonLd,
    /// An OpenGraph or Twitter meta tag.
    OpenGraph,
    /// Another meta tag.
    Meta,
    /// A `<time>` element.
    Time,
    /// `itemprop` or `rel` in the page's body.
    Microdata,
    /// A class that names a byline.
    Byline,
    /// The document's own elements (`<title>`, `<h1>`, `<html lang>`, `<link>`), or the properties of a
    /// file that is no HTML.
    Document,
    /// The response's headers.
    Header,
}

/// A field and its source.
pub type Field = Option<(String, Source)>;

/// The fields of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Without the site's name where it could be told apart.
    pub title: Field,
    /// One or more names.
    pub author: Field,
    /// What the page calls itself, in each way in which it says so, as written.
    pub called: Vec<String>,
    /// ISO 8601 where it could be understood, else as written.
    pub published: Field,
    /// BCP 47.
    pub language: Field,
    /// The page's own summary.
    pub description: Field,
    /// An absolute http(s) address.
    pub canonical: Field,
    /// An absolute http(s) address that the page leads to at once.
    pub refresh: Option<String>,
    /// What relative links are relative to.
    pub base: Option<Url>,
    /// The page's own text, where its JSON-LD holds it.
    pub body: Option<String>,
    /// What it says of its kind and of who answers for it.
    pub signals: Vec<Signal>,
    /// Whether it says that it is an article, and nothing says that it is a discussion.
    pub is_article: bool,
    /// Whether only those who pay may read all of it.
    pub is_paid: bool,
}

impl Metadata {
    /// Bytes of text below which a page that is to be paid for shows the beginning of it.
    const TEASER: usize = 2_000;

    /// What the page says of its main text.
    #[must_use]
    pub fn said(&self) -> Said<'_> {
        Said {
            body: self.body.as_deref(),
            description: text(&self.description),
            called: &self.called,
            is_article: self.is_article,
        }
    }

    /// Whether so much text of the page is not all of it.
    pub fn is_teaser(&self, length: usize) -> bool {
        self.is_paid && length < Self::TEASER
    }

    /// What counts of a page that is at hand: it is read for itself, and there is no more of it.
    #[must_use]
    pub fn at_hand(self) -> Self {
        Self { refresh: None, is_paid: false, ..self }
    }
}

/// Meta tags with what others may call a page.
const TITLES: &[&str] = &["og:title", "twitter:title"];

/// Reads the fields of a page that was fetched from `url`.
pub fn read(tree: &Tree, url: &Url) -> Metadata {
    let page = Scan::new(tree);
    let ld = jsonld::read(&tree.json_ld);
    let base =
        page.base.as_deref().and_then(|href| url.join(href).ok()).filter(|base| base.has_host());
    let resolve = base.as_ref().unwrap_or(url);
    let author = author(&page, ld.author.clone());
    // Some write it as HTML.
    let of_data = ld.title.as_deref().map(|text| crate::html::parse(text).flat_text_all(500));
    let of_data = of_data.and_then(nonempty);
    let (doi, journal) = (page.meta(signals::DOI), page.meta(signals::JOURNAL));
    let signals = signals::read(doi.as_deref(), journal.as_deref(), &ld, author.is_some());
    Metadata {
        title: title(&page, of_data.clone()),
        called: [page.meta(TITLES), of_data, page.title.clone()].into_iter().flatten().collect(),
        author,
        signals,
        published: published(&page, ld.published),
        language: language(&page, ld.language),
        description: first([
            (page.meta(&["description"]), Source::Meta),
            (page.meta(&["og:description", "twitter:description"]), Source::OpenGraph),
            (ld.description, Source::JsonLd),
        ])
        .map(|(text, source)| (shorten(&text, 1000), source)),
        canonical: first([
            (page.canonical.as_deref().and_then(|href| absolute(resolve, href)), Source::Document),
            (page.meta(&["og:url"]).and_then(|href| absolute(resolve, &href)), Source::OpenGraph),
        ]),
        refresh: page
            .meta(&["refresh"])
            .and_then(|content| absolute(resolve, lead::refreshed(&content)?)),
        base,
        body: ld.body,
        // What stands below a question is no comments, though software of blogs shows it.
        is_article: !ld.kinds.discussion
            && (ld.kinds.article
                || page.meta(&["og:type"]).is_some_and(|kind| kind.starts_with("article"))),
        is_paid: ld.is_paid,
    }
}

/// Whether an element may hold a field; asked of each as the page is read.
pub fn wants(tree: &Tree, at: u32, tag: Tag) -> bool {
    matches!(tag, Tag::Title | Tag::Base | Tag::H1 | Tag::Link | Tag::Meta | Tag::Time)
        || tree.attr(at, Attr::Itemprop).is_some()
        || tree.attr(at, Attr::Rel).is_some()
        || tree.attr(at, Attr::Class).is_some()
}

/// What the elements say that hold fields.
#[derive(Default)]
struct Scan {
    metas: HashMap<String, String>,
    title: Option<String>,
    h1: Vec<String>,
    base: Option<String>,
    canonical: Option<String>,
    lang: Option<String>,
    time: Option<String>,
    author: Option<String>,
    byline: Option<String>,
    published: Option<String>,
    /// A date that a class calls the page's date.
    dateline: Option<String>,
}

impl Scan {
    fn new(tree: &Tree) -> Self {
        let mut scan = Self::default();
        for at in std::iter::once(0).chain(tree.notes.iter().copied()) {
            if let Some(tag) = tree.tag(at) {
                scan.element(tree, at, tag);
            }
        }
        scan
    }

    fn element(&mut self, tree: &Tree, at: u32, tag: Tag) {
        let attr = |name| tree.attr(at, name).map(str::trim).filter(|value| !value.is_empty());
        match tag {
            Tag::Html => self.lang = attr(Attr::Lang).map(str::to_owned),
            Tag::Title if self.title.is_none() => self.title = nonempty(tree.flat_text(at, 500)),
            Tag::Base if self.base.is_none() => self.base = attr(Attr::Href).map(str::to_owned),
            // The site's name is no page's title.
            Tag::H1 if self.h1.len() < 2 => {
                let text = nonempty(tree.flat_text(at, 500));
                self.h1.extend(text.filter(|_| !leads_home(tree, at)));
            }
            Tag::Link if self.canonical.is_none() && has_word(attr(Attr::Rel), "canonical") => {
                self.canonical = attr(Attr::Href).map(str::to_owned);
            }
            Tag::Meta => {
                let name = [Attr::Property, Attr::Name, Attr::Itemprop, Attr::HttpEquiv]
                    .into_iter()
                    .find_map(attr);
                if let (Some(name), Some(content)) = (name, attr(Attr::Content)) {
                    self.metas
                        .entry(name.to_ascii_lowercase())
                        .or_insert_with(|| content.to_owned());
                }
            }
            Tag::Time if self.time.is_none() => {
                self.time = attr(Attr::Datetime)
                    .map(str::to_owned)
                    .or_else(|| nonempty(tree.flat_text(at, 60)));
            }
            _ => {}
        }
        let itemprop = attr(Attr::Itemprop);
        if self.author.is_none()
            && tag != Tag::Meta
            && (has_word(itemprop, "author") || has_word(attr(Attr::Rel), "author"))
        {
            self.author = name_text(&tree.flat_text(at, 120));
        }
        if self.published.is_none() && has_word(itemprop, "datepublished") {
            self.published = attr(Attr::Datetime).or(attr(Attr::Content)).map(str::to_owned);
        }
        if self.byline.is_none() && attr(Attr::Class).is_some_and(byline::names_author) {
            self.byline = name_text(&tree.flat_text(at, 120));
        }
        if self.dateline.is_none() && attr(Attr::Class).is_some_and(byline::names_date) {
            self.dateline = byline::date(&tree.flat_text(at, 120));
        }
    }

    fn meta(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.metas.get(*name)).and_then(|text| {
            let mut flat = String::new();
            crate::html::tree::push_collapsed(&mut flat, text);
            nonempty(flat.trim().to_owned())
        })
    }
}

fn text(field: &Field) -> Option<&str> {
    field.as_ref().map(|(text, _)| text.as_str())
}

fn first<const N: usize>(candidates: [(Option<String>, Source); N]) -> Field {
    candidates.into_iter().find_map(|(value, source)| value.map(|value| (value, source)))
}

fn nonempty(text: String) -> Option<String> {
    (!text.trim().is_empty()).then_some(text)
}

fn has_word(value: Option<&str>, word: &str) -> bool {
    value.is_some_and(|value| {
        value.split_ascii_whitespace().any(|part| part.eq_ignore_ascii_case(word))
    })
}

/// Bytes of a person's name.
const LONGEST_NAME: usize = 80;
/// What stands before a name.
const LEADS: [&str; 4] = ["written by ", "posted by ", "by: ", "by "];
/// Bytes of that, with signs around the name.
const LONGEST_LEAD: usize = 40;

/// A text that may be a person's name: short, and without its "by".
fn name_text(text: &str) -> Option<String> {
    let text = text.trim();
    if text.len() > LONGEST_NAME + LONGEST_LEAD {
        return None;
    }
    let lower = text.to_lowercase();
    let bare = LEADS.iter().find(|prefix| lower.starts_with(*prefix));
    let text = bare
        .and_then(|prefix| text.get(prefix.len()..))
        .unwrap_or(text)
        .trim()
        .trim_matches([',', '|', '·', ':'])
        .trim();
    let words = text.split_whitespace().count();
    let plain =
        text.chars().any(char::is_alphabetic) && !text.contains(|char: char| char.is_ascii_digit());
    // A link to an author's other texts is not the author.
    let lower = text.to_lowercase();
    let link = ["view ", "more ", "see ", "follow ", "read ", "about "]
        .iter()
        .any(|verb| lower.starts_with(verb));
    let is_short = text.len() <= LONGEST_NAME;
    ((1..=8).contains(&words) && is_short && plain && !link).then(|| text.to_owned())
}

fn title(page: &Scan, ld: Option<String>) -> Field {
    let whole = page.title.clone();
    let h1 = match page.h1.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    };
    // The one heading that says what the title says is the title as its author wrote it: without the
    // site's name, and without what is there for search engines only.
    let named = page.meta(TITLES);
    if let Some(h1) = &h1
        && h1.len() >= 8
        && [&whole, &named, &ld].into_iter().flatten().any(|title| says_the_same(h1, title))
    {
        return Some((h1.clone(), Source::Document));
    }
    first([
        (named, Source::OpenGraph),
        (ld, Source::JsonLd),
        (page.meta(&["dc.title", "citation_title", "title"]), Source::Meta),
        (whole, Source::Document),
        (h1, Source::Document),
    ])
    .map(|(text, source)| {
        (shorten(&without_site(&text, page.meta(&["og:site_name"]).as_deref()), 500), source)
    })
}

/// Whether a heading and a title have half of the heading's words in common, and enough of the title's:
/// the heading of some pages is the name of their site.
fn says_the_same(heading: &str, title: &str) -> bool {
    let words = |text: &str| -> HashSet<String> {
        let lower = text.to_lowercase();
        let words = lower.split(|char: char| !char.is_alphanumeric());
        words.filter(|word| word.chars().count() > 2).map(str::to_owned).collect()
    };
    let (heading_words, title_words) = (words(heading), words(title));
    let common = heading_words.intersection(&title_words).count();
    let named = title.contains(heading) || (common >= 2 && common * 2 >= heading_words.len());
    named && common * 10 >= title_words.len() * 3
}

/// Takes the site's name off the end of a title, when the page says what it is.
fn without_site(title: &str, site: Option<&str>) -> String {
    let bare = site.and_then(|site| title.strip_suffix(site)).map(str::trim_end);
    let bare = bare
        .and_then(|rest| rest.strip_suffix(['|', '-', '–', '—', '·', ':', '•']))
        .map(str::trim_end);
    bare.filter(|rest| !rest.is_empty()).unwrap_or(title).to_owned()
}

fn author(page: &Scan, ld: Option<String>) -> Field {
    let named = |names: &[&str]| {
        page.meta(names).filter(|text| !text.starts_with("http")).and_then(|text| name_text(&text))
    };
    first([
        (ld, Source::JsonLd),
        (
            named(&[
                "author",
                "dc.creator",
                "citation_author",
                "parsely-author",
                "sailthru.author",
            ]),
            Source::Meta,
        ),
        (named(&["article:author", "og:article:author"]), Source::OpenGraph),
        (page.author.clone(), Source::Microdata),
        (page.byline.clone(), Source::Byline),
    ])
}

fn published(page: &Scan, ld: Option<String>) -> Field {
    first([
        (ld, Source::JsonLd),
        (
            page.meta(&[
                "article:published_time",
                "og:article:published_time",
                "og:published_time",
            ]),
            Source::OpenGraph,
        ),
        (
            page.meta(&[
                "datepublished",
                "date",
                "pubdate",
                "publishdate",
                "publish-date",
                "publish_date",
                "dc.date",
                "dc.date.issued",
                "dcterms.created",
                "dcterms.date",
                "parsely-pub-date",
                "sailthru.date",
                "citation_publication_date",
                "citation_date",
            ]),
            Source::Meta,
        ),
        (page.published.clone(), Source::Microdata),
        (page.time.clone().filter(|text| date::normalise(text).is_some()), Source::Time),
        (page.dateline.clone(), Source::Byline),
    ])
    .map(|(text, source)| (date::normalise(&text).unwrap_or_else(|| shorten(&text, 80)), source))
}

fn language(page: &Scan, ld: Option<String>) -> Field {
    first([
        (page.lang.as_deref().and_then(tag), Source::Document),
        (
            page.meta(&["content-language", "language", "dc.language"]).as_deref().and_then(tag),
            Source::Meta,
        ),
        (page.meta(&["og:locale"]).as_deref().and_then(tag), Source::OpenGraph),
        (ld.as_deref().and_then(tag), Source::JsonLd),
    ])
}

/// A language tag: `en_US` and `EN-us` become `en-US`.
pub fn tag(text: &str) -> Option<String> {
    let mut parts = text.split([',', ';']).next()?.trim().split(['-', '_']);
    let language = parts.next()?.to_ascii_lowercase();
    if !(2..=3).contains(&language.len()) || !language.bytes().all(|byte| byte.is_ascii_lowercase())
    {
        return None;
    }
    let rest = parts
        .take(3)
        .filter(|part| part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        .map(|part| match part.len() {
            2 => part.to_ascii_uppercase(),
            4 => {
                part.get(..1).unwrap_or_default().to_ascii_uppercase()
                    + &part.get(1..).unwrap_or_default().to_ascii_lowercase()
            }
            _ => part.to_ascii_lowercase(),
        });
    Some(std::iter::once(language).chain(rest).collect::<Vec<_>>().join("-"))
}

/// An absolute http(s) address, or none.
pub fn absolute(base: &Url, href: &str) -> Option<String> {
    let url = base.join(href.trim()).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.to_string())
}

/// The words of a text in one line of at most `limit` bytes: of a field that is a book the rest is not looked at, and no
/// list is made of its words, which would take many times what they do.
pub fn in_one_line(text: &str, limit: usize) -> String {
    let mut line = String::with_capacity(text.len().min(limit));
    for word in text.split_whitespace() {
        if line.len() > limit {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if line.len() <= limit { line } else { shorten(&line, limit) }
}

/// At most `limit` bytes, cut at a character, with an ellipsis when cut.
pub fn shorten(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(limit.saturating_sub('…'.len_utf8()));
    format!("{}…", text.get(..end).unwrap_or_default().trim_end())
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
