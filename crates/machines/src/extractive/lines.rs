//! The lines of a text, and what of them is quoted.
//!
//! Border: a text in, its lines and parts of them out.

use super::kind::is_auxiliary;
use super::marks::Line;
use super::words;
use quarry_types::text::first_bytes;
use std::ops::Range;

/// Words that a quotation has at least.
pub(super) const LEAST_WORDS: usize = 4;

/// Bytes of a title or heading that are read.
const HEADING_BYTES: usize = 1_000;
/// Entries of a list that are read together.
const MOST_ENTRIES: usize = 24;
/// Bytes of a line from which the next may be its other half.
const WRAPPED_BYTES: usize = 40;

/// A line of a list without its number. `3. Oktober 1990` is a day.
fn unnumbered(line: &str) -> &str {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..).and_then(|rest| rest.strip_prefix(['.', ')']));
    let Some(rest) = rest.filter(|_| (1..=2).contains(&digits)) else { return line };
    let is_year =
        |word: &str| word.len() >= 4 && word.bytes().take(4).all(|it| it.is_ascii_digit());
    let words = rest.strip_prefix(' ').unwrap_or_default();
    let is_day = words.split(' ').nth(1).is_some_and(is_year);
    if is_day || !words.starts_with(char::is_uppercase) { line } else { words }
}

/// The part of a sentence without a quotation mark that has no other: the rest stands in the next.
pub(super) fn whole_quotes(text: &str) -> Range<usize> {
    let straight = text.matches('"').count() % 2 == 1;
    let (opened, closed) = (text.matches('“').count(), text.matches('”').count());
    let mut range = 0..text.len();
    if (straight && text.starts_with('"')) || (opened > closed && text.starts_with('“')) {
        range.start = text.chars().next().map_or(0, char::len_utf8);
    } else if (straight && text.ends_with('"')) || (closed > opened && text.ends_with('”')) {
        range.end -= text.chars().next_back().map_or(0, char::len_utf8);
    }
    range
}

/// Whether a text of few words says something by itself: `Nobody was hurt.`
pub(super) fn is_statement(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().take(LEAST_WORDS).collect();
    let [first, verb, _] = words.as_slice() else { return false };
    text.ends_with('.') && first.starts_with(char::is_uppercase) && is_auxiliary(verb)
}

/// Whether a line is an entry of a list that says how much there is of something: `- 22 g salt`.
pub(super) fn is_measured_entry(line: &str) -> bool {
    let Some(entry) = line.strip_prefix(['-', '*', '•']).map(str::trim) else { return false };
    let ends = entry.ends_with(char::is_alphabetic);
    ends && entry.starts_with(|c: char| c.is_ascii_digit()) && entry.contains(' ')
}

/// Whether a line is an entry of a list that says too little by itself and measures nothing: `- Rye flour`.
fn is_short_entry(line: &str) -> bool {
    let Some(entry) = line.trim().strip_prefix("- ") else { return false };
    let count = entry.split_whitespace().take(LEAST_WORDS).count();
    (1..LEAST_WORDS).contains(&count)
        && !entry.contains(['|', '\t'])
        && !entry.starts_with(|c: char| c.is_ascii_digit())
        && !is_statement(entry)
}

/// The lead and the entries of a list that is read as one line: `You need:` and what. None where it is none.
pub(super) fn list(text: &str) -> Option<(&str, impl Iterator<Item = &str>)> {
    let next = text.find("\n- ")?;
    let at = if text.starts_with("- ") { 0 } else { next + 1 };
    let (lead, list) = text.split_at_checked(at)?;
    let entries = list.lines().map(|entry| entry.trim().trim_start_matches("- "));
    Some((lead.trim(), entries))
}

/// The entries of a list that was quoted whole, but for what it begins with; none where it is none.
pub(super) fn further_entries(text: &str) -> usize {
    text.matches("\n- ").count()
}

/// Where a list of short entries ends that begins with the line which ends here, or is led in by it: `You need:`.
fn end_of_list(text: &str, end: usize) -> Option<usize> {
    let first = text.get(..end)?;
    let is_lead = first.trim_end().ends_with(':') && !first.contains('\t');
    if !is_lead && !is_short_entry(first) {
        return None;
    }
    let (mut count, mut last) = (usize::from(!is_lead), end);
    let mut at = end;
    while let Some(next) = text.get(at..).and_then(|rest| rest.strip_prefix('\n')) {
        let next_end = end_of_line(text, at + 1);
        let line = next.get(..next_end - at - 1).unwrap_or_default();
        let may_be_blank = count == 0 && at == end;
        if is_short_entry(line) && count < MOST_ENTRIES {
            count += 1;
            last = next_end;
        } else if !(may_be_blank && line.trim().is_empty()) {
            break;
        }
        at = next_end;
    }
    (count > 1).then_some(last)
}

/// Whether a line is drawn as the row of a table: with tabs, as pages have it, or with bars around it, as Markdown does.
pub(super) fn draws_row(line: &str) -> bool {
    line.contains('\t') || line.strip_prefix('|').is_some_and(|rest| rest.contains('|'))
}

/// What is read of a line: no mark of a list, and of a row one bar less at each side. A second bar ends an empty cell.
pub(super) fn unmarked(line: &str) -> Range<usize> {
    let row = line.strip_prefix('|').filter(|row| row.contains(char::is_alphanumeric));
    let row = row.map(|row| row.trim_start_matches(' '));
    let inner = row.unwrap_or_else(|| line.trim_start_matches(['-', '*', '>', '•', '|', ' ']));
    let inner = unnumbered(inner);
    let start = line.len() - inner.len();
    let inner = match (row, inner.strip_suffix('|')) {
        (Some(_), Some(inner)) => inner.trim_end_matches(' '),
        _ => inner.trim_end_matches(['|', ' ']),
    };
    start..start + inner.len()
}

/// The sentences of what is read of a line. The tabs around a row belong to it: they end empty cells.
pub(super) fn sentences(line: &str) -> Vec<Range<usize>> {
    let mut sentences = words::sentences(line);
    if let Some(first) = sentences.first_mut().filter(|_| line.starts_with('\t')) {
        first.start = 0;
    }
    if let Some(last) = sentences.last_mut().filter(|_| line.ends_with('\t')) {
        last.end = line.len();
    }
    sentences
}

/// The words of a heading of Markdown: no `#1` and no `#tag`.
pub(super) fn heading(line: &str) -> Option<&str> {
    let words = line.trim_start_matches('#');
    let marks = line.len() - words.len();
    let is_heading =
        (1..=6).contains(&marks) && (words.is_empty() || words.starts_with([' ', '\t']));
    is_heading.then(|| words.trim().trim_end_matches('#').trim_end())
}

/// The first bytes of a title or heading, as whole characters.
pub(super) fn beginning(text: &str) -> &str {
    first_bytes(text, HEADING_BYTES)
}

/// The lines of a text. A control sign ends one, too: no quotation carries it. A line that was
/// broken in the middle of a sentence goes on in the next, and entries of a list that are too short to be quoted by
/// themselves are one.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut end = end_of_line(text, 0);
        while let Some(next) = text.get(end..).and_then(|rest| rest.strip_prefix('\n')) {
            let next_end = end_of_line(text, end + 1);
            let next = next.get(..next_end - end - 1).unwrap_or_default();
            let last = text.get(..end).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
            if !is_broken(last, next) {
                break;
            }
            end = next_end;
        }
        end = end_of_list(text, end).unwrap_or(end);
        let after = text.get(end..).unwrap_or_default();
        let mut characters = after.chars();
        rest = characters.next().map(|_| characters.as_str());
        Some(Line::new(trimmed(text.get(..end).unwrap_or_default())))
    })
}

/// A line without the blanks around it, which tabs are where none stands between cells.
fn trimmed(line: &str) -> &str {
    let inner = line.trim();
    let is_blank = |c: char| c.is_whitespace() && c != '\t';
    if inner.contains('\t') { line.trim_matches(is_blank) } else { inner }
}

/// Where the line ends that begins at or before this byte.
fn end_of_line(text: &str, from: usize) -> usize {
    let ends = |c: char| c.is_control() && c != '\t' || matches!(c, '\u{2028}' | '\u{2029}');
    // The first bytes of what may end a line.
    let may_end =
        |byte: &u8| (*byte < b' ' && *byte != b'\t') || matches!(byte, 0x7F | 0xC2 | 0xE2);
    let mut at = from;
    while let Some(rest) = text.as_bytes().get(at..) {
        let Some(next) = rest.iter().position(may_end) else { break };
        at += next;
        match text.get(at..).and_then(|rest| rest.chars().next()) {
            Some(character) if !ends(character) => at += character.len_utf8(),
            _ => return at,
        }
    }
    text.len()
}

/// Whether a sentence goes on from one line to the next.
fn is_broken(line: &str, next: &str) -> bool {
    let last = line.trim_end().chars().next_back();
    line.len() >= WRAPPED_BYTES
        && last.is_some_and(|last| last.is_alphanumeric() || matches!(last, ',' | '-' | '–'))
        && next.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit() && last != Some('|'))
        && !line.contains('\t')
        && !next.contains('\t')
        && !line.starts_with(['#', '|', '•'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_words_may_say_something() {
        for text in ["Nobody was hurt.", "Entry is free."] {
            assert!(is_statement(text), "{text}");
        }
        for text in ["No.", "See the map.", "Nobody was hurt, though.", "entry is free."] {
            assert!(!is_statement(text), "{text}");
        }
    }

    #[test]
    fn an_entry_of_a_list_may_measure() {
        assert!(is_measured_entry("- 22 g salt") && is_measured_entry("* 2 eggs"));
        assert!(!is_measured_entry("22 g salt") && !is_measured_entry("- 2019"));
        assert!(!is_measured_entry("- Salt, 22 g") && !is_measured_entry("- 12 March 2024"));
    }

    #[test]
    fn short_entries_of_a_list_are_read_together() {
        let all = |text: &str| lines(text).map(|line| line.shown().to_owned()).collect::<Vec<_>>();
        for (text, read) in [
            ("- Rye flour\n- Water\n- Salt", &["- Rye flour\n- Water\n- Salt"][..]),
            ("You need:\n\n- Water\n- Salt\nMix.", &["You need:\n\n- Water\n- Salt", "Mix."]),
            ("- Salt", &["- Salt"]),
            ("You need:\n- Salt", &["You need:", "- Salt"]),
            ("- 22 g salt\n- 2 eggs", &["- 22 g salt", "- 2 eggs"]),
            ("- Salt\n- As much water as you like", &["- Salt", "- As much water as you like"]),
        ] {
            assert_eq!(all(text), read, "{text}");
        }
    }

    #[test]
    fn tables_have_rows() {
        assert!(draws_row("Adult\t14 euros") && draws_row("| Adult | 14 euros |"));
        assert!(draws_row("|---|---|"));
        assert!(!draws_row("By Ann | 3 May 2024"));
    }

    #[test]
    fn a_row_keeps_its_empty_cells() {
        let shown = |text: &str| lines(text).next().map(|line| line.shown().to_owned());
        for (line, inner) in [
            ("| | Out | Back |", "| Out | Back"),
            ("| Out |  | |", "Out |  |"),
            ("- Out, and back |", "Out, and back"),
            ("| 2. Out | Back", "Out | Back"),
            ("| --- | --- |", ""),
        ] {
            assert_eq!(line.get(unmarked(line)), Some(inner), "{line}");
        }
        assert_eq!(shown(" \tOut\tBack\t\n").as_deref(), Some("\tOut\tBack\t"));
        assert_eq!(shown("\tOut and back. \t").as_deref(), Some("Out and back."));
        let row = "\tOut\tBack\t";
        assert_eq!(sentences(row).first(), Some(&(0..row.len())));
    }
}
