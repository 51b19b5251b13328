//! What vectors cost is told whatever becomes of their load.

use super::embedded::{MODEL, long, stats};
use super::*;
use crate::rank::segment::SEGMENT_CHUNKS;

/// What the collection has paid, by model.
pub(super) fn sums(instance: &Instance<'_>) -> Vec<(String, u64, Option<f64>)> {
    let paid = wait(instance.of(None).stats(&name("default"))).unwrap().paid;
    paid.into_iter().map(|spent| (spent.model, spent.tokens, spent.cost)).collect()
}

/// Tokens of all its models.
fn tokens(instance: &Instance<'_>) -> u64 {
    sums(instance).iter().map(|(_, tokens, _)| tokens).sum()
}

fn asked(database: &Database) -> u64 {
    u64::try_from(database.provider.asked.borrow().len()).unwrap() * 100
}

#[test]
fn the_sums_of_a_collection_have_what_failed_loads_paid() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    database.provider.serves.set(Some(2));
    instance.load("long.md", &long(200)).unwrap_err();
    assert_eq!(
        sums(&instance),
        [(MODEL.to_owned(), 12_800, Some(256e-6))],
        "nothing else is there"
    );
    database.provider.serves.set(None);
    instance.load("long.md", &long(200)).unwrap();
    wait(instance.of(None).search(&query("default", "some question"))).unwrap();
    assert_eq!(tokens(&instance), asked(&database), "questions cost something, too");
    // Another model, whose reindex fails behind its first batch; and back.
    let other = Instance::embedding(&database, "openai:other");
    database.provider.serves.set(Some(1));
    wait(other.of(None).reindex(&name("default"))).unwrap_err();
    assert_eq!(sums(&instance)[0], ("openai:other".to_owned(), 6_400, Some(128e-6)));
    assert_eq!(tokens(&instance), asked(&database));
    database.provider.serves.set(None);
    wait(other.of(None).reindex(&name("default"))).unwrap();
    wait(instance.of(None).reindex(&name("default"))).unwrap();
    assert_eq!(tokens(&instance), asked(&database));
    let two = Instance::new(&database);
    wait(two.of(None).reindex(&name("default"))).unwrap();
    assert_eq!(tokens(&two), asked(&database), "also when it has none any more");
    assert_eq!(wait(two.of(Some("ada@example.org")).stats(&name("default"))).unwrap().paid, []);
}

#[test]
fn a_price_that_is_not_known_makes_the_sum_unknown() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    instance.load("a.md", "# A\n\nSomething.").unwrap();
    database.provider.has_price.set(false);
    instance.load("b.md", "# B\n\nSomething else.").unwrap();
    assert_eq!(sums(&instance), [(MODEL.to_owned(), 200, None)]);
}

#[test]
fn a_single_token_is_one_and_costs_something() {
    let paid = Spent { model: MODEL.to_owned(), tokens: 1, cost: Some(2e-8) };
    assert_eq!(paid.to_string(), "1 token of openai:small for 0.00000002 US dollars");
    let unknown = Spent { tokens: 2, cost: None, ..paid };
    assert_eq!(unknown.to_string(), "2 tokens of openai:small, of which no price is known,");
}

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
        // Where it is back by the end of the load, the sums have it as well.
        if tokens > 0 && loaded.is_ok() {
            assert!(self::tokens(&instance) >= tokens);
        }
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
    assert_eq!(sums(&other)[0].1, 6_400 + u64::try_from(asked.len()).unwrap() * 100);
}

#[test]
fn a_sum_that_the_database_did_not_take_at_once_is_kept_with_the_next() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    let library = instance.of(None);
    let embedded = |tokens| Embedded { vectors: Vec::new(), tokens, cost: Some(1e-6) };
    instance.load("a.md", "# A\n\nSomething.").unwrap();
    database.left.set(Some(0));
    wait(library.pays(&name("default"), MODEL, &embedded(10)));
    database.left.set(None);
    assert_eq!(tokens(&instance), 100);
    assert_eq!(wait(library.spent()).unwrap().tokens, 10);
    assert_eq!(tokens(&instance), 110);
    wait(library.pays(&name("default"), MODEL, &embedded(5)));
    assert_eq!((tokens(&instance), sums(&instance)[0].2), (115, Some(4e-6)));
}

#[test]
fn a_load_that_would_be_too_dear_says_so_before_it_pays() {
    let database = Database::in_memory();
    let setting = EmbeddingSetting { model: MODEL.to_owned(), budget: 1_000, price: None };
    let instance = Instance { embedding: Some(Ok(setting)), ..Instance::new(&database) };
    let error = instance.load("long.md", &long(50)).unwrap_err();
    assert!(matches!(error.cause(), LibraryError::TooLarge(_)), "{error:?}");
    let error = error.to_string();
    assert!(error.starts_with("long.md: ") && error.contains("`embedding_max_cost`"), "{error}");
    assert_eq!(database.provider.asked.borrow().len(), 0);
}

#[test]
fn a_long_load_that_would_be_too_dear_is_not_begun() {
    let database = Database::in_memory();
    let text = long(SEGMENT_CHUNKS + 20);
    let estimate = quarry_types::tokens::estimate(&text);
    // It reaches for the first segment, and for no more.
    let setting = EmbeddingSetting { model: MODEL.to_owned(), budget: estimate, price: None };
    let instance = Instance { embedding: Some(Ok(setting)), ..Instance::new(&database) };
    let error = instance.load("long.md", &text).unwrap_err().to_string();
    assert!(error.contains("takes about") && error.contains("`embedding_max_cost`"), "{error}");
    assert_eq!(database.provider.asked.borrow().len(), 0);
    // What is known already costs nothing.
    Instance::embedding(&database, MODEL).load("long.md", &text).unwrap();
    let twin = instance.load("twin.md", &text).unwrap();
    assert_eq!(twin.spent.unwrap().tokens, 0);
}

#[test]
fn a_change_of_model_that_would_be_too_dear_is_not_begun() {
    let database = Database::in_memory();
    let text = long(SEGMENT_CHUNKS + 20);
    let old = Instance::embedding(&database, MODEL);
    old.load("long.md", &text).unwrap();
    let paid = database.provider.asked.borrow().len();
    // It reaches for the first segment, and for no more.
    let budget = quarry_types::tokens::estimate(&text);
    let setting = |model: &str| EmbeddingSetting { model: model.to_owned(), budget, price: None };
    let other =
        Instance { embedding: Some(Ok(setting("openai:large"))), ..Instance::new(&database) };
    let error = wait(other.of(None).reindex(&name("default"))).unwrap_err();
    assert!(matches!(error.cause(), LibraryError::TooLarge(_)), "{error:?}");
    assert!(error.to_string().contains("takes about"), "{error}");
    assert_eq!(
        (database.provider.asked.borrow().len(), stats(&old).unwrap().model.as_str()),
        (paid, MODEL)
    );
    // What is known already costs nothing.
    let same = Instance { embedding: Some(Ok(setting(MODEL))), ..Instance::new(&database) };
    wait(same.of(None).reindex(&name("default"))).unwrap();
    assert_eq!(database.provider.asked.borrow().len(), paid);
}

#[test]
fn a_question_whose_vector_came_too_late_may_have_been_paid_for() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    instance.load("a.md", "# A\n\nSomething.").unwrap();
    database.provider.serves.set(Some(0));
    let asked = |text| wait(instance.of(None).search(&query("default", text))).unwrap();
    assert_eq!(asked("who keeps the lamp").spent, None, "a provider that refuses bills nothing");
    database.provider.breaks_off.set(true);
    let findings = asked("who keeps the lamp");
    let spent = findings.spent.unwrap();
    assert!(findings.note.is_some() && spent.tokens > 0, "{spent:?}");
    assert_eq!((spent.model.as_str(), spent.cost), (MODEL, None), "nobody says what it was");
    assert_eq!(sums(&instance), [(MODEL.to_owned(), 100 + spent.tokens, None)]);
}

#[test]
fn a_batch_that_breaks_off_in_a_load_may_have_been_paid_for() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    database.provider.serves.set(Some(2));
    database.provider.breaks_off.set(true);
    let error = instance.load("long.md", &long(200)).unwrap_err();
    let spent = error.spent().unwrap().clone();
    // Two batches of 64, and the estimate of the one that nobody heard of again.
    assert!(spent.tokens > 12_800, "{spent:?}");
    assert_eq!((spent.model.as_str(), spent.cost), (MODEL, None), "nobody says what it was");
    assert_eq!(sums(&instance), [(MODEL.to_owned(), spent.tokens, None)]);
    // What a reindex loses counts as well.
    let other = Instance::embedding(&database, "openai:other");
    database.provider.serves.set(None);
    instance.load("a.md", "# A\n\nSomething.").unwrap();
    database.provider.serves.set(Some(0));
    let error = wait(other.of(None).reindex(&name("default"))).unwrap_err();
    assert_eq!(error.spent().map(|spent| (spent.tokens > 0, spent.cost)), Some((true, None)));
}

#[test]
fn a_batch_that_was_lost_is_asked_for_again_and_told_as_perhaps_paid() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    database.provider.loses.set(2);
    let spent = instance.load("a.md", "# A\n\nSomething.").unwrap().spent.unwrap();
    let estimate = quarry_types::tokens::estimate("A\n# A\n\nSomething.");
    let lost = spent.tokens - 100;
    assert!(
        lost >= estimate && lost.is_multiple_of(2),
        "two tries and the one that came: {spent:?}"
    );
    assert_eq!(spent.cost, None, "nobody says what the lost ones were");
    assert_eq!(sums(&instance), [(MODEL.to_owned(), spent.tokens, None)]);
    // Not without end, and what takes long is not waited for again.
    database.provider.loses.set(3);
    let error = instance.load("b.md", "# B\n\nSomething else.").unwrap_err();
    assert!(matches!(error.cause(), LibraryError::NotEmbedded { .. }), "{error:?}");
    assert_eq!(database.provider.loses.get(), 0);
    database.provider.loses.set(2);
    database.provider.loses_after.set(60_000);
    instance.load("c.md", "# C\n\nSomething more.").unwrap_err();
    assert_eq!(database.provider.loses.get(), 1);
}

#[test]
fn what_was_lost_counts_against_what_a_load_may_cost() {
    let database = Database::in_memory();
    let text = long(50);
    let estimate = quarry_types::tokens::estimate(&text);
    // It reaches for all of it, and not for a batch that is paid for twice.
    let setting =
        EmbeddingSetting { model: MODEL.to_owned(), budget: estimate * 3 / 2, price: None };
    let instance = Instance { embedding: Some(Ok(setting)), ..Instance::new(&database) };
    database.provider.loses.set(1);
    let error = instance.load("long.md", &text).unwrap_err();
    assert!(matches!(error.cause(), LibraryError::TooLarge(_)), "{error:?}");
    assert!(error.spent().is_some_and(|spent| spent.tokens > estimate), "{error}");
    assert!(database.provider.asked.borrow().len() < 50, "nothing is paid for beyond it");
}

#[test]
fn a_question_that_was_lost_at_once_is_asked_again_and_one_that_took_long_is_not() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    instance.load("a.md", "# A\n\nSomething.").unwrap();
    let asked = |text| wait(instance.of(None).search(&query("default", text))).unwrap();
    database.provider.loses.set(1);
    let findings = asked("who keeps the lamp");
    let spent = findings.spent.unwrap();
    assert_eq!((findings.note, spent.cost), (None, None));
    assert!(spent.tokens > 100, "the one that was lost, and the one that came: {spent:?}");
    database.provider.loses.set(1);
    database.provider.loses_after.set(5_000);
    let findings = asked("who keeps the other lamp");
    assert!(findings.note.is_some() && findings.spent.is_some());
    assert_eq!(database.provider.loses.get(), 0);
}

#[test]
fn a_search_that_fails_behind_its_questions_vector_says_what_that_cost() {
    let database = Database::in_memory();
    Instance::embedding(&database, MODEL).load("a.md", "# A\n\nSomething.").unwrap();
    let (mut paid, mut failed) = (0, 0);
    for dies_at in 0.. {
        // An instance of its own has not read the index yet.
        let instance = Instance::embedding(&database, MODEL);
        database.provider.asked.borrow_mut().clear();
        database.left.set(Some(dies_at));
        let asked =
            wait(instance.of(None).search(&query("default", &format!("question {dies_at}"))));
        database.left.set(None);
        let told = match &asked {
            Ok(findings) => findings.spent.clone(),
            Err(error) => error.spent().cloned(),
        };
        let tokens = database.provider.asked.borrow().len() as u64 * 100;
        assert_eq!(told.map_or(0, |spent| spent.tokens), tokens, "at {dies_at}: {asked:?}");
        paid += u32::from(tokens > 0);
        failed += u32::from(tokens > 0 && asked.is_err());
        if asked.is_ok() {
            break;
        }
    }
    assert!(paid > failed && failed > 1, "{failed} of {paid}");
}
