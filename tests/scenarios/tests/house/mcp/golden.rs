//! Every golden log through the fold: whoever reads, however it is cut, and wherever it is joined again.

use super::{Frame, frames, old};
use quarry_doors::door::Voice;
use quarry_doors::{Entrance, Head, McpHead, Order, Refusal, enter};
use quarry_scenarios::golden::{self, events};
use quarry_scenarios::native::Log;
use quarry_tools::ToolName;
use quarry_types::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::LazyLock;

static LOGS: LazyLock<Vec<(String, Log)>> = LazyLock::new(|| golden::logs().unwrap());

fn voice(head: &Head, body: &Value, id: &str) -> Box<dyn Voice> {
    let Entrance::Open(visit) = enter(head, Timestamp(0)) else { panic!("no door") };
    let opened = visit.open(head, body.to_string().as_bytes());
    assert!(matches!(opened.order, Ok(Order::Mcp(_))));
    let mut voice = opened.voice;
    voice.begin(id);
    voice
}

fn head(version: &str) -> Head {
    let mcp = McpHead { version: Some(version.to_owned()), ..McpHead::default() };
    let (method, path) = ("POST".to_owned(), "/mcp".to_owned());
    Head { method, path, mcp, ..Head::default() }
}

fn modern(token: bool) -> (Head, Value) {
    let mut head = head("2026-07-28");
    head.mcp.method = Some("tools/call".to_owned());
    head.mcp.name = Some("research".to_owned());
    let mut body = old(token);
    body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
    body["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    (head, body)
}

fn calls() -> Vec<(Head, Value)> {
    let versions = ["2025-03-26", "2025-06-18", "2025-11-25"].into_iter();
    let old = versions.flat_map(|version| [true, false].map(|token| (head(version), old(token))));
    old.chain([true, false].map(modern)).collect()
}

fn streamed((head, body): &(Head, Value), log: &Log, batch: usize) -> String {
    golden::told(&mut *voice(head, body, &log.id), log, batch).unwrap()
}

fn result(frames: &[Frame]) -> Value {
    let last = &frames.last().unwrap().data;
    assert_eq!((&last["jsonrpc"], &last["id"]), (&json!("2.0"), &json!(7)));
    last["result"].clone()
}

#[test]
fn the_same_bytes_leave_however_the_events_are_cut() {
    for (name, log) in LOGS.iter() {
        for call in calls() {
            let whole = streamed(&call, log, usize::MAX);
            for batch in [1, 3, 7] {
                assert_eq!(streamed(&call, log, batch), whole, "{name} in batches of {batch}");
            }
            assert!(!whole.contains("[[outside-"), "{name}: a prompt");
        }
    }
}

#[test]
fn progress_rises_until_the_result_and_is_told_to_whoever_wants_it() {
    let mut told = 0;
    for (name, log) in LOGS.iter() {
        for (head, body) in calls() {
            let wants = body["params"]["_meta"]["progressToken"].is_string();
            let all = frames(&streamed(&(head, body), log, 4));
            let (_, before) = all.split_last().unwrap();
            for (at, frame) in before.iter().enumerate() {
                assert!(wants, "{name}: nobody asked");
                assert_eq!(frame.data["method"], "notifications/progress");
                let params = &frame.data["params"];
                assert_eq!(
                    (&params["progressToken"], &params["progress"]),
                    (&json!("t"), &json!(at + 1))
                );
                assert!(!params["message"].as_str().unwrap().is_empty());
                assert_eq!(params.get("total"), None);
                told += 1;
            }
        }
    }
    assert!(told > 0);
}

/// The tools, as they are listed.
fn listed() -> Vec<Value> {
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let Entrance::Open(visit) = enter(&head("2025-11-25"), Timestamp(0)) else { panic!("no door") };
    let opened = visit.open(&head("2025-11-25"), list.to_string().as_bytes());
    let Ok(Order::Mcp(order)) = opened.order else { panic!("no list") };
    let quarry_doors::mcp::Order::Known(reply) = *order else { panic!("no list") };
    let listed: Value = serde_json::from_slice(&reply.body).unwrap();
    listed["result"]["tools"].as_array().unwrap().clone()
}

#[test]
fn single_tools_take_what_the_agents_own_take() {
    let listed = listed();
    for tool in ToolName::ALL {
        let spec = tool.spec().unwrap();
        let mut schema: Value = serde_json::from_str(spec.parameters.text()).unwrap();
        let name = match spec.name.as_str() {
            "scrape_web_content" => "read_page",
            "execute_javascript" => "run_javascript",
            other => other,
        };
        let shown = listed.iter().find(|shown| shown["name"] == name).unwrap();
        // A digest is written by a model, which only a research has.
        if name == "search_web" {
            schema["properties"].as_object_mut().unwrap().remove("generate_summary").unwrap();
        } else {
            assert_eq!(shown["description"], spec.description);
        }
        assert_eq!(shown["inputSchema"], schema, "{name}");
    }
    assert_eq!(listed.len(), 3 + ToolName::ALL.len());
}

#[test]
fn every_log_has_a_result_that_fits_its_schema() {
    let schema = listed()[0]["outputSchema"].clone();
    let schema = jsonschema::draft202012::options().build(&schema).unwrap();
    let (mut ends, mut wholes) = (BTreeSet::new(), BTreeSet::new());
    for (name, log) in LOGS.iter() {
        for (at, call) in calls().iter().enumerate() {
            let given = result(&frames(&streamed(call, log, 5)));
            assert_eq!(given.get("resultType").is_some(), at >= 6, "{name}");
            let text = given["content"][0]["text"].as_str().unwrap();
            if at < 2 {
                assert_eq!(given.get("structuredContent"), None, "2025-03-26 knows none");
                continue;
            }
            let structured = &given["structuredContent"];
            assert!(schema.is_valid(structured), "{name}: {structured}");
            assert_eq!(structured["id"], log.id);
            let status = structured["status"].as_str().unwrap();
            let last = log.events.last().unwrap();
            let expected: &[&str] = match last.name.as_str() {
                "error" => &["failed"],
                "quota_exceeded" => &["rate_limited"],
                _ => &["completed", "failed", "stopped"],
            };
            assert!(expected.contains(&status), "{name}: {status}");
            let is_trouble = matches!(status, "failed" | "rate_limited");
            assert_eq!(given["isError"], is_trouble, "{name}");
            assert_eq!(structured.get("error").is_some(), is_trouble, "{name}");
            if status == "rate_limited" {
                assert!(structured["usage"]["total_tokens"].as_u64() > Some(0), "{name}");
            }
            if status == "completed" {
                let answer = log.events.iter().rfind(|event| event.name.as_str() == "final_answer");
                let answer: Value = serde_json::from_str(&answer.unwrap().data).unwrap();
                let is_whole = answer["finish"] == "stop";
                let [there, absent] = match is_whole {
                    true => ["answer", "partial"],
                    false => ["partial", "answer"],
                };
                assert_eq!(
                    (&structured[there], text),
                    (&answer["content"], answer["content"].as_str().unwrap()),
                    "{name}"
                );
                assert_eq!(structured.get(absent), None, "{name}");
                wholes.insert(is_whole);
            }
            assert_eq!(given["content"][1]["uri"], format!("quarry://asks/{}", log.id));
            ends.insert(status.to_owned());
        }
    }
    assert!(
        ends.contains("completed") && ends.contains("failed") && ends.contains("rate_limited"),
        "{ends:?}"
    );
    assert_eq!(wholes.len(), 2, "some answers are whole, and some are not");
}

#[test]
fn whoever_joins_again_is_told_the_rest_with_the_same_bytes() {
    for (name, log) in LOGS.iter() {
        for token in [true, false] {
            let sent = streamed(&(head("2025-11-25"), old(token)), log, 3);
            let all: Vec<&str> = sent.split_inclusive("\n\n").collect();
            assert!(all[0].ends_with("\nretry: 1000\ndata: \n\n"), "{name}: {}", all[0]);
            for (at, frame) in all.iter().enumerate() {
                let (id, _) = frame.strip_prefix("id: ").unwrap().split_once('\n').unwrap();
                let joins = Head {
                    method: "GET".to_owned(),
                    last_event_id: Some(id.to_owned()),
                    ..head("2025-11-25")
                };
                let rest =
                    golden::told(&mut *voice(&joins, &Value::Null, &log.id), log, 4).unwrap();
                assert_eq!(rest, all[at + 1..].concat(), "{name} behind {at}");
            }
        }
        // Other versions have no ids.
        for call in calls().iter().filter(|(head, _)| *head != self::head("2025-11-25")) {
            assert!(streamed(call, log, 3).starts_with("data: {"), "{name}");
        }
    }
}

#[test]
fn who_waits_no_longer_is_told_where_it_stands_and_nothing_more() {
    let (_, log) = &LOGS[0];
    let half = events(log).len() / 2;
    for call in calls() {
        let mut voice = voice(&call.0, &call.1, &log.id);
        assert_eq!(voice.patience(Timestamp(0)).unwrap().as_secs(), 45);
        let mut sent = voice.tell(events(log)[..half].to_vec()).bytes;
        sent.extend(voice.late());
        assert!(voice.tell(events(log)).bytes.is_empty());
        assert!(voice.late().is_empty());
        let given = result(&frames(&String::from_utf8(sent).unwrap()));
        let text = given["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("research_result") && text.contains(&log.id), "{text}");
        assert_eq!(given["isError"], false);
        if let Some(structured) = given.get("structuredContent") {
            assert_eq!(structured["status"], "running");
            let next = json!({ "tool": "research_result", "arguments": { "id": log.id } });
            assert_eq!(structured["next"], next);
        }
    }
}

#[test]
fn a_stream_that_breaks_off_anywhere_ends_with_a_result() {
    // Whoever took a store that is away for an end would begin, and pay, another.
    for (why, status, words) in [
        (Refusal::Unavailable("the store is away".into()), "running", "the store is away"),
        (Refusal::Internal("the log is damaged".into()), "failed", "the log is damaged"),
    ] {
        for (name, log) in LOGS.iter() {
            for cut in 0..log.events.len() - 1 {
                let (head, body) = modern(true);
                let mut voice = voice(&head, &body, &log.id);
                let mut sent = voice.tell(events(log)[..cut].to_vec()).bytes;
                sent.extend(voice.broke_off(&why, Timestamp(0)));
                let given = result(&frames(&String::from_utf8(sent).unwrap()));
                assert_eq!(given["structuredContent"]["status"], status, "{name} at {cut}");
                assert_eq!(given["isError"], status == "failed", "{name} at {cut}");
                let text = given["content"][0]["text"].as_str().unwrap();
                assert!(text.contains(words), "{name} at {cut}: {text}");
            }
        }
    }
}
