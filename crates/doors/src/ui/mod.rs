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
use crate::order::{Manners, Seeks};
use crate::talk::{self, Gist, Streamed};
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

/// What belongs to no chat is known by what was sent, as far as that says the same; where nothing says that it came before,
/// it looks for what its button wants. A key that a page sends with all that it asks would make one of them.
fn sent(manners: &mut Manners, head: &Head, said: &Gist, seeks: Seeks) {
    let head = Head { idempotency_key: None, ..head.clone() };
    manners.sent(&head, said);
    if let Some(join) = manners.join.as_mut().filter(|join| !join.says_so) {
        join.seeks = seeks;
    }
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
                    match &chat {
                        Some(chat) => {
                            let of = [chat.as_bytes(), said.as_bytes()];
                            manners.named(talk::named(head, "ui", &of), seeks);
                        }
                        None => sent(manners, head, &said, seeks),
                    }
                    manners.called = chat.as_deref().map(|chat| name(head, chat));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::Join;
    use serde_json::{Value, json};

    fn asked(head: &Head, chat: &Value, trigger: &str) -> Manners {
        let parts = json!([{ "type": "text", "text": "why?" }]);
        let messages = json!([{ "id": "m1", "role": "user", "parts": parts }]);
        let body = json!({ "id": chat, "trigger": trigger, "messages": messages }).to_string();
        match Ui::Chat.open(head, "", body.as_bytes()).order {
            Ok(Order::Start(request)) => request.manners,
            other => panic!("{other:?}"),
        }
    }

    fn join(head: &Head, chat: &Value, trigger: &str) -> Join {
        asked(head, chat, trigger).join.unwrap()
    }

    #[test]
    fn a_request_without_a_chat_is_known_by_what_was_sent() {
        let (head, none, submit) = (Head::default(), Value::Null, "submit-message");
        let (first, again) = (join(&head, &none, submit), join(&head, &none, submit));
        assert_eq!((&first, first.seeks), (&again, Seeks::Unfinished));
        assert_eq!(asked(&head, &none, submit).called, None, "nobody can ask for it by a name");
        assert_ne!(join(&head, &json!("c1"), submit).key, first.key);
        assert_eq!(join(&head, &none, "regenerate-message").seeks, Seeks::Halted);
        let counted = Head { retries: Some(1), ..Head::default() };
        assert_eq!(join(&counted, &none, submit).seeks, Seeks::Anything);
    }

    #[test]
    fn a_key_that_a_page_sends_with_all_makes_one_of_nothing() {
        let keyed = Head { idempotency_key: Some("k".into()), ..Head::default() };
        for chat in [json!("c1"), Value::Null] {
            for trigger in ["submit-message", "regenerate-message"] {
                let plain = join(&Head::default(), &chat, trigger);
                assert_eq!(join(&keyed, &chat, trigger), plain, "{chat} {trigger}");
            }
        }
    }
}
