//! The JSON schemas of the payloads, as components of an OpenAPI document.
//!
//! Border: the shapes of bodies that are passed through as text (a model's request and reply, a
//! continuation state) are not declared here; they are referred to by name, and whoever writes
//! the document has them.

use crate::EventName;
use crate::declaration::generate;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

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
        settings.transforms.push(Box::new(Plain));
    });
    let mut generator = settings.into_generator();
    let roots = generate(&mut generator);
    let mut definitions = generator.take_definitions(true);
    let mut events = Vec::new();
    let mut components = Map::new();
    for (name, root) in roots {
        let called = component(name);
        let referred = root.get("$ref").and_then(Value::as_str);
        let own = referred.and_then(|path| path.strip_prefix(COMPONENTS)).map(str::to_owned);
        let own = own.and_then(|own| definitions.remove(&own));
        let any = || json!({ "type": "object", "additionalProperties": true });
        let mut schema = own.unwrap_or_else(any);
        if let Some(object) = schema.as_object_mut() {
            object.insert("description".to_owned(), name.description().into());
        }
        components.insert(called.clone(), schema);
        events.push((name, called));
    }
    components.extend(definitions);
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

/// Takes away what says something about Rust and nothing about JSON: titles, the widths of
/// numbers, and the null of fields that are left out instead. Sentences lose the line breaks of
/// the source.
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
    let Some(Value::Array(branches)) = property.get_mut("anyOf") else { return };
    branches.retain(|branch| branch.get("type").is_none_or(|kind| kind != "null"));
    if let [Value::Object(only)] = branches.as_slice() {
        let only = only.clone();
        property.remove("anyOf");
        property.extend(only);
    }
}

fn reference(name: &str) -> Schema {
    json_schema!({ "$ref": format!("{COMPONENTS}{name}") })
}

fn nullable(name: &str) -> Schema {
    let kept = reference(name);
    json_schema!({ "anyOf": [kept, { "type": "null" }] })
}

pub(crate) fn model_request(_: &mut SchemaGenerator) -> Schema {
    reference("ModelRequest")
}

pub(crate) fn model_response(_: &mut SchemaGenerator) -> Schema {
    reference("ModelResponse")
}

pub(crate) fn restored_response(_: &mut SchemaGenerator) -> Schema {
    nullable("KeptResponse")
}

pub(crate) fn usage(_: &mut SchemaGenerator) -> Schema {
    nullable("Usage")
}

pub(crate) fn continuation_state(_: &mut SchemaGenerator) -> Schema {
    reference("ContinuationState")
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
