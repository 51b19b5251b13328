//! The operator's allow list, and what travels.

use super::*;

#[test]
fn the_operator_lifts_exactly_what_is_named() {
    let list = "127.0.0.1:8080, localhost , [::1]:9000,intranet.corp:443, wiki.lan:80, bücher.corp, \
                Example.com:8443";
    let (allow, unread) = Allow::parse(list);
    assert_eq!(unread, [""; 0]);
    let passes = |address: &str| check(address, &allow).is_ok();
    for address in [
        "http://127.0.0.1:8080/x",
        "http://0x7f.1:8080/",
        "http://127.0.0.1.:8080/",
        "http://localhost/",
        "https://localhost/",
        "http://LOCALHOST.:80/",
        "http://localhost:443/",
        "http://[::1]:9000/",
        "http://[0:0::1]:9000/",
        "https://intranet.corp/",
        "http://intranet.corp:443/",
        "http://wiki.lan/",
        "https://xn--bcher-kva.corp/",
        "https://example.com:8443/",
        "https://example.com/",
    ] {
        assert!(passes(address), "{address}");
    }
    for address in [
        "http://127.0.0.1/",
        "http://127.0.0.1:8081/",
        "http://localhost:8080/",
        "http://localhost../",
        "http://127.0.0.2:8080/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]:8080/",
        "http://u:p@127.0.0.1:8080/",
        "http://x.localhost/",
        "http://intranet.corp/",
        "http://www.intranet.corp:443/",
        "https://wiki.lan/",
        "https://example.com:8444/",
        "http://www.example.com:8443/",
        "ftp://127.0.0.1:8080/",
    ] {
        assert!(!passes(address), "{address}");
    }
}

#[test]
fn entries_that_cannot_be_read_are_named() {
    for entry in [
        "http://x/",
        "x/y",
        "user@x",
        "*.example.com",
        "x?y",
        "x#y",
        "a b",
        "x\\y",
        "exa\tmple.com",
        "x:port",
        "x:99999",
        "::1",
        "256.1.1.1",
    ] {
        let (allow, unread) = Allow::parse(entry);
        assert_eq!((allow, unread), (Allow::default(), vec![entry.to_owned()]));
    }
    assert_eq!(Allow::parse(" , ,"), (Allow::default(), Vec::new()));
}

#[test]
fn the_fragment_never_travels() {
    assert_eq!(
        check("https://a.b/c#d", &Allow::default()).unwrap().url().as_str(),
        "https://a.b/c"
    );
}

#[test]
fn what_is_malformed_is_told_from_what_is_forbidden() {
    let invalid = |address: &str| check(address, &Allow::default()).unwrap_err().is_invalid();
    assert!(invalid("example.com") && invalid("ftp://example.com/") && invalid("http://a..b/"));
    assert!(!invalid("http://127.0.0.1/") && !invalid("http://example.com:22/"));
}
