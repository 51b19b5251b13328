//! Which figures of a sentence are of what it only compares with: of the model before, of what stands behind `than`.
//!
//! Border: a sentence with its figures and a part of a question in; the figures out that are of what was asked for.

use super::contrasts;
use super::degrees::{compares_amounts, ends_as_comparative};
use super::gather::Candidate;
use super::lexicon;
use super::offers::Span;
use super::question::Part;
use super::words;
use std::ops::Range;

/// Words between a comparing word and `than`, at most, with that; and between a difference and its comparing word.
const REACH: usize = 4;

/// What was there before the thing that is spoken of.
const PREDECESSORS: [&str; 4] = ["predecessor", "predecessors", "previous", "previously"];

/// Words of who asks for that, beside those of who asks for what was before.
const FORMERLY: [&str; 3] = ["former", "formerly", "old"];

/// Words behind which something is only compared with: `unlike its predecessor`.
const COMPARING: [&str; 6] = ["as", "like", "than", "to", "unlike", "with"];

/// A sentence in words, and the clause that each stands in.
struct Clauses {
    words: Vec<String>,
    pieces: Vec<usize>,
}

/// Of what may answer, what is of the thing that was asked for.
pub(super) fn of_the_asked(
    candidate: &Candidate<'_>,
    mut spans: Vec<Span>,
    part: &Part,
) -> Vec<Span> {
    let text = candidate.text();
    if spans.is_empty() || !part.kind.is_figure() || words::has_cells(text) {
        return spans;
    }
    let (words, pieces) = contrasts::pieces(text);
    let clauses = Clauses { words, pieces };
    if clauses.only_compares_with(candidate, part) {
        return Vec::new();
    }
    let asks_before = part.asked.iter().map(String::as_str).any(|word| {
        words::asks_before(word) || PREDECESSORS.contains(&word) || FORMERLY.contains(&word)
    });
    if !asks_before {
        let last_year = asks_now(part);
        let all = spans.clone();
        let mut place = 0;
        spans.retain(|_| {
            let is_earlier = clauses.is_of_predecessor(&all, place, last_year);
            place += 1;
            !is_earlier
        });
    }
    spans
}

/// Whether a part asks how it is, and of no year.
fn asks_now(part: &Part) -> bool {
    let is_present = |word: &String| matches!(word.as_str(), "are" | "do" | "does" | "is" | "now");
    part.years.is_empty()
        && !part.must.is_of_past
        && !part.asked.contains("last")
        && words::words(&part.text).iter().any(is_present)
}

/// Whether a word, lower case, compares, where `than` follows it.
fn compares(word: &str) -> bool {
    compares_amounts(word)
        || (ends_as_comparative(word) && !matches!(word, "either" | "other" | "rather" | "whether"))
}

impl Clauses {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map(String::as_str).unwrap_or_default()
    }

    /// The words of the clause that a word stands in.
    fn clause(&self, at: usize) -> Range<usize> {
        let piece = self.pieces.get(at);
        let is_own = |other: &usize| self.pieces.get(*other) == piece;
        let start = (0..at).rev().take_while(is_own).last().unwrap_or(at);
        let end = (at..self.words.len()).take_while(is_own).last().map_or(at, |last| last + 1);
        start..end
    }

    fn is_number(&self, at: usize) -> bool {
        let word = self.word(at);
        word.starts_with(|c: char| c.is_ascii_digit()) || lexicon::is_number_word(word)
    }

    /// The words of a comparison from its difference on: `11 g less than the old one`. `More than 300` compares with
    /// nothing, and `more than any other` with all.
    fn comparison(&self, than: usize) -> Option<Range<usize>> {
        let clause = self.clause(than);
        let next = than + 1;
        let is_year = words::is_year(self.word(next)) && clause.end == next + 1;
        let is_bound = self.is_number(next) && !is_year;
        let is_all = (next..next + 2).any(|at| matches!(self.word(at), "any" | "ever" | "other"));
        if self.word(than) != "than" || is_bound || is_all {
            return None;
        }
        let near = |at: usize| -> Range<usize> { at.saturating_sub(REACH).max(clause.start)..at };
        let comparing = near(than).rev().find(|at| compares(self.word(*at)))?;
        let difference = near(comparing).find(|at| self.is_number(*at));
        Some(difference.unwrap_or(comparing)..clause.end)
    }

    /// Whether a sentence speaks of what was asked for only as of what something else is compared with.
    fn only_compares_with(&self, candidate: &Candidate<'_>, part: &Part) -> bool {
        let is_compared = part.must.is_of_change || part.asked.contains("than");
        let comparisons: Vec<Range<usize>> =
            (0..self.words.len()).filter_map(|at| self.comparison(at)).collect();
        if is_compared || comparisons.is_empty() {
            return false;
        }
        let is_inside = |place: usize| comparisons.iter().any(|range| range.contains(&place));
        let plain = || candidate.inside.iter().filter(|hit| hit.strength >= 1.0);
        let is_said = |term: usize| plain().any(|hit| hit.term == term);
        let is_only_inside = |term: usize| {
            is_said(term) && plain().all(|hit| hit.term != term || is_inside(hit.place))
        };
        let is_exact = |term: &usize| {
            part.names.contains(term)
                || part.numbers.contains(term)
                || part.years.contains_key(term)
        };
        let is_named_so =
            part.sequence.iter().filter(|term| is_exact(term)).any(|term| is_only_inside(*term));
        let mut subject = part.must.one_of.iter().filter(|term| is_said(**term)).peekable();
        let is_subject_so = subject.peek().is_some() && subject.all(|term| is_only_inside(*term));
        is_named_so || is_subject_so
    }

    /// Whether a word tells of what was before.
    fn is_earlier(&self, at: usize, last_year: bool) -> bool {
        let before = at.checked_sub(1).map(|at| self.word(at)).unwrap_or_default();
        let is_told = match self.word(at) {
            "earlier" => matches!(before, "an" | "its" | "the"),
            "year" => last_year && before == "last",
            word => PREDECESSORS.contains(&word),
        };
        let is_compared =
            (at.saturating_sub(3)..at).any(|lead| COMPARING.contains(&self.word(lead)));
        is_told && !is_compared
    }

    /// Whether a figure is that of what was before: its clause says so, or goes on with one that has it for its
    /// subject: `its predecessor, the K-11, weighed 193 g`.
    fn is_of_predecessor(&self, spans: &[Span], place: usize, last_year: bool) -> bool {
        let Some(span) = spans.get(place) else { return false };
        let clause = self.clause(span.words.start);
        let floor = place.checked_sub(1).and_then(|at| spans.get(at)).map_or(0, |it| it.words.end);
        let ceiling = spans.get(place + 1).map_or(clause.end, |next| next.words.start);
        let before = (clause.start.max(floor)..span.words.start).rev();
        let mut before = before.take_while(|at| !self.is_number(*at));
        let mut behind = span.words.end..clause.end.min(ceiling);
        let is_subject = |at: usize| {
            let start = self.clause(at).start;
            let leads = |lead: usize| {
                let word = self.word(lead);
                words::is_stop_word(word) || matches!(word, "whereas" | "while")
            };
            self.is_earlier(at, last_year) && (start..at).all(leads)
        };
        before.any(|at| self.is_earlier(at, last_year))
            || behind.any(|at| self.is_earlier(at, last_year))
            || (floor..clause.start).any(is_subject)
    }
}
