//! The door of `/mcp`: hosts of models that speak the Model Context Protocol research by a tool.
//!
//! Border: the protocol's messages in both of its eras: with a handshake (2025-03-26 to 2025-11-25) and without
//! (2026-07-28). A tool's answer is a fold over the events of an ask (`Fold`); nothing is kept of a session.

mod address;
mod arguments;
mod call_off;
mod connector;
mod deep;
mod dispatch;
mod era;
mod failure;
mod fold;
mod followed;
mod listen;
mod message;
#[cfg(feature = "schema")]
mod operation;
mod origin;
mod place;
mod reply;
mod shown;
mod single;
mod tasks;
mod voice;

pub use call_off::CallOff;
pub use deep::{ForRun, PartOf, What, now, waits};
pub use followed::Followed;
pub use listen::Listen;
pub use message::Id;
#[cfg(feature = "schema")]
pub(crate) use operation::failed;
pub use shown::{goes_on, greeted, may_begin, read, stopped, unkept};
pub use single::Single;
pub use tasks::{Doing, Facts, OfTask, Task, created, of_ask, of_run};

use quarry_admission::Cors;

use crate::door::{Door, Opened, Voice as AnyVoice};
#[cfg(feature = "schema")]
use crate::openapi::Operation;
use crate::order::{AskRequest, Order as AnyOrder};
use crate::responses::run_of;
use crate::{Head, OwnName, Reply};
use era::Version;
use failure::Failure;
use voice::{Call, Voice};

/// Bytes a body may have.
const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// Where the door is.
const PATH: &str = "/mcp";

/// The doors of this protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mcp {
    /// `POST /mcp`.
    Send,
    /// `GET /mcp`.
    Join,
    /// `DELETE /mcp`.
    End,
    /// `POST /mcp/connector`.
    Connect,
}

/// What a host is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Set {
    /// All.
    Whole,
    /// `search` and `fetch`, and nothing else.
    Connector,
}

/// What is to be done for a message.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// Nothing: the answer is known.
    Known(Reply),
    /// The same, whoever asks.
    Public(Reply),
    /// Name a session in this answer to a handshake.
    Greet(Reply),
    /// Start an ask and tell of it.
    Ask(Box<AskRequest>),
    /// Start an ask and answer with a task, to the request with this id.
    Task(Box<AskRequest>, Id),
    /// Do something with a run.
    ForRun(ForRun),
    /// Do something with a task.
    OfTask(OfTask),
    /// Keep a stream open, and tell in it how tasks stand.
    Listen(Listen),
    /// Tell of an ask with this id.
    Look(String),
    /// End it early and tell of it.
    Stop(String),
    /// Tell of it again from its beginning.
    Join(String),
    /// Call one of the agent's tools.
    Call(Single),
    /// Read a resource.
    Read(Reading),
    /// End the ask that was begun with this key.
    Cancel(OwnName),
    /// Several messages at once, none of which is waited for.
    Several(Vec<One>),
}

/// A part of an ask that is read as a resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The ask's id.
    pub ask: String,
    call: Call,
    part: address::Part,
}

/// A message with what is to be done for it.
#[derive(Debug, Clone, PartialEq)]
pub struct One {
    /// What is to be done.
    pub order: Order,
    call: Call,
}

impl One {
    /// What is wanted of an ask, wanted of a run where its id is one's.
    fn of_runs(mut self) -> One {
        let what = match &self.order {
            Order::Look(id) => run_of(id).map(What::Look),
            Order::Stop(id) => run_of(id).map(What::Stop),
            Order::Join(id) => run_of(id).map(What::Join),
            Order::Read(reading) => {
                run_of(&reading.ask).map(|id| What::Read(id, PartOf(reading.part)))
            }
            _ => None,
        };
        if let Some(what) = what {
            self.order = Order::ForRun(ForRun { what, call: self.call.clone() });
        }
        self
    }

    /// How it is answered.
    #[must_use]
    pub fn voice(&self) -> Box<dyn AnyVoice> {
        Box::new(Voice::new(self.call.clone()))
    }
}

/// The answer to a page of an origin that may not call, by the variable `mcp_allowed_origins`; none: it may.
#[must_use]
pub fn foreign(head: &Head, allowed: &str) -> Option<Reply> {
    let origin = head.origin.as_deref()?;
    (!origin::may_call(origin, allowed)).then(|| Failure::foreign().reply(None))
}

/// What a browser is told of the pages that may read an answer of this door, by the same variable.
#[must_use]
pub fn readers(head: &Head, allowed: &str) -> Cors {
    origin::may_read(head.origin.as_deref(), allowed)
}

/// The answers to several messages, as one.
#[must_use]
pub fn batched(replies: Vec<Reply>) -> Reply {
    reply::batched(replies)
}

/// What a message is answered with that wants no answer.
#[must_use]
pub fn accepted() -> Reply {
    reply::accepted()
}

impl Door for Mcp {
    #[cfg(feature = "schema")]
    fn operation(&self) -> Operation {
        operation::of(*self)
    }

    fn body_limit(&self) -> Option<usize> {
        matches!(self, Mcp::Send | Mcp::Connect).then_some(MAX_BODY_BYTES)
    }

    /// By `mcp_allowed_origins`.
    fn judges_pages(&self) -> bool {
        true
    }

    fn voice(&self, head: &Head) -> Box<dyn AnyVoice> {
        let version = Version::of_head(head).unwrap_or_default();
        Box::new(Voice::new(Call { version, ..Call::default() }))
    }

    fn open(&self, head: &Head, _: &str, body: &[u8]) -> Opened {
        let one = match self {
            Mcp::Send => dispatch::sent(head, body, Set::Whole),
            Mcp::Connect => dispatch::sent(head, body, Set::Connector),
            Mcp::Join => dispatch::joined(head),
            Mcp::End => dispatch::ended(head),
        };
        let one = one.of_runs();
        let voice = one.voice();
        Opened { order: Ok(AnyOrder::Mcp(Box::new(one.order))), voice }
    }
}

#[cfg(test)]
mod tests;
