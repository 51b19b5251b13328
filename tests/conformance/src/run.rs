//! Runs the tests of a suite, a few at a time, and keeps what became of each.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

use crate::needs::{self, Need};
use crate::pool::{Pool, Setup};
use crate::program::{self, Mode};
use crate::suite::{Suite, Test};
use crate::verdict::{Verdict, judge};
use crate::worker::Engine;

/// What became of one test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    /// Its path.
    pub path: String,
    /// Whether the engine's project leaves it out.
    pub ignored: bool,
    /// Why it was not run.
    pub need: Option<Need>,
    /// What the engines made of it: the first mode that does not pass, if any.
    pub verdicts: BTreeMap<Engine, Judged>,
}

/// A verdict and where it was reached.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Judged {
    /// What became of it.
    pub verdict: Verdict,
    /// The mode that did not pass; the last one otherwise.
    pub mode: String,
}

impl Record {
    /// Whether an engine passes it; `None` when it was not run there.
    #[must_use]
    pub fn passes(&self, engine: Engine) -> Option<bool> {
        self.verdicts.get(&engine).map(|judged| judged.verdict.passes())
    }
}

/// How to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The engines to compare.
    pub engines: Vec<Engine>,
    /// Programs at once.
    pub jobs: usize,
    /// How workers are started.
    pub setup: Setup,
    /// Verdicts of an earlier run by path; engines that are not to be run take them from there.
    pub known: BTreeMap<String, Record>,
    /// Where each record is written as soon as it is there: a run takes long and may be cut short.
    pub results: Option<PathBuf>,
}

/// Reads what an earlier run wrote with `--results`.
///
/// # Errors
/// When the file cannot be read or is something else.
pub fn read_records(file: &Path) -> Result<BTreeMap<String, Record>> {
    let open = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut records = BTreeMap::new();
    for line in BufReader::new(open).lines() {
        let record: Record = serde_json::from_str(&line?)
            .with_context(|| format!("{} holds no results of `--results`", file.display()))?;
        records.insert(record.path.clone(), record);
    }
    Ok(records)
}

/// The tests that a list names: a path at the start of each line, up to a tab.
pub fn only(tests: &mut Vec<Test>, list: &str) {
    let paths: BTreeSet<&str> = list.lines().filter_map(|line| line.split('\t').next()).collect();
    tests.retain(|test| paths.contains(test.path.as_str()));
}

/// As many of the tests as told, spread evenly.
pub fn sample(tests: &mut Vec<Test>, count: usize) {
    let all = tests.len();
    if count >= all {
        return;
    }
    let mut index = 0;
    tests.retain(|_| {
        let before = index * count / all;
        index += 1;
        index * count / all > before
    });
}

/// Runs all tests.
///
/// # Errors
/// When a program cannot be composed or a worker cannot be started.
pub async fn run(suite: Suite, options: Options) -> Result<Vec<Record>> {
    let pools: BTreeMap<Engine, Pool> = options
        .engines
        .iter()
        .map(|&engine| (engine, Pool::new(engine, options.setup.clone())))
        .collect();
    let total = suite.tests.len();
    let results = options.results.as_deref().map(create).transpose()?.map(Mutex::new);
    let next = AtomicUsize::new(0);
    let shared = Arc::new(Shared { suite, pools, known: options.known, results, next });
    let mut tasks = JoinSet::new();
    for _ in 0..options.jobs.max(1) {
        let shared = shared.clone();
        tasks.spawn(async move { shared.work().await });
    }
    let progress = tokio::spawn(progress(shared.clone(), total));
    let mut records = Vec::with_capacity(total);
    while let Some(part) = tasks.join_next().await {
        records.extend(part??);
    }
    progress.abort();
    records.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(records)
}

fn create(file: &Path) -> Result<File> {
    File::create(file).with_context(|| format!("cannot write {}", file.display()))
}

struct Shared {
    suite: Suite,
    pools: BTreeMap<Engine, Pool>,
    known: BTreeMap<String, Record>,
    results: Option<Mutex<File>>,
    next: AtomicUsize,
}

impl Shared {
    async fn work(&self) -> Result<Vec<Record>> {
        let mut records = Vec::new();
        while let Some(test) = self.suite.tests.get(self.next.fetch_add(1, Relaxed)) {
            let record = self.one(test).await?;
            self.write(&record)?;
            records.push(record);
        }
        Ok(records)
    }

    fn write(&self, record: &Record) -> Result<()> {
        let Some(results) = &self.results else { return Ok(()) };
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        let mut file = results.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line).context("cannot write the results")
    }

    async fn one(&self, test: &Test) -> Result<Record> {
        let need = Need::of(test);
        let mut verdicts =
            self.known.get(&test.path).map(|record| record.verdicts.clone()).unwrap_or_default();
        if need.is_none() {
            for (&engine, pool) in &self.pools {
                verdicts.insert(engine, self.judge(test, pool).await?);
            }
        }
        let ignored = needs::is_ignored(test);
        Ok(Record { path: test.path.clone(), ignored, need, verdicts })
    }

    async fn judge(&self, test: &Test, pool: &Pool) -> Result<Judged> {
        let mut last = "";
        for &mode in Mode::of(&test.metadata) {
            last = mode.name();
            let source = program::compose(test, mode, &self.suite.harness)?;
            let execution = pool.run(source).await?;
            let verdict = judge(&test.metadata, mode, &execution);
            if !verdict.passes() {
                return Ok(Judged { verdict, mode: last.to_owned() });
            }
        }
        Ok(Judged { verdict: Verdict::Pass, mode: last.to_owned() })
    }
}

/// Says every few seconds how far it is.
#[expect(clippy::print_stderr, reason = "its progress is for people")]
async fn progress(shared: Arc<Shared>, total: usize) {
    let started = Instant::now();
    let mut ticks = tokio::time::interval(Duration::from_secs(5));
    ticks.tick().await;
    loop {
        ticks.tick().await;
        let next = shared.next.load(Relaxed).min(total);
        let at = shared.suite.tests.get(next).map_or("the last ones", |test| test.path.as_str());
        let seconds = started.elapsed().as_secs();
        eprintln!("{seconds:>5} s  {next:>6} of {total}  {at}");
    }
}

/// This program, to be started again as a worker.
///
/// # Errors
/// When the system does not say.
pub fn this_program() -> Result<PathBuf> {
    std::env::current_exe().context("the path of this program is unknown")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Metadata;

    fn test(index: usize) -> Test {
        Test {
            path: format!("test/{index:03}.js"),
            source: String::new(),
            metadata: Metadata::default(),
        }
    }

    #[test]
    fn a_list_names_tests_by_its_first_column() {
        let mut tests: Vec<Test> = (0..5).map(test).collect();
        only(&mut tests, "test/001.js\tstrict\twrong: test/002.js\ntest/004.js\n");
        let paths: Vec<&str> = tests.iter().map(|test| test.path.as_str()).collect();
        assert_eq!(paths, ["test/001.js", "test/004.js"]);
    }

    #[test]
    fn a_sample_is_spread_and_has_the_size_told() {
        let mut tests: Vec<Test> = (0..100).map(test).collect();
        sample(&mut tests, 7);
        assert_eq!(tests.len(), 7);
        let halves = tests.iter().filter(|test| test.path.as_str() < "test/050.js").count();
        assert!((3..=4).contains(&halves));
        sample(&mut tests, 50);
        assert_eq!(tests.len(), 7);
    }
}
