//! What an ask's model calls are for.

use crate::core::{InquiryStep, Purpose};
use serde::{Deserialize, Serialize};

/// What a model call is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// How to answer.
    InitialSetup,
    /// What to look into.
    Planning,
    /// Which tools to call in this iteration.
    ToolIteration(u32),
    /// A digest of what a run of an iteration found.
    SearchSummary { iteration: u32, run: usize },
    /// The answer.
    FinalSynthesis,
    /// The answer once more, as JSON.
    FinalFormat,
    /// Whether quotations say what the answer does.
    CitationCheck,
}

impl Purpose for Phase {
    fn phase(self) -> &'static str {
        match self {
            Phase::InitialSetup => "initial_setup",
            Phase::Planning => "planning",
            Phase::ToolIteration(_) => "tool_iteration",
            Phase::SearchSummary { .. } => "search_summary",
            Phase::FinalSynthesis => "final_synthesis",
            Phase::FinalFormat => "final_format",
            Phase::CitationCheck => "citation_check",
        }
    }

    fn iteration(self) -> Option<u32> {
        match self {
            Phase::ToolIteration(iteration) | Phase::SearchSummary { iteration, .. } => {
                Some(iteration)
            }
            Phase::InitialSetup
            | Phase::Planning
            | Phase::FinalSynthesis
            | Phase::FinalFormat
            | Phase::CitationCheck => None,
        }
    }

    fn description(self) -> String {
        match self {
            Phase::InitialSetup => "choosing the approach".to_owned(),
            Phase::Planning => "planning the research".to_owned(),
            Phase::ToolIteration(iteration) => format!("research, iteration {iteration}"),
            Phase::SearchSummary { iteration, .. } => format!("digest, iteration {iteration}"),
            Phase::FinalSynthesis => "writing the answer".to_owned(),
            Phase::FinalFormat => "putting the answer into its form".to_owned(),
            Phase::CitationCheck => "checking the citations".to_owned(),
        }
    }
}

impl From<InquiryStep> for Phase {
    fn from(step: InquiryStep) -> Self {
        match step {
            InquiryStep::Iteration(iteration) => Phase::ToolIteration(iteration),
            InquiryStep::Digest { iteration, run } => Phase::SearchSummary { iteration, run },
        }
    }
}
