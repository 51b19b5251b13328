//! Searches as people make them, and what a store does with an index.

use super::*;
use proptest::prelude::*;
use quarry_evidence::text::stem;
use quarry_types::fnv;

/// Chunks of documents about ships, bread and stars; some say it in other words.
const TEXTS: [(u64, &str, &str); 12] = [
    (1, "Lighthouses", "The lighthouse keeper lights the lamp at dusk for the ships at sea."),
    (1, "Lighthouses", "A lamp of the lighthouse is seen by ships from twenty miles."),
    (2, "Beacons", "The beacon keeper minds the lamp; ships steer by the beacon at sea."),
    (2, "Beacons", "A beacon is a lamp on a tower, and ships at sea look for it."),
    (3, "Bread", "Bread is baked from rye flour, water and salt in a hot oven."),
    (3, "Bread", "The baker kneads the dough of flour and water and waits for an hour."),
    (4, "Cakes", "A cake is baked from flour, butter and sugar in a moderate oven."),
    (4, "Cakes", "The baker beats butter and sugar, then adds the flour and the eggs."),
    (5, "Stars", "A star is a ball of gas that shines by its own heat in the sky."),
    (5, "Stars", "Planets go round a star and shine by its light in the night sky."),
    (6, "Moons", "A moon goes round a planet and shines by the light of the star."),
    (6, "Moons", "The moon in the night sky is lit by the sun, which is a star."),
];

fn chunks() -> impl Iterator<Item = Indexed<'static>> {
    TEXTS.iter().enumerate().map(|(at, (document, title, body))| Indexed {
        key: ChunkKey { document: *document, number: u32::try_from(at % 2).unwrap() },
        title,
        headings: &[],
        body,
    })
}

fn found(collection: &Collection, question: &str) -> Vec<u64> {
    documents(&collection.search(question, Options { top_k: 20, threshold: 0.0 }, |_| true))
}

proptest! {
    #[test]
    fn the_best_are_those_that_a_sort_puts_first(
        scores in prop::collection::vec(0_u8..6, 0..90),
        most in 0_usize..12,
    ) {
        let all: Vec<(usize, f32)> =
            scores.iter().map(|score| f32::from(*score)).enumerate().collect();
        let mut sorted = all.clone();
        sorted.sort_by(|one, other| other.1.total_cmp(&one.1));
        sorted.truncate(most);
        let found = best(all.into_iter(), most, |(at, score)| (*score, *at));
        prop_assert_eq!(found, sorted);
    }

    #[test]
    fn the_best_score_is_1_and_none_is_below_0(
        mut scores in prop::collection::vec(-2.0_f32..9.0, 0..90),
    ) {
        let largest = scores.iter().copied().fold(0.0, f32::max);
        let scale = if largest > 0.0 { 1.0 / largest } else { 0.0 };
        let expected: Vec<f32> =
            scores.iter().map(|score| (score.max(0.0) * scale).min(1.0)).collect();
        prop_assert_eq!(normalise(&mut scores), largest > 0.0);
        prop_assert_eq!(scores, expected);
    }
}

#[test]
fn what_says_it_comes_first_and_scores_lie_between_0_and_1() {
    let collection = Collection::build(chunks());
    let hits =
        collection.search("Who lights the lamp of a lighthouse?", Options::default(), |_| true);
    assert_eq!(hits[0].key, ChunkKey { document: 1, number: 0 });
    assert!(hits.is_sorted_by(|one, other| one.score >= other.score));
    for hit in &hits {
        let Parts { lexical, semantic } = hit.parts;
        assert!((hit.score - (lexical + semantic) / 2.0).abs() < 1e-6);
        assert!((0.15..=1.0).contains(&hit.score), "{hit:?}");
    }
    assert_eq!(found(&collection, "bread")[0], 3);
}

#[test]
fn other_words_for_the_same_are_found_by_meaning() {
    let collection = Collection::build(chunks());
    let hits = collection.search("lighthouse", Options { top_k: 20, threshold: 0.0 }, |_| true);
    let beacon = hits.iter().find(|hit| hit.key.document == 2).expect("by meaning");
    assert!(beacon.parts.lexical == 0.0 && beacon.parts.semantic > 0.0, "{beacon:?}");
}

#[test]
fn a_mistyped_word_is_taken_for_the_one_that_is_known() {
    let collection = Collection::build(chunks());
    assert_eq!(found(&collection, "lighthuose")[0], 1);
    let taken = |question| collection.search_by(question, None, Options::default(), |_| true).1;
    let Mistyped { asked, taken_for } = taken("the lighthuose").remove(0);
    assert_eq!(
        (asked, taken_for),
        (stem("lighthuose").into_owned(), stem("lighthouse").into_owned())
    );
    assert_eq!(taken("the lighthouse"), []);
    assert_eq!(found(&collection, "xylophone"), Vec::<u64>::new());
}

/// Chunks of a few texts.
fn few(texts: &'static [&'static str]) -> Collection {
    Collection::build((0..).zip(texts).map(|(document, body)| Indexed {
        key: ChunkKey { document, number: 0 },
        title: "",
        headings: &[],
        body,
    }))
}

#[test]
fn another_form_of_a_word_is_found_where_there_is_too_little_to_learn_from() {
    let collection = few(&[
        "Die Kündigungsfrist beträgt vier Wochen. Eine Gebühr fällt an.",
        "Das Haus am Hafen gehört der Stadt.",
        "Los autobuses salen cada hora.",
    ]);
    for (question, document) in [("Kündigungsfristen", 0), ("Gebühren", 0), ("autobús", 2)] {
        assert_eq!(found(&collection, question), [document], "{question}");
    }
    // What looks like it and is another word is not taken for it, and what is known for nothing else.
    assert_eq!(found(&collection, "Gebirge"), Vec::<u64>::new());
    let taken = |question| collection.search_by(question, None, Options::default(), |_| true).1;
    assert_eq!(taken("Gebühr"), []);
}

#[test]
fn a_mistyped_word_has_as_many_letters_in_every_script() {
    let texts = [
        "Соли на складе много.",
        "Корабль везёт груз соли.",
        "Пристань у маяка.",
        "Старая пристань.",
    ];
    let others = (7..).zip(texts).map(|(document, body)| Indexed {
        key: ChunkKey { document, number: 0 },
        title: "",
        headings: &[],
        body,
    });
    let collection = Collection::build(chunks().chain(others));
    let taken = |question| collection.search_by(question, None, Options::default(), |_| true).1;
    assert_eq!(taken("соль"), [], "of four letters too little is left");
    let longer = taken("пристаньям");
    assert_eq!(longer.first().map(|it| it.taken_for.as_str()), Some("пристань"));
}

#[test]
fn a_word_within_a_line_without_blanks_is_found_and_so_is_one_without_its_marks() {
    let texts = [
        "ขนมปังอบในเตาร้อนทุกเช้า",
        "ท่าเรือเปิดทุกวันสำหรับเรือประมง",
        "Ναύτες και πλοία στο λιμάνι",
        "Cảng mở cửa mỗi ngày",
    ];
    let chunks = (0..).zip(texts).map(|(document, body)| Indexed {
        key: ChunkKey { document, number: 0 },
        title: "",
        headings: &[],
        body,
    });
    let collection = Collection::build(chunks);
    for (question, document) in [("ท่าเรือ", 1), ("ขนมปัง", 0), ("λιμανι", 2), ("cang mo cua", 3)]
    {
        assert_eq!(found(&collection, question).first(), Some(&document), "{question}");
    }
}

#[test]
fn thresholds_numbers_and_filters_hold() {
    let collection = Collection::build(chunks());
    let search = |top_k, threshold| {
        collection.search("star in the sky", Options { top_k, threshold }, |key| key.document != 5)
    };
    assert!(search(20, 0.0).iter().all(|hit| hit.key.document != 5));
    assert_eq!(search(2, 0.0).len(), 2);
    assert_eq!(search(0, 0.0).len(), 0);
    assert!(search(20, 0.6).iter().all(|hit| hit.score >= 0.6));
    assert_eq!(search(20, 1.1).len(), 0);
    for question in ["", "?!", "the of and"] {
        assert!(collection.search(question, Options::default(), |_| true).is_empty(), "{question}");
    }
    assert!(Collection::default().search("star", Options::default(), |_| true).is_empty());
}

#[test]
fn few_chunks_are_ranked_by_words_alone() {
    let collection = Collection::build(chunks().take(4));
    assert!(collection.model.is_none());
    let hits = collection.search("beacon", Options::default(), |_| true);
    assert_eq!((hits[0].key.document, hits[0].score), (2, 1.0));
}

#[test]
fn a_long_question_ends() {
    let collection = Collection::build(chunks());
    let question = "lamp lighthouse ".repeat(20_000);
    assert_eq!(found(&collection, &question)[0], 1);
}

#[test]
fn a_deleted_document_leaves_no_word_behind() {
    let before = Collection::build(chunks());
    let segment = Segment::joined(&[&before.segments[0]], |key| key.document != 3);
    let mut model = before.model.clone().unwrap();
    let id = model.id();
    assert!(model.prune(&[&before.segments[0]], &[&segment]));
    assert!(!model.prune(&[&segment], &[&segment]), "nothing more goes");
    let holds =
        |bytes: Vec<u8>, word: &str| bytes.windows(word.len()).any(|at| at == word.as_bytes());
    for word in ["bread", "rye", "dough", "knead"] {
        assert!(!holds(segment.to_bytes(), word) && !holds(model.to_bytes(), word), "{word}");
    }
    assert_eq!(model.id(), id, "the directions of the others are still its own");
    let vectors = vec![model.vectors(&segment)];
    let after = Collection {
        segments: vec![segment],
        vectors,
        model: Some(model),
        ..Collection::default()
    };
    assert!(!found(&after, "bread dough").contains(&3));
    assert_eq!(found(&after, "lighthouse")[0], 1);
}

#[test]
fn a_segment_made_of_segments_is_the_one_made_of_chunks() {
    let all = Collection::build(chunks());
    let first = Collection::build(chunks().take(5));
    let rest = Collection::build(chunks().skip(5));
    let joined = Segment::joined(&[&first.segments[0], &rest.segments[0]], |_| true);
    assert_eq!(joined.to_bytes(), all.segments[0].to_bytes());
    let three = |key: ChunkKey| key.document != 3;
    let without = Collection::build(chunks().filter(|chunk| three(chunk.key)));
    let joined = Segment::joined(&[&first.segments[0], &rest.segments[0]], three);
    assert_eq!(joined.to_bytes(), without.segments[0].to_bytes());
    assert!(Segment::joined(&[&all.segments[0]], |_| false).entries().is_empty());
}

#[test]
fn a_builder_that_has_met_other_words_makes_the_same_segment() {
    let all: Vec<Indexed<'_>> = chunks().collect();
    let made = |builder: &mut Builder, some: &[Indexed<'_>]| {
        some.iter().for_each(|chunk| _ = builder.add(chunk));
        builder.finish()
    };
    let mut one = Builder::default();
    for some in [&all[..4], &all[3..9], &all[8..], &all[..4], &all[11..]] {
        assert_eq!(made(&mut one, some), made(&mut Builder::default(), some));
    }
}

#[test]
fn blobs_read_back_and_cut_ones_are_refused() {
    let collection = Collection::build(chunks());
    let (segment, model) = (&collection.segments[0], collection.model.as_ref().unwrap());
    assert_eq!(&Segment::from_bytes(&segment.to_bytes()).unwrap(), segment);
    assert_eq!(&Model::from_bytes(&model.to_bytes()).unwrap(), model);
    let bytes = model.to_bytes();
    assert!((0..bytes.len()).all(|end| Model::from_bytes(&bytes[..end]).is_err()));
    assert!(Segment::from_bytes(b"QKS0").is_err());
}

#[test]
fn a_tenth_more_or_less_makes_a_model_stale() {
    let model = Collection::build(chunks()).model.unwrap();
    let stale = [10, 11, 12, 13, 14].map(|chunks| model.is_stale(chunks));
    assert_eq!(stale, [true, false, false, false, true]);
}

/// The same bytes on every platform: where this fails natively or in a component, indexes of one cannot be
/// compared with those of the other. After a change that is meant it gets the new number.
#[test]
fn an_index_is_the_same_everywhere() {
    let collection = Collection::build(chunks());
    let blobs = [
        collection.segments[0].to_bytes(),
        collection.vectors[0].to_bytes(),
        collection.model.as_ref().unwrap().to_bytes(),
    ];
    let sums = blobs.map(fnv::bits32);
    assert_eq!(sums, [3_220_229_467, 2_646_776_267, 655_464_639]);
}

proptest! {
    #[test]
    fn damaged_blobs_end_in_an_error_or_in_a_search(at in 0usize..4_000, byte: u8) {
        let collection = Collection::build(chunks());
        let damage = |mut bytes: Vec<u8>| {
            let at = at % bytes.len();
            bytes[at] = byte;
            bytes
        };
        let segment = Segment::from_bytes(&damage(collection.segments[0].to_bytes()));
        let model = Model::from_bytes(&damage(collection.model.as_ref().unwrap().to_bytes()));
        if let (Ok(segment), Ok(model)) = (segment, model) {
            let damaged = Collection { segments: vec![segment], vectors: collection.vectors, model: Some(model), ..Collection::default() };
            let hits = damaged.search("lamp of a lighthouse", Options::default(), |_| true);
            prop_assert!(hits.len() <= 10);
        }
    }
}
