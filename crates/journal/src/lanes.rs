//! What is on its way to or from the store: one thing at a time in each lane.

use crate::backoff::Backoff;
use quarry_types::Timestamp;

/// What a store may take for one thing. Files answer within their own patience; a database over the
/// network may hang. Milliseconds.
const HUNG_MS: u64 = 10_000;

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
            self.backoff.worked();
        } else {
            self.backoff.failed(begun.map_or(0, |begun| now.since(begun)), now);
        }
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
