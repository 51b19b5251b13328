//! Vectors of a provider's model in the lives of documents: paid for once, of one model, gone with their document.

use super::*;
use std::collections::BTreeSet;

/// What embeds: the same words give the same vector, and words that mean the same give it, too.
pub(in super::super) struct Provider {
    pub(super) dimension: Cell<usize>,
    /// Texts that were paid for, in their order.
    pub(super) asked: RefCell<Vec<String>>,
    /// Calls after which it fails; none: it serves.
    pub(super) serves: Cell<Option<u32>>,
    /// Whether what fails breaks off, and may be paid for.
    pub(super) breaks_off: Cell<bool>,
    /// Calls that break off before those that are served.
    pub(super) loses: Cell<u32>,
    /// Milliseconds that each of these takes.
    pub(super) loses_after: Cell<u64>,
    /// Why it serves nobody; none: it does.
    pub(super) denies: Cell<Option<Unserved>>,
    /// Whether anybody knows what it costs.
    pub(super) has_price: Cell<bool>,
}

impl Default for Provider {
    fn default() -> Self {
        let (dimension, asked) = (Cell::new(64), RefCell::default());
        Provider {
            dimension,
            asked,
            serves: Cell::new(None),
            breaks_off: Cell::new(false),
            loses: Cell::new(0),
            loses_after: Cell::new(0),
            denies: Cell::new(None),
            has_price: Cell::new(true),
        }
    }
}

impl Provider {
    pub(super) fn embed(&self, model: &str, texts: &[String]) -> Result<Embedded, EmbedFailed> {
        if let Some(left) = self.loses.get().checked_sub(1) {
            self.loses.set(left);
            return Err(EmbedFailed {
                why: "the exchange with the provider failed: it broke off".to_owned(),
                passes: Some(Passes { wait_ms: None }),
                unserved: None,
                may_have_cost: true,
            });
        }
        if let Some(unserved) = self.denies.get() {
            return Err(EmbedFailed {
                why: "the provider says no".to_owned(),
                passes: None,
                unserved: Some(unserved),
                may_have_cost: false,
            });
        }
        if let Some(serves) = self.serves.get() {
            let none = || EmbedFailed {
                why: "the provider failed (500): oops".to_owned(),
                passes: Some(Passes { wait_ms: None }),
                unserved: None,
                may_have_cost: self.breaks_off.get(),
            };
            self.serves.set(Some(serves.checked_sub(1).ok_or_else(none)?));
        }
        assert!(!texts.is_empty());
        let vector = |text: &String| {
            let mut vector = vec![0.0_f32; self.dimension.get()];
            for word in text.to_lowercase().split(|sign: char| !sign.is_alphabetic()) {
                let means = if word == "lighthouse" { "beacon" } else { word };
                let of = means.bytes().chain(model.bytes());
                let sum = of.fold(7_usize, |sum, byte| sum * 31 % 65_521 + usize::from(byte));
                vector[sum % self.dimension.get()] += if word.len() > 3 { 1.0 } else { 0.01 };
            }
            vector
        };
        let vectors: Vec<Vec<f32>> = texts.iter().map(vector).collect();
        self.asked.borrow_mut().extend(texts.iter().cloned());
        let tokens = u64::try_from(texts.len()).unwrap() * 100;
        let cost = self.has_price.get().then_some(texts.len() as f64 * 2e-6);
        Ok(Embedded { vectors, tokens, cost })
    }

    pub(super) fn count(&self) -> usize {
        self.asked.borrow().len()
    }
}

pub(super) const MODEL: &str = "openai:small";

pub(super) fn best(instance: &Instance<'_>, text: &str) -> (String, Option<String>) {
    let found = wait(instance.of(None).search(&query("default", text))).unwrap();
    (found.found.first().map(|best| best.chunk.title.clone()).unwrap_or_default(), found.note)
}

pub(super) fn stats(instance: &Instance<'_>) -> Option<Embeddings> {
    wait(instance.of(None).stats(&name("default"))).unwrap().embedding
}

#[test]
fn documents_are_found_by_what_a_provider_knows_of_words() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    let spent = instance.load("a.md", "# A\n\nThe beacon shines.").unwrap().spent.unwrap();
    assert_eq!((spent.model.as_str(), spent.tokens, spent.cost), (MODEL, 100, Some(2e-6)));
    full(&instance);
    let known = stats(&instance).unwrap();
    assert_eq!((known.model.as_str(), known.dimension, known.vectors), (MODEL, 64, 13));
    assert_eq!(paid::sums(&instance), [(MODEL.to_owned(), 1_300, Some(26e-6))]);
    let paid = database.provider.count();
    let (title, note) = best(&instance, "lighthouse");
    assert!(title == "A" || title == "lamp", "{title}");
    assert_eq!(note, None);
    assert_eq!(best(&Instance::embedding(&database, MODEL), "lighthouse").0, title);
    assert_eq!(database.provider.count(), paid + 1, "a question is asked once");
    assert_eq!(best(&Instance::new(&database), "lighthouse").0, "", "no word of it is there");
}

#[test]
fn the_same_bytes_and_the_same_text_are_paid_for_once() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    full(&instance);
    let paid = database.provider.count();
    full(&instance);
    let twin = instance.load("twin/lamp.md", &documents()[0].1).unwrap();
    assert_eq!((twin.change, twin.spent.unwrap().tokens), (Change::Added, 0));
    wait(instance.of(None).reindex(&name("default"))).unwrap();
    assert_eq!(database.provider.count(), paid);
    let asked: BTreeSet<String> = database.provider.asked.borrow().iter().cloned().collect();
    assert_eq!(asked.len(), paid, "no text twice");
    assert_eq!(stats(&instance).unwrap().vectors, 13);
}

#[test]
fn another_model_embeds_all_anew_and_readers_have_the_old_until_then() {
    let database = Database::in_memory();
    let old = Instance::embedding(&database, MODEL);
    full(&old);
    assert_eq!(best(&old, "whale oil beacon"), ("lamp".to_owned(), None));
    let other = Instance::embedding(&database, "ollama:other");
    let (title, note) = best(&other, "whale oil beacon");
    assert!(title == "lamp" && note.unwrap().contains("not of the `embedding_model`"));
    database.provider.dimension.set(48);
    database.provider.serves.set(Some(0));
    let error = other.load("tides.md", &documents()[11].1).unwrap_err().to_string();
    assert!(error.contains("tides.md: ollama:other gave no embeddings: the provider"), "{error}");
    assert_eq!(stats(&old).unwrap().model, MODEL);
    assert_eq!(best(&old, "whale oil beacon"), ("lamp".to_owned(), None));
    database.provider.serves.set(None);
    // The same bytes: nothing of it is new but the model.
    let loaded = other.load("tides.md", &documents()[11].1).unwrap();
    assert_eq!((loaded.change, loaded.spent.unwrap().tokens), (Change::Unchanged, 1_200));
    let known = stats(&other).unwrap();
    assert_eq!((known.model.as_str(), known.dimension, known.vectors), ("ollama:other", 48, 12));
    let had = "knowledge_embedding_use WHERE model > 0";
    assert_eq!(database.count(had), 12, "those of the model before are left");
    assert_eq!(best(&other, "whale oil beacon"), ("lamp".to_owned(), None));
    // And away from all.
    let none = Instance::new(&database);
    none.load("new.md", "# New\n\nSomething else.").unwrap();
    assert_eq!(stats(&none), None);
    assert_eq!(database.count(had), 0);
    assert_eq!(best(&none, "whale oil beacon"), ("lamp".to_owned(), None));
}

#[test]
fn a_provider_that_fails_takes_nothing_from_searches() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    full(&instance);
    database.provider.serves.set(Some(0));
    let (title, note) = best(&instance, "whale oil beacon");
    assert_eq!(title, "lamp");
    let note = note.unwrap();
    assert!(note.starts_with("ranked by words and learned meaning, not by embeddings"), "{note}");
    assert!(note.contains("the provider failed (500): oops"), "{note}");
    let error = instance.load("new.md", "# New\n\nSomething else.").unwrap_err();
    let passes = Some(Passes { wait_ms: None });
    let cause = error.cause();
    assert!(matches!(cause, LibraryError::NotEmbedded { passes: found, .. } if *found == passes));
    assert_eq!(database.count("knowledge_document"), 12);
    let wrong = Some(Err("`embedding_model` must be provider:name".to_owned()));
    let wrong = Instance { embedding: wrong, ..Instance::new(&database) };
    assert_eq!(best(&wrong, "whale oil beacon").0, "lamp");
    assert!(best(&wrong, "whale oil").1.unwrap().contains("`embedding_model` must be"));
    assert!(wrong.load("x.md", "# X\n\nx").unwrap_err().to_string().contains("must be provider"));
}

#[test]
fn a_provider_that_does_not_serve_is_told_with_what_to_set_and_takes_nothing_from_searches() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    full(&instance);
    for (unserved, way_out) in [
        (Unserved::Key, "says no; set `openai_api_key` to a key that it takes"),
        (Unserved::NoKey, "there is no key for its provider; set `openai_api_key`"),
        (Unserved::NoCredit, "says no; give the account credit, or set another `embedding_model`"),
        (Unserved::Model, "says no; set another `embedding_model`"),
        (Unserved::Place, "says no; set an `embedding_model` of another provider"),
        (Unserved::Length, "says no; set an `embedding_model` that takes more"),
        (Unserved::Texts, "says no"),
    ] {
        database.provider.denies.set(Some(unserved));
        let error = instance.load("new.md", "# New\n\nSomething else.").unwrap_err();
        let cause = error.cause();
        assert!(matches!(cause, LibraryError::Unserved { by, .. } if *by == unserved), "{error:?}");
        assert!(error.to_string().starts_with("new.md: openai:small gave no embeddings: the"));
        assert!(error.to_string().ends_with(way_out), "{error}");
        let (title, note) = best(&instance, "whale oil beacon");
        assert!(title == "lamp" && note.unwrap().ends_with(way_out), "{title}");
        assert_eq!(database.count("knowledge_document"), 12);
    }
}

/// A document of so many chunks.
pub(super) fn long(sections: usize) -> String {
    let section = |at: usize| format!("## Part {at}\n\n{}\n\n", format!("word{at} ").repeat(110));
    (0..sections).map(section).collect()
}

#[test]
fn a_load_that_dies_is_begun_again_and_pays_for_the_rest() {
    for serves in 0..4 {
        let database = Database::in_memory();
        let instance = Instance::embedding(&database, MODEL);
        database.provider.serves.set(Some(serves));
        let text = long(200);
        let died = instance.load("long.md", &text);
        assert!(died.is_err(), "four calls are needed");
        assert_eq!(database.count("knowledge_document"), 0);
        database.provider.serves.set(None);
        let later = Instance::embedding(&database, MODEL);
        later.load("long.md", &text).unwrap();
        let asked = database.provider.asked.borrow();
        let once: BTreeSet<&String> = asked.iter().collect();
        assert_eq!(asked.len(), once.len(), "after {serves} calls something was paid for twice");
        assert_eq!(usize::try_from(stats(&later).unwrap().vectors).unwrap(), once.len());
    }
}

#[test]
fn a_process_that_is_gone_at_any_statement_loses_no_batch_that_was_kept() {
    let text = long(200);
    for dies_at in 0.. {
        let database = Database::in_memory();
        database.left.set(Some(dies_at));
        let lives = Instance::embedding(&database, MODEL).load("long.md", &text).is_ok();
        database.left.set(None);
        // What it was paying for just then is nobody's after a while.
        database.now.set(database.now.get() + 16_000);
        let later = Instance::embedding(&database, MODEL);
        later.load("long.md", &text).unwrap();
        let asked = database.provider.asked.borrow();
        let once: BTreeSet<&String> = asked.iter().collect();
        // One batch may have been paid for and not have been kept yet.
        assert!(asked.len() <= once.len() + 64, "at {dies_at}");
        assert_eq!(usize::try_from(stats(&later).unwrap().vectors).unwrap(), once.len());
        if lives {
            break;
        }
    }
}

#[test]
fn what_a_load_may_cost_counts_for_all_that_it_does() {
    let database = Database::in_memory();
    full(&Instance::embedding(&database, MODEL));
    let paid = database.provider.count();
    // Bringing twelve documents to another model takes 1,200 tokens.
    let setting = EmbeddingSetting { model: "openai:large".to_owned(), budget: 1_200, price: None };
    let instance = Instance { embedding: Some(Ok(setting)), ..Instance::new(&database) };
    let error = instance.load("new.md", "# New\n\nSomething else.").unwrap_err().to_string();
    assert!(error.starts_with("new.md: ") && error.contains("`embedding_max_cost`"), "{error}");
    assert_eq!(database.provider.count(), paid + 12);
    // The next has a budget of its own.
    instance.load("new.md", "# New\n\nSomething else.").unwrap();
    assert_eq!(database.provider.count(), paid + 13);
}

#[test]
fn a_collection_that_is_too_large_for_a_model_pays_for_one_batch() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    // 4,096 are the most.
    database.provider.dimension.set(4_097);
    for paid in [64, 64] {
        let error = instance.load("long.md", &long(200)).unwrap_err();
        assert!(matches!(error.cause(), LibraryError::TooLarge(_)), "{error:?}");
        let error = error.to_string();
        assert!(error.starts_with("long.md: ") && error.contains("4097 numbers"), "{error}");
        assert_eq!(database.provider.count(), paid);
        assert_eq!(database.count("knowledge_document"), 0);
    }
}

#[test]
fn what_one_owner_has_paid_for_tells_another_nothing() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    for owner in [None, Some("ada@example.org"), Some("bob@example.org")] {
        let library = instance.of(owner);
        let text = "# Deed\n\nThe house on the hill.";
        let loaded = wait(library.load(loading(library.owner(), "default", "deed.md", text)));
        assert_eq!(loaded.unwrap().spent.unwrap().tokens, 100, "{owner:?}");
    }
}

/// A collection that was embedded by another model than the one that is set now, and what was paid for it.
fn of_another_model(database: &Database) -> usize {
    let old = Instance::embedding(database, MODEL);
    full(&old);
    old.load("long.md", &long(100)).unwrap();
    database.provider.count()
}

const OTHER: &str = "openai:other";

#[test]
fn a_search_tells_what_its_question_cost() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    full(&instance);
    let spent = |instance: &Instance<'_>, text: &str| {
        wait(instance.of(None).search(&query("default", text))).unwrap().spent
    };
    let of = |tokens, cost| Some(Spent { model: MODEL.to_owned(), tokens, cost: Some(cost) });
    assert_eq!(spent(&instance, "whale oil"), of(100, 2e-6));
    assert_eq!(spent(&instance, "whale oil"), of(0, 0.0), "it is known");
    assert_eq!(spent(&Instance::new(&database), "whale oil"), None);
    // What cannot be used is paid for.
    database.provider.dimension.set(48);
    assert_eq!(spent(&instance, "rye dough"), of(100, 2e-6));
    database.provider.serves.set(Some(0));
    assert_eq!(spent(&instance, "rye bread"), None);
}

#[test]
fn two_who_meet_after_a_change_of_models_pay_once() {
    let database = Database::in_memory();
    let paid = of_another_model(&database);
    let [one, two] = [(); 2].map(|()| Instance::embedding(&database, OTHER));
    database.shares.set(true);
    let load = async |instance: &Instance<'_>, file: &str| {
        let library = instance.of(None);
        let text = format!("# {file}\n\nSomething about {file}.");
        library.load(loading(library.owner(), "default", file, &text)).await
    };
    let [first, second] = both(load(&one, "one.md"), load(&two, "two.md"));
    let tokens = |loaded: Done<Loaded>| loaded.unwrap().spent.unwrap().tokens;
    let mut tokens = [tokens(first), tokens(second)];
    tokens.sort_unstable();
    assert_eq!(tokens, [100, 11_300]);
    let again = database.provider.count();
    let once: BTreeSet<String> = database.provider.asked.borrow()[paid..].iter().cloned().collect();
    assert_eq!(again - paid, once.len(), "something was paid for twice");
    assert_eq!(database.count("knowledge_embedder"), 0);
    // Whoever reindexes meanwhile waits, too.
    let reindex = async |instance: &Instance<'_>| {
        instance.of(None).reindex(&name("default")).await.map(|stats| stats.embedding)
    };
    let three = Instance::embedding(&database, "openai:third");
    let four = Instance::embedding(&database, "openai:third");
    let [one, two] = both(reindex(&three), reindex(&four));
    assert_eq!(one.unwrap().unwrap().vectors, two.unwrap().unwrap().vectors);
    assert_eq!(database.provider.count() - again, once.len());
}

#[test]
fn whoever_meets_one_that_takes_long_is_told_to_come_again() {
    let database = Database::in_memory();
    let paid = of_another_model(&database);
    let taken = "INSERT INTO knowledge_embedder SELECT collection, 'somebody', 100000
         FROM knowledge_collection";
    database.connection.execute(taken, []).unwrap();
    let instance = Instance::embedding(&database, OTHER);
    let error = instance.load("new.md", "# New\n\nSomething else.").unwrap_err();
    assert_eq!(*error.cause(), LibraryError::BeingRenewed("default".to_owned()));
    assert!(
        error.to_string().starts_with("new.md: the index of collection `default` is being made")
    );
    assert!(wait(instance.of(None).reindex(&name("default"))).is_err());
    assert_eq!((database.provider.count(), stats(&instance).unwrap().model), (paid, MODEL.into()));
    // Somebody has died.
    database.now.set(100_001);
    instance.load("new.md", "# New\n\nSomething else.").unwrap();
    assert_eq!(stats(&instance).unwrap().model, OTHER);
}

#[test]
fn whoever_was_too_slow_pays_for_no_other_batch_and_what_it_paid_for_is_used() {
    let database = Database::in_memory();
    let paid = of_another_model(&database);
    let [slow, fast] = [(); 2].map(|()| Instance::embedding(&database, OTHER));
    database.shares.set(true);
    let mut reindexed = {
        let library = slow.of(None);
        Box::pin(async move { library.reindex(&name("default")).await })
    };
    while database.provider.count() == paid {
        assert!(poll(&mut reindexed).is_pending());
    }
    // Its first batch is paid for. While it waits for the reply its time is over.
    let gone = "UPDATE knowledge_embedder SET holder = 'somebody'";
    database.connection.execute(gone, []).unwrap();
    database.shares.set(false);
    let error = wait(reindexed).unwrap_err();
    assert_eq!(*error.cause(), LibraryError::BeingRenewed("default".to_owned()));
    assert_eq!(error.spent().map(|spent| spent.tokens), Some(6_400));
    assert_eq!(database.provider.count() - paid, 64);
    database.now.set(1_000_000);
    wait(fast.of(None).reindex(&name("default"))).unwrap();
    assert_eq!(database.provider.count() - paid, 112);
}

#[test]
fn vectors_go_with_the_last_document_that_has_their_text() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, MODEL);
    full(&instance);
    let own = instance.load("own.md", "# Own\n\nquicklime kiln").unwrap().record.id;
    let one = instance.load("one.md", "# Same\n\nThe same text.").unwrap().record.id;
    let two = instance.load("two.md", "# Same\n\nThe same text.").unwrap().record.id;
    let there = |database: &Database| database.count("knowledge_embedding");
    assert_eq!(there(&database), 14);
    wait(instance.of(None).delete(&own)).unwrap();
    assert_eq!(there(&database), 13);
    wait(instance.of(None).delete(&one)).unwrap();
    assert_eq!(there(&database), 13);
    wait(instance.of(None).delete(&two)).unwrap();
    assert_eq!((there(&database), database.count("knowledge_embedding_use")), (12, 12));
    // A changed document's, too, and a question's after a while.
    instance.load("lamp.md", "# Lamp\n\nOther words.").unwrap();
    assert_eq!(there(&database), 12);
    best(&instance, "a question");
    assert_eq!(there(&database), 13);
    database.now.set(database.now.get() + 25 * 60 * 60 * 1_000);
    instance.load("more.md", "# More\n\nMore words.").unwrap();
    assert_eq!(there(&database), 13);
    assert_eq!(database.count("knowledge_embedding WHERE idle_since IS NOT NULL"), 0);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(24))]
    /// Whatever is loaded, changed and deleted: each chunk is found by its own vector, and no vector is left over.
    #[test]
    fn vectors_stay_with_their_chunks(steps in proptest::collection::vec((0_usize..8, 0_u8..3), 1..25)) {
        let database = Database::in_memory();
        let instance = Instance::embedding(&database, MODEL);
        let mut there = BTreeSet::new();
        for (which, what) in steps {
            let file = format!("{which}.md");
            let id = || loading(&Owner::new(None), "default", &file, "# x\n\nx").id;
            if what == 0 && there.remove(&which) {
                wait(instance.of(None).delete(&id())).unwrap();
            } else if what > 0 {
                let text = format!("# n{which}\n\n{}", format!("thing{which} of{what} ").repeat(9));
                instance.load(&file, &text).unwrap();
                there.insert(which);
            }
        }
        let vectors = stats(&instance).map_or(0, |known| known.vectors);
        proptest::prop_assert_eq!(usize::try_from(vectors).unwrap(), there.len());
        proptest::prop_assert_eq!(database.count("knowledge_embedding_use"), there.len() as u64);
        for instance in [&instance, &Instance::embedding(&database, MODEL)] {
            for which in &there {
                let asked = Query { top_k: 1, ..query("default", &format!("thing{which}")) };
                let found = wait(instance.of(None).search(&asked)).unwrap();
                let best = &found.found[0];
                proptest::prop_assert_eq!(&best.chunk.title, &format!("n{which}"));
                proptest::prop_assert!(best.meaning > 0.9, "{:?}", best);
            }
        }
    }
}
