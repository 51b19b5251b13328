//! Where what a reply must fit is said: in its place in the request, or in words.
//!
//! Border: a request's wish in, what its body has to say of it out.

use crate::catalogue;
use crate::refused::{Parameter, Refused};
use quarry_types::{ChatRequest, ReplySchema};

/// What a request says of the JSON that it asks for.
pub(crate) struct Fit<'a> {
    /// Stands in its place.
    pub(crate) placed: Option<&'a ReplySchema>,
    /// Is said in words.
    pub(crate) told: Option<&'a ReplySchema>,
    /// Whether the place for it is used: by the schema, or by the word for JSON.
    pub(crate) has_place: bool,
}

impl<'a> Fit<'a> {
    /// What this request says, where so much was refused before.
    pub(crate) fn of(request: &'a ChatRequest, refused: &Refused) -> Self {
        // With tools on offer a JSON object is the arguments' business, and Groq refuses both.
        let wants_json = request.json && request.tools.is_empty();
        let schema = request.schema.as_ref().filter(|_| wants_json);
        let is_refused = refused.contains(Parameter::ResponseFormat);
        let had_place = schema.filter(|it| !it.in_words && catalogue::takes_schema(&request.model));
        let (placed, told) = match had_place {
            Some(placed) if !is_refused => (Some(placed), None),
            _ => (None, schema),
        };
        // Who takes no schema may take the word for JSON.
        let has_place = wants_json && (!is_refused || had_place.is_some());
        Fit { placed, told, has_place }
    }
}

/// The words for the model.
pub(crate) fn told(schema: &ReplySchema) -> String {
    format!(
        "Answer with one JSON object that fits this JSON Schema, and with nothing else:\n{}",
        schema.schema.text()
    )
}
