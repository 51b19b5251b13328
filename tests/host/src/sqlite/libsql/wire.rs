//! What Hrana's cursors are asked and answered with, as far as libsql 0.5.0 reads it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::bindings::sqlite::{Error, Value};

/// A cursor over one statement.
pub(super) fn request(baton: Option<&str>, statement: &str, parameters: &[Value]) -> String {
    let arguments: Vec<Json> = parameters.iter().map(argument).collect();
    let statement = json!({
        "sql": statement,
        "sql_id": null,
        "args": arguments,
        "named_args": [],
        "want_rows": true,
        "replication_index": null,
    });
    let steps = json!([{ "condition": null, "stmt": statement }]);
    let batch = json!({ "steps": steps, "replication_index": null });
    json!({ "baton": baton, "batch": batch }).to_string()
}

/// The end of a stream.
pub(super) fn close(baton: &str) -> String {
    json!({ "baton": baton, "requests": [{ "type": "close" }] }).to_string()
}

fn argument(value: &Value) -> Json {
    match value {
        Value::Null => json!({ "type": "null" }),
        Value::Integer(value) => json!({ "type": "integer", "value": value.to_string() }),
        Value::Real(value) => json!({ "type": "float", "value": value }),
        Value::Text(value) => json!({ "type": "text", "value": value }),
        Value::Blob(bytes) => json!({ "type": "blob", "base64": STANDARD_NO_PAD.encode(bytes) }),
    }
}

/// The first line of an answer.
#[derive(Debug, Deserialize)]
pub(super) struct Head {
    pub baton: Option<String>,
}

/// A line behind it.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Entry {
    StepBegin { cols: Vec<Column> },
    StepEnd {},
    StepError { error: Failure },
    Row { row: Vec<Cell> },
    Error { error: String },
}

#[derive(Debug, Deserialize)]
pub(super) struct Column {
    pub name: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Failure {
    pub message: String,
    pub code: String,
}

/// A value of a row.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Cell {
    Null,
    Integer { value: String },
    Float { value: f64 },
    Text { value: String },
    Blob { base64: String },
}

impl Cell {
    pub(super) fn value(self) -> Result<Value, Error> {
        Ok(match self {
            Self::Null => Value::Null,
            Self::Integer { value } => Value::Integer(value.parse().map_err(super::cursor)?),
            Self::Float { value } => Value::Real(value),
            Self::Text { value } => Value::Text(value),
            Self::Blob { base64 } => {
                let bytes = STANDARD_NO_PAD.decode(base64.trim_end_matches('='));
                Value::Blob(bytes.map_err(super::cursor)?)
            }
        })
    }
}
