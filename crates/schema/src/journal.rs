//! Values of logs under way, each at a place of its log.

/// Reads one: parameters log and place, a row of its value.
pub const GET: &str = "SELECT value FROM journal WHERE log = ?1 AND place = ?2";

/// Whether there is one: parameters log and place, a row if so.
pub const HAS: &str = "SELECT 1 FROM journal WHERE log = ?1 AND place = ?2";

/// Writes one, whatever was there: parameters log, place and value.
pub const SET: &str = "INSERT INTO journal (log, place, value) VALUES (?1, ?2, ?3)
     ON CONFLICT (log, place) DO UPDATE SET value = ?3";

/// Deletes one: parameters log and place.
pub const REMOVE: &str = "DELETE FROM journal WHERE log = ?1 AND place = ?2";

/// Whether there are values of logs born before this id: parameter the id, a row if so.
pub const HAS_OLD: &str = "SELECT 1 FROM journal WHERE log < ?1 LIMIT 1";

/// Deletes some of them: parameter the id. A few at a time, because writers wait for it; without
/// rows, because a host may hold the database until the last of them is read.
pub const SWEEP: &str = "DELETE FROM journal WHERE (log, place) IN
     (SELECT log, place FROM journal WHERE log < ?1 LIMIT 100)";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::database;
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
