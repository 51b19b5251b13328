//! How much of what tools return reaches the model. Source: the ask contract, *Context and tokens*.

use quarry_tools::OutputLimits;
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

    /// The default for a model with such a context; the thrifty one where nobody knows its size.
    #[must_use]
    pub fn fitting(context_window: Option<u64>) -> Self {
        match context_window {
            Some(size) if size >= Self::ROOMY_FROM => ContextProfile::Roomy,
            _ => ContextProfile::Frugal,
        }
    }

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

    /// How much of a tool's outcome is kept.
    #[must_use]
    pub const fn output_limits(self) -> OutputLimits {
        match self {
            ContextProfile::Frugal => OutputLimits { search_tokens: 4_000, page_characters: 4_000 },
            ContextProfile::Roomy => {
                OutputLimits { search_tokens: 16_000, page_characters: 24_000 }
            }
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

#[cfg(test)]
mod tests {
    use super::ContextProfile::{self, Frugal, Roomy};

    #[test]
    fn a_large_context_gets_room() {
        let windows = [None, Some(31_999), Some(32_000)];
        assert_eq!(windows.map(ContextProfile::fitting), [Frugal, Frugal, Roomy]);
    }
}
