//! Troubles of a scene of their own: two processes on one database, a disk that is full, a database that another has.

use crate::kills::Undisturbed;
use crate::process::{Disk, Fate, Process};
use crate::script::Script;
use crate::seen;
use crate::told::{self, Told, check_paid, paid_again};
use crate::world::{self, Followed, LEASE_MS, World};
use anyhow::{Context, Result, bail, ensure};
use quarry_scenarios::client;
use serde_json::Value;

/// A scene, by its name in options and reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scene {
    /// Two processes have a database, drive what is due, and read what the other writes.
    TwoProcesses,
    /// The same, with leases so short that they run out under those who live.
    TwoHasty,
    /// The disk is full in the middle of a run.
    FullDisk,
    /// Somebody else has the database in the middle of a run.
    Locked,
    /// The disk is full when a process starts.
    FullStart,
    /// A file system of its own has not a byte left in the middle of a run.
    NoSpace,
    /// The same when a process starts.
    NoSpaceStart,
}

/// Runs that two processes drive at once.
const RUNS: usize = 6;

/// Milliseconds of a lease that a living process does not renew in time.
const HASTY_MS: u64 = 40;

/// Writes that fail before there is room again.
const FAILURES: usize = 3;

impl Scene {
    pub const ALL: [Scene; 7] = [
        Scene::TwoProcesses,
        Scene::TwoHasty,
        Scene::FullDisk,
        Scene::Locked,
        Scene::FullStart,
        Scene::NoSpace,
        Scene::NoSpaceStart,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Scene::TwoProcesses => "two-processes",
            Scene::TwoHasty => "two-hasty",
            Scene::FullDisk => "full-disk",
            Scene::Locked => "locked",
            Scene::FullStart => "full-start",
            Scene::NoSpace => "no-space",
            Scene::NoSpaceStart => "no-space-start",
        }
    }

    pub fn named(name: &str) -> Option<Scene> {
        Self::ALL.into_iter().find(|scene| scene.name() == name)
    }

    /// Which run it befalls.
    pub const fn script(self) -> Script {
        match self {
            Scene::TwoProcesses | Scene::TwoHasty => Script::Whole,
            Scene::FullDisk
            | Scene::Locked
            | Scene::FullStart
            | Scene::NoSpace
            | Scene::NoSpaceStart => Script::Short,
        }
    }

    /// Where its processes have their stores.
    pub const fn disk(self) -> Disk {
        match self {
            Scene::NoSpace | Scene::NoSpaceStart => Disk::Own,
            _ => Disk::Shared,
        }
    }

    /// Plays it.
    pub async fn play(self, undisturbed: &Undisturbed) -> Result<()> {
        match self {
            Scene::TwoProcesses => two(LEASE_MS, &undisturbed.told).await,
            Scene::TwoHasty => two(HASTY_MS, &undisturbed.told).await,
            Scene::FullDisk | Scene::Locked | Scene::NoSpace => {
                fails_for_a_while(self, undisturbed).await
            }
            Scene::FullStart | Scene::NoSpaceStart => {
                full_from_the_start(self, &undisturbed.told).await
            }
        }
    }
}

/// Runs are asked for here and there, and each is read at the other process.
async fn two(lease_ms: u64, expected: &Told) -> Result<()> {
    let world = World::with_leases(Script::Whole, Vec::new(), lease_ms).await?;
    let both = [world.process(&Fate::default()).await?, world.process(&Fate::default()).await?];
    let [one, other] = &both;
    let sides = [(one, other), (other, one)].into_iter().cycle();
    let runs = (0..RUNS).zip(sides).map(|(n, (asked, read))| {
        let world = &world;
        async move { through(world, asked, read, n).await.with_context(|| format!("run {n}")) }
    });
    let told = futures::future::try_join_all(runs).await?;
    // What loses its driver twice counts as failed, also where the driver lives.
    if lease_ms == LEASE_MS {
        told.iter().try_for_each(|told| told.differs(expected))?;
        let again = paid_again(&world);
        ensure!(again.is_empty(), "paid again though every lease holds: {again:?}");
    }
    for process in both {
        process.end().await?;
    }
    Ok(())
}

/// Asks for a run at one process and follows it at another.
async fn through(world: &World, asked: &Process, read: &Process, n: usize) -> Result<Told> {
    let id =
        world.ask(asked, &format!("run-{n}-of-these-scenes")).await?.context("a process died")?;
    let Followed::ToItsEnd(events) = world.follow_run(read, &id).await? else {
        bail!("a process died:\n{}", read.heard().printed.join("\n"));
    };
    let told = told::told(world, read, &events).await?;
    check_paid(world, &world.seen(Some(&id))?, usize::MAX)?;
    Ok(told)
}

/// From a point in the middle on nothing can be written, for a while.
async fn fails_for_a_while(scene: Scene, undisturbed: &Undisturbed) -> Result<()> {
    // Whoever fails for longer than its lease may lose a call to whoever has the run then.
    let world = World::on(scene.disk(), scene.script(), Vec::new(), LEASE_MS).await?;
    let middle = undisturbed.points.len() as u64 / 2;
    let process = world.process(&Fate { dies: None, pauses: Some(middle) }).await?;
    let meddling = async {
        ensure!(process.paused().await?, "it never came to the middle");
        let failed = process.heard().failed;
        let lock = match scene {
            Scene::Locked => Some(seen::lock(&world.state())?),
            _ => {
                process.tell("full").await?;
                None
            }
        };
        process.tell("go").await?;
        process.failed(failed, FAILURES).await?;
        nothing_new(&world, &process).await?;
        drop(lock);
        process.tell("room").await
    };
    let (followed, ()) = tokio::try_join!(world.follow(&process), meddling)?;
    goes_on(&world, process, followed, &undisturbed.told).await
}

/// A process that starts while nothing can be written says so to whoever asks, and works when there is room.
async fn full_from_the_start(scene: Scene, expected: &Told) -> Result<()> {
    let world = World::on(scene.disk(), scene.script(), Vec::new(), LEASE_MS).await?;
    let process = world.process(&Fate::default()).await?;
    // Components have been in memory before: the limit that stands for the disk is theirs, too.
    client::get(&format!("{}/healthz", process.url), &[]).await?;
    process.tell("full").await?;
    let was = refused(&process, &world).await;
    was.with_context(|| process.heard().printed.join("\n"))?;
    process.tell("room").await?;
    let followed = world.follow(&process).await?;
    goes_on(&world, process, followed, expected).await
}

/// While nothing can be written, what is there can be read, and who wants more is told why not.
async fn nothing_new(world: &World, process: &Process) -> Result<()> {
    let id = world.seen(None)?.run.context("the run is gone")?;
    let (status, run) = world::send(process, &format!("GET /runs/{id}"), &[], &Value::Null).await?;
    ensure!(status == 200 && run["run_id"] == id, "the run cannot be read: {status}, {run}");
    refused(process, world).await
}

/// A new run is refused with a reason.
async fn refused(process: &Process, world: &World) -> Result<()> {
    let body = world.script.request().to_string();
    let url = format!("{}/runs", process.url);
    let open = client::send("POST", &url, &[], body).await?;
    let status = open.status.as_u16();
    let body = open.json().await?;
    let why = body["error"]["message"].as_str().or(body["error"].as_str()).unwrap_or_default();
    // A lock passes by itself.
    let expected = if why.contains("locked") { 429 } else { 503 };
    ensure!(status == expected, "a new run is answered with {status}: {body}");
    ensure!(why.contains("database"), "the reason says nothing of the database: {body}");
    let says_what_helps = !why.contains("full") || why.contains("make room");
    ensure!(says_what_helps, "the reason does not say what helps: {body}");
    Ok(())
}

async fn goes_on(
    world: &World,
    process: Process,
    followed: Followed,
    expected: &Told,
) -> Result<()> {
    let Followed::ToItsEnd(events) = followed else { bail!("its process died") };
    let told = told::told(world, &process, &events).await?;
    told.differs(expected)?;
    let again = paid_again(world);
    ensure!(again.is_empty(), "calls are paid twice: {again:?}");
    process.end().await.map(drop)
}
