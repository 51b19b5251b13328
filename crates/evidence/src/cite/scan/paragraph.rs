//! What a paragraph has had so far that decides how those who show it read the rest of it.
//!
//! Border: its characters in, one by one; answers to the scanner out.

use serde::{Deserialize, Serialize};

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
    /// Takes in a character; whether the line has only signs of items and quotations so far, and what stands before.
    pub(super) fn pass(&mut self, c: char, is_line_blank: bool, previous: char) {
        self.is_alone |= is_line_blank && matches!(c, '|' | '#' | '>');
        self.has_math |= c == '$' || (previous == '\\' && matches!(c, '(' | '['));
        self.is_address &= !c.is_whitespace();
        let is_lead = is_line_blank && (c.is_ascii_digit() || matches!(c, '>' | '*' | '+' | '.'));
        self.rule = match (self.rule, c) {
            (Rule::No, _) => Rule::No,
            (rule, ' ' | '\t') => rule,
            (Rule::Empty | Rule::Dashes, '-') => Rule::Dashes,
            (Rule::Empty | Rule::Signs, '|' | ':') => Rule::Signs,
            (_, '-' | '|' | ':') => Rule::Both,
            (rule, _) if is_lead => rule,
            _ => Rule::No,
        };
    }

    /// A line ends, and with an empty one the paragraph.
    pub(super) fn end_line(&mut self, is_empty: bool) {
        self.is_table |= self.rule == Rule::Both;
        self.is_guarded = std::mem::take(&mut self.is_parted);
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

    /// This line may not become a table's head.
    pub(super) const fn guard(&mut self) {
        self.is_parted = true;
    }

    /// Whether this sign would make the line one below a table's head that must not be there.
    pub(super) const fn makes_head(&self, c: char) -> bool {
        self.is_guarded && matches!((self.rule, c), (Rule::Signs, '-') | (Rule::Dashes, '|' | ':'))
    }
}
