//! The answer for callers who want one JSON object instead of a stream.
//!
//! Border: built from the events alone, so that it says what the stream says. Pieces of the
//! answer (`answer_delta`) are left out of `events`, because `answer` has them together.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

#[cfg(feature = "schema")]
use quarry_events::schema::{Frame, PayloadOf, component_named};
#[cfg(feature = "schema")]
use quarry_events::{AskResult, CostSummary, Source, User};
use quarry_events::{EventName, FailureKind};

use crate::reply::retry_after;
use crate::status::{Status, status};
use crate::{Event, Refusal, Reply};

/// Takes events as they come and makes the object at the end.
#[derive(Debug, Default)]
pub struct Collector {
    /// The ask's id.
    pub(super) id: String,
    events: Vec<Entry>,
    init: Init,
    answer: Option<String>,
    sources: Option<Value>,
    costs: Option<Box<RawValue>>,
    pieces: String,
    end: Option<End>,
}

#[derive(Debug)]
enum End {
    Complete(Complete),
    Error(Failure),
    Quota(Quota),
}

#[derive(Debug, Serialize)]
struct Entry {
    id: Option<u64>,
    event: &'static str,
    data: Box<RawValue>,
}

#[derive(Debug, Default, Deserialize)]
struct Init {
    query: Option<String>,
    model: Option<String>,
    user: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct FinalAnswer {
    content: Option<String>,
    sources: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Complete {
    result: Value,
    execution_time: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Failure {
    error: String,
    /// None for what no version of this list knows.
    #[serde(rename = "type", deserialize_with = "known_kind")]
    kind: Option<FailureKind>,
    /// Seconds.
    #[serde(rename = "waitTime")]
    wait_time: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Quota {
    message: String,
    wait_time: f64,
    continuation_state: Value,
    costs: Option<Box<RawValue>>,
}

/// The stream's information in one object.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Answer<'a> {
    /// The ask's id.
    id: &'a str,
    /// The question.
    query: &'a Option<String>,
    /// `provider:name`.
    model: &'a Option<String>,
    /// The caller, when identified.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<User>"))]
    user: &'a Option<Value>,
    /// The answer, Markdown. With an error: what had been written by then.
    answer: Option<&'a str>,
    /// What the answer may cite.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Vec<Source>>"))]
    sources: &'a Option<Value>,
    /// `result` of `complete`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<AskResult>"))]
    result: Option<&'a Value>,
    /// What the ask cost.
    #[cfg_attr(feature = "schema", schemars(with = "Option<PayloadOf<CostSummary>>"))]
    cost_summary: &'a Option<Box<RawValue>>,
    /// Milliseconds.
    #[cfg_attr(feature = "schema", schemars(with = "Option<u64>"))]
    execution_time: Option<&'a Value>,
    /// Every event but `answer_delta`, whose pieces are `answer` together.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Frame>"))]
    events: &'a [Entry],
}

/// An ask that began and failed.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct FailedAnswer<'a> {
    /// What ended it.
    error: ErrorBody<'a>,
    #[serde(flatten)]
    answer: Answer<'a>,
}

/// An ask that a provider's rate limit interrupted.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct QuotaAnswer<'a> {
    #[serde(flatten)]
    failed: FailedAnswer<'a>,
    /// Seconds.
    wait_time: f64,
    /// How to go on: send it back unchanged as `continuationContext`.
    #[cfg_attr(feature = "schema", schemars(schema_with = "continuation_state"))]
    continuation_state: &'a Value,
}

/// What ended it.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct ErrorBody<'a> {
    /// The kind, for programs.
    #[serde(rename = "type")]
    #[cfg_attr(feature = "schema", schemars(
        extend("examples" = ["budget_exceeded", "no_credit", "interrupted"])
    ))]
    pub kind: &'a str,
    /// The kind in the spelling of the original, in capitals.
    pub code: &'a str,
    /// What is wrong and what to do.
    pub message: &'a str,
}

#[cfg(feature = "schema")]
fn continuation_state(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    component_named("ContinuationState")
}

impl Collector {
    /// For the ask with this id.
    #[must_use]
    pub fn new(id: String) -> Self {
        Collector { id, ..Collector::default() }
    }

    /// Takes an event.
    pub fn take(&mut self, event: Event) {
        match event.name {
            EventName::Init => self.init = read(&event.data),
            EventName::AnswerDelta => {
                let piece: Value = read(&event.data);
                self.pieces.push_str(piece.get("text").and_then(Value::as_str).unwrap_or_default());
                return;
            }
            EventName::FinalAnswer => {
                if let Ok(answer) = serde_json::from_str::<FinalAnswer>(&event.data) {
                    (self.answer, self.sources) = (answer.content, answer.sources);
                }
            }
            EventName::CostSummary => self.costs = serde_json::from_str(&event.data).ok(),
            EventName::Complete => self.end = Some(End::Complete(read(&event.data))),
            EventName::Error => self.end = Some(End::Error(read(&event.data))),
            EventName::QuotaExceeded => self.end = Some(End::Quota(read(&event.data))),
            EventName::Log
            | EventName::Persona
            | EventName::ResearchQuestions
            | EventName::LlmCall
            | EventName::LlmRequest
            | EventName::LlmResponse
            | EventName::Tools
            | EventName::ToolResult
            | EventName::SetupComplete
            | EventName::Step
            | EventName::SearchResults
            | EventName::FinalResponse
            | EventName::Continuation
            | EventName::InterruptState
            | EventName::Search
            | EventName::SearchDigest
            | EventName::Citation
            | EventName::KnowledgeAnswer
            | EventName::Sources
            | EventName::Thought
            | EventName::Stage
            | EventName::Waiting => {}
        }
        // A payload that is no JSON would spoil the whole object.
        if let Ok(data) = RawValue::from_string(event.data) {
            self.events.push(Entry { id: event.sequence, event: event.name.as_str(), data });
        }
    }

    /// The response. `failed` is why the stream broke off, if it did.
    #[must_use]
    pub fn finish(self, failed: Option<&Refusal>) -> Reply {
        match (&self.end, failed) {
            (Some(End::Complete(complete)), _) => {
                let result = Some(&complete.result);
                let execution_time = complete.execution_time.as_ref();
                written(200, &Answer { result, execution_time, ..self.answer() })
            }
            (Some(End::Error(failure)), _) => match failure.kind {
                Some(kind) => {
                    let mut reply = self.failed(kind, &failure.error);
                    reply.headers.extend(failure.wait_time.map(retry_after));
                    reply
                }
                None => {
                    let error =
                        ErrorBody { kind: "failed", code: "FAILED", message: &failure.error };
                    let status = Status::ProviderFailed.number();
                    written(status, &FailedAnswer { error, answer: self.answer() })
                }
            },
            (Some(End::Quota(quota)), _) => self.interrupted(quota),
            (None, Some(refusal)) => self.failed(refusal.kind(), &refusal.to_string()),
            (None, None) => {
                let message = format!(
                    "the stream ended before the answer; join it again with GET /ask/{}/events",
                    self.id
                );
                self.failed(FailureKind::Interrupted, &message)
            }
        }
    }

    fn failed(&self, kind: FailureKind, message: &str) -> Reply {
        let error = ErrorBody { kind: kind.as_str(), code: kind.code(), message };
        written(status(kind), &FailedAnswer { error, answer: self.answer() })
    }

    fn interrupted(&self, quota: &Quota) -> Reply {
        let (kind, code) = ("quota_exceeded", "QUOTA_EXCEEDED");
        let error = ErrorBody { kind, code, message: &quota.message };
        let answer = QuotaAnswer {
            failed: FailedAnswer {
                error,
                answer: Answer { cost_summary: &quota.costs, ..self.answer() },
            },
            wait_time: quota.wait_time,
            continuation_state: &quota.continuation_state,
        };
        let mut reply = written(Status::RateLimited.number(), &answer);
        reply.headers.push(retry_after(whole_seconds(quota.wait_time)));
        reply
    }

    /// What is known, whatever ended it.
    fn answer(&self) -> Answer<'_> {
        let pieces = Some(self.pieces.as_str()).filter(|pieces| !pieces.is_empty());
        Answer {
            id: &self.id,
            query: &self.init.query,
            model: &self.init.model,
            user: &self.init.user,
            // What was written before an end that is no end is still worth having.
            answer: self.answer.as_deref().or(pieces),
            sources: &self.sources,
            result: None,
            cost_summary: &self.costs,
            execution_time: None,
            events: &self.events,
        }
    }
}

fn written(status: u16, answer: &impl Serialize) -> Reply {
    match serde_json::to_string(answer) {
        Ok(text) => Reply::json(status, text),
        Err(error) => {
            Reply::refusal(&Refusal::Internal(format!("cannot write the answer: {error}")))
        }
    }
}

/// Up, because a retry that comes early is a wasted one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates; waits are small and not negative"
)]
fn whole_seconds(seconds: f64) -> u64 {
    seconds.max(0.0).ceil() as u64
}

fn known_kind<'de, D: Deserializer<'de>>(from: D) -> Result<Option<FailureKind>, D::Error> {
    let kind = Value::deserialize(from)?;
    Ok(serde_json::from_value(kind).ok())
}

fn read<'a, T: Deserialize<'a> + Default>(data: &'a str) -> T {
    serde_json::from_str(data).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn collect(events: &[(EventName, Value)], failed: Option<&Refusal>) -> (Reply, Value) {
        let mut collector = Collector::new("0af3".into());
        for (sequence, (name, data)) in (1..).zip(events) {
            let data = data.to_string();
            collector.take(Event { sequence: Some(sequence), name: *name, data });
        }
        let reply = collector.finish(failed);
        let body = serde_json::from_slice(&reply.body).unwrap();
        (reply, body)
    }

    fn init() -> (EventName, Value) {
        (EventName::Init, json!({ "id": "0af3", "query": "why?", "model": "groq:x" }))
    }

    #[test]
    fn a_complete_ask_is_one_object() {
        let (reply, body) = collect(
            &[
                init(),
                (EventName::AnswerDelta, json!({ "text": "Beca" })),
                (EventName::AnswerDelta, json!({ "text": "use." })),
                (EventName::CostSummary, json!({ "totalCost": null, "stepCosts": [] })),
                (EventName::FinalAnswer, json!({ "content": "Because.", "sources": [1] })),
                (
                    EventName::Complete,
                    json!({ "result": { "response": "Because." }, "executionTime": 12 }),
                ),
            ],
            None,
        );
        assert_eq!(reply.status, 200);
        let entry =
            |id: u64, event: &str, data: Value| json!({ "id": id, "event": event, "data": data });
        assert_eq!(
            body,
            json!({
                "id": "0af3", "query": "why?", "model": "groq:x", "answer": "Because.",
                "sources": [1], "result": { "response": "Because." },
                "costSummary": { "totalCost": null, "stepCosts": [] }, "executionTime": 12,
                "events": [
                    entry(1, "init", init().1),
                    entry(4, "cost_summary", json!({ "totalCost": null, "stepCosts": [] })),
                    entry(5, "final_answer", json!({ "content": "Because.", "sources": [1] })),
                    entry(6, "complete",
                        json!({ "result": { "response": "Because." }, "executionTime": 12 })),
                ],
            })
        );
    }

    fn failed(kind: &Value) -> (Reply, Value) {
        let data = json!({ "error": "it broke", "timestamp": "T", "type": kind });
        collect(&[init(), (EventName::Error, data)], None)
    }

    #[test]
    fn an_error_has_its_status_and_code() {
        for kind in FailureKind::ALL {
            let (reply, body) = failed(&kind.as_str().into());
            assert_eq!(reply.status, status(kind), "{kind:?}");
            assert!(reply.status >= 400, "{kind:?}");
            let expected =
                json!({ "type": kind.as_str(), "code": kind.code(), "message": "it broke" });
            assert_eq!(body["error"], expected);
            assert_eq!(body["events"].as_array().unwrap().len(), 2);
        }
        // A failure is no success, however it is spelt.
        for unknown in [json!("of another day"), json!(null), json!(7)] {
            let (reply, body) = failed(&unknown);
            let expected = json!({ "type": "failed", "code": "FAILED", "message": "it broke" });
            assert_eq!((reply.status, &body["error"]), (502, &expected), "{unknown}");
        }
    }

    #[test]
    fn a_rate_limit_says_when_and_how_to_go_on() {
        let state = json!({ "currentIteration": 2 });
        let quota = json!({ "message": "later", "waitTime": 7.2, "continuationState": state });
        let (reply, body) = collect(
            &[
                init(),
                (EventName::AnswerDelta, json!({ "text": "Beca" })),
                (EventName::QuotaExceeded, quota),
            ],
            None,
        );
        assert_eq!(reply.status, 429);
        assert!(reply.headers.contains(&("retry-after", "8".into())));
        assert_eq!(
            body["error"],
            json!({ "type": "quota_exceeded", "code": "QUOTA_EXCEEDED", "message": "later" })
        );
        assert_eq!(body["waitTime"], 7.2);
        assert_eq!(body["continuationState"], state);
        assert_eq!(body["answer"], "Beca");
    }

    #[test]
    fn a_stream_that_breaks_off_is_no_success() {
        let (reply, body) = collect(&[init()], None);
        assert_eq!((reply.status, &body["error"]["type"]), (502, &json!("interrupted")));
        let refusal = Refusal::Unavailable("the store is away".into());
        let (reply, body) = collect(&[init()], Some(&refusal));
        assert_eq!((reply.status, &body["error"]["type"]), (503, &json!("unavailable")));
        // An end that came counts, whatever happened after it.
        let complete = (EventName::Complete, json!({ "result": {}, "executionTime": 1 }));
        assert_eq!(collect(&[complete], Some(&refusal)).0.status, 200);
    }

    #[test]
    fn payloads_keep_their_bytes() {
        let mut collector = Collector::new("1".into());
        let data = r#"{"a":1.0,"b":10000000000000000000000}"#;
        let event = |data: &str| Event { sequence: None, name: EventName::Log, data: data.into() };
        collector.take(event(data));
        collector.take(event("{no json"));
        let body = String::from_utf8(collector.finish(None).body.into_owned()).unwrap();
        assert!(body.contains(&format!(r#""events":[{{"id":null,"event":"log","data":{data}}}]"#)));
    }
}
