//! What kind of question it is, as far as that shows in its words.

/// Words that announce a calculation.
const CALCULATION_WORDS: [&str; 20] = [
    "calculate",
    "compute",
    "solve",
    "evaluate",
    "simplify",
    "integrate",
    "differentiate",
    "derivative",
    "integral",
    "square root",
    "factorial",
    "percent of",
    "% of",
    "sum of",
    "product of",
    "average of",
    "mean of",
    "standard deviation",
    "how much is",
    "convert",
];

/// Whether a question asks for a calculation: a calculating word together with a number, or an
/// arithmetic expression.
#[must_use]
pub fn is_calculation(query: &str) -> bool {
    let lower = query.to_lowercase();
    let has_number = lower.chars().any(|character| character.is_ascii_digit());
    has_number
        && (CALCULATION_WORDS.iter().any(|word| lower.contains(word)) || has_expression(&lower))
}

/// Whether two numbers stand on both sides of an arithmetic sign. A hyphen counts only between
/// spaces, so that ranges of years, dates and telephone numbers don't.
fn has_expression(text: &str) -> bool {
    let characters: Vec<char> = text.chars().collect();
    characters.iter().enumerate().any(|(at, sign)| {
        let spaced = |offset: usize| characters.get(offset).is_some_and(|c| *c == ' ');
        let is_sign = match sign {
            '+' | '*' | '×' | '÷' | '^' => true,
            '-' | '/' | 'x' => at > 0 && spaced(at - 1) && spaced(at + 1),
            _ => false,
        };
        let before = characters.iter().take(at).rev().find(|c| **c != ' ');
        let after = characters.iter().skip(at + 1).find(|c| **c != ' ');
        let operand =
            |c: Option<&char>, edge: char| c.is_some_and(|c| c.is_ascii_digit() || *c == edge);
        is_sign && operand(before, ')') && operand(after, '(')
    })
}

#[cfg(test)]
mod tests {
    use super::is_calculation;

    #[test]
    fn calculations_are_told_from_questions_with_numbers() {
        for query in
            ["What is 17 * 23?", "calculate 15% of 240", "(3 + 4) ^ 2", "12 - 7", "Solve x^2 = 9"]
        {
            assert!(is_calculation(query), "{query}");
        }
        for query in [
            "Who won the 2022 World Cup?",
            "history of the years 1914-1918",
            "call 555-1234",
            "C++ or Rust?",
            "solve the mystery of the lighthouse",
            "Is 24/7 support worth it?",
        ] {
            assert!(!is_calculation(query), "{query}");
        }
    }
}
