//! A canary in every secret: none may turn up in an event, a log line or a store.

use quarry_scenarios::client::{self, Event};
use quarry_scenarios::quarry::{Setup, root};
use quarry_search::Provider;
use quarry_test_provider::{Match, Phase, Recorded, Reply, Script, ScriptedProvider};
use serde_json::json;

const CALLER_KEY: &str = "canary-of-the-caller-77aa";

/// The search providers that have a key, each with the variable that it is in.
fn keyed() -> impl Iterator<Item = (Provider, &'static str)> {
    Provider::all().iter().filter_map(|provider| Some((*provider, provider.row().key_variable?)))
}

/// The variables that spin.toml calls secret.
fn secrets() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("spin.toml")).unwrap();
    let manifest: toml::Table = text.parse().unwrap();
    let is_secret = |value: &toml::Value| value.get("secret").and_then(toml::Value::as_bool);
    manifest["variables"]
        .as_table()
        .unwrap()
        .iter()
        .filter(|(_, value)| is_secret(value) == Some(true))
        .map(|(name, _)| name.clone())
        .collect()
}

fn canary(name: &str) -> String {
    format!("canary-of-{}-31d7", name.replace('_', "-"))
}

/// A provider that repeats the key in every error, as careless ones do.
fn indiscreet(key: &str) -> Script {
    let error = |status: u16| Reply::status(status, format!("bad luck with the key {key}"));
    Script::ordinary()
        .first(Match::Phase(Phase::Setup), [error(400)])
        .first(Match::Phase(Phase::Synthesis), [error(401)])
}

async fn events(url: &str, body: serde_json::Value) -> Vec<Event> {
    client::ask(url, &body).await.unwrap().events().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_reaches_an_event_a_log_or_a_store() {
    let names = secrets();
    assert!(names.len() > 10, "{names:?}");
    let provider_key = canary("openai_api_key");
    let mut setup = Setup::new(indiscreet(&provider_key).key(&provider_key));
    for name in &names {
        setup = setup.variable(name, &canary(name));
    }
    // Nothing answers searches here; whoever listens on the port sees the keys.
    let listener = ScriptedProvider::start(Script::new()).await.unwrap();
    let searched: Vec<&str> = keyed().map(|(provider, _)| provider.name()).collect();
    setup = setup.variable("searxng_url", "").variable("search_providers", &searched.join(","));
    for (provider, _) in keyed() {
        setup = setup.variable(provider.row().url_variable, &listener.url());
    }
    setup = setup.variable("web_allowed_hosts", &listener.address().to_string());
    let quarry = setup.start().await.unwrap();
    let secret = canary("access_secret");
    let mut all = String::new();
    let mut collect = |events: Vec<Event>| {
        assert!(events.last().is_some_and(Event::is_last), "{events:?}");
        events.iter().for_each(|event| all += &event.raw);
    };
    let ask = |more: serde_json::Value| {
        let mut body = json!({ "query": "What is 6 times 7?", "accessSecret": secret });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        events(&quarry.url, body)
    };
    // An ask whose provider is indiscreet, one in good order, one with the caller's own key.
    collect(ask(json!({})).await);
    collect(ask(json!({})).await);
    quarry.provider.set_script(indiscreet(CALLER_KEY).key(CALLER_KEY));
    collect(ask(json!({ "apiKey": CALLER_KEY })).await);
    // Without the secret, and with a wrong one.
    let refused =
        events(&quarry.url, json!({ "query": "q", "accessSecret": "wrong-guess-1b" })).await;
    assert_eq!(refused.last().unwrap().name, "error");
    collect(refused);
    // An interrupted ask keeps its state.
    quarry.provider.set_script(
        Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [Reply::rate_limited("60")]),
    );
    collect(ask(json!({})).await);
    // A search that goes through every search provider, each with its key, and fails.
    let search = Reply::call("search_web", json!({ "query": "q" }));
    quarry
        .provider
        .set_script(Script::ordinary().first(Match::Phase(Phase::Iteration(1)), [search]));
    collect(ask(json!({})).await);
    assert!(searched.len() >= 3, "{searched:?}");
    for (_, name) in keyed() {
        let key = canary(name);
        let sent = |request: &Recorded| {
            request.headers.iter().any(|(_, value)| value.contains(&key))
                || request.body.to_string().contains(&key)
        };
        assert!(listener.requests().iter().any(sent), "{name} was not used");
    }
    let stored = String::from_utf8_lossy(&quarry.stored().unwrap()).into_owned();
    assert!(stored.contains("What is 6 times 7?"), "the stores were not read");
    let output = quarry.output();
    let mut planted: Vec<String> = names.iter().map(|name| canary(name)).collect();
    planted.push(CALLER_KEY.to_owned());
    planted.push("wrong-guess-1b".to_owned());
    for canary in planted {
        assert!(!all.contains(&canary), "{canary} is in an event");
        assert!(!output.contains(&canary), "{canary} is in a log line");
        assert!(!stored.contains(&canary), "{canary} is in a store");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_provider_gets_its_own_key_and_no_other() {
    let other = ScriptedProvider::start(Script::ordinary()).await.unwrap();
    let quarry = Setup::new(Script::ordinary())
        .variable("groq_api_key", "canary-groq")
        .variable("groq_base_url", &other.openai_base_url())
        .start()
        .await
        .unwrap();
    let body = json!({ "query": "What is 6 times 7?", "model": "groq:llama" });
    let events = events(&quarry.url, body).await;
    assert_eq!(events.last().unwrap().name, "complete");
    assert!(quarry.provider.calls().is_empty());
    for call in other.calls() {
        assert_eq!(call.header("authorization"), Some("Bearer canary-groq"));
        assert!(!call.body.to_string().contains("canary"));
    }
}

/// What each door takes for the same question.
fn doors() -> Vec<(&'static str, &'static str, serde_json::Value)> {
    let question = "What is 6 times 7?";
    let spoken = json!([{ "role": "user", "content": question }]);
    let shown =
        json!([{ "id": "m", "role": "user", "parts": [{ "type": "text", "text": question }] }]);
    let call = |name: &str, arguments: serde_json::Value| {
        let params = json!({ "name": name, "arguments": arguments });
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
    };
    let run = json!([{ "id": "m", "role": "user", "content": question }]);
    vec![
        ("POST", "/v1/chat/completions", json!({ "model": "quarry", "messages": spoken })),
        (
            "POST",
            "/v1/chat/completions",
            json!({ "model": "quarry", "messages": spoken, "stream": true }),
        ),
        ("POST", "/v1/responses", json!({ "model": "quarry", "input": question })),
        ("POST", "/v1/responses", json!({ "model": "quarry", "input": question, "stream": true })),
        ("POST", "/api/chat", json!({ "id": "c", "trigger": "submit-message", "messages": shown })),
        ("GET", "/api/chat/c/stream", json!(null)),
        (
            "POST",
            "/agui",
            json!({ "threadId": "t", "runId": "r", "tools": [], "context": [], "state": {},
                "forwardedProps": {}, "messages": run }),
        ),
        ("POST", "/mcp", call("research", json!({ "question": question }))),
        ("POST", "/mcp", call("search_web", json!({ "query": question }))),
        ("POST", "/mcp/connector", call("search", json!({ "query": question }))),
        ("GET", "/v1/models", json!(null)),
    ]
}

/// The same as the official clients see it (`official`), where they are.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_comes_out_by_any_door() {
    let secret = canary("access_secret");
    let setup = Setup::new(Script::ordinary()).variable("access_secret", &secret);
    let quarry = setup.variable("openai_api_key", "").start().await.unwrap();
    let bearer = format!("Bearer {secret}");
    let wrong = "wrong-guess-1b";
    let guess = format!("Bearer {wrong}");
    let mut all = String::new();
    for script in [Script::ordinary(), indiscreet(CALLER_KEY)] {
        quarry.provider.set_script(script.key(CALLER_KEY));
        quarry.provider.forget();
        for authorization in [&bearer, &guess] {
            for (method, path, body) in doors() {
                let headers = [
                    ("authorization", authorization.as_str()),
                    ("x-provider-key", CALLER_KEY),
                    ("content-type", "application/json"),
                    ("accept", "application/json, text/event-stream"),
                ];
                let body = if body.is_null() { String::new() } else { body.to_string() };
                let url = format!("{}{path}", quarry.url);
                let open = client::send(method, &url, &headers, body).await.unwrap();
                // Who is not let in has no chat to join.
                let is_refused = matches!(open.status.as_u16(), 401 | 403 | 204);
                assert_eq!(is_refused, authorization == &guess, "{path}: {}", open.status);
                all += &format!("{:?}", open.headers);
                all += &open.text().await.unwrap();
            }
        }
        let keys = quarry.provider.calls();
        assert!(!keys.is_empty(), "nothing was asked");
    }
    assert!(all.contains("31.2 percent"), "nothing was answered: {all}");
    let stored = String::from_utf8_lossy(&quarry.stored().unwrap()).into_owned();
    let output = quarry.output();
    for canary in [&*secret, CALLER_KEY, wrong] {
        for (place, text) in [("an answer", &all), ("a store", &stored), ("a log line", &output)] {
            assert!(!text.contains(canary), "{canary} is in {place}");
        }
    }
}
