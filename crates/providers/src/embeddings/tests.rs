//! Both forms of embeddings, and replies that are none.

use super::*;

fn call(model: &str, base_url: Option<&str>) -> EmbeddingCall {
    let model: ModelId = model.parse().unwrap();
    let target = Target::of(model.provider, base_url, Some("canary-key".to_owned())).unwrap();
    EmbeddingCall::new(model, vec!["one".to_owned(), "two".to_owned()], target).unwrap()
}

fn body(call: &EmbeddingCall) -> serde_json::Value {
    serde_json::from_slice(&call.outgoing().body).unwrap()
}

fn reply(call: &EmbeddingCall, body: &str) -> Result<Embedded, Failure> {
    let mut exchange = call.answered(200, Vec::new);
    for byte in body.as_bytes() {
        assert!(exchange.push(&[*byte]).unwrap());
    }
    exchange.end(None, || 0.0)
}

#[test]
fn each_provider_is_asked_in_its_form_and_where_it_listens() {
    let openai = call("openai:text-embedding-3-small", None);
    let asked = openai.outgoing();
    assert_eq!(
        (asked.authority.as_str(), asked.path.as_str()),
        ("api.openai.com", "/v1/embeddings")
    );
    let key = asked.headers.iter().find(|(name, _)| name == "authorization").unwrap();
    assert_eq!(key.1, b"Bearer canary-key");
    assert_eq!(
        body(&openai),
        json!({ "model": "text-embedding-3-small", "input": ["one", "two"], "encoding_format": "float" })
    );
    for (base, path) in [
        ("http://localhost:11434/v1", "/api/embed"),
        ("http://localhost:11434", "/api/embed"),
        ("http://h/ollama/v1/", "/ollama/api/embed"),
    ] {
        let ollama = call("ollama:nomic-embed-text", Some(base));
        assert_eq!(ollama.outgoing().path, path);
        assert_eq!(body(&ollama), json!({ "model": "nomic-embed-text", "input": ["one", "two"] }));
    }
}

#[test]
fn who_has_no_embeddings_is_not_asked() {
    let model: ModelId = "anthropic:claude-haiku-4-5".parse().unwrap();
    let target = Target::of(model.provider, None, Some("k".to_owned())).unwrap();
    let error = EmbeddingCall::new(model, Vec::new(), target).unwrap_err().to_string();
    assert!(error.contains("anthropic has no embeddings; set embedding_model"), "{error}");
}

#[test]
fn vectors_come_in_the_order_of_the_texts_with_what_they_cost() {
    let openai = call("openai:m", None);
    let said = r#"{"data":[{"index":1,"embedding":[3,4.5]},{"index":0,"embedding":[1,2]}],"usage":{"prompt_tokens":9}}"#;
    let vectors = vec![vec![1.0, 2.0], vec![3.0, 4.5]];
    assert_eq!(
        reply(&openai, said).unwrap(),
        Embedded { vectors: vectors.clone(), tokens: 9, reported: true }
    );
    let unnumbered = r#"{"data":[{"embedding":[1,2]},{"embedding":[3,4.5]}]}"#;
    let estimated = reply(&openai, unnumbered).unwrap();
    assert_eq!((&estimated.vectors, estimated.reported), (&vectors, false));
    assert!(estimated.tokens > 0);
    let ollama = call("ollama:m", None);
    let said = r#"{"model":"m","embeddings":[[1,2],[3,4.5]],"prompt_eval_count":7}"#;
    assert_eq!(reply(&ollama, said).unwrap(), Embedded { vectors, tokens: 7, reported: true });
}

#[test]
fn counts_of_any_form_are_read_or_estimated_and_cost_no_vector() {
    let (openai, ollama) = (call("openai:m", None), call("ollama:m", None));
    let estimate = reply(&openai, r#"{"data":[]}"#).unwrap().tokens;
    for (count, tokens, reported) in [
        ("8.0", 8, true),
        ("-1", estimate, false),
        ("\"8\"", estimate, false),
        ("null", estimate, false),
        ("0", estimate, false),
        ("1000000000000000000", 100_000_000, false),
    ] {
        let said =
            format!(r#"{{"data":[{{"embedding":[1]}}],"usage":{{"prompt_tokens":{count}}}}}"#);
        let expected = Embedded { vectors: vec![vec![1.0]], tokens, reported };
        assert_eq!(reply(&openai, &said).unwrap(), expected, "{count}");
        let said = format!(r#"{{"embeddings":[[1]],"prompt_eval_count":{count}}}"#);
        assert_eq!(reply(&ollama, &said).unwrap(), expected, "{count}");
    }
    let odd = r#"{"data":[{"embedding":[1]}],"usage":"many"}"#;
    assert_eq!(reply(&openai, odd).unwrap().tokens, estimate);
}

#[test]
fn what_is_no_number_is_handed_on_as_none() {
    let read = reply(&call("openai:m", None), r#"{"data":[{"embedding":[1,null]}]}"#).unwrap();
    assert!(read.vectors[0][1].is_nan());
}

#[test]
fn replies_that_hold_no_embeddings_are_malformed_and_not_tried_again() {
    for model in ["openai:m", "ollama:m"] {
        let mut call = call(model, None);
        for (said, why) in [
            ("", "empty or broke off"),
            (r#"{"data":[{"embedding":[1"#, "empty or broke off"),
            ("<html>", "no embeddings that can be read"),
            (r#"{"choices":[]}"#, "no embeddings that can be read"),
            (
                r#"{"data":[{"embedding":["a"]}],"embeddings":[["a"]]}"#,
                "no embeddings that can be read",
            ),
        ] {
            let tried = reply(&call, said);
            let Next::Ended(Err(error)) = call.tried(tried, || u64::MAX, || 0.5) else {
                panic!("{said}")
            };
            assert!(error.to_string().contains(why), "{said}: {error}");
        }
    }
    let twice = r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#;
    let error = reply(&call("openai:m", None), twice).unwrap_err().error;
    assert!(matches!(error, ChatError::Malformed { .. }), "{error:?}");
}

#[test]
fn a_refusal_is_waited_out_as_it_says_and_shows_no_key() {
    let mut call = call("openai:m", None);
    let mut exchange = call.answered(429, || vec![("retry-after".to_owned(), b"1".to_vec())]);
    assert!(exchange.push(br#"{"error":{"message":"canary-key is over its limit"}}"#).unwrap());
    let next = call.tried(exchange.end(None, || 0.0), || u64::MAX, || 0.5);
    let Next::Again { wait_ms, reason, .. } = next else { panic!("{next:?}") };
    assert_eq!((wait_ms, reason.contains("canary")), (1_000, false), "{reason}");
    let broken = call.answered(200, Vec::new).end(Some(Lost::Connect), || 0.0);
    assert!(matches!(call.tried(broken, || u64::MAX, || 0.5), Next::Again { failed_try: 2, .. }));
    let long = call.answered(429, || vec![("retry-after".to_owned(), b"30".to_vec())]);
    let Next::Ended(Err(error)) = call.tried(long.end(None, || 0.0), || u64::MAX, || 0.5) else {
        panic!()
    };
    assert_eq!(error.wait_ms(), Some(30_000));
}

#[test]
fn a_try_that_may_have_been_paid_for_is_told_and_not_tried_again() {
    let message = String::new;
    for error in
        [ChatError::Timeout { message: message() }, ChatError::Connection { message: message() }]
    {
        let next = call("openai:m", None).tried(Err(error.clone().into()), || u64::MAX, || 0.5);
        assert_eq!(next, Next::Ended(Err(error)));
    }
    for error in [
        ChatError::Unreached { message: message() },
        ChatError::ProviderFailed { status: 500, message: message() },
    ] {
        let next = call("openai:m", None).tried(Err(error.into()), || u64::MAX, || 0.5);
        assert!(matches!(next, Next::Again { .. }), "nobody bills for it: {next:?}");
    }
}
