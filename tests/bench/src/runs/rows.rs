//! What is reported of runs.

use crate::report::{Report, median, milliseconds, percentile, ratio};
use std::time::Duration;

impl Report {
    /// Steps of a long run, made natively, and the same bytes written with nothing around them.
    pub fn steps(&mut self, nodes: u32, steps: &[Duration], floor: &[Duration]) {
        let (median, bare) = (median(steps), median(floor));
        let all: Duration = steps.iter().sum();
        let each = all / u32::try_from(steps.len()).unwrap_or(1).max(1);
        self.row(
            &format!("runs: a step of a run of {nodes} nodes, natively ({} steps)", steps.len()),
            format!(
                "median {} ({:.2} × the same bytes in a bare row, {}), on average {}, 99 % {}",
                milliseconds(median),
                ratio(median, bare),
                milliseconds(bare),
                milliseconds(each),
                milliseconds(percentile(steps.iter().copied(), 99)),
            ),
        );
    }

    /// Short runs, one after the other, the statements of all of them, and their outside calls with nothing between.
    pub fn short_runs(
        &mut self,
        nodes: usize,
        times: &[Duration],
        statements: u64,
        floor: &[Duration],
    ) {
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let each = statements as f64 / times.len() as f64;
        let median = median(times);
        self.row(
            &format!("runs: one of {nodes} nodes, from the request to its last event"),
            format!(
                "median {} ({}), 99 % {}, {each:.1} statements, {} for each with all that is around it",
                milliseconds(median),
                over(median, floor),
                milliseconds(percentile(times.iter().copied(), 99)),
                milliseconds(median.div_f64(each.max(1.0))),
            ),
        );
    }

    /// Many runs at once, their outside calls, as many at once with nothing between, and a request alone and beside them.
    pub fn runs_at_once(
        &mut self,
        times: &[Duration],
        floor: &[Duration],
        [alone, beside]: [&[Duration]; 2],
    ) {
        let (alone, with) = (median(alone), median(beside));
        self.row(
            &format!("runs: {} of 5 nodes at once", times.len()),
            format!(
                "no error, median {} ({}), the last {}; an ask beside them {} ({:.2} × {} without)",
                milliseconds(median(times)),
                over(median(times), floor),
                milliseconds(percentile(times.iter().copied(), 100)),
                milliseconds(with),
                ratio(with, alone),
                milliseconds(alone),
            ),
        );
    }

    /// What a client waits for, beside a request that reads nothing.
    pub fn looks(&mut self, what: &str, times: &[Duration], hello: &[Duration]) {
        let (median, floor) = (median(times), median(hello));
        self.row(
            &format!("runs: {what}"),
            format!(
                "median {} ({:.2} × `/healthz`), 99 % {}",
                milliseconds(median),
                ratio(median, floor),
                milliseconds(percentile(times.iter().copied(), 99)),
            ),
        );
    }
}

/// How much longer something takes than its outside calls alone.
fn over(time: Duration, floor: &[Duration]) -> String {
    let floor = median(floor);
    format!("{:.2} × its outside calls alone, {}", ratio(time, floor), milliseconds(floor))
}
