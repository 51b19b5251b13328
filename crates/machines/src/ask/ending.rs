//! How an ask ends: with an answer, a failure, a rate limit, or on request.

use super::research::Research;
use super::{Ask, Phase, Stage};
use crate::core::{Draft, Machine, Purpose, Turn, listing, numbered};
use quarry_events::{
    AnswerFormat, AskResult, At, Calculation, Complete, Degraded, Ended, EndedEarly, Failure,
    FailureKind, FinalAnswer, Finish, Json, QuotaExceeded, ResultFigures, Seconds, Verdicts,
};
use quarry_types::text::{spoken_wait, unended};
use quarry_types::{ChatError, Timestamp};
use serde::{Deserialize, Serialize};

/// What stands below an answer that a budget cut short.
const PARTIAL: &str =
    "This answer is partial: the budget was used up before research was complete.";

/// An answer that is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Answer {
    pub(super) research: Research,
    pub(super) draft: Draft,
    pub(super) finish: Finish,
    pub(super) degraded: Option<Degraded>,
    /// Whether the model judged its citations, or failed to: it is not paid for that twice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_checked: bool,
}

impl Answer {
    /// One whose citations no model has judged.
    pub(super) const fn new(research: Research, draft: Draft, finish: Finish) -> Self {
        Answer { research, draft, finish, degraded: None, is_checked: false }
    }
}

impl Ask {
    /// Ends the ask with this answer, or has it put into the form that is wanted before.
    pub(super) fn finish(&mut self, answer: Answer, turn: &mut Turn) {
        match self.brief.wish.form {
            Some(_) => self.begin_form(answer, turn),
            None => self.tell(answer, turn),
        }
    }

    /// Ends the ask with this answer.
    pub(super) fn tell(&mut self, answer: Answer, turn: &mut Turn) {
        let Answer { research, mut draft, mut finish, degraded, .. } = answer;
        let format = self.brief.wish.form.as_ref().map(|_| AnswerFormat::Json);
        if research.partial {
            // Words of ours below it would be no JSON any more.
            if format.is_none() {
                draft.note(PARTIAL, turn);
            }
            if finish == Finish::Stop {
                finish = Finish::Budget;
            }
        }
        if let Some(EndedEarly { reason }) = &research.ended_early {
            if format.is_none() {
                let note = format!("This answer is partial: research ended early ({reason}).");
                draft.note(&note, turn);
            }
            if finish == Finish::Stop {
                finish = Finish::Broken;
            }
        }
        turn.end_stage();
        self.show_costs(turn);
        let evidence = research.inquiry.evidence();
        let (conflicts, confidence) = draft.judged(evidence.sources(), turn.now.year());
        let proof = draft.proof();
        let [supported, partly, not_found] = proof.shares();
        turn.emit(&FinalAnswer {
            content: draft.text().to_owned(),
            timestamp: turn.at(),
            cost_summary: self.calls.ledger().totals(&self.calls.sheet().id),
            sources: numbered(evidence.sources(), proof.numbers.places()),
            partial: research.is_partial(),
            citations: proof.citations.clone(),
            verdicts: Verdicts { supported, partly, not_found },
            uncited: proof.uncited,
            unknown: proof.unknown.clone(),
            unknown_count: proof.unknown_count,
            unchecked: proof.unchecked,
            failed: proof.failed,
            conflicts,
            confidence,
            finish,
            format,
            degraded,
            ended_early: research.ended_early.clone(),
            fallback: self.brief.fallback.clone(),
        });
        self.complete(&research, Some(&draft), turn);
    }

    /// Emits `complete`. Without a response the ask was stopped.
    fn complete(&mut self, research: &Research, answer: Option<&Draft>, turn: &mut Turn) {
        let places = answer.map_or(&[][..], |answer| answer.proof().numbers.places());
        let ended = if answer.is_some() { Ended::Answered } else { Ended::Stopped };
        let result = AskResult {
            id: self.brief.id.clone(),
            query: self.brief.query.clone(),
            searches: research
                .inquiry
                .calls()
                .filter_map(|done| done.job.as_ref().ok()?.searches_for())
                .map(str::to_owned)
                .collect(),
            search_results: numbered(research.inquiry.evidence().sources(), places),
            response: answer.map(|answer| answer.text().to_owned()),
            persona: research.setup.persona.clone(),
            questions: research.plan.research_questions.clone(),
            stopped: ended == Ended::Stopped,
            partial: research.is_partial(),
            metadata: self.figures(research),
        };
        let execution_time = turn.now.since(self.brief.started);
        let timestamp = turn.at();
        turn.emit(&Complete { result, execution_time, timestamp, ended });
        self.stage = Stage::Ended;
    }

    fn figures(&self, research: &Research) -> ResultFigures {
        let ledger = self.calls.ledger();
        let setup_cost = ledger.known_cost(|step| step.phase == Phase::InitialSetup.phase());
        let totals = ledger.totals(&self.calls.sheet().id);
        ResultFigures {
            total_results: research.inquiry.evidence().sources().len(),
            search_iterations: research.inquiry.rounds().len(),
            total_tool_calls: research.inquiry.calls().count(),
            total_llm_calls: ledger.written(),
            final_model: self.calls.sheet().id.to_string(),
            setup_cost,
            query_cost: totals.total_cost - setup_cost,
            total_cost: totals.total_cost,
            cost_known: totals.cost_known,
            unpriced_calls: totals.unpriced_calls,
        }
    }

    fn show_costs(&self, turn: &mut Turn) {
        let summary = self.calls.summary(turn);
        turn.emit(&summary);
    }

    /// Ends the ask when this error leaves no hope for later calls, or asks for a long wait.
    /// Says whether it did.
    pub(super) fn ends_with(&mut self, error: &ChatError, turn: &mut Turn) -> bool {
        if let ChatError::RateLimited { wait_seconds, message } = error {
            self.quota_exceeded(*wait_seconds, message, turn);
            return true;
        }
        let is_hopeless = is_hopeless(error);
        if is_hopeless {
            let research = self.take_known();
            self.degrade(research, error, turn);
        }
        is_hopeless
    }

    /// Ends the ask with an error and what was found by then.
    pub(super) fn fail(&mut self, kind: FailureKind, message: &str, turn: &mut Turn) {
        turn.end_stage();
        if !self.calls.ledger().is_empty() {
            self.show_costs(turn);
        }
        let known = self.known();
        let evidence = known.inquiry.evidence();
        let calculations = evidence.calculations().iter();
        let failure = Failure {
            evidence: (!evidence.is_empty()).then(|| listing(evidence.sources())),
            calculations: calculations
                .map(|done| Calculation { code: done.code.clone(), result: done.result.clone() })
                .collect(),
            ..Failure::new(kind, message, turn.now)
        };
        turn.emit(&failure);
        self.stage = Stage::Ended;
    }

    pub(super) fn quota_exceeded(&mut self, wait_seconds: f64, reason: &str, turn: &mut Turn) {
        let state = self.keep(turn);
        let (reason, wait) = (unended(reason), spoken_wait(wait_seconds));
        let message = format!(
            "Rate limit reached: {reason}. Continue in {wait}; nothing found so far is lost."
        );
        let timestamp = turn.at();
        // As in the state to go on from: nobody will be told what calls under way used.
        let mut calls = self.calls.clone();
        calls.lose_all("interrupted while under way");
        let costs = calls.summary(turn);
        turn.emit(&QuotaExceeded {
            message,
            wait_time: Seconds(wait_seconds),
            continuation_state: state,
            timestamp,
            cost_summary: calls.ledger().totals(&calls.sheet().id),
            resume_after: At(after(turn.now, wait_seconds)),
            costs: Some(costs),
        });
        self.stage = Stage::Interrupted(self.take_start());
    }

    /// The state from which a client can go on.
    fn keep(&self, turn: &mut Turn) -> Json {
        let (state, dropped) = self.continuation().write(self.secret.get());
        if dropped {
            turn.log("The continuation state was too large; the oldest page contents were dropped");
        }
        turn.keep();
        Json::of(&state)
    }

    pub(super) fn stop(&mut self, turn: &mut Turn) {
        if self.has_ended() {
            return;
        }
        self.interrupt(turn);
        // An answer that was written is whole.
        self.is_stopped = matches!(self.stage, Stage::Interrupted(_));
    }

    pub(super) fn interrupt(&mut self, turn: &mut Turn) {
        if self.has_ended() {
            return;
        }
        // What is written is whole, unless something else is still to be made of it.
        if matches!(&self.stage, Stage::Checking(_)) && self.brief.wish.form.is_none() {
            self.stop_checking(turn);
            return;
        }
        turn.end_stage();
        turn.log("Stopped on request");
        self.calls.lose_all("dropped while under way");
        self.show_costs(turn);
        let research = self.known().into_owned();
        let start = self.take_start();
        self.complete(&research, None, turn);
        self.stage = Stage::Interrupted(start);
        turn.keep();
    }
}

/// Whether no later call to the same provider can do better.
fn is_hopeless(error: &ChatError) -> bool {
    match error {
        ChatError::NoCredit { .. }
        | ChatError::Unauthorized { .. }
        | ChatError::MissingKey { .. }
        | ChatError::UnknownModel { .. } => true,
        ChatError::Rejected { .. } => error.is_of_place(),
        ChatError::RateLimited { .. }
        | ChatError::ContextTooLong { .. }
        | ChatError::Timeout { .. }
        | ChatError::Connection { .. }
        | ChatError::Unreached { .. }
        | ChatError::Unsent { .. }
        | ChatError::ProviderFailed { .. }
        | ChatError::Malformed { .. }
        | ChatError::Other { .. } => false,
    }
}

/// A point in time so many seconds later.
fn after(now: Timestamp, seconds: f64) -> Timestamp {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float cast saturates, and negatives are cut off before"
    )]
    let milliseconds = (seconds.max(0.0) * 1_000.0).ceil() as u64;
    Timestamp(now.0.saturating_add(milliseconds))
}
