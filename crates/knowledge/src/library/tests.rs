//! A library in a real database: what is loaded is found, what is deleted is gone, and whoever dies on the way
//! leaves what was there.

mod deleted;
mod dimension;
mod embedded;
mod lives;
mod meaning;
mod origins;
mod owners;
mod paid;
mod places;
mod progress;
mod readers;
mod renewals;
mod together;
mod waits;

use super::*;
use crate::intake::{Content, Incoming, Loading, Origin, Source};
use embedded::Provider;
use rusqlite::Connection;
use rusqlite::types::ValueRef;
use std::cell::Cell;
use std::ops::DerefMut;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// A database, and a host that may die.
pub(super) struct Database {
    connection: Connection,
    /// Statements after which the process is gone; none: it lives.
    left: Cell<Option<u32>>,
    now: Cell<u64>,
    tokens: Cell<u64>,
    /// Statements so far, and how often each.
    ran: Cell<u32>,
    times: RefCell<BTreeMap<&'static str, u32>>,
    /// Whether others have their turn while somebody waits.
    shares: Cell<bool>,
    /// Whether others have theirs at each statement, too.
    turns: Cell<bool>,
    /// Parts of indexes that were read, and how many of the next are not.
    read: Cell<u32>,
    loses: Cell<u32>,
    /// How far loads were.
    pub(super) heard: RefCell<Vec<Progress>>,
    /// What embeds, where a test has something that does.
    pub(super) provider: Provider,
}

impl Database {
    pub(super) fn on(connection: Connection) -> Database {
        for step in quarry_schema::migration(0).unwrap() {
            connection.execute(&step, []).unwrap();
        }
        connection.query_row(quarry_schema::OVERWRITE, [], |_| Ok(())).unwrap();
        let (left, ran, shares) = (Cell::new(None), Cell::new(0), Cell::new(false));
        let (now, tokens) = (Cell::new(1_000), Cell::new(0));
        let (turns, provider) = (Cell::new(false), Provider::default());
        let (read, loses, heard) = (Cell::new(0), Cell::new(0), RefCell::default());
        let times = RefCell::default();
        Database {
            connection,
            left,
            ran,
            times,
            shares,
            turns,
            now,
            tokens,
            read,
            loses,
            heard,
            provider,
        }
    }

    pub(super) fn in_memory() -> Database {
        Database::on(Connection::open_in_memory().unwrap())
    }

    pub(super) fn in_file(file: &Path) -> Database {
        let connection = Connection::open(file).unwrap();
        connection.query_row(quarry_schema::WRITE_AHEAD, [], |_| Ok(())).unwrap();
        Database::on(connection)
    }

    async fn turn_over(&self) {
        let mut waits = self.shares.get();
        std::future::poll_fn(|_| {
            if std::mem::take(&mut waits) { Poll::Pending } else { Poll::Ready(()) }
        })
        .await;
    }

    /// How often a statement was run.
    fn times(&self, statement: &str) -> u32 {
        self.times.borrow().get(statement).copied().unwrap_or_default()
    }

    fn count(&self, what: &str) -> u64 {
        let count = format!("SELECT count(*) FROM {what}");
        let count = self.connection.query_row(&count, [], |row| row.get::<_, i64>(0)).unwrap();
        u64::try_from(count).unwrap()
    }
}

impl Store for Database {
    async fn run(
        &self,
        statement: &'static str,
        values: Vec<Value>,
    ) -> Result<Vec<Row>, StoreFailed> {
        if self.turns.get() {
            self.turn_over().await;
        }
        let failed = |error: rusqlite::Error| StoreFailed::Failed(error.to_string());
        if let Some(left) = self.left.get() {
            let none = || StoreFailed::Failed("the process is gone".to_owned());
            self.left.set(Some(left.checked_sub(1).ok_or_else(none)?));
        }
        self.ran.set(self.ran.get() + 1);
        *self.times.borrow_mut().entry(statement).or_default() += 1;
        if statement == statements::PIECES {
            if let Some(left) = self.loses.get().checked_sub(1) {
                self.loses.set(left);
                return Err(StoreFailed::Failed("it does not answer".to_owned()));
            }
            self.read.set(self.read.get() + 1);
        }
        let mut statement = self.connection.prepare_cached(statement).map_err(failed)?;
        let columns = statement.column_count();
        let values = values.into_iter().map(|value| match value {
            Value::Null => rusqlite::types::Value::Null,
            Value::Integer(number) => rusqlite::types::Value::Integer(number),
            Value::Text(text) => rusqlite::types::Value::Text(text),
            Value::Blob(bytes) => rusqlite::types::Value::Blob(bytes),
        });
        let mut found = statement.query(rusqlite::params_from_iter(values)).map_err(failed)?;
        let mut rows = Vec::new();
        while let Some(row) = found.next().map_err(failed)? {
            let value = |column| match row.get_ref(column).unwrap() {
                ValueRef::Null => Value::Null,
                ValueRef::Integer(number) => Value::Integer(number),
                ValueRef::Text(text) => Value::Text(String::from_utf8(text.to_vec()).unwrap()),
                ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
                ValueRef::Real(number) => panic!("{number}"),
            };
            rows.push((0..columns).map(value).collect());
        }
        Ok(rows)
    }

    async fn embed(
        &self,
        model: &str,
        texts: Vec<String>,
        _: Waiting,
    ) -> Result<Embedded, EmbedFailed> {
        if self.provider.loses.get() > 0 {
            self.now.set(self.now.get() + self.provider.loses_after.get());
        }
        let embedded = self.provider.embed(model, &texts);
        self.turn_over().await;
        embedded
    }

    fn hears(&self, progress: Progress) {
        self.heard.borrow_mut().push(progress);
    }

    fn bell(&self) -> (Bell, impl Future<Output = ()>) {
        let bell = std::rc::Rc::new(());
        let rope = std::rc::Rc::downgrade(&bell);
        let rings = std::future::poll_fn(move |_| match rope.strong_count() {
            0 => Poll::Ready(()),
            _ => Poll::Pending,
        });
        (Box::new(bell), rings)
    }

    async fn pause(&self, ms: u64) {
        let end = self.now.get() + ms;
        if !self.shares.get() {
            self.now.set(end);
        }
        // Where others have their turn, the test has the clock.
        std::future::poll_fn(|_| match self.now.get() >= end {
            true => Poll::Ready(()),
            false => Poll::Pending,
        })
        .await;
    }

    async fn rest(&self, _: bool) {
        self.turn_over().await;
    }

    fn now(&self) -> u64 {
        self.now.get()
    }

    fn token(&self) -> String {
        self.tokens.set(self.tokens.get() + 1);
        format!("t{}", self.tokens.get())
    }
}

/// Gives work under way one turn.
fn poll<P>(work: &mut Pin<P>) -> Poll<<P::Target as Future>::Output>
where
    P: DerefMut<Target: Future>,
{
    work.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

pub(super) fn wait<T>(work: impl Future<Output = T>) -> T {
    // Nothing here waits for anybody.
    match poll(&mut std::pin::pin!(work)) {
        Poll::Ready(done) => done,
        Poll::Pending => panic!("it waits"),
    }
}

/// Two who have their turns one after the other.
fn both<T>(one: impl Future<Output = T>, other: impl Future<Output = T>) -> [T; 2] {
    let (mut one, mut other) = (std::pin::pin!(one), std::pin::pin!(other));
    let mut done = [None, None];
    while done.iter().any(Option::is_none) {
        for (at, done) in done.iter_mut().enumerate().filter(|(_, done)| done.is_none()) {
            let polled = match at {
                0 => poll(&mut one),
                _ => poll(&mut other),
            };
            if let Poll::Ready(ready) = polled {
                *done = Some(ready);
            }
        }
    }
    done.map(Option::unwrap)
}

pub(super) fn name(text: &str) -> CollectionName {
    CollectionName::read(Some(text)).unwrap()
}

/// A Markdown file as it is loaded.
pub(super) fn loading(owner: &Owner, collection: &str, file: &str, text: &str) -> Loading {
    loading_from(owner, collection, file, &Origin::default(), text)
}

/// The same from somewhere.
pub(super) fn loading_from(
    owner: &Owner,
    collection: &str,
    file: &str,
    origin: &Origin,
    text: &str,
) -> Loading {
    let content =
        Content::File { name: file.to_owned(), media_type: None, bytes: text.as_bytes().to_vec() };
    let collection = name(collection);
    let (title, metadata, origin) = (None, Vec::new(), origin.clone());
    let source = Source { collection, content, title, metadata, origin };
    match source.read(owner).unwrap() {
        Incoming::Ready(loading) => *loading,
        Incoming::Page(pending) => panic!("{pending:?}"),
    }
}

/// An instance: its shelf is gone with it.
pub(super) struct Instance<'d> {
    database: &'d Database,
    shelf: RefCell<Shelf>,
    embedding: Option<Result<EmbeddingSetting, String>>,
}

impl<'d> Instance<'d> {
    pub(super) fn new(database: &'d Database) -> Self {
        Instance { database, shelf: RefCell::default(), embedding: None }
    }

    /// With a model that embeds.
    pub(super) fn embedding(database: &'d Database, model: &str) -> Self {
        let setting = EmbeddingSetting { model: model.to_owned(), budget: u64::MAX, price: None };
        Instance { embedding: Some(Ok(setting)), ..Instance::new(database) }
    }

    pub(super) fn of(&self, owner: Option<&str>) -> Library<'_, Database> {
        let library = Library::new(self.database, &self.shelf, Owner::new(owner));
        library.with_embedding(self.embedding.clone())
    }

    pub(super) fn load(&self, file: &str, text: &str) -> Done<Loaded> {
        let library = self.of(None);
        let loaded = wait(library.load(loading(library.owner(), "default", file, text)));
        wait(library.settle(&name("default"), true));
        loaded
    }

    /// The titles of the documents that are found, each once.
    pub(super) fn finds(&self, text: &str) -> Vec<String> {
        let found = wait(self.of(None).search(&query("default", text))).unwrap().found;
        let mut titles: Vec<String> = found.into_iter().map(|found| found.chunk.title).collect();
        titles.dedup();
        titles
    }
}

pub(super) fn query(collection: &str, text: &str) -> Query {
    Query {
        text: text.to_owned(),
        collection: name(collection),
        top_k: 10,
        threshold: 0.15,
        filter: Filter::default(),
    }
}

/// Loads all of them.
pub(super) fn full(instance: &Instance<'_>) {
    for (file, text) in documents() {
        instance.load(&file, &text).unwrap();
    }
}

/// What the one collection's index is made of, as it is kept.
pub(super) fn manifest(database: &Database) -> String {
    let kept = "SELECT manifest FROM knowledge_collection";
    database.connection.query_row(kept, [], |row| row.get(0)).unwrap()
}

/// Documents about ten things, each with words of its own.
pub(super) fn documents() -> Vec<(String, String)> {
    let things = [
        ("lamp", "The beacon burns whale oil and shines across the strait."),
        ("bread", "Knead the rye dough, let it rise, and bake it dark."),
        ("bees", "A hive winters on honey; the queen lays again in spring."),
        ("rope", "Splice the hawser with a marlinspike and seize the ends."),
        ("clock", "The escapement lets the pendulum beat seconds."),
        ("paper", "Rags are pulped, couched on felt, and pressed to sheets."),
        ("salt", "Brine evaporates in pans until crystals rake clean."),
        ("glass", "Silica melts with soda ash and is blown on a pipe."),
        ("bridge", "Keystones hold the arch when the centring is struck."),
        ("boats", "Oakum is driven into the seams and paid with pitch."),
        ("fees", "Demurrage is due when a container stays beyond its free time."),
        ("tides", "Spring tides follow the full moon by two days."),
    ];
    let written = things.iter().map(|(name, says)| {
        (
            format!("{name}.md"),
            format!(
                "# {name}\n\n{says}\n\n## More on {name}\n\n{says} It is known in the harbour.\n"
            ),
        )
    });
    written.collect()
}
