//! The ask machine: set-up, planning, research, answer.
//!
//! Everything that it knows is in its state, which serialises: a checkpoint is that state, a
//! resume is to read it and go on. Source: the ask contract; reference sections 4, 8, 10, 11, 18.

mod answer;
mod checking;
mod config;
mod continuation;
mod convert;
mod direct;
mod ending;
mod form;
mod opening;
mod phase;
mod plan;
mod question;
mod request;
mod research;
mod restore;
mod rule;
mod settings;
mod wish;

pub use config::{AskConfig, Own, TokenCeilings};
#[cfg(feature = "schema")]
pub(crate) use continuation::SEVEN;
pub use continuation::{ContinuationState, StateError};
pub(crate) use question::is_calculation;
pub use request::{Answering, AskRequest, Asker, Refusal};
pub use restore::Earlier;
pub use settings::AskSettings;
pub use wish::{Form, Said, Speaker, Wish};

use crate::core::{
    Calls, Draft, Fence, Input, Machine, ModelSheet, Numbering, Reaction, Secret, Stops, Turn,
};
use ending::Answer;
use form::Forming;
use phase::Phase;
use plan::Setup;
use quarry_events::{Fallback, Init, User, left_out_line};
use quarry_types::{AskId, Timestamp};
use research::Research;
use restore::Start;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An ask as it is accepted.
#[derive(Clone, PartialEq)]
pub struct AskParams {
    /// Its id.
    pub id: AskId,
    /// The question.
    pub query: String,
    /// What the caller wants beside it.
    pub wish: Wish,
    /// The model.
    pub model: ModelSheet,
    /// Set when another model answers than was asked for.
    pub fallback: Option<Fallback>,
    /// The caller, when identified.
    pub user: Option<User>,
    /// Whether the operator's keys may be used.
    pub operator_keys: bool,
    /// What it may use.
    pub config: AskConfig,
    /// What of that the request says itself.
    pub own: Own,
    /// Marks text from outside; new for each ask.
    pub fence: Fence,
    /// Signs continuation states.
    pub secret: Option<String>,
}

impl fmt::Debug for AskParams {
    /// Without the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AskParams")
            .field("id", &self.id)
            .field("query", &self.query)
            .field("wish", &self.wish)
            .field("model", &self.model)
            .field("fallback", &self.fallback)
            .field("user", &self.user)
            .field("operator_keys", &self.operator_keys)
            .field("config", &self.config)
            .field("own", &self.own)
            .field("fence", &self.fence)
            .finish_non_exhaustive()
    }
}

/// What stays as it was when the ask was accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Brief {
    id: String,
    query: String,
    /// What the caller wants beside it; none for asks that were kept before there were wishes.
    #[serde(default)]
    wish: Wish,
    /// The question as it reads without the conversation, once the set-up has said so.
    #[serde(default)]
    question: Option<String>,
    /// What the caller itself said of the configuration; nothing for asks that were kept before that was.
    #[serde(default)]
    own: Own,
    fallback: Option<Fallback>,
    user: Option<User>,
    operator_keys: bool,
    fence: Fence,
    started: Timestamp,
}

/// Where an ask stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Stage {
    /// Not begun.
    Ready(Start),
    /// The set-up call is under way.
    Setup,
    /// The planning call is under way.
    Planning { setup: Setup },
    /// Research is under way.
    Researching(Research),
    /// The final call is under way.
    Answering { research: Research, draft: Box<Draft> },
    /// The answer is written; the model judges its citations.
    Checking(Box<Answer>),
    /// The answer is written and checked; the model puts it into the form that is wanted.
    Forming(Box<Forming>),
    /// Ended so that it can be gone on with from here.
    Interrupted(Start),
    /// Nothing more will happen.
    Ended,
}

/// The ask machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    brief: Brief,
    config: AskConfig,
    /// Never serialised: a checkpoint holds no secret.
    #[serde(skip)]
    secret: Secret,
    numbering: Numbering,
    calls: Calls<Phase>,
    stage: Stage,
    /// Kept here, too: what is written beside the state may be missing where a store failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_stopped: bool,
}

impl Ask {
    /// A new ask.
    #[must_use]
    pub fn new(params: AskParams, now: Timestamp) -> Self {
        Ask::starting(params, Start::Fresh, now)
    }

    fn starting(params: AskParams, start: Start, now: Timestamp) -> Self {
        let AskParams {
            id,
            query,
            wish,
            model,
            fallback,
            user,
            operator_keys,
            config,
            own,
            fence,
            secret,
        } = params;
        Ask {
            brief: Brief {
                id: id.to_string(),
                query,
                wish,
                question: None,
                own,
                fallback,
                user,
                operator_keys,
                fence,
                started: now,
            },
            calls: Calls::new(model, config.reasoning_effort, config.budget),
            config,
            secret: Secret(secret),
            numbering: Numbering::default(),
            stage: Stage::Ready(start),
            is_stopped: false,
        }
    }

    /// Whether it could be gone on with, and somebody ended it on purpose or for want of readers.
    #[must_use]
    pub const fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Gives a deserialised ask the secret that its checkpoint left out. Without it the
    /// continuation states that it writes are unsigned.
    #[must_use]
    pub fn with_secret(mut self, secret: Option<String>) -> Self {
        self.secret = Secret(secret);
        self
    }

    /// The question.
    #[must_use]
    pub fn query(&self) -> &str {
        &self.brief.query
    }

    /// The question as it is researched: it stands alone.
    fn question(&self) -> &str {
        self.brief.question.as_deref().unwrap_or(&self.brief.query)
    }

    fn stops(&self) -> Stops {
        Stops::new(self.brief.wish.stop.clone())
    }

    /// The model, `provider:name`: the one that was asked for.
    #[must_use]
    pub fn model(&self) -> String {
        let requested = self.brief.fallback.as_ref().map(|fallback| fallback.requested.clone());
        requested.unwrap_or_else(|| self.calls.sheet().id.to_string())
    }

    fn begin(&mut self, turn: &mut Turn) {
        let start = match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Ready(start) => start,
            other => {
                self.stage = other;
                return;
            }
        };
        turn.log("Quarry has taken the question.");
        if let Some(fallback) = &self.brief.fallback {
            let (requested, reason) = (&fallback.requested, &fallback.reason);
            turn.log(format!(
                "{requested} cannot answer ({reason}); {} does",
                self.calls.sheet().id
            ));
        }
        if let Some(line) = left_out_line(self.brief.wish.left_out) {
            turn.log(line);
        }
        turn.emit(&Init {
            id: Some(self.brief.id.clone()),
            query: self.brief.query.clone(),
            model: self.calls.sheet().id.to_string(),
            user: self.brief.user.clone(),
            allow_env_fallback: self.brief.operator_keys,
            language_model: self.calls.sheet().is_language_model,
            context_profile: self.config.profile.as_str().to_owned(),
            question: self.question().to_owned(),
            turns: self.brief.wish.history.len(),
            turns_left_out: self.brief.wish.left_out,
            asked: self.asked(),
            fallback: self.brief.fallback.clone(),
            timestamp: turn.at(),
        });
        self.go_on(start, turn);
    }
}

impl Machine for Ask {
    fn handle(&mut self, input: Input, now: Timestamp) -> Reaction {
        let mut turn = Turn::new(now, std::mem::take(&mut self.numbering));
        match input {
            Input::Begin => self.begin(&mut turn),
            Input::ModelText { ticket, text } => {
                if self.calls.purpose(ticket) == Some(Phase::FinalSynthesis)
                    && let Stage::Answering { research, draft } = &mut self.stage
                {
                    draft.push(&text, research.inquiry.evidence().sources(), &mut turn);
                }
            }
            Input::ModelRetry { ticket, wait_ms, reason, may_be_paid } => {
                if self.calls.is_tried_again(ticket, &reason, may_be_paid) {
                    turn.wait(wait_ms, &reason);
                }
            }
            Input::ModelDone { ticket, result } => {
                let has_begun =
                    matches!(&self.stage, Stage::Answering { draft, .. } if draft.has_begun());
                if let Some(settled) = self.calls.settle(ticket, result, has_begun, &mut turn) {
                    self.on_settled(settled, &mut turn);
                }
            }
            Input::ToolDone { ticket, outcome } => self.on_tool(ticket, outcome, &mut turn),
            Input::Stop => self.stop(&mut turn),
            Input::Left => self.interrupt(&mut turn),
        }
        let (numbering, reaction) = turn.end(self.has_ended());
        self.numbering = numbering;
        reaction
    }

    fn sequence(&self) -> u64 {
        self.numbering.sequence()
    }

    fn has_ended(&self) -> bool {
        matches!(self.stage, Stage::Interrupted(_) | Stage::Ended)
    }
}
