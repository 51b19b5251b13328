//! Requests that components send: permission, calls between components, the outside, timeouts.

use std::error::Error as _;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::header::HOST;
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{Request, Response, Uri};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;
use tokio::time::Sleep;
use wasmtime_wasi::TrappableError;
use wasmtime_wasi_http::p3::bindings::http::types::ErrorCode;
use wasmtime_wasi_http::p3::{RequestOptions, WasiHttpHooks};

use crate::connect::{CONNECT_TIMEOUT, HttpClient, RequestBody};
use crate::head_first::Race;
use crate::hosts::{AllowedHosts, chained_component};
use crate::server::App;
use crate::witness::{Deed, Watched, When};

/// What Spin waits when a request sets no timeout.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(600);

/// The host name by which an application calls itself.
const SELF_HOST: &str = "self.alt";

type ResponseBody = UnsyncBoxBody<Bytes, ErrorCode>;
type Ending = Box<dyn Future<Output = Result<(), ErrorCode>> + Send>;
type Outcome = Result<(Response<ResponseBody>, Ending), TrappableError<ErrorCode>>;

#[derive(Clone)]
pub(crate) struct Outbound {
    pub allowed: Arc<AllowedHosts>,
    pub client: HttpClient,
    /// Where requests that leave the application leave as under Spin.
    pub race: Option<Race>,
    /// Who watches the component of this name.
    pub watched: Option<Watched>,
    /// For calls to other components. Weak: the application owns the component.
    pub app: Weak<App>,
}

struct Timeouts {
    connect: Duration,
    first_byte: Duration,
    between_bytes: Duration,
}

impl From<Option<RequestOptions>> for Timeouts {
    fn from(options: Option<RequestOptions>) -> Self {
        let set = |get: fn(RequestOptions) -> Option<Duration>| {
            options.and_then(get).unwrap_or(DEFAULT_TIMEOUT)
        };
        Self {
            connect: set(|options| options.connect_timeout),
            first_byte: set(|options| options.first_byte_timeout),
            between_bytes: set(|options| options.between_bytes_timeout),
        }
    }
}

impl WasiHttpHooks for Outbound {
    fn send_request(
        &mut self,
        request: Request<RequestBody>,
        options: Option<RequestOptions>,
        // How the guest fared with the response: nothing here depends on it.
        _: Ending,
    ) -> Box<dyn Future<Output = Outcome> + Send> {
        let outbound = self.clone();
        Box::new(async move {
            let timeouts = Timeouts::from(options);
            let between_bytes = timeouts.between_bytes;
            let response = outbound.watched(request, timeouts).await?;
            let response = response
                .map(|body| TimedBody { body: Some(body), limit: between_bytes, sleep: None })
                .map(BodyExt::boxed_unsync);
            Ok((response, Box::new(std::future::ready(Ok(()))) as Ending))
        })
    }
}

impl Outbound {
    /// Sends, and tells whoever watches.
    async fn watched(
        self,
        request: Request<RequestBody>,
        timeouts: Timeouts,
    ) -> Result<Response<ResponseBody>, TrappableError<ErrorCode>> {
        let Some((component, witness)) = self.watched.clone() else {
            return self.send(request, timeouts).await;
        };
        let uri = request.uri().clone();
        let tell = |when| witness.tell_aside(&component, Deed::Request(&uri), when);
        tell(When::Before);
        let sent = self.send(request, timeouts).await;
        tell(if sent.is_ok() { When::Done } else { When::Failed });
        sent
    }

    async fn send(
        self,
        mut request: Request<RequestBody>,
        timeouts: Timeouts,
    ) -> Result<Response<ResponseBody>, TrappableError<ErrorCode>> {
        let app = self.app.upgrade().ok_or_else(ended)?;
        if request.uri().host().is_none_or(|host| host == SELF_HOST) {
            if !self.allowed.allow_self() {
                return Err(ErrorCode::HttpRequestDenied.into());
            }
            *request.uri_mut() = to_self(request.uri(), &app)?;
        } else if !self.allowed.allow(&request.uri().to_string()) {
            return Err(ErrorCode::HttpRequestDenied.into());
        }
        // HTTP/2 servers dislike it and HTTP/1 gets it back from the address.
        request.headers_mut().remove(HOST);
        if let Some(component) = request.uri().host().and_then(chained_component) {
            let component = component.to_owned();
            return app.call(&component, request).await.map_err(TrappableError::trap);
        }
        drop(app);
        Ok(self.send_outside(request, timeouts).await?)
    }

    async fn send_outside(
        self,
        request: Request<RequestBody>,
        timeouts: Timeouts,
    ) -> Result<Response<ResponseBody>, ErrorCode> {
        let request = match &self.race {
            Some(race) => request.map(|body| race.run(body).boxed_unsync()),
            None => request,
        };
        let sending = CONNECT_TIMEOUT.scope(timeouts.connect, self.client.request(request));
        let response = tokio::time::timeout(timeouts.first_byte, sending)
            .await
            .map_err(|_| ErrorCode::ConnectionReadTimeout)?
            .map_err(|error| error_code(error.source()))?;
        Ok(response.map(|body| body.map_err(|error| error_code(error.source())).boxed_unsync()))
    }
}

/// The address of the application itself in place of one without a host.
fn to_self(uri: &Uri, app: &App) -> Result<Uri, ErrorCode> {
    let path = uri.path_and_query().cloned().unwrap_or(PathAndQuery::from_static("/"));
    let own = app.address.to_string();
    let authority = Authority::try_from(own).map_err(|_| ErrorCode::HttpRequestUriInvalid)?;
    Uri::builder()
        .scheme(Scheme::HTTP)
        .authority(authority)
        .path_and_query(path)
        .build()
        .map_err(|_| ErrorCode::HttpRequestUriInvalid)
}

fn ended() -> ErrorCode {
    ErrorCode::InternalError(Some("the host has ended".to_owned()))
}

/// The cause that we put into hyper's error ourselves, if that is what it is.
fn error_code(mut cause: Option<&(dyn std::error::Error + 'static)>) -> ErrorCode {
    while let Some(error) = cause {
        if let Some(code) = error.downcast_ref::<ErrorCode>() {
            return code.clone();
        }
        cause = error.source();
    }
    ErrorCode::HttpProtocolError
}

/// A body that fails when its next part is too long in coming.
struct TimedBody {
    /// Gone after a timeout, and its connection with it.
    body: Option<ResponseBody>,
    limit: Duration,
    sleep: Option<Pin<Box<Sleep>>>,
}

impl Body for TimedBody {
    type Data = Bytes;
    type Error = ErrorCode;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, ErrorCode>>> {
        let this = self.get_mut();
        let Some(body) = this.body.as_mut() else { return Poll::Ready(None) };
        if let Poll::Ready(frame) = Pin::new(body).poll_frame(context) {
            this.sleep = None;
            return Poll::Ready(frame);
        }
        let limit = this.limit;
        let sleep = this.sleep.get_or_insert_with(|| Box::pin(tokio::time::sleep(limit)));
        ready!(sleep.as_mut().poll(context));
        this.body = None;
        Poll::Ready(Some(Err(ErrorCode::ConnectionReadTimeout)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(Body::size_hint).unwrap_or_default()
    }
}
