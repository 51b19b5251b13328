//! `input`: a question, or the items of a conversation.
//!
//! Border: JSON in, texts out, by what all doors of conversations read. What is reduced to nothing is named, and what is
//! known by its id alone is looked up elsewhere.

use serde_json::{Value, json};

use super::reference::MAX_REFERENCES;
use crate::json_field::Field;
use crate::talk::{self, MAX_NAMED, Piece, Talk};

/// What was said, and the kinds of items that say nothing to an ask.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(super) struct Input(#[cfg_attr(feature = "schema", schemars(with = "Value"))] pub Talk);

impl Field for Input {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let items = match value {
            Value::String(text) if text.trim().is_empty() => return Ok(None),
            Value::String(text) => vec![json!({ "role": "user", "content": text })],
            Value::Array(items) => items,
            _ => return Err("wants a text, or a list of items".to_owned()),
        };
        let mut pieces = Vec::new();
        let mut left_out = Vec::<String>::new();
        for (at, item) in items.into_iter().enumerate() {
            let kind = item.get("type").and_then(Value::as_str);
            if is_reference(&item, kind) {
                let id = item.get("id").and_then(Value::as_str);
                let id = id.ok_or("has an item_reference without an `id`")?;
                pieces.push(Piece::Reference(id.to_owned()));
            } else if kind.is_none_or(|kind| kind == "message") {
                if let Some(wants) = wrong(&item) {
                    let wrong = Some((format!("input[{at}].content"), wants));
                    return Ok(Some(Input(Talk { wrong, ..Talk::default() })));
                }
                pieces.push(Piece::Message(item));
            } else if let Some(kind) = kind {
                // What other models called and were given before this one was asked stops no conversation. Programs send one
                // of each after the other, thousands of times.
                if left_out.iter().any(|known| known == kind) {
                    continue;
                }
                let kind = talk::plain(kind);
                if kind.is_empty() {
                    return Err(format!("has an item whose `type` is no word, at [{at}]"));
                }
                if left_out.len() < MAX_NAMED && !left_out.contains(&kind) {
                    left_out.push(kind);
                }
            }
        }
        let references = pieces.iter().filter(|piece| matches!(piece, Piece::Reference(_))).count();
        if references > MAX_REFERENCES {
            return Err(format!("refers to more than {MAX_REFERENCES} items"));
        }
        let wants =
            || "wants a list of messages, each with a `role` and a `content` of text".to_owned();
        let read = Talk::of(pieces.into_iter(), "input", wants)?;
        Ok(read.map(|mut talk| {
            talk.ignored.extend(left_out.iter().map(|kind| format!("input.{kind}")));
            Input(talk)
        }))
    }
}

/// What the content of a message wants that has another kind of it, or none. Of a turn that only called tools, as clients of
/// another protocol write it, nothing is missing.
fn wrong(item: &Value) -> Option<&'static str> {
    const SPOKEN: [&str; 3] = ["user", "system", "developer"];
    let role = item.get("role").and_then(Value::as_str)?;
    match item.get("content") {
        None | Some(Value::Null) => SPOKEN.contains(&role).then_some("is missing; send a text"),
        Some(Value::String(_) | Value::Array(_) | Value::Object(_)) => None,
        Some(_) => Some("wants a text, or a list of parts"),
    }
}

/// The protocol lets the type be left out where there is an id alone.
fn is_reference(item: &Value, kind: Option<&str>) -> bool {
    let is_bare = || item.get("role").is_none() && item.get("id").is_some();
    kind.map_or_else(is_bare, |kind| kind == "item_reference")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_question_and_items_are_a_conversation() {
        let Input(talk) = Input::read(json!("why?")).unwrap().unwrap();
        assert_eq!((talk.question.as_str(), talk.history.len()), ("why?", 0));
        let Input(talk) = Input::read(json!([
            { "role": "developer", "content": "Be brief." },
            { "role": "user", "content": [{ "type": "input_text", "text": "Who?" }] },
            { "type": "reasoning", "id": "rs_1", "summary": [] },
            { "type": "web_search_call", "id": "ws_1" },
            { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "Ada." }] },
            { "type": "item_reference", "id": "msg_1" },
            { "type": "function_call_output", "call_id": "c", "output": "7" },
            { "type": "function_call", "call_id": "d", "name": "f", "arguments": "{}" },
            { "type": "function_call_output", "call_id": "d", "output": "8" },
            { "type": "custom_tool_call", "call_id": "e", "name": "g", "input": "x" },
            { "type": "custom_tool_call_output", "call_id": "e", "output": "9" },
            { "type": "mcp_list_tools", "id": "mcpl_1", "server_label": "wiki", "tools": [] },
            { "type": "mcp_call", "id": "mcp_1", "server_label": "wiki", "name": "read", "arguments": "{}" },
            { "type": "image_generation_call", "id": "ig_1", "result": "", "status": "completed" },
            { "type": "shell_call", "call_id": "f", "action": { "commands": ["ls"] }, "status": "completed" },
            { "type": "shell_call_output", "call_id": "f", "output": [] },
            { "type": "apply_patch_call", "call_id": "g", "operation": {}, "status": "completed" },
            { "type": "compaction", "encrypted_content": "x" },
            { "type": "of a later year" },
            { "role": "user", "content": "When?" },
        ]))
        .unwrap()
        .unwrap();
        let said: Vec<&str> = talk.history.iter().map(|said| said.text.as_str()).collect();
        assert_eq!((talk.question.as_str(), said), ("When?", vec!["Who?", "Ada."]));
        assert_eq!(talk.instructions.as_deref(), Some("Be brief."));
        assert_eq!(
            talk.ignored,
            [
                "input.reasoning",
                "input.web_search_call",
                "input.function_call_output",
                "input.function_call",
                "input.custom_tool_call",
                "input.custom_tool_call_output",
                "input.mcp_list_tools",
                "input.mcp_call",
                "input.image_generation_call",
                "input.shell_call",
                "input.shell_call_output",
                "input.apply_patch_call",
                "input.compaction",
                "input.ofalateryear",
            ]
        );
        assert_eq!(talk.references, [(2, "msg_1".to_owned())]);
    }

    #[test]
    fn what_is_left_out_of_a_message_has_the_name_that_it_was_sent_by() {
        let Input(talk) = Input::read(json!([
            { "role": "user", "content": [{ "type": "input_image" }] },
            { "role": "assistant", "content": "So.", "tool_calls": [{}] },
            { "role": "user", "content": "When?" },
        ]))
        .unwrap()
        .unwrap();
        assert_eq!(talk.ignored, ["input.user", "input.tool_calls"]);
    }

    #[test]
    fn an_item_may_be_known_by_its_id_alone_but_no_question() {
        let question = json!({ "role": "user", "content": "When?" });
        let Input(talk) = Input::read(json!([{ "id": "msg_1" }, question])).unwrap().unwrap();
        assert_eq!(talk.references, [(0, "msg_1".to_owned())]);
        let last = json!([question, { "type": "item_reference", "id": "msg_1" }]);
        assert!(Input::read(last).unwrap_err().contains("must end with a message of the user"));
        let nameless = json!([{ "type": "item_reference" }, question]);
        assert!(Input::read(nameless).unwrap_err().contains("without an `id`"));
        let many = vec![json!({ "type": "item_reference", "id": "x" }); MAX_REFERENCES + 1];
        assert!(Input::read(json!(many)).unwrap_err().contains("more than"));
    }

    #[test]
    fn a_message_whose_content_is_missing_or_none_is_named_with_its_place() {
        let wrong = |input: Value| Input::read(input).unwrap().unwrap().0.wrong;
        let question = json!({ "role": "user", "content": "When?" });
        for item in [
            json!({ "role": "user" }),
            json!({ "type": "message", "role": "developer", "content": null }),
            json!({ "role": "user", "content": 5 }),
            json!({ "role": "assistant", "content": false }),
        ] {
            for (input, field) in [
                (json!([item]), "input[0].content"),
                (json!([item, question]), "input[0].content"),
                (json!([question, item]), "input[1].content"),
            ] {
                assert_eq!(wrong(input).map(|(field, _)| field).as_deref(), Some(field), "{item}");
            }
        }
        for content in [json!(""), json!([]), json!({ "type": "input_text", "text": "Who?" })] {
            let item = json!({ "role": "user", "content": content });
            assert_eq!(wrong(json!([item, question])), None, "{content}");
        }
        let called = json!({ "role": "assistant", "content": null, "tool_calls": [{}] });
        assert_eq!(wrong(json!([called, question])), None);
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        assert_eq!(Input::read(json!(" ")), Ok(None));
        assert!(Input::read(json!(7)).is_err());
        for item in [json!(7), json!({ "type": 7 }), json!({ "type": "" }), json!({ "type": "…" })]
        {
            let input = json!([item, { "role": "user", "content": "When?" }]);
            assert!(Input::read(input).is_err(), "{item}");
        }
        let image = json!([{ "role": "user", "content": [{ "type": "input_image" }] }]);
        assert!(Input::read(image).unwrap_err().contains("unsupported content"));
    }
}
