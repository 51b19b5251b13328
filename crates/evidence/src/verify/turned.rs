//! Whether a claim turns a passage round though all its words are there: who was for what and who against it, which of
//! two numbers comes first, and of what a number is.

use super::claim::{Claim, Step};
use super::index::{Index, Sentence};
use super::lexicon::Term;
use super::quantity::{Measure, Quantity, is_same};
use super::roots::Roots;
use super::{negation, words};
use crate::text::{Token, fold};
use quarry_types::order::Gather;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

/// Tokens before a side within which stands whose side it is: `voted against`. How the vote ended is not counted.
const TAKER: usize = 2;
/// Tokens behind whoever takes a side within which it stands.
const SIDE: usize = 3;
/// The same where both are taken: `against the amendment, and for the plan`.
const SIDES: usize = 5;
/// Tokens between a word and the number that it speaks of: `closures on the 19 days`.
const BETWEEN: usize = 3;
/// The same where another number comes before it: `a limit of 40 tonnes until 2024, and of 26 since`.
const LATER: usize = 12;
/// What stands between two numbers of which the first is somebody's, or comes first: `five votes to two`.
const JOINS: [&str; 2] = ["to", "against"];
/// What no number of a score is as high as: `3-1`.
const SCORE: f64 = 200.0;
/// What stands between the two numbers of a vote.
const TO: &str = "to";
/// Words that say which way something goes or stands, with their opposites.
const WAYS: &[(&str, &str)] = &[("on", "off"), ("off", "on"), ("up", "down"), ("down", "up")];
/// Verbs before such a word.
const GOES: [&str; 19] = [
    "are", "be", "been", "came", "go", "goes", "gone", "is", "kept", "left", "moved", "stay",
    "stayed", "stays", "switched", "turned", "was", "went", "were",
];
/// Words behind "on" or "off" that show that it says how something is, and not where.
const HOW_LONG: [&str; 10] =
    ["and", "at", "because", "but", "during", "from", "in", "until", "when", "while"];
/// Tokens before such a verb within which stands who or what goes.
const GOER: usize = 6;
/// Times of a day, and which of them are others.
const TIMES: &[(&str, &[&str])] = &[
    ("afternoon", &["morning"]),
    ("evening", &["morning"]),
    ("morning", &["afternoon", "evening"]),
];
/// What stands between two of which each is something else: who won against whom, what is cheaper than what.
const ENDS: [&str; 3] = ["against", "than", "to"];
/// Words before these that say the same either way round, or join no two.
const EITHER_WAY: &[&str] = &[
    "according",
    "addition",
    "adjacent",
    "battle",
    "close",
    "closer",
    "comparable",
    "compared",
    "compete",
    "competed",
    "connected",
    "contrast",
    "corresponding",
    "corresponds",
    "draw",
    "drew",
    "equal",
    "equivalent",
    "fight",
    "fought",
    "game",
    "identical",
    "joined",
    "linked",
    "married",
    "match",
    "near",
    "nearer",
    "nearest",
    "next",
    "opposite",
    "other",
    "parallel",
    "perpendicular",
    "play",
    "played",
    "playing",
    "plays",
    "related",
    "relative",
    "respect",
    "similar",
    "tied",
    "war",
];
/// What may stand before the second of them.
const ARTICLES: [&str; 3] = ["a", "an", "the"];
static ARTICLE_ROOTS: LazyLock<Roots> = LazyLock::new(|| Roots::of(ARTICLES));
/// Tokens behind what stands between within which the second of them stands.
pub const SECOND_END: usize = 3;
/// Tokens before what stands between within which the first of them stands.
const FIRST_END: usize = 20;
/// Words behind a number that say what of a thing it measures.
const DIMENSIONS: [&str; 7] = ["deep", "high", "long", "old", "tall", "thick", "wide"];

/// Whether somebody is for what the passage has them against, or against what it has them for.
pub fn takes_other_side(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    claim.tokens.iter().enumerate().any(|(at, token)| {
        let other = match token.word.as_str() {
            "for" => "against",
            "against" => "for",
            _ => return false,
        };
        let is_to = |at: usize| claim.tokens.get(at).is_some_and(|it| it.word == TO);
        let is_of_vote = |at: &usize| is_of_vote(&claim.figures.quantities, *at, is_to);
        let before = (0..at).rev().filter(|at| !is_of_vote(at)).take(TAKER);
        let taker = before.filter_map(|at| claim.tokens.get(at)).find(|it| words::tells(it));
        let taker = taker.and_then(|it| index.term_of(&it.word));
        let side = |word: &str| index.term_of(word);
        let (Some(taker), Some(other)) = (taker, side(other)) else { return false };
        let (own, to) = (side(&token.word), index.term(TO));
        let has = |side: Option<Term>, reach: usize| {
            sentences
                .iter()
                .any(|it| places(it, taker).any(|at| is_behind(it, at, side, to, reach)))
        };
        has(Some(other), SIDE) && !has(own, SIDES)
    })
}

/// Whether a term stands so many tokens behind a place at most, how a vote ended not counted.
fn is_behind(
    sentence: &Sentence,
    place: usize,
    term: Option<Term>,
    to: Option<Term>,
    reach: usize,
) -> bool {
    let at = |at: usize| sentence.terms.get(at).copied();
    let is_to = |place: usize| to.is_some() && at(place) == to;
    let behind = place + 1..sentence.terms.len();
    let mut counted = behind
        .filter(|at| !is_of_vote(&sentence.figures.quantities, *at, is_to))
        .take(reach)
        .map(at);
    term.is_some() && counted.any(|it| it == term)
}

/// Whether a token is a number, or stands before one as in `12 to 7`.
fn is_of_vote(quantities: &[Quantity], at: usize, is_to: impl Fn(usize) -> bool) -> bool {
    let is_figure = |at: usize| {
        let next = quantities.partition_point(|it| it.at <= at);
        let last = next.checked_sub(1).and_then(|last| quantities.get(last));
        last.is_some_and(|it| at < it.at + it.length)
    };
    is_figure(at) || (is_to(at) && is_figure(at + 1))
}

/// Whether a claim says "many" of what the passage says "few".
pub fn counts_otherwise(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    let term = |word: &str| index.term_of(word);
    claim.tokens.iter().zip(claim.tokens.iter().skip(1)).any(|(many, counted)| {
        if many.word != "many" {
            return false;
        }
        let (Some(few), Some(counted)) = (term("few"), term(&counted.word)) else { return false };
        let stands = |sentence: &Sentence, at: usize| sentence.terms.get(at + 1) == Some(&counted);
        let has = |it: Term| sentences.iter().any(|s| places(s, it).any(|at| stands(s, at)));
        has(few) && !term("many").is_some_and(has)
    })
}

/// Whether something is on that is off in the passage, or went up that went down there.
pub fn goes_other_way(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    claim.tokens.iter().enumerate().skip(1).any(|(at, token)| {
        let way = WAYS.iter().find(|(way, _)| *way == token.word);
        let verb = claim.tokens.get(at - 1).filter(|it| GOES.contains(&&*it.word));
        let (Some((own, other)), Some(_)) = (way, verb) else { return false };
        if matches!(*own, "on" | "off") && !says_how(claim.tokens.get(at + 1)) {
            return false;
        }
        let term = |word: &str| index.term_of(word);
        let goers = claim.tokens.get(at.saturating_sub(GOER + 1)..at - 1).unwrap_or_default();
        let goers = goers.iter().filter(|it| words::tells(it));
        let goers: Vec<Term> = goers.filter_map(|it| term(&it.word)).collect();
        let verbs: Vec<Term> = GOES.iter().filter_map(|verb| term(verb)).collect();
        let goes = |way: &str, is_goer: &dyn Fn(&Term) -> bool| {
            let Some(way) = term(way) else { return false };
            sentences.iter().any(|sentence| {
                places(sentence, way).any(|at| {
                    let first = at.saturating_sub(GOER + 1);
                    let before = sentence.terms.get(first..at).unwrap_or_default();
                    let verb = before.last();
                    verb.is_some_and(|it| verbs.contains(it)) && before.iter().any(is_goer)
                })
            })
        };
        goes(other, &|it| goers.contains(it)) && !goes(own, &|_| true)
    })
}

/// Whether "on" or "off" before this token says how something is.
fn says_how(next: Option<&Token>) -> bool {
    next.is_none_or(|next| next.opens || next.begins || HOW_LONG.contains(&&*next.word))
}

/// Whether a claim names a time of the day where the text of the passage names another, and not this one.
pub fn is_at_other_time<'t>(claim: &Claim, text: impl FnOnce() -> &'t str) -> bool {
    let time = |token: &Token| TIMES.iter().find(|(time, _)| *time == token.word);
    let Some((own, others)) = claim.tokens.iter().find_map(time) else { return false };
    let text = fold(text());
    !text.contains(*own) && others.iter().any(|other| text.contains(*other))
}

/// Whether two have changed places around what stands between them: who won against whom, what is cheaper than what.
pub fn swaps_ends(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    let term = |token: &Token| index.term_of(&token.word);
    claim.tokens.iter().enumerate().skip(1).any(|(at, token)| {
        if !ENDS.contains(&&*token.word) {
            return false;
        }
        let before = claim.tokens.get(at - 1).filter(|it| !EITHER_WAY.contains(&&*it.word));
        let mut behind = claim.tokens.iter().skip(at + 1).take(SECOND_END);
        let end = behind.find(|it| !ARTICLES.contains(&&*it.word));
        let end = end.filter(|it| words::tells(it));
        let terms = (before.and_then(term), term(token), end.and_then(term));
        let (Some(before), Some(joint), Some(end)) = terms else { return false };
        let is_less = |it: &Token| it.word == "less";
        let is_less = at.checked_sub(2).and_then(|at| claim.tokens.get(at)).is_some_and(is_less);
        let firsts = claim.tokens.get(at.saturating_sub(FIRST_END)..at - 1).unwrap_or_default();
        let firsts = firsts.iter().filter(|it| words::tells(it));
        let firsts: Vec<Term> = firsts.filter_map(term).filter(|it| *it != end).collect();
        let joints = sentences
            .iter()
            .flat_map(|sentence| places(sentence, joint).map(move |at| (sentence, at)))
            .filter(|(sentence, at)| {
                is_joined_so(sentence, *at, before, index.term_of("less"), is_less)
            });
        let (mut is_turned, mut is_said) = (false, false);
        for (sentence, at) in joints {
            let Some(other) = second_end(sentence, index, at, &ARTICLE_ROOTS) else { continue };
            let ahead = sentence.terms.get(at.saturating_sub(FIRST_END)..at).unwrap_or_default();
            is_said |= other == end;
            is_turned |= firsts.contains(&other) && ahead.contains(&end);
        }
        is_turned && !is_said
    })
}

/// Whether this term stands before a place, and "less" before that where it is less.
fn is_joined_so(
    sentence: &Sentence,
    place: usize,
    before: Term,
    less: Option<Term>,
    is_less: bool,
) -> bool {
    let at = |back: usize| place.checked_sub(back).and_then(|at| sentence.terms.get(at)).copied();
    let has_less = less.is_some() && at(2) == less;
    at(1) == Some(before) && has_less == is_less
}

/// What stands behind a place, these articles aside.
pub fn second_end(
    sentence: &Sentence,
    index: &Index,
    place: usize,
    articles: &Roots,
) -> Option<Term> {
    let behind = sentence.terms.iter().skip(place + 1).take(SECOND_END);
    behind.copied().find(|term| !index.is_of(*term, articles))
}

/// Where a term stands in a sentence.
pub fn places(sentence: &Sentence, term: Term) -> impl Iterator<Item = usize> {
    let terms = sentence.terms.iter().enumerate();
    terms.filter(move |(_, it)| **it == term).map(|(at, _)| at)
}

/// The tokens of a sentence that say a claim word for word. What the sentence denies elsewhere speaks of something else:
/// `The toll was 6 euros; since 2022 there has been no toll`.
pub fn word_for_word(claim: &Claim, index: &Index, sentence: &Sentence) -> Option<Range<usize>> {
    if sentence.denied.is_empty() || claim.tokens.len() > sentence.terms.len() {
        return None;
    }
    let term = |token: &Token| index.term_of(&token.word);
    let terms: Vec<_> = claim.tokens.iter().map(term).collect::<Option<_>>()?;
    let at = sentence.terms.windows(terms.len().max(1)).position(|part| *part == *terms)?;
    Some(at..at + terms.len())
}

/// Whether a number of the claim is one that the passage names to say that it is not so, and no other: `19 years, not 31`.
pub fn is_denied_number(claim: &Claim, sentences: &[Sentence]) -> bool {
    if sentences.iter().all(|sentence| sentence.denied.is_empty()) {
        return false;
    }
    let own = negation::denied(&claim.tokens);
    let starts = |denied: &[Range<usize>]| denied.iter().map(|it| it.start).gather();
    let own: BTreeSet<usize> = starts(&own);
    // A line may deny as often as it has numbers.
    let there = sentences.iter().flat_map(|sentence| {
        let denied: BTreeSet<usize> = starts(&sentence.denied);
        let quantities = sentence.figures.quantities.iter();
        quantities.map(move |it| (it, denied.contains(&it.at)))
    });
    let there: Vec<(&Quantity, bool)> = there.collect();
    if !there.iter().any(|(_, is_denied)| *is_denied) {
        return false;
    }
    let quantities = claim.figures.quantities.iter();
    quantities
        .filter(|it| !it.is_vague && !own.contains(&it.at))
        .any(|quantity| is_only_marked(quantity, &there))
}

/// Whether numbers with the value of this one are among these, and each of them is marked.
pub fn is_only_marked(quantity: &Quantity, there: &[(&Quantity, bool)]) -> bool {
    let mut same = there.iter().filter(|(other, _)| quantity.has_value(other)).peekable();
    same.peek().is_some() && same.all(|(_, is_marked)| *is_marked)
}

/// Whether two numbers that belong together stand the other way round in the passage, and nowhere as they do here.
pub fn swaps_numbers(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    let claimed = pairs(&claim.figures.quantities, |at| {
        let token = claim.tokens.get(at);
        token.is_some_and(|token| JOINS.contains(&token.word.as_str()))
    });
    if claimed.is_empty() {
        return false;
    }
    let joins = JOINS.map(|word| index.term_of(word));
    let there: Vec<(f64, f64)> = sentences
        .iter()
        .flat_map(|sentence| {
            let is_join = |at: usize| {
                let term = sentence.terms.get(at).copied();
                term.is_some() && joins.contains(&term)
            };
            pairs(&sentence.figures.quantities, is_join)
        })
        .collect();
    let says = |one: f64, other: f64| {
        there.iter().any(|(first, second)| is_same(*first, one) && is_same(*second, other))
    };
    claimed.iter().any(|(one, other)| says(*other, *one) && !says(*one, *other))
}

/// The values of numbers in a row with only this between them, and what the first counts.
fn pairs(quantities: &[Quantity], is_join: impl Fn(usize) -> bool) -> Vec<(f64, f64)> {
    let pairs = quantities.iter().zip(quantities.iter().skip(1));
    let joined = pairs.filter(|(one, other)| {
        let end = one.at + one.length + one.unit;
        let gap = other.at.saturating_sub(end);
        let is_score = other.is_dashed && gap == 0 && other.value < SCORE && one.value < SCORE;
        is_score || ((1..=2).contains(&gap) && is_join(other.at - 1))
    });
    joined.map(|(one, other)| (one.value, other.value)).collect()
}

/// Whether a number is that of something else: where its word stands in the passage, another of its kind stands beside it.
pub fn is_of_another(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    (0..claim.steps.len()).any(|step| {
        let Some(Step::Quantity(at)) = claim.steps.get(step) else { return false };
        let quantity = claim.figures.quantities.get(*at);
        let Some(quantity) = quantity.filter(|it| matches!(it.measure, Measure::Of(_))) else {
            return false;
        };
        let said_of = said_of(claim, step, quantity).and_then(|root| index.term(root));
        let dimension = dimension(claim, quantity).and_then(|root| index.term(&root));
        said_of.is_some_and(|term| has_rival(quantity, term, index, sentences))
            || dimension.is_some_and(|term| measures_other(quantity, term, sentences))
    })
}

/// The root of the word before a number, with nothing that tells between them.
fn said_of<'c>(claim: &'c Claim, step: usize, quantity: &Quantity) -> Option<&'c str> {
    let before = step.checked_sub(1)?;
    let (Some(Step::Word(word)), Some(at)) = (claim.steps.get(before), claim.at.get(before)) else {
        return None;
    };
    let is_beside = quantity.at.saturating_sub(*at) <= BETWEEN + 1;
    claim.words.get(*word).filter(|_| is_beside).map(|word| word.root.as_str())
}

/// The root of the word behind a number that says what of a thing it measures.
fn dimension(claim: &Claim, quantity: &Quantity) -> Option<String> {
    let behind = claim.tokens.get(quantity.at + quantity.length + quantity.unit)?;
    let is_one = DIMENSIONS.contains(&behind.word.as_str());
    is_one.then(|| words::root(&behind.word).into_owned())
}

/// Whether another number of this kind stands right behind a word, and this one nowhere behind it.
fn has_rival(quantity: &Quantity, word: Term, index: &Index, sentences: &[Sentence]) -> bool {
    let mut found = false;
    for sentence in sentences {
        for place in places(sentence, word) {
            let quantities = &sentence.figures.quantities;
            let first = quantities.partition_point(|it| it.at <= place);
            let behind = quantities.iter().skip(first);
            let next = quantities.get(first);
            if behind.take_while(|it| it.at - place <= LATER).any(|it| quantity.is_said_by(it)) {
                return false;
            }
            found |= next.is_some_and(|it| {
                it.at - place <= BETWEEN + 1
                    && it.measure == quantity.measure
                    && says_little(sentence, index, place + 1..it.at)
            });
        }
    }
    found
}

fn says_little(sentence: &Sentence, index: &Index, tokens: Range<usize>) -> bool {
    let terms = sentence.terms.get(tokens).unwrap_or_default();
    terms.iter().all(|term| index.is_small(*term))
}

/// Whether a sentence with this number has another of its kind right before the word for what it measures, and none has this
/// one near that word. Each number is looked at once, however often a line has the word.
fn measures_other(quantity: &Quantity, word: Term, sentences: &[Sentence]) -> bool {
    let mut found = false;
    for sentence in sentences {
        let (mut is_said, mut is_rivalled) = (false, false);
        for it in &sentence.figures.quantities {
            let end = it.at + it.length + it.unit;
            let near =
                sentence.terms.get(it.at.saturating_sub(1)..(end + 2).min(sentence.terms.len()));
            is_rivalled |= it.measure == quantity.measure && sentence.terms.get(end) == Some(&word);
            if quantity.is_said_by(it) {
                if near.is_some_and(|near| near.contains(&word)) {
                    return false;
                }
                is_said = true;
            }
        }
        found |= is_said && is_rivalled;
    }
    found
}
