//! What the policies and the report are told of a run: counted from its tree and from what it gathered.

use super::found::Joins;
use super::policy::{confidence, named, search, sufficiency};
use super::report::{self, ConfidencePart, Language, ModelUse, ReportFacts, Spoken};
use super::room::Rooms;
use super::{NodeId, Run, Stage};
use quarry_events::run::{
    Citation, ConflictFound, Finding, NodeState, Role, RunStatus, SummaryMetrics,
};
use quarry_evidence::{Confidence, Level, Source};
use quarry_types::Timestamp;
use quarry_types::order::Gather;
use std::collections::BTreeSet;

const DAY_MS: u64 = 86_400_000;

/// What is made for a report of what a run has.
struct Made {
    parts: Vec<ConfidencePart>,
    penalties: Vec<String>,
    sources: Vec<Source>,
    models: Vec<ModelUse>,
    confidence: Confidence,
}

impl Run {
    /// The findings of a node itself.
    pub(super) fn findings_of(&self, id: NodeId) -> impl Iterator<Item = &Finding> {
        let places = self.tree.get(id).map_or(&[][..], |node| &node.findings);
        places.iter().filter_map(|place| self.gathered.findings.get(*place))
    }

    /// The findings of a node and of all below it, in the order of their making.
    pub(super) fn findings_below(&self, id: NodeId) -> impl Iterator<Item = &Finding> {
        let mut places = BTreeSet::new();
        let mut open = vec![id];
        while let Some(node) = open.pop().and_then(|id| self.tree.get(id)) {
            places.extend(node.findings.iter().copied());
            open.extend(&node.children);
        }
        places.into_iter().filter_map(|place| self.gathered.findings.get(place))
    }

    pub(super) fn citations_of(&self, finding: &Finding) -> impl Iterator<Item = &Citation> {
        finding.citation_ids.iter().filter_map(|id| self.citation(id))
    }

    /// What the rules of sufficiency look at.
    pub(super) fn sufficiency_facts(&self, id: NodeId, now: Timestamp) -> sufficiency::Facts {
        let question = self.tree.get(id).map_or("", |node| node.question.as_str());
        let findings: Vec<&Finding> = self.findings_below(id).collect();
        let verified: Vec<&Finding> =
            findings.iter().copied().filter(|finding| finding.verified).collect();
        let citations: Vec<&Citation> =
            verified.iter().flat_map(|finding| self.citations_of(finding)).collect();
        let strong: BTreeSet<&str> = citations
            .iter()
            .filter(|citation| citation.quality_tier <= 2)
            .map(|citation| citation.voice.as_str())
            .gather();
        let newest = citations.iter().filter_map(|citation| citation.published.as_deref());
        let newest = newest.filter_map(day).max();
        let mut facts = sufficiency::Facts {
            findings: findings.len(),
            verified: verified.len(),
            best_tier: citations.iter().map(|citation| citation.quality_tier).min(),
            strong_voices: strong.len(),
            unnamed_conflicts: self.unnamed_conflicts(&findings),
            time_sensitive: search::is_time_sensitive(question, now),
            newest_age_days: newest.map(|newest| (now.0 / DAY_MS).saturating_sub(newest)),
            ..sufficiency::Facts::default()
        };
        let claims: Vec<&str> = verified.iter().map(|finding| finding.claim.as_str()).collect();
        facts.note_parts(question, &claims);
        facts
    }

    /// Contradictions among these findings that nothing settles and that none of them names.
    fn unnamed_conflicts(&self, findings: &[&Finding]) -> usize {
        let open = self.gathered.conflicts.iter().filter(|it| it.is_open());
        let is_since = self.brief.is_since(1);
        let is_unnamed = |found: &&ConflictFound| {
            let of = |finding: &&&Finding| found.finding_ids.contains(&finding.finding_id);
            let mut sides = findings.iter().filter(of).peekable();
            if sides.peek().is_none() {
                return false;
            }
            match is_since {
                true => !named::is_named(&found.conflict, findings),
                // Any uncertainty did.
                false => sides.all(|finding| finding.uncertainties.is_empty()),
            }
        };
        open.filter(is_unnamed).count()
    }

    /// What the run did and used.
    #[must_use]
    pub fn metrics(&self, now: Timestamp) -> SummaryMetrics {
        let ledger = self.calls.ledger();
        let (queries, queries_cached) = self.gathered.queries;
        let tokens = ledger.tokens();
        let is_apart = self.brief.is_since(11);
        let (cached, reasoning) = ledger.cached_and_reasoning();
        let told = |tokens: u64| (tokens > 0).then_some(tokens);
        SummaryMetrics {
            queries,
            queries_cached,
            sources: self.gathered.evidence.sources().len() as u64,
            nodes: self.tree.nodes().len() as u64,
            rounds: self.round.number,
            findings: self.gathered.verified(),
            tokens: tokens.total,
            input_tokens: is_apart.then_some(tokens.input),
            output_tokens: is_apart.then_some(tokens.output),
            cached_input_tokens: told(cached),
            reasoning_tokens: told(reasoning),
            cost: ledger.total_cost(),
            cost_known: ledger.unpriced_calls() == 0,
            unsettled_calls: ledger.unsettled().len() as u64,
            latency: self.clockwork.elapsed(now),
        }
    }

    /// How far the run's report can be relied on.
    pub(super) fn assessment(&self, now: Timestamp) -> confidence::Assessment {
        let gathered = &self.gathered;
        let signals = confidence::Signals::of(
            &gathered.counted(Joins::of(&self.brief)),
            &gathered.citations,
            &gathered.conflicts,
            now,
        );
        confidence::assess(&confidence::Signals {
            is_time_sensitive: search::is_time_sensitive(&self.brief.task, now),
            questions: self.tree.nodes().len(),
            resolved: self.tree.count(NodeState::Resolved),
            outages: gathered.outages,
            fallbacks: gathered.fallbacks,
            is_partial: self.cut_short.is_some(),
            is_by_rules: !self.brief.models.has_language_model(),
            names_findings: self.brief.is_since(11),
            ..signals
        })
    }

    /// Gives what a report is made of to whoever makes something of it.
    pub(super) fn with_report_facts<T>(
        &self,
        written: Option<&str>,
        now: Timestamp,
        make: impl FnOnce(&ReportFacts<'_>) -> T,
    ) -> T {
        let assessed = self.assessment(now);
        let part = |part: confidence::Part| ConfidencePart {
            name: part.name,
            value: part.value,
            words: part.words,
        };
        let made = Made {
            parts: assessed.parts.into_iter().map(part).collect(),
            penalties: [self.gathered.penalties.clone(), assessed.penalties].concat(),
            sources: self.gathered.cited_sources(),
            models: self.model_uses(),
            confidence: assessed.confidence,
        };
        make(&self.report_facts(&made, self.metrics(now), written, now))
    }

    /// The same without what takes long to make: sources, metrics, and how far the report can be relied on.
    pub(super) fn with_brief_facts<T>(
        &self,
        now: Timestamp,
        make: impl FnOnce(&ReportFacts<'_>) -> T,
    ) -> T {
        let confidence = Confidence { level: Level::Low, score: 0.0 };
        let (parts, penalties, sources) = (Vec::new(), Vec::new(), Vec::new());
        let made = Made { parts, penalties, sources, models: Vec::new(), confidence };
        make(&self.report_facts(&made, SummaryMetrics::default(), None, now))
    }

    fn report_facts<'a>(
        &'a self,
        made: &'a Made,
        metrics: SummaryMetrics,
        written: Option<&'a str>,
        now: Timestamp,
    ) -> ReportFacts<'a> {
        let is_writing = matches!(self.stage, Stage::Writing(_));
        let heard = if is_writing && self.brief.is_since(8) { self.guided } else { usize::MAX };
        let (heard, too_late) = self.guidance.split_at(heard.min(self.guidance.len()));
        ReportFacts {
            run_id: self.brief.id,
            task: &self.brief.task,
            status: if is_writing { RunStatus::Completed } else { self.status() },
            spoken: self.spoken(),
            report_style: self.brief.knobs.report_style,
            tree: &self.tree,
            findings: &self.gathered.findings,
            citations: &self.gathered.citations,
            sources: &made.sources,
            cut: self.gathered.evidence.cut(),
            conflicts: &self.gathered.conflicts,
            guidance: heard,
            too_late,
            penalties: &made.penalties,
            models: &made.models,
            metrics,
            checks_unsure: self.brief.is_since(1),
            orders_days: self.brief.is_since(3),
            quotes_agreement: self.brief.is_since(4),
            has_texts: self.brief.is_since(6),
            names_passages: self.brief.is_since(7),
            knows_doubts: self.brief.is_since(7),
            wishes: self.brief.wishes(),
            shortened: self.shortened(heard, &made.models),
            answers_first: self.brief.is_since(10),
            is_exact: self.brief.is_since(11),
            bills_models_alone: self.brief.is_since(16),
            partial: self.cut_short,
            confidence: made.confidence,
            parts: &made.parts,
            language_model: self.brief.models.has_language_model(),
            started: self.clockwork.started,
            now,
            written,
        }
    }

    /// The language of the task.
    fn spoken(&self) -> Spoken {
        match self.brief.is_since(4) {
            true => Spoken::of(&self.brief.task),
            false => Spoken::Before(Language::before(&self.brief.task)),
        }
    }

    fn model_uses(&self) -> Vec<ModelUse> {
        let roles = [Role::Plan, Role::Read, Role::Judge, Role::Write];
        if self.brief.is_since(1) {
            let used = |role: Role| self.gathered.used.iter().filter(move |(it, _)| *it == role);
            let used = roles.into_iter().flat_map(used).cloned();
            return used.map(|(role, model)| ModelUse { role, model }).collect();
        }
        let first = |role: Role| {
            let sheet = self.brief.models.of(role).first()?;
            Some(ModelUse { role, model: sheet.id.to_string() })
        };
        roles.into_iter().filter_map(first).collect()
    }

    /// The prompt for whoever writes the report.
    pub(super) fn report_prompt(&self, rooms: Rooms, now: Timestamp) -> String {
        self.with_report_facts(None, now, |facts| report::prompt(facts, &self.brief.fence, rooms))
    }
}

/// Days since 1970 of a date as sources have it.
fn day(date: &str) -> Option<u64> {
    let at = Timestamp::parse_iso(&format!("{}T00:00:00Z", date.get(..10)?))?;
    Some(at.0 / DAY_MS)
}
