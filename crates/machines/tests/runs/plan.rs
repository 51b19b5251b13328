//! What goes wrong with a run, or is said to it, and what was done for it.

use quarry_machines::run::{Resumption, RunInput};
use quarry_types::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// What goes wrong, or is said, at which point. A point is each moment at which a driver may die.
#[derive(Default)]
pub struct Plan {
    pub kills: BTreeSet<u64>,
    /// Somebody takes the run from whoever drives it.
    pub rivals: BTreeSet<u64>,
    /// Somebody resumes the run with a key of their own, if it waits then.
    pub rekeys: BTreeSet<u64>,
    pub says: BTreeMap<u64, RunInput>,
    /// Wishes that are left, by whoever was told that another has the run.
    pub wishes: BTreeMap<u64, Resumption>,
    /// From this point on so many steps are not written.
    pub locked: Option<(u64, u32)>,
    /// From this point on so many steps are written, but the driver is told that they failed.
    pub lies: Option<(u64, u32)>,
    pub passing: Passing,
}

/// What whoever hands a run over hears of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Passing {
    /// That somebody drives it.
    #[default]
    Heard,
    /// Nothing: the answer is lost, or whoever was asked comes late. Both take it, in either order.
    Unheard,
}

impl Plan {
    /// Whether the store is locked for a step.
    pub fn locks(&mut self, point: u64) -> bool {
        counts(&mut self.locked, point)
    }

    /// Whether a driver is told that a step failed that is written.
    pub fn lies(&mut self, point: u64) -> bool {
        counts(&mut self.lies, point)
    }
}

/// Whether this is a time of those.
fn counts(times: &mut Option<(u64, u32)>, point: u64) -> bool {
    match times {
        Some((from, left)) if *from <= point && *left > 0 => {
            *left -= 1;
            true
        }
        _ => false,
    }
}

/// An effect that was performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Performed {
    pub id: String,
    pub attempt: u32,
    pub is_model: bool,
    /// By whom.
    pub holder: String,
    /// When, and at which point.
    pub at: Timestamp,
    pub point: u64,
}
