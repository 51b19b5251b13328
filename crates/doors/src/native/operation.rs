//! What the OpenAPI document says of the doors here.

use quarry_events::EventName;
use serde_json::json;

use super::request;
use super::wish::{AFTER, LAST_EVENT_ID, STREAM, STREAM_WORDS};
use crate::openapi::{Answer, Body, Form, Operation, Parameter, Place, Tag};
use crate::reply::Stopping;
use crate::status::Status;
use crate::variable::KEEP_ALIVE_SECONDS;

pub(super) fn ask() -> Operation {
    let answer = Form::Json(|shapes| shapes.writes::<super::Answer<'static>>());
    Operation {
        summary: "Ask a question",
        description: Some(
            "Answers with an event stream when the body's `stream`, else `?stream=`, else `Accept: text/event-stream` says so; otherwise with one JSON object when the answer is there. Refused requests get a real status as JSON, and 200 with one `error` event as a stream.",
        ),
        tag: Tag::Ask,
        parameters: vec![stream(), idempotency_key()],
        body: Body::Needed(|shapes| shapes.reads::<request::Body>()),
        answers: vec![Answer::new(200, "The events, or the answer.", vec![frames(), answer])],
        failures: Status::of_asks(),
    }
}

pub(super) fn join() -> Operation {
    Operation {
        summary: "Join an ask's stream",
        description: Some(
            "First what was missed, then what comes, with the same bytes. The answer is always a stream.",
        ),
        tag: Tag::Ask,
        parameters: vec![after(), last_event_id(), stream()],
        body: Body::None,
        answers: vec![
            Answer::new(200, "The events.", vec![frames()]),
            Answer::new(204, "The ask has ended and its last event was seen.", vec![Form::Empty]),
        ],
        failures: vec![
            Status::InvalidRequest,
            Status::NotFound,
            Status::RateLimited,
            Status::Internal,
            Status::Unavailable,
        ],
    }
}

pub(super) fn stop() -> Operation {
    let stopping = Form::Json(|shapes| shapes.writes::<Stopping<'static>>());
    Operation {
        summary: "End an ask early",
        description: Some(
            "It ends at its next step, with a consistent last event. Stopping an ask that has ended is no error.",
        ),
        tag: Tag::Ask,
        parameters: Vec::new(),
        body: Body::None,
        answers: vec![Answer::new(202, "It will end.", vec![stopping])],
        failures: vec![Status::NotFound, Status::Unavailable],
    }
}

pub(crate) fn frames() -> Form {
    let last = EventName::ALL.into_iter().filter(|name| name.is_last());
    let last: Vec<String> = last.map(|name| format!("`{}`", name.as_str())).collect();
    let last = match last.as_slice() {
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
        [] => String::new(),
    };
    Form::Stream(format!(
        "Frames, and the comment `: keep-alive` after {KEEP_ALIVE_SECONDS} s of silence (`keep_alive_seconds`). The last event is {last}; a stream that ends without one was cut off, so join it again. A refused request is 200 with one `error` event; when there is no key for the model, `log` and `init` come before it."
    ))
}

pub(crate) fn stream() -> Parameter {
    Parameter {
        component: "Stream",
        name: STREAM,
        place: Place::Query,
        description: "`true`: an event stream. `false`: one JSON object. Wins over `Accept`.",
        schema: json!({ "type": "string", "enum": STREAM_WORDS.map(|(word, _)| word) }),
    }
}

pub(crate) fn idempotency_key() -> Parameter {
    Parameter {
        component: "AskKey",
        name: "Idempotency-Key",
        place: Place::Header,
        description: "With the same key and the same body, however that is written and though an account's token was renewed in it, the ask is joined that they began, until ten minutes after its end, in whichever form the answer is wanted; with another body it is a conflict (409) for as long as that ask is kept, and nothing begins. Where it was refused, it is free again; where the server died before the ask had begun, it means that body still, which begins anew with it. What goes on with an ask that a limit ended is known by that ask, and where it asks something else by its question and what it wishes, whatever the key. One of less than 16 characters counts together with the address, where nothing proves who sends it; without an account another body with it is another request, and no conflict.",
        schema: json!({ "type": "string" }),
    }
}

pub(crate) fn after() -> Parameter {
    Parameter {
        component: "After",
        name: AFTER,
        place: Place::Query,
        description: "The number of the last event seen; 0: from the beginning.",
        schema: json!({ "type": "integer", "minimum": 0, "default": 0 }),
    }
}

pub(crate) fn last_event_id() -> Parameter {
    Parameter {
        component: "LastEventId",
        name: LAST_EVENT_ID,
        place: Place::Header,
        description: "The same as `after`, which it wins over. Browsers send it when they reconnect.",
        schema: json!({ "type": "integer", "minimum": 0 }),
    }
}
