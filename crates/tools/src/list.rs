//! The list of tools. What is not in it does not exist; what is in it must be a whole tool.

use crate::{Errand, Outcome, OutputLimits, Sources, Tool};
use quarry_evidence::Evidence;
use quarry_types::{Json, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::LazyLock;

macro_rules! tools {
    ($($file:ident::$tool:ident),+ $(,)?) => {
        // Seen from outside only through this list: a tool that is not in it is dead code.
        $(pub use crate::$file::$tool;)+

        /// A tool that can be called.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        #[expect(missing_docs, reason = "each is documented where its arguments are")]
        pub enum ToolName {
            $($tool),+
        }

        /// A call that was accepted, with every parameter known.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[expect(missing_docs, reason = "each is documented where its arguments are")]
        pub enum Job {
            $($tool($tool)),+
        }

        impl ToolName {
            /// Every tool.
            pub const ALL: &'static [ToolName] = &[$(ToolName::$tool),+];

            /// The name that models use.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(ToolName::$tool => $tool::NAME),+
                }
            }

            fn serves(self, sources: Sources) -> bool {
                match self {
                    $(ToolName::$tool => $tool::serves(sources)),+
                }
            }

            /// When to call it, as a rule for the model.
            #[must_use]
            pub const fn rule(self) -> &'static str {
                match self {
                    $(ToolName::$tool => $tool::RULE),+
                }
            }

            const fn description(self) -> &'static str {
                match self {
                    $(ToolName::$tool => $tool::DESCRIPTION),+
                }
            }

            fn make_schema(self) -> Value {
                match self {
                    $(ToolName::$tool => crate::tool::schema::<$tool>()),+
                }
            }

            /// The job of arguments that fit the tool's schema.
            pub(crate) fn job(self, accepted: Map<String, Value>) -> Result<Job, String> {
                let accepted = Value::Object(accepted);
                match self {
                    $(ToolName::$tool => serde_json::from_value(accepted).map(Job::$tool)),+
                }
                .map_err(|error| error.to_string())
            }
        }

        impl Job {
            /// What is to be done outside.
            #[must_use]
            pub fn errand(&self) -> Errand {
                match self { $(Job::$tool(tool) => tool.errand()),+ }
            }

            /// The outcome within what a conversation and a checkpoint may hold of it.
            #[must_use]
            pub fn bound(&self, outcome: Outcome, limits: &OutputLimits) -> Outcome {
                match self { $(Job::$tool(tool) => tool.bound(outcome, limits)),+ }
            }

            /// What the call searches for, when it is a search.
            #[must_use]
            pub fn searches_for(&self) -> Option<&str> {
                match self { $(Job::$tool(tool) => tool.searches_for()),+ }
            }

            /// The address that the call reads, when it reads one.
            #[must_use]
            pub fn reads(&self) -> Option<&str> {
                match self { $(Job::$tool(tool) => tool.reads()),+ }
            }

            /// Whether a model is to digest what comes, if anything does.
            #[must_use]
            pub fn asks_for_digest(&self) -> bool {
                match self { $(Job::$tool(tool) => tool.asks_for_digest()),+ }
            }

            /// Whether a model is to digest this outcome.
            #[must_use]
            pub fn wants_digest(&self, outcome: &Outcome) -> bool {
                match self { $(Job::$tool(tool) => tool.wants_digest(outcome)),+ }
            }

            /// The output that models and clients read.
            #[must_use]
            pub fn output(&self, outcome: &Outcome) -> Value {
                match self { $(Job::$tool(tool) => tool.output(outcome)),+ }
            }

            /// The outcome behind an output that a client kept.
            #[must_use]
            pub fn recall(&self, output: &Value) -> Outcome {
                match self { $(Job::$tool(tool) => tool.recall(output)),+ }
            }

            /// Adds an outcome to the evidence, which takes its passages; returns the numbers of
            /// its sources.
            pub fn learn(&self, outcome: &mut Outcome, evidence: &mut Evidence) -> Vec<usize> {
                match self { $(Job::$tool(tool) => tool.learn(outcome, evidence)),+ }
            }

            /// The addresses that the call names or its outcome brought.
            #[must_use]
            pub fn addresses(&self, outcome: &Outcome) -> Vec<String> {
                match self { $(Job::$tool(tool) => tool.addresses(outcome)),+ }
            }

            /// The call in words for people.
            pub(crate) fn line(&self) -> String {
                match self { $(Job::$tool(tool) => tool.line()),+ }
            }
        }
    };
}

tools! {
    search_web::SearchWeb,
    scrape_web_content::ScrapeWebContent,
    search_knowledge::SearchKnowledge,
    execute_javascript::ExecuteJavascript,
}

/// What models are told of each tool, with its schema as a tree. Built once: schemas are many small
/// values, and every iteration needs them.
static SPECS: LazyLock<Vec<(ToolSpec, Value)>> = LazyLock::new(|| {
    let spec = |tool: &ToolName| {
        let schema = tool.make_schema();
        let (name, description) = (tool.as_str().to_owned(), tool.description().to_owned());
        (ToolSpec { name, description, parameters: Json::of(&schema) }, schema)
    };
    ToolName::ALL.iter().map(spec).collect()
});

impl ToolName {
    /// What models are told.
    #[must_use]
    pub fn spec(self) -> Option<&'static ToolSpec> {
        SPECS.get(self as usize).map(|(spec, _)| spec)
    }

    /// The JSON Schema of the arguments.
    pub(crate) fn schema(self) -> Option<&'static Value> {
        SPECS.get(self as usize).map(|(_, schema)| schema)
    }

    /// The tools on offer for these sources.
    #[must_use]
    pub fn on_offer(sources: Sources) -> Vec<ToolName> {
        ToolName::ALL.iter().copied().filter(|tool| tool.serves(sources)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_its_own_spec_that_forbids_other_properties() {
        for tool in ToolName::ALL {
            let spec = tool.spec().unwrap();
            assert_eq!(spec.name, tool.as_str());
            assert!(tool.rule().contains(tool.as_str()), "{}", tool.rule());
            let schema = tool.schema().unwrap();
            assert_eq!(schema["additionalProperties"], false);
            assert_eq!(schema["type"], "object");
            let text = spec.parameters.text();
            assert_eq!(text, schema.to_string());
            for extra in ["$schema", "\"format\"", "$ref"] {
                assert!(!text.contains(extra), "{}: {text}", spec.name);
            }
        }
    }

    #[test]
    fn without_the_web_nothing_that_reads_it_is_offered() {
        let offered = ToolName::on_offer(Sources { web: false, knowledge: true, program: true });
        assert!(offered.contains(&ToolName::ExecuteJavascript));
        assert!(!offered.contains(&ToolName::SearchWeb));
        assert!(!offered.contains(&ToolName::ScrapeWebContent));
        assert!(offered.contains(&ToolName::SearchKnowledge));
        let web = Sources { web: true, knowledge: false, program: true };
        assert!(!ToolName::on_offer(web).contains(&ToolName::SearchKnowledge));
        let alone = ToolName::on_offer(Sources { program: false, ..web });
        assert!(!alone.contains(&ToolName::ExecuteJavascript));
    }
}
