//! Comparing texts as people sort them: by letter, then accent, then case.
//!
//! Border: a compact order of our own, not the Unicode Collation Algorithm. Texts are decomposed;
//! spaces come before marks, marks before digits, digits before letters; letters of one script
//! follow the code points of their small forms. No language's own alphabet is known (Swedish ö
//! sorts as o with an accent).

use std::{cmp::Ordering, ops::ControlFlow};

use icu_normalizer::DecomposingNormalizerBorrowed;

/// Marks in the order in which they are usually sorted.
const MARKS: &str = "_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// Which differences count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sensitivity {
    /// Letters only.
    Base,
    /// Letters and accents.
    Accent,
    /// Letters and case.
    Case,
    /// All.
    Variant,
}

/// How to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Collation {
    pub(crate) sensitivity: Sensitivity,
    /// Digits count as one number.
    pub(crate) numeric: bool,
    /// Capitals before small letters.
    pub(crate) upper_first: bool,
    /// Spaces and marks are skipped.
    pub(crate) ignore_punctuation: bool,
}

impl Default for Collation {
    fn default() -> Self {
        Self {
            sensitivity: Sensitivity::Variant,
            numeric: false,
            upper_first: false,
            ignore_punctuation: false,
        }
    }
}

/// One letter's weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Weight {
    primary: u32,
    accent: u32,
    upper: bool,
}

impl Collation {
    /// The order of two texts.
    pub(crate) fn compare(&self, left: &str, right: &str) -> Ordering {
        let (left, right) = (self.weights(left), self.weights(right));
        let primary = if self.numeric {
            numeric(&left, &right)
        } else {
            left.iter().map(|weight| weight.primary).cmp(right.iter().map(|weight| weight.primary))
        };
        let accents = || {
            left.iter().map(|weight| weight.accent).cmp(right.iter().map(|weight| weight.accent))
        };
        let cases = || {
            let order =
                left.iter().map(|weight| weight.upper).cmp(right.iter().map(|weight| weight.upper));
            if self.upper_first { order.reverse() } else { order }
        };
        match self.sensitivity {
            Sensitivity::Base => primary,
            Sensitivity::Accent => primary.then_with(accents),
            Sensitivity::Case => primary.then_with(cases),
            Sensitivity::Variant => primary.then_with(accents).then_with(cases),
        }
    }

    fn weights(&self, text: &str) -> Vec<Weight> {
        let mut weights: Vec<Weight> = Vec::with_capacity(text.len());
        let mut add = |c: char| {
            if matches!(c, '\u{300}'..='\u{36f}') {
                if let Some(last) = weights.last_mut() {
                    last.accent = last.accent.wrapping_mul(128).wrapping_add(u32::from(c) - 0x2ff);
                }
                return;
            }
            let primary = class(c);
            if primary == 0 || (self.ignore_punctuation && primary < DIGITS) {
                return;
            }
            let upper = c.is_uppercase();
            let (plain, extra) = spelled(c);
            weights.push(Weight { primary: class(plain), accent: u32::from(plain != c), upper });
            if let Some(extra) = extra {
                weights.push(Weight { primary: class(extra), accent: 1, upper });
            }
        };
        if text.is_ascii() {
            text.chars().for_each(&mut add);
        } else {
            let normalizer = const { DecomposingNormalizerBorrowed::new_nfd() };
            normalizer.normalize_iter(text.chars()).for_each(&mut add);
        }
        weights
    }
}

/// Where digits begin among the weights.
const DIGITS: u32 = 0x1000;
/// Where letters begin.
const LETTERS: u32 = 0x2000;

/// A character's place; 0 for what does not count.
fn class(c: char) -> u32 {
    if let Some(digit) = c.to_digit(10) {
        return DIGITS + digit;
    }
    if c.is_alphabetic() {
        return LETTERS + c.to_lowercase().next().map_or(0, u32::from);
    }
    if c.is_whitespace() {
        return 1;
    }
    if c.is_control() {
        return 0;
    }
    match MARKS.chars().position(|mark| mark == c) {
        Some(at) => 2 + u32::try_from(at).unwrap_or(0),
        None if c.is_numeric() => DIGITS + 16,
        // Other signs, after the common ones; folded so that they stay below the digits.
        None => 64 + u32::from(c) % (DIGITS - 64),
    }
}

/// Latin letters that no decomposition takes apart.
fn spelled(c: char) -> (char, Option<char>) {
    match c {
        'ß' | 'ẞ' => ('s', Some('s')),
        'æ' | 'Æ' => ('a', Some('e')),
        'œ' | 'Œ' => ('o', Some('e')),
        'þ' | 'Þ' => ('t', Some('h')),
        'ø' | 'Ø' => ('o', None),
        'ł' | 'Ł' => ('l', None),
        'đ' | 'Đ' | 'ð' | 'Ð' => ('d', None),
        'ı' => ('i', None),
        other => (other, None),
    }
}

/// Compares with runs of digits as numbers.
fn numeric(left: &[Weight], right: &[Weight]) -> Ordering {
    let (mut left, mut right) = (left, right);
    loop {
        match (run(left), run(right)) {
            ((a, left_rest), (b, right_rest)) if !a.is_empty() && !b.is_empty() => {
                let (a, b) = (significant(a), significant(b));
                let order = a.len().cmp(&b.len()).then_with(|| {
                    a.iter().map(|weight| weight.primary).cmp(b.iter().map(|weight| weight.primary))
                });
                if order.is_ne() {
                    return order;
                }
                (left, right) = (left_rest, right_rest);
            }
            _ => match (left.split_first(), right.split_first()) {
                (Some((a, left_rest)), Some((b, right_rest))) => {
                    if a.primary != b.primary {
                        return a.primary.cmp(&b.primary);
                    }
                    (left, right) = (left_rest, right_rest);
                }
                (a, b) => return a.is_some().cmp(&b.is_some()),
            },
        }
    }
}

/// The digits at the start, and the rest.
fn run(weights: &[Weight]) -> (&[Weight], &[Weight]) {
    let digits = weights.iter().try_fold(0, |count, weight| {
        if (DIGITS..DIGITS + 10).contains(&weight.primary) {
            ControlFlow::Continue(count + 1)
        } else {
            ControlFlow::Break(count)
        }
    });
    let (ControlFlow::Continue(digits) | ControlFlow::Break(digits)) = digits;
    weights.split_at_checked(digits).unwrap_or((&[], weights))
}

/// Without leading zeros.
fn significant(digits: &[Weight]) -> &[Weight] {
    let zeros = digits.iter().take_while(|weight| weight.primary == DIGITS).count();
    digits.get(zeros..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(collation: Collation, texts: &str) -> String {
        let mut texts: Vec<&str> = texts.split(' ').collect();
        texts.sort_by(|a, b| collation.compare(a, b));
        texts.join(" ")
    }

    #[test]
    fn letters_then_accents_then_case() {
        let plain = Collation::default();
        assert_eq!(sorted(plain, "b A c a B C"), "a A b B c C");
        assert_eq!(
            sorted(plain, "rz résumé Resume resume Résumé"),
            "resume Resume résumé Résumé rz"
        );
        assert_eq!(sorted(plain, "z ä a ö o"), "a ä o ö z");
        assert_eq!(sorted(plain, "a 1 _ -"), "_ - 1 a");
        assert_eq!(sorted(plain, "strasse straße strast"), "strasse straße strast");
        let upper = Collation { upper_first: true, ..plain };
        assert_eq!(sorted(upper, "a A b B"), "A a B b");
    }

    #[test]
    fn sensitivity_leaves_differences_out() {
        let equal = |sensitivity| {
            let collation = Collation { sensitivity, ..Collation::default() };
            ["á", "A"].map(|other| collation.compare("a", other).is_eq())
        };
        assert_eq!(equal(Sensitivity::Base), [true, true]);
        assert_eq!(equal(Sensitivity::Accent), [false, true]);
        assert_eq!(equal(Sensitivity::Case), [true, false]);
        assert_eq!(equal(Sensitivity::Variant), [false, false]);
    }

    #[test]
    fn digits_can_count_as_numbers() {
        let numeric = Collation { numeric: true, ..Collation::default() };
        assert_eq!(sorted(numeric, "a10 a2 a02b a1"), "a1 a2 a02b a10");
        assert_eq!(sorted(Collation::default(), "a10 a2 a1"), "a1 a10 a2");
    }
}
