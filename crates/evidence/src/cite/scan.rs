//! What in a streamed answer could be a citation: brackets, links, addresses; and what would lead a reader elsewhere.
//! Code is left alone where all who show Markdown agree that it is code.
//!
//! Border: characters in, what they are out. Knows no evidence, but for how long its titles are. Each character
//! is looked at a few times at most, and held back is only what could still become a marker: a link of 3.1 kB at
//! most. Since it works character by character, any cutting of the stream gives the same.

use self::address::ends_address;
use self::code::Doubt;
use self::lead::Above;
use self::paragraph::Paragraph;
use serde::{Deserialize, Serialize};

pub(super) use self::tag::is_harmless;

mod address;
mod bracket;
mod code;
mod lead;
mod paragraph;
mod reference;
mod tag;
mod target;

/// The longest label in brackets, in bytes, unless a title is longer.
pub(super) const USUAL_LABEL: usize = 200;
/// The longest label in brackets, in bytes, whatever the titles.
pub const MOST_LABEL: usize = 1_024;
/// The longest address, in bytes.
const MOST_ADDRESS: usize = 2_048;
/// The longest code span that is recognised, in bytes: as much as is kept of a sentence. It ends with its
/// paragraph.
const MOST_SPAN: usize = 1_024;
/// The most bytes that are held back.
#[cfg(test)]
const MOST_HELD: usize = USUAL_LABEL + MOST_ADDRESS + 16;

/// A part of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scanned {
    /// A character of text.
    Text(char),
    /// A character of a fence, its marks included.
    Code(char),
    /// A character of code within a sentence, its backticks included.
    Span(char),
    /// Something in brackets, perhaps with the target of a link behind it.
    Bracket {
        /// As it was written.
        raw: String,
        /// Between the brackets.
        label: String,
        /// Between the parentheses.
        target: Option<String>,
    },
    /// The target of a link whose words were no bracket of their own: they hold brackets, or begin on another line.
    Tail {
        /// As it was written, with the bracket that closes the words.
        raw: String,
        /// Between the parentheses.
        target: String,
    },
    /// A bare address.
    Address(String),
    /// A sign that is shown, and that would begin a link, a definition or markup if it stood there as it is.
    Dead(char),
    /// The same, where all who show it take a backslash before it away.
    Escaped(char),
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
enum State {
    #[default]
    #[serde(alias = "Closing")]
    Text,
    /// `!`, which may begin a picture, or a sign that takes a bracket its meaning in Markdown.
    Bang,
    Bracket {
        close: char,
        is_double: bool,
    },
    /// Behind a bracket that closed: a parenthesis makes it a link.
    Closed,
    /// Behind a closing bracket in the text.
    Shut,
    Target {
        depth: u32,
    },
    /// Behind the name of a footnote, which those who know none take for the name of an address.
    Note,
    /// Behind `<`: it may begin markup.
    Tag,
    /// Behind `&`: it may stand for a character.
    Reference,
    Address {
        depth: u32,
        /// Bytes of how it begins; none while it may still be no address.
        #[serde(default)]
        begun: usize,
        /// Whether its host has a letter or a digit.
        #[serde(default)]
        has_host: bool,
    },
    /// An address that is too long to be held, and known by none.
    Endless,
    Ticks,
    Span {
        run: usize,
        closing: usize,
    },
    /// The first line of a fence: a backtick makes it inline code.
    Info {
        mark: char,
        run: usize,
    },
    Fence {
        mark: char,
        run: usize,
        line: FenceLine,
    },
}

const UNBEGUN: State = State::Address { depth: 0, begun: 0, has_host: false };

/// What a line inside a fence has been so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum FenceLine {
    /// The first: behind its marks stands what kind of code it is, without a backtick.
    First,
    /// So much of what stands before the marks of its first line, or blanks in the place of that.
    Lead(usize),
    /// So many blanks behind that.
    Indent(usize),
    /// Nothing but so many marks.
    Marks(usize),
    /// The same, further in than the first line's within an item: for some it ends the fence.
    Inset(usize),
    /// Marks that end it, and blanks behind them.
    Closed,
    Other,
}

/// Whether backticks and tildes begin code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Trust {
    #[default]
    Yes,
    /// Not before the paragraph ends: which of them belong together depends on who shows it.
    NextBlock,
    /// Where a fence ended depends on who shows it.
    No,
}

/// Reads a streamed answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scanner {
    state: State,
    held: String,
    /// Where the label in the held text ends, and the target begins.
    label_end: usize,
    previous: char,
    /// Whether the line has nothing but blanks so far, and what begins items and quotations.
    is_line_blank: bool,
    /// They, as far as they were looked at.
    #[serde(default)]
    lead: String,
    /// The line before.
    #[serde(default)]
    above: Above,
    /// What stood before the marks of the fence that is open.
    #[serde(default)]
    fence: String,
    #[serde(default)]
    trust: Trust,
    /// The fences that may be open for some.
    #[serde(default)]
    doubt: Doubt,
    #[serde(default)]
    paragraph: Paragraph,
    /// Whether the last character was a carriage return, which is a line's end.
    #[serde(default)]
    is_return: bool,
    /// Whether backticks are read again, and are no code.
    ticks_are_text: bool,
    /// The longest label in brackets that may be a title, in bytes.
    #[serde(default = "usual_label")]
    longest: usize,
}

const fn usual_label() -> usize {
    USUAL_LABEL
}

impl Default for Scanner {
    fn default() -> Self {
        Scanner {
            state: State::Text,
            held: String::new(),
            label_end: 0,
            previous: '\n',
            is_line_blank: true,
            lead: String::new(),
            above: Above::Empty,
            fence: String::new(),
            trust: Trust::Yes,
            doubt: Doubt::default(),
            paragraph: Paragraph::default(),
            is_return: false,
            ticks_are_text: false,
            longest: USUAL_LABEL,
        }
    }
}

impl Scanner {
    /// Takes brackets for a marker that hold as many bytes, within bounds.
    pub fn allow(&mut self, title: usize) {
        self.longest = title.clamp(USUAL_LABEL, MOST_LABEL);
    }

    /// One for what stands within brackets that this one gave out: code is code there where it is here.
    pub fn inner(&self) -> Scanner {
        let trust = if self.trust == Trust::Yes { Trust::Yes } else { Trust::No };
        let paragraph = self.paragraph;
        Scanner { is_line_blank: false, trust, paragraph, previous: '[', ..Scanner::default() }
    }

    /// Whether backticks are code to all who show what follows.
    pub const fn is_trusted(&self) -> bool {
        matches!(self.trust, Trust::Yes)
    }

    /// Takes in a character.
    pub fn step(&mut self, c: char, out: &mut Vec<Scanned>) {
        let was_return = std::mem::replace(&mut self.is_return, c == '\r');
        match c {
            '\n' if was_return => {}
            '\r' => self.read('\n', out),
            _ => self.read(c, out),
        }
    }

    fn read(&mut self, c: char, out: &mut Vec<Scanned>) {
        match self.state {
            State::Text => self.text(c, out),
            State::Bang if c == '[' => self.open(c, ']'),
            // A backslash behind another is one that is seen, and takes nothing its meaning.
            // Nor does a backtick behind one begin code, or an ampersand a reference.
            State::Bang if matches!(c, '\\' | '`' | '&') && self.held == "\\" => {
                self.held.clear();
                self.state = State::Text;
                self.emit('\\', out);
                self.emit(c, out);
            }
            State::Bang => self.release_and(c, out),
            State::Bracket { close, is_double } => self.bracket(c, close, is_double, out),
            State::Closed | State::Shut if c == '(' => {
                self.label_end = self.held.len();
                self.hold(c, State::Target { depth: 0 });
            }
            // What stands before it on its line may be taken out.
            State::Closed if c == ':' => self.define(out),
            State::Closed => {
                self.close(out);
                self.read(c, out);
            }
            State::Shut if c == ':' => {
                self.release(out);
                self.dead(c, out);
            }
            State::Shut => self.release_and(c, out),
            State::Target { depth } => self.target(c, depth, out),
            State::Note => self.note(c, out),
            State::Tag => self.tag(c, out),
            State::Reference => self.reference(c, out),
            State::Address { depth, begun, has_host } => {
                self.address(c, depth, begun, has_host, out);
            }
            State::Endless if ends_address(c, 0) => {
                self.state = State::Text;
                self.read(c, out);
            }
            State::Endless => {}
            State::Ticks => self.ticks(c, out),
            State::Span { run, closing } => self.span(c, run, closing, out),
            State::Info { mark, run } => self.info(c, mark, run, out),
            State::Fence { mark, run, line } => self.fence(c, mark, run, line, out),
        }
    }

    /// Bytes held back.
    #[cfg(test)]
    fn held(&self) -> usize {
        self.held.len()
    }

    /// Gives out what was held back: nothing follows.
    pub fn finish(&mut self, out: &mut Vec<Scanned>) {
        // What is released can hold something again, but always less.
        while self.state != State::Text {
            match self.state {
                State::Closed => self.close(out),
                State::Address { begun: 1.., .. } => {
                    self.end_address(out);
                }
                State::Reference => self.end_reference(out),
                State::Tag => self.finish_tag(out),
                State::Span { run, closing } if run == closing => self.end_span(out),
                State::Info { .. } => self.code(Scanned::Code, out),
                State::Note => self.end_note(out),
                // What follows in another piece may close it.
                State::Target { .. } => self.defuse(out),
                State::Span { .. } => {
                    self.trust = Trust::NextBlock;
                    self.untick(out);
                }
                // A run of backticks is read as one.
                State::Ticks => self.release_behind(self.held.len(), out),
                State::Fence { .. } | State::Endless => self.state = State::Text,
                _ => self.release(out),
            }
        }
    }

    fn text(&mut self, c: char, out: &mut Vec<Scanned>) {
        match c {
            '[' => self.open(c, ']'),
            '【' => self.open(c, '】'),
            '［' => self.open(c, '］'),
            '〔' => self.open(c, '〕'),
            '!' | '\\' => self.hold(c, State::Bang),
            ']' => self.hold(c, State::Shut),
            'w' | 'W' if !self.previous.is_ascii_alphanumeric() => self.hold(c, UNBEGUN),
            // Some see an address within a word, too.
            'h' | 'H' | 'f' | 'F' | '<' => self.hold(c, UNBEGUN),
            '&' => self.hold(c, State::Reference),
            '-' | '|' | ':' if self.paragraph.makes_head(c) => self.dead(c, out),
            '`' if self.may_begin_code() => self.hold(c, State::Ticks),
            '~' if self.is_line_blank && self.may_begin_code() => self.hold(c, State::Ticks),
            _ => self.emit(c, out),
        }
    }

    fn open(&mut self, c: char, close: char) {
        self.hold(c, State::Bracket { close, is_double: false });
    }

    fn hold(&mut self, c: char, state: State) {
        self.held.push(c);
        self.state = state;
    }

    fn emit(&mut self, c: char, out: &mut Vec<Scanned>) {
        if c == '[' {
            self.paragraph.open();
        }
        self.passed(c);
        out.push(Scanned::Text(c));
    }

    /// Gives out a sign as one that begins nothing.
    fn dead(&mut self, c: char, out: &mut Vec<Scanned>) {
        // A colon is shown as it is where what it stands behind is taken out.
        let is_of_head = self.paragraph.makes_head(c);
        self.passed(c);
        if is_of_head {
            self.paragraph.spoil();
        }
        out.push(Scanned::Dead(c));
    }

    /// The same, with a backslash where all who show it take that away.
    fn escape(&mut self, c: char, out: &mut Vec<Scanned>) {
        if self.trust != Trust::Yes || !self.paragraph.may_escape() {
            return self.dead(c, out);
        }
        self.passed(c);
        out.push(Scanned::Escaped(c));
    }

    fn passed(&mut self, c: char) {
        // What begins an item of a list or a quotation begins a line within it.
        let begins = matches!(c, ' ' | '\t' | '-' | '*' | '+' | '>')
            || c.is_ascii_digit()
            || (matches!(c, '.' | ')') && self.previous.is_ascii_digit());
        let previous = std::mem::replace(&mut self.previous, c);
        if c == '\n' {
            return self.end_line();
        }
        self.paragraph.pass(c, begins, previous);
        self.is_line_blank &= begins;
        if self.is_line_blank && self.lead.len() < lead::MOST {
            self.lead.push(c);
        }
    }

    /// A bracket or an address was passed: it may be taken out, and then the line begins behind it.
    fn passed_aside(&mut self, text: &str) {
        for c in text.chars() {
            let previous = std::mem::replace(&mut self.previous, c);
            self.paragraph.pass_aside(c, previous);
        }
        self.is_line_blank = false;
    }

    fn end_line(&mut self) {
        let is_blank = std::mem::replace(&mut self.is_line_blank, true);
        self.above = match lead::item(&self.lead, self.above) {
            _ if is_blank && self.lead.trim().is_empty() => Above::Empty,
            Some(at) if !is_blank => Above::Item(at),
            _ => Above::Other,
        };
        // An empty line ends a paragraph whoever shows it.
        if self.above == Above::Empty && self.trust == Trust::NextBlock {
            self.trust = Trust::Yes;
        }
        self.paragraph.end_line(self.above == Above::Empty);
        self.lead.clear();
    }

    /// A line begins within this one for some, and for others it goes on.
    fn begin_within(&mut self) {
        self.is_line_blank = true;
        self.paragraph.begin_within();
        self.lead.push('^');
    }

    /// Gives out what was held as text, and reads all but its first character again.
    fn release(&mut self, out: &mut Vec<Scanned>) {
        self.release_behind(0, out);
    }

    /// The same, but what begins within so many bytes is not read again either.
    fn release_behind(&mut self, settled: usize, out: &mut Vec<Scanned>) {
        self.state = State::Text;
        let held = std::mem::take(&mut self.held);
        for (at, c) in held.char_indices() {
            if at == 0 || at < settled {
                self.emit(c, out);
            } else {
                self.read(c, out);
            }
        }
    }

    fn release_and(&mut self, c: char, out: &mut Vec<Scanned>) {
        self.release(out);
        self.read(c, out);
    }
}

#[cfg(test)]
mod tests;
