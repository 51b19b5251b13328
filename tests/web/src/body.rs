//! A body as it is sent: whole, or broken off in its middle.

use crate::site::Answer;
use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A body whose head says its whole length, however much of it comes.
#[derive(Debug)]
pub(crate) struct Sent {
    bytes: Bytes,
    /// The bytes that were announced and are not yet sent, those among them that never will be.
    left: u64,
    /// Whether what there is was given away and had its turn to leave.
    has_left: bool,
}

impl Sent {
    pub fn new(answer: &Answer) -> Sent {
        let bytes = Bytes::copy_from_slice(answer.sent().as_bytes());
        Sent { bytes, left: answer.body.len() as u64, has_left: false }
    }
}

impl Body for Sent {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        if !self.bytes.is_empty() {
            let bytes = std::mem::take(&mut self.bytes);
            self.left = self.left.saturating_sub(bytes.len() as u64);
            return Poll::Ready(Some(Ok(Frame::data(bytes))));
        }
        if self.left == 0 {
            return Poll::Ready(None);
        }
        if !self.has_left {
            // An error ends the connection with what it still holds: it is sent before.
            self.has_left = true;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(Some(Err(io::ErrorKind::ConnectionAborted.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
