//! Percent signs in addresses, and the form of queries.

use std::fmt::Write as _;

/// Writes every byte for which `escaped` holds, and all that is not ASCII, as `%XX`.
pub(super) fn encode(text: &str, escaped: fn(u8) -> bool) -> String {
    let mut made = String::with_capacity(text.len());
    for byte in text.bytes() {
        if control(byte) || escaped(byte) {
            // Writing to a string cannot fail.
            let _ = write!(made, "%{byte:02X}");
        } else {
            made.push(char::from(byte));
        }
    }
    made
}

/// What is escaped everywhere.
pub(super) fn control(byte: u8) -> bool {
    !(0x20..=0x7e).contains(&byte)
}

pub(super) fn fragment(byte: u8) -> bool {
    b" \"<>`".contains(&byte)
}

pub(super) fn query(byte: u8) -> bool {
    b" \"#<>".contains(&byte)
}

pub(super) fn special_query(byte: u8) -> bool {
    query(byte) || byte == b'\''
}

pub(super) fn path(byte: u8) -> bool {
    query(byte) || b"?^`{}".contains(&byte)
}

pub(super) fn userinfo(byte: u8) -> bool {
    path(byte) || b"/:;=@[\\]|".contains(&byte)
}

fn form(byte: u8) -> bool {
    !byte.is_ascii_alphanumeric() && !b"*-._ ".contains(&byte)
}

/// Takes `%XX` apart; what is no escape stays.
pub(super) fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut made = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 3).filter(|_| *byte == b'%');
        let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let escaped = digits
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        made.push(escaped.unwrap_or(*byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&made).into_owned()
}

/// The pairs of a query.
pub(super) fn pairs(query: &str) -> Vec<(String, String)> {
    let part = |text: &str| decode(&text.replace('+', " "));
    query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (part(name), part(value)))
        .collect()
}

/// Pairs as a query.
pub(super) fn query_of(pairs: &[(String, String)]) -> String {
    let mut text = String::new();
    for (name, value) in pairs {
        if !text.is_empty() {
            text.push('&');
        }
        text.push_str(&encode(name, form).replace(' ', "+"));
        text.push('=');
        text.push_str(&encode(value, form).replace(' ', "+"));
    }
    text
}
