//! `GET /agui/capabilities`: what an app may expect.

use serde::Serialize;
use serde_json::json;

/// What an app may expect, as AG-UI's `AgentCapabilities` has it. What is not named is not there.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "AgentCapabilities"))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Capabilities {
    /// Who answers.
    identity: Identity,
    /// How.
    transport: Transport,
    /// Whose tools are called.
    tools: Tools,
    /// What is told of the state.
    state: State,
    /// Whether what goes on is told.
    reasoning: Reasoning,
    /// What is run.
    execution: Execution,
    /// Where people are asked.
    human_in_the_loop: HumanInTheLoop,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Identity {
    name: &'static str,
    description: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Transport {
    streaming: bool,
    websocket: bool,
    resumable: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
struct Tools {
    supported: bool,
    parallel_calls: bool,
    client_provided: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
struct State {
    snapshots: bool,
    deltas: bool,
    persistent_state: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct Reasoning {
    supported: bool,
    streaming: bool,
    encrypted: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
struct Execution {
    code_execution: bool,
    sandboxed: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct HumanInTheLoop {
    supported: bool,
    interrupts: bool,
}

/// The answer, a JSON text.
pub(super) fn text() -> String {
    let capabilities = Capabilities {
        identity: Identity {
            name: "Quarry",
            description: "Answers questions with evidence: plans, searches, reads, computes, cites.",
            version: env!("CARGO_PKG_VERSION"),
        },
        // A run that is sent again is told again from its beginning; the protocol has no other way.
        transport: Transport { streaming: true, websocket: false, resumable: false },
        tools: Tools { supported: true, parallel_calls: true, client_provided: false },
        state: State { snapshots: true, deltas: true, persistent_state: false },
        reasoning: Reasoning { supported: true, streaming: true, encrypted: false },
        execution: Execution { code_execution: true, sandboxed: true },
        human_in_the_loop: HumanInTheLoop { supported: true, interrupts: true },
    };
    json!(capabilities).to_string()
}
