//! Scenarios as data: `NNN-name/scenario.toml` with `expected.events.jsonl` beside it.
//!
//! Each is run twice: by [`run`] on the built components, by [`crate::native::run`] on the crates that
//! decide, on virtual time. Both are judged here, by the same file. `BLESS=1` lets a run on the
//! components write it anew; read its diff.

use crate::client::{self, Event};
use crate::quarry::{KEY, Setup, running_elsewhere};
use crate::{invariants, shape};
use anyhow::{Context, Result, bail};
use quarry_test_provider::{Recorded, Rule, Script};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The shape of the stream that is expected.
pub const EXPECTED: &str = "expected.events.jsonl";

/// One scenario.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What it shows, in a sentence.
    pub about: String,
    /// Why it can run on the built components only; most have no such reason.
    pub components_only: Option<String>,
    /// Variables to set.
    #[serde(default)]
    pub variables: BTreeMap<String, String>,
    /// Rules put before those of the ordinary script.
    #[serde(default)]
    pub rules: Vec<Rule>,
    /// The path of the door that is asked; none: that of asks. Its events are read from the ask's log.
    pub door: Option<String>,
    /// The body of the request; the question has a default.
    #[serde(default)]
    pub request: BTreeMap<String, Value>,
    /// What must come of it.
    pub expect: Expect,
}

/// Expectations beside the golden shape.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The last event's name.
    pub last: String,
    /// The phases of the model calls, in order, where they matter.
    pub phases: Option<Vec<String>>,
    /// Checks on events.
    #[serde(default)]
    pub checks: Vec<Check>,
}

/// A check on the first event of a name.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The event's name.
    pub event: String,
    /// Which of the events of this name, from 0.
    #[serde(default)]
    pub nth: usize,
    /// A JSON pointer into its payload.
    pub at: String,
    /// The exact value.
    pub equals: Option<Value>,
    /// A part of the text.
    pub contains: Option<String>,
}

/// What came of a scenario.
pub struct Observed {
    /// The client's events.
    pub events: Vec<Event>,
    /// The provider's calls.
    pub calls: Vec<Recorded>,
}

impl Scenario {
    /// Reads the one in a directory.
    pub fn read(directory: &Path) -> Result<Scenario> {
        let text = fs::read_to_string(directory.join("scenario.toml"))?;
        toml::from_str(&text).context("scenario.toml")
    }

    /// What the provider replies: this scenario's rules before those of the ordinary script.
    pub fn script(&self) -> Script {
        let mut script = Script::ordinary();
        script.rules.splice(0..0, self.rules.iter().cloned());
        script
    }

    /// The request's body.
    pub fn body(&self) -> Value {
        let question = "What is six times seven, and what is the capacity factor?";
        let mut body = match &self.door {
            None => json!({ "query": question }),
            Some(_) => {
                json!({ "messages": [{ "role": "user", "content": question }], "stream": true })
            }
        };
        if let Some(fields) = body.as_object_mut() {
            fields.extend(self.request.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        body
    }

    /// What is wrong with what came of it; nothing, if all is well.
    pub fn judge(&self, directory: &Path, observed: &Observed) -> Result<Vec<String>> {
        let Observed { events, calls } = observed;
        let mut wrong = invariants::of_stream(events);
        wrong.extend(invariants::of_calls(calls));
        if events.iter().any(|event| event.raw.contains(KEY)) {
            wrong.push("the provider key is in an event".to_owned());
        }
        wrong.extend(self.expect.compare(events, calls));
        wrong.extend(compare_shape(directory, events)?);
        if !wrong.is_empty() {
            wrong.push(format!("what the stream said of itself:\n{}", said(events)));
        }
        Ok(wrong)
    }
}

/// The directories of all scenarios whose name contains `SCENARIO`, in order; at least one.
pub fn directories() -> Result<Vec<PathBuf>> {
    let mut directories = Vec::new();
    for entry in fs::read_dir(env!("CARGO_MANIFEST_DIR"))? {
        let path = entry?.path();
        if path.join("scenario.toml").is_file() {
            directories.push(path);
        }
    }
    if directories.is_empty() {
        bail!("there is no scenario");
    }
    let wanted = std::env::var("SCENARIO").unwrap_or_default();
    directories.retain(|path| name(path).contains(&wanted));
    if directories.is_empty() {
        bail!("no scenario has SCENARIO, `{wanted}`, in its name");
    }
    directories.sort();
    Ok(directories)
}

/// A scenario's name.
pub fn name(directory: &Path) -> String {
    directory.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Runs a scenario on the built components and returns what is wrong; nothing, if all is well.
#[expect(clippy::print_stdout, reason = "a part of the test's report")]
pub async fn run(directory: &Path) -> Result<Vec<String>> {
    let scenario = Scenario::read(directory)?;
    if running_elsewhere().is_some() && !scenario.variables.is_empty() {
        println!("skipped, because it sets variables:");
        return Ok(Vec::new());
    }
    let mut setup = Setup::new(scenario.script());
    setup.variables.clone_from(&scenario.variables);
    let quarry = setup.start().await?;
    let open = match &scenario.door {
        None => client::ask(&quarry.url, &scenario.body()).await?,
        Some(door) => through(&quarry.url, door, &scenario.body()).await?,
    };
    if open.status != 200 {
        let status = open.status;
        bail!("status {status}: {}", open.text().await?);
    }
    let events = open.events().await?;
    let observed = Observed { events, calls: quarry.provider.calls() };
    let lines = shape::lines(&observed.events).join("\n") + "\n";
    if std::env::var_os("BLESS").is_some() {
        fs::write(directory.join(EXPECTED), lines)?;
    }
    scenario.judge(directory, &observed)
}

/// The events of an ask that another door began, when that door has told its end.
async fn through(base: &str, door: &str, body: &Value) -> Result<client::Open> {
    let json = [("content-type", "application/json")];
    let open = client::send("POST", &format!("{base}{door}"), &json, body.to_string()).await?;
    let Some(ask) = open.header("x-quarry-ask").map(str::to_owned) else { return Ok(open) };
    open.text().await?;
    client::get(&format!("{base}/ask/{ask}/events"), &[]).await
}

/// The log of a stream, for whoever has to find out why it went differently.
fn said(events: &[Event]) -> String {
    let sentence = |event: &Event| match event.name.as_str() {
        "log" => event.data.get("message").map(|message| format!("    {message}\n")),
        "error" | "tool_result" => Some(format!("    {} {}\n", event.name, event.raw)),
        _ => None,
    };
    events.iter().filter_map(sentence).collect()
}

impl Expect {
    fn compare(&self, events: &[Event], calls: &[Recorded]) -> Vec<String> {
        let mut wrong = Vec::new();
        match events.last() {
            Some(last) if last.name == self.last => {}
            Some(last) => wrong.push(format!("the last event is {}: {}", last.name, last.raw)),
            None => wrong.push("there is no event".to_owned()),
        }
        if let Some(expected) = &self.phases {
            let phases: Vec<_> = calls.iter().filter_map(Recorded::phase).collect();
            let phases: Vec<_> = phases.iter().map(|phase| format!("{phase:?}")).collect();
            if phases != *expected {
                wrong.push(format!("the model calls were {phases:?}"));
            }
        }
        wrong.extend(self.checks.iter().filter_map(|check| check.compare(events)));
        wrong
    }
}

impl Check {
    fn compare(&self, events: &[Event]) -> Option<String> {
        let Check { event: name, nth, at, equals, contains } = self;
        let Some(event) = events.iter().filter(|event| event.name == *name).nth(*nth) else {
            return Some(format!("there is no {name} number {nth}"));
        };
        let Some(value) = event.data.pointer(at) else {
            return Some(format!("{name} has nothing at {at}: {}", event.raw));
        };
        if equals.as_ref().is_some_and(|expected| expected != value) {
            return Some(format!("{name}{at} is {value}"));
        }
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if contains.as_ref().is_some_and(|part| !text.contains(part)) {
            return Some(format!("{name}{at} is {text:?}"));
        }
        None
    }
}

fn compare_shape(directory: &Path, events: &[Event]) -> Result<Vec<String>> {
    let file = directory.join(EXPECTED);
    let lines = shape::lines(events);
    let expected = fs::read_to_string(&file).with_context(|| {
        format!("{} is missing; BLESS=1 writes it on the components", file.display())
    })?;
    let expected: Vec<_> = expected.lines().collect();
    let mut wrong = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        if expected.get(index) != Some(&line.as_str()) {
            let expected = expected.get(index).unwrap_or(&"nothing");
            wrong.push(format!("line {}: expected {expected}\n    and got {line}", index + 1));
            return Ok(wrong);
        }
    }
    if let Some(missing) = expected.get(lines.len()) {
        wrong.push(format!("line {}: expected {missing}\n    and got nothing", lines.len() + 1));
    }
    Ok(wrong)
}
