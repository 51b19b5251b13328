//! The headers of a request on its way to a component: what Spin takes away and what it adds. Pure.

use std::net::SocketAddr;

use http::header::{CONNECTION, HOST};
use http::uri::{Authority, Scheme};
use http::{HeaderMap, HeaderName, HeaderValue, Uri};

use crate::hosts::chained_component;
use crate::routes::RouteMatch;

/// Why a request cannot be handed to a component.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// Neither the address nor a `Host` header says for whom it is.
    #[error("the request has no Host header")]
    NoHost,
    /// They contradict each other, or the header is malformed.
    #[error("the request has a bad Host header")]
    BadHost,
    /// A header value that is no text.
    #[error("header {0} is not UTF-8")]
    BadHeader(HeaderName),
    /// A value of ours that cannot be a header or an address.
    #[error("the request's address cannot be passed on")]
    BadAddress,
}

/// Takes away what a client may not say.
pub fn strip(headers: &mut HeaderMap) {
    let chained =
        |value: &HeaderValue| value.to_str().is_ok_and(|v| chained_component(v).is_some());
    if headers.get(HOST).is_some_and(chained) {
        headers.remove(HOST);
    }
    headers.remove(CONNECTION);
}

/// The full address of a request, from its target and its `Host` header.
pub fn full_uri(uri: &Uri, headers: &HeaderMap) -> Result<Uri, RequestError> {
    let said = match headers.get(HOST) {
        None => None,
        Some(value) => {
            let text = value.to_str().map_err(|_| RequestError::BadHost)?;
            Some(text.parse::<Authority>().map_err(|_| RequestError::BadHost)?)
        }
    };
    let mut parts = uri.clone().into_parts();
    let authority = match (said, parts.authority) {
        (None, None) => return Err(RequestError::NoHost),
        (Some(one), Some(other)) if one != other => return Err(RequestError::BadHost),
        (Some(authority), _) | (None, Some(authority)) => authority,
    };
    parts.scheme = Some(Scheme::HTTP);
    parts.authority = Some(authority);
    Uri::from_parts(parts).map_err(|_| RequestError::BadAddress)
}

/// Adds the `spin-*` headers. They come after any that the client sent under the same names:
/// Spin does not remove those, so a component that trusts one must read the last.
pub fn add_spin_headers(
    headers: &mut HeaderMap,
    uri: &Uri,
    route: &RouteMatch<'_>,
    client: SocketAddr,
) -> Result<(), RequestError> {
    for (name, value) in headers.iter() {
        if std::str::from_utf8(value.as_bytes()).is_err() {
            return Err(RequestError::BadHeader(name.clone()));
        }
    }
    let host = headers.get(HOST).and_then(|value| value.to_str().ok()).unwrap_or("localhost");
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let full_url = format!("{}://{host}{path}", uri.scheme_str().unwrap_or("http"));
    let pattern = if route.pattern.starts_with('/') {
        route.pattern.to_owned()
    } else {
        format!("/{}", route.pattern)
    };
    let based = pattern.strip_suffix('/').unwrap_or(&pattern);
    let prefix = route.pattern.strip_suffix("/...").unwrap_or(route.pattern);
    let mut add = |name: HeaderName, value: &str| {
        let value = HeaderValue::from_str(value).map_err(|_| RequestError::BadAddress)?;
        headers.append(name, value);
        Ok(())
    };
    add(HeaderName::from_static("spin-path-info"), &route.path_info)?;
    add(HeaderName::from_static("spin-full-url"), &full_url)?;
    add(HeaderName::from_static("spin-matched-route"), based)?;
    add(HeaderName::from_static("spin-base-path"), "/")?;
    add(HeaderName::from_static("spin-raw-component-route"), route.pattern)?;
    add(HeaderName::from_static("spin-component-route"), prefix)?;
    add(HeaderName::from_static("spin-client-addr"), &client.to_string())?;
    for (name, value) in &route.parameters {
        let name = format!("spin-path-match-{}", name.replace('_', "-").to_ascii_lowercase());
        add(HeaderName::try_from(name).map_err(|_| RequestError::BadAddress)?, value)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::Router;

    fn headers(entries: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in entries {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    fn all<'h>(headers: &'h HeaderMap, name: &str) -> Vec<&'h str> {
        headers.get_all(name).iter().map(|value| value.to_str().unwrap()).collect()
    }

    #[test]
    fn spins_headers_say_where_the_request_came_from_and_went() {
        let router = Router::new([("/foo/:user_id/...", "a")]).unwrap();
        let uri: Uri = "http://example.com/foo/42/bar?key=1".parse().unwrap();
        let route = router.route(uri.path()).unwrap();
        let mut sent = headers(&[("host", "example.com"), ("accept", "a"), ("accept", "b")]);
        add_spin_headers(&mut sent, &uri, &route, "127.0.0.1:8777".parse().unwrap()).unwrap();
        for (name, value) in [
            ("spin-full-url", "http://example.com/foo/42/bar?key=1"),
            ("spin-path-info", "/bar"),
            ("spin-matched-route", "/foo/:user_id/..."),
            ("spin-raw-component-route", "/foo/:user_id/..."),
            ("spin-component-route", "/foo/:user_id"),
            ("spin-base-path", "/"),
            ("spin-client-addr", "127.0.0.1:8777"),
            ("spin-path-match-user-id", "42"),
        ] {
            assert_eq!(all(&sent, name), [value], "{name}");
        }
        assert_eq!(all(&sent, "accept"), ["a", "b"]);
    }

    #[test]
    fn a_forged_spin_header_comes_before_the_true_one() {
        let router = Router::new([("/...", "a")]).unwrap();
        let mut sent = headers(&[("host", "h"), ("spin-client-addr", "9.9.9.9:1")]);
        let client = "127.0.0.1:1".parse().unwrap();
        let uri: Uri = "http://h/".parse().unwrap();
        add_spin_headers(&mut sent, &uri, &router.route("/").unwrap(), client).unwrap();
        assert_eq!(all(&sent, "spin-client-addr"), ["9.9.9.9:1", "127.0.0.1:1"]);
    }

    #[test]
    fn a_client_may_not_pose_as_a_component_or_steer_the_connection() {
        let mut sent = headers(&[("host", "web.spin.internal:80"), ("connection", "close")]);
        strip(&mut sent);
        assert!(sent.is_empty());
        let mut sent = headers(&[("host", "example.com"), ("accept", "x")]);
        strip(&mut sent);
        assert_eq!(sent.len(), 2);
    }

    #[test]
    fn the_address_comes_from_the_target_or_the_host_header() {
        let uri = |target: &str, host: &[(&'static str, &str)]| {
            full_uri(&target.parse().unwrap(), &headers(host)).map(|uri| uri.to_string())
        };
        assert_eq!(uri("/a?b", &[("host", "h:1")]).as_deref(), Ok("http://h:1/a?b"));
        assert_eq!(uri("http://h:1/a", &[]).as_deref(), Ok("http://h:1/a"));
        assert_eq!(uri("/a", &[]), Err(RequestError::NoHost));
        assert_eq!(uri("http://h:1/a", &[("host", "other")]), Err(RequestError::BadHost));
    }
}
