//! What explains that sources give other figures.

use super::*;

const CONTRACT: &str = "The Orrin Bridge cost 186 million euros.";
const ALL_OF_IT: &str = "The Orrin Bridge cost 212 million euros.";

fn told(first: &str, other: &str) -> String {
    let sources = [
        dated(source(1, "Bridge", "https://a.example/", first), "2024-01-30"),
        dated(source(2, "Courier", "https://b.example/", other), "14 May 2013"),
    ];
    answered("What did the Orrin Bridge cost?", &sources)
}

#[test]
fn a_sentence_that_holds_both_figures_explains_them() {
    let both =
        "Of the 212 million euros that the bridge cost, 186 million were for the contract itself.";
    let answer = told(CONTRACT, &format!("{ALL_OF_IT} {both}"));
    assert!(answer.contains("**212 million euros**, according to [Courier]"), "{answer}");
    assert!(answer.contains("That is older."), "a date in words is a date: {answer}");
    let expected =
        format!("What may explain it: “{both}” — [Courier](https://b.example/), 14 May 2013.");
    assert!(answer.contains(&expected), "{answer}");
}

#[test]
fn a_sentence_beside_one_of_them_explains_it_if_it_says_what_the_figure_covers() {
    let covers = "This figure of the bridge includes the roads that lead to it.";
    let answer = told(CONTRACT, &format!("{ALL_OF_IT} {covers}"));
    assert!(answer.contains(&format!("What may explain it: “{covers}”")), "{answer}");
    // Beside neither of them it may speak of anything.
    let between = "The bridge was opened by the mayor of Orrin.";
    let answer = told(CONTRACT, &format!("{ALL_OF_IT} {between} {covers}"));
    assert!(answer.contains("**212 million euros**"), "{answer}");
    assert!(!answer.contains("What may explain it"), "{answer}");
}

#[test]
fn figures_that_explain_themselves_and_sentences_that_explain_nothing_are_left_alone() {
    let explains_itself = "The Orrin Bridge cost 212 million euros, including the roads to it.";
    let answer = told(CONTRACT, &format!("{explains_itself} The bridge has a figure of a saint."));
    assert!(answer.contains("**212 million euros**"), "{answer}");
    assert!(!answer.contains("What may explain it"), "{answer}");
    let answer = told(CONTRACT, &format!("{ALL_OF_IT} The bridge was opened by the mayor."));
    assert!(!answer.contains("What may explain it"), "{answer}");
}

#[test]
fn who_gives_another_figure_is_not_told_to_say_the_same() {
    let quoted = "The authority says that the Orrin Bridge cost 186 million euros.";
    let answer = told(CONTRACT, &format!("{quoted} {ALL_OF_IT}"));
    assert!(answer.contains("**186 million euros**, according to [Bridge]"), "{answer}");
    assert!(answer.contains("**212 million euros**, according to [Courier]"), "{answer}");
    assert!(!answer.contains("says the same"), "{answer}");
}
