//! JSON as models write it: found inside prose, repaired where the repair is unambiguous, and
//! checked against the schema that the model was given.
//!
//! Malformed output is data, so reading never fails outright: the answer is a value, or none.

pub mod long;
mod repair;
mod schema;
pub mod shape;
pub mod tagged;
mod write;

pub use repair::{read, read_whole};
pub use schema::check;
pub use write::{Formless, Written, text, write, write_beside};

/// A number as JSON writes it: whole ones without a fraction, as JavaScript would.
#[must_use]
pub fn number(value: f64) -> serde_json::Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT {
        #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and in range")]
        return serde_json::Value::from(value as i64);
    }
    serde_json::Value::from(value)
}

/// Sets a member of a JSON object. On anything but an object it does nothing.
pub fn put(object: &mut serde_json::Value, name: &str, value: impl Into<serde_json::Value>) {
    if let serde_json::Value::Object(members) = object {
        members.insert(name.to_owned(), value.into());
    }
}
