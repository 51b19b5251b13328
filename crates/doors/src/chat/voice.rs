//! How a chat request is answered: in chunks as they come, or as one completion at the end.

use std::time::Duration;

use quarry_types::Timestamp;

use super::failure::Failed;
use super::fold::{Fold, Record};
use crate::door::{self, Told};
use crate::talk::{Marks, SILENCE};
use crate::{Event, Headers, Refusal, Reply, frames, stream_head};

/// How one request is answered.
#[derive(Default)]
pub(super) struct Voice {
    streams: bool,
    marks: Marks,
    fold: Fold,
}

impl Voice {
    pub fn new(streams: bool, record: Record, marks: Marks) -> Voice {
        Voice { streams, marks, fold: Fold::new(record) }
    }
}

impl door::Voice for Voice {
    fn streams(&self) -> bool {
        self.streams
    }

    fn head(&self) -> Headers {
        let mut headers = stream_head();
        self.marks.put(&mut headers);
        headers
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
        if !self.streams {
            bytes.clear();
        }
        Told { bytes, last: self.fold.has_ended() }
    }

    fn silence(&self) -> Option<Duration> {
        Some(SILENCE)
    }

    fn sign_of_life(&self) -> Vec<u8> {
        self.fold.sign_of_life()
    }

    fn broke_off(&mut self, why: &Refusal, _: Timestamp) -> Vec<u8> {
        self.fold.break_off(Failed::refused(why))
    }

    fn whole(&mut self, broke_off: Option<&Refusal>) -> Reply {
        let broke_off = broke_off.filter(|_| !self.fold.has_ended());
        let mut reply =
            match broke_off.map(Failed::refused).map_or_else(|| self.fold.snapshot(), Err) {
                Ok(body) => Reply::json(200, body),
                Err(failed) => failed.reply(),
            };
        self.marks.put(&mut reply.headers);
        reply
    }

    fn refuse(&self, refusal: &Refusal, _: Timestamp) -> Reply {
        self.marks.refuse(refusal, Failed::refused(refusal).reply())
    }
}
