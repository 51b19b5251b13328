//! How a request of a conversation is answered that always has a stream: by a fold over the events of its ask.

use quarry_types::Timestamp;

use super::ids;
use crate::door::{self, Told};
use crate::{Event, Headers, Refusal, Reply, frames, stream_head};

/// An ask's events in a protocol's frames. It starts from its request and the ask's id and from nothing else, so the
/// same events give the same bytes, however they are cut into batches and whoever reads them.
pub(crate) trait Fold {
    /// Headers of the stream, besides those of every stream.
    const HEADERS: &'static [(&'static str, &'static str)] = &[];

    /// The ask behind it has this id.
    fn begin(&mut self, ask: &str);

    /// Takes an event and gives the bytes to send for it. Behind the last event there is nothing more.
    fn step(&mut self, event: &Event) -> Vec<u8>;

    /// Whether the last frame was given.
    fn has_ended(&self) -> bool;

    /// Ends what broke off.
    fn break_off(&mut self, why: &Refusal) -> Vec<u8>;

    /// The answer to a request that is not carried out.
    fn refused(refusal: &Refusal) -> Reply {
        Reply::refusal(refusal)
    }
}

/// A stream by such a fold.
pub(crate) struct Streamed<F> {
    ask: String,
    ignored: String,
    fold: F,
}

impl<F: Fold> Streamed<F> {
    /// Of a request of which these fields are ignored.
    pub(crate) fn new(fold: F, ignored: &[String]) -> Streamed<F> {
        Streamed { ask: String::new(), ignored: ignored.join(", "), fold }
    }

    /// What every answer carries about its request.
    fn mark(&self, headers: &mut Headers) {
        if !self.ask.is_empty() {
            headers.push(("x-request-id", ids::of("req_", &self.ask).into()));
            headers.push(("x-quarry-ask", self.ask.clone().into()));
        }
        if !self.ignored.is_empty() {
            headers.push(("x-quarry-ignored", self.ignored.clone().into()));
        }
    }
}

impl<F: Fold> door::Voice for Streamed<F> {
    fn streams(&self) -> bool {
        true
    }

    fn head(&self) -> Headers {
        let mut headers = stream_head();
        headers.extend(F::HEADERS.iter().map(|(name, value)| (*name, (*value).into())));
        self.mark(&mut headers);
        headers
    }

    fn begin(&mut self, id: &str) {
        id.clone_into(&mut self.ask);
        self.fold.begin(id);
    }

    fn tell(&mut self, events: Vec<Event>) -> Told {
        let bytes = events.iter().flat_map(|event| self.fold.step(event)).collect();
        Told { bytes, last: self.fold.has_ended() }
    }

    /// Without a number, as all frames of these protocols.
    fn sign_of_life(&self) -> Vec<u8> {
        frames::keep_alive()
    }

    fn broke_off(&mut self, why: &Refusal, _: Timestamp) -> Vec<u8> {
        self.fold.break_off(why)
    }

    fn refuse(&self, refusal: &Refusal, _: Timestamp) -> Reply {
        let mut reply = F::refused(refusal);
        if let Refusal::MethodNotAllowed { allow } = refusal
            && !reply.headers.iter().any(|(name, _)| *name == "allow")
        {
            reply.headers.push(("allow", allow.clone().into()));
        }
        self.mark(&mut reply.headers);
        reply
    }
}
