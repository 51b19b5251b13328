//! A reply as it goes over the wire, with its faults.
//!
//! Border: what is sent, in which pieces, and how it ends; who sends it, and over what, is the
//! caller's.

use crate::record::Wire;
use crate::script::{Fault, Reply, Split};
use crate::{anthropic, embeddings, openai, pieces, responses};
use serde_json::Value;

/// A reply as it goes over the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Playback {
    /// The signal that everything waits for.
    pub hold: Option<String>,
    /// None: nothing is sent at all.
    pub response: Option<Response>,
    /// What comes after all that is sent.
    pub end: End,
}

/// What is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body in the pieces in which it is written.
    pub writes: Vec<Write>,
    /// Whether its length is not told ahead.
    pub is_stream: bool,
}

/// A piece of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// The signal that it waits for.
    pub hold: Option<String>,
    /// The piece.
    pub bytes: Vec<u8>,
}

/// How a reply ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// In good order.
    Whole,
    /// The connection breaks.
    Cut,
    /// Nothing more ever comes.
    Silence,
}

impl Playback {
    /// A reply to this request in this wire format.
    #[must_use]
    pub fn of(reply: &Reply, wire: Wire, request: &Value) -> Playback {
        let (hold, end) = (reply.hold.clone(), End::of(reply.fault));
        if matches!(reply.fault, Some(Fault::Hang | Fault::Refuse)) {
            return Playback { hold, response: None, end };
        }
        let (response, end) = if let Some(raw) = &reply.raw {
            let media_type = reply.media_type.as_deref().unwrap_or("text/event-stream");
            (Response::whole(reply.status.unwrap_or(200), media_type, raw), End::Whole)
        } else if let Some(status) = reply.status {
            let error = match wire {
                Wire::Anthropic => anthropic::error(reply, status),
                Wire::OpenAi | Wire::Responses | Wire::Embeddings | Wire::OllamaEmbed => {
                    openai::error(reply, status)
                }
            };
            (Response::whole(status, "application/json", &error.to_string()), End::Whole)
        } else if wire.embeds() {
            let body = embeddings::body(reply, wire, request).to_string();
            (Response::whole(200, "application/json", &body), end)
        } else {
            (Response::stream(writes(wire, reply, request)), end)
        };
        Playback { hold, response: Some(response.with(reply)), end }
    }
}

impl End {
    fn of(fault: Option<Fault>) -> End {
        match fault {
            Some(Fault::Hang | Fault::HangMidway) => End::Silence,
            Some(Fault::Refuse | Fault::Cut) => End::Cut,
            Some(Fault::Truncate | Fault::BrokenFrame | Fault::ErrorFrame) | None => End::Whole,
        }
    }
}

impl Response {
    fn whole(status: u16, media_type: &str, body: &str) -> Response {
        let bytes = body.as_bytes().to_vec();
        let headers = vec![("content-type".to_owned(), media_type.to_owned())];
        Response { status, headers, writes: vec![Write { hold: None, bytes }], is_stream: false }
    }

    fn stream(writes: Vec<Write>) -> Response {
        let media_type = "text/event-stream; charset=utf-8".to_owned();
        let headers = vec![("content-type".to_owned(), media_type)];
        Response { status: 200, headers, writes, is_stream: true }
    }

    /// The script's headers take the place of ours.
    fn with(mut self, reply: &Reply) -> Response {
        self.headers.retain(|(name, _)| !reply.headers.contains_key(name));
        let more = reply.headers.iter().map(|(name, value)| (name.clone(), value.clone()));
        self.headers.extend(more);
        self
    }
}

/// The body of a streamed completion, as far as it is sent.
fn writes(wire: Wire, reply: &Reply, request: &Value) -> Vec<Write> {
    let frames = with_faults(wire, reply, wire_frames(wire, reply, request));
    let mut writes = match reply.split {
        Split::Whole if reply.hold_midway.is_none() => vec![frames.concat().into_bytes()],
        Split::Whole | Split::Frames => frames.into_iter().map(String::into_bytes).collect(),
        Split::Awkward => pieces::awkward(frames.concat().as_bytes()),
    };
    if matches!(reply.fault, Some(Fault::Cut | Fault::HangMidway)) {
        let half = writes.len().div_ceil(2);
        if let [whole] = writes.as_mut_slice() {
            whole.truncate(whole.len() / 2);
        }
        writes.truncate(half);
    }
    let held = |(index, bytes)| {
        // Frame 0 opens the message; frame 1 is the first piece of content.
        let hold = reply.hold_midway.clone().filter(|_| index == 2);
        Write { hold, bytes }
    };
    writes.into_iter().enumerate().map(held).collect()
}

fn wire_frames(wire: Wire, reply: &Reply, request: &Value) -> Vec<String> {
    let end = if reply.split == Split::Awkward { "\r\n" } else { "\n" };
    let mut frames: Vec<String> = match wire {
        Wire::OpenAi => openai::frames(reply, request)
            .into_iter()
            .map(|data| format!("data: {data}{end}{end}"))
            .collect(),
        Wire::Anthropic => named(anthropic::frames(reply, request), end),
        Wire::Responses => named(responses::frames(reply, request), end),
        // They come whole.
        Wire::Embeddings | Wire::OllamaEmbed => Vec::new(),
    };
    if reply.split == Split::Awkward {
        frames.insert(0, format!(": the provider is thinking{end}{end}"));
    }
    frames
}

/// Frames whose events have names.
fn named(frames: Vec<(String, String)>, end: &str) -> Vec<String> {
    let frame = |(event, data)| format!("event: {event}{end}data: {data}{end}{end}");
    frames.into_iter().map(frame).collect()
}

/// The faults that lie in the frames themselves.
fn with_faults(wire: Wire, reply: &Reply, mut frames: Vec<String>) -> Vec<String> {
    let half = frames.len() / 2;
    match reply.fault {
        Some(Fault::Truncate) => frames.truncate(half),
        Some(Fault::BrokenFrame) => {
            frames.insert(half, "data: {\"choices\":[{\"delta\":{\"content\":\"bro\n\n".to_owned());
        }
        Some(Fault::ErrorFrame) => {
            frames.truncate(half);
            frames.push(match wire {
                Wire::OpenAi | Wire::Embeddings | Wire::OllamaEmbed => {
                    format!("data: {}\n\n", openai::error(reply, 500))
                }
                Wire::Anthropic => {
                    format!("event: error\ndata: {}\n\n", anthropic::error(reply, 529))
                }
                Wire::Responses => format!("event: error\ndata: {}\n\n", responses::error(reply)),
            });
        }
        Some(Fault::Hang | Fault::HangMidway | Fault::Refuse | Fault::Cut) | None => {}
    }
    frames
}
