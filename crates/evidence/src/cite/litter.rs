//! What markers leave behind around them.

use super::*;
use crate::{Content, Finding, Source};

const BUILT: &str = "The lighthouse of Sker was built by Ann Marsh between 1821 and 1823";

fn sources() -> Vec<Source> {
    let source = |n: usize, url: &str, text: &str| {
        let content = Content::Text(text.to_owned());
        let title = Some(format!("Page {n}"));
        Source::new(n, Finding { url: url.to_owned(), title, content, ..Finding::default() })
    };
    vec![
        source(1, "https://www.1.example/", &format!("{BUILT}.")),
        source(2, "https://2.example/", "Bread is baked from rye in ovens of stone."),
    ]
}

/// What a reader sees, however the answer is cut.
fn shown(answer: &str) -> (String, Proof) {
    let sources = sources();
    let known = Known::new(&sources);
    let write = |size: usize| {
        let (text, proof) = tests::written(answer, size, &known);
        (text.replace("https://www.1.example/", "built"), proof)
    };
    let whole = write(10_000);
    assert_eq!(write(1), whole, "{answer}");
    whole
}

#[test]
fn emphasis_around_a_marker_stays_around_it_and_goes_with_it() {
    for (answer, expected) in [
        (format!("{BUILT} **[q1]**."), format!("{BUILT} **[1](built)**.")),
        (format!("{BUILT} _[q1]_."), format!("{BUILT} _[1](built)_.")),
        (format!("**{BUILT}**[q1]."), format!("**{BUILT}** [1](built).")),
        ("It is **[q99]** so.".to_owned(), "It is so.".to_owned()),
        ("It is (**[q99]**) so.".to_owned(), "It is so.".to_owned()),
        ("It is **[q99] bold** and *so*.".to_owned(), "It is **bold** and *so*.".to_owned()),
        ("* one\n* **two** __init__ a*b\n".to_owned(), "* one\n* **two** __init__ a*b".to_owned()),
        ("It is so.\n\n***\n\nWell.".to_owned(), "It is so.\n\n***\n\nWell.".to_owned()),
    ] {
        assert_eq!(shown(&answer).0.trim_end(), expected);
    }
}

#[test]
fn a_footnote_that_nothing_has_leaves_its_words() {
    let (text, proof) = shown("It is so [^1].\n\n[^1]: As told elsewhere.");
    assert_eq!(text, "It is so.\n\nAs told elsewhere.");
    assert_eq!(proof.unknown_count, 2);
    assert_eq!(shown("As told: it is so").0, "As told: it is so");
}

#[test]
fn one_passage_is_named_once_for_a_sentence_however_many_markers_it_has() {
    for (markers, failed) in [("[q1][q2]", 1), ("[q1] [q1]", 0), ("[q1] ([q2])", 1)] {
        let (text, proof) = shown(&format!("{BUILT} {markers}. Well."));
        assert_eq!(text, format!("{BUILT} [1](built). Well."), "{markers}");
        assert_eq!((proof.citations.len(), proof.failed), (1, failed), "{markers}");
    }
}

#[test]
fn escaped_and_other_brackets_hold_markers_too() {
    for marker in ["\\[q1\\]", "〔q1〕"] {
        let (text, _) = shown(&format!("{BUILT} {marker}."));
        assert_eq!(text, format!("{BUILT} [1](built)."));
    }
    let other = "See \\[3\\], \\[x\\] and 〔注〕.";
    assert_eq!(shown(other).0, other);
}

#[test]
fn an_address_without_its_scheme_is_one() {
    let (text, proof) = shown("See www.evil.example/page, or not.");
    assert_eq!(text, "See, or not.");
    assert_eq!(proof.unknown, ["www.evil.example/page"]);
    let (text, proof) = shown(&format!("{BUILT} (www.1.example)."));
    assert_eq!(text, format!("{BUILT} ([1](built))."));
    assert_eq!(proof.unknown_count, 0);
}

#[test]
fn an_item_keeps_its_sign_and_its_emphasis_where_a_marker_goes() {
    for marker in ["[q1]", "[q99]", "**[q99]**"] {
        let (text, _) = shown(&format!("Well.\n\n* {marker} **Sker** is old"));
        assert!(text.starts_with("Well.\n\n* **Sker** is old"), "{marker}: {text}");
    }
    let answer = "It is (**[q99] **) so, **[q99] [q98]** and **[q99] *old* too**.";
    assert_eq!(shown(answer).0, "It is (****) so, and ***old* too**.");
}

#[test]
fn whatever_stands_before_its_bracket_no_link_leads_elsewhere() {
    for (answer, expected) in [
        (r"See \\[x](https:evil.example/p).", r"See \\x."),
        (r"See \\[x](//evil.example).", r"See \\x."),
        (r"See \\\[x](//evil.example).", r"See \\x."),
        (r"See [a \[x](//evil.example).", "See [a x."),
        ("See [https://evil.example/x](//evil.example) there.", "See there."),
    ] {
        let (text, proof) = shown(answer);
        assert_eq!(text, expected, "{answer}");
        assert!(proof.unknown_count > 0, "{answer}");
    }
    let (text, _) = shown(&format!(r"{BUILT} \\[q1]."));
    assert!(text.ends_with(r"\\ [1](built)."), "a backslash that is seen: {text}");
}

#[test]
fn what_only_begins_as_an_address_is_shown_however_long_it_is() {
    let answer = format!("See www.a{} there.", "x".repeat(3_000));
    let (text, proof) = shown(&answer);
    assert_eq!((text, proof.unknown_count), (answer, 0));
    let (text, proof) = shown("See www.a..www.evil.example/x there, and <www.b> here.");
    assert_eq!((text.as_str(), proof.unknown_count), ("See there, and <www.b> here.", 1));
}

#[test]
fn of_two_names_that_both_fail_one_is_shown_and_both_count() {
    let (text, proof) = shown("Whales sing loudly in cold polar waters [q1, q2].");
    assert_eq!(text, "Whales sing loudly in cold polar waters (unverified).");
    assert_eq!((proof.citations.len(), proof.failed, proof.shares()), (1, 1, [0.0, 0.0, 1.0]));
}

#[test]
fn a_number_behind_a_word_is_checked_or_goes() {
    for (answer, expected) in [
        ("Rye[1] is baked in ovens.", "Rye is baked in ovens. [1](https://2.example/)"),
        ("OpenAI[1] and DeepMind[2] are old.", "OpenAI and DeepMind are old."),
        ("It is on GitHub[1].", "It is on GitHub."),
    ] {
        assert_eq!(shown(answer).0, expected);
    }
    let (text, proof) = shown("Bread[1] is baked from rye in ovens of stone.");
    assert_eq!(text, "Bread is baked from rye in ovens of stone. [1](https://2.example/)");
    assert!(proof.citations[0].added, "{proof:?}");
}
