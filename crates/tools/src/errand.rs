//! What tools want done outside: the closed list that a driver performs.

use serde::{Deserialize, Serialize};

/// One thing to do outside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Errand {
    /// Search the web.
    Search {
        /// What for.
        query: String,
        /// Results wanted, 1 to 50.
        limit: u32,
        /// Milliseconds.
        timeout_ms: u64,
        /// Whether to read the pages found.
        load_content: bool,
    },
    /// Read a page.
    ReadPage {
        /// Its address.
        url: String,
        /// Milliseconds.
        timeout_ms: u64,
    },
    /// Run a program.
    RunProgram {
        /// The program.
        code: String,
        /// Milliseconds.
        timeout_ms: u64,
    },
}

impl Errand {
    /// Whether it reaches beyond Quarry. Such an errand is recorded before it starts; a program
    /// in the sandbox costs nobody anything and can be run again.
    #[must_use]
    pub const fn touches_the_outside(&self) -> bool {
        match self {
            Errand::Search { .. } | Errand::ReadPage { .. } => true,
            Errand::RunProgram { .. } => false,
        }
    }
}

/// Seconds as models give them, in milliseconds.
pub const fn milliseconds(seconds: u32) -> u64 {
    seconds as u64 * 1_000
}
