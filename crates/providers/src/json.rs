//! Small helpers for JSON that others wrote: lenient where they differ in trifles.
//!
//! Border: no knowledge of any provider.

use serde::{Deserialize, Deserializer};

/// `null` as the default, as providers write it for "nothing here".
pub(crate) fn nullable<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// A text that some providers send as JSON instead: tool arguments as an object.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum TextOrJson {
    Text(String),
    Json(serde_json::Value),
}

impl TextOrJson {
    pub(crate) fn into_text(self) -> String {
        match self {
            TextOrJson::Text(text) => text,
            TextOrJson::Json(serde_json::Value::Null) => String::new(),
            TextOrJson::Json(value) => value.to_string(),
        }
    }
}
