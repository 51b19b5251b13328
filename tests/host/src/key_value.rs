//! `spin:key-value`, and of the interface before it what lists keys, on a SQLite file with Spin's own schema, so that either can read the other's, or in memory.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rusqlite::{Connection, OptionalExtension, params};
use tokio::task::block_in_place;
use wasmtime::component::{Accessor, FutureReader, HasSelf, Resource, StreamReader};

use crate::bindings::{key_value, key_value_2};
use crate::guest::GuestState;
use crate::rows::rows;

use key_value::Error;

/// The file name that Spin uses under its state directory.
const FILE: &str = "sqlite_key_value.db";

const SCHEMA: &str = "CREATE TABLE IF NOT EXISTS spin_key_value (
    store TEXT NOT NULL,
    key TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (store, key)
)";

/// The application's one key-value database, opened at the first use.
#[derive(Debug)]
pub struct KeyValue {
    /// None: in memory, for as long as this process lives.
    file: Option<PathBuf>,
    connection: OnceLock<Mutex<Connection>>,
}

/// A store that a component has opened: a label in the shared database.
#[derive(Debug, Clone)]
pub struct OpenStore {
    label: String,
    database: Arc<KeyValue>,
}

impl KeyValue {
    /// A database under `state_dir`, or in memory where there is none; nothing is touched before the first use.
    pub fn new(state_dir: Option<&Path>) -> Self {
        Self { file: state_dir.map(|directory| directory.join(FILE)), connection: OnceLock::new() }
    }

    fn connect(&self) -> Result<Connection, Error> {
        let connection = match &self.file {
            None => Connection::open_in_memory().map_err(other)?,
            Some(file) => {
                if let Some(directory) = file.parent() {
                    std::fs::create_dir_all(directory).map_err(other)?;
                }
                Connection::open(file).map_err(other)?
            }
        };
        connection.execute(SCHEMA, []).map_err(other)?;
        Ok(connection)
    }

    fn lock(&self) -> Result<MutexGuard<'_, Connection>, Error> {
        let connection = match self.connection.get() {
            Some(connection) => connection,
            // Two callers may race here; one connection is dropped again, which does no harm.
            None => {
                let opened = Mutex::new(self.connect()?);
                self.connection.get_or_init(|| opened)
            }
        };
        Ok(connection.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl OpenStore {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, Error> {
        self.database
            .lock()?
            .prepare_cached("SELECT value FROM spin_key_value WHERE store = ?1 AND key = ?2")
            .and_then(|mut query| query.query_row([&self.label, key], |row| row.get(0)).optional())
            .map_err(other)
    }

    fn set(&self, key: &str, value: &[u8]) -> Result<(), Error> {
        self.database
            .lock()?
            .prepare_cached(
                "INSERT INTO spin_key_value (store, key, value) VALUES (?1, ?2, ?3)
                 ON CONFLICT (store, key) DO UPDATE SET value = ?3",
            )
            .and_then(|mut query| query.execute(params![self.label, key, value]))
            .map(drop)
            .map_err(other)
    }

    fn delete(&self, key: &str) -> Result<(), Error> {
        self.database
            .lock()?
            .prepare_cached("DELETE FROM spin_key_value WHERE store = ?1 AND key = ?2")
            .and_then(|mut query| query.execute([&self.label, key]))
            .map(drop)
            .map_err(other)
    }

    /// Tells all keys. The database is nobody else's until this has ended, as in Spin.
    fn keys(&self, mut tell: impl FnMut(String) -> Result<(), Error>) -> Result<(), Error> {
        let connection = self.database.lock()?;
        let mut query = connection
            .prepare_cached("SELECT key FROM spin_key_value WHERE store = ?1")
            .map_err(other)?;
        let mut rows = query.query([&self.label]).map_err(other)?;
        while let Some(row) = rows.next().map_err(other)? {
            tell(row.get(0).map_err(other)?)?;
        }
        Ok(())
    }
}

fn other(error: impl std::fmt::Display) -> Error {
    Error::Other(error.to_string())
}

/// The store behind a handle, cloned so that the guest's table is free while SQLite works.
fn opened<T: 'static>(
    accessor: &Accessor<T, HasSelf<GuestState>>,
    store: &Resource<OpenStore>,
) -> wasmtime::Result<OpenStore> {
    accessor.with(|mut access| Ok(access.get().table.get(store)?.clone()))
}

impl key_value::Host for GuestState {}

impl key_value::HostStore for GuestState {
    fn drop(&mut self, store: Resource<OpenStore>) -> wasmtime::Result<()> {
        self.table.delete(store)?;
        Ok(())
    }
}

impl key_value_2::Host for GuestState {}

impl key_value_2::HostStore for GuestState {
    fn open(
        &mut self,
        label: String,
    ) -> wasmtime::Result<Result<Resource<OpenStore>, key_value_2::Error>> {
        if !self.component.key_value_stores.contains(&label) {
            return Ok(Err(key_value_2::Error::AccessDenied));
        }
        let store = OpenStore { label, database: self.component.key_value.clone() };
        Ok(Ok(self.table.push(store)?))
    }

    /// At once: nobody waits for the guest to read them.
    fn get_keys(
        &mut self,
        store: Resource<OpenStore>,
    ) -> wasmtime::Result<Result<Vec<String>, key_value_2::Error>> {
        let store = self.table.get(&store)?.clone();
        let mut keys = Vec::new();
        let listed = block_in_place(|| {
            store.keys(|key| {
                keys.push(key);
                Ok(())
            })
        });
        Ok(listed.map(|()| keys).map_err(|error| key_value_2::Error::Other(error.to_string())))
    }

    fn drop(&mut self, store: Resource<OpenStore>) -> wasmtime::Result<()> {
        self.table.delete(store)?;
        Ok(())
    }
}

impl<T: Send + 'static> key_value::HostStoreWithStore<T> for HasSelf<GuestState> {
    async fn open(
        accessor: &Accessor<T, Self>,
        label: String,
    ) -> wasmtime::Result<Result<Resource<OpenStore>, Error>> {
        accessor.with(|mut access| {
            let guest = access.get();
            if !guest.component.key_value_stores.contains(&label) {
                return Ok(Err(Error::AccessDenied));
            }
            let store = OpenStore { label, database: guest.component.key_value.clone() };
            Ok(Ok(guest.table.push(store)?))
        })
    }

    async fn get(
        accessor: &Accessor<T, Self>,
        store: Resource<OpenStore>,
        key: String,
    ) -> wasmtime::Result<Result<Option<Vec<u8>>, Error>> {
        let store = opened(accessor, &store)?;
        Ok(block_in_place(|| store.get(&key)))
    }

    async fn set(
        accessor: &Accessor<T, Self>,
        store: Resource<OpenStore>,
        key: String,
        value: Vec<u8>,
    ) -> wasmtime::Result<Result<(), Error>> {
        let store = opened(accessor, &store)?;
        Ok(block_in_place(|| store.set(&key, &value)))
    }

    async fn delete(
        accessor: &Accessor<T, Self>,
        store: Resource<OpenStore>,
        key: String,
    ) -> wasmtime::Result<Result<(), Error>> {
        let store = opened(accessor, &store)?;
        Ok(block_in_place(|| store.delete(&key)))
    }

    async fn exists(
        accessor: &Accessor<T, Self>,
        store: Resource<OpenStore>,
        key: String,
    ) -> wasmtime::Result<Result<bool, Error>> {
        let store = opened(accessor, &store)?;
        Ok(block_in_place(|| store.get(&key)).map(|value| value.is_some()))
    }

    async fn get_keys(
        accessor: &Accessor<T, Self>,
        store: Resource<OpenStore>,
    ) -> wasmtime::Result<(StreamReader<String>, FutureReader<Result<(), Error>>)> {
        let store = opened(accessor, &store)?;
        let (teller, keys) = rows();
        tokio::task::spawn_blocking(move || {
            let told =
                store.keys(|key| teller.tell_blocking(key).map_err(|_| other("channel closed")));
            teller.end(told);
        });
        accessor.with(|access| keys.readers(access))
    }
}
