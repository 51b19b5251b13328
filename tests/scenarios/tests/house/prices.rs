//! Prices that are fetched: used, kept, and refused when they are none.

use quarry_scenarios::client::{self, Event};
use quarry_scenarios::quarry::{KEY, Quarry, Setup};
use quarry_test_provider::{Script, ScriptedProvider};
use serde_json::{Value, json};

/// Where the table is: a server of its own, as in real life.
async fn table(body: Value) -> ScriptedProvider {
    ScriptedProvider::start(Script::new().file("/prices.json", body)).await.unwrap()
}

async fn start(url: &str, origin: &str) -> Quarry {
    let setup = Setup::new(Script::ordinary())
        .variable("pricing_url", url)
        .variable("pricing_origin", origin);
    setup.start().await.unwrap()
}

async fn ask(quarry: &Quarry) -> Vec<Event> {
    let body = json!({ "query": "What is six times seven?" });
    let events = client::ask(&quarry.url, &body).await.unwrap().events().await.unwrap();
    assert_eq!(events.last().unwrap().name, "complete");
    events
}

fn summary(events: &[Event]) -> &Value {
    &events.iter().find(|event| event.name == "cost_summary").unwrap().data
}

/// Asks until the prices are there. An ask never waits for a fetch, so the first ones may come
/// before it has ended.
async fn priced(quarry: &Quarry) -> Value {
    for _ in 0..500 {
        let events = ask(quarry).await;
        if summary(&events)["stepCosts"][0]["costKnown"] == true {
            return summary(&events).clone();
        }
    }
    panic!("500 asks later there is still no price");
}

fn fetches(server: &ScriptedProvider) -> usize {
    server.requests().len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fetched_table_prices_every_call_and_is_kept() {
    let server = table(json!({
        "scripted": {
            "litellm_provider": "openai", "mode": "chat",
            "input_cost_per_token": 1e-6, "output_cost_per_token": 1e-5,
        },
        "sample_spec": { "litellm_provider": "one of …", "input_cost_per_token": 0 },
    }))
    .await;
    let quarry = start(&format!("{}/prices.json", server.url()), &server.url()).await;
    let costs = priced(&quarry).await;
    // 120 tokens in and 40 out, at one and ten dollars a million.
    let of_one = 120.0 * 1e-6 + 40.0 * 1e-5;
    let steps = costs["stepCosts"].as_array().unwrap();
    for step in steps {
        assert!((step["cost"].as_f64().unwrap() - of_one).abs() < 1e-12, "{step}");
    }
    let total = costs["totalCost"].as_f64().unwrap();
    assert!((total - of_one * steps.len() as f64).abs() < 1e-9, "{total}");
    assert_eq!(fetches(&server), 1);
    let sent = &server.requests()[0];
    assert_eq!((sent.method.as_str(), sent.path.as_str()), ("GET", "/prices.json"));
    assert!(!format!("{sent:?}").contains(KEY), "the key went to whoever has the prices");
    // Kept for a day, in another process too.
    let quarry = quarry.restart().await.unwrap();
    assert!(summary(&ask(&quarry).await)["costKnown"] == true);
    assert_eq!(fetches(&server), 1);
    // With a price, a budget in dollars can be held.
    let body = json!({ "query": "What is six times seven?", "budget": { "usd": 0.01 } });
    let events = client::ask(&quarry.url, &body).await.unwrap().events().await.unwrap();
    assert!(summary(&events)["totalCost"].as_f64().unwrap() <= 0.01);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_no_table_changes_nothing_and_is_fetched_once() {
    for (body, words) in [
        (json!("<html>Not found</html>"), "no price"),
        (json!({ "models": "none" }), "no price"),
        (
            json!({ "scripted": { "litellm_provider": "openai", "input_cost_per_token": -1, "output_cost_per_token": "free" } }),
            "no price",
        ),
        // Dollars a million where dollars a token are meant.
        (
            json!({ "scripted": { "litellm_provider": "openai", "input_cost_per_token": 2.5, "output_cost_per_token": 10 } }),
            "no price",
        ),
        (Value::Null, "no price"),
    ] {
        let server = table(body.clone()).await;
        let quarry = start(&format!("{}/prices.json", server.url()), &server.url()).await;
        said(&quarry, words).await;
        let events = ask(&quarry).await;
        assert_eq!(summary(&events)["costKnown"], false, "{body}");
        assert_eq!(fetches(&server), 1, "{body}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_cannot_be_had_stops_no_ask() {
    let server = ScriptedProvider::start(Script::new()).await.unwrap();
    let quarry = start(&format!("{}/missing.json", server.url()), &server.url()).await;
    said(&quarry, "404").await;
    assert_eq!(fetches(&server), 1);
    assert_eq!(summary(&ask(&quarry).await)["costKnown"], false);
    assert_eq!(fetches(&server), 1);
}

/// Asks until the log says so. Under Spin the output is the terminal's, and asks must do.
async fn said(quarry: &Quarry, words: &str) {
    for _ in 0..500 {
        ask(quarry).await;
        let output = quarry.output();
        if output.lines().any(|line| line.contains("pricing_url") && line.contains(words)) {
            return;
        }
        if std::env::var("QUARRY_RUNTIME").is_ok_and(|runtime| runtime == "spin") {
            return;
        }
    }
    panic!("500 asks later the log has no word of it: {}", quarry.output());
}
