//! What a library asks of whoever has the database.
//!
//! Border: one statement a call, each whole by itself. What statements say is `quarry-schema`'s.

use super::claim::Progress;
use super::error::{Passes, Unserved};
use quarry_schema::trouble::Defect;
use quarry_types::ChatError;
use std::any::Any;
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
    /// Somebody has to mend it first. It has done nothing.
    #[error("{0}")]
    Defective(Defect),
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
    /// Whether somebody has to see to it first, and to what.
    pub unserved: Option<Unserved>,
    /// Whether it may have been paid all the same: it took too long, or broke off.
    pub may_have_cost: bool,
}

impl From<ChatError> for EmbedFailed {
    fn from(error: ChatError) -> Self {
        let passes = error.is_retryable().then(|| Passes { wait_ms: error.wait_ms() });
        let why = match &error {
            // The words for chats speak of a conversation.
            ChatError::ContextTooLong { message } => {
                format!("it takes less text at once than it was given: {message}")
            }
            _ => error.to_string(),
        };
        EmbedFailed {
            why,
            passes,
            unserved: Unserved::of(&error),
            may_have_cost: error.may_have_cost(),
        }
    }
}

/// Who waits for vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// A load, which cannot do without.
    Load,
    /// A search, which soon does.
    Search,
}

/// How long statements are tried again while others hold the database. Dozens who load at once have their turns in far
/// less; somebody who holds it for longer does something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Milliseconds that are left.
    left: u64,
    /// Whether each statement has all of it.
    is_of_each: bool,
}

/// Milliseconds.
const HELD_FOR: u64 = 10 * 1_000;

/// The same of whoever has nothing to lose yet.
const HELD_AT_FIRST: u64 = 3 * 1_000;

impl Patience {
    /// For a load: each of its statements is worth the wait.
    #[must_use]
    pub const fn of_each() -> Patience {
        Patience { left: HELD_FOR, is_of_each: true }
    }

    /// For a search: all of its statements together, because most only note something, and somebody waits for the rest.
    #[must_use]
    pub const fn of_all() -> Patience {
        Patience { left: HELD_FOR, is_of_each: false }
    }

    /// For whoever has begun nothing: it is soon told to come again.
    #[must_use]
    pub const fn at_first() -> Patience {
        Patience { left: HELD_AT_FIRST, is_of_each: false }
    }

    /// Whether a statement is tried again that was tried first then, in milliseconds since 1970. A clock that was set
    /// back ends it, too.
    #[must_use]
    pub fn lasts(&self, since: u64, now: u64) -> bool {
        now.checked_sub(since).is_some_and(|waited| waited < self.left)
    }

    /// What is left for the next, when a statement that others kept waiting has ended.
    #[must_use]
    pub fn behind(self, since: u64, now: u64) -> Patience {
        let waited = if self.is_of_each { 0 } else { now.saturating_sub(since) };
        Patience { left: self.left.saturating_sub(waited), ..self }
    }
}

/// What whoever has it drops when something is over: then the other end of [`Store::bell`] knows.
pub type Bell = Box<dyn Any>;

/// The database, and what else a library has no hands for.
pub trait Store {
    /// Runs a statement and gives its rows. What it deletes is overwritten, where the database is a file.
    fn run(
        &self,
        statement: &'static str,
        values: Vec<Value>,
    ) -> impl Future<Output = Result<Vec<Row>, StoreFailed>>;

    /// Has texts embedded by a model, `provider:name`. What passes soon was tried again already, where no try may have
    /// been paid for.
    fn embed(
        &self,
        model: &str,
        texts: Vec<String>,
        who: Waiting,
    ) -> impl Future<Output = Result<Embedded, EmbedFailed>>;

    /// Hears how far a load or a reindex is that has vectors made, or a load of a long document without.
    fn hears(&self, progress: Progress);

    /// A bell, and who waits until it is dropped, also in another request of the same instance: not every host wakes one
    /// at the word of another.
    fn bell(&self) -> (Bell, impl Future<Output = ()>);

    /// Waits for so many milliseconds.
    fn pause(&self, ms: u64) -> impl Future<Output = ()>;

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
    fn what_a_failed_call_may_have_cost_is_what_is_said_of_every_call() {
        let message = || "its words".to_owned();
        let limit = EmbedFailed::from(ChatError::rate_limited(7_000, message()));
        assert_eq!(
            (limit.passes, limit.may_have_cost),
            (Some(Passes { wait_ms: Some(7_000) }), false)
        );
        let late = EmbedFailed::from(ChatError::Timeout { message: message() });
        assert_eq!((late.passes, late.may_have_cost), (Some(Passes { wait_ms: None }), true));
        let broken = EmbedFailed::from(ChatError::Malformed { message: message() });
        assert_eq!((broken.passes, broken.may_have_cost), (None, true));
        let refused = EmbedFailed::from(ChatError::Rejected { status: 400, message: message() });
        assert_eq!((refused.passes, refused.may_have_cost), (None, false));
        assert_eq!((limit.unserved, refused.unserved), (None, Some(Unserved::Texts)));
        assert_eq!(refused.why, "the provider refused the request (400): its words");
    }

    #[test]
    fn texts_that_are_too_long_are_no_conversation_and_a_place_is_no_text() {
        let long = ChatError::ContextTooLong { message: "8192 tokens at most".to_owned() };
        let long = EmbedFailed::from(long);
        assert_eq!((long.passes, long.unserved), (None, Some(Unserved::Length)));
        assert_eq!(long.why, "it takes less text at once than it was given: 8192 tokens at most");
        let message = "Country, region, or territory not supported".to_owned();
        let abroad = EmbedFailed::from(ChatError::Rejected { status: 403, message });
        assert_eq!(abroad.unserved, Some(Unserved::Place));
    }

    #[test]
    fn whoever_holds_the_database_is_waited_for_and_not_for_ever() {
        let patience = Patience::of_each();
        assert!(patience.lasts(5_000, 5_000) && patience.lasts(5_000, 14_999));
        assert!(!patience.lasts(5_000, 15_000) && !patience.lasts(5_000, 4_999));
        assert_eq!(patience.behind(5_000, 15_000), patience, "the next statement has as much");
    }

    #[test]
    fn whoever_has_begun_nothing_is_soon_told_to_come_again() {
        let patience = Patience::at_first();
        assert!(patience.lasts(5_000, 7_999) && !patience.lasts(5_000, 8_000));
        assert!(!patience.behind(5_000, 8_000).lasts(9_000, 9_000));
    }

    #[test]
    fn a_search_waits_once_for_whoever_holds_the_database_and_not_for_each_statement() {
        let patience = Patience::of_all().behind(5_000, 11_000);
        assert!(patience.lasts(20_000, 23_999) && !patience.lasts(20_000, 24_000));
        let patience = patience.behind(20_000, 24_000);
        assert!(!patience.lasts(30_000, 30_000), "each of the others is tried once");
        assert_eq!(patience.behind(30_000, 29_000), patience, "a clock that was set back");
    }
}
