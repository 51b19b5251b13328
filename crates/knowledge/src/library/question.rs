//! The direction of a question among the vectors of a collection: from the cache, or paid for.
//!
//! Border: as in [`super::embedded`]; a search does without where there is none.

use super::bought::Tries;
use super::embedded::{EmbeddingSetting, not_embedded, refused};
use super::manifest::{Embeddings, Manifest};
use super::store::{Store, Waiting};
use super::{Done, Library};
use crate::embed::{BatchLimits, EmbedError, Embedding, Next};
use crate::intake::CollectionName;
use crate::rank::lsa::Vector;

/// Somebody waits for it: it is tried once more, where it was lost within so many milliseconds.
const TRIES: u32 = 2;
const LAST_TRY: u64 = 1_000;

/// Where a question points to, among vectors of one kind.
#[derive(Default)]
pub(super) struct Direction {
    /// [`Embeddings::id`] of the vectors.
    pub of: u32,
    pub vector: Option<Vector>,
    pub note: Option<String>,
}

impl Direction {
    fn without(why: &str) -> Direction {
        let note = format!("ranked by words and learned meaning, not by embeddings: {why}");
        Direction { note: Some(note), ..Direction::default() }
    }

    /// The way that a vector points. One of another width than the collection's is kept, too: whoever asks the same is
    /// not made to pay for it again, and it fits once the collection was made anew.
    fn along(own: &Embeddings, vector: Vector) -> Direction {
        let came = vector.width();
        if came == own.dimension {
            return Direction { vector: Some(vector), ..Direction::default() };
        }
        let (model, wanted) = (own.model.clone(), own.dimension);
        Direction::without(&EmbedError::Dimension { model, wanted, came }.to_string())
    }

    /// Whether an index with these vectors is one that it was made for.
    pub fn is_for(&self, own: Option<&Embeddings>) -> bool {
        self.vector.is_none() || own.is_some_and(|own| own.id() == self.of)
    }
}

impl<S: Store> Library<'_, S> {
    /// The direction of a question in a collection, and whether there is something to say about it: without one it
    /// is ranked by what the collection's own words tell. It is had before the index, which is too large to be held
    /// while a provider thinks.
    pub(super) async fn direction(&self, name: &CollectionName, question: &str) -> Done<Direction> {
        let Some(setting) = &self.embedding else { return Ok(Direction::default()) };
        let Some(standing) = self.known(name).await? else { return Ok(Direction::default()) };
        let manifest = Manifest::read(&standing.manifest)?;
        if manifest.segments() == 0 {
            return Ok(Direction::default());
        }
        let of = manifest.embedding.as_ref().map_or(0, Embeddings::id);
        let own = manifest.embedding.as_ref();
        let direction = self.towards(setting, name, own, question).await?;
        Ok(Direction { of, ..direction })
    }

    async fn towards(
        &self,
        setting: &Result<EmbeddingSetting, String>,
        name: &CollectionName,
        own: Option<&Embeddings>,
        question: &str,
    ) -> Done<Direction> {
        let own = match setting {
            Ok(setting) => own.filter(|of| of.model == setting.model),
            Err(why) => return Ok(Direction::without(why)),
        };
        let Some(own) = own else {
            let why = "its vectors are not of the `embedding_model` that is set; a load or POST \
                       /knowledge/collections/{id}/reindex makes them anew";
            return Ok(Direction::without(why));
        };
        let key = self.scope(&own.model).key(question);
        if let Some(known) = self.cached([key].iter()).await?.remove(&key.digits()) {
            // One that does not fit may be of before the collection was made anew.
            if known.width() == own.dimension || self.is_doubted(name).await? {
                self.opens_account(&own.model);
                return Ok(Direction::along(own, known));
            }
        }
        Ok(match self.asked(own, name, question).await {
            Ok(vector) => {
                // Without the cache the next asks again.
                drop(self.cache(&[(key, &vector)]).await);
                drop(self.sweep_vectors().await);
                if vector.width() != own.dimension {
                    self.doubt(name).await;
                }
                Direction::along(own, vector)
            }
            // What came cannot be used, and is paid for all the same.
            Err(error) => Direction::without(&error.to_string()),
        })
    }

    async fn asked(&self, own: &Embeddings, name: &CollectionName, question: &str) -> Done<Vector> {
        let limits = BatchLimits { texts: 1, tokens: u64::MAX };
        let mut state = Embedding::new(self.scope(&own.model), None, limits, u64::MAX);
        let key = state.add(question, None).map_err(refused)?;
        let mut tries = Tries::new(TRIES, LAST_TRY);
        let embedded = loop {
            let Next::Ask(texts) = state.step().map_err(refused)? else {
                return Ok(Vector::of(&[]));
            };
            let since = tries.begin(self.store.now());
            match self.bought(name, &own.model, texts, Waiting::Search).await {
                Ok(embedded) => break embedded,
                Err(lost) if tries.go_on(&lost, self.store.now().saturating_sub(since)) => {}
                Err(lost) => return Err(not_embedded(&own.model, lost.failed)),
            }
        };
        state.answered(embedded.vectors, embedded.tokens).map_err(refused)?;
        Ok(state.vector(&key).cloned().unwrap_or_else(|| Vector::of(&[])))
    }
}
