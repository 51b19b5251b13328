//! JSON that is text and stays text.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// JSON that is passed through as text: large bodies are written once and never become a tree.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Json(#[cfg_attr(feature = "schema", schemars(with = "Value"))] Box<RawValue>);

impl Json {
    /// Writes a value. One that does not serialise (none should) becomes null.
    #[must_use]
    pub fn of(value: &(impl Serialize + ?Sized)) -> Self {
        Json(serde_json::value::to_raw_value(value).unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }

    /// Takes JSON text as it is; none when it is not one JSON value.
    #[must_use]
    pub fn from_text(text: String) -> Option<Self> {
        RawValue::from_string(text).ok().map(Json)
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// The text, which is not copied.
    #[must_use]
    pub fn into_text(self) -> String {
        Box::<str>::from(self.0).into_string()
    }

    /// The value as a tree.
    #[must_use]
    pub fn value(&self) -> Value {
        serde_json::from_str(self.text()).unwrap_or_default()
    }
}

impl PartialEq for Json {
    /// By the text: equal values written differently are unequal.
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

/// Texts that were read before, and are not read again: for those that come in every call.
#[derive(Debug, Default)]
pub struct KnownJson(Vec<Json>);

impl KnownJson {
    /// Texts that are remembered at most.
    const MOST: usize = 16;

    /// None remembered yet.
    #[must_use]
    pub const fn new() -> Self {
        KnownJson(Vec::new())
    }

    /// As [`Json::from_text`].
    #[must_use]
    pub fn read(&mut self, text: String) -> Option<Json> {
        if let Some(known) = self.0.iter().find(|known| known.text() == text) {
            return Some(known.clone());
        }
        let read = Json::from_text(text)?;
        if self.0.len() < Self::MOST {
            self.0.push(read.clone());
        }
        Some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_read_before_is_the_same_and_what_is_no_json_never_becomes_known() {
        let mut known = KnownJson::new();
        for _ in 0..2 {
            for number in 0..2 * KnownJson::MOST {
                let text = format!("[{number}, 1.50]");
                assert_eq!(known.read(text.clone()), Json::from_text(text));
            }
            assert_eq!(known.read("[1, 1.50".to_owned()), None);
        }
        assert_eq!(known.0.len(), KnownJson::MOST);
    }

    #[test]
    fn json_stays_the_text_that_it_was() {
        let json = Json::from_text(r#"{ "b":1.50, "a":[] }"#.to_owned()).unwrap();
        assert_eq!(serde_json::to_string(&json).unwrap(), r#"{ "b":1.50, "a":[] }"#);
        assert_eq!(serde_json::from_str::<Json>(json.text()).unwrap(), json);
        assert_eq!(json.value(), json!({ "b": 1.5, "a": [] }));
        assert_eq!(Json::from_text("{".to_owned()), None);
    }
}
