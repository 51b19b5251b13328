//! `cargo xtask replay`: a run's journal folded anew, and what it tells, and the states that are kept of it, compared
//! byte for byte with what it told and kept.
//!
//! Border: lines of a bundle in, a verdict out. No network: outcomes stand in the journal.

use crate::lines::Progress;
use anyhow::{Context, Result, bail, ensure};
use quarry_events::run::Event;
use quarry_journal::run::trace::Line;
use quarry_journal::run::{Entry, KeptCheckpoint, Kind};
use quarry_machines::run::{Brief, Run, RunInput, Whose, policy};
use quarry_types::Timestamp;
use std::collections::{BTreeSet, VecDeque};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::ExitCode;
use xtask::options::helps::REPLAY;
use xtask::program::{help, print};

/// Characters that are shown of a text that differs, and those of them that stand before the difference.
const SHOWN: usize = 400;
const BEFORE: usize = 60;

/// Runs the task.
pub fn run(mut args: lexopt::Parser) -> Result<ExitCode> {
    use lexopt::prelude::*;
    let (mut file, mut wants_report) = (None::<PathBuf>, false);
    while let Some(arg) = args.next()? {
        match arg {
            Value(value) if file.is_none() => file = Some(value.into()),
            Long("report") => wants_report = true,
            Short('h') | Long("help") => return help(REPLAY),
            other => return Err(xtask::options::unknown(other, REPLAY)),
        }
    }
    let Some(file) = file else {
        bail!(xtask::options::misused(format!("name a bundle\n\n{REPLAY}")));
    };
    let bundle = File::open(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let replayed = replay(BufReader::new(bundle)).with_context(|| file.display().to_string())?;
    print(&format!("{}\n", replayed.verdict()))?;
    if wants_report {
        let (note, report) = replayed.report()?;
        if let Some(note) = note {
            eprintln!("{note}");
        }
        print(&format!("\n{}\n", report.trim_end()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a bundle to its end. An error names its line, and what first differs.
fn replay(bundle: impl BufRead) -> Result<Replay> {
    let mut replay: Option<Replay> = None;
    let mut progress = Progress::begin();
    for (at, line) in bundle.lines().enumerate() {
        let place = || format!("line {}", at + 1);
        let line = line.with_context(place)?;
        let line = Line::read(&line).with_context(place)?;
        progress.reached(at);
        match (&mut replay, line) {
            (None, Line::Head { run, machine, origin }) => {
                let whose = Whose { id: run, origin };
                replay = Some(Replay::begin(whose, machine).with_context(place)?);
            }
            (None, _) => bail!("it does not begin with the head of a bundle\n\n{REPLAY}"),
            (Some(_), Line::Head { .. }) => bail!("{}: a second bundle begins", place()),
            (Some(replay), Line::Entry(entry)) => replay.entry(&entry).with_context(place)?,
            (Some(replay), Line::Checkpoint(kept)) => replay.state(kept).with_context(place)?,
            (Some(replay), Line::Event(event)) => replay.event(&event).with_context(place)?,
        }
    }
    let Some(replay) = replay else { bail!("it is empty") };
    replay.end()?;
    Ok(replay)
}

/// A bundle, as far as it was read.
#[derive(Debug)]
struct Replay {
    whose: Whose,
    run: Option<Run>,
    /// The number of the last entry, and its time.
    last: (u64, Timestamp),
    /// What entries told that the bundle's events were not compared with yet, with the entry's number.
    told: VecDeque<(u64, Event)>,
    /// Events that were compared.
    events: u64,
    /// States that were compared.
    states: u64,
    /// The rules under which it was driven and that are others here, each in words.
    other_rules: BTreeSet<String>,
}

impl Replay {
    fn begin(whose: Whose, machine: u32) -> Result<Replay> {
        let own = Run::FORMAT.version;
        ensure!(
            (Run::FOLDS_SINCE..=own).contains(&machine),
            "it is of version {machine} of the machine, and this is version {own}; replay it with the Quarry \
             that wrote it"
        );
        let (last, told) = ((0, Timestamp(0)), VecDeque::new());
        let other_rules = BTreeSet::new();
        Ok(Replay { whose, run: None, last, told, events: 0, states: 0, other_rules })
    }

    fn entry(&mut self, entry: &Entry) -> Result<()> {
        let (n, expected) = (entry.n, self.last.0 + 1);
        ensure!(self.events == 0, "entry {n} stands behind events; a bundle has its entries first");
        ensure!(n >= expected, "entry {n} is there twice, or out of its order");
        ensure!(n == expected, "entry {expected} is missing: entry {n} stands in its place");
        self.last = (n, entry.at);
        if entry.kind == Kind::Note {
            return Ok(());
        }
        let input: RunInput = serde_json::from_str(entry.body.text())
            .with_context(|| format!("entry {n} says nothing that a run is told"))?;
        let (kind, filed) = (input.kind().as_str(), entry.kind.as_str());
        ensure!(kind == filed, "entry {n} is filed as `{filed}`, but what it says is `{kind}`");
        if let (Some(run), RunInput::Begun { effects }) = (&self.run, &input) {
            let is_same = run.due() == *effects;
            let words =
                format!("entry {n} announces what does not follow from the entries before it");
            ensure!(is_same, "{}", self.why(words));
        }
        if let RunInput::Asked { brief } = &input {
            let own = policy::versions().into_keys();
            let unnamed = own.filter(|name| !brief.policies.contains_key(name));
            self.other_rules.extend(unnamed.map(|name| format!("{name}, which it does not name")));
            let (begun, known) = (brief.revision, Brief::REVISION);
            let newer =
                (begun > known).then(|| format!("revision {begun}, and this knows {known}"));
            self.other_rules.extend(newer);
        }
        let events = Run::fold(&mut self.run, self.whose, input, entry.at);
        let events = events.with_context(|| format!("entry {n} cannot be the first"))?;
        self.told.extend(events.into_iter().map(|event| (n, event)));
        self.other_rules.extend(self.run.iter().flat_map(Run::changed_policies));
        Ok(())
    }

    /// A state that is kept is the one that its journal gives.
    fn state(&mut self, kept: KeptCheckpoint) -> Result<()> {
        let (n, last, version) = (kept.n, self.last.0, kept.version);
        ensure!(n == last, "the checkpoint at entry {n} stands behind entry {last}");
        let run = self.run.as_ref().context("a checkpoint stands before the first entry")?;
        let own = serde_json::to_string(run)?;
        let mut state = Run::FORMAT.open(kept)?;
        if version < Run::FORMAT.version {
            // An older Quarry wrote it: what it says is compared, as this one writes it.
            let read: Run = serde_json::from_str(&state)
                .with_context(|| format!("the checkpoint at entry {n} cannot be read"))?;
            state = serde_json::to_string(&read)?;
        }
        let differs = || difference(&state, &own);
        let words = || self.why(format!("entry {n}: the checkpoint differs\n{}", differs()));
        ensure!(state == own, "{}", words());
        self.states += 1;
        Ok(())
    }

    fn event(&mut self, kept: &Event) -> Result<()> {
        let Some((n, told)) = self.told.pop_front() else {
            let words = format!(
                "event {} ({}) is told by no entry; the last is entry {}. Entries are missing, or the bundle was \
                 fetched while the run went on",
                kept.sequence,
                kept.name.as_str(),
                self.last.0
            );
            bail!(self.why(words));
        };
        ensure!(*kept == told, "{}", self.why(other_event(n, kept, &told)));
        self.events += 1;
        Ok(())
    }

    fn end(&self) -> Result<()> {
        ensure!(self.run.is_some(), "it has no entry");
        if let Some((n, told)) = self.told.front() {
            let (sequence, name) = (told.sequence, told.name.as_str());
            let words =
                format!("the bundle ends before event {sequence} ({name}), which entry {n} tells");
            bail!(self.why(words));
        }
        Ok(())
    }

    /// What differs, and that other rules may be why.
    fn why(&self, mut words: String) -> String {
        if !self.other_rules.is_empty() {
            let rules: Vec<&str> = self.other_rules.iter().map(String::as_str).collect();
            words.push_str(
                "\nIt was written under other rules than these, so nobody need have altered it: ",
            );
            words.push_str(&rules.join("; "));
            words.push_str(". Replay it with the Quarry that wrote it");
        }
        words
    }

    fn verdict(&self) -> String {
        let entries = if self.last.0 == 1 { "entry" } else { "entries" };
        let states = if self.states == 1 { "checkpoint" } else { "checkpoints" };
        let (last, events) = (self.last.0, self.events);
        format!("replayed {last} {entries}, {events} events, {} {states}, identical", self.states)
    }

    /// The report in Markdown, and what has to be known of it.
    fn report(&self) -> Result<(Option<&'static str>, String)> {
        let run = self.run.as_ref().context("it has no entry")?;
        Ok(match run.kept_report() {
            Some(report) => (None, report.markdown.clone()),
            None => (
                Some("The run has no report; this is what could be said at its last entry."),
                run.report_so_far(self.last.1, self.last.1).markdown,
            ),
        })
    }
}

/// Which event is not the one that was told.
fn other_event(n: u64, kept: &Event, told: &Event) -> String {
    let text = |event: &Event| format!("{} {}", event.name.as_str(), event.data);
    let place = if kept.sequence == told.sequence {
        format!("event {} differs", told.sequence)
    } else {
        format!("event {} is expected, and event {} is there", told.sequence, kept.sequence)
    };
    format!("entry {n}: {place}\n{}", difference(&text(kept), &text(told)))
}

/// Where two texts part, and both from shortly before.
fn difference(kept: &str, told: &str) -> String {
    let same = kept.chars().zip(told.chars()).take_while(|(one, other)| one == other);
    let from = same.count().saturating_sub(BEFORE);
    let shown = |text: &str| {
        let mut rest = text.chars().skip(from);
        let mut shown: String = if from > 0 { "…".to_owned() } else { String::new() };
        shown.extend(rest.by_ref().take(SHOWN));
        if rest.next().is_some() {
            shown.push('…');
        }
        shown
    };
    format!("  in the bundle  {}\n  by the replay  {}", shown(kept), shown(told))
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
