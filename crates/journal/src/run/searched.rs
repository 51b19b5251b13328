//! Searches that others of a caller's runs may find again: what is kept to find them by, and what is found.
//!
//! Border: what a search is after, and how long it is fresh, is the machine's affair. The outcome stands in its
//! run's journal and nowhere else.

use super::packed::read;
use super::{Damaged, Hash};
use quarry_types::{Json, RunId, Timestamp};
use serde::Serialize;

/// What an entry's outcome is found again by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Searched {
    /// What was searched for is after.
    pub intent: String,
    /// In whose words.
    pub query: String,
    /// Until when it may be given to others.
    pub until: Timestamp,
    /// Results that were asked for.
    pub results: u32,
}

/// What another run found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundAgain {
    /// When.
    pub at: Timestamp,
    /// For which query.
    pub query: String,
    /// Which run.
    pub run: RunId,
    /// What its entry says.
    pub body: Json,
}

/// What another run found, as it comes packed.
///
/// # Errors
/// [`Damaged`] when it, or the body that it names, is not what was written.
pub fn found_again(packed: &str) -> Result<FoundAgain, Damaged> {
    type Row = (Timestamp, String, RunId, Option<String>, Option<Hash>);
    let (at, query, run, body, blob): Row = read("searches", packed)?;
    let body = body.filter(|body| blob.is_none_or(|hash| Hash::of(body) == hash));
    let damaged = || Damaged::Shape { what: "searches", why: "its body was changed".to_owned() };
    let body = body.and_then(Json::from_text).ok_or_else(damaged)?;
    Ok(FoundAgain { at, query, run, body })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_is_not_the_one_that_was_named_is_not_believed() {
        let run = RunId::new(1, 2);
        let packed = |body: &str, named: &str| {
            serde_json::json!([7, "sker light", run, body, Hash::of(named)]).to_string()
        };
        let found = found_again(&packed("[1]", "[1]")).unwrap();
        assert_eq!((found.at, found.run, found.body.text()), (Timestamp(7), run, "[1]"));
        for damaged in [packed("[2]", "[1]"), packed("[", "["), "[7]".to_owned()] {
            assert!(matches!(found_again(&damaged), Err(Damaged::Shape { .. })), "{damaged}");
        }
    }
}
