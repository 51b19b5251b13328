//! What a sentence denies, and what it says only to be planned: `did not open in 2010`, `was expected to cost 5 million`.
//!
//! Border: a sentence with what may answer and a part of a question in; what the sentence says to be so out.

use super::bounds;
use super::changes;
use super::gather::Candidate;
use super::kind::{Kind, is_auxiliary};
use super::lexicon::{self, Dimension};
use super::offers::Span;
use super::question::Part;
use super::words;
use quarry_types::order::Gather;
use std::collections::BTreeSet;
use std::ops::Range;

/// Words, lower case, of what somebody reckons with.
const PLANNED: [&str; 12] = [
    "anticipated",
    "expected",
    "forecast",
    "hoped",
    "intended",
    "meant",
    "planned",
    "predicted",
    "projected",
    "proposed",
    "scheduled",
    "supposed",
];

/// Words before `to` behind which something is wanted, or did not come about.
const WANTING: [&str; 29] = [
    "aimed",
    "aiming",
    "aims",
    "attempted",
    "declined",
    "failed",
    "fails",
    "hope",
    "hoped",
    "hopes",
    "hoping",
    "intend",
    "intended",
    "intends",
    "plan",
    "planned",
    "planning",
    "plans",
    "promised",
    "promises",
    "refused",
    "refuses",
    "slated",
    "sought",
    "tried",
    "want",
    "wanted",
    "wants",
    "wished",
];

/// Nouns for what is not there yet.
const AIMS: [&str; 7] = ["aim", "goal", "intention", "plan", "plans", "proposal", "target"];

/// Words behind `not` that make of it no denial: `not only`, `not until 2014`, `not more than 5`.
const NOT_DENIED: [&str; 20] = [
    "above", "all", "always", "before", "below", "earlier", "every", "far", "fewer", "just",
    "later", "less", "longer", "merely", "more", "only", "over", "till", "under", "until",
];

/// Words that end what is denied or planned before them.
const ENDING: [&str; 22] = [
    "although", "because", "before", "but", "how", "if", "instead", "rather", "since", "though",
    "till", "unless", "until", "what", "when", "where", "whereas", "whether", "which", "while",
    "who", "whose",
];

/// Behind these `that` leads to what they are said of.
const JUDGING: [&str; 11] = [
    "case",
    "certain",
    "clear",
    "correct",
    "false",
    "incorrect",
    "mistaken",
    "myth",
    "right",
    "true",
    "untrue",
];

/// Of these what `that` leads to is not so.
const UNTRUE: [&str; 6] = ["false", "incorrect", "mistaken", "myth", "untrue", "wrong"];

/// Ranks, lower case.
const RANKS: [&str; 10] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/// Words between `not` and the verb that it denies, at most, with that.
const TO_VERB: usize = 3;

/// A sentence in words.
struct Words<'s> {
    text: &'s str,
    words: Vec<(String, Range<usize>)>,
}

impl<'s> Words<'s> {
    fn of(text: &'s str) -> Self {
        let mut words = Vec::new();
        words::each_word(text, |word, at| words.push((std::mem::take(word), at)));
        Words { text, words }
    }

    fn word(&self, at: usize) -> &str {
        self.words.get(at).map(|(word, _)| word.as_str()).unwrap_or_default()
    }

    fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map(|at| self.word(at)).unwrap_or_default()
    }

    /// What stands between a word and the one before it.
    fn gap(&self, at: usize) -> &'s str {
        let end = at.checked_sub(1).and_then(|at| self.words.get(at)).map_or(0, |it| it.1.end);
        let start = self.words.get(at).map_or(end, |it| it.1.start);
        self.text.get(end..start).unwrap_or_default()
    }

    fn is_number(&self, at: usize) -> bool {
        let word = self.word(at);
        word.starts_with(|c: char| c.is_ascii_digit()) || lexicon::is_number_word(word)
    }

    /// `31`, `in 2010`, `on 3 May`
    fn leads_to_figure(&self, at: usize) -> bool {
        let is_led = matches!(self.word(at), "at" | "by" | "from" | "in" | "on");
        self.is_number(at) || (is_led && (self.is_number(at + 1) || self.is_month(at + 1)))
    }

    fn is_month(&self, at: usize) -> bool {
        lexicon::is_month(self.word(at))
    }

    /// Whether a word denies what follows: a verb, or a figure.
    fn denies(&self, at: usize) -> bool {
        let (before, next) = (self.before(at), self.word(at + 1));
        match self.word(at) {
            "never" | "cannot" => true,
            // `no longer than 5 metres`
            "longer" => before == "no" && next != "than",
            // `didn’t`
            "t" => matches!(self.gap(at), "'" | "’") && before.ends_with('n'),
            "not" if NOT_DENIED.contains(&next) => false,
            "not" => is_auxiliary(before) || self.leads_to_figure(at + 1),
            word => UNTRUE.contains(&word) && next == "that",
        }
    }

    /// Whether a word says of what follows that it is planned. `said`: places of words of the question.
    fn plans(&self, at: usize, said: &BTreeSet<usize>) -> bool {
        let (word, before, next) = (self.word(at), self.before(at), self.word(at + 1));
        let is_be = |word: &str| {
            matches!(word, "are" | "be" | "been" | "being" | "had" | "is" | "was" | "were")
        };
        let is_said = || is_be(before) || matches!(before, "first" | "initially" | "originally");
        let is_led = matches!(next, "at" | "by" | "for" | "in" | "on");
        // `due to open`, but not `due to rust`.
        let is_verb = |at: usize| {
            self.word(at) != "become"
                && (said.contains(&at) || matches!(self.word(at), "be" | "have"))
        };
        let is_noun = !matches!(before, "as" | "than") && !is_be(before);
        match word {
            // `The roll declined to 140.`
            _ if next == "to" && self.is_number(at + 2) => false,
            _ if next == "to" && (WANTING.contains(&word) || PLANNED.contains(&word)) => true,
            _ if PLANNED.contains(&word) && is_said() => is_led || self.is_number(at + 1),
            _ if PLANNED.contains(&word) => {
                is_noun && (self.is_number(at + 1) || said.contains(&(at + 1)))
            }
            "due" if next == "to" => is_said() && is_verb(at + 2),
            "due" => is_said() && is_led,
            "set" => next == "to" && is_said() && is_verb(at + 2),
            "is" | "are" | "was" | "were" => next == "to" && is_verb(at + 2),
            "would" | "should" | "could" | "might" => next == "have",
            // `will be lowered to 30 km/h`
            "will" => (at + 1..at + 3).any(|at| changes::is_change(self.word(at))),
            _ if AIMS.contains(&word) => {
                let is_target = matches!(word, "aim" | "goal" | "target") && next == "of";
                is_target || matches!(next, "are" | "is" | "to" | "was" | "were")
            }
            _ => false,
        }
    }

    fn is_verb(&self, at: usize) -> bool {
        let word = self.word(at);
        is_auxiliary(word) || lexicon::ends_as_done(word) || lexicon::base(word).is_some()
    }

    /// Whether a word begins what is said beside the words before it.
    fn begins_another(&self, at: usize) -> bool {
        let gap = self.gap(at);
        let word = self.word(at);
        if gap.contains([';', ':', '(', ')', '–', '—', '.', '!', '?']) || ENDING.contains(&word)
        {
            return true;
        }
        if word == "that" {
            return !JUDGING.contains(&self.before(at));
        }
        let is_subject = |at: usize| matches!(self.word(at), "he" | "it" | "she" | "they");
        if word == "and" {
            return is_subject(at + 1) || self.is_verb(at + 1);
        }
        // `not in 2010, 2011 or 2012`
        gap.contains(',')
            && !self.is_number(at)
            && word != "however"
            && self.before(at) != "however"
    }

    /// The words behind one up to where something else is said.
    fn behind(&self, at: usize) -> Range<usize> {
        let end = (at + 1..self.words.len()).find(|at| self.begins_another(*at));
        at + 1..end.unwrap_or(self.words.len())
    }

    /// Those of them that are planned: `whoever wants to cross it should pay 212` says what is to be paid.
    fn planned(&self, at: usize) -> Range<usize> {
        let behind = self.behind(at);
        let is_finite = |at: &usize| {
            matches!(
                self.word(*at),
                "are" | "can" | "is" | "may" | "must" | "should" | "was" | "were"
            )
        };
        let end = (at + TO_VERB..behind.end).find(is_finite);
        behind.start..end.unwrap_or(behind.end)
    }

    /// The words before one from where its clause begins; what leads to it stands behind a comma at the most.
    fn ahead(&self, at: usize) -> Range<usize> {
        let begin = (1..=at).rev().find(|at| self.begins_another(*at)).unwrap_or(0);
        let is_fronted = self.gap(begin).contains(',')
            && matches!(self.word(0), "at" | "by" | "during" | "in" | "on")
            && !(0..begin).any(|at| self.is_verb(at))
            && !(1..begin).any(|at| self.begins_another(at));
        if is_fronted { 0..at } else { begin..at }
    }

    /// Whether what is denied here is what was asked for.
    fn denies_the_asked(&self, at: usize, said: &BTreeSet<usize>) -> bool {
        self.behind(at).take(TO_VERB).any(|verb| said.contains(&verb))
    }
}

/// Whether a question wants what is planned or may be.
fn asks_for_plans(part: &Part) -> bool {
    let is_open = |word: &str| {
        PLANNED.contains(&word)
            || WANTING.contains(&word)
            || AIMS.contains(&word)
            || matches!(word, "due" | "estimate" | "likely" | "might" | "should" | "will" | "would")
    };
    let is_past = ["had", "has", "have"].iter().any(|word| part.asked.contains(*word));
    let is_to_come = part.kind == Kind::Time && !part.must.is_of_past && !is_past;
    is_to_come || part.asked.iter().any(|word| is_open(word))
}

/// Whether a question denies something itself.
fn asks_for_denial(part: &Part) -> bool {
    let denies = |word: &String| matches!(word.as_str(), "cannot" | "never" | "no" | "not" | "t");
    part.asked.iter().any(denies)
}

/// Places of words that a question has as well.
fn said(candidate: &Candidate<'_>, part: &Part) -> BTreeSet<usize> {
    let own = candidate.inside.iter().filter(|hit| part.weights.contains_key(&hit.term));
    own.map(|hit| hit.place).gather()
}

/// What a sentence says to be so.
pub(super) struct SaidSo {
    /// Of what may answer, what it says so.
    pub spans: Vec<Span>,
    /// Whether it says of all that may answer that it is not so, and of no other figure that it is.
    pub is_none: bool,
}

impl SaidSo {
    pub(super) fn of(candidate: &Candidate<'_>, mut spans: Vec<Span>, part: &Part) -> Self {
        let is_row = words::has_cells(candidate.text());
        if spans.is_empty() || is_row || part.kind == Kind::Reason {
            return SaidSo { spans, is_none: false };
        }
        let text = Words::of(candidate.text());
        let unsaid = text.unsaid(&said(candidate, part), part);
        // `has not sailed for 3 years`, `may not borrow more than 5 books`
        let holds = |span: &Span| {
            let before = text.before(span.words.start);
            let lasts = part.kind == Kind::Amount(&[Dimension::Duration]) && before == "for";
            let is_bound = bounds::told(text.text, &span.bytes).start < span.bytes.start;
            lasts || is_bound || matches!(before, "exceed" | "exceeds" | "exceeded")
        };
        let is_unsaid = |at: usize| unsaid.iter().any(|part| part.contains(&at));
        spans.retain(|span| !is_unsaid(span.words.start) || holds(span));
        // `did not get the promised 60: only 45 were paid`
        let is_figure = |at: usize| {
            let word = text.word(at);
            word.starts_with(|c: char| c.is_ascii_digit()) && !words::is_year(word)
        };
        let has_other = part.kind.is_figure()
            && (0..text.words.len()).any(|at| is_figure(at) && !is_unsaid(at));
        SaidSo { is_none: spans.is_empty() && !has_other, spans }
    }
}

impl Words<'_> {
    /// The words of which the text says that they are not so, or only planned.
    fn unsaid(&self, said: &BTreeSet<usize>, part: &Part) -> Vec<Range<usize>> {
        let (keeps_denied, keeps_planned) = (asks_for_denial(part), asks_for_plans(part));
        // Who did it, where and when stand before the verb as well.
        let is_beside = matches!(part.kind, Kind::Time | Kind::Person | Kind::Place);
        let mut unsaid: Vec<Range<usize>> = Vec::new();
        for at in 0..self.words.len() {
            let is_denied = !keeps_denied && self.denies(at);
            let is_planned = !keeps_planned && self.plans(at, said);
            if is_denied {
                unsaid.push(self.behind(at));
            } else if is_planned {
                unsaid.push(self.planned(at));
            }
            if is_beside && (is_planned || (is_denied && self.denies_the_asked(at, said))) {
                unsaid.push(self.ahead(at));
            }
        }
        unsaid
    }
}

/// Whether a word of a text stands in what it denies: there `more than 5` is no bound of its own.
pub(super) fn is_denied(text: &str, word: usize) -> bool {
    let text = Words::of(text);
    (0..word).any(|at| text.denies(at) && text.behind(at).contains(&word))
}

/// Whether a sentence speaks of another rank than the one that was asked for: `the second largest town`, `the second mayor`.
pub(super) fn is_outranked(candidate: &Candidate<'_>, part: &Part) -> bool {
    let is_rank = |word: &str| {
        let number = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        RANKS.contains(&word) || (number.len() < word.len() && number.parse::<u32>().is_ok())
    };
    let ranked = |all: &[String]| -> Vec<(String, String)> {
        let pairs = all.iter().zip(all.iter().skip(1));
        let pairs = pairs.filter(|(rank, next)| is_rank(rank) && !is_rank(next));
        pairs.map(|(rank, next)| (rank.clone(), next.clone())).collect()
    };
    let (asked, own) = (words::words(&part.text), words::words(candidate.text()));
    let (wanted, told) = (ranked(&asked), ranked(&own));
    let is_other = |(rank, next): &(String, String)| {
        let is_highest = next.len() > 4 && next.ends_with("est");
        match wanted.iter().find(|(_, of)| of == next) {
            Some((asked, _)) => asked != rank,
            None => is_highest && asked.contains(next) && rank != "first",
        }
    };
    // `the second largest`, and not the largest beside it.
    let is_said = |(_, next): &(String, String)| {
        let all = own.iter().filter(|word| *word == next).count();
        told.iter().filter(|pair| pair.1 == *next && is_other(pair)).count() == all
    };
    told.iter().any(|pair| is_other(pair) && is_said(pair))
}

/// Whether a sentence says of what was asked only that it was not done.
pub(super) fn denies_deed(candidate: &Candidate<'_>, part: &Part) -> bool {
    if !matches!(part.kind, Kind::Time | Kind::Person | Kind::Place) || asks_for_denial(part) {
        return false;
    }
    let text = Words::of(candidate.text());
    let names = candidate.inside.iter().filter(|hit| part.names.contains(&hit.term));
    let names: BTreeSet<usize> = names.map(|hit| hit.place).gather();
    let deeds: BTreeSet<usize> = said(candidate, part).difference(&names).copied().gather();
    let reach = |at: usize| text.behind(at).take(TO_VERB);
    let denying = (0..text.words.len()).filter(|at| text.denies(*at));
    let denied: BTreeSet<usize> = denying.flat_map(reach).filter(|at| deeds.contains(at)).gather();
    let is_done = |at: &usize| !denied.contains(at) && text.is_verb(*at);
    !denied.is_empty() && !deeds.iter().any(is_done)
}

/// Figures that a text says are not so, as they are written.
pub(super) fn denied_figures(text: &str) -> BTreeSet<String> {
    let text = Words::of(text);
    let denied = (0..text.words.len()).filter(|at| text.denies(*at)).flat_map(|at| text.behind(at));
    let figures = denied.filter(|at| text.word(*at).starts_with(|c: char| c.is_ascii_digit()));
    figures.map(|at| text.word(at).to_owned()).gather()
}
