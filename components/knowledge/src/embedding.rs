//! A provider's model of embeddings: which one is set, what a load may pay, and calls to it.
//!
//! Border: reads settings, asks `quarry:models`, translates; what is embedded when is decided in `quarry-knowledge`.

use crate::bindings::exports::quarry::agent::types::Caller;
use crate::bindings::quarry::models::catalog;
use crate::bindings::quarry::models::chat::{ChatError, Credential};
use crate::bindings::quarry::models::embeddings::{self, EmbedRequest};
use crate::convert;
use quarry_knowledge::embed::tokens_for;
use quarry_knowledge::library::{EmbedFailed, Embedded, EmbeddingSetting, Waiting};
use quarry_rim::variables::{SettingError, Variables};
use quarry_rim::{clock, diagnostics};
use std::time::Duration;

const MODEL: &str = "embedding_model";
const MAX_COST: &str = "embedding_max_cost";
/// US dollars where it is not set.
const USUAL_COST: f64 = 1.0;
/// How long a search waits for the direction of its question.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a search says of a model that its caller may not use.
const NOT_YOURS: &str =
    "this server's keys are not yours to use, and its `embedding_model` needs one";

/// The model that is set, for searches, which pay for a question and no more.
pub async fn for_search(caller: &Caller) -> Option<Result<EmbeddingSetting, String>> {
    let model = Variables::current(clock::now()).word(MODEL).await.transpose()?;
    let setting = model.map_err(told).and_then(|model| EmbeddingSetting::read(&model, u64::MAX));
    Some(match setting {
        Ok(setting) if !is_paid(caller, &setting).await => Err(NOT_YOURS.to_owned()),
        setting => setting,
    })
}

/// The model that is set, with what a load may pay for beside what its request has paid already. Where no price is
/// known nothing bounds it. None for callers whom the operator does not pay for: their documents have no vectors, and
/// are ranked by words and learned meaning.
pub async fn for_load(caller: &Caller, paid: u64) -> Option<Result<EmbeddingSetting, String>> {
    let variables = Variables::current(clock::now());
    let model = variables.word(MODEL).await.transpose()?;
    let setting = match model {
        Ok(model) => priced(model, paid, &variables).await,
        Err(error) => Err(told(error)),
    };
    match &setting {
        Ok(known) if !is_paid(caller, known).await => None,
        _ => Some(setting),
    }
}

/// Whether the operator pays for what this caller has embedded.
async fn is_paid(caller: &Caller, setting: &EmbeddingSetting) -> bool {
    if caller.operator_keys {
        return true;
    }
    let known = catalog::describe(Some(setting.model.clone())).await;
    known.is_ok_and(|known| !known.needs_key && !known.has_operator_key)
}

async fn priced(
    model: String,
    paid: u64,
    variables: &Variables,
) -> Result<EmbeddingSetting, String> {
    let wanted = "a number of US dollars, 0 or more, such as 0.50";
    let read = |text: &str| {
        let number = if text.is_empty() { Some(USUAL_COST) } else { text.parse().ok() };
        number.filter(|cost: &f64| cost.is_finite() && *cost >= 0.0)
    };
    let cost = variables.parsed(MAX_COST, wanted, read).await.map_err(told)?;
    let setting = EmbeddingSetting::read(&model, u64::MAX)?;
    let known = catalog::describe(Some(setting.model.clone())).await;
    let known = known.map_err(|error| format!("{MODEL}: {}", words(error)))?;
    let price = known.price.map(|price| price.input);
    let budget = price.map_or(u64::MAX, |price| tokens_for(cost, price));
    Ok(EmbeddingSetting { budget: budget.saturating_sub(paid), price, ..setting })
}

fn told(error: SettingError) -> String {
    error.to_string()
}

fn words(error: catalog::CatalogError) -> String {
    match error {
        catalog::CatalogError::UnknownProvider(why)
        | catalog::CatalogError::InvalidModel(why)
        | catalog::CatalogError::Other(why) => why,
    }
}

/// Has texts embedded. The operator pays.
pub async fn embed(model: &str, texts: Vec<String>, who: Waiting) -> Result<Embedded, EmbedFailed> {
    let (model, credential) = (model.to_owned(), Credential::Operator);
    let call = embeddings::embed(EmbedRequest { model, credential, texts });
    let done = match who {
        Waiting::Load => call.await,
        Waiting::Search => clock::within(PATIENCE, call)
            .await
            .unwrap_or_else(|| Err(ChatError::Timeout("it took too long for a search".to_owned()))),
    };
    match done {
        Ok(done) => Ok(Embedded { vectors: done.vectors, tokens: done.tokens, cost: done.cost }),
        Err(error) => Err(convert::chat_error(error).into()),
    }
}

/// Says in the log that a search had to do without.
pub fn note(note: Option<&str>) {
    if let Some(note) = note {
        diagnostics::note(format_args!("knowledge: {note}"));
    }
}
