//! One call to a model: tries, waits, the limit for the whole.
//!
//! Border: drives what `quarry-providers` decides.

use crate::bindings::exports::quarry::models::chat::{self, Delta};
use crate::convert;
use crate::http::{self, Body};
use crate::passing::Passing;
use crate::settings::{self, CallSettings};
use futures::future::{Either, select};
use quarry_providers::{
    Failure, Progress, Reply, ReplyReader, Retry, Step, catalogue, failure, request,
};
use quarry_types::{ChatError, ChatRequest, Completion, Credential};
use spin_sdk::wasip3::clocks::{monotonic_clock, system_clock};
use spin_sdk::wasip3::random::random;
use std::pin::pin;

/// Runs a call to its end.
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
    let total = settings.timeouts.total;
    let outcome = {
        let call = pin!(with_retries(request, &settings, passing));
        let limit = pin!(monotonic_clock::wait_for(total));
        match select(call, limit).await {
            Either::Left((outcome, _)) => outcome,
            Either::Right(((), _)) => Err(ChatError::Timeout {
                message: "the call took too long as a whole (provider_total_timeout_ms)".to_owned(),
            }),
        }
    };
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
        match retry.after(failure, passing.reached_reader(), random_fraction()) {
            Step::GiveUp(error) => return Err(error),
            Step::Again { failed_try, wait_ms, reason } => {
                let reason = failure::redact(&reason, settings.target.key.as_deref());
                passing.notice(Delta::Retry(chat::RetryNotice {
                    attempt: failed_try,
                    wait_ms,
                    reason,
                }));
                monotonic_clock::wait_for(wait_ms.saturating_mul(1_000_000)).await;
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
    let response = http::send(outgoing, settings.timeouts).await?;
    let status = response.get_status_code();
    if !(200..300).contains(&status) {
        let headers = response.get_headers().copy_all();
        let body = Body::of(response).error_text().await;
        return Err(failure::from_response(status, &headers, &body, unix_seconds()));
    }
    let mut body = Body::of(response);
    let mut reader = ReplyReader::new(wire);
    let mut passed = 0;
    loop {
        let progress = match body.next().await {
            Ok(Some(bytes)) => reader.push(bytes)?,
            Ok(None) => break,
            // A reply that was whole before the connection broke is whole.
            Err(_) if reader.is_whole() => break,
            Err(error) => return Err(error.into()),
        };
        if let Some(piece) = reader.text().get(passed..) {
            passing.text(piece);
            passed = reader.text().len();
        }
        if progress == Progress::Done {
            wit_bindgen::spawn(body.drain());
            return reader.finish();
        }
    }
    let reply = reader.finish()?;
    passing.text(reply.text.get(passed..).unwrap_or_default());
    Ok(reply)
}

/// From 0 to 1.
fn random_fraction() -> f64 {
    f64::from(u32::try_from(random::get_random_u64() >> 32).unwrap_or(0)) / f64::from(u32::MAX)
}

/// Now, in Unix seconds.
pub fn unix_seconds() -> f64 {
    let now = system_clock::now();
    // Exact for the next fifty thousand years.
    #[expect(clippy::cast_precision_loss, reason = "seconds stay far below 2^53")]
    let seconds = now.seconds as f64;
    seconds + f64::from(now.nanoseconds) / 1e9
}
