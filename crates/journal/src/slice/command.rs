//! What a slice asks for, and what came of it.

use crate::run::Searched;
use quarry_types::Timestamp;
use std::collections::BTreeSet;

/// What is written in one go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Append<I, E> {
    /// The number of its first entry.
    pub n: u64,
    /// Inputs with the times at which they were taken in.
    pub entries: Vec<(Timestamp, I)>,
    /// What they led to.
    pub events: Vec<E>,
    /// Whether the machine's state goes with it.
    pub checkpoint: bool,
    /// The parts of the machine that clients see and that changed; none: all of them, because nobody has written
    /// them yet.
    pub parts: Option<BTreeSet<u64>>,
    /// What others may find again, by the number of its entry.
    pub searches: Vec<(u64, Searched)>,
    /// Until when others leave the run alone.
    pub lease_until: Timestamp,
    /// What of the inbox is in it.
    pub inbox: Vec<String>,
}

/// What is to be done for a slice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SliceCommand<I, E, F> {
    /// Write this, whole or not at all, and tell [`super::Slice::written`].
    Write(Append<I, E>),
    /// Begin these, and tell their outcomes.
    Begin(Vec<F>),
    /// Look what persons said, and tell [`super::Slice::looked`].
    Look,
    /// Ask whether there is room among the runs that are driven, and tell [`super::Slice::entered`]: whoever waits has none.
    Enter,
    /// Renew the lease until then, without a word about the machine, and tell [`super::Slice::renewed`].
    Renew(Timestamp),
    /// Read the machine anew from its journal, and tell [`super::Slice::reloaded`].
    Reload,
    /// Let go of the run. Nothing follows.
    Leave(Leave),
}

/// Why a driver lets go of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leave {
    /// It has ended.
    Over,
    /// It waits: until then, or for somebody.
    Waits {
        /// Until when.
        until: Option<Timestamp>,
    },
    /// Its time is over, and the run goes on elsewhere.
    HandOver,
    /// Somebody else drives it.
    Lost,
    /// The store failed for too long.
    StoreFails,
}

/// What came of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// It is in the journal.
    Yes,
    /// Somebody else's entry, or lease, is in its place.
    Lost,
    /// Nothing: persons said something that is to be heard before it.
    Unheard,
    /// The store failed.
    Failed,
}
