//! Runs Quarry: on the local host, which is part of this project, or under Spin.

use crate::runtime_config::RuntimeConfig;
use anyhow::{Context, Error, Result, anyhow, bail};
use http_body_util::BodyExt as _;
use quarry_client::client;
use quarry_client::variables::Variables;
use quarry_client::waiting::aloud;
use quarry_demo_web::{DemoWeb, hosts};
use quarry_host::{KEEP_RESIDENT, RunningHost};
use serde_json::Value;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;
use tokio::process::{Child, Command};
use xtask::components::{self, Place, Profile};
use xtask::options::Runtime;
use xtask::options::served::Served;
use xtask::{paths, port};

/// How long the slow site of the small web takes, so that a wait can be seen.
const SLOW: Duration = Duration::from_millis(1_500);

/// How to run it.
pub struct Settings {
    /// Port 0 takes a free one.
    pub listen: SocketAddr,
    /// What runs it, and which components.
    pub served: Served,
    /// Its configuration.
    pub variables: Variables,
    /// Where stores live; none: where those of `spin up` do.
    pub state: Option<PathBuf>,
    /// Whether what components print is shown.
    pub show_output: bool,
}

/// Quarry at work.
pub struct Serving {
    /// Its address, without a final slash.
    pub url: String,
    /// What it runs with, in lines for people.
    pub described: Vec<String>,
    /// Which of them say that something is not as it was set up.
    warnings: Vec<String>,
    /// Whether it works without key and internet.
    pub demo: bool,
    running: Running,
    // These live as long as what asks them, and what reads it.
    _demo_web: Option<DemoWeb>,
    _runtime_config: RuntimeConfig,
}

enum Running {
    Local(RunningHost),
    Spin(Child),
}

/// What a host is told.
struct Host<'a> {
    listen: SocketAddr,
    manifest: PathBuf,
    state: PathBuf,
    variables: &'a Variables,
    runtime_config: Option<&'a Path>,
    show_output: bool,
    demo: bool,
}

/// Starts Quarry and returns when it answers.
pub async fn start(settings: Settings) -> Result<Serving> {
    let Settings { listen, served, mut variables, state, show_output } = settings;
    // Who answers there is asked below, and told our secret: it has to be ours.
    port::ensure_free(listen)?;
    let demo = variables.is_demo();
    let demo_web =
        if demo { Some(set_up_demo(&mut variables, served.runtime).await?) } else { None };
    let unreached = variables.complete_origins();
    let file = paths::root().join("runtime-config.toml");
    let runtime_config = RuntimeConfig::of(file, &variables, demo)?;
    let host = Host {
        listen,
        manifest: served.place().manifest()?,
        state: state.unwrap_or_else(paths::state),
        variables: &variables,
        runtime_config: runtime_config.file(),
        show_output,
        demo,
    };
    let (url, running) = match served.runtime {
        Runtime::Local => host.local().await?,
        Runtime::Spin => host.spin().await?,
    };
    let warnings: Vec<String> = unreached.iter().map(|name| unreachable(name)).collect();
    let warnings = [warnings, runtime_config.left_out.clone()].concat();
    let mut described = variables.describe();
    if demo {
        described.retain(|line| !line.starts_with("search"));
        described.push("search    the small local web".to_owned());
    }
    described.extend(health(&url).await?);
    described.extend(warnings.iter().cloned());
    described.extend(built(served.place()));
    Ok(Serving {
        url,
        described,
        warnings,
        demo,
        running,
        _demo_web: demo_web,
        _runtime_config: runtime_config,
    })
}

/// That Spin lets nobody reach the address that a variable has.
fn unreachable(variable: &str) -> String {
    format!(
        "provider  {variable} cannot be reached: provider_origin has room for one address that spin.toml does not \
         list; add this one to its allowed_outbound_hosts"
    )
}

/// With what to do, where something listens at the address already.
fn with_way_out(error: Error) -> Error {
    let is_taken = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::AddrInUse);
    if is_taken {
        anyhow!("{error:#}\nhint: take another address, as in --listen 127.0.0.1:3001")
    } else {
        error
    }
}

impl Serving {
    /// Says on standard error what is not as it was set up, where not all is told that it runs with.
    pub fn warn(&self) {
        self.warnings.iter().for_each(|line| eprintln!("{line}"));
    }

    /// Serves until it is interrupted, or until Spin ends by itself.
    pub async fn until_interrupted(self) -> Result<()> {
        match self.running {
            Running::Local(host) => {
                tokio::signal::ctrl_c().await?;
                host.shutdown().await;
                Ok(())
            }
            // Spin gets the same signal from the terminal and ends by itself.
            Running::Spin(mut child) => tokio::select! {
                ended = child.wait() => spin_ended(ended?),
                interrupted = tokio::signal::ctrl_c() => {
                    interrupted?;
                    child.wait().await?;
                    Ok(())
                }
            },
        }
    }

    /// Ends it.
    pub async fn stop(self) -> Result<()> {
        match self.running {
            Running::Local(host) => host.shutdown().await,
            Running::Spin(mut child) => child.kill().await?,
        }
        Ok(())
    }
}

/// Demo mode: the small local web stands in for the real one.
async fn set_up_demo(variables: &mut Variables, runtime: Runtime) -> Result<DemoWeb> {
    let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let web = DemoWeb::start_with(anywhere, SLOW).await?;
    // Sites have hosts of their own where they can be told what to resolve to: Spin asks the system.
    let search = match runtime {
        Runtime::Local => web.named_url(),
        Runtime::Spin => web.url(),
    };
    variables.set("searxng_url", search);
    // Nothing leaves this machine.
    variables.set("search_providers", "searxng");
    // Whoever asks for a model by name gets an answer, which says who gave it.
    if variables.get("fallback_model").is_none() {
        variables.set("fallback_model", "local:extractive");
    }
    // The reader refuses this machine's own addresses otherwise.
    let own = variables.get("web_allowed_hosts").map(str::to_owned);
    let allowed: Vec<String> = own.into_iter().chain(web.authorities()).collect();
    variables.set("web_allowed_hosts", allowed.join(","));
    Ok(web)
}

/// That the components could be faster, where they could.
fn built(place: Place) -> Option<String> {
    let is_quick = |name| place.profile_of(name) == Some(Profile::Quick);
    components::finished(|_| true)
        .any(is_quick)
        .then(|| "built     quickly; with --ship components and host are faster".to_owned())
}

/// What `/healthz` says of the network and, where it is not as it should be, of the database, in lines for
/// people.
async fn health(url: &str) -> Result<Vec<String>> {
    let answer = client::Client::pooled().get(&format!("{url}/healthz"), &[]).await?;
    let body = answer.into_body().collect().await?.to_bytes();
    let health: Value = serde_json::from_slice(&body).context("/healthz gave no JSON")?;
    let network = match health.get("network").and_then(Value::as_str) {
        Some("guarded") => "network   guarded: names that lead into private networks are refused",
        Some("open") => {
            "network   open: no network rules are in force, so a public name that leads to a private \
             address is read (runtime-config.toml has the rules)"
        }
        _ => "network   unknown: it could not be found out whether network rules are in force",
    };
    let database = match health.get("database").and_then(Value::as_str) {
        Some("kept") => None,
        Some("memory") => Some(
            "database  in memory, where nothing is shared: asks take longer and runs are refused; give a \
             state directory",
        ),
        Some("missing") => Some(
            "database  not granted: asks take longer and runs are refused; spin.toml grants it with \
             sqlite_databases",
        ),
        _ => Some(
            "database  does not answer, takes nothing (is the disk full?), or is of a newer version: runs are \
             refused",
        ),
    };
    Ok([Some(network), database].into_iter().flatten().map(str::to_owned).collect())
}

impl Host<'_> {
    /// On the local host.
    async fn local(self) -> Result<(String, Running)> {
        let mut builder = quarry_host::Host::builder(self.manifest)
            .cache_dir(paths::host_cache())
            .state_dir(self.state)
            .listen(self.listen)
            .keep_resident(keep_resident()?)
            .forward_output(self.show_output);
        for (name, value) in self.variables.iter() {
            builder = builder.variable(name, value);
        }
        for name in hosts::hosts().filter(|_| self.demo) {
            builder = builder.name(name, [IpAddr::from(Ipv4Addr::LOCALHOST)]);
        }
        if let Some(file) = self.runtime_config {
            builder = builder.runtime_config(file);
        }
        let step = "compiling the components for this machine (once for each build)";
        let host = aloud(step, builder.start()).await.map_err(with_way_out)?;
        Ok((host.url(), Running::Local(host)))
    }

    /// Under Spin.
    async fn spin(self) -> Result<(String, Running)> {
        let listen = match self.listen.port() {
            0 => free_port(self.listen)?,
            _ => self.listen,
        };
        let mut command = Command::new("spin");
        command.arg("up").arg("--from").arg(self.manifest);
        command.arg("--listen").arg(listen.to_string()).arg("--state-dir").arg(self.state);
        if let Some(file) = self.runtime_config {
            command.arg("--runtime-config-file").arg(file);
        }
        if !self.show_output {
            command.arg("--quiet");
        }
        command.env(KEEP_RESIDENT, keep_resident()?.to_string());
        for (name, value) in self.variables.iter() {
            command.env(format!("SPIN_VARIABLE_{}", name.to_uppercase()), value);
        }
        let mut child = command.kill_on_drop(true).spawn().context(
            "cannot run `spin`; install it from https://spinframework.dev, or leave out `--runtime spin`",
        )?;
        let url = format!("http://{listen}");
        tokio::select! {
            ended = child.wait() => {
                spin_ended(ended?)?;
                bail!("spin ended before Quarry answered");
            }
            ready = aloud("until Quarry answers", until_healthy(&url)) => ready?,
        }
        Ok((url, Running::Spin(child)))
    }
}

/// How much memory an ended instance leaves with the process, in bytes: what the environment says,
/// else nothing. By default Spin keeps up to 2 MiB of each, which a burst of requests multiplies
/// and nothing gives back; keeping nothing costs no measurable time (`cargo xtask bench`).
fn keep_resident() -> Result<usize> {
    match std::env::var(KEEP_RESIDENT) {
        Ok(bytes) => {
            bytes.parse().with_context(|| format!("{KEEP_RESIDENT}={bytes} is no number of bytes"))
        }
        Err(_) => Ok(0),
    }
}

fn spin_ended(status: ExitStatus) -> Result<()> {
    if status.success() { Ok(()) } else { bail!("spin ended with {status}") }
}

/// A port that was free a moment ago: Spin cannot choose one and tell.
fn free_port(listen: SocketAddr) -> Result<SocketAddr> {
    Ok(std::net::TcpListener::bind(listen)?.local_addr()?)
}

async fn until_healthy(url: &str) -> Result<()> {
    let client = client::Client::pooled();
    let mut last = None;
    for _ in 0..600 {
        match client.get(&format!("{url}/healthz"), &[]).await {
            Ok(response) if response.status().is_success() => return Ok(()),
            Ok(response) => last = Some(format!("status {}", response.status())),
            Err(error) => last = Some(format!("{error:#}")),
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    bail!("Quarry did not answer within a minute ({})", last.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn an_address_that_is_taken_is_told_with_the_way_out() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let again = TcpListener::bind(taken.local_addr().unwrap()).context("cannot listen");
        let told = with_way_out(again.unwrap_err()).to_string();
        assert!(told.starts_with("cannot listen") && told.contains("\nhint: "), "{told}");
        let other = with_way_out(anyhow!("the manifest is missing")).to_string();
        assert_eq!(other, "the manifest is missing");
    }
}
