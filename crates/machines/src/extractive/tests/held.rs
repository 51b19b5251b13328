//! Figures of the years and the things that a question names, and of no others.

use super::*;

const POPULATION: &str =
    "# People of Orrin in figures\nThe school at Orrin harbour had 214 pupils in 2021.";

/// Counts of traffic as the bridge's authority gives them.
fn counts() -> [Passage; 1] {
    let rows = "Year\tAll classes\tLorries\tOf these above 26 t\n2013\t1,900\t118\t31\n2021\t2,390\t189\t66\n2023\t2,650\t212\t78";
    [passage(&["Vehicles that cross the bridge each day, 2013 to 2024"], rows)]
}

#[test]
fn a_figure_of_another_year_is_not_shown_as_the_answer() {
    let people =
        dated(source(1, "People of Orrin", "https://a.example/", POPULATION), "2022-05-16");
    let question = |year: u32| format!("How many pupils did the school have in {year}?");
    let of_2021 = answered(&question(2021), &[people]);
    assert!(of_2021.starts_with("**214 pupils**"), "{of_2021}");
    let of_2025 = answered(&question(2025), &[people]);
    assert!(!of_2025.contains("**214"), "{of_2025}");
}

#[test]
fn a_price_that_begins_later_is_not_shown_as_the_answer() {
    let title = "Household price of current from January 2026";
    let text = "A household on Orrin pays 21.9 cents for a kilowatt-hour in January.";
    let sources = [source(1, title, "https://a.example/", text)];
    let of_2026 = answered("What does a kilowatt-hour cost in January 2026?", &sources);
    assert!(of_2026.starts_with("**21.9 cents**"), "{of_2026}");
    let of_2023 = answered("What did a kilowatt-hour cost in January 2023?", &sources);
    assert!(!of_2023.contains("**21.9"), "{of_2023}");
}

#[test]
fn the_head_of_a_column_tells_which_figure_of_a_row_is_meant() {
    let passages = counts();
    let title = "Heavy traffic on the crossing";
    let page = EvidenceSource { passages: &passages, ..source(1, title, "https://a.example/", "") };
    let lorries = answered("How many lorries crossed each day in 2023?", &[page]);
    assert!(lorries.starts_with("**212**"), "{lorries}");
    let heavy = answered("How many vehicles above 26 t crossed each day in 2023?", &[page]);
    assert!(heavy.starts_with("**78**"), "{heavy}");
    // No column says anything of bicycles.
    let bicycles = answered("How many bicycles crossed each day in 2023?", &[page]);
    assert!(!bicycles.starts_with("**"), "{bicycles}");
}

#[test]
fn a_figure_of_all_is_none_of_those_over_a_bound() {
    let text = "An average of 2,650 vehicles crossed the bridge each day in 2023.";
    let sources = [source(1, "Orrin Bridge", "https://a.example/", text)];
    let all = answered("How many vehicles crossed the bridge each day in 2023?", &sources);
    assert!(all.starts_with("**2,650 vehicles**"), "{all}");
    let heavy =
        answered("How many vehicles over 26 tonnes crossed the bridge each day in 2023?", &sources);
    assert!(!heavy.contains("**2,650"), "{heavy}");
}

#[test]
fn when_something_runs_is_a_season_and_not_since_when() {
    let text = "Since 2019 a passenger ferry has crossed in summer, from 15 May to 15 September, five times a day.";
    let sources = [source(1, "Getting to Orrin", "https://a.example/", text)];
    let runs = answered("When does the passenger ferry cross?", &sources);
    assert!(runs.starts_with("**15 May to 15 September**"), "{runs}");
    let since = answered("Since when has the passenger ferry crossed?", &sources);
    assert!(since.starts_with("**2019**"), "{since}");
}

#[test]
fn what_was_built_for_a_sum_has_not_earned_it() {
    let text = "The cooperative built the tidal array for 41 million euros.";
    let sources = [source(1, "The tidal array", "https://a.example/", text)];
    let earned = answered("How much has the tidal array earned?", &sources);
    assert!(!earned.contains("**41 million"), "{earned}");
}

#[test]
fn a_year_alone_makes_no_answer() {
    let wind = "The share of wind was 63 percent in January 2023 and 21 percent in July 2023.";
    let sources = [source(1, "Fatigue of a deck", "https://a.example/", wind)];
    let answer =
        answered("What percentage of the electricity came from the array in 2023?", &sources);
    assert!(!answer.contains("**21 percent**") && !answer.contains("**63"), "{answer}");
}

/// What is answered from the rows that stand on a page below a heading.
fn of_table(query: &str, (title, heading): (&str, &str), rows: &str) -> String {
    let passages = [passage(&[heading], rows)];
    let page = EvidenceSource { passages: &passages, ..source(1, title, "https://a.example/", "") };
    answered(query, &[page])
}

/// How many nests were counted, with years in which nobody counted.
const NESTS: &str = "| Gulls | 410 | | 95 |\n| Terns | 62 | | |\n| Auks | | | 1,204 |";

fn nests(question: &str, rows: &str) -> String {
    of_table(question, ("Birds of Sker", "Nests on the cliff"), rows)
}

#[test]
fn an_empty_cell_does_not_move_the_figures_behind_it() {
    let markdown = format!("| | 2001 | 2011 | 2021 |\n|---|---|---|---|\n{NESTS}");
    let close = markdown.replace("| ", "|").replace(" |", "|");
    let tabs = "\t2001\t2011\t2021\nGulls\t410\t\t95\nTerns\t62\t\t\nAuks\t\t\t1,204";
    for rows in [markdown.as_str(), close.as_str(), tabs] {
        let told = |birds: &str, year: u32| {
            nests(&format!("How many nests of {birds} were there in {year}?"), rows)
        };
        assert!(told("gulls", 2021).starts_with("**95**"), "{}", told("gulls", 2021));
        assert!(told("gulls", 2001).starts_with("**410**"), "{}", told("gulls", 2001));
        assert!(told("auks", 2021).starts_with("**1,204**"), "{}", told("auks", 2021));
        for birds in ["gulls", "terns", "auks"] {
            assert!(!told(birds, 2011).contains("**"), "{}", told(birds, 2011));
        }
        assert!(!told("terns", 2021).contains("**"), "{}", told("terns", 2021));
    }
}

#[test]
fn no_figure_of_another_column_stands_in_for_an_empty_cell_or_a_digit() {
    let rows = "| Year | Rowing boats | Canoes |\n|---|---|---|\n| 2015 | 4 | 12 |\n| 2017 | 14 | 3 |\n| 2020 | | 88 |";
    let boats = |question| of_table(question, ("Club", "Boats of the club at Sker"), rows);
    for (question, told) in [
        ("How many rowing boats were there in 2015?", "**4**"),
        ("How many canoes were there in 2017?", "**3**"),
        ("How many canoes were there in 2020?", "**88**"),
    ] {
        let answer = boats(question);
        assert!(answer.starts_with(told), "{question} {answer}");
    }
    let empty = boats("How many rowing boats were there in 2020?");
    assert!(!empty.contains("**"), "{empty}");
}

#[test]
fn shares_are_told_in_words_too() {
    let text = "Gifts to the museum of Sker fell by 12 per cent to 58,000 euros.";
    let sources = [source(1, "Museum", "https://a.example/", text)];
    for question in [
        "By how many per cent did gifts to the museum of Sker fall?",
        "By what percentage did gifts to the museum of Sker fall?",
    ] {
        let answer = answered(question, &sources);
        assert!(answer.starts_with("**12 per cent**"), "{question} {answer}");
    }
}

#[test]
fn a_figure_is_told_with_what_its_table_counts_in() {
    let rows = "In thousands\nYear\tSummer\tWinter\n2014\t31\t88\n2015\t29\t94";
    let question = "How many passengers did the chairlift have in winter 2015?";
    let winter = of_table(question, ("Lifts", "Passengers of the chairlift"), rows);
    assert!(winter.starts_with("**94 (thousands)**"), "{winter}");
}

#[test]
fn columns_are_told_apart_where_nothing_heads_the_first() {
    let rows = "| | Local | Visitor |\n|---|---|---|\n| Day card | 6 crowns | 9 crowns |\n| Week card | 20 crowns | 31 crowns |";
    for (whom, price) in [("visitor", "**31 crowns**"), ("local", "**20 crowns**")] {
        let question = format!("How much is a week card for a {whom}?");
        let answer = of_table(&question, ("Lake", "Fishing"), rows);
        assert!(answer.starts_with(price), "{answer}");
    }
}
