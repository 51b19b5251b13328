//! Signals: replies wait at a gate until a test opens it, and tests wait until one has arrived.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;

/// After so long nothing will come any more: a test that fails says more than one that hangs.
pub const FOREVER: Duration = Duration::from_secs(240);

/// All gates, made on first use.
#[derive(Default)]
pub struct Gates {
    gates: Mutex<HashMap<String, Arc<Gate>>>,
}

struct Gate {
    arrived: watch::Sender<usize>,
    open: watch::Sender<bool>,
}

impl Gates {
    fn gate(&self, name: &str) -> Arc<Gate> {
        let mut gates = self.gates.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh =
            || Arc::new(Gate { arrived: watch::Sender::new(0), open: watch::Sender::new(false) });
        gates.entry(name.to_owned()).or_insert_with(fresh).clone()
    }

    /// Waits until a gate is open.
    pub async fn pass(&self, name: &str) {
        let gate = self.gate(name);
        gate.arrived.send_modify(|count| *count += 1);
        // The sender lives in `gate`, so waiting cannot fail.
        let _ = gate.open.subscribe().wait_for(|open| *open).await;
    }

    /// Opens a gate for good.
    pub fn open(&self, name: &str) {
        self.gate(name).open.send_replace(true);
    }

    /// Waits until so many replies have arrived at a gate.
    ///
    /// # Panics
    /// When they have not after minutes.
    pub async fn arrived(&self, name: &str, count: usize) {
        let gate = self.gate(name);
        let mut arrived = gate.arrived.subscribe();
        let waited = timeout(FOREVER, arrived.wait_for(|arrived| *arrived >= count)).await.is_ok();
        let there = *gate.arrived.borrow();
        assert!(waited, "{there} of {count} have arrived at the gate `{name}`");
    }
}
