//! How a request for a response is answered: in frames as they come, as one object at the end, or at once.

use std::time::Duration;

use quarry_types::Timestamp;

use super::fold::Fold;
use super::record::Record;
use crate::chat::failure::Failed;
use crate::door::{self, Told};
use crate::talk::{Marks, SILENCE};
use crate::{Event, Headers, Refusal, Reply, frames, stream_head};

/// A line without an empty one behind it: one of the official clients fails at a comment that is a frame of its own.
const SIGN_OF_LIFE: &[u8] = b":\n";

/// In which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Frames.
    Stream,
    /// Frames of what was begun before.
    Rest,
    /// The object when it has ended; a failure has its own status.
    Whole,
    /// The object as it is when its ask has begun.
    AtOnce,
}

/// How one request is answered.
pub(super) struct Voice {
    form: Form,
    marks: Marks,
    fold: Fold,
}

impl Voice {
    pub fn new(form: Form, fold: Fold, marks: Marks) -> Voice {
        Voice { form, marks, fold }
    }
}

impl door::Voice for Voice {
    fn streams(&self) -> bool {
        matches!(self.form, Form::Stream | Form::Rest)
    }

    fn is_answered_at_once(&self) -> bool {
        self.form == Form::AtOnce
    }

    fn head(&self) -> Headers {
        let mut headers = stream_head();
        self.marks.put(&mut headers);
        headers
    }

    fn keeps(&mut self, kept: &str) {
        if let Some(record) = Record::unchecked(kept) {
            if let Some(name) = record.unheard() {
                self.marks.ignores(name);
            }
            self.fold.record = record;
        }
    }

    fn begin(&mut self, id: &str) {
        self.marks.begin(id);
        self.fold.begin(id);
    }

    fn answered_by(&mut self, model: &str) {
        self.marks.answered_by(model);
    }

    fn tell(&mut self, events: Vec<Event>) -> Told {
        let mut bytes = frames::buffer();
        self.marks.hear(&events);
        events.iter().for_each(|event| self.fold.step(event, &mut bytes));
        if !self.streams() {
            bytes.clear();
        }
        Told { bytes, last: self.fold.has_ended() }
    }

    /// Who is answered at once is promised nothing of the end, and what was begun before is told from its log.
    fn promises_to_keep(&self) -> bool {
        matches!(self.form, Form::Stream | Form::Whole) && self.fold.record.echo.store
    }

    fn unkept(&mut self) {
        self.fold.record.echo.store = false;
    }

    fn silence(&self) -> Option<Duration> {
        Some(SILENCE)
    }

    fn sign_of_life(&self) -> Vec<u8> {
        SIGN_OF_LIFE.to_vec()
    }

    /// That a store could not be read for a moment ends no ask: whoever can come back is told the rest then, and no end
    /// that is none.
    fn broke_off(&mut self, why: &Refusal, _: Timestamp) -> Vec<u8> {
        if why.is_passing() && (self.form == Form::Rest || self.fold.can_be_joined()) {
            return Vec::new();
        }
        self.fold.break_off(why)
    }

    fn whole(&mut self, broke_off: Option<&Refusal>) -> Reply {
        let broke_off = broke_off.filter(|_| !self.fold.has_ended()).map(Failed::refused);
        // What is shown as it is now is an object, whatever became of it.
        let failed = self.fold.failed().filter(|_| self.form != Form::AtOnce);
        let failed = broke_off.or_else(|| failed.cloned());
        let mut reply = match failed {
            Some(failed) => failed.of_input().reply(),
            None if self.form == Form::Whole && !self.fold.has_ended() => {
                Failed::unfinished().reply()
            }
            None => Reply::json(200, self.fold.snapshot()),
        };
        self.marks.put(&mut reply.headers);
        reply
    }

    fn refuse(&self, refusal: &Refusal, _: Timestamp) -> Reply {
        self.marks.refuse(refusal, Failed::refused(refusal).of_input().reply())
    }
}
