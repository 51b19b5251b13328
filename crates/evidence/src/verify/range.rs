//! What the words around a number say of it beside its unit: that it is below zero, before Christ, one end of a range, or the
//! number of a version.
//!
//! Border: numbers with the tokens around them in, told out. English.

use super::bound::is_year;
use super::quantity::{Measure, Quantity};
use crate::text::{Shape, Token};

/// The value of a number with what stands around it: `minus 5 °C`, `5 °C below zero`.
pub fn signed(number: &Quantity, before: &[Token], behind: &[Token]) -> f64 {
    let has_minus = match before {
        [.., one, minus] => minus.word == "minus" && one.shape != Shape::Number,
        [minus] => minus.word == "minus",
        [] => false,
    };
    let word = |at: usize| behind.get(number.unit + at).map_or("", |it| it.word.as_str());
    let is_below = word(0) == "below" && matches!(word(1), "freezing" | "zero");
    if (has_minus || is_below) && number.value > 0.0 { -number.value } else { number.value }
}

/// How many digits a number has behind its point.
pub fn decimals(number: &Token) -> u8 {
    let digits = number.word.split_once('.').map_or(0, |(_, digits)| digits.len());
    if number.shape == Shape::Number { u8::try_from(digits).unwrap_or(u8::MAX) } else { 0 }
}

/// Tells of the numbers of a sentence which are before Christ, ends of ranges, and of versions.
pub fn tell(numbers: &mut [Quantity], tokens: &[Token]) {
    let word = |at: usize| tokens.get(at).map_or("", |it| it.word.as_str());
    let mut is_next_bc = None;
    for number in numbers.iter_mut().rev() {
        let end = number.at + number.own_tokens();
        let is_range = |next: usize| next <= end + 1 && next >= end;
        // A sentence that begins so says nothing of the one before.
        let is_same = tokens.get(end).is_some_and(|it| !it.begins && !it.opens);
        let is_bc = is_same && matches!(word(end), "bc" | "bce");
        number.is_bc = is_bc || is_next_bc.is_some_and(is_range);
        is_next_bc = number.is_bc.then_some(number.at);
        let before = number.at.checked_sub(1);
        let last = before.map_or("", word);
        number.may_be_end = matches!(last, "as" | "to");
        number.is_version = number.measure == Measure::Plain
            && matches!(last, "release" | "v" | "version" | "versions");
        number.is_dashed = before.and_then(|at| tokens.get(at)).is_some_and(|one| {
            let first = tokens.get(number.at);
            one.shape == Shape::Number
                && first.is_some_and(|it| {
                    matches!(it.before, '-' | '–') && it.start == one.end + it.before.len_utf8()
                })
        });
    }
    for at in 1..numbers.len() {
        let Some([one, other]) = numbers.get_mut(at - 1..=at) else { continue };
        let end = one.at + one.own_tokens();
        let joint = word(end);
        let before = one.at.checked_sub(1).map_or("", word);
        let is_row = other.at == end + 1
            && (joint == "to" || (joint == "and" && before == "between"))
            && !is_year(one)
            && !is_year(other);
        if !is_row {
            continue;
        }
        let is_alike = matches!((one.measure, other.measure), (Measure::Plain, _))
            || one.measure == other.measure;
        let is_range = before != "from"
            && is_alike
            && one.value < other.value
            && !matches!(other.measure, Measure::Ordinal | Measure::Decade)
            && one.clock.is_none()
            && other.clock.is_none();
        (one.may_be_end, other.may_be_end) = (true, true);
        (one.is_end, other.is_end) = (is_range, is_range);
    }
}

#[cfg(test)]
mod tests {
    use super::super::quantity::Figures;
    use crate::text::tokens;

    #[test]
    fn words_around_a_number_say_what_it_is_not() {
        let first = |text: &str| Figures::of(&tokens(text)).quantities[0];
        for (text, value) in [
            ("at minus 5 °C", -5.0),
            ("minus 5 °C", -5.0),
            ("5 °C below zero", -5.0),
            ("5 °C below the lake", 5.0),
            ("10 minus 5", 10.0),
        ] {
            assert!(super::super::is_same(first(text).value, value), "{text}");
        }
        assert!(first("300 BC").is_bc && first("300–200 BC").is_bc && !first("in 300").is_bc);
        assert!(first("the 5th century BC").is_bc);
        assert!(first("10 to 20 boats").is_end && first("between 10 and 20 boats").is_end);
        for text in ["from 10 to 20", "3 to 1", "1990 to 1995", "10 boats to 20 men"] {
            assert!(!first(text).is_end, "{text}");
        }
        assert!(first("version 2.10").is_version && first("version 2.10").decimals == 2);
    }
}
