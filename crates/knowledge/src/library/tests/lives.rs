//! The lives of documents: loaded, changed, and loads that die at every statement.

use super::*;
use proptest::prelude::*;

#[test]
fn what_is_loaded_is_found_listed_and_opened() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    for (file, text) in documents() {
        assert_eq!(instance.load(&file, &text).unwrap().change, Change::Added);
    }
    assert_eq!(instance.finds("whale oil beacon")[0], "lamp");
    assert_eq!(Instance::new(&database).finds("whale oil beacon")[0], "lamp", "by a new instance");
    let library = instance.of(None);
    let stats = wait(library.stats(&name("default"))).unwrap();
    assert_eq!((stats.collection.documents, stats.collection.chunks), (12, 12));
    assert!(stats.trained_on.is_some() && stats.segments == 5, "eight and four: {stats:?}");
    let first = wait(library.list(&name("default"), None, None, 5)).unwrap();
    let rest = wait(library.list(&name("default"), None, first.next, 100)).unwrap();
    assert_eq!((first.items.len(), rest.items.len(), rest.next), (5, 7, None));
    assert_eq!(first.items[0].title(), "tides", "the last comes first");
    let found = wait(library.search(&query("default", "demurrage of a container"))).unwrap().found;
    let best = &found[0];
    assert!(best.score > 0.5 && best.lexical == 1.0, "{best:?}");
    let page = wait(library.chunks(&best.chunk.document, best.chunk.number, 10)).unwrap();
    assert_eq!((&page.items[0], page.next), (&best.chunk, None));
    assert!(best.chunk.text.contains("Demurrage") && best.chunk.headings == ["fees"]);
    assert_eq!(best.chunk.id(), format!("{}.0", best.chunk.document));
    let (record, collection) = wait(library.get(&best.chunk.document)).unwrap();
    assert_eq!((record.name.as_deref(), collection.as_str()), (Some("fees.md"), "default"));
}

#[test]
fn documents_of_one_category_are_listed_page_by_page_whatever_its_case() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    let category = |number: usize| ["Gebühren", "rules"][number % 2];
    for number in 0..6 {
        let text =
            format!("---\ncategory: {}\n---\n# No {number}\n\nIt says {number}.", category(number));
        instance.load(&format!("{number}.md"), &text).unwrap();
    }
    instance.load("none.md", "# None\n\nIt has no category.").unwrap();
    let library = instance.of(None);
    let listed = |category: Option<&str>, behind, limit| {
        let page = wait(library.list(&name("default"), category, behind, limit)).unwrap();
        let titles: Vec<String> = page.items.iter().map(|it| it.title().to_owned()).collect();
        (titles, page.next)
    };
    let (first, next) = listed(Some("GEBÜHREN"), None, 2);
    assert_eq!((first, next.is_some()), (vec!["No 4".to_owned(), "No 2".to_owned()], true));
    assert_eq!(listed(Some("gebühren"), next, 2), (vec!["No 0".to_owned()], None));
    assert_eq!(listed(Some("geb"), None, 10), (Vec::new(), None), "a part of it is another");
    assert_eq!(listed(None, None, 10).0.len(), 7);
}

#[test]
fn what_cites_a_chunk_tells_whether_its_document_was_changed_since() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    instance.load("lamp.md", "# Lamp\n\nThe beacon burns whale oil.").unwrap();
    let library = instance.of(None);
    let cited = || wait(library.search(&query("default", "beacon"))).unwrap().found.remove(0).chunk;
    let first = cited();
    let place = format!("/chunks?from=0&as_of={}", first.as_of);
    assert!(first.address().ends_with(&place), "{}", first.address());
    let now = || wait(library.chunks(&first.document, 0, 10)).unwrap().as_of;
    assert_eq!(now(), first.as_of);
    instance.load("lamp.md", "# Lamp\n\nThe beacon burns whale oil.").unwrap();
    assert_eq!(now(), first.as_of, "the same bytes again change nothing");
    instance.load("lamp.md", "# Lamp\n\nThe beacon burns gas.").unwrap();
    assert_ne!(now(), first.as_of);
    assert_eq!(now(), cited().as_of);
}

#[test]
fn a_word_that_is_taken_for_another_is_told() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    full(&instance);
    let taken = |text| wait(instance.of(None).search(&query("default", text))).unwrap().taken;
    let told = "no document has `harbor`; what was found has `harbour`, which looks like it";
    assert_eq!(taken("Known in the Harbor?"), [told]);
    assert_eq!(taken("Known in the harbour?"), [""; 0]);
    assert_eq!(taken("xylophones of the harbour"), [""; 0], "nothing looks like it");
}

#[test]
fn an_index_whose_words_were_told_apart_otherwise_is_made_anew_by_the_next_load() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    full(&instance);
    let earlier = "UPDATE knowledge_collection SET version = version + 1, manifest = replace(manifest, '\"terms\":3,', '')";
    assert_eq!(database.connection.execute(earlier, []).unwrap(), 1);
    let later = Instance::new(&database);
    assert_eq!(later.finds("whale oil beacon")[0], "lamp", "it can be searched until then");
    later.load("sails.md", "# Sails\n\nCanvas is cut with a roach.").unwrap();
    let manifest = manifest(&database);
    assert!(manifest.contains("\"terms\":3,"), "{manifest}");
    assert_eq!(later.finds("canvas roach")[0], "Sails");
    assert_eq!(Instance::new(&database).finds("whale oil beacon")[0], "lamp");
}

#[test]
fn the_same_bytes_change_nothing_and_others_take_their_place() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    let added = instance.load("fees.md", "# Fees\n\nTen crowns a day.").unwrap();
    let before = wait(instance.of(None).stats(&name("default"))).unwrap();
    let again = instance.load("fees.md", "# Fees\n\nTen crowns a day.").unwrap();
    assert_eq!((again.change, &again.record), (Change::Unchanged, &added.record));
    assert_eq!(wait(instance.of(None).stats(&name("default"))).unwrap(), before);
    let other = instance.load("fees.md", "# Fees\n\nTwenty guilders a week.").unwrap();
    assert_eq!((other.change, &other.record.id), (Change::Replaced, &added.record.id));
    assert_eq!(instance.finds("crowns"), Vec::<String>::new());
    assert_eq!(instance.finds("guilders"), ["Fees"]);
    assert_eq!((database.count("knowledge_document"), database.count("knowledge_chunk")), (1, 1));
    let blobs = database.count("knowledge_blob WHERE live = 1");
    assert_eq!(database.count("knowledge_blob"), blobs, "no part of the index is left over");
    assert_eq!(blobs, 1);
}

#[test]
fn a_load_that_dies_leaves_what_was_there() {
    let mut dies_at = 0;
    loop {
        let database = Database::in_memory();
        let instance = Instance::new(&database);
        full(&instance);
        database.left.set(Some(dies_at));
        let changed = "# fees\n\nLighterage is owed instead.";
        let died = instance.load("fees.md", changed);
        if let Err(error) = &died {
            let says = error.to_string();
            assert!(says.starts_with("fees.md: the database failed: "), "at {dies_at}: {says}");
        }
        let died = died.is_err();
        database.left.set(None);
        let later = Instance::new(&database);
        let finds = (later.finds("demurrage container"), later.finds("lighterage owed"));
        let is_old = finds.0.first().is_some_and(|title| title == "fees");
        let is_new = finds.1.first().is_some_and(|title| title == "fees");
        assert!(is_old != is_new, "at {dies_at}: {finds:?}");
        assert!(!died || is_old, "at {dies_at} it failed and was done");
        later.load("fees.md", changed).unwrap();
        assert_eq!(later.finds("lighterage owed")[0], "fees");
        // An hour later nothing is left of it.
        database.now.set(database.now.get() + 2 * 60 * 60 * 1_000);
        for n in 0..4 {
            later.load("sweep.md", &format!("# sweep {n}")).unwrap();
        }
        assert_eq!(database.count("knowledge_document WHERE live = 0"), 0, "at {dies_at}");
        assert_eq!(database.count("knowledge_blob WHERE live = 0"), 0, "at {dies_at}");
        let lost = "knowledge_chunk WHERE document NOT IN (SELECT number FROM knowledge_document)";
        assert_eq!(database.count(lost), 0);
        if !died && database.ran.get() > 0 && is_new && dies_at > 40 {
            break;
        }
        dies_at += 1;
    }
}

#[test]
fn two_who_load_at_once_both_do() {
    let database = Database::in_memory();
    let one = Instance::new(&database);
    let other = Instance::new(&database);
    for (at, (file, text)) in documents().into_iter().enumerate() {
        let instance = if at % 2 == 0 { &one } else { &other };
        instance.load(&file, &text).unwrap();
    }
    assert_eq!(
        (one.finds("rye dough")[0].as_str(), other.finds("whale oil")[0].as_str()),
        ("bread", "lamp")
    );
}

#[test]
fn an_index_that_is_damaged_is_made_anew() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    full(&instance);
    let asked = wait(instance.of(None).search(&query("default", "rye dough"))).unwrap().found;
    database.connection.execute("UPDATE knowledge_piece SET value = x'00ff'", []).unwrap();
    let later = Instance::new(&database);
    let error = wait(later.of(None).search(&query("default", "rye dough"))).unwrap_err();
    assert!(error.to_string().contains("reindex the collection"), "{error}");
    let stats = wait(later.of(None).reindex(&name("default"))).unwrap();
    assert_eq!((stats.collection.documents, stats.segments), (12, 1));
    let found = wait(later.of(None).search(&query("default", "rye dough"))).unwrap().found;
    assert_eq!(found[0].chunk, asked[0].chunk);
    assert_eq!(database.count("knowledge_blob WHERE live = 0"), 0);
}

#[test]
fn an_index_of_which_a_part_is_lost_is_told_to_be_damaged_and_is_made_anew() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    full(&instance);
    let lose = "DELETE FROM knowledge_piece WHERE blob = (SELECT min(blob) FROM knowledge_piece)";
    database.connection.execute(lose, []).unwrap();
    let later = Instance::new(&database);
    let error = wait(later.of(None).search(&query("default", "rye dough"))).unwrap_err();
    assert!(matches!(error, LibraryError::Damaged(_)), "{error:?}");
    assert!(error.to_string().contains("reindex the collection"), "{error}");
    wait(later.of(None).reindex(&name("default"))).unwrap();
    assert_eq!(later.finds("rye dough")[0], "bread");
}

#[test]
fn chunks_that_are_lost_are_told_and_not_waited_for() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    full(&instance);
    database.connection.execute("DELETE FROM knowledge_chunk", []).unwrap();
    for library in [instance.of(None), Instance::new(&database).of(None)] {
        let error = wait(library.search(&query("default", "rye dough"))).unwrap_err();
        assert!(matches!(error, LibraryError::Damaged(_)), "{error:?}");
    }
}

#[test]
fn a_collection_that_would_have_too_many_chunks_takes_no_more_and_keeps_what_it_has() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    let (file, text) = &documents()[0];
    instance.load(file, text).unwrap();
    let large = "UPDATE knowledge_document SET chunks = 100000";
    database.connection.execute(large, []).unwrap();
    let later = Instance::new(&database);
    let error = later.load("new.md", "# New\n\nOne chunk.").unwrap_err();
    assert!(matches!(error.cause(), LibraryError::TooLarge(_)), "{error:?}");
    let says = "new.md: collection `default` would have 100001 chunks, 100000 are the most; load into another \
                collection, or delete documents";
    assert_eq!(error.to_string(), says);
    assert_eq!(database.count("knowledge_document"), 1, "nothing of it is left");
    assert_eq!(later.finds("whale oil beacon")[0], "lamp");
    // Another collection takes it.
    let library = later.of(None);
    let other = loading(library.owner(), "other", "new.md", "# New\n\nOne chunk.");
    assert_eq!(wait(library.load(other)).unwrap().change, Change::Added);
}

#[test]
fn a_filter_lets_through_what_it_names() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    for folder in ["north", "South"] {
        for (file, text) in documents() {
            instance.load(&format!("{folder}/{file}"), &text).unwrap();
        }
    }
    let library = instance.of(None);
    let mut asked = query("default", "rye dough");
    asked.filter.categories = vec!["SOUTH".to_owned()];
    let found = wait(library.search(&asked)).unwrap().found;
    assert!(!found.is_empty());
    assert!(found.iter().all(|found| found.metadata.category.as_deref() == Some("South")));
    asked.filter.documents = vec!["nobody".to_owned()];
    assert!(wait(library.search(&asked)).unwrap().found.is_empty());
    for (wrong, field) in [
        (Query { text: " ".to_owned(), ..query("default", "x") }, "`query`"),
        (Query { top_k: 0, ..query("default", "x") }, "`top_k`"),
        (Query { threshold: 1.5, ..query("default", "x") }, "`threshold`"),
        (Query { threshold: f64::NAN, ..query("default", "x") }, "`threshold`"),
    ] {
        let error = wait(library.search(&wrong)).unwrap_err().to_string();
        assert!(error.starts_with(field), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever is loaded, changed and deleted in whatever order: what is found is what is there, and a new
    /// instance finds the same with the same scores.
    #[test]
    fn an_index_that_changed_finds_what_one_made_anew_finds(
        steps in prop::collection::vec((0usize..12, 0usize..4), 1..40),
    ) {
        let database = Database::in_memory();
        let instance = Instance::new(&database);
        let library = instance.of(None);
        let all = documents();
        let mut there: BTreeMap<String, String> = BTreeMap::new();
        for (which, how) in steps {
            let (file, text) = &all[which];
            if how == 0 {
                if let Some(id) = there.remove(file) {
                    wait(library.delete(&id)).unwrap();
                }
                continue;
            }
            let text = format!("{text}\n\nEdition {how}.");
            there.insert(file.clone(), instance.load(file, &text).unwrap().record.id);
        }
        let stats = wait(library.stats(&name("default"))).unwrap();
        prop_assert_eq!(stats.collection.documents as usize, there.len());
        for question in ["rye dough", "edition of the harbour", "pendulum", "nothing of this"] {
            let asked = query("default", question);
            let found = wait(library.search(&asked)).unwrap().found;
            let fresh = wait(Instance::new(&database).of(None).search(&asked)).unwrap().found;
            prop_assert_eq!(&found, &fresh);
            prop_assert!(found.iter().all(|found| there.values().any(|id| *id == found.chunk.document)));
        }
        prop_assert_eq!(database.count("knowledge_blob WHERE live = 0"), 0);
    }
}

#[test]
fn an_index_that_is_read_has_the_room_of_those_that_were_used_before() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    let library = instance.of(None);
    for collection in ["one", "other"] {
        let text = "# Lamp\n\nThe beacon burns whale oil.";
        wait(library.load(loading(library.owner(), collection, "lamp.md", text))).unwrap();
    }
    let fresh = Instance::new(&database);
    let library = fresh.of(None);
    let [one, other] = ["one", "other"].map(|of| wait(library.known(&name(of))).unwrap().unwrap());
    wait(library.index(&name("one"))).unwrap();
    // The other cannot be read to its end.
    database.connection.execute("DELETE FROM knowledge_piece", []).unwrap();
    wait(library.index(&name("other"))).unwrap_err();
    assert!(fresh.shelf.borrow_mut().get(one.collection).is_some(), "there is room for both");
    fresh.shelf.borrow_mut().most = 1;
    wait(library.index(&name("other"))).unwrap_err();
    assert!(fresh.shelf.borrow_mut().get(one.collection).is_none(), "both are in memory");
    assert!(fresh.shelf.borrow_mut().get(other.collection).is_none());
}
