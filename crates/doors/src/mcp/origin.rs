//! Which pages may call: a browser that was tricked into calling a server of its own machine says so by its origin.
//!
//! Border: texts in, a decision out. Comparing with `Host` would prove nothing: whoever makes a name point here sends
//! that name in both.

use std::net::{Ipv4Addr, Ipv6Addr};

use quarry_admission::Cors;

/// What stands for every origin.
const ANY: &str = "*";

/// Whether a page of this origin may call. `allowed` is the variable `mcp_allowed_origins`: origins or hosts with
/// commas, or `*`.
pub(super) fn may_call(origin: &str, allowed: &str) -> bool {
    let origin = origin.trim().trim_end_matches('/').to_ascii_lowercase();
    let host = host(&origin);
    listed(allowed).any(|entry| entry == ANY || entry == origin || Some(entry.as_str()) == host)
        || host.is_some_and(is_loopback)
}

/// What a browser is told of who may read the answer to this origin: by the same rule, for a page that may call and
/// may not read has nothing of it.
pub(super) fn may_read(origin: Option<&str>, allowed: &str) -> Cors {
    if listed(allowed).any(|entry| entry == ANY) {
        return Cors::Any;
    }
    let let_in = origin.filter(|origin| may_call(origin, allowed));
    Cors::Listed(let_in.map(str::to_owned).into_iter().collect())
}

fn listed(allowed: &str) -> impl Iterator<Item = String> {
    allowed
        .split(',')
        .map(|entry| entry.trim().trim_end_matches('/').to_ascii_lowercase())
        .filter(|entry| !entry.is_empty())
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

    #[test]
    fn who_may_call_may_read_the_answer_and_nobody_else() {
        let told = |origin: Option<&str>, allowed: &str| {
            let mut headers = Vec::new();
            may_read(origin, allowed).apply(origin, &mut headers);
            let value = |name: &str| {
                let found = headers.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| value.to_string())
            };
            (value("access-control-allow-origin"), value("vary").is_some())
        };
        let allowed = "https://app.example, inspector.example";
        for origin in
            ["http://localhost:6274", "HTTPS://APP.EXAMPLE", "https://inspector.example:444"]
        {
            assert_eq!(told(Some(origin), allowed), (Some(origin.to_owned()), true));
        }
        for origin in [None, Some("http://evil.example"), Some("null")] {
            assert_eq!(told(origin, allowed), (None, true), "{origin:?}");
        }
        for origin in [None, Some("http://evil.example")] {
            assert_eq!(told(origin, "*"), (Some("*".to_owned()), false), "{origin:?}");
        }
    }
}
