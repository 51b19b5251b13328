//! Passing pieces of an answer on while it is being written.
//!
//! Border: a queue before the caller's stream. A call never waits for whoever reads it: pieces
//! queue up (an answer is bounded) and go out together as soon as the reader takes them. A reader
//! that went away is noticed: nobody pays for more then.

use crate::bindings::exports::quarry::models::chat::Delta;
use futures::channel::mpsc;
use futures::stream::Peekable;
use futures::{FutureExt as _, StreamExt as _};
use quarry_rim::clock;
use std::cell::Cell;
use std::pin::Pin;
use std::time::Duration;
use wit_bindgen::{StreamResult, StreamWriter};

/// Between two looks whether somebody still reads, while a call is tried again.
const LOOK: Duration = Duration::from_millis(250);

/// The queue's sending end. Dropping it ends the queue.
pub struct Passing {
    queue: mpsc::UnboundedSender<Delta>,
    text_sent: Cell<bool>,
}

/// The queue's other end.
pub struct Pieces {
    waiting: Peekable<mpsc::UnboundedReceiver<Delta>>,
}

pub fn queue() -> (Passing, Pieces) {
    let (queue, waiting) = mpsc::unbounded();
    (Passing { queue, text_sent: Cell::new(false) }, Pieces { waiting: waiting.peekable() })
}

impl Passing {
    pub fn text(&self, piece: &str) {
        if !piece.is_empty() && self.queue.unbounded_send(Delta::Text(piece.to_owned())).is_ok() {
            self.text_sent.set(true);
        }
    }

    pub fn notice(&self, delta: Delta) {
        let _ = self.queue.unbounded_send(delta);
    }

    /// Whether somebody may have seen text of this call.
    pub fn reached_reader(&self) -> bool {
        self.text_sent.get()
    }
}

impl Pieces {
    /// Waits for the first one, or for the end; whether there is one.
    pub async fn any(&mut self) -> bool {
        Pin::new(&mut self.waiting).peek().await.is_some()
    }

    /// Whether one has come by now.
    pub fn has_come(&mut self) -> bool {
        self.any().now_or_never() == Some(true)
    }

    /// Writes them as they come; whether somebody read to their end.
    pub async fn pass_on(mut self, mut stream: StreamWriter<Delta>) -> bool {
        let mut is_tried_again = false;
        loop {
            let next = match is_tried_again {
                true => clock::within(LOOK, self.waiting.next()).await,
                false => Some(self.waiting.next().await),
            };
            let Some(next) = next else {
                if has_left(&mut stream).await {
                    return false;
                }
                continue;
            };
            let Some(first) = next else { return true };
            let mut batch = vec![first];
            while let Some(Some(next)) = self.waiting.next().now_or_never() {
                batch.push(next);
            }
            // Behind a notice nothing is written for long, and a write is what else shows that somebody left.
            is_tried_again = matches!(batch.last(), Some(Delta::Retry(_)));
            if !stream.write_all(batch).await.is_empty() {
                return false;
            }
        }
    }
}

/// Whether nobody reads a stream any more. Nothing is written.
async fn has_left(stream: &mut StreamWriter<Delta>) -> bool {
    matches!(stream.write(Vec::new()).await, (StreamResult::Dropped, _))
}
