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
use crate::{Head, Hidden, Order};
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

    /// What a body with these fields says, where that is needed. Who sends it is no part of that, nor are the fields with
    /// these names, which the address may have, too.
    pub(crate) fn gist(self, body: &Map<String, Value>, elsewhere: &[&str]) -> Option<Gist> {
        let no_part = || [CREDENTIALS.as_slice(), elsewhere].concat();
        (self == Keyed::Yes).then(|| Gist::but_for(&no_part(), body))
    }
}

/// The path by which a question is known, whichever of the two it came by.
const PATH: &str = "/ask";

/// The fields of a body that show who sends it.
const CREDENTIALS: [&str; 4] = ["apiKey", "accessSecret", "google_token", "googleToken"];

/// What a body shows of who sends it.
pub(crate) struct Shown<'s> {
    pub token: Option<&'s str>,
    pub secret: Option<&'s str>,
    /// A key that pays.
    pub key: Option<&'s str>,
}

impl Shown<'_> {
    /// A head that shows this, too: by it an account is the same with a renewed token, and whoever is not known is known by
    /// all that it shows.
    pub(crate) fn in_head(&self, head: &Head) -> Head {
        // No header has a line's end in it: nothing that one shows is taken for what a body shows.
        let beside = |own: Option<&Hidden>, more: Option<&str>| match more {
            None => own.cloned(),
            Some(more) => {
                let own = own.map_or("", |Hidden(own)| own.as_str());
                Some(Hidden(format!("{own}\n{more}")))
            }
        };
        Head {
            authorization: beside(head.authorization.as_ref(), self.token),
            plain_key: beside(head.plain_key.as_ref(), self.secret),
            provider_key: beside(head.provider_key.as_ref(), self.key),
            ..head.clone()
        }
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
                let shown = Shown {
                    token: request.google_token.as_deref(),
                    secret: request.access_secret.as_deref(),
                    key: request.api_key.as_deref(),
                };
                let head = Head { path: PATH.to_owned(), ..shown.in_head(head) };
                request.manners.sent(&head, gist);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::talk::Sender;
    use serde_json::json;

    /// By what a question is known that is sent with one key, with this beside it in the body.
    fn key(more: &Value, sender: Sender<'_>) -> String {
        key_at("/ask", more, sender)
    }

    /// The same, where it is sent to this path.
    fn key_at(path: &str, more: &Value, sender: Sender<'_>) -> String {
        let mut body = json!({ "query": "why?" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let idempotency_key = Some("k".to_owned());
        let head = Head { path: path.to_owned(), idempotency_key, ..Head::default() };
        match Ask.open(&head, "", body.to_string().as_bytes()).order {
            Ok(Order::Start(mut request)) => {
                request.manners.sent_by(sender);
                request.manners.join.unwrap().key
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_key_means_its_question_though_its_account_renewed_its_token() {
        let ada = Sender::Account("ada@example.com");
        let one = key(&json!({ "google_token": "a" }), ada);
        assert_eq!(key(&json!({ "google_token": "b" }), ada), one);
        assert_eq!(key(&json!({ "googleToken": "c" }), ada), one);
        // Neither another account, nor who pays otherwise, nor another question.
        for (more, sender) in [
            (json!({ "google_token": "a" }), Sender::Account("bob@example.com")),
            (json!({ "google_token": "a", "apiKey": "k" }), ada),
            (json!({ "google_token": "a", "query": "when?" }), ada),
        ] {
            assert_ne!(key(&more, sender), one, "{more}");
        }
    }

    #[test]
    fn both_paths_of_the_door_mean_one_question() {
        let more = json!({ "google_token": "a" });
        for sender in [Sender::Account("ada@example.com"), Sender::Secret, Sender::Anybody] {
            assert_eq!(key_at("/", &more, sender), key_at("/ask", &more, sender), "{sender:?}");
        }
        let other = json!({ "google_token": "a", "query": "when?" });
        let asked = |path, more| key_at(path, more, Sender::Anybody);
        assert_ne!(asked("/", &other), asked("/ask", &more));
    }

    #[test]
    fn a_question_is_the_same_told_as_a_stream_or_as_a_whole() {
        let asked = |more: &Value| key(more, Sender::Anybody);
        let one = asked(&json!({}));
        for stream in [true, false] {
            assert_eq!(asked(&json!({ "stream": stream })), one);
        }
        assert_ne!(asked(&json!({ "stream": true, "max_iterations": 2 })), one);
    }

    #[test]
    fn who_is_not_known_is_known_by_all_that_its_body_shows() {
        let all = [
            json!({}),
            json!({ "google_token": "a" }),
            json!({ "google_token": "b" }),
            json!({ "accessSecret": "a" }),
            json!({ "accessSecret": "b" }),
            json!({ "apiKey": "a" }),
            json!({ "apiKey": "b" }),
        ];
        for sender in [Sender::Anybody, Sender::Secret] {
            let keys: Vec<String> = all.iter().map(|more| key(more, sender)).collect();
            for (at, one) in keys.iter().enumerate() {
                assert!(!keys[..at].contains(one), "{sender:?} {}", all[at]);
                assert_eq!(&key(&all[at], sender), one, "{sender:?} {}", all[at]);
            }
        }
    }
}
