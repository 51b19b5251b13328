//! Streams that are joined again, and sessions that end.

use super::*;

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
