//! How far a reindex is can be seen by whoever looks meanwhile.

use super::embedded::{MODEL, long};
use super::*;
use crate::rank::segment::SEGMENT_CHUNKS;

fn progress(instance: &Instance<'_>) -> Option<(u64, u64)> {
    let stats = wait(instance.of(None).stats(&name("default"))).unwrap();
    stats.reindex.map(|Progress { done, chunks }| (done, chunks))
}

#[test]
fn a_reindex_with_another_model_tells_how_far_it_is() {
    let database = Database::in_memory();
    let old = Instance::embedding(&database, MODEL);
    old.load("long.md", &long(200)).unwrap();
    assert_eq!(progress(&old), None);
    let other = Instance::embedding(&database, "openai:other");
    let mut reindexed = {
        let library = other.of(None);
        Box::pin(async move { library.reindex(&name("default")).await })
    };
    let mut seen = Vec::new();
    loop {
        database.shares.set(true);
        let is_done = poll(&mut reindexed).is_ready();
        database.shares.set(false);
        if is_done {
            break;
        }
        seen.extend(progress(&old));
    }
    seen.dedup();
    assert_eq!(seen, [(0, 200), (64, 200), (128, 200), (192, 200), (200, 200)]);
    assert_eq!(progress(&old), None, "it is over");
    // What needs no model is done in a moment, and says nothing.
    wait(Instance::new(&database).of(None).reindex(&name("default"))).unwrap();
    assert_eq!(progress(&old), None);
}

/// However large a collection is: of its vectors no more than those of one part are in memory, and no old index
/// beside the new one.
#[test]
fn a_reindex_writes_each_part_when_it_is_made() {
    let database = Database::in_memory();
    let old = Instance::embedding(&database, MODEL);
    let loaded = old.load("long.md", &long(SEGMENT_CHUNKS + 20)).unwrap();
    let paid = database.provider.asked.borrow().len();
    let other = Instance::embedding(&database, "openai:other");
    wait(other.of(None).search(&query("default", "word7"))).unwrap();
    assert!(other.shelf.borrow_mut().get(1).is_some());
    let mut reindexed = {
        let library = other.of(None);
        Box::pin(async move { library.reindex(&name("default")).await })
    };
    let new = || database.provider.asked.borrow().len() - paid;
    while new() <= SEGMENT_CHUNKS {
        database.shares.set(true);
        assert!(poll(&mut reindexed).is_pending());
        database.shares.set(false);
    }
    assert_eq!(
        database.count("knowledge_blob WHERE live = 0"),
        2,
        "words and vectors of the first"
    );
    assert!(other.shelf.borrow_mut().get(1).is_none());
    // Who dies there leaves nothing behind.
    drop(reindexed);
    database.now.set(database.now.get() + 90 * 60 * 1_000);
    wait(old.of(None).settle(&name("default"), true));
    assert_eq!(database.count("knowledge_blob WHERE live = 0"), 0);
    let stats = wait(other.of(None).reindex(&name("default"))).unwrap();
    assert_eq!(stats.embedding.unwrap().vectors, loaded.record.chunks);
    assert_eq!(database.count("knowledge_blob WHERE live = 0"), 0);
    let index = wait(other.of(None).search(&query("default", "word2060"))).unwrap();
    assert!(index.found[0].chunk.text.contains("word2060"), "{:?}", index.found[0]);
}

#[test]
fn one_that_died_is_under_way_no_longer() {
    let database = Database::in_memory();
    let old = Instance::embedding(&database, MODEL);
    old.load("long.md", &long(100)).unwrap();
    let taken = "INSERT INTO knowledge_embedder SELECT collection, 'somebody', 100000
         FROM knowledge_collection";
    database.connection.execute(taken, []).unwrap();
    let says = "INSERT INTO knowledge_embedder_progress SELECT collection, 'somebody', 64, 100
         FROM knowledge_collection";
    database.connection.execute(says, []).unwrap();
    assert_eq!(progress(&old), Some((64, 100)));
    database.now.set(100_000);
    assert_eq!(progress(&old), None);
}

/// As often as a part of the index is made: not once for each chunk, and never of what is there in a moment.
#[test]
fn a_long_load_without_vectors_tells_how_many_of_its_chunks_are_indexed() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    instance.load("short.md", &long(200)).unwrap();
    assert!(database.heard.take().is_empty(), "it is done in a moment");
    let loaded = instance.load("long.md", &long(2 * SEGMENT_CHUNKS + 20)).unwrap();
    let (part, chunks) = (SEGMENT_CHUNKS as u64, u64::from(loaded.record.chunks));
    assert!(chunks > 2 * part, "{chunks}");
    let parts = (0..chunks.div_ceil(part)).map(|made| made * part).chain([chunks]);
    let told: Vec<Progress> = parts.map(|done| Progress { done, chunks }).collect();
    assert_eq!(database.heard.take(), told);
}

#[test]
fn a_load_tells_how_many_of_its_chunks_have_a_vector() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    instance.load("a.md", "# A\n\nSomething.").unwrap();
    database.heard.borrow_mut().clear();
    let chunks = u64::from(instance.load("long.md", &long(200)).unwrap().record.chunks);
    let heard = database.heard.take();
    assert!(heard.iter().all(|progress| progress.chunks == chunks), "its own alone: {heard:?}");
    let done: Vec<u64> = heard.iter().map(|progress| progress.done).collect();
    assert!(
        done.is_sorted() && done.first() == Some(&0) && done.last() == Some(&chunks),
        "{done:?}"
    );
    assert!(done.len() > 3, "batch by batch: {done:?}");
}
