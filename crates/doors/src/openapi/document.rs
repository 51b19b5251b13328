//! The document, put together: from the routes, what their doors declare, and the types.

use std::collections::BTreeMap;

use quarry_types::json::put;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::header;
use super::operation::{Answer, Body, Operation, Parameter, Place, Shapes, Tag};
use crate::accept::{JSON, TEXT};
use crate::route::{MAX_ID_CHARACTERS, MODEL, ROUTES, RouteEntry};
use crate::status::Status;
use crate::{Headers, Reply};

/// How browsers send files.
const MULTIPART: &str = "multipart/form-data";

/// The way to prove who one is that every client knows.
const BEARER: &str = "bearer";

/// Why there is no document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Contradiction {
    /// A header that nobody has described.
    #[error("no description of the header {0}: openapi/header.rs wants one")]
    Header(&'static str),
    /// A header with one value here and another there.
    #[error("the header {0} has two values: openapi/header.rs must not call it fixed")]
    TwoValues(&'static str),
    /// A door that reads a body and does not say how large it may be, or the reverse.
    #[error("{0} has a body and no limit for it, or a limit and no body")]
    Body(&'static str),
    /// Two types of one name.
    #[error("{0} names two schemas: rename one of the types")]
    TwoSchemas(String),
    /// Two parameters of one name.
    #[error("{0} names two parameters: rename one")]
    TwoParameters(&'static str),
}

/// Writes the document. `written` holds the types that events and answers carry as text, so that
/// no type here refers to them but by name.
///
/// # Errors
/// [`Contradiction`] says what two declarations disagree about, or what has none.
pub fn document(written: SchemaGenerator) -> Result<Value, Contradiction> {
    let mut parts = Parts { shapes: Shapes::new(written), components: Components::default() };
    let paths = parts.paths()?;
    let tags = Tag::ALL.map(|tag| json!({ "name": tag.name(), "description": tag.description() }));
    Ok(json!({
        "openapi": "3.1.1",
        "info": {
            "title": "Quarry",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Answers questions with evidence.",
            "description": "One POST; a live stream of plan, tool calls, results, costs and the cited answer. A field may be added to a payload; none is renamed, dropped or retyped.",
            "license": { "name": "Apache-2.0", "identifier": env!("CARGO_PKG_LICENSE") },
        },
        "servers": [{ "url": "/" }],
        "security": [{}],
        "tags": tags,
        "paths": paths,
        "components": parts.components()?,
    }))
}

#[derive(Default)]
struct Components {
    responses: Map<String, Value>,
    parameters: Map<String, Value>,
    headers: Map<String, Value>,
}

struct Parts {
    shapes: Shapes,
    components: Components,
}

impl Parts {
    fn paths(&mut self) -> Result<Map<String, Value>, Contradiction> {
        let mut paths = Map::new();
        for entry in ROUTES {
            let operation = self.operation(&entry)?;
            let item = paths.entry(entry.pattern).or_insert_with(|| json!({}));
            put(item, &entry.method.to_ascii_lowercase(), operation);
        }
        // What all methods of a path have in common: the preflight, called by the first of them.
        for entry in ROUTES {
            let preflight = self.preflight(&entry)?;
            if let Some(item) = paths.get_mut(entry.pattern).and_then(Value::as_object_mut) {
                item.entry("options").or_insert(preflight);
            }
        }
        Ok(paths)
    }

    fn operation(&mut self, entry: &RouteEntry) -> Result<Value, Contradiction> {
        let Operation { summary, description, tag, parameters, body, answers, mut failures } =
            entry.door.operation();
        let mut value =
            json!({ "operationId": entry.name, "summary": summary, "tags": [tag.name()] });
        if let Some(description) = description {
            put(&mut value, "description", description);
        }
        let in_path = path_parameter(entry.pattern);
        let parameters: Vec<_> = in_path.into_iter().chain(parameters).collect();
        if let Some(parameters) = self.parameters(&parameters)? {
            put(&mut value, "parameters", parameters);
        }
        if !matches!(tag, Tag::Ask | Tag::Service) {
            put(&mut value, "security", json!([{}, { BEARER: [] }]));
        }
        match (body, entry.door.body_limit()) {
            (Body::Needed(shape), Some(limit)) => {
                put(&mut value, "requestBody", request_body(limit, &shape(&mut self.shapes), true));
            }
            (Body::Optional(shape), Some(limit)) => {
                put(
                    &mut value,
                    "requestBody",
                    request_body(limit, &shape(&mut self.shapes), false),
                );
            }
            (Body::OrFiles(shape, files), Some(limit)) => {
                let mut body = request_body(limit, &shape(&mut self.shapes), true);
                let files = json!({ "schema": files(&mut self.shapes) });
                if let Some(content) = body.get_mut("content") {
                    put(content, MULTIPART, files);
                }
                put(&mut value, "requestBody", body);
            }
            (Body::None, None) => {}
            (Body::Needed(_) | Body::Optional(_) | Body::OrFiles(..), None)
            | (Body::None, Some(_)) => {
                return Err(Contradiction::Body(entry.name));
            }
        }
        let mut responses = BTreeMap::new();
        for answer in answers {
            responses.insert(answer.status, self.answer(&answer, tag)?);
        }
        // A method that none of a path's operations is says nothing of any but the path: the first tells it.
        let mut others = ROUTES.iter().filter(|other| other.pattern == entry.pattern);
        if others.next().is_some_and(|first| first.name == entry.name) {
            failures.push(Status::MethodNotAllowed);
        }
        for failure in failures {
            responses.insert(failure.number(), self.failure(failure, tag)?);
        }
        put(&mut value, "responses", by_status(responses));
        Ok(value)
    }

    fn preflight(&mut self, entry: &RouteEntry) -> Result<Value, Contradiction> {
        let id = format!("{}Preflight", entry.name);
        let mut value = json!({
            "operationId": id, "summary": "CORS preflight", "tags": [Tag::Service.name()],
        });
        let in_path: Vec<_> = path_parameter(entry.pattern).into_iter().collect();
        if let Some(parameters) = self.parameters(&in_path)? {
            put(&mut value, "parameters", parameters);
        }
        let reply = Reply::preflight(None);
        let response = json!({
            "description": "What browsers may send.", "headers": self.headers(reply.headers)?,
        });
        let response = self.response("Preflight".to_owned(), response);
        put(&mut value, "responses", by_status([(reply.status, response)].into()));
        Ok(value)
    }

    /// None where there are none.
    fn parameters(&mut self, all: &[Parameter]) -> Result<Option<Value>, Contradiction> {
        let mut references = Vec::new();
        for parameter in all {
            let value = parameter.value();
            let known = self.components.parameters.insert(parameter.component.to_owned(), value);
            if known.is_some_and(|known| known != parameter.value()) {
                return Err(Contradiction::TwoParameters(parameter.component));
            }
            let reference = format!("#/components/parameters/{}", parameter.component);
            references.push(json!({ "$ref": reference }));
        }
        Ok((!references.is_empty()).then(|| references.into()))
    }

    fn answer(&mut self, answer: &Answer, tag: Tag) -> Result<Value, Contradiction> {
        let headers = answer.forms.iter().flat_map(|form| form.headers());
        let headers = headers.chain(answer.headers.clone()).chain(tag.said()).collect();
        let mut value = json!({
            "description": answer.description, "headers": self.headers(headers)?,
        });
        let shapes = &mut self.shapes;
        let contents = answer.forms.iter().filter_map(|form| form.content(shapes));
        let contents: Map<_, _> = contents.map(|(kind, value)| (kind.to_owned(), value)).collect();
        if !contents.is_empty() {
            put(&mut value, "content", contents);
        }
        Ok(value)
    }

    fn failure(&mut self, failure: Status, tag: Tag) -> Result<Value, Contradiction> {
        let (name, description, body) = match tag {
            // An ask that began and failed answers with more than a refusal; a run is there to be looked at.
            Tag::Runs => {
                (failure.run_component(), failure.of_runs(), failure.refusal(&mut self.shapes))
            }
            Tag::Knowledge => (
                failure.knowledge_component(),
                failure.of_knowledge(),
                failure.of_documents(&mut self.shapes),
            ),
            Tag::OpenAi => (
                failure.openai_component(),
                failure.of_openai(),
                self.shapes.writes::<crate::chat::FailedBody>().to_value(),
            ),
            Tag::Pages => (
                failure.page_component(),
                failure.of_apps(),
                json!({ "type": "string", "description": "In words, as the page shows it." }),
            ),
            Tag::Apps => {
                (failure.app_component(), failure.of_apps(), failure.refusal(&mut self.shapes))
            }
            Tag::Mcp => (
                failure.mcp_component(),
                failure.of_mcp(),
                crate::mcp::failed(&mut self.shapes).to_value(),
            ),
            Tag::Ask | Tag::Service => {
                (failure.component(), failure.description(), failure.body(&mut self.shapes))
            }
        };
        let form = if tag == Tag::Pages { TEXT } else { JSON };
        let response = json!({
            "description": description,
            "headers": self.headers(failure.headers_of(tag))?,
            "content": { form: { "schema": body } },
        });
        Ok(self.response(name, response))
    }

    fn response(&mut self, name: String, response: Value) -> Value {
        let reference = json!({ "$ref": format!("#/components/responses/{name}") });
        self.components.responses.insert(name, response);
        reference
    }

    fn headers(&mut self, sent: Headers) -> Result<Value, Contradiction> {
        header::references(sent, &mut self.components.headers)
    }

    fn components(mut self) -> Result<Value, Contradiction> {
        let mut schemas = self.shapes.read.take_definitions(true);
        for (name, schema) in self.shapes.written.take_definitions(true) {
            if schemas.get(&name).is_some_and(|other| *other != schema) {
                return Err(Contradiction::TwoSchemas(name));
            }
            schemas.insert(name, schema);
        }
        // The second type of a name is told from the first by a number.
        let first = |name: &String| name.trim_end_matches(|last: char| last.is_ascii_digit()).len();
        if let Some(second) = schemas.keys().find(|name| {
            name.get(..first(name))
                .is_some_and(|first| first != *name && schemas.contains_key(first))
        }) {
            return Err(Contradiction::TwoSchemas(second.clone()));
        }
        let Components { responses, parameters, headers } = self.components;
        Ok(json!({
            "schemas": schemas, "responses": responses, "parameters": parameters, "headers": headers,
            "securitySchemes": { BEARER: {
                "type": "http", "scheme": "bearer",
                "description": "A Google ID token, or the operator's access secret; for `POST /runs/drive` its drive secret. What a body says wins.",
            } },
        }))
    }
}

fn request_body(limit: usize, schema: &Schema, required: bool) -> Value {
    let most = match limit >> 20 {
        0 => format!("{} KiB", limit >> 10),
        mebibytes => format!("{mebibytes} MiB"),
    };
    json!({
        "required": required,
        "description": format!("At most {most}. Read as JSON whatever its content type."),
        "content": { "application/json": { "schema": schema } },
    })
}

fn by_status(responses: BTreeMap<u16, Value>) -> Value {
    responses.into_iter().map(|(status, value)| (status.to_string(), value)).collect()
}

fn path_parameter(pattern: &str) -> Option<Parameter> {
    let (component, description, schema) = if pattern.starts_with("/runs/") {
        let schema = json!({ "type": "string", "pattern": "^[0-9a-f]{32}$" });
        ("RunId", "The run's id. A run without an account is whoever's who knows it.", schema)
    } else if pattern.starts_with("/knowledge/documents/") {
        let schema = json!({ "type": "string", "pattern": "^[0-9a-f]{32}$" });
        ("DocumentId", "The document's id. It is its owner's alone.", schema)
    } else if pattern.starts_with("/knowledge/") {
        let schema = json!({ "type": "string", "pattern": "^[a-z0-9_-]{1,64}$" });
        ("CollectionName", "The collection's name.", schema)
    } else if pattern == MODEL {
        let schema = json!({ "type": "string" });
        ("ModelName", "The model's name; a slash in it as `%2F`.", schema)
    } else {
        let pattern = format!("^[A-Za-z0-9_-]{{1,{MAX_ID_CHARACTERS}}}$");
        let schema = json!({ "type": "string", "pattern": pattern });
        ("AskId", "The ask's id, from `init`. Who knows it may join and stop the ask.", schema)
    };
    pattern.contains("{id}").then_some(Parameter {
        component,
        name: "id",
        place: Place::Path,
        description,
        schema,
    })
}
