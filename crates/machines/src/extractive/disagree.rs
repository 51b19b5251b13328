//! Where sources contradict each other, as far as figures show it.
//!
//! Border: what was found for a part of a question in, pairs out that answer it with different figures
//! of one kind. It finds candidates, not proofs.

use super::EvidenceSource;
use super::answering::Apart;
use super::kind::Kind;
use super::lexicon::{self, Dimension};
use super::offers::Fit;
use super::question::Part;
use super::rank::{PartFound, Quotation};
use super::words;
use quarry_evidence::is_own;
use quarry_evidence::text::{stem, tokens};
use quarry_types::order::Gather;
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A quotation that answers with another figure than the best.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Disagreement<'p, 'a> {
    pub other: &'p Quotation<'a>,
    /// How old it is against the best; none where that is not known.
    pub age: Option<Ordering>,
    /// A sentence that holds both figures, or says of one what it covers.
    pub explained_by: Option<&'p Quotation<'a>>,
}

/// Disagreements that a part shows.
const MOST: usize = 2;
/// Quotations that are compared with the best.
const COMPARED: usize = 24;
/// Of what the best counts and covers, the share that another answer has at least: where the question
/// names what is counted, for amounts, and for dates, which stand beside everything.
const LEAST_OF_COUNTS: f64 = 0.2;
const LEAST_OF_AMOUNTS: f64 = 0.45;
const LEAST_OF_DATES: f64 = 0.8;

/// Of what the best says of the subject, the share that another answer says at least.
const ABOUT: f64 = 0.25;
/// The same for what is measured: lengths of other things are many.
const ABOUT_OF_MEASURES: f64 = 0.5;

/// A figure with what it counts.
#[derive(Debug, PartialEq)]
struct Figure {
    value: f64,
    what: String,
}

/// Quotations of other sources that answer with another figure than the best.
pub(super) fn disagreements<'p, 'a>(
    found: &'p PartFound<'a>,
    part: &Part,
) -> Vec<Disagreement<'p, 'a>> {
    let first = found.quotations.first().filter(|_| found.is_answered && part.kind.is_strict());
    let Some((first, figure)) = first.and_then(|first| Some((first, figure(first, part)?))) else {
        return Vec::new();
    };
    let least = match part.kind {
        Kind::Time => LEAST_OF_DATES,
        Kind::Count if figure.what != "people" => LEAST_OF_COUNTS,
        _ => LEAST_OF_AMOUNTS,
    };
    let about = match part.kind {
        Kind::Amount([dimension, ..])
            if !matches!(dimension, Dimension::Money | Dimension::Share) =>
        {
            ABOUT_OF_MEASURES
        }
        _ => ABOUT,
    };
    let mut years = words::words(&part.text);
    years.retain(|word| words::is_year(word));
    // Who asks what held in a year is told of no other.
    let is_of_year = |other: &Quotation<'_>| {
        let holds = |text: &str, year: &str| words::words(text).iter().any(|word| word == year);
        let date = other.source.date.unwrap_or_default();
        let places = [other.text.as_str(), other.source.title, date];
        years.iter().all(|year| places.iter().any(|place| holds(place, year)))
    };
    let mut values = vec![figure.value];
    let mut disagreements = Vec::new();
    for other in found.quotations.iter().take(COMPARED).skip(1) {
        let is_close = other.fit == Fit::Strong
            && other.apart != Some(Apart::Elsewhere)
            && other.is_tied
            && other.score >= first.score * least
            && other.coverage >= first.coverage * least
            && other.about >= first.about * about
            && is_of_year(other);
        let is_others = other.source.n != first.source.n;
        let Some(others) = self::figure(other, part).filter(|_| is_close && is_others) else {
            continue;
        };
        let is_new = values.iter().all(|value| (value - others.value).abs() > f64::EPSILON);
        if others.what == figure.what && is_new && disagreements.len() < MOST {
            values.push(others.value);
            let explained_by = explanation(&found.quotations, first, other);
            let age = other.source.compare_published(first.source);
            disagreements.push(Disagreement { other, age, explained_by });
        }
    }
    disagreements
}

/// Of what the best counts and covers, the share that what takes its place has at least.
const SUCCEEDING: f64 = 0.6;

/// The place of a quotation whose figure took the place of the best one's: the same publisher says it of the same,
/// and later. None where the question names a year: it may ask for what held then.
pub(super) fn successor(found: &PartFound<'_>, part: &Part) -> Option<usize> {
    let first = found.quotations.first()?;
    if part.asked.iter().any(|word| words::is_year(word)) {
        return None;
    }
    if part.kind == Kind::Person {
        return holder(found, part);
    }
    if !part.kind.is_figure() {
        return None;
    }
    let disagreements = opposed(found, disagreements(found, part));
    let newer = disagreements.iter().map(|it| (it.age, it.other)).find(|(age, other)| {
        *age == Some(Ordering::Greater)
            && publisher(other.source) == publisher(first.source)
            && other.score >= first.score * SUCCEEDING
            && other.coverage >= first.coverage * SUCCEEDING
            && says_the_same(other, first)
    });
    let (_, newer) = newer?;
    found.quotations.iter().position(|quotation| quotation.place == newer.place)
}

/// The place of a quotation that takes back a figure of the best one: `is 19 years, not 31`, of the same thing and not
/// older.
pub(super) fn correction(found: &PartFound<'_>) -> Option<usize> {
    let first = found.quotations.first().filter(|_| found.is_answered)?;
    let (about, figures) = (stems(&first.text), words::words(&first.text));
    found.quotations.iter().position(|other| {
        taken_back(&other.text).iter().any(|figure| figures.contains(figure))
            && other.apart.is_none()
            && other.score >= first.score * SUCCEEDING
            && other.source.compare_published(first.source) != Some(Ordering::Less)
            && stems(&other.text).intersection(&about).count() >= LEAST_SHARED
    })
}

/// Figures that a text says are not so.
fn taken_back(text: &str) -> Vec<String> {
    let all = words::words(text);
    let behind = all.iter().skip(1).zip(&all);
    let denied = behind.filter(|(figure, before)| {
        figure.starts_with(|c: char| c.is_ascii_digit()) && before.as_str() == "not"
    });
    denied.map(|(figure, _)| figure.clone()).collect()
}

/// The place of a quotation that names who came after whom the best one names: who holds an office now is told
/// by the same publisher, and later, in the same words.
fn holder(found: &PartFound<'_>, part: &Part) -> Option<usize> {
    const PAST: [&str; 4] = ["did", "had", "was", "were"];
    let first = found.quotations.first().filter(|_| found.is_answered)?;
    if words::words(&part.text).iter().any(|word| PAST.contains(&word.as_str())) {
        return None;
    }
    let name = first.answer()?;
    let mut office = stems(&first.text);
    let named = stems(name);
    office.retain(|stem| !named.contains(stem));
    found.quotations.iter().position(|other| {
        let is_newer = other.source.compare_published(first.source) == Some(Ordering::Greater);
        is_newer
            && other.apart.is_none()
            && other.answer().is_some_and(|answer| answer != name)
            && publisher(other.source) == publisher(first.source)
            && other.score >= first.score * SUCCEEDING
            && other.coverage >= first.coverage * SUCCEEDING
            && !office.is_empty()
            && office.is_subset(&stems(&other.text))
    })
}

/// Whether the words of two sentences are the same but for their figures, or of one of them all are in the other.
fn says_the_same(one: &Quotation<'_>, other: &Quotation<'_>) -> bool {
    let without_figures = |quotation: &Quotation<'_>| {
        let mut stems = stems(&quotation.text);
        stems.retain(|stem| !stem.starts_with(|c: char| c.is_ascii_digit()));
        stems
    };
    let (one, other) = (without_figures(one), without_figures(other));
    let least = one.len().min(other.len());
    one.intersection(&other).count() * 10 >= least * 8
}

/// Who publishes it: a host; documents of one's own have one publisher.
pub(super) fn publisher<'a>(source: &EvidenceSource<'a>) -> &'a str {
    let url = source.url;
    if is_own(url) {
        return "";
    }
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', ':', '?', '#']).next().unwrap_or(rest)
}

/// Words that two sentences share at least, for the other to be told as one that says otherwise of the same.
const LEAST_SHARED: usize = 3;

/// Those of [`disagreements`] that speak of the same thing in the same words.
pub(super) fn opposed<'p, 'a>(
    found: &'p PartFound<'a>,
    disagreements: Vec<Disagreement<'p, 'a>>,
) -> Vec<Disagreement<'p, 'a>> {
    let Some(first) = found.quotations.first() else { return Vec::new() };
    let about = stems(&first.text);
    let mut opposed = disagreements;
    opposed.retain(|it| stems(&it.other.text).intersection(&about).count() >= LEAST_SHARED);
    opposed
}

fn stems(text: &str) -> BTreeSet<String> {
    let words =
        tokens(text).into_iter().filter(|it| it.is_word() && !words::is_stop_word(&it.word));
    words.map(|it| stem(&it.word).into_owned()).gather()
}

/// The figure that a quotation answers with.
fn figure(quotation: &Quotation<'_>, part: &Part) -> Option<Figure> {
    let words = words::words(quotation.answer()?);
    if part.kind == Kind::Time {
        let year = words.iter().rfind(|word| word.len() == 4)?;
        return Some(Figure { value: year.parse().ok()?, what: "year".to_owned() });
    }
    let is_number = |word: &&String| {
        word.starts_with(|c: char| c.is_ascii_digit()) || lexicon::small_number(word).is_some()
    };
    let number = words.iter().find(is_number)?;
    let value = match lexicon::small_number(number) {
        Some(value) => value,
        None => number.replace(',', "").parse().ok()?,
    };
    let what: Vec<&str> =
        words.iter().filter(|word| !is_number(word)).map(String::as_str).collect();
    (!what.is_empty()).then(|| Figure { value, what: what.join(" ") })
}

/// Words that say what a figure is a figure of.
const EXPLAINING: [&str; 18] = [
    "add",
    "adds",
    "because",
    "both",
    "cover",
    "covers",
    "differ",
    "difference",
    "estimate",
    "estimated",
    "excluding",
    "figure",
    "figures",
    "includes",
    "included",
    "including",
    "measured",
    "without",
];

/// Whether a sentence has a word that says what a figure is a figure of.
#[must_use]
pub fn explains(sentence: &str) -> bool {
    words::words(sentence).iter().any(|word| EXPLAINING.contains(&word.as_str()))
}

/// A third sentence that explains why two differ: one that holds the figures of both, or stands beside one of
/// them and says what it covers.
fn explanation<'p, 'a>(
    quotations: &'p [Quotation<'a>],
    one: &Quotation<'a>,
    other: &Quotation<'a>,
) -> Option<&'p Quotation<'a>> {
    let explains = |quotation: &Quotation<'_>| explains(&quotation.text);
    if explains(one) || explains(other) {
        return None;
    }
    let figures_of = |quotation: &Quotation<'_>| -> BTreeSet<String> {
        let words = words::words(quotation.answer().unwrap_or_default()).into_iter();
        words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).gather()
    };
    let (first, second) = (figures_of(one), figures_of(other));
    let holds_both = |each: &&Quotation<'_>| {
        let figures: BTreeSet<String> = words::words(&each.text).into_iter().gather();
        !figures.is_disjoint(&first) && !figures.is_disjoint(&second)
    };
    let is_beside = |each: &Quotation<'_>, known: &Quotation<'_>| {
        each.source.n == known.source.n && each.place.abs_diff(known.place) == 1
    };
    let third =
        || quotations.iter().filter(|each| each.text != one.text && each.text != other.text);
    third().find(holds_both).or_else(|| {
        third().find(|each| explains(each) && (is_beside(each, one) || is_beside(each, other)))
    })
}
