//! The door of `/ask`: the ask contract's own requests, events and answers.

pub(crate) mod collector;
#[cfg(feature = "schema")]
pub(crate) mod operation;
pub(crate) mod refused;
mod request;
mod voice;
pub(crate) mod wish;

pub use collector::Collector;
#[cfg(feature = "schema")]
pub(crate) use collector::{Answer, FailedAnswer, QuotaAnswer};
pub use request::{
    MAX_BODY_BYTES, MAX_ITERATIONS, MAX_KEY_CHARACTERS, MAX_MODEL_CHARACTERS, MAX_QUERY_CHARACTERS,
    MAX_SECRET_CHARACTERS, MAX_TOKEN_CHARACTERS,
};

use crate::door::{Door, Opened, Voice as AnyVoice};
#[cfg(feature = "schema")]
use crate::openapi::Operation;
use crate::order::Continuation;
use crate::service::Plain;
use crate::talk::{self, Gist};
use crate::{Head, Order};
use request::Parsed;
use serde_json::{Map, Value};
pub(crate) use voice::Voice;
use wish::{Place, wants_stream};

/// `POST /` and `POST /ask`.
pub(crate) struct Ask;

/// `GET /ask/{id}/events`.
pub(crate) struct Events;

/// `POST /ask/{id}/stop`.
pub(crate) struct Stop;

/// Whether a request may come again. Who says nothing asks anew: its clients come back for a stream by the ask's id. Who
/// sends a key sends the same again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keyed {
    /// It has a key of its client's.
    Yes,
    /// Nobody needs to know what it says as a whole.
    No,
}

impl Keyed {
    /// As its head says.
    pub(crate) fn by(head: &Head) -> Keyed {
        if talk::own_key(head).is_some() { Keyed::Yes } else { Keyed::No }
    }

    /// What a body with these fields says, where that is needed.
    pub(crate) fn gist(self, body: &Map<String, Value>) -> Option<Gist> {
        (self == Keyed::Yes).then(|| Gist::of(body))
    }
}

/// What the head alone says about the answer's form.
fn voice(head: &Head, in_body: Option<bool>) -> Box<dyn AnyVoice> {
    let in_address = Place::read(head).ok().and_then(|place| place.stream);
    Box::new(Voice::new(wants_stream(in_body, in_address, head.accept.as_deref())))
}

impl Door for Ask {
    #[cfg(feature = "schema")]
    fn operation(&self) -> Operation {
        operation::ask()
    }

    fn body_limit(&self) -> Option<usize> {
        Some(MAX_BODY_BYTES)
    }

    fn voice(&self, head: &Head) -> Box<dyn AnyVoice> {
        voice(head, None)
    }

    fn open(&self, head: &Head, _: &str, body: &[u8]) -> Opened {
        let parsed = Parsed::read(body, Keyed::by(head));
        let order = Place::read(head).and(parsed.request).map(|mut request| {
            if let Some(gist) = &parsed.gist {
                request.manners.sent(head, gist);
            }
            if let Some(Continuation::Kept(ask)) = &request.resume {
                request.manners.goes_on_from(ask);
            }
            request
        });
        // A body that is refused may still have said how to answer.
        Opened {
            order: order.map(|request| Order::Start(Box::new(request))),
            voice: voice(head, parsed.stream),
        }
    }
}

impl Door for Events {
    #[cfg(feature = "schema")]
    fn operation(&self) -> Operation {
        operation::join()
    }

    fn voice(&self, head: &Head) -> Box<dyn AnyVoice> {
        voice(head, None)
    }

    fn open(&self, head: &Head, id: &str, _: &[u8]) -> Opened {
        match Place::read(head) {
            // Whoever joins gets a stream, whatever it asked for: there is no other form.
            Ok(place) => Opened {
                order: Ok(Order::Rejoin { id: id.to_owned(), after: place.after }),
                voice: Box::new(Voice::rejoining(head, place)),
            },
            Err(refusal) => Opened { order: Err(refusal), voice: voice(head, None) },
        }
    }
}

impl Door for Stop {
    #[cfg(feature = "schema")]
    fn operation(&self) -> Operation {
        operation::stop()
    }

    fn voice(&self, _: &Head) -> Box<dyn AnyVoice> {
        Box::new(Plain)
    }

    fn open(&self, _: &Head, id: &str, _: &[u8]) -> Opened {
        Opened { order: Ok(Order::Stop { id: id.to_owned() }), voice: Box::new(Plain) }
    }
}
