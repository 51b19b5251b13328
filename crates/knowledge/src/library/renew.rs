//! Making the index of a collection anew, a part after the other.
//!
//! Border: which parts there are, and when they are written. Each is staged when it is made: in memory are the words of
//! all chunks, from which meaning is learned, and the vectors of one part, however large the collection is.

use super::change::{Committed, TRIES, Turn, fits, has_room, json};
use super::claim::Claim;
use super::embedded::{Room, Work, text_of};
use super::manifest::{Manifest, ModelPart, Part, SegmentPart};
use super::record::{self, Place, Record};
use super::store::Store;
use super::{Done, Library, LibraryError, Standing, Stats};
use crate::intake::CollectionName;
use crate::rank::lsa::{Model, Vectors};
use crate::rank::segment::{Builder, ChunkKey, Indexed, SEGMENT_CHUNKS, Segment};
use quarry_schema::knowledge as statements;
use std::collections::BTreeSet;

/// Chunks that are read at once.
const PAGE: u32 = 500;

/// An index that is being made: what of it is staged.
struct Staging {
    collection: u64,
    /// What the names of its parts begin with.
    token: String,
    names: Vec<String>,
    manifest: Manifest,
}

impl Staging {
    /// The place of the next part.
    fn part(&mut self, bytes: &[u8]) -> Part {
        let name = format!("{}.{}", self.token, self.names.len());
        self.names.push(name.clone());
        Part { name, bytes: bytes.len() }
    }
}

impl<S: Store> Library<'_, S> {
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
        let mut took_back = false;
        let renewed = self.renew_in_turn(name, claim, &mut took_back).await;
        // It may have had words of a document that was deleted meanwhile.
        if took_back {
            drop(self.empty_log().await);
        }
        renewed
    }

    /// The same; whether some of what was staged was taken back.
    async fn renew_in_turn(
        &self,
        name: &CollectionName,
        claim: &Claim,
        took_back: &mut bool,
    ) -> Done<()> {
        let mut forgets = false;
        for _ in 0..TRIES {
            let Some(standing) = self.known(name).await? else { return Ok(()) };
            let there = self.count_rows(standing.collection).await?;
            self.shelf.borrow_mut().tries((standing.collection, there));
            has_room(name, there, 0, 0)?;
            let room = Room { claim: claim.clone(), staged: None, chunks: there };
            let mut work = self.work_anew(room)?;
            if let Some(work) = &work {
                self.afford_all(name, &standing, work, forgets).await?;
            }
            // It is read again when it is searched: beside the new one there is no room for it.
            self.shelf.borrow_mut().take(standing.collection);
            let mut staging = Staging {
                collection: standing.collection,
                token: self.store.token(),
                names: Vec::new(),
                manifest: Manifest::default(),
            };
            let made = self.make(&standing, work.as_mut(), forgets, &mut staging).await;
            // What cannot be taken back now is swept away later.
            if !matches!(made, Ok(Committed::Yes) | Err(LibraryError::Held(_))) {
                drop(self.run(statements::DROP_BLOBS, [json(&staging.names).into()]).await);
                *took_back = true;
            }
            // The model has another dimension than it had: what is kept is of no use.
            if !forgets && work.as_ref().is_some_and(Work::is_mixed) {
                forgets = true;
                continue;
            }
            forgets = false;
            if let Committed::Yes = made? {
                self.shelf.borrow_mut().waits_no_more(standing.collection);
                // What cannot be forgotten now goes with the next reindex, or with its document; of who dies here, with
                // the next load when its claim has run out.
                let own = staging.manifest.embedding.as_ref();
                drop(self.forget_others(standing.collection, own).await);
                return Ok(());
            }
            self.store.rest(true).await;
        }
        // Documents came faster than the index was made.
        Err(LibraryError::Busy)
    }

    /// Stages every part of the index, and makes it the next version.
    async fn make(
        &self,
        standing: &Standing,
        mut work: Option<&mut Work>,
        forgets: bool,
        staging: &mut Staging,
    ) -> Done<Committed> {
        let segments = self.segments(standing, work.as_deref_mut(), forgets, staging).await?;
        let chunks: usize = segments.iter().map(|segment| segment.entries().len()).sum();
        let mut embedding = work.and_then(|work| work.embeddings()).filter(|_| chunks > 0);
        fits(embedding.as_ref())?;
        if let Some(embedding) = &mut embedding {
            embedding.vectors = u32::try_from(chunks).unwrap_or(u32::MAX);
        }
        staging.manifest.embedding = embedding;
        self.store.rest(false).await;
        self.learned(segments, staging).await?;
        // All that there are, whatever the manifest says: one that cannot be read any more names none of them.
        let live = self.text(statements::LIVE_BLOBS, [standing.collection.into()]).await?;
        let gone: Vec<String> = record::unpack(live)?;
        let (place, names) = ((standing.collection, standing.version), json(&staging.names));
        self.turn(place, &staging.manifest, &gone, Turn::default(), &names).await
    }

    /// Stages what meaning is learned from all segments, one segment's directions after the other.
    async fn learned(&self, segments: Vec<Segment>, staging: &mut Staging) -> Done<()> {
        let Some(model) = Model::train(&segments, None) else { return Ok(()) };
        let part = self.put(staging, &model.to_bytes()).await?;
        let trained_on = model.trained_on();
        staging.manifest.model = Some(ModelPart { part, trained_on, changed: 0 });
        for (at, segment) in segments.into_iter().enumerate() {
            let vectors = model.vectors(&segment);
            let vectors = self.put_vectors(staging, &vectors).await?;
            if let Some(part) = staging.manifest.segments.get_mut(at) {
                part.vectors = vectors;
            }
        }
        Ok(())
    }

    /// Every chunk of a collection, indexed and embedded anew; what is given back are the words. With `forgets`, what
    /// was embedded before does not count.
    async fn segments(
        &self,
        standing: &Standing,
        mut work: Option<&mut Work>,
        forgets: bool,
        staging: &mut Staging,
    ) -> Done<Vec<Segment>> {
        let (mut builder, mut segments) = (Builder::default(), Vec::new());
        let mut texts: Vec<(u64, String)> = Vec::new();
        for number in self.numbers(standing).await? {
            let Some(record) = self.record_of(number).await? else { continue };
            let mut from = 0_u32;
            loop {
                let chunks = self.chunks_of(number, from, PAGE).await?;
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
                        let (segment, texts) = (builder.finish(), std::mem::take(&mut texts));
                        let work = work.as_deref_mut();
                        segments.push(self.segment(segment, work, texts, forgets, staging).await?);
                        self.store.rest(false).await;
                    }
                }
            }
        }
        if !builder.is_empty() {
            let segment = builder.finish();
            segments.push(self.segment(segment, work, texts, forgets, staging).await?);
        }
        Ok(segments)
    }

    /// The numbers of a collection's documents, in their order.
    async fn numbers(&self, standing: &Standing) -> Done<Vec<u64>> {
        let all = [standing.collection.into(), "[]".into(), "[]".into(), "[]".into()];
        let packed = self.text(statements::WITHIN, all).await?;
        let (_, mut numbers): (u64, Vec<u64>) =
            record::inner(packed.as_deref().unwrap_or_default())?;
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// The record of a document; none where it has gone.
    async fn record_of(&self, number: u64) -> Done<Option<Record>> {
        let record = self.text(statements::RECORD, [number.into()]).await?;
        Ok(record.as_deref().map(record::inner).transpose()?)
    }

    /// Whether what embedding anew may cost reaches for all chunks that no vector is known of: before the first is
    /// paid for, because a collection of which a part is embedded serves nobody.
    async fn afford_all(
        &self,
        name: &CollectionName,
        standing: &Standing,
        work: &Work,
        forgets: bool,
    ) -> Done<()> {
        if !work.is_bounded() {
            return Ok(());
        }
        let (mut seen, mut wanted) = (BTreeSet::new(), 0_u64);
        let mut texts = Vec::new();
        for number in self.numbers(standing).await? {
            let Some(record) = self.record_of(number).await? else { continue };
            let mut from = 0_u32;
            while from < record.chunks {
                let chunks = self.chunks_of(number, from, PAGE).await?;
                let Some((last, ..)) = chunks.last() else { break };
                from = last + 1;
                let text = |(_, place, text): &(u32, Place, String)| {
                    text_of(record.title(), &place.headings, text)
                };
                texts.extend(chunks.iter().map(text));
                if texts.len() >= SEGMENT_CHUNKS {
                    wanted += self.wanted(work, &texts, forgets, &mut seen).await?;
                    texts.clear();
                    self.hold(work.claim()).await?;
                    self.store.rest(false).await;
                }
            }
        }
        wanted += self.wanted(work, &texts, forgets, &mut seen).await?;
        self.afforded(name, standing.collection, work, wanted)
    }

    /// Whether what it may cost reaches for so many tokens. How many they are is remembered where it does not: to count
    /// them again for each document of a load would take longer than the load.
    fn afforded(
        &self,
        name: &CollectionName,
        collection: u64,
        work: &Work,
        wanted: u64,
    ) -> Done<()> {
        let Some(setting) = self.setting()?.filter(|_| work.affords(wanted).is_err()) else {
            return Ok(());
        };
        self.shelf.borrow_mut().wants(collection, wanted);
        #[expect(clippy::cast_precision_loss, reason = "an estimate needs no more digits")]
        let cost = setting.price.map(|price| price * wanted as f64 / 1e6);
        let cost = cost.map(|cost| format!(" and {cost:.2} US dollars")).unwrap_or_default();
        Err(LibraryError::TooLarge(format!(
            "embedding all of it by {} takes about {wanted} tokens{cost}, which is more than `embedding_max_cost` pays \
             for; raise that, then POST /knowledge/collections/{}/reindex",
            setting.model,
            name.as_str(),
        )))
    }

    /// Stages a segment and the vectors of its texts.
    async fn segment(
        &self,
        segment: Segment,
        work: Option<&mut Work>,
        texts: Vec<(u64, String)>,
        forgets: bool,
        staging: &mut Staging,
    ) -> Done<Segment> {
        let vectors = self.embed_some(work, texts, forgets).await?;
        let embedded = self.put_vectors(staging, &vectors).await?;
        let part = self.put(staging, &segment.to_bytes()).await?;
        let part = SegmentPart { segment: part, vectors: None, embedded };
        staging.manifest.segments.push(part);
        // A provider may take long: what was staged first is not a dead load's yet.
        let values = [json(&staging.names).into(), self.store.now().into()];
        self.run(statements::TOUCH_BLOBS, values).await?;
        Ok(segment)
    }

    async fn put(&self, staging: &mut Staging, bytes: &[u8]) -> Done<Part> {
        let part = staging.part(bytes);
        self.stage_part(staging.collection, &part.name, bytes).await?;
        Ok(part)
    }

    async fn put_vectors(&self, staging: &mut Staging, vectors: &Vectors) -> Done<Option<Part>> {
        if vectors.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.put(staging, &vectors.to_bytes()).await?))
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
}
