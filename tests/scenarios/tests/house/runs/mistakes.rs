//! What is wrong with a request about a run, or with what stands around it: each has an answer that names the field or
//! the cause and the way out, and nothing of the run is lost.

use super::*;
use quarry_machines::run::Brief;
use quarry_scenarios::quarry::Stores;

/// The words of a refusal with this status; it must have all of these.
async fn refused(quarry: &Quarry, line: &str, body: &Value, status: u16, words: &[&str]) {
    let (given, answer) = send(quarry, line, body).await;
    assert_eq!(given, status, "{line} {body}: {answer}");
    let message = answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{answer}"));
    for word in words {
        assert!(message.contains(word), "{line} {body}: {message}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_cannot_be_begun_is_refused_by_field_and_costs_nothing() {
    let quarry = start(&[("run_list_nameless", "yes"), ("fallback_model", "")]).await;
    let with = |field: &str, value: Value| {
        let mut body = task();
        body[field] = value;
        body
    };
    for (body, words) in [
        (with("config", json!({ "max_dept": 1 })), &["config.max_dept", "`max_depth`"][..]),
        (
            with("config", json!({ "timeouts": { "runs": 60 } })),
            &["config.timeouts.runs", "nearest is `run`"],
        ),
        (
            with("config", json!({ "retry_policy": { "attemps": 1 } })),
            &["config.retry_policy.attemps", "`attempts`"],
        ),
        (with("config", json!({ "timeouts": [15] })), &["config.timeouts", "query, model, run"]),
        (with("config", json!({ "max_depth": 7 })), &["config.max_depth", "from 0 to 6"]),
        (with("config", json!({ "max_depth": -1 })), &["config.max_depth", "from 0 to 6"]),
        (with("config", json!({ "max_nodes": u64::MAX })), &["config.max_nodes", "from 1 to 2000"]),
        (
            with("config", json!({ "timeouts": { "run": 9 } })),
            &["config.timeouts.run", "from 10 to 86400"],
        ),
        (
            with("config", json!({ "sufficiency_threshold": 1.01 })),
            &["config.sufficiency_threshold", "from 0 to 1"],
        ),
        (with("effort", json!("much")), &["effort", "\"quick\""]),
        (with("budget", json!({ "euros": 3 })), &["`budget`", "`euros`", "`usd`"]),
        (with("budget", json!({ "usd": 0 })), &["budget.usd", "above 0"]),
        (with("budget", json!({ "tokens": 0.5 })), &["budget.tokens"]),
        (with("models", json!({ "wright": "openai:m" })), &["`models`", "`wright`", "`write`"]),
        (with("models", json!({ "read": vec!["openai:m"; 9] })), &["models.read", "at most 8"]),
        (with("sources", json!(["the press"])), &["sources"]),
        (with("collection", json!("A b")), &["collection", "wants 1 to 64"]),
        (with("collection", json!("boats")), &["collection", "\"knowledge\" to sources"]),
        (with("task", json!("q".repeat(32_769))), &["task", "at most 32768 characters"]),
        (with("task", json!("ü".repeat(32_769))), &["task", "at most 32768 characters"]),
        (with("task", json!(" \n ")), &["task", "is missing or empty"]),
        (with("guidance", json!("g".repeat(8_193))), &["guidance", "at most 8192 characters"]),
        (with("model", json!("of-nobody:m")), &["model", "of-nobody"]),
        (with("models", json!({ "judge": "of-nobody:m" })), &["models.judge", "of-nobody"]),
    ] {
        refused(&quarry, "POST /runs", &body, 400, words).await;
    }
    // Nobody pays for this one, whichever role it has.
    let keyless = with("model", json!("groq:llama-3.1-8b-instant"));
    refused(&quarry, "POST /runs", &keyless, 401, &["groq", "apiKey"]).await;
    let judge = with("models", json!({ "judge": ["groq:llama-3.1-8b-instant"] }));
    refused(&quarry, "POST /runs", &judge, 401, &["groq", "apiKey"]).await;
    // A key is sent to the provider that it is for, and to no other.
    let mut anothers = judge;
    (anothers["model"], anothers["apiKey"]) = (json!("openai:m"), json!("own"));
    let words = &["groq", "apiKey goes to openai alone", "models.judge"];
    refused(&quarry, "POST /runs", &anothers, 401, words).await;
    let (_, listed) = send(&quarry, "GET /runs", &Value::Null).await;
    assert_eq!(listed["runs"], json!([]), "none of them is a run");
    assert!(quarry.provider.calls().is_empty());
    // At its ends a task is taken.
    for longest in ["q".repeat(32_768), "ü".repeat(32_768)] {
        let body = json!({ "task": longest, "model": "local:extractive", "effort": "quick" });
        let id = begin(&quarry, &body).await;
        assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
        replays(&quarry, &id).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_run_may_not_do_is_refused_by_cause_and_it_stays_as_it_was() {
    let quarry = start(&[]).await;
    for none in ["0af3", "00000000000000000000000000000000", "0000000000000000000000000000000G"] {
        for line in
            ["GET /runs/ID", "GET /runs/ID/report", "GET /runs/ID/events", "DELETE /runs/ID"]
        {
            refused(&quarry, &line.replace("ID", none), &Value::Null, 404, &["no such run"]).await;
        }
        let fork = format!("POST /runs/{none}/fork");
        refused(&quarry, &fork, &json!({}), 404, &["no such run"]).await;
    }
    let id = begin(&quarry, &task()).await;
    let whole = events(&quarry, &id).await;
    let last = whole.len() as u64;
    let post = |what: &str| format!("POST /runs/{id}/{what}");
    refused(&quarry, &post("abort"), &Value::Null, 409, &["completed"]).await;
    refused(&quarry, &post("guidance"), &json!({ "text": "More." }), 409, &["completed"]).await;
    refused(&quarry, &post("resume"), &json!({}), 409, &["completed", "fork it"]).await;
    for (at, words) in [
        (json!(0), &["at", "above 0"][..]),
        (json!(-1), &["at", "above 0"]),
        (json!(1.5), &["at", "above 0"]),
        (json!(last + 1), &["at", "names no event"]),
        (json!(u64::MAX), &["at"]),
        (json!("end"), &["at"]),
    ] {
        refused(&quarry, &post("fork"), &json!({ "at": at }), 400, words).await;
    }
    let nested = json!({ "config": { "retry_policy": { "max": 1 } } });
    refused(&quarry, &post("fork"), &nested, 400, &["config.retry_policy.max", "max_ms"]).await;
    let waits = json!({ "config": { "retry_policy": { "base_ms": 60_000 } } });
    refused(&quarry, &post("fork"), &waits, 400, &["config.retry_policy.max_ms", "60000"]).await;
    refused(&quarry, &post("fork"), &json!({ "from": 1 }), 400, &["from"]).await;
    assert_eq!(events(&quarry, &id).await, whole);
    replays(&quarry, &id).await;
    // At both ends of its origin a fork is taken.
    for at in [1, last] {
        let (status, shown) = send(&quarry, &post("fork"), &json!({ "at": at })).await;
        assert_eq!(status, 202, "{shown}");
        let fork = shown["run_id"].as_str().unwrap().to_owned();
        assert_eq!(events(&quarry, &fork).await.last().unwrap().name, "run_completed", "{at}");
        replays(&quarry, &fork).await;
    }
}

/// A person ends a run, and wants less of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_resumed_with_less_is_refused_and_then_resumed_with_more() {
    let quarry = start(&[]).await;
    quarry.provider.set_script(script().first(asked(ASKED[1]), [Reply::text("").hold("aborted")]));
    let id = begin(&quarry, &task()).await;
    quarry.provider.holding("aborted", 1).await;
    let post = |what: &str| format!("POST /runs/{id}/{what}");
    assert_eq!(send(&quarry, &post("abort"), &Value::Null).await.0, 202);
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_aborted");
    for (body, words) in [
        (
            json!({ "config": { "max_nodes": 1, "max_rounds": 1 } }),
            &["config.max", "only grow"][..],
        ),
        (json!({ "config": { "timeouts": { "run": 11 } } }), &["config.timeouts.run", "only grow"]),
        (json!({ "config": { "timeouts": { "ran": 11 } } }), &["config.timeouts.ran", "`run`"]),
        // It has no limit of either, so any would be smaller.
        (json!({ "budget": { "tokens": 900_000 } }), &["budget.tokens", "only grow"]),
        (json!({ "budget": { "usd": 5 } }), &["budget.usd", "only grow"]),
        (json!({ "forced": true }), &["forced", "`force`"]),
    ] {
        refused(&quarry, &post("resume"), &body, 400, words).await;
    }
    quarry.provider.set_script(script());
    let more = json!({ "config": { "max_nodes": 2000 } });
    assert_eq!(send(&quarry, &post("resume"), &more).await.0, 202);
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
    replays(&quarry, &id).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_of_a_newer_version_is_left_alone_and_says_what_to_run() {
    let quarry = start(&[]).await;
    if quarry.database.scripted().is_ok() {
        // Its file is its server's.
        return;
    }
    let id = begin(&quarry, &task()).await;
    let told = events(&quarry, &id).await;
    let file = quarry.sqlite().unwrap();
    let newest = "INSERT INTO migration SELECT max(version) + 1 FROM migration RETURNING version";
    let version: i64 = file.query_row(newest, [], |row| row.get(0)).unwrap();
    let quarry = quarry.restart().await.unwrap();
    let words = ["newer", &format!("version {version}")];
    refused(&quarry, "POST /runs", &task(), 503, &words).await;
    refused(&quarry, &format!("GET /runs/{id}"), &Value::Null, 503, &words).await;
    file.execute("DELETE FROM migration WHERE version = ?1", [version]).unwrap();
    let quarry = quarry.restart().await.unwrap();
    assert_eq!(events(&quarry, &id).await, told, "nothing is lost");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_is_full_is_named_with_what_helps_and_costs_nothing() {
    let quarry = start(&[]).await;
    if quarry.database.scripted().is_ok() {
        return;
    }
    let id = begin(&quarry, &task()).await;
    let told = events(&quarry, &id).await;
    quarry.provider.forget();
    let file = quarry.sqlite().unwrap();
    // In SQLite's own words.
    let fill = |table: &str| {
        let full = format!(
            "CREATE TRIGGER no_room_{table} BEFORE INSERT ON {table} \
             BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        );
        file.execute_batch(&full).unwrap();
    };
    fill("run");
    let words = ["disk of the database is full", "make room"];
    refused(&quarry, "POST /runs", &task(), 503, &words).await;
    refused(&quarry, &format!("POST /runs/{id}/fork"), &json!({}), 503, &words).await;
    assert!(quarry.provider.calls().is_empty());
    assert_eq!(events(&quarry, &id).await, told, "what is there can be read");
    // Nor does whoever asks how the server is have to begin a run to know.
    fill("log_value");
    assert_eq!(send(&quarry, "GET /healthz", &Value::Null).await.1["database"], "failing");
    file.execute_batch("DROP TRIGGER no_room_run; DROP TRIGGER no_room_log_value").unwrap();
    assert_eq!(send(&quarry, "GET /healthz", &Value::Null).await.1["database"], "kept");
    let id = begin(&quarry, &task()).await;
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_others_hold_is_named_and_to_be_tried_again() {
    let quarry = start(&[]).await;
    if quarry.database.scripted().is_ok() {
        return;
    }
    // Else it would be locked before its tables are made.
    assert_eq!(send(&quarry, "GET /healthz", &Value::Null).await.1["database"], "kept");
    let file = quarry.sqlite().unwrap();
    file.execute_batch("BEGIN IMMEDIATE").unwrap();
    refused(&quarry, "POST /runs", &task(), 429, &["is locked", "try again"]).await;
    assert_eq!(send(&quarry, "GET /healthz", &Value::Null).await.1["database"], "kept");
    file.execute_batch("COMMIT").unwrap();
    let id = begin(&quarry, &task()).await;
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_is_wanted_of_runs_while_others_hold_the_database_is_refused_alike() {
    let quarry = start(&[]).await;
    if quarry.database.scripted().is_ok() {
        return;
    }
    quarry.provider.set_script(script().first(asked(ASKED[1]), [Reply::text("").hold("aborted")]));
    let aborted = begin(&quarry, &task()).await;
    quarry.provider.holding("aborted", 1).await;
    let abort = format!("POST /runs/{aborted}/abort");
    assert_eq!(send(&quarry, &abort, &Value::Null).await.0, 202);
    assert_eq!(events(&quarry, &aborted).await.last().unwrap().name, "run_aborted");
    let second = Reply::json(&replies()[1]).hold("on");
    quarry.provider.set_script(script().first(asked(ASKED[1]), [second]));
    let id = begin(&quarry, &task()).await;
    quarry.provider.holding("on", 1).await;
    let file = quarry.sqlite().unwrap();
    for (path, body) in [
        ("/runs".to_owned(), task()),
        (format!("/runs/{aborted}/fork"), json!({})),
        (format!("/runs/{aborted}/resume"), json!({})),
        (format!("/runs/{id}/guidance"), json!({ "text": "Prefer official registers." })),
        (format!("/runs/{id}/abort"), Value::Null),
    ] {
        file.execute_batch("BEGIN IMMEDIATE").unwrap();
        let url = format!("{}{path}", quarry.url);
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let open = client::send_once("POST", &url, &[], body).await.unwrap();
        file.execute_batch("COMMIT").unwrap();
        let (status, waits) = (open.status, open.header("retry-after").is_some());
        let error = open.json().await.unwrap()["error"].clone();
        assert_eq!((status.as_u16(), waits), (429, true), "{path}: {error}");
        assert_eq!(error["type"], "busy", "{path}: {error}");
        assert!(error["message"].as_str().unwrap().contains("is locked"), "{path}: {error}");
    }
    let abort = format!("POST /runs/{id}/abort");
    assert_eq!(send(&quarry, &abort, &Value::Null).await.0, 202);
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_aborted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_a_database_says_so_to_whoever_wants_a_run() {
    let mut setup = Setup::new(script());
    setup.stores = Stores::None;
    let quarry = setup.start().await.unwrap();
    refused(&quarry, "POST /runs", &task(), 503, &["SQLite", "granted"]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_was_given_all_the_guidance_that_it_takes_says_so_and_goes_on() {
    let quarry = start(&[]).await;
    let second = Reply::json(&replies()[1]).hold("on");
    quarry.provider.set_script(script().first(asked(ASKED[1]), [second]));
    let id = begin(&quarry, &task()).await;
    quarry.provider.holding("on", 1).await;
    let line = format!("POST /runs/{id}/guidance");
    for nth in 0..200 {
        let (status, body) = send(&quarry, &line, &json!({ "text": format!("Hint {nth}.") })).await;
        assert_eq!(status, 202, "{nth}: {body}");
    }
    refused(&quarry, &line, &json!({ "text": "Hint." }), 409, &["200 times"]).await;
    quarry.provider.release("on");
    let told = events(&quarry, &id).await;
    assert_eq!(told.last().unwrap().name, "run_completed");
    let heard = told.iter().filter(|event| event.name == "guidance_received").count();
    assert_eq!(heard, 200, "what was taken is heard, however short the run is");
    // It shows the first forty, and says how many more there are.
    let report = report(&quarry, &id).await;
    assert!(report.contains("Hint 39") && report.contains("not shown: 160."), "{report}");
    replays(&quarry, &id).await;
}

/// Two servers of one database while one of them is replaced, or a server that was set back to an older version.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_a_newer_quarry_began_is_left_as_it_is_and_says_what_to_use() {
    let quarry = start(&[]).await;
    quarry.provider.set_script(script().first(asked(ASKED[1]), [Reply::text("").hold("dead")]));
    let id = begin(&quarry, &task()).await;
    quarry.provider.holding("dead", 1).await;
    let quarry = dies(quarry).await;
    let file = quarry.sqlite().unwrap();
    let (known, newer) = (Brief::REVISION, Brief::REVISION + 1);
    let aged = format!(
        "UPDATE run_entry SET body = replace(body, '\"revision\":{known}', '\"revision\":{newer}') WHERE n = 1"
    );
    assert_eq!(file.execute(&aged, []).unwrap(), 1);
    file.execute("DELETE FROM run_checkpoint", []).unwrap();
    let entries = || -> i64 {
        file.query_row("SELECT count(*) FROM run_entry", [], |row| row.get(0)).unwrap()
    };
    let (before, calls) = (entries(), quarry.provider.calls().len());
    let (status, shown) = send(&quarry, &format!("GET /runs/{id}"), &Value::Null).await;
    assert_eq!((status, &shown["task"]), (200, &json!(TASK)), "{shown}");
    let revision = format!("revision {newer}");
    let words = &["a newer Quarry", revision.as_str()];
    for (what, body) in [
        ("resume", json!({})),
        ("guidance", json!({ "text": "Prefer official registers." })),
        ("fork", json!({})),
        ("abort", Value::Null),
    ] {
        refused(&quarry, &format!("POST /runs/{id}/{what}"), &body, 409, words).await;
    }
    assert_eq!((entries(), quarry.provider.calls().len()), (before, calls));
}
