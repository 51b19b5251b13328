//! Questions for yes or no: what a sentence says to one, and what sources say together.
//!
//! Border: a question and a sentence with what stands around it in; yes, no, one of two, or nothing, out. No
//! verdict is better than a wrong one: what is said of something else, of a part, by hearsay, under conditions, in
//! another tense or with other roles says nothing.

mod asked;
mod clause;
mod figures;
mod fit;
mod found;
mod shown;
#[cfg(test)]
mod tests;
mod trial;
mod words;

pub(super) use asked::Asked;
pub(super) use shown::{in_a_word, in_short, lead};

use super::rank::Quotation;
use super::words::has_cells;
use asked::{Limit, Reading, Role};
use clause::Sentence;
use figures::Span;
use quarry_evidence::text::ends_sentence;
use quarry_evidence::verify;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Range;
use trial::Setting;

/// Quotations that are asked what they say.
const HEARD: usize = 48;

/// Where a sentence stands.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place<'s> {
    pub title: &'s str,
    /// The headings above it, a line each.
    pub headings: &'s str,
    /// What stands before it in its paragraph.
    pub before: &'s str,
    /// Whether it is the first under a heading that asks.
    pub replies: bool,
}

/// What a sentence says to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    says: Says,
    /// The figure that tells, in bytes of the sentence.
    figure: Option<Range<usize>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    Yes,
    No,
    /// The one of two answers, by number.
    Side(usize),
    /// When one of two things happened.
    Event(usize, Span),
}

/// What sources say together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Verdict {
    pub answer: Answer,
    /// The places of the quotations that say so: the first leads. Of two events, one for each.
    pub by: Vec<usize>,
    /// The place of one that says otherwise.
    pub against: Option<usize>,
    /// Whether it rests on when two things happened.
    pub is_by_dates: bool,
}

/// The answer to a question for yes or no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    Yes,
    No,
    /// The one of two that was asked for.
    Side(String),
    /// Some say yes, the leading one among them or against them, and others no.
    Disagreed {
        /// Whether the one that leads says yes.
        leads_with_yes: bool,
    },
}

/// What a sentence says to a question.
pub(super) fn said(asked: &Asked, text: &str, place: &Place<'_>) -> Vec<Said> {
    if text.contains('\t') || text.trim_end().ends_with('?') {
        return Vec::new();
    }
    if let Some(is_yes) = reply(asked, text, place) {
        return vec![Said { says: if is_yes { Says::Yes } else { Says::No }, figure: None }];
    }
    let sentence = Sentence::new(text);
    if !is_statement(text) || is_open(asked, &sentence) {
        return Vec::new();
    }
    let above = Sentence::new(place.title).roots.into_iter();
    let above = above.chain(Sentence::new(place.headings).roots).collect();
    let setting = Setting { above, before: place.before };
    let mut said: Vec<Said> = Vec::new();
    for reading in &asked.readings {
        said.extend(of_reading(reading, &sentence, &setting));
    }
    let says = |wanted: Says| said.iter().any(|it| it.says == wanted);
    if says(Says::Yes) && says(Says::No) {
        return Vec::new();
    }
    said
}

/// Whether a text ends as a sentence does, or is the row of a table: headings, links and entries of lists decide nothing.
fn is_statement(text: &str) -> bool {
    if has_cells(text) {
        return true;
    }
    let closes =
        |c: char| matches!(c, '"' | '”' | '’' | ')' | '[' | ']' | ' ') || c.is_ascii_digit();
    let last = text.trim_end_matches(closes).chars().next_back();
    last.is_some_and(|last| matches!(last, '.' | '…') || ends_sentence(last))
}

/// Whether a sentence leaves open what it seems to say: by hearsay, under conditions, or only in part.
fn is_open(asked: &Asked, sentence: &Sentence<'_>) -> bool {
    let is_asked = |word: &str| asked.words.iter().any(|it| it == word);
    let opens = |word: &str| words::hedges(word) || words::restricts(word);
    let quotes = sentence.text.contains(['"', '“', '”', '„']) && !asked.has_quotation;
    let is_conditional = asked.is_now()
        && sentence.clauses.iter().any(|clause| {
            let first = sentence.word(clause.range.start);
            matches!(first, "but" | "when" | "where" | "while" | "whereas" | "although" | "though")
        });
    quotes
        || is_conditional
        || sentence.tokens.iter().any(|token| opens(&token.word) && !is_asked(&token.word))
        || asked.words.iter().any(|word| words::restricts(word) && !sentence.has_word(word))
}

fn of_reading(reading: &Reading, sentence: &Sentence<'_>, setting: &Setting<'_>) -> Vec<Said> {
    let fits = fit::fits(reading, sentence, setting).into_iter();
    let said = fits.filter_map(|fit| {
        let plain = |says: Says| Some(Said { says, figure: None });
        match (reading.role, &reading.limit) {
            (Role::Side(_), _) if fit.is_denied => None,
            (Role::Side(side), _) => plain(Says::Side(side)),
            (Role::Event(_), _) | (_, Limit::When) if fit.is_denied => None,
            (Role::Event(event), _) => {
                let span = figures::span(sentence, &fit.clause)?;
                let figure = figures::moments(sentence, &fit.clause);
                Some(Said { says: Says::Event(event, span), figure })
            }
            (Role::Whole, Limit::None) => plain(if fit.is_denied { Says::No } else { Says::Yes }),
            (Role::Whole, _) if fit.is_denied => None,
            (Role::Whole, _) => {
                let (keeps, figure) = figures::keeps(reading, sentence, &fit.clause)?;
                Some(Said { says: if keeps { Says::Yes } else { Says::No }, figure: Some(figure) })
            }
        }
    });
    said.collect()
}

/// What *yes* or *no* means under a heading that asks the same.
fn reply(asked: &Asked, text: &str, place: &Place<'_>) -> Option<bool> {
    let heading = place.headings.lines().last().filter(|_| place.replies)?;
    let sentence = Sentence::new(text);
    let is_yes = match sentence.word(0) {
        "yes" => true,
        "no" => false,
        _ => return None,
    };
    let is_apart = sentence.gap(1).starts_with([',', '.', '!', ':', ';', '–', '—']);
    let opens = |word: &str| {
        words::restricts(word)
            || words::hedges(word)
            || matches!(word, "but" | "however" | "although")
    };
    if !is_apart || sentence.tokens.iter().any(|token| opens(&token.word)) {
        return None;
    }
    let heading = Sentence::new(heading);
    let telling = |said: &Sentence<'_>| -> BTreeSet<String> {
        let telling =
            (0..said.tokens.len()).filter(|at| said.is_content(*at) || said.is_figure(*at));
        telling.map(|at| said.root(at).to_owned()).collect()
    };
    let [reading] = asked.readings.as_slice() else { return None };
    let (wanted, given) = (telling(&reading.said), telling(&heading));
    let title = telling(&Sentence::new(place.title));
    let is_denied = heading.tokens.iter().any(|token| words::is_negation(&token.word));
    let is_same = reading.limit == Limit::None
        && words::is_auxiliary(heading.word(0))
        && !is_denied
        && !given.is_empty()
        && given.is_subset(&wanted)
        && wanted.iter().all(|root| given.contains(root) || title.contains(root));
    is_same.then_some(is_yes)
}

/// What the quotations say together, best first; none where none of them decides it, or one source says both.
pub(super) fn verdict(asked: &Asked, quotations: &[Quotation<'_>]) -> Option<Verdict> {
    let heard = quotations.get(..quotations.len().min(HEARD)).unwrap_or_default();
    let saying = |wanted: Says| -> Vec<&Quotation<'_>> {
        heard.iter().filter(|it| it.said.iter().any(|said| said.says == wanted)).collect()
    };
    let (yes, no) = (saying(Says::Yes), saying(Says::No));
    match (yes.first(), no.first()) {
        (Some(_), None) => return Some(Verdict::plain(Answer::Yes, &yes)),
        (None, Some(_)) => return Some(Verdict::plain(Answer::No, &no)),
        (Some(_), Some(_)) => return disagreed(&yes, &no),
        (None, None) => {}
    }
    one_of_two(asked, heard).or_else(|| in_order(asked, heard))
}

impl Verdict {
    const fn none(answer: Answer) -> Verdict {
        Verdict { answer, by: Vec::new(), against: None, is_by_dates: false }
    }

    fn plain(answer: Answer, by: &[&Quotation<'_>]) -> Verdict {
        Verdict { by: by.iter().map(|it| it.place).collect(), ..Verdict::none(answer) }
    }
}

/// Two sources that contradict each other; the newer leads, and where their dates do not tell, what fits better.
fn disagreed(yes: &[&Quotation<'_>], no: &[&Quotation<'_>]) -> Option<Verdict> {
    let pairs = yes.iter().flat_map(|yes| no.iter().map(move |no| (*yes, *no)));
    let (yes, no) = pairs.into_iter().find(|(yes, no)| yes.source.n != no.source.n)?;
    let leads_with_yes = match yes.source.compare_published(no.source) {
        Some(Ordering::Greater) => true,
        Some(Ordering::Less) => false,
        Some(Ordering::Equal) | None => yes.score >= no.score,
    };
    let (first, second) = if leads_with_yes { (yes, no) } else { (no, yes) };
    let answer = Answer::Disagreed { leads_with_yes };
    Some(Verdict { by: vec![first.place], against: Some(second.place), ..Verdict::none(answer) })
}

fn one_of_two(asked: &Asked, heard: &[Quotation<'_>]) -> Option<Verdict> {
    let saying = |side: usize| -> Vec<&Quotation<'_>> {
        let says = |it: &&Quotation<'_>| it.said.iter().any(|said| said.says == Says::Side(side));
        heard.iter().filter(says).collect()
    };
    let mut found = asked.sides.iter().enumerate().filter_map(|(pair, sides)| {
        let [one, other] = [saying(pair * 2), saying(pair * 2 + 1)];
        let [first, second] = sides;
        match (one.is_empty(), other.is_empty()) {
            (false, true) => Some(Verdict::plain(Answer::Side(first.clone()), &one)),
            (true, false) => Some(Verdict::plain(Answer::Side(second.clone()), &other)),
            _ => None,
        }
    });
    found.next()
}

/// Of two events, which was the earlier; none where the sources date one of them so that it cannot be told.
fn in_order(asked: &Asked, heard: &[Quotation<'_>]) -> Option<Verdict> {
    let is_before = asked.is_before?;
    let dated = |event: usize| -> Vec<(usize, Span)> {
        let of_event = |said: &Said| match said.says {
            Says::Event(which, span) if which == event => Some(span),
            _ => None,
        };
        let dated =
            heard.iter().filter_map(|it| Some((it.place, it.said.iter().find_map(of_event)?)));
        dated.collect()
    };
    let (ones, others) = (dated(0), dated(1));
    let (one, first) = *ones.first()?;
    let (other, second) = *others.first()?;
    let is_earlier = first.is_before(second)?;
    let agrees = ones
        .iter()
        .all(|(_, one)| others.iter().all(|(_, other)| one.is_before(*other) == Some(is_earlier)));
    let answer = if is_earlier == is_before { Answer::Yes } else { Answer::No };
    agrees.then(|| Verdict { by: vec![one, other], is_by_dates: true, ..Verdict::none(answer) })
}

/// Whether a sentence denies anything.
pub(super) fn denies(text: &str) -> bool {
    let tokens = quarry_evidence::text::tokens(text);
    tokens.iter().any(|token| verify::is_negation(&token.word))
}
