//! Embedding: which texts a provider is asked for, batch by batch, and whether its replies can be used.
//!
//! Border: pure. Texts, what a cache has, and replies in; batches and vectors out. Calls, their retries and prices,
//! and the cache itself are the driver's. The state is what the cache has: a load that died begins anew and pays
//! for nothing twice.

mod error;
#[cfg(test)]
mod tests;

pub use error::EmbedError;

use crate::intake::hexadecimal;
use crate::rank::lsa::Vector;
use quarry_types::tokens;
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// Whose texts, and by which model they are embedded. What one owner has paid for tells another nothing, not even
/// that it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// Of the texts.
    pub owner: String,
    /// `provider:name`.
    pub model: String,
}

impl Scope {
    /// The key of a text. No end of a name can be taken for the beginning of what follows.
    #[must_use]
    pub fn key(&self, text: &str) -> TextKey {
        let mut sum = Sha256::new();
        for name in [&self.owner, &self.model] {
            sum.update(u64::try_from(name.len()).unwrap_or(u64::MAX).to_be_bytes());
            sum.update(name.as_bytes());
        }
        sum.update(text.as_bytes());
        let sum: [u8; 32] = sum.finalize().into();
        TextKey(sum.first_chunk().copied().unwrap_or_default())
    }
}

/// Names a text of one owner as one model embeds it: what a cache finds its vector by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextKey([u8; 16]);

impl TextKey {
    /// Its hexadecimal digits, as they are kept.
    #[must_use]
    pub fn digits(&self) -> String {
        hexadecimal(&self.0)
    }
}

/// How many tokens some US dollars pay for, by a price for a million.
#[must_use]
pub fn tokens_for(usd: f64, price: f64) -> u64 {
    if price <= 0.0 {
        return u64::MAX;
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to a range that fits"
    )]
    let tokens = (usd * 1e6 / price).clamp(0.0, 1e18) as u64;
    tokens
}

/// How much one call may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchLimits {
    /// Texts; none counts as one.
    pub texts: usize,
    /// Tokens by estimate. A text that has more goes alone: the provider knows better what it takes.
    pub tokens: u64,
}

/// What is to be done next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// These texts are to be embedded, and [`Embedding::answered`] told of the reply.
    Ask(Vec<String>),
    /// Every text has its vector.
    Done,
}

/// The texts of a load on their way to vectors of one model and one dimension.
#[derive(Debug, Clone)]
pub struct Embedding {
    scope: Scope,
    /// What the collection has from before.
    given: Option<usize>,
    dimension: Option<usize>,
    limits: BatchLimits,
    /// Tokens that may still be paid for.
    left: u64,
    spent: u64,
    /// In the order of the texts, each once.
    waiting: Vec<(TextKey, String)>,
    known: BTreeSet<TextKey>,
    /// How many of those that wait have been asked for.
    asked: usize,
    vectors: BTreeMap<TextKey, Vector>,
}

impl Embedding {
    /// Begins. `dimension` is what the collection has from before, `budget` the tokens that may be paid for.
    #[must_use]
    pub fn new(scope: Scope, dimension: Option<usize>, limits: BatchLimits, budget: u64) -> Self {
        Embedding {
            scope,
            given: dimension,
            dimension,
            limits,
            left: budget,
            spent: 0,
            waiting: Vec::new(),
            known: BTreeSet::new(),
            asked: 0,
            vectors: BTreeMap::new(),
        }
    }

    /// Takes a text, with its vector where the cache has it. A text that is known already is not asked for again.
    ///
    /// # Errors
    /// Where the cached vector cannot stand beside the others.
    pub fn add(&mut self, text: &str, cached: Option<Vector>) -> Result<TextKey, EmbedError> {
        let key = self.scope.key(text);
        if self.known.contains(&key) {
            return Ok(key);
        }
        if let Some(vector) = cached {
            self.dimension = Some(self.fits(vector.width(), self.dimension)?);
            self.vectors.insert(key, vector);
        } else {
            self.waiting.push((key, text.to_owned()));
        }
        self.known.insert(key);
        Ok(key)
    }

    /// Whether the budget reaches for all of these, by estimate.
    ///
    /// # Errors
    /// Where it does not.
    pub fn afford<'t>(&self, texts: impl Iterator<Item = &'t str>) -> Result<(), EmbedError> {
        self.afford_tokens(texts.map(tokens::estimate).fold(0, u64::saturating_add))
    }

    /// Whether there is anything that the budget does not reach for.
    #[must_use]
    pub const fn is_bounded(&self) -> bool {
        self.left < u64::MAX
    }

    /// The same as [`Embedding::afford`] of texts that were counted already.
    ///
    /// # Errors
    /// Where it does not.
    pub fn afford_tokens(&self, wanted: u64) -> Result<(), EmbedError> {
        if wanted <= self.left {
            return Ok(());
        }
        let model = self.scope.model.clone();
        Err(EmbedError::TooDear { model, wanted, budget: self.left })
    }

    /// What is to be done next. Asked again without an answer, it gives the same texts: a call that failed has
    /// changed nothing.
    ///
    /// # Errors
    /// Where the budget does not reach for the next text.
    pub fn step(&mut self) -> Result<Next, EmbedError> {
        // What would not reach to the end is not begun.
        if self.spent == 0 {
            self.afford(self.waiting.iter().map(|(_, text)| text.as_str()))?;
        }
        let mut batch = Vec::new();
        let mut estimate = 0_u64;
        for (_, text) in self.waiting.iter().take(self.limits.texts.max(1)) {
            let more = estimate.saturating_add(tokens::estimate(text));
            if more > self.left || (more > self.limits.tokens && !batch.is_empty()) {
                break;
            }
            estimate = more;
            batch.push(text.clone());
        }
        self.asked = batch.len();
        match (batch.is_empty(), self.waiting.len()) {
            (false, _) => Ok(Next::Ask(batch)),
            (true, 0) => Ok(Next::Done),
            (true, missing) => Err(EmbedError::Budget {
                model: self.scope.model.clone(),
                spent: self.spent,
                missing,
            }),
        }
    }

    /// Takes the reply to the last batch, in the order of its texts, and the tokens that it took; these count even
    /// where the reply cannot be used. Gives the keys whose vectors are new, for the cache.
    ///
    /// # Errors
    /// Where vectors are missing or cannot be used: then none of the reply is taken.
    pub fn answered(
        &mut self,
        vectors: Vec<Vec<f32>>,
        tokens: u64,
    ) -> Result<Vec<TextKey>, EmbedError> {
        self.lost(tokens);
        if vectors.len() != self.asked {
            let (model, wanted) = (self.scope.model.clone(), self.asked);
            return Err(EmbedError::Count { model, wanted, came: vectors.len() });
        }
        let mut dimension = self.dimension;
        for vector in &vectors {
            dimension = Some(self.checked(vector, dimension)?);
        }
        self.dimension = dimension;
        let mut fresh = Vec::new();
        for ((key, _), vector) in self.waiting.drain(..self.asked).zip(vectors) {
            self.vectors.insert(key, Vector::of(&vector));
            fresh.push(key);
        }
        self.asked = 0;
        Ok(fresh)
    }

    /// Takes that a reply to the last batch was lost, which may have cost so many tokens: they count.
    pub const fn lost(&mut self, tokens: u64) {
        self.spent = self.spent.saturating_add(tokens);
        self.left = self.left.saturating_sub(tokens);
    }

    /// The vector of a text, once it is there.
    #[must_use]
    pub fn vector(&self, key: &TextKey) -> Option<&Vector> {
        self.vectors.get(key)
    }

    /// Lets go of the vectors that were taken, so that those of the next texts have room: a cache has them.
    pub fn let_go(&mut self) {
        self.vectors.clear();
        self.known.clear();
    }

    /// Tokens that were paid for.
    #[must_use]
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// Numbers that the collection's vectors have from before.
    #[must_use]
    pub const fn given(&self) -> Option<usize> {
        self.given
    }

    /// Numbers a vector has, once one is there.
    #[must_use]
    pub const fn dimension(&self) -> Option<usize> {
        self.dimension
    }

    fn checked(&self, vector: &[f32], wanted: Option<usize>) -> Result<usize, EmbedError> {
        let model = || self.scope.model.clone();
        // Without a direction there is no cosine.
        if vector.iter().all(|number| *number == 0.0) {
            return Err(EmbedError::Empty { model: model() });
        }
        if !vector.iter().all(|number| number.is_finite()) {
            return Err(EmbedError::NotFinite { model: model() });
        }
        self.fits(vector.len(), wanted)
    }

    fn fits(&self, came: usize, wanted: Option<usize>) -> Result<usize, EmbedError> {
        let Some(wanted) = wanted.filter(|wanted| *wanted != came) else { return Ok(came) };
        let model = self.scope.model.clone();
        Err(match self.given {
            Some(_) => EmbedError::Dimension { model, wanted, came },
            None => EmbedError::Mixed { model, wanted, came },
        })
    }
}
