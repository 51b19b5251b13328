//! What the model is asked that writes sections 1 and 8.

use super::ReportFacts;
use super::block::{line, line_of};
use super::catalogue::Catalogue;
use super::words::{Language, fill};
use crate::core::Fence;
use crate::run::Node;
use crate::run::policy::stems::content;
use crate::run::room::{Line, Rooms, Wishes, both_ends, listed, newest_first, shared};
use quarry_events::run::{EvidenceSnippet, NodeState};
use quarry_evidence::cite::shown;
use quarry_prompts as prompts;
use quarry_types::ReportStyle;
use std::fmt::Write;

/// Asks for the answer and for questions that follow. Passages are named as [`super::report`] knows them; of those,
/// what serves the task best has the room.
#[must_use]
pub fn prompt(facts: &ReportFacts<'_>, fence: &Fence, rooms: Rooms) -> String {
    let passages = shown(facts.sources, facts.task, rooms.passages);
    let style = match facts.report_style {
        ReportStyle::Concise => "concise: at most 200 words",
        ReportStyle::Technical => "technical: precise and complete, 300 to 600 words",
    };
    let around =
        |label: &str, lines: &[Line], most: usize| fence.around(label, &listed(lines, most));
    let passages = if passages.is_empty() { "none" } else { &passages };
    prompts::RunReport {
        task: &both_ends(facts.task, rooms.task),
        tree: &around("questions", &tree(facts), rooms.tree),
        findings: &around("findings", &findings(facts), rooms.findings),
        passages: &fence.around("passages", passages),
        conflicts: &around("conflicts", &conflicts(facts), rooms.conflicts),
        style,
        language: &facts.spoken.wanted(),
        guidance: &guidance(facts, rooms),
        fence: fence.mark(),
    }
    .render()
}

fn tree(facts: &ReportFacts<'_>) -> Vec<Line> {
    let line_of = |node: &Node| {
        let state = match node.state {
            NodeState::Resolved => "answered",
            NodeState::Pending | NodeState::Running | NodeState::Unresolved => "open",
        };
        let indent = "  ".repeat(usize::try_from(node.depth).unwrap_or(0).min(8));
        let text = format!("{indent}- {} ({state})", line(&node.question));
        // What is high in the tree stays.
        let worth = usize::MAX - usize::try_from(node.depth).unwrap_or(usize::MAX);
        Line { worth, text }
    };
    facts.tree.nodes().iter().map(line_of).collect()
}

/// The verified findings, with the passages that they stand in; what speaks of the task is worth most.
fn findings(facts: &ReportFacts<'_>) -> Vec<Line> {
    let asked = content(facts.task);
    let mut out = Vec::new();
    let catalogue = facts.names_passages.then(|| Catalogue::new(facts));
    // A node had a list of its own when its finding was made.
    let id_of = |snippet: &EvidenceSnippet| match &catalogue {
        None => snippet.passage.clone(),
        Some(catalogue) => {
            let place = catalogue.locate(&snippet.citation_id, None, &snippet.quote)?;
            Some(catalogue.name(place.passage?)?.to_string())
        }
    };
    for finding in facts.findings.iter().filter(|finding| finding.verified) {
        let mut ids: Vec<String> = finding.evidence_snippets.iter().filter_map(id_of).collect();
        ids.dedup();
        let marker = if ids.is_empty() { String::new() } else { format!(" [{}]", ids.join(", ")) };
        out.push(Line {
            worth: content(&finding.claim).intersection(&asked).count(),
            text: format!("- {}{marker}", line(&finding.claim)),
        });
    }
    out
}

fn conflicts(facts: &ReportFacts<'_>) -> Vec<Line> {
    let words = Language::En.words();
    let mut out = Vec::new();
    for told in facts.conflicts {
        let conflict = &told.conflict;
        let difference = words.difference(conflict.difference);
        let mut text = format!("- {difference}; {}", words.reason(told));
        for side in [&conflict.one, &conflict.other] {
            let date =
                side.date.as_deref().map_or_else(String::new, |date| fill(" ({})", &[&line(date)]));
            let _ = write!(text, "\n  - {}{date}: {}", line(&side.title), line(&side.quote));
        }
        out.push(Line { worth: usize::from(told.is_open()), text });
    }
    out
}

/// A person's words: they steer, and stand outside the fence.
fn guidance(facts: &ReportFacts<'_>, rooms: Rooms) -> String {
    let said =
        || -> Vec<String> { facts.guidance.iter().map(|text| line_of(text, text.len())).collect() };
    match facts.wishes {
        Wishes::NewestFirst => newest_first(&said(), rooms.guidance).0,
        Wishes::Shared => shared(&said(), rooms.guidance_before()),
        Wishes::Listed => {
            let item = |text: &String| Line { worth: 0, text: format!("- {}", line(text)) };
            let items: Vec<Line> = facts.guidance.iter().map(item).collect();
            listed(&items, rooms.guidance_before())
        }
    }
}
