//! Runs: what a step, a short run, many at once and a long one take.
//!
//! The long run is a real one, of the machine and its slices on the database's statements, driven natively because
//! a scripted provider cannot part a thousand questions; its database is then served by the built components.

mod long;
mod rows;
mod script;

use crate::client::{self, Measured, Target};
use crate::host::{Host, Kept};
use crate::report::Report;
use crate::{Arguments, Plan, ask};
use anyhow::{Result, bail};
use long::{Long, Store, Until};
use quarry_demo_web::DemoWeb;
use quarry_test_provider::{Manner, Match, Reply, Script, ScriptedProvider};
use quarry_types::{RunId, Timestamp};
use serde_json::json;
use std::time::Duration;
use tempfile::TempDir;

/// How much is measured of runs.
#[derive(Debug, Clone, Copy)]
pub struct Runs {
    /// Short runs, one after the other.
    pub short: usize,
    /// Runs at once.
    pub at_once: usize,
    /// Looks at a long run, and runs that are resumed.
    pub looks: usize,
    /// Nodes of long runs, the longest last.
    pub nodes: [u32; 3],
    /// How often each of these is run, and as many are at once.
    pub turns: usize,
}

impl Runs {
    const fn longest(&self) -> u32 {
        let [_, _, longest] = self.nodes;
        longest
    }
}

/// Nodes of a short run.
const NODES: usize = 5;

/// What a prompt says by which a run chooses queries.
const CHOOSES: &str = "You choose what to search the web for";

const TASK: &str = "What is known of the Orrin Bridge?";
const PARTS: [&str; 4] = [
    "What did the Orrin Bridge cost?",
    "Who designed the bridge of Orrin?",
    "How long is the Orrin crossing?",
    "When did traffic begin there?",
];

/// Measures all of it.
pub async fn measure(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let Arguments { program, manifest, plan, .. } = arguments;
    let provider =
        ScriptedProvider::start_as(arguments.provider(), script(), Manner::AsMet).await?;
    let web = DemoWeb::start().await?;
    let state = tempfile::tempdir()?;
    let (store, longest) = long_runs(&state, *plan, report)?;
    let copies = Copies::of(&store, &longest, plan.runs.looks)?;
    drop(store);
    let openai = provider.openai_base_url();
    let (web_url, web_host) = (format!("http://{}", web.address()), web.address().to_string());
    let mut variables = vec![
        ("SPIN_VARIABLE_OPENAI_BASE_URL", openai.as_str()),
        ("SPIN_VARIABLE_OPENAI_API_KEY", "bench"),
        ("SPIN_VARIABLE_SEARXNG_URL", &web_url),
        ("SPIN_VARIABLE_WEB_ALLOWED_HOSTS", &web_host),
    ];
    variables.extend(Kept::unless(program).variables());
    let host = program.serving(manifest, state, &variables).await?;
    let floor = floor(arguments, &host, &provider).await?;
    provider.set_script(Script { unrecorded: true, ..script() });
    short(&host, &floor, plan.runs.short, report).await?;
    at_once(&host, &floor, *plan, report).await?;
    look(&host, &copies, plan.runs.looks, report).await
}

/// Everything a run of five nodes asks: its root is never answered, its parts are.
fn script() -> Script {
    let asked = |words: &str| Match::Text(words.to_owned());
    let judged = |score: f64| {
        let gaps = if score < 0.7 { vec!["the rest of it"] } else { Vec::new() };
        Reply::json(&json!({
            "coverage": score, "quality": score, "contradiction_handling": 1, "recency": null,
            "rationale": "As the script has it.", "gaps": gaps,
        }))
    };
    let judges = "You judge whether findings answer a question";
    let of_root = Match::All(vec![asked(judges), asked(TASK)]);
    let finding = json!({ "findings": [{
        "claim": "The Orrin Bridge cost 186 million euros.",
        "evidence": [{ "passage": "q1", "quote": "The bridge cost 186 million euros." }],
        "uncertainties": [],
    }] });
    let written = json!({
        "answer": "The bridge cost 186 million euros [q1].", "follow_up": ["What do the roads cost?"],
    });
    let over = json!({
        "sufficient": true, "critical_gaps": [], "could_change_conclusion": false,
        "rationale": "It is over.",
    });
    let queries = json!({ "queries": ["Orrin Bridge cost"], "time_sensitive": false });
    let parts = json!({ "parts": PARTS });
    // Asks beside the runs have their own replies.
    let rules = [
        (asked(CHOOSES), Reply::json(&queries)),
        (asked("You read passages of sources for a researcher"), Reply::json(&finding)),
        (asked(judges), judged(0.9)),
        (of_root, judged(0.6)),
        (asked("Part it into at most"), Reply::json(&parts)),
        (asked("A round of research is over"), Reply::json(&over)),
        (asked("You write the executive answer"), Reply::json(&written)),
    ];
    // The last that is put in front is tried first.
    let add = |script: Script, (when, reply)| script.first_always(when, reply);
    rules.into_iter().fold(Script::ordinary(), add).in_frames()
}

/// Long runs, natively: what a step takes, and whether more nodes make it dearer. Each has a database of its own, and the
/// sizes have their turns, so that none has the better moment or the smaller file.
fn long_runs(state: &TempDir, plan: Plan, report: &mut Report) -> Result<(Store, Long)> {
    let mut sizes = plan.runs.nodes.map(|nodes| (nodes, Vec::new(), Vec::new()));
    for _ in 0..plan.runs.turns {
        for (nodes, steps, floor) in &mut sizes {
            let state = tempfile::tempdir()?;
            let long = whole(&Store::open(state.path())?, *nodes)?;
            steps.extend(long.steps);
            floor.extend(long.floor);
        }
    }
    report.steps(plan.runs.turns, &sizes);
    let store = Store::open(state.path())?;
    let longest = whole(&store, plan.runs.longest())?;
    Ok((store, longest))
}

/// A run of so many nodes, all of which it has.
fn whole(store: &Store, nodes: u32) -> Result<Long> {
    let long = long::drive(store, nodes, 1, Until::Aborted)?;
    match long.nodes == nodes as usize {
        true => Ok(long),
        false => bail!("the run has {} nodes and not {nodes}", long.nodes),
    }
}

/// The longest run, as often as it is needed.
struct Copies {
    nodes: usize,
    events: u64,
    aborted: Vec<RunId>,
    killed: Vec<RunId>,
}

impl Copies {
    fn of(store: &Store, long: &Long, count: usize) -> Result<Copies> {
        let nodes = u32::try_from(long.nodes)?;
        let killed = long::drive(store, nodes, 99, Until::Killed)?;
        let copied = |from: RunId, first: u128| -> Result<Vec<RunId>> {
            let ids = (first..).take(count).map(|n| RunId::new(Timestamp(1).0, n));
            let ids: Vec<RunId> = ids.collect();
            ids.iter().try_for_each(|id| store.copy(from, *id))?;
            Ok(ids)
        };
        let copies = Copies {
            nodes: long.nodes,
            events: long.events,
            aborted: copied(long.id, 1_000)?,
            killed: copied(killed.id, 2_000)?,
        };
        store.hide_due()?;
        store.settle()?;
        Ok(copies)
    }
}

/// The outside calls of a run of five nodes with nothing between them: each of a model, with a private call where the run
/// searches, since its searches go to a component of their own.
async fn floor(
    arguments: &Arguments,
    host: &Host,
    provider: &ScriptedProvider,
) -> Result<(Host, Target)> {
    provider.forget();
    check(&client::once(&begun(host)).await?, NODES)?;
    let mut calls = Vec::new();
    for request in &provider.calls() {
        calls.push(ask::floor_call(request)?);
        // Each node has one query.
        calls.extend(request.body.to_string().contains(CHOOSES).then(|| ask::HOP.to_owned()));
    }
    let searches = calls.iter().filter(|call| *call == ask::HOP).count();
    if searches != NODES {
        bail!("the floor makes {searches} searches and not {NODES}");
    }
    let url = format!("{}/chat/completions", provider.openai_base_url());
    let Arguments { program, hello, manifest, .. } = arguments;
    let floor = program.floor(hello, manifest, &url, &calls.join("\n")).await?;
    let target = ask::floored(&floor);
    ask::check_floor(&target, calls.len()).await?;
    Ok((floor, target))
}

/// A run of five nodes, from the request to the end of its events.
async fn short(
    host: &Host,
    (_, floor): &(Host, Target),
    count: usize,
    report: &mut Report,
) -> Result<()> {
    let target = begun(host);
    client::run(&target, 1, count.div_ceil(4)).await?;
    client::run(floor, 1, count.div_ceil(4)).await?;
    let bare = totals(&client::run(floor, 1, count).await?);
    let before = host.calls().await?;
    let measured = client::run(&target, 1, count).await?;
    let mut statements = 0;
    for (name, calls) in host.calls().await? {
        if name.0 == "quarry" && name.1.contains("sqlite") && name.1.contains("execute") {
            statements += calls - before.get(&name).copied().unwrap_or_default();
        }
    }
    report.short_runs(NODES, &totals(&measured), statements, &bare);
    Ok(())
}

fn begun(host: &Host) -> Target {
    let body = json!({
        "task": TASK,
        "model": "openai:gpt-4o-mini",
        "config": { "max_rounds": 1, "max_depth": 1, "max_queries_per_node": 1, "decompose_max_children": 4, "search_results_per_query": 1 },
    });
    Target::post(host.address, "/runs", &body)
}

/// What is measured must be the whole run.
fn check(measured: &Measured, nodes: usize) -> Result<()> {
    let text = String::from_utf8_lossy(&measured.body);
    let count = |name: &str| text.matches(&format!("event: {name}\n")).count();
    let seen = (count("node_started"), count("run_completed"), count("step_failed"));
    if seen != (nodes, 1, 0) {
        bail!("the run is not the one to measure: {seen:?}\n{text}");
    }
    Ok(())
}

fn totals(measured: &[Measured]) -> Vec<Duration> {
    measured.iter().map(|measured| measured.total).collect()
}

/// Many runs at once, and an ask beside them.
async fn at_once(
    host: &Host,
    (_, floor): &(Host, Target),
    plan: Plan,
    report: &mut Report,
) -> Result<()> {
    let count = plan.runs.at_once;
    let target = begun(host);
    let ask = Target::post(host.address, "/ask", &ask::question());
    let (mut bare, mut alone, mut beside) = (Vec::new(), Vec::new(), Vec::new());
    let (mut measured, mut last) = (Vec::new(), Vec::new());
    // Before any of the runs, which may have something to do still when they have ended.
    for _ in 0..plan.runs.turns {
        bare.extend(totals(&client::run(floor, count, count).await?));
        alone.extend(totals(&client::run(&ask, 1, plan.single.min(20)).await?));
    }
    for _ in 0..plan.runs.turns {
        let running = tokio::spawn({
            let target = target.clone();
            async move { client::run(&target, count, count).await }
        });
        while !running.is_finished() {
            beside.push(client::once(&ask).await?.total);
        }
        let ran = running.await??;
        ran.iter().try_for_each(|ran| check(ran, NODES))?;
        let ran = totals(&ran);
        last.extend(ran.iter().max().copied());
        measured.extend(ran);
    }
    report.runs_at_once(count, [&measured, &last], &bare, [&alone, &beside]);
    Ok(())
}

/// What a client waits for that looks at a long run, resumes it, or comes after its process died.
async fn look(host: &Host, copies: &Copies, count: usize, report: &mut Report) -> Result<()> {
    let Copies { nodes, events, aborted, killed } = copies;
    let Some(id) = aborted.first() else { bail!("there is no long run") };
    let hello = totals(&client::run(&Target::get(host.address, "/healthz"), 1, count).await?);
    let snapshot = Target::get(host.address, format!("/runs/{id}"));
    let seen = client::once(&snapshot).await?;
    let shown = String::from_utf8_lossy(&seen.body).matches("\"node_id\"").count();
    if shown != *nodes {
        bail!("the snapshot has {shown} nodes and not {nodes}");
    }
    let taken = totals(&client::run(&snapshot, 1, count).await?);
    report.looks(&format!("a run of {nodes} nodes: snapshot"), &taken, &hello);
    let stream = Target::get(host.address, format!("/runs/{id}/events"));
    let seen = client::once(&stream).await?;
    let told = String::from_utf8_lossy(&seen.body).matches("\nevent: ").count();
    if (told as u64) + 1 < *events {
        bail!("{told} events are replayed, of {events}");
    }
    let replayed = client::run(&stream, 1, count).await?;
    let first: Vec<Duration> = replayed.iter().map(|it| it.first_byte).collect();
    report.looks(&format!("a run of {nodes} nodes: first replayed event"), &first, &hello);
    let mut resumed = Vec::new();
    for id in aborted {
        let target = Target::post(host.address, format!("/runs/{id}/resume"), &json!({}));
        resumed.push(client::once(&target).await?.total);
        over(host, *id).await?;
    }
    report.looks(
        &format!("a run of {nodes} nodes: resume of one that was aborted"),
        &resumed,
        &hello,
    );
    let mut taken_up = Vec::new();
    for id in killed {
        let target = Target::post(
            host.address,
            format!("/runs/{id}/guidance"),
            &json!({ "text": "Be brief." }),
        );
        taken_up.push(client::once(&target).await?.total);
        over(host, *id).await?;
    }
    report.looks(
        &format!("a run of {nodes} nodes: guidance for one whose process died, which takes it up"),
        &taken_up,
        &hello,
    );
    Ok(())
}

/// Waits until a run has ended, so that what it does still is not measured with the next.
async fn over(host: &Host, id: RunId) -> Result<()> {
    let events = Target::get(host.address, format!("/runs/{id}/events"));
    let told = client::once(&events).await?;
    match String::from_utf8_lossy(&told.body).contains("event: run_completed\n") {
        true => Ok(()),
        false => bail!(
            "a run that was taken up did not end: {:.400}",
            String::from_utf8_lossy(&told.body)
        ),
    }
}
