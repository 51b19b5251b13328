//! Whether a number of a claim is that of something else in the passage, though both have the number and the word: what
//! it counts, what happened in a year, how much it was in a year.
//!
//! Border: figures with the words right beside them, as [`Figures`](super::quantity::Figures) has them. Only what stands
//! so close that it can belong to nothing else speaks against a claim.

use super::claim::Claim;
use super::index::{Index, Sentence};
use super::lexicon::Term;
use super::quantity::{Measure, Quantity, is_same};
use super::value::YEARS;
use super::{beside, turned, words};

/// Tokens behind a number within which stands what it counts: `40 small wooden boats`.
pub const COUNTED: usize = 4;
/// Tokens behind a word within which stands the year in which it happened.
const YEARS_BEHIND: usize = 12;

/// A number, and the word that it stands beside.
type Pair = (f64, Term);

/// Whether a number of the claim is bound to something else in the passage.
pub fn is_of_another(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    !claim.figures.quantities.is_empty()
        && (counts_other(claim, index, sentences)
            || beside::counts_what_is_beside(claim, index, sentences)
            || is_year_of_other(claim, index, sentences)
            || is_of_other_year(claim, index, sentences))
}

/// Whether a number is a year that nothing counts.
pub fn is_year(quantity: &Quantity) -> bool {
    quantity.measure == Measure::Plain
        && quantity.length == 1
        && !quantity.counts
        && !quantity.is_grouped
        && YEARS.contains(&quantity.value)
}

/// Whether a number says how many there are of what stands behind it.
pub fn is_count(quantity: &Quantity) -> bool {
    quantity.measure == Measure::Plain && !quantity.is_vague && !YEARS.contains(&quantity.value)
}

/// The term of a token of the claim.
pub fn term(claim: &Claim, index: &Index, at: usize) -> Option<Term> {
    index.term_of(&claim.tokens.get(at)?.word)
}

/// Whether a pair has changed its partners in these others: its word stands beside another number, and its number beside
/// another word.
fn is_parted(pair: &Pair, others: &[Pair]) -> bool {
    let has_value = |it: &Pair| is_same(it.0, pair.0);
    others.iter().any(|it| it.1 == pair.1 && !has_value(it))
        && others.iter().any(|it| it.1 != pair.1 && has_value(it))
        && !others.iter().any(|it| it.1 == pair.1 && has_value(it))
}

/// Whether the passage counts with a number what the claim counts with another, and the other way round. Where the claim
/// counts only one of them, both may be the same, or part of it: `200 people, of whom 50 workers`, `12 others`.
fn counts_other(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    let counts = claim.figures.quantities.iter().filter(|it| is_count(it));
    let counts = counts.filter_map(|it| Some((it.value, term(claim, index, it.noun()?)?)));
    let claimed: Vec<Pair> = counts.collect();
    if claimed.is_empty() {
        return false;
    }
    let there = sentences.iter().flat_map(|sentence| {
        let counts = sentence.figures.quantities.iter().filter(|it| is_count(it));
        counts.filter_map(move |it| Some((it.value, *sentence.terms.get(it.noun()?)?)))
    });
    let there: Vec<Pair> = there.collect();
    let is_claimed_otherwise =
        |it: &Pair| claimed.iter().any(|own| own.1 == it.1 && !is_same(own.0, it.0));
    let takes_another = |pair: &Pair| {
        let mut others = there.iter().filter(|it| it.1 != pair.1 && is_same(it.0, pair.0));
        others.any(is_claimed_otherwise)
    };
    let is_said = |pair: &Pair| sentences.iter().any(|it| has_count(it, pair));
    claimed.iter().any(|pair| is_parted(pair, &there) && takes_another(pair) && !is_said(pair))
}

/// Whether a sentence has a number with its word not far behind it, and no other number between.
fn has_count(sentence: &Sentence, (value, word): &Pair) -> bool {
    let quantities = &sentence.figures.quantities;
    quantities.iter().enumerate().filter(|(_, it)| is_same(it.value, *value)).any(|(n, it)| {
        let from = it.at + it.length;
        let next = quantities.get(n + 1).map_or(usize::MAX, |next| next.at);
        let until = next.min(from + COUNTED).min(sentence.terms.len());
        sentence.terms.get(from..until).is_some_and(|behind| behind.contains(word))
    })
}

/// Whether in a sentence of the passage something else happened in a year of the claim, and what the claim says of it in
/// another: `founded in 2005 and sold in 1990`.
fn is_year_of_other(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    let years = claim.figures.quantities.iter().filter(|it| is_year(it));
    let years = years.filter_map(|it| {
        let (word, joint) = (it.at.checked_sub(2)?, it.at.checked_sub(1)?);
        let is_in = claim.tokens.get(joint)?.word == "in";
        let says = !words::is_function_word(&claim.tokens.get(word)?.word);
        Some((it.value, term(claim, index, word).filter(|_| is_in && says)?))
    });
    let claimed: Vec<Pair> = years.collect();
    let Some(joint) = index.term("in").filter(|_| !claimed.is_empty()) else { return false };
    let there: Vec<Vec<Pair>> = sentences.iter().map(|it| years_of(it, index, joint)).collect();
    let is_said = |pair: &Pair| sentences.iter().any(|it| has_year(it, index, pair));
    claimed.iter().any(|pair| there.iter().any(|it| is_parted(pair, it)) && !is_said(pair))
}

/// The years of a sentence with the word before `in`.
fn years_of(sentence: &Sentence, index: &Index, joint: Term) -> Vec<Pair> {
    let years = sentence.figures.quantities.iter().filter(|it| is_year(it));
    let years = years.filter_map(|it| {
        let word = *sentence.terms.get(it.at.checked_sub(2)?)?;
        let is_in = *sentence.terms.get(it.at.checked_sub(1)?)? == joint;
        (is_in && !index.is_small(word)).then_some((it.value, word))
    });
    years.collect()
}

/// Whether a year stands behind a word in a sentence, with nothing between that tells: `closed in 1990 and 2005`.
fn has_year(sentence: &Sentence, index: &Index, (year, word): &Pair) -> bool {
    turned::places(sentence, *word).any(|at| {
        let behind = sentence.terms.iter().enumerate().skip(at + 1).take(YEARS_BEHIND - 1);
        for (place, term) in behind {
            match number_at(sentence, place) {
                Some(value) if is_same(value, *year) => return true,
                None if !index.is_small(*term) => return false,
                Some(_) | None => {}
            }
        }
        false
    })
}

/// The number, or the year of the date, that begins with a token.
fn number_at(sentence: &Sentence, at: usize) -> Option<f64> {
    let plain = sentence.figures.beginning(at).map(|it| it.value);
    plain.or_else(|| sentence.figures.date_beginning(at)?.year.map(f64::from))
}

/// Whether a sentence of the passage gives one number for each of some years, and this one for another than the claim.
fn is_of_other_year(claim: &Claim, index: &Index, sentences: &[Sentence]) -> bool {
    let is_in = |at: usize| claim.tokens.get(at).is_some_and(|token| token.word == "in");
    let quantities = &claim.figures.quantities;
    let claimed = if claim.figures.dates.is_empty() { by_year(quantities, is_in) } else { None };
    let (Some(claimed), Some(joint)) = (claimed, index.term("in")) else { return false };
    let there: Vec<(f64, &Quantity)> = sentences
        .iter()
        .filter(|sentence| sentence.figures.dates.is_empty())
        .filter_map(|sentence| {
            let is_in = |at: usize| sentence.terms.get(at) == Some(&joint);
            by_year(&sentence.figures.quantities, is_in).filter(|pairs| pairs.len() > 1)
        })
        .flatten()
        .collect();
    claimed.iter().any(|(year, number)| {
        let is_said = |it: &(f64, &Quantity)| number.is_said_by(it.1);
        let is_then = |it: &(f64, &Quantity)| is_same(it.0, *year);
        there.iter().any(|it| is_then(it) && !is_said(it))
            && there.iter().any(|it| !is_then(it) && is_said(it))
            && !there.iter().any(|it| is_then(it) && is_said(it))
    })
}

/// Years with a number each, where there is nothing else and one follows the other all along: `in 2019 it was 5 euros, in
/// 2020 8`.
fn by_year(
    quantities: &[Quantity],
    is_in: impl Fn(usize) -> bool,
) -> Option<Vec<(f64, &Quantity)>> {
    let pairs = quantities.chunks(2).map(|pair| {
        let [one, other] = pair else { return None };
        let (year, number) = if is_year(one) { (one, other) } else { (other, one) };
        let is_number = matches!(number.measure, Measure::Of(_) | Measure::Plain);
        let is_pair = is_year(year) && !is_year(number) && is_number && !number.is_vague;
        let is_in = is_pair && year.at.checked_sub(1).is_some_and(&is_in);
        is_in.then_some((year.at < number.at, (year.value, number)))
    });
    let pairs: Vec<(bool, (f64, &Quantity))> = pairs.collect::<Option<_>>()?;
    let is_alike = pairs.iter().all(|(order, _)| pairs.first().is_some_and(|it| it.0 == *order));
    (is_alike && !pairs.is_empty()).then(|| pairs.into_iter().map(|(_, pair)| pair).collect())
}
