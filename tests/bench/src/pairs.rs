//! Differences between two that were measured in the same moment, and how sure their median is.

use crate::chance::Chance;
use crate::client::{Line, Target};
use crate::host::Host;
use crate::usage::Threads;
use anyhow::Result;
use std::time::Duration;

/// What one request took: until its end, and of its host's processors, where the system tells.
#[derive(Debug, Clone, Copy)]
pub struct Took {
    total: Duration,
    processor: Option<Duration>,
}

impl Took {
    /// Sends one to this host.
    pub async fn of(host: &Host, line: &mut Line, target: &Target) -> Result<Took> {
        let used = || host.process().and_then(Threads::processor_time);
        let before = used();
        let total = line.send(target).await?.total;
        let processor = used().zip(before).map(|(now, before)| now.since(&before));
        let processor = processor.map(Duration::from_nanos);
        Ok(Took { total, processor })
    }

    /// Seconds that it took over another.
    pub fn over(self, other: Took) -> (f64, Option<f64>) {
        let over = |one: Duration, other: Duration| one.as_secs_f64() - other.as_secs_f64();
        let processor = self.processor.zip(other.processor);
        (over(self.total, other.total), processor.map(|(one, other)| over(one, other)))
    }
}

/// What is known of many figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    pub median: f64,
    /// Between these the median of all that could be measured lies, 95 times of 100.
    pub sure: [f64; 2],
    /// Between these lies half of them.
    pub half: [f64; 2],
}

impl Spread {
    /// None of none. How sure the median is, is counted by rank: that holds however the figures are distributed.
    pub fn of(figures: &[f64]) -> Option<Spread> {
        figures.first()?;
        let mut sorted = figures.to_vec();
        sorted.sort_by(f64::total_cmp);
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let count = sorted.len() as f64;
        let apart = 1.96 * count.sqrt() / 2.0;
        let at = |place: f64| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "between none and all"
            )]
            let place = place.clamp(0.0, count - 1.0) as usize;
            sorted.get(place).copied()
        };
        let middle = count / 2.0;
        Some(Spread {
            median: at(middle)?,
            sure: [at((middle - apart).floor())?, at((middle + apart).ceil())?],
            half: [at(count / 4.0)?, at(count * 3.0 / 4.0)?],
        })
    }

    /// As a difference in seconds.
    pub fn milliseconds(&self) -> String {
        let ms = |seconds: f64| seconds * 1e3;
        let [low, high] = self.sure.map(ms);
        let [quarter, most] = self.half.map(ms);
        format!(
            "{:+.2} ms at the median (95 % sure: {low:+.2} to {high:+.2}; half of them {quarter:+.2} to {most:+.2})",
            ms(self.median)
        )
    }

    /// As a factor.
    pub fn times(&self) -> String {
        let ([low, high], [quarter, most]) = (self.sure, self.half);
        format!(
            "{:.2} × the rate at the median (95 % sure: {low:.2} to {high:.2}; half of them {quarter:.2} to {most:.2})",
            self.median
        )
    }
}

/// Orders that are not the same twice in a row, so that nobody always follows the same: what one leaves behind to be done
/// is then everybody's. The same at each run.
#[derive(Debug)]
pub struct Orders(Chance);

impl Orders {
    pub fn new() -> Orders {
        Orders(Chance::of(0x9e37_79b9_7f4a_7c15))
    }

    /// An order of so many.
    pub fn next(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_cached_key(|_| self.0.number());
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_median_is_as_sure_as_there_are_figures() {
        let figures: Vec<f64> = (0..=100).map(f64::from).rev().collect();
        let spread = Spread::of(&figures).unwrap();
        assert_eq!((spread.median, spread.half), (50.0, [25.0, 75.0]));
        // 1.96 × √101 / 2 on each side.
        assert_eq!(spread.sure, [40.0, 61.0]);
        let few = Spread::of(&[3.0, 1.0]).unwrap();
        assert_eq!(few.sure, [1.0, 3.0]);
        assert_eq!(Spread::of(&[]), None);
    }

    #[test]
    fn each_order_has_everybody_once() {
        let mut orders = Orders::new();
        let seen: HashSet<Vec<usize>> = (0..50).map(|_| orders.next(4)).collect();
        assert!(seen.len() > 15, "{seen:?}");
        for mut order in seen {
            order.sort_unstable();
            assert_eq!(order, [0, 1, 2, 3]);
        }
    }
}
