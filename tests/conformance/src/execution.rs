//! What an engine did with a program, in the same words for every engine.

use serde::{Deserialize, Serialize};

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// It ran to its end and left nothing uncaught.
    Completed,
    /// Something was thrown, or a promise rejected, and not caught.
    Threw {
        /// The error's name; `Uncaught` when it is not one of the language's own.
        name: String,
        /// Its message, or the value in words.
        message: String,
    },
    /// A limit ended it.
    Limit(String),
    /// The engine failed, or went away.
    Crashed(String),
}

/// One run of one program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Execution {
    /// What it printed.
    pub console: Vec<String>,
    /// How it ended.
    pub ending: Ending,
}

impl Execution {
    /// A run of which nothing is left but its end.
    #[must_use]
    pub fn ended(ending: Ending) -> Self {
        Self { console: Vec::new(), ending }
    }
}
