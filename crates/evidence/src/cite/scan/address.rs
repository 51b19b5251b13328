//! Bare addresses, with or without their scheme, and those in angle brackets.
//!
//! Border: as that of the scanner.

use super::{MOST_ADDRESS, Scanned, Scanner, State};

/// How an address begins.
const BEGINNINGS: [&str; 4] = ["http://", "https://", "ftp://", "www."];

/// The longest host, in bytes: behind that no sign belongs to one.
const MOST_HOST: usize = 300;

impl Scanner {
    pub(super) fn address(
        &mut self,
        c: char,
        depth: u32,
        begun: usize,
        has_host: bool,
        out: &mut Vec<Scanned>,
    ) {
        if begun == 0 {
            self.held.push(c);
            if begins(self.without_mark(), false) {
                let begun = if begins(self.without_mark(), true) { self.held.len() } else { 0 };
                self.state = State::Address { depth, begun, has_host };
                return;
            }
            self.held.pop();
            if self.held.starts_with('<') {
                self.state = State::Tag;
                return self.tag(c, out);
            }
            self.release_and(c, out);
        } else if ends_address(c, depth) && !self.is_of_host(c, begun, has_host) {
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
            let has_host = has_host || c.is_alphanumeric();
            self.hold(c, State::Address { depth, begun, has_host });
        }
    }

    fn without_mark(&self) -> &str {
        self.held.strip_prefix('<').unwrap_or(&self.held)
    }

    /// Whether a character that ends addresses is one of this one's host, which some let begin with any sign: a `www.` has
    /// one while no dot is behind it, and scripts without blanks have hosts of their own.
    fn is_of_host(&self, c: char, begun: usize, has_host: bool) -> bool {
        if self.held.len() > MOST_HOST || c.is_whitespace() || c.is_control() || c == '<' {
            return false;
        }
        let host = self.held.get(begun..).unwrap_or_default();
        let is_marked = self.held.starts_with('<');
        let is_foreign = !c.is_ascii() && c.is_alphanumeric();
        let label = host.rsplit('.').next().unwrap_or_default();
        let goes_on = is_foreign
            && !host.contains(['/', '?', '#'])
            && (label.is_empty() || label.starts_with(|c: char| !c.is_ascii()));
        match c {
            _ if is_bare(self.without_mark()) => !host.contains('.') || goes_on,
            // These fill in a host in templates, part cells and begin code.
            '{' | '}' | '|' | '`' => is_marked && !has_host,
            '>' => false,
            ']' => (is_marked && !has_host) || (host.starts_with('[') && !host.contains(']')),
            _ if is_foreign => !has_host || goes_on,
            // What stands in quotation marks is none of theirs, but for what angles are around.
            _ if !c.is_ascii() || c == '"' => !has_host && is_marked,
            _ => !has_host,
        }
    }

    /// Gives out an address, without the signs that end a sentence; false where it is none, and is text.
    pub(super) fn end_address(&mut self, out: &mut Vec<Scanned>) -> bool {
        let address = self.without_mark();
        let bare = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '*', '_', '~', '\'']);
        let rest = address.get(bare.len()..).unwrap_or_default().to_owned();
        let begun = if let State::Address { begun, .. } = self.state { begun } else { 0 };
        let host = self.held.get(begun..).unwrap_or_default();
        let has_name = host.contains(char::is_alphanumeric);
        // Of one without a scheme a name and an ending are the least: `www.a.example`.
        let is_whole = has_name && (!is_bare(address) || bare.matches('.').count() > 1);
        if !is_whole {
            self.paragraph.begin_address();
            self.release_behind(begun, out);
            return false;
        }
        out.push(Scanned::Address(bare.to_owned()));
        self.held.clear();
        self.state = State::Text;
        self.passed_aside("a");
        for c in rest.chars() {
            self.emit(c, out);
        }
        true
    }
}

/// Whether a text begins as an address does, or is as much of that; `is_whole` asks for all of it. Backslashes before its
/// signs are taken away before some look for it.
fn begins(text: &str, is_whole: bool) -> bool {
    let is_beginning = |beginning: &str| {
        let mut left = beginning.chars();
        let mut is_escaped = false;
        for c in text.chars() {
            match left.clone().next() {
                Some(next) if c == '\\' && !is_escaped && next.is_ascii_punctuation() => {
                    is_escaped = true;
                }
                Some(next) if next.eq_ignore_ascii_case(&c) => {
                    left.next();
                    is_escaped = false;
                }
                _ => return false,
            }
        }
        !is_whole || left.next().is_none()
    };
    BEGINNINGS.into_iter().any(is_beginning)
}

/// Whether an address has no scheme.
fn is_bare(address: &str) -> bool {
    address.starts_with(['w', 'W'])
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
