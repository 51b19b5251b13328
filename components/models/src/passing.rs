//! Passing pieces of an answer on while it is being written.
//!
//! Border: a queue before the caller's stream. A call never waits for whoever reads it: pieces
//! queue up (an answer is bounded) and go out together as soon as the reader takes them. A reader
//! that went away is noticed and harms nothing.

use crate::bindings::exports::quarry::models::chat::Delta;
use futures::StreamExt as _;
use futures::channel::mpsc;
use std::cell::Cell;
use std::rc::Rc;
use wit_bindgen::StreamWriter;

/// The queue's sending end.
pub struct Passing {
    queue: mpsc::UnboundedSender<Delta>,
    text_sent: Cell<bool>,
    /// Whether the reader took anything.
    taken: Rc<Cell<bool>>,
}

impl Passing {
    pub fn start(stream: StreamWriter<Delta>) -> Self {
        let (queue, waiting) = mpsc::unbounded();
        let taken = Rc::new(Cell::new(false));
        wit_bindgen::spawn(pass_on(stream, waiting, Rc::clone(&taken)));
        Passing { queue, text_sent: Cell::new(false), taken }
    }

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

async fn pass_on(
    mut stream: StreamWriter<Delta>,
    mut waiting: mpsc::UnboundedReceiver<Delta>,
    taken: Rc<Cell<bool>>,
) {
    while let Some(first) = waiting.next().await {
        let mut batch = vec![first];
        while let Ok(next) = waiting.try_recv() {
            batch.push(next);
        }
        let sent = batch.len();
        let left = stream.write_all(batch).await.len();
        if left < sent {
            taken.set(true);
        }
        if left > 0 {
            return;
        }
    }
}
