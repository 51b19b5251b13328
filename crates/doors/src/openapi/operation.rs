//! What a door says of itself in the document.

use quarry_events::schema::{self, Frame, RunFrame, RunLine};
use quarry_types::json::put;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

use crate::Headers;
use crate::accept::{EVENT_STREAM, JSON, LINES};
use crate::reply::{Reply, stream_head};
use crate::runs::trace_head;
use crate::status::Status;

/// What can befall a request that a door makes an ask of.
pub(crate) const OF_ASKS: &[Status] = &[
    Status::InvalidRequest,
    Status::Unauthorized,
    Status::Forbidden,
    Status::NotFound,
    Status::TooSlow,
    Status::TooLarge,
    Status::RateLimited,
    Status::Internal,
    Status::Unavailable,
];

/// What a door does, what it takes and how it answers.
pub struct Operation {
    /// In a few words.
    pub summary: &'static str,
    /// In sentences.
    pub description: Option<&'static str>,
    /// What it belongs to.
    pub tag: Tag,
    /// What it reads of the address and the head, besides the path's id.
    pub parameters: Vec<Parameter>,
    /// The JSON that it reads.
    pub body: Body,
    /// What it answers when all is well.
    pub answers: Vec<Answer>,
    /// What it answers when all is not, besides "not that method".
    pub(crate) failures: Vec<Status>,
}

/// The JSON that an operation reads.
#[derive(Clone, Copy)]
pub enum Body {
    /// None.
    None,
    /// It has to be there.
    Needed(Shape),
    /// It may be left out.
    Optional(Shape),
    /// It has to be there, or else files in `multipart/form-data`, as this says.
    OrFiles(Shape, Shape),
}

/// How a type is said in a document.
pub type Shape = fn(&mut Shapes) -> Schema;

/// The types of a document, by the way they go.
pub struct Shapes {
    /// What we write.
    pub(super) written: SchemaGenerator,
    /// What we read.
    pub(super) read: SchemaGenerator,
}

impl Shapes {
    pub(super) fn new(written: SchemaGenerator) -> Shapes {
        Shapes { written, read: schema::read() }
    }

    /// A type that is written.
    pub fn writes<T: JsonSchema>(&mut self) -> Schema {
        self.written.subschema_for::<T>()
    }

    /// A type that is read.
    pub fn reads<T: JsonSchema>(&mut self) -> Schema {
        self.read.subschema_for::<T>()
    }
}

/// What an operation belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// Asks.
    Ask,
    /// Asks, in OpenAI's protocol.
    OpenAi,
    /// Asks, for pages made with the AI SDK.
    Pages,
    /// Asks, for apps that speak AG-UI.
    Apps,
    /// Asks, for hosts that speak the Model Context Protocol.
    Mcp,
    /// Runs.
    Runs,
    /// Documents of one's own.
    Knowledge,
    /// The server.
    Service,
}

impl Tag {
    /// What is said of every answer of its operations, in headers.
    pub(super) fn said(self) -> Headers {
        match self {
            Tag::OpenAi | Tag::Pages | Tag::Apps | Tag::Mcp => {
                ["x-request-id", "x-quarry-ignored"].map(|name| (name, "".into())).to_vec()
            }
            Tag::Ask | Tag::Runs | Tag::Knowledge | Tag::Service => Headers::new(),
        }
    }

    /// Every tag.
    pub const ALL: [Tag; 8] = [
        Tag::Ask,
        Tag::OpenAi,
        Tag::Pages,
        Tag::Apps,
        Tag::Mcp,
        Tag::Runs,
        Tag::Knowledge,
        Tag::Service,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Tag::Ask => "ask",
            Tag::OpenAi => "openai",
            Tag::Pages => "pages",
            Tag::Apps => "apps",
            Tag::Mcp => "mcp",
            Tag::Runs => "runs",
            Tag::Knowledge => "knowledge",
            Tag::Service => "service",
        }
    }

    /// In words.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Tag::Ask => "One-shot research answers.",
            Tag::OpenAi => "The same for clients of OpenAI's.",
            Tag::Pages => "The same for pages made with the AI SDK.",
            Tag::Apps => "The same for apps that speak AG-UI.",
            Tag::Mcp => "The same for hosts that speak the Model Context Protocol.",
            Tag::Runs => {
                "Deep research that survives its instance: watched, steered, ended, resumed, reported."
            }
            Tag::Knowledge => "Documents of one's own: loaded, searched, deleted.",
            Tag::Service => "The server itself.",
        }
    }
}

/// Where a parameter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the path; always there.
    Path,
    /// Behind the `?`.
    Query,
    /// Among the headers.
    Header,
}

/// Something that is read of the address or the head.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name among the document's components.
    pub component: &'static str,
    /// Its name in requests.
    pub name: &'static str,
    /// Where it stands.
    pub place: Place,
    /// In words.
    pub description: &'static str,
    /// What it may be.
    pub schema: Value,
}

impl Parameter {
    pub(super) fn value(&self) -> Value {
        let place = match self.place {
            Place::Path => "path",
            Place::Query => "query",
            Place::Header => "header",
        };
        let mut value = json!({ "name": self.name, "in": place });
        if self.place == Place::Path {
            put(&mut value, "required", true);
        }
        put(&mut value, "description", self.description);
        put(&mut value, "schema", self.schema.clone());
        let values = self.schema.get("enum").and_then(Value::as_array);
        if values.is_some_and(|values| values.iter().any(|value| value == "")) {
            put(&mut value, "allowEmptyValue", true);
        }
        value
    }
}

/// What comes when all is well.
pub struct Answer {
    /// The status.
    pub status: u16,
    /// In words.
    pub description: &'static str,
    /// The forms that it may have.
    pub forms: Vec<Form>,
    /// Headers beside those of its forms.
    pub headers: Headers,
}

impl Answer {
    /// In these forms.
    #[must_use]
    pub fn new(status: u16, description: &'static str, forms: Vec<Form>) -> Answer {
        Answer { status, description, forms, headers: Headers::new() }
    }

    /// With a name of the answer besides.
    #[must_use]
    pub fn named(mut self) -> Answer {
        self.headers.push(("x-request-id", "".into()));
        self
    }

    /// With these headers besides.
    #[must_use]
    pub fn with(self, headers: Headers) -> Answer {
        Answer { headers, ..self }
    }
}

/// A form of an answer.
pub enum Form {
    /// An event stream, with what is to be said of it.
    Stream(String),
    /// Chunks of this type as frames without ids, with what is to be said of them.
    Chunks(&'static str, Shape),
    /// A run's events as frames, with what is to be said of them.
    RunStream(String),
    /// JSON values, one a line, with what is to be said of them: a run's events, or any objects.
    Lines(&'static str, Option<Shape>),
    /// A text of this media type.
    Text(&'static str, &'static str),
    /// One JSON value.
    Json(Shape),
    /// No body.
    Empty,
}

impl Form {
    /// The headers that are sent with it.
    pub(super) fn headers(&self) -> Headers {
        match self {
            Form::Stream(_) | Form::RunStream(_) | Form::Chunks(..) => stream_head(),
            Form::Lines(..) => trace_head(),
            Form::Text(..) => Reply::json(200, "").headers,
            Form::Json(_) => Reply::json(200, "").headers,
            Form::Empty => Reply::empty().headers,
        }
    }

    /// Its media type and what stands there of it.
    pub(super) fn content(&self, shapes: &mut Shapes) -> Option<(&'static str, Value)> {
        match self {
            Form::Stream(description) => {
                let item = shapes.writes::<Frame>();
                let schema = json!({ "type": "string", "description": description });
                Some((EVENT_STREAM, json!({ "schema": schema, "x-item-schema": item })))
            }
            Form::Chunks(description, item) => {
                let item = item(shapes);
                let schema = json!({ "type": "string", "description": description });
                Some((EVENT_STREAM, json!({ "schema": schema, "x-item-schema": item })))
            }
            Form::RunStream(description) => {
                let item = shapes.writes::<RunFrame>();
                let schema = json!({ "type": "string", "description": description });
                Some((EVENT_STREAM, json!({ "schema": schema, "x-item-schema": item })))
            }
            Form::Lines(description, item) => {
                let item = match item {
                    Some(item) => item(shapes),
                    None => shapes.writes::<RunLine>(),
                };
                let schema = json!({ "type": "string", "description": description });
                Some((LINES, json!({ "schema": schema, "x-item-schema": item })))
            }
            Form::Text(kind, description) => {
                let schema = json!({ "type": "string", "description": description });
                Some((kind, json!({ "schema": schema })))
            }
            Form::Json(shape) => Some((JSON, json!({ "schema": shape(shapes) }))),
            Form::Empty => None,
        }
    }
}
