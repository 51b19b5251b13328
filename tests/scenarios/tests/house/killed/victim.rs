//! A process that serves Quarry and is killed: this program, run once more, as the one test that serves. It stops at a
//! statement, says so, and does nothing more until it is dead.

use quarry_host::{Deed, Host, Moment, When, Witness};
use quarry_scenarios::quarry::root;
use quarry_schema::{embedding, knowledge};
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::watch;
use tokio::time::timeout;

const STATE: &str = "QUARRY_VICTIM_STATE";
const POINT: &str = "QUARRY_VICTIM_POINT";
/// The test below.
const SERVES: &str = "killed::victim::serves";
/// After so long a test is over: nothing here takes a tenth of it.
const PATIENCE: Duration = Duration::from_secs(120);

/// Statements that a load passes, by their names here.
const STATEMENTS: [(&str, &str); 7] = [
    ("stage document", knowledge::STAGE_DOCUMENT),
    ("stage chunks", knowledge::STAGE_CHUNKS),
    ("claim texts", embedding::CLAIM_TEXTS),
    ("keep vectors", embedding::KEEP),
    ("note their use", embedding::USE),
    ("stage a piece", knowledge::STAGE_PIECE),
    ("commit", knowledge::COMMIT),
];

/// Where a process stops: before such a statement, or behind it, for the nth time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    statement: &'static str,
    nth: usize,
    is_before: bool,
}

impl Point {
    /// Nothing of it has happened.
    pub const fn before(statement: &'static str, nth: usize) -> Point {
        Point { statement, nth, is_before: true }
    }

    /// It is in the file, and whoever ran it does not know yet.
    pub const fn behind(statement: &'static str, nth: usize) -> Point {
        Point { is_before: false, ..Point::before(statement, nth) }
    }

    fn write(self) -> String {
        format!("{}/{}/{}", self.statement, self.nth, self.is_before)
    }

    fn read(text: &str) -> Option<Point> {
        let mut parts = text.split('/');
        let name = parts.next()?;
        let (statement, _) = STATEMENTS.into_iter().find(|(known, _)| *known == name)?;
        let nth = parts.next()?.parse().ok()?;
        Some(Point { statement, nth, is_before: parts.next()?.parse().ok()? })
    }

    fn is(self, moment: &Moment<'_>) -> bool {
        let Deed::Statement(text, _) = moment.deed else { return false };
        let when = if self.is_before { When::Before } else { When::Done };
        moment.when == when && STATEMENTS.contains(&(self.statement, text))
    }
}

/// Such a process. Dropping it kills it.
pub struct Process {
    /// Its address without a final slash.
    pub url: String,
    child: Child,
    /// Who closes it ends the process.
    _input: ChildStdin,
    heard: watch::Receiver<Heard>,
}

#[derive(Debug, Default)]
struct Heard {
    url: Option<String>,
    has_stopped: bool,
    is_over: bool,
    printed: Vec<String>,
}

impl Process {
    /// Starts one that stops there, if anywhere, and returns when it serves.
    pub async fn start(
        state: &Path,
        variables: &BTreeMap<String, String>,
        point: Option<Point>,
    ) -> Process {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args([SERVES, "--exact", "--ignored", "--nocapture"]).env(STATE, state);
        if let Some(point) = point {
            command.env(POINT, point.write());
        }
        for (name, value) in variables {
            command.env(format!("SPIN_VARIABLE_{}", name.to_uppercase()), value);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.kill_on_drop(true).spawn().unwrap();
        let (input, said) = (child.stdin.take().unwrap(), child.stderr.take().unwrap());
        let (told, heard) = watch::channel(Heard::default());
        tokio::spawn(async move {
            let mut lines = BufReader::new(said).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                told.send_modify(|heard| heard.hear(line));
            }
            told.send_modify(|heard| heard.is_over = true);
        });
        let mut process = Process { url: String::new(), child, _input: input, heard };
        process.until("it serves", |heard| heard.url.is_some()).await;
        process.url = process.heard.borrow().url.clone().unwrap();
        process
    }

    /// Waits until it has stopped where it was to.
    pub async fn stopped(&self) {
        self.until("it stops", |heard| heard.has_stopped).await;
    }

    /// Kills it as a kernel does that is out of memory, and waits until it is gone.
    pub async fn kill(mut self) {
        self.child.start_kill().unwrap();
        let status = self.child.wait().await.unwrap();
        assert_eq!(status.signal(), Some(9), "{status}: {:#?}", self.heard.borrow().printed);
    }

    async fn until(&self, what: &str, is_so: impl Fn(&Heard) -> bool) {
        let mut heard = self.heard.clone();
        let waited = timeout(PATIENCE, heard.wait_for(|heard| heard.is_over || is_so(heard))).await;
        let is_well = waited.is_ok_and(|heard| heard.is_ok_and(|heard| is_so(&heard)));
        assert!(is_well, "waiting until {what}: {:#?}", self.heard.borrow());
    }
}

impl Heard {
    fn hear(&mut self, line: String) {
        match line.split_once(' ') {
            Some(("serving", url)) => self.url = Some(url.to_owned()),
            Some(("stopped", _)) => self.has_stopped = true,
            _ => self.printed.push(line),
        }
    }
}

/// Nobody may listen any more.
fn say(line: &str) {
    _ = writeln!(std::io::stderr(), "{line}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a process that others start, and kill"]
async fn serves() {
    let Some(state) = std::env::var_os(STATE) else { return };
    let point = std::env::var(POINT).ok().map(|text| Point::read(&text).unwrap());
    let met = AtomicUsize::new(0);
    let witness = Witness::new(move |moment| {
        let Some(point) = point.filter(|point| point.is(&moment)) else { return };
        if 1 + met.fetch_add(1, Ordering::SeqCst) == point.nth {
            say(&format!("stopped at {}", point.write()));
            loop {
                std::thread::park();
            }
        }
    });
    let host = Host::builder(root().join("spin.toml"))
        .cache_dir(root().join("target/host-cache"))
        .state_dir(state)
        .max_instances(60)
        .variables_from_env()
        .witness(witness)
        .start()
        .await
        .unwrap();
    say(&format!("serving {}", host.url()));
    // Whoever started it is gone when nothing can come any more.
    let left = || std::io::stdin().read_to_end(&mut Vec::new());
    _ = tokio::task::spawn_blocking(left).await;
    std::process::exit(0);
}
