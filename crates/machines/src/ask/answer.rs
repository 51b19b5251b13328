//! The end of an ask: the answer, a rate limit, a budget, a failure, a stop.

use super::calls::request_estimate;
use super::continuation::ContinuationState;
use super::ledger::{Room, Unsettled};
use super::plan::Complexity;
use super::text::{cut, fenced};
use super::{Ask, Budget, Phase, Reaction, Stage, conversation, question};
use quarry_events::{self as event, At, CostTotals, Ended, FailureKind, Finish, Json, Seconds};
use quarry_prompts as prompts;
use quarry_types::Timestamp;
use quarry_types::{ChatError, ChatRequest, Completion, FinishReason, Message};
use serde_json::Value;

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
        self.stage = Stage::Answering { pending, streamed: String::new(), characters: 0 };
    }

    /// Not even a short answer fits: into the budget, or else into the model's context.
    fn fail_for_room(&mut self, now: Timestamp, out: &mut Reaction) {
        let Budget { usd, tokens } = self.config.budget;
        let (kind, message) = match (usd, tokens) {
            (None, None) => (
                FailureKind::ContextTooLong,
                "The question leaves no room for an answer in the model's context. Shorten it or choose another model.",
            ),
            (Some(_), _) if self.model.price.is_none() => (
                FailureKind::BudgetExceeded,
                "A budget in US dollars cannot be held: no price is known for this model. Ask again with a budget in tokens.",
            ),
            _ => (
                FailureKind::BudgetExceeded,
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
        let (mut content, finish) = match result {
            Ok(completion) => answer_text(&completion),
            Err(ChatError::RateLimited { wait_seconds, message }) => {
                self.quota_exceeded(wait_seconds, &message, true, now, out);
                return;
            }
            Err(error) if streamed.is_empty() => {
                (format!("Error from the model provider: {error}"), Finish::ProviderError)
            }
            Err(error) => {
                (format!("{streamed}\n\n*The answer breaks off here: {error}.*"), Finish::Broken)
            }
        };
        let finish = if self.partial && finish == Finish::Stop { Finish::Budget } else { finish };
        if self.partial {
            content.push_str(
                "\n\n*This answer is partial: the budget was used up before research was complete.*",
            );
        }
        self.finish(content, finish, now, out);
    }

    fn finish(&mut self, content: String, finish: Finish, now: Timestamp, out: &mut Reaction) {
        self.show_costs(now, out);
        let shown = event::FinalAnswer {
            content: content.clone(),
            timestamp: At(now),
            cost_summary: self.totals(),
            sources: self.evidence.listing(),
            partial: self.partial,
            citations: Vec::new(),
            finish,
            degraded: None,
            fallback: None,
        };
        super::emit(&mut self.sequence, out, &shown);
        self.complete(Some(content), now, out);
    }

    /// What the ask has cost so far, in short.
    fn totals(&self) -> CostTotals {
        CostTotals {
            total_cost: self.ledger.known_cost(),
            cost_known: self.ledger.unpriced_calls() == 0,
            unpriced_calls: self.ledger.unpriced_calls(),
            total_tokens: self.ledger.tokens().total,
            model_name: self.model.id.name.clone(),
        }
    }

    fn complete(&mut self, content: Option<String>, now: Timestamp, out: &mut Reaction) {
        let shown = event::Complete {
            ended: if content.is_some() { Ended::Answered } else { Ended::Stopped },
            result: self.result(content),
            execution_time: now.since(self.started),
            timestamp: At(now),
        };
        super::emit(&mut self.sequence, out, &shown);
        self.stage = Stage::Ended;
    }

    fn result(&self, content: Option<String>) -> event::AskResult {
        let searches: Vec<String> = self
            .cycles
            .iter()
            .flatten()
            .filter(|call| call.request.function.name == "search_web")
            .filter_map(|call| crate::json::read(&call.request.function.arguments))
            .filter_map(|arguments| arguments.get("query")?.as_str().map(str::to_owned))
            .collect();
        let plan = self.plan();
        event::AskResult {
            id: self.id.clone(),
            query: self.query.clone(),
            searches,
            search_results: self.evidence.listing(),
            persona: plan.optimal_persona.clone(),
            questions: plan.research_questions.clone(),
            stopped: content.is_none(),
            response: content,
            partial: self.partial,
            metadata: self.figures(),
        }
    }

    fn figures(&self) -> event::ResultFigures {
        let is_setup = |phase: &str| phase == Phase::InitialSetup.name();
        let setup = self.ledger.steps().iter().filter(|step| is_setup(&step.phase));
        let setup_cost = setup.filter_map(|step| step.cost).fold(0.0, |sum, cost| sum + cost);
        let total_cost = self.ledger.known_cost();
        event::ResultFigures {
            total_results: self.evidence.sources().len(),
            search_iterations: self.cycles.len(),
            total_tool_calls: self.cycles.iter().map(Vec::len).sum(),
            total_llm_calls: self.ledger.steps().len(),
            final_model: self.model.id.to_string(),
            setup_cost,
            query_cost: total_cost - setup_cost,
            total_cost,
            cost_known: self.ledger.unpriced_calls() == 0,
            unpriced_calls: self.ledger.unpriced_calls(),
        }
    }

    fn show_costs(&mut self, now: Timestamp, out: &mut Reaction) {
        let shown = event::CostSummary {
            total_cost: self.ledger.known_cost(),
            cost_known: self.ledger.unpriced_calls() == 0,
            unpriced_calls: self.ledger.unpriced_calls(),
            token_counts: self.ledger.tokens(),
            step_costs: self.ledger.steps().iter().map(|step| step.shown(now)).collect(),
            model_name: self.model.id.name.clone(),
            provider: self.model.id.provider.to_string(),
            unsettled_calls: self.ledger.unsettled().iter().map(Unsettled::shown).collect(),
            timestamp: At(now),
        };
        super::emit(&mut self.sequence, out, &shown);
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
            ChatError::NoCredit { .. } => FailureKind::NoCredit,
            ChatError::Unauthorized { .. } => FailureKind::Unauthorized,
            ChatError::MissingKey { .. } => FailureKind::MissingKey,
            ChatError::UnknownModel { .. } => FailureKind::UnknownModel,
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
        kind: FailureKind,
        message: &str,
        with_evidence: bool,
        now: Timestamp,
        out: &mut Reaction,
    ) {
        if !self.ledger.steps().is_empty() || !self.ledger.unsettled().is_empty() {
            self.show_costs(now, out);
        }
        let evidence = with_evidence.then(|| self.evidence.listing());
        let calculations = if with_evidence { self.evidence.calculations() } else { &[] };
        let calculations = calculations.to_vec();
        let failure = event::Failure::new(kind, message, now);
        let shown = event::Failure { evidence, calculations, ..failure };
        super::emit(&mut self.sequence, out, &shown);
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
            message,
            wait_time: Seconds(wait_seconds),
            continuation_state: Json::of(&state),
            timestamp: At(now),
            cost_summary: self.totals(),
            resume_after: At(after(now, wait_seconds)),
        };
        super::emit(&mut self.sequence, out, &shown);
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
        self.show_costs(now, out);
        self.complete(None, now, out);
    }
}

/// The point in time so many seconds from now; a wait that is no number is none.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float cast saturates"
)]
fn after(now: Timestamp, seconds: f64) -> Timestamp {
    Timestamp(now.0.saturating_add((seconds * 1_000.0).ceil() as u64))
}

fn answer_text(completion: &Completion) -> (String, Finish) {
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
    let finish = match completion.finish_reason {
        FinishReason::Length => Finish::Length,
        FinishReason::ContentFilter => Finish::Filter,
        FinishReason::Stop | FinishReason::ToolCalls | FinishReason::Other => Finish::Stop,
    };
    (content, finish)
}
