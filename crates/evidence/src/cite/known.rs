//! The passages that an answer may cite, by the names that a model may call them.

use super::scan::USUAL_LABEL;
use super::similarity::{SIMILARITY_THRESHOLD, similarity};
use crate::own::{is_own, placed};
use crate::text::fold;
use crate::verify::{Index, Text};
use crate::{Anchor, Content, Passage, Source};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

/// The short name of a passage: `q7`. Never a bare number, which models take for a place in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PassageId(usize);

impl PassageId {
    /// Reads one: `q7`, `Q7`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(['q', 'Q'])?;
        let is_plain = digits.len() <= 6 && digits.bytes().all(|digit| digit.is_ascii_digit());
        digits.parse().ok().filter(|n| is_plain && *n > 0).map(PassageId)
    }
}

impl fmt::Display for PassageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "q{}", self.0)
    }
}

/// A source, as far as citing needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitedSource {
    /// Its number in the evidence, from 1.
    pub n: usize,
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// When it was published, as far as it says.
    pub date: Option<String>,
}

/// A passage that may be cited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citable {
    /// Its short name.
    pub id: PassageId,
    /// The place of its source among the sources.
    pub source: usize,
    /// What tells it from others of its page, where the page was cut into passages.
    pub anchor: Option<Anchor>,
    /// The headings it stands under, outermost first.
    pub headings: Vec<String>,
    /// The address that leads to it, as Markdown can hold it: at this place, where the page knows it.
    pub address: String,
}

/// The address of a passage.
fn address(url: &str, place: &str) -> String {
    escaped(&placed(url, place))
}

/// An address without what would end a link in Markdown. What is escaped already stays as it is.
#[must_use]
pub fn escaped(address: &str) -> String {
    let mut out = String::with_capacity(address.len());
    for c in address.chars() {
        match c {
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '[' => out.push_str("%5B"),
            ']' => out.push_str("%5D"),
            '\\' => out.push_str("%5C"),
            // It would begin code, which goes before links.
            '`' => out.push_str("%60"),
            // It would end a cell of a table.
            '|' => out.push_str("%7C"),
            _ if c.is_whitespace() || c.is_control() => out.push_str("%20"),
            _ => out.push(c),
        }
    }
    out
}

/// What a marker of an answer means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// One passage, as the index counts them.
    Passage(usize),
    /// A source, as the evidence counts them from 0: whichever passage of it fits best.
    Source(usize),
    /// Several with one title, of which this is the first: whichever of them fits best.
    Twins(usize),
}

/// What parts a title from a heading.
const HEADING: [char; 3] = ['>', '›', '»'];
/// Letters that a title has which is looked for among others, at least.
const LEAST_TITLE: usize = 4;
/// Sources of one title that are checked.
const MOST_TWINS: usize = 16;
/// Ways to part a label that are looked for: a page has six levels of headings.
const MOST_PARTS: usize = 16;
/// The same, where each is compared with all titles.
const MOST_LIKE: usize = 4;

/// What words in brackets mean, where titles are cited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meant {
    /// Nothing but themselves.
    Words,
    /// What has a title like it.
    Target(Target),
    /// A title that nothing has.
    Nothing,
}

/// A text of a source that may be cited.
#[derive(Debug, Clone, Copy)]
pub struct Listed<'s> {
    /// Its short name.
    pub id: PassageId,
    /// The place of its source among the sources.
    pub source: usize,
    /// The passage, where its page was cut into passages.
    pub passage: Option<&'s Passage>,
    /// What it says.
    pub text: &'s str,
}

/// What may be cited of these sources, in order and under the names that an answer calls them: the passages
/// of a page, a text in one piece as one, of a source that was not read what the search said of it.
pub fn listed(sources: &[Source]) -> impl Iterator<Item = Listed<'_>> {
    let all = sources.iter().enumerate().flat_map(|(at, source)| {
        let cut = source.content.passages();
        let whole = match &source.content {
            Content::Unread => source.description.as_str(),
            Content::Text(text) => text,
            Content::Passages(_) => "",
        };
        let whole = (cut.is_empty() && !whole.trim().is_empty()).then_some((at, None, whole));
        cut.iter().map(move |it| (at, Some(it), it.text.as_str())).chain(whole)
    });
    all.zip(1..).map(|((source, passage, text), n)| Listed {
        id: PassageId(n),
        source,
        passage,
        text,
    })
}

/// The passages that an answer may cite. Made once for an answer; what it keeps of the sources is its own.
#[derive(Debug)]
pub struct Known {
    sources: Vec<CitedSource>,
    passages: Vec<Citable>,
    /// By source: its passages.
    ranges: Vec<Range<usize>>,
    addresses: BTreeMap<String, usize>,
    /// Folded titles, each with the sources that have it, in order.
    titles: BTreeMap<String, Vec<usize>>,
    /// Whether whatever stands in brackets where a citation stands is a title.
    is_by_title: bool,
    /// Whether nothing was looked for, so that brackets are the writer's own.
    is_unsourced: bool,
    /// Bytes of the longest title with its longest heading.
    longest: usize,
    /// Made when the first claim is checked, so that the first words of an answer need not wait for it.
    index: LazyLock<Index, Box<dyn FnOnce() -> Index + Send>>,
}

impl Known {
    /// All passages of these sources: see [`listed`].
    #[must_use]
    pub fn new(sources: &[Source]) -> Self {
        let mut texts: Vec<(String, String)> = Vec::new();
        let mut unread: Vec<usize> = Vec::new();
        let mut ranges = vec![0..0; sources.len()];
        let mut passages: Vec<Citable> = Vec::new();
        for Listed { id, source: at, passage, text } in listed(sources) {
            let Some(source) = sources.get(at) else { continue };
            if source.content.is_unread() {
                unread.push(texts.len());
            }
            let headings = passage.map(|passage| passage.headings.clone()).unwrap_or_default();
            texts.push((context(&source.title, &headings), text.to_owned()));
            if let Some(range) = ranges.get_mut(at) {
                let first = if range.end == 0 { passages.len() } else { range.start };
                *range = first..passages.len() + 1;
            }
            passages.push(Citable {
                id,
                source: at,
                anchor: passage.map(|passage| passage.anchor.clone()),
                headings,
                address: address(&source.url, passage.map_or("", |passage| &passage.fragment)),
            });
        }
        let mut known = Known {
            sources: Vec::new(),
            passages,
            ranges,
            addresses: BTreeMap::new(),
            titles: BTreeMap::new(),
            is_by_title: false,
            is_unsourced: false,
            longest: 0,
            index: LazyLock::new(Box::new(move || {
                let texts = texts.iter().map(|(context, text)| Text { context, text });
                Index::new(texts).with_unread(&unread)
            })),
        };
        sources.iter().for_each(|source| known.take(source));
        known
    }

    /// The same, for answers that were to cite titles and to write no other brackets.
    #[must_use]
    pub fn by_titles(sources: &[Source]) -> Self {
        Known { is_by_title: true, ..Known::new(sources) }
    }

    /// Nothing, for an answer that was to cite nothing: what stands in brackets is no name of a passage, and an address
    /// may be what was asked for, so it is shown, as code that leads nowhere.
    #[must_use]
    pub fn unsourced() -> Self {
        Known { is_unsourced: true, ..Known::new(&[]) }
    }

    /// Whether it is for an answer that was to cite nothing.
    #[must_use]
    pub const fn is_unsourced(&self) -> bool {
        self.is_unsourced
    }

    fn take(&mut self, source: &Source) {
        let at = self.sources.len();
        let headings = self.range(at).filter_map(|it| self.passages.get(it)?.headings.last());
        let heading = headings.map(String::len).max().unwrap_or_default();
        self.longest = self.longest.max(source.title.len() + " > ".len() + heading);
        self.addresses.entry(page(&source.url)).or_insert(at);
        self.titles.entry(titled(&source.title)).or_default().push(at);
        let Source { n, url, title, date, .. } = source;
        let (url, title, date) = (url.clone(), title.clone(), date.clone());
        self.sources.push(CitedSource { n: *n, url, title, date });
    }

    /// The passages, in order.
    #[must_use]
    pub fn passages(&self) -> &[Citable] {
        &self.passages
    }

    /// The passage at this place.
    #[must_use]
    pub fn passage(&self, at: usize) -> Option<&Citable> {
        self.passages.get(at)
    }

    /// What the passage at this place says.
    #[must_use]
    pub fn text(&self, at: usize) -> &str {
        self.index().text(at)
    }

    /// The places of the passages of a source.
    #[must_use]
    pub fn range(&self, source: usize) -> Range<usize> {
        self.ranges.get(source).cloned().unwrap_or_default()
    }

    /// What claims are checked against: its passages stand in the same places.
    #[must_use]
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The passage with this name.
    #[must_use]
    pub fn by_id(&self, id: PassageId) -> Option<Target> {
        let at = id.0.checked_sub(1).filter(|at| *at < self.passages.len());
        at.map(Target::Passage)
    }

    /// The source with this address, with or without its scheme; where on the page does not matter.
    #[must_use]
    pub fn by_address(&self, address: &str) -> Option<Target> {
        let at = |address: &str| self.addresses.get(&page(address)).copied().map(Target::Source);
        let is_bare = address.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
        let schemes = ["https://", "http://"].iter().filter(|_| is_bare);
        at(address)
            .or_else(|| schemes.map(|scheme| format!("{scheme}{address}")).find_map(|it| at(&it)))
    }

    /// What has this title, or this title and heading: `Title > Section`. Of several with one title the one that has the
    /// heading; without, whichever of them fits best.
    #[must_use]
    pub fn by_title(&self, label: &str) -> Option<Target> {
        let (twins, heading) = self.equal(label)?;
        self.under(twins, heading).or_else(|| any_of(twins))
    }

    /// Whether some signs, as few as they are, are a title and no remark or mark of the writer's own: `[x]`, `[sic]`.
    pub(super) fn is_short_title(&self, label: &str) -> bool {
        let equal = self.equal(label).filter(|_| !label.is_empty());
        let Some((twins, _)) = equal else { return false };
        let twins = twins.iter().take(MOST_TWINS);
        let mut titles = twins.filter_map(|at| self.sources.get(*at));
        let is_as_written = titles.any(|source| source.title.trim() == label);
        let is_one_sign = label.chars().nth(1).is_none();
        match self.is_by_title {
            true => is_as_written || !(is_one_sign || label.starts_with(char::is_lowercase)),
            false => is_as_written && !is_one_sign,
        }
    }

    /// Bytes of the longest name that a title makes.
    pub(super) const fn longest_title(&self) -> usize {
        self.longest
    }

    /// The sources that have the title of this one, in order; no more than are checked.
    pub(super) fn twins(&self, first: usize) -> &[usize] {
        let title = self.sources.get(first).map(|it| titled(&it.title));
        let twins = title.and_then(|title| self.titles.get(&title)).map_or(&[][..], Vec::as_slice);
        twins.get(..twins.len().min(MOST_TWINS)).unwrap_or_default()
    }

    /// The sources with this title, and the headings below it that a label names.
    fn equal<'l>(&self, label: &'l str) -> Option<(&[usize], &'l str)> {
        let known = |(title, heading)| Some((self.titles.get(&titled(title))?.as_slice(), heading));
        std::iter::once((label, "")).chain(parted(label)).find_map(known)
    }

    /// The first passage of these sources, of many the first few, under the last of some headings.
    fn under(&self, sources: &[usize], headings: &str) -> Option<Target> {
        let heading = headings.rsplit(HEADING).next().map(titled).filter(|it| !it.is_empty())?;
        let has = |at: &usize| {
            let passage = self.passages.get(*at);
            passage.is_some_and(|it| it.headings.iter().any(|it| titled(it) == heading))
        };
        let mut places = sources.iter().take(MOST_TWINS).flat_map(|source| self.range(*source));
        places.find(has).map(Target::Passage)
    }

    /// What words in brackets mean that are no title as it stands.
    pub(super) fn meant_by(&self, label: &str) -> Meant {
        let is_titled = |c: char| c.is_alphabetic() && !c.is_lowercase() || c.is_ascii_digit();
        let has_words = label.chars().filter(|c| c.is_alphabetic()).count() >= LEAST_TITLE;
        // In small letters it is a remark of the writer's own: `[sic]`, `[the fee]`.
        if !self.is_by_title || !has_words || !label.chars().next().is_some_and(is_titled) {
            return Meant::Words;
        }
        let near = || {
            let titles: Vec<String> = self.sources.iter().map(|it| titled(&it.title)).collect();
            let like = |(title, heading)| {
                let at = near_title(&titles, &titled(title))?;
                Some((self.titles.get(titles.get(at)?)?.as_slice(), heading))
            };
            parted(label).take(MOST_LIKE).chain(std::iter::once((label, ""))).find_map(like)
        };
        let found = self.equal(label);
        // Longer than most titles it is one as it stands, or a remark.
        if found.is_none() && label.len() > USUAL_LABEL {
            return Meant::Words;
        }
        let target = found
            .or_else(near)
            .and_then(|(twins, heading)| self.under(twins, heading).or_else(|| any_of(twins)));
        target.map_or(Meant::Nothing, Meant::Target)
    }

    /// The source at this place.
    #[must_use]
    pub fn source(&self, at: usize) -> Option<&CitedSource> {
        self.sources.get(at)
    }

    /// The place of the source that a marker means; of several the first.
    #[must_use]
    pub fn source_of(&self, target: Target) -> Option<usize> {
        match target {
            Target::Passage(at) => self.passages.get(at).map(|it| it.source),
            Target::Source(at) | Target::Twins(at) => {
                Some(at).filter(|at| *at < self.sources.len())
            }
        }
    }
}

/// One of these sources, or any of them.
const fn any_of(sources: &[usize]) -> Option<Target> {
    match sources {
        [] => None,
        [one] => Some(Target::Source(*one)),
        [first, ..] => Some(Target::Twins(*first)),
    }
}

/// How a label can be parted into a title and the headings below it, from the longest title on: titles have the signs
/// that part, too.
fn parted(label: &str) -> impl Iterator<Item = (&str, &str)> {
    label.rmatch_indices(HEADING).take(MOST_PARTS).map(move |(at, sign)| {
        let (title, rest) = label.split_at(at);
        (title, rest.get(sign.len()..).unwrap_or_default())
    })
}

/// The title that holds this one, is held by it, or is like it.
fn near_title(titles: &[String], title: &str) -> Option<usize> {
    let is_long = |text: &str| text.chars().count() >= LEAST_TITLE;
    let within = |own: &String| {
        is_long(own) && title.contains(own.as_str()) || is_long(title) && own.contains(title)
    };
    let alike = |own: &String| similarity(own, title) > SIMILARITY_THRESHOLD;
    titles.iter().position(within).or_else(|| titles.iter().position(alike))
}

/// What a passage is about, though it need not say so.
fn context(title: &str, headings: &[String]) -> String {
    let mut context = title.to_owned();
    for heading in headings {
        context.push_str(" · ");
        context.push_str(heading);
    }
    context
}

/// An address without the place on the page, and without what differs between writings of one.
fn page(address: &str) -> String {
    let page = match url::Url::parse(address) {
        Ok(mut url) => {
            url.set_fragment(None);
            url.to_string()
        }
        // The server finds the place in a document of one's own: it is no part of the document's name.
        Err(_) if is_own(address) => {
            address.split(['?', '#']).next().unwrap_or_default().to_owned()
        }
        Err(_) => address.split('#').next().unwrap_or_default().to_owned(),
    };
    // As a link of ours writes it.
    page.trim_end_matches('/').replace("%28", "(").replace("%29", ")")
}

/// A title as titles are compared.
fn titled(title: &str) -> String {
    let words: Vec<&str> = title.split_whitespace().collect();
    fold(&words.join(" "))
}

#[cfg(test)]
mod tests;
