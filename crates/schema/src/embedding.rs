//! Vectors of texts, as a provider's model gave them: kept by hash, with the documents that have them.
//!
//! A vector is as many bytes as its model has dimensions. Hashes are hexadecimal digits.

/// Vectors that are there: parameter a JSON array of hashes; a row of hash and bytes for each that is known.
pub const KNOWN: &str = "SELECT hash, value FROM knowledge_embedding
     WHERE hash IN (SELECT value FROM json_each(?1))";

/// Which vectors are there: parameter a JSON array of hashes; a row of the hash for each that is known.
pub const THERE: &str = "SELECT hash FROM knowledge_embedding
     WHERE hash IN (SELECT value FROM json_each(?1))";

/// Keeps vectors that came with one reply: parameters a JSON array of hashes, now, their bytes one behind the other,
/// and how many bytes each has. They take the place of others: a model may have another dimension than it had. Those that
/// no document has count from then on.
pub const KEEP: &str = "INSERT INTO knowledge_embedding (hash, idle_since, value)
     SELECT value, ?2, substr(?3, 1 + key * ?4, ?4) FROM json_each(?1) WHERE true
     ON CONFLICT (hash) DO UPDATE SET value = excluded.value,
         idle_since = max(idle_since, excluded.idle_since)";

/// Notes that a document, which is there or staged, has vectors: parameters its number, the model's number, and a
/// JSON array of hashes. It says so anew of those that were noted: they were left, or have just been paid for again.
pub const USE: &str = "INSERT OR REPLACE INTO knowledge_embedding_use (document, model, hash)
     SELECT number, ?2, value FROM json_each(?3) JOIN knowledge_document ON number = ?1";

/// Notes that a collection has left other models, whose vectors its documents have: parameters the collection's number,
/// the number of the model that counts, and now.
pub const LEAVE: &str = "UPDATE knowledge_embedding_use SET model = -?3 WHERE model > 0 AND model <> ?2
         AND document IN (SELECT number FROM knowledge_document WHERE collection = ?1 AND live = 1)";

/// Forgets which vectors documents had of models that their collection has left, and with it those that nobody has any
/// more: parameter the time before which that was. Some at a time, because writers wait for it.
pub const FORGET: &str = "DELETE FROM knowledge_embedding_use WHERE rowid IN (
         SELECT rowid FROM knowledge_embedding_use WHERE model < 0 AND model > -?1 LIMIT 500)";

/// Forgets which vectors what is staged in place of a document has, and with it those that nothing else has: parameters
/// the owner and name of its collection, and its id.
pub const FORGET_STAGED: &str = "DELETE FROM knowledge_embedding_use WHERE document IN (
         SELECT number FROM knowledge_document WHERE id = ?3 AND live = 0 AND collection = (
             SELECT collection FROM knowledge_collection WHERE owner = ?1 AND name = ?2))";

/// Forgets vectors: parameters a JSON array of hashes, and how many bytes those have that stay, or null. What is there
/// may have been replaced since it was read.
pub const DROP: &str = "DELETE FROM knowledge_embedding
     WHERE hash IN (SELECT value FROM json_each(?1)) AND length(value) IS NOT ?2";

/// Forgets which documents have these vectors: parameters as of [`DROP`]. Those that come in their place are had by
/// whoever says so then.
pub const DROP_USES: &str = "DELETE FROM knowledge_embedding_use AS used
     WHERE hash IN (SELECT value FROM json_each(?1)) AND NOT EXISTS (
         SELECT 1 FROM knowledge_embedding AS kept
         WHERE kept.hash = used.hash AND length(kept.value) = ?2)";

/// Forgets one vector of a collection, so that whoever makes it anew asks for one: parameters its owner and its name.
pub const DOUBT: &str = "DELETE FROM knowledge_embedding WHERE hash = (
         SELECT used.hash FROM knowledge_embedding_use AS used
         JOIN knowledge_document AS document ON document.number = used.document AND document.live = 1
         JOIN knowledge_collection AS collection ON collection.collection = document.collection
         WHERE collection.owner = ?1 AND collection.name = ?2 AND used.model > 0 LIMIT 1)";

/// Whether a vector of a collection was forgotten so: parameters its owner and its name. A row if it was.
pub const DOUBTED: &str = "SELECT 1 FROM knowledge_embedding_use AS used
     JOIN knowledge_document AS document ON document.number = used.document AND document.live = 1
     JOIN knowledge_collection AS collection ON collection.collection = document.collection
     WHERE collection.owner = ?1 AND collection.name = ?2 AND used.model > 0
         AND NOT EXISTS (SELECT 1 FROM knowledge_embedding WHERE hash = used.hash) LIMIT 1";

/// Deletes vectors that no document has: parameter the time before which they came. Some at a time, because writers
/// wait for it.
pub const SWEEP: &str = "DELETE FROM knowledge_embedding WHERE hash IN (
         SELECT hash FROM knowledge_embedding WHERE idle_since < ?1 LIMIT 500)";

/// Takes the right to make a collection anew, which one has at a time: parameters the collection's number, who takes
/// it, until when, what time it is, and the latest time until which it can be had now: a wrong clock keeps nobody out.
/// A row if it was taken.
pub const CLAIM: &str =
    "INSERT INTO knowledge_embedder (collection, holder, until) VALUES (?1, ?2, ?3)
     ON CONFLICT (collection) DO UPDATE SET holder = excluded.holder, until = excluded.until
     WHERE holder = excluded.holder OR until <= ?4 OR until > ?5 RETURNING 1";

/// Keeps it for longer: parameters the collection's number, holder, until when; a row if it was still theirs.
pub const HOLD: &str = "UPDATE knowledge_embedder SET until = ?3
     WHERE collection = ?1 AND holder = ?2 RETURNING 1";

/// Gives it back: parameters the collection's number, and holder.
pub const RELEASE: &str = "DELETE FROM knowledge_embedder WHERE collection = ?1 AND holder = ?2";

/// Says how far whoever has it is: parameters the collection's number, holder, chunks that have their vector, and how
/// many there are.
pub const PROGRESS: &str =
    "INSERT INTO knowledge_embedder_progress (collection, holder, done, chunks) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (collection) DO UPDATE SET holder = excluded.holder, done = excluded.done,
         chunks = excluded.chunks";

/// How far whoever has it is: parameters the collection's number, and what time it is; a JSON array of chunks that
/// have their vector, and how many there are. No row: nobody has it.
pub const UNDER_WAY: &str = "SELECT json_array(done, chunks) FROM knowledge_embedder_progress
     JOIN knowledge_embedder USING (collection, holder) WHERE collection = ?1 AND until > ?2";

/// Whether whoever had it has died: parameters the owner and name of the collection, what time it is, and the latest
/// time until which it can be had now; a row if so.
pub const DIED: &str =
    "SELECT 1 FROM knowledge_embedder JOIN knowledge_collection USING (collection)
     WHERE owner = ?1 AND name = ?2 AND (until <= ?3 OR until > ?4)";

/// Takes texts that no vector is there of and that nobody else has embedded just now: parameters a JSON array of
/// hashes, who takes them, until when, what time it is, the latest time until which they can be had now, how many at
/// most, and 1 where those are taken, too, that a vector is there of, else 0; a row of the hash for each that was taken.
pub const CLAIM_TEXTS: &str = "INSERT INTO knowledge_embedding_claim (hash, holder, until)
     SELECT value, ?2, ?3 FROM json_each(?1)
     WHERE (?7 = 1 OR value NOT IN (SELECT hash FROM knowledge_embedding))
         AND value NOT IN (SELECT hash FROM knowledge_embedding_claim
             WHERE holder <> ?2 AND until > ?4 AND until <= ?5)
     LIMIT ?6
     ON CONFLICT (hash) DO UPDATE SET holder = excluded.holder, until = excluded.until RETURNING hash";

/// Keeps them for longer: parameters who has them, and until when.
pub const HOLD_TEXTS: &str = "UPDATE knowledge_embedding_claim SET until = ?2 WHERE holder = ?1";

/// Gives them back: parameter who has them.
pub const RELEASE_TEXTS: &str = "DELETE FROM knowledge_embedding_claim WHERE holder = ?1";

/// Takes texts away from those who died: parameters what time it is, and the latest time until which they can be had
/// now.
pub const SWEEP_TEXTS: &str =
    "DELETE FROM knowledge_embedding_claim WHERE until <= ?1 OR until > ?2";

/// Adds to what was paid for the vectors of a collection: parameters its owner and name, the model, tokens, billionths
/// of a US dollar, and replies without a known price.
pub const PAY: &str =
    "INSERT INTO knowledge_embedding_cost (collection, model, tokens, nano_usd, unpriced)
     SELECT collection, ?3, ?4, ?5, ?6 FROM knowledge_collection WHERE owner = ?1 AND name = ?2
     ON CONFLICT (collection, model) DO UPDATE SET tokens = tokens + excluded.tokens,
         nano_usd = nano_usd + excluded.nano_usd, unpriced = unpriced + excluded.unpriced";

/// What was paid for the vectors of a collection: parameter its number; a JSON array with an array of model, tokens,
/// billionths of a US dollar and replies without a known price for each model, in the order of their names.
pub const PAID: &str =
    "SELECT json_group_array(json_array(model, tokens, nano_usd, unpriced)) FROM (
         SELECT * FROM knowledge_embedding_cost WHERE collection = ?1 ORDER BY model)";

#[cfg(test)]
mod tests {
    use crate::tests::database;
    use rusqlite::{Connection, params};

    #[test]
    fn one_embeds_a_collection_at_a_time() {
        let connection = database();
        let claims = |collection: i64, who: &str, now: i64| {
            let values = params![collection, who, now + 60, now, now + 120];
            connection.prepare(super::CLAIM).unwrap().exists(values).unwrap()
        };
        let holds = |who: &str, now: i64| {
            connection.prepare(super::HOLD).unwrap().exists(params![1, who, now + 60]).unwrap()
        };
        assert!(claims(1, "a", 10) && claims(2, "b", 10));
        assert!(claims(1, "a", 20), "who asks twice has it");
        assert!(!claims(1, "b", 30) && holds("a", 50) && !claims(1, "b", 100));
        assert!(!holds("b", 100));
        connection.execute(super::RELEASE, params![1, "b"]).unwrap();
        assert!(!claims(1, "b", 100), "who has not got it cannot give it back");
        assert!(claims(1, "b", 110), "it ran out");
        assert!(!holds("a", 111));
        connection.execute(super::RELEASE, params![1, "b"]).unwrap();
        assert!(claims(1, "c", 111));
        assert!(claims(1, "d", -5_000), "a clock that was wrong");
    }

    #[test]
    fn how_far_it_is_is_seen_while_somebody_is_at_it() {
        let connection = database();
        let seen = |now: i64| {
            let values = params![1, now];
            connection.query_row(super::UNDER_WAY, values, |row| row.get::<_, String>(0)).ok()
        };
        let claim = |who: &str, now: i64| {
            let values = params![1, who, now + 60, now, now + 120];
            assert!(connection.prepare(super::CLAIM).unwrap().exists(values).unwrap());
        };
        let says = |who: &str, done: i64| {
            connection.execute(super::PROGRESS, params![1, who, done, 9]).unwrap();
        };
        claim("a", 10);
        assert_eq!(seen(10), None);
        says("a", 0);
        says("a", 4);
        assert_eq!((seen(69).as_deref(), seen(70)), (Some("[4,9]"), None), "it may have died");
        claim("b", 70);
        assert_eq!(seen(70), None, "what another had done");
        says("b", 2);
        assert_eq!(seen(70).as_deref(), Some("[2,9]"));
        connection.execute(super::RELEASE, params![1, "b"]).unwrap();
        claim("b", 80);
        assert_eq!(seen(80), None);
    }

    #[test]
    fn whoever_died_with_the_right_is_seen_when_its_time_is_over() {
        let connection = database();
        let begin = "INSERT INTO knowledge_collection VALUES (1, 'ada', 'default', 0, 0, 0, '')";
        connection.execute(begin, []).unwrap();
        let died = |owner: &str, now: i64| {
            let values = params![owner, "default", now, now + 120];
            connection.prepare(super::DIED).unwrap().exists(values).unwrap()
        };
        assert!(!died("ada", 10), "nobody had it");
        connection.prepare(super::CLAIM).unwrap().exists(params![1, "a", 70, 10, 130]).unwrap();
        assert!(!died("ada", 69) && died("ada", 70) && !died("ben", 70));
        assert!(died("ada", -5_000), "a clock that was wrong");
        connection.execute(super::RELEASE, params![1, "a"]).unwrap();
        assert!(!died("ada", 70));
    }

    #[test]
    fn a_text_is_had_by_one_at_a_time_and_by_nobody_when_its_vector_is_there() {
        let connection = database();
        let takes = |hashes: &str, who: &str, now: i64, (most, anew): (i64, bool)| {
            let mut claim = connection.prepare(super::CLAIM_TEXTS).unwrap();
            let values = params![hashes, who, now + 15, now, now + 30, most, anew];
            let rows = claim.query_map(values, |row| row.get::<_, String>(0)).unwrap();
            let mut taken: Vec<String> = rows.map(Result::unwrap).collect();
            taken.sort();
            taken.concat()
        };
        let claims =
            |hashes: &str, who: &str, now: i64, most: i64| takes(hashes, who, now, (most, false));
        keep(&connection, r#"["k"]"#, &[1, 2]);
        assert_eq!(claims(r#"["a","k","b","c"]"#, "one", 10, 2), "ab");
        assert_eq!(claims(r#"["a","k","b","c"]"#, "other", 11, 9), "c");
        assert_eq!(claims(r#"["a"]"#, "one", 12, 9), "a", "who asks twice has it");
        connection.execute(super::HOLD_TEXTS, params!["one", 60]).unwrap();
        assert_eq!(claims(r#"["a","b","c"]"#, "third", 30, 9), "c", "the other's ran out");
        connection.execute(super::RELEASE_TEXTS, ["one"]).unwrap();
        assert_eq!(claims(r#"["a","b"]"#, "third", 31, 9), "ab");
        assert_eq!(takes(r#"["k"]"#, "one", 31, (1, true)), "k", "another is to take its place");
        assert_eq!(takes(r#"["k"]"#, "third", 32, (1, true)), "", "one at a time");
        assert_eq!(claims(r#"["a"]"#, "fourth", -5_000, 9), "a", "a clock that was wrong");
        connection.execute(super::SWEEP_TEXTS, params![50, 80]).unwrap();
        let left = "SELECT count(*) FROM knowledge_embedding_claim";
        assert_eq!(connection.query_row(left, [], |row| row.get::<_, i64>(0)), Ok(0));
    }

    /// The sums of a collection.
    fn paid(connection: &Connection, collection: i64) -> String {
        connection.query_row(super::PAID, [collection], |row| row.get(0)).unwrap()
    }

    #[test]
    fn what_is_paid_is_summed_up_by_collection_and_model() {
        let connection = database();
        for (number, owner) in [(1, "ada"), (2, "ben")] {
            let begin = "INSERT INTO knowledge_collection VALUES (?1, ?2, 'default', 0, 0, 0, '')";
            connection.execute(begin, params![number, owner]).unwrap();
        }
        let pay = |owner: &str, model: &str, tokens: i64, nano: i64, unpriced: i64| {
            let values = params![owner, "default", model, tokens, nano, unpriced];
            connection.execute(super::PAY, values).unwrap();
        };
        assert_eq!(paid(&connection, 1), "[]");
        pay("ada", "b", 5, 10, 0);
        pay("ada", "a", 1, 0, 1);
        pay("ada", "b", 2, 4, 0);
        pay("nobody", "b", 9, 9, 0);
        assert_eq!(paid(&connection, 1), r#"[["a",1,0,1],["b",7,14,0]]"#);
        assert_eq!(paid(&connection, 2), "[]");
    }

    #[test]
    fn what_collections_had_paid_before_there_were_sums_is_kept() {
        let connection = Connection::open_in_memory().unwrap();
        let (all, later) = (crate::migration(0).unwrap(), crate::migration(13).unwrap());
        for step in &all[..=all.len() - later.len()] {
            connection.execute(step, []).unwrap();
        }
        let manifests = [
            r#"{"form":1,"segments":[],"embedding":{"model":"m","dimension":2,"vectors":1,"tokens":7,"nano_usd":9}}"#,
            r#"{"form":1,"segments":[],"embedding":{"model":"m","dimension":2,"vectors":1,"tokens":3}}"#,
            r#"{"form":1,"segments":[]}"#,
            "no JSON",
        ];
        for (number, manifest) in (0_i64..).zip(manifests) {
            let begin = "INSERT INTO knowledge_collection VALUES (?1, ?1, 'default', 0, 0, 0, ?2)";
            connection.execute(begin, params![number, manifest]).unwrap();
        }
        for step in &later {
            connection.execute(step, []).unwrap();
        }
        assert_eq!(paid(&connection, 0), r#"[["m",7,9,0]]"#);
        assert_eq!(paid(&connection, 1), r#"[["m",3,0,1]]"#, "of no known price");
        assert_eq!((paid(&connection, 2), paid(&connection, 3)), ("[]".into(), "[]".into()));
    }

    fn document(connection: &Connection, live: i64) -> i64 {
        let stage = "INSERT INTO knowledge_document (collection, id, live, staged_at, chunks, bytes, record)
             VALUES (1, hex(randomblob(8)), ?1, 70, 1, 1, '{}') RETURNING number";
        connection.query_row(stage, [live], |row| row.get(0)).unwrap()
    }

    fn keep(connection: &Connection, hashes: &str, bytes: &[u8]) {
        connection.execute(super::KEEP, params![hashes, 50, bytes, 2]).unwrap();
    }

    /// Hashes with whether a document has them.
    fn there(connection: &Connection) -> Vec<(String, Option<i64>)> {
        let all = "SELECT hash, idle_since FROM knowledge_embedding ORDER BY hash";
        let mut all = connection.prepare(all).unwrap();
        let rows = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    }

    #[test]
    fn vectors_of_a_reply_are_found_by_their_hashes() {
        let connection = database();
        keep(&connection, r#"["a","b"]"#, &[1, 2, 3, 4]);
        keep(&connection, r#"["b"]"#, &[9, 9]);
        let mut there = connection.prepare(super::THERE).unwrap();
        let there = there.query_map([r#"["b","c"]"#], |row| row.get::<_, String>(0)).unwrap();
        assert_eq!(there.map(Result::unwrap).collect::<Vec<_>>(), ["b"]);
        let mut known = connection.prepare(super::KNOWN).unwrap();
        let rows = known.query_map([r#"["b","c","a"]"#], |row| Ok((row.get(0)?, row.get(1)?)));
        let mut rows: Vec<(String, Vec<u8>)> = rows.unwrap().map(Result::unwrap).collect();
        rows.sort();
        assert_eq!(
            rows,
            [("a".to_owned(), vec![1, 2]), ("b".to_owned(), vec![9, 9])],
            "what came last"
        );
    }

    #[test]
    fn vectors_that_were_replaced_by_such_as_fit_are_not_forgotten_with_the_others() {
        let connection = database();
        let number = document(&connection, 1);
        keep(&connection, r#"["a","b"]"#, &[1, 2, 3, 4]);
        connection.execute(super::KEEP, params![r#"["c"]"#, 50, [7_u8], 1]).unwrap();
        let all = r#"["a","b","c","gone"]"#;
        connection.execute(super::USE, params![number, 7, all]).unwrap();
        connection.execute(super::KEEP, params![r#"["a"]"#, 60, [9_u8, 9, 9], 3]).unwrap();
        let forget = |spared: Option<i64>| {
            for statement in [super::DROP_USES, super::DROP] {
                connection.execute(statement, params![all, spared]).unwrap();
            }
            let used = "SELECT group_concat(hash, '') FROM knowledge_embedding_use";
            let used: Option<String> = connection.query_row(used, [], |row| row.get(0)).unwrap();
            (there(&connection), used.unwrap_or_default())
        };
        assert_eq!(forget(Some(3)), (vec![("a".to_owned(), None)], "a".to_owned()));
        assert_eq!(forget(None), (Vec::new(), String::new()));
    }

    #[test]
    fn a_vector_that_is_paid_for_anew_and_that_nobody_has_is_not_an_old_one() {
        let connection = database();
        keep(&connection, r#"["a"]"#, &[1, 2]);
        connection.execute(super::KEEP, params![r#"["a"]"#, 90, [9_u8, 9, 9], 3]).unwrap();
        connection.execute(super::SWEEP, [60]).unwrap();
        assert_eq!(there(&connection), [("a".to_owned(), Some(90))]);
    }

    #[test]
    fn the_last_document_that_has_a_vector_takes_it_away_and_a_staged_one_leaves_it() {
        let connection = database();
        let (one, other, staged) =
            (document(&connection, 1), document(&connection, 1), document(&connection, 0));
        keep(&connection, r#"["a","b","c","d"]"#, &[1, 2, 3, 4, 5, 6, 7, 8]);
        for (number, hashes) in
            [(one, r#"["a","b"]"#), (other, r#"["b"]"#), (staged, r#"["b","c"]"#)]
        {
            connection.execute(super::USE, params![number, 7, hashes]).unwrap();
        }
        connection.execute(super::USE, params![99, 7, r#"["d"]"#]).unwrap();
        let delete = |number: i64| {
            connection
                .execute("DELETE FROM knowledge_document WHERE number = ?1", [number])
                .unwrap();
            there(&connection)
        };
        let has = |hash: &str| (hash.to_owned(), None);
        let idle = |hash: &str, since: i64| (hash.to_owned(), Some(since));
        assert_eq!(there(&connection), [has("a"), has("b"), has("c"), idle("d", 50)]);
        assert_eq!(delete(staged), [has("a"), has("b"), idle("c", 70), idle("d", 50)]);
        assert_eq!(delete(one), [has("b"), idle("c", 70), idle("d", 50)]);
        assert_eq!(delete(other), [idle("c", 70), idle("d", 50)]);
        connection.execute(super::SWEEP, [60]).unwrap();
        assert_eq!(there(&connection), [idle("c", 70)]);
    }

    #[test]
    fn vectors_of_a_collections_model_before_are_forgotten_when_it_was_left_long_ago() {
        let connection = database();
        let number = document(&connection, 1);
        keep(&connection, r#"["a","b"]"#, &[1, 2, 3, 4]);
        connection.execute(super::USE, params![number, 7, r#"["a"]"#]).unwrap();
        connection.execute(super::USE, params![number, 8, r#"["b"]"#]).unwrap();
        let leave = |collection: i64, model: i64, now: i64| {
            connection.execute(super::LEAVE, params![collection, model, now]).unwrap();
        };
        let forget = |before: i64| {
            connection.execute(super::FORGET, [before]).unwrap();
            there(&connection).into_iter().map(|(hash, _)| hash).collect::<String>()
        };
        leave(2, 8, 100);
        assert_eq!(forget(999), "ab", "of another collection");
        leave(1, 8, 100);
        leave(1, 8, 200);
        assert_eq!(forget(100), "ab");
        // Who goes back has it again.
        connection.execute(super::USE, params![number, 7, r#"["a"]"#]).unwrap();
        assert_eq!(forget(999), "ab");
        leave(1, 8, 300);
        assert_eq!((forget(300).as_str(), forget(301).as_str()), ("ab", "b"));
    }
}
