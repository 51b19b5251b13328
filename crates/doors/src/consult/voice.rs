//! The two forms of an answer from documents: frames as they come, or the answer as one JSON object.
//!
//! Border: built from the events alone. A stream is told as an ask's is, but that its errors have the pipeline's form.

use quarry_events::{
    EventName, FailureKind, KnowledgeTimes, PipelineError, Stage, StageName, StageState,
};
use quarry_types::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::door::{self, Told};
use crate::native::collector::ErrorBody;
use crate::native::{Voice as AskVoice, refused};
use crate::reply::retry_after;
use crate::status::status;
use crate::{Event, Refusal, Reply, frames};

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
    stages: Stages,
}

/// How long stages took, by the times of their events: however these are cut, and from the log again, it is the same.
#[derive(Default)]
struct Stages {
    /// The id of the one that is under way, and when it began.
    open: Option<(String, Timestamp)>,
    times: KnowledgeTimes,
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
        let events: Vec<Event> = events.into_iter().map(of_pipeline).collect();
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
            Voice::Frames(_) => frames::frames(&[of_pipeline(refused::error(why, now))]),
            Voice::Object(_) => Vec::new(),
        }
    }

    fn whole(&mut self, broke_off: Option<&Refusal>) -> Reply {
        match self {
            // What breaks off before its first frame is no stream, and the pipeline's error all the same.
            Voice::Frames(_) if broke_off.is_some() => Object::default().reply(broke_off),
            Voice::Frames(voice) => voice.whole(None),
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

/// The event; an error in the pipeline's form, because who tells of the death of an ask does not know of documents.
fn of_pipeline(event: Event) -> Event {
    if event.name != EventName::Error {
        return event;
    }
    let Ok(mut failure) = serde_json::from_str::<Value>(&event.data) else { return event };
    let Some(Value::String(words)) = failure.get_mut("error") else { return event };
    *words = PipelineError::new(words).to_string();
    Event { data: failure.to_string(), ..event }
}

impl Stages {
    fn take(&mut self, stage: Stage) {
        let at = stage.timestamp.0;
        match stage.state {
            StageState::Begun => self.open = Some((stage.id, at)),
            StageState::Ended => {
                if let Some((_, begun)) = self.open.take_if(|(id, _)| *id == stage.id) {
                    self.add(stage.name, at.since(begun));
                }
            }
        }
    }

    fn add(&mut self, stage: StageName, took: u64) {
        let KnowledgeTimes { retrieval_ms, generation_ms, citation_ms, .. } = &mut self.times;
        match stage {
            StageName::Retrieve => *retrieval_ms += took,
            StageName::Generate => *generation_ms += took,
            StageName::Citations => *citation_ms += took,
            StageName::Context
            | StageName::Setup
            | StageName::Planning
            | StageName::Research
            | StageName::Answer => {}
        }
    }

    /// The answer with how long its stages took.
    fn told_in(&self, answer: String) -> String {
        let Ok(mut shown) = serde_json::from_str::<Value>(&answer) else { return answer };
        let figures = shown.get_mut("metadata").and_then(Value::as_object_mut);
        let Some(figures) = figures else { return answer };
        let Some(total_ms) = figures.get("latencyMs").and_then(Value::as_u64) else {
            return answer;
        };
        figures.insert("metrics".to_owned(), json!(KnowledgeTimes { total_ms, ..self.times }));
        shown.to_string()
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
        } else if event.name == EventName::Stage
            && let Ok(stage) = serde_json::from_str(&event.data)
        {
            self.stages.take(stage);
        }
    }

    fn reply(self, broke_off: Option<&Refusal>) -> Reply {
        let failed = |kind: FailureKind, words: &str, wait_time: Option<u64>| {
            let message = &PipelineError::new(words).to_string();
            let error = ErrorBody { kind: kind.as_str(), code: kind.code(), message };
            let mut reply = Reply::json(status(kind), json!(FailedQuestion { error }).to_string());
            reply.headers.extend(wait_time.map(retry_after));
            reply
        };
        match (self.answer, self.failure, broke_off) {
            (Some(answer), _, _) => Reply::json(200, self.stages.told_in(answer)),
            (None, Some(failure), _) => failed(failure.kind, &failure.error, failure.wait_time),
            (None, None, Some(refusal)) => {
                failed(refusal.kind(), &refusal.to_string(), refusal.retry_after())
            }
            (None, None, None) if self.was_stopped => {
                failed(FailureKind::Interrupted, "it was stopped before the answer", None)
            }
            (None, None, None) => {
                failed(FailureKind::Interrupted, "the answer broke off; ask again", None)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::door::Voice as _;

    const AWAY: &str = "Pipeline error: the store is away";

    fn event((name, data): &(EventName, Value)) -> Event {
        Event { sequence: Some(1), name: *name, data: data.to_string() }
    }

    fn told_in_cuts(
        events: &[(EventName, Value)],
        size: usize,
        broke_off: Option<&Refusal>,
    ) -> (Reply, Value) {
        let mut voice = Voice::new(false);
        for cut in events.chunks(size) {
            voice.tell(cut.iter().map(event).collect());
        }
        let reply = voice.whole(broke_off);
        let body = serde_json::from_slice(&reply.body).unwrap();
        (reply, body)
    }

    fn told(events: &[(EventName, Value)]) -> (Reply, Value) {
        told_in_cuts(events, usize::MAX, None)
    }

    /// A stage of this name, told at this millisecond.
    fn stage(id: u32, name: &str, state: &str, ms: u32) -> (EventName, Value) {
        let timestamp = format!("2026-10-20T21:35:00.{ms:03}Z");
        let id = format!("stage-{id}");
        (
            EventName::Stage,
            json!({ "id": id, "name": name, "state": state, "timestamp": timestamp }),
        )
    }

    /// The answer behind these stages, which took so long.
    fn answered(
        mut stages: Vec<(EventName, Value)>,
        latency: u64,
    ) -> (Vec<(EventName, Value)>, Value) {
        let metadata = json!({ "query": "why?", "latencyMs": latency, "model": null });
        let answer = json!({ "answer": "So it is.", "score": 0.1, "metadata": metadata });
        stages.push((EventName::KnowledgeAnswer, answer.clone()));
        (stages, answer)
    }

    #[test]
    fn the_object_is_the_answer_itself() {
        let answer = json!({ "answer": "Twelve euros [Fees].", "sources": [] });
        let complete = (EventName::Complete, json!({ "result": {} }));
        let (reply, body) = told(&[(EventName::KnowledgeAnswer, answer.clone()), complete]);
        assert_eq!((reply.status, body), (200, answer));
    }

    #[test]
    fn the_object_says_how_long_its_stages_took_by_the_times_of_their_events() {
        let (events, mut answer) = answered(
            vec![
                stage(1, "retrieve", "begun", 7),
                stage(1, "retrieve", "ended", 12),
                stage(2, "context", "begun", 12),
                stage(2, "context", "ended", 15),
                stage(3, "generate", "begun", 15),
                stage(3, "generate", "ended", 115),
                stage(4, "citations", "begun", 115),
                stage(4, "citations", "ended", 117),
            ],
            111,
        );
        // The making of the context is in the whole alone, and so is what was before the first stage.
        answer["metadata"]["metrics"] =
            json!({ "retrievalMs": 5, "generationMs": 100, "citationMs": 2, "totalMs": 111 });
        for size in [1, 3, usize::MAX] {
            let (reply, body) = told_in_cuts(&events, size, None);
            assert_eq!((reply.status, &body), (200, &answer), "{size}");
        }
    }

    #[test]
    fn a_stage_that_never_was_or_never_ended_takes_no_time() {
        let (events, _) = answered(
            vec![
                stage(1, "retrieve", "begun", 0),
                stage(1, "retrieve", "ended", 40),
                // As of an answer that a dead process began.
                stage(2, "generate", "begun", 40),
                stage(3, "citations", "begun", 50),
                stage(2, "generate", "ended", 60),
                stage(3, "citations", "ended", 51),
            ],
            51,
        );
        assert_eq!(
            told(&events).1["metadata"]["metrics"],
            json!({ "retrievalMs": 40, "generationMs": 0, "citationMs": 1, "totalMs": 51 })
        );
    }

    #[test]
    fn what_broke_off_is_the_pipelines_error_in_both_forms_and_a_refusal_is_none() {
        let away = Refusal::Unavailable("the store is away".to_owned());
        let begun = [stage(1, "retrieve", "begun", 0)];
        let (reply, body) = told_in_cuts(&begun, 1, Some(&away));
        assert_eq!((reply.status, &body["error"]["message"]), (503, &json!(AWAY)));
        let held = Refusal::Busy { message: "others hold it".to_owned(), retry_after: 2 };
        let (reply, body) = told_in_cuts(&begun, 1, Some(&held));
        assert_eq!(
            (reply.status, &body["error"]["message"]),
            (429, &json!("Pipeline error: others hold it"))
        );
        assert!(reply.headers.contains(&("retry-after", "2".into())));
        let now = Timestamp(0);
        // Of a stream that had no head yet it is the whole answer.
        let mut headless = Voice::new(true);
        assert_eq!(headless.whole(None).status, 204);
        for (why, status, wait, words) in
            [(&away, 503, None, AWAY), (&held, 429, Some("2"), "Pipeline error: others hold it")]
        {
            let reply = headless.whole(Some(why));
            let body: Value = serde_json::from_slice(&reply.body).unwrap();
            assert_eq!((reply.status, &body["error"]["message"]), (status, &json!(words)));
            assert_eq!(body["error"]["type"], why.kind().as_str());
            let waits = reply.headers.iter().find(|(name, _)| *name == "retry-after");
            assert_eq!(waits.map(|(_, seconds)| &**seconds), wait);
        }
        let frame = String::from_utf8(Voice::new(true).broke_off(&away, now)).unwrap();
        assert!(frame.contains(&format!(r#""error":"{AWAY}""#)), "{frame}");
        for streams in [false, true] {
            let refused = Voice::new(streams).refuse(&away, now).body;
            let refused = String::from_utf8(refused.into_owned()).unwrap();
            assert!(refused.contains(r#":"the store is away""#), "{refused}");
        }
    }

    #[test]
    fn an_error_that_the_pipeline_did_not_word_gets_its_form_once_in_both_forms() {
        for words in ["the store is away", AWAY] {
            let error = (EventName::Error, json!({ "error": words, "type": "interrupted" }));
            let (reply, body) = told(std::slice::from_ref(&error));
            assert_eq!((reply.status, &body["error"]["message"]), (502, &json!(AWAY)));
            let frames = Voice::new(true).tell(vec![event(&error)]).bytes;
            let expected = json!({ "error": AWAY, "type": "interrupted" });
            let frames = String::from_utf8(frames).unwrap();
            assert_eq!(frames, format!("id: 1\nevent: error\ndata: {expected}\n\n"));
        }
    }

    #[test]
    fn an_error_has_its_status_and_the_pipelines_words() {
        let error = json!({ "error": AWAY, "type": "unavailable" });
        let (reply, body) = told(&[(EventName::Error, error)]);
        assert_eq!(reply.status, 503);
        assert_eq!(body["error"]["message"], AWAY);
        let (_, body) = told(&[]);
        assert_eq!(body["error"]["type"], "interrupted");
        assert_eq!(body["error"]["message"], "Pipeline error: the answer broke off; ask again");
        let held = json!({ "error": AWAY, "type": "busy", "waitTime": 3 });
        let (reply, body) = told(&[(EventName::Error, held)]);
        assert_eq!((reply.status, &body["error"]["type"]), (429, &json!("busy")));
        assert!(reply.headers.contains(&("retry-after", "3".into())));
        for (kind, status) in [
            ("unauthorized", 401),
            ("missing_key", 401),
            ("no_credit", 402),
            ("provider_failed", 502),
        ] {
            let refused = json!({ "error": "Pipeline error: it says no", "type": kind });
            let (reply, body) = told(&[(EventName::Error, refused)]);
            assert_eq!((reply.status, &body["error"]["type"]), (status, &json!(kind)));
            assert_eq!(body["error"]["message"], "Pipeline error: it says no");
        }
        let limit = "Pipeline error: LLM request failed: rate limit reached";
        let limited = json!({ "error": limit, "type": "rate_limited", "waitTime": 20 });
        let (reply, _) = told(&[(EventName::Error, limited)]);
        assert_eq!(reply.status, 429);
        assert!(reply.headers.contains(&("retry-after", "20".into())));
    }
}
