//! The part of the tour that is about runs.

use super::{Tour, start};
use crate::account::{CLIENT_ID, bearer, token};
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::{Quarry, Setup, Stores};
use quarry_test_provider::{Fault, Match, Reply, Script};
use serde_json::{Value, json};

/// A run's routes: method, path behind `/runs`, and what else is wanted of a caller than the id.
const ROUTES: [(&str, &str, bool); 13] = [
    ("POST", "", true),
    ("GET", "", true),
    ("POST", "/drive", true),
    ("GET", "/ID", false),
    ("DELETE", "/ID", true),
    ("GET", "/ID/events", false),
    ("POST", "/ID/abort", false),
    ("POST", "/ID/resume", true),
    ("POST", "/ID/guidance", true),
    ("POST", "/ID/fork", true),
    ("GET", "/ID/report", false),
    ("GET", "/ID/trace", true),
    ("POST", "/ID/drive", false),
];

const TASK: &str = "What did the Orrin Bridge cost?";
const UNKNOWN: &str = "00000000000000000000000000000000";
/// Where a body is read.
pub const READ: [&str; 5] =
    ["/runs", "/runs/ID/abort", "/runs/ID/resume", "/runs/ID/guidance", "/runs/ID/fork"];
const JSON: &str = "application/json";
const LINES: &str = "application/x-ndjson";
const FRAMES: &str = "text/event-stream";

/// A request to a route, with a body that is right.
fn request(route: &(&str, &str, bool), id: &str) -> (String, Value) {
    let (method, path, _) = route;
    let body = match (*method, *path) {
        ("POST", "") => task(),
        ("POST", "/ID/guidance") => json!({ "text": "Look at the council's papers, too." }),
        ("POST", "/ID/resume" | "/ID/fork") => json!({}),
        _ => Value::Null,
    };
    (format!("{method} /runs{}", path.replace("ID", id)), body)
}

fn task() -> Value {
    json!({ "task": TASK, "model": "local:extractive" })
}

fn another() -> Value {
    json!({ "task": "another", "model": "local:extractive" })
}

fn id_of(snapshot: &Value) -> String {
    snapshot["run_id"].as_str().unwrap().to_owned()
}

impl Tour {
    async fn send(
        &mut self,
        quarry: &Quarry,
        line: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> Open {
        let (method, path) = line.split_once(' ').unwrap();
        let url = format!("{}{path}", quarry.url);
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut all = vec![("origin", "https://front.example")];
        all.extend(headers);
        client::send(method, &url, &all, body).await.unwrap()
    }

    /// Sends a request of the table and looks at its status.
    async fn status(
        &mut self,
        quarry: &Quarry,
        line: &str,
        headers: &[(&str, &str)],
        body: &Value,
        expected: u16,
    ) -> Value {
        let open = self.send(quarry, line, headers, body).await;
        assert_eq!(open.status, expected, "{line} {headers:?}");
        self.read(open).await
    }

    async fn begin(&mut self, quarry: &Quarry, body: &Value) -> String {
        id_of(&self.json(quarry, "POST /runs", body.clone(), 202).await)
    }
}

/// Everything about runs.
pub async fn tour(tour: &mut Tour) {
    of_one_that_completes(tour).await;
    of_one_that_is_steered(tour).await;
    what_is_wrong(tour).await;
    who_may_not(tour).await;
    who_has_a_name(tour).await;
    when_something_is_broken(tour).await;
}

async fn of_one_that_completes(tour: &mut Tour) {
    let quarry = start(&[("run_list_nameless", "yes")]).await;
    let id = tour.begin(&quarry, &task()).await;
    let events = tour.stream(&quarry, &format!("GET /runs/{id}/events"), Value::Null).await;
    let last = events.as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["status"], "completed", "{last}");
    let run = |rest: &str| format!("GET /runs/{id}{rest}");
    let shown = tour.json(&quarry, &run("?include=findings"), Value::Null, 200).await;
    assert_eq!(shown["sequence"], last["sequence"]);
    let after = format!("/events?after={}", last["sequence"]);
    tour.json(&quarry, &run(&after), Value::Null, 204).await;
    for (accept, path) in [
        (LINES, "/events"),
        (JSON, "/report"),
        ("text/markdown", "/report"),
        ("text/html", "/report"),
        (LINES, "/trace"),
        (LINES, "/trace?form=bundle"),
    ] {
        tour.status(&quarry, &run(path), &[("accept", accept)], &Value::Null, 200).await;
    }
    tour.status(&quarry, &run("/report"), &[("accept", "image/png")], &Value::Null, 406).await;
    for accept in [FRAMES, LINES] {
        tour.status(&quarry, "POST /runs", &[("accept", accept)], &task(), 200).await;
    }
    tour.status(&quarry, "POST /runs", &[("prefer", "wait=50")], &task(), 200).await;
    let key = [("idempotency-key", "0b6f1d5e-2f3a-4c1b")];
    let first = tour.status(&quarry, "POST /runs", &key, &task(), 202).await;
    let same = tour.status(&quarry, "POST /runs", &key, &task(), 202).await;
    assert_eq!(id_of(&first), id_of(&same));
    // One that strangers may have by chance is none.
    let short = [("idempotency-key", "k1")];
    let refused = tour.status(&quarry, "POST /runs", &short, &task(), 400).await;
    assert!(refused.to_string().contains("16 characters"), "{refused}");
    // The same key for something else would pay for what nobody meant.
    let other = tour.status(&quarry, "POST /runs", &key, &another(), 409).await;
    assert!(!other.to_string().contains(&id_of(&first)), "{other}");
    let fork = format!("POST /runs/{id}/fork");
    tour.json(&quarry, &fork, json!({}), 202).await;
    // Whoever did not hear of a fork and asks once more pays for none.
    let key = [("idempotency-key", "5a1c0f9e-77d2-4be0")];
    let first = tour.status(&quarry, &fork, &key, &json!({}), 202).await;
    let same = tour.status(&quarry, &fork, &key, &json!({}), 202).await;
    assert_eq!(id_of(&first), id_of(&same));
    tour.status(&quarry, &fork, &key, &json!({ "task": "Who painted it?" }), 409).await;
    let ended =
        [("abort", Value::Null), ("resume", json!({})), ("guidance", json!({ "text": "x" }))];
    for (what, body) in ended {
        tour.json(&quarry, &format!("POST /runs/{id}/{what}"), body, 409).await;
    }
    tour.json(&quarry, &format!("POST /runs/{id}/drive"), Value::Null, 200).await;
    let listed = tour.json(&quarry, "GET /runs?status=completed&limit=1", Value::Null, 200).await;
    let cursor = listed["next_cursor"].as_str().unwrap();
    tour.json(&quarry, &format!("GET /runs?cursor={cursor}"), Value::Null, 200).await;
    tour.json(&quarry, &format!("DELETE /runs/{id}"), Value::Null, 204).await;
    tour.json(&quarry, &run(""), Value::Null, 404).await;
}

/// A run whose provider keeps it waiting.
async fn of_one_that_is_steered(tour: &mut Tour) {
    let quarry = start(&[("drive_secret", "cron")]).await;
    quarry
        .provider
        .set_script(Script::new().always(Match::Any, Reply::text("").fault(Fault::Hang)));
    let id = tour.begin(&quarry, &json!({ "task": TASK })).await;
    let post = |what: &str| format!("POST /runs/{id}/{what}");
    tour.json(&quarry, &post("guidance"), json!({ "text": "Only the total counts." }), 202).await;
    tour.json(&quarry, &format!("DELETE /runs/{id}"), Value::Null, 409).await;
    tour.json(&quarry, &format!("GET /runs/{id}/report"), Value::Null, 409).await;
    let now = format!("GET /runs/{id}/report?partial=true");
    tour.status(&quarry, &now, &[("accept", "text/markdown")], &Value::Null, 200).await;
    tour.json(&quarry, &post("fork"), json!({ "at": 999_999 }), 400).await;
    tour.json(&quarry, &post("abort"), Value::Null, 202).await;
    let events = tour.stream(&quarry, &format!("GET /runs/{id}/events"), Value::Null).await;
    let last = events.as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["status"], "aborted", "{last}");
    let smaller = json!({ "config": { "max_rounds": 1 } });
    tour.json(&quarry, &post("resume"), smaller, 400).await;
    for _ in 0..2 {
        tour.json(&quarry, &post("resume"), json!({}), 202).await;
    }
    tour.json(&quarry, &post("resume"), json!({ "budget": { "usd": 5.0 } }), 409).await;
    tour.json(&quarry, &post("abort"), Value::Null, 202).await;
    let cron = [("authorization", "Bearer cron")];
    tour.status(&quarry, "POST /runs/drive", &cron, &Value::Null, 200).await;
}

/// Such a path, of a run that is not there.
pub fn at(path: &str) -> String {
    path.replace("ID", UNKNOWN)
}

/// What is wrong with a request, whoever sends it.
async fn what_is_wrong(tour: &mut Tour) {
    let quarry = start(&[]).await;
    for route in &ROUTES {
        let (line, _) = request(route, UNKNOWN);
        let path = line.split_once(' ').unwrap().1;
        tour.json(&quarry, &format!("OPTIONS {path}"), Value::Null, 204).await;
        tour.json(&quarry, &format!("PATCH {path}"), Value::Null, 405).await;
        // A method that another operation at the same path answers is none of this one's.
        for method in ["GET", "POST", "DELETE"] {
            let answers = |it: &&(&str, &str, bool)| it.0 == method && it.1 == route.1;
            if ROUTES.iter().filter(answers).count() == 0 {
                tour.json(&quarry, &format!("{method} {path}"), Value::Null, 405).await;
            }
        }
        if route.1.starts_with("/ID") {
            // Whether there is such a run is not told to whoever would drive it; whether that is an id at all, is.
            let unknown = if route.1 == "/ID/drive" { "none" } else { UNKNOWN };
            let (line, body) = request(route, unknown);
            tour.json(&quarry, &line, body, 404).await;
        }
    }
    for path in READ {
        let post = format!("POST {}", at(path));
        tour.json(&quarry, &post, json!({ "taks": TASK }), 400).await;
        tour.json(&quarry, &post, json!({ "task": "q".repeat(1 << 20) }), 413).await;
    }
    for line in [
        "GET /runs?status=done",
        "GET /runs/ID?include=all",
        "GET /runs/ID/events?after=x",
        "GET /runs/ID/report?partial=x",
        "GET /runs/ID/trace?form=x",
    ] {
        tour.json(&quarry, &line.replace("ID", UNKNOWN), Value::Null, 400).await;
    }
}

/// Who is not let in.
async fn who_may_not(tour: &mut Tour) {
    let settings = [
        ("access_secret", "open sesame"),
        ("drive_secret", "cron"),
        ("google_client_id", "quarry.apps.example"),
    ];
    let secret = start(&settings).await;
    let limited = start(&[
        ("rate_limit_requests", "1"),
        ("rate_limit_window_seconds", "3600"),
        ("drive_secret", "cron"),
    ])
    .await;
    tour.json(&limited, "GET /runs", Value::Null, 200).await;
    // Whoever looks is counted where what it shows is not good.
    let counts = start(&[
        ("rate_limit_requests", "1"),
        ("rate_limit_window_seconds", "3600"),
        ("google_client_id", "quarry.apps.example"),
    ])
    .await;
    let forged = [("authorization", "Bearer eyJhbGciOiJub25lIn0.e30.c2ln")];
    let (look, nothing) = request(&ROUTES[3], UNKNOWN);
    tour.status(&counts, &look, &forged, &nothing, 401).await;
    let wrong = [("authorization", "Bearer wrong")];
    for route in &ROUTES {
        let (line, body) = request(route, UNKNOWN);
        if route.2 {
            tour.status(&secret, &line, &[], &body, 401).await;
            tour.status(&secret, &line, &wrong, &body, 403).await;
            tour.status(&limited, &line, &[], &body, 429).await;
        } else if route.1 != "/ID/drive" {
            tour.status(&secret, &line, &forged, &body, 401).await;
            tour.status(&counts, &line, &forged, &body, 429).await;
        }
    }
}

/// Keys are a caller's own, who is told when one stands for something else.
async fn who_has_a_name(tour: &mut Tour) {
    let quarry = start(&[("google_client_id", CLIENT_ID)]).await;
    let as_of = |email: &str, body: Value| {
        let mut body = body;
        body["google_token"] = json!(token(email));
        body
    };
    let key = [("idempotency-key", "k1")];
    let mut ids = Vec::new();
    for (email, body, status) in [
        ("ada@example.com", task(), 202),
        ("ada@example.com", task(), 202),
        ("ada@example.com", another(), 409),
        ("bob@example.com", another(), 202),
    ] {
        let body = as_of(email, body);
        let answer = tour.status(&quarry, "POST /runs", &key, &body, status).await;
        if status == 202 {
            ids.push(id_of(&answer));
        }
    }
    assert!(ids[0] == ids[1] && ids[1] != ids[2], "{ids:?}");
    let mine = format!("GET /runs/{}", ids[0]);
    for (email, status) in [("ada@example.com", 200), ("bob@example.com", 404)] {
        let headers = [("authorization", bearer(email))];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        tour.status(&quarry, &mine, &headers, &Value::Null, status).await;
    }
    tour.json(&quarry, &mine, Value::Null, 404).await;
}

/// What is broken behind the door.
async fn when_something_is_broken(tour: &mut Tour) {
    let mut setup = Setup::new(Script::ordinary())
        .variable("drive_secret", "cron")
        .variable("run_list_nameless", "yes")
        .variable("cors_allowed_origins", "https://front.example");
    setup.stores = Stores::None;
    let storeless = setup.start().await.unwrap();
    let cron = [("authorization", "Bearer cron")];
    for route in &ROUTES {
        let (line, body) = request(route, UNKNOWN);
        tour.status(&storeless, &line, &cron, &body, 503).await;
    }
    let misspelt = start(&[("run_slice_seconds", "many"), ("drive_secret", "cron")]).await;
    tour.json(&misspelt, "POST /runs", task(), 500).await;
    tour.status(&misspelt, "POST /runs/drive", &cron, &Value::Null, 500).await;
    let quarry = start(&[("run_list_nameless", "yes")]).await;
    let id = tour.begin(&quarry, &task()).await;
    tour.stream(&quarry, &format!("GET /runs/{id}/events"), Value::Null).await;
    let file = quarry.sqlite().unwrap();
    let damage = "UPDATE run SET status = 'lost', due_at = 0, until = NULL, holder = NULL";
    assert_eq!(file.execute(damage, []).unwrap(), 1);
    for route in ROUTES.iter().filter(|route| route.1.starts_with("/ID") || route.0 == "GET") {
        let (line, body) = request(route, &id);
        tour.json(&quarry, &line, body, 500).await;
    }
}
