//! What a library asks of whoever has the database.
//!
//! Border: one statement a call, each whole by itself. What statements say is `quarry-schema`'s.

use super::error::Passes;
use std::future::Future;

/// A value of a statement or of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// None.
    Null,
    /// A number.
    Integer(i64),
    /// A text.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::Integer(number)
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Value::Integer(i64::from(number))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

/// A row, column by column.
pub type Row = Vec<Value>;

/// Why the database did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreFailed {
    /// There is none that documents can be kept in; why, and what to do.
    #[error("{0}")]
    None(String),
    /// It has no room left; in its words. It has done nothing.
    #[error("{0}")]
    Full(String),
    /// Others held it for as long as is waited for them; in its words. It has done nothing.
    #[error("{0}")]
    Held(String),
    /// It did not answer, or refused; in its words. What became of the statement is not known, unless the words are
    /// the statement's own.
    #[error("{0}")]
    Failed(String),
}

/// Vectors as a provider gave them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Embedded {
    /// In the order of the texts.
    pub vectors: Vec<Vec<f32>>,
    /// Tokens that were paid for.
    pub tokens: u64,
    /// US dollars; none: no price is known.
    pub cost: Option<f64>,
}

/// Why a provider gave no vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedFailed {
    /// In its words or ours.
    pub why: String,
    /// Whether a retry may help.
    pub passes: Option<Passes>,
}

/// Who waits for vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// A load, which cannot do without.
    Load,
    /// A search, which soon does.
    Search,
}

/// How long a statement is tried again while others hold the database. Dozens who load at once have their turns in far
/// less; somebody who holds it for longer does something else.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    since: u64,
}

/// Milliseconds.
const HELD_FOR: u64 = 10 * 1_000;

impl Patience {
    /// Begins now, in milliseconds since 1970.
    #[must_use]
    pub const fn new(now: u64) -> Patience {
        Patience { since: now }
    }

    /// Whether another try is to be made. A clock that was set back ends it, too.
    #[must_use]
    pub fn lasts(&self, now: u64) -> bool {
        now.checked_sub(self.since).is_some_and(|waited| waited < HELD_FOR)
    }
}

/// The database, and what else a library has no hands for.
pub trait Store {
    /// Runs a statement and gives its rows. What it deletes is overwritten, where the database is a file.
    fn run(
        &self,
        statement: &'static str,
        values: Vec<Value>,
    ) -> impl Future<Output = Result<Vec<Row>, StoreFailed>>;

    /// Has texts embedded by a model, `provider:name`. What passes soon was tried again already.
    fn embed(
        &self,
        model: &str,
        texts: Vec<String>,
        who: Waiting,
    ) -> impl Future<Output = Result<Embedded, EmbedFailed>>;

    /// Lets others have their turn. With `longer`, a while: somebody is in the way.
    fn rest(&self, longer: bool) -> impl Future<Output = ()>;

    /// Milliseconds since 1970.
    fn now(&self) -> u64;

    /// A name that nobody else has.
    fn token(&self) -> String;
}

/// The only value of the only row, as a text.
pub(super) fn text(rows: Vec<Row>) -> Option<String> {
    text_of(rows.into_iter().next()?.into_iter().next()?)
}

/// A value that is a text.
pub(super) fn text_of(value: Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text),
        Value::Null | Value::Integer(_) | Value::Blob(_) => None,
    }
}

/// The first value of the only row, as a number.
pub(super) fn number(rows: &[Row]) -> Option<u64> {
    match rows.first()?.first()? {
        Value::Integer(number) => u64::try_from(*number).ok(),
        Value::Null | Value::Text(_) | Value::Blob(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_holds_the_database_is_waited_for_and_not_for_ever() {
        let patience = Patience::new(5_000);
        assert!(patience.lasts(5_000) && patience.lasts(14_999));
        assert!(!patience.lasts(15_000) && !patience.lasts(4_999));
    }
}
