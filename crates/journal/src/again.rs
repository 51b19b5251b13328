//! A request that is sent again: where it is noted what it began.
//!
//! Border: keys and times; knows no store.

use quarry_types::{AskId, Timestamp};

/// Digits of a key that a note's name has: 80 bits.
const DIGITS: usize = 20;

/// How long after its end an ask is found by the name that its sender gave it, in milliseconds: a page that was
/// loaded again shows what it missed, and one that is opened later shows what it kept.
pub const JOINED_FOR_MS: u64 = 5 * 60 * 1_000;

/// How long after its end an ask answers the request that began it when that is sent again, in milliseconds: longer
/// than clients wait between their tries.
pub const REPLAYED_FOR_MS: u64 = 10 * 60 * 1_000;

/// The logs under which the note of a request may stand, the one to write it under first. Such a log has nothing
/// else; its name has a time in it, so that it is swept as all are. It lasts as long as an ask is kept, in milliseconds:
/// what a limit ended waits for as long, however long the limit is.
#[must_use]
pub fn notes(key: &str, now: Timestamp, lasts_ms: u64) -> [AskId; 2] {
    // No key of another kind leads to the same log.
    lasting(!bits(key), now, lasts_ms)
}

/// The logs under which a note of another kind may stand that lasts as long, the one to write it under first. Where that
/// time is changed, earlier notes are found no more.
#[must_use]
pub fn lasting_notes(key: &str, now: Timestamp, lasts_ms: u64) -> [AskId; 2] {
    lasting(bits(key), now, lasts_ms)
}

fn lasting(bits: u128, now: Timestamp, lasts_ms: u64) -> [AskId; 2] {
    let lasts_ms = lasts_ms.max(1);
    let since = now.0 - now.0 % lasts_ms;
    // Its name has the end of its time in it, so that no sweep takes it before that of the asks begun in it.
    [since.saturating_add(lasts_ms), since].map(|until| AskId::new(until, bits))
}

fn bits(key: &str) -> u128 {
    let bits = key.get(..DIGITS).and_then(|digits| u128::from_str_radix(digits, 16).ok());
    bits.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn a_note_is_found_and_kept_as_long_as_what_it_names() {
        let lasts = 24 * 60 * 60 * 1_000;
        for logs in [notes, lasting_notes] {
            for at in [0, 1, lasts - 1, lasts, 7 * lasts + 3] {
                let [written, _] = logs(KEY, Timestamp(at), lasts);
                for later in [0, 1, lasts - 1, lasts] {
                    let now = Timestamp(at + later);
                    assert!(logs(KEY, now, lasts).contains(&written), "{at} + {later}");
                    let is_swept = crate::is_swept(Timestamp(written.born_at()), lasts, now);
                    assert!(!is_swept, "{at} + {later}");
                }
                let later = Timestamp(at + 3 * lasts);
                assert!(!logs(KEY, later, lasts).contains(&written));
                assert!(crate::is_swept(Timestamp(written.born_at()), lasts, later));
            }
        }
    }

    #[test]
    fn no_note_lies_where_another_does() {
        let other = KEY.replace("e3b0", "e3b1");
        let now = Timestamp(5);
        let logs =
            [KEY, other.as_str()].map(|key| [notes(key, now, 9), lasting_notes(key, now, 9)]);
        let logs = logs.as_flattened().as_flattened();
        let named: std::collections::BTreeSet<_> = logs.iter().map(AskId::to_string).collect();
        assert_eq!(named.len(), 8);
    }
}
