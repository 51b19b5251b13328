//! The agent's tools, called by somebody else than its machines: one errand, and what a model would read of it.
//!
//! Border: what a call means and what its outcome is cut to is decided in `quarry-tools`.

use crate::Orchestrator;
use crate::bindings::exports::quarry::agent::tools::{Caller, Guest, Outcome};
use crate::effects::{self, Whose};
use quarry_machines::core::ContextProfile;
use quarry_tools::{Errand, ToolName, read_call};
use quarry_types::ToolCall;
use serde_json::json;

/// Why somebody whom the operator does not pay for gets no search: an ask of its own at least pays for its model.
const UNPAID: &str = "searches are paid for by whoever runs this server, and you may not use its keys; sign in with an \
                      account that may, or ask with `research` and your own provider key";

fn refused(why: &str) -> Outcome {
    Outcome { output: json!({ "error": why }).to_string(), failure: Some(why.to_owned()) }
}

impl Guest for Orchestrator {
    async fn call(name: String, arguments: String, caller: Caller) -> Outcome {
        let call = ToolCall { id: String::new(), name, arguments, signature: None };
        let job = match read_call(&call, ToolName::ALL).job {
            Ok(job) => job,
            Err(failure) => return refused(&failure.message),
        };
        let Caller { email, operator_keys, .. } = caller;
        if !operator_keys && matches!(job.errand(), Errand::Search { .. }) {
            return refused(UNPAID);
        }
        let outcome = effects::outcome(job.errand(), Whose { email, operator_keys }).await;
        // Whoever calls has a model of a size that nobody here knows; those that call tools have room.
        let outcome = job.bound(outcome, &ContextProfile::Roomy.output_limits());
        let failure = outcome.failure().map(|failure| failure.message);
        Outcome { output: job.output(&outcome).to_string(), failure }
    }
}
