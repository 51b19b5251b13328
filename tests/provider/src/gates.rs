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
    left: watch::Sender<usize>,
}

/// Somebody who waits at a gate; dropped before that is open, they have left.
struct Waits<'g> {
    gate: &'g Gate,
    is_over: bool,
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.gate.left.send_modify(|count| *count += 1);
        }
    }
}

impl Gates {
    fn gate(&self, name: &str) -> Arc<Gate> {
        let mut gates = self.gates.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = || {
            let (arrived, left) = (watch::Sender::new(0), watch::Sender::new(0));
            Arc::new(Gate { arrived, open: watch::Sender::new(false), left })
        };
        gates.entry(name.to_owned()).or_insert_with(fresh).clone()
    }

    /// Waits until a gate is open.
    pub async fn pass(&self, name: &str) {
        let gate = self.gate(name);
        gate.arrived.send_modify(|count| *count += 1);
        let mut waits = Waits { gate: &gate, is_over: false };
        // The sender lives in `gate`, so waiting cannot fail.
        let _ = gate.open.subscribe().wait_for(|open| *open).await;
        waits.is_over = true;
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
        assert!(
            counts(&gate.arrived, count).await,
            "{} of {count} have arrived at the gate `{name}`",
            *gate.arrived.borrow()
        );
    }

    /// Waits until so many have left a gate that was not opened: nobody waits for their replies any more.
    ///
    /// # Panics
    /// When they have not after minutes.
    pub async fn left(&self, name: &str, count: usize) {
        let gate = self.gate(name);
        assert!(
            counts(&gate.left, count).await,
            "{} of {count} have left the gate `{name}`",
            *gate.left.borrow()
        );
    }
}

/// Whether it counts so many before anybody gives up.
async fn counts(counter: &watch::Sender<usize>, least: usize) -> bool {
    let mut counted = counter.subscribe();
    timeout(FOREVER, counted.wait_for(|count| *count >= least)).await.is_ok()
}
