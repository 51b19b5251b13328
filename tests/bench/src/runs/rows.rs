//! What is reported of runs.

use crate::report::{Report, median, milliseconds, percentile, ratio};
use std::time::Duration;

impl Report {
    /// Steps of long runs of so many nodes, made natively in so many turns, and the same bytes written with nothing around
    /// them. The first are what the others are compared with.
    pub fn steps(&mut self, turns: usize, sizes: &[(u32, Vec<Duration>, Vec<Duration>)]) {
        let all = |times: &[Duration]| times.iter().sum::<Duration>();
        let Some((fewest, of_fewest, _)) = sizes.first() else { return };
        for (nodes, steps, floor) in sizes {
            let (median, bare) = (median(steps), median(floor));
            let each = all(steps) / u32::try_from(steps.len()).unwrap_or(1).max(1);
            #[expect(clippy::cast_precision_loss, reason = "counts are small")]
            let more = steps.len() as f64 / of_fewest.len().max(1) as f64;
            let growth = format!(
                "; {:.2} × the time of {fewest} nodes for {more:.2} × the steps",
                ratio(all(steps), all(of_fewest)),
            );
            self.row(
                &format!(
                    "runs: a step of a run of {nodes} nodes, natively ({} steps)",
                    steps.len() / turns.max(1),
                ),
                format!(
                    "median {} ({:.2} × the same bytes in a bare row, {}), on average {}, 99 % {}{}",
                    milliseconds(median),
                    ratio(median, bare),
                    milliseconds(bare),
                    milliseconds(each),
                    milliseconds(percentile(steps.iter().copied(), 99)),
                    if nodes == fewest { "" } else { &growth },
                ),
            );
        }
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

    /// Many runs at once, in some turns, and the last of each turn; their outside calls, as many at once with nothing between;
    /// and a request alone and beside them.
    pub fn runs_at_once(
        &mut self,
        count: usize,
        [times, last]: [&[Duration]; 2],
        floor: &[Duration],
        [alone, beside]: [&[Duration]; 2],
    ) {
        let (alone, with) = (median(alone), median(beside));
        self.row(
            &format!("runs: {count} of 5 nodes at once"),
            format!(
                "no error, median {} ({}), the last {}; an ask beside them {} ({:.2} × {} without)",
                milliseconds(median(times)),
                over(median(times), floor),
                milliseconds(median(last)),
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
