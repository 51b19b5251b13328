//! Text for people and for prompts: cut, without its stop, and waits, counts and money as they are said.

use crate::Usd;

/// The first `limit` characters; where something is cut off, the last of them is an ellipsis, which stands
/// even where there is no room at all.
#[must_use]
pub fn cut(text: &str, limit: usize) -> String {
    // No text has more characters than bytes.
    if text.len() <= limit {
        return text.to_owned();
    }
    let mut ends = text.char_indices().map(|(at, _)| at);
    let last = limit.checked_sub(1).and_then(|before| ends.nth(before));
    match (last, ends.next()) {
        (Some(last), Some(_)) => format!("{}…", text.get(..last).unwrap_or_default()),
        (None, Some(_)) => "…".to_owned(),
        (_, None) => text.to_owned(),
    }
}

/// As many whole characters of a text's beginning as are so many bytes at most.
#[must_use]
pub fn first_bytes(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or_default()
}

/// A sentence without the stop at its end, for whoever goes on behind it. An ellipsis stays.
#[must_use]
pub fn unended(text: &str) -> &str {
    let text = text.trim_end();
    let bare = text.strip_suffix('.').filter(|bare| !bare.ends_with('.'));
    bare.unwrap_or(text)
}

/// So many of something: `1 token`, `2 tokens`.
#[must_use]
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// More decimals than the price of a single token has.
const MOST_DECIMALS: usize = 12;

/// US dollars with so many decimals, at least one, or with as many more as the first two digits that are not 0 need:
/// what costs little is not said to cost nothing. Nothing is `0`.
#[must_use]
pub fn dollars(sum: Usd, decimals: usize) -> String {
    if sum == 0.0 {
        return "0".to_owned();
    }
    let rounded = |decimals: usize| format!("{sum:.decimals$}");
    let has_two_digits = |told: &String| {
        let digits = told.bytes().filter(u8::is_ascii_digit);
        digits.skip_while(|digit| *digit == b'0').nth(1).is_some()
    };
    let told = (decimals..=MOST_DECIMALS).map(rounded).find(has_two_digits);
    let told = told.unwrap_or_else(|| rounded(decimals));
    let least = told.find('.').map_or(told.len(), |point| point + 1 + decimals);
    match told.split_at_checked(least) {
        Some((wanted, more)) => format!("{wanted}{}", more.trim_end_matches('0')),
        None => told,
    }
}

/// How long a wait is, as people say it: `40 seconds`, `8 minutes`, `7 days`. Never too short.
#[must_use]
pub fn spoken_wait(seconds: f64) -> String {
    // A cast from float saturates, and what is no number is no wait.
    let seconds = seconds.max(0.0).ceil() as u64;
    let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")];
    let told = units.into_iter().find(|(length, _)| seconds >= 2 * length);
    let (length, unit) = told.unwrap_or((1, "second"));
    count(seconds.div_ceil(length), unit, &format!("{unit}s"))
}

#[cfg(test)]
mod tests {
    use super::{count, cut, dollars, first_bytes, spoken_wait, unended};
    use proptest::prelude::*;

    #[test]
    fn cutting_keeps_to_characters() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("ééééé", 3), "éé…");
        assert_eq!((cut("abc", 1).as_str(), cut("abc", 0).as_str()), ("…", "…"));
        assert_eq!(
            [0, 1, 2, 5, 9].map(|most| first_bytes("éab", most)),
            ["", "", "é", "éab", "éab"]
        );
    }

    #[test]
    fn a_stop_is_not_said_twice() {
        for (text, bare) in [
            ("Try again in 7m12.5s.", "Try again in 7m12.5s"),
            ("Try again. ", "Try again"),
            ("And so on...", "And so on..."),
            ("", ""),
        ] {
            assert_eq!(unended(text), bare);
        }
    }

    #[test]
    fn a_wait_is_said_as_people_say_it() {
        for (seconds, said) in [
            (f64::NAN, "0 seconds"),
            (0.2, "1 second"),
            (60.0, "60 seconds"),
            (432.5, "8 minutes"),
            (7_200.0, "2 hours"),
            (604_800.0, "7 days"),
        ] {
            assert_eq!(spoken_wait(seconds), said);
        }
    }

    #[test]
    fn one_is_not_said_as_several() {
        let tokens = |number| count(number, "token", "tokens");
        assert_eq!([tokens(0), tokens(1), tokens(2)], ["0 tokens", "1 token", "2 tokens"]);
    }

    #[test]
    fn what_costs_little_is_not_said_to_cost_nothing() {
        for (sum, decimals, said) in [
            (0.0, 6, "0"),
            (2e-8, 6, "0.00000002"),
            (1.26e-6, 6, "0.0000013"),
            (3e-6, 6, "0.000003"),
            (256e-6, 6, "0.000256"),
            (4e-5, 4, "0.00004"),
            (0.5, 4, "0.5000"),
            (24e-5, 2, "0.00024"),
            (0.05, 2, "0.05"),
            (12.346, 2, "12.35"),
        ] {
            assert_eq!(dollars(sum, decimals), said, "{sum}");
        }
    }

    proptest! {
        #[test]
        fn never_longer_than_asked(text in ".{0,50}", limit in 1usize..40) {
            prop_assert!(cut(&text, limit).chars().count() <= limit);
        }
    }
}
