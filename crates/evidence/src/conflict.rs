//! Where sources contradict each other: the same said of the same, with other numbers, other dates or denied.
//!
//! Border: the evidence and the citations of an answer in; pairs of quotations out. A conflict is shown, and
//! settled only where there is a reason.

use crate::cite::{CitedSource, Known, Proof};
use crate::published::Published;
use crate::text::{Token, sentences};
use crate::tier::{Tier, speaker};
use crate::verify::{
    Check, Claim, Date, Figures, Index, Measure, Quantity, Step, Text, Veto, is_same,
};
use quarry_types::order::Gather;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::cell::OnceCell;
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
    let compared = Compared::new(known);
    for (url, sentence) in quotes.filter(|(_, sentence)| seen.insert(*sentence)).take(COMPARED) {
        for conflict in compared.with(url, sentence) {
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

/// The sources of an answer, as far as they are compared with what it quotes.
struct Compared<'k> {
    known: &'k Known,
    /// By source: who speaks there.
    speakers: Vec<String>,
    /// By source: what it is about, once that is asked.
    openings: Vec<OnceCell<Opening>>,
}

impl<'k> Compared<'k> {
    fn new(known: &'k Known) -> Self {
        let sources = (0..).map_while(|at| known.source(at));
        let speakers: Vec<String> = sources.map(|source| speaker(&source.url)).collect();
        let openings = speakers.iter().map(|_| OnceCell::new()).collect();
        Compared { known, speakers, openings }
    }

    /// What other voices say otherwise than a sentence that is quoted from this address.
    fn with(&self, url: &str, sentence: &str) -> Vec<Conflict> {
        let known = self.known;
        let here = known.by_address(url).and_then(|target| known.source_of(target));
        let Some((here, source)) = here.and_then(|at| Some((at, known.source(at)?))) else {
            return Vec::new();
        };
        let claim = Claim::new(sentence);
        let own = speaker(url);
        let others = (0..self.speakers.len()).filter(|at| self.speakers.get(*at) != Some(&own));
        let groups = others.map(|at| known.range(at));
        let names_it = names_it(&claim);
        let of = |passage: usize| known.passage(passage).map(|passage| passage.source);
        let is_wanted = |passage: usize| {
            names_it || of(passage).is_some_and(|other| self.are_of_one_subject(here, other))
        };
        let checks = known.index().best_of_each(&claim, groups, MOST_SOURCES, is_wanted);
        let conflicts = checks.iter().filter_map(|check| {
            let window = known.text(check.passage).get(check.window.clone())?;
            let (difference, quote) = contradicted(&claim, check, window, || true)?;
            let there = known.source(of(check.passage)?)?;
            Some(settled(difference, side(source, sentence), side(there, quote)))
        });
        conflicts.collect()
    }

    fn are_of_one_subject(&self, one: usize, other: usize) -> bool {
        let opening = self.opening(one).zip(self.opening(other));
        opening.is_some_and(|(one, other)| one.is_of_subject(other))
    }

    /// What the source at this place is about.
    fn opening(&self, place: usize) -> Option<&Opening> {
        let opening = self.openings.get(place)?;
        Some(opening.get_or_init(|| {
            let title = self.known.source(place).map_or("", |source| source.title.as_str());
            Opening::new(title, self.known.text(self.known.range(place).start))
        }))
    }
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
    let is_one_subject = || names_it(claim) || opening(one).is_of_subject(&opening(other));
    let (difference, quote) = contradicted(claim, &check, window, is_one_subject)?;
    let other = Side { quote: quote.to_owned(), ..other.side.clone() };
    Some(settled(difference, one.side.clone(), other))
}

/// What a window says otherwise than a sentence about the same, and with which words.
fn contradicted<'w>(
    claim: &Claim,
    check: &Check,
    window: &'w str,
    is_one_subject: impl FnOnce() -> bool,
) -> Option<(Difference, &'w str)> {
    let words = claim.words.len();
    let shared = words - check.missing.len();
    #[allow(clippy::cast_precision_loss, reason = "a sentence has few words")]
    let share = shared as f64 / words.max(1) as f64;
    if shared < LEAST_WORDS
        || share < LEAST_SHARED
        || check.vetoes.contains(&Veto::Entity)
        || !is_one_subject()
    {
        return None;
    }
    sentences(window)
        .into_iter()
        .find_map(|range| {
            let other = window.get(range)?;
            let said = Claim::new(other);
            let difference = differs(claim, &said)?;
            (!is_replaced(&Row::new(claim), &Row::new(&said))).then_some((difference, other))
        })
        .or_else(|| {
            let is_denied = check.vetoes.contains(&Veto::Polarity) && share >= LEAST_SHARED_DENIED;
            is_denied.then_some((Difference::Polarity, window))
        })
}

/// Whether a sentence itself names what it is about.
fn names_it(claim: &Claim) -> bool {
    claim.words.iter().any(|word| word.is_name) && !begins_with_pronoun(claim)
}

fn begins_with_pronoun(claim: &Claim) -> bool {
    let first = claim.tokens.first().map(|token| token.word.as_str());
    let pronouns = ["it", "he", "she", "they", "this", "these", "its", "his", "her", "their"];
    first.is_some_and(|first| pronouns.contains(&first))
}

/// What a source is about: its title and its first sentence.
struct Opening {
    names: BTreeSet<String>,
    first: Row,
}

impl Opening {
    fn new(title: &str, text: &str) -> Opening {
        let first = sentences(text).into_iter().next().and_then(|range| text.get(range));
        let (title, first) = (Claim::new(title), Claim::new(first.unwrap_or_default()));
        let words = title.words.iter().chain(&first.words);
        let names = words.filter(|word| word.is_name || word.may_be_name);
        let names = names.map(|word| word.root.clone()).gather();
        Opening { names, first: Row::new(&first) }
    }

    /// Whether two sources are about one thing, where a sentence does not name it: the title or the first
    /// sentence of one names what the other names there. Where one of them names nothing, nothing speaks
    /// against it.
    fn is_of_subject(&self, other: &Opening) -> bool {
        let (here, there) = (&self.names, &other.names);
        (here.is_empty() || there.is_empty() || !here.is_disjoint(there))
            && !is_replaced(&self.first, &other.first)
    }
}

/// The roots of a sentence, as they follow each other.
struct Row {
    roots: Vec<String>,
    /// By root: its last place.
    places: BTreeMap<String, usize>,
}

impl Row {
    fn new(claim: &Claim) -> Row {
        let words = claim.steps.iter().filter_map(|step| match step {
            Step::Word(at) => claim.words.get(*at).map(|word| word.root.clone()),
            Step::Quantity(_) | Step::Date(_) => None,
        });
        let roots: Vec<String> = words.collect();
        let places = roots.iter().cloned().zip(0..).gather();
        Row { roots, places }
    }

    /// Whether a root stands at this place that the other sentence does not have.
    fn is_foreign(&self, at: Option<usize>, other: &Row) -> bool {
        let root = at.and_then(|at| self.roots.get(at));
        root.is_some_and(|root| !other.places.contains_key(root))
    }
}

/// Whether a word of one sentence stands in the place of another word of the other: both are about alike
/// things, and not about one. `visit the harbour` and `visit the library`.
fn is_replaced(one: &Row, other: &Row) -> bool {
    let is_foreign = |at: Option<usize>| other.is_foreign(at, one);
    (0..one.roots.len()).filter(|at| one.is_foreign(Some(*at), other)).any(|at| {
        let place = |at: Option<usize>| {
            at.and_then(|at| one.roots.get(at)).and_then(|root| other.places.get(root))
        };
        let before = place(at.checked_sub(1)).is_some_and(|place| is_foreign(Some(place + 1)));
        let behind = place(Some(at + 1)).is_some_and(|place| is_foreign(place.checked_sub(1)));
        // Where nothing stands before it, it is what the sentence is about.
        before || behind || (at == 0 && is_foreign(Some(0)))
    })
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
    let newer = Published::compared(one.date.as_deref(), other.date.as_deref());
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
fn differs(one: &Claim, other: &Claim) -> Option<Difference> {
    let (one, other) = (Read::new(one), Read::new(other));
    let only_here = |date: &&Date| !other.figures.dates.iter().any(|it| date.may_be(it));
    let only_there = |date: &&Date| !one.figures.dates.iter().any(|it| date.may_be(it));
    if one.figures.dates.iter().any(|it| only_here(&it))
        && other.figures.dates.iter().any(|it| only_there(&it))
    {
        return Some(Difference::Date);
    }
    if let (Some(here), Some(there)) = (one.only_year(), other.only_year())
        && here != there
        && one.figures.dates.is_empty() != other.figures.dates.is_empty()
    {
        return Some(Difference::Date);
    }
    let lacks = |read: &Read<'_>, quantity: &Quantity| {
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
struct Read<'r> {
    tokens: &'r [Token],
    figures: Cow<'r, Figures>,
}

/// What a number counts.
#[derive(Debug, PartialEq)]
enum Counted {
    Year,
    Place,
    Measure(Measure),
    Word(String),
}

impl<'r> Read<'r> {
    fn new(claim: &'r Claim) -> Self {
        let tokens = claim.tokens.as_slice();
        // Of a sentence that is too long to be looked for as one, a claim keeps the first figures only.
        let figures = if claim.is_cut {
            Cow::Owned(Figures::of(tokens))
        } else {
            Cow::Borrowed(&claim.figures)
        };
        Read { tokens, figures }
    }

    /// The one year of which a sentence tells, by a date or by itself; none: it tells of none or of several.
    fn only_year(&self) -> Option<u32> {
        let of_dates = self.figures.dates.iter().filter_map(|date| date.year);
        let is_year = |it: &&Quantity| {
            it.measure == Measure::Plain && self.counted(it) == Some(Counted::Year)
        };
        let bare = self.figures.quantities.iter().filter(is_year);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "four digits")]
        let mut years = of_dates.chain(bare.map(|it| it.value as u32));
        let year = years.next()?;
        years.all(|other| other == year).then_some(year)
    }

    /// What a number counts; none where nothing tells.
    fn counted(&self, quantity: &Quantity) -> Option<Counted> {
        let behind = self.tokens.get(quantity.at + quantity.length);
        let word = behind.filter(|token| token.is_word() && !token.opens && !token.begins);
        let word = word.filter(|token| !crate::text::is_stop_word(&token.word));
        let is_year = (1000.0..2100.0).contains(&quantity.value) && quantity.value.fract() == 0.0;
        match (quantity.measure, word) {
            // Hours of a day are many: who names one denies no other.
            _ if quantity.clock.is_some() => None,
            (Measure::Of(unit), _) if unit.is_hour_of_day() => None,
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
