//! Which words of an answer are checked for a marker: nothing that changes what they say is left out.

use super::*;
use crate::verify::Verdict;
use crate::{Content, Finding, Source};

fn sources() -> Vec<Source> {
    let texts = [
        "The bridge of Orrin is 300 metres long. It was opened by Tom Reed in 1990. Tom Reed opened the bridge of Orrin in 1990. \
         Tom Reed was the mayor of Orrin until 2020. On 5 May 2020 the mill burned.",
        "The harbour of Lund has 40 boats. Ann Marsh lives near the harbour of Lund. Am 5. März wurde die Brücke gesperrt. \
         The shop opens at 7 a.m. on Monday. Ann Marsh was born in Lund.",
    ];
    let of = |(n, text): (usize, &str)| {
        let content = Content::Text(text.to_owned());
        let url = format!("https://{n}.example/");
        Source::new(
            n,
            Finding { url, title: Some(format!("Page {n}")), content, ..Finding::default() },
        )
    };
    (1..).zip(texts).map(of).collect()
}

/// What a reader sees of an answer and what it rests on, however it is cut.
fn written(answer: &str) -> (String, Proof) {
    let sources = sources();
    let known = Known::new(&sources);
    let whole = tests::written(answer, usize::MAX, &known);
    for size in [1, 2, 3, 7] {
        assert_eq!(tests::written(answer, size, &known), whole, "{size}: {answer}");
    }
    let (text, proof) = whole;
    (text.replace("https://1.example/", "a").replace("https://2.example/", "b"), proof)
}

fn of(answer: &str) -> Vec<(String, Verdict)> {
    written(answer).1.citations.into_iter().map(|it| (it.claim, it.verdict)).collect()
}

#[test]
fn no_sentence_is_cut_at_an_abbreviation() {
    for claim in [
        "The mill was sold to pirates of France by Gov. Tom Reed in 1990",
        "The island was invaded by Gen. Tom Reed of Orrin in 1990",
        "The pirates of France killed Lt. Col. Tom Reed, mayor of Orrin",
        "The murderers of the king were led by Sen. Ann Marsh near the harbour of Lund",
        "The law was struck down by Sen. Ann Marsh and Rep. Tom Reed in 2020",
        "Aliens from Mars invaded the town led by Capt. Tom Reed, mayor of Orrin",
        "The island was sold to pirates of France at 9 p.m. Tom Reed was the mayor of Orrin",
        "Crime exploded in the U.K. Tom Reed opened the bridge in 1990",
        "The president Jane Smith sold the whole island to pirates on Jan. 5, 2020",
        "Marsh machte 2020 einen Verlust von 1,5 Mio. Euro",
        "Die Brücke wurde am 3. März gesperrt",
        "Die Brücke wurde am Montag, 3. **März** gesperrt",
        "The shop closes at 9 p.m. Monday",
        "The fine for pirates is set in Sec. 40 of the law",
        "In Sept. 2020 the town of Sker burned",
    ] {
        let cited = of(&format!("{claim} [q1][q2]."));
        assert!(!cited.is_empty(), "{claim}");
        for (told, verdict) in cited {
            assert_eq!(told, claim.replace("**", ""), "{claim}");
            assert_ne!(verdict, Verdict::Supported, "{claim}");
        }
    }
    // A marker that stands early waits for its sentence, and for no part of it.
    let (_, proof) = written("Laut [q2] wurde die Brücke am 3. März gesperrt. Gut.");
    assert!(proof.citations[0].claim.contains("3. März gesperrt"), "{proof:?}");
}

#[test]
fn a_sentence_ends_though_its_last_word_is_short_or_a_number() {
    let says = "The harbour of Lund has 40 boats";
    for before in [
        "He paid 5.",
        "It was in 1990.",
        "He lives in the U.S.",
        "It closes at 9 p.m.",
        "He said no.",
        "It is 5 m.",
        "1.",
        "He works for Marsh Inc.",
        "So he came on Jan. 3.",
        "Er kam am 3.",
    ] {
        let cited = of(&format!("{before} {says} [q2]."));
        assert_eq!(cited, [(says.to_owned(), Verdict::Supported)], "{before}");
    }
}

#[test]
fn what_is_said_of_something_is_checked_with_it() {
    for (answer, claim) in [
        (
            "Ann Marsh was born in Lund [q2] and opened the bridge of Orrin in 1990 [q1].",
            "Ann Marsh opened the bridge",
        ),
        (
            "Ann Marsh was born in Lund [q2] and she opened the bridge of Orrin in 1990 [q1].",
            "Ann Marsh she opened",
        ),
        (
            "Ann Marsh lives near the harbour of Lund [q2], was the mayor of Orrin until 2020 and left [q1].",
            "Ann Marsh was",
        ),
        (
            "The harbour of Lund has 40 boats [q2] and was opened by Tom Reed in 1990 [q1].",
            "harbour of Lund was opened",
        ),
        (
            "Ann Marsh was born in Lund [q2]. Opened the bridge of Orrin in 1990 [q1].",
            "Ann Marsh Opened",
        ),
        (
            "Nothing of this is true:\n- the bridge of Orrin is 300 metres long [q2] and Tom Reed opened the bridge in 1990 [q1]",
            "Nothing of",
        ),
        ("Ann Marsh:\n- opened the bridge of Orrin in 1990 [q1]", "Ann Marsh opened the bridge"),
        ("Ann Marsh:\n\n1. Opened the bridge of Orrin in 1990 [q1]", "Ann Marsh Opened the bridge"),
        ("**Ann Marsh**\n- opened the bridge of Orrin in 1990 [q1]", "Ann Marsh opened the bridge"),
        (
            "### Ann Marsh\n- Opened the bridge of Orrin in 1990 [q1].",
            "Ann Marsh Opened the bridge",
        ),
        (
            "## Ann Marsh\n\n### Career\n\n- She opened the bridge of Orrin in 1990 [q1].",
            "Ann Marsh She opened",
        ),
        (
            "- Ann Marsh:\n  - opened the bridge of Orrin in 1990 [q1]",
            "Ann Marsh opened the bridge",
        ),
        ("## Bridge of Lund\n- Length and width: 300 metres long [q1]", "Bridge of Lund Length"),
        (
            "| Ann Marsh | lives near the harbour of Lund [q2] | opened the bridge of Orrin in 1990 [q1] |",
            "Ann Marsh, opened",
        ),
        (
            "It is not the case that:\n- the bridge of Orrin is 300 metres long [q1]",
            "It is not the case that: the bridge",
        ),
        (
            "False claims about Orrin:\n1. The bridge of Orrin is 300 metres long [q1].",
            "False claims about Orrin: The",
        ),
        ("## Myths\n- The bridge of Orrin is 300 metres long [q1].", "Myths: The"),
    ] {
        let cited = of(answer);
        let (told, verdict) = cited.last().unwrap();
        assert!(told.starts_with(claim), "{answer}: {told}");
        assert_ne!(*verdict, Verdict::Supported, "{answer}: {told}");
    }
    // Nor does it become a link where the model cites nothing.
    let (_, proof) =
        written("Ann Marsh was born in Lund [q2] and opened the bridge of Orrin in 1990.");
    assert_eq!((proof.citations.len(), proof.uncited), (1, 1), "{proof:?}");
}

#[test]
fn what_says_of_what_it_is_stays_as_it_is() {
    let says = "the harbour of Lund has 40 boats";
    for before in [
        "Tom Reed was the mayor of Orrin until 2020 [q1], and ",
        "Tom Reed was the mayor of Orrin until 2020 [q1]; ",
        "## Key facts\n- ",
        "## Orrin\n\n",
        "Here is what I found:\n- ",
        "Ann Marsh:\n- ",
        "It is not far.\n- ",
        "False claims:\n- x\n\nYet ",
    ] {
        let cited = of(&format!("{before}{says} [q2]."));
        let (_, verdict) = cited.last().unwrap();
        assert_eq!(*verdict, Verdict::Supported, "{before} {cited:?}");
    }
    for answer in [
        "Tom Reed opened the bridge of Orrin in 1990 [q1] and was the mayor of Orrin until 2020 [q1].",
        "Tom Reed:\n- opened the bridge of Orrin in 1990 [q1]\n- was the mayor of Orrin until 2020 [q1]",
        "## Tom Reed\n- Opened the bridge of Orrin in 1990 [q1]\n- Was the mayor of Orrin until 2020 [q1]",
        "## History\n- Opened by Tom Reed in 1990 [q1]",
    ] {
        for (told, verdict) in of(answer) {
            assert_eq!(verdict, Verdict::Supported, "{answer}: {told}");
        }
    }
}

#[test]
fn several_numbers_in_brackets_are_no_citations_of_ours() {
    let says = "The bridge of Lund is 500 metres long";
    for marker in [
        "[1]",
        "[1, 2]",
        "[1,2,3]",
        "[1-3]",
        "[1–3]",
        "[source 1]",
        "[ref 1]",
        "[Sources 1 and 2]",
        "[1][2]",
    ] {
        let (text, proof) = written(&format!("{says} {marker}."));
        assert_eq!(text, format!("{says}."), "{marker}");
        assert!(proof.unknown_count > 0, "{marker}");
    }
    for answer in [
        "The sorted list is [3, 5, 8] and the root lies in [0, 1]; take a[0], b[2] and [-1, 1].",
        "The interval [1, 2] is closed, and x [1, 2] is a pair.",
        "In Python, data[1] and values[2] are read; items[3] is not.",
        "Use arr[0] then arr[1] and m[12][3]. Also matrix[10] works.",
        "Then dict[\"key\"] = arr[3].",
        "See RFC [2119] and item [12].",
        "Use `a[1, 2]`.\n\n```\n{\"a\": [1, 2]}\n```",
        "A matrix is [[1, 2], [3, 4]] there.",
        "The temperature [10-40] is safe.",
    ] {
        assert_eq!(written(answer).0, answer);
    }
}

#[test]
fn brackets_around_several_markers_go_with_them() {
    let says = "The bridge of Orrin is 300 metres long";
    for marker in
        ["[[q1], [q99]]", "[[q1],[q99]]", "[[q1] and [q99]]", "[[q1]; [q99]]", "[[q1] [q99]]"]
    {
        let (text, proof) = written(&format!("{says} {marker}."));
        assert_eq!(text, format!("{says} [1](a)."), "{marker}");
        assert_eq!(proof.unknown, ["q99"], "{marker}");
    }
    for other in ["See [[a], [b]] there.", "See [[q1x], [b] there."] {
        assert_eq!(written(other).0, other);
    }
}

#[test]
fn markers_before_their_sentences_stay_with_them() {
    let (one, two) =
        ("The bridge of Orrin is 300 metres long.", "The harbour of Lund has 40 boats.");
    let expected = format!("{one} [1](a) {two} [2](b)");
    for answer in [format!("[q1] {one} [q2] {two}"), format!("{one} [q1] {two} [q2]")] {
        let (text, proof) = written(&answer);
        assert_eq!(text.trim_start(), expected, "{answer}");
        assert!(proof.citations.iter().all(|it| it.verdict == Verdict::Supported), "{proof:?}");
    }
    for (answer, expected) in [
        (
            format!("- [q1] {one} [q2] {two}\n- {one} [q1]"),
            format!("- {one} [1](a) {two} [2](b)\n- {one} [1](a)"),
        ),
        (format!("1. [q1] {one}\n2. [q2] {two}"), format!("1. {one} [1](a)\n2. {two} [2](b)")),
        (format!("[q1] {one}\n{two} [q2]"), format!("{one} [1](a)\n{two} [2](b)")),
    ] {
        assert_eq!(written(&answer).0.trim_start(), expected, "{answer}");
    }
}

#[test]
fn markup_is_no_part_of_a_claim() {
    let says = "The harbour of Lund has 40 boats";
    for answer in [
        format!("{says}<sup>[q2]</sup>."),
        format!("<b>{says}</b> [q2]."),
        format!("It is so.<br>{says} [q2]."),
        format!("<b>It is so.</b> {says} [q2]."),
        "The harbour of Lund<br/>has <i>40</i> boats [q2].".to_owned(),
    ] {
        let cited = of(&answer);
        assert_eq!(cited.len(), 1, "{answer} {cited:?}");
        assert_eq!(cited[0].1, Verdict::Supported, "{answer} {cited:?}");
        assert!(!cited[0].0.contains(['<', '>']), "{answer} {cited:?}");
    }
    let cited = of("A Vec<T> has 40 boats in the harbour of Lund [q2].");
    assert!(cited[0].0.contains("Vec<T>"), "{cited:?}");
}

#[test]
fn a_question_claims_nothing() {
    for answer in [
        "Is the bridge of Orrin 300 metres long [q1]?",
        "Is the bridge of Orrin 300 metres long [q1] ?",
        "The bridge of Orrin is 300 metres long [q1]?",
        "The bridge of Orrin is 300 metres long [q1][q2]?",
        "Is the bridge of Orrin 300 metres long [q1] or so?",
        "The bridge of Orrin is 300 metres long? [q1]",
    ] {
        for (told, verdict) in of(answer) {
            assert_ne!(verdict, Verdict::Supported, "{answer}");
            assert!(told.ends_with('?'), "{answer}: {told}");
        }
    }
    for answer in [
        "The bridge of Orrin is 300 metres long [q1]. Is it?",
        "The bridge of Orrin is 300 metres long [q1]!",
        "How long is it? The bridge of Orrin is 300 metres long [q1].",
    ] {
        assert_eq!(of(answer)[0].1, Verdict::Supported, "{answer}");
    }
}
