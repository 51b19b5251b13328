//! Word that a call is called off: which call it means.
//!
//! Border: knows no store. A call comes on another connection than the word, so the word may be quicker; and while the store
//! takes no writes, nothing says which ask or run the call began. For how long it is looked for is [`quarry_types::word`]'s.

use quarry_types::Timestamp;

use crate::responses::born_at;

/// How much later than the word its call may seem to begin, in milliseconds: it may be under way, and clocks differ.
const BEHIND_MS: u64 = 10_000;

/// A word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallOff {
    heard: Timestamp,
}

impl CallOff {
    /// It was heard then.
    #[must_use]
    pub const fn heard(heard: Timestamp) -> CallOff {
        CallOff { heard }
    }

    /// Whether it can mean the ask or run with this id. A client that was started anew gives the same names again: what it
    /// begins later under one of them is not meant.
    #[must_use]
    pub fn can_mean(&self, id: &str) -> bool {
        Timestamp(born_at(id)).since(self.heard) <= BEHIND_MS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_types::{AskId, RunId};

    #[test]
    fn it_means_nothing_that_begins_long_after_it() {
        let word = CallOff::heard(Timestamp(100_000));
        let means = |born| {
            let (ask, run) = (AskId::new(born, 7), RunId::new(born, 7));
            let both = [ask.to_string(), run.to_string()].map(|id| word.can_mean(&id));
            assert_eq!(both[0], both[1]);
            both[0]
        };
        assert!(means(0), "its call came before it");
        assert!(means(100_000 + BEHIND_MS), "or was on its way");
        assert!(!means(100_001 + BEHIND_MS));
    }
}
