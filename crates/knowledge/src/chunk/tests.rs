//! Chunks as readers, models and citations use them.

use super::*;
use crate::document::{Document, Format};
use proptest::prelude::*;

fn shown<'t>(text: &'t str, chunks: &[Chunk]) -> Vec<(String, &'t str)> {
    chunks.iter().map(|chunk| (chunk.headings.join(" > "), chunk.text(text))).collect()
}

#[test]
fn small_sections_are_merged_under_the_heading_that_they_share() {
    let text = "# Guide\n\nIntro.\n\n## Install\n\nOne.\n\n## Use\n\nTwo.\n";
    let chunks = of_text(text, true, &[]);
    assert_eq!(shown(text, &chunks), [("Guide".to_owned(), text.trim_end())]);
    assert_eq!(chunks[0].characters, 0..text.trim_end().len());
    let apart = "## Install\n\nOne.\n\n## Use\n\nTwo.\n";
    assert_eq!(shown(apart, &of_text(apart, true, &[]))[0].0, "Install", "none stands over both");
}

#[test]
fn headings_with_nothing_under_them_stand_over_no_others() {
    let names: String = (0..400).map(|at| format!("# Name {at}\n")).collect();
    let chunks = of_text(&names, true, &[]);
    assert!(chunks.len() > 4);
    for chunk in &chunks {
        let first = chunk.text(&names).lines().next().unwrap();
        assert_eq!(chunk.headings, [first.trim_start_matches("# ")], "none stands over all");
        assert!(chunk.text(&names).chars().count() <= CHUNK);
    }
    let under: String = (0..400).map(|at| format!("## Name {at}\n")).collect();
    let long = "A sentence of some words. ".repeat(60);
    let text = format!("# Crew\n{under}## Rules\n\n{long}");
    let chunks = of_text(&text, true, &[]);
    let (last, before) = chunks.split_last().unwrap();
    assert_eq!(before[0].headings, ["Crew"]);
    assert_eq!(last.headings, ["Crew", "Rules"]);
    let of_rules = chunks.iter().filter(|it| it.headings == ["Crew", "Rules"]);
    assert!(of_rules.clone().count() > 1);
    assert!(of_rules.into_iter().all(|it| !it.text(&text).contains("Name 39\n")));
    let empty = "# Guide\n\n## Old\n\n## New\n\nText.\n";
    assert_eq!(shown(empty, &of_text(empty, true, &[]))[0].0, "Guide > New");
}

#[test]
fn what_does_not_fit_stands_alone_with_its_path() {
    let long = "A sentence of some words. ".repeat(30);
    let text = format!("# Guide\n\n## Install\n\n{long}\n\n## Use\n\n{long}\n\n### More\n\nEnd.\n");
    let chunks = of_text(&text, true, &[]);
    let paths: Vec<String> = chunks.iter().map(|chunk| chunk.headings.join(" > ")).collect();
    assert_eq!(paths, ["Guide > Install", "Guide > Use"]);
    assert!(chunks[0].text(&text).starts_with("# Guide\n\n## Install"));
    assert!(chunks[1].text(&text).ends_with("### More\n\nEnd."));
}

#[test]
fn a_long_section_is_cut_at_the_best_place_and_overlaps() {
    let paragraph = |word: &str| format!("{word} {}.\n\n", "is said here once more".repeat(20));
    let text: String = ["One", "Two", "Three", "Four"].map(paragraph).concat();
    let chunks = of_text(&format!("# T\n\n{text}"), true, &[]);
    assert!(chunks.len() >= 2);
    let sentences = "This is a sentence of nine words in all. ".repeat(60);
    for chunk in of_text(&sentences, true, &[]) {
        let text = chunk.text(&sentences);
        assert!(text.starts_with("This") && text.ends_with("all."), "{text}");
    }
    let chunks = of_text(&sentences, true, &[]);
    for pair in chunks.windows(2) {
        let overlap = pair[0].characters.end - pair[1].characters.start;
        assert!((1..=OVERLAP).contains(&overlap), "{overlap}");
    }
}

#[test]
fn every_piece_of_a_section_has_its_headings() {
    let long = "A sentence of some words. ".repeat(60);
    let text = format!("# Guide\n\n## Install\n\n{long}");
    let chunks = of_text(&text, true, &[]);
    assert!(chunks.len() > 1 && chunks.iter().all(|chunk| chunk.headings == ["Guide", "Install"]));
}

#[test]
fn pages_are_counted_from_one() {
    let text = format!("{}\n\n{}\n\n{}", "a ".repeat(400), "b ".repeat(400), "c ".repeat(400));
    let pages = [0, 802, 1_604];
    let found: Vec<Option<u32>> =
        of_text(&text, false, &pages).iter().map(|chunk| chunk.page).collect();
    assert_eq!(found, [Some(1), Some(2), Some(3)]);
    assert_eq!(of_text(&text, false, &[])[0].page, None);
}

#[test]
fn a_page_that_begins_with_a_paragraph_begins_a_chunk_unless_both_fit_into_one() {
    let (first, second) = ("One. ".repeat(180), "Two. ".repeat(180));
    let text = format!("{}\n\n{}\n\nThree.", first.trim(), second.trim());
    let pages = [0, first.len() + 1, text.len() - 6, text.len()];
    let chunks = of_text(&text, true, &pages);
    let shown: Vec<_> = chunks.iter().map(|one| (one.page.unwrap(), one.text(&text))).collect();
    assert_eq!(shown, [(1, first.trim()), (2, &text[pages[1]..])], "three is short");
    // The second page goes on within a sentence, so it is cut as if there were none.
    let whole = format!("{first}and {second}");
    let chunks = of_text(&whole, true, &[0, first.len() + 4]);
    assert_eq!(chunks, {
        let mut same = of_text(&whole, true, &[]);
        same.iter_mut().zip([1, 2]).for_each(|(chunk, page)| chunk.page = Some(page));
        same
    });
}

#[test]
fn hostile_texts_give_bounded_chunks() {
    let texts = [
        "# a\n".repeat(1_000_000),
        "######".repeat(300_000),
        "x".repeat(20 << 20),
        "é".repeat(1 << 20),
        "a b\n".repeat(1_000_000),
        "\n".repeat(1 << 20) + "x",
        "```\n".repeat(300_001),
        "a\n===\n".repeat(200_000),
        format!("# {}\n{}", "h".repeat(1 << 20), "text. ".repeat(1 << 18)),
        (0..200_000).map(|at| format!("{} h{at}\n", "#".repeat(at % 6 + 1))).collect(),
    ];
    for text in &texts {
        let chunks = of_text(text, true, &[]);
        let most = text.chars().count() / (CHUNK / 2 - OVERLAP) + 2;
        assert!(!chunks.is_empty() && chunks.len() <= most, "{} of {most}", chunks.len());
        for chunk in &chunks {
            assert!(chunk.characters.len() <= CHUNK);
        }
    }
}

#[test]
fn documents_of_all_formats_become_chunks() {
    let files = [
        ("a.md", "---\ntitle: A\n---\n# H\n\ntext".as_bytes(), "# H\n\ntext"),
        ("a.txt", b"one\r\ntwo\x00", "one\ntwo"),
        ("a.csv", b"k,v\n1,2\n", "k: 1\nv: 2"),
        ("a.json", b"{\"k\": {\"v\": 1}}", "# k\n\n  v: 1"),
    ];
    for (name, bytes, expected) in files {
        let format = Format::of_name(name).unwrap();
        let document = Document::read(name, format, None, bytes).unwrap();
        let chunks = chunks(&document, &[]);
        assert_eq!(chunks[0].text(&document.text), expected);
    }
}

/// Texts with all that parts them, and characters of one to four bytes.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zé灯🜁]{1,12}",
        Just(" ".to_owned()),
        Just("\n".to_owned()),
        Just("\n\n".to_owned()),
        Just(". ".to_owned()),
        "#{1,7} ",
        Just("\n```\n".to_owned()),
        Just("\n---\n".to_owned()),
        "[a-z]{900,1200}",
    ];
    prop::collection::vec(piece, 0..400).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn places_point_at_the_text_and_nothing_but_blanks_is_lost(text in text(), markdown: bool) {
        let chunks = of_text(&text, markdown, &[]);
        let mut covered = 0;
        let mut before = 0;
        for (at, chunk) in chunks.iter().enumerate() {
            let characters: String =
                text.chars().skip(chunk.characters.start).take(chunk.characters.len()).collect();
            prop_assert_eq!(chunk.text(&text), characters);
            prop_assert!(chunk.characters.len() <= CHUNK && !chunk.bytes.is_empty());
            prop_assert_eq!(usize::try_from(chunk.number).unwrap(), at);
            prop_assert!(at == 0 || chunk.bytes.start > before);
            if chunk.bytes.start > covered {
                prop_assert_eq!(text[covered..chunk.bytes.start].trim(), "");
            } else {
                prop_assert!(text[chunk.bytes.start..covered].chars().count() <= OVERLAP);
            }
            before = chunk.bytes.start;
            covered = covered.max(chunk.bytes.end);
        }
        prop_assert_eq!(text[covered..].trim(), "");
    }
}
