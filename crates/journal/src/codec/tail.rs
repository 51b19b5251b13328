//! What stands behind the text of a piece, told by how it differs from the one before.
//!
//! Tails of pieces in a row differ in their numbers alone: a position that grows by the characters
//! of the text before, a time that grows by some milliseconds. So a tail is the one before it with
//! other numbers. The first number is expected to grow by the characters of the text before, the
//! others to stay; only what is otherwise is written, as `:<index>=<difference>`. A number keeps
//! at least the width that it had, with zeros in front.

/// Longer runs of digits are no numbers.
const LONGEST_NUMBER: usize = 18;

/// How `tail` differs from the one before it; none when not by numbers alone.
pub(super) fn changes(before: &str, tail: &str, characters: u64) -> Option<String> {
    let mut changes = String::new();
    let (mut old, mut new) = (Scanner::new(before), Scanner::new(tail));
    let mut index = 0_u32;
    loop {
        match (old.next(), new.next()) {
            (None, None) => break,
            (Some(Token::Text(old)), Some(Token::Text(new))) if old == new => {}
            (Some(Token::Number(_, old)), Some(Token::Number(_, new))) => {
                let difference = new.checked_sub(expected(old, index, characters)?)?;
                if difference != 0 {
                    changes.push_str(&format!(":{index}={difference}"));
                }
                index += 1;
            }
            _ => return None,
        }
    }
    // Widths may still differ.
    (apply(before, &changes, characters)? == tail).then_some(changes)
}

/// The tail that differs so from the one before it.
pub(super) fn apply(before: &str, changes: &str, characters: u64) -> Option<String> {
    let mut changes = changes.split(':').skip(1).map(|change| {
        let (index, difference) = change.split_once('=')?;
        Some((index.parse::<u32>().ok()?, difference.parse::<i64>().ok()?))
    });
    let mut change = changes.next();
    let mut tail = String::with_capacity(before.len() + 1);
    let mut index = 0_u32;
    for token in Scanner::new(before) {
        match token {
            Token::Text(text) => tail.push_str(text),
            Token::Number(width, number) => {
                let mut number = expected(number, index, characters)?;
                if let Some(Some((_, difference))) =
                    change.filter(|c| c.is_none_or(|(at, _)| at == index))
                {
                    number = number.checked_add(difference)?;
                    change = changes.next();
                }
                if number < 0 {
                    return None;
                }
                tail.push_str(&format!("{number:0width$}"));
                index += 1;
            }
        }
    }
    // A change of a number that is not there.
    change.is_none().then_some(tail)
}

fn expected(number: i64, index: u32, characters: u64) -> Option<i64> {
    let growth = if index == 0 { i64::try_from(characters).ok()? } else { 0 };
    number.checked_add(growth)
}

/// The characters of a text that is escaped as in JSON.
pub(super) fn characters(text: &str) -> u64 {
    let (mut count, mut skip) = (0, 0_u32);
    let mut escaped = false;
    for character in text.chars() {
        if skip > 0 {
            skip -= 1;
        } else if escaped {
            escaped = false;
            skip = if character == 'u' { 4 } else { 0 };
        } else {
            escaped = character == '\\';
            count += 1;
        }
    }
    count
}

enum Token<'t> {
    Text(&'t str),
    /// Width and value.
    Number(usize, i64),
}

/// Cuts a text into numbers and what is between them.
struct Scanner<'t> {
    rest: &'t str,
}

impl<'t> Scanner<'t> {
    const fn new(rest: &'t str) -> Self {
        Scanner { rest }
    }
}

impl<'t> Iterator for Scanner<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        let first = self.rest.bytes().next()?;
        let is_number = first.is_ascii_digit();
        let end = self.rest.bytes().position(|byte| byte.is_ascii_digit() != is_number);
        let (token, rest) = self.rest.split_at_checked(end.unwrap_or(self.rest.len()))?;
        self.rest = rest;
        if is_number && token.len() <= LONGEST_NUMBER {
            return Some(Token::Number(token.len(), token.parse().ok()?));
        }
        Some(Token::Text(token))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_differs_in_numbers_comes_back(
            before in "[a:\"]{0,3}[0-9]{0,20}[Z.]{0,2}[0-9]{0,4}", tail in "[a:\"]{0,3}[0-9]{0,20}[Z.]{0,2}[0-9]{0,4}",
            characters in 0_u64..2_000,
        ) {
            if let Some(changes) = changes(&before, &tail, characters) {
                prop_assert_eq!(apply(&before, &changes, characters), Some(tail));
            }
        }

        #[test]
        fn nothing_foreign_panics(before: String, changes in "(:[0-9]{0,3}=?-?[0-9]{0,20}){0,4}", n: u64) {
            _ = apply(&before, &changes, n);
        }
    }

    #[test]
    fn positions_and_times_take_little_room() {
        let before = "\",\"at\":98,\"timestamp\":\"2026-11-22T01:02:03.995Z\"}";
        let tail = "\",\"at\":103,\"timestamp\":\"2026-11-22T01:02:04.007Z\"}";
        assert_eq!(changes(before, tail, 5).as_deref(), Some(":6=1:7=-988"));
        assert_eq!(changes(before, before, 0).as_deref(), Some(""));
        assert_eq!(changes(before, "\"}", 0), None);
        assert_eq!(characters("a\\n\\u0007é\\\""), 5);
    }
}
