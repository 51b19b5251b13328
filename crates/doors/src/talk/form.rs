//! The form of an answer that a program reads, as two protocols ask for it.
//!
//! Border: fields of JSON in, a form out whose schema can be checked; what cannot be is refused by its name, before
//! anything is paid for.

use quarry_types::json::{put, shape};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Refusal;
use crate::json_field::{Given, Text};
use crate::order::Form;

/// Bytes that a schema may have.
const MAX_SCHEMA: usize = 64 * 1024;
/// Characters of a schema's name.
const MAX_NAME: usize = 64;

/// A JSON Schema with its name.
#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Named {
    /// Letters, digits, `_` and `-`.
    name: Given<Text<MAX_NAME>>,
    /// What it is for, for the model.
    description: Given<Text<1_024>>,
    /// JSON Schema of an object. `pattern` and `format` are told to the model and not checked; what else cannot be
    /// checked is refused.
    schema: Given<Map<String, Value>>,
    /// Whether the provider holds the model to it as it writes, where it can. The answer fits it either way.
    strict: Given<bool>,
}

/// A form that was asked for.
pub(crate) struct Asked {
    pub form: Form,
    /// What of its schema nobody checks, by its name.
    pub unchecked: Vec<&'static str>,
}

impl Named {
    /// Whether a schema was sent, or anything that only one has.
    pub(crate) const fn is_given(&self) -> bool {
        self.name.is_given() || self.schema.is_given()
    }

    /// The form. `place` is the field's name, with dots for nesting.
    ///
    /// # Errors
    /// [`Refusal::InvalidField`] with the name that the wrong field has there.
    pub(crate) fn form(self, place: &str) -> Result<Asked, Refusal> {
        let at = |name: &str| format!("{place}.{name}");
        let name = self.name.named(&at("name"))?.map(|text| text.0).unwrap_or_default();
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(is_allowed) {
            let wants = format!("wants 1 to {MAX_NAME} letters, digits, _ and -");
            return Err(Refusal::field(&at("name"), &wants));
        }
        let description = self.description.named(&at("description"))?;
        let schema = self.schema.named(&at("schema"))?;
        let mut schema = schema.map_or_else(|| json!({ "type": "object" }), Value::Object);
        let unchecked = shape::admit(&schema).map_err(|why| Refusal::field(&at("schema"), &why))?;
        if let Some(description) = description
            && schema.get("description").is_none()
        {
            put(&mut schema, "description", description.0);
        }
        let schema = schema.to_string();
        if schema.len() > MAX_SCHEMA {
            let wants = format!("is too long; send at most {MAX_SCHEMA} bytes");
            return Err(Refusal::field(&at("schema"), &wants));
        }
        let strict = self.strict.named(&at("strict"))?.unwrap_or_default();
        let named = [(unchecked.pattern, "pattern"), (unchecked.format, "format")];
        let unchecked = named.into_iter().filter(|(is_there, _)| *is_there);
        Ok(Asked {
            form: Form::JsonSchema { name, schema, strict },
            unchecked: unchecked.map(|(_, name)| name).collect(),
        })
    }
}

/// Refuses what would leave no JSON of an answer in this form.
///
/// # Errors
/// [`Refusal::InvalidField`] for the other field.
pub(crate) fn beside(form: &Form, place: &str, stop: &[String]) -> Result<(), Refusal> {
    match form {
        Form::JsonObject | Form::JsonSchema { .. } if !stop.is_empty() => Err(Refusal::field(
            "stop",
            &format!(
                "is not supported with JSON in `{place}`: what is cut off is none; leave one of the two out"
            ),
        )),
        Form::JsonObject | Form::JsonSchema { .. } => Ok(()),
    }
}
