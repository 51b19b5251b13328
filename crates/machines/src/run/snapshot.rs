//! A run as clients see it: its record, its tree, its report.

use super::ends::{End, Kept};
use super::report::{self, ReportFacts};
use super::{Node, NodeId, Run, Stage, queue};
use quarry_events::At;
use quarry_events::run::{
    AttemptCounters, NodeSnapshot, ReportState, RunBudget, RunRecord, RunSnapshot,
};
use quarry_types::Json;
use quarry_types::Timestamp;
use quarry_types::text::cut;
use std::collections::BTreeSet;

/// Characters of a task in a list.
const LISTED_TASK: usize = 300;

impl Run {
    /// The run and its tree; with findings and sources where they are asked for.
    #[must_use]
    pub fn snapshot(&self, now: Timestamp, findings: bool) -> RunSnapshot {
        let node = |node| self.shown(node, findings);
        RunSnapshot {
            record: self.record(now),
            nodes: self.tree.nodes().iter().map(node).collect(),
            citations: findings.then(|| self.gathered.citations.clone()),
        }
    }

    /// Some of its nodes as clients see them, by number; all where none are named.
    #[must_use]
    pub fn shown_nodes(&self, numbers: Option<&BTreeSet<u64>>) -> Vec<(u64, Json)> {
        let named = |n: &u64| self.tree.get(NodeId(u32::try_from(*n).ok()?));
        let shown = |node: &Node| (u64::from(node.id.0), Json::of(&self.shown(node, false)));
        match numbers {
            Some(numbers) => numbers.iter().filter_map(named).map(shown).collect(),
            None => self.tree.nodes().iter().map(shown).collect(),
        }
    }

    /// The run as lists show it.
    #[must_use]
    pub fn listed(&self, now: Timestamp) -> RunRecord {
        let record = self.record(now);
        RunRecord { task: cut(&record.task, LISTED_TASK), ..record }
    }

    fn record(&self, now: Timestamp) -> RunRecord {
        let budget = self.brief.budget;
        let clock = &self.clockwork;
        RunRecord {
            run_id: self.brief.id,
            task: self.brief.task.clone(),
            model: self.brief.models.name(),
            status: self.status(),
            started_at: At(clock.started),
            updated_at: At(clock.updated),
            completed_at: clock.completed.map(At),
            config: self.brief.knobs.clone(),
            policies: self.policies.clone(),
            budget: RunBudget { usd: budget.usd, tokens: budget.tokens },
            sources: queue::places(self.brief.sources).collect(),
            collection: self.brief.collection.clone(),
            models: self.brief.models.named(),
            root_node_id: NodeId::ROOT.to_string(),
            summary_metrics: self.metrics(now),
            waiting: clock.waiting().cloned(),
            partial: self.cut_short.is_some(),
            reason: self.cut_short,
            message: match &self.stage {
                Stage::Over(end) => match end.as_ref() {
                    End::Failed { message } => Some(message.clone()),
                    End::Completed { .. } | End::Aborted => None,
                },
                Stage::Visit(_) | Stage::Pass | Stage::Writing(_) => None,
            },
            report: match &self.stage {
                Stage::Over(_) if self.kept_report().is_some() => ReportState::Ready,
                Stage::Writing(_) => ReportState::Writing,
                Stage::Over(_) => ReportState::None,
                Stage::Visit(_) | Stage::Pass => ReportState::Pending,
            },
            sequence: self.numbers.events,
            forked_from: self.forked_from,
        }
    }

    fn shown(&self, node: &Node, findings: bool) -> NodeSnapshot {
        NodeSnapshot {
            node_id: node.id.to_string(),
            parent_id: node.parent.map(|parent| parent.to_string()),
            depth: node.depth,
            question: node.question.clone(),
            state: node.state,
            resolution_reason: node.resolution_reason,
            finding_count: node.findings.len() as u64,
            findings: findings.then(|| self.findings_of(node.id).cloned().collect()),
            citations: node
                .sources
                .iter()
                .map(|n| super::policy::quality::citation_id(*n))
                .collect(),
            sufficiency: node.sufficiency.clone(),
            children: node.children.iter().map(ToString::to_string).collect(),
            attempt_counters: AttemptCounters {
                visits: node.attempts.visits,
                queries: node.attempts.queries,
                decompositions: node.attempts.decompositions,
            },
        }
    }

    /// The report, once it is written.
    #[must_use]
    pub fn kept_report(&self) -> Option<&Kept> {
        match &self.stage {
            Stage::Over(end) => match end.as_ref() {
                End::Completed { report } => Some(report),
                End::Failed { .. } | End::Aborted => None,
            },
            Stage::Visit(_) | Stage::Pass | Stage::Writing(_) => None,
        }
    }

    /// What can be said now of a run that has no report and was worked on up to then.
    #[must_use]
    pub fn report_so_far(&self, now: Timestamp, until: Timestamp) -> Kept {
        let metrics = self.metrics(until);
        self.with_report_facts(None, now, |facts| {
            report::partial(&ReportFacts { metrics, ..*facts })
        })
        .into()
    }

    /// When the run is to be driven by whoever looks for runs that are due; none: not by itself.
    #[must_use]
    pub fn due_at(&self, now: Timestamp) -> Option<Timestamp> {
        let standing = self.standing_now();
        match (self.has_ended(), standing.waiting) {
            (true, _) => None,
            (false, Some(waiting)) => waiting.until.map(|until| until.0),
            (false, None) => Some(now),
        }
    }
}
