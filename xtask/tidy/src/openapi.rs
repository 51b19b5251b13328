//! `cargo xtask openapi`: writes the OpenAPI document.
//!
//! Border: the document comes from `quarry-doors`, and the types that doors pass on as text from
//! the machines; this is the file, and whether it is fresh.

use anyhow::Result;
use serde::Serialize;
use std::fs;
use std::process::ExitCode;
use xtask::options::helps::OPENAPI;
use xtask::paths;
use xtask::program::without_arguments;

/// What is served.
pub const DOCUMENT: &str = "crates/doors/src/openapi.json";

pub fn run(args: lexopt::Parser) -> Result<ExitCode> {
    without_arguments(args, OPENAPI, || {
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
    let mut written = quarry_events::schema::written();
    quarry_machines::schema::add(&mut written);
    let document = quarry_doors::document(written)?;
    let mut text = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(b" ");
    document.serialize(&mut serde_json::Serializer::with_formatter(&mut text, formatter))?;
    text.push(b'\n');
    Ok(String::from_utf8(text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_checked_in_is_what_is_written_every_time() {
        assert_eq!(document().unwrap(), document().unwrap());
        assert!(is_fresh().unwrap(), "run `cargo xtask openapi`");
    }
}
