//! What is read of asks that were begun, and the name of a session.
//!
//! Border: events and random bits in, replies out.

use quarry_events::{EventName, FailureKind};
use quarry_types::Timestamp;
use serde_json::{Value, json};

use super::Reading;
use super::address::Part;
use super::fold::Fold;
use super::reply::{self, Scope};
use super::voice::{Call, Wants};
use crate::order::{AskRequest, Continuation};
use crate::responses::{Earlier, born_at, interrupted};
use crate::talk::{self, Extension, Talk, Told};
use crate::{Event, Reply};

/// How old an ask is, in milliseconds, that may be begun elsewhere and have written nothing yet. Clocks differ.
const BEGINS_MS: u64 = 10_000;

/// Whether an ask of which nothing is written may be about to begin. Whoever makes older ids up costs the store nothing.
#[must_use]
pub fn may_begin(ask: &str, now: Timestamp) -> bool {
    now.0.abs_diff(born_at(ask)) <= BEGINS_MS
}

/// The answer to a handshake, with a session of this name.
#[must_use]
pub fn greeted(mut reply: Reply, name: u128) -> Reply {
    reply.headers.push(("mcp-session-id", format!("{name:032x}").into()));
    reply
}

/// A part of the newest ask that goes on with another, as far as it has come. One that was stopped while it could be gone on
/// with goes on no more; its events are what happened all the same.
#[must_use]
pub fn read(reading: &Reading, mut earlier: Earlier, is_stopped: bool) -> Reply {
    let Reading { ask, call: Call { version, id, wants }, part } = reading;
    let (Wants::Resource(uri), Some(id)) = (wants, id) else { return reply::accepted() };
    if is_stopped && *part != Part::Events {
        stopped(&mut earlier);
    }
    let text = match part {
        Part::Events => lines(&earlier.events),
        Part::Document => folded(ask, &earlier).markdown(),
        Part::Sources => folded(ask, &earlier).sources(),
    };
    let contents = reply::contents(uri, part.kind(), &text);
    reply::result(id, *version, reply::kept(*version, Scope::Private, contents))
}

/// An ask as far as it has come.
pub(super) fn folded(ask: &str, earlier: &Earlier) -> Fold {
    let mut fold = Fold::default();
    fold.begin(ask);
    earlier.events.iter().for_each(|event| drop(fold.step(event)));
    if earlier.has_ended {
        fold.break_off(&interrupted());
    }
    fold
}

/// An ask that a provider's limit ended, or its process's death, and that somebody then stopped: it ended so.
pub fn stopped(earlier: &mut Earlier) {
    let is_left = |last: &&mut Event| last.name == EventName::QuotaExceeded || is_interrupted(last);
    if let Some(last) = earlier.events.last_mut().filter(is_left) {
        (last.name, last.data) = (EventName::Complete, "{}".to_owned());
    }
}

/// An ask whose process died, and of which nothing is kept to go on from: it failed. False: that is not how it ended.
pub fn unkept(earlier: &mut Earlier) -> bool {
    let Some(last) = earlier.events.last_mut().filter(|last| is_interrupted(last)) else {
        return false;
    };
    let words = "it was interrupted, and nothing of it is kept to go on from; call research again";
    last.data = json!({ "error": words, "type": FailureKind::Internal.as_str() }).to_string();
    true
}

fn is_interrupted(event: &Event) -> bool {
    let told = (event.name == EventName::Error).then(|| Told::read(event.name, &event.data));
    matches!(told.flatten(), Some(Told::Failed { kind: FailureKind::Interrupted, .. }))
}

/// The request that goes on with an ask that a provider's limit ended, where its time has come, or its process's death. None
/// of those who send it at the same time begins a second one.
#[must_use]
pub fn goes_on(ask: &str, earlier: &Earlier, now: Timestamp) -> Option<AskRequest> {
    let until = folded(ask, earlier).goes_on_at()?;
    if now.0 < until {
        return None;
    }
    let wanted = Extension::default().wanted("").ok()?;
    let mut request = talk::request(Talk::default(), "quarry", wanted);
    request.resume = Some(Continuation::Kept(ask.to_owned()));
    request.manners.grace_seconds = None;
    request.manners.goes_on = true;
    request.manners.goes_on_from(ask);
    request.manners.keeps = earlier.kept.clone();
    Some(request)
}

/// The events, one a line. What prompts and models say to each other, how the caller wants to be answered, and the state to go
/// on from stay here.
fn lines(events: &[Event]) -> String {
    let mut text = String::new();
    for event in events {
        let Ok(mut data) = serde_json::from_str::<Value>(&event.data) else { continue };
        match event.name {
            EventName::LlmCall | EventName::LlmRequest | EventName::LlmResponse => continue,
            EventName::QuotaExceeded => {
                data.as_object_mut().map(|data| data.shift_remove("continuationState"));
            }
            EventName::Init => leave_out_wishes(&mut data),
            _ => {}
        }
        let name = event.name.as_str();
        text.push_str(&json!({ "id": event.sequence, "event": name, "data": data }).to_string());
        text.push('\n');
    }
    text
}

/// What of how an ask is to be answered stands in prompts.
fn leave_out_wishes(init: &mut Value) {
    let Some(asked) = init.get_mut("asked").and_then(Value::as_object_mut) else { return };
    asked.shift_remove("instructions");
    if let Some(format) = asked.get_mut("format").and_then(Value::as_object_mut) {
        format.shift_remove("schema");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::Id;
    use crate::mcp::era::Version;

    #[test]
    fn events_are_shown_without_what_stands_in_prompts() {
        let event = |name, data: &Value| Event { sequence: Some(1), name, data: data.to_string() };
        let schema = json!({ "type": "object", "title": "canary" });
        let format =
            json!({ "type": "json_schema", "name": "n", "schema": schema, "strict": true });
        let asked = json!({ "instructions": "canary", "format": format, "top_p": 0.5 });
        let shown = lines(&[
            event(EventName::Init, &json!({ "query": "why?", "asked": asked })),
            event(EventName::LlmRequest, &json!({ "prompt": "canary" })),
            event(EventName::QuotaExceeded, &json!({ "continuationState": "canary" })),
        ]);
        let all: Vec<Value> =
            shown.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let format = json!({ "type": "json_schema", "name": "n", "strict": true });
        let left = json!({ "query": "why?", "asked": { "format": format, "top_p": 0.5 } });
        assert_eq!(all[0]["data"], left);
        assert_eq!((all.len(), shown.contains("canary")), (2, false));
        let plain = json!({ "query": "why?" });
        assert!(lines(&[event(EventName::Init, &plain)]).contains(&plain.to_string()));
    }

    #[test]
    fn what_was_stopped_while_it_waited_is_read_as_that_and_with_the_events_that_there_were() {
        let until = "1970-01-01T00:01:00Z";
        let limit = json!({ "message": "slow", "waitTime": 60, "resumeAfter": until });
        let read = |part, is_stopped| {
            let (name, data) = (EventName::QuotaExceeded, limit.to_string());
            let events = vec![Event { sequence: Some(1), name, data }];
            let earlier = Earlier { events, has_ended: true, kept: None };
            let uri = "quarry://asks/0af3".to_owned();
            let (version, id) = (Version::June2025, Some(Id::Number(7)));
            let call = Call { version, id, wants: Wants::Resource(uri) };
            let reading = Reading { ask: "0af3".to_owned(), call, part };
            let body = super::read(&reading, earlier, is_stopped).body;
            let told: Value = serde_json::from_slice(&body).unwrap();
            told["result"]["contents"][0]["text"].as_str().unwrap().to_owned()
        };
        let waits = read(Part::Document, false);
        assert!(waits.contains("research_result with id \"0af3\" in 60 s"), "{waits}");
        let stopped = read(Part::Document, true);
        assert!(stopped.contains("was stopped") && !stopped.contains("slow"), "{stopped}");
        assert_eq!(read(Part::Events, true), read(Part::Events, false));
    }

    #[test]
    fn what_died_is_gone_on_with_unless_somebody_stopped_it_or_nothing_is_kept() {
        let ask = quarry_types::AskId::new(1_000, 7).to_string();
        let died = || {
            let data = json!({ "error": "It was.", "type": "interrupted", "code": "INTERRUPTED" });
            let (name, data) = (EventName::Error, data.to_string());
            let kept = Some("kept".to_owned());
            Earlier { events: vec![Event { sequence: Some(1), name, data }], has_ended: true, kept }
        };
        let told = |earlier: &Earlier| folded(&ask, earlier).result(Version::June2025);
        let goes_on = |earlier: &Earlier| goes_on(&ask, earlier, Timestamp(0));
        let result = told(&died());
        let structured = &result["structuredContent"];
        assert_eq!(
            (&structured["status"], &result["isError"]),
            (&json!("interrupted"), &json!(true))
        );
        let next = json!({ "tool": "research_result", "arguments": { "id": ask } });
        assert_eq!(structured["next"], next, "{result}");
        let words = result["content"][0]["text"].as_str().unwrap();
        assert!(words.contains("research_result") && !words.contains("send"), "{words}");
        let request = goes_on(&died()).unwrap();
        assert_eq!(request.resume, Some(Continuation::Kept(ask.clone())));
        assert_eq!(request.manners.keeps.as_deref(), Some("kept"));

        let mut other = died();
        stopped(&mut other);
        assert!(goes_on(&other).is_none());
        assert_eq!(told(&other)["structuredContent"]["status"], "stopped");
        let mut lost = died();
        assert!(unkept(&mut lost) && goes_on(&lost).is_none());
        let result = told(&lost);
        assert_eq!(result["structuredContent"]["status"], "failed");
        assert_eq!(result["structuredContent"]["next"], Value::Null);
        assert!(!unkept(&mut lost), "it ended otherwise");
    }

    #[test]
    fn only_what_is_young_may_be_about_to_begin() {
        let may_begin = |born, now| {
            let ask = quarry_types::AskId::new(born, 7).to_string();
            super::may_begin(&ask, Timestamp(now))
        };
        assert!(may_begin(100_000, 100_050) && may_begin(100_000, 110_000));
        assert!(may_begin(100_000, 99_000), "clocks differ");
        assert!(!may_begin(100_000, 110_001) && !may_begin(100_000, 80_000));
    }
}
