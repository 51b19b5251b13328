//! Starts Quarry for a test: the built components, a scripted provider, the small web.

use anyhow::{Context, Result, bail};
use quarry_demo_web::DemoWeb;
use quarry_host::{Host, RunningHost};
use quarry_test_provider::{Script, ScriptedProvider};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// The key that the scripted provider is given, where a test does not say otherwise. It must
/// turn up nowhere.
pub const KEY: &str = "canary-provider-key-5d1f";

/// How to start.
pub struct Setup {
    /// What the provider says.
    pub script: Script,
    /// Variables beside those that lead to the provider and the small web.
    pub variables: BTreeMap<String, String>,
    /// Live instances at most.
    pub instances: u32,
}

impl Setup {
    /// With a script and nothing special.
    pub fn new(script: Script) -> Setup {
        Setup { script, variables: BTreeMap::new(), instances: 60 }
    }

    /// With a variable.
    pub fn variable(mut self, name: &str, value: &str) -> Setup {
        self.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Starts everything.
    pub async fn start(self) -> Result<Quarry> {
        let provider = ScriptedProvider::start(self.script).await?;
        let web = DemoWeb::start().await?;
        let state = tempfile::tempdir()?;
        let mut variables = BTreeMap::from([
            ("default_model".to_owned(), "openai:scripted".to_owned()),
            ("openai_api_key".to_owned(), KEY.to_owned()),
            ("openai_base_url".to_owned(), provider.openai_base_url()),
            ("anthropic_base_url".to_owned(), provider.anthropic_base_url()),
            ("google_keys_url".to_owned(), provider.key_set_url()),
            ("google_keys_origin".to_owned(), provider.url()),
            ("searxng_url".to_owned(), web.url()),
            ("web_allowed_hosts".to_owned(), web.address().to_string()),
        ]);
        variables.extend(self.variables);
        let (url, running) = run(&variables, state.path(), self.instances).await?;
        Ok(Quarry { url, provider, web, state, variables, instances: self.instances, running })
    }
}

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
    variables: BTreeMap<String, String>,
    instances: u32,
    running: Running,
}

enum Running {
    Local(RunningHost),
    Spin(Child),
}

impl Quarry {
    /// Ends the process that runs it, as a crash would, and starts another on the same stores.
    pub async fn restart(self) -> Result<Quarry> {
        let Quarry { provider, web, state, variables, instances, running, .. } = self;
        match running {
            Running::Local(host) => host.shutdown().await,
            Running::Spin(mut child) => child.kill().await?,
        }
        let (url, running) = run(&variables, state.path(), instances).await?;
        Ok(Quarry { url, provider, web, state, variables, instances, running })
    }

    /// What components printed; nothing under Spin, whose output goes to the terminal.
    pub fn output(&self) -> String {
        match &self.running {
            Running::Local(host) => host.output().text(),
            Running::Spin(_) => String::new(),
        }
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
                    bytes.extend(std::fs::read(path)?);
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

async fn run(
    variables: &BTreeMap<String, String>,
    state: &Path,
    instances: u32,
) -> Result<(String, Running)> {
    let manifest = std::env::var_os("QUARRY_MANIFEST");
    let manifest = manifest.map_or_else(|| root().join("spin.toml"), PathBuf::from);
    if !root().join("target/quarry/quarry.wasm").is_file() {
        bail!("the components are not built; run `cargo xtask build` first");
    }
    match std::env::var("QUARRY_RUNTIME").as_deref() {
        Ok("spin") => spin_up(&manifest, variables, state).await,
        Ok("local") | Err(_) => {
            let mut builder = Host::builder(manifest)
                .state_dir(state)
                .max_instances(instances)
                .forward_output(false)
                .capture_output(true);
            for (name, value) in variables {
                builder = builder.variable(name, value);
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
) -> Result<(String, Running)> {
    let listen = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let mut command = Command::new("spin");
    command.arg("up").arg("--quiet").arg("--from").arg(manifest);
    command.arg("--listen").arg(listen.to_string()).arg("--state-dir").arg(state);
    for (name, value) in variables {
        command.env(format!("SPIN_VARIABLE_{}", name.to_uppercase()), value);
    }
    let child = command.kill_on_drop(true).spawn().context("cannot run `spin`")?;
    let url = format!("http://{listen}");
    for _ in 0..300 {
        if crate::client::get(&format!("{url}/healthz"), &[]).await.is_ok() {
            return Ok((url, Running::Spin(child)));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    bail!("spin did not answer within 30 s")
}
