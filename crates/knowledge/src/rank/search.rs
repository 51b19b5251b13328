//! A question against a collection: words and meaning, fused.
//!
//! Border: segments, vectors and a question in; the best chunks out, each with its score and what it is made of.

use super::lexical;
use super::lsa::{self, Asked, Model, Vector, Vectors};
use super::segment::{Builder, ChunkKey, Indexed, Segment};
use super::terms;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Chunks of the first look that say with other words what is asked for. With none Cranfield's questions find
/// 1.2 points of nDCG less, with 10 or 20 as well.
const FEEDBACK: usize = 5;

/// Letters of a word that may be mistyped; of a shorter one too little is left.
const LEAST_WORD: usize = 5;
/// Mistyped words of a question that are looked up: each costs a look at all known words.
const MOST_MISTYPED: usize = 4;

/// Segments of a collection all of whose words are looked at: the look takes milliseconds then.
const FEW: usize = 2;
/// How much a word has to resemble one that may stand in a single chunk: `Gebühren` and `Gebühr` do.
const ALIKE: f64 = 0.7;

/// A collection as it is searched.
#[derive(Debug, Clone, Default)]
pub struct Collection {
    /// All its chunks.
    pub segments: Vec<Segment>,
    /// By segment: the directions of its chunks. Those of another model count as none.
    pub vectors: Vec<Vectors>,
    /// What makes directions of words; none for a small collection.
    pub model: Option<Model>,
    /// By segment: the directions that a provider's model gave its chunks; none of a collection without one.
    pub embedded: Vec<Vectors>,
}

/// What is wanted of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Chunks at most.
    pub top_k: usize,
    /// The least score that a chunk may have.
    pub threshold: f32,
}

impl Default for Options {
    fn default() -> Self {
        Options { top_k: 10, threshold: 0.15 }
    }
}

/// A chunk that was found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Hit {
    /// Where it stands.
    #[serde(skip)]
    pub key: ChunkKey,
    /// How well it fits, 0 to 1.
    pub score: f32,
    /// What the score is made of.
    pub parts: Parts,
}

/// What a score is made of, each 0 to 1 where 1 is the best chunk of this search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Parts {
    /// By its words.
    pub lexical: f32,
    /// By its meaning.
    pub semantic: f32,
}

/// A word of a question that no chunk has, and the one that was looked up in its place: both as terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistyped {
    /// As it was asked for.
    pub asked: String,
    /// Which the collection has, and which looks like it.
    pub taken_for: String,
}

impl Collection {
    /// A collection of chunks that are there all at once.
    #[must_use]
    pub fn build<'c>(chunks: impl Iterator<Item = Indexed<'c>>) -> Collection {
        let mut builder = Builder::default();
        let mut segments = Vec::new();
        for chunk in chunks {
            if builder.add(&chunk) {
                segments.push(builder.finish());
            }
        }
        if !builder.is_empty() {
            segments.push(builder.finish());
        }
        let model = Model::train(&segments, None);
        let fold = |segment| model.as_ref().map(|model| model.vectors(segment)).unwrap_or_default();
        let vectors = segments.iter().map(fold).collect();
        Collection { segments, vectors, model, embedded: Vec::new() }
    }

    /// Bytes of memory that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let segments: usize = self.segments.iter().map(Segment::bytes).sum();
        let vectors: usize = self.vectors.iter().chain(&self.embedded).map(Vectors::bytes).sum();
        segments + vectors + self.model.as_ref().map_or(0, Model::bytes)
    }

    /// The words of a question, mistyped ones by those that the collection has.
    fn known(&self, terms: BTreeMap<String, u32>) -> (BTreeMap<String, u32>, Vec<Mistyped>) {
        let (mut known, mut mistyped) = (BTreeMap::new(), Vec::new());
        let mut looked = 0;
        for (term, count) in terms {
            let is_long = term.chars().nth(LEAST_WORD - 1).is_some();
            let is_word = is_long && term.chars().all(char::is_alphabetic);
            let is_known = || self.segments.iter().any(|segment| segment.frequency(&term) > 0);
            let looks = is_word && looked < MOST_MISTYPED && !is_known();
            looked += usize::from(looks);
            let looked_up = match looks.then(|| self.nearest(&term)).flatten() {
                None => term,
                Some(taken_for) => {
                    mistyped.push(Mistyped { asked: term, taken_for: taken_for.clone() });
                    taken_for
                }
            };
            *known.entry(looked_up).or_default() += count;
        }
        (known, mistyped)
    }

    /// The known word that one of a question most resembles that no chunk has. The learned meaning knows the words that
    /// stand in several chunks, and a small collection has none of it: there any word is looked at, and has to be nearer,
    /// as another form of the same word is.
    fn nearest(&self, term: &str) -> Option<String> {
        let learned = self.model.as_ref().and_then(|model| model.nearest(term));
        let few = || Some(&self.segments).filter(|segments| segments.len() <= FEW);
        learned.or_else(|| lsa::nearest(few()?.iter().map(Segment::words), term, ALIKE))
    }

    /// The chunks that fit a question, the best first; of equal ones the earlier first.
    #[must_use]
    pub fn search(
        &self,
        question: &str,
        options: Options,
        within: impl Fn(ChunkKey) -> bool,
    ) -> Vec<Hit> {
        self.search_by(question, None, options, within).0
    }

    /// The same by the question's direction in the provider's model where there is one, and else by the meaning
    /// that was learned; with the words that were taken for others.
    #[must_use]
    pub fn search_by(
        &self,
        question: &str,
        direction: Option<&Vector>,
        options: Options,
        within: impl Fn(ChunkKey) -> bool,
    ) -> (Vec<Hit>, Vec<Mistyped>) {
        let (terms, mistyped) = self.known(terms::of_question(question));
        let entries = self.segments.iter().flat_map(|segment| segment.entries());
        let keys: Vec<ChunkKey> = entries.map(|entry| entry.key).collect();
        let within: Vec<bool> = keys.iter().map(|key| within(*key)).collect();
        let mut lexical = lexical::scores(&self.segments, terms.keys().map(String::as_str));
        mask(&mut lexical, &within);
        let mut semantic = match direction {
            Some(to) => self.cosines(&self.embedded, to, &within, |of| of.width() == to.width()),
            None => self.semantic(&terms, &lexical, &within),
        };
        let has_words = normalise(&mut lexical);
        let has_meaning = normalise(&mut semantic);
        let fused = fuse(&lexical, &semantic, has_words, has_meaning);
        let parts = lexical.iter().zip(&semantic);
        let hits = keys.iter().zip(fused).zip(parts).map(|((key, score), (lexical, semantic))| {
            Hit { key: *key, score, parts: Parts { lexical: *lexical, semantic: *semantic } }
        });
        let hits = hits.filter(|hit| hit.score > 0.0 && hit.score >= options.threshold);
        (best(hits, options.top_k, |hit| (hit.score, hit.key)), mistyped)
    }

    /// How near each chunk is in meaning: to the question, and to what fits it best at the first look, which
    /// says with other words what is asked for.
    fn semantic(
        &self,
        terms: &BTreeMap<String, u32>,
        lexical: &[f32],
        within: &[bool],
    ) -> Vec<f32> {
        let Some(model) = &self.model else { return vec![0.0; lexical.len()] };
        let id = model.id();
        let Some(asked) = model.question(terms) else { return vec![0.0; lexical.len()] };
        let (mut words, mut meaning) = (lexical.to_vec(), self.learned(id, &asked, within));
        let has = (normalise(&mut words), normalise(&mut meaning));
        let fused = fuse(&words, &meaning, has.0, has.1);
        let fits = fused.into_iter().enumerate().filter(|(_, score)| *score > 0.0);
        let nearest = best(fits, FEEDBACK, |(at, score)| (*score, *at));
        let total: f32 = nearest.iter().map(|(_, score)| score).sum();
        let mut sum: Vec<f32> = asked.numbers().collect();
        for (at, score) in nearest {
            let near = self.vector(id, at).into_iter();
            let parts = near.flat_map(|near| near.numbers().collect::<Vec<f32>>());
            sum.iter_mut().zip(parts).for_each(|(sum, part)| *sum += score / total * part);
        }
        self.learned(id, &Vector::of(&sum), within)
    }

    /// By chunk: the cosine of its learned angle to a direction; 0 where its direction is not of this model.
    fn learned(&self, model: u32, to: &Vector, within: &[bool]) -> Vec<f32> {
        self.cosines(&self.vectors, to, within, |vectors| vectors.model() == model)
    }

    /// By chunk: the cosine of its angle to a direction; 0 where its segment's directions do not count, and where it
    /// is not wanted.
    fn cosines(
        &self,
        directions: &[Vectors],
        to: &Vector,
        within: &[bool],
        counts: impl Fn(&Vectors) -> bool,
    ) -> Vec<f32> {
        let to = Asked::new(to);
        let mut all = Vec::with_capacity(within.len());
        for (at, segment) in self.segments.iter().enumerate() {
            let vectors = directions.get(at).filter(|vectors| counts(vectors));
            let end = all.len() + segment.entries().len();
            if let Some(vectors) = vectors {
                all.extend(vectors.cosines(&to));
            }
            all.resize(end, 0.0);
        }
        mask(&mut all, within);
        all
    }

    /// The direction of a chunk, by its place in the collection.
    fn vector(&self, model: u32, mut at: usize) -> Option<Vector> {
        for (segment, vectors) in self.segments.iter().zip(&self.vectors) {
            let count = segment.entries().len();
            if at < count {
                return Some(vectors).filter(|vectors| vectors.model() == model)?.get(at);
            }
            at -= count;
        }
        None
    }
}

/// How much words count beside meaning.
const WORDS: f32 = 0.5;

/// Scores that a turn of a loop takes: a host that may interrupt a component asks at each turn whether to.
const BLOCK: usize = 16;

/// Both parts of each score as one. A part that says nothing of any chunk takes nothing from the other.
fn fuse(lexical: &[f32], semantic: &[f32], has_words: bool, has_meaning: bool) -> Vec<f32> {
    let words = match (has_words, has_meaning) {
        (true, true) => WORDS,
        (true, false) => 1.0,
        (false, _) => 0.0,
    };
    let pairs = lexical.iter().zip(semantic);
    pairs.map(|(lexical, semantic)| words * lexical + (1.0 - words) * semantic).collect()
}

/// Leaves no score to what is not wanted.
fn mask(scores: &mut [f32], within: &[bool]) {
    let unwanted = scores.iter_mut().zip(within).filter(|(_, within)| !**within);
    unwanted.for_each(|(score, _)| *score = 0.0);
}

/// Brings scores to 0 to 1. Whether there is one above 0.
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn normalise(scores: &mut [f32]) -> bool {
    let largest = largest(scores);
    let scale = if largest > 0.0 { 1.0 / largest } else { 0.0 };
    let (blocks, rest) = scores.as_chunks_mut::<BLOCK>();
    for block in blocks {
        block.iter_mut().for_each(|score| *score = brought(*score, scale));
    }
    rest.iter_mut().for_each(|score| *score = brought(*score, scale));
    largest > 0.0
}

/// The largest score, or 0.
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn largest(scores: &[f32]) -> f32 {
    let (blocks, rest) = scores.as_chunks::<BLOCK>();
    let mut lanes = [0.0_f32; BLOCK];
    for block in blocks {
        lanes.iter_mut().zip(block).for_each(|(lane, score)| *lane = larger(*lane, *score));
    }
    lanes.iter().chain(rest).copied().fold(0.0, larger)
}

/// WebAssembly has no instruction for `f32::max` and `f32::min`, which are calls there.
#[inline]
fn larger(one: f32, other: f32) -> f32 {
    if other > one { other } else { one }
}

/// A score times a scale, from 0 to 1.
#[inline]
fn brought(score: f32, scale: f32) -> f32 {
    let scaled = larger(0.0, score) * scale;
    if scaled > 1.0 { 1.0 } else { scaled }
}

/// The highest, in their order; of equal ones those with the lower key. No more than twice as many are held meanwhile.
fn best<T, K: Ord>(
    all: impl Iterator<Item = T>,
    most: usize,
    rank: impl Fn(&T) -> (f32, K),
) -> Vec<T> {
    let order = |one: &T, other: &T| -> Ordering {
        let (one, other) = (rank(one), rank(other));
        other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1))
    };
    let Some(last) = most.checked_sub(1) else { return Vec::new() };
    let mut kept: Vec<T> = Vec::new();
    let mut is_cut = false;
    for one in all {
        // As many as are wanted come before the last of these.
        if is_cut && kept.get(last).is_some_and(|worst| order(&one, worst).is_ge()) {
            continue;
        }
        kept.push(one);
        if kept.len() > most.saturating_mul(2) {
            kept.select_nth_unstable_by(last, order);
            kept.truncate(most);
            is_cut = true;
        }
    }
    kept.sort_unstable_by(order);
    kept.truncate(most);
    kept
}

/// Documents in the order of their best chunk, from hits in their order.
#[must_use]
pub fn documents(hits: &[Hit]) -> Vec<u64> {
    let mut seen = BTreeSet::new();
    hits.iter().map(|hit| hit.key.document).filter(|document| seen.insert(*document)).collect()
}

#[cfg(test)]
mod tests;
