//! What an ordinary ask, and a run of one node, ask of their host, held to the lists in ARCHITECTURE.md.

use quarry_scenarios::client;
use quarry_scenarios::quarry::{Quarry, Setup, root};
use quarry_test_provider::{FOREVER, Match, Reply, Script};
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Duration;

/// How many are counted at most, one by one. On a busy machine an instance may have gone between two, and the next one
/// begins by reading its variables; and what takes longer is looked after more often: so the least is held to the list,
/// and the list to the most.
const ROUNDS: usize = 60;

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

/// Runs of one node: its model is asked four times, and it searches once. Each is read when it has ended: whoever watched it
/// would look the more often, the slower the machine.
async fn runs(quarry: &Quarry, count: u64) {
    let body = json!({ "task": "What did the Orrin Bridge cost?", "effort": "quick" });
    for _ in 0..count {
        let (status, begun) = client::exchanged(&quarry.url, "POST /runs", &body).await.unwrap();
        assert_eq!(status, 202, "{begun}");
        let id = begun["run_id"].as_str().unwrap();
        until_over(quarry, id).await;
        let url = format!("{}/runs/{id}/events", quarry.url);
        let events = client::get(&url, &[("accept", "text/event-stream")]).await.unwrap();
        assert_eq!(events.events().await.unwrap().last().unwrap().name, "run_completed");
    }
}

/// Waits until a run has ended and its driver has let go of it, and asks nobody for that.
async fn until_over(quarry: &Quarry, id: &str) {
    let file = quarry.sqlite().unwrap();
    let over =
        "SELECT status NOT IN ('queued', 'running') AND holder IS NULL FROM run WHERE run_id = ?1";
    let looks = async {
        while !file.query_row(over, [id], |row| row.get::<_, bool>(0)).unwrap() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    if tokio::time::timeout(FOREVER, looks).await.is_err() {
        let stands = "SELECT status || ', held by ' || coalesce(holder, 'nobody') FROM run WHERE run_id = ?1";
        let stands = file.query_row(stands, [id], |row| row.get::<_, String>(0)).unwrap();
        panic!("the run {id} is not over after {FOREVER:?}: {stands}");
    }
}

/// What is counted.
#[derive(Clone, Copy)]
enum Counted {
    Asks,
    Runs,
}

impl Counted {
    async fn happen(self, quarry: &Quarry, count: u64) {
        match self {
            Counted::Asks => asks(quarry, count).await,
            Counted::Runs => runs(quarry, count).await,
        }
    }

    /// What stands around its list.
    const fn marks(self) -> (&'static str, &'static str) {
        match self {
            Counted::Asks => ("<!-- host calls -->\n", "<!-- /host calls -->"),
            Counted::Runs => ("<!-- host calls of a run -->\n", "<!-- /host calls of a run -->"),
        }
    }
}

/// The rows of a list: component, what is called, how often at most.
fn listed((begin, end): (&str, &str)) -> Counts {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, rest) = text.split_once(begin).expect("the list begins");
    let (table, _) = rest.split_once(end).expect("the list ends");
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

/// Calls for one, by component and call; none where the host does not tell.
async fn counted(quarry: &Quarry, what: Counted) -> Option<Counts> {
    let before = quarry.host_calls()?;
    what.happen(quarry, 1).await;
    let mut counts = Counts::new();
    for ((component, name), count) in quarry.host_calls()? {
        let count = count - before.get(&(component.clone(), name.clone())).unwrap_or(&0);
        if count > 0 {
            // Without what tells versions and kinds apart.
            let call = name.rsplit('.').next().unwrap_or_default();
            let interface = name.split(['/', '@', '.', '#']).nth(1).unwrap_or_default();
            let key = (component, format!("{interface}.{call}"));
            *counts.entry(key).or_default() += count as f64;
        }
    }
    Some(counts)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ordinary_ask_calls_its_host_as_often_as_is_written_down() {
    let mut setup = Setup::new(Script { unrecorded: true, ..Script::ordinary() });
    setup.counts_calls = true;
    check(setup.start().await.unwrap(), Counted::Asks, |_| true).await;
}

/// Of what a run asks its host, what it asks the database: the rest is that of an ask.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_asks_the_database_as_often_as_is_written_down() {
    let said = |words: &str, reply| (Match::Text(words.to_owned()), Reply::json(&reply));
    let replies = [
        said("You choose what to search the web for", json!({ "queries": ["Orrin Bridge cost"] })),
        said(
            "You read passages of sources for a researcher",
            json!({ "findings": [{
            "claim": "The Orrin Bridge cost 186 million euros.",
            "evidence": [{ "passage": "q1", "quote": "The bridge cost 186 million euros." }],
        }] }),
        ),
        said(
            "You judge whether findings answer a question",
            json!({
                "coverage": 1, "quality": 0.8, "contradiction_handling": 1, "gaps": [],
            }),
        ),
        said("You write the executive answer", json!({ "answer": "186 million euros [q1]." })),
    ];
    let script = Script { unrecorded: true, ..Script::new() };
    let script =
        replies.into_iter().fold(script, |script, (when, reply)| script.always(when, reply));
    let mut setup = Setup::new(script);
    setup.counts_calls = true;
    let is_of_database = |call: &str| call.starts_with("sqlite.");
    check(setup.start().await.unwrap(), Counted::Runs, is_of_database).await;
}

/// Compares what is counted with what is written down.
async fn check(quarry: Quarry, what: Counted, is_meant: impl Fn(&str) -> bool) {
    what.happen(&quarry, 3).await;
    let Some(first) = counted(&quarry, what).await else {
        println!("not checked: this host does not count calls");
        return;
    };
    let listed = listed(what.marks());
    let (mut least, mut most) = (first.clone(), first);
    for _ in 1..ROUNDS {
        if wrong(&least, &most, &listed, &is_meant).is_empty() {
            break;
        }
        let again = counted(&quarry, what).await.unwrap();
        least.retain(|call, _| again.contains_key(call));
        for (call, count) in &mut least {
            *count = count.min(again[call]);
        }
        for (call, count) in again {
            let most = most.entry(call).or_default();
            *most = most.max(count);
        }
    }
    let wrong = wrong(&least, &most, &listed, &is_meant);
    let all: f64 = least.iter().filter(|((_, call), _)| is_meant(call)).map(|it| it.1).sum();
    assert!(wrong.is_empty(), "{all} for each\n{}", wrong.join("\n"));
}

/// By component and call.
type Counts = BTreeMap<(String, String), f64>;

/// Where what is counted, as far as it is meant, and what is written down differ: too often, though it was counted at
/// the `least`, or written down for more than at the `most`.
fn wrong(
    least: &Counts,
    most: &Counts,
    listed: &Counts,
    is_meant: impl Fn(&str) -> bool,
) -> Vec<String> {
    let said = |key: &(String, String), count: f64, listed: f64| {
        format!("{key:?}: {count} for each, and {listed} are written down")
    };
    let mut wrong = Vec::new();
    for (key, count) in least.iter().filter(|((_, call), _)| is_meant(call)) {
        let listed = listed.get(key).copied().unwrap_or_default();
        if *count > listed {
            wrong.push(said(key, *count, listed));
        }
    }
    for (key, listed) in listed {
        let count = most.get(key).copied().unwrap_or_default();
        if *listed > (count * SLACK + 1.0).ceil() {
            wrong.push(said(key, count, *listed));
        }
    }
    wrong
}
