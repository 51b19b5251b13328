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

#[test]
fn what_something_is_compared_with_has_none_of_its_figures() {
    begin(
        "The lamp Sker 12 weighs 182 g, 11 g less than the lamp Sker 10.",
        &[
            ("How heavy is the lamp Sker 12?", Some("182 g")),
            ("How heavy is the lamp Sker 10?", None),
        ],
    );
    begin(
        "The count of Sker found 156 people, 12 fewer than in 2022.",
        &[("How many people did the count of Sker find in 2022?", None)],
    );
    begin(
        "The feast of Sker drew 96,000 people, 4,000 more than expected.",
        &[("How many people did the feast of Sker draw?", Some("96,000 people"))],
    );
    begin(
        "The boat of Sker costs 2,999 crowns, while its predecessor, a smaller one, cost 2,499 crowns.",
        &[("How much does the boat of Sker cost?", Some("2,999 crowns"))],
    );
    begin(
        "The predecessor of the boat of Sker cost 2,499 crowns.",
        &[
            ("How much does the boat of Sker cost?", None),
            ("How much did the predecessor of the boat of Sker cost?", Some("2,499 crowns")),
        ],
    );
    begin(
        "Unlike its predecessor, the boat of Sker costs 2,999 crowns.",
        &[("How much does the boat of Sker cost?", Some("2,999 crowns"))],
    );
}

#[test]
fn a_figure_is_of_the_year_of_its_clause() {
    begin(
        "The museum of Sker had 310,000 visitors in 2024; in 2019 there were 355,000 visitors.",
        &[
            ("How many visitors did the museum of Sker have in 2024?", Some("310,000 visitors")),
            ("How many visitors did the museum of Sker have in 2019?", Some("355,000 visitors")),
            ("How many visitors did the museum of Sker have in 2021?", None),
        ],
    );
    begin(
        "Since 2020 the museum of Sker has been free, and in 2022 it had 22,000 visitors.",
        &[
            ("How many visitors did the museum of Sker have in 2021?", None),
            ("How many visitors did the museum of Sker have in 2022?", Some("22,000 visitors")),
        ],
    );
    begin(
        "In 2020 the museum of Sker, founded in 1921, had 300 visitors.",
        &[("How many visitors did the museum of Sker have in 2020?", Some("300 visitors"))],
    );
}

#[test]
fn the_nearest_heading_tells_the_year() {
    let passages =
        [passage(&["Sker in 2021", "Visitors in 2022"], "The museum had 22,000 visitors.")];
    let page = EvidenceSource {
        passages: &passages,
        ..source(1, "Sker in 2021", "https://a.example/", "")
    };
    for (year, is_told) in [("2021", false), ("2022", true)] {
        let question = format!("How many visitors did the museum of Sker have in {year}?");
        let answer = answered(&question, &[page]);
        assert_eq!(answer.contains("**22,000"), is_told, "{year} {answer}");
    }
}

#[test]
fn of_two_things_each_has_its_own_figure() {
    begin(
        "In the library of Sker books may be borrowed for four weeks, films for one week.",
        &[
            ("How long may films be borrowed in the library of Sker?", Some("one week")),
            ("How long may books be borrowed in the library of Sker?", Some("four weeks")),
        ],
    );
    begin(
        "On the ferry of Sker a bicycle costs 18 pounds; a car costs 46 pounds.",
        &[
            ("How much does a car cost on the ferry of Sker?", Some("46 pounds")),
            ("How much does a bicycle cost on the ferry of Sker?", Some("18 pounds")),
        ],
    );
    begin(
        "Cards of the baths for three days cost 129 crowns, for one day 59 crowns.",
        &[
            ("What does a card of the baths for three days cost?", Some("129 crowns")),
            ("What does a card of the baths for one day cost?", Some("59 crowns")),
        ],
    );
    begin(
        "A first visit at the clinic of Sker costs 48 crowns, each further visit 32 crowns.",
        &[
            ("What does a first visit at the clinic of Sker cost?", Some("48 crowns")),
            ("What does a further visit at the clinic of Sker cost?", Some("32 crowns")),
        ],
    );
    begin(
        "At Sker the water is 27 degrees warm, in the pool of the children 32 degrees.",
        &[
            ("How warm is the water at Sker?", Some("27 degrees")),
            ("How warm is the pool of the children at Sker?", Some("32 degrees")),
            ("How warm is the water in the pool at Sker?", None),
        ],
    );
}

#[test]
fn of_two_figures_the_later_may_have_the_word_that_asks() {
    begin(
        "The lighthouse of Sker stands 31 metres above the sea, its tower being 22 metres tall.",
        &[("How tall is the lighthouse of Sker?", Some("22 metres"))],
    );
}
