//! Streams that are joined again, and sessions that end.

use super::*;
use quarry_types::AskId;

#[test]
fn streams_are_joined_where_they_can_be() {
    for version in [None, Some("2025-11-25"), Some("2026-07-28")] {
        assert_eq!(known(&head("GET", version), "").0, 405, "{version:?}");
        let Entrance::Closed(refused) = enter(&head("PATCH", version), NOW) else { panic!() };
        assert!(refused.status == 405 && json(&refused)["error"]["message"].is_string());
        let allow = match version {
            Some("2026-07-28") => "POST, OPTIONS",
            _ => "POST, GET, DELETE, OPTIONS",
        };
        assert!(refused.headers.contains(&("allow", allow.into())), "{version:?}");
    }
    let seen =
        |last: &str, version| Head { last_event_id: Some(last.into()), ..head("GET", version) };
    assert_eq!(known(&seen("x", None), "").0, 400);
    let id = super::super::message::Id::Number(7);
    let place = super::super::place::written("0af3", &id, None, 2);
    let (order, voice) = opened(&seen(&place, Some("2025-11-25")), "");
    assert_eq!(order, Order::Join("0af3".into()));
    assert!(voice.streams());
    assert_eq!(known(&seen(&place, Some("2026-07-28")), "").0, 405);
    for unspoken in [head("GET", Some("1999-01-01")), seen(&place, Some("1999-01-01"))] {
        let (status, refused) = known(&unspoken, "");
        assert_eq!((status, &refused["error"]["code"]), (400, &json!(-32022)));
    }
}

fn called(name: &str, arguments: Value) -> String {
    let meta = json!({ "progressToken": "t" });
    request("tools/call", json!({ "name": name, "arguments": arguments, "_meta": meta }))
}

#[test]
fn a_research_that_is_looked_at_is_joined_again_behind_what_was_known_by_then() {
    let asked = |at: u64| crate::Event {
        sequence: Some(at),
        name: quarry_events::EventName::ResearchQuestions,
        data: json!({ "questions": [format!("Why {at}?")] }).to_string(),
    };
    let end = crate::Event {
        sequence: Some(5),
        name: quarry_events::EventName::Complete,
        data: json!({}).to_string(),
    };
    let events = [asked(1), asked(2), asked(3), asked(4), end];
    for tool in ["research_result", "research_stop"] {
        let body = called(tool, json!({ "id": "0af3" }));
        let (_, mut voice) = opened(&head("POST", Some("2025-11-25")), &body);
        voice.begin("0af3");
        assert!(!voice.pass(events[..2].to_vec()), "{tool}");
        let sent = String::from_utf8(voice.tell(events[2..].to_vec()).bytes).unwrap();
        let all: Vec<&str> = sent.split_inclusive("\n\n").collect();
        assert_eq!(all.len(), 4, "a place, what came, and the end: {sent}");
        assert!(all[0].ends_with("\nretry: 1000\ndata: \n\n"), "{sent}");
        for (at, frame) in all.iter().enumerate() {
            let (id, _) = frame.strip_prefix("id: ").unwrap().split_once('\n').unwrap();
            let last_event_id = Some(id.to_owned());
            let joins = Head { last_event_id, ..head("GET", Some("2025-11-25")) };
            let (order, mut voice) = opened(&joins, "");
            assert_eq!(order, Order::Join("0af3".into()));
            voice.begin("0af3");
            let rest = voice.tell(events.to_vec()).bytes;
            assert_eq!(String::from_utf8(rest).unwrap(), all[at + 1..].concat(), "behind {at}");
        }
        // What is known to its end is told at once.
        let (_, mut voice) = opened(&head("POST", Some("2025-11-25")), &body);
        voice.begin("0af3");
        assert!(voice.pass(events.to_vec()), "{tool}");
        assert_eq!(json(&voice.whole(None))["result"]["structuredContent"]["status"], "stopped");
    }
}

#[test]
fn a_run_has_places_for_whoever_began_it_alone() {
    let run = "019a00000000abcdef00000000000000";
    for (tool, arguments, begins) in [
        ("research", json!({ "question": "?", "effort": "deep" }), "id: "),
        ("research_result", json!({ "id": format!("run_{run}") }), "data: {"),
        ("research_stop", json!({ "id": format!("run_{run}") }), "data: {"),
    ] {
        let body = called(tool, arguments);
        let (Order::ForRun(of), _) = opened(&head("POST", Some("2025-11-25")), &body) else {
            panic!("{tool}")
        };
        let told = String::from_utf8(of.voice(run).late()).unwrap();
        assert!(told.starts_with(begins), "{tool}: {told}");
    }
}

#[test]
fn what_cannot_be_read_for_now_goes_on_and_what_broke_off_has_failed() {
    let held = Refusal::Busy { message: "others hold it".into(), retry_after: 3 };
    let schema: Value = serde_json::from_str(include_str!("../output.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let (modern, asked) =
        modern("tools/call", json!({ "name": "research", "arguments": { "question": "?" } }));
    let old = (head("POST", Some("2025-11-25")), called("research", json!({ "question": "?" })));
    for (why, status, seconds) in [
        (Refusal::Unavailable("the store is away".into()), "running", Value::Null),
        (held, "running", json!(3)),
        (Refusal::Internal("it is lost".into()), "failed", Value::Null),
    ] {
        let goes_on = status == "running";
        for (head, body) in [&(modern.clone(), asked.clone()), &old] {
            let begun = || {
                let (_, mut voice) = opened(head, body);
                voice.begin("0af3");
                voice
            };
            let sent = String::from_utf8(begun().broke_off(&why, NOW)).unwrap();
            let last = sent.trim_end().rsplit("data: ").next().unwrap();
            let last: Value = serde_json::from_str(last).unwrap();
            assert_eq!(last, json(&begun().whole(Some(&why))), "however it is told");
            let result = &last["result"];
            assert_eq!(result["isError"], !goes_on, "{result}");
            let given = &result["structuredContent"];
            assert!(schema.is_valid(given), "{given}");
            assert_eq!((&given["status"], given.get("next").is_some()), (&json!(status), goes_on));
            assert_eq!(given["next"]["after_seconds"], seconds, "{given}");
            let (text, message) = (&result["content"][0]["text"], &given["error"]["message"]);
            let message = message.as_str().unwrap();
            assert!(message.contains(&why.to_string()), "{given}");
            assert!(text.as_str().unwrap().contains(message), "{text}");
        }
    }
}

#[test]
fn a_stream_of_tasks_ends_with_the_answer_to_its_request() {
    let wanted = json!({ "notifications": { "taskIds": ["0af3"] } });
    let (head, body) = knowing("subscriptions/listen", wanted);
    let Order::Listen(listen) = opened(&head, &body).0 else { panic!("nobody listens") };
    let last = String::from_utf8(listen.ended()).unwrap();
    let last: Value = serde_json::from_str(last.strip_prefix("data: ").unwrap()).unwrap();
    let result = &last["result"];
    assert_eq!((&last["id"], &result["resultType"]), (&json!(7), &json!("complete")));
    assert_eq!(result["_meta"]["io.modelcontextprotocol/subscriptionId"], 7);
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "quarry");
}

#[test]
fn who_joins_again_waits_since_its_call_and_has_the_last_word_of_it() {
    const BORN: u64 = 1_700_000_000_000;
    let ask = AskId::new(BORN, 7).to_string();
    let id = super::super::message::Id::Number(7);
    let place = super::super::place::written(&ask, &id, None, 9);
    let last_event_id = Some(place);
    let (_, mut voice) = opened(&Head { last_event_id, ..head("GET", Some("2025-11-25")) }, "");
    voice.begin(&ask);
    // Clients give a call up after 60 s; what is in the log by then is read at least.
    for (since, seconds) in [(0, 55), (20_000, 35), (54_000, 2), (600_000, 2)] {
        let patience = voice.patience(Timestamp(BORN + since)).unwrap();
        assert_eq!(patience.as_secs(), seconds, "{since}");
    }
    let told = String::from_utf8(voice.late()).unwrap();
    assert!(told.starts_with("id: ") && told.contains("research_result"), "{told}");
    let first = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"research","arguments":{"question":"?","wait_seconds":40}}}"#;
    let (_, mut voice) = opened(&head("POST", Some("2025-11-25")), first);
    voice.begin(&ask);
    assert_eq!(voice.patience(Timestamp(BORN + 9_000)).unwrap().as_secs(), 40);
}

#[test]
fn a_session_is_over_when_its_host_says_so() {
    let over = |session: Option<&str>, version| {
        let mut head = head("DELETE", version);
        head.mcp.session = session.map(str::to_owned);
        let (order, _) = opened(&head, "");
        match order {
            Order::Known(reply) | Order::Public(reply) => (reply.status, reply),
            other => panic!("{other:?}"),
        }
    };
    for version in [None, Some("2025-06-18"), Some("2025-11-25")] {
        assert_eq!(over(Some("0af3"), version).1, Reply::empty(), "{version:?}");
        for none in [None, Some(""), Some("  ")] {
            let (status, reply) = over(none, version);
            let message = json(&reply)["error"]["message"].to_string();
            assert!(status == 400 && message.contains("Mcp-Session-Id"), "{version:?} {message}");
        }
    }
    let (status, refused) = over(Some("0af3"), Some("2026-07-28"));
    assert!(status == 405 && refused.headers.contains(&("allow", "POST, OPTIONS".into())));
    assert_eq!(over(Some("0af3"), Some("1999-01-01")).0, 400);
}
