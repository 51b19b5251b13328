//! Where sources contradict each other, as far as figures, days and names show it.
//!
//! Border: what was found for a part of a question in, pairs out that answer it with different figures
//! of one kind, other days or other names. It finds candidates, not proofs.

use super::EvidenceSource;
use super::answering::Apart;
use super::holders;
use super::kind::Kind;
use super::lexicon::Dimension;
use super::offers::Fit;
use super::question::Part;
use super::rank::{PartFound, Quotation};
use super::unsaid;
use super::values::{self, Amount, Value};
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

impl Quotation<'_> {
    /// The words of it that answer, where they are a whole figure: of `1 hour and 30 minutes` neither part is.
    pub(super) fn whole_answer(&self) -> Option<&str> {
        let span = self.span.as_ref()?;
        self.answer().filter(|_| !values::is_part(&self.text, &span.bytes))
    }

    /// What they come to, within the bounds that the words before them tell: `over 250 metres`.
    pub(super) fn amount(&self) -> Option<Amount> {
        self.whole_answer()?;
        Amount::read_in(&self.text, &self.span.as_ref()?.bytes)
    }
}

/// What a quotation answers with.
enum Answered<'q> {
    Value(Value),
    Name(&'q str),
}

impl<'q> Answered<'q> {
    fn of(quotation: &'q Quotation<'_>, kind: Kind) -> Option<Self> {
        let answer = quotation.answer()?;
        match kind {
            Kind::Time => Value::of_time(answer).map(Answered::Value),
            Kind::Count | Kind::Amount(_) => {
                quotation.amount().map(Value::Amount).map(Answered::Value)
            }
            Kind::Person | Kind::Place => Some(Answered::Name(answer)),
            Kind::Reason
            | Kind::Polar
            | Kind::List
            | Kind::Compare
            | Kind::Definition
            | Kind::Fact => None,
        }
    }

    /// Whether another answer is another one, and not this one in other words.
    fn differs(&self, other: &Answered<'_>) -> bool {
        match (self, other) {
            (Answered::Value(one), Answered::Value(other)) => one.differs(other) == Some(true),
            (Answered::Name(one), Answered::Name(other)) => holders::is_another(one, other),
            (Answered::Value(_), Answered::Name(_)) | (Answered::Name(_), Answered::Value(_)) => {
                false
            }
        }
    }

    /// Whether it has bounds, and another answer may be within them.
    fn has_within(&self, other: &Answered<'_>) -> bool {
        let is_bounded = matches!(self, Answered::Value(Value::Amount(it)) if it.is_bounded());
        is_bounded && !self.differs(other)
    }

    /// Of what the best counts and covers, the share that another answer has at least.
    fn least(&self, kind: Kind) -> f64 {
        match self {
            Answered::Name(_) => LEAST_OF_DATES,
            Answered::Value(_) if kind == Kind::Time => LEAST_OF_DATES,
            Answered::Value(Value::Amount(amount))
                if kind == Kind::Count && !amount.is_of_people() =>
            {
                LEAST_OF_COUNTS
            }
            Answered::Value(_) => LEAST_OF_AMOUNTS,
        }
    }
}

/// Quotations of other sources that answer with another figure, day or name than the best.
pub(super) fn disagreements<'p, 'a>(
    found: &'p PartFound<'a>,
    part: &Part,
) -> Vec<Disagreement<'p, 'a>> {
    let first = found.quotations.first().filter(|_| found.is_answered);
    let told = first.and_then(|first| Some((first, Answered::of(first, part.kind)?)));
    let Some((first, answer)) = told else { return Vec::new() };
    let least = answer.least(part.kind);
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
    let tell = |other: &'p Quotation<'a>| {
        // What a name covers no sentence says.
        let is_strict = part.kind.is_strict();
        let explained_by =
            is_strict.then(|| explanation(&found.quotations, first, other)).flatten();
        let age = other.source.compare_published(first.source);
        Disagreement { other, age, explained_by }
    };
    let mut answers = vec![answer];
    let mut disagreements = Vec::new();
    let mut within = Vec::new();
    for other in found.quotations.iter().take(COMPARED).skip(1) {
        let is_close = other.fit == Fit::Strong
            && other.apart != Some(Apart::Elsewhere)
            && other.is_tied
            && other.score >= first.score * least
            && other.coverage >= first.coverage * least
            && other.about >= first.about * about
            && is_of_year(other);
        let is_others = other.source.n != first.source.n;
        let answer = Answered::of(other, part.kind).filter(|_| is_close && is_others);
        let Some(answer) = answer else { continue };
        let is_new = answers.iter().all(|known| known.differs(&answer));
        let is_of_it = answers
            .first()
            .is_some_and(|of_first| speaks_of_the_same(found, (first, of_first), (other, &answer)));
        if is_new && is_of_it && disagreements.len() < MOST {
            answers.push(answer);
            disagreements.push(tell(other));
        } else if is_of_it && answers.first().is_some_and(|it| it.has_within(&answer)) {
            within.push((other, answer));
        }
    }
    if disagreements.is_empty() {
        disagreements.extend(apart(&within).into_iter().flatten().map(tell));
    }
    let told = |known: &[Disagreement<'_, '_>], other: &Quotation<'_>| {
        known.iter().any(|known| known.other.source.n == other.source.n)
    };
    for other in found.quotations.iter().take(COMPARED).skip(1) {
        let is_new = disagreements.len() < MOST && !told(&disagreements, other);
        if is_new && is_of_year(other) && denies_the_figure_of(other, first) {
            disagreements.push(tell(other));
        }
    }
    disagreements
}

/// Whether another source says of the same that a figure is not so: `no longer has 40 members`.
fn denies_the_figure_of(other: &Quotation<'_>, first: &Quotation<'_>) -> bool {
    let denied = unsaid::denied_figures(&other.text);
    let is_denied = || {
        let answer = words::words(first.answer().unwrap_or_default());
        answer.iter().any(|word| denied.contains(word))
    };
    other.source.n != first.source.n
        && is_denied()
        && other.coverage >= first.coverage * SUCCEEDING
        && says_the_same(other, first)
}

/// Two of these that differ from each other: `over 250 metres` has room for both 262 and 300, and they cannot both be so.
fn apart<'p, 'a>(within: &[(&'p Quotation<'a>, Answered<'p>)]) -> Option<[&'p Quotation<'a>; 2]> {
    within.iter().enumerate().find_map(|(n, (one, answer))| {
        let mut others = within.iter().skip(n + 1);
        let differs = |(other, another): &&(&Quotation<'_>, Answered<'_>)| {
            one.source.n != other.source.n && answer.differs(another)
        };
        others.find(differs).map(|(other, _)| [*one, *other])
    })
}

/// Whether two quotations give the same answer: the same value, or the name of the same. A year says less than a day of it.
pub(super) fn agree(one: &Quotation<'_>, other: &Quotation<'_>, kind: Kind) -> bool {
    let Some((of_one, answer)) = one.whole_answer().zip(other.whole_answer()) else { return false };
    (values::key(of_one) == values::key(answer)
        || (matches!(kind, Kind::Person | Kind::Place) && holders::is_same(of_one, answer))
        || (kind.is_figure() && values::are_same(of_one, answer)))
        && !exclude_each_other(one, other)
}

/// Whether one figure has bounds in one sentence that it does not have in the other: `over 250` and `at most 250`.
fn exclude_each_other(one: &Quotation<'_>, other: &Quotation<'_>) -> bool {
    one.amount().zip(other.amount()).is_some_and(|(one, other)| one.differs(&other) == Some(true))
}

/// Whether both give an answer, and another one: `14 May 2012` and `14 June 2012`.
pub(super) fn answers_otherwise(one: &Quotation<'_>, other: &Quotation<'_>) -> bool {
    let is_other = one.answer().zip(other.answer()).is_some_and(|(one, other)| {
        values::key(one) != values::key(other) && !holders::is_same(one, other)
    });
    is_other || exclude_each_other(one, other)
}

/// Whether two answers that differ are answers to the same, as far as the words around them tell. Figures are of what they
/// count; of days in one year and of names it takes more to say so.
fn speaks_of_the_same(
    found: &PartFound<'_>,
    (first, of_first): (&Quotation<'_>, &Answered<'_>),
    (other, of_other): (&Quotation<'_>, &Answered<'_>),
) -> bool {
    match (of_first, of_other) {
        (Answered::Value(one), Answered::Value(another)) => {
            !one.is_of_year_of(another) || say_the_same_beside_their_answers(first, other)
        }
        (Answered::Name(one), Answered::Name(another)) => {
            // Who stands beside somebody, and what lies in something, is named in one breath with it.
            let mut texts = found.quotations.iter().map(|it| it.text.as_str());
            !texts.any(|text| holders::is_named(text, one) && holders::is_named(text, another))
                && are_of_one_time(first, other)
                && say_the_same_beside_their_answers(first, other)
        }
        (Answered::Value(_), Answered::Name(_)) | (Answered::Name(_), Answered::Value(_)) => false,
    }
}

/// Whether two sentences name a year in common, or one of them names none.
fn are_of_one_time(one: &Quotation<'_>, other: &Quotation<'_>) -> bool {
    let years = |quotation: &Quotation<'_>| -> BTreeSet<String> {
        words::words(&quotation.text).into_iter().filter(|word| words::is_year(word)).gather()
    };
    let (one, other) = (years(one), years(other));
    one.is_empty() || other.is_empty() || !one.is_disjoint(&other)
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
    let disagreements = opposed(found, part, disagreements(found, part));
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
    let (about, figures) = (stems_without(first, ""), words::words(&first.text));
    found.quotations.iter().position(|other| {
        let own = stems_without(other, "");
        unsaid::denied_figures(&other.text).iter().any(|figure| figures.contains(figure))
            && other.apart.is_none()
            && other.score >= first.score * SUCCEEDING
            && other.source.compare_published(first.source) != Some(Ordering::Less)
            && (own.intersection(&about).count() >= LEAST_SHARED || about.is_subset(&own))
    })
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
    says_the_same_of(&stems_without(one, ""), &stems_without(other, ""))
}

fn say_the_same_beside_their_answers(one: &Quotation<'_>, other: &Quotation<'_>) -> bool {
    let beside = |it: &Quotation<'_>| stems_without(it, it.answer().unwrap_or_default());
    says_the_same_of(&beside(one), &beside(other))
}

fn says_the_same_of(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let least = one.len().min(other.len());
    one.intersection(other).count() * 10 >= least * 8
}

/// The stems of a sentence but for its figures and the words that answer.
fn stems_without(quotation: &Quotation<'_>, answer: &str) -> BTreeSet<String> {
    let named = stems(answer);
    let mut stems = stems(&quotation.text);
    stems.retain(|stem| !stem.starts_with(|c: char| c.is_ascii_digit()) && !named.contains(stem));
    stems
}

/// Who publishes it: a host; documents of one's own have one publisher.
pub(super) fn publisher<'a>(source: &EvidenceSource<'a>) -> &'a str {
    let url = source.url;
    if is_own(url) {
        return "";
    }
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', ':', '?', '#']).next().unwrap_or(rest);
    // `www.` before a host is the same host.
    let (www, bare) = host.split_at_checked(4).unwrap_or_default();
    if www.eq_ignore_ascii_case("www.") { bare } else { host }
}

/// Words that two sentences share at least, for the other to be told as one that says otherwise of the same.
const LEAST_SHARED: usize = 3;

/// Those of [`disagreements`] that speak of the same thing in the same words: figures and days alone.
pub(super) fn opposed<'p, 'a>(
    found: &'p PartFound<'a>,
    part: &Part,
    disagreements: Vec<Disagreement<'p, 'a>>,
) -> Vec<Disagreement<'p, 'a>> {
    let first = found.quotations.first().filter(|_| part.kind.is_strict());
    let Some(first) = first else { return Vec::new() };
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
    // What both have, as days of one year have the year, tells of neither.
    let (first, second) = (&first - &second, &second - &first);
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
