//! The sources of a report: what a run lists and what was read, brought together, and the numbers that they
//! get at their first use.
//!
//! Invariant: one page has one number, and each number is given to one page.

use super::ReportFacts;
use super::address::{linked, page};
use super::block::{Inline, line_of};
use quarry_evidence::Source;
use quarry_evidence::cite::{Folded, Known, PassageId, Sought, Target};
use quarry_evidence::verify::squeezed;
use quarry_types::text::unended;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// Characters of a title.
const MOST_TITLE: usize = 200;
/// Characters of a quotation, and how many are listed with a source.
pub const MOST_QUOTE: usize = 600;
const MOST_QUOTES: usize = 12;

/// A source.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// Its place among the run's citations.
    pub citation: Option<usize>,
    /// Its place among the sources that were read.
    pub source: Option<usize>,
    /// Its address.
    pub url: String,
    /// Its title, or its address.
    pub title: String,
    /// When it was published, as far as it says.
    pub published: Option<String>,
    /// Its number, once it was cited.
    pub n: Option<usize>,
    /// What was quoted of it.
    pub quotes: Vec<String>,
}

/// A place in a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The source.
    pub entry: usize,
    /// The passage, as the evidence counts them, where it is known.
    pub passage: Option<usize>,
}

/// The sources of a report.
#[derive(Debug)]
pub struct Catalogue {
    entries: Vec<Entry>,
    by_source: Vec<usize>,
    by_id: BTreeMap<String, usize>,
    by_page: BTreeMap<String, usize>,
    /// In the order of their numbers.
    numbered: Vec<usize>,
    /// By passage: its text as texts are compared.
    squeezed: Vec<OnceCell<String>>,
    known: Known,
    /// Whether a quotation is the same with and without the sign that ends it.
    is_exact: bool,
}

impl Catalogue {
    /// The sources of a run.
    pub fn new(facts: &ReportFacts<'_>) -> Self {
        let known = Known::new(facts.sources);
        let mut catalogue = Catalogue {
            entries: Vec::new(),
            by_source: Vec::new(),
            by_id: BTreeMap::new(),
            by_page: BTreeMap::new(),
            numbered: Vec::new(),
            squeezed: vec![OnceCell::new(); known.passages().len()],
            known,
            is_exact: facts.is_exact,
        };
        for (at, source) in facts.sources.iter().enumerate() {
            catalogue.read(at, source);
        }
        for (at, citation) in facts.citations.iter().enumerate() {
            let place = catalogue.place_of(&citation.url, &citation.title);
            catalogue.by_id.entry(citation.citation_id.clone()).or_insert(place);
            if let Some(entry) = catalogue.entries.get_mut(place) {
                entry.citation = entry.citation.or(Some(at));
                entry.published = entry.published.take().or_else(|| citation.published.clone());
            }
        }
        catalogue
    }

    fn read(&mut self, at: usize, source: &Source) {
        // Two writings of one address are one page.
        let first = self.known.by_address(&source.url).and_then(|it| self.known.source_of(it));
        let place = match first.filter(|first| *first < at) {
            Some(first) => self.by_source.get(first).copied(),
            None => None,
        };
        let place = place.unwrap_or_else(|| self.place_of(&source.url, &source.title));
        self.by_source.push(place);
        if let Some(entry) = self.entries.get_mut(place) {
            entry.source = entry.source.or(Some(at));
            entry.published = entry.published.take().or_else(|| source.date.clone());
        }
    }

    /// The place of the source with this address; a new one where there is none.
    pub fn place_of(&mut self, url: &str, title: &str) -> usize {
        let read = self.known.by_address(url).and_then(|it| self.known.source_of(it));
        if let Some(place) = read.and_then(|source| self.by_source.get(source)) {
            return *place;
        }
        if let Some(place) = self.by_page.get(page(url)) {
            return *place;
        }
        let title = line_of(title, MOST_TITLE);
        let title = if title.is_empty() { line_of(url, MOST_TITLE) } else { title };
        self.entries.push(Entry { url: url.to_owned(), title, ..Entry::default() });
        let place = self.entries.len() - 1;
        self.by_page.insert(page(url).to_owned(), place);
        place
    }

    /// What may be cited.
    pub const fn known(&self) -> &Known {
        &self.known
    }

    /// The source at this place.
    pub fn entry(&self, place: usize) -> Option<&Entry> {
        self.entries.get(place)
    }

    /// Every source, in the order in which they were found.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The places of those that are cited, in the order of their numbers.
    pub fn numbered(&self) -> &[usize] {
        &self.numbered
    }

    /// Where a quotation stands in the source with this place among those that were read, in the source's own
    /// words.
    pub fn quote(&self, source: usize, quotation: &Sought) -> Option<(Place, String)> {
        let entry = *self.by_source.get(source)?;
        self.known.range(source).find_map(|at| {
            let text = self.known.text(at);
            let place = Folded::new(text).find(quotation)?;
            let quote = line_of(text.get(place)?, MOST_QUOTE);
            Some((Place { entry, passage: Some(at) }, quote))
        })
    }

    /// The source with this place among those that were read.
    pub fn of_read(&self, source: usize) -> Option<usize> {
        self.by_source.get(source).copied()
    }

    /// The source that the run calls so.
    pub fn by_id(&self, citation_id: &str) -> Option<usize> {
        self.by_id.get(citation_id).copied()
    }

    /// The passage with this short name.
    pub fn by_passage(&self, id: &str) -> Option<Place> {
        match self.known.by_id(PassageId::parse(id)?)? {
            Target::Passage(at) => {
                let source = self.known.passage(at)?.source;
                Some(Place { entry: *self.by_source.get(source)?, passage: Some(at) })
            }
            Target::Source(_) | Target::Twins(_) => None,
        }
    }

    /// The short name of a passage, as answers know it.
    pub fn name(&self, passage: usize) -> Option<PassageId> {
        Some(self.known.passage(passage)?.id)
    }

    /// Where a quotation stands: in the passage that it is said to stand in, else in another of its source.
    /// None where it stands nowhere. A source of which nothing is kept can neither confirm nor deny it.
    pub fn locate(&self, citation_id: &str, passage: Option<&str>, quote: &str) -> Option<Place> {
        let quote = squeezed(quote);
        if quote.is_empty() {
            return None;
        }
        let entry = self.by_id(citation_id);
        let told = passage.and_then(|id| self.by_passage(id));
        let told = told.filter(|told| entry.is_none_or(|entry| entry == told.entry));
        if let Some(told) = told.filter(|told| told.passage.is_some_and(|at| self.has(at, &quote)))
        {
            return Some(told);
        }
        let entry = entry.or(told.map(|told| told.entry))?;
        let source = self.entries.get(entry)?.source;
        let range = source.map(|source| self.known.range(source)).unwrap_or_default();
        if range.is_empty() {
            return Some(Place { entry, passage: None });
        }
        let found = range.into_iter().find(|at| self.has(*at, &quote))?;
        Some(Place { entry, passage: Some(found) })
    }

    /// The passage of a source that has a quotation.
    pub fn passage_with(&self, entry: usize, quote: &str) -> Option<usize> {
        let source = self.entries.get(entry)?.source?;
        let quote = squeezed(quote);
        self.known.range(source).find(|at| !quote.is_empty() && self.has(*at, &quote))
    }

    fn has(&self, passage: usize, quote: &str) -> bool {
        let Some(kept) = self.squeezed.get(passage) else { return false };
        kept.get_or_init(|| squeezed(self.known.text(passage))).contains(quote)
    }

    /// The address of a place.
    pub fn address(&self, place: Place) -> Option<String> {
        let passage = place.passage.and_then(|at| self.known.passage(at));
        match passage {
            Some(passage) => linked(&passage.address),
            None => linked(&self.entries.get(place.entry)?.url),
        }
    }

    /// The number of a source, which it gets now unless it has one.
    pub fn number(&mut self, place: usize) -> Option<usize> {
        let entry = self.entries.get_mut(place)?;
        if entry.n.is_none() {
            self.numbered.push(place);
            entry.n = Some(self.numbered.len());
        }
        entry.n
    }

    /// Keeps what is quoted of a source, to be listed with it: once, with the sign that ends it where anybody has that.
    pub fn quoted(&mut self, place: usize, quote: &str) {
        let quote = line_of(quote, MOST_QUOTE);
        let is_exact = self.is_exact;
        let Some(entry) = self.entries.get_mut(place).filter(|_| !quote.is_empty()) else { return };
        let is_same =
            |known: &String| *known == quote || (is_exact && unended(known) == unended(&quote));
        match entry.quotes.iter().position(is_same) {
            Some(at) => {
                let shorter = entry.quotes.get_mut(at).filter(|known| known.len() < quote.len());
                shorter.into_iter().for_each(|known| known.clone_from(&quote));
            }
            None if entry.quotes.len() < MOST_QUOTES => entry.quotes.push(quote),
            None => {}
        }
    }

    /// A citation of a place, as it is shown; the source has a number from now on.
    pub fn cite(&mut self, place: Place, quote: &str, mark: Option<usize>) -> Option<Inline> {
        let n = self.number(place.entry)?;
        self.quoted(place.entry, quote);
        Some(Inline::Cite { n, address: self.address(place), mark })
    }

    /// Who speaks in these sources, each voice once.
    pub fn voices(
        &self,
        facts: &ReportFacts<'_>,
        places: &[usize],
    ) -> BTreeMap<u8, BTreeSet<String>> {
        let mut voices: BTreeMap<u8, BTreeSet<String>> = BTreeMap::new();
        for entry in places.iter().filter_map(|place| self.entries.get(*place)) {
            let citation = entry.citation.and_then(|at| facts.citations.get(at));
            let (tier, voice) = match citation {
                Some(citation) => (citation.quality_tier, citation.voice.clone()),
                None => (u8::MAX, quarry_evidence::voice(&entry.url)),
            };
            voices.entry(tier).or_default().insert(voice);
        }
        voices
    }
}
