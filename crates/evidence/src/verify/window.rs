//! Where in a passage a claim is most likely said: up to three sentences in a row.

use super::claim::Claim;
use super::date::Date;
use super::index::Index;
use super::kin;
use super::lexicon::Term;
use super::quantity::Quantity;
use super::synonyms::synonyms;
use std::ops::Range;

/// From this coverage on a window says a claim, if no word is missing that tells something: what the rest
/// lacks are light words, and words that another stands for.
const SAID: f64 = 0.65;
/// From this coverage on it says it all the same: one word of a long sentence.
const SAID_NEARLY: f64 = 0.85;

/// What a light word weighs, of what it would by its rarity.
const LIGHT: f64 = 0.5;

/// Sentences in a row that a claim may be said in.
pub const MOST_SENTENCES: usize = 3;

/// What a claim looks for, with its weights, for one index.
pub struct Sought<'c> {
    claim: &'c Claim,
    index: &'c Index,
    /// By word of the claim: its term, where the evidence has it.
    terms: Vec<Option<Term>>,
    /// By word of the claim.
    weights: Vec<f64>,
    /// By word of the claim: what of the evidence can stand for it.
    others: Vec<Vec<Term>>,
    /// Of each number and date: that of a word which nothing has.
    of_number: f64,
    total: f64,
}

/// What of a claim stands where in a passage.
pub struct Hits {
    passage: usize,
    /// Sentences with the words of the claim that they have, in order.
    hits: Vec<(usize, usize)>,
    /// The words of the claim that the title or a heading has.
    above: Vec<bool>,
    /// The best sentences, one range for each number of them, with the weight of what they have.
    best: Vec<(Range<usize>, f64)>,
}

impl Hits {
    /// The weight of what the best sentences have.
    pub fn most(&self) -> f64 {
        self.best.iter().map(|(_, sum)| *sum).fold(0.0, f64::max)
    }
}

/// Sentences in a row, and what of a claim they have.
#[derive(Debug, Clone)]
pub struct Window {
    /// The passage.
    pub passage: usize,
    /// Its sentences, among all.
    pub sentences: Range<usize>,
    /// The share of what the claim says that stands here, 0 to 1.
    pub coverage: f64,
    /// The words of the claim that stand here.
    pub has: Vec<bool>,
    /// How much of each stands here: all, less in another word, nothing.
    pub shares: Vec<f64>,
    /// Those that the title or a heading has.
    pub above: Vec<bool>,
    /// Whether a word that tells something stands nowhere here, in no other word either.
    pub lacks: bool,
}

impl Window {
    /// Whether it has enough of the claim for saying the same.
    pub fn is_said(&self) -> bool {
        self.coverage >= if self.lacks { SAID_NEARLY } else { SAID }
    }
}

impl<'c> Sought<'c> {
    pub fn new(claim: &'c Claim, index: &'c Index) -> Self {
        let terms: Vec<Option<Term>> =
            claim.words.iter().map(|word| index.term(&word.root)).collect();
        let weighed = claim.words.iter().zip(&terms);
        let weights: Vec<f64> = weighed
            .map(|(word, term)| {
                let whole = index.weight(*term);
                if word.is_light { whole * LIGHT } else { whole }
            })
            .collect();
        let of_number = index.weight(None);
        #[allow(clippy::cast_precision_loss, reason = "a claim has few numbers")]
        let numbers = (claim.content() - claim.words.len()) as f64;
        let total = weights.iter().sum::<f64>() + of_number * numbers;
        let others = claim.words.iter().map(|word| {
            let others = synonyms(&word.root);
            others.filter_map(|other| index.term(other)).collect()
        });
        let others = others.collect();
        Sought { claim, index, terms, weights, others, of_number, total }
    }

    /// Where a passage has most of the claim's words. Cheap, so that all passages can be asked.
    pub fn look(&self, passage: usize) -> Hits {
        let all = self.index.range(passage);
        let mut hits: Vec<(usize, usize)> = Vec::new();
        let mut above = vec![false; self.terms.len()];
        let mut base = 0.0;
        for (at, (term, above)) in self.terms.iter().zip(&mut above).enumerate() {
            let Some(term) = *term else { continue };
            if self.index.is_context(passage, term) {
                *above = true;
                base += self.weight(at);
            } else {
                hits.extend(
                    self.index.places(term, &all).iter().map(|place| (*place as usize, at)),
                );
            }
        }
        hits.sort_unstable();
        let widths = 1..=MOST_SENTENCES.min(all.len());
        let best = widths.map(|width| {
            let (first, sum) = self.densest(&hits, width).unwrap_or((all.start, 0.0));
            let first = first.max(all.start);
            (first..(first + width).min(all.end), base + sum)
        });
        let best = best.collect();
        Hits { passage, hits, above, best }
    }

    fn weight(&self, at: usize) -> f64 {
        self.weights.get(at).copied().unwrap_or_default()
    }

    /// The first of so many sentences in a row that have most, and the weight of it.
    fn densest(&self, hits: &[(usize, usize)], width: usize) -> Option<(usize, f64)> {
        let mut counts = vec![0_u32; self.terms.len()];
        let mut best: Option<(usize, f64)> = None;
        let (mut sum, mut left) = (0.0, 0);
        for (right, (sentence, word)) in hits.iter().enumerate() {
            if let Some(count) = counts.get_mut(*word) {
                sum += if *count == 0 { self.weight(*word) } else { 0.0 };
                *count += 1;
            }
            while let Some((_, gone)) =
                hits.get(left).filter(|(first, _)| first + width <= *sentence)
            {
                if let Some(count) = counts.get_mut(*gone) {
                    *count -= 1;
                    sum -= if *count == 0 { self.weight(*gone) } else { 0.0 };
                }
                left += 1;
            }
            let is_last = hits.get(right + 1).is_none_or(|(next, _)| next != sentence);
            if is_last && best.is_none_or(|(_, most)| sum > most + 1e-9) {
                best = Some(((sentence + 1).saturating_sub(width), sum));
            }
        }
        best
    }

    /// The best windows of a passage, one for each number of sentences.
    pub fn windows(&self, hits: &Hits) -> Vec<Window> {
        hits.best.iter().map(|(sentences, _)| self.window(hits, sentences.clone())).collect()
    }

    fn window(&self, hits: &Hits, sentences: Range<usize>) -> Window {
        let Hits { passage, above, .. } = hits;
        let index = self.index;
        let mut has = above.clone();
        let from = hits.hits.partition_point(|(sentence, _)| *sentence < sentences.start);
        let inside =
            hits.hits.iter().skip(from).take_while(|(sentence, _)| *sentence < sentences.end);
        for (_, word) in inside {
            has.iter_mut().skip(*word).take(1).for_each(|has| *has = true);
        }
        let shares = kin::shares(self.claim, index, &sentences, &has, &self.others);
        has.iter_mut().zip(&shares).for_each(|(has, share)| *has = *share > 0.0);
        let mut sum: f64 =
            shares.iter().zip(&self.weights).map(|(share, weight)| share * weight).sum();
        let mut words = self.claim.words.iter().zip(&has);
        let lacks = words.any(|(word, has)| !has && !word.is_light);
        let figures =
            || index.sentences(sentences.clone()).iter().map(|sentence| &sentence.figures);
        let quantities: Vec<&Quantity> =
            figures().flat_map(|figures| &figures.quantities).collect();
        let dates: Vec<&Date> = figures().flat_map(|figures| &figures.dates).collect();
        for quantity in self.claim.figures.quantities.iter().filter(|quantity| !quantity.is_vague) {
            let found = quantities.iter().any(|other| quantity.has_value(other))
                || dates.iter().any(|date| date.year.is_some_and(|year| quantity.has_year(year)));
            sum += if found { self.of_number } else { 0.0 };
        }
        for date in &self.claim.figures.dates {
            sum +=
                if dates.iter().any(|other| date.is_within(other)) { self.of_number } else { 0.0 };
        }
        let coverage = if self.total > 0.0 { (sum / self.total).clamp(0.0, 1.0) } else { 0.0 };
        Window { passage: *passage, sentences, coverage, has, shares, above: above.clone(), lacks }
    }
}
