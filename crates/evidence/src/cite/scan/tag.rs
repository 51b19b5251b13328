//! Markup in an answer, and addresses in angle brackets that are none of the web.
//!
//! Border: as that of the scanner. A sign that would begin either is told as one that is shown alone. A backslash before
//! it does nothing where a block of markup is open, so that is enough only for a name that does nothing there itself.

use super::{Scanned, Scanner, State};

/// The longest name of an element or a scheme, in bytes.
const MOST_NAME: usize = 40;

/// Elements that lead nowhere, load nothing and begin no block.
const HARMLESS: [&str; 17] = [
    "b", "br", "code", "del", "em", "hr", "i", "ins", "kbd", "mark", "q", "s", "small", "strong",
    "sub", "sup", "u",
];

impl Scanner {
    /// Behind `<`, as far as a name goes.
    pub(super) fn tag(&mut self, c: char, out: &mut Vec<Scanned>) {
        let name = self.held.get(1..).unwrap_or_default();
        if let Some((_, behind)) = name.split_once('>') {
            let goes_on = is_open(behind, c) && self.held.len() < 2 * MOST_NAME;
            if goes_on {
                return self.held.push(c);
            }
            let is_said = is_said(behind, c);
            self.end_tag(!is_said, true, out);
            return self.read(c, out);
        }
        let is_part = c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | '+' | '.');
        let may_close = c == ' ' && matches!(name, "br" | "hr");
        if (is_part || may_close) && name.len() < MOST_NAME {
            return self.held.push(c);
        }
        let is_shown = c == '>' && is_harmless(name);
        if is_shown && self.is_line_blank && !is_block(name) {
            return self.held.push(c);
        }
        let first = name.chars().next().unwrap_or(c);
        let begins = first.is_ascii_alphabetic() || matches!(first, '/' | '!' | '?');
        let is_idle = c == '>' && is_idle(name);
        self.end_tag(begins && (!is_shown || self.is_line_blank), is_idle, out);
        self.read(c, out);
    }

    /// Gives out what is held behind `<` when nothing follows: in another piece it may go on.
    pub(super) fn finish_tag(&mut self, out: &mut Vec<Scanned>) {
        self.end_tag(self.held.len() > 1, self.held.contains('>'), out);
    }

    /// Gives out what was held behind `<`, and that as a sign alone if it would begin something; whether that does nothing
    /// as markup either.
    fn end_tag(&mut self, begins: bool, is_idle: bool, out: &mut Vec<Scanned>) {
        let held = std::mem::take(&mut self.held);
        self.state = State::Text;
        match (begins, is_idle) {
            (true, true) => self.escape('<', out),
            (true, false) => self.dead('<', out),
            (false, _) => self.emit('<', out),
        }
        held.chars().skip(1).for_each(|c| self.read(c, out));
    }
}

/// Whether it is open what this character behind an element at the beginning of a line is. With nothing but the element the
/// line would begin a block of markup, and so it must have words that are not taken out of it: no marker, and no address.
fn is_open(behind: &str, c: char) -> bool {
    behind.trim().is_empty() && (matches!(c, ' ' | '\t' | 'h' | 'H' | 'f' | 'F' | 'w' | 'W'))
}

fn is_said(behind: &str, c: char) -> bool {
    if behind.trim().is_empty() {
        c.is_alphanumeric()
    } else {
        c.is_alphabetic() && !matches!(c, 't' | 'T' | 'w' | 'W')
    }
}

/// Whether an element of this name and without attributes leads nowhere and loads and runs nothing.
fn is_idle(name: &str) -> bool {
    let is_active = |active: &str| active.eq_ignore_ascii_case(name);
    name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && !["script", "style"].into_iter().any(is_active)
}

fn is_block(name: &str) -> bool {
    name.trim_matches(['/', ' ']).eq_ignore_ascii_case("hr")
}

/// Whether it is the name of such an element, be it opened or closed.
pub fn is_harmless(name: &str) -> bool {
    let name = name.trim_matches(['/', ' ']);
    HARMLESS.iter().any(|harmless| harmless.eq_ignore_ascii_case(name))
}
