//! A small HTTP client for Quarry's own API.

use anyhow::{Context, Error, Result, anyhow};
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::{Request, Response};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

/// Keeps connections open between requests.
pub struct Client(legacy::Client<HttpsConnector<HttpConnector>, Full<Bytes>>);

impl Client {
    /// A client with Mozilla's root certificates.
    pub fn pooled() -> Client {
        let connector = connector();
        Client(legacy::Client::builder(TokioExecutor::new()).build(connector))
    }

    /// A client that opens a connection for each request. Spin's listener, and the local host like
    /// it, sends a head and waits for its acknowledgement before the body follows; on a connection
    /// that has been used a while that comes 40 ms late.
    pub fn for_measuring() -> Client {
        let connector = connector();
        let mut builder = legacy::Client::builder(TokioExecutor::new());
        Client(builder.pool_max_idle_per_host(0).build(connector))
    }

    /// `GET`.
    pub async fn get(&self, url: &str, headers: &[(&str, &str)]) -> Result<Response<Incoming>> {
        self.send("GET", url, headers, Bytes::new()).await
    }

    /// `POST` with a JSON body.
    pub async fn post(
        &self,
        url: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> Result<Response<Incoming>> {
        let mut headers = headers.to_vec();
        headers.push(("content-type", "application/json"));
        self.send("POST", url, &headers, Bytes::from(body.to_string())).await
    }

    /// `POST` with bytes whose type a header names.
    pub async fn post_bytes(
        &self,
        url: &str,
        headers: &[(&str, &str)],
        body: Bytes,
    ) -> Result<Response<Incoming>> {
        self.send("POST", url, headers, body).await
    }

    async fn send(
        &self,
        method: &str,
        url: &str,
        headers: &[(&str, &str)],
        body: Bytes,
    ) -> Result<Response<Incoming>> {
        let mut request = Request::builder().method(method).uri(url);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Full::new(body)).with_context(|| format!("cannot ask {url}"))?;
        self.0.request(request).await.with_context(|| format!("cannot reach {url}"))
    }
}

/// Whether nothing answers there: so nothing was sent.
pub fn is_unanswered(error: &Error) -> bool {
    error.downcast_ref::<legacy::Error>().is_some_and(legacy::Error::is_connect)
}

/// With what to do, where nothing answers at the address of a Quarry.
pub fn with_way_out(error: Error) -> Error {
    if is_unanswered(&error) {
        anyhow!("{error:#}\nhint: start a Quarry with `cargo xtask up`, or name another with --url")
    } else {
        error
    }
}

fn connector() -> HttpsConnector<HttpConnector> {
    hyper_rustls::HttpsConnectorBuilder::new()
        .with_webpki_roots()
        .https_or_http()
        .enable_http1()
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[tokio::test]
    async fn where_no_quarry_answers_the_way_out_is_told() {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let url = format!("http://{address}/");
        let error = Client::pooled().get(&url, &[]).await.unwrap_err();
        let told = with_way_out(error).to_string();
        assert!(told.starts_with(&format!("cannot reach {url}")), "{told}");
        assert!(told.contains("\nhint: start a Quarry with `cargo xtask up`"), "{told}");
        assert_eq!(with_way_out(anyhow!("it said no")).to_string(), "it said no");
    }
}
