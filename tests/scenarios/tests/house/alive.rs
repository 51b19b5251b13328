//! Asks that seem dead and are not, that are dead and seem to live, and what is gone on with meanwhile: nobody pays twice.

use crate::requests::post;
use quarry_scenarios::client::{self, Event, Open};
use quarry_scenarios::invariants;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script};
use serde_json::json;
use std::time::Duration;

const QUESTION: &str = "What is six times seven?";
const AGUI: &str = "/agui";
const STREAMED: (&str, &str) = ("accept", "text/event-stream");
const SIGN: &str = ": keep-alive";

/// A laptop that slept.
const LEAP: Duration = Duration::from_secs(700);
const HOUR: Duration = Duration::from_secs(3_600);
/// Longer than an ask that gives no sign of life is believed to live.
const SILENT: Duration = Duration::from_secs(40);

/// An ask that waits for its plan, and then for its first step, in a Quarry that gives a sign of life so often.
async fn planning(keep_alive_seconds: &str) -> Quarry {
    let script = Script::ordinary()
        .first(Match::Phase(Phase::Planning), [Reply::text("no plan").hold("planning")])
        .first(Match::Phase(Phase::Iteration(1)), [Reply::text("late").hold("iteration")]);
    let setup = Setup::new(script).variable("keep_alive_seconds", keep_alive_seconds);
    setup.start().await.unwrap()
}

/// Moves its time of day on. False: that is not ours.
fn later(quarry: &Quarry, by: Duration) -> bool {
    quarry.change_variable("rate_limit_requests", "0", by).unwrap()
}

/// Begins an ask, whose plan is awaited, and of whose log something is written, when this gives its id.
async fn begun(quarry: &Quarry) -> (Open, String) {
    let mut open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    let id = open.until("init").await.unwrap().data["id"].as_str().unwrap().to_owned();
    quarry.provider.holding("planning", 1).await;
    until_logged(quarry, &id).await;
    (open, id)
}

async fn events_at(base: &str, id: &str) -> Open {
    client::get(&format!("{base}/ask/{id}/events"), &[STREAMED]).await.unwrap()
}

/// What somebody reads of it is written.
async fn until_logged(quarry: &Quarry, id: &str) {
    events_at(&quarry.url, id).await.until("init").await.unwrap();
}

async fn joined(quarry: &Quarry, id: &str) -> Vec<Event> {
    events_at(&quarry.url, id).await.events().await.unwrap()
}

/// What is read until so many of these words have come.
async fn until(open: &mut Open, words: &str, count: usize) -> String {
    let mut told = String::new();
    while told.matches(words).count() < count {
        let chunk = open.chunk().await.unwrap().unwrap_or_else(|| panic!("it ended: {told}"));
        told.push_str(&String::from_utf8_lossy(&chunk));
    }
    told
}

async fn rest(mut open: Open) -> String {
    let mut told = String::new();
    while let Some(chunk) = open.chunk().await.unwrap() {
        told.push_str(&String::from_utf8_lossy(&chunk));
    }
    told
}

fn finish(quarry: &Quarry) {
    quarry.provider.release("planning");
    quarry.provider.release("iteration");
}

fn paid(quarry: &Quarry, phase: Phase) -> usize {
    quarry.provider.calls().iter().filter(|call| call.phase() == Some(phase)).count()
}

async fn resume(quarry: &Quarry, id: &str, headers: &[(&str, &str)]) -> Open {
    let context = json!({ "id": id });
    let body = json!({ "continuation": true, "continuationContext": context });
    post(quarry, "/ask", headers, &body).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_living_ask_is_not_buried_when_the_clock_leaps() {
    let quarry = planning("1").await;
    let (first, id) = begun(&quarry).await;
    let other = quarry.beside().await.unwrap();
    let mut reader = events_at(&other.url, &id).await;
    until(&mut reader, "event: init", 1).await;
    if !later(&quarry, LEAP) || !other.advance_clock(LEAP) {
        return finish(&quarry);
    }
    // By then it has looked more than once, and so has whoever comes now.
    let told = until(&mut reader, SIGN, 2).await;
    assert!(!told.contains("interrupted"), "{told}");
    let mut late = events_at(&other.url, &id).await;
    let told = until(&mut late, SIGN, 2).await;
    assert!(!told.contains("interrupted"), "{told}");
    finish(&quarry);
    for open in [reader, late] {
        let told = rest(open).await;
        assert!(told.contains("event: complete") && !told.contains("interrupted"), "{told}");
    }
    assert_eq!(first.events().await.unwrap().last().unwrap().name, "complete");
    assert_eq!(paid(&quarry, Phase::Setup), 1);
}

/// As where the clock of the one that drives it was set back, or is ahead: its signs are from a time to come for whoever reads.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_living_ask_is_not_buried_where_the_clock_is_behind() {
    let quarry = planning("10").await;
    if !later(&quarry, HOUR) {
        return;
    }
    let (first, id) = begun(&quarry).await;
    let other = quarry.beside().await.unwrap();
    let mut reader = events_at(&other.url, &id).await;
    // That is longer than one that gives no sign is believed and doubted.
    let told = until(&mut reader, SIGN, 4).await;
    assert!(told.contains("event: init") && !told.contains("interrupted"), "{told}");
    finish(&quarry);
    let told = rest(reader).await;
    assert!(told.contains("event: complete") && !told.contains("interrupted"), "{told}");
    assert_eq!(first.events().await.unwrap().last().unwrap().name, "complete");
}

/// Its signs cannot be written, and all else can: so a reader elsewhere takes it for dead, and is wrong.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_writer_whose_log_was_ended_learns_of_it_and_pays_no_more() {
    let quarry = planning("1").await;
    let (first, id) = begun(&quarry).await;
    let other = quarry.beside().await.unwrap();
    let mut reader = events_at(&other.url, &id).await;
    reader.until("init").await.unwrap();
    let file = quarry.sqlite().unwrap();
    for event in ["INSERT", "UPDATE"] {
        let mute = format!(
            "CREATE TRIGGER mute_{event} BEFORE {event} ON log_value WHEN NEW.place = 'alive'
             BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        );
        file.execute_batch(&mute).unwrap();
    }
    if !later(&quarry, SILENT) || !other.advance_clock(SILENT) {
        return finish(&quarry);
    }
    let last = reader.events().await.unwrap().pop().unwrap();
    assert_eq!(last.data["type"], "interrupted");
    file.execute_batch("DROP TRIGGER mute_INSERT; DROP TRIGGER mute_UPDATE").unwrap();
    // Who drives it has more to write, and finds the end there.
    quarry.provider.release("planning");
    let told = first.events().await.unwrap();
    let end = told.last().unwrap();
    assert_eq!((end.name.as_str(), &end.data["ended"]), ("complete", &json!("stopped")));
    quarry.provider.release("iteration");
    assert_eq!(paid(&quarry, Phase::Synthesis), 0);
    let read = joined(&quarry, &id).await;
    assert_eq!(invariants::of_stream(&read), Vec::<String>::new());
    assert_eq!(read.last(), Some(&last), "one end, and nothing written over it");
    // What was found is gone on with, as of any that died.
    quarry.provider.set_script(Script::ordinary());
    let resumed = resume(&quarry, &id, &[]).await;
    assert_eq!(resumed.status, 200);
    resumed.json().await.unwrap();
    assert_eq!([Phase::Setup, Phase::Synthesis].map(|phase| paid(&quarry, phase)), [1, 1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ask_that_is_still_running_is_joined_and_not_begun_a_second_time() {
    let quarry = planning("1").await;
    let (first, id) = begun(&quarry).await;
    let other = quarry.beside().await.unwrap();
    let join = format!("/ask/{id}/events");
    let continuation = json!({ "continuation": true, "continuationContext": { "id": id } });
    let interrupt = json!([{ "interruptId": id, "status": "resolved" }]);
    let run = json!({ "threadId": "t1", "runId": "r2", "messages": [], "tools": [], "context": [],
        "state": {}, "forwardedProps": {}, "resume": interrupt });
    let headers = [("content-type", "application/json")];
    // Whether the same instance drives it or another.
    for base in [&quarry.url, &other.url] {
        for (path, asked) in [("/ask", &continuation), (AGUI, &run)] {
            let url = format!("{base}{path}");
            let open = client::send("POST", &url, &headers, asked.to_string()).await.unwrap();
            assert_eq!(open.status, 409, "{path}");
            let told = open.text().await.unwrap();
            assert!(told.contains("still running") && told.contains(&join), "{path}: {told}");
        }
    }
    let refused = resume(&quarry, &id, &[STREAMED]).await.events().await.unwrap();
    assert_eq!(refused.last().unwrap().data["type"], "conflict");
    assert_eq!(paid(&quarry, Phase::Planning), 1);
    finish(&quarry);
    assert_eq!(first.events().await.unwrap().last().unwrap().name, "complete");
    assert_eq!(paid(&quarry, Phase::Setup), 1);
    // It has come to its end, and leaves nothing to go on from.
    assert_eq!(joined(&quarry, &id).await.last().unwrap().name, "complete");
    assert_eq!(resume(&quarry, &id, &[]).await.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dead_ask_that_nobody_looked_at_is_gone_on_with_when_that_is_certain() {
    let quarry = planning("1").await;
    let (_, id) = begun(&quarry).await;
    let quarry = quarry.restart().await.unwrap();
    quarry.provider.set_script(Script::ordinary());
    if !later(&quarry, SILENT) {
        return;
    }
    let mut resumed = resume(&quarry, &id, &[]).await;
    // Where nobody could say it in that time, it says when to come again.
    while resumed.status == 429 {
        resumed = resume(&quarry, &id, &[]).await;
    }
    assert_eq!(resumed.status, 200);
    resumed.json().await.unwrap();
    assert_eq!([Phase::Setup, Phase::Synthesis].map(|phase| paid(&quarry, phase)), [1, 1]);
    assert_eq!(joined(&quarry, &id).await.last().unwrap().data["type"], "interrupted");
}

/// Nobody says that it came before: whoever asks the same long after it was silent has what was paid for, if it is dead.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_request_goes_on_with_what_died_and_with_nothing_that_lives() {
    let said = json!([{ "role": "user", "content": QUESTION }]);
    let chat = json!({ "model": "quarry", "messages": said, "stream": true });
    for is_killed in [true, false] {
        let quarry = planning("1").await;
        let first = post(&quarry, "/v1/chat/completions", &[], &chat).await;
        quarry.provider.holding("planning", 1).await;
        until_logged(&quarry, first.header("x-quarry-ask").unwrap()).await;
        let (quarry, other) = match is_killed {
            true => (quarry.restart().await.unwrap(), None),
            false => {
                let other = quarry.beside().await.unwrap();
                (quarry, Some(other))
            }
        };
        quarry.provider.set_script(Script::ordinary());
        if !later(&quarry, LEAP) || !other.as_ref().is_none_or(|other| other.advance_clock(LEAP)) {
            return finish(&quarry);
        }
        let base = other.as_ref().map_or(&quarry.url, |other| &other.url);
        let url = format!("{base}/v1/chat/completions");
        let headers = [("content-type", "application/json")];
        let again = client::send("POST", &url, &headers, chat.to_string()).await.unwrap();
        assert_eq!(again.status, 200, "killed: {is_killed}");
        assert_ne!(again.header("x-quarry-ask"), first.header("x-quarry-ask"));
        assert!(again.text().await.unwrap().ends_with("data: [DONE]\n\n"));
        // One that lives is another's, and whoever asks anew wants an answer of its own.
        assert_eq!(paid(&quarry, Phase::Setup), if is_killed { 1 } else { 2 });
        finish(&quarry);
        if !is_killed {
            let told = first.text().await.unwrap();
            assert!(told.ends_with("data: [DONE]\n\n") && !told.contains("\"error\""), "{told}");
        }
    }
}
