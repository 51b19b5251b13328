//! Places among what is under way, of which there are so many.

/// Whether no key of a sender's, or null, means another request than this one, nor a run of its caller's.
macro_rules! key_is_free {
    ($key:literal, $request:literal, $caller:literal) => {
        concat!(
            "NOT EXISTS (SELECT 1 FROM sender_key WHERE key = ",
            $key,
            " AND request <> ",
            $request,
            ") AND NOT EXISTS (SELECT 1 FROM run WHERE coalesce(caller, '') = coalesce(",
            $caller,
            ", '') AND idempotency_key = ",
            $key,
            ")"
        )
    };
}

/// A row of the first free place, for a statement that writes it and what is selected of the taker beside it, where this
/// holds: two that take by other rules would not see each other.
macro_rules! first_free_place {
    (INSERT $into:literal, SELECT $taker:literal, WHERE $holds:expr) => {
        concat!(
            "WITH RECURSIVE place (number) AS (
         SELECT 0 UNION ALL SELECT number + 1 FROM place WHERE number + 1 < ?1
     )
     ",
            $into,
            "
     SELECT number, ",
            $taker,
            " FROM place
     WHERE number NOT IN (SELECT number FROM ask_place WHERE until > ?4 AND until <= ?5)
         AND NOT EXISTS (SELECT 1 FROM log_value WHERE log IN (?6, ?7) AND place = 'begun')
         AND ",
            $holds,
            "
     LIMIT 1 RETURNING number"
        )
    };
}

/// Takes the first free place: parameters how many there are, who takes it, until when, what time
/// it is, the latest time until which a place can be taken now, and two logs or null. In the first of these the taker is
/// noted as what was begun; where either has such a note none is taken. A row of its number, or none when all are taken
/// or there is a note. One statement, so that no two take the same, and of two with the same note one does.
pub const TAKE: &str = first_free_place!(
    INSERT "INSERT OR REPLACE INTO ask_place (number, holder, until, note)",
    SELECT "?2, ?3, ?6",
    WHERE "TRUE"
);

/// The same, and what is written of the taker beside its place: parameters as above, then what is kept of it, the log of
/// the note by which its items are found, that of its name, a key of its sender's, the request that the key means from
/// now on, and the caller whose it is, each or null. Where no place is taken nothing is written, and none is where the key
/// means another request, or a run.
///
/// It may come late, behind one that was begun since then without a place. So a name that leads to a newer one is left
/// alone until that has ended: its log has parts then, and its state is gone.
pub const TAKE_AND_KEEP: &str = first_free_place!(
    INSERT "INSERT INTO ask_begun (number, holder, until, note, key, request, kept, items, name)",
    SELECT "?2, ?3, ?6, ?11, ?12, ?8, ?9, CASE WHEN EXISTS (
         SELECT 1 FROM log_value AS noted
         WHERE noted.log = ?10 AND noted.place = 'begun' AND noted.value > CAST(?2 AS BLOB)
             AND (NOT EXISTS (SELECT 1 FROM log_value AS part WHERE part.log = CAST(noted.value AS TEXT)
                     AND part.place > 'log/' AND part.place < 'log/{')
                 OR EXISTS (SELECT 1 FROM log_value AS state WHERE state.log = CAST(noted.value AS TEXT)
                     AND state.place = 'state'))
     ) THEN NULL ELSE ?10 END",
    WHERE key_is_free!("?11", "?12", "?13")
);

/// Notes what is begun without a place: parameters who that is, two logs or null, and a key of its sender's with the
/// request that it means from now on and the caller whose it is, or null. It is noted in the first of these where neither
/// has such a note; a row if so. None, and nothing is written, where either has one, or the key means another request, or
/// a run.
pub const NOTE: &str = concat!(
    "INSERT INTO ask_begun (number, holder, until, note, key, request) SELECT NULL, ?1, 0, ?2, ?4, ?5
     WHERE NOT EXISTS (SELECT 1 FROM log_value WHERE log IN (?2, ?3) AND place = 'begun')
         AND ",
    key_is_free!("?4", "?5", "?6"),
    " RETURNING 1"
);

/// Which request a key of a sender's means: parameters the key, and the caller whose it is or null; a row of the request.
/// That of a run is empty: nothing but that run is asked with it.
pub const MEANT: &str = "SELECT request FROM sender_key WHERE key = ?1
     UNION ALL
     SELECT '' FROM run WHERE coalesce(caller, '') = coalesce(?2, '') AND idempotency_key = ?1
     LIMIT 1";

/// Nothing was begun after all: parameters the log of its note, and who is noted. With the note goes what a key of its
/// sender's means by it alone; another's note stays.
pub const UNDO: &str =
    "DELETE FROM log_value WHERE (log = ?1 AND place = 'begun' AND value = CAST(?2 AS BLOB))
         OR (log = ?2 AND place = 'keyed')";

/// Takes the first free place of those that are no asks': they are below zero. Parameters as above, without the logs.
pub const TAKE_OTHER: &str = "WITH RECURSIVE place (number) AS (
         SELECT -1 UNION ALL SELECT number - 1 FROM place WHERE -number < ?1
     )
     INSERT OR REPLACE INTO ask_place (number, holder, until)
     SELECT number, ?2, ?3 FROM place
     WHERE number NOT IN (SELECT number FROM ask_place WHERE until > ?4 AND until <= ?5)
     LIMIT 1 RETURNING number";

/// Keeps one for longer: parameters number, holder, until when. One that ran out and has another
/// holder now stays theirs.
pub const RENEW: &str = "UPDATE ask_place SET until = ?3 WHERE number = ?1 AND holder = ?2";

/// Gives one back: parameters number and holder.
pub const RELEASE: &str = "DELETE FROM ask_place WHERE number = ?1 AND holder = ?2";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::database;
    use rusqlite::{Connection, OptionalExtension, params};

    fn take(connection: &Connection, places: i64, holder: &str, now: i64) -> Option<i64> {
        take_noted(connection, (places, holder, now), [None, None])
    }

    fn take_noted(
        connection: &Connection,
        (places, holder, now): (i64, &str, i64),
        [log, other]: [Option<&str>; 2],
    ) -> Option<i64> {
        let values = params![places, holder, now + 60, now, now + 120, log, other];
        connection.query_row(TAKE, values, |row| row.get(0)).optional().unwrap()
    }

    #[test]
    fn whoever_begins_the_same_takes_no_second_place() {
        let connection = database();
        let take = |holder, logs| take_noted(&connection, (3, holder, 10), logs);
        let noted = |log: &str| {
            let found = connection.query_row(crate::journal::GET, [log, "begun"], |row| row.get(0));
            found.optional().unwrap().map(|value: Vec<u8>| String::from_utf8(value).unwrap())
        };
        assert_eq!(take("a", [Some("n2"), Some("n1")]), Some(0));
        assert_eq!(noted("n2").as_deref(), Some("a"));
        // The same, and the same somewhat later: what was noted before stands.
        assert_eq!(take("b", [Some("n2"), Some("n1")]), None);
        assert_eq!(take("b", [Some("n3"), Some("n2")]), None);
        assert_eq!((noted("n2").as_deref(), noted("n3")), (Some("a"), None));
        // Something else, and what nobody sends again.
        assert_eq!(take("c", [Some("m2"), Some("m1")]), Some(1));
        assert_eq!(take("d", [None, None]), Some(2));
        // Where all are taken, nothing was begun.
        assert_eq!(take("e", [Some("o2"), Some("o1")]), None);
        assert_eq!(noted("o2"), None);
        // A place that is free again brings its earlier note to nobody.
        connection.execute(RELEASE, params![0, "a"]).unwrap();
        assert_eq!(take("e", [Some("o2"), Some("o1")]), Some(0));
        assert_eq!((noted("n2").as_deref(), noted("o2").as_deref()), (Some("a"), Some("e")));
    }

    /// What is written beside a place: what is kept, the log of the items' note, and that of the name's.
    type Beside<'a> = (Option<&'a str>, Option<&'a str>, Option<&'a str>);

    fn take_and_keep(
        connection: &Connection,
        (places, holder, now): (i64, &str, i64),
        [log, other]: [Option<&str>; 2],
        (kept, items, name): Beside<'_>,
    ) -> Option<i64> {
        let kept = kept.map(str::as_bytes);
        let (until, latest) = (now + 60, now + 120);
        let key: Option<&str> = None;
        let values = params![
            places, holder, until, now, latest, log, other, kept, items, name, key, key, key
        ];
        connection.query_row(TAKE_AND_KEEP, values, |row| row.get(0)).optional().unwrap()
    }

    /// Takes a place, or where there is no bound none, for a request that came with this key: whether it is begun.
    fn try_begin(
        connection: &Connection,
        places: Option<i64>,
        (holder, [log, other]): (&str, [&str; 2]),
        (key, request): (&str, &str),
    ) -> rusqlite::Result<bool> {
        let none: Option<&str> = None;
        let Some(places) = places else {
            let values = params![holder, log, other, key, request, none];
            return connection.prepare(NOTE)?.exists(values);
        };
        let values =
            params![places, holder, 70, 10, 130, log, other, none, none, none, key, request, none];
        connection.prepare(TAKE_AND_KEEP)?.exists(values)
    }

    fn begin(
        connection: &Connection,
        places: Option<i64>,
        taker: (&str, [&str; 2]),
        means: (&str, &str),
    ) -> bool {
        try_begin(connection, places, taker, means).unwrap()
    }

    fn meant(connection: &Connection, key: &str) -> Option<String> {
        let values = params![key, None::<&str>];
        connection.query_row(MEANT, values, |row| row.get(0)).optional().unwrap()
    }

    const BOUNDS: [Option<i64>; 2] = [Some(2), None];

    #[test]
    fn a_key_means_its_first_request_and_its_note_and_place_are_written_with_it_or_not_at_all() {
        for places in BOUNDS {
            let connection = database();
            let begin = |taker, means| begin(&connection, places, taker, means);
            let taken = || {
                let all = "SELECT count(*) FROM ask_place";
                connection.query_row(all, [], |row| row.get::<_, i64>(0)).unwrap()
            };
            assert!(begin(("a", ["n2", "n1"]), ("k", "one")), "{places:?}");
            assert_eq!(meant(&connection, "k").as_deref(), Some("one"));
            assert_eq!(written(&connection, "n2", "begun").as_deref(), Some("a"));
            assert_eq!(taken(), i64::from(places.is_some()));
            // Another request: nothing of it is there.
            assert!(!begin(("b", ["m2", "m1"]), ("k", "two")), "{places:?}");
            assert_eq!(written(&connection, "m2", "begun"), None, "{places:?}");
            assert_eq!(taken(), i64::from(places.is_some()));
            // The same once more is noted already, and whatever has another key is free.
            assert!(!begin(("b", ["n3", "n2"]), ("k", "one")), "{places:?}");
            assert_eq!(written(&connection, "b", "keyed"), None, "{places:?}");
            assert!(begin(("b", ["m2", "m1"]), ("l", "two")), "{places:?}");
        }
        // Where all places are taken nothing was begun: the key is free.
        let connection = database();
        assert!(begin(&connection, Some(1), ("a", ["n2", "n1"]), ("k", "one")));
        assert!(!begin(&connection, Some(1), ("b", ["m2", "m1"]), ("l", "two")));
        assert_eq!(meant(&connection, "l"), None);
    }

    #[test]
    fn a_key_whose_statement_was_broken_off_means_nothing() {
        for (places, place) in
            BOUNDS.into_iter().flat_map(|places| ["begun", "keyed"].map(|place| (places, place)))
        {
            let connection = database();
            let breaks = format!(
                "CREATE TRIGGER broken BEFORE INSERT ON log_value WHEN NEW.place = '{place}'
                 BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
            );
            connection.execute_batch(&breaks).unwrap();
            let failed = try_begin(&connection, places, ("a", ["n2", "n1"]), ("k", "one"));
            assert!(failed.is_err(), "{places:?} {place}");
            assert_eq!(meant(&connection, "k"), None, "{places:?} {place}");
            connection.execute_batch("DROP TRIGGER broken").unwrap();
            assert!(begin(&connection, places, ("b", ["m2", "m1"]), ("k", "two")), "{place}");
        }
    }

    #[test]
    fn a_key_is_free_again_where_nothing_was_begun_and_when_the_log_is_kept_no_more() {
        let undo = |connection: &Connection, id: &str| {
            connection.execute(UNDO, ["n2", id]).unwrap();
        };
        let sweep = |connection: &Connection, _: &str| {
            connection.execute(crate::journal::SWEEP, ["b"]).unwrap();
        };
        for (what, ends) in [("undone", undo as fn(&Connection, &str)), ("swept", sweep)] {
            for places in BOUNDS {
                let connection = database();
                assert!(begin(&connection, places, ("a", ["n2", "n1"]), ("k", "one")));
                ends(&connection, "a");
                assert_eq!(meant(&connection, "k"), None, "{what} {places:?}");
                connection.execute(UNDO, ["n2", "a"]).unwrap();
                assert!(begin(&connection, places, ("c", ["m2", "m1"]), ("k", "two")), "{what}");
            }
        }
    }

    #[test]
    fn a_key_lasts_as_long_as_the_newest_ask_that_was_begun_with_it() {
        let connection = database();
        assert!(begin(&connection, None, ("a", ["n2", "n1"]), ("k", "one")));
        // Its request goes on with it, and that is noted already.
        let none: Option<&str> = None;
        let again = |id: &str| {
            let values = params![id, none, none, "k", "one", none];
            connection.prepare(NOTE).unwrap().exists(values).unwrap()
        };
        assert!(again("b") && again("b"));
        // One of which nothing came takes nothing from those before it.
        assert!(again("c"));
        connection.execute(UNDO, ["n2", "c"]).unwrap();
        assert_eq!(written(&connection, "n2", "begun").as_deref(), Some("a"));
        connection.execute(crate::journal::SWEEP, ["b"]).unwrap();
        assert_eq!(meant(&connection, "k").as_deref(), Some("one"));
        connection.execute(crate::journal::SWEEP, ["c"]).unwrap();
        assert_eq!(meant(&connection, "k"), None);
    }

    /// A run that this caller began with a key.
    fn run(connection: &Connection, caller: Option<&str>, key: &str) {
        let none: Option<&str> = None;
        let values = params![
            "r", caller, "queued", "why", "m", 1, none, key, "h", "{}", none, none, "[]", "[]",
            "[]", none, none, none, none
        ];
        connection.execute(crate::run::CREATE, values).unwrap();
    }

    #[test]
    fn one_key_begins_an_ask_or_a_run_whichever_comes_first() {
        let runs = |connection: &Connection| {
            let all = "SELECT count(*) FROM run";
            connection.query_row(all, [], |row| row.get::<_, i64>(0)).unwrap()
        };
        let began_ask = |connection: &Connection, key: &str| {
            connection.prepare(crate::run::BEGAN_ASK).unwrap().exists([key]).unwrap()
        };
        for places in BOUNDS {
            let connection = database();
            let begin = |taker, means| begin(&connection, places, taker, means);
            assert!(begin(("a", ["n2", "n1"]), ("k", "one")), "{places:?}");
            run(&connection, None, "k");
            assert_eq!((runs(&connection), began_ask(&connection, "k")), (0, true), "{places:?}");
            run(&connection, None, "l");
            assert_eq!((runs(&connection), began_ask(&connection, "l")), (1, false), "{places:?}");
            assert!(!begin(("b", ["m2", "m1"]), ("l", "h")), "{places:?}");
            assert_eq!(written(&connection, "m2", "begun"), None, "{places:?}");
            assert!(meant(&connection, "l").is_some_and(|request| request != "h"), "{places:?}");
            // What is forgotten has its key no more.
            connection.execute(UNDO, ["n2", "a"]).unwrap();
            connection.execute("DELETE FROM run", []).unwrap();
            connection.execute(RELEASE, params![0, "a"]).unwrap();
            run(&connection, Some("ada"), "k");
            assert_eq!(runs(&connection), 1, "{places:?}");
            assert!(begin(("b", ["m2", "m1"]), ("l", "h")), "{places:?}");
            // Another's key is another one.
            assert!(begin(("c", ["o2", "o1"]), ("k", "two")), "{places:?}");
        }
    }

    fn written(connection: &Connection, log: &str, place: &str) -> Option<String> {
        let found = connection.query_row(crate::journal::GET, [log, place], |row| row.get(0));
        found.optional().unwrap().map(|value: Vec<u8>| String::from_utf8(value).unwrap())
    }

    #[test]
    fn what_stands_beside_a_place_is_written_with_it_or_not_at_all() {
        let connection = database();
        let (logs, none) = ([Some("n2"), Some("n1")], [None, None]);
        let take = |taker, logs, beside| take_and_keep(&connection, taker, logs, beside);
        let noted = |log: &str| written(&connection, log, "begun");
        let kept = |log: &str| written(&connection, log, "kept");
        let all = |text| (Some(text), Some("i"), Some("m"));
        assert_eq!(take((2, "a", 10), logs, all("one")), Some(0));
        assert_eq!(kept("a").as_deref(), Some("one"));
        assert_eq!(["n2", "i", "m"].map(noted), ["a", "a", "a"].map(|id| Some(id.to_owned())));
        // The same again takes no place, and writes nothing of its own.
        assert_eq!(take((2, "b", 10), logs, (Some("two"), Some("j"), Some("m"))), None);
        assert_eq!((kept("b"), noted("j"), noted("m").as_deref()), (None, None, Some("a")));
        // A name leads to the newest, and the note of items to whose they are.
        assert_eq!(take((2, "b", 10), none, all("two")), Some(1));
        assert_eq!((noted("i").as_deref(), noted("m").as_deref()), (Some("a"), Some("b")));
        // Where all are taken nothing is written.
        assert_eq!(take((2, "c", 10), none, all("three")), None);
        assert_eq!((kept("c"), noted("m").as_deref()), (None, Some("b")));
        // What stands is never another's to replace, and a name that comes late takes the place of no newer one.
        assert_eq!(take((2, "a", 100), none, all("late")), Some(0));
        assert_eq!((kept("a").as_deref(), noted("m").as_deref()), (Some("one"), Some("b")));
        // Each of them may be missing, and a place that ran out is another's.
        assert_eq!(take((1, "d", 300), none, (None, None, Some("k"))), Some(0));
        assert_eq!((kept("d"), noted("k").as_deref()), (None, Some("d")));
        let holder = "SELECT holder FROM ask_place WHERE number = 0";
        let holder: String = connection.query_row(holder, [], |row| row.get(0)).unwrap();
        assert_eq!(holder, "d");
    }

    fn named(connection: &Connection, holder: &str) -> String {
        let taker = (3, holder, 10);
        take_and_keep(connection, taker, [None, None], (None, None, Some("m"))).unwrap();
        written(connection, "m", "begun").unwrap()
    }

    /// The last of a log is written, and its place given back.
    fn close(connection: &Connection, log: &str, place: Option<i64>) {
        let values = params![log, "log/000001", b"end", place];
        assert!(connection.prepare(crate::journal::CLOSE).unwrap().exists(values).unwrap());
    }

    #[test]
    fn what_has_ended_gives_its_name_to_the_next_whatever_the_clocks_say() {
        let connection = database();
        assert_eq!(named(&connection, "0b0"), "0b0");
        // Its clock is behind that of one that is under way, or it comes late.
        assert_eq!(named(&connection, "0a1"), "0b0");
        close(&connection, "0b0", Some(0));
        assert_eq!(named(&connection, "0a2"), "0a2");
        assert_eq!(named(&connection, "0b1"), "0b1");
    }

    #[test]
    fn what_comes_late_takes_no_name_from_a_newer_one_that_has_no_place() {
        let connection = database();
        let set = |place: &str| {
            let values = params!["0b0", place, b"x"];
            connection.execute(crate::journal::SET, values).unwrap();
        };
        let none: Option<&[u8]> = None;
        let values = params!["m", "begun", b"0b0", none];
        connection.execute(crate::journal::RAISE, values).unwrap();
        assert_eq!(named(&connection, "0a1"), "0b0", "nothing of its log is there yet");
        set("state");
        set("log/000000");
        assert_eq!(named(&connection, "0a2"), "0b0", "it goes on");
        close(&connection, "0b0", None);
        assert_eq!(named(&connection, "0a3"), "0a3");
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
    fn places_that_are_no_asks_are_counted_by_themselves() {
        let connection = database();
        let take_other = |holder: &str, now: i64| -> Option<i64> {
            let values = params![2, holder, now + 60, now, now + 120];
            connection.query_row(TAKE_OTHER, values, |row| row.get(0)).optional().unwrap()
        };
        assert_eq!(take(&connection, 1, "ask", 10), Some(0));
        assert_eq!([take_other("a", 10), take_other("b", 10)], [Some(-1), Some(-2)]);
        assert_eq!((take_other("c", 10), take(&connection, 1, "other", 10)), (None, None));
        connection.execute(RELEASE, params![-1, "a"]).unwrap();
        assert_eq!(take_other("c", 10), Some(-1));
        assert_eq!(take_other("d", 70), Some(-1), "who was not heard of has none any more");
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
