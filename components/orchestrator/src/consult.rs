//! Starting a question to documents: the model is described, the machine set going.
//!
//! Border: who pays is decided in `quarry-admission`, and all else by the machine's own request.

use crate::Orchestrator;
use crate::asked::Asked;
use crate::bindings::exports::quarry::agent::ask::{AskError, Begun, Caller};
use crate::bindings::exports::quarry::agent::consult::{Guest, Request};
use crate::bindings::quarry::models::catalog;
use crate::called::start_once;
use crate::driver::Context;
use crate::effects::Whose;
use crate::settings;
use crate::shelf::Shelf;
use crate::slot::Taken;
use crate::start::{Held, Holding, Once, Started, catalog_error, pay, set_going};
use quarry_admission::OwnKey;
use quarry_machines::ask::Asker;
use quarry_machines::consult::{Consult, ConsultRequest, ConsultSettings};
use quarry_machines::core::Budget;
use quarry_rim::random;
use quarry_tools::KnowledgeFilter;
use quarry_types::{AskId, Timestamp};

impl Guest for Orchestrator {
    async fn start(mut request: Request, caller: Caller) -> Result<Begun, AskError> {
        let join = request.join.take();
        start_once(join, Asked::Question(Box::new(request)), caller).await
    }
}

/// Sets a question going.
pub async fn set_question_going(
    request: Request,
    once: Option<Once<'_>>,
    caller: Caller,
    id: AskId,
    now: Timestamp,
) -> Result<Option<Started>, AskError> {
    let settings = settings::read(now).await?;
    let own = settings::consult(&settings, now).await?;
    let wanted = catalog::describe(request.model.clone()).await.map_err(catalog_error)?;
    let own_key = request.api_key.as_deref().map(|text| OwnKey { text, is_spare: false });
    let (answering, credential) =
        pay(&request.query, own_key, caller.operator_keys, wanted, &settings).await?;
    let Caller { email, name, operator_keys } = caller;
    let whose = Whose { email: email.clone(), operator_keys };
    let asker = Asker { email, name, operator_keys };
    let params = asked(request).params(id, random::bits64(), answering, asker, own)?;
    let model = params.model.id.to_string();
    // A question is answered without a store, too; it cannot be joined again then.
    let shelf = Shelf::open(id).await.map_err(|error| error.defect());
    let opened = shelf.as_ref().map_err(|defect| *defect);
    let holding = Holding { shelf: opened, settings: &settings, id, now };
    let Held { taken, .. } = holding.place(None, None, once).await?;
    if taken == Taken::Nothing {
        return Ok(None);
    }
    let context = Context {
        id,
        credential,
        retries: ConsultSettings::RETRIES,
        whose,
        on_disconnect: settings.on_disconnect,
        shelf: shelf.ok().map(Shelf::watched),
        slot: taken.number(),
        expires: Timestamp(now.0.saturating_add(settings.retention_ms)),
        lasts_ms: None,
        retention_ms: settings.retention_ms,
    };
    Ok(Some(set_going(Consult::new(params, now), model, context)))
}

fn asked(request: Request) -> ConsultRequest {
    let Request { query, collection, top_k, threshold, filter, budget, verify_with_model, .. } =
        request;
    ConsultRequest {
        query,
        collection,
        top_k,
        threshold,
        filter: KnowledgeFilter {
            categories: filter.categories,
            source_orgs: filter.source_orgs,
            documents: filter.documents,
        },
        budget: Budget { usd: budget.usd, tokens: budget.tokens },
        verify_with_model,
    }
}
