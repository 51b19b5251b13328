//! A checker for the part of JSON Schema that our OpenAPI document uses.
//!
//! Border: a document, a schema in it and a value in; sentences about what is wrong out. It is
//! stricter than the standard: an object may have the properties that its schema names and no
//! others, unless the schema says `additionalProperties: true`; and a keyword that it does not
//! know is a mistake, never passed over.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// What says something to people and nothing about values.
const ANNOTATIONS: [&str; 3] = ["description", "examples", "default"];

/// The schemas of one document.
#[derive(Clone, Copy)]
pub struct Schemas<'d>(pub &'d Value);

impl<'d> Schemas<'d> {
    /// What is wrong with a value; nothing, if it fits.
    pub fn check(&self, schema: &Value, value: &Value) -> Vec<String> {
        self.at(schema, value, "", true)
    }

    /// What a `$ref` leads to, else the value itself.
    pub fn resolve<'v>(&self, value: &'v Value) -> &'v Value
    where
        'd: 'v,
    {
        let pointer = value.get("$ref").and_then(Value::as_str);
        let target = pointer.and_then(|pointer| self.0.pointer(pointer.trim_start_matches('#')));
        target.unwrap_or(value)
    }

    /// `closed`: whether properties that nobody names are reported here.
    fn at(&self, schema: &Value, value: &Value, place: &str, closed: bool) -> Vec<String> {
        let schema = self.resolve(schema);
        let Some(keywords) = schema.as_object() else {
            return vec![format!("{place}: the schema is no object: {schema}")];
        };
        let mut wrong = Vec::new();
        for (keyword, wanted) in keywords {
            wrong.extend(self.keyword(keyword, wanted, value, place));
        }
        let Some(fields) = value.as_object() else { return wrong };
        let mut known = BTreeSet::new();
        // A bare `required` says nothing about what else there may be.
        let names_any = ["type", "properties", "allOf"].iter().any(|k| keywords.contains_key(*k));
        if closed && names_any && !self.names(schema, &mut known) {
            for name in fields.keys().filter(|name| !known.contains(name.as_str())) {
                wrong.push(format!("{place}/{name} is not documented"));
            }
        }
        wrong
    }

    fn keyword(&self, keyword: &str, wanted: &Value, value: &Value, place: &str) -> Vec<String> {
        let fits = |fits: bool| match fits {
            true => Vec::new(),
            false => vec![format!("{place}: {value} is not of {keyword} {wanted}")],
        };
        match keyword {
            "$ref" | "additionalProperties" => Vec::new(),
            "type" => fits(list(wanted).iter().any(|name| is_of(name.as_str(), value))),
            "enum" => fits(list(wanted).contains(&value)),
            "const" => fits(wanted == value),
            "anyOf" => self.any_of(list(wanted), value, place, false),
            "oneOf" => self.any_of(list(wanted), value, place, true),
            "allOf" => {
                list(wanted).iter().flat_map(|part| self.at(part, value, place, false)).collect()
            }
            "properties" => self.properties(wanted, value, place),
            "required" => required(wanted, value, place),
            "items" => {
                let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
                let items = items.iter().enumerate();
                items
                    .flat_map(|(n, item)| self.at(wanted, item, &format!("{place}/{n}"), true))
                    .collect()
            }
            "minItems" => fits(value.as_array().is_none_or(|a| a.len() as u64 >= number(wanted))),
            "maxProperties" => {
                fits(value.as_object().is_none_or(|o| o.len() as u64 <= number(wanted)))
            }
            "maxLength" => fits(
                value.as_str().is_none_or(|text| text.chars().count() as u64 <= number(wanted)),
            ),
            "minimum" => fits(compare(value, wanted, |a, b| a >= b)),
            "maximum" => fits(compare(value, wanted, |a, b| a <= b)),
            "exclusiveMinimum" => fits(compare(value, wanted, |a, b| a > b)),
            "format" => fits(value.as_str().is_none_or(|text| has_format(wanted, text))),
            name if ANNOTATIONS.contains(&name) => Vec::new(),
            unknown => vec![format!("{place}: the checker does not know the keyword {unknown}")],
        }
    }

    fn properties(&self, wanted: &Value, value: &Value, place: &str) -> Vec<String> {
        let (Some(wanted), Some(fields)) = (wanted.as_object(), value.as_object()) else {
            return Vec::new();
        };
        let known =
            fields.iter().filter_map(|(name, field)| Some((name, wanted.get(name)?, field)));
        known
            .flat_map(|(name, schema, field)| {
                self.at(schema, field, &format!("{place}/{name}"), true)
            })
            .collect()
    }

    /// What is wrong with the branch that comes nearest.
    fn any_of(&self, branches: Vec<&Value>, value: &Value, place: &str, one: bool) -> Vec<String> {
        let mut tried: Vec<_> =
            branches.iter().map(|branch| self.at(branch, value, place, true)).collect();
        let fitting = tried.iter().filter(|wrong| wrong.is_empty()).count();
        if one && fitting > 1 {
            return vec![format!("{place}: {fitting} of the alternatives fit")];
        }
        // What has another name is another thing altogether.
        let other = |wrong: &Vec<String>| wrong.iter().any(|words| words.contains("of const"));
        tried.sort_by_key(|wrong| (!wrong.is_empty(), other(wrong), wrong.len()));
        tried.into_iter().next().unwrap_or_default()
    }

    /// Collects the properties that a schema names; says whether it takes any other.
    fn names<'v>(&self, schema: &'v Value, known: &mut BTreeSet<&'v str>) -> bool
    where
        'd: 'v,
    {
        let schema = self.resolve(schema);
        let fields = schema.get("properties").and_then(Value::as_object);
        known.extend(fields.into_iter().flat_map(Map::keys).map(String::as_str));
        let mut open = schema.get("additionalProperties") == Some(&Value::Bool(true));
        for part in schema.get("allOf").map(list).unwrap_or_default() {
            open |= self.names(part, known);
        }
        open
    }
}

fn list(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        one => vec![one],
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(u64::MAX)
}

fn compare(value: &Value, bound: &Value, fits: fn(f64, f64) -> bool) -> bool {
    let (Some(value), Some(bound)) = (value.as_f64(), bound.as_f64()) else { return true };
    fits(value, bound)
}

fn is_of(kind: Option<&str>, value: &Value) -> bool {
    match kind {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("number") => value.is_number(),
        Some("integer") => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => false,
    }
}

fn required(wanted: &Value, value: &Value, place: &str) -> Vec<String> {
    let Some(fields) = value.as_object() else { return Vec::new() };
    let names = list(wanted).into_iter().filter_map(Value::as_str);
    let missing = names.filter(|name| !fields.contains_key(*name));
    missing.map(|name| format!("{place}/{name} is missing")).collect()
}

fn has_format(format: &Value, text: &str) -> bool {
    match format.as_str() {
        Some("date-time") => {
            // The one form that we write.
            let shape: String =
                text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
            shape == "0000-00-00T00:00:00.000Z"
        }
        Some("password") => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document() -> Value {
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
    }

    fn check(name: &str, value: &Value) -> Vec<String> {
        let document = document();
        let schema = json!({ "$ref": format!("#/components/schemas/{name}") });
        Schemas(&document).check(&schema, value)
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
            ("Named", json!({}), "/name is missing"),
            ("Named", json!({ "name": 1 }), "/name: 1 is not of type"),
            ("Named", json!({ "name": "long" }), "maxLength"),
            ("Named", json!({ "name": "x", "age": 1.5 }), "/age: 1.5 is not of type"),
            ("Named", json!({ "name": "x", "age": -1 }), "minimum"),
            ("Named", json!({ "name": "x", "more": 1 }), "/more is not documented"),
            ("Named", json!([]), "is not of type"),
            ("Dated", json!({ "name": "x", "more": 1 }), "/more is not documented"),
            ("Dated", json!({ "name": "x", "at": "yesterday" }), "date-time"),
            ("Either", json!({ "kind": "c" }), "const"),
            ("Either", json!({ "kind": "a", "one": 3 }), "enum"),
            (
                "Either",
                json!({ "kind": "b", "list": [{ "name": "x", "more": 1 }] }),
                "/list/0/more",
            ),
            ("Either", json!({}), "alternatives fit"),
        ] {
            let wrong = check(name, &value).join("; ");
            assert!(wrong.contains(words), "{name} {value}: {wrong:?}");
        }
    }

    #[test]
    fn an_unknown_keyword_is_not_passed_over() {
        let document = document();
        let wrong = Schemas(&document).check(&json!({ "multipleOf": 2 }), &json!(3));
        assert!(wrong[0].contains("multipleOf"), "{wrong:?}");
    }
}
