//! Requests whose body the connection gets apart from the head, as it happens under Spin.
//!
//! There a guest's body passes through a channel. The connection's task is woken when the head is
//! there, and whether it runs before the first part of the body has come is a race between two
//! threads. What wins it depends on how busy the machine is; on an idle one the head won four times of
//! six when it was measured: six calls of a provider took 190 ms, of which 40 each are Nagle's
//! algorithm waiting for an acknowledgement that the other side delays. Nothing that a guest can do
//! decides the race: the host begins to send before it looks for a body. So here the head wins two
//! times of three, in turn: what is measured does not depend on luck, and waits as long.
//!
//! On a new connection the other side acknowledges at once, so nothing waits there.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use wasmtime_wasi_http::p3::bindings::http::types::ErrorCode;

use crate::connect::RequestBody;

/// How often there is a race, and how often of these the head does not win.
const RACES: usize = 3;
const LOST: usize = 1;

/// Decides each race of an application.
#[derive(Debug, Clone, Default)]
pub(crate) struct Race(Arc<AtomicUsize>);

impl Race {
    /// Gives this body its place: with the head or after it.
    pub fn run(&self, body: RequestBody) -> HeadFirst {
        let with_head = self.0.fetch_add(1, Ordering::Relaxed) % RACES < LOST;
        HeadFirst { body, comes: with_head }
    }
}

/// A body that is not ready when it is first asked for, so that the head leaves.
pub(crate) struct HeadFirst {
    body: RequestBody,
    comes: bool,
}

impl Body for HeadFirst {
    type Data = Bytes;
    type Error = ErrorCode;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, ErrorCode>>> {
        let this = self.get_mut();
        if !std::mem::replace(&mut this.comes, true) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Pin::new(&mut this.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
