//! One call to a model: tries, waits, the limit for the whole.
//!
//! Border: drives what `quarry-providers` decides.

use crate::bindings::exports::quarry::models::chat::{self, Delta};
use crate::convert;
use crate::outgoing;
use crate::passing::Passing;
use crate::settings::{self, CallSettings};
use quarry_providers::{
    Failure, Progress, Reply, ReplyReader, Retry, Step, catalogue, failure, request,
};
use quarry_rim::http::HttpError;
use quarry_rim::{clock, random};
use quarry_types::{ChatError, ChatRequest, Completion, Credential};
use std::time::Duration;

/// Bytes of an error body that are read.
const ERROR_BODY_LIMIT: usize = 64 * 1024;
/// Bytes after a reply's end that are read so that the connection can be used again.
const DRAIN_LIMIT: usize = 64 * 1024;

pub async fn run(
    request: chat::Request,
    passing: &Passing,
) -> Result<chat::Completion, chat::ChatError> {
    let outcome = match convert::request(request) {
        Ok((request, credential)) => complete(&request, credential, passing).await,
        Err(error) => Err(error),
    };
    outcome.map(convert::completion).map_err(convert::chat_error)
}

async fn complete(
    request: &ChatRequest,
    credential: Credential,
    passing: &Passing,
) -> Result<Completion, ChatError> {
    let settings = settings::for_call(&request.model, credential).await?;
    let call = with_retries(request, &settings, passing);
    let outcome = clock::within(settings.total, call).await.unwrap_or_else(|| {
        Err(ChatError::Timeout {
            message: "the call took too long as a whole (provider_total_timeout_ms)".to_owned(),
        })
    });
    outcome.map_err(|error| failure::without_keys(error, settings.target.key.as_deref()))
}

async fn with_retries(
    request: &ChatRequest,
    settings: &CallSettings,
    passing: &Passing,
) -> Result<Completion, ChatError> {
    let mut retry = Retry::new();
    loop {
        let failure = match one_try(request, settings, passing).await {
            Ok(reply) => return Ok(reply.into_completion(request, retry.current_try())),
            Err(failure) => failure,
        };
        match retry.after(failure, passing.reached_reader(), random::fraction()) {
            Step::GiveUp(error) => return Err(error),
            Step::Again { failed_try, wait_ms, reason } => {
                let reason = failure::redact(&reason, settings.target.key.as_deref());
                passing.notice(Delta::Retry(chat::RetryNotice {
                    attempt: failed_try,
                    wait_ms,
                    reason,
                }));
                clock::sleep(Duration::from_millis(wait_ms)).await;
            }
        }
    }
}

async fn one_try(
    request: &ChatRequest,
    settings: &CallSettings,
    passing: &Passing,
) -> Result<Reply, Failure> {
    let wire = catalogue::wire(request.model.provider);
    let outgoing =
        request::build(request, &settings.target.address, settings.target.key.as_deref());
    let response = outgoing::send(outgoing, settings.timeouts).await?;
    let status = response.status();
    if !(200..300).contains(&status) {
        let headers = response.headers();
        let body = response.into_body().beginning(ERROR_BODY_LIMIT).await;
        let now = clock::unix_seconds_exact();
        return Err(failure::from_response(status, &headers, &body, now));
    }
    let mut body = response.into_body();
    let mut reader = ReplyReader::new(wire);
    let mut passed = 0;
    loop {
        let progress = match body.next().await {
            Ok(Some(bytes)) => reader.push(bytes)?,
            Ok(None) => break,
            // A reply that was whole before the connection broke is whole.
            Err(_) if reader.is_whole() => break,
            Err(error) => return Err(broken_off(error)),
        };
        if let Some(piece) = reader.text().get(passed..) {
            passing.text(piece);
            passed = reader.text().len();
        }
        if progress == Progress::Done {
            wit_bindgen::spawn(body.drain(DRAIN_LIMIT));
            return reader.finish();
        }
    }
    let reply = reader.finish()?;
    passing.text(reply.text.get(passed..).unwrap_or_default());
    Ok(reply)
}

fn broken_off(error: HttpError) -> Failure {
    outgoing::failed(error).into()
}
