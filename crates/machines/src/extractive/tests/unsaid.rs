//! What is denied or only planned is no answer, and what bounds a figure is told with it.

use super::*;

/// What is shown in bold first; empty where nothing is, and `-` where no source answers.
pub(super) fn shown(question: &str, text: &str) -> String {
    let answer = answered(question, &[source(1, "Page", "https://a.example/", text)]);
    if answer.starts_with("No source says this") {
        return "-".to_owned();
    }
    let told = answer.strip_prefix("**").and_then(|rest| rest.split_once("**"));
    told.map(|(told, _)| told.to_owned()).unwrap_or_default()
}

/// Questions, each with a text and what is shown.
pub(super) fn check(table: &[(&str, &str, &str)]) {
    let wrong = table.iter().filter_map(|(question, text, told)| {
        let shown = shown(question, text);
        (shown != *told).then(|| format!("{question} — {text} — {shown:?}, not {told:?}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_denied_or_planned_is_no_answer() {
    let steps = "How many steps does the tower of Sker have?";
    let open = "When did the Sker bridge open?";
    let cost = "How much did the Sker bridge cost?";
    let staff = "How many employees does the Sker mill have?";
    check(&[
        (steps, "The tower of Sker does not have 196 steps, as many guides say.", "-"),
        (steps, "The tower of Sker doesn’t have 196 steps.", "-"),
        (steps, "It is a myth that the tower of Sker has 196 steps.", "-"),
        (steps, "The tower of Sker does not have 196 steps but 212 steps.", "212 steps"),
        (steps, "The tower of Sker no longer has 196 steps.", "-"),
        (steps, "The tower of Sker has 196 steps, not 212.", "196 steps"),
        (steps, "The tower of Sker has not only 196 steps but also a lift.", "196 steps"),
        (steps, "The tower of Sker has 196 steps and is not open.", "196 steps"),
        (open, "The Sker bridge did not open in 2010 as planned.", "-"),
        (open, "In 2010 the Sker bridge had not yet opened.", "-"),
        (open, "The Sker bridge was due to open in 2010. It did not open that year.", "-"),
        (open, "The Sker bridge was planned to open in 2010. It opened in 2014.", "2014"),
        (open, "The Sker bridge, planned to open in 2010, opened in 2014.", "2014"),
        (open, "The Sker bridge was to open in 2010, but it opened in 2014.", "2014"),
        (open, "The Sker bridge should have opened in 2010.", "-"),
        (open, "The Sker bridge did not open until 2014.", "2014"),
        (open, "The Sker bridge opened in 2014, and not in 2010.", "2014"),
        (open, "The Sker bridge opened in 2014 as planned.", "2014"),
        (open, "Due to a storm the Sker bridge opened in 2014.", "2014"),
        (open, "The Sker bridge, which is not for lorries, opened in 2014.", "2014"),
        (
            "When is the Sker bridge to open?",
            "The Sker bridge is expected to open in 2030.",
            "2030",
        ),
        (
            "When was the Sker bridge planned to open?",
            "The Sker bridge was planned to open in 2010.",
            "2010",
        ),
        (cost, "The Sker bridge was expected to cost 5 million euros.", "-"),
        (
            cost,
            "The Sker bridge was expected to cost 5 million euros. In the end it cost 9 million euros.",
            "9 million euros",
        ),
        (
            cost,
            "The Sker bridge cost 9 million euros instead of the expected 5 million euros.",
            "9 million euros",
        ),
        (cost, "The Sker bridge cost 9 million euros, more than expected.", "9 million euros"),
        (
            "How much was the Sker bridge expected to cost?",
            "The Sker bridge was expected to cost 5 million euros.",
            "5 million euros",
        ),
        (staff, "The Sker mill plans to have 500 employees by 2030.", "-"),
        (
            cost,
            "Whoever wants to know what the Sker bridge cost should say 9 million euros.",
            "9 million euros",
        ),
        (staff, "The staff of the Sker mill declined to 500 employees.", "500 employees"),
        (
            "How many books can members borrow?",
            "Members may not borrow more than 5 books.",
            "5 books",
        ),
        (
            "How many people live in Sker?",
            "Sker had 5,000 residents in 1900 and has 7,000 residents today.",
            "7,000 residents",
        ),
        (staff, "The Sker mill has a target of 500 employees.", "-"),
        (staff, "The Sker mill has 500 employees and plans to have more.", "500 employees"),
        (
            "How long was the Sker ferry closed?",
            "The Sker ferry was closed and did not sail for 3 years.",
            "3 years",
        ),
    ]);
}

#[test]
fn what_ranks_lower_is_not_the_first() {
    let largest = "Which is the largest town of Sker?";
    for (question, text, first) in [
        (
            largest,
            "Orrin is the second largest town of Sker. Lund is the largest town of Sker.",
            "Lund is",
        ),
        (
            "Who was the first mayor of Sker?",
            "Ann Marsh was the second mayor of Sker. Tom Reed was the first mayor of Sker.",
            "Tom Reed was",
        ),
        (
            "Which is the second largest town of Sker?",
            "Orrin is the second largest town of Sker.",
            "Orrin is",
        ),
    ] {
        let answer = answered(question, &[source(1, "Page", "https://a.example/", text)]);
        let quoted = answer.split_once('“').map(|(_, rest)| rest).unwrap_or_default();
        assert!(quoted.starts_with(first) && !answer.starts_with("No source"), "{answer}");
    }
}

#[test]
fn who_did_not_do_it_is_no_answer() {
    let wrote = "Who wrote the book about Sker?";
    assert_eq!(shown(wrote, "Ann Marsh did not write the book about Sker."), "-");
    assert_ne!(shown(wrote, "Ann Marsh, who was not from Sker, wrote the book about it."), "-");
    assert_ne!(shown(wrote, "The book about Sker was written by Ann Marsh."), "-");
}

#[test]
fn a_figure_is_shown_with_its_bounds() {
    let steps = "How many steps does the tower of Sker have?";
    check(&[
        (
            "How many people live in Sker?",
            "Sker has fewer than 5,000 residents.",
            "fewer than 5,000 residents",
        ),
        (steps, "The tower of Sker has between 190 and 200 steps.", "between 190 and 200 steps"),
        (steps, "The tower of Sker has 196 steps.", "196 steps"),
        (
            "How tall is the tower of Sker?",
            "The tower of Sker is less than 100 m tall.",
            "less than 100 m",
        ),
        ("How tall is the tower of Sker?", "The tower of Sker is 100 m tall.", "100 m"),
        (
            "How long is the bridge of Sker?",
            "The bridge of Sker is up to 900 m long.",
            "up to 900 m",
        ),
    ]);
}

#[test]
fn what_asks_only_for_the_newest_need_not_be_said() {
    let toll = |n, url, text, date| dated(source(n, "Toll", url, text), date);
    let sources = [
        toll(
            1,
            "https://a.example/",
            "The toll of Sker bridge was raised to 5 euros on 1 January 2019.",
            "2019-01-01",
        ),
        toll(
            2,
            "https://b.example/",
            "The toll of Sker bridge was raised to 6 euros on 1 January 2023.",
            "2023-01-01",
        ),
    ];
    let answer = answered("When was the toll of Sker bridge last raised?", &sources);
    assert!(answer.starts_with("**1 January 2023**"), "{answer}");
    for question in
        ["What is the current toll of Sker bridge?", "What is the latest toll of Sker bridge?"]
    {
        let sources = [
            toll(1, "https://a.example/", "The toll of Sker bridge is 5 euros.", "2019-01-01"),
            toll(2, "https://b.example/", "The toll of Sker bridge is 6 euros.", "2023-01-01"),
        ];
        let answer = answered(question, &sources);
        assert!(answer.starts_with("**6 euros**"), "{answer}");
    }
}
