//! What the tests share: patterns and texts as strings, matches as readable text.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]
#![allow(dead_code, reason = "each test uses its part")]

use quarry_regexp::{Captures, Input, NotTaken, Regexp, Way};

/// Every way to search: results have to be the same.
pub const WAYS: [Way; 3] = [Way::Usual, Way::Memo, Way::Threads];

/// A string as JavaScript stores it.
pub fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// Compiles a pattern.
pub fn compile(pattern: &[u16], flags: &str) -> Result<Regexp, NotTaken> {
    Regexp::new(pattern, flags.parse().unwrap())
}

/// A match in every way and in every form of the text; they have to agree.
pub fn find(regexp: &Regexp, text: &[u16], start: usize, sticky: bool) -> Option<Captures> {
    let bytes: Option<Vec<u8>> = text.iter().map(|unit| u8::try_from(*unit).ok()).collect();
    let usual = regexp.find(Input::Utf16(text), start, sticky);
    for way in WAYS {
        let found = regexp.find_by(way, Input::Utf16(text), start, sticky).0;
        assert_eq!(found, usual, "{way:?}");
        if let Some(bytes) = &bytes {
            let found = regexp.find_by(way, Input::Latin1(bytes), start, sticky).0;
            assert_eq!(found, usual, "{way:?} in Latin-1");
        }
    }
    usual
}

/// Groups as `start-end`, with nothing for a group that is not set.
pub fn show(found: &Captures) -> String {
    let groups = found.iter().map(|group| match group {
        Some(range) => format!("{}-{}", range.start, range.end),
        None => String::new(),
    });
    groups.collect::<Vec<_>>().join(",")
}
