//! The names of events.
//!
//! Border: names only. Their payloads belong to whoever emits them.

use serde::{Deserialize, Serialize};

/// The name of an event, as it stands in `event:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventName {
    /// A sentence about what is going on.
    Log,
    /// The ask has begun.
    Init,
    /// The expert role that the plan chose.
    Persona,
    /// The questions that the plan chose.
    ResearchQuestions,
    /// A group of model calls begins.
    LlmCall,
    /// A request to a model.
    LlmRequest,
    /// A model's reply.
    LlmResponse,
    /// Tool calls begin.
    Tools,
    /// A tool call ended.
    ToolResult,
    /// The set-up is known.
    SetupComplete,
    /// A stage begins.
    Step,
    /// Legacy; nothing emits it yet.
    SearchResults,
    /// The next piece of the answer.
    AnswerDelta,
    /// What the ask cost.
    CostSummary,
    /// The answer.
    FinalAnswer,
    /// Alias that user interfaces know; nothing emits it yet.
    FinalResponse,
    /// Last event: the ask is done.
    Complete,
    /// Last event: the ask failed.
    Error,
    /// Last event: a rate limit; the ask can be resumed.
    QuotaExceeded,
    /// A decision to go on; nothing emits it yet.
    Continuation,
    /// A pause for the user; nothing emits it yet.
    InterruptState,
    /// Legacy; nothing emits it yet.
    Search,
    /// Legacy; nothing emits it yet.
    SearchDigest,
}

impl EventName {
    /// Every name, in the order of the contract.
    pub const ALL: [EventName; 23] = [
        EventName::Log,
        EventName::Init,
        EventName::Persona,
        EventName::ResearchQuestions,
        EventName::LlmCall,
        EventName::LlmRequest,
        EventName::LlmResponse,
        EventName::Tools,
        EventName::ToolResult,
        EventName::SetupComplete,
        EventName::Step,
        EventName::SearchResults,
        EventName::AnswerDelta,
        EventName::CostSummary,
        EventName::FinalAnswer,
        EventName::FinalResponse,
        EventName::Complete,
        EventName::Error,
        EventName::QuotaExceeded,
        EventName::Continuation,
        EventName::InterruptState,
        EventName::Search,
        EventName::SearchDigest,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            EventName::Log => "log",
            EventName::Init => "init",
            EventName::Persona => "persona",
            EventName::ResearchQuestions => "research_questions",
            EventName::LlmCall => "llm_call",
            EventName::LlmRequest => "llm_request",
            EventName::LlmResponse => "llm_response",
            EventName::Tools => "tools",
            EventName::ToolResult => "tool_result",
            EventName::SetupComplete => "setup_complete",
            EventName::Step => "step",
            EventName::SearchResults => "search_results",
            EventName::AnswerDelta => "answer_delta",
            EventName::CostSummary => "cost_summary",
            EventName::FinalAnswer => "final_answer",
            EventName::FinalResponse => "final_response",
            EventName::Complete => "complete",
            EventName::Error => "error",
            EventName::QuotaExceeded => "quota_exceeded",
            EventName::Continuation => "continuation",
            EventName::InterruptState => "interrupt_state",
            EventName::Search => "search",
            EventName::SearchDigest => "search_digest",
        }
    }

    /// The name with this spelling.
    #[must_use]
    pub fn parse(text: &str) -> Option<EventName> {
        EventName::ALL.into_iter().find(|name| name.as_str() == text)
    }

    /// Whether a stream ends after it.
    #[must_use]
    pub const fn is_last(self) -> bool {
        matches!(self, EventName::Complete | EventName::Error | EventName::QuotaExceeded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for name in EventName::ALL {
            assert_eq!(EventName::parse(name.as_str()), Some(name));
            assert_eq!(serde_json::to_value(name).unwrap(), name.as_str());
        }
        assert_eq!(EventName::ALL.iter().filter(|name| name.is_last()).count(), 3);
    }
}
