//! Speaks to model providers; the only reader of their keys.
//!
//! Border: exports `quarry:models/chat`, `quarry:models/embeddings` and `quarry:models/catalog`. Translates and performs;
//! what to send, how to read it, when to try again and what it costs is decided in
//! `quarry-providers`.

mod bindings;
mod call;
mod convert;
mod describe;
mod embed;
mod outgoing;
mod passing;
mod prices;
mod settings;

use bindings::exports::quarry::models::{catalog, chat, embeddings};
use bindings::{wit_future, wit_stream};
use futures::future::{Either, join, ready, select};
use passing::Pieces;
use std::pin::pin;

/// What the bindings export.
struct Models;

type Outcome = Result<chat::Completion, chat::ChatError>;

impl chat::Guest for Models {
    async fn complete(request: chat::Request) -> chat::Answer {
        let (passing, mut pieces) = passing::queue();
        let call = Box::pin(call::run(request, passing));
        let call = match select(call, pin!(pieces.any())).await {
            Either::Left((outcome, _)) => Either::Left(ready(outcome)),
            Either::Right((_, call)) => Either::Right(call),
        };
        match call {
            Either::Left(ended) if !pieces.has_come() => chat::Answer::Whole(ended.into_inner()),
            call => in_pieces(pieces, call),
        }
    }
}

fn in_pieces(pieces: Pieces, call: impl Future<Output = Outcome> + 'static) -> chat::Answer {
    let (deltas, deltas_read) = wit_stream::new::<chat::Delta>();
    // The default is written only where there is no outcome: the call was given up, or this task died.
    let (outcome, outcome_read) = wit_future::new::<Outcome>(|| {
        Err(chat::ChatError::Other("the call was given up".to_owned()))
    });
    wit_bindgen::spawn(async move {
        let call = pin!(call);
        let passing_on = pin!(pieces.pass_on(deltas));
        // A caller that went away is no error.
        match select(call, passing_on).await {
            Either::Left((ended, passing_on)) => {
                let _ = join(outcome.write(ended), passing_on).await;
            }
            Either::Right((true, call)) => {
                let _ = outcome.write(call.await).await;
            }
            // Nobody wants what it would go on paying for.
            Either::Right((false, _)) => {}
        }
    });
    chat::Answer::InPieces((deltas_read, outcome_read))
}

impl embeddings::Guest for Models {
    async fn embed(
        request: embeddings::EmbedRequest,
    ) -> Result<embeddings::Embedded, chat::ChatError> {
        embed::run(request).await.map_err(convert::chat_error)
    }
}

impl catalog::Guest for Models {
    async fn describe(model: Option<String>) -> Result<catalog::ModelInfo, catalog::CatalogError> {
        describe::describe(model).await
    }
}
