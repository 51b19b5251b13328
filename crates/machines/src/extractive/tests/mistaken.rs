//! Questions and pages that look like something else: like a calculation, like an order.

use super::*;

#[test]
fn what_is_asked_beside_a_calculation_is_searched_for_and_answered() {
    let first = at_first("What is 17 * 23, and who built the bridge?");
    let calls = next_calls(&first);
    let [Call::Program { code }, Call::Search { query, .. }] = &calls[..] else {
        panic!("{calls:?}")
    };
    assert!(code.contains("17 * 23") && query.contains("bridge"), "{calls:?}");
    let result = [Calculation { code, result: "17 * 23 = 391" }];
    let sources = [source(1, "Bridge", "https://a.example/", "The bridge was built by Ada Holm.")];
    let answer = answer(&asked(first.query), &sources, &result);
    assert!(answer.contains("**17 * 23 = 391**"), "{answer}");
    assert!(answer.contains("“The bridge was built by Ada Holm.”"), "{answer}");
}

#[test]
fn questions_with_numbers_are_researched() {
    for query in [
        "What happened on 9/11?",
        "Is it open 24/7?",
        "What is a 4x4?",
        "Why did 15% of 240 passengers fall ill?",
    ] {
        let calls = next_calls(&at_first(query));
        assert!(matches!(calls[..], [Call::Search { .. }]), "{query}: {calls:?}");
    }
}

#[test]
fn what_speaks_of_machines_is_quoted() {
    let text = "GPT-4 is a large language model made by OpenAI.";
    let sources = [source(1, "GPT-4", "https://a.example/", text)];
    let answer = answered("What is GPT-4?", &sources);
    assert!(answer.contains(&format!("“{text}”")), "{answer}");
}

#[test]
fn headings_are_read_as_headings_whoever_wrote_the_page() {
    let heading = "## How many steps does the tower of Sker have";
    let says = "There are 196 of them, and a lamp of brass.";
    let text = format!("{heading}\n{says}");
    let passages = [passage(&["Sker"], &text)];
    let of_page =
        EvidenceSource { passages: &passages, ..source(1, "Sker", "https://a.example/", "") };
    let numbered = "#1 tower of the coast by its steps is the tower of Sker with 196 steps.";
    for (sources, expected) in [
        ([of_page], says),
        ([source(1, "Sker", "https://a.example/", &text)], says),
        ([source(1, "Sker", "https://a.example/", numbered)], numbered),
    ] {
        let answer = answered("How many steps does the tower of Sker have?", &sources);
        assert!(answer.contains(&format!("“{expected}”")), "{answer}");
        assert!(!answer.contains("“##") && !answer.contains("“How many"), "{answer}");
    }
}
