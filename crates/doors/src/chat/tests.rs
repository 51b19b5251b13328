//! What is joined, and which model a path names.

use super::*;

fn head() -> Head {
    Head {
        path: "/v1/chat/completions".into(),
        authorization: Some(Hidden("Bearer a".into())),
        client_address: Some("192.0.2.7:4000".into()),
        ..Head::default()
    }
}

#[test]
fn a_counted_retry_is_the_request_that_it_repeats() {
    let tried = |retries, body: &[u8]| join(&Head { retries, ..head() }, body);
    assert_eq!(tried(None, b"{}"), None, "whoever does not count is not followed");
    let first = tried(Some(0), b"{}").unwrap();
    let second = tried(Some(1), b"{}").unwrap();
    assert_eq!((first.looks, second.looks), (false, true));
    assert_eq!(first.key, second.key);
    assert_ne!(first.key, tried(Some(1), b"{ }").unwrap().key);
    for other in [
        Head { authorization: Some(Hidden("Bearer b".into())), retries: Some(1), ..head() },
        Head { client_address: Some("192.0.2.8:4000".into()), retries: Some(1), ..head() },
        Head { path: "/v1/responses".into(), retries: Some(1), ..head() },
    ] {
        assert_ne!(join(&other, b"{}").unwrap().key, first.key, "{other:?}");
    }
    // Each try is a connection of its own.
    let moved = Head { client_address: Some("192.0.2.7:9".into()), retries: Some(1), ..head() };
    assert_eq!(join(&moved, b"{}").unwrap().key, first.key);
}

#[test]
fn a_key_of_the_clients_is_believed_for_the_same_question() {
    let named = |key: &str, body: &[u8]| {
        let head = Head { idempotency_key: Some(key.into()), retries: Some(0), ..head() };
        join(&head, body).unwrap()
    };
    let one = named("k", b"{}");
    assert!(one.looks);
    assert_eq!(one, named(" k ", b"{}"));
    assert_ne!(one.key, named("k", b"[]").key);
    assert_ne!(one.key, named("l", b"{}").key);
    assert_eq!(one.key.len(), 64);
}

#[test]
fn a_model_in_a_path_is_read_through_its_percent_signs() {
    for (id, model) in [
        ("groq:llama-3", "groq:llama-3"),
        ("groq%3Allama", "groq:llama"),
        ("openrouter:meta%2fllama", "openrouter:meta/llama"),
        ("100%", "100%"),
        ("%zz", "%zz"),
        ("%ff", "%ff"),
    ] {
        assert_eq!(decoded(id), model, "{id}");
    }
}
