//! What is asked of this program, and what it says.

use crate::kills::{self, Undisturbed};
use crate::process::Disk;
use crate::scenes::Scene;
use crate::script::Script;
use crate::{seeds, victim};
use anyhow::{Context, Result};
use futures::StreamExt;
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::time::Instant;
use xtask::options::kill::{Cases, HELP, Options};

/// Numbers that are drawn by.
const SEEDS: u64 = 200;
const SEEDS_OF_A_SHORT_RUN: u64 = 40;

/// What so many seeds must have met, each by the name of its event.
const MET: [&str; 5] =
    ["run_waiting", "run_resumed", "run_aborted", "guidance_received", "run_completed"];

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
    let Some(options) = Options::parse(args)? else { return xtask::program::help(HELP) };
    let is_well = runtime.block_on(all(&options))?;
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn all(options: &Options) -> Result<bool> {
    let begun = Instant::now();
    let scripts = scripts(options.cases)?;
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
    let mut cases = cases(options.cases, &undisturbed)?;
    if cases.iter().any(|case| case.disk() == Disk::Own) && !Disk::can_be_had().await {
        println!(
            "left out: no process can have a file system of its own here, so no disk is without a byte"
        );
        cases.retain(|case| case.disk() == Disk::Shared);
    }
    // Most of a case is waiting.
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let jobs = options.jobs.unwrap_or(3 * cores);
    let is_whole_set = cases.iter().filter(|case| matches!(case, Case::Seed(_))).count() > 1;
    let mut done = futures::stream::iter(cases)
        .map(|case| {
            let undisturbed = undisturbed.get(case.script().name());
            async move { (case, play(case, undisturbed).await) }
        })
        .buffer_unordered(jobs);
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

/// The run of this name.
fn script_of(name: &str) -> Result<Script> {
    Script::named(name).with_context(|| format!("there is no run {name}"))
}

/// The scene of this name.
fn scene_of(name: &str) -> Result<Scene> {
    Scene::named(name).with_context(|| format!("there is no scene {name}"))
}

/// The runs whose undisturbed course is wanted.
fn scripts(cases: Cases) -> Result<Vec<Script>> {
    Ok(match cases {
        Cases::All | Cases::Short => Script::ALL.to_vec(),
        Cases::Script(name) | Cases::Point(name, _) => vec![script_of(name)?],
        Cases::Seed(_) => vec![seeds::SCRIPT],
        Cases::Scene(name) => vec![scene_of(name)?.script()],
    })
}

fn cases(wanted: Cases, undisturbed: &BTreeMap<&str, Undisturbed>) -> Result<Vec<Case>> {
    let points = |script: Script| {
        let count = undisturbed.get(script.name()).map_or(0, |whole| whole.points.len() as u64);
        (1..=count).map(move |point| Case::Point(script, point))
    };
    // Scenes take longest.
    let short = |seeds: u64| {
        let scenes = Scene::ALL.into_iter().map(Case::Scene);
        scenes.chain((0..seeds).map(Case::Seed)).chain(points(Script::Short))
    };
    Ok(match wanted {
        Cases::Seed(seed) => vec![Case::Seed(seed)],
        Cases::Scene(name) => vec![Case::Scene(scene_of(name)?)],
        Cases::Point(name, point) => {
            let script = script_of(name)?;
            let last = points(script).count();
            let case =
                points(script).find(|case| matches!(case, Case::Point(_, of) if *of == point));
            vec![case.with_context(|| format!("--point must be 1 to {last}"))?]
        }
        Cases::Script(name) => points(script_of(name)?).collect(),
        Cases::Short => short(SEEDS_OF_A_SHORT_RUN).collect(),
        Cases::All => short(SEEDS).chain(points(Script::Whole)).collect(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use xtask::options::kill::{SCENES, SCRIPTS};

    #[test]
    fn what_may_be_asked_for_by_its_name_is_all_that_there_is() {
        assert_eq!(Script::ALL.map(Script::name), SCRIPTS);
        assert_eq!(Scene::ALL.map(Scene::name), SCENES);
    }
}
