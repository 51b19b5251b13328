//! Numbers and sorted words in few bytes.
//!
//! Border: what is read back may be damaged; then there is nothing, and no panic.

use std::cmp::Ordering;

/// Adds a number, seven bits a byte, the lowest first.
pub fn put(mut number: u32, out: &mut Vec<u8>) {
    while number >= 0x80 {
        #[allow(clippy::cast_possible_truncation, reason = "seven bits and a mark")]
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    #[allow(clippy::cast_possible_truncation, reason = "seven bits are left")]
    out.push(number as u8);
}

/// Takes a number from the front. Most have one byte.
#[inline]
pub fn take(bytes: &mut &[u8]) -> Option<u32> {
    let (byte, rest) = bytes.split_first()?;
    if *byte >= 0x80 {
        return take_long(bytes);
    }
    *bytes = rest;
    Some(u32::from(*byte))
}

fn take_long(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Takes so many bytes from the front.
pub fn split<'b>(bytes: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (head, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(head)
}

/// Takes four bytes from the front.
pub fn fixed(bytes: &mut &[u8]) -> Option<u32> {
    let (head, rest) = bytes.split_first_chunk::<4>()?;
    *bytes = rest;
    Some(u32::from_le_bytes(*head))
}

/// A length as four bytes; nothing that is packed comes near the limit.
#[must_use]
pub fn length(of: usize) -> [u8; 4] {
    u32::try_from(of).unwrap_or(u32::MAX).to_le_bytes()
}

/// Words in a block: one is written whole, the others by what differs from the one before.
const BLOCK: usize = 16;

/// Packs words that come in their order.
#[derive(Debug, Default)]
pub struct Packer {
    packed: Words,
    before: Vec<u8>,
}

impl Packer {
    /// Adds a word, which has to come behind those that are there.
    pub fn push(&mut self, word: &[u8], number: u32) {
        let Packer { packed, before } = self;
        let shared = if packed.count.is_multiple_of(BLOCK) {
            packed.starts.push(u32::from_le_bytes(length(packed.bytes.len())));
            0
        } else {
            let same = before.iter().zip(word).take_while(|(one, other)| one == other);
            same.count().min(255)
        };
        let rest = word.get(shared..).unwrap_or_default();
        put(u32::from_le_bytes(length(shared)), &mut packed.bytes);
        put(u32::from_le_bytes(length(rest.len())), &mut packed.bytes);
        packed.bytes.extend_from_slice(rest);
        put(number, &mut packed.bytes);
        before.truncate(shared);
        before.extend_from_slice(rest);
        packed.count += 1;
    }

    /// What was added. It is kept: what it was given to grow is given back.
    #[must_use]
    pub fn finish(mut self) -> Words {
        self.packed.starts.shrink_to_fit();
        self.packed.bytes.shrink_to_fit();
        self.packed
    }
}

/// Sorted words, each with a number of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    /// Where each block begins.
    starts: Vec<u32>,
    bytes: Vec<u8>,
    count: usize,
}

impl Words {
    /// Packs words, which have to be sorted, each with a number.
    pub fn pack<'w>(words: impl Iterator<Item = (&'w str, u32)>) -> Words {
        let mut packer = Packer::default();
        words.for_each(|(word, number)| packer.push(word.as_bytes(), number));
        packer.finish()
    }

    /// Goes through them, from the first on.
    #[must_use]
    pub fn walk(&self) -> Walk<'_> {
        let (bytes, left) = (self.bytes.as_slice(), self.count);
        let (word, ahead) = (Some(Vec::new()), (usize::MAX, 0));
        let mut walk = Walk { words: self, bytes, left, word, head: 0, number: 0, ahead };
        walk.advance();
        walk
    }

    /// How many words there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Bytes of memory that they take.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes.len() + self.starts.len() * size_of::<u32>()
    }

    /// Adds all of it to a blob.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&length(self.count));
        out.extend_from_slice(&length(self.starts.len()));
        out.extend_from_slice(&length(self.bytes.len()));
        self.starts.iter().for_each(|start| out.extend_from_slice(&start.to_le_bytes()));
        out.extend_from_slice(&self.bytes);
    }

    /// Takes words from the front of a blob.
    pub fn read(blob: &mut &[u8]) -> Option<Words> {
        let count = usize::try_from(fixed(blob)?).ok()?;
        let blocks = usize::try_from(fixed(blob)?).ok()?;
        let bytes = usize::try_from(fixed(blob)?).ok()?;
        if blocks != count.div_ceil(BLOCK) {
            return None;
        }
        let mut starts = split(blob, blocks.checked_mul(4)?)?;
        let starts = std::iter::from_fn(|| fixed(&mut starts)).collect();
        Some(Words { starts, bytes: split(blob, bytes)?.to_vec(), count })
    }

    /// The number of a word.
    #[must_use]
    pub fn find(&self, word: &str) -> Option<u32> {
        self.find_bytes(word.as_bytes())
    }

    /// The same of a word's bytes.
    #[must_use]
    pub fn find_bytes(&self, word: &[u8]) -> Option<u32> {
        let before = |start: &u32| self.first(*start).is_some_and(|first| first <= word);
        let block = self.starts.partition_point(before).checked_sub(1)?;
        let mut bytes = self.from(*self.starts.get(block)?);
        let mut known: Vec<u8> = Vec::new();
        for _ in 0..BLOCK {
            let number = next(&mut bytes, &mut known)?;
            match known.as_slice().cmp(word) {
                Ordering::Less => {}
                Ordering::Equal => return Some(number),
                Ordering::Greater => return None,
            }
        }
        None
    }

    /// What stands from here on.
    fn from(&self, start: u32) -> &[u8] {
        let from = usize::try_from(start).unwrap_or(usize::MAX);
        self.bytes.get(from..).unwrap_or_default()
    }

    /// The first word of a block, which shares nothing with the one before it.
    fn first(&self, start: u32) -> Option<&[u8]> {
        let mut bytes = self.from(start);
        take(&mut bytes)?;
        let length = usize::try_from(take(&mut bytes)?).ok()?;
        split(&mut bytes, length)
    }

    /// The words that begin with a byte, in their order with their numbers.
    pub fn beginning(&self, with: u8) -> impl Iterator<Item = (String, u32)> + '_ {
        let first = |word: &[u8]| word.first().copied().unwrap_or_default();
        let is_before = |start: &u32| self.first(*start).is_some_and(|word| first(word) < with);
        // The words may begin within the block before the first one that begins so.
        let from = self.starts.partition_point(is_before).saturating_sub(1);
        let words = self.starts.iter().skip(from).flat_map(|start| self.block(*start));
        let words = words.skip_while(move |(word, _)| first(word) < with);
        let words = words.take_while(move |(word, _)| first(word) == with);
        words.map(|(word, number)| (text(word), number))
    }

    /// All words in their order with their numbers.
    pub fn all(&self) -> impl Iterator<Item = (String, u32)> + '_ {
        let words = self.starts.iter().flat_map(|start| self.block(*start));
        words.map(|(word, number)| (text(word), number))
    }

    fn block(&self, start: u32) -> impl Iterator<Item = (Vec<u8>, u32)> + '_ {
        let mut bytes = self.from(start);
        let mut word: Vec<u8> = Vec::new();
        let words = std::iter::from_fn(move || {
            let number = next(&mut bytes, &mut word)?;
            Some((word.clone(), number))
        });
        words.take(BLOCK)
    }
}

/// Makes a word the next one, and gives its number.
fn next(bytes: &mut &[u8], word: &mut Vec<u8>) -> Option<u32> {
    let shared = usize::try_from(take(bytes)?).ok()?;
    let length = usize::try_from(take(bytes)?).ok()?;
    let rest = split(bytes, length)?;
    word.truncate(shared);
    word.extend_from_slice(rest);
    take(bytes)
}

/// A word as a text. What is packed was one.
fn text(word: Vec<u8>) -> String {
    String::from_utf8(word)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// A way through words in their order, which copies none of them.
#[derive(Debug)]
pub struct Walk<'w> {
    words: &'w Words,
    bytes: &'w [u8],
    left: usize,
    /// The word at hand; none behind the last.
    word: Option<Vec<u8>>,
    head: u128,
    number: u32,
    /// A block that is not begun yet, and the head of its first word.
    ahead: (usize, u128),
}

impl Walk<'_> {
    /// The word at hand; none behind the last.
    #[must_use]
    pub fn word(&self) -> Option<&[u8]> {
        self.word.as_deref()
    }

    /// Its number.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Goes to the next word.
    pub fn advance(&mut self) {
        let Some(word) = &mut self.word else { return };
        let next =
            self.left.checked_sub(1).and_then(|left| Some((left, next(&mut self.bytes, word)?)));
        match next {
            Some((left, number)) => {
                (self.left, self.number, self.head) = (left, number, head(word));
            }
            None => self.word = None,
        }
    }

    /// The number of a word, which comes behind all that were asked for before.
    pub fn find(&mut self, word: &[u8]) -> Option<u32> {
        let head = head(word);
        self.skip(word, head);
        loop {
            match order((self.head, self.word()?), (head, word)) {
                Ordering::Less => self.advance(),
                Ordering::Equal => return Some(self.number),
                Ordering::Greater => return None,
            }
        }
    }

    /// Goes to the last block that may have a word.
    fn skip(&mut self, word: &[u8], head: u128) {
        let mut block = (self.words.count - self.left).div_ceil(BLOCK);
        if self.is_ahead(block, head) {
            return;
        }
        let mut from = None;
        while let Some(start) = self.words.starts.get(block)
            && self.words.first(*start).is_some_and(|first| first <= word)
        {
            from = Some((block, *start));
            block += 1;
        }
        if let Some((block, start)) = from {
            self.bytes = self.words.from(start);
            self.left = self.words.count - block * BLOCK;
            self.advance();
        }
    }

    /// Whether a block begins behind all words with this head. Its first word is read once, not for each word that is
    /// looked for before it.
    fn is_ahead(&mut self, block: usize, head: u128) -> bool {
        if self.ahead.0 != block {
            let first = self.words.starts.get(block).and_then(|start| self.words.first(*start));
            self.ahead = (block, first.map_or(u128::MAX, self::head));
        }
        self.ahead.1 > head
    }
}

/// Bytes of a head.
pub(super) const HEAD: usize = size_of::<u128>();

/// The first bytes of a word as a number, which is in the order of the words: nearly all are told apart by it.
pub(super) fn head(word: &[u8]) -> u128 {
    if let Some(first) = word.first_chunk::<HEAD>() {
        return u128::from_be_bytes(*first);
    }
    let head = word.iter().fold(0, |head, byte| head << 8 | u128::from(*byte));
    let missing = u32::from_le_bytes(length(HEAD.saturating_sub(word.len())));
    head.unbounded_shl(8 * missing)
}

/// The order of two words with their heads.
fn order((one_head, one): (u128, &[u8]), (other_head, other): (u128, &[u8])) -> Ordering {
    let behind = |word: &'_ [u8]| word.len().saturating_sub(HEAD);
    one_head.cmp(&other_head).then_with(|| match (behind(one), behind(other)) {
        // Those that are not longer than it are the same, but for zeros at their end.
        (0, 0) => one.len().cmp(&other.len()),
        _ => one.cmp(other),
    })
}

/// A word, with the places of those that have it and its number there.
pub type Known<'m> = (&'m [u8], &'m [(usize, u32)]);

/// The words of several, each once, in their order.
#[derive(Debug)]
pub struct Merged<'w> {
    walks: Vec<Walk<'w>>,
    word: Vec<u8>,
    known: Vec<(usize, u32)>,
}

impl<'w> Merged<'w> {
    /// Those of these.
    pub fn of(words: impl Iterator<Item = &'w Words>) -> Merged<'w> {
        Merged { walks: words.map(Words::walk).collect(), word: Vec::new(), known: Vec::new() }
    }

    /// The next one.
    pub fn next(&mut self) -> Option<Known<'_>> {
        self.known.clear();
        let mut first: Option<(u128, &[u8])> = None;
        for (at, walk) in self.walks.iter().enumerate() {
            let Some(word) = walk.word() else { continue };
            let own = (walk.head, word);
            match first.map_or(Ordering::Less, |first| order(own, first)) {
                Ordering::Less => {
                    self.known.clear();
                    first = Some(own);
                }
                Ordering::Equal => {}
                Ordering::Greater => continue,
            }
            self.known.push((at, walk.number));
        }
        let (_, first) = first?;
        self.word.clear();
        self.word.extend_from_slice(first);
        for (at, _) in &self.known {
            self.walks.get_mut(*at).into_iter().for_each(Walk::advance);
        }
        Some((&self.word, &self.known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn words_are_found_and_no_others(
            words in prop::collection::btree_map("(a{14})?[ab\\x00]{0,6}", any::<u32>(), 0..80),
            other in "(a{14})?[ab\\x00]{0,7}",
            asked in prop::collection::btree_set("(a{14})?[ab\\x00]{0,7}", 0..60),
        ) {
            let packed = Words::pack(words.iter().map(|(word, number)| (word.as_str(), *number)));
            let mut blob = Vec::new();
            packed.write(&mut blob);
            let mut rest = blob.as_slice();
            let read = Words::read(&mut rest).unwrap();
            prop_assert!(rest.is_empty());
            prop_assert_eq!(&read.all().collect::<BTreeMap<_, _>>(), &words);
            prop_assert_eq!(read.len(), words.len());
            for (word, number) in &words {
                prop_assert_eq!(read.find(word), Some(*number));
            }
            prop_assert_eq!(read.find(&other), words.get(&other).copied());
            let mut walk = read.walk();
            for asked in &asked {
                prop_assert_eq!(walk.find(asked.as_bytes()), words.get(asked).copied());
            }
            let expected: Vec<_> = words.clone().into_iter().filter(|(word, _)| word.starts_with('b')).collect();
            prop_assert_eq!(read.beginning(b'b').collect::<Vec<_>>(), expected);
        }

        #[test]
        fn words_of_several_come_once_and_in_order(
            all in prop::collection::vec(prop::collection::btree_map("(a{14})?[ab\\x00]{0,5}", any::<u32>(), 0..60), 0..5),
        ) {
            let mut expected: BTreeMap<&str, Vec<(usize, u32)>> = BTreeMap::new();
            for (at, words) in all.iter().enumerate() {
                for (word, number) in words {
                    expected.entry(word).or_default().push((at, *number));
                }
            }
            let pack = |words: &BTreeMap<String, u32>| {
                Words::pack(words.iter().map(|(word, number)| (word.as_str(), *number)))
            };
            let packed: Vec<Words> = all.iter().map(pack).collect();
            let mut merged = Merged::of(packed.iter());
            for (word, known) in expected {
                prop_assert_eq!(merged.next(), Some((word.as_bytes(), known.as_slice())));
            }
            prop_assert_eq!(merged.next(), None);
        }

        #[test]
        fn numbers_read_back(numbers in prop::collection::vec(any::<u32>(), 0..20)) {
            let mut bytes = Vec::new();
            numbers.iter().for_each(|number| put(*number, &mut bytes));
            let mut rest = bytes.as_slice();
            let read: Vec<u32> = std::iter::from_fn(|| take(&mut rest)).collect();
            prop_assert_eq!(read, numbers);
        }

        #[test]
        fn damaged_bytes_give_nothing_and_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let mut rest = bytes.as_slice();
            if let Some(words) = Words::read(&mut rest) {
                let _ = words.find("a");
                prop_assert!(words.all().count() <= bytes.len() * 16);
                let _ = words.walk().find(b"a");
            }
        }
    }
}
