//! Markup in an answer, and addresses in angle brackets that are none of the web.
//!
//! Border: as that of the scanner. A sign that would begin either is told as one that is shown alone.

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
        let is_part = c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | '+' | '.');
        let may_close = c == ' ' && matches!(name, "br" | "hr");
        if (is_part || may_close) && name.len() < MOST_NAME {
            return self.held.push(c);
        }
        let begins = begins_markup(name, c, self.is_line_blank);
        let held = std::mem::take(&mut self.held);
        self.state = State::Text;
        if begins {
            self.dead('<', out);
        } else {
            self.emit('<', out);
        }
        held.chars().skip(1).for_each(|c| self.read(c, out));
        self.read(c, out);
    }
}

/// Whether `<`, a name and this character begin something that is not shown as it stands, or that could become so where
/// something is taken out of it. At the beginning of a line all does: then no line behind it is read as markup either.
fn begins_markup(name: &str, c: char, is_line_start: bool) -> bool {
    let is_shown = !is_line_start && c == '>' && is_harmless(name);
    let first = name.chars().next().unwrap_or(c);
    (first.is_ascii_alphabetic() || matches!(first, '/' | '!' | '?')) && !is_shown
}

fn is_harmless(name: &str) -> bool {
    let name = name.trim_matches(['/', ' ']);
    HARMLESS.iter().any(|harmless| harmless.eq_ignore_ascii_case(name))
}
