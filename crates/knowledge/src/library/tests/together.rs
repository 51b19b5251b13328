//! Loads that meet: the same texts, the same document, a reader who looks on.

use super::*;
use std::collections::BTreeSet;

const MODEL: &str = "openai:small";

/// A document of so many chunks.
fn long(sections: usize) -> String {
    let section = |at: usize| format!("## Part {at}\n\n{}\n\n", format!("word{at} ").repeat(110));
    (0..sections).map(section).collect()
}

async fn load(instance: &Instance<'_>, file: &str, text: &str) -> Done<Loaded> {
    load_into(instance, "default", file, text).await
}

async fn load_into(
    instance: &Instance<'_>,
    collection: &str,
    file: &str,
    text: &str,
) -> Done<Loaded> {
    let library = instance.of(None);
    let loading = loading(library.owner(), collection, file, text);
    library.load(loading).await
}

/// How many texts were paid for, and how many of them were others.
fn paid(database: &Database) -> (usize, usize) {
    let asked = database.provider.asked.borrow();
    (asked.len(), asked.iter().collect::<BTreeSet<_>>().len())
}

#[test]
fn two_who_load_the_same_text_at_once_pay_for_it_once() {
    for sections in [1, 40, 200] {
        let database = Database::in_memory();
        let [one, other] = [(); 2].map(|()| Instance::embedding(&database, MODEL));
        database.shares.set(true);
        let text = long(sections);
        let both = both(load(&one, "one.md", &text), load(&other, "other.md", &text));
        let tokens = both.map(|loaded| loaded.unwrap().spent.unwrap().tokens);
        let (asked, once) = paid(&database);
        assert_eq!(asked, once, "{sections}: something was paid for twice");
        assert_eq!(tokens.iter().sum::<u64>(), 100 * asked as u64);
        database.shares.set(false);
        let stats = wait(one.of(None).stats(&name("default"))).unwrap();
        assert_eq!(stats.embedding.unwrap().vectors as usize, 2 * once);
        assert_eq!(database.count("knowledge_embedding_claim"), 0, "nothing is left of it");
    }
}

/// Collections `one` and `other` of 48 numbers, as the model gives by now, where a failed load has left vectors of 64 of
/// a text. How many texts were paid for by then.
fn behind_another_width(database: &Database, text: &str) -> usize {
    let instance = Instance::embedding(database, MODEL);
    database.provider.serves.set(Some(1));
    wait(load_into(&instance, "left", "long.md", text)).unwrap_err();
    database.provider.serves.set(None);
    database.provider.dimension.set(48);
    for collection in ["one", "other"] {
        wait(load_into(&instance, collection, "lamp.md", "# Lamp\n\nThe beacon burns.")).unwrap();
    }
    paid(database).0
}

/// Both collections have a vector of each text, which stays for as long as its document.
fn check_both(database: &Database, vectors: usize) {
    database.shares.set(false);
    database.turns.set(false);
    let instance = Instance::embedding(database, MODEL);
    for collection in ["one", "other"] {
        let known = wait(instance.of(None).stats(&name(collection))).unwrap().embedding.unwrap();
        assert_eq!((known.dimension, known.vectors as usize), (48, vectors), "{collection}");
    }
    let had = "knowledge_embedding WHERE length(value) = 48 AND idle_since IS NULL";
    assert_eq!(database.count(had) as usize, vectors);
    assert_eq!(database.count("knowledge_embedding_claim"), 0, "nothing is left of it");
}

#[test]
fn two_who_replace_vectors_that_do_not_fit_pay_for_each_once() {
    for turns in [false, true] {
        let database = Database::in_memory();
        let text = long(100);
        let before = behind_another_width(&database, &text);
        let [one, other] = [(); 2].map(|()| Instance::embedding(&database, MODEL));
        database.shares.set(true);
        // Every statement is a turn for the other.
        database.turns.set(turns);
        let loads = both(
            load_into(&one, "one", "long.md", &text),
            load_into(&other, "other", "long.md", &text),
        );
        for loaded in loads {
            loaded.unwrap();
        }
        assert_eq!(paid(&database).0 - before, 100, "{turns}");
        check_both(&database, 101);
    }
}

#[test]
fn whoever_waits_long_for_a_provider_takes_no_vectors_that_another_has_paid_for_meanwhile() {
    let database = Database::in_memory();
    let text = long(100);
    let before = behind_another_width(&database, &text);
    let [quick, slow] = [(); 2].map(|()| Instance::embedding(&database, MODEL));
    database.shares.set(true);
    let mut held = Box::pin(load_into(&slow, "other", "long.md", &text));
    while paid(&database).0 == before {
        assert!(poll(&mut held).is_pending());
    }
    // Its right to the text is over.
    database.now.set(database.now.get() + 16_000);
    let mut first = Box::pin(load_into(&quick, "one", "long.md", &text));
    for load in [&mut first, &mut held] {
        let mut turns = 0..1_000;
        loop {
            if let Poll::Ready(loaded) = poll(load) {
                loaded.unwrap();
                break;
            }
            assert!(turns.next().is_some(), "nobody is in its way");
        }
    }
    assert_eq!(paid(&database).0 - before, 101, "one of them is the price of the wait");
    check_both(&database, 101);
}

#[test]
fn texts_of_somebody_who_died_are_paid_for_after_a_while() {
    let database = Database::in_memory();
    database.left.set(Some(0));
    let instance = Instance::embedding(&database, MODEL);
    let text = long(3);
    // Dies while its first call is on its way.
    for statements in 1.. {
        database.left.set(Some(statements));
        assert!(instance.load("long.md", &text).is_err());
        if database.count("knowledge_embedding_claim") > 0 {
            break;
        }
    }
    database.left.set(None);
    database.shares.set(true);
    let later = Instance::embedding(&database, MODEL);
    let mut loading = Box::pin(load(&later, "other.md", &text));
    let before = paid(&database).0;
    for _ in 0..50 {
        assert!(poll(&mut loading).is_pending());
    }
    assert_eq!(paid(&database).0, before, "somebody may be paying for them");
    database.now.set(database.now.get() + 16_000);
    let mut turns = 0..100;
    let loaded = loop {
        if let Poll::Ready(loaded) = poll(&mut loading) {
            break loaded.unwrap();
        }
        assert!(turns.next().is_some(), "it is free by now");
    };
    assert!(loaded.spent.unwrap().tokens > 0);
}

#[test]
fn a_provider_that_fails_one_leaves_its_texts_to_the_other() {
    let database = Database::in_memory();
    let [one, other] = [(); 2].map(|()| Instance::embedding(&database, MODEL));
    database.shares.set(true);
    database.provider.serves.set(Some(1));
    let text = long(200);
    let failed = both(load(&one, "one.md", &text), load(&other, "other.md", &text));
    assert!(failed.iter().all(Result::is_err), "{failed:?}");
    assert_eq!(database.count("knowledge_embedding_claim"), 0);
    database.provider.serves.set(None);
    database.shares.set(false);
    wait(load(&one, "one.md", &text)).unwrap();
    let (asked, once) = paid(&database);
    assert_eq!(asked, once);
}

#[test]
fn two_who_load_the_same_document_at_once_load_it_once() {
    for head_start in 0..20 {
        let database = Database::in_memory();
        let [one, other] = [(); 2].map(|()| Instance::new(&database));
        one.load("lamp.md", "# lamp\n\nThe beacon burns.").unwrap();
        database.shares.set(true);
        database.turns.set(true);
        let text = "# fees\n\nWharfage is due.";
        let mut first = Box::pin(load(&one, "fees.md", text));
        let early = (0..head_start).find_map(|_| match poll(&mut first) {
            Poll::Ready(loaded) => Some(loaded),
            Poll::Pending => None,
        });
        if early.is_some() {
            break;
        }
        let loaded = both(first, Box::pin(load(&other, "fees.md", text))).map(Result::unwrap);
        let mut changes = loaded.each_ref().map(|loaded| loaded.change);
        changes.sort_by_key(|change| *change == Change::Unchanged);
        assert_eq!(changes, [Change::Added, Change::Unchanged], "at {head_start}");
        assert_eq!(loaded[0].record, loaded[1].record);
        database.shares.set(false);
        database.turns.set(false);
        assert_eq!(database.count("knowledge_document"), 2, "nothing is left of the other");
        assert_eq!(database.count("knowledge_blob WHERE live = 0"), 0);
    }
}

/// A load that a provider lets wait for hours is no dead one, whoever sweeps meanwhile.
#[test]
fn a_load_that_takes_hours_is_not_swept_away() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    instance.load("a.md", "# A\n\nSomething.").unwrap();
    let text = long(200);
    database.shares.set(true);
    let mut loads = Box::pin(load(&instance, "long.md", &text));
    let (other, mut turns) = (Instance::new(&database), 0);
    let loaded = loop {
        match poll(&mut loads) {
            Poll::Ready(loaded) => break loaded,
            Poll::Pending => turns += 1,
        }
        database.now.set(database.now.get() + 40 * 60 * 1_000);
        wait(other.of(None).sweep()).unwrap();
    };
    assert_eq!(loaded.unwrap().change, Change::Added);
    assert!(turns > 2, "more than an hour: {turns}");
}

/// Whoever loads a document that somebody deletes at the same moment has it, or has it not; nothing is left of what
/// went.
#[test]
fn a_load_beside_a_delete_of_the_same_document_leaves_all_of_it_or_nothing() {
    for head_start in 0..40 {
        let database = Database::in_memory();
        let [one, other] = [(); 2].map(|()| Instance::new(&database));
        full(&one);
        let id = wait(load(&one, "fees.md", "# fees\n\nWharfage is due.")).unwrap().record.id;
        let changed = format!("# fees\n\nLighterage is due.\n\n{}", long(30));
        let deletes = other.of(None);
        database.shares.set(true);
        // Every statement is a turn for the other.
        database.turns.set(true);
        let mut loads = Box::pin(load(&one, "fees.md", &changed));
        let early = (0..head_start).find_map(|_| match poll(&mut loads) {
            Poll::Ready(loaded) => Some(loaded),
            Poll::Pending => None,
        });
        let deleted = match early {
            Some(loaded) => {
                loaded.unwrap();
                database.shares.set(false);
                wait(deletes.delete(&id))
            }
            None => {
                let mut deleting = Box::pin(deletes.delete(&id));
                let (mut loaded, mut deleted) = (None, None);
                while loaded.is_none() || deleted.is_none() {
                    if loaded.is_none()
                        && let Poll::Ready(ready) = poll(&mut loads)
                    {
                        // What it had staged was taken away: it can be sent again.
                        let taken = ready
                            .as_ref()
                            .is_err_and(|error| matches!(error.cause(), LibraryError::Busy));
                        assert!(ready.is_ok() || taken, "at {head_start}: {ready:?}");
                        loaded = Some(ready);
                    }
                    if deleted.is_none()
                        && let Poll::Ready(ready) = poll(&mut deleting)
                    {
                        deleted = Some(ready);
                    }
                }
                deleted.unwrap()
            }
        };
        deleted.unwrap();
        database.shares.set(false);
        database.turns.set(false);
        let there = database.count("knowledge_document WHERE live = 1") == 12;
        for instance in [&one, &other, &Instance::new(&database)] {
            assert_eq!(instance.finds("wharfage"), Vec::<String>::new(), "at {head_start}");
            let finds = instance.finds("lighterage");
            assert_eq!(finds.first().is_some_and(|title| title == "fees"), there, "{finds:?}");
            let stats = wait(instance.of(None).stats(&name("default"))).unwrap();
            let rows = database.count("knowledge_chunk");
            assert_eq!(u64::from(stats.collection.chunks), rows, "at {head_start}");
        }
        let old = "knowledge_document WHERE live = 0";
        assert_eq!((database.count(old), database.count("knowledge_blob WHERE live = 0")), (0, 0));
    }
}

/// How a reader looks for a document.
#[derive(Debug, Clone, Copy)]
enum Look {
    Search,
    Filtered,
    Chunks,
}

/// What a reader finds by a look, whenever others have their turns.
async fn look(look: Look, reader: &Instance<'_>, id: &str) -> Done<Vec<String>> {
    let library = reader.of(None);
    let mut asked = query("default", "demurrage container lighterage owed");
    Ok(match look {
        Look::Search | Look::Filtered => {
            if let Look::Filtered = look {
                asked.filter.documents = vec![id.to_owned()];
            }
            let found = library.search(&asked).await?.found;
            found.into_iter().map(|found| found.chunk.title).collect()
        }
        Look::Chunks => {
            let page = library.chunks(id, 0, 10).await?;
            page.items.into_iter().map(|chunk| chunk.title).collect()
        }
    })
}

/// Whatever a reader meets while a collection is made anew and changed, it finds one version, whole: also where a
/// commit falls between two of its statements.
#[test]
fn a_reader_beside_a_reindex_and_a_load_sees_one_version() {
    for look in [Look::Search, Look::Filtered, Look::Chunks] {
        for head_start in 0..60 {
            let database = Database::in_memory();
            let [one, other, reader] = [(); 3].map(|()| Instance::new(&database));
            let mut id = String::new();
            for (file, text) in documents() {
                let loaded = one.load(&file, &text).unwrap();
                if file == "fees.md" {
                    id = loaded.record.id;
                }
            }
            database.shares.set(true);
            database.turns.set(true);
            let default = name("default");
            let remakes = one.of(None);
            let mut remade = Box::pin(remakes.reindex(&default));
            let changed = "# fees\n\nLighterage is owed instead of wharfage.";
            let mut loads = Box::pin(load(&other, "fees.md", changed));
            let (mut is_remade, mut is_loaded) = (false, false);
            let mut reads = Box::pin(self::look(look, &reader, &id));
            for turn in 0_u32.. {
                if !is_remade && let Poll::Ready(done) = poll(&mut remade) {
                    done.unwrap();
                    is_remade = true;
                }
                if !is_loaded && let Poll::Ready(done) = poll(&mut loads) {
                    assert_eq!(done.unwrap().change, Change::Replaced);
                    is_loaded = true;
                }
                if turn >= head_start
                    && let Poll::Ready(found) = poll(&mut reads)
                {
                    let found = found.unwrap();
                    assert_eq!(found.first().map(String::as_str), Some("fees"), "{look:?} {turn}");
                    reads = Box::pin(self::look(look, &reader, &id));
                }
                if is_remade && is_loaded {
                    break;
                }
            }
            drop(reads);
            database.turns.set(false);
            database.shares.set(false);
            assert_eq!(reader.finds("lighterage owed")[0], "fees");
            assert_eq!(reader.finds("rye dough")[0], "bread");
            assert_eq!(database.count("knowledge_chunk"), 12);
        }
    }
}
