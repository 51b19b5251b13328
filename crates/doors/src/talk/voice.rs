//! How a request of a conversation is answered that always has a stream: by a fold over the events of its ask.

use std::time::Duration;

use quarry_types::Timestamp;

use super::Marks;
use crate::door::{self, Told};
use crate::reply::challenge;
use crate::{Event, Headers, Refusal, Reply, frames, stream_head};

/// Silence after which there is a sign of life, unless less is configured: clients and proxies in front of them give up
/// early, and a reader that left is noticed at a write alone.
pub(crate) const SILENCE: Duration = Duration::from_secs(10);

/// An ask's events in a protocol's frames. It starts from its request and the ask's id and from nothing else, so the
/// same events give the same bytes, however they are cut into batches and whoever reads them.
pub(crate) trait Fold {
    /// Headers of the stream, besides those of every stream.
    const HEADERS: &'static [(&'static str, &'static str)] = &[];

    /// This is what was kept of the request.
    fn keeps(&mut self, _kept: &str) {}

    /// The ask behind it has this id.
    fn begin(&mut self, ask: &str);

    /// Takes an event and writes the bytes to send for it. Behind the last event there is nothing more.
    fn step(&mut self, event: &Event, out: &mut Vec<u8>);

    /// Whether the last frame was given.
    fn has_ended(&self) -> bool;

    /// Ends what broke off.
    fn break_off(&mut self, why: &Refusal) -> Vec<u8>;

    /// The answer to a request that is not carried out, said to a client that sends a Bearer.
    fn refused(refusal: &Refusal) -> Reply {
        Reply::refusal(refusal)
    }
}

/// A stream by such a fold.
pub(crate) struct Streamed<F> {
    marks: Marks,
    fold: F,
}

impl<F: Fold> Streamed<F> {
    /// Of a request of which these fields are ignored.
    pub(crate) fn new(fold: F, ignored: &[String]) -> Streamed<F> {
        Streamed { marks: Marks::new(ignored), fold }
    }
}

impl<F: Fold> door::Voice for Streamed<F> {
    fn streams(&self) -> bool {
        true
    }

    fn head(&self) -> Headers {
        let mut headers = stream_head();
        headers.extend(F::HEADERS.iter().map(|(name, value)| (*name, (*value).into())));
        self.marks.put(&mut headers);
        headers
    }

    fn keeps(&mut self, kept: &str) {
        self.fold.keeps(kept);
    }

    fn begin(&mut self, id: &str) {
        self.marks.begin(id);
        self.fold.begin(id);
    }

    fn tell(&mut self, events: Vec<Event>) -> Told {
        let mut bytes = frames::buffer();
        events.iter().for_each(|event| self.fold.step(event, &mut bytes));
        Told { bytes, last: self.fold.has_ended() }
    }

    fn silence(&self) -> Option<Duration> {
        Some(SILENCE)
    }

    /// Without a number, as all frames of these protocols.
    fn sign_of_life(&self) -> Vec<u8> {
        frames::keep_alive()
    }

    fn broke_off(&mut self, why: &Refusal, _: Timestamp) -> Vec<u8> {
        self.fold.break_off(&why.to_bearer())
    }

    fn refuse(&self, refusal: &Refusal, _: Timestamp) -> Reply {
        let refusal = refusal.to_bearer();
        let mut reply = F::refused(&refusal);
        if reply.status == 401 {
            reply.headers.push(challenge());
        }
        self.marks.refuse(&refusal, reply)
    }
}
