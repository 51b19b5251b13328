//! When nothing was said for too long, and what is said then. Time is an argument: any origin will do.

use std::time::Duration;

/// The longest silence. People start to wonder after ten seconds.
const BOUND: Duration = Duration::from_secs(8);

/// Silence so far.
#[derive(Debug)]
pub struct Silence {
    since: Duration,
}

impl Silence {
    /// Begins now.
    pub fn begin(now: Duration) -> Silence {
        Silence { since: now }
    }

    /// Something was said by somebody else.
    pub fn broken(&mut self, now: Duration) {
        self.since = now;
    }

    /// How long until a line is due; zero: it is.
    pub fn left(&self, now: Duration) -> Duration {
        (self.since + BOUND).saturating_sub(now)
    }

    /// Whether a line is due. Whoever is told so says it, and the next silence begins.
    pub fn is_over(&mut self, now: Duration) -> bool {
        let is_over = self.left(now).is_zero();
        if is_over {
            self.broken(now);
        }
        is_over
    }
}

/// The line for a silence: how long the step has taken, and where it is.
pub fn line(elapsed: Duration, place: &str) -> String {
    let seconds = elapsed.as_secs();
    match (seconds / 60, seconds % 60) {
        (0, seconds) => format!("  … {seconds} s: {place}"),
        (minutes, seconds) => format!("  … {minutes} min {seconds:02} s: {place}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The seconds at which lines are due until `end`, when something is said at `heard`.
    fn lines(heard: &[u64], end: u64) -> Vec<u64> {
        let mut silence = Silence::begin(Duration::ZERO);
        let mut due = Vec::new();
        for second in 0..=end {
            let now = Duration::from_secs(second);
            if heard.contains(&second) {
                silence.broken(now);
            }
            if silence.is_over(now) {
                due.push(second);
            }
        }
        due
    }

    #[test]
    fn a_line_is_due_whenever_nothing_was_said_for_eight_seconds() {
        assert_eq!(lines(&[], 25), [8, 16, 24]);
        assert_eq!(lines(&[3, 9, 10], 25), [18]);
        assert_eq!(lines(&[0, 7, 14, 21], 25), [0; 0]);
        assert_eq!(lines(&[5], 13), [13]);
    }

    #[test]
    fn what_is_left_counts_down_and_never_below_zero() {
        let mut silence = Silence::begin(Duration::from_secs(100));
        assert_eq!(silence.left(Duration::from_secs(101)), Duration::from_secs(7));
        assert_eq!(silence.left(Duration::from_secs(190)), Duration::ZERO);
        silence.broken(Duration::from_secs(190));
        assert_eq!(silence.left(Duration::from_secs(190)), BOUND);
    }

    #[test]
    fn lines_say_minutes_once_there_are_some() {
        assert_eq!(line(Duration::from_secs(9), "a"), "  … 9 s: a");
        assert_eq!(line(Duration::from_secs(64), "a"), "  … 1 min 04 s: a");
    }
}
