//! What is deleted is gone: from searches, from the index, and from the file.

use super::*;

/// Whether a word stands anywhere in the files of a database.
fn stands(file: &Path, word: &str) -> bool {
    let beside = ["", "-wal", "-journal"].map(|ending| format!("{}{ending}", file.display()));
    let files = beside.iter().filter_map(|file| std::fs::read(file).ok());
    files.into_iter().any(|bytes| bytes.windows(word.len()).any(|at| at == word.as_bytes()))
}

#[test]
fn no_word_of_a_deleted_document_is_left_in_the_file() {
    let folder = std::env::temp_dir().join(format!("quarry-knowledge-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("deleted.db");
    _ = std::fs::remove_file(&file);
    let database = Database::in_file(&file);
    let instance = Instance::new(&database);
    full(&instance);
    let secret = "# quicklime\n\nquicklime slaking pits at Zennorvale; quicklime burns.\n\n## zennorvale\n\nquicklime";
    let long = format!("{secret}\n\n{}", "Zennorvale quicklime kiln. ".repeat(20_000));
    let id = instance.load("private/zennorvale.md", &long).unwrap().record.id;
    let words = ["quicklime", "quicklim", "Zennorvale", "zennorval", "kiln"];
    assert!(words.iter().all(|word| stands(&file, word)), "the test sees what is there");
    wait(instance.of(None).delete(&id)).unwrap();
    assert_eq!(instance.finds("quicklime kiln"), Vec::<String>::new());
    for word in words {
        assert!(!stands(&file, word), "{word} is still in the file");
    }
    assert!(stands(&file, "beacon"), "the others are still there");
    assert_eq!(Instance::new(&database).finds("whale oil beacon")[0], "lamp");
    drop(database);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A load that dies leaves what it had staged; who deletes the document takes that away with it.
#[test]
fn no_word_is_left_of_a_load_that_died_before_its_document_was_deleted() {
    let folder = std::env::temp_dir().join(format!("quarry-knowledge-died-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("died.db");
    for dies_at in 0.. {
        for beside in ["", "-wal", "-shm"] {
            _ = std::fs::remove_file(format!("{}{beside}", file.display()));
        }
        let database = Database::in_file(&file);
        database.connection.execute_batch("PRAGMA synchronous = OFF").unwrap();
        let instance = Instance::embedding(&database, "openai:small");
        for (file, text) in &documents()[..9] {
            instance.load(file, text).unwrap();
        }
        let id = instance.load("private.md", "# private\n\nquicklime").unwrap().record.id;
        database.left.set(Some(dies_at));
        let secret = format!("# private\n\n{}", "Zennorvale slaking kiln. ".repeat(200));
        let died = instance.load("private.md", &secret).is_err();
        database.left.set(None);
        wait(Instance::embedding(&database, "openai:small").of(None).delete(&id)).unwrap();
        for word in ["quicklime", "quicklim", "Zennorvale", "zennorval", "slake", "kiln"] {
            assert!(!stands(&file, word), "at {dies_at}: {word} is still in the file");
        }
        let staged = ["knowledge_document", "knowledge_blob"];
        let staged = staged.map(|table| database.count(&format!("{table} WHERE live = 0")));
        assert_eq!(staged, [0, 0], "at {dies_at}");
        let lost = "knowledge_piece WHERE blob NOT IN (SELECT blob FROM knowledge_blob)";
        assert_eq!(database.count(lost), 0);
        if !died && database.ran.get() > 0 && dies_at > 25 {
            break;
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Whoever loads or reindexes beside a delete may write the words once more, and takes them back: also out of the log.
#[test]
fn no_word_is_left_by_whoever_loses_the_race_against_a_delete() {
    let folder = std::env::temp_dir().join(format!("quarry-knowledge-race-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("race.db");
    for (head_start, reindexes) in (0..60).flat_map(|turns| [(turns, false), (turns, true)]) {
        for beside in ["", "-wal", "-shm"] {
            _ = std::fs::remove_file(format!("{}{beside}", file.display()));
        }
        let database = Database::in_file(&file);
        database.connection.execute_batch("PRAGMA synchronous = OFF").unwrap();
        let [one, other] = [(); 2].map(|()| Instance::new(&database));
        // In one segment with what is loaded anew beside the delete.
        let private = ("private.md".to_owned(), "# private\n\nquicklime at Zennorvale".to_owned());
        let mut all = documents();
        all.insert(2, private);
        let loaded = all[..10].iter().map(|(file, text)| one.load(file, text).unwrap().record.id);
        let id = loaded.collect::<Vec<_>>().remove(2);
        database.shares.set(true);
        database.turns.set(true);
        let default = name("default");
        let (library, remakes) = (one.of(None), other.of(None));
        let lamp = loading(library.owner(), "default", "lamp.md", "# lamp\n\nIt burns gas.");
        let mut writes = Box::pin(async {
            if reindexes {
                drop(remakes.reindex(&default).await);
            } else {
                drop(library.load(lamp).await);
            }
        });
        let is_done = (0..head_start).any(|_| poll(&mut writes).is_ready());
        database.shares.set(false);
        let deleter = Instance::new(&database);
        wait(deleter.of(None).delete(&id)).unwrap();
        database.shares.set(true);
        while !is_done && poll(&mut writes).is_pending() {}
        for word in ["quicklime", "quicklim", "Zennorvale", "zennorval"] {
            let at = (head_start, reindexes);
            assert!(!stands(&file, word), "at {at:?}: {word} is still in the file");
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_document_is_deleted_once() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    let id = instance.load("a.md", "# A\n\ntext").unwrap().record.id;
    wait(instance.of(None).delete(&id)).unwrap();
    let again = wait(instance.of(None).delete(&id)).unwrap_err();
    assert!(matches!(again, LibraryError::NotFound(_)), "{again:?}");
    assert_eq!((database.count("knowledge_document"), database.count("knowledge_blob")), (0, 0));
    assert_eq!(instance.load("a.md", "# A\n\ntext").unwrap().record.id, id, "the same id again");
}

#[test]
fn a_document_whose_deletion_fails_is_still_there_and_else_it_is_gone() {
    for dies_at in 0.. {
        let database = Database::in_memory();
        let instance = Instance::new(&database);
        let loaded = documents().into_iter().map(|(file, text)| instance.load(&file, &text));
        let ids: Vec<String> = loaded.map(|loaded| loaded.unwrap().record.id).collect();
        wait(instance.of(None).delete(&ids[0])).unwrap();
        database.left.set(Some(dies_at));
        // With it so much has gone that meaning is learned anew.
        let deleted = wait(instance.of(None).delete(&ids[1]));
        let lives = database.left.take() != Some(0);
        let there = wait(Instance::new(&database).of(None).get(&ids[1])).is_ok();
        assert_eq!(there, deleted.is_err(), "at {dies_at}: {deleted:?}");
        if lives {
            break;
        }
    }
}

#[test]
fn a_reindex_of_what_cannot_be_read_any_more_leaves_no_part_of_the_old_index() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    full(&instance);
    for manifest in ["no manifest", r#"{"form":7,"segments":[]}"#] {
        let spoil = "UPDATE knowledge_collection SET manifest = ?1, version = version + 1";
        database.connection.execute(spoil, [manifest]).unwrap();
        let later = Instance::new(&database);
        let damaged = wait(later.of(None).search(&query("default", "whale oil"))).unwrap_err();
        assert!(matches!(damaged, LibraryError::Damaged(_)), "{damaged:?}");
        wait(later.of(None).reindex(&name("default"))).unwrap();
        let parts = Manifest::read(&super::manifest(&database)).unwrap().parts().count() as u64;
        assert_eq!(database.count("knowledge_blob"), parts, "what nobody names is not there");
        assert_eq!(later.finds("whale oil beacon")[0], "lamp");
    }
}
