//! The host in a process of its own, so that its memory can be read.

use anyhow::{Context, Result, bail};
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// A host at work; dropping it ends it.
pub struct Host {
    pub address: SocketAddr,
    process: Child,
    _state: TempDir,
}

/// The hello-world component.
pub async fn hello(program: &Path, component: &Path) -> Result<Host> {
    let state = tempfile::tempdir()?;
    let manifest = state.path().join("spin.toml");
    let source = fs::canonicalize(component).context("the hello component is not built")?;
    let text = format!(
        "spin_manifest_version = 2\n[application]\nname = \"hello\"\nversion = \"1.0.0\"\n\
         [[trigger.http]]\nroute = \"/...\"\ncomponent = \"hello\"\n\
         [component.hello]\nsource = {:?}\n",
        source.display().to_string()
    );
    fs::write(&manifest, text)?;
    start(program, &manifest, state, &[]).await
}

/// One component of the manifest by itself, which everyone may call.
pub async fn alone(program: &Path, manifest: &Path, component: &str) -> Result<Host> {
    let state = tempfile::tempdir()?;
    let manifest = fs::canonicalize(manifest).context("there is no manifest")?;
    let text = fs::read_to_string(&manifest)?;
    let folder = manifest.parent().context("the manifest is in no folder")?;
    let file = state.path().join("spin.toml");
    fs::write(&file, quarry_host::alone(&text, folder, component)?)?;
    start(program, &file, state, &[("SPIN_WASMTIME_LINEAR_MEMORY_KEEP_RESIDENT", "0")]).await
}

/// What an ended instance leaves with the process.
#[derive(Debug, Clone, Copy)]
pub enum Kept {
    /// As `cargo xtask up` sets it.
    Nothing,
    /// As Spin has it when nobody sets it.
    AsSpin,
}

/// Quarry, with its OpenAI provider at this address.
pub async fn quarry(program: &Path, manifest: &Path, base_url: &str, kept: Kept) -> Result<Host> {
    let mut variables = vec![
        ("SPIN_VARIABLE_OPENAI_BASE_URL", base_url),
        ("SPIN_VARIABLE_OPENAI_API_KEY", "bench"),
    ];
    if matches!(kept, Kept::Nothing) {
        variables.push(("SPIN_WASMTIME_LINEAR_MEMORY_KEEP_RESIDENT", "0"));
    }
    start(program, manifest, tempfile::tempdir()?, &variables).await
}

async fn start(
    program: &Path,
    manifest: &Path,
    state: TempDir,
    variables: &[(&str, &str)],
) -> Result<Host> {
    let mut process = Command::new(program)
        .arg("--manifest")
        .arg(manifest)
        .args(["--listen", "127.0.0.1:0", "--state-dir"])
        .arg(state.path())
        .envs(variables.iter().copied())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let output = process.stdout.take().context("the host has no output")?;
    let mut lines = BufReader::new(output).lines();
    while let Some(line) = lines.next_line().await? {
        if let Some(address) = line.strip_prefix("Serving http://") {
            let address = address.trim().parse()?;
            return Ok(Host { address, process, _state: state });
        }
    }
    bail!("the host ended before it served")
}

impl Host {
    /// Processor time that the process has used, in seconds; none where the system does not tell.
    pub fn processor_time(&self) -> Option<f64> {
        /// The kernel's clock ticks a second, on every Linux that people run.
        const TICKS: f64 = 100.0;
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id()?)).ok()?;
        // After the name in brackets: state, then numbers; user and system time are 12th and 13th.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
        let mut next = || fields.next()?.parse::<u32>().ok();
        Some(f64::from(next()? + next()?) / TICKS)
    }

    /// Resident memory in bytes; none where the system does not tell (it does on Linux).
    pub fn resident(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()?)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? * 1024)
    }
}
