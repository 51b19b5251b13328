//! Two hundred streams at once.

#![cfg(test)]

use quarry_scenarios::quarry::Setup;
use quarry_scenarios::{client, invariants};
use quarry_test_provider::{Match, Phase, Reply, Script, Split};
use serde_json::json;

const STREAMS: usize = 200;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_streams_are_held_open_and_none_is_dropped() {
    let answer = "A long answer, held in the middle. ".repeat(6);
    let held = Reply::text(&answer).split(Split::Frames).hold_midway("all");
    let script = Script::ordinary().first_always(Match::Phase(Phase::Synthesis), held);
    let mut setup = Setup::new(script);
    setup.instances = 600;
    let quarry = setup.start().await.unwrap();
    let asks: Vec<_> = (0..STREAMS)
        .map(|number| {
            let url = quarry.url.clone();
            tokio::spawn(async move {
                let body = json!({ "query": format!("Question {number}: what is 6 times 7?") });
                client::ask(&url, &body).await?.events().await
            })
        })
        .collect();
    // All of them stand in the middle of their answers at the same time.
    quarry.provider.holding("all", STREAMS).await;
    quarry.provider.release("all");
    for (number, ask) in asks.into_iter().enumerate() {
        let events = ask.await.unwrap().unwrap();
        assert_eq!(invariants::of_stream(&events), Vec::<String>::new(), "stream {number}");
        let last = events.last().unwrap();
        assert_eq!(last.name, "complete", "stream {number}: {}", last.raw);
        // Nobody gets another's events.
        let init = events.iter().find(|event| event.name == "init").unwrap();
        assert!(init.data["query"].as_str().unwrap().starts_with(&format!("Question {number}:")));
    }
}
