//! What is measured side by side: servers that answer one request each, by turns, so that a machine
//! that gets slower gets slower for all of them.

use crate::Plan;
use crate::client::{self, Measured, Target};
use crate::host::Host;
use crate::usage::{self, Snapshot, Usage};
use anyhow::Result;
use quarry_test_provider::ScriptedProvider;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How often each has its turn, alone and with many clients.
const TURNS: usize = 4;

/// Requests by which it is seen what a client that delays its acknowledgements waits for.
const DELAYED: usize = 20;

/// A server and what it is asked.
pub struct Subject<'a> {
    pub name: String,
    pub target: Target,
    /// The process whose time and memory are read.
    pub process: Option<u32>,
    /// Whose calls are counted, by our host.
    pub host: Option<&'a Host>,
    /// The requests that reach the provider are counted.
    pub provider: Option<&'a ScriptedProvider>,
    /// The names of those that it is compared with.
    pub compared: &'static [&'static str],
    pub seen: Seen,
}

/// What was seen of it.
#[derive(Default)]
pub struct Seen {
    pub one: Load,
    pub many: Load,
    /// Until the first byte, for clients that delay their acknowledgements.
    pub first_bytes_delayed: Vec<Duration>,
    /// Of one client's requests, by component and name.
    pub host_calls: BTreeMap<(String, String), u64>,
    /// Bytes, at the end.
    pub resident: Option<f64>,
}

/// Requests of so many clients at once.
#[derive(Default)]
pub struct Load {
    pub clients: usize,
    pub times: Vec<Times>,
    /// All turns together.
    pub took: Duration,
    pub used: Option<Usage>,
    pub model_calls: usize,
}

/// How long one request took.
#[derive(Debug, Clone, Copy)]
pub struct Times {
    pub first_byte: Duration,
    pub total: Duration,
}

impl<'a> Subject<'a> {
    /// A component in our own host.
    pub fn ours(name: &str, host: &'a Host, target: Target) -> Subject<'a> {
        let (process, host) = (host.process(), Some(host));
        Subject { process, host, ..Subject::other(name, target, None) }
    }

    /// A server of somebody else's.
    pub fn other(name: &str, target: Target, process: Option<u32>) -> Subject<'a> {
        let seen = Seen::default();
        let (host, provider, compared) = (None, None, [].as_slice());
        Subject { name: name.to_owned(), target, process, host, provider, compared, seen }
    }

    /// With the provider that it asks.
    pub fn asking(mut self, provider: &'a ScriptedProvider) -> Subject<'a> {
        self.provider = Some(provider);
        self
    }

    /// With those that it is compared with.
    pub fn against(mut self, names: &'static [&'static str]) -> Subject<'a> {
        self.compared = names;
        self
    }

    async fn host_calls(&self) -> Result<BTreeMap<(String, String), u64>> {
        match self.host {
            Some(host) => host.calls().await,
            None => Ok(BTreeMap::new()),
        }
    }

    async fn one_client(&mut self, count: usize) -> Result<()> {
        let before = self.host_calls().await?;
        self.turn(1, count).await?;
        for (name, calls) in self.host_calls().await? {
            let new = calls - before.get(&name).copied().unwrap_or_default();
            *self.seen.host_calls.entry(name).or_default() += new;
        }
        Ok(())
    }

    async fn turn(&mut self, clients: usize, count: usize) -> Result<()> {
        let served = |provider: Option<&ScriptedProvider>| {
            provider.map(ScriptedProvider::served).unwrap_or_default()
        };
        let (used, asked) = (self.process.and_then(Snapshot::of), served(self.provider));
        let started = Instant::now();
        let measured = client::run(&self.target, clients, count).await?;
        let took = started.elapsed();
        let now = self.process.and_then(Snapshot::of);
        let load = if clients == 1 { &mut self.seen.one } else { &mut self.seen.many };
        load.clients = clients;
        load.took += took;
        load.model_calls += served(self.provider) - asked;
        let used = now.zip(used).map(|(now, before)| now.since(&before));
        load.used = used.map(|used| load.used.unwrap_or_default() + used);
        let times = |Measured { first_byte, total, .. }| Times { first_byte, total };
        load.times.extend(measured.into_iter().map(times));
        Ok(())
    }
}

/// Measures all of them: one client each, then many.
pub async fn measure(subjects: &mut [Subject<'_>], plan: Plan) -> Result<()> {
    for subject in &mut *subjects {
        client::run(&subject.target, 1, plan.warm_up).await?;
    }
    for _ in 0..TURNS {
        for subject in &mut *subjects {
            subject.one_client(plan.single.div_ceil(TURNS)).await?;
        }
    }
    for subject in &mut *subjects {
        let target = subject.target.clone().acknowledged_late();
        let delayed = client::run(&target, 1, DELAYED).await?;
        let first = delayed.into_iter().map(|measured| measured.first_byte);
        subject.seen.first_bytes_delayed = first.collect();
        client::run(&subject.target, plan.clients, plan.warm_up).await?;
    }
    for _ in 0..TURNS {
        for subject in &mut *subjects {
            subject.turn(plan.clients, plan.loaded.div_ceil(TURNS)).await?;
        }
    }
    for subject in &mut *subjects {
        subject.seen.resident = subject.process.and_then(usage::resident);
    }
    Ok(())
}
