//! `cargo xtask openapi`: writes the OpenAPI document from its hand-written part and from the
//! declarations of the events.
//!
//! Border: paths, parameters, headers and the shapes of requests are written by hand, in the
//! skeleton; the payload of every event, and what payloads refer to, is generated.

use crate::paths;
use crate::without_arguments;
use anyhow::{Context, Result, bail};
use quarry_events::{EventName, Schemas, schemas};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::fs;
use std::process::ExitCode;

pub const HELP: &str = "\
Usage: cargo xtask openapi

Writes crates/doors/src/openapi.json from crates/doors/src/openapi/skeleton.json and from the
events that crates/events declares.
";

/// The hand-written part.
const SKELETON: &str = "crates/doors/src/openapi/skeleton.json";
/// What is served.
pub const DOCUMENT: &str = "crates/doors/src/openapi.json";

pub fn run(args: lexopt::Parser) -> Result<ExitCode> {
    without_arguments(args, HELP, || {
        fs::write(paths::root().join(DOCUMENT), document()?)?;
        Ok(ExitCode::SUCCESS)
    })
}

/// Whether what is checked in is what would be written.
pub fn is_fresh() -> Result<bool> {
    let there = fs::read_to_string(paths::root().join(DOCUMENT)).unwrap_or_default();
    Ok(there == document()?)
}

fn document() -> Result<String> {
    let skeleton = fs::read_to_string(paths::root().join(SKELETON))
        .with_context(|| format!("cannot read {SKELETON}"))?;
    let mut document = serde_json::from_str(&skeleton).context("the skeleton is no JSON")?;
    fill(&mut document, schemas())?;
    let mut text = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b" ");
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut text, formatter))?;
    text.push(b'\n');
    Ok(String::from_utf8(text)?)
}

/// Adds the generated schemas. One that is also written by hand is a mistake.
fn fill(document: &mut Value, generated: Schemas) -> Result<()> {
    let components = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    let components = components.context("the skeleton has no components.schemas")?;
    let frames: Vec<Value> =
        generated.events.iter().map(|(name, payload)| frame(*name, payload)).collect();
    let mut all = generated.components;
    all.insert("Frame".to_owned(), json!({ "description": "An event.", "oneOf": frames }));
    add(components, all)
}

fn add(components: &mut Map<String, Value>, generated: Map<String, Value>) -> Result<()> {
    for (name, schema) in generated {
        if components.insert(name.clone(), schema).is_some() {
            bail!("{name} is generated; take it out of {SKELETON}");
        }
    }
    Ok(())
}

fn frame(name: EventName, payload: &str) -> Value {
    json!({
        "type": "object",
        "description": name.description(),
        "properties": {
            "id": {
                "type": ["integer", "null"],
                "description": "The event's number: from 1, without gaps. Null (in a stream: no `id:` line) for an `error` that ended a stream from outside the log.",
                "minimum": 1,
            },
            "event": { "const": name.as_str() },
            "data": { "$ref": format!("#/components/schemas/{payload}") },
        },
        "required": ["event", "data"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_written_by_hand_or_generated_never_both() {
        let mut document = json!({ "components": { "schemas": { "LogEvent": {} } } });
        let error = fill(&mut document, schemas()).unwrap_err().to_string();
        assert!(error.starts_with("LogEvent is generated"), "{error}");
        assert!(fill(&mut json!({}), schemas()).is_err());
    }

    #[test]
    fn every_event_has_a_frame_and_what_is_checked_in_is_fresh() {
        let text = document().unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        let frames = document.pointer("/components/schemas/Frame/oneOf").unwrap();
        let names: Vec<_> = frames
            .as_array()
            .unwrap()
            .iter()
            .map(|frame| frame.pointer("/properties/event/const").unwrap().as_str().unwrap())
            .collect();
        assert_eq!(names, EventName::ALL.map(EventName::as_str));
        assert!(is_fresh().unwrap(), "run `cargo xtask openapi`");
    }
}
