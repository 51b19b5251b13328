//! The agent's tools, called by somebody else than its machines: one errand, and what a model would read of it.
//!
//! Border: what a call means and what its outcome is cut to is decided in `quarry-tools`.

use crate::Orchestrator;
use crate::bindings::exports::quarry::agent::tools::{Caller, Guest, Outcome};
use crate::effects::{self, Whose};
use quarry_machines::core::ContextProfile;
use quarry_tools::{ToolName, read_call};
use quarry_types::ToolCall;
use serde_json::json;

impl Guest for Orchestrator {
    async fn call(name: String, arguments: String, caller: Caller) -> Outcome {
        let call = ToolCall { id: String::new(), name, arguments };
        let job = match read_call(&call, ToolName::ALL).job {
            Ok(job) => job,
            Err(failure) => {
                let output = json!({ "error": failure.message }).to_string();
                return Outcome { output, failure: Some(failure.message) };
            }
        };
        let Caller { email, operator_keys, .. } = caller;
        let outcome = effects::outcome(job.errand(), Whose { email, operator_keys }).await;
        // Whoever calls has a model of a size that nobody here knows; those that call tools have room.
        let outcome = job.bound(outcome, &ContextProfile::Roomy.output_limits());
        let failure = outcome.failure().map(|failure| failure.message);
        Outcome { output: job.output(&outcome).to_string(), failure }
    }
}
