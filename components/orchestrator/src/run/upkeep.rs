//! What this instance does for runs that nobody asks it for, off any request's path: with its first request, and now
//! and then with others and with the end of a run.
//!
//! Border: when and how much is `quarry-journal`'s.

use super::settings;
use super::store::{RunStore, StoreError};
use crate::bindings::quarry::agent::handover;
use quarry_journal::{SWEPT_AT_ONCE, left_since, oldest_kept, oldest_waiting, upkeep_due};
use quarry_rim::clock::{now, recently};
use quarry_rim::diagnostics::note;
use quarry_types::Timestamp;
use std::sync::atomic::{AtomicU64, Ordering};

/// When this instance last did so, as milliseconds; 0: never. No data of anybody's.
static LAST: AtomicU64 = AtomicU64::new(0);

/// Takes up what is due and deletes what is old, if it is time to.
pub fn now_and_then() {
    let last = Some(Timestamp(LAST.load(Ordering::Relaxed))).filter(|last| last.0 > 0);
    let now = recently();
    if upkeep_due(last, now) {
        LAST.store(now.0, Ordering::Relaxed);
        wit_bindgen::spawn(async {
            // Where no run can be kept there is nothing to do.
            if let Err(StoreError::Failed(error)) = keep_up().await {
                note(format_args!("nobody looked after runs: {error}"));
            }
        });
    }
}

/// Each run is driven by a request of its own, as many as one request to drive takes up.
async fn keep_up() -> Result<(), StoreError> {
    let store = RunStore::open().await?;
    let Ok(settings) = settings::read().await else { return Ok(()) };
    for id in store.due(left_since(now()), settings.parallel).await? {
        // It fails where somebody was faster; else the run stays for whoever looks next.
        _ = handover::pass(id.to_string(), String::new()).await;
    }
    sweep(&store, settings.retention_ms).await
}

/// Deletes some of the runs that ended too long ago, or that nobody has come for.
pub async fn sweep(store: &RunStore, retention_ms: u64) -> Result<(), StoreError> {
    let now = now();
    let oldest = [oldest_kept(retention_ms, now), oldest_waiting(retention_ms, now)];
    store.sweep(oldest, SWEPT_AT_ONCE).await
}
