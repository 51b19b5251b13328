//! Searching: a question against a collection as it stands.

use super::change::json;
use super::record::{self, ChunkView, Place, Record};
use super::spent::Spent;
use super::store::Store;
use super::{Done, Library, LibraryError, READS, SOON};
use crate::document::Metadata;
use crate::intake::CollectionName;
use crate::rank::search::{Hit, Mistyped, Options};
use crate::rank::segment::{ChunkKey, Damaged};
use crate::rank::terms;
use quarry_schema::knowledge as statements;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet};

/// Characters of a question.
pub const MAX_QUERY_CHARACTERS: usize = 32_768;
/// Chunks that a search gives.
pub const MAX_TOP_K: u32 = 100;
/// Values of a filter's list.
const MAX_VALUES: usize = 100;

/// A search.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The question.
    pub text: String,
    /// Where.
    pub collection: CollectionName,
    /// Chunks at most.
    pub top_k: u32,
    /// The least score.
    pub threshold: f64,
    /// Which documents count.
    pub filter: Filter,
}

/// Documents that count; an empty list lets all through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Whatever their case.
    pub categories: Vec<String>,
    /// Whatever their case.
    pub source_orgs: Vec<String>,
    /// Ids.
    pub documents: Vec<String>,
}

impl Filter {
    const fn lets_all_through(&self) -> bool {
        self.categories.is_empty() && self.source_orgs.is_empty() && self.documents.is_empty()
    }
}

/// What a search gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// The best first.
    pub found: Vec<Found>,
    /// What was not as it is set up to be, a sentence.
    pub note: Option<String>,
    /// Words that no document has, with those of what was found that were taken for them: a sentence each.
    pub taken: Vec<String>,
    /// What the vector of the question cost; none: it is ranked without one.
    pub spent: Option<Spent>,
}

/// A chunk that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// It.
    pub chunk: ChunkView,
    /// What is known of its document.
    pub metadata: Metadata,
    /// How well it fits, 0 to 1.
    pub score: f64,
    /// By its words.
    pub lexical: f64,
    /// By its meaning.
    pub meaning: f64,
}

/// What [`statements::FOUND`] packs: document, chunk, place, text, id, record.
type Kept = (u64, u32, String, String, String, String);

impl Query {
    fn check(&self) -> Done<()> {
        let characters = self.text.chars().count();
        let wrong = |field, message: String| Err(LibraryError::field(field, message));
        if self.text.trim().is_empty() {
            return wrong("query", "is missing or empty; send the question as a text".to_owned());
        }
        if characters > MAX_QUERY_CHARACTERS {
            return wrong(
                "query",
                format!("is too long; send at most {MAX_QUERY_CHARACTERS} characters"),
            );
        }
        if !(1..=MAX_TOP_K).contains(&self.top_k) {
            return wrong("top_k", format!("wants a whole number from 1 to {MAX_TOP_K}"));
        }
        if !(0.0..=1.0).contains(&self.threshold) {
            return wrong("threshold", "wants a number from 0 to 1".to_owned());
        }
        let lists = [&self.filter.categories, &self.filter.source_orgs, &self.filter.documents];
        if lists.into_iter().any(|list| list.len() > MAX_VALUES) {
            return wrong("filter", format!("wants at most {MAX_VALUES} values a list"));
        }
        Ok(())
    }

    fn options(&self) -> Options {
        #[allow(clippy::cast_possible_truncation, reason = "a score needs no more digits")]
        let threshold = self.threshold as f32;
        Options { top_k: usize::try_from(self.top_k).unwrap_or(usize::MAX), threshold }
    }
}

/// That a word was taken for another, both as they are written; none where nothing that was found has it.
fn told(mistyped: &Mistyped, question: &str, found: &[Found]) -> Option<String> {
    let written = |text: &str, wanted: &str| {
        let mut first = None;
        terms::each_word(text, |word| {
            if first.is_none() && terms::term(word).as_deref() == Some(wanted) {
                first = Some(word.to_owned());
            }
        });
        first
    };
    let of_chunk = |chunk: &ChunkView| {
        let texts = [&chunk.text, &chunk.title].into_iter().chain(&chunk.headings);
        texts.into_iter().find_map(|text| written(text, &mistyped.taken_for))
    };
    let has = found.iter().find_map(|found| of_chunk(&found.chunk))?;
    let asked = written(question, &mistyped.asked)?;
    Some(format!("no document has `{asked}`; what was found has `{has}`, which looks like it"))
}

impl<S: Store> Library<'_, S> {
    /// The chunks that fit, the best first, all of one version of the collection.
    ///
    /// # Errors
    /// Where a field is not usable, there is no such collection, or the database fails; with what the question's vector
    /// had cost by then.
    pub async fn search(&self, query: &Query) -> Done<Findings> {
        match self.searched(query).await {
            Ok(findings) => Ok(Findings { spent: self.spent().await, ..findings }),
            Err(error) => Err(self.behind(error).await),
        }
    }

    /// The same, without what it cost.
    async fn searched(&self, query: &Query) -> Done<Findings> {
        query.check()?;
        let mut direction = self.direction(&query.collection, &query.text).await?;
        let mut missed = None;
        for tried in 0..READS {
            let index = self.index(&query.collection).await?;
            let Some(index) = index.filter(|index| index.version > 0) else {
                return self.known(&query.collection).await.map(|_| Findings::default());
            };
            if !direction.is_for(index.manifest.embedding.as_ref()) {
                // The collection has been given another model.
                drop(index);
                direction = self.direction(&query.collection, &query.text).await?;
                continue;
            }
            let within = match self.within(index.collection, &query.filter).await? {
                // What counts has other numbers in the version that is there by now.
                Some((version, _)) if version != index.version => {
                    self.store.rest(tried >= SOON).await;
                    continue;
                }
                within => within.map(|(_, numbers)| numbers),
            };
            let counts = |document: u64| within.as_ref().is_none_or(|set| set.contains(&document));
            let (text, options) = (&query.text, query.options());
            let counts = |key: ChunkKey| counts(key.document);
            let (hits, mistyped) =
                index.content.search_by(text, direction.vector.as_ref(), options, counts);
            if let Some(found) = self.found(&hits).await? {
                let taken = mistyped.iter().filter_map(|it| told(it, text, &found)).collect();
                return Ok(Findings { found, note: direction.note, taken, spent: None });
            }
            // A document that was found has been replaced: there is another version. Where there is none, its chunks are
            // lost.
            if missed.replace(index.version) == Some(index.version) {
                return Err(Damaged("database").into());
            }
            self.store.rest(tried >= SOON).await;
        }
        Err(LibraryError::Busy)
    }

    /// The documents that count, and in which version; none: all.
    async fn within(&self, collection: u64, filter: &Filter) -> Done<Option<(u64, HashSet<u64>)>> {
        if filter.lets_all_through() {
            return Ok(None);
        }
        let folded = |list: &[String]| -> String {
            json(&list.iter().map(|value| value.to_lowercase()).collect::<Vec<_>>())
        };
        let values = [
            collection.into(),
            folded(&filter.categories).into(),
            folded(&filter.source_orgs).into(),
            json(&filter.documents).into(),
        ];
        let packed = self.text(statements::WITHIN, values).await?;
        Ok(Some(record::inner(packed.as_deref().unwrap_or_default())?))
    }

    /// What was hit; none where some of it is no longer there.
    async fn found(&self, hits: &[Hit]) -> Done<Option<Vec<Found>>> {
        if hits.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let wanted: Vec<(u64, u32)> =
            hits.iter().map(|hit| (hit.key.document, hit.key.number)).collect();
        let kept: Vec<Kept> =
            record::unpack(self.text(statements::FOUND, [json(&wanted).into()]).await?)?;
        if kept.len() != hits.len() {
            return Ok(None);
        }
        let mut records: BTreeMap<u64, Record> = BTreeMap::new();
        let mut found = Vec::with_capacity(hits.len());
        for (hit, (number, at, place, text, _, packed)) in hits.iter().zip(kept) {
            if let Entry::Vacant(place) = records.entry(number) {
                place.insert(record::inner(&packed)?);
            }
            let Some(record) = records.get(&number) else { continue };
            let place: Place = record::inner(&place)?;
            found.push(Found {
                chunk: ChunkView::new(record, at, place, text),
                metadata: record.metadata.clone(),
                score: f64::from(hit.score),
                lexical: f64::from(hit.parts.lexical),
                meaning: f64::from(hit.parts.semantic),
            });
        }
        Ok(Some(found))
    }
}
