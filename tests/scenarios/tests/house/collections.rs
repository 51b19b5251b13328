//! Whoever names a collection of documents is answered from that one, whichever way it is asked.

use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::Script;
use serde_json::{Value, json};

const RULES: &str = "local:extractive";
const ASKED: &str = "Where was the ferry Kestrel launched?";

/// A collection, the title of its one document, what only that says, and what only the other one says.
const COLLECTIONS: [(&str, &str, &str, &str); 2] = [
    ("boats", "Log of the Kestrel", "Aldous yard", "Brandt yard"),
    ("ferries", "Register of ferries", "Brandt yard", "Aldous yard"),
];

async fn exchanged(quarry: &Quarry, line: &str, body: &Value) -> (u16, Value) {
    client::exchanged(&quarry.url, line, body).await.unwrap()
}

/// Two collections that say otherwise of the same.
async fn start() -> Quarry {
    let setup = Setup::new(Script::ordinary()).variable("run_list_nameless", "yes");
    let quarry = setup.start().await.unwrap();
    for (collection, title, yard, _) in COLLECTIONS {
        let text =
            format!("# {title}\n\nThe ferry Kestrel was launched at the {yard} in May 1911.\n");
        let body = json!({ "collection": collection, "title": title, "markdown": text });
        let (status, told) = exchanged(&quarry, "POST /knowledge/documents", &body).await;
        assert_eq!(status, 201, "{told}");
    }
    quarry
}

/// What was said is from the one, and not from the other.
#[track_caller]
fn holds(said: &str, says: &str, other: &str) {
    assert!(said.contains(says) && !said.contains(other), "{says} and not {other}: {said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ask_without_a_language_model_is_answered_from_the_collection_that_it_names() {
    let quarry = start().await;
    let asked = |collection: Value| json!({ "query": ASKED, "model": RULES, "sources": "knowledge", "collection": collection });
    for (collection, _, says, other) in COLLECTIONS {
        let (status, answer) =
            exchanged(&quarry, "POST /ask?stream=false", &asked(json!(collection))).await;
        assert_eq!(status, 200, "{answer}");
        holds(&answer.to_string(), says, other);

        let quarry_field = json!({ "sources": "knowledge", "collection": collection });
        let messages = json!([{ "role": "user", "content": ASKED }]);
        let chat = json!({ "model": RULES, "messages": messages, "quarry": quarry_field });
        let (status, answer) = exchanged(&quarry, "POST /v1/chat/completions", &chat).await;
        assert_eq!(status, 200, "{answer}");
        holds(&answer.to_string(), says, other);

        let tools = json!([{ "type": "file_search" }]);
        let quarry_field = json!({ "collection": collection });
        let response =
            json!({ "model": RULES, "input": ASKED, "tools": tools, "quarry": quarry_field });
        let (status, answer) = exchanged(&quarry, "POST /v1/responses", &response).await;
        assert_eq!(status, 200, "{answer}");
        holds(&answer.to_string(), says, other);
    }
    let open = client::ask(&quarry.url, &asked(json!("boats"))).await.unwrap();
    let events = open.events().await.unwrap();
    let init = events.iter().find(|event| event.name == "init").unwrap();
    assert_eq!(init.data["asked"]["collection"], "boats", "{}", init.data);
    // Nobody put anything into the default one.
    let (_, answer) = exchanged(&quarry, "POST /ask?stream=false", &asked(Value::Null)).await;
    let said = answer.to_string();
    assert!(COLLECTIONS.iter().all(|it| !said.contains(it.2)), "{said}");
}

/// A run whose end is waited for, by a key of this name.
async fn begin(quarry: &Quarry, collection: &str, key: &str) -> Open {
    let body = json!({
        "task": ASKED, "model": RULES, "effort": "quick", "sources": "knowledge",
        "collection": collection,
    });
    let key = format!("8b41d7e6-03aa-4f0e-9c12-{key}");
    let headers = [("prefer", "wait=50"), ("idempotency-key", key.as_str())];
    client::by_line(&quarry.url, "POST /runs", &headers, body.to_string()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_searches_the_collection_that_it_names_and_so_does_its_fork() {
    let quarry = start().await;
    for (collection, title, says, other) in COLLECTIONS {
        let other_title = COLLECTIONS.map(|it| it.1).into_iter().find(|it| *it != title).unwrap();
        let open = begin(&quarry, collection, collection).await;
        assert_eq!(open.status, 200);
        let run = open.json().await.unwrap();
        assert_eq!(run["collection"], collection, "{run}");
        let id = run["run_id"].as_str().unwrap().to_owned();
        let line = format!("POST /runs/{id}/fork");
        let (status, fork) = exchanged(&quarry, &line, &json!({ "at": 2 })).await;
        assert_eq!((status, &fork["collection"]), (202, &json!(collection)), "{fork}");
        let fork = fork["run_id"].as_str().unwrap().to_owned();
        for id in [id, fork] {
            let url = format!("{}/runs/{id}", quarry.url);
            let stream = [("accept", "text/event-stream")];
            let open = client::send("GET", &format!("{url}/events"), &stream, String::new()).await;
            let events = open.unwrap().events().await.unwrap();
            let told: String = events.iter().map(|event| event.data.to_string()).collect();
            holds(&told, title, other_title);
            let markdown = [("accept", "text/markdown")];
            let open =
                client::send("GET", &format!("{url}/report"), &markdown, String::new()).await;
            holds(&open.unwrap().text().await.unwrap(), says, other);
        }
    }
    let other = begin(&quarry, "ferries", "boats").await;
    assert_eq!(other.status, 409, "another collection is another request");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collection_that_cannot_be_searched_is_refused_by_its_name_at_each_door() {
    let quarry = start().await;
    let wrong = json!({ "sources": "knowledge", "collection": "A b" });
    let unsearched = json!({ "sources": "web", "collection": "boats" });
    for (given, wants) in [
        (wrong, "wants 1 to 64 of a–z, 0–9, - and _"),
        (unsearched, "no documents are searched; add \\\"knowledge\\\" to sources"),
    ] {
        let messages = json!([{ "role": "user", "content": ASKED }]);
        let beside = |mut body: Value| {
            body["sources"] = given["sources"].clone();
            body["collection"] = given["collection"].clone();
            body
        };
        for (line, body, field) in [
            ("POST /ask", beside(json!({ "query": ASKED, "model": RULES })), "`collection`"),
            ("POST /runs", beside(json!({ "task": ASKED, "model": RULES })), "`collection`"),
            (
                "POST /v1/chat/completions",
                json!({ "model": RULES, "messages": messages, "quarry": given }),
                "quarry.collection",
            ),
        ] {
            let (status, told) = exchanged(&quarry, line, &body).await;
            let said = told.to_string();
            assert!(
                status == 400 && said.contains(wants) && said.contains(field),
                "{line}: {said}"
            );
        }
    }
    let (_, listed) = exchanged(&quarry, "GET /runs", &Value::Null).await;
    assert_eq!(listed["runs"], json!([]), "none of them is a run");
}
