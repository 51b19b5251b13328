//! The schemas of an OpenAPI document, as a judge of values.
//!
//! Border: a document, a schema in it and a value in; sentences about what is wrong out. It is
//! stricter than the standard: an object may have the properties that its schema names and no
//! others, unless the schema says `additionalProperties: true`; and a time has the one form that
//! we write.

use jsonschema::Validator;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The schemas of one document.
pub struct Schemas {
    document: &'static Value,
    /// The document's components, each closed to what it does not name.
    components: Value,
    /// What was compiled, by the schema's text.
    compiled: Mutex<HashMap<String, Arc<Validator>>>,
}

impl Schemas {
    /// Those of this document.
    pub fn new(document: &'static Value) -> Schemas {
        let mut components = document.get("components").cloned().unwrap_or_default();
        let schemas = components.get_mut("schemas").and_then(Value::as_object_mut);
        for (_, schema) in schemas.into_iter().flatten() {
            *schema = closed(document, schema);
        }
        Schemas { document, components, compiled: Mutex::default() }
    }

    /// What is wrong with a value; nothing, if it fits.
    pub fn check(&self, schema: &Value, value: &Value) -> Vec<String> {
        match self.validator(schema) {
            Ok(validator) => validator
                .iter_errors(value)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect(),
            Err(wrong) => vec![format!("the schema itself is wrong: {wrong}")],
        }
    }

    /// What a `$ref` leads to, else the value itself.
    pub fn resolve<'v>(&self, value: &'v Value) -> &'v Value
    where
        'static: 'v,
    {
        resolve(self.document, value)
    }

    fn validator(&self, schema: &Value) -> Result<Arc<Validator>, String> {
        let key = schema.to_string();
        let compiled = |this: &Schemas| {
            this.compiled.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
        };
        if let Some(known) = compiled(self) {
            return Ok(known);
        }
        // References lead into the components, so these come along.
        let root = json!({
            "allOf": [closed(self.document, schema)],
            "components": self.components,
        });
        let validator = jsonschema::draft202012::options()
            .with_format("date-time", is_our_time)
            .should_validate_formats(true)
            .build(&root)
            .map_err(|error| error.to_string())?;
        let validator = Arc::new(validator);
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        compiled.insert(key, Arc::clone(&validator));
        Ok(validator)
    }
}

fn resolve<'v>(document: &'v Value, value: &'v Value) -> &'v Value {
    let pointer = value.get("$ref").and_then(Value::as_str);
    let target = pointer.and_then(|pointer| document.pointer(pointer.trim_start_matches('#')));
    target.unwrap_or(value)
}

/// `2026-01-02T03:04:05.678Z`.
fn is_our_time(text: &str) -> bool {
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    shape == "0000-00-00T00:00:00.000Z"
}

/// The schema without room for properties that nobody names.
fn closed(document: &Value, schema: &Value) -> Value {
    closed_when(document, schema, true)
}

/// Parts of an `allOf` stay open, because each sees the properties of the others: the whole is
/// closed instead.
fn closed_when(document: &Value, schema: &Value, close: bool) -> Value {
    let Some(keywords) = schema.as_object() else { return schema.clone() };
    let each = |value: &Value, close: bool| match value {
        Value::Array(all) => all.iter().map(|one| closed_when(document, one, close)).collect(),
        other => other.clone(),
    };
    let mut out = Map::new();
    for (keyword, wanted) in keywords {
        let wanted = match (keyword.as_str(), wanted) {
            ("properties", Value::Object(fields)) => {
                let fields = fields.iter();
                fields.map(|(name, field)| (name.clone(), closed(document, field))).collect()
            }
            ("items", item) => closed(document, item),
            ("anyOf" | "oneOf", branches) => each(branches, close),
            ("allOf", Value::Array(parts)) => {
                let parts = parts.iter().map(|part| resolve(document, part));
                parts.map(|part| closed_when(document, part, false)).collect()
            }
            (_, other) => other.clone(),
        };
        out.insert(keyword.clone(), wanted);
    }
    let is_object = keywords.get("type").is_some_and(|kind| match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "object"),
        one => one == "object",
    });
    let names_any =
        is_object || keywords.contains_key("properties") || keywords.contains_key("allOf");
    if close && names_any && !keywords.contains_key("additionalProperties") {
        out.insert("unevaluatedProperties".to_owned(), false.into());
    }
    Value::Object(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract;
    use std::sync::LazyLock;

    static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
        json!({ "components": { "schemas": {
            "Named": {
                "type": "object", "required": ["name"],
                "properties": { "name": { "type": "string", "maxLength": 3 }, "age": { "type": ["integer", "null"], "minimum": 0 } },
            },
            "Dated": { "allOf": [
                { "$ref": "#/components/schemas/Named" },
                { "type": "object", "properties": { "at": { "type": "string", "format": "date-time" } } },
            ] },
            "Any": { "type": "object", "additionalProperties": true },
            "Either": { "oneOf": [
                { "type": "object", "properties": { "kind": { "const": "a" }, "one": { "enum": [1, 2] } } },
                { "type": "object", "properties": { "kind": { "const": "b" }, "list": { "type": "array", "items": { "$ref": "#/components/schemas/Named" } } } },
            ] },
        } } })
    });

    fn check(name: &str, value: &Value) -> Vec<String> {
        let schema = json!({ "$ref": format!("#/components/schemas/{name}") });
        Schemas::new(&DOCUMENT).check(&schema, value)
    }

    #[test]
    fn what_fits_is_fine() {
        for (name, value) in [
            ("Named", json!({ "name": "Ada", "age": null })),
            ("Dated", json!({ "name": "Ada", "at": "2026-01-02T03:04:05.678Z" })),
            ("Any", json!({ "whatever": [1] })),
            ("Either", json!({ "kind": "b", "list": [{ "name": "x" }] })),
        ] {
            assert_eq!(check(name, &value), Vec::<String>::new(), "{name}");
        }
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for (name, value, words) in [
            ("Named", json!({}), "\"name\" is a required property"),
            ("Named", json!({ "name": 1 }), "/name: 1 is not of type"),
            ("Named", json!({ "name": "x", "age": -1 }), "/age: -1 is less than the minimum"),
            ("Named", json!({ "name": "x", "more": 1 }), "'more' was unexpected"),
            ("Dated", json!({ "name": "x", "more": 1 }), "'more' was unexpected"),
            ("Dated", json!({ "name": "x", "at": "yesterday" }), "date-time"),
            ("Dated", json!({ "name": "x", "at": "2026-01-02T03:04:05Z" }), "date-time"),
            ("Either", json!({ "kind": "b", "list": [{ "name": "x", "more": 1 }] }), "oneOf"),
            ("Either", json!({}), "more than one"),
        ] {
            let wrong = check(name, &value).join("; ");
            assert!(wrong.contains(words), "{name} {value}: {wrong:?}");
        }
    }

    #[test]
    fn a_reference_into_nothing_is_not_passed_over() {
        assert!(check("Nobody", &json!({}))[0].contains("the schema itself is wrong"));
    }

    /// A keyword that nobody knows would be passed over in silence.
    #[test]
    fn every_keyword_of_our_document_is_the_standards() {
        let standard = json!({
            "$id": "https://quarry.example/strict",
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$dynamicAnchor": "meta",
            "$ref": "https://json-schema.org/draft/2020-12/schema",
            "unevaluatedProperties": false,
        });
        let standard = jsonschema::draft202012::new(&standard).unwrap();
        let is_standard = |schema: &Value| standard.is_valid(schema);
        assert!(!is_standard(&json!({ "minimun": 2 })));
        assert!(!is_standard(&json!({ "properties": { "a": { "minimun": 2 } } })));
        let schemas = contract::document().pointer("/components/schemas").unwrap();
        for (name, schema) in schemas.as_object().unwrap() {
            assert!(is_standard(schema), "{name}: {schema}");
        }
    }
}
