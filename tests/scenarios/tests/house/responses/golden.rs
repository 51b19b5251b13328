//! Every golden log through the fold: whoever reads, however it is cut, and whenever it is asked for.

use super::{assembled, frames, text};
use quarry_doors::door::Voice;
use quarry_doors::responses::{self, Earlier};
use quarry_doors::{Entrance, Head, Order, Refusal, enter};
use quarry_scenarios::golden::{self, events};
use quarry_scenarios::native::Log;
use quarry_types::Timestamp;
use serde_json::{Value, json};
use std::sync::LazyLock;

static LOGS: LazyLock<Vec<(String, Log)>> = LazyLock::new(|| golden::logs().unwrap());

fn wishes() -> Vec<Value> {
    let include = json!([
        "code_interpreter_call.outputs",
        "web_search_call.action.sources",
        "file_search_call.results",
    ]);
    vec![
        json!({ "input": "why?" }),
        json!({ "input": "why?", "reasoning": { "summary": "none" }, "include": include }),
        json!({ "input": "why?", "background": true, "metadata": { "a": "b" } }),
    ]
}

/// How such a request is answered, and what is kept of it.
fn opened(mut wish: Value, stream: bool, id: &str) -> (Box<dyn Voice>, Option<String>) {
    wish["stream"] = json!(stream);
    let path = "/v1/responses".to_owned();
    let head = Head { method: "POST".to_owned(), path, ..Head::default() };
    let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("no door") };
    let opened = visit.open(&head, wish.to_string().as_bytes());
    let Order::Start(request) = opened.order.unwrap() else { panic!("nothing is started") };
    let mut voice = opened.voice;
    voice.begin(id);
    (voice, request.manners.keeps)
}

fn told(voice: &mut dyn Voice, log: &Log, batch: usize) -> String {
    golden::told(voice, log, batch).unwrap()
}

fn streamed(wish: &Value, log: &Log, batch: usize) -> String {
    told(&mut *opened(wish.clone(), true, &log.id).0, log, batch)
}

#[test]
fn the_same_bytes_leave_however_the_events_are_cut_and_whoever_reads_them() {
    for (name, log) in LOGS.iter() {
        for wish in wishes() {
            let whole = streamed(&wish, log, usize::MAX);
            for batch in [1, 3, 7] {
                assert_eq!(streamed(&wish, log, batch), whole, "{name} in batches of {batch}");
            }
            let (_, kept) = opened(wish, true, &log.id);
            let all = frames(&whole);
            for after in 0..u64::try_from(all.len()).unwrap() {
                let mut voice = responses::streamed(&log.id, kept.as_deref(), Some(after)).unwrap();
                let rest = frames(&told(&mut *voice, log, 4));
                let behind = all.iter().filter(|frame| frame.number > after);
                assert!(rest.iter().eq(behind), "{name} after {after}");
            }
            let mut again = responses::streamed(&log.id, kept.as_deref(), None).unwrap();
            assert_eq!(told(&mut *again, log, 2), whole, "{name} again");
        }
    }
}

#[test]
fn the_end_of_a_stream_is_what_is_fetched_and_what_comes_without_a_stream() {
    let mut ends = std::collections::BTreeSet::new();
    for (name, log) in LOGS.iter() {
        for wish in wishes() {
            let last = assembled(&frames(&streamed(&wish, log, 4)));
            // What is asked for in the background is shown as it is, whatever became of it.
            let is_shown = wish["background"] == true;
            let (mut one, kept) = opened(wish, false, &log.id);
            let earlier = Earlier { kept, events: events(log), has_ended: true };
            let shown = responses::shown(&log.id, &earlier).unwrap();
            let shown: Value = serde_json::from_slice(&shown.body).unwrap();
            assert_eq!(shown, last, "{name}");
            if let Some(event) = log.events.last()
                && event.name.as_str() == "quota_exceeded"
            {
                let limit: Value = serde_json::from_str(&event.data).unwrap();
                let used = &limit["costs"]["tokenCounts"]["total"];
                assert_eq!(&last["usage"]["total_tokens"], used, "{name}");
                assert!(used.as_u64() > Some(0), "{name}");
            }
            assert!(one.tell(events(log)).bytes.is_empty());
            let reply = one.whole(None);
            let body: Value = serde_json::from_slice(&reply.body).unwrap();
            if last["status"] == "failed" && !is_shown {
                assert!(reply.status >= 400, "{name}");
                assert_eq!(body["error"]["message"], last["error"]["message"], "{name}");
            } else {
                assert_eq!((reply.status, &body), (200, &last), "{name}");
            }
            ends.insert(last["status"].as_str().unwrap().to_owned());
        }
    }
    assert!(ends.contains("completed") && ends.contains("failed"), "{ends:?}");
}

/// An official client reads a call again when its conversation goes on, and knows these states of one alone.
#[test]
fn a_call_of_a_response_that_is_whole_stands_where_every_official_client_knows_it() {
    let mut thrown = 0;
    for (name, log) in LOGS.iter() {
        let last = assembled(&frames(&streamed(&wishes()[0], log, 4)));
        if last["status"] != "completed" {
            continue;
        }
        thrown += events(log)
            .iter()
            .filter(|event| event.name.as_str() == "tool_result")
            .filter(|event| event.data.contains(r#""name":"execute_javascript""#))
            .filter(|event| event.data.contains(r#""ok":false"#))
            .count();
        for item in last["output"].as_array().unwrap() {
            let known: &[&str] = match item["type"].as_str().unwrap() {
                "code_interpreter_call" => &["completed"],
                "web_search_call" | "file_search_call" => &["completed", "failed"],
                "message" | "reasoning" => &["completed"],
                other => panic!("{name}: {other}"),
            };
            assert!(known.contains(&item["status"].as_str().unwrap()), "{name}: {item}");
        }
    }
    assert!(thrown > 0, "no log has a program that threw");
}

#[test]
fn citations_cover_links_and_thoughts_can_be_left_out() {
    let (mut cited, mut found, mut kinds) = (0, 0, std::collections::BTreeSet::new());
    for (name, log) in LOGS.iter() {
        let [with, without] = [0, 1].map(|at| assembled(&frames(&streamed(&wishes()[at], log, 5))));
        assert_eq!(text(&with), text(&without), "{name}");
        let items = without["output"].as_array().unwrap();
        assert!(items.iter().all(|item| item["type"] != "reasoning"), "{name}");
        let searches =
            |item: &&Value| item["action"]["type"] == "search" && item["status"] == "completed";
        for item in items.iter().filter(searches) {
            // Whoever wants to see what was found sees it.
            assert!(item["action"]["sources"][0]["url"].is_string(), "{name}: {item}");
            found += 1;
        }
        for item in with["output"].as_array().unwrap() {
            kinds.insert(item["type"].as_str().unwrap().to_owned());
            if item["type"] != "message" {
                continue;
            }
            let part = &item["content"][0];
            let text: Vec<char> = part["text"].as_str().unwrap().chars().collect();
            for place in part["annotations"].as_array().unwrap() {
                if place["type"] != "url_citation" {
                    continue;
                }
                let at = |field: &str| usize::try_from(place[field].as_u64().unwrap()).unwrap();
                if name.starts_with("024-") {
                    // Sources of JSON have no place in it.
                    assert_eq!((at("start_index"), at("end_index")), (0, 0));
                    continue;
                }
                let link: String = text[at("start_index")..at("end_index")].iter().collect();
                assert!(
                    link.ends_with(&format!("]({})", place["url"].as_str().unwrap())),
                    "{link}"
                );
                cited += 1;
            }
        }
    }
    assert!(cited > 0 && found > 0);
    for kind in ["reasoning", "web_search_call", "message"] {
        assert!(kinds.contains(kind), "{kinds:?}");
    }
}

#[test]
fn prompts_and_the_ids_of_items_tell_nothing() {
    for (name, log) in LOGS.iter() {
        let sent = streamed(&wishes()[0], log, 4);
        assert!(!sent.contains("[[outside-"), "{name}: a prompt");
        // Only the response's own id opens the ask.
        let others = sent.replace(&format!("resp_{}", log.id), "");
        assert!(!others.contains(&log.id), "{name}");
    }
}

#[test]
fn an_ask_that_breaks_off_anywhere_ends_as_a_failure() {
    let why = Refusal::Internal("the ask was interrupted".into());
    for (name, log) in LOGS.iter() {
        for cut in 0..log.events.len() - 1 {
            let (mut voice, _) = opened(wishes()[0].clone(), true, &log.id);
            let mut sent = voice.tell(events(log)[..cut].to_vec()).bytes;
            sent.extend(voice.broke_off(&why, Timestamp(0)));
            let last = assembled(&frames(&String::from_utf8(sent).unwrap()));
            assert_eq!(last["error"]["message"], "the ask was interrupted", "{name} at {cut}");
            assert!(voice.tell(events(log)[cut..].to_vec()).bytes.is_empty());
        }
    }
}

#[test]
fn a_reader_that_cannot_read_for_a_moment_is_told_no_end_of_an_ask_that_goes_on() {
    let why = Refusal::Unavailable("the store is away".into());
    let unstored = json!({ "input": "why?", "store": false });
    for (name, log) in LOGS.iter() {
        for cut in 0..log.events.len() - 1 {
            let told = events(log)[..cut].to_vec();
            let (mut voice, kept) = opened(wishes()[0].clone(), true, &log.id);
            voice.tell(told.clone());
            // Whoever was told nothing does not know to what to come back.
            let is_silent = voice.broke_off(&why, Timestamp(0)).is_empty();
            assert_eq!(is_silent, cut > 0, "{name} at {cut}");
            let mut again = responses::streamed(&log.id, kept.as_deref(), None).unwrap();
            again.tell(told.clone());
            assert!(again.broke_off(&why, Timestamp(0)).is_empty(), "{name} at {cut}");
            // Of what is not stored nobody is told the rest.
            let (mut voice, _) = opened(unstored.clone(), true, &log.id);
            voice.tell(told);
            assert!(!voice.broke_off(&why, Timestamp(0)).is_empty(), "{name} at {cut}");
        }
    }
}
