//! A library: collections of documents in a database, loaded, searched, deleted.
//!
//! Border: decides which statements are run and what comes of them; who runs them is given ([`Store`]). A change is
//! staged beside what readers see and becomes the next version of its collection in one statement: whoever dies on
//! the way leaves the old one, and rows that nobody reads and the next load sweeps away.

mod align;
mod bought;
mod change;
mod claim;
mod embedded;
mod error;
mod find;
mod index;
mod load;
mod manifest;
mod place;
mod question;
mod read;
mod record;
mod renew;
mod shelf;
mod spent;
mod store;
#[cfg(test)]
mod tests;

pub use claim::Progress;
pub use embedded::EmbeddingSetting;
pub use error::{LibraryError, Passes, Unserved};
pub use find::{Filter, Findings, Found, MAX_QUERY_CHARACTERS, MAX_TOP_K, Query};
pub use load::{Change, Loaded};
pub use manifest::Embeddings;
pub use place::Place;
pub use read::{Chunks, CollectionView, MAX_PAGE, Page, Stats};
pub use record::{ChunkView, Kind, Record};
pub use shelf::Shelf;
pub use spent::Spent;
pub use store::{Bell, EmbedFailed, Embedded, Patience, Row, Store, StoreFailed, Value, Waiting};

use crate::intake::{CollectionName, Owner};
use crate::rank::segment::Damaged;
use index::Index;
use manifest::{Manifest, Part};
use quarry_schema::knowledge as statements;
use quarry_types::single_flight::Role;
use spent::Account;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

/// Chunks of a collection.
pub const MAX_CHUNKS: u64 = 100_000;

/// Tries to read an index while others change it: each change is a moment, and with dozens who load at once one
/// follows the other.
const READS: u32 = 24;
/// Those that come soon behind one another.
const SOON: u32 = 4;

/// Milliseconds for which it is waited for somebody else who reads an index: longer than one takes that has to wait for
/// the database.
const PATIENCE: u64 = 15 * 1_000;

type Done<T> = Result<T, LibraryError>;

/// The library of one owner.
pub struct Library<'l, S> {
    store: &'l S,
    shelf: &'l RefCell<Shelf>,
    owner: Owner,
    /// None: meaning is what collections teach. Else the model, or why it cannot be used.
    embedding: Option<Result<EmbeddingSetting, String>>,
    /// Who fails has spent it all the same.
    account: RefCell<Account>,
}

/// A collection as it stands.
struct Standing {
    collection: u64,
    version: u64,
    manifest: String,
}

impl<'l, S: Store> Library<'l, S> {
    /// The library of an owner in a database. The shelf is the instance's.
    pub fn new(store: &'l S, shelf: &'l RefCell<Shelf>, owner: Owner) -> Self {
        Library { store, shelf, owner, embedding: None, account: RefCell::default() }
    }

    /// The same with a provider's model of embeddings, or with why the one that is set cannot be used.
    #[must_use]
    pub fn with_embedding(self, embedding: Option<Result<EmbeddingSetting, String>>) -> Self {
        Library { embedding, ..self }
    }

    /// Whose it is.
    #[must_use]
    pub const fn owner(&self) -> &Owner {
        &self.owner
    }

    async fn run<const N: usize>(
        &self,
        statement: &'static str,
        values: [Value; N],
    ) -> Done<Vec<Row>> {
        Ok(self.store.run(statement, values.into()).await?)
    }

    async fn text<const N: usize>(
        &self,
        statement: &'static str,
        values: [Value; N],
    ) -> Done<Option<String>> {
        Ok(store::text(self.run(statement, values).await?))
    }

    /// A collection; none: nothing was ever loaded into it.
    async fn standing(&self, name: &CollectionName) -> Done<Option<Standing>> {
        let values = [self.owner.as_str().into(), name.as_str().into()];
        let row = self.run(statements::FIND, values).await?.into_iter().next();
        let Some(Ok([Value::Integer(collection), Value::Integer(version), Value::Text(manifest)])) =
            row.map(<[Value; 3]>::try_from)
        else {
            return Ok(None);
        };
        let number = |number: i64| u64::try_from(number).unwrap_or_default();
        Ok(Some(Standing { collection: number(collection), version: number(version), manifest }))
    }

    /// A collection that has to be there. `default` always is, if only empty: then there is none. One of which every load
    /// was refused has not begun, whatever these have left.
    async fn known(&self, name: &CollectionName) -> Done<Option<Standing>> {
        let standing = self.standing(name).await?;
        let standing = standing.filter(|standing| standing.version > 0 || name.is_default());
        if standing.is_none() && !name.is_default() {
            let name = name.as_str();
            return Err(LibraryError::NotFound(format!(
                "there is no collection `{name}`; it begins with its first document, and GET \
                 /knowledge/collections lists those that there are"
            )));
        }
        Ok(standing)
    }

    /// The index of a collection as it stands; none when it has gone on meanwhile. Of all who want it at once one reads.
    async fn index_of(&self, standing: &Standing) -> Done<Option<Rc<Index>>> {
        let (number, mut has_waited) = (standing.collection, false);
        loop {
            let at_hand = self.shelf.borrow_mut().get(number);
            match at_hand {
                Some(index) if index.version == standing.version => return Ok(Some(index)),
                // Whoever read it knows of a newer one.
                Some(index) if has_waited && index.version > standing.version => return Ok(None),
                Some(_) | None => {}
            }
            let role = self.shelf.borrow_mut().readers.join(number);
            if let Role::Waits(waiter) = &role {
                let (bell, rings) = self.store.bell();
                waiter.leave(bell);
                if self.comes_within(rings, PATIENCE).await {
                    has_waited = true;
                    continue;
                }
            }
            let read = self.read(standing).await;
            drop(role);
            return read;
        }
    }

    /// Whether something comes before so many milliseconds have gone.
    async fn comes_within(&self, waited: impl Future<Output = ()>, ms: u64) -> bool {
        let (mut waited, mut bound) = (pin!(waited), pin!(self.store.pause(ms)));
        poll_fn(|context| match waited.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(true),
            Poll::Pending => bound.as_mut().poll(context).map(|()| false),
        })
        .await
    }

    /// Reads what is not at hand of an index, and keeps it; none when it has gone on meanwhile.
    async fn read(&self, standing: &Standing) -> Done<Option<Rc<Index>>> {
        let manifest = Manifest::read(&standing.manifest)?;
        // What others are searching in is read again rather than copied.
        let old = self.shelf.borrow_mut().take(standing.collection);
        let old = old.and_then(|index| Rc::try_unwrap(index).ok());
        self.shelf.borrow_mut().makes_room(manifest.bytes());
        let mut blobs = BTreeMap::new();
        for part in Index::missing(&manifest, old.as_ref()) {
            let Some(blob) = self.blob(&part).await? else { return Ok(None) };
            blobs.insert(part.name, blob);
        }
        let place = (standing.collection, standing.version);
        let index = Rc::new(Index::assemble(place, manifest, old, blobs)?);
        self.shelf.borrow_mut().put(index.clone());
        Ok(Some(index))
    }

    /// A part of an index; none where it has gone with its version.
    async fn blob(&self, part: &Part) -> Done<Option<Vec<u8>>> {
        let rows = self.run(statements::PIECES, [part.name.as_str().into()]).await?;
        let mut blob = Vec::with_capacity(part.bytes);
        for value in rows.into_iter().flatten() {
            if let Value::Blob(piece) = value {
                blob.extend_from_slice(&piece);
            }
        }
        Ok(Some(blob).filter(|blob| !blob.is_empty()))
    }

    /// The index of a collection, of its newest version, also before its first document; none where there is no such
    /// collection.
    async fn index(&self, name: &CollectionName) -> Done<Option<Rc<Index>>> {
        let mut missed = None;
        for tried in 0..READS {
            let Some(standing) = self.standing(name).await? else { return Ok(None) };
            if let Some(index) = self.index_of(&standing).await? {
                return Ok(Some(index));
            }
            // Nobody has taken its parts away for another version: they are lost.
            if missed.replace(standing.version) == Some(standing.version) {
                return Err(Damaged("segment").into());
            }
            self.store.rest(tried >= SOON).await;
        }
        Err(LibraryError::Busy)
    }
}
