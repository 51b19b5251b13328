//! From a response's bytes to text: content encodings, media types, character sets.

pub mod charset;
pub mod inflate;
pub mod media;
