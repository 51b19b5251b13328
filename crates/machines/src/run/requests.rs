//! What models are asked: the prompts of a run, filled in.

use super::gathered::{Excerpts, Gathered};
use super::input::Purpose;
use super::policy::stems::content;
use super::report::ModelUse;
use super::room::{
    Line, Rooms, WHOLE_TASK, Wishes, both_ends, latest, listed, newest_first, shared,
};
use super::turn::Turn;
use super::visit::{Step, Visit, next_model};
use super::{Node, NodeId, Run, Stage};
use crate::core::ModelSheet;
use quarry_events::run::{Citation, Finding, NodeState, Role, StepFailed};
use quarry_evidence::cite::{self, Shown};
use quarry_prompts as prompts;
use quarry_types::text::cut;
use quarry_types::{ChatRequest, Message, ReportStyle, Timestamp};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The temperature of all calls: facts are wanted, and the same ones again.
const TEMPERATURE: f64 = 0.2;

/// What counts more of a finding than any words that it shares with a question.
const VERIFIED: usize = 1_000;

/// Characters of a question between fences: what a prompt holds of it, less the fences, so that none loses its end.
const QUESTION: usize = 1_900;

/// Characters of a question of a person's that a prompt holds.
const WHOLE_QUESTION: usize = 1_900;

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
        let (effort, most) = (self.brief.reasoning_effort, self.most_tokens(purpose, sheet));
        let text = self.prompt(purpose, self.rooms(purpose, sheet), now);
        ChatRequest {
            model: sheet.id.clone(),
            messages: vec![Message::user(text)],
            tools: Vec::new(),
            temperature: Some(TEMPERATURE),
            max_output_tokens: most,
            reasoning_effort: effort,
            top_p: None,
            json: true,
            schema: None,
            streams_text: self.is_heard(purpose),
        }
    }

    fn most_tokens(&self, purpose: Purpose, sheet: &ModelSheet) -> u32 {
        sheet.ceiling(self.reply_tokens(purpose), self.brief.reasoning_effort)
    }

    /// The room of a prompt for this purpose. Who reads and who writes is shown all of a task that there is room for.
    fn rooms(&self, purpose: Purpose, sheet: &ModelSheet) -> Rooms {
        let reply = self.most_tokens(purpose, sheet);
        let shows_all = matches!(purpose, Purpose::Findings(_) | Purpose::Report);
        if self.brief.is_since(13) {
            let task = if shows_all { self.brief.task.chars().count() } else { 0 };
            return Rooms::beside(task, sheet, reply);
        }
        let rooms = if self.brief.is_since(12) { Rooms::of } else { Rooms::before };
        let task = if shows_all { usize::MAX } else { WHOLE_TASK };
        Rooms { task, ..rooms(sheet, reply) }
    }

    /// Tells which models are shown less of the task than those with a usual context; the report names them, too.
    pub(super) fn tell_long_task(&mut self, turn: &mut Turn) {
        let characters = self.brief.task.chars().count();
        if !self.brief.is_since(13) {
            return;
        }
        let mut shown: BTreeMap<String, usize> = BTreeMap::new();
        for role in [Role::Plan, Role::Read, Role::Judge, Role::Write] {
            for sheet in self.brief.models.of(role).iter().filter(|it| it.is_language_model) {
                let usual = match role {
                    Role::Plan | Role::Judge => characters.min(WHOLE_TASK),
                    Role::Read | Role::Write => characters,
                };
                let room = self.rooms(usual_purpose(role), sheet).task;
                if room < usual {
                    let least = shown.entry(sheet.id.to_string()).or_insert(room);
                    *least = room.min(*least);
                }
            }
        }
        for (model, room) in shown {
            let told = StepFailed {
                step: format!("showing the task to {model}"),
                message: format!("its context has no room for all of its {characters} characters"),
                attempts: 0,
                fallback: format!("it is shown both ends, of {room} characters at least"),
            };
            turn.tell(&told);
            let what =
                format!("{model} was not shown the middle of the task, which is too long for it");
            self.gathered.note_failure(what, self.away(None));
        }
    }

    fn prompt(&self, purpose: Purpose, rooms: Rooms, at: Timestamp) -> String {
        let now = &at.spoken();
        match purpose {
            Purpose::Queries(node) => self.queries_prompt(node, rooms, now),
            Purpose::Findings(node) => self.guided(self.findings_prompt(node, rooms, now), rooms),
            Purpose::Judgement(node) => self.guided(self.judgement_prompt(node, rooms, now), rooms),
            Purpose::Parts(node) => self.guided(self.parts_prompt(node, rooms), rooms),
            Purpose::Pass(_) => self.guided(self.pass_prompt(rooms, now), rooms),
            Purpose::Report => self.report_prompt(rooms, at),
            // A search is no call.
            Purpose::Query(..) => String::new(),
        }
    }

    const fn reply_tokens(&self, purpose: Purpose) -> u32 {
        let [choice, findings, judgement] = REPLIES;
        match purpose {
            Purpose::Queries(_) | Purpose::Parts(_) | Purpose::Query(..) => choice,
            Purpose::Findings(_) => findings,
            Purpose::Judgement(_) | Purpose::Pass(_) => judgement,
            Purpose::Report => self.report_tokens(),
        }
    }

    const fn report_tokens(&self) -> u32 {
        match self.brief.knobs.report_style {
            ReportStyle::Concise => 1_500,
            ReportStyle::Technical => 4_000,
        }
    }

    /// The question of a node. That of a part is a model's, which has read pages: it stands between fences.
    fn question_of(&self, node: Option<&Node>) -> String {
        let question = node.map_or("", |node| node.question.as_str());
        match node.and_then(|node| node.parent) {
            Some(_) if self.brief.is_since(3) => self.fenced("question", &cut(question, QUESTION)),
            Some(_) | None => self.both_ends(question, WHOLE_QUESTION),
        }
    }

    /// The task as there is room for it.
    fn task(&self, rooms: Rooms) -> String {
        self.both_ends(&self.brief.task, rooms.task)
    }

    /// A person's words that may be longer than there is room for; as they are in runs of before.
    fn both_ends(&self, text: &str, most: usize) -> String {
        if self.brief.is_since(7) { both_ends(text, most) } else { text.to_owned() }
    }

    /// What a model wrote that has read pages, between fences; as it is in runs of before.
    fn fenced(&self, label: &str, text: &str) -> String {
        match self.brief.is_since(3) {
            true => self.brief.fence.around(label, text),
            false => text.to_owned(),
        }
    }

    /// A prompt with what a person has said on the way, for prompts that had no place for it before.
    fn guided(&self, prompt: String, rooms: Rooms) -> String {
        if self.guidance.is_empty() || !self.brief.is_since(5) {
            return prompt;
        }
        let guidance = &self.guidance_lines(rooms);
        format!("{prompt}\n\n{}", prompts::RunGuidance { guidance }.render())
    }

    fn guidance_lines(&self, rooms: Rooms) -> String {
        let most = rooms.guidance_before();
        match (self.brief.wishes(), self.guidance.as_slice()) {
            (Wishes::NewestFirst, said) => newest_first(said, rooms.guidance).0,
            (Wishes::Shared, said) => shared(said, most),
            // What is said once has all the room.
            (Wishes::Listed, [one]) if self.brief.is_since(7) => {
                format!("- {}", self.both_ends(one, most.saturating_sub("- ".len())))
            }
            (Wishes::Listed, said) => listed(&items(said.iter().map(String::as_str)), most),
        }
    }

    /// How much of what people have said some model of those that were of use had no room for in full.
    pub(super) fn shortened(&self, said: &[String], used: &[ModelUse]) -> usize {
        if self.brief.wishes() != Wishes::NewestFirst {
            return 0;
        }
        let room = |used: &ModelUse| {
            let is_it = |it: &&ModelSheet| it.is_language_model && it.id.to_string() == used.model;
            let sheet = self.brief.models.of(used.role).iter().find(is_it)?;
            Some(self.rooms(usual_purpose(used.role), sheet).guidance)
        };
        let least = used.iter().filter_map(room).min();
        least.map_or(0, |most| newest_first(said, most).1)
    }

    /// The rule on what stands between fences, for prompts that had none before.
    fn outside_rule(&self) -> String {
        let fence = self.brief.fence.mark();
        let rule = || format!("\n- {}", prompts::OutsideText { fence }.render());
        self.brief.is_since(3).then(rule).unwrap_or_default()
    }

    fn queries_prompt(&self, id: NodeId, rooms: Rooms, now: &str) -> String {
        let node = self.tree.get(id);
        let Gathered { memory, own_memory, .. } = &self.gathered;
        let asked = latest(&memory.queries_with(own_memory), rooms.asked);
        prompts::RunQueries {
            task: &self.task(rooms),
            question: &self.question_of(node),
            guidance: &self.guidance_lines(rooms),
            asked: &self.fenced("queries", &asked),
            gaps: &self.fenced("missing", &gaps(node, rooms)),
            most: &self.brief.knobs.max_queries_per_node.to_string(),
            outside: &self.outside_rule(),
            now,
        }
        .render()
    }

    fn parts_prompt(&self, id: NodeId, rooms: Rooms) -> String {
        let node = self.tree.get(id);
        let asked = self.tree.nodes().iter().map(|node| node.question.as_str());
        let asked = latest(&asked.collect::<Vec<_>>(), rooms.asked);
        prompts::RunParts {
            task: &self.task(rooms),
            question: &self.question_of(node),
            gaps: &self.fenced("missing", &gaps(node, rooms)),
            asked: &self.fenced("questions", &asked),
            most: &self.brief.knobs.decompose_max_children.to_string(),
            outside: &self.outside_rule(),
        }
        .render()
    }

    fn findings_prompt(&self, id: NodeId, rooms: Rooms, now: &str) -> String {
        let numbers = match &self.stage {
            Stage::Visit(Visit { step: Step::Findings(numbers), .. }) => numbers.as_slice(),
            _ => &[],
        };
        let node = self.tree.get(id);
        let question = node.map_or("", |node| &node.question);
        let (room, excerpts) = (rooms.passages, self.gathered.derived.excerpts.as_ref());
        let passages = match excerpts.filter(|it| it.are_of(question, numbers, room)) {
            Some(excerpts) => Cow::Borrowed(excerpts.text.as_str()),
            None => Cow::Owned(cite::shown(&self.gathered.sources(numbers), question, room)),
        };
        prompts::RunFindings {
            task: &self.task(rooms),
            question: &self.question_of(node),
            passages: &self.brief.fence.around("passages", &passages),
            fence: self.brief.fence.mark(),
            now,
        }
        .render()
    }

    /// Those of a visit's sources of which the model that reads first is shown anything; none: rules read. What it is
    /// shown is kept for its prompt.
    pub(super) fn shown_to_a_reader(&mut self, id: NodeId, numbers: &[usize]) -> BTreeSet<usize> {
        let Some(sheet) = next_model(&self.brief.models.read, 0) else { return BTreeSet::new() };
        let rooms = self.rooms(Purpose::Findings(id), sheet);
        let question = self.tree.get(id).map_or("", |node| &node.question).to_owned();
        let sources = self.gathered.sources(numbers);
        let Shown { text, sources } = Shown::of(&sources, &question, rooms.passages);
        let (numbers, room) = (numbers.to_vec(), rooms.passages);
        self.gathered.derived.excerpts = Some(Excerpts { question, numbers, room, text });
        sources
    }

    fn judgement_prompt(&self, id: NodeId, rooms: Rooms, now: &str) -> String {
        let fence = &self.brief.fence;
        let node = self.tree.get(id);
        let asked = content(node.map_or("", |node| node.question.as_str()));
        // What is verified, then what speaks of the question, then what is new.
        let line = |finding: &Finding| Line {
            worth: content(&finding.claim).intersection(&asked).count()
                + if finding.verified { VERIFIED } else { 0 },
            text: self.finding_line(finding),
        };
        let findings: Vec<Line> = self.findings_below(id).map(line).collect();
        let findings = listed(&findings, rooms.findings);
        prompts::RunJudge {
            question: &self.question_of(node),
            findings: &fence.around("findings", &findings),
            conflicts: &fence.around("contradictions", &self.conflict_lines(rooms)),
            fence: fence.mark(),
            now,
        }
        .render()
    }

    fn pass_prompt(&self, rooms: Rooms, now: &str) -> String {
        let fence = &self.brief.fence;
        prompts::RunPass {
            task: &self.task(rooms),
            tree: &fence.around("questions", &listed(&self.tree_lines(), rooms.whole_tree)),
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
        line
    }

    pub(super) fn citation(&self, id: &str) -> Option<&Citation> {
        self.gathered.citation(id)
    }

    fn conflict_lines(&self, rooms: Rooms) -> String {
        let lines = self.gathered.conflicts.iter().map(|found| {
            let conflict = &found.conflict;
            let settled = if found.is_open() { "open" } else { "settled" };
            let (one, other) = (&conflict.one.quote, &conflict.other.quote);
            let text = format!("- ({settled}) “{one}” against “{other}”");
            // What is settled needs no judge.
            Line { worth: usize::from(found.is_open()), text }
        });
        listed(&lines.collect::<Vec<_>>(), rooms.conflicts)
    }

    /// The questions, what is missing of each, and what was found; of too many lines, the last goes first.
    fn tree_lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut push = |worth, text| lines.push(Line { worth, text });
        for node in self.tree.nodes() {
            let state = match node.state {
                NodeState::Pending => "not taken up",
                NodeState::Running => "under way",
                NodeState::Resolved => "answered",
                NodeState::Unresolved => "open",
            };
            push(2, format!("{} ({state}) {}", node.id, node.question));
            for finding in self.findings_of(node.id).filter(|finding| finding.verified) {
                push(0, format!("  {}", self.finding_line(finding)));
            }
            for gap in node.sufficiency.iter().flat_map(|it| &it.gaps) {
                push(1, format!("  missing: {gap}"));
            }
        }
        lines
    }
}

/// What a role is asked for most.
const fn usual_purpose(role: Role) -> Purpose {
    match role {
        Role::Plan => Purpose::Queries(NodeId::ROOT),
        Role::Read => Purpose::Findings(NodeId::ROOT),
        Role::Judge => Purpose::Judgement(NodeId::ROOT),
        Role::Write => Purpose::Report,
    }
}

fn gaps(node: Option<&Node>, rooms: Rooms) -> String {
    let gaps = node.and_then(|node| node.sufficiency.as_ref()).map_or(&[][..], |it| &it.gaps);
    let mut items = items(gaps.iter().map(String::as_str));
    // A judge names first what is missed most.
    items.iter_mut().rev().enumerate().for_each(|(at, item)| item.worth = at);
    listed(&items, rooms.gaps)
}

/// Texts as items of a list; of too many, the oldest are left out.
fn items<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<Line> {
    texts.map(|text| Line { worth: 0, text: format!("- {text}") }).collect()
}
