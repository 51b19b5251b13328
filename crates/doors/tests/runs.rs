//! Logs of runs through the doors that have a run behind them: whoever reads, however it is cut, and whenever it is
//! asked for. The logs are those of the machine (`cargo test -p quarry-machines --test runs` says so).

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests, where a panic is the report"
)]

use quarry_doors::door::Voice;
use quarry_doors::mcp::{self, Facts};
use quarry_doors::responses::{self, EarlierRun};
use quarry_doors::{Entrance, Event, Head, McpHead, Order, enter};
use quarry_events::run::EventName;
use quarry_types::Timestamp;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

const RUN: &str = "019a00000000abcdef00000000000000";

type Log = Vec<Event<EventName>>;

fn logs() -> Vec<(String, Log)> {
    let mut logs = Vec::new();
    for entry in
        std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runs")).unwrap()
    {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let event = |line: &str| {
            let line: Value = serde_json::from_str(line).unwrap();
            Event {
                sequence: line["data"]["sequence"].as_u64(),
                name: EventName::parse(line["event"].as_str().unwrap()).unwrap(),
                data: line["data"].to_string(),
            }
        };
        logs.push((
            path.file_stem().unwrap().to_str().unwrap().to_owned(),
            text.lines().map(event).collect(),
        ));
    }
    logs.sort_by(|(one, _), (other, _)| one.cmp(other));
    assert!(logs.len() >= 7, "{}", logs.len());
    logs
}

fn wishes() -> [Value; 2] {
    [json!({ "metadata": { "a": "b" } }), json!({ "reasoning": { "summary": "none" } })]
}

/// How such a request is answered, and what is kept of it.
fn begun(wish: &Value) -> (responses::Begun, Option<String>) {
    let mut body = json!({ "model": "quarry-run", "input": "Why?", "background": true });
    for (name, value) in wish.as_object().unwrap() {
        body[name] = value.clone();
    }
    let path = "/v1/responses".to_owned();
    let head = Head { method: "POST".to_owned(), path, ..Head::default() };
    let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("no door") };
    let order = visit.open(&head, body.to_string().as_bytes()).order.unwrap();
    let Order::Response(responses::Order::Begin(begin)) = order else { panic!("{order:?}") };
    let (request, begun) = begin.run().unwrap();
    (begun, request.keeps)
}

/// What is sent when events come in batches of this size.
fn told(mut voice: Box<dyn Voice<EventName>>, log: &Log, batch: usize) -> String {
    let sent = log.chunks(batch).flat_map(|batch| voice.tell(batch.to_vec()).bytes);
    String::from_utf8(sent.collect()).unwrap()
}

/// The frames without `[DONE]`, with their numbers.
fn frames(sent: &str) -> Vec<(u64, Value)> {
    let frames = sent.split_terminator("\n\n").filter(|frame| *frame != "data: [DONE]");
    let frame = |frame: &str| {
        let (name, data) = frame.split_once("\ndata: ").unwrap();
        let data: Value = serde_json::from_str(data).unwrap();
        assert_eq!(name, format!("event: {}", data["type"].as_str().unwrap()));
        (data["sequence_number"].as_u64().unwrap(), data)
    };
    frames.map(frame).collect()
}

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap()
}

fn text(response: &Value) -> String {
    let items = response["output"].as_array().unwrap().iter();
    let messages = items.filter(|item| item["type"] == "message");
    messages.map(|item| item["content"][0]["text"].as_str().unwrap()).collect()
}

#[test]
fn the_same_bytes_leave_however_the_events_are_cut_and_whoever_reads_them() {
    for (name, log) in logs() {
        for wish in wishes() {
            let whole = told(begun(&wish).0.stream(RUN), &log, usize::MAX);
            for batch in [1, 3, 7] {
                let cut = told(begun(&wish).0.stream(RUN), &log, batch);
                assert!(cut == whole, "{name} in batches of {batch}");
            }
            let kept = begun(&wish).1;
            let read = |after| {
                let known = EarlierRun { kept: kept.clone(), ..EarlierRun::default() };
                frames(&told(known.streamed(RUN, after).unwrap(), &log, 4))
            };
            let all = frames(&whole);
            assert_eq!(read(None), all, "{name} again");
            for (at, (number, _)) in all.iter().enumerate() {
                assert_eq!(*number, u64::try_from(at).unwrap(), "{name}");
                assert!(read(Some(*number)) == all[at + 1..], "{name} after {at}");
            }
        }
    }
}

#[test]
fn a_response_of_a_run_ends_once_and_is_then_what_is_fetched() {
    let (mut ends, mut used) = (BTreeSet::new(), 0);
    for (name, log) in logs() {
        for wish in wishes() {
            let (one, kept) = begun(&wish);
            let at_once = json(&one.clone().reply(RUN).body);
            assert_eq!((&at_once["status"], &at_once["output"]), (&json!("queued"), &json!([])));
            let sent = told(one.stream(RUN), &log, 5);
            assert!(sent.ends_with("data: [DONE]\n\n"), "{name}");
            let all = frames(&sent);
            let is_end = |kind: &Value| {
                ["response.completed", "response.incomplete", "response.failed"]
                    .contains(&kind.as_str().unwrap())
            };
            assert_eq!(all.iter().filter(|(_, frame)| is_end(&frame["type"])).count(), 1, "{name}");
            let last = &all.last().unwrap().1["response"];
            let earlier = EarlierRun { kept, events: log.clone() };
            assert_eq!(&json(&earlier.shown(RUN).unwrap().body), last, "{name}");
            assert_eq!(
                (&last["id"], &last["quarry"]["run"]),
                (&json!(format!("resp_run_{RUN}")), &json!(RUN))
            );
            let open = last["output"].as_array().unwrap().iter();
            assert!(open.clone().all(|item| item["status"] != "in_progress"), "{name}");
            ends.insert(last["status"].as_str().unwrap().to_owned());
            let usage = &last["usage"];
            let is_sum = || usage["total_tokens"] == last["quarry"]["tokens"];
            assert!(usage.is_null() || is_sum(), "{name}: {usage}");
            used += u64::from(!usage.is_null());
        }
    }
    assert!(used > 4, "what a run used is told, unless a call's use is unknown: {used}");
    let all = ["cancelled", "completed", "failed"].map(str::to_owned);
    assert!(all.iter().all(|end| ends.contains(end)), "{ends:?}");
}

#[test]
fn the_tree_is_told_as_thoughts_and_the_report_as_the_answer_with_its_citations() {
    let (mut cited, mut kinds) = (0, BTreeSet::new());
    for (name, log) in logs() {
        let shown = |wish: &Value| {
            let earlier = EarlierRun { kept: begun(wish).1, events: log.clone() };
            json(&earlier.shown(RUN).unwrap().body)
        };
        let [with, without] = wishes().map(|wish| shown(&wish));
        assert_eq!(text(&with), text(&without), "{name}");
        assert!(!without["output"].to_string().contains("summary_text"), "{name}");
        let mut report = String::new();
        for event in log.iter().filter(|event| event.name == EventName::ReportDelta) {
            let data: Value = serde_json::from_str(&event.data).unwrap();
            if data["anew"] == true {
                report.clear();
            }
            report.push_str(data["text"].as_str().unwrap());
        }
        let has_ended = log.iter().any(|event| event.name == EventName::RunCompleted);
        assert_eq!(text(&with), if has_ended { report } else { String::new() }, "{name}");
        let questions = log.iter().filter(|event| event.name == EventName::NodeStarted);
        let thoughts = with["output"].to_string();
        for question in questions {
            let data: Value = serde_json::from_str(&question.data).unwrap();
            let title = data["question"].as_str().unwrap();
            let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(
                thoughts.contains(json!(format!("**{title}**")).to_string().trim_matches('"')),
                "{name}: {title}"
            );
        }
        for item in with["output"].as_array().unwrap() {
            kinds.insert(item["type"].as_str().unwrap().to_owned());
            if item["type"] == "message" {
                cited += covered(&item["content"][0]);
            }
        }
    }
    assert!(cited > 0);
    for kind in ["reasoning", "web_search_call", "message"] {
        assert!(kinds.contains(kind), "{kinds:?}");
    }
}

/// How many places of a text are cited; each covers a link.
fn covered(part: &Value) -> usize {
    let text: Vec<char> = part["text"].as_str().unwrap().chars().collect();
    let places = part["annotations"].as_array().unwrap();
    for place in places {
        let at = |field: &str| usize::try_from(place[field].as_u64().unwrap()).unwrap();
        let link: String = text[at("start_index")..at("end_index")].iter().collect();
        assert!(
            link.starts_with('[')
                && link.ends_with(&format!("]({})", place["url"].as_str().unwrap()))
        );
        assert!(!place["title"].as_str().unwrap().is_empty());
    }
    places.len()
}

#[test]
fn ids_of_items_do_not_tell_the_run_and_a_report_becomes_history() {
    for (name, log) in logs() {
        let (one, kept) = begun(&wishes()[0]);
        let sent = told(one.stream(RUN), &log, 4);
        for (_, frame) in frames(&sent) {
            let told = frame["item"]["id"].as_str().or_else(|| frame["item_id"].as_str());
            assert!(!told.unwrap_or_default().contains(RUN), "{name}");
        }
        let body = json!({ "input": "When?", "previous_response_id": format!("resp_run_{RUN}") });
        let head = Head { method: "POST".into(), path: "/v1/responses".into(), ..Head::default() };
        let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("no door") };
        let order = visit.open(&head, body.to_string().as_bytes()).order.unwrap();
        let Order::Start(mut ask) = order else { panic!("{order:?}") };
        let named = ask.manners.follows.take().unwrap();
        assert_eq!(responses::run_of(&named).as_deref(), Some(RUN));
        let earlier = EarlierRun { kept, events: log.clone() };
        earlier.follow(&mut ask, RUN).unwrap();
        let said: Vec<&str> = ask.wish.history.iter().map(|said| said.text.as_str()).collect();
        let answer = text(&json(&earlier.shown(RUN).unwrap().body));
        let all = if answer.is_empty() { vec!["Why?"] } else { vec!["Why?", answer.as_str()] };
        assert_eq!(said, all, "{name}");
        let early = EarlierRun { events: log[..2].to_vec(), ..earlier };
        assert!(early.follow(&mut ask, RUN).is_err(), "{name}: it is under way");
    }
}

/// What a host asks of a run by the tools for researches.
fn called(name: &str) -> mcp::ForRun {
    let mcp = McpHead { version: Some("2025-11-25".to_owned()), ..McpHead::default() };
    let head = Head { method: "POST".into(), path: "/mcp".into(), mcp, ..Head::default() };
    let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("no door") };
    let arguments = match name {
        "research" => json!({ "question": "Why?", "effort": "deep" }),
        _ => json!({ "id": format!("run_{RUN}") }),
    };
    let params = json!({ "name": name, "arguments": arguments, "_meta": { "progressToken": "p" } });
    let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
    let order = visit.open(&head, call.to_string().as_bytes()).order.unwrap();
    let Order::Mcp(order) = order else { panic!("{order:?}") };
    let mcp::Order::ForRun(order) = *order else { panic!("{order:?}") };
    order
}

#[test]
fn a_host_is_told_of_a_run_as_of_any_research() {
    let (mut statuses, mut used) = (BTreeSet::new(), 0);
    for (name, log) in logs() {
        let sent = told(called("research").voice(RUN), &log, usize::MAX);
        for batch in [1, 3] {
            assert!(told(called("research").voice(RUN), &log, batch) == sent, "{name}");
        }
        let last = sent.trim_end().rsplit("data: ").next().unwrap();
        let result = &json(last.as_bytes())["result"];
        let given = &result["structuredContent"];
        assert_eq!(given["id"], format!("run_{RUN}"), "{name}");
        statuses.insert(given["status"].as_str().unwrap().to_owned());
        let (answer, usage) = (given["answer"].as_str().unwrap_or_default(), &given["usage"]);
        used += usage["total_tokens"].as_u64().map_or(0, |tokens| u64::from(tokens > 0));
        for source in given["sources"].as_array().unwrap() {
            assert!(answer.contains(&format!("[{}](", source["n"])), "{name}: {source}");
        }
        let earlier = EarlierRun { kept: None, events: log.clone() };
        let facts = Facts { lasts_ms: 1, now: Timestamp(0) };
        let task = mcp::of_run(RUN, earlier, facts);
        assert!(format!("{task:?}").contains("run_019a"), "{name}");
        if given["status"] == "failed" {
            assert!(
                given["error"]["message"].as_str().unwrap().contains("the run waits"),
                "{given}"
            );
        }
    }
    for status in ["completed", "stopped", "failed"] {
        assert!(statuses.contains(status), "{statuses:?}");
    }
    assert!(used > 2, "what a run used is told: {used}");
}

#[test]
fn a_provider_s_limit_is_a_pause_that_says_when_to_look_again() {
    let (_, log) = logs().into_iter().find(|(name, _)| name == "rate-limit").unwrap();
    let waits = log.iter().position(|event| event.name == EventName::RunWaiting).unwrap();
    let mut voice = called("research_result").voice(RUN);
    assert!(!voice.tell(log[..=waits].to_vec()).last);
    let late = String::from_utf8(voice.late()).unwrap();
    let result = &json(late.trim_end().rsplit("data: ").next().unwrap().as_bytes())["result"];
    let given = &result["structuredContent"];
    assert_eq!((&given["status"], &result["isError"]), (&json!("rate_limited"), &json!(false)));
    let seconds = given["next"]["after_seconds"].as_f64().unwrap();
    assert!(seconds > 0.0 && seconds <= 90.0, "{given}");
    assert_eq!(given["next"]["tool"], "research_result");
    assert_eq!(given["next"]["arguments"]["id"], format!("run_{RUN}"));
    let schema: Value = serde_json::from_str(include_str!("../src/mcp/output.json")).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(given), "{given}");
}
