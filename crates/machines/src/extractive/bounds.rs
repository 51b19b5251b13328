//! Whether a figure is told exactly, or by where it ends: `less than 50`, `between 4 and 9 million`.
//!
//! Border: a sentence and where its figure stands in; yes or no, and where the words begin and end that bound it, out.

use super::changes;
use super::degrees;
use super::lexicon;
use super::words;
use std::ops::Range;

/// Words, lower case, behind which a figure is a bound, or less than nothing.
const BOUNDING: [&str; 16] = [
    "above",
    "almost",
    "below",
    "beyond",
    "between",
    "exceeding",
    "from",
    "least",
    "minus",
    "most",
    "nearly",
    "over",
    "than",
    "to",
    "under",
    "until",
];

/// Whether a figure of a text covers no range, is no bound and is not told as less than nothing in words.
pub(super) fn is_exact(text: &str, bytes: &Range<usize>) -> bool {
    let before = text.get(..bytes.start).unwrap_or_default();
    let behind = text.get(bytes.end..).unwrap_or_default();
    let all = words::words(before);
    let last = all.last().map(String::as_str).unwrap_or_default();
    let first = all.iter().nth_back(1).map(String::as_str).unwrap_or_default();
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let is_second = matches!(last, "and" | "or") && is_number(first);
    let is_signed = before.trim_end().ends_with(['-', '–', '−', '<', '>', '≤', '≥', '/', '±', '~']);
    let next = words::words(behind);
    let word = |at: usize| next.get(at).map(String::as_str).unwrap_or_default();
    let goes_on = match (word(0), word(1)) {
        ("or" | "and", "above" | "fewer" | "less" | "more" | "over" | "so" | "under" | "up")
        | ("below", "freezing" | "zero")
        | ("at", "least" | "most") => true,
        ("to" | "or", number) => is_number(number),
        _ => false,
    };
    let is_open = behind.trim_start().starts_with(['-', '–', '−', '/', '±', '+'])
        && behind.trim_start().chars().nth(1).is_some_and(|c| c.is_ascii_digit() || c == ' ');
    !(BOUNDING.contains(&last) || is_second || is_signed || goes_on || is_open)
}

/// Words from `between` to the second of two figures, at most.
const RANGE: usize = 5;
/// Words before a range in which something may have changed: `rose from 25 to 30`.
const CHANGE: usize = 6;

/// The words before a figure.
struct Before<'t> {
    text: &'t str,
    words: Vec<(String, Range<usize>)>,
}

impl<'t> Before<'t> {
    fn of(text: &'t str) -> Self {
        let mut words = Vec::new();
        words::each_word(text, |word, at| words.push((std::mem::take(word), at)));
        Before { text, words }
    }

    /// The word so many places before the figure; 1 for the one beside it.
    fn word(&self, back: usize) -> &str {
        let at = self.words.len().checked_sub(back);
        at.and_then(|at| self.words.get(at)).map(|(word, _)| word.as_str()).unwrap_or_default()
    }

    fn start(&self, back: usize) -> Option<usize> {
        let at = self.words.len().checked_sub(back)?;
        let start = self.words.get(at)?.1.start;
        // `€4 to €6`
        let sign = self.text.get(..start)?.strip_suffix(['€', '$', '£', '-', '−']);
        Some(sign.map_or(start, str::len))
    }

    /// Whether nothing but blanks parts the last words from each other and from the figure.
    fn is_joined(&self, back: usize) -> bool {
        let is_open = |c: char| c.is_whitespace() || matches!(c, '\u{a0}' | '€' | '$' | '£' | '%');
        let gap = |back: usize| {
            let at = self.words.len().checked_sub(back);
            let end = at.and_then(|at| self.words.get(at)).map_or(0, |it| it.1.end);
            let next = at.and_then(|at| self.words.get(at + 1));
            let next = next.map_or(self.text.len(), |it| it.1.start);
            self.text.get(end..next).unwrap_or_default()
        };
        (1..=back).all(|back| gap(back).chars().all(is_open))
    }

    fn is_number(&self, back: usize) -> bool {
        let word = self.word(back);
        word.starts_with(|c: char| c.is_ascii_digit()) || lexicon::is_number_word(word)
    }

    /// How many words before a figure belong to the range that it ends.
    fn range(&self) -> Option<usize> {
        // `190 m to 200 m`
        let number = (2..RANGE).find(|back| self.is_number(*back))?;
        let begins = number + 1;
        match (self.word(1), self.word(begins)) {
            ("and", "between") => Some(begins),
            ("to", lead) => {
                let behind = if lead == "from" { begins + 1 } else { begins };
                let is_change = |back: usize| changes::is_change(self.word(back));
                let changes = (behind..behind + CHANGE).any(is_change);
                (!changes).then_some(if lead == "from" { begins } else { number })
            }
            _ => None,
        }
    }

    /// How many words before a figure bound it: `no more than`.
    fn bound(&self) -> Option<usize> {
        let hedge = matches!(self.word(1), "about" | "around" | "roughly" | "the");
        let last = if hedge { 2 } else { 1 };
        let (before, word) = (self.word(last + 1), self.word(last));
        let compares = degrees::compares_amounts(before) || degrees::ends_as_comparative(before);
        match word {
            "than" if compares => {
                Some(last + if matches!(self.word(last + 2), "no" | "not") { 2 } else { 1 })
            }
            "least" | "most" if before == "at" => Some(last + 1),
            "to" if before == "up" => Some(last + 1),
            "of" if matches!(before, "maximum" | "minimum") => Some(last + 1),
            "as" if matches!(before, "few" | "many" | "much") && self.word(last + 2) == "as" => {
                Some(last + 2)
            }
            "above" | "almost" | "below" | "exceeding" | "nearly" | "over" | "under" => Some(last),
            _ => None,
        }
    }
}

/// A figure of a text with the words that bound it: `fewer than 5,000`, `between 190 and 200 steps`, `50 metres or more`.
pub(super) fn told(text: &str, bytes: &Range<usize>) -> Range<usize> {
    let before = Before::of(text.get(..bytes.start).unwrap_or_default());
    let range = before.range().filter(|back| before.is_joined(*back));
    let bound = || before.bound().filter(|back| before.is_joined(*back));
    let start = range.or_else(bound).and_then(|back| before.start(back));
    let start = start.or_else(|| dashed(text, bytes.start)).unwrap_or(bytes.start);
    start..bytes.end + bounded_behind(text.get(bytes.end..).unwrap_or_default())
}

/// Where a range begins that a sign parts: `190–200`.
fn dashed(text: &str, figure: usize) -> Option<usize> {
    let before = text.get(..figure)?;
    let first = before.strip_suffix(['–', '-'])?;
    let number = first.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
    let is_alone = number.is_empty() || number.ends_with([' ', '\u{a0}', '(', '€', '$', '£']);
    (number.len() < first.len() && is_alone).then_some(number.len())
}

/// How many bytes behind a figure bound it.
fn bounded_behind(behind: &str) -> usize {
    let mut ends: Vec<(String, usize)> = Vec::new();
    words::each_word(behind, |word, at| ends.push((std::mem::take(word), at.end)));
    let word = |at: usize| ends.get(at).map(|(word, _)| word.as_str()).unwrap_or_default();
    let is_bound = match (word(0), word(1)) {
        ("or", "above" | "fewer" | "less" | "more" | "over" | "under") => word(2) != "than",
        ("at", "least" | "most") => true,
        _ => false,
    };
    let end = ends.get(1).map_or(0, |(_, end)| *end);
    let is_joined = behind.get(..end).is_some_and(|it| !it.contains([',', ';', '.', '(', '–']));
    if is_bound && is_joined { end } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_and_a_range_are_no_exact_figures() {
        for (text, figure, exact) in [
            ("It is 50 metres high.", "50 metres", true),
            ("It is about 50 metres high, and 3 wide.", "50 metres", true),
            ("It fell to -20 °C at night.", "-20 °C", false),
            ("The least was -20 °C at night.", "-20 °C", true),
            ("The least was minus 20 °C.", "20 °C", false),
            ("The least was 20 °C below zero.", "20 °C", false),
            ("It is less than 50 metres high.", "50 metres", false),
            ("It is at least 50 metres high.", "50 metres", false),
            ("It cost between 4 and 9 million euros.", "9 million euros", false),
            ("It cost 4 to 9 million euros.", "9 million euros", false),
            ("It cost 4–9 million euros.", "9 million euros", false),
            ("It is 50 metres or more.", "50 metres", false),
            ("It is 50–60 metres high.", "50", false),
        ] {
            let start = text.find(figure).unwrap();
            assert_eq!(is_exact(text, &(start..start + figure.len())), exact, "{text}");
        }
    }

    #[test]
    fn a_figure_is_told_with_what_bounds_it() {
        for (text, figure, expected) in [
            ("It has fewer than 5,000 residents.", "5,000 residents", "fewer than 5,000 residents"),
            ("It has no more than 40 members.", "40 members", "no more than 40 members"),
            ("It has between 190 and 200 steps.", "200 steps", "between 190 and 200 steps"),
            ("It is 190 to 200 m high.", "200 m", "190 to 200 m"),
            ("It is 190–200 m high.", "200 m", "190–200 m"),
            ("It costs from €4 to €6 a day.", "€6", "from €4 to €6"),
            ("It is up to 900 m long.", "900 m", "up to 900 m"),
            ("It is at least about 50 m high.", "50 m", "at least about 50 m"),
            ("It is 50 metres or more.", "50 metres", "50 metres or more"),
            ("It is higher than 50 metres.", "50 metres", "higher than 50 metres"),
            ("It draws as many as 900 guests.", "900 guests", "as many as 900 guests"),
            ("It nearly closed, but 50 members stayed.", "50 members", "50 members"),
            ("It has 50 members or more than it needs.", "50 members", "50 members"),
            ("It rose from 25 to 30 crowns.", "30 crowns", "30 crowns"),
            ("It moved to 30 rooms.", "30 rooms", "30 rooms"),
            ("It is about 50 metres high.", "50 metres", "50 metres"),
            ("It has 3 doors and 50 windows.", "50 windows", "50 windows"),
            ("It is, at least, old: 50 years.", "50 years", "50 years"),
        ] {
            let start = text.find(figure).unwrap();
            let told = told(text, &(start..start + figure.len()));
            assert_eq!(text.get(told), Some(expected), "{text}");
        }
    }
}
