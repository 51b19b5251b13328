//! Starting a question to documents: the model is described, the machine set going.
//!
//! Border: who pays is decided in `quarry-admission`, and all else by the machine's own request.

use crate::Orchestrator;
use crate::bindings::exports::quarry::agent::ask::{AskError, Caller};
use crate::bindings::exports::quarry::agent::consult::{Guest, Request};
use crate::bindings::quarry::models::catalog;
use crate::driver::Context;
use crate::effects::Whose;
use crate::shelf::Shelf;
use crate::start::{Started, catalog_error, pay, set_going};
use crate::{settings, slot};
use quarry_machines::ask::Asker;
use quarry_machines::consult::{Consult, ConsultRequest, ConsultSettings};
use quarry_machines::core::Budget;
use quarry_rim::clock::now;
use quarry_rim::random;
use quarry_tools::KnowledgeFilter;
use quarry_types::{AskId, Timestamp};

impl Guest for Orchestrator {
    async fn start(request: Request, caller: Caller) -> Result<Started, AskError> {
        let now = now();
        let settings = settings::read(now).await?;
        let own = settings::consult(&settings, now).await?;
        let Request {
            query,
            collection,
            top_k,
            threshold,
            filter,
            model,
            api_key,
            budget,
            verify_with_model,
        } = request;
        let wanted = catalog::describe(model).await.map_err(catalog_error)?;
        let (answering, credential) =
            pay(&query, api_key.as_deref(), caller.operator_keys, wanted, &settings).await?;
        let asked = ConsultRequest {
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
        };
        let id = AskId::new(now.0, random::bits128());
        let Caller { email, name, operator_keys } = caller;
        let whose = Whose { email: email.clone(), operator_keys };
        let asker = Asker { email, name, operator_keys };
        let params = asked.params(id, random::bits64(), answering, asker, own)?;
        // A question is answered without a store, too; it cannot be joined again then.
        let shelf = Shelf::open(id).await.ok();
        let slot = slot::take(shelf.as_ref(), settings.max_asks).await?.number();
        let context = Context {
            id,
            credential,
            retries: ConsultSettings::RETRIES,
            whose,
            on_disconnect: settings.on_disconnect,
            shelf: shelf.map(Shelf::watched),
            slot,
            expires: Timestamp(now.0.saturating_add(settings.retention_ms)),
            lasts_ms: None,
            retention_ms: settings.retention_ms,
        };
        Ok(set_going(Consult::new(params, now), context))
    }
}
