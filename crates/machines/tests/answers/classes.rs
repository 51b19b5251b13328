//! Each class of question over invented pages of its own: why, where, compare, list, sums, agreement, and what
//! nobody says.

use crate::asked::at_first;
use quarry_machines::extractive::{
    Asked, Calculation, Call, EvidenceSource, Length, Why, answer, next_calls,
};

fn page<'a>(n: usize, title: &'a str, url: &'a str, text: &'a str) -> EvidenceSource<'a> {
    EvidenceSource { n, title, url, text, ..EvidenceSource::default() }
}

/// Pages on bread, a comet, a canal and a choir.
fn pages() -> Vec<EvidenceSource<'static>> {
    vec![
        page(
            1,
            "Rye bread",
            "https://bread.example/rye",
            "# Rye bread\nRye bread keeps longer than wheat bread because rye holds more water. It is baked at 240 degrees.\n\n## Ingredients\nIt is made of rye flour, water, salt, caraway and a starter. A loaf weighs 1,200 grams.",
        ),
        page(
            2,
            "Wheat bread",
            "https://bread.example/wheat",
            "# Wheat bread\nWheat bread is baked at 220 degrees. A loaf weighs 800 grams. It was sold at the market of Tarn from 1850.",
        ),
        page(
            3,
            "Comet Veld",
            "https://sky.example/veld",
            "# Comet Veld\nComet Veld was first seen in 1844 from the roof of the school in Lund. It turned away from the sun and lost its tail as a result of a collision with dust.",
        ),
        page(
            4,
            "The Harl canal",
            "https://water.example/harl",
            "# The Harl canal\nThe canal is 48 kilometres long and joins the river Sem to the sea. It was dug by 3,000 men. Its lock gates stand at Ober and Nieder.",
        ),
        page(
            5,
            "Walks along the Harl",
            "https://walks.example/harl",
            "The Harl canal is 48 kilometres long, as every walker learns. Bring a hat.",
        ),
        page(
            6,
            "A guide to canals",
            "https://guide.example/canals",
            "The Harl canal is 52 kilometres long, its harbours included.",
        ),
    ]
}

fn told(query: &str) -> String {
    let asked = Asked { query, length: Length::Medium, most_tokens: 2_000, why: Why::Chosen };
    answer(&asked, &pages(), &[])
}

/// The first sentence of an answer that is quoted.
fn lead(query: &str) -> String {
    let told = told(query);
    let lead = told.split("\n\n").next().unwrap_or_default();
    lead.to_owned()
}

#[test]
fn why_is_answered_by_a_reason() {
    assert!(lead("Why does rye bread keep longer than wheat bread?").contains("because rye holds"));
    assert!(lead("Why did Comet Veld lose its tail?").contains("a collision with dust"));
}

#[test]
fn where_is_answered_by_a_place() {
    assert!(lead("Where was Comet Veld first seen?").contains("school in Lund"));
    assert!(lead("Where do the lock gates of the Harl canal stand?").contains("Ober and Nieder"));
}

#[test]
fn a_list_is_answered_by_its_members() {
    let lead = lead("What are the ingredients of rye bread?");
    assert!(lead.contains("rye flour, water, salt, caraway and a starter"), "{lead}");
}

#[test]
fn of_two_things_each_is_measured() {
    let both = told("Which is heavier, rye bread or wheat bread?");
    for measured in ["**1,200 grams**, according to [Rye", "**800 grams**, according to [Wheat"] {
        assert!(both.contains(measured), "{measured} in {both}");
    }
    let compared = told("Compare rye bread and wheat bread.");
    assert!(compared.contains("bread.example/rye"), "{compared}");
}

#[test]
fn sources_that_agree_are_named_together_and_those_that_differ_apart() {
    let told = told("How long is the Harl canal?");
    assert!(told.contains("**48 kilometres**, according to"), "{told}");
    assert!(told.contains("says the same"), "{told}");
    let differing = told.split("Other sources give other figures").nth(1).unwrap_or_default();
    assert!(differing.contains("**52 kilometres**, according to [A guide to canals]"), "{told}");
}

#[test]
fn what_nobody_says_is_said_to_be_missing() {
    let told = told("How long is the Harl canal, and who was its engineer?");
    assert!(told.contains("**Who was its engineer?**\n\nNo source says this"), "{told}");
    assert!(told.contains("none mentions “engineer”"), "{told}");
}

#[test]
fn sums_are_worked_out_by_a_program_and_shown_as_its_result() {
    for (query, expression) in [
        ("What is 1,200 - 800?", "1200 - 800"),
        ("How much is 15 % of 240?", "240"),
        ("What is 48 * 3 + 2?", "48 * 3 + 2"),
    ] {
        let calls = next_calls(&at_first(query));
        let is_program =
            matches!(&calls[..], [Call::Program { code }] if code.contains(expression));
        assert!(is_program, "{query}: {calls:?}");
    }
    let result = [Calculation { code: "48 * 3 + 2", result: "48 * 3 + 2 = 146" }];
    let asked = Asked {
        query: "What is 48 * 3 + 2?",
        length: Length::Medium,
        most_tokens: 2_000,
        why: Why::Chosen,
    };
    assert!(answer(&asked, &[], &result).contains("Calculated by a program: **48 * 3 + 2 = 146**"));
}
