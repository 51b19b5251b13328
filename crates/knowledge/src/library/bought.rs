//! One call for vectors: what it cost in the sums, also where nothing came, and whether there is another.
//!
//! Border: who sends it is the store's, which tries again what nobody can have billed.

use super::Library;
use super::store::{EmbedFailed, Embedded, Store, Waiting};
use crate::intake::CollectionName;
use quarry_types::tokens;

/// A batch of which nothing came.
pub(super) struct Lost {
    pub failed: EmbedFailed,
    /// What it may have cost all the same.
    pub tokens: u64,
}

/// The tries of one batch. What was not paid for was tried again by whoever failed.
pub(super) struct Tries {
    left: u32,
    /// Milliseconds since the first try.
    within: u64,
    since: Option<u64>,
}

impl Tries {
    pub const fn new(tries: u32, within: u64) -> Tries {
        Tries { left: tries, within, since: None }
    }

    /// A try begins; when the first did.
    pub fn begin(&mut self, now: u64) -> u64 {
        self.left = self.left.saturating_sub(1);
        *self.since.get_or_insert(now)
    }

    /// Whether there is another so long after the first.
    pub const fn go_on(&self, lost: &Lost, after: u64) -> bool {
        let is_lost = lost.failed.may_have_cost && lost.failed.passes.is_some();
        is_lost && self.left > 0 && after < self.within
    }
}

impl<S: Store> Library<'_, S> {
    /// The vectors of texts, and what they cost in the sums, also where they did not come: nobody says then what it was,
    /// so it is told that it may have cost something, and that the price is not known.
    pub(super) async fn bought(
        &self,
        name: &CollectionName,
        model: &str,
        texts: Vec<String>,
        who: Waiting,
    ) -> Result<Embedded, Lost> {
        let tokens = texts.iter().map(|text| tokens::estimate(text)).sum();
        match self.store.embed(model, texts, who).await {
            Ok(embedded) => {
                self.pays(name, model, &embedded).await;
                Ok(embedded)
            }
            Err(failed) if failed.may_have_cost => {
                self.pays(name, model, &Embedded { vectors: Vec::new(), tokens, cost: None }).await;
                Err(Lost { failed, tokens })
            }
            Err(failed) => Err(Lost { failed, tokens: 0 }),
        }
    }
}
