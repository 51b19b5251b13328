//! `quarry-run` at `/v1/responses`.

use crate::{get, held, report, send, started};
use quarry_scenarios::quarry::Quarry;
use quarry_scenarios::research::{TASK, script};
use quarry_test_provider::{Phase, Script};
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
async fn runs_are_listed_and_refused_where_they_cannot_be() {
    let quarry = started(script()).await;
    let (_, models) = get(&quarry, "/v1/models").await;
    let ids = models["data"].as_array().unwrap().iter().map(|model| model["id"].as_str().unwrap());
    assert!(ids.collect::<Vec<_>>().contains(&"quarry-run"));
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
