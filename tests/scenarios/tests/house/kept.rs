//! Documents of one's own in a database that a libSQL server keeps: what is replaced, made anew and deleted is gone
//! there as in a file. The server's own pages and logs are its own: what is looked through is every row that it has.

use crate::requests::finds;
use quarry_scenarios::client;
use quarry_scenarios::database::Keeper;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_libsql::{Fault, ScriptedServer};
use quarry_test_provider::Script;
use rusqlite::types::ValueRef;
use serde_json::{Value, json};

const STATS: &str = "GET /knowledge/collections/default/stats";
const REINDEX: &str = "POST /knowledge/collections/default/reindex";

async fn start() -> Quarry {
    let model = "openai:text-embedding-3-small";
    let mut setup = Setup::new(Script::ordinary()).variable("embedding_model", model);
    setup.keeper = Keeper::Scripted;
    setup.start().await.unwrap()
}

fn server(quarry: &Quarry) -> &ScriptedServer {
    quarry.database.scripted().unwrap()
}

async fn json(quarry: &Quarry, line: &str, body: &Value) -> (u16, Value) {
    client::exchanged(&quarry.url, line, body).await.unwrap()
}

async fn load(quarry: &Quarry, name: &str, says: &str) -> Value {
    let body = json!({ "markdown": format!("# {name}\n\n{says}\n"), "metadata": { "id": name } });
    let (status, loaded) = json(quarry, "POST /knowledge/documents", &body).await;
    assert!(matches!(status, 200 | 201), "{loaded}");
    loaded
}

/// The tables that have a word in one of their rows, with its column.
fn stands(quarry: &Quarry, word: &str) -> Vec<String> {
    let file = quarry.sqlite().unwrap();
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table'";
    let mut tables = file.prepare(tables).unwrap();
    let tables: Vec<String> =
        tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let mut found = Vec::new();
    for table in tables {
        let mut rows = file.prepare(&format!("SELECT * FROM \"{table}\"")).unwrap();
        let columns = rows.column_count();
        let mut rows = rows.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            for column in 0..columns {
                let (ValueRef::Text(bytes) | ValueRef::Blob(bytes)) = row.get_ref(column).unwrap()
                else {
                    continue;
                };
                if bytes.windows(word.len()).any(|at| at.eq_ignore_ascii_case(word.as_bytes())) {
                    found.push(format!("{table}, column {column}"));
                }
            }
        }
    }
    found
}

fn count(quarry: &Quarry, what: &str) -> i64 {
    let count = format!("SELECT count(*) FROM {what}");
    quarry.sqlite().unwrap().query_row(&count, [], |row| row.get(0)).unwrap()
}

/// What belongs to nothing that is there.
fn left_over(quarry: &Quarry) -> [i64; 5] {
    [
        "knowledge_document WHERE live = 0",
        "knowledge_blob WHERE live = 0",
        "knowledge_piece WHERE blob NOT IN (SELECT blob FROM knowledge_blob)",
        "knowledge_chunk WHERE document NOT IN (SELECT number FROM knowledge_document)",
        "knowledge_embedding_use WHERE document NOT IN (SELECT number FROM knowledge_document)",
    ]
    .map(|what| count(quarry, what))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_row_keeps_a_word_of_what_was_replaced_made_anew_or_deleted() {
    let quarry = start().await;
    for (name, says) in [
        ("Lamp", "The beacon burns whale oil and shines across the strait."),
        ("Bread", "Knead the rye dough, then bake until dark."),
        ("Bees", "The hive winters on honey; the queen lays again in spring."),
    ] {
        assert_eq!(load(&quarry, name, says).await["change"], "added");
    }
    let private = load(&quarry, "Private", "The quicklime kiln at Zennorvale.").await;
    for word in ["quicklime", "zennorval", "kiln"] {
        assert!(!stands(&quarry, word).is_empty(), "the test sees what is there: {word}");
    }

    let replaced = load(&quarry, "Private", "The lighterage is owed at Porthleven.").await;
    assert_eq!(replaced["change"], "replaced");
    for word in ["quicklim", "zennorval", "kiln"] {
        assert_eq!(stands(&quarry, word), Vec::<String>::new(), "{word} of what was replaced");
    }
    assert_eq!(finds(&quarry, "lighterage").await[0], "Private");

    let (status, stats) = json(&quarry, REINDEX, &Value::Null).await;
    assert_eq!((status, &stats["embedding"]["vectors"]), (200, &json!(4)), "{stats}");
    assert_eq!(finds(&quarry, "whale oil beacon").await[0], "Lamp");
    assert_eq!(left_over(&quarry), [0; 5]);

    let id = private["document"]["id"].as_str().unwrap();
    let (status, _) =
        json(&quarry, &format!("DELETE /knowledge/documents/{id}"), &Value::Null).await;
    assert_eq!(status, 204);
    for word in ["lighterag", "porthleven", "Private"] {
        assert_eq!(stands(&quarry, word), Vec::<String>::new(), "{word} of what was deleted");
    }
    assert_eq!(count(&quarry, "knowledge_embedding_use"), 3);
    assert_eq!(finds(&quarry, "whale oil beacon").await[0], "Lamp", "the others are there");
    assert_eq!(left_over(&quarry), [0; 5]);
    // Settings of a connection are the server's own: nobody asks for them at each statement.
    let arrived = server(&quarry).statements();
    let asked = |words: &str| arrived.iter().filter(|(sql, _)| sql.contains(words)).count();
    assert_eq!(asked("secure_delete"), 0);
}

/// A server may carry out what it does not answer: what is there is what was said, or what was there before.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_a_server_does_not_answer_no_word_is_left_of_what_was_deleted() {
    let quarry = start().await;
    load(&quarry, "Lamp", "The beacon burns whale oil and shines across the strait.").await;
    let words = [
        "INSERT INTO knowledge_commit",
        "INSERT INTO knowledge_chunk",
        "INSERT INTO knowledge_piece",
        "DELETE FROM knowledge_document",
        "DELETE FROM knowledge_embedding_use",
    ];
    for words in words {
        for fault in [Fault::CutAfter, Fault::CutInside, Fault::CutBefore, Fault::Status(502)] {
            let body = json!({
                "markdown": "# Private\n\nThe quicklime kiln at Zennorvale.",
                "metadata": { "id": "Private" },
            });
            server(&quarry).fault(words, 0..1, fault.clone());
            drop(json(&quarry, "POST /knowledge/documents", &body).await);
            server(&quarry).heal();
            let loaded = load(&quarry, "Private", "The quicklime kiln at Zennorvale, too.").await;
            let id = loaded["document"]["id"].as_str().unwrap();
            let line = format!("DELETE /knowledge/documents/{id}");
            server(&quarry).fault(words, 0..1, fault.clone());
            let (status, _) = json(&quarry, &line, &Value::Null).await;
            server(&quarry).heal();
            if status != 204 {
                let (again, _) = json(&quarry, &line, &Value::Null).await;
                assert!(matches!(again, 204 | 404), "{fault:?} of {words}: {again}");
            }
            for word in ["quicklim", "zennorval", "kiln"] {
                let left = stands(&quarry, word);
                assert_eq!(left, Vec::<String>::new(), "{word} behind {fault:?} of {words}");
            }
            let (_, stats) = json(&quarry, STATS, &Value::Null).await;
            assert_eq!((&stats["documents"], &stats["chunks"]), (&json!(1), &json!(1)), "{stats}");
            assert_eq!(finds(&quarry, "whale oil beacon").await, ["Lamp"]);
        }
    }
}
