//! Doors whose clients send a Bearer refuse one that is missing, or is not the right one, in the same way.

#![cfg(test)]

use quarry_admission::{Proof, Unproven};
use quarry_doors::{Entrance, Head, Refusal, Reply, enter};
use quarry_types::Timestamp;

const DOORS: [(&str, &str); 11] = [
    ("POST", "/v1/chat/completions"),
    ("GET", "/v1/models"),
    ("GET", "/v1/models/quarry"),
    ("POST", "/v1/responses"),
    ("GET", "/v1/responses/resp_0"),
    ("DELETE", "/v1/responses/resp_0"),
    ("POST", "/mcp"),
    ("POST", "/api/chat"),
    ("GET", "/api/chat/c1/stream"),
    ("POST", "/api/chat/c1/stop"),
    ("POST", "/agui"),
];

fn refused(method: &str, path: &str, refusal: &Refusal) -> Reply {
    let head = Head { method: method.to_owned(), path: path.to_owned(), ..Head::default() };
    let Entrance::Open(visit) = enter(&head, Timestamp(0)) else { panic!("no door: {path}") };
    visit.voice(&head).refuse(refusal, Timestamp(0))
}

fn header<'r>(reply: &'r Reply, name: &str) -> Option<&'r str> {
    reply.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
}

#[test]
fn a_bearer_that_is_missing_or_wrong_is_401_at_every_door() {
    let wrong = || Unproven::new(Proof::AccessSecret, "`accessSecret` is not the right one");
    for (method, path) in DOORS {
        for refusal in [Refusal::Forbidden(wrong()), Refusal::Unauthorized(wrong())] {
            let reply = refused(method, path, &refusal);
            let challenge = header(&reply, "www-authenticate");
            assert_eq!((reply.status, challenge), (401, Some("Bearer")), "{method} {path}");
            let told = String::from_utf8_lossy(&reply.body);
            assert!(told.contains("the Bearer token is not the right one"), "{path}: {told}");
        }
        let unlisted = Refusal::Forbidden(Unproven::new(Proof::Account, "not listed"));
        let reply = refused(method, path, &unlisted);
        assert_eq!((reply.status, header(&reply, "www-authenticate")), (403, None), "{path}");
    }
}
