//! What the OpenAPI document says of the doors here.

use super::AgUi;
use super::body::Body;
use super::capabilities::Capabilities;
use super::wire::Timed;
use crate::Headers;
use crate::openapi::{Answer, Body as Reads, Form, OF_ASKS, Operation, Tag};
use crate::status::Status;

pub(super) fn of(door: AgUi) -> Operation {
    match door {
        AgUi::Run => run(),
        AgUi::Capabilities => capabilities(),
    }
}

fn run() -> Operation {
    let events = Form::Chunks(
        "Events as `data:` lines without ids, and a comment after 10 s of silence. The last one is RUN_FINISHED or RUN_ERROR.",
        |shapes| shapes.writes::<Timed<'static>>(),
    );
    let headers: Headers = vec![
        ("x-request-id", "".into()),
        ("x-quarry-ask", "".into()),
        ("x-quarry-ignored", "".into()),
    ];
    Operation {
        summary: "Ask from an app that speaks AG-UI",
        description: Some(
            "AG-UI 1.0, with an ask behind each run: the last message is researched. The same run with the same question, sent again, is told again and paid once. A provider's limit ends the run with an interrupt, which `resume` goes on with; of an ask that is still running it is a conflict (409). When nobody reads the stream, the ask ends after `chat_grace_seconds`.",
        ),
        tag: Tag::Apps,
        parameters: Vec::new(),
        body: Reads::Needed(|shapes| shapes.reads::<Body>()),
        answers: vec![Answer::new(200, "The run as it goes.", vec![events]).with(headers)],
        failures: [OF_ASKS, &[Status::Conflict]].concat(),
    }
}

fn capabilities() -> Operation {
    Operation {
        summary: "What an app that speaks AG-UI may expect",
        description: None,
        tag: Tag::Apps,
        parameters: Vec::new(),
        body: Reads::None,
        answers: vec![Answer::new(
            200,
            "AG-UI's capabilities of an agent.",
            vec![Form::Json(|shapes| shapes.writes::<Capabilities>())],
        )],
        failures: Vec::new(),
    }
}
