//! An ask's log: its events in numbered parts, appended as time goes by.
//!
//! A part is a key-value value: expiry, then one line an event. Parts are only ever added, so a
//! reader that knows part n waits for part n + 1 and needs no lock. Short asks write once, at
//! their end; long ones every second or so.

use crate::store;
use quarry_events::{Event, EventName};
use quarry_types::AskId;
use spin_sdk::key_value::{Error, Store};

/// The largest part, in bytes. A key-value store takes 1 MB.
const MAX_PART: usize = 800_000;

/// Events that are not in the store yet.
pub struct Log {
    id: AskId,
    expires_ms: u64,
    next_part: u32,
    unwritten: String,
}

/// Parts on their way to the store.
pub struct Flush {
    id: AskId,
    parts: Vec<(u32, Vec<u8>)>,
}

impl Log {
    pub const fn new(id: AskId, expires_ms: u64) -> Self {
        Log { id, expires_ms, next_part: 0, unwritten: String::new() }
    }

    pub fn append(&mut self, events: &[Event]) {
        for event in events {
            self.unwritten.push_str(&line(event));
        }
    }

    /// Takes what is unwritten, as parts of bounded size; none when there is nothing.
    pub fn take(&mut self) -> Option<Flush> {
        if self.unwritten.is_empty() {
            return None;
        }
        let text = std::mem::take(&mut self.unwritten);
        let mut parts = Vec::new();
        for part in split(&text) {
            parts.push((self.next_part, store::with_expiry(self.expires_ms, part)));
            self.next_part += 1;
        }
        Some(Flush { id: self.id, parts })
    }
}

impl Flush {
    pub async fn write(self, store: &Store) -> Result<(), Error> {
        for (part, bytes) in self.parts {
            store.set(store::log_key(&self.id, part), bytes).await?;
        }
        Ok(())
    }
}

/// Reads one part; none when it is not there (yet) or has expired.
pub async fn read_part(
    store: &Store,
    id: &AskId,
    part: u32,
    now_ms: u64,
) -> Result<Option<Vec<Event>>, Error> {
    let bytes = store.get(store::log_key(id, part)).await?;
    let events = bytes.as_deref().and_then(|bytes| store::unexpired(bytes, now_ms));
    Ok(events.map(|text| text.lines().filter_map(parse).collect()))
}

/// Splits at line ends into pieces of at most `MAX_PART`; a single longer line stays whole, as
/// no event is larger than its continuation state.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while rest.len() > MAX_PART {
        let room = rest.as_bytes().get(..MAX_PART).unwrap_or_default();
        let cut = room.iter().rposition(|byte| *byte == b'\n');
        let cut = cut.or_else(|| rest.find('\n')).map_or(rest.len(), |at| at + 1);
        let (part, tail) = rest.split_at(cut);
        parts.push(part);
        rest = tail;
    }
    if !rest.is_empty() {
        parts.push(rest);
    }
    parts
}

fn line(event: &Event) -> String {
    format!("{}\t{}\t{}\n", event.sequence, event.name.as_str(), event.data)
}

fn parse(line: &str) -> Option<Event> {
    let mut fields = line.splitn(3, '\t');
    let sequence = fields.next()?.parse().ok()?;
    let name = EventName::parse(fields.next()?)?;
    Some(Event { sequence, name, data: fields.next()?.to_owned() })
}

/// Adds one part of one event.
pub async fn append_part(
    store: &Store,
    id: &AskId,
    part: u32,
    expires_ms: u64,
    event: &Event,
) -> Result<(), Error> {
    store.set(store::log_key(id, part), store::with_expiry(expires_ms, &line(event))).await
}
