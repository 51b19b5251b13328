//! The SQLite database: opened once an instance, brought to the newest version, one statement a
//! call.
//!
//! Border: what is written and read is in `quarry-schema`.

use crate::diagnostics::note;
use quarry_schema::{JOURNAL_MODE, Newer, SETTINGS, VERSION, WRITE_AHEAD, migration};
use spin_sdk::sqlite::{self, Connection, RowResult};
use std::cell::RefCell;
use std::rc::Rc;

pub use spin_sdk::sqlite::Value;

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
    #[error("the SQLite database failed: {0}")]
    Failed(String),
}

impl From<sqlite::Error> for DatabaseError {
    fn from(error: sqlite::Error) -> Self {
        match error {
            sqlite::Error::NoSuchDatabase | sqlite::Error::AccessDenied => Self::NotGranted,
            sqlite::Error::InvalidConnection => Self::Failed("the connection is gone".to_owned()),
            sqlite::Error::DatabaseFull => Self::Failed("it is full".to_owned()),
            sqlite::Error::Io(why) => Self::Failed(why),
        }
    }
}

thread_local! {
    /// This instance's connection, once it has one, or why it will have none. No data of anybody's.
    static OPENED: RefCell<Option<Opened>> = const { RefCell::new(None) };
}

type Opened = Result<Rc<Database>, DatabaseError>;

/// The database, opened and of the newest version.
pub struct Database(Connection);

impl Database {
    /// The instance's connection, opened if there is none.
    ///
    /// # Errors
    /// When it is not granted, is in memory or of a newer version, or does not answer.
    pub async fn open() -> Result<Rc<Self>, DatabaseError> {
        if let Some(opened) = OPENED.with_borrow(Clone::clone) {
            return opened;
        }
        let opened = Self::connect().await.map(Rc::new);
        let is_settled = match &opened {
            Ok(_) | Err(DatabaseError::NotGranted | DatabaseError::InMemory) => true,
            Err(DatabaseError::Newer(_) | DatabaseError::Failed(_)) => false,
        };
        if is_settled {
            OPENED.set(Some(opened.clone()));
        }
        opened
    }

    async fn connect() -> Result<Self, DatabaseError> {
        let database = Database(Connection::open(NAME).await?);
        database.prepare().await?;
        Ok(database)
    }

    async fn prepare(&self) -> Result<(), DatabaseError> {
        for setting in SETTINGS {
            self.run(setting, []).await?;
        }
        match self.text(JOURNAL_MODE).await?.as_deref() {
            Some("memory") => return Err(DatabaseError::InMemory),
            Some("wal") => {}
            // Without it everything works, only slower.
            _ => match self.text(WRITE_AHEAD).await {
                Ok(_) => {}
                Err(error) => note(format_args!("no write-ahead log: {error}")),
            },
        }
        // There is no table of migrations in a database that is new.
        let version = self.run(VERSION, []).await.ok().and_then(|rows| rows.first()?.get(0));
        for step in migration(version.unwrap_or(0))? {
            self.run(&step, []).await?;
        }
        Ok(())
    }

    async fn text(&self, statement: &str) -> Result<Option<String>, DatabaseError> {
        let rows = self.run(statement, []).await?;
        Ok(rows.first().and_then(|row| row.get::<&str>(0)).map(str::to_owned))
    }

    async fn run(
        &self,
        statement: &str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<RowResult>, DatabaseError> {
        Ok(self.0.execute(statement, values).await?.collect().await?)
    }

    /// Runs one statement and gives its rows.
    ///
    /// # Errors
    /// When the database does not answer, or refuses. Then the next one who opens it gets a new
    /// connection.
    pub async fn execute(
        &self,
        statement: &str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<RowResult>, DatabaseError> {
        let result = self.run(statement, values).await;
        if result.is_err() {
            OPENED.set(None);
        }
        result
    }
}
