//! What the document says of failures: which there are, and with which bodies.

use quarry_admission::Proof;
use quarry_events::FailureKind;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::operation::{Shapes, Tag};
use crate::native::{FailedAnswer, QuotaAnswer};
use crate::refusal::{self, Refusal};
use crate::reply::challenge;
use crate::status::Status;
use crate::{Headers, Reply};

/// When a failure can come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// Before an ask begins.
    Before,
    /// When an ask has begun.
    After,
    /// At either time.
    Either,
}

/// A new kind does not compile until it is said here.
const fn when(kind: FailureKind) -> When {
    match kind {
        FailureKind::InvalidJson
        | FailureKind::InvalidField
        | FailureKind::BadContinuation
        | FailureKind::Forbidden
        | FailureKind::NotFound
        | FailureKind::MethodNotAllowed
        | FailureKind::NotAcceptable
        | FailureKind::Conflict
        | FailureKind::TooLarge
        | FailureKind::TooSlow
        | FailureKind::RateLimited
        | FailureKind::Busy => When::Before,
        FailureKind::NoCredit
        | FailureKind::UnknownModel
        | FailureKind::ProviderFailed
        | FailureKind::ContextTooLong
        | FailureKind::BudgetExceeded
        | FailureKind::InvalidOutput
        | FailureKind::Interrupted => When::After,
        FailureKind::Unauthorized
        | FailureKind::MissingKey
        | FailureKind::Internal
        | FailureKind::Unavailable => When::Either,
    }
}

/// What befalls asks that have begun, and documents by whoever embeds them.
const OF_EMBEDDINGS: [FailureKind; 2] = [FailureKind::NoCredit, FailureKind::ProviderFailed];

fn refusals() -> impl Iterator<Item = FailureKind> {
    let refuses = |kind: &FailureKind| when(*kind) != When::After || OF_EMBEDDINGS.contains(kind);
    FailureKind::ALL.into_iter().filter(refuses)
}

/// The kinds of refusals.
pub(crate) fn kinds(_: &mut SchemaGenerator) -> Schema {
    let kinds: Vec<&str> = refusals().map(FailureKind::as_str).collect();
    json_schema!({ "type": "string", "enum": kinds })
}

/// The codes of refusals: the kinds', and the original's own.
pub(crate) fn codes(_: &mut SchemaGenerator) -> Schema {
    let mut codes: Vec<&str> = refusals().map(FailureKind::code).collect();
    codes.extend(Proof::ALL.into_iter().filter_map(Proof::code));
    json_schema!({ "type": "string", "enum": codes })
}

impl Status {
    /// Every failure of an ask, by its status: all but those that only runs have.
    pub(crate) fn of_asks() -> Vec<Status> {
        let mut all: Vec<Status> = FailureKind::ALL.into_iter().map(Status::of).collect();
        all.retain(|status| *status != Status::NotAcceptable);
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Its name among the document's components.
    pub(super) fn component(self) -> String {
        format!("{self:?}")
    }

    pub(super) const fn description(self) -> &'static str {
        match self {
            Status::InvalidRequest => {
                "A field has an unusable value, the body is no JSON object, or the continuation is not ours. For an ask that began: the model does not exist, or its context has no room for the question."
            }
            Status::Unauthorized => {
                "A credential is missing or not valid: the access secret, the ID token, or the provider's key."
            }
            Status::PaymentRequired => {
                "The ask began, and its budget or the provider account's credit was used up."
            }
            Status::Forbidden => "The access secret is wrong, or the Google account is not listed.",
            Status::NotFound => "No such path, or no such ask, or its log is no longer kept.",
            Status::MethodNotAllowed => {
                "The path answers other methods. As a stream: 200 with one `error` event."
            }
            Status::NotAcceptable => "`Accept` takes none of the forms that there are.",
            Status::Conflict => {
                "The `Idempotency-Key` came before with another body: send that body again, or a new key. Or the ask that is to be gone on with is still running (`status` is `running`): join it. Nothing was begun."
            }
            Status::TooSlow => {
                "The body did not arrive within the time that it may take (`body_timeout_seconds`)."
            }
            Status::TooLarge => "The body is larger than the operation takes.",
            Status::RateLimited => {
                "The caller asked too often (`rate_limited`), as many asks are under way as may be or others hold the database (`busy`), or the provider's rate limit interrupted the ask (`quota_exceeded`)."
            }
            Status::Internal => "We are at fault.",
            Status::ProviderFailed => {
                "The ask began, and a provider failed, or the stream broke off."
            }
            Status::Unavailable => {
                "A store or component does not answer; a retry may help. Where the store is full, may only be read or does not open, the error says what to do first."
            }
        }
    }

    /// Its name among the document's components, for a run.
    pub(super) fn run_component(self) -> String {
        format!("Run{self:?}")
    }

    /// What it means for a run: whatever becomes of one that began stands in its snapshot.
    pub(super) const fn of_runs(self) -> &'static str {
        match self {
            Status::InvalidRequest => {
                "A field, a knob or a parameter has an unusable value or is not known; the error names it, what it wants, and the nearest known one, or all of them."
            }
            Status::Unauthorized => {
                "A credential is missing or not valid: the operator's secret, the ID token, or a key for the model's provider."
            }
            Status::PaymentRequired => "The budget is used up.",
            Status::Forbidden => {
                "The secret is wrong, none is set that could be compared with, or the Google account is not listed."
            }
            Status::NotFound => "There is no such run, or it is somebody else's.",
            Status::NotAcceptable => {
                "`Accept` takes none of the forms that there are; the error names them."
            }
            Status::Conflict => {
                "The run is not in a state for this (`status` says where it stands), or the `Idempotency-Key` came before with another request."
            }
            Status::RateLimited => {
                "The caller asked too often (`rate_limited`), or as many runs are driven as may be or others hold the database (`busy`)."
            }
            Status::MethodNotAllowed => "The path answers other methods.",
            Status::TooSlow
            | Status::TooLarge
            | Status::Internal
            | Status::ProviderFailed
            | Status::Unavailable => self.description(),
        }
    }

    /// Its name among the document's components, for documents.
    pub(super) fn knowledge_component(self) -> String {
        format!("Knowledge{self:?}")
    }

    /// What it means for documents.
    pub(super) const fn of_knowledge(self) -> &'static str {
        match self {
            Status::InvalidRequest => {
                "A field, a file or a parameter cannot be used or is not known; the error names it and what it wants."
            }
            Status::Unauthorized | Status::Forbidden => self.description(),
            Status::NotFound => {
                "There is no such document or collection, or it is somebody else's."
            }
            Status::Conflict => {
                "A document of the same id is there that is not to be replaced: it has another `origin`, is another file, or `replace` is false. Or the model of embeddings gives vectors of another dimension than the collection has, which a reindex mends (`status` is `other_dimension`). Or, of a question, the `Idempotency-Key` came before with another body. Nothing was changed or begun."
            }
            Status::TooLarge => {
                "The body or a document is too large, or the collection would have too many chunks."
            }
            Status::RateLimited => {
                "The caller asked too often (`rate_limited`), or others keep writing to the collection or hold the database (`busy`)."
            }
            Status::Unavailable => {
                "There is no SQLite database that documents can be kept in, or it or an address does not answer; a retry may help. Where somebody has to mend the database first, the error says so."
            }
            Status::PaymentRequired => {
                "The budget is used up, or the account at the provider of a model has no credit."
            }
            Status::ProviderFailed => {
                "The provider of a model failed or refused what it was sent, or the stream broke off."
            }
            Status::MethodNotAllowed
            | Status::NotAcceptable
            | Status::TooSlow
            | Status::Internal => self.of_runs(),
        }
    }

    /// Its name among the document's components, for clients of OpenAI's.
    pub(super) fn openai_component(self) -> String {
        format!("OpenAi{self:?}")
    }

    /// Its name among the components, for pages that are told in words.
    pub(super) fn page_component(self) -> String {
        format!("Page{self:?}")
    }

    /// Its name among the components, for apps.
    pub(super) fn app_component(self) -> String {
        format!("App{self:?}")
    }

    /// Its name among the components, for hosts that speak the Model Context Protocol.
    pub(super) fn mcp_component(self) -> String {
        format!("Mcp{self:?}")
    }

    /// What it means for them.
    pub(super) const fn of_mcp(self) -> &'static str {
        match self {
            Status::InvalidRequest => {
                "The body is no message, a header does not say what it says (-32020), the version is not spoken here (-32022), or the message lacks what its version wants (-32602)."
            }
            Status::Unauthorized => "The Bearer token is missing or not the right one.",
            Status::Forbidden => {
                "The page's origin is not listed in `mcp_allowed_origins`, or the Google account is not listed."
            }
            Status::NotFound => "Version 2026-07-28 has no such method (-32601).",
            Status::MethodNotAllowed => {
                "The path answers other methods; GET without `Last-Event-ID` is none, and sessions, of which nothing is kept, are not ended by DELETE."
            }
            Status::NotAcceptable => "`Accept` does not take both JSON and event streams.",
            Status::RateLimited => "The caller asked too often (`rate_limited`).",
            Status::PaymentRequired
            | Status::Conflict
            | Status::TooSlow
            | Status::TooLarge
            | Status::Internal
            | Status::ProviderFailed
            | Status::Unavailable => self.description(),
        }
    }

    /// What it means for clients of OpenAI's.
    pub(super) const fn of_openai(self) -> &'static str {
        match self {
            Status::InvalidRequest => {
                "A field has an unusable value or asks for what there is not; `param` names it, `code` says how."
            }
            Status::Unauthorized => {
                "The Bearer token is not the right one, or nobody has a key for the model's provider."
            }
            Status::Forbidden => "The Google account is not listed.",
            Status::NotFound => "There is no such model, or nothing lives at this path.",
            Status::Conflict => {
                "The ask was stopped before its answer, or the response is under way, or another version of this server kept it. With the code `idempotency_key_reuse`: the `Idempotency-Key` came before with another body, and nothing was begun."
            }
            Status::RateLimited => {
                "Too many requests, here or at the provider, or others hold the database: after the provider's limit the same request goes on where this one ended. With `x-should-retry: false` the credit or the budget is used up, or the wait is longer than a client waits."
            }
            Status::PaymentRequired
            | Status::MethodNotAllowed
            | Status::NotAcceptable
            | Status::TooSlow
            | Status::TooLarge
            | Status::Internal
            | Status::ProviderFailed
            | Status::Unavailable => self.of_runs(),
        }
    }

    /// What it means for pages and apps: of who asks they know no more than clients of OpenAI's.
    pub(super) const fn of_apps(self) -> &'static str {
        match self {
            Status::Unauthorized | Status::Forbidden => self.of_openai(),
            Status::Conflict => {
                "The ask that is to be gone on with is still running, and nothing was begun; join it as the error says."
            }
            Status::InvalidRequest
            | Status::PaymentRequired
            | Status::NotFound
            | Status::MethodNotAllowed
            | Status::NotAcceptable
            | Status::TooSlow
            | Status::TooLarge
            | Status::RateLimited
            | Status::Internal
            | Status::ProviderFailed
            | Status::Unavailable => self.description(),
        }
    }

    /// The headers that are sent with it where this kind of operation answers.
    pub(super) fn headers_of(self, tag: Tag) -> Headers {
        let mut headers = self.headers();
        headers.extend(tag.said());
        if matches!(tag, Tag::Pages | Tag::Apps | Tag::Mcp | Tag::OpenAi) {
            headers.push(("x-quarry-ask", "".into()));
        }
        if tag == Tag::OpenAi {
            let more = ["retry-after-ms", "x-should-retry"];
            headers.extend(more.map(|name| (name, "".into())));
        }
        let sends_bearer = matches!(tag, Tag::Pages | Tag::Apps | Tag::Mcp | Tag::OpenAi);
        if sends_bearer && self == Status::Unauthorized {
            headers.push(challenge());
        }
        headers
    }

    /// The schema of its body, where nothing but a refusal can come.
    pub(super) fn refusal(self, shapes: &mut Shapes) -> Value {
        shapes.writes::<refusal::Body>().to_value()
    }

    /// The schema of its body where documents are asked or served: a refusal, or a question's failure.
    pub(super) fn of_documents(self, shapes: &mut Shapes) -> Value {
        let refusal = shapes.writes::<refusal::Body>();
        let failed = shapes.writes::<crate::consult::FailedQuestion<'static>>();
        json!({ "anyOf": [refusal, failed] })
    }

    /// The headers that are sent with it.
    pub(super) fn headers(self) -> Headers {
        match self {
            Status::MethodNotAllowed => {
                Reply::refusal(&Refusal::MethodNotAllowed { allow: String::new() }).headers
            }
            Status::RateLimited => Reply::refusal(&Refusal::RateLimited { retry_after: 1 }).headers,
            _ => Reply::json(self.number(), "").headers,
        }
    }

    /// The schema of its body.
    pub(super) fn body(self, shapes: &mut Shapes) -> Value {
        let kinds = FailureKind::ALL.into_iter().filter(|kind| Status::of(*kind) == self);
        let times: Vec<When> = kinds.map(when).collect();
        let mut bodies = Vec::new();
        if times.iter().any(|time| *time != When::After) {
            bodies.push(shapes.writes::<refusal::Body>());
        }
        if times.iter().any(|time| *time != When::Before) {
            bodies.push(shapes.writes::<FailedAnswer<'static>>());
        }
        if self == Status::RateLimited {
            bodies.push(shapes.writes::<QuotaAnswer<'static>>());
        }
        match <[Schema; 1]>::try_from(bodies) {
            Ok([only]) => only.to_value(),
            Err(several) => json!({ "anyOf": several }),
        }
    }
}
