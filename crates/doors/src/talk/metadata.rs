//! `metadata`: a caller's own notes beside a request, which are kept and shown again.
//!
//! Border: JSON in, a map of texts out.

use serde_json::{Map, Value};

use crate::json_field::Field;

/// Notes at most, and characters of their names and texts.
const MAX_METADATA: usize = 16;
const MAX_METADATA_NAME: usize = 64;
const MAX_METADATA_TEXT: usize = 512;

/// Notes with their names.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Metadata(
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, String>"))]
    pub Map<String, Value>,
);

impl Field for Metadata {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let map = Map::read(value)?.unwrap_or_default();
        let fits = |(name, text): (&String, &Value)| {
            let text = text.as_str().is_some_and(|text| text.chars().count() <= MAX_METADATA_TEXT);
            text && name.chars().count() <= MAX_METADATA_NAME
        };
        if map.len() > MAX_METADATA || !map.iter().all(fits) {
            return Err(format!(
                "wants at most {MAX_METADATA} texts of {MAX_METADATA_TEXT} characters, with names of {MAX_METADATA_NAME}"
            ));
        }
        Ok(Some(Metadata(map)))
    }
}
