//! What an ordinary ask asks of its host, held to the list in ARCHITECTURE.md.

#![cfg(test)]

use quarry_scenarios::client;
use quarry_scenarios::quarry::{Quarry, Setup, root};
use quarry_test_provider::Script;
use serde_json::json;
use std::collections::BTreeMap;

const ASKS: u64 = 5;

/// How often so many are counted. The least counts: on a busy machine an instance may have gone between
/// two asks, and the next one begins by reading its variables.
const ROUNDS: usize = 4;

/// How far the list may lie above what is counted: instances come and go, and what happens at the
/// same moment is handled together or not.
const SLACK: f64 = 1.25;

async fn asks(quarry: &Quarry, count: u64) {
    let body = json!({ "query": "What is the capacity factor?", "max_iterations": 3 });
    for _ in 0..count {
        let events = client::ask(&quarry.url, &body).await.unwrap().events().await.unwrap();
        assert_eq!(events.last().unwrap().name, "complete");
    }
}

/// The rows of the list: component, what is called, how often at most.
fn listed() -> BTreeMap<(String, String), f64> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, rest) = text.split_once("<!-- host calls -->\n").expect("the list begins");
    let (table, _) = rest.split_once("<!-- /host calls -->").expect("the list ends");
    let mut rows = BTreeMap::new();
    for line in table.lines().skip(2) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [component, calls, most, _] = cells[..] else { panic!("no row: {line}") };
        for call in calls.split(", ") {
            let key = (component.to_owned(), call.trim_matches('`').to_owned());
            assert!(rows.insert(key, most.parse().unwrap()).is_none(), "{line} stands twice");
        }
    }
    rows
}

/// Calls an ask, by component and call, over some asks; none where the host does not tell.
async fn counted(quarry: &Quarry) -> Option<BTreeMap<(String, String), f64>> {
    let before = quarry.host_calls()?;
    asks(quarry, ASKS).await;
    let mut counts: BTreeMap<(String, String), f64> = BTreeMap::new();
    for ((component, name), count) in quarry.host_calls()? {
        let count = count - before.get(&(component.clone(), name.clone())).unwrap_or(&0);
        if count > 0 {
            // Without what tells versions and kinds apart.
            let call = name.rsplit('.').next().unwrap_or_default();
            let interface = name.split(['/', '@', '.', '#']).nth(1).unwrap_or_default();
            let key = (component, format!("{interface}.{call}"));
            *counts.entry(key).or_default() += count as f64 / ASKS as f64;
        }
    }
    Some(counts)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ordinary_ask_calls_its_host_as_often_as_is_written_down() {
    let mut setup = Setup::new(Script { unrecorded: true, ..Script::ordinary() });
    setup.counts_calls = true;
    let quarry = setup.start().await.unwrap();
    asks(&quarry, 3).await;
    let Some(first) = counted(&quarry).await else {
        println!("not checked: this host does not count calls");
        return;
    };
    let mut counts = first;
    for _ in 1..ROUNDS {
        let again = counted(&quarry).await.unwrap();
        counts.retain(|call, _| again.contains_key(call));
        for (call, count) in &mut counts {
            *count = count.min(again[call]);
        }
    }
    let listed = listed();
    let all = |rows: &BTreeMap<_, f64>| rows.values().sum::<f64>();
    let mut wrong = Vec::new();
    for (key, count) in &counts {
        let most = listed.get(key).copied().unwrap_or_default();
        if *count > most {
            wrong.push(format!("{key:?}: {count} an ask, and {most} are written down"));
        }
    }
    for (key, most) in &listed {
        let count = counts.get(key).copied().unwrap_or_default();
        if *most > (count * SLACK + 1.0).ceil() {
            wrong.push(format!("{key:?}: {count} an ask, and {most} are written down"));
        }
    }
    assert!(wrong.is_empty(), "{} an ask\n{}", all(&counts), wrong.join("\n"));
}
