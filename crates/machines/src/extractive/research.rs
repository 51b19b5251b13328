//! What to look up next.
//!
//! Border: the research so far in, calls out; none when there is nothing left to look up.

use super::question::{Part, Question};
use super::{Calculation, EvidenceSource, arithmetic};
use quarry_types::order::{self, Gather};
use std::collections::BTreeSet;

/// Results that a search asks for.
const RESULTS: u32 = 5;
/// Passages that a search of documents asks for.
const PASSAGES: u32 = 8;
/// Sources that make a second search unnecessary.
const ENOUGH_SOURCES: usize = 2;
/// Pages read in one step.
const PAGES: usize = 3;
/// Steps with calls after which it is time to answer.
const MAX_STEPS: u32 = 4;

/// The tools on offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offered {
    /// Searching the web.
    pub search: bool,
    /// Searching documents of one's own.
    pub knowledge: bool,
    /// Reading pages.
    pub read: bool,
    /// Running programs.
    pub program: bool,
}

/// Research so far.
#[derive(Debug, Clone, Copy)]
pub struct ResearchView<'a> {
    /// The question.
    pub query: &'a str,
    /// The step that is due, from 1.
    pub iteration: u32,
    /// What may be called.
    pub offered: Offered,
    /// Queries that were searched for.
    pub searched: &'a [String],
    /// Addresses that reading was tried of.
    pub read: &'a [String],
    /// How many programs were run.
    pub programs: usize,
    /// What was found; also results whose pages could not be read along with the search.
    pub sources: &'a [EvidenceSource<'a>],
    /// Programs that printed something.
    pub calculations: &'a [Calculation<'a>],
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Call {
    /// Search the web.
    Search {
        /// What for.
        query: String,
        /// Results wanted.
        limit: u32,
        /// Whether to read the pages found, too.
        load_content: bool,
    },
    /// Search documents of one's own.
    Documents {
        /// What for.
        query: String,
        /// Passages wanted.
        limit: u32,
    },
    /// Read a page.
    Read {
        /// Its address.
        url: String,
    },
    /// Run a program.
    Program {
        /// JavaScript.
        code: String,
    },
}

/// The calls to make now, side by side; none: it is time to answer.
#[must_use]
pub fn next_calls(view: &ResearchView<'_>) -> Vec<Call> {
    if view.iteration > MAX_STEPS {
        return Vec::new();
    }
    let question = Question::new(view.query);
    if view.offered.program
        && view.searched.is_empty()
        && arithmetic::find(&question.text).is_some()
    {
        if view.programs == 0 {
            return programs(&[&question.text]);
        }
        if !view.calculations.is_empty() {
            return Vec::new();
        }
    }
    // Parts that are calculations are worked out beside the search for the others.
    let calculates = |part: &Part| view.offered.program && arithmetic::find(&part.text).is_some();
    let mut calls = Vec::new();
    if view.searched.is_empty() && view.programs == 0 && view.offered.program {
        let parts: Vec<&str> = question.parts.iter().map(|part| part.text.as_str()).collect();
        calls = programs(&parts);
    }
    if !view.offered.search && !view.offered.knowledge {
        return calls;
    }
    let searches = |query: String| {
        let web = view.offered.search.then(|| search(query.clone()));
        let own = view.offered.knowledge.then_some(Call::Documents { query, limit: PASSAGES });
        web.into_iter().chain(own)
    };
    if view.searched.is_empty() {
        calls.extend(question.queries(calculates).into_iter().flat_map(searches));
        return calls;
    }
    let shown: Vec<(usize, &EvidenceSource<'_>)> =
        view.sources.iter().map(|source| (overlap(source, &question), source)).collect();
    let useful = shown.iter().filter(|(overlap, _)| *overlap > 0).count();
    // What was looked for in two places was looked for once.
    let searched: BTreeSet<&String> = view.searched.iter().gather();
    if searched.len() <= question.parts.len() && useful < ENOUGH_SOURCES {
        let broader = question.broader_query();
        if !broader.is_empty() && !view.searched.contains(&broader) {
            return searches(broader).collect();
        }
    }
    if view.offered.read { unread(view, shown) } else { Vec::new() }
}

/// The programs for those of the texts that are calculations.
fn programs(texts: &[&str]) -> Vec<Call> {
    let found = texts.iter().filter_map(|text| arithmetic::find(text));
    found.map(|calculation| Call::Program { code: calculation.program() }).collect()
}

const fn search(query: String) -> Call {
    Call::Search { query, limit: RESULTS, load_content: true }
}

/// Pages of which too little is known, the most promising first.
fn unread(view: &ResearchView<'_>, mut shown: Vec<(usize, &EvidenceSource<'_>)>) -> Vec<Call> {
    shown.retain(|(overlap, source)| {
        *overlap > 0 && !source.was_read() && !view.read.iter().any(|address| address == source.url)
    });
    order::sort_by_key(&mut shown, |(overlap, _)| std::cmp::Reverse(*overlap));
    let pages = shown.into_iter().take(PAGES);
    pages.map(|(_, source)| Call::Read { url: source.url.to_owned() }).collect()
}

/// Terms of the question that a result shows.
fn overlap(source: &EvidenceSource<'_>, question: &Question) -> usize {
    let mut hits: BTreeSet<usize> = BTreeSet::new();
    let mut note = |text: &str| hits.extend(question.all_hits(text).into_keys());
    note(source.title);
    note(source.description);
    note(source.text);
    for passage in source.passages {
        let headings = passage.headings.iter();
        let said = headings.chain([&passage.text]);
        said.for_each(|text| note(text));
    }
    hits.len()
}
