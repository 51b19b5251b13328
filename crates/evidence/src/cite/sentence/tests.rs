//! Sentences of answers.

use super::*;
use proptest::prelude::*;

fn sentence(text: &str) -> Sentence {
    let mut sentence = Sentence::default();
    text.chars().for_each(|c| sentence.push(c));
    sentence
}

#[test]
fn a_sentence_ends_where_people_end_it() {
    assert!(sentence("It is lit.").ends_before('T', true));
    assert!(sentence("\"It is lit.\"").ends_before('T', true));
    assert!(sentence("一つ。").ends_before('二', false));
    for (text, next) in [
        ("वह गया।", 'व'),
        ("वह गया॥", 'व'),
        ("أين هو؟", 'ه'),
        ("သူသွားသည်။", 'သ'),
        ("ሄደ።", 'መ'),
        ("他说：“一。”", '二'),
        ("一つ？！", '二'),
    ] {
        assert!(sentence(text).ends_before(next, false), "{text}");
    }
    for (text, next, has_blank) in [
        ("It is 2.", '4', false),
        ("Dr.", 'M', true),
        ("approx.", '4', true),
        ("so.", 'a', true),
        ("他说：“一。", '”', false),
        ("一つ？", '！', false),
        ("वह गया।", '।', false),
        ("ایم۔", 'ا', false),
        ("ժամը 10։", '3', false),
    ] {
        assert!(!sentence(text).ends_before(next, has_blank), "{text}");
    }
}

#[test]
fn a_pronoun_stands_for_the_subject_before_it() {
    let mut it = sentence("The Eiffel Tower was built by Gustave Eiffel.");
    it.end(false);
    "It has three floors.".chars().for_each(|c| it.push(c));
    assert_eq!(it.with_subject().0, "Eiffel Tower It has three floors.");
    it.end(false);
    "It was in 1889 that it opened.".chars().for_each(|c| it.push(c));
    assert_eq!(it.with_subject().0, "It was in 1889 that it opened.");
    it.end(false);
    "Floors have stairs.".chars().for_each(|c| it.push(c));
    assert_eq!(it.with_subject().0, "Floors have stairs.");
}

#[test]
fn only_what_states_something_needs_a_source() {
    for text in [
        "# The tower of Sker is high",
        "Is the tower of Sker high?",
        "Yes.",
        "I hope that helps you with the tower.",
        "## How the lighthouse of Sker was built in 1823",
        "## The lighthouse of Sker in 1823",
        "These are the 3 largest harbours of Norway:",
        "The largest harbours of Norway in 2024 are:",
        "The lighthouse of Sker has the following 3 rooms:",
    ] {
        assert!(sentence(text).uncited().is_none(), "{text}");
    }
    assert!(sentence("- The **tower** of Sker has 196 steps.").uncited().is_some());
    assert!(sentence("| Sker tower | 196 steps | 38 m |").uncited().is_some());
    for text in [
        "The lighthouse of Sker was built by Tom Reed in 1950 and has 300 steps:",
        "## The lighthouse of Sker was built by Tom Reed in 1950",
    ] {
        assert!(sentence(text).uncited().is_some(), "{text}");
    }
}

#[test]
fn what_follows_a_marker_is_checked_with_its_subject_if_it_says_enough() {
    let mut it = sentence("The tower of Sker has 196 steps");
    assert_eq!(it.claim().1.words.len(), 3);
    " and its keeper wrote letters about bread".chars().for_each(|c| it.push(c));
    let words: Vec<String> = it.claim().1.words.into_iter().map(|word| word.shown).collect();
    assert_eq!(words, ["tower", "Sker", "keeper", "wrote", "letters", "bread"]);
    " too".chars().for_each(|c| it.push(c));
    assert!(it.claim().1.words.len() > 6);
}

proptest! {
    #[test]
    fn it_is_empty_where_nothing_of_it_is_shown(text in "[ _*`#|>\n-]{0,9}[a_ *`]{0,6}") {
        prop_assert_eq!(sentence(&text).is_empty(), shown(&text).trim().is_empty(), "{}", text);
    }
}

#[test]
fn a_sentence_without_end_keeps_its_end() {
    let it = sentence(&"é word ".repeat(2_000));
    assert!(it.text.len() <= MOST_BYTES + 4);
}
