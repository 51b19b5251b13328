//! The body of `POST /api/chat`, read and checked.
//!
//! Border: each field is honoured, refused, or named among those that are ignored. Of messages, which have all in them that
//! a page shows, texts are read, files are refused or named, and all else is left out without a name. The types here are the
//! parser and the schema of the document at once.

use serde::Deserialize;
use serde_json::{Value, json};

use super::fold::Record;
use crate::json_field::{Field, Given, Known, Text};
use crate::native::MAX_MODEL_CHARACTERS;
use crate::order::{AskRequest, Seeks, Unkept};
use crate::route::MAX_ID_CHARACTERS;
use crate::talk::{self, Extension, Gist, MAX_GIVEN_INSTRUCTIONS, Messages, Progress, Talk};
use crate::{Refusal, responses};

/// Characters that a message's name may have.
const MAX_NAME_CHARACTERS: usize = 256;

/// What `useChat` sends. Fields that are not listed are ignored; `X-Quarry-Ignored` names them, but for those of messages.
#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(
    rename = "UiChatRequest", extend("required" = ["messages"])
))]
pub(crate) struct Body {
    /// The chat's name: letters, digits, `-` and `_`. Its last ask is found by it.
    id: Given<Text<MAX_ID_CHARACTERS>>,
    /// The conversation. The last message of the user is the question.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<UiMessage>"))]
    messages: Given<UiMessages>,
    /// `submit-message`, or `regenerate-message` for another answer to the last question.
    trigger: Given<Trigger>,
    /// The message that is answered again.
    #[serde(rename = "messageId")]
    message_id: Given<Text<MAX_NAME_CHARACTERS>>,
    /// `quarry`, `quarry-direct`, `quarry-` with a provider's name, or `provider:name`. Default: `quarry`.
    model: Given<Text<MAX_MODEL_CHARACTERS>>,
    /// How the answer is to be, as a system message would say it.
    system: Given<Text<MAX_GIVEN_INSTRUCTIONS>>,
    /// What only Quarry knows.
    quarry: Given<Known<Extension>>,
}

/// A message as the SDK keeps it.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct UiMessage {
    /// `system`, `user` or `assistant`.
    role: Role,
    /// Of an assistant's message texts are read, and what else it shows is left out.
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
enum Role {
    System,
    User,
    Assistant,
}

impl Role {
    const fn name(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
        }
    }
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Part {
    /// `text`, or something that is left out; a `file` in the question is refused.
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    text: Option<String>,
}

/// The conversation, in the form that all doors of conversations read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct UiMessages(Talk);

impl Field for UiMessages {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let mut messages: Vec<UiMessage> = serde_json::from_value(value)
            .map_err(|_| "wants a list of messages, each with a `role` and `parts`".to_owned())?;
        // What is answered again stands behind its question, and so does what broke off, which the SDK's `sendMessage()` sends
        // as it is.
        while messages.last().is_some_and(|last| last.role == Role::Assistant) {
            messages.pop();
        }
        let plain = messages.iter().map(|message| {
            // Of what is no text, only files are something that the reader said.
            let parts = message.parts.iter().filter_map(|part| match part.kind.as_str() {
                "text" => Some(json!({ "type": "text", "text": part.text })),
                "file" => Some(json!({ "type": "file" })),
                _ => None,
            });
            json!({ "role": message.role.name(), "content": parts.collect::<Vec<_>>() })
        });
        let talk = Messages::read(Value::Array(plain.collect()))?;
        Ok(talk.map(|Messages(talk)| UiMessages(talk)))
    }
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Trigger(#[cfg_attr(feature = "schema", schemars(with = "String"))] Seeks);

impl Field for Trigger {
    fn read(value: Value) -> Result<Option<Self>, String> {
        match value.as_str() {
            Some("submit-message") => Ok(Some(Trigger(Seeks::Unfinished))),
            // Another answer is wanted, and none that is under way.
            Some("regenerate-message") => Ok(Some(Trigger(Seeks::Halted))),
            _ => Err("wants submit-message or regenerate-message".to_owned()),
        }
    }
}

/// A body as far as it could be read.
pub(super) struct Parsed {
    pub chat: Option<String>,
    /// What is asked: the same whatever its page calls the messages, and whichever button sends it.
    pub said: Gist,
    /// What of it may have come before.
    pub seeks: Seeks,
    pub record: Record,
    /// The names of what is ignored, for the header.
    pub ignored: Vec<String>,
    pub request: Result<AskRequest, Refusal>,
}

impl Parsed {
    pub fn read(bytes: &[u8]) -> Parsed {
        let refused = |why: String| Parsed {
            chat: None,
            said: Gist::default(),
            seeks: Seeks::Unfinished,
            record: Record::default(),
            ignored: Vec::new(),
            request: Err(Refusal::NoObject { why, send: "{\"messages\": […]}" }),
        };
        let map = match talk::object(bytes) {
            Ok(map) => map,
            Err(why) => return refused(why),
        };
        let wanted = json!([map.get("model"), map.get("quarry")]);
        let (body, mut ignored) = match talk::read::<Body>(map, &[]) {
            Ok(read) => read,
            Err(why) => return refused(why),
        };
        let mut record = Record::default();
        let (mut chat, mut seeks) = (None, Seeks::Unfinished);
        let request = request(body, &mut chat, &mut seeks, &mut record, &mut ignored);
        let said = request.as_ref().map(|request| Gist::of_talk(&wanted, request));
        let said = said.unwrap_or_default();
        Parsed { chat, said, seeks, record, ignored, request }
    }
}

/// The order of the fields is the order in which what is wrong is told.
fn request(
    body: Body,
    chat: &mut Option<String>,
    seeks: &mut Seeks,
    record: &mut Record,
    ignored: &mut Vec<String>,
) -> Result<AskRequest, Refusal> {
    *chat = body.id.named("id")?.map(|text| text.0);
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if chat.as_ref().is_some_and(|chat| !chat.chars().all(plain)) {
        return Err(Refusal::field("id", "wants letters, digits, - and _ alone"));
    }
    if let Some(Trigger(wants)) = body.trigger.named("trigger")? {
        *seeks = wants;
    }
    body.message_id.named("messageId")?;
    let model = body.model.named("model")?.map_or_else(|| "quarry".to_owned(), |text| text.0);
    let wanted = Extension::beside(body.quarry, "quarry", "parts")?;
    record.progress = wanted.progress;
    let system = body.system.named("system")?;
    let talk = body.messages.named("messages")?.map(|UiMessages(talk)| talk);
    let mut talk = talk.unwrap_or_default();
    if let Some(Text(system)) = system {
        talk.instruct(&system, "system");
    }
    let talk = talk::asked(talk, "")?;
    ignored.extend(talk.ignored.iter().cloned());
    let mut request = talk::request(talk, &model, wanted);
    if record.progress == Progress::None {
        // Whoever loads the page again is told the same.
        request.manners.keeps = Some(responses::kept_quietly(&request, &model));
        request.manners.unkept = Unkept::Begun;
    }
    Ok(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(role: &str, text: &str) -> Value {
        json!({ "id": "m", "role": role, "parts": [{ "type": "text", "text": text }] })
    }

    fn read(more: &Value) -> Parsed {
        let mut body =
            json!({ "id": "c_1", "messages": [text("user", "why?")], "trigger": "submit-message" });
        for (name, value) in more.as_object().unwrap() {
            body[name] = value.clone();
        }
        Parsed::read(body.to_string().as_bytes())
    }

    #[test]
    fn a_chat_is_an_ask_and_what_the_page_shows_beside_texts_is_left_out() {
        let shown = json!({ "id": "a", "role": "assistant", "metadata": {}, "parts": [
            { "type": "step-start" },
            { "type": "reasoning", "text": "hm", "state": "done" },
            { "type": "dynamic-tool", "toolName": "search_web", "toolCallId": "c", "input": {} },
            { "type": "source-url", "sourceId": "s1", "url": "https://a.example" },
            { "type": "text", "text": "Ada." },
        ] });
        let parsed = read(&json!({
            "messages": [text("user", "Who?"), shown, text("user", "When?")],
            "system": "Be brief.", "model": "groq:x", "quarry": { "progress": "none" }, "other": 1,
        }));
        let request = parsed.request.unwrap();
        let said: Vec<&str> = request.wish.history.iter().map(|said| said.text.as_str()).collect();
        assert_eq!((request.query.as_str(), said), ("When?", vec!["Who?", "Ada."]));
        assert_eq!(request.wish.instructions.as_deref(), Some("Be brief."));
        assert_eq!(request.model.as_deref(), Some("groq:x"));
        let kept = request.manners.keeps.unwrap();
        assert!(responses::is_quiet(&kept), "{kept}");
        assert_eq!(request.manners.unkept, Unkept::Begun);
        assert_eq!(
            (parsed.chat.as_deref(), parsed.ignored),
            (Some("c_1"), vec!["other".to_owned()])
        );
    }

    #[test]
    fn a_question_is_answered_again() {
        let messages = [text("user", "Who?"), text("assistant", "Ada.")];
        let parsed = read(
            &json!({ "messages": messages, "trigger": "regenerate-message", "messageId": "a" }),
        );
        let request = parsed.request.unwrap();
        assert_eq!((request.query.as_str(), request.wish.history.len()), ("Who?", 0));
        assert_eq!(request.manners.keeps, None, "nothing of it is other than usual");
    }

    #[test]
    fn what_is_asked_is_the_same_whichever_button_sends_it() {
        let sent = read(&json!({}));
        let mut renamed = text("user", "why?");
        renamed["id"] = json!("other");
        let again = read(&json!({
            "messages": [renamed, text("assistant", "It")], "trigger": "regenerate-message",
            "messageId": "a", "model": null,
        }));
        assert_eq!(sent.said, again.said);
        assert_eq!((sent.seeks, again.seeks), (Seeks::Unfinished, Seeks::Halted));
        let [one, other] = [
            r#"{ "sources": "both", "progress": "none" }"#,
            r#"{ "progress": "none", "sources": "both" }"#,
        ]
        .map(|quarry| {
            read(&json!({ "quarry": serde_json::from_str::<Value>(quarry).unwrap() })).said
        });
        assert_eq!(one, other, "the order of fields says nothing");
        assert_ne!(one, sent.said);
        for more in [
            json!({ "model": "groq:x" }),
            json!({ "system": "Be brief." }),
            json!({ "quarry": { "progress": "none" } }),
            json!({ "messages": [text("user", "who?")] }),
            json!({ "messages": [text("user", "why?"), text("assistant", "It"), text("user", "why?")] }),
        ] {
            assert_ne!(read(&more).said, sent.said, "{more}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let file =
            json!([{ "role": "user", "parts": [{ "type": "file", "mediaType": "image/png" }] }]);
        for (more, field) in [
            (json!({ "id": "a/b" }), "id"),
            (json!({ "id": "a".repeat(65) }), "id"),
            (json!({ "trigger": "resume" }), "trigger"),
            (json!({ "messages": [] }), "messages"),
            (json!({ "messages": [text("assistant", "x")] }), "messages"),
            (json!({ "messages": file }), "messages"),
            (json!({ "messages": [{ "role": "user" }] }), "messages"),
            (json!({ "messages": [{ "role": "tool", "parts": [] }] }), "messages"),
            (json!({ "quarry": { "progress": "think" } }), "quarry.progress"),
            (json!({ "quarry": { "nothing": 1 } }), "quarry"),
        ] {
            match read(&more).request.unwrap_err() {
                Refusal::InvalidField { field: told, .. } => assert_eq!(told, field, "{more}"),
                other => panic!("{more}: {other:?}"),
            }
        }
    }
}
