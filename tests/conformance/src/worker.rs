//! One process that runs programs one after another: a line of JSON in, a line of JSON out.

use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::component::Component;
use crate::execution::Execution;
use crate::plain;

/// Which engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Engine {
    /// The engine by itself.
    Plain,
    /// The built sandbox.
    Component,
}

impl Engine {
    /// Its name on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Component => "component",
        }
    }

    /// The engine of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Plain, Self::Component].into_iter().find(|engine| engine.name() == name)
    }
}

/// A program to run.
#[derive(Debug, Serialize, Deserialize)]
pub struct Task {
    /// Its text.
    pub source: String,
}

enum Runner {
    Plain,
    Component(Box<Component>),
}

impl Runner {
    async fn run(&self, task: Task) -> Result<Execution> {
        match self {
            Self::Plain => plain::run(task.source),
            Self::Component(component) => component.run(&task.source).await,
        }
    }
}

/// Serves standard input until it ends.
///
/// # Errors
/// When the engine cannot start or the other side does not keep to the protocol.
pub fn serve(engine: Engine, manifest: &Path) -> Result<()> {
    let manifest: PathBuf = manifest.to_owned();
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let runner = match engine {
        // A panic is an answer; its words need not be printed as well.
        Engine::Plain => {
            std::panic::set_hook(Box::new(|_| {}));
            Runner::Plain
        }
        Engine::Component => {
            Runner::Component(Box::new(runtime.block_on(Component::start(&manifest))?))
        }
    };
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let task: Task = serde_json::from_str(&line?)?;
        let execution = runtime.block_on(runner.run(task))?;
        serde_json::to_writer(&mut output, &execution)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(())
}
