//! Streams: connections that a client goes on with from one request to the next, by a baton that counts.

use anyhow::Result;
use rusqlite::Connection;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The name that the database has under Spin, so that a test finds it whoever keeps it.
const FILE: &str = "sqlite_db.db";

/// How long a connection waits for another that writes.
const BUSY: Duration = Duration::from_secs(5);

/// After so long without a request a stream is over, and what it did not commit is undone, as libsql-server has it:
/// else a client that dies between two statements of a transaction keeps everybody from writing for ever.
const IDLE: Duration = Duration::from_secs(10);

/// A connection of one stream, which does one thing after another.
pub(crate) type Shared = Arc<Mutex<Connection>>;

/// Why a stream is not gone on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Nobody used it for too long.
    Expired,
    /// There is no such stream.
    Invalid,
    /// The baton is not the newest.
    Reused,
}

/// All streams of a server.
pub(crate) struct Streams {
    file: PathBuf,
    open: HashMap<u64, Stream>,
    opened: u64,
}

enum Stream {
    Open {
        connection: Shared,
        /// The number of the baton that comes next.
        next: u64,
        /// When it was last gone on with.
        used: Instant,
    },
    Expired,
}

impl Streams {
    /// Streams to a database in this directory, with its log ahead, as libsql-server keeps it.
    pub(crate) fn new(directory: &Path) -> Result<Self> {
        let file = directory.join(FILE);
        Connection::open(&file)?.pragma_update(None, "journal_mode", "wal")?;
        Ok(Streams { file, open: HashMap::new(), opened: 0 })
    }

    /// The stream of a baton, or a new one, with the baton that comes next.
    pub(crate) fn acquire(&mut self, baton: Option<&str>) -> Result<(Shared, String), Refusal> {
        self.expire_unused_for(IDLE);
        let Some(baton) = baton else {
            let connection = Connection::open(&self.file).map_err(|_| Refusal::Invalid)?;
            connection.busy_timeout(BUSY).map_err(|_| Refusal::Invalid)?;
            let connection: Shared = Arc::new(Mutex::new(connection));
            self.opened += 1;
            let used = Instant::now();
            let stream = Stream::Open { connection: connection.clone(), next: 1, used };
            self.open.insert(self.opened, stream);
            return Ok((connection, format!("{}.1", self.opened)));
        };
        let (id, number) = read(baton).ok_or(Refusal::Invalid)?;
        match self.open.get_mut(&id).ok_or(Refusal::Invalid)? {
            Stream::Expired => Err(Refusal::Expired),
            Stream::Open { next, .. } if *next != number => Err(Refusal::Reused),
            Stream::Open { connection, next, used } => {
                *next += 1;
                *used = Instant::now();
                Ok((connection.clone(), format!("{id}.{next}")))
            }
        }
    }

    /// Its client ends a stream.
    pub(crate) fn close(&mut self, baton: &str) {
        if let Some((id, _)) = read(baton) {
            self.open.remove(&id);
        }
    }

    /// Nobody used any of them for too long.
    pub(crate) fn expire(&mut self) {
        self.expire_unused_for(Duration::ZERO);
    }

    fn expire_unused_for(&mut self, idle: Duration) {
        for stream in self.open.values_mut() {
            if matches!(stream, Stream::Open { used, .. } if used.elapsed() >= idle) {
                *stream = Stream::Expired;
            }
        }
    }

    /// The server has forgotten them, as one that was started anew.
    pub(crate) fn forget(&mut self) {
        self.open.clear();
    }
}

fn read(baton: &str) -> Option<(u64, u64)> {
    let (id, number) = baton.split_once('.')?;
    Some((id.parse().ok()?, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_gone_on_with_by_its_newest_baton_alone() {
        let directory = tempfile::tempdir().unwrap();
        let mut streams = Streams::new(directory.path()).unwrap();
        let (first, baton) = streams.acquire(None).unwrap();
        let (again, newer) = streams.acquire(Some(&baton)).unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        assert_eq!(streams.acquire(Some(&baton)).err(), Some(Refusal::Reused));
        streams.expire();
        assert_eq!(streams.acquire(Some(&newer)).err(), Some(Refusal::Expired));
        streams.forget();
        assert_eq!(streams.acquire(Some(&newer)).err(), Some(Refusal::Invalid));
        assert_eq!(streams.acquire(Some("x")).err(), Some(Refusal::Invalid));
    }

    /// A client may die between two statements of a transaction.
    #[test]
    fn what_an_ended_stream_did_not_commit_keeps_nobody_from_writing() {
        let directory = tempfile::tempdir().unwrap();
        let mut streams = Streams::new(directory.path()).unwrap();
        let run = |connection: &Shared, sql| connection.lock().unwrap().execute_batch(sql);
        for ends in [|streams: &mut Streams, _: &str| streams.expire(), Streams::close] {
            let (left, baton) = streams.acquire(None).unwrap();
            run(&left, "BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS left (n)").unwrap();
            drop(left);
            ends(&mut streams, &baton);
            let (next, _) = streams.acquire(None).unwrap();
            run(&next, "BEGIN IMMEDIATE; CREATE TABLE left (n); ROLLBACK").unwrap();
        }
    }
}
