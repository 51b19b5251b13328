//! What a process has used so far, as Linux tells it; other systems tell nothing here.

use std::fs;
use std::ops::{Add, Sub};
use std::time::Duration;

/// The kernel's clock ticks a second, on every Linux that people run.
const TICKS: f64 = 100.0;

/// Used since the process began.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Usage {
    /// Processor time in its own code, in seconds.
    pub user: f64,
    /// Processor time in the kernel on its behalf, in seconds.
    pub system: f64,
    /// How often a thread of it slept and was woken: the voluntary context switches of all threads
    /// that live. Those of a thread that has ended are lost.
    pub wake_ups: f64,
}

impl Usage {
    /// Of a process, by its id.
    pub fn of(process: u32) -> Option<Usage> {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // After the name in brackets: state, then numbers; user and system time are 12th and 13th.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
        let mut next = || fields.next()?.parse::<u32>().ok().map(f64::from);
        let (user, system) = (next()? / TICKS, next()? / TICKS);
        let threads = fs::read_dir(format!("/proc/{process}/task")).ok()?;
        let wake_ups = threads
            .flatten()
            .filter_map(|thread| fs::read_to_string(thread.path().join("status")).ok())
            .filter_map(|status| number(&status, "voluntary_ctxt_switches:"))
            .sum();
        Some(Usage { user, system, wake_ups })
    }
}

impl Add for Usage {
    type Output = Usage;

    fn add(self, other: Usage) -> Usage {
        Usage {
            user: self.user + other.user,
            system: self.system + other.system,
            wake_ups: self.wake_ups + other.wake_ups,
        }
    }
}

impl Sub for Usage {
    type Output = Usage;

    fn sub(self, other: Usage) -> Usage {
        Usage {
            user: self.user - other.user,
            system: self.system - other.system,
            wake_ups: self.wake_ups - other.wake_ups,
        }
    }
}

/// Processor time that the threads of a process have used, of those that live: finer than [`Usage`] tells it, so that one
/// request can be told from the next. A thread may end while the others are read: it is left out.
pub fn processor_time(process: u32) -> Option<Duration> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("schedstat")).ok())
        .filter_map(|times| times.split_whitespace().next()?.parse().ok())
        .map(Duration::from_nanos)
        .reduce(|sum, time| sum + time)
}

/// Resident memory of a process, in bytes.
pub fn resident(process: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    Some(number(&status, "VmRSS:")? * 1024.0)
}

/// The number in the line that begins with this name.
fn number(status: &str, name: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_the_whole_name() {
        let status =
            "VmRSS:\t    1024 kB\nnonvoluntary_ctxt_switches:\t9\nvoluntary_ctxt_switches:\t7\n";
        assert_eq!(number(status, "VmRSS:"), Some(1024.0));
        assert_eq!(number(status, "voluntary_ctxt_switches:"), Some(7.0));
        assert_eq!(number(status, "Threads:"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_is_read() {
        let usage = Usage::of(std::process::id()).unwrap();
        assert!(usage.user >= 0.0 && usage.wake_ups >= 0.0);
        assert!(resident(std::process::id()).unwrap() > 1e6);
        assert!(processor_time(std::process::id()).is_some());
        assert_eq!(Usage::of(u32::MAX), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn threads_that_end_meanwhile_are_left_out() {
        let begins_and_ends = || (0..2_000).for_each(|_| drop(std::thread::spawn(|| ()).join()));
        let threads = std::thread::spawn(begins_and_ends);
        while !threads.is_finished() {
            assert!(processor_time(std::process::id()).is_some());
        }
    }
}
