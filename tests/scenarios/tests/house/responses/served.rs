//! The built components: created, streamed, fetched, resumed, followed, cancelled, deleted.

use super::{assembled, frames, text};
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script, Split};
use serde_json::{Value, json};
use std::time::Duration;

const QUESTION: &str = "What is six times seven?";
pub(crate) const RESPONSES: &str = "/v1/responses";

/// What is asked about one response: methods, with what follows its address.
pub(crate) const ABOUT_ONE: [(&str, &str); 5] = [
    ("GET", ""),
    ("GET", "?stream=true"),
    ("GET", "/input_items"),
    ("POST", "/cancel"),
    ("DELETE", ""),
];

fn body(more: Value) -> Value {
    let mut body = json!({ "model": "quarry", "input": QUESTION });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

pub(crate) async fn send(quarry: &Quarry, method: &str, path: &str, body: &Value) -> Open {
    let headers = [("content-type", "application/json")];
    let body = if body.is_null() { String::new() } else { body.to_string() };
    client::send(method, &format!("{}{path}", quarry.url), &headers, body).await.unwrap()
}

pub(crate) async fn create(quarry: &Quarry, more: Value) -> Open {
    send(quarry, "POST", RESPONSES, &body(more)).await
}

pub(crate) async fn show(quarry: &Quarry, id: &str, rest: &str) -> Open {
    send(quarry, "GET", &format!("{RESPONSES}/{id}{rest}"), &Value::Null).await
}

pub(crate) async fn started(script: Script) -> Quarry {
    Setup::new(script).start().await.unwrap()
}

/// Looks until the response has ended.
async fn ended(quarry: &Quarry, id: &str) -> Value {
    loop {
        let shown = show(quarry, id, "").await.json().await.unwrap();
        if !["queued", "in_progress"].contains(&shown["status"].as_str().unwrap()) {
            return shown;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_an_object_and_what_is_fetched_say_the_same() {
    let quarry = started(Script::ordinary()).await;
    let asked = json!({ "stream": true, "metadata": { "a": "b" }, "service_tier": "flex" });
    let open = create(&quarry, asked).await;
    assert_eq!(
        (open.status.as_u16(), open.header("x-quarry-ignored")),
        (200, Some("service_tier"))
    );
    assert!(open.header("x-request-id").unwrap().starts_with("req_"));
    let sent = open.text().await.unwrap();
    let last = assembled(&frames(&sent));
    assert!(text(&last).contains("31.2 percent"), "{last}");
    assert_eq!((&last["status"], &last["metadata"]), (&json!("completed"), &json!({ "a": "b" })));
    assert!(last["usage"]["total_tokens"].as_u64().unwrap() > 0);
    assert_eq!(last["usage"]["input_tokens_details"]["cache_write_tokens"], 0, "it is required");
    let id = last["id"].as_str().unwrap();
    assert_eq!(show(&quarry, id, "").await.json().await.unwrap(), last);
    let again = show(&quarry, id, "?stream=true").await.text().await.unwrap();
    assert_eq!(again, sent);
    for (at, frame) in frames(&sent).iter().enumerate() {
        let rest = format!("?stream=true&starting_after={}", frame.number);
        let rest = frames(&show(&quarry, id, &rest).await.text().await.unwrap());
        assert_eq!(rest, frames(&sent)[at + 1..], "after {at}");
    }
    // Behind the end there is nothing but the end.
    let beyond = show(&quarry, id, "?stream=true&starting_after=99999").await;
    assert_eq!((beyond.status.as_u16(), beyond.header("x-quarry-ignored")), (200, None));
    assert_eq!(beyond.text().await.unwrap(), "data: [DONE]\n\n");
    // What is shown was settled when it was asked for.
    let more = show(&quarry, id, "?include[]=code_interpreter_call.outputs").await;
    assert_eq!(more.header("x-quarry-ignored"), Some("include"));
    let items = show(&quarry, id, "/input_items?before=x&include[]=a").await;
    assert_eq!(items.header("x-quarry-ignored"), Some("before, include"));
    assert_eq!(more.json().await.unwrap(), last);
    for (method, path) in [("POST", "/compact"), ("POST", "/input_tokens"), ("GET", "/compact")] {
        let open = send(&quarry, method, &format!("{RESPONSES}{path}"), &json!({})).await;
        assert_eq!(open.status, 404, "{path}");
        assert!(open.header("x-request-id").is_some());
        let told: Value = serde_json::from_str(&open.text().await.unwrap()).unwrap();
        assert_eq!(told["error"]["type"], "invalid_request_error");
    }
    let whole = create(&quarry, json!({})).await.json().await.unwrap();
    assert_eq!((&whole["status"], text(&whole)), (&json!("completed"), text(&last)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_the_background_it_goes_on_without_a_reader() {
    let planning = Reply::text("no plan").hold("planning");
    let script = Script::ordinary().first(Match::Phase(Phase::Planning), [planning]);
    let setup = Setup::new(script).variable("on_disconnect", "stop");
    let quarry = setup.variable("chat_grace_seconds", "1").start().await.unwrap();
    let first = create(&quarry, json!({ "background": true })).await.json().await.unwrap();
    assert_eq!((&first["status"], &first["output"]), (&json!("queued"), &json!([])));
    let id = first["id"].as_str().unwrap().to_owned();
    quarry.provider.holding("planning", 1).await;
    let busy = send(&quarry, "DELETE", &format!("{RESPONSES}/{id}"), &Value::Null).await;
    assert_eq!(busy.status, 409);
    let early = create(&quarry, json!({ "previous_response_id": id })).await;
    assert_eq!(early.status, 400);
    quarry.provider.release("planning");
    let last = ended(&quarry, &id).await;
    assert_eq!((&last["status"], &last["background"]), (&json!("completed"), &json!(true)));
    assert!(text(&last).contains("31.2 percent"));
    let sent = show(&quarry, &id, "?stream=true").await.text().await.unwrap();
    let all = frames(&sent);
    assert_eq!((all[1].kind.as_str(), assembled(&all)), ("response.queued", last));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_named_tools_none_is_used_but_those() {
    let quarry = started(Script::ordinary()).await;
    let (web, code) = (json!({ "type": "web_search" }), json!({ "type": "code_interpreter" }));
    for (tools, searches, calculates, looks) in [
        (json!([]), true, true, true),
        (json!([web]), true, false, false),
        (json!([web, code]), true, true, false),
        (json!([code]), false, true, false),
    ] {
        quarry.provider.forget();
        let done = create(&quarry, json!({ "tools": tools })).await.json().await.unwrap();
        assert_eq!(done["status"], "completed");
        let calls = quarry.provider.calls();
        let of_research = |phase: Option<Phase>| matches!(phase, Some(Phase::Iteration(_)));
        let first = calls.iter().find(|call| of_research(call.phase())).unwrap();
        let offered = first.body["tools"].to_string();
        assert_eq!(offered.contains("search_web"), searches, "{tools}: {offered}");
        assert_eq!(offered.contains("execute_javascript"), calculates, "{tools}: {offered}");
        assert_eq!(offered.contains("search_knowledge"), looks, "{tools}: {offered}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_conversation_goes_on_with_what_was_answered() {
    let quarry = started(Script::ordinary()).await;
    let first = create(&quarry, json!({})).await.json().await.unwrap();
    quarry.provider.forget();
    let more = json!({ "input": "And times eight?", "previous_response_id": first["id"] });
    let second = create(&quarry, more).await.json().await.unwrap();
    assert_eq!(second["previous_response_id"], first["id"]);
    let calls = quarry.provider.calls();
    let setup = calls.iter().find(|call| call.phase() == Some(Phase::Setup)).unwrap().text();
    assert!(setup.contains(QUESTION) && setup.contains("31.2 percent"), "{setup}");
    let id = second["id"].as_str().unwrap();
    let items = show(&quarry, id, "/input_items?order=asc").await.json().await.unwrap();
    let roles: Vec<&str> = items["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["role"].as_str().unwrap())
        .collect();
    assert_eq!((roles, &items["has_more"]), (vec!["user", "assistant", "user"], &json!(false)));
    assert_eq!(items["data"][2]["content"][0]["text"], "And times eight?");
}

/// The same as somebody whose key is this.
async fn create_as(quarry: &Quarry, key: &str, more: Value) -> Open {
    let bearer = format!("Bearer {key}");
    let headers = [("content-type", "application/json"), ("authorization", bearer.as_str())];
    let url = format!("{}{RESPONSES}", quarry.url);
    client::send("POST", &url, &headers, body(more).to_string()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_default_model_does_not_take_is_named_though_nobody_waits_for_an_event() {
    let setup = Setup::new(Script::ordinary()).variable("default_model", "openai:o4-mini");
    let quarry = setup.start().await.unwrap();
    let asked = json!({ "input": QUESTION, "background": true, "temperature": 0.5, "top_p": 0.5 });
    let open = send(&quarry, "POST", RESPONSES, &asked).await;
    let ignored = open.header("x-quarry-ignored");
    assert_eq!((open.status.as_u16(), ignored), (200, Some("temperature, top_p")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_item_is_known_by_its_id_to_who_began_its_response() {
    let quarry = started(Script::ordinary()).await;
    let first = create_as(&quarry, "ada", json!({})).await.json().await.unwrap();
    let asked = show(&quarry, first["id"].as_str().unwrap(), "/input_items").await;
    let asked = asked.json().await.unwrap()["data"][0].clone();
    let came = first["output"].as_array().unwrap();
    let said = came.iter().find(|item| item["type"] == "message").unwrap();
    // As the AI SDK sends a conversation: every item that came, by its id alone.
    let all = [&asked].into_iter().chain(came);
    let mut input: Vec<Value> =
        all.map(|item| json!({ "type": "item_reference", "id": item["id"] })).collect();
    input.push(json!({ "role": "user", "content": "And times eight?" }));
    quarry.provider.forget();
    let open = create_as(&quarry, "ada", json!({ "input": input })).await;
    assert_eq!((open.status.as_u16(), open.header("x-quarry-ignored")), (200, None));
    let second = open.json().await.unwrap();
    assert_eq!(second["status"], "completed");
    let calls = quarry.provider.calls();
    let setup = calls.iter().find(|call| call.phase() == Some(Phase::Setup)).unwrap().text();
    assert!(setup.contains(QUESTION) && setup.contains("31.2 percent"), "{setup}");
    let items = show(&quarry, second["id"].as_str().unwrap(), "/input_items?order=asc").await;
    let items = items.json().await.unwrap();
    let texts: Vec<&Value> =
        items["data"].as_array().unwrap().iter().map(|item| &item["content"][0]["text"]).collect();
    assert_eq!(texts[..2], [&asked["content"][0]["text"], &said["content"][0]["text"]]);
    assert_eq!(texts[2..], ["And times eight?"]);

    // Nobody else's id leads anywhere, nor one that was made up, nor one of what is gone or was never kept.
    let unkept = create_as(&quarry, "ada", json!({ "store": false })).await.json().await.unwrap();
    let gone = format!("{RESPONSES}/{}", second["id"].as_str().unwrap());
    assert_eq!(send(&quarry, "DELETE", &gone, &Value::Null).await.status, 200);
    quarry.provider.forget();
    let last = |response: &Value| response["output"].as_array().unwrap().last().unwrap().clone();
    for (key, id) in [
        ("eve", said["id"].clone()),
        ("ada", json!("msg_000000000000000000000000_0")),
        ("ada", json!("msg_1")),
        ("ada", last(&second)["id"].clone()),
        ("ada", last(&unkept)["id"].clone()),
    ] {
        let reference = json!({ "type": "item_reference", "id": id });
        let input = json!([reference, { "role": "user", "content": "And times eight?" }]);
        let open = create_as(&quarry, key, json!({ "input": input })).await;
        assert_eq!(open.status, 400, "{key} {id}");
        let error = open.json().await.unwrap()["error"].clone();
        assert_eq!(
            (&error["param"], &error["type"]),
            (&json!("input"), &json!("invalid_request_error"))
        );
        let told = error["message"].as_str().unwrap();
        assert!(told.contains(id.as_str().unwrap()) && told.contains("not kept"), "{told}");
    }
    assert!(quarry.provider.calls().is_empty(), "nothing is paid for what is refused");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_stored_or_was_deleted_is_gone() {
    let quarry = started(Script::ordinary()).await;
    let unkept = create(&quarry, json!({ "store": false })).await.json().await.unwrap();
    let kept = create(&quarry, json!({})).await.json().await.unwrap();
    let gone = kept["id"].as_str().unwrap();
    let path = format!("{RESPONSES}/{gone}");
    let deleted = send(&quarry, "DELETE", &path, &Value::Null).await.json().await.unwrap();
    assert_eq!(deleted, json!({ "id": gone, "object": "response", "deleted": true }));
    for id in [unkept["id"].as_str().unwrap(), gone, "resp_0af3", "other"] {
        for (method, rest) in ABOUT_ONE {
            let open =
                send(&quarry, method, &format!("{RESPONSES}/{id}{rest}"), &Value::Null).await;
            assert_eq!(open.status, 404, "{method} {id}{rest}");
            let error = open.json().await.unwrap()["error"].clone();
            assert_eq!(error["code"], "response_not_found");
        }
        let open = create(&quarry, json!({ "previous_response_id": id })).await;
        assert_eq!(open.status, 400);
        let error = open.json().await.unwrap()["error"].clone();
        assert_eq!(error["code"], "previous_response_not_found");
        assert_eq!(error["param"], "previous_response_id");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelling_ends_it_and_twice_is_once() {
    let late = Reply::text("late").hold("iteration");
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(1)), [late]);
    let quarry = started(script).await;
    let first = create(&quarry, json!({ "background": true })).await.json().await.unwrap();
    let id = first["id"].as_str().unwrap();
    quarry.provider.holding("iteration", 1).await;
    let cancel = format!("{RESPONSES}/{id}/cancel");
    let cancelled = send(&quarry, "POST", &cancel, &Value::Null).await.json().await.unwrap();
    assert_eq!(cancelled["status"], "cancelled");
    quarry.provider.release("iteration");
    assert_eq!(send(&quarry, "POST", &cancel, &Value::Null).await.json().await.unwrap(), cancelled);
    assert_eq!(show(&quarry, id, "").await.json().await.unwrap(), cancelled);
    let all = frames(&show(&quarry, id, "?stream=true").await.text().await.unwrap());
    assert_eq!(
        (all.last().unwrap().kind.as_str(), assembled(&all)),
        ("response.incomplete", cancelled)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_rate_limit_ended_goes_on_and_pays_for_nothing_twice() {
    let limited = Reply::rate_limited("20");
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [limited]);
    let quarry = started(script).await;
    let first = frames(&create(&quarry, json!({ "stream": true })).await.text().await.unwrap());
    let first = assembled(&first);
    assert_eq!(
        (&first["status"], &first["error"]["code"]),
        (&json!("failed"), &json!("rate_limit_exceeded"))
    );
    assert_eq!(first["quarry"]["wait_seconds"], 20.0);
    assert_eq!(first["quarry"]["kind"], "rate_limited");
    let before = quarry.provider.calls().len();
    let more = json!({ "model": "quarry", "previous_response_id": first["id"] });
    let second = send(&quarry, "POST", RESPONSES, &more).await;
    assert_eq!(second.status, 200);
    let second = second.json().await.unwrap();
    assert_eq!(
        (&second["status"], &second["previous_response_id"]),
        (&json!("completed"), &first["id"])
    );
    let calls = quarry.provider.calls();
    let phases: Vec<_> = calls[before..].iter().map(|call| call.phase().unwrap()).collect();
    assert!(!phases.contains(&Phase::Setup) && !phases.contains(&Phase::Planning), "{phases:?}");
    let id = second["id"].as_str().unwrap();
    let items = show(&quarry, id, "/input_items").await.json().await.unwrap();
    assert_eq!(items["data"][0]["content"][0]["text"], QUESTION);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_goes_on_without_a_body_thinks_and_looks_no_more_than_was_asked_for() {
    let limited = Reply::rate_limited("20");
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(1)), [limited]);
    let quarry = started(script).await;
    let asked = json!({
        "model": "openai:o3-scripted", "reasoning": { "effort": "low" }, "quarry": { "max_iterations": 1 },
    });
    let first = create(&quarry, asked).await;
    assert_eq!(first.status, 429);
    let id = format!("resp_{}", first.header("x-quarry-ask").unwrap());
    quarry.provider.forget();
    let more = json!({ "previous_response_id": id });
    let second = send(&quarry, "POST", RESPONSES, &more).await.json().await.unwrap();
    assert_eq!(second["status"], "completed", "{second}");
    assert_eq!(second["model"], "openai:o3-scripted", "it is the one that answers");
    let calls = quarry.provider.calls();
    let phases: Vec<_> = calls.iter().map(|call| call.phase().unwrap()).collect();
    assert_eq!(phases, [Phase::Iteration(1), Phase::Synthesis]);
    for call in &calls {
        assert_eq!(call.body["reasoning_effort"], "low", "{:?}", call.phase());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ask_of_another_door_can_be_shown() {
    let quarry = started(Script::ordinary()).await;
    let open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    let events = open.events().await.unwrap();
    let id = events.iter().find_map(|event| event.data["id"].as_str()).unwrap();
    let shown = show(&quarry, &format!("resp_{id}"), "").await.json().await.unwrap();
    assert_eq!(shown["status"], "completed");
    assert!(text(&shown).contains("31.2 percent"));
}

/// More than any model is shown of what was said before.
fn long_conversation() -> Value {
    let said = |by: &str| json!({ "role": by, "content": "word ".repeat(2_000) });
    let turns = (0..60).flat_map(|_| [said("user"), said("assistant")]);
    turns.chain([json!({ "role": "user", "content": "When?" })]).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mistakes_are_told_in_the_protocols_words() {
    let quarry = started(Script::ordinary()).await;
    for (more, status, code, param) in [
        (json!({ "input": "" }), 400, "missing_required_parameter", "input"),
        (json!({ "input": "q".repeat(32_769) }), 400, "string_above_max_length", "input"),
        (
            json!({ "input": [{ "role": "user" }, { "role": "user", "content": "When?" }] }),
            400,
            "missing_required_parameter",
            "input[0].content",
        ),
        (
            json!({ "input": [{ "role": "user", "content": 5 }] }),
            400,
            "invalid_value",
            "input[0].content",
        ),
        (
            json!({ "input": long_conversation(), "truncation": "disabled" }),
            400,
            "invalid_value",
            "truncation",
        ),
        (json!({ "model": "gpt-4o" }), 404, "model_not_found", "model"),
        (json!({ "model": "quarry-run" }), 400, "invalid_value", "background"),
        (json!({ "background": true, "store": false }), 400, "unsupported_value", "background"),
        (json!({ "tools": [{ "type": "mcp" }] }), 400, "unsupported_value", "tools"),
    ] {
        for stream in [false, true] {
            let mut more = more.clone();
            more["stream"] = json!(stream);
            let open = create(&quarry, more.clone()).await;
            assert_eq!(open.status, status, "{code}");
            assert!(open.header("x-request-id").unwrap().starts_with("req_"));
            let error = open.json().await.unwrap()["error"].clone();
            assert_eq!((&error["code"], &error["param"]), (&json!(code), &json!(param)), "{error}");
        }
    }
    assert!(quarry.provider.calls().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_there_is_a_secret_reading_needs_it_and_no_key_is_kept() {
    let setup = Setup::new(Script::ordinary()).variable("access_secret", "open sesame");
    let quarry = setup.variable("openai_api_key", "").start().await.unwrap();
    let own = "sk-own-canary-91d4";
    let headers = [("authorization", "Bearer open sesame"), ("x-provider-key", own)];
    let url = format!("{}{RESPONSES}", quarry.url);
    let open = client::send("POST", &url, &headers, body(json!({})).to_string()).await.unwrap();
    let made = open.json().await.unwrap();
    let id = made["id"].as_str().unwrap();
    assert_eq!(show(&quarry, id, "").await.status, 401);
    assert_eq!(show(&quarry, id, "?stream=true").await.status, 401);
    let url = format!("{url}/{id}");
    assert_eq!(client::get(&url, &headers[..1]).await.unwrap().json().await.unwrap(), made);
    let stored = quarry.stored().unwrap();
    for secret in [own, "open sesame"] {
        assert!(!stored.windows(secret.len()).any(|bytes| bytes == secret.as_bytes()), "{secret}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_was_cut_and_is_sent_again_is_one_response() {
    let answer = "Six times seven is forty-two, as every table says. ".repeat(8);
    let held = Reply::text(answer).split(Split::Frames).hold_midway("answer");
    let quarry = started(Script::ordinary().first(Match::Phase(Phase::Synthesis), [held])).await;
    let url = format!("{}{RESPONSES}", quarry.url);
    let tried = |count: &'static str| {
        let (url, asked) = (&url, body(json!({ "stream": true })).to_string());
        async move {
            client::send("POST", url, &[("x-stainless-retry-count", count)], asked).await.unwrap()
        }
    };
    let mut first = tried("0").await;
    let ask = first.header("x-quarry-ask").unwrap().to_owned();
    let mut before = String::new();
    while !before.contains("Six times") {
        let chunk = first.chunk().await.unwrap().expect("the stream goes on");
        before.push_str(&String::from_utf8_lossy(&chunk));
    }
    drop(first);
    let second = tried("1").await;
    assert_eq!(second.header("x-quarry-ask"), Some(ask.as_str()));
    quarry.provider.release("answer");
    let sent = second.text().await.unwrap();
    let last = assembled(&frames(&sent));
    assert_eq!(
        (&last["status"], &last["id"]),
        (&json!("completed"), &json!(format!("resp_{ask}")))
    );
    assert!(sent.starts_with(&before[..before.rfind("\n\n").unwrap()]));
    // Whoever saw the first half reads the other where it broke off.
    let seen = before.split_terminator("\n\n").count() - 2;
    let rest = format!("?stream=true&starting_after={seen}");
    let rest = show(&quarry, &format!("resp_{ask}"), &rest).await.text().await.unwrap();
    assert_eq!(frames(&rest), frames(&sent)[seen + 1..]);
    let calls = quarry.provider.calls();
    let written = calls.iter().filter(|call| call.phase() == Some(Phase::Synthesis)).count();
    assert_eq!(written, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_the_foreground_it_ends_when_nobody_reads_it() {
    let planning = Reply::text("no plan").hold("planning");
    let late = Reply::text("late").hold("iteration");
    let script = Script::ordinary()
        .first(Match::Phase(Phase::Planning), [planning])
        .first(Match::Phase(Phase::Iteration(1)), [late]);
    let quarry = Setup::new(script).variable("chat_grace_seconds", "1").start().await.unwrap();
    let open = create(&quarry, json!({ "stream": true })).await;
    let id = format!("resp_{}", open.header("x-quarry-ask").unwrap());
    quarry.provider.holding("planning", 1).await;
    drop(open);
    // What it is told next shows the ask that nobody is there.
    quarry.provider.release("planning");
    // The provider never answers: nothing but the grace ends it. Whoever fetched it now would be a reader.
    quarry.until_stored("\"ended\":\"stopped\"").await.unwrap();
    assert_eq!(show(&quarry, &id, "").await.json().await.unwrap()["status"], "cancelled");
    quarry.provider.release("iteration");
}
