//! Connections to the outside: name resolution, blocked networks, TCP, TLS; kept for reuse by
//! hyper-util's client.

use std::collections::HashMap;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::Uri;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::{Connected, Connection};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tower_service::Service;
use wasmtime_wasi_http::p3::bindings::http::types::{DnsErrorPayload, ErrorCode};

use crate::networks::{BlockedNetwork, is_blocked};
use crate::runtime_config::RuntimeConfig;

pub(crate) type RequestBody = UnsyncBoxBody<Bytes, ErrorCode>;

/// The client that all components share, as in Spin.
pub(crate) type HttpClient = Client<Connector, RequestBody>;

tokio::task_local! {
    /// How long the request at hand may wait for its connection; hyper-util hands a connector
    /// no more than the address.
    pub(crate) static CONNECT_TIMEOUT: Duration;
}

/// Builds the shared client. `names` are resolved before the system is asked; `delays` leaves Nagle's
/// algorithm on.
pub(crate) fn client(
    config: &RuntimeConfig,
    names: HashMap<String, Vec<IpAddr>>,
    delays: bool,
) -> Result<HttpClient, rustls::Error> {
    let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut tls = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let connector = Connector {
        names: names.into(),
        blocked: config.outbound_networking.block_networks.clone().into(),
        tls: Arc::new(tls).into(),
        delays,
    };
    let mut builder = Client::builder(TokioExecutor::new());
    if !config.keeps_connections() {
        builder.pool_max_idle_per_host(0);
    }
    Ok(builder.build(connector))
}

#[derive(Clone)]
pub(crate) struct Connector {
    names: Arc<HashMap<String, Vec<IpAddr>>>,
    blocked: Arc<[BlockedNetwork]>,
    tls: TlsConnector,
    /// Whether a small segment waits until the one before it is acknowledged.
    delays: bool,
}

impl Connector {
    async fn connect(self, uri: Uri) -> Result<Stream, ErrorCode> {
        let host = uri.host().ok_or(ErrorCode::HttpRequestUriInvalid)?;
        let secure = uri.scheme_str() == Some("https");
        let port = uri.port_u16().unwrap_or(if secure { 443 } else { 80 });
        let name = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
        let addresses = self.resolve(name, port).await?;
        let stream = TcpStream::connect(&*addresses).await.map_err(|error| match error.kind() {
            std::io::ErrorKind::AddrNotAvailable => not_found(),
            _ => ErrorCode::ConnectionRefused,
        })?;
        stream.set_nodelay(!self.delays).map_err(|_| ErrorCode::ConnectionRefused)?;
        if !secure {
            return Ok(Stream::Plain(TokioIo::new(stream)));
        }
        let name = ServerName::try_from(name.to_owned()).map_err(|_| not_found())?;
        let stream =
            self.tls.connect(name, stream).await.map_err(|_| ErrorCode::TlsProtocolError)?;
        Ok(Stream::Secure(Box::new(TokioIo::new(stream))))
    }

    /// The addresses of a name, without the blocked ones.
    async fn resolve(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, ErrorCode> {
        let mut addresses: Vec<SocketAddr> = match self.names.get(host.trim_end_matches('.')) {
            Some(known) => known.iter().map(|ip| SocketAddr::new(*ip, port)).collect(),
            None => tokio::net::lookup_host((host, port)).await.map_err(|_| not_found())?.collect(),
        };
        if addresses.is_empty() {
            return Err(not_found());
        }
        addresses.retain(|address| !is_blocked(&self.blocked, address.ip()));
        match addresses.is_empty() {
            true => Err(ErrorCode::DestinationIpProhibited),
            false => Ok(addresses),
        }
    }
}

fn not_found() -> ErrorCode {
    ErrorCode::DnsError(DnsErrorPayload {
        rcode: Some("address not available".to_owned()),
        info_code: Some(0),
    })
}

impl Service<Uri> for Connector {
    type Response = Stream;
    type Error = ErrorCode;
    type Future = Pin<Box<dyn Future<Output = Result<Stream, ErrorCode>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), ErrorCode>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connector = self.clone();
        Box::pin(async move {
            let limit = CONNECT_TIMEOUT
                .try_get()
                .map_err(|_| ErrorCode::InternalError(Some("no connect timeout".to_owned())))?;
            tokio::time::timeout(limit, connector.connect(uri))
                .await
                .unwrap_or(Err(ErrorCode::ConnectionTimeout))
        })
    }
}

pub(crate) enum Stream {
    Plain(TokioIo<TcpStream>),
    Secure(Box<TokioIo<TlsStream<TcpStream>>>),
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        match self {
            Self::Plain(stream) => stream.inner().connected(),
            Self::Secure(stream) => {
                let (tcp, tls) = stream.inner().get_ref();
                match tls.alpn_protocol() {
                    Some(b"h2") => tcp.connected().negotiated_h2(),
                    _ => tcp.connected(),
                }
            }
        }
    }
}

impl Read for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<std::io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Self::Secure(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl Write for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Self::Secure(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_flush(context),
            Self::Secure(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Secure(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Plain(stream) => stream.is_write_vectored(),
            Self::Secure(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write_vectored(context, buffers),
            Self::Secure(stream) => Pin::new(stream).poll_write_vectored(context, buffers),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connector(blocked: &str) -> Connector {
        let networks: Vec<BlockedNetwork> =
            blocked.split_whitespace().map(|net| net.to_owned().try_into().unwrap()).collect();
        let name = |name: &str, addresses: &[&str]| {
            (name.to_owned(), addresses.iter().map(|ip| ip.parse().unwrap()).collect())
        };
        let names = HashMap::from([
            name("inside.example", &["127.0.0.1", "::1", "::ffff:10.0.0.1"]),
            name("both.example", &["10.0.0.1", "93.184.216.34", "fd00::1"]),
            name("nowhere.example", &[]),
        ]);
        let tls =
            ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
                .with_safe_default_protocol_versions()
                .unwrap()
                .with_root_certificates(RootCertStore::empty())
                .with_no_client_auth();
        Connector {
            names: names.into(),
            blocked: networks.into(),
            tls: Arc::new(tls).into(),
            delays: false,
        }
    }

    #[tokio::test]
    async fn names_that_lead_to_blocked_networks_are_prohibited() {
        let connector = connector("private");
        // The last ones are resolved by the system, or are addresses already.
        for name in ["inside.example", "inside.example.", "localhost", "127.0.0.1", "::1"] {
            let resolved = connector.resolve(name, 80).await;
            assert!(matches!(resolved, Err(ErrorCode::DestinationIpProhibited)), "{name}");
        }
    }

    #[tokio::test]
    async fn nagles_algorithm_is_left_on_only_where_it_is_wanted() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let uri: Uri = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
        for delays in [false, true] {
            let connector = Connector { delays, ..connector("") };
            let Ok(Stream::Plain(stream)) = connector.connect(uri.clone()).await else {
                panic!("no plain connection");
            };
            assert_eq!(stream.inner().nodelay().unwrap(), !delays);
        }
    }

    #[tokio::test]
    async fn only_the_addresses_that_are_not_blocked_are_left() {
        let both = connector("private").resolve("both.example", 443).await.unwrap();
        assert_eq!(both, [SocketAddr::from(([93, 184, 216, 34], 443))]);
        assert_eq!(connector("").resolve("both.example", 443).await.unwrap().len(), 3);
        let nowhere = connector("private").resolve("nowhere.example", 443).await;
        assert!(matches!(nowhere, Err(ErrorCode::DnsError(_))));
    }
}
