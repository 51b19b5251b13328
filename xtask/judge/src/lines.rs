//! Files with one JSON object a line: read, changed and written line by line.

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a task may be silent.
const PAUSE: Duration = Duration::from_secs(5);

/// Says now and then how far a task is.
pub struct Progress(Instant);

impl Progress {
    /// Nothing is done yet.
    pub fn begin() -> Progress {
        Progress(Instant::now())
    }

    /// So many lines are done.
    pub fn reached(&mut self, lines: usize) {
        if self.0.elapsed() > PAUSE {
            self.0 = Instant::now();
            eprintln!("  … {lines} lines");
        }
    }
}

/// Writes each line of one file to another as `change` leaves it. An error names file and line.
pub fn each(
    input: &Path,
    output: &Path,
    mut change: impl FnMut(&mut Map<String, Value>) -> Result<()>,
) -> Result<()> {
    // Writing empties a file before it is read.
    if input.canonicalize().ok().is_some_and(|input| output.canonicalize().ok() == Some(input)) {
        bail!("{} cannot be read and written at once", input.display());
    }
    let from = File::open(input).with_context(|| format!("cannot read {}", input.display()))?;
    let into =
        File::create(output).with_context(|| format!("cannot write {}", output.display()))?;
    let mut into = BufWriter::new(into);
    let mut progress = Progress::begin();
    for (at, line) in BufReader::new(from).lines().enumerate() {
        let place = || format!("line {} of {}", at + 1, input.display());
        let line = line.with_context(place)?;
        let line = line.trim_start_matches('\u{feff}');
        if line.trim().is_empty() {
            continue;
        }
        progress.reached(at);
        let Value::Object(mut record) = serde_json::from_str(line).with_context(place)? else {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(content: &str) -> Result<String> {
        let folder = tempfile::tempdir()?;
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        std::fs::write(&input, content)?;
        each(&input, &output, |record| {
            text(record, "claim")?;
            record.insert("n".to_owned(), 1.into());
            Ok(())
        })?;
        Ok(std::fs::read_to_string(output)?)
    }

    #[test]
    fn lines_are_changed_in_their_order_and_empty_ones_left_out() {
        let out = changed("\u{feff}{\"claim\":\"b\"}\r\n\n{\"claim\":\"a\",\"x\":2}\n").unwrap();
        assert_eq!(out, "{\"claim\":\"b\",\"n\":1}\n{\"claim\":\"a\",\"x\":2,\"n\":1}\n");
    }

    #[test]
    fn an_error_names_the_line_and_the_field() {
        let error = |content: &str| format!("{:#}", changed(content).unwrap_err());
        assert!(error("{\"claim\":\"a\"}\n{}").ends_with("field `claim` is missing"));
        assert!(error("{\"claim\":\"a\"}\n{}").starts_with("line 2 of "));
        assert!(error("[]").contains("not a JSON object"));
        assert!(error("{").starts_with("line 1 of "));
    }

    #[test]
    fn a_file_is_not_written_over_itself() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("in");
        std::fs::write(&file, "{}").unwrap();
        assert!(each(&file, &file, |_| Ok(())).is_err());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "{}");
    }
}
