//! From a request to its order: each address and method, and what its caller has to pass.

use proptest::prelude::*;
use quarry_admission::Access;
use quarry_events::run::RunStatus;
use quarry_types::Timestamp;

use super::*;
use crate::{Entrance, Hidden, Reply, enter};

const ID: &str = "00000000000000000000000000000007";
const NOW: Timestamp = Timestamp(0);

fn head(method: &str, target: &str) -> Head {
    Head::read(method.to_owned(), &target.replace("{id}", ID), &[])
}

fn open(head: &Head, body: &str) -> Result<Order, Refusal> {
    let Entrance::Open(visit) = enter(head, NOW) else { panic!("{head:?} finds no door") };
    match visit.open(head, body.as_bytes()).order? {
        crate::Order::Run(order) => Ok(*order),
        other => panic!("{other:?} is no order about runs"),
    }
}

fn call(method: &str, target: &str, body: &str) -> Call {
    open(&head(method, target), body).unwrap().call
}

#[test]
fn every_address_leads_to_its_order() {
    let id = || ID.to_owned();
    for (method, target, expected, gate) in [
        (
            "GET",
            "/runs?limit=3&status=queued",
            Call::List(Filter { status: Some(RunStatus::Queued), limit: 3, cursor: None }),
            Gate::Access,
        ),
        ("POST", "/runs/drive", Call::DriveDue, Gate::DriveSecret),
        ("GET", "/runs/{id}", Call::Snapshot(id(), false), Gate::Identity),
        ("GET", "/runs/{id}?include=findings", Call::Snapshot(id(), true), Gate::Identity),
        ("DELETE", "/runs/{id}", Call::Delete(id()), Gate::Access),
        ("GET", "/runs/{id}/events", Call::Events(id(), 0, Format::Frames), Gate::Identity),
        ("GET", "/runs/{id}/events?after=7", Call::Events(id(), 7, Format::Frames), Gate::Identity),
        ("POST", "/runs/{id}/abort", Call::Abort(id()), Gate::Identity),
        ("GET", "/runs/{id}/report", Call::Report(id(), ReportForm::Json, false), Gate::Identity),
        (
            "GET",
            "/runs/{id}/report?partial=true",
            Call::Report(id(), ReportForm::Json, true),
            Gate::Identity,
        ),
        ("GET", "/runs/{id}/trace", Call::Trace(id(), false), Gate::Access),
        ("GET", "/runs/{id}/trace?form=bundle", Call::Trace(id(), true), Gate::Access),
        ("POST", "/runs/{id}/drive", Call::Drive(id(), None), Gate::Open),
    ] {
        let call = call(method, target, "");
        assert_eq!((&call, call.gate()), (&expected, gate), "{method} {target}");
    }
    for (target, body) in [
        ("/runs", r#"{"task":"why?"}"#),
        ("/runs/{id}/resume", ""),
        ("/runs/{id}/guidance", r#"{"text":"look at 2024"}"#),
        ("/runs/{id}/fork", "{}"),
    ] {
        let call = call("POST", target, body);
        assert_eq!(call.gate(), Gate::Access, "{target}");
        match (target, call) {
            ("/runs", Call::Create(request, Then::Answer)) => assert_eq!(request.task, "why?"),
            ("/runs/{id}/resume", Call::Resume(of, _)) | ("/runs/{id}/fork", Call::Fork(of, _)) => {
                assert_eq!(of, ID);
            }
            ("/runs/{id}/guidance", Call::Guide(of, text)) => {
                assert_eq!((of.as_str(), text.as_str()), (ID, "look at 2024"));
            }
            (_, other) => panic!("{target} gave {other:?}"),
        }
    }
}

#[test]
fn headers_say_more() {
    let headers = |of: &[(&str, &str)]| {
        of.iter()
            .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()))
            .collect::<Vec<_>>()
    };
    let target = format!("/runs/{ID}/events?after=7");
    let sent = headers(&[("Last-Event-ID", "9"), ("Accept", "application/x-ndjson")]);
    let order = open(&Head::read("GET".into(), &target, &sent), "").unwrap();
    assert_eq!(order.call, Call::Events(ID.to_owned(), 9, Format::Lines));
    let sent = headers(&[
        ("Prefer", "wait=90"),
        ("Idempotency-Key", "k-1"),
        ("Authorization", "Bearer from head"),
    ]);
    let begin = Head::read("POST".into(), "/runs", &sent);
    let order = open(&begin, r#"{"task":"why?"}"#).unwrap();
    assert_eq!(order.credentials.bearer(), Some("from head"));
    let Call::Create(request, then) = order.call else { panic!("{:?}", order.call) };
    assert_eq!((request.idempotency_key.as_deref(), then), (Some("k-1"), Then::Wait(60)));
    // The body's word counts most.
    let order = open(&begin, r#"{"task":"why?","accessSecret":"from body"}"#).unwrap();
    let open_to = Access::read("from body", "", "").unwrap();
    assert_eq!(order.credentials.letters(&open_to), (Some("from body"), None));
    let sent = headers(&[("X-Quarry-Baton", "sk-canary")]);
    let order = open(&Head::read("POST".into(), &format!("/runs/{ID}/drive"), &sent), "").unwrap();
    assert!(!format!("{order:?}").contains("canary"));
    assert_eq!(order.call, Call::Drive(ID.to_owned(), Some(Hidden("sk-canary".into()))));
}

/// A run of an account is that account's to end, however it says who it is.
#[test]
fn whoever_ends_a_run_may_say_so_in_a_body() {
    let abort = head("POST", "/runs/{id}/abort");
    let order = open(&abort, r#"{"google_token":"t","accessSecret":null}"#).unwrap();
    assert_eq!(order.call, Call::Abort(ID.to_owned()));
    assert_eq!(order.credentials.google_token, Some(Hidden("t".into())));
    for body in ["", "{}"] {
        assert!(open(&abort, body).unwrap().credentials.are_none(), "{body}");
    }
}

#[test]
fn who_is_not_let_in_is_told_where_it_may_say_who_it_is() {
    let wanted = Access::read("sesame", "", "").unwrap().admit(None, None).unwrap_err();
    for (method, target, says) in [
        ("POST", "/runs", "`accessSecret`"),
        ("POST", "/runs/{id}/resume", "`accessSecret`"),
        ("POST", "/runs/{id}/abort", "`accessSecret`"),
        ("GET", "/runs", "`Authorization: Bearer`"),
        ("DELETE", "/runs/{id}", "`Authorization: Bearer`"),
        ("GET", "/runs/{id}/trace", "`Authorization: Bearer`"),
        ("POST", "/knowledge/documents", "`accessSecret`"),
        ("POST", "/knowledge/collections/notes/reindex", "`accessSecret`"),
        ("GET", "/knowledge/documents", "`Authorization: Bearer`"),
        ("DELETE", "/knowledge/documents/{id}", "`Authorization: Bearer`"),
        ("GET", "/knowledge/collections/notes/stats", "`Authorization: Bearer`"),
    ] {
        let head = head(method, target);
        let Entrance::Open(visit) = enter(&head, NOW) else { panic!("{target} is closed") };
        let voices = [visit.voice(&head), visit.open(&head, b"").voice];
        for voice in voices {
            let reply = voice.refuse(&wanted.clone().into(), NOW);
            let told = String::from_utf8(reply.body.to_vec()).unwrap();
            assert!(reply.status == 401 && told.contains(says), "{method} {target}: {told}");
        }
    }
}

#[test]
fn what_is_refused_has_a_status_and_says_why() {
    for (method, target, body, status, says) in [
        ("POST", "/runs", "{}", 400, "task"),
        ("POST", "/runs", "[", 400, "not a JSON object"),
        ("POST", "/runs/{id}/abort", r#"{"googleToken":"t"}"#, 400, "`google_token`"),
        ("POST", "/runs/{id}/abort", "[]", 400, "send {} or nothing"),
        ("POST", "/runs", r#"{"task":"t","effrot":"deep"}"#, 400, "`effort`"),
        ("GET", "/runs?limit=0", "", 400, "`limit`"),
        ("GET", "/runs?status=over", "", 400, "`status`"),
        ("GET", "/runs/{id}?include=all", "", 400, "`include`"),
        ("GET", "/runs/{id}/events?after=x", "", 400, "`after`"),
        ("GET", "/runs/{id}/report?partial=maybe", "", 400, "`partial`"),
        ("GET", "/runs/{id}/report?form=html", "", 400, "`form`"),
        ("GET", "/runs/{id}/trace?form=zip", "", 400, "`form`"),
        ("POST", "/runs/{id}/guidance", "{}", 400, "`text`"),
        ("POST", "/runs/{id}/resume", r#"{"config":{"x":1}}"#, 400, "`config.x`"),
        ("GET", "/runs/0af3", "", 404, "no such run"),
        ("GET", "/runs/0000000000000000000000000000000G/report", "", 404, "no such run"),
        ("POST", "/runs/drive/abort", "", 404, "no such run"),
        ("DELETE", "/runs/x", "", 404, "no such run"),
    ] {
        let refusal = open(&head(method, target), body).unwrap_err();
        assert_eq!(refusal.status(), status, "{method} {target}");
        assert!(refusal.to_string().contains(says), "{method} {target}: {refusal}");
    }
    let pdf = Head { accept: Some("application/pdf".into()), ..head("GET", "/runs/{id}/report") };
    assert_eq!(open(&pdf, "").unwrap_err().status(), 406);
    let key = Head { idempotency_key: Some("a b".into()), ..head("POST", "/runs") };
    let refusal = open(&key, r#"{"task":"t"}"#).unwrap_err();
    assert!(refusal.to_string().contains("Idempotency-Key"), "{refusal}");
}

#[test]
fn a_refusal_has_its_status_also_where_a_stream_was_asked_for() {
    let head = Head { accept: Some("text/event-stream".into()), ..head("POST", "/runs") };
    let Entrance::Open(visit) = enter(&head, NOW) else { panic!("no door") };
    let opened = visit.open(&head, b"{}");
    let reply = opened.voice.refuse(&opened.order.unwrap_err(), NOW);
    assert_eq!(reply.status, 400);
    assert!(reply.headers.contains(&("content-type", "application/json".into())));
    assert_eq!(visit.body_limit(), Some(1024 * 1024));
}

proptest! {
    /// Whatever is asked, somebody answers: an order, or a refusal with a status of its own.
    #[test]
    fn no_request_brings_the_doors_down(
        method in "GET|POST|DELETE|HEAD|OPTIONS|[A-Z]{1,6}",
        path in "/runs(/(drive|[0-9a-f]{32}|[ -~]{0,12})(/(events|abort|resume|guidance|fork|report|trace|drive|.{0,6}))?)?",
        query in ".{0,40}",
        headers in prop::collection::vec(
            ("accept|prefer|authorization|idempotency-key|last-event-id|x-quarry-baton", prop::collection::vec(any::<u8>(), 0..40)),
            0..4,
        ),
        body in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        let head = Head::read(method, &format!("{path}?{query}"), &headers);
        let reply = match enter(&head, NOW) {
            Entrance::Closed(reply) => reply,
            Entrance::Open(visit) => match visit.open(&head, &body).order {
                Ok(crate::Order::Run(order)) => {
                    let _ = order.call.gate();
                    Reply::empty()
                }
                Ok(other) => panic!("{other:?}"),
                Err(refusal) => Reply::refusal(&refusal),
            },
        };
        prop_assert!([204, 400, 404, 405, 406].contains(&reply.status), "{}", reply.status);
    }
}
