//! Which path and method mean what.
//!
//! Border: decides on the path and the method alone. A new route is a line in [`ROUTES`], a
//! variant of [`Route`] and a path of the OpenAPI document; a test holds them together.

use crate::Refusal;

/// What a request is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// Start an ask.
    Ask,
    /// Join an ask's stream.
    Events {
        /// The ask's id.
        id: String,
    },
    /// End an ask early.
    Stop {
        /// The ask's id.
        id: String,
    },
    /// Is the server alive, and which version is it?
    Health,
    /// The OpenAPI document.
    OpenApi,
    /// A browser asks what it may send.
    Preflight,
}

/// A path, the methods that it answers, and which route it is.
#[derive(Debug, Clone, Copy)]
pub struct RouteEntry {
    /// Path; `{id}` stands for one segment.
    pub pattern: &'static str,
    /// The method, besides OPTIONS.
    pub method: &'static str,
    /// Value of `Allow`.
    pub allow: &'static str,
    /// Whether it answers with streams, and so tells refusals in them.
    streams: bool,
    make: fn(String) -> Route,
}

const fn entry(
    pattern: &'static str,
    method: &'static str,
    allow: &'static str,
    make: fn(String) -> Route,
) -> RouteEntry {
    RouteEntry { pattern, method, allow, streams: false, make }
}

const fn streaming(entry: RouteEntry) -> RouteEntry {
    RouteEntry { streams: true, ..entry }
}

/// Every route.
pub const ROUTES: [RouteEntry; 6] = [
    streaming(entry("/", "POST", "POST, OPTIONS", |_| Route::Ask)),
    streaming(entry("/ask", "POST", "POST, OPTIONS", |_| Route::Ask)),
    streaming(entry("/ask/{id}/events", "GET", "GET, OPTIONS", |id| Route::Events { id })),
    entry("/ask/{id}/stop", "POST", "POST, OPTIONS", |id| Route::Stop { id }),
    entry("/healthz", "GET", "GET, OPTIONS", |_| Route::Health),
    entry("/openapi.json", "GET", "GET, OPTIONS", |_| Route::OpenApi),
];

/// Whether what lives at this path answers with streams.
#[must_use]
pub fn streams(path: &str) -> bool {
    ROUTES.iter().any(|entry| entry.streams && matched(entry.pattern, path).is_some())
}

/// Finds the route.
///
/// # Errors
/// [`Refusal::NotFound`] for a path that nothing lives at, [`Refusal::MethodNotAllowed`] for a
/// method that its path does not answer.
pub fn route(method: &str, path: &str) -> Result<Route, Refusal> {
    if method == "OPTIONS" {
        return Ok(Route::Preflight);
    }
    for entry in &ROUTES {
        let Some(id) = matched(entry.pattern, path) else { continue };
        if entry.method != method {
            return Err(Refusal::MethodNotAllowed { allow: entry.allow });
        }
        return Ok((entry.make)(id.to_owned()));
    }
    Err(Refusal::NotFound("nothing lives at this path; GET /openapi.json lists what does".into()))
}

/// What stands in the place of `{id}`, or an empty text when the pattern has none.
fn matched<'p>(pattern: &str, path: &'p str) -> Option<&'p str> {
    let Some((before, after)) = pattern.split_once("{id}") else {
        return (pattern == path).then_some("");
    };
    let id = path.strip_prefix(before)?.strip_suffix(after)?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (!id.is_empty() && id.len() <= 64 && id.bytes().all(plain)).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_routes() {
        let id = || "0af3".to_owned();
        for (method, path, expected) in [
            ("POST", "/", Route::Ask),
            ("POST", "/ask", Route::Ask),
            ("GET", "/ask/0af3/events", Route::Events { id: id() }),
            ("POST", "/ask/0af3/stop", Route::Stop { id: id() }),
            ("GET", "/healthz", Route::Health),
            ("GET", "/openapi.json", Route::OpenApi),
            ("OPTIONS", "/ask", Route::Preflight),
            ("OPTIONS", "/nowhere", Route::Preflight),
        ] {
            assert_eq!(route(method, path), Ok(expected), "{method} {path}");
        }
    }

    #[test]
    fn asks_and_their_events_are_streams() {
        for path in ["/", "/ask", "/ask/0af3/events"] {
            assert!(streams(path), "{path}");
        }
        for path in ["/ask/0af3/stop", "/healthz", "/openapi.json", "/nowhere"] {
            assert!(!streams(path), "{path}");
        }
    }

    #[test]
    fn other_methods_are_told_what_is_allowed() {
        for (method, path, allow) in [
            ("GET", "/", "POST, OPTIONS"),
            ("DELETE", "/ask", "POST, OPTIONS"),
            ("POST", "/ask/1/events", "GET, OPTIONS"),
            ("GET", "/ask/1/stop", "POST, OPTIONS"),
            ("HEAD", "/healthz", "GET, OPTIONS"),
            ("PURGE", "/openapi.json", "GET, OPTIONS"),
        ] {
            assert_eq!(
                route(method, path),
                Err(Refusal::MethodNotAllowed { allow }),
                "{method} {path}"
            );
        }
    }

    #[test]
    fn other_paths_are_unknown() {
        let long = format!("/ask/{}/events", "a".repeat(65));
        for path in ["/ask/", "/ask//events", "/ask/a/b/events", "/ask/a%2e/stop", "/v1", &long] {
            assert!(matches!(route("GET", path), Err(Refusal::NotFound(_))), "{path}");
        }
    }
}
