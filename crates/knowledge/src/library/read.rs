//! Looking at documents and collections.

use super::record::{self, ChunkView, Place, Record};
use super::store::{Store, Value};
use super::{Done, Embeddings, Library, LibraryError, Manifest, Progress, Spent};
use crate::intake::CollectionName;
use quarry_schema::knowledge as statements;

/// Documents, or chunks, of a page at most.
pub const MAX_PAGE: u32 = 100;

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// What is on it.
    pub items: Vec<T>,
    /// Where the next begins.
    pub next: Option<u64>,
}

/// Some chunks of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunks {
    /// In their order.
    pub items: Vec<ChunkView>,
    /// The number of the first that is not here.
    pub next: Option<u32>,
    /// A mark of the state that the document is in, as that of each of them.
    pub as_of: String,
}

/// A collection as it is listed. Times are milliseconds since 1970; 0 for one that has not begun.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CollectionView {
    /// Its name.
    pub name: String,
    /// Its documents.
    pub documents: u32,
    /// Its chunks.
    pub chunks: u32,
    /// When it began.
    pub created_at: u64,
    /// When it changed last.
    pub updated_at: u64,
}

/// What a collection is made of.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stats {
    /// As it is listed.
    pub collection: CollectionView,
    /// Counts its changes.
    pub version: u64,
    /// Of its documents as they came.
    pub bytes: u64,
    /// Of its index.
    pub index_bytes: u64,
    /// Parts of its index.
    pub segments: u32,
    /// Chunks that meaning was learned from.
    pub trained_on: Option<u32>,
    /// Documents by category; those without are under an empty name.
    pub categories: Vec<(String, u32)>,
    /// Its provider's model; none: it has none.
    pub embedding: Option<Embeddings>,
    /// What was paid for its vectors by model, whatever became of who paid it: loads, reindexes, and questions.
    pub paid: Vec<Spent>,
    /// How far it is, while it is embedded anew.
    pub reindex: Option<Progress>,
}

type PackedStats = (u32, u32, u64, u64, u64, Vec<(String, u32)>);

impl<S: Store> Library<'_, S> {
    /// A document, with its number and its collection's name.
    pub(super) async fn find(&self, id: &str) -> Done<(u64, Record, String)> {
        let values = [self.owner.as_str().into(), id.into()];
        let row = self.run(statements::GET, values).await?.into_iter().next();
        let mut row = row.unwrap_or_default().into_iter();
        let (Some(Value::Integer(number)), Some(Value::Text(record)), Some(Value::Text(name))) =
            (row.next(), row.next(), row.next())
        else {
            let unknown = "there is no such document; GET /knowledge/documents lists yours";
            return Err(LibraryError::NotFound(unknown.to_owned()));
        };
        Ok((u64::try_from(number).unwrap_or_default(), record::inner(&record)?, name))
    }

    /// A document that is live in a collection.
    pub(super) async fn live(&self, collection: u64, id: &str) -> Done<Option<(u64, Record)>> {
        let rows = self.run(statements::LIVE, [collection.into(), id.into()]).await?;
        let mut row = rows.into_iter().next().unwrap_or_default().into_iter();
        let (Some(Value::Integer(number)), Some(Value::Text(record))) = (row.next(), row.next())
        else {
            return Ok(None);
        };
        Ok(Some((u64::try_from(number).unwrap_or_default(), record::inner(&record)?)))
    }

    /// A document and the name of its collection.
    ///
    /// # Errors
    /// Where there is no such document, or it is somebody else's.
    pub async fn get(&self, id: &str) -> Done<(Record, String)> {
        let (_, record, name) = self.find(id).await?;
        Ok((record, name))
    }

    /// Documents of a collection, or of one category in it whatever its case, the one loaded last first, behind the place
    /// where a page ended.
    ///
    /// # Errors
    /// Where there is no such collection.
    pub async fn list(
        &self,
        name: &CollectionName,
        category: Option<&str>,
        behind: Option<u64>,
        limit: u32,
    ) -> Done<Page<Record>> {
        let limit = page(limit)?;
        let Some(standing) = self.known(name).await? else {
            return Ok(Page { items: Vec::new(), next: None });
        };
        // One more tells whether there are more.
        let category = category.map(str::to_lowercase);
        let values =
            [standing.collection.into(), behind.into(), (limit + 1).into(), category.into()];
        let packed: Vec<(u64, String)> =
            record::unpack(self.text(statements::LIST, values).await?)?;
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let last = most.checked_sub(1).and_then(|last| packed.get(last));
        let next = last.map(|(number, _)| *number).filter(|_| packed.len() > most);
        let items = packed.iter().take(most).map(|(_, record)| record::inner(record));
        Ok(Page { items: items.collect::<Result<_, _>>()?, next })
    }

    /// Chunks of a document from a number on.
    ///
    /// # Errors
    /// Where there is no such document, or it is somebody else's.
    pub async fn chunks(&self, id: &str, from: u32, limit: u32) -> Done<Chunks> {
        let limit = page(limit)?;
        let (mut number, mut record, _) = self.find(id).await?;
        let mut chunks = self.chunks_of(number, from, limit).await?;
        // One that has taken its place has another number, and with it went the chunks of the old.
        while chunks.is_empty() && from < record.chunks {
            let before = number;
            (number, record, _) = self.find(id).await?;
            if number == before {
                break;
            }
            chunks = self.chunks_of(number, from, limit).await?;
        }
        let next = chunks.last().map(|(last, ..)| last + 1).filter(|next| *next < record.chunks);
        let items = chunks.into_iter();
        let items = items.map(|(at, place, text)| ChunkView::new(&record, at, place, text));
        Ok(Chunks { items: items.collect(), next, as_of: record.state() })
    }

    /// Chunks of a document by its number, from one on.
    pub(super) async fn chunks_of(
        &self,
        document: u64,
        from: u32,
        limit: u32,
    ) -> Done<Vec<(u32, Place, String)>> {
        let values = [document.into(), from.into(), limit.into()];
        Ok(record::chunks(self.text(statements::CHUNKS, values).await?)?)
    }

    /// The owner's collections in the order of their names; `default` also when it is empty.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn collections(&self) -> Done<Vec<CollectionView>> {
        let packed = self.text(statements::COLLECTIONS, [self.owner.as_str().into()]).await?;
        let packed: Vec<(String, u32, u32, u64, u64)> = record::unpack(packed)?;
        let views = packed.into_iter().map(|(name, documents, chunks, created_at, updated_at)| {
            CollectionView { name, documents, chunks, created_at, updated_at }
        });
        let mut views: Vec<CollectionView> = views.collect();
        if views.iter().all(|view| view.name != CollectionName::DEFAULT) {
            let name = CollectionName::DEFAULT.to_owned();
            views.push(CollectionView { name, ..CollectionView::default() });
            views.sort_by(|one, other| one.name.cmp(&other.name));
        }
        Ok(views)
    }

    /// What a collection is made of.
    ///
    /// # Errors
    /// Where there is no such collection.
    pub async fn stats(&self, name: &CollectionName) -> Done<Stats> {
        let name_only =
            CollectionView { name: name.as_str().to_owned(), ..CollectionView::default() };
        let Some(standing) = self.known(name).await? else {
            return Ok(Stats { collection: name_only, ..Stats::default() });
        };
        let packed = self.text(statements::STATS, [standing.collection.into()]).await?;
        let (documents, chunks, bytes, created_at, updated_at, categories): PackedStats =
            record::inner(packed.as_deref().unwrap_or_default())?;
        // One that cannot be read is said to have no index: a reindex makes one.
        let manifest = Manifest::read(&standing.manifest).unwrap_or_default();
        Ok(Stats {
            collection: CollectionView { documents, chunks, created_at, updated_at, ..name_only },
            version: standing.version,
            bytes,
            index_bytes: manifest.bytes(),
            segments: manifest.segments(),
            trained_on: manifest.trained_on(),
            embedding: manifest.embedding,
            paid: self.paid_by(standing.collection).await?,
            reindex: self.under_way(standing.collection).await?,
            categories,
        })
    }
}

fn page(limit: u32) -> Done<u32> {
    if (1..=MAX_PAGE).contains(&limit) {
        return Ok(limit);
    }
    Err(LibraryError::field("limit", format!("wants a whole number from 1 to {MAX_PAGE}")))
}
