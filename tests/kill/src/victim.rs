//! The process that dies: a local host that numbers what components do for runs, and dies or stops at the deeds that
//! it was told.
//!
//! It talks to whoever started it in lines: what it has reached on standard output, what to do on standard input. It
//! ends with that one, too.

use crate::points;
use anyhow::{Context, Result, bail};
use lexopt::prelude::*;
use quarry_demo_web::hosts;
use quarry_host::{Deed, Host, Moment, When, Witness};
use rustix::process::{Resource, Rlimit, Signal, getpid, getrlimit, kill_process, setrlimit};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, ErrorKind, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread;
use tokio::sync::Notify;
use xtask::paths;

/// What takes the room of a disk that is to be full.
const BALLAST: &str = "ballast";

/// Live instances at most: several of these processes run side by side.
const INSTANCES: u32 = 60;

/// What such a process is told at its start.
#[derive(Debug, Default)]
struct Orders {
    state: PathBuf,
    /// The deed at which it dies.
    die: Option<u64>,
    /// How many points behind a wish for the run it dies.
    die_behind_wish: Option<u64>,
    /// Those at which it waits for word.
    pauses: BTreeSet<u64>,
    /// Whether its stores have a file system of their own, which it fills when it is told that the disk is full.
    has_own_disk: bool,
}

impl Orders {
    fn parse(mut args: lexopt::Parser) -> Result<Orders> {
        let mut orders = Orders::default();
        while let Some(arg) = args.next()? {
            match arg {
                Long("state") => orders.state = args.value()?.into(),
                Long("own-disk") => orders.has_own_disk = true,
                Long("die") => orders.die = Some(args.value()?.parse()?),
                Long("die-behind-wish") => orders.die_behind_wish = Some(args.value()?.parse()?),
                Long("pause") => _ = orders.pauses.insert(args.value()?.parse()?),
                other => return Err(other.unexpected().into()),
            }
        }
        if orders.state.as_os_str().is_empty() {
            bail!("--state must name a directory");
        }
        Ok(orders)
    }
}

/// Serves Quarry until it dies, or nobody is there who would speak to it.
pub async fn serve(args: lexopt::Parser) -> Result<()> {
    let orders = Orders::parse(args)?;
    let state = orders.state.clone();
    let victim = Arc::new(Victim::new(orders));
    let watched = victim.clone();
    let mut builder = Host::builder(paths::root().join("spin.toml"))
        .cache_dir(paths::root().join("target/host-cache"))
        .state_dir(state)
        .max_instances(INSTANCES)
        .variables_from_env()
        .witness(Witness::new(move |moment| watched.met(&moment)));
    for name in hosts::hosts() {
        builder = builder.name(name, [IpAddr::from(Ipv4Addr::LOCALHOST)]);
    }
    let host = builder.start().await.context("the host does not start")?;
    let left = Arc::new(Notify::new());
    let (listening, alone) = (victim.clone(), left.clone());
    thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            listening.told(&line);
        }
        alone.notify_one();
    });
    say(&format!("serving {}", host.url()));
    left.notified().await;
    host.shutdown().await;
    Ok(())
}

struct Victim {
    orders: Orders,
    met: AtomicU64,
    /// The deed at which the first wish for the run was about to be written.
    wished_at: OnceLock<u64>,
    /// How often it was told to go on.
    words: Mutex<u64>,
    word: Condvar,
}

impl Victim {
    fn new(orders: Orders) -> Self {
        Victim {
            orders,
            met: AtomicU64::new(0),
            wished_at: OnceLock::new(),
            words: Mutex::default(),
            word: Condvar::new(),
        }
    }

    fn met(&self, moment: &Moment<'_>) {
        // Who cannot write may fail when it connects anew, and never come to its statement.
        if moment.when == When::Failed && matches!(moment.deed, Deed::Statement(..)) {
            say("failed");
        }
        let Some(label) = points::label(moment) else { return };
        let n = self.met.fetch_add(1, Ordering::SeqCst) + 1;
        say(&format!("at {n} {label}"));
        if points::is_wish(moment) {
            self.wished_at.get_or_init(|| n);
        }
        let behind_wish = self.wished_at.get().and_then(|at| n.checked_sub(*at));
        if self.orders.die == Some(n)
            || self.orders.die_behind_wish.is_some_and(|most| behind_wish >= Some(most))
        {
            die();
        }
        if self.orders.pauses.contains(&n) {
            let mut words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
            say(&format!("paused {n}"));
            let heard = *words;
            while *words == heard {
                words = self.word.wait(words).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    fn told(&self, line: &str) {
        match line {
            "go" => {
                *self.words.lock().unwrap_or_else(PoisonError::into_inner) += 1;
                self.word.notify_all();
            }
            "full" if self.orders.has_own_disk => self.fill(),
            "room" if self.orders.has_own_disk => self.empty(),
            "full" => limit_files(Some(0)),
            "room" => limit_files(getrlimit(Resource::Fsize).maximum),
            other => say(&format!("not understood: {other}")),
        }
        say(&format!("done {line}"));
    }

    /// Takes all the room that its disk has, down to the last byte.
    fn fill(&self) {
        let filled = File::create(self.orders.state.join(BALLAST)).and_then(|mut ballast| {
            for size in [1 << 20, 1 << 12, 1] {
                while ballast.write_all(&vec![0; size]).is_ok() {}
            }
            // What is full says so, and nothing else.
            match ballast.write_all(&[0]) {
                Err(full) if full.kind() == ErrorKind::StorageFull => Ok(()),
                Err(other) => Err(other),
                Ok(()) => Err(ErrorKind::Other.into()),
            }
        });
        if let Err(error) = filled {
            say(&format!("the disk is not full: {error}"));
        }
    }

    fn empty(&self) {
        if let Err(error) = fs::remove_file(self.orders.state.join(BALLAST)) {
            say(&format!("the disk has no room: {error}"));
        }
    }
}

/// As an operator does who is out of patience, or a kernel that is out of memory.
fn die() -> ! {
    _ = kill_process(getpid(), Signal::KILL);
    loop {
        thread::park();
    }
}

/// No file grows beyond this from now on: what a full disk is to whoever writes.
fn limit_files(current: Option<u64>) {
    let maximum = getrlimit(Resource::Fsize).maximum;
    if let Err(error) = setrlimit(Resource::Fsize, Rlimit { current, maximum }) {
        say(&format!("not understood: {error}"));
    }
}

/// Nobody may listen any more, which is told elsewhere.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
