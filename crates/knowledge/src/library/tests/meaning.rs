//! What a collection has learned of meaning follows what is in it.

use super::*;
use crate::rank::lsa::Vectors;

/// Two dozen of documents about one thing in other words: every other one has all of them in common.
fn about(words: [&str; 6], at: usize) -> String {
    let [one, two, three, four, five, six] = words;
    let says = match at % 4 {
        0 => format!("{one} {two} {three}."),
        1 => format!("{two} {three} {one}."),
        2 => format!("{four} {five} {six}."),
        _ => format!("{five} {six} {four}."),
    };
    format!("# note {at}\n\n{says} Own{at}word.\n")
}

const OLD: [&str; 6] = ["quay", "berth", "mooring", "flour", "yeast", "oven"];
const NEW: [&str; 6] = ["larch", "spruce", "resin", "cello", "viola", "rosin"];

fn trained(database: &Database) -> (u32, u32) {
    let model = Manifest::read(&manifest(database)).unwrap().model.unwrap();
    (model.trained_on, model.changed)
}

#[test]
fn meaning_is_learned_anew_when_a_tenth_was_replaced() {
    let database = Database::in_memory();
    let instance = Instance::new(&database);
    for at in 0..24 {
        instance.load(&format!("{at}.md"), &about(OLD, at)).unwrap();
    }
    wait(instance.of(None).reindex(&name("default"))).unwrap();
    assert_eq!(trained(&database), (24, 0));
    for at in 0..2 {
        instance.load(&format!("{at}.md"), &about(NEW, at)).unwrap();
        assert_eq!(trained(&database), (24, u32::try_from(at).unwrap() + 1), "less than a tenth");
    }
    for at in 2..24 {
        instance.load(&format!("{at}.md"), &about(NEW, at)).unwrap();
        assert!(trained(&database).1 <= 2, "another tenth");
    }
    let asked = |instance: &Instance<'_>, text: &str| {
        let found = wait(instance.of(None).search(&query("default", text))).unwrap().found;
        let near = found.iter().filter(|found| found.meaning > 0.1);
        let mut near: Vec<String> = near.map(|found| found.chunk.title.clone()).collect();
        near.sort();
        near
    };
    let questions = ["larch", "resin spruce", "cello", "viola rosin"];
    let before = questions.map(|text| asked(&instance, text));
    assert!(before.iter().all(|found| !found.is_empty()), "{before:?}");
    wait(instance.of(None).reindex(&name("default"))).unwrap();
    assert_eq!(before, questions.map(|text| asked(&instance, text)));
}

#[test]
fn meaning_is_learned_anew_from_words_alone_and_vectors_stay() {
    let database = Database::in_memory();
    let instance = Instance::embedding(&database, "openai:small");
    full(&instance);
    let library = instance.of(None);
    let at_hand = wait(library.index(&name("default"))).unwrap().unwrap().collection;
    database.read.set(0);
    instance.load("sails.md", "# Sails\n\nCanvas is cut with a roach.").unwrap();
    assert_eq!((trained(&database), database.read.get()), ((12, 1), 0), "less than a tenth");
    instance.load("masts.md", "# Masts\n\nSpruce is scarfed and glued.").unwrap();
    assert_eq!(trained(&database), (14, 0));
    let stats = wait(library.stats(&name("default"))).unwrap();
    assert_eq!(database.read.get(), stats.segments, "no vectors");
    assert!(instance.shelf.borrow_mut().get(at_hand).is_none(), "nor are they in memory");
    assert_eq!(stats.embedding.unwrap().vectors, 14);
    let index = wait(library.index(&name("default"))).unwrap().unwrap();
    let chunks = index.content.vectors.iter().chain(&index.content.embedded).map(Vectors::len);
    assert_eq!(chunks.sum::<usize>(), 2 * 14, "each is known by both");
}

#[test]
fn an_index_of_before_knows_nothing_of_changes_and_is_read() {
    let old =
        r#"{"form":1,"segments":[],"model":{"part":{"name":"a.0","bytes":9},"trained_on":12}}"#;
    let manifest = Manifest::read(old).unwrap();
    assert_eq!(manifest.model.as_ref().unwrap().changed, 0);
    assert_eq!(manifest.write(), old);
}
