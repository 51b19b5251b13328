//! Values that a number speaks of without naming them: the years of `1990s`, what is not far above of `over 250`.
//!
//! Border: a number with the tokens around it in, a range out. English.

use super::quantity::{Measure, Quantity};
use crate::text::Token;

/// Of a number, the share from which on it is "nearly" as much.
const NEARLY: f64 = 0.9;
/// The share of a value from which on another is more.
const BEYOND: f64 = 1e-9;
/// The share by which the ends of two ranges may differ: far more than that, and less than anybody tells.
const SLACK: f64 = 1e-6;
/// Tokens before a number among which the words stand that tell its bounds.
const BOUNDING: usize = 6;

/// Values that a number speaks of without naming them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Covered {
    /// The least.
    pub from: f64,
    /// The first that is too large.
    pub until: f64,
    /// How they are meant.
    pub measure: Measure,
}

impl Covered {
    /// Whether a value is one of them.
    pub fn has(&self, value: f64) -> bool {
        (self.from..self.until).contains(&value)
    }

    /// Whether another speaks of nothing else: `over 200` does where "at least 200" is meant, and `nearly 200` does not. At
    /// its end one value more or less counts for nothing.
    pub fn has_all_of(&self, other: &Covered) -> bool {
        let slack = self.until.abs() * SLACK;
        self.from <= other.from + slack && other.until <= self.until + slack
    }
}

/// What a number speaks of beside its value, by the tokens before it and the one behind.
pub fn covers(quantity: &Quantity, before: &[Token], behind: Option<&Token>) -> Option<Covered> {
    let Quantity { value, measure, .. } = *quantity;
    let years = |from: f64, until: f64| Some(Covered { from, until, measure: Measure::Plain });
    if measure == Measure::Decade {
        return years(value, value + 10.0);
    }
    if measure == Measure::Ordinal {
        let is_century =
            behind.is_some_and(|token| matches!(token.word.as_str(), "century" | "centuries"));
        return if is_century { years((value - 1.0) * 100.0, value * 100.0) } else { None };
    }
    // A comma ends what is said of the number: `no, more than 200`.
    let clause = before.iter().rev().take(BOUNDING).scan(false, |is_over, token| {
        let goes_on = !std::mem::replace(is_over, token.opens);
        goes_on.then_some(token)
    });
    let mut words = clause.filter(|token| token.is_word()).map(|token| token.word.as_str());
    let mut word = || words.next().unwrap_or_default();
    let (last, first, denied) = (word(), word(), word());
    let is_denied = matches!(denied, "no" | "not");
    // What is twice as much is said of nothing as "over" the half.
    let beyond = value + value.abs() * BEYOND;
    let (from, until) = match (is_denied, first, last) {
        (true, "less" | "fewer", "than") | (_, "at", "least") | (_, "not", "under" | "below") => {
            (value, value * 2.0)
        }
        (true, "more", "than") | (_, "at", "most") | (_, "not", "over" | "exceeding") => {
            (value / 2.0, beyond)
        }
        (_, _, "over" | "exceeding") | (_, "more", "than") => (beyond, value * 2.0),
        (_, _, "nearly" | "almost") => (value * NEARLY, value),
        (_, _, "under" | "below") | (_, "less" | "fewer", "than") => (value / 2.0, value),
        _ => return None,
    };
    Some(Covered { from, until, measure })
}

#[cfg(test)]
mod tests {
    use super::super::quantity::Figures;
    use crate::text::tokens;

    #[test]
    fn a_bound_speaks_of_what_lies_on_its_side() {
        for (text, [below, itself, above]) in [
            ("not under 250", [false, true, true]),
            ("not below 250", [false, true, true]),
            ("no boats, more than 250", [false, false, true]),
            ("no, more than 250", [false, false, true]),
            ("not, over 250", [false, false, true]),
            ("under 250", [true, false, false]),
            ("nearly 250", [true, false, false]),
            ("nearly 270", [false, true, true]),
            ("over 250", [false, false, true]),
            ("at least 250", [false, true, true]),
            ("no less than 250", [false, true, true]),
            ("not fewer than 250", [false, true, true]),
            ("more than 250", [false, false, true]),
            ("at most 250", [true, true, false]),
            ("no more than 250", [true, true, false]),
            ("not exceeding 250", [true, true, false]),
            ("less than 250", [true, false, false]),
            ("almost 250", [true, false, false]),
        ] {
            let figures = Figures::of(&tokens(&format!("It has {text}")));
            let covered = figures.quantities[0].covers.unwrap();
            assert_eq!(
                [240.0, 250.0, 262.0].map(|it| covered.has(it)),
                [below, itself, above],
                "{text}"
            );
        }
    }
}
