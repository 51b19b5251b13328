//! One turn of a run: what came in at which time, and what goes out of it.

use super::{NodeId, RunReaction};
use quarry_events::At;
use quarry_events::run::{CheckpointSaved, Envelope, Event, Payload};
use quarry_journal::run::Searched;
use quarry_types::{RunId, Timestamp};
use serde::{Deserialize, Serialize};

/// The numbers that a run has given out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    /// Events.
    pub events: u64,
    /// Effects.
    pub tickets: u64,
    /// Checkpoints.
    pub checkpoints: u64,
    /// How many effects there were when its state was last kept for its own sake.
    #[serde(default)]
    pub kept_at: u64,
}

/// Effects up to which a state is kept behind every node. A run of the default bounds has fewer, so it is taken up as
/// the contract says; every state of a longer one would make what is written grow with the square of the journal.
pub const EACH_UNTIL: u64 = 1_024;

/// When a state is kept behind a node. Effects count and not entries, of which there are more where a driver has died.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checkpoints {
    /// Effects until which it is kept behind every node.
    pub each_until: u64,
    /// The part of all effects that has to be new before it is, from there on.
    pub share: u64,
}

impl Checkpoints {
    /// Whether it is worth keeping again.
    const fn is_due(self, numbers: &Numbers) -> bool {
        let Numbers { tickets, kept_at, .. } = *numbers;
        tickets <= self.each_until || tickets.saturating_sub(kept_at) >= tickets / self.share
    }
}

/// One call of `handle`.
#[derive(Debug)]
pub struct Turn {
    /// The present.
    pub now: Timestamp,
    run: RunId,
    round: u32,
    numbers: Numbers,
    checkpoints: Checkpoints,
    reaction: RunReaction,
    goes_on: bool,
    /// Whether this is a fork's turn in which its origin's end is no end.
    hides_ends: bool,
}

impl Turn {
    /// A turn that goes on with these numbers.
    #[must_use]
    pub fn new(
        now: Timestamp,
        run: RunId,
        round: u32,
        numbers: Numbers,
        checkpoints: Checkpoints,
    ) -> Self {
        Turn {
            now,
            run,
            round,
            numbers,
            checkpoints,
            reaction: RunReaction::default(),
            goes_on: false,
            hides_ends: false,
        }
    }

    /// The turn is one that a fork shares: what ended its origin is not told.
    pub const fn hides_ends(&mut self, hides: bool) {
        self.hides_ends = hides;
    }

    /// The numbers for the next turn, and what goes out.
    #[must_use]
    pub fn end(self) -> (Numbers, RunReaction) {
        (self.numbers, self.reaction)
    }

    /// Whether the run takes up what is next before the turn ends.
    pub const fn goes_on(&mut self, goes_on: bool) {
        self.goes_on = goes_on;
    }

    /// Whether it does, once.
    pub const fn takes_next(&mut self) -> bool {
        std::mem::replace(&mut self.goes_on, false)
    }

    /// From here on events are of this round.
    pub const fn begin_round(&mut self, round: u32) {
        self.round = round;
    }

    /// Tells something about the run.
    pub fn tell<P: Payload>(&mut self, payload: &P) {
        self.emit(None, payload);
    }

    /// Tells something about a node.
    pub fn tell_of<P: Payload>(&mut self, node: NodeId, payload: &P) {
        self.emit(Some(node), payload);
    }

    /// Tells something, of a node where one is named.
    pub fn emit<P: Payload>(&mut self, node: Option<NodeId>, payload: &P) {
        if self.hides_ends && P::NAME.is_last() {
            return;
        }
        self.numbers.events += 1;
        let envelope = Envelope {
            sequence: self.numbers.events,
            run_id: self.run,
            at: At(self.now),
            node_id: node.map(|node| node.to_string()),
            round: Some(self.round).filter(|round| *round > 0),
        };
        self.reaction.events.push(Event::told(&envelope, payload));
    }

    /// The number of the next effect.
    pub const fn ticket(&mut self) -> u64 {
        self.numbers.tickets += 1;
        self.numbers.tickets
    }

    /// What came in is found again by this.
    pub fn searched(&mut self, searched: Searched) {
        self.reaction.searched = Some(searched);
    }

    /// The state is worth keeping now, if enough has happened since the last one was; else nobody is told of it.
    pub fn checkpoint(&mut self) {
        if self.checkpoints.is_due(&self.numbers) {
            self.keep();
        }
    }

    /// The state is kept at a border: of a round, and before and after the report. There are few of these, so each is
    /// kept (since revision 4), whatever has happened since the last.
    pub fn checkpoint_at_border(&mut self, is_kept: bool) {
        match is_kept {
            true => self.keep(),
            false => self.checkpoint(),
        }
    }

    fn keep(&mut self) {
        self.numbers.kept_at = self.numbers.tickets;
        self.numbers.checkpoints += 1;
        let number = self.numbers.checkpoints;
        self.tell(&CheckpointSaved { number });
        self.reaction.checkpoint = true;
    }
}
