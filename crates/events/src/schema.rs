//! The JSON schemas of the payloads, as components of an OpenAPI document.
//!
//! Border: the shapes of bodies that are passed through as text (a model's request and reply, a
//! continuation state) are not declared here; they are referred to by name, and whoever writes
//! the document has them.

use crate::EventName;
use crate::declaration::generate;
use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value};

/// Where a document keeps its schemas.
const COMPONENTS: &str = "#/components/schemas/";

/// The schemas of all payloads.
#[derive(Debug, Clone, PartialEq)]
pub struct Schemas {
    /// For each event the name of its payload's schema: `LogEvent` for `log`.
    pub events: Vec<(EventName, String)>,
    /// Every schema by name: the payloads', and those that they refer to.
    pub components: Map<String, Value>,
}

/// Generates the schemas as they are written: what is always there is required.
#[must_use]
pub fn schemas() -> Schemas {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    let roots = generate(&mut generator);
    let mut definitions = generator.take_definitions(true);
    let mut events = Vec::new();
    let mut components = Map::new();
    for (name, root) in roots {
        let called = component(name);
        let referred = root.get("$ref").and_then(Value::as_str).map(str::to_owned);
        let referred = referred.as_deref().and_then(|path| path.strip_prefix(COMPONENTS));
        let mut schema = match referred.and_then(|own| definitions.remove(own)) {
            Some(schema) => schema,
            None => Value::from(json_schema!({
                "type": "object",
                "description": "Reserved; any object.",
                "additionalProperties": true,
            })),
        };
        if let Some(object) = schema.as_object_mut() {
            object.remove("title");
        }
        components.insert(called.clone(), schema);
        events.push((name, called));
    }
    for (name, schema) in definitions {
        components.insert(name, schema);
    }
    Schemas { events, components }
}

/// `LogEvent` for `log`.
fn component(name: EventName) -> String {
    let mut called = String::new();
    for word in name.as_str().split('_') {
        let mut letters = word.chars();
        called.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        called.push_str(letters.as_str());
    }
    called + "Event"
}

fn reference(name: &str) -> Schema {
    json_schema!({ "$ref": format!("{COMPONENTS}{name}") })
}

pub(crate) fn model_request(_: &mut SchemaGenerator) -> Schema {
    reference("ModelRequest")
}

pub(crate) fn model_response(_: &mut SchemaGenerator) -> Schema {
    reference("ModelResponse")
}

pub(crate) fn restored_response(_: &mut SchemaGenerator) -> Schema {
    let kept = reference("KeptResponse");
    json_schema!({ "anyOf": [kept, { "type": "null" }] })
}

pub(crate) fn usage(_: &mut SchemaGenerator) -> Schema {
    let usage = reference("Usage");
    json_schema!({ "anyOf": [usage, { "type": "null" }] })
}

pub(crate) fn continuation_state(_: &mut SchemaGenerator) -> Schema {
    reference("ContinuationState")
}
