//! What can be done with a host that runs.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use crate::calls::Tally;
use crate::clock::Clock;
use crate::granted::Granted;
use crate::memory::Peaks;
use crate::output::Output;
use crate::server::Lifetime;
use crate::variables::VariableError;

/// A host at work. Dropping it ends it; [`RunningHost::shutdown`] also waits for the end.
#[derive(Debug)]
pub struct RunningHost {
    pub(crate) address: SocketAddr,
    pub(crate) output: Output,
    pub(crate) lifetime: Lifetime,
    pub(crate) peaks: Peaks,
    pub(crate) tally: Tally,
    pub(crate) granted: Arc<Granted>,
    pub(crate) clock: Clock,
}

impl RunningHost {
    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address as a URL without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What components printed.
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// The most memory, in bytes, that one instance of a component has had so far; `None` for a
    /// component that does not run here. Whoever asks `/.well-known/spin/peak-memory` begins anew.
    pub fn peak_memory(&self, component: &str) -> Option<usize> {
        self.peaks.component(component).map(|peak| peak.all())
    }

    /// How often each component has called each function of the host so far, by the name of the
    /// component and of the function, such as `spin:key-value/key-value.[method]store.get`. Empty
    /// unless calls are counted.
    pub fn host_calls(&self) -> BTreeMap<(String, String), u64> {
        self.tally.counts()
    }

    /// Gives a declared variable another value, as a provider of variables may at any moment. Components
    /// see it when they next ask; what the manifest fills in at the start (allowed hosts) stays as it is.
    ///
    /// # Errors
    /// [`VariableError::Undefined`] when the manifest declares no such variable.
    pub fn change_variable(&self, name: &str, value: &str) -> Result<(), VariableError> {
        self.granted.change(name, value)
    }

    /// Moves the components' time of day on, as if so much time had gone by. What they wait for still
    /// takes its time.
    pub fn advance_clock(&self, by: Duration) {
        self.clock.advance(by);
    }

    /// Ends the host as a crash would: open requests break off, instances are dropped. Returns
    /// when nothing of it is left, so that its state can be used by another.
    pub async fn shutdown(self) {
        self.lifetime.connections.end().await;
        self.lifetime.guests.end().await;
    }
}

impl Drop for RunningHost {
    fn drop(&mut self) {
        self.lifetime.connections.ended.cancel();
        self.lifetime.guests.ended.cancel();
    }
}
