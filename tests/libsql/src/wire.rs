//! What a cursor request of Hrana 3 and its answer are written as.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use rusqlite::types::{Value as Cell, ValueRef};
use serde::Deserialize;
use serde_json::{Value, json};

/// `POST /v3/cursor`.
#[derive(Debug, Deserialize)]
pub(crate) struct CursorRequest {
    /// The stream that goes on; none: a new one.
    pub baton: Option<String>,
    pub batch: Batch,
}

/// `POST /v3/pipeline`, as far as it is understood.
#[derive(Debug, Deserialize)]
pub(crate) struct PipelineRequest {
    pub baton: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Batch {
    pub steps: Vec<Step>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Step {
    pub stmt: Statement,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Statement {
    pub sql: String,
    #[serde(default)]
    pub args: Vec<Argument>,
}

impl Statement {
    /// The values that are texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &String> {
        self.args.iter().filter_map(|argument| match argument {
            Argument::Text { value } => Some(value),
            _ => None,
        })
    }

    /// The first value, if it is a text.
    pub(crate) fn subject(&self) -> Option<String> {
        match self.args.first()? {
            Argument::Text { value } => Some(value.clone()),
            _ => None,
        }
    }
}

/// A value, as Hrana writes it: integers as texts, bytes in base64 without padding.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Argument {
    Null,
    Integer { value: String },
    Float { value: f64 },
    Text { value: String },
    Blob { base64: String },
}

impl Argument {
    /// The value; none for a number or bytes that are none.
    pub(crate) fn cell(&self) -> Option<Cell> {
        Some(match self {
            Self::Null => Cell::Null,
            Self::Integer { value } => Cell::Integer(value.parse().ok()?),
            Self::Float { value } => Cell::Real(*value),
            Self::Text { value } => Cell::Text(value.clone()),
            Self::Blob { base64 } => {
                Cell::Blob(STANDARD_NO_PAD.decode(base64.trim_end_matches('=')).ok()?)
            }
        })
    }
}

pub(crate) fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => json!({ "type": "null" }),
        ValueRef::Integer(value) => json!({ "type": "integer", "value": value.to_string() }),
        ValueRef::Real(value) => json!({ "type": "float", "value": value }),
        ValueRef::Text(text) => {
            json!({ "type": "text", "value": String::from_utf8_lossy(text) })
        }
        ValueRef::Blob(bytes) => {
            json!({ "type": "blob", "base64": STANDARD_NO_PAD.encode(bytes) })
        }
    }
}

/// The answer's first line.
pub(crate) fn head(baton: &str) -> Value {
    json!({ "baton": baton, "base_url": null })
}

pub(crate) fn step_begin(columns: &[String]) -> Value {
    let columns: Vec<Value> =
        columns.iter().map(|name| json!({ "name": name, "decltype": null })).collect();
    json!({ "type": "step_begin", "step": 0, "cols": columns })
}

pub(crate) fn row(values: Vec<Value>) -> Value {
    json!({ "type": "row", "row": values })
}

pub(crate) fn step_end(changes: u64) -> Value {
    json!({ "type": "step_end", "affected_row_count": changes, "last_insert_rowid": null })
}

pub(crate) fn step_error(message: &str, code: &str) -> Value {
    json!({ "type": "step_error", "step": 0, "error": { "message": message, "code": code } })
}

/// What a server ends every cursor with.
pub(crate) fn replication_index() -> Value {
    json!({ "type": "replication_index", "replication_index": 0 })
}
