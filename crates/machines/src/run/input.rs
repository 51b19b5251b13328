//! What happens to a run, and what it wants done. Inputs are what the journal holds.

use super::{Brief, Models, NodeId, Replaced};
use crate::core::{Budget, Ticket};
use quarry_events::run::{Event, Role, RunStatus, WaitingFor};
use quarry_journal::run::{FoundAgain, Searched};
use quarry_tools::{Errand, Outcome};
use quarry_types::json::tagged::Tagged;
use quarry_types::text::cut;
use quarry_types::{ChatError, ChatRequest, Completion, Knobs, RunId, Timestamp};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Characters of why something cannot be read: a parser's words repeat what it met.
const MOST_MESSAGE: usize = 300;

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "snake_case")]
pub enum RunInput {
    /// The run was asked for; always the first, and only that.
    Asked {
        /// What for.
        brief: Box<Brief>,
    },
    /// A model call ended.
    Model {
        /// Which.
        ticket: Ticket,
        /// The reply, or why there is none.
        result: Result<Completion, ChatError>,
    },
    /// A model says what is shown as it comes: more of its reply, which follows on what it said before.
    Words {
        /// In which call.
        ticket: Ticket,
        /// What it says.
        text: String,
    },
    /// An errand ended.
    Tool {
        /// Which.
        ticket: Ticket,
        /// What it brought.
        outcome: Outcome,
        /// Where it was taken from, if nothing was searched for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reused: Option<Box<Reused>>,
    },
    /// These are about to begin. What they are stands here for whoever reads the journal.
    Begun {
        /// Their tickets and all else.
        effects: Vec<Effect>,
    },
    /// A person steers.
    Guidance {
        /// In these words.
        text: String,
    },
    /// A person ends it.
    Abort,
    /// A person, or the time that a run waited for, has it go on.
    Resumed {
        /// Whether a person asked for it.
        by_request: bool,
        /// Knobs in place of those it has.
        knobs: Option<Box<Knobs>>,
        /// Those of them that were named, one JSON object: where it went on otherwise since, the others stay.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        named: Option<String>,
        /// Limits in place of those it has.
        budget: Option<Budget>,
        /// The versions of policies under which it goes on; none: those it has.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        policies: Option<BTreeMap<String, u32>>,
        /// The models that a key of the caller's pays for from here on, which came with it and is kept nowhere; none:
        /// those it paid for before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        paid_by_caller: Option<Vec<String>>,
    },
    /// It goes on as a run of its own.
    Forked {
        /// From which.
        from: RunId,
        /// Another task; none: the same.
        task: Option<String>,
        /// Its bounds.
        knobs: Box<Knobs>,
        /// Another model, and the models that the caller's own key pays for; none: the same.
        models: Option<Box<(Models, Vec<String>)>>,
        /// The versions of policies under which it goes on; none: those it has.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        policies: Option<BTreeMap<String, u32>>,
        /// Models that others stand in for.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        replaced: Vec<Replaced>,
        /// Whether the operator pays for its vectors; none: as for the other.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        operator_keys: Option<bool>,
    },
    /// Whoever takes it up has other versions of these policies, each in words.
    PolicyChanged {
        /// `search 1 → 2`
        policies: Vec<String>,
    },
    /// Something was left for it that nobody can read.
    Unreadable {
        /// What, and why, in a sentence.
        message: String,
    },
    /// Another instance drives it: what was under way is lost with the one before.
    TakenUp {
        /// Until when that one is known to have driven it; none: no longer than it told it anything.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        driven_until: Option<Timestamp>,
    },
    /// Time has passed.
    Clock,
}

/// The field that says what happened.
const TAG: &str = "input";

impl Serialize for RunInput {
    fn serialize<S: Serializer>(&self, by: S) -> Result<S::Ok, S::Error> {
        RunInput::serialize(self, Tagged { tag: TAG, by })
    }
}

impl<'de> Deserialize<'de> for RunInput {
    fn deserialize<D: Deserializer<'de>>(by: D) -> Result<Self, D::Error> {
        RunInput::deserialize(Tagged { tag: TAG, by })
    }
}

impl RunInput {
    /// The name under which it lies in the inbox. The statement that ends a run takes every `abort` with it: one
    /// that came too late must not end the run when it is resumed.
    #[must_use]
    pub const fn wish(&self) -> &'static str {
        match self {
            RunInput::Abort => "abort",
            RunInput::Guidance { .. } => "guidance",
            _ => "input",
        }
    }

    /// Whether it says whose key pays from here on: one that came before is of no use any more.
    #[must_use]
    pub const fn says_who_pays(&self) -> bool {
        matches!(self, RunInput::Resumed { paid_by_caller: Some(_), .. })
    }

    /// What a person left for whoever drives the run; what cannot be read is an input, too, so that it is taken
    /// and told.
    #[must_use]
    pub fn said(body: Option<&str>) -> RunInput {
        let Some(body) = body else {
            return RunInput::Unreadable { message: "it is no text".to_owned() };
        };
        match serde_json::from_str(body) {
            Ok(said @ (RunInput::Guidance { .. } | RunInput::Abort)) => said,
            Ok(_) => {
                RunInput::Unreadable { message: "it is nothing that a person says".to_owned() }
            }
            Err(error) => RunInput::Unreadable { message: cut(&error.to_string(), MOST_MESSAGE) },
        }
    }
}

impl RunInput {
    /// What ends an errand with what another run found; none where that is nothing that was found.
    #[must_use]
    pub fn found_again(ticket: Ticket, found: FoundAgain) -> Option<RunInput> {
        let FoundAgain { at, query, run, body } = found;
        match serde_json::from_str(body.text()) {
            Ok(RunInput::Tool { outcome: outcome @ Outcome::Found(_), .. }) => {
                let reused = Some(Box::new(Reused { at, query, run }));
                Some(RunInput::Tool { ticket, outcome, reused })
            }
            _ => None,
        }
    }
}

/// What something under way is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Which queries a node searches for.
    Queries(NodeId),
    /// One of a node's queries, by its place.
    Query(NodeId, u32),
    /// What a node's sources say.
    Findings(NodeId),
    /// Whether a node is answered.
    Judgement(NodeId),
    /// What a node's parts are.
    Parts(NodeId),
    /// Whether another round is worth it.
    Pass(u32),
    /// The report.
    Report,
}

impl Purpose {
    /// The node whose it is.
    #[must_use]
    pub const fn node(self) -> Option<NodeId> {
        match self {
            Purpose::Queries(node)
            | Purpose::Query(node, _)
            | Purpose::Findings(node)
            | Purpose::Judgement(node)
            | Purpose::Parts(node) => Some(node),
            Purpose::Pass(_) | Purpose::Report => None,
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Purpose::Queries(node) => write!(f, "{node}/queries"),
            Purpose::Query(node, at) => write!(f, "{node}/query-{at}"),
            Purpose::Findings(node) => write!(f, "{node}/findings"),
            Purpose::Judgement(node) => write!(f, "{node}/judgement"),
            Purpose::Parts(node) => write!(f, "{node}/parts"),
            Purpose::Pass(round) => write!(f, "round-{round}/pass"),
            Purpose::Report => f.write_str("report"),
        }
    }
}

/// Where an outcome was taken from that another run of the same caller's has paid for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reused {
    /// When it was found.
    pub at: Timestamp,
    /// For which query, of the same intent.
    pub query: String,
    /// By which run.
    pub run: RunId,
}

/// Under what the outcome of a search may be found in the caller's other runs, before anybody searches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reuse {
    /// What the query is after.
    pub intent: String,
    /// Milliseconds that it may be old.
    pub max_age_ms: u64,
    /// Results that are wanted.
    pub results: u32,
}

/// What is to be done. Its id is the same whoever drives the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// To be told with the outcome.
    pub ticket: Ticket,
    /// Names it in the run: what it is for and its ticket. A second attempt has the same.
    pub id: String,
    /// From 1; a second one follows when an instance died.
    pub attempt: u32,
    /// Milliseconds after which it is given up.
    pub timeout_ms: u64,
    /// What to do.
    pub what: What,
    /// Where to look first; none: nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reuse: Option<Reuse>,
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// Call a model.
    Model {
        /// As which role.
        role: Role,
        /// The request; holds no key.
        request: Box<ChatRequest>,
    },
    /// Run an errand.
    Errand(Errand),
}

/// A run's answer to an input.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunReaction {
    /// To be kept and shown, in order.
    pub events: Vec<Event>,
    /// Whether the state is to be kept as a checkpoint now.
    pub checkpoint: bool,
    /// The nodes that changed.
    pub nodes: BTreeSet<NodeId>,
    /// What the input is found again by in the caller's other runs.
    pub searched: Option<Searched>,
}

/// Where a run stands, for whoever drives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// In a word.
    pub status: RunStatus,
    /// What it waits for; nothing is under way then.
    pub waiting: Option<WaitingFor>,
    /// When it wants to be told the time.
    pub wake_at: Option<Timestamp>,
}
