//! Making the index of a collection anew, or what meaning it has learned, a part after the other.
//!
//! Border: which parts there are, and when they are written. Each is staged when it is made: in memory are the words of
//! all chunks, from which meaning is learned, and the vectors of one part, however large the collection is.

use super::change::{Committed, Turn, fits, has_room, json};
use super::claim::Claim;
use super::embedded::{Room, Work, text_of};
use super::index::Index;
use super::manifest::{Embeddings, Manifest, ModelPart, Part, SegmentPart};
use super::record::{self, Place, Record};
use super::store::Store;
use super::{Done, Library, LibraryError, Standing, Stats};
use crate::intake::CollectionName;
use crate::rank::lsa::{Model, Vectors};
use crate::rank::segment::{Builder, ChunkKey, Damaged, Indexed, SEGMENT_CHUNKS, Segment};
use quarry_schema::knowledge as statements;
use quarry_types::text;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Chunks that are read at once.
const PAGE: u32 = 500;
/// Times an index is made from nothing, while documents go that are in it.
const TRIES: u32 = 4;
/// Times what came meanwhile is added to it: each is a moment in which others come.
const ADDS: u32 = 24;

/// An index that is being made: what of it is staged.
struct Staging {
    collection: u64,
    claim: Claim,
    /// Of which version of the collection it is, and the numbers of the documents in it.
    version: u64,
    documents: BTreeSet<u64>,
    chunks: usize,
    model: Option<Model>,
    /// What the names of its parts begin with.
    token: String,
    names: Vec<String>,
    manifest: Manifest,
}

impl Staging {
    /// Nothing yet of the index of a collection as it stands.
    fn new(standing: &Standing, claim: &Claim, token: String) -> Staging {
        Staging {
            collection: standing.collection,
            claim: claim.clone(),
            version: standing.version,
            documents: BTreeSet::new(),
            chunks: 0,
            model: None,
            names: Vec::new(),
            manifest: Manifest::made_by(&token),
            token,
        }
    }

    /// An index with the same words and vectors, of which nothing was learned yet.
    fn behind(index: &Index, name: &CollectionName, token: String) -> Staging {
        let mut manifest = index.manifest.clone();
        manifest.model = None;
        manifest.segments.iter_mut().for_each(|part| part.vectors = None);
        let Index { collection, version, .. } = *index;
        let standing = Standing { collection, version, manifest: String::new() };
        Staging { manifest, ..Staging::new(&standing, &Claim::none(name.clone()), token) }
    }

    /// Says of how many chunks there are vectors.
    fn count_vectors(&mut self, work: Option<&Work>) -> Done<()> {
        let embedding = work.and_then(Work::embeddings).filter(|_| self.chunks > 0);
        fits(embedding.as_ref())?;
        let vectors = u32::try_from(self.chunks).unwrap_or(u32::MAX);
        self.manifest.embedding = embedding.map(|own| Embeddings { vectors, ..own });
        Ok(())
    }

    /// The place of the next part.
    fn part(&mut self, bytes: &[u8]) -> Part {
        let name = format!("{}.{}", self.token, self.names.len());
        self.names.push(name.clone());
        Part { name, bytes: bytes.len() }
    }
}

impl<S: Store> Library<'_, S> {
    /// Makes the index of a collection anew from its chunks. Who has to wait for others who do, and finds theirs as it
    /// is wanted, makes none.
    ///
    /// # Errors
    /// Where there is no such collection, or the database fails: then searches have the old one.
    pub async fn reindex(&self, name: &CollectionName) -> Done<Stats> {
        let standing = self.standing(name).await?;
        let made = standing.and_then(|standing| Manifest::read(&standing.manifest).ok()?.made);
        self.reindex_behind(name, made.as_deref()).await
    }

    /// The same, unless another reindex has made it than the one that was seen.
    pub(super) async fn reindex_behind(
        &self,
        name: &CollectionName,
        seen: Option<&str>,
    ) -> Done<Stats> {
        let claim = self.claim(name).await?;
        let renewed = match self.is_made_behind(name, seen).await {
            // Whoever made it may have died behind its commit.
            Ok(true) => self.forget_all_but_its_own(name).await,
            Ok(false) => self.renew(name, &claim).await,
            Err(error) => Err(error),
        };
        self.release(claim).await;
        match renewed {
            Ok(()) => {
                self.spent().await;
                self.stats(name).await
            }
            Err(error) => Err(self.behind(error).await),
        }
    }

    /// Whether another reindex than the one that was seen has made an index as it is wanted now.
    async fn is_made_behind(&self, name: &CollectionName, seen: Option<&str>) -> Done<bool> {
        let Some(standing) = self.standing(name).await? else { return Ok(false) };
        let Ok(manifest) = Manifest::read(&standing.manifest) else { return Ok(false) };
        let is_another = manifest.made.is_some() && manifest.made.as_deref() != seen;
        let is_wanted = !manifest.has_other_words() && self.is_aligned(Some(&standing))?;
        Ok(is_another && is_wanted && !self.is_doubted(name).await?)
    }

    /// Makes it, by whoever has the right to it.
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
            let mut staging = Staging::new(&standing, claim, self.store.token());
            let made = self.make(work.as_mut(), forgets, &mut staging).await;
            *took_back |= self.takes_back(&made, json(&staging.names)).await;
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
        Err(LibraryError::Outrun(name.as_str().to_owned()))
    }

    /// Makes the next version of an index, of which meaning is learned anew.
    pub(super) async fn relearn(&self, name: &CollectionName, index: Rc<Index>) -> Done<()> {
        let (before, old) = (index.learns_from(), index.manifest.clone());
        let mut staging = Staging::behind(&index, name, self.store.token());
        // It is read again when it is wanted: beside what learning takes there is no room for the vectors of a large one.
        self.shelf.borrow_mut().take(index.collection);
        drop(index);
        let mut segments = Vec::with_capacity(old.segments.len());
        for SegmentPart { segment: part, .. } in &old.segments {
            let Some(blob) = self.blob(part).await? else { return Ok(()) };
            let blob = Some(blob).filter(|blob| blob.len() == part.bytes);
            segments.push(Segment::from_bytes(&blob.ok_or(Damaged("segment"))?)?);
        }
        let made = match self.learned(segments, before, &mut staging).await {
            Ok(()) => {
                let (place, names) = ((staging.collection, staging.version), json(&staging.names));
                let gone = old.without(&staging.manifest);
                self.turn(place, &staging.manifest, &gone, Turn::default(), &names).await
            }
            Err(error) => Err(error),
        };
        // What was taken back may have had words of a document that was deleted meanwhile.
        if self.takes_back(&made, json(&staging.names)).await {
            drop(self.empty_log().await);
        }
        made.map(|_| ())
    }

    /// Stages every part of the index, and makes it the next version, with what comes meanwhile.
    async fn make(
        &self,
        mut work: Option<&mut Work>,
        forgets: bool,
        staging: &mut Staging,
    ) -> Done<Committed> {
        let all = self.numbers(staging.collection).await?;
        let segments = self.segments(&all, work.as_deref_mut(), forgets, staging).await?;
        staging.count_vectors(work.as_deref())?;
        self.store.rest(false).await;
        self.learned(segments, None, staging).await?;
        for _ in 0..ADDS {
            // All that there are, whatever the manifest says: one that cannot be read any more names none of them.
            let live = self.text(statements::LIVE_BLOBS, [staging.collection.into()]).await?;
            let gone: Vec<String> = record::unpack(live)?;
            let (place, names) = ((staging.collection, staging.version), json(&staging.names));
            match self.turn(place, &staging.manifest, &gone, Turn::default(), &names).await {
                Ok(Committed::GoneOn) => {}
                // Who has deleted a document has taken parts away with it.
                Err(LibraryError::Busy) => return Ok(Committed::GoneOn),
                done => return done,
            }
            if !self.add(work.as_deref_mut(), forgets, staging).await? {
                break;
            }
        }
        Ok(Committed::GoneOn)
    }

    /// Adds documents that came meanwhile to what was made: it would come too late each time beside somebody who loads
    /// one after the other. False where one has gone, whose words are in it.
    async fn add(
        &self,
        mut work: Option<&mut Work>,
        forgets: bool,
        staging: &mut Staging,
    ) -> Done<bool> {
        let Some(standing) = self.known(staging.claim.name()).await? else { return Ok(false) };
        let all = self.numbers(staging.collection).await?;
        let came: Vec<u64> =
            all.iter().copied().filter(|number| !staging.documents.contains(number)).collect();
        if all.len() - came.len() < staging.documents.len() {
            return Ok(false);
        }
        let (from, chunks) = (staging.manifest.segments.len(), staging.chunks);
        let segments = self.segments(&came, work.as_deref_mut(), forgets, staging).await?;
        staging.count_vectors(work.as_deref())?;
        self.directions(staging, from, segments).await?;
        if let Some(model) = &mut staging.manifest.model {
            let new = u32::try_from(staging.chunks - chunks).unwrap_or(u32::MAX);
            model.changed = model.changed.saturating_add(new);
        }
        staging.version = standing.version;
        Ok(true)
    }

    /// Stages what meaning is learned from all segments, and their directions. What was learned `before` is where it begins.
    async fn learned(
        &self,
        segments: Vec<Segment>,
        before: Option<Model>,
        staging: &mut Staging,
    ) -> Done<()> {
        let Some(model) = Model::train(&segments, before) else { return Ok(()) };
        let part = self.put(staging, &model.to_bytes()).await?;
        let trained_on = model.trained_on();
        staging.manifest.model = Some(ModelPart { part, trained_on, changed: 0 });
        staging.model = Some(model);
        self.directions(staging, 0, segments).await
    }

    /// Stages the directions of segments that stand behind so many others, one after the other.
    async fn directions(
        &self,
        staging: &mut Staging,
        behind: usize,
        segments: Vec<Segment>,
    ) -> Done<()> {
        for (at, segment) in (behind..).zip(segments) {
            let Some(model) = &staging.model else { break };
            let vectors = model.vectors(&segment);
            let vectors = self.put_vectors(staging, &vectors).await?;
            if let Some(part) = staging.manifest.segments.get_mut(at) {
                part.vectors = vectors;
            }
            self.hold(&staging.claim).await?;
        }
        Ok(())
    }

    /// Every chunk of some documents, indexed and embedded anew; what is given back are the words. With `forgets`, what
    /// was embedded before does not count.
    async fn segments(
        &self,
        numbers: &[u64],
        mut work: Option<&mut Work>,
        forgets: bool,
        staging: &mut Staging,
    ) -> Done<Vec<Segment>> {
        let (mut builder, mut segments) = (Builder::default(), Vec::new());
        let mut texts: Vec<(u64, String)> = Vec::new();
        for number in numbers.iter().copied() {
            staging.documents.insert(number);
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
    async fn numbers(&self, collection: u64) -> Done<Vec<u64>> {
        let all = [collection.into(), "[]".into(), "[]".into(), "[]".into()];
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
        for number in self.numbers(standing.collection).await? {
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
        let cost = cost.map(|cost| format!(" and {} US dollars", text::dollars(cost, 2)));
        Err(LibraryError::TooLarge(format!(
            "embedding all of it by {} takes about {}{}, which is more than `embedding_max_cost` pays for; raise that, \
             then POST /knowledge/collections/{}/reindex",
            setting.model,
            text::count(wanted, "token", "tokens"),
            cost.unwrap_or_default(),
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
        staging.chunks += segment.entries().len();
        self.hold(&staging.claim).await?;
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
            self.uncache(work, &texts, None).await?;
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
