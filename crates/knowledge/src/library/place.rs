//! Places among the loads under way, over all instances: each takes the memory of its documents.
//!
//! Border: taken, kept and given back in the database. Who has none is told to come again.

use super::store::{Store, Value};
use super::{Done, LibraryError};
use quarry_schema::{journal, slot as statements};
use quarry_types::time::LOAD_KEPT_EVERY_MS;

/// Milliseconds for which one has a place without a sign of life: who misses one of them still has it.
const HELD: u64 = 3 * LOAD_KEPT_EVERY_MS;

/// A place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Which.
    pub number: i64,
    /// Whose.
    pub holder: String,
}

impl Place {
    /// Takes one of so many.
    ///
    /// # Errors
    /// Where all are taken, or the database fails.
    pub async fn take(store: &impl Store, places: u32) -> Done<Place> {
        let (now, holder) = (store.now(), format!("load-{}", store.token()));
        let (until, latest) = (now.saturating_add(HELD), now.saturating_add(2 * HELD));
        let values: [Value; 5] =
            [places.into(), holder.as_str().into(), until.into(), now.into(), latest.into()];
        let taken = store.run(statements::TAKE_OTHER, values.into()).await?;
        let number = taken.into_iter().next().and_then(|row| match row.into_iter().next()? {
            Value::Integer(number) => Some(number),
            Value::Null | Value::Text(_) | Value::Blob(_) => None,
        });
        let number = number.ok_or(LibraryError::Crowded(places))?;
        Ok(Place { number, holder })
    }

    /// Looks whether the database takes writes, where no place is to be taken because their number has no bound.
    ///
    /// # Errors
    /// Where it does not.
    pub async fn unbounded(store: &impl Store) -> Done<()> {
        store.run(journal::PROBE, Vec::new()).await?;
        Ok(())
    }

    /// Keeps it for longer. Where that fails, the next does.
    pub async fn keep(&self, store: &impl Store) {
        let until = store.now().saturating_add(HELD);
        let values = [self.number.into(), self.holder.as_str().into(), until.into()];
        drop(store.run(statements::RENEW, values.into()).await);
    }

    /// Gives it back. Where that fails, it runs out.
    pub async fn give_back(&self, store: &impl Store) {
        let values = [self.number.into(), self.holder.as_str().into()];
        drop(store.run(statements::RELEASE, values.into()).await);
    }
}
