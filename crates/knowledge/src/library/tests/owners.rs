//! Collections belong to callers: nobody sees another's, whatever it asks.

use super::*;
use proptest::prelude::*;

const CALLERS: [Option<&str>; 3] = [None, Some("ada@port.test"), Some("ben@port.test")];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Each caller's documents hold a word of their own; whatever a caller asks, it never meets another's word.
    #[test]
    fn callers_never_see_each_other(
        steps in prop::collection::vec((0usize..3, 0usize..3, 0usize..4), 1..24),
    ) {
        let words = ["anchorage", "belvedere", "catamaran"];
        let database = Database::in_memory();
        let instance = Instance::new(&database);
        let mut ids: [Vec<String>; 3] = Default::default();
        for (who, place, file) in steps {
            let library = instance.of(CALLERS[who]);
            let collection = ["default", "notes", "more"][place];
            let text = format!("# {}\n\nThe {} is shared by none. File {file}.", words[who], words[who]);
            let loading = loading(library.owner(), collection, &format!("{file}.md"), &text);
            ids[who].push(wait(library.load(loading)).unwrap().record.id);
        }
        for (who, word) in words.iter().enumerate() {
            let library = instance.of(CALLERS[who]);
            let own = ids[who].iter().collect::<std::collections::BTreeSet<_>>();
            let mut seen = 0;
            for view in wait(library.collections()).unwrap() {
                seen += view.documents as usize;
                let listed = wait(library.list(&name(&view.name), None, None, 100)).unwrap();
                prop_assert!(listed.items.iter().all(|record| own.contains(&record.id)));
                let found = wait(library.search(&query(&view.name, "anchorage belvedere catamaran"))).unwrap().found;
                prop_assert!(found.iter().all(|found| found.chunk.text.contains(word)));
            }
            prop_assert_eq!(seen, own.len());
            for other in (0..3).filter(|other| *other != who) {
                for id in &ids[other] {
                    let not_there = |error: LibraryError| matches!(error, LibraryError::NotFound(_));
                    prop_assert!(not_there(wait(library.get(id)).unwrap_err()));
                    prop_assert!(not_there(wait(library.chunks(id, 0, 10)).unwrap_err()));
                    prop_assert!(not_there(wait(library.delete(id)).unwrap_err()));
                }
            }
        }
    }
}

#[test]
fn a_collection_that_nobody_began_is_told_from_an_empty_one() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    let library = instance.of(Some("ada@port.test"));
    assert_eq!(wait(library.search(&query("default", "light"))), Ok(Findings::default()));
    let error = wait(library.search(&query("notes", "light"))).unwrap_err();
    assert!(error.to_string().starts_with("there is no collection `notes`"), "{error}");
    let names = wait(library.collections()).unwrap();
    assert_eq!(names.into_iter().map(|view| view.name).collect::<Vec<_>>(), ["default"]);
}

#[test]
fn a_collection_begins_with_its_first_document_and_not_with_one_that_is_refused() {
    let database = Database::in_memory();
    let keyless = Some(Err("there is no key".to_owned()));
    let refusing = Instance { embedding: keyless, ..Instance::new(&database) };
    let load = |instance: &Instance<'_>| {
        let library = instance.of(None);
        let text = "# Lamp\n\nThe beacon burns whale oil.";
        let loaded = wait(library.load(loading(library.owner(), "notes", "lamp.md", text)));
        wait(library.settle(&name("notes"), true));
        loaded
    };
    load(&refusing).unwrap_err();
    let instance = Instance::new(&database);
    let library = instance.of(None);
    let names = || {
        let views = wait(library.collections()).unwrap();
        views.into_iter().map(|view| view.name).collect::<Vec<_>>()
    };
    assert_eq!(names(), ["default"]);
    let none = [
        wait(library.search(&query("notes", "light"))).map(drop),
        wait(library.list(&name("notes"), None, None, 10)).map(drop),
        wait(library.stats(&name("notes"))).map(drop),
        wait(library.reindex(&name("notes"))).map(drop),
    ];
    for none in none {
        let error = none.unwrap_err().to_string();
        assert!(error.starts_with("there is no collection `notes`"), "{error}");
    }
    assert_eq!(load(&instance).unwrap().change, Change::Added);
    assert_eq!(names(), ["default", "notes"]);
}
