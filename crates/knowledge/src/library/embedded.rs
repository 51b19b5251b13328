//! Vectors of a provider's model: from the cache, or paid for and kept there before anything else happens.
//!
//! Border: which texts are sent, and what is kept; who sends them is the store's.

use super::bought::Tries;
use super::change::{fits, json};
use super::claim::{Claim, Progress, TEXTS_HELD, Wanted};
use super::error::{Passes, Unserved};
use super::manifest::{Embeddings, Manifest};
use super::store::{self, EmbedFailed, Store, Value, Waiting};
use super::{Done, Library, LibraryError};
use crate::embed::{BatchLimits, EmbedError, Embedding, Next, Scope, TextKey};
use crate::intake::CollectionName;
use crate::rank::lsa::{Vector, Vectors};
use quarry_schema::embedding as statements;
use quarry_types::{ModelId, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// What one call takes: what every known provider takes.
const BATCH: BatchLimits = BatchLimits { texts: 64, tokens: 16_000 };
/// Numbers of a vector: with more, those of a full collection would not fit into a component's memory.
pub(super) const MOST: usize = 4_096;
/// Milliseconds without a vector for which a load waits for others who are paying for its texts: those of somebody who
/// died are free long before.
const PATIENCE: u64 = 8 * TEXTS_HELD;
/// Tries of one batch of which all but the last may have been paid for, the milliseconds between two, and those since the
/// first after which there is no other.
const TRIES: u32 = 3;
const BETWEEN: u64 = 1_000;
const LAST_TRY: u64 = 60 * 1_000;
/// Milliseconds for which vectors are kept that no document has.
pub(super) const KEPT: u64 = 24 * 60 * 60 * 1_000;

/// Which model embeds, and what a load may pay for.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbeddingSetting {
    /// `provider:name`.
    pub model: String,
    /// Tokens that one load may pay for.
    pub budget: u64,
    /// US dollars for a million of them; none: not known.
    pub price: Option<f64>,
}

impl EmbeddingSetting {
    /// Reads the setting, which names its provider: the one of chats may be another.
    ///
    /// # Errors
    /// What is wrong with it, and how to write it.
    pub fn read(model: &str, budget: u64) -> Result<Self, String> {
        let model: ModelId = model.parse().map_err(|error| {
            format!(
                "embedding_model must be provider:name, such as openai:text-embedding-3-small: {error}"
            )
        })?;
        Ok(EmbeddingSetting { model: model.to_string(), budget, price: None })
    }
}

/// The chunks that are embedded, and the right to do so.
pub(super) struct Room {
    pub claim: Claim,
    /// The number of the document that is staged meanwhile.
    pub staged: Option<u64>,
    pub chunks: usize,
}

/// Embedding for one load.
pub(super) struct Work {
    scope: Scope,
    state: Embedding,
    room: Room,
    /// Chunks that have their vector.
    done: usize,
    /// The cache has vectors of another dimension than those that come.
    is_mixed: bool,
    /// Whether a reply was taken.
    has_paid: bool,
}

impl Work {
    /// Begins. `dimension` is what the collection has.
    fn new(scope: Scope, dimension: Option<usize>, room: Room, budget: u64) -> Work {
        let state = Embedding::new(scope.clone(), dimension, BATCH, budget);
        Work { scope, state, room, done: 0, is_mixed: false, has_paid: false }
    }

    /// Whether vectors of the dimension that is known by now can be searched.
    fn fits(&self) -> Done<()> {
        fits(self.embeddings().as_ref())
    }

    /// Whether what it may cost reaches for so many tokens.
    pub fn affords(&self, wanted: u64) -> Done<()> {
        self.state.afford_tokens(wanted).map_err(refused)
    }

    /// Whether there is anything that it may not cost.
    pub const fn is_bounded(&self) -> bool {
        self.state.is_bounded()
    }

    /// By what right it embeds.
    pub const fn claim(&self) -> &Claim {
        &self.room.claim
    }

    /// Whether it failed because vectors that came do not fit to those that are kept.
    pub const fn is_mixed(&self) -> bool {
        self.is_mixed
    }

    /// Whether it failed because nothing that came fits to what earlier loads have left, where no collection says which
    /// of the two is right.
    pub const fn meets_leftovers(&self) -> bool {
        self.is_mixed && !self.has_paid && self.state.given().is_none()
    }

    /// Whether a vector that was kept can stand beside those of the collection.
    fn takes(&self, kept: &Vector) -> bool {
        self.state.given().is_none_or(|given| given == kept.width())
    }

    fn refused(&mut self, error: EmbedError) -> LibraryError {
        self.is_mixed |= matches!(error, EmbedError::Dimension { .. } | EmbedError::Mixed { .. });
        refused(error)
    }

    fn progress(&self, done: usize) -> Progress {
        Progress::of(done, self.room.chunks.max(done))
    }

    /// The vectors of a collection that has these.
    pub fn embeddings(&self) -> Option<Embeddings> {
        let (model, dimension) = (self.scope.model.clone(), self.state.dimension()?);
        Some(Embeddings { model, dimension, vectors: 0 })
    }
}

/// A chunk as it is embedded: with what it stands under, without which many say nothing.
pub(super) fn text_of(title: &str, headings: &[String], body: &str) -> String {
    let above = headings.iter().map(String::as_str).filter(|heading| *heading != title);
    let above: Vec<&str> =
        std::iter::once(title).chain(above).filter(|of| !of.is_empty()).collect();
    if above.is_empty() { body.to_owned() } else { format!("{}\n{body}", above.join(" > ")) }
}

impl<S: Store> Library<'_, S> {
    /// Begins to embed for a load.
    pub(super) async fn work(&self, room: Room) -> Done<Option<Work>> {
        let Some(setting) = self.setting()? else { return Ok(None) };
        let standing = self.standing(room.claim.name()).await?;
        let own = standing.and_then(|standing| Manifest::read(&standing.manifest).ok()?.embedding);
        let own = own.filter(|own| own.model == setting.model);
        let work = self.begun_with(setting, own.map(|own| own.dimension), room);
        work.fits()?;
        Ok(Some(work))
    }

    /// Begins to embed a collection anew.
    pub(super) fn work_anew(&self, room: Room) -> Done<Option<Work>> {
        let Some(setting) = self.setting()? else { return Ok(None) };
        Ok(Some(self.begun_with(setting, None, room)))
    }

    /// What a request may cost counts for all that it does.
    fn begun_with(&self, setting: &EmbeddingSetting, dimension: Option<usize>, room: Room) -> Work {
        self.opens_account(&setting.model);
        Work::new(self.scope(&setting.model), dimension, room, self.left(setting))
    }

    /// Tokens that this request may still pay for.
    pub(super) fn left(&self, setting: &EmbeddingSetting) -> u64 {
        setting.budget.saturating_sub(self.paid_tokens())
    }

    pub(super) fn scope(&self, model: &str) -> Scope {
        Scope { owner: self.owner.as_str().to_owned(), model: model.to_owned() }
    }

    /// Tokens by estimate of the texts that no vector is known of, each once; `seen` has those of before. With
    /// `forgets`, those that are known do not count.
    pub(super) async fn wanted(
        &self,
        work: &Work,
        texts: &[String],
        forgets: bool,
        seen: &mut BTreeSet<TextKey>,
    ) -> Done<u64> {
        let keys: Vec<TextKey> = texts.iter().map(|text| work.scope.key(text)).collect();
        let asked = if forgets { "[]".to_owned() } else { digits(keys.iter()) };
        let there = self.run(statements::THERE, [asked.into()]).await?;
        let there: BTreeSet<String> =
            there.into_iter().flatten().filter_map(store::text_of).collect();
        let new = keys.iter().zip(texts);
        let new = new.filter(|(key, _)| !there.contains(&key.digits()) && seen.insert(**key));
        Ok(new.map(|(_, text)| tokens::estimate(text)).fold(0, u64::saturating_add))
    }

    /// The keys and vectors of texts, all of which have one then. What is new is in the cache before the next batch
    /// is paid for, and what others are paying for just now is waited for.
    pub(super) async fn embed(
        &self,
        work: &mut Work,
        texts: &[String],
    ) -> Done<(Vec<TextKey>, Vectors)> {
        let keys: Vec<TextKey> = texts.iter().map(|text| work.scope.key(text)).collect();
        let mut seen = BTreeSet::new();
        let all = keys.iter().zip(texts).filter(|(key, _)| seen.insert(**key));
        let mut missing: Vec<(TextKey, &str)> =
            all.map(|(key, text)| (*key, text.as_str())).collect();
        let (holder, mut since, mut is_first) = (self.store.token(), self.store.now(), true);
        while !missing.is_empty() {
            let mut known = self.cached(missing.iter().map(|(key, _)| key)).await?;
            let mut misfits = Vec::new();
            for (key, text) in &missing {
                match known.remove(&key.digits()) {
                    None => {}
                    Some(kept) if !work.takes(&kept) => misfits.push((*text).to_owned()),
                    kept => {
                        work.state.add(text, kept).map_err(|error| work.refused(error))?;
                    }
                }
            }
            missing.retain(|(key, _)| work.state.vector(key).is_none());
            if missing.is_empty() {
                break;
            }
            let there = work.done + texts.len().saturating_sub(missing.len());
            self.says(&work.room.claim, work.progress(there)).await;
            // What would not reach to the end is not begun.
            if std::mem::take(&mut is_first) && work.state.spent() == 0 {
                work.state.afford(missing.iter().map(|(_, text)| *text)).map_err(refused)?;
            }
            let has_some = match misfits.is_empty() {
                true => self.pay_some(work, &missing, &holder).await?,
                false => self.replace(work, &misfits, &holder).await?,
            };
            if has_some {
                since = self.store.now();
                missing.retain(|(key, _)| work.state.vector(key).is_none());
            } else if self.store.now().saturating_sub(since) > PATIENCE {
                return Err(not_embedded(&work.scope.model, busy()));
            } else {
                self.store.rest(true).await;
            }
        }
        work.done += texts.len();
        self.says(&work.room.claim, work.progress(work.done)).await;
        let id = work.embeddings().map(|of| (of.id(), of.dimension)).unwrap_or_default();
        let mut vectors = Vectors::new(id.0, id.1);
        keys.iter().filter_map(|key| work.state.vector(key)).for_each(|one| vectors.push(one));
        work.state.let_go();
        Ok((keys, vectors))
    }

    /// Makes room for other vectors of texts whose vectors do not fit to the collection. A failed load has left them, or
    /// another collection has them: what the model gives by now, its vector of the first has to say. Where that does not
    /// fit either, what is there stays. False: somebody else asks for the first just now.
    async fn replace(&self, work: &mut Work, misfits: &[String], holder: &str) -> Done<bool> {
        let Some(first) = misfits.first() else { return Ok(false) };
        let key = work.scope.key(first);
        let own = self.claim_texts(holder, digits(std::iter::once(&key)), Wanted::Anew).await?;
        if own.is_empty() {
            return Ok(false);
        }
        let done = self.replace_claimed(work, (key, first.as_str()), misfits, holder).await;
        self.release_texts(holder).await;
        done.map(|()| true)
    }

    async fn replace_claimed(
        &self,
        work: &mut Work,
        (key, first): (TextKey, &str),
        misfits: &[String],
        holder: &str,
    ) -> Done<()> {
        // Whoever had it before may have paid for it since it was read.
        let there = self.cached(std::iter::once(&key)).await?;
        if there.get(&key.digits()).is_some_and(|kept| work.takes(kept)) {
            return Ok(());
        }
        work.state.add(first, None).map_err(|error| work.refused(error))?;
        self.pay(work, holder).await?;
        // Others may have paid for some while the provider was asked: what fits by now stays.
        self.uncache(work, misfits, work.state.given()).await
    }

    /// Pays for those of some texts that nobody else is paying for. Whether there were any.
    async fn pay_some(
        &self,
        work: &mut Work,
        texts: &[(TextKey, &str)],
        holder: &str,
    ) -> Done<bool> {
        let wanted = digits(texts.iter().map(|(key, _)| key));
        let own = self.claim_texts(holder, wanted, Wanted::Missing).await?;
        if own.is_empty() {
            return Ok(false);
        }
        let own = texts.iter().filter(|(key, _)| own.contains(&key.digits()));
        let added = own.map(|(_, text)| work.state.add(text, None)).collect::<Result<Vec<_>, _>>();
        let done = match added {
            Ok(_) => self.pay(work, holder).await,
            Err(error) => Err(work.refused(error)),
        };
        self.release_texts(holder).await;
        done.map(|()| true)
    }

    async fn pay(&self, work: &mut Work, holder: &str) -> Done<()> {
        let model = work.scope.model.clone();
        let mut tries = Tries::new(TRIES, LAST_TRY);
        while let Next::Ask(batch) = work.state.step().map_err(|error| work.refused(error))? {
            // The first batch tells how many numbers a vector has: no other is paid for in vain.
            work.fits()?;
            self.hold(&work.room.claim).await?;
            self.hold_texts(holder).await?;
            // A provider may take long: what was staged is not a dead load's yet.
            if let Some(number) = work.room.staged {
                self.touch(number).await?;
            }
            let since = tries.begin(self.store.now());
            let embedded =
                match self.bought(work.room.claim.name(), &model, batch, Waiting::Load).await {
                    Ok(embedded) => embedded,
                    Err(lost) => {
                        work.state.lost(lost.tokens);
                        if !tries.go_on(&lost, self.store.now().saturating_sub(since)) {
                            return Err(not_embedded(&model, lost.failed));
                        }
                        self.store.pause(BETWEEN).await;
                        continue;
                    }
                };
            tries = Tries::new(TRIES, LAST_TRY);
            let taken = work.state.answered(embedded.vectors, embedded.tokens);
            let fresh = match taken.map_err(|error| work.refused(error)) {
                Err(error) if work.is_mixed => {
                    self.doubt(work.room.claim.name()).await;
                    return Err(error);
                }
                taken => taken?,
            };
            work.has_paid = true;
            let fresh: Vec<(TextKey, &Vector)> =
                fresh.into_iter().filter_map(|key| Some((key, work.state.vector(&key)?))).collect();
            self.cache(&fresh).await?;
        }
        Ok(())
    }

    /// Vectors that are there, by the digits of their keys.
    pub(super) async fn cached(
        &self,
        keys: impl Iterator<Item = &TextKey>,
    ) -> Done<BTreeMap<String, Vector>> {
        let rows = self.run(statements::KNOWN, [digits(keys).into()]).await?;
        let known = rows.into_iter().filter_map(|row| {
            let [Value::Text(hash), Value::Blob(bytes)] = <[Value; 2]>::try_from(row).ok()? else {
                return None;
            };
            Some((hash, Vector::of_bytes(&bytes)))
        });
        Ok(known.collect())
    }

    /// Keeps vectors of one width.
    pub(super) async fn cache(&self, fresh: &[(TextKey, &Vector)]) -> Done<()> {
        let width = fresh.first().map_or(0, |(_, vector)| vector.width());
        let bytes: Vec<u8> = fresh.iter().flat_map(|(_, vector)| vector.bytes()).collect();
        let width = u32::try_from(width).unwrap_or(u32::MAX);
        let hashes = digits(fresh.iter().map(|(key, _)| key));
        let values = [hashes.into(), self.store.now().into(), Value::Blob(bytes), width.into()];
        self.run(statements::KEEP, values).await?;
        Ok(())
    }

    /// Forgets what the cache has of texts, so that they are paid for again; not the vectors of as many numbers as
    /// `spared`.
    pub(super) async fn uncache(
        &self,
        work: &Work,
        texts: &[String],
        spared: Option<usize>,
    ) -> Done<()> {
        let keys: Vec<TextKey> = texts.iter().map(|text| work.scope.key(text)).collect();
        let hashes = digits(keys.iter());
        let spared = spared.map(|width| u32::try_from(width).unwrap_or(u32::MAX));
        // Else a document would have what comes in its place only as it had the other.
        self.run(statements::DROP_USES, [hashes.clone().into(), spared.into()]).await?;
        self.run(statements::DROP, [hashes.into(), spared.into()]).await?;
        Ok(())
    }

    /// A model gives other vectors than those of a collection, all of which may be in the cache: whoever makes it anew is to
    /// see that. Without it a reindex would find nothing to ask for, and change nothing.
    pub(super) async fn doubt(&self, name: &CollectionName) {
        let (owner, name) = (self.owner.as_str(), name.as_str());
        // What cannot be forgotten now is by the next who meets it.
        drop(self.run(statements::DOUBT, [owner.into(), name.into()]).await);
    }

    /// Whether somebody has seen that its model gives other vectors by now.
    pub(super) async fn is_doubted(&self, name: &CollectionName) -> Done<bool> {
        let (owner, name) = (self.owner.as_str(), name.as_str());
        let rows = self.run(statements::DOUBTED, [owner.into(), name.into()]).await?;
        Ok(!rows.is_empty())
    }

    /// Notes that a document has vectors.
    pub(super) async fn uses(&self, document: u64, model: u32, keys: &[TextKey]) -> Done<()> {
        let values = [document.into(), model.into(), digits(keys.iter()).into()];
        self.run(statements::USE, values).await?;
        Ok(())
    }

    /// Lets go of the vectors that a collection had of another model: for a while it may go back.
    pub(super) async fn forget_others(
        &self,
        collection: u64,
        own: Option<&Embeddings>,
    ) -> Done<()> {
        let own = own.map_or(0, Embeddings::id);
        let values = [collection.into(), own.into(), self.store.now().into()];
        self.run(statements::LEAVE, values).await?;
        Ok(())
    }

    pub(super) async fn sweep_vectors(&self) -> Done<()> {
        let oldest = self.store.now().saturating_sub(KEPT);
        self.run(statements::SWEEP, [oldest.into()]).await?;
        self.sweep_texts().await
    }

    /// Forgets vectors of models that collections have left.
    pub(super) async fn sweep_left(&self) -> Done<()> {
        let oldest = self.store.now().saturating_sub(KEPT);
        self.run(statements::FORGET, [oldest.into()]).await?;
        Ok(())
    }

    /// The setting, where there is one and it can be used.
    pub(super) fn setting(&self) -> Done<Option<&EmbeddingSetting>> {
        match &self.embedding {
            None => Ok(None),
            Some(Ok(setting)) => Ok(Some(setting)),
            Some(Err(why)) => Err(LibraryError::NotEmbedded { why: why.clone(), passes: None }),
        }
    }
}

fn digits<'k>(keys: impl Iterator<Item = &'k TextKey>) -> String {
    json(&keys.map(TextKey::digits).collect::<Vec<_>>())
}

/// Why there is no vector of a text that others have had for too long.
fn busy() -> EmbedFailed {
    let why = "others are having the same texts embedded, and are not done; try again";
    EmbedFailed {
        why: why.to_owned(),
        passes: Some(Passes { wait_ms: None }),
        unserved: None,
        may_have_cost: false,
    }
}

pub(super) fn not_embedded(model: &str, failed: EmbedFailed) -> LibraryError {
    let EmbedFailed { why, passes, unserved, .. } = failed;
    let why = match unserved {
        // Whoever speaks to providers speaks of a key that an ask may bring along.
        Some(Unserved::NoKey) => "there is no key for its provider".to_owned(),
        _ => why,
    };
    let why = format!("{model} gave no embeddings: {why}");
    match unserved {
        None => LibraryError::NotEmbedded { why, passes },
        Some(by) => LibraryError::Unserved { why: why + &by.way_out(model), by },
    }
}

pub(super) fn refused(error: EmbedError) -> LibraryError {
    let why = error.to_string();
    match error {
        EmbedError::TooDear { .. } | EmbedError::Budget { .. } => LibraryError::TooLarge(why),
        EmbedError::Count { .. }
        | EmbedError::Mixed { .. }
        | EmbedError::Empty { .. }
        | EmbedError::NotFinite { .. } => {
            LibraryError::NotEmbedded { why, passes: Some(Passes { wait_ms: None }) }
        }
        EmbedError::Dimension { .. } => LibraryError::OtherDimension(why),
    }
}
