//! Providers of embeddings that do not serve: a load says it as an ask says it of its model's, with what to set, and
//! searches go on without.

use crate::embeddings::{EMBEDDING, SMALL, fill, load, message, search, start};
use quarry_scenarios::quarry::Quarry;
use quarry_test_provider::{Reply, Script};
use std::net::TcpListener;

const ABROAD: &str = "Country, region, or territory not supported";
const LONG: &str = "This model's maximum context length is 8192 tokens";

/// What a load is told, and a search.
async fn told(quarry: &Quarry, status: u16, kind: &str, says: &str) {
    let (found, refused) = load(quarry, "New", "Something else entirely.").await;
    assert_eq!((found, refused["error"]["type"].as_str()), (status, Some(kind)), "{refused}");
    let why = message(&refused);
    let begins = format!("New: {SMALL} gave no embeddings: {says}");
    assert!(why.starts_with(&begins), "{why}");
    let found = search(quarry, "whale oil for the beacon").await;
    assert_eq!(found["chunks"][0]["title"], "Lamp", "{found}");
    let note = found["notes"][0].as_str().unwrap();
    let begins = format!("ranked by words and learned meaning, not by embeddings: {SMALL}");
    assert!(note.starts_with(&begins), "{note}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_of_embeddings_that_refuses_is_told_as_an_ask_tells_it_with_what_to_set() {
    let quarry = start(Script::ordinary()).await;
    fill(&quarry).await;
    let key = "; set `openai_api_key` to a key that it takes";
    let credit = "; give the account credit, or set another `embedding_model`";
    let model = "; set another `embedding_model`";
    let abroad = "; set an `embedding_model` of another provider";
    let long = "; set an `embedding_model` that takes more";
    for (answers, words, status, kind, says) in [
        (401, "Incorrect API key", 401, "unauthorized", ["the provider refused the key: ", key]),
        (403, "Not from there", 401, "unauthorized", ["the provider refused the key: ", key]),
        (402, "Pay first", 402, "no_credit", ["the provider account has no credit: ", credit]),
        (404, "This model does not exist", 500, "internal", ["unknown model: ", model]),
        (403, ABROAD, 502, "provider_failed", ["the provider refused the request (403): ", abroad]),
        (
            400,
            LONG,
            502,
            "provider_failed",
            ["it takes less text at once than it was given: ", long],
        ),
        (400, "Too odd", 502, "provider_failed", ["the provider refused the request (400): ", ""]),
    ] {
        let script = Script::ordinary().always(EMBEDDING, Reply::status(answers, words));
        quarry.provider.set_script(script);
        told(&quarry, status, kind, &says.join(words)).await;
    }
    quarry.provider.set_script(Script::ordinary().always(EMBEDDING, Reply::rate_limited("20")));
    told(&quarry, 429, "busy", "rate limit reached: Rate limit reached").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_provider_of_embeddings_that_cannot_be_reached_is_told_as_what_passes() {
    let quarry = start(Script::ordinary()).await;
    fill(&quarry).await;
    // Nobody listens there any more.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let base = format!("http://{address}/v1");
    let quarry = quarry.restart_with("openai_base_url", &base).await.unwrap();
    told(&quarry, 503, "unavailable", "").await;
}
