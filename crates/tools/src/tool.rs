//! What makes a tool.

use crate::{Errand, Outcome, OutputLimits};
use quarry_evidence::Evidence;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where evidence may come from. Source: the ask contract, `sources`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sources {
    /// The public web.
    pub web: bool,
    /// Documents of one's own.
    pub knowledge: bool,
    /// What programs of the model's compute. As a rule they may: what is kept says only that they may not.
    #[serde(default = "as_a_rule", skip_serializing_if = "Clone::clone")]
    pub program: bool,
}

const fn as_a_rule() -> bool {
    true
}

/// A tool: the type of its arguments.
pub trait Tool: Serialize + DeserializeOwned + JsonSchema {
    /// The name that models use.
    const NAME: &'static str;

    /// What it does, for the model.
    const DESCRIPTION: &'static str;

    /// When to call it, as a rule for the model.
    const RULE: &'static str;

    /// Whether it is on offer for these sources.
    fn serves(_sources: Sources) -> bool {
        true
    }

    /// What is to be done outside.
    fn errand(&self) -> Errand;

    /// The outcome within what a conversation and a checkpoint may hold of it.
    fn bound(&self, outcome: Outcome, _limits: &OutputLimits) -> Outcome {
        outcome
    }

    /// What the call searches for, when it is a search.
    fn searches_for(&self) -> Option<&str> {
        None
    }

    /// The address that the call reads, when it reads one.
    fn reads(&self) -> Option<&str> {
        None
    }

    /// Whether a model is to digest what comes, if anything does.
    fn asks_for_digest(&self) -> bool {
        false
    }

    /// Whether a model is to digest this outcome.
    fn wants_digest(&self, _outcome: &Outcome) -> bool {
        false
    }

    /// The output that models and clients read.
    fn output(&self, outcome: &Outcome) -> Value;

    /// The outcome behind an output that a client kept; the inverse of `output`.
    fn recall(&self, output: &Value) -> Outcome;

    /// Adds an outcome to the evidence, which takes its passages; returns the numbers of its sources.
    fn learn(&self, outcome: &mut Outcome, evidence: &mut Evidence) -> Vec<usize>;

    /// The addresses that the call names or its outcome brought.
    fn addresses(&self, _outcome: &Outcome) -> Vec<String> {
        Vec::new()
    }

    /// The call in words for people; events make a line of them.
    fn line(&self) -> String;
}

/// What models are told of a tool.
pub fn schema<T: Tool>() -> Value {
    let mut parameters = schemars::schema_for!(T).to_value();
    if let Value::Object(members) = &mut parameters {
        // Names for people and tools that read whole documents; a model pays for each token.
        for name in ["$schema", "title", "description"] {
            members.shift_remove(name);
        }
        let properties = members.get_mut("properties").and_then(Value::as_object_mut);
        for (_, property) in properties.into_iter().flatten() {
            if let Value::Object(property) = property {
                property.shift_remove("format");
            }
        }
    }
    parameters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_before_programs_could_be_left_out_has_them() {
        let kept = r#"{"web":true,"knowledge":false}"#;
        let read: Sources = serde_json::from_str(kept).unwrap();
        assert!(read.program);
        assert_eq!(serde_json::to_string(&read).unwrap(), kept);
        let without = Sources { program: false, ..read };
        let written = serde_json::to_string(&without).unwrap();
        assert_eq!(serde_json::from_str::<Sources>(&written).unwrap(), without);
    }
}
