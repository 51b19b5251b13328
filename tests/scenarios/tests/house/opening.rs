//! The opening of the database: whoever waits for it less long than it takes breaks nothing off, and nobody waits for ever.

use quarry_host::{Deed, Host, RunningHost, When, Witness};
use quarry_scenarios::client;
use quarry_scenarios::quarry::root;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use tempfile::TempDir;

/// In the middle of what brings a database to its newest version.
const MIDDLE: &str = "INTO migration (version) VALUES (7)";

/// Keeps whoever comes to it until it is open.
#[derive(Default)]
struct Gate {
    is_open: Mutex<bool>,
    opens: Condvar,
}

impl Gate {
    fn pass(&self) {
        let is_open = self.is_open.lock().unwrap();
        drop(self.opens.wait_while(is_open, |is_open| !*is_open).unwrap());
    }
}

/// Opens it, also where a test fails: a statement that waits for ever would keep the test.
struct Opens(Arc<Gate>);

impl Drop for Opens {
    fn drop(&mut self) {
        *self.0.is_open.lock().unwrap() = true;
        self.0.opens.notify_all();
    }
}

/// A host, and where its state lies: that outlives it.
async fn watched(witness: Witness) -> (TempDir, RunningHost) {
    let state = tempfile::tempdir().unwrap();
    let host = Host::builder(root().join("spin.toml"))
        .cache_dir(root().join("target/host-cache"))
        .state_dir(state.path())
        .max_instances(60)
        .forward_output(false)
        .witness(witness)
        .start()
        .await
        .unwrap();
    (state, host)
}

async fn database(url: &str) -> Value {
    let health = client::get(&format!("{url}/healthz"), &[]).await.unwrap();
    health.json().await.unwrap()["database"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_asks_whether_a_server_is_well_breaks_no_migration_off() {
    let (gate, migrated) = (Arc::<Gate>::default(), Arc::<AtomicUsize>::default());
    let (waits, counts) = (Arc::clone(&gate), Arc::clone(&migrated));
    let witness = Witness::new(move |moment| match (moment.deed, moment.when) {
        (Deed::Statement(text, _), When::Before) if text.contains(MIDDLE) => waits.pass(),
        (Deed::Statement(text, _), When::Done) if text.contains(MIDDLE) => {
            counts.fetch_add(1, Ordering::SeqCst);
        }
        _ => {}
    });
    let (_state, host) = watched(witness).await;
    let opens = Opens(gate);
    for _ in 0..2 {
        assert_eq!(database(&host.url()).await, json!("failing"));
    }
    drop(opens);
    while database(&host.url()).await != json!("kept") {}
    assert_eq!(migrated.load(Ordering::SeqCst), 1, "what was broken off was done again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_opening_that_the_host_does_not_answer_keeps_nobody_and_is_used_when_it_does() {
    let gate = Arc::<Gate>::default();
    let waits = Arc::clone(&gate);
    let witness = Witness::new(move |moment| {
        if let (Deed::Opening(_), When::Before) = (moment.deed, moment.when) {
            waits.pass();
        }
    });
    let (_state, host) = watched(witness).await;
    let opens = Opens(gate);
    let collections = format!("{}/knowledge/collections", host.url());
    let look = || async { client::get(&collections, &[]).await.unwrap() };
    let (first, second) = tokio::join!(look(), look());
    // And whoever comes behind those who waited.
    for open in [first, second, look().await] {
        assert_eq!(open.status, 503);
        let told = open.text().await.unwrap();
        assert!(told.contains("it does not answer; try again"), "{told}");
    }
    drop(opens);
    while look().await.status != 200 {}
}
