//! What a body says, however its client wrote it.
//!
//! Border: what was parsed in, a hash out. Clients write the same anew with other spaces and with its fields in another order,
//! and mean the same.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::ids;
use crate::order::{AskRequest, Speaker};

/// Fields that say how an answer is told, and nothing of what is asked.
const MANNER: [&str; 2] = ["stream", "stream_options"];

/// A hash of what a body says: the same for the same names and values, in whichever order and form they came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Gist {
    asked: Asked,
    all: String,
}

/// What is asked, where that is less than all that is said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
enum Asked {
    #[default]
    All,
    /// As it is hashed: few requests have a key, so it is left until one is looked for.
    Written(Vec<u8>),
    Hashed(String),
}

impl Gist {
    /// Of a body's fields.
    pub(crate) fn of(body: &Map<String, Value>) -> Gist {
        Gist::but_for(&[], body)
    }

    /// Of a body's fields without those with these names.
    pub(crate) fn but_for(names: &[&str], body: &Map<String, Value>) -> Gist {
        let fields = || body.iter().filter(|(name, _)| !names.contains(&name.as_str()));
        let is_manner = |name: &str| MANNER.contains(&name);
        let mut written = Vec::new();
        write_fields(fields(), &mut written);
        let all = ids::hash(&written);
        if !fields().any(|(name, _)| is_manner(name)) {
            return Gist { asked: Asked::All, all };
        }
        written.clear();
        write_fields(fields().filter(|(name, _)| !is_manner(name)), &mut written);
        Gist { asked: Asked::Written(written), all }
    }

    /// Of what is asked: what was said, and what is `wanted` of the answer.
    pub(crate) fn of_talk(wanted: &Value, request: &AskRequest) -> Gist {
        let wish = &request.wish;
        let turns = wish.history.iter().map(|said| (said.by == Speaker::User, said.text.as_str()));
        let turns: Vec<(bool, &str)> = turns.collect();
        let all = json!({
            "wanted": wanted, "instructions": wish.instructions, "turns": turns,
            "query": request.query,
        });
        all.as_object().map(Gist::of).unwrap_or_default()
    }

    /// The same where this, which stands elsewhere, is asked with it.
    pub(crate) fn with(&self, name: &str) -> Gist {
        let with = |gist: &str| ids::hash(format!("{gist}\n{name}").as_bytes());
        let asked = match &self.asked {
            Asked::All => Asked::All,
            Asked::Written(_) | Asked::Hashed(_) => Asked::Hashed(with(&self.asked())),
        };
        Gist { asked, all: with(&self.all) }
    }

    /// All that it says.
    pub(crate) const fn as_bytes(&self) -> &[u8] {
        self.all.as_bytes()
    }

    /// What it asks, in whichever manner that is told: whoever gives its request a key asks the same again in another form.
    pub(crate) fn asked(&self) -> Cow<'_, str> {
        match &self.asked {
            Asked::All => Cow::Borrowed(&self.all),
            Asked::Written(fields) => Cow::Owned(ids::hash(fields)),
            Asked::Hashed(hash) => Cow::Borrowed(hash),
        }
    }
}

/// Each kind of value has a letter of its own, and its length in front: no two are written alike, and no letter of a long
/// text is looked at for that.
fn write(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Null => out.push(b'0'),
        Value::Bool(is_so) => out.push(if *is_so { b'y' } else { b'n' }),
        Value::Number(number) => {
            out.push(b'#');
            write_text(&number.to_string(), out);
        }
        Value::String(text) => {
            out.push(b't');
            write_text(text, out);
        }
        Value::Array(values) => {
            out.push(b'[');
            write_length(values.len(), out);
            for value in values {
                write(value, out);
            }
        }
        Value::Object(fields) => {
            out.push(b'{');
            write_fields(fields.iter(), out);
        }
    }
}

/// By their names: as they came, their order is the client's.
fn write_fields<'v>(fields: impl Iterator<Item = (&'v String, &'v Value)>, out: &mut Vec<u8>) {
    let mut sorted: Vec<(&str, &Value)> =
        fields.map(|(name, value)| (name.as_str(), value)).collect();
    sorted.sort_unstable_by_key(|(name, _)| *name);
    write_length(sorted.len(), out);
    for (name, value) in sorted {
        write_text(name, out);
        write(value, out);
    }
}

fn write_text(text: &str, out: &mut Vec<u8>) {
    write_length(text.len(), out);
    out.extend_from_slice(text.as_bytes());
}

fn write_length(length: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&u64::try_from(length).unwrap_or(u64::MAX).to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::talk::object;

    fn gist(body: &str) -> Gist {
        Gist::of(&object(body.as_bytes()).unwrap())
    }

    #[test]
    fn a_body_says_the_same_however_it_is_written() {
        let one = gist(r#"{"model":"quarry","input":[{"role":"user","content":"é 1"}],"n":1}"#);
        for same in [
            r#"{ "n": 1, "input": [ { "content": "é 1", "role": "user" } ], "model": "quarry" }"#,
            "{\n\"n\":1,\"model\":\"quarry\",\"input\":[{\"role\":\"user\",\"content\":\"\\u00e9 1\"}]}\n",
        ] {
            assert_eq!(gist(same), one, "{same}");
        }
    }

    /// By other hashes nobody would find what a request began before its server was brought up to date.
    #[test]
    fn what_a_body_says_is_known_across_versions() {
        let plain = "72689013e617b158a353306c619cf4a5ebdcfc59924193b03c5a820fd416f57f";
        let streamed = "f4fbb2712ba9f5e46ab5ada0e1c3f868a7557e2b69428820a26db52cc39575c0";
        let manner = r#","stream":true,"stream_options":{"include_usage":true}"#;
        for (more, all) in [("", plain), (manner, streamed)] {
            let gist = gist(&format!(r#"{{"model":"quarry","n":1{more}}}"#));
            let told = str::from_utf8(gist.as_bytes()).unwrap();
            assert_eq!((told, &*gist.asked()), (all, plain));
        }
    }

    #[test]
    fn what_is_left_out_counts_for_nothing() {
        let but_for =
            |names: &[&str], body: &str| Gist::but_for(names, &object(body.as_bytes()).unwrap());
        let one = gist(r#"{"a":{"b":1}}"#);
        assert_eq!(but_for(&["b"], r#"{"b":2,"a":{"b":1}}"#), one, "within a field it stays");
        assert_ne!(but_for(&["b"], r#"{"a":{"b":2}}"#), one);
    }

    #[test]
    fn bodies_that_say_something_else_are_told_apart() {
        let all = [
            "{}",
            r#"{"a":null}"#,
            r#"{"a":""}"#,
            r#"{"a":"null"}"#,
            r#"{"a":true}"#,
            r#"{"a":false}"#,
            r#"{"a":1}"#,
            r#"{"a":"1"}"#,
            r#"{"a":[]}"#,
            r#"{"a":{}}"#,
            r#"{"a":["b","c"]}"#,
            r#"{"a":["c","b"]}"#,
            r#"{"a":[["b"],"c"]}"#,
            r#"{"a":["b",["c"]]}"#,
            r#"{"a":"b","c":"d"}"#,
            r#"{"a":{"c":"d"}}"#,
            r#"{"a":"d","c":"b"}"#,
        ];
        for (at, one) in all.iter().enumerate() {
            for other in &all[..at] {
                assert_ne!(gist(one), gist(other), "{one} {other}");
            }
        }
    }
}
