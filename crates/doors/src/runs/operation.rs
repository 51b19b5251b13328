//! What the OpenAPI document says of the doors here.

use std::borrow::Cow;

use quarry_events::run::{EventName, RunList, RunSnapshot, RunStatus};
use quarry_events::schema::component_named;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::json;

use super::head::{
    MAX_CURSOR_CHARACTERS, MAX_IDEMPOTENCY_CHARACTERS, MAX_PAGE, MAX_WAIT_SECONDS, PAGE,
};
use super::reply::{Driven, ReportForm, report_head};
use super::{Runs, body};
use crate::Headers;
use crate::native::operation::{after, last_event_id};
use crate::openapi::{Answer, Body, Form, Operation, Parameter, Place, Tag};
use crate::status::Status;
use crate::variable::KEEP_ALIVE_SECONDS;

/// The operation at an address.
pub(super) fn operation(runs: Runs) -> Operation {
    match runs {
        Runs::Create => create(),
        Runs::List => list(),
        Runs::DriveDue => drive_due(),
        Runs::Show => show(),
        Runs::Delete => delete(),
        Runs::Events => events(),
        Runs::Abort => abort(),
        Runs::Resume => resume(),
        Runs::Guide => guide(),
        Runs::Fork => fork(),
        Runs::Report => report(),
        Runs::Trace => trace(),
        Runs::Drive => drive(),
    }
}

/// An operation on a run that is there, which takes nothing but its id.
fn on_a_run(
    summary: &'static str,
    description: &'static str,
    answers: Vec<Answer>,
    failures: &[Status],
) -> Operation {
    let always = [Status::Unauthorized, Status::NotFound, Status::Internal, Status::Unavailable];
    let mut failures = failures.to_vec();
    failures.extend(always);
    Operation {
        summary,
        description: Some(description),
        tag: Tag::Runs,
        parameters: Vec::new(),
        body: Body::None,
        answers,
        failures,
    }
}

/// What can befall a request that has a body and wants what an ask wants.
const WITH_BODY: &[Status] = &[
    Status::InvalidRequest,
    Status::Forbidden,
    Status::Conflict,
    Status::TooLarge,
    Status::TooSlow,
    Status::RateLimited,
];

fn create() -> Operation {
    // There is none yet that could be missing.
    let failures = [Status::Unauthorized, Status::Internal, Status::Unavailable];
    Operation {
        parameters: vec![idempotency_key(), prefer()],
        body: Body::Needed(|shapes| shapes.reads::<body::Create>()),
        failures: [WITH_BODY, &failures].concat(),
        ..on_a_run(
            "Begin a run",
            "It begins at once and goes on by itself. Where `Accept` likes `text/event-stream` or `application/x-ndjson` best, the answer is its events.",
            vec![
                Answer::new(
                    200,
                    "With `Prefer: wait=`: the run has ended, and this is its snapshot. Else its events.",
                    vec![snapshot(), frames(), lines()],
                )
                .with(begun()),
                Answer::new(202, "It has begun.", vec![snapshot()]).with(begun()),
            ],
            WITH_BODY,
        )
    }
}

fn list() -> Operation {
    let page = Form::Json(|shapes| shapes.writes::<RunList>());
    Operation {
        summary: "List runs",
        description: Some("The caller's, newest first."),
        tag: Tag::Runs,
        parameters: vec![status(), limit(), cursor()],
        body: Body::None,
        answers: vec![Answer::new(200, "A page of them.", vec![page])],
        failures: vec![
            Status::InvalidRequest,
            Status::Unauthorized,
            Status::Forbidden,
            Status::RateLimited,
            Status::Internal,
            Status::Unavailable,
        ],
    }
}

fn show() -> Operation {
    Operation {
        parameters: vec![include()],
        ..on_a_run(
            "Show a run",
            "Its record and its tree. A run that nobody drives is taken up again.",
            vec![Answer::new(200, "As it stands now.", vec![snapshot()])],
            &[Status::InvalidRequest, Status::RateLimited],
        )
    }
}

fn delete() -> Operation {
    on_a_run(
        "Forget a run",
        "A run that has ended, with everything that is kept of it.",
        vec![Answer::new(204, "It is forgotten.", vec![Form::Empty])],
        &[Status::Forbidden, Status::Conflict, Status::RateLimited],
    )
}

fn events() -> Operation {
    Operation {
        parameters: vec![after(), last_event_id()],
        ..on_a_run(
            "Join a run's stream",
            "First what was missed, then what comes, with the same bytes: as frames, or as lines where `Accept` likes `application/x-ndjson` better.",
            vec![
                Answer::new(200, "The events.", vec![frames(), lines()]),
                Answer::new(
                    204,
                    "The run has ended, or waits for somebody, and its last event was seen.",
                    vec![Form::Empty],
                ),
            ],
            &[Status::InvalidRequest, Status::RateLimited],
        )
    }
}

fn abort() -> Operation {
    Operation {
        body: Body::Optional(|shapes| shapes.reads::<body::Proof>()),
        ..on_a_run(
            "End a run early",
            "It ends at its next step, in a consistent state. Doing it twice is no error; a run that has ended otherwise is a conflict.",
            vec![Answer::new(202, "It will end.", vec![snapshot()])],
            &[
                Status::InvalidRequest,
                Status::Conflict,
                Status::TooLarge,
                Status::TooSlow,
                Status::RateLimited,
            ],
        )
    }
}

fn resume() -> Operation {
    Operation {
        body: Body::Optional(|shapes| shapes.reads::<body::Resume>()),
        ..on_a_run(
            "Take a run up again",
            "One that waits, failed or was aborted, or whose driver may have died. No step that was completed is done or paid again.",
            vec![Answer::new(
                202,
                "It goes on; where another may still drive it, `message` says until when that is, and it goes on then.",
                vec![snapshot()],
            )],
            WITH_BODY,
        )
    }
}

fn guide() -> Operation {
    Operation {
        body: Body::Needed(|shapes| shapes.reads::<body::Guide>()),
        ..on_a_run(
            "Steer a run",
            "What is said is heard before anything else begins, and named in the report. A run takes 200 such notes.",
            vec![Answer::new(202, "The run will take it in.", vec![snapshot()])],
            WITH_BODY,
        )
    }
}

fn fork() -> Operation {
    let location = vec![("location", Cow::Borrowed("/runs/{id}"))];
    Operation {
        body: Body::Optional(|shapes| shapes.reads::<body::Fork>()),
        parameters: vec![idempotency_key()],
        ..on_a_run(
            "Begin a run that shares another's beginning",
            "Steps that the other one completed are not done or paid again.",
            vec![Answer::new(202, "It has begun.", vec![snapshot()]).with(location)],
            WITH_BODY,
        )
    }
}

fn report() -> Operation {
    let whole = Form::Json(|shapes| shapes.writes::<Report>());
    let markdown = Form::Text("text/markdown", "The report. UTF-8.");
    let html = Form::Text(
        "text/html",
        "The report as a page that needs nothing else and runs no script. UTF-8.",
    );
    let headers = ReportForm::ALL.into_iter().flat_map(report_head);
    let headers = headers.filter(|(name, _)| *name != "cache-control").collect();
    Operation {
        parameters: vec![partial()],
        ..on_a_run(
            "Show a run's report",
            "In the form that `Accept` likes best; JSON for who says nothing.",
            vec![Answer::new(200, "The report.", vec![whole, markdown, html]).with(headers)],
            &[Status::InvalidRequest, Status::NotAcceptable, Status::Conflict, Status::RateLimited],
        )
    }
}

fn trace() -> Operation {
    let any = |_: &mut crate::openapi::Shapes| any_object();
    let lines = Form::Lines(
        "Every input and effect in order, with prompts, replies, usage and times; then every event, with what each call cost. A bundle begins with a head and has the states that are kept, too. A trace that cannot be read to its end breaks the connection off.",
        Some(any),
    );
    Operation {
        parameters: vec![form()],
        ..on_a_run(
            "Show everything that a run did",
            "For audits and replays. It holds no secret.",
            vec![Answer::new(200, "The trace.", vec![lines])],
            &[Status::InvalidRequest, Status::Forbidden, Status::RateLimited],
        )
    }
}

fn drive_due() -> Operation {
    let driven = Form::Json(|shapes| shapes.writes::<Driven>());
    Operation {
        summary: "Take up every run that is due",
        description: Some(
            "For a clock: it takes up, as far as may be at once, the runs that nobody drives and that wait for nothing. Wants the operator's `drive_secret`.",
        ),
        tag: Tag::Runs,
        parameters: Vec::new(),
        body: Body::None,
        answers: vec![Answer::new(200, "How many were taken up.", vec![driven])],
        failures: vec![
            Status::Unauthorized,
            Status::Forbidden,
            Status::RateLimited,
            Status::Internal,
            Status::Unavailable,
        ],
    }
}

fn drive() -> Operation {
    let driven = Form::Json(|shapes| shapes.writes::<Driven>());
    Operation {
        parameters: vec![baton()],
        failures: vec![Status::NotFound, Status::Internal, Status::Unavailable],
        ..on_a_run(
            "Take up a run that nobody drives",
            "Harmless for anybody: a run that is driven, waits or has ended is left alone, and one that is not there is told alike.",
            vec![Answer::new(200, "1: it was taken up. 0: it was left alone.", vec![driven])],
            &[],
        )
    }
}

fn snapshot() -> Form {
    Form::Json(|shapes| shapes.writes::<RunSnapshot>())
}

fn begun() -> Headers {
    vec![("location", "/runs/{id}".into()), ("preference-applied", "wait=10".into())]
}

fn frames() -> Form {
    let last = EventName::ALL.into_iter().filter(|name| name.is_last());
    let last: Vec<String> = last.map(|name| format!("`{}`", name.as_str())).collect();
    Form::RunStream(format!(
        "Frames, and a comment after {KEEP_ALIVE_SECONDS} s of silence (`keep_alive_seconds`). It ends when the run has ended ({}) or waits for somebody (`run_waiting` without `until`); one that ends otherwise was cut off, so join it again. A run that was resumed has several such events, and the stream goes on behind all but the last.",
        last.join(", "),
    ))
}

fn lines() -> Form {
    Form::Lines(
        "The same events, an object a line: what an event says, with its name as `event` and its number as `sequence`. An empty line is a sign of life.",
        None,
    )
}

fn any_object() -> Schema {
    json_schema!({ "type": "object", "additionalProperties": true })
}

/// A report as programs read it: whoever writes it describes it, too.
struct Report;

impl JsonSchema for Report {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "RunReport".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        component_named("RunReport")
    }
}

fn idempotency_key() -> Parameter {
    Parameter {
        component: "IdempotencyKey",
        name: "Idempotency-Key",
        place: Place::Header,
        description: "With the same key and body there is one run, however often it is asked for; with another body it is a conflict. Visible ASCII. Without an account it wants at least 16 characters, such as a random UUID: whoever sends the same key and body gets the same run.",
        schema: json!({
            "type": "string", "pattern": "^[!-~]+$",
            "minLength": 1, "maxLength": MAX_IDEMPOTENCY_CHARACTERS,
        }),
    }
}

fn prefer() -> Parameter {
    let description = "`wait=` and a number of seconds from 1 to 60 (more is 60): the answer waits so long for the run to end, or to wait for somebody.";
    const { assert!(MAX_WAIT_SECONDS == 60, "the description says so") };
    Parameter {
        component: "Prefer",
        name: "Prefer",
        place: Place::Header,
        description,
        schema: json!({ "type": "string", "examples": ["wait=30"] }),
    }
}

fn status() -> Parameter {
    Parameter {
        component: "RunStatusFilter",
        name: "status",
        place: Place::Query,
        description: "Runs that stand there alone.",
        schema: json!({ "type": "string", "enum": RunStatus::ALL.map(RunStatus::as_str) }),
    }
}

fn limit() -> Parameter {
    Parameter {
        component: "Limit",
        name: "limit",
        place: Place::Query,
        description: "Runs of a page, at most.",
        schema: json!({ "type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": PAGE }),
    }
}

fn cursor() -> Parameter {
    let pattern = format!("^[A-Za-z0-9_-]{{1,{MAX_CURSOR_CHARACTERS}}}$");
    Parameter {
        component: "Cursor",
        name: "cursor",
        place: Place::Query,
        description: "`next_cursor` of the page before.",
        schema: json!({ "type": "string", "pattern": pattern }),
    }
}

fn include() -> Parameter {
    Parameter {
        component: "Include",
        name: "include",
        place: Place::Query,
        description: "`findings`: with every finding, and the sources that they name.",
        schema: json!({ "type": "string", "enum": ["findings"] }),
    }
}

fn partial() -> Parameter {
    Parameter {
        component: "Partial",
        name: "partial",
        place: Place::Query,
        description: "`true`: before the run's end, what can be said now; else that is a conflict.",
        schema: json!({ "type": "string", "enum": ["true", "false", "1", "0"] }),
    }
}

fn form() -> Parameter {
    Parameter {
        component: "TraceForm",
        name: "form",
        place: Place::Query,
        description: "`bundle`: everything that a replay needs, texts of pages and models included.",
        schema: json!({ "type": "string", "enum": ["lines", "bundle"], "default": "lines" }),
    }
}

fn baton() -> Parameter {
    Parameter {
        component: "Baton",
        name: "X-Quarry-Baton",
        place: Place::Header,
        description: "What the driver before hands on, from one instance of Quarry to the next. Nobody else has one.",
        schema: json!({ "type": "string", "format": "password" }),
    }
}
