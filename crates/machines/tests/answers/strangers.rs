//! What a stranger asks of a page that lies before them: news, minutes, a product, an abstract, a recipe, a life, fares,
//! a report. Beside the share of right answers, those that once answered with something else, each for its class.

use crate::asked::{Expected, Outcome, judge};
use crate::read::Read;
use quarry_machines::extractive::{
    Asked, EvidenceSource, Length, PartRanking, Why, answer, ranking,
};
use serde_json::Value;

/// The share of questions whose first quotation must answer.
const LEAST_SHARE: f64 = 0.75;

/// Pages, and what is asked of them alone.
struct Desk {
    pages: Vec<Read>,
    questions: Vec<Expected>,
}

fn desks() -> Vec<Desk> {
    let file: Value = serde_json::from_str(include_str!("strangers.json")).unwrap();
    let desks = file.as_array().unwrap().iter();
    desks
        .map(|desk| Desk {
            pages: desk["texts"].as_array().unwrap().iter().map(page).collect(),
            questions: Expected::all(&desk["questions"]),
        })
        .collect()
}

fn page(text: &Value) -> Read {
    let word = |name: &str| text[name].as_str().unwrap();
    let date = text.get("date").and_then(Value::as_str).map(str::to_owned);
    Read { date, ..Read::markdown(word("title"), word("text")) }
}

fn sources(pages: &[Read]) -> Vec<EvidenceSource<'_>> {
    pages.iter().enumerate().map(|(at, page)| page.source(at + 1)).collect()
}

#[test]
fn the_first_quotation_answers_a_stranger() {
    let tells = std::env::var_os("TELL").is_some();
    let mut outcomes: Vec<Outcome> = Vec::new();
    for desk in desks() {
        let sources = sources(&desk.pages);
        outcomes.extend(desk.questions.iter().flat_map(|asked| judge(asked, &sources)));
    }
    let right = outcomes.iter().filter(|outcome| outcome.is_right).count();
    for wrong in outcomes.iter().filter(|outcome| !outcome.is_right && tells) {
        println!("a stranger: {}", wrong.told);
    }
    let share = right as f64 / outcomes.len() as f64;
    println!("a stranger: {right} of {} questions, {:.1} %", outcomes.len(), share * 100.0);
    assert!(share >= LEAST_SHARE);
}

fn told(question: &str, text: &str) -> String {
    let pages = [Read::markdown("A page", text)];
    let asked =
        Asked { query: question, length: Length::Medium, most_tokens: 2_000, why: Why::Chosen };
    answer(&asked, &sources(&pages), &[])
}

fn is_answered(question: &str, text: &str) -> bool {
    let pages = [Read::markdown("A page", text)];
    let sources = sources(&pages);
    let parts: Vec<PartRanking<'_>> = ranking(question, &sources);
    parts.iter().all(|part| part.is_answered)
}

#[test]
fn a_share_of_something_else_is_no_answer() {
    let text = "Of 612 moths caught, 23 percent carried pollen.";
    assert!(told("What percentage of moths carried pollen?", text).starts_with("**23 percent**"));
    assert!(!is_answered("What percentage of bees carried pollen?", text));
    let power = "The turbines covered 68 percent of the demand.";
    assert!(
        told("What percentage of the demand do the turbines cover?", power).starts_with("**68")
    );
    assert!(!is_answered("What percentage of the demand is met by wind?", power));
}

#[test]
fn the_price_of_many_is_not_that_of_one() {
    let text = "Ten bus tickets cost 120 euros. A bus ticket costs 14 euros.";
    assert!(told("What does a bus ticket cost?", text).starts_with("**14 euros**"));
    let alone = told("What does a bus ticket cost?", "Ten bus tickets cost 120 euros.");
    assert!(!alone.starts_with("**"), "{alone}");
    let guests = "A rowing boat costs 18 euros a day for members and 30 euros for guests.";
    assert!(told("How much is a rowing boat for a guest?", guests).starts_with("**30 euros**"));
}

#[test]
fn those_to_whom_something_was_done_are_not_all() {
    let text = "84 lorries were turned away at the pier.";
    assert!(!is_answered("How many lorries did the line carry?", text));
    assert!(told("How many lorries were turned away?", text).starts_with("**84 lorries**"));
}

#[test]
fn minutes_that_name_nothing_answer_nothing() {
    let text =
        "# Minutes of the council\n\n## Item 1. Minutes of January\n\nApproved without a vote.";
    assert!(!is_answered("How was the weight limit approved by the council?", text));
}

#[test]
fn a_table_of_markdown_has_columns() {
    let text = "# Fares\n\n| Ticket | Single | Return |\n| --- | --- | --- |\n| Adult | 14 euros | 25 euros |\n| Child | 7 euros | 12 euros |\n";
    let told = told("How much is a return ticket for a child?", text);
    assert!(told.starts_with("**12 euros**"), "{told}");
}

#[test]
fn of_columns_that_are_years_the_one_that_is_asked_for_is_meant_or_the_newest() {
    let text = "# Population of the Vale\n\n| Town | 1991 | 2011 | 2021 |\n| --- | --- | --- | --- |\n| Ashby | 8,120 | 9,310 | 10,250 |\n| Corran | 3,050 | 2,760 | 2,410 |\n\nThe share of people over 65 is 31 percent in Corran.";
    let now = told("What is the population of Corran?", text);
    assert!(now.starts_with("**2,410**"), "{now}");
    let then = told("How many people lived in Ashby in 2011?", text);
    assert!(then.starts_with("**9,310**"), "{then}");
}

#[test]
fn a_column_of_causes_tells_why() {
    let text = "# Kettle\n\n| Fault | Cause | Remedy |\n| --- | --- | --- |\n| The lamp blinks | No water | Fill to the mark |\n| It does not start | Lid open | Close the lid |\n";
    assert!(is_answered("Why does the lamp blink?", text));
}

#[test]
fn a_page_speaks_of_the_year_that_it_is_of() {
    let read = |n: usize, text: &str, date: &str| Read {
        date: Some(date.to_owned()),
        ..Read::markdown(&format!("Page {n}"), text)
    };
    let pages = [
        read(1, "The toll was 6 euros each way, so bring change.", "2016-07-24"),
        read(2, "Since 1 July 2022 there has been no toll on the bridge.", "2024-01-30"),
    ];
    let query = "How much was the toll in 2016?";
    let asked = Asked { query, length: Length::Medium, most_tokens: 2_000, why: Why::Chosen };
    let told = answer(&asked, &sources(&pages), &[]);
    assert!(told.starts_with("**6 euros**"), "{told}");
}

#[test]
fn few_words_may_answer() {
    let flood = "# Flood\n\nThe river burst its banks. Nobody was hurt.";
    assert!(told("Was anybody hurt?", flood).contains("“Nobody was hurt.”"));
    let recipe = "# Bread\n\n- 800 g rye flour\n- 22 g salt\n";
    assert!(told("How much salt is needed?", recipe).contains("22 g salt"));
}
