//! What a door is: it reads requests of one kind, and tells an ask's events in its own way.
//!
//! Border: a door decides and writes bytes; it reaches nothing. A new one is a file with these
//! two traits and a line in the route table; the document follows.

use std::time::Duration;

use quarry_events::EventName;
use quarry_types::Timestamp;

use crate::{Event, Head, Headers, Order, Refusal, Reply, stream_head};

/// Requests of one kind.
pub trait Door: Sync {
    /// Bytes that a body may have; none: no body is read.
    fn body_limit(&self) -> Option<usize> {
        None
    }

    /// Bytes that a body may have of somebody whose head does not prove that it is let in; none: as many as of all. A door
    /// that has this takes what may be large, and has so many places.
    fn stranger_limit(&self) -> Option<usize> {
        None
    }

    /// Whether it judges itself which pages may call it and read what it answers; else the rule of `cors_allowed_origins`
    /// does.
    fn judges_pages(&self) -> bool {
        false
    }

    /// What the OpenAPI document says of it.
    #[cfg(feature = "schema")]
    fn operation(&self) -> crate::openapi::Operation;

    /// How a request is answered whose body was not read.
    fn voice(&self, head: &Head) -> Box<dyn Voice>;

    /// Reads a request. `id` is what stands in the path's place for it, else empty.
    fn open(&self, head: &Head, id: &str, body: &[u8]) -> Opened;
}

/// A request as it was understood.
pub struct Opened {
    /// What to do, or why nothing is done.
    pub order: Result<Order, Refusal>,
    /// How to answer, either way.
    pub voice: Box<dyn Voice>,
}

/// How one request is answered: a fold over the events of its ask, or of another machine whose events are
/// named by `N`. It knows no clock and no configuration, so the same events always give the same bytes.
pub trait Voice<N = EventName> {
    /// Whether events go out as they come; else they are collected for [`Voice::whole`].
    fn streams(&self) -> bool {
        false
    }

    /// Whether whoever asks is answered at once, by [`Voice::whole`], and reads what comes of it later.
    fn is_answered_at_once(&self) -> bool {
        false
    }

    /// Headers of the stream.
    fn head(&self) -> Headers {
        stream_head()
    }

    /// This is what is kept of the request, now that what it follows is known. Comes before the ask has an id.
    fn keeps(&mut self, _kept: &str) {}

    /// The ask has this id.
    fn begin(&mut self, _id: &str) {}

    /// This model answers, `provider:name`: where that is known before the first event is. Whoever is told of the same ask
    /// later is told by its events alone, so no frame rests on it.
    fn answered_by(&mut self, _model: &str) {}

    /// Takes the next events and gives the bytes to send for them now.
    fn tell(&mut self, _events: Vec<Event<N>>) -> Told {
        Told::default()
    }

    /// Takes events that whoever asks is told nothing of; whether the last is among them, and [`Voice::whole`] says all.
    fn pass(&mut self, events: Vec<Event<N>>) -> bool {
        self.tell(events).last
    }

    /// Whether the end that it tells says that it is kept: then it is told when the log has it, or [`Voice::unkept`] comes
    /// before it.
    fn promises_to_keep(&self) -> bool {
        false
    }

    /// The log does not have the end that is told next, and will not.
    fn unkept(&mut self) {}

    /// How long from now on whoever asks waits for the end; none: as long as it takes. Then [`Voice::late`] or
    /// [`Voice::whole`] has the last word, and the ask goes on.
    fn patience(&self, _now: Timestamp) -> Option<Duration> {
        None
    }

    /// The last bytes of a stream whose reader waits no longer.
    fn late(&mut self) -> Vec<u8> {
        Vec::new()
    }

    /// How much silence makes a sign of life due at the latest; none: as configured.
    fn silence(&self) -> Option<Duration> {
        None
    }

    /// The bytes that show a silent stream's reader that somebody is there.
    fn sign_of_life(&self) -> Vec<u8> {
        Vec::new()
    }

    /// The last bytes of a stream that broke off.
    fn broke_off(&mut self, _why: &Refusal, _now: Timestamp) -> Vec<u8> {
        Vec::new()
    }

    /// The answer to all events together. `broke_off` is why no more came, if they broke off.
    fn whole(&mut self, broke_off: Option<&Refusal>) -> Reply {
        broke_off.map_or_else(Reply::empty, Reply::refusal)
    }

    /// The answer to a request that is not carried out.
    fn refuse(&self, refusal: &Refusal, _now: Timestamp) -> Reply {
        Reply::refusal(refusal)
    }
}

/// What events came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// To be sent; may be empty.
    pub bytes: Vec<u8>,
    /// Whether the stream ends with them.
    pub last: bool,
}
