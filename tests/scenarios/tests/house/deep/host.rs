//! `effort: "deep"` of a host's tool `research`, and tasks.

use super::{held, report, send, started};
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::database::Keeper;
use quarry_scenarios::quarry::{FOR_A_PLACE, Quarry, Setup};
use quarry_scenarios::research::{ASKED, TASK, asked, replies, script};
use quarry_test_libsql::Fault;
use quarry_test_provider::{Match, Phase, Reply, Script};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const BOTH: &str = "application/json, text/event-stream";
pub const TASKS: &str = "io.modelcontextprotocol/tasks";

/// A message in one version, of a client that knows these extensions.
pub async fn sent(
    quarry: &Quarry,
    version: &str,
    extensions: Value,
    (method, mut params): (&str, Value),
) -> Open {
    let is_modern = version == "2026-07-28";
    let mut headers = vec![("accept", BOTH), ("mcp-protocol-version", version)];
    let name = params["name"].as_str().or(params["taskId"].as_str()).map(str::to_owned);
    if is_modern {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": { "extensions": extensions },
        });
        headers.push(("mcp-method", method));
        headers.extend(name.as_deref().map(|name| ("mcp-name", name)));
    }
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
    send(quarry, "POST /mcp", &headers, &message).await
}

/// The answer to a call, in a stream or at once.
async fn answer(open: Open) -> Value {
    let text = open.text().await.unwrap();
    let last = text.trim_end().rsplit("data: ").next().unwrap();
    serde_json::from_str(last).unwrap_or_else(|_| panic!("{text}"))
}

/// Reads a stream that stays open until it has told this; all that it told.
pub async fn read_until(open: &mut Open, told: &mut String, until: &str) -> String {
    while !told.contains(until) {
        let chunk = open.chunk().await.unwrap().expect("the stream stays open");
        told.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    told.clone()
}

pub async fn call(quarry: &Quarry, version: &str, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    answer(sent(quarry, version, json!({}), ("tools/call", params)).await).await["result"].clone()
}

pub fn given<'r>(result: &'r Value, name: &str) -> &'r str {
    result["structuredContent"][name].as_str().unwrap_or_else(|| panic!("{name}: {result}"))
}

fn deep(wait: u64) -> Value {
    json!({ "question": TASK, "effort": "deep", "wait_seconds": wait })
}

/// Without a run's usual depth: the small web has nothing to go deeper for.
async fn task(quarry: &Quarry, method: &str, id: &str) -> Value {
    let known = json!({ TASKS: {} });
    answer(sent(quarry, "2026-07-28", known, (method, json!({ "taskId": id }))).await).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_research_that_goes_deep_is_a_run_in_every_version() {
    for version in ["2026-07-28", "2025-11-25", "2025-03-26"] {
        let quarry = started(held("judging")).await;
        let first = call(&quarry, version, "research", deep(0)).await;
        if version == "2025-03-26" {
            let text = first["content"][0]["text"].as_str().unwrap();
            assert!(text.contains("research_result with id \"run_"), "{text}");
            continue;
        }
        assert_eq!((given(&first, "status"), &first["isError"]), ("running", &json!(false)));
        let id = given(&first, "id").to_owned();
        assert_eq!(first["structuredContent"]["next"]["arguments"]["id"], id);
        quarry.provider.holding("judging", 1).await;
        quarry.provider.release("judging");
        let last = call(&quarry, version, "research_result", json!({ "id": id })).await;
        assert_eq!(given(&last, "status"), "completed", "{last}");
        assert_eq!(given(&last, "answer"), report(&quarry, id.strip_prefix("run_").unwrap()).await);
        assert!(!last["structuredContent"]["sources"].as_array().unwrap().is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_has_begun_tells_its_id_whatever_fails_behind_that() {
    let mut setup = Setup::new(Script::ordinary());
    setup.keeper = Keeper::Scripted;
    let quarry = setup.start().await.unwrap();
    let asked =
        json!({ "name": "research", "arguments": { "question": "What is six times seven?" } });
    let server = quarry.database.scripted().unwrap();
    // What was kept of it cannot be read.
    server.fault("SELECT value FROM log_value", 0..u32::MAX, Fault::Status(500));
    let known = json!({ TASKS: {} });
    let first = answer(sent(&quarry, "2026-07-28", known, ("tools/call", asked)).await).await;
    server.heal();
    let id = given(&first["result"], "id").to_owned();
    assert_eq!(given(&first["result"], "status"), "running", "{first}");
    let last = call(&quarry, "2026-07-28", "research_result", json!({ "id": id })).await;
    assert_eq!(given(&last, "status"), "completed", "{last}");
    assert_eq!(task(&quarry, "tasks/get", &id).await["result"]["status"], "completed");
    let calls = quarry.provider.calls();
    assert_eq!(calls.iter().filter(|call| call.phase() == Some(Phase::Setup)).count(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_stopped_by_its_id() {
    let quarry = started(held("judging")).await;
    let first = call(&quarry, "2025-11-25", "research", deep(0)).await;
    let id = given(&first, "id").to_owned();
    quarry.provider.holding("judging", 1).await;
    let last = call(&quarry, "2025-11-25", "research_stop", json!({ "id": id })).await;
    assert_eq!(given(&last, "status"), "stopped", "{last}");
    let again = call(&quarry, "2026-07-28", "research_stop", json!({ "id": id })).await;
    assert_eq!(given(&again, "status"), "stopped");
    let unknown = json!({ "id": format!("run_{}", "0".repeat(32)) });
    let unknown = call(&quarry, "2026-07-28", "research_result", unknown).await;
    assert_eq!(unknown["isError"], true, "{unknown}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_says_to_look_again_and_is_gone_on_with_once_it_is_over() {
    let limited = Reply::rate_limited("20");
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [limited]);
    let quarry = started(script).await;
    let question = json!({ "question": "What is six times seven?" });
    let first = call(&quarry, "2026-07-28", "research", question).await;
    assert_eq!(given(&first, "status"), "rate_limited", "{first}");
    let next = &first["structuredContent"]["next"];
    assert_eq!((&next["tool"], &next["after_seconds"]), (&json!("research_result"), &json!(20.0)));
    let paid = quarry.provider.calls().len();
    let early = call(&quarry, "2026-07-28", "research_result", next["arguments"].clone()).await;
    assert_eq!(given(&early, "status"), "rate_limited", "its time has not come");
    assert_eq!(quarry.provider.calls().len(), paid);
    let held = task(&quarry, "tasks/get", given(&first, "id")).await["result"].clone();
    assert_eq!(held["status"], "working", "{held}");
    assert!(held["pollIntervalMs"].as_u64().unwrap() > 2_000, "{held}");
    task(&quarry, "tasks/cancel", given(&first, "id")).await;
    let held = task(&quarry, "tasks/get", given(&first, "id")).await["result"].clone();
    assert_eq!(held["status"], "cancelled", "{held}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_limit_ended_goes_on_by_its_own_id_and_pays_for_nothing_twice() {
    let limited = Reply::rate_limited("3");
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [limited]);
    let quarry = started(script).await;
    let question = json!({ "question": "What is six times seven?" });
    let first = call(&quarry, "2025-11-25", "research", question).await;
    assert_eq!(given(&first, "status"), "rate_limited", "{first}");
    let paid = quarry.provider.calls().len();
    let by_id = || json!({ "id": given(&first, "id") });
    let last = loop {
        let now = call(&quarry, "2025-11-25", "research_result", by_id()).await;
        if given(&now, "status") != "rate_limited" {
            break now;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    assert_eq!(given(&last, "status"), "completed", "{last}");
    let calls = quarry.provider.calls();
    let setups = calls.iter().filter(|call| call.phase() == Some(Phase::Setup)).count();
    assert_eq!((setups, calls.len() > paid), (1, true));
    // It is known by both ids from then on, and nobody pays again.
    let again = call(&quarry, "2025-11-25", "research_result", by_id()).await;
    assert_eq!(again["structuredContent"], last["structuredContent"]);
    let held = task(&quarry, "tasks/get", given(&first, "id")).await["result"].clone();
    assert_eq!(
        (&held["status"], &held["taskId"]),
        (&json!("completed"), &first["structuredContent"]["id"])
    );
    let uri = format!("quarry://asks/{}", given(&first, "id"));
    let read = ("resources/read", json!({ "uri": uri }));
    let read = answer(sent(&quarry, "2025-11-25", json!({}), read).await).await;
    let text = read["result"]["contents"][0]["text"].as_str().unwrap();
    assert!(text.contains(given(&last, "answer").trim()), "{text}");
    assert_eq!(quarry.provider.calls().len(), calls.len());
}

/// To call `research` again would pay for all of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_research_whose_process_died_goes_on_where_it_was_and_once() {
    for is_task in [false, true] {
        let late = Reply::text("late").hold("second");
        let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [late]);
        let quarry = started(script).await;
        let question = json!({ "question": "What is six times seven?", "wait_seconds": 0 });
        let first = call(&quarry, "2025-11-25", "research", question).await;
        let id = given(&first, "id").to_owned();
        quarry.provider.holding("second", 1).await;
        // Something of its log is there when somebody reads it.
        let url = format!("{}/ask/{id}/events", quarry.url);
        let mut reader = client::get(&url, &[("accept", "text/event-stream")]).await.unwrap();
        reader.until("init").await.unwrap();
        let quarry = quarry.restart().await.unwrap();
        quarry.provider.set_script(Script::ordinary());
        // Whoever waits for it is told when that is certain. A busy processor has it doubted anew.
        let look = json!({ "id": id, "wait_seconds": 55 });
        let mut died = call(&quarry, "2025-11-25", "research_result", look.clone()).await;
        for _ in 0..3 {
            if given(&died, "status") == "running" {
                died = call(&quarry, "2025-11-25", "research_result", look.clone()).await;
            }
        }
        assert_eq!(given(&died, "status"), "interrupted", "{died}");
        let next = &died["structuredContent"]["next"];
        assert_eq!(next["arguments"], json!({ "id": id }), "{died}");
        if is_task {
            let held = task(&quarry, "tasks/get", &id).await["result"].clone();
            // It may have ended since.
            assert!(["working", "completed"].map(Value::from).contains(&held["status"]), "{held}");
        }
        let last = call(&quarry, "2025-11-25", "research_result", look.clone()).await;
        assert_eq!(given(&last, "status"), "completed", "{last}");
        let again = call(&quarry, "2025-11-25", "research_result", look).await;
        assert_eq!(again["structuredContent"], last["structuredContent"]);
        let held = task(&quarry, "tasks/get", &id).await["result"].clone();
        assert_eq!((&held["status"], &held["taskId"]), (&json!("completed"), &json!(id)));
        let calls = quarry.provider.calls();
        for phase in [Phase::Setup, Phase::Planning, Phase::Iteration(1), Phase::Synthesis] {
            let paid = calls.iter().filter(|call| call.phase() == Some(phase)).count();
            assert_eq!(paid, 1, "{phase:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_limits_end_time_and_again_is_known_by_its_first_id() {
    let limited = Reply::rate_limited("600");
    let script = Script::ordinary().first_always(Match::Phase(Phase::Iteration(2)), limited);
    let quarry = started(script).await;
    let question = json!({ "question": "What is six times seven?" });
    let first = call(&quarry, "2026-07-28", "research", question).await;
    assert_eq!(given(&first, "status"), "rate_limited", "{first}");
    let id = given(&first, "id").to_owned();
    let mut newest = id.clone();
    for _ in 0..70 {
        let body = json!({ "continuation": true, "continuationContext": { "id": newest } });
        let events = client::ask(&quarry.url, &body).await.unwrap().events().await.unwrap();
        assert_eq!(events.last().unwrap().name, "quota_exceeded", "{events:?}");
        let begun = events.iter().find(|event| event.name == "init").unwrap();
        begun.data["id"].as_str().unwrap().clone_into(&mut newest);
    }
    assert_ne!(newest, id);
    for status in ["working", "cancelled"] {
        // The second look has not as far to go.
        for _ in 0..2 {
            let held = task(&quarry, "tasks/get", &id).await;
            let told = (&held["result"]["status"], &held["result"]["taskId"]);
            assert_eq!(told, (&json!(status), &json!(id)), "{held}");
        }
        // What is cancelled is the newest.
        let cancelled = task(&quarry, "tasks/cancel", &id).await;
        assert_eq!(cancelled["result"]["resultType"], "complete", "{cancelled}");
    }
    let of_newest = task(&quarry, "tasks/get", &newest).await;
    assert_eq!(of_newest["result"]["status"], "cancelled", "{of_newest}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_knows_tasks_has_one_at_once_and_its_result_later() {
    let deep = json!({ "name": "research", "arguments": deep(0) });
    let ask =
        json!({ "name": "research", "arguments": { "question": "What is six times seven?" } });
    for (script, params) in [(script(), deep), (Script::ordinary(), ask)] {
        let quarry = started(script).await;
        let known = json!({ TASKS: {} });
        let open = sent(&quarry, "2026-07-28", known, ("tools/call", params)).await;
        assert_eq!(open.header("content-type"), Some("application/json"));
        let created = open.json().await.unwrap()["result"].clone();
        assert_eq!(
            (&created["resultType"], &created["status"]),
            (&json!("task"), &json!("working"))
        );
        let id = created["taskId"].as_str().unwrap();
        let last = loop {
            let now = task(&quarry, "tasks/get", id).await["result"].clone();
            assert_eq!(
                (&now["resultType"], &now["taskId"]),
                (&json!("complete"), &created["taskId"])
            );
            if now["status"] != "working" {
                break now;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        assert_eq!(last["status"], "completed", "{last}");
        assert_eq!(last["createdAt"], created["createdAt"]);
        assert!(last["ttlMs"].as_u64().unwrap() >= 3_600_000);
        assert_eq!(given(&last["result"], "status"), "completed");
        assert_eq!(task(&quarry, "tasks/update", id).await["result"]["resultType"], "complete");
        let unknown = task(&quarry, "tasks/get", &"0".repeat(32)).await;
        assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_is_cancelled_and_whoever_listens_is_told() {
    let late = Reply::text("late").hold("iteration");
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(1)), [late]);
    let quarry = started(script).await;
    let known = || json!({ TASKS: {} });
    let params = json!({ "name": "research", "arguments": { "question": "Why?" } });
    let created = sent(&quarry, "2026-07-28", known(), ("tools/call", params)).await;
    let id = created.json().await.unwrap()["result"]["taskId"].as_str().unwrap().to_owned();
    quarry.provider.holding("iteration", 1).await;
    let wanted = json!({ "notifications": { "taskIds": [id, "0af3"] } });
    let listen = ("subscriptions/listen", wanted);
    let mut open = sent(&quarry, "2026-07-28", known(), listen.clone()).await;
    let mut told = String::new();
    let mut read = async |until: &str| read_until(&mut open, &mut told, until).await;
    let first = read("\"status\":\"working\"").await;
    assert!(
        first.starts_with(
            "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\""
        ),
        "{first}"
    );
    assert!(first.contains(&format!("\"taskIds\":[\"{id}\"]")), "{first}");
    let acknowledged = task(&quarry, "tasks/cancel", &id).await;
    assert_eq!(acknowledged["result"]["resultType"], "complete", "{acknowledged}");
    let all = read("\"status\":\"cancelled\"").await;
    assert!(all.contains("\"method\":\"notifications/tasks\""), "{all}");
    assert!(all.contains("\"io.modelcontextprotocol/subscriptionId\":7"), "{all}");
    // Whoever listens later is told nothing that was over by then.
    let mut late = sent(&quarry, "2026-07-28", known(), listen).await;
    let mut told = String::new();
    while !told.contains("notifications/tasks") {
        told.push_str(std::str::from_utf8(&late.chunk().await.unwrap().unwrap()).unwrap());
    }
    assert!(told.contains("\"status\":\"cancelled\"") && !told.contains("working"), "{told}");
}

/// Each such stream holds a reader of a log for an hour.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_listens_is_counted_as_whoever_begins_something() {
    let setup = Setup::new(Script::ordinary()).variable("rate_limit_requests", "1");
    let quarry = setup.variable("rate_limit_window_seconds", "3600").start().await.unwrap();
    let listen = async || {
        let wanted = ("subscriptions/listen", json!({ "notifications": {} }));
        sent(&quarry, "2026-07-28", json!({ TASKS: {} }), wanted).await
    };
    let first = listen().await;
    let second = listen().await;
    assert_eq!((first.status.as_u16(), second.status.as_u16()), (200, 429));
    assert!(second.header("retry-after").is_some());
}

/// A research that goes deep, told as it goes on.
async fn followed(quarry: &Quarry, version: &str) -> Open {
    let params =
        json!({ "name": "research", "arguments": deep(50), "_meta": { "progressToken": "t" } });
    let open = sent(quarry, version, json!({}), ("tools/call", params)).await;
    assert_eq!(open.header("content-type"), Some("text/event-stream; charset=utf-8"));
    open
}

/// The whole frames of a stream, without those that say nothing.
fn whole(sent: &str) -> Vec<String> {
    let ends = sent.rfind("\n\n").map_or(0, |at| at + 2);
    let frames = sent[..ends].split_terminator("\n\n").filter(|frame| frame.contains("data: {"));
    frames.map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_stream_of_a_run_is_joined_again_behind_any_frame() {
    let quarry = started(held("judging")).await;
    let mut open = followed(&quarry, "2025-11-25").await;
    let mut seen = String::new();
    while whole(&seen).len() < 3 {
        seen.push_str(&String::from_utf8_lossy(&open.chunk().await.unwrap().unwrap()));
    }
    quarry.provider.holding("judging", 1).await;
    drop(open);
    let frames = whole(&seen);
    let url = format!("{}/mcp", quarry.url);
    let join = async |frame: &str| {
        let last = frame.lines().find_map(|line| line.strip_prefix("id: ")).unwrap().to_owned();
        let headers = [
            ("accept", "text/event-stream"),
            ("mcp-protocol-version", "2025-11-25"),
            ("last-event-id", last.as_str()),
        ];
        client::get(&url, &headers).await.unwrap()
    };
    // One comes while the run goes on, the others when it has ended.
    let early = join(&frames[0]).await;
    quarry.provider.release("judging");
    let mut rests = vec![early.text().await.unwrap()];
    let paid = quarry.provider.calls().len();
    for frame in &frames {
        rests.push(join(frame).await.text().await.unwrap());
    }
    let rests: Vec<Vec<String>> = rests.iter().map(|rest| whole(rest)).collect();
    assert_eq!(rests[0], rests[1], "it is told the same while it happens and later");
    for (at, rest) in rests[1..].iter().enumerate() {
        assert_eq!(rest[..], rests[0][at..], "behind frame {at}");
        assert_eq!(rests[0][..at], frames[1..=at], "what was seen is what is told again");
    }
    let last = rests[0].last().unwrap().split_once("data: ").unwrap().1;
    let last: Value = serde_json::from_str(last).unwrap();
    assert_eq!(given(&last["result"], "status"), "completed", "{last}");
    assert_eq!(quarry.provider.calls().len(), paid, "nobody pays for looking");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_ends_with_the_stream_where_there_was_no_handshake_and_else_goes_on() {
    for (version, status) in [("2026-07-28", "aborted"), ("2025-11-25", "completed")] {
        let [_, read, judged, _] = replies();
        let script = script()
            .first(asked(ASKED[1]), [Reply::json(&read).hold("reading")])
            .first(asked(ASKED[2]), [Reply::json(&judged).hold("judging")]);
        let quarry = started(script).await;
        let open = followed(&quarry, version).await;
        quarry.provider.holding("reading", 1).await;
        drop(open);
        // What is told next shows that nobody is there, if that was not seen before: then nothing more is asked.
        quarry.provider.release("reading");
        if status == "completed" {
            quarry.provider.release("judging");
        }
        let ends = |status: &str| format!("\"status\":\"{status}\"");
        quarry.until_stored(&ends(status)).await.unwrap();
        let stored = quarry.stored().unwrap();
        for other in ["aborted", "completed"].into_iter().filter(|other| *other != status) {
            let ends = ends(other).into_bytes();
            assert!(!stored.windows(ends.len()).any(|bytes| bytes == ends), "{version}: {other}");
        }
        quarry.provider.release("judging");
    }
}

/// Whoever looks at a task whose limit is over has it go on, where there is room for one more.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_that_may_go_on_waits_while_the_server_is_full() {
    let mut tries = 0..FOR_A_PLACE;
    while !waits_while_the_server_is_full().await {
        assert!(tries.next().is_some(), "no ask has a place");
    }
}

/// False: the other ask has no place.
async fn waits_while_the_server_is_full() -> bool {
    let limited = Reply::rate_limited("3");
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [limited]);
    let quarry = Setup::new(script).variable("max_asks", "1").start().await.unwrap();
    let question = json!({ "question": "What is six times seven?" });
    let first = call(&quarry, "2026-07-28", "research", question).await;
    assert_eq!(given(&first, "status"), "rate_limited", "{first}");
    let over = Instant::now() + Duration::from_secs(3);
    let late = Reply::text("late").hold("iteration");
    quarry.provider.set_script(Script::ordinary().first(Match::Phase(Phase::Iteration(1)), [late]));
    // Its place is given back behind its last word.
    let other = loop {
        let mut other = client::ask(&quarry.url, &json!({ "query": "Why?" })).await.unwrap();
        let first = other.chunk().await.unwrap().unwrap();
        if !String::from_utf8_lossy(&first).contains("event: error") {
            break other;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    quarry.provider.holding("iteration", 1).await;
    if quarry.places_taken().unwrap() == 0 {
        return false;
    }
    let paid = quarry.provider.calls().len();
    let mut looks_behind = 0;
    while looks_behind < 3 {
        let now = task(&quarry, "tasks/get", given(&first, "id")).await["result"].clone();
        assert_eq!(now["status"], "working", "{now}");
        looks_behind += usize::from(Instant::now() > over);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(quarry.provider.calls().len(), paid, "there was no room for it");
    quarry.provider.release("iteration");
    assert!(other.text().await.unwrap().contains("event: complete"), "the other has its answer");
    let last = loop {
        let now = task(&quarry, "tasks/get", given(&first, "id")).await["result"].clone();
        if now["status"] != "working" {
            break now;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    assert_eq!(given(&last["result"], "status"), "completed", "{last}");
    true
}
