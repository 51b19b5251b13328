//! What a reply must fit, said in words: for models whose requests have no place for it.

use quarry_types::ReplySchema;

/// The words for the model.
pub(crate) fn told(schema: &ReplySchema) -> String {
    format!(
        "Answer with one JSON object that fits this JSON Schema, and with nothing else:\n{}",
        schema.schema.text()
    )
}
