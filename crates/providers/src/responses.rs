//! OpenAI's Responses wire format, for its models that take no tools over Chat Completions.
//!
//! Border: bodies out, stream events and whole answers in. Errors in a stream go to `failure`. Nothing is left with the
//! provider for later: what a model thought comes sealed, and goes back with the calls that came of it.

mod body;
mod event;

pub(crate) use body::body;
pub(crate) use event::Decoder;

#[cfg(test)]
mod tests;
