//! Key-value and SQLite, and what a guest feels of how the host keeps them.

use std::time::Duration;

use quarry_host::Reuse;

use super::{Fixture, get, ok, refused};

#[tokio::test(flavor = "multi_thread")]
async fn stores_keep_what_they_are_given_across_restarts() {
    let fixture = Fixture::new();
    let host = fixture.builder().start().await.unwrap();
    let round = ok("false second [\"k\", \"other\"] None");
    assert_eq!(get(&host, "/keys?k").await, round);
    host.shutdown().await;
    let host = fixture.builder().start().await.unwrap();
    assert_eq!(get(&host, "/keys?l").await, ok("false second [\"l\", \"other\"] None"));
    assert_eq!(get(&host, "/keys?other").await, ok("true kept [\"other\"] None"));
    assert_eq!(get(&host, "/open?unknown").await, refused("Error::AccessDenied"));
    let (_, denied) = get(&host, "/fetch?http://back.spin.internal/open?default").await;
    assert_eq!(denied, "400 Error::AccessDenied");
    host.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_state_directory_stores_end_with_their_host() {
    let fixture = Fixture::new();
    for _ in 0..2 {
        let host = fixture.builder().state_dir("").start().await.unwrap();
        assert_eq!(get(&host, "/keys?k").await, ok("false second [\"k\", \"other\"] None"));
        assert_eq!(get(&host, "/keys?k").await, ok("false second [\"k\", \"other\"] None"));
        let (_, seen) = get(&host, "/keys?other").await;
        assert!(seen.starts_with("true "), "{seen}");
        host.shutdown().await;
    }
    let is_file = |name: &str| fixture.directory.path().join(".spin").join(name).exists();
    assert!(!is_file("sqlite_key_value.db") && !is_file("sqlite_db.db"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_is_held_until_its_rows_are_read_or_let_go_of() {
    let fixture = Fixture::new();
    let host = fixture.builder().start().await.unwrap();
    assert_eq!(get(&host, "/rows-held").await, ok("1 None Some(20) Some(20)"));
    host.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_is_told_behind_the_rows_that_came() {
    let fixture = Fixture::new();
    let host = fixture.builder().start().await.unwrap();
    let late = "1 columns, 6 rows, Err(Error::Io(\"integer overflow\"))";
    assert_eq!(get(&host, "/rows-failing").await, ok(late));
    let (status, at_once) = get(&host, "/rows-failing?at-once").await;
    assert_eq!(status, 200);
    assert!(at_once.starts_with("0 columns, 0 rows, Err(Error::Io(\"no such table"), "{at_once}");
    host.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_has_no_more_connections_open_than_spin_gives_it() {
    let fixture = Fixture::new();
    // Longer than a machine stops for: the second request finds the same instance.
    let kept = Reuse { idle: Duration::from_mins(5), ..Reuse::default() };
    let host = fixture.builder().reuse(kept).start().await.unwrap();
    let full = "256 Some(Error::Io(\"too many connections opened\"));";
    for _ in 0..2 {
        assert_eq!(get(&host, "/connections?257").await, ok(&full.repeat(2)));
        assert_eq!(get(&host, "/connections?256").await, ok("256 None;256 None;"));
    }
    // Of stores there is no such bound in Spin.
    assert_eq!(get(&host, "/stores?300").await, ok("300"));
    host.shutdown().await;
}
