//! How an ask ended, found out from its events as they are written.
//!
//! Border: looks for marks in payloads, because a log is gone through far more often than a payload of it is wanted. Quotes
//! within a text are escaped, so what is found is no text's.

use crate::EventName;

const ANSWERED: &str = r#""ended":"answered""#;
const STOPPED: &str = r#""ended":"stopped""#;
const INTERRUPTED: &str = r#""type":"interrupted""#;
const DEGRADED: &str = r#""degraded":{"#;

/// How an ask ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// With an answer as it was asked for.
    Answered,
    /// With an answer that was made without the model, because that failed.
    Makeshift,
    /// On request, before its answer.
    Stopped,
    /// Its process died, and somebody else has said so: it can be gone on with.
    Interrupted,
    /// It failed, or a limit ended it.
    Failed,
}

/// How an ask goes, as far as its events were passed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Course {
    is_makeshift: bool,
    ending: Option<Ending>,
}

impl Course {
    /// Goes on with the next event: its name, and its payload as JSON without spaces. What has an unknown name ends nothing.
    pub fn pass(&mut self, name: &str, data: &str) {
        let name = EventName::parse(name);
        self.is_makeshift |= name == Some(EventName::FinalAnswer) && data.contains(DEGRADED);
        self.ending = name.filter(|name| name.is_last()).map(|name| match name {
            EventName::Complete if data.contains(ANSWERED) && self.is_makeshift => {
                Ending::Makeshift
            }
            EventName::Complete if data.contains(ANSWERED) => Ending::Answered,
            EventName::Complete if data.contains(STOPPED) => Ending::Stopped,
            EventName::Error if data.contains(INTERRUPTED) => Ending::Interrupted,
            _ => Ending::Failed,
        });
    }

    /// How it ended; none: the event that was passed last is not one that ends an ask.
    #[must_use]
    pub const fn ending(self) -> Option<Ending> {
        self.ending
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Complete, Event, Failure, FailureKind, FinalAnswer};
    use quarry_types::Timestamp;
    use serde_json::{Value, json};

    const TIME: &str = "2026-10-20T21:35:00.007Z";

    fn complete(ended: &str, query: &str) -> Event {
        let metadata = json!({
            "totalResults": 0, "searchIterations": 0, "totalToolCalls": 0, "totalLLMCalls": 0, "finalModel": "m",
            "setup_cost": 0.0, "query_cost": 0.0, "total_cost": 0.0, "costKnown": true, "unpricedCalls": 0
        });
        let result = json!({
            "id": "a", "query": query, "searches": [], "searchResults": [], "response": null, "persona": "",
            "questions": [], "stopped": false, "partial": false, "metadata": metadata
        });
        let payload =
            json!({ "result": result, "executionTime": 1, "timestamp": TIME, "ended": ended });
        Event::new(9, &serde_json::from_value::<Complete>(payload).unwrap())
    }

    fn answer(degraded: &Value) -> Event {
        let payload = json!({
            "content": DEGRADED, "timestamp": TIME, "sources": [], "citations": [], "finish": "stop",
            "costSummary": {
                "totalCost": 0.0, "costKnown": true, "unpricedCalls": 0, "totalTokens": 0, "modelName": "m"
            },
            "degraded": degraded
        });
        Event::new(8, &serde_json::from_value::<FinalAnswer>(payload).unwrap())
    }

    fn failure(kind: FailureKind) -> Event {
        Event::new(9, &Failure::new(kind, INTERRUPTED, Timestamp(1)))
    }

    fn ending(events: &[Event]) -> Option<Ending> {
        let mut course = Course::default();
        for event in events {
            course.pass(event.name.as_str(), &event.data);
        }
        course.ending()
    }

    #[test]
    fn the_last_event_says_how_an_ask_ended_and_no_text_in_it_does() {
        for (last, expected) in [
            (complete("answered", STOPPED), Ending::Answered),
            (complete("stopped", ANSWERED), Ending::Stopped),
            (failure(FailureKind::Interrupted), Ending::Interrupted),
            (failure(FailureKind::ProviderFailed), Ending::Failed),
        ] {
            assert_eq!(ending(&[answer(&Value::Null), last]), Some(expected));
        }
        let mut course = Course::default();
        course.pass("quota_exceeded", "{}");
        assert_eq!(course.ending(), Some(Ending::Failed));
        course.pass("of a newer version", ANSWERED);
        assert_eq!(course.ending(), None);
    }

    #[test]
    fn an_answer_without_the_model_is_makeshift_once_it_is_the_end() {
        let makeshift = || answer(&json!({ "reason": "the provider is away" }));
        assert_eq!(ending(&[makeshift()]), None);
        let answered = complete("answered", "q");
        assert_eq!(ending(&[makeshift(), answered]), Some(Ending::Makeshift));
        let stopped = complete("stopped", "q");
        assert_eq!(ending(&[makeshift(), stopped]), Some(Ending::Stopped));
    }
}
