//! The continuation state: what a client sends back to go on where an ask was interrupted.
//!
//! Its first seven fields are the reference's (section 5) and suffice for another process with no
//! memory of the ask; the others make the way back shorter. It may be signed, so that a state
//! that is not ours, or was changed, is refused.

use super::evidence::Source;
use super::ledger::{StepCost, Unsettled};
use super::plan::{Plan, Setup};
use crate::json::put;
use hmac::{Hmac, Mac};
use quarry_types::ToolCall;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::Sha256;

/// The version that this code writes and reads.
pub const VERSION: u32 = 1;

/// The largest state, as JSON, in bytes. A key-value store takes 1 MB.
pub const MAX_BYTES: usize = 900_000;

/// A tool call with its outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CycleCall {
    /// What was asked for.
    pub request: CallRequest,
    /// What came back: a JSON text; null while it has not come.
    #[serde(default)]
    pub response: Value,
    /// Milliseconds.
    #[serde(default)]
    pub duration: u64,
    /// US dollars of model calls inside the tool.
    #[serde(default)]
    pub cost: Option<f64>,
}

/// A tool call as Chat Completions writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallRequest {
    /// The provider's id for the call.
    pub id: String,
    /// Always `function`.
    #[serde(rename = "type", default = "function")]
    pub kind: String,
    /// Name and arguments.
    pub function: CallFunction,
}

/// Name and arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallFunction {
    /// The tool.
    pub name: String,
    /// A JSON text.
    #[serde(default)]
    pub arguments: String,
}

fn function() -> String {
    "function".to_owned()
}

impl CycleCall {
    /// A call that is yet to be answered.
    #[must_use]
    pub fn open(call: &ToolCall) -> Self {
        CycleCall {
            request: CallRequest {
                id: call.id.clone(),
                kind: function(),
                function: CallFunction {
                    name: call.name.clone(),
                    arguments: call.arguments.clone(),
                },
            },
            response: Value::Null,
            duration: 0,
            cost: None,
        }
    }

    /// Whether it is answered.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        !self.response.is_null()
    }

    /// The call, as the conversation carries it.
    #[must_use]
    pub fn call(&self) -> ToolCall {
        ToolCall {
            id: self.request.id.clone(),
            name: self.request.function.name.clone(),
            arguments: self.request.function.arguments.clone(),
        }
    }

    /// The output as the tool wrote it.
    #[must_use]
    pub fn output(&self) -> String {
        match &self.response {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }
}

/// A model call that was made.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct KeptCall {
    /// `{ content, usage }`.
    #[serde(default)]
    pub response: Value,
    /// Accounts of the call.
    #[serde(default)]
    pub step: Option<StepCost>,
    /// US dollars; null when unknown.
    #[serde(default)]
    pub cost: Option<f64>,
    /// ISO 8601, UTC.
    #[serde(default)]
    pub timestamp: String,
}

/// The plan, with what the set-up decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptPlan {
    /// The plan itself.
    #[serde(flatten)]
    pub plan: Plan,
    /// The set-up before it.
    #[serde(rename = "setupData")]
    pub setup: Setup,
}

/// Where an interrupted ask stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContinuationState {
    /// Tool calls with their outcomes, one list for each iteration.
    #[serde(default)]
    pub tool_call_cycles: Vec<Vec<CycleCall>>,
    /// Model calls made.
    #[serde(default)]
    pub llm_calls: Vec<KeptCall>,
    /// Sources found.
    #[serde(default)]
    pub search_results: Vec<Source>,
    /// Iterations done.
    #[serde(default)]
    pub current_iteration: u32,
    /// The plan, once there is one.
    #[serde(default)]
    pub research_plan: Option<KeptPlan>,
    /// US dollars; null when unknown.
    #[serde(default)]
    pub total_cost: Option<f64>,
    /// Input and output together.
    #[serde(default)]
    pub total_tokens: u64,
    /// See [`VERSION`].
    #[serde(default)]
    pub version: u32,
    /// The interrupted ask.
    #[serde(default)]
    pub id: String,
    /// Its question; empty: the one in the request.
    #[serde(default)]
    pub query: String,
    /// Its model; empty: the one in the request.
    #[serde(default)]
    pub model: String,
    /// The set-up, once there is one.
    #[serde(default)]
    pub setup_data: Option<Setup>,
    /// Whether only the final answer is missing.
    #[serde(default)]
    pub synthesis_due: bool,
    /// Whether a budget cut research short.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// The calls of an iteration that was interrupted; those without a response are yet to run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open_cycle: Vec<CycleCall>,
    /// Model calls whose use is unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unsettled: Vec<Unsettled>,
    /// Made with the configured secret; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// Why a state is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// Not the shape of a state.
    #[error(
        "continuationContext is not a continuation state: {0}; send back continuationState unchanged"
    )]
    Shape(String),
    /// Another version.
    #[error("continuationContext has version {0}, this server reads version {VERSION}; ask again")]
    Version(u64),
    /// Unsigned or wrongly signed.
    #[error("continuationContext was not made by this server or was altered; ask again")]
    Signature,
}

impl ContinuationState {
    /// Reads a state as a client sent it and checks its signature when a secret is given.
    pub fn read(value: &Value, secret: Option<&str>) -> Result<Self, StateError> {
        match value.get("version").map(Value::as_u64) {
            Some(Some(version)) if version == u64::from(VERSION) => {}
            Some(version) => return Err(StateError::Version(version.unwrap_or_default())),
            // The reference's seven fields alone are a state too.
            None if value.get("toolCallCycles").is_some() => {}
            None => return Err(StateError::Shape("toolCallCycles is missing".to_owned())),
        }
        if let Some(secret) = secret {
            let given = value.get("signature").and_then(Value::as_str).and_then(from_hex);
            let given = given.ok_or(StateError::Signature)?;
            mac(secret, value).verify_slice(&given).map_err(|_| StateError::Signature)?;
        }
        serde_json::from_value(value.clone()).map_err(|error| StateError::Shape(error.to_string()))
    }

    /// The state as JSON within [`MAX_BYTES`], signed when a secret is given. The flag says
    /// whether page contents had to be dropped; the oldest go first.
    #[must_use]
    pub fn write(mut self, secret: Option<&str>) -> (Value, bool) {
        self.signature = None;
        let dropped = self.shrink();
        let mut value = serde_json::to_value(&self).unwrap_or_default();
        if let Some(secret) = secret {
            let signature = mac(secret, &value).finalize().into_bytes();
            put(&mut value, "signature", to_hex(&signature));
        }
        (value, dropped)
    }

    fn size(&self) -> usize {
        serde_json::to_string(self).map_or(usize::MAX, |text| text.len())
    }

    /// Drops what is largest and matters least until the state fits, the oldest first: page
    /// texts, then whole outputs, then replies.
    fn shrink(&mut self) -> bool {
        // Measured once; each text dropped is subtracted, so this stays linear.
        let mut over = self.size().saturating_sub(MAX_BYTES);
        if over == 0 {
            return false;
        }
        for source in &mut self.search_results {
            if over > 0 {
                over = over.saturating_sub(source.text.len());
                source.text.clear();
            }
        }
        for shorten in [without_pages as fn(&str) -> String, |output| super::text::cut(output, 300)]
        {
            for call in self.tool_call_cycles.iter_mut().chain([&mut self.open_cycle]).flatten() {
                if over > 0 && call.is_answered() {
                    let shorter = Value::String(shorten(&call.output()));
                    let (before, after) = (json_size(&call.response), json_size(&shorter));
                    over = over.saturating_sub(before.saturating_sub(after));
                    call.response = shorter;
                }
            }
        }
        for call in &mut self.llm_calls {
            if over > 0 {
                over = over.saturating_sub(json_size(&call.response));
                call.response = Value::Null;
            }
        }
        true
    }
}

/// A tool output without the texts of its pages: what was found stays known.
fn without_pages(output: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(output) else { return output.to_owned() };
    let drop_page = |object: &mut Value| {
        if object.get("content").is_some() {
            put(object, "content", "");
            put(object, "truncated", true);
        }
    };
    drop_page(&mut value);
    let results = value.get_mut("results").and_then(Value::as_array_mut);
    results.into_iter().flatten().for_each(drop_page);
    value.to_string()
}

fn json_size(value: &Value) -> usize {
    value.to_string().len()
}

fn mac(secret: &str, value: &Value) -> Hmac<Sha256> {
    // A key of our own, so that the secret serves no second purpose.
    let mut key = keyed(secret.as_bytes());
    key.update(b"quarry continuation v1");
    let mut mac = keyed(&key.finalize().into_bytes());
    let mut canonical = String::new();
    canonicalise(value, &mut canonical);
    mac.update(canonical.as_bytes());
    mac
}

fn keyed(key: &[u8]) -> Hmac<Sha256> {
    match Hmac::<Sha256>::new_from_slice(key) {
        Ok(mac) => mac,
        // HMAC takes keys of any length.
        Err(_) => unreachable!("HMAC takes keys of any length"),
    }
}

/// JSON in one form whoever wrote it: members sorted, numbers as JavaScript prints them, the
/// top-level signature left out.
fn canonicalise(value: &Value, out: &mut String) {
    write_canonical(value, true, out);
}

fn write_canonical(value: &Value, top: bool, out: &mut String) {
    match value {
        Value::Object(members) => {
            let mut names: Vec<&String> = members.keys().collect();
            names.sort_unstable();
            out.push('{');
            for name in names.into_iter().filter(|name| !(top && *name == "signature")) {
                out.push_str(&Value::from(name.as_str()).to_string());
                out.push(':');
                write_canonical(members.get(name).unwrap_or(&Value::Null), false, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_canonical(item, false, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            out.push_str(&crate::json::number(number).to_string());
        }
        other => out.push_str(&other.to_string()),
    }
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> ContinuationState {
        ContinuationState {
            tool_call_cycles: vec![vec![CycleCall {
                request: CallRequest {
                    id: "c1".into(),
                    kind: function(),
                    function: CallFunction { name: "search_web".into(), arguments: "{}".into() },
                },
                response: "{}".into(),
                duration: 3,
                cost: Some(0.0),
            }]],
            llm_calls: vec![],
            search_results: vec![],
            current_iteration: 1,
            research_plan: None,
            total_cost: Some(1.25e-7),
            total_tokens: 12,
            version: VERSION,
            id: "x".into(),
            query: "q".into(),
            model: "openai:x".into(),
            setup_data: Some(Setup::fallback("q")),
            synthesis_due: false,
            partial: false,
            open_cycle: vec![],
            unsettled: vec![],
            signature: None,
        }
    }

    #[test]
    fn the_seven_fields_of_the_contract_are_there() {
        let (value, _) = state().write(None);
        for field in [
            "toolCallCycles",
            "llmCalls",
            "searchResults",
            "currentIteration",
            "researchPlan",
            "totalCost",
            "totalTokens",
        ] {
            assert!(value.get(field).is_some(), "{field}");
        }
    }

    #[test]
    fn a_signature_survives_a_client_that_rewrites_the_json() {
        let (value, _) = state().write(Some("s3cret"));
        assert_eq!(ContinuationState::read(&value, Some("s3cret")).unwrap().query, "q");
        // As JavaScript's JSON.stringify would: whole floats lose their fraction, order changes.
        let mut members: Vec<_> = value.as_object().unwrap().clone().into_iter().collect();
        members.reverse();
        let mut rewritten: Value = members.into_iter().collect::<serde_json::Map<_, _>>().into();
        rewritten["toolCallCycles"][0][0]["cost"] = 0.into();
        assert!(ContinuationState::read(&rewritten, Some("s3cret")).is_ok());
    }

    #[test]
    fn foreign_and_altered_states_are_refused() {
        let (signed, _) = state().write(Some("s3cret"));
        let mut altered = signed.clone();
        altered["query"] = "another".into();
        assert_eq!(ContinuationState::read(&altered, Some("s3cret")), Err(StateError::Signature));
        assert_eq!(ContinuationState::read(&signed, Some("other")), Err(StateError::Signature));
        let (unsigned, _) = state().write(None);
        assert_eq!(ContinuationState::read(&unsigned, Some("s3cret")), Err(StateError::Signature));
        let mut newer = unsigned.clone();
        newer["version"] = 9.into();
        assert_eq!(ContinuationState::read(&newer, None), Err(StateError::Version(9)));
        assert!(matches!(
            ContinuationState::read(&serde_json::json!({ "a": 1 }), None),
            Err(StateError::Shape(_))
        ));
    }

    #[test]
    fn a_large_state_drops_its_oldest_pages_first() {
        let mut large = state();
        large.search_results = (1..=3)
            .map(|n| Source {
                n,
                url: format!("https://{n}.example/"),
                title: "t".into(),
                date: None,
                query: None,
                description: String::new(),
                text: "x".repeat(400_000),
            })
            .collect();
        let (value, dropped) = large.write(Some("s3cret"));
        assert!(dropped);
        assert!(value.to_string().len() <= MAX_BYTES + 200);
        let kept = ContinuationState::read(&value, Some("s3cret")).unwrap();
        let lengths: Vec<usize> = kept.search_results.iter().map(|s| s.text.len()).collect();
        assert_eq!(lengths, [0, 400_000, 400_000]);
    }
}
