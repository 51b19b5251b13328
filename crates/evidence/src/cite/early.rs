//! Markers that stand before most of their sentence.

use super::*;
use crate::verify::Verdict;
use crate::{Content, Finding, Source};

const COST: &str =
    "The bridge of Orrin cost 4.2 million pounds, and the county of Lund paid for it.";

fn sources() -> Vec<Source> {
    let source = |n: usize, text: &str| {
        let content = Content::Text(text.to_owned());
        let (url, title) = (format!("https://{n}.example/"), Some(format!("Page {n}")));
        Source::new(n, Finding { url, title, content, ..Finding::default() })
    };
    vec![source(1, COST), source(2, "Bread of the island is baked from rye, water and salt.")]
}

/// What a reader sees of an answer that comes in pieces of so many characters, with a checkpoint between them.
fn shown(answer: &str, size: usize) -> (String, Proof) {
    let sources = sources();
    let known = Known::new(&sources);
    let mut written = Answer::default();
    let mut text = String::new();
    let mut show = |out: Vec<Out>| {
        for out in out {
            if let Out::Text(piece) = out {
                text.push_str(&piece);
            }
        }
    };
    let characters: Vec<char> = answer.chars().collect();
    for piece in characters.chunks(size) {
        show(written.push(&piece.iter().collect::<String>(), &known));
        let kept = serde_json::to_string(&written).unwrap();
        written = serde_json::from_str(&kept).unwrap();
    }
    let (rest, proof) = written.finish(&known);
    show(rest);
    (text.replace("https://1.example/", "cost").replace("https://2.example/", "bread"), proof)
}

#[test]
fn a_marker_early_in_a_sentence_stands_for_the_whole_of_it() {
    for (answer, expected) in [
        (
            "According to [q1], the bridge of Orrin cost 4.2 million pounds.",
            "According to [1](cost), the bridge of Orrin cost 4.2 million pounds.",
        ),
        (
            "As ([q1]) says, the bridge of Orrin cost 4.2 million pounds. Well.",
            "As ([1](cost)) says, the bridge of Orrin cost 4.2 million pounds. Well.",
        ),
        (
            "- Per [q1] the `bridge of Orrin` cost 4.2 million pounds\n- And so on",
            "- Per [1](cost) the `bridge of Orrin` cost 4.2 million pounds\n- And so on",
        ),
        (
            "Both [q1] and [q2] say that the bridge of Orrin cost 4.2 million pounds.",
            "Both [1](cost) and [1](cost) say that the bridge of Orrin cost 4.2 million pounds.",
        ),
    ] {
        for size in [1, 7, 1_000] {
            let (text, proof) = shown(answer, size);
            assert_eq!(text, expected, "{size}");
            assert_eq!(proof.citations[0].verdict, Verdict::Supported, "{proof:?}");
            assert!(proof.citations[0].claim.contains("4.2 million"), "{proof:?}");
            assert_eq!(proof.uncited, 0, "what follows was checked with it: {proof:?}");
        }
    }
}

#[test]
fn what_nothing_says_is_unverified_wherever_its_marker_stands() {
    let (text, proof) = shown("According to [q1], whales sing loudly in cold polar waters.", 3);
    assert_eq!(text, "According to (unverified), whales sing loudly in cold polar waters.");
    assert_eq!((proof.citations.len(), proof.uncited), (1, 0));
}

#[test]
fn text_is_held_back_for_one_sentence_at_most() {
    let sources = sources();
    let known = Known::new(&sources);
    let mut answer = Answer::default();
    let mut flown = 0;
    let mut most = 0;
    let written = format!("According to [q1], {}", "so it is and so it was ".repeat(200));
    for (at, c) in (1..).zip(written.chars()) {
        for out in answer.push(&c.to_string(), &known) {
            if let Out::Text(text) = out {
                flown += text.chars().count();
            }
        }
        most = most.max(at - flown.min(at));
    }
    assert!(most < 600, "{most}");
}
