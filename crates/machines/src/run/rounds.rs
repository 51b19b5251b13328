//! Rounds: what is open is worked on depth first; then it is judged whether another round is worth it.
//!
//! The agenda is a stack. Parts of a node go on top of it, so that one branch is finished before the next
//! begins; a node whose parts are all done is judged again from their outcomes, where these brought anything.

use super::input::Purpose;
use super::policy::sufficiency;
use super::turn::Turn;
use super::{NodeId, Run, Stage};
use quarry_events::run::{
    CutShort, NodeState, ResolutionReason, Role, RoundCompleted, RoundStarted,
};
use serde::{Deserialize, Serialize};

/// Where a run was when its round began.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// From 1; 0 before the first.
    pub number: u32,
    /// Verified findings.
    findings: u64,
    /// Nodes that were resolved, and nodes at all.
    nodes: (usize, usize),
    /// Whether it is settled what follows on it.
    pub is_judged: bool,
    /// How much of what persons have said was known to who chose queries last. Since revision 10.
    #[serde(default, skip_serializing_if = "crate::core::is_zero")]
    searched_with: usize,
    /// Whether bounds have grown since it began. Since revision 10.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    has_grown: bool,
}

impl Run {
    /// Begins a round, when there is one.
    pub(super) fn begin_round(&mut self, turn: &mut Turn) {
        let number = self.round.number + 1;
        self.round = Round { number, ..self.standing() };
        turn.begin_round(number);
        let frontier = self.tree.frontier();
        let told = frontier.iter().map(ToString::to_string).collect();
        turn.tell(&RoundStarted { frontier: told });
        turn.checkpoint_at_border(self.brief.is_since(4));
        self.agenda = frontier.into_iter().rev().collect();
        self.next(turn);
    }

    fn standing(&self) -> Round {
        let nodes = (self.tree.count(NodeState::Resolved), self.tree.nodes().len());
        let findings = self.gathered.verified();
        Round { findings, nodes, is_judged: false, has_grown: false, ..self.round.clone() }
    }

    /// Has what is next taken up at the end of this turn: by a call here, a run whose answers rules know would
    /// need a stack as deep as its tree is large.
    pub(super) const fn next(&mut self, turn: &mut Turn) {
        turn.goes_on(true);
    }

    /// Takes up what is next.
    pub(super) fn take_next(&mut self, turn: &mut Turn) {
        let Some(id) = self.agenda.pop() else { return self.end_round(turn) };
        // What was cut off while it waited for its parts is judged from them.
        let has_parts =
            |node: &super::Node| !node.children.is_empty() && node.sufficiency.is_some();
        let is_cut_off = |node: &super::Node| node.state == NodeState::Pending && has_parts(node);
        if self.tree.get(id).is_some_and(is_cut_off) {
            return self.judge_from_parts(id, turn);
        }
        self.visit(id, turn);
    }

    /// A node is done: the one that it is a part of is judged again when nothing below it is left to do.
    pub(super) fn after(&mut self, id: NodeId, turn: &mut Turn) {
        let parent = self.tree.get(id).and_then(|node| node.parent);
        let open = parent.filter(|parent| {
            let is_open = |node: &super::Node| node.state != NodeState::Resolved;
            self.tree.get(*parent).is_some_and(is_open) && !self.has_agenda_below(*parent)
        });
        match open {
            Some(parent) => self.judge_from_parts(parent, turn),
            None => self.next(turn),
        }
    }

    fn has_agenda_below(&self, above: NodeId) -> bool {
        let is_below = |id: &NodeId| {
            let mut at = self.tree.get(*id).and_then(|node| node.parent);
            while let Some(parent) = at {
                if parent == above {
                    return true;
                }
                at = self.tree.get(parent).and_then(|node| node.parent);
            }
            false
        };
        self.agenda.iter().any(is_below)
    }

    fn end_round(&mut self, turn: &mut Turn) {
        let resolved = self.tree.count(NodeState::Resolved) as u64;
        let unresolved = self.tree.count(NodeState::Unresolved) as u64;
        let new_findings = self.gathered.verified() - self.round.findings;
        turn.tell(&RoundCompleted { resolved, unresolved, new_findings });
        turn.checkpoint_at_border(self.brief.is_since(4));
        self.pass(turn);
    }

    /// Has it judged whether another round is worth it.
    pub(super) fn pass(&mut self, turn: &mut Turn) {
        self.stage = Stage::Pass;
        // Where nothing is open, nobody needs to be asked what that means.
        if self.is_root_resolved() || !self.may_progress() || !self.has_rounds_left() {
            return self.on_pass(None, turn);
        }
        self.ask(Role::Judge, Purpose::Pass(self.round.number), 0, turn);
    }

    fn is_root_resolved(&self) -> bool {
        self.tree.get(NodeId::ROOT).is_some_and(|root| root.state == NodeState::Resolved)
    }

    /// Queries were chosen, by who knew so much of what persons have said.
    pub(super) const fn searches_with(&mut self, said: usize) {
        if self.brief.is_since(10) {
            self.round.searched_with = said;
        }
    }

    /// Bounds have grown: what came to nothing within the others may come to something.
    pub(super) const fn note_larger_bounds(&mut self) {
        if self.brief.is_since(10) {
            self.round.has_grown = true;
            self.round.is_judged = false;
        }
    }

    /// Whether somebody gave a reason for another round, which this one could not follow.
    pub(super) fn has_reason(&self) -> bool {
        let is_guided = self.guidance.len() > self.round.searched_with;
        let is_given = self.brief.is_since(10) && (is_guided || self.round.has_grown);
        is_given && self.has_rounds_left() && !self.is_root_resolved()
    }

    /// What whoever had bounds grow is told where the task is not answered and no round follows that could use them.
    fn why_no_larger_round(&self) -> Option<&'static str> {
        let is_over = !self.has_rounds_left() && !self.is_root_resolved();
        let is_told = self.brief.is_since(12) && self.round.has_grown && is_over;
        is_told.then(|| match self.is_full() {
            true => {
                "No round uses the larger bounds: the run may have no more sources (`max_sources`)."
            }
            false => {
                "No round uses the larger bounds: the run has had all that it may have (`max_rounds`)."
            }
        })
    }

    fn may_progress(&self) -> bool {
        self.has_progressed() || self.has_reason()
    }

    fn has_progressed(&self) -> bool {
        let now = self.standing();
        now.findings > self.round.findings || now.nodes != self.round.nodes
    }

    /// Whether there may be another round, and it could find anything.
    fn has_rounds_left(&self) -> bool {
        self.round.number < self.brief.knobs.max_rounds && !self.is_full()
    }

    /// Takes in whether another round is worth it.
    pub(super) fn on_pass(&mut self, reply: Option<&str>, turn: &mut Turn) {
        // By a model, which may not have been told all that persons have said by now.
        let is_behind = reply.is_some() && self.guidance.len() > self.guided;
        let open: Vec<&str> = self
            .tree
            .frontier()
            .into_iter()
            .filter_map(|id| self.tree.get(id))
            .map(|node| node.question.as_str())
            .collect();
        let root = self.tree.get(NodeId::ROOT).and_then(|root| root.sufficiency.as_ref());
        let reply = reply.and_then(sufficiency::PassReply::read);
        let mut judged = sufficiency::judge_pass(
            reply,
            root,
            &open,
            self.may_progress(),
            self.has_rounds_left(),
        );
        if is_behind && judged.stop.is_some() && self.brief.is_since(10) {
            return self.pass(turn);
        }
        if let Some(why) = self.why_no_larger_round() {
            judged.rationale = [judged.rationale.as_str(), why].join(" ");
        }
        turn.tell(&judged);
        self.round.is_judged = true;
        match judged.stop {
            Some(_) => self.write(turn),
            None => self.begin_round(turn),
        }
    }

    /// Ends research before its end: what is open stays open, and the report is written from what there is.
    pub(super) fn cut_short(&mut self, why: CutShort, turn: &mut Turn) {
        let (reason, message) = match why {
            CutShort::Timeout => (ResolutionReason::Timeout, "the run's time was over"),
            CutShort::Budget => (ResolutionReason::Budget, "the budget was used up"),
        };
        self.cut_short = Some(why);
        self.calls.abandon(&self.brief, message);
        self.close_open(reason, message, turn);
        self.write(turn);
    }

    /// Marks every node that is pending or being worked on as open. The agenda stays, and so does the turn
    /// that is cut off, for whoever goes on with the run.
    pub(super) fn close_open(&mut self, reason: ResolutionReason, message: &str, turn: &mut Turn) {
        turn.goes_on(false);
        self.keep_cut_off();
        let is_open = |state: NodeState| matches!(state, NodeState::Pending | NodeState::Running);
        let open: Vec<NodeId> = self
            .tree
            .nodes()
            .iter()
            .filter(|node| is_open(node.state))
            .map(|node| node.id)
            .collect();
        for id in open {
            self.mark_unresolved(id, reason, message, turn);
        }
    }
}
