//! How one message is answered: at once, or by a stream of progress that a tool's result ends.
//!
//! Border: a fold over the events of an ask. Whoever joins again is told the same frames from the one behind the last
//! that it saw.

use std::time::Duration;

use quarry_types::Timestamp;
use serde::Serialize;

use super::era::Version;
use super::failure::Failure;
use super::fold::Fold;
use super::message::Id;
use super::{place, reply};
use crate::door::{self, Told};
use crate::responses::born_at;
use crate::talk::{Marks, SILENCE};
use crate::{Event, Headers, Refusal, Reply, frames, stream_head};

/// A line without an empty one behind it: a client fails at a comment that is a frame of its own.
const SIGN_OF_LIFE: &[u8] = b":\n";
/// Milliseconds after which a client that lost the stream joins it again.
const RETRY: u32 = 1_000;
/// How long whoever joins again waits at least: what is in the log by then is read.
const READING: Duration = Duration::from_secs(2);

/// A request, as far as its answer depends on it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Call {
    pub version: Version,
    /// None where it could not be read, or there was none.
    pub id: Option<Id>,
    pub wants: Wants,
}

/// What is wanted.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Wants {
    /// An answer that needs no ask.
    #[default]
    Words,
    /// A resource with this address.
    Resource(String),
    /// What a tool gives.
    Tool(Listening),
    /// A task in place of what a tool gives.
    Task,
}

/// How the caller of a tool listens.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Listening {
    /// By what progress is known; none: it is not told.
    pub token: Option<Id>,
    /// How many seconds it waits for the end.
    pub wait: u64,
    /// Whether frames have ids, by which the rest can be had.
    pub is_numbered: bool,
    /// The last frame that was seen, where the stream is joined again.
    pub after: Option<u64>,
}

/// What goes on, as whoever gave a token is told it.
#[derive(Serialize)]
struct Notification<'a> {
    jsonrpc: &'static str,
    method: &'static str,
    params: Params<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a> {
    progress_token: &'a Id,
    progress: u64,
    message: &'a str,
}

/// How one message is answered.
#[derive(Default)]
pub(super) struct Voice {
    call: Call,
    marks: Marks,
    fold: Fold,
    ask: String,
    /// Frames so far.
    frames: u64,
    has_begun: bool,
    has_ended: bool,
}

impl Voice {
    pub fn new(call: Call) -> Voice {
        Voice { call, ..Voice::default() }
    }

    fn listening(&self) -> Option<&Listening> {
        match &self.call.wants {
            Wants::Tool(listening) => Some(listening),
            Wants::Words | Wants::Resource(_) | Wants::Task => None,
        }
    }

    /// The first frame of a stream that can be joined again: an id, and nothing else. What was known before it is behind
    /// whoever joins there.
    fn open(&mut self, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        let Some(listening) = self.listening() else { return };
        if !listening.is_numbered || listening.after.is_some() {
            return;
        }
        if let Some(id) = &self.call.id {
            let place = place::written(&self.ask, id, listening.token.as_ref(), self.frames);
            out.extend_from_slice(format!("id: {place}\nretry: {RETRY}\ndata: \n\n").as_bytes());
        }
    }

    /// Begins the frame with this number, unless it was seen.
    fn begins(&self, number: u64, out: &mut Vec<u8>) -> bool {
        let Some(listening) = self.listening() else { return false };
        if listening.after.is_some_and(|after| number <= after) {
            return false;
        }
        if let Some(id) = self.call.id.as_ref().filter(|_| listening.is_numbered) {
            let place = place::written(&self.ask, id, listening.token.as_ref(), number);
            out.extend_from_slice(b"id: ");
            out.extend_from_slice(place.as_bytes());
            out.push(b'\n');
        }
        true
    }

    fn progress(&mut self, line: &str, out: &mut Vec<u8>) {
        let number = self.frames.saturating_add(1);
        let token = self.listening().and_then(|listening| listening.token.as_ref());
        let Some(token) = token else { return };
        let params = Params { progress_token: token, progress: number, message: line };
        let told = Notification { jsonrpc: "2.0", method: "notifications/progress", params };
        if self.begins(number, out) {
            frames::data(&told, out);
        }
        self.frames = number;
    }

    fn message(&self) -> String {
        let Some(id) = &self.call.id else { return String::new() };
        reply::message(id, self.call.version, self.fold.result(self.call.version))
    }

    /// Takes events, each by this step of the fold, and gives the frames of what goes on.
    pub(super) fn tell_each<E>(
        &mut self,
        events: &[E],
        mut step: impl FnMut(&mut Fold, &E) -> Vec<String>,
    ) -> Told {
        let mut bytes = frames::buffer();
        if self.has_ended {
            return Told { bytes, last: true };
        }
        self.open(&mut bytes);
        for event in events {
            for line in step(&mut self.fold, event) {
                self.progress(&line, &mut bytes);
            }
        }
        let last = self.fold.has_ended();
        if last {
            bytes.append(&mut self.end());
        }
        Told { bytes, last }
    }

    /// The last frame, once.
    fn end(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        if !std::mem::replace(&mut self.has_ended, true) {
            self.open(&mut out);
            self.frames = self.frames.saturating_add(1);
            if self.begins(self.frames, &mut out) {
                write(&self.message(), &mut out);
            }
        }
        out
    }

    /// A tool's result, in the form that its caller reads.
    fn reply(&self, message: String) -> Reply {
        let joins = self.listening().is_some_and(|listening| listening.after.is_some());
        if joins {
            let mut frame = Vec::new();
            write(&message, &mut frame);
            return Reply::stream(frame);
        }
        let mut reply = Reply::json(200, message);
        self.marks.put(&mut reply.headers);
        reply
    }
}

/// Writes a message as data.
fn write(message: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b"data: ");
    out.extend_from_slice(message.as_bytes());
    out.extend_from_slice(b"\n\n");
}

impl door::Voice for Voice {
    fn streams(&self) -> bool {
        self.listening().is_some()
    }

    /// Whoever joins again counts from its call, as the ask does: it would give up, and cancel what is paid for, before
    /// a wait that began anew was over.
    fn patience(&self, now: Timestamp) -> Option<Duration> {
        let Listening { wait, after, .. } = self.listening()?;
        let wait = Duration::from_secs(*wait);
        if after.is_none() {
            return Some(wait);
        }
        let waited = Duration::from_millis(now.since(Timestamp(born_at(&self.ask))));
        Some(wait.saturating_sub(waited).max(READING))
    }

    fn head(&self) -> Headers {
        let mut headers = stream_head();
        self.marks.put(&mut headers);
        headers
    }

    fn begin(&mut self, id: &str) {
        id.clone_into(&mut self.ask);
        self.marks.begin(id);
        self.fold.begin(id);
    }

    fn tell(&mut self, events: Vec<Event>) -> Told {
        self.tell_each(&events, |fold, event| fold.step(event))
    }

    /// The frames of what it passes count, so that they have the same numbers for whoever joins again.
    fn pass(&mut self, events: Vec<Event>) -> bool {
        let has_begun = self.has_begun;
        let last = self.tell(events).last;
        self.has_begun = has_begun;
        last
    }

    fn silence(&self) -> Option<Duration> {
        Some(SILENCE)
    }

    fn sign_of_life(&self) -> Vec<u8> {
        SIGN_OF_LIFE.to_vec()
    }

    /// Whoever joins again gets a last word though not all was read again that it saw.
    fn late(&mut self) -> Vec<u8> {
        let after = self.listening().and_then(|listening| listening.after);
        self.frames = self.frames.max(after.unwrap_or_default());
        self.end()
    }

    fn broke_off(&mut self, why: &Refusal, _: Timestamp) -> Vec<u8> {
        self.fold.break_off(why);
        self.late()
    }

    fn whole(&mut self, broke_off: Option<&Refusal>) -> Reply {
        if let Some(why) = broke_off {
            self.fold.break_off(why);
        }
        self.reply(self.message())
    }

    fn refuse(&self, refusal: &Refusal, _: Timestamp) -> Reply {
        let Call { version, id, wants } = &self.call;
        let refusal = match refusal {
            Refusal::MethodNotAllowed { .. } if version.is_modern() => &no_sessions(),
            refusal => refusal,
        };
        let failure = match wants {
            // A status would make clients sign in anew, or give the server up; a model can do better.
            Wants::Tool(_) | Wants::Task if is_the_callers(refusal) => {
                let Some(id) = id else { return Failure::refused(refusal).reply(None) };
                return self.reply(reply::message(id, *version, reply::trouble(refusal)));
            }
            Wants::Resource(uri) if matches!(refusal, Refusal::NotFound(_)) => {
                Failure::no_resource(uri, *version)
            }
            _ => Failure::refused(refusal),
        };
        self.marks.refuse(refusal, failure.reply(id.as_ref()))
    }
}

/// Why the version that has neither sessions nor streams that are joined again does not take a method.
pub(super) fn no_sessions() -> Refusal {
    Refusal::MethodNotAllowed { allow: "POST, OPTIONS".to_owned() }
}

/// Whether it is about what was asked for, and not about who asks or the server's state.
const fn is_the_callers(refusal: &Refusal) -> bool {
    matches!(
        refusal,
        Refusal::InvalidField { .. }
            | Refusal::BadContinuation(_)
            | Refusal::MissingKey(_)
            | Refusal::NeedsKey(_)
            | Refusal::NotFound(_)
            | Refusal::Conflict { .. }
            | Refusal::Taken(_)
            | Refusal::Busy { .. }
    )
}
