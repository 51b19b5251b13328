//! `spin:sqlite` as Spin has it, on files, in memory, or on a libSQL server.

mod answer;
mod file;
mod libsql;

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use wasmtime::component::{Accessor, FutureReader, HasSelf, Resource, StreamReader};

use crate::bindings::sqlite;
use crate::guest::GuestState;
use crate::runtime_config::{LibSql, SqliteDatabase};
use crate::witness::{Deed, Watched, When};
use answer::Answer;
use file::FileConnection;
use libsql::RemoteConnection;

use sqlite::{Error, QueryResult, RowResult, Value};

/// The file name that Spin uses under its state directory.
const FILE: &str = "sqlite_db.db";

/// Connections that an instance may have open, as in Spin.
const MOST_OPEN: usize = 256;

/// Where the application's one database is.
#[derive(Debug, Clone)]
pub enum Location {
    /// In this file.
    File(PathBuf),
    /// In memory, where each connection has a database of its own.
    Memory,
    /// On a server that one of these vouches for.
    LibSql(LibSql, Arc<RootCertStore>),
}

impl Location {
    /// Where the operator says, or else in the state directory, or in memory where there is none. A server may be
    /// vouched for by these certificates, too.
    pub(crate) fn of(
        configured: Option<&SqliteDatabase>,
        state: Option<&std::path::Path>,
        certificates: Option<&std::path::Path>,
    ) -> anyhow::Result<Self> {
        Ok(match configured {
            Some(SqliteDatabase::Libsql(database)) => {
                Self::LibSql(database.clone(), Arc::new(roots(certificates)?))
            }
            Some(SqliteDatabase::Spin { path: Some(path) }) => Self::File(path.clone()),
            Some(SqliteDatabase::Spin { path: None }) => Self::Memory,
            None => state.map_or(Self::Memory, |state| Self::File(state.join(FILE))),
        })
    }
}

/// Mozilla's list, and what is in this PEM file.
fn roots(certificates: Option<&std::path::Path>) -> anyhow::Result<RootCertStore> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    if let Some(file) = certificates {
        let cannot = || format!("cannot use the certificates in {}", file.display());
        for certificate in CertificateDer::pem_file_iter(file).with_context(cannot)? {
            roots.add(certificate.with_context(cannot)?).with_context(cannot)?;
        }
    }
    Ok(roots)
}

/// A connection that a component has opened.
#[derive(Debug, Clone)]
pub enum OpenConnection {
    File(FileConnection),
    Remote(Arc<RemoteConnection>),
}

impl OpenConnection {
    fn new(location: &Location, watched: Option<Watched>) -> Self {
        match location {
            Location::File(file) => Self::File(FileConnection::new(Some(file.clone()), watched)),
            Location::Memory => Self::File(FileConnection::new(None, watched)),
            Location::LibSql(database, roots) => {
                Self::Remote(Arc::new(RemoteConnection::new(database, roots.clone())))
            }
        }
    }

    /// Begins a statement, and gives its columns. As in Spin it goes on by itself: until its rows are read, or nobody
    /// reads them any more.
    async fn execute(self, statement: String, parameters: Vec<Value>) -> Result<Answer, Error> {
        match self {
            Self::File(file) => file.execute(statement, parameters).await,
            Self::Remote(remote) => remote.execute(statement, parameters).await,
        }
    }

    fn last_insert_rowid(&self) -> Result<i64, Error> {
        match self {
            Self::File(file) => file.with(|connection| Ok(connection.last_insert_rowid())),
            Self::Remote(_) => Ok(libsql::LAST_INSERT_ROWID),
        }
    }

    fn changes(&self) -> Result<u64, Error> {
        match self {
            Self::File(file) => file.with(|connection| Ok(connection.changes())),
            Self::Remote(_) => Ok(libsql::CHANGES),
        }
    }
}

fn io(error: impl std::fmt::Display) -> Error {
    Error::Io(error.to_string())
}

impl GuestState {
    fn open_database(&mut self, name: &str) -> wasmtime::Result<Opened> {
        if !self.component.sqlite_databases.iter().any(|granted| granted == name) {
            return Ok(Err(Error::AccessDenied));
        }
        if self.open_databases >= MOST_OPEN {
            return Ok(Err(io("too many connections opened")));
        }
        let connection =
            OpenConnection::new(&self.component.sqlite, self.component.watched.clone());
        let handle = self.table.push(connection)?;
        self.open_databases += 1;
        Ok(Ok(handle))
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
        let work = async { connection.execute(statement, parameters).await?.whole().await };
        Ok(tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(work)))
    }

    fn last_insert_rowid(&mut self, connection: Resource<OpenConnection>) -> wasmtime::Result<i64> {
        Ok(self.table.get(&connection)?.last_insert_rowid()?)
    }

    fn changes(&mut self, connection: Resource<OpenConnection>) -> wasmtime::Result<u64> {
        Ok(self.table.get(&connection)?.changes()?)
    }

    fn drop(&mut self, connection: Resource<OpenConnection>) -> wasmtime::Result<()> {
        self.table.delete(connection)?;
        self.open_databases = self.open_databases.saturating_sub(1);
        Ok(())
    }
}

impl<T: Send + 'static> sqlite::HostConnectionWithStore<T> for HasSelf<GuestState> {
    async fn open_async(
        accessor: &Accessor<T, Self>,
        database: String,
    ) -> wasmtime::Result<Opened> {
        let watched = accessor.with(|mut access| access.get().component.watched.clone());
        if let Some((component, witness)) = watched {
            // Beside the instance: whoever waits there waits by its clock.
            let name = database.clone();
            let tell = move || witness.tell(&component, Deed::Opening(&name), When::Before);
            tokio::task::spawn_blocking(tell).await?;
        }
        accessor.with(|mut access| access.get().open_database(&database))
    }

    async fn execute_async(
        accessor: &Accessor<T, Self>,
        connection: Resource<OpenConnection>,
        statement: String,
        parameters: Vec<Value>,
    ) -> wasmtime::Result<Result<Rows, Error>> {
        let connection = opened(accessor, &connection)?;
        match connection.execute(statement, parameters).await {
            Ok(Answer { columns, rows }) => accessor.with(|access| {
                let (rows, end) = rows.readers(access)?;
                Ok(Ok((columns, rows, end)))
            }),
            // Nothing but the connection itself fails before there are columns.
            Err(error) => Ok(Err(error)),
        }
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
