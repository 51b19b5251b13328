//! Answers as models write them, on their way to a reader.

use super::*;
use crate::verify::Verdict;
use crate::{Anchor, Content, Finding, Passage, Source};
use proptest::prelude::*;

fn source(n: usize, title: &str, texts: &[&str]) -> Source {
    let url = format!("https://{n}.example/page");
    let passages = texts.iter().enumerate().map(|(at, text)| {
        let anchor = format!("p-{n}-{at}");
        let to = format!("{url}#:~:text={anchor}");
        Passage::new(Anchor::new(anchor), vec!["Section".to_owned()], (*text).to_owned(), &to)
    });
    let content = Content::Passages(passages.collect());
    let title = Some(title.to_owned());
    Source::new(n, Finding { url: url.clone(), title, content, ..Finding::default() })
}

/// `q1` to `q3`.
fn sources() -> Vec<Source> {
    let lamp = [
        "The lighthouse of Sker was built by Ann Marsh between 1821 and 1823. It has 196 steps and a lamp of brass.",
        "Boats leave the harbour of Lund for the island every hour in summer.",
    ];
    let bread = ["Bread of the island is baked from rye, water and salt in ovens of stone."];
    vec![source(1, "Sker light", &lamp), source(2, "Bread (rye)", &bread)]
}

const BUILT: &str = "https://1.example/page#:~:text=p-1-0";
const BOATS: &str = "https://1.example/page#:~:text=p-1-1";
const BAKED: &str = "https://2.example/page#:~:text=p-2-0";

/// The answer in pieces of so many characters.
fn pieces(answer: &str, size: usize) -> Vec<String> {
    let characters: Vec<char> = answer.chars().collect();
    characters.chunks(size).map(|piece| piece.iter().collect()).collect()
}

fn write(pieces: &[String]) -> (Vec<Out>, Proof) {
    let sources = sources();
    write_from(pieces, &Known::new(&sources))
}

fn write_from(pieces: &[String], known: &Known) -> (Vec<Out>, Proof) {
    let mut answer = Answer::default();
    let mut out = Vec::new();
    for piece in pieces {
        out.extend(answer.push(piece, known));
        // A checkpoint between any two pieces changes nothing.
        let kept = serde_json::to_string(&answer).unwrap();
        answer = serde_json::from_str(&kept).unwrap();
    }
    let (rest, proof) = answer.finish(known);
    out.extend(rest);
    (out, proof)
}

/// What a reader sees of an answer that comes in pieces of so many characters.
pub(super) fn written(answer: &str, size: usize, known: &Known) -> (String, Proof) {
    let (out, proof) = write_from(&pieces(answer, size), known);
    (text(&out), proof)
}

fn text(out: &[Out]) -> String {
    let text = out.iter().filter_map(|out| match out {
        Out::Text(text) => Some(text.as_str()),
        Out::Citation(_) => None,
    });
    text.collect()
}

/// What a reader sees, with addresses by their short names.
fn shown(answer: &str) -> (String, Proof) {
    let (out, proof) = write(&[answer.to_owned()]);
    let shown = text(&out).replace(BUILT, "built").replace(BOATS, "boats").replace(BAKED, "baked");
    (shown, proof)
}

#[test]
fn sentence_by_sentence_each_is_told_by_itself() {
    let sources = sources();
    let known = Known::new(&sources);
    let mut answer = Answer::default();
    let told = [
        "Ann Marsh built the lighthouse of Sker between 1821 and 1823 [q1].",
        "There were 40 prize rabbits in the garden of a keeper.",
        "She built the lighthouse of Sker between 1821 and 1823 [q1].",
    ]
    .map(|sentence| answer.sentence(sentence, &known));
    let counts = told.each_ref().map(|(_, proof)| (proof.citations.len(), proof.uncited));
    assert_eq!(counts, [(1, 0), (0, 1), (1, 0)]);
    let (out, proof) = &told[2];
    let shown: Vec<char> = text(out).chars().collect();
    let citation = &proof.citations[0];
    assert!(shown[citation.start..citation.end].iter().collect::<String>().starts_with("[1]("));
    assert!(
        citation.claim.starts_with("Ann Marsh"),
        "the subject of the first: {}",
        citation.claim
    );
}

#[test]
fn a_marker_becomes_a_link_to_the_passage_in_whatever_writing() {
    let sentence = "The lighthouse of Sker was built by Ann Marsh between 1821 and 1823";
    for marker in [
        "[q1]",
        "[Q1]",
        "[[q1]]",
        "【q1】",
        "［q1］",
        "[q1†L1]",
        "[source: q1]",
        "[Sker light > Section]",
        "[q1](https://x.example/)",
        "[1](https://1.example/page)",
        "https://1.example/page",
        "<https://1.example/page#lamp>",
        "[https://1.example/page]",
    ] {
        let (shown, proof) = shown(&format!("{sentence} {marker}."));
        assert_eq!(shown, format!("{sentence} [1](built)."), "{marker}");
        let [citation] = proof.citations.as_slice() else { panic!("{proof:?}") };
        assert_eq!(
            (citation.id.as_str(), citation.n, citation.verdict),
            ("q1", Some(1), Verdict::Supported)
        );
        assert_eq!(
            (citation.passage.as_deref(), citation.title.as_str()),
            (Some("p-1-0"), "Sker light")
        );
        assert_eq!(citation.quote, format!("{sentence}."));
        assert_eq!((citation.moved, citation.added, proof.uncited), (false, false, 0));
    }
    let (shown, _) = shown(&format!("{sentence}. [q1] So it stands."));
    assert_eq!(shown, format!("{sentence}. [1](built) So it stands."));
}

#[test]
fn words_of_a_link_stay_and_its_address_becomes_a_number() {
    let (shown, _) = shown(
        "Bread of the island is baked from [rye, water and salt](https://2.example/page) in ovens of stone.",
    );
    assert_eq!(
        shown,
        "Bread of the island is baked from rye, water and salt [1](baked) in ovens of stone."
    );
}

#[test]
fn sources_are_numbered_as_they_are_first_used() {
    let (shown, _) = shown(
        "Bread of the island is baked from rye, water and salt [q3]. The lighthouse has 196 steps and a lamp of brass [q1]. \
         Boats leave the harbour of Lund every hour in summer [q2, q3].",
    );
    assert_eq!(
        shown,
        "Bread of the island is baked from rye, water and salt [1](baked). The lighthouse has 196 steps and a lamp of brass [2](built). \
         Boats leave the harbour of Lund every hour in summer [2](boats)."
    );
}

#[test]
fn what_another_passage_says_moves_there_and_what_none_says_is_unverified() {
    let (shown, proof) = shown(
        "The lighthouse was built by Ann Marsh between 1821 and 1823 [q3]. Whales sing loudly in cold polar waters [q2].",
    );
    assert_eq!(
        shown,
        "The lighthouse was built by Ann Marsh between 1821 and 1823 [1](built). Whales sing loudly in cold polar waters (unverified)."
    );
    let [moved, unverified] = proof.citations.as_slice() else { panic!("{proof:?}") };
    assert!(moved.moved && moved.verdict == Verdict::Supported && moved.id == "q1");
    assert_eq!((unverified.n, unverified.verdict), (None, Verdict::NotFound));
    assert_eq!(proof.shares(), [0.5, 0.0, 0.5]);
}

#[test]
fn what_stands_behind_a_marker_is_checked_too() {
    for (answer, uncited) in [
        ("It has 196 steps and a lamp of brass [q1] and was sold for 5 million dollars.", 1),
        ("It has 196 steps [q1], and whales sing loudly in cold polar waters.", 1),
        ("The lighthouse has a lamp of brass [q1] and 196 steps.", 0),
        ("It has 196 steps and a lamp of brass [q1], by the way.", 0),
        ("| The lighthouse of Sker | 196 steps [q1] | 5 million dollars |", 1),
    ] {
        let (_, proof) = shown(answer);
        assert_eq!(proof.uncited, uncited, "{answer} {proof:?}");
    }
    let (shown, proof) = shown(
        "The lighthouse has a lamp of brass [q1], and bread of the island is baked from rye, water and salt.",
    );
    assert!(shown.ends_with("salt. [2](baked)"), "{shown}");
    assert!(proof.citations[1].added && proof.uncited == 0);
}

#[test]
fn code_within_a_sentence_is_part_of_what_it_states() {
    let verdict = |answer: &str| shown(answer).1.citations[0].verdict;
    assert_eq!(verdict("The lighthouse of Sker has `196` steps [q1]."), Verdict::Supported);
    assert_ne!(verdict("The lighthouse of Sker has `299` steps [q1]."), Verdict::Supported);
    assert_ne!(
        verdict("The lighthouse has ``299`` steps of `brass. It` [q1]."),
        Verdict::Supported
    );
}

#[test]
fn a_citation_that_fails_beside_one_that_holds_is_counted() {
    let says = "The lighthouse has 196 steps and a lamp of brass";
    for marker in ["[q1, q3]", "[q3, q1]"] {
        let (shown, proof) = shown(&format!("{says} {marker}."));
        assert_eq!(shown, format!("{says} [1](built)."), "{marker}");
        let [citation] = proof.citations.as_slice() else { panic!("{marker}: {proof:?}") };
        assert!(!citation.moved, "{marker}");
    }
    let (_, proof) = shown(&format!("{says} [q1, q3]."));
    assert_eq!((proof.failed, proof.shares()), (1, [0.5, 0.0, 0.5]));
}

#[test]
fn a_title_with_a_sign_that_parts_is_a_title() {
    let sources = [
        source(1, "Fees", &["The fee is 5 pounds."]),
        source(2, "Fees » Library", &["The library takes 2 pounds a week."]),
    ];
    let known = Known::new(&sources);
    assert_eq!(known.by_title("Fees » Library"), Some(super::known::Target::Source(1)));
    assert_eq!(known.by_title("Fees > Section"), Some(super::known::Target::Passage(0)));
    assert_eq!(known.by_title("Fees » Library > Section"), Some(super::known::Target::Passage(1)));
    assert_eq!(known.by_title("Dues > Library"), None);
}

#[test]
fn a_sentence_that_is_half_true_keeps_its_link_and_says_so() {
    let (shown, proof) =
        shown("The lighthouse of Sker was built by Ann Marsh between 1821 and 1899 [q1].");
    assert!(shown.ends_with("1899 [1](built)."), "{shown}");
    let [citation] = proof.citations.as_slice() else { panic!("{proof:?}") };
    assert_eq!(
        (citation.verdict, citation.vetoes.as_slice()),
        (Verdict::Partly, &[crate::verify::Veto::Number][..])
    );
}

#[test]
fn a_sentence_without_a_marker_is_cited_if_a_passage_says_it_and_counted_if_none_does() {
    let (shown, proof) = shown(
        "## Sker\n\nIt has 196 steps and a lamp of brass. Whales sing loudly in cold polar waters.\nIs that so?",
    );
    assert_eq!(
        shown,
        "## Sker\n\nIt has 196 steps and a lamp of brass. [1](built) Whales sing loudly in cold polar waters.\nIs that so?"
    );
    assert_eq!((proof.citations.len(), proof.citations[0].added, proof.uncited), (1, true, 1));
}

#[test]
fn names_that_nothing_has_are_taken_out_and_counted() {
    let (shown, proof) = shown(
        "The lamp is lit [q99]. See it there [3], as https://evil.example/x says and [this page](https://evil.example/y) [q1x] [x].",
    );
    assert_eq!(shown, "The lamp is lit. See it there, as says and this page [q1x] [x].");
    assert_eq!(proof.unknown, ["q99", "3", "https://evil.example/x", "https://evil.example/y"]);
    assert_eq!((proof.unknown_count, proof.citations.len()), (4, 0));
}

#[test]
fn code_keeps_its_brackets() {
    let answer =
        "Use `a[q1]`:\n\n```\nx = [q1, 3]  # https://evil.example/\n```\n\nOr [link](#below).";
    assert_eq!(shown(answer), (answer.to_owned(), Proof::default()));
}

#[test]
fn rows_and_items_are_claims() {
    let (shown, proof) = shown(
        "| what | steps |\n|---|---|\n| Lighthouse of Sker with its lamp of brass | 196 steps [q1] |\n\n- Boats leave the harbour of Lund every hour in summer [q2]\n- **Bread** of the island is baked from rye and salt\n",
    );
    assert_eq!(
        shown,
        "| what | steps |\n|---|---|\n| Lighthouse of Sker with its lamp of brass | 196 steps [1](built) |\n\n- Boats leave the harbour of Lund every hour in summer [1](boats)\n- **Bread** of the island is baked from rye and salt [2](baked)\n"
    );
    let verdicts: Vec<Verdict> = proof.citations.iter().map(|it| it.verdict).collect();
    assert_eq!(verdicts, [Verdict::Supported; 3]);
}

#[test]
fn a_marker_on_its_own_line_is_for_the_sentence_before_and_one_before_a_sentence_for_that() {
    let (own, proof) =
        shown("Boats leave the harbour of Lund every hour in summer.\n[q2]\n\nAnd so on.");
    assert_eq!(
        own,
        "Boats leave the harbour of Lund every hour in summer.\n[1](boats)\n\nAnd so on."
    );
    assert_eq!(proof.citations[0].verdict, Verdict::Supported);
    let (before, proof) =
        shown("And so on.\n[q2] Boats leave the harbour of Lund every hour in summer. Good.");
    assert_eq!(
        before,
        "And so on.\nBoats leave the harbour of Lund every hour in summer. [1](boats) Good."
    );
    assert_eq!(proof.citations[0].verdict, Verdict::Supported);
}

#[test]
fn text_flows_while_it_is_written() {
    let sources = sources();
    let known = Known::new(&sources);
    let mut answer = Answer::default();
    let mut flown = String::new();
    for (at, piece) in pieces("The lighthouse of Sker has 196 steps", 4).iter().enumerate() {
        flown.push_str(&text(&answer.push(piece, &known)));
        assert!(flown.chars().count() + 2 >= at * 4, "{flown}");
    }
    assert_eq!(text(&answer.push(" [q1", &known)), "");
}

#[test]
fn an_answer_that_is_nothing_but_markers_ends() {
    let (out, proof) = write(&["a [q1] [q2]".repeat(3_000)]);
    assert!(proof.citations.len() <= 1_000, "{}", proof.citations.len());
    assert!(proof.unchecked > 4_000 && text(&out).ends_with("(unverified)"));
}

/// Whatever signs stand around them, markers alone say nothing.
#[test]
fn an_answer_of_nothing_but_markers_is_an_empty_one() {
    for answer in [
        "[q99] [q98]",
        "[q99][q98].",
        "[q1]",
        "[q1]\n\n[q2].",
        "- [q99]\n- [q1]\n",
        "**[q98]**",
        "([q99], [q98])",
        "https://evil.example/x",
        "# [q1]\n\n> [q77] …",
    ] {
        let (out, proof) = write(&[answer.to_owned()]);
        assert_eq!((text(&out).trim(), proof.citations.len()), ("", 0), "{answer}");
        let (cut, _) = write(&pieces(answer, 1));
        assert_eq!(text(&cut).trim(), "", "{answer}");
    }
    // What has no marker is no empty answer, however little it says.
    for answer in ["`+`", "-", "```\n```", "?!", "∞ [q99]", "`+` [q99]", "[q9x]", "(1)"] {
        let (shown, _) = shown(answer);
        assert_eq!(shown.trim_end(), answer.trim_end_matches(" [q99]"), "{answer}");
    }
}

#[test]
fn a_marker_before_the_first_word_is_for_the_sentence_that_follows() {
    for before in ["[q2]\n\n", "- [q2] ", "([q2]) ", "[q2]\n- "] {
        let (shown, proof) =
            shown(&format!("{before}Boats leave the harbour of Lund every hour in summer."));
        assert!(shown.ends_with("in summer. [1](boats)"), "{before}: {shown}");
        assert!(!shown.contains("()"), "{shown}");
        assert_eq!(proof.citations[0].verdict, Verdict::Supported);
    }
}

#[test]
fn brackets_that_held_nothing_but_what_was_taken_out_go_with_it() {
    for (answer, expected) in [
        ("See (https://evil.example/x).", "See."),
        ("See (https://evil.example/x) there.", "See there."),
        ("See(https://evil.example/x) there.", "See there."),
        ("See ( <https://evil.example/x> ), there.", "See, there."),
        ("See ([q99]) and ([q98], [q97]; https://evil.example/y).", "See and."),
        ("See (([q99])) there.", "See there."),
        ("See (it ([q99])) there.", "See (it) there."),
        ("See ([q99] as told) there.", "See (as told) there."),
        ("See ([q99], as told) there.", "See (as told) there."),
        ("See (as told [q99]).", "See (as told)."),
        ("See [](https://evil.example/x).", "See."),
        ("参见（https://evil.example/x）。", "参见。"),
        ("See (https://evil.example/x)\nThere.", "See\nThere."),
        ("See ([q99]\nthere).", "See (\nthere)."),
        ("See (https://evil.example/x", "See"),
        (
            "Call f() or g( ) or `(https://evil.example/x)`.",
            "Call f() or g( ) or `(https://evil.example/x)`.",
        ),
        ("```\nf(https://evil.example/x)\n```", "```\nf(https://evil.example/x)\n```"),
        ("([q99]`x`) and (", "(`x`) and ("),
    ] {
        assert_eq!(shown(answer).0.trim_end(), expected, "{answer}");
        let (cut, _) = write(&pieces(answer, 1));
        assert_eq!(text(&cut).trim_end(), expected, "{answer}");
    }
    let (shown, _) =
        shown("The lighthouse has 196 steps and a lamp of brass ([q99], [q1]). It is.");
    assert_eq!(shown, "The lighthouse has 196 steps and a lamp of brass ([1](built)). It is.");
}

fn answers() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("The lighthouse of Sker was built by Ann Marsh".to_owned()),
        Just(" [q1]".to_owned()),
        Just("[q77, q2]".to_owned()),
        Just("【q3】".to_owned()),
        Just("[2]".to_owned()),
        Just("(".to_owned()),
        Just(")".to_owned()),
        Just("[the rye](https://2.example/page)".to_owned()),
        Just(" https://evil.example/x".to_owned()),
        Just(". ".to_owned()),
        Just("\n".to_owned()),
        Just("\n\n".to_owned()),
        Just("| a ".to_owned()),
        Just("`".to_owned()),
        Just("```\n".to_owned()),
        Just("[".to_owned()),
        Just("](".to_owned()),
        Just("http".to_owned()),
        Just("!".to_owned()),
        Just("It has 196 steps and a lamp of brass.".to_owned()),
        "\\PC{0,6}",
        "[ \n]{0,80}",
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

/// Merges pieces of text, so that only what leaves counts and not in how many pieces.
fn merged(out: Vec<Out>) -> Vec<Out> {
    let mut merged: Vec<Out> = Vec::new();
    for out in out {
        match (merged.last_mut(), out) {
            (Some(Out::Text(text)), Out::Text(more)) => text.push_str(&more),
            (_, out) => merged.push(out),
        }
    }
    merged
}

proptest! {
    #[test]
    fn any_cutting_of_the_stream_gives_the_same(answer in answers(), size in 1usize..9) {
        let (whole, proof) = write(std::slice::from_ref(&answer));
        let (cut, again) = write(&pieces(&answer, size));
        prop_assert_eq!(merged(cut), merged(whole));
        prop_assert_eq!(again, proof);
    }

    #[test]
    fn a_citation_is_told_before_the_text_that_shows_it(answer in answers()) {
        let (out, proof) = write(&[answer]);
        let content: Vec<char> = text(&out).chars().collect();
        let mut given = 0;
        let mut told = Vec::new();
        for out in &out {
            match out {
                Out::Text(text) => given += text.chars().count(),
                Out::Citation(citation) => {
                    prop_assert_eq!(citation.start, given);
                    told.push((**citation).clone());
                }
            }
        }
        for citation in &told {
            let marker: String = content[citation.start..citation.end].iter().collect();
            let expected = match citation.n {
                Some(n) => format!("[{n}]({})", citation.url),
                None => "(unverified)".to_owned(),
            };
            prop_assert_eq!(marker, expected);
        }
        let numbers: Vec<usize> = told.iter().filter_map(|citation| citation.n).collect();
        let most = numbers.iter().copied().max().unwrap_or_default();
        prop_assert!((1..=most).all(|n| numbers.contains(&n)), "numbers have no holes");
        prop_assert_eq!(told, proof.citations);
    }

    #[test]
    fn no_word_of_the_answer_is_lost(words in prop::collection::vec("[a-zé]{1,8}", 1..30), every in 1usize..5) {
        let marked: Vec<String> = words.iter().enumerate().map(|(at, word)| {
            if at % every == 0 { format!("{word} [q1]") } else { format!("{word} [q99].") }
        }).collect();
        let (out, proof) = write(&[marked.join(" ")]);
        let mut left: Vec<char> = text(&out).chars().collect();
        for citation in proof.citations.iter().rev() {
            left.drain(citation.start..citation.end);
        }
        let left: String = left.into_iter().collect();
        let left: Vec<String> = left.split_whitespace().map(|word| word.replace('.', "")).filter(|word| !word.is_empty()).collect();
        prop_assert_eq!(left, words);
    }
}
