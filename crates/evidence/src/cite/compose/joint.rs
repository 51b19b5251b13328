//! Where something was taken out, what stood around it must not become an address, a link, markup or code together.
//!
//! Border: characters that are given out in; what has to stand between two of them out.

use serde::{Deserialize, Serialize};

/// It is nothing to see, and no blank: behind it no line begins as one.
const NOTHING: char = '\u{200b}';

/// What was given out last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joint {
    last: char,
    /// What was given out before that.
    #[serde(default = "blank")]
    before: char,
    /// Whether its line has nothing but blanks so far, and what begins items and quotations.
    is_fresh: bool,
    /// Whether something was taken out behind it.
    is_open: bool,
}

const fn blank() -> char {
    ' '
}

impl Default for Joint {
    fn default() -> Self {
        Joint { last: '\n', before: blank(), is_fresh: true, is_open: false }
    }
}

impl Joint {
    /// Something was taken out.
    pub const fn take_out(&mut self) {
        self.is_open = true;
    }

    /// Whether a backslash stands here, which a sign behind it has already.
    pub const fn is_escaped(self) -> bool {
        self.last == '\\'
    }

    /// Code begins here: what would be one run of backticks with it, or takes it its meaning, is parted from it.
    pub const fn part_code(&mut self) {
        self.is_open |= matches!(self.last, '`' | '~' | '\\');
    }

    /// A line ends behind that.
    pub const fn end_line(&mut self) {
        self.is_open = false;
    }

    /// Takes in the next character; what has to stand before it.
    pub fn pass(&mut self, c: char) -> Option<char> {
        let between = if self.is_open { self.between(c) } else { None };
        let begins = c.is_whitespace()
            || c.is_ascii_digit()
            || matches!(c, '-' | '*' | '+' | '>' | '.' | ')');
        self.is_fresh = c == '\n' || (self.is_fresh && begins);
        // An address may go on behind these, and a line may begin behind blanks that waited.
        let goes_on = self.is_fresh || c.is_whitespace() || matches!(c, ':' | '.' | '/');
        self.is_open &= between.is_none() && goes_on;
        self.before = std::mem::replace(&mut self.last, c);
        between
    }

    fn between(self, c: char) -> Option<char> {
        let is_part = |c: char| c.is_alphanumeric() || c == '/';
        let joins = match self.last {
            ']' => matches!(c, '(' | ':'),
            '<' => c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'),
            '`' | '~' | '\\' => matches!(c, '`' | '~'),
            // Some let the host behind a `www.` begin with any sign.
            '.' if matches!(self.before, 'w' | 'W') => !c.is_whitespace(),
            ':' | '.' | '/' => is_part(c),
            '&' | '#' => c == '#' || c.is_ascii_alphanumeric(),
            // A backslash goes, and leaves the sign behind it to an address.
            last => last.is_ascii_alphanumeric() && (c.is_ascii_alphanumeric() || c == '\\'),
        };
        match c {
            '`' | '~' | '<' if self.is_fresh => Some(NOTHING),
            _ => joins.then_some(' '),
        }
    }
}
