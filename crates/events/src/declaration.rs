//! The events of an ask.
//!
//! Border: a new event is one line here and one type in [`crate::payload`].

use crate::family::events;
use crate::payload;

events! {
    /// A sentence about what is going on.
    Log = "log" => Log;
    /// The ask has begun.
    Init = "init" => Init;
    /// The expert role that the plan chose.
    Persona = "persona" => Persona;
    /// The questions that the plan chose.
    ResearchQuestions = "research_questions" => ResearchQuestions;
    /// A group of model calls begins.
    LlmCall = "llm_call" => LlmCall;
    /// A request to a model.
    LlmRequest = "llm_request" => LlmRequest;
    /// A model's reply, or one restored by a continuation.
    LlmResponse = "llm_response" => LlmResponse;
    /// Tool calls begin.
    Tools = "tools" => Tools;
    /// A tool call ended.
    ToolResult = "tool_result" => ToolResult;
    /// The set-up is known.
    SetupComplete = "setup_complete" => SetupComplete;
    /// One of the two halves of an ask begins.
    Step = "step" => Step;
    /// Legacy: results of a search. Reserved; nothing emits it.
    SearchResults = "search_results";
    /// The next piece of the answer.
    AnswerDelta = "answer_delta" => AnswerDelta;
    /// What the next piece of the answer cites, and whether its source says so.
    Citation = "citation" => Cited;
    /// What the ask cost.
    CostSummary = "cost_summary" => CostSummary;
    /// The answer from documents of one's own, in the shape of its service. Only there.
    KnowledgeAnswer = "knowledge_answer" => KnowledgeAnswer;
    /// The answer.
    FinalAnswer = "final_answer" => FinalAnswer;
    /// Alias of `final_answer` that user interfaces know. Reserved; nothing emits it.
    FinalResponse = "final_response";
    /// Last event: the ask is done.
    Complete = "complete", last => Complete;
    /// Last event: the ask failed.
    Error = "error", last => Failure;
    /// Last event: a rate limit of the provider. Ask again after `waitTime` with
    /// `continuation: true`.
    QuotaExceeded = "quota_exceeded", last => QuotaExceeded;
    /// Legacy: a decision to go on. Reserved; nothing emits it.
    Continuation = "continuation";
    /// Legacy: a pause for the user. Reserved; nothing emits it.
    InterruptState = "interrupt_state";
    /// Legacy: a search begins. Reserved; nothing emits it.
    Search = "search";
    /// Legacy: a digest of search results. Reserved; nothing emits it.
    SearchDigest = "search_digest";
    /// Sources were found.
    Sources = "sources" => Sources;
    /// What the model wrote beside its tool calls.
    Thought = "thought" => Thought;
    /// A stage begins or ends.
    Stage = "stage" => Stage;
    /// A provider makes the ask wait; it goes on by itself.
    Waiting = "waiting" => Waiting;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{At, Log};
    use quarry_types::Timestamp;

    #[test]
    fn names_read_back() {
        for name in EventName::ALL {
            assert_eq!(EventName::parse(name.as_str()), Some(name));
            assert_eq!(serde_json::to_value(name).unwrap(), name.as_str());
        }
        assert_eq!(EventName::parse("Log"), None);
        let last = EventName::ALL.into_iter().filter(|name| name.is_last());
        let last: Vec<&str> = last.map(EventName::as_str).collect();
        assert_eq!(last, ["complete", "error", "quota_exceeded"]);
        for name in EventName::ALL {
            assert_eq!(name.is_reserved(), name.description().contains("Reserved"), "{name:?}");
        }
    }

    #[test]
    fn an_event_reads_back_and_unknown_fields_are_ignored() {
        let log = Log { message: "é".into(), timestamp: At(Timestamp(1)) };
        let event = Event::new(1, &log);
        assert_eq!(event.data, r#"{"message":"é","timestamp":"1970-01-01T00:00:00.001Z"}"#);
        assert_eq!(event.payload().unwrap(), AnyPayload::Log(log.clone()));
        let newer = event.data.replace('}', r#","added":[1]}"#);
        let read = AnyPayload::parse(EventName::Log, &newer).unwrap();
        assert_eq!((read.name(), read), (EventName::Log, AnyPayload::Log(log)));
        let wrong = AnyPayload::parse(EventName::Log, "{}").unwrap_err().to_string();
        assert!(wrong.starts_with("the payload of log cannot be read: missing field `message`"));
    }

    #[test]
    fn reserved_names_take_any_payload() {
        let read = AnyPayload::parse(EventName::Search, r#"{"a":1}"#).unwrap();
        assert_eq!(read, AnyPayload::Search(serde_json::json!({ "a": 1 })));
    }
}
