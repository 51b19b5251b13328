//! A segment: what the lexical ranking needs of some thousand chunks, packed into one blob.
//!
//! Border: chunks with their words in; bytes out, and postings of a word back. A segment never changes: to add or
//! to delete, a new one is made, so that a store replaces one value and nothing of what was deleted stays.

use super::packed::{self, Merged, Packer, Words};
use super::terms::{self, BODY, HEADINGS, TITLE};
use std::collections::HashMap;
use std::rc::Rc;

/// Chunks of a full segment: its blob has half a megabyte or so, and is quickly made anew.
pub const SEGMENT_CHUNKS: usize = 2_048;

/// The first bytes of a segment, with the version of its form.
const MARK: &[u8] = b"QKS1";

/// Where a chunk stands: its document, by the number that the store gave it, and its place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkKey {
    /// The store's number of the document.
    pub document: u64,
    /// The place of the chunk in its document, from 0.
    pub number: u32,
}

/// What is indexed of a chunk.
#[derive(Debug, Clone, Copy)]
pub struct Indexed<'c> {
    /// Where it stands.
    pub key: ChunkKey,
    /// The title of its document.
    pub title: &'c str,
    /// The headings it stands under.
    pub headings: &'c [String],
    /// Its text.
    pub body: &'c str,
}

/// A chunk of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Where it stands.
    pub key: ChunkKey,
    /// Its words, each as often as it counts.
    pub length: u32,
}

/// Why a blob cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the {0} of the knowledge index is damaged or of another version; reindex the collection")]
pub struct Damaged(pub &'static str);

/// Terms that a builder knows from one segment to the next: some megabytes.
const MOST_KNOWN: usize = 50_000;

/// Gathers chunks for one segment after the other.
#[derive(Debug, Default)]
pub struct Builder {
    /// By word of a text: its term, or none. A text says most of its words many times, and the next text many of them.
    known: HashMap<Box<str>, Option<u32>>,
    /// By term: its number.
    names: HashMap<Rc<str>, u32>,
    /// By number: the term.
    terms: Vec<Rc<str>>,
    /// By number of a term: where it stands among `counts` for the chunk that had it last. What is left of a segment
    /// before is of no chunk of this one.
    last: Vec<usize>,
    /// By number of a term: its place among those of the segment that is made, where it is one of these.
    places: Vec<usize>,
    counts: Vec<Count>,
    entries: Vec<Entry>,
}

/// How much a term counts in a chunk.
#[derive(Debug, Clone, Copy)]
struct Count {
    name: u32,
    chunk: u32,
    count: u32,
}

impl Builder {
    /// Adds a chunk. Returns whether the segment is full now.
    pub fn add(&mut self, chunk: &Indexed<'_>) -> bool {
        let at = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        let mut length = 0_u32;
        let parts = chunk.headings.iter().map(|heading| (heading.as_str(), HEADINGS));
        for (text, weight) in parts.chain([(chunk.title, TITLE), (chunk.body, BODY)]) {
            terms::each_word(text, |word| {
                if let Some(name) = self.name(word) {
                    length = length.saturating_add(weight);
                    self.count(name, at, weight);
                }
            });
        }
        self.entries.push(Entry { key: chunk.key, length });
        self.is_full()
    }

    /// The number of a word's term; none where it has none.
    fn name(&mut self, word: &str) -> Option<u32> {
        if let Some(name) = self.known.get(word) {
            return *name;
        }
        let name = terms::term(word).map(|term| self.number(&term));
        self.known.insert(word.into(), name);
        name
    }

    fn number(&mut self, term: &str) -> u32 {
        if let Some(number) = self.names.get(term) {
            return *number;
        }
        let (number, term) = (u32::try_from(self.terms.len()).unwrap_or(u32::MAX), Rc::from(term));
        self.terms.push(Rc::clone(&term));
        self.names.insert(term, number);
        number
    }

    /// The terms of a segment's counts, which have their places among these for names from now on.
    fn met(&mut self, counts: &mut [Count]) -> Vec<u32> {
        let mut met: Vec<u32> = Vec::new();
        self.places.resize(self.terms.len(), 0);
        for of in counts {
            let Some(place) = self.places.get_mut(index(of.name)) else { continue };
            if met.get(*place) != Some(&of.name) {
                *place = met.len();
                met.push(of.name);
            }
            of.name = u32::try_from(*place).unwrap_or(u32::MAX);
        }
        met
    }

    fn count(&mut self, name: u32, chunk: u32, weight: u32) {
        let place = index(name);
        if place >= self.last.len() {
            self.last.resize(place + 1, usize::MAX);
        }
        let Some(last) = self.last.get_mut(place) else { return };
        match self.counts.get_mut(*last).filter(|of| (of.name, of.chunk) == (name, chunk)) {
            Some(of) => of.count = of.count.saturating_add(weight),
            None => {
                *last = self.counts.len();
                self.counts.push(Count { name, chunk, count: weight });
            }
        }
    }

    /// Whether nothing more should be added.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.entries.len() >= SEGMENT_CHUNKS
    }

    /// Whether nothing was added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The segment of what was added; the builder is empty again, and knows the words that it has met.
    pub fn finish(&mut self) -> Segment {
        let entries = std::mem::take(&mut self.entries);
        let mut counts = std::mem::take(&mut self.counts);
        let met = self.met(&mut counts);
        let postings = Postings::of(&counts, met.len());
        let term = |name: &u32| self.terms.get(index(*name));
        let headed = |term: &'_ Rc<str>| packed::head(term.as_bytes());
        let terms = met.iter().filter_map(term).zip(0_u32..);
        let mut sorted: Vec<_> = terms.map(|(term, place)| (headed(term), term, place)).collect();
        sorted.sort_unstable();
        let (mut words, mut lists) = (Packer::default(), Vec::new());
        for (_, term, place) in &sorted {
            words.push(term.as_bytes(), u32::from_le_bytes(packed::length(lists.len())));
            put_list(postings.list(*place), &mut lists);
        }
        if self.known.len() > MOST_KNOWN {
            *self = Builder::default();
        }
        Segment::of(words, entries, lists)
    }
}

/// By term: the chunks that have it in their order, with how much it counts there. All in one piece: most terms have
/// one or two.
struct Postings {
    ends: Vec<usize>,
    lists: Vec<(u32, u32)>,
}

impl Postings {
    fn of(counts: &[Count], terms: usize) -> Postings {
        let mut ends = vec![0_usize; terms];
        counts
            .iter()
            .for_each(|of| ends.get_mut(index(of.name)).into_iter().for_each(|end| *end += 1));
        let mut begins = 0;
        // Each begins where the one before ends; filling it moves its beginning to its end.
        ends.iter_mut().for_each(|end| begins += std::mem::replace(end, begins));
        let mut lists = vec![(0, 0); counts.len()];
        for of in counts {
            let Some(end) = ends.get_mut(index(of.name)) else { continue };
            lists.get_mut(*end).into_iter().for_each(|to| *to = (of.chunk, of.count));
            *end += 1;
        }
        Postings { ends, lists }
    }

    fn list(&self, name: u32) -> &[(u32, u32)] {
        let at = index(name);
        let begins = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        let ends = self.ends.get(at).copied().unwrap_or_default();
        self.lists.get(begins.unwrap_or_default()..ends).unwrap_or_default()
    }
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// How many, then for each the distance to the one before with a mark whether a count above 1 follows.
fn put_list(list: &[(u32, u32)], out: &mut Vec<u8>) {
    packed::put(u32::from_le_bytes(packed::length(list.len())), out);
    let mut before = 0;
    for (at, count) in list {
        let many = u32::from(*count > 1);
        packed::put((at - before) << 1 | many, out);
        before = *at;
        if many == 1 {
            packed::put(*count, out);
        }
    }
}

/// Some thousand chunks, as they are ranked by words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Segment {
    words: Words,
    entries: Vec<Entry>,
    lists: Vec<u8>,
}

impl Segment {
    /// The segment of the chunks of others, in their order, that are to stay. Words come in the order of the alphabet
    /// from each, so nothing is looked up and nothing sorted.
    #[must_use]
    pub fn joined(others: &[&Segment], stays: impl Fn(ChunkKey) -> bool) -> Segment {
        let mut entries: Vec<Entry> = Vec::new();
        let mut places: Vec<Vec<Option<u32>>> = Vec::with_capacity(others.len());
        for other in others {
            let place = |entry: &Entry| {
                stays(entry.key).then(|| {
                    entries.push(*entry);
                    u32::try_from(entries.len() - 1).unwrap_or(u32::MAX)
                })
            };
            places.push(other.entries.iter().map(place).collect());
        }
        let mut terms = Merged::of(others.iter().map(|other| &other.words));
        let (mut words, mut lists, mut list) = (Packer::default(), Vec::new(), Vec::new());
        while let Some((term, known)) = terms.next() {
            list.clear();
            for (at, offset) in known {
                let (Some(other), Some(place)) = (others.get(*at), places.get(*at)) else {
                    continue;
                };
                list.extend(other.list(*offset).filter_map(|(at, count)| {
                    let at = place.get(usize::try_from(at).ok()?).copied().flatten()?;
                    Some((at, count))
                }));
            }
            if !list.is_empty() {
                words.push(term, u32::from_le_bytes(packed::length(lists.len())));
                put_list(&list, &mut lists);
            }
        }
        Segment::of(words, entries, lists)
    }

    /// It is kept, one of many: what its parts were given to grow is given back.
    fn of(words: Packer, mut entries: Vec<Entry>, mut lists: Vec<u8>) -> Segment {
        entries.shrink_to_fit();
        lists.shrink_to_fit();
        Segment { words: words.finish(), entries, lists }
    }

    /// The blob that a store keeps.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MARK.to_vec();
        out.extend_from_slice(&packed::length(self.entries.len()));
        for Entry { key, length } in &self.entries {
            out.extend_from_slice(&key.document.to_le_bytes());
            out.extend_from_slice(&key.number.to_le_bytes());
            out.extend_from_slice(&length.to_le_bytes());
        }
        self.words.write(&mut out);
        out.extend_from_slice(&self.lists);
        out
    }

    /// Reads a blob.
    ///
    /// # Errors
    /// Where it is none of these.
    pub fn from_bytes(bytes: &[u8]) -> Result<Segment, Damaged> {
        Self::parse(bytes).ok_or(Damaged("segment"))
    }

    fn parse(mut bytes: &[u8]) -> Option<Segment> {
        let bytes = &mut bytes;
        if packed::split(bytes, MARK.len())? != MARK {
            return None;
        }
        let count = usize::try_from(packed::fixed(bytes)?).ok()?;
        let mut table = packed::split(bytes, count.checked_mul(16)?)?;
        let entries = std::iter::from_fn(|| {
            let (document, rest) = table.split_first_chunk::<8>()?;
            table = rest;
            let document = u64::from_le_bytes(*document);
            let key = ChunkKey { document, number: packed::fixed(&mut table)? };
            Some(Entry { key, length: packed::fixed(&mut table)? })
        });
        let entries = entries.collect();
        let words = Words::read(bytes)?;
        Some(Segment { words, entries, lists: bytes.to_vec() })
    }

    /// Its chunks, in their order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Bytes of memory that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.words.bytes() + self.lists.len() + self.entries.len() * size_of::<Entry>()
    }

    /// In how many chunks a word stands.
    #[must_use]
    pub fn frequency(&self, term: &str) -> u32 {
        self.words.find(term).map_or(0, |offset| self.count(offset))
    }

    /// All words in the order of the alphabet, each with where its list stands.
    #[must_use]
    pub const fn words(&self) -> &Words {
        &self.words
    }

    /// How many chunks the list that stands there has.
    #[must_use]
    pub fn count(&self, offset: u32) -> u32 {
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        self.lists.get(from..).and_then(|mut list| packed::take(&mut list)).unwrap_or_default()
    }

    /// The list that stands there, as [`Segment::words`] told.
    pub fn list(&self, offset: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let mut bytes = self.lists.get(from..).unwrap_or_default();
        let count = packed::take(&mut bytes).unwrap_or_default();
        let mut at = 0_u32;
        (0..count).map_while(move |_| {
            let next = packed::take(&mut bytes)?;
            at = at.wrapping_add(next >> 1);
            let count = if next & 1 == 1 { packed::take(&mut bytes)? } else { 1 };
            Some((at, count))
        })
    }
}
