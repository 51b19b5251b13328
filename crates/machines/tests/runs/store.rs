//! The database as the orchestrator uses it: the same statements, with the same values.

use quarry_events::run::Event;
use quarry_journal::run::{
    self as journal, Birth, Entry, FoundAgain, KeptCheckpoint, Position, Record, Step, Value,
    Waiting, Write,
};
use quarry_machines::run::{Reuse, Run, RunInput, Whose};
use quarry_schema::run::{self as statements, Refusal};
use quarry_types::{RunId, Timestamp};
use rusqlite::{Connection, OptionalExtension, ToSql, params_from_iter};
use std::cell::Cell;

const PAGE_BYTES: u64 = 4 * 1024 * 1024;

pub struct Store(pub Connection, Cell<Work>);

/// What was written of runs so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct Work {
    /// Statements that wrote steps, or the long bodies of one.
    pub statements: u64,
    /// Bytes of entries, and of their long bodies.
    pub entries: u64,
    /// Bytes of events.
    pub events: u64,
    /// States that were kept.
    pub checkpoints: u64,
    /// Their bytes.
    pub states: u64,
    /// Bytes of records.
    pub records: u64,
    /// Bytes of nodes as clients see them.
    pub nodes: u64,
}

/// Why a step was not written.
#[derive(Debug)]
pub enum StepError {
    Refused(Refusal),
    /// There was no room for it, in SQLite's own words.
    Full(String),
}

impl Store {
    pub fn new() -> Self {
        let connection = Connection::open_in_memory().unwrap();
        for step in quarry_schema::migration(0).unwrap() {
            connection.execute(&step, []).unwrap();
        }
        Store(connection, Cell::default())
    }

    pub fn work(&self) -> Work {
        self.1.get()
    }

    fn note(&self, write: &Write) {
        let bytes = |value: &Value| match value {
            Value::Text(text) => text.len() as u64,
            Value::Null | Value::Integer(_) => 0,
        };
        let mut work = self.1.get();
        work.statements += 1;
        match write {
            Write::Blobs([_, blobs]) => work.entries += bytes(blobs),
            Write::Step(
                [.., entries, events, blobs, state, _, _, _, _, _, record, _, nodes, _],
            ) => {
                work.entries += bytes(entries) + bytes(blobs);
                work.events += bytes(events);
                work.checkpoints += u64::from(bytes(state) > 0);
                work.states += bytes(state);
                work.records += bytes(record);
                work.nodes += bytes(nodes);
            }
        }
        self.1.set(work);
    }

    fn run(&self, statement: &str, values: &[Value]) -> Result<(), String> {
        let mut statement = self.0.prepare_cached(statement).unwrap();
        statement.execute(bind(values)).map(|_| ()).map_err(|error| error.to_string())
    }

    /// The first column of the only row.
    fn text(&self, statement: &str, values: &[Value]) -> Option<String> {
        let mut statement = self.0.prepare_cached(statement).unwrap();
        statement.query_row(bind(values), |row| row.get(0)).optional().unwrap()
    }

    pub fn create(&self, birth: Birth) {
        self.run(statements::CREATE, &birth.values()).unwrap();
    }

    pub fn record(&self, id: RunId) -> Record {
        let packed = self.text(statements::RECORD, &[name(id)]).unwrap();
        journal::record(&packed).unwrap()
    }

    /// The run as clients see it.
    pub fn shown(&self, id: RunId, now: Timestamp) -> Option<String> {
        let mut statement = self.0.prepare_cached(statements::SHOWN).unwrap();
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)?, row.get(2)?));
        let (record, count, nodes): (String, i64, String) =
            statement.query_row(bind(&[name(id)]), read).unwrap();
        journal::snapshot(&record, count as u64, &nodes, now).unwrap()
    }

    pub fn take(&self, id: RunId, holder: &str, now: Timestamp, until: Timestamp) -> bool {
        self.take_behind(id, holder, (now, until), None)
    }

    /// The same with a key, of a run that waits behind this entry.
    pub fn take_behind(
        &self,
        id: RunId,
        holder: &str,
        (now, until): (Timestamp, Timestamp),
        entry: Option<u64>,
    ) -> bool {
        let entry = entry.map_or(Value::Null, |n| Value::Integer(i64::try_from(n).unwrap()));
        let values = [name(id), holder.into(), now.into(), until.into(), Value::Integer(0), entry];
        self.text(statements::TAKE, &values).is_some()
    }

    pub fn take_over(
        &self,
        id: RunId,
        (before, holder): (&str, &str),
        now: Timestamp,
        until: Timestamp,
    ) -> bool {
        let values = [name(id), holder.into(), now.into(), until.into(), before.into()];
        self.text(statements::TAKE_OVER, &values).is_some()
    }

    pub fn release(&self, id: RunId, holder: &str, due: Option<Timestamp>) {
        self.run(statements::RELEASE, &[name(id), holder.into(), due.into()]).unwrap();
    }

    pub fn step(&self, step: Step) -> Result<(), StepError> {
        step.writes().iter().try_for_each(|write| {
            self.note(write);
            let written = match write {
                Write::Blobs(values) => self.run(statements::PUT_BLOBS, values),
                Write::Step(values) => self.run(statements::STEP, values),
            };
            written.map_err(|words| match Refusal::read(&words) {
                Some(refusal) => StepError::Refused(refusal),
                None if words.contains("full") => StepError::Full(words),
                None => panic!("{words}"),
            })
        })
    }

    pub fn position(&self, id: RunId) -> Position {
        journal::position(&self.text(statements::POSITION, &[name(id)]).unwrap()).unwrap()
    }

    pub fn entry_of(&self, id: RunId, sequence: u64) -> u64 {
        let mut statement = self.0.prepare_cached(statements::ENTRY_OF).unwrap();
        let values = [name(id), sequence.into()];
        statement.query_row(bind(&values), |row| row.get::<_, i64>(0)).unwrap() as u64
    }

    pub fn checkpoint(&self, id: RunId, most: u64) -> Option<KeptCheckpoint> {
        let mut statement = self.0.prepare_cached(statements::CHECKPOINT).unwrap();
        let read = |row: &rusqlite::Row<'_>| {
            Ok(KeptCheckpoint {
                n: row.get::<_, i64>(0)? as u64,
                machine: row.get(1)?,
                version: row.get(2)?,
                sum: row.get(3)?,
                body: row.get(4)?,
            })
        };
        statement.query_row(bind(&[name(id), most.into()]), read).optional().unwrap()
    }

    pub fn entries(&self, id: RunId, behind: u64) -> Vec<Entry> {
        let values = [name(id), behind.into(), PAGE_BYTES.into()];
        let packed = self.text(statements::ENTRIES, &values).unwrap();
        journal::entries(behind, &packed).unwrap()
    }

    pub fn events(&self, id: RunId) -> Vec<Event> {
        let mut events: Vec<Event> = Vec::new();
        loop {
            let mut statement = self.0.prepare_cached(statements::EVENTS).unwrap();
            let values = [name(id), events.last().map_or(0, |event| event.sequence).into()];
            let (status, last, packed): (String, i64, String) = statement
                .query_row(bind(&values), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                .unwrap();
            let page = journal::page(&status, last as u64, &packed).unwrap();
            if page.events.is_empty() {
                return events;
            }
            events.extend(page.events);
        }
    }

    /// What another run of the caller's found.
    pub fn searched(&self, id: RunId, reuse: &Reuse, now: Timestamp) -> Option<FoundAgain> {
        let Reuse { intent, max_age_ms, results } = reuse;
        let values = [
            name(id),
            intent.as_str().into(),
            now.into(),
            (*max_age_ms).into(),
            u64::from(*results).into(),
        ];
        let packed = self.text(statements::SEARCHED, &values);
        packed.map(|packed| journal::found_again(&packed).unwrap())
    }

    /// Whether there is room for a run that has waited.
    pub fn is_room(&self, id: RunId, now: Timestamp, most: u64) -> bool {
        let mut statement = self.0.prepare_cached(statements::ROOM).unwrap();
        statement.exists(bind(&[name(id), now.into(), most.into()])).unwrap()
    }

    pub fn delete(&self, id: RunId) {
        assert!(self.text(statements::DELETE, &[name(id)]).is_some());
    }

    pub fn is_due(&self, id: RunId, now: Timestamp) -> bool {
        let packed = self.text(statements::DUE, &[now.into(), Value::Integer(9)]).unwrap();
        journal::due(&packed).unwrap().contains(&id)
    }

    /// Leaves something for whoever drives; false when the run has ended.
    pub fn leave(&self, id: RunId, note: &str, now: Timestamp, input: &RunInput) -> bool {
        let body = serde_json::to_string(input).unwrap();
        self.leave_as(id, (note, input.wish()), now, &body)
    }

    /// The same of something of this kind, by this name.
    pub fn leave_as(
        &self,
        id: RunId,
        (note, kind): (&str, &str),
        now: Timestamp,
        body: &str,
    ) -> bool {
        let values = [name(id), note.into(), now.into(), kind.into(), body.into()];
        self.text(statements::INBOX_PUT, &values).is_some()
    }

    /// Leaves something that nobody wrote so.
    pub fn leave_raw(&self, id: RunId, note: &str, now: Timestamp, body: &str) {
        assert!(self.leave_as(id, (note, "input"), now, body));
    }

    /// Something happens to what was left.
    pub fn damage(&self, note: &str) {
        let damage = "UPDATE run_inbox SET body = x'ff00', at = 'soon' WHERE id = ?1";
        assert_eq!(self.0.execute(damage, [note]), Ok(1));
    }

    pub fn inbox(&self, id: RunId) -> Vec<Waiting> {
        let packed = self.text(statements::INBOX_GET, &[name(id)]).unwrap();
        journal::inbox(&packed).unwrap()
    }

    /// The run as it was after this entry, or its last: its newest checkpoint, and the entries behind it.
    pub fn load(&self, id: RunId, most: u64) -> (Run, u64) {
        let (mut run, mut last) = (None, 0);
        if let Some(kept) = self.checkpoint(id, most) {
            last = kept.n;
            let state = Run::FORMAT.open(kept).unwrap();
            run = Some(serde_json::from_str(&state).unwrap());
        }
        for entry in self.journal(id, last).into_iter().filter(|entry| entry.n <= most) {
            last = entry.n;
            self.fold(id, &mut run, &entry);
        }
        (run.unwrap(), last)
    }

    /// Takes an entry in, and gives what the run told of it.
    pub fn fold(&self, id: RunId, run: &mut Option<Run>, entry: &Entry) -> Vec<Event> {
        let whose = Whose { id, origin: self.record(id).origin };
        let input = serde_json::from_str(entry.body.text()).unwrap();
        Run::fold(run, whose, input, entry.at).unwrap()
    }

    /// All entries behind this one.
    pub fn journal(&self, id: RunId, behind: u64) -> Vec<Entry> {
        let mut all: Vec<Entry> = Vec::new();
        loop {
            let page = self.entries(id, all.last().map_or(behind, |entry| entry.n));
            if page.is_empty() {
                return all;
            }
            all.extend(page);
        }
    }
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

fn name(id: RunId) -> Value {
    id.to_string().into()
}
