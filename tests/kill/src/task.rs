//! What is asked of this program, and what it says.

use crate::kills::{self, Undisturbed};
use crate::process::Disk;
use crate::scenes::Scene;
use crate::script::Script;
use crate::{seeds, victim};
use anyhow::{Context, Result, bail};
use futures::StreamExt;
use lexopt::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::time::Instant;
use xtask::options::helps::KILL;

/// Numbers that are drawn by.
const SEEDS: u64 = 200;
const SEEDS_OF_A_SHORT_RUN: u64 = 40;

/// What so many seeds must have met, each by the name of its event.
const MET: [&str; 5] =
    ["run_waiting", "run_resumed", "run_aborted", "guidance_received", "run_completed"];

#[derive(Debug, Default)]
struct Options {
    is_short: bool,
    script: Option<Script>,
    point: Option<u64>,
    seed: Option<u64>,
    scene: Option<Scene>,
    jobs: usize,
    names_points: bool,
}

/// One thing to try.
#[derive(Debug, Clone, Copy)]
enum Case {
    Point(Script, u64),
    Seed(u64),
    Scene(Scene),
}

impl Case {
    fn script(self) -> Script {
        match self {
            Case::Point(script, _) => script,
            Case::Seed(_) => seeds::SCRIPT,
            Case::Scene(scene) => scene.script(),
        }
    }

    fn disk(self) -> Disk {
        match self {
            Case::Point(..) | Case::Seed(_) => Disk::Shared,
            Case::Scene(scene) => scene.disk(),
        }
    }

    /// What runs it alone.
    fn alone(self) -> String {
        match self {
            Case::Point(script, point) => {
                format!("cargo xtask kill --script {} --point {point}", script.name())
            }
            Case::Seed(seed) => format!("cargo xtask kill --seed {seed}"),
            Case::Scene(scene) => format!("cargo xtask kill --scene {}", scene.name()),
        }
    }
}

/// What all cases came to.
#[derive(Debug, Default)]
struct Tally {
    passed: usize,
    failed: usize,
    deaths: usize,
    paid_again: usize,
    met: BTreeSet<String>,
}

/// Runs the task; as `serve`, this program is a process that dies.
pub fn run(task: &str, args: lexopt::Parser) -> Result<ExitCode> {
    let runtime = tokio::runtime::Runtime::new()?;
    if task == "serve" {
        return runtime.block_on(victim::serve(args)).map(|()| ExitCode::SUCCESS);
    }
    let Some(options) = parse(args)? else { return xtask::program::help(KILL) };
    let is_well = runtime.block_on(all(&options))?;
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn parse(mut args: lexopt::Parser) -> Result<Option<Options>> {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let mut options = Options { jobs: 3 * cores, ..Options::default() };
    while let Some(arg) = args.next()? {
        match arg {
            Long("short") => options.is_short = true,
            Long("script") => {
                let script = Script::named(&args.value()?.string()?);
                options.script = Some(script.context("--script must be short or whole")?);
            }
            Long("scene") => {
                let names = Scene::ALL.map(Scene::name).join(", ");
                let scene = Scene::named(&args.value()?.string()?);
                options.scene =
                    Some(scene.with_context(|| format!("--scene must be one of {names}"))?);
            }
            Long("point") => options.point = Some(args.value()?.parse()?),
            Long("seed") => options.seed = Some(args.value()?.parse()?),
            Long("jobs") => options.jobs = args.value()?.parse()?,
            Long("points") => options.names_points = true,
            Short('h') | Long("help") => return Ok(None),
            other => return Err(other.unexpected().into()),
        }
    }
    if options.jobs == 0 {
        bail!("--jobs must be at least 1");
    }
    Ok(Some(options))
}

async fn all(options: &Options) -> Result<bool> {
    let begun = Instant::now();
    let scripts = scripts(options);
    let mut undisturbed = BTreeMap::new();
    for script in scripts {
        let whole = kills::undisturbed(script).await;
        let whole = whole.with_context(|| format!("the {} run, undisturbed", script.name()))?;
        println!("the {} run has {} points", script.name(), whole.points.len());
        if options.names_points {
            (1..).zip(&whole.points).for_each(|(n, label)| println!("{n:4}  {label}"));
        }
        undisturbed.insert(script.name(), whole);
    }
    if options.names_points {
        return Ok(true);
    }
    let mut cases = cases(options, &undisturbed)?;
    if cases.iter().any(|case| case.disk() == Disk::Own) && !Disk::can_be_had().await {
        println!(
            "left out: no process can have a file system of its own here, so no disk is without a byte"
        );
        cases.retain(|case| case.disk() == Disk::Shared);
    }
    let is_whole_set = cases.iter().filter(|case| matches!(case, Case::Seed(_))).count() > 1;
    let mut done = futures::stream::iter(cases)
        .map(|case| {
            let undisturbed = undisturbed.get(case.script().name());
            async move { (case, play(case, undisturbed).await) }
        })
        .buffer_unordered(options.jobs);
    let mut tally = Tally::default();
    while let Some((case, outcome)) = done.next().await {
        tally.count(case, outcome);
    }
    println!("{}, in {} s", tally.words(), begun.elapsed().as_secs());
    let unmet: Vec<&str> = MET.into_iter().filter(|name| !tally.met.contains(*name)).collect();
    if is_whole_set && !unmet.is_empty() {
        println!("no seed met {}", unmet.join(", "));
        return Ok(false);
    }
    Ok(tally.failed == 0)
}

/// The runs whose undisturbed course is wanted.
fn scripts(options: &Options) -> Vec<Script> {
    let only = match options {
        Options { seed: Some(_), .. } => Some(seeds::SCRIPT),
        Options { scene: Some(scene), .. } => Some(scene.script()),
        Options { script, point: Some(_), .. } => Some(script.unwrap_or(Script::Short)),
        Options { script, .. } => *script,
    };
    only.map_or_else(|| Script::ALL.to_vec(), |script| vec![script])
}

fn cases(options: &Options, undisturbed: &BTreeMap<&str, Undisturbed>) -> Result<Vec<Case>> {
    let points = |script: Script| {
        let count = undisturbed.get(script.name()).map_or(0, |whole| whole.points.len() as u64);
        (1..=count).map(move |point| Case::Point(script, point))
    };
    Ok(match options {
        Options { seed: Some(seed), .. } => vec![Case::Seed(*seed)],
        Options { scene: Some(scene), .. } => vec![Case::Scene(*scene)],
        Options { script, point: Some(point), .. } => {
            let script = script.unwrap_or(Script::Short);
            let last = points(script).count();
            let case =
                points(script).find(|case| matches!(case, Case::Point(_, of) if of == point));
            vec![case.with_context(|| format!("--point must be 1 to {last}"))?]
        }
        Options { script: Some(script), .. } => points(*script).collect(),
        Options { is_short, .. } => {
            // Scenes take longest.
            let scenes = Scene::ALL.into_iter().map(Case::Scene);
            let seeds = if *is_short { SEEDS_OF_A_SHORT_RUN } else { SEEDS };
            let short = scenes.chain((0..seeds).map(Case::Seed)).chain(points(Script::Short));
            let whole = points(Script::Whole).filter(|_| !is_short);
            short.chain(whole).collect()
        }
    })
}

/// What came of a case.
#[derive(Debug, Default)]
struct Outcome {
    deaths: usize,
    paid_again: usize,
    met: Vec<String>,
}

async fn play(case: Case, undisturbed: Option<&Undisturbed>) -> Result<Outcome> {
    let undisturbed = undisturbed.context("the run was not made undisturbed")?;
    match case {
        Case::Point(script, point) => {
            let killed = kills::killed(script, point, undisturbed).await;
            let at = undisturbed.points.get(usize::try_from(point.saturating_sub(1))?);
            let killed = killed.with_context(|| at.cloned().unwrap_or_default())?;
            Ok(Outcome { deaths: 1, paid_again: killed.paid_again, met: Vec::new() })
        }
        Case::Seed(seed) => {
            let seeds::Outcome { deaths, paid_again, told } =
                seeds::seeded(seed, undisturbed).await?;
            Ok(Outcome { deaths, paid_again, met: told })
        }
        Case::Scene(scene) => scene.play(undisturbed).await.map(|()| Outcome::default()),
    }
}

impl Tally {
    fn count(&mut self, case: Case, outcome: Result<Outcome>) {
        match outcome {
            Ok(Outcome { deaths, paid_again, met }) => {
                self.passed += 1;
                self.deaths += deaths;
                self.paid_again += paid_again;
                self.met.extend(met);
            }
            Err(error) => {
                self.failed += 1;
                println!("failed: {error:#}\nhint: `{}` runs it alone", case.alone());
            }
        }
        if (self.passed + self.failed).is_multiple_of(50) {
            println!("{}", self.words());
        }
    }

    fn words(&self) -> String {
        let Tally { passed, failed, deaths, paid_again, .. } = self;
        format!(
            "{passed} cases passed, {failed} failed; {deaths} processes died, {paid_again} calls were paid twice"
        )
    }
}
