//! What vectors cost is told whatever becomes of their load.

use super::embedded::{MODEL, full, long};
use super::*;

#[test]
fn a_load_that_fails_says_what_it_had_paid() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    database.provider.serves.set(Some(2));
    let error = instance.load("long.md", &long(200)).unwrap_err();
    assert!(matches!(error.cause(), LibraryError::NotEmbedded { .. }), "{error:?}");
    let spent = error.spent().unwrap();
    assert_eq!((spent.model.as_str(), spent.tokens), (MODEL, 12_800));
    assert!((spent.cost.unwrap() - 256e-6).abs() < 1e-12, "{spent:?}");
    let error = error.to_string();
    assert!(error.starts_with("long.md: openai:small gave no embeddings: the provider"), "{error}");
    let says = "(12800 tokens of openai:small for 0.000256 US dollars had been paid for by then)";
    assert!(error.ends_with(says), "{error}");
    // What failed before anything was paid for says nothing of it.
    database.provider.serves.set(Some(0));
    let error = instance.load("long.md", &long(200)).unwrap_err();
    assert_eq!(error.spent(), None);
    // And the rest is told by whoever has it done.
    database.provider.serves.set(None);
    let loaded = instance.load("long.md", &long(200)).unwrap();
    let all = u64::from(loaded.record.chunks) * 100;
    assert_eq!(loaded.spent.unwrap().tokens, all - 12_800);
}

#[test]
fn a_database_that_is_gone_behind_a_paid_batch_hides_no_cost() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    let text = "# Lamp\n\nThe beacon burns whale oil.";
    for dies_at in 0.. {
        database.left.set(Some(dies_at));
        let library = instance.of(None);
        let loaded = wait(library.load(loading(library.owner(), "default", "lamp.md", text)));
        database.left.set(None);
        database.now.set(database.now.get() + 16_000);
        let told = match &loaded {
            Ok(loaded) => loaded.spent.clone(),
            Err(error) => error.spent().cloned(),
        };
        let tokens = told.map_or(0, |spent| spent.tokens);
        let paid = database.provider.asked.borrow_mut().drain(..).count();
        assert_eq!(tokens, u64::try_from(paid).unwrap() * 100, "at {dies_at}: {loaded:?}");
        if loaded.is_ok() {
            break;
        }
    }
}

#[test]
fn vectors_that_a_change_of_their_dimension_made_useless_are_told_too() {
    let database = Database::in_memory();
    let old = Instance::embedding(&database, MODEL);
    full(&old);
    old.load("long.md", &long(100)).unwrap();
    // Of an attempt that failed some vectors are kept that are wider than those that come now.
    let other = Instance::embedding(&database, "openai:other");
    database.provider.serves.set(Some(1));
    let error = other.load("a.md", "# A\n\nSomething else.").unwrap_err();
    assert_eq!(error.spent().map(|spent| spent.tokens), Some(6_400));
    database.provider.serves.set(None);
    database.provider.dimension.set(48);
    database.provider.asked.borrow_mut().clear();
    let loaded = other.load("a.md", "# A\n\nSomething else.").unwrap();
    let asked = database.provider.asked.borrow();
    let once: std::collections::BTreeSet<&String> = asked.iter().collect();
    assert!(asked.len() > once.len(), "some were paid for in vain");
    assert_eq!(loaded.spent.unwrap().tokens, u64::try_from(asked.len()).unwrap() * 100);
}
