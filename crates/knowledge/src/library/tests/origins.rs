//! Documents of the same name that come from different places: none takes the other's place without a word.

use super::*;

fn from(origin: &str, replaces: bool, text: &str) -> Loading {
    let origin = Origin::read(Some(origin.to_owned()), replaces).unwrap();
    Loading { origin, ..loading(&Owner::new(None), "default", "README.md", text) }
}

fn load(instance: &Instance<'_>, loading: Loading) -> Done<Loaded> {
    wait(instance.of(None).load(loading))
}

/// Where the document comes from, as it is kept.
fn kept(instance: &Instance<'_>) -> Option<String> {
    let mut listed = wait(instance.of(None).list(&name("default"), None, 10)).unwrap().items;
    assert_eq!(listed.len(), 1);
    listed.remove(0).origin
}

const SAYS: &str = "README.md is there already and comes from /manuals, this one from /recipes; load it into another \
                    collection, or say that it is to take the place of that one (`replace`, ";

#[test]
fn a_second_folder_takes_no_documents_place_unless_that_is_meant() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    let first = load(&instance, from("/manuals", false, "# Lamps\n\nWhale oil.")).unwrap();
    assert_eq!(first.record.origin.as_deref(), Some("/manuals"));
    let bread = from("/recipes", false, "# Bread\n\nRye dough.");
    let refused = load(&instance, bread).unwrap_err();
    assert!(matches!(refused, LibraryError::Elsewhere { .. }), "{refused:?}");
    assert!(refused.to_string().starts_with(SAYS), "{refused}");
    let same = load(&instance, from("/recipes", false, "# Lamps\n\nWhale oil.")).unwrap();
    assert_eq!((same.change, kept(&instance).as_deref()), (Change::Unchanged, Some("/manuals")));
    let known = from("/recipes", false, "# Bread");
    let (id, hash, origin) = (&known.id, &known.hash, &known.origin);
    let unread = wait(instance.of(None).unchanged(&name("default"), id, hash, origin));
    assert!(unread.unwrap_err().to_string().starts_with(SAYS), "it is told before it is read");
    assert_eq!(
        (instance.finds("whale oil"), database.count("knowledge_document")),
        (vec!["Lamps".to_owned()], 1)
    );
    let changed = load(&instance, from("/manuals", false, "# Lamps\n\nGas.")).unwrap();
    assert_eq!((changed.change, &changed.record.id), (Change::Replaced, &first.record.id));
    let meant = load(&instance, from("/recipes", true, "# Bread\n\nRye dough.")).unwrap();
    assert_eq!((meant.change, kept(&instance).as_deref()), (Change::Replaced, Some("/recipes")));
    assert_eq!(instance.finds("rye dough"), ["Bread"]);
}

#[test]
fn where_the_same_bytes_come_from_is_learned_and_corrected() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    let text = "# Lamps\n\nWhale oil.";
    let nobody_says = || loading(&Owner::new(None), "default", "README.md", text);
    load(&instance, nobody_says()).unwrap();
    let before = manifest(&database);
    assert_eq!(kept(&instance), None, "as what was loaded before anybody said it");
    for (loading, origin) in [
        (from("/manuals", false, text), "/manuals"),
        (nobody_says(), "/manuals"),
        (from("/moved \"here\"", true, text), "/moved \"here\""),
        (from("/moved \"here\"", false, text), "/moved \"here\""),
    ] {
        let loaded = load(&instance, loading).unwrap();
        assert_eq!(
            (loaded.change, loaded.record.origin.as_deref()),
            (Change::Unchanged, Some(origin))
        );
        assert_eq!(kept(&instance).as_deref(), Some(origin));
    }
    assert_eq!(manifest(&database), before, "no index is made anew for it");
    // Who says nothing replaces whatever is there.
    load(&instance, loading(&Owner::new(None), "default", "README.md", "# Gas")).unwrap();
    assert_eq!(kept(&instance), None);
}

#[test]
fn of_two_folders_that_load_at_once_one_is_told() {
    let database = Database::in_memory();
    let [one, other] = [(); 2].map(|()| Instance::new(&database));
    database.turns.set(true);
    database.shares.set(true);
    let library = [one.of(None), other.of(None)];
    let done = both(
        library[0].load(from("/manuals", false, "# Lamps\n\nWhale oil.")),
        library[1].load(from("/recipes", false, "# Bread\n\nRye dough.")),
    );
    database.turns.set(false);
    database.shares.set(false);
    let refused: Vec<_> = done.iter().filter_map(|done| done.as_ref().err()).collect();
    assert!(matches!(refused[..], [LibraryError::Elsewhere { .. }]), "{done:?}");
    assert_eq!(database.count("knowledge_document"), 1, "what was staged is taken back");
}
