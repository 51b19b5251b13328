//! A run's times. While it waits, and while nobody drives it, its time stands still.

use quarry_events::run::WaitingFor;
use quarry_types::Timestamp;
use serde::{Deserialize, Serialize};

/// Milliseconds that the report has for itself when the run's time is over. Source: the contract's bounds.
const REPORT_MS: u64 = 60_000;

/// A run's times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clockwork {
    /// When it began.
    pub started: Timestamp,
    /// When anything last happened.
    pub updated: Timestamp,
    /// When it ended.
    pub completed: Option<Timestamp>,
    /// Milliseconds that it stood still.
    paused_ms: u64,
    /// Since when it stands still.
    paused_at: Option<Timestamp>,
    waiting: Option<WaitingFor>,
    /// Since when the report is being written.
    writing_since: Option<Timestamp>,
}

impl Clockwork {
    /// Of a run that begins now.
    #[must_use]
    pub const fn new(now: Timestamp) -> Self {
        Clockwork {
            started: now,
            updated: now,
            completed: None,
            paused_ms: 0,
            paused_at: None,
            waiting: None,
            writing_since: None,
        }
    }

    /// What the run waits for.
    #[must_use]
    pub const fn waiting(&self) -> Option<&WaitingFor> {
        self.waiting.as_ref()
    }

    /// The run waits for this.
    pub fn wait(&mut self, waiting: WaitingFor, now: Timestamp) {
        self.pause(now);
        self.waiting = Some(waiting);
    }

    fn pause(&mut self, now: Timestamp) {
        self.paused_at = self.paused_at.or(Some(now));
    }

    /// The run goes on after a wait or an end.
    pub fn go_on(&mut self, now: Timestamp) {
        self.waiting = None;
        self.completed = None;
        if let Some(since) = self.paused_at.take() {
            self.stood_still(now.since(since));
        }
    }

    /// So many milliseconds do not count.
    pub const fn stood_still(&mut self, ms: u64) {
        self.paused_ms = self.paused_ms.saturating_add(ms);
    }

    /// The report is begun.
    pub const fn begin_writing(&mut self, now: Timestamp) {
        self.writing_since = Some(now);
    }

    /// The run ends.
    pub fn end(&mut self, now: Timestamp) {
        self.waiting = None;
        self.completed = Some(now);
        self.pause(now);
    }

    /// When research that may take so many milliseconds, or the report behind it, has to be over.
    #[must_use]
    pub fn deadline(&self, most_ms: u64, is_writing: bool) -> Timestamp {
        let ends = most_ms.saturating_add(self.paused_ms);
        let research = Timestamp(self.started.0.saturating_add(ends));
        match self.writing_since.filter(|_| is_writing) {
            Some(since) => Timestamp(research.max(since).0.saturating_add(REPORT_MS)),
            None => research,
        }
    }

    /// Milliseconds since the beginning in which it did not stand still.
    #[must_use]
    pub fn elapsed(&self, now: Timestamp) -> u64 {
        let until = self.paused_at.unwrap_or(now);
        until.since(self.started).saturating_sub(self.paused_ms)
    }
}
