//! Bare addresses, with or without their scheme, and those in angle brackets.
//!
//! Border: as that of the scanner.

use super::{MOST_ADDRESS, Scanned, Scanner, State};

/// How an address begins.
const BEGINNINGS: [&str; 4] = ["http://", "https://", "ftp://", "www."];

impl Scanner {
    pub(super) fn address(&mut self, c: char, depth: u32, out: &mut Vec<Scanned>) {
        if !self.is_address() {
            self.held.push(c);
            if !self.may_be_address() {
                self.held.pop();
                if self.held.starts_with('<') {
                    self.state = State::Tag;
                    return self.tag(c, out);
                }
                self.release_and(c, out);
            }
        } else if ends_address(c, depth) {
            let is_marked = self.held.starts_with('<');
            let is_whole = self.end_address(out);
            if !(is_whole && is_marked && c == '>') {
                self.read(c, out);
            }
        } else if self.held.len() > MOST_ADDRESS {
            if self.end_address(out) {
                self.state = State::Endless;
            } else {
                self.read(c, out);
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
    pub(super) fn is_address(&self) -> bool {
        let held = self.without_mark();
        BEGINNINGS.iter().any(|beginning| {
            held.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
        })
    }

    fn may_be_address(&self) -> bool {
        let held = self.without_mark();
        BEGINNINGS.iter().any(|beginning| {
            beginning.get(..held.len()).is_some_and(|start| start.eq_ignore_ascii_case(held))
        })
    }

    /// Gives out an address, without the signs that end a sentence; false where it is none, and is text.
    pub(super) fn end_address(&mut self, out: &mut Vec<Scanned>) -> bool {
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
}

/// Whether a character is none of an address.
pub(super) fn ends_address(c: char, depth: u32) -> bool {
    c.is_whitespace()
        || c.is_control()
        || (c == ')' && depth == 0)
        || matches!(c, '<' | '>' | '"' | '[' | ']' | '{' | '}' | '|' | '\\' | '^' | '`')
        || matches!(c, '“' | '”' | '‘' | '’' | '«' | '»')
        // Scripts without blanks between words: what follows is the sentence.
        || matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{ff00}'..='\u{ff65}')
}
