//! What an ask used, as chat completions count it: the sums over all of its model calls.

use serde::Serialize;

use crate::talk::Costs;

/// What was used.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ChatUsage"))]
pub(crate) struct Usage {
    /// Input.
    prompt_tokens: u64,
    /// Output, reasoning included.
    completion_tokens: u64,
    /// Both.
    total_tokens: u64,
    /// Of the input.
    prompt_tokens_details: PromptDetails,
    /// Of the output.
    completion_tokens_details: CompletionDetails,
    /// US dollars; absent where not every call's cost is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
}

/// Of the input.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct PromptDetails {
    /// Read from the provider's cache.
    cached_tokens: u64,
}

/// Of the output.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct CompletionDetails {
    /// Thoughts that are not shown.
    reasoning_tokens: u64,
}

impl Usage {
    /// None where a call's use is unknown: a sum without it would be wrong.
    pub(super) fn of(costs: &Costs) -> Option<Usage> {
        costs.is_whole().then(|| Usage {
            prompt_tokens: costs.token_counts.input,
            completion_tokens: costs.token_counts.output,
            total_tokens: costs.token_counts.total,
            prompt_tokens_details: PromptDetails {
                cached_tokens: costs.sum(|step| step.cached_input_tokens),
            },
            completion_tokens_details: CompletionDetails {
                reasoning_tokens: costs.sum(|step| step.reasoning_tokens),
            },
            cost: costs.known(),
        })
    }
}
