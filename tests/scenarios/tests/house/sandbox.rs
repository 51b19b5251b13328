//! The built sandbox: hostile programs end by the limit that is meant for them, useful ones give
//! what they should, and none leaves a trace.

use quarry_scenarios::quarry::{Setup, running_elsewhere};
use quarry_scenarios::sandbox::{self, Ended, Last, Program, Sandbox};
use quarry_scenarios::{client, invariants};
use quarry_test_provider::{Match, Phase, Reply, Script};
use serde_json::json;
use std::sync::Arc;
use tokio::task::JoinSet;

/// Programs that run at the same time: most of the hostile ones wait for the end of theirs, on however little of a processor.
const AT_ONCE: usize = 8;

/// The limit of a hostile program that must end by it and names none, in milliseconds: the smallest there is.
const SHORT: u32 = 1_000;

/// The limit of one that must end otherwise: the largest there is.
const LONG: u32 = 10_000;

/// How often a program that ran out of time is run again by itself.
const AGAIN: usize = 2;

/// Runs every program and gives what is wrong with each. A machine that stood still for a moment makes a
/// good program run out of its time, so one that did is asked again when it has the machine to itself.
async fn complaints<C>(programs: Vec<Program>, timeout: fn(&str) -> u32, complain: C) -> Vec<String>
where
    C: Fn(&Program, Ended) -> Option<String> + Copy + Send + 'static,
{
    let sandbox = Arc::new(Sandbox::start().await.unwrap());
    let mut wrong = Vec::new();
    let mut late = Vec::new();
    let mut running = JoinSet::new();
    let mut programs = programs.into_iter();
    loop {
        while running.len() < AT_ONCE {
            let Some(program) = programs.next() else { break };
            let sandbox = sandbox.clone();
            running.spawn(async move { verdict(&sandbox, program, timeout, complain).await });
        }
        match running.join_next().await.map(Result::unwrap) {
            Some(Verdict::Good) => {}
            Some(Verdict::Wrong(what)) => wrong.push(what),
            Some(Verdict::Late(program)) => late.push(program),
            None => break,
        }
    }
    for program in late {
        wrong.extend(alone(&sandbox, program, timeout, complain).await);
    }
    assert!(!sandbox.output().contains("instance ended"), "{}", sandbox.output());
    wrong
}

/// The same for one with nothing beside it, several times.
async fn alone<C>(
    sandbox: &Sandbox,
    mut program: Program,
    timeout: fn(&str) -> u32,
    complain: C,
) -> Option<String>
where
    C: Fn(&Program, Ended) -> Option<String> + Copy,
{
    for _ in 0..AGAIN {
        program = match verdict(sandbox, program, timeout, complain).await {
            Verdict::Good => return None,
            Verdict::Wrong(what) => return Some(what),
            Verdict::Late(program) => program,
        };
    }
    Some(format!("{}: ran out of time, even by itself", program.file.display()))
}

/// What a program's end was.
enum Verdict {
    /// As it should.
    Good,
    /// It ran out of a time that it should not have needed.
    Late(Program),
    /// Something else.
    Wrong(String),
}

async fn verdict<C>(
    sandbox: &Sandbox,
    program: Program,
    timeout: fn(&str) -> u32,
    complain: C,
) -> Verdict
where
    C: Fn(&Program, Ended) -> Option<String>,
{
    let name = program.file.display().to_string();
    let ended = match sandbox.run_within(&program.source, timeout(&program.source)).await {
        Ok(ended) => ended,
        Err(crash) => return Verdict::Wrong(format!("{name}: {crash:#}")),
    };
    let is_late = ended.ending() == "time";
    match complain(&program, ended) {
        None => Verdict::Good,
        Some(_) if is_late => Verdict::Late(program),
        Some(what) => Verdict::Wrong(format!("{name}: {what}")),
    }
}

/// Whether an `ends` line names this ending.
fn allows(ends: &str, ending: &str) -> bool {
    ends.split(" or ").any(|end| end.trim() == ending)
}

fn report(wrong: &[String], of: usize) {
    assert!(wrong.is_empty(), "{} of {of} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_programs_end_by_the_limit_that_is_meant_for_them() {
    if running_elsewhere().is_some() {
        return;
    }
    let programs = sandbox::corpus("hostile").unwrap();
    let count = programs.len();
    assert!(count >= 120, "there are only {count}");
    // What must not end by its time may take it: this machine may be slow.
    let timeout = |source: &str| match sandbox::header(source, "timeout") {
        _ if !sandbox::header(source, "ends").is_some_and(|ends| allows(ends, "time")) => LONG,
        Some(milliseconds) => milliseconds.parse().unwrap(),
        None => SHORT,
    };
    let wrong = complaints(programs, timeout, |program, ended| {
        let allowed = sandbox::header(&program.source, "ends").expect("an `ends` line");
        let ending = ended.ending();
        if !allows(allowed, &ending) {
            return Some(format!("ended by {ending}, not {allowed}: {:?}", ended.error));
        }
        let expected = sandbox::header(&program.source, "value").filter(|_| ending == "value")?;
        let wrong = ended.value != Last::Json(expected.to_owned());
        wrong.then(|| format!("gave {:?}, not {expected}", ended.value))
    });
    report(&wrong.await, count);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn useful_programs_give_exactly_what_they_should() {
    if running_elsewhere().is_some() {
        return;
    }
    let programs = sandbox::corpus("programs").unwrap();
    let count = programs.len();
    assert!(count >= 60, "there are only {count}");
    let wrong = complaints(
        programs,
        |_| LONG,
        |program, ended| {
            let expected = std::fs::read_to_string(program.file.with_extension("txt")).unwrap();
            let got = ended.transcript();
            let differ = expected.lines().zip(got.lines()).position(|(one, other)| one != other);
            let line = differ.unwrap_or_else(|| expected.lines().count().min(got.lines().count()));
            (expected != got).then(|| {
                let at = |text: &str| text.lines().nth(line).unwrap_or("(nothing)").to_owned();
                format!("line {}: {:?} instead of {:?}", line + 1, at(&got), at(&expected))
            })
        },
    );
    report(&wrong.await, count);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_passes_from_one_call_to_the_next() {
    if running_elsewhere().is_some() {
        return;
    }
    let sandbox = Sandbox::start().await.unwrap();
    let leave = "globalThis.left = 1; Array.prototype.left = 2; Object.prototype.left = 3;
        Math.max = () => 4; console.log = () => {}; Symbol.for('left').description;
        RegExp.prototype.exec = () => null; Promise.prototype.then = null; 'left'";
    let find = "console.log([typeof left, [].left, ({}).left, Math.max(1, 2), /a/.exec('a')[0]]);
        await 5";
    let clean = "[ 'undefined', undefined, undefined, 2, 'a' ]\n=> 5\n";
    // Hostile ones too: what they leave of an instance is never used again.
    for before in [
        leave,
        "for (;;);",
        "[2, 1].sort(() => { for (;;); })",
        "const f = (x) => [x].map(f); f(1)",
    ] {
        sandbox.run_within(before, SHORT).await.unwrap();
        let after = sandbox.run(find).await.unwrap();
        assert_eq!(after.transcript(), clean, "after {before}");
    }
    // Neither time nor chance is the same for two programs.
    let chance = "String(Math.random()) + crypto.randomUUID()";
    let (one, other) = (sandbox.run(chance).await.unwrap(), sandbox.run(chance).await.unwrap());
    assert_ne!(one.value, other.value);
}

/// The local host has room for twenty instances here, and keeps one that waits for calls for a second.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instance_goes_with_its_answer() {
    if running_elsewhere().is_some() {
        return;
    }
    let sandbox = Sandbox::start().await.unwrap();
    for program in 0..200 {
        let ended = sandbox.run(&format!("{program} + 1")).await.unwrap();
        assert_eq!(ended.value, Last::Json((program + 1).to_string()));
    }
    assert!(!sandbox.output().contains("instance ended"), "{}", sandbox.output());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_in_a_head_is_answered_in_one_where_its_outcome_fits() {
    if running_elsewhere().is_some() {
        return;
    }
    let sandbox = Sandbox::start().await.unwrap();
    let endless = "for (;;);";
    let long = "'x'.repeat(5_000)";
    let foreign = "String.fromCharCode(233)";
    for (program, fits) in [("6 * 7", true), (endless, true), (long, false), (foreign, false)] {
        let (ended, in_head) = sandbox.run_in_head(program).await.unwrap();
        assert_eq!(in_head, fits, "{program}");
        assert_eq!(ended.transcript(), sandbox.run(program).await.unwrap().transcript());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_program_is_told_with_what_it_did() {
    if running_elsewhere().is_some() {
        return;
    }
    let sandbox = Sandbox::start().await.unwrap();
    let source = "console.log('begun'); console.warn('soon'); [2, 1].sort(() => { for (;;); })";
    let ended = sandbox.run_within(source, SHORT).await.unwrap();
    assert_eq!(ended.limit.as_deref(), Some("Time"));
    assert!(ended.instructions > 1_000, "{}", ended.instructions);
    assert!(ended.elapsed_ms >= u64::from(SHORT), "{}", ended.elapsed_ms);
    let message = ended.error.clone().unwrap().message;
    assert!(message.contains("1000 ms"), "{message}");
    assert!(ended.transcript().starts_with("begun\n[warn] soon\n!! LimitError: "), "{ended:?}");
}

const MARK: &str = "Run the hostile program";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn asks_beside_a_hostile_program_are_answered() {
    const ASKS: usize = 50;
    let hostile = Match::All(vec![Match::Phase(Phase::Iteration(1)), Match::Text(MARK.into())]);
    let code = "console.log('busy'); new Array(4294967295).indexOf(1)";
    let call = Reply::call("execute_javascript", json!({ "code": code, "timeout": 10 }));
    let setup = Setup::new(Script::ordinary().first_always(hostile, call));
    let quarry = setup.start().await.unwrap();
    let ask = |query: String| {
        let url = quarry.url.clone();
        async move {
            let open = client::ask(&url, &json!({ "query": query, "max_iterations": 2 })).await?;
            open.events().await
        }
    };
    let hostile = tokio::spawn(ask(MARK.to_owned()));
    for number in 0..ASKS {
        let events = ask(format!("Question {number}: what is 6 times 7?")).await.unwrap();
        assert_eq!(invariants::of_stream(&events), Vec::<String>::new(), "ask {number}");
        assert_eq!(events.last().unwrap().name, "complete", "ask {number}");
    }
    let events = hostile.await.unwrap().unwrap();
    assert_eq!(events.last().unwrap().name, "complete");
    let told = events.iter().find(|event| event.name == "tool_result").unwrap();
    assert!(told.raw.contains("busy") && told.raw.contains("limit"), "{}", told.raw);
}
