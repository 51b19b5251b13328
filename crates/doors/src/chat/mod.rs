//! The door of `/v1/chat/completions` and `/v1/models`: clients of OpenAI's Chat Completions ask as they are.
//!
//! Border: the protocol's requests, chunks, completions and errors. Each answer is a fold over the events of an ask
//! (`Fold`), so that the stream's end and the whole completion say the same.

mod bearer;
mod body;
mod failure;
mod fold;
mod ids;
mod message;
mod model;
mod models;
#[cfg(feature = "schema")]
mod operation;
mod told;
mod usage;
mod voice;
mod wire;

pub use bearer::{BearerRule, Proofs};
pub use models::models;

#[cfg(feature = "schema")]
pub(crate) use failure::Body as FailedBody;

use crate::door::{Door, Opened, Voice as AnyVoice};
#[cfg(feature = "schema")]
use crate::openapi::Operation;
use crate::order::Join;
use crate::variable::GRACE_SECONDS;
use crate::{Head, Hidden, Order, Refusal, Reply};
use body::Parsed;
use failure::Failed;
use voice::Voice;

/// Bytes a body may have: whole conversations are sent again and again.
const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// What begins the path of every door of this protocol.
const PREFIX: &str = "/v1/";

/// Whether a path belongs to this protocol, so that its errors have the protocol's form.
pub(crate) fn is_ours(path: &str) -> bool {
    path.starts_with(PREFIX)
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
                let Parsed { streams, record, ignored, request } = Parsed::read(body);
                let order = request.map(|mut request| {
                    request.manners.reads_bearer = true;
                    request.manners.grace_seconds = Some(GRACE_SECONDS);
                    request.manners.join = join(head, body);
                    Order::Start(Box::new(request))
                });
                Opened { order, voice: Box::new(Voice::new(streams, record, &ignored)) }
            }
            Chat::List => Opened { order: Ok(Order::Models(None)), voice: self.voice(head) },
            Chat::Show => {
                let order = Ok(Order::Models(Some(decoded(id))));
                Opened { order, voice: self.voice(head) }
            }
        }
    }
}

/// By what the same request is known when its client sends it again. Clients that say so with a key of their own are
/// believed; OpenAI's only count their tries, so who asks, from where, and what, is the key.
fn join(head: &Head, body: &[u8]) -> Option<Join> {
    let by =
        |key: &Option<Hidden>| key.as_ref().map_or("", |Hidden(text)| text.as_str()).to_owned();
    let from = head.client_address.as_deref().unwrap_or_default();
    let from = from.rsplit_once(':').map_or(from, |(address, _)| address);
    let asker = [by(&head.authorization), by(&head.plain_key), by(&head.provider_key)];
    let key = |kind: &[u8], what: &[u8]| {
        let mut all = Vec::new();
        let parts =
            asker.iter().map(|part| part.as_bytes()).chain([kind, head.path.as_bytes(), what]);
        for part in parts {
            // Each with its length in front: no two lists of parts are written alike.
            all.extend_from_slice(&part.len().to_be_bytes());
            all.extend_from_slice(part);
        }
        ids::hash(&all)
    };
    if let Some(named) =
        head.idempotency_key.as_deref().map(str::trim).filter(|key| !key.is_empty())
    {
        // The same key for another question means that question, too.
        let what = [named.as_bytes(), b"\0", body].concat();
        return Some(Join { key: key(b"named", &what), looks: true });
    }
    let retries = head.retries?;
    let what = [from.as_bytes(), b"\0", body].concat();
    Some(Join { key: key(b"counted", &what), looks: retries > 0 })
}

/// An id of a path with its percent signs taken away; as it is where they mean nothing.
fn decoded(id: &str) -> String {
    let mut bytes = Vec::with_capacity(id.len());
    let mut rest = id.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let hex = behind.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = hex.filter(|_| *first == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { behind.get(2..).unwrap_or_default() } else { behind };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| id.to_owned())
}

#[cfg(test)]
mod tests;
