//! What is sent again to another process than the one that works on it.

use super::hanging::refused;
use super::locked::{hold, let_go};
use super::{CHAT, KEY, RESPONSES, body, paid, post, post_once_at, started};
use quarry_scenarios::client;
use quarry_test_provider::{Match, Phase, Reply, Script};
use serde_json::json;
use std::time::Duration;

/// Longer than an ask that gives no sign of life is believed to live, and shorter than it takes to be certain.
const SILENT: Duration = Duration::from_secs(40);

/// Others hold the store, which can be read: the one that lives has nowhere to say so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_living_ask_is_not_taken_for_dead_while_its_store_takes_no_writes() {
    let planning = Reply::text("no plan").hold("planning");
    let plans = [planning.clone(), planning];
    let quarry = started(Script::ordinary().first(Match::Phase(Phase::Planning), plans)).await;
    if !quarry.is_local_or_skipped("the time of day of two servers is moved on") {
        return;
    }
    let asked = body(CHAT, json!({ "stream": true }));
    let first = post(&quarry, CHAT, &[KEY], &asked).await;
    let ask = first.header("x-quarry-ask").map(str::to_owned);
    quarry.provider.holding("planning", 1).await;
    let other = quarry.beside().await.unwrap();
    // Somebody reads on there, and is given a sign of life before a silent ask is no longer doubted.
    let reads = body(RESPONSES, json!({ "input": "And times eight?", "stream": true }));
    let somebody = post_once_at(&other.url, RESPONSES, &[], &reads).await;
    quarry.provider.holding("planning", 2).await;
    let file = quarry.sqlite().unwrap();
    hold(&file);
    // Its next sign is due, and cannot be written.
    assert!(quarry.change_variable("rate_limit_requests", "0", SILENT).unwrap());
    assert!(other.advance_clock(SILENT));
    let what = "a store that takes no writes";
    refused(post_once_at(&other.url, CHAT, &[KEY], &asked), somebody, what).await;
    let_go(&file);
    let url = format!("{}{CHAT}", other.url);
    let headers = [("content-type", "application/json"), KEY];
    let again = client::send("POST", &url, &headers, asked.to_string()).await.unwrap();
    assert_eq!(again.header("x-quarry-ask"), ask.as_deref());
    quarry.provider.release("planning");
    for open in [first, again] {
        assert!(open.text().await.unwrap().ends_with("data: [DONE]\n\n"));
    }
    assert_eq!(paid(&quarry, Phase::Setup), 2, "this one, and the one that somebody read");
}
