//! The messages of a request: a question, what was said before it, and how the caller wants to be answered.
//!
//! Border: JSON in, texts out. What an ask cannot take is refused where it stands in the question, and named where
//! it stands before it.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::unread::Read;
use crate::json_field::{Field, names};
use crate::order::{Said, Speaker};

/// Characters that instructions may have together.
pub(crate) const MAX_INSTRUCTIONS: usize = 16_384;
/// The same of a text that is cut to that: what is longer is no text for a model.
pub(crate) const MAX_GIVEN_INSTRUCTIONS: usize = 1024 * 1024;

/// What stands in the place of what is no text, in turns before the question.
const LEFT_OUT: &str = "[something that is no text was left out here]";

/// What a list of messages wants whose last one is not the user's.
pub(crate) const ENDS_OTHERWISE: &str =
    "must end with a message of the user; a beginning of the answer is not supported";

/// Parts that have a text.
const TEXTS: [&str; 3] = ["text", "input_text", "output_text"];

/// What was said, as far as an ask takes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Talk {
    pub question: String,
    pub history: Vec<Said>,
    pub instructions: Option<String>,
    /// Those messages of which they are made, in their order.
    pub instructing: Vec<Instruction>,
    /// Messages, by the door's field and their role, of which something was left out.
    pub ignored: Vec<String>,
    /// Where something stands in the history that only its id is known of: how many turns are before it.
    pub references: Vec<(usize, String)>,
    /// Characters of the instructions: there may be very many of them, and none is read again for the next.
    pub instructed: usize,
    /// A field within a message that cannot be used, and what it wants.
    pub wrong: Option<(String, &'static str)>,
}

/// Who says in a conversation how to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Instructor {
    System,
    Developer,
}

/// A message that says how to answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Instruction {
    pub by: Instructor,
    pub text: String,
    /// How many turns of the history are before it.
    pub at: usize,
}

/// A piece of a conversation as it is sent.
pub(crate) enum Piece {
    /// A message.
    Message(Value),
    /// Something with this id that was said before.
    Reference(String),
}

/// The list of messages. The last one is the user's question.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Messages(
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Message>", length(min = 1)))] pub Talk,
);

/// A message.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ChatMessage"))]
struct Message {
    /// `system`, `developer`, `user` or `assistant`; what has another of the protocols' roles is left out.
    role: Role,
    /// A text, or a list of parts of which texts are read.
    #[serde(default)]
    content: Option<Content>,
    /// What an assistant called: no tools of a caller's are called here.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    tool_calls: Option<Value>,
    /// The same, as another protocol writes it.
    #[serde(default, rename = "toolCalls")]
    #[cfg_attr(feature = "schema", schemars(skip))]
    tool_calls_of_agui: Option<Value>,
    /// Who of several said it.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    name: Option<Value>,
    /// Why an assistant did not answer.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    refusal: Option<Value>,
    /// How it was spoken.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    audio: Option<Value>,
    /// What an assistant called, as clients of before write it.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    function_call: Option<Value>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
enum Role {
    System,
    Developer,
    User,
    Assistant,
    #[serde(alias = "function")]
    Tool,
    /// What apps keep beside a conversation.
    #[serde(alias = "reasoning")]
    Activity,
}

#[derive(Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
enum Content {
    Text(String),
    Parts(Vec<Part>),
    #[cfg_attr(feature = "schema", schemars(skip))]
    One(Part),
}

// What cannot be read of a list takes nothing else with it.
#[derive(Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
enum Part {
    Typed(Typed),
    #[cfg_attr(feature = "schema", schemars(skip))]
    Text(String),
    #[cfg_attr(feature = "schema", schemars(skip))]
    Other(IgnoredAny),
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Typed {
    /// `text`, as where it is left out, or something that is left out.
    #[serde(default, rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    text: Option<Words>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    Plain(String),
    /// As parts of threads have them.
    Within {
        value: String,
    },
}

impl Part {
    fn text(&self) -> Option<&str> {
        let Typed { kind, text } = match self {
            Part::Text(text) => return Some(text),
            Part::Other(_) => return None,
            Part::Typed(part) => part,
        };
        let kind = kind.as_deref().unwrap_or("text");
        match text.as_ref().filter(|_| TEXTS.contains(&kind))? {
            Words::Plain(text) | Words::Within { value: text } => Some(text),
        }
    }
}

impl Message {
    fn calls_tools(&self) -> bool {
        let mut calls = [&self.tool_calls, &self.tool_calls_of_agui].into_iter().flatten();
        calls.any(|calls| calls.as_array().is_some_and(|calls| !calls.is_empty()))
    }

    /// The names of what it has beside its text and nobody here reads.
    fn unread(&self) -> Vec<&'static str> {
        let beside = [
            ("name", &self.name),
            ("refusal", &self.refusal),
            ("audio", &self.audio),
            ("function_call", &self.function_call),
        ];
        let says = |(name, value): (_, &Option<Value>)| {
            value.as_ref().is_some_and(super::says).then_some(name)
        };
        beside.into_iter().filter_map(says).collect()
    }

    /// Its text, and whether all of it was text.
    fn text(&self) -> (String, bool) {
        let parts = match &self.content {
            None => return (String::new(), true),
            Some(Content::Text(text)) => return (text.clone(), true),
            Some(Content::Parts(parts)) => parts.as_slice(),
            Some(Content::One(part)) => std::slice::from_ref(part),
        };
        let texts: Vec<Option<&str>> = parts.iter().map(Part::text).collect();
        let all = texts.iter().all(Option::is_some);
        let texts: Vec<&str> = texts.into_iter().map(|text| text.unwrap_or(LEFT_OUT)).collect();
        (texts.join("\n"), all)
    }
}

impl Field for Messages {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let wants =
            || "wants a list of messages, each with a `role` and a `content` of text".to_owned();
        let Value::Array(messages) = value else { return Err(wants()) };
        let talk = Talk::of(messages.into_iter().map(Piece::Message), "messages", wants)?;
        Ok(talk.map(Messages))
    }
}

impl Talk {
    /// Of the pieces in their order, which stand in this field. `wants` says what is no message.
    pub(crate) fn of(
        pieces: impl DoubleEndedIterator<Item = Piece>,
        field: &str,
        wants: impl Fn() -> String,
    ) -> Result<Option<Talk>, String> {
        let message = |value, which: &str| {
            let wrong = |_| format!("{}; {which} is none", wants());
            serde_json::from_value::<Message>(value).map_err(wrong)
        };
        let read = Read { message: names::<Message>(), part: names::<Typed>(), kinds: &TEXTS };
        let mut of_last = Vec::new();
        let mut pieces = pieces;
        let last = match pieces.next_back() {
            None => return Ok(None),
            Some(Piece::Message(last)) => {
                read.name_others(&last, field, &mut of_last);
                Some(message(last, "the last")?)
            }
            Some(Piece::Reference(_)) => None,
        };
        let Some(last) = last.filter(|last| last.role == Role::User) else {
            return Err(ENDS_OTHERWISE.to_owned());
        };
        let (question, is_text) = last.text();
        if !is_text {
            return Err("has unsupported content in its last message: send the question as text, without images, files or audio".to_owned());
        }
        let mut talk = Talk { question, ..Talk::default() };
        for (at, piece) in (1..).zip(pieces) {
            match piece {
                Piece::Message(value) => {
                    read.name_others(&value, field, &mut talk.ignored);
                    talk.add(&message(value, &format!("number {at}"))?, field);
                }
                Piece::Reference(id) => talk.references.push((talk.history.len(), id)),
            }
        }
        talk.leave_out(&last, field);
        of_last.iter().for_each(|name| talk.ignore(name));
        Ok(Some(talk))
    }

    /// What a message has beside its text is named.
    fn leave_out(&mut self, message: &Message, field: &str) {
        for name in message.unread() {
            self.ignore(&format!("{field}.{name}"));
        }
    }

    /// Adds a message before the question.
    fn add(&mut self, message: &Message, field: &str) {
        let (text, is_whole) = message.text();
        if !matches!(message.role, Role::Tool | Role::Activity) {
            self.leave_out(message, field);
        }
        let named = |what: &str| format!("{field}.{what}");
        let name = match message.role {
            Role::System | Role::Developer => Some("system"),
            Role::User => Some("user"),
            Role::Assistant => Some("assistant"),
            Role::Tool | Role::Activity => None,
        };
        if let Some(name) = name.filter(|_| !is_whole) {
            self.ignore(&named(name));
        }
        match message.role {
            Role::System => self.instruct_by(Instructor::System, text, &named("system")),
            Role::Developer => self.instruct_by(Instructor::Developer, text, &named("system")),
            // An empty one says nothing, and there may be very many.
            Role::User if text.trim().is_empty() => {}
            Role::User => self.history.push(Said { by: Speaker::User, text }),
            Role::Assistant => {
                if message.calls_tools() {
                    self.ignore(&named("tool_calls"));
                }
                let text = without_thoughts(&text);
                // What is left of a message that only called tools says nothing.
                if !text.trim().is_empty() {
                    self.history.push(Said { by: Speaker::Assistant, text });
                }
            }
            Role::Tool => self.ignore(&named("tool")),
            Role::Activity => {}
        }
    }

    /// Adds a message that says how to answer.
    fn instruct_by(&mut self, by: Instructor, text: String, field: &str) {
        self.instruct(&text, field);
        if !text.trim_start().is_empty() {
            self.instructing.push(Instruction { by, text, at: self.history.len() });
        }
    }

    /// Adds to how the caller wants to be answered, as this field says. Of what has no room only the beginning is read.
    pub(crate) fn instruct(&mut self, text: &str, field: &str) {
        if text.trim_start().is_empty() {
            return;
        }
        let gap = self.instructions.as_ref().map_or("", |_| "\n\n");
        let room = MAX_INSTRUCTIONS.saturating_sub(self.instructed + gap.len());
        let fitting = match text.char_indices().nth(room) {
            Some((at, _)) => {
                self.ignore(field);
                text.get(..at).unwrap_or_default()
            }
            None => text,
        };
        if fitting.is_empty() {
            return;
        }
        self.instructed += gap.len() + fitting.chars().count();
        let all = self.instructions.get_or_insert_default();
        all.push_str(gap);
        all.push_str(fitting);
    }

    /// Adds them before how the caller wants to be answered already, so that whatever has no room it is not they. `others` is
    /// where that was said.
    pub(crate) fn instruct_first(&mut self, text: &str, field: &str, others: &str) {
        self.instructed = 0;
        let more = self.instructions.take();
        self.instruct(text, field);
        if let Some(more) = more {
            self.instruct(&more, others);
        }
    }

    fn ignore(&mut self, what: &str) {
        if !self.ignored.iter().any(|known| known == what) {
            self.ignored.push(what.to_owned());
        }
    }
}

/// An earlier answer without what its reader was told of the way to it.
fn without_thoughts(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, behind)) = rest.split_once("<think>") {
        kept.push_str(before);
        // Thoughts without an end are all that follows.
        rest = behind.split_once("</think>").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept.trim().to_owned()
}

#[cfg(test)]
mod tests;
