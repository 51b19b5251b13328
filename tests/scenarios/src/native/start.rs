//! From a request to the parameters of an ask, by the decisions that components take.

use super::variables::Variables;
use anyhow::{Context, Result, bail};
use quarry_admission::{Access, Caller, OwnKey, Payer, Payment, payment};
use quarry_doors::AskRequest;
use quarry_machines::ask::{
    self, Answering, AskParams, AskSettings, Asker, Form, Said, Speaker, Wish,
};
use quarry_machines::core::{Budget, ModelSheet};
use quarry_providers::catalogue;
use quarry_providers::choose::{Description, Known, Undecided, describe};
use quarry_providers::pricing::Table;
use quarry_tools::{Domains, Sources};
use quarry_types::{AskId, Credential, Json, Timestamp, setting};

/// What components draw by lot.
const LOT: u64 = 0x7f3a;

/// The parameters of an ask, and whose key pays for it.
pub fn params(
    request: AskRequest,
    variables: &Variables,
    now: Timestamp,
) -> Result<(AskParams, Credential)> {
    if request.resume.is_some() {
        bail!("what goes on from a state needs the store: say why in components_only");
    }
    let caller = admit(&request, variables)?;
    let settings = AskSettings::read(|name| variables.get(name))?;
    let (description, model) = sheet(request.model.as_deref(), variables)?;
    let credential = pay(&request, &caller, &settings, &description)?;
    let asked = ask::AskRequest {
        query: request.query,
        wish: wish(request.wish),
        model: request.model,
        budget: Budget { usd: request.budget.usd, tokens: request.budget.tokens },
        max_iterations: request.max_iterations,
        sources: Sources {
            web: request.sources.web,
            knowledge: request.sources.knowledge,
            program: request.sources.program,
        },
        collection: request.collection,
        domains: Domains::new(request.domains),
        max_tool_calls: request.max_tool_calls,
        verify_with_model: request.verify_with_model,
    };
    let Caller { email, name, operator_keys, .. } = caller;
    let asker = Asker { email, name, operator_keys };
    let answering = Answering { model, fallback: None };
    let id = AskId::new(now.0, LOT.into());
    let params = asked.going_on(None)?.params(id, LOT, answering, asker, &settings)?;
    Ok((params, credential))
}

fn form(form: quarry_doors::Form) -> Option<Form> {
    Some(match form {
        quarry_doors::Form::JsonObject => Form::JsonObject,
        quarry_doors::Form::JsonSchema { name, schema, strict } => {
            Form::JsonSchema { name, schema: Json::from_text(schema)?, strict }
        }
    })
}

fn wish(wish: quarry_doors::Wish) -> Wish {
    let said = |said: quarry_doors::Said| Said {
        by: match said.by {
            quarry_doors::Speaker::User => Speaker::User,
            quarry_doors::Speaker::Assistant => Speaker::Assistant,
        },
        text: said.text,
    };
    Wish {
        history: wish.history.into_iter().map(said).collect(),
        left_out: 0,
        instructions: wish.instructions,
        effort: wish.effort,
        max_tokens: wish.max_tokens,
        temperature: wish.temperature,
        top_p: wish.top_p,
        form: wish.form.and_then(form),
        stop: wish.stop,
        is_direct: wish.is_direct,
        wants_all_said: wish.wants_all_said,
    }
}

fn admit(request: &AskRequest, variables: &Variables) -> Result<Caller> {
    let [secret, emails, client_id] =
        ["access_secret", "allowed_emails", "google_client_id"].map(|name| variables.get(name));
    let access = Access::read(secret, emails, client_id)?;
    if request.google_token.is_some() && access.reads_tokens() {
        bail!("what a token says needs keys that are fetched: say why in components_only");
    }
    Ok(access.admit(request.access_secret.as_deref(), None)?)
}

fn sheet(model: Option<&str>, variables: &Variables) -> Result<(Description, ModelSheet)> {
    let mut known = Known::default();
    let description = loop {
        match describe(model, &known) {
            Ok(description) => break description,
            Err(Undecided::Refused(refusal)) => return Err(refusal.into()),
            Err(Undecided::Needs(variable)) => {
                let value = setting::word(variables.get(&variable)).map(str::to_owned);
                known.learn(variable, value);
            }
        }
    };
    let entry = Table::built_in().find(&description.model);
    let sheet = ModelSheet {
        id: description.model.clone(),
        price: entry.map(|entry| entry.price),
        context_window: catalogue::context_window(&description.model, entry),
        is_language_model: description.model.provider.is_remote(),
        thinks: catalogue::thinks(&description.model),
        timeout_ms: description.timeout_ms,
    };
    Ok((description, sheet))
}

fn pay(
    request: &AskRequest,
    caller: &Caller,
    settings: &AskSettings,
    description: &Description,
) -> Result<Credential> {
    let model = description.model.to_string();
    let payer = Payer {
        model: &model,
        needs_key: description.model.provider.needs_key(),
        has_operator_key: description.has_operator_key,
        operator_keys: caller.operator_keys,
        own_key: request.api_key.as_deref().map(|text| OwnKey { text, is_spare: false }),
        fallback: settings.fallback_model.as_deref(),
    };
    match payment(payer) {
        Payment::Pays(credential) => Ok(credential),
        Payment::FallBack { reason, .. } => {
            bail!("another model is to answer ({reason}): say why in components_only")
        }
        Payment::Refuse { message } => Err(anyhow::anyhow!(message)).context("the ask is refused"),
    }
}
