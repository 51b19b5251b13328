//! What stands behind a closing bracket: the target of a link, or what makes a name of it.
//!
//! Border: as that of the scanner. A target is told whole, or as words behind a sign that makes no link of them.

use super::{MOST_ADDRESS, Scanned, Scanner, State};
use crate::cite::links::leads_elsewhere;

/// The longest word behind a footnote's name that is looked at, in bytes.
const MOST_NOTE: usize = 256;

impl Scanner {
    pub(super) fn target(&mut self, c: char, depth: u32, out: &mut Vec<Scanned>) {
        match c {
            // Who shows it may see a link here or none, and code behind it or none.
            '[' | ']' | '\n' | '`' => self.defuse_and(c, out),
            _ if self.held.len() >= self.longest + MOST_ADDRESS => self.defuse_and(c, out),
            '(' => self.hold(c, State::Target { depth: depth + 1 }),
            ')' if depth > 0 => self.hold(c, State::Target { depth: depth - 1 }),
            ')' => {
                self.held.push(c);
                self.close(out);
            }
            _ => self.held.push(c),
        }
    }

    /// What began as the target of a link is read as words, and is none, whatever stands there.
    pub(super) fn defuse(&mut self, out: &mut Vec<Scanned>) {
        let target = self.held.split_off(std::mem::take(&mut self.label_end));
        if self.held == "]" {
            self.release(out);
        } else {
            self.close(out);
        }
        self.dead('(', out);
        target.chars().skip(1).for_each(|c| self.read(c, out));
    }

    fn defuse_and(&mut self, c: char, out: &mut Vec<Scanned>) {
        self.defuse(out);
        self.read(c, out);
    }

    /// A name in brackets that begins its line, or comes to, would be that of an address wherever it stands again.
    pub(super) fn define(&mut self, out: &mut Vec<Scanned>) {
        let is_note = self.held.starts_with("[^");
        self.close(out);
        if is_note {
            self.hold(':', State::Note);
        } else {
            self.dead(':', out);
        }
    }

    /// Behind the name of a footnote words may stand, but no address alone.
    pub(super) fn note(&mut self, c: char, out: &mut Vec<Scanned>) {
        let is_empty = self.held.trim_start_matches(':').trim().is_empty();
        let is_over = matches!(c, '[' | '\n') || (c.is_whitespace() && !is_empty);
        if is_over || self.held.len() >= MOST_NOTE {
            if is_empty && c == '\n' {
                self.held.push(c);
                return self.end_note(out);
            }
            self.end_note(out);
            return self.read(c, out);
        }
        self.held.push(c);
    }

    pub(super) fn end_note(&mut self, out: &mut Vec<Scanned>) {
        let held = std::mem::take(&mut self.held);
        self.state = State::Text;
        let word = held.trim_start_matches(':').trim();
        let is_address = word.starts_with('<') || leads_elsewhere(word);
        if is_address || held.ends_with('\n') || held.len() >= MOST_NOTE {
            self.dead(':', out);
        } else {
            self.emit(':', out);
        }
        self.begin_within();
        held.chars().skip(1).for_each(|c| self.read(c, out));
    }
}
