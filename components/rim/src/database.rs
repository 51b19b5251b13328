//! The SQLite database: opened once an instance, brought to the newest version, one statement a
//! call.
//!
//! Border: what is written and read is in `quarry-schema`.

mod opening;

use crate::clock;
use crate::diagnostics::note;
use quarry_schema::{
    JOURNAL_MODE, MIGRATE, MIGRATED, NOT_MIGRATED, Newer, OVERWRITE, SETTINGS, STATE, WRITE_AHEAD,
    is_new, migration, server,
    trouble::{self, Defect},
};
use quarry_types::Timestamp;
use spin_sdk::sqlite::{self, Connection};
use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

pub use spin_sdk::sqlite::{RowResult, Value};

/// The name of the only database that Quarry uses.
const NAME: &str = "default";

/// Why the database did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseError {
    /// The component was granted none. A retry will not help.
    #[error("the SQLite database is not granted to this component")]
    NotGranted,
    /// It is in memory, where each connection has one of its own: nothing can be shared in it. A
    /// retry will not help.
    #[error("the SQLite database is in memory; start Spin with a state directory")]
    InMemory,
    /// It was written by a newer version of this server. A retry will not help.
    #[error(transparent)]
    Newer(#[from] Newer),
    /// Anything else, in the host's words. A retry may help.
    #[error("{}", failed(.0))]
    Failed(String),
}

/// What is told of it, with what helps where that is known. A defect is not told in the host's words: they may name where
/// the server keeps its files.
fn failed(why: &str) -> String {
    match Defect::of(why) {
        Some(defect) => defect.to_string(),
        None if trouble::is_locked(why) => {
            format!("the SQLite database failed: {why}; others are writing to it: try again")
        }
        None => format!("the SQLite database failed: {why}"),
    }
}

/// What a host says by a case of its own, in SQLite's words.
const FULL: &str = "database or disk is full";

impl DatabaseError {
    /// Whether others held the database for as long as a statement waits: it has done nothing then.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        let Self::Failed(why) = self else { return false };
        trouble::is_locked(why)
    }

    /// Whether there was no room for what a statement would have written: it has done nothing then.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.defect() == Some(Defect::Full)
    }

    /// What somebody has to mend before another try helps.
    #[must_use]
    pub fn defect(&self) -> Option<Defect> {
        let Self::Failed(why) = self else { return None };
        Defect::of(why)
    }
}

impl From<sqlite::Error> for DatabaseError {
    fn from(error: sqlite::Error) -> Self {
        match error {
            sqlite::Error::NoSuchDatabase | sqlite::Error::AccessDenied => Self::NotGranted,
            sqlite::Error::InvalidConnection => Self::Failed("the connection is gone".to_owned()),
            sqlite::Error::DatabaseFull => Self::Failed(FULL.to_owned()),
            sqlite::Error::Io(why) => Self::Failed(why),
        }
    }
}

/// How long a connection is used, and how long it is believed that there is none to be had. The
/// file can be replaced, and brought to a version that is newer than ours; neither fails.
const AGE: Duration = Duration::from_secs(30);

/// What a statement may take. Files answer within their own patience; a database over the network
/// may hang.
const PATIENCE: Duration = Duration::from_secs(10);

/// Milliseconds between tries to bring the database to the newest version, while others do the same.
const MIGRATING: [u64; 8] = [10, 20, 50, 100, 200, 400, 500, 500];

/// Milliseconds between tries of a statement while others write: as SQLite itself would wait, 250 in all.
const LOCKED: [u64; 12] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 22];

thread_local! {
    /// This instance's connection, or why it has none, and since when. No data of anybody's.
    static OPENED: RefCell<Option<(Opened, Timestamp)>> = const { RefCell::new(None) };
}

type Opened = Result<Rc<Database>, DatabaseError>;

/// The database, opened and of the newest version.
pub struct Database {
    connection: RefCell<Rc<Connection>>,
    /// Whether it is a libSQL server's, which may forget a connection.
    is_served: Cell<bool>,
    /// Whether what is deleted on it is overwritten.
    overwrites: Cell<bool>,
}

impl Database {
    /// The instance's connection, opened if there is none. Who stops waiting for it breaks no opening off.
    ///
    /// # Errors
    /// When it is not granted, is in memory or of a newer version, or does not answer.
    pub async fn open() -> Result<Rc<Self>, DatabaseError> {
        loop {
            let known = OPENED.with_borrow(Clone::clone);
            if let Some((opened, since)) = known
                && !clock::is_older_than(AGE, since, clock::recently())
            {
                return opened;
            }
            // None: whoever was opening it is gone, and the next one does.
            if let Some(opened) = opening::opened().await {
                return opened;
            }
        }
    }

    /// Opens it anew, for whoever wants it from now on. Where the host takes too long over it, that is said once, and it
    /// goes on.
    async fn opened(hangs: impl FnOnce()) -> Opened {
        let now = clock::recently();
        let mut connecting = pin!(Self::connect());
        let in_time = clock::within(PATIENCE, &mut connecting).await;
        let connected = if let Some(connected) = in_time {
            connected
        } else {
            hangs();
            connecting.await
        };
        let opened = connected.map(Rc::new);
        if let Err(DatabaseError::Failed(why)) = &opened {
            note(format_args!("the database was not opened: {why}"));
        }
        // What failed may work at the next try.
        if !matches!(opened, Err(DatabaseError::Failed(_))) {
            OPENED.set(Some((opened.clone(), now)));
        }
        opened
    }

    /// The same, where what is deleted is overwritten: on every connection, because nobody knows for how long one is
    /// used.
    ///
    /// # Errors
    /// As [`Database::open`], and where it cannot be set.
    pub async fn open_overwriting() -> Result<Rc<Self>, DatabaseError> {
        let database = Self::open().await?;
        if !database.is_served.get() && !database.overwrites.get() {
            database.execute(OVERWRITE, &[]).await?;
            database.overwrites.set(true);
        }
        Ok(database)
    }

    async fn connect() -> Result<Self, DatabaseError> {
        let connection = RefCell::new(Rc::new(Connection::open(NAME).await?));
        let database =
            Database { connection, is_served: Cell::new(false), overwrites: Cell::new(false) };
        database.prepare().await?;
        Ok(database)
    }

    async fn prepare(&self) -> Result<(), DatabaseError> {
        for setting in SETTINGS {
            match self.run(setting, &[]).await {
                Ok(_) => {}
                Err(DatabaseError::Failed(why)) if server::is_servers_own(&why) => {
                    self.is_served.set(true);
                    break;
                }
                // Without them everything works, only slower.
                Err(error) => note(format_args!("{setting}: {error}")),
            }
        }
        for wait in MIGRATING {
            match self.migrate().await {
                // Whoever waits is told at once of what does not pass by itself.
                Err(error @ DatabaseError::Failed(_)) if error.defect().is_none() => {
                    clock::sleep(Duration::from_millis(wait)).await;
                }
                done => return done,
            }
        }
        self.migrate().await
    }

    async fn migrate(&self) -> Result<(), DatabaseError> {
        let (mode, version) = self.state().await?;
        match mode.as_deref() {
            Some("memory") => return Err(DatabaseError::InMemory),
            Some("wal") => {}
            _ if self.is_served.get() => {}
            // Without it everything works, only slower.
            _ => {
                if let Err(error) = self.run(WRITE_AHEAD, &[]).await {
                    note(format_args!("no write-ahead log: {error}"));
                }
            }
        }
        if migration(version)?.is_empty() {
            return Ok(());
        }
        // Not behind another who does the same: there would be nothing left to do, and while this instance computes, or
        // its host lets it wait, its lock would keep everybody else from writing.
        let begun = clock::within(PATIENCE, self.once(MIGRATE, &[])).await;
        let done = match begun.unwrap_or_else(no_answer) {
            Ok(_) => self.migrate_alone().await,
            Err(error) => Err(error),
        };
        if done.is_err() {
            // Nobody else uses this connection yet, and without it nothing is kept of what was done. What was not
            // answered may have begun all the same, and would keep everybody else from writing.
            _ = self.alone(NOT_MIGRATED).await;
        }
        done
    }

    /// Another may have been faster before nobody else could write.
    async fn migrate_alone(&self) -> Result<(), DatabaseError> {
        let (_, version) = self.state().await?;
        for step in migration(version)? {
            self.alone(&step).await?;
        }
        self.alone(MIGRATED).await
    }

    /// Runs a statement on this very connection: a new one would not have the lock.
    async fn alone(&self, statement: &str) -> Result<(), DatabaseError> {
        let done = clock::within(PATIENCE, self.in_turn(statement, &[])).await;
        done.unwrap_or_else(no_answer).map(|_| ())
    }

    /// How it keeps its changes, and its version.
    async fn state(&self) -> Result<(Option<String>, i64), DatabaseError> {
        let (rows, is_new) = match self.run(STATE, &[]).await {
            Err(DatabaseError::Failed(why)) if is_new(&why) => {
                (self.run(JOURNAL_MODE, &[]).await?, true)
            }
            rows => (rows?, false),
        };
        let row = rows.first();
        let mode = row.and_then(|row| row.get::<&str>(0)).map(str::to_owned);
        let version = row.filter(|_| !is_new).and_then(|row| row.get(1)).unwrap_or(0);
        Ok((mode, version))
    }

    async fn run(
        &self,
        statement: &str,
        values: &[Value],
    ) -> Result<Vec<RowResult>, DatabaseError> {
        clock::within(PATIENCE, self.rows(statement, values)).await.unwrap_or_else(no_answer)
    }

    /// What a server did not take because it has forgotten the connection, it is given on a new one.
    async fn rows(
        &self,
        statement: &str,
        values: &[Value],
    ) -> Result<Vec<RowResult>, DatabaseError> {
        if !self.is_served.get() {
            return self.in_turn(statement, values).await;
        }
        match self.once(statement, values).await {
            Err(DatabaseError::Failed(why)) if server::is_forgotten(&why) => {
                let connection = Rc::new(Connection::open(NAME).await?);
                self.connection.replace(connection);
                self.once(statement, values).await
            }
            done => done,
        }
    }

    /// Others who write are waited for here, and not by SQLite: that would keep the connection, so that of many who find a
    /// lock each waited behind all before it, and so did whoever only reads. A server waits by itself.
    async fn in_turn(
        &self,
        statement: &str,
        values: &[Value],
    ) -> Result<Vec<RowResult>, DatabaseError> {
        if self.is_served.get() {
            return self.once(statement, values).await;
        }
        for wait in LOCKED {
            match self.once(statement, values).await {
                Err(error) if error.is_locked() => {
                    clock::sleep(Duration::from_millis(wait)).await;
                }
                done => return done,
            }
        }
        self.once(statement, values).await
    }

    async fn once(
        &self,
        statement: &str,
        values: &[Value],
    ) -> Result<Vec<RowResult>, DatabaseError> {
        let connection = self.connection.borrow().clone();
        // The host takes them for its own and gives none back: this copy is a try's only one.
        let values = values.iter().cloned();
        Ok(connection.execute(statement, values).await?.collect().await?)
    }

    /// Runs one statement and gives its rows.
    ///
    /// # Errors
    /// When the database does not answer, or refuses. What became of the statement then is not known, unless
    /// the error is the statement's own. The next one who opens the database gets a new connection.
    pub async fn execute(
        &self,
        statement: &str,
        values: &[Value],
    ) -> Result<Vec<RowResult>, DatabaseError> {
        told(self.run(statement, values).await)
    }

    /// The same for whoever does not wait for ever: there is no limit of time here.
    ///
    /// # Errors
    /// As [`Database::execute`].
    pub async fn execute_unbounded(
        &self,
        statement: &str,
        values: &[Value],
    ) -> Result<Vec<RowResult>, DatabaseError> {
        told(self.rows(statement, values).await)
    }
}

fn told<T>(result: Result<T, DatabaseError>) -> Result<T, DatabaseError> {
    let is_broken = match &result {
        Ok(_) => false,
        Err(DatabaseError::Failed(why)) => !server::is_of_statement(why),
        Err(_) => true,
    };
    if is_broken {
        OPENED.set(None);
    }
    result
}

fn no_answer<T>() -> Result<T, DatabaseError> {
    Err(DatabaseError::Failed("it does not answer".to_owned()))
}
