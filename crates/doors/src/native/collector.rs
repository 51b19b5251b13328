//! The answer for callers who want one JSON object instead of a stream.
//!
//! Border: built from the events alone, so that it says what the stream says. Pieces of the
//! answer (`answer_delta`) are left out of `events`, because `answer` has them together.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Event, EventName};
use crate::{Refusal, Reply};

/// Takes events as they come and makes the object at the end.
#[derive(Debug)]
pub struct Collector {
    id: String,
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
struct Failure {
    #[serde(default)]
    error: String,
    #[serde(rename = "type")]
    kind: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Quota {
    message: String,
    wait_time: f64,
    continuation_state: Value,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorBody<'a>>,
    id: &'a str,
    query: &'a Option<String>,
    model: &'a Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: &'a Option<Value>,
    answer: Option<&'a str>,
    sources: &'a Option<Value>,
    result: Option<&'a Value>,
    cost_summary: &'a Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wait_time: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    continuation_state: Option<&'a Value>,
    execution_time: Option<&'a Value>,
    events: &'a [Entry],
}

#[derive(Serialize)]
struct ErrorBody<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    message: &'a str,
}

impl Collector {
    /// For the ask with this id.
    #[must_use]
    pub fn new(id: String) -> Self {
        Collector {
            id,
            events: Vec::new(),
            init: Init::default(),
            answer: None,
            sources: None,
            costs: None,
            pieces: String::new(),
            end: None,
        }
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
            (Some(End::Complete(complete)), _) => self.reply(200, &Outcome::done(complete)),
            (Some(End::Error(failure)), _) => {
                let kind = failure.kind.as_deref().unwrap_or("failed");
                self.reply(error_status(kind), &Outcome::error(kind, &failure.error))
            }
            (Some(End::Quota(quota)), _) => {
                let mut outcome = Outcome::error("quota_exceeded", &quota.message);
                outcome.quota = Some(quota);
                let mut reply = self.reply(429, &outcome);
                let wait = Outcome::whole_seconds(quota.wait_time);
                reply.headers.push(("retry-after", wait.to_string().into()));
                reply
            }
            (None, Some(refusal)) => {
                let message = refusal.to_string();
                self.reply(refusal.status(), &Outcome::error(refusal.kind(), &message))
            }
            (None, None) => {
                let message = format!(
                    "the stream ended before the answer; join it again with GET /ask/{}/events",
                    self.id
                );
                self.reply(502, &Outcome::error("interrupted", &message))
            }
        }
    }

    fn reply(&self, status: u16, outcome: &Outcome<'_>) -> Reply {
        let pieces = Some(self.pieces.as_str()).filter(|pieces| !pieces.is_empty());
        let body = Body {
            error: outcome.error.map(|(kind, message)| ErrorBody { kind, message }),
            id: &self.id,
            query: &self.init.query,
            model: &self.init.model,
            user: &self.init.user,
            // What was written before an end that is no end is still worth having.
            answer: self.answer.as_deref().or(pieces),
            sources: &self.sources,
            result: outcome.complete.map(|complete| &complete.result),
            cost_summary: &self.costs,
            wait_time: outcome.quota.map(|quota| quota.wait_time),
            continuation_state: outcome.quota.map(|quota| &quota.continuation_state),
            execution_time: outcome.complete.and_then(|end| end.execution_time.as_ref()),
            events: &self.events,
        };
        match serde_json::to_string(&body) {
            Ok(text) => Reply::json(status, text),
            Err(error) => {
                let refusal = Refusal::Internal(format!("cannot write the answer: {error}"));
                Reply::json(500, refusal.json())
            }
        }
    }
}

#[derive(Default)]
struct Outcome<'a> {
    error: Option<(&'a str, &'a str)>,
    complete: Option<&'a Complete>,
    quota: Option<&'a Quota>,
}

impl<'a> Outcome<'a> {
    fn done(complete: &'a Complete) -> Self {
        Outcome { complete: Some(complete), ..Outcome::default() }
    }

    fn error(kind: &'a str, message: &'a str) -> Self {
        Outcome { error: Some((kind, message)), ..Outcome::default() }
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
}

/// The status for an ask that ended with `error`.
fn error_status(kind: &str) -> u16 {
    match kind {
        "invalid_field" | "bad_continuation" | "unknown_model" | "context_too_long" => 400,
        "unauthorized" | "missing_key" => 401,
        "no_credit" | "budget_exceeded" => 402,
        "forbidden" => 403,
        "not_found" => 404,
        "rate_limited" => 429,
        "internal" => 500,
        "unavailable" => 503,
        // What is left are failures of those whom we asked.
        _ => 502,
    }
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

    #[test]
    fn an_error_has_its_status() {
        for (kind, status) in [
            (Some("unknown_model"), 400),
            (Some("context_too_long"), 400),
            (Some("missing_key"), 401),
            (Some("budget_exceeded"), 402),
            (Some("unavailable"), 503),
            (Some("provider_failed"), 502),
            (None, 502),
        ] {
            let mut data = json!({ "error": "it broke", "timestamp": "T" });
            if let Some(kind) = kind {
                data["type"] = kind.into();
            }
            let (reply, body) = collect(&[init(), (EventName::Error, data)], None);
            assert_eq!(reply.status, status, "{kind:?}");
            let expected = json!({ "type": kind.unwrap_or("failed"), "message": "it broke" });
            assert_eq!(body["error"], expected);
            assert_eq!(body["events"].as_array().unwrap().len(), 2);
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
        assert_eq!(body["error"], json!({ "type": "quota_exceeded", "message": "later" }));
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
