//! Small helpers for JSON that others wrote: lenient where they differ in trifles.
//!
//! Border: no knowledge of any provider.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// `null` as the default, as providers write it for "nothing here".
pub(crate) fn nullable<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// What is of another shape counts as not there: for what an answer can do without.
pub(crate) fn lenient<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    Ok(serde_json::from_value(Value::deserialize(deserializer)?).ok())
}

/// Tokens as providers count them: some write whole numbers with a point. What is no count is none.
pub(crate) fn count<'de, D>(deserializer: D) -> Result<Option<u64>, D::Error>
where
    D: Deserializer<'de>,
{
    Ok(counted(&Value::deserialize(deserializer)?))
}

fn counted(value: &Value) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float cast saturates"
    )]
    let rounded = || value.as_f64().filter(|count| *count >= 0.0).map(|count| count as u64);
    value.as_u64().or_else(rounded)
}

static NOTHING: Value = Value::Null;

/// A field; null where there is none. Whoever reads by hand asks for dozens: inlined, they would cost what they save.
#[inline(never)]
pub(crate) fn at<'v>(value: &'v Value, field: &str) -> &'v Value {
    value.get(field).unwrap_or(&NOTHING)
}

/// The text in a field; empty where there is none.
#[inline(never)]
pub(crate) fn words<'v>(value: &'v Value, field: &str) -> &'v str {
    at(value, field).as_str().unwrap_or_default()
}

/// The items in a field; none where there is no list.
pub(crate) fn items<'v>(value: &'v Value, field: &str) -> &'v [Value] {
    at(value, field).as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The count in a field, as [`count`] reads it.
#[inline(never)]
pub(crate) fn number(value: &Value, field: &str) -> Option<u64> {
    counted(at(value, field))
}

/// A text that some providers send as JSON instead: tool arguments as an object.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum TextOrJson {
    Text(String),
    Json(Value),
}

impl TextOrJson {
    pub(crate) fn into_text(self) -> String {
        match self {
            TextOrJson::Text(text) => text,
            TextOrJson::Json(Value::String(text)) => text,
            TextOrJson::Json(Value::Null) => String::new(),
            TextOrJson::Json(value) => value.to_string(),
        }
    }
}
