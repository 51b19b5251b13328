//! Speaks to model providers; the only reader of their keys.
//!
//! Border: exports `quarry:models/chat` and `quarry:models/catalog`. Translates and performs;
//! what to send, how to read it, when to try again and what it costs is decided in
//! `quarry-providers`.

mod bindings;
mod call;
mod convert;
mod describe;
mod outgoing;
mod passing;
mod prices;
mod settings;

use bindings::exports::quarry::models::{catalog, chat};
use bindings::{wit_future, wit_stream};
use wit_bindgen::{FutureReader, StreamReader};

/// What the bindings export.
struct Models;

type Outcome = Result<chat::Completion, chat::ChatError>;

impl chat::Guest for Models {
    async fn complete(
        request: chat::Request,
    ) -> (StreamReader<chat::Delta>, FutureReader<Outcome>) {
        let (deltas, deltas_read) = wit_stream::new::<chat::Delta>();
        // The default is written only if this task dies before it has an outcome.
        let (outcome, outcome_read) = wit_future::new::<Outcome>(|| {
            Err(chat::ChatError::Other("the call was given up".to_owned()))
        });
        wit_bindgen::spawn(async move {
            let passing = passing::Passing::start(deltas);
            let result = call::run(request, &passing).await;
            // Before the outcome, so that the stream can end; it goes on by itself meanwhile.
            drop(passing);
            // A caller that went away is no error.
            let _ = outcome.write(result).await;
        });
        (deltas_read, outcome_read)
    }
}

impl catalog::Guest for Models {
    async fn describe(model: Option<String>) -> Result<catalog::ModelInfo, catalog::CatalogError> {
        describe::describe(model).await
    }

    async fn prices() -> catalog::PriceSource {
        prices::source().await
    }
}
