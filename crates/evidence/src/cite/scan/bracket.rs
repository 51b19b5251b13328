//! Brackets, and several names in brackets within brackets.
//!
//! Border: as that of the scanner.

use super::code::has_open_code;
use super::{Scanned, Scanner, State, Trust, USUAL_LABEL};

impl Scanner {
    /// Within a bracket.
    pub(super) fn bracket(
        &mut self,
        c: char,
        close: char,
        is_double: bool,
        out: &mut Vec<Scanned>,
    ) {
        let is_closing = is_double && self.held.ends_with(']');
        match c {
            '[' if self.held == "[" => self.hold(c, State::Bracket { close, is_double: true }),
            // Names in brackets of their own, with brackets around all of them.
            '[' | ',' | ';' | ' ' | '&' | 'a' | 'n' | 'd'
                if is_double && self.held.len() < USUAL_LABEL && lists_names(&self.held, c) =>
            {
                self.held.push(c);
            }
            '[' | '【' | '［' | '〔' | '\n' => self.release_and(c, out),
            _ if self.held.len() > self.longest => self.release_and(c, out),
            _ if is_closing && c != close => self.release_and(c, out),
            // The bracket may stand in code, which begins before it and goes before links.
            _ if c == close && self.trust == Trust::Yes && has_open_code(&self.held) => {
                self.release_and(c, out);
            }
            _ if c == close && (!is_double || is_closing) => {
                self.hold(c, State::Closed);
                if close != ']' {
                    self.close(out);
                }
            }
            _ => self.held.push(c),
        }
    }

    /// Gives out what stands in brackets.
    pub(super) fn close(&mut self, out: &mut Vec<Scanned>) {
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
        // Some take the box of an item away before they look at what it begins with.
        let is_box = self.is_line_blank && matches!(raw.as_str(), "[ ]" | "[x]" | "[X]");
        self.passed_aside(&raw);
        if is_box {
            self.begin_within();
        }
        self.state = State::Text;
        out.push(match target {
            Some(target) if raw.starts_with(']') => Scanned::Tail { raw, target },
            target => Scanned::Bracket { raw, label, target },
        });
    }
}

/// Whether what is held, `[[q1], ` or the like, goes on as a list of names in brackets with this character.
fn lists_names(held: &str, c: char) -> bool {
    let Some((names, rest)) = held.rsplit_once(']') else { return false };
    let name = names.rsplit_once('[').map_or("", |(_, name)| name);
    let is_name = name.strip_prefix(['q', 'Q']).is_some_and(|digits| {
        !digits.is_empty() && digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    let is_gap = |c: char| matches!(c, ',' | ';' | '&' | ' ');
    let word = rest.trim_matches(is_gap);
    is_name
        && match c {
            '[' => !rest.is_empty() && matches!(word, "" | "and"),
            'a' => rest.ends_with(is_gap) && word.is_empty(),
            'n' => rest.ends_with('a') && word == "a",
            'd' => rest.ends_with('n') && word == "an",
            _ => matches!(word, "" | "and"),
        }
}
