//! The end of an ask: the answer, a rate limit, a budget, a failure, a stop.

use super::calls::request_estimate;
use super::continuation::ContinuationState;
use super::ledger::Room;
use super::plan::Complexity;
use super::text::{cut, fenced};
use super::{Ask, Budget, Phase, Reaction, Stage, conversation, question};
use crate::json::put;
use quarry_events::{self as event, EventName};
use quarry_prompts as prompts;
use quarry_types::Timestamp;
use quarry_types::{ChatError, ChatRequest, Completion, FinishReason, Message};
use serde_json::{Value, json};

/// An answer that could not be longer than this is not worth a call.
const LEAST_ANSWER_TOKENS: u64 = 128;

/// Characters of evidence below which no answer is tried.
const LEAST_EVIDENCE: usize = 200;

/// By how much a short answer's prompt may still grow while research goes on: the evidence that
/// is yet to come, and the expert whom the plan chooses.
const MARGIN_TOKENS: u64 = 200;

/// Tool results that the frugal profile answers from.
const FRUGAL_RESULTS: usize = 2;

impl Ask {
    /// Whether a research call with this request may start. Only a full budget says no: what is
    /// left must hold the call and, after it, a short answer from what was found.
    pub(super) fn may_call(&self, request: &ChatRequest, now: Timestamp) -> bool {
        if self.config.budget == Budget::default() {
            return true;
        }
        let is_calculation = question::is_calculation(&self.query);
        let answer = self.answer_messages(is_calculation, LEAST_EVIDENCE, LEAST_EVIDENCE, now);
        let answer = conversation::estimate(&answer) + LEAST_ANSWER_TOKENS + MARGIN_TOKENS;
        let output = u64::from(request.max_output_tokens).saturating_add(answer);
        let input = request_estimate(request);
        let room = self.ledger.room(&self.config.budget, self.model.price.as_ref(), input, output);
        room == Room::Fits
    }

    /// The budget leaves no room for more research: answer from what there is.
    pub(super) fn cut_short(&mut self, now: Timestamp, out: &mut Reaction) {
        self.partial = true;
        self.log(
            "The budget leaves no room for more research; answering from what was found",
            now,
            out,
        );
        self.begin_answer(now, out);
    }

    pub(super) fn begin_answer(&mut self, now: Timestamp, out: &mut Reaction) {
        let Some(request) = self.answer_request(now) else {
            self.fail_for_room(now, out);
            return;
        };
        self.log("Writing the answer", now, out);
        let pending = self.call_model(Phase::FinalSynthesis, request, now, out);
        self.stage = Stage::Answering { pending, streamed: String::new() };
    }

    /// Not even a short answer fits: into the budget, or else into the model's context.
    fn fail_for_room(&mut self, now: Timestamp, out: &mut Reaction) {
        let Budget { usd, tokens } = self.config.budget;
        let (kind, message) = match (usd, tokens) {
            (None, None) => (
                "context_too_long",
                "The question leaves no room for an answer in the model's context. Shorten it or choose another model.",
            ),
            (Some(_), _) if self.model.price.is_none() => (
                "budget_exceeded",
                "A budget in US dollars cannot be held: no price is known for this model. Ask again with a budget in tokens.",
            ),
            _ => (
                "budget_exceeded",
                "The budget does not even leave room for an answer from what was found. Ask again with a larger budget.",
            ),
        };
        self.fail(kind, message, true, now, out);
    }

    /// The final request within budget and context window; evidence is cut until it fits. None
    /// when not even a short answer fits.
    fn answer_request(&self, now: Timestamp) -> Option<ChatRequest> {
        let is_calculation = question::is_calculation(&self.query);
        let ceilings = &self.config.ceilings;
        let ceiling = match self.plan().complexity_assessment {
            _ if is_calculation => ceilings.math,
            Complexity::Low => ceilings.low,
            Complexity::Medium => ceilings.medium,
            Complexity::High => ceilings.high,
        };
        let (of_one, mut of_all) =
            self.config.profile.evidence_characters(self.model.context_window);
        loop {
            let messages = self.answer_messages(is_calculation, of_one, of_all, now);
            let mut request = self.request(messages, ceiling);
            request.temperature = Some(if is_calculation { 0.1 } else { self.setup().temperature });
            let input = request_estimate(&request);
            let window = self.model.context_window.unwrap_or(u64::MAX);
            let fits = self
                .ledger
                .output_that_fits(&self.config.budget, self.model.price.as_ref(), input)
                .min(window.saturating_sub(input));
            let output = fits.min(u64::from(ceiling));
            if output >= LEAST_ANSWER_TOKENS.min(u64::from(ceiling)) {
                request.max_output_tokens = u32::try_from(output).unwrap_or(ceiling);
                return Some(request);
            }
            if of_all <= LEAST_EVIDENCE {
                return None;
            }
            of_all = (of_all / 2).max(LEAST_EVIDENCE);
        }
    }

    fn answer_messages(
        &self,
        is_calculation: bool,
        of_one: usize,
        of_all: usize,
        now: Timestamp,
    ) -> Vec<Message> {
        let (setup, plan) = (self.setup(), self.plan());
        let system = prompts::FinalSystem {
            persona: &plan.optimal_persona,
            fence: &self.fence,
            response_length: &setup.response_length,
            reasoning_level: &setup.reasoning_level,
            now: &now.spoken(),
        }
        .render();
        let evidence = match self.config.profile {
            super::ContextProfile::Frugal => self.frugal_evidence(of_one, of_all),
            super::ContextProfile::Roomy => self.evidence.render(of_one, of_all),
        };
        let evidence = if evidence.is_empty() { "No evidence was gathered." } else { &evidence };
        let evidence = fenced(&self.fence, "evidence", evidence);
        let (query, evidence) = (self.query.as_str(), evidence.as_str());
        let of_its_own = format!("\n{evidence}\n");
        let user = match (&self.config.final_template, self.config.profile) {
            (Some(template), _) => prompts::substitute(template, |name| match name {
                "ORIGINAL_QUERY" => Some(query),
                // On lines of its own: a fence is known by how lines begin.
                "ALL_INFORMATION" => Some(&of_its_own),
                _ => None,
            }),
            (None, _) if is_calculation => prompts::FinalMath { query, evidence }.render(),
            (None, super::ContextProfile::Frugal) => {
                prompts::FinalFrugal { query, evidence }.render()
            }
            (None, super::ContextProfile::Roomy) => prompts::Final { query, evidence }.render(),
        };
        vec![Message::system(system), Message::user(user)]
    }

    /// Up to two tool results, the last ones that succeeded.
    fn frugal_evidence(&self, of_one: usize, of_all: usize) -> String {
        let succeeded = |output: &String| {
            serde_json::from_str::<Value>(output).is_ok_and(|value| value.get("error").is_none())
        };
        let outputs: Vec<String> =
            self.cycles.iter().flatten().map(super::CycleCall::output).filter(succeeded).collect();
        let first = outputs.len().saturating_sub(FRUGAL_RESULTS);
        let kept: Vec<String> =
            outputs.iter().skip(first).map(|output| cut(output, of_one)).collect();
        cut(&kept.join("\n"), of_all)
    }

    pub(super) fn after_answer(
        &mut self,
        streamed: &str,
        result: Result<Completion, ChatError>,
        now: Timestamp,
        out: &mut Reaction,
    ) {
        let mut content = match result {
            Ok(completion) => answer_text(&completion),
            Err(ChatError::RateLimited { wait_seconds, message }) => {
                self.quota_exceeded(wait_seconds, &message, true, now, out);
                return;
            }
            Err(error) if streamed.is_empty() => {
                format!("Error from the model provider: {error}")
            }
            Err(error) => format!("{streamed}\n\n*The answer breaks off here: {error}.*"),
        };
        if self.partial {
            content.push_str(
                "\n\n*This answer is partial: the budget was used up before research was complete.*",
            );
        }
        self.finish(&content, now, out);
    }

    fn finish(&mut self, content: &str, now: Timestamp, out: &mut Reaction) {
        self.show_costs(out);
        let tokens = self.ledger.tokens();
        let shown = event::FinalAnswer {
            content,
            timestamp: &now.iso(),
            cost_summary: Some(json!({
                "totalCost": self.ledger.total_cost(),
                "totalTokens": tokens.total,
                "modelName": self.model.id.name,
            })),
            sources: self.evidence.listing(),
            partial: self.partial,
            fallback: self.fallback.as_ref(),
        };
        super::emit(&mut self.sequence, out, EventName::FinalAnswer, &shown);
        self.complete(Some(content), now, out);
    }

    fn complete(&mut self, content: Option<&str>, now: Timestamp, out: &mut Reaction) {
        let setup_cost = self
            .ledger
            .steps()
            .iter()
            .filter(|step| step.phase == Phase::InitialSetup.name())
            .map(|step| step.cost)
            .sum::<Option<f64>>();
        let total = self.ledger.total_cost();
        let searches: Vec<Value> = self
            .cycles
            .iter()
            .flatten()
            .filter(|call| call.request.function.name == "search_web")
            .filter_map(|call| crate::json::read(&call.request.function.arguments))
            .filter_map(|arguments| arguments.get("query").cloned())
            .collect();
        let plan = self.plan();
        let result = json!({
            "id": self.id,
            "query": self.query,
            "searches": searches,
            "searchResults": self.evidence.listing(),
            "response": content,
            "persona": plan.optimal_persona,
            "questions": plan.research_questions,
            "stopped": content.is_none(),
            "partial": self.partial,
            "metadata": {
                "totalResults": self.evidence.sources().len(),
                "searchIterations": self.cycles.len(),
                "totalToolCalls": self.cycles.iter().map(Vec::len).sum::<usize>(),
                "totalLLMCalls": self.ledger.steps().len(),
                "finalModel": self.model.id,
                "setup_cost": setup_cost,
                "query_cost": total.zip(setup_cost).map(|(total, setup)| total - setup),
                "total_cost": total,
            },
        });
        let shown = event::Complete {
            result,
            execution_time: now.since(self.started),
            timestamp: &now.iso(),
        };
        super::emit(&mut self.sequence, out, EventName::Complete, &shown);
        self.stage = Stage::Ended;
    }

    fn show_costs(&mut self, out: &mut Reaction) {
        let mut shown = json!({
            "totalCost": self.ledger.total_cost(),
            "tokenCounts": self.ledger.tokens(),
            "stepCosts": self.ledger.steps(),
            "modelName": self.model.id.name,
            "provider": self.model.id.provider,
        });
        if !self.ledger.unsettled().is_empty() {
            put(&mut shown, "unsettledCalls", json!(self.ledger.unsettled()));
        }
        super::emit(&mut self.sequence, out, EventName::CostSummary, &shown);
    }

    /// Ends the ask when this error leaves no hope for later calls, or asks for a long wait.
    /// Says whether it did.
    pub(super) fn ends_with(
        &mut self,
        error: &ChatError,
        now: Timestamp,
        out: &mut Reaction,
    ) -> bool {
        let kind = match error {
            ChatError::RateLimited { wait_seconds, message } => {
                self.quota_exceeded(*wait_seconds, message, false, now, out);
                return true;
            }
            ChatError::NoCredit { .. } => "no_credit",
            ChatError::Unauthorized { .. } => "unauthorized",
            ChatError::MissingKey { .. } => "missing_key",
            ChatError::UnknownModel { .. } => "unknown_model",
            ChatError::ContextTooLong { .. }
            | ChatError::Rejected { .. }
            | ChatError::Timeout { .. }
            | ChatError::Connection { .. }
            | ChatError::ProviderFailed { .. }
            | ChatError::Malformed { .. }
            | ChatError::Other { .. } => return false,
        };
        self.fail(kind, &error.to_string(), !self.evidence.is_empty(), now, out);
        true
    }

    fn fail(
        &mut self,
        kind: &str,
        message: &str,
        with_evidence: bool,
        now: Timestamp,
        out: &mut Reaction,
    ) {
        if !self.ledger.steps().is_empty() || !self.ledger.unsettled().is_empty() {
            self.show_costs(out);
        }
        let evidence = with_evidence.then(|| self.evidence.listing());
        let failure = event::Failure { error: message, kind, evidence, timestamp: &now.iso() };
        let mut shown = json!(failure);
        if with_evidence && !self.evidence.calculations().is_empty() {
            put(&mut shown, "calculations", json!(self.evidence.calculations()));
        }
        super::emit(&mut self.sequence, out, EventName::Error, &shown);
        self.stage = Stage::Ended;
    }

    fn quota_exceeded(
        &mut self,
        wait_seconds: f64,
        reason: &str,
        synthesis_due: bool,
        now: Timestamp,
        out: &mut Reaction,
    ) {
        let state = ContinuationState { synthesis_due, ..self.continuation() };
        let state = self.keep(state, now, out);
        let wait = crate::json::number(wait_seconds);
        let message = format!(
            "Rate limit reached: {reason}. Continue in {wait} seconds; nothing found so far is lost."
        );
        let shown = event::QuotaExceeded {
            message: &message,
            wait_time: wait,
            continuation_state: state,
            timestamp: &now.iso(),
        };
        super::emit(&mut self.sequence, out, EventName::QuotaExceeded, &shown);
        self.stage = Stage::Ended;
    }

    /// Hands out the state from which the ask can be gone on with.
    fn keep(&mut self, state: ContinuationState, now: Timestamp, out: &mut Reaction) -> Value {
        let (state, dropped) = state.write(self.secret.get());
        if dropped {
            self.log(
                "The continuation state was too large; the oldest page contents were dropped",
                now,
                out,
            );
        }
        out.continuation = Some(state.clone());
        state
    }

    pub(super) fn stop(&mut self, now: Timestamp, out: &mut Reaction) {
        if self.has_ended() {
            return;
        }
        self.keep(self.continuation(), now, out);
        self.log("Stopped on request", now, out);
        self.drop_calls();
        self.show_costs(out);
        self.complete(None, now, out);
    }
}

fn answer_text(completion: &Completion) -> String {
    let text = completion.text.trim();
    let mut content = match (text.is_empty(), completion.finish_reason) {
        (false, _) => text.to_owned(),
        (true, FinishReason::ContentFilter) => {
            "The model provider's filter held the answer back.".to_owned()
        }
        (true, _) => "The model wrote no answer to this question.".to_owned(),
    };
    if completion.finish_reason == FinishReason::Length && !text.is_empty() {
        content.push_str("\n\n*The answer reached its length limit.*");
    }
    content
}
