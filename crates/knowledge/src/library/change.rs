//! Changes of a collection: staged, committed, and tried again when others were faster.

use super::embedded::{self, Work};
use super::index::{Fresh, Index, Planned};
use super::load::Coming;
use super::manifest::Manifest;
use super::record::{self, Record};
use super::store::{self, Row, Store, StoreFailed, Value};
use super::{Done, Embeddings, Library, LibraryError, MAX_CHUNKS};
use crate::chunk::Chunk;
use crate::document::Document;
use crate::intake::{CollectionName, Origin};
use crate::rank::segment::{Builder, ChunkKey, Indexed, Segment};
use quarry_schema::{embedding, knowledge as statements};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Bytes of a piece of a blob.
const PIECE: usize = 512 * 1024;

/// Tries to make a change while others make theirs: with dozens who load into one collection at once, each has its
/// turn.
const TRIES: u32 = 96;

/// Looks for a moment without readers, to empty the log of changes.
const LOOKS: u32 = 5;

/// What becomes of documents with a change of the index.
#[derive(Clone, Copy, Default)]
pub(super) struct Turn {
    /// The number of the document that becomes live.
    added: Option<u64>,
    /// The number of the one that goes.
    dropped: Option<u64>,
}

/// A document that was staged, and its part of the index.
pub(super) struct Staged {
    pub number: u64,
    pub hash: String,
    pub before: Vec<String>,
    pub name: Option<String>,
    pub origin: Origin,
    pub chunks: u32,
    pub segments: Vec<Fresh>,
    /// None where nothing is embedded.
    pub work: Option<Work>,
    /// Whether its collection goes on without vectors until there are some of the model that is set.
    pub waits: bool,
}

impl Staged {
    fn coming(&self) -> Coming<'_> {
        let Staged { hash, before, name, origin, .. } = self;
        Coming { hash, before, name: name.as_deref(), origin }
    }
}

/// What there was of a document before a change.
pub(super) enum Before {
    Nothing,
    Another,
    /// The same that was to take its place: nothing was changed.
    Same(Box<Record>),
}

/// How a commit ended.
pub(super) enum Committed {
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
        self.drop_staged(&name, id).await?;
        self.change(&name, id, None).await?;
        // It is gone now. What else there is to do, the next who changes something does.
        drop(self.learn(&name).await);
        drop(self.sweep().await);
        drop(self.empty_log().await);
        Ok(())
    }

    /// Takes away what loads of a document that died have left: it has the document's words, too. One that is under way
    /// fails.
    async fn drop_staged(&self, name: &CollectionName, id: &str) -> Done<()> {
        let values = || [self.owner.as_str().into(), name.as_str().into(), id.into()];
        self.run(embedding::FORGET_STAGED, values()).await?;
        self.run(statements::DROP_STAGED, values()).await?;
        Ok(())
    }

    /// Makes a staged document live in place of the one that has its id, or only takes that away, whatever others do
    /// meanwhile. What there was of it.
    pub(super) async fn change(
        &self,
        name: &CollectionName,
        id: &str,
        staged: Option<&Staged>,
    ) -> Done<Before> {
        let mut outlived = false;
        let done = self.change_in_turn(name, id, staged, &mut outlived).await;
        if outlived {
            drop(self.empty_log().await);
        }
        done
    }

    /// The same; `outlived` becomes true where what was written and taken back may have had words of a document that
    /// was taken away meanwhile, by somebody who has emptied the log before.
    async fn change_in_turn(
        &self,
        name: &CollectionName,
        id: &str,
        staged: Option<&Staged>,
        outlived: &mut bool,
    ) -> Done<Before> {
        let mut tried_with = BTreeSet::new();
        for _ in 0..TRIES {
            let Some(index) = self.index(name).await? else { return Err(LibraryError::Busy) };
            let is_again = !tried_with.is_empty();
            *outlived |= is_again && !index.documents().is_superset(&tried_with);
            // After the index: what is found is of its version, or the version has gone on.
            let live = self.live(index.collection, id).await?;
            let dropped = live.as_ref().map(|(number, _)| *number);
            let before = if live.is_some() { Before::Another } else { Before::Nothing };
            let own = index.manifest.embedding.as_ref();
            let (mut embedding, mut left) = (own.cloned(), Vec::new());
            if let Some(staged) = staged {
                embedding = staged.work.as_ref().and_then(Work::embeddings);
                // Somebody else has brought the collection to another model meanwhile.
                let takes =
                    if staged.waits { !self.is_set(own)? } else { index.takes(embedding.as_ref()) };
                if !takes {
                    return Err(LibraryError::Busy);
                }
                let old = live.as_ref().map_or(0, |(_, record)| record.chunks);
                // Somebody else has loaded the same meanwhile, or another of its name.
                if let Some(live) = live
                    && let Some(record) = self.there(live, staged.coming()).await?
                {
                    return Ok(Before::Same(Box::new(record)));
                }
                has_room(name, index.chunks(), staged.chunks, old)?;
                fits(embedding.as_ref())?;
            } else if dropped.is_none() {
                return Ok(before);
            } else {
                // Parts that somebody who died has left may have its words.
                let staged = self.text(statements::STAGED_BLOBS, [index.collection.into()]).await?;
                left = record::unpack(staged)?;
            }
            let added = staged.map_or(&[][..], |staged| staged.segments.as_slice());
            let turn = Turn { added: staged.map(|staged| staged.number), dropped };
            let mut planned = index.change(dropped, added, embedding, &self.store.token());
            planned.gone.append(&mut left);
            if let Committed::Yes = self.commit(&index, &planned, turn).await? {
                self.keep(index, planned);
                return Ok(before);
            }
            tried_with = index.documents();
            drop(index);
            self.store.rest(true).await;
        }
        *outlived = true;
        Err(LibraryError::Busy)
    }

    /// The chunks of a collection as the database counts them.
    pub(super) async fn count_rows(&self, collection: u64) -> Done<usize> {
        let rows = self.run(statements::COUNT, [collection.into()]).await?;
        let chunks = store::number(&rows).unwrap_or_default();
        Ok(usize::try_from(chunks).unwrap_or(usize::MAX))
    }

    /// Learns meaning anew where too much has changed. Others who are faster have done it. An index with other words than
    /// this version's is made anew, by whoever leaves it the vectors that it has.
    pub(super) async fn learn(&self, name: &CollectionName) -> Done<()> {
        let Some(index) = self.index(name).await? else { return Ok(()) };
        let own = index.manifest.embedding.as_ref().map(|own| own.model.as_str());
        let set = self.setting().map(|set| set.map(|setting| setting.model.as_str()));
        if index.manifest.has_other_words() && set.is_ok_and(|set| set == own) {
            let made = index.manifest.made.clone();
            drop(index);
            return self.reindex_behind(name, made.as_deref()).await.map(drop);
        }
        if !index.is_stale() {
            return Ok(());
        }
        self.store.rest(false).await;
        self.relearn(name, index).await
    }

    /// Deletes what loads that died have left behind.
    pub(super) async fn sweep(&self) -> Done<()> {
        let oldest = self.store.now().saturating_sub(STAGED);
        let documents = self.run(statements::SWEEP_DOCUMENTS, [oldest.into()]).await?;
        let blobs = self.run(statements::SWEEP_BLOBS, [oldest.into()]).await?;
        if !(documents.is_empty() && blobs.is_empty()) {
            self.empty_log().await?;
        }
        self.sweep_left().await?;
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
            Ok(()) => {
                let Planned { manifest, gone, .. } = planned;
                self.turn((index.collection, index.version), manifest, gone, turn, &names).await
            }
            Err(error) => Err(error),
        };
        self.takes_back(&committed, names).await;
        committed
    }

    /// Takes back the parts of these names where the version that they are of did not come to be; whether it did not. What
    /// cannot be taken back now is swept away later.
    pub(super) async fn takes_back(&self, made: &Done<Committed>, names: String) -> bool {
        let takes = !matches!(made, Ok(Committed::Yes) | Err(LibraryError::Held(_)));
        if takes {
            drop(self.run(statements::DROP_BLOBS, [names.into()]).await);
        }
        takes
    }

    async fn stage(&self, index: &Index, planned: &Planned) -> Done<()> {
        for (name, bytes) in &planned.puts {
            self.stage_part(index.collection, name, bytes).await?;
        }
        Ok(())
    }

    /// Writes a part of an index beside those that readers have.
    pub(super) async fn stage_part(&self, collection: u64, name: &str, bytes: &[u8]) -> Done<()> {
        let values = [name.into(), collection.into(), self.store.now().into()];
        self.run(statements::STAGE_BLOB, values).await?;
        for (number, piece) in (0_u32..).zip(bytes.chunks(PIECE)) {
            let values = [name.into(), number.into(), Value::Blob(piece.to_vec())];
            self.run(statements::STAGE_PIECE, values).await?;
        }
        Ok(())
    }

    /// Makes what was staged the next version behind this one.
    pub(super) async fn turn(
        &self,
        (collection, version): (u64, u64),
        manifest: &Manifest,
        gone: &[String],
        turn: Turn,
        names: &str,
    ) -> Done<Committed> {
        let values = [
            collection.into(),
            version.into(),
            self.store.now().into(),
            manifest.write().into(),
            turn.added.into(),
            turn.dropped.into(),
            names.into(),
            json(&gone).into(),
        ];
        match self.store.run(statements::COMMIT, values.into()).await {
            Ok(_) => Ok(Committed::Yes),
            Err(StoreFailed::Failed(why)) if statements::has_gone_on(&why) => Ok(Committed::GoneOn),
            Err(StoreFailed::Failed(why)) if statements::was_taken_away(&why) => {
                Err(LibraryError::Busy)
            }
            // It may have worked without saying so: nobody else writes this manifest.
            Err(error) => match self.is_there(collection, manifest).await {
                Ok(true) => Ok(Committed::Yes),
                Ok(false) | Err(_) => Err(error.into()),
            },
        }
    }

    async fn is_there(&self, collection: u64, manifest: &Manifest) -> Done<bool> {
        let text = self.text(statements::MANIFEST, [collection.into()]).await?;
        Ok(text.is_some_and(|text| text == manifest.write()))
    }

    /// Brings what was overwritten into the file, and empties the log that still has it.
    pub(super) async fn empty_log(&self) -> Done<()> {
        for _ in 0..LOOKS {
            match self.store.run(statements::EMPTY_LOG, Vec::new()).await {
                Ok(rows) if is_busy(&rows) => self.store.rest(true).await,
                // A server keeps its log to itself.
                Ok(_)
                | Err(
                    StoreFailed::Failed(_)
                    | StoreFailed::Full(_)
                    | StoreFailed::Defective(_)
                    | StoreFailed::Held(_),
                ) => return Ok(()),
                Err(error @ StoreFailed::None(_)) => return Err(error.into()),
            }
        }
        // A reader that is always there: the next who deletes, or the log's own turning over, does it.
        Ok(())
    }
}

/// Whether a collection may have some chunks more and some less.
pub(super) fn has_room(name: &CollectionName, there: usize, new: u32, old: u32) -> Done<()> {
    let size = |chunks: u32| usize::try_from(chunks).unwrap_or(usize::MAX);
    let chunks = there.saturating_sub(size(old)).saturating_add(size(new));
    if chunks <= usize::try_from(MAX_CHUNKS).unwrap_or(usize::MAX) {
        return Ok(());
    }
    Err(LibraryError::TooLarge(format!(
        "collection `{}` would have {chunks} chunks, {MAX_CHUNKS} are the most; load into another \
         collection, or delete documents",
        name.as_str()
    )))
}

/// Whether vectors can be searched.
pub(super) fn fits(embedding: Option<&Embeddings>) -> Done<()> {
    let Some(Embeddings { model, dimension, .. }) = embedding else { return Ok(()) };
    if *dimension <= embedded::MOST {
        return Ok(());
    }
    Err(LibraryError::TooLarge(format!(
        "vectors by {model} have {dimension} numbers, {} are the most; set `embedding_model` to a model with fewer",
        embedded::MOST,
    )))
}

/// Milliseconds after which what was staged belongs to a load that died.
const STAGED: u64 = 60 * 60 * 1_000;

fn is_busy(rows: &[Row]) -> bool {
    rows.first().and_then(|row| row.first()) == Some(&Value::Integer(1))
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
