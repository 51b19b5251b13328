//! The body of an answer, piece by piece.

use super::error::{HttpError, Stage};
use crate::clock;
use spin_sdk::wasip3::http::types::{ErrorCode, Response, Trailers};
use spin_sdk::wasip3::wit_future;
use std::time::Duration;
use wit_bindgen::{FutureReader, StreamReader, StreamResult};

/// Bytes read at once; about what a host hands over.
const CHUNK: usize = 16 * 1024;

/// A body that is being read.
pub struct Body {
    stream: StreamReader<u8>,
    /// How the body ended; taken when it has.
    end: Option<FutureReader<Result<Option<Trailers>, ErrorCode>>>,
    buffer: Vec<u8>,
}

impl Body {
    pub(super) fn of(response: Response) -> Self {
        let (_fine, handled) = wit_future::new::<Result<(), ErrorCode>>(|| Ok(()));
        let (stream, end) = Response::consume_body(response, handled);
        Self { stream, end: Some(end), buffer: Vec::with_capacity(CHUNK) }
    }

    /// The next bytes; none at the end.
    ///
    /// # Errors
    /// When the body broke off.
    pub async fn next(&mut self) -> Result<Option<&[u8]>, HttpError> {
        loop {
            let mut buffer = std::mem::take(&mut self.buffer);
            buffer.clear();
            let (result, buffer) = self.stream.read(buffer).await;
            self.buffer = buffer;
            match result {
                StreamResult::Complete(0) => {}
                StreamResult::Complete(_) => return Ok(Some(&self.buffer)),
                StreamResult::Dropped | StreamResult::Cancelled => break,
            }
        }
        match self.end.take() {
            Some(end) => match end.await {
                Ok(_) => Ok(None),
                Err(code) => Err(HttpError::from_code(code, Stage::Body)),
            },
            None => Ok(None),
        }
    }

    /// The first `limit` bytes, a piece more at most. What breaks off is used as it is.
    pub async fn beginning(mut self, limit: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        while bytes.len() < limit {
            match self.next().await {
                Ok(Some(piece)) => bytes.extend_from_slice(piece),
                Ok(None) | Err(_) => break,
            }
        }
        bytes
    }

    /// Reads what little is left, so that the host can use the connection again, but no longer than `time` once there
    /// was more than its end: that is waited for as long as any piece, and costs no timer.
    pub async fn drain(mut self, limit: usize, time: Duration) {
        let Ok(Some(bytes)) = self.next().await else { return };
        let mut read = bytes.len();
        let rest = async {
            while read <= limit
                && let Ok(Some(bytes)) = self.next().await
            {
                read += bytes.len();
            }
        };
        // Over that the connection is dropped, and nobody uses it again.
        clock::within(time, rest).await;
    }
}
