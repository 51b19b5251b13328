//! The `sandbox` component by itself.

use crate::component::Component;
use crate::quarry::root;
use anyhow::{Context, Result, anyhow};
use quarry_types::in_head::{OUTCOME, PROGRAM};
use serde::Deserialize;
use serde_json::json;
use std::path::PathBuf;

/// A sandbox at work. Dropping it ends it.
pub struct Sandbox(Component);

/// What a program left behind.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Ended {
    /// What it printed.
    pub console: Vec<Line>,
    /// The value of its last expression.
    pub value: Last,
    /// What it threw.
    pub error: Option<Thrown>,
    /// `Time`, `Memory`, `Output`, `Recursion` or `Source`.
    pub limit: Option<String>,
    /// Wall clock.
    pub elapsed_ms: u64,
    /// Of the engine.
    pub instructions: u64,
}

/// A console line.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Line {
    /// `Log`, `Info`, `Warn`, `Error` or `Debug`.
    pub level: String,
    /// What it says.
    pub text: String,
}

/// The value of the last expression.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum Last {
    /// None, or undefined.
    None,
    /// As JSON.
    Json(String),
    /// As text.
    Text(String),
}

/// What was thrown.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Thrown {
    /// Its name.
    pub name: String,
    /// What it says.
    pub message: String,
    /// Where.
    pub line: Option<u32>,
    /// Where.
    pub column: Option<u32>,
}

impl Sandbox {
    /// Starts it.
    pub async fn start() -> Result<Sandbox> {
        Component::start("sandbox", &[]).await.map(Sandbox)
    }

    /// Runs a program within five seconds.
    pub async fn run(&self, source: &str) -> Result<Ended> {
        self.run_within(source, 5_000).await
    }

    /// Runs a program within so many milliseconds.
    pub async fn run_within(&self, source: &str, milliseconds: u32) -> Result<Ended> {
        let program = json!({ "source": source, "timeout_ms": milliseconds });
        let ended = self.0.call("/javascript/run", &program).await?;
        let ended = ended.map_err(|refused| anyhow!("the sandbox refused: {refused}"))?;
        serde_json::from_value(ended).context("this is no outcome")
    }

    /// Runs a program that comes in a request's head, and says whether its outcome came in one, too.
    pub async fn run_in_head(&self, source: &str) -> Result<(Ended, bool)> {
        let program = json!({ "source": source, "timeout_ms": 5_000 });
        let call = self.0.call_in_head("/javascript/run", PROGRAM, &program, OUTCOME);
        let (ended, in_head) = call.await?;
        Ok((serde_json::from_value(ended).context("this is no outcome")?, in_head))
    }

    /// What it printed, a crash included; nothing under Spin.
    pub fn output(&self) -> String {
        self.0.output()
    }
}

/// A program of a corpus.
pub struct Program {
    /// Its file.
    pub file: PathBuf,
    /// Its text.
    pub source: String,
}

/// All programs below `tests/<corpus>`, in order.
pub fn corpus(corpus: &str) -> Result<Vec<Program>> {
    let mut folders = vec![root().join("tests").join(corpus)];
    let mut programs = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let file = entry?.path();
            if file.is_dir() {
                folders.push(file);
            } else if file.extension().is_some_and(|extension| extension == "js") {
                let source = std::fs::read_to_string(&file)?;
                programs.push(Program { file, source });
            }
        }
    }
    programs.sort_by(|one, other| one.file.cmp(&other.file));
    Ok(programs)
}

impl Ended {
    /// What it printed and gave, in the form of the expected files of `tests/programs`.
    pub fn transcript(&self) -> String {
        let mut text = String::new();
        for line in &self.console {
            if line.level != "Log" {
                text.push_str(&format!("[{}] ", line.level.to_lowercase()));
            }
            text.push_str(&line.text);
            text.push('\n');
        }
        match (&self.error, &self.value) {
            (Some(error), _) => text.push_str(&format!("!! {}: {}\n", error.name, error.message)),
            (None, Last::Json(value) | Last::Text(value)) => {
                text.push_str(&format!("=> {value}\n"));
            }
            (None, Last::None) => {}
        }
        text
    }

    /// How it ended, in the words of the headers of `tests/hostile`.
    pub fn ending(&self) -> String {
        match (&self.limit, &self.error) {
            (Some(limit), _) => limit.to_lowercase(),
            (None, Some(error)) => format!("error {}", error.name),
            (None, None) => "value".to_owned(),
        }
    }
}

/// The value of a header line `// name: value` among the comments that open a program.
pub fn header<'a>(source: &'a str, name: &str) -> Option<&'a str> {
    source
        .lines()
        .map_while(|line| line.strip_prefix("//"))
        .find_map(|line| line.trim_start().strip_prefix(name)?.strip_prefix(':').map(str::trim))
}
