//! One call to a model: tries, waits, the limit for the whole.
//!
//! Border: drives what `quarry-providers` decides.

use crate::bindings::exports::quarry::models::chat::{self, Delta};
use crate::convert::{self, Repeats};
use crate::outgoing;
use crate::passing::Passing;
use crate::settings::{self, CallSettings};
use quarry_providers::{Call, Failure, Next, Progress, Remembered, Reply};
use quarry_rim::http::Timeouts;
use quarry_rim::{clock, random};
use quarry_types::{ChatError, ChatRequest, Completion, Credential};
use std::cell::RefCell;
use std::time::Duration;

/// Bytes after a reply's end that are read so that the connection can be used again.
const DRAIN_LIMIT: usize = 64 * 1024;
/// How long they may come. A provider that goes on sending signs of life would keep its connection for days.
const DRAIN_TIME: Duration = Duration::from_secs(1);

thread_local! {
    /// What providers refused of the calls of this instance. Their parameters, and no data of anybody's.
    static REMEMBERED: RefCell<Remembered> = const { RefCell::new(Remembered::new()) };
}

pub async fn run(
    request: chat::Request,
    passing: Passing,
) -> Result<chat::Completion, chat::ChatError> {
    let outcome = match convert::request(request) {
        Ok((request, credential, repeats)) => {
            complete(request, credential, repeats, &passing).await
        }
        Err(error) => Err(error),
    };
    outcome.map(convert::completion).map_err(convert::chat_error)
}

async fn complete(
    request: ChatRequest,
    credential: Credential,
    repeats: Repeats,
    passing: &Passing,
) -> Result<Completion, ChatError> {
    let Repeats { retries, idempotency_key, time_limit } = repeats;
    let CallSettings { target, timeouts, total } =
        settings::for_call(&request.model, credential, time_limit).await?;
    let call =
        Call::new(request, target).with_retries(retries).with_idempotency_key(idempotency_key);
    let call = REMEMBERED.with_borrow(|remembered| call.knowing(remembered));
    let call = with_retries(call, timeouts, total, passing);
    clock::within(total, call).await.unwrap_or_else(|| Err(Call::too_long()))
}

async fn with_retries(
    mut call: Call,
    timeouts: Timeouts,
    total: Duration,
    passing: &Passing,
) -> Result<Completion, ChatError> {
    // Its settings were read a moment ago.
    let begun = clock::recently();
    let left_ms = || clock::left_of(total, begun);
    loop {
        let tried = one_try(&call, timeouts, passing).await;
        match call.tried(tried, passing.reached_reader(), left_ms, random::fraction) {
            Next::Ended(outcome) => {
                if outcome.is_ok() {
                    REMEMBERED.with_borrow_mut(|remembered| call.teach(remembered));
                }
                return outcome;
            }
            Next::Again { failed_try, wait_ms, reason, may_be_paid } => {
                passing.notice(Delta::Retry(chat::RetryNotice {
                    attempt: failed_try,
                    wait_ms,
                    reason,
                    may_be_paid,
                }));
                clock::sleep(Duration::from_millis(wait_ms)).await;
            }
        }
    }
}

async fn one_try(call: &Call, timeouts: Timeouts, passing: &Passing) -> Result<Reply, Failure> {
    let response = outgoing::send(call.outgoing(), timeouts).await.map_err(outgoing::lost)?;
    let mut exchange = call.answered(response.status(), || response.headers());
    let mut body = response.into_body();
    let lost = loop {
        match body.next().await {
            Ok(Some(bytes)) => {
                let progress = exchange.push(bytes)?;
                passing.text(exchange.text());
                if progress == Progress::Done {
                    wit_bindgen::spawn(body.drain(DRAIN_LIMIT, DRAIN_TIME));
                    break None;
                }
            }
            Ok(None) => break None,
            Err(error) => break Some(outgoing::lost(error)),
        }
    };
    let (reply, rest) = exchange.end(lost, clock::unix_seconds_exact)?;
    passing.text(&rest);
    Ok(reply)
}
