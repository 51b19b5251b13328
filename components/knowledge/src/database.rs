//! The database as a library uses it, and who embeds for it.
//!
//! Border: runs statements and waits; which ones, and what comes of them, is decided in `quarry-knowledge`.

use crate::embedding;
use quarry_knowledge::library::{
    Bell, EmbedFailed, Embedded, Patience, Progress, Row, Store, StoreFailed, Value, Waiting,
};
use quarry_rim::database::{self as rim, Database, DatabaseError};
use quarry_rim::{bell, clock, random};
use std::cell::Cell;
use std::time::Duration;

/// Long enough for others to have their turn, and for somebody in the way to be gone.
const TURN: Duration = Duration::from_millis(1);
const WHILE: Duration = Duration::from_millis(10);
/// What is added to it, so that those who met do not meet again.
const SPREAD_MS: u64 = 60;

/// The database of this component, for one request.
pub struct Spin {
    patience: Cell<Patience>,
    /// How far it is, where nobody was told yet.
    progress: Cell<Option<Progress>>,
}

impl Spin {
    /// For whoever changes something, or looks at it.
    pub const fn new() -> Spin {
        Spin::with(Patience::of_each())
    }

    /// For a search.
    pub const fn for_search() -> Spin {
        Spin::with(Patience::of_all())
    }

    /// For whoever has begun nothing.
    pub const fn at_first() -> Spin {
        Spin::with(Patience::at_first())
    }

    const fn with(patience: Patience) -> Spin {
        Spin { patience: Cell::new(patience), progress: Cell::new(None) }
    }

    /// How far it is, told once.
    pub fn progress(&self) -> Option<Progress> {
        self.progress.take()
    }
}

impl Store for Spin {
    async fn run(
        &self,
        statement: &'static str,
        values: Vec<Value>,
    ) -> Result<Vec<Row>, StoreFailed> {
        let values: Vec<rim::Value> = values.into_iter().map(given).collect();
        let (since, mut has_waited) = (self.now(), false);
        loop {
            let done = attempt(statement, &values).await;
            let is_locked = done.as_ref().is_err_and(DatabaseError::is_locked);
            has_waited |= is_locked;
            if is_locked && self.patience.get().lasts(since, self.now()) {
                self.rest(true).await;
                continue;
            }
            if has_waited {
                self.patience.set(self.patience.get().behind(since, self.now()));
            }
            return done.map_err(failed);
        }
    }

    async fn embed(
        &self,
        model: &str,
        texts: Vec<String>,
        who: Waiting,
    ) -> Result<Embedded, EmbedFailed> {
        embedding::embed(model, texts, who).await
    }

    fn hears(&self, progress: Progress) {
        self.progress.set(Some(progress));
    }

    fn bell(&self) -> (Bell, impl Future<Output = ()>) {
        let (bell, rings) = bell::bell();
        (Box::new(bell), rings)
    }

    async fn pause(&self, ms: u64) {
        clock::sleep(Duration::from_millis(ms)).await;
    }

    async fn rest(&self, longer: bool) {
        let spread = || Duration::from_millis(random::bits64() % SPREAD_MS);
        clock::sleep(if longer { WHILE + spread() } else { TURN }).await;
    }

    fn now(&self) -> u64 {
        clock::unix_milliseconds()
    }

    fn token(&self) -> String {
        format!("{:032x}", random::bits128())
    }
}

async fn attempt(statement: &str, values: &[rim::Value]) -> Result<Vec<Row>, DatabaseError> {
    // Each statement may meet a connection of its own, and each may delete.
    let database = Database::open_overwriting().await?;
    let rows = database.execute(statement, values).await?;
    Ok(rows.into_iter().map(|row| row.values.into_iter().map(found).collect()).collect())
}

fn failed(error: DatabaseError) -> StoreFailed {
    let (is_locked, is_full, defect) = (error.is_locked(), error.is_full(), error.defect());
    match error {
        DatabaseError::Failed(why) if is_locked => StoreFailed::Held(why),
        DatabaseError::Failed(why) if is_full => StoreFailed::Full(why),
        DatabaseError::NotGranted | DatabaseError::InMemory | DatabaseError::Newer(_) => {
            StoreFailed::None(error.to_string())
        }
        DatabaseError::Failed(why) => {
            defect.map_or(StoreFailed::Failed(why), StoreFailed::Defective)
        }
    }
}

fn given(value: Value) -> rim::Value {
    match value {
        Value::Null => rim::Value::Null,
        Value::Integer(number) => rim::Value::Integer(number),
        Value::Text(text) => rim::Value::Text(text),
        Value::Blob(bytes) => rim::Value::Blob(bytes),
    }
}

fn found(value: rim::Value) -> Value {
    match value {
        rim::Value::Integer(number) => Value::Integer(number),
        rim::Value::Text(text) => Value::Text(text),
        rim::Value::Blob(bytes) => Value::Blob(bytes),
        // No statement of a library gives a fraction.
        rim::Value::Null | rim::Value::Real(_) => Value::Null,
    }
}
