//! Keeps documents of one's own.
//!
//! Border: `quarry-knowledge` decides what documents become, which statements are run and what is found; this
//! component runs statements, has pages read and texts embedded, and translates.

mod bindings;
mod convert;
mod database;
mod embedding;
mod page;

use bindings::collections::{self, Collection, CollectionStats};
use bindings::documents::{self, ChunkPage, Document, Listing, Loaded, NotLoaded, Source};
use bindings::exports::quarry::agent::types::Caller;
use bindings::search::{self, Findings, Query};
use bindings::types::KnowledgeError;
use database::Spin;
use quarry_knowledge::intake::{self, Incoming, Owner};
use quarry_knowledge::library::{self, Library, Shelf};
use std::cell::RefCell;
use std::rc::Rc;

struct Knowledge;

thread_local! {
    /// The indexes that this instance has read. They are looked up by numbers that only their owners are told.
    static SHELF: Rc<RefCell<Shelf>> = Rc::default();
}

fn shelf() -> Rc<RefCell<Shelf>> {
    SHELF.with(Rc::clone)
}

fn owner(caller: &Caller) -> Owner {
    Owner::new(caller.email.as_deref())
}

type Done<T> = Result<T, KnowledgeError>;

impl search::Guest for Knowledge {
    async fn search(query: Query, caller: Caller) -> Done<Findings> {
        let query = convert::query(query)?;
        let (shelf, database) = (shelf(), Spin::for_search());
        let library = Library::new(&database, &shelf, owner(&caller));
        let library = library.with_embedding(embedding::for_search(&caller).await);
        let findings = library.search(&query).await.map_err(convert::error)?;
        embedding::note(findings.note.as_deref());
        Ok(convert::findings(findings))
    }
}

impl documents::Guest for Knowledge {
    async fn load(source: Source, caller: Caller) -> Result<Loaded, NotLoaded> {
        let (is_last, paid) = (!source.more_follow, source.paid_tokens);
        let source = convert::source(source).map_err(convert::for_nothing)?;
        let collection = source.collection.clone();
        let (shelf, database) = (shelf(), Spin::new());
        let library = Library::new(&database, &shelf, owner(&caller));
        let library = library.with_embedding(embedding::for_load(&caller, paid).await);
        let loaded = load(&library, source).await;
        if is_last {
            let gone =
                matches!(&loaded, Err(NotLoaded { why: KnowledgeError::Unavailable(_), .. }));
            library.settle(&collection, !gone).await;
        }
        Ok(convert::loaded(loaded?, collection.as_str().to_owned()))
    }

    async fn list(listing: Listing, caller: Caller) -> Done<documents::Page> {
        let name = convert::collection(listing.collection.as_deref())?;
        let behind = listing.cursor.as_deref().map(convert::cursor).transpose()?;
        let (shelf, database) = (shelf(), Spin::new());
        let library = Library::new(&database, &shelf, owner(&caller));
        let page = library.list(&name, behind, listing.limit).await.map_err(convert::error)?;
        let items = page.items.into_iter();
        let documents =
            items.map(|record| convert::document(record, name.as_str().to_owned())).collect();
        Ok(documents::Page { documents, cursor: page.next.map(|number| number.to_string()) })
    }

    async fn get(id: String, caller: Caller) -> Done<Document> {
        let (shelf, database) = (shelf(), Spin::new());
        let found = Library::new(&database, &shelf, owner(&caller)).get(&id).await;
        let (record, collection) = found.map_err(convert::error)?;
        Ok(convert::document(record, collection))
    }

    async fn chunks(id: String, from: u32, limit: u32, caller: Caller) -> Done<ChunkPage> {
        let (shelf, database) = (shelf(), Spin::new());
        let page = Library::new(&database, &shelf, owner(&caller)).chunks(&id, from, limit).await;
        let page = page.map_err(convert::error)?;
        Ok(ChunkPage {
            chunks: page.items.into_iter().map(convert::chunk).collect(),
            next: page.next.and_then(|next| u32::try_from(next).ok()),
        })
    }

    async fn delete(id: String, caller: Caller) -> Done<()> {
        let (shelf, database) = (shelf(), Spin::new());
        let deleted = Library::new(&database, &shelf, owner(&caller)).delete(&id).await;
        deleted.map_err(convert::error)
    }
}

impl collections::Guest for Knowledge {
    async fn list(caller: Caller) -> Done<Vec<Collection>> {
        let (shelf, database) = (shelf(), Spin::new());
        let views = Library::new(&database, &shelf, owner(&caller)).collections().await;
        Ok(views.map_err(convert::error)?.into_iter().map(convert::listed).collect())
    }

    async fn stats(name: String, caller: Caller) -> Done<CollectionStats> {
        let name = convert::collection(Some(&name))?;
        let (shelf, database) = (shelf(), Spin::new());
        let stats = Library::new(&database, &shelf, owner(&caller)).stats(&name).await;
        stats.map(convert::stats).map_err(convert::error)
    }

    async fn reindex(name: String, caller: Caller) -> Done<CollectionStats> {
        let name = convert::collection(Some(&name))?;
        let (shelf, database) = (shelf(), Spin::new());
        let library = Library::new(&database, &shelf, owner(&caller));
        let library = library.with_embedding(embedding::for_load(&caller, 0).await);
        let stats = library.reindex(&name).await;
        stats.map(convert::stats).map_err(convert::error)
    }
}

/// Loads a document. A page that is there with the same bytes need not be read.
async fn load(
    library: &Library<'_, Spin>,
    source: intake::Source,
) -> Result<library::Loaded, NotLoaded> {
    let loading = match source.read(library.owner()).map_err(convert::not_loaded)? {
        Incoming::Ready(loading) => *loading,
        Incoming::Page(pending) => {
            if let Some((collection, id, hash)) = pending.known() {
                let there = library.unchanged(collection, &id, &hash).await;
                if let Some(loaded) = there.map_err(convert::not_loaded)? {
                    return Ok(loaded);
                }
            }
            page::read(*pending).await.map_err(convert::for_nothing)?
        }
    };
    library.load(loading).await.map_err(convert::not_loaded)
}
