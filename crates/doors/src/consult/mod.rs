//! The door of `POST /knowledge/ask`: questions to documents of one's own.
//!
//! Border: its requests and the form of its answer; events are those of an ask, and can be joined and stopped as an
//! ask's can.

mod body;
mod voice;

pub use body::{ConsultFilter, ConsultRequest};
#[cfg(feature = "schema")]
pub(crate) use voice::FailedQuestion;

use crate::door::{Door, Opened, Voice as AnyVoice};
use crate::hidden::letters;
use crate::knowledge::into_collection;
use crate::native::wish::{Place, wants_stream};
use crate::native::{Keyed, MAX_BODY_BYTES, Shown};
#[cfg(feature = "schema")]
use crate::openapi::Operation;
use crate::parameters;
use crate::runs::head::credentials;
use crate::talk::Gist;
use crate::{Head, Order};
use body::Parsed;
use quarry_types::CollectionName;
use voice::Voice;

/// `POST /knowledge/ask`.
pub(crate) struct Consult;

/// What may stand behind the `?` of its address.
const PARAMETERS: [&str; 2] = ["collection", "stream"];

fn voice(head: &Head, in_body: Option<bool>) -> Box<dyn AnyVoice> {
    let in_address = Place::read(head).ok().and_then(|place| place.stream);
    Box::new(Voice::new(wants_stream(in_body, in_address, head.accept.as_deref())))
}

/// A key is its sender's whichever collection it is sent with: the collection is what is asked of, however it is named.
fn keyed(head: &Head, gist: &Gist, request: &mut ConsultRequest) {
    let gist = gist.with(request.collection.as_deref().unwrap_or(CollectionName::DEFAULT));
    let shown = Shown {
        token: letters(request.credentials.google_token.as_ref()),
        secret: letters(request.credentials.secret.as_ref()),
        key: request.api_key.as_deref(),
    };
    request.manners.sent(&shown.in_head(head), &gist);
}

/// Who shows nothing in the body may do so in the head, as for everything else about documents.
fn proven(mut request: ConsultRequest, head: &Head) -> ConsultRequest {
    request.credentials = request.credentials.or(credentials(head));
    request
}

impl Door for Consult {
    #[cfg(feature = "schema")]
    fn operation(&self) -> Operation {
        use crate::openapi::{Answer, Body, Form, Tag};
        use crate::status::Status;
        let answer = Form::Json(|shapes| shapes.writes::<quarry_events::KnowledgeAnswer>());
        Operation {
            summary: "Ask one's own documents",
            description: Some(
                "Answers from the documents of a collection alone, with an event stream or one JSON object, as `POST /ask` does. No chunk above the threshold: an answer that says so, and no model is asked. Errors of the pipeline begin with `Pipeline error: `; refusals before it do not.",
            ),
            tag: Tag::Knowledge,
            parameters: vec![
                crate::knowledge::operation::collection(),
                crate::native::operation::stream(),
                crate::native::operation::idempotency_key(),
            ],
            body: Body::Needed(|shapes| shapes.reads::<body::Body>()),
            answers: vec![Answer::new(
                200,
                "The events, or the answer.",
                vec![crate::native::operation::frames(), answer],
            )],
            failures: Status::of_asks(),
        }
    }

    fn body_limit(&self) -> Option<usize> {
        Some(MAX_BODY_BYTES)
    }

    fn voice(&self, head: &Head) -> Box<dyn AnyVoice> {
        voice(head, None)
    }

    fn open(&self, head: &Head, _: &str, body: &[u8]) -> Opened {
        let parsed = Parsed::read(body, Keyed::by(head));
        let order = parameters::check(head, &PARAMETERS).and_then(|()| Place::read(head));
        let order = order.and(parsed.request);
        let order = order.and_then(|mut request| {
            into_collection(head, [&mut request.collection])?;
            if let Some(gist) = &parsed.gist {
                keyed(head, gist, &mut request);
            }
            Ok(Order::Consult(Box::new(proven(request, head))))
        });
        Opened { order, voice: voice(head, parsed.stream) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Refusal;
    use crate::order::Seeks;
    use crate::talk::Sender;

    /// By what a question is known, of a sender of whom this is known.
    fn join(key: Option<&str>, body: &str, sender: Sender<'_>) -> Option<(String, Seeks)> {
        join_at("", key, body, sender)
    }

    /// The same, where the address says this.
    fn join_at(
        query: &str,
        key: Option<&str>,
        body: &str,
        sender: Sender<'_>,
    ) -> Option<(String, Seeks)> {
        let head = Head {
            method: "POST".to_owned(),
            path: "/knowledge/ask".to_owned(),
            query: Some(query.to_owned()),
            idempotency_key: key.map(str::to_owned),
            ..Head::default()
        };
        let Ok(Order::Consult(mut request)) = Consult.open(&head, "", body.as_bytes()).order else {
            panic!("nothing is asked")
        };
        request.manners.sent_by(sender);
        request.manners.join.map(|join| (join.key, join.seeks))
    }

    #[test]
    fn a_question_with_a_key_is_the_one_that_it_repeats() {
        let (question, nobody) = (r#"{"query":"why?"}"#, Sender::Anybody);
        let (one, seeks) = join(Some("k"), question, nobody).unwrap();
        assert_eq!(seeks, Seeks::Anything);
        assert_eq!(join(Some("k"), question, nobody).unwrap().0, one);
        for (key, body, sender) in [
            ("l", question, nobody),
            ("k", r#"{"query":"when?"}"#, nobody),
            ("k", question, Sender::Account("ada@example.com")),
        ] {
            assert_ne!(join(Some(key), body, sender).unwrap().0, one, "{key} {body} {sender:?}");
        }
        // Who sends none asks anew.
        assert_eq!(join(None, question, nobody), None);
    }

    #[test]
    fn a_question_with_a_key_is_its_senders_whatever_the_body_shows_of_it() {
        let by = |more: &str, sender| {
            let body = format!(r#"{{"query":"why?",{more}}}"#);
            join(Some("k"), &body, sender).unwrap().0
        };
        let (old, new) = (r#""google_token":"a""#, r#""google_token":"b""#);
        let ada = Sender::Account("ada@example.com");
        assert_eq!(by(old, ada), by(new, ada), "a token is renewed");
        let nobody = Sender::Anybody;
        for (one, other) in [
            (old, new),
            (r#""accessSecret":"a""#, r#""accessSecret":"b""#),
            (r#""apiKey":"a""#, r#""apiKey":"b""#),
            (r#""apiKey":"a""#, r#""accessSecret":"a""#),
        ] {
            assert_ne!(by(one, nobody), by(other, nobody), "{one} {other}");
        }
        assert_ne!(by(r#""apiKey":"a""#, ada), by(r#""apiKey":"b""#, ada));
    }

    #[test]
    fn an_address_with_what_it_does_not_know_or_has_twice_asks_nothing() {
        for (query, named, says) in [
            ("colection=boats", "colection", "there are `collection`, `stream`"),
            ("stream=true&after=7", "after", "there are `collection`, `stream`"),
            ("collection=boats&collection=notes", "collection", "stands there twice"),
            ("stream=true&stream=false", "stream", "stands there twice"),
        ] {
            let head = Head { query: Some(query.to_owned()), ..Head::default() };
            let opened = Consult.open(&head, "", br#"{"query":"why?"}"#);
            let Err(Refusal::InvalidField { field, message }) = opened.order else {
                panic!("{query}")
            };
            assert_eq!(field, named);
            assert!(message.contains(says), "{message}");
        }
    }

    #[cfg(feature = "schema")]
    #[test]
    fn the_document_has_the_parameters_that_are_known() {
        let documented = crate::knowledge::operation::in_query(&Consult.operation());
        assert_eq!(documented, PARAMETERS);
    }

    #[test]
    fn a_question_with_a_key_is_another_one_of_another_collection_however_that_is_named() {
        let at = |query: &str, more: &str| {
            let body = format!(r#"{{"query":"why?"{more}}}"#);
            join_at(query, Some("k"), &body, Sender::Anybody).unwrap().0
        };
        let boats = at("collection=boats", "");
        assert_eq!(at("stream=true&collection=boats", ""), boats);
        assert_eq!(at("", r#","collection":"boats""#), boats);
        assert_eq!(at("", r#","collection":"default""#), at("", ""));
        assert_ne!(at("collection=notes", ""), boats);
        assert_ne!(at("", ""), boats);
    }

    #[test]
    fn a_key_is_its_senders_whichever_collection_it_is_sent_with() {
        let given = |query: &str| {
            let head = Head {
                query: Some(query.to_owned()),
                path: "/knowledge/ask".to_owned(),
                idempotency_key: Some("2f6f5c1c-55a1-4b6e".to_owned()),
                ..Head::default()
            };
            match Consult.open(&head, "", br#"{"query":"why?"}"#).order {
                Ok(Order::Consult(request)) => request.manners.join.unwrap().own.unwrap(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(given("collection=boats"), given(""));
    }
}
