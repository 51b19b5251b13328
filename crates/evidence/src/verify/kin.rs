//! Words that are not the same but come to the same: `charity` and `charitable`, `FDA` and `Food and Drug
//! Administration`.

use super::claim::Word;
use super::index::Index;
use super::window::Sought;
use super::words;
use crate::text::{Shape, Token};
use std::ops::Range;

/// How much a word of the same family counts, of 1.
const KIN: f64 = 0.8;
/// How much another word for it counts.
const SYNONYM: f64 = 0.75;
/// Letters that words of one family share at least.
const LEAST_SHARED: usize = 5;
/// The same, of a people and its land.
const LEAST_OF_LAND: usize = 4;
/// Missing words, and tokens of a window, that are looked at: their product is work.
const MOST_MISSING: usize = 16;
const MOST_TOKENS: usize = 600;

/// For each word of a claim how much of it a window has: 1, less for a word of its family or another that
/// can stand for it, 0.
pub fn shares(sought: &Sought<'_>, window: &Range<usize>, has: &[bool]) -> Vec<f64> {
    let index = sought.index;
    let mut shares: Vec<f64> = has.iter().map(|has| if *has { 1.0 } else { 0.0 }).collect();
    let sentences = index.sentences(window.clone());
    let has_root = |is_it: &dyn Fn(&str) -> bool| {
        let mut terms = sentences.iter().flat_map(|sentence| &sentence.terms).take(MOST_TOKENS);
        terms.any(|term| is_it(index.root(*term)))
    };
    let words = sought.claim.words.iter().zip(0..).zip(&mut shares);
    let missing = words.filter(|(_, share)| **share <= 0.0);
    for ((word, at), share) in missing.take(MOST_MISSING) {
        let root = word.root.as_str();
        *share = if word.is_name {
            let is_there =
                is_abbreviated(word, index, window) || has_root(&|other| is_people(root, other));
            if is_there { 1.0 } else { 0.0 }
        } else if has_root(&|other| is_kin(root, other)) {
            KIN
        } else if sought.others(at).iter().any(|term| !index.places(*term, window).is_empty()) {
            SYNONYM
        } else {
            0.0
        };
    }
    shares
}

/// Whether a window has the abbreviation of a name, or what a name abbreviates.
fn is_abbreviated(word: &Word, index: &Index, window: &Range<usize>) -> bool {
    word.initials.as_ref().is_some_and(|abbreviation| match abbreviation {
        Abbreviation::Is(short) => {
            let mut sentences = index.sentences(window.clone()).iter();
            sentences.any(|sentence| sentence.initials.contains(short.as_str()))
        }
        Abbreviation::Of(long) => {
            let said = index.term(long);
            said.is_some_and(|term| !index.places(term, window).is_empty())
        }
    })
}

/// Whether two roots are of one family: all but an ending is the same.
fn is_kin(one: &str, other: &str) -> bool {
    if words::is_alone(one) || words::is_alone(other) {
        return false;
    }
    let shared = shared(one, other);
    shared >= LEAST_SHARED && shared + 1 >= one.len().min(other.len())
}

/// Whether one of two roots names a people or a language, the other the land: `texan`, `texa`.
fn is_people(one: &str, other: &str) -> bool {
    const PEOPLE: [&str; 9] = ["n", "an", "ian", "ean", "ese", "ish", "i", "ic", "nese"];
    const LAND: [&str; 6] = ["", "a", "ia", "y", "o", "e"];
    let shared = shared(one, other);
    if shared < LEAST_OF_LAND {
        return false;
    }
    let ends = (one.get(shared..), other.get(shared..));
    let (Some(one), Some(other)) = ends else { return false };
    (PEOPLE.contains(&one) && LAND.contains(&other))
        || (LAND.contains(&one) && PEOPLE.contains(&other))
}

/// How many bytes two roots begin with alike.
fn shared(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count()
}

/// The initials of names in a row, those of other words as blanks; small words between names are left out.
pub fn initials(tokens: &[Token]) -> String {
    let said =
        tokens.iter().filter(|token| token.is_name() || !words::is_function_word(&token.word));
    said.map(|token| if token.is_name() { token.word.chars().next().unwrap_or(' ') } else { ' ' })
        .collect()
}

/// How a name is abbreviated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Abbreviation {
    /// It is one: `FDA`.
    Is(String),
    /// These are the initials of the names in a row that it stands among.
    Of(String),
}

/// The abbreviation that a name could be, or be part of.
pub fn abbreviation(tokens: &[Token], at: usize) -> Option<Abbreviation> {
    let token = tokens.get(at)?;
    if token.shape == Shape::Upper {
        return token.word.is_ascii().then(|| Abbreviation::Is(token.word.clone()));
    }
    let is_name = |it: &&Token| it.is_name() && (it.shape == Shape::Upper || words::tells(it));
    let before = tokens.get(..at)?.iter().rev().take(5).take_while(is_name).count();
    let behind = tokens.get(at..)?.iter().take(6).take_while(is_name).count();
    let row = tokens.get(at - before..at + behind).filter(|row| row.len() > 1)?;
    Some(Abbreviation::Of(row.iter().filter_map(|token| token.word.chars().next()).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;

    #[test]
    fn families_share_all_but_an_ending() {
        for (one, other) in [("charit", "chariti"), ("revolut", "revolutionari")] {
            assert!(is_kin(one, other) && is_kin(other, one));
        }
        for (one, other) in [("contract", "contradict"), ("iran", "iraq"), ("austria", "australia")]
        {
            assert!(!is_kin(one, other));
        }
    }

    #[test]
    fn a_people_is_of_its_land() {
        for (one, other) in [("texan", "texas"), ("persian", "persia"), ("canadians", "canada")] {
            let root = |word: &str| words::root(word).into_owned();
            assert!(is_people(&root(one), &root(other)), "{one} {other}");
            assert!(is_people(&root(other), &root(one)), "{other} {one}");
        }
        for (one, other) in [("austria", "australia"), ("iran", "iraq"), ("georg", "georgia")] {
            assert!(!is_people(one, other), "{one} {other}");
        }
    }

    #[test]
    fn names_in_a_row_have_initials() {
        assert_eq!(initials(&tokens("the Food and Drug Administration said")), "fda ");
        let tokens = tokens("in the United States");
        for part in [2, 3] {
            assert_eq!(abbreviation(&tokens, part), Some(Abbreviation::Of("us".to_owned())));
        }
    }
}
