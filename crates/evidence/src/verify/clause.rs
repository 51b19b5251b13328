//! Where the clauses of a sentence begin, and where its names stand.
//!
//! Border: tokens in, places among them out. English.

use super::words;
use crate::text::Token;

/// Words with which a clause begins that gives to another what the one before gives to one.
pub const CONJUNCTIONS: [&str; 4] = ["and", "but", "whereas", "while"];

/// The tokens with which clauses begin, in order. What stands in brackets belongs to what stands before it.
pub fn starts(tokens: &[Token]) -> Vec<u32> {
    let is_start = |token: &Token| {
        (token.opens && !matches!(token.before, '(' | '['))
            || CONJUNCTIONS.contains(&token.word.as_str())
    };
    let starts = tokens.iter().zip(0..).filter(|(token, at)| *at == 0 || is_start(token));
    starts.map(|(_, at)| at).collect()
}

/// The tokens of a text that are written as names are, and tell something: `Sker`, `iPad`. Whether the first of a sentence is
/// one, nobody knows.
pub fn names(text: &str, tokens: &[Token]) -> Vec<u32> {
    let has_capital = |it: &Token| {
        let said = text.get(it.start..it.end).unwrap_or_default();
        it.is_word() && said.contains(char::is_uppercase)
    };
    let is_may = |it: &Token| it.word == "may" && !it.begins;
    let is_name =
        |it: &Token| (it.is_name() || has_capital(it)) && (words::tells(it) || is_may(it));
    let names = tokens.iter().zip(0..).filter(|(it, _)| is_name(it));
    names.map(|(_, at)| at).collect()
}

/// Whether a token is one of these places.
pub fn is_among(places: &[u32], at: usize) -> bool {
    u32::try_from(at).is_ok_and(|at| places.binary_search(&at).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;

    #[test]
    fn clauses_begin_behind_commas_and_with_what_joins_them() {
        for (text, expected) in [
            ("Sker has 3 boats, and Lund has 5", &[0, 4][..]),
            ("Sker has 3 boats while Lund has 5", &[0, 4]),
            ("boats: 300 (2020), 500 (2021)", &[0, 1, 3]),
        ] {
            assert_eq!(starts(&tokens(text)), expected, "{text}");
        }
        let text = "The keeper Tom Reed of Sker may buy an iPad in May";
        assert_eq!(names(text, &tokens(text)), [2, 3, 5, 9, 11]);
    }
}
