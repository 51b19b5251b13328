//! The statements on SQLite, with the values that drivers give them.

mod drivers;
mod kept;
mod lives;
mod pages;
mod places;
mod steps;

use super::*;
use crate::tests::database;
use quarry_events::run::{Event, EventName, RunStatus};
use quarry_journal::run::{
    Birth, Entry, Format, KeptCheckpoint, Kind, Origin, Pack, Page, Position, Record, Step, Value,
    Write, entries, numbers, page, position, record,
};
use quarry_types::{Json, RunId, Timestamp};
use rusqlite::{Connection, OptionalExtension, ToSql, params, params_from_iter};

const FORMAT: Format = Format { machine: "run", version: 1, migrations: &[] };

fn id(number: u128) -> RunId {
    RunId::new(1, number)
}

fn bind(values: &[Value]) -> impl rusqlite::Params {
    params_from_iter(values.iter().map(|value| -> Box<dyn ToSql> {
        match value {
            Value::Null => Box::new(rusqlite::types::Null),
            Value::Integer(number) => Box::new(*number),
            Value::Text(text) => Box::new(text.clone()),
        }
    }))
}

fn json(text: &str) -> Json {
    Json::from_text(text.to_owned()).unwrap()
}

fn pack(bodies: &[&str]) -> Pack {
    let mut pack = Pack::default();
    for body in bodies {
        pack.push(Timestamp(7), Kind::Input, json(body));
    }
    pack
}

fn event(sequence: u64, data: &str) -> Event {
    Event { sequence, name: EventName::ReportDelta, data: data.to_owned() }
}

fn birth(number: u128) -> Birth {
    Birth {
        run: id(number),
        caller: None,
        status: RunStatus::Queued,
        task: "why".to_owned(),
        model: "m".to_owned(),
        now: Timestamp(100),
        due_at: Some(Timestamp(100)),
        key: None,
        summary: json("{}"),
        origin: None,
        entries: pack(&["1"]),
        events: vec![(1, event(1, "{}"))],
        checkpoint: None,
    }
}

fn create(connection: &Connection, birth: Birth) {
    connection.prepare_cached(CREATE).unwrap().execute(bind(&birth.values())).unwrap();
}

/// A step of the run's first driver; its first entry is 2.
fn step(number: u128, bodies: &[&str]) -> Step {
    Step {
        run: id(number),
        holder: "a".to_owned(),
        now: Timestamp(200),
        until: Timestamp(260),
        first: 2,
        entries: pack(bodies),
        events: Vec::new(),
        checkpoint: None,
        status: RunStatus::Running,
        due_at: Some(Timestamp(200)),
        summary: None,
        taken: Vec::new(),
        nodes: Vec::new(),
        searches: Vec::new(),
    }
}

fn write(connection: &Connection, step: Step) -> Result<(), String> {
    for write in step.writes() {
        let (statement, values) = match &write {
            Write::Blobs(values) => (PUT_BLOBS, values.as_slice()),
            Write::Step(values) => (STEP, values.as_slice()),
        };
        let mut statement = connection.prepare_cached(statement).unwrap();
        statement.execute(bind(values)).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn take(connection: &Connection, number: u128, holder: &str, now: i64) -> Option<Record> {
    take_behind(connection, number, holder, now, None)
}

/// The same with a key, of a run that waits behind this entry.
fn take_behind(
    connection: &Connection,
    number: u128,
    holder: &str,
    now: i64,
    entry: Option<i64>,
) -> Option<Record> {
    let values = params![id(number).to_string(), holder, now, now + 60, 0, entry];
    let row = connection.query_row(TAKE, values, |row| row.get::<_, String>(0));
    row.optional().unwrap().map(|packed| record(&packed).unwrap())
}

fn release(connection: &Connection, number: u128, holder: &str, due: Option<i64>) {
    connection.execute(RELEASE, params![id(number).to_string(), holder, due]).unwrap();
}

fn one(connection: &Connection, statement: &str, run: RunId) -> Option<String> {
    let row = connection.query_row(statement, [run.to_string()], |row| row.get(0));
    row.optional().unwrap()
}

fn known(connection: &Connection, number: u128) -> Option<Record> {
    one(connection, RECORD, id(number)).map(|packed| record(&packed).unwrap())
}

fn stands(connection: &Connection, number: u128) -> Position {
    position(&one(connection, POSITION, id(number)).unwrap()).unwrap()
}

/// One page of entries.
fn some(connection: &Connection, number: u128, behind: u64, bytes: i64) -> Vec<Entry> {
    let values = params![id(number).to_string(), behind as i64, bytes];
    let packed: String = connection.query_row(ENTRIES, values, |row| row.get(0)).unwrap();
    entries(behind, &packed).unwrap()
}

/// All entries, page by page.
fn journal(connection: &Connection, number: u128) -> Vec<Entry> {
    let mut all: Vec<Entry> = Vec::new();
    loop {
        let page = some(connection, number, all.len() as u64, 10_000);
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

fn bodies(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.body.text()).collect()
}

fn shown(connection: &Connection, number: u128, after: i64) -> Option<Page> {
    let values = params![id(number).to_string(), after];
    let row = connection.query_row(EVENTS, values, |row| {
        let (status, last, packed): (String, i64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(page(&status, last as u64, &packed).unwrap())
    });
    row.optional().unwrap()
}

fn checkpoint(connection: &Connection, number: u128, before: i64) -> Option<KeptCheckpoint> {
    let row = connection.query_row(CHECKPOINT, params![id(number).to_string(), before], |row| {
        Ok(KeptCheckpoint {
            n: row.get::<_, i64>(0)? as u64,
            machine: row.get(1)?,
            version: row.get(2)?,
            sum: row.get(3)?,
            body: row.get(4)?,
        })
    });
    row.optional().unwrap()
}

fn put(connection: &Connection, number: u128, waiting: &str, kind: &str) -> bool {
    let values = params![id(number).to_string(), waiting, 150, kind, "{}"];
    connection.prepare(INBOX_PUT).unwrap().exists(values).unwrap()
}

fn count(connection: &Connection, table: &str) -> i64 {
    connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

/// Ends a run whose next entry has this number.
fn end_at(connection: &Connection, number: u128, first: u64) {
    let ended = Step { status: RunStatus::Aborted, first, ..step(number, &[]) };
    write(connection, ended).unwrap();
}

/// Ends a run that was only created.
fn end(connection: &Connection, number: u128, now: u64) {
    let ended = Step { status: RunStatus::Completed, now: Timestamp(now), ..step(number, &[]) };
    write(connection, ended).unwrap();
    release(connection, number, "a", None);
}
