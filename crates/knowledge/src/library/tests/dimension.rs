//! A model that gives vectors of another width by now: who sees it, what mends it, and what is paid for meanwhile.

use super::embedded::{MODEL, best, long, stats};
use super::*;

#[test]
fn a_dimension_that_changes_is_refused_and_a_reindex_mends_it() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    full(&instance);
    database.provider.dimension.set(48);
    let error = instance.load("new.md", "# New\n\nSomething else.").unwrap_err().to_string();
    assert!(error.starts_with("new.md: openai:small gave an embedding of 48 numbers"), "{error}");
    assert!(error.contains("has 64; reindex the collection"), "{error}");
    assert_eq!(database.count("knowledge_document"), 12);
    // As the error says: all that is kept is in the cache, and is asked for again.
    wait(instance.of(None).reindex(&name("default"))).unwrap();
    assert_eq!(stats(&instance).unwrap().dimension, 48);
    let had = "knowledge_embedding WHERE idle_since IS NULL";
    assert_eq!(database.count(had), 12, "each is somebody's");
    instance.load("new.md", "# New\n\nSomething else.").unwrap();
    assert_eq!(best(&instance, "whale oil beacon"), ("lamp".to_owned(), None));
    // What a document takes away with it is gone.
    let number = "SELECT id FROM knowledge_document WHERE live = 1 LIMIT 1";
    let id: String = database.connection.query_row(number, [], |row| row.get(0)).unwrap();
    wait(instance.of(None).delete(&id)).unwrap();
    assert_eq!(database.count(had), 12);
}

/// A question shows it, too, and is paid for once.
#[test]
fn a_question_of_another_dimension_is_paid_for_once_and_a_reindex_mends_it() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    full(&instance);
    database.provider.dimension.set(48);
    let (title, note) = best(&instance, "whale oil beacon");
    assert!(title == "lamp" && note.unwrap().contains("48 numbers where the collection has 64"));
    database.provider.serves.set(Some(0));
    let (_, note) = best(&instance, "whale oil beacon");
    assert!(note.unwrap().contains("48 numbers where the collection has 64"), "nobody is asked");
    database.provider.serves.set(None);
    wait(instance.of(None).reindex(&name("default"))).unwrap();
    assert_eq!(stats(&instance).unwrap().dimension, 48);
    database.provider.serves.set(Some(0));
    assert_eq!(best(&instance, "whale oil beacon"), ("lamp".to_owned(), None));
}

#[test]
fn a_question_is_paid_for_once_after_a_dimension_has_changed() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    full(&instance);
    best(&instance, "whale oil beacon");
    database.provider.dimension.set(48);
    database.connection.execute("DELETE FROM knowledge_embedding WHERE rowid = 3", []).unwrap();
    wait(instance.of(None).reindex(&name("default"))).unwrap();
    let paid = database.provider.count();
    for _ in 0..3 {
        assert_eq!(best(&instance, "whale oil beacon"), ("lamp".to_owned(), None));
    }
    assert_eq!(database.provider.count(), paid + 1);
}

/// Why a load is refused whose try before failed behind its first batch: the model has changed since then.
fn behind_a_failed_load(database: &Database, instance: &Instance<'_>, text: &str) -> LibraryError {
    database.provider.serves.set(Some(1));
    instance.load("long.md", text).unwrap_err();
    database.provider.serves.set(None);
    database.provider.dimension.set(48);
    instance.load("long.md", text).unwrap_err()
}

/// A collection's first document, whose provider changes between two tries.
#[test]
fn a_first_document_that_meets_what_a_failed_load_has_left_is_loaded_when_it_is_sent_again() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    let text = long(100);
    let error = behind_a_failed_load(&database, &instance, &text);
    let passes = Some(Passes { wait_ms: None });
    let cause = error.cause();
    assert!(matches!(cause, LibraryError::NotEmbedded { passes: found, .. } if *found == passes));
    let (error, model) = (error.to_string(), "long.md: openai:small");
    let says = format!("{model} gave an embedding of 48 numbers behind others of 64; load again");
    assert!(error.starts_with(&says), "{error}");
    assert_eq!(database.count("knowledge_document"), 0);
    instance.load("long.md", &text).unwrap();
    assert_eq!(stats(&instance).map(|of| (of.dimension, of.vectors)), Some((48, 100)));
}

#[test]
fn a_provider_that_errs_in_the_middle_of_a_load_costs_one_batch() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    let text = long(100);
    database.shares.set(true);
    let mut load = {
        let library = instance.of(None);
        let loading = loading(library.owner(), "default", "long.md", &text);
        Box::pin(async move { library.load(loading).await })
    };
    while database.provider.count() == 0 {
        assert!(poll(&mut load).is_pending());
    }
    database.shares.set(false);
    database.provider.dimension.set(48);
    let error = wait(load).unwrap_err();
    assert!(error.to_string().contains("48 numbers behind others of 64"), "{error}");
    database.provider.dimension.set(64);
    let again = instance.load("long.md", &text).unwrap();
    assert_eq!(again.spent.unwrap().tokens, 3_600, "64 of 100 are kept");
}

#[test]
fn what_a_failed_load_has_left_of_another_dimension_is_paid_for_anew() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    full(&instance);
    let text = long(100);
    let error = behind_a_failed_load(&database, &instance, &text);
    assert!(matches!(error.cause(), LibraryError::OtherDimension(_)), "{error:?}");
    wait(instance.of(None).reindex(&name("default"))).unwrap();
    let loaded = instance.load("long.md", &text).unwrap();
    assert_eq!(loaded.spent.unwrap().tokens, 10_000);
    assert_eq!(stats(&instance).map(|of| (of.dimension, of.vectors)), Some((48, 112)));
}

fn load(instance: &Instance<'_>, collection: &str, file: &str, text: &str) -> Done<Loaded> {
    let library = instance.of(None);
    let loaded = wait(library.load(loading(library.owner(), collection, file, text)));
    wait(library.settle(&name(collection), true));
    loaded
}

/// One collection was made before the model changed, the other behind that.
#[test]
fn a_load_that_meets_another_dimension_takes_no_vectors_from_another_collection() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    let text = format!("# Long\n\n{}", long(100));
    load(&instance, "one", "lamp.md", "# Lamp\n\nThe beacon burns.").unwrap();
    database.provider.dimension.set(48);
    load(&instance, "two", "long.md", &text).unwrap();
    let (paid, had) = (database.provider.count(), "knowledge_embedding WHERE idle_since IS NULL");
    for times in 1..3 {
        let error = load(&instance, "one", "long.md", &text).unwrap_err();
        assert!(matches!(error.cause(), LibraryError::OtherDimension(_)), "{error:?}");
        assert_eq!(error.spent().map(|spent| spent.tokens), Some(100), "one text tells");
        assert_eq!(database.provider.count(), paid + times);
        assert!(database.count(had) >= 100, "those of the other collection");
    }
    let paid = database.provider.count();
    wait(instance.of(None).reindex(&name("two"))).unwrap();
    load(&instance, "two", "twin.md", &text).unwrap();
    assert_eq!(database.provider.count(), paid, "nothing of it is paid for again");
    wait(instance.of(None).reindex(&name("one"))).unwrap();
    load(&instance, "one", "long.md", &text).unwrap();
    assert_eq!(database.provider.count(), paid + 1, "what the old collection had");
}

/// Both have the same text, and one was made anew.
#[test]
fn what_a_model_gives_by_now_is_what_it_says_and_not_what_another_collection_has() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    let load = |collection: &str, file: &str, text: &str| load(&instance, collection, file, text);
    let text = "# Kiln\n\nQuicklime is burnt.";
    load("one", "lamp.md", "# Lamp\n\nThe beacon burns.").unwrap();
    database.provider.dimension.set(48);
    load("two", "kiln.md", text).unwrap();
    let error = load("one", "kiln.md", text).unwrap_err();
    assert!(matches!(error.cause(), LibraryError::OtherDimension(_)), "{error:?}");
    wait(instance.of(None).reindex(&name("one"))).unwrap();
    load("one", "kiln.md", text).unwrap();
    let known = wait(instance.of(None).stats(&name("one"))).unwrap().embedding.unwrap();
    assert_eq!((known.dimension, known.vectors), (48, 2));
}

/// A provider that errs once over a question has a vector of the collection asked for again.
#[test]
fn what_was_doubted_and_asked_for_again_stays_as_long_as_its_document() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    full(&instance);
    database.provider.dimension.set(48);
    assert!(best(&instance, "whale oil beacon").1.is_some());
    database.provider.dimension.set(64);
    let paid = database.provider.count();
    let made = wait(instance.of(None).reindex(&name("default"))).unwrap();
    assert_eq!((made.embedding.unwrap().dimension, database.provider.count()), (64, paid + 1));
    assert_eq!(database.count("knowledge_embedding WHERE idle_since IS NULL"), 12);
}
