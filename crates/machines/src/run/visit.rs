//! A node's turn: queries, sources, findings, judgement; and, where that does not suffice, its parts.
//!
//! Source: the reference's section 4.2. Each step has a reply of a model, or none, where rules answer.

use super::calls::{Begun, Ended};
use super::found::Joins;
use super::input::Purpose;
use super::policy::contradiction::New;
use super::policy::quality::{Originals, Ranked};
use super::policy::{decomposition, quality, search, synthesis};
use super::queue::Search;
use super::tree::SearchError;
use super::turn::Turn;
use super::{Node, NodeId, Run, Stage};
use crate::core::ModelSheet;
use quarry_events::run::{
    By, Child, Citation, DroppedSource, NodeDecomposed, NodeResolved, NodeStarted, NodeState,
    NodeUnresolved, QueriesGenerated, ResolutionReason, Role, SourcesRanked, SynthesisCompleted,
};
use quarry_evidence::cite::Known;
use serde::{Deserialize, Serialize};

/// Sources that are read for findings at once.
const READ_AT_ONCE: usize = 12;

/// Why a node is not worked on, nor parted, when `max_sources` are there.
const NO_MORE_SOURCES: &str = "the run may have no more sources";

/// A node's turn under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// Whose.
    pub node: NodeId,
    /// How far it is.
    pub step: Step,
}

/// How far a node's turn is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Step {
    /// Its queries are being chosen.
    Queries,
    /// It searches.
    Search(Box<Search>),
    /// The sources with these numbers are being read.
    Findings(Vec<usize>),
    /// It is being judged.
    Judgement {
        /// From its children's outcomes.
        from_children: bool,
    },
    /// Its parts are being chosen.
    Parts,
}

impl Run {
    /// Begins a node's turn.
    pub(super) fn visit(&mut self, id: NodeId, turn: &mut Turn) {
        let Some(node) = self.tree.get_mut(id) else { return };
        node.attempts.visits += 1;
        node.state = NodeState::Running;
        turn.tell_of(id, &started(node));
        if self.is_full() {
            // Nothing could be searched for: nobody is asked for what.
            self.stage = Stage::Visit(Visit { node: id, step: Step::Queries });
            return self.leave(id, ResolutionReason::Policy, NO_MORE_SOURCES, turn);
        }
        self.choose_queries(id, turn);
    }

    /// Has it chosen what a node searches for.
    pub(super) fn choose_queries(&mut self, id: NodeId, turn: &mut Turn) {
        self.stage = Stage::Visit(Visit { node: id, step: Step::Queries });
        self.ask(Role::Plan, Purpose::Queries(id), 0, turn);
    }

    /// Takes in which queries a node wants.
    pub(super) fn on_queries(&mut self, id: NodeId, reply: Option<&str>, turn: &mut Turn) {
        // Rules know all that was said, and a model what its prompt had.
        self.searches_with(if reply.is_some() { self.guided } else { self.guidance.len() });
        let Some(node) = self.tree.get(id) else { return };
        let proposal = reply.map(search::read_reply).unwrap_or_default();
        let added = self.guidance.last().map(String::as_str);
        let asked = (node.question.as_str(), added.filter(|_| self.brief.is_since(5)));
        let (queries, by) = search::choose(&proposal.queries, asked, &self.brief.knobs, turn.now);
        turn.tell_of(id, &QueriesGenerated { by, queries: queries.clone() });
        let search = Search::new(queries, self.brief.sources, &proposal);
        self.go_on_searching(id, Box::new(search), turn);
    }

    /// Searches on, or goes over to what was found.
    pub(super) fn go_on_searching(&mut self, id: NodeId, mut search: Box<Search>, turn: &mut Turn) {
        if self.search_on(id, &mut search, turn) {
            let brought = search.brought().to_vec();
            if let Some(node) = self.tree.get_mut(id) {
                node.error = search.error().cloned();
            }
            self.rank(id, &brought, turn);
        } else {
            self.stage = Stage::Visit(Visit { node: id, step: Step::Search(search) });
        }
    }

    fn rank(&mut self, id: NodeId, brought: &[usize], turn: &mut Turn) {
        let Some(node) = self.tree.get_mut(id) else { return };
        for n in brought {
            if !node.sources.contains(n) {
                node.sources.push(*n);
            }
        }
        let originals = match self.brief.is_since(4) {
            true => Originals::Oldest,
            false => Originals::Described,
        };
        let gathered = &mut self.gathered;
        let ranked = gathered.derived.known.rank(
            &node.question,
            (gathered.evidence.sources(), gathered.evidence.changed()),
            &node.sources,
            (&gathered.citations, originals),
            turn.now,
        );
        for citation in ranked.citations.iter().chain(&ranked.others) {
            gathered.cite(citation);
        }
        let told = match self.brief.is_since(6) {
            true => self.unread(id, ranked),
            false => SourcesRanked { sources: ranked.citations, dropped: ranked.dropped },
        };
        let number = |citation: &Citation| quality::source_number(&citation.citation_id);
        let numbers: Vec<usize> =
            told.sources.iter().take(READ_AT_ONCE).filter_map(number).collect();
        turn.tell_of(id, &told);
        match numbers.is_empty() {
            false => self.read(id, numbers, turn),
            true if self.brief.is_since(6) && self.was_judged(id) => self.remain(id, turn),
            true => self.judge(id, false, turn),
        }
    }

    /// What of a node's sources is to be read: the best of those that nobody has read for it as they are now. What was
    /// read and paid for says nothing new to the same question.
    fn unread(&self, id: NodeId, ranked: Ranked) -> SourcesRanked {
        let Ranked { citations, mut dropped, .. } = ranked;
        let mut sources: Vec<Citation> = Vec::new();
        for citation in citations {
            let n = quality::source_number(&citation.citation_id);
            if n.is_some_and(|n| self.has_read(id, n)) {
                // It was told when it was read.
                continue;
            }
            if sources.len() < READ_AT_ONCE {
                sources.push(citation);
                continue;
            }
            let reason = "So many better ones are read first.".to_owned();
            dropped.push(DroppedSource { citation_id: citation.citation_id, reason });
        }
        SourcesRanked { sources, dropped }
    }

    fn has_read(&self, id: NodeId, n: usize) -> bool {
        let read = self.tree.get(id).and_then(|node| node.read.get(&n));
        read.is_some_and(|read| *read >= self.gathered.bytes(n))
    }

    fn was_judged(&self, id: NodeId) -> bool {
        self.tree.get(id).is_some_and(|node| node.sufficiency.is_some() && !node.is_to_be_judged)
    }

    /// A node about which nothing new was found stays as it was judged before.
    fn remain(&mut self, id: NodeId, turn: &mut Turn) {
        let before = self.tree.get(id).and_then(|node| node.resolution_reason);
        match before {
            // Its parts were asked for, too.
            Some(ResolutionReason::NoGain | ResolutionReason::Duplicate) => {
                self.leave(id, ResolutionReason::NoGain, "nothing new was found for it", turn);
            }
            _ => self.part_or_leave(id, false, turn),
        }
    }

    /// Has the sources with these numbers read for what answers a node.
    pub(super) fn read(&mut self, id: NodeId, numbers: Vec<usize>, turn: &mut Turn) {
        if self.brief.is_since(6) {
            // Now, and not when it is done: what a person adds meanwhile is not in the prompt. What the prompt has no
            // room for is read the next time.
            let shown = self.shown_to_a_reader(id, &numbers);
            if let Some(node) = self.tree.get_mut(id) {
                node.read.extend(shown.into_iter().map(|n| (n, self.gathered.bytes(n))));
            }
        }
        self.stage = Stage::Visit(Visit { node: id, step: Step::Findings(numbers) });
        self.ask(Role::Read, Purpose::Findings(id), 0, turn);
    }

    /// Takes in what a node's sources say.
    pub(super) fn on_findings(&mut self, id: NodeId, reply: Option<&str>, turn: &mut Turn) {
        let Stage::Visit(Visit { step: Step::Findings(numbers), .. }) = &self.stage else { return };
        self.gathered.derived.excerpts = None;
        // What rules read is read for nothing, and no model has seen it.
        if reply.is_none()
            && let Some(node) = self.tree.get_mut(id)
        {
            node.read.retain(|n, _| !numbers.contains(n));
        }
        let Some(node) = self.tree.get(id) else { return };
        let sources = self.gathered.sources(numbers);
        // That there are none is an answer, too. In runs of before rules made some then.
        let is_answer = self.brief.is_since(4);
        let drafts = reply.map(synthesis::read_reply);
        let drafts = drafts.filter(|drafts| is_answer || !drafts.is_empty());
        let by = if drafts.is_some() { By::Model } else { By::Rule };
        // A model's findings, too, may rest on sentences that answer with different figures.
        let (ruled, opposed) = synthesis::by_rule(&node.question, &sources);
        let drafts = drafts.unwrap_or(ruled);
        let known = Known::new(&sources);
        let next = self.gathered.findings.len() + 1;
        let cited =
            numbers.iter().filter_map(|n| self.gathered.citation(&quality::citation_id(*n)));
        let cited: Vec<Citation> = cited.cloned().collect();
        let checked = synthesis::check(&drafts, &known, &cited, next);
        let from = self.gathered.findings.len();
        let (joins, mut told) = (Joins::of(&self.brief), Vec::new());
        let mut new = New { from, joined: Vec::new() };
        for finding in checked.findings {
            // What another node has found is found here, too.
            let taken = self.gathered.take_finding(finding, joins);
            if let Some(stood_for) = taken.stood_for {
                self.tree.replace_finding(stood_for, taken.place);
            }
            self.tree.find(id, taken.place);
            let stands = self.gathered.findings.get(taken.place);
            if let Some(it) = stands
                && self.brief.is_since(4)
            {
                let joined = it.evidence_snippets.iter().rev().take(taken.joined);
                new.joined.extend(joined.map(|it| (taken.place, it.citation_id.clone())));
            }
            told.extend(stands.filter(|_| taken.is_told).cloned());
        }
        let rejected_snippets = checked.rejected_snippets;
        turn.tell_of(id, &SynthesisCompleted { by, findings: told, rejected_snippets });
        self.compare(id, &new, &opposed, turn);
        self.judge(id, false, turn);
    }

    /// Looks what new findings contradict, and what explains earlier contradictions. Findings rest on `opposed`,
    /// too, which rules took for different answers to one question.
    fn compare(&mut self, id: NodeId, new: &New, opposed: &[[String; 2]], turn: &mut Turn) {
        let gathered = &mut self.gathered;
        let is_known = new.is_nothing(gathered.findings.len()) && opposed.is_empty();
        if is_known && self.brief.is_since(9) {
            return;
        }
        let heard = &mut gathered.derived.heard;
        let mut found = heard.find(&gathered.findings, new, &gathered.citations);
        found.extend(heard.between(opposed, &gathered.findings, &gathered.citations));
        for conflict in &mut gathered.conflicts {
            if heard.weigh_again(conflict, &gathered.citations) {
                turn.tell_of(id, conflict);
            }
        }
        for conflict in found {
            if gathered.is_new_conflict(&conflict) {
                turn.tell_of(id, &conflict);
                gathered.conflicts.push(conflict);
            }
        }
    }

    /// Has a node that is not answered parted, or leaves it open.
    pub(super) fn part_or_leave(&mut self, id: NodeId, from_children: bool, turn: &mut Turn) {
        let failed = self.failed(id).filter(|_| !from_children).cloned();
        match (self.why_whole(id, from_children), failed) {
            // Its parts would meet the same where nothing is set up that could be asked.
            (whole, Some(failed)) if whole.is_some() || failed.is_lasting => {
                let message = format!("every search failed: {}", failed.message);
                self.leave(id, ResolutionReason::Error, &message, turn);
            }
            (Some((reason, message)), _) => self.leave(id, reason, message, turn),
            (None, _) => self.choose_parts(id, turn),
        }
    }

    /// Has it chosen what a node's parts are.
    pub(super) fn choose_parts(&mut self, id: NodeId, turn: &mut Turn) {
        self.stage = Stage::Visit(Visit { node: id, step: Step::Parts });
        self.ask(Role::Plan, Purpose::Parts(id), 0, turn);
    }

    /// Whether the run may have no more sources: no search is made then.
    pub(super) fn is_full(&self) -> bool {
        let most = self.brief.knobs.max_sources as usize;
        self.brief.is_since(1) && self.gathered.evidence.sources().len() >= most
    }

    /// The error that left a node without anything to be judged by.
    fn failed(&self, id: NodeId) -> Option<&SearchError> {
        self.tree.get(id).filter(|node| node.findings.is_empty())?.error.as_ref()
    }

    /// Why a node that is not answered is not parted; none where it is.
    fn why_whole(
        &self,
        id: NodeId,
        from_children: bool,
    ) -> Option<(ResolutionReason, &'static str)> {
        let node = self.tree.get(id)?;
        if from_children {
            let open = self.tree.children(id).find_map(|child| {
                child.resolution_reason.filter(|_| child.state == NodeState::Unresolved)
            });
            // It was parted: what kept its parts from being parted further is not why it is open.
            let is_its_own = |reason: &ResolutionReason| {
                let ends = [
                    ResolutionReason::Budget,
                    ResolutionReason::Timeout,
                    ResolutionReason::Aborted,
                    ResolutionReason::Error,
                ];
                !self.brief.is_since(6) || ends.contains(reason)
            };
            let reason = open.filter(is_its_own).unwrap_or(ResolutionReason::NoGain);
            return Some((reason, "its parts do not answer it"));
        }
        if self.is_full() {
            return Some((ResolutionReason::Policy, NO_MORE_SOURCES));
        }
        if let Err(reason) = self.room_for_parts(node) {
            let message = match reason {
                ResolutionReason::Depth => "the tree may not grow deeper here",
                _ => "the tree may have no more nodes",
            };
            return Some((reason, message));
        }
        // A node is parted once; later visits search again.
        (!node.children.is_empty()).then_some((ResolutionReason::NoGain, "its parts stand already"))
    }

    fn room_for_parts(&self, node: &Node) -> Result<usize, ResolutionReason> {
        decomposition::room(node.depth, self.tree.nodes().len(), &self.brief.knobs)
    }

    /// Takes in what a node's parts are.
    pub(super) fn on_parts(&mut self, id: NodeId, reply: Option<&str>, turn: &mut Turn) {
        let Some(node) = self.tree.get(id) else { return };
        let is_answer = self.brief.is_since(4);
        let proposed = reply.map(decomposition::read_reply);
        let proposed = proposed.filter(|parts| is_answer || !parts.is_empty());
        let by = if proposed.is_some() { By::Model } else { By::Rule };
        let gaps = node.sufficiency.as_ref().map(|it| it.gaps.clone()).unwrap_or_default();
        let proposed = proposed.unwrap_or_else(|| decomposition::by_rule(&node.question, &gaps));
        let all: Vec<&str> = self.tree.nodes().iter().map(|it| it.question.as_str()).collect();
        let room = self.room_for_parts(node).unwrap_or_default();
        let all = (all.as_slice(), &mut self.gathered.derived.questions);
        let chosen = decomposition::choose(proposed, &node.question, all, &self.brief.knobs, room);
        let ids = self.tree.part(id, chosen.children.clone());
        let children: Vec<Child> = ids
            .iter()
            .zip(chosen.children)
            .map(|(id, question)| Child { node_id: id.to_string(), question })
            .collect();
        let has_dropped = !chosen.dropped.is_empty();
        turn.tell_of(id, &NodeDecomposed { by, children, dropped: chosen.dropped });
        match (ids.is_empty(), has_dropped) {
            (false, _) => {
                self.agenda.extend(ids.into_iter().rev());
                self.next(turn);
            }
            (true, true) => {
                let message = "its parts are asked elsewhere in the tree";
                self.leave(id, ResolutionReason::Duplicate, message, turn);
            }
            (true, false) => {
                let message = "it has no parts that could be asked by themselves";
                self.leave(id, ResolutionReason::NoGain, message, turn);
            }
        }
    }

    pub(super) fn resolve(
        &mut self,
        id: NodeId,
        reason: ResolutionReason,
        score: f64,
        turn: &mut Turn,
    ) {
        let Some(node) = self.tree.get_mut(id) else { return };
        node.state = NodeState::Resolved;
        node.resolution_reason = Some(reason);
        let findings = node.findings.len() as u64;
        turn.tell_of(id, &NodeResolved { resolution_reason: reason, score, findings });
        turn.checkpoint();
        self.after(id, turn);
    }

    fn leave(&mut self, id: NodeId, reason: ResolutionReason, message: &str, turn: &mut Turn) {
        self.mark_unresolved(id, reason, message, turn);
        turn.checkpoint();
        self.after(id, turn);
    }

    /// Marks a node as open.
    pub(super) fn mark_unresolved(
        &mut self,
        id: NodeId,
        reason: ResolutionReason,
        message: &str,
        turn: &mut Turn,
    ) {
        let Some(node) = self.tree.get_mut(id) else { return };
        node.state = NodeState::Unresolved;
        node.resolution_reason = Some(reason);
        let message = message.to_owned();
        turn.tell_of(id, &NodeUnresolved { resolution_reason: reason, message });
    }

    /// Asks a model of a role, or has rules answer.
    pub(super) fn ask(&mut self, role: Role, purpose: Purpose, choice: usize, turn: &mut Turn) {
        self.ask_as(1, (role, purpose), choice, turn);
    }

    /// The same, as the try with this number, from 1 on.
    pub(super) fn ask_as(
        &mut self,
        attempt: u32,
        (role, purpose): (Role, Purpose),
        choice: usize,
        turn: &mut Turn,
    ) {
        let (now, before) = (turn.now, self.guided);
        let attempt = self.calls.take_cut_off(purpose).unwrap_or_default().max(attempt);
        self.hear_all();
        // Taken out, so that a request may look at all the rest.
        let mut calls = std::mem::take(&mut self.calls);
        let request = |sheet: &ModelSheet| self.request(purpose, sheet, now);
        let begun = calls.call(&self.brief, (role, purpose), choice, request, turn);
        self.calls = calls;
        match begun {
            Begun::Yes => self.calls.count_last_as(attempt),
            // Rules write without what was said since.
            Begun::ByRule => {
                self.guided = before;
                self.on_reply(purpose, None, turn);
            }
            Begun::NoRoom(ended) => {
                if purpose == Purpose::Report {
                    self.guided = before;
                }
                self.go_on_without(Ended { attempts: attempt, ..*ended }, turn);
            }
        }
    }

    /// What was said so far is taken in.
    pub(super) const fn hear_all(&mut self) {
        if self.brief.is_since(8) {
            self.guided = self.guidance.len();
        }
    }
}

/// The first of these models that is a language model, from that place on.
pub(super) fn next_model(models: &[ModelSheet], from: usize) -> Option<&ModelSheet> {
    models.iter().skip(from).find(|sheet| sheet.is_language_model)
}

/// That a node is taken up.
pub(super) fn started(node: &Node) -> NodeStarted {
    NodeStarted {
        question: node.question.clone(),
        parent_id: node.parent.map(|parent| parent.to_string()),
        depth: node.depth,
        attempt: node.attempts.visits,
    }
}
