//! What is in a run's database, read beside the processes that use it.
//!
//! A copy is read: whoever opens the files themselves takes part in their recovery.

use anyhow::{Context, Result};
use quarry_journal::run::{self as journal, Entry, Kind};
use quarry_machines::run::RunInput;
use quarry_schema::run as statements;
use rusqlite::{Connection, OptionalExtension};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

const FILE: &str = "sqlite_db.db";

/// Who drives, whichever run.
const HOLDERS: &str = "SELECT json_group_array(holder) FROM run WHERE holder IS NOT NULL";

/// The lease of one of them is over.
const END_LEASE: &str = "UPDATE run SET until = 0 WHERE holder = ?1";

/// Bytes of entries that are read at once.
const PAGE_BYTES: i64 = 4 << 20;

/// What the database says.
#[derive(Debug, Default)]
pub struct Seen {
    /// The run's id; none: it was not born.
    pub run: Option<String>,
    /// Its journal.
    pub inputs: Vec<RunInput>,
}

/// Reads a run in the database under this directory; without an id the only one.
pub fn look(state: &Path, id: Option<&str>) -> Result<Seen> {
    let connection = copy(state)?;
    let connection = connection.connection();
    if !is_there(connection)? {
        return Ok(Seen::default());
    }
    let run = "SELECT run_id FROM run WHERE run_id = coalesce(?1, run_id)";
    let run: Option<String> = connection.query_row(run, [id], |row| row.get(0)).optional()?;
    let entries = run.as_deref().map(|run| entries(connection, run)).transpose()?;
    let inputs = entries.into_iter().flatten().filter(|entry| entry.kind != Kind::Note);
    let inputs = inputs.map(|entry| {
        serde_json::from_str(entry.body.text())
            .with_context(|| format!("entry {} is nothing that a run is told", entry.n))
    });
    Ok(Seen { run, inputs: inputs.collect::<Result<_>>()? })
}

/// Whether there are tables of runs.
fn is_there(connection: &Connection) -> Result<bool> {
    let is_there = "SELECT 1 FROM sqlite_schema WHERE name = 'run_entry'";
    Ok(connection.query_row(is_there, [], |_| Ok(())).optional()?.is_some())
}

/// The names of those who drive, or did when they died.
pub fn holders(state: &Path) -> Result<Vec<String>> {
    let connection = copy(state)?;
    if !is_there(connection.connection())? {
        return Ok(Vec::new());
    }
    let names: String = connection.connection().query_row(HOLDERS, [], |row| row.get(0))?;
    Ok(serde_json::from_str(&names)?)
}

/// Ends the leases of these, as time would.
pub fn end_leases(state: &Path, holders: &[String]) -> Result<()> {
    let connection = Connection::open(state.join(FILE))?;
    // Others write meanwhile, and on a slow machine many.
    connection.busy_timeout(Duration::from_secs(60))?;
    for holder in holders {
        connection.execute(END_LEASE, [holder])?;
    }
    Ok(())
}

/// A copy of the database, opened.
struct Copy(Connection, #[expect(dead_code, reason = "gone with it")] TempDir);

impl Copy {
    fn connection(&self) -> &Connection {
        &self.0
    }
}

fn copy(state: &Path) -> Result<Copy> {
    let copy = tempfile::tempdir()?;
    for suffix in ["", "-wal"] {
        let name = format!("{FILE}{suffix}");
        match fs::copy(state.join(&name), copy.path().join(&name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
            _ => {}
        }
    }
    Ok(Copy(Connection::open(copy.path().join(FILE))?, copy))
}

fn entries(connection: &Connection, run: &str) -> Result<Vec<Entry>> {
    let mut all: Vec<Entry> = Vec::new();
    loop {
        let behind = all.last().map_or(0, |entry| entry.n);
        let given = (run, i64::try_from(behind)?, PAGE_BYTES);
        let packed: String = connection.query_row(statements::ENTRIES, given, |row| row.get(0))?;
        let page = journal::entries(behind, &packed)?;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}

/// Takes the database for itself: nobody else writes until it is dropped.
pub fn lock(state: &Path) -> Result<Connection> {
    let connection = Connection::open(state.join(FILE))?;
    // Others write meanwhile, as above.
    connection.busy_timeout(Duration::from_secs(60))?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    Ok(connection)
}

impl Seen {
    /// Effects whose outcome is in the journal, by id.
    pub fn recorded(&self) -> BTreeSet<String> {
        self.journal().recorded.into_keys().collect()
    }

    /// What the journal says of effects.
    pub fn journal(&self) -> Journal {
        let mut journal = Journal::default();
        let mut ids = BTreeMap::new();
        for input in &self.inputs {
            match input {
                RunInput::Begun { effects } => {
                    for effect in effects {
                        ids.insert(effect.ticket, effect.id.clone());
                        let known = journal.begun.entry(effect.id.clone()).or_default();
                        *known = (*known).max(effect.attempt);
                        if journal.recorded.contains_key(&effect.id) {
                            journal
                                .wrong
                                .push(format!("{} is begun though it has ended", effect.id));
                        }
                    }
                }
                RunInput::Model { ticket, .. } | RunInput::Tool { ticket, .. } => {
                    let id = ids.get(ticket).cloned().unwrap_or_else(|| format!("{ticket:?}"));
                    let failed = matches!(input, RunInput::Model { result: Err(_), .. });
                    // What failed is tried again, with the next model or when it may be.
                    let count = journal.recorded.entry(id.clone()).or_insert(0);
                    *count += usize::from(!failed);
                    if *count > 1 {
                        journal.wrong.push(format!("{id} has two outcomes"));
                    }
                    if failed && *count == 0 {
                        journal.recorded.remove(&id);
                    }
                }
                _ => {}
            }
        }
        journal
    }
}

/// What a journal says of effects.
#[derive(Debug, Default)]
pub struct Journal {
    /// The last attempt of each, by id.
    pub begun: BTreeMap<String, u32>,
    /// How many outcomes each has.
    recorded: BTreeMap<String, usize>,
    /// What cannot be.
    pub wrong: Vec<String>,
}
