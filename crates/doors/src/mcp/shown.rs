//! What is read of asks that were begun, and the name of a session.
//!
//! Border: events and random bits in, replies out.

use quarry_events::EventName;
use quarry_types::Timestamp;
use serde_json::{Value, json};

use super::Reading;
use super::address::Part;
use super::fold::Fold;
use super::reply::{self, Scope};
use super::voice::{Call, Wants};
use crate::order::{AskRequest, Continuation};
use crate::responses::{Earlier, interrupted};
use crate::talk::{self, Extension, Talk};
use crate::{Event, Reply};

/// The answer to a handshake, with a session of this name.
#[must_use]
pub fn greeted(mut reply: Reply, name: u128) -> Reply {
    reply.headers.push(("mcp-session-id", format!("{name:032x}").into()));
    reply
}

/// A part of an ask, as far as it has come.
#[must_use]
pub fn read(reading: &Reading, earlier: &Earlier) -> Reply {
    let Reading { ask, call: Call { version, id, wants }, part } = reading;
    let (Wants::Resource(uri), Some(id)) = (wants, id) else { return reply::accepted() };
    let text = match part {
        Part::Events => lines(&earlier.events),
        Part::Document => folded(ask, earlier).markdown(),
        Part::Sources => folded(ask, earlier).sources(),
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

/// An ask that a provider's limit ended, and that somebody then stopped: it ended so.
pub fn stopped(earlier: &mut Earlier) {
    if let Some(last) = earlier.events.last_mut().filter(|it| it.name == EventName::QuotaExceeded) {
        (last.name, last.data) = (EventName::Complete, "{}".to_owned());
    }
}

/// The request that goes on with an ask that a provider's limit ended, where its time has come. None of those who send
/// it at the same time begins a second one.
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

/// The events, one a line. What prompts and models say to each other, and the state to go on from, stay here.
fn lines(events: &[Event]) -> String {
    let mut text = String::new();
    for event in events {
        let Ok(mut data) = serde_json::from_str::<Value>(&event.data) else { continue };
        match event.name {
            EventName::LlmCall | EventName::LlmRequest | EventName::LlmResponse => continue,
            EventName::QuotaExceeded => {
                data.as_object_mut().map(|data| data.shift_remove("continuationState"));
            }
            _ => {}
        }
        let name = event.name.as_str();
        text.push_str(&json!({ "id": event.sequence, "event": name, "data": data }).to_string());
        text.push('\n');
    }
    text
}
