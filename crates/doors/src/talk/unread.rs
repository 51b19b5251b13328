//! What messages have that nobody here reads.
//!
//! Border: a message's JSON in, names for `X-Quarry-Ignored` out. Where there is nothing to name, nothing is allocated.

use serde_json::{Map, Value};

use super::request::{MAX_NAMED, plain, says};

/// What names a message or says how it stands: it asks for nothing.
const NAMES: [&str; 3] = ["id", "type", "status"];

/// What answers of ours have beside their text. Clients send it back with the conversation, and of what was said before
/// the text alone is read: its thoughts and sources are left aside as those within it are.
const ANSWERS: [&str; 4] = ["annotations", "reasoning_content", "logprobs", "phase"];

/// The fields that are read, or named elsewhere: of a message, and of a part of one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read {
    pub message: &'static [&'static str],
    pub part: &'static [&'static str],
    /// The kinds of parts whose text is read. The others are named as a whole.
    pub kinds: &'static [&'static str],
}

impl Read {
    /// Adds the names of the fields of this message, which stands in `field`, that say something and are not read.
    pub(super) fn name_others(self, message: &Value, field: &str, named: &mut Vec<String>) {
        let Some(fields) = message.as_object() else { return };
        let is_answer = match fields.get("role").and_then(Value::as_str) {
            Some("assistant") => true,
            Some("user" | "system" | "developer") => false,
            // The message is left out as a whole.
            _ => return,
        };
        let mut look = |fields: &Map<String, Value>, known: &[&str], within: &str| {
            for (name, value) in fields {
                let name = name.as_str();
                let is_echo = NAMES.contains(&name) || (is_answer && ANSWERS.contains(&name));
                if !known.contains(&name) && !is_echo && says(value) {
                    put(name, (field, within), named);
                }
            }
        };
        look(fields, self.message, "");
        let parts = match fields.get("content") {
            Some(Value::Array(parts)) => parts.as_slice(),
            Some(part) => std::slice::from_ref(part),
            None => &[],
        };
        for part in parts.iter().filter_map(Value::as_object) {
            let kind = part.get("type").and_then(Value::as_str).unwrap_or("text");
            if self.kinds.contains(&kind) {
                look(part, self.part, ".content");
            }
        }
    }
}

/// Adds a name once, as a header can hold it, while there is room.
fn put(name: &str, (field, within): (&str, &str), named: &mut Vec<String>) {
    let is_it = |known: &String| {
        let rest = known.strip_prefix(field).and_then(|rest| rest.strip_prefix(within));
        rest.and_then(|rest| rest.strip_prefix('.')) == Some(name)
    };
    if named.len() >= MAX_NAMED || named.iter().any(is_it) {
        return;
    }
    let name = plain(name);
    let whole = format!("{field}{within}.{name}");
    if !name.is_empty() && !named.contains(&whole) {
        named.push(whole);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json_field::Field;
    use crate::talk::Messages;
    use serde_json::json;

    fn ignored(messages: Value) -> Vec<String> {
        Messages::read(messages).unwrap().unwrap().0.ignored
    }

    #[test]
    fn fields_that_nobody_reads_are_named_once_each() {
        let cached = json!({ "type": "ephemeral" });
        let part = json!({ "type": "text", "text": "Who?", "cache_control": cached });
        let said = json!({ "role": "user", "content": [part, part], "cache_control": cached });
        let told = json!({ "role": "system", "content": { "text": "Be brief.", "tone": "kind" } });
        let last =
            json!({ "role": "user", "content": "When?", "cache_control": cached, "weight": 0 });
        assert_eq!(
            ignored(json!([said, told, said, last])),
            [
                "messages.cache_control",
                "messages.content.cache_control",
                "messages.content.tone",
                "messages.weight",
            ]
        );
    }

    #[test]
    fn what_is_sent_back_of_an_answer_is_nothing_that_is_asked_for() {
        let part =
            json!({ "type": "output_text", "text": "Ada.", "annotations": [{}], "logprobs": [{}] });
        let answer = json!({
            "id": "msg_1", "type": "message", "status": "completed", "role": "assistant", "content": [part],
            "annotations": [{}], "reasoning_content": "hm", "phase": "final_answer",
        });
        let question =
            json!({ "role": "user", "content": "When?", "cache_control": null, "tags": [] });
        assert_eq!(ignored(json!([answer, question])), Vec::<String>::new());
        // A person thinks for itself.
        let question = json!({ "role": "user", "content": "When?", "reasoning_content": "hm" });
        assert_eq!(ignored(json!([question])), ["messages.reasoning_content"]);
        // What is left out as a whole is named so.
        let tool =
            json!({ "role": "tool", "content": "7", "tool_call_id": "c", "cache_control": {} });
        let image = json!([{ "type": "image_url", "image_url": {}, "cache_control": {} }]);
        let shown = json!({ "role": "user", "content": image });
        let question = json!({ "role": "user", "content": "When?" });
        assert_eq!(ignored(json!([tool, shown, question])), ["messages.tool", "messages.user"]);
    }

    #[test]
    fn names_have_an_end_and_fit_a_header() {
        let many = (0..200).map(|n| (format!("x\r\n{n}{}", "y".repeat(500)), json!(n)));
        let mut message: Map<String, Value> = many.collect();
        message.insert("é".to_owned(), json!(1));
        message.insert("role".to_owned(), json!("user"));
        message.insert("content".to_owned(), json!("When?"));
        let named = ignored(json!([message]));
        assert_eq!(named.len(), MAX_NAMED);
        let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '.';
        assert!(named.iter().all(|name| name.len() < 100 && name.chars().all(fits)), "{named:?}");
    }
}
