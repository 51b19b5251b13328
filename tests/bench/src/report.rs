//! The figures as a Markdown table.

use crate::client::Measured;
use crate::host::Kept;
use anyhow::{Context, Result};
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// Figures in the order in which they were measured.
#[derive(Default)]
pub struct Report {
    rows: Vec<(String, String)>,
    /// Median time of one client and requests a second of many, of what was measured first: for ratios.
    floor: Option<(Duration, f64)>,
}

impl Report {
    pub fn latency(
        &mut self,
        name: &str,
        single: &[Measured],
        clients: usize,
        loaded: &[Measured],
        took: Duration,
    ) {
        let total = percentile(single.iter().map(|measured| measured.total), 50);
        let first = percentile(single.iter().map(|measured| measured.first_byte), 50);
        let slow = percentile(single.iter().map(|measured| measured.total), 99);
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let rate = loaded.len() as f64 / took.as_secs_f64();
        let (floor, floor_rate) = *self.floor.get_or_insert((total, rate));
        let times = total.as_secs_f64() / floor.as_secs_f64();
        self.row(
            &format!("{name}: one client"),
            format!(
                "median {} ({times:.1} × floor), 99 % {}, first byte median {}",
                milliseconds(total),
                milliseconds(slow),
                milliseconds(first)
            ),
        );
        let loaded_median = percentile(loaded.iter().map(|measured| measured.total), 50);
        self.row(
            &format!("{name}: {clients} clients"),
            format!(
                "{rate:.0}/s (1/{:.1} of the floor), median {}",
                floor_rate / rate,
                milliseconds(loaded_median)
            ),
        );
    }

    pub fn streams(
        &mut self,
        count: usize,
        held: Duration,
        kept: Kept,
        dropped: usize,
        resident: Option<(u64, u64)>,
    ) {
        #[expect(clippy::cast_precision_loss, reason = "memory sizes are far below 2^53")]
        let memory = resident.map_or("memory unknown".to_owned(), |(before, after)| {
            let each = after.saturating_sub(before) as f64 / count as f64 / 1024.0 / 1024.0;
            format!("{each:.2} MiB of extra resident memory each")
        });
        let settings = match kept {
            Kept::Nothing => "",
            Kept::AsSpin => ", Spin's own memory settings",
        };
        self.row(
            &format!(
                "{count} streams that begin at once, held open for {} s{settings}",
                held.as_secs()
            ),
            format!("{dropped} dropped, {memory}"),
        );
    }

    /// Memory before, and after so many came.
    pub fn crowd(&mut self, who: &str, count: usize, resident: Option<(u64, u64)>) {
        #[expect(clippy::cast_precision_loss, reason = "memory sizes are far below 2^53")]
        let memory = resident.map_or("memory unknown".to_owned(), |(before, after)| {
            let mib = |bytes: u64| bytes as f64 / 1024.0 / 1024.0;
            let extra = mib(after.saturating_sub(before));
            let each = extra / count as f64;
            format!("{extra:.0} MiB more than the {:.0} before, {each:.2} each", mib(before))
        });
        self.row(&format!("{count} {who}"), memory);
    }

    pub fn courier(&mut self, durations: &[Duration]) {
        let median = percentile(durations.iter().copied(), 50);
        self.row(
            "the sandbox: a program of an ask, over the courier",
            format!("median {} ms (asks tell whole milliseconds)", median.as_millis()),
        );
    }

    /// Processor time of the host's process, user and system, for each of so many.
    pub fn processor(&mut self, what: &str, count: usize, before_after: Option<(f64, f64)>) {
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let each = before_after.map(|(before, after)| (after - before) * 1e3 / count as f64);
        let each = each.map_or("unknown".to_owned(), |each| format!("{each:.2} ms"));
        self.row(&format!("{what}: processor time of the host for each"), each);
    }

    pub fn beside(&mut self, name: &str, clients: usize, alone: &[Measured], beside: &[Measured]) {
        let median = |asks: &[Measured]| percentile(asks.iter().map(|measured| measured.total), 50);
        let (alone, with) = (median(alone), median(beside));
        let ratio = with.as_secs_f64() / alone.as_secs_f64();
        self.row(
            &match clients {
                1 => format!("asks beside {name}"),
                many => format!("the same, {many} clients"),
            },
            format!("median {} ({ratio:.2} × {} without)", milliseconds(with), milliseconds(alone)),
        );
    }

    pub fn sizes(&mut self, manifest: &Path) -> Result<()> {
        let folder = manifest.parent().unwrap_or(Path::new(".")).join("target/quarry");
        for name in ["quarry", "web", "sandbox", "console"] {
            let file = folder.join(name).with_extension("wasm");
            let size = std::fs::metadata(&file).with_context(|| file.display().to_string())?.len();
            #[expect(clippy::cast_precision_loss, reason = "files are far below 2^53 bytes")]
            let megabytes = size as f64 / 1e6;
            self.row(&format!("size of `{name}.wasm`"), format!("{megabytes:.2} MB"));
        }
        Ok(())
    }

    fn row(&mut self, name: &str, figure: String) {
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

fn percentile(times: impl Iterator<Item = Duration>, percent: usize) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    let at = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times.get(at).copied().unwrap_or_default()
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}
