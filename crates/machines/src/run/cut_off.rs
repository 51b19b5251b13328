//! A node's turn that an end cut off: it is kept as it stood, and whoever goes on with the run goes on with it there.
//! Queries that were chosen, searches that were answered, findings and judgements are not asked for again.

use super::tree::Node;
use super::turn::Turn;
use super::visit::started;
use super::{NodeId, Run, Stage, Step, Visit};
use quarry_events::run::NodeState;

impl Run {
    /// Keeps the turn under way, which is about to be cut off.
    pub(super) fn keep_cut_off(&mut self) {
        if !self.brief.keeps_visits {
            return;
        }
        match std::mem::replace(&mut self.stage, Stage::Pass) {
            Stage::Visit(visit) => self.cut_off = Some(Box::new(visit)),
            stage @ (Stage::Pass | Stage::Writing(_) | Stage::Over(_)) => self.stage = stage,
        }
    }

    /// Forgets the turn that was cut off if it is this node's: it asks something else now.
    pub(super) fn drop_cut_off(&mut self, id: NodeId) {
        self.cut_off.take_if(|visit| visit.node == id);
    }

    /// Goes on with the turn that was cut off. False when none was.
    pub(super) fn go_on_with_cut_off(&mut self, turn: &mut Turn) -> bool {
        let Some(visit) = self.cut_off.take() else { return false };
        let Visit { node: id, step } = *visit;
        let Some(node) = self.tree.get_mut(id) else { return false };
        take_up_again(node, turn);
        self.agenda.retain(|other| *other != id);
        match step {
            Step::Queries => self.choose_queries(id, turn),
            Step::Search(search) => self.send_again(id, search, turn),
            Step::Findings(numbers) => self.read(id, numbers, turn),
            Step::Judgement { from_children } => self.judge(id, from_children, turn),
            Step::Parts => self.choose_parts(id, turn),
        }
        true
    }
}

/// It is the same turn: no other attempt. A node that was left open before it was judged anew from its parts was not
/// let go of, and is not taken up.
fn take_up_again(node: &mut Node, turn: &mut Turn) {
    if node.state == NodeState::Pending {
        node.state = NodeState::Running;
        turn.tell_of(node.id, &started(node));
    }
}
