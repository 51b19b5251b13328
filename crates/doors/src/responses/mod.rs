//! The door of `/v1/responses`: clients of OpenAI's Responses ask as they are, and come back for what they began.
//!
//! Border: the protocol's requests, objects, frames and errors. Each answer is a fold over the events of an ask
//! (`Fold`) that starts from what was kept of its request, so that a stream's end, the object that is fetched later
//! and the answer without a stream say the same.

mod address;
mod body;
mod calls;
mod fold;
mod input;
mod listing;
#[cfg(feature = "schema")]
mod operation;
mod pen;
mod record;
mod reference;
mod run;
mod shown;
mod tools;
mod turns;
mod voice;
mod wire;

pub use address::Page;
pub(crate) use address::unread;
pub use reference::{Finding, Found, Reference, key_of};
pub use run::{Aliased, Begin, Begun, EarlierRun, id as run_of, named as name_of_run};
pub use shown::{
    Earlier, deleted, follow, interrupted, items, joined, nothing_to_follow, shown, streamed,
};

use crate::door::{Door, Opened, Voice as AnyVoice};
#[cfg(feature = "schema")]
use crate::openapi::Operation;
use crate::order::{AskRequest, Order as AnyOrder, Said};
use crate::talk::{self, Drawn, Marks};
use crate::{Head, OwnName, Refusal};
use body::Parsed;
use fold::Fold;
use record::Record;
pub(crate) use run::born_at;
use serde_json::{Map, Value};
use voice::{Form, Voice};
use wire::Format;

/// Bytes a body may have: whole conversations are sent again and again.
const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// What stands before the ask's id in a response's.
const PREFIX: &str = "resp_";

/// Where the protocol has what is not served here, though it looks like the path of a response or of all of them.
const ELSEWHERE: [&str; 2] = ["/v1/responses/compact", "/v1/responses/input_tokens"];

/// Whether nothing lives where a request goes, or nothing that speaks as it wants.
pub(crate) fn is_elsewhere(head: &Head) -> bool {
    ELSEWHERE.contains(&head.path.as_str()) || head.wants_socket && head.path == "/v1/responses"
}

/// The doors of this protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Responses {
    /// `POST /v1/responses`.
    Create,
    /// `GET /v1/responses/{id}`.
    Show,
    /// `DELETE /v1/responses/{id}`.
    Delete,
    /// `GET /v1/responses/{id}/input_items`.
    Items,
    /// `POST /v1/responses/{id}/cancel`.
    Cancel,
}

/// What is to be done with a response. Ids are those of the asks.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// Begin a run and answer with its response.
    Begin(Box<Begin>),
    /// Begin an ask or a run, as the operator's settings say what its model's name means.
    Aliased(Box<Aliased>),
    /// Do it with the response of the run with this id.
    OfRun(String, Of),
    /// Show it as it is now.
    Show(String),
    /// Tell its frames behind this one, or all.
    Stream(String, Option<u64>),
    /// Forget it.
    Delete(String),
    /// List what it was asked with.
    Items(String, Page),
    /// End it early and show it.
    Cancel(String),
}

/// What is to be done with the response of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Of {
    /// Show it as it is now.
    Show,
    /// Tell its frames behind this one, or all.
    Stream(Option<u64>),
    /// Forget it, and its run.
    Delete,
    /// List what it was asked with.
    Items(Page),
    /// End it early and show it.
    Cancel,
}

impl Responses {
    fn of_run(self, head: &Head) -> Result<Of, Refusal> {
        Ok(match self {
            Responses::Create | Responses::Show => match address::stream(head)? {
                Some(after) => Of::Stream(after),
                None => Of::Show,
            },
            Responses::Delete => Of::Delete,
            Responses::Items => Of::Items(Page::read(head)?),
            Responses::Cancel => Of::Cancel,
        })
    }

    fn order(self, head: &Head, id: &str) -> Result<Order, Refusal> {
        let ask = id.strip_prefix(PREFIX).ok_or_else(not_found)?.to_owned();
        if let Some(run) = run::id(&ask) {
            return Ok(Order::OfRun(run, self.of_run(head)?));
        }
        Ok(match self {
            Responses::Create | Responses::Show => match address::stream(head)? {
                Some(after) => Order::Stream(ask, after),
                None => Order::Show(ask),
            },
            Responses::Delete => Order::Delete(ask),
            Responses::Items => Order::Items(ask, Page::read(head)?),
            Responses::Cancel => Order::Cancel(ask),
        })
    }
}

/// What is kept of a chat completion that has notes of its caller's: it can be shown as a response.
pub(crate) fn kept_of_chat(
    request: &AskRequest,
    model: &str,
    metadata: Map<String, Value>,
    user: Option<String>,
) -> String {
    let mut record = record_of(request, model);
    (record.echo.metadata, record.echo.user) = (metadata, user);
    record.write(&request.query, &request.wish.history)
}

/// What is kept of a request that wishes to be told nothing of what goes on.
pub(crate) fn kept_quietly(request: &AskRequest, model: &str) -> String {
    let mut record = record_of(request, model);
    record.has_summaries = false;
    record.write(&request.query, &request.wish.history)
}

/// Whether that is what was kept.
pub(crate) fn is_quiet(kept: &str) -> bool {
    Record::unchecked(kept).is_some_and(|record| !record.has_summaries)
}

/// Of another door's request.
fn record_of(request: &AskRequest, model: &str) -> Record {
    let wish = &request.wish;
    let mut record = Record::default();
    let echo = &mut record.echo;
    model.clone_into(&mut echo.model);
    echo.instructions.clone_from(&wish.instructions);
    echo.temperature = wish.temperature.unwrap_or(echo.temperature);
    echo.top_p = wish.top_p.unwrap_or(echo.top_p);
    echo.max_output_tokens = wish.max_tokens;
    if let Some(form) = &wish.form {
        echo.text.format = Format::of(form);
    }
    record
}

/// By what whoever sent this finds the items of what it began.
fn finder(head: &Head) -> OwnName {
    talk::named(head, "items", &[])
}

/// What other doors keep beside an ask that was asked so, so that it can be shown as a response.
pub(crate) fn kept(question: &str, history: &[Said]) -> String {
    Record::default().write(question, history)
}

/// Nothing is kept under this id.
fn not_found() -> Refusal {
    Refusal::NotFound(
        "no response is kept under this id: it is unknown, was not stored, or has expired"
            .to_owned(),
    )
}

impl Door for Responses {
    #[cfg(feature = "schema")]
    fn operation(&self) -> Operation {
        operation::of(*self)
    }

    fn body_limit(&self) -> Option<usize> {
        (*self == Responses::Create).then_some(MAX_BODY_BYTES)
    }

    fn voice(&self, _: &Head) -> Box<dyn AnyVoice> {
        Box::new(Voice::new(Form::Whole, Fold::default(), Marks::default()))
    }

    fn open(&self, head: &Head, id: &str, body: &[u8]) -> Opened {
        if *self != Responses::Create {
            let order = self.order(head, id).map(AnyOrder::Response);
            return Opened { order, voice: self.voice(head) };
        }
        let Parsed { streams, gist, record, mut ignored, request } = Parsed::read(body);
        if run::is_meant(&record) {
            let begin = request.and_then(|mut ask| {
                ask.manners.sent(head, &gist);
                ask.manners.finds = Some(finder(head));
                Begin::new(ask, streams, record, (&mut ignored, head))
            });
            let order = begin.map(|begin| AnyOrder::Response(Order::Begin(Box::new(begin))));
            let voice = Voice::new(Form::AtOnce, Fold::default(), Marks::new(&ignored));
            return Opened { order, voice: Box::new(voice) };
        }
        let form = match (streams, record.echo.background) {
            (true, _) => Form::Stream,
            (false, true) => Form::AtOnce,
            (false, false) => Form::Whole,
        };
        let drawn = Drawn::of(&request);
        let order = request.map(|mut request| {
            request.manners.sent(head, &gist);
            request.manners.finds = Some(finder(head));
            request.manners.keeps =
                Some(record.clone().write(&request.query, &request.wish.history));
            if request.resume.is_some() && talk::own_key(head).is_some() {
                // What goes on is known by what it goes on with, and there is one of it, whatever its requests are called.
                ignored.push("idempotency-key".to_owned());
            }
            if request.manners.alias.is_some() {
                let aliased = Aliased::new(request, streams, record.clone(), (&ignored, head));
                return AnyOrder::Response(Order::Aliased(Box::new(aliased)));
            }
            AnyOrder::Start(Box::new(request))
        });
        let marks = Marks::new(&ignored).drawn(drawn);
        let voice = Voice::new(form, Fold::new(record, None), marks);
        Opened { order, voice: Box::new(voice) }
    }
}

#[cfg(test)]
mod tests;
