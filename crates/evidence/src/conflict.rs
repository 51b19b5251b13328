//! Where sources contradict each other: the same said of the same, with other numbers, other dates or denied.
//!
//! Border: the evidence and the citations of an answer in; pairs of quotations out. A conflict is shown, and
//! settled only where there is a reason.

use crate::cite::{CitedSource, Known, Proof};
use crate::text::{Token, sentences, tokens};
use crate::verify::{
    Check, Claim, Date, Figures, Index, Measure, Quantity, Step, Text, Veto, is_same,
};
use crate::{own::speaker, published::Published, tier::Tier};
use quarry_types::order::Gather;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Sentences of an answer's quotations that are compared with the evidence.
const COMPARED: usize = 60;
/// Sources that a sentence is compared with: those that have most of its words.
const MOST_SOURCES: usize = 12;
/// Conflicts that are told.
const MOST: usize = 8;
/// The share of a sentence's words that the other has to have.
const LEAST_SHARED: f64 = 0.6;
/// The share where only a denial tells the two apart.
const LEAST_SHARED_DENIED: f64 = 0.75;
/// Words that both have to have.
const LEAST_WORDS: usize = 3;

/// What two sources differ in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Difference {
    /// A number of the same thing.
    Number,
    /// When it was.
    Date,
    /// Whether it is so.
    Polarity,
}

/// One of two that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Side {
    /// The address of its source.
    pub url: String,
    /// Its title.
    pub title: String,
    /// When it was published, as far as it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// What it says, cut from it.
    pub quote: String,
    /// How near it is to what it tells of.
    pub tier: Tier,
}

/// Why one of two is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It alone is a primary source.
    Primary,
    /// It is newer, and both or neither of them are primary sources.
    Newer,
    /// It says which figure of the other is wrong, and what is right.
    Corrected,
}

/// Two sources that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Conflict {
    /// What they differ in.
    pub difference: Difference,
    /// The one that is believed, where there is a reason; else the one that the answer cites.
    pub one: Side,
    /// The other.
    pub other: Side,
    /// Why the first is believed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}

/// Conflicts between what an answer cites and the rest of its evidence.
#[must_use]
pub fn conflicts(proof: &Proof, known: &Known) -> Vec<Conflict> {
    let mut seen = BTreeSet::new();
    let mut found: Vec<Conflict> = Vec::new();
    let cited = proof.citations.iter().filter(|citation| citation.n.is_some());
    let quotes = cited.flat_map(|citation| {
        let quote = citation.quote.as_str();
        let url = citation.url.as_str();
        sentences(quote).into_iter().map(move |range| (url, quote.get(range).unwrap_or_default()))
    });
    let speakers: Vec<String> =
        (0..).map_while(|at| known.source(at)).map(|source| speaker(&source.url)).collect();
    for (url, sentence) in quotes.filter(|(_, sentence)| seen.insert(*sentence)).take(COMPARED) {
        let claim = Claim::new(sentence);
        let own = speaker(url);
        let others = (0..speakers.len()).filter(|at| speakers.get(*at) != Some(&own));
        let groups = others.map(|at| known.range(at));
        for check in known.index().best_of_each(&claim, groups, MOST_SOURCES) {
            let Some(conflict) = conflict(&claim, (url, sentence), &check, known) else { continue };
            let is_known = |known: &Conflict| {
                known.one.quote == conflict.other.quote && known.other.quote == conflict.one.quote
            };
            if !found.iter().any(|known| is_known(known) || *known == conflict) {
                found.push(conflict);
            }
            if found.len() >= MOST {
                return found;
            }
        }
    }
    found
}

fn conflict(
    claim: &Claim,
    (url, sentence): (&str, &str),
    check: &Check,
    known: &Known,
) -> Option<Conflict> {
    let source = known.passage(check.passage)?.source;
    let there = known.source(source)?;
    let window = known.text(check.passage).get(check.window.clone())?;
    let here = known.source_of(known.by_address(url)?)?;
    let opening = |place: usize| {
        let title = known.source(place).map_or("", |source| source.title.as_str());
        Opening::new(title, known.text(known.range(place).start))
    };
    let is_one_subject = || opening(here).is_of_subject(&opening(source));
    let (difference, quote) = contradicted(claim, sentence, check, window, is_one_subject)?;
    Some(settled(difference, side(known.source(here)?, sentence), side(there, quote)))
}

/// What somebody says, to be compared with what another says.
#[derive(Debug, Clone, Copy)]
pub struct Statement<'s> {
    /// Who says it; the quotation is one sentence.
    pub side: &'s Side,
    /// How the text begins that it is from: what that is about.
    pub opening: &'s str,
    /// What it says, taken apart.
    pub parsed: &'s Parsed,
}

/// What a sentence says, taken apart once to be compared with many.
#[derive(Debug)]
pub struct Parsed {
    claim: Claim,
    index: Index,
}

impl Parsed {
    /// Of a sentence in a source with this title.
    #[must_use]
    pub fn new(sentence: &str, title: &str) -> Parsed {
        let index = Index::new([Text { context: title, text: sentence }]);
        Parsed { claim: Claim::new(sentence), index }
    }
}

/// Whether two statements contradict each other, and which of them is believed. Whose they are is not looked
/// at: one voice may correct itself.
#[must_use]
pub fn contradiction(one: Statement<'_>, other: Statement<'_>) -> Option<Conflict> {
    let claim = &one.parsed.claim;
    let check = other.parsed.index.check(claim, 0)?;
    let window = other.side.quote.get(check.window.clone())?;
    let opening = |it: Statement<'_>| Opening::new(&it.side.title, it.opening);
    let is_one_subject = || opening(one).is_of_subject(&opening(other));
    let (difference, quote) = contradicted(claim, &one.side.quote, &check, window, is_one_subject)?;
    let other = Side { quote: quote.to_owned(), ..other.side.clone() };
    Some(settled(difference, one.side.clone(), other))
}

/// What a window says otherwise than a sentence about the same, and with which words.
fn contradicted<'w>(
    claim: &Claim,
    sentence: &str,
    check: &Check,
    window: &'w str,
    is_one_subject: impl FnOnce() -> bool,
) -> Option<(Difference, &'w str)> {
    let words = claim.words.len();
    let shared = words - check.missing.len();
    #[allow(clippy::cast_precision_loss, reason = "a sentence has few words")]
    let share = shared as f64 / words.max(1) as f64;
    if shared < LEAST_WORDS || share < LEAST_SHARED || check.vetoes.contains(&Veto::Entity) {
        return None;
    }
    let is_named = claim.words.iter().any(|word| word.is_name) && !begins_with_pronoun(claim);
    if !is_named && !is_one_subject() {
        return None;
    }
    sentences(window)
        .into_iter()
        .find_map(|range| {
            let other =
                window.get(range).filter(|other| !is_replaced(claim, &Claim::new(other)))?;
            Some((differs(sentence, other)?, other))
        })
        .or_else(|| {
            let is_denied = check.vetoes.contains(&Veto::Polarity) && share >= LEAST_SHARED_DENIED;
            is_denied.then_some((Difference::Polarity, window))
        })
}

fn begins_with_pronoun(claim: &Claim) -> bool {
    let first = claim.tokens.first().map(|token| token.word.as_str());
    let pronouns = ["it", "he", "she", "they", "this", "these", "its", "his", "her", "their"];
    first.is_some_and(|first| pronouns.contains(&first))
}

/// What a source is about: its title and its first sentence.
struct Opening {
    title: Claim,
    first: Claim,
}

impl Opening {
    fn new(title: &str, text: &str) -> Opening {
        let first = sentences(text).into_iter().next().and_then(|range| text.get(range));
        Opening { title: Claim::new(title), first: Claim::new(first.unwrap_or_default()) }
    }

    fn names(&self) -> BTreeSet<&str> {
        let words = self.title.words.iter().chain(&self.first.words);
        let names = words.filter(|word| word.is_name || word.may_be_name);
        names.map(|word| word.root.as_str()).gather()
    }

    /// Whether two sources are about one thing, where a sentence does not name it: the title or the first
    /// sentence of one names what the other names there. Where one of them names nothing, nothing speaks
    /// against it.
    fn is_of_subject(&self, other: &Opening) -> bool {
        let (here, there) = (self.names(), other.names());
        (here.is_empty() || there.is_empty() || !here.is_disjoint(&there))
            && !is_replaced(&self.first, &other.first)
    }
}

/// Whether a word of one sentence stands in the place of another word of the other: both are about alike
/// things, and not about one. `visit the harbour` and `visit the library`.
fn is_replaced(one: &Claim, other: &Claim) -> bool {
    let words = |claim: &Claim| -> Vec<String> {
        let words = claim.steps.iter().filter_map(|step| match step {
            Step::Word(at) => claim.words.get(*at).map(|word| word.root.clone()),
            Step::Quantity(_) | Step::Date(_) => None,
        });
        words.gather()
    };
    let (one, other) = (words(one), words(other));
    let places: BTreeMap<&String, usize> =
        other.iter().enumerate().map(|(at, word)| (word, at)).gather();
    let known: BTreeSet<&String> = one.iter().gather();
    let is_foreign = |at: Option<usize>| {
        at.and_then(|at| other.get(at)).is_some_and(|word| !known.contains(word))
    };
    (0..one.len()).filter(|at| one.get(*at).is_some_and(|word| !places.contains_key(word))).any(
        |at| {
            let place =
                |at: Option<usize>| at.and_then(|at| one.get(at)).and_then(|word| places.get(word));
            let before = place(at.checked_sub(1)).is_some_and(|place| is_foreign(Some(place + 1)));
            let behind = place(Some(at + 1)).is_some_and(|place| is_foreign(place.checked_sub(1)));
            // Where nothing stands before it, it is what the sentence is about.
            before || behind || (at == 0 && is_foreign(Some(0)))
        },
    )
}

fn side(source: &CitedSource, quote: &str) -> Side {
    Side {
        url: source.url.clone(),
        title: source.title.clone(),
        date: source.date.clone(),
        quote: quote.to_owned(),
        tier: Tier::of(&source.url),
    }
}

/// Two sides that differ, with who is believed where there is a reason: then that one is the first.
#[must_use]
pub fn settled(difference: Difference, one: Side, other: Side) -> Conflict {
    let dates = one.date.as_deref().zip(other.date.as_deref());
    let newer = dates.and_then(|(one, other)| Published::compared(one, other));
    let is_primary = |side: &Side| side.tier == Tier::Primary;
    let (reason, swap) = match (is_primary(&one).cmp(&is_primary(&other)), newer) {
        (Ordering::Greater, _) => (Some(Reason::Primary), false),
        (Ordering::Less, _) => (Some(Reason::Primary), true),
        (_, Some(Ordering::Greater)) => (Some(Reason::Newer), false),
        (_, Some(Ordering::Less)) => (Some(Reason::Newer), true),
        _ => (None, false),
    };
    let (one, other) = if swap { (other, one) } else { (one, other) };
    Conflict { difference, one, other, reason }
}

/// What two sentences about one thing differ in, if it is a figure.
fn differs(one: &str, other: &str) -> Option<Difference> {
    let (one, other) = (Read::new(one), Read::new(other));
    let only_here = |date: &&Date| {
        !other.figures.dates.iter().any(|it| date.is_within(it) || it.is_within(date))
    };
    let only_there =
        |date: &&Date| !one.figures.dates.iter().any(|it| date.is_within(it) || it.is_within(date));
    if one.figures.dates.iter().any(|it| only_here(&it))
        && other.figures.dates.iter().any(|it| only_there(&it))
    {
        return Some(Difference::Date);
    }
    let lacks = |read: &Read, quantity: &Quantity| {
        let years = read.figures.dates.iter().filter_map(|date| date.year).map(f64::from);
        let values = read.figures.quantities.iter().map(|it| it.value).chain(years);
        !values.into_iter().any(|value| is_same(value, quantity.value))
    };
    let here = one.figures.quantities.iter().filter(|it| !it.is_vague && lacks(&other, it));
    here.into_iter().find_map(|quantity| {
        let mut there =
            other.figures.quantities.iter().filter(|it| !it.is_vague && lacks(&one, it));
        let what = one.counted(quantity)?;
        there.any(|it| other.counted(it).as_ref() == Some(&what)).then_some(match what {
            Counted::Year => Difference::Date,
            _ => Difference::Number,
        })
    })
}

/// A sentence with its figures.
struct Read {
    tokens: Vec<Token>,
    figures: Figures,
}

/// What a number counts.
#[derive(Debug, PartialEq)]
enum Counted {
    Year,
    Place,
    Measure(Measure),
    Word(String),
}

impl Read {
    fn new(text: &str) -> Read {
        let tokens = tokens(text);
        Read { figures: Figures::of(&tokens), tokens }
    }

    /// What a number counts; none where nothing tells.
    fn counted(&self, quantity: &Quantity) -> Option<Counted> {
        let behind = self.tokens.get(quantity.at + quantity.length);
        let word = behind.filter(|token| token.is_word() && !token.opens && !token.begins);
        let word = word.filter(|token| !crate::text::is_stop_word(&token.word));
        let is_year = (1000.0..2100.0).contains(&quantity.value) && quantity.value.fract() == 0.0;
        match (quantity.measure, word) {
            (Measure::Of(_), _) => Some(Counted::Measure(quantity.measure)),
            (Measure::Ordinal, _) => Some(Counted::Place),
            (Measure::Decade, _) => Some(Counted::Year),
            (Measure::Plain, Some(word)) => {
                Some(Counted::Word(crate::text::stem(&word.word).into_owned()))
            }
            (Measure::Plain, None) => is_year.then_some(Counted::Year),
        }
    }
}

#[cfg(test)]
mod tests;
