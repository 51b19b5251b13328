//! A database in a file or in memory: a connection of its own for each `open`, made at its first use, one
//! statement at a time on it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rusqlite::types::{FromSql, FromSqlResult, Value as Cell, ValueRef};
use rusqlite::{Connection, OpenFlags, params_from_iter};

use super::answer::{Answer, Telling, asked};
use super::io;
use crate::bindings::sqlite::{Error, RowResult, Value};
use crate::witness::{Deed, Watched};

/// How SQLite opens a file that says that it may only be read.
const READS: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);

/// A connection to a file, or to a memory that is its own.
#[derive(Debug, Clone)]
pub(crate) struct FileConnection {
    /// None: in memory.
    file: Option<Arc<Path>>,
    connection: Arc<OnceLock<Mutex<Connection>>>,
    /// Who watches the component that has it.
    watched: Option<Watched>,
}

impl FileConnection {
    pub(crate) fn new(file: Option<PathBuf>, watched: Option<Watched>) -> Self {
        Self { file: file.map(Arc::from), connection: Arc::default(), watched }
    }

    fn connection(&self) -> Result<&Mutex<Connection>, Error> {
        if let Some(connection) = self.connection.get() {
            return Ok(connection);
        }
        let opened = match &self.file {
            None => Connection::open_in_memory(),
            Some(file) => {
                if let Some(directory) = file.parent() {
                    std::fs::create_dir_all(directory).map_err(io)?;
                }
                let known = std::fs::metadata(file);
                // Whoever may do everything, as tests often may, could write it all the same.
                match known.is_ok_and(|known| known.permissions().readonly()) {
                    true => Connection::open_with_flags(file, READS),
                    false => Connection::open(file),
                }
            }
        };
        let opened = Mutex::new(opened.map_err(io)?);
        // Two callers may race here; one connection is dropped again, which does no harm.
        Ok(self.connection.get_or_init(|| opened))
    }

    pub(crate) fn with<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Error>,
    ) -> Result<T, Error> {
        work(&self.connection()?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Begins a statement on a thread of its own, and waits for its columns.
    ///
    /// # Errors
    /// When there is no connection to be had. What else goes wrong is told behind the rows.
    pub(crate) async fn execute(
        self,
        statement: String,
        parameters: Vec<Value>,
    ) -> Result<Answer, Error> {
        self.connection()?;
        let (mut telling, asked) = asked();
        tokio::task::spawn_blocking(move || {
            let done = self.run_watched(&statement, parameters, &mut telling);
            telling.end(done);
        });
        asked.answer().await
    }

    fn run_watched(
        &self,
        statement: &str,
        parameters: Vec<Value>,
        telling: &mut Telling,
    ) -> Result<(), Error> {
        let Some((component, witness)) = &self.watched else {
            return self.run(statement, parameters, telling);
        };
        let texts: Vec<String> = parameters.iter().filter_map(text).collect();
        let deed = Deed::Statement(statement, &texts);
        witness.around(component, deed, || self.run(statement, parameters, telling))
    }

    /// Runs a statement to its end. The connection is nobody else's until all rows are told, as in Spin.
    fn run(
        &self,
        statement: &str,
        parameters: Vec<Value>,
        telling: &mut Telling,
    ) -> Result<(), Error> {
        self.with(|connection| {
            let mut statement = connection.prepare_cached(statement).map_err(io)?;
            let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
            let width = columns.len();
            telling.columns(columns)?;
            let parameters = params_from_iter(parameters.into_iter().map(cell));
            let mut found = statement.query(parameters).map_err(io)?;
            while let Some(row) = found.next().map_err(io)? {
                let value = |column| row.get(column).map(|Read(value)| value);
                let values = (0..width).map(value).collect::<Result<_, _>>().map_err(io)?;
                telling.row_blocking(RowResult { values })?;
            }
            Ok(())
        })
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Integer(_) | Value::Real(_) | Value::Blob(_) | Value::Null => None,
    }
}

fn cell(value: Value) -> Cell {
    match value {
        Value::Integer(value) => Cell::Integer(value),
        Value::Real(value) => Cell::Real(value),
        Value::Text(value) => Cell::Text(value),
        Value::Blob(value) => Cell::Blob(value),
        Value::Null => Cell::Null,
    }
}

struct Read(Value);

impl FromSql for Read {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Ok(Read(match value {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(value) => Value::Integer(value),
            ValueRef::Real(value) => Value::Real(value),
            ValueRef::Text(_) => Value::Text(value.as_str()?.to_owned()),
            ValueRef::Blob(value) => Value::Blob(value.to_vec()),
        }))
    }
}
