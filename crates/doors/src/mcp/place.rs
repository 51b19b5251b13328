//! Where in a stream a client is: the ids of its events, from which the rest is told without any session.
//!
//! Border: texts in and out. A place opens the ask, as the result does that its stream ends with.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quarry_types::json;
use serde_json::Value;

use super::address::is_id;
use super::message::Id;

/// A place in the stream of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The ask.
    pub ask: String,
    /// The call's.
    pub id: Id,
    /// By what its progress is known.
    pub token: Option<Id>,
    /// The number of the last frame that was seen.
    pub number: u64,
}

/// As it is written behind `id:`.
pub(super) fn written(ask: &str, id: &Id, token: Option<&Id>, number: u64) -> String {
    URL_SAFE_NO_PAD.encode(json::text(&(ask, id, token, number)).unwrap_or_default())
}

impl Place {
    /// None for what was not written here.
    pub fn read(text: &str) -> Option<Place> {
        let bytes = URL_SAFE_NO_PAD.decode(text.trim()).ok()?;
        let Value::Array(parts) = serde_json::from_slice(&bytes).ok()? else { return None };
        let [ask, id, token, number] = parts.as_slice() else { return None };
        let token = match token {
            Value::Null => None,
            token => Some(Id::read(token)?),
        };
        let ask = ask.as_str().filter(|ask| is_id(ask))?.to_owned();
        Some(Place { ask, id: Id::read(id)?, token, number: number.as_u64()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entrance, Event, Head, McpHead, enter};
    use proptest::prelude::*;
    use quarry_events::EventName;
    use quarry_types::Timestamp;

    fn id() -> impl Strategy<Value = Id> {
        prop_oneof![any::<i64>().prop_map(Id::Number), ".{0,40}".prop_map(Id::Text)]
    }

    #[test]
    fn behind_the_end_of_a_stream_there_is_nothing() {
        let head = Head {
            method: "GET".to_owned(),
            path: "/mcp".to_owned(),
            accept: Some("text/event-stream".to_owned()),
            last_event_id: Some(written("0af3", &Id::Number(7), None, u64::MAX)),
            mcp: McpHead { version: Some("2025-11-25".to_owned()), ..McpHead::default() },
            ..Head::default()
        };
        let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("no door") };
        let mut voice = visit.open(&head, b"").voice;
        voice.begin("0af3");
        let (name, data) = (EventName::Complete, "{}".to_owned());
        let told = voice.tell(vec![Event { sequence: Some(9), name, data }]);
        assert!(told.last && told.bytes.is_empty());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            ask in "[0-9a-f]{1,32}", id in id(), token in proptest::option::of(id()), number: u64,
        ) {
            let text = written(&ask, &id, token.as_ref(), number);
            prop_assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
            prop_assert_eq!(Place::read(&text), Some(Place { ask, id, token, number }));
        }

        #[test]
        fn what_is_not_is_nothing(text in "[ -~]{0,60}") {
            prop_assert_eq!(Place::read(&text), None);
        }
    }
}
