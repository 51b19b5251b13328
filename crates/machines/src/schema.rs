//! The JSON schemas of what clients see of the machines, for the OpenAPI document.
//!
//! Border: the types that are written, and nothing of a machine's own state. Events refer to them
//! by name, because they carry them as text.

use crate::ask::{ContinuationState, SEVEN};
use crate::core::{Request, Response};
use crate::run::report::Companion;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;
use std::borrow::Cow;

/// Adds them to what is written.
pub fn add(written: &mut SchemaGenerator) {
    written.subschema_for::<ContinuationState>();
    written.subschema_for::<SufficientState>();
    written.subschema_for::<Request<'static>>();
    written.subschema_for::<Response<'static>>();
    written.subschema_for::<Companion>();
}

/// Of a continuation state what has to be sent back at least.
struct SufficientState;

impl JsonSchema for SufficientState {
    fn schema_name() -> Cow<'static, str> {
        "SufficientState".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = ContinuationState::json_schema(generator);
        if let Some(Value::Object(fields)) = schema.get_mut("properties") {
            fields.retain(|name, _| SEVEN.contains(&name.as_str()));
        }
        schema.insert("required".to_owned(), SEVEN.to_vec().into());
        let words =
            "The fields of a continuation state that suffice to go on; all of it saves work.";
        schema.insert("description".to_owned(), words.into());
        schema
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_refer_to_is_there() {
        let mut written = quarry_events::schema::written();
        add(&mut written);
        let definitions = written.take_definitions(true);
        let referred =
            ["ContinuationState", "SufficientState", "ModelRequest", "ModelResponse", "RunReport"];
        for name in referred.into_iter().chain(["KeptResponse", "Usage"]) {
            assert!(definitions.contains_key(name), "{name}");
        }
        let fields = |name: &str| definitions[name]["properties"].as_object().unwrap().len();
        assert_eq!(fields("SufficientState"), SEVEN.len());
        assert!(fields("ContinuationState") > SEVEN.len());
    }
}
