//! Such a process, seen from whoever started it.

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::{Mutex, watch};
use tokio::time::timeout;

/// After this long without what it waits for a test is over: nothing here takes a tenth of it.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a driver says that leaves its run while nothing can be written.
const NOT_LET_GO: &str = "a run could not be let go of";

/// The last lines that components printed, for whoever looks into a failure.
const LINES_KEPT: usize = 40;

/// What a process has said.
#[derive(Debug, Clone, Default)]
pub struct Heard {
    url: Option<String>,
    /// The points that it reached, in order.
    pub points: Vec<String>,
    /// Deeds that failed.
    pub failed: usize,
    paused: Option<u64>,
    done: usize,
    /// Drivers that have left a run and could not write it, so that their leases stand.
    pub left: usize,
    /// What components printed.
    pub printed: Vec<String>,
    is_over: bool,
}

/// When it dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// At this point.
    At(u64),
    /// So many points behind the one at which somebody's wish for the run is about to be written; never without one.
    BehindWish(u64),
}

/// Where it dies or waits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Fate {
    /// When it dies.
    pub dies: Option<Death>,
    /// The point at which it waits for word.
    pub pauses: Option<u64>,
}

impl Fate {
    /// It dies here.
    pub fn dies(point: u64) -> Fate {
        Fate { dies: Some(Death::At(point)), pauses: None }
    }
}

/// Where its stores are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disk {
    /// Where other processes reach them.
    Shared,
    /// On a small file system of its own, which can be full.
    Own,
}

/// Mounts such a file system at the first argument, and becomes the rest.
const ON_ITS_OWN: &str = "mount -t tmpfs -o size=16m none \"$0\" && exec \"$@\"";

/// A shell whose mounts are its own, which Linux gives to everybody where it is not forbidden.
fn alone() -> Command {
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", ON_ITS_OWN]);
    command
}

impl Disk {
    /// Whether a process can have a file system of its own here.
    pub async fn can_be_had() -> bool {
        let Ok(place) = tempfile::tempdir() else { return false };
        let tried = alone().arg(place.path()).arg("true").stderr(Stdio::null()).status().await;
        tried.is_ok_and(|status| status.success())
    }

    /// A command that runs what its arguments say, with its stores at this place.
    fn command(self, state: &Path) -> Command {
        match self {
            Disk::Shared => {
                // A limit of a file's size sends a signal that ends a process, unless it is ignored.
                let mut command = Command::new("sh");
                command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
                command
            }
            Disk::Own => {
                let mut command = alone();
                command.arg(state);
                command
            }
        }
    }
}

/// A process that serves Quarry. Dropping it kills it.
pub struct Process {
    /// Its address without a final slash.
    pub url: String,
    child: Child,
    input: Mutex<ChildStdin>,
    heard: watch::Receiver<Heard>,
}

impl Process {
    /// Starts one, and returns when it serves.
    pub async fn start(
        (state, disk): (&Path, Disk),
        variables: &BTreeMap<String, String>,
        fate: &Fate,
    ) -> Result<Process> {
        let mut command = disk.command(state);
        command.arg(std::env::current_exe()?).arg("serve").arg("--state").arg(state);
        if disk == Disk::Own {
            command.arg("--own-disk");
        }
        let dies = fate.dies.map(|death| match death {
            Death::At(point) => ("--die", point),
            Death::BehindWish(points) => ("--die-behind-wish", points),
        });
        let pauses = fate.pauses.map(|point| ("--pause", point));
        for (name, number) in dies.into_iter().chain(pauses) {
            command.args([name.to_owned(), number.to_string()]);
        }
        for (name, value) in variables {
            command.env(format!("SPIN_VARIABLE_{}", name.to_uppercase()), value);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.kill_on_drop(true).spawn().context("cannot run this program")?;
        let (sender, heard) = watch::channel(Heard::default());
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let input = child.stdin.take().context("the process has no input")?;
        let told = sender.clone();
        tokio::spawn(async move {
            lines(out, |line| told.send_modify(|heard| heard.hear(line))).await;
            told.send_modify(|heard| heard.is_over = true);
        });
        tokio::spawn(async move {
            lines(err, |line| sender.send_modify(|heard| heard.print(line))).await;
        });
        let mut process = Process { url: String::new(), child, input: Mutex::new(input), heard };
        let heard = process.until("it serves", |heard| heard.url.is_some()).await?;
        process.url = heard.url.unwrap_or_default();
        Ok(process)
    }

    /// What it has said so far.
    pub fn heard(&self) -> Heard {
        self.heard.borrow().clone()
    }

    /// How a place in its file systems is reached from here.
    pub fn sees(&self, place: &Path) -> Result<PathBuf> {
        let id = self.child.id().context("the process is gone")?;
        let place = place.strip_prefix("/").context("no whole path")?;
        Ok(Path::new("/proc").join(id.to_string()).join("root").join(place))
    }

    /// Whether it is dead, or about to be.
    pub fn is_over(&self) -> bool {
        self.heard.borrow().is_over
    }

    /// Waits until it is dead, or about to be.
    pub async fn over(&self) {
        // Who is not read any more is gone.
        _ = self.heard.clone().wait_for(|heard| heard.is_over).await;
    }

    /// Waits until it waits at its point; false when it ended without that.
    pub async fn paused(&self) -> Result<bool> {
        let heard = self.heard_when("it reaches its point", |heard| heard.paused.is_some()).await?;
        Ok(heard.paused.is_some())
    }

    /// Waits until so many more deeds have failed than then.
    pub async fn failed(&self, before: usize, more: usize) -> Result<()> {
        self.heard_when("a write fails", |heard| heard.failed >= before + more).await.map(drop)
    }

    /// Lets it go on, or tells it that its disk is full, or has room.
    pub async fn tell(&self, word: &str) -> Result<()> {
        let before = self.heard.borrow().done;
        let sent = self.input.lock().await.write_all(format!("{word}\n").as_bytes()).await;
        // Of a process that is gone nobody expects anything.
        if sent.is_err() && self.is_over() {
            return Ok(());
        }
        self.heard_when("it has done as it was told", |heard| heard.done > before).await.map(drop)
    }

    /// Kills it, if it still lives, and waits until it is gone.
    pub async fn end(mut self) -> Result<Heard> {
        self.child.kill().await.context("the process cannot be killed")?;
        self.heard_when("it is gone", |heard| heard.is_over).await
    }

    /// Waits until it has died by itself, of the signal that nobody can catch.
    pub async fn dead(mut self) -> Result<Heard> {
        let heard = self.heard_when("it dies", |heard| heard.is_over).await?;
        let status = self.child.wait().await?;
        if !is_killed(status) {
            bail!(
                "the process ended with {status}, and not by SIGKILL:\n{}",
                heard.printed.join("\n")
            );
        }
        Ok(heard)
    }

    async fn until(&self, what: &str, is_so: impl Fn(&Heard) -> bool) -> Result<Heard> {
        let heard = self.heard_when(what, &is_so).await?;
        if !is_so(&heard) {
            bail!("the process ended before {what}:\n{}", heard.printed.join("\n"));
        }
        Ok(heard)
    }

    /// What it has said when that is so, or it is over.
    async fn heard_when(&self, what: &str, is_so: impl Fn(&Heard) -> bool) -> Result<Heard> {
        let mut listening = self.heard.clone();
        let waiting = listening.wait_for(|heard| heard.is_over || is_so(heard));
        match timeout(PATIENCE, waiting).await {
            Ok(heard) => Ok(heard.context("the process is not read any more")?.clone()),
            Err(_) => {
                let heard = self.heard.borrow();
                let (at, printed) = (heard.points.last(), heard.printed.join("\n"));
                bail!(
                    "for {PATIENCE:?} nothing came of waiting until {what}; it was {at:?}\n{printed}"
                )
            }
        }
    }
}

impl Heard {
    fn hear(&mut self, line: String) {
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "serving" => self.url = Some(rest.to_owned()),
            "at" => self.points.push(rest.split_once(' ').map_or(rest, |(_, it)| it).to_owned()),
            "failed" => self.failed += 1,
            "paused" => self.paused = rest.parse().ok(),
            "done" => self.done += 1,
            _ => self.print(line),
        }
    }

    fn print(&mut self, line: String) {
        self.left += usize::from(line.contains(NOT_LET_GO));
        if self.printed.len() == LINES_KEPT {
            self.printed.remove(0);
        }
        self.printed.push(line);
    }
}

async fn lines(from: Option<impl AsyncRead + Unpin>, mut take: impl FnMut(String)) {
    let Some(from) = from else { return };
    let mut lines = BufReader::new(from).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        take(line);
    }
}

fn is_killed(status: std::process::ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt as _;
    status.signal() == Some(9)
}
