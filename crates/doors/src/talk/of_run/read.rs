//! What is read of a run's events: of each the few fields that readers of a conversation are told.

use quarry_events::run::WaitReason;
use quarry_events::{At, FailureKind};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::talk::told::{Costs, Step, Tokens};

/// Whatever event it is; what it does not have is empty.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Read {
    pub at: Option<At>,
    pub node_id: String,
    pub round: Option<u32>,
    pub task: String,
    pub model: String,
    pub question: String,
    pub parent_id: Option<String>,
    pub attempt: u32,
    pub query: String,
    pub error: Option<String>,
    pub searched_in: Option<String>,
    pub sources: Vec<Ranked>,
    /// A list where findings are told, and a number where they are counted.
    pub findings: Value,
    pub sufficiency: Option<Sufficiency>,
    pub resolution_reason: String,
    pub message: String,
    pub children: Vec<Child>,
    pub critical_gaps: Vec<String>,
    pub rationale: String,
    pub stop: Option<String>,
    pub step: String,
    pub fallback: String,
    pub text: String,
    pub anew: bool,
    pub waiting: Option<Waiting>,
    pub partial: bool,
    pub summary_metrics: Option<Metrics>,
}

/// A source that is read.
#[derive(Debug, Deserialize)]
pub(super) struct Ranked {
    pub citation_id: String,
    pub url: String,
    pub title: String,
}

/// How well a question is answered.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Sufficiency {
    pub score: f64,
    pub rationale: String,
    pub gaps: Vec<String>,
}

/// A part of a question.
#[derive(Debug, Deserialize)]
pub(super) struct Child {
    pub question: String,
}

/// What a run waits for.
#[derive(Debug, Deserialize)]
pub(super) struct Waiting {
    pub reason: Reason,
    /// None: until somebody does something.
    #[serde(default)]
    pub until: Option<At>,
    pub hint: String,
}

/// Why it waits.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) struct Reason(WaitReason);

impl Reason {
    /// Whether a provider's limit is why.
    pub fn is_limit(self) -> bool {
        self.0 == WaitReason::RateLimit
    }

    /// The failure that it is for whoever cannot do what it waits for.
    pub const fn kind(self) -> FailureKind {
        match self.0 {
            WaitReason::RateLimit => FailureKind::RateLimited,
            WaitReason::NeedsKey => FailureKind::MissingKey,
            WaitReason::Budget => FailureKind::BudgetExceeded,
            WaitReason::ProviderDown => FailureKind::ProviderFailed,
            WaitReason::PolicyChanged => FailureKind::Conflict,
        }
    }
}

/// What a run used.
#[derive(Debug, Deserialize)]
pub(super) struct Metrics {
    pub tokens: u64,
    #[serde(default)]
    pub input_tokens: Option<u64>,
    #[serde(default)]
    pub output_tokens: Option<u64>,
    #[serde(default)]
    pub cached_input_tokens: Option<u64>,
    #[serde(default)]
    pub reasoning_tokens: Option<u64>,
    pub cost: f64,
    pub cost_known: bool,
    pub unsettled_calls: u64,
}

impl Metrics {
    /// The same as of an ask, all calls as one; none where a run of before does not tell what went in and came out.
    pub fn costs(&self) -> Option<Costs> {
        let (input, output) = (self.input_tokens?, self.output_tokens?);
        Some(Costs {
            total_cost: self.cost,
            cost_known: self.cost_known,
            token_counts: Tokens { input, output, total: self.tokens },
            step_costs: vec![Step {
                model: String::new(),
                input_tokens: input,
                output_tokens: output,
                cached_input_tokens: self.cached_input_tokens.unwrap_or_default(),
                reasoning_tokens: self.reasoning_tokens.unwrap_or_default(),
            }],
            unsettled_calls: (self.unsettled_calls > 0).then_some(IgnoredAny).into_iter().collect(),
        })
    }

    /// Whether its cost is that of every call.
    pub const fn is_known(&self) -> bool {
        self.cost_known && self.unsettled_calls == 0
    }
}
