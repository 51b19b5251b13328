//! How well a node is answered: judged from its own evidence, and again from that of its parts where they brought any.
//! The same evidence would be judged the same, and a judge is paid.
//!
//! Border: what a judge is asked is in `requests.rs`, and what rules make of a reply in the policy.

use super::input::Purpose;
use super::policy::sufficiency;
use super::turn::Turn;
use super::visit::{Step, Visit, next_model};
use super::{NodeId, Run, Stage};
use quarry_events::run::{
    Citation, ConflictFound, Finding, NodeSufficiencyEvaluated, ResolutionReason, Role, Sufficiency,
};
use quarry_types::order::Gather;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a node is judged by. As long as it is the same, so is the verdict.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Basis {
    /// Findings, and quotations that they rest on: neither gets fewer.
    findings: (usize, usize),
    /// Contradictions of theirs, and those of them that nothing settles.
    conflicts: (usize, usize),
    /// The voices of what they cite, and all its tiers together.
    sources: (usize, u64),
    /// The newest date of that.
    newest: Option<String>,
}

impl Run {
    /// Has a node judged.
    pub(super) fn judge(&mut self, id: NodeId, from_children: bool, turn: &mut Turn) {
        self.stage = Stage::Visit(Visit { node: id, step: Step::Judgement { from_children } });
        if self.brief.is_since(9) {
            // Now, and not when it is done: what a person adds meanwhile is not in the prompt.
            let basis = self.basis(id);
            if let Some(node) = self.tree.get_mut(id) {
                node.judged_by = Some(basis);
                node.is_to_be_judged = false;
            }
        }
        if !self.has_verified_below(id) {
            // What nothing is known of needs no judge.
            return self.on_judgement(id, None, turn);
        }
        self.ask(Role::Judge, Purpose::Judgement(id), 0, turn);
    }

    /// Has a node judged whose parts are done. Where they brought nothing, nobody is asked, and what was judged before is
    /// told again.
    pub(super) fn judge_from_parts(&mut self, id: NodeId, turn: &mut Turn) {
        let Some(sufficiency) = self.standing_verdict(id) else {
            return self.judge(id, true, turn);
        };
        turn.tell_of(id, &NodeSufficiencyEvaluated { sufficiency, from_children: true });
        self.part_or_leave(id, true, turn);
    }

    /// What found a node wanting by all the evidence that there is.
    fn standing_verdict(&self, id: NodeId) -> Option<Sufficiency> {
        let node = self.tree.get(id)?;
        let wanting = node.sufficiency.as_ref().filter(|it| !it.sufficient)?;
        let stands = node.judged_by.as_ref().is_some_and(|basis| *basis == self.basis(id));
        stands.then(|| wanting.clone())
    }

    fn has_verified_below(&self, id: NodeId) -> bool {
        self.findings_below(id).any(|finding| finding.verified)
    }

    fn basis(&self, id: NodeId) -> Basis {
        let findings: Vec<&Finding> = self.findings_below(id).collect();
        let names: BTreeSet<&str> = findings.iter().map(|it| it.finding_id.as_str()).gather();
        let is_theirs = |it: &&ConflictFound| {
            it.finding_ids.iter().any(|finding| names.contains(finding.as_str()))
        };
        let conflicts: Vec<&ConflictFound> =
            self.gathered.conflicts.iter().filter(is_theirs).collect();
        let cited: Vec<&Citation> =
            findings.iter().flat_map(|finding| self.citations_of(finding)).collect();
        let voices: BTreeSet<&str> = cited.iter().map(|it| it.voice.as_str()).gather();
        Basis {
            findings: (findings.len(), findings.iter().map(|it| it.evidence_snippets.len()).sum()),
            conflicts: (conflicts.len(), conflicts.iter().filter(|it| it.is_open()).count()),
            sources: (voices.len(), cited.iter().map(|it| u64::from(it.quality_tier)).sum()),
            newest: cited.iter().filter_map(|it| it.published.clone()).max(),
        }
    }

    /// Takes in how well a node is answered.
    pub(super) fn on_judgement(&mut self, id: NodeId, reply: Option<&str>, turn: &mut Turn) {
        let Stage::Visit(Visit { step: Step::Judgement { from_children }, .. }) = self.stage else {
            return;
        };
        let facts = self.sufficiency_facts(id, turn.now);
        // A model that was of no use once may be the next time.
        let is_for_want_of_model = reply.is_none()
            && self.has_verified_below(id)
            && next_model(&self.brief.models.judge, 0).is_some();
        let reply = reply.and_then(sufficiency::Reply::read);
        let sufficiency = sufficiency::judge(reply, &facts, &self.brief.knobs);
        let told = NodeSufficiencyEvaluated { sufficiency: sufficiency.clone(), from_children };
        turn.tell_of(id, &told);
        let is_sufficient = sufficiency.sufficient;
        let score = sufficiency.score;
        if let Some(node) = self.tree.get_mut(id) {
            node.sufficiency = Some(sufficiency);
            node.judged_by.take_if(|_| is_for_want_of_model);
        }
        if is_sufficient {
            let reason =
                if from_children { ResolutionReason::Children } else { ResolutionReason::Direct };
            return self.resolve(id, reason, score, turn);
        }
        self.part_or_leave(id, from_children, turn);
    }
}
