//! Loading: a document that was read becomes chunks, and the next version of its collection.

use super::change::{Before, Staged, has_room, json, segment};
use super::claim::Claim;
use super::embedded::{Room, Work, text_of};
use super::index::Fresh;
use super::record::{self, Record};
use super::spent::Spent;
use super::store::{self, Store};
use super::{Done, Library, LibraryError, Manifest, Progress, Standing};
use crate::chunk::{Chunk, chunks};
use crate::document::Document;
use crate::intake::{CollectionName, Known, Loading, Origin, is_same_file, says_as_much};
use crate::rank::lsa::Vectors;
use crate::rank::segment::SEGMENT_CHUNKS;
use quarry_schema::knowledge as statements;
use std::collections::BTreeSet;

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
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// As it is kept.
    pub record: Record,
    /// What the load did.
    pub change: Change,
    /// What vectors of a provider's model cost; none: the collection has none.
    pub spent: Option<Spent>,
    /// What was not as it is set up to be, a sentence.
    pub note: Option<String>,
}

/// What says whether a document may take the place of one that is there.
#[derive(Clone, Copy)]
pub(super) struct Coming<'c> {
    pub hash: &'c str,
    /// What that was when other texts were made of the same bytes.
    pub before: &'c [String],
    /// Its address or its file's name.
    pub name: Option<&'c str>,
    pub origin: &'c Origin,
}

/// Why a document may not take the place of one that is there with other bytes.
fn in_the_way(there: &Record, coming: Coming<'_>) -> Option<LibraryError> {
    let Coming { hash, before, name, origin } = coming;
    let document = there.shown().to_owned();
    if let Some((kept, comes)) = origin.clash(there.origin.as_deref()) {
        let (kept, comes) = (kept.to_owned(), comes.to_owned());
        return Some(LibraryError::Elsewhere { document, kept, comes });
    }
    // Two names of one document: it is known by an id that both have.
    let names = there.name.as_deref().zip(name).filter(|(other, name)| other != name);
    if let Some((other, name)) = names
        && origin.is_beside(&there.id, there.origin.as_deref())
    {
        return Some(LibraryError::Twin { document: name.to_owned(), other: other.to_owned() });
    }
    let mut hashes = before.iter().map(String::as_str).chain([hash]);
    let is_to_be_asked = origin.asks_first() && !hashes.any(|it| is_same_file(&there.hash, it));
    is_to_be_asked.then_some(LibraryError::Taken(document))
}

impl<S: Store> Library<'_, S> {
    /// The document, where it is there with the same bytes: then there is nothing to read.
    ///
    /// # Errors
    /// Where the one that is there may not be replaced, or the database fails.
    pub async fn unchanged(&self, known: &Known<'_>) -> Done<Option<Loaded>> {
        let Known { collection, id, hash, before, name, origin } = known;
        let Some(standing) = self.standing(collection).await? else { return Ok(None) };
        let Some(live) = self.live(standing.collection, id).await? else { return Ok(None) };
        let shown = live.1.shown().to_owned();
        let coming = Coming { hash, before, name: *name, origin };
        match self.same(collection, &standing, Some(live), coming).await {
            Ok(None) => Ok(None),
            Ok(Some(loaded)) => Ok(Some(Loaded { spent: self.spent().await, ..loaded })),
            Err(error) => Err(self.behind(error.about(&shown)).await),
        }
    }

    /// The document that is there, where it has these bytes.
    async fn same(
        &self,
        collection: &CollectionName,
        standing: &Standing,
        live: Option<(u64, Record)>,
        coming: Coming<'_>,
    ) -> Done<Option<Loaded>> {
        let Some(live) = live else { return Ok(None) };
        let Some(record) = self.there(live, coming).await? else { return Ok(None) };
        // Whoever has set another model loads the same files again.
        let note = self.align(collection, standing).await?;
        Ok(Some(Loaded { record, change: Change::Unchanged, spent: None, note }))
    }

    /// The document that is there, where it has these bytes, with where it comes from now; none: it has others, and may be
    /// replaced.
    pub(super) async fn there(
        &self,
        (number, record): (u64, Record),
        coming: Coming<'_>,
    ) -> Done<Option<Record>> {
        if !says_as_much(&record.hash, coming.hash) {
            return in_the_way(&record, coming).map_or(Ok(None), Err);
        }
        // Whoever loads the same from another folder loses nothing, and takes nothing away.
        let Some(own) = coming.origin.instead_of(record.origin.as_deref()) else {
            return Ok(Some(record));
        };
        self.run(statements::SET_ORIGIN, [number.into(), own.into()]).await?;
        Ok(Some(Record { origin: Some(own.to_owned()), ..record }))
    }

    /// Loads a document. Behind the last of several [`Library::settle`] is to follow.
    ///
    /// # Errors
    /// Where one stands in its place that may not be replaced, the collection is full, others keep writing to it, or the
    /// database fails. Then what was there before is there. Each names the document, and what was paid for it.
    pub async fn load(&self, loading: Loading) -> Done<Loaded> {
        let name = loading.name.as_deref().or(loading.document.metadata.title.as_deref());
        let shown = name.unwrap_or_default().to_owned();
        match self.load_it(loading).await {
            Ok(loaded) => Ok(Loaded { spent: self.spent().await, ..loaded }),
            Err(error) => Err(self.behind(error.about(&shown)).await),
        }
    }

    /// The same, without what it cost.
    async fn load_it(&self, loading: Loading) -> Done<Loaded> {
        let Loading { collection, id, hash, before, name, kind, bytes, document, pages, origin } =
            loading;
        let standing = self.begun(&collection).await?;
        let live = self.live(standing.collection, &id).await?;
        let old = live.as_ref().map_or(0, |(_, old)| old.chunks);
        let coming =
            Coming { hash: &hash, before: &before, name: name.as_deref(), origin: &origin };
        if let Some(loaded) = self.same(&collection, &standing, live, coming).await? {
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
            origin: origin.name().map(str::to_owned),
        };
        let note = self.align(&collection, &standing).await?;
        let there = self.count(&standing).await?;
        has_room(&collection, there, record.chunks, old)?;
        let number = self.stage_document(standing.collection, &record).await?;
        let done = async {
            let claim = Claim::none(collection.clone());
            let room = Room { claim, staged: Some(number), chunks: pieces.len() };
            let waits = note.is_some();
            let mut work = if waits { None } else { self.work(room).await? };
            let segments = self.stage_chunks(number, &document, &pieces, work.as_mut()).await?;
            // A long one takes as much as a large part of the index, which is changed now.
            drop((document, pieces));
            let (hash, name, chunks) = (record.hash.clone(), record.name.clone(), record.chunks);
            let staged =
                Staged { number, hash, before, name, origin, chunks, segments, work, waits };
            self.change(&collection, &record.id, Some(&staged)).await
        };
        let (record, change) = match done.await {
            Ok(Before::Nothing) => (record, Change::Added),
            Ok(Before::Another) => (record, Change::Replaced),
            Ok(Before::Same(record)) => {
                self.give_up(number, false).await;
                (*record, Change::Unchanged)
            }
            Err(error) => {
                // What cannot be taken back now is swept away later.
                if !matches!(error, LibraryError::Held(_)) {
                    self.give_up(number, matches!(error, LibraryError::Busy)).await;
                }
                return Err(error);
            }
        };
        Ok(Loaded { record, change, spent: None, note })
    }

    /// Takes back what was staged. It `may_be_deleted` by others meanwhile, who have emptied the log before.
    async fn give_up(&self, number: u64, may_be_deleted: bool) {
        drop(self.run(statements::DROP_DOCUMENT, [number.into()]).await);
        if may_be_deleted {
            drop(self.empty_log().await);
        }
    }

    /// Says that a staged document is no dead load's.
    pub(super) async fn touch(&self, number: u64) -> Done<()> {
        self.run(statements::TOUCH_DOCUMENT, [number.into(), self.store.now().into()]).await?;
        Ok(())
    }

    /// Does what is done for a collection as a whole: meaning is learned anew where much has changed, and what loads
    /// that died have left is swept away. Documents are there whatever becomes of it; the next load does it, as where
    /// the database did not take the last document: it `answers` nothing else then, either.
    pub async fn settle(&self, collection: &CollectionName, answers: bool) {
        self.shelf.borrow_mut().forget();
        if answers {
            drop(self.learn(collection).await);
            drop(self.end_for_the_dead(collection).await);
            drop(self.sweep().await);
        }
    }

    /// A collection, which begins here if it is new.
    async fn begun(&self, name: &CollectionName) -> Done<Standing> {
        if let Some(standing) = self.standing(name).await? {
            return Ok(standing);
        }
        let empty = Manifest::default().write();
        let values = [
            self.owner.as_str().into(),
            name.as_str().into(),
            self.store.now().into(),
            empty.into(),
        ];
        self.run(statements::BEGIN, values).await?;
        self.standing(name).await?.ok_or(LibraryError::Busy)
    }

    /// The chunks of a collection: by its index where that is at hand, because to count them in the database takes the
    /// longer the more documents there are.
    pub(super) async fn count(&self, standing: &Standing) -> Done<usize> {
        let at_hand = self.shelf.borrow_mut().get(standing.collection);
        match at_hand.filter(|index| index.version == standing.version) {
            Some(index) => Ok(index.chunks()),
            None => self.count_rows(standing.collection).await,
        }
    }

    async fn stage_document(&self, collection: u64, record: &Record) -> Done<u64> {
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

    /// Forgets what the cache has of the chunks of a document: the next load begins without.
    async fn forget(&self, work: &Work, pieces: &[Chunk], text: impl Fn(&Chunk) -> String) {
        for some in pieces.chunks(SEGMENT_CHUNKS) {
            let texts: Vec<String> = some.iter().map(&text).collect();
            drop(self.uncache(work, &texts, None).await);
        }
    }

    /// Tells how far a long document is, once for each part of the index that is made of it. Where vectors are made, they
    /// take longer, and tell it.
    fn tell(&self, work: Option<&Work>, done: usize, pieces: &[Chunk]) {
        if work.is_none() && pieces.len() > SEGMENT_CHUNKS {
            self.store.hears(Progress::of(done, pieces.len()));
        }
    }

    async fn stage_chunks(
        &self,
        number: u64,
        document: &Document,
        pieces: &[Chunk],
        mut work: Option<&mut Work>,
    ) -> Done<Vec<Fresh>> {
        self.tell(work.as_deref(), 0, pieces);
        let mut rest = pieces;
        while !rest.is_empty() {
            let (packed, count) = record::pack(document, rest, AT_ONCE);
            self.run(statements::STAGE_CHUNKS, [number.into(), packed.into()]).await?;
            rest = rest.get(count..).unwrap_or_default();
        }
        let text =
            |chunk: &Chunk| text_of(document.title(), &chunk.headings, chunk.text(&document.text));
        if let Some(work) = work.as_deref().filter(|_| pieces.len() > SEGMENT_CHUNKS) {
            // Before the first is paid for.
            let (mut seen, mut wanted) = (BTreeSet::new(), 0_u64);
            for some in pieces.chunks(SEGMENT_CHUNKS) {
                let texts: Vec<String> = some.iter().map(text).collect();
                wanted += self.wanted(work, &texts, false, &mut seen).await?;
            }
            work.affords(wanted)?;
        }
        let (mut segments, mut done) = (Vec::new(), 0);
        for some in pieces.chunks(SEGMENT_CHUNKS) {
            let mut embedded = Vectors::default();
            if let Some(work) = work.as_deref_mut() {
                let texts: Vec<String> = some.iter().map(text).collect();
                let vectors = self.embed(work, &texts).await;
                if work.meets_leftovers() {
                    self.forget(work, pieces, text).await;
                }
                let (keys, vectors) = vectors?;
                self.uses(number, vectors.model(), &keys).await?;
                embedded = vectors;
            }
            let segment = segment(self.shelf.borrow_mut().builder(), document, number, some);
            segments.push(Fresh { segment, embedded, ..Fresh::default() });
            done += some.len();
            self.tell(work.as_deref(), done, pieces);
            if pieces.len() > SEGMENT_CHUNKS {
                self.touch(number).await?;
                self.store.rest(false).await;
            }
        }
        Ok(segments)
    }
}
