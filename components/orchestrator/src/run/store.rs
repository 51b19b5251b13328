//! The database as runs use it: one statement a call.
//!
//! Border: statements are `quarry-schema`'s, what they are given and how it is read `quarry-journal`'s.

use crate::bindings::exports::quarry::agent::run::Known;
use quarry_events::run::RunStatus;
use quarry_journal::run::{
    self as journal, Birth, Entry, FoundAgain, KeptCheckpoint, Page, Position, Record, Step,
    Waiting, Write,
};
use quarry_machines::run::{OtherRules, Reuse};
use quarry_rim::database::{Database, DatabaseError, RowResult, Value};
use quarry_schema::run::{self as statements, Refusal};
use quarry_types::{RunId, Timestamp};
use std::collections::BTreeSet;

/// Bytes of entries that are read at once.
const PAGE_BYTES: u64 = 4 * 1024 * 1024;

/// Why the database did not give, or keep, what a run needs.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Runs need a database that others share.
    #[error("runs need a SQLite database that is kept: {0}")]
    NoDatabase(DatabaseError),
    /// A retry may help.
    #[error(transparent)]
    Failed(DatabaseError),
    /// What is there is not what was written.
    #[error(transparent)]
    Damaged(#[from] journal::Damaged),
    /// It cannot be gone on with here.
    #[error(transparent)]
    OtherRules(#[from] OtherRules),
    /// An entry of the journal that no machine of ours takes.
    #[error("entry {n} of the run's journal cannot be read: {why}")]
    Unreadable {
        /// Which.
        n: u64,
        /// Why.
        why: String,
    },
}

impl StoreError {
    /// Whether it is the same at the next try: somebody has to do something about it.
    pub const fn is_lasting(&self) -> bool {
        match self {
            StoreError::Damaged(_) | StoreError::OtherRules(_) | StoreError::Unreadable { .. } => {
                true
            }
            StoreError::NoDatabase(_) | StoreError::Failed(_) => false,
        }
    }

    /// Whether others held the database for as long as it is waited for: nothing was done then.
    pub fn is_locked(&self) -> bool {
        matches!(self, StoreError::Failed(error) if error.is_locked())
    }
}

impl From<DatabaseError> for StoreError {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::NotGranted | DatabaseError::InMemory | DatabaseError::Newer(_) => {
                StoreError::NoDatabase(error)
            }
            DatabaseError::Failed(_) => StoreError::Failed(error),
        }
    }
}

/// Why a step was not written.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// The store works, and does not take it.
    #[error("the run is gone on with elsewhere, or was told something that is to be heard first")]
    Refused(Refusal),
    /// What became of it is not known.
    #[error(transparent)]
    Failed(StoreError),
}

impl From<StoreError> for StepError {
    fn from(error: StoreError) -> Self {
        let refusal = match &error {
            StoreError::Failed(DatabaseError::Failed(why)) => Refusal::read(why),
            _ => None,
        };
        refusal.map_or(StepError::Failed(error), StepError::Refused)
    }
}

type Stored<T> = Result<T, StoreError>;

/// The database as runs use it. It keeps no connection: one may break, and a run outlives it.
#[derive(Clone)]
pub struct RunStore(());

impl RunStore {
    /// Where there is a database that runs can be kept in.
    pub async fn open() -> Stored<Self> {
        Database::open().await?;
        Ok(RunStore(()))
    }

    /// Runs what is the same when it is done twice: a try that failed may have worked without saying so, and
    /// another tells.
    async fn run<const N: usize>(
        &self,
        statement: &str,
        values: [Value; N],
    ) -> Stored<Vec<RowResult>> {
        match self.once(statement, &values).await {
            Err(StoreError::Failed(_)) => self.once(statement, &values).await,
            done => done,
        }
    }

    /// Runs what is not the same the second time.
    async fn once(&self, statement: &str, values: &[Value]) -> Stored<Vec<RowResult>> {
        Ok(Database::open().await?.execute(statement, values).await?)
    }

    /// The first column of the only row, as a text.
    async fn text<const N: usize>(
        &self,
        statement: &str,
        values: [Value; N],
    ) -> Stored<Option<String>> {
        Ok(self.run(statement, values).await?.into_iter().next().and_then(|row| text(row, 0)))
    }

    /// Creates a run; false when its idempotency key is taken.
    pub async fn create(&self, birth: Birth) -> Stored<bool> {
        let id = birth.run;
        self.run(statements::CREATE, birth.values().map(value)).await?;
        Ok(self.record(id).await?.is_some())
    }

    /// The run with this idempotency key, and a hash of what was asked.
    pub async fn by_key(
        &self,
        caller: Option<&str>,
        key: &str,
    ) -> Stored<Option<(RunId, Option<String>)>> {
        let rows = self.run(statements::FIND_BY_KEY, [optional(caller), key.into()]).await?;
        Ok(rows.into_iter().next().and_then(|row| {
            let id = row.get::<&str>(0).and_then(RunId::parse)?;
            Some((id, text(row, 1)))
        }))
    }

    /// Whether an ask was begun with this idempotency key.
    pub async fn began_ask(&self, key: &str) -> Stored<bool> {
        Ok(!self.run(statements::BEGAN_ASK, [key.into()]).await?.is_empty())
    }

    /// Takes a key from the run that has it, where that was begun before this time.
    pub async fn free_key(&self, caller: Option<&str>, key: &str, until: Timestamp) -> Stored<()> {
        let values = [optional(caller), key.into(), moment(until)];
        self.run(statements::FREE_KEY, values).await?;
        Ok(())
    }

    /// Takes a key from the run that has it, where that has ended.
    pub async fn free_key_of_ended(&self, caller: Option<&str>, key: &str) -> Stored<()> {
        // Where nobody has it, as mostly, nothing waits for whoever writes.
        if self.by_key(caller, key).await?.is_some() {
            self.run(statements::FREE_KEY_OF_ENDED, [optional(caller), key.into()]).await?;
        }
        Ok(())
    }

    /// Keeps a text beside a run that is about to be created.
    pub async fn keep(&self, id: RunId, now: Timestamp, text: &str) -> Stored<()> {
        self.run(statements::KEEP, [name(id), moment(now), text.into()]).await?;
        Ok(())
    }

    /// Forgets it where there is no such run. What cannot be deleted goes with another run.
    pub async fn unkeep(&self, id: RunId) {
        drop(self.run(statements::UNKEEP, [name(id)]).await);
    }

    /// What is known of a run without its journal.
    pub async fn known(&self, id: RunId, lasts_ms: u64) -> Stored<Option<Known>> {
        let rows = self.run(statements::KNOWN, [name(id)]).await?;
        Ok(rows.into_iter().next().map(|row| Known {
            status: row.get::<&str>(0).unwrap_or_default().to_owned(),
            last: row.get::<i64>(1).and_then(|last| u64::try_from(last).ok()).unwrap_or(0),
            lasts_ms,
            kept: text(row, 2),
        }))
    }

    pub async fn record(&self, id: RunId) -> Stored<Option<Record>> {
        let packed = self.text(statements::RECORD, [name(id)]).await?;
        Ok(packed.map(|packed| journal::record(&packed)).transpose()?)
    }

    pub async fn list(
        &self,
        caller: Option<&str>,
        status: Option<RunStatus>,
        behind: Option<(Timestamp, RunId)>,
        most: u32,
    ) -> Stored<Vec<Record>> {
        let (at, id) = behind.unzip();
        let values = [
            optional(caller),
            optional(status.map(RunStatus::as_str)),
            at.map_or(Value::Null, moment),
            id.map_or(Value::Null, name),
            Value::Integer(i64::from(most)),
        ];
        let packed = self.text(statements::LIST, values).await?.unwrap_or_else(|| "[]".to_owned());
        Ok(journal::records(&packed)?)
    }

    /// The run, worked on up to then, as clients see it, without its journal; none where its steps have not kept all of
    /// its nodes.
    pub async fn shown(&self, id: RunId, until: Timestamp) -> Stored<Option<String>> {
        let rows = self.run(statements::SHOWN, [name(id)]).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        let record = row.get::<&str>(0).unwrap_or_default();
        let count = row.get::<i64>(1).and_then(|count| u64::try_from(count).ok()).unwrap_or(0);
        Ok(journal::snapshot(record, count, row.get::<&str>(2).unwrap_or_default(), until)?)
    }

    /// How many runs are driven.
    pub async fn driven(&self, now: Timestamp) -> Stored<u32> {
        let rows = self.run(statements::DRIVEN, [moment(now)]).await?;
        let count = rows.first().and_then(|row| row.get::<i64>(0));
        Ok(count.and_then(|count| u32::try_from(count).ok()).unwrap_or(0))
    }

    /// Whether a run that has waited may go on, where so many are driven at most. 0: no bound.
    pub async fn is_room(&self, id: RunId, now: Timestamp, most: u32) -> Stored<bool> {
        let values = [name(id), moment(now), Value::Integer(i64::from(most))];
        Ok(!self.run(statements::ROOM, values).await?.is_empty())
    }

    /// Takes the run from now until then; none when another has it, there is nothing to drive, or so many others are
    /// driven already. 0: no bound. `behind`: also from another, where it waits behind this entry, the last.
    pub async fn take(
        &self,
        id: RunId,
        holder: &str,
        (now, until): (Timestamp, Timestamp),
        most: u32,
        behind: Option<u64>,
    ) -> Stored<Option<Record>> {
        let (most, behind) = (Value::Integer(i64::from(most)), behind.map_or(Value::Null, number));
        let values = [name(id), holder.into(), moment(now), moment(until), most, behind];
        let packed = self.text(statements::TAKE, values).await?;
        Ok(packed.map(|packed| journal::record(&packed)).transpose()?)
    }

    /// Takes the run over from whoever has it under this name; none when they have it no more.
    pub async fn take_over(
        &self,
        id: RunId,
        before: &str,
        holder: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> Stored<Option<Record>> {
        let values = [name(id), holder.into(), moment(now), moment(until), before.into()];
        let packed = self.text(statements::TAKE_OVER, values).await?;
        Ok(packed.map(|packed| journal::record(&packed)).transpose()?)
    }

    pub async fn release(&self, id: RunId, holder: &str, due_at: Option<Timestamp>) -> Stored<()> {
        let due = due_at.map_or(Value::Null, moment);
        self.run(statements::RELEASE, [name(id), holder.into(), due]).await?;
        Ok(())
    }

    /// Lets go of a run that cannot be read, until then.
    pub async fn put_off(&self, id: RunId, holder: &str, until: Timestamp) -> Stored<()> {
        self.run(statements::PUT_OFF, [name(id), holder.into(), moment(until)]).await?;
        Ok(())
    }

    /// Writes a step.
    pub async fn step(&self, step: Step) -> Result<(), StepError> {
        for write in step.writes() {
            match write {
                Write::Blobs(values) => {
                    self.once(statements::PUT_BLOBS, &values.map(value)).await?;
                }
                Write::Step(values) => {
                    self.once(statements::STEP, &values.map(value)).await?;
                }
            }
        }
        Ok(())
    }

    pub async fn position(&self, id: RunId) -> Stored<Option<Position>> {
        let packed = self.text(statements::POSITION, [name(id)]).await?;
        Ok(packed.map(|packed| journal::position(&packed)).transpose()?)
    }

    /// The last entry that was in the journal when this event happened.
    pub async fn entry_of(&self, id: RunId, sequence: u64) -> Stored<Option<u64>> {
        let rows = self.run(statements::ENTRY_OF, [name(id), number(sequence)]).await?;
        let n = rows.first().and_then(|row| row.get::<i64>(0));
        Ok(n.and_then(|n| u64::try_from(n).ok()))
    }

    /// The newest checkpoint up to this entry.
    pub async fn checkpoint(&self, id: RunId, most: u64) -> Stored<Option<KeptCheckpoint>> {
        let rows = self.run(statements::CHECKPOINT, [name(id), number(most)]).await?;
        Ok(rows.into_iter().next().and_then(|row| {
            let n = row.get::<i64>(0).and_then(|n| u64::try_from(n).ok())?;
            let version = row.get::<i64>(2).and_then(|version| u32::try_from(version).ok())?;
            let machine = row.get::<&str>(1)?.to_owned();
            let sum = row.get::<&str>(3)?.to_owned();
            Some(KeptCheckpoint { n, machine, version, sum, body: text(row, 4)? })
        }))
    }

    /// Of which entries behind the first of these, up to the second, a state is kept.
    pub async fn checkpoints(&self, id: RunId, behind: u64, last: u64) -> Stored<BTreeSet<u64>> {
        let values = [name(id), number(behind), number(last)];
        let packed = self.text(statements::CHECKPOINTS, values).await?;
        Ok(journal::numbers(packed.as_deref().unwrap_or("[]"))?)
    }

    /// A page of entries behind this one; empty: there are no more.
    pub async fn entries(&self, id: RunId, behind: u64) -> Stored<Vec<Entry>> {
        let values = [name(id), number(behind), number(PAGE_BYTES)];
        let packed = self.text(statements::ENTRIES, values).await?;
        Ok(journal::entries(behind, packed.as_deref().unwrap_or("[]"))?)
    }

    /// A page of events behind this one; none: there is no such run.
    pub async fn events(&self, id: RunId, after: u64) -> Stored<Option<Page>> {
        let rows = self.run(statements::EVENTS, [name(id), number(after)]).await?;
        let Some(row) = rows.into_iter().next() else { return Ok(None) };
        let last = row.get::<i64>(1).and_then(|last| u64::try_from(last).ok()).unwrap_or(0);
        let status = row.get::<&str>(0).unwrap_or_default().to_owned();
        let packed = text(row, 2).unwrap_or_else(|| "[]".to_owned());
        Ok(Some(journal::page(&status, last, &packed)?))
    }

    pub async fn due(&self, now: Timestamp, most: u32) -> Stored<Vec<RunId>> {
        let values = [moment(now), Value::Integer(i64::from(most))];
        let packed = self.text(statements::DUE, values).await?;
        Ok(journal::due(packed.as_deref().unwrap_or("[]"))?)
    }

    /// What another run of the same caller's found.
    pub async fn searched(
        &self,
        id: RunId,
        reuse: &Reuse,
        now: Timestamp,
    ) -> Stored<Option<FoundAgain>> {
        let Reuse { intent, max_age_ms, results } = reuse;
        let (age, results) = (number(*max_age_ms), Value::Integer(i64::from(*results)));
        let values = [name(id), intent.as_str().into(), moment(now), age, results];
        let packed = self.text(statements::SEARCHED, values).await?;
        Ok(packed.map(|packed| journal::found_again(&packed)).transpose()?)
    }

    /// Leaves something for whoever drives, and gives the name under which it lies there; none when it is not taken.
    pub async fn leave(
        &self,
        id: RunId,
        note: &str,
        now: Timestamp,
        (kind, body): (&str, String),
    ) -> Stored<Option<String>> {
        let values = [name(id), note.into(), moment(now), kind.into(), body.into()];
        self.text(statements::INBOX_PUT, values).await
    }

    pub async fn inbox(&self, id: RunId) -> Stored<Vec<Waiting>> {
        let packed = self.text(statements::INBOX_GET, [name(id)]).await?;
        Ok(journal::inbox(packed.as_deref().unwrap_or("[]"))?)
    }

    /// Deletes a run that has ended; false when it has not.
    pub async fn delete(&self, id: RunId) -> Stored<bool> {
        Ok(!self.once(statements::DELETE, &[name(id)]).await?.is_empty())
    }

    /// Deletes a run that nobody drives, ended or not; false when somebody does.
    pub async fn delete_left(&self, id: RunId, now: Timestamp) -> Stored<bool> {
        Ok(!self.once(statements::DELETE_LEFT, &[name(id), moment(now)]).await?.is_empty())
    }

    /// Deletes runs that ended before the first time, or have waited for somebody since before the second, so many at
    /// most.
    pub async fn sweep(&self, oldest: [Timestamp; 2], most: u32) -> Stored<()> {
        for _ in 0..most {
            if self.run(statements::HAS_OLD, oldest.map(moment)).await?.is_empty() {
                break;
            }
            self.run(statements::SWEEP, oldest.map(moment)).await?;
        }
        Ok(())
    }
}

fn name(id: RunId) -> Value {
    id.to_string().into()
}

fn number(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

fn moment(at: Timestamp) -> Value {
    number(at.0)
}

fn optional(text: Option<&str>) -> Value {
    text.map_or(Value::Null, Into::into)
}

fn value(value: journal::Value) -> Value {
    match value {
        journal::Value::Null => Value::Null,
        journal::Value::Integer(number) => Value::Integer(number),
        journal::Value::Text(text) => Value::Text(text),
    }
}

fn text(row: RowResult, at: usize) -> Option<String> {
    match row.values.into_iter().nth(at) {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    }
}
