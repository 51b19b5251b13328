//! Answers that once were read wrongly.

use super::*;
use crate::verify::Verdict;
use crate::{Content, Finding, Source};

const BUILT: &str = "The lighthouse of Sker was built by Ann Marsh between 1821 and 1823";

fn source(n: usize, url: &str, title: &str, text: &str) -> Source {
    let content = Content::Text(text.to_owned());
    let title = Some(title.to_owned());
    Source::new(n, Finding { url: url.to_owned(), title, content, ..Finding::default() })
}

fn sources() -> Vec<Source> {
    vec![source(1, "https://1.example/a|b", "Sker light", &format!("{BUILT}."))]
}

fn written(answer: &str, sources: &[Source]) -> (String, Proof) {
    tests::written(answer, usize::MAX, &Known::new(sources))
}

#[test]
fn numbers_in_brackets_are_no_names_unless_they_look_like_one() {
    let list =
        "The sorted list is [3, 5, 8] and the root lies in [0, 1]; take a[0], b[2] and [-1, 1].";
    assert_eq!(written(list, &sources()).0, list);
    assert_eq!(written("Take the first [1] of them.", &[]).0, "Take the first [1] of them.");
    let (text, proof) = written("It is old and tall [3].", &sources());
    assert_eq!((text.as_str(), proof.unknown), ("It is old and tall.", vec!["3".to_owned()]));
}

#[test]
fn what_only_looks_like_a_fence_does_not_end_the_check() {
    for code in ["```x``` is code.", "- ```js\n  a[0]\n  ```\n", "> ~~~\n> [q7]\n> ~~~\n\n1. x"] {
        let answer = format!("{code}\n{BUILT} [q1]. See [q9].");
        let (text, proof) = written(&answer, &sources());
        assert!(text.starts_with(code), "{text}");
        assert_eq!((proof.citations.len(), proof.unknown.len()), (1, 1), "{text}");
    }
}

#[test]
fn what_nobody_read_supports_nothing_and_says_so() {
    let unread = Source::new(
        1,
        Finding {
            url: "https://1.example/".to_owned(),
            description: format!("{BUILT}."),
            content: Content::Unread,
            ..Finding::default()
        },
    );
    let unread = std::slice::from_ref(&unread);
    let (text, proof) = written(&format!("{BUILT} [q1]."), unread);
    assert!(text.ends_with("[1](https://1.example/)."), "{text}");
    let vetoes = [crate::verify::Veto::Unread];
    let [citation] = proof.citations.as_slice() else { panic!("{proof:?}") };
    assert_eq!((citation.verdict, citation.vetoes.as_slice()), (Verdict::Partly, &vetoes[..]));
    assert_eq!(serde_json::to_value(citation).unwrap()["vetoes"][0], "unread");
    // What is looked for by the check itself has to be read.
    assert_eq!(written(&format!("{BUILT}."), unread).1.uncited, 1);
    let quoted = format!("“{BUILT}.” — [Sker](https://1.example/)");
    let (_, proof) = quoting(&quoted, &Known::new(unread));
    let [citation] = proof.citations.as_slice() else { panic!("{proof:?}") };
    assert_eq!((citation.verdict, citation.vetoes.as_slice()), (Verdict::Partly, &vetoes[..]));
    // One who read it says it for both.
    let both = [unread[0].clone(), source(2, "https://2.example/", "Light", &format!("{BUILT}."))];
    let (_, proof) = written(&format!("{BUILT}."), &both);
    assert_eq!((proof.citations[0].id.as_str(), proof.citations[0].added), ("q2", true));
}

#[test]
fn a_sentence_before_a_fence_is_cited_there() {
    let fence = "```\nlet steps = 196;\n```";
    for gap in ["\n", "\n\n"] {
        let (text, proof) = written(&format!("{BUILT}.{gap}{fence}{gap}So be it."), &sources());
        assert_eq!(
            text,
            format!("{BUILT}. [1](https://1.example/a%7Cb){gap}{fence}{gap}So be it.")
        );
        assert!(proof.citations[0].added, "{proof:?}");
    }
}

#[test]
fn long_code_within_a_sentence_is_one_with_it() {
    let code = format!("`steps. Of(a[q1]). {}`", "Of(stone). ".repeat(60));
    let answer = format!("{BUILT} by {code} [q1].");
    let (text, proof) = written(&answer, &sources());
    assert!(text.contains(&code), "code keeps its brackets: {text}");
    let [citation] = proof.citations.as_slice() else { panic!("{proof:?}") };
    assert!(citation.claim.starts_with("The lighthouse of Sker"), "{citation:?}");
    assert_ne!(citation.verdict, Verdict::Supported);
}

#[test]
fn a_page_cannot_take_the_name_of_another() {
    let mut sources = sources();
    for (n, title) in [(2, "q1"), (3, "7"), (4, "x")] {
        sources.push(source(
            n,
            &format!("https://{n}.example/"),
            title,
            "Bread is baked from rye.",
        ));
    }
    let (_, proof) = written(&format!("{BUILT} [q1]. [x] is a task."), &sources);
    let cited: Vec<_> = proof.citations.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(cited, ["q1"]);
}

#[test]
fn however_many_names_a_marker_has_a_few_are_checked() {
    let pages: Vec<Source> = (1..200)
        .map(|n| source(n, &format!("https://{n}.example/"), "T", &format!("{BUILT}.")))
        .collect();
    let names: String = (1..200).map(|n| format!("[q{n}]")).collect();
    let (_, alone) = written(&format!("{BUILT}.\n{names}\n"), &pages);
    assert_eq!(alone.citations.len(), 16);
    let many = format!("Whales sing in cold water.\n{}", "[q1]".repeat(20_000));
    assert_eq!(written(&many, &pages).1.citations.len(), 1);
}

#[test]
fn a_sentence_with_a_figure_or_a_name_states_something_to_whomever_it_speaks() {
    for sentence in [
        "World War I killed nine thousand keepers of the harbour.",
        "You can see 9,000 golden statues of dead kings there.",
        "Your ticket costs 900 dollars at the gate of Sker.",
    ] {
        assert_eq!(written(sentence, &sources()).1.uncited, 1, "{sentence}");
    }
    for sentence in
        ["I could not find any good evidence on that.", "Tell me if you want more detail here."]
    {
        assert_eq!(written(sentence, &sources()).1.uncited, 0, "{sentence}");
    }
}

#[test]
fn however_short_or_to_whomever_a_statement_without_a_source_is_counted() {
    let answer = format!(
        "Here is what I found. {BUILT} [q1]. The tower is unsafe. Storms break the walls. It is doomed. You should \
         never climb it because rotten stairs will soon give way. I found that the keeper stole public money. \
         I hope that helps."
    );
    assert_eq!(written(&answer, &sources()).1.uncited, 5);
    // What a page says word for word is cited however short it is.
    let pages = [source(1, "https://1.example/", "Sker", "The tower is unsafe. It is tall.")];
    let (text, proof) = written("The tower is unsafe.", &pages);
    assert_eq!(text, "The tower is unsafe. [1](https://1.example/)");
    assert!(proof.citations[0].added && proof.uncited == 0, "{proof:?}");
}

#[test]
fn addresses_are_found_beside_any_script() {
    for (answer, expected) in [
        ("参见https://evil.example/x。好", "参见。好"),
        ("é见http://evil.example/", "é见"),
        ("见 https://evil.example/的说明？真的 The end.", "见 的说明？真的 The end."),
    ] {
        let (text, proof) = written(answer, &sources());
        assert_eq!((text.as_str(), proof.unknown_count), (expected, 1), "{answer}");
    }
}

#[test]
fn links_to_elsewhere_lose_their_address_however_it_is_written() {
    let answer = "![x](//evil.example/p) [y](&#104;ttps://evil.example/) [z](ftp://evil.example/) [n](#near) [p](/page)";
    let (text, proof) = written(answer, &sources());
    assert_eq!(text, "x y z [n](#near) [p](/page)");
    assert_eq!(proof.unknown_count, 3);
}

#[test]
fn nothing_stands_behind_the_last_cell_of_a_row() {
    let row = format!("| Sker | It is old. {BUILT} |");
    assert_eq!(written(&row, &sources()).0, row);
    let (cell, _) = written(&format!("| Sker | {BUILT} [q1] |"), &sources());
    assert!(cell.ends_with("[1](https://1.example/a%7Cb) |"), "{cell}");
}

#[test]
fn a_row_that_a_passage_says_is_cited_in_its_last_cell() {
    let table = |row: &str| format!("| what | by whom and when |\n|:--|---|\n{row}");
    let said = "The lighthouse of Sker was built | by Ann Marsh between 1821 and 1823";
    for end in ["", "\n", "\n\nSo be it."] {
        let (text, proof) = written(&table(&format!("| {said} |{end}")), &sources());
        let cited = format!("| {said} [1](https://1.example/a%7Cb) |{end}");
        assert_eq!(text, table(&cited));
        let [citation] = proof.citations.as_slice() else { panic!("{proof:?}") };
        assert!(citation.added && proof.uncited == 0, "{proof:?}");
    }
    // Its head is no row.
    let head = format!("| {said} |\n|---|---|\n| a | b |");
    assert_eq!(written(&head, &sources()).0, head);
    // Nor is that of a table behind another.
    let second = format!("| a | b |\n|---|---|\n| c | d |\n\n{head}");
    assert_eq!(written(&second, &sources()).0, second);
    let other = table("| Whales sing loudly | in cold polar waters |\n| a | b |");
    let (text, proof) = written(&other, &sources());
    assert_eq!((text, proof.uncited), (other, 1));
}

#[test]
fn lines_stay_apart_where_a_marker_was_taken_out() {
    assert_eq!(
        written("One is here.\n\n[q99]\n# Heading", &sources()).0,
        "One is here.\n\n# Heading"
    );
    assert_eq!(written("Text[q99]\n\n: more", &sources()).0, "Text\n\n: more");
}

#[test]
fn a_link_of_rules_has_the_quotation_that_stands_with_it() {
    let pages = [
        source(1, "https://a.example/", "A", "Bread is baked from rye and salt."),
        source(2, "https://b.example/", "B", "The harbour was built in 1823."),
    ];
    let known = Known::new(&pages);
    let answer = "According to [A](https://a.example/): “Bread is baked from rye and salt.” \
        [B](https://b.example/) says: “The harbour was built in 1823.” C: “See [A](https://a.example/) now.”";
    let (_, proof) = quoting(answer, &known);
    let verdicts: Vec<_> = proof.citations.iter().map(|it| (it.n, it.verdict)).collect();
    let supported = Verdict::Supported;
    assert_eq!(verdicts, [(Some(1), supported), (Some(2), supported)]);
}
