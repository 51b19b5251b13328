//! Worker processes of one engine: taken, used, put back; replaced when they crash or hang.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::execution::{Ending, Execution};
use crate::worker::{Engine, Task};

/// How long the plain engine may take. It has no limit of its own.
const PLAIN: Duration = Duration::from_secs(10);

/// How long the sandbox may take: its own limit of ten seconds, and time to say so.
const COMPONENT: Duration = Duration::from_secs(15);

/// The address space of the plain engine, in KiB: some programs fill all memory there is.
const PLAIN_MEMORY: u64 = 4 * 1024 * 1024;

/// How to start workers.
#[derive(Debug, Clone)]
pub struct Setup {
    /// This program.
    pub program: PathBuf,
    /// The manifest that names the sandbox.
    pub manifest: PathBuf,
}

/// The workers of one engine.
#[derive(Debug)]
pub struct Pool {
    engine: Engine,
    setup: Setup,
    idle: Mutex<Vec<Worker>>,
}

#[derive(Debug)]
struct Worker {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Pool {
    /// A pool without workers; they are started as they are needed.
    #[must_use]
    pub fn new(engine: Engine, setup: Setup) -> Self {
        Self { engine, setup, idle: Mutex::default() }
    }

    /// Runs a program.
    ///
    /// # Errors
    /// When no worker can be started; what a program does to its worker is an ending.
    pub async fn run(&self, source: String) -> Result<Execution> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut worker = match idle {
            Some(worker) => worker,
            None => self.start().await?,
        };
        let limit = match self.engine {
            Engine::Plain => PLAIN,
            Engine::Component => COMPONENT,
        };
        match tokio::time::timeout(limit, worker.run(&Task { source })).await {
            Ok(Ok(execution)) => {
                self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
                Ok(execution)
            }
            Ok(Err(error)) => {
                let how = match worker.child.wait().await {
                    Ok(status) => format!("the process ended with {status}"),
                    Err(_) => format!("{error:#}"),
                };
                Ok(Execution::ended(Ending::Crashed(how)))
            }
            Err(_) => {
                worker.child.kill().await.context("cannot end a worker")?;
                Ok(Execution::ended(match self.engine {
                    Engine::Plain => Ending::Limit("time".to_owned()),
                    Engine::Component => {
                        Ending::Crashed(format!("no answer within {} s", limit.as_secs()))
                    }
                }))
            }
        }
    }

    /// Starts a worker and waits until it answers, so that starting is no program's time.
    async fn start(&self) -> Result<Worker> {
        let mut command = match self.engine {
            Engine::Plain => {
                let mut shell = Command::new("sh");
                let limited = format!("ulimit -v {PLAIN_MEMORY} && exec \"$0\" \"$@\"");
                shell.arg("-c").arg(limited).arg(&self.setup.program);
                shell
            }
            Engine::Component => Command::new(&self.setup.program),
        };
        command.args(["worker", self.engine.name()]).arg(&self.setup.manifest);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        if self.engine == Engine::Plain {
            // The runtime's last words on an overflow of the stack.
            command.stderr(Stdio::null());
        }
        let mut child = command.spawn().context("cannot start a worker")?;
        let input = child.stdin.take().context("a worker has no standard input")?;
        let output = child.stdout.take().context("a worker has no standard output")?;
        let mut worker = Worker { child, input, output: BufReader::new(output) };
        let first = worker.run(&Task { source: "1".to_owned() }).await;
        first.with_context(|| format!("a worker of the {} does not start", self.engine.name()))?;
        Ok(worker)
    }
}

impl Worker {
    async fn run(&mut self, task: &Task) -> Result<Execution> {
        let mut line = serde_json::to_vec(task)?;
        line.push(b'\n');
        self.input.write_all(&line).await?;
        let mut answer = String::new();
        self.output.read_line(&mut answer).await?;
        serde_json::from_str(&answer).context("the worker gave no answer")
    }
}
