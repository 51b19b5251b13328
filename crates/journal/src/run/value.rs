//! What a statement is given, in the kinds that SQLite has.

use quarry_types::Timestamp;

/// A parameter of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Nothing.
    Null,
    /// A number.
    Integer(i64),
    /// A text.
    Text(String),
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<Timestamp> for Value {
    fn from(at: Timestamp) -> Self {
        at.0.into()
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}
