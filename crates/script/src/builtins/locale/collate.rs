//! Comparing texts as people sort them: by letter, then accent, then case.
//!
//! Border: a compact order of our own, not the Unicode Collation Algorithm. Texts are decomposed;
//! spaces come before marks, marks before digits, digits before letters; letters of one script
//! follow the code points of their small forms. No language's own alphabet is known (Swedish ö
//! sorts as o with an accent).

use std::{borrow::Cow, cmp::Ordering};

use icu_normalizer::DecomposingNormalizerBorrowed;

/// Texts longer than this, in UTF-16 units, are not taken apart.
const LONG: usize = 1_000_000;

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

impl Collation {
    /// The order of two texts. Each level walks over both once more.
    pub(crate) fn compare(&self, left: &[u16], right: &[u16]) -> Ordering {
        let (left, right) = (decomposed(left), decomposed(right));
        let (left, right) = (|| characters(&left), || characters(&right));
        let (a, b) = (self.letters(left()), self.letters(right()));
        let primary = if self.numeric { numeric(a, b) } else { a.cmp(b) };
        let accents = || self.accents(left()).cmp(self.accents(right()));
        let cases = || {
            let order = self.cases(left()).cmp(self.cases(right()));
            if self.upper_first { order.reverse() } else { order }
        };
        match self.sensitivity {
            Sensitivity::Base => primary,
            Sensitivity::Accent => primary.then_with(accents),
            Sensitivity::Case => primary.then_with(cases),
            Sensitivity::Variant => primary.then_with(accents).then_with(cases),
        }
    }

    /// Whether a character stands for itself in the order.
    fn counts(&self, c: char) -> bool {
        let class = class(c);
        class != 0 && !is_accent(c) && !(self.ignore_punctuation && class < DIGITS)
    }

    /// The places of letters, digits and marks.
    fn letters(&self, text: impl Iterator<Item = char>) -> impl Iterator<Item = u32> {
        text.filter(|c| self.counts(*c)).flat_map(|c| {
            let (plain, extra) = spelled(c);
            std::iter::once(class(plain)).chain(extra.map(class))
        })
    }

    /// 0 for a letter without an accent; an accent counts where it stands.
    fn accents(&self, text: impl Iterator<Item = char>) -> impl Iterator<Item = u32> {
        text.filter(|c| is_accent(*c) || self.counts(*c)).flat_map(|c| {
            if is_accent(c) {
                return std::iter::once(u32::from(c)).chain(None);
            }
            let (plain, extra) = spelled(c);
            std::iter::once(u32::from(plain != c)).chain(extra.map(|_| 1))
        })
    }

    /// Whether letters are capitals.
    fn cases(&self, text: impl Iterator<Item = char>) -> impl Iterator<Item = bool> {
        text.filter(|c| self.counts(*c)).map(char::is_uppercase)
    }
}

/// With accents as characters of their own. Very long texts stay as they are, for their memory.
fn decomposed(text: &[u16]) -> Cow<'_, [u16]> {
    if text.len() > LONG || text.iter().all(|unit| *unit < 0x80) {
        return Cow::Borrowed(text);
    }
    DecomposingNormalizerBorrowed::new_nfd().normalize_utf16(text)
}

fn characters(text: &[u16]) -> impl Iterator<Item = char> {
    char::decode_utf16(text.iter().copied()).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
}

fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
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
fn numeric(left: impl Iterator<Item = u32>, right: impl Iterator<Item = u32>) -> Ordering {
    let (mut left, mut right) = (left.peekable(), right.peekable());
    loop {
        let digits = |next: Option<&u32>| next.is_some_and(is_digit);
        if digits(left.peek()) && digits(right.peek()) {
            while left.next_if_eq(&DIGITS).is_some() {}
            while right.next_if_eq(&DIGITS).is_some() {}
            // Of two numbers with as many digits, the first that differs decides.
            let mut order = Ordering::Equal;
            loop {
                match (left.next_if(is_digit), right.next_if(is_digit)) {
                    (Some(a), Some(b)) => order = order.then(a.cmp(&b)),
                    (None, None) => break,
                    (a, b) => return a.is_some().cmp(&b.is_some()),
                }
            }
            if order.is_ne() {
                return order;
            }
            continue;
        }
        match (left.next(), right.next()) {
            (Some(a), Some(b)) if a == b => {}
            (None, None) => return Ordering::Equal,
            // Nothing comes before something.
            (a, b) => return a.cmp(&b),
        }
    }
}

fn is_digit(place: &u32) -> bool {
    (DIGITS..DIGITS + 10).contains(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    fn sorted(collation: Collation, texts: &str) -> String {
        let mut texts: Vec<&str> = texts.split(' ').collect();
        texts.sort_by(|a, b| collation.compare(&units(a), &units(b)));
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
            ["á", "A"].map(|other| collation.compare(&units("a"), &units(other)).is_eq())
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
