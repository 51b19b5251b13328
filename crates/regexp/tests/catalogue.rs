//! Patterns of everyday use over the texts they are written for. The expected results in
//! `catalogue.tsv` are those of V8 (Node 20): all matches with `g`, else the first.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use common::{compile, find, show};

/// Reads a string of JSON.
fn unquote(text: &str) -> Vec<u16> {
    let mut units = Vec::new();
    let mut chars = text.strip_prefix('"').unwrap().strip_suffix('"').unwrap().chars();
    while let Some(c) = chars.next() {
        match (c, if c == '\\' { chars.next() } else { None }) {
            (_, Some('n')) => units.push(10),
            (_, Some('r')) => units.push(13),
            (_, Some('t')) => units.push(9),
            (_, Some('u')) => {
                let digits: String = chars.by_ref().take(4).collect();
                units.push(u16::from_str_radix(&digits, 16).unwrap());
            }
            (_, Some(escaped)) => units.push(escaped as u16),
            (plain, None) => units.push(plain as u16),
        }
    }
    units
}

#[test]
fn all_matches_are_those_of_v8() {
    let (mut text, mut checked) = (Vec::new(), 0);
    for line in include_str!("catalogue.tsv").lines() {
        let (left, right) = line.rsplit_once('\t').unwrap();
        if left == "text" {
            text = unquote(right);
            continue;
        }
        let (pattern, flags) = left.strip_prefix('/').unwrap().rsplit_once('/').unwrap();
        let regexp = compile(&common::units(pattern), flags)
            .unwrap_or_else(|reason| panic!("{left}: {reason}"));
        let (mut found, mut start) = (Vec::new(), 0);
        while let Some(captures) = find(&regexp, &text, start, false) {
            found.push(show(&captures));
            let range = captures.get(0).unwrap();
            // As JavaScript advances: behind an empty match by one character.
            let pair = flags.contains('u')
                && text.get(range.end).is_some_and(|unit| (0xD800..0xDC00).contains(unit))
                && text.get(range.end + 1).is_some_and(|unit| (0xDC00..0xE000).contains(unit));
            start = range.end + if range.is_empty() { 1 + usize::from(pair) } else { 0 };
            if !flags.contains('g') {
                break;
            }
        }
        assert_eq!(found.join(" "), right, "{left} on {}", String::from_utf16_lossy(&text));
        checked += 1;
    }
    assert_eq!(checked, 195);
}
