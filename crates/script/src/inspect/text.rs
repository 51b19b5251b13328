//! Strings within structures: quoted, escaped, and broken after their line breaks when long.
//!
//! Border: texts in, texts out.

use std::fmt::Write as _;

/// Strings that are no longer than this are never broken.
const SHORT: usize = 16;

/// A string in quotes, over several lines when it is long and has line breaks.
pub(super) fn quoted(text: &[u16], indentation: usize, line: usize) -> String {
    if text.len() <= SHORT || text.len() + indentation + 4 <= line {
        return quote(text);
    }
    let lines: Vec<String> = text.split_inclusive(|unit| *unit == 0x0a).map(quote).collect();
    lines.join(&format!(" +\n{}", " ".repeat(indentation + 2)))
}

/// A string in quotes of the kind that needs the fewest escapes.
pub(super) fn quote(text: &[u16]) -> String {
    let has = |c: u8| text.contains(&u16::from(c));
    let placeholder = || text.windows(2).any(|pair| *pair == [u16::from(b'$'), u16::from(b'{')]);
    let mark = match has(b'\'') {
        true if !has(b'"') => '"',
        true if !has(b'`') && !placeholder() => '`',
        _ => '\'',
    };
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push(mark);
    escape_into(&mut quoted, text, mark == '\'');
    quoted.push(mark);
    quoted
}

/// The text with control characters, backslashes and halves of pairs escaped.
pub(super) fn escape(text: &[u16]) -> String {
    let mut escaped = String::with_capacity(text.len());
    escape_into(&mut escaped, text, true);
    escaped
}

fn escape_into(to: &mut String, text: &[u16], single: bool) {
    for unit in char::decode_utf16(text.iter().copied()) {
        // Writing to a string cannot fail.
        let _ = match unit {
            Ok('\u{8}') => to.write_str("\\b"),
            Ok('\t') => to.write_str("\\t"),
            Ok('\n') => to.write_str("\\n"),
            Ok('\u{c}') => to.write_str("\\f"),
            Ok('\r') => to.write_str("\\r"),
            Ok('\\') => to.write_str("\\\\"),
            Ok('\'') if single => to.write_str("\\'"),
            Ok(c @ ('\0'..='\x1f' | '\x7f'..='\u{9f}')) => write!(to, "\\x{:02X}", u32::from(c)),
            Ok(c) => to.write_char(c),
            Err(half) => write!(to, "\\u{:x}", half.unpaired_surrogate()),
        };
    }
}
