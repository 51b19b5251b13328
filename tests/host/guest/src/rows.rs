//! What a guest sees of a database while rows are still to come.

use std::pin::pin;

use futures::future::{Either, select};
use spin_sdk::sqlite::{Connection, Error};
use spin_sdk::wasip3::clocks::monotonic_clock;

/// As many rows as never wait for a guest at once.
const ROWS: &str =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) SELECT i FROM n";

/// Nanoseconds after which another statement is taken to wait.
const WHILE: u64 = 200_000_000;

/// Reads a row, and tries another statement on that connection and on one of its own. Then the first on that connection
/// once more, when nobody reads the rest. Says how many rows each gave; none: it waited.
pub async fn held() -> Result<String, Error> {
    let (connection, other) =
        (Connection::open_default().await?, Connection::open_default().await?);
    let mut rows = connection.execute(ROWS, []).await?;
    let first = usize::from(rows.next().await.is_some());
    let same = within(count(&connection, ROWS)).await.transpose()?;
    let beside = within(count(&other, ROWS)).await.transpose()?;
    drop(rows);
    let behind = within(count(&connection, ROWS)).await.transpose()?;
    Ok(format!("{first} {same:?} {beside:?} {behind:?}"))
}

/// Reads the rows of a statement that fails at its seventh, or (`at-once`) before the first: how many there were, and how
/// it ended.
pub async fn failing(when: &str) -> Result<String, Error> {
    let connection = Connection::open_default().await?;
    let statement = match when {
        "at-once" => "SELECT * FROM nowhere".to_owned(),
        _ => ROWS.replace(
            "SELECT i FROM",
            "SELECT CASE i WHEN 7 THEN abs(-9223372036854775807 - 1) ELSE i END FROM",
        ),
    };
    let mut rows = connection.execute(statement, []).await?;
    let mut count = 0;
    while rows.next().await.is_some() {
        count += 1;
    }
    Ok(format!("{} columns, {count} rows, {:?}", rows.columns().len(), rows.result().await))
}

/// Opens so many connections, twice, and says how many there were and why there were no more.
pub async fn connections(times: &str) -> Result<String, Error> {
    let times = times.parse().unwrap_or(1);
    let mut said = String::new();
    for _ in 0..2 {
        let mut open = Vec::new();
        let why = loop {
            if open.len() == times {
                break None;
            }
            match Connection::open_default().await {
                Ok(connection) => open.push(connection),
                Err(error) => break Some(error),
            }
        };
        said.push_str(&format!("{} {why:?};", open.len()));
    }
    Ok(said)
}

async fn count(connection: &Connection, statement: &str) -> Result<usize, Error> {
    Ok(connection.execute(statement, []).await?.collect().await?.len())
}

/// What comes of work that is let go of if it takes too long.
async fn within<T>(work: impl Future<Output = T>) -> Option<T> {
    match select(pin!(work), pin!(monotonic_clock::wait_for(WHILE))).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(_) => None,
    }
}
