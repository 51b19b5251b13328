//! The door of `/v1/chat/completions` and `/v1/models`: clients of OpenAI's Chat Completions ask as they are.
//!
//! Border: the protocol's requests, chunks, completions and errors. Each answer is a fold over the events of an ask
//! (`Fold`), so that the stream's end and the whole completion say the same.

mod bearer;
mod body;
pub(crate) mod failure;
mod fold;
mod models;
#[cfg(feature = "schema")]
mod operation;
mod usage;
mod voice;
mod wire;

pub use bearer::{BearerRule, Proofs};
pub use models::{means_run, models};

pub(crate) use body::{Effort, Temperature, TopP};
#[cfg(feature = "schema")]
pub(crate) use failure::Body as FailedBody;

use crate::door::{Door, Opened, Voice as AnyVoice};
#[cfg(feature = "schema")]
use crate::openapi::Operation;
use crate::parameters::unescaped;
use crate::talk::{Drawn, Marks};
use crate::{Head, Order, Refusal, Reply};
use body::Parsed;
use failure::Failed;
use voice::Voice;

/// Bytes a body may have: whole conversations are sent again and again.
const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// What begins the path of every door of this protocol.
const PREFIX: &str = "/v1/";

/// The same of what Azure's clients alone ask for.
const AZURES: &str = "/openai/";

/// Whether a path belongs to this protocol, so that its errors have the protocol's form.
pub(crate) fn is_ours(path: &str) -> bool {
    path.starts_with(PREFIX) || path.starts_with(AZURES)
}

/// What is said where nothing lives at a path.
pub(crate) fn instead(path: &str) -> &'static str {
    match path.starts_with(AZURES) {
        true => {
            "nothing lives at this path: there are no deployments here; take OpenAI's client with this server's address and /v1 as its base, and name the model in the request"
        }
        false => "nothing lives at this path; GET /openapi.json lists what does",
    }
}

/// The doors of this protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chat {
    /// `POST /v1/chat/completions`.
    Complete,
    /// `GET /v1/models`.
    List,
    /// `GET /v1/models/{id}`.
    Show,
}

/// The answer at a path of this protocol where nothing lives.
pub(crate) fn nothing_here(refusal: &Refusal) -> Reply {
    let mut reply = Failed::refused(refusal).reply();
    // Clients try no 404 again, whatever else it says.
    reply.headers.retain(|(name, _)| *name != "x-should-retry");
    reply
}

impl Door for Chat {
    #[cfg(feature = "schema")]
    fn operation(&self) -> Operation {
        operation::of(*self)
    }

    fn body_limit(&self) -> Option<usize> {
        match self {
            Chat::Complete => Some(MAX_BODY_BYTES),
            Chat::List | Chat::Show => None,
        }
    }

    fn voice(&self, _: &Head) -> Box<dyn AnyVoice> {
        Box::new(Voice::default())
    }

    fn open(&self, head: &Head, id: &str, body: &[u8]) -> Opened {
        match self {
            Chat::Complete => {
                let Parsed { streams, gist, record, ignored, request } = Parsed::read(body);
                let marks = Marks::new(&ignored).drawn(Drawn::of(&request));
                let voice = Voice::new(streams, record, marks);
                let order = request.map(|mut request| {
                    request.manners.sent(head, &gist);
                    Order::Start(Box::new(request))
                });
                Opened { order, voice: Box::new(voice) }
            }
            Chat::List => Opened { order: Ok(Order::Models(None)), voice: self.voice(head) },
            Chat::Show => {
                // As it is, where its percent signs mean nothing.
                let id = unescaped(id).unwrap_or_else(|| id.to_owned());
                let order = Ok(Order::Models(Some(id)));
                Opened { order, voice: self.voice(head) }
            }
        }
    }
}

#[cfg(test)]
mod tests;
