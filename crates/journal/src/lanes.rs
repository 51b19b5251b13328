//! What is on its way to or from the store: one thing at a time in each lane.

use crate::backoff::Backoff;
use quarry_types::Timestamp;

/// What a store may take for one thing. Files answer within their own patience; a database over the
/// network may hang. Milliseconds.
const HUNG_MS: u64 = 10_000;

/// Who is woken so much too late has a busy processor, and so has the store. Milliseconds.
const LATE_MS: u64 = 100;

/// So much of a busy processor's time is not counted against the store of one log. Milliseconds.
const MOST_EXCUSED_MS: u64 = 60_000;

/// What a store is asked for. Each lane waits only for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// Parts of the log.
    Log,
    /// The snapshot.
    Snapshot,
    /// The sign of life.
    Sign,
    /// The place among those under way.
    Slot,
    /// Whether somebody wants an end.
    Stop,
    /// All that is left to do at the end, in one go: nothing else is under way beside it.
    Close,
}

impl Lane {
    const ALL: [Lane; 6] =
        [Lane::Log, Lane::Snapshot, Lane::Sign, Lane::Slot, Lane::Stop, Lane::Close];

    const fn index(self) -> usize {
        self as usize
    }
}

#[derive(Debug, Default)]
pub(crate) struct Lanes {
    begun: [Option<Timestamp>; Lane::ALL.len()],
    backoff: Backoff,
    /// When something worked last.
    worked: Option<Timestamp>,
    excused_ms: u64,
    is_closed: bool,
}

impl Lanes {
    pub fn begin(&mut self, lane: Lane, now: Timestamp) {
        if let Some(begun) = self.begun.get_mut(lane.index()) {
            *begun = Some(now);
        }
    }

    pub fn end(&mut self, lane: Lane, worked: bool, now: Timestamp) {
        let begun = self.begun.get_mut(lane.index()).and_then(Option::take);
        if worked {
            self.worked = Some(now);
            self.backoff.worked();
        } else {
            self.backoff.failed(begun.map_or(0, |begun| now.since(begun)), now);
        }
    }

    /// Whoever looks was woken so late: for as long nobody could hear an answer, and the store had no time to give one.
    pub fn excuse(&mut self, late_ms: u64, now: Timestamp) {
        if late_ms < LATE_MS {
            return;
        }
        let late_ms = late_ms.min(MOST_EXCUSED_MS.saturating_sub(self.excused_ms));
        self.excused_ms = self.excused_ms.saturating_add(late_ms);
        for begun in self.begun.iter_mut().flatten() {
            *begun = Timestamp(begun.0.saturating_add(late_ms)).min(now);
        }
    }

    /// When something worked last.
    pub const fn worked_at(&self) -> Option<Timestamp> {
        self.worked
    }

    /// A lane in which something hangs.
    pub fn hung(&self, now: Timestamp) -> Option<Lane> {
        let is_hung = |lane: &Lane| self.hangs_at(*lane).is_some_and(|at| at <= now);
        Lane::ALL.into_iter().find(is_hung)
    }

    /// When the first of what is under way hangs.
    pub fn next_hangs_at(&self) -> Option<Timestamp> {
        Lane::ALL.into_iter().filter_map(|lane| self.hangs_at(lane)).min()
    }

    fn hangs_at(&self, lane: Lane) -> Option<Timestamp> {
        let begun = self.begun.get(lane.index()).copied().flatten()?;
        Some(Timestamp(begun.0.saturating_add(HUNG_MS)))
    }

    fn is_busy(&self, lane: Lane) -> bool {
        self.begun.get(lane.index()).is_some_and(Option::is_some)
    }

    /// There is no store at all.
    pub const fn close(&mut self) {
        self.is_closed = true;
    }

    pub const fn is_closed(&self) -> bool {
        self.is_closed
    }

    pub const fn is_failing(&self) -> bool {
        self.is_closed || self.backoff.is_failing()
    }

    /// How often the store has failed since it last worked.
    pub const fn failures(&self) -> u32 {
        self.backoff.failures()
    }

    /// Whether something may begin in this lane.
    pub fn is_free(&self, lane: Lane, now: Timestamp) -> bool {
        let any = self.begun.iter().any(Option::is_some);
        !self.is_closed && !self.is_taken(lane) && self.backoff.may_try(now, any)
    }

    /// Whether nothing is under way, and nothing has failed.
    pub fn are_idle(&self) -> bool {
        !self.is_failing() && self.begun.iter().all(Option::is_none)
    }

    fn is_taken(&self, lane: Lane) -> bool {
        self.is_busy(lane) || self.is_busy(Lane::Close)
    }

    /// When what is due then can begin in this lane; none: when something under way has ended.
    pub fn wake_at(&self, lane: Lane, due: Timestamp) -> Option<Timestamp> {
        let any = self.begun.iter().any(Option::is_some);
        let waits = self.is_closed || self.is_taken(lane) || (self.backoff.is_failing() && any);
        (!waits).then(|| self.backoff.until().map_or(due, |until| until.max(due)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_busy_processor_took_is_not_counted_against_the_store() {
        let mut lanes = Lanes::default();
        lanes.begin(Lane::Log, Timestamp(0));
        lanes.excuse(99, Timestamp(5_000));
        assert_eq!(lanes.next_hangs_at(), Some(Timestamp(10_000)));
        lanes.excuse(8_000, Timestamp(10_000));
        assert_eq!(lanes.hung(Timestamp(17_999)), None);
        assert_eq!(lanes.hung(Timestamp(18_000)), Some(Lane::Log));
        // However busy it is, that comes to an end.
        lanes.excuse(600_000, Timestamp(18_000));
        lanes.excuse(600_000, Timestamp(28_000));
        assert_eq!(lanes.hung(Timestamp(28_000)), Some(Lane::Log));
    }
}
