//! Of what kind a stream is, by its dictionary.

use hayro_font::hayro_syntax::object::{Dict, Name};

/// Whether it is a picture: nobody has looked into those.
pub fn is_picture(dict: &Dict<'_>) -> bool {
    is(dict, b"Image")
}

/// Whether it is instructions that others call for.
pub fn is_form(dict: &Dict<'_>) -> bool {
    is(dict, b"Form")
}

fn is(dict: &Dict<'_>, kind: &[u8]) -> bool {
    dict.get::<Name<'_>>("Subtype").is_some_and(|own| own.as_ref() == kind)
}
