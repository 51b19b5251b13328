//! One call: a record as JSON there, a result as JSON back.

use http_body_util::{BodyExt, Full};
use serde::{Serialize, de::DeserializeOwned};
use spin_sdk::wasip3::http::types::{ErrorCode, RequestOptions};
use spin_sdk::wasip3::http_compat::RequestOptionsExtension;
use std::fmt;
use std::time::Duration;

/// The far side may need this much longer than the work itself.
const GRACE: Duration = Duration::from_secs(5);

/// Why a call did not come back.
pub enum Lost {
    /// The component crashed, ran out of memory, or answered with an error status.
    Crashed(u16),
    /// It could not be reached or did not answer in time.
    Unreachable(ErrorCode),
    /// It answered something else than the interface says.
    Malformed(serde_json::Error),
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lost::Crashed(status) => write!(f, "the component failed (status {status})"),
            Lost::Unreachable(code) => write!(f, "the component could not be reached ({code})"),
            Lost::Malformed(error) => write!(f, "the component's answer is malformed ({error})"),
        }
    }
}

/// Calls `component`'s function at `path`; `within` is how long the work itself may take.
pub async fn carry<P: Serialize, R: DeserializeOwned>(
    component: &str,
    path: &str,
    parameter: &P,
    within: Duration,
) -> Result<R, Lost> {
    let body = serde_json::to_vec(parameter).map_err(Lost::Malformed)?;
    let request = http::Request::post(format!("http://{component}.spin.internal{path}"))
        .header("content-type", "application/json")
        .extension(RequestOptionsExtension(options(within + GRACE)))
        .body(Full::new(bytes::Bytes::from(body)))
        .map_err(|error| Lost::Unreachable(ErrorCode::InternalError(Some(error.to_string()))))?;
    let response = spin_sdk::http::send(request).await.map_err(Lost::Unreachable)?;
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.map_err(Lost::Unreachable)?.to_bytes();
    if status != 200 {
        return Err(Lost::Crashed(status));
    }
    serde_json::from_slice(&body).map_err(Lost::Malformed)
}

fn options(within: Duration) -> RequestOptions {
    let options = RequestOptions::new();
    let nanoseconds = u64::try_from(within.as_nanos()).unwrap_or(u64::MAX);
    // A host that does not support one of these falls back to its own, longer one.
    _ = options.set_connect_timeout(Some(nanoseconds));
    _ = options.set_first_byte_timeout(Some(nanoseconds));
    _ = options.set_between_bytes_timeout(Some(nanoseconds));
    options
}
