//! For how long responses are kept, and what becomes of those that another version kept.

use super::served::{ABOUT_ONE, RESPONSES, create, send, show, started};
use super::{assembled, frames};
use crate::requests::begun_ago;
use quarry_scenarios::client;
use quarry_scenarios::quarry::Quarry;
use quarry_test_provider::Script;
use quarry_types::AskId;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::time::Duration;

const TEN_MINUTES: u64 = 600_000;
const A_DAY: u64 = 86_400_000;

fn count(file: &Connection, of: &str) -> u32 {
    let all = "SELECT count(*) FROM log_value WHERE log = ?1 OR place = ?1";
    file.query_row(all, [of], |row| row.get(0)).unwrap()
}

/// What is ignored of a request, and the response that came of it.
async fn asked(quarry: &Quarry, more: Value) -> (Option<String>, Value) {
    let open = create(quarry, more).await;
    assert_eq!(open.status, 200);
    let ignored = open.header("x-quarry-ignored").map(str::to_owned);
    (ignored, open.json().await.unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn older_turns_that_had_no_room_are_named_to_whoever_goes_on() {
    let quarry = started(Script::ordinary()).await;
    let input = json!([
        { "role": "user", "content": "Who built the mill?" },
        { "role": "assistant", "content": "It was built by many. ".repeat(3_500) },
        { "role": "user", "content": "What is six times seven?" },
    ]);
    let (ignored, first) = asked(&quarry, json!({ "input": input })).await;
    assert_eq!((ignored, &first["status"]), (None, &json!("completed")));
    let mut last = first;
    for _ in 0..2 {
        let more = json!({ "input": "And times eight?", "previous_response_id": last["id"] });
        let (ignored, next) = asked(&quarry, more).await;
        assert_eq!(ignored.as_deref(), Some("previous_response_id (older turns)"));
        last = next;
    }
    // What was said before the long answer is still there.
    let items = format!("{RESPONSES}/{}/input_items?order=asc", last["id"].as_str().unwrap());
    let items = send(&quarry, "GET", &items, &Value::Null).await.json().await.unwrap();
    assert_eq!(items["data"][0]["content"][0]["text"], "Who built the mill?");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_systems_and_developers_said_is_listed_where_it_was_said() {
    let quarry = started(Script::ordinary()).await;
    let input = json!([
        { "role": "system", "content": "Answer in limericks." },
        { "role": "user", "content": "Who built the mill?" },
        { "role": "assistant", "content": "Many did." },
        { "role": "developer", "content": "Name no names." },
        { "role": "user", "content": "What is six times seven?" },
    ]);
    let (_, first) = asked(&quarry, json!({ "input": input, "instructions": "Be kind." })).await;
    let id = first["id"].as_str().unwrap();
    let items = show(&quarry, id, "/input_items?order=asc").await.json().await.unwrap();
    let items = items["data"].as_array().unwrap();
    let shown: Vec<Value> = items
        .iter()
        .map(|item| json!({ "role": item["role"], "content": item["content"][0]["text"] }))
        .collect();
    assert_eq!(json!(shown), input);
    // Whoever goes on is not held to it.
    quarry.provider.forget();
    let more = json!({ "input": "And times eight?", "previous_response_id": id });
    let (_, next) = asked(&quarry, more).await;
    assert_eq!(next["status"], "completed");
    let calls = quarry.provider.calls();
    assert!(calls.iter().any(|call| call.text().contains("Who built the mill?")));
    assert!(!calls.iter().any(|call| call.text().contains("limericks")));
}

/// The log that goes with the one of what was not stored, once it is noted.
async fn goes_with(file: &Connection) -> AskId {
    while count(file, "brief") == 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let log = "SELECT log FROM log_value WHERE place = 'brief'";
    let log: String = file.query_row(log, [], |row| row.get(0)).unwrap();
    AskId::parse(&log).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_stored_is_read_for_ten_minutes_and_then_deleted() {
    let quarry = started(Script::ordinary()).await;
    if !quarry.is_local_or_skipped("its store is changed beside it") {
        return;
    }
    let response = create(&quarry, json!({ "store": false })).await.json().await.unwrap();
    let id = response["id"].as_str().unwrap().strip_prefix("resp_").unwrap().to_owned();
    let events = format!("/ask/{id}/events");
    // Whoever lost the stream has it meanwhile, by the ask's own name.
    assert_eq!(send(&quarry, "GET", &events, &Value::Null).await.status, 200);
    let file = quarry.sqlite().unwrap();
    let swept = goes_with(&file).await;
    let part = "SELECT value FROM log_value WHERE log = ?1 AND place = 'log/000000'";
    let part: Vec<u8> = file.query_row(part, [&id], |row| row.get(0)).unwrap();
    let text = String::from_utf8(part).unwrap();
    let (header, records) = text.split_once('\n').unwrap();
    let words: Vec<&str> = header.split(' ').collect();
    let (expires, written): (u64, u64) = (words[2].parse().unwrap(), words[3].parse().unwrap());
    assert!(expires <= written + TEN_MINUTES && expires + 60_000 > written + TEN_MINUTES);
    // The sweep takes what is a day old.
    let ended = swept.born_at() + A_DAY - TEN_MINUTES;
    assert!(ended.abs_diff(written) < 60_000, "{ended} {written}");

    let over = written - 1;
    let old = format!("{} {} {over} {} {}\n{records}", words[0], words[1], words[3], words[4]);
    let set = "UPDATE log_value SET value = ?2 WHERE log = ?1 AND place = 'log/000000'";
    file.execute(set, rusqlite::params![id, old.into_bytes()]).unwrap();
    assert_eq!(send(&quarry, "GET", &events, &Value::Null).await.status, 404);

    let old = AskId::new(swept.born_at() - TEN_MINUTES, 7).to_string();
    file.execute("UPDATE log_value SET log = ?1 WHERE place = 'brief'", [&old]).unwrap();
    assert!(count(&file, &id) > 0);
    // An instance looks once in ten minutes, and at its first ask.
    let quarry = quarry.restart().await.unwrap();
    let kept = create(&quarry, json!({})).await.json().await.unwrap();
    while count(&file, &id) > 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(show(&quarry, kept["id"].as_str().unwrap(), "").await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_another_version_kept_is_a_conflict_and_not_unknown() {
    let quarry = started(Script::ordinary()).await;
    if !quarry.is_local_or_skipped("its store is changed beside it") {
        return;
    }
    let kept = create(&quarry, json!({})).await.json().await.unwrap();
    let id = kept["id"].as_str().unwrap();
    let file = quarry.sqlite().unwrap();
    let newer = b"{\"version\":999,\"said\":[]}".as_slice();
    for other in [newer, b"{\"version\":1}", b"no JSON"] {
        let set = "UPDATE log_value SET value = ?1 WHERE place = 'kept'";
        assert_eq!(file.execute(set, [other]).unwrap(), 1);
        for (method, rest) in ABOUT_ONE {
            let path = format!("{RESPONSES}/{id}{rest}");
            let open = send(&quarry, method, &path, &Value::Null).await;
            assert_eq!(
                (open.status.as_u16(), open.header("x-should-retry")),
                (409, Some("false")),
                "{path}"
            );
            assert_eq!(open.json().await.unwrap()["error"]["code"], "conflict");
        }
        let open = create(&quarry, json!({ "previous_response_id": id })).await;
        assert_eq!(open.status, 409);
    }
    // The ask itself is still there.
    let events = format!("/ask/{}/events", id.strip_prefix("resp_").unwrap());
    assert_eq!(send(&quarry, "GET", &events, &Value::Null).await.status, 200);
}

/// What is left of an ask whose process was killed so many seconds ago, in its first quarter of a second: what its door
/// kept, and no log.
fn killed_at_once(file: &Connection, id: &str, seconds: u64) -> String {
    let dead = begun_ago(seconds).to_string();
    let copy = "INSERT INTO log_value (log, place, value)
        SELECT ?2, place, value FROM log_value WHERE log = ?1 AND place = 'kept'";
    assert_eq!(file.execute(copy, [id, &dead]).unwrap(), 1);
    dead
}

pub(crate) async fn research_result(quarry: &Quarry, id: &str) -> String {
    let params = json!({ "name": "research_result", "arguments": { "id": id, "wait_seconds": 0 } });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let headers =
        [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
    let url = format!("{}/mcp", quarry.url);
    client::send("POST", &url, &headers, call.to_string()).await.unwrap().text().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_killed_before_it_wrote_anything_has_failed_for_all_who_look() {
    let quarry = started(Script::ordinary()).await;
    if !quarry.is_local_or_skipped("its store is changed beside it") {
        return;
    }
    let begun = create(&quarry, json!({ "background": true })).await.json().await.unwrap();
    let id = begun["id"].as_str().unwrap().strip_prefix("resp_").unwrap();
    let file = quarry.sqlite().unwrap();
    for seconds in [60, 3_600] {
        let ask = killed_at_once(&file, id, seconds);
        let dead = format!("resp_{ask}");
        let open = show(&quarry, &dead, "").await;
        assert_eq!(open.status, 200);
        let shown = open.json().await.unwrap();
        assert_eq!((&shown["status"], &shown["output"]), (&json!("failed"), &json!([])));
        let message = shown["error"]["message"].as_str().unwrap();
        assert!(message.contains("before anything of it was written"), "{message}");
        assert!(message.contains("send its request again"), "{message}");
        // Nothing is there to go on from, and what is kept of its request is not all that it wished.
        let goes_on = json!({ "model": "quarry", "previous_response_id": dead });
        let refused = send(&quarry, "POST", RESPONSES, &goes_on).await;
        assert_eq!(refused.status, 400);
        let error = refused.json().await.unwrap()["error"].clone();
        assert_eq!(error["param"], "input");
        let why = error["message"].as_str().unwrap();
        assert!(why.contains("send its request again"), "{why}");
        let open = show(&quarry, &dead, "?stream=true").await;
        assert_eq!(open.status, 200);
        let all = frames(&open.text().await.unwrap());
        let kinds: Vec<&str> = all.iter().map(|frame| frame.kind.as_str()).collect();
        let told =
            ["response.created", "response.queued", "response.in_progress", "response.failed"];
        assert_eq!(kinds, told);
        assert_eq!(assembled(&all), shown);
        let rest = show(&quarry, &dead, "?stream=true&starting_after=1").await;
        assert_eq!(frames(&rest.text().await.unwrap()), all[2..]);
        let path = format!("{RESPONSES}/{dead}/cancel");
        let cancelled = send(&quarry, "POST", &path, &Value::Null).await;
        assert_eq!(cancelled.json().await.unwrap(), shown);
        let told = research_result(&quarry, &ask).await;
        assert!(told.contains("The research failed: the ask was interrupted"), "{told}");
        let path = format!("{RESPONSES}/{dead}");
        assert_eq!(send(&quarry, "DELETE", &path, &Value::Null).await.status, 200);
        assert_eq!(show(&quarry, &dead, "").await.status, 404);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_what_is_deleted_nothing_is_left_in_the_store() {
    let quarry = started(Script::ordinary()).await;
    if !quarry.is_local_or_skipped("its store is changed beside it") {
        return;
    }
    let response = create(&quarry, json!({})).await.json().await.unwrap();
    let name = response["id"].as_str().unwrap();
    let id = name.strip_prefix("resp_").unwrap();
    let file = quarry.sqlite().unwrap();
    // As a state leaves them that was too long for one value.
    for piece in ["state/0/000", "state/0/001", "state/1/000"] {
        let set = "INSERT INTO log_value (log, place, value) VALUES (?1, ?2, x'7b7d')";
        file.execute(set, [id, piece]).unwrap();
    }
    assert!(count(&file, id) > 3);
    let path = format!("{RESPONSES}/{name}");
    assert_eq!(send(&quarry, "DELETE", &path, &Value::Null).await.status, 200);
    assert_eq!(count(&file, id), 0);
}
