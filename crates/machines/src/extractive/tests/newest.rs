//! Which of sources is newer.

use super::*;

#[test]
fn of_equals_the_newest_by_its_day_leads_however_it_is_written() {
    let told = |n, url, steps, date| dated(source(n, "Orrin", url, steps), date);
    let sources = [
        told(1, "https://a.example/", "The tower of Orrin has 196 steps.", "9 May 2024"),
        told(2, "https://b.example/", "The tower of Orrin has 212 steps.", "2024-05-10"),
        told(3, "https://c.example/", "The tower of Orrin has 207 steps.", "sometime"),
    ];
    let question = Question::new("How many steps has the tower of Orrin?");
    let ranking = rank(&sources, &question);
    let order: Vec<usize> = ranking.parts[0].quotations.iter().map(|it| it.source.n).collect();
    assert_eq!(order, [2, 1, 3]);
}

#[test]
fn what_takes_a_figure_back_leads() {
    let report = "With the traffic of 2023 the welds have a remaining fatigue life of 31 years.";
    let corrected =
        "The remaining fatigue life of the welds under the traffic of 2023 is 19 years, not 31.";
    let sources = [
        dated(source(1, "Inspection", "https://a.example/", report), "2024-10-21"),
        dated(source(2, "Corrigendum", "https://b.example/", corrected), "2025-01-17"),
    ];
    let answer = answered("What is the remaining fatigue life of the welds?", &sources);
    let first = answer.split("\n\n").next().unwrap_or_default();
    assert!(first.contains("is 19 years, not 31."), "{answer}");
}
