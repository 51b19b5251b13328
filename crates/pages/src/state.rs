//! What a page that is made by script carries for that script: embedded state, as JSON, in which
//! the text of the page stands. No framework is known by name; what reads like text is taken.

use crate::html;
use serde_json::Value;
use std::collections::HashSet;
use std::fmt::Write as _;

/// Values that are looked at, over all state of a page.
const MAX_VALUES: usize = 100_000;
/// Bytes of text that are taken.
const MAX_TEXT: usize = 512 * 1024;
/// JSON in JSON in JSON; deeper is a trap.
const MAX_NESTING: usize = 3;

/// The text in a page's embedded state as HTML, in the order in which it stands; empty when there is none.
pub fn text_as_html(states: &[String]) -> String {
    let mut harvest = Harvest::default();
    for state in states {
        harvest.source(state, 0);
    }
    harvest.html
}

#[derive(Default)]
struct Harvest {
    html: String,
    seen: HashSet<String>,
    values: usize,
}

impl Harvest {
    fn source(&mut self, text: &str, nesting: usize) {
        if let Some(value) = parse(text) {
            self.value(&value, "", nesting);
        }
    }

    fn value(&mut self, value: &Value, name: &str, nesting: usize) {
        self.values += 1;
        if self.values > MAX_VALUES || self.html.len() > MAX_TEXT {
            return;
        }
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.value(item, name, nesting)),
            Value::Object(fields) => {
                // A title stands before what it is the title of.
                for titles in [true, false] {
                    for (name, field) in fields.iter().filter(|(name, _)| is_title(name) == titles)
                    {
                        self.value(field, name, nesting);
                    }
                }
            }
            Value::String(text) => self.string(text, name, nesting),
            _ => {}
        }
    }

    fn string(&mut self, text: &str, name: &str, nesting: usize) {
        let text = text.trim();
        if text.starts_with(['{', '[']) && nesting < MAX_NESTING && text.len() > 40 {
            return self.source(text, nesting + 1);
        }
        let title = is_title(name) && text.len() <= 200;
        let markup = text.starts_with('<') || text.contains("</p>") || text.contains("<br");
        if !(markup && text.contains("</") || reads_like_text(text, if title { 3 } else { 8 })) {
            return;
        }
        if !self.seen.insert(text.to_owned()) {
            return;
        }
        // Writing to a string cannot fail.
        _ = if markup {
            write!(self.html, "<div>{text}</div>")
        } else if title {
            write!(self.html, "<h3>{}</h3>", html::escape(text))
        } else {
            write!(self.html, "<p>{}</p>", html::escape(text))
        };
    }
}

fn is_title(name: &str) -> bool {
    matches!(name, "title" | "headline" | "heading" | "name")
}

/// JSON, or the JSON that a script assigns to a global.
fn parse(text: &str) -> Option<Value> {
    let text = text.trim();
    if text.starts_with(['{', '[']) {
        return first_value(text);
    }
    let (_, assigned) = text.split_once('=')?;
    let assigned = assigned.trim_start();
    match assigned.strip_prefix("JSON.parse(") {
        Some(quoted) => {
            let inner = first_value(quoted.trim_start())?;
            first_value(inner.as_str()?)
        }
        None => first_value(assigned),
    }
}

/// The JSON value that a text begins with; scripts go on after it.
fn first_value(text: &str) -> Option<Value> {
    serde_json::Deserializer::from_str(text).into_iter::<Value>().next()?.ok()
}

/// Whether a string is words for people: not an address, a style, a key or code.
fn reads_like_text(text: &str, least_words: usize) -> bool {
    let words = text.split_whitespace().count();
    let all = text.chars().count();
    let letters = text.chars().filter(|char| char.is_alphabetic() || char.is_whitespace()).count();
    let plain = letters * 10 >= all * 7 && !text.contains("://") && !text.contains(['{', '}', ';']);
    // Chinese and Japanese have no spaces between words.
    let east = text.chars().filter(|char| u32::from(*char) > 0x2E80).count();
    let unspaced = all > 20 && east * 2 > all;
    plain && (unspaced || (words >= least_words && all / words.max(1) < 25))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(state: &str) -> String {
        text_as_html(&[state.to_owned()])
    }

    #[test]
    fn text_for_people_is_taken_and_nothing_else() {
        let state = r#"{"build":"a8f7-22b1","route":{"path":"https://example.com/a b c d e f g h i"},
            "css":"color: red; margin: 0 auto; padding: 1px 2px 3px 4px;",
            "post":{"body":"<p>Marked up <b>text</b>.</p>","title":"Why bridges sway in wind"},
            "teaser":"Engineers have known for a hundred years why bridges sway."}"#;
        assert_eq!(
            html(state),
            "<h3>Why bridges sway in wind</h3><div><p>Marked up <b>text</b>.</p></div>\
             <p>Engineers have known for a hundred years why bridges sway.</p>"
        );
    }

    #[test]
    fn state_is_found_in_assignments_and_in_quotes() {
        let text = "One sentence with quite a few words in it.";
        let quoted = serde_json::to_string(&format!(r#"{{"a":"{text}"}}"#)).unwrap();
        for state in [
            format!(r#"window.__STATE__ = {{"a":"{text}"}}; start();"#),
            format!("window['x']=JSON.parse({quoted})"),
            format!(r#"{{"topic":{quoted}}}"#),
        ] {
            assert_eq!(html(&state), format!("<p>{text}</p>"), "{state}");
        }
    }

    #[test]
    fn the_same_text_is_taken_once() {
        let text = "One sentence with quite a few words in it.";
        assert_eq!(html(&format!(r#"["{text}","{text}"]"#)).matches("sentence").count(), 1);
    }

    #[test]
    fn hostile_state_gives_nothing() {
        assert_eq!(html(&"[".repeat(100_000)), "");
        let texts =
            (0..200).map(|at| format!("\"{at} {}\"", "words for people to read ".repeat(400)));
        let long = html(&format!("[{}]", texts.collect::<Vec<_>>().join(",")));
        assert!((MAX_TEXT..MAX_TEXT + 20_000).contains(&long.len()), "{}", long.len());
        assert_eq!(html("{undefined: 1}"), "");
        assert_eq!(html(""), "");
    }
}
