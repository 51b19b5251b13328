//! Responses as WASI takes them.

use quarry_doors::native::{Event, EventName, frames, keep_alive};
use quarry_doors::{Headers, Refusal, Reply, stream_head};
use spin_sdk::wasip3::http::types::{ErrorCode, Fields, Response};
use spin_sdk::wasip3::{wit_future, wit_stream};
use wit_bindgen::{StreamReader, StreamWriter, spawn};

use crate::events::{Events, Next};
use crate::now;

/// What a route answers.
pub enum Answer {
    Whole(Reply),
    /// The first events, which go out together with the head, and what follows them.
    Stream {
        first: Vec<Event>,
        rest: Events,
    },
}

impl Answer {
    pub fn headers(&mut self) -> Headers {
        match self {
            Answer::Whole(reply) => std::mem::take(&mut reply.headers),
            Answer::Stream { .. } => stream_head(),
        }
    }

    /// Sends it. The bytes that are at hand are offered in the same turn as the head, so that
    /// the server can put both into one segment.
    pub fn send(self, headers: Headers) -> Result<Response, ErrorCode> {
        match self {
            Answer::Whole(reply) => whole(reply, headers),
            Answer::Stream { first, rest } => {
                let (writer, body) = wit_stream::new();
                let response = response(200, &headers, Some(body))?;
                spawn(pump(first, rest, writer));
                Ok(response)
            }
        }
    }
}

fn whole(reply: Reply, mut headers: Headers) -> Result<Response, ErrorCode> {
    if reply.status == 204 {
        return response(204, &headers, None);
    }
    headers.push(("content-length", reply.body.len().to_string().into()));
    let (mut writer, body) = wit_stream::new();
    let response = response(reply.status, &headers, Some(body))?;
    spawn(async move {
        // What is left over belongs to a client that left.
        drop(writer.write_all(reply.body.into_owned()).await);
    });
    Ok(response)
}

fn response(
    status: u16,
    headers: &Headers,
    body: Option<StreamReader<u8>>,
) -> Result<Response, ErrorCode> {
    let entries: Vec<(String, Vec<u8>)> = headers
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()))
        .collect();
    let internal = |what: String| ErrorCode::InternalError(Some(what));
    let fields = Fields::from_list(&entries).map_err(|error| internal(format!("{error:?}")))?;
    // Dropping the writer says: no trailers.
    let (_trailers, trailers) = wit_future::new(|| Ok(None));
    let (response, _sent) = Response::new(fields, body, trailers);
    response.set_status_code(status).map_err(|()| internal(format!("no status {status}")))?;
    Ok(response)
}

/// Writes events until the last one, the end, or the client's leaving.
async fn pump(first: Vec<Event>, mut rest: Events, mut writer: StreamWriter<u8>) {
    let mut batch = first;
    loop {
        let ends = batch.last().is_some_and(|event| event.name.is_last());
        let bytes = frames(&batch);
        // While a slow client takes the bytes, they are not held twice.
        drop(batch);
        if !bytes.is_empty() && !written(&mut writer, bytes).await || ends {
            return;
        }
        batch = match rest.next().await {
            Next::Batch(events) => events,
            Next::Silence => {
                if !written(&mut writer, keep_alive()).await {
                    return;
                }
                Vec::new()
            }
            Next::End(None) => return,
            Next::End(Some(refusal)) => vec![broken(&refusal)],
        };
    }
}

/// Waits until the server has taken everything: a slow client slows the ask's stream down.
async fn written(writer: &mut StreamWriter<u8>, bytes: Vec<u8>) -> bool {
    writer.write_all(bytes).await.is_empty()
}

/// The last event of a stream that broke off. It has no number, because the log has no such event.
fn broken(refusal: &Refusal) -> Event {
    Event { sequence: None, name: EventName::Error, data: refusal.event_data(&now::iso()) }
}
