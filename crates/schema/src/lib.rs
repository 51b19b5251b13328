//! The database: its numbered migrations, and the statements that read and write it.
//!
//! A host gives one connection for each `open` and runs one statement a call, so everything here
//! is a list of single statements, and each is whole by itself.
//!
//! Border: texts and decisions. Who opens the database and runs statements is `quarry-rim`.

pub mod embedding;
pub mod journal;
pub mod knowledge;
pub mod run;
pub mod server;
pub mod slot;
pub mod trouble;

/// The migrations, in order; the first brings a database to version 1. One that was ever released
/// is never changed.
const MIGRATIONS: [&str; 22] = [
    include_str!("../migrations/0001_journal.sql"),
    include_str!("../migrations/0002_close.sql"),
    include_str!("../migrations/0003_rows.sql"),
    include_str!("../migrations/0004_runs.sql"),
    include_str!("../migrations/0005_forks.sql"),
    include_str!("../migrations/0006_nodes.sql"),
    include_str!("../migrations/0007_searches.sql"),
    include_str!("../migrations/0008_knowledge.sql"),
    include_str!("../migrations/0009_embeddings.sql"),
    include_str!("../migrations/0010_embedder.sql"),
    include_str!("../migrations/0011_text_claims.sql"),
    include_str!("../migrations/0012_kept.sql"),
    include_str!("../migrations/0013_heard.sql"),
    include_str!("../migrations/0014_embedding_costs.sql"),
    include_str!("../migrations/0015_reindex.sql"),
    include_str!("../migrations/0016_ask_place.sql"),
    include_str!("../migrations/0017_inbox.sql"),
    include_str!("../migrations/0018_left.sql"),
    include_str!("../migrations/0019_embedding_left.sql"),
    include_str!("../migrations/0020_beside.sql"),
    include_str!("../migrations/0021_name_of_what_ended.sql"),
    include_str!("../migrations/0022_sender_key.sql"),
];

/// What is run on each new connection, where it is taken: a database that is no file refuses it.
/// Spin sets none of it: a locked database would keep a call for 5 s, the second setting included,
/// and every write would wait for the disk.
pub const SETTINGS: [&str; 2] = [WAITS_NOT, "PRAGMA synchronous = NORMAL"];

/// Overwrites what is deleted, on the connection on which it is run, from then on. A server has its own way.
pub const OVERWRITE: &str = "PRAGMA secure_delete = ON";

/// Who finds the database locked is told at once, and tries again by itself: a connection does one thing after another, so
/// while one waits on it so does whoever else has it.
const WAITS_NOT: &str = "PRAGMA busy_timeout = 0";

/// Asks how the database keeps its changes, `memory` for one that no other connection sees, and for its
/// version, 0 for none: a row of both. It fails with [`is_new`] where there is nothing yet.
pub const STATE: &str = "SELECT (SELECT journal_mode FROM pragma_journal_mode),
     (SELECT coalesce(max(version), 0) FROM migration)";

/// Whether a failed [`STATE`] says that nothing was ever migrated.
#[must_use]
pub fn is_new(message: &str) -> bool {
    message.contains("no such table: migration")
}

/// Asks how the database keeps its changes, as [`STATE`] does, where there is nothing yet.
pub const JOURNAL_MODE: &str = "PRAGMA journal_mode";

/// Lets readers and a writer work side by side, and a write cost a tenth.
pub const WRITE_AHEAD: &str = "PRAGMA journal_mode = WAL";

/// The database was written by a newer version of this server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the database is of version {found}, and this server knows {known}; run a newer one")]
pub struct Newer {
    /// The database's version.
    pub found: i64,
    /// The newest that is known.
    pub known: i64,
}

/// Whoever migrates has the database to write in alone: between this and [`MIGRATED`], on one connection, the version
/// is asked once more and the rest done, whole or not at all. Else one that is slow would make again what another
/// has replaced meanwhile. It fails while somebody else has it.
pub const MIGRATE: &str = "BEGIN IMMEDIATE";

/// Keeps what was done since [`MIGRATE`].
pub const MIGRATED: &str = "COMMIT";

/// Undoes it.
pub const NOT_MIGRATED: &str = "ROLLBACK";

/// The statements that bring a database of this version to the newest, in order. Between [`MIGRATE`] and
/// [`MIGRATED`] each number is applied once. Each may be run again without harm all the same: where a server loses
/// the connection, nobody knows what was done.
///
/// # Errors
/// [`Newer`] when the database is newer than all that is known.
pub fn migration(found: i64) -> Result<Vec<String>, Newer> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    if found > known {
        return Err(Newer { found, known });
    }
    if found == known {
        return Ok(Vec::new());
    }
    let mut steps =
        vec!["CREATE TABLE IF NOT EXISTS migration (version INTEGER PRIMARY KEY)".to_owned()];
    for (version, text) in (1_i64..).zip(MIGRATIONS) {
        if version > found {
            steps.extend(statements(text));
            steps.push(format!("INSERT OR IGNORE INTO migration (version) VALUES ({version})"));
        }
    }
    Ok(steps)
}

/// The statements of a file: each ends with a semicolon, and a blank line stands between two.
fn statements(text: &str) -> impl Iterator<Item = String> {
    text.split(";\n\n").map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rusqlite::Connection;
    use std::collections::VecDeque;
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    const NEWEST: i64 = 22;

    /// A database of the newest version.
    pub(crate) fn database() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        for step in migration(0).unwrap() {
            connection.execute(&step, []).unwrap();
        }
        connection
    }

    /// The version, found as servers find it.
    fn version(connection: &Connection) -> i64 {
        match connection.query_row(STATE, [], |row| row.get(1)) {
            Ok(version) => version,
            Err(error) => {
                assert!(is_new(&error.to_string()), "{error}");
                0
            }
        }
    }

    #[test]
    fn an_empty_database_becomes_one_of_the_newest_version() {
        let connection = Connection::open_in_memory().unwrap();
        assert_eq!(version(&connection), 0);
        let connection = database();
        assert_eq!(version(&connection), NEWEST);
        assert_eq!(migration(NEWEST), Ok(Vec::new()));
        // Two processes may do it at once.
        for step in migration(0).unwrap() {
            connection.execute(&step, []).unwrap();
        }
        assert_eq!(version(&connection), NEWEST);
    }

    #[test]
    fn a_database_of_an_older_version_keeps_what_it_has() {
        let connection = Connection::open_in_memory().unwrap();
        let all = migration(0).unwrap();
        let later = migration(1).unwrap();
        for step in &all[..=all.len() - later.len()] {
            connection.execute(step, []).unwrap();
        }
        assert_eq!(version(&connection), 1);
        let written = "INSERT INTO journal (log, place, value) VALUES ('a', 'log/000000', x'78')";
        connection.execute(written, []).unwrap();
        for step in later {
            connection.execute(&step, []).unwrap();
        }
        assert_eq!(version(&connection), NEWEST);
        let kept = connection.query_row(journal::GET, ["a", "log/000000"], |row| row.get(0));
        assert_eq!(kept, Ok(b"x".to_vec()));
    }

    /// A process that migrates, a statement at a time, as `quarry-rim` does.
    struct Process {
        connection: Connection,
        steps: VecDeque<String>,
        began: u32,
        /// Statements of migrations that it carried out.
        done: Vec<String>,
        is_over: bool,
    }

    impl Process {
        fn new(file: &Path) -> Self {
            let connection = Connection::open(file).unwrap();
            connection.busy_timeout(Duration::ZERO).unwrap();
            let (steps, done) = (VecDeque::new(), Vec::new());
            Process { connection, steps, began: 0, done, is_over: false }
        }

        /// Takes the next step. Who fails begins anew.
        fn goes_on(&mut self) {
            if self.is_over {
                return;
            }
            let Some(step) = self.steps.pop_front() else {
                let found = version(&self.connection);
                self.is_over = found == NEWEST;
                if !self.is_over && self.connection.execute(MIGRATE, []).is_ok() {
                    self.began += 1;
                    self.steps = migration(version(&self.connection)).unwrap().into();
                    self.steps.push_back(MIGRATED.to_owned());
                }
                return;
            };
            if let Err(error) = self.connection.execute(&step, []) {
                assert!(error.to_string().contains("locked"), "{step}: {error}");
                _ = self.connection.execute(NOT_MIGRATED, []);
                self.steps.clear();
            }
            self.done.push(step);
        }
    }

    /// What makes a database: every table, index, view and trigger.
    fn made(connection: &Connection) -> Vec<String> {
        let all =
            "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master ORDER BY 1";
        let mut all = connection.prepare(all).unwrap();
        all.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    /// A file of its own, gone with it.
    struct File(PathBuf);

    impl File {
        fn new(name: &str) -> Self {
            let name = format!("quarry-schema-{name}-{}", std::process::id());
            let file = File(std::env::temp_dir().join(name));
            file.remove();
            file
        }

        fn remove(&self) {
            for end in ["", "-wal", "-shm", "-journal"] {
                let mut name = self.0.clone().into_os_string();
                name.push(end);
                _ = std::fs::remove_file(name);
            }
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            self.remove();
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn others_may_migrate_at_the_same_time(
            order in prop::collection::vec(0_usize..3, 0..240),
            from in 0_i64..NEWEST,
        ) {
            let file = File::new("together");
            let first = Connection::open(&file.0).unwrap();
            first.query_row(WRITE_AHEAD, [], |_| Ok(())).unwrap();
            if from > 0 {
                let (all, rest) = (migration(0).unwrap(), migration(from).unwrap());
                for step in &all[..=all.len() - rest.len()] {
                    first.execute(step, []).unwrap();
                }
                let table = if from < 3 { "journal" } else { "log_value" };
                let written = format!("INSERT INTO {table} VALUES ('a', 'b', x'78')");
                first.execute(&written, []).unwrap();
            }
            let mut processes = [(); 3].map(|()| Process::new(&file.0));
            let to_the_end = (0..900).map(|turn| turn % 3);
            for who in order.into_iter().chain(to_the_end) {
                processes[who].goes_on();
            }
            prop_assert!(processes.iter().all(|process| process.is_over));
            let applied: Vec<&String> = processes.iter().flat_map(|process| &process.done).collect();
            for number in from + 1..=NEWEST {
                let is_it = |step: &&&String| step.contains(&format!("VALUES ({number})"));
                prop_assert_eq!(applied.iter().filter(is_it).count(), 1, "{}", number);
            }
            prop_assert_eq!(version(&first), NEWEST);
            prop_assert_eq!(made(&first), made(&database()));
            let is_kept = first.prepare(journal::HAS).unwrap().exists(["a", "b"]).unwrap();
            prop_assert_eq!(is_kept, from > 0);
        }
    }

    /// One that read the version before another was done, and is slow, puts nothing old back.
    #[test]
    fn whoever_was_slow_finds_that_it_is_done() {
        let file = File::new("slow");
        let [mut slow, mut fast] = [(); 2].map(|()| Process::new(&file.0));
        assert_eq!((version(&slow.connection), version(&fast.connection)), (0, 0));
        while !fast.is_over {
            fast.goes_on();
        }
        while !slow.is_over {
            slow.goes_on();
        }
        assert_eq!((fast.began, slow.began), (1, 0));
        // One that dies in the middle leaves nothing half done.
        let file = File::new("dead");
        let mut dead = Process::new(&file.0);
        (0..40).for_each(|_| dead.goes_on());
        assert!(dead.done.len() > 30);
        let mut next = Process::new(&file.0);
        (0..3).for_each(|_| next.goes_on());
        assert_eq!(next.began, 0, "it is locked out");
        drop(dead);
        assert_eq!(made(&next.connection), Vec::<String>::new());
        while !next.is_over {
            next.goes_on();
        }
        assert_eq!(made(&next.connection), made(&database()));
    }

    #[test]
    fn a_newer_database_is_left_alone() {
        let newer = migration(NEWEST + 1).unwrap_err();
        assert_eq!(newer, Newer { found: NEWEST + 1, known: NEWEST });
        assert!(newer.to_string().contains(&format!("version {}", NEWEST + 1)));
    }

    #[test]
    fn every_setting_is_one_that_sqlite_knows() {
        let file = std::env::temp_dir().join(format!("quarry-schema-{}", std::process::id()));
        _ = std::fs::remove_file(&file);
        let connection = Connection::open(&file).unwrap();
        let mode = |text| connection.query_row(text, [], |row| row.get::<_, String>(0)).unwrap();
        assert_eq!(mode(JOURNAL_MODE), "delete");
        assert_eq!(mode(WRITE_AHEAD), "wal");
        connection.execute(&migration(0).unwrap()[0], []).unwrap();
        assert_eq!(mode(STATE), "wal");
        let memory = database().query_row(STATE, [], |row| Ok((row.get(0)?, row.get(1)?)));
        assert_eq!(memory, Ok(("memory".to_owned(), NEWEST)));
        for setting in SETTINGS {
            let mut statement = connection.prepare(setting).unwrap();
            statement.query([]).unwrap().next().unwrap();
        }
        let read = |name| connection.pragma_query_value(None, name, |row| row.get(0));
        assert_eq!((read("synchronous"), read("busy_timeout")), (Ok(1), Ok(0)));
        std::fs::remove_file(&file).unwrap();
    }
}
