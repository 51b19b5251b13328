//! One call for embeddings: tries, waits, the limit for the whole, and what it cost.
//!
//! Border: drives what `quarry-providers` decides.

use crate::bindings::exports::quarry::models::embeddings::{EmbedRequest, Embedded};
use crate::settings::{self, CallSettings};
use crate::{convert, outgoing, prices};
use quarry_providers::{self as providers, Call, EmbeddingCall, Failure, Next};
use quarry_rim::http::Timeouts;
use quarry_rim::variables::Variables;
use quarry_rim::{clock, random};
use quarry_types::{ChatError, Usage};
use std::time::Duration;

pub async fn run(request: EmbedRequest) -> Result<Embedded, ChatError> {
    let model = convert::model(&request.model)?;
    let credential = convert::credential(request.credential);
    let CallSettings { target, timeouts, total } =
        settings::for_call(&model, credential, None).await?;
    let call = EmbeddingCall::new(model.clone(), request.texts, target)?;
    let done = clock::within(total, with_retries(call, timeouts, total)).await;
    let embedded = done.unwrap_or_else(|| Err(Call::too_long()))?;
    let providers::Embedded { vectors, tokens, reported } = embedded;
    let entry = prices::find(&model, &Variables::current(clock::now())).await;
    let usage = Usage { input: tokens, reported, ..Usage::default() };
    let cost = entry.map(|entry| entry.price.cost(&usage));
    Ok(Embedded { vectors, tokens, reported, cost })
}

async fn with_retries(
    mut call: EmbeddingCall,
    timeouts: Timeouts,
    total: Duration,
) -> Result<providers::Embedded, ChatError> {
    // Its settings were read a moment ago.
    let begun = clock::recently();
    let left_ms = || clock::left_of(total, begun);
    loop {
        let tried = one_try(&call, timeouts).await;
        match call.tried(tried, left_ms, random::fraction) {
            Next::Ended(outcome) => return outcome,
            Next::Again { wait_ms, .. } => clock::sleep(Duration::from_millis(wait_ms)).await,
        }
    }
}

async fn one_try(call: &EmbeddingCall, timeouts: Timeouts) -> Result<providers::Embedded, Failure> {
    let response = outgoing::send(call.outgoing(), timeouts).await.map_err(outgoing::lost)?;
    let mut exchange = call.answered(response.status(), || response.headers());
    let mut body = response.into_body();
    let lost = loop {
        match body.next().await {
            Ok(Some(bytes)) if exchange.push(bytes)? => {}
            Ok(_) => break None,
            Err(error) => break Some(outgoing::lost(error)),
        }
    };
    exchange.end(lost, clock::unix_seconds_exact)
}
