//! The runs that are killed: what is asked, and how the model has it go.

use serde_json::{Value, json};

/// A run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    /// One look: one node, one search, four calls.
    Short,
    /// Two rounds of a tree of five nodes; every effect has a slice of its own, and so a hand-over.
    Whole,
}

impl Script {
    pub const ALL: [Script; 2] = [Script::Short, Script::Whole];

    /// Its name in options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Script::Short => "short",
            Script::Whole => "whole",
        }
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Script> {
        Self::ALL.into_iter().find(|script| script.name() == name)
    }

    /// What is posted.
    pub fn request(self) -> Value {
        let retry = json!({ "attempts": 3, "base_ms": 20, "max_ms": 100 });
        match self {
            Script::Short => json!({
                "task": "What did the Orrin Bridge cost?", "effort": "quick",
                "config": { "retry_policy": retry },
            }),
            Script::Whole => json!({
                "task": "What will become of the Orrin Bridge?",
                "config": {
                    "retry_policy": retry, "search_results_per_query": 2, "max_rounds": 2,
                },
            }),
        }
    }

    /// Seconds of a slice.
    pub const fn slice_seconds(self) -> u64 {
        match self {
            Script::Short => 20,
            Script::Whole => 0,
        }
    }

    /// What a node searches for.
    pub fn queries(self, node: &str) -> Vec<&'static str> {
        match (self, node) {
            (Script::Short, _) => vec!["Orrin Bridge cost"],
            (Script::Whole, "n1") => vec!["Orrin Bridge remaining life", "bridge weight limit"],
            (Script::Whole, "n2") => vec!["Orrin Bridge gusts"],
            (Script::Whole, "n3") => vec!["freight shuttle lorries"],
            (Script::Whole, "n4") => vec!["traffic counts crossings"],
            (Script::Whole, _) => vec!["stay cable fatigue"],
        }
    }

    /// Every score of the judgement of a node, the first time or a later one.
    pub fn score(self, node: &str, nth: usize) -> f64 {
        match (self, node, nth) {
            (Script::Short, ..) | (Script::Whole, "n2" | "n4" | "n5", _) => 0.9,
            (Script::Whole, "n3", 2..) | (Script::Whole, "n1", 3..) => 0.9,
            (Script::Whole, ..) => 0.3,
        }
    }

    /// The parts of a question.
    pub fn parts(self, node: &str) -> Vec<&'static str> {
        match (self, node) {
            (Script::Whole, "n1") => vec![
                "Which gusts close the Orrin Bridge?",
                "How many lorries does the freight shuttle carry?",
            ],
            (Script::Whole, _) => vec![
                "What did the traffic counters record last spring?",
                "Why do stay cables tire in the wind?",
            ],
            (Script::Short, _) => Vec::new(),
        }
    }
}
