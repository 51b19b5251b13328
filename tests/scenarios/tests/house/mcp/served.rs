//! The built components: greeted, asked, waited for, stopped, left, joined again, read.

use super::frames;
use super::host::{Host, QUESTION, ended, held, id, started, status};
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::Setup;
use quarry_test_provider::{FOREVER, Match, Phase, Reply, Script, Split};
use serde_json::{Value, json};
use std::pin::pin;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_host_of_either_era_researches_and_reads_what_came_of_it() {
    let quarry = started(Script::ordinary()).await;
    for host in [
        Host::greeted(&quarry, "2025-11-25").await,
        Host::greeted(&quarry, "2025-06-18").await,
        Host::modern(&quarry),
    ] {
        let tools = host.request("tools/list", json!({})).await;
        assert_eq!(tools["result"]["tools"][0]["name"], "research");
        let (given, told) =
            host.call("research", json!({ "question": QUESTION, "effort": "low" })).await;
        assert_eq!(status(&given), "completed", "{given}");
        assert!(told > 0, "{}", host.version);
        let answer = given["structuredContent"]["answer"].as_str().unwrap();
        assert!(answer.contains("31.2 percent"), "{answer}");
        assert_eq!(given["content"][0]["text"], answer);
        assert!(given["structuredContent"]["usage"]["total_tokens"].as_u64().unwrap() > 0);
        assert_eq!(given.get("resultType").is_some(), host.is_modern());
        let (again, told) = host.call("research_result", json!({ "id": id(&given) })).await;
        assert_eq!((&again["structuredContent"], told), (&given["structuredContent"], 0));
        let uri = given["content"][1]["uri"].as_str().unwrap().to_owned();
        let mut texts = Vec::new();
        for rest in ["", "/sources", "/events"] {
            let read =
                host.request("resources/read", json!({ "uri": format!("{uri}{rest}") })).await;
            assert_eq!(
                read["result"].get("cacheScope"),
                host.is_modern().then_some(&json!("private"))
            );
            texts.push(read["result"]["contents"][0]["text"].as_str().unwrap().to_owned());
        }
        assert!(texts[0].contains(answer) && texts[0].contains(QUESTION));
        assert_eq!(
            serde_json::from_str::<Value>(&texts[1]).unwrap(),
            given["structuredContent"]["sources"]
        );
        let lines = texts[2].lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let names: Vec<String> =
            lines.map(|line| line["event"].as_str().unwrap().to_owned()).collect();
        assert_eq!(names.last().map(String::as_str), Some("complete"));
        assert!(!names.iter().any(|name| name.starts_with("llm_")), "{names:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_research_that_takes_longer_is_waited_for_by_its_id() {
    let quarry = started(Script::ordinary()).await;
    for host in [Host::greeted(&quarry, "2025-11-25").await, Host::modern(&quarry)] {
        // What is released stays so: each has a name of its own.
        let name = host.version;
        quarry.provider.set_script(held(Phase::Planning, name));
        let (given, _) =
            host.call("research", json!({ "question": QUESTION, "wait_seconds": 1 })).await;
        assert_eq!(status(&given), "running", "{given}");
        let text = given["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("research_result") && text.contains(&id(&given)), "{text}");
        let next = given["structuredContent"]["next"].clone();
        assert_eq!(next["tool"], "research_result");
        let mut look = next["arguments"].clone();
        look["wait_seconds"] = json!(0);
        assert_eq!(status(&host.call("research_result", look).await.0), "running");
        quarry.provider.release(name);
        // What went on before it looked is not told again, and it may all have gone on.
        let (given, _) = host.call("research_result", next["arguments"].clone()).await;
        assert_eq!(status(&given), "completed", "{given}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_research_is_known_by_its_id_before_anything_of_it_is_written() {
    let quarry = started(Script::ordinary()).await;
    for host in [Host::greeted(&quarry, "2025-11-25").await, Host::modern(&quarry)] {
        // What is released stays so: each has a name of its own.
        let name = host.version;
        quarry.provider.set_script(held(Phase::Planning, name));
        let asked = json!({ "question": QUESTION, "wait_seconds": 0 });
        let (first, _) = host.call("research", asked).await;
        // Its log begins a quarter of a second after it.
        let look = json!({ "id": id(&first), "wait_seconds": 0 });
        let (looked, _) = host.call("research_result", look).await;
        assert_eq!(status(&looked), "running", "{looked}");
        let (stopped, _) = host.call("research_stop", json!({ "id": id(&first) })).await;
        assert_eq!(status(&stopped), "stopped", "{stopped}");
        quarry.provider.release(name);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_research_is_stopped_by_a_tool_and_by_word_of_its_session() {
    let quarry = started(held(Phase::Iteration(1), "iteration")).await;
    let host = Host::greeted(&quarry, "2025-11-25").await;
    let first = host.call("research", json!({ "question": QUESTION, "wait_seconds": 0 })).await.0;
    quarry.provider.holding("iteration", 1).await;
    let (stopped, _) = host.call("research_stop", json!({ "id": id(&first) })).await;
    assert_eq!(status(&stopped), "stopped", "{stopped}");
    quarry.provider.release("iteration");
    // Now by word: the request's id and the session are all that its client knows.
    quarry.provider.set_script(held(Phase::Iteration(1), "second"));
    let open = host.open(7, "research", json!({ "question": QUESTION })).await;
    quarry.provider.holding("second", 1).await;
    let stranger = Host::greeted(&quarry, "2025-11-25").await;
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
    assert_eq!(stranger.send(&told).await.status, 202);
    assert_eq!(host.send(&told).await.status, 202);
    let (given, _) = ended(&frames(&open.text().await.unwrap()));
    assert_eq!(status(&given), "stopped");
    quarry.provider.release("second");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_research_that_is_called_off_in_the_moment_of_its_call_is_stopped() {
    // No plan ever comes: nothing but the word ends it.
    let never = Reply::text("no plan").hold("never");
    let script = Script::ordinary().first_always(Match::Phase(Phase::Planning), never);
    let quarry = started(script).await;
    let host = Host::greeted(&quarry, "2025-11-25").await;
    for id in 100..120 {
        let params = json!({ "requestId": id });
        let told =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        let call = async {
            let open = host.open(id, "research", json!({ "question": QUESTION })).await;
            frames(&open.text().await.unwrap()).pop().unwrap()
        };
        // Whether the word comes behind the call or before it.
        let (last, open) = tokio::join!(call, host.send(&told));
        assert_eq!(open.status, 202);
        assert_eq!(last.data["id"], id, "{last:?}");
        assert_eq!(status(&last.data["result"]), "stopped", "{last:?}");
    }
    quarry.provider.release("never");
    assert!(quarry.provider.calls().iter().all(|call| call.phase() != Some(Phase::Synthesis)));
}

/// Longer than a word was once kept that nothing could be found for.
const KEPT_ONCE: Duration = Duration::from_secs(3);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_research_is_called_off_while_others_hold_the_database() {
    let quarry = started(held(Phase::Planning, "never")).await;
    // Else it would be locked before its tables are made.
    client::get(&format!("{}/healthz", quarry.url), &[]).await.unwrap().text().await.unwrap();
    let host = Host::greeted(&quarry, "2025-11-25").await;
    let file = quarry.sqlite().unwrap();
    file.execute_batch("BEGIN IMMEDIATE").unwrap();
    let open = host.open(7, "research", json!({ "question": QUESTION })).await;
    quarry.provider.holding("never", 1).await;
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
    assert_eq!(host.send(&told).await.status, 202);
    // Where the instance that drives it heard the word, it ends before anything can be noted; else behind that.
    let mut text = pin!(open.text());
    let early = tokio::time::timeout(KEPT_ONCE, &mut text).await;
    file.execute_batch("COMMIT").unwrap();
    let text = match early {
        Ok(text) => text,
        Err(_) => text.await,
    };
    let (given, _) = ended(&frames(&text.unwrap()));
    assert_eq!(status(&given), "stopped");
    quarry.provider.release("never");
    assert!(quarry.provider.calls().iter().all(|call| call.phase() != Some(Phase::Synthesis)));
}

/// How whoever called a tool has it ended.
#[derive(Clone, Copy, Debug)]
enum Ending {
    /// By the ask's id.
    Stop,
    /// By word of the call, of which nothing is noted.
    Word,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_instance_drives_ends_before_others_let_go_of_the_database() {
    for ending in [Ending::Stop, Ending::Word] {
        let quarry = started(held(Phase::Planning, "planning")).await;
        // Else it would be locked before its tables are made.
        client::get(&format!("{}/healthz", quarry.url), &[]).await.unwrap().text().await.unwrap();
        let host = Host::greeted(&quarry, "2025-11-25").await;
        let file = quarry.sqlite().unwrap();
        file.execute_batch("BEGIN IMMEDIATE").unwrap();
        let mut open = host.open(7, "research", json!({ "question": QUESTION })).await;
        quarry.provider.holding("planning", 1).await;
        let paid = quarry.provider.served();
        match ending {
            Ending::Stop => {
                let ask = open.header("x-quarry-ask").unwrap();
                let url = format!("{}/ask/{ask}/stop", quarry.url);
                let stopping = client::send("POST", &url, &[], String::new()).await.unwrap();
                assert_eq!(stopping.status, 202);
            }
            Ending::Word => {
                let params = json!({ "requestId": 7 });
                let told = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
                assert_eq!(host.send(&told).await.status, 202);
            }
        }
        let (given, _) = ended(&frames(&until_result(&mut open).await));
        assert_eq!(status(&given), "stopped", "{ending:?}");
        quarry.provider.release("planning");
        file.execute_batch("COMMIT").unwrap();
        quarry.until_stored("\"ended\":\"stopped\"").await.unwrap();
        assert_eq!(quarry.provider.served(), paid, "{ending:?}");
    }
}

/// What a call is told up to its result. Its stream may stay open for as long as its ask is written.
async fn until_result(open: &mut Open) -> String {
    let mut told = String::new();
    let reading = async {
        while !told.contains("\"result\":") || !told.ends_with("\n\n") {
            let chunk = open.chunk().await.unwrap().expect("the result comes before the end");
            told.push_str(&String::from_utf8_lossy(&chunk));
        }
    };
    tokio::time::timeout(FOREVER, reading).await.expect("nothing but the database ends it");
    told
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn word_that_comes_before_its_call_does_not_mean_an_earlier_one_of_that_name() {
    let quarry = started(Script::ordinary()).await;
    let host = Host::greeted(&quarry, "2025-11-25").await;
    // Both have the same id, as when a client was started anew.
    let (earlier, _) = host.call("research", json!({ "question": QUESTION })).await;
    assert_eq!(status(&earlier), "completed");
    quarry.until_stored("\"ended\":\"answered\"").await.unwrap();
    let never = Reply::text("no plan").hold("never");
    let script = Script::ordinary().first_always(Match::Phase(Phase::Planning), never);
    quarry.provider.set_script(script);
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } });
    assert_eq!(host.send(&told).await.status, 202);
    let open = host.open(7, "research", json!({ "question": QUESTION })).await;
    let (given, _) = ended(&frames(&open.text().await.unwrap()));
    assert_eq!(status(&given), "stopped");
    quarry.provider.release("never");
    let (still, _) = host.call("research_result", json!({ "id": id(&earlier) })).await;
    assert_eq!(status(&still), "completed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_handshake_closing_the_stream_ends_the_research() {
    let planning = Reply::text("no plan").hold("planning");
    let late = Reply::text("late").hold("iteration");
    let script = Script::ordinary()
        .first(Match::Phase(Phase::Planning), [planning])
        .first(Match::Phase(Phase::Iteration(1)), [late]);
    let quarry = started(script).await;
    let host = Host::modern(&quarry);
    let open = host.open(7, "research", json!({ "question": QUESTION })).await;
    let ask = open.header("x-quarry-ask").unwrap().to_owned();
    quarry.provider.holding("planning", 1).await;
    drop(open);
    // What is told next shows that nobody is there.
    quarry.provider.release("planning");
    quarry.until_stored("\"ended\":\"stopped\"").await.unwrap();
    // Whether its call is answered before it is let go of or not, nobody else is harmed.
    quarry.provider.release("iteration");
    let (given, _) = host.call("research_result", json!({ "id": ask })).await;
    assert_eq!(status(&given), "stopped");
    assert!(!quarry.output().contains("instance ended"), "{}", quarry.output());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_handshake_a_lost_stream_is_joined_again_and_the_research_goes_on() {
    let answer = "Six times seven is forty-two, as every table says. ".repeat(8);
    let held = Reply::text(answer).split(Split::Frames).hold_midway("answer");
    let script = Script::ordinary().first(Match::Phase(Phase::Synthesis), [held]);
    let quarry = Setup::new(script).variable("on_disconnect", "stop").start().await.unwrap();
    let host = Host::greeted(&quarry, "2025-11-25").await;
    let mut open = host.open(7, "research", json!({ "question": QUESTION })).await;
    let mut seen = String::new();
    while frames_in(&seen).len() < 3 {
        seen.push_str(&String::from_utf8_lossy(&open.chunk().await.unwrap().unwrap()));
    }
    quarry.provider.holding("answer", 1).await;
    drop(open);
    quarry.provider.release("answer");
    let all = frames_in(&seen);
    let url = format!("{}/mcp", quarry.url);
    let mut rests = Vec::new();
    for frame in &all[..3] {
        let last = frame.lines().find_map(|line| line.strip_prefix("id: ")).unwrap();
        let headers = [
            ("accept", "text/event-stream"),
            ("mcp-protocol-version", "2025-11-25"),
            ("last-event-id", last),
        ];
        let rest = client::get(&url, &headers).await.unwrap().text().await.unwrap();
        let (given, _) = ended(&frames(&rest));
        assert_eq!(status(&given), "completed");
        rests.push(rest);
    }
    // Each rest is what is behind the frame, byte for byte.
    assert_eq!(rests[0], format!("{}\n\n{}", all[1], rests[1]));
    assert_eq!(rests[1], format!("{}\n\n{}", all[2], rests[2]));
}

/// Whole frames as they were written.
fn frames_in(sent: &str) -> Vec<String> {
    let whole = sent.rfind("\n\n").map_or("", |at| &sent[..at]);
    whole.split("\n\n").filter(|frame| !frame.is_empty()).map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_messages_are_answered_together_and_waited_for_by_none() {
    let quarry = started(held(Phase::Planning, "planning")).await;
    let host = Host::greeted(&quarry, "2025-03-26").await;
    let batch = json!([
        { "jsonrpc": "2.0", "id": 1, "method": "ping" },
        { "jsonrpc": "2.0", "method": "notifications/initialized" },
        { "jsonrpc": "2.0", "id": 2, "method": "tools/call",
          "params": { "name": "research", "arguments": { "question": QUESTION } } },
        { "jsonrpc": "2.0", "id": 3, "method": "tools/call",
          "params": { "name": "research_result", "arguments": { "id": "0".repeat(32) } } },
    ]);
    let answers = host.send(&batch).await.json().await.unwrap();
    assert_eq!(answers.as_array().unwrap().len(), 3);
    assert_eq!(answers[0]["result"], json!({}));
    let text = answers[1]["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("research_result"), "{text}");
    assert_eq!(answers[2]["result"]["isError"], true);
    quarry.provider.release("planning");
}
