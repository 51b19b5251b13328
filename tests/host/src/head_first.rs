//! A request's body that the connection gets apart from the head, as it happens under Spin.
//!
//! Under Spin a guest's body passes through a channel. The connection's task is woken when the head is
//! there; whether it runs before the first part of the body has arrived is a race between two
//! threads, which the head wins about every other time. Here it always wins, so that nothing that is
//! measured depends on luck: on a kept-alive connection without `TCP_NODELAY` every body waits until
//! the head is acknowledged. On a new one the other side acknowledges at once, so it does not wait.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

use crate::connect::RequestBody;
use wasmtime_wasi_http::p3::bindings::http::types::ErrorCode;

/// The body, not ready when it is first asked for.
pub(crate) struct HeadFirst {
    body: RequestBody,
    asked: bool,
}

impl HeadFirst {
    pub const fn new(body: RequestBody) -> Self {
        Self { body, asked: false }
    }
}

impl Body for HeadFirst {
    type Data = Bytes;
    type Error = ErrorCode;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, ErrorCode>>> {
        let this = self.get_mut();
        if !std::mem::replace(&mut this.asked, true) {
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
