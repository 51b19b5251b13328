//! The request as WASI hands it over: its head at once, its body when it is wanted.
//!
//! Border: how much is read, and for how long, is decided in `quarry-doors`.

use std::cell::Cell;
use std::pin::pin;
use std::time::Duration;

use quarry_doors::{DRAIN_BYTES, DRAIN_SECONDS, Head, Intake, Refusal};
use quarry_rim::clock;
use quarry_rim::variables::Variables;
use spin_sdk::wasip3::http::types::{ErrorCode, Method, Request, Trailers};
use spin_sdk::wasip3::wit_future;
use wit_bindgen::{FutureReader, FutureWriter, StreamReader, StreamResult, spawn};

use crate::settings;

/// Bytes that one read takes of a body that nobody wants.
const DRAINED_AT_ONCE: usize = 64 * 1024;

/// A request's body that was not asked for yet.
pub struct Incoming(Request);

pub fn split(request: Request) -> (Head, Incoming) {
    let target = request.get_path_with_query().unwrap_or_default();
    let headers = request.get_headers().copy_all();
    let head = Head::read(method(request.get_method()), &target, &headers);
    (head, Incoming(request))
}

impl Incoming {
    /// The whole body, within its limit and its time.
    pub async fn body(
        self,
        head: &Head,
        limit: usize,
        variables: &Variables,
    ) -> Result<Vec<u8>, Refusal> {
        let mut reading = Reading::new(self.0);
        let read = reading.within(head, limit, variables).await;
        match &read {
            // Reading on to the end, or letting go now, would wake the server's connection
            // while the response is on its way, and then head and body leave apart
            // (measured: 40 % in one segment against all).
            Ok(_) => spawn(async move { drop(reading) }),
            Err(_) => spawn(reading.drain()),
        }
        read
    }

    /// Gives the body up. What comes of it is read and thrown away behind the answer: a server
    /// that closes with unread bytes resets the connection, and the answer may be lost.
    pub fn let_go(self, head: &Head) {
        if head.may_have_body() {
            spawn(Reading::new(self.0).drain());
        }
    }
}

struct Reading {
    stream: StreamReader<u8>,
    /// Whether its other side is gone: who reads on then ends the instance, and all who are served by it.
    is_over: bool,
    ended: Option<FutureReader<Result<Option<Trailers>, ErrorCode>>>,
    /// Tells the host, when it is dropped, that the body was dealt with.
    _processing: FutureWriter<Result<(), ErrorCode>>,
}

impl Reading {
    fn new(request: Request) -> Self {
        let (processing, processed) = wit_future::new(|| Ok(()));
        let (stream, ended) = Request::consume_body(request, processed);
        Reading { stream, is_over: false, ended: Some(ended), _processing: processing }
    }

    async fn within(
        &mut self,
        head: &Head,
        limit: usize,
        variables: &Variables,
    ) -> Result<Vec<u8>, Refusal> {
        let intake = Intake::new(limit, head.content_length)?;
        let seconds = settings::body_timeout_seconds(variables).await?;
        let (come, mut before) = (Cell::new(0), 0);
        let mut gathering = pin!(self.gather(intake, &come));
        loop {
            let read = clock::within(Duration::from_secs(seconds), gathering.as_mut()).await;
            if let Some(read) = read {
                return read;
            }
            if !Intake::keeps_pace(come.get() - before, seconds) {
                return Err(Refusal::TooSlow { seconds });
            }
            before = come.get();
        }
    }

    /// Notes in `come` how many bytes there are of it.
    async fn gather(&mut self, intake: Intake, come: &Cell<usize>) -> Result<Vec<u8>, Refusal> {
        let mut body = Vec::with_capacity(intake.room());
        loop {
            if body.len() == body.capacity() {
                body.reserve_exact(intake.more_room(body.len()));
            }
            let (result, read) = self.stream.read(body).await;
            body = read;
            come.set(body.len());
            self.is_over = matches!(result, StreamResult::Dropped);
            if intake.is_whole(body.len())? {
                return Ok(body);
            }
            if self.is_over {
                break;
            }
        }
        match self.ended.take() {
            Some(ended) => ended.await.map(|_| body).map_err(|_| Refusal::BrokeOff),
            None => Ok(body),
        }
    }

    /// Reads on and keeps nothing, for so long and so much as a client may need to see its answer.
    async fn drain(mut self) {
        clock::within(Duration::from_secs(DRAIN_SECONDS), self.discard()).await;
    }

    async fn discard(&mut self) {
        let mut drained = 0;
        let mut chunk = Vec::with_capacity(DRAINED_AT_ONCE);
        while drained < DRAIN_BYTES && !self.is_over {
            let (result, read) = self.stream.read(chunk).await;
            self.is_over = matches!(result, StreamResult::Dropped);
            drained += read.len();
            chunk = read;
            chunk.clear();
        }
    }
}

fn method(method: Method) -> String {
    let known = match method {
        Method::Get => "GET",
        Method::Head => "HEAD",
        Method::Post => "POST",
        Method::Put => "PUT",
        Method::Delete => "DELETE",
        Method::Connect => "CONNECT",
        Method::Options => "OPTIONS",
        Method::Trace => "TRACE",
        Method::Patch => "PATCH",
        Method::Other(other) => return other,
    };
    known.to_owned()
}
