//! Documents of the same name that come from different places: none takes the other's place without a word.

use super::*;
use crate::intake::{Known, Replaces, place_name};

fn from(origin: &str, replaces: bool, text: &str) -> Loading {
    let replaces = if replaces { Replaces::Anything } else { Replaces::Own };
    let origin = Origin::read(Some(origin.to_owned()), replaces).unwrap();
    Loading { origin, ..loading(&Owner::new(None), "default", "README.md", text) }
}

fn file(name: &str, origin: &Origin, text: &str) -> Loading {
    loading_from(&Owner::new(None), "default", name, origin, text)
}

fn load(instance: &Instance<'_>, loading: Loading) -> Done<Loaded> {
    wait(instance.of(None).load(loading))
}

/// Where the document comes from, as it is kept.
fn kept(instance: &Instance<'_>) -> Option<String> {
    let mut listed = wait(instance.of(None).list(&name("default"), None, None, 10)).unwrap().items;
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
    let known = Known {
        collection: &known.collection,
        id: known.id.clone(),
        hash: known.hash.clone(),
        before: Vec::new(),
        name: known.name.as_deref(),
        origin: &known.origin,
    };
    let unread = wait(instance.of(None).unchanged(&known));
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

const LAMPS: &str = "---\nid: M-7\n---\n# Lamps\n\nWhale oil.";
const BREAD: &str = "---\nid: M-7\n---\n# Bread\n\nRye dough.";

#[test]
fn of_two_files_that_say_the_same_id_the_second_is_told_with_both_names() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    let of = |replaces| Origin::read(Some("manuals".to_owned()), replaces).unwrap();
    let (own, meant) = (of(Replaces::Own), of(Replaces::Anything));
    let first = load(&instance, file("a.md", &own, LAMPS)).unwrap();
    let refused = load(&instance, file("b.md", &own, BREAD)).unwrap_err();
    assert!(matches!(refused, LibraryError::Twin { .. }), "{refused:?}");
    let says = "b.md has the same `id` as a.md, which is there already";
    assert!(refused.to_string().starts_with(says), "{refused}");
    let same = load(&instance, file("a.md", &own, LAMPS)).unwrap();
    assert_eq!(same.change, Change::Unchanged, "the same file again");
    let gas = "---\nid: M-7\n---\n# Lamps\n\nGas.";
    assert_eq!(load(&instance, file("a.md", &own, gas)).unwrap().change, Change::Replaced);
    // Of one request neither takes the other's place, whatever is said of all.
    for origin in [Origin::default(), meant.clone()] {
        let beside = origin.behind(vec![first.record.id.clone()]);
        let refused = load(&instance, file("b.md", &beside, BREAD)).unwrap_err();
        assert!(matches!(refused, LibraryError::Twin { .. }), "{refused:?}");
    }
    assert_eq!(instance.finds("rye dough"), [""; 0]);
    let renamed = load(&instance, file("b.md", &meant, BREAD)).unwrap();
    assert_eq!((renamed.change, renamed.record.name.as_deref()), (Change::Replaced, Some("b.md")));
    let alone = load(&instance, file("c.md", &Origin::default(), LAMPS)).unwrap();
    assert_eq!(alone.change, Change::Replaced, "who says nothing replaces what is there");
}

#[test]
fn of_two_files_that_say_the_same_id_and_load_at_once_one_is_told() {
    let database = Database::in_memory();
    let [one, other] = [(); 2].map(|()| Instance::new(&database));
    database.turns.set(true);
    database.shares.set(true);
    let library = [one.of(None), other.of(None)];
    let origin = Origin::read(Some("manuals".to_owned()), Replaces::Own).unwrap();
    let done = both(
        library[0].load(file("a.md", &origin, LAMPS)),
        library[1].load(file("b.md", &origin, BREAD)),
    );
    database.turns.set(false);
    database.shares.set(false);
    let refused: Vec<_> = done.iter().filter_map(|done| done.as_ref().err()).collect();
    assert!(matches!(refused[..], [LibraryError::Twin { .. }]), "{done:?}");
    assert_eq!(database.count("knowledge_document"), 1);
}

#[test]
fn whoever_wants_to_be_asked_first_takes_no_documents_place() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    let asks = Origin::read(None, Replaces::Nothing).unwrap();
    let [lamps, bread] = ["# Lamps\n\nWhale oil.", "# Bread\n\nRye dough."];
    assert_eq!(load(&instance, file("README.md", &asks, lamps)).unwrap().change, Change::Added);
    assert_eq!(load(&instance, file("README.md", &asks, lamps)).unwrap().change, Change::Unchanged);
    let refused = load(&instance, file("README.md", &asks, bread)).unwrap_err();
    assert!(matches!(refused, LibraryError::Taken(_)), "{refused:?}");
    let says = "README.md is there already and says something else; ";
    assert!(refused.to_string().starts_with(says), "{refused}");
    assert_eq!(instance.finds("whale oil"), ["Lamps"]);
    let meant = Origin::read(None, Replaces::Anything).unwrap();
    let replaced = load(&instance, file("README.md", &meant, bread)).unwrap();
    assert_eq!(replaced.change, Change::Replaced);
    load(&instance, file("a.md", &meant, LAMPS)).unwrap();
    let refused = load(&instance, file("b.md", &asks, BREAD)).unwrap_err();
    assert!(matches!(refused, LibraryError::Twin { .. }), "{refused:?}");
}

#[test]
fn the_same_bytes_of_which_another_text_was_made_are_no_other_document() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    let asks = Origin::read(None, Replaces::Nothing).unwrap();
    let lamps = || file("README.md", &asks, "# Lamps\n\nWhale oil.");
    let [before] = <[String; 1]>::try_from(lamps().before).unwrap();
    load(&instance, Loading { hash: before, ..lamps() }).unwrap();
    assert_eq!(load(&instance, lamps()).unwrap().change, Change::Replaced);
    assert_eq!(load(&instance, lamps()).unwrap().change, Change::Unchanged);
    let other = file("README.md", &asks, "# Bread\n\nRye dough.");
    assert!(matches!(load(&instance, other).unwrap_err(), LibraryError::Taken(_)));
}

#[test]
fn what_was_loaded_with_its_whole_path_is_gone_on_with_and_loses_it() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    let (text, changed) = ("# Lamps\n\nWhale oil.", "# Lamps\n\nGas.");
    load(&instance, from("/home/ada/manuals", false, text)).unwrap();
    let place = place_name(b"/home/ada/manuals");
    let same = load(&instance, from(&place, false, text)).unwrap();
    assert_eq!((same.change, kept(&instance)), (Change::Unchanged, Some(place.clone())));
    load(&instance, from("/home/ada/manuals", true, text)).unwrap();
    assert_eq!(load(&instance, from(&place, false, changed)).unwrap().change, Change::Replaced);
    assert_eq!(kept(&instance), Some(place));
    let elsewhere = from(&place_name(b"/home/ben/manuals"), false, text);
    assert!(load(&instance, elsewhere).is_err());
}
