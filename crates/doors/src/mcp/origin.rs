//! Which pages may call: a browser that was tricked into calling a server of its own machine says so by its origin.
//!
//! Border: texts in, a decision out. Comparing with `Host` would prove nothing: whoever makes a name point here sends
//! that name in both.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Whether a page of this origin may call. `allowed` is the variable `mcp_allowed_origins`: origins or hosts with
/// commas, or `*`.
pub(super) fn may_call(origin: &str, allowed: &str) -> bool {
    let origin = origin.trim().trim_end_matches('/').to_ascii_lowercase();
    let mut listed = allowed
        .split(',')
        .map(|entry| entry.trim().trim_end_matches('/').to_ascii_lowercase())
        .filter(|entry| !entry.is_empty());
    let host = host(&origin);
    listed.any(|entry| entry == "*" || entry == origin || Some(entry.as_str()) == host)
        || host.is_some_and(is_loopback)
}

/// The host of an origin; none for `null` and what is no origin.
fn host(origin: &str) -> Option<&str> {
    let (_, authority) = origin.split_once("://")?;
    if authority.is_empty() || authority.contains(['/', '@', '?', '#']) {
        return None;
    }
    if let Some(rest) = authority.strip_prefix('[') {
        return rest.split_once(']').map(|(address, _)| address);
    }
    Some(authority.split_once(':').map_or(authority, |(host, _)| host))
}

fn is_loopback(host: &str) -> bool {
    host == "localhost"
        || host.ends_with(".localhost")
        || host.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback())
        || host.parse().is_ok_and(|address: Ipv6Addr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_this_machine_and_listed_ones_may_call() {
        let allowed = "https://app.example/, inspector.example";
        for (origin, may) in [
            ("http://localhost:6274", true),
            ("http://127.0.0.1", true),
            ("http://[::1]:8080", true),
            ("http://a.localhost", true),
            ("https://app.example", true),
            ("HTTPS://APP.EXAMPLE", true),
            ("https://inspector.example:444", true),
            ("http://app.example", false),
            ("https://app.example.evil.example", false),
            ("http://localhost.evil.example", false),
            ("http://evil.example", false),
            ("http://127.0.0.1@evil.example", false),
            ("null", false),
            ("", false),
        ] {
            assert_eq!(may_call(origin, allowed), may, "{origin}");
        }
        assert!(may_call("http://evil.example", "*"));
        assert!(!may_call("http://evil.example", ""));
    }
}
