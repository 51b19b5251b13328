//! What a process has used so far, as Linux tells it; other systems tell nothing here.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::ops::Add;

/// The kernel's clock ticks a second, on every Linux that people run.
const TICKS: f64 = 100.0;

/// Used within some time.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Usage {
    /// Processor time in its own code, in seconds.
    pub user: f64,
    /// Processor time in the kernel on its behalf, in seconds.
    pub system: f64,
    /// How often a thread of it slept and was woken: the voluntary context switches of the threads
    /// that lived at the end. The last ones of a thread that has ended meanwhile are lost.
    pub wake_ups: f64,
}

/// Used since the process began.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// Processor time in its own code, in seconds.
    pub user: f64,
    /// Processor time in the kernel on its behalf, in seconds.
    pub system: f64,
    wake_ups: Threads,
}

impl Snapshot {
    /// Of a process, by its id.
    pub fn of(process: u32) -> Option<Snapshot> {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // After the name in brackets: state, then numbers; user and system time are 12th and 13th.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
        let mut next = || fields.next()?.parse::<u32>().ok().map(f64::from);
        let (user, system) = (next()? / TICKS, next()? / TICKS);
        let wake_ups =
            Threads::of(process, "status", |text| count(text, "voluntary_ctxt_switches:"))?;
        Some(Snapshot { user, system, wake_ups })
    }

    /// What has been used since an earlier one.
    pub fn since(&self, before: &Snapshot) -> Usage {
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
        let wake_ups = self.wake_ups.since(&before.wake_ups) as f64;
        Usage { user: self.user - before.user, system: self.system - before.system, wake_ups }
    }
}

/// A figure of each thread of a process. The system forgets it with the thread, so a sum over all that live would fall
/// when one ends, by all that it ever did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Threads(BTreeMap<OsString, u64>);

impl Threads {
    /// Processor time in nanoseconds: finer than [`Snapshot`] tells it, so that one request can be told from the next.
    pub fn processor_time(process: u32) -> Option<Threads> {
        Threads::of(process, "schedstat", |times| times.split_whitespace().next()?.parse().ok())
    }

    /// What a file of each thread says. One may end while the others are read: it is left out.
    fn of(process: u32, file: &str, read: impl Fn(&str) -> Option<u64>) -> Option<Threads> {
        let threads = fs::read_dir(format!("/proc/{process}/task")).ok()?;
        let figure = |thread: fs::DirEntry| {
            let text = fs::read_to_string(thread.path().join(file)).ok()?;
            Some((thread.file_name(), read(&text)?))
        };
        Some(Threads(threads.flatten().filter_map(figure).collect()))
    }

    /// What has been added since: by those that live, and all of those that are new.
    pub fn since(&self, before: &Threads) -> u64 {
        let added = |(thread, now): (&OsString, &u64)| {
            now.saturating_sub(before.0.get(thread).copied().unwrap_or_default())
        };
        self.0.iter().map(added).sum()
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

/// Resident memory of a process, in bytes.
pub fn resident(process: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let kibibytes = count(&status, "VmRSS:")? as f64;
    Some(kibibytes * 1024.0)
}

/// The whole number in the line that begins with this name.
fn count(status: &str, name: &str) -> Option<u64> {
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
        assert_eq!(count(status, "VmRSS:"), Some(1024));
        assert_eq!(count(status, "voluntary_ctxt_switches:"), Some(7));
        assert_eq!(count(status, "Threads:"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_is_read() {
        let process = std::process::id();
        let before = Snapshot::of(process).unwrap();
        let used = Snapshot::of(process).unwrap().since(&before);
        assert!(used.user >= 0.0 && used.wake_ups >= 0.0);
        assert!(resident(process).unwrap() > 1e6);
        assert!(Threads::processor_time(process).is_some());
        assert_eq!(Snapshot::of(u32::MAX), None);
    }

    #[test]
    fn a_thread_that_ends_takes_nothing_back() {
        let threads = |all: &[(&str, u64)]| {
            Threads(all.iter().map(|(thread, figure)| ((*thread).into(), *figure)).collect())
        };
        let before = threads(&[("1", 10), ("2", 9_000), ("3", 50)]);
        // The second has ended, the third has another's number, the fourth is new.
        let now = threads(&[("1", 15), ("3", 2), ("4", 7)]);
        assert_eq!(now.since(&before), 12);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn threads_that_end_meanwhile_are_left_out() {
        let begins_and_ends = || (0..2_000).for_each(|_| drop(std::thread::spawn(|| ()).join()));
        let threads = std::thread::spawn(begins_and_ends);
        while !threads.is_finished() {
            assert!(Threads::processor_time(std::process::id()).is_some());
        }
    }
}
