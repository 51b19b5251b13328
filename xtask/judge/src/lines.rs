//! Files with one JSON object a line: read, changed and written line by line.

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// Writes each line of one file to another as `change` leaves it. An error names file and line.
pub fn each(
    input: &Path,
    output: &Path,
    mut change: impl FnMut(&mut Map<String, Value>) -> Result<()>,
) -> Result<()> {
    let from = File::open(input).with_context(|| format!("cannot read {}", input.display()))?;
    let into =
        File::create(output).with_context(|| format!("cannot write {}", output.display()))?;
    let mut into = BufWriter::new(into);
    for (at, line) in BufReader::new(from).lines().enumerate() {
        let place = || format!("line {} of {}", at + 1, input.display());
        let line = line.with_context(place)?;
        if line.trim().is_empty() {
            continue;
        }
        let Value::Object(mut record) = serde_json::from_str(&line).with_context(place)? else {
            bail!("{}: not a JSON object", place());
        };
        change(&mut record).with_context(place)?;
        writeln!(into, "{}", Value::Object(record))?;
    }
    into.flush().with_context(|| format!("cannot write {}", output.display()))
}

/// A field that has to be text.
pub fn text<'r>(record: &'r Map<String, Value>, field: &str) -> Result<&'r str> {
    match record.get(field) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => bail!("field `{field}` is no text"),
        None => bail!("field `{field}` is missing"),
    }
}
