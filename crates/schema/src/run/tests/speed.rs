use super::*;
use std::time::Instant;

/// `cargo test -p quarry-schema --lib -- --ignored --nocapture speed`: tells what a step costs here.
#[test]
#[ignore = "measures"]
fn what_a_step_costs() {
    let directory = tempfile::tempdir().unwrap();
    let connection = Connection::open(directory.path().join("runs.db")).unwrap();
    connection.query_row(crate::WRITE_AHEAD, [], |_| Ok(())).unwrap();
    connection.execute("PRAGMA synchronous = NORMAL", []).unwrap();
    for step in crate::migration(0).unwrap() {
        connection.execute(&step, []).unwrap();
    }
    create(&connection, birth(1));
    let text = format!("\"{}\"", "one \\\"two\\\" three ".repeat(55));
    let body = text.as_str();
    let mut took = Vec::new();
    for round in 0..2_000 {
        let mut next = Step { first: 2 + 3 * round, ..step(1, &[body, body, body]) };
        next.events = (2 + 5 * round..).take(5).map(|n| event(n, body)).collect();
        let began = Instant::now();
        write(&connection, next).unwrap();
        took.push(began.elapsed());
    }
    took.sort();
    let began = Instant::now();
    let page = shown(&connection, 1, 5_000).unwrap();
    let read = began.elapsed();
    println!("a step: median {:?}, 99th {:?}", took[1_000], took[1_980]);
    println!("a page of {} events: {read:?}", page.events.len());
}
