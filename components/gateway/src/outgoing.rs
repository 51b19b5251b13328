//! Responses as WASI takes them.
//!
//! Border: headers and bytes are the doors'; how they leave together is decided here.

use std::pin::Pin;

use quarry_doors::door::{Told, Voice};
use quarry_doors::{Headers, Refusal, Reply};
use quarry_rim::clock;
use quarry_rim::stream::{PATIENCE, written, written_within};
use spin_sdk::wasip3::http::types::{ErrorCode, Fields, Response, Trailers};
use spin_sdk::wasip3::{wit_future, wit_stream};
use wit_bindgen::{FutureWriter, StreamReader, StreamResult, StreamWriter, spawn};

use crate::events::{Events, Next};

/// Bytes of which a reader that still reads takes some within the patience with an answer's, which is long: what events
/// come to is seldom more.
const BLOCK: usize = 64 * 1024;

/// Writes what goes out together with the head, and what follows it.
type Pump = Box<dyn FnOnce(StreamWriter<u8>) -> Pin<Box<dyn Future<Output = ()>>>>;

pub enum Answer {
    Whole(Reply),
    /// Events, told in a form.
    Stream {
        headers: Headers,
        pump: Pump,
    },
    /// Bytes as they come, and whether all came.
    Bytes {
        headers: Headers,
        bytes: StreamReader<u8>,
        ended: Pin<Box<dyn Future<Output = bool>>>,
    },
}

impl Answer {
    /// Events: `first` goes out together with the head.
    pub fn stream<N: 'static>(first: Told, voice: Box<dyn Voice<N>>, rest: Events<N>) -> Answer {
        let headers = voice.head();
        let pump = move |writer| -> Pin<Box<dyn Future<Output = ()>>> {
            Box::pin(pump(first, voice, rest, writer))
        };
        Answer::Stream { headers, pump: Box::new(pump) }
    }

    /// A stream of which there is nothing but that it broke off.
    pub fn broken<N>(mut voice: Box<dyn Voice<N>>, why: &Refusal) -> Answer {
        let (status, headers) = (200, voice.head());
        Answer::Whole(Reply { status, headers, body: voice.broke_off(why, clock::now()).into() })
    }

    pub fn headers(&mut self) -> Headers {
        match self {
            Answer::Whole(Reply { headers, .. })
            | Answer::Stream { headers, .. }
            | Answer::Bytes { headers, .. } => std::mem::take(headers),
        }
    }

    /// Sends it. The bytes that are at hand are offered in the same turn as the head, so that
    /// the server puts both into one segment. How the body ends is said behind it: said before, it takes a turn of its own
    /// between the two, and the head is gone by then.
    pub fn send(self, headers: Headers) -> Result<Response, ErrorCode> {
        match self {
            Answer::Whole(reply) => whole(reply, headers),
            Answer::Stream { pump, .. } => {
                let (writer, body) = wit_stream::new();
                let (response, ending) = response(200, &headers, Some(body))?;
                spawn(async move {
                    pump(writer).await;
                    drop(ending);
                });
                Ok(response)
            }
            Answer::Bytes { bytes, ended, .. } => {
                let (response, trailers) = response(200, &headers, Some(bytes))?;
                spawn(async move {
                    // An end that looks like any other would pass a part off as the whole.
                    if !ended.await {
                        let cut = ErrorCode::InternalError(Some("the bytes broke off".to_owned()));
                        drop(trailers.write(Err(cut)).await);
                    }
                });
                Ok(response)
            }
        }
    }
}

fn whole(reply: Reply, mut headers: Headers) -> Result<Response, ErrorCode> {
    if reply.status == 204 {
        return Ok(response(204, &headers, None)?.0);
    }
    headers.push(("content-length", reply.body.len().to_string().into()));
    let (mut writer, body) = wit_stream::new();
    let (response, ending) = response(reply.status, &headers, Some(body))?;
    spawn(async move {
        // What is left over belongs to a client that left.
        if reply.body.len() <= BLOCK {
            drop(writer.write_all(reply.body.into_owned()).await);
        } else {
            written_within(PATIENCE, &mut writer, &reply.body).await;
        }
        drop(ending);
    });
    Ok(response)
}

/// What says how a body ended. Dropping it says: well, and without trailers.
type Ending = FutureWriter<Result<Option<Trailers>, ErrorCode>>;

fn response(
    status: u16,
    headers: &Headers,
    body: Option<StreamReader<u8>>,
) -> Result<(Response, Ending), ErrorCode> {
    let entries: Vec<(String, Vec<u8>)> = headers
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()))
        .collect();
    let internal = |what: String| ErrorCode::InternalError(Some(what));
    let fields = Fields::from_list(&entries).map_err(|error| internal(format!("{error:?}")))?;
    let (ending, trailers) = wit_future::new(|| Ok(None));
    let (response, _sent) = Response::new(fields, body, trailers);
    // It is 200 already.
    if status != 200 {
        response.set_status_code(status).map_err(|()| internal(format!("no status {status}")))?;
    }
    Ok((response, ending))
}

/// Writes events until the last one, the end, or the client's leaving.
async fn pump<N>(
    first: Told,
    mut voice: Box<dyn Voice<N>>,
    mut rest: Events<N>,
    mut writer: StreamWriter<u8>,
) {
    let mut told = first;
    loop {
        told = with_its_end(told, &mut *voice, &mut rest).await;
        if !told.bytes.is_empty() && !given(&mut rest, &mut writer, told.bytes).await {
            drop(writer);
            return rest.leave().await;
        }
        if told.last {
            return;
        }
        told = match rest.next().await {
            Next::Batch(events) => {
                let told = voice.tell(events);
                if !told.bytes.is_empty() {
                    rest.heard();
                }
                told
            }
            Next::Unkept => {
                voice.unkept();
                Told::default()
            }
            Next::Look => match rest.taken_within(PATIENCE, has_left(&mut writer)).await {
                Some(false) => Told { bytes: Vec::new(), last: false },
                Some(true) | None => {
                    drop(writer);
                    return rest.leave().await;
                }
            },
            Next::Silence => Told { bytes: voice.sign_of_life(), last: false },
            Next::Late => Told { bytes: voice.late(), last: true },
            Next::End(None) => return,
            Next::End(Some(why)) => Told { bytes: voice.broke_off(&why, clock::now()), last: true },
        };
    }
}

/// What is told, with the end where that is given in a moment: both leave in one write.
async fn with_its_end<N>(mut told: Told, voice: &mut dyn Voice<N>, rest: &mut Events<N>) -> Told {
    if !rest.ends_now().await {
        return told;
    }
    loop {
        match rest.next().await {
            Next::Unkept => voice.unkept(),
            Next::Batch(end) => {
                let end = voice.tell(end);
                told.bytes.extend(end.bytes);
                return Told { last: end.last, ..told };
            }
            // What is due is due again.
            Next::Silence | Next::Look | Next::Late | Next::End(_) => return told,
        }
    }
}

/// Whether nobody listens any more. Nothing is written.
pub async fn has_left(writer: &mut StreamWriter<u8>) -> bool {
    matches!(writer.write(Vec::new()).await, (StreamResult::Dropped, _))
}

/// Gives a stream's reader what is told; whether it still reads.
async fn given<N>(rest: &mut Events<N>, writer: &mut StreamWriter<u8>, bytes: Vec<u8>) -> bool {
    if bytes.len() <= BLOCK {
        return rest.taken_within(PATIENCE, written(writer, bytes)).await == Some(true);
    }
    for block in bytes.chunks(BLOCK) {
        let giving = written(writer, block.to_vec());
        if rest.taken_within(PATIENCE, giving).await != Some(true) {
            return false;
        }
    }
    true
}
