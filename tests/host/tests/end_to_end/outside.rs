//! The world outside the host, as the tests need it: a server that records what reaches it and
//! a client that sees each part of a response as it comes.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

pub type Body = BoxBody<Bytes, Infallible>;

/// A server outside the host.
pub struct Outside {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: mpsc::UnboundedReceiver<String>,
}

impl Outside {
    /// `/pong` answers, `/stall` sends a head and no body, `/hang` never answers.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let (seen, requests) = mpsc::unbounded_channel();
        let count = connections.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                let seen = seen.clone();
                let service = service_fn(move |request| answer(request, seen.clone()));
                let serving = hyper::server::conn::http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service);
                tokio::spawn(serving);
            }
        });
        Self { address, connections, requests }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Waits for the next request and gives its path and body.
    pub async fn request(&mut self) -> String {
        self.requests.recv().await.unwrap()
    }
}

async fn answer(
    request: Request<Incoming>,
    seen: mpsc::UnboundedSender<String>,
) -> Result<Response<Body>, Infallible> {
    let path = request.uri().path().to_owned();
    let body = request.into_body().collect().await.unwrap().to_bytes();
    drop(seen.send(format!("{path} {}", String::from_utf8_lossy(&body))));
    let body = match &*path {
        "/hang" => std::future::pending().await,
        "/stall" => {
            let never = futures::stream::pending::<Result<Frame<Bytes>, Infallible>>();
            StreamBody::new(never).boxed()
        }
        _ => Full::from("pong").boxed(),
    };
    Ok(Response::new(body))
}

/// Sends a request with a body and gives status and text of the response.
pub async fn post(url: String, body: Body) -> (u16, String) {
    let response = open(url, body).await;
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

/// Sends a request and gives the response with its body still to come.
pub async fn open(url: String, body: Body) -> Response<Incoming> {
    let request = Request::post(url).body(body).unwrap();
    Client::builder(TokioExecutor::new()).build_http().request(request).await.unwrap()
}

pub fn empty() -> Body {
    Full::default().boxed()
}

/// A body that is sent part by part.
pub fn parts() -> (mpsc::Sender<&'static str>, Body) {
    let (sender, receiver) = mpsc::channel(1);
    let frames = futures::stream::unfold(receiver, |mut receiver: mpsc::Receiver<&str>| async {
        let part = receiver.recv().await?;
        Some((Ok(Frame::data(Bytes::from(part))), receiver))
    });
    (sender, StreamBody::new(frames).boxed())
}
