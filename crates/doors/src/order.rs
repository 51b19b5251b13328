//! What a request asks for, whichever door it came through.
//!
//! Border: what needs no configuration has been checked. Whether the model exists, a key is at
//! hand or a continuation is ours is for the callee to say.

use crate::{ConsultRequest, Reply, knowledge, runs};
use std::fmt;

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// Start an ask and tell its events.
    Start(Box<AskRequest>),
    /// Join an ask's stream.
    Rejoin {
        /// The ask's id.
        id: String,
        /// The number of the last event seen; 0: none.
        after: u64,
    },
    /// End an ask early.
    Stop {
        /// The ask's id.
        id: String,
    },
    /// Ask documents of one's own, and tell the events.
    Consult(Box<ConsultRequest>),
    /// Do something with a run.
    Run(Box<runs::Order>),
    /// Do something with documents of one's own.
    Knowledge(Box<knowledge::Order>),
    /// Look how the server is.
    Health,
    /// Nothing: the answer is known.
    Reply(Reply),
}

/// A question, and who asks it. Printed, it shows no secret.
#[derive(Clone, PartialEq)]
pub struct AskRequest {
    /// The question; empty only with `resume`.
    pub query: String,
    /// `provider:name`.
    pub model: Option<String>,
    /// The caller's own provider key.
    pub api_key: Option<String>,
    /// For the comparison with the operator's access secret.
    pub access_secret: Option<String>,
    /// A Google ID token.
    pub google_token: Option<String>,
    /// Go on from an interrupted ask.
    pub resume: Option<Continuation>,
    /// Hard limits.
    pub budget: Budget,
    /// Tool iterations at most.
    pub max_iterations: Option<u32>,
    /// Where evidence may come from.
    pub sources: Sources,
    /// Whether the model judges the citations that the check could neither confirm nor refute.
    pub verify_with_model: bool,
}

impl fmt::Debug for AskRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AskRequest")
            .field("query", &self.query)
            .field("model", &self.model)
            .field("budget", &self.budget)
            .field("max_iterations", &self.max_iterations)
            .field("sources", &self.sources)
            .field("verify_with_model", &self.verify_with_model)
            .finish_non_exhaustive()
    }
}

/// Hard limits of an ask.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Budget {
    /// US dollars.
    pub usd: Option<f64>,
    /// Input and output together.
    pub tokens: Option<u64>,
}

/// Where evidence may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sources {
    /// The public web.
    pub web: bool,
    /// The private knowledge base.
    pub knowledge: bool,
}

/// Where an interrupted ask goes on from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Continuation {
    /// The id of an ask whose state the server keeps.
    Kept(String),
    /// The state as the client received it, one JSON text.
    State(String),
}
