//! Requests to the doors of responses.

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
