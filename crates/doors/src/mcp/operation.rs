//! What the OpenAPI document says of the doors here.

use schemars::{Schema, json_schema};
use serde_json::json;

use super::Mcp;
use super::failure::Body;
use crate::Headers;
use crate::openapi::{Answer, Body as Reads, Form, Operation, Parameter, Place, Shapes, Tag};
use crate::status::Status;

/// What can befall a request that has no body, in a version that may not know it.
const WITHOUT_BODY: [Status; 6] = [
    Status::InvalidRequest,
    Status::Unauthorized,
    Status::Forbidden,
    Status::MethodNotAllowed,
    Status::RateLimited,
    Status::Unavailable,
];

pub(super) fn of(door: Mcp) -> Operation {
    match door {
        Mcp::Send => send(),
        Mcp::Join => join(),
        Mcp::End => end(),
        Mcp::Connect => connect(),
    }
}

/// The body of a failure.
pub(crate) fn failed(shapes: &mut Shapes) -> Schema {
    shapes.writes::<Body<'static>>()
}

fn message() -> Schema {
    json_schema!({
        "type": "object", "description": "A message of JSON-RPC 2.0.",
        "properties": {
            "jsonrpc": { "const": "2.0" },
            "id": { "type": ["integer", "string"] },
            "method": { "type": "string" },
            "params": { "type": "object", "additionalProperties": true },
            "result": { "type": "object", "additionalProperties": true },
            "error": {
                "type": "object",
                "properties": { "code": { "type": "integer" }, "message": { "type": "string" }, "data": {} },
                "required": ["code", "message"],
            },
        },
        "required": ["jsonrpc"],
    })
}

fn messages() -> Schema {
    json_schema!({
        "anyOf": [message(), { "type": "array", "items": message(), "minItems": 1 }],
        "description": "A message; in version 2025-03-26 also several.",
    })
}

fn header(component: &'static str, name: &'static str, description: &'static str) -> Parameter {
    let schema = json!({ "type": "string" });
    Parameter { component, name, place: Place::Header, description, schema }
}

fn version() -> Parameter {
    header(
        "McpVersion",
        "MCP-Protocol-Version",
        "2026-07-28, 2025-11-25, 2025-06-18 or 2025-03-26 (without the header).",
    )
}

fn session() -> Parameter {
    header(
        "McpSession",
        "Mcp-Session-Id",
        "As `initialize` gave it. A request of a session can be cancelled; it proves nothing.",
    )
}

fn frames(description: &'static str) -> Form {
    Form::Chunks(description, |_| message())
}

fn marks() -> Headers {
    vec![("x-request-id", "".into()), ("x-quarry-ask", "".into())]
}

fn send() -> Operation {
    let stream = frames(
        "Messages as `data:` lines: progress, where a token was sent, and at the end the result. For version 2025-11-25 with ids, and a first frame of an id alone, except where `research_result` or `research_stop` tells of a run. A line `:` after 10 s of silence.",
    );
    let mut headers = marks();
    headers.push(("mcp-session-id", "".into()));
    Operation {
        summary: "Research from a host that speaks the Model Context Protocol",
        description: Some(
            "The tools `research`, `research_result` and `research_stop`, the agent's own `search_web`, `read_page`, `run_javascript` and `search_knowledge`, asks as resources and a prompt, in the versions with a handshake and in the one without. `research` answers within `wait_seconds`, or with the status `running` and an id; with `effort` `deep` a run answers. In version 2026-07-28 closing the stream of `research` ends the ask or the run; before, it goes on until `notifications/cancelled` names that call. Whoever stops waiting in `research_result` ends nothing, for others may wait, too: what was answered `running` goes on until it ends or `research_stop` ends it. In version 2026-07-28 a client that knows tasks gets one at once (`tasks/get`, `tasks/cancel`, `tasks/update`), and `subscriptions/listen` tells how tasks stand. `Authorization: Bearer` means what it means at `/v1/chat/completions`. Pages of other origins than this machine's are refused unless `mcp_allowed_origins` lists them; browsers let those that may call read the answers.",
        ),
        tag: Tag::Mcp,
        parameters: vec![
            version(),
            session(),
            header("McpMethod", "Mcp-Method", "From 2026-07-28 on: `method`, as in the body."),
            header(
                "McpName",
                "Mcp-Name",
                "From 2026-07-28 on: `params.name`, `params.uri` or `params.taskId`, as in the body.",
            ),
        ],
        body: Reads::Needed(|_| messages()),
        answers: vec![
            Answer::new(200, "The answer.", vec![stream, Form::Json(|_| messages())]).with(headers),
            Answer::new(202, "What was told is known.", vec![Form::Empty]),
        ],
        failures: vec![
            Status::InvalidRequest,
            Status::Unauthorized,
            Status::Forbidden,
            Status::NotFound,
            Status::NotAcceptable,
            Status::TooSlow,
            Status::TooLarge,
            Status::RateLimited,
            Status::Internal,
            Status::Unavailable,
        ],
    }
}

fn connect() -> Operation {
    let mut operation = send();
    operation.summary = "Search and read from a host that asks for a connector";
    operation.description = Some(
        "The Model Context Protocol with the tools `search` and `fetch` alone, as hosts want them that research by themselves. Versions, headers and callers are those of `/mcp`.",
    );
    let session: Headers = vec![("mcp-session-id", "".into())];
    let answer = Form::Json(|_| messages());
    operation.answers = vec![
        Answer::new(200, "The answer.", vec![answer]).with(session),
        Answer::new(202, "What was told is known.", vec![Form::Empty]),
    ];
    operation.failures.retain(|failure| *failure != Status::Internal);
    operation
}

fn join() -> Operation {
    let rest = frames("The frames behind that one, with the same bytes as the first time.");
    Operation {
        summary: "Join the stream of a research again",
        description: Some(
            "For version 2025-11-25: `Last-Event-ID` names the last frame that was seen. The result comes at the end, or 55 s after the research began with the status `running`: whoever joins again waits within the call that it made. Without the header there is nothing to tell, which is 405.",
        ),
        tag: Tag::Mcp,
        parameters: vec![
            version(),
            header("McpLastEvent", "Last-Event-ID", "The id of the last frame that was seen."),
        ],
        body: Reads::None,
        answers: vec![Answer::new(200, "The rest.", vec![rest]).with(marks())],
        failures: WITHOUT_BODY.to_vec(),
    }
}

fn end() -> Operation {
    Operation {
        summary: "Say that a session is over",
        description: Some(
            "For versions with a handshake. Nothing is kept of a session, so nothing ends with it: what it began goes on, and is cancelled by `notifications/cancelled`. In version 2026-07-28 there are no sessions, which is 405.",
        ),
        tag: Tag::Mcp,
        parameters: vec![version(), session()],
        body: Reads::None,
        answers: vec![Answer::new(204, "It is over.", vec![Form::Empty])],
        failures: WITHOUT_BODY.to_vec(),
    }
}
