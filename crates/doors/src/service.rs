//! Doors about the server itself: is it alive, and what does it answer?

use quarry_types::Timestamp;
#[cfg(feature = "schema")]
use schemars::json_schema;

use crate::door::{Door, Opened, Voice};
#[cfg(feature = "schema")]
use crate::openapi::{Answer, Body, Form, Operation, Shapes, Tag};
#[cfg(feature = "schema")]
use crate::reply;
use crate::{Head, Order, Refusal, Reply, openapi_text};

/// `GET /healthz`.
pub(crate) struct Health;

/// `GET /openapi.json`.
pub(crate) struct Description;

/// One JSON object, or a refusal with a real status.
pub(crate) struct Plain;

impl Voice for Plain {}

/// The same where no body is read: nobody is told to prove anything in one.
struct Bodiless;

impl Voice for Bodiless {
    fn refuse(&self, refusal: &Refusal, _: Timestamp) -> Reply {
        Reply::refusal(&refusal.in_head())
    }
}

/// How a door answers with one JSON object.
pub(crate) fn plain(door: &dyn Door) -> Box<dyn Voice> {
    match door.body_limit() {
        Some(_) => Box::new(Plain),
        None => Box::new(Bodiless),
    }
}

impl Door for Health {
    #[cfg(feature = "schema")]
    fn operation(&self) -> Operation {
        let json = Form::Json(|shapes| shapes.writes::<reply::Health>());
        described("Is the server alive?", "It is.", json)
    }

    fn voice(&self, _: &Head) -> Box<dyn Voice> {
        Box::new(Plain)
    }

    fn open(&self, _: &Head, _: &str, _: &[u8]) -> Opened {
        Opened { order: Ok(Order::Health), voice: Box::new(Plain) }
    }
}

impl Door for Description {
    #[cfg(feature = "schema")]
    fn operation(&self) -> Operation {
        let any = |_: &mut Shapes| json_schema!({ "type": "object", "additionalProperties": true });
        described("This document", "OpenAPI 3.1.", Form::Json(any))
    }

    fn voice(&self, _: &Head) -> Box<dyn Voice> {
        Box::new(Plain)
    }

    fn open(&self, _: &Head, _: &str, _: &[u8]) -> Opened {
        let text = openapi_text().map_err(|error| Refusal::Internal(error.to_string()));
        let order = text.map(|text| Order::Reply(Reply::json(200, text)));
        Opened { order, voice: Box::new(Plain) }
    }
}

/// What takes nothing, and cannot fail.
#[cfg(feature = "schema")]
fn described(summary: &'static str, description: &'static str, form: Form) -> Operation {
    Operation {
        summary,
        description: None,
        tag: Tag::Service,
        parameters: Vec::new(),
        body: Body::None,
        answers: vec![Answer::new(200, description, vec![form])],
        failures: Vec::new(),
    }
}
