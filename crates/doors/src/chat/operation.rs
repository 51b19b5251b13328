//! What the OpenAPI document says of the doors here.

use super::Chat;
use super::body::Body;
use super::models::{Model, ModelList};
use super::wire::{Chunk, Completion};
use crate::Headers;
use crate::openapi::{Answer, Body as Reads, Form, Operation, Tag};
use crate::status::Status;

pub(super) fn of(door: Chat) -> Operation {
    match door {
        Chat::Complete => complete(),
        Chat::List => reading(
            "The models that may be asked for",
            |shapes| shapes.writes::<ModelList>(),
            false,
        ),
        Chat::Show => reading("One model", |shapes| shapes.writes::<Model>(), true),
    }
}

fn complete() -> Operation {
    let chunks = Form::Chunks(
        "Chunks as `data:` lines without ids, one without words after 10 s of silence, and `data: [DONE]` at the end. What fails when the stream has begun is a frame with `error`, and no chunk with a `finish_reason` comes.",
        |shapes| shapes.writes::<Chunk<'static>>(),
    );
    let whole = Form::Json(|shapes| shapes.writes::<Completion<'static>>());
    let headers: Headers = vec![
        ("x-request-id", "".into()),
        ("x-quarry-ask", "".into()),
        ("x-quarry-ignored", "".into()),
    ];
    Operation {
        summary: "Ask as a chat completion",
        description: Some(
            "OpenAI's Chat Completions, with an ask behind each: the last message is researched, the conversation before it says what it means. `Authorization: Bearer` is the access secret or an ID token where the operator set one up, else the caller's own provider key where the operator has none; `X-Provider-Key` is always the latter. A client's own retry (`x-stainless-retry-count`, `Idempotency-Key`) joins the ask that it began; the same request without either takes up what it began and left, or what a limit ended. When nobody reads the stream, the ask ends after 30 s (`chat_grace_seconds`); without `stream` nothing is sent before the end, so it is not noticed that a client left, and the ask goes on.",
        ),
        tag: Tag::OpenAi,
        parameters: Vec::new(),
        body: Reads::Needed(|shapes| shapes.reads::<Body>()),
        answers: vec![Answer::new(200, "The answer.", vec![chunks, whole]).with(headers)],
        failures: vec![
            Status::InvalidRequest,
            Status::Unauthorized,
            Status::Forbidden,
            Status::NotFound,
            Status::TooSlow,
            Status::Conflict,
            Status::TooLarge,
            Status::RateLimited,
            Status::Internal,
            Status::Unavailable,
        ],
    }
}

fn reading(summary: &'static str, shape: crate::openapi::Shape, is_one: bool) -> Operation {
    let mut failures =
        vec![Status::Unauthorized, Status::Forbidden, Status::RateLimited, Status::Unavailable];
    if is_one {
        failures.push(Status::NotFound);
    }
    Operation {
        summary,
        description: None,
        tag: Tag::OpenAi,
        parameters: Vec::new(),
        body: Reads::None,
        answers: vec![
            Answer::new(200, "As clients of OpenAI's know it.", vec![Form::Json(shape)]).named(),
        ],
        failures,
    }
}
