//! What in a streamed answer could be a citation: brackets, links, addresses. Code is left alone.
//!
//! Border: characters in, what they are out. Knows no evidence, but for how long its titles are. Each character
//! is looked at a few times at most, and held back is only what could still become a marker: a link of 3.1 kB at
//! most. Since it works character by character, any cutting of the stream gives the same.

use serde::{Deserialize, Serialize};

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
    /// A bare address.
    Address(String),
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
enum State {
    #[default]
    Text,
    /// `!`, which may begin a picture, or a sign that takes a bracket its meaning in Markdown.
    Bang,
    Bracket {
        close: char,
        is_double: bool,
    },
    /// Behind a bracket that closed: a parenthesis makes it a link.
    Closed,
    Target {
        depth: u32,
    },
    Address {
        depth: u32,
    },
    /// An address that is too long to be held, and known by none.
    Endless,
    Ticks,
    Span {
        run: usize,
        closing: usize,
    },
    /// Behind a backtick in the first line of a fence, which makes it inline code.
    Closing,
    Fence {
        mark: char,
        run: usize,
        line: FenceLine,
    },
}

/// What a line inside a fence has been so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum FenceLine {
    /// The first: behind its marks stands what kind of code it is, without a backtick.
    First,
    /// Nothing but so many marks, and blanks behind them.
    Marks(usize),
    Other,
}

/// Reads a streamed answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scanner {
    state: State,
    held: String,
    /// Where the label in the held text ends, and the target begins.
    label_end: usize,
    previous: char,
    /// Whether the line has nothing but blanks so far.
    is_line_blank: bool,
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

    /// Takes in a character.
    pub fn step(&mut self, c: char, out: &mut Vec<Scanned>) {
        match self.state {
            State::Text => self.text(c, out),
            State::Bang if c == '[' => self.open(c, ']'),
            // A backslash behind another is one that is seen, and takes nothing its meaning.
            State::Bang if c == '\\' && self.held == "\\" => {
                self.held.clear();
                self.state = State::Text;
                self.emit(c, out);
                self.emit(c, out);
            }
            State::Bang => self.release_and(c, out),
            State::Bracket { close, is_double } => self.bracket(c, close, is_double, out),
            State::Closed if c == '(' => {
                self.label_end = self.held.len();
                self.hold(c, State::Target { depth: 0 });
            }
            State::Closed => {
                self.close(out);
                self.step(c, out);
            }
            State::Target { depth } => self.target(c, depth, out),
            State::Address { depth } => self.address(c, depth, out),
            State::Endless if ends_address(c, 0) => {
                self.state = State::Text;
                self.step(c, out);
            }
            State::Endless => {}
            State::Ticks => self.ticks(c, out),
            State::Span { run, closing } => self.span(c, run, closing, out),
            State::Closing if c == '`' => {
                self.passed(c);
                out.push(Scanned::Code(c));
            }
            State::Closing => {
                self.state = State::Text;
                self.step(c, out);
            }
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
                State::Address { .. } if self.is_address() => {
                    self.end_address(out);
                }
                State::Span { run, closing } if run == closing => self.code(Scanned::Span, out),
                State::Fence { .. } | State::Endless | State::Closing => self.state = State::Text,
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
            'h' | 'H' | 'w' | 'W' if !self.previous.is_ascii_alphanumeric() => {
                self.hold(c, State::Address { depth: 0 })
            }
            '<' => self.hold(c, State::Address { depth: 0 }),
            '`' if !self.ticks_are_text => self.hold(c, State::Ticks),
            '~' if self.is_line_blank => self.hold(c, State::Ticks),
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
        self.passed(c);
        out.push(Scanned::Text(c));
    }

    const fn passed(&mut self, c: char) {
        // What begins an item of a list or a quotation begins a line within it.
        let begins = matches!(c, ' ' | '\t' | '-' | '*' | '+' | '>')
            || c.is_ascii_digit()
            || (matches!(c, '.' | ')') && self.previous.is_ascii_digit());
        self.previous = c;
        self.is_line_blank = c == '\n' || (self.is_line_blank && begins);
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
                self.step(c, out);
            }
        }
    }

    fn release_and(&mut self, c: char, out: &mut Vec<Scanned>) {
        self.release(out);
        self.step(c, out);
    }

    fn bracket(&mut self, c: char, close: char, is_double: bool, out: &mut Vec<Scanned>) {
        let is_closing = is_double && self.held.ends_with(']');
        match c {
            '[' if self.held == "[" => self.hold(c, State::Bracket { close, is_double: true }),
            '[' | '【' | '［' | '〔' | '\n' => self.release_and(c, out),
            _ if self.held.len() > self.longest => self.release_and(c, out),
            _ if is_closing && c != close => self.release_and(c, out),
            _ if c == close && (!is_double || is_closing) => {
                self.hold(c, State::Closed);
                if close != ']' {
                    self.close(out);
                }
            }
            _ => self.held.push(c),
        }
    }

    fn target(&mut self, c: char, depth: u32, out: &mut Vec<Scanned>) {
        match c {
            '[' | '\n' => self.release_and(c, out),
            _ if self.held.len() >= self.longest + MOST_ADDRESS => self.release_and(c, out),
            '(' => self.hold(c, State::Target { depth: depth + 1 }),
            ')' if depth > 0 => self.hold(c, State::Target { depth: depth - 1 }),
            ')' => {
                self.held.push(c);
                self.close(out);
            }
            _ => self.held.push(c),
        }
    }

    /// Gives out what stands in brackets.
    fn close(&mut self, out: &mut Vec<Scanned>) {
        let raw = std::mem::take(&mut self.held);
        let end = std::mem::take(&mut self.label_end);
        let (label, target) = match raw.get(end..).filter(|_| end > 0) {
            Some(target) => {
                let target = target.strip_prefix('(').and_then(|target| target.strip_suffix(')'));
                (raw.get(..end).unwrap_or_default(), target.map(str::to_owned))
            }
            None => (raw.as_str(), None),
        };
        let brackets = ['!', '\\', '[', ']', '【', '】', '［', '］', '〔', '〕'];
        let label = label.trim_matches(brackets).trim().to_owned();
        raw.chars().for_each(|c| self.passed(c));
        self.state = State::Text;
        out.push(Scanned::Bracket { raw, label, target });
    }

    fn address(&mut self, c: char, depth: u32, out: &mut Vec<Scanned>) {
        if !self.is_address() {
            self.held.push(c);
            if !self.may_be_address() {
                self.held.pop();
                self.release_and(c, out);
            }
        } else if ends_address(c, depth) {
            let is_marked = self.held.starts_with('<');
            let is_whole = self.end_address(out);
            if !(is_whole && is_marked && c == '>') {
                self.step(c, out);
            }
        } else if self.held.len() > MOST_ADDRESS {
            if self.end_address(out) {
                self.state = State::Endless;
            } else {
                self.step(c, out);
            }
        } else {
            let depth = match c {
                '(' => depth + 1,
                ')' => depth.saturating_sub(1),
                _ => depth,
            };
            self.hold(c, State::Address { depth });
        }
    }

    fn without_mark(&self) -> &str {
        self.held.strip_prefix('<').unwrap_or(&self.held)
    }

    /// Whether an address was begun: its scheme is there, or what stands for one.
    fn is_address(&self) -> bool {
        let held = self.without_mark();
        let has = |scheme: &str| {
            held.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        };
        has("http://") || has("https://") || has("www.")
    }

    fn may_be_address(&self) -> bool {
        let held = self.without_mark();
        let may = |scheme: &str| {
            scheme.get(..held.len()).is_some_and(|start| start.eq_ignore_ascii_case(held))
        };
        may("http://") || may("https://") || may("www.")
    }

    /// Gives out an address, without the signs that end a sentence; false where it is none, and is text.
    fn end_address(&mut self, out: &mut Vec<Scanned>) -> bool {
        let address = self.without_mark();
        let bare = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '~', '\'']);
        let rest = address.get(bare.len()..).unwrap_or_default().to_owned();
        // Of one without a scheme a name and an ending are the least: `www.a.example`.
        let is_whole = match bare.split_once("://") {
            Some((_, rest)) => !rest.is_empty() && !bare.ends_with("//") && bare.len() >= 9,
            None => bare.matches('.').count() > 1 && !bare.contains(".."),
        };
        if !is_whole {
            // What begins before the last of these has it, too, and is none for the same reason.
            let last = |sign: &str| bare.rfind(sign).map(|at| at + sign.len());
            let settled = last("://").or_else(|| last("..")).unwrap_or_default();
            let mark = self.held.len() - address.len();
            self.release_behind(mark + settled, out);
            return false;
        }
        out.push(Scanned::Address(bare.to_owned()));
        self.held.clear();
        self.state = State::Text;
        self.passed('a');
        for c in rest.chars() {
            self.emit(c, out);
        }
        true
    }

    /// A run of backticks, or tildes at the beginning of a line.
    fn ticks(&mut self, c: char, out: &mut Vec<Scanned>) {
        let mark = self.held.chars().next().unwrap_or('`');
        let run = self.held.len();
        if c == mark && run < MOST_SPAN {
            self.held.push(c);
        } else if run >= 3 && self.is_line_blank {
            self.code(Scanned::Code, out);
            self.state = State::Fence { mark, run, line: FenceLine::First };
            self.step(c, out);
        } else if mark == '`' {
            self.state = State::Span { run, closing: 0 };
            self.step(c, out);
        } else {
            std::mem::take(&mut self.held).chars().for_each(|c| self.emit(c, out));
            self.state = State::Text;
            self.step(c, out);
        }
    }

    fn span(&mut self, c: char, run: usize, closing: usize, out: &mut Vec<Scanned>) {
        let is_over = self.held.len() > MOST_SPAN || (closing != run && self.ends_block(c));
        if c == '`' && !is_over {
            return self.hold(c, State::Span { run, closing: closing + 1 });
        }
        if closing == run {
            self.code(Scanned::Span, out);
            return self.step(c, out);
        }
        if is_over {
            // Nothing closes it, so it is text; and so are all backticks in it, else each of them would be
            // looked at again and again.
            self.ticks_are_text = true;
            self.release(out);
            self.ticks_are_text = false;
            return self.step(c, out);
        }
        self.hold(c, State::Span { run, closing: 0 });
    }

    /// Whether a paragraph ends before this character, and with it what could be code in it: at an empty line, and where
    /// a line begins as an item, a heading, a row or a fence does.
    fn ends_block(&self, c: char) -> bool {
        let begins = matches!(c, '\n' | '-' | '*' | '+' | '>' | '#' | '|' | '~' | '`');
        let line = || self.held.rsplit_once('\n').map(|(_, line)| line.trim());
        (begins || c.is_ascii_digit()) && line().is_some_and(str::is_empty)
    }

    /// Gives out what was held as code.
    fn code(&mut self, kind: fn(char) -> Scanned, out: &mut Vec<Scanned>) {
        for c in std::mem::take(&mut self.held).chars() {
            self.passed(c);
            out.push(kind(c));
        }
        self.state = State::Text;
    }

    fn fence(&mut self, c: char, mark: char, run: usize, line: FenceLine, out: &mut Vec<Scanned>) {
        self.passed(c);
        out.push(Scanned::Code(c));
        let line = match (line, c) {
            (FenceLine::Marks(marks), '\n') if marks >= run => {
                self.state = State::Text;
                return;
            }
            (FenceLine::First, '`') if mark == '`' => {
                self.state = State::Closing;
                return;
            }
            (_, '\n') => FenceLine::Marks(0),
            (FenceLine::First, _) => FenceLine::First,
            (FenceLine::Marks(marks), _) if c == mark => FenceLine::Marks(marks + 1),
            (FenceLine::Marks(marks), ' ' | '\t') => FenceLine::Marks(marks),
            (FenceLine::Marks(0), '>') => FenceLine::Marks(0),
            _ => FenceLine::Other,
        };
        self.state = State::Fence { mark, run, line };
    }
}

/// Whether a character is none of an address.
fn ends_address(c: char, depth: u32) -> bool {
    c.is_whitespace()
        || c.is_control()
        || (c == ')' && depth == 0)
        || matches!(c, '<' | '>' | '"' | '[' | ']' | '{' | '}' | '|' | '\\' | '^' | '`')
        || matches!(c, '“' | '”' | '‘' | '’' | '«' | '»')
        // Scripts without blanks between words: what follows is the sentence.
        || matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{ff00}'..='\u{ff65}')
}

#[cfg(test)]
mod tests;
