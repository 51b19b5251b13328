//! What the OpenAPI document says of the doors here.

use super::Ui;
use super::body::Body;
use super::wire::Chunk;
use crate::Headers;
use crate::openapi::{Answer, Body as Reads, Form, Operation, Tag};
use crate::reply::Stopping;
use crate::status::Status;

pub(super) fn of(door: Ui) -> Operation {
    match door {
        Ui::Chat => chat(),
        Ui::Rejoin => rejoin(),
        Ui::Stop => stop(),
    }
}

fn stream() -> Answer {
    let chunks = Form::Chunks(
        "Chunks as `data:` lines without ids, a comment after 10 s of silence, and `data: [DONE]` at the end.",
        |shapes| shapes.writes::<Chunk<'static>>(),
    );
    let headers: Headers = vec![
        ("x-vercel-ai-ui-message-stream", "v1".into()),
        ("x-request-id", "".into()),
        ("x-quarry-ask", "".into()),
        ("x-quarry-ignored", "".into()),
    ];
    Answer::new(200, "The message as it comes.", vec![chunks]).with(headers)
}

/// What may keep a caller from what it began. Whoever guesses is counted.
const fn reading() -> [Status; 4] {
    [Status::Unauthorized, Status::Forbidden, Status::RateLimited, Status::Unavailable]
}

fn chat() -> Operation {
    Operation {
        summary: "Ask from a page made with the AI SDK",
        description: Some(
            "What `useChat` sends to its default address, answered as a UI message stream that versions 5, 6 and 7 read. The last message of the user is researched; where a provider's limit ended that before, the same question sent again goes on with what was paid for. A request without an `id` is known by what it says, as at `/v1/chat/completions`. Failures are plain text, as such pages show them. When nobody reads the stream, the ask ends after twice `chat_grace_seconds`: a page that is loaded again leaves for a moment.",
        ),
        tag: Tag::Pages,
        parameters: Vec::new(),
        body: Reads::Needed(|shapes| shapes.reads::<Body>()),
        answers: vec![stream()],
        failures: vec![
            Status::InvalidRequest,
            Status::Unauthorized,
            Status::Forbidden,
            Status::TooSlow,
            Status::TooLarge,
            Status::RateLimited,
            Status::Internal,
            Status::Unavailable,
        ],
    }
}

fn rejoin() -> Operation {
    Operation {
        summary: "Join the stream of a chat again",
        description: Some(
            "The chat's last ask from its beginning, with the same message id; nothing, where it ended five minutes ago or more, or was never begun by this caller.",
        ),
        tag: Tag::Pages,
        parameters: Vec::new(),
        body: Reads::None,
        answers: vec![stream(), Answer::new(204, "There is nothing to join.", vec![Form::Empty])],
        failures: reading().to_vec(),
    }
}

fn stop() -> Operation {
    let stopping = Form::Json(|shapes| shapes.writes::<Stopping<'static>>());
    Operation {
        summary: "End the ask of a chat early",
        description: Some(
            "The SDK's own `stop` only leaves; a page that means to end the ask calls this.",
        ),
        tag: Tag::Pages,
        parameters: Vec::new(),
        body: Reads::None,
        answers: vec![Answer::new(202, "It will end.", vec![stopping])],
        failures: [&[Status::NotFound], &reading()[..]].concat(),
    }
}
