//! `cargo xtask ask` and `cargo xtask run` as processes: Ctrl-C while a model is being asked, what is said to do and what
//! is left then; a reader that has seen enough; options that are wrong.

#![cfg(test)]
#![cfg(unix)]

use quarry_demo_web::DemoWeb;
use quarry_scenarios::quarry::surroundings;
use quarry_scenarios::research::{ASKED, TASK, asked, script};
use quarry_test_provider::{FOREVER, Match, Phase, Reply, Script, ScriptedProvider};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Output, Stdio};
use tokio::process::{Child, Command};
use tokio::time::timeout;

const HELD: &str = "passages are being read";

/// What serves the components that `cargo xtask build` made.
const SHIPPED: &str = "--ship";

/// Begins the task with these words.
fn begin(words: &[&str], variables: &BTreeMap<String, String>) -> Child {
    begin_in(&std::env::temp_dir(), words, variables)
}

/// The same with a place for what is temporary.
fn begin_in(temporary: &Path, words: &[&str], variables: &BTreeMap<String, String>) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quarry-serve"));
    command.args(words).env_clear().env("TMPDIR", temporary);
    for (name, value) in variables {
        command.env(format!("SPIN_VARIABLE_{}", name.to_uppercase()), value);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.kill_on_drop(true).spawn().unwrap()
}

/// What it said to its end, and how it ended.
async fn ended(task: Child) -> (Output, String) {
    let output = timeout(FOREVER, task.wait_with_output()).await.unwrap().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, told)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ctrl_c_leaves_a_run_that_goes_on_as_it_says_and_pays_for_nothing_twice() {
    let held = Reply::text("nobody reads this any more").hold(HELD);
    let provider = ScriptedProvider::start(script().first(asked(ASKED[1]), [held])).await.unwrap();
    let web = DemoWeb::start().await.unwrap();
    // Whoever comes next need not wait long until the run is nobody's.
    let lease = BTreeMap::from([("run_lease_ms".to_owned(), "3000".to_owned())]);
    let variables = surroundings(provider.address(), web.address(), lease);
    let place = tempfile::tempdir().unwrap();
    let state = place.path().join("state");
    let state = state.to_str().unwrap();

    let words = ["run", TASK, "--effort", "quick", SHIPPED, "--state", state];
    let task = begin(&words, &variables);
    provider.holding(HELD, 1).await;
    interrupt(&task);
    let (interrupted, told) = ended(task).await;
    assert_eq!(interrupted.status.code(), Some(130), "{told}");
    assert!(told.contains(&format!("what it found is kept in {state}.")), "{told}");
    let line =
        told.lines().find_map(|line| line.strip_prefix("Go on with it by:  cargo xtask run "));
    let line = line.unwrap_or_else(|| panic!("it does not say how to go on: {told}"));
    assert!(
        line.starts_with("--resume ") && line.ends_with(&format!(" --state {state}")),
        "{line}"
    );
    assert!(!String::from_utf8_lossy(&interrupted.stdout).contains("186 million"));

    provider.set_script(script());
    let report = place.path().join("report.md");
    let mut words: Vec<&str> = std::iter::once("run").chain(line.split(' ')).collect();
    words.extend([SHIPPED, "--report", report.to_str().unwrap()]);
    let (completed, told) = ended(begin(&words, &variables)).await;
    assert_eq!(completed.status.code(), Some(0), "{told}");
    assert!(!told.contains("--resume"), "{told}");
    assert!(std::fs::read_to_string(report).unwrap().contains("186 million euros"));
    let calls = provider.calls();
    let times = |words: &str| calls.iter().filter(|call| call.text().contains(words)).count();
    assert_eq!(ASKED.map(times), [1, 2, 1, 1], "but for what was under way nothing is asked again");
}

/// Ctrl-C.
fn interrupt(task: &Child) {
    let process = Pid::from_raw(i32::try_from(task.id().unwrap()).unwrap()).unwrap();
    kill_process(process, Signal::INT).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ctrl_c_leaves_nothing_of_an_ask_behind() {
    let held = Reply::text("nobody reads this any more").hold(HELD);
    let script = Script::ordinary().first_always(Match::Phase(Phase::Setup), held);
    let provider = ScriptedProvider::start(script).await.unwrap();
    let web = DemoWeb::start().await.unwrap();
    let variables = surroundings(provider.address(), web.address(), BTreeMap::new());
    let temporary = tempfile::tempdir().unwrap();
    let task =
        begin_in(temporary.path(), &["ask", "What is six times seven?", SHIPPED], &variables);
    provider.holding(HELD, 1).await;
    interrupt(&task);
    let (output, told) = ended(task).await;
    assert_eq!(output.status.code(), Some(130), "{told}");
    let left: Vec<_> = std::fs::read_dir(temporary.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_has_read_enough_of_an_answer_is_told_of_no_error() {
    let provider = ScriptedProvider::start(Script::ordinary()).await.unwrap();
    let web = DemoWeb::start().await.unwrap();
    let variables = surroundings(provider.address(), web.address(), BTreeMap::new());
    for words in [
        &["ask", "What is six times seven?", SHIPPED][..],
        &["ask", "What is it?", SHIPPED, "--json"],
    ] {
        let mut task = begin(words, &variables);
        drop(task.stdout.take());
        let (output, told) = ended(task).await;
        assert_eq!(output.status.code(), Some(0), "{words:?}: {told}");
        assert!(!told.contains("error"), "{words:?}: {told}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn options_that_are_wrong_are_told_by_a_code_of_their_own() {
    for (words, meant) in [
        (&["ask", "x", "--modle", "y"][..], "the nearest is --model"),
        (&["run", "x", "--effrt", "quick"], "the nearest is --effort"),
        (&["up", "--lisen", "x"], "the nearest is --listen"),
        (&["ask", "x", "--url", "localhost:7100"], "begins with http://"),
        (&["ask", "x", "--url", "http://localhost:7100", SHIPPED], "leave --ship or --url out"),
    ] {
        let (output, told) = ended(begin(words, &BTreeMap::new())).await;
        assert_eq!(output.status.code(), Some(2), "{words:?}: {told}");
        assert!(told.contains(meant), "{words:?}: {told}");
    }
}
