//! What a paragraph has had so far that decides how those who show it read the rest of it.
//!
//! Border: its characters in, one by one; answers to the scanner out.

use serde::{Deserialize, Serialize};

/// Blanks that make code of a line.
const CODE_INDENT: u8 = 4;

/// What a line is made of so far, as the line below a table's head is of dashes and of signs that part cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Rule {
    #[default]
    Empty,
    Dashes,
    Signs,
    Both,
    No,
}

/// The paragraph that is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Paragraph {
    rule: Rule,
    /// Whether the line has more than what begins items and quotations. What may be taken out of it does not count.
    #[serde(default)]
    is_begun: bool,
    /// Blanks in a row before that.
    #[serde(default)]
    indent: u8,
    /// Whether they are so many that the line may be code, which ends with it.
    #[serde(default)]
    is_far: bool,
    /// Whether the line ends what it begins: a row, a heading, or a line of a quotation.
    is_alone: bool,
    /// Whether a line below a table's head was there.
    is_table: bool,
    /// Whether code on the line would be none if that were a table's head.
    is_parted: bool,
    /// The same of the line before.
    is_guarded: bool,
    /// Whether a bracket was opened that may be closed behind what looks like code.
    is_open: bool,
    has_math: bool,
    /// Whether the word began as an address: some take a backslash for a part of it.
    is_address: bool,
}

impl Paragraph {
    /// Takes in a character; whether it may be one of the signs that begin items and quotations, and what stands before.
    pub(super) fn pass(&mut self, c: char, begins: bool, previous: char) {
        let is_fresh = !self.is_begun;
        self.indent = if c == ' ' { self.indent.saturating_add(1) } else { 0 };
        self.is_far |= is_fresh && (c == '\t' || self.indent >= CODE_INDENT);
        self.is_alone |= is_fresh && matches!(c, '|' | '#' | '>');
        let is_beside = goes_along(c);
        self.is_begun |= !begins && !is_beside && c != ':';
        self.pass_aside(c, previous);
        let is_lead = is_fresh && (c.is_ascii_digit() || matches!(c, '>' | '*' | '+' | '.'));
        self.rule = match (self.rule, c) {
            (Rule::No, _) => Rule::No,
            (rule, ' ' | '\t') => rule,
            (rule, _) if is_beside => rule,
            (Rule::Empty | Rule::Dashes, '-') => Rule::Dashes,
            (Rule::Empty | Rule::Signs, '|' | ':') => Rule::Signs,
            (_, '-' | '|' | ':') => Rule::Both,
            (rule, _) if is_lead => rule,
            _ => Rule::No,
        };
    }

    /// Takes in a character of what may be taken out, and then is no part of the line.
    pub(super) fn pass_aside(&mut self, c: char, previous: char) {
        self.has_math |= c == '$' || (previous == '\\' && matches!(c, '(' | '['));
        self.is_address &= !c.is_whitespace();
    }

    /// A line begins within this one for some.
    pub(super) const fn begin_within(&mut self) {
        self.is_begun = false;
    }

    /// A line ends, and with an empty one the paragraph.
    pub(super) fn end_line(&mut self, is_empty: bool) {
        self.is_table |= self.rule == Rule::Both;
        self.is_guarded = std::mem::take(&mut self.is_parted);
        self.is_begun = false;
        self.indent = 0;
        self.is_far = false;
        self.is_alone = false;
        self.is_address = false;
        self.rule = Rule::Empty;
        if is_empty {
            *self = Paragraph::default();
        }
    }

    /// This line is none below a table's head: a sign in it was shown as such.
    pub(super) const fn spoil(&mut self) {
        self.rule = Rule::No;
    }

    /// A bracket opens here, and is not closed so far.
    pub(super) const fn open(&mut self) {
        self.is_open = true;
    }

    /// Whether such a bracket was there.
    pub(super) const fn is_open(&self) -> bool {
        self.is_open
    }

    /// This word begins as an address, and is none of those that are told as one.
    pub(super) const fn begin_address(&mut self) {
        self.is_address = true;
    }

    /// Whether a backslash takes a sign its meaning here, as it does not in a formula.
    pub(super) const fn may_escape(&self) -> bool {
        !self.has_math && !self.is_address
    }

    /// Whether what is code in it may go over the ends of cells and lines, unless a table's head follows.
    pub(super) const fn is_prose(&self) -> bool {
        !self.is_alone && !self.is_table
    }

    /// Whether the line may be code of its own, with which no other line goes on.
    pub(super) const fn is_far(&self) -> bool {
        self.is_far
    }

    /// This line may not become a table's head.
    pub(super) const fn guard(&mut self) {
        self.is_parted = true;
    }

    /// Whether this sign would make the line one below a table's head that must not be there.
    pub(super) const fn makes_head(&self, c: char) -> bool {
        self.is_guarded && matches!((self.rule, c), (Rule::Signs, '-') | (Rule::Dashes, '|' | ':'))
    }
}

/// Whether a sign may be taken out with what it stands around or beside.
const fn goes_along(c: char) -> bool {
    matches!(c, '(' | ')' | '（' | '）' | '*' | '_' | ',' | ';' | '、' | '，' | '；')
}
