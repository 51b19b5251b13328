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

#[cfg(test)]
mod tests {
    use super::*;
    use http::Request;
    use http_body_util::{BodyExt as _, Full};
    use hyper::client::conn::http1;
    use hyper::rt::{Read, ReadBufCursor, Write};
    use tokio::sync::mpsc;

    /// A connection that tells what is written in which pieces, and is never answered.
    struct Told(mpsc::UnboundedSender<Vec<u8>>);

    impl Read for Told {
        fn poll_read(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            _: ReadBufCursor<'_>,
        ) -> Poll<std::io::Result<()>> {
            Poll::Pending
        }
    }

    impl Write for Told {
        fn poll_write(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<std::io::Result<usize>> {
            drop(self.0.send(bytes.to_vec()));
            Poll::Ready(Ok(bytes.len()))
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    /// In how many pieces a request with this body leaves.
    async fn pieces(body: RequestBody, race: Option<&Race>) -> usize {
        let request = Request::post("/").header("host", "it").body(match race {
            Some(race) => race.run(body).boxed_unsync(),
            None => body,
        });
        let (told, mut pieces) = mpsc::unbounded_channel();
        let (mut sender, connection) = http1::handshake(Told(told)).await.unwrap();
        let connection = tokio::spawn(connection);
        let answer = tokio::spawn(sender.send_request(request.unwrap()));
        let (mut count, mut written) = (0, Vec::new());
        while !written.ends_with(b"the body") {
            written.extend(pieces.recv().await.unwrap());
            count += 1;
        }
        connection.abort();
        answer.abort();
        count
    }

    fn body() -> RequestBody {
        Full::from("the body").map_err(|never| match never {}).boxed_unsync()
    }

    #[tokio::test]
    async fn the_head_leaves_alone_two_times_of_three() {
        let race = Race::default();
        let mut counts = Vec::new();
        for _ in 0..6 {
            counts.push(pieces(body(), Some(&race)).await);
        }
        assert_eq!(counts, [1, 2, 2, 1, 2, 2]);
        assert_eq!(pieces(body(), None).await, 1);
    }
}
