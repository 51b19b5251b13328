//! Brackets, and signs of emphasis, that may turn out to hold nothing but what is taken out: then they go with it.
//!
//! Border: characters of text in; whether they are shown, or not yet, or never, out. Some bytes wait at most.

use serde::{Deserialize, Serialize};

/// Bytes that wait at most.
const MOST: usize = 64;

/// Opening brackets of which nobody knows yet whether anything will stand in them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brackets {
    /// They, and the blanks behind them.
    held: String,
    /// Whether something was taken out behind them.
    is_emptied: bool,
    /// Whether a blank was left out since.
    #[serde(default)]
    has_blank: bool,
}

impl Brackets {
    /// Takes in a character, which opens something where it can, as it does not within a word or behind one; false
    /// when it is to be shown, behind what waits.
    pub fn take(&mut self, c: char, can_open: bool) -> bool {
        match c {
            // Behind a blank a mark closes nothing.
            '*' | '_' if self.is_emptied => !self.has_blank && self.close(&[c]),
            '*' | '_' if (can_open || !self.held.is_empty()) && self.held.len() < MOST => {
                self.held.push(c);
                true
            }
            '(' | '（' if self.held.len() < MOST => {
                self.held.push(c);
                true
            }
            _ if self.held.is_empty() || c == '\n' => false,
            ')' | '）' if self.is_emptied => self.close(&['(', '（']),
            // What parts or surrounds things that are not there is of no use.
            _ if self.is_emptied => {
                self.has_blank = c.is_whitespace();
                self.has_blank || matches!(c, ',' | ';' | '、' | '，' | '；')
            }
            // And before one it opens nothing: it is that of an item, or itself.
            _ if c.is_whitespace()
                && self.held.len() < MOST
                && !self.held.ends_with(['*', '_']) =>
            {
                self.held.push(c);
                true
            }
            _ => false,
        }
    }

    /// Takes away what was opened last, if it is one of these.
    fn close(&mut self, openings: &[char]) -> bool {
        if !self.held.trim_end().ends_with(openings) {
            return false;
        }
        self.held.truncate(self.held.trim_end().len());
        self.held.pop();
        self.empty();
        true
    }

    /// Something was taken out here.
    pub const fn empty(&mut self) {
        self.is_emptied = !self.held.is_empty();
        self.has_blank = false;
    }

    /// What waits, which is to be shown after all.
    pub fn release(&mut self) -> String {
        self.is_emptied = false;
        self.has_blank = false;
        std::mem::take(&mut self.held)
    }

    /// What waits when nothing follows: brackets that hold nothing need not be closed to go.
    pub fn finish(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        if std::mem::take(&mut self.is_emptied) { String::new() } else { held }
    }
}
