//! Which of several figures, days and names of a sentence is meant.

use super::*;

/// What is answered from one page.
fn told(query: &str, text: &str) -> String {
    answered(query, &[source(1, "Sker", "https://a.example/", text)])
}

/// Each question with how its answer begins; without it, the answer shows no words by themselves.
fn begin(text: &str, questions: &[(&str, Option<&str>)]) {
    for (question, beginning) in questions {
        let answer = told(question, text);
        match beginning {
            Some(beginning) => {
                let bold = format!("**{beginning}**");
                assert!(answer.starts_with(&bold), "{question} {bold} {answer}");
            }
            None => assert!(!answer.contains("**"), "{question} {answer}"),
        }
    }
}

#[test]
fn two_sides_are_measured_one_by_one() {
    let sources = [
        source(1, "Lake Ost", "https://a.example/", "The lake is 120 metres deep near the mill."),
        source(2, "Lake West", "https://b.example/", "It is deep: divers measured 95 metres."),
    ];
    let answer = answered("Which is deeper, Lake Ost or Lake West?", &sources);
    assert!(answer.contains("**How deep is Lake Ost?**\n\n**120 metres**"), "{answer}");
    assert!(answer.contains("**How deep is Lake West?**\n\n**95 metres**"), "{answer}");
}

#[test]
fn by_how_much_is_no_figure_that_it_went_to() {
    begin(
        "The toll of the bridge rose by 2 crowns to 8 crowns.",
        &[
            ("By how much did the toll of the bridge rise?", Some("2 crowns")),
            ("How much is the toll of the bridge?", Some("8 crowns")),
        ],
    );
    begin(
        "The toll of the bridge rose from 6 crowns to 8 crowns.",
        &[("By how much did the toll of the bridge rise?", None)],
    );
    begin(
        "In 2019 the number of pupils of the school grew from 118 to 131 pupils.",
        &[("How many pupils did the school have in 2019?", Some("131 pupils"))],
    );
}

#[test]
fn a_clause_with_who_has_a_day_and_a_deed_of_its_own() {
    for text in [
        "The engineer Vera Lund, who built the mill in 1931, died in 1960.",
        "The engineer who built the mill in 1931 died in 1960.",
    ] {
        let asked = [
            ("When was the mill built?", Some("1931")),
            ("When did the engineer die?", Some("1960")),
        ];
        begin(text, &asked);
    }
    begin(
        "The engineer Vera Lund, who built the mill in 1931, died in 1960.",
        &[("Who built the mill?", Some("Vera Lund"))],
    );
}

#[test]
fn a_part_of_a_number_is_not_the_whole() {
    begin(
        "In the vote 9,000 of the 12,000 residents of the town voted for the tunnel.",
        &[
            ("How many residents voted for the tunnel?", Some("9,000")),
            ("How many residents does the town have?", Some("12,000 residents")),
        ],
    );
}

#[test]
fn a_figure_goes_with_the_side_that_was_asked_for() {
    begin(
        "The old bridge of Sker is 180 metres long, the new bridge 240.",
        &[
            ("How long is the old bridge of Sker?", Some("180 metres")),
            ("How long is the new bridge of Sker?", Some("240 (metres)")),
        ],
    );
    begin(
        "The way there takes 50 minutes and the way back takes 65.",
        &[
            ("How long does the way there take?", Some("50 minutes")),
            ("How long does the way back take?", Some("65 (minutes)")),
        ],
    );
    begin(
        "Adults pay 12 crowns for the baths, children half.",
        &[
            ("How much do adults pay for the baths?", Some("12 crowns")),
            ("How much do children pay for the baths?", None),
        ],
    );
}

#[test]
fn when_something_is_closed_is_not_when_it_is_open() {
    begin(
        "The museum of Sker is open from 1 April to 31 October and closed from 1 November to 31 March.",
        &[
            ("When is the museum of Sker open?", Some("1 April to 31 October")),
            ("When is the museum of Sker closed?", Some("1 November to 31 March")),
        ],
    );
    begin(
        "The museum of Sker is open from 1 April to 31 October.",
        &[("When is the museum of Sker closed?", None)],
    );
}

#[test]
fn the_name_of_a_firm_is_whole() {
    for (firm, text) in [
        ("Hale & Sons", "The organ of Sker was built by Hale & Sons in 1890."),
        ("Hale and Sons", "The organ of Sker was built by Hale and Sons in 1890."),
        ("Tarn, Hale & Berg", "The organ of Sker was built by Tarn, Hale & Berg in 1890."),
        ("Hale", "The organ of Sker was built by Hale and the monks in 1890."),
    ] {
        begin(text, &[("Who built the organ of Sker?", Some(firm))]);
    }
}

#[test]
fn a_sentence_and_a_column_say_what_their_figures_are_counted_in() {
    begin(
        "The library spent (in thousands of euros: staff 410, books 95, heating 38).",
        &[("How much did the library spend on books?", Some("95 (in thousands of euros)"))],
    );
    for rows in [
        "Town\tHomes\tShare of flats (%)\nAshby\t1,200\t41\nCorran\t310\t17",
        "Town\tShare of flats (%)\nAshby\t41\nCorran\t17",
    ] {
        let passages = [passage(&["Homes in the Vale"], rows)];
        let page = EvidenceSource {
            passages: &passages,
            ..source(1, "The Vale", "https://a.example/", "")
        };
        let share = answered("What share of homes in Corran are flats?", &[page]);
        assert!(share.starts_with("**17 (%)**"), "{share}");
    }
}
