//! What is known about models.
//!
//! Border: performs what `quarry_providers::choose` decides; adds the price.

use crate::bindings::exports::quarry::models::catalog::{CatalogError, ModelInfo};
use crate::{convert, prices, settings};
use quarry_providers::catalogue;
use quarry_providers::choose::{self, Description, Known, Undecided};
use quarry_rim::clock;
use quarry_rim::variables::Variables;

pub async fn describe(model: Option<String>) -> Result<ModelInfo, CatalogError> {
    let variables = Variables::current(clock::now());
    let Description { model, has_operator_key, timeout_ms } =
        decided(model.as_deref(), &variables).await?;
    let entry = prices::find(&model, &variables).await;
    Ok(ModelInfo {
        context_window: catalogue::context_window(&model, entry.as_ref()),
        price: entry.map(|entry| convert::price(entry.price)),
        needs_key: model.provider.needs_key(),
        has_operator_key,
        is_language_model: model.provider.is_remote(),
        thinks: catalogue::thinks(&model),
        timeout_ms,
        model: model.to_string(),
    })
}

async fn decided(model: Option<&str>, variables: &Variables) -> Result<Description, CatalogError> {
    let mut known = Known::default();
    loop {
        let variable = match choose::describe(model, &known) {
            Ok(description) => return Ok(description),
            Err(Undecided::Refused(refusal)) => return Err(convert::refusal(&refusal)),
            Err(Undecided::Needs(variable)) => variable,
        };
        let value = settings::get(variables, &variable).await;
        known.learn(variable, value.map_err(|error| CatalogError::Other(error.to_string()))?);
    }
}
