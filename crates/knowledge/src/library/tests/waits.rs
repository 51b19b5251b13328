//! Collections that wait for the vectors of a model that was changed: what is new is loaded all the same.

use super::embedded::{MODEL, best, long, stats};
use super::*;

const OTHER: &str = "openai:large";

fn setting(budget: u64) -> Option<Result<EmbeddingSetting, String>> {
    Some(Ok(EmbeddingSetting { model: OTHER.to_owned(), budget, price: Some(0.13) }))
}

/// An instance that may pay for so many tokens of another model than the one that the collection has.
fn instance(database: &Database, budget: u64) -> Instance<'_> {
    Instance { embedding: setting(budget), ..Instance::new(database) }
}

fn of_another_model(database: &Database) -> usize {
    let old = Instance::embedding(database, MODEL);
    full(&old);
    old.load("long.md", &long(100)).unwrap();
    database.provider.asked.borrow().len()
}

#[test]
fn a_small_load_is_not_refused_for_the_sake_of_the_old_documents() {
    let database = Database::in_memory();
    let paid = of_another_model(&database);
    let other = instance(&database, 500);
    let loaded = other.load("new.md", "# New\n\nThe quicklime kiln.").unwrap();
    assert_eq!(loaded.change, Change::Added);
    let note = loaded.note.unwrap();
    assert!(
        note.starts_with("collection `default` has no vectors of the `embedding_model`"),
        "{note}"
    );
    assert!(note.contains("by openai:large takes about") && note.contains("US dollars"), "{note}");
    assert!(note.contains("`embedding_max_cost`") && note.contains("/default/reindex"), "{note}");
    assert_eq!(database.provider.asked.borrow().len(), paid, "nothing was paid for");
    assert_eq!(other.finds("quicklime"), ["New"]);
    assert_eq!(other.finds("whale oil")[0], "lamp");
    assert_eq!(stats(&other), None);
    // What is there is told to be there, with the same note.
    let again = other.load("new.md", "# New\n\nThe quicklime kiln.").unwrap();
    assert_eq!((again.change, again.note), (Change::Unchanged, Some(note)));
    // An instance that was not there before says it as well, and a reindex says why it does nothing.
    let fresh = instance(&database, 500);
    assert!(fresh.load("more.md", "# More\n\nMore words.").unwrap().note.is_some());
    let refused = wait(fresh.of(None).reindex(&name("default"))).unwrap_err();
    assert!(matches!(refused.cause(), LibraryError::TooLarge(_)), "{refused:?}");
    // Where it may cost enough, it waits no more.
    let rich = instance(&database, u64::MAX);
    assert_eq!(rich.load("rich.md", "# Rich\n\nOther words.").unwrap().note, None);
    let known = stats(&rich).unwrap();
    assert_eq!((known.model.as_str(), known.vectors), (OTHER, 115));
    assert_eq!(database.count("knowledge_embedding_use WHERE model > 0"), 115);
}

#[test]
fn whoever_goes_back_to_the_model_that_a_collection_had_pays_for_what_is_new_alone() {
    let database = Database::in_memory();
    let paid = of_another_model(&database);
    instance(&database, 500).load("new.md", "# New\n\nThe quicklime kiln.").unwrap();
    let old = Instance::embedding(&database, MODEL);
    let loaded = old.load("more.md", "# More\n\nMore words.").unwrap();
    assert_eq!((loaded.note, loaded.spent.unwrap().tokens), (None, 200));
    assert_eq!(database.provider.asked.borrow().len(), paid + 2);
    assert_eq!(stats(&old).unwrap().vectors, 114);
}

#[test]
fn whoever_goes_back_within_a_day_to_a_model_that_a_collection_had_pays_for_nothing_twice() {
    let database = Database::in_memory();
    let of = |model| Instance::embedding(&database, model);
    let paid = || database.provider.asked.borrow().len();
    let reindex = |model| wait(of(model).of(None).reindex(&name("default"))).unwrap();
    full(&of("openai:a"));
    reindex("openai:b");
    reindex("openai:c");
    let before = paid();
    let known = reindex("openai:a").embedding.unwrap();
    assert_eq!((known.model.as_str(), known.vectors, paid()), ("openai:a", 12, before));
    assert_eq!(best(&of("openai:a"), "whale oil beacon"), ("lamp".to_owned(), None));
    // A document takes all of its vectors with it, of whatever model they are.
    let there = || database.count("knowledge_embedding WHERE idle_since IS NULL");
    assert_eq!(there(), 36);
    let all = wait(of("openai:a").of(None).list(&name("default"), None, None, 50)).unwrap().items;
    wait(of("openai:a").of(None).delete(&all[0].id)).unwrap();
    assert_eq!(there(), 33);
    // What was left for a day goes with the next load, and what is had again stays.
    database.now.set(database.now.get() + 25 * 60 * 60 * 1_000);
    of("openai:a").load("new.md", "# New\n\nThe quicklime kiln.").unwrap();
    assert_eq!((there(), database.count("knowledge_embedding_use")), (12, 12));
    reindex("openai:b");
    assert!(paid() > before + 12);
}

#[test]
fn a_collection_that_has_no_room_for_a_models_vectors_takes_documents_without() {
    let database = Database::in_memory();
    of_another_model(&database);
    // 4,096 are the most.
    database.provider.dimension.set(4_097);
    let other = instance(&database, u64::MAX);
    let loaded = other.load("new.md", "# New\n\nThe quicklime kiln.").unwrap();
    let note = loaded.note.unwrap();
    assert!(note.contains("have 4097 numbers") && note.contains("4096 are the most"), "{note}");
    let paid = database.provider.asked.borrow().len();
    let again = other.load("more.md", "# More\n\nMore words.").unwrap();
    assert_eq!(again.note, Some(note));
    assert_eq!(database.provider.asked.borrow().len(), paid);
    assert_eq!(other.finds("quicklime"), ["New"]);
}

#[test]
fn a_load_that_waits_takes_no_vectors_from_a_collection_that_has_them_by_now() {
    let database = Database::in_memory();
    of_another_model(&database);
    let [poor, rich] = [instance(&database, 500), instance(&database, u64::MAX)];
    database.shares.set(true);
    database.turns.set(true);
    let load = async |instance: &Instance<'_>, file: &str| {
        let library = instance.of(None);
        let text = format!("# {file}\n\nSomething about {file}.");
        library.load(loading(library.owner(), "default", file, &text)).await
    };
    let [first, second] = both(load(&poor, "one.md"), load(&rich, "two.md"));
    second.unwrap();
    // Whoever was slower is told to come again, or was done before.
    if let Err(error) = first {
        let cause = error.cause();
        let comes_again = matches!(cause, LibraryError::Busy | LibraryError::BeingRenewed(_));
        assert!(comes_again, "{error:?}");
    }
    database.turns.set(false);
    database.shares.set(false);
    let known = stats(&rich).unwrap();
    assert_eq!(known.model, OTHER);
    assert_eq!(u64::from(known.vectors), database.count("knowledge_chunk"));
}

#[test]
fn a_collection_waits_no_more_when_others_have_deleted_what_was_too_dear() {
    let database = Database::in_memory();
    of_another_model(&database);
    let poor = instance(&database, 500);
    assert!(poor.load("new.md", "# New\n\nThe quicklime kiln.").unwrap().note.is_some());
    // Another instance takes away all but a few.
    let other = Instance::new(&database);
    let all = wait(other.of(None).list(&name("default"), None, None, 50)).unwrap().items;
    for record in all.iter().filter(|record| record.title() != "New") {
        wait(other.of(None).delete(&record.id)).unwrap();
    }
    assert_eq!(poor.load("more.md", "# More\n\nMore words.").unwrap().note, None);
    assert_eq!(stats(&poor).unwrap().model, OTHER);
}

#[test]
fn an_edited_folder_has_a_collection_that_waits_counted_once() {
    let database = Database::in_memory();
    of_another_model(&database);
    let poor = instance(&database, 500);
    let note = poor.load("new.md", "# New\n\nThe quicklime kiln.").unwrap().note;
    assert!(note.is_some());
    // That a reindex does nothing either is no reason to count it again.
    wait(poor.of(None).reindex(&name("default"))).unwrap_err();
    // Whoever would count it queues behind somebody who has the right to it.
    let other = instance(&database, u64::MAX);
    let claim = wait(other.of(None).claim(&name("default"))).unwrap();
    for chunks in (90..100).rev() {
        let loaded = poor.load("long.md", &long(chunks)).unwrap();
        assert_eq!((loaded.change, &loaded.note), (Change::Replaced, &note), "{chunks}");
        assert_eq!(usize::try_from(loaded.record.chunks).unwrap(), chunks);
    }
    wait(other.of(None).release(claim));
}
