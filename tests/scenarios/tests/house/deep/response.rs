//! `quarry-run` at `/v1/responses`.

use super::{bearer, get, held, report, send, signed_in, started};
use quarry_scenarios::database::Keeper;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_scenarios::research::{ASKED, TASK, asked, replies, script};
use quarry_test_provider::{Match, Phase, Reply, Script};
use serde_json::{Value, json};
use std::time::Duration;

const RESPONSES: &str = "/v1/responses";

fn body(more: Value) -> Value {
    let effort = json!({ "effort": "low" });
    let mut body =
        json!({ "model": "quarry-run", "input": TASK, "background": true, "reasoning": effort });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

async fn create(quarry: &Quarry, more: Value) -> Value {
    let open = send(quarry, &format!("POST {RESPONSES}"), &[], &body(more)).await;
    assert_eq!(open.status, 200);
    open.json().await.unwrap()
}

fn id(response: &Value) -> &str {
    response["id"].as_str().unwrap()
}

fn run(response: &Value) -> &str {
    response["quarry"]["run"].as_str().unwrap()
}

fn text(response: &Value) -> String {
    let items = response["output"].as_array().unwrap().iter();
    let messages = items.filter(|item| item["type"] == "message");
    messages.map(|item| item["content"][0]["text"].as_str().unwrap()).collect()
}

/// Looks until the response has ended.
async fn ended(quarry: &Quarry, id: &str) -> Value {
    loop {
        let (_, shown) = get(quarry, &format!("{RESPONSES}/{id}")).await;
        if !["queued", "in_progress"].contains(&shown["status"].as_str().unwrap()) {
            return shown;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn streamed(quarry: &Quarry, id: &str, rest: &str) -> String {
    let line = format!("GET {RESPONSES}/{id}?stream=true{rest}");
    send(quarry, &line, &[], &Value::Null).await.text().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_a_response_that_is_fetched_streamed_resumed_followed_and_forgotten() {
    let quarry = started(script()).await;
    let first = create(&quarry, json!({ "metadata": { "a": "b" } })).await;
    assert_eq!((&first["status"], &first["output"]), (&json!("queued"), &json!([])));
    assert_eq!(id(&first), format!("resp_run_{}", run(&first)));
    let last = ended(&quarry, id(&first)).await;
    assert_eq!((&last["status"], &last["metadata"]), (&json!("completed"), &json!({ "a": "b" })));
    assert_eq!(text(&last), report(&quarry, run(&last)).await);
    assert!(last["quarry"]["tokens"].as_u64().unwrap() > 0);
    let items = last["output"].as_array().unwrap();
    assert!(items.iter().any(|item| item["type"] == "web_search_call"), "{last}");
    let thought = |item: &Value| item["summary"][0]["text"].as_str().unwrap_or_default().to_owned();
    assert!(items.iter().any(|item| thought(item).starts_with(&format!("**{TASK}**"))), "{last}");
    let message = items.iter().find(|item| item["type"] == "message").unwrap();
    assert!(!message["content"][0]["annotations"].as_array().unwrap().is_empty());
    // Whoever comes later is told the same, from wherever it left.
    let sent = streamed(&quarry, id(&last), "").await;
    let frames: Vec<&str> =
        sent.split_terminator("\n\n").filter(|frame| *frame != "data: [DONE]").collect();
    let end: Value =
        serde_json::from_str(frames.last().unwrap().split_once("data: ").unwrap().1).unwrap();
    assert_eq!((&end["type"], &end["response"]), (&json!("response.completed"), &last));
    for after in (0..frames.len()).step_by(7) {
        let rest = streamed(&quarry, id(&last), &format!("&starting_after={after}")).await;
        assert!(sent.ends_with(&rest), "after {after}");
        let told = rest.split_terminator("\n\n").filter(|frame| *frame != "data: [DONE]").count();
        assert_eq!(told, frames.len() - after - 1);
    }
    let (_, items) = get(&quarry, &format!("{RESPONSES}/{}/input_items", id(&last))).await;
    assert_eq!(items["data"][0]["content"][0]["text"], TASK);
    // The report is what was said before, for whoever goes on.
    quarry.provider.set_script(Script::ordinary());
    quarry.provider.forget();
    let more = json!({ "model": "quarry", "input": "And when?", "background": false, "previous_response_id": id(&last) });
    let next = create(&quarry, more).await;
    assert_eq!(next["status"], "completed");
    let calls = quarry.provider.calls();
    let setup = calls.iter().find(|call| call.phase() == Some(Phase::Setup)).unwrap().text();
    assert!(setup.contains(TASK) && setup.contains("186 million euros"), "{setup}");
    // So is it for whoever names it by its item alone.
    quarry.provider.forget();
    let report = json!({ "type": "item_reference", "id": message["id"] });
    let input = json!([report, { "role": "user", "content": "And who says so?" }]);
    let more = json!({ "model": "quarry", "input": input, "background": false });
    assert_eq!(create(&quarry, more).await["status"], "completed");
    let calls = quarry.provider.calls();
    let setup = calls.iter().find(|call| call.phase() == Some(Phase::Setup)).unwrap().text();
    assert!(setup.contains("186 million euros"), "{setup}");
    let path = format!("{RESPONSES}/{}", id(&last));
    let gone =
        send(&quarry, &format!("DELETE {path}"), &[], &Value::Null).await.json().await.unwrap();
    assert_eq!(gone, json!({ "id": last["id"], "object": "response", "deleted": true }));
    assert_eq!(get(&quarry, &path).await.0, 404);
    assert_eq!(get(&quarry, &format!("/runs/{}", run(&last))).await.0, 404);
}

/// How often somebody looked for a run's events.
fn looks(quarry: &Quarry, run: &str) -> usize {
    let looked = |(statement, first): &&(String, Option<String>)| {
        statement.contains("SELECT sequence, name, data FROM run_event")
            && first.as_deref() == Some(run)
    };
    quarry.database.scripted().unwrap().statements().iter().filter(looked).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_looks_on_for_whoever_only_wanted_to_know_how_a_run_stands() {
    let judged = Reply::json(&replies()[2]).hold("judging");
    let script = script().first(asked(ASKED[2]), [judged.clone(), judged]);
    let mut setup = Setup::new(script);
    setup.keeper = Keeper::Scripted;
    let quarry = setup.start().await.unwrap();
    let first = create(&quarry, json!({})).await;
    let other = create(&quarry, json!({})).await;
    quarry.provider.holding("judging", 2).await;
    for _ in 0..10 {
        let (_, shown) = get(&quarry, &format!("{RESPONSES}/{}", id(&first))).await;
        assert_eq!(shown["status"], "in_progress");
    }
    // Somebody listens to another run that waits as well, and looks as often as whoever is left behind would.
    let line = format!("GET {RESPONSES}/{}?stream=true", id(&other));
    let listening = send(&quarry, &line, &[], &Value::Null).await;
    let server = quarry.database.scripted().unwrap();
    let mut left = usize::MAX;
    for _ in 0..5 {
        server.forget_statements();
        while looks(&quarry, run(&other)) < 8 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        left = looks(&quarry, run(&first));
        if left == 0 {
            break;
        }
    }
    assert_eq!(left, 0, "somebody looks on for ten who have left");
    drop(listening);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_that_is_cancelled_ends_its_run() {
    let quarry = started(held("judging")).await;
    let first = create(&quarry, json!({})).await;
    quarry.provider.holding("judging", 1).await;
    let path = format!("{RESPONSES}/{}", id(&first));
    let (_, now) = get(&quarry, &path).await;
    assert_eq!(now["status"], "in_progress");
    let busy = send(&quarry, &format!("DELETE {path}"), &[], &Value::Null).await;
    assert_eq!(busy.status, 409);
    let early = json!({ "previous_response_id": id(&first) });
    let early = send(&quarry, &format!("POST {RESPONSES}"), &[], &body(early)).await;
    assert_eq!(early.status, 400);
    let cancelled = send(&quarry, &format!("POST {path}/cancel"), &[], &Value::Null).await;
    let cancelled = cancelled.json().await.unwrap();
    assert_eq!(cancelled["status"], "cancelled", "{cancelled}");
    quarry.provider.release("judging");
    let again = send(&quarry, &format!("POST {path}/cancel"), &[], &Value::Null).await;
    assert_eq!(again.json().await.unwrap(), cancelled);
    assert_eq!(get(&quarry, &format!("/runs/{}", run(&first))).await.1["status"], "aborted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_means_the_run_that_its_first_try_began() {
    let quarry = started(script()).await;
    let tried = async |count: &'static str| {
        let headers = [("x-stainless-retry-count", count)];
        let open = send(&quarry, &format!("POST {RESPONSES}"), &headers, &body(json!({}))).await;
        id(&open.json().await.unwrap()).to_owned()
    };
    let first = tried("0").await;
    assert_eq!(tried("1").await, first);
    let other = tried("0").await;
    assert_ne!(other, first);
    assert_eq!(tried("2").await, other);
    let (_, all) =
        get(&quarry, &format!("/runs/{}", first.strip_prefix("resp_run_").unwrap())).await;
    assert!(all["run_id"].is_string());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_retry_under_a_renewed_token_means_the_run_that_its_first_try_began() {
    let quarry = signed_in(script()).await;
    let tried = async |count: &'static str, renewed: u64| {
        let bearer = bearer(renewed);
        let headers = [("x-stainless-retry-count", count), ("authorization", bearer.as_str())];
        let open = send(&quarry, &format!("POST {RESPONSES}"), &headers, &body(json!({}))).await;
        assert_eq!(open.status, 200);
        id(&open.json().await.unwrap()).to_owned()
    };
    let first = tried("0", 0).await;
    assert_eq!(tried("1", 1).await, first);
    let other = tried("0", 2).await;
    assert_ne!(other, first, "who does not repeat means another");
    assert_eq!(tried("1", 3).await, other);
}

/// What a limit ended is gone on with by whoever sends it again, and known by its first id from then on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_gone_on_with_under_a_renewed_token_is_known_by_the_first_id() {
    let limited = Reply::rate_limited("3");
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [limited]);
    let quarry = signed_in(script).await;
    let asked = json!({ "model": "quarry", "input": "What is six times seven?" });
    let tried = async |count: &'static str, renewed: u64| {
        let bearer = bearer(renewed);
        let headers = [("x-stainless-retry-count", count), ("authorization", bearer.as_str())];
        let open = send(&quarry, &format!("POST {RESPONSES}"), &headers, &asked).await;
        open.header("x-quarry-ask").unwrap().to_owned()
    };
    let first = tried("0", 0).await;
    let paid = quarry.provider.calls().len();
    let next = tried("1", 1).await;
    assert_ne!(next, first);
    let calls = quarry.provider.calls();
    let again = calls[paid..].iter().filter(|call| call.phase() == Some(Phase::Setup)).count();
    assert_eq!((again, calls.len() > paid), (0, true), "it goes on, and does not begin anew");
    // Whoever holds the first id, as a task, has what came of it.
    let bearer = bearer(2);
    let headers = [
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tasks/get"),
        ("mcp-name", first.as_str()),
        ("authorization", bearer.as_str()),
    ];
    let version = "2026-07-28";
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": "tasks/get", "params": {
        "taskId": first,
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities":
                { "extensions": { "io.modelcontextprotocol/tasks": {} } },
        },
    } });
    let shown = send(&quarry, "POST /mcp", &headers, &message).await.json().await.unwrap();
    assert_eq!(shown["result"]["status"], "completed", "{shown}");
    // Sent once more it is the one that went on.
    assert_eq!(tried("2", 3).await, next);
    assert_eq!(quarry.provider.calls().len(), calls.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn runs_are_known_by_their_model_and_refused_where_they_cannot_be() {
    let quarry = started(script()).await;
    let (status, model) = get(&quarry, "/v1/models/quarry-run").await;
    assert_eq!((status, &model["id"]), (200, &json!("quarry-run")));
    // What is listed is offered by chat programs, and each choice of it can be asked there.
    let (_, models) = get(&quarry, "/v1/models").await;
    let ids = models["data"].as_array().unwrap().iter().map(|model| model["id"].as_str().unwrap());
    let ids: Vec<&str> = ids.collect();
    assert!(ids.contains(&"quarry") && !ids.contains(&"quarry-run"), "{ids:?}");
    for (path, body, param) in [
        (RESPONSES, body(json!({ "background": false })), "background"),
        (RESPONSES, body(json!({ "tool_choice": "none" })), "tool_choice"),
        (RESPONSES, body(json!({ "quarry": { "max_iterations": 3 } })), "quarry.max_iterations"),
        (
            "/v1/chat/completions",
            json!({ "model": "quarry-run", "messages": [{ "role": "user", "content": TASK }] }),
            "model",
        ),
    ] {
        let open = send(&quarry, &format!("POST {path}"), &[], &body).await;
        let status = open.status.as_u16();
        let error = open.json().await.unwrap()["error"].clone();
        assert_eq!((status, &error["param"]), (400, &json!(param)), "{error}");
        assert!(error["message"].as_str().unwrap().contains("quarry-run"), "{error}");
    }
    assert_eq!(quarry.provider.calls().len(), 0);
    let unknown = json!({ "previous_response_id": format!("resp_run_{}", "0".repeat(32)) });
    let open = send(&quarry, &format!("POST {RESPONSES}"), &[], &body(unknown)).await;
    assert_eq!(open.json().await.unwrap()["error"]["code"], "previous_response_not_found");
    let ignored = body(json!({ "temperature": 0.5, "max_output_tokens": 9 }));
    let open = send(&quarry, &format!("POST {RESPONSES}"), &[], &ignored).await;
    assert_eq!(open.header("x-quarry-ignored"), Some("max_output_tokens, temperature"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_the_operator_gave_means_a_run_where_its_own_name_does() {
    let setup = Setup::new(script()).variable("model_aliases", "o3-deep-research=quarry-run");
    let quarry = setup.start().await.unwrap();
    let named = json!({ "model": "o3-deep-research" });
    let first = create(&quarry, named.clone()).await;
    assert_eq!(first["model"], "o3-deep-research");
    assert_eq!(id(&first), format!("resp_run_{}", run(&first)));
    assert_eq!(ended(&quarry, id(&first)).await["status"], "completed");
    let (status, model) = get(&quarry, "/v1/models/o3-deep-research").await;
    assert_eq!((status, &model["id"]), (200, &named["model"]));
    let foreground = json!({ "model": "o3-deep-research", "input": TASK });
    let chat =
        json!({ "model": "o3-deep-research", "messages": [{ "role": "user", "content": TASK }] });
    for (path, body, param) in
        [(RESPONSES, foreground, "background"), ("/v1/chat/completions", chat, "model")]
    {
        let open = send(&quarry, &format!("POST {path}"), &[], &body).await;
        assert_eq!(open.status, 400, "{path}");
        let error = open.json().await.unwrap()["error"].clone();
        assert_eq!(error["param"], param, "{error}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_comes_with_another_body_begins_no_second_run() {
    let quarry = started(script()).await;
    let key = [crate::requests::KEY];
    let sent = async |more: Value| {
        let open = send(&quarry, &format!("POST {RESPONSES}"), &key, &body(more)).await;
        let (status, retries) =
            (open.status.as_u16(), open.header("x-should-retry").map(str::to_owned));
        (status, retries, open.json().await.unwrap())
    };
    let (status, _, first) = sent(json!({})).await;
    assert_eq!(status, 200, "{first}");
    for other in [json!({ "input": "And when?" }), json!({ "metadata": { "a": "b" } })] {
        let (status, retries, refused) = sent(other).await;
        assert_eq!((status, retries.as_deref()), (409, Some("false")), "{refused}");
        assert_eq!(refused["error"]["code"], "idempotency_key_reuse");
    }
    let (status, _, again) = sent(json!({})).await;
    assert_eq!((status, id(&again)), (200, id(&first)));
    assert_eq!(ended(&quarry, id(&first)).await["status"], "completed");
    let file = quarry.sqlite().unwrap();
    let runs: i64 = file.query_row("SELECT count(*) FROM run", [], |row| row.get(0)).unwrap();
    assert_eq!(runs, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_key_begins_a_run_or_an_ask_whichever_comes_first() {
    let ask = json!({ "model": "quarry", "background": false });
    for is_known in [false, true] {
        for (first, other, counts) in
            [(json!({}), &ask, (1_i64, 0)), (ask.clone(), &json!({}), (0, 1))]
        {
            let what = format!("{first}, known: {is_known}");
            let quarry = match is_known {
                true => signed_in(Script::ordinary()).await,
                false => started(Script::ordinary()).await,
            };
            let bearer = bearer(0);
            let mut headers = vec![("idempotency-key", "2f6f5c1c-55a1-4b6e-9d20-0c8c6f5b1f2a")];
            headers.extend(is_known.then_some(("authorization", bearer.as_str())));
            let sent = async |more: &Value| {
                let line = format!("POST {RESPONSES}");
                let open = send(&quarry, &line, &headers, &body(more.clone())).await;
                (open.status.as_u16(), open.json().await.unwrap())
            };
            let (status, begun) = sent(&first).await;
            assert_eq!(status, 200, "{what}: {begun}");
            let (status, refused) = sent(other).await;
            assert_eq!(status, 409, "{what}: {refused}");
            assert_eq!(refused["error"]["code"], "idempotency_key_reuse", "{what}");
            // What the key means it means still, and nothing else was begun.
            let (status, again) = sent(&first).await;
            assert_eq!((status, id(&again)), (200, id(&begun)), "{what}");
            let asks = quarry.provider.calls();
            let asks = asks.iter().filter(|call| call.phase() == Some(Phase::Setup)).count();
            let file = quarry.sqlite().unwrap();
            let all = "SELECT count(*) FROM run";
            let runs = file.query_row(all, [], |row| row.get(0)).unwrap();
            assert_eq!((runs, asks), counts, "{what}");
        }
    }
}
