//! A run of one node: its task, what it asks its models, and a provider that answers all of it.

use quarry_test_provider::{Match, Reply, Script};
use serde_json::{Value, json};

/// What is to be found out; the small web knows it.
pub const TASK: &str = "What did the Orrin Bridge cost?";

/// What a run asks its models, by words of the prompts, in the order of a run of one node.
pub const ASKED: [&str; 4] = [
    "You choose what to search the web for",
    "You read passages of sources for a researcher",
    "You judge whether findings answer a question",
    "You write the executive answer of a research report",
];

/// Requests that have these words.
pub fn asked(words: &str) -> Match {
    Match::Text(words.to_owned())
}

/// What the provider says to each of them.
pub fn replies() -> [Value; 4] {
    let finding = json!({ "findings": [{
        "claim": "The Orrin Bridge cost 186 million euros.",
        "evidence": [{ "passage": "q1", "quote": "The bridge cost 186 million euros." }],
        "uncertainties": [],
    }] });
    let judged = json!({
        "coverage": 1, "quality": 0.8, "contradiction_handling": 1, "recency": null,
        "rationale": "It is answered.", "gaps": [],
    });
    let written = json!({
        "answer": "The bridge cost 186 million euros [Orrin Bridge].",
        "follow_up": ["What did the approach roads cost?"],
    });
    let queries = json!({ "queries": ["Orrin Bridge cost"], "time_sensitive": false });
    [queries, finding, judged, written]
}

/// A provider that answers everything a run of one node asks.
pub fn script() -> Script {
    ASKED.into_iter().zip(replies()).fold(Script::new(), |script, (words, reply)| {
        script.always(asked(words), Reply::json(&reply))
    })
}
