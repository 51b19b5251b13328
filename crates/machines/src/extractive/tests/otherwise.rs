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
fn a_figure_within_bounds_is_no_other_figure() {
    const QUESTION: &str = "How tall is the tower of Sker?";
    for (one, other, differs) in [
        (
            "The tower of Sker is over 250 metres tall.",
            "The tower of Sker in the north is 262 metres tall.",
            false,
        ),
        (
            "The tower of Sker is at most 200 metres tall.",
            "The tower of Sker in the north is 262 metres tall.",
            true,
        ),
        (
            "The tower of Sker is over 250 metres tall.",
            "The tower of Sker is at most 250 metres tall.",
            true,
        ),
    ] {
        for (one, other) in [(one, other), (other, one)] {
            let answer = told(QUESTION, one, other);
            assert_eq!(answer.contains("give other figures"), differs, "{answer}");
            assert!(!answer.contains("says the same"), "{answer}");
        }
    }
}

#[test]
fn two_figures_that_differ_within_the_bounds_of_the_first_are_told() {
    let told = |other: &str| {
        let other = format!("The tower of Sker in the north is {other} metres tall.");
        let sources = [
            source(1, "Sker", "https://a.example/", "The tower of Sker is over 250 metres tall."),
            source(
                2,
                "Sker",
                "https://b.example/",
                "The tower of Sker in the north is 262 metres tall.",
            ),
            source(3, "Sker", "https://c.example/", &other),
        ];
        answered("How tall is the tower of Sker?", &sources)
    };
    let answer = told("300");
    assert!(answer.contains("Other sources give other figures:"), "{answer}");
    assert!(answer.contains("262 metres") && answer.contains("300 metres"), "{answer}");
    let answer = told("262");
    assert!(!answer.contains("give other figures"), "{answer}");
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

#[test]
fn what_is_another_answer_is_not_said_to_be_the_same() {
    for (question, one, other) in [
        (
            "Who discovered Sker?",
            "Sker was discovered by James Cook.",
            "Sker was discovered by James Baker.",
        ),
        (
            "Who built the castle of Sker?",
            "The castle of Sker was built by Henry V.",
            "The castle of Sker was built by Henry VI.",
        ),
        (
            "Who discovered Sker?",
            "Sker was discovered by Captain Cook in winter.",
            "Sker was discovered by Abel Tasman in winter.",
        ),
        (
            "When did the bridge of Sker open?",
            "The bridge of Sker opened for all lorries and cars on 14 May 2012.",
            "The bridge of Sker opened for all lorries and cars on 14 June 2012.",
        ),
        (
            "Who designed the bridge of Sker?",
            "The old long stone bridge of Sker over the river Orr in the north was designed by Una Marsh in 1870.",
            "The old long stone bridge of Sker over the river Orr in the north was designed by Olaf Berg in 1870.",
        ),
    ] {
        let answer = told(question, one, other);
        assert!(!answer.contains("says the same"), "{answer}");
        assert!(answer.contains("Other sources say otherwise:"), "{answer}");
    }
}

#[test]
fn figures_of_several_units_are_one() {
    for (question, one, other) in [
        (
            "How long does the ferry to Sker take?",
            "The ferry to Sker takes 1 hour and 30 minutes.",
            "The ferry to Sker takes 90 minutes in all.",
        ),
        (
            "How tall is the statue of Sker?",
            "The statue of Sker is 6 feet 2 inches tall.",
            "The statue of Sker is 1.88 metres tall in all.",
        ),
        (
            "How heavy is the bell of Sker?",
            "The bell of Sker weighs 3 tonnes 500 kilograms.",
            "The bell of Sker weighs 3.5 tonnes in all.",
        ),
        (
            "How long does the ferry to Sker take?",
            "The ferry to Sker takes 1 hour, 30 minutes.",
            "The ferry to Sker takes 90 minutes in all.",
        ),
    ] {
        for (one, other) in [(one, other), (other, one)] {
            let answer = told(question, one, other);
            assert!(!answer.contains("other figures"), "{answer}");
        }
    }
}

#[test]
fn a_year_that_both_days_have_explains_neither() {
    let explained = |third: &str| {
        let sources = [
            source(1, "Sker", "https://a.example/", "The bridge of Sker opened on 14 May 2012."),
            source(2, "Sker", "https://b.example/", "The bridge of Sker opened on 15 June 2012."),
            source(3, "Sker", "https://c.example/", third),
        ];
        answered("When did the bridge of Sker open?", &sources)
    };
    let third = "The bridge of Sker had many visitors when it did open in 2012.";
    let answer = explained(third);
    assert!(answer.contains("say otherwise"), "{answer}");
    assert!(!answer.contains(third), "{answer}");
}

#[test]
fn two_are_compared_by_exact_figures_alone() {
    for (question, one, other, told_as) in [
        (
            "Which is colder, the lake or the bay?",
            "The lake has a temperature of -20 °C.",
            "The bay has a temperature of -5 °C.",
            Some("**the lake** is colder, by 15 degrees Celsius"),
        ),
        (
            "Which is taller, the tower or the mast?",
            "The tower is less than 50 metres tall.",
            "The mast is 45 metres tall.",
            None,
        ),
        (
            "Which is taller, the tower or the mast?",
            "The tower is between 40 and 50 metres tall.",
            "The mast is 45 metres tall.",
            None,
        ),
        (
            "Which is more expensive, the tower or the mast?",
            "The tower cost 4.1 million euros.",
            "The mast cost 4,100,000 euros.",
            Some("neither is more expensive"),
        ),
        (
            "Which is taller, the tower or the mast?",
            "The tower is 50 metres tall.",
            "The mast is 45 metres tall.",
            Some("**the tower** is taller, by 5 metres"),
        ),
        (
            "Which is not taller, the tower or the mast?",
            "The tower is 50 metres tall.",
            "The mast is 45 metres tall.",
            None,
        ),
    ] {
        let answer = told(question, one, other);
        let compared = answer.contains("By these figures");
        assert_eq!(compared, told_as.is_some(), "{answer}");
        assert!(told_as.is_none_or(|told_as| answer.contains(told_as)), "{answer}");
    }
}
