//! The command: runs the suite, or serves as a worker of a run.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use lexopt::prelude::*;
use quarry_conformance::pool::Setup;
use quarry_conformance::report;
use quarry_conformance::run::{self, Options};
use quarry_conformance::suite::Suite;
use quarry_conformance::worker::{self, Engine};
use xtask::options::helps::TEST262;

struct Arguments {
    suite: PathBuf,
    manifest: PathBuf,
    engines: Vec<Engine>,
    filter: String,
    only: Option<PathBuf>,
    sample: Option<usize>,
    jobs: usize,
    results: Option<PathBuf>,
    known: Option<PathBuf>,
    list: Option<PathBuf>,
}

fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn start() -> Result<()> {
    let mut words = std::env::args().skip(1);
    if words.next().as_deref() == Some("worker") {
        let (Some(engine), Some(manifest)) = (words.next(), words.next()) else {
            bail!("a worker is started by a run, with engine and manifest");
        };
        let engine = Engine::named(&engine).with_context(|| format!("no engine `{engine}`"))?;
        return worker::serve(engine, &PathBuf::from(manifest));
    }
    match parse(lexopt::Parser::from_env())? {
        Some(arguments) => run_suite(arguments),
        None => {
            print!("{TEST262}");
            Ok(())
        }
    }
}

fn parse(mut args: lexopt::Parser) -> Result<Option<Arguments>> {
    let (mut suite, mut manifest) = (None, None);
    let mut engines = vec![Engine::Plain, Engine::Component];
    let (mut filter, mut only, mut sample, mut jobs) = (String::new(), None, None, 2);
    let (mut results, mut known, mut list) = (None, None, None);
    while let Some(arg) = args.next()? {
        match arg {
            Value(path) if suite.is_none() => suite = Some(PathBuf::from(path)),
            Long("manifest") => manifest = Some(PathBuf::from(args.value()?)),
            Long("engine") => {
                let name = args.value()?.string()?;
                if name != "both" {
                    let one = Engine::named(&name);
                    engines = vec![one.context("--engine is component, plain or both")?];
                }
            }
            Long("filter") => filter = args.value()?.string()?,
            Long("only") => only = Some(PathBuf::from(args.value()?)),
            Long("sample") => sample = Some(args.value()?.parse()?),
            Long("jobs") => jobs = args.value()?.parse()?,
            Long("results") => results = Some(PathBuf::from(args.value()?)),
            Long("known") => known = Some(PathBuf::from(args.value()?)),
            Long("list") => list = Some(PathBuf::from(args.value()?)),
            Short('h') | Long("help") => return Ok(None),
            other => return Err(other.unexpected().into()),
        }
    }
    let suite = suite.with_context(|| format!("name a checkout of tc39/test262\n\n{TEST262}"))?;
    let manifest = manifest.context("--manifest is needed: where the sandbox is")?;
    Ok(Some(Arguments {
        suite,
        manifest,
        engines,
        filter,
        only,
        sample,
        jobs,
        results,
        known,
        list,
    }))
}

fn run_suite(arguments: Arguments) -> Result<()> {
    let mut suite = Suite::read(&arguments.suite, &arguments.filter)?;
    if let Some(file) = &arguments.only {
        let text = std::fs::read_to_string(file);
        run::only(
            &mut suite.tests,
            &text.with_context(|| format!("cannot read {}", file.display()))?,
        );
    }
    if let Some(count) = arguments.sample {
        run::sample(&mut suite.tests, count);
    }
    if suite.tests.is_empty() {
        bail!("--filter and --only leave no test of {}", arguments.suite.display());
    }
    let known = match &arguments.known {
        Some(file) => run::read_records(file)?,
        None => Default::default(),
    };
    let manifest = std::fs::canonicalize(&arguments.manifest)
        .with_context(|| format!("cannot find {}", arguments.manifest.display()))?;
    let mut engines = arguments.engines.clone();
    if !known.is_empty() {
        // Reported side by side with what is run.
        engines = vec![Engine::Plain, Engine::Component];
    }
    let options = Options {
        engines: arguments.engines,
        jobs: arguments.jobs,
        setup: Setup { program: run::this_program()?, manifest },
        known,
        results: arguments.results,
    };
    let runtime = tokio::runtime::Runtime::new()?;
    let records = runtime.block_on(run::run(suite, options))?;
    if let Some(file) = arguments.list {
        let text = report::list(&records);
        std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    print!("{}", report::render(&records, &engines));
    Ok(())
}
