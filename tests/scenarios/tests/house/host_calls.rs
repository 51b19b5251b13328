//! What an ordinary ask, and a run of one node, ask of their host, held to the lists in ARCHITECTURE.md.

use quarry_scenarios::client;
use quarry_scenarios::quarry::{Quarry, Setup, root};
use quarry_test_provider::{FOREVER, Match, Reply, Script};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How many are counted, one by one. On a busy machine an instance may have gone between two, and the next one begins by
/// reading its variables: so what is held to the list is what half of them have at most, and the list is held to the most.
const ROUNDS: usize = 15;

/// What takes longer is looked after more often, and asks the time as often: of clocks it is what a fifth have at most.
const OF_CLOCKS: usize = ROUNDS / 5;

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

/// Calls for one, by component and call; none where the host does not tell, which is said.
async fn counted(quarry: &Quarry, what: Counted) -> Option<Counts> {
    if !quarry.is_local_or_skipped("nothing else counts calls to the host") {
        return None;
    }
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
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let Some(mut counts) = counted(&quarry, what).await else { return };
        counts.retain(|(_, call), _| is_meant(call));
        rounds.push(counts);
    }
    let mut all: Vec<f64> = rounds.iter().map(|counts| counts.values().sum()).collect();
    all.sort_by(f64::total_cmp);
    let wrong = wrong(&rounds, &listed(what.marks()));
    assert!(wrong.is_empty(), "{} for each\n{}", all[ROUNDS / 2], wrong.join("\n"));
}

/// By component and call.
type Counts = BTreeMap<(String, String), f64>;

/// What each of the rounds had of every call, the fewest first. One that lacks a call had none of it.
fn by_call(rounds: &[Counts]) -> BTreeMap<(String, String), Vec<f64>> {
    let keys: BTreeSet<_> = rounds.iter().flat_map(Counts::keys).cloned().collect();
    let figures = |key: &(String, String)| {
        let count = |counts: &Counts| counts.get(key).copied().unwrap_or_default();
        let mut figures: Vec<f64> = rounds.iter().map(count).collect();
        figures.sort_by(f64::total_cmp);
        figures
    };
    keys.into_iter().map(|key| (key.clone(), figures(&key))).collect()
}

/// Where what is counted and what is written down differ: too often as a rule, or written down for more than at the most.
fn wrong(rounds: &[Counts], listed: &Counts) -> Vec<String> {
    let said = |key: &(String, String), count: f64, listed: f64| {
        format!("{key:?}: {count} for each, and {listed} are written down")
    };
    let counted = by_call(rounds);
    let mut wrong = Vec::new();
    for (key, figures) in &counted {
        let is_of_clock = key.1.split('.').next().is_some_and(|name| name.ends_with("-clock"));
        let count = figures[if is_of_clock { OF_CLOCKS } else { ROUNDS / 2 }];
        let listed = listed.get(key).copied().unwrap_or_default();
        if count > listed {
            wrong.push(said(key, count, listed));
        }
    }
    for (key, listed) in listed {
        let most = counted.get(key).and_then(|figures| figures.last()).copied().unwrap_or_default();
        if *listed > (most * SLACK + 1.0).ceil() {
            wrong.push(said(key, most, *listed));
        }
    }
    wrong
}

#[test]
fn a_call_that_most_have_more_is_seen_and_one_that_few_have_is_not() {
    let key = |call: &str| ("quarry".to_owned(), call.to_owned());
    let [statements, clock, variables] =
        ["sqlite.execute-async", "system-clock.now", "variables.get"].map(key);
    let listed = Counts::from([(statements.clone(), 8.0), (clock.clone(), 46.0)]);
    let rounds = |more: usize, call: &(String, String)| {
        let round = |number| {
            let mut counts = listed.clone();
            *counts.entry(call.clone()).or_default() += if number < more { 1.0 } else { 0.0 };
            counts
        };
        (0..ROUNDS).map(round).collect::<Vec<Counts>>()
    };
    // Of so many that have one more, how many are too many.
    for (call, few, many) in [(&statements, 7, 8), (&variables, 7, 8), (&clock, 11, 12)] {
        assert!(wrong(&rounds(few, call), &listed).is_empty(), "{call:?}");
        assert_eq!(wrong(&rounds(many, call), &listed).len(), 1, "{call:?}");
    }
    let low = Counts::from([(statements, 4.0), (clock, 46.0)]);
    assert_eq!(wrong(&vec![low; ROUNDS], &listed).len(), 1);
}
