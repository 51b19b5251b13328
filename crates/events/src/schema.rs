//! The JSON schemas of the payloads, as components of an OpenAPI document.
//!
//! Border: the shapes of bodies that are passed through as text (a model's request and reply, a
//! continuation state) are not declared here; they are referred to by name, and whoever writes
//! the document adds them to the same generator.

use crate::declaration::generate;
use crate::{EventName, run};
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::marker::PhantomData;

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
    let mut generator = written();
    generate(&mut generator);
    let events = EventName::ALL.map(|name| (name, component(name.as_str()))).to_vec();
    Schemas { events, components: generator.take_definitions(true) }
}

/// A generator for what we write: what is always there is required, and what may be left out is
/// never null.
#[must_use]
pub fn written() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    of_components(settings).with(|settings| settings.transforms.push(Box::new(LeftOut))).into()
}

/// A generator for what we read.
#[must_use]
pub fn read() -> SchemaGenerator {
    of_components(SchemaSettings::draft2020_12().for_deserialize()).into()
}

fn of_components(settings: SchemaSettings) -> SchemaSettings {
    settings.with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
        settings.transforms.push(Box::new(Plain));
    })
}

/// The component of this name, which is added to the document elsewhere.
#[must_use]
pub fn component_named(name: &str) -> Schema {
    json_schema!({ "$ref": format!("{COMPONENTS}{name}") })
}

/// Stands for a payload where a schema refers to it: named as its event, and described so.
#[derive(Debug)]
pub struct PayloadOf<P>(PhantomData<P>);

/// A payload whose event has a name and is described.
pub(crate) trait Described: JsonSchema {
    /// The event's name on the wire.
    const EVENT: &'static str;

    /// What the event tells.
    fn description() -> &'static str;
}

impl<P: Described> JsonSchema for PayloadOf<P> {
    fn schema_name() -> Cow<'static, str> {
        component(P::EVENT).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = P::json_schema(generator);
        schema.insert("description".to_owned(), P::description().into());
        schema
    }
}

/// Adds the payload of an event that nothing emits: any object.
pub(crate) fn reserved(name: &str, description: &str, generator: &mut SchemaGenerator) -> Schema {
    let any = json!({
        "type": "object", "additionalProperties": true, "description": description,
    });
    let called = component(name);
    let reference = component_named(&called);
    generator.definitions_mut().insert(called, any);
    reference
}

/// Stands for an event as a stream and an answer show it: number, name and payload.
#[derive(Debug)]
pub struct Frame;

impl JsonSchema for Frame {
    fn schema_name() -> Cow<'static, str> {
        "Frame".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let payloads = generate(generator).into_iter();
        let frames: Vec<Value> = payloads.map(|(name, payload)| frame(name, &payload)).collect();
        json_schema!({ "description": "An event.", "oneOf": frames })
    }
}

fn frame(name: EventName, payload: &Schema) -> Value {
    json!({
        "type": "object",
        "description": name.description(),
        "properties": {
            "id": {
                "type": ["integer", "null"],
                "description": "The event's number: from 1, without gaps. Null (in a stream: no `id:` line) for an `error` that ended a stream from outside the log.",
                "minimum": 1,
            },
            "event": { "const": name.as_str() },
            "data": payload,
        },
        "required": ["id", "event", "data"],
    })
}

/// Stands for an event of a run as a stream shows it: number, name, and what it says.
#[derive(Debug)]
pub struct RunFrame;

impl JsonSchema for RunFrame {
    fn schema_name() -> Cow<'static, str> {
        "RunFrame".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        one_of_a_run(generator, |name, said| {
            json!({
                "type": "object",
                "description": name.description(),
                "properties": {
                    "id": { "type": "integer", "description": "Its `sequence`.", "minimum": 1 },
                    "event": { "const": name.as_str() },
                    "data": { "allOf": said },
                },
                "required": ["id", "event", "data"],
            })
        })
    }
}

/// Stands for an event of a run as a line of NDJSON: what it says, with its name among it.
#[derive(Debug)]
pub struct RunLine;

impl JsonSchema for RunLine {
    fn schema_name() -> Cow<'static, str> {
        "RunLine".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        one_of_a_run(generator, |name, said| {
            json!({
                "type": "object",
                "description": name.description(),
                "properties": { "event": { "const": name.as_str() } },
                "required": ["event"],
                "allOf": said,
            })
        })
    }
}

/// One of a run's events; `shown` is given its name, and the schemas that what it says has both of.
fn one_of_a_run(
    generator: &mut SchemaGenerator,
    shown: fn(run::EventName, [Schema; 2]) -> Value,
) -> Schema {
    let payloads = run::generate(generator);
    let envelope = generator.subschema_for::<run::Envelope>();
    let frames = payloads.into_iter();
    let frames: Vec<Value> =
        frames.map(|(name, payload)| shown(name, [envelope.clone(), payload])).collect();
    json_schema!({ "description": "An event of a run.", "oneOf": frames })
}

/// `LogEvent` for `log`.
fn component(name: &str) -> String {
    let mut called = String::new();
    for word in name.split('_') {
        let mut letters = word.chars();
        called.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        called.push_str(letters.as_str());
    }
    called + "Event"
}

/// Takes away what says something about Rust and nothing about JSON: titles and the widths of
/// numbers. Sentences lose the line breaks of the source.
#[derive(Debug, Clone)]
struct Plain;

impl Transform for Plain {
    fn transform(&mut self, schema: &mut Schema) {
        schema.remove("title");
        let is_number = |kind: &Value| kind == "integer" || kind == "number";
        if schema.get("type").is_some_and(|kind| match kind {
            Value::Array(kinds) => kinds.iter().any(is_number),
            one => is_number(one),
        }) {
            schema.remove("format");
        }
        if let Some(Value::String(words)) = schema.get_mut("description") {
            *words = words.replace('\n', " ");
        }
        transform_subschemas(self, schema);
    }
}

/// Takes away the null of fields that are left out instead, and what a field would be read as that
/// is not there.
#[derive(Debug, Clone)]
struct LeftOut;

impl Transform for LeftOut {
    fn transform(&mut self, schema: &mut Schema) {
        schema.remove("default");
        without_nulls(schema);
        transform_subschemas(self, schema);
    }
}

/// A field that need not be there is never null: it is left out.
fn without_nulls(schema: &mut Schema) {
    let required: Vec<Value> =
        schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, property) in properties.into_iter().flatten() {
        if let Some(property) = property.as_object_mut()
            && !required.iter().any(|needed| needed == name)
        {
            without_null(property);
        }
    }
}

fn without_null(property: &mut Map<String, Value>) {
    if let Some(Value::Array(kinds)) = property.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            property.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = property.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    let Some(Value::Array(branches)) = property.get_mut("anyOf") else { return };
    branches.retain(|branch| branch.get("type").is_none_or(|kind| kind != "null"));
    if let [Value::Object(only)] = branches.as_slice() {
        let only = only.clone();
        property.remove("anyOf");
        property.extend(only);
    }
}

fn nullable(name: &str) -> Schema {
    let kept = component_named(name);
    json_schema!({ "anyOf": [kept, { "type": "null" }] })
}

pub(crate) fn model_request(_: &mut SchemaGenerator) -> Schema {
    component_named("ModelRequest")
}

pub(crate) fn model_response(_: &mut SchemaGenerator) -> Schema {
    component_named("ModelResponse")
}

pub(crate) fn restored_response(_: &mut SchemaGenerator) -> Schema {
    nullable("KeptResponse")
}

pub(crate) fn usage(_: &mut SchemaGenerator) -> Schema {
    nullable("Usage")
}

pub(crate) fn continuation_state(_: &mut SchemaGenerator) -> Schema {
    component_named("ContinuationState")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_always_there_is_required_and_nothing_else() {
        let Schemas { events, components } = schemas();
        assert_eq!(events.len(), EventName::ALL.len());
        let required = |name: &str| components[name]["required"].clone();
        assert_eq!(required("LogEvent"), json!(["message", "timestamp"]));
        let init = required("InitEvent");
        let has = |name: &str| init.as_array().unwrap().contains(&name.into());
        assert!(has("user") && has("turns") && !has("fallback"), "{init}");
        assert_eq!(components["LogEvent"]["properties"]["timestamp"]["format"], "date-time");
        let iteration = &components["MadeResponse"]["properties"]["iteration"];
        assert_eq!(iteration["type"], "integer", "left out, never null");
        let fallback = &components["InitEvent"]["properties"]["fallback"];
        assert_eq!(fallback["$ref"], "#/components/schemas/Fallback");
        assert_eq!(components["Source"]["properties"]["date"]["type"], json!(["string", "null"]));
        assert_eq!(components["SearchEvent"]["additionalProperties"], true);
    }

    #[test]
    fn every_event_has_a_frame_with_its_payload() {
        let mut generator = written();
        let frames = generator.subschema_for::<Frame>();
        assert_eq!(frames, component_named("Frame"));
        let definitions = generator.take_definitions(true);
        let frames = definitions["Frame"]["oneOf"].as_array().unwrap();
        let names: Vec<&str> = frames
            .iter()
            .map(|frame| frame["properties"]["event"]["const"].as_str().unwrap())
            .collect();
        assert_eq!(names, EventName::ALL.map(EventName::as_str));
        for frame in frames {
            let payload = frame["properties"]["data"]["$ref"].as_str().unwrap();
            assert!(
                definitions.contains_key(payload.strip_prefix(COMPONENTS).unwrap()),
                "{payload}"
            );
        }
    }

    #[test]
    fn every_event_of_a_run_has_a_frame_and_a_line_with_what_all_events_have() {
        let mut generator = written();
        generator.subschema_for::<RunFrame>();
        generator.subschema_for::<RunLine>();
        let definitions = generator.take_definitions(true);
        assert_eq!(definitions["RunEvent"]["required"], json!(["sequence", "run_id", "at"]));
        for (kind, said) in [("RunFrame", "/properties/data/allOf"), ("RunLine", "/allOf")] {
            let all = definitions[kind]["oneOf"].as_array().unwrap();
            assert_eq!(all.len(), run::EventName::ALL.len(), "{kind}");
            for (one, name) in all.iter().zip(run::EventName::ALL) {
                assert_eq!(one["properties"]["event"]["const"], name.as_str());
                let said = one.pointer(said).unwrap();
                assert_eq!(said[0]["$ref"], "#/components/schemas/RunEvent");
                let payload = component(name.as_str());
                assert_eq!(said[1]["$ref"], format!("#/components/schemas/{payload}"));
                assert_eq!(definitions[&payload]["description"], name.description());
            }
        }
    }

    #[test]
    fn what_is_said_of_an_event_is_what_its_name_says() {
        for (name, called) in schemas().events {
            assert_eq!(schemas().components[&called]["description"], name.description());
        }
        assert_eq!(EventName::Log.description(), "A sentence about what is going on.");
        assert!(!EventName::QuotaExceeded.description().contains("  "));
    }

    #[test]
    fn nothing_in_them_is_about_rust() {
        let text = Value::Object(schemas().components).to_string();
        for word in ["uint", "double", "\"title\":\"", "\\n"] {
            assert!(!text.contains(word), "{word}");
        }
    }
}
