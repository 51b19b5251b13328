//! A long run, made as drivers make it: the machine, its slices and the database's own statements, with a model
//! and a web that answer at once. What is left out is the component around them.

use crate::runs::script;
use anyhow::{Context as _, Result, bail};
use quarry_journal::run::{Step, Value, Write};
use quarry_journal::{Leave, Slice, SliceCommand, SliceLimits, Written};
use quarry_machines::core::{Budget, Fence, ModelSheet};
use quarry_machines::run::{Brief, Effect, Models, Owner, Run, RunInput, What, policy};
use quarry_schema::run as statements;
use quarry_tools::Sources;
use quarry_types::{Knobs, RunId, Timeouts, Timestamp};
use rusqlite::{Connection, ToSql, params_from_iter};
use std::collections::VecDeque;
use std::path::Path;
use std::time::{Duration, Instant};

/// The file in which Spin, and the local host, keep the database.
const FILE: &str = "sqlite_db.db";

/// Where a long run is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// A person ends it when all but the last node have their findings: it can be resumed.
    Aborted,
    /// Its process dies then, in the middle of a step.
    Killed,
}

/// A long run in a database.
pub struct Long {
    pub id: RunId,
    /// How long each step took: folded, made ready, written.
    pub steps: Vec<Duration>,
    /// How long it took to write the same bytes with nothing around them.
    pub floor: Vec<Duration>,
    pub nodes: usize,
    /// The sequence of its last event.
    pub events: u64,
}

/// A database as the host keeps it, with its log ahead.
pub struct Store(Connection);

impl Store {
    pub fn open(directory: &Path) -> Result<Store> {
        let connection = Connection::open(directory.join(FILE))?;
        for setting in quarry_schema::SETTINGS {
            connection.prepare(setting)?.query([])?.next()?;
        }
        connection.query_row(quarry_schema::WRITE_AHEAD, [], |_| Ok(()))?;
        for step in quarry_schema::migration(0)? {
            connection.execute(&step, [])?;
        }
        let bare = "CREATE TABLE IF NOT EXISTS bare (n INTEGER PRIMARY KEY, body TEXT NOT NULL)";
        connection.execute(bare, [])?;
        Ok(Store(connection))
    }

    fn run(&self, statement: &str, values: &[Value]) -> Result<()> {
        let values = params_from_iter(values.iter().map(|value| -> Box<dyn ToSql> {
            match value {
                Value::Null => Box::new(rusqlite::types::Null),
                Value::Integer(number) => Box::new(*number),
                Value::Text(text) => Box::new(text.clone()),
            }
        }));
        self.0.prepare_cached(statement)?.execute(values)?;
        Ok(())
    }

    /// The same bytes in one row of a table without anything: what the database itself takes for a write.
    fn bare(&self, bytes: usize) -> Result<Duration> {
        let body = "x".repeat(bytes);
        let began = Instant::now();
        self.0.prepare_cached("INSERT INTO bare (body) VALUES (?1)")?.execute([body])?;
        Ok(began.elapsed())
    }

    fn step(&self, step: Step) -> Result<usize> {
        let mut bytes = 0;
        for write in step.writes() {
            let (statement, values) = match &write {
                Write::Blobs(values) => (statements::PUT_BLOBS, values.as_slice()),
                Write::Step(values) => (statements::STEP, values.as_slice()),
            };
            bytes += values.iter().map(length).sum::<usize>();
            self.run(statement, values)?;
        }
        Ok(bytes)
    }

    /// The same run under another id.
    pub fn copy(&self, from: RunId, to: RunId) -> Result<()> {
        let tables = [
            (
                "run",
                "caller, status, task, model, origin, created_at, updated_at, due_at, holder, until, summary",
            ),
            ("run_entry", "n, at, kind, size, blob, body"),
            ("run_event", "sequence, n, name, size, data"),
            ("run_checkpoint", "n, machine, version, sum, body"),
            ("run_node", "n, body"),
            ("run_blob", "hash"),
        ];
        for (table, columns) in tables {
            let copied = format!(
                "INSERT INTO {table} (run_id, {columns}) SELECT ?2, {columns} FROM {table} WHERE run_id = ?1"
            );
            self.0.execute(&copied, [from.to_string(), to.to_string()])?;
        }
        Ok(())
    }

    /// Keeps the runs that nobody drives from being driven by whoever looks for what is due.
    pub fn hide_due(&self) -> Result<()> {
        self.0.execute("UPDATE run SET due_at = NULL", [])?;
        Ok(())
    }

    /// Has all that was written in the file itself, as it is for whoever comes later.
    pub fn settle(&self) -> Result<()> {
        self.0.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(())
    }
}

fn length(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::Null | Value::Integer(_) => 8,
    }
}

/// A run of so many nodes: each is parted in three as long as there is room. Only what the knobs allow.
pub fn drive(store: &Store, nodes: u32, number: u128, until: Until) -> Result<Long> {
    let knobs = Knobs {
        max_nodes: nodes,
        max_depth: 6,
        max_rounds: 1,
        // So that every node finds something: a run has 2,000 sources at most.
        max_queries_per_node: 1,
        max_sources: 2_000,
        timeouts: Timeouts { run: 86_400, ..Timeouts::default() },
        ..Knobs::default()
    };
    let mut now = Timestamp(1_795_372_200_000);
    let brief = brief(knobs, RunId::new(now.0, number))?;
    let id = brief.id;
    let (run, birth) = Run::created(brief, Owner { caller: None, key: None }, now);
    store.run(statements::CREATE, &birth.values())?;
    let limits = SliceLimits { slice_ms: u64::MAX, lease_ms: 15_000, wait_ms: 10_000 };
    let leased = Timestamp(now.0 + limits.lease_ms);
    let mut slice = Slice::new(run, 1, limits, leased, now).of_new();
    let mut long = Long { id, steps: Vec::new(), floor: Vec::new(), nodes: 0, events: 0 };
    // All nodes are there then, and all but one have their findings.
    let last = format!("n{nodes}/findings/");
    let mut done: VecDeque<RunInput> = VecDeque::new();
    loop {
        now = Timestamp(now.0 + 1);
        let began = Instant::now();
        match slice.poll(now) {
            None => {
                let input = done.pop_front().context("the run waits for nothing")?;
                slice.happened(input);
            }
            Some(SliceCommand::Look) => slice.looked(Some(Vec::new()), now),
            Some(SliceCommand::Enter) => slice.entered(true, now),
            Some(SliceCommand::Renew(_) | SliceCommand::Reload) => {
                bail!("nobody says anything, and it was not heard")
            }
            Some(SliceCommand::Begin(effects)) => {
                for effect in effects {
                    if effect.id.starts_with(&last) {
                        match until {
                            Until::Killed => return Ok(ended(long, &slice)),
                            Until::Aborted => done.push_back(RunInput::Abort),
                        }
                    } else {
                        done.push_back(performed(effect, slice.machine())?);
                    }
                }
            }
            Some(SliceCommand::Write(append)) => {
                let bytes = store.step(slice.machine().step(
                    slice.machine().brief().id,
                    "bench".to_owned(),
                    append,
                    now,
                ))?;
                slice.written(Written::Yes, now);
                long.steps.push(began.elapsed());
                long.floor.push(store.bare(bytes)?);
            }
            Some(SliceCommand::Leave(Leave::Over)) => return Ok(ended(long, &slice)),
            Some(SliceCommand::Leave(other)) => bail!("the run was left: {other:?}"),
        }
    }
}

fn ended(long: Long, slice: &Slice<Run>) -> Long {
    let run = slice.machine();
    Long { nodes: run.tree().nodes().len(), events: run.sequence(), ..long }
}

fn brief(knobs: Knobs, id: RunId) -> Result<Brief> {
    let sheet = ModelSheet {
        id: "openai:gpt-4o-mini".parse().context("the model has no name")?,
        price: None,
        context_window: None,
        is_language_model: true,
        thinks: false,
        timeout_ms: 60_000,
    };
    Ok(Brief {
        id,
        task: "What is the history of Brankmoor?".to_owned(),
        knobs,
        models: Models::all(&sheet),
        budget: Budget::default(),
        sources: Sources { web: true, knowledge: false, program: true },
        collection: None,
        reasoning_effort: None,
        fence: Fence::of(7),
        guidance: None,
        paid_by_caller: Vec::new(),
        policies: policy::versions(),
        replaced: Vec::new(),
        shares_searches: false,
        operator_keys: false,
        keeps_visits: true,
        revision: Brief::REVISION,
        origin: None,
    })
}

fn performed(effect: Effect, run: &Run) -> Result<RunInput> {
    let Effect { ticket, id, what, .. } = effect;
    Ok(match what {
        What::Errand(errand) => {
            RunInput::Tool { ticket, outcome: script::search(&errand)?, reused: None }
        }
        What::Model { request, .. } => {
            RunInput::Model { ticket, result: Ok(script::reply(&id, &request, run)?) }
        }
    })
}
