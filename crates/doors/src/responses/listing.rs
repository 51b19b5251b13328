//! What a response was asked with, and what is said when it is gone, as the protocol writes it.
//!
//! Border: names and shapes alone.

use serde::Serialize;
use serde_json::Value;

use super::wire::Status;

/// What a response was asked with.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "ResponseInputItems"))]
pub(crate) struct InputItems {
    /// Always `list`.
    pub object: &'static str,
    /// The messages.
    pub data: Vec<InputItem>,
    /// Of this list.
    pub first_id: Option<String>,
    /// Of this list.
    pub last_id: Option<String>,
    /// Whether there are more behind the last.
    pub has_more: bool,
}

/// A message that a response was asked with.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct InputItem {
    /// Unique among all.
    pub id: String,
    /// Always `message`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// `user`, `assistant`, `system` or `developer`.
    pub role: &'static str,
    /// Always completed.
    pub status: Status,
    /// Exactly one.
    pub content: Vec<InputPart>,
}

/// The text of such a message.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) enum InputPart {
    /// Of the user, or of whoever says how to answer.
    InputText { text: String },
    /// Of an earlier answer.
    OutputText { text: String, annotations: Vec<Value>, logprobs: Vec<Value> },
}

/// A response that is gone.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ResponseDeleted"))]
pub(crate) struct Deleted {
    /// As it was.
    pub id: String,
    /// Always `response`.
    pub object: &'static str,
    /// Always true.
    pub deleted: bool,
}
