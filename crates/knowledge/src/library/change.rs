//! Changes of a collection: staged, committed, and tried again when others were faster.

use super::claim::Claim;
use super::embedded::{self, Room, Work, text_of};
use super::index::{Fresh, Index, Planned};
use super::manifest::Manifest;
use super::record::{self, Record};
use super::store::{self, Row, Store, StoreFailed, Value};
use super::{Done, Embeddings, Library, LibraryError, MAX_CHUNKS, Standing, Stats};
use crate::chunk::Chunk;
use crate::document::Document;
use crate::intake::CollectionName;
use crate::rank::lsa::Vectors;
use crate::rank::segment::{Builder, ChunkKey, Indexed, Segment};
use quarry_schema::knowledge as statements;
use std::rc::Rc;

/// Bytes of a piece of a blob.
const PIECE: usize = 512 * 1024;

/// Tries to make a change while others make theirs: with dozens who load into one collection at once, each has its
/// turn.
const TRIES: u32 = 96;

/// Looks for a moment without readers, to empty the log of changes.
const LOOKS: u32 = 5;

/// Chunks that are read at once for a reindex.
const PAGE: u32 = 500;

/// What becomes of documents with a change of the index.
#[derive(Clone, Copy, Default)]
struct Turn {
    /// The number of the document that becomes live.
    added: Option<u64>,
    /// The number of the one that goes.
    dropped: Option<u64>,
}

/// A document that was staged, and its part of the index.
pub(super) struct Staged {
    pub number: u64,
    pub chunks: u32,
    pub segments: Vec<Fresh>,
    /// None where nothing is embedded.
    pub work: Option<Work>,
}

/// How a commit ended.
enum Committed {
    Yes,
    /// Others were faster.
    GoneOn,
}

impl<S: Store> Library<'_, S> {
    /// Deletes a document from everything that is made of it.
    ///
    /// # Errors
    /// Where there is no such document, or the database fails: then it is still there.
    pub async fn delete(&self, id: &str) -> Done<()> {
        let (_, _, name) = self.find(id).await?;
        let name = CollectionName::read(Some(&name))?;
        self.change(&name, id, None).await?;
        // It is gone now. What else there is to do, the next who changes something does.
        drop(self.learn(&name).await);
        drop(self.empty_log().await);
        Ok(())
    }

    /// Makes the index of a collection anew from its chunks.
    ///
    /// # Errors
    /// Where there is no such collection, or the database fails: then searches have the old one.
    pub async fn reindex(&self, name: &CollectionName) -> Done<Stats> {
        let claim = self.claim(name).await?;
        let renewed = self.renew(name, &claim).await;
        self.release(claim).await;
        match renewed {
            Ok(()) => {
                self.spent().await;
                self.stats(name).await
            }
            Err(error) => Err(self.behind(error).await),
        }
    }

    /// The same, by whoever has the right to it.
    pub(super) async fn renew(&self, name: &CollectionName, claim: &Claim) -> Done<()> {
        let mut forgets = false;
        for _ in 0..TRIES {
            let Some(standing) = self.known(name).await? else { break };
            // What cannot be read any more is replaced as a whole.
            let manifest = Manifest::read(&standing.manifest).unwrap_or_default();
            let there = self.count_rows(standing.collection).await?;
            let chunks = has_room(name, there, 0, 0)?;
            let mut work = self.work_anew(Room { claim: claim.clone(), chunks })?;
            let parts = self.segments_of(&standing, work.as_mut(), forgets).await;
            // The model has another dimension than it had: what is kept is of no use.
            if !forgets && work.as_ref().is_some_and(Work::is_mixed) {
                forgets = true;
                continue;
            }
            let parts = parts?;
            forgets = false;
            let embedding = work.as_ref().and_then(Work::embeddings);
            let chunks = parts.0.iter().map(|segment| segment.entries().len()).sum();
            fits(name, chunks, embedding.as_ref())?;
            let Standing { collection, version, .. } = standing;
            let blank = Index { collection, version, manifest, ..Index::default() };
            self.store.rest(false).await;
            let planned = blank.renew(parts, embedding, &self.store.token());
            if let Committed::Yes = self.commit(&blank, &planned, Turn::default()).await? {
                // What cannot be forgotten now goes with the next reindex, or with its document; of who dies here, with
                // the next load when its claim has run out.
                let own = planned.manifest.embedding.as_ref();
                drop(self.forget_others(collection, own).await);
                self.shelf.borrow_mut().put(Rc::new(blank.after(planned)));
                break;
            }
            self.store.rest(true).await;
        }
        Ok(())
    }

    /// Makes a staged document live in place of the one that has its id, or only takes that away, whatever others do
    /// meanwhile. Whether there was one.
    pub(super) async fn change(
        &self,
        name: &CollectionName,
        id: &str,
        staged: Option<&Staged>,
    ) -> Done<bool> {
        for _ in 0..TRIES {
            let Some(index) = self.index(name).await? else { return Err(LibraryError::Busy) };
            // After the index: what is found is of its version, or the version has gone on.
            let live = self.live(index.collection, id).await?;
            if staged.is_none() && live.is_none() {
                return Ok(false);
            }
            let dropped = live.as_ref().map(|(number, _)| *number);
            let own = index.manifest.embedding.as_ref();
            let mut embedding = own.cloned();
            if let Some(staged) = staged {
                embedding = staged.work.as_ref().and_then(Work::embeddings);
                // Somebody else has brought the collection to another model meanwhile.
                if !index.takes(embedding.as_ref()) {
                    return Err(LibraryError::Busy);
                }
                let old = live.as_ref().map_or(0, |(_, record)| record.chunks);
                let all = has_room(name, index.chunks(), staged.chunks, old)?;
                fits(name, all, embedding.as_ref())?;
            }
            let added = staged.map_or(&[][..], |staged| staged.segments.as_slice());
            let turn = Turn { added: staged.map(|staged| staged.number), dropped };
            let planned = index.change(dropped, added, embedding, &self.store.token());
            if let Committed::Yes = self.commit(&index, &planned, turn).await? {
                self.keep(index, planned);
                return Ok(dropped.is_some());
            }
            self.store.rest(true).await;
        }
        Err(LibraryError::Busy)
    }

    /// The chunks of a collection as the database counts them.
    pub(super) async fn count_rows(&self, collection: u64) -> Done<usize> {
        let rows = self.run(statements::COUNT, [collection.into()]).await?;
        let chunks = store::number(&rows).unwrap_or_default();
        Ok(usize::try_from(chunks).unwrap_or(usize::MAX))
    }

    /// Learns meaning anew where too much has changed. Others who are faster have done it.
    pub(super) async fn learn(&self, name: &CollectionName) -> Done<()> {
        let Some(index) = self.index(name).await?.filter(|index| index.is_stale()) else {
            return Ok(());
        };
        self.store.rest(false).await;
        let planned = index.refit(&self.store.token());
        if let Committed::Yes = self.commit(&index, &planned, Turn::default()).await? {
            self.keep(index, planned);
        }
        Ok(())
    }

    /// Deletes what loads that died have left behind.
    pub(super) async fn sweep(&self) -> Done<()> {
        let oldest = self.store.now().saturating_sub(STAGED);
        self.run(statements::OVERWRITE, []).await?;
        self.run(statements::SWEEP_DOCUMENTS, [oldest.into()]).await?;
        self.run(statements::SWEEP_BLOBS, [oldest.into()]).await?;
        self.sweep_vectors().await
    }

    /// The next version takes the place of the one that it was planned from.
    fn keep(&self, index: Rc<Index>, planned: Planned) {
        self.shelf.borrow_mut().take(index.collection);
        // Where somebody is still searching in the old one, the next is read when it is wanted.
        if let Ok(index) = Rc::try_unwrap(index) {
            self.shelf.borrow_mut().put(Rc::new(index.after(planned)));
        }
    }

    /// Writes what was planned and makes it the next version. What was written is taken back where that fails.
    async fn commit(&self, index: &Index, planned: &Planned, turn: Turn) -> Done<Committed> {
        let names: Vec<&str> = planned.puts.iter().map(|(name, _)| name.as_str()).collect();
        let names = json(&names);
        let committed = match self.stage(index, planned).await {
            Ok(()) => self.turn(index, planned, turn, &names).await,
            Err(error) => Err(error),
        };
        // What cannot be taken back now is swept away later.
        if !matches!(committed, Ok(Committed::Yes) | Err(LibraryError::Held(_))) {
            drop(self.run(statements::DROP_BLOBS, [names.into()]).await);
        }
        committed
    }

    async fn stage(&self, index: &Index, planned: &Planned) -> Done<()> {
        let now = self.store.now();
        for (name, bytes) in &planned.puts {
            let values = [name.as_str().into(), index.collection.into(), now.into()];
            self.run(statements::STAGE_BLOB, values).await?;
            for (number, piece) in (0_u32..).zip(bytes.chunks(PIECE)) {
                let values = [name.as_str().into(), number.into(), Value::Blob(piece.to_vec())];
                self.run(statements::STAGE_PIECE, values).await?;
            }
        }
        Ok(())
    }

    async fn turn(
        &self,
        index: &Index,
        planned: &Planned,
        turn: Turn,
        names: &str,
    ) -> Done<Committed> {
        let values = [
            index.collection.into(),
            index.version.into(),
            self.store.now().into(),
            planned.manifest.write().into(),
            turn.added.into(),
            turn.dropped.into(),
            names.into(),
            json(&planned.gone).into(),
        ];
        self.run(statements::OVERWRITE, []).await?;
        match self.store.run(statements::COMMIT, values.into()).await {
            Ok(_) => Ok(Committed::Yes),
            Err(StoreFailed::Failed(why)) if statements::has_gone_on(&why) => Ok(Committed::GoneOn),
            // It may have worked without saying so: nobody else writes this manifest.
            Err(error) => match self.is_there(index.collection, &planned.manifest).await {
                Ok(true) => Ok(Committed::Yes),
                Ok(false) | Err(_) => Err(error.into()),
            },
        }
    }

    async fn is_there(&self, collection: u64, manifest: &Manifest) -> Done<bool> {
        let text = self.text(statements::MANIFEST, [collection.into()]).await?;
        Ok(text.is_some_and(|text| text == manifest.write()))
    }

    /// Every chunk of a collection, indexed and embedded anew. With `forgets`, what was embedded before does not
    /// count.
    async fn segments_of(
        &self,
        standing: &Standing,
        mut work: Option<&mut Work>,
        forgets: bool,
    ) -> Done<(Vec<Segment>, Vec<Vectors>)> {
        let mut numbers: Vec<u64> =
            record::unpack(self.text(statements::WITHIN, within(standing.collection)).await?)?;
        numbers.sort_unstable();
        let (mut builder, mut segments, mut all) = (Builder::default(), Vec::new(), Vec::new());
        let mut texts: Vec<(u64, String)> = Vec::new();
        for number in numbers {
            let Some(record) = self.text(statements::RECORD, [number.into()]).await? else {
                continue;
            };
            let record: Record = record::inner(&record)?;
            let mut from = 0_u32;
            loop {
                let values = [number.into(), from.into(), PAGE.into()];
                let chunks = record::chunks(self.text(statements::CHUNKS, values).await?)?;
                let Some((last, ..)) = chunks.last() else { break };
                from = last + 1;
                for (at, place, text) in &chunks {
                    let key = ChunkKey { document: number, number: *at };
                    let (title, headings) = (record.title(), place.headings.as_slice());
                    let is_full = builder.add(&Indexed { key, title, headings, body: text });
                    if work.is_some() {
                        texts.push((number, text_of(title, headings, text)));
                    }
                    if is_full {
                        segments.push(builder.finish());
                        let texts = std::mem::take(&mut texts);
                        all.push(self.embed_some(work.as_deref_mut(), texts, forgets).await?);
                        self.store.rest(false).await;
                    }
                }
            }
        }
        if !builder.is_empty() {
            segments.push(builder.finish());
            all.push(self.embed_some(work, texts, forgets).await?);
        }
        Ok((segments, all))
    }

    /// The vectors of texts with the numbers of their documents.
    async fn embed_some(
        &self,
        work: Option<&mut Work>,
        texts: Vec<(u64, String)>,
        forgets: bool,
    ) -> Done<Vectors> {
        let Some(work) = work else { return Ok(Vectors::default()) };
        let (numbers, texts): (Vec<u64>, Vec<String>) = texts.into_iter().unzip();
        if forgets {
            self.uncache(work, &texts).await?;
        }
        let (keys, vectors) = self.embed(work, &texts).await?;
        let mut rest = keys.as_slice();
        for of_one in numbers.chunk_by(|one, other| one == other) {
            let (own, others) = rest.split_at_checked(of_one.len()).unwrap_or((rest, &[]));
            rest = others;
            if let Some(number) = of_one.first() {
                self.uses(*number, vectors.model(), own).await?;
            }
        }
        Ok(vectors)
    }

    /// Brings what was overwritten into the file, and empties the log that still has it.
    async fn empty_log(&self) -> Done<()> {
        for _ in 0..LOOKS {
            match self.store.run(statements::EMPTY_LOG, Vec::new()).await {
                Ok(rows) if is_busy(&rows) => self.store.rest(true).await,
                // A server keeps its log to itself.
                Ok(_)
                | Err(StoreFailed::Failed(_) | StoreFailed::Full(_) | StoreFailed::Held(_)) => {
                    return Ok(());
                }
                Err(error @ StoreFailed::None(_)) => return Err(error.into()),
            }
        }
        // A reader that is always there: the next who deletes, or the log's own turning over, does it.
        Ok(())
    }
}

/// How many chunks a collection has with some more and some less, where it may have as many.
pub(super) fn has_room(name: &CollectionName, there: usize, new: u32, old: u32) -> Done<usize> {
    let size = |chunks: u32| usize::try_from(chunks).unwrap_or(usize::MAX);
    let chunks = there.saturating_sub(size(old)).saturating_add(size(new));
    if chunks <= usize::try_from(MAX_CHUNKS).unwrap_or(usize::MAX) {
        return Ok(chunks);
    }
    Err(LibraryError::TooLarge(format!(
        "collection `{}` would have {chunks} chunks, {MAX_CHUNKS} are the most; load into another \
         collection, or delete documents",
        name.as_str()
    )))
}

/// Whether the vectors of so many chunks can be searched.
pub(super) fn fits(
    name: &CollectionName,
    chunks: usize,
    embedding: Option<&Embeddings>,
) -> Done<()> {
    let Some(Embeddings { model, dimension, .. }) = embedding else { return Ok(()) };
    let bytes = u64::try_from(chunks.saturating_mul(*dimension)).unwrap_or(u64::MAX);
    if bytes <= embedded::MOST {
        return Ok(());
    }
    Err(LibraryError::TooLarge(format!(
        "collection `{}` would have {chunks} vectors of {dimension} numbers by {model}, a byte each, and {} MiB are \
         the most; load into another collection, or set `embedding_model` to a model with fewer numbers",
        name.as_str(),
        embedded::MOST >> 20,
    )))
}

/// Milliseconds after which what was staged belongs to a load that died.
const STAGED: u64 = 60 * 60 * 1_000;

fn is_busy(rows: &[Row]) -> bool {
    rows.first().and_then(|row| row.first()) == Some(&Value::Integer(1))
}

fn within(collection: u64) -> [Value; 4] {
    [collection.into(), "[]".into(), "[]".into(), "[]".into()]
}

pub(super) fn json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Some chunks of a document as a segment.
pub(super) fn segment(
    builder: &mut Builder,
    document: &Document,
    number: u64,
    chunks: &[Chunk],
) -> Segment {
    for chunk in chunks {
        let key = ChunkKey { document: number, number: chunk.number };
        let (title, headings) = (document.title(), chunk.headings.as_slice());
        builder.add(&Indexed { key, title, headings, body: chunk.text(&document.text) });
    }
    builder.finish()
}
