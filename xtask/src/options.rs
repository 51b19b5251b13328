//! What may be said after `up`, `ask`, `run`, `ingest`, `js` and `pages`, read once for both sides: the task, which
//! refuses a mistake before it builds for minutes, and the program that does the work.

pub mod ask;
pub mod ingest;
pub mod js;
pub mod pages;
pub mod run;
pub mod up;

/// What runs the components.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runtime {
    /// `tests/host`, which is part of this project.
    Local,
    /// `spin up`, which has to be installed.
    Spin,
}

impl std::str::FromStr for Runtime {
    type Err = String;

    fn from_str(text: &str) -> Result<Runtime, String> {
        match text {
            "local" => Ok(Runtime::Local),
            "spin" => Ok(Runtime::Spin),
            other => Err(format!("`{other}` is no runtime; there are `local` and `spin`")),
        }
    }
}
