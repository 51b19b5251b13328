//! Loading: a document that was read becomes chunks, and the next version of its collection.

use super::change::{Staged, json, segment};
use super::record::{self, Record};
use super::store::{self, Store};
use super::{Done, Library, LibraryError, Manifest};
use crate::chunk::{Chunk, chunks};
use crate::document::Document;
use crate::intake::{CollectionName, Loading};
use crate::rank::segment::{SEGMENT_CHUNKS, Segment};
use quarry_schema::knowledge as statements;

/// Bytes of chunks that one statement takes.
const AT_ONCE: usize = 512 * 1024;

/// What a load did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// There was no such document.
    Added,
    /// Another took its place.
    Replaced,
    /// It was there, byte by byte.
    Unchanged,
}

/// A document after its load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// As it is kept.
    pub record: Record,
    /// What the load did.
    pub change: Change,
}

impl<S: Store> Library<'_, S> {
    /// The document, where it is there with the same bytes: then there is nothing to read.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn unchanged(
        &self,
        collection: &CollectionName,
        id: &str,
        hash: &str,
    ) -> Done<Option<Loaded>> {
        let Some(standing) = self.standing(collection).await? else { return Ok(None) };
        let live = self.live(standing.collection, id).await?;
        let same = live.map(|(_, record)| record).filter(|record| record.hash == hash);
        Ok(same.map(|record| Loaded { record, change: Change::Unchanged }))
    }

    /// Loads a document. Behind the last of several [`Library::settle`] is to follow.
    ///
    /// # Errors
    /// Where the collection is full, others keep writing to it, or the database fails. Then what was there before
    /// is there.
    pub async fn load(&self, loading: Loading) -> Done<Loaded> {
        let Loading { collection, id, hash, name, kind, bytes, document, pages } = loading;
        if let Some(loaded) = self.unchanged(&collection, &id, &hash).await? {
            return Ok(loaded);
        }
        let pieces = chunks(&document, &pages);
        let small = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let record = Record {
            id,
            name,
            kind,
            hash,
            bytes,
            characters: small(document.text.chars().count()),
            chunks: small(pieces.len()),
            loaded_at: self.store.now(),
            notes: document.issues.clone(),
            metadata: document.metadata.clone(),
        };
        let standing = self.begun(&collection).await?;
        let number = self.stage_document(standing, &record).await?;
        let done = async {
            let segments = self.stage_chunks(number, &document, &pieces).await?;
            let chunks = u64::from(record.chunks);
            let staged = Staged { number, chunks, segments };
            self.change(&collection, &record.id, Some(&staged)).await
        };
        let replaced = match done.await {
            Ok(replaced) => replaced,
            Err(error) => {
                // What cannot be taken back now is swept away later.
                drop(self.run(statements::DROP_DOCUMENT, [number.into()]).await);
                return Err(error);
            }
        };
        let change = if replaced { Change::Replaced } else { Change::Added };
        Ok(Loaded { record, change })
    }

    /// Does what is done for a collection as a whole: meaning is learned anew where much has changed, and what loads
    /// that died have left is swept away. Documents are there whatever becomes of it; the next load does it.
    pub async fn settle(&self, collection: &CollectionName) {
        drop(self.learn(collection).await);
        drop(self.sweep().await);
    }

    /// The number of a collection, which begins here if it is new.
    async fn begun(&self, name: &CollectionName) -> Done<u64> {
        if let Some(standing) = self.standing(name).await? {
            return Ok(standing.collection);
        }
        let empty = Manifest::default().write();
        let values = [
            self.owner.as_str().into(),
            name.as_str().into(),
            self.store.now().into(),
            empty.into(),
        ];
        self.run(statements::BEGIN, values).await?;
        let standing = self.standing(name).await?;
        standing.map(|standing| standing.collection).ok_or(LibraryError::Busy)
    }

    async fn stage_document(&self, collection: u64, record: &Record) -> Done<u64> {
        self.run(statements::OVERWRITE, []).await?;
        let folded = |text: &Option<String>| text.as_deref().map(str::to_lowercase);
        let values = [
            collection.into(),
            record.id.as_str().into(),
            self.store.now().into(),
            folded(&record.metadata.category).into(),
            folded(&record.metadata.source_org).into(),
            record.chunks.into(),
            record.bytes.into(),
            json(record).into(),
        ];
        let rows = self.run(statements::STAGE_DOCUMENT, values).await?;
        let none = || LibraryError::Unavailable("it gave no number".to_owned());
        store::number(&rows).ok_or_else(none)
    }

    async fn stage_chunks(
        &self,
        number: u64,
        document: &Document,
        pieces: &[Chunk],
    ) -> Done<Vec<Segment>> {
        let mut rest = pieces;
        while !rest.is_empty() {
            let (packed, count) = record::pack(document, rest, AT_ONCE);
            self.run(statements::STAGE_CHUNKS, [number.into(), packed.into()]).await?;
            rest = rest.get(count..).unwrap_or_default();
        }
        let mut segments = Vec::new();
        for some in pieces.chunks(SEGMENT_CHUNKS) {
            segments.push(segment(document, number, some));
            if pieces.len() > SEGMENT_CHUNKS {
                self.store.rest(false).await;
            }
        }
        Ok(segments)
    }
}
