//! What the model is asked that writes sections 1 and 8.

use super::ReportFacts;
use super::block::line;
use super::words::{Language, fill};
use crate::core::Fence;
use crate::run::Node;
use quarry_events::run::NodeState;
use quarry_evidence::cite::{self, shown};
use quarry_prompts as prompts;
use quarry_types::ReportStyle;
use quarry_types::text::cut;
use std::fmt::Write;

pub use cite::Room;

/// Characters of what stands between fences: below what the prompt holds, so that no fence loses its end.
const MOST_TREE: usize = 20_000;
const MOST_FINDINGS: usize = 56_000;
const MOST_PASSAGES: usize = 390_000;
const MOST_CONFLICTS: usize = 14_000;

/// Asks for the answer and for questions that follow. Passages are named as [`super::report`] knows them; of those,
/// what serves the task best has the room.
#[must_use]
pub fn prompt(facts: &ReportFacts<'_>, fence: &Fence, room: Room) -> String {
    let room = Room { of_all: room.of_all.min(MOST_PASSAGES), ..room };
    let passages = shown(facts.sources, facts.task, room);
    let style = match facts.report_style {
        ReportStyle::Concise => "concise: at most 200 words",
        ReportStyle::Technical => "technical: precise and complete, 300 to 600 words",
    };
    let around = |label: &str, text: &str, most: usize| {
        let text = if text.is_empty() { "none" } else { text };
        fence.around(label, &cut(text, most))
    };
    prompts::RunReport {
        task: facts.task,
        tree: &around("questions", &tree(facts), MOST_TREE),
        findings: &around("findings", &findings(facts), MOST_FINDINGS),
        passages: &around("passages", &passages, MOST_PASSAGES),
        conflicts: &around("conflicts", &conflicts(facts), MOST_CONFLICTS),
        style,
        language: Language::of(facts.task).name(),
        guidance: &guidance(facts),
        fence: fence.mark(),
    }
    .render()
}

fn tree(facts: &ReportFacts<'_>) -> String {
    let line_of = |node: &Node| {
        let state = match node.state {
            NodeState::Resolved => "answered",
            NodeState::Pending | NodeState::Running | NodeState::Unresolved => "open",
        };
        let indent = "  ".repeat(usize::try_from(node.depth).unwrap_or(0).min(8));
        format!("{indent}- {} ({state})\n", line(&node.question))
    };
    facts.tree.nodes().iter().map(line_of).collect()
}

/// The verified findings, with the passages that they stand in.
fn findings(facts: &ReportFacts<'_>) -> String {
    let mut out = String::new();
    for finding in facts.findings.iter().filter(|finding| finding.verified) {
        let ids = finding.evidence_snippets.iter().filter_map(|it| it.passage.as_deref());
        let mut ids: Vec<&str> = ids.collect();
        ids.dedup();
        let marker = if ids.is_empty() { String::new() } else { format!(" [{}]", ids.join(", ")) };
        let _ = writeln!(out, "- {}{marker}", line(&finding.claim));
    }
    out
}

fn conflicts(facts: &ReportFacts<'_>) -> String {
    let words = Language::En.words();
    let mut out = String::new();
    for told in facts.conflicts {
        let conflict = &told.conflict;
        let difference = words.difference(conflict.difference);
        let _ = writeln!(out, "- {difference}; {}", words.reason(told));
        for side in [&conflict.one, &conflict.other] {
            let date =
                side.date.as_deref().map_or_else(String::new, |date| fill(" ({})", &[&line(date)]));
            let _ = writeln!(out, "  - {}{date}: {}", line(&side.title), line(&side.quote));
        }
    }
    out
}

/// A person's words: they steer, and stand outside the fence.
fn guidance(facts: &ReportFacts<'_>) -> String {
    if facts.guidance.is_empty() {
        return "none".to_owned();
    }
    facts.guidance.iter().map(|text| format!("- {}\n", line(text))).collect()
}
