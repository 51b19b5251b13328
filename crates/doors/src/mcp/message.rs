//! The messages of JSON-RPC, as far as a server is sent them.
//!
//! Border: bytes in, messages or what is wrong with them out. What a method means is known elsewhere.

use serde::Serialize;
use serde_json::{Map, Value};

use super::failure::{Failure, INVALID_REQUEST, PARSE_ERROR};
use crate::body::few_values;

/// Characters that an id or a token may have.
const MAX_ID: usize = 256;
/// Messages that a batch may have.
const MAX_BATCH: usize = 32;

/// By what a request is known to its client, or the progress of one: written as it came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "McpId"))]
#[serde(untagged)]
pub enum Id {
    /// A whole number.
    Number(i64),
    /// A text.
    Text(String),
}

impl Id {
    /// None for what is neither of both.
    pub(super) fn read(value: &Value) -> Option<Id> {
        match value {
            Value::Number(number) => number.as_i64().map(Id::Number),
            Value::String(text) if text.chars().count() <= MAX_ID => Some(Id::Text(text.clone())),
            _ => None,
        }
    }

    /// As a JSON text.
    pub(super) fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A message.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Message {
    /// Wants an answer.
    Request { id: Id, call: Called },
    /// Wants none.
    Notification(Called),
    /// An answer. Nothing is ever asked here, so it means nothing.
    Response,
}

/// What is called.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Called {
    pub method: String,
    pub params: Map<String, Value>,
}

impl Called {
    /// A text among the parameters.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.params.get(name).and_then(Value::as_str)
    }

    /// A text that has to be among the parameters.
    ///
    /// # Errors
    /// [`Failure`] where it is not, or where something else stands there.
    pub fn needed(&self, name: &str) -> Result<&str, Failure> {
        match self.params.get(name) {
            Some(Value::String(text)) => Ok(text),
            None | Some(Value::Null) => Err(Failure::params(format!("`{name}` is missing"))),
            Some(_) => Err(Failure::params(format!("`{name}` wants a text"))),
        }
    }

    /// What stands beside the parameters.
    pub fn meta(&self, name: &str) -> Option<&Value> {
        self.params.get("_meta")?.get(name)
    }
}

/// A message that is none, with its id where it has one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wrong {
    pub id: Option<Id>,
    pub failure: Failure,
}

/// What a body holds.
#[derive(Debug, PartialEq)]
pub(super) enum Sent {
    One(Result<Message, Wrong>),
    Batch(Vec<Result<Message, Wrong>>),
}

/// Reads a body.
///
/// # Errors
/// [`Failure`] where it is no JSON, holds too much, or is an empty or too long list.
pub(super) fn read(body: &[u8]) -> Result<Sent, Failure> {
    few_values(body).map_err(|why| {
        Failure::new(400, INVALID_REQUEST, format!("the body is not read ({why}); send less"))
    })?;
    let value: Value = serde_json::from_slice(body).map_err(|error| {
        Failure::new(400, PARSE_ERROR, format!("the body is no JSON ({error}); send one message"))
    })?;
    match value {
        Value::Array(all) if (1..=MAX_BATCH).contains(&all.len()) => {
            Ok(Sent::Batch(all.into_iter().map(message).collect()))
        }
        Value::Array(_) => {
            let wants = format!("a batch wants 1 to {MAX_BATCH} messages");
            Err(Failure::new(400, INVALID_REQUEST, wants))
        }
        one => Ok(Sent::One(message(one))),
    }
}

fn message(value: Value) -> Result<Message, Wrong> {
    let wrong = |id: Option<Id>, why: &str| {
        let failure = Failure::new(400, INVALID_REQUEST, format!("the message {why}"));
        Wrong { id, failure }
    };
    let Value::Object(mut fields) = value else { return Err(wrong(None, "is no JSON object")) };
    let given = fields.get("id");
    let id = given.and_then(Id::read);
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(wrong(id, "wants `jsonrpc`: \"2.0\""));
    }
    let method = match fields.remove("method") {
        Some(Value::String(method)) => method,
        None if fields.contains_key("result") || fields.contains_key("error") => {
            return Ok(Message::Response);
        }
        _ => return Err(wrong(id, "wants a `method`, which is a text")),
    };
    if given_but_unreadable(&fields, id.as_ref()) {
        let wants = "wants an `id` that is a whole number or a text of at most 256 characters";
        return Err(wrong(None, wants));
    }
    let params = match fields.remove("params") {
        None => Map::new(),
        Some(Value::Object(params)) => params,
        Some(_) => return Err(wrong(id, "wants `params` that are an object")),
    };
    let call = Called { method, params };
    Ok(match id {
        Some(id) => Message::Request { id, call },
        None => Message::Notification(call),
    })
}

fn given_but_unreadable(fields: &Map<String, Value>, id: Option<&Id>) -> bool {
    fields.contains_key("id") && id.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn one(body: &str) -> Result<Message, i32> {
        match read(body.as_bytes()) {
            Ok(Sent::One(Ok(message))) => Ok(message),
            Ok(Sent::One(Err(wrong))) => Err(wrong.failure.code()),
            Ok(Sent::Batch(_)) => panic!("{body} is a batch"),
            Err(failure) => Err(failure.code()),
        }
    }

    #[test]
    fn a_message_asks_tells_or_answers() {
        let call = Called { method: "ping".into(), params: Map::new() };
        for (id, read) in [("7", Id::Number(7)), ("\"a\"", Id::Text("a".into()))] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
            assert_eq!(one(&body), Ok(Message::Request { id: read.clone(), call: call.clone() }));
            assert_eq!(read.json(), id);
        }
        let told = one(r#"{"jsonrpc":"2.0","method":"ping","params":{}}"#);
        assert_eq!(told, Ok(Message::Notification(call)));
        assert_eq!(one(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), Ok(Message::Response));
    }

    #[test]
    fn what_is_none_is_refused() {
        for (body, code) in [
            ("", PARSE_ERROR),
            ("{", PARSE_ERROR),
            ("7", INVALID_REQUEST),
            ("[]", INVALID_REQUEST),
            (r#"{"id":1,"method":"ping"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1,"method":2}"#, INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, INVALID_REQUEST),
        ] {
            assert_eq!(one(body), Err(code), "{body}");
        }
        let many = format!(r#"{{"x":[{}]}}"#, vec!["0"; 2_000_000].join(","));
        assert_eq!(one(&many), Err(INVALID_REQUEST), "before it takes its memory");
        let long = format!("[{}]", vec!["1"; MAX_BATCH + 1].join(","));
        assert!(read(long.as_bytes()).is_err());
        assert!(matches!(read(b"[1,2]"), Ok(Sent::Batch(all)) if all.len() == 2));
    }

    proptest! {
        #[test]
        fn whatever_comes_is_a_message_or_told_what_is_wrong(
            id in prop_oneof![Just("1".to_owned()), Just("\"a\"".to_owned()), "[a-z0-9.\"]{0,6}"],
            method in "[a-z/\"]{0,12}",
            rest in "[ -~]{0,24}",
        ) {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"{rest}}}"#);
            match read(body.as_bytes()) {
                Ok(Sent::One(Ok(Message::Request { id: read, call }))) => {
                    let again: Value = serde_json::from_str(&read.json()).unwrap();
                    prop_assert_eq!(Some(read), Id::read(&again));
                    prop_assert!(!call.method.is_empty() || method.is_empty());
                }
                Ok(Sent::One(Ok(_))) | Ok(Sent::Batch(_)) => {}
                Ok(Sent::One(Err(wrong))) => prop_assert_eq!(wrong.failure.code(), INVALID_REQUEST),
                Err(failure) => prop_assert_eq!(failure.code(), PARSE_ERROR),
            }
            // Whatever bytes come, nothing breaks.
            drop(read(rest.as_bytes()));
        }
    }
}
