//! Every golden log through every door that is a fold over events: the same bytes however it is cut, and the same words
//! in a stream as in one body.

use quarry_doors::door::Voice;
use quarry_doors::{Entrance, Head, enter};
use quarry_scenarios::golden::{self, events};
use quarry_scenarios::native::Log;
use quarry_types::Timestamp;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// The logs of all scenarios that run natively, by name.
static LOGS: LazyLock<Vec<(String, Log)>> = LazyLock::new(|| golden::logs().unwrap());

/// Whether a log is that of an answer in JSON.
fn is_json(name: &str) -> bool {
    name.starts_with("024-")
}

/// Nothing of JSON is told before all of it is there, and it is JSON.
#[test]
fn an_answer_in_json_comes_in_one_piece() {
    let (name, log) = LOGS.iter().find(|(name, _)| is_json(name)).unwrap();
    for at in [0, 4] {
        let sent = frames(&streamed(&wishes()[at], log, 3));
        let texts =
            sent.iter().filter_map(|frame| frame["choices"][0]["delta"]["content"].as_str());
        let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
        assert_eq!(texts.len(), 1, "{name}");
        assert!(serde_json::from_str::<Value>(texts[0]).unwrap().is_object());
    }
}

/// How a chat request may want to be answered.
fn wishes() -> Vec<Value> {
    let mut all = Vec::new();
    for progress in ["reasoning", "think", "none"] {
        for include_usage in [false, true] {
            all.push(json!({
                "messages": [{ "role": "user", "content": "why?" }], "model": "quarry",
                "stream_options": { "include_usage": include_usage }, "quarry": { "progress": progress },
            }));
        }
    }
    all
}

fn voice(mut body: Value, stream: bool, id: &str) -> Box<dyn Voice> {
    body["stream"] = json!(stream);
    let path = "/v1/chat/completions".to_owned();
    let head = Head { method: "POST".to_owned(), path, ..Head::default() };
    let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("no door") };
    let mut voice = visit.open(&head, body.to_string().as_bytes()).voice;
    voice.begin(id);
    voice
}

/// What is sent when events come in batches of this size.
fn streamed(wish: &Value, log: &Log, batch: usize) -> String {
    let mut voice = voice(wish.clone(), true, &log.id);
    golden::told(&mut *voice, log, batch).unwrap()
}

/// The frames of a stream: JSON, but for the last.
fn frames(sent: &str) -> Vec<Value> {
    assert!(sent.ends_with("data: [DONE]\n\n"), "{sent}");
    let frames = sent.strip_suffix("data: [DONE]\n\n").unwrap().split_terminator("\n\n");
    let frame = |frame: &str| {
        // One line, which is data: no ids, no names, no comments.
        let data = frame.strip_prefix("data: ").unwrap_or_else(|| panic!("{frame}"));
        assert!(!data.contains('\n'));
        serde_json::from_str(data).unwrap()
    };
    frames.map(frame).collect()
}

/// Puts chunks together as the official clients do.
fn assembled(frames: &[Value]) -> Result<Value, Value> {
    let (mut content, mut reasoning) = (String::new(), String::new());
    let (mut annotations, mut citations, mut finish) = (None, None, None);
    let mut usage = Value::Null;
    for frame in frames {
        if !frame["error"].is_null() {
            assert_eq!(frame, frames.last().unwrap(), "nothing follows an error");
            assert_eq!(finish, None, "what failed has not finished");
            return Err(frame.clone());
        }
        let choices = frame["choices"].as_array().unwrap();
        if choices.is_empty() {
            assert_eq!(frame, frames.last().unwrap());
            usage = frame["usage"].clone();
            continue;
        }
        assert_eq!(choices.len(), 1, "{frame}");
        let (choice, delta) = (&choices[0], &choices[0]["delta"]);
        assert!(delta.get("tool_calls").is_none());
        content += delta["content"].as_str().unwrap_or_default();
        reasoning += delta["reasoning_content"].as_str().unwrap_or_default();
        if let Some(given) = delta.get("annotations") {
            assert!(annotations.is_none(), "a second delta with annotations");
            annotations = Some(given.clone());
            citations = frame.get("citations").cloned();
        }
        if let Some(reason) = choice["finish_reason"].as_str() {
            assert!(["stop", "length", "content_filter"].contains(&reason), "{reason}");
            assert!(finish.is_none());
            finish = Some(reason.to_owned());
        }
    }
    let message = json!({
        "content": content, "reasoning": reasoning, "annotations": annotations.unwrap_or(json!([])),
    });
    Ok(
        json!({ "message": message, "finish": finish.unwrap(), "citations": citations, "usage": usage }),
    )
}

#[test]
fn there_are_logs_of_every_end() {
    let last = |name: &str| {
        let ends = LOGS.iter().filter(|(_, log)| log.events.last().unwrap().name.as_str() == name);
        ends.count()
    };
    assert!(last("complete") > 10 && last("error") > 0 && last("quota_exceeded") > 0);
}

#[test]
fn the_same_bytes_leave_however_the_events_are_cut() {
    for (name, log) in LOGS.iter() {
        for wish in wishes() {
            let whole = streamed(&wish, log, usize::MAX);
            for batch in [1, 2, 3, 7] {
                assert_eq!(streamed(&wish, log, batch), whole, "{name} in batches of {batch}");
            }
        }
    }
}

/// Whoever reads from some event on has read the frames before it, and no other.
#[test]
fn each_event_has_its_frames_wherever_a_reader_begins() {
    let wish = &wishes()[1];
    for (name, log) in LOGS.iter() {
        let whole = streamed(wish, log, usize::MAX);
        let mut told = voice(wish.clone(), true, &log.id);
        let mut sent = String::new();
        for event in events(log) {
            sent += &String::from_utf8(told.tell(vec![event]).bytes).unwrap();
            assert!(whole.starts_with(&sent), "{name}");
            assert!(sent.is_empty() || sent.ends_with("\n\n"), "{name}: half a frame");
        }
        assert_eq!(sent, whole, "{name}");
    }
}

#[test]
fn the_end_of_a_stream_says_what_the_whole_completion_says() {
    for (name, log) in LOGS.iter() {
        for wish in wishes() {
            let frames = frames(&streamed(&wish, log, 4));
            let mut one = voice(wish.clone(), false, &log.id);
            assert!(one.tell(events(log)).bytes.is_empty());
            let reply = one.whole(None);
            let body: Value = serde_json::from_slice(&reply.body).unwrap();
            let assembled = match assembled(&frames) {
                Ok(assembled) => assembled,
                Err(error) => {
                    assert_eq!(error, body, "{name}");
                    assert!(reply.status >= 400, "{name}");
                    continue;
                }
            };
            assert_eq!(reply.status, 200, "{name}: {body}");
            let (choice, message) = (&body["choices"][0], &body["choices"][0]["message"]);
            assert_eq!(assembled["message"]["content"], message["content"], "{name}");
            assert_eq!(assembled["message"]["annotations"], message["annotations"], "{name}");
            let reasoning = message.get("reasoning_content").cloned().unwrap_or(json!(""));
            assert_eq!(assembled["message"]["reasoning"], reasoning, "{name}");
            assert_eq!(assembled["finish"], choice["finish_reason"], "{name}");
            assert_eq!(assembled["citations"], body["citations"], "{name}");
            if wish["stream_options"]["include_usage"] == true {
                assert_eq!(assembled["usage"], body["usage"], "{name}");
            }
            for field in ["id", "created", "model"] {
                assert!(frames.iter().all(|frame| frame[field] == body[field]), "{name}: {field}");
            }
        }
    }
}

#[test]
fn annotations_cover_links_and_usage_stands_where_it_was_asked_for() {
    let (mut cited, mut unplaced) = (0, 0);
    for (name, log) in LOGS.iter() {
        for wish in wishes() {
            let all = frames(&streamed(&wish, log, 5));
            let asked = wish["stream_options"]["include_usage"] == true;
            assert!(
                all.iter().all(
                    |frame| frame["error"].is_object() || frame.get("usage").is_some() == asked
                )
            );
            let Ok(answer) = assembled(&all) else { continue };
            let text: Vec<char> = answer["message"]["content"].as_str().unwrap().chars().collect();
            for annotation in answer["message"]["annotations"].as_array().unwrap() {
                let place = &annotation["url_citation"];
                let at = |field: &str| usize::try_from(place[field].as_u64().unwrap()).unwrap();
                let (start, end) = (at("start_index"), at("end_index"));
                let link: String = text[start..end].iter().collect();
                let url = place["url"].as_str().unwrap();
                if is_json(name) {
                    // The list of its sources, none of which has a place in it.
                    assert_eq!((start, end), (0, 0), "{name}");
                    unplaced += 1;
                    continue;
                }
                assert!(
                    link.starts_with('[') && link.ends_with(&format!("]({url})")),
                    "{name}: {link}"
                );
                cited += 1;
            }
        }
    }
    assert!(cited > 0 && unplaced > 0, "no log cites anything");
}

#[test]
fn prompts_and_ids_stay_inside() {
    for (name, log) in LOGS.iter() {
        let sent = streamed(&wishes()[0], log, 4);
        assert!(!sent.contains(&log.id), "{name}: who has a shared id must not have the ask");
        assert!(!sent.contains("[[outside-"), "{name}: a prompt");
    }
}

#[test]
fn thoughts_are_in_one_place_or_in_none() {
    for (name, log) in LOGS.iter() {
        let [of_reasoning, of_think, of_none] = [0, 2, 4].map(|at| {
            let all = frames(&streamed(&wishes()[at], log, 9));
            assembled(&all).map(|answer| answer["message"].clone())
        });
        let (Ok(plain), Ok(think), Ok(none)) = (of_reasoning, of_think, of_none) else { continue };
        assert!(!plain["reasoning"].as_str().unwrap().is_empty(), "{name}");
        assert_eq!(
            (&none["reasoning"], &none["content"]),
            (&json!(""), &plain["content"]),
            "{name}"
        );
        let content = think["content"].as_str().unwrap();
        let (thoughts, answer) = content.split_once("</think>\n\n").unwrap();
        assert!(thoughts.starts_with("<think>\n") && think["reasoning"] == "", "{name}");
        assert_eq!(answer, plain["content"], "{name}");
    }
}

#[test]
fn a_stream_that_breaks_off_anywhere_ends_as_a_failure() {
    let why = quarry_doors::Refusal::Unavailable("the store is away".into());
    for (name, log) in LOGS.iter() {
        let events = events(log);
        for (wish, cut) in
            wishes().iter().flat_map(|wish| (0..events.len() - 1).map(move |cut| (wish, cut)))
        {
            let mut voice = voice(wish.clone(), true, &log.id);
            let mut sent = voice.tell(events[..cut].to_vec()).bytes;
            sent.extend(voice.broke_off(&why, Timestamp(0)));
            let sent = String::from_utf8(sent).unwrap();
            let error = assembled(&frames(&sent)).unwrap_err();
            assert_eq!(error["error"]["message"], "the store is away", "{name} at {cut}: {wish}");
            let [begun, ended] = ["<think>", "</think>"].map(|mark| sent.matches(mark).count());
            assert_eq!(begun, ended, "{name} at {cut}: {wish}");
            // Whatever comes then comes too late.
            assert!(voice.tell(events[cut..].to_vec()).bytes.is_empty(), "{name} at {cut}");
        }
    }
}
