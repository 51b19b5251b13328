//! Front matter: what a Markdown file says of itself before its text.
//!
//! Border: the beginning of a file in; fields and what could not be read out. The part of YAML that people write
//! there: texts, lists and folded texts. No library: the one that everybody used is no longer kept up, and what a
//! stranger's file may ask of YAML beyond this (anchors, types, nesting) is what blows up.

use super::metadata::{self, FieldValue, Metadata};
use std::iter::Peekable;
use std::str::Lines;

/// Bytes that front matter may have; a rule of dashes at the top of a text is none.
const MOST: usize = 64 * 1024;
/// Lines of it that are named where they cannot be read.
const NOTES: usize = 20;

/// Takes front matter off a text: its bytes, with the lines that enclose it. Where there is none, 0.
pub fn take(text: &str, metadata: &mut Metadata, issues: &mut Vec<String>) -> usize {
    let Some(length) = length(text) else { return 0 };
    let inner = text.get(..length).unwrap_or_default();
    if !begins_with_field(inner) {
        return 0;
    }
    let mut lines = inner.lines().peekable();
    lines.next();
    let mut number = 1;
    while let Some(line) = lines.next() {
        number += 1;
        if is_end(line) || line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let Some((key, rest)) = field(line) else {
            issues.push(format!("line {number} of the front matter is not `key: value`"));
            continue;
        };
        let (said, more) = values(rest.trim(), &mut lines);
        number += more;
        if let Err(excess) = metadata.set(key, &said) {
            let (key, why) = (metadata::line(key).text, excess.left_out());
            issues.push(format!("`{key}` of the front matter {excess}: {why}"));
        }
    }
    let more = issues.len().saturating_sub(NOTES);
    if more > 0 {
        issues.truncate(NOTES);
        issues.push(format!("the front matter has {more} further lines like these"));
    }
    length
}

/// Whether it begins with a field, behind comments at most, or is empty. What stands between two rules is text otherwise,
/// whatever looks like a field further down.
fn begins_with_field(front: &str) -> bool {
    let mut lines = front.lines().filter(|line| !is_end(line));
    let first = lines.find(|line| !line.trim_start().starts_with('#'));
    first.is_some_and(|line| field(line).is_some())
        || front.lines().all(|line| is_end(line) || line.trim().is_empty())
}

fn field(line: &str) -> Option<(&str, &str)> {
    line.split_once(':').filter(|(key, _)| is_key(key))
}

/// Bytes up to the end of the line that closes it.
fn length(text: &str) -> Option<usize> {
    let first = text.lines().next()?;
    if first.trim_end() != "---" {
        return None;
    }
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        at += line.len();
        if at > MOST {
            return None;
        }
        if number > 0 && is_end(line) {
            return Some(at);
        }
    }
    None
}

fn is_end(line: &str) -> bool {
    matches!(line.trim_end(), "---" | "...")
}

fn is_key(key: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.');
    !key.trim().is_empty() && !key.starts_with([' ', '\t', '-']) && key.chars().all(is_letter)
}

/// What is said of a field, and how many further lines it took.
fn values(rest: &str, lines: &mut Peekable<Lines<'_>>) -> (FieldValue, usize) {
    if let Some(list) = rest.strip_prefix('[').and_then(|list| list.strip_suffix(']')) {
        return (FieldValue::List(parts(list)), 0);
    }
    let is_folded = matches!(rest, "|" | ">" | "|-" | ">-" | "|+" | ">+");
    if !rest.is_empty() && !is_folded {
        return (FieldValue::Text(plain(rest)), 0);
    }
    let mut found: Vec<String> = Vec::new();
    let (mut taken, mut is_list) = (0, false);
    let is_inner = |line: &&str| line.starts_with([' ', '\t', '-']) && !is_end(line);
    while let Some(line) = lines.next_if(is_inner) {
        taken += 1;
        match line.trim().strip_prefix("- ").filter(|_| !is_folded) {
            Some(item) => {
                is_list = true;
                found.push(plain(item));
            }
            None => match found.last_mut() {
                Some(last) => {
                    last.push(' ');
                    last.push_str(line.trim());
                }
                None => found.push(line.trim().to_owned()),
            },
        }
    }
    let said = if is_list { FieldValue::List(found) } else { FieldValue::Text(found.concat()) };
    (said, taken)
}

/// The items of a list in brackets; commas within quotes part nothing.
fn parts(list: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut quote = None;
    for c in list.chars() {
        match (c, quote) {
            (',', None) => {
                parts.push(String::new());
                continue;
            }
            ('"' | '\'', None) => quote = Some(c),
            (_, Some(open)) if c == open => quote = None,
            _ => {}
        }
        parts.last_mut().into_iter().for_each(|part| part.push(c));
    }
    parts.iter().map(|part| plain(part)).filter(|part| !part.is_empty()).collect()
}

/// A value without quotes around it, or without a comment behind it.
fn plain(value: &str) -> String {
    let value = value.trim();
    for quote in ['"', '\''] {
        let inner = value.strip_prefix(quote).and_then(|rest| rest.split_once(quote));
        if let Some((inner, rest)) = inner
            && (rest.trim().is_empty() || rest.trim_start().starts_with('#'))
        {
            return inner.to_owned();
        }
        // A quotation mark that is written within.
        if let Some(inner) = value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inner.replace("\\\"", "\"").replace("''", "'");
        }
    }
    value.split(" #").next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Metadata, usize, Vec<String>) {
        let (mut metadata, mut issues) = (Metadata::default(), Vec::new());
        let length = take(text, &mut metadata, &mut issues);
        (metadata, length, issues)
    }

    #[test]
    fn fields_are_read_as_people_write_them() {
        let text = "---\ntitle: \"Import: a guide\" # draft\nsource_org: Customs Office\nsource_urls:\n  - https://a.example/x\n  - https://b.example/y\ncategory: '01_regulatory'\nid: REG-7\ndate: 2024-03-01\nlast_updated: 2025-01-09\ntags: [one, \"two, three\"]\nsummary: >\n  folded\n  text\n---\n# Body\n";
        let (metadata, length, issues) = read(text);
        assert_eq!(&text[length..], "# Body\n");
        assert_eq!(metadata.title.as_deref(), Some("Import: a guide"));
        assert_eq!(metadata.source_org.as_deref(), Some("Customs Office"));
        assert_eq!(metadata.source_urls, ["https://a.example/x", "https://b.example/y"]);
        assert_eq!(metadata.category.as_deref(), Some("01_regulatory"));
        assert_eq!(metadata.id.as_deref(), Some("REG-7"));
        assert_eq!(metadata.published.as_deref(), Some("2024-03-01"));
        assert_eq!(metadata.updated.as_deref(), Some("2025-01-09"));
        assert_eq!(metadata.other["tags"], "one, two, three");
        assert_eq!(metadata.other["summary"], "folded text");
        assert!(issues.is_empty(), "{issues:?}");
    }

    #[test]
    fn addresses_may_stand_in_one_line_apart_by_commas() {
        let (metadata, ..) =
            read("---\nsource_urls: https://a.example, N/A , https://b.example\n---\n");
        assert_eq!(metadata.source_urls, ["https://a.example", "N/A", "https://b.example"]);
        let (metadata, ..) =
            read("---\nsource_urls:\n  https://a.example, https://b.example\n---\n");
        assert_eq!(metadata.source_urls, ["https://a.example", "https://b.example"]);
    }

    #[test]
    fn an_address_of_a_list_may_have_a_comma() {
        for list in
            ["\n  - https://a.example/Paris,_Texas", " [\"https://a.example/Paris,_Texas\"]"]
        {
            let (metadata, ..) = read(&format!("---\nsource_urls:{list}\n---\n"));
            assert_eq!(metadata.source_urls, ["https://a.example/Paris,_Texas"], "{list}");
        }
    }

    #[test]
    fn a_line_that_is_none_is_named_and_the_rest_is_read() {
        let (metadata, _, issues) = read("---\ntitle: A\n{{ broken\nid: 7\n---\n");
        assert_eq!((metadata.title.as_deref(), metadata.id.as_deref()), (Some("A"), Some("7")));
        assert_eq!(issues, ["line 3 of the front matter is not `key: value`"]);
    }

    #[test]
    fn what_is_not_kept_of_it_is_told() {
        let urls = vec!["https://a.example"; 33].join("\n  - ");
        let (metadata, _, issues) = read(&format!(
            "---\nsummary: {}\nsource_urls:\n  - {urls}\n---\n",
            "word ".repeat(101)
        ));
        assert_eq!((metadata.other["summary"].len(), metadata.source_urls.len()), (499, 32));
        assert_eq!(
            issues,
            [
                "`summary` of the front matter has more than 500 characters: its end is left out",
                "`source_urls` of the front matter has more than 32 addresses: the rest is left out",
            ]
        );
        let (_, _, issues) = read(&format!("---\na: b\n{}---\n", "no field\n".repeat(5_000)));
        assert_eq!(
            (issues.len(), issues[20].as_str()),
            (21, "the front matter has 4980 further lines like these")
        );
    }

    #[test]
    fn a_rule_of_dashes_is_no_front_matter() {
        for text in [
            "---\nno end",
            "text\n---\n",
            "----\na: b\n---\n",
            "",
            "---",
            "---\n# Harbour rules 2025\n---\nBerths are let by the week.",
            "---\n\n# Slide 1\n\nBerths are let by the week.\n\n---\n",
            "---\nno field\n---\n",
            "---\n\n# Prices\n\nNote: valid until May\n\n- Berth 12 EUR\n\n---\n\n# Slide 2\n",
            "---\n# Prices\n\nNote: valid until May\n---\n",
        ] {
            assert_eq!(read(text).1, 0, "{text}");
        }
        let long = format!("---\n{}---\n", "a: b\n".repeat(20_000));
        assert_eq!(read(&long).1, 0);
    }
}
