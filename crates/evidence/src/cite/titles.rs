//! Titles in brackets, of whatever length, and of several sources.

use super::tests::written;
use super::*;
use crate::verify::Verdict;
use crate::{Content, Finding, Source};

const BUILT: &str = "The lighthouse of Sker was built by Ann Marsh between 1821 and 1823";
const BREAD: &str = "Bread of the island is baked from rye, water and salt in ovens of stone.";

fn source(n: usize, title: &str, text: &str) -> Source {
    let content = Content::Text(text.to_owned());
    let (url, title) = (format!("https://{n}.example/"), Some(title.to_owned()));
    Source::new(n, Finding { url, title, content, ..Finding::default() })
}

#[test]
fn a_title_is_a_marker_however_short_it_is() {
    let sources = [source(1, "FAQ", BUILT), source(2, "费用", BREAD), source(3, "x", BREAD)];
    for known in [Known::new(&sources), Known::by_titles(&sources)] {
        let (text, proof) = written(&format!("{BUILT} [FAQ]."), 1, &known);
        assert_eq!(text, format!("{BUILT} [1](https://1.example/)."));
        assert!(!proof.citations[0].added, "{proof:?}");
        // What it does not say is no more left as if it stood.
        for (title, id) in [("FAQ", "q1"), ("费用", "q2")] {
            let answer = format!("Whales sing loudly in cold polar waters [{title}].");
            let (text, proof) = written(&answer, 7, &known);
            assert_eq!(text, "Whales sing loudly in cold polar waters (unverified).");
            assert_eq!(proof.citations[0].id, id);
        }
    }
}

#[test]
fn marks_and_remarks_are_no_titles() {
    let sources = [source(1, "X", BREAD), source(2, "Sic", BREAD), source(3, "7", BREAD)];
    for known in [Known::new(&sources), Known::by_titles(&sources)] {
        let answer = "- [x] The boat is back [sic] and dry []";
        assert_eq!(written(answer, 3, &known).0, answer);
        assert_eq!(written("The boat is dry [7].", 3, &known).1.unknown, ["7"]);
    }
}

#[test]
fn of_sources_with_one_title_whichever_says_it_is_meant() {
    let sources = [source(1, "Annual report", BREAD), source(2, "Annual report", BUILT)];
    for known in [Known::new(&sources), Known::by_titles(&sources)] {
        let (text, proof) = written(&format!("{BUILT} [Annual report]."), 5, &known);
        assert_eq!(text, format!("{BUILT} [1](https://2.example/)."));
        let [citation] = proof.citations.as_slice() else { panic!("{proof:?}") };
        assert_eq!((citation.moved, citation.verdict), (false, Verdict::Supported));
        assert_eq!(proof.failed, 0, "no other source of that title is blamed");
        assert_eq!(proof.worst_of(0).map(|it| it.0), Some(Verdict::Supported));
        let answer = "Whales sing loudly in cold polar waters [Annual report].";
        let (text, proof) = written(answer, 5, &known);
        assert_eq!(text, "Whales sing loudly in cold polar waters (unverified).");
        assert_eq!(proof.citations.len(), 1);
    }
}

#[test]
fn a_title_is_a_marker_however_long_it_is_and_no_part_of_the_sentence() {
    let title = "Report on the state of harbours ".repeat(9);
    let sources = [source(1, "Bread", BREAD), source(2, &title, BUILT)];
    let known = Known::by_titles(&sources);
    for size in [1, 60, 1_000] {
        let (text, proof) = written(&format!("{BUILT} [{}].", title.trim()), size, &known);
        assert_eq!(text, format!("{BUILT} [1](https://2.example/)."));
        let [citation] = proof.citations.as_slice() else { panic!("{proof:?}") };
        assert_eq!((citation.claim.as_str(), citation.added), (BUILT, false));
    }
}

#[test]
fn a_long_remark_with_signs_that_part_is_no_title_that_is_like_one() {
    let title = "Report on the state of harbours ".repeat(9);
    let sources = [source(1, "Bread", BREAD), source(2, &title, BUILT)];
    let known = Known::by_titles(&sources);
    let remark = format!("[Breads{} and so on]", " > crumbs".repeat(25));
    let answer = format!("It is old {remark} and tall.");
    let (text, proof) = written(&answer, 7, &known);
    assert_eq!((text, proof.unknown_count, proof.citations.len()), (answer, 0, 0));
}

#[test]
fn a_title_of_many_sources_counts_as_all_that_are_checked_for_it() {
    let sources: Vec<Source> = (1..=40).map(|n| source(n, "Annual report", BREAD)).collect();
    let known = Known::new(&sources);
    let answer = "Whales sing loudly in cold polar waters [Annual report]. ".repeat(100);
    let (_, proof) = written(&answer, 1_000, &known);
    assert_eq!((proof.citations.len(), proof.unchecked), (62, 38));
}
