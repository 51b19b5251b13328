//! Appends entries to a log, part by part.
//!
//! One part is written at a time. A part that could not be written keeps its number and its bytes
//! and is written again, so a log never has a hole; entries that come meanwhile wait behind it.

use crate::part::MAX_HEADER;
use crate::{Dialect, Encoder, Entry, MAX_VALUE, Part, Place};
use quarry_types::Timestamp;
use std::rc::Rc;

/// After this a log's first entries are written. Milliseconds. A log that ends before writes once.
const FIRST_MS: u64 = 250;
/// After this later entries are written. Milliseconds.
const LATER_MS: u64 = 1_000;

#[derive(Debug)]
pub(crate) struct LogWriter {
    encoder: Encoder,
    expires: Timestamp,
    /// How long it is to be read after its end, in milliseconds, where that is shorter.
    lasts_ms: Option<u64>,
    next: u32,
    /// The part that is on its way or is to be tried again, and when it was made.
    current: Option<(Rc<[u8]>, Timestamp)>,
    waiting_since: Option<Timestamp>,
    in_a_hurry: bool,
    is_held: bool,
    is_abandoned: bool,
}

impl LogWriter {
    pub fn new(dialect: Dialect, expires: Timestamp) -> Self {
        LogWriter {
            encoder: Encoder::new(dialect),
            expires,
            lasts_ms: None,
            next: 0,
            current: None,
            waiting_since: None,
            in_a_hurry: false,
            is_held: false,
            is_abandoned: false,
        }
    }

    pub fn push(&mut self, entries: &[Entry], now: Timestamp) {
        if self.is_abandoned {
            return;
        }
        entries.iter().for_each(|entry| self.encoder.push(entry));
        if !entries.is_empty() {
            self.waiting_since.get_or_insert(now);
        }
    }

    pub const fn lasting(&mut self, lasts_ms: Option<u64>) {
        self.lasts_ms = lasts_ms;
    }

    /// The log has ended: nothing waits, and its time runs.
    pub fn end(&mut self, now: Timestamp) {
        if let Some(lasts_ms) = self.lasts_ms {
            self.expires = self.expires.min(Timestamp(now.0.saturating_add(lasts_ms)));
        }
        self.hurry();
    }

    /// Nothing of it is written any more.
    pub fn abandon(&mut self) {
        self.encoder.clear();
        (self.current, self.waiting_since) = (None, None);
        self.is_abandoned = true;
    }

    /// From now on nothing waits: the log has ended, or somebody reads from it.
    pub const fn hurry(&mut self) {
        self.in_a_hurry = true;
    }

    /// Holds back what is in no part yet, or lets go of it.
    pub const fn hold(&mut self, is_held: bool) {
        self.is_held = is_held;
    }

    /// Whether everything is in the store.
    pub const fn is_settled(&self) -> bool {
        self.current.is_none() && self.encoder.is_empty()
    }

    /// Whether all that is to be written is one part that was not tried yet.
    pub fn is_one_part(&self) -> bool {
        let is_small = self.encoder.len() < MAX_VALUE - MAX_HEADER;
        self.current.is_none() && !self.encoder.is_empty() && is_small
    }

    /// When the next write is due; none when there is nothing to write.
    pub fn due(&self) -> Option<Timestamp> {
        let since = match &self.current {
            Some((_, made)) => return Some(*made),
            None if self.is_held => return None,
            None => self.waiting_since?,
        };
        if self.in_a_hurry || self.encoder.len() >= MAX_VALUE - MAX_HEADER {
            return Some(since);
        }
        let wait = if self.next == 0 { FIRST_MS } else { LATER_MS };
        Some(Timestamp(since.0.saturating_add(wait)))
    }

    /// The part to write now: the one that failed, else the next.
    pub fn take(&mut self, now: Timestamp) -> Option<(Place, Rc<[u8]>)> {
        if self.current.is_none() {
            let (is_fresh, records) = self.encoder.take(MAX_VALUE - MAX_HEADER)?;
            let part =
                Part { expires: self.expires, written: now, is_fresh, records: &records }.write();
            self.current = Some((part.into(), now));
            self.waiting_since = (!self.encoder.is_empty()).then_some(now);
        }
        let (bytes, _) = self.current.as_ref()?;
        Some((Place::Part(self.next), bytes.clone()))
    }

    /// The part is in the store; says when it was made.
    pub fn written(&mut self) -> Option<Timestamp> {
        let (_, made) = self.current.take()?;
        self.next = self.next.saturating_add(1);
        Some(made)
    }
}
