//! Meaning without a model of language: latent semantic analysis, trained on the collection itself.
//!
//! Border: segments in; a model out that gives words, and so chunks and questions, directions. Source: S. Deerwester
//! et al., "Indexing by latent semantic analysis", 1990.

mod coarse;
mod matrix;
mod square;
mod svd;
mod vectors;

pub use vectors::{Asked, Vector, Vectors};

use super::heads::KeptHeads;
use super::packed::{self, Merged, Packer, Words};
use super::segment::{Damaged, Segment};
use crate::asking::similarity;
use matrix::{Dense, Sparse, add};
use quarry_types::fnv;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use svd::Start;

/// Dimensions of a direction.
pub const DIMENSIONS: usize = 100;
/// Chunks that a model is trained on, evenly over the collection, and words that it knows: training takes time
/// and memory by both.
const SAMPLE: usize = 8_192;
const WORDS: usize = 32_768;
/// Chunks below which directions mean nothing.
pub(crate) const LEAST: usize = 8;
/// Chunks in which a word has to stand, to stand near others.
const SEEN: u32 = 2;
/// How alike an unknown word has to be to a known one to be taken for it: one letter of seven may be wrong.
const MISTYPED: f64 = 0.6;
/// What the random numbers begin with: the same collection gives the same model.
const SEED: u64 = 0x5155_4152_5259;

/// The first bytes of a model, with the version of its form.
const MARK: &[u8] = b"QKM1";

/// Directions of words.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    words: Words,
    heads: KeptHeads,
    width: usize,
    /// By word: what its bytes are to be multiplied with.
    scales: Vec<f32>,
    parts: Vec<i8>,
    /// Chunks of the collection when it was trained.
    trained_on: u32,
    id: u32,
}

/// A word of the sample.
struct Word {
    term: Vec<u8>,
    rarity: f32,
    /// Its row of the matrix: those of frequent words lie beside one another, so that what is met often stays in
    /// the processor's caches.
    row: u32,
}

/// The word of these that another most resembles, by so much at least, of those that begin with the same letter and are about
/// as long; of equal ones the first of the alphabet.
pub(super) fn nearest<'w>(
    words: impl Iterator<Item = &'w Words>,
    term: &str,
    least: f64,
) -> Option<String> {
    let (first, letters) = (term.bytes().next()?, term.chars().count());
    let known = words.flat_map(|words| words.beginning(first)).map(|(known, _)| known);
    let known = known.filter(|known| known.chars().count().abs_diff(letters) <= 2);
    let alike = known.map(|known| (similarity(&known, term), known));
    let alike = alike.filter(|(alike, _)| *alike >= least);
    let order = |one: &(f64, String), other: &(f64, String)| {
        one.0.total_cmp(&other.0).then_with(|| other.1.cmp(&one.1))
    };
    alike.max_by(order).map(|(_, known)| known)
}

impl Model {
    /// Trains on the chunks of a collection; none where they are too few. What was learned of most of them `before` is
    /// where it begins then, which is a good part of the way.
    #[must_use]
    pub fn train(segments: &[Segment], before: Option<Model>) -> Option<Model> {
        let chunks: usize = segments.iter().map(|segment| segment.entries().len()).sum();
        if chunks < LEAST {
            return None;
        }
        let step = chunks.div_ceil(SAMPLE);
        let words = choose(segments, chunks);
        let matrix = sample(segments, step, &words);
        // As many directions as chunks would tell each from all others, which words do already.
        let rows: Vec<u32> = words.iter().map(|word| word.row).collect();
        let near = before.filter(|before| before.knows_most_of(chunks)).map(|of| of.near(&words));
        let start = Start { seed: SEED, columns: &rows, near };
        let found = svd::directions(&matrix, DIMENSIONS.min(chunks / 2), start);
        Some(Model::pack(&words, &found, chunks))
    }

    /// Whether it was trained on two thirds of as many chunks at least: of less, what is new would be seen from the
    /// old. Cranfield's questions find the same, measured with four seeds, by a model that began from one of 70 to
    /// 95 % of the chunks, and a little less by one that began from 55 %.
    fn knows_most_of(&self, chunks: usize) -> bool {
        let known = usize::try_from(self.trained_on).unwrap_or(usize::MAX);
        let is_near = known.saturating_mul(3) >= chunks.saturating_mul(2);
        self.width == DIMENSIONS && is_near && known <= chunks.saturating_mul(2)
    }

    /// By row of a matrix with these words: the directions that it gives them, without how rare they are.
    fn near(&self, words: &[Word]) -> Dense {
        let mut near = Dense::zero(words.len(), self.width);
        let mut known = self.words.walk();
        for word in words {
            let Some(at) = known.find(&word.term) else { continue };
            let row = near.row_mut(usize::try_from(word.row).unwrap_or(usize::MAX));
            if word.rarity > 0.0 {
                self.add(at, 1.0 / word.rarity, row);
            }
        }
        near
    }

    fn pack(words: &[Word], found: &Dense, chunks: usize) -> Model {
        let mut scales = Vec::with_capacity(words.len());
        let mut parts = Vec::with_capacity(words.len() * found.width());
        let mut packer = Packer::default();
        for (word, at) in words.iter().zip(0_u32..) {
            packer.push(&word.term, at);
            let row = found.row(usize::try_from(word.row).unwrap_or(usize::MAX));
            let scale = vectors::largest(row) / 127.0;
            scales.push(scale * word.rarity);
            let scale = scale.max(f32::MIN_POSITIVE);
            parts.extend(row.iter().map(|part| vectors::nearest(part / scale)));
        }
        let trained_on = u32::try_from(chunks).unwrap_or(u32::MAX);
        let (words, heads, width) = (packer.finish(), KeptHeads::default(), found.width());
        let mut model = Model { words, heads, width, scales, parts, trained_on, id: 0 };
        model.id = fnv::bits32(model.to_bytes());
        model
    }

    /// Whether so many chunks are too many more, or too few, for it: a tenth is new.
    #[must_use]
    pub fn is_stale(&self, chunks: u32) -> bool {
        let changed = chunks.abs_diff(self.trained_on);
        u64::from(changed) * 10 > u64::from(self.trained_on)
    }

    /// What tells it from others: a checksum of what it was when it was trained. Vectors of another are none of
    /// this one's.
    #[must_use]
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// Dimensions of its directions.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Chunks of the collection when it was trained.
    #[must_use]
    pub const fn trained_on(&self) -> u32 {
        self.trained_on
    }

    /// Forgets the words that no chunk has any more: those that stood in segments as they were, and stand in none as
    /// they are. The directions of chunks stay what they were. Whether there were any.
    pub fn prune(&mut self, were: &[&Segment], are: &[&Segment]) -> bool {
        let stands = |segments: &[&Segment], term: &str| {
            segments.iter().any(|segment| segment.frequency(term) > 0)
        };
        let is_gone = |term: &String| stands(were, term) && !stands(are, term);
        if !self.words.all().any(|(term, _)| is_gone(&term)) {
            return false;
        }
        let mut kept: Vec<(String, u32)> = Vec::new();
        let (mut scales, mut parts) = (Vec::new(), Vec::new());
        for (term, word) in self.words.all().filter(|(term, _)| !is_gone(term)) {
            let at = usize::try_from(word).unwrap_or(usize::MAX);
            let start = at.saturating_mul(self.width);
            let row = self.parts.get(start..start.saturating_add(self.width));
            let (Some(scale), Some(row)) = (self.scales.get(at), row) else { continue };
            kept.push((term, u32::try_from(kept.len()).unwrap_or(u32::MAX)));
            scales.push(*scale);
            parts.extend_from_slice(row);
        }
        self.words = Words::pack(kept.iter().map(|(term, word)| (term.as_str(), *word)));
        (self.scales, self.parts) = (scales, parts);
        self.heads = KeptHeads::default();
        true
    }

    /// Bytes of memory that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.words.bytes()
            + self.heads.bytes()
            + self.parts.len()
            + self.scales.len() * size_of::<f32>()
    }

    /// Adds a word's direction to another.
    fn add(&self, word: u32, times: f32, to: &mut [f32]) {
        let at = usize::try_from(word).unwrap_or(usize::MAX);
        let start = at.saturating_mul(self.width);
        let parts = self.parts.get(start..start.saturating_add(self.width)).unwrap_or_default();
        let times = times * self.scales.get(at).copied().unwrap_or_default();
        add_bytes(to, times, parts);
    }

    /// The known word that a mistyped one most resembles, of those that begin with the same letter; none where none
    /// does.
    #[must_use]
    pub fn nearest(&self, term: &str) -> Option<String> {
        nearest(std::iter::once(&self.words), term, MISTYPED)
    }

    /// The direction of a question, by its words and how much each counts; none where it knows none of them.
    #[must_use]
    pub fn question(&self, terms: &BTreeMap<String, u32>) -> Option<Vector> {
        let mut sum = vec![0.0; self.width];
        let mut knows = false;
        for (term, count) in terms {
            if let Some(word) = self.words.find(term) {
                self.add(word, small(*count), &mut sum);
                knows = true;
            }
        }
        knows.then(|| Vector::of(&sum))
    }

    /// The directions of a segment's chunks.
    #[must_use]
    pub fn vectors(&self, segment: &Segment) -> Vectors {
        let mut sums = Dense::zero(segment.entries().len(), self.width);
        let mut direction = vec![0.0; self.width];
        let (mut terms, mut known) = (segment.words().walk(), self.heads.looks(&self.words));
        while let Some(term) = terms.word() {
            let (word, offset) = (known.find(term), terms.number());
            terms.advance();
            let Some(word) = word else { continue };
            direction.fill(0.0);
            self.add(word, 1.0, &mut direction);
            for (at, count) in segment.list(offset) {
                add(
                    sums.row_mut(usize::try_from(at).unwrap_or(usize::MAX)),
                    damped(count),
                    &direction,
                );
            }
        }
        let mut vectors = Vectors::new(self.id(), self.width);
        sums.rows().for_each(|sum| vectors.push(&Vector::of(sum)));
        vectors
    }

    /// The blob that a store keeps.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MARK.to_vec();
        out.extend_from_slice(&self.id.to_le_bytes());
        out.extend_from_slice(&self.trained_on.to_le_bytes());
        out.extend_from_slice(&packed::length(self.width));
        self.words.write(&mut out);
        self.scales.iter().for_each(|scale| out.extend_from_slice(&scale.to_le_bytes()));
        out.extend(self.parts.iter().map(|part| part.cast_unsigned()));
        out
    }

    /// Reads a blob.
    ///
    /// # Errors
    /// Where it is none of these.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, Damaged> {
        Self::parse(bytes).ok_or(Damaged("model"))
    }

    fn parse(mut bytes: &[u8]) -> Option<Model> {
        let bytes = &mut bytes;
        if packed::split(bytes, MARK.len())? != MARK {
            return None;
        }
        let id = packed::fixed(bytes)?;
        let trained_on = packed::fixed(bytes)?;
        let width = usize::try_from(packed::fixed(bytes)?).ok()?;
        let words = Words::read(bytes)?;
        let mut scales = packed::split(bytes, words.len().checked_mul(4)?)?;
        let scales =
            std::iter::from_fn(|| packed::fixed(&mut scales).map(f32::from_bits)).collect();
        let parts = packed::split(bytes, words.len().checked_mul(width)?)?;
        let parts = parts.iter().map(|part| part.cast_signed()).collect();
        let heads = KeptHeads::default();
        bytes.is_empty().then_some(Model { words, heads, width, scales, parts, trained_on, id })
    }
}

/// Adds a multiple of a row of bytes to another.
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn add_bytes(to: &mut [f32], times: f32, parts: &[i8]) {
    to.iter_mut().zip(parts).for_each(|(to, part)| *to += times * f32::from(*part));
}

/// A count as a number.
const fn small(count: u32) -> f32 {
    #[allow(clippy::cast_precision_loss, reason = "a question has few words")]
    let number = count as f32;
    number
}

/// A repeated word counts for more, but not so often.
fn damped(count: u32) -> f32 {
    // Most words stand once.
    if count <= 1 {
        return 1.0;
    }
    #[allow(clippy::cast_possible_truncation, reason = "a weight needs no more digits")]
    let logarithm = libm::log(f64::from(count)) as f32;
    1.0 + logarithm
}

/// The words that stand in more than one chunk, the most frequent where they are too many, in the order of the
/// alphabet.
fn choose(segments: &[Segment], chunks: usize) -> Vec<Word> {
    let mut often: Vec<(u32, Vec<u8>)> = Vec::new();
    let mut terms = Merged::of(segments.iter().map(Segment::words));
    while let Some((term, known)) = terms.next() {
        let of = |(at, offset): &(usize, u32)| segments.get(*at).map(|of| of.count(*offset));
        let frequency = known.iter().filter_map(of).sum();
        if frequency >= SEEN {
            often.push((frequency, term.to_vec()));
        }
    }
    // Of equal ones the first of the alphabet.
    often.sort_by_key(|(frequency, _)| Reverse(*frequency));
    often.truncate(WORDS);
    #[allow(clippy::cast_precision_loss, reason = "chunks are few")]
    let all = chunks as f64;
    let rows = often.into_iter().zip(0_u32..);
    let words = rows.map(|((frequency, term), row)| {
        #[allow(clippy::cast_possible_truncation, reason = "a weight needs no more digits")]
        let rarity = libm::log(all / f64::from(frequency)) as f32;
        Word { term, rarity, row }
    });
    let mut words: Vec<Word> = words.collect();
    words.sort_by(|one, other| one.term.cmp(&other.term));
    words
}

/// Every so many-th chunk as a row of unit length: by word how often, damped, times how rare.
fn sample(segments: &[Segment], step: usize, words: &[Word]) -> Sparse {
    let mut matrix = Sparse::default();
    let mut first = 0_usize;
    for segment in segments {
        let count = segment.entries().len();
        let from = first.next_multiple_of(step) - first;
        let mut rows: Vec<Vec<(u32, f32)>> =
            vec![Vec::new(); count.saturating_sub(from).div_ceil(step)];
        let mut places: Vec<Option<usize>> = vec![None; count];
        places.iter_mut().skip(from).step_by(step).zip(0..).for_each(|(at, row)| *at = Some(row));
        let mut terms = segment.words().walk();
        for word in words {
            let Some(offset) = terms.find(&word.term) else { continue };
            for (at, count) in segment.list(offset) {
                let at = usize::try_from(at).unwrap_or(usize::MAX);
                let row = places.get(at).copied().flatten().and_then(|row| rows.get_mut(row));
                row.into_iter().for_each(|row| row.push((word.row, damped(count) * word.rarity)));
            }
        }
        for row in &rows {
            let length = row.iter().map(|(_, value)| value * value).sum::<f32>().sqrt();
            let unit =
                row.iter().map(|(word, value)| (*word, value / length.max(f32::MIN_POSITIVE)));
            matrix.push(unit);
        }
        first += count;
    }
    matrix
}
