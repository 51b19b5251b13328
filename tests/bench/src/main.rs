//! Measures Quarry as shipped: latency, throughput, held streams, sizes.
//!
//! `cargo xtask bench` builds what is measured and starts this program. The host runs in a
//! process of its own, the scripted provider in this one, all on one machine. The floor, a
//! hello-world component in the same host, is measured in the same run, so that figures from
//! different machines can be compared by their ratio to it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod client;
mod host;
mod readers;
mod report;
mod sandbox;
mod streams;

use anyhow::{Context, Result, bail};
use client::{Measured, Target};
use host::{Host, Kept};
use quarry_test_provider::{Script, ScriptedProvider};
use readers::Crowd;
use report::Report;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: quarry-bench --host <quarry-host> --manifest <spin.toml> --hello <hello.wasm> [--quick] [--only ask|sandbox|streams|readers]";

/// How much is measured.
#[derive(Debug, Clone, Copy)]
struct Plan {
    warm_up: usize,
    single: usize,
    loaded: usize,
    clients: usize,
    /// How often asks beside a hostile program are measured.
    rounds: usize,
    streams: usize,
    held: Duration,
    crowd: Crowd,
}

const FULL: Plan = Plan {
    warm_up: 50,
    single: 400,
    loaded: 4_000,
    clients: 16,
    rounds: 8,
    streams: 200,
    held: Duration::from_secs(30),
    crowd: Crowd { stuck: 300, leaving: 500 },
};

/// To see that the benchmark works, not to quote.
const QUICK: Plan = Plan {
    warm_up: 5,
    single: 30,
    loaded: 200,
    clients: 16,
    rounds: 1,
    streams: 50,
    held: Duration::from_secs(2),
    crowd: Crowd { stuck: 30, leaving: 50 },
};

struct Arguments {
    host: PathBuf,
    manifest: PathBuf,
    hello: PathBuf,
    plan: Plan,
    only: Option<Part>,
}

/// What can be measured by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Ask,
    Sandbox,
    Streams,
    Readers,
}

impl Part {
    const ALL: [Part; 4] = [Part::Ask, Part::Sandbox, Part::Streams, Part::Readers];

    fn parse(name: &str) -> Result<Part> {
        Ok(match name {
            "ask" => Part::Ask,
            "sandbox" => Part::Sandbox,
            "streams" => Part::Streams,
            "readers" => Part::Readers,
            other => bail!("there is no part {other}\n{USAGE}"),
        })
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = parse(std::env::args().skip(1))?;
    let mut report = Report::default();
    for part in Part::ALL {
        if arguments.only.is_none_or(|only| only == part) {
            measure_part(part, &arguments, &mut report).await?;
        }
    }
    report.sizes(&arguments.manifest)?;
    print!("{report}");
    Ok(())
}

async fn measure_part(part: Part, arguments: &Arguments, report: &mut Report) -> Result<()> {
    let Arguments { host, manifest, plan, .. } = arguments;
    match part {
        Part::Ask => asks(arguments, report).await,
        Part::Sandbox => {
            sandbox::trivial(host, manifest, *plan, report).await?;
            sandbox::beside_hostile_programs(host, manifest, *plan, report).await
        }
        Part::Streams => {
            for kept in [Kept::Nothing, Kept::AsSpin] {
                streams::measure(host, manifest, plan.streams, plan.held, kept, report).await?;
            }
            Ok(())
        }
        Part::Readers => readers::measure(host, manifest, plan.crowd, report).await,
    }
}

/// An ordinary ask, and the floor beside it.
async fn asks(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let plan = arguments.plan;
    let hello = host::hello(&arguments.host, &arguments.hello).await?;
    let target = Target::get(hello.address, "/hello");
    measure(report, "hello world (the floor)", &hello, &target, plan).await?;
    drop(hello);

    let provider =
        ScriptedProvider::start(Script { unrecorded: true, ..Script::ordinary() }).await?;
    let quarry = host::quarry(
        &arguments.host,
        &arguments.manifest,
        &provider.openai_base_url(),
        Kept::Nothing,
    )
    .await?;
    let ask = json!({
        "query": "What is the capacity factor?",
        "model": "openai:gpt-4o-mini",
        "max_iterations": 2,
        "stream": true,
    });
    let target = Target::post(quarry.address, "/ask", &ask);
    check(&target).await?;
    measure(report, "ask: 5 model calls, 2 programs", &quarry, &target, plan).await?;
    sandbox::over_the_courier(&target, report).await
}

/// One client, then many.
async fn measure(
    report: &mut Report,
    name: &str,
    host: &Host,
    target: &Target,
    plan: Plan,
) -> Result<()> {
    client::run(target, 1, plan.warm_up).await?;
    let single = client::run(target, 1, plan.single).await?;
    client::run(target, plan.clients, plan.warm_up).await?;
    let (started, used) = (Instant::now(), host.processor_time());
    let loaded = client::run(target, plan.clients, plan.loaded).await?;
    let (took, used) = (started.elapsed(), used.zip(host.processor_time()));
    report.latency(name, &single, plan.clients, &loaded, took);
    report.processor(name, plan.loaded, used);
    Ok(())
}

/// What is measured must be the whole ask, not an early error.
async fn check(target: &Target) -> Result<()> {
    let Measured { body, .. } = client::once(target).await?;
    let text = String::from_utf8_lossy(&body);
    let count = |name: &str| text.matches(&format!("event: {name}\n")).count();
    let calls = (count("llm_response"), count("tool_result"), count("complete"));
    if calls != (5, 2, 1) {
        bail!("the ask is not the one to measure: {calls:?}\n{text}");
    }
    let failed: Vec<Value> = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data: ")?).ok())
        .filter(|data| data["output"].as_str().is_some_and(|output| output.contains("\"error\"")))
        .collect();
    if !failed.is_empty() {
        bail!("a program failed: {failed:?}");
    }
    Ok(())
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Arguments> {
    let (mut host, mut manifest, mut hello, mut plan, mut only) = (None, None, None, FULL, None);
    while let Some(name) = arguments.next() {
        let mut value =
            || arguments.next().with_context(|| format!("{name} wants a value\n{USAGE}"));
        match name.as_str() {
            "--host" => host = Some(PathBuf::from(value()?)),
            "--manifest" => manifest = Some(PathBuf::from(value()?)),
            "--hello" => hello = Some(PathBuf::from(value()?)),
            "--quick" => plan = QUICK,
            "--only" => only = Some(Part::parse(&value()?)?),
            other => bail!("unknown argument {other}\n{USAGE}"),
        }
    }
    Ok(Arguments {
        host: host.context(USAGE)?,
        manifest: manifest.context(USAGE)?,
        hello: hello.context(USAGE)?,
        plan,
        only,
    })
}
