//! The OpenAPI document as a judge of every response that a test sees.
//!
//! Border: what was asked and what came, as text and JSON; sentences about what is not as
//! documented. The client asks it about every response, whichever test it is in.

use crate::client::Event;
use crate::schema;
use quarry_doors::openapi_text;
use quarry_events::Schemas;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    // A document that cannot be read has no paths, so every response is reported.
    openapi_text().ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
});

static SCHEMAS: LazyLock<schema::Schemas> = LazyLock::new(|| schema::Schemas::new(&DOCUMENT));

/// Headers that belong to the transport, or to `content`.
const TRANSPORT: [&str; 5] =
    ["connection", "content-length", "content-type", "date", "transfer-encoding"];

/// The document.
pub fn document() -> &'static Value {
    &DOCUMENT
}

/// A response by its place in the document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Answered {
    /// The path as the document writes it; none for a path that it does not have.
    pub path: Option<String>,
    /// In lower case, as the document writes it.
    pub method: String,
    /// The status.
    pub status: u16,
    /// The media type without parameters; empty without content.
    pub media_type: String,
}

impl Answered {
    /// Finds the place of a response.
    pub fn new(method: &str, target: &str, status: u16, content_type: Option<&str>) -> Answered {
        let path = target.split('?').next().unwrap_or_default().replace("//", "/");
        let path = paths().find(|pattern| fits(pattern, &path)).map(str::to_owned);
        let media_type = content_type.unwrap_or_default().split(';').next().unwrap_or_default();
        let mut method = method.to_lowercase();
        // "Not that method" is said of the operation that there is.
        if let Some(path) = &path
            && operations(path).all(|(name, _)| *name != method)
            && let Some((other, _)) = operations(path).find(|(name, _)| *name != "options")
        {
            method.clone_from(other);
        }
        Answered { path, method, status, media_type: media_type.trim().to_owned() }
    }

    /// What the document says of it.
    fn response(&self) -> Option<&'static Value> {
        let Some(path) = &self.path else {
            let unknown = (self.status == 404).then_some("/components/responses/NotFound")?;
            return document().pointer(unknown);
        };
        let (_, operation) = operations(path).find(|(method, _)| **method == self.method)?;
        Some(SCHEMAS.resolve(operation.get("responses")?.get(self.status.to_string())?))
    }

    fn content(&self) -> Option<&'static Value> {
        self.response()?.get("content")?.get(&self.media_type)
    }

    /// What is wrong with the head.
    pub fn head(&self, headers: &[(String, String)]) -> Vec<String> {
        let Some(response) = self.response() else {
            return vec![format!("{self:?} is not documented")];
        };
        let mut wrong = Vec::new();
        let documented = response.get("headers").and_then(Value::as_object);
        // What lives nowhere has no operation that could tell that its answer has a name.
        let is_known =
            |name: &str| TRANSPORT.contains(&name) || self.path.is_none() && name == "x-request-id";
        for (name, value) in headers.iter().filter(|(name, _)| !is_known(name)) {
            let found =
                documented.into_iter().flatten().find(|(n, _)| n.eq_ignore_ascii_case(name));
            let Some((_, header)) = found else {
                wrong.push(format!("{self:?}: the header {name} is not documented"));
                continue;
            };
            let Some(schema) = SCHEMAS.resolve(header).get("schema") else {
                wrong.push(format!("no schema says what the header {name} is"));
                continue;
            };
            let is_number = schema.get("type").is_some_and(|kind| kind == "integer");
            let number = value.parse::<u64>().ok().filter(|_| is_number);
            let value = number.map_or_else(|| json!(value), |number| json!(number));
            wrong.extend(SCHEMAS.check(schema, &value).iter().map(|w| format!("header {name}{w}")));
        }
        for (name, header) in documented.into_iter().flatten() {
            let is_there = headers.iter().any(|(sent, _)| sent.eq_ignore_ascii_case(name));
            if SCHEMAS.resolve(header).get("required") == Some(&Value::Bool(true)) && !is_there {
                wrong.push(format!("{self:?}: the header {name} is missing"));
            }
        }
        let content = response.get("content").and_then(Value::as_object);
        if content.is_some_and(|content| !content.contains_key(&self.media_type))
            || content.is_none() && !self.media_type.is_empty()
        {
            wrong.push(format!("{self:?}: that type of content is not documented"));
        }
        wrong
    }

    /// What is wrong with a JSON body.
    pub fn body(&self, body: &Value) -> Vec<String> {
        match self.content().and_then(|content| content.get("schema")) {
            Some(schema) => SCHEMAS.check(schema, body),
            _ => vec![format!("{self:?}: no schema says what its body is")],
        }
    }

    /// What is wrong with a piece of its stream that has no name.
    pub fn item(&self, item: &Value) -> Vec<String> {
        match self.content().and_then(|content| content.get("x-item-schema")) {
            Some(schema) => SCHEMAS.check(schema, item),
            None => vec![format!("{self:?}: no schema says what its pieces are")],
        }
    }

    /// What is wrong with an event of its stream.
    pub fn event(&self, event: &Event) -> Vec<String> {
        let frames = self.content().and_then(|content| content.get("x-item-schema"));
        let frames = frames.and_then(|frames| SCHEMAS.resolve(frames).get("oneOf"));
        // Its name tells which one it has to be: trying all of them costs seconds with 200 streams.
        let named = |frame: &&Value| {
            frame.pointer("/properties/event/const").is_some_and(|name| *name == event.name)
        };
        let mut frames = frames.and_then(Value::as_array).into_iter().flatten();
        let Some(schema) = frames.find(named) else {
            return vec![format!("{self:?}: the event {} is not documented", event.name)];
        };
        let id = (event.sequence > 0).then_some(event.sequence);
        let frame = json!({ "id": id, "event": event.name, "data": event.data });
        let wrong = SCHEMAS.check(schema, &frame);
        wrong.into_iter().map(|wrong| format!("{}{wrong}", event.name)).collect()
    }
}

/// Every response that the document has, preflights included.
pub fn documented() -> Vec<Answered> {
    let mut all = Vec::new();
    for path in paths() {
        for (method, operation) in operations(path) {
            let responses = operation.get("responses").and_then(Value::as_object);
            for (status, response) in responses.into_iter().flatten() {
                let content = SCHEMAS.resolve(response).get("content").and_then(Value::as_object);
                let types = content.map(|content| content.keys().cloned().collect());
                for media_type in types.unwrap_or_else(|| vec![String::new()]) {
                    all.push(Answered {
                        path: Some(path.to_owned()),
                        method: method.clone(),
                        status: status.parse().unwrap_or_default(),
                        media_type,
                    });
                }
            }
        }
    }
    all
}

/// The events that are not reserved, each with the fields that its payload may have.
pub fn emitted_events() -> BTreeMap<String, BTreeSet<String>> {
    let Schemas { events, components } = quarry_events::schemas();
    let emitted = events.into_iter().filter(|(name, _)| !name.is_reserved());
    let fields = |payload: &str| components.get(payload).map(fields).unwrap_or_default();
    emitted.map(|(name, payload)| (name.as_str().to_owned(), fields(&payload))).collect()
}

/// The fields of a payload; where there are alternatives, of all of them.
fn fields(payload: &Value) -> BTreeSet<String> {
    let payload = SCHEMAS.resolve(payload);
    let own = payload.get("properties").and_then(Value::as_object).into_iter().flatten();
    let branches = payload.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    own.map(|(name, _)| name.clone()).chain(branches.flat_map(fields)).collect()
}

fn paths() -> impl Iterator<Item = &'static str> {
    let paths = document().get("paths").and_then(Value::as_object);
    paths.into_iter().flatten().map(|(path, _)| path.as_str())
}

fn operations(path: &str) -> impl Iterator<Item = (&'static String, &'static Value)> {
    let item = document().get("paths").and_then(|paths| paths.get(path));
    item.and_then(Value::as_object).into_iter().flatten()
}

fn fits(pattern: &str, path: &str) -> bool {
    let Some((before, after)) = pattern.split_once("{id}") else { return pattern == path };
    let id = path.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
    id.is_some_and(|id| !id.is_empty() && !id.contains('/'))
}
