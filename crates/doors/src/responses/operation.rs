//! What the OpenAPI document says of the doors here.

use serde_json::json;

use super::Responses;
use super::body::Body;
use super::listing::{Deleted, InputItems};
use super::wire::{Frame, Object};
use crate::Headers;
use crate::openapi::{Answer, Body as Reads, Form, OF_ASKS, Operation, Parameter, Place, Tag};
use crate::status::Status;

pub(super) fn of(door: Responses) -> Operation {
    match door {
        Responses::Create => create(),
        Responses::Show => show(),
        Responses::Delete => delete(),
        Responses::Items => items(),
        Responses::Cancel => cancel(),
    }
}

fn frames() -> Form {
    Form::Chunks(
        "Frames with the names of the protocol and `sequence_number` from 0, without ids; a line `:` after silence, and `data: [DONE]` at the end. Exactly one of `response.completed`, `response.incomplete` and `response.failed` ends it; a stream without one broke off for its reader alone and is joined again.",
        |shapes| shapes.writes::<Frame<'static>>(),
    )
}

fn object() -> Form {
    Form::Json(|shapes| shapes.writes::<Object<'static>>())
}

fn marks() -> Headers {
    vec![("x-request-id", "".into()), ("x-quarry-ask", "".into())]
}

fn create() -> Operation {
    let mut headers = marks();
    headers.push(("x-quarry-ignored", "".into()));
    Operation {
        summary: "Ask as a response",
        description: Some(
            "OpenAI's Responses, with an ask behind each. What is searched, read and run comes as items of the protocol's own kinds, the plan and the model's thoughts as reasoning summaries. `Authorization: Bearer` means what it means at `/v1/chat/completions`, and a client's own retry joins what it began; the same request that counts nothing takes up the stream that it left, or what a limit ended. With `background` the answer comes at once and the ask goes on without a reader, and the same request begins another while it is under way, unless it counts or sends an `Idempotency-Key`; else, with `stream`, it ends 30 s (`chat_grace_seconds`) after nobody reads it; without, nothing is sent before the end, so it is not noticed that a client left, and the ask goes on. With the model `quarry-run` and `background` a run is behind it: its tree comes as reasoning summaries, its report is the answer. A response is kept as long as its ask's log, or its run; with `store: false` it can be neither fetched nor followed, and its log goes 10 minutes after its end.",
        ),
        tag: Tag::OpenAi,
        parameters: Vec::new(),
        body: Reads::Needed(|shapes| shapes.reads::<Body>()),
        answers: vec![Answer::new(200, "The response.", vec![frames(), object()]).with(headers)],
        failures: [OF_ASKS, &[Status::Conflict]].concat(),
    }
}

fn reading(summary: &'static str, description: &'static str) -> Operation {
    Operation {
        summary,
        description: Some(description),
        tag: Tag::OpenAi,
        parameters: Vec::new(),
        body: Reads::None,
        answers: Vec::new(),
        failures: vec![
            Status::Unauthorized,
            Status::Forbidden,
            Status::NotFound,
            Status::Conflict,
            Status::RateLimited,
            Status::Unavailable,
        ],
    }
}

fn query(
    component: &'static str,
    name: &'static str,
    description: &'static str,
    schema: serde_json::Value,
) -> Parameter {
    Parameter { component, name, place: Place::Query, description, schema }
}

fn show() -> Operation {
    let mut operation = reading(
        "Show a response, or tell its frames again",
        "The object as it is now; with `stream=true` its frames, with the same bytes as the first time. The ask of any door can be shown by `resp_` and its id, a run by `resp_run_` and its id.",
    );
    operation.parameters = vec![
        query(
            "responseStream",
            "stream",
            "Whether its frames are told.",
            json!({ "type": "string", "enum": ["true", "false", "1", "0"] }),
        ),
        query(
            "startingAfter",
            "starting_after",
            "With `stream`: the last frame that is not told.",
            json!({ "type": "integer", "minimum": 0 }),
        ),
    ];
    operation.answers =
        vec![Answer::new(200, "The response.", vec![frames(), object()]).with(marks())];
    operation.failures.insert(0, Status::InvalidRequest);
    operation
}

fn delete() -> Operation {
    let mut operation = reading(
        "Forget a response",
        "Its ask's log, or its run, goes with it. One that is under way is kept (409): it has to be cancelled first.",
    );
    let gone = Form::Json(|shapes| shapes.writes::<Deleted>());
    operation.answers = vec![Answer::new(200, "It is gone.", vec![gone]).named()];
    operation
}

fn items() -> Operation {
    let mut operation = reading(
        "List what a response was asked with",
        "The conversation that was sent or followed, and the question.",
    );
    operation.parameters = vec![
        query(
            "itemsLimit",
            "limit",
            "So many at most. Default: 20.",
            json!({ "type": "integer", "minimum": 1, "maximum": 100 }),
        ),
        query(
            "itemsOrder",
            "order",
            "Default: desc, the newest first.",
            json!({ "type": "string", "enum": ["asc", "desc"] }),
        ),
        query(
            "itemsAfter",
            "after",
            "The id of the item behind which the list begins.",
            json!({ "type": "string" }),
        ),
    ];
    let list = Form::Json(|shapes| shapes.writes::<InputItems>());
    operation.answers = vec![Answer::new(200, "The items.", vec![list]).named()];
    operation.failures.insert(0, Status::InvalidRequest);
    operation
}

fn cancel() -> Operation {
    let mut operation = reading(
        "End a response early",
        "Answers with the object when its ask has ended, or as it is after 10 s. One that has ended is shown as it is.",
    );
    operation.answers = vec![Answer::new(200, "The response.", vec![object()]).named()];
    operation
}
