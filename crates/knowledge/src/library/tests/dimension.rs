//! A model that gives vectors of another width by now: who sees it, what mends it, and what is paid for meanwhile.

use super::embedded::{MODEL, best, stats};
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
