//! `cargo xtask ingest`, once it is built: loads a folder, a file or an archive and shows how.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

use anyhow::{Context as _, Result, bail};
use quarry_client::terminal;
use quarry_client::variables;
use quarry_ingest::screen::Screen;
use quarry_ingest::{Job, Tally, load_into};
use std::cell::RefCell;
use std::convert::Infallible;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use xtask::options::ingest::{HELP, Options};
use xtask::program::{self, help};

/// How often it is looked whether something is to be said.
const TICK: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    program::main(task)
}

fn task(name: &str, args: lexopt::Parser) -> Result<ExitCode> {
    if name != "ingest" {
        bail!("there is no such task");
    }
    match Options::parse(args)? {
        Some(options) => tokio::runtime::Runtime::new()?.block_on(run(options)),
        None => help(HELP),
    }
}

async fn run(options: Options) -> Result<ExitCode> {
    let Options { path, url, collection, origin, replace } = options;
    let job = Job { path, url, collection, secret: variables::secret(), origin, replace };
    let begun = Instant::now();
    let screen = RefCell::new(Screen::new(terminal::width()));
    let mut tally = Tally::default();
    let mut tell = |told| print(screen.borrow_mut().tell(&told, begun.elapsed()));
    let loaded = tokio::select! {
        loaded = load_into(&job, &mut tally, &mut tell) => loaded,
        signal = tokio::signal::ctrl_c() => {
            signal.context("signals cannot be waited for")?;
            print(screen.borrow().broken(&tally, begun.elapsed()));
            eprintln!("\ninterrupted; begin again to go on: what is there already is not loaded twice");
            // Files may still be read by a thread of their own, which nobody waits for.
            std::process::exit(130);
        }
        never = ticking(&screen, begun) => match never {},
    };
    let screen = screen.borrow();
    loaded.inspect_err(|_| print(screen.broken(&tally, begun.elapsed())))?;
    print(screen.end(&tally, begun.elapsed()));
    Ok(if tally.is_whole() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Has it said how long it takes, for as long as it does.
async fn ticking(screen: &RefCell<Screen>, begun: Instant) -> Infallible {
    loop {
        tokio::time::sleep(TICK).await;
        print(screen.borrow_mut().tick(begun.elapsed()));
    }
}

/// At once, so that a bar moves. Whoever reads no more is not told.
fn print(text: impl AsRef<str>) {
    let mut out = std::io::stdout().lock();
    drop(out.write_all(text.as_ref().as_bytes()));
    drop(out.flush());
}
