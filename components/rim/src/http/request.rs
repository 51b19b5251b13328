//! A request, ready to send.

use super::HttpError;
use http::Uri;
use http::uri::Scheme;

/// What a request does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Sends a body.
    Post,
}

/// A request. A header may hold a key, so this type does not print.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// What it does.
    pub method: Method,
    /// Whether to speak TLS.
    pub tls: bool,
    /// Host, and port where there is one.
    pub authority: String,
    /// The path with its query.
    pub path: String,
    /// Headers. With a body, its `content-length` has to be among them.
    pub headers: Vec<(String, Vec<u8>)>,
    /// Sent with POST only.
    pub body: Vec<u8>,
}

impl Request {
    /// A GET of an absolute http(s) address.
    ///
    /// # Errors
    /// When it is none that can be called.
    pub fn get(address: &str) -> Result<Self, HttpError> {
        // The WHATWG address parser leaves one sign that HTTP libraries do not take.
        let uri: Uri = address.replace('`', "%60").parse().map_err(|_| HttpError::NoAddress)?;
        let tls = match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTPS => true,
            Some(scheme) if *scheme == Scheme::HTTP => false,
            _ => return Err(HttpError::NoAddress),
        };
        let authority = uri.authority().ok_or(HttpError::NoAddress)?.to_string();
        let path = uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
        Ok(Self {
            method: Method::Get,
            tls,
            authority,
            path,
            headers: Vec::new(),
            body: Vec::new(),
        })
    }

    /// A POST to such an address.
    ///
    /// # Errors
    /// When it is none that can be called.
    pub fn post(address: &str, body: Vec<u8>) -> Result<Self, HttpError> {
        let length = body.len().to_string();
        let request = Self { method: Method::Post, body, ..Self::get(address)? };
        Ok(request.header("content-length", &length))
    }

    /// With one more header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.as_bytes().to_vec()));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_apart() {
        let Ok(request) = Request::get("https://a.example:8443/x`y?q=1") else { panic!("is one") };
        assert!(request.tls);
        assert_eq!(request.authority, "a.example:8443");
        assert_eq!(request.path, "/x%60y?q=1");
        let Ok(request) = Request::post("http://a.example", b"four".to_vec()) else {
            panic!("is one")
        };
        assert_eq!((request.tls, request.path.as_str()), (false, "/"));
        assert_eq!(request.headers, [("content-length".to_owned(), b"4".to_vec())]);
    }

    #[test]
    fn other_things_are_no_addresses() {
        for address in ["", "/x", "a.example/x", "ftp://a.example/", "http://", "http://a b/"] {
            assert!(Request::get(address).err() == Some(HttpError::NoAddress), "{address}");
        }
    }
}
