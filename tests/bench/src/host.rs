//! The host in a process of its own, so that what it uses can be read.

use crate::client::{self, Target};
use crate::usage::{self, Snapshot};
use anyhow::{Context, Result, bail};
use quarry_types::in_head::PROGRAM;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// The host's program, and how it is run.
#[derive(Debug, Clone)]
pub struct Program {
    pub file: PathBuf,
    pub manner: Manner,
    /// Where compiled components are kept.
    pub cache: PathBuf,
}

/// How a host behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Like Spin, and counts calls by the spans that Spin makes.
    LikeSpin,
    /// Without waits for acknowledgements; it counts calls.
    Counting,
    /// As users have it of `cargo xtask up`: without these waits, and nothing is counted.
    AsUp,
}

impl Manner {
    /// What the host is told of it.
    pub const fn flag(self) -> Option<&'static str> {
        match self {
            Manner::LikeSpin => Some("--like-spin"),
            Manner::Counting => Some("--count-calls"),
            Manner::AsUp => None,
        }
    }
}

/// What an ended instance leaves with the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// As `cargo xtask up` sets it.
    Nothing,
    /// As Spin has it when nobody sets it.
    AsSpin,
}

/// A host at work; dropping it ends it.
pub struct Host {
    pub address: SocketAddr,
    process: Child,
    _state: TempDir,
}

/// The smallest program, as the courier has it for the sandbox.
pub const SMALLEST: &str = r#"{"source":"6 * 7","timeout_ms":5000}"#;

const KEEP_NOTHING: (&str, &str) = (quarry_host::KEEP_RESIDENT, "0");

impl Program {
    /// The same without the waits for acknowledgements, which hide what else takes time.
    pub fn prompt(&self) -> Program {
        Program { manner: Manner::Counting, ..self.clone() }
    }

    /// The hello-world component, for everyone.
    pub async fn hello(&self, component: &Path) -> Result<Host> {
        let text = manifest(&[("hello", component, Some("/..."), &[])])?;
        self.start_with(&text, &[]).await
    }

    /// The floor of an ask: these calls to this address, lines as the guest reads them, and, behind
    /// private routes, a hello world and the sandbox.
    pub async fn floor(&self, hello: &Path, quarry: &Path, url: &str, calls: &str) -> Result<Host> {
        let sandbox = built(quarry).join("sandbox.wasm");
        let header = format!("{PROGRAM}: {SMALLEST}");
        let environment = [
            ("FLOOR_URL", url),
            ("FLOOR_CALLS", calls),
            ("FLOOR_HOP", "http://hello.spin.internal/hello"),
            ("FLOOR_HOP_HELLO", "http://hello.spin.internal/hello"),
            ("FLOOR_HOP_SANDBOX", "http://sandbox.spin.internal/javascript/run"),
            ("FLOOR_HOP_SANDBOX_HEADER", header.as_str()),
        ];
        let text = manifest(&[
            ("floor", hello, Some("/..."), &environment),
            ("hello", hello, None, &[]),
            ("sandbox", &sandbox, None, &[]),
        ])?;
        self.start_with(&text, &[]).await
    }

    /// One component of the manifest by itself, which everyone may call.
    pub async fn alone(&self, manifest: &Path, component: &str) -> Result<Host> {
        let manifest = fs::canonicalize(manifest).context("there is no manifest")?;
        let text = fs::read_to_string(&manifest)?;
        let folder = manifest.parent().context("the manifest is in no folder")?;
        let text = quarry_host::alone(&text, folder, component)?;
        self.start_with(&text, Kept::unless(self).variables()).await
    }

    /// Quarry, with its OpenAI provider at this address.
    pub async fn quarry(&self, manifest: &Path, base_url: &str, kept: Kept) -> Result<Host> {
        let mut variables = vec![
            ("SPIN_VARIABLE_OPENAI_BASE_URL", base_url),
            ("SPIN_VARIABLE_OPENAI_API_KEY", "bench"),
        ];
        variables.extend(kept.variables());
        self.start(manifest, tempfile::tempdir()?, &variables).await
    }

    /// Quarry, on what is in this directory.
    pub async fn serving(
        &self,
        manifest: &Path,
        state: TempDir,
        variables: &[(&str, &str)],
    ) -> Result<Host> {
        self.start(manifest, state, variables).await
    }

    async fn start_with(&self, manifest: &str, variables: &[(&str, &str)]) -> Result<Host> {
        let state = tempfile::tempdir()?;
        let file = state.path().join("spin.toml");
        fs::write(&file, manifest)?;
        self.start(&file, state, variables).await
    }

    async fn start(
        &self,
        manifest: &Path,
        state: TempDir,
        variables: &[(&str, &str)],
    ) -> Result<Host> {
        let mut process = Command::new(&self.file)
            .arg("--manifest")
            .arg(manifest)
            .args(["--listen", "127.0.0.1:0", "--state-dir"])
            .arg(state.path())
            .arg("--cache-dir")
            .arg(&self.cache)
            .args(self.manner.flag())
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("cannot start {}", self.file.display()))?;
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
}

impl Kept {
    /// What a host is run with that does not matter otherwise.
    pub fn unless(program: &Program) -> Kept {
        if program.manner == Manner::LikeSpin { Kept::AsSpin } else { Kept::Nothing }
    }

    pub fn variables(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Kept::Nothing => &[KEEP_NOTHING],
            Kept::AsSpin => &[],
        }
    }
}

/// The folder of the built components of a manifest.
pub fn built(manifest: &Path) -> PathBuf {
    manifest.parent().unwrap_or(Path::new(".")).join("target/quarry")
}

/// A component: its name, its file, its route unless it is private, its environment.
type Listed<'a> = (&'a str, &'a Path, Option<&'a str>, &'a [(&'a str, &'a str)]);

fn manifest(components: &[Listed<'_>]) -> Result<String> {
    let mut text =
        "spin_manifest_version = 2\n[application]\nname = \"bench\"\nversion = \"1.0.0\"\n"
            .to_owned();
    for (name, file, route, environment) in components {
        let missing = || format!("{} is not built", file.display());
        let source = quoted(&fs::canonicalize(file).with_context(missing)?.display().to_string());
        let route = route.map_or("{ private = true }".to_owned(), quoted);
        write!(
            text,
            "[[trigger.http]]\nroute = {route}\ncomponent = \"{name}\"\n\
             [component.{name}]\nsource = {source}\n\
             allowed_outbound_hosts = [\"http://127.0.0.1:*\", \"http://*.spin.internal\"]\n\
             [component.{name}.environment]\n"
        )?;
        for (key, value) in *environment {
            writeln!(text, "{key} = {}", quoted(value))?;
        }
    }
    Ok(text)
}

/// A string of JSON is one of TOML too.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl Host {
    pub fn process(&self) -> Option<u32> {
        self.process.id()
    }

    /// Processor time that the process has used, in seconds; none where the system does not tell.
    pub fn processor_time(&self) -> Option<f64> {
        let used = Snapshot::of(self.process()?)?;
        Some(used.user + used.system)
    }

    /// Resident memory in bytes; none where the system does not tell.
    pub fn resident(&self) -> Option<f64> {
        usage::resident(self.process()?)
    }

    /// The calls to the host so far, by component and name.
    pub async fn calls(&self) -> Result<BTreeMap<(String, String), u64>> {
        let target = Target::get(self.address, "/.well-known/spin/host-calls");
        let told = String::from_utf8(client::once(&target).await?.body)?;
        let read = |line: &str| {
            let mut fields = line.split('\t').map(str::to_owned);
            let name = (fields.next()?, fields.next()?);
            Some((name, fields.next()?.parse().ok()?))
        };
        told.lines().map(|line| read(line).context("the host tells no calls")).collect()
    }

    /// The most linear memory that a component has had since this was asked last: bytes of one memory, and of all of an
    /// instance.
    pub async fn memory(&self, component: &str) -> Result<[usize; 2]> {
        let target = Target::get(self.address, "/.well-known/spin/peak-memory");
        let told = String::from_utf8(client::once(&target).await?.body)?;
        let read = |line: &str| {
            let mut fields = line.strip_prefix(component)?.strip_prefix('\t')?.split('\t');
            Some([fields.next()?.parse().ok()?, fields.next()?.parse().ok()?])
        };
        told.lines().find_map(read).with_context(|| format!("no memory of {component} is told"))
    }
}
