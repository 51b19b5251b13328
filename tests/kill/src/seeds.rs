//! Two kills with other troubles, drawn by a number: the same number draws the same.
//!
//! Of every third number nothing is drawn that makes a run another one, nobody who ends or steers it and no trouble of a
//! provider: it must tell what the undisturbed run tells, event by event.

use crate::kills::Undisturbed;
use crate::model::Trouble;
use crate::process::{Death, Fate, Process};
use crate::script::Script;
use crate::seen;
use crate::told::{self, check_paid, check_recorded};
use crate::world::{self, Followed, World};
use anyhow::{Context, Result, bail, ensure};
use futures::future::{Either, select};
use quarry_scenarios::client::Event;
use serde_json::{Value, json};
use std::pin::pin;

/// The run that they befall.
pub const SCRIPT: Script = Script::Whole;

/// Calls that may go wrong at a provider.
const PURPOSES: [&str; 7] = [
    "n1/queries",
    "n1/judgement",
    "n2/findings",
    "n3/parts",
    "n4/queries",
    "round-1/pass",
    "report",
];

/// What somebody, or the machine below, does to a process that waits at its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    /// The disk is full until so many writes have failed.
    FullDisk(usize),
    /// Another has the database until so many writes have failed.
    Locked(usize),
    /// Its lease runs out, and another process drives the run beside it.
    Rival,
    /// A person ends the run.
    Abort,
    /// A person steers.
    Guidance,
}

/// All that goes wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What happens in the first process and in the second: each waits once, and dies.
    lives: [(u64, Deed, Death); 2],
    troubles: Vec<(String, Trouble)>,
    /// Whether a run that was ended is taken up again.
    resumes: bool,
}

impl Plan {
    /// What this number draws for a run with so many points.
    pub fn draw(seed: u64, points: u64) -> Plan {
        let mut bits = seed;
        let mut next = |most: u64| {
            bits = random(bits);
            bits % most
        };
        let is_quiet = seed.is_multiple_of(3);
        // Each deed has its turn.
        let mut deed = |turn: u64| {
            let times = 1 + usize::from(next(2) == 0);
            match turn % if is_quiet { 3 } else { 5 } {
                0 => Deed::FullDisk(times),
                1 => Deed::Locked(times),
                2 => Deed::Rival,
                3 => Deed::Abort,
                _ => Deed::Guidance,
            }
        };
        let deeds = match is_quiet {
            true => [deed(seed / 3), deed(seed / 9)],
            false => [deed(seed), deed(seed / 5)],
        };
        let lives = deeds.map(|deed| {
            let pauses = 1 + next(points / 2);
            let dies = match deed {
                // What ends the run leaves little to die in.
                Deed::Abort => Death::BehindWish(next(6)),
                Deed::Guidance => Death::BehindWish(next(points / 2)),
                Deed::FullDisk(_) | Deed::Locked(_) | Deed::Rival => {
                    Death::At(pauses + 1 + next(points / 2))
                }
            };
            (pauses, deed, dies)
        });
        let kinds = [Trouble::RateLimited, Trouble::Broken, Trouble::Hangs, Trouble::Cut];
        let count = 1 + next(2);
        let troubles = (0..if is_quiet { 0 } else { count }).filter_map(|turn| {
            let of = PURPOSES.get(usize::try_from(next(PURPOSES.len() as u64)).ok()?)?;
            let kind = kinds.get(usize::try_from((seed + turn) % 4).ok()?)?;
            Some(((*of).to_owned(), *kind))
        });
        let troubles = troubles.collect();
        Plan { lives, troubles, resumes: next(2) == 0 }
    }

    /// Whether nothing of it makes a run another one.
    fn is_quiet(&self) -> bool {
        let is_said = |deed: Deed| matches!(deed, Deed::Abort | Deed::Guidance);
        self.troubles.is_empty() && !self.lives.iter().any(|(_, deed, _)| is_said(*deed))
    }
}

/// The next of a sequence of random numbers.
fn random(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// What came of a plan.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Processes that died of their point.
    pub deaths: usize,
    /// Paid calls that were made again.
    pub paid_again: usize,
    /// The names of all events.
    pub told: Vec<String>,
}

/// Lets a run pass through what this number draws.
pub async fn seeded(seed: u64, undisturbed: &Undisturbed) -> Result<Outcome> {
    let plan = Plan::draw(seed, undisturbed.points.len() as u64);
    pass(&plan, undisturbed).await.with_context(|| format!("{plan:?}"))
}

async fn pass(plan: &Plan, undisturbed: &Undisturbed) -> Result<Outcome> {
    let world = World::new(SCRIPT, plan.troubles.clone()).await?;
    let cut = plan.troubles.iter().filter(|(_, trouble)| *trouble == Trouble::Cut).count();
    let mut outcome = Outcome::default();
    // Whoever takes the run from a process that lives repeats what that one had under way; and a rival dies, too.
    let (mut taken, mut deaths_of_rivals) = (0, 0);
    for (pauses, deed, dies) in plan.lives {
        let process = world.process(&Fate { dies: Some(dies), pauses: Some(pauses) }).await?;
        let lived = live(&world, &process, deed).await?;
        if let Some(rival) = lived.rival {
            (taken, deaths_of_rivals) = (taken + 1, deaths_of_rivals + 1);
            rival.end().await?;
        }
        match lived.followed {
            Followed::ToItsEnd(_) => _ = process.end().await?,
            Followed::Died => {
                process.dead().await?;
                outcome.deaths += 1;
            }
        }
        world.bury()?;
        let seen = world.seen(None)?;
        let most = outcome.deaths + deaths_of_rivals + taken + cut;
        outcome.paid_again = check_paid(&world, &seen, most)?;
    }
    let (recorded, calls) = (world.seen(None)?.recorded(), world.model.calls().len());
    let last = world.process(&Fate::default()).await?;
    let mut events = to_the_end(&world, &last).await?;
    if plan.resumes && events.last().is_some_and(|event| event.name == "run_aborted") {
        resume(&world, &last).await?;
        events = to_the_end(&world, &last).await?;
    }
    let told = told::told(&world, &last, &events).await?;
    // What two processes died of is not done a third time, which makes it another run.
    let is_lost = events.iter().any(|event| event.raw.contains("it was begun twice"));
    if plan.is_quiet() && !is_lost {
        told.differs(&undisturbed.told)?;
    }
    check_recorded(&world, &recorded, calls)?;
    let seen = world.seen(None)?;
    let most = outcome.deaths + deaths_of_rivals + taken + cut;
    outcome.paid_again = check_paid(&world, &seen, most)?;
    let end = events.last().map(|event| event.name.as_str()).unwrap_or_default();
    let may_abort = plan.lives.iter().any(|(_, deed, _)| *deed == Deed::Abort) && !plan.resumes;
    ensure!(end == "run_completed" || may_abort && end == "run_aborted", "it ends with {end}");
    outcome.told = events.iter().map(|event| event.name.clone()).collect();
    last.end().await?;
    Ok(outcome)
}

async fn to_the_end(world: &World, process: &Process) -> Result<Vec<Event>> {
    match world.follow(process).await? {
        Followed::ToItsEnd(events) => Ok(events),
        Followed::Died => bail!("the last process died:\n{}", process.heard().printed.join("\n")),
    }
}

async fn resume(world: &World, process: &Process) -> Result<()> {
    let id = world.seen(None)?.run.context("the run is gone")?;
    let line = format!("POST /runs/{id}/resume");
    let (status, body) = world::send(process, &line, &[], &json!({})).await?;
    ensure!(status == 202, "the run is not resumed: {status}, {body}");
    Ok(())
}

/// How a process lived.
struct Lived {
    followed: Followed,
    /// Who drives beside it.
    rival: Option<Process>,
}

/// Follows the run on a process to which something happens on the way.
async fn live(world: &World, process: &Process, deed: Deed) -> Result<Lived> {
    let following = pin!(world.follow(process));
    let meddling = pin!(meddle(world, process, deed));
    match select(following, meddling).await {
        Either::Left((followed, _)) => Ok(Lived { followed: followed?, rival: None }),
        Either::Right((meddled, following)) => {
            let rival = meddled?;
            Ok(Lived { followed: following.await?, rival })
        }
    }
}

/// Waits until the process waits, does what is to be done, and lets it go on.
async fn meddle(world: &World, process: &Process, deed: Deed) -> Result<Option<Process>> {
    if !process.paused().await? {
        return Ok(None);
    }
    let failed = process.heard().failed;
    match deed {
        Deed::FullDisk(times) => {
            process.tell("full").await?;
            process.tell("go").await?;
            process.failed(failed, times).await?;
            process.tell("room").await?;
        }
        Deed::Locked(times) => {
            let lock = seen::lock(&world.state())?;
            process.tell("go").await?;
            process.failed(failed, times).await?;
            drop(lock);
        }
        Deed::Rival => {
            let rival = world.process(&Fate::default()).await?;
            world.end_leases()?;
            world::drive(&rival).await?;
            process.tell("go").await?;
            return Ok(Some(rival));
        }
        Deed::Abort => say(world, process, "abort", &Value::Null).await?,
        Deed::Guidance => {
            say(world, process, "guidance", &json!({ "text": "Prefer primary sources." })).await?;
        }
    }
    Ok(None)
}

/// Says something to the run while its process goes on: what waits may be what takes it in.
async fn say(world: &World, process: &Process, what: &str, body: &Value) -> Result<()> {
    let Some(id) = world.seen(None)?.run else { return process.tell("go").await };
    let line = format!("POST /runs/{id}/{what}");
    let (said, told) = tokio::join!(world::send(process, &line, &[], body), process.tell("go"));
    told?;
    match said {
        // The run may have ended, the process have died, the store be busy.
        Ok((202 | 409 | 429 | 503, _)) => Ok(()),
        Ok((status, body)) => bail!("{line} was answered with {status}: {body}"),
        Err(_) => Ok(()),
    }
}
