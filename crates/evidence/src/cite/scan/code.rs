//! Code in an answer: spans and fences.
//!
//! Border: as that of the scanner. What is code here is code to all who show Markdown. Where they may disagree, as on a
//! fence that ends with its item, on backticks in two cells of a row or on what a line begins, it is text, and so is
//! what follows until they agree again: a link in what only looks like code would be one.

use super::lead::{self, Above};
use super::paragraph::Paragraph;
use super::{FenceLine, MOST_SPAN, Scanned, Scanner, State, Trust};
use serde::{Deserialize, Serialize};

/// The longest first line of a fence, in bytes.
const MOST_INFO: usize = 160;

/// The fences that may be open for some and not for others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Doubt {
    /// The sign of their marks and how many they are, if they all are alike.
    marks: Option<(char, usize)>,
    is_mixed: bool,
}

impl Doubt {
    fn add(&mut self, mark: char, run: usize) {
        self.is_mixed |= self.marks.is_some_and(|marks| marks != (mark, run));
        self.marks = Some((mark, run));
    }

    /// Whether what ends a fence with these marks ends each of them.
    fn is_of(&self, mark: char, run: usize) -> bool {
        !self.is_mixed && self.marks == Some((mark, run))
    }
}

impl Scanner {
    /// Whether a backtick or tilde may begin code here. A fence ends a paragraph.
    pub(super) const fn may_begin_code(&self) -> bool {
        let may = match self.trust {
            Trust::Yes => true,
            Trust::NextBlock | Trust::No => self.is_line_blank,
        };
        may && !self.ticks_are_text
    }

    /// A run of backticks, or tildes at the beginning of a line.
    pub(super) fn ticks(&mut self, c: char, out: &mut Vec<Scanned>) {
        let mark = self.held.chars().next().unwrap_or('`');
        let run = self.held.len();
        if c == mark && run < MOST_SPAN {
            return self.held.push(c);
        }
        if run >= 3 && self.is_line_blank {
            // Behind a doubtful fence one that begins its line is code to all: to some as before, to others anew.
            let is_sure = match self.trust {
                Trust::No => self.lead.is_empty() && self.doubt.is_of(mark, run),
                Trust::Yes | Trust::NextBlock => lead::is_sure(&self.lead, self.above),
            };
            if is_sure {
                self.state = State::Info { mark, run };
                return self.read(c, out);
            }
            self.doubt(mark, run);
        }
        if mark == '`' && self.trust == Trust::Yes {
            self.state = State::Span { run, closing: 0 };
        } else {
            std::mem::take(&mut self.held).chars().for_each(|c| self.emit(c, out));
            self.state = State::Text;
        }
        self.read(c, out);
    }

    /// The first line of a fence: what kind of code it is.
    pub(super) fn info(&mut self, c: char, mark: char, run: usize, out: &mut Vec<Scanned>) {
        match c {
            '`' if mark == '`' && self.trust == Trust::Yes => {
                self.hold(c, State::Span { run, closing: 1 });
            }
            '`' if mark == '`' => {
                self.untick(out);
                self.read(c, out);
            }
            // Without a word behind its marks it ends for some what is open for them.
            '\n' if self.trust == Trust::No && self.held.trim_end().len() == run => {
                self.untick(out);
                self.read(c, out);
            }
            '\n' => {
                self.trust = Trust::Yes;
                self.doubt = Doubt::default();
                self.fence.clone_from(&self.lead);
                self.code(Scanned::Code, out);
                self.state = State::Fence { mark, run, line: FenceLine::First };
                self.read(c, out);
            }
            // Some see the head of a table there.
            _ if c == '|' || self.held.len() >= MOST_INFO => {
                self.doubt(mark, run);
                self.untick(out);
                self.read(c, out);
            }
            _ => self.held.push(c),
        }
    }

    /// From here on a fence with these marks is open for some.
    fn doubt(&mut self, mark: char, run: usize) {
        self.trust = Trust::No;
        self.doubt.add(mark, run);
    }

    pub(super) fn span(&mut self, c: char, run: usize, closing: usize, out: &mut Vec<Scanned>) {
        let ends_block = closing != run && self.ends_block(c);
        let is_over = self.held.len() > MOST_SPAN || ends_block;
        if c == '`' && !is_over {
            return self.hold(c, State::Span { run, closing: closing + 1 });
        }
        if closing == run && c != '`' {
            self.end_span(out);
            return self.read(c, out);
        }
        if is_over {
            // Nothing closes it, so it is text; and so are all backticks in it, else each of them would be
            // looked at again and again. Whether the line begins anything, only who shows it knows.
            if !(ends_block && c == '\n') {
                self.trust = Trust::NextBlock;
            }
            self.untick(out);
            return self.read(c, out);
        }
        self.hold(c, State::Span { run, closing: 0 });
    }

    /// Gives out a span. In a table backticks belong together within a cell, which a line or a `|` ends.
    pub(super) fn end_span(&mut self, out: &mut Vec<Scanned>) {
        let has_line_end = self.held.contains('\n');
        let is_parted = has_line_end || has_bare_pipe(&self.held);
        let is_prose = self.paragraph.is_prose() && !(has_line_end && self.paragraph.is_far());
        // In the words of a link some let any run of backticks end another.
        let is_of_label = self.paragraph.is_open() && self.held.trim_matches('`').contains('`');
        let is_doubtful = is_of_label || (is_parted && !is_prose);
        if is_doubtful {
            self.trust = Trust::NextBlock;
        }
        if is_doubtful && may_lead(&self.held) {
            return self.untick(out);
        }
        self.code(Scanned::Span, out);
        if is_parted {
            self.paragraph.guard();
        }
    }

    /// Gives out what was held as text, and so all backticks in it.
    pub(super) fn untick(&mut self, out: &mut Vec<Scanned>) {
        self.ticks_are_text = true;
        self.release(out);
        self.ticks_are_text = false;
    }

    /// Whether a paragraph ends before this character, and with it what could be code in it: at an empty line, and where
    /// a line begins as an item, a heading, its underline, a row, a fence, markup or a note does.
    fn ends_block(&self, c: char) -> bool {
        let begins = matches!(
            c,
            '\n' | '-'
                | '*'
                | '+'
                | '>'
                | '#'
                | '|'
                | '~'
                | '`'
                | '='
                | '_'
                | '<'
                | ':'
                | '['
                | '$'
        );
        let line = || self.held.rsplit_once('\n').map(|(_, line)| line.trim());
        (begins || c.is_ascii_digit()) && line().is_some_and(str::is_empty)
    }

    /// Gives out what was held as code.
    pub(super) fn code(&mut self, kind: fn(char) -> Scanned, out: &mut Vec<Scanned>) {
        for c in std::mem::take(&mut self.held).chars() {
            self.passed(c);
            out.push(kind(c));
        }
        self.state = State::Text;
    }

    pub(super) fn fence(
        &mut self,
        c: char,
        mark: char,
        run: usize,
        line: FenceLine,
        out: &mut Vec<Scanned>,
    ) {
        if let FenceLine::Lead(at) = line
            && !self.goes_on(at, c)
        {
            // A quotation ends there, and perhaps an item: its fence ends with it.
            self.doubt(mark, run);
            self.state = State::Text;
            return self.read(c, out);
        }
        self.passed(c);
        out.push(Scanned::Code(c));
        let at = |at: usize| {
            if at < self.fence.len() { FenceLine::Lead(at) } else { FenceLine::Indent(0) }
        };
        let line = match (line, c) {
            (FenceLine::Closed, '\n') => return self.end_fence(),
            (FenceLine::Marks(marks), '\n') if marks >= run => return self.end_fence(),
            (FenceLine::Inset(marks), ' ' | '\t' | '\n') if marks >= run => {
                self.doubt(mark, run);
                self.doubt(mark, marks);
                if c == '\n' {
                    return self.end_fence();
                }
                FenceLine::Closed
            }
            (_, '\n') => at(0),
            (FenceLine::Lead(before), _) => at(before + 1),
            (FenceLine::Indent(blanks), ' ') if blanks < 3 => FenceLine::Indent(blanks + 1),
            // Within an item a tab is as many blanks as are left to the next stop, and elsewhere it is too far in.
            (FenceLine::Indent(blanks), '\t') if !self.fence.is_empty() => {
                FenceLine::Indent(blanks.max(1))
            }
            // Within an item it ends the fence, and elsewhere it is too far in.
            (FenceLine::Indent(1..), _) if c == mark && !self.fence.is_empty() => {
                FenceLine::Inset(1)
            }
            (FenceLine::Indent(_), _) if c == mark => FenceLine::Marks(1),
            (FenceLine::Marks(marks), _) if c == mark => FenceLine::Marks(marks + 1),
            (FenceLine::Inset(marks), _) if c == mark => FenceLine::Inset(marks + 1),
            (FenceLine::Marks(marks), ' ' | '\t') if marks >= run => FenceLine::Closed,
            (FenceLine::Closed, ' ' | '\t') => FenceLine::Closed,
            (FenceLine::First, _) => FenceLine::First,
            _ => FenceLine::Other,
        };
        self.state = State::Fence { mark, run, line };
    }

    /// Whether this character may stand where a line of a fence has what the fence's first line has there.
    fn goes_on(&self, at: usize, c: char) -> bool {
        match self.fence.as_bytes().get(at) {
            _ if c == '\n' => !self.fence.contains('>'),
            Some(b'>') => c == '>',
            _ => c == ' ',
        }
    }

    fn end_fence(&mut self) {
        self.state = State::Text;
        self.above = Above::Empty;
        self.paragraph = Paragraph::default();
    }
}

/// Whether code begins in a label that does not end there, or perhaps not.
pub(super) fn has_open_code(label: &str) -> bool {
    if !label.contains('`') {
        return false;
    }
    let mut open = None;
    // What stands between backticks parts their runs.
    for run in label.split(|c| c != '`').filter(|run| !run.is_empty()).map(str::len) {
        open = match open {
            None => Some(run),
            Some(begun) if begun == run => None,
            begun => begun,
        };
    }
    open.is_some() || label.contains(['\\', '|'])
}

/// Whether a text has a sign that ends a cell.
fn has_bare_pipe(text: &str) -> bool {
    text.contains("\\\\|") || text.matches('|').count() > text.matches("\\|").count()
}

/// Whether a text could lead elsewhere if it were no code.
fn may_lead(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let has = |part: &str| text.contains(part);
    let has_tag = has("<") && (has("=") || has(":") || has("<script") || has("<style"));
    has_tag || has("](") || has("]:") || has("//") || has("www.")
}
