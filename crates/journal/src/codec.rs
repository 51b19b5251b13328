//! Entries as bytes, for any cutting of the bytes.
//!
//! A log is one stream of records, so an entry may be larger than a part. Lengths stand before
//! contents: whatever an entry says, it reads back to the very same bytes. Two records save
//! space: a *run* holds pieces in a row, and a *quote* holds an entry that repeats the whole text
//! of the pieces so far (as a final answer does) without that text.
//!
//! ```text
//! e <number> <length of kind> <length of body>\n<kind><body>\n
//! r <first number> <length>,<length>…\n<texts of the pieces>\n
//! q <number> <length of kind> <length before> <length behind>\n<kind><before><behind>\n
//! ```

use crate::{Dialect, Entry, Part};
use std::collections::VecDeque;

/// What stands around the text of a piece.
const OPENING: &str = "{\"text\":\"";
const CLOSING: &str = "\"}";

/// Text after which a run is closed: a reader need not wait for more.
const LONGEST_RUN: usize = 64 * 1024;

/// Text of pieces that is remembered for quotes. Writer and reader hold to the same limit.
const LONGEST_TEXT: usize = 4 * 1024 * 1024;

/// A shorter text is not worth a quote.
const SHORTEST_QUOTE: usize = 64;

/// The longest entry that a reader believes in.
const LONGEST_ENTRY: usize = 256 * 1024 * 1024;

/// Why a log cannot be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// A record is not one.
    #[error("a record of the log is damaged")]
    Record,
    /// A part goes on with an entry of which the beginning is missing.
    #[error("the beginning of an entry of the log is missing")]
    Beginning,
    /// Numbers have a gap or no successor.
    #[error("the numbers of the log have a gap")]
    Gap,
}

/// All texts of pieces so far; both ends build the same one.
#[derive(Debug, Default)]
struct Text {
    all: String,
    is_full: bool,
}

impl Text {
    fn push(&mut self, piece: &str) {
        self.is_full |= self.all.len() + piece.len() > LONGEST_TEXT;
        if self.is_full {
            self.all.clear();
        } else {
            self.all.push_str(piece);
        }
    }

    fn quotable(&self) -> Option<&str> {
        (self.all.len() >= SHORTEST_QUOTE).then_some(self.all.as_str())
    }
}

#[derive(Debug)]
struct Run {
    first: u64,
    lengths: Vec<usize>,
    text: String,
}

/// Turns entries into bytes.
#[derive(Debug)]
pub struct Encoder {
    dialect: Dialect,
    text: Text,
    run: Option<Run>,
    bytes: Vec<u8>,
    /// Bytes taken so far.
    taken: usize,
    /// The end of the last record that is taken whole, as a count of bytes from the beginning.
    border: usize,
    /// The ends of the records behind it.
    borders: VecDeque<usize>,
}

impl Encoder {
    /// For a log without entries.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        Encoder {
            dialect,
            text: Text::default(),
            run: None,
            bytes: Vec::new(),
            taken: 0,
            border: 0,
            borders: VecDeque::new(),
        }
    }

    /// Bytes that have not been taken, roughly: the open run counts by its text.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len() + self.run.as_ref().map_or(0, |run| run.text.len() + 64)
    }

    /// Whether everything has been taken.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.run.is_none()
    }

    /// Adds an entry.
    pub fn push(&mut self, entry: &Entry) {
        if self.push_piece(entry) {
            return;
        }
        self.close_run();
        let Entry { number, kind, body } = entry;
        match self.text.quotable().and_then(|text| body.split_once(text)) {
            Some((before, behind)) => {
                let header =
                    format!("q {number} {} {} {}\n", kind.len(), before.len(), behind.len());
                self.record(&header, &[kind.as_str(), before, behind]);
            }
            None => {
                let header = format!("e {number} {} {}\n", kind.len(), body.len());
                self.record(&header, &[kind.as_str(), body.as_str()]);
            }
        }
    }

    fn push_piece(&mut self, entry: &Entry) -> bool {
        if entry.kind != self.dialect.pieces {
            return false;
        }
        let piece = entry.body.strip_prefix(OPENING).and_then(|b| b.strip_suffix(CLOSING));
        let Some(piece) = piece else { return false };
        let follows = |run: &Run| {
            u64::try_from(run.lengths.len())
                .ok()
                .and_then(|count| run.first.checked_add(count))
                .is_some_and(|next| next == entry.number)
        };
        if !self.run.as_ref().is_none_or(follows) {
            self.close_run();
        }
        let new = || Run { first: entry.number, lengths: Vec::new(), text: String::new() };
        let run = self.run.get_or_insert_with(new);
        run.lengths.push(piece.len());
        run.text.push_str(piece);
        if run.text.len() >= LONGEST_RUN || run.lengths.len() >= LONGEST_RUN / 4 {
            self.close_run();
        }
        true
    }

    fn close_run(&mut self) {
        let Some(run) = self.run.take() else { return };
        let lengths: Vec<String> = run.lengths.iter().map(usize::to_string).collect();
        self.text.push(&run.text);
        self.record(&format!("r {} {}\n", run.first, lengths.join(",")), &[&run.text]);
    }

    fn record(&mut self, header: &str, contents: &[&str]) {
        self.bytes.extend_from_slice(header.as_bytes());
        for content in contents {
            self.bytes.extend_from_slice(content.as_bytes());
        }
        self.bytes.push(b'\n');
        self.borders.push_back(self.taken + self.bytes.len());
    }

    /// Takes up to `most` bytes, and says whether they begin with a new entry.
    pub fn take(&mut self, most: usize) -> Option<(bool, Vec<u8>)> {
        self.close_run();
        if self.bytes.is_empty() {
            return None;
        }
        let is_fresh = self.border == self.taken;
        let rest = self.bytes.split_off(self.bytes.len().min(most));
        let taken = std::mem::replace(&mut self.bytes, rest);
        self.taken += taken.len();
        while let Some(border) = self.borders.front().copied().filter(|end| *end <= self.taken) {
            self.border = border;
            self.borders.pop_front();
        }
        Some((is_fresh, taken))
    }
}

/// Turns bytes back into entries.
#[derive(Debug)]
pub struct Decoder {
    dialect: Dialect,
    text: Text,
    /// An entry that is not whole yet.
    bytes: Vec<u8>,
    last: u64,
}

impl Decoder {
    /// For a log that is read from its first part.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        Decoder { dialect, text: Text::default(), bytes: Vec::new(), last: 0 }
    }

    /// The number of the last entry read; 0 before the first.
    #[must_use]
    pub const fn last(&self) -> u64 {
        self.last
    }

    /// Takes the next part in and returns the entries that are whole now.
    ///
    /// # Errors
    /// [`Damage`] when the log cannot be read on.
    pub fn push(&mut self, part: &Part<'_>) -> Result<Vec<Entry>, Damage> {
        match (part.is_fresh, self.bytes.is_empty()) {
            (true, _) => self.bytes.clear(),
            (false, true) => return Err(Damage::Beginning),
            (false, false) => {}
        }
        self.bytes.extend_from_slice(part.records);
        let bytes = std::mem::take(&mut self.bytes);
        let mut rest = bytes.as_slice();
        let mut entries = Vec::new();
        while let Some(behind) = self.record(rest, &mut entries)? {
            rest = behind;
        }
        self.bytes = rest.to_vec();
        Ok(entries)
    }

    /// Reads one record and returns what is behind it; none when it is not whole.
    fn record<'b>(
        &mut self,
        bytes: &'b [u8],
        entries: &mut Vec<Entry>,
    ) -> Result<Option<&'b [u8]>, Damage> {
        let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else { return Ok(None) };
        let (header, contents) = bytes.split_at(end);
        let contents = contents.get(1..).unwrap_or_default();
        let header = std::str::from_utf8(header).map_err(|_| Damage::Record)?;
        let mut words = header.split(' ');
        let kind = words.next().unwrap_or_default();
        let number = words.next().and_then(|word| word.parse().ok()).ok_or(Damage::Record)?;
        let lengths = words.flat_map(|word| word.split(',')).map(|word| word.parse().ok());
        let lengths: Vec<usize> = lengths.collect::<Option<_>>().ok_or(Damage::Record)?;
        let length = lengths.iter().try_fold(0_usize, |sum, length| sum.checked_add(*length));
        let length = length.filter(|length| *length <= LONGEST_ENTRY).ok_or(Damage::Record)?;
        let Some((contents, behind)) = contents.split_at_checked(length) else { return Ok(None) };
        let behind = match behind.split_first() {
            None => return Ok(None),
            Some((b'\n', behind)) => behind,
            Some(_) => return Err(Damage::Record),
        };
        let contents = std::str::from_utf8(contents).map_err(|_| Damage::Record)?;
        let pieces = cut(contents, &lengths).ok_or(Damage::Record)?;
        match (kind, pieces.as_slice()) {
            ("e", [kind, body]) => self.entry(number, kind, (*body).to_owned(), entries)?,
            ("q", [kind, before, behind]) => {
                let body = [before, self.text.quotable().ok_or(Damage::Record)?, behind].concat();
                self.entry(number, kind, body, entries)?;
            }
            ("r", pieces) => {
                for (number, piece) in (number..=u64::MAX).zip(pieces) {
                    let body = [OPENING, piece, CLOSING].concat();
                    self.entry(number, self.dialect.pieces, body, entries)?;
                }
                self.text.push(contents);
            }
            _ => return Err(Damage::Record),
        }
        Ok(Some(behind))
    }

    fn entry(
        &mut self,
        number: u64,
        kind: &str,
        body: String,
        entries: &mut Vec<Entry>,
    ) -> Result<(), Damage> {
        if self.last.checked_add(1) != Some(number) {
            return Err(Damage::Gap);
        }
        self.last = number;
        entries.push(Entry { number, kind: kind.to_owned(), body });
        Ok(())
    }
}

/// Cuts a text into pieces of these lengths; none when a cut falls inside a character.
fn cut<'t>(mut text: &'t str, lengths: &[usize]) -> Option<Vec<&'t str>> {
    let mut pieces = Vec::with_capacity(lengths.len());
    for length in lengths {
        let (piece, rest) = text.split_at_checked(*length)?;
        pieces.push(piece);
        text = rest;
    }
    Some(pieces)
}

#[cfg(test)]
mod tests;
