//! A step that was not written, because persons had said something that it leaves out.
//!
//! The machine has taken in what the step says, so it is read anew from its journal. What happened is told to it once
//! more, behind what was said, and what is told before all else before that; what is under way goes on. What persons
//! said is told in the order in which they said it, so the words of the step come before those that it left out.

use super::{Driven, Folded, Leave, Place, Slice, Write};
use crate::backoff::Backoff;
use quarry_types::Timestamp;

/// What of a slice was otherwise before a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before {
    place: Place,
    since_checkpoint: u64,
    has_written_all: bool,
    has_begun: bool,
}

/// How many of a step's entries are told first.
#[derive(Debug, Clone, Copy)]
pub(super) struct First {
    /// Before all else.
    opening: usize,
    /// Behind those: what persons said that lets go of nothing.
    words: usize,
}

/// What was not written.
#[derive(Debug)]
pub(super) struct Refused<I> {
    /// What is told before what persons said, and what behind it.
    opening: Vec<I>,
    inputs: Vec<I>,
    before: Before,
    is_under_way: bool,
}

impl<I> Refused<I> {
    /// Whether the machine is to be read now.
    pub fn reads(&mut self, backoff: &Backoff, now: Timestamp) -> bool {
        let reads = !self.is_under_way && backoff.may_try(now, false);
        self.is_under_way |= reads;
        reads
    }

    /// When it is to be read again.
    pub fn again_at(&self, backoff: &Backoff) -> Option<Timestamp> {
        backoff.until().filter(|_| !self.is_under_way)
    }
}

impl<M: Driven> Slice<M> {
    pub(super) const fn before(&self) -> Before {
        Before {
            place: self.place,
            since_checkpoint: self.since_checkpoint,
            has_written_all: self.has_written_all,
            has_begun: self.has_begun,
        }
    }

    /// Whether the machine is ahead of its journal. What words come to is told by how it stands: they would be others if the
    /// step is refused, so they are looked for again when that is known, before anything else is written.
    pub(super) const fn looks_anew(&mut self) -> bool {
        let is_ahead = self.write.is_some() || self.refused.is_some();
        if is_ahead {
            (self.looked, self.must_look) = (Timestamp(0), true);
        }
        is_ahead
    }

    /// Takes in all that there is.
    pub(super) fn fold_all(
        &mut self,
        now: Timestamp,
        folded: &mut Folded<M::Input, M::Event>,
    ) -> First {
        for input in std::mem::take(&mut self.opening) {
            self.fold(input, now, folded);
        }
        let opening = folded.entries.len();
        let words = self.inbox.words().into_iter();
        let (mut last, words): (Vec<_>, Vec<_>) = words.partition(M::lets_go);
        for input in words {
            self.fold(input, now, folded);
        }
        let words = folded.entries.len().saturating_sub(opening);
        let happened = std::mem::take(&mut self.queue).into_iter();
        let (ends, happened): (Vec<_>, Vec<_>) = happened.partition(M::lets_go);
        last.extend(ends);
        for input in happened.into_iter().chain(last) {
            self.fold(input, now, folded);
        }
        First { opening, words }
    }

    pub(super) fn unheard(&mut self) {
        self.backoff.worked();
        self.failing_since = None;
        let Some(Write { append, begin, before, first, .. }) = self.write.take() else { return };
        let mut told = append.entries.into_iter().map(|(_, input)| input);
        let opening = told.by_ref().take(first.opening).collect();
        let words = told.by_ref().take(first.words).collect();
        let mut inputs: Vec<M::Input> = told.collect();
        if !begin.is_empty() {
            // What begins is announced behind all else, and follows anew.
            inputs.pop();
        }
        self.inbox.refused(words);
        self.refused = Some(Refused { opening, inputs, before, is_under_way: false });
    }

    /// The machine as its journal has it, with the number of its last entry; none where the store failed.
    pub fn reloaded(&mut self, read: Option<(M, u64)>, now: Timestamp) {
        let Some(mut refused) = self.refused.take() else { return };
        let Some((machine, last)) = read else {
            refused.is_under_way = false;
            self.refused = Some(refused);
            return self.store_failed(now);
        };
        if last != self.last {
            self.left = Some(Leave::Lost);
            return;
        }
        let Refused { opening, inputs, before, .. } = refused;
        self.machine = machine;
        let Before { place, since_checkpoint, has_written_all, has_begun } = before;
        (self.place, self.since_checkpoint) = (place.anew(), since_checkpoint);
        (self.has_written_all, self.has_begun) = (has_written_all, has_begun);
        self.opening.splice(0..0, opening);
        self.queue.splice(0..0, inputs);
        (self.looked, self.is_looking, self.must_look) = (Timestamp(0), false, true);
    }
}
