//! Two hundred streams at once.

use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_scenarios::{client, invariants};
use quarry_test_provider::{Match, Phase, Reply, Script, Split};
#[cfg(unix)]
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;
use tokio::task::JoinSet;

const STREAMS: usize = 200;

/// Files that may be open: this process has both ends of each stream, and of each exchange with the provider behind it. With
/// what else is open that is just about the 1,024 that many systems grant, and the scenarios beside this one have theirs.
#[cfg(unix)]
const OPEN_FILES: u64 = 10 * STREAMS as u64;

#[cfg(unix)]
fn allow_open_files() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_none_or(|now| now >= OPEN_FILES) {
        return;
    }
    let most = maximum.unwrap_or(u64::MAX);
    assert!(
        most >= OPEN_FILES,
        "{OPEN_FILES} files have to be open at once, and {most} may be: raise that with `ulimit -Hn {OPEN_FILES}`"
    );
    setrlimit(Resource::Nofile, Rlimit { current: Some(OPEN_FILES), maximum }).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_streams_are_held_open_and_none_is_dropped() {
    #[cfg(unix)]
    allow_open_files();
    let answer = "A long answer, held in the middle. ".repeat(6);
    let held = Reply::text(&answer).split(Split::Frames).hold_midway("all");
    let script = Script::ordinary().first_always(Match::Phase(Phase::Synthesis), held);
    let mut setup = Setup::new(script);
    // An ask takes up to four of them; one that finds none as it begins is refused.
    setup.instances = 800;
    // On a busy machine the first one is held for long before the last one comes.
    for limit in ["connect", "first_byte", "between_bytes", "total"] {
        setup = setup.variable(&format!("provider_{limit}_timeout_ms"), "600000");
    }
    let quarry = setup.start().await.unwrap();
    let mut asks = JoinSet::new();
    for number in 0..STREAMS {
        let url = quarry.url.clone();
        asks.spawn(async move {
            let body = json!({ "query": format!("Question {number}: what is 6 times 7?") });
            let open = client::ask(&url, &body).await?;
            anyhow::Ok((number, open.events().await?))
        });
    }
    // All of them stand in the middle of their answers at the same time: none may end before.
    tokio::select! {
        () = quarry.provider.holding("all", STREAMS) => {}
        Some(early) = asks.join_next() => {
            let (number, events) = early.unwrap().unwrap();
            panic!("stream {number} ended before all were held: {:?}", events.last());
        }
    }
    quarry.provider.release("all");
    while let Some(ended) = asks.join_next().await {
        let (number, events) = ended.unwrap().unwrap();
        assert_eq!(invariants::of_stream(&events), Vec::<String>::new(), "stream {number}");
        let last = events.last().unwrap();
        assert_eq!(last.name, "complete", "stream {number}: {}", last.raw);
        // Nobody gets another's events.
        let init = events.iter().find(|event| event.name == "init").unwrap();
        assert!(init.data["query"].as_str().unwrap().starts_with(&format!("Question {number}:")));
    }
}

/// How often an ask whose two programs may meet is asked: one of them may have ended before the other began, where a machine
/// stood still in between.
const TRIES: usize = 5;

/// Seven memories: Quarry has five, and a program takes two. Of two programs one finds none, until the
/// other has ended.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_finds_no_memory_free_is_run_when_there_is_some() {
    let busy = "for (const begun = Date.now(); Date.now() - begun < 300;);";
    let calls =
        ["'one'", "'two'"].map(|value| json!({ "code": format!("{busy} {value}"), "timeout": 10 }));
    let [one, two] = calls;
    let both = Reply::call("execute_javascript", one).and_call("execute_javascript", two);
    let iteration = Match::Phase(Phase::Iteration(1));
    let mut setup = Setup::new(Script::ordinary().first_always(iteration, both));
    setup.instances = 7;
    let quarry = setup.start().await.unwrap();
    // Spin has room for a thousand.
    let was_short = || !quarry.is_local() || quarry.output().contains("request failed");
    for _ in 0..TRIES {
        two_programs_are_run(&quarry).await;
        if was_short() {
            return;
        }
    }
    panic!("memory was not short");
}

async fn two_programs_are_run(quarry: &Quarry) {
    let body = json!({ "query": "What is one, and what is two?", "max_iterations": 2 });
    let events = client::ask(&quarry.url, &body).await.unwrap().events().await.unwrap();
    let results = events.iter().filter(|event| event.name == "tool_result");
    let told: Vec<_> =
        results.map(|event| (&event.data["ok"], event.data["output"].as_str())).collect();
    assert!(told.len() >= 2 && told.iter().all(|(ok, _)| **ok == true), "{told:?}");
    for output in [r#"{"result":"one"}"#, r#"{"result":"two"}"#] {
        assert!(told.iter().any(|(_, told)| *told == Some(output)), "{told:?}");
    }
    assert_eq!(events.last().unwrap().name, "complete");
}
