//! Numbers that are written as one word.
//!
//! Border: a word in, its value out. English.

use super::Gate;

/// The number that a word, lower case, is: up to nineteen, and whole tens below a hundred.
#[must_use]
pub fn small_number(word: &str) -> Option<f64> {
    const ONES: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 8] =
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    const GATES: [Gate; 2] = [Gate::of(&ONES), Gate::of(&TENS)];
    if !GATES.iter().any(|gate| gate.may_have(word)) {
        return None;
    }
    let ones = ONES.iter().position(|name| *name == word);
    let tens = || TENS.iter().position(|name| *name == word).map(|at| (at + 2) * 10);
    ones.or_else(tens).and_then(|n| u32::try_from(n).ok()).map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::small_number;

    #[test]
    fn words_for_small_numbers() {
        let read = ["zero", "nineteen", "twenty", "ninety", "hundred"].map(small_number);
        assert_eq!(read, [Some(0.0), Some(19.0), Some(20.0), Some(90.0), None]);
    }
}
