//! Requests to the doors of responses.

mod runs;

use super::*;
use serde_json::{Value, json};

const ID: &str = "019a00000000abcdef00000000000000";

fn opened(method: &str, path: &str, query: Option<&str>, body: &Value) -> Opened {
    let head = Head {
        method: method.into(),
        path: path.into(),
        query: query.map(str::to_owned),
        ..Head::default()
    };
    match crate::enter(&head, quarry_types::Timestamp(0)) {
        crate::Entrance::Open(visit) => visit.open(&head, body.to_string().as_bytes()),
        crate::Entrance::Closed(reply) => panic!("{path}: {}", reply.status),
    }
}

#[test]
fn addresses_lead_to_what_is_done() {
    let id = || ID.to_owned();
    let path = format!("/v1/responses/resp_{ID}");
    for (method, path, query, expected) in [
        ("GET", path.clone(), None, Order::Show(id())),
        ("GET", path.clone(), Some("stream=true"), Order::Stream(id(), None)),
        ("GET", path.clone(), Some("stream=true&starting_after=4"), Order::Stream(id(), Some(4))),
        ("DELETE", path.clone(), None, Order::Delete(id())),
        ("POST", format!("{path}/cancel"), None, Order::Cancel(id())),
    ] {
        let order = opened(method, &path, query, &Value::Null).order;
        assert_eq!(order, Ok(AnyOrder::Response(expected)), "{method} {path}");
    }
    let unknown = opened("GET", "/v1/responses/other", None, &Value::Null).order;
    assert!(matches!(unknown, Err(Refusal::NotFound(_))));
}

#[test]
fn what_is_kept_has_no_key_and_is_what_is_shown() {
    let body = json!({ "input": "why?", "metadata": { "a": "b" }, "background": true });
    let Opened { order, mut voice } = opened("POST", "/v1/responses", None, &body);
    let AnyOrder::Start(request) = order.unwrap() else { panic!("nothing is started") };
    assert!(request.manners.goes_on && request.manners.grace_seconds.is_none());
    assert!(voice.is_answered_at_once());
    voice.begin(ID);
    let at_once: Value = serde_json::from_slice(&voice.whole(None).body).unwrap();
    assert_eq!(at_once["status"], "queued");
    assert_eq!(at_once["metadata"], json!({ "a": "b" }));
    let earlier = Earlier { kept: request.manners.keeps, ..Earlier::default() };
    let shown: Value = serde_json::from_slice(&shown(ID, &earlier).unwrap().body).unwrap();
    assert_eq!(shown, at_once);
}

#[test]
fn what_the_default_model_does_not_take_is_named_at_once() {
    let body = json!({ "input": "why?", "background": true, "temperature": 0.5, "seed": 7 });
    for (model, names) in [("openai:o4-mini", "seed, temperature"), ("openai:gpt-4o-mini", "seed")]
    {
        let Opened { mut voice, .. } = opened("POST", "/v1/responses", None, &body);
        voice.begin(ID);
        voice.answered_by(model);
        let headers = voice.whole(None).headers;
        let ignored = headers.iter().find(|(name, _)| *name == "x-quarry-ignored");
        assert_eq!(ignored.map(|(_, value)| &**value), Some(names), "{model}");
    }
}

#[test]
fn what_is_not_kept_says_so_in_its_end() {
    let event = |name, data: Value| crate::Event { sequence: None, name, data: data.to_string() };
    let end = || {
        let answer = json!({ "finish": "stop", "citations": [] });
        vec![
            event(quarry_events::EventName::FinalAnswer, answer),
            event(quarry_events::EventName::Complete, json!({})),
        ]
    };
    for stream in [true, false] {
        let body = json!({ "input": "Who?", "stream": stream });
        let Opened { mut voice, .. } = opened("POST", "/v1/responses", None, &body);
        voice.begin(ID);
        let piece = event(quarry_events::EventName::AnswerDelta, json!({ "text": "Ada." }));
        let begun = String::from_utf8(voice.tell(vec![piece]).bytes).unwrap();
        assert!(!begun.contains(r#""store":false"#), "{begun}");
        assert!(voice.promises_to_keep());
        voice.unkept();
        let told = voice.tell(end());
        assert!(told.last);
        let last =
            String::from_utf8(if stream { told.bytes } else { voice.whole(None).body.into() });
        let last = last.unwrap();
        for part in [r#""status":"completed""#, r#""store":false"#] {
            assert!(last.contains(part) && !last.contains(r#""store":true"#), "{last}");
        }
    }
    // Of what is not to be stored, or is looked at later, nothing is promised.
    for body in [json!({ "store": false }), json!({ "background": true })] {
        let mut body = body;
        body["input"] = json!("Who?");
        let Opened { voice, .. } = opened("POST", "/v1/responses", None, &body);
        assert!(!voice.promises_to_keep(), "{body}");
    }
}

#[test]
fn an_earlier_response_is_a_history() {
    let event = |name, data: Value| crate::Event { sequence: None, name, data: data.to_string() };
    let body = json!({ "input": "Who?" });
    let AnyOrder::Start(first) = opened("POST", "/v1/responses", None, &body).order.unwrap() else {
        panic!("nothing is started")
    };
    let mut earlier = Earlier {
        kept: first.manners.keeps,
        events: vec![
            event(quarry_events::EventName::AnswerDelta, json!({ "text": "Ada." })),
            event(quarry_events::EventName::Complete, json!({})),
        ],
        has_ended: true,
    };
    let body = json!({ "input": "When?", "previous_response_id": format!("resp_{ID}") });
    let AnyOrder::Start(mut next) = opened("POST", "/v1/responses", None, &body).order.unwrap()
    else {
        panic!("nothing is started")
    };
    assert_eq!(next.manners.follows.as_deref(), Some(ID));
    follow(&mut next, ID, Some(&earlier)).unwrap();
    let said: Vec<&str> = next.wish.history.iter().map(|said| said.text.as_str()).collect();
    assert_eq!(said, ["Who?", "Ada."]);
    let list = items(
        "x",
        &Earlier { kept: next.manners.keeps.clone(), ..Earlier::default() },
        &Page { limit: 2, is_ascending: true, after: None },
    );
    let list: Value = serde_json::from_slice(&list.unwrap().body).unwrap();
    assert_eq!(
        (&list["data"][1]["content"][0]["text"], &list["has_more"]),
        (&json!("Ada."), &json!(true))
    );
    earlier.has_ended = false;
    assert!(follow(&mut next, ID, Some(&earlier)).is_err());
    assert!(follow(&mut next, ID, None).unwrap_err().to_string().contains("names no response"));
}

/// What is begun with this body.
fn begun(body: &Value) -> (Box<AskRequest>, Box<dyn AnyVoice>) {
    let Opened { order, voice } = opened("POST", "/v1/responses", None, body);
    let AnyOrder::Start(request) = order.unwrap() else { panic!("nothing is started") };
    (request, voice)
}

/// Of a request that has ended with an answer.
fn answered(request: &AskRequest) -> Earlier {
    let event = |name, data: Value| crate::Event { sequence: None, name, data: data.to_string() };
    let events = vec![
        event(quarry_events::EventName::AnswerDelta, json!({ "text": "Ada." })),
        event(quarry_events::EventName::Complete, json!({})),
    ];
    Earlier { kept: request.manners.keeps.clone(), events, has_ended: true }
}

fn ignored(headers: &crate::Headers) -> Option<&str> {
    let ignored = headers.iter().find(|(name, _)| *name == "x-quarry-ignored");
    ignored.map(|(_, value)| &**value)
}

/// A conversation that has no room beside a response.
fn long_conversation() -> Value {
    json!([
        { "role": "user", "content": "Who built it?" },
        { "role": "assistant", "content": "x".repeat(70_000) },
        { "role": "user", "content": "And who paid?" },
    ])
}

#[test]
fn whoever_follows_what_had_no_room_for_older_turns_is_told_so() {
    let long = json!({ "input": long_conversation() });
    let short = json!({ "input": "Who built it?" });
    for (first, told) in
        [(long, Some("seed, previous_response_id (older turns)")), (short, Some("seed"))]
    {
        let (first, mut voice) = begun(&first);
        voice.keeps(first.manners.keeps.as_deref().unwrap());
        assert_eq!(ignored(&voice.head()), None, "its request had all of them");
        for streams in [true, false] {
            let (mut next, mut voice) = begun(&json!({
                "input": "When?", "previous_response_id": format!("resp_{ID}"), "stream": streams,
                "seed": 7,
            }));
            follow(&mut next, ID, Some(&answered(&first))).unwrap();
            assert_eq!(next.wish.history[0].text, "Who built it?");
            voice.keeps(next.manners.keeps.as_deref().unwrap());
            voice.begin(ID);
            assert_eq!(ignored(&voice.head()), told);
        }
    }
}

#[test]
fn whoever_wants_all_that_was_said_does_not_follow_what_lost_some() {
    let first = |input: Value| answered(&begun(&json!({ "input": input })).0);
    let follows = |earlier: &Earlier| {
        let mut next = begun(&json!({
            "input": "When?", "previous_response_id": format!("resp_{ID}"), "truncation": "disabled",
        }));
        follow(&mut next.0, ID, Some(earlier))
    };
    assert_eq!(follows(&first(json!("Who built it?"))), Ok(()));
    let refusal = follows(&first(long_conversation())).unwrap_err();
    assert!(
        matches!(&refusal, Refusal::InvalidField { field, .. } if field == "truncation"),
        "{refusal}"
    );
}

#[test]
fn what_systems_and_developers_said_is_listed_and_nobody_who_follows_is_held_to_it() {
    let list = |kept: &Option<String>| {
        let earlier = Earlier { kept: kept.clone(), ..Earlier::default() };
        let page = Page { limit: 20, is_ascending: true, after: None };
        let list: Value =
            serde_json::from_slice(&items(ID, &earlier, &page).unwrap().body).unwrap();
        let items = list["data"].as_array().unwrap().iter();
        let said = items.map(|item| {
            let part = &item["content"][0];
            [&item["role"], &part["type"], &part["text"]].map(|it| it.as_str().unwrap().to_owned())
        });
        said.collect::<Vec<_>>()
    };
    let (first, _) = begun(&json!({ "instructions": "Be kind.", "input": [
        { "role": "system", "content": "Be brief." },
        { "role": "user", "content": "Who?" },
        { "role": "assistant", "content": "Ada." },
        { "role": "developer", "content": "Say when." },
        { "role": "user", "content": "And then?" },
    ] }));
    let expected = [
        ["system", "input_text", "Be brief."],
        ["user", "input_text", "Who?"],
        ["assistant", "output_text", "Ada."],
        ["developer", "input_text", "Say when."],
        ["user", "input_text", "And then?"],
    ];
    assert_eq!(list(&first.manners.keeps), expected);
    let (mut next, _) = begun(&json!({ "input": [
        { "role": "system", "content": "Be exact." }, { "role": "user", "content": "Where?" },
    ], "previous_response_id": format!("resp_{ID}") }));
    follow(&mut next, ID, Some(&answered(&first))).unwrap();
    let said: Vec<&str> = next.wish.history.iter().map(|said| said.text.as_str()).collect();
    assert_eq!(said, ["Who?", "Ada.", "And then?", "Ada."]);
    assert_eq!(next.wish.instructions.as_deref(), Some("Be exact."));
    let listed = list(&next.manners.keeps);
    let roles: Vec<&str> = listed.iter().map(|[role, ..]| role.as_str()).collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant", "system", "user"]);
}

#[test]
fn a_run_that_is_not_told_all_of_a_conversation_says_so() {
    let told = |input: Value, previous: Option<&Earlier>| {
        let body = json!({ "model": "quarry-run", "background": true, "input": input });
        let order = opened("POST", "/v1/responses", None, &body).order;
        let Ok(AnyOrder::Response(Order::Begin(mut begin))) = order else {
            panic!("no run is begun")
        };
        if let Some(earlier) = previous {
            follow(&mut begin.deep.ask, ID, Some(earlier)).unwrap();
        }
        let reply = begin.run().unwrap().1.reply(ID);
        ignored(&reply.headers).map(str::to_owned)
    };
    assert_eq!(told(json!("Why?"), None), None);
    assert_eq!(told(long_conversation(), None).as_deref(), Some("input (shortened)"));
    let (short, _) = begun(&json!({ "input": "Who built it?" }));
    assert_eq!(told(json!("Why?"), Some(&answered(&short))), None);
    let (long, _) = begun(&json!({ "input": long_conversation() }));
    let both = "previous_response_id (older turns), input (shortened)";
    assert_eq!(told(json!("Why?"), Some(&answered(&long))).as_deref(), Some(both));
}

#[test]
fn a_response_whose_process_died_says_how_to_go_on_here_and_does() {
    let event = |name, data: Value| crate::Event { sequence: None, name, data: data.to_string() };
    let start = |body: &Value| match opened("POST", "/v1/responses", None, body).order {
        Ok(AnyOrder::Start(request)) => request,
        other => panic!("nothing is started: {other:?}"),
    };
    let died = json!({
        "error": "The ask was interrupted. Send continuation: true.", "type": "interrupted",
        "code": "INTERRUPTED", "timestamp": "2026-11-28T10:00:00.000Z",
    });
    let earlier = Earlier {
        kept: start(&json!({ "input": "Who?", "tools": [{ "type": "web_search" }] })).manners.keeps,
        events: vec![event(quarry_events::EventName::Error, died)],
        has_ended: true,
    };
    let shown: Value = serde_json::from_slice(&shown(ID, &earlier).unwrap().body).unwrap();
    let message = shown["error"]["message"].as_str().unwrap();
    assert!(message.contains("previous_response_id") && !message.contains("continuation"));
    let mut next = start(&json!({ "previous_response_id": format!("resp_{ID}") }));
    assert!(next.resume.is_some());
    assert_eq!(follow(&mut next, ID, Some(&earlier)), Ok(()));
    // Functions say nothing of where evidence comes from.
    let function = json!({ "type": "function", "name": "f" });
    let body = json!({ "previous_response_id": format!("resp_{ID}"), "tools": [function] });
    let mut beside = start(&body);
    assert_eq!(follow(&mut beside, ID, Some(&earlier)), Ok(()));
    let kept: Value = serde_json::from_str(&beside.manners.keeps.unwrap()).unwrap();
    let tools = kept["echo"]["tools"].as_array().unwrap();
    let kinds: Vec<&Value> = tools.iter().map(|tool| &tool["type"]).collect();
    assert_eq!(kinds, ["web_search", "function"]);
}

#[test]
fn what_died_before_it_wrote_anything_is_asked_anew() {
    let start = |body: &Value| match opened("POST", "/v1/responses", None, body).order {
        Ok(AnyOrder::Start(request)) => request,
        other => panic!("nothing is started: {other:?}"),
    };
    let kept = start(&json!({ "input": "Who?" })).manners.keeps;
    let mut earlier = Earlier { kept, has_ended: true, ..Earlier::default() };
    let shown: Value = serde_json::from_slice(&shown(ID, &earlier).unwrap().body).unwrap();
    assert_eq!(shown["status"], "failed");
    let message = shown["error"]["message"].as_str().unwrap();
    assert!(message.contains("send its request again"), "{message}");
    let goes_on = json!({ "previous_response_id": format!("resp_{ID}") });
    let refused = |earlier: &Earlier| follow(&mut start(&goes_on), ID, Some(earlier)).unwrap_err();
    let why = refused(&earlier).to_string();
    assert!(why.contains("interrupted before") && why.contains("without `previous_response_id`"));
    // What is said anew follows what was asked then.
    let mut next =
        start(&json!({ "input": "When?", "previous_response_id": format!("resp_{ID}") }));
    follow(&mut next, ID, Some(&earlier)).unwrap();
    let said: Vec<&str> = next.wish.history.iter().map(|said| said.text.as_str()).collect();
    assert_eq!(said, ["Who?"]);
    // Nobody can tell yet.
    earlier.has_ended = false;
    let why = refused(&earlier).to_string();
    assert!(why.contains("nothing is written yet"), "{why}");
}

#[test]
fn what_is_not_to_be_stored_needs_no_store() {
    for (store, unkept) in [(false, crate::Unkept::Unlogged), (true, crate::Unkept::Refused)] {
        let body = json!({ "input": "Who?", "store": store });
        let AnyOrder::Start(request) = opened("POST", "/v1/responses", None, &body).order.unwrap()
        else {
            panic!("nothing is started")
        };
        assert_eq!(request.manners.unkept, unkept);
    }
}

#[test]
fn what_was_not_stored_is_nowhere() {
    let body = json!({ "input": "Who?", "store": false });
    let AnyOrder::Start(first) = opened("POST", "/v1/responses", None, &body).order.unwrap() else {
        panic!("nothing is started")
    };
    let earlier = Earlier { kept: first.manners.keeps, has_ended: true, ..Earlier::default() };
    assert!(matches!(shown(ID, &earlier), Err(Refusal::NotFound(_))));
    let page = Page { limit: 1, is_ascending: true, after: None };
    assert!(matches!(items(ID, &earlier, &page), Err(Refusal::NotFound(_))));
    assert!(streamed(ID, earlier.kept.as_deref(), None).is_err());
}

#[test]
fn what_goes_on_is_known_by_what_it_goes_on_with_and_by_no_key() {
    let ignored = |body: Value| {
        let head = Head {
            method: "POST".into(),
            path: "/v1/responses".into(),
            idempotency_key: Some("k".into()),
            ..Head::default()
        };
        let Opened { mut voice, .. } =
            Responses::Create.open(&head, "", body.to_string().as_bytes());
        voice.begin(ID);
        let headers = voice.whole(None).headers;
        headers.into_iter().find(|(name, _)| *name == "x-quarry-ignored").map(|(_, names)| names)
    };
    let follows = |more: Value| json!({ "previous_response_id": "resp_0af3", "background": true, "input": more });
    assert_eq!(ignored(follows(Value::Null)).as_deref(), Some("idempotency-key"));
    // A question of its own is known by its key.
    assert_eq!(ignored(follows(json!("And when?"))), None);
}

#[test]
fn whoever_joins_what_goes_on_wants_the_same_of_its_keeping() {
    let kept = |store: bool| {
        let body = json!({ "input": "why?", "store": store });
        let AnyOrder::Start(request) = opened("POST", "/v1/responses", None, &body).order.unwrap()
        else {
            panic!("nothing is started")
        };
        request.manners.keeps.unwrap()
    };
    let (stored, unstored) = (kept(true), kept(false));
    for (own, theirs, why) in [
        (&stored, &stored, None),
        (&unstored, &unstored, None),
        (&stored, &unstored, Some("is not stored")),
        (&unstored, &stored, Some("is stored")),
    ] {
        let told = joined(own, theirs).err().map(|why| why.to_string());
        assert_eq!(told.is_some(), why.is_some(), "{told:?}");
        assert!(why.is_none_or(|why| told.unwrap().contains(why)));
    }
}
