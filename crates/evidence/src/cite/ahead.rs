//! A marker before what it stands for: "According to [q1], the bridge …". What follows is read before the
//! marker is shown, as far as its sentence goes.
//!
//! Border: parts of an answer in, until the sentence is whole; it is held back so long, some bytes at most. What
//! it will look like is read as `compose` reads it.

use super::known::{Known, Target};
use super::label::Label;
use super::scan::Scanned;
use super::sentence::Sentence;
use serde::{Deserialize, Serialize};

/// Bytes that are held back at most.
const MOST: usize = 512;

/// A marker that waits for its sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ahead {
    /// What it names.
    pub targets: Vec<Target>,
    /// The sentence, as far as it is written.
    pub sentence: Sentence,
    /// What was written behind the marker.
    pub parts: Vec<Scanned>,
    /// Bytes of it.
    length: usize,
    /// Whether blanks end it so far.
    pub is_blank: bool,
}

impl Ahead {
    /// Of a marker that stands here, behind these blanks.
    pub fn new(targets: &[Target], sentence: &Sentence, blanks: &str) -> Self {
        let mut ahead = Ahead {
            targets: targets.to_vec(),
            sentence: sentence.clone(),
            parts: Vec::new(),
            length: 0,
            is_blank: false,
        };
        blanks.chars().for_each(|c| ahead.sentence.push(c));
        ahead
    }

    /// Takes in what follows; whether the sentence is whole, or as much as is waited for.
    pub fn take(&mut self, part: Scanned, known: &Known) -> bool {
        let (length, ends) = match &part {
            Scanned::Text(c) | Scanned::Dead(c) | Scanned::Escaped(c) => {
                (c.len_utf8(), self.character(*c))
            }
            Scanned::Span(c) => (c.len_utf8(), self.code(*c)),
            Scanned::Code(c) => (c.len_utf8(), true),
            Scanned::Address(raw) | Scanned::Tail { raw, .. } => (raw.len(), false),
            Scanned::Bracket { raw, label, target } => {
                let is_link = target.is_some();
                let words = if is_link { label } else { raw };
                let says = matches!(Label::read(label, known), Label::Words);
                (raw.len(), says && words.chars().any(|c| self.character(c)))
            }
        };
        self.parts.push(part);
        self.length += length;
        ends || self.length >= MOST
    }

    /// Whether the sentence ends before this character.
    fn character(&mut self, c: char) -> bool {
        if c == '\n' || (!c.is_whitespace() && self.sentence.ends_before(c, self.is_blank)) {
            return true;
        }
        self.is_blank = c.is_whitespace();
        self.sentence.push(c);
        false
    }

    fn code(&mut self, c: char) -> bool {
        if self.sentence.ends_before(c, self.is_blank) {
            return true;
        }
        self.is_blank = false;
        self.sentence.push_code(c);
        false
    }
}
