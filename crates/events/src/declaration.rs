//! The list of events, and what follows from it: names, payload types, the closed union.
//!
//! Border: a new event is one line here and one type in [`crate::payload`].

use crate::payload;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The payload of one event.
pub trait Payload: Serialize + DeserializeOwned {
    /// The event's name.
    const NAME: EventName;
}

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// 1 for the first event of an ask, then without gaps.
    pub sequence: u64,
    /// Its name.
    pub name: EventName,
    /// Its payload: one line of JSON.
    pub data: String,
}

impl Event {
    /// The event with this payload. One that does not serialise (none should) is shown as an
    /// empty object, so that the numbering has no gaps.
    #[must_use]
    pub fn new<P: Payload>(sequence: u64, payload: &P) -> Self {
        let data = serde_json::to_string(payload).unwrap_or_else(|_| "{}".to_owned());
        Event { sequence, name: P::NAME, data }
    }

    /// Its payload, read.
    ///
    /// # Errors
    /// [`Unreadable`] when the payload is not of the declared shape.
    pub fn payload(&self) -> Result<AnyPayload, Unreadable> {
        AnyPayload::parse(self.name, &self.data)
    }
}

/// A payload that is not of the shape declared for its event.
#[derive(Debug, thiserror::Error)]
#[error("the payload of {} cannot be read: {error}", name.as_str())]
pub struct Unreadable {
    /// Of which event.
    pub name: EventName,
    /// What is wrong.
    #[source]
    pub error: serde_json::Error,
}

/// Declares the events: `Name = "name" => Payload;`, with `, last` before the arrow where a
/// stream ends after it, and without an arrow where the payload is any JSON.
macro_rules! events {
    ($( $(#[doc = $doc:literal])+ $name:ident = $text:literal $(, $last:ident)? $(=> $payload:ident)?; )+) => {
        /// The name of an event, as it stands in `event:`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum EventName {
            $( $(#[doc = $doc])+ #[serde(rename = $text)] $name, )+
        }

        impl EventName {
            /// Every name, in the order of the contract.
            pub const ALL: [EventName; [$($text),+].len()] = [$(EventName::$name),+];

            /// The name on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( EventName::$name => $text, )+ }
            }

            /// The name with this spelling.
            #[must_use]
            pub fn parse(text: &str) -> Option<EventName> {
                match text { $( $text => Some(EventName::$name), )+ _ => None }
            }

            /// Whether a stream ends after it.
            #[must_use]
            pub const fn is_last(self) -> bool {
                match self { $( EventName::$name => events!(@last $($last)?), )+ }
            }

            /// Whether the name is kept for old clients and nothing emits it.
            #[must_use]
            pub const fn is_reserved(self) -> bool {
                match self { $( EventName::$name => events!(@reserved $($payload)?), )+ }
            }

            /// What it tells, in a sentence or two.
            #[must_use]
            pub fn description(self) -> &'static str {
                match self { $( EventName::$name => concat!($($doc),+).trim_start(), )+ }
            }
        }

        $( $( impl Payload for payload::$payload {
            const NAME: EventName = EventName::$name;
        } )? )+

        /// The payload of any event, for clients. Match it without a wildcard: a new event is
        /// then a compile error wherever it must be shown.
        #[derive(Debug, Clone, PartialEq)]
        #[allow(clippy::large_enum_variant, reason = "it lives for one match")]
        pub enum AnyPayload {
            $( $(#[doc = $doc])+ $name(events!(@payload $($payload)?)), )+
        }

        impl AnyPayload {
            /// Reads a payload; fields that are not declared are ignored.
            ///
            /// # Errors
            /// [`Unreadable`] when it is not of the declared shape.
            pub fn parse(name: EventName, data: &str) -> Result<AnyPayload, Unreadable> {
                let read = match name {
                    $( EventName::$name => serde_json::from_str(data).map(AnyPayload::$name), )+
                };
                read.map_err(|error| Unreadable { name, error })
            }

            /// The event's name.
            #[must_use]
            pub const fn name(&self) -> EventName {
                match self { $( AnyPayload::$name(_) => EventName::$name, )+ }
            }
        }

        /// The schema of every payload, made by one generator.
        #[cfg(feature = "schema")]
        pub(crate) fn generate(
            generator: &mut schemars::SchemaGenerator,
        ) -> Vec<(EventName, schemars::Schema)> {
            vec![$( (EventName::$name, events!(@schema generator $name $($payload)?)), )+]
        }
    };
    (@last) => { false };
    (@last last) => { true };
    (@reserved) => { true };
    (@reserved $payload:ident) => { false };
    (@schema $generator:ident $name:ident) => {
        crate::schema::reserved(EventName::$name, $generator)
    };
    (@schema $generator:ident $name:ident $payload:ident) => {
        $generator.subschema_for::<crate::schema::PayloadOf<payload::$payload>>()
    };
    (@payload) => { serde_json::Value };
    (@payload $payload:ident) => { payload::$payload };
}

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
