//! Collections that are made anew while others do the same, load or delete.

use super::embedded::{MODEL, long};
use super::*;
use crate::rank::segment::SEGMENT_CHUNKS;

/// Documents that [`full`] loads: so many records are read to make an index of them.
const DOCUMENTS: u32 = 12;

/// Those who make an index just now.
fn makers(database: &Database) -> u64 {
    let tokens =
        "SELECT DISTINCT substr(blob, 1, instr(blob, '.')) FROM knowledge_blob WHERE live = 0";
    database.count(&format!("({tokens})"))
}

/// What becomes of all who have their turns one after the other, statement by statement; `looks` is called between.
fn all_of<T>(
    database: &Database,
    works: impl Iterator<Item = impl Future<Output = T>>,
    looks: impl Fn(),
) -> Vec<T> {
    let mut under_way: Vec<_> = works.map(|work| Some(Box::pin(work))).collect();
    let mut done = Vec::new();
    database.shares.set(true);
    database.turns.set(true);
    while done.len() < under_way.len() {
        for place in &mut under_way {
            let Some(work) = place else { continue };
            if let Poll::Ready(ready) = poll(work) {
                done.push(ready);
                *place = None;
            }
        }
        looks();
    }
    database.shares.set(false);
    database.turns.set(false);
    done
}

#[test]
fn of_those_who_reindex_at_once_one_does_at_a_time() {
    let database = Database::in_memory();
    full(&Instance::new(&database));
    let before = database.times(statements::RECORD);
    let instances: Vec<Instance<'_>> = (0..10).map(|_| Instance::new(&database)).collect();
    let works =
        instances.iter().map(async |instance| instance.of(None).reindex(&name("default")).await);
    let done = all_of(&database, works, || assert!(makers(&database) <= 1));
    let (made, refused): (Vec<_>, Vec<_>) = done.into_iter().partition(Result::is_ok);
    assert!(!made.is_empty());
    for error in refused.into_iter().filter_map(Result::err) {
        assert_eq!(*error.cause(), LibraryError::BeingRenewed("default".to_owned()));
        assert_eq!(
            error.to_string(),
            "the index of collection `default` is being made anew; try again when that is done"
        );
    }
    let read = database.times(statements::RECORD) - before;
    assert_eq!(read, DOCUMENTS, "who waited for another's has it");
    assert_eq!(database.count("knowledge_embedder"), 0);
    // Who asks when it is done wants one more.
    wait(instances[0].of(None).reindex(&name("default"))).unwrap();
    assert_eq!(database.times(statements::RECORD) - before, 2 * DOCUMENTS);
}

#[test]
fn of_those_who_find_an_index_of_earlier_words_at_once_one_makes_it_anew() {
    let database = Database::in_memory();
    full(&Instance::new(&database));
    let earlier = "UPDATE knowledge_collection SET version = version + 1, manifest = replace(manifest, '\"terms\":3,', '')";
    assert_eq!(database.connection.execute(earlier, []).unwrap(), 1);
    let before = database.times(statements::RECORD);
    let instances: Vec<Instance<'_>> = (0..5).map(|_| Instance::new(&database)).collect();
    let works = instances
        .iter()
        .map(async |instance| instance.of(None).settle(&name("default"), true).await);
    all_of(&database, works, || assert!(makers(&database) <= 1));
    assert!(manifest(&database).contains("\"terms\":3,"));
    assert_eq!(database.times(statements::RECORD) - before, DOCUMENTS);
    assert_eq!(database.count("knowledge_embedder"), 0);
}

#[test]
fn who_waits_for_an_index_that_is_not_as_it_wants_it_makes_its_own() {
    let database = Database::in_memory();
    full(&Instance::new(&database));
    let [without, with] = [Instance::new(&database), Instance::embedding(&database, MODEL)];
    let reindex = async |instance: &Instance<'_>| {
        instance.of(None).reindex(&name("default")).await.map(|stats| stats.embedding)
    };
    let before = database.times(statements::RECORD);
    database.shares.set(true);
    database.turns.set(true);
    let [first, second] = both(reindex(&without), reindex(&with));
    database.shares.set(false);
    database.turns.set(false);
    assert_eq!(first.unwrap(), None);
    assert_eq!(second.unwrap().unwrap().model, MODEL);
    assert_eq!(database.times(statements::RECORD) - before, 2 * DOCUMENTS);
}

#[test]
fn of_those_who_load_without_the_model_that_a_collection_had_one_makes_it_anew() {
    let database = Database::in_memory();
    full(&Instance::embedding(&database, MODEL));
    let before = database.times(statements::RECORD);
    let instances: Vec<Instance<'_>> = (0..5).map(|_| Instance::new(&database)).collect();
    let works = instances.iter().enumerate().map(async |(at, instance)| {
        let library = instance.of(None);
        let text = format!("# New {at}\n\nThe quicklime kiln.");
        library.load(loading(library.owner(), "default", &format!("{at}.md"), &text)).await
    });
    let done = all_of(&database, works, || ());
    assert!(done.iter().all(Result::is_ok), "{done:?}");
    assert_eq!(database.times(statements::RECORD) - before, DOCUMENTS);
}

#[test]
fn who_loads_without_a_model_asks_for_no_right() {
    let database = Database::in_memory();
    database.connection.execute("DROP TABLE knowledge_embedder", []).unwrap();
    let instance = Instance::new(&database);
    full(&instance);
    let id = instance.load("lamp.md", "# lamp\n\nIt is dark.").unwrap().record.id;
    wait(instance.of(None).delete(&id)).unwrap();
    assert_eq!(instance.finds("rye dough")[0], "bread");
}

/// Reindexes, and has `change` made before each of so many commits.
fn reindexed_beside(
    instance: &Instance<'_>,
    most: u32,
    mut change: impl FnMut(u32),
) -> Done<Stats> {
    let database = instance.database;
    let (library, default) = (instance.of(None), name("default"));
    let mut reindexed = Box::pin(library.reindex(&default));
    let (before, mut seen) = (database.times(statements::LIVE_BLOBS), 0);
    loop {
        database.shares.set(true);
        database.turns.set(true);
        let polled = poll(&mut reindexed);
        database.shares.set(false);
        database.turns.set(false);
        if let Poll::Ready(done) = polled {
            return done;
        }
        // Whoever reads these is about to commit.
        if seen < most && database.times(statements::LIVE_BLOBS) - before > seen {
            seen += 1;
            change(seen);
        }
    }
}

#[test]
fn a_reindex_takes_in_what_comes_while_it_is_made() {
    let database = Database::in_memory();
    for instance in [Instance::new(&database), Instance::embedding(&database, MODEL)] {
        let collections = database.count("knowledge_document");
        full(&instance);
        instance.load("long.md", &long(100)).unwrap();
        let before = database.times(statements::RECORD);
        let loader = Instance { embedding: instance.embedding.clone(), ..Instance::new(&database) };
        let stats = reindexed_beside(&instance, 5, |at| {
            let text = format!("# New {at}\n\nQuicklime number{at} is burnt.");
            loader.load(&format!("new{at}{collections}.md"), &text).unwrap();
        });
        let stats = stats.unwrap();
        let documents = database.count("knowledge_document");
        assert_eq!(u64::from(stats.collection.documents), documents);
        let read = database.times(statements::RECORD) - before;
        assert_eq!(u64::from(read), documents, "each document is read once");
        let vectors = stats.embedding.map(|of| u64::from(of.vectors));
        let has_model = instance.embedding.is_some();
        assert_eq!(vectors, has_model.then(|| database.count("knowledge_chunk")));
        assert_eq!(database.count("knowledge_blob WHERE live = 0"), 0);
        let reader = Instance { embedding: instance.embedding.clone(), ..Instance::new(&database) };
        for at in 1..=5 {
            assert_eq!(reader.finds(&format!("quicklime number{at}"))[0], format!("New {at}"));
        }
        assert_eq!(reader.finds("whale oil")[0], "lamp");
        // What was made so is changed as any other.
        reader.load("lamp.md", "# lamp\n\nElectric.").unwrap();
        assert_eq!(reader.finds("electric")[0], "lamp");
    }
}

#[test]
fn a_reindex_beside_somebody_who_replaces_documents_says_soon_what_to_do() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    full(&instance);
    let before = database.times(statements::RECORD);
    let other = Instance::new(&database);
    let refused = reindexed_beside(&instance, u32::MAX, |at| {
        other.load("lamp.md", &format!("# lamp\n\nCandle number{at}.")).unwrap();
    });
    let error = refused.unwrap_err();
    assert_eq!(*error.cause(), LibraryError::Outrun("default".to_owned()));
    assert!(
        error.to_string().ends_with("let nobody change it meanwhile, and try again"),
        "{error}"
    );
    assert_eq!(database.times(statements::RECORD) - before, 4 * DOCUMENTS);
    let left = ["knowledge_blob WHERE live = 0", "knowledge_embedder"];
    assert_eq!(left.map(|what| database.count(what)), [0, 0]);
    assert_eq!(instance.finds("candle number4"), ["lamp"]);
    // When nobody does any more, it is made.
    wait(instance.of(None).reindex(&name("default"))).unwrap();
}

#[test]
fn whoever_makes_a_large_collection_anew_without_a_model_keeps_the_right_to_it() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    instance.load("long.md", &long(SEGMENT_CHUNKS + 20)).unwrap();
    let (library, default) = (instance.of(None), name("default"));
    let mut reindexed = Box::pin(library.reindex(&default));
    let (before, mut seen) = (database.times(statements::STAGE_BLOB), 0);
    database.shares.set(true);
    database.turns.set(true);
    while poll(&mut reindexed).is_pending() {
        // The database takes long for each part.
        let parts = database.times(statements::STAGE_BLOB) - before;
        if parts > std::mem::replace(&mut seen, parts) {
            database.now.set(database.now.get() + 70_000);
        }
        let until = format!("knowledge_embedder WHERE until > {}", database.now.get());
        assert!(parts == 0 || is_over(&database) || database.count(&until) == 1, "part {parts}");
    }
    assert_eq!(seen, 5, "two of words, two of directions, and what was learned");
}

/// Whether the right was given back.
fn is_over(database: &Database) -> bool {
    database.times(quarry_schema::embedding::RELEASE) > 0
}
