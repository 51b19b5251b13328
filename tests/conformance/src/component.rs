//! The built sandbox, alone on the local host, reached as its callers reach it.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1;
use hyper::{Method, Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use quarry_host::{Host, RunningHost};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use tokio::net::TcpStream;

use crate::execution::{Ending, Execution};

/// The longest time that the contract allows.
const TIMEOUT_MS: u32 = 10_000;

/// The sandbox at work.
pub struct Component {
    host: RunningHost,
    // Gone with it.
    _state: TempDir,
}

#[derive(Serialize)]
struct Program<'a> {
    source: &'a str,
    timeout_ms: u32,
}

#[derive(Deserialize)]
struct Outcome {
    console: Vec<Line>,
    error: Option<Thrown>,
    limit: Option<String>,
}

#[derive(Deserialize)]
struct Line {
    text: String,
}

#[derive(Deserialize)]
struct Thrown {
    name: String,
    message: String,
}

impl Component {
    /// Starts the component that the manifest names `sandbox`.
    ///
    /// # Errors
    /// When it is not built, or the host cannot start.
    pub async fn start(manifest: &Path) -> Result<Self> {
        let state = tempfile::tempdir().context("cannot make a temporary directory")?;
        let host = Host::builder(manifest)
            .only("sandbox")
            .state_dir(state.path())
            .max_instances(16)
            .forward_output(false)
            .capture_output(true)
            .start()
            .await?;
        Ok(Self { host, _state: state })
    }

    /// Runs one program.
    ///
    /// # Errors
    /// When the host cannot be reached; what befalls the component is an ending like others.
    pub async fn run(&self, source: &str) -> Result<Execution> {
        let body = serde_json::to_vec(&Program { source, timeout_ms: TIMEOUT_MS })?;
        let printed = self.host.output().text().len();
        let (status, answer) = self.post(body).await?;
        if status == StatusCode::PAYLOAD_TOO_LARGE || status == StatusCode::BAD_REQUEST {
            bail!("the sandbox refused the request: {}", String::from_utf8_lossy(&answer));
        }
        if !status.is_success() {
            let output = self.host.output().text();
            let cause = cause(output.get(printed..).unwrap_or_default());
            let answer = String::from_utf8_lossy(&answer);
            let words = format!("{}: {answer}{cause}", status.as_u16());
            return Ok(Execution::ended(Ending::Crashed(words)));
        }
        Ok(match serde_json::from_slice::<Result<Outcome, serde_json::Value>>(&answer)? {
            Ok(outcome) => execution(outcome),
            Err(error) => Execution::ended(Ending::Crashed(error.to_string())),
        })
    }

    /// A connection for each request: the host, like Spin, is slow to answer on used ones.
    async fn post(&self, body: Vec<u8>) -> Result<(StatusCode, Bytes)> {
        let address = self.host.address();
        let stream = TcpStream::connect(address).await.context("the host is gone")?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        let connection = tokio::spawn(connection);
        let request = Request::builder()
            .method(Method::POST)
            .uri("/javascript/run")
            .header(header::HOST, address.to_string())
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::new(Bytes::from(body)))?;
        let response = sender.send_request(request).await?;
        let status = response.status();
        // A guest that traps breaks its answer off.
        let body = response.into_body().collect().await;
        connection.abort();
        Ok(match body {
            Ok(body) => (status, body.to_bytes()),
            Err(error) => (StatusCode::BAD_GATEWAY, Bytes::from(error.to_string())),
        })
    }
}

/// What the host and the component said of a crash: the lines that name a cause.
fn cause(output: &str) -> String {
    let named = |line: &&str| line.contains("wasm trap") || line.contains("memory allocation");
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    output.lines().filter(named).map(words).collect::<Vec<_>>().join("; ")
}

fn execution(outcome: Outcome) -> Execution {
    let ending = match (outcome.limit, outcome.error) {
        (Some(limit), _) => Ending::Limit(limit.to_lowercase()),
        (None, None) => Ending::Completed,
        (None, Some(Thrown { name, message })) if name == "InternalError" => {
            Ending::Crashed(message)
        }
        (None, Some(Thrown { name, message })) => Ending::Threw { name, message },
    };
    Execution { console: outcome.console.into_iter().map(|line| line.text).collect(), ending }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Ending {
        execution(serde_json::from_str(text).unwrap()).ending
    }

    #[test]
    fn limits_come_before_the_errors_that_tell_of_them() {
        let limit = r#"{"console":[],"value":"None","limit":"Time","elapsed_ms":1,
            "error":{"name":"LimitError","message":"m","line":null,"column":null}}"#;
        assert_eq!(read(limit), Ending::Limit("time".to_owned()));
    }

    #[test]
    fn a_crash_is_told_with_its_cause() {
        let output = "sandbox: memory allocation of 9 bytes failed\nhost: request failed:\n  0: f\n  wasm trap: unreachable\n";
        let told = cause(output);
        assert_eq!(told, "sandbox: memory allocation of 9 bytes failed; wasm trap: unreachable");
        assert_eq!(cause(""), "");
    }

    #[test]
    fn a_failure_of_the_engine_is_a_crash() {
        let failed =
            r#"{"console":[],"limit":null,"error":{"name":"InternalError","message":"m"}}"#;
        assert_eq!(read(failed), Ending::Crashed("m".to_owned()));
    }
}
