//! Where sources contradict each other, as far as figures show it.
//!
//! Border: ranked quotations in, pairs out that give different figures for the same thing. It finds
//! candidates, not proofs, and the answer says so.

use super::question::Question;
use super::rank::{Quotation, quotable};
use super::words;
use std::collections::{BTreeMap, BTreeSet};

/// Two quotations with different figures for one thing.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Disagreement<'p, 'a> {
    /// What the figures count: `steps`, `million euros`, `year`.
    pub what: String,
    /// The newer one, where both are dated.
    pub one: &'p Quotation<'a>,
    pub other: &'p Quotation<'a>,
    /// Whether `one` is known to be newer.
    pub is_newer: bool,
}

/// Disagreements that an answer shows.
const MOST: usize = 3;
/// Passages that are compared.
const COMPARED: usize = 24;
/// Stems that two statements about the same thing share, besides what is counted: years stand
/// beside everything, sums of millions do not.
const fn least_shared(unit: &Unit<'_>) -> usize {
    match unit {
        Unit::Year => 3,
        Unit::Large => 1,
        Unit::Word(_) => 2,
    }
}

/// What a figure counts.
enum Unit<'u> {
    Year,
    /// Millions of something.
    Large,
    Word(&'u str),
}

impl Unit<'_> {
    fn of(unit: &str) -> Unit<'_> {
        match unit {
            YEAR => Unit::Year,
            _ if unit.contains(' ') => Unit::Large,
            word => Unit::Word(word),
        }
    }
}

const YEAR: &str = "year";

/// Pairs of quotations from different sources that give different figures.
pub(super) fn disagreements<'p, 'a>(
    quotations: &'p [Quotation<'a>],
    question: &Question,
) -> Vec<Disagreement<'p, 'a>> {
    let read: Vec<(&Quotation<'a>, BTreeMap<String, BTreeSet<String>>)> = quotations
        .iter()
        .take(COMPARED)
        .map(|quotation| (quotation, figures(&quotation.text)))
        .collect();
    let mut found: Vec<Disagreement<'p, 'a>> = Vec::new();
    // One of the two speaks to the question well enough to be quoted; the other may be terse.
    for (at, (one, figures)) in read.iter().take(quotable(quotations)).enumerate() {
        for (other, others) in read.iter().skip(at + 1) {
            if one.source.n == other.source.n || found.len() >= MOST {
                continue;
            }
            let what = figures.iter().find_map(|(unit, values)| {
                let other_values = others.get(unit)?;
                let differ = values.is_disjoint(other_values);
                (differ && about_the_same(one, other, unit, question)).then_some(unit)
            });
            let Some(what) = what else { continue };
            if found.iter().all(|known| known.what != *what) {
                found.push(ordered(what, one, other));
            }
        }
    }
    found
}

fn ordered<'p, 'a>(
    what: &str,
    one: &'p Quotation<'a>,
    other: &'p Quotation<'a>,
) -> Disagreement<'p, 'a> {
    let what = what.to_owned();
    match (&one.source.date, &other.source.date) {
        (Some(first), Some(second)) if first < second => {
            Disagreement { what, one: other, other: one, is_newer: true }
        }
        (Some(first), Some(second)) => Disagreement { what, one, other, is_newer: first != second },
        _ => Disagreement { what, one, other, is_newer: false },
    }
}

fn about_the_same(
    one: &Quotation<'_>,
    other: &Quotation<'_>,
    unit: &str,
    question: &Question,
) -> bool {
    let unit_stems = words::stems(unit);
    let asked = |stem: &String| !question.hits(stem).is_empty();
    // The question counts this very thing.
    if let Unit::Word(word) = Unit::of(unit)
        && asked(&words::stem(word))
    {
        return true;
    }
    let context = |quotation: &Quotation<'_>| -> BTreeSet<String> {
        quotation
            .stems
            .iter()
            .filter(|stem| !stem.chars().any(|c| c.is_ascii_digit()) && !unit_stems.contains(stem))
            .cloned()
            .collect()
    };
    let shared: BTreeSet<String> = context(one).intersection(&context(other)).cloned().collect();
    shared.len() >= least_shared(&Unit::of(unit)) && shared.iter().any(asked)
}

/// The figures of a sentence, by what they count.
fn figures(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let words = words::words(text);
    let mut figures: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (at, word) in words.iter().enumerate() {
        if !word.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let digits: String = word.chars().filter(|c| *c != ',').collect();
        if digits.parse::<f64>().is_err() {
            continue;
        }
        let following = |step: usize| words.get(at + step).map(String::as_str).unwrap_or_default();
        let is_scale = matches!(following(1), "million" | "billion" | "thousand" | "trillion");
        let counted = following(if is_scale { 2 } else { 1 });
        let is_word = counted.chars().count() > 1
            && counted.chars().all(char::is_alphabetic)
            && !words::is_stop_word(counted);
        let is_year = digits.len() == 4 && (digits.starts_with('1') || digits.starts_with('2'));
        let unit = match (is_scale, is_word) {
            (true, true) => format!("{} {counted}", following(1)),
            (false, true) if !is_year || words::stem(counted) != counted => counted.to_owned(),
            _ if is_year => YEAR.to_owned(),
            _ => continue,
        };
        figures.entry(unit).or_default().insert(digits);
    }
    figures
}
