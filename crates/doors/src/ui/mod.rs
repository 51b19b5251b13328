//! The door of `/api/chat`: pages made with the AI SDK (`useChat`) ask as they are.
//!
//! Border: the SDK's UI messages and its UI message stream, as versions 5, 6 and 7 know them. Each answer is a fold
//! over the events of an ask (`Fold`).

mod body;
mod fold;
#[cfg(feature = "schema")]
mod operation;
mod wire;

use crate::door::{Door, Opened, Voice};
#[cfg(feature = "schema")]
use crate::openapi::Operation;
use crate::talk::{self, Streamed};
use crate::variable::GRACE_SECONDS;
use crate::{Head, Order, OwnName};
use body::Parsed;
use fold::Fold;

/// Bytes a body may have: whole conversations are sent again and again.
const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// A page that is loaded again leaves for a moment, and nobody can tell that from leaving.
const UI_GRACE_SECONDS: u32 = 2 * GRACE_SECONDS;

/// The doors of this protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ui {
    /// `POST /api/chat`.
    Chat,
    /// `GET /api/chat/{id}/stream`.
    Rejoin,
    /// `POST /api/chat/{id}/stop`.
    Stop,
}

/// By what the ask of a chat is known.
fn name(head: &Head, chat: &str) -> OwnName {
    talk::named(head, "ui", &[chat.as_bytes()])
}

impl Door for Ui {
    #[cfg(feature = "schema")]
    fn operation(&self) -> Operation {
        operation::of(*self)
    }

    fn body_limit(&self) -> Option<usize> {
        match self {
            Ui::Chat => Some(MAX_BODY_BYTES),
            Ui::Rejoin | Ui::Stop => None,
        }
    }

    fn voice(&self, _: &Head) -> Box<dyn Voice> {
        Box::new(Streamed::new(Fold::default(), &[]))
    }

    fn open(&self, head: &Head, id: &str, body: &[u8]) -> Opened {
        match self {
            Ui::Chat => {
                let Parsed { chat, said, seeks, record, ignored, request } = Parsed::read(body);
                let order = request.map(|mut request| {
                    let manners = &mut request.manners;
                    manners.grace_seconds = Some(UI_GRACE_SECONDS);
                    // Each question of a chat is an ask of its own, unless what was paid for the same one waits; the
                    // last one is found by the chat's name.
                    if let Some(chat) = &chat {
                        let of = [chat.as_bytes(), said.as_bytes()];
                        manners.named(talk::named(head, "ui", &of), seeks);
                        manners.called = Some(name(head, chat));
                    }
                    Order::Start(Box::new(request))
                });
                Opened { order, voice: Box::new(Streamed::new(Fold::new(record), &ignored)) }
            }
            Ui::Rejoin => {
                let order = Ok(Order::RejoinNamed(name(head, id)));
                Opened { order, voice: self.voice(head) }
            }
            Ui::Stop => {
                Opened { order: Ok(Order::StopNamed(name(head, id))), voice: self.voice(head) }
            }
        }
    }
}
