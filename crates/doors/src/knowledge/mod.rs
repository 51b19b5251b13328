//! The doors of `/knowledge`: documents of one's own.
//!
//! Border: requests read and checked, answers written. What becomes of a document, and whose it is, is for the callee
//! to say.

mod body;
pub(crate) mod filter;
mod form;
mod multipart;
#[cfg(feature = "schema")]
pub(crate) mod operation;
mod order;
mod outcome;
mod reply;
#[cfg(test)]
mod tests;

pub use order::{
    Batch, Call, Content, FieldValue, Listing, Opening, Order, Query, Replace, Source,
};
pub use outcome::{Count, Outcome};
pub use reply::{
    Chunk, Collection, Document, Embedding, Found, Metadata, Parts, Progress, Spent, Stats,
    Telling, chunks, collections, found, listed, loaded, shown, stats, time,
};

use serde_json::Value;

use crate::door::{Door, Opened, Voice};
use crate::json_field::{Field, Text};
#[cfg(feature = "schema")]
use crate::openapi::Operation;
use crate::parameters::{self, decoded};
use crate::runs::Credentials;
use crate::runs::body::Proof;
use crate::runs::head::value;
use crate::service::plain;
use crate::{Head, Refusal, Reply};
use quarry_types::Timestamp;

/// Bytes of a body with documents: one of 20 MiB as JSON writes it, or several files.
const LOAD_BYTES: usize = 32 * 1024 * 1024;
/// The same of somebody who does not prove in the head that it is let in: a secret in the body is seen when all of it is
/// there.
const STRANGERS_BYTES: usize = 1024 * 1024;
/// Bytes of a body with a question.
const SEARCH_BYTES: usize = 1024 * 1024;
/// Documents or chunks of a page, where nobody says how many, and at most.
const PAGE: u32 = 20;
const MAX_PAGE: u32 = 100;

/// What is done at an address of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Knowledge {
    /// `POST /knowledge/documents`.
    Load,
    /// `GET /knowledge/documents`.
    List,
    /// `GET /knowledge/documents/{id}`.
    Show,
    /// `DELETE /knowledge/documents/{id}`.
    Delete,
    /// `GET /knowledge/documents/{id}/chunks`.
    Chunks,
    /// `POST /knowledge/search`.
    Search,
    /// `GET /knowledge/collections`.
    Collections,
    /// `GET /knowledge/collections/{id}/stats`.
    Stats,
    /// `POST /knowledge/collections/{id}/reindex`.
    Reindex,
}

/// By what a caller proves in the head who it is.
#[must_use]
pub fn credentials(head: &Head) -> Credentials {
    crate::runs::head::credentials(head)
}

impl Door for Knowledge {
    #[cfg(feature = "schema")]
    fn operation(&self) -> Operation {
        operation::operation(*self)
    }

    fn body_limit(&self) -> Option<usize> {
        match self {
            Knowledge::Load => Some(LOAD_BYTES),
            Knowledge::Search => Some(SEARCH_BYTES),
            Knowledge::Reindex => Some(Proof::MOST_BYTES),
            Knowledge::List
            | Knowledge::Show
            | Knowledge::Delete
            | Knowledge::Chunks
            | Knowledge::Collections
            | Knowledge::Stats => None,
        }
    }

    fn stranger_limit(&self) -> Option<usize> {
        matches!(self, Knowledge::Load).then_some(STRANGERS_BYTES)
    }

    /// A refusal is one JSON object with a real status, also where a stream was asked for.
    fn voice(&self, _: &Head) -> Box<dyn Voice> {
        match self {
            Knowledge::Load => Box::new(Loads),
            Knowledge::List
            | Knowledge::Show
            | Knowledge::Delete
            | Knowledge::Chunks
            | Knowledge::Search
            | Knowledge::Collections
            | Knowledge::Stats
            | Knowledge::Reindex => plain(self),
        }
    }

    fn open(&self, head: &Head, id: &str, body: &[u8]) -> Opened {
        let order = self.order(head, id, body);
        let order = order.map(|order| crate::Order::Knowledge(Box::new(order)));
        Opened { order, voice: plain(self) }
    }
}

/// Tells whoever sends too much how a document goes in: JSON may write one letter as six.
struct Loads;

impl Voice for Loads {
    fn refuse(&self, refusal: &Refusal, _: Timestamp) -> Reply {
        let Refusal::TooLarge { limit } = refusal else { return Reply::refusal(refusal) };
        if *limit == STRANGERS_BYTES {
            return Reply::refusal(&Refusal::TooMuch(format!(
                "the body is over {limit} bytes, and only its end could say who sends it; send the access secret in \
                 the head (Authorization: Bearer …), which lets in {LOAD_BYTES} bytes"
            )));
        }
        Reply::refusal(&Refusal::TooMuch(format!(
            "the body is over {limit} bytes; send a document as a file (multipart/form-data), which takes no more than \
             it has, and many files in several requests"
        )))
    }
}

impl Knowledge {
    /// What may stand behind the `?` of its address.
    const fn parameters(self) -> &'static [&'static str] {
        match self {
            Knowledge::Load | Knowledge::Search => &["collection"],
            Knowledge::List => &["collection", "category", "limit", "cursor"],
            Knowledge::Chunks => &["from", "limit", "as_of"],
            Knowledge::Show
            | Knowledge::Delete
            | Knowledge::Collections
            | Knowledge::Stats
            | Knowledge::Reindex => &[],
        }
    }

    fn order(self, head: &Head, id: &str, body: &[u8]) -> Result<Order, Refusal> {
        parameters::check(head, self.parameters())?;
        let (call, in_body) = self.call(head, id, body)?;
        Ok(Order { credentials: in_body.or(credentials(head)), call })
    }

    fn call(self, head: &Head, id: &str, body: &[u8]) -> Result<(Call, Credentials), Refusal> {
        let id = || id.to_owned();
        let call = match self {
            Knowledge::Load => return load(head, body),
            Knowledge::Search => {
                let (mut query, credentials) = body::Search::read(body)?;
                into_collection(head, [&mut query.collection])?;
                return Ok((Call::Search(Box::new(query)), credentials));
            }
            Knowledge::List => Call::List(Listing {
                collection: value(head, "collection").map(str::to_owned),
                category: category(head)?,
                limit: limit(head)?,
                cursor: value(head, "cursor").map(str::to_owned),
            }),
            Knowledge::Show => Call::Show(id()),
            Knowledge::Delete => Call::Delete(id()),
            Knowledge::Chunks => {
                let from = match value(head, "from") {
                    None => 0,
                    Some(number) => number.parse().map_err(|_| {
                        Refusal::field("from", "wants the number of a chunk, from 0")
                    })?,
                };
                let (limit, as_of) = (limit(head)?, value(head, "as_of").map(str::to_owned));
                Call::Chunks(Opening { id: id(), from, limit, as_of })
            }
            Knowledge::Collections => Call::Collections,
            Knowledge::Stats => Call::Stats(id()),
            Knowledge::Reindex => return Ok((Call::Reindex(id()), Proof::read(body)?)),
        };
        Ok((call, Credentials::default()))
    }
}

/// The one category of which documents are listed.
fn category(head: &Head) -> Result<Option<String>, Refusal> {
    let Some(written) = value(head, "category") else { return Ok(None) };
    let no_text =
        || Refusal::field("category", "wants a text as addresses write it: `%25` for `%`");
    let text = decoded(written).ok_or_else(no_text)?;
    bounded::<{ filter::CHARACTERS }>("category", text).map(Some)
}

fn limit(head: &Head) -> Result<u32, Refusal> {
    let Some(number) = value(head, "limit") else { return Ok(PAGE) };
    let number = number.parse().ok().filter(|number| (1..=MAX_PAGE).contains(number));
    let wants = || format!("wants a whole number from 1 to {MAX_PAGE}");
    number.ok_or_else(|| Refusal::field("limit", &wants()))
}

fn load(head: &Head, body: &[u8]) -> Result<(Call, Credentials), Refusal> {
    let boundary = multipart::boundary(head.content_type.as_deref());
    let is_one = boundary.is_none();
    let (mut sources, credentials) = match boundary {
        None => body::Load::read(body).map(|(source, credentials)| (vec![source], credentials))?,
        Some(boundary) => form::files(multipart::parts(body, &boundary?)?)?,
    };
    into_collection(head, sources.iter_mut().map(|source| &mut source.collection))?;
    Ok((Call::Load(Batch { sources, telling: Telling::of(head, is_one) }), credentials))
}

/// The collection that the address names, as those do by which documents are listed, holds where the body names none.
///
/// # Errors
/// [`Refusal::InvalidField`] when it is too long, or the body names another.
pub(crate) fn into_collection<'s>(
    head: &Head,
    in_body: impl IntoIterator<Item = &'s mut Option<String>>,
) -> Result<(), Refusal> {
    let Some(named) = value(head, "collection") else { return Ok(()) };
    let named = collection_of(named.to_owned())?;
    for collection in in_body {
        if *collection.get_or_insert_with(|| named.clone()) != named {
            let message = "names another collection than the body; send it once";
            return Err(Refusal::field("collection", message));
        }
    }
    Ok(())
}

fn collection_of(text: String) -> Result<String, Refusal> {
    bounded::<{ body::NAME }>("collection", text)
}

/// What is no field of an object, with the bound of one.
fn bounded<const MOST: usize>(name: &str, text: String) -> Result<String, Refusal> {
    let read = Text::<MOST>::read(Value::String(text));
    let read = read.map_err(|wants| Refusal::field(name, &wants))?;
    Ok(read.map(|text| text.0).unwrap_or_default())
}
