//! Where in a passage a claim is most likely said: up to three sentences in a row.

use super::claim::Claim;
use super::dense::{Best, Bits, LANES, Marks, Sign};
use super::index::Index;
use super::kin;
use super::lexicon::Term;
use super::synonyms::synonyms;
use std::cell::OnceCell;
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

/// What a claim looks for, with its weights, in some passages of one index.
pub struct Sought<'c> {
    pub claim: &'c Claim,
    pub index: &'c Index,
    /// By word of the claim: its term, where the evidence has it.
    pub terms: Vec<Option<Term>>,
    /// By sign: of the words, then of the numbers and dates.
    pub weights: Vec<f64>,
    /// By word of the claim: what of the evidence can stand for it, once that is asked.
    others: Vec<OnceCell<Vec<Term>>>,
    /// What is looked for: the words, then the numbers and dates.
    #[cfg(test)]
    pub signs: Vec<Sign<'c>>,
    /// Which sentences have which of the signs.
    marks: Marks,
    /// Of each number and date: that of a word which nothing has.
    of_number: f64,
    total: f64,
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
    /// Whether such a word tells what a number counts from others: of `three old keepers` there may be more.
    pub widens: bool,
}

impl Window {
    /// Whether it has enough of the claim for saying the same.
    pub fn is_said(&self) -> bool {
        !self.widens && self.coverage >= if self.lacks { SAID_NEARLY } else { SAID }
    }
}

impl<'c> Sought<'c> {
    /// What a claim looks for in these passages.
    pub fn new(claim: &'c Claim, index: &'c Index, passages: Range<usize>) -> Self {
        let terms: Vec<Option<Term>> =
            claim.words.iter().map(|word| index.term(&word.root)).collect();
        let weighed = claim.words.iter().zip(&terms);
        let mut weights: Vec<f64> = weighed
            .map(|(word, term)| {
                let whole = index.weight(*term);
                if word.is_light { whole * LIGHT } else { whole }
            })
            .collect();
        let of_number = index.weight(None);
        #[allow(clippy::cast_precision_loss, reason = "a claim has few numbers")]
        let numbers = (claim.content() - claim.words.len()) as f64;
        let total = weights.iter().sum::<f64>() + of_number * numbers;
        let others = vec![OnceCell::new(); terms.len()];
        let figures = &claim.figures;
        let quantities = figures.quantities.iter().filter(|quantity| !quantity.is_vague);
        let signs: Vec<Sign<'c>> = terms
            .iter()
            .map(|term| Sign::Word(*term))
            .chain(quantities.map(Sign::Quantity))
            .chain(figures.dates.iter().map(Sign::Date))
            .collect();
        weights.resize(signs.len(), of_number);
        let marks = Marks::new(index, &signs, passages);
        Sought {
            claim,
            index,
            terms,
            weights,
            others,
            #[cfg(test)]
            signs,
            marks,
            of_number,
            total,
        }
    }

    /// Where a passage has most of the claim's words and figures. Cheap, so that all passages can be asked.
    pub fn look(&self, passage: usize) -> Best {
        self.marks.best(self.index, &self.weights, passage)
    }

    /// What of the evidence can stand for a word.
    pub fn others(&self, word: usize) -> &[Term] {
        let (Some(others), Some(word)) = (self.others.get(word), self.claim.words.get(word)) else {
            return &[];
        };
        others.get_or_init(|| {
            synonyms(&word.root).filter_map(|other| self.index.term(other)).collect()
        })
    }

    /// The best windows of a passage, one for each number of sentences.
    pub fn windows(&self, best: &Best) -> impl Iterator<Item = Window> {
        best.rows().map(|(sentences, _)| self.window(best.passage, sentences))
    }

    fn window(&self, passage: usize, sentences: Range<usize>) -> Window {
        let (claim, index) = (self.claim, self.index);
        let flags = |bits: Bits<LANES>| (0..claim.words.len()).map(move |word| bits.has(word));
        let above = self.marks.above(passage);
        let mut has: Vec<bool> = flags(above.and(self.marks.within(&sentences))).collect();
        let shares = kin::shares(self, &sentences, &has);
        has.iter_mut().zip(&shares).for_each(|(has, share)| *has = *share > 0.0);
        let mut sum: f64 =
            shares.iter().zip(&self.weights).map(|(share, weight)| share * weight).sum();
        let words = claim.words.iter().zip(&has);
        let mut lacking = words.filter(|(word, has)| !**has && !word.is_light).peekable();
        let lacks = lacking.peek().is_some();
        let widens = lacking.any(|(word, _)| claim.narrowing.contains(&word.root));
        // Of a claim that is cut the marks have not all of them.
        let figures =
            || index.sentences(sentences.clone()).iter().map(|sentence| &sentence.figures);
        for quantity in claim.figures.quantities.iter().filter(|quantity| !quantity.is_vague) {
            let found = figures().any(|there| there.has_quantity(quantity));
            sum += if found { self.of_number } else { 0.0 };
        }
        for date in &claim.figures.dates {
            let found = figures().any(|there| there.has_date(date));
            sum += if found { self.of_number } else { 0.0 };
        }
        let coverage = if self.total > 0.0 { (sum / self.total).clamp(0.0, 1.0) } else { 0.0 };
        let above = flags(above).collect();
        Window { passage, sentences, coverage, has, shares, above, lacks, widens }
    }
}
