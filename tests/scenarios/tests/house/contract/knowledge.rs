//! The part of the tour that is about documents of one's own.

use super::{Tour, start};
use crate::requests::send;
use quarry_scenarios::quarry::{Setup, Stores};
use quarry_test_provider::{Match, Phase, Reply, Script};
use serde_json::{Value, json};

/// What a model says that cites a document, and a page that nobody found.
const ANSWER: &str = "The late fee is 12 euros a day [Fees]. It is paid at the harbour office in cash or by card [Almanac](https://almanac.example/fees).";

/// Every route: its method, and its path behind `/knowledge`.
const ROUTES: [(&str, &str); 10] = [
    ("POST", "/ask"),
    ("POST", "/documents"),
    ("GET", "/documents"),
    ("GET", "/documents/ID"),
    ("DELETE", "/documents/ID"),
    ("GET", "/documents/ID/chunks"),
    ("POST", "/search"),
    ("GET", "/collections"),
    ("GET", "/collections/default/stats"),
    ("POST", "/collections/default/reindex"),
];

/// Where documents are loaded, and told by frames of their own.
pub const LOADS: &str = "/knowledge/documents";

/// Where a body is read.
pub const READ: [&str; 4] =
    ["/knowledge/ask", LOADS, "/knowledge/search", "/knowledge/collections/default/reindex"];

const UNKNOWN: &str = "00000000000000000000000000000000";
/// What contradicts them.
const OLD: &str =
    "---\ntitle: Fees of 2023\npublished: 2023-03-20\n---\n\nThe late fee is 8 euros a day.\n";
const OFFICE: &str = "# Office\n\nWhoever owes a late fee pays it here, at the counter.\n";
const FEES: &str = "# Fees\n\nThe late fee is 12 euros a day since 1 May 2025.\n";

/// A request to a route, with a body that is right.
fn request((method, path): (&str, &str), id: &str) -> (String, Value) {
    let body = match path {
        "/ask" => json!({ "query": "What is the late fee?" }),
        "/search" => json!({ "query": "late fee" }),
        "/documents" if method == "POST" => json!({ "markdown": FEES }),
        _ => Value::Null,
    };
    (format!("{method} /knowledge{}", path.replace("ID", id)), body)
}

/// The frames of a load: one for each document, and the last says how many there were.
pub fn read(text: &str) -> Value {
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    let (last, each) = names.split_last().unwrap();
    assert!(*last == "done" && each.iter().all(|name| *name == "document"), "{text}");
    json!(names)
}

/// Everything about documents.
pub async fn tour(tour: &mut Tour) {
    in_good_order(tour).await;
    without_its_embeddings(tour).await;
    what_is_wrong(tour).await;
    who_may_not(tour).await;
    when_something_is_broken(tour).await;
}

async fn in_good_order(tour: &mut Tour) {
    let quarry = start(&[]).await;
    let script = Script::new().always(Match::Any, Reply::text(ANSWER));
    quarry.provider.set_script(script);
    let load = "POST /knowledge/documents";
    let loaded = tour.json(&quarry, load, json!({ "markdown": FEES }), 201).await;
    tour.json(&quarry, load, json!({ "markdown": FEES }), 200).await;
    for accept in ["text/event-stream", "application/x-ndjson"] {
        let told = json!({ "markdown": format!("{FEES}\nTold as {accept}.") });
        tour.meet(&quarry, load, accept, &told, 200).await;
    }
    tour.json(&quarry, load, json!({ "markdown": OLD }), 201).await;
    tour.json(&quarry, load, json!({ "markdown": OFFICE }), 201).await;
    let from = |origin, text| json!({ "text": text, "title": "Rules", "origin": origin });
    tour.json(&quarry, load, from("/harbour", "No fires."), 201).await;
    tour.json(&quarry, load, from("/market", "No fires."), 200).await;
    tour.json(&quarry, load, from("/market", "No dogs."), 409).await;
    let id = loaded["document"]["id"].as_str().unwrap().to_owned();
    for route in ROUTES {
        let (line, body) = request(route, &id);
        if !line.starts_with("DELETE") {
            tour.json(&quarry, &line, body, 200).await;
        }
    }
    let (ask, question) = request(ROUTES[0], &id);
    tour.meet(&quarry, &ask, "text/event-stream", &question, 200).await;
    let other = json!({ "query": "Where is the late fee paid?" });
    tour.meet_reused_key(&quarry, "/knowledge/ask", [&question, &other]).await;
    // A citation that fails beside one that holds, and more than are checked.
    let beside = "The late fee is 12 euros a day since 1 May 2025 [Fees] [Office]. ";
    let cites = Reply::text(format!("{beside}{}", "So it is [Fees]. ".repeat(1_002)));
    quarry.provider.set_script(Script::new().always(Match::Any, cites));
    tour.meet(&quarry, &ask, "text/event-stream", &question, 200).await;
    tour.json(&quarry, &format!("DELETE /knowledge/documents/{id}"), Value::Null, 204).await;
}

/// The provider of a collection's embeddings is down when somebody asks.
async fn without_its_embeddings(tour: &mut Tour) {
    let quarry = start(&[("embedding_model", "openai:text-embedding-3-small")]).await;
    tour.json(&quarry, "POST /knowledge/documents", json!({ "markdown": FEES }), 201).await;
    let script = Script::new()
        .always(Match::Phase(Phase::Embedding), Reply::status(500, "on fire"))
        .always(Match::Any, Reply::text(ANSWER));
    quarry.provider.set_script(script);
    let (ask, question) = request(ROUTES[0], UNKNOWN);
    tour.meet(&quarry, &ask, "text/event-stream", &question, 200).await;
    let refusals = [(no_credit(), 402), (Reply::status(400, "Too odd"), 502)];
    for (reply, status) in refusals.clone() {
        quarry.provider.set_script(Script::new().always(Match::Phase(Phase::Embedding), reply));
        let other = json!({ "markdown": "# Tides\n\nThe tide is high at noon." });
        tour.json(&quarry, "POST /knowledge/documents", other, status).await;
    }
    let another = "openai:text-embedding-3-large";
    let quarry = quarry.restart_with("embedding_model", another).await.unwrap();
    for (reply, status) in refusals {
        quarry.provider.set_script(Script::new().always(Match::Phase(Phase::Embedding), reply));
        let reindex = "POST /knowledge/collections/default/reindex";
        tour.json(&quarry, reindex, Value::Null, status).await;
    }
    // Its vectors are too long.
    let script = Script::new().always(Match::Phase(Phase::Embedding), Reply::embeddings(5_000));
    quarry.provider.set_script(script);
    tour.json(&quarry, "POST /knowledge/collections/default/reindex", Value::Null, 413).await;
}

fn no_credit() -> Reply {
    Reply {
        code: Some("insufficient_quota".into()),
        ..Reply::status(429, "You exceeded your current quota, please check your billing details.")
    }
}

async fn what_is_wrong(tour: &mut Tour) {
    let quarry = start(&[]).await;
    for route in ROUTES {
        let (line, body) = request(route, UNKNOWN);
        let path = line.split_once(' ').unwrap().1;
        tour.json(&quarry, &format!("OPTIONS {path}"), Value::Null, 204).await;
        tour.json(&quarry, &format!("PATCH {path}"), Value::Null, 405).await;
        tour.json(&quarry, &format!("{line}?colour=red"), body.clone(), 400).await;
        let is_list = matches!(route, ("POST", "/documents") | ("GET", "/collections"));
        if !is_list && route != ("GET", "/documents") {
            let other = line.replace("default", "nobodys");
            let mut body = body;
            if body.is_object() {
                body["collection"] = json!("nobodys");
            }
            tour.json(&quarry, &other, body, 404).await;
        }
    }
    for path in READ {
        let post = format!("POST {path}");
        tour.json(&quarry, &post, json!({ "collection": "No name" }), 400).await;
        tour.json(&quarry, &post, json!({ "query": "q".repeat(34 << 20) }), 413).await;
    }
    for line in [
        "GET /knowledge/documents?limit=0",
        "GET /knowledge/documents/ID/chunks?from=x",
        "GET /knowledge/collections/Nobodys/stats",
        "POST /knowledge/collections/Nobodys/reindex",
    ] {
        tour.json(&quarry, &line.replace("ID", UNKNOWN), Value::Null, 400).await;
    }
    tour.json(&quarry, "GET /knowledge/documents?collection=nobodys", Value::Null, 404).await;
}

async fn who_may_not(tour: &mut Tour) {
    let secret = start(&[("access_secret", "open sesame")]).await;
    let limited =
        start(&[("rate_limit_requests", "1"), ("rate_limit_window_seconds", "3600")]).await;
    tour.json(&limited, "GET /knowledge/collections", Value::Null, 200).await;
    for route in ROUTES {
        let (line, body) = request(route, UNKNOWN);
        tour.json(&secret, &line, body.clone(), 401).await;
        let wrong = [("authorization", "Bearer wrong"), ("origin", "https://front.example")];
        let open = send(&secret, &line, &wrong, &body).await;
        assert_eq!(open.status, 403, "{line}");
        tour.read(open).await;
        tour.json(&limited, &line, body, 429).await;
    }
}

async fn when_something_is_broken(tour: &mut Tour) {
    let mut setup =
        Setup::new(Script::ordinary()).variable("cors_allowed_origins", "https://front.example");
    setup.stores = Stores::None;
    let storeless = setup.start().await.unwrap();
    for route in ROUTES {
        let (line, body) = request(route, UNKNOWN);
        tour.json(&storeless, &line, body, 503).await;
    }
    let quarry = start(&[]).await;
    let loaded =
        tour.json(&quarry, "POST /knowledge/documents", json!({ "markdown": FEES }), 201).await;
    let id = loaded["document"]["id"].as_str().unwrap().to_owned();
    let (ask, question) = request(ROUTES[0], &id);
    for (reply, status) in [(no_credit(), 402), (Reply::status(500, "on fire"), 502)] {
        quarry.provider.set_script(Script::new().always(Match::Any, reply));
        tour.json(&quarry, &ask, question.clone(), status).await;
    }
    let file = quarry.sqlite().unwrap();
    let damaged = |damage: &str| assert_eq!(file.execute(damage, []).unwrap(), 1, "{damage}");
    damaged("UPDATE knowledge_collection SET manifest = 'lost', created_at = 'lost'");
    let stats = "GET /knowledge/collections/default/stats";
    tour.json(&quarry, stats, Value::Null, 500).await;
    damaged("UPDATE knowledge_document SET record = 'lost'");
    damaged("UPDATE knowledge_chunk SET place = 'lost'");
    for route in ROUTES {
        let (line, body) = request(route, &id);
        if line != stats {
            tour.json(&quarry, &line, body, 500).await;
        }
    }
}
