//! What an ask may use and how it spends it. Source: the ask contract, *Context and tokens*.

use serde::{Deserialize, Serialize};

/// How much of what tools return reaches the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContextProfile {
    /// The original's thrift: 300 characters a result, pruning above 3,000 tokens.
    Frugal,
    /// Sources quoted at length, for models with a context of 32k tokens or more.
    Roomy,
}

impl ContextProfile {
    /// A context from this size on gets the roomy profile by default.
    pub const ROOMY_FROM: u64 = 32_000;

    /// As events show it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ContextProfile::Frugal => "frugal",
            ContextProfile::Roomy => "roomy",
        }
    }

    /// Characters of one tool result that enter the conversation.
    #[must_use]
    pub const fn result_characters(self) -> usize {
        match self {
            ContextProfile::Frugal => 300,
            ContextProfile::Roomy => 8_000,
        }
    }

    /// Estimated tokens of one search output above which it is halved.
    #[must_use]
    pub const fn search_output_tokens(self) -> u64 {
        match self {
            ContextProfile::Frugal => 4_000,
            ContextProfile::Roomy => 16_000,
        }
    }

    /// Characters of one page that a tool output carries.
    #[must_use]
    pub const fn page_characters(self) -> usize {
        match self {
            ContextProfile::Frugal => 4_000,
            ContextProfile::Roomy => 24_000,
        }
    }

    /// Estimated tokens of the conversation above which it is pruned.
    #[must_use]
    pub fn prune_above(self, context_window: Option<u64>) -> u64 {
        match self {
            ContextProfile::Frugal => 3_000,
            ContextProfile::Roomy => context_window.unwrap_or(Self::ROOMY_FROM) / 2,
        }
    }

    /// Characters of evidence for the final answer: of one source, and of all.
    #[must_use]
    pub fn evidence_characters(self, context_window: Option<u64>) -> (usize, usize) {
        match self {
            ContextProfile::Frugal => (300, 600),
            ContextProfile::Roomy => {
                // Half the window, at about four characters a token, and no more than serves.
                let window = context_window.unwrap_or(Self::ROOMY_FROM).saturating_mul(2);
                (6_000, usize::try_from(window).unwrap_or(usize::MAX).min(60_000))
            }
        }
    }
}

/// Output ceilings in tokens, one for each purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenCeilings {
    /// The set-up call.
    pub setup: u32,
    /// The planning call.
    pub planning: u32,
    /// Each tool iteration, and digests of search results.
    pub tool_synthesis: u32,
    /// Answers to calculations.
    pub math: u32,
    /// Answers to simple questions.
    pub low: u32,
    /// Answers to ordinary questions.
    pub medium: u32,
    /// Answers to complex questions.
    pub high: u32,
}

impl Default for TokenCeilings {
    fn default() -> Self {
        TokenCeilings {
            setup: 500,
            planning: 300,
            tool_synthesis: 512,
            math: 512,
            low: 1024,
            medium: 2048,
            high: 4096,
        }
    }
}

/// A hard limit for one ask.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// US dollars.
    pub usd: Option<f64>,
    /// Tokens, input and output together.
    pub tokens: Option<u64>,
}

/// Where evidence may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sources {
    /// The public web.
    pub web: bool,
    /// The private knowledge base; no tool serves it yet.
    pub knowledge: bool,
}

/// Everything about an ask that configuration and the request decide.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskConfig {
    /// Tool iterations at most.
    pub max_iterations: u32,
    /// See [`ContextProfile`].
    pub profile: ContextProfile,
    /// See [`TokenCeilings`].
    pub ceilings: TokenCeilings,
    /// See [`Budget`].
    pub budget: Budget,
    /// See [`Sources`].
    pub sources: Sources,
    /// For reasoning models.
    pub reasoning_effort: Option<quarry_types::ReasoningEffort>,
    /// The operator's template for the final prompt, with `{{ORIGINAL_QUERY}}` and
    /// `{{ALL_INFORMATION}}`.
    pub final_template: Option<String>,
    /// The operator's system prompt for digests of search results.
    pub digest_system_prompt: Option<String>,
}

impl AskConfig {
    /// Tool iterations at most, unless configuration says otherwise.
    pub const DEFAULT_MAX_ITERATIONS: u32 = 3;
}

impl Default for AskConfig {
    fn default() -> Self {
        AskConfig {
            max_iterations: Self::DEFAULT_MAX_ITERATIONS,
            profile: ContextProfile::Frugal,
            ceilings: TokenCeilings::default(),
            budget: Budget::default(),
            sources: Sources { web: true, knowledge: true },
            reasoning_effort: None,
            final_template: None,
            digest_system_prompt: None,
        }
    }
}
