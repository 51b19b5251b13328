//! Leaving a stream, joining it again, resuming after a rate limit, and a crash in between.

use crate::requests::begun_ago;
use quarry_scenarios::client::{self, Event};
use quarry_scenarios::invariants;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script, Split};
use quarry_types::AskId;
use serde_json::{Value, json};

const QUESTION: &str = "What is six times seven?";

fn long_answer() -> Reply {
    Reply::text("Six times seven is forty-two, as every table says. ".repeat(8))
        .split(Split::Frames)
}

/// The events of an ask after a number, from its log.
async fn joined(quarry: &Quarry, id: &str, after: u64) -> Vec<Event> {
    let after = after.to_string();
    let headers = [("accept", "text/event-stream"), ("last-event-id", after.as_str())];
    let open = client::get(&format!("{}/ask/{id}/events", quarry.url), &headers).await.unwrap();
    assert_eq!(open.status, 200);
    open.events().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_leaves_mid_answer_and_rejoins_misses_nothing() {
    let held = long_answer().hold_midway("answer");
    let script = Script::ordinary().first(Match::Phase(Phase::Synthesis), [held]);
    let quarry = Setup::new(script).start().await.unwrap();
    let mut open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    let mut seen = Vec::new();
    while let Some(event) = open.next().await.unwrap() {
        let is_delta = event.name == "answer_delta";
        seen.push(event);
        if is_delta {
            break;
        }
    }
    let id = seen.iter().find(|event| event.name == "init").unwrap().data["id"].clone();
    let id = id.as_str().unwrap();
    drop(open);
    quarry.provider.release("answer");

    let rest = joined(&quarry, id, seen.last().unwrap().sequence).await;
    seen.extend(rest);
    assert_eq!(invariants::of_stream(&seen), Vec::<String>::new());
    assert_eq!(seen.last().unwrap().name, "complete");
    // Whoever reads the log later reads the same bytes.
    assert_eq!(joined(&quarry, id, 0).await, seen);
    // And so does whoever reads it after a crash.
    let quarry = quarry.restart().await.unwrap();
    assert_eq!(joined(&quarry, id, 0).await, seen);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unknown_ask_cannot_be_joined() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let url = format!("{}/ask/00000000000000000000000000000000/events", quarry.url);
    let open = client::get(&url, &[("accept", "application/json")]).await.unwrap();
    assert_eq!(open.status, 404);
}

async fn interrupted() -> (Quarry, Vec<Event>) {
    let limited = Reply::rate_limited("20");
    let script = Script::ordinary().first(Match::Phase(Phase::Iteration(2)), [limited]);
    let quarry = Setup::new(script).start().await.unwrap();
    let open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    let events = open.events().await.unwrap();
    assert_eq!(events.last().unwrap().name, "quota_exceeded");
    (quarry, events)
}

/// Resumes and returns the events; the set-up and the plan must not be paid for again.
async fn resumed(quarry: &Quarry, context: Value) -> Vec<Event> {
    let before = quarry.provider.calls().len();
    let body = json!({ "continuation": true, "continuationContext": context });
    let open = client::ask(&quarry.url, &body).await.unwrap();
    let events = open.events().await.unwrap();
    assert_eq!(invariants::of_stream(&events), Vec::<String>::new());
    assert_eq!(events.last().unwrap().name, "complete", "{:?}", events.last());
    let calls = quarry.provider.calls();
    let phases: Vec<_> = calls[before..].iter().map(|call| call.phase().unwrap()).collect();
    assert!(!phases.contains(&Phase::Setup) && !phases.contains(&Phase::Planning), "{phases:?}");
    assert_eq!(phases.last(), Some(&Phase::Synthesis));
    let restored = |name: &str| events.iter().any(|event| event.name == name);
    assert!(restored("tool_result") && restored("llm_response"));
    events
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rate_limited_ask_resumes_from_its_state_in_another_process() {
    let (quarry, events) = interrupted().await;
    let state = events.last().unwrap().data["continuationState"].clone();
    for field in [
        "toolCallCycles",
        "llmCalls",
        "searchResults",
        "currentIteration",
        "researchPlan",
        "totalCost",
        "totalTokens",
    ] {
        assert!(state.get(field).is_some(), "{field} is missing");
    }
    let quarry = quarry.restart().await.unwrap();
    resumed(&quarry, state).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rate_limited_ask_resumes_by_its_id_alone() {
    let (quarry, events) = interrupted().await;
    let id = events.iter().find(|event| event.name == "init").unwrap().data["id"].clone();
    resumed(&quarry, json!({ "id": id })).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_ask_ends_with_a_consistent_last_event() {
    let held = Reply::text("late").hold("planning");
    let script = Script::ordinary().first(Match::Phase(Phase::Planning), [held]);
    let quarry = Setup::new(script).start().await.unwrap();
    let mut open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    let id = open.until("init").await.unwrap().data["id"].as_str().unwrap().to_owned();
    quarry.provider.holding("planning", 1).await;
    let stop = format!("{}/ask/{id}/stop", quarry.url);
    let stopped = client::send("POST", &stop, &[], String::new()).await.unwrap();
    assert!(stopped.status.is_success(), "{}", stopped.status);
    drop(open);
    // The provider has not answered yet, and may never.
    let events = joined(&quarry, &id, 0).await;
    quarry.provider.release("planning");
    assert_eq!(invariants::of_stream(&events), Vec::<String>::new());
    let phases: Vec<_> = quarry.provider.calls().iter().map(|c| c.phase().unwrap()).collect();
    assert!(!phases.contains(&Phase::Synthesis), "{phases:?}");
    // Breaking a call off in the middle harms nobody else in the same instance.
    let next = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    assert_eq!(next.events().await.unwrap().last().unwrap().name, "complete");
    assert!(!quarry.output().contains("instance ended"), "{}", quarry.output());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_is_tried_again_is_given_up_with_its_ask() {
    const OTHER: &str = "How many moons has Mars?";
    let planning = |question: &str| {
        Match::All(vec![Match::Phase(Phase::Planning), Match::Text(question.to_owned())])
    };
    let limited = Reply::rate_limited("2");
    let script = Script::ordinary()
        .first_always(planning(QUESTION), limited.clone())
        .first(planning(OTHER), [limited.clone(), limited]);
    let quarry = Setup::new(script).start().await.unwrap();
    let mut open = client::ask(&quarry.url, &json!({ "query": QUESTION })).await.unwrap();
    let id = open.until("init").await.unwrap().data["id"].as_str().unwrap().to_owned();
    open.until("waiting").await.unwrap();
    let stop = format!("{}/ask/{id}/stop", quarry.url);
    let stopped = client::send("POST", &stop, &[], String::new()).await.unwrap();
    assert!(stopped.status.is_success(), "{}", stopped.status);
    open.until("complete").await.unwrap();
    // One that begins later and waits as often is answered after the other's last try would have been made.
    let other = client::ask(&quarry.url, &json!({ "query": OTHER })).await.unwrap();
    assert_eq!(other.events().await.unwrap().last().unwrap().name, "complete");
    let calls = quarry.provider.calls();
    let planned = calls.iter().filter(|call| call.phase() == Some(Phase::Planning));
    let (others, of_nobody): (Vec<_>, Vec<_>) =
        planned.partition(|call| call.text().contains(OTHER));
    assert_eq!(others.len(), 3);
    assert!(of_nobody.len() < 3, "{} tries", of_nobody.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_makes_ids_up_and_stops_them_writes_nothing() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    // Its tables are made.
    client::get(&format!("{}/healthz", quarry.url), &[]).await.unwrap().text().await.unwrap();
    let file = quarry.sqlite().unwrap();
    let marks = |id: &str| {
        let marks = "SELECT count(*) FROM log_value WHERE place = 'stop' AND log LIKE ?1";
        file.query_row(marks, [id], |row| row.get::<_, i64>(0)).unwrap()
    };
    let comes = |id: &str| {
        let kept = "INSERT INTO log_value (log, place, value) VALUES (?1, 'kept', x'7b7d')";
        assert_eq!(file.execute(kept, [id]).unwrap(), 1);
    };
    let stop = async |id: &str| {
        let url = format!("{}/ask/{id}/stop", quarry.url);
        let sent = client::send("POST", &url, &[], String::new()).await;
        sent.unwrap_or_else(|error| panic!("{error:#}\n{}", quarry.output())).status
    };
    let made_up = |number: u128| AskId::new(begun_ago(0).born_at(), number).to_string();
    // Another instance begins one, and says so before anything of its log is there.
    let known = made_up(1);
    comes(&known);
    assert_eq!(stop(&known).await, 202);
    assert_eq!(marks(&known), 1);
    // The word may be quicker.
    let early = made_up(2);
    assert_eq!(stop(&early).await, 202);
    assert_eq!(marks(&early), 0);
    comes(&early);
    quarry.until_stored(&format!("{early}stop")).await.unwrap();
    // Nothing ever comes of these.
    for number in 3..103 {
        assert_eq!(stop(&made_up(number)).await, 202);
    }
    assert_eq!(marks("%"), 2);
}
