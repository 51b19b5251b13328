//! Which pages of other origins may call.
//!
//! Border: headers only. Credentials are never allowed: callers identify themselves in the body.

use std::borrow::Cow;

/// Header names are lower-case.
pub type Headers = Vec<(&'static str, Cow<'static, str>)>;

/// What browsers may send.
const ALLOW_METHODS: &str = "GET, POST, DELETE, OPTIONS";
const ALLOW_HEADERS: &str = "Content-Type, Accept, Authorization, Cache-Control, Idempotency-Key, Last-Event-ID, Prefer, X-Requested-With";
/// What scripts may read beyond the usual.
const EXPOSE_HEADERS: &str = "Retry-After, Retry-After-Ms, X-Should-Retry, Allow, Location, Preference-Applied, X-Request-Id, X-Quarry-Ask, X-Quarry-Ignored, Mcp-Session-Id, WWW-Authenticate";
/// Bytes of a browser's wish that are echoed.
const MAX_WANTED: usize = 2_048;
/// Seconds that a browser may remember a preflight: the longest that any keeps.
const MAX_AGE: &str = "86400";

/// The rule of the variable `cors_allowed_origins`, or of another door's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cors {
    /// `*`: every origin.
    Any,
    /// The listed ones; an empty list: none.
    Listed(Vec<String>),
}

impl Cors {
    /// Reads the variable: `*`, or origins such as `https://example.org` with commas between.
    #[must_use]
    pub fn read(variable: &str) -> Cors {
        let listed: Vec<String> = variable
            .split(',')
            .map(|origin| origin.trim().trim_end_matches('/').to_ascii_lowercase())
            .filter(|origin| !origin.is_empty())
            .collect();
        if listed.iter().any(|origin| origin == "*") { Cors::Any } else { Cors::Listed(listed) }
    }

    /// Whether a page of this origin may read answers, and have something done. A browser sends what it calls simple
    /// without asking first: then not letting the page read the answer would come too late.
    #[must_use]
    pub fn lets_act(&self, origin: &str) -> bool {
        match self {
            Cors::Any => true,
            Cors::Listed(listed) => listed.iter().any(|known| known.eq_ignore_ascii_case(origin)),
        }
    }

    /// Adds what a response to this origin carries.
    pub fn apply(&self, origin: Option<&str>, headers: &mut Headers) {
        let allowed = match self {
            Cors::Any => "*",
            Cors::Listed(_) => {
                // A cache must not hand one origin's answer to another, whoever asked first.
                headers.push(("vary", "Origin".into()));
                let Some(origin) = origin else { return };
                if !self.lets_act(origin) {
                    return;
                }
                origin
            }
        };
        headers.push(("access-control-allow-origin", allowed.to_owned().into()));
        headers.push(("access-control-expose-headers", EXPOSE_HEADERS.into()));
    }

    /// Adds what only the answer to OPTIONS carries. What a browser asks to send it may: clients have a dozen
    /// headers of their own, and `*` would not cover `Authorization`.
    pub fn preflight(wanted: Option<&str>, headers: &mut Headers) {
        let is_plain = |wanted: &&str| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_, ".contains(&byte);
            !wanted.trim().is_empty() && wanted.len() <= MAX_WANTED && wanted.bytes().all(plain)
        };
        let allowed =
            wanted.filter(is_plain).map_or(ALLOW_HEADERS.into(), |wanted| wanted.to_owned().into());
        headers.push(("allow", ALLOW_METHODS.into()));
        headers.push(("access-control-allow-methods", ALLOW_METHODS.into()));
        headers.push(("access-control-allow-headers", allowed));
        headers.push(("access-control-max-age", MAX_AGE.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(variable: &str, origin: Option<&str>) -> Headers {
        let mut headers = Headers::new();
        Cors::read(variable).apply(origin, &mut headers);
        headers
    }

    fn value<'h>(headers: &'h Headers, name: &str) -> Option<&'h str> {
        headers.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
    }

    #[test]
    fn the_star_is_for_everybody() {
        for origin in [None, Some("https://a.org")] {
            let headers = applied("*", origin);
            assert_eq!(value(&headers, "access-control-allow-origin"), Some("*"));
            assert_eq!(value(&headers, "vary"), None);
            assert_eq!(value(&headers, "access-control-allow-credentials"), None);
        }
    }

    #[test]
    fn only_pages_that_are_listed_may_act() {
        for (variable, origin, may) in [
            ("*", "https://a.org", true),
            ("https://a.org/", "https://A.org", true),
            ("https://a.org", "https://b.org", false),
            ("https://a.org", "null", false),
            ("", "https://a.org", false),
        ] {
            assert_eq!(Cors::read(variable).lets_act(origin), may, "{variable}: {origin}");
        }
    }

    #[test]
    fn a_preflight_allows_what_clients_send() {
        let mut headers = Headers::new();
        Cors::preflight(None, &mut headers);
        let methods = value(&headers, "access-control-allow-methods").unwrap_or_default();
        assert!(methods.split(", ").any(|method| method == "POST"), "{methods}");
        let allowed = value(&headers, "access-control-allow-headers").unwrap_or_default();
        // A JSON body, and an event stream that is joined again.
        for name in ["Content-Type", "Last-Event-ID"] {
            assert!(allowed.split(", ").any(|known| known == name), "{name} in {allowed}");
        }
    }

    #[test]
    fn what_a_browser_asks_to_send_is_echoed_as_far_as_it_is_a_list_of_names() {
        let allowed = |wanted: &str| {
            let mut headers = Headers::new();
            Cors::preflight(Some(wanted), &mut headers);
            value(&headers, "access-control-allow-headers").unwrap_or_default().to_owned()
        };
        let wanted = "authorization,content-type,x-stainless-retry-count";
        assert_eq!(allowed(wanted), wanted);
        for wrong in ["", " ", "x\r\nset-cookie: a", &"x".repeat(MAX_WANTED + 1)] {
            assert_eq!(allowed(wrong), ALLOW_HEADERS, "{wrong:?}");
        }
    }

    #[test]
    fn listed_origins_are_echoed_and_others_get_nothing() {
        let list = "https://a.org/, http://localhost:5173";
        for origin in ["https://a.org", "http://localhost:5173", "HTTPS://A.ORG"] {
            let headers = applied(list, Some(origin));
            assert_eq!(value(&headers, "access-control-allow-origin"), Some(origin));
            assert_eq!(value(&headers, "vary"), Some("Origin"));
        }
        for origin in [None, Some("https://b.org"), Some("http://a.org"), Some("null")] {
            let headers = applied(list, origin);
            assert_eq!(value(&headers, "access-control-allow-origin"), None, "{origin:?}");
            assert_eq!(value(&headers, "vary"), Some("Origin"));
        }
        assert_eq!(Cors::read(""), Cors::Listed(vec![]));
    }
}
