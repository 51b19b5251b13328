//! Walks over objects as hayro does, and counts how far: to know what its ways cost before it goes them.
//!
//! Source: ISO 32000-1, 7.2 and 7.3; where files break its rules, hayro's `Skippable`.

use super::census::{Asked, Census, Mark};
use hayro_font::hayro_syntax::object::{FromBytes, ObjRef};
use std::ops::Range;

/// Arrays and dictionaries within one another that hayro follows.
const MAX_DEPTH: usize = 512;
/// Names that are as many comparisons as a step takes, where all of a dictionary look alike to its table: hayro's has no
/// secret, so a file may have chosen them.
const NAMES_A_STEP: usize = 32;

/// A place in a file.
pub struct Walk<'d> {
    data: &'d [u8],
    pub at: usize,
    /// Bytes that were looked at, each as often as it was.
    pub steps: u64,
    /// Names of the dictionary that has most of them, one that nowhere ends included: hayro reads it so far.
    pub widest: usize,
    /// Things in the list that ended last.
    pub items: usize,
    /// What is found along the way; none: nobody asks for it.
    pub census: Option<Census>,
    /// Whether this is a page's instructions, in which nothing refers to objects.
    is_content: bool,
}

/// What is known of a dictionary while it is gone over.
#[derive(Default)]
struct Own {
    names: usize,
    has_kids: bool,
    resources: Option<(u64, Range<usize>)>,
}

impl<'d> Walk<'d> {
    pub fn new(data: &'d [u8]) -> Self {
        Walk { data, at: 0, steps: 0, widest: 0, items: 0, census: None, is_content: false }
    }

    /// One that goes on with what was counted and found elsewhere.
    pub fn going_on(data: &'d [u8], steps: u64, census: Option<Census>) -> Self {
        Walk { steps, census, ..Walk::new(data) }
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
        let mut own = Own::default();
        loop {
            self.trivia();
            if self.takes(b">>").is_some() {
                self.ended(own);
                return Some(());
            }
            if self.byte() == Some(b'/') {
                let key = self.at;
                self.name()?;
                self.counts_name(&mut own.names);
                let asked = self.asked(key);
                self.trivia();
                let value = self.at;
                self.value(depth + 1)?;
                if let Some((asked, mark)) = asked {
                    self.asks(asked, mark, value, &mut own);
                }
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
        let mut items = 0;
        loop {
            self.trivia();
            if self.takes(b"]").is_some() {
                self.items = items;
                return Some(());
            }
            self.value(depth + 1)?;
            items += 1;
        }
    }

    /// Counts a name of a dictionary, of which there were so many.
    pub fn counts_name(&mut self, names: &mut usize) {
        *names += 1;
        self.widest = self.widest.max(*names);
        self.steps += u64::try_from(*names / NAMES_A_STEP).unwrap_or(u64::MAX);
        if let Some(census) = &mut self.census {
            census.name(*names);
        }
    }

    /// What the name asks for that began at a place, where somebody asks.
    fn asked(&self, key: usize) -> Option<(Asked, Mark)> {
        let census = self.census.as_ref()?;
        let asked = Asked::of(self.data.get(key + 1..self.at)?)?;
        Some((asked, census.mark(self.steps)))
    }

    /// Tells what stands behind such a name.
    fn asks(&mut self, asked: Asked, mark: Mark, value: usize, own: &mut Own) {
        let Some(census) = &mut self.census else { return };
        let value = self.data.get(value..).unwrap_or_default();
        // hayro reads some references that it does not pass over as such.
        match ObjRef::from_bytes(value) {
            _ if asked == Asked::Contents => census.has_contents(),
            Some(object) => census.refers(asked, object.obj_number),
            None if asked == Asked::Kids && value.starts_with(b"[") => census.has_kids(self.items),
            None => {}
        }
        match asked {
            Asked::Kids => own.has_kids = true,
            Asked::Resources => own.resources = Some(census.since(mark, self.steps)),
            Asked::Own | Asked::Kind | Asked::Contents => {}
        }
    }

    fn ended(&mut self, own: Own) {
        if let (Some(census), true, Some(resources)) =
            (&mut self.census, own.has_kids, own.resources)
        {
            census.gives(resources);
        }
    }

    /// A number that is none of an object.
    pub fn count(&mut self) -> Option<u32> {
        self.trivia();
        let from = self.at;
        self.tries(Self::integer)?;
        let digits = self.data.get(from..self.at)?;
        str::from_utf8(digits).ok()?.trim_start_matches('+').parse().ok()
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
    use hayro_font::hayro_syntax::object::{Array, Dict};
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
