//! Files with one JSON object a line: read, changed and written line by line.

use anyhow::{Context, Error, Result, bail, ensure};
use serde_json::{Map, Value};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use xtask::program::{print, told};

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

/// Writes each line of one file to another, or to the output, as `change` leaves it, which is told its number. A line
/// that cannot be read or changed is written back with an `error` and told, and the others go on: how many there were.
pub fn each(
    input: &Path,
    output: Option<&Path>,
    mut change: impl FnMut(&mut Map<String, Value>, usize) -> Result<()>,
) -> Result<usize> {
    let mut lines = Lines::of(input)?;
    let mut into = Written::of(input, output)?;
    let mut progress = Progress::begin();
    let mut wrong = 0;
    while let Some((number, line)) = lines.following()? {
        progress.reached(number - 1);
        let (record, error) = changed(line, |record| change(record, number));
        if let Some(error) = error {
            eprintln!("line {number} of {}: {}", input.display(), told(&error));
            wrong += 1;
        }
        into.write(&Value::Object(record))?;
    }
    into.end()?;
    Ok(wrong)
}

/// How a task ends of whose lines so many are wrong.
pub fn ended(wrong: usize) -> ExitCode {
    if wrong > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// A line as it is written back, and what is wrong with it.
fn changed(
    line: &[u8],
    change: impl FnOnce(&mut Map<String, Value>) -> Result<()>,
) -> (Map<String, Value>, Option<Error>) {
    let mut record = Map::new();
    let done = read(line).and_then(|read| {
        record = read;
        // That of an earlier time is not this one's.
        record.retain(|field, _| field != "error");
        change(&mut record)
    });
    let Err(error) = done else { return (record, None) };
    if record.is_empty() {
        record.insert("line".to_owned(), String::from_utf8_lossy(line).into());
    }
    record.insert("error".to_owned(), told(&error).into());
    (record, Some(error))
}

fn read(line: &[u8]) -> Result<Map<String, Value>> {
    match serde_json::from_slice(line).context("is not JSON")? {
        Value::Object(record) => Ok(record),
        _ => bail!("not a JSON object"),
    }
}

/// The lines of a file that have something.
struct Lines<'i> {
    input: &'i Path,
    from: BufReader<File>,
    number: usize,
    line: Vec<u8>,
}

impl<'i> Lines<'i> {
    fn of(input: &'i Path) -> Result<Self> {
        let from = File::open(input).with_context(|| format!("cannot read {}", input.display()))?;
        Ok(Lines { input, from: BufReader::new(from), number: 0, line: Vec::new() })
    }

    /// The next one, with its number from 1.
    fn following(&mut self) -> Result<Option<(usize, &[u8])>> {
        loop {
            self.line.clear();
            let read = self.from.read_until(b'\n', &mut self.line);
            if read.with_context(|| format!("cannot read {}", self.input.display()))? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if !bare(&self.line).is_empty() {
                break;
            }
        }
        Ok(Some((self.number, bare(&self.line))))
    }
}

/// A line without what surrounds it.
fn bare(line: &[u8]) -> &[u8] {
    line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii()
}

/// Where lines are written.
enum Written<'o> {
    Output,
    File(&'o Path, BufWriter<File>),
}

impl<'o> Written<'o> {
    fn of(input: &Path, output: Option<&'o Path>) -> Result<Self> {
        let Some(output) = output else { return Ok(Written::Output) };
        // Writing empties a file before it is read.
        let own = input.canonicalize().ok();
        let is_same = own.is_some() && output.canonicalize().ok() == own;
        ensure!(!is_same, "{} cannot be read and written at once", input.display());
        let into = File::create(output);
        let into = into.with_context(|| format!("cannot write {}", output.display()))?;
        Ok(Written::File(output, BufWriter::new(into)))
    }

    fn write(&mut self, record: &Value) -> Result<()> {
        match self {
            Written::Output => print(&format!("{record}\n")),
            Written::File(path, into) => writeln!(into, "{record}")
                .with_context(|| format!("cannot write {}", path.display())),
        }
    }

    fn end(self) -> Result<()> {
        match self {
            Written::Output => Ok(()),
            Written::File(path, mut into) => {
                into.flush().with_context(|| format!("cannot write {}", path.display()))
            }
        }
    }
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

    fn changed(content: impl AsRef<[u8]>) -> (String, usize) {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("in"), folder.path().join("out"));
        std::fs::write(&input, content).unwrap();
        let wrong = each(&input, Some(&output), |record, number| {
            text(record, "claim")?;
            record.insert("n".to_owned(), number.into());
            Ok(())
        });
        (std::fs::read_to_string(output).unwrap(), wrong.unwrap())
    }

    #[test]
    fn lines_are_changed_in_their_order_and_empty_ones_left_out() {
        let out = changed("\u{feff}{\"claim\":\"b\"}\r\n\n{\"claim\":\"a\",\"x\":2}\n");
        let expected = "{\"claim\":\"b\",\"n\":1}\n{\"claim\":\"a\",\"x\":2,\"n\":3}\n";
        assert_eq!(out, (expected.to_owned(), 0));
    }

    #[test]
    fn a_line_that_is_wrong_says_so_in_its_place_and_the_others_go_on() {
        let lines = b"{\"claim\":\"a\"}\n{\"claim\":null}\n{\n\xff\n[]\n{\"claim\":\"b\"}";
        let (out, wrong) = changed(lines);
        let out: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((out.len(), wrong), (6, 4));
        assert_eq!((&out[0]["n"], &out[5]["n"]), (&1.into(), &6.into()));
        assert_eq!(out[1]["error"], "field `claim` is no text");
        assert_eq!((&out[1]["claim"], out[1].get("n")), (&Value::Null, None));
        assert!(out[2]["error"].as_str().unwrap().starts_with("is not JSON"), "{}", out[2]);
        assert_eq!((&out[2]["line"], &out[3]["line"]), (&"{".into(), &"\u{fffd}".into()));
        assert_eq!(out[4]["error"], "not a JSON object");
    }

    #[test]
    fn a_line_that_succeeds_has_no_error_of_an_earlier_time() {
        let (out, wrong) = changed("{\"claim\":\"a\",\"error\":\"field `claim` is missing\"}\n");
        assert_eq!((out.as_str(), wrong), ("{\"claim\":\"a\",\"n\":1}\n", 0));
    }

    #[test]
    fn a_file_is_not_written_over_itself() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("in");
        std::fs::write(&file, "{}").unwrap();
        assert!(each(&file, Some(&file), |_, _| Ok(())).is_err());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "{}");
    }
}
