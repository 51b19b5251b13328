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
