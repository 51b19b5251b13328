//! A request that is sent again: where it is noted what it began.
//!
//! Border: keys and times; knows no store.

use quarry_types::{AskId, Timestamp};

/// For how long a note is found at least: longer than an ask takes.
const FOUND_MS: u64 = 60 * 60 * 1_000;

/// Digits of a key that a note's name has: 80 bits.
const DIGITS: usize = 20;

/// How long after its end an ask is found by the key that it was begun with, in milliseconds: a page that was
/// loaded again shows what it missed, and one that is opened later shows what it kept.
pub const JOINED_FOR_MS: u64 = 5 * 60 * 1_000;

/// The logs under which the note of a request may stand, the one to write it under first. Such a log has nothing
/// else; its name has a time in it, so that it is swept as all are.
#[must_use]
pub fn notes(key: &str, now: Timestamp) -> [AskId; 2] {
    let bits = key.get(..DIGITS).and_then(|digits| u128::from_str_radix(digits, 16).ok());
    let bits = bits.unwrap_or_default();
    let since = now.0 - now.0 % FOUND_MS;
    [since, since.saturating_sub(FOUND_MS)].map(|since| AskId::new(since, bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn a_note_is_found_for_an_hour_and_is_old_one_day() {
        for at in [0, 1, FOUND_MS - 1, FOUND_MS, 7 * FOUND_MS + 3] {
            let [written, _] = notes(KEY, Timestamp(at));
            assert!(written.born_at() <= at);
            for later in [0, 1, FOUND_MS - 1, FOUND_MS] {
                assert!(notes(KEY, Timestamp(at + later)).contains(&written), "{at} + {later}");
            }
            assert!(!notes(KEY, Timestamp(at + 2 * FOUND_MS)).contains(&written));
        }
        let other = KEY.replace("e3b0", "e3b1");
        assert_ne!(notes(KEY, Timestamp(5)), notes(&other, Timestamp(5)));
    }
}
