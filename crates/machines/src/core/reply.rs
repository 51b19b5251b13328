//! What a model's JSON says, member by member, with the slips that models make.
//!
//! Border: text or a value in, what can be read of it out; what cannot is none, never an error.

use quarry_types::json;
use serde_json::Value;

/// From here a number is read as one of a hundred; below it is one that went past its end.
const PER_CENT: f64 = 2.0;

/// The object that a reply is. A bare list is taken for the member of this name.
#[must_use]
pub fn object(text: &str, list: &str) -> Option<Value> {
    let value = json::read(text).filter(Value::is_object);
    if value.as_ref().is_some_and(|value| value.get(list).is_some()) {
        return value;
    }
    let bare = text.find('[').and_then(|at| {
        let opens = text.find('{').is_none_or(|object| at < object);
        let read = json::read(&format!("{{\"{list}\": {}", text.get(at..).filter(|_| opens)?))?;
        texts_of(&read, list, 1).map(|_| read)
    });
    bare.or(value)
}

/// Whether a reply says that there is none of what a list of this name would have: the list is empty, or null.
#[must_use]
pub fn says_none(text: &str, list: &str) -> bool {
    let is_none = |value: &Value| match value.get(list) {
        Some(Value::Array(items)) => items.is_empty(),
        Some(Value::Null) => true,
        Some(_) | None => false,
    };
    let bare = text.trim_matches(|c: char| c == '`' || c.is_whitespace());
    let bare = bare.strip_prefix("json").unwrap_or(bare).trim_start();
    bare == "[]" || json::read(text).is_some_and(|value| is_none(&value))
}

/// A member that is text; none when it is blank.
#[must_use]
pub fn text_of(value: &Value, name: &str) -> Option<String> {
    let text = value.get(name)?.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// A word that models write in any case.
#[must_use]
pub fn word_of(value: &Value, name: &str) -> Option<String> {
    text_of(value, name).map(|word| word.to_lowercase())
}

/// A member that is a list of texts, without the blank ones, so many at most; none when nothing is left. One
/// text is a list of one, and an object among the texts stands for its first text.
#[must_use]
pub fn texts_of(value: &Value, name: &str, most: usize) -> Option<Vec<String>> {
    let items = match value.get(name)? {
        Value::Array(items) => items.as_slice(),
        one => std::slice::from_ref(one),
    };
    let texts = items.iter().filter_map(|item| match item {
        Value::String(text) => Some(text.trim()),
        Value::Object(members) => members.values().find_map(Value::as_str).map(str::trim),
        _ => None,
    });
    let texts = texts.filter(|text| !text.is_empty()).take(most);
    let texts: Vec<String> = texts.map(str::to_owned).collect();
    (!texts.is_empty()).then_some(texts)
}

/// A member that is true or false, or a word for it.
#[must_use]
pub fn flag_of(value: &Value, name: &str) -> Option<bool> {
    match value.get(name)? {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => number.as_f64().map(|number| number != 0.0),
        Value::String(word) => match word.trim().to_lowercase().as_str() {
            "true" | "yes" | "1" => Some(true),
            "false" | "no" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// A member that is a share, 0 to 1: `0.8`, `80`, `"80%"`, `"4/5"`, `{"score": 0.8}`.
#[must_use]
pub fn share_of(value: &Value, name: &str) -> Option<f64> {
    let member = value.get(name)?;
    let share = match member {
        Value::Number(number) => of_number(number.as_f64()?),
        Value::String(text) => of_text(text)?,
        Value::Object(members) => of_number(members.values().find_map(Value::as_f64)?),
        _ => return None,
    };
    share.is_finite().then(|| share.clamp(0.0, 1.0))
}

fn of_number(number: f64) -> f64 {
    if number < PER_CENT { number } else { number / 100.0 }
}

fn of_text(text: &str) -> Option<f64> {
    let number = |text: &str| text.trim().replace(',', ".").parse::<f64>().ok();
    let text = text.trim();
    if let Some(hundredths) = text.strip_suffix('%') {
        return number(hundredths).map(|number| number / 100.0);
    }
    match text.split_once('/') {
        Some((part, whole)) => {
            let whole = number(whole).filter(|whole| *whole > 0.0)?;
            number(part).map(|part| part / whole)
        }
        None => number(text).map(of_number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn shares_are_read_however_they_are_written() {
        for (written, share) in [
            (json!(0.8), Some(0.8)),
            (json!(1), Some(1.0)),
            (json!(1.2), Some(1.0)),
            (json!(80), Some(0.8)),
            (json!(-3), Some(0.0)),
            (json!(1_000), Some(1.0)),
            (json!("0.8"), Some(0.8)),
            (json!("0,8"), Some(0.8)),
            (json!(" 80% "), Some(0.8)),
            (json!("1%"), Some(0.01)),
            (json!("4/5"), Some(0.8)),
            (json!({ "score": 0.8, "why": "x" }), Some(0.8)),
            (json!("4/0"), None),
            (json!("NaN"), None),
            (json!("inf"), None),
            (json!("high"), None),
            (json!(null), None),
            (json!([0.8]), None),
        ] {
            assert_eq!(share_of(&json!({ "s": written }), "s"), share, "{written}");
        }
    }

    #[test]
    fn lists_are_read_bare_in_prose_and_of_objects() {
        for (text, expected) in [
            (r#"{"queries": ["a", " ", 7, "b", "c"]}"#, &["a", "b"][..]),
            (r#"Sure: ["a", "b"]"#, &["a", "b"]),
            (r#"["a", {"query": "b"}"#, &["a", "b"]),
            (r#"As in [1], this: {"queries": "a"}"#, &["a"]),
            (r#"{"queries": [{"query": "a", "why": "x"}]}"#, &["a"]),
        ] {
            let read = object(text, "queries").and_then(|value| texts_of(&value, "queries", 2));
            assert_eq!(read.unwrap_or_default(), expected, "{text}");
        }
        assert_eq!(object("[1, 2", "queries"), None);
    }

    #[test]
    fn flags_are_read_as_words_too() {
        let value = json!({ "a": "Yes", "b": 0, "c": "perhaps", "d": false });
        let flags = ["a", "b", "c", "d", "e"].map(|name| flag_of(&value, name));
        assert_eq!(flags, [Some(true), Some(false), None, Some(false), None]);
    }

    proptest! {
        #[test]
        fn any_reply_is_read_without_a_panic(text in "(\\PC|[{}\\[\\]\":,]|\"s\": ?|[0-9.%/-]){0,60}") {
            if let Some(value) = object(&text, "s") {
                let _ = (text_of(&value, "s"), flag_of(&value, "s"));
                prop_assert!(share_of(&value, "s").is_none_or(|share| (0.0..=1.0).contains(&share)));
                prop_assert!(texts_of(&value, "s", 3).is_none_or(|texts| (1..=3).contains(&texts.len())));
            }
        }
    }
}
