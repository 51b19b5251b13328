//! What OpenAI's doors honour beside the question, on the built components: JSON, limits of tools, notes, and a token
//! that is renewed between two tries.

use crate::account::{CLIENT_ID, bearer_of_age};
use crate::requests::post;
use quarry_scenarios::client;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script};
use serde_json::{Value, json};

const QUESTION: &str = "What is six times seven?";
const CHAT: &str = "/v1/chat/completions";
const RESPONSES: &str = "/v1/responses";

async fn started(script: Script) -> Quarry {
    Setup::new(script).start().await.unwrap()
}

fn chat(more: Value) -> Value {
    let mut body = json!({ "messages": [{ "role": "user", "content": QUESTION }] });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn schema() -> Value {
    json!({ "type": "object", "properties": { "product": { "type": "integer" } }, "required": ["product"] })
}

fn response_format() -> Value {
    json!({ "response_format": { "type": "json_schema", "json_schema": { "name": "product", "schema": schema() } } })
}

fn replying(texts: &[&str]) -> Script {
    Script::ordinary()
        .first(Match::Phase(Phase::Format), texts.iter().map(|text| Reply::text(*text)))
}

fn calls(quarry: &Quarry, phase: Phase) -> usize {
    quarry.provider.calls().iter().filter(|call| call.phase() == Some(phase)).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_completion_is_json_that_fits_or_an_error_that_says_what_does_not() {
    let quarry =
        started(replying(&["{\"product\": \"42\"}", "{\"product\": 42}", "no", "{}"])).await;
    let done = post(&quarry, CHAT, &[], &chat(response_format())).await.json().await.unwrap();
    let message = &done["choices"][0]["message"];
    assert_eq!(
        (&message["content"], &done["choices"][0]["finish_reason"]),
        (&json!("{\"product\": 42}"), &json!("stop"))
    );
    let asked =
        quarry.provider.calls().into_iter().find(|call| call.phase() == Some(Phase::Format));
    let asked = asked.unwrap().body["response_format"].clone();
    assert_eq!(
        asked,
        json!({ "type": "json_schema", "json_schema": { "name": "product", "schema": schema() } })
    );
    let failed = post(&quarry, CHAT, &[], &chat(response_format())).await;
    assert_eq!((failed.status.as_u16(), failed.header("x-should-retry")), (500, Some("false")));
    let error = failed.json().await.unwrap()["error"].clone();
    assert_eq!(error["code"], "invalid_output");
    assert!(
        error["message"].as_str().unwrap().contains("must have a member \"product\""),
        "{error}"
    );
    assert_eq!(calls(&quarry, Phase::Format), 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_writes_no_json_says_so_before_anything_is_paid() {
    let quarry = started(Script::ordinary()).await;
    let mut body = chat(response_format());
    body["model"] = json!("local:extractive");
    for (path, body, param) in [
        (CHAT, body, "response_format"),
        (
            RESPONSES,
            json!({ "input": QUESTION, "model": "local:extractive", "text": { "format": { "type": "json_object" } } }),
            "text.format",
        ),
    ] {
        let refused = post(&quarry, path, &[], &body).await;
        assert_eq!(refused.status, 400, "{path}");
        let error = refused.json().await.unwrap()["error"].clone();
        assert_eq!(error["param"], param, "{error}");
        assert!(error["message"].as_str().unwrap().contains("needs a language model"), "{error}");
    }
    assert!(quarry.provider.calls().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_in_json_is_the_same_when_it_is_fetched() {
    let quarry = started(replying(&["{\"product\": 42}", "{\"product\": 42}"])).await;
    let format =
        json!({ "type": "json_schema", "name": "product", "schema": schema(), "strict": false });
    let body = json!({ "input": QUESTION, "text": { "format": format }, "top_p": 0.5, "max_tool_calls": 1 });
    let done = post(&quarry, RESPONSES, &[], &body).await.json().await.unwrap();
    assert_eq!((&done["status"], &done["text"]["format"]), (&json!("completed"), &format));
    assert_eq!((&done["top_p"], &done["max_tool_calls"]), (&json!(0.5), &json!(1)));
    let message = done["output"].as_array().unwrap().last().unwrap();
    assert_eq!(message["content"][0]["text"], "{\"product\": 42}");
    let calls_made = done["output"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|item| item["type"] == "code_interpreter_call");
    assert_eq!(calls_made.count(), 1, "{done}");
    let url = format!("{}{RESPONSES}/{}", quarry.url, done["id"].as_str().unwrap());
    assert_eq!(client::get(&url, &[]).await.unwrap().json().await.unwrap(), done);
    let mut streamed = body.clone();
    streamed["stream"] = json!(true);
    let sent = post(&quarry, RESPONSES, &[], &streamed).await.text().await.unwrap();
    assert_eq!(sent.matches("event: response.output_text.delta").count(), 1, "{sent}");
    let synthesis =
        quarry.provider.calls().into_iter().find(|call| call.phase() == Some(Phase::Synthesis));
    let body = synthesis.unwrap().body;
    assert_eq!((&body["top_p"], body.get("temperature")), (&json!(0.5), None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_web_is_kept_to_the_sites_that_are_allowed() {
    let search = Reply::call("search_web", json!({ "query": "orrin bridge", "limit": 3 }));
    let read = search.and_call("scrape_web_content", json!({ "url": "http://127.0.0.1:9/page" }));
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(1)), [read]);
    let quarry = started(script).await;
    let tools =
        json!([{ "type": "web_search", "filters": { "allowed_domains": ["allowed.example"] } }]);
    let body = json!({ "input": QUESTION, "tools": tools });
    let done = post(&quarry, RESPONSES, &[], &body).await.json().await.unwrap();
    assert_eq!(done["tools"], tools);
    let opened = done["output"]
        .as_array()
        .unwrap()
        .iter()
        .find(|item| item["action"]["type"] == "open_page");
    assert_eq!(opened.unwrap()["status"], "failed", "{done}");
    let told =
        quarry.provider.calls().into_iter().find(|call| call.phase() == Some(Phase::Iteration(2)));
    let told = told.unwrap().text();
    assert!(told.contains("lies outside of what may be read here: allowed.example"), "{told}");
    // What engines find elsewhere is left out.
    assert!(told.contains("\\\"count\\\":0") || told.contains("\"count\":0"), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notes_of_a_completion_are_shown_with_its_ask() {
    let quarry = started(Script::ordinary()).await;
    let noted =
        post(&quarry, CHAT, &[], &chat(json!({ "metadata": { "case": "7" }, "user": "u-1" })))
            .await;
    assert_eq!(noted.header("x-quarry-ignored"), None);
    let ask = noted.header("x-quarry-ask").unwrap().to_owned();
    noted.json().await.unwrap();
    let url = format!("{}{RESPONSES}/resp_{ask}", quarry.url);
    let shown = client::get(&url, &[]).await.unwrap().json().await.unwrap();
    assert_eq!((&shown["metadata"], &shown["user"]), (&json!({ "case": "7" }), &json!("u-1")));
    assert_eq!(shown["status"], "completed");
}

fn with_accounts(script: Script) -> Setup {
    let setup = Setup::new(script).variable("google_client_id", CLIENT_ID);
    setup.variable("allowed_emails", "*@example.com")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_that_was_renewed_between_two_tries_begins_nothing_anew() {
    let quarry = with_accounts(Script::ordinary()).start().await.unwrap();
    let body = chat(json!({}));
    let tried = |bearer: String, count: &'static str| {
        let (quarry, body) = (&quarry, &body);
        async move {
            let headers = [("authorization", bearer.as_str()), ("x-stainless-retry-count", count)];
            let answer = post(quarry, CHAT, &headers, body).await;
            let ask = answer.header("x-quarry-ask").unwrap().to_owned();
            answer.json().await.unwrap();
            ask
        }
    };
    let (old, new) = (bearer_of_age("ada@example.com", 60), bearer_of_age("ada@example.com", 5));
    assert_ne!(old, new);
    let first = tried(old, "0").await;
    assert_eq!(tried(new, "1").await, first);
    assert_eq!(calls(&quarry, Phase::Setup), 1, "it is paid for once");
    // Another account asks for itself.
    assert_ne!(tried(bearer_of_age("bob@example.com", 5), "1").await, first);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_finds_its_ask_with_a_renewed_token_and_others_find_nothing() {
    let planning = Reply::text("no plan").hold("planning");
    let script = Script::ordinary().first(Match::Phase(Phase::Planning), [planning]);
    let quarry = with_accounts(script).start().await.unwrap();
    let (old, new) = (bearer_of_age("ada@example.com", 60), bearer_of_age("ada@example.com", 5));
    let question =
        json!([{ "id": "m1", "role": "user", "parts": [{ "type": "text", "text": QUESTION }] }]);
    let body = json!({ "id": "c1", "messages": question });
    let first = post(&quarry, "/api/chat", &[("authorization", &old)], &body).await;
    assert_eq!(first.status, 200);
    quarry.provider.holding("planning", 1).await;
    let at = |rest: &str| format!("{}/api/chat/c1/{rest}", quarry.url);
    let joined = |headers: Vec<(&'static str, String)>| {
        let url = at("stream");
        async move {
            let headers: Vec<(&str, &str)> =
                headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
            client::get(&url, &headers).await.unwrap()
        }
    };
    let again = joined(vec![("authorization", new.clone())]).await;
    assert_eq!(again.status, 200);
    let bob = bearer_of_age("bob@example.com", 5);
    assert_eq!(joined(vec![("authorization", bob.clone())]).await.status, 204);
    assert_eq!(joined(Vec::new()).await.status, 204, "who shows nothing finds nothing");
    let stopped = async |token: &str| {
        let headers = [("authorization", token)];
        client::send("POST", &at("stop"), &headers, String::new()).await.unwrap().status.as_u16()
    };
    assert_eq!(stopped(&bob).await, 404);
    assert_eq!(stopped(&new).await, 202);
    let (first, again) = (first.text().await.unwrap(), again.text().await.unwrap());
    assert_eq!(first, again);
    assert!(first.contains("\"type\":\"abort\""), "{first}");
    quarry.provider.release("planning");
    assert_eq!(calls(&quarry, Phase::Setup), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_app_and_a_host_find_what_they_began_with_a_renewed_token() {
    let quarry = with_accounts(Script::ordinary()).start().await.unwrap();
    let (old, new) = (bearer_of_age("ada@example.com", 60), bearer_of_age("ada@example.com", 5));
    let messages = json!([{ "id": "m1", "role": "user", "content": QUESTION }]);
    let run = json!({ "threadId": "t1", "runId": "r1", "messages": messages, "state": {}, "tools": [],
        "context": [], "forwardedProps": {} });
    let mut sent = Vec::new();
    for token in [&old, &new] {
        let headers = [("authorization", token.as_str()), ("accept", "text/event-stream")];
        let open = post(&quarry, "/agui", &headers, &run).await;
        assert_eq!(open.status, 200);
        sent.push(open.text().await.unwrap());
    }
    assert_eq!(sent[0], sent[1]);
    assert_eq!(calls(&quarry, Phase::Setup), 1, "it is paid for once");
    // Another account's run of the same name is its own.
    let bob = bearer_of_age("bob@example.com", 5);
    let headers = [("authorization", bob.as_str()), ("accept", "text/event-stream")];
    assert_ne!(post(&quarry, "/agui", &headers, &run).await.text().await.unwrap(), sent[0]);
    assert_eq!(calls(&quarry, Phase::Setup), 2);

    // A host of models calls a research off by the id of its request, whatever its token is by then.
    let held = Reply::text("no plan").hold("planning");
    quarry.provider.set_script(Script::ordinary().first(Match::Phase(Phase::Planning), [held]));
    let session = "5f0c9b1f6a6f4c53a1f0b2d3c4e5f607";
    let say = |token: &str, message: Value| {
        let (token, quarry) = (token.to_owned(), &quarry);
        async move {
            let headers = [
                ("authorization", token.as_str()),
                ("accept", "application/json, text/event-stream"),
                ("mcp-protocol-version", "2025-11-25"),
                ("mcp-session-id", session),
            ];
            post(quarry, "/mcp", &headers, &message).await
        }
    };
    let params = json!({ "name": "research", "arguments": { "question": QUESTION } });
    let research = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
    let open = say(&old, research).await;
    assert_eq!(open.status, 200);
    quarry.provider.holding("planning", 1).await;
    let off = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
    assert_eq!(say(&bob, off.clone()).await.status, 202);
    assert_eq!(say(&new, off).await.status, 202);
    // The provider never answers: nothing but the word ends it.
    assert!(open.text().await.unwrap().contains("\"status\":\"stopped\""));
    quarry.provider.release("planning");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_limit_ended_shows_the_form_in_which_it_goes_on() {
    let script = replying(&["{\"product\": 42}", "{\"product\": 42}"]);
    let limited = Reply::rate_limited("20");
    let quarry = started(script.first(Match::Phase(Phase::Iteration(2)), [limited])).await;
    let format =
        json!({ "type": "json_schema", "name": "product", "schema": schema(), "strict": false });
    let body = json!({ "input": QUESTION, "text": { "format": format }, "top_p": 0.5, "max_tool_calls": 9,
        "stream": true });
    let sent = post(&quarry, RESPONSES, &[], &body).await.text().await.unwrap();
    let id = sent.split("\"id\":\"resp_").nth(1).unwrap().split('"').next().unwrap();
    assert!(sent.contains("event: response.failed"), "{sent}");
    let more = json!({ "previous_response_id": format!("resp_{id}") });
    let done = post(&quarry, RESPONSES, &[], &more).await.json().await.unwrap();
    assert_eq!(done["status"], "completed", "{done}");
    assert_eq!(done["text"]["format"], format);
    assert_eq!((&done["top_p"], &done["max_tool_calls"]), (&json!(0.5), &json!(9)));
    let message = done["output"].as_array().unwrap().last().unwrap();
    assert_eq!(message["content"][0]["text"], "{\"product\": 42}");
    let url = format!("{}{RESPONSES}/{}", quarry.url, done["id"].as_str().unwrap());
    assert_eq!(client::get(&url, &[]).await.unwrap().json().await.unwrap(), done);
}
