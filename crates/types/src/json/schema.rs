//! Checking tool arguments against the schema that the model was given.
//!
//! Knows the part of JSON Schema that our tool schemas use: `type`, `properties`, `required`,
//! `additionalProperties: false`, `minLength`, `maxLength`, `minimum` and `maximum`. Numbers out
//! of range are clamped, as the tools' contract says; everything else out of place is reported.

use super::number;
use serde_json::{Map, Value};

/// Checks arguments and returns them clamped, or the sentences that say what to change.
pub fn check(schema: &Value, arguments: &Value) -> Result<Map<String, Value>, Vec<String>> {
    let Value::Object(given) = arguments else {
        return Err(vec!["arguments must be a JSON object".to_owned()]);
    };
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let mut problems = Vec::new();
    let mut accepted = Map::new();
    for (name, value) in given {
        match properties.get(name) {
            Some(_) if value.is_null() => {}
            Some(property) => match check_property(name, property, value) {
                Ok(value) => {
                    accepted.insert(name.clone(), value);
                }
                Err(problem) => problems.push(problem),
            },
            None => problems.push(format!(
                "unknown property \"{name}\"; allowed are {}",
                properties.keys().cloned().collect::<Vec<_>>().join(", ")
            )),
        }
    }
    let required = schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        if given.get(name).is_none_or(Value::is_null) {
            problems.push(format!("property \"{name}\" is required"));
        }
    }
    if problems.is_empty() { Ok(accepted) } else { Err(problems) }
}

fn check_property(name: &str, schema: &Value, value: &Value) -> Result<Value, String> {
    let kind = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    match (kind, value) {
        ("string", Value::String(text)) => check_length(name, schema, text).map(|()| value.clone()),
        ("boolean", Value::Bool(_)) => Ok(value.clone()),
        ("integer" | "number", Value::Number(given)) => {
            let given = given.as_f64().unwrap_or_default();
            let given = if kind == "integer" { given.trunc() } else { given };
            let low = schema.get("minimum").and_then(Value::as_f64).unwrap_or(f64::MIN);
            let high = schema.get("maximum").and_then(Value::as_f64).unwrap_or(f64::MAX);
            Ok(number(given.clamp(low, high)))
        }
        _ => Err(format!("property \"{name}\" must be of type {kind}")),
    }
}

fn check_length(name: &str, schema: &Value, text: &str) -> Result<(), String> {
    let length = text.chars().count() as u64;
    let low = schema.get("minLength").and_then(Value::as_u64).unwrap_or(0);
    let high = schema.get("maxLength").and_then(Value::as_u64).unwrap_or(u64::MAX);
    if length < low {
        return Err(format!("property \"{name}\" must not be empty"));
    }
    if length > high {
        return Err(format!("property \"{name}\" is longer than {high} characters"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;
    use serde_json::json;

    fn schema() -> serde_json::Value {
        json!({
            "type": "object",
            "properties": {
                "query": { "type": "string", "minLength": 1, "maxLength": 9 },
                "limit": { "type": "integer", "minimum": 1, "maximum": 50 },
                "load_content": { "type": "boolean" }
            },
            "required": ["query"],
            "additionalProperties": false
        })
    }

    #[test]
    fn numbers_are_clamped_and_nulls_count_as_absent() {
        let given = json!({ "query": "x", "limit": 900, "load_content": null });
        let accepted = check(&schema(), &given).unwrap();
        assert_eq!(serde_json::Value::Object(accepted), json!({ "query": "x", "limit": 50 }));
        let accepted = check(&schema(), &json!({ "query": "x", "limit": 7.9 })).unwrap();
        assert_eq!(accepted["limit"], json!(7), "an integer stays one");
    }

    #[test]
    fn each_problem_names_its_property() {
        let given = json!({ "limit": "ten", "count": 3 });
        let problems = check(&schema(), &given).unwrap_err();
        assert_eq!(
            problems,
            [
                "property \"limit\" must be of type integer",
                "unknown property \"count\"; allowed are query, limit, load_content",
                "property \"query\" is required",
            ]
        );
        assert!(check(&schema(), &json!(["x"])).is_err());
        assert!(check(&schema(), &json!({ "query": "" })).is_err());
        assert!(check(&schema(), &json!({ "query": "ääääääääää" })).is_err());
        assert!(check(&schema(), &json!({ "query": "äääääääää" })).is_ok());
        assert!(check(&schema(), &json!({ "query": "x", "load_content": "yes" })).is_err());
    }
}
