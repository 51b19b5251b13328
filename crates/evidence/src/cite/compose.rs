//! An answer as it leaves: markers become numbered links, each checked before it is shown.
//!
//! Border: pieces of what a model writes in; text, and what a citation rests on, out. What is out is never
//! taken back: a citation is told before the text that shows it.

use self::joint::Joint;
use super::ahead::Ahead;
use super::brackets::Brackets;
use super::known::{Known, Target};
use super::marker::{MOST_QUOTE, Marker, Origin};
use super::peek::Peek;
use super::proof::{Proof, VerifiedCitation};
use super::scan::{Scanned, Scanner};
use super::sentence::{Line, Sentence, Uncited};
use crate::verify::{Check, Verdict};
use quarry_types::text::cut;
use serde::{Deserialize, Serialize};

mod joint;
mod placing;
mod target;
mod waiting;

/// Blanks that are held back at once.
const MOST_BLANKS: usize = 64;
/// Unknown names that are told.
const MOST_UNKNOWN: usize = 32;
/// Checks that are made of an answer: far more than a reader reads. Whatever is written, it ends.
const MOST_CHECKS: usize = 1_000;
/// Passages that markers may name before the sentence of theirs.
const MOST_TARGETS: usize = 16;
/// Bytes without a word that are held back at the beginning.
const MOST_OPENING: usize = 256;

/// What leaves.
#[derive(Debug, Clone, PartialEq)]
pub enum Out {
    /// A piece of the answer.
    Text(String),
    /// A citation that the next piece shows.
    Citation(Box<VerifiedCitation>),
}

/// An answer that is being written. Serialises, so that a checkpoint can hold it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    scanner: Scanner,
    sentence: Sentence,
    line: Line,
    /// Signs before the first word: an answer that comes to none is given out only if it has no marker.
    #[serde(default)]
    opening: String,
    /// Whether that word was there.
    #[serde(default)]
    has_said: bool,
    /// Brackets that were not given out yet.
    #[serde(default)]
    brackets: Brackets,
    /// Blanks that were not given out yet, and the ends of cells.
    blanks: String,
    /// Whether a marker was taken out, so that the blank before it may be one too many.
    is_gap: bool,
    /// What markers name that stand before any sentence of theirs.
    pending: Vec<Target>,
    /// Whether nothing but blanks followed them.
    is_alone: bool,
    /// A marker that stands too early in its sentence, and what was written behind it.
    #[serde(default)]
    ahead: Option<Ahead>,
    /// Parts that wait for the next one.
    #[serde(default)]
    peek: Option<Peek>,
    /// The character behind the part that is taken in, if it is known.
    #[serde(default)]
    next: Option<char>,
    /// Whether the line has markers before its sentences.
    #[serde(default)]
    is_led: bool,
    /// What such markers name before the next one.
    #[serde(default)]
    leading: Vec<Target>,
    /// What was given out last, and whether something was taken out behind it.
    #[serde(default)]
    joint: Joint,
    /// Whether its paragraph has a backtick that is no code's: the next one may close what that opened.
    #[serde(default)]
    has_tick: bool,
    /// Code points given out.
    length: usize,
    /// Checks that were made.
    checks: usize,
    proof: Proof,
}

impl Answer {
    /// Takes in a piece of what the model writes.
    pub fn push(&mut self, piece: &str, known: &Known) -> Vec<Out> {
        let mut out = Vec::new();
        let mut scanned = Vec::new();
        self.scanner.allow(known.longest_title());
        for c in piece.chars() {
            self.scanner.step(c, &mut scanned);
            for part in scanned.drain(..) {
                self.take(part, known, &mut out);
            }
        }
        out
    }

    /// Gives out what was held back, and what it all rests on.
    #[must_use]
    pub fn finish(mut self, known: &Known) -> (Vec<Out>, Proof) {
        let mut out = Vec::new();
        self.flush(known, &mut out);
        (out, self.proof)
    }

    /// Takes in a whole sentence, and gives out what becomes of it and what it alone rests on. Places count
    /// from its beginning; what it begins with may stand for the subject of the sentence before.
    pub fn sentence(&mut self, sentence: &str, known: &Known) -> (Vec<Out>, Proof) {
        let mut out = self.push(sentence, known);
        self.flush(known, &mut out);
        self.scanner = Scanner::default();
        self.joint = Joint::default();
        self.has_tick = false;
        self.length = 0;
        self.is_gap = false;
        self.has_said = false;
        (out, std::mem::take(&mut self.proof))
    }

    fn flush(&mut self, known: &Known, out: &mut Vec<Out>) {
        let mut scanned = Vec::new();
        let inner = self.scanner.inner();
        std::mem::replace(&mut self.scanner, inner).finish(&mut scanned);
        for part in scanned {
            self.take(part, known, out);
        }
        self.end_waiting(known, out);
        let held = std::mem::take(&mut self.brackets).finish();
        held.chars().for_each(|c| self.character(c, known, out));
        self.cite_alone(known, out);
        self.close(known, out);
        self.give_blanks(out);
        let is_marked = !self.pending.is_empty() || self.proof.unknown_count > 0;
        let opening = std::mem::take(&mut self.opening);
        if !self.has_said && !is_marked && !opening.is_empty() {
            out.push(Out::Text(opening));
        }
    }

    /// Takes in a part that waits for no other any more.
    fn pass(&mut self, part: Scanned, known: &Known, out: &mut Vec<Out>) {
        if let Some(ahead) = &mut self.ahead {
            if ahead.take(part, known) {
                self.cite_ahead(known, out);
            }
            return;
        }
        match part {
            Scanned::Text(c) => self.text(c, known, out),
            Scanned::Code(c) => {
                // A fence is shown, and states nothing; the sentence before it ends there.
                self.give_brackets(known, out);
                if !self.sentence.is_empty() {
                    self.close(known, out);
                }
                self.give_blanks(out);
                self.is_gap = false;
                self.give(c, out);
                if !c.is_whitespace() && !matches!(c, '`' | '~') {
                    self.say(out);
                }
            }
            Scanned::Span(c) => {
                self.give_brackets(known, out);
                self.begin(c, known, out);
                self.give(c, out);
                self.sentence.push_code(c);
                if !c.is_whitespace() && c != '`' {
                    self.say(out);
                }
            }
            Scanned::Bracket { raw, label, target } => {
                self.bracket(&raw, &label, target, known, out)
            }
            Scanned::Tail { raw, target } => self.tail(&raw, &target, known, out),
            Scanned::Dead(c) => self.dead(c, false, known, out),
            Scanned::Escaped(c) => self.dead(c, true, known, out),
            Scanned::Address(address) => match known.by_address(&address) {
                Some(target) => self.cite(&[target], known, out),
                None if known.is_unsourced() => self.show_address(&address, known, out),
                None => self.remove(address),
            },
        }
    }

    fn text(&mut self, c: char, known: &Known, out: &mut Vec<Out>) {
        let is_mark = matches!(c, '*' | '_');
        let can_open = is_mark && (!self.blanks.is_empty() || self.sentence.is_empty());
        if !self.brackets.take(c, can_open) {
            self.give_brackets(known, out);
            self.character(c, known, out);
        }
    }

    /// Gives out the brackets that wait: something stands in them.
    fn give_brackets(&mut self, known: &Known, out: &mut Vec<Out>) {
        self.brackets.release().chars().for_each(|c| self.character(c, known, out));
    }

    fn character(&mut self, c: char, known: &Known, out: &mut Vec<Out>) {
        if c.is_whitespace() {
            return self.blank(c, known, out);
        }
        // What a name at the beginning of a line is parted with from what it names goes with it.
        if c == ':' && self.is_gap && (self.length == 0 || self.is_new_line()) {
            return;
        }
        // What ends a cell waits: a link may have to stand before it.
        let may_wait = self.blanks.len() < MOST_BLANKS && !self.is_new_line();
        if c == '|' && self.line.is_row() && may_wait && !self.sentence.is_empty() {
            self.is_gap = false;
            self.blanks.push(c);
            return;
        }
        self.begin(c, known, out);
        self.has_tick |= c == '`';
        self.give(c, out);
        self.sentence.push(c);
    }

    fn is_new_line(&self) -> bool {
        self.blanks.contains('\n')
    }

    /// Whether an empty line stands before what follows: it ends a table, and a paragraph.
    fn is_new_block(&self) -> bool {
        self.blanks.matches('\n').count() > 1
    }

    /// What this character follows is given out; if it begins a sentence, the one before is closed.
    fn begin(&mut self, c: char, known: &Known, out: &mut Vec<Out>) {
        let is_close = matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']');
        if self.is_gap && is_close && !self.is_new_line() {
            self.blanks.truncate(self.blanks.rfind('|').map_or(0, |at| at + 1));
        }
        self.is_gap = false;
        // What a marker before a sentence names is for that, and not for the one that ends here.
        let is_ahead = std::mem::take(&mut self.is_alone);
        let ahead = if is_ahead { std::mem::take(&mut self.pending) } else { Vec::new() };
        let ahead = [ahead, std::mem::take(&mut self.leading)].concat();
        let is_new_line = self.is_new_line();
        let is_same_block = !self.is_new_block();
        self.has_tick &= is_same_block;
        let is_table = is_same_block
            && (self.line == Line::Below || (self.line == Line::Row && self.sentence.is_rule()));
        if is_new_line || self.sentence.ends_before(c, !self.blanks.is_empty()) {
            self.close(known, out);
        }
        if is_new_line || self.length == 0 {
            self.is_led = is_ahead;
            let indent = self.blanks.rsplit('\n').next().unwrap_or_default();
            self.sentence.topic.begin(c, indent.chars().count());
            self.line = match Line::of(c) {
                Line::Row if is_table => Line::Below,
                line => line,
            };
        }
        self.pending.extend(ahead);
        self.give_blanks(out);
    }

    fn blank(&mut self, c: char, known: &Known, out: &mut Vec<Out>) {
        if c == '\n' {
            self.joint.end_line();
            self.cite_alone(known, out);
        }
        // Where a marker was taken out between two blanks, one of them goes; at the end of a line, none.
        self.is_gap &= !(c == '\n' && self.blanks.is_empty());
        if self.is_gap && !self.blanks.is_empty() {
            self.is_gap = false;
            if c != '\n' {
                return;
            }
            // A line ends without the blanks before it; ends of lines stay.
            let kept = self.blanks.trim_end_matches([' ', '\t']).len();
            self.blanks.truncate(kept);
            if self.blanks.ends_with('\n') {
                return;
            }
        }
        self.blanks.push(c);
        if self.blanks.len() >= MOST_BLANKS {
            if self.blanks.contains('\n') {
                self.close(known, out);
            }
            self.give_blanks(out);
        }
    }

    fn remove(&mut self, name: String) {
        self.take_out();
        self.count_unknown(name);
    }

    /// Nothing stands here any more: what was around it may be too much.
    const fn take_out(&mut self) {
        self.is_gap = true;
        self.joint.take_out();
        self.brackets.empty();
    }

    fn count_unknown(&mut self, name: String) {
        self.proof.unknown_count += 1;
        if self.proof.unknown.len() < MOST_UNKNOWN {
            self.proof.unknown.push(cut(&name, MOST_QUOTE));
        }
    }

    /// Ends a sentence: what it states without a marker is looked for.
    fn close(&mut self, known: &Known, out: &mut Vec<Out>) {
        if self.has_said && !self.pending.is_empty() {
            let pending = std::mem::take(&mut self.pending);
            let blanks = std::mem::take(&mut self.blanks);
            self.cite_here(&pending, known, out);
            self.blanks = blanks;
        }
        // Where nothing was looked for no sentence lacks a source.
        let uncited = self.sentence.uncited().filter(|_| !known.is_unsourced());
        if let Some(Uncited { words, claim, is_whole }) = uncited {
            self.checks += 1;
            let best = (self.checks <= MOST_CHECKS).then(|| known.index().best(&claim)).flatten();
            match best.filter(|best| best.verdict == Verdict::Supported) {
                // The head of a table is told from its rows by the line below it, which is not there yet.
                Some(best) if is_whole && matches!(self.line, Line::Prose | Line::Below) => {
                    let blanks = std::mem::take(&mut self.blanks);
                    self.link(&words, &best, Origin::Added, known, out);
                    self.blanks = blanks;
                }
                Some(_) => {}
                None => self.proof.uncited += 1,
            }
        }
        if self.is_new_block() {
            self.sentence.end_block();
        } else {
            self.sentence.end(self.is_new_line());
        }
    }

    /// Gives out a citation, and then its marker; the citation's place among all.
    fn link(
        &mut self,
        claim: &str,
        check: &Check,
        origin: Origin,
        known: &Known,
        out: &mut Vec<Out>,
    ) -> Option<usize> {
        self.give_gap(out);
        self.is_gap = false;
        let numbers = &mut self.proof.numbers;
        let marker = Marker::new(known, claim, check, origin, numbers, self.length);
        let Marker { text, citation } = marker?;
        out.push(Out::Citation(Box::new(citation.clone())));
        let at = self.proof.citations.len();
        self.proof.citations.push(citation);
        text.chars().for_each(|c| self.give(c, out));
        Some(at)
    }

    /// Gives out what stands before a marker: a blank at least, and a bracket that opens there, which begins no
    /// sentence.
    fn give_gap(&mut self, out: &mut Vec<Out>) {
        if (self.blanks.is_empty() || self.blanks.ends_with('|')) && self.length > 0 {
            self.blanks.push(' ');
        }
        self.give_blanks(out);
        for c in self.brackets.release().trim_end().chars() {
            self.give(c, out);
            if !self.sentence.is_over {
                self.sentence.push(c);
            }
        }
    }

    fn give_blanks(&mut self, out: &mut Vec<Out>) {
        for c in std::mem::take(&mut self.blanks).chars() {
            self.give(c, out);
            if !self.sentence.is_empty() {
                self.sentence.push(c);
            }
        }
    }

    fn give(&mut self, c: char, out: &mut Vec<Out>) {
        if let Some(between) = self.joint.pass(c) {
            self.give_one(between, out);
        }
        self.give_one(c, out);
    }

    fn give_one(&mut self, c: char, out: &mut Vec<Out>) {
        self.length += 1;
        if !self.has_said {
            self.opening.push(c);
            if says(c) || self.opening.len() >= MOST_OPENING {
                self.say(out);
            }
            return;
        }
        match out.last_mut() {
            Some(Out::Text(text)) => text.push(c),
            _ => out.push(Out::Text(c.to_string())),
        }
    }

    /// The answer says something: whatever stands before that is part of it.
    fn say(&mut self, out: &mut Vec<Out>) {
        if !std::mem::replace(&mut self.has_said, true) {
            out.push(Out::Text(std::mem::take(&mut self.opening)));
        }
    }
}

/// Whether a character is more than a sign between words.
fn says(c: char) -> bool {
    let is_sign =
        c.is_ascii_punctuation() || matches!(c, '\u{2010}'..='\u{205e}' | '\u{3001}'..='\u{301f}');
    !c.is_whitespace() && !is_sign
}
