//! Bringing a collection to the model of embeddings that is set, when something is loaded into it.
//!
//! Border: whether it has to be, and what is said where it has to wait; how it is made anew is [`super::renew`]'s.

use super::manifest::{Embeddings, Manifest};
use super::store::Store;
use super::{Done, Library, LibraryError, Standing};
use crate::intake::CollectionName;

impl<S: Store> Library<'_, S> {
    /// Brings a collection to the model that is set, or away from one where none is; or says why it has to wait for
    /// that, because all of it would cost more than a load may, or has no room: no new document is to be refused for
    /// the sake of the old ones. `known` is the collection as its caller has just seen it.
    pub(super) async fn align(
        &self,
        name: &CollectionName,
        known: &Standing,
    ) -> Done<Option<String>> {
        if self.is_aligned(Some(known))? {
            return Ok(None);
        }
        let left = self.setting()?.map(|setting| (setting.model.as_str(), self.left(setting)));
        let place = (known.collection, self.count(known).await?);
        let waits = self.shelf.borrow().waits(place, left);
        if waits.is_some() {
            return Ok(waits);
        }
        self.aligned(name, known.collection, left.map(|(model, _)| model).unwrap_or_default()).await
    }

    /// Brings a collection of this number there, or says why it has to wait.
    async fn aligned(
        &self,
        name: &CollectionName,
        collection: u64,
        model: &str,
    ) -> Done<Option<String>> {
        let claim = self.claim(name).await?;
        // Whoever had the right may have done it.
        let now = self.standing(name).await;
        let done = match now.and_then(|now| self.is_aligned(now.as_ref())) {
            // And may have died behind it.
            Ok(true) => self.forget_all_but_its_own(name).await,
            Ok(false) => self.renew(name, &claim).await,
            Err(error) => Err(error),
        };
        // Before the right is given back: whoever has it next tries by its own count.
        let done = match done {
            Err(LibraryError::TooLarge(why)) => {
                let waits = format!(
                    "collection `{}` has no vectors of the `embedding_model` that is set, and is ranked by words and \
                     learned meaning: {why}",
                    name.as_str()
                );
                self.shelf.borrow_mut().wait(collection, model, waits.clone());
                Ok(Some(waits))
            }
            done => done.map(|()| None),
        };
        self.release(claim).await;
        done
    }

    /// Whether a collection has the vectors that it is to have.
    pub(super) fn is_aligned(&self, standing: Option<&Standing>) -> Done<bool> {
        let Some(standing) = standing else { return Ok(true) };
        let Ok(manifest) = Manifest::read(&standing.manifest) else { return Ok(true) };
        let own = manifest.embedding.as_ref().map(|own| &own.model);
        let set = self.setting()?.map(|setting| &setting.model);
        Ok(own == set || manifest.segments() == 0)
    }

    /// Whether vectors are of the model that is set.
    pub(super) fn is_set(&self, own: Option<&Embeddings>) -> Done<bool> {
        let set = self.setting()?.map(|setting| &setting.model);
        Ok(set.is_some() && own.map(|own| &own.model) == set)
    }
}
