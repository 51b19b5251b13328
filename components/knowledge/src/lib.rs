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
use bindings::search::{self, Findings, NotSearched, Query};
use bindings::types::{KnowledgeError, Progress};
use bindings::{wit_future, wit_stream};
use database::Spin;
use quarry_knowledge::intake::{self, Incoming, Owner};
use quarry_knowledge::library::{self, Library, LibraryError, Place, Shelf};
use quarry_rim::clock;
use quarry_rim::variables::Variables;
use std::cell::RefCell;
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;
use wit_bindgen::{FutureReader, StreamReader, StreamWriter};

/// Loads under way at once, where nobody has set how many.
const MAX_LOADS: u32 = 32;

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
    async fn search(query: Query, caller: Caller) -> Result<Findings, NotSearched> {
        let query = convert::query(query).map_err(|why| NotSearched { why, spent: None })?;
        let (shelf, database) = (shelf(), Spin::for_search());
        let library = Library::new(&database, &shelf, owner(&caller));
        let library = library.with_embedding(embedding::for_search(&caller).await);
        let findings = library.search(&query).await.map_err(convert::not_searched)?;
        embedding::note(findings.note.as_deref());
        Ok(convert::findings(findings))
    }
}

impl documents::Guest for Knowledge {
    async fn load(
        source: Source,
        caller: Caller,
    ) -> (StreamReader<Progress>, FutureReader<Result<Loaded, NotLoaded>>) {
        let (progress, told) = wit_stream::new();
        // The default is written only if this task dies before it has an outcome.
        let (outcome, outcome_read) = wit_future::new(|| {
            Err(convert::for_nothing(KnowledgeError::Other("the load was given up".to_owned())))
        });
        wit_bindgen::spawn(async move {
            let database = Spin::new();
            let loaded = loaded(source, caller, &database);
            let loaded = telling(loaded, &database, progress).await;
            // A caller that went away is no error.
            drop(outcome.write(loaded).await);
        });
        (told, outcome_read)
    }

    async fn take_place() -> Done<Option<documents::Place>> {
        let variables = Variables::current(clock::now());
        let places = variables.number("max_loads", MAX_LOADS).await;
        let places = places.map_err(|error| KnowledgeError::Unavailable(error.to_string()))?;
        let database = Spin::at_first();
        let taken = match places {
            0 => Place::unbounded(&database).await.map(|()| None),
            _ => Place::take(&database, places).await.map(Some),
        };
        match taken {
            Ok(place) => Ok(place.map(convert::place)),
            Err(full @ LibraryError::Crowded(_)) => Err(convert::error(full)),
            Err(LibraryError::Held(_)) => Err(convert::locked()),
            // The load finds out what is wrong with the database, and says it.
            Err(_) => Ok(None),
        }
    }

    async fn keep_place(place: documents::Place) {
        convert::held(place).keep(&Spin::new()).await;
    }

    async fn give_place_back(place: documents::Place) {
        convert::held(place).give_back(&Spin::new()).await;
    }

    async fn list(listing: Listing, caller: Caller) -> Done<documents::Page> {
        let name = convert::collection(listing.collection.as_deref())?;
        let behind = listing.cursor.as_deref().map(convert::cursor).transpose()?;
        let (shelf, database) = (shelf(), Spin::new());
        let library = Library::new(&database, &shelf, owner(&caller));
        let page = library.list(&name, listing.category.as_deref(), behind, listing.limit).await;
        let page = page.map_err(convert::error)?;
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
            next: page.next,
            as_of: page.as_of,
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

/// Loads what comes, and does behind the last of a request what is done for its collection.
async fn loaded(source: Source, caller: Caller, database: &Spin) -> Result<Loaded, NotLoaded> {
    let (is_last, paid) = (!source.more_follow, source.paid_tokens);
    let source = convert::source(source).map_err(convert::for_nothing)?;
    let (collection, shelf) = (source.collection.clone(), shelf());
    let library = Library::new(database, &shelf, owner(&caller));
    let library = library.with_embedding(embedding::for_load(&caller, paid).await);
    let loaded = load(&library, source).await;
    if is_last {
        let gone = matches!(&loaded, Err(Failed::Library(error)) if error.is_of_database());
        library.settle(&collection, !gone).await;
    }
    Ok(convert::loaded(loaded?, collection.as_str().to_owned()))
}

/// Does a load and tells how far it is. Whoever reads that slowly, or not at all, holds nothing up: only the newest is
/// told.
async fn telling<T>(
    load: impl Future<Output = T>,
    database: &Spin,
    progress: StreamWriter<Progress>,
) -> T {
    let mut load = pin!(load);
    let (mut idle, mut writing) = (Some(progress), None);
    poll_fn(|context| {
        if let Poll::Ready(done) = load.as_mut().poll(context) {
            return Poll::Ready(done);
        }
        loop {
            if writing.is_none() {
                let Some(newest) = idle.as_ref().and_then(|_| database.progress()) else {
                    return Poll::Pending;
                };
                let newest = convert::progress(newest);
                writing = idle.take().map(|writer| Box::pin(written(writer, newest)));
            }
            let Some(write) = &mut writing else { return Poll::Pending };
            let Poll::Ready(writer) = write.as_mut().poll(context) else { return Poll::Pending };
            (idle, writing) = (writer, None);
        }
    })
    .await
}

/// The stream, where somebody still reads it.
async fn written(
    mut writer: StreamWriter<Progress>,
    progress: Progress,
) -> Option<StreamWriter<Progress>> {
    writer.write_all(vec![progress]).await.is_empty().then_some(writer)
}

/// Why a document was not loaded.
enum Failed {
    Library(LibraryError),
    /// Its page could not be read.
    Page(KnowledgeError),
}

impl From<LibraryError> for Failed {
    fn from(error: LibraryError) -> Self {
        Failed::Library(error)
    }
}

impl From<Failed> for NotLoaded {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Library(error) => convert::not_loaded(error),
            Failed::Page(why) => convert::for_nothing(why),
        }
    }
}

/// Loads a document. A page that is there with the same bytes need not be read.
async fn load(
    library: &Library<'_, Spin>,
    source: intake::Source,
) -> Result<library::Loaded, Failed> {
    let loading = match source.read(library.owner())? {
        Incoming::Ready(loading) => *loading,
        Incoming::Page(pending) => {
            if let Some(known) = pending.known()
                && let Some(loaded) = library.unchanged(&known).await?
            {
                return Ok(loaded);
            }
            page::read(*pending).await.map_err(Failed::Page)?
        }
    };
    Ok(library.load(loading).await?)
}
