//! What a model wrote for a report, read leniently: paragraphs and items of sentences, and questions.

use super::block::line_of;
use quarry_evidence::cite::PassageId;
use quarry_evidence::text::{ends_sentence, sentences};
use quarry_types::json;
use quarry_types::text::{cut, first_bytes};
use serde_json::Value;

/// Characters of an answer that are read.
const MOST: usize = 64_000;
/// Follow-up questions, and the characters of each.
const MOST_QUESTIONS: usize = 6;
const MOST_QUESTION: usize = 300;
/// Characters of the longest escape of a JSON string that stands for one character.
const LONGEST_ESCAPE: usize = 12;
/// Characters of the longest sign at the beginning of a line, with what tells that it is one: `123. x`.
const LONGEST_SIGN: usize = 6;
/// Bytes of a marker at the beginning of a sentence.
const MOST_MARKER: usize = 200;

/// What a model wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Its answer, in parts.
    pub parts: Vec<Part>,
    /// What it suggests to ask next.
    pub follow_up: Vec<String>,
}

/// A paragraph or an item of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// Whether it is an item.
    pub is_item: bool,
    /// Its sentences, with their markers.
    pub sentences: Vec<String>,
}

impl Written {
    /// Reads a reply: `{ "answer": …, "follow_up": […] }`, or else the answer itself.
    pub fn read(reply: &str) -> Self {
        let is_reply =
            |value: &Value| ["answer", "follow_up"].iter().any(|it| value.get(it).is_some());
        let value = json::read(reply).filter(is_reply);
        let Some(value) = value else {
            return Written { parts: parts(&cut(reply, MOST)), follow_up: Vec::new() };
        };
        let answer = value.get("answer").and_then(Value::as_str).unwrap_or_default();
        let asked = value.get("follow_up").and_then(Value::as_array);
        let asked = asked.into_iter().flatten().filter_map(Value::as_str);
        let mut follow_up: Vec<String> = Vec::new();
        // A sentence that asks nothing would be a statement that nobody checked.
        for question in asked.map(|text| line_of(text, MOST_QUESTION)) {
            if question.ends_with(['?', '？']) && !follow_up.contains(&question) {
                follow_up.push(question);
            }
            if follow_up.len() >= MOST_QUESTIONS {
                break;
            }
        }
        Written { parts: parts(&cut(answer, MOST)), follow_up }
    }
}

/// The parts of a text in Markdown.
fn parts(text: &str) -> Vec<Part> {
    let parts = texts(text).into_iter();
    let parts = parts.map(|(is_item, text)| Part { is_item, sentences: sentences_of(&text) });
    parts.filter(|part| !part.sentences.is_empty()).collect()
}

/// The texts of parts, and whether each is an item. What is code, a table or a heading states something like
/// anything else, so it is read as plain sentences.
fn texts(text: &str) -> Vec<(bool, String)> {
    let mut parts: Vec<(bool, String)> = Vec::new();
    let mut open: Option<(bool, String)> = None;
    for line in text.lines().map(str::trim) {
        let bare = line.trim_start_matches(['#', '>']).trim();
        let is_rule = is_rule(bare);
        let begins = line.starts_with('#') || line.starts_with('|');
        let item = item(bare);
        if is_rule || begins || item.is_some() || line.starts_with("```") || line.starts_with("~~~")
        {
            parts.extend(open.take());
        }
        if is_rule || line.starts_with("```") || line.starts_with("~~~") {
            continue;
        }
        match (&mut open, item) {
            (_, Some(item)) => open = Some((true, item.to_owned())),
            (Some((_, text)), None) => {
                text.push(' ');
                text.push_str(bare);
            }
            (None, None) => open = Some((line.starts_with('|'), cells(bare))),
        }
        if begins {
            parts.extend(open.take());
        }
    }
    parts.extend(open);
    parts
}

fn is_rule(line: &str) -> bool {
    line.chars().all(|c| matches!(c, '-' | '*' | '_' | '=' | '|' | ':' | ' '))
}

/// What stands behind the sign of an item.
fn item(line: &str) -> Option<&str> {
    let rest = match line.strip_prefix(['-', '*', '+', '•']) {
        Some(rest) => rest,
        None => {
            let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
            let count = line.len() - digits.len();
            (1..4).contains(&count).then_some(digits)?.strip_prefix(['.', ')'])?
        }
    };
    rest.starts_with(' ').then(|| rest.trim())
}

/// A row of a table as words.
fn cells(line: &str) -> String {
    if !line.starts_with('|') {
        return line.to_owned();
    }
    let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
    cells.join(", ")
}

/// The sentences of a part; markers that stand behind a full stop belong to the sentence before.
fn sentences_of(text: &str) -> Vec<String> {
    let mut plain = String::with_capacity(text.len());
    let mut previous = ' ';
    for c in text.chars().filter(|c| *c != '`') {
        if matches!(c, '[' | '【' | '［') && (previous == '.' || ends_sentence(previous)) {
            plain.push(' ');
        }
        plain.push(c);
        previous = c;
    }
    let mut found: Vec<String> = Vec::new();
    for range in sentences(&plain) {
        let mut rest = plain.get(range).unwrap_or_default();
        if let Some(before) = found.last_mut() {
            while let Some(end) = marker(rest) {
                before.push(' ');
                before.push_str(rest.get(..end).unwrap_or_default());
                rest = rest.get(end..).unwrap_or_default().trim_start();
            }
            // A full stop that stood behind the marker.
            if !rest.is_empty() && is_stop(rest) {
                continue;
            }
        }
        if !rest.is_empty() {
            found.push(rest.to_owned());
        }
    }
    found
}

fn is_stop(text: &str) -> bool {
    text.chars().all(|c| c == '.' || ends_sentence(c))
}

/// Where a marker of short names ends that a text begins with.
pub fn marker(text: &str) -> Option<usize> {
    let close = match text.chars().next()? {
        '[' => ']',
        '【' => '】',
        '［' => '］',
        _ => return None,
    };
    let near = first_bytes(text, MOST_MARKER);
    let is_double = near.starts_with("[[");
    let end = if is_double { near.find("]]")? + 2 } else { near.find(close)? + close.len_utf8() };
    let label = near.get(..end)?.trim_matches(['[', ']', '【', '】', '［', '］']);
    let mut names = label.split([',', ';']).map(str::trim);
    names.all(|name| PassageId::parse(name).is_some()).then_some(end)
}

/// The answer in a reply that is still being written; none where it cannot be told yet. What follows only adds to
/// it, but for replies that are no such object: those are read when they are whole.
pub fn answer_so_far(reply: &str) -> Option<String> {
    let reply = reply.trim_start();
    let object = match reply.strip_prefix("```") {
        Some(fenced) => fenced.split_once('\n')?.1.trim_start(),
        None => reply,
    };
    let named = object.strip_prefix('{')?.trim_start().strip_prefix("\"answer\"")?;
    let text = named.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    Some(unquoted(text))
}

/// A JSON string behind its first quotation mark, up to its last or to where it can be read.
fn unquoted(text: &str) -> String {
    let (mut end, mut is_escaped) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' if !is_escaped => break,
            _ => is_escaped = c == '\\' && !is_escaped,
        }
        end = at + c.len_utf8();
    }
    let whole = text.get(..end).unwrap_or_default();
    // An escape is cut off at one of its characters: two of them make a character of their own.
    let cuts = whole.char_indices().rev().map(|(at, _)| at).take(LONGEST_ESCAPE);
    let read = |end: usize| {
        let raw = whole.get(..end)?.replace('\n', "\\n").replace('\t', "\\t");
        serde_json::from_str::<String>(&format!("\"{raw}\"")).ok()
    };
    [whole.len()].into_iter().chain(cuts).find_map(read).unwrap_or_default()
}

/// The parts of an answer that is still being written, as far as nothing that follows can change them: all
/// sentences but the last of the part under way.
pub fn parts_so_far(answer: &str) -> Vec<Part> {
    let (before, line) = answer.rsplit_once('\n').unwrap_or(("", answer));
    let begun = line.trim();
    // It may become an item, a rule or a heading yet.
    let is_open = begun.chars().count() < LONGEST_SIGN || is_rule(begun);
    let mut parts = parts(&cut(if is_open { before } else { answer }, MOST));
    if let Some(part) = parts.last_mut() {
        let is_open = |last: String| last.starts_with(['[', '【', '［']) || is_stop(&last);
        if part.sentences.pop().is_some_and(is_open) {
            part.sentences.pop();
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(reply: &str) -> Vec<(bool, Vec<String>)> {
        Written::read(reply).parts.into_iter().map(|it| (it.is_item, it.sentences)).collect()
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn a_reply_is_read_as_models_write_it() {
        let json = r#"Here: ```json
            {"answer": "A [q1].\n\n- B.", "follow_up": ["Why?", "Why?", "Because.", 7]}```"#;
        let written = Written::read(json);
        assert_eq!(written.follow_up, ["Why?"]);
        assert_eq!(written.parts.len(), 2);
        assert_eq!(said("Plain text [q1]."), [(false, texts(&["Plain text [q1]."]))]);
        assert_eq!(said(""), []);
    }

    #[test]
    fn markers_belong_to_the_sentence_before_them() {
        assert_eq!(
            said("One. [q1] Two.[q2, q3] Three [q4]. [see] Four. [q5]."),
            [(false, texts(&["One. [q1]", "Two. [q2, q3]", "Three [q4].", "[see] Four. [q5]"]))]
        );
    }

    #[test]
    fn code_tables_and_headings_are_sentences_too() {
        assert_eq!(
            said(
                "# Head `x`\nText\ngoes on\n```\nlet a\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n2) two\n---"
            ),
            [
                (false, texts(&["Head x"])),
                (false, texts(&["Text goes on"])),
                (false, texts(&["let a"])),
                (true, texts(&["a, b"])),
                (true, texts(&["1, 2"])),
                (true, texts(&["two"])),
            ]
        );
    }

    #[test]
    fn an_answer_is_read_while_it_is_written() {
        let reply = "```json\n{ \"answer\": \"A \\u00e9\\ud83d\\ude00 \\\"b\\\"\\n- c\", \"follow_up\": []}";
        let whole = "A é😀 \"b\"\n- c";
        let mut before = String::new();
        for end in (0..=reply.len()).filter(|end| reply.is_char_boundary(*end)) {
            let read = answer_so_far(&reply[..end]).unwrap_or_default();
            assert!(read.starts_with(&before) && whole.starts_with(&read), "{read:?}");
            before = read;
        }
        assert_eq!(before, whole);
        for other in ["Plain [q1].", "{\"follow_up\": []", "[1]", "{\"answer\": [", ""] {
            assert_eq!(answer_so_far(other), None, "{other}");
        }
    }

    #[test]
    fn nothing_is_told_of_a_part_that_may_change_yet() {
        let told = |answer: &str| -> Vec<Vec<String>> {
            parts_so_far(answer).into_iter().map(|part| part.sentences).collect()
        };
        assert_eq!(told("One [q1]"), [texts(&[])]);
        assert_eq!(told("One. [q1"), [texts(&[])], "a marker may come");
        assert_eq!(told("One. [q1]"), [texts(&[])], "and another");
        assert_eq!(told("One. [q1] Two"), [texts(&["One. [q1]"])]);
        assert_eq!(told("One. [q1] Two. [q2]."), [texts(&["One. [q1]"])]);
        assert_eq!(told("One.\n-"), [texts(&[])], "it may be a part or not");
        assert_eq!(told("One.\n- an it"), [texts(&["One."]), texts(&[])]);
    }

    proptest::proptest! {
        #[test]
        fn what_follows_only_adds_to_what_was_told(
            answer in "([A-D][a-z]{0,3}( [a-z0-9]{1,4}){0,3}[.!?]?( ?\\[q[0-9]\\])?[. ]?|\\n|\\n- |\\n12\\. |\\n# |\\n\\| a \\| b|--|é|```\\n){0,12}"
        ) {
            let whole = parts(&answer);
            let mut before: Vec<Part> = Vec::new();
            for end in (0..=answer.len()).filter(|end| answer.is_char_boundary(*end)) {
                let told = parts_so_far(&answer[..end]);
                for (at, part) in told.iter().enumerate() {
                    let is_over = at + 1 < told.len();
                    let last = whole.get(at).unwrap_or(part);
                    proptest::prop_assert!(last.sentences.starts_with(&part.sentences), "{told:?} of {whole:?}");
                    proptest::prop_assert!(!is_over || *last == *part, "{told:?} of {whole:?}");
                }
                proptest::prop_assert!(told.len() >= before.len().saturating_sub(1));
                before = told;
            }
        }
    }
}
