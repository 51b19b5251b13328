//! What models are asked: the prompts of a run, filled in.

use super::input::Purpose;
use super::visit::{Step, Visit};
use super::{Node, NodeId, Run, Stage};
use crate::core::ModelSheet;
use quarry_events::run::{Citation, Finding, NodeState};
use quarry_evidence::cite::{self, Room};
use quarry_prompts as prompts;
use quarry_types::{ChatRequest, Message, ReportStyle, Timestamp};
use std::fmt::Write as _;

/// The temperature of all calls: facts are wanted, and the same ones again.
const TEMPERATURE: f64 = 0.2;

/// Characters of passages in a prompt.
pub(super) const PASSAGES: Room = Room { of_passage: 1_500, of_source: 6_000, of_all: 24_000 };

/// Bytes of a list in a prompt, more than any prompt has characters for one: what a tree grows by is not written
/// only to be cut off.
const MOST_LINES: usize = 64 * 1024;

/// Tokens that a reply may have: queries and parts; findings; judgements.
const REPLIES: [u32; 3] = [600, 3_000, 800];

impl Run {
    /// The request for this purpose, as this model gets it.
    pub(super) fn request(
        &self,
        purpose: Purpose,
        sheet: &ModelSheet,
        now: Timestamp,
    ) -> ChatRequest {
        let (text, most) = self.prompt(purpose, now);
        ChatRequest {
            model: sheet.id.clone(),
            messages: vec![Message::user(text)],
            tools: Vec::new(),
            temperature: Some(TEMPERATURE),
            max_output_tokens: most,
            reasoning_effort: None,
            json: true,
            streams_text: false,
        }
    }

    fn prompt(&self, purpose: Purpose, at: Timestamp) -> (String, u32) {
        let now = &at.spoken();
        let [choice, findings, judgement] = REPLIES;
        match purpose {
            Purpose::Queries(node) => (self.queries_prompt(node, now), choice),
            Purpose::Findings(node) => (self.findings_prompt(node, now), findings),
            Purpose::Judgement(node) => (self.judgement_prompt(node, now), judgement),
            Purpose::Parts(node) => (self.parts_prompt(node), choice),
            Purpose::Pass(_) => (self.pass_prompt(now), judgement),
            Purpose::Report => (self.report_prompt(at), self.report_tokens()),
            // A search is no call.
            Purpose::Query(..) => (String::new(), choice),
        }
    }

    const fn report_tokens(&self) -> u32 {
        match self.brief.knobs.report_style {
            ReportStyle::Concise => 1_500,
            ReportStyle::Technical => 4_000,
        }
    }

    fn queries_prompt(&self, id: NodeId, now: &str) -> String {
        let node = self.tree.get(id);
        let asked = lines(self.gathered.memory.asked().map(|asked| asked.query.as_str()));
        prompts::RunQueries {
            task: &self.brief.task,
            question: node.map_or("", |node| &node.question),
            guidance: &lines(self.guidance.iter().map(String::as_str)),
            asked: &asked,
            gaps: &gaps(node),
            most: &self.brief.knobs.max_queries_per_node.to_string(),
            now,
        }
        .render()
    }

    fn parts_prompt(&self, id: NodeId) -> String {
        let node = self.tree.get(id);
        let asked = lines(self.tree.nodes().iter().map(|node| node.question.as_str()));
        prompts::RunParts {
            task: &self.brief.task,
            question: node.map_or("", |node| &node.question),
            gaps: &gaps(node),
            asked: &asked,
            most: &self.brief.knobs.decompose_max_children.to_string(),
        }
        .render()
    }

    fn findings_prompt(&self, id: NodeId, now: &str) -> String {
        let numbers = match &self.stage {
            Stage::Visit(Visit { step: Step::Findings(numbers), .. }) => numbers.as_slice(),
            _ => &[],
        };
        let question = self.tree.get(id).map_or("", |node| &node.question);
        let sources = self.gathered.sources(numbers);
        let passages = cite::shown(&sources, question, PASSAGES);
        prompts::RunFindings {
            task: &self.brief.task,
            question,
            passages: &self.brief.fence.around("passages", &passages),
            fence: self.brief.fence.mark(),
            now,
        }
        .render()
    }

    fn judgement_prompt(&self, id: NodeId, now: &str) -> String {
        let fence = &self.brief.fence;
        let findings: String = self.findings_below(id).map(|it| self.finding_line(it)).collect();
        prompts::RunJudge {
            question: self.tree.get(id).map_or("", |node| &node.question),
            findings: &fence.around("findings", &findings),
            conflicts: &fence.around("contradictions", &self.conflict_lines()),
            fence: fence.mark(),
            now,
        }
        .render()
    }

    fn pass_prompt(&self, now: &str) -> String {
        let fence = &self.brief.fence;
        prompts::RunPass {
            task: &self.brief.task,
            tree: &fence.around("questions", &self.tree_lines()),
            fence: fence.mark(),
            now,
        }
        .render()
    }

    fn finding_line(&self, finding: &Finding) -> String {
        let mark = if finding.verified { "verified" } else { "not verified" };
        let mut line = format!("- ({mark}) {}", finding.claim);
        for id in &finding.citation_ids {
            if let Some(citation) = self.citation(id) {
                let date = citation.published.as_deref().unwrap_or("no date");
                _ = write!(line, " [tier {}, {}, {date}]", citation.quality_tier, citation.title);
            }
        }
        line.push('\n');
        line
    }

    pub(super) fn citation(&self, id: &str) -> Option<&Citation> {
        self.gathered.citation(id)
    }

    fn conflict_lines(&self) -> String {
        lines(self.gathered.conflicts.iter().map(|found| {
            let conflict = &found.conflict;
            let settled = if conflict.reason.is_some() { "settled" } else { "open" };
            format!("({settled}) “{}” against “{}”", conflict.one.quote, conflict.other.quote)
        }))
    }

    fn tree_lines(&self) -> String {
        let mut text = String::new();
        for node in self.tree.nodes() {
            let state = match node.state {
                NodeState::Pending => "not taken up",
                NodeState::Running => "under way",
                NodeState::Resolved => "answered",
                NodeState::Unresolved => "open",
            };
            _ = writeln!(text, "{} ({state}) {}", node.id, node.question);
            for finding in self.findings_of(node.id).filter(|finding| finding.verified) {
                text.push_str("  ");
                text.push_str(&self.finding_line(finding));
            }
            for gap in node.sufficiency.iter().flat_map(|it| &it.gaps) {
                _ = writeln!(text, "  missing: {gap}");
            }
        }
        text
    }
}

fn gaps(node: Option<&Node>) -> String {
    lines(node.and_then(|node| node.sufficiency.as_ref()).into_iter().flat_map(|it| &it.gaps))
}

/// One a line, as many as a prompt may show; a word where there is none.
fn lines(texts: impl Iterator<Item = impl AsRef<str>>) -> String {
    let mut all = String::new();
    for text in texts {
        if all.len() > MOST_LINES {
            break;
        }
        let gap = if all.is_empty() { "" } else { "\n" };
        _ = write!(all, "{gap}- {}", text.as_ref());
    }
    if all.is_empty() { "none".to_owned() } else { all }
}
