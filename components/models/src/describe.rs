//! What is known about models.
//!
//! Border: configuration and price tables in, `quarry:models/catalog` out.

use crate::bindings::exports::quarry::models::catalog::{CatalogError, ModelInfo};
use crate::{convert, prices, settings};
use quarry_providers::catalogue;
use quarry_types::{ChatError, ModelId, ModelIdError, Provider};

pub async fn describe(model: Option<String>) -> Result<ModelInfo, CatalogError> {
    let model = match model.as_deref().map(str::trim).filter(|model| !model.is_empty()) {
        Some(text) => complete_name(text).await?,
        None => default_model().await?,
    };
    if model.provider == Provider::Local && model.name != catalogue::LOCAL_MODEL {
        let message = format!("the only built-in model is {}", catalogue::local_extractive());
        return Err(CatalogError::InvalidModel(message));
    }
    let has_operator_key = match model.provider {
        Provider::Local => false,
        provider => {
            settings::get(&catalogue::key_variable(provider)).await.map_err(other)?.is_some()
        }
    };
    let entry = prices::find(&model).await;
    Ok(ModelInfo {
        context_window: entry.and_then(|entry| entry.context_window),
        price: entry.map(|entry| convert::price(entry.price)),
        needs_key: model.provider.needs_key(),
        has_operator_key,
        is_language_model: model.provider != Provider::Local,
        model: model.to_string(),
    })
}

/// `provider:name`, or a provider alone with its default model.
async fn complete_name(text: &str) -> Result<ModelId, CatalogError> {
    let alone = text.strip_suffix(':').unwrap_or(text);
    if let Ok(provider) = alone.parse::<Provider>() {
        return provider_default(provider).await?.ok_or_else(|| {
            let variable = catalogue::model_variable(provider);
            CatalogError::InvalidModel(format!(
                "{provider} has no default model; write {provider}:name, or set {variable}"
            ))
        });
    }
    text.parse().map_err(|error: ModelIdError| match error {
        ModelIdError::UnknownProvider { .. } => CatalogError::UnknownProvider(error.to_string()),
        ModelIdError::NoProvider(_) | ModelIdError::NoName(_) | ModelIdError::TooLong => {
            CatalogError::InvalidModel(error.to_string())
        }
    })
}

async fn provider_default(provider: Provider) -> Result<Option<ModelId>, CatalogError> {
    let configured = match provider {
        Provider::Local => None,
        _ => settings::get(&catalogue::model_variable(provider)).await.map_err(other)?,
    };
    let name = configured.or_else(|| catalogue::default_model(provider).map(str::to_owned));
    Ok(name.map(|name| ModelId { provider, name }))
}

/// The configured default; else the first provider that the operator set up; else the built-in
/// model, which needs nothing.
async fn default_model() -> Result<ModelId, CatalogError> {
    if let Some(text) = settings::get("default_model").await.map_err(other)? {
        return complete_name(&text).await;
    }
    for provider in Provider::ALL {
        let is_set_up = match provider {
            // Without a key of their own, these count when somebody has named a model.
            Provider::Ollama | Provider::Custom => true,
            Provider::Local => false,
            _ => settings::get(&catalogue::key_variable(provider)).await.map_err(other)?.is_some(),
        };
        if is_set_up && let Some(model) = provider_default(provider).await? {
            return Ok(model);
        }
    }
    Ok(catalogue::local_extractive())
}

fn other(error: ChatError) -> CatalogError {
    CatalogError::Other(error.to_string())
}
