//! Numbers that the passage gives to another name, month or year.

use super::*;

#[test]
fn a_number_is_that_of_the_name_in_its_clause() {
    are_told_apart(&[
        (
            "Sker has 84 thousand inhabitants.",
            &[
                "Lund has 84 thousand inhabitants, and Sker has 68 thousand inhabitants.",
                "Lund has 84 thousand inhabitants while Sker has 68 thousand.",
                "Lund has 84 thousand inhabitants. Sker has 68 thousand inhabitants.",
            ],
            &[
                "Sker has 84 thousand inhabitants, and Lund has 68 thousand inhabitants.",
                "Lund has 68 thousand inhabitants, and Sker, on the coast, has 84 thousand inhabitants.",
                "Sker has grown: from 68 thousand inhabitants in Lund's day to 84 thousand inhabitants.",
            ],
        ),
        (
            "Tom Reed was born in Orrin in 1950.",
            &[
                "Tom Reed was born in Lund in 1948. Ann Marsh was born in Orrin in 1950.",
                "Ann Marsh was born in Orrin in 1950 and Tom Reed was born in Lund in 1948.",
            ],
            &[
                "Tom Reed was born in Orrin in 1950. Ann Marsh was born in Lund in 1948.",
                "Ann Marsh, born in Lund in 1948, married Tom Reed, who was born in Orrin in 1950.",
            ],
        ),
        (
            "Tom Reed died in Lund in 1990.",
            &["Ann Marsh died in Lund in 1990, and Tom Reed died in Lund in 1980."],
            &["Tom Reed was born in Orrin in 1950 and died in Lund in 1990."],
        ),
        (
            "The eBoat costs 799 dollars.",
            &["The Galaxy costs 799 dollars, while the eBoat costs 999 dollars."],
            &["The eBoat costs 799 dollars, while the Galaxy costs 999 dollars."],
        ),
        (
            "The ferry from Orrin costs 5 euros.",
            &["Ferry | Costs\nOrrin | 7 euros\nLund | 5 euros"],
            &["Ferry | Costs\nOrrin | 5 euros\nLund | 7 euros"],
        ),
    ]);
}

#[test]
fn a_number_is_that_of_the_time_in_its_clause() {
    are_told_apart(&[
        (
            "The toll of Sker was 4.1 % in May.",
            &["The toll of Sker was 4.1 % in April and 4.0 % in May."],
            &["The toll of Sker was 4.0 % in April and 4.1 % in May."],
        ),
        (
            "Revenue of the mill was 40 million euros in 2021.",
            &[
                "Revenue of the mill was 40 million euros in 2020. Revenue of the mill was 30 million euros in 2021.",
                "In 2020, revenue of the mill was 40 million euros. In 2021, revenue was 30 million euros.",
            ],
            &[
                "Revenue of the mill was 30 million euros in 2020 and 40 million euros in 2021.",
                "Revenue of the mill was 40 million euros, in 2021, against 30 million euros in 2020.",
            ],
        ),
        (
            "The harbour of Sker had 300 visitors in May 2021.",
            &["The harbour of Sker had 300 visitors in May 2020 and 500 in May 2021."],
            &["The harbour of Sker had 500 visitors in May 2020 and 300 in May 2021."],
        ),
        (
            "Visitors of the harbour of Sker: 500 in 2021.",
            &[],
            &["Visitors of the harbour of Sker: 300 (2020), 500 (2021), 700 (2022)."],
        ),
    ]);
}

#[test]
fn a_number_is_that_of_the_words_beside_it() {
    are_told_apart(&[
        (
            "The mill made a profit of 40 million euros.",
            &["The mill made a profit of 30 million euros on revenue of 40 million euros."],
            &["The mill made a profit of 40 million euros on revenue of 90 million euros."],
        ),
        (
            "In Sker 20 % of the keepers sail.",
            &["In Sker 10 % of the keepers and 20 % of the pilots sail."],
            &["In Sker 20 % of the keepers and 10 % of the pilots sail."],
        ),
        (
            "The keepers of Sker won the match 3-1.",
            &["The keepers of Sker won the match 1-3."],
            &["The match was won 3-1 by the keepers of Sker."],
        ),
    ]);
}

#[test]
fn a_long_line_of_names_and_numbers_is_gone_through_once() {
    let (claim, short, long) =
        ("Tom has 5 boats, Ann 7. ".repeat(8), "Tom 5, ".repeat(4_000), "Tom 5, ".repeat(16_000));
    let looked = |source: &str| {
        let before = super::super::quantity::COMPARED.with(std::cell::Cell::get);
        let _ = verdict(&claim, source);
        super::super::quantity::COMPARED.with(std::cell::Cell::get) - before
    };
    let (few, many) = (looked(&short), looked(&long));
    assert!(many < few * 6, "{few} {many}");
}

#[test]
fn a_number_is_that_of_the_word_in_the_same_place() {
    are_told_apart(&[
        (
            "Rust was seen on 6 % of boats with tar.",
            &["Rust was seen on 18 % of boats with tar and 6 % of those with paint."],
            &[
                "Rust was seen on 6 % of boats with tar and 18 % of those with paint.",
                "Rust was seen in spring, on 18 % of wagons and 6 % of boats with tar.",
            ],
        ),
        (
            "Timber sales grew 31 % to 3.2 million euros.",
            &[
                "Wool sales grew 31 % to 3.2 million euros, whereas timber sales fell 5 % to 4.1 million euros.",
            ],
            &[
                "Timber sales grew 31 % to 3.2 million euros, whereas wool sales fell 5 % to 4.1 million euros.",
            ],
        ),
        (
            "The storm of Sker killed more than 210 people.",
            &[
                "The storm of Sker came by night, killing at least 37 people and injuring more than 210.",
            ],
            &[
                "The storm of Sker came by night, killing more than 210 people and injuring at least 370.",
            ],
        ),
    ]);
}

#[test]
fn a_number_of_a_table_is_that_of_its_column() {
    let table =
        "| Town | Boats 2020 | Boats 2023 |\n|---|---|---|\n| Sker | 54 | 56 |\n| Lund | 71 | 73 |";
    are_told_apart(&[
        ("The town of Sker had 56 boats in 2020.", &[table], &[]),
        ("The town of Sker had 56 boats in 2023.", &[], &[table]),
        ("Sker had 56 boats in 2023.", &[], &[table]),
        (
            "The Sker S has a range of 460 km.",
            &["| Ferry | Range |\n|---|---|\n| Sker S | 310 km |\n| Sker L | 460 km |"],
            &["| Ferry | Range |\n|---|---|\n| Sker S | 460 km |\n| Sker L | 310 km |"],
        ),
    ]);
}

#[test]
fn a_number_of_an_earlier_time_is_not_that_of_now() {
    are_told_apart(&[(
        "The net income of the yard was $1.5 billion.",
        &["The net income of the yard was $1.8 billion, up from $1.5 billion a year earlier."],
        &["The net income of the yard was $1.5 billion, up from $1.2 billion a year earlier."],
    )]);
}
