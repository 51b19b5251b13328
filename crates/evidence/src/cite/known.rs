//! The passages that an answer may cite, by the names that a model may call them.

use crate::text::fold;
use crate::verify::{Index, Text};
use crate::{Passage, Source};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

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

/// A passage that may be cited.
#[derive(Debug, Clone, Copy)]
pub struct Citable<'e> {
    /// Its short name.
    pub id: PassageId,
    /// Its source.
    pub source: &'e Source,
    /// What tells it from others of its page, where the page was cut into passages.
    pub passage: Option<&'e Passage>,
    /// What it says.
    pub text: &'e str,
}

impl Citable<'_> {
    /// The address that leads to it, as Markdown can hold it: at this place, where the page knows it.
    #[must_use]
    pub fn address(&self) -> String {
        let page = self.source.url.split('#').next().unwrap_or_default();
        let fragment =
            self.passage.map(|passage| passage.fragment.as_str()).filter(|it| !it.is_empty());
        let whole = match fragment {
            Some(fragment) => format!("{page}#{fragment}"),
            None => self.source.url.clone(),
        };
        escaped(&whole)
    }
}

/// An address without what would end a link in Markdown.
fn escaped(address: &str) -> String {
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
}

/// The passages that an answer may cite.
#[derive(Debug)]
pub struct Known<'e> {
    sources: &'e [Source],
    passages: Vec<Citable<'e>>,
    /// By source: its passages.
    ranges: Vec<Range<usize>>,
    addresses: BTreeMap<String, usize>,
    /// Folded titles; none where two sources share one.
    titles: BTreeMap<String, Option<usize>>,
    index: Index,
}

impl<'e> Known<'e> {
    /// All passages of these sources: a source that is in one piece is one, a source that was not read is
    /// what the search said of it.
    #[must_use]
    pub fn new(sources: &'e [Source]) -> Self {
        let mut passages: Vec<Citable<'e>> = Vec::new();
        let mut ranges = Vec::new();
        let mut addresses = BTreeMap::new();
        let mut titles: BTreeMap<String, Option<usize>> = BTreeMap::new();
        for (at, source) in sources.iter().enumerate() {
            let first = passages.len();
            let cut = source.content.passages();
            let mut add = |passage, text| {
                let id = PassageId(passages.len() + 1);
                passages.push(Citable { id, source, passage, text });
            };
            cut.iter().for_each(|passage| add(Some(passage), passage.text.as_str()));
            if cut.is_empty() {
                let whole = source.content.pieces().next().unwrap_or(&source.description);
                if !whole.trim().is_empty() {
                    add(None, whole);
                }
            }
            ranges.push(first..passages.len());
            addresses.entry(page(&source.url)).or_insert(at);
            let title = titled(&source.title);
            titles.entry(title).and_modify(|known| *known = None).or_insert(Some(at));
        }
        let contexts: Vec<String> = passages.iter().map(context).collect();
        let texts = passages.iter().zip(&contexts);
        let index = Index::new(texts.map(|(it, context)| Text { context, text: it.text }));
        Known { sources, passages, ranges, addresses, titles, index }
    }

    /// The passages, in order.
    #[must_use]
    pub fn passages(&self) -> &[Citable<'e>] {
        &self.passages
    }

    /// The passage at this place.
    #[must_use]
    pub fn passage(&self, at: usize) -> Option<&Citable<'e>> {
        self.passages.get(at)
    }

    /// The places of the passages of a source.
    #[must_use]
    pub fn range(&self, source: usize) -> Range<usize> {
        self.ranges.get(source).cloned().unwrap_or_default()
    }

    /// What claims are checked against: its passages stand in the same places.
    #[must_use]
    pub const fn index(&self) -> &Index {
        &self.index
    }

    /// The passage with this name.
    #[must_use]
    pub fn by_id(&self, id: PassageId) -> Option<Target> {
        let at = id.0.checked_sub(1).filter(|at| *at < self.passages.len());
        at.map(Target::Passage)
    }

    /// The source with this address; where on the page does not matter.
    #[must_use]
    pub fn by_address(&self, address: &str) -> Option<Target> {
        self.addresses.get(&page(address)).copied().map(Target::Source)
    }

    /// What has this title, or this title and heading: `Title > Section`.
    #[must_use]
    pub fn by_title(&self, label: &str) -> Option<Target> {
        let (title, heading) = match label.split_once(['>', '›', '»']) {
            Some((title, rest)) => (title, rest.rsplit(['>', '›', '»']).next().map(titled)),
            None => (label, None),
        };
        let source = (*self.titles.get(&titled(title))?)?;
        let Some(heading) = heading.filter(|heading| !heading.is_empty()) else {
            return Some(Target::Source(source));
        };
        let mut places = self.range(source);
        let has = |at: &usize| {
            let passage = self.passages.get(*at).and_then(|it| it.passage);
            passage.is_some_and(|it| it.headings.iter().any(|it| titled(it) == heading))
        };
        Some(places.find(has).map_or(Target::Source(source), Target::Passage))
    }

    /// The source at this place.
    #[must_use]
    pub fn source(&self, at: usize) -> Option<&'e Source> {
        self.sources.get(at)
    }

    /// The source that a marker means.
    #[must_use]
    pub fn cited(&self, target: Target) -> Option<&'e Source> {
        match target {
            Target::Passage(at) => self.passages.get(at).map(|it| it.source),
            Target::Source(at) => self.source(at),
        }
    }

    /// The place of a passage's source.
    #[must_use]
    pub fn source_of(&self, passage: usize) -> usize {
        self.ranges.partition_point(|range| range.end <= passage)
    }
}

/// What a passage is about, though it need not say so.
fn context(passage: &Citable<'_>) -> String {
    let headings = passage.passage.map_or(&[][..], |passage| &passage.headings);
    let mut context = passage.source.title.clone();
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
        Err(_) => address.split('#').next().unwrap_or_default().to_owned(),
    };
    page.trim_end_matches('/').to_owned()
}

/// A title as titles are compared.
fn titled(title: &str) -> String {
    let words: Vec<&str> = title.split_whitespace().collect();
    fold(&words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Anchor, Content, Finding};

    fn sources() -> Vec<Source> {
        let passage = |anchor: &str, heading: &str, text: &str| {
            let url = format!("https://a.example/x#:~:text={anchor}");
            Passage::new(
                Anchor::new(anchor.to_owned()),
                vec![heading.to_owned()],
                text.to_owned(),
                &url,
            )
        };
        let content = Content::Passages(vec![
            passage("p-1", "Light", "one"),
            passage("p-2", "Fog (old)", "two"),
        ]);
        let finding = |url: &str, title: &str, content| Finding {
            url: url.to_owned(),
            title: Some(title.to_owned()),
            description: "said".to_owned(),
            content,
            ..Finding::default()
        };
        vec![
            Source::new(1, finding("https://a.example/x", "The Lamp", content)),
            Source::new(2, finding("https://b.example/(y)", "Bread", Content::Unread)),
            Source::new(3, finding("https://c.example/", "Bread", Content::Unread)),
        ]
    }

    #[test]
    fn passages_are_known_by_all_their_names() {
        let sources = sources();
        let known = Known::new(&sources);
        let id = |text: &str| PassageId::parse(text).and_then(|id| known.by_id(id));
        assert_eq!(
            (id("q2"), id("Q4"), id("q5"), id("q0"), id("7")),
            (Some(Target::Passage(1)), Some(Target::Passage(3)), None, None, None)
        );
        assert_eq!(known.by_address("https://A.example/x#lamp"), Some(Target::Source(0)));
        assert_eq!(known.by_address("https://d.example/"), None);
        assert_eq!(known.by_title("the  lamp"), Some(Target::Source(0)));
        assert_eq!(known.by_title("The Lamp > Fog (old)"), Some(Target::Passage(1)));
        assert_eq!(known.by_title("Bread"), None, "two sources have this title");
        assert_eq!([0, 1, 2, 3].map(|at| known.source_of(at)), [0, 0, 1, 2]);
    }

    #[test]
    fn addresses_lead_to_the_passage_and_do_not_end_a_link() {
        let sources = sources();
        let known = Known::new(&sources);
        let address = |at: usize| known.passage(at).map(Citable::address).unwrap_or_default();
        assert_eq!(address(0), "https://a.example/x#:~:text=p-1");
        assert_eq!(address(2), "https://b.example/%28y%29");
    }
}
