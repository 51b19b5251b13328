//! What sources say otherwise, and which of two is more.

use super::*;

fn two(one: &str, other: &str) -> [(String, String); 2] {
    [
        (one.to_owned(), "https://a.example/".to_owned()),
        (other.to_owned(), "https://b.example/".to_owned()),
    ]
}

fn told(question: &str, one: &str, other: &str) -> String {
    let texts = two(one, other);
    let sources: Vec<EvidenceSource<'_>> = texts
        .iter()
        .enumerate()
        .map(|(at, (text, url))| source(at + 1, "Sker", url, text))
        .collect();
    answered(question, &sources)
}

#[test]
fn figures_days_and_names_disagree_by_what_they_come_to() {
    for (question, one, other, says) in [
        (
            "What did the bridge of Sker cost?",
            "The bridge of Sker cost €186 million.",
            "The bridge of Sker cost 212 million euros in all.",
            "give other figures",
        ),
        (
            "How tall is the tower of Sker?",
            "The tower of Sker is 38 m tall.",
            "The tower of Sker is 46 metres tall.",
            "give other figures",
        ),
        (
            "When did the bridge of Sker open?",
            "The bridge of Sker opened on 14 May 2012.",
            "The bridge of Sker opened on 15 June 2012.",
            "say otherwise",
        ),
        (
            "Who designed the bridge of Sker?",
            "The bridge of Sker was designed by Una Marsh.",
            "The bridge of Sker was designed by Olaf Berg.",
            "say otherwise",
        ),
    ] {
        let answer = told(question, one, other);
        assert!(answer.contains(&format!("Other sources {says}:")), "{answer}");
    }
}

#[test]
fn who_says_the_same_in_other_words_agrees() {
    for (question, one, other) in [
        (
            "What did the bridge of Sker cost?",
            "The bridge of Sker cost €186 million.",
            "For 186 million euros the bridge of Sker was built, which is what it cost.",
        ),
        (
            "When did the bridge of Sker open?",
            "The bridge of Sker opened on 14 May 2012.",
            "In May 2012 the bridge of Sker was opened.",
        ),
        (
            "Who designed the bridge of Sker?",
            "The bridge of Sker was designed by Una Marsh.",
            "The bridge of Sker was designed by Captain U. Marsh.",
        ),
    ] {
        let answer = told(question, one, other);
        assert!(!answer.contains("Other sources"), "{answer}");
    }
}

#[test]
fn of_two_that_were_measured_it_is_said_which_is_more_and_by_how_much() {
    let tower = "The tower of Sker is 38 metres tall.";
    for (question, mast, says) in [
        (
            "Which is taller, the tower of Sker or the mast of Ulm?",
            "The mast of Ulm is 50 m tall.",
            "By these figures **the mast of Ulm** is taller, by 12 metres.",
        ),
        (
            "Which is taller, the tower of Sker or the mast of Ulm?",
            "The mast of Ulm is 38 m tall.",
            "By these figures neither is taller.",
        ),
        (
            "Which is taller, the tower of Sker or the mast of Ulm?",
            "The mast of Ulm is 150 feet tall.",
            "",
        ),
    ] {
        let answer = told(question, tower, mast);
        let is_told = answer.contains(if says.is_empty() { "By these figures" } else { says });
        assert_eq!(is_told, !says.is_empty(), "{answer}");
    }
}
