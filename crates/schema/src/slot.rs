//! Places among what is under way, of which there are so many.

/// Takes the first free place: parameters how many there are, who takes it, until when, what time
/// it is, and the latest time until which a place can be taken now. A row of its number, or none
/// when all are taken. One statement, so that no two take the same.
pub const TAKE: &str = "WITH RECURSIVE place (number) AS (
         SELECT 0 UNION ALL SELECT number + 1 FROM place WHERE number + 1 < ?1
     )
     INSERT OR REPLACE INTO slot (number, holder, until)
     SELECT number, ?2, ?3 FROM place
     WHERE number NOT IN (SELECT number FROM slot WHERE until > ?4 AND until <= ?5)
     LIMIT 1 RETURNING number";

/// Keeps one for longer: parameters number, holder, until when. One that ran out and has another
/// holder now stays theirs.
pub const RENEW: &str = "UPDATE slot SET until = ?3 WHERE number = ?1 AND holder = ?2";

/// Gives one back: parameters number and holder.
pub const RELEASE: &str = "DELETE FROM slot WHERE number = ?1 AND holder = ?2";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::database;
    use rusqlite::{Connection, OptionalExtension, params};

    fn take(connection: &Connection, places: i64, holder: &str, now: i64) -> Option<i64> {
        let values = params![places, holder, now + 60, now, now + 120];
        connection.query_row(TAKE, values, |row| row.get(0)).optional().unwrap()
    }

    #[test]
    fn as_many_are_taken_as_there_are() {
        let connection = database();
        for (number, holder) in (0..3).zip(["a", "b", "c"]) {
            assert_eq!(take(&connection, 3, holder, 10), Some(number));
        }
        assert_eq!(take(&connection, 3, "d", 10), None);
        // Who does not hold it cannot give it back.
        connection.execute(RELEASE, params![1, "a"]).unwrap();
        assert_eq!(take(&connection, 3, "d", 10), None);
        connection.execute(RELEASE, params![1, "b"]).unwrap();
        assert_eq!(take(&connection, 3, "d", 10), Some(1));
    }

    #[test]
    fn whoever_comes_back_too_late_takes_nothing_from_its_new_holder() {
        let connection = database();
        assert_eq!(take(&connection, 1, "a", 10), Some(0));
        assert_eq!(take(&connection, 1, "b", 100), Some(0));
        connection.execute(RENEW, params![0, "a", 200]).unwrap();
        connection.execute(RELEASE, params![0, "a"]).unwrap();
        assert_eq!(take(&connection, 1, "c", 110), None);
    }

    #[test]
    fn a_place_that_is_not_renewed_is_free_again() {
        let connection = database();
        assert_eq!(take(&connection, 1, "a", 10), Some(0));
        connection.execute(RENEW, params![0, "a", 100]).unwrap();
        assert_eq!(take(&connection, 1, "b", 80), None);
        assert_eq!(take(&connection, 1, "b", 100), Some(0));
        // One that is kept for ever, by a clock that went wrong, is no place that is taken.
        connection.execute(RENEW, params![0, "b", i64::MAX]).unwrap();
        assert_eq!(take(&connection, 1, "c", 100), Some(0));
    }
}
