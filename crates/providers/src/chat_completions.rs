//! The Chat Completions wire format, with the differences between the providers that speak it.
//!
//! Border: bodies out, chunks and whole answers in. Errors in a stream go to `failure`.

mod body;
mod chunk;

pub(crate) use body::body;
pub(crate) use chunk::{Chunk, Decoder, MOST_CALLS};

#[cfg(test)]
mod tests;
