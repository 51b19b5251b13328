//! Calls to the host, counted by component and name.

use std::collections::BTreeMap;

use super::{Fixture, Outside, get, ok};

type Counts = BTreeMap<(String, String), u64>;

fn count(counts: &Counts, component: &str, name: &str) -> u64 {
    counts.get(&(component.to_owned(), name.to_owned())).copied().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_counted_for_the_host_that_counts() {
    let (counted, other) = (Fixture::new(), Fixture::new());
    let host = counted.builder().count_calls(true).start().await.unwrap();
    let uncounted = other.builder().start().await.unwrap();
    for host in [&host, &uncounted] {
        for _ in 0..3 {
            assert_eq!(get(host, "/variable?plain").await, ok("<a default>"));
        }
        assert_eq!(get(host, "/keys?k").await.0, 200);
    }
    let counts = host.host_calls();
    // Functions that are synchronous, asynchronous, and those that hand out streams.
    for (name, expected) in [
        ("spin:variables/variables.get", 3),
        ("spin:key-value/key-value.[static]store.open", 1),
        ("spin:key-value/key-value.[method]store.set", 3),
        ("spin:key-value/key-value.[method]store.get-keys", 1),
        ("wasi:http/types.[static]response.new", 4),
        ("wasi:http/types.[method]request.get-path-with-query", 4),
        ("wasi:http/client.send", 0),
    ] {
        assert_eq!(count(&counts, "front", name), expected, "{name} in {counts:?}");
    }
    let (_, told) = get(&host, "/.well-known/spin/host-calls").await;
    assert!(told.contains("front\tspin:variables/variables.get\t3\n"), "{told}");
    assert_eq!(uncounted.host_calls(), Counts::new());
    assert_eq!(get(&uncounted, "/.well-known/spin/host-calls").await.0, 404);
    host.shutdown().await;
    uncounted.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_like_spin_counts_whose_calls_they_are_and_sends_bodies_whole() {
    let fixture = Fixture::new();
    let mut outside = Outside::start().await;
    let host = fixture.builder().like_spin(true).start().await.unwrap();
    for _ in 0..3 {
        let url = outside.url("/pong");
        assert_eq!(get(&host, &format!("/fetch?{url}")).await, ok("200 pong"));
        assert_eq!(outside.request().await, "/pong ping");
    }
    assert_eq!(get(&host, "/fetch?http://back.spin.internal/hello").await, ok("200 hello"));
    let counts = host.host_calls();
    assert_eq!(count(&counts, "front", "wasi:http/client.send"), 4, "{counts:?}");
    assert_eq!(count(&counts, "back", "wasi:http/client.send"), 0, "{counts:?}");
    assert_eq!(count(&counts, "back", "wasi:http/types.[static]response.new"), 1, "{counts:?}");
    host.shutdown().await;
}
