//! `spin:sqlite` on files, as Spin has it: a connection of its own for each `open`, made at its first
//! use, one statement at a time on it, and each on a thread that may block.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rusqlite::types::{FromSql, FromSqlResult, Value as Cell, ValueRef};
use rusqlite::{Connection, params_from_iter};
use wasmtime::component::{Accessor, FutureReader, HasSelf, Resource, StreamReader};

use crate::bindings::sqlite;
use crate::guest::{GuestComponent, GuestState};
use crate::witness::Deed;

use sqlite::{Error, QueryResult, RowResult, Value};

/// The file name that Spin uses under its state directory.
const FILE: &str = "sqlite_db.db";

/// Bytes of a result at most, as in Spin.
const MAX_RESULT: usize = 128 << 20;

/// Where the application's one database is.
#[derive(Debug, Clone)]
pub enum Location {
    /// In this directory.
    Directory(PathBuf),
    /// In memory, where each connection has a database of its own.
    Memory,
}

/// A connection that a component has opened.
#[derive(Clone)]
pub struct OpenConnection {
    component: Arc<GuestComponent>,
    connection: Arc<OnceLock<Mutex<Connection>>>,
}

impl OpenConnection {
    fn new(component: Arc<GuestComponent>) -> Self {
        Self { component, connection: Arc::default() }
    }

    fn connection(&self) -> Result<&Mutex<Connection>, Error> {
        if let Some(connection) = self.connection.get() {
            return Ok(connection);
        }
        let opened = match &*self.component.sqlite {
            Location::Memory => Connection::open_in_memory(),
            Location::Directory(directory) => {
                std::fs::create_dir_all(directory).map_err(io)?;
                Connection::open(directory.join(FILE))
            }
        };
        let opened = Mutex::new(opened.map_err(io)?);
        // Two callers may race here; one connection is dropped again, which does no harm.
        Ok(self.connection.get_or_init(|| opened))
    }

    fn with<T>(&self, work: impl FnOnce(&Connection) -> Result<T, Error>) -> Result<T, Error> {
        work(&self.connection()?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn execute(&self, statement: &str, parameters: Vec<Value>) -> Result<QueryResult, Error> {
        let Some(witness) = &self.component.witness else {
            return self.run(statement, parameters);
        };
        let texts: Vec<String> = parameters.iter().filter_map(text).collect();
        let deed = Deed::Statement(statement, &texts);
        witness.around(&self.component.id, deed, || self.run(statement, parameters))
    }

    fn run(&self, statement: &str, parameters: Vec<Value>) -> Result<QueryResult, Error> {
        self.with(|connection| {
            let mut statement = connection.prepare_cached(statement).map_err(io)?;
            let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
            let parameters = params_from_iter(parameters.into_iter().map(cell));
            let mut found = statement.query(parameters).map_err(io)?;
            let (mut rows, mut size) = (Vec::new(), 0);
            while let Some(row) = found.next().map_err(io)? {
                let value = |column| row.get(column).map(|Read(value)| value);
                let values: Vec<Value> =
                    (0..columns.len()).map(value).collect::<Result<_, _>>().map_err(io)?;
                size += values.iter().map(length).sum::<usize>();
                if size > MAX_RESULT {
                    return Err(Error::Io(format!("a result has more than {MAX_RESULT} bytes")));
                }
                rows.push(RowResult { values });
            }
            Ok(QueryResult { columns, rows })
        })
    }
}

fn io(error: impl std::fmt::Display) -> Error {
    Error::Io(error.to_string())
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

fn length(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::Blob(bytes) => bytes.len(),
        Value::Integer(_) | Value::Real(_) | Value::Null => 8,
    }
}

impl GuestState {
    fn open_database(&mut self, name: &str) -> wasmtime::Result<Opened> {
        if !self.component.sqlite_databases.iter().any(|granted| granted == name) {
            return Ok(Err(Error::AccessDenied));
        }
        let connection = OpenConnection::new(self.component.clone());
        Ok(Ok(self.table.push(connection)?))
    }
}

type Opened = Result<Resource<OpenConnection>, Error>;

type Rows = (Vec<String>, StreamReader<RowResult>, FutureReader<Result<(), Error>>);

/// The connection behind a handle, cloned so that the guest's table is free while SQLite works.
fn opened<T: 'static>(
    accessor: &Accessor<T, HasSelf<GuestState>>,
    connection: &Resource<OpenConnection>,
) -> wasmtime::Result<OpenConnection> {
    accessor.with(|mut access| Ok(access.get().table.get(connection)?.clone()))
}

impl sqlite::Host for GuestState {}

/// The calls that keep the whole instance waiting.
impl sqlite::HostConnection for GuestState {
    fn open(&mut self, database: String) -> wasmtime::Result<Opened> {
        self.open_database(&database)
    }

    fn execute(
        &mut self,
        connection: Resource<OpenConnection>,
        statement: String,
        parameters: Vec<Value>,
    ) -> wasmtime::Result<Result<QueryResult, Error>> {
        let connection = self.table.get(&connection)?.clone();
        Ok(tokio::task::block_in_place(|| connection.execute(&statement, parameters)))
    }

    fn last_insert_rowid(&mut self, connection: Resource<OpenConnection>) -> wasmtime::Result<i64> {
        Ok(self.table.get(&connection)?.last_insert_rowid()?)
    }

    fn changes(&mut self, connection: Resource<OpenConnection>) -> wasmtime::Result<u64> {
        Ok(self.table.get(&connection)?.changes()?)
    }

    fn drop(&mut self, connection: Resource<OpenConnection>) -> wasmtime::Result<()> {
        self.table.delete(connection)?;
        Ok(())
    }
}

impl OpenConnection {
    fn last_insert_rowid(&self) -> Result<i64, Error> {
        self.with(|connection| Ok(connection.last_insert_rowid()))
    }

    fn changes(&self) -> Result<u64, Error> {
        self.with(|connection| Ok(connection.changes()))
    }
}

impl<T: Send + 'static> sqlite::HostConnectionWithStore<T> for HasSelf<GuestState> {
    async fn open_async(
        accessor: &Accessor<T, Self>,
        database: String,
    ) -> wasmtime::Result<Opened> {
        accessor.with(|mut access| access.get().open_database(&database))
    }

    async fn execute_async(
        accessor: &Accessor<T, Self>,
        connection: Resource<OpenConnection>,
        statement: String,
        parameters: Vec<Value>,
    ) -> wasmtime::Result<Result<Rows, Error>> {
        let connection = opened(accessor, &connection)?;
        let work = move || connection.execute(&statement, parameters);
        // As in Spin, what goes wrong is told at the end, as if there were no rows.
        let (columns, rows, end) = match tokio::task::spawn_blocking(work).await? {
            Ok(QueryResult { columns, rows }) => (columns, rows, Ok(())),
            Err(error) => (Vec::new(), Vec::new(), Err(error)),
        };
        accessor.with(|mut access| {
            let rows = StreamReader::new(&mut access, rows)?;
            let end = FutureReader::new(&mut access, async { wasmtime::error::Ok(end) })?;
            Ok(Ok((columns, rows, end)))
        })
    }

    async fn last_insert_rowid_async(
        accessor: &Accessor<T, Self>,
        connection: Resource<OpenConnection>,
    ) -> wasmtime::Result<i64> {
        Ok(opened(accessor, &connection)?.last_insert_rowid()?)
    }

    async fn changes_async(
        accessor: &Accessor<T, Self>,
        connection: Resource<OpenConnection>,
    ) -> wasmtime::Result<u64> {
        Ok(opened(accessor, &connection)?.changes()?)
    }
}
