//! AG-UI: what its verifier holds of events, for every log; a run, sent again, gone on with.

use super::*;
use quarry_scenarios::client::{self, Open};
use quarry_test_provider::{Match, Phase, Reply};
use std::collections::HashSet;

const AGUI: &str = "/agui";

fn input(more: Value) -> Value {
    let mut input = json!({
        "threadId": "t1", "runId": "r1", "messages": user(QUESTION), "tools": [], "context": [],
        "state": {}, "forwardedProps": {}, "protocolVersion": "1.0",
    });
    for (name, value) in more.as_object().unwrap() {
        input[name] = value.clone();
    }
    input
}

/// What an app has when a run is over.
#[derive(Debug, Default)]
struct Run {
    text: String,
    thoughts: Vec<String>,
    calls: Vec<(String, Value, String)>,
    state: Value,
    citations: Vec<Value>,
    last: Value,
}

/// Applies the two operations that a run uses.
fn patch(state: &mut Value, delta: &Value) {
    for change in delta.as_array().unwrap() {
        let path = change["path"].as_str().unwrap();
        let value = change["value"].clone();
        if let Some(list) = path.strip_suffix("/-") {
            assert_eq!(change["op"], "add");
            state.pointer_mut(list).unwrap().as_array_mut().unwrap().push(value);
            continue;
        }
        let name = path.strip_prefix('/').unwrap();
        assert_eq!(change["op"] == "replace", state.get(name).is_some(), "{change}");
        state[name] = value;
    }
}

/// Reads a stream and asserts what the official verifier does.
fn read(sent: &str) -> Run {
    let all = frames(sent);
    let mut run = Run::default();
    let (mut step, mut open, mut seen) = (None, HashSet::new(), HashSet::new());
    let mut time = 0;
    for (at, event) in all.iter().enumerate() {
        let text = |name: &str| {
            event[name].as_str().unwrap_or_else(|| panic!("{name}: {event}")).to_owned()
        };
        assert!(!event.as_object().unwrap().values().any(Value::is_null), "a null: {event}");
        let now = event["timestamp"].as_u64();
        assert!(now.is_none_or(|now| now >= time), "{event} behind {time}");
        time = now.unwrap_or(time);
        let kind = text("type");
        assert_eq!(at == 0, kind == "RUN_STARTED");
        let is_last = at + 1 == all.len();
        assert_eq!(is_last, kind == "RUN_FINISHED" || kind == "RUN_ERROR", "{event}");
        match kind.as_str() {
            "RUN_STARTED" => {
                assert_eq!((&event["threadId"], &event["runId"]), (&json!("t1"), &json!("r1")));
                assert_eq!(event["protocolVersion"], "1.0");
            }
            "STATE_SNAPSHOT" => {
                run.state = event["snapshot"].clone();
                let names = ["status", "question", "questions", "sources", "cost"];
                assert!(names.iter().all(|name| run.state.get(*name).is_some()), "{event}");
            }
            "STATE_DELTA" => patch(&mut run.state, &event["delta"]),
            "STEP_STARTED" => assert_eq!(step.replace(text("stepName")), None),
            "STEP_FINISHED" => assert_eq!(step.take(), Some(text("stepName"))),
            "REASONING_START" => {
                assert!(open.insert(text("messageId")) && seen.insert(text("messageId")))
            }
            "REASONING_MESSAGE_START" => assert_eq!(event["role"], "reasoning"),
            "REASONING_MESSAGE_CONTENT" => {
                assert!(open.contains(&text("messageId")) && !text("delta").is_empty());
                run.thoughts.push(text("delta"));
            }
            "REASONING_MESSAGE_END" => assert!(open.contains(&text("messageId"))),
            "REASONING_END" => assert!(open.remove(&text("messageId"))),
            "TOOL_CALL_START" => {
                assert!(open.insert(text("toolCallId")) && seen.insert(text("toolCallId")));
                assert!(!text("parentMessageId").is_empty());
                run.calls.push((text("toolCallName"), Value::Null, String::new()));
            }
            "TOOL_CALL_ARGS" => {
                assert!(open.contains(&text("toolCallId")));
                run.calls.last_mut().unwrap().1 = serde_json::from_str(&text("delta")).unwrap();
            }
            "TOOL_CALL_END" => assert!(open.contains(&text("toolCallId"))),
            "TOOL_CALL_RESULT" => {
                assert!(open.remove(&text("toolCallId")) && seen.insert(text("messageId")));
                assert!(text("content").len() <= 4_096);
            }
            "TEXT_MESSAGE_START" => {
                assert_eq!(event["role"], "assistant");
                assert!(open.insert(text("messageId")) && seen.insert(text("messageId")));
            }
            "TEXT_MESSAGE_CONTENT" => {
                assert!(open.contains(&text("messageId")) && !text("delta").is_empty());
                run.text += &text("delta");
            }
            "TEXT_MESSAGE_END" => assert!(open.remove(&text("messageId"))),
            "CUSTOM" => {
                assert_eq!(event["name"], "quarry.citations");
                run.citations.clone_from(event["value"].as_array().unwrap());
            }
            "RUN_FINISHED" | "RUN_ERROR" => {
                assert!(open.is_empty() && step.is_none(), "left open: {open:?} {step:?}");
                run.last = event.clone();
            }
            other => panic!("unknown: {other}"),
        }
    }
    run
}

#[test]
fn the_same_bytes_leave_however_the_events_are_cut() {
    is_a_fold(AGUI, &input(json!({})));
}

#[test]
fn every_log_is_a_run_that_the_verifier_takes() {
    let (mut finished, mut interrupted, mut failed) = (0, 0, 0);
    for (name, log) in LOGS.iter() {
        let run = read(&streamed(AGUI, &input(json!({})), log, 5));
        let (end, last) = ends(log);
        match (end, finish(log).as_deref()) {
            ("complete", Some("provider_error")) | ("error", _) => {
                assert_eq!(run.last["type"], "RUN_ERROR", "{name}");
                assert!(run.last["code"].is_string() && run.state["status"] == "failed");
                failed += 1;
            }
            ("complete", Some(_)) => {
                assert_eq!(run.last["outcome"]["type"], "success", "{name}");
                assert_eq!(Some(&run.text), content(log).as_ref(), "{name}");
                assert_eq!(run.state["status"], "complete");
                assert!(run.last["usage"].as_array().is_none_or(|usage| !usage.is_empty()));
                finished += 1;
            }
            ("complete", None) => assert_eq!(run.last["outcome"]["type"], "cancelled", "{name}"),
            ("quota_exceeded", _) => {
                let interrupt = &run.last["outcome"]["interrupts"][0];
                assert_eq!(
                    (&interrupt["id"], &interrupt["reason"]),
                    (&json!(log.id), &json!("rate_limited"))
                );
                assert_eq!(interrupt["metadata"]["waitSeconds"], last["waitTime"], "{name}");
                interrupted += 1;
            }
            other => panic!("{name}: {other:?}"),
        }
        assert!(run.last["timestamp"].is_u64(), "{name}");
        assert!(run.thoughts.iter().all(|thought| !thought.trim().is_empty()), "{name}");
    }
    assert!(finished > 10 && interrupted > 0 && failed > 0);
}

#[test]
fn the_run_that_a_run_comes_from_is_named_as_it_begins() {
    let (_, log) = LOGS.first().unwrap();
    for (more, parent) in [
        (json!({ "parentRunId": "r0" }), Some("r0")),
        (json!({ "parentRunId": null }), None),
        (json!({}), None),
    ] {
        let started = frames(&streamed(AGUI, &input(more), log, 5)).remove(0);
        assert_eq!(started["type"], "RUN_STARTED");
        assert_eq!(started.get("parentRunId").and_then(Value::as_str), parent);
        assert!(parent.is_some() || started.get("parentRunId").is_none(), "never null: {started}");
    }
}

#[test]
fn usage_is_told_where_every_call_of_it_is_known() {
    usage_is_told_where_it_is_known(|log| {
        read(&streamed(AGUI, &input(json!({})), log, 5)).last.get("usage").cloned()
    });
}

#[test]
fn citations_cover_their_links_and_progress_may_be_left_out() {
    let quiet = input(json!({ "forwardedProps": { "quarry": { "progress": "none" } } }));
    let mut cited = 0;
    for (name, log) in LOGS.iter() {
        let run = read(&streamed(AGUI, &quiet, log, 5));
        assert!(run.thoughts.is_empty(), "{name}");
        let text: Vec<char> = run.text.chars().collect();
        for citation in &run.citations {
            let at = |field: &str| usize::try_from(citation[field].as_u64().unwrap()).unwrap();
            let link: String = text[at("start")..at("end")].iter().collect();
            let url = citation["url"].as_str().unwrap();
            if name.starts_with("024-") {
                assert_eq!((at("start"), at("end")), (0, 0), "sources of JSON have no place in it");
                continue;
            }
            assert!(link.ends_with(&format!("]({url})")), "{name}: {link}");
            cited += 1;
        }
    }
    assert!(cited > 0);
}

#[test]
fn a_stream_that_breaks_off_anywhere_ends_as_a_failure() {
    broken_off(AGUI, &input(json!({})), |at, sent| {
        let last = read(sent).last;
        assert_eq!(
            (&last["type"], &last["code"]),
            (&json!("RUN_ERROR"), &json!("interrupted")),
            "{at}"
        );
        assert_eq!(last["message"], "the store is away", "{at}");
    });
}

async fn post(quarry: &Quarry, input: &Value) -> Open {
    let headers = [("content-type", "application/json"), ("accept", "text/event-stream")];
    client::send("POST", &format!("{}{AGUI}", quarry.url), &headers, input.to_string())
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_researched_once_however_often_it_is_sent() {
    let quarry = started(Script::ordinary()).await;
    let asked = input(
        json!({ "tools": [{ "name": "alert", "description": "", "parameters": {} }], "other": 1 }),
    );
    let open = post(&quarry, &asked).await;
    assert_eq!(open.status, 200);
    assert!(open.header("content-type").unwrap().starts_with("text/event-stream"));
    assert_eq!(open.header("x-quarry-ignored"), Some("tools, other"));
    let ask = open.header("x-quarry-ask").unwrap().to_owned();
    let sent = open.text().await.unwrap();
    let run = read(&sent);
    assert!(run.text.contains("31.2 percent") && !run.calls.is_empty() && !run.thoughts.is_empty());
    assert_eq!(run.state["question"], QUESTION);
    assert_eq!(run.last["result"]["ask"], json!(ask));
    let paid = quarry.provider.calls().len();
    let again = post(&quarry, &asked).await;
    assert_eq!(again.header("x-quarry-ask"), Some(ask.as_str()));
    assert_eq!(again.text().await.unwrap(), sent);
    assert_eq!(quarry.provider.calls().len(), paid);
    // An app has by then made something of what it was told: its state, and the messages behind the question.
    let told = |content: &str| {
        json!([
            user(QUESTION)[0],
            { "id": "a1", "role": "reasoning", "content": "hm" },
            { "id": "a2", "role": "assistant", "toolCalls": [{ "id": "c" }] },
            { "id": "a3", "role": "tool", "toolCallId": "c", "content": "31.2" },
            { "id": "a4", "role": "assistant", "content": content },
        ])
    };
    for more in [json!({ "state": run.state }), json!({ "messages": told("31.2 per") })] {
        let again = post(&quarry, &input(more.clone())).await;
        assert_eq!(again.header("x-quarry-ask"), Some(ask.as_str()), "{more}");
        assert_eq!(again.text().await.unwrap(), sent, "{more}");
    }
    let begun_by_app = input(json!({ "runId": "r3", "messages": told("31.2 per") }));
    let refused = post(&quarry, &begun_by_app).await;
    assert_eq!(refused.status, 400);
    let why = refused.text().await.unwrap();
    assert!(why.contains("must end with a message of the user"), "{why}");
    assert_eq!(quarry.provider.calls().len(), paid);
    // Another run of the same thread is another ask.
    let next = input(json!({ "runId": "r2" }));
    let next = post(&quarry, &next).await;
    assert_ne!(next.header("x-quarry-ask"), Some(ask.as_str()));
    next.text().await.unwrap();
    assert!(quarry.provider.calls().len() > paid);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_is_an_interrupt_and_going_on_keeps_what_was_paid() {
    let limited = Reply::rate_limited("20");
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [limited]);
    let quarry = started(script).await;
    let run = read(&post(&quarry, &input(json!({}))).await.text().await.unwrap());
    let interrupt = &run.last["outcome"]["interrupts"][0];
    assert_eq!(interrupt["reason"], "rate_limited", "{}", run.last);
    let before = quarry.provider.calls().len();
    let resume = json!([{ "interruptId": interrupt["id"], "status": "resolved" }]);
    let gone_on = post(&quarry, &input(json!({ "messages": [], "resume": resume }))).await;
    assert_eq!(gone_on.status, 200);
    let run = read(&gone_on.text().await.unwrap());
    assert!(run.text.contains("31.2 percent"), "{}", run.last);
    let calls = quarry.provider.calls();
    let phases: Vec<_> = calls[before..].iter().map(|call| call.phase().unwrap()).collect();
    assert!(!phases.contains(&Phase::Setup) && !phases.contains(&Phase::Planning), "{phases:?}");
    let nobodys = json!([{ "interruptId": "x1", "status": "resolved" }]);
    let refused = post(&quarry, &input(json!({ "runId": "r9", "resume": nobodys }))).await;
    assert!(refused.status.is_client_error(), "{}", refused.status);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mistakes_have_a_status_and_capabilities_are_told() {
    let quarry = started(Script::ordinary()).await;
    for (more, status) in [
        (json!({ "messages": [] }), 400),
        (json!({ "runId": "" }), 400),
        (json!({ "forwardedProps": { "model": "nobody:x" } }), 400),
        (json!({ "forwardedProps": { "model": "gpt-4o" } }), 400),
    ] {
        let open = post(&quarry, &input(more.clone())).await;
        assert_eq!(open.status, status, "{more}");
        assert!(open.text().await.unwrap().contains("error"), "{more}");
    }
    let url = format!("{}/agui/capabilities", quarry.url);
    let told = client::get(&url, &[]).await.unwrap().json().await.unwrap();
    assert_eq!(
        (&told["transport"]["streaming"], &told["tools"]["clientProvided"]),
        (&json!(true), &json!(false))
    );
    assert!(quarry.provider.calls().is_empty());
}
