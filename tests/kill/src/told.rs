//! What is told of a run, without what two runs of the same may differ in, and what holds of every run.

use crate::model::Answer;
use crate::process::Process;
use crate::seen::Seen;
use crate::world::World;
use anyhow::{Context, Result, bail, ensure};
use quarry_scenarios::client::Event;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Fields in which two runs of the same may differ: times, and what calls cost that nobody settled.
const LEFT_OUT: [&str; 10] = [
    "at",
    "run_id",
    "latency",
    "cost",
    "cost_known",
    "unsettled_calls",
    "retrieved_at",
    "written_at",
    "started_at",
    "age",
];

/// Lines of a report that tell of those.
const LINES_LEFT_OUT: [&str; 4] =
    ["- **Started:", "- **Time:", "- **Cost:", "- **Paid calls whose use is unknown:"];

/// Characters that are shown of what differs.
const SHOWN: usize = 600;

/// What is told of a run that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// Every event.
    pub events: Vec<Value>,
    /// The report as Markdown.
    pub report: String,
    /// The report for machines.
    pub companion: Value,
}

/// The run that a process has served to its end: all that must hold of it holds.
pub async fn told(world: &World, process: &Process, events: &[Event]) -> Result<Told> {
    check_stream(events)?;
    let id = events.first().and_then(|event| event.data["run_id"].as_str());
    let seen = world.seen(id)?;
    let id = seen.run.clone().context("the run is gone")?;
    let journal = seen.journal();
    if let Some(wrong) = journal.wrong.first() {
        bail!("the journal: {wrong}");
    }
    replay(&world.bundle(process, &id).await?)?;
    let (report, companion) = match events.last() {
        Some(last) if last.name == "run_completed" => world.report(process, &id).await?,
        _ => (String::new(), Value::Null),
    };
    if !report.is_empty() {
        check_report(events, &report)?;
    }
    let plain = |text: &str| world.plain(text);
    let events = events.iter().filter(|event| event.name != "report_delta").map(|event| {
        let mut told: Value = serde_json::from_str(&plain(&event.raw)).unwrap_or_default();
        strip(&mut told);
        if let Some(fields) = told.as_object_mut() {
            // A call that is unsettled is a line, and so a piece, more: the report itself is compared.
            fields.retain(|name, _| name != "sequence" && name != "characters");
            fields.insert("event".to_owned(), event.name.as_str().into());
        }
        told
    });
    let mut companion: Value = serde_json::from_str(&plain(&companion.to_string()))?;
    strip(&mut companion);
    let report = without_lines(&plain(&report));
    Ok(Told { events: events.collect(), report, companion })
}

impl Told {
    /// What differs first from what is expected.
    pub fn differs(&self, expected: &Told) -> Result<()> {
        for (told, expected) in self.events.iter().zip(&expected.events) {
            same("an event", told, expected)?;
        }
        let (count, wanted) = (self.events.len(), expected.events.len());
        ensure!(count == wanted, "there are {count} events, and should be {wanted}");
        for (told, expected) in self.report.lines().zip(expected.report.lines()) {
            ensure!(told == expected, "the report says\n  {told}\nand should say\n  {expected}");
        }
        ensure!(self.report == expected.report, "the report has another length");
        same("the report for machines", &self.companion, &expected.companion)
    }
}

/// Goes down to the first part in which they differ.
fn same(place: &str, told: &Value, expected: &Value) -> Result<()> {
    match (told, expected) {
        (Value::Object(told), Value::Object(wanted)) if told.keys().eq(wanted.keys()) => {
            let mut pairs = told.iter().zip(wanted.values());
            pairs.try_for_each(|((name, told), wanted)| {
                same(&format!("{place}.{name}"), told, wanted)
            })
        }
        (Value::Array(told), Value::Array(wanted)) if told.len() == wanted.len() => {
            let mut pairs = (0..).zip(told.iter().zip(wanted));
            pairs.try_for_each(|(n, (told, wanted))| same(&format!("{place}.{n}"), told, wanted))
        }
        _ if told == expected => Ok(()),
        _ => bail!("{place} is\n  {}\nand should be\n  {}", cut(told), cut(expected)),
    }
}

fn cut(value: &Value) -> String {
    value.to_string().chars().take(SHOWN).collect()
}

fn without_lines(text: &str) -> String {
    let is_same = |line: &&str| !LINES_LEFT_OUT.iter().any(|left| line.starts_with(left));
    text.lines().filter(is_same).collect::<Vec<_>>().join("\n")
}

fn strip(value: &mut Value) {
    match value {
        Value::String(text) if text.contains(LINES_LEFT_OUT[0]) => *text = without_lines(text),
        Value::Object(fields) => {
            fields.retain(|name, _| !LEFT_OUT.contains(&name.as_str()));
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

/// No gap and no repetition; one end; every node that was taken up is let go of.
fn check_stream(events: &[Event]) -> Result<()> {
    let mut open = BTreeSet::new();
    let mut is_over = false;
    for (n, event) in (1_u64..).zip(events) {
        let name = event.name.as_str();
        ensure!(event.sequence == n, "event {n} has the number {}", event.sequence);
        ensure!(event.data["sequence"] == n, "event {n} says {}", event.data["sequence"]);
        ensure!(!is_over || name == "run_resumed", "event {n}, {name}, follows the end");
        is_over = event.is_last();
        let node = event.data["node_id"].as_str().unwrap_or_default().to_owned();
        match name {
            "node_started" => ensure!(open.insert(node), "event {n} takes up what is taken up"),
            "node_resolved" | "node_unresolved" => _ = open.remove(&node),
            _ => {}
        }
    }
    ensure!(is_over, "the stream does not end");
    ensure!(open.is_empty(), "{open:?} are left at the end");
    Ok(())
}

/// The pieces of the report are the report, which has its eight sections.
fn check_report(events: &[Event], report: &str) -> Result<()> {
    let mut pieces = String::new();
    for event in events {
        match event.name.as_str() {
            "run_resumed" => pieces.clear(),
            "report_delta" => {
                if event.data["anew"] == true {
                    pieces.clear();
                }
                pieces.push_str(event.data["text"].as_str().unwrap_or_default());
            }
            _ => {}
        }
    }
    ensure!(pieces == report, "the pieces of the report are not the report");
    for n in 1..=8 {
        ensure!(report.contains(&format!("\n## {n}. ")), "the report has no section {n}");
    }
    Ok(())
}

/// Folds the run anew as `cargo xtask replay` does.
fn replay(bundle: &str) -> Result<()> {
    let mut file = tempfile::NamedTempFile::new()?;
    file.write_all(bundle.as_bytes())?;
    let program = std::env::current_exe()?.with_file_name("quarry-judge");
    let output = Command::new(program).arg("replay").arg(file.path()).stdin(Stdio::null()).output();
    let output = output.context("cannot run what replays: `cargo build --bin quarry-judge`")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "the run cannot be replayed: {said}");
    Ok(())
}

/// Paid calls that were made more often than once, by key, with how often.
pub fn paid_again(world: &World) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for (key, answer) in world.model.calls() {
        *counts.entry(key).or_insert(0) += usize::from(answer == Answer::Paid);
    }
    counts.retain(|_, count| *count > 1);
    counts
}

/// Every call of a run that was made more often than once is on the record as such: at most so many.
pub fn check_paid(world: &World, seen: &Seen, most: usize) -> Result<usize> {
    let (mut again, journal) = (paid_again(world), seen.journal());
    let run = seen.run.as_deref().unwrap_or_default();
    again.retain(|key, _| key.starts_with(run));
    let count = again.values().map(|count| count - 1).sum::<usize>();
    ensure!(count <= most, "paid again, {most} times at most: {again:?}");
    for key in again.keys() {
        let id = key.split_once('/').map_or(key.as_str(), |(_, id)| id);
        let attempts = journal.begun.get(id).copied().unwrap_or_default();
        ensure!(attempts > 1, "{id} was paid again, which is not on the record");
    }
    Ok(count)
}

/// Calls whose use is unknown, as the run's last event tells them.
pub fn unsettled(events: &[Event]) -> Option<u64> {
    events.last()?.data["summary_metrics"]["unsettled_calls"].as_u64()
}

/// What was recorded when a process died is asked of nobody again; `calls` were made by then.
pub fn check_recorded(world: &World, recorded: &BTreeSet<String>, calls: usize) -> Result<()> {
    for (key, _) in world.model.calls().iter().skip(calls) {
        let id = key.split_once('/').map_or(key.as_str(), |(_, id)| id);
        ensure!(!recorded.contains(id), "{id} was recorded, and is asked for again");
    }
    Ok(())
}
