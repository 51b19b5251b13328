//! A process dies at a point, another follows, and the run ends as if nothing had happened.

use crate::process::Fate;
use crate::script::Script;
use crate::told::{self, Told, check_recorded, paid_again, unsettled};
use crate::world::{Followed, World};
use anyhow::{Result, bail, ensure};

/// The run without any trouble, and the points that it passes.
#[derive(Debug, Clone)]
pub struct Undisturbed {
    pub told: Told,
    /// What happens at each, from the first.
    pub points: Vec<String>,
    searches: usize,
}

/// Lets a run pass undisturbed.
pub async fn undisturbed(script: Script) -> Result<Undisturbed> {
    let world = World::new(script, Vec::new()).await?;
    let process = world.process(&Fate::default()).await?;
    let Followed::ToItsEnd(events) = world.follow(&process).await? else {
        bail!("its process died");
    };
    let told = told::told(&world, &process, &events).await?;
    let again = paid_again(&world);
    ensure!(again.is_empty(), "calls are paid twice: {again:?}");
    let searches = world.searches();
    Ok(Undisturbed { told, points: process.end().await?.points, searches })
}

/// What a kill did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Killed {
    /// Paid calls that were made again.
    pub paid_again: usize,
}

/// Kills the process of a run at this point, from 1, and compares what comes of it.
pub async fn killed(script: Script, point: u64, expected: &Undisturbed) -> Result<Killed> {
    let world = World::new(script, Vec::new()).await?;
    let first = world.process(&Fate::dies(point)).await?;
    // The last points follow the run's last event.
    world.follow(&first).await?;
    first.dead().await?;
    world.bury()?;
    let recorded = world.seen(None)?.recorded();
    let calls = world.model.calls().len();
    let second = world.process(&Fate::default()).await?;
    let Followed::ToItsEnd(events) = world.follow(&second).await? else {
        bail!("the second process died, too");
    };
    let told = told::told(&world, &second, &events).await?;
    second.end().await?;
    told.differs(&expected.told)?;
    check_recorded(&world, &recorded, calls)?;
    let again = paid_again(&world);
    ensure!(again.len() <= 1 && again.values().all(|count| *count == 2), "paid again: {again:?}");
    let unsettled = unsettled(&events).unwrap_or_default();
    ensure!(unsettled <= 1, "one process died, and {unsettled} calls are unsettled");
    ensure!(again.is_empty() || unsettled == 1, "{again:?} is not on the record");
    let searches = world.searches();
    let most = expected.searches + 1;
    ensure!(searches <= most, "{searches} searches, {most} at most");
    Ok(Killed { paid_again: again.len() })
}
