//! The two forms of an ask's answer: frames as they come, or one JSON object.

use quarry_types::Timestamp;

use super::collector::Collector;
use super::refused;
use super::wish::{Place, wants_stream};
use crate::door::{self, Told};
use crate::{Event, Head, Refusal, Reply, frames};

/// How one request is answered.
#[derive(Debug)]
pub struct Voice {
    /// Whether a refusal is told in a stream.
    refuses_in_stream: bool,
    form: Form,
}

#[derive(Debug)]
enum Form {
    Frames,
    Object(Box<Collector>),
}

impl Voice {
    /// In the form that was asked for.
    #[must_use]
    pub fn new(streams: bool) -> Voice {
        let form = if streams { Form::Frames } else { Form::Object(Box::default()) };
        Voice { refuses_in_stream: streams, form }
    }

    /// For a stream that is joined again: there is no other form of it, but a refusal may be JSON.
    #[must_use]
    pub fn rejoining(head: &Head, place: Place) -> Voice {
        let refuses_in_stream = wants_stream(None, place.stream, head.accept.as_deref());
        Voice { refuses_in_stream, form: Form::Frames }
    }
}

impl door::Voice for Voice {
    fn streams(&self) -> bool {
        matches!(self.form, Form::Frames)
    }

    fn begin(&mut self, id: &str) {
        if let Form::Object(collector) = &mut self.form {
            id.clone_into(&mut collector.id);
        }
    }

    fn tell(&mut self, events: Vec<Event>) -> Told {
        let last = events.last().is_some_and(|event| event.name.is_last());
        match &mut self.form {
            Form::Frames => Told { bytes: frames::frames(&events), last },
            Form::Object(collector) => {
                events.into_iter().for_each(|event| collector.take(event));
                Told { bytes: Vec::new(), last }
            }
        }
    }

    fn sign_of_life(&self) -> Vec<u8> {
        frames::keep_alive()
    }

    /// Without a number, because the log has no such event.
    fn broke_off(&mut self, why: &Refusal, now: Timestamp) -> Vec<u8> {
        frames::frames(&[refused::error(why, now)])
    }

    fn whole(&mut self, broke_off: Option<&Refusal>) -> Reply {
        match &mut self.form {
            // 204 tells a browser's EventSource that there is nothing to come back for.
            Form::Frames => broke_off.map_or_else(Reply::empty, Reply::refusal),
            Form::Object(collector) => std::mem::take(&mut **collector).finish(broke_off),
        }
    }

    fn refuse(&self, refusal: &Refusal, now: Timestamp) -> Reply {
        if self.refuses_in_stream {
            return Reply::stream(frames::frames(&refused::events(refusal, now)));
        }
        Reply::refusal(refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::door::Voice as _;
    use quarry_events::EventName;
    use serde_json::{Value, json};

    const NOW: Timestamp = Timestamp(0);

    fn event(sequence: u64, name: EventName, data: Value) -> Event {
        Event { sequence: Some(sequence), name, data: data.to_string() }
    }

    fn events() -> Vec<Event> {
        vec![
            event(1, EventName::Init, json!({ "query": "why?", "model": "groq:x" })),
            event(2, EventName::Complete, json!({ "result": {}, "executionTime": 1 })),
        ]
    }

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_stream_tells_events_as_they_come() {
        let mut voice = Voice::new(true);
        voice.begin("0af3");
        let mut all = events();
        let rest = all.split_off(1);
        assert!(voice.streams());
        let told = voice.tell(all);
        assert!(!told.last);
        assert!(text(told.bytes).starts_with("id: 1\nevent: init\n"));
        let told = voice.tell(rest);
        assert!(told.last);
        assert!(text(told.bytes).starts_with("id: 2\nevent: complete\n"));
        let why = Refusal::Unavailable("the store is away".into());
        assert!(text(voice.broke_off(&why, NOW)).starts_with("event: error\ndata: {"));
    }

    #[test]
    fn an_object_has_them_all_at_the_end() {
        let mut voice = Voice::new(false);
        voice.begin("0af3");
        assert!(!voice.streams());
        assert_eq!(voice.tell(events()), Told { bytes: Vec::new(), last: true });
        let reply = voice.whole(None);
        let body: Value = serde_json::from_slice(&reply.body).unwrap();
        assert_eq!(
            (reply.status, &body["id"], &body["query"]),
            (200, &json!("0af3"), &json!("why?"))
        );
    }

    #[test]
    fn a_refusal_has_the_form_that_was_asked_for() {
        let refusal = Refusal::NotFound("no such ask".into());
        let reply = Voice::new(true).refuse(&refusal, NOW);
        assert_eq!(reply.status, 200);
        assert!(text(reply.body.into_owned()).starts_with("id: 1\nevent: error\n"));
        assert_eq!(Voice::new(false).refuse(&refusal, NOW), Reply::refusal(&refusal));
        let rejoining = Voice::rejoining(&Head::default(), Place::default());
        assert!(rejoining.streams());
        assert_eq!(rejoining.refuse(&refusal, NOW).status, 404);
    }

    #[test]
    fn a_stream_with_nothing_left_has_no_content() {
        assert_eq!(Voice::new(true).whole(None).status, 204);
    }
}
