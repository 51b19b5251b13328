//! What a query is after, whatever its words: queries of one intent are one query.

use super::time::time_words;
use crate::run::policy::stems;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a query is after: its stems without function words, and its words of time, in order. Written as one
/// text, so that it can name an entry of a map in JSON.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Intent(String);

impl Intent {
    /// As one text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Of a query. That of a text without any word is the text.
    #[must_use]
    pub fn of(query: &str) -> Intent {
        let mut words: BTreeSet<String> = stems::content(query);
        // `this year` is not `year`.
        words.extend(time_words(query).into_iter().filter(|word| word.contains(' ')));
        if words.is_empty() {
            return Intent(query.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        Intent(words.into_iter().collect::<Vec<_>>().join(" "))
    }
}
