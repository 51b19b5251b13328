//! What an ask may use and how it spends it. Source: the ask contract, *Context and tokens*.

use crate::core::{Budget, ContextProfile};
use quarry_tools::{Domains, Sources};
use quarry_types::CollectionName;
use serde::{Deserialize, Serialize};

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
    /// The documents of whoever names no collection; none: the default ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection: Option<CollectionName>,
    /// See [`Domains`].
    #[serde(default)]
    pub domains: Domains,
    /// Tool calls of all iterations at most.
    #[serde(default)]
    pub max_tool_calls: Option<u32>,
    /// For reasoning models.
    pub reasoning_effort: Option<quarry_types::ReasoningEffort>,
    /// Whether the model judges the citations that the check could neither confirm nor refute.
    pub verify_with_model: bool,
    /// The operator's template for the final prompt, with `{{ORIGINAL_QUERY}}` and
    /// `{{ALL_INFORMATION}}`.
    pub final_template: Option<String>,
    /// The operator's system prompt for digests of search results.
    pub digest_system_prompt: Option<String>,
}

/// What a request itself says of an [`AskConfig`] that it goes on with: of two values that are the same, one may be
/// the caller's and one the operator's, and only what nobody said is taken from the ask before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Own {
    /// See [`AskConfig::max_iterations`].
    pub max_iterations: Option<u32>,
    /// See [`AskConfig::verify_with_model`].
    pub verify_with_model: Option<bool>,
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
            sources: Sources { web: true, knowledge: false, program: true },
            collection: None,
            domains: Domains::default(),
            max_tool_calls: None,
            reasoning_effort: None,
            verify_with_model: false,
            final_template: None,
            digest_system_prompt: None,
        }
    }
}
