//! Who makes a collection anew, and who embeds a text: one at a time, because the words of all chunks are in memory
//! meanwhile, and each text is paid for.
//!
//! Border: takes, keeps and gives back the right in the database. What is done with it is [`super::change`]'s and
//! [`super::embedded`]'s.

use super::manifest::Manifest;
use super::store::{self, Store};
use super::{Done, Library, LibraryError, record};
use crate::intake::CollectionName;
use quarry_schema::embedding as statements;
use std::collections::BTreeSet;

/// Milliseconds for which one has it without a sign of life: longer than a provider's call may take by itself. Where a
/// call takes longer, another goes on, and one batch is paid for twice.
pub(super) const HELD: u64 = 150 * 1_000;
/// Looks whether whoever has it is done.
const LOOKS: u32 = 96;
/// Milliseconds for which one has texts without a sign of life: most calls are back long before. Where one takes
/// longer, others may pay for its texts, too, and where one died, they wait no longer than this.
pub(super) const TEXTS_HELD: u64 = 15 * 1_000;
/// Texts that one has at a time: those of a call.
const TEXTS: u32 = 64;

/// How far a load is, or a collection that is embedded anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Chunks that have their vector; of a long document that gets none those that are indexed.
    pub done: u64,
    /// How many there are.
    pub chunks: u64,
}

impl Progress {
    /// So many of so many.
    pub(super) fn of(done: usize, chunks: usize) -> Progress {
        let number = |size: usize| u64::try_from(size).unwrap_or(u64::MAX);
        Progress { done: number(done), chunks: number(chunks) }
    }
}

/// Which texts are taken to be embedded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Those that have no vector.
    Missing,
    /// Those that have one, too: another is to take its place.
    Anew,
}

/// The right to make a collection anew. Who only adds to it needs none.
#[derive(Clone)]
pub(super) struct Claim {
    /// The collection's number, and by whom it is held.
    held: Option<(u64, String)>,
    name: CollectionName,
}

impl Claim {
    /// What needs no right.
    pub const fn none(name: CollectionName) -> Claim {
        Claim { held: None, name }
    }

    /// Of which collection.
    pub const fn name(&self) -> &CollectionName {
        &self.name
    }

    fn taken(&self) -> LibraryError {
        LibraryError::BeingRenewed(self.name.as_str().to_owned())
    }
}

impl<S: Store> Library<'_, S> {
    /// Takes the right, when whoever has it is done soon.
    pub(super) async fn claim(&self, name: &CollectionName) -> Done<Claim> {
        let none = Claim::none(name.clone());
        // Who cannot use it takes it from nobody.
        self.setting()?;
        let Some(standing) = self.known(name).await? else { return Ok(none) };
        let held = (standing.collection, self.store.token());
        for _ in 0..LOOKS {
            let now = self.store.now();
            let (until, latest) = (now.saturating_add(HELD), now.saturating_add(2 * HELD));
            let values =
                [held.0.into(), held.1.as_str().into(), until.into(), now.into(), latest.into()];
            if !self.run(statements::CLAIM, values).await?.is_empty() {
                return Ok(Claim { held: Some(held), ..none });
            }
            self.store.rest(true).await;
        }
        Err(none.taken())
    }

    /// Keeps it for longer: before each call that is paid for, and with each part of an index.
    pub(super) async fn hold(&self, claim: &Claim) -> Done<()> {
        let Some((collection, holder)) = &claim.held else { return Ok(()) };
        let until = self.store.now().saturating_add(HELD);
        let values = [(*collection).into(), holder.as_str().into(), until.into()];
        let still = self.run(statements::HOLD, values).await?;
        if still.is_empty() { Err(claim.taken()) } else { Ok(()) }
    }

    /// Says how far it is. Nothing hangs on it.
    pub(super) async fn says(&self, claim: &Claim, progress: Progress) {
        self.store.hears(progress);
        let Some((collection, holder)) = &claim.held else { return };
        let Progress { done, chunks } = progress;
        let values = [(*collection).into(), holder.as_str().into(), done.into(), chunks.into()];
        drop(self.run(statements::PROGRESS, values).await);
    }

    /// How far whoever has the right to a collection is; none: nobody has it.
    pub(super) async fn under_way(&self, collection: u64) -> Done<Option<Progress>> {
        let values = [collection.into(), self.store.now().into()];
        let Some(packed) = self.text(statements::UNDER_WAY, values).await? else { return Ok(None) };
        let (done, chunks) = record::inner(&packed)?;
        Ok(Some(Progress { done, chunks }))
    }

    /// Gives it back. Where that fails, it runs out.
    pub(super) async fn release(&self, claim: Claim) {
        if let Some((collection, holder)) = claim.held {
            drop(self.run(statements::RELEASE, [collection.into(), holder.into()]).await);
        }
    }

    /// Ends what somebody began who died behind the commit: what the collection had of another model is let go of.
    pub(super) async fn end_for_the_dead(&self, name: &CollectionName) -> Done<()> {
        if self.setting()?.is_none() {
            return Ok(());
        }
        let now = self.store.now();
        let latest = now.saturating_add(2 * HELD);
        let values = [self.owner.as_str().into(), name.as_str().into(), now.into(), latest.into()];
        if self.run(statements::DIED, values).await?.is_empty() {
            return Ok(());
        }
        // With the right, so that nobody gives it another model meanwhile.
        let claim = self.claim(name).await?;
        let forgotten = self.forget_all_but_its_own(name).await;
        self.release(claim).await;
        forgotten
    }

    /// Lets go of the vectors that a collection has of other models than its own. Wants the right to it.
    pub(super) async fn forget_all_but_its_own(&self, name: &CollectionName) -> Done<()> {
        let Some(standing) = self.standing(name).await? else { return Ok(()) };
        let manifest = Manifest::read(&standing.manifest)?;
        self.forget_others(standing.collection, manifest.embedding.as_ref()).await
    }

    /// Takes those of some texts that are wanted and that nobody else has embedded just now, by their keys' digits; not
    /// more than one call takes.
    pub(super) async fn claim_texts(
        &self,
        holder: &str,
        digits: String,
        wanted: Wanted,
    ) -> Done<BTreeSet<String>> {
        let now = self.store.now();
        let (until, latest) = (now.saturating_add(TEXTS_HELD), now.saturating_add(2 * TEXTS_HELD));
        let values = [
            digits.into(),
            holder.into(),
            until.into(),
            now.into(),
            latest.into(),
            TEXTS.into(),
            u32::from(wanted == Wanted::Anew).into(),
        ];
        let taken = self.run(statements::CLAIM_TEXTS, values).await?;
        Ok(taken.into_iter().flatten().filter_map(store::text_of).collect())
    }

    /// Keeps them for longer: before each call.
    pub(super) async fn hold_texts(&self, holder: &str) -> Done<()> {
        let until = self.store.now().saturating_add(TEXTS_HELD);
        self.run(statements::HOLD_TEXTS, [holder.into(), until.into()]).await?;
        Ok(())
    }

    /// Gives them back. Where that fails, they run out.
    pub(super) async fn release_texts(&self, holder: &str) {
        drop(self.run(statements::RELEASE_TEXTS, [holder.into()]).await);
    }

    /// Takes texts away from those who died.
    pub(super) async fn sweep_texts(&self) -> Done<()> {
        let now = self.store.now();
        let latest = now.saturating_add(2 * TEXTS_HELD);
        self.run(statements::SWEEP_TEXTS, [now.into(), latest.into()]).await?;
        Ok(())
    }
}
