//! JSON Schemas of callers: whether one can be checked here, and whether a value fits it.
//!
//! Border: schemas and values in, sentences out. No network: a schema refers to itself alone. What a schema may cost
//! is bounded, since whoever sends it is nobody we know.

mod admit;
mod fit;

pub use admit::{Unchecked, admit};
pub use fit::misfits;

use serde_json::Value;

/// What a reference within a schema leads to.
fn referred<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    root.pointer(reference.strip_prefix('#')?)
}

/// A place for people: the whole is `the value`, and else a JSON pointer.
fn place(path: &str) -> &str {
    if path.is_empty() { "the value" } else { path }
}

/// A member's name as JSON pointers write it.
fn step(path: &str, name: &str) -> String {
    format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests;
