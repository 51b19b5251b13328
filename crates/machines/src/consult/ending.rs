//! How a question to the documents ends: with an answer, with nothing found, with an error, or on request.

use super::convert::{answered, chunk, failure_kind_of};
use super::{Consult, Found, Phase, Stage};
use crate::core::{Machine, Purpose, Turn, failure_kind, failure_message, listing, numbered};
use quarry_events::{
    AskResult, Complete, Ended, Failure, FailureKind, FinalAnswer, Finish, KnowledgeAnswer,
    KnowledgeFigures, PipelineError, ResultFigures, StageName, Verdicts,
};
use quarry_knowledge::asking::{LlmFailed, calculate_confidence, process_citations};
use quarry_tools::{FailureKind as ToolFailureKind, ToolFailure};
use quarry_types::ChatError;

impl Consult {
    /// Ends with what was written; where nothing was found, that is the answer that says so.
    pub(super) fn finish(&mut self, mut found: Found, turn: &mut Turn) {
        turn.begin_stage(StageName::Citations, None);
        let (conflicts, confidence) = found.draft.judged(found.evidence.sources(), turn.now.year());
        let shown =
            KnowledgeAnswer { conflicts: conflicts.clone(), ..self.knowledge_answer(&found, turn) };
        turn.end_stage();
        let costs = self.calls.summary(turn);
        turn.emit(&costs);
        turn.emit(&shown);
        let Found { evidence, draft, .. } = &found;
        let proof = draft.proof();
        let [supported, partly, not_found] = proof.shares();
        turn.emit(&FinalAnswer {
            content: draft.text().to_owned(),
            timestamp: turn.at(),
            cost_summary: self.calls.ledger().totals(&self.calls.sheet().id),
            sources: numbered(evidence.sources(), proof.numbers.places()),
            partial: false,
            citations: proof.citations.clone(),
            verdicts: Verdicts { supported, partly, not_found },
            uncited: proof.uncited,
            unknown: proof.unknown.clone(),
            unknown_count: proof.unknown_count,
            unchecked: proof.unchecked,
            failed: proof.failed,
            conflicts,
            confidence,
            finish: Finish::Stop,
            format: None,
            degraded: None,
            ended_early: None,
            fallback: self.brief.fallback.clone(),
        });
        self.complete(Some(&found), turn);
    }

    /// The answer without conflicts.
    fn knowledge_answer(&self, found: &Found, turn: &Turn) -> KnowledgeAnswer {
        let chunks: Vec<_> = found.chunks.iter().map(chunk).collect();
        let nothing = chunks.is_empty();
        let answer = if nothing { found.draft.text() } else { found.draft.written() };
        // Rules link what they quote; those who read brackets want the title alone.
        let answer = answered::plainly_labelled(&answered::unlinked(answer), &chunks);
        let cited = process_citations(&answer, &chunks);
        let meant = answered::meant(cited.citations, &found.chunks);
        let (proof, sources) = (found.draft.proof(), found.evidence.sources());
        let verified = (!proof.citations.is_empty()).then(|| proof.shares()[0]);
        KnowledgeAnswer {
            id: self.brief.id.clone(),
            sources: answered::sources(&meant, &chunks, proof, sources, &found.chunks),
            related_docs: answered::related(&chunks, &self.brief.categories),
            citations: answered::citations(&meant, proof, sources, &found.chunks),
            verified_citations: proof.citations.clone(),
            uncited: proof.uncited,
            unknown: proof.unknown.clone(),
            unknown_count: proof.unknown_count,
            unchecked: proof.unchecked,
            failed: proof.failed,
            conflicts: Vec::new(),
            confidence: answered::confidence(calculate_confidence(&chunks, cited.stats), verified),
            notes: found.notes.clone(),
            metadata: KnowledgeFigures {
                query: self.brief.query.text.clone(),
                chunks_retrieved: chunks.len(),
                chunks_used: cited.stats.matched,
                latency_ms: turn.now.since(self.brief.started),
                model: (!nothing).then(|| self.calls.sheet().id.to_string()),
                metrics: None,
            },
            content: found.draft.text().to_owned(),
            answer,
            timestamp: turn.at(),
        }
    }

    /// Emits `complete`. Without what was found it was stopped.
    fn complete(&mut self, found: Option<&Found>, turn: &mut Turn) {
        let sheet = &self.calls.sheet().id;
        let totals = self.calls.ledger().totals(sheet);
        let sources = found.map(|found| found.evidence.sources()).unwrap_or_default();
        let places = found.map(|found| found.draft.proof().numbers.places()).unwrap_or_default();
        let ended = if found.is_some() { Ended::Answered } else { Ended::Stopped };
        let result = AskResult {
            id: self.brief.id.clone(),
            query: self.brief.query.text.clone(),
            searches: vec![self.brief.query.text.clone()],
            search_results: numbered(sources, places),
            response: found.map(|found| found.draft.text().to_owned()),
            persona: String::new(),
            questions: Vec::new(),
            stopped: ended == Ended::Stopped,
            partial: false,
            metadata: ResultFigures {
                total_results: sources.len(),
                search_iterations: 1,
                total_tool_calls: 1,
                total_llm_calls: self.calls.ledger().written(),
                final_model: sheet.to_string(),
                setup_cost: 0.0,
                query_cost: totals.total_cost,
                total_cost: totals.total_cost,
                cost_known: totals.cost_known,
                unpriced_calls: totals.unpriced_calls,
            },
        };
        let execution_time = turn.now.since(self.brief.started);
        turn.emit(&Complete { result, execution_time, timestamp: turn.at(), ended });
        self.stage = Stage::Ended;
    }

    /// Ends because the model failed. Of a rate limit it is told when it is over: the same question may be asked then.
    pub(super) fn fail_by(&mut self, error: &ChatError, turn: &mut Turn) {
        let wait_time = error.wait_ms().map(|wait| wait.div_ceil(1_000).max(1));
        let kind = wait_time.map_or_else(|| failure_kind(error), |_| FailureKind::RateLimited);
        self.end_with(kind, &LlmFailed(failure_message(error)).to_string(), wait_time, turn);
    }

    /// Ends because the documents could not be searched. Where others hold them it is told when to come again.
    pub(super) fn fail_by_search(&mut self, failure: &ToolFailure, turn: &mut Turn) {
        let wait_time = match failure.kind {
            ToolFailureKind::Busy { retry_after_ms } => Some(retry_after_ms.div_ceil(1_000)),
            _ => None,
        };
        self.end_with(failure_kind_of(failure.kind), &failure.message, wait_time, turn);
    }

    /// Ends with an error, in the form that clients know, and what was found by then.
    pub(super) fn fail(&mut self, kind: FailureKind, message: &str, turn: &mut Turn) {
        self.end_with(kind, message, None, turn);
    }

    fn end_with(
        &mut self,
        kind: FailureKind,
        message: &str,
        wait_time: Option<u64>,
        turn: &mut Turn,
    ) {
        turn.end_stage();
        if !self.calls.ledger().is_empty() {
            let costs = self.calls.summary(turn);
            turn.emit(&costs);
        }
        let evidence = match &self.stage {
            Stage::Generating(found) | Stage::Checking(found) => {
                Some(listing(found.evidence.sources()))
            }
            Stage::Ready | Stage::Retrieving(_) | Stage::Ended => None,
        };
        let message = PipelineError::new(message).to_string();
        turn.emit(&Failure { evidence, wait_time, ..Failure::new(kind, message, turn.now) });
        self.stage = Stage::Ended;
    }

    pub(super) fn stop(&mut self, turn: &mut Turn) {
        if self.has_ended() {
            return;
        }
        if matches!(&self.stage, Stage::Checking(_)) {
            self.stop_checking(turn);
            return;
        }
        turn.end_stage();
        turn.log(format!("Stopped on request while {}", Phase::Generation.description()));
        self.calls.lose_all("dropped while under way");
        let costs = self.calls.summary(turn);
        turn.emit(&costs);
        self.complete(None, turn);
    }
}
