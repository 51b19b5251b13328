//! The figures as a Markdown table.

use crate::citations::Checked;
use crate::client::Measured;
use crate::doors::Door;
use crate::host::{self, Kept};
use crate::knowledge::{AtOnce, Library};
use crate::pairs::Spread;
use crate::subject::{Load, Seen, Subject};
use crate::usage::Usage;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;

pub const MIB: f64 = 1024.0 * 1024.0;

/// Figures in the order in which they were measured.
#[derive(Default)]
pub struct Report {
    rows: Vec<(String, String)>,
}

impl Report {
    /// All of them, each compared with others of them.
    pub fn subjects(&mut self, subjects: &[Subject<'_>]) {
        for subject in subjects {
            let compared = |other: &&Subject<'_>| subject.compared.contains(&&*other.name);
            let others: Vec<&Subject<'_>> = subjects.iter().filter(compared).collect();
            self.latency(subject, &others);
            self.throughput(subject, &others);
            self.costs(&subject.name, &subject.seen.one);
            self.costs(&subject.name, &subject.seen.many);
            self.host_calls(&subject.name, &subject.seen);
            let resident = subject.seen.resident;
            let resident =
                resident.map_or("unknown".to_owned(), |bytes| format!("{:.0} MiB", bytes / MIB));
            self.row(&format!("{}: resident memory afterwards", subject.name), resident);
        }
    }

    fn latency(&mut self, subject: &Subject<'_>, others: &[&Subject<'_>]) {
        let Seen { one, first_bytes_delayed, .. } = &subject.seen;
        let median = one.median();
        let slow = percentile(one.times.iter().map(|times| times.total), 99);
        let first = one.first_byte();
        let late = percentile(first_bytes_delayed.iter().copied(), 50);
        let ratios = ratios(others, |other| ratio(median, other.seen.one.median()));
        self.row(
            &format!("{}: one client", subject.name),
            format!(
                "median {}{ratios}, 99 % {}, first byte median {}, for a client that acknowledges late {}",
                milliseconds(median),
                milliseconds(slow),
                milliseconds(first),
                milliseconds(late),
            ),
        );
    }

    fn throughput(&mut self, subject: &Subject<'_>, others: &[&Subject<'_>]) {
        let many = &subject.seen.many;
        let rate = many.rate();
        let ratios = ratios(others, |other| rate / other.seen.many.rate());
        self.row(
            &format!("{}: {} clients", subject.name, many.clients),
            format!(
                "{rate:.0}/s{ratios}, median {}, first byte median {}",
                milliseconds(many.median()),
                milliseconds(many.first_byte()),
            ),
        );
    }

    /// What each request cost the server's process.
    fn costs(&mut self, name: &str, load: &Load) {
        let each = |total: f64| total / load.count();
        let used = load.used.map_or("unknown".to_owned(), |Usage { user, system, wake_ups }| {
            let (user, system) = (each(user) * 1e3, each(system) * 1e3);
            format!(
                "processor time {:.2} ms (user {user:.2}, system {system:.2}), {:.1} wake-ups",
                user + system,
                each(wake_ups)
            )
        });
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let calls = match load.model_calls {
            0 => String::new(),
            calls => format!(", {:.2} model calls", each(calls as f64)),
        };
        let clients = if load.clients == 1 { "one client" } else { "many clients" };
        self.row(&format!("{name}: for each, {clients}"), format!("{used}{calls}"));
    }

    /// By component and package in the table, by name on the way.
    fn host_calls(&mut self, name: &str, seen: &Seen) {
        if seen.host_calls.is_empty() {
            return;
        }
        let mut packages: BTreeMap<(&str, &str), f64> = BTreeMap::new();
        let mut total = 0.0;
        for ((component, function), calls) in &seen.host_calls {
            #[expect(clippy::cast_precision_loss, reason = "counts are small")]
            let each = *calls as f64 / seen.one.count();
            eprintln!("    {each:8.2} {component} {function}");
            let package =
                function.split_once('/').map_or(function.as_str(), |(package, _)| package);
            *packages.entry((component, package)).or_default() += each;
            total += each;
        }
        let listed: Vec<String> = packages
            .into_iter()
            .map(|((component, package), each)| format!("{component} {package} {each:.1}"))
            .collect();
        self.row(
            &format!("{name}: host calls for each"),
            format!("{total:.1} ({})", listed.join(", ")),
        );
    }

    /// What a door costs over an ask by `/ask`, pair by pair.
    pub fn door(&mut self, door: &Door, ask: &Door, clients: usize) {
        let Door { name, times, processor, rates, .. } = door;
        let told = |spread: Option<Spread>, as_text: fn(&Spread) -> String| {
            spread.map_or("unknown".to_owned(), |spread| as_text(&spread))
        };
        let calls = Report::more_calls(door, ask);
        self.row(
            &format!("doors: an ask through {name}, over `/ask`"),
            format!(
                "one client, {} pairs: {}, processor time {}; {clients} clients, {} pairs of blocks: {}; host calls {calls}",
                times.len(),
                told(Spread::of(times), Spread::milliseconds),
                told(Spread::of(processor), Spread::milliseconds),
                rates.len(),
                told(Spread::of(rates), Spread::times),
            ),
        );
    }

    /// What a sentence that is checked takes over one that is not.
    pub fn citations(&mut self, checked: &Checked) {
        let told = |figures: &[f64]| {
            let spread = checked.each(figures);
            spread.map_or("unknown".to_owned(), |spread| spread.milliseconds())
        };
        let Checked { sentences, passages, times, processor } = checked;
        self.row(
            &format!("citations: a sentence of {sentences}, checked against {passages} passages of 1,500 bytes, over one that is not"),
            format!(
                "{} pairs: {}, processor time {}",
                times.len(),
                told(times),
                told(processor)
            ),
        );
    }

    /// By package in the table, by name on the way.
    fn more_calls(door: &Door, ask: &Door) -> String {
        let (mut packages, mut total) = (BTreeMap::<&str, f64>::new(), 0.0);
        for ((component, function), calls) in &door.calls {
            let bare = ask.calls.get(&(component.clone(), function.clone())).copied();
            let more = calls - bare.unwrap_or_default();
            if more.abs() >= 0.1 {
                eprintln!("    {more:+8.2} {component} {function}");
            }
            let package =
                function.split_once('/').map_or(function.as_str(), |(package, _)| package);
            *packages.entry(package).or_default() += more;
            total += more;
        }
        packages.retain(|_, more| more.abs() >= 0.05);
        let listed: Vec<String> =
            packages.iter().map(|(package, more)| format!("{package} {more:+.1}")).collect();
        format!(
            "{total:+.1} ({})",
            if listed.is_empty() { "none".into() } else { listed.join(", ") }
        )
    }

    /// Calls between components; `floor` is the median of the cheapest.
    pub fn hop(&mut self, to: &str, times: &[Duration], floor: Duration) {
        let median = percentile(times.iter().copied(), 50);
        self.row(
            &format!("a call over the internal network: {to}"),
            format!(
                "median {} ({:.2} × a private hello world), 99 % {}",
                milliseconds(median),
                ratio(median, floor),
                milliseconds(percentile(times.iter().copied(), 99)),
            ),
        );
    }

    pub fn streams(
        &mut self,
        count: usize,
        held: Duration,
        kept: Kept,
        dropped: usize,
        resident: Option<(f64, f64)>,
    ) {
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let memory = resident.map_or("memory unknown".to_owned(), |(before, after)| {
            let each = (after - before).max(0.0) / count as f64 / MIB;
            format!("{each:.2} MiB of extra resident memory each")
        });
        let settings = match kept {
            Kept::Nothing => "nothing kept of ended instances",
            Kept::AsSpin => "Spin's own memory settings",
        };
        self.row(
            &format!(
                "{count} streams that begin at once, held open for {} s, {settings}",
                held.as_secs()
            ),
            format!("{dropped} dropped, {memory}"),
        );
    }

    /// Memory before, and after so many came.
    pub fn crowd(&mut self, who: &str, count: usize, resident: Option<(f64, f64)>) {
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let memory = resident.map_or("memory unknown".to_owned(), |(before, after)| {
            let extra = (after - before).max(0.0) / MIB;
            let each = extra / count as f64;
            format!("{extra:.0} MiB more than the {:.0} before, {each:.2} each", before / MIB)
        });
        self.row(&format!("{count} {who}"), memory);
    }

    /// A library of documents. Bounds that are told are those that a document has on the way.
    pub fn documents(&mut self, library: &Library) {
        let Library { chunks, bytes, loading, first, questions, floor, resident, memory, .. } =
            library;
        let vectors =
            library.dimension.map(|numbers| format!(" with vectors of {numbers} numbers"));
        let name = format!("knowledge: {chunks} chunks{}", vectors.unwrap_or_default());
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let megabytes = *bytes as f64 / 1e6;
        self.row(
            &format!("{name}: loading"),
            format!(
                "{:.2} MB/s ({megabytes:.1} MB of Markdown in {:.1} s)",
                megabytes / loading.as_secs_f64(),
                loading.as_secs_f64()
            ),
        );
        let (found, bare) = (median(questions), median(floor));
        self.row(
            &format!("{name}: a question"),
            format!(
                "median {} ({:.2} × listing one document), 99 % {}, the first, which reads the index, {}",
                milliseconds(found),
                ratio(found, bare),
                milliseconds(percentile(questions.iter().copied(), 99)),
                milliseconds(*first),
            ),
        );
        let mebibytes = |bytes: &Option<f64>| {
            bytes.map_or("unknown".to_owned(), |bytes| format!("{:.0} MiB", bytes / MIB))
        };
        let told: Vec<String> = resident.iter().map(mebibytes).collect();
        self.row(
            &format!(
                "{name}: resident memory of the host before, behind the load, behind the questions"
            ),
            told.join(", "),
        );
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let most = memory.map(|[one, all]| (one as f64 / MIB, all as f64 / MIB));
        let [(loading, with_others), (asked, asked_with_others), (anew, _)] = most;
        self.row(
            &format!("{name}: the component's linear memory, highest, while loading, while questioned"),
            format!(
                "{loading:.0} MiB, {asked:.0} MiB ({with_others:.0} and {asked_with_others:.0} MiB with the memories of what it is composed with)"
            ),
        );
        let AtOnce { questions, took, memory: [own, with_others], resident } = &library.at_once;
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let [own, with_others] = [*own as f64 / MIB, *with_others as f64 / MIB];
        self.row(
            &format!("{name}: {questions} questions at once, none of which finds the index read"),
            format!(
                "median {}, the last {}; the component's linear memory {own:.0} MiB ({with_others:.0} MiB with the memories of what it is composed with), \
                 the host's behind them {}",
                milliseconds(median(took)),
                milliseconds(took.iter().copied().max().unwrap_or_default()),
                mebibytes(resident)
            ),
        );
        self.row(
            &format!("{name}: its index made anew, and the component's linear memory meanwhile"),
            format!("{}, {}", milliseconds(library.reindex), grown(anew)),
        );
    }

    pub fn courier(&mut self, durations: &[Duration]) {
        let median = percentile(durations.iter().copied(), 50);
        self.row(
            "the sandbox: a program of an ask, over the courier",
            format!("median {} ms (asks tell whole milliseconds)", median.as_millis()),
        );
    }

    pub fn beside(&mut self, name: &str, clients: usize, alone: &[Measured], beside: &[Measured]) {
        let median = |asks: &[Measured]| percentile(asks.iter().map(|measured| measured.total), 50);
        let (alone, with) = (median(alone), median(beside));
        self.row(
            &match clients {
                1 => format!("asks beside {name}"),
                many => format!("asks beside {name}: {many} clients"),
            },
            format!(
                "median {} ({:.2} × {} without)",
                milliseconds(with),
                ratio(with, alone),
                milliseconds(alone)
            ),
        );
    }

    pub fn sizes(&mut self, manifest: &Path) -> Result<()> {
        for name in ["quarry", "web", "sandbox", "console"] {
            let file = host::built(manifest).join(name).with_extension("wasm");
            let size = std::fs::metadata(&file).with_context(|| file.display().to_string())?.len();
            #[expect(clippy::cast_precision_loss, reason = "files are far below 2^53 bytes")]
            let megabytes = size as f64 / 1e6;
            self.row(&format!("size of `{name}.wasm`"), format!("{megabytes:.2} MB"));
        }
        Ok(())
    }

    /// Sees that each row has a name of its own.
    ///
    /// # Errors
    /// When two share one: nobody could tell which figure is whose.
    pub fn check_names(&self) -> Result<()> {
        let mut known = std::collections::BTreeSet::new();
        let twice = self.rows.iter().map(|(name, _)| name).find(|name| !known.insert(*name));
        match twice {
            Some(name) => anyhow::bail!("two rows are called “{name}”"),
            None => Ok(()),
        }
    }

    /// A line of it.
    pub fn row(&mut self, name: &str, figure: String) {
        eprintln!("{name}: {figure}");
        self.rows.push((name.to_owned(), figure));
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| what | measured |\n|---|---|")?;
        self.rows.iter().try_for_each(|(name, figure)| writeln!(f, "| {name} | {figure} |"))
    }
}

impl Load {
    fn median(&self) -> Duration {
        percentile(self.times.iter().map(|times| times.total), 50)
    }

    fn first_byte(&self) -> Duration {
        percentile(self.times.iter().map(|times| times.first_byte), 50)
    }

    #[expect(clippy::cast_precision_loss, reason = "counts are small")]
    fn count(&self) -> f64 {
        self.times.len() as f64
    }

    /// Requests a second.
    fn rate(&self) -> f64 {
        self.count() / self.took.as_secs_f64()
    }
}

/// ` (1.35 × floor (b), …)`, or nothing.
pub fn ratios(others: &[&Subject<'_>], of: impl Fn(&Subject<'_>) -> f64) -> String {
    let told: Vec<String> =
        others.iter().map(|other| format!("{:.2} × {}", of(other), other.name)).collect();
    if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
}

pub fn median(times: &[Duration]) -> Duration {
    percentile(times.iter().copied(), 50)
}

pub fn ratio(time: Duration, other: Duration) -> f64 {
    time.as_secs_f64() / other.as_secs_f64()
}

/// The time that so many of a hundred do not exceed.
pub fn percentile(times: impl Iterator<Item = Duration>, percent: usize) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    let at = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times.get(at).copied().unwrap_or_default()
}

pub fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

/// The highest of a memory, in MiB: one that did not grow is not noted.
fn grown(highest: f64) -> String {
    if highest > 0.0 { format!("{highest:.0} MiB") } else { "it did not grow".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::Report;

    #[test]
    fn rows_of_several_programs_have_names_of_their_own() {
        let mut report = Report::default();
        for program in ["an endless loop", "a heap that grows"] {
            for clients in [1, 16] {
                report.beside(program, clients, &[], &[]);
            }
        }
        report.check_names().unwrap();
        report.beside("an endless loop", 16, &[], &[]);
        assert!(report.check_names().is_err());
    }
}
