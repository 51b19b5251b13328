//! Anthropic's Messages wire format.
//!
//! Border: bodies out, stream events and whole answers in. Errors in a stream go to `failure`.

mod body;
mod event;

pub(crate) use body::body;
pub(crate) use event::Decoder;

#[cfg(test)]
mod tests;
