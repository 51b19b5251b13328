//! Performing effects: each becomes futures that bring inputs for the machine, the last of them its
//! outcome.
//!
//! Border: when to begin one, and what follows from its outcome, is the machine's.

use crate::bindings::quarry::agent::types::Caller;
use crate::bindings::quarry::knowledge::search as knowledge;
use crate::bindings::quarry::models::chat::{self, Answer, ChatError as WitChatError, Delta};
use crate::bindings::quarry::sandbox::javascript;
use crate::bindings::quarry::web::{pages, search};
use crate::convert;
use quarry_machines::core::{Input, Ticket};
use quarry_tools::{Errand, Outcome};
use quarry_types::{Backoff, ChatRequest, Credential, Retries};
use std::time::Duration;
use wit_bindgen::{FutureReader, StreamReader};

/// Deltas read at once.
const BATCH: usize = 64;

/// A model call under way.
pub struct Call {
    ticket: Ticket,
    deltas: StreamReader<Delta>,
    reply: FutureReader<Result<chat::Completion, WitChatError>>,
}

/// What a model call brought next.
pub enum Progress {
    /// Inputs to handle now, and the rest of the call.
    Deltas(Vec<Input>, Call),
    /// The call's end.
    Done(Input),
}

/// Starts a model call and waits for the first that it brings.
pub async fn call_model(
    ticket: Ticket,
    request: ChatRequest,
    credential: Credential,
    retries: Retries,
) -> Progress {
    complete(ticket, convert::chat_request(request, credential, retries)).await
}

/// The same for a run: tried again as the run wants, under the effect's name. What may have been paid for is the run's to
/// try again: it reserves money for each time, and has it on the record.
pub async fn call_model_of_run(
    ticket: Ticket,
    request: ChatRequest,
    credential: Credential,
    (retries, name): (Backoff, String),
    limit: Duration,
) -> Progress {
    let request = chat::Request {
        idempotency_key: Some(name),
        time_limit_ms: u64::try_from(limit.as_millis()).ok(),
        ..convert::chat_request(request, credential, Retries::of_unpaid(retries))
    };
    complete(ticket, request).await
}

async fn complete(ticket: Ticket, request: chat::Request) -> Progress {
    match chat::complete(request).await {
        Answer::Whole(result) => done(ticket, result),
        Answer::InPieces((deltas, reply)) => go_on(Call { ticket, deltas, reply }).await,
    }
}

fn done(ticket: Ticket, result: Result<chat::Completion, WitChatError>) -> Progress {
    let result = result.map(convert::completion).map_err(convert::chat_error);
    Progress::Done(Input::ModelDone { ticket, result })
}

/// Waits for what a call brings next.
pub async fn go_on(mut call: Call) -> Progress {
    let (_, deltas) = call.deltas.read(Vec::with_capacity(BATCH)).await;
    if deltas.is_empty() {
        return done(call.ticket, call.reply.await);
    }
    let inputs = merge(call.ticket, deltas);
    Progress::Deltas(inputs, call)
}

/// Pieces of text that came together become one.
fn merge(ticket: Ticket, deltas: Vec<Delta>) -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::new();
    for delta in deltas {
        match (delta, inputs.last_mut()) {
            (Delta::Text(piece), Some(Input::ModelText { text, .. })) => text.push_str(&piece),
            (Delta::Text(text), _) => inputs.push(Input::ModelText { ticket, text }),
            (Delta::Retry(notice), _) => inputs.push(Input::ModelRetry {
                ticket,
                wait_ms: notice.wait_ms,
                reason: notice.reason,
                may_be_paid: notice.may_be_paid,
            }),
        }
    }
    inputs
}

/// Whose documents are searched, and who pays for the vector of a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Whose {
    /// A caller by name; none: all who have none.
    pub email: Option<String>,
    /// Whether the operator does.
    pub operator_keys: bool,
}

impl Whose {
    fn caller(self) -> Caller {
        Caller { email: self.email, name: None, operator_keys: self.operator_keys }
    }
}

/// Does an errand of a machine to its end.
pub async fn run_errand(ticket: Ticket, errand: Errand, whose: Whose) -> Input {
    Input::ToolDone { ticket, outcome: outcome(errand, whose).await }
}

/// Does an errand to its end.
pub async fn outcome(errand: Errand, whose: Whose) -> Outcome {
    match errand {
        Errand::Search { query, limit, timeout_ms, load_content, domains, anew } => {
            let query =
                convert::search_query((query, domains), limit, timeout_ms, load_content, anew);
            convert::searched(search::search(query).await)
        }
        Errand::ReadPage { url, timeout_ms } => {
            convert::read(pages::read(convert::page_request(url, timeout_ms)).await)
        }
        Errand::SearchKnowledge(query) => {
            let (query, caller) = (convert::knowledge_query(query), whose.caller());
            convert::passages(knowledge::search(query, caller).await)
        }
        Errand::RunProgram { code, timeout_ms } => {
            convert::ran(javascript::run(javascript::Program { source: code, timeout_ms }).await)
        }
    }
}
