//! One run with everything around it: a provider, a small web, a database, and the processes that serve it one after
//! the other or side by side.

use crate::model::{Model, Trouble};
use crate::process::{Disk, Fate, Process};
use crate::script::Script;
use crate::seen::{self, Seen};
use anyhow::{Context, Result, bail};
use quarry_demo_web::DemoWeb;
use quarry_scenarios::client::{self, Event};
use quarry_scenarios::quarry::surroundings;
use quarry_test_provider::ScriptedProvider;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

/// Milliseconds for which a driver has its run: longer than any case takes, so that however slow a machine is no driver
/// loses what it has while it lives. Of one that is dead the lease is ended by whoever killed it ([`World::bury`]), and of
/// one that says that it has left and could not write it by whoever hears that.
pub const LEASE_MS: u64 = 1_800_000;

/// Milliseconds that a provider may take to begin an answer, or to go on with it: where one hangs, and where none does.
const OF_ONE_THAT_HANGS_MS: u64 = 5_000;
const PROVIDER_MS: u64 = 60_000;

/// How often a clock has due runs driven, as an operator's does.
const CLOCK: Duration = Duration::from_millis(500);

/// How long whoever lost a connection waits for the word that its process is dead: where it may ask again, and where it
/// may not.
const AT_ONCE: Duration = Duration::from_millis(100);
const SOON: Duration = Duration::from_secs(10);

/// A run that takes longer is lost.
const PATIENCE: Duration = Duration::from_secs(90);

/// The key of a world's only run.
pub const THE_RUN: &str = "the-run-that-is-killed";

const SECRET: &str = "clockwork";

/// A run and what stands around it.
pub struct World {
    pub script: Script,
    pub model: Model,
    _provider: ScriptedProvider,
    web: DemoWeb,
    state: TempDir,
    disk: Disk,
    /// Where the stores are seen from here.
    seen_at: Mutex<PathBuf>,
    /// Drivers that are dead, and whose leases are not ended yet.
    dead: Mutex<Vec<String>>,
    variables: BTreeMap<String, String>,
}

/// How following a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Followed {
    /// With the last event of its stream, after these.
    ToItsEnd(Vec<Event>),
    /// Its process is gone.
    Died,
}

impl World {
    /// Everything but a process.
    pub async fn new(script: Script, troubles: Vec<(String, Trouble)>) -> Result<World> {
        Self::with_leases(script, troubles, LEASE_MS).await
    }

    /// The same, where whoever drives a run has it for so long.
    pub async fn with_leases(
        script: Script,
        troubles: Vec<(String, Trouble)>,
        lease_ms: u64,
    ) -> Result<World> {
        Self::on(Disk::Shared, script, troubles, lease_ms).await
    }

    /// The same on such a disk.
    pub async fn on(
        disk: Disk,
        script: Script,
        troubles: Vec<(String, Trouble)>,
        lease_ms: u64,
    ) -> Result<World> {
        let hangs = troubles.iter().any(|(_, trouble)| *trouble == Trouble::Hangs);
        let patience = if hangs { OF_ONE_THAT_HANGS_MS } else { PROVIDER_MS };
        let model = Model::new(script, troubles);
        let provider = ScriptedProvider::start(model.provider()).await?;
        let web = DemoWeb::start().await?;
        let given = [
            ("searxng_url", web.named_url()),
            ("web_allowed_hosts", web.authorities().collect::<Vec<_>>().join(",")),
            ("run_lease_ms", lease_ms.to_string()),
            ("run_slice_seconds", script.slice_seconds().to_string()),
            ("drive_secret", SECRET.to_owned()),
            ("provider_first_byte_timeout_ms", patience.to_string()),
            ("provider_between_bytes_timeout_ms", patience.to_string()),
        ];
        let given = given.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let variables = surroundings(provider.address(), web.address(), given);
        let state = tempfile::tempdir()?;
        let seen_at = Mutex::new(state.path().to_owned());
        let dead = Mutex::default();
        Ok(World { script, model, _provider: provider, web, state, disk, seen_at, dead, variables })
    }

    /// A process on the world's database. On a disk of its own it is the only one.
    pub async fn process(&self, fate: &Fate) -> Result<Process> {
        let state = self.state.path();
        let process = Process::start((state, self.disk), &self.variables, fate).await?;
        if self.disk == Disk::Own {
            *lock(&self.seen_at) = process.sees(state)?;
        }
        Ok(process)
    }

    /// Where the stores are.
    pub fn state(&self) -> PathBuf {
        lock(&self.seen_at).clone()
    }

    /// What is in the database of the only run, or of this one.
    pub fn seen(&self, id: Option<&str>) -> Result<Seen> {
        seen::look(&self.state(), id)
    }

    /// Every process is dead: whoever drives has a lease that nobody keeps. It is ended as soon as another process has
    /// the database, and before anybody asks for what is due, as if its time were over.
    pub fn bury(&self) -> Result<()> {
        *lock(&self.dead) = seen::holders(&self.state())?;
        Ok(())
    }

    /// Whoever drives lives, and its lease is over.
    pub fn end_leases(&self) -> Result<()> {
        seen::end_leases(&self.state(), &seen::holders(&self.state())?)
    }

    /// A text without what differs between two worlds: the port of the small web.
    pub fn plain(&self, text: &str) -> String {
        text.replace(&format!(":{}", self.web.address().port()), "")
    }

    /// Searches that reached the small web.
    pub fn searches(&self) -> usize {
        self.web.requests().iter().filter(|path| path.starts_with("/search")).count()
    }

    /// Asks for the run, and follows it to its end. Whoever asks again gets the same run; a clock has it driven
    /// when nobody does.
    pub async fn follow(&self, process: &Process) -> Result<Followed> {
        match self.ask(process, THE_RUN).await? {
            Some(id) => self.follow_run(process, &id).await,
            None => Ok(Followed::Died),
        }
    }

    /// Follows a run to its end.
    pub async fn follow_run(&self, process: &Process, id: &str) -> Result<Followed> {
        let following = async {
            tokio::select! {
                followed = self.read(process, id) => followed,
                never = self.clock(process) => never,
            }
        };
        match timeout(PATIENCE, following).await {
            Ok(followed) => followed,
            Err(_) => {
                let heard = process.heard();
                let (at, printed) = (heard.points.last(), heard.printed.join("\n"));
                bail!(
                    "the run has not ended after {PATIENCE:?}; the last point was {at:?}\n{printed}"
                )
            }
        }
    }

    /// Asks for a run, the same for the same key, and gives its id; none: the process is gone.
    pub async fn ask(&self, process: &Process, key: &str) -> Result<Option<String>> {
        let headers = [("idempotency-key", key)];
        loop {
            let body = self.script.request();
            match send(process, "POST /runs", &headers, &body).await {
                Ok((202, run)) => {
                    let id = run["run_id"].as_str().context("the answer names no run")?;
                    return Ok(Some(id.to_owned()));
                }
                // A store that fails, or is locked, is asked again.
                Ok((429 | 503, _)) => sleep(CLOCK / 5).await,
                Ok((status, body)) => bail!("POST /runs was answered with {status}: {body}"),
                Err(_) if died(process, SOON).await => return Ok(None),
                Err(error) => return Err(error),
            }
        }
    }

    async fn read(&self, process: &Process, id: &str) -> Result<Followed> {
        let mut events: Vec<Event> = Vec::new();
        loop {
            let after = events.len();
            let url = format!("{}/runs/{id}/events?after={after}", process.url);
            match stream(&url, &mut events).await {
                Ok(()) if events.last().is_some_and(Event::is_last) => {
                    return Ok(Followed::ToItsEnd(events));
                }
                // A stream that breaks off is joined again.
                Ok(()) | Err(_) if !died(process, AT_ONCE).await => sleep(CLOCK / 10).await,
                Ok(()) | Err(_) => return Ok(Followed::Died),
            }
        }
    }

    /// Has due runs driven now, and then again and again.
    async fn clock(&self, process: &Process) -> ! {
        let mut left = process.heard().left;
        loop {
            // Nobody drives with such a lease any more.
            let gone = process.heard().left;
            if gone > left && self.end_leases().is_ok() {
                left = gone;
            }
            let dead = lock(&self.dead).clone();
            // Who has the database, or none who could, may fail it: then it is tried again.
            if !dead.is_empty() && seen::end_leases(&self.state(), &dead).is_ok() {
                lock(&self.dead).clear();
            }
            _ = drive(process).await;
            sleep(CLOCK).await;
        }
    }

    /// The report: as Markdown, and for machines.
    pub async fn report(&self, process: &Process, id: &str) -> Result<(String, Value)> {
        let url = format!("{}/runs/{id}/report", process.url);
        let markdown = client::get(&url, &[("accept", "text/markdown")]).await?.text().await?;
        let json = client::get(&url, &[("accept", "application/json")]).await?.json().await?;
        Ok((markdown, json))
    }

    /// Everything that a replay needs.
    pub async fn bundle(&self, process: &Process, id: &str) -> Result<String> {
        let url = format!("{}/runs/{id}/trace?form=bundle", process.url);
        client::get(&url, &[]).await?.text().await
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has due runs driven, as an operator's clock does; how many were.
pub async fn drive(process: &Process) -> Result<u64> {
    let bearer = format!("Bearer {SECRET}");
    let headers = [("authorization", bearer.as_str())];
    let (_, driven) = send(process, "POST /runs/drive", &headers, &Value::Null).await?;
    Ok(driven["driven"].as_u64().unwrap_or_default())
}

/// Sends a request, and gives status and body.
pub async fn send(
    process: &Process,
    line: &str,
    headers: &[(&str, &str)],
    body: &Value,
) -> Result<(u16, Value)> {
    let (method, path) = line.split_once(' ').context("a method, and a path")?;
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let open = client::send(method, &format!("{}{path}", process.url), headers, body).await?;
    Ok((open.status.as_u16(), open.json().await?))
}

async fn stream(url: &str, events: &mut Vec<Event>) -> Result<()> {
    let mut open = client::get(url, &[("accept", "text/event-stream")]).await?;
    if open.status != 200 {
        bail!("{}", open.status);
    }
    while let Some(event) = open.next().await? {
        events.push(event);
    }
    Ok(())
}

/// Whether a process whose answer broke off is dead: what it said last is read by then.
async fn died(process: &Process, within: Duration) -> bool {
    timeout(within, process.over()).await.is_ok()
}
