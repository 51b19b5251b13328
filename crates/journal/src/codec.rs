//! Entries as bytes, for any cutting of the bytes.
//!
//! A log is one stream of records, so an entry may be larger than a part. Lengths stand before
//! contents: whatever an entry says, it reads back to the very same bytes. Two records save
//! space: a *run* holds pieces in a row (their texts, and how what stands behind a text differs
//! from what stood behind the one before), and a *quote* holds an entry that repeats the whole
//! text of the pieces so far (as a final answer does) without that text.
//!
//! ```text
//! e <number> <length of kind> <length of body>\n<kind><body>\n
//! r <first number> <piece>,<piece>…\n<texts and tails>\n
//! q <number> <length of kind> <length before> <length behind>\n<kind><before><behind>\n
//! ```
//! A piece is the length of its text, then `!` and the length of its tail, or the changes of
//! the numbers in the tail before it (see [`tail`]).

mod tail;

use crate::{Dialect, Entry, Part};
use std::collections::VecDeque;

/// What stands before the text of a piece.
const OPENING: &str = "{\"text\":\"";

/// Bytes of pieces and their lengths after which a run is closed: a reader need not wait for more.
const LONGEST_RUN: usize = 64 * 1024;

/// Text of pieces that is remembered for quotes, in bytes. Beyond it all is forgotten and nothing is
/// quoted any more. Writer and reader hold to the same limit.
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

/// All texts of pieces so far, unless they are too long; both ends build the same one.
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

#[derive(Debug, Default)]
struct Before {
    tail: String,
    characters: u64,
}

#[derive(Debug)]
struct Run {
    first: u64,
    count: u64,
    /// The pieces as the header lists them.
    pieces: String,
    /// Texts, and tails that are written out.
    contents: String,
    /// Texts alone.
    text: String,
}

/// Turns entries into bytes.
#[derive(Debug)]
pub struct Encoder {
    dialect: Dialect,
    text: Text,
    before: Before,
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
            before: Before::default(),
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
        self.bytes.len()
            + self.run.as_ref().map_or(0, |run| run.contents.len() + run.pieces.len() + 32)
    }

    /// Whether everything has been taken.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.run.is_none()
    }

    /// Forgets what has not been taken.
    pub(crate) fn clear(&mut self) {
        *self = Encoder::new(self.dialect);
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
        let Some((text, tail)) = piece(&entry.body) else { return false };
        let follows = |run: &Run| run.first.checked_add(run.count) == Some(entry.number);
        if !self.run.as_ref().is_none_or(follows) {
            self.close_run();
        }
        let run = self.run.get_or_insert_with(|| Run {
            first: entry.number,
            count: 0,
            pieces: String::new(),
            contents: String::new(),
            text: String::new(),
        });
        if run.count > 0 {
            run.pieces.push(',');
        }
        run.count += 1;
        run.text.push_str(text);
        run.contents.push_str(text);
        match tail::changes(&self.before.tail, tail, self.before.characters) {
            Some(changes) => run.pieces.push_str(&format!("{}{changes}", text.len())),
            None => {
                run.pieces.push_str(&format!("{}!{}", text.len(), tail.len()));
                run.contents.push_str(tail);
            }
        }
        self.before = Before { tail: tail.to_owned(), characters: tail::characters(text) };
        if run.contents.len() + run.pieces.len() >= LONGEST_RUN {
            self.close_run();
        }
        true
    }

    fn close_run(&mut self) {
        let Some(run) = self.run.take() else { return };
        self.text.push(&run.text);
        self.record(&format!("r {} {}\n", run.first, run.pieces), &[&run.contents]);
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
    before: Before,
    /// An entry that is not whole yet.
    bytes: Vec<u8>,
    last: u64,
}

impl Decoder {
    /// For a log that is read from its first part.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        Decoder {
            dialect,
            text: Text::default(),
            before: Before::default(),
            bytes: Vec::new(),
            last: 0,
        }
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
        let header = Header::read(header).ok_or(Damage::Record)?;
        let length = header.length().ok_or(Damage::Record)?;
        let Some((contents, behind)) = contents.split_at_checked(length) else { return Ok(None) };
        let behind = match behind.split_first() {
            None => return Ok(None),
            Some((b'\n', behind)) => behind,
            Some(_) => return Err(Damage::Record),
        };
        let contents = std::str::from_utf8(contents).map_err(|_| Damage::Record)?;
        self.contents(&header, contents, entries)?;
        Ok(Some(behind))
    }

    fn contents(
        &mut self,
        header: &Header<'_>,
        contents: &str,
        entries: &mut Vec<Entry>,
    ) -> Result<(), Damage> {
        let cut = |lengths: &[usize]| cut(contents, lengths).ok_or(Damage::Record);
        match header {
            Header::Entry { number, lengths } => match cut(lengths)?.as_slice() {
                [kind, body] => self.entry(*number, kind, (*body).to_owned(), entries),
                _ => Err(Damage::Record),
            },
            Header::Quote { number, lengths } => match cut(lengths)?.as_slice() {
                [kind, before, behind] => {
                    let body = [before, self.text.quotable().ok_or(Damage::Record)?, behind];
                    self.entry(*number, kind, body.concat(), entries)
                }
                _ => Err(Damage::Record),
            },
            Header::Run { first, pieces } => self.run(*first, pieces, contents, entries),
        }
    }

    fn run(
        &mut self,
        first: u64,
        pieces: &[Piece<'_>],
        mut contents: &str,
        entries: &mut Vec<Entry>,
    ) -> Result<(), Damage> {
        let mut texts = String::new();
        for (number, piece) in (first..=u64::MAX).zip(pieces) {
            let (text, rest) = contents.split_at_checked(piece.text).ok_or(Damage::Record)?;
            let (tail, rest) = match piece.tail {
                Tail::Written(length) => {
                    let (tail, rest) = rest.split_at_checked(length).ok_or(Damage::Record)?;
                    (tail.to_owned(), rest)
                }
                Tail::Changed(changes) => {
                    let Before { tail, characters } = &self.before;
                    (tail::apply(tail, changes, *characters).ok_or(Damage::Record)?, rest)
                }
            };
            contents = rest;
            texts.push_str(text);
            self.entry(number, self.dialect.pieces, [OPENING, text, &tail].concat(), entries)?;
            self.before = Before { tail, characters: tail::characters(text) };
        }
        self.text.push(&texts);
        Ok(())
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

/// A piece's text, still escaped, and what stands behind it.
fn piece(body: &str) -> Option<(&str, &str)> {
    let rest = body.strip_prefix(OPENING)?;
    let mut escaped = false;
    let end = rest.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    rest.split_at_checked(end?)
}

enum Header<'h> {
    Entry { number: u64, lengths: Vec<usize> },
    Quote { number: u64, lengths: Vec<usize> },
    Run { first: u64, pieces: Vec<Piece<'h>> },
}

struct Piece<'h> {
    text: usize,
    tail: Tail<'h>,
}

enum Tail<'h> {
    Written(usize),
    Changed(&'h str),
}

impl<'h> Header<'h> {
    fn read(header: &'h str) -> Option<Self> {
        let mut words = header.split(' ');
        let kind = words.next()?;
        let number = words.next()?.parse().ok()?;
        if kind == "r" {
            let pieces = words.next()?.split(',').map(Piece::read).collect::<Option<_>>()?;
            return Some(Header::Run { first: number, pieces });
        }
        let lengths = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
        match kind {
            "e" => Some(Header::Entry { number, lengths }),
            "q" => Some(Header::Quote { number, lengths }),
            _ => None,
        }
    }

    /// The bytes behind the header, when they are as many as an entry may have.
    fn length(&self) -> Option<usize> {
        let sum = |sum: usize, length: usize| sum.checked_add(length);
        let length = match self {
            Header::Entry { lengths, .. } | Header::Quote { lengths, .. } => {
                lengths.iter().copied().try_fold(0, sum)
            }
            Header::Run { pieces, .. } => pieces.iter().try_fold(0, |all, piece| {
                let tail = match piece.tail {
                    Tail::Written(length) => length,
                    Tail::Changed(_) => 0,
                };
                sum(sum(all, piece.text)?, tail)
            }),
        };
        length.filter(|length| *length <= LONGEST_ENTRY)
    }
}

impl<'h> Piece<'h> {
    fn read(word: &'h str) -> Option<Self> {
        if let Some((text, tail)) = word.split_once('!') {
            let tail = Tail::Written(tail.parse().ok()?);
            return Some(Piece { text: text.parse().ok()?, tail });
        }
        let end = word.find(':').unwrap_or(word.len());
        let (text, changes) = word.split_at_checked(end)?;
        Some(Piece { text: text.parse().ok()?, tail: Tail::Changed(changes) })
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
