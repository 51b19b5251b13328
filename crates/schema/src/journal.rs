//! Values of logs under way, each at a place of its log.

/// Reads one: parameters log and place, a row of its value.
pub const GET: &str = "SELECT value FROM log_value WHERE log = ?1 AND place = ?2";

/// Whether there is one: parameters log and place, a row if so.
pub const HAS: &str = "SELECT 1 FROM log_value WHERE log = ?1 AND place = ?2";

/// Whether something says that a log comes: what is kept beside it, or a place among those under way. Parameter the log, a row
/// if so.
pub const IS_AWAITED: &str = "SELECT 1 FROM log_value WHERE log = ?1 AND place = 'kept'
     UNION ALL SELECT 1 FROM ask_place WHERE holder = ?1 LIMIT 1";

/// Writes one, whatever was there: parameters log, place and value.
pub const SET: &str = "INSERT INTO log_value (log, place, value) VALUES (?1, ?2, ?3)
     ON CONFLICT (log, place) DO UPDATE SET value = ?3";

/// Writes one where there is none, or the same: parameters log, place and value; a row if it is there now.
pub const ADD: &str = "INSERT INTO log_value (log, place, value) VALUES (?1, ?2, ?3)
     ON CONFLICT (log, place) DO UPDATE SET value = ?3 WHERE value = ?3 RETURNING 1";

/// Writes one where there is none, or where this is there: parameters log, place, value, and what may be there or
/// null; a row if it was written.
pub const CLAIM: &str = "INSERT INTO log_value (log, place, value) VALUES (?1, ?2, ?3)
     ON CONFLICT (log, place) DO UPDATE SET value = ?3 WHERE value = ?4 RETURNING 1";

/// Writes one where there is none, where one is less, or where this is there: parameters log, place, value, and what may be
/// there or null. In whatever order two are written that saw the same before them, the greater stays.
pub const RAISE: &str = "INSERT INTO log_value (log, place, value) VALUES (?1, ?2, ?3)
     ON CONFLICT (log, place) DO UPDATE SET value = ?3 WHERE value < ?3 OR value = ?4";

/// Writes two at once, each where there is none: for each, parameters log, place and value.
pub const CLAIM_TWO: &str =
    "INSERT INTO log_value (log, place, value) VALUES (?1, ?2, ?3), (?4, ?5, ?6)
     ON CONFLICT (log, place) DO NOTHING";

/// Whether there is one whose place begins so and goes on with digits or small letters: parameters log and the
/// beginning; a row if so.
pub const HAS_ANY: &str =
    "SELECT 1 FROM log_value WHERE log = ?1 AND place > ?2 AND place < ?2 || '{' LIMIT 1";

/// Deletes those: parameters log and the beginning.
pub const REMOVE_ALL: &str =
    "DELETE FROM log_value WHERE log = ?1 AND place > ?2 AND place < ?2 || '{'";

/// Deletes one: parameters log and place.
pub const REMOVE: &str = "DELETE FROM log_value WHERE log = ?1 AND place = ?2";

/// Writes what nobody reads in the place of what it wrote before: whether writes are taken, only a write tells. Its log
/// is older than any, so that it goes with those.
pub const PROBE: &str =
    "INSERT INTO log_value (log, place, value) VALUES ('', 'probe', randomblob(16))
     ON CONFLICT (log, place) DO UPDATE SET value = excluded.value";

/// Ends a log for good: parameters log, place and value of its last part, and the number of its place
/// among those under way, or null. Its snapshot is deleted, and the place given back if the log holds it; a row then. None,
/// and nothing is done, where another part stands there.
pub const CLOSE: &str = "INSERT INTO log_over (log, place, value, ask_place) SELECT ?1, ?2, ?3, ?4
     WHERE NOT EXISTS (SELECT 1 FROM log_value WHERE log = ?1 AND place = ?2 AND value <> ?3)
     RETURNING 1";

/// Whether there are values of logs born before this id: parameter the id, a row if so.
pub const HAS_OLD: &str = "SELECT 1 FROM log_value WHERE log < ?1 LIMIT 1";

/// Deletes some of them: parameter the id. A few at a time, because writers wait for it; without
/// rows, because a host may hold the database until the last of them is read.
pub const SWEEP: &str = "DELETE FROM log_value WHERE (log, place) IN
     (SELECT log, place FROM log_value WHERE log < ?1 LIMIT 100)";

/// Deletes the logs that go with those born before this id: parameter the id.
pub const SWEEP_BRIEF: &str = "DELETE FROM log_value WHERE log IN
     (SELECT CAST(value AS TEXT) FROM log_value WHERE log < ?1 AND place = 'brief')";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::database;
    use crate::{migration, slot};
    use quarry_journal::Snapshot;
    use quarry_types::Timestamp;
    use rusqlite::{Connection, OptionalExtension};

    fn get(connection: &Connection, log: &str, place: &str) -> Option<Vec<u8>> {
        connection.query_row(GET, [log, place], |row| row.get(0)).optional().unwrap()
    }

    #[test]
    fn what_is_written_last_is_read() {
        let connection = database();
        assert_eq!(get(&connection, "a", "state"), None);
        for value in [b"one".as_slice(), b"two"] {
            connection.execute(SET, rusqlite::params!["a", "state", value]).unwrap();
        }
        assert_eq!(get(&connection, "a", "state").as_deref(), Some(b"two".as_slice()));
        assert_eq!(get(&connection, "b", "state"), None);
        assert!(connection.prepare(HAS).unwrap().exists(["a", "state"]).unwrap());
        connection.execute(REMOVE, ["a", "state"]).unwrap();
        assert!(!connection.prepare(HAS).unwrap().exists(["a", "state"]).unwrap());
    }

    #[test]
    fn a_log_is_awaited_by_what_is_kept_or_by_its_place() {
        let connection = database();
        let is_awaited = |log: &str| connection.prepare(IS_AWAITED).unwrap().exists([log]).unwrap();
        for (log, place) in [("a", "kept"), ("b", "stop"), ("b", "reading/1")] {
            connection.execute(SET, rusqlite::params![log, place, b"x"]).unwrap();
        }
        let none: Option<&str> = None;
        let values = rusqlite::params![2, "c", 60, 0, 120, none, none];
        let taken = connection.query_row(slot::TAKE, values, |row| row.get(0));
        assert_eq!(taken, Ok(0));
        assert_eq!(["a", "b", "c", "d"].map(is_awaited), [true, false, true, false]);
    }

    #[test]
    fn a_probe_writes_each_time_and_leaves_one_value_which_is_swept() {
        let connection = database();
        let mut seen = Vec::new();
        for _ in 0..2 {
            assert_eq!(connection.execute(PROBE, []).unwrap(), 1);
            seen.extend(get(&connection, "", "probe"));
        }
        assert_ne!(seen[0], seen[1], "what is written must not be what is there");
        assert_eq!(connection.execute(SWEEP, ["0001"]).unwrap(), 1);
        assert_eq!(get(&connection, "", "probe"), None);
    }

    #[test]
    fn what_is_added_takes_nothings_place_and_may_be_added_again() {
        let connection = database();
        let add = |value: &[u8]| {
            let values = rusqlite::params!["a", "log/000001", value];
            connection.prepare(ADD).unwrap().exists(values).unwrap()
        };
        assert!(add(b"one"));
        assert!(!add(b"two"), "another was first");
        assert!(add(b"one"), "it may have been written without saying so");
        assert_eq!(get(&connection, "a", "log/000001").as_deref(), Some(b"one".as_slice()));
    }

    #[test]
    fn what_two_claim_one_has() {
        let connection = database();
        let claim = |value: &[u8], instead: Option<&[u8]>| {
            let values = rusqlite::params!["a", "begun", value, instead];
            connection.prepare(CLAIM).unwrap().exists(values).unwrap()
        };
        assert!(claim(b"one", None));
        assert!(!claim(b"two", None));
        assert_eq!(get(&connection, "a", "begun").as_deref(), Some(b"one".as_slice()));
        assert!(claim(b"two", Some(b"one")));
        assert!(!claim(b"three", Some(b"one")), "it is another by now");
        assert_eq!(get(&connection, "a", "begun").as_deref(), Some(b"two".as_slice()));
    }

    #[test]
    fn in_whatever_order_two_are_written_the_greater_stays() {
        let connection = database();
        for orders in [["0a1", "0b0"], ["0b0", "0a1"]] {
            for value in orders {
                let none: Option<&[u8]> = None;
                let values = rusqlite::params!["a", "begun", value.as_bytes(), none];
                connection.execute(RAISE, values).unwrap();
            }
            assert_eq!(get(&connection, "a", "begun").as_deref(), Some(b"0b0".as_slice()));
            connection.execute(REMOVE, ["a", "begun"]).unwrap();
        }
    }

    #[test]
    fn what_was_seen_makes_way_whatever_the_clocks_say() {
        let connection = database();
        let raise = |value: &str, seen: Option<&str>| {
            let values = rusqlite::params!["a", "begun", value.as_bytes(), seen.map(str::as_bytes)];
            connection.execute(RAISE, values).unwrap();
            get(&connection, "a", "begun").unwrap()
        };
        assert_eq!(raise("0b0", None), b"0b0");
        // Its clock is behind that of the one before it.
        assert_eq!(raise("0a1", Some("0b0")), b"0a1");
        assert_eq!(raise("0b1", Some("0b0")), b"0b1");
        // What came since it looked is no older.
        assert_eq!(raise("0a2", Some("0a1")), b"0b1");
        assert_eq!(raise("0a2", None), b"0b1");
    }

    #[test]
    fn what_goes_with_an_old_log_is_deleted_and_nothing_else() {
        let connection = database();
        let rows: [(&str, &str, &[u8]); 5] = [
            ("0001", "brief", b"0009"),
            ("0003", "brief", b"0008"),
            ("0008", "log/000000", b"x"),
            ("0009", "log/000000", b"x"),
            ("0009", "kept", b"x"),
        ];
        for (log, place, value) in rows {
            connection.execute(SET, rusqlite::params![log, place, value]).unwrap();
        }
        assert_eq!(connection.execute(SWEEP_BRIEF, ["0002"]).unwrap(), 2);
        assert!(get(&connection, "0009", "kept").is_none());
        assert!(get(&connection, "0008", "log/000000").is_some());
    }

    #[test]
    fn two_are_written_at_once_where_there_are_none() {
        let connection = database();
        connection.execute(SET, rusqlite::params!["b", "kept", b"joiner"]).unwrap();
        for (log, note, kept) in [("a", "an", "one"), ("a", "an", "one"), ("b", "bn", "joiner")] {
            for value in ["one", "two"] {
                let values = rusqlite::params![log, "kept", value.as_bytes(), note, "begun", b"id"];
                connection.execute(CLAIM_TWO, values).unwrap();
            }
            assert_eq!(get(&connection, log, "kept").as_deref(), Some(kept.as_bytes()));
            assert_eq!(get(&connection, note, "begun").as_deref(), Some(b"id".as_slice()));
        }
    }

    #[test]
    fn values_are_found_by_how_their_places_begin() {
        let connection = database();
        let any = || connection.prepare(HAS_ANY).unwrap().exists(["a", "reading/"]).unwrap();
        for (log, place) in
            [("a", "reading"), ("a", "reading/"), ("a", "reads"), ("b", "reading/1")]
        {
            connection.execute(SET, rusqlite::params![log, place, b"x"]).unwrap();
        }
        assert!(!any());
        for place in ["reading/00ff", "reading/zz"] {
            connection.execute(SET, rusqlite::params!["a", place, b"x"]).unwrap();
            assert!(any());
        }
        assert_eq!(connection.execute(REMOVE_ALL, ["a", "reading/"]).unwrap(), 2);
        assert!(!any());
        assert!(get(&connection, "b", "reading/1").is_some());
    }

    #[test]
    fn a_log_that_is_over_is_closed_with_one_statement() {
        let connection = database();
        let places = ["alive", "log/000000", "state", "state/0/000", "state/1/001"];
        for (log, place) in places.iter().flat_map(|place| [("a", place), ("b", place)]) {
            connection.execute(SET, rusqlite::params![log, place, b"x"]).unwrap();
        }
        for (number, holder) in [(0, "a"), (1, "b")] {
            let none: Option<&str> = None;
            let values = rusqlite::params![2, holder, 60, 0, 120, none, none];
            let taken = connection.query_row(slot::TAKE, values, |row| row.get(0));
            assert_eq!(taken, Ok(number));
        }
        let close_with = |value: &[u8], slot: Option<u32>| {
            let values = rusqlite::params!["a", "log/000001", value, slot];
            connection.prepare(CLOSE).unwrap().exists(values).unwrap()
        };
        let close = |slot| assert!(close_with(b"end", slot));
        close(None);
        close(Some(1));
        let holders = || {
            let mut all =
                connection.prepare("SELECT holder FROM ask_place ORDER BY number").unwrap();
            let rows = all.query_map([], |row| row.get::<_, String>(0)).unwrap();
            rows.map(Result::unwrap).collect::<Vec<_>>()
        };
        assert_eq!(holders(), ["a", "b"], "another's place stays taken");
        close(Some(0));
        assert_eq!(holders(), ["b"]);
        assert_eq!(get(&connection, "a", "log/000001").as_deref(), Some(b"end".as_slice()));
        let kept = |log| {
            let mut all = connection
                .prepare("SELECT place FROM log_value WHERE log = ?1 ORDER BY place")
                .unwrap();
            let rows = all.query_map([log], |row| row.get::<_, String>(0)).unwrap();
            rows.map(Result::unwrap).collect::<Vec<_>>()
        };
        assert_eq!(kept("a"), ["alive", "log/000000", "log/000001"]);
        assert_eq!(kept("b"), places);
        // Where somebody else was first it stays as it is, with what can be gone on with.
        connection.execute(SET, rusqlite::params!["a", "state", b"x"]).unwrap();
        assert!(close_with(b"end", None));
        connection.execute(SET, rusqlite::params!["a", "state", b"x"]).unwrap();
        assert!(!close_with(b"another", None));
        assert_eq!(get(&connection, "a", "log/000001").as_deref(), Some(b"end".as_slice()));
        assert!(get(&connection, "a", "state").is_some());
    }

    /// Pages that are written for each of these values of one place, one after the other, while the values
    /// of another log stand before it.
    fn pages(values: &[Vec<u8>]) -> Vec<u64> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file.db");
        let connection = Connection::open(&file).unwrap();
        for step in migration(0).unwrap() {
            connection.execute(&step, []).unwrap();
        }
        connection.pragma_update(None, "journal_mode", "wal").unwrap();
        let log = file.with_extension("db-wal");
        let mut before = 0;
        let mut pages = Vec::new();
        connection.execute(SET, rusqlite::params!["0", "log/000000", vec![b'x'; 26_000]]).unwrap();
        for value in values {
            connection.execute(SET, rusqlite::params!["1", "state", value]).unwrap();
            let length = std::fs::metadata(&log).unwrap().len();
            // Each page has a head of 24 bytes, and the file one of 32.
            pages.push((length - 32) / (4_096 + 24) - before);
            before += pages.last().unwrap();
        }
        pages
    }

    #[test]
    fn a_state_that_has_grown_is_written_over_the_one_before_it() {
        let kept = |size: usize| {
            let state = format!("{size} {}", "s".repeat(size));
            let snapshot = Snapshot::new("ask", &"f".repeat(32), Timestamp(7), false, state);
            snapshot.unwrap().values(false).pop().unwrap().1.to_vec()
        };
        let sizes = [3_000, 4_600, 5_900, 7_200];
        let with_blanks: u64 = pages(&sizes.map(kept))[1..].iter().sum();
        let without: u64 = pages(&sizes.map(|size| vec![b's'; size]))[1..].iter().sum();
        assert!(with_blanks + 3 <= without, "{with_blanks} pages instead of {without}");
    }

    /// SQLite compares keys of a table without row ids by reading whole rows.
    #[test]
    fn no_table_with_values_is_without_row_ids() {
        let connection = database();
        let tables =
            "SELECT count(*) FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
             WHERE t.schema = 'main' AND t.wr = 1 AND c.type = 'BLOB'";
        assert_eq!(connection.query_row(tables, [], |row| row.get(0)), Ok(0));
        let ours = "SELECT count(*) FROM pragma_table_info('log_value') WHERE type = 'BLOB'";
        assert_eq!(connection.query_row(ours, [], |row| row.get(0)), Ok(1));
    }

    #[test]
    fn a_sweep_deletes_what_is_old_a_few_at_a_time() {
        let connection = database();
        for place in 0..250 {
            let values = rusqlite::params!["0001", place.to_string(), b"x"];
            connection.execute(SET, values).unwrap();
        }
        connection.execute(SET, rusqlite::params!["0002", "state", b"young"]).unwrap();
        let has_old = || connection.prepare(HAS_OLD).unwrap().exists(["0002"]).unwrap();
        for swept in [100, 100, 50] {
            assert!(has_old());
            assert_eq!(connection.execute(SWEEP, ["0002"]).unwrap(), swept);
        }
        assert!(!has_old());
        assert!(get(&connection, "0002", "state").is_some());
    }
}
