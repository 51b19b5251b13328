//! Runs whose database a libSQL server keeps: a scripted one, which misbehaves, and libsql-server itself where
//! it is installed.

use super::*;
use futures::future::try_join_all;
use quarry_scenarios::database::{Database, Keeper, libsql_server};
use quarry_scenarios::invariants;
use quarry_scenarios::quarry::Stores;
use quarry_test_libsql::{Fault, RealServer, ScriptedServer};
use quarry_test_provider::Script;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

const STEP: &str = "INSERT INTO run_step";

async fn kept_by(keeper: Keeper, script: Script) -> Quarry {
    // Longer than a machine stops for, and shorter than a reader waits before it doubts that anybody drives a run: where a
    // driver is lost, nobody waits longer for it.
    let mut setup = Setup::new(script).variable("run_lease_ms", "4000");
    setup.keeper = keeper;
    setup.start().await.unwrap()
}

fn server(quarry: &Quarry) -> &ScriptedServer {
    quarry.database.scripted().unwrap()
}

/// How many entries a run's journal has, none of which is missing.
fn entries(quarry: &Quarry, id: &str) -> i64 {
    let file = quarry.sqlite().unwrap();
    let count = "SELECT count(*), max(n) FROM run_entry WHERE run_id = ?1";
    let (count, last): (i64, i64) =
        file.query_row(count, [id], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    assert_eq!(count, last, "an entry is missing");
    count
}

fn status(quarry: &Quarry, id: &str) -> String {
    let file = quarry.sqlite().unwrap();
    file.query_row("SELECT status FROM run WHERE run_id = ?1", [id], |row| row.get(0)).unwrap()
}

fn id_of_the_only(quarry: &Quarry) -> String {
    let file = quarry.sqlite().unwrap();
    file.query_row("SELECT run_id FROM run", [], |row| row.get(0)).unwrap()
}

async fn told_again(quarry: &Quarry, id: &str) -> Vec<(String, Value)> {
    events(quarry, id).await.iter().map(told).collect()
}

/// A run, from beginning to end, and what it told.
async fn whole(quarry: &Quarry) -> (String, Vec<(String, Value)>) {
    quarry.provider.forget();
    let id = begin(quarry, &task()).await;
    let told = told_again(quarry, &id).await;
    assert_eq!(quarry.provider.calls().len(), ASKED.len(), "nothing is paid twice");
    (id, told)
}

/// The journal is the truth, and nobody knows whether the last word of it was heard.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_step_whose_answer_is_lost_is_found_and_not_written_again() {
    let quarry = kept_by(Keeper::Scripted, script()).await;
    let (id, expected) = whole(&quarry).await;
    let written = entries(&quarry, &id);
    let arrived = server(&quarry).statements();
    let steps = arrived.iter().filter(|(sql, _)| sql.contains(STEP)).count() as u32;
    assert!(steps >= ASKED.len() as u32, "{steps}");
    for step in 0..steps {
        for fault in [Fault::CutAfter, Fault::CutInside, Fault::CutBefore, Fault::Busy] {
            server(&quarry).fault(STEP, step..step + 1, fault.clone());
            let (id, told) = whole(&quarry).await;
            assert_eq!(told, expected, "{fault:?} at step {step}");
            assert_eq!(entries(&quarry, &id), written, "{fault:?} at step {step}");
            server(&quarry).heal();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_fails_once_the_run_ends_as_if_it_had_not() {
    let quarry = kept_by(Keeper::Scripted, script()).await;
    let (_, expected) = whole(&quarry).await;
    assert_eq!(send(&quarry, "GET /healthz", &Value::Null).await.1["database"], "kept");
    let kinds = ["run_birth", "UPDATE run SET holder = ?2", "FROM run_inbox", "run_id, caller"];
    for words in kinds.into_iter().chain(["UPDATE run SET holder = NULL", "SELECT status,"]) {
        for fault in [Fault::Status(502), Fault::CutAfter, Fault::CutInside, Fault::Busy] {
            server(&quarry).fault(words, 0..1, fault.clone());
            let (_, told) = whole(&quarry).await;
            assert_eq!(told, expected, "{fault:?} of {words}");
            server(&quarry).heal();
        }
    }
}

/// The server's word that a step left something out stands within words of others.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guidance_that_overtakes_a_step_is_heard_before_anything_begins() {
    // With the usual lease: a short one would run out meanwhile.
    let mut setup = Setup::new(script());
    setup.keeper = Keeper::Scripted;
    let quarry = setup.start().await.unwrap();
    server(&quarry).fault(STEP, 0..1, Fault::Hold("step".to_owned()));
    let id = begin(&quarry, &task()).await;
    server(&quarry).holding("step", 1).await;
    let line = format!("POST /runs/{id}/guidance");
    let (status, told) = send(&quarry, &line, &json!({ "text": "Look at 1911." })).await;
    assert_eq!(status, 202, "{told}");
    server(&quarry).release("step");
    let told = events(&quarry, &id).await;
    assert_eq!(told.last().unwrap().name, "run_completed");
    let heard = told.iter().filter(|event| event.name == "guidance_received").count();
    assert_eq!((heard, quarry.provider.calls().len()), (1, ASKED.len()));
    let first = |of: &str| -> i64 {
        let entry = format!("SELECT min(n) FROM run_entry WHERE {of}");
        quarry.sqlite().unwrap().query_row(&entry, [], |row| row.get(0)).unwrap()
    };
    assert!(first("body LIKE '%Look at 1911.%'") < first("kind = 'begun'"));
    let arrived = server(&quarry).statements();
    assert!(arrived.iter().any(|(sql, _)| sql.contains("FROM run_checkpoint")), "it was read anew");
}

/// A server forgets a connection that nobody used for ten seconds, and all of them when it is started anew.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_the_server_has_forgotten_is_made_anew() {
    let quarry = kept_by(Keeper::Scripted, script()).await;
    let (_, expected) = whole(&quarry).await;
    for (round, forget) in
        [ScriptedServer::expire, ScriptedServer::forget_streams].iter().enumerate()
    {
        for words in ASKED {
            quarry.provider.forget();
            let signal = format!("{round} {words}");
            let held = ASKED.iter().position(|it| *it == words).unwrap();
            let reply = Reply::json(&replies()[held]).hold(&signal);
            quarry.provider.set_script(script().first(asked(words), [reply]));
            let id = begin(&quarry, &task()).await;
            quarry.provider.holding(&signal, 1).await;
            forget(server(&quarry));
            quarry.provider.release(&signal);
            let told: Vec<_> = events(&quarry, &id).await.iter().map(told).collect();
            assert_eq!(told, expected, "{signal}");
            assert_eq!(quarry.provider.calls().len(), ASKED.len(), "{signal}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_behind_tls_keeps_runs_as_one_in_the_clear_does() {
    let quarry = kept_by(Keeper::Secure, script()).await;
    assert!(server(&quarry).url().starts_with("https://"));
    let (id, expected) = whole(&quarry).await;
    let in_the_clear = kept_by(Keeper::Scripted, script()).await;
    // The small web of each has ports of its own.
    let names = |told: &[(String, Value)]| -> Vec<String> {
        told.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&whole(&in_the_clear).await.1), names(&expected));
    assert_eq!(entries(&quarry, &id), entries(&in_the_clear, &id_of_the_only(&in_the_clear)));
    // A connection that breaks within TLS is like any other.
    for fault in [Fault::CutAfter, Fault::CutInside, Fault::CutBefore, Fault::Busy] {
        server(&quarry).fault(STEP, 1..2, fault.clone());
        assert_eq!(whole(&quarry).await.1, expected, "{fault:?}");
        server(&quarry).heal();
    }
    for forget in [ScriptedServer::expire, ScriptedServer::forget_streams] {
        forget(server(&quarry));
        assert_eq!(whole(&quarry).await.1, expected);
    }
    let quarry = quarry.restart().await.unwrap();
    assert_eq!(told_again(&quarry, &id).await, expected);
}

/// Whoever can listen on the way shows a certificate, too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_nobody_vouches_for_is_told_nothing_and_no_token() {
    let quarry = kept_by(Keeper::Unvouched, script()).await;
    let (status, refused) = send(&quarry, "POST /runs", &task()).await;
    assert_eq!(status, 503, "{refused}");
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("database") && message.contains("certificate"), "{message}");
    assert_eq!(server(&quarry).statements(), []);
    assert_eq!(quarry.provider.calls().len(), 0, "nothing is paid for");
}

/// Whoever begins a run is told to come again where the database takes long to open, and others have what is opened
/// meanwhile. Half-way through a migration nobody would undo what was broken off, and its lock would stay.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_opening_that_takes_long_is_not_broken_off() {
    let quarry = kept_by(Keeper::Scripted, script()).await;
    // It is opened once, for whoever begins the first run and for whoever looks after runs.
    server(&quarry).fault("pragma_journal_mode", 0..1, Fault::Hold("opening".to_owned()));
    server(&quarry).fault("BEGIN IMMEDIATE", 0..1, Fault::Hold("migrating".to_owned()));
    let (status, refused) = send(&quarry, "POST /runs", &task()).await;
    assert_eq!(status, 429, "{refused}");
    server(&quarry).holding("opening", 1).await;
    server(&quarry).release("opening");
    server(&quarry).holding("migrating", 1).await;
    server(&quarry).release("migrating");
    let (_, told) = whole(&quarry).await;
    assert_eq!(told.last().unwrap().0, "run_completed");
}

/// Statements of a run, by the name under which ARCHITECTURE.md counts them.
const NAMES: [(&str, &str); 8] = [
    ("pragma_journal_mode", "open"),
    ("INSERT INTO run_birth", "create"),
    ("SELECT json_array(run_id, caller", "record"),
    ("UPDATE run SET holder = ?2", "lease"),
    ("FROM run_inbox", "inbox"),
    (STEP, "step"),
    ("UPDATE run SET holder = NULL", "release"),
    ("WHERE due_at <= ?1", "due"),
];

fn listed() -> BTreeMap<String, usize> {
    let text = std::fs::read_to_string(quarry_scenarios::quarry::root().join("ARCHITECTURE.md"));
    let text = text.unwrap();
    let (_, rest) = text.split_once("<!-- round trips -->\n").expect("the list begins");
    let (table, _) = rest.split_once("<!-- /round trips -->").expect("the list ends");
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        (cells[0].trim_matches('`').to_owned(), cells[1].parse().unwrap())
    };
    table.lines().skip(2).map(row).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ordinary_run_takes_as_many_round_trips_as_is_written_down() {
    // With the usual lease: a short one would be renewed.
    let mut setup = Setup::new(script());
    setup.keeper = Keeper::Scripted;
    let quarry = setup.start().await.unwrap();
    whole(&quarry).await;
    // Where a machine stands still in between, another instance may look after the run, too.
    for _ in 1..TRIES {
        let (counts, listed) = round_trips(&quarry).await;
        if counts == listed {
            return;
        }
    }
    let (counts, listed) = round_trips(&quarry).await;
    assert_eq!(counts, listed);
}

/// How often a run that takes more round trips than are written down is asked for once more.
const TRIES: usize = 5;

/// Those of one run, and what is written down of those that have to be among them.
async fn round_trips(quarry: &Quarry) -> (BTreeMap<String, usize>, BTreeMap<String, usize>) {
    server(quarry).forget_statements();
    let id = begin(quarry, &task()).await;
    // Whoever watched would ask the server, too.
    while status(quarry, &id) != "completed" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let arrived = server(quarry).statements().into_iter();
    // Whoever watched the run before may still have been at it.
    let is_its = |subject: &Option<String>| subject.as_ref().is_none_or(|it| *it == id);
    for (statement, _) in arrived.filter(|(_, subject)| is_its(subject)) {
        let name = NAMES.iter().find(|(words, _)| statement.contains(words));
        let (_, name) = name.unwrap_or_else(|| panic!("what is this? {statement}"));
        *counts.entry((*name).to_owned()).or_default() += 1;
    }
    // A slow machine looks more often what persons said, and begins with a new instance.
    let once = |name: &str| if ["open", "inbox", "due"].contains(&name) { 1 } else { usize::MAX };
    for (name, count) in &mut counts {
        *count = (*count).min(once(name));
    }
    let mut listed = listed();
    // The last two may be on their way.
    for absent in ["open", "release", "due"] {
        if !counts.contains_key(absent) {
            listed.remove(absent);
        }
    }
    // What ends at the same moment is written together.
    let (steps, most) = (counts.remove("step").unwrap(), listed.remove("step").unwrap());
    assert!(
        (ASKED.len()..=most + 2).contains(&steps),
        "{steps} steps, and {most} are written down"
    );
    (counts, listed)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn libsql_server_keeps_runs_through_deaths_of_both_sides() {
    if libsql_server().unwrap().is_none() {
        return;
    }
    let mut quarry = kept_by(Keeper::Real, script()).await;
    let (_, expected) = whole(&quarry).await;
    for words in ASKED {
        quarry.provider.forget();
        let signal = format!("server {words}");
        let held = ASKED.iter().position(|it| *it == words).unwrap();
        quarry.provider.set_script(
            script().first(asked(words), [Reply::json(&replies()[held]).hold(&signal)]),
        );
        let id = begin(&quarry, &task()).await;
        quarry.provider.holding(&signal, 1).await;
        let Database::Real(server) = &mut quarry.database else { panic!("it is another") };
        server.restart().await.unwrap();
        quarry.provider.release(&signal);
        let told: Vec<_> = events(&quarry, &id).await.iter().map(told).collect();
        assert_eq!(told, expected, "{signal}");
        assert_eq!(quarry.provider.calls().len(), ASKED.len(), "{signal}");
    }
    quarry.provider.set_script(script().first(asked(ASKED[1]), [Reply::text("").hold("dead")]));
    let id = begin(&quarry, &task()).await;
    quarry.provider.holding("dead", 1).await;
    let quarry = quarry.restart().await.unwrap();
    quarry.provider.set_script(script());
    assert_eq!(events(&quarry, &id).await.last().unwrap().name, "run_completed");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn libsql_server_keeps_the_logs_of_asks() {
    if libsql_server().unwrap().is_none() {
        return;
    }
    let quarry = kept_by(Keeper::Real, Script::ordinary()).await;
    let body = json!({ "query": "What is six times seven?" });
    let seen = client::ask(&quarry.url, &body).await.unwrap().events().await.unwrap();
    assert_eq!(invariants::of_stream(&seen), Vec::<String>::new());
    assert_eq!(seen.last().unwrap().name, "complete");
    let id = seen.iter().find(|event| event.name == "init").unwrap().data["id"].clone();
    let quarry = quarry.restart().await.unwrap();
    let url = format!("{}/ask/{}/events", quarry.url, id.as_str().unwrap());
    let headers = [("accept", "text/event-stream")];
    let again = client::get(&url, &headers).await.unwrap().events().await.unwrap();
    assert_eq!(again, seen);
}

/// As tests start them. What brings the server unpacks it first, and not twice at once into one home.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn libsql_servers_that_begin_at_once_do_not_disturb_each_other() {
    let Some(program) = libsql_server().unwrap() else { return };
    let directories = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let begun = directories.iter().map(|it| RealServer::start(&program, it.path()));
    let mut servers = try_join_all(begun).await.unwrap();
    let urls: BTreeSet<String> = servers.iter().map(RealServer::url).collect();
    assert_eq!(urls.len(), directories.len());
    for server in &mut servers {
        server.restart().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_no_database_is_kept_runs_are_refused_with_what_to_do() {
    for (stores, health, words) in [
        (Stores::InMemory, "memory", "start Spin with a state directory"),
        (Stores::KeyValue, "missing", "not granted"),
    ] {
        let mut setup = Setup::new(script());
        setup.stores = stores;
        setup.keeper = Keeper::File;
        let quarry = setup.start().await.unwrap();
        let (status, refused) = send(&quarry, "POST /runs", &task()).await;
        let message = refused["error"]["message"].as_str().unwrap();
        assert!(status == 503 && message.contains(words), "{status}: {refused}");
        assert_eq!(send(&quarry, "GET /healthz", &Value::Null).await.1["database"], health);
    }
}
