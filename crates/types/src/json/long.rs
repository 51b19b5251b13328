//! Long texts as JSON strings, a word at a time: states and events consist of little else, and looking at
//! each of their bytes was a fifth of what an ask computes. For `#[serde(serialize_with = …)]`.

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// Bytes from which on it is worth an allocation.
const LONG: usize = 128;

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const HIGH: u64 = ONES << 7;

/// Writes the very string that serde_json would write.
///
/// # Errors
///
/// Those of the serializer.
pub fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    if text.len() < LONG {
        return serializer.serialize_str(text);
    }
    match RawValue::from_string(quoted(text)) {
        Ok(raw) => raw.serialize(serializer),
        Err(_) => serializer.serialize_str(text),
    }
}

/// The text as a JSON string, quotes included.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16 + 16);
    out.push('"');
    pieces(text, |piece| out.push_str(piece));
    out.push('"');
    out
}

/// What stands between the quotes of a JSON string, piece by piece.
pub(super) fn pieces(text: &str, mut put: impl FnMut(&str)) {
    let mut rest = text;
    while let Some((plain, special, behind)) = next_special(rest) {
        put(plain);
        escape(special, &mut put);
        rest = behind;
    }
    put(rest);
}

/// The text up to the first byte that cannot stand in a string, that byte, and what follows.
fn next_special(text: &str) -> Option<(&str, u8, &str)> {
    let bytes = text.as_bytes();
    let (words, behind) = bytes.as_chunks::<8>();
    let mut at = 0;
    for word in words {
        let marks = marks(u64::from_le_bytes(*word));
        if marks != 0 {
            return split(text, at + (marks.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    // The last word again, with what is behind it: most texts end so, and byte by byte would be dearer.
    if bytes.last_chunk::<8>().is_some_and(|last| marks(u64::from_le_bytes(*last)) == 0) {
        return None;
    }
    let found = behind.iter().position(|byte| is_special(*byte))?;
    split(text, at + found)
}

fn split(text: &str, at: usize) -> Option<(&str, u8, &str)> {
    let special = *text.as_bytes().get(at)?;
    Some((text.get(..at)?, special, text.get(at + 1..)?))
}

const fn is_special(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// Marks with its high bit the lowest byte that is special. Above it, one that is not may be marked, too.
const fn marks(word: u64) -> u64 {
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    let control = word.wrapping_sub(ONES * b' ' as u64) & !word;
    let quote = quote.wrapping_sub(ONES) & !quote;
    let backslash = backslash.wrapping_sub(ONES) & !backslash;
    (control | quote | backslash) & HIGH
}

fn escape(special: u8, put: &mut impl FnMut(&str)) {
    let short = match special {
        b'"' => "\\\"",
        b'\\' => "\\\\",
        b'\n' => "\\n",
        b'\r' => "\\r",
        b'\t' => "\\t",
        0x08 => "\\b",
        0x0c => "\\f",
        other => {
            put("\\u00");
            put(digit(other >> 4));
            digit(other & 15)
        }
    };
    put(short);
}

fn digit(nibble: u8) -> &'static str {
    let at = usize::from(nibble);
    "0123456789abcdef".get(at..=at).unwrap_or("0")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Serialize)]
    struct Long<'a>(#[serde(serialize_with = "serialize")] &'a str);

    fn check(text: &str) {
        assert_eq!(quoted(text), serde_json::to_string(text).unwrap());
        assert_eq!(
            serde_json::to_string(&Long(text)).unwrap(),
            serde_json::to_string(text).unwrap()
        );
    }

    #[test]
    fn every_control_character_is_written_as_serde_json_writes_it() {
        let every: String = (0..=0x2f_u8).chain([b'\\', 0x7f]).map(char::from).collect();
        check(&every);
        check(&every.repeat(LONG));
        check(&"plain and long, é and 東京 in it. ".repeat(LONG));
    }

    proptest! {
        #[test]
        fn any_text_is_written_as_serde_json_writes_it(text in "(?s).{0,400}", often in "[\"\\\\\n\ta-cé]{0,300}") {
            check(&text);
            check(&often);
            check(&(text + &often));
        }
    }
}
