//! The two forms of an answer from documents: frames as they come, or the answer as one JSON object.
//!
//! Border: built from the events alone. A stream is told as an ask's is.

use quarry_events::{EventName, FailureKind};
use quarry_types::Timestamp;
use serde::{Deserialize, Serialize};

use crate::door::{self, Told};
use crate::native::Voice as AskVoice;
use crate::native::collector::ErrorBody;
use crate::reply::retry_after;
use crate::status::status;
use crate::{Event, Refusal, Reply};

/// A question to documents that was not answered, or any other request about them that was refused.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct FailedQuestion<'a> {
    /// What ended it.
    error: ErrorBody<'a>,
}

/// How one request is answered.
pub(super) enum Voice {
    /// As an ask's.
    Frames(AskVoice),
    /// One object at the end.
    Object(Object),
}

/// What an object is made of.
#[derive(Default)]
pub(super) struct Object {
    /// The payload of `knowledge_answer`.
    answer: Option<String>,
    /// That of `error`.
    failure: Option<Failure>,
    was_stopped: bool,
}

#[derive(Deserialize)]
struct Failure {
    error: String,
    #[serde(rename = "type")]
    kind: FailureKind,
    /// Seconds.
    #[serde(rename = "waitTime")]
    wait_time: Option<u64>,
}

impl Voice {
    pub fn new(streams: bool) -> Voice {
        if streams { Voice::Frames(AskVoice::new(true)) } else { Voice::Object(Object::default()) }
    }
}

impl door::Voice for Voice {
    fn streams(&self) -> bool {
        matches!(self, Voice::Frames(_))
    }

    fn tell(&mut self, events: Vec<Event>) -> Told {
        match self {
            Voice::Frames(voice) => voice.tell(events),
            Voice::Object(object) => {
                let last = events.last().is_some_and(|event| event.name.is_last());
                events.into_iter().for_each(|event| object.take(event));
                Told { bytes: Vec::new(), last }
            }
        }
    }

    fn sign_of_life(&self) -> Vec<u8> {
        match self {
            Voice::Frames(voice) => voice.sign_of_life(),
            Voice::Object(_) => Vec::new(),
        }
    }

    fn broke_off(&mut self, why: &Refusal, now: Timestamp) -> Vec<u8> {
        match self {
            Voice::Frames(voice) => voice.broke_off(why, now),
            Voice::Object(_) => Vec::new(),
        }
    }

    fn whole(&mut self, broke_off: Option<&Refusal>) -> Reply {
        match self {
            Voice::Frames(voice) => voice.whole(broke_off),
            Voice::Object(object) => std::mem::take(object).reply(broke_off),
        }
    }

    fn refuse(&self, refusal: &Refusal, now: Timestamp) -> Reply {
        match self {
            Voice::Frames(voice) => voice.refuse(refusal, now),
            Voice::Object(_) => Reply::refusal(refusal),
        }
    }
}

impl Object {
    fn take(&mut self, event: Event) {
        if event.name == EventName::KnowledgeAnswer {
            self.answer = Some(event.data);
        } else if event.name == EventName::Error {
            self.failure = serde_json::from_str(&event.data).ok();
        } else if event.name == EventName::Complete {
            self.was_stopped = self.answer.is_none();
        }
    }

    fn reply(self, broke_off: Option<&Refusal>) -> Reply {
        let failed = |kind: FailureKind, message: &str| {
            let error = ErrorBody { kind: kind.as_str(), code: kind.code(), message };
            Reply::json(status(kind), serde_json::json!(FailedQuestion { error }).to_string())
        };
        match (self.answer, self.failure, broke_off) {
            (Some(answer), _, _) => Reply::json(200, answer),
            (None, Some(failure), _) => {
                let mut reply = failed(failure.kind, &failure.error);
                reply.headers.extend(failure.wait_time.map(retry_after));
                reply
            }
            (None, None, Some(refusal)) => failed(refusal.kind(), &refusal.to_string()),
            (None, None, None) if self.was_stopped => {
                failed(FailureKind::Interrupted, "Pipeline error: it was stopped before the answer")
            }
            (None, None, None) => {
                failed(FailureKind::Interrupted, "Pipeline error: the answer broke off; ask again")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::door::Voice as _;
    use serde_json::{Value, json};

    fn told(events: &[(EventName, Value)]) -> (Reply, Value) {
        let mut voice = Voice::new(false);
        let event = |(name, data): &(EventName, Value)| Event {
            sequence: Some(1),
            name: *name,
            data: data.to_string(),
        };
        voice.tell(events.iter().map(event).collect());
        let reply = voice.whole(None);
        let body = serde_json::from_slice(&reply.body).unwrap();
        (reply, body)
    }

    #[test]
    fn the_object_is_the_answer_itself() {
        let answer = json!({ "answer": "Twelve euros [Fees].", "sources": [] });
        let complete = (EventName::Complete, json!({ "result": {} }));
        let (reply, body) = told(&[(EventName::KnowledgeAnswer, answer.clone()), complete]);
        assert_eq!((reply.status, body), (200, answer));
    }

    #[test]
    fn an_error_has_its_status_and_the_pipelines_words() {
        let error = json!({ "error": "Pipeline error: the store is away", "type": "unavailable" });
        let (reply, body) = told(&[(EventName::Error, error)]);
        assert_eq!(reply.status, 503);
        assert_eq!(body["error"]["message"], "Pipeline error: the store is away");
        let (_, body) = told(&[]);
        assert_eq!(body["error"]["type"], "interrupted");
        let limit = "Pipeline error: LLM request failed: rate limit reached";
        let limited = json!({ "error": limit, "type": "rate_limited", "waitTime": 20 });
        let (reply, _) = told(&[(EventName::Error, limited)]);
        assert_eq!(reply.status, 429);
        assert!(reply.headers.contains(&("retry-after", "20".into())));
    }
}
