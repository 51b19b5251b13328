//! What was paid for vectors: by whoever has them, and by whoever failed.
//!
//! Border: sums; what is paid for is decided in `embedded`.

use super::{Embedded, Library, LibraryError, Store};
use std::fmt;

/// What vectors cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spent {
    /// `provider:name`.
    pub model: String,
    /// Tokens that were paid for.
    pub tokens: u64,
    /// US dollars; none: no price is known.
    pub cost: Option<f64>,
}

impl Spent {
    /// Nothing yet.
    pub(super) fn nothing(model: &str) -> Spent {
        Spent { model: model.to_owned(), tokens: 0, cost: Some(0.0) }
    }

    pub(super) fn pay(&mut self, embedded: &Embedded) {
        self.tokens += embedded.tokens;
        self.cost = self.cost.zip(embedded.cost).map(|(sum, more)| sum + more);
    }

    /// Both together.
    #[must_use]
    pub fn and(self, more: &Spent) -> Spent {
        let cost = self.cost.zip(more.cost).map(|(sum, more)| sum + more);
        Spent { tokens: self.tokens + more.tokens, cost, ..self }
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tokens of {}", self.tokens, self.model)?;
        match self.cost {
            Some(cost) => write!(f, " for {cost:.6} US dollars"),
            None => f.write_str(", of which no price is known,"),
        }
    }
}

impl<S: Store> Library<'_, S> {
    /// Notes what was paid, before anything can fail.
    pub(super) fn pays(&self, model: &str, embedded: &Embedded) {
        let mut paid = self.paid.borrow_mut();
        paid.get_or_insert_with(|| Spent::nothing(model)).pay(embedded);
    }

    /// The same error, with what was paid before it.
    pub(super) fn behind(&self, error: LibraryError) -> LibraryError {
        match self.paid.take() {
            Some(spent) => LibraryError::Paid { error: Box::new(error), spent },
            None => error,
        }
    }
}

/// Both together, where there are both.
pub(super) fn add(spent: Option<Spent>, more: Option<Spent>) -> Option<Spent> {
    match (spent, more) {
        (Some(spent), Some(more)) => Some(spent.and(&more)),
        (spent, more) => spent.or(more),
    }
}
