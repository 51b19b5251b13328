//! Where in the evidence the words and figures of a claim stand most densely.
//!
//! Border: the sentences that have each word and each figure in; for each passage the best sentences in a row out. One
//! pass over the places of the words and over the figures; then a few operations for each sentence, however many words
//! it has.

use super::date::Date;
use super::index::Index;
use super::lexicon::Term;
use super::quantity::Quantity;
use super::window::MOST_SENTENCES;
use std::ops::Range;

/// Bits of a lane.
const LANE: usize = 64;
/// Lanes of a claim with more signs. One with more than fill these is too long to be supported: what is beyond is not
/// marked.
pub const LANES: usize = 4;

/// What of a claim is looked for in sentences.
#[derive(Debug, Clone, Copy)]
pub enum Sign<'c> {
    /// A word, where the evidence has it.
    Word(Option<Term>),
    /// A number.
    Quantity(&'c Quantity),
    /// A date.
    Date(&'c Date),
}

/// The best sentences of a passage, one range for each number of them, with the weight of what they have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best {
    /// The passage.
    pub passage: usize,
    /// From where to where, among all sentences, and how much they have.
    rows: [(usize, usize, f64); MOST_SENTENCES],
    /// How many of them there are: a passage may have fewer sentences.
    count: usize,
}

impl Best {
    /// The best sentences, and the weight of what they have.
    pub fn rows(&self) -> impl Iterator<Item = (Range<usize>, f64)> {
        self.rows.iter().take(self.count).map(|(start, end, sum)| (*start..*end, *sum))
    }

    /// The weight of what the best of them have.
    pub fn most(&self) -> f64 {
        self.rows().map(|(_, sum)| sum).fold(0.0, f64::max)
    }
}

/// Which sentences of some passages in a row have which signs of a claim.
#[derive(Debug)]
pub enum Marks {
    /// Of a claim of 64 signs at most.
    Few(Marked<1>),
    /// Of any other.
    Many(Marked<LANES>),
}

impl Marks {
    /// Those of these signs, in these passages.
    pub fn new(index: &Index, signs: &[Sign<'_>], passages: Range<usize>) -> Marks {
        if signs.len() <= LANE {
            Marks::Few(Marked::new(index, signs, passages))
        } else {
            Marks::Many(Marked::new(index, signs, passages))
        }
    }

    /// Where a passage has most of them, each of this weight.
    pub fn best(&self, index: &Index, weights: &[f64], passage: usize) -> Best {
        match self {
            Marks::Few(marked) => marked.best(index, weights, passage),
            Marks::Many(marked) => marked.best(index, weights, passage),
        }
    }

    /// The words that the title or a heading of a passage has.
    pub fn above(&self, passage: usize) -> Bits<LANES> {
        match self {
            Marks::Few(marked) => marked.above(passage).widened(),
            Marks::Many(marked) => marked.above(passage),
        }
    }

    /// The words that these sentences have.
    pub fn within(&self, sentences: &Range<usize>) -> Bits<LANES> {
        match self {
            Marks::Few(marked) => marked.within(sentences).widened(),
            Marks::Many(marked) => marked.within(sentences),
        }
    }
}

/// Signs of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bits<const N: usize>([u64; N]);

impl<const N: usize> Bits<N> {
    const NONE: Bits<N> = Bits([0; N]);

    fn one(word: usize) -> Self {
        let mut bits = Self::NONE;
        bits.set(word);
        bits
    }

    fn set(&mut self, word: usize) {
        if let Some(lane) = self.0.get_mut(word / LANE) {
            *lane |= 1 << (word % LANE);
        }
    }

    /// Whether a word is among them.
    pub fn has(&self, word: usize) -> bool {
        self.0.get(word / LANE).is_some_and(|lane| lane >> (word % LANE) & 1 == 1)
    }

    /// These and others.
    pub fn and(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(lane, other)| *lane |= other);
        self
    }

    fn without(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(lane, other)| *lane &= !other);
        self
    }

    /// Calls with each of the words, in order.
    fn each(self, mut with: impl FnMut(usize)) {
        for (at, mut lane) in self.0.into_iter().enumerate() {
            while lane != 0 {
                with(at * LANE + lane.trailing_zeros() as usize);
                lane &= lane - 1;
            }
        }
    }

    fn first(self) -> Option<usize> {
        let mut lanes = self.0.into_iter().enumerate();
        let (at, lane) = lanes.find(|(_, lane)| *lane != 0)?;
        Some(at * LANE + lane.trailing_zeros() as usize)
    }

    fn widened(self) -> Bits<LANES> {
        let mut lanes = [0; LANES];
        lanes.iter_mut().zip(self.0).for_each(|(lane, own)| *lane = own);
        Bits(lanes)
    }
}

/// Which sentences have which signs.
#[derive(Debug)]
pub struct Marked<const N: usize> {
    /// The first of the passages, and the first of the sentences.
    from: (usize, usize),
    /// By passage: the words that its title or a heading has.
    above: Vec<Bits<N>>,
    /// By sentence.
    within: Vec<Bits<N>>,
}

impl<const N: usize> Marked<N> {
    fn new(index: &Index, signs: &[Sign<'_>], passages: Range<usize>) -> Self {
        let sentences = index.range_of(&passages);
        let mut marked = Marked {
            from: (passages.start, sentences.start),
            above: vec![Bits::NONE; passages.len()],
            within: vec![Bits::NONE; sentences.len()],
        };
        for (at, sign) in signs.iter().enumerate() {
            let Sign::Word(Some(term)) = *sign else { continue };
            for passage in index.below(term, &passages) {
                let above = marked.above.get_mut(*passage as usize - passages.start);
                above.into_iter().for_each(|above| above.set(at));
            }
            for sentence in index.places(term, &sentences) {
                let within = marked.within.get_mut(*sentence as usize - sentences.start);
                within.into_iter().for_each(|within| within.set(at));
            }
        }
        marked.mark_figures(index, signs, sentences);
        marked
    }

    /// Else of sentences with the same words the first would be taken, though another has the number.
    fn mark_figures(&mut self, index: &Index, signs: &[Sign<'_>], sentences: Range<usize>) {
        let figures = || signs.iter().enumerate().filter(|(_, it)| !matches!(it, Sign::Word(_)));
        if figures().next().is_none() {
            return;
        }
        for (sentence, within) in index.sentences(sentences).iter().zip(&mut self.within) {
            let there = &sentence.figures;
            if there.is_empty() {
                continue;
            }
            for (at, sign) in figures() {
                let has = match sign {
                    Sign::Word(_) => false,
                    Sign::Quantity(quantity) => there.has_quantity(quantity),
                    Sign::Date(date) => there.has_date(date),
                };
                if has {
                    within.set(at);
                }
            }
        }
    }

    fn above(&self, passage: usize) -> Bits<N> {
        let at = passage.checked_sub(self.from.0);
        at.and_then(|at| self.above.get(at)).copied().unwrap_or(Bits::NONE)
    }

    fn within(&self, sentences: &Range<usize>) -> Bits<N> {
        let (start, end) = (sentences.start - self.from.1, sentences.end - self.from.1);
        let within = self.within.get(start..end).unwrap_or_default();
        within.iter().fold(Bits::NONE, |all, one| all.and(*one))
    }

    fn best(&self, index: &Index, weights: &[f64], passage: usize) -> Best {
        let all = index.range(passage);
        let above = self.above(passage);
        let mut base = 0.0;
        above.each(|word| base += weight(weights, word));
        let mut best = Best { passage, rows: [(0, 0, 0.0); MOST_SENTENCES], count: 0 };
        for (width, row) in (1..=all.len()).zip(&mut best.rows) {
            let (last, sum) =
                self.densest(index, &all, above, weights, width).unwrap_or((all.start, 0.0));
            let row_of = row_around(index, &all, last, width);
            *row = (row_of.start, row_of.end, base + sum);
            best.count += 1;
        }
        best
    }

    /// The last of so many sentences in a row that have most, and the weight of it. The sum goes along from sentence
    /// to sentence: the words that come are added, those that stay behind are taken away. Behind a heading nothing of
    /// what stands before it counts.
    fn densest(
        &self,
        index: &Index,
        all: &Range<usize>,
        above: Bits<N>,
        weights: &[f64],
        width: usize,
    ) -> Option<(usize, f64)> {
        // Sentences that have something, the last ones first.
        let mut row: [(usize, Bits<N>); MOST_SENTENCES] = [(0, Bits::NONE); MOST_SENTENCES];
        let mut best: Option<(usize, f64)> = None;
        let mut sum = 0.0;
        let within = self.within.get(all.start - self.from.1..all.end - self.from.1);
        let mut heading = 0;
        let sentences = all.clone().zip(index.sentences(all.clone()));
        for ((sentence, about), words) in sentences.zip(within.unwrap_or_default()) {
            if about.is_heading {
                heading = sentence;
            }
            let from = (sentence + 1).saturating_sub(width).max(heading);
            let words = words.without(above);
            let Some(first) = words.first() else { continue };
            let first = Bits::one(first);
            let before = row.iter().fold(Bits::NONE, |all, (_, words)| all.and(*words));
            // The first word comes before others go, as nothing goes before something comes.
            first.without(before).each(|word| sum += weight(weights, word));
            let mut stays = first;
            let mut goes = [Bits::NONE; MOST_SENTENCES];
            for ((at, words), goes) in row.iter_mut().zip(&mut goes) {
                if *at < from {
                    *goes = words.without(stays);
                    stays = stays.and(*words);
                    *words = Bits::NONE;
                } else {
                    stays = stays.and(*words);
                }
            }
            for gone in goes.into_iter().rev() {
                gone.each(|word| sum -= weight(weights, word));
            }
            let kept = row.iter().fold(first, |all, (_, words)| all.and(*words));
            words.without(kept).each(|word| sum += weight(weights, word));
            row.rotate_right(1);
            if let Some(last) = row.first_mut() {
                *last = (sentence, words);
            }
            if best.is_none_or(|(_, most)| sum > most + 1e-9) {
                best = Some((sentence, sum));
            }
        }
        best
    }
}

/// So many sentences of a passage in a row of which this is the last, or the last that has something: less where a heading
/// begins another part.
pub fn row_around(index: &Index, all: &Range<usize>, last: usize, width: usize) -> Range<usize> {
    let is_heading = |at: &usize| index.sentences(*at..*at + 1).iter().any(|it| it.is_heading);
    let first = (last + 1).saturating_sub(width).max(all.start);
    let first = (first..=last).rev().find(is_heading).unwrap_or(first);
    let end = (first + width).min(all.end);
    let end = (last + 1..end).find(is_heading).unwrap_or(end);
    first..end
}

fn weight(weights: &[f64], word: usize) -> f64 {
    weights.get(word).copied().unwrap_or_default()
}
