//! Runs under those who send what nobody would: numbers at their ends, bodies of any shape, readers that leave.

use super::*;
use futures::future::join_all;
use quarry_scenarios::client::Open;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

/// A run without a model, which costs nothing.
fn cheap(fields: Value) -> Value {
    let mut body = json!({ "task": TASK, "effort": "quick", "model": "local:extractive" });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    body
}

async fn raw(quarry: &Quarry, line: &str, body: &str) -> Open {
    let (method, path) = line.split_once(' ').unwrap();
    let url = format!("{}{path}", quarry.url);
    client::send(method, &url, &[], body.to_owned()).await.unwrap()
}

/// Asks, and does not wait for an answer.
async fn leave(quarry: &Quarry, line: &str, body: &str) {
    let host = quarry.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).await.unwrap();
    let length = body.len();
    let request = format!(
        "{line} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
}

/// Every knob at one of its ends.
fn all_at(least: bool) -> Value {
    let of = |ends: [u64; 2]| ends[usize::from(!least)];
    json!({
        "max_depth": of([0, 6]), "max_rounds": of([1, 10]), "max_queries_per_node": of([1, 10]),
        "search_results_per_query": of([1, 20]), "cache_ttl": of([0, 2_592_000]),
        "max_no_gain_retries": of([1, 10]), "decompose_max_children": of([1, 8]),
        "timeouts": { "query": of([1, 120]), "model": of([5, 600]), "run": of([10, 86_400]) },
        "retry_policy": {
            "attempts": of([1, 8]), "base_ms": of([0, 60_000]), "max_ms": of([0, 600_000])
        },
        "max_nodes": of([1, 2_000]), "max_sources": of([1, 2_000]),
        "parallel_queries": of([1, 8]), "sufficiency_threshold": of([0, 1]),
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_at_their_ends_are_held_or_refused_and_never_break_anything() {
    let quarry = start(&[]).await;
    for fields in [
        json!({ "config": all_at(true) }),
        // Deep enough to grow, and no more than a test waits for.
        json!({ "config": { "max_nodes": 20, "max_depth": 6, "decompose_max_children": 8, "parallel_queries": 8 } }),
        json!({ "budget": { "usd": 1e308, "tokens": u64::MAX } }),
        json!({ "budget": { "usd": 5e-324 } }),
        json!({ "budget": { "tokens": 1 } }),
        json!({ "budget": { "tokens": 9_007_199_254_740_993_u64 } }),
    ] {
        let id = begin(&quarry, &cheap(fields.clone())).await;
        assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed", "{fields}");
        replays(&quarry, &id).await;
        let (status, shown) = send(&quarry, &format!("GET /runs/{id}"), &Value::Null).await;
        let budget = fields.get("budget").cloned().unwrap_or_else(|| json!({}));
        assert_eq!((status, &shown["budget"]), (200, &budget));
    }
    let id = begin(&quarry, &cheap(json!({ "config": all_at(false) }))).await;
    let aborted = send(&quarry, &format!("POST /runs/{id}/abort"), &Value::Null).await.0;
    assert!([202, 409].contains(&aborted), "{aborted}");
    for after in ["0", "1", "9223372036854775807", "9223372036854775808", "18446744073709551615"] {
        let open = raw(&quarry, &format!("GET /runs/{id}/events?after={after}"), "").await;
        assert!([200, 204].contains(&open.status.as_u16()), "{after}: {}", open.status);
        open.text().await.unwrap();
    }
    for wrong in ["-1", "1.5", "18446744073709551616", "NaN"] {
        let open = raw(&quarry, &format!("GET /runs/{id}/events?after={wrong}"), "").await;
        assert_eq!(open.status, 400, "{wrong}");
    }
    // What is no number of JSON's, or too large for any.
    for number in ["1e999", "-0", "NaN", "Infinity", "1e-999", "0x10", "01"] {
        let body = format!("{{\"task\":\"{TASK}\",\"budget\":{{\"usd\":{number}}}}}");
        assert_eq!(raw(&quarry, "POST /runs", &body).await.status, 400, "{number}");
    }
}

/// A paid run whose budget is at an end, and is given another end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_budget_at_one_end_waits_and_at_the_other_is_enough() {
    let quarry = start(&[]).await;
    let mut body = task();
    body["budget"] = json!({ "tokens": 1 });
    let id = begin(&quarry, &body).await;
    let told = events(&quarry, &id).await;
    assert_eq!(told.last().unwrap().data["waiting"]["reason"], "budget");
    assert!(quarry.provider.calls().is_empty());
    let more = json!({ "budget": { "tokens": u64::MAX } });
    assert_eq!(send(&quarry, &format!("POST /runs/{id}/resume"), &more).await.0, 202);
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
    replays(&quarry, &id).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_of_any_shape_are_answered_and_nothing_comes_of_them() {
    let quarry = start(&[("run_list_nameless", "yes")]).await;
    let id = begin(&quarry, &cheap(json!({}))).await;
    let whole = events(&quarry, &id).await;
    let deep = |open: &str, close: &str| [open.repeat(40_000), close.repeat(40_000)].concat();
    let nested = |field: &str, value: &str| format!("{{\"{field}\":{value}}}");
    let many: Vec<String> = (0..40_000).map(|n| format!("\"k{n}\":{n}")).collect();
    let bodies = [
        deep("[", "]"),
        nested("task", &deep("[", "]")),
        nested("config", &deep("{\"timeouts\":", "}")),
        nested("models", &deep("[", "]")),
        nested("config", &format!("{{{}}}", many.join(","))),
        format!("{{{}}}", many.join(",")),
        "\u{feff}{}".to_owned(),
        "{\"task\":\"\\ud800\"}".to_owned(),
        "{\"task\":\"x\"} {}".to_owned(),
        "{\"text\":\"x\"".to_owned(),
        "null".to_owned(),
        "\0".to_owned(),
    ];
    for what in ["", "/resume", "/guidance", "/fork"] {
        let line = match what {
            "" => "POST /runs".to_owned(),
            what => format!("POST /runs/{id}{what}"),
        };
        for body in &bodies {
            let open = raw(&quarry, &line, body).await;
            let shown: String = body.chars().take(30).collect();
            assert_eq!(open.status, 400, "{line} {shown}");
            let answer = open.text().await.unwrap();
            assert!(answer.len() < 2_000, "{line} {shown}: it is told all that it sent");
        }
    }
    let (_, listed) = send(&quarry, "GET /runs", &Value::Null).await;
    assert_eq!(listed["runs"].as_array().unwrap().len(), 1);
    assert_eq!(events(&quarry, &id).await, whole);
    // Any characters make a task.
    for task in ["a\0b", "\u{202e}\u{feff}\u{fffd}", "'; DROP TABLE run; --", "</script><b>", "???"]
    {
        let id = begin(&quarry, &cheap(json!({ "task": task, "guidance": task }))).await;
        assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed", "{task:?}");
        let (_, shown) = send(&quarry, &format!("GET /runs/{id}"), &Value::Null).await;
        assert_eq!((&shown["task"], &shown["nodes"][0]["question"]), (&json!(task), &json!(task)));
        assert_eq!(
            report(&quarry, &id).await.lines().filter(|it| it.starts_with("## ")).count(),
            8
        );
        replays(&quarry, &id).await;
    }
    let (_, listed) = send(&quarry, "GET /runs", &Value::Null).await;
    assert_eq!(listed["runs"][4]["task"], json!("a\0b"));
}

/// Whoever leaves does so behind the head of the answer, or before it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_leaves_at_any_door_takes_nothing_with_them() {
    let quarry = start(&[("run_lease_ms", "60000")]).await;
    let second = Reply::json(&replies()[1]).hold("left");
    quarry.provider.set_script(script().first(asked(ASKED[1]), [second]));
    let id = begin(&quarry, &task()).await;
    quarry.provider.holding("left", 1).await;
    let doors = [
        ("GET", "", Value::Null),
        ("GET", "?include=findings", Value::Null),
        ("GET", "/events", Value::Null),
        ("GET", "/report?partial=true", Value::Null),
        ("GET", "/trace", Value::Null),
        ("GET", "/trace?form=bundle", Value::Null),
        ("POST", "/guidance", json!({ "text": "Only the total counts." })),
        ("POST", "/resume", json!({})),
        ("POST", "/fork", json!({ "model": "local:extractive", "config": { "max_rounds": 1 } })),
        ("POST", "/drive", Value::Null),
        ("DELETE", "", Value::Null),
    ];
    for _ in 0..3 {
        let visits = doors.iter().map(|(method, path, body)| {
            let line = format!("{method} /runs/{id}{path}");
            let body = if body.is_null() { String::new() } else { body.to_string() };
            let quarry = &quarry;
            async move {
                drop(raw(quarry, &line, &body).await);
                leave(quarry, &line, &body).await;
            }
        });
        join_all(visits).await;
    }
    quarry.provider.release("left");
    let told = events(&quarry, &id).await;
    assert_eq!(told.last().unwrap().name, "run_completed");
    let guided = told.iter().filter(|event| event.name == "guidance_received").count();
    assert!((3..=6).contains(&guided), "{guided}");
    assert_eq!(quarry.provider.calls().len(), ASKED.len(), "nothing is paid twice");
    replays(&quarry, &id).await;
}
