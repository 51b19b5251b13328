//! Reading events from a stream of bytes, by the rules of the HTML standard.
//!
//! Border: the caller brings chunks, cut anywhere; events come back by callback, so that the
//! usual case copies each payload once. Memory is bounded: an event over the limit is an error.

use memchr::memchr2;

/// One event as it was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event<'a> {
    /// Its name; `message` when the stream named none.
    pub event: &'a str,
    /// Its payload, lines joined by a line feed.
    pub data: &'a str,
    /// The last id that the stream has set, empty if none.
    pub id: &'a str,
}

/// The stream holds an event (or a line) over the parser's limit. The stream cannot be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong {
    /// Bytes that one event may have.
    pub limit: usize,
}

impl std::fmt::Display for TooLong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "an event of the stream is longer than {} bytes", self.limit)
    }
}

impl std::error::Error for TooLong {}

/// Bytes that one event may have unless the caller says otherwise.
pub const DEFAULT_LIMIT: usize = 1024 * 1024;

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// An incremental reader.
#[derive(Debug)]
pub struct Parser {
    limit: usize,
    /// The beginning of a line whose end has not come yet.
    line: Vec<u8>,
    data: String,
    has_data: bool,
    event: String,
    id: String,
    retry_ms: Option<u64>,
    /// The last chunk ended in CR: an LF that follows belongs to it.
    after_cr: bool,
    /// No line has been read yet, so a byte order mark may come.
    at_start: bool,
}

impl Default for Parser {
    fn default() -> Self {
        Parser::new(DEFAULT_LIMIT)
    }
}

impl Parser {
    /// A reader that refuses events of more than `limit` bytes.
    #[must_use]
    pub const fn new(limit: usize) -> Self {
        Parser {
            limit,
            line: Vec::new(),
            data: String::new(),
            has_data: false,
            event: String::new(),
            id: String::new(),
            retry_ms: None,
            after_cr: false,
            at_start: true,
        }
    }

    /// Reads a chunk and hands over each event that it completes.
    ///
    /// # Errors
    /// [`TooLong`] when an event passes the limit; what came before it was handed over.
    pub fn push(
        &mut self,
        chunk: &[u8],
        mut on_event: impl FnMut(Event<'_>),
    ) -> Result<(), TooLong> {
        let mut rest = chunk;
        if self.after_cr && !rest.is_empty() {
            self.after_cr = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(end) = memchr2(b'\n', b'\r', rest) {
            let (line, tail) = rest.split_at(end);
            if self.line.is_empty() {
                self.check(line.len())?;
                self.take_line(line, &mut on_event)?;
            } else {
                self.check(self.line.len() + line.len())?;
                self.line.extend_from_slice(line);
                let whole = std::mem::take(&mut self.line);
                self.take_line(&whole, &mut on_event)?;
                self.line = whole;
                self.line.clear();
            }
            rest = match tail {
                [b'\r', b'\n', after @ ..] | [b'\n', after @ ..] => after,
                [b'\r'] => {
                    self.after_cr = true;
                    &[]
                }
                [_, after @ ..] => after,
                [] => &[],
            };
        }
        self.check(self.line.len() + rest.len())?;
        self.line.extend_from_slice(rest);
        Ok(())
    }

    /// Ends the stream and hands over an event whose closing blank line never came.
    ///
    /// The standard drops such an event. Callers who know that their peer forgets the last blank
    /// line want it; others ignore it.
    pub fn finish(mut self, mut on_event: impl FnMut(Event<'_>)) {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() && self.take_line(&line, &mut on_event).is_err() {
            return;
        }
        self.dispatch(&mut on_event);
    }

    /// Milliseconds that the stream asked clients to wait before they connect again.
    #[must_use]
    pub const fn retry_ms(&self) -> Option<u64> {
        self.retry_ms
    }

    /// The last id that the stream has set, empty if none.
    #[must_use]
    pub fn last_event_id(&self) -> &str {
        &self.id
    }

    const fn check(&self, bytes: usize) -> Result<(), TooLong> {
        if bytes > self.limit { Err(TooLong { limit: self.limit }) } else { Ok(()) }
    }

    fn take_line(
        &mut self,
        line: &[u8],
        on_event: &mut impl FnMut(Event<'_>),
    ) -> Result<(), TooLong> {
        let mut line = line;
        if std::mem::take(&mut self.at_start) {
            line = line.strip_prefix(BOM).unwrap_or(line);
        }
        let mut parts = line.splitn(2, |byte| *byte == b':');
        let name = parts.next().unwrap_or_default();
        let value = parts.next();
        if name.is_empty() {
            // No colon: a blank line. A colon: a comment.
            if value.is_none() {
                self.dispatch(on_event);
            }
            return Ok(());
        }
        let value = value.unwrap_or_default();
        let value = value.strip_prefix(b" ").unwrap_or(value);
        self.take_field(name, value)
    }

    fn take_field(&mut self, name: &[u8], value: &[u8]) -> Result<(), TooLong> {
        match name {
            b"data" => {
                self.check(self.data.len() + value.len() + 1)?;
                if self.has_data {
                    self.data.push('\n');
                }
                self.has_data = true;
                push_lossy(&mut self.data, value);
            }
            b"event" => {
                self.event.clear();
                push_lossy(&mut self.event, value);
            }
            b"id" if !value.contains(&0) => {
                self.id.clear();
                push_lossy(&mut self.id, value);
            }
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                self.retry_ms = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
            }
            _ => {}
        }
        Ok(())
    }

    fn dispatch(&mut self, on_event: &mut impl FnMut(Event<'_>)) {
        // The standard drops an event without a `data` field; an empty one counts.
        if self.has_data {
            let event = if self.event.is_empty() { "message" } else { &self.event };
            on_event(Event { event, data: &self.data, id: &self.id });
        }
        self.data.clear();
        self.has_data = false;
        self.event.clear();
    }
}

/// What is no UTF-8 becomes replacement characters. Nearly all of it is, and is checked in words.
fn push_lossy(text: &mut String, bytes: &[u8]) {
    match std::str::from_utf8(bytes) {
        Ok(valid) => text.push_str(valid),
        Err(_) => text.push_str(&String::from_utf8_lossy(bytes)),
    }
}

#[cfg(test)]
mod tests;
