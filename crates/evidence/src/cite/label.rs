//! What stands in brackets: names of passages, a bare number, or words.

use super::known::{Known, PassageId, Target};

/// The most names that one marker may have.
const MOST_NAMES: usize = 16;

/// Characters of the shortest title that is a marker however it is written.
const LEAST_TITLE: usize = 4;

/// What stands in brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Label {
    /// Names of passages or of sources, and names that nothing has.
    Marker(Vec<Target>, Vec<String>),
    /// One bare number, from 1 to 999: it means nothing, though it looks like a citation.
    Number,
    /// Several, each greater than the one before: they may be a list of such, or what they are.
    Numbers(Numbers),
    /// Words.
    Words,
}

/// Several bare numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbers {
    /// Whether they are a range of more sources than anybody cites at once.
    pub is_wide: bool,
}

impl Label {
    /// Reads a label.
    pub fn read(label: &str, known: &Known) -> Label {
        // A page may have any title: one that looks like a name or a number is not gone by.
        let is_name =
            PassageId::parse(label).is_some() || is_number(label.trim_start_matches(['#', '^']));
        let is_long = || label.chars().nth(LEAST_TITLE - 1).is_some();
        let may_be_title = !is_name && (is_long() || known.is_short_title(label));
        let titled = if may_be_title { known.by_title(label) } else { None };
        if let Some(target) = titled.or_else(|| known.by_address(label)) {
            return Label::Marker(vec![target], Vec::new());
        }
        let label = label.split('†').next().unwrap_or_default();
        let separators = |c: char| {
            c.is_whitespace() || matches!(c, ',' | ';' | '&' | '|' | '/' | '、' | '，' | '-' | '–')
        };
        let parts = label
            .split(separators)
            .map(|part| part.trim_matches(['#', '^', ':', '.', '*', '`', '[', ']']));
        let parts = parts.filter(|part| !part.is_empty() && !is_filler(part));
        if is_number(label.trim_start_matches(['#', '^'])) {
            return Label::Number;
        }
        if let Some(numbers) = numbers(label) {
            return numbers;
        }
        let mut targets = Vec::new();
        let mut unknown = Vec::new();
        for (count, part) in parts.enumerate() {
            match PassageId::parse(part) {
                _ if count >= MOST_NAMES => return Label::Words,
                Some(id) => match known.by_id(id) {
                    Some(target) if !targets.contains(&target) => targets.push(target),
                    Some(_) => {}
                    None => unknown.push(part.to_owned()),
                },
                // Beside names they are what a model made of a list, or a place within the source.
                None if !(targets.is_empty() && unknown.is_empty()) && is_place(part) => {}
                None => return Label::Words,
            }
        }
        if targets.is_empty() && unknown.is_empty() {
            Label::Words
        } else {
            Label::Marker(targets, unknown)
        }
    }
}

/// The greatest number of a source among others.
const MOST_NUMBER: usize = 200;
/// Sources that are cited at once, as a range.
const MOST_RANGE: usize = 10;

/// Bare numbers, perhaps behind a word that says they are sources: `1, 2`, `1-3`, `source 1`.
fn numbers(label: &str) -> Option<Label> {
    let is_gap =
        |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '&' | '、' | '，' | '-' | '–');
    let parts = label.split(is_gap).map(|part| part.trim_matches([':', '.', '#', '^']));
    let mut parts = parts.filter(|part| !part.is_empty()).peekable();
    let is_said = parts.next_if(|part| is_source(part)).is_some();
    let mut last = 0;
    let mut first = 0;
    for (count, part) in parts.filter(|part| !part.eq_ignore_ascii_case("and")).enumerate() {
        let number = is_number(part).then(|| part.parse::<usize>().ok()).flatten()?;
        if number <= last || number > MOST_NUMBER || count >= MOST_NAMES {
            return None;
        }
        first = if count == 0 { number } else { first };
        last = number;
    }
    if is_said && last > 0 {
        return Some(Label::Number);
    }
    let is_range = label.contains(['-', '–']);
    (last > first)
        .then_some(Label::Numbers(Numbers { is_wide: is_range && last - first >= MOST_RANGE }))
}

/// Whether a word says that sources are numbered behind it.
fn is_source(word: &str) -> bool {
    const WORDS: [&str; 14] = [
        "citation",
        "citations",
        "cite",
        "doc",
        "document",
        "footnote",
        "passage",
        "passages",
        "ref",
        "reference",
        "references",
        "refs",
        "source",
        "sources",
    ];
    WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

fn is_number(text: &str) -> bool {
    let is_short = (1..=3).contains(&text.len());
    is_short
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && !text.trim_start_matches('0').is_empty()
}

/// Whether this is (a part of) where in a source something stands: `p.`, `3`, `p.3`, `§2`.
fn is_place(part: &str) -> bool {
    const WORDS: [&str; 16] = [
        "p",
        "pp",
        "page",
        "pages",
        "para",
        "paras",
        "paragraph",
        "paragraphs",
        "sec",
        "section",
        "sections",
        "line",
        "lines",
        "ch",
        "chapter",
        "§",
    ];
    let part = part.trim_matches(['(', ')']);
    let at = part.find(|c: char| c.is_ascii_digit()).unwrap_or(part.len());
    let (word, number) = part.split_at(at);
    let word = word.trim_end_matches('.');
    let is_word = word.is_empty() || WORDS.iter().any(|known| known.eq_ignore_ascii_case(word));
    is_word && (number.is_empty() || is_number(number))
}

/// Words that models put before a name.
fn is_filler(word: &str) -> bool {
    const FILLERS: [&str; 10] =
        ["source", "sources", "passage", "passages", "id", "ids", "see", "ref", "cite", "and"];
    FILLERS.iter().any(|filler| filler.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Finding, Source};

    #[test]
    fn labels_are_read_in_all_the_ways_that_models_write_them() {
        let finding = |n: usize| Finding {
            url: format!("https://{n}.example/"),
            title: Some(format!("Page {n}")),
            description: "said".to_owned(),
            ..Finding::default()
        };
        let sources = [Source::new(1, finding(1)), Source::new(2, finding(2))];
        let known = Known::new(&sources);
        let marker = |at: &[usize], unknown: &[&str]| {
            let targets = at.iter().map(|at| Target::Passage(*at)).collect();
            Label::Marker(targets, unknown.iter().map(|name| (*name).to_owned()).collect())
        };
        let few = Label::Numbers(Numbers { is_wide: false });
        for (label, expected) in [
            ("q1", marker(&[0], &[])),
            ("q1, q2 and q1", marker(&[0, 1], &[])),
            ("source: Q2", marker(&[1], &[])),
            ("^q2†L3-L9", marker(&[1], &[])),
            ("q1; q77", marker(&[0], &["q77"])),
            ("q1, p. 3", marker(&[0], &[])),
            ("q1 (pp. 3-4), q2, page 12", marker(&[0, 1], &[])),
            ("q1, p.3; q2, §2", marker(&[0, 1], &[])),
            ("q1, the third", Label::Words),
            ("p. 3", Label::Words),
            ("3", Label::Number),
            ("1, 2", few.clone()),
            ("1,2,3", few.clone()),
            ("1-3", few.clone()),
            ("2 and 5", few),
            ("10-40", Label::Numbers(Numbers { is_wide: true })),
            ("source 1", Label::Number),
            ("Ref. 12", Label::Number),
            ("Sources: 1, 2", Label::Number),
            ("3, 1", Label::Words),
            ("0, 1", Label::Words),
            ("1, 2], [3, 4", Label::Words),
            ("source one", Label::Words),
            ("0", Label::Words),
            ("-1", Label::Words),
            ("2024", Label::Words),
            ("x", Label::Words),
            ("", Label::Words),
            ("Page 2", Label::Marker(vec![Target::Source(1)], Vec::new())),
            ("https://1.example/#a", Label::Marker(vec![Target::Source(0)], Vec::new())),
        ] {
            assert_eq!(Label::read(label, &known), expected, "{label}");
        }
    }
}
