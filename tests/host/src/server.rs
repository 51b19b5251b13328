//! Requests from outside and from other components: which component gets them, and in what dress.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Empty, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use wasmtime_wasi_http::handler::{ErrorCode as AnyErrorCode, ProxyHandler};
use wasmtime_wasi_http::p3::bindings::http::types::ErrorCode;

use crate::calls::Tally;
use crate::connection::{Connection, Unread, Watched};
use crate::guest::Instances;
use crate::headers::{self, RequestError};
use crate::memory::Peaks;
use crate::output::Output;
use crate::routes::{RouteMatch, Router, WELL_KNOWN_PREFIX};

type GuestBody = UnsyncBoxBody<Bytes, ErrorCode>;

/// Where a call from another component seems to come from, as in Spin.
const CHAINED_CLIENT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);

/// The end of a host. Connections go first, so that no client takes the end of a guest for its
/// answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lifetime {
    /// The listener and its connections.
    pub connections: Phase,
    /// Live instances.
    pub guests: Phase,
}

/// Tasks that end together: who is told, and who is waited for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Phase {
    /// Cancelled when the tasks are to end.
    pub ended: CancellationToken,
    /// Counts the tasks.
    pub tasks: TaskTracker,
}

impl Phase {
    /// Tells all tasks to end and waits until they have.
    pub async fn end(&self) {
        self.ended.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

pub(crate) struct App {
    pub router: Router,
    /// Every component that a trigger names, private ones too.
    pub handlers: HashMap<String, ProxyHandler<Instances>>,
    pub address: SocketAddr,
    pub output: Output,
    pub lifetime: Lifetime,
    pub tally: Tally,
    pub peaks: Peaks,
}

impl App {
    /// Accepts connections until the host ends.
    pub async fn listen(self: Arc<Self>, listener: TcpListener) {
        let ended = self.lifetime.connections.ended.clone();
        let accept = async {
            loop {
                match listener.accept().await {
                    Ok((stream, client)) => self.clone().serve(stream, client),
                    // Out of files, or a client that left: the next one may fare better.
                    Err(error) => {
                        self.output.say("host", &format!("cannot accept a connection: {error}"));
                        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                    }
                }
            }
        };
        ended.run_until_cancelled(accept).await;
    }

    fn serve(self: Arc<Self>, stream: TcpStream, client: SocketAddr) {
        let tasks = self.lifetime.connections.tasks.clone();
        let ended = self.lifetime.connections.ended.clone();
        tasks.spawn(async move {
            let builder = Builder::new(TokioExecutor::new());
            let unread = Unread::default();
            let stream = Connection::new(stream, unread.clone());
            let service = service_fn(move |request: Request<Incoming>| {
                let app = self.clone();
                let request = request.map(|body| unread.watch(body));
                async move { Ok::<_, Infallible>(app.answer(request, client).await) }
            });
            // A connection that breaks is the client's affair.
            let serving = builder.serve_connection(TokioIo::new(stream), service);
            drop(ended.run_until_cancelled(serving).await);
        });
    }

    async fn answer(&self, request: Request<Watched>, client: SocketAddr) -> Response<GuestBody> {
        let mut request =
            request.map(|body| body.map_err(ErrorCode::from_hyper_request_error).boxed_unsync());
        headers::strip(request.headers_mut());
        let path = request.uri().path().to_owned();
        if let Some(well_known) = path.strip_prefix(WELL_KNOWN_PREFIX) {
            return match well_known {
                "health" => Response::new(text("OK")),
                // Not Spin's.
                "host-calls" if self.tally.counts_any() => {
                    Response::new(text(self.tally.to_string()))
                }
                "peak-memory" if self.tally.counts_any() => {
                    Response::new(text(self.peaks.take().to_string()))
                }
                _ => status(StatusCode::NOT_FOUND),
            };
        }
        let Some(route) = self.router.route(&path) else { return status(StatusCode::NOT_FOUND) };
        match self.dispatch(&route, request, client).await {
            Ok(response) => response,
            // The client's mistake is nobody's failure.
            Err(error) if error.downcast_ref::<RequestError>().is_some() => {
                let mut refused = status(StatusCode::BAD_REQUEST);
                *refused.body_mut() = text(error.to_string());
                refused
            }
            Err(error) => {
                self.output.say(route.component, &format!("request failed: {error:?}"));
                status(StatusCode::INTERNAL_SERVER_ERROR)
            }
        }
    }

    /// A call from one component to another. A failing callee is a 500; a callee that does not
    /// exist is an error, which traps the caller, as in Spin.
    pub async fn call(
        &self,
        component: &str,
        request: Request<GuestBody>,
    ) -> wasmtime::Result<Response<GuestBody>> {
        let path = request.uri().path().to_owned();
        let route = RouteMatch::chained(component, &path);
        if !self.handlers.contains_key(component) {
            return Err(wasmtime::Error::msg(format!("no component {component:?} to call")));
        }
        match self.dispatch(&route, request, CHAINED_CLIENT).await {
            Ok(response) => Ok(response),
            Err(error) => {
                self.output.say(component, &format!("request failed: {error:?}"));
                Ok(status(StatusCode::INTERNAL_SERVER_ERROR))
            }
        }
    }

    async fn dispatch(
        &self,
        route: &RouteMatch<'_>,
        mut request: Request<GuestBody>,
        client: SocketAddr,
    ) -> wasmtime::Result<Response<GuestBody>> {
        let handler = self
            .handlers
            .get(route.component)
            .ok_or_else(|| wasmtime::Error::msg(format!("no component {:?}", route.component)))?;
        *request.uri_mut() = headers::full_uri(request.uri(), request.headers())?;
        let uri = request.uri().clone();
        headers::add_spin_headers(request.headers_mut(), &uri, route, client)?;
        let request = request.map(|body| body.map_err(AnyErrorCode::from).boxed_unsync());
        let response = handler.handle((), request).await?;
        Ok(response.map(|body| body.map_err(error_code).boxed_unsync()))
    }
}

fn error_code(error: wasmtime::Error) -> ErrorCode {
    match error.downcast::<ErrorCode>() {
        Ok(code) => code,
        Err(error) => ErrorCode::InternalError(Some(error.to_string())),
    }
}

fn status(status: StatusCode) -> Response<GuestBody> {
    let mut response =
        Response::new(Empty::new().map_err(|never: Infallible| match never {}).boxed_unsync());
    *response.status_mut() = status;
    response
}

fn text(text: impl Into<Bytes>) -> GuestBody {
    Full::new(text.into()).map_err(|never: Infallible| match never {}).boxed_unsync()
}
