//! The AI SDK's UI message stream: what its reader holds of chunks, for every log; a chat that is joined, and ended.

use super::*;
use crate::requests::begun_ago;
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::Stores;
use quarry_test_provider::{Match, Phase, Reply, Split};
use std::collections::{HashMap, HashSet};

const CHAT: &str = "/api/chat";

fn chat(more: Value) -> Value {
    let messages =
        json!([{ "id": "m1", "role": "user", "parts": [{ "type": "text", "text": QUESTION }] }]);
    let mut chat = json!({ "id": "c1", "messages": messages, "trigger": "submit-message" });
    for (name, value) in more.as_object().unwrap() {
        chat[name] = value.clone();
    }
    chat
}

/// A message as a page has it.
#[derive(Debug, Default)]
struct Message {
    id: String,
    /// Who answers; none where it broke off before that was known.
    model: Option<String>,
    text: String,
    thoughts: Vec<String>,
    /// By its id: the tool and its output, or an error.
    tools: HashMap<String, (String, Option<Result<Value, String>>)>,
    sources: Vec<Value>,
    citations: Vec<Value>,
    quota: Option<Value>,
    finish: Option<Value>,
    error: Option<String>,
    is_aborted: bool,
}

/// Reads a stream and asserts what the SDK's reader does.
fn read(sent: &str) -> Message {
    let sent = sent.strip_suffix("data: [DONE]\n\n").unwrap_or_else(|| panic!("no end: {sent}"));
    let mut message = Message::default();
    let (mut parts, mut known, mut in_step) = (HashSet::new(), HashSet::new(), false);
    for (at, chunk) in frames(sent).iter().enumerate() {
        let text = |name: &str| {
            chunk[name].as_str().unwrap_or_else(|| panic!("{name}: {chunk}")).to_owned()
        };
        let kind = text("type");
        assert_eq!(at == 0, kind == "start");
        assert!(message.finish.is_none() && !message.is_aborted, "behind the end: {chunk}");
        if kind.starts_with("tool-") {
            assert_eq!(
                (&chunk["dynamic"], &chunk["providerExecuted"]),
                (&json!(true), &json!(true))
            );
        }
        match kind.as_str() {
            "start" => {
                let about = &chunk["messageMetadata"];
                assert!(about["createdAt"].is_u64(), "{chunk}");
                message.model = about.get("model").map(|model| model.as_str().unwrap().to_owned());
                message.id = text("messageId");
            }
            "start-step" => assert!(!std::mem::replace(&mut in_step, true)),
            "finish-step" => assert!(std::mem::take(&mut in_step)),
            "data-status" => {
                assert!(chunk["transient"] == true && chunk["data"]["text"].is_string())
            }
            "data-quota" => message.quota = Some(chunk["data"].clone()),
            "reasoning-start" | "text-start" => {
                assert!(in_step && known.insert(text("id")) && parts.insert(text("id")));
            }
            "reasoning-delta" => {
                assert!(parts.contains(&text("id")));
                message.thoughts.push(text("delta"));
            }
            "text-delta" => {
                assert!(parts.contains(&text("id")));
                message.text += &text("delta");
            }
            "reasoning-end" => assert!(parts.remove(&text("id"))),
            "text-end" => {
                assert!(parts.remove(&text("id")));
                message.citations = chunk["citations"].as_array().cloned().unwrap_or_default();
            }
            "tool-input-start" => {
                let before = message.tools.insert(text("toolCallId"), (text("toolName"), None));
                assert!(before.is_none(), "{chunk}");
            }
            "tool-input-available" => assert!(chunk.get("input").is_some()),
            "tool-output-available" => {
                let tool = message.tools.get_mut(&text("toolCallId")).unwrap();
                assert!(tool.1.replace(Ok(chunk["output"].clone())).is_none());
            }
            "tool-output-error" => {
                let tool = message.tools.get_mut(&text("toolCallId")).unwrap();
                assert!(tool.1.replace(Err(text("errorText"))).is_none());
            }
            "source-url" => {
                message.sources.push(json!([text("sourceId"), text("url"), text("title")]))
            }
            "source-document" => message.sources.push(json!([text("sourceId"), text("title")])),
            "error" => message.error = Some(text("errorText")),
            "abort" => message.is_aborted = true,
            "finish" => {
                let reason = text("finishReason");
                assert!(["stop", "length", "content-filter", "error"].contains(&reason.as_str()));
                message.finish = Some(chunk.clone());
            }
            other => panic!("unknown to some version: {other}"),
        }
    }
    assert!(parts.is_empty() && !in_step, "left open: {parts:?}");
    assert!(message.tools.values().all(|(_, result)| result.is_some()), "{:?}", message.tools);
    assert!(message.finish.is_some() != message.is_aborted);
    message
}

#[test]
fn the_same_bytes_leave_however_the_events_are_cut() {
    is_a_fold(CHAT, &chat(json!({})));
}

#[test]
fn every_log_is_a_message_that_pages_can_show() {
    let (mut finished, mut failed) = (0, 0);
    for (name, log) in LOGS.iter() {
        let sent = streamed(CHAT, &chat(json!({})), log, 5);
        let message = read(&sent);
        let (end, last) = ends(log);
        let reason = message.finish.as_ref().map(|finish| finish["finishReason"].clone());
        match (end, finish(log).as_deref()) {
            ("complete", Some("provider_error")) | ("error" | "quota_exceeded", _) => {
                assert_eq!(reason, Some(json!("error")), "{name}");
                assert!(message.error.is_some_and(|error| !error.is_empty()), "{name}");
                failed += 1;
            }
            ("complete", Some(_)) => {
                assert_ne!(reason, Some(json!("error")), "{name}");
                assert_eq!(Some(&message.text), content(log).as_ref(), "{name}");
                finished += 1;
            }
            ("complete", None) => assert!(message.is_aborted, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
        if end == "quota_exceeded" {
            let quota = message.quota.unwrap();
            assert_eq!(
                (&quota["waitSeconds"], &quota["resume"]),
                (&last["waitTime"], &json!(log.id))
            );
        } else {
            assert!(!sent.contains(&log.id), "{name}: who has a message must not have the ask");
        }
    }
    assert!(finished > 10 && failed > 1);
}

#[test]
fn usage_is_told_where_every_call_of_it_is_known() {
    usage_is_told_where_it_is_known(|log| {
        let finish = read(&streamed(CHAT, &chat(json!({})), log, 5)).finish?;
        let usage = finish["messageMetadata"].get("usage")?.clone();
        let parts = ["inputTokens", "outputTokens", "totalTokens", "reasoningTokens"];
        let all = parts.into_iter().chain(["cachedInputTokens"]);
        assert!(all.into_iter().all(|part| usage[part].is_u64()), "{usage}");
        Some(usage)
    });
}

#[test]
fn citations_are_counted_as_pages_count() {
    let quiet = chat(json!({ "quarry": { "progress": "none" } }));
    let mut cited = 0;
    for (name, log) in LOGS.iter() {
        let message = read(&streamed(CHAT, &quiet, log, 5));
        assert!(message.model.is_some(), "{name}");
        assert!(message.thoughts.is_empty(), "{name}");
        let units: Vec<u16> = message.text.encode_utf16().collect();
        for citation in &message.citations {
            let at = |field: &str| usize::try_from(citation[field].as_u64().unwrap()).unwrap();
            let link = String::from_utf16(&units[at("startIndex")..at("endIndex")]).unwrap();
            let url = citation["source"]["url"].as_str().unwrap();
            if name.starts_with("024-") {
                let place = (at("startIndex"), at("endIndex"));
                assert_eq!(place, (0, 0), "sources of JSON have no place in it");
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
    broken_off(CHAT, &chat(json!({})), |at, sent| {
        assert_eq!(read(sent).error.as_deref(), Some("the store is away"), "{at}");
    });
}

async fn post(quarry: &Quarry, chat: &Value) -> Open {
    let headers = [("content-type", "application/json")];
    client::send("POST", &format!("{}{CHAT}", quarry.url), &headers, chat.to_string())
        .await
        .unwrap()
}

async fn join(quarry: &Quarry, chat: &str) -> Open {
    client::get(&format!("{}{CHAT}/{chat}/stream", quarry.url), &[]).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_is_told_everything_and_may_be_loaded_again() {
    let held = Reply::text("Six times seven is forty-two, as every table says. ".repeat(8))
        .split(Split::Frames)
        .hold_midway("answer");
    let script = Script::ordinary().first(Match::Phase(Phase::Synthesis), [held]);
    let quarry = started(script).await;
    assert_eq!(join(&quarry, "c1").await.status, 204, "nothing was asked yet");
    let mut open = post(&quarry, &chat(json!({ "temperature": 1 }))).await;
    assert_eq!(open.status, 200);
    assert_eq!(open.header("x-vercel-ai-ui-message-stream"), Some("v1"));
    assert_eq!(open.header("x-quarry-ignored"), Some("temperature"));
    let mut before = String::new();
    while !before.contains("Six times") {
        before += &String::from_utf8_lossy(&open.chunk().await.unwrap().unwrap());
    }
    drop(open);
    let again = join(&quarry, "c1").await;
    assert_eq!(
        (again.status.as_u16(), again.header("x-vercel-ai-ui-message-stream")),
        (200, Some("v1"))
    );
    // Another chat is not this one.
    assert_eq!(join(&quarry, "c2").await.status, 204);
    quarry.provider.release("answer");
    let whole = again.text().await.unwrap();
    let message = read(&whole);
    assert!(whole.starts_with(&before), "the same bytes");
    assert!(message.text.contains("as every table says") && !message.tools.is_empty());
    assert!(message.finish.unwrap()["messageMetadata"]["usage"]["totalTokens"].as_u64() > Some(0));
    let paid = quarry.provider.calls().len();
    assert_eq!(read(&join(&quarry, "c1").await.text().await.unwrap()).id, message.id);
    assert_eq!(quarry.provider.calls().len(), paid);
    // The same words again are another question.
    let next = read(
        &post(&quarry, &chat(json!({ "trigger": "regenerate-message" })))
            .await
            .text()
            .await
            .unwrap(),
    );
    assert_ne!(next.id, message.id);
    assert_eq!(read(&join(&quarry, "c1").await.text().await.unwrap()).id, next.id);
}

/// Its process was killed when its place and its name were in the store, and its log was not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_finds_nothing_of_a_chat_that_was_killed_before_it_wrote_anything() {
    let quarry = started(Script::ordinary()).await;
    if !quarry.is_local_or_skipped("its store is changed beside it") {
        return;
    }
    let open = post(&quarry, &chat(json!({}))).await;
    let mut named = open.header("x-quarry-ask").unwrap().to_owned();
    read(&open.text().await.unwrap());
    let file = quarry.sqlite().unwrap();
    // Whoever looks is no reader: a mark that is left behind would keep an ask going.
    file.execute_batch(
        "CREATE TABLE marked (place TEXT);
         CREATE TRIGGER marks AFTER INSERT ON log_value WHEN NEW.place LIKE 'reading/%'
         BEGIN INSERT INTO marked VALUES (NEW.place); END",
    )
    .unwrap();
    for seconds in [8, 60] {
        let dead = begun_ago(seconds).to_string();
        let set = "UPDATE log_value SET value = ?2 WHERE place = 'begun' AND value = ?1";
        assert!(file.execute(set, [named.as_bytes(), dead.as_bytes()]).unwrap() > 0);
        let open = join(&quarry, "c1").await;
        assert_eq!(open.status, 204, "{seconds}");
        named = dead;
    }
    let marked = "SELECT count(*) FROM marked";
    assert_eq!(file.query_row(marked, [], |row| row.get(0)), Ok(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_limit_ended_is_not_paid_for_again_whichever_button_is_pressed() {
    for trigger in ["submit-message", "regenerate-message"] {
        let limited = Reply::rate_limited("20");
        let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [limited]);
        let quarry = started(script).await;
        let paid = |phase| {
            quarry.provider.calls().iter().filter(|call| call.phase() == Some(phase)).count()
        };
        let first = read(&post(&quarry, &chat(json!({}))).await.text().await.unwrap());
        assert!(first.quota.is_some() && first.error.is_some(), "{first:?}");
        let parts = json!([{ "type": "text", "text": QUESTION }]);
        let again = chat(json!({
            "trigger": trigger, "messageId": "a1",
            "messages": [{ "id": "another", "role": "user", "parts": parts }],
        }));
        let next = read(&post(&quarry, &again).await.text().await.unwrap());
        assert!(next.id != first.id && next.error.is_none(), "{trigger}: {next:?}");
        for phase in [Phase::Setup, Phase::Planning, Phase::Iteration(1), Phase::Synthesis] {
            assert_eq!(paid(phase), 1, "{trigger}: {phase:?}");
        }
        assert_eq!(read(&join(&quarry, "c1").await.text().await.unwrap()).id, next.id);
        // What was answered is asked anew.
        let other = read(&post(&quarry, &again).await.text().await.unwrap());
        assert_ne!(other.id, next.id, "{trigger}");
        assert_eq!(paid(Phase::Setup), 2, "{trigger}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_wished_for_no_thoughts_is_told_none_when_it_is_loaded_again() {
    let quiet = chat(json!({ "quarry": { "progress": "none" } }));
    let of = |stores| Setup { stores, ..Setup::new(Script::ordinary()) };
    for stores in [Stores::All, Stores::KeyValue] {
        let quarry = of(stores).start().await.unwrap();
        let first = post(&quarry, &quiet).await.text().await.unwrap();
        assert!(read(&first).thoughts.is_empty());
        assert_eq!(join(&quarry, "c1").await.text().await.unwrap(), first);
        let next = post(&quarry, &chat(json!({}))).await.text().await.unwrap();
        assert!(!read(&next).thoughts.is_empty());
        assert_eq!(join(&quarry, "c1").await.text().await.unwrap(), next);
    }
    // Where nothing is kept there is nothing to join, and it is answered all the same.
    let quarry = of(Stores::None).start().await.unwrap();
    let only = post(&quarry, &quiet).await;
    assert_eq!(only.status, 200);
    assert!(read(&only.text().await.unwrap()).thoughts.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chat_is_ended_by_who_began_it() {
    let planning = Reply::text("no plan").hold("planning");
    let script = Script::ordinary().first(Match::Phase(Phase::Planning), [planning]);
    let quarry = started(script).await;
    let stop = format!("{}{CHAT}/c1/stop", quarry.url);
    let stopped = client::send("POST", &stop, &[], String::new()).await.unwrap();
    assert_eq!(stopped.status, 404);
    let open = post(&quarry, &chat(json!({}))).await;
    quarry.provider.holding("planning", 1).await;
    let others = [("authorization", "Bearer other")];
    assert_eq!(client::send("POST", &stop, &others, String::new()).await.unwrap().status, 404);
    assert_eq!(client::send("POST", &stop, &[], String::new()).await.unwrap().status, 202);
    // The provider never answers: nothing but the wish ends the ask.
    assert!(read(&open.text().await.unwrap()).is_aborted);
    quarry.provider.release("planning");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mistakes_are_told_in_words() {
    let quarry = started(Script::ordinary()).await;
    for (more, word) in [
        (json!({ "messages": [] }), "messages"),
        (json!({ "id": "a b" }), "id"),
        (json!({ "model": "nobody:x" }), "model"),
        (json!({ "quarry": { "max_iterations": 0 } }), "quarry.max_iterations"),
    ] {
        let open = post(&quarry, &chat(more.clone())).await;
        assert_eq!(open.status, 400, "{more}");
        assert!(open.header("content-type").unwrap().starts_with("text/plain"));
        let told = open.text().await.unwrap();
        assert!(told.contains(word) && !told.starts_with('{'), "{told}");
    }
    assert!(quarry.provider.calls().is_empty());
}
