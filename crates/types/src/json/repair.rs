//! Reading JSON with the slips that models make.
//!
//! Accepted beyond the standard: text around the object, Markdown fences, comments, trailing
//! commas, single-quoted strings, bare keys, raw line breaks in strings, `True`/`False`/`None`,
//! and missing brackets at the end. Each has one meaning only. [`read`] also takes what there is
//! of an object that was cut off; [`read_whole`] does not. Anything else is refused.

use serde_json::{Map, Value};

/// Nesting deeper than this is refused rather than followed.
const MAX_DEPTH: usize = 64;

/// Reads the first JSON object in a text, cut off or not; none when there is none to be read.
#[must_use]
pub fn read(text: &str) -> Option<Value> {
    read_standard(text).or_else(|| Some(repair(text)?.0))
}

/// Reads the one JSON object in a text; none when something that it said may be missing: half a
/// program must not run, and of two objects neither is the one.
#[must_use]
pub fn read_whole(text: &str) -> Option<Value> {
    read_standard(text).or_else(|| {
        let (value, reader) = repair(text)?;
        let another = reader.rest.iter().skip(reader.at).any(|c| *c == '{');
        (!reader.is_cut_off && !another).then_some(value)
    })
}

fn read_standard(text: &str) -> Option<Value> {
    serde_json::from_str(text.trim()).ok().filter(Value::is_object)
}

fn repair(text: &str) -> Option<(Value, Reader)> {
    let start = text.find('{')?;
    let rest = text.get(start..)?.trim_end().chars().collect();
    let mut reader = Reader { rest, at: 0, is_cut_off: false };
    let value = reader.value(0)?;
    Some((value, reader))
}

struct Reader {
    rest: Vec<char>,
    at: usize,
    /// Whether the text ended within a key, a value or a comment.
    is_cut_off: bool,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += 1;
        Some(character)
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(i, c)| self.rest.get(self.at + i) == Some(&c))
    }

    fn skip_space(&mut self) {
        loop {
            if self.starts_with("//") {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.at += 1;
                }
            } else if self.starts_with("/*") {
                while self.at < self.rest.len() && !self.starts_with("*/") {
                    self.at += 1;
                }
                self.is_cut_off |= self.at >= self.rest.len();
                self.at += 2;
            } else if self.peek().is_some_and(char::is_whitespace) {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        self.skip_space();
        if depth > MAX_DEPTH {
            return None;
        }
        match self.peek()? {
            '{' => self.object(depth),
            '[' => self.array(depth),
            quote @ ('"' | '\'') => self.string(quote).map(Value::String),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let mut map = Map::new();
        loop {
            self.skip_space();
            match self.peek() {
                None => return Some(Value::Object(map)),
                Some('}') => {
                    self.at += 1;
                    return Some(Value::Object(map));
                }
                Some(',') => {
                    self.at += 1;
                    continue;
                }
                Some(_) => {}
            }
            let key = match self.peek()? {
                quote @ ('"' | '\'') => self.string(quote)?,
                _ => self.bare_key()?,
            };
            self.skip_space();
            match self.next() {
                Some(':') => {}
                // Cut off after a key: the key has no value, so it is dropped.
                None => {
                    self.is_cut_off = true;
                    return Some(Value::Object(map));
                }
                Some(_) => return None,
            }
            self.skip_space();
            if self.peek().is_none() {
                self.is_cut_off = true;
                return Some(Value::Object(map));
            }
            let value = self.value(depth + 1)?;
            map.insert(key, value);
        }
    }

    fn array(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip_space();
            match self.peek() {
                None => return Some(Value::Array(items)),
                Some(']') => {
                    self.at += 1;
                    return Some(Value::Array(items));
                }
                Some(',') => self.at += 1,
                Some(_) => items.push(self.value(depth + 1)?),
            }
        }
    }

    fn bare_key(&mut self) -> Option<String> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$' || c == '-') {
            self.at += 1;
        }
        let key: String = self.rest.get(start..self.at)?.iter().collect();
        (!key.is_empty()).then_some(key)
    }

    fn string(&mut self, quote: char) -> Option<String> {
        self.at += 1;
        let mut text = String::new();
        while let Some(character) = self.next() {
            match character {
                '\\' => match self.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some('b') => text.push('\u{8}'),
                    Some('f') => text.push('\u{c}'),
                    Some('u') => text.push(self.unicode_escape()?),
                    Some(other) => text.push(other),
                    None => break,
                },
                c if c == quote => return Some(text),
                c => text.push(c),
            }
        }
        self.is_cut_off = true;
        Some(text)
    }

    fn unicode_escape(&mut self) -> Option<char> {
        let first = self.hex4()?;
        if (0xD800..0xDC00).contains(&first) && self.starts_with("\\u") {
            self.at += 2;
            let second = self.hex4()?;
            let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
            return char::from_u32(0x10000 + ((first - 0xD800) << 10) + low);
        }
        Some(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex4(&mut self) -> Option<u32> {
        let digits: String = self.rest.get(self.at..self.at + 4)?.iter().collect();
        self.at += 4;
        u32::from_str_radix(&digits, 16).ok()
    }

    fn word(&mut self) -> Option<Value> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_alphanumeric() || "+-._".contains(c)) {
            self.at += 1;
        }
        let word: String = self.rest.get(start..self.at)?.iter().collect();
        // A number or a word at the very end may have been going to go on.
        self.is_cut_off |= self.peek().is_none();
        match word.as_str() {
            "true" | "True" => Some(Value::Bool(true)),
            "false" | "False" => Some(Value::Bool(false)),
            "null" | "None" => Some(Value::Null),
            number => match serde_json::from_str(number.trim_start_matches('+')) {
                Ok(Value::Number(number)) => Some(Value::Number(number)),
                _ if self.peek().is_none() => Some(Value::Null),
                _ => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{read, read_whole};
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn the_slips_of_models_are_repaired() {
        for (text, expected) in [
            (r#"{"a":1}"#, json!({"a": 1})),
            ("Sure!\n```json\n{\"a\": [1, 2,],}\n```\nDone", json!({"a": [1, 2]})),
            ("{'a': 'it', b: True, c: None}", json!({"a": "it", "b": true, "c": null})),
            ("{\"a\": \"line\nbreak\"}", json!({"a": "line\nbreak"})),
            ("{\"a\": 1, // why\n \"b\": /* x */ 2}", json!({"a": 1, "b": 2})),
            (r#"{"a": ["x", "y"#, json!({"a": ["x", "y"]})),
            (r#"{"a": 1, "b"#, json!({"a": 1})),
            (r#"{"a": "\ud83d\ude00"}"#, json!({"a": "😀"})),
            (r#"{a: "\u2014\ud83d\ude00"}"#, json!({"a": "—😀"})),
            (r#"{"a": -1.5e3, "b": +2}"#, json!({"a": -1500.0, "b": 2})),
        ] {
            assert_eq!(read(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_was_cut_off_is_not_whole() {
        for text in [
            r#"{"code": "for (;;"#,
            r#"{"query": "x", "lim"#,
            r#"{"query": "x", "limit"#,
            r#"{"query": "x", "limit":"#,
            r#"{"query": "x", "limit": 1"#,
            r#"{"query": "x" /* and"#,
            r#"{"query": "a"} {"query": "b"}"#,
        ] {
            assert!(read(text).is_some(), "{text}");
            assert_eq!(read_whole(text), None, "{text}");
        }
        for text in [
            r#"{"query": "x""#,
            r#"{"query": "x", "#,
            "call [it]: {query: 'x'}. Done",
            "```json\n{\"query\": \"x\",}\n```",
            r#"[{"query": "x"}]"#,
        ] {
            assert_eq!(read_whole(text), Some(json!({ "query": "x" })), "{text}");
        }
    }

    #[test]
    fn what_has_no_one_meaning_is_refused() {
        for text in
            ["", "no json here", r#"{"a" 1}"#, "{a: what is this}", "\"just a string\"", "[1, 2]"]
        {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&"{a:".repeat(100_000)), None);
        let nested = |depth: usize| format!("{{a: {}1{}}}", "[".repeat(depth), "]".repeat(depth));
        assert!(read(&nested(60)).is_some());
        assert_eq!(read(&nested(70)), None);
    }

    proptest! {
        #[test]
        fn never_panics_and_keeps_valid_json(text in ".{0,200}", number in any::<i64>()) {
            let _ = (read(&text), read_whole(&format!("{{{text}")));
            let valid = json!({ "k": text, "n": number, "list": [text, null, true] });
            prop_assert_eq!(read(&valid.to_string()), Some(valid.clone()));
            prop_assert_eq!(read_whole(&format!("Here: {valid}")), Some(valid));
        }
    }
}
