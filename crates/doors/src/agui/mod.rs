//! The door of `/agui`: apps that speak AG-UI ask as they are.
//!
//! Border: the protocol's input and events, version 1.0. Each answer is a fold over the events of an ask (`Fold`).

mod body;
mod capabilities;
mod fold;
#[cfg(feature = "schema")]
mod operation;
mod wire;

use crate::door::{Door, Opened, Voice};
#[cfg(feature = "schema")]
use crate::openapi::Operation;
use crate::order::{Continuation, Seeks};
use crate::talk::{self, Streamed};
use crate::{Head, Order, Reply};
use body::Parsed;
use fold::Fold;

/// Bytes a body may have: whole conversations are sent again and again.
const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// The doors of this protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AgUi {
    /// `POST /agui`.
    Run,
    /// `GET /agui/capabilities`.
    Capabilities,
}

impl Door for AgUi {
    #[cfg(feature = "schema")]
    fn operation(&self) -> Operation {
        operation::of(*self)
    }

    fn body_limit(&self) -> Option<usize> {
        match self {
            AgUi::Run => Some(MAX_BODY_BYTES),
            AgUi::Capabilities => None,
        }
    }

    fn voice(&self, _: &Head) -> Box<dyn Voice> {
        Box::new(Streamed::new(Fold::default(), &[]))
    }

    fn open(&self, head: &Head, _: &str, body: &[u8]) -> Opened {
        if *self == AgUi::Capabilities {
            let order = Ok(Order::Reply(Reply::json(200, capabilities::text())));
            return Opened { order, voice: self.voice(head) };
        }
        let Parsed { said, record, ignored, request } = Parsed::read(body);
        let order = request.map(|mut request| {
            // Who sends the same run again wants its events, not a second one. Another question is another run, even
            // where a program calls all of its runs the same.
            let names = [record.thread.as_bytes(), record.run.as_bytes(), said.as_bytes()];
            request.manners.named(talk::named(head, "agui", &names), Seeks::Anything);
            if let Some(Continuation::Kept(ask)) = &request.resume {
                request.manners.goes_on_from(ask);
            }
            Order::Start(Box::new(request))
        });
        Opened { order, voice: Box::new(Streamed::new(Fold::new(record), &ignored)) }
    }
}
