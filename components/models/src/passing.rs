//! Passing pieces of an answer on while it is being written.
//!
//! Border: a queue before the caller's stream. A call never waits for whoever reads it: pieces
//! queue up (an answer is bounded) and go out together as soon as the reader takes them. A reader
//! that went away is noticed and harms nothing.

use crate::bindings::exports::quarry::models::chat::Delta;
use futures::channel::mpsc;
use futures::stream::Peekable;
use futures::{FutureExt as _, StreamExt as _};
use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use wit_bindgen::StreamWriter;

/// The queue's sending end. Dropping it ends the queue.
pub struct Passing {
    queue: mpsc::UnboundedSender<Delta>,
    text_sent: Cell<bool>,
    /// Whether the reader took anything.
    taken: Rc<Cell<bool>>,
}

/// The queue's other end.
pub struct Pieces {
    waiting: Peekable<mpsc::UnboundedReceiver<Delta>>,
    taken: Rc<Cell<bool>>,
}

pub fn queue() -> (Passing, Pieces) {
    let (queue, waiting) = mpsc::unbounded();
    let taken = Rc::new(Cell::new(false));
    let pieces = Pieces { waiting: waiting.peekable(), taken: Rc::clone(&taken) };
    (Passing { queue, text_sent: Cell::new(false), taken }, pieces)
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
        let nobody_reads = self.queue.is_closed() && !self.taken.get();
        self.text_sent.get() && !nobody_reads
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

    /// Writes them as they come.
    pub async fn pass_on(mut self, mut stream: StreamWriter<Delta>) {
        while let Some(first) = self.waiting.next().await {
            let mut batch = vec![first];
            while let Some(Some(next)) = self.waiting.next().now_or_never() {
                batch.push(next);
            }
            let sent = batch.len();
            let left = stream.write_all(batch).await.len();
            if left < sent {
                self.taken.set(true);
            }
            if left > 0 {
                return;
            }
        }
    }
}
