//! What the doors of chat completions need of the operator's settings.
//!
//! Border: reads variables and asks the orchestrator; what they mean is decided in `quarry-doors`.

use futures::join;
use quarry_admission::Caller;
use quarry_doors::chat::{self, BearerRule, Proofs};
use quarry_doors::{
    AskRequest, Head, Hidden, Order, Refusal, Reply, Sender, grace_seconds, responses,
};
use quarry_rim::variables::Variables;

use crate::bindings::quarry::agent::{ask, database, run};
use crate::settings::{Settings, variable};
use crate::{convert, gate};

/// What a request begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begins {
    Ask,
    Run,
}

/// Who asks, when it may: known to its request, counted, and let in.
pub async fn admitted(
    request: &mut AskRequest,
    begins: Begins,
    head: &Head,
    settings: &Settings,
    variables: &Variables,
) -> Result<Caller, Refusal> {
    if request.manners.reads_bearer {
        prove(request, head, settings, variables).await?;
    }
    let (token, secret) = (request.google_token.as_deref(), request.access_secret.as_deref());
    let address = head.client_address.as_deref();
    let identity = gate::identity(settings, token, address, variables).await?;
    let email = identity.as_ref().map(|identity| identity.email.to_string());
    let let_in = gate::let_in(settings, identity, secret, address, None).await;
    if let Some(email) = &email {
        request.manners.sent_by(Sender::Account(email));
    } else if settings.access.has_secret() && request.access_secret.is_some() {
        // The gate lets nobody in with another one.
        request.manners.sent_by(Sender::Secret);
    }
    if let Err(refusal) = &let_in {
        let caller = Caller { email, ..Caller::default() };
        refused(request, begins, refusal, convert::caller(caller)).await;
    }
    let_in
}

/// A request is refused before it comes to what it begins: what it began before is no answer to its retry, where it may
/// be taken then.
pub async fn refused(request: &AskRequest, begins: Begins, refusal: &Refusal, caller: run::Caller) {
    for key in request.refused_with(refusal) {
        match begins {
            Begins::Ask => ask::invalidate(key).await,
            Begins::Run => run::invalidate(key, caller.clone()).await,
        }
    }
}

/// Takes what the head says about its sender into a request.
async fn prove(
    request: &mut AskRequest,
    head: &Head,
    settings: &Settings,
    variables: &Variables,
) -> Result<(), Refusal> {
    let rule = bearer_rule(settings, variables).await?;
    let proofs = Proofs::paying(head, rule, &settings.access)?;
    let Proofs { secret, google_token, key, is_spare } = proofs;
    let shown = |hidden: Option<Hidden>| hidden.map(|Hidden(text)| text);
    (request.access_secret, request.google_token) = (shown(secret), shown(google_token));
    (request.api_key, request.manners.is_spare_key) = (shown(key), is_spare);
    Ok(())
}

/// Settles what only the operator's settings can.
pub async fn settle(request: &mut AskRequest, variables: &Variables) -> Result<(), Refusal> {
    if let Some(own) = request.manners.grace_seconds {
        let configured = &variable(variables, "chat_grace_seconds").await?;
        request.manners.grace_seconds = Some(grace_seconds(configured, own)?);
    }
    if !request.wants_settings() {
        return Ok(());
    }
    let aliases = variable(variables, "model_aliases").await?;
    request.settle(&aliases, &variable(variables, "chat_side_tasks").await?)
}

/// What is to be done where only the operator's settings tell whether a model's name means a run.
pub async fn meant(order: Order, variables: &Variables) -> Result<Order, Refusal> {
    match order {
        Order::Response(responses::Order::Aliased(aliased)) => {
            aliased.meant(&variable(variables, "model_aliases").await?)
        }
        order => Ok(order),
    }
}

/// The models that may be asked for, or one of them.
pub async fn models(
    id: Option<&str>,
    head: &Head,
    variables: &Variables,
) -> Result<Reply, Refusal> {
    caller(head, variables).await?;
    let aliases = variable(variables, "model_aliases").await?;
    // To all else runs do not matter, and looking whether they can be kept is a write.
    let means_run = chat::means_run(id, &aliases);
    let keeps_runs =
        async { means_run && matches!(database::state().await, database::Keeping::Kept) };
    let (providers, has_runs) = join!(ask::providers(), keeps_runs);
    Ok(chat::models(id, &providers, has_runs, &aliases))
}

/// The head's sender, counted and let in.
pub async fn caller(head: &Head, variables: &Variables) -> Result<Caller, Refusal> {
    let settings = Settings::read(variables).await?;
    let proofs = proofs(head, &settings, variables).await?;
    let text = |hidden: Option<&Hidden>| hidden.map(|Hidden(text)| text.clone());
    let (secret, token) = (text(proofs.secret.as_ref()), text(proofs.google_token.as_ref()));
    let address = head.client_address.as_deref();
    gate::admit(&settings, token.as_deref(), secret.as_deref(), address, variables).await
}

/// The head's sender, when it may see what it began.
pub async fn may_read(head: &Head, variables: &Variables) -> Result<Caller, Refusal> {
    let settings = Settings::read(variables).await?;
    let proofs = proofs(head, &settings, variables).await?;
    let text = |hidden: &Option<Hidden>| hidden.as_ref().map(|Hidden(text)| text.clone());
    let (secret, token) = (text(&proofs.secret), text(&proofs.google_token));
    let address = head.client_address.as_deref();
    gate::may_read(&settings, token.as_deref(), secret.as_deref(), address, variables).await
}

async fn proofs(
    head: &Head,
    settings: &Settings,
    variables: &Variables,
) -> Result<Proofs, Refusal> {
    Ok(Proofs::read(head, bearer_rule(settings, variables).await?, &settings.access))
}

async fn bearer_rule(settings: &Settings, variables: &Variables) -> Result<BearerRule, Refusal> {
    BearerRule::read(&variable(variables, "bearer").await?, &settings.access)
}
