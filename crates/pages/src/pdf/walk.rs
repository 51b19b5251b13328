//! Walks over objects as hayro does, and counts how far: to know what its ways cost before it goes them.
//!
//! Source: ISO 32000-1, 7.2 and 7.3; where files break its rules, hayro's `Skippable`.

/// Arrays and dictionaries within one another that hayro follows.
const MAX_DEPTH: usize = 512;

/// A place in a file.
pub struct Walk<'d> {
    data: &'d [u8],
    pub at: usize,
    /// Bytes that were looked at, each as often as it was.
    pub steps: u64,
    /// Whether this is a page's instructions, in which nothing refers to objects.
    is_content: bool,
}

impl<'d> Walk<'d> {
    pub fn new(data: &'d [u8]) -> Self {
        Walk { data, at: 0, steps: 0, is_content: false }
    }

    pub fn of_content(data: &'d [u8]) -> Self {
        Walk { is_content: true, ..Walk::new(data) }
    }

    pub fn byte(&self) -> Option<u8> {
        self.data.get(self.at).copied()
    }

    /// What is left.
    pub fn rest(&self) -> &'d [u8] {
        self.data.get(self.at..).unwrap_or_default()
    }

    pub fn takes(&mut self, word: &[u8]) -> Option<()> {
        self.steps += 1;
        self.rest().starts_with(word).then(|| self.at += word.len())
    }

    /// Goes on while `is` says so; how far.
    pub fn while_is(&mut self, is: impl Fn(u8) -> bool) -> usize {
        let rest = self.rest();
        let far = rest.iter().position(|byte| !is(*byte)).unwrap_or(rest.len());
        self.at += far;
        self.steps += u64::try_from(far).unwrap_or(u64::MAX) + 1;
        far
    }

    fn blanks(&mut self) {
        self.while_is(is_blank);
    }

    /// Blanks and comments.
    pub fn trivia(&mut self) {
        loop {
            self.blanks();
            if self.byte() != Some(b'%') {
                return;
            }
            self.while_is(|byte| !matches!(byte, b'\n' | b'\r'));
        }
    }

    /// A word for which `go` has to get through; where it does not, nothing was gone.
    fn tries(&mut self, go: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let from = self.at;
        let gone = go(self);
        if gone.is_none() {
            self.at = from;
        }
        gone
    }

    /// The number of an object, as it stands before it.
    pub fn head(&mut self) -> Option<()> {
        self.tries(|walk| {
            walk.integer()?;
            walk.trivia();
            walk.integer()?;
            walk.trivia();
            walk.takes(b"obj")
        })
    }

    /// An object that is no stream.
    pub fn object(&mut self) -> Option<()> {
        self.any(0)
    }

    /// A dictionary.
    pub fn dictionary(&mut self) -> Option<()> {
        self.tries(|walk| walk.entries(0))
    }

    fn any(&mut self, depth: usize) -> Option<()> {
        self.tries(|walk| match walk.byte()? {
            b'n' => walk.word(b"null"),
            b't' => walk.word(b"true"),
            b'f' => walk.word(b"false"),
            b'/' => walk.name(),
            b'<' if walk.rest().starts_with(b"<<") => walk.entries(depth),
            b'<' => {
                walk.at += 1;
                walk.while_is(|byte| byte.is_ascii_hexdigit() || is_blank(byte));
                walk.takes(b">")
            }
            b'(' => walk.string(),
            b'.' | b'+' | b'-' | b'0'..=b'9' => walk.number(),
            b'[' => walk.items(depth),
            _ => (walk.while_is(is_regular) > 0).then_some(()),
        })
    }

    /// An object, or a reference to one.
    fn value(&mut self, depth: usize) -> Option<()> {
        let may_refer = matches!(self.byte(), Some(b'+' | b'-' | b'0'..=b'9'));
        if may_refer && !self.is_content {
            let reference = self.tries(|walk| {
                walk.integer()?;
                walk.blanks();
                walk.integer()?;
                walk.blanks();
                walk.takes(b"R")
            });
            if reference.is_some() {
                return reference;
            }
        }
        self.any(depth)
    }

    fn entries(&mut self, depth: usize) -> Option<()> {
        if depth >= MAX_DEPTH {
            return None;
        }
        self.takes(b"<<")?;
        loop {
            self.trivia();
            if self.takes(b">>").is_some() {
                return Some(());
            }
            if self.byte() == Some(b'/') {
                self.name()?;
                self.trivia();
                self.value(depth + 1)?;
            } else {
                // Rubbish in between is passed over.
                self.any(depth + 1)?;
            }
        }
    }

    fn items(&mut self, depth: usize) -> Option<()> {
        if depth >= MAX_DEPTH {
            return None;
        }
        self.takes(b"[")?;
        loop {
            self.trivia();
            if self.takes(b"]").is_some() {
                return Some(());
            }
            self.value(depth + 1)?;
        }
    }

    fn name(&mut self) -> Option<()> {
        self.takes(b"/")?;
        self.while_is(is_regular);
        Some(())
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.takes(word)?;
        self.ends()
    }

    fn string(&mut self) -> Option<()> {
        let mut open = 0_usize;
        loop {
            self.while_is(|byte| !matches!(byte, b'(' | b')' | b'\\'));
            match self.byte()? {
                b'(' => open += 1,
                b')' => open -= 1,
                _ => self.at += 1,
            }
            self.at += 1;
            if open == 0 {
                return (self.at <= self.data.len()).then_some(());
            }
        }
    }

    fn sign(&mut self) -> bool {
        let has_one = matches!(self.byte(), Some(b'+' | b'-'));
        self.at += usize::from(has_one);
        has_one
    }

    fn integer(&mut self) -> Option<()> {
        self.sign();
        if self.while_is(|byte| byte.is_ascii_digit()) == 0 || self.byte() == Some(b'.') {
            return None;
        }
        self.ends()
    }

    fn number(&mut self) -> Option<()> {
        let digits = |byte: u8| byte.is_ascii_digit() || byte == b'-';
        let has_sign = self.sign();
        match self.byte()? {
            b'.' => {
                self.at += 1;
                self.while_is(digits);
            }
            b'0'..=b'9' | b'-' => {
                self.while_is(digits);
                if self.takes(b".").is_some() {
                    self.while_is(digits);
                }
            }
            byte if has_sign && (is_blank(byte) || matches!(byte, b'(' | b'<')) => {}
            _ => return None,
        }
        self.ends()
    }

    /// Whether a word ends here.
    fn ends(&self) -> Option<()> {
        (!self.byte().is_some_and(is_regular)).then_some(())
    }
}

pub fn is_blank(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

pub fn is_regular(byte: u8) -> bool {
    !is_blank(byte)
        && !matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_font::hayro_syntax::object::{Array, Dict, FromBytes};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn an_object_ends_where_hayro_says(text in "[a-c0-9 /<>()\\[\\]%#\\\\nR.+\\n-]{0,60}") {
            for (object, is_dictionary) in [(format!("<<{text}>>"), true), (format!("[{text}]"), false)] {
                let mut walk = Walk::new(object.as_bytes());
                let ends = walk.object().map(|()| walk.at);
                let theirs = if is_dictionary {
                    Dict::from_bytes(object.as_bytes()).map(|dict| dict.data().len())
                } else {
                    Array::from_bytes(object.as_bytes()).map(|array| array.data().len() + 2)
                };
                prop_assert_eq!(ends, theirs, "{}", object);
            }
        }
    }

    #[test]
    fn what_lies_too_deep_is_no_object() {
        for (open, close) in [("[", "]"), ("<</A", ">>")] {
            for (deep, is_one) in [(500, true), (5_000, false)] {
                let object = open.repeat(deep) + " 1 " + &close.repeat(deep);
                let mut walk = Walk::new(object.as_bytes());
                assert_eq!(walk.object().is_some(), is_one, "{open} {deep}");
            }
        }
    }
}
