//! Starts Quarry for a test: the built components, a scripted provider, the small web.

use crate::clients::skipped;
use crate::database::{Database, Keeper};
use anyhow::{Context, Result, bail};
use quarry_demo_web::DemoWeb;
use quarry_host::{Host, RunningHost};
use quarry_test_provider::{Script, ScriptedProvider};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// The key that the scripted provider is given, where a test does not say otherwise. It must
/// turn up nowhere.
pub const KEY: &str = "canary-provider-key-5d1f";

/// Where the provider and the small web listen for a Quarry that already runs.
pub(crate) const PROVIDER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9401);
pub(crate) const WEB: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9402);

/// The address of a Quarry that already runs and is to be tested.
pub fn running_elsewhere() -> Option<String> {
    let url = std::env::var("QUARRY_URL").ok()?;
    Some(url.trim_end_matches('/').to_owned())
}

/// How to start.
pub struct Setup {
    /// What the provider says.
    pub script: Script,
    /// Variables beside those that lead to the provider and the small web.
    pub variables: BTreeMap<String, String>,
    /// Live instances at most.
    pub instances: u32,
    /// The stores that the components find.
    pub stores: Stores,
    /// Whether their calls to the host are counted.
    pub counts_calls: bool,
    /// Who keeps the SQLite database.
    pub keeper: Keeper,
}

/// What an operator may give, or a host may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stores {
    /// All that the manifest names, in files.
    All,
    /// All, but in memory: they end with their process, and SQLite has a database of its own for each connection.
    InMemory,
    /// No SQLite.
    KeyValue,
    /// None.
    None,
}

impl Setup {
    /// With a script and nothing special.
    pub fn new(script: Script) -> Setup {
        Setup {
            script,
            variables: BTreeMap::new(),
            instances: 60,
            stores: Stores::All,
            counts_calls: false,
            keeper: Keeper::usual(),
        }
    }

    /// With a variable.
    pub fn variable(mut self, name: &str, value: &str) -> Setup {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Starts everything; with `QUARRY_URL` only what stands around a Quarry that already runs.
    pub async fn start(self) -> Result<Quarry> {
        if let Some(url) = running_elsewhere() {
            let provider = ScriptedProvider::start_on(PROVIDER, self.script).await?;
            let web = DemoWeb::start_on(WEB).await?;
            return Ok(Quarry {
                url,
                provider,
                web,
                state: tempfile::tempdir()?,
                variables: self.variables,
                instances: self.instances,
                stores: self.stores,
                database: Database::File,
                running: Running::Elsewhere,
            });
        }
        let provider = ScriptedProvider::start(self.script).await?;
        let web = DemoWeb::start().await?;
        let state = tempfile::tempdir()?;
        let variables = surroundings(provider.address(), web.address(), self.variables);
        let Setup { instances, stores, counts_calls, keeper, .. } = self;
        let manifest = granting(stores, state.path())?;
        let database = Database::start(keeper, state.path()).await?;
        let runtime_config = database.runtime_config(state.path())?;
        let certificates = database.certificates(state.path())?;
        let kept = Kept { stores, state: state.path(), counts_calls, runtime_config, certificates };
        let (url, running) = run(&manifest, kept, &variables, instances).await?;
        Ok(Quarry { url, provider, web, state, variables, instances, stores, database, running })
    }
}

/// The variables that lead to the provider and the small web, and those that are set on top.
pub fn surroundings(
    provider: SocketAddr,
    web: SocketAddr,
    variables: BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let mut all = BTreeMap::from([
        ("default_model".to_owned(), "openai:scripted".to_owned()),
        ("openai_api_key".to_owned(), KEY.to_owned()),
        ("openai_base_url".to_owned(), format!("http://{provider}/v1")),
        ("anthropic_base_url".to_owned(), format!("http://{provider}/v1")),
        ("google_keys_url".to_owned(), format!("http://{provider}/keys")),
        ("google_keys_origin".to_owned(), format!("http://{provider}")),
        ("searxng_url".to_owned(), format!("http://{web}")),
        ("web_allowed_hosts".to_owned(), web.to_string()),
    ]);
    all.extend(variables);
    all
}

/// How often whoever needs an ask to have a place begins anew.
pub const FOR_A_PLACE: usize = 5;

/// Quarry with what stands around it. Dropping it ends everything.
pub struct Quarry {
    /// Its address without a final slash.
    pub url: String,
    /// Its provider.
    pub provider: ScriptedProvider,
    /// Its web.
    pub web: DemoWeb,
    /// Where its stores live.
    pub state: TempDir,
    /// Its SQLite database, where it is not a file.
    pub database: Database,
    variables: BTreeMap<String, String>,
    instances: u32,
    stores: Stores,
    running: Running,
}

/// Another process on the stores of a Quarry. Dropping it ends it.
pub struct Neighbour {
    /// Its address without a final slash.
    pub url: String,
    running: Running,
}

impl Neighbour {
    /// Moves its time of day on. Says whether that could be arranged: not under Spin.
    pub fn advance_clock(&self, by: Duration) -> bool {
        let Running::Local(host) = &self.running else { return false };
        host.advance_clock(by);
        true
    }
}

pub(crate) enum Running {
    Local(RunningHost),
    Spin(Child),
    Elsewhere,
}

impl Quarry {
    /// Ends the process that runs it, as a crash would, and starts another on the same stores. What is in memory is lost.
    pub async fn restart(self) -> Result<Quarry> {
        let Quarry {
            provider, web, state, database, variables, instances, stores, running, ..
        } = self;
        match running {
            Running::Local(host) => host.shutdown().await,
            Running::Spin(mut child) => child.kill().await?,
            Running::Elsewhere => bail!("a Quarry that runs elsewhere cannot be restarted"),
        }
        let (url, running) = run_on((&state, stores), &database, &variables, instances).await?;
        Ok(Quarry { url, provider, web, state, variables, instances, stores, database, running })
    }

    /// Another process beside it, on the same stores. What is in memory it does not see.
    ///
    /// # Errors
    /// When it does not start, or this one runs elsewhere.
    pub async fn beside(&self) -> Result<Neighbour> {
        if matches!(self.running, Running::Elsewhere) {
            bail!("a Quarry that runs elsewhere has no other beside it");
        }
        let Quarry { state, database, variables, instances, stores, .. } = self;
        let (url, running) = run_on((state, *stores), database, variables, *instances).await?;
        Ok(Neighbour { url, running })
    }

    /// The same with a variable set to something else.
    pub async fn restart_with(mut self, name: &str, value: &str) -> Result<Quarry> {
        self.variables.insert(name.to_owned(), value.to_owned());
        self.restart().await
    }

    /// The file in which it keeps logs, runs and documents, read or damaged beside it. It waits for whoever writes there.
    pub fn sqlite(&self) -> Result<Connection> {
        let file = Connection::open(self.state.path().join("sqlite_db.db"))?;
        file.busy_timeout(Duration::from_secs(60))?;
        Ok(file)
    }

    /// How many places are taken among the asks under way. An ask that found the store slow begins without one, correctly:
    /// whoever needs all of them taken begins anew then.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn places_taken(&self) -> Result<u32> {
        let taken = "SELECT count(*) FROM ask_place";
        Ok(self.sqlite()?.query_row(taken, [], |row| row.get(0))?)
    }

    /// Whether it runs on the local host, which does what a test sets it up to.
    pub fn is_local(&self) -> bool {
        matches!(self.running, Running::Local(_))
    }

    /// The same for a test, or a part of one, that nothing else is of use to: elsewhere it is skipped, and says so and why.
    #[track_caller]
    pub fn is_local_or_skipped(&self, why: &str) -> bool {
        let is_local = self.is_local();
        if !is_local {
            // Whoever reads no report loses nothing else.
            _ = skipped(&format!("the local host at {}", Location::caller()), why);
        }
        is_local
    }

    /// What components printed; nothing under Spin, whose output goes to the terminal.
    pub fn output(&self) -> String {
        match &self.running {
            Running::Local(host) => host.output().text(),
            Running::Spin(_) | Running::Elsewhere => String::new(),
        }
    }

    /// How often each component has called each function of the host so far; none under Spin, which
    /// does not tell.
    pub fn host_calls(&self) -> Option<BTreeMap<(String, String), u64>> {
        match &self.running {
            Running::Local(host) => Some(host.host_calls()),
            Running::Spin(_) | Running::Elsewhere => None,
        }
    }

    /// Changes a variable while it runs, and moves its time of day on. False where that cannot be arranged, which is said:
    /// under Spin, whose providers of variables and clock are not ours.
    ///
    /// # Errors
    /// When there is no such variable.
    #[track_caller]
    pub fn change_variable(&self, name: &str, value: &str, later: Duration) -> Result<bool> {
        self.is_local_or_skipped("variables and the time of day cannot be changed while it runs");
        let Running::Local(host) = &self.running else { return Ok(false) };
        host.change_variable(name, value)?;
        host.advance_clock(later);
        Ok(true)
    }

    /// From now on its components can print nothing, as on a full disk. False where that cannot be arranged, which is said:
    /// under Spin.
    #[must_use = "what a test says of a full disk is true only where there is one"]
    #[track_caller]
    pub fn fill_output(&self) -> bool {
        self.is_local_or_skipped("what it prints to cannot be filled");
        match &self.running {
            Running::Local(host) => host.output().fill(true),
            Running::Spin(_) | Running::Elsewhere => return false,
        }
        true
    }

    /// Waits until a text stands in its stores: whoever read a log to see it would be a reader.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn until_stored(&self, text: &str) -> Result<()> {
        while !self.stored()?.windows(text.len()).any(|bytes| bytes == text.as_bytes()) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(())
    }

    /// Every byte in its stores.
    pub fn stored(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut directories = vec![self.state.path().to_owned()];
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(directory)? {
                let path = entry?.path();
                if path.is_dir() {
                    directories.push(path);
                } else {
                    match std::fs::read(path) {
                        Ok(read) => bytes.extend(read),
                        // What SQLite needs for a moment may be gone by now.
                        Err(error) if error.kind() == ErrorKind::NotFound => {}
                        Err(error) => return Err(error.into()),
                    }
                }
            }
        }
        Ok(bytes)
    }
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// How a built component was optimised: `ship` or `quick`.
pub fn profile(component: &str) -> String {
    let mark = root().join("target/quarry").join(component).with_extension("profile");
    std::fs::read_to_string(mark).unwrap_or_default()
}

pub(crate) fn manifest() -> PathBuf {
    std::env::var_os("QUARRY_MANIFEST").map_or_else(|| root().join("spin.toml"), PathBuf::from)
}

/// The manifest with these stores granted, written into a directory if it is not the usual one.
fn granting(stores: Stores, directory: &Path) -> Result<PathBuf> {
    let refused: &[&str] = match stores {
        Stores::All | Stores::InMemory => return Ok(manifest()),
        Stores::KeyValue => &["sqlite_databases"],
        Stores::None => &["sqlite_databases", "key_value_stores"],
    };
    let mut text = std::fs::read_to_string(manifest())?;
    for grant in refused {
        text = text.replace(&format!("{grant} = [\"default\"]"), &format!("{grant} = []"));
    }
    let own = std::path::absolute(manifest())?;
    let folder = own.parent().unwrap_or(Path::new("/"));
    let sources = format!("source = \"{}/target/", folder.display());
    let file = directory.join("spin.toml");
    std::fs::write(&file, text.replace("source = \"target/", &sources))?;
    Ok(file)
}

/// What a Quarry finds, and what is kept of it.
pub(crate) struct Kept<'a> {
    pub stores: Stores,
    pub state: &'a Path,
    pub counts_calls: bool,
    pub runtime_config: Option<PathBuf>,
    /// What vouches for its database's server.
    pub certificates: Option<PathBuf>,
}

/// Runs it on stores that are there, with the same of them granted.
async fn run_on(
    (state, stores): (&TempDir, Stores),
    database: &Database,
    variables: &BTreeMap<String, String>,
    instances: u32,
) -> Result<(String, Running)> {
    let kept = Kept {
        stores,
        state: state.path(),
        counts_calls: false,
        runtime_config: database.runtime_config(state.path())?,
        certificates: database.certificates(state.path())?,
    };
    run(&granting(stores, state.path())?, kept, variables, instances).await
}

pub(crate) async fn run(
    manifest: &Path,
    Kept { stores, state, counts_calls, runtime_config, certificates }: Kept<'_>,
    variables: &BTreeMap<String, String>,
    instances: u32,
) -> Result<(String, Running)> {
    let is_usual = std::env::var_os("QUARRY_MANIFEST").is_none();
    if is_usual && !root().join("target/quarry/quarry.wasm").is_file() {
        bail!("the components are not built; run `cargo xtask build` first");
    }
    // As somebody starts either who keeps nothing.
    let state = if stores == Stores::InMemory { Path::new("") } else { state };
    match std::env::var("QUARRY_RUNTIME").as_deref() {
        Ok("spin") => {
            let files = [runtime_config.as_deref(), certificates.as_deref()];
            spin_up(manifest, variables, state, files).await
        }
        Ok("local") | Err(_) => {
            let mut builder = Host::builder(manifest)
                .cache_dir(root().join("target/host-cache"))
                .state_dir(state)
                .max_instances(instances)
                .count_calls(counts_calls)
                .forward_output(false)
                .capture_output(true);
            for (name, value) in variables {
                builder = builder.variable(name, value);
            }
            if let Some(file) = runtime_config {
                builder = builder.runtime_config(file);
            }
            if let Some(file) = certificates {
                builder = builder.certificates(file);
            }
            let host = builder.start().await?;
            Ok((host.url(), Running::Local(host)))
        }
        Ok(other) => bail!("QUARRY_RUNTIME is `{other}`; it may be `local` or `spin`"),
    }
}

async fn spin_up(
    manifest: &Path,
    variables: &BTreeMap<String, String>,
    state: &Path,
    [runtime_config, certificates]: [Option<&Path>; 2],
) -> Result<(String, Running)> {
    let listen = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let mut command = Command::new("spin");
    command.arg("up").arg("--quiet").arg("--from").arg(manifest);
    command.arg("--listen").arg(listen.to_string()).arg("--state-dir").arg(state);
    if let Some(file) = runtime_config {
        command.arg("--runtime-config-file").arg(file);
    }
    if let Some(file) = certificates {
        command.env("SSL_CERT_FILE", file);
    }
    for (name, value) in variables {
        command.env(format!("SPIN_VARIABLE_{}", name.to_uppercase()), value);
    }
    let child = command.kill_on_drop(true).spawn().context("cannot run `spin`")?;
    let url = format!("http://{listen}");
    for _ in 0..300 {
        // It listens when everything is loaded.
        if tokio::net::TcpStream::connect(listen).await.is_ok() {
            return Ok((url, Running::Spin(child)));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    bail!("spin did not answer within 30 s")
}
