//! Starting and ending a host: reads the files, builds the application, listens.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};

use anyhow::{Context as _, Result, bail};
use tokio::net::TcpListener;
use tokio::runtime::{Handle, RuntimeFlavor};
use wasmtime::component::{Component as WasmComponent, Linker};
use wasmtime_wasi_http::handler::ProxyHandler;
use wasmtime_wasi_http::p3::bindings::ServicePre;

use crate::alone::alone;
use crate::calls::{self, Tally};
use crate::clock::Clock;
use crate::connect::{self, HttpClient};
use crate::engine::{self, EngineOptions, MOST_INSTANCES, Running};
use crate::granted::Granted;
use crate::guest::{GuestComponent, GuestState, Instances, Reuse};
use crate::head_first::Race;
use crate::hosts::AllowedHosts;
use crate::key_value::KeyValue;
use crate::manifest::{Component, Manifest, Route};
use crate::memory::Peaks;
use crate::outbound::Outbound;
use crate::output::Output;
use crate::routes::Router;
use crate::running::RunningHost;
use crate::runtime_config::RuntimeConfig;
use crate::server::{App, Lifetime};
use crate::sqlite::Location;
use crate::variables::{Variables, from_environment};
use crate::witness::Witness;

/// The environment variable with which Spin, and this host as a program, are told how many bytes
/// of a memory stay with the process when its instance ends.
pub const KEEP_RESIDENT: &str = "SPIN_WASMTIME_LINEAR_MEMORY_KEEP_RESIDENT";

/// The entry: [`Host::builder`].
#[derive(Debug)]
pub struct Host;

impl Host {
    /// A host for the manifest at this path.
    pub fn builder(manifest: impl Into<PathBuf>) -> HostBuilder {
        HostBuilder {
            manifest: manifest.into(),
            only: None,
            variables: HashMap::new(),
            environment: Vec::new(),
            state_dir: None,
            certificates: None,
            cache_dir: None,
            runtime_config: None,
            names: HashMap::new(),
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            reuse: Reuse::default(),
            max_instances: MOST_INSTANCES,
            keep_resident: 2 << 20,
            forward_output: true,
            capture_output: false,
            like_spin: false,
            count_calls: false,
            witness: None,
        }
    }
}

/// What a host is started with. Each setting has a default: Spin's, where Spin has it.
#[derive(Clone)]
pub struct HostBuilder {
    manifest: PathBuf,
    only: Option<String>,
    variables: HashMap<String, String>,
    environment: Vec<(String, String)>,
    state_dir: Option<PathBuf>,
    certificates: Option<PathBuf>,
    cache_dir: Option<PathBuf>,
    runtime_config: Option<PathBuf>,
    names: HashMap<String, Vec<IpAddr>>,
    listen: SocketAddr,
    reuse: Reuse,
    max_instances: u32,
    keep_resident: usize,
    forward_output: bool,
    capture_output: bool,
    like_spin: bool,
    count_calls: bool,
    witness: Option<Witness>,
}

/// Without the variables: a value may be a secret.
impl std::fmt::Debug for HostBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HostBuilder").field("manifest", &self.manifest).finish_non_exhaustive()
    }
}

impl HostBuilder {
    /// One component by itself, which everyone may call: how one behind a private route is tried from
    /// outside.
    pub fn only(mut self, component: impl Into<String>) -> Self {
        self.only = Some(component.into());
        self
    }

    /// Supplies one variable, by its lower-case name. One that the manifest does not declare is
    /// refused at the start.
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// Supplies variables from `SPIN_VARIABLE_<NAME>` in this process's environment; those given
    /// by [`HostBuilder::variable`] win.
    pub fn variables_from_env(mut self) -> Self {
        self.environment = std::env::vars_os()
            .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        self
    }

    /// Where stores live; `.spin` beside the manifest unless said. An empty path, as for Spin: in memory, where each
    /// connection to SQLite has a database of its own.
    pub fn state_dir(mut self, path: impl Into<PathBuf>) -> Self {
        self.state_dir = Some(path.into());
        self
    }

    /// A PEM file of those who may vouch for a libSQL server, beside Mozilla's list: what `SSL_CERT_FILE` names for
    /// Spin's client, which has it in the place of the machine's own list. None unless said.
    pub fn certificates(mut self, file: impl Into<PathBuf>) -> Self {
        self.certificates = Some(file.into());
        self
    }

    /// Where compiled components are kept; `target/host-cache` beside the manifest unless said.
    pub fn cache_dir(mut self, path: impl Into<PathBuf>) -> Self {
        self.cache_dir = Some(path.into());
        self
    }

    /// Spin's runtime configuration file; none unless said.
    pub fn runtime_config(mut self, path: impl Into<PathBuf>) -> Self {
        self.runtime_config = Some(path.into());
        self
    }

    /// Lets a name resolve to these addresses, as a line in a hosts file would. What is blocked
    /// stays blocked: the check comes after resolution.
    pub fn name(mut self, name: impl Into<String>, addresses: impl Into<Vec<IpAddr>>) -> Self {
        self.names.insert(name.into(), addresses.into());
        self
    }

    /// The address to listen on; a free port of 127.0.0.1 unless said.
    pub fn listen(mut self, address: SocketAddr) -> Self {
        self.listen = address;
        self
    }

    /// How instances are reused.
    pub fn reuse(mut self, reuse: Reuse) -> Self {
        self.reuse = reuse;
        self
    }

    /// Live instances and memories, 1,000 unless said. Each reserves 4 GiB of address space, so
    /// a process with a dozen hosts wants fewer.
    pub fn max_instances(mut self, count: u32) -> Self {
        self.max_instances = count;
        self
    }

    /// How many bytes of a memory stay with the process when its instance ends, to be zeroed by
    /// hand; 2 MiB unless said. Under Spin: [`KEEP_RESIDENT`].
    pub fn keep_resident(mut self, bytes: usize) -> Self {
        self.keep_resident = bytes;
        self
    }

    /// Whether what components print goes to standard error; yes unless said.
    pub fn forward_output(mut self, forward: bool) -> Self {
        self.forward_output = forward;
        self
    }

    /// Whether what components print is kept for [`RunningHost::output`]; no unless said.
    pub fn capture_output(mut self, capture: bool) -> Self {
        self.capture_output = capture;
        self
    }

    /// Whether what Spin does to the time that a request takes is done here too; no unless said. No
    /// socket has `TCP_NODELAY`, the bodies of two requests of three leave apart from their heads, and each call to the host is a span, so that [`RunningHost::host_calls`] knows it.
    pub fn like_spin(mut self, like_spin: bool) -> Self {
        self.like_spin = like_spin;
        self
    }

    /// Whether calls to the host are counted; no unless said. The first host that counts makes each
    /// call of this process a little dearer, in hosts that do not count too.
    pub fn count_calls(mut self, count: bool) -> Self {
        self.count_calls = count;
        self
    }

    /// Who is told of what components do, before and after; nobody unless said.
    pub fn witness(mut self, witness: Witness) -> Self {
        self.witness = Some(witness);
        self
    }

    /// Loads everything and listens. The host is ready when this returns.
    pub async fn start(self) -> Result<RunningHost> {
        if Handle::current().runtime_flavor() != RuntimeFlavor::MultiThread {
            bail!("the host wants tokio's multi-threaded runtime: its stores block a thread");
        }
        let prepared = tokio::task::spawn_blocking(move || self.prepare()).await??;
        prepared.listen().await
    }

    fn prepare(self) -> Result<Prepared> {
        let text = read(&self.manifest)?;
        let directory = match self.manifest.parent() {
            Some(parent) if parent != Path::new("") => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let text = match &self.only {
            Some(component) => alone(&text, Path::new(""), component)?,
            None => text,
        };
        let manifest = Manifest::parse(&text)
            .with_context(|| format!("cannot use {}", self.manifest.display()))?;
        let runtime_config = match &self.runtime_config {
            None => RuntimeConfig::default(),
            Some(file) => RuntimeConfig::parse(&read(file)?)
                .with_context(|| format!("cannot use {}", file.display()))?,
        };
        let cache_dir =
            self.cache_dir.clone().unwrap_or_else(|| directory.join("target/host-cache"));
        let output = Output::new(self.forward_output, self.capture_output);
        let options = EngineOptions {
            cache_dir,
            max_instances: self.max_instances,
            keep_resident: self.keep_resident,
        };
        let running = engine::running(&options, &output)?;
        let mut supplied = from_environment(&manifest.variables, self.environment.clone());
        supplied.extend(self.variables.clone());
        let state_dir = self.state_dir.clone().unwrap_or_else(|| directory.join(".spin"));
        let state_dir = Some(state_dir.as_path()).filter(|directory| *directory != Path::new(""));
        let database = runtime_config.sqlite_database.get("default");
        let sqlite = Location::of(database, state_dir, self.certificates.as_deref())?;
        let components = load(&running, &manifest, &directory)?;
        let counts = self.count_calls || self.like_spin;
        if counts {
            calls::count()?;
        }
        let tally = Tally::of(components.keys().filter(|_| counts));
        Ok(Prepared {
            peaks: Peaks::of(components.keys()),
            granted: Arc::new(Granted::of(
                Variables::resolve(&manifest.variables, &supplied)?,
                &manifest.component,
            )?),
            clock: Clock::default(),
            components,
            linker: engine::linker(&running.engine)?,
            client: connect::client(&runtime_config, self.names.clone(), self.like_spin)?,
            tally,
            race: self.like_spin.then(Race::default),
            key_value: Arc::new(KeyValue::new(state_dir)),
            sqlite: Arc::new(sqlite),
            output,
            lifetime: Lifetime::default(),
            manifest,
            options: self,
        })
    }
}

fn read(file: &Path) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// Loads each component that a trigger names; the others cannot be reached.
fn load(
    running: &Running,
    manifest: &Manifest,
    directory: &Path,
) -> Result<HashMap<String, WasmComponent>> {
    let mut loaded = HashMap::new();
    for trigger in &manifest.trigger.http {
        let id = &trigger.component;
        if let Some(component) = manifest.component.get(id).filter(|_| !loaded.contains_key(id)) {
            loaded.insert(id.clone(), running.load(&directory.join(&component.source))?);
        }
    }
    Ok(loaded)
}

/// Everything loaded, nothing listening.
struct Prepared {
    options: HostBuilder,
    manifest: Manifest,
    granted: Arc<Granted>,
    clock: Clock,
    components: HashMap<String, WasmComponent>,
    linker: Linker<GuestState>,
    client: HttpClient,
    key_value: Arc<KeyValue>,
    sqlite: Arc<Location>,
    output: Output,
    lifetime: Lifetime,
    peaks: Peaks,
    tally: Tally,
    race: Option<Race>,
}

impl Prepared {
    async fn listen(self) -> Result<RunningHost> {
        let listener = TcpListener::bind(self.options.listen)
            .await
            .with_context(|| format!("cannot listen on {}", self.options.listen))?;
        let address = listener.local_addr()?;
        let app = self.app(address)?;
        let lifetime = self.lifetime.clone();
        lifetime.connections.tasks.spawn(app.listen(listener));
        Ok(RunningHost {
            address,
            output: self.output,
            lifetime,
            peaks: self.peaks,
            tally: self.tally,
            granted: self.granted,
            clock: self.clock,
        })
    }

    fn app(&self, address: SocketAddr) -> Result<Arc<App>> {
        let routes = self.manifest.trigger.http.iter().filter_map(|trigger| match &trigger.route {
            Route::Public(pattern) => Some((pattern.as_str(), trigger.component.as_str())),
            Route::Private(_) => None,
        });
        let router = Router::new(routes)?;
        // The application owns its components and they know it, weakly, to call each other.
        let mut failed = None;
        let app = Arc::new_cyclic(|app| {
            let handlers = self.handlers(app).unwrap_or_else(|error| {
                failed = Some(error);
                HashMap::new()
            });
            App {
                router,
                handlers,
                address,
                output: self.output.clone(),
                lifetime: self.lifetime.clone(),
                tally: self.tally.clone(),
                peaks: self.peaks.clone(),
            }
        });
        failed.map_or(Ok(app), Err)
    }

    fn handlers(&self, app: &Weak<App>) -> Result<HashMap<String, ProxyHandler<Instances>>> {
        self.components
            .iter()
            .filter_map(|(id, wasm)| Some((id, wasm, self.manifest.component.get(id)?)))
            .map(|(id, wasm, component)| {
                let instances = self
                    .instances(id, wasm, component, app.clone())
                    .with_context(|| format!("cannot set up component {id:?}"))?;
                Ok((id.clone(), ProxyHandler::new(instances)))
            })
            .collect()
    }

    fn instances(
        &self,
        id: &str,
        wasm: &WasmComponent,
        component: &Component,
        app: Weak<App>,
    ) -> Result<Instances> {
        let ids: Vec<&str> = self.manifest.component.keys().map(String::as_str).collect();
        let allowed = self.granted.with(|variables| {
            AllowedHosts::parse(&component.allowed_outbound_hosts, variables, &ids)
        })?;
        let pre = self
            .linker
            .instantiate_pre(wasm)
            .and_then(ServicePre::new)
            .map_err(anyhow::Error::from)
            .context("it must import only what this host has and export wasi:http/handler@0.3.0")?;
        let watched = self.options.witness.clone().map(|witness| (id.into(), witness));
        let shared = GuestComponent {
            id: id.into(),
            variables: self.granted.component(id),
            clock: self.clock.clone(),
            environment: component.environment.clone().into_iter().collect(),
            key_value_stores: component.key_value_stores.clone(),
            key_value: self.key_value.clone(),
            sqlite_databases: component.sqlite_databases.clone(),
            sqlite: self.sqlite.clone(),
            watched: watched.clone(),
            output: self.output.clone(),
            peak_memory: self.peaks.component(id).cloned().unwrap_or_default(),
            calls: self.tally.component(id),
        };
        let outbound = Outbound {
            allowed: Arc::new(allowed),
            client: self.client.clone(),
            race: self.race.clone(),
            watched,
            app,
        };
        Ok(Instances {
            component: Arc::new(shared),
            pre,
            outbound,
            reuse: self.options.reuse,
            lifetime: self.lifetime.clone(),
        })
    }
}
