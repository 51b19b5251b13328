//! Model calls: reserved, shown and started; settled and shown again when they end.

use super::ledger::{Budget, EMBEDDING, Ledger, Reservation, Room, Step, Unsettled};
use super::{Effect, Ticket, Turn, conversation, shown};
use quarry_events::{
    CostSummary, FailureKind, Json, LlmRequest, LlmResponse, MadeResponse, shown_cost,
};
use quarry_tools::{Outcome, Spent};
use quarry_types::{
    ChatError, ChatRequest, Completion, Message, ModelId, Price, ReasoningEffort, Timestamp, Usage,
    Usd, text, tokens,
};
use serde::{Deserialize, Serialize};

/// What a model call is for: a type of the machine's own.
pub trait Purpose: Copy + PartialEq {
    /// The phase that events show.
    fn phase(self) -> &'static str;

    /// The iteration, from 1, for calls of one.
    fn iteration(self) -> Option<u32>;

    /// In words, for the list of costs.
    fn description(self) -> String;

    /// The phase, with the iteration where there is one.
    fn step_name(self) -> String {
        match self.iteration() {
            Some(iteration) => format!("{}_{iteration}", self.phase()),
            None => self.phase().to_owned(),
        }
    }
}

/// What is known about the model that answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelSheet {
    /// Which model.
    pub id: ModelId,
    /// Its price, when it is known.
    pub price: Option<Price>,
    /// Tokens, when it is known.
    pub context_window: Option<u64>,
    /// False for `local:extractive`.
    pub is_language_model: bool,
    /// Whether it thinks before it writes, at the cost of the tokens that its reply may have.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub thinks: bool,
    /// Milliseconds after which a call to it is given up.
    pub timeout_ms: u64,
}

/// Tokens that thoughts may have beside a reply: as a rule, and where much is wished for. Not less for little: many models
/// take no such wish.
const THOUGHTS: [u32; 2] = [8_000, 16_000];

/// What thoughts take at most of a context whose size is known.
const THOUGHTS_SHARE: u64 = 4;

impl ModelSheet {
    /// The ceiling for a reply of so many tokens, with room for what the model thinks before it: its provider counts
    /// both together, and a reply behind long thoughts would be cut off or empty.
    #[must_use]
    pub fn ceiling(&self, reply: u32, effort: Option<ReasoningEffort>) -> u32 {
        if self.thinks { self.with_thoughts(reply, effort) } else { reply }
    }

    fn with_thoughts(&self, reply: u32, effort: Option<ReasoningEffort>) -> u32 {
        let [usual, much] = THOUGHTS;
        let thoughts = if effort == Some(ReasoningEffort::High) { much } else { usual };
        let most = self.context_window.map_or(u64::MAX, |window| window / THOUGHTS_SHARE);
        reply.saturating_add(thoughts.min(u32::try_from(most).unwrap_or(u32::MAX)))
    }
}

/// A model call under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct UnderWay<P> {
    ticket: Ticket,
    purpose: P,
    reservation: Reservation,
    /// How many of its tries may still be lost and be followed by another: each is promised as much again.
    #[serde(default, skip_serializing_if = "super::is_zero")]
    tries_left: u32,
    started: Timestamp,
}

impl<P: Purpose> UnderWay<P> {
    /// A try of it whose use is unknown.
    fn lost(&self, sheet: &ModelSheet, reason: String) -> Unsettled {
        let (name, model) = (self.purpose.step_name(), sheet.id.to_string());
        Unsettled { name, model, reason, most: self.reservation }
    }
}

/// How a model call ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled<P> {
    /// What it was for.
    pub purpose: P,
    /// The reply, or why there is none.
    pub result: Result<Completion, ChatError>,
    /// US dollars, when they are known.
    pub cost: Option<Usd>,
}

/// The model calls of a machine, and their accounts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calls<P> {
    sheet: ModelSheet,
    effort: Option<ReasoningEffort>,
    budget: Budget,
    ledger: Ledger,
    under_way: Vec<UnderWay<P>>,
}

impl<P: Purpose> Calls<P> {
    /// No calls yet.
    #[must_use]
    pub fn new(sheet: ModelSheet, effort: Option<ReasoningEffort>, budget: Budget) -> Self {
        Calls { sheet, effort, budget, ledger: Ledger::default(), under_way: Vec::new() }
    }

    /// The same model and budget, with the accounts of calls made before.
    #[must_use]
    pub fn with_ledger(self, ledger: Ledger) -> Self {
        Calls { ledger, ..self }
    }

    /// The model.
    #[must_use]
    pub const fn sheet(&self) -> &ModelSheet {
        &self.sheet
    }

    /// The accounts.
    #[must_use]
    pub const fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The budget.
    #[must_use]
    pub const fn budget(&self) -> Budget {
        self.budget
    }

    /// A request to the model, for a reply of so many tokens beside what it thinks.
    #[must_use]
    pub fn request(&self, messages: Vec<Message>, reply: u32) -> ChatRequest {
        ChatRequest {
            model: self.sheet.id.clone(),
            messages,
            tools: Vec::new(),
            temperature: None,
            max_output_tokens: self.sheet.ceiling(reply, self.effort),
            reasoning_effort: self.effort,
            top_p: None,
            json: false,
            schema: None,
            streams_text: false,
        }
    }

    /// The ceiling for such a reply whose model thought more than there was room for.
    #[must_use]
    pub fn roomier(&self, reply: u32) -> u32 {
        self.sheet.with_thoughts(self.sheet.ceiling(reply, self.effort), self.effort)
    }

    /// Whether a call may start after which so many tokens of output must still fit.
    #[must_use]
    pub fn may_start(&self, request: &ChatRequest, and_then: u64) -> bool {
        let output = u64::from(request.max_output_tokens).saturating_add(and_then);
        let input = request_estimate(request);
        let (price, promised) = (self.sheet.price.as_ref(), self.promised());
        self.ledger.room_beside(&self.budget, price, (input, output), promised) == Room::Fits
    }

    /// What calls under way may come to beyond their reservations, if each try that they may lose is lost.
    fn promised(&self) -> Reservation {
        let each = self.under_way.iter().map(|call| call.reservation.times(call.tries_left));
        each.fold(Reservation::NOTHING, Reservation::and)
    }

    /// The most output tokens that budget and context leave beside an input of this size.
    #[must_use]
    pub fn output_that_fits(&self, input: u64) -> u64 {
        let window = self.sheet.context_window.unwrap_or(u64::MAX).saturating_sub(input);
        let (price, promised) = (self.sheet.price.as_ref(), self.promised());
        self.ledger.output_that_fits(&self.budget, price, input, promised).min(window)
    }

    /// Starts a model call: reserves its worst case, shows the request. It is tried again as long as so many tokens of
    /// output still fit after it.
    pub fn start(&mut self, purpose: P, request: ChatRequest, and_then: u64, turn: &mut Turn) {
        self.show_request(purpose, &request, turn);
        let output = u64::from(request.max_output_tokens);
        let input = request_estimate(&request);
        let price = self.sheet.price.as_ref();
        let beside = (and_then, self.promised());
        let lost_tries = self.ledger.tries_that_fit(&self.budget, price, (input, output), beside);
        let reservation = self.ledger.reserve(price, input, output);
        let ticket = turn.ticket();
        let (tries_left, started) = (lost_tries, turn.now);
        self.under_way.push(UnderWay { ticket, purpose, reservation, tries_left, started });
        turn.perform(Effect::CallModel { ticket, request: Box::new(request), lost_tries });
    }

    /// A call that rules answered at once, without a language model.
    pub fn answer_by_rule(
        &mut self,
        purpose: P,
        request: &ChatRequest,
        completion: Completion,
        turn: &mut Turn,
    ) -> Settled<P> {
        self.show_request(purpose, request, turn);
        let cost = self.record(purpose, &completion, 0, turn);
        Settled { purpose, result: Ok(completion), cost }
    }

    fn show_request(&self, purpose: P, request: &ChatRequest, turn: &mut Turn) {
        let timestamp = turn.at();
        turn.emit(&LlmRequest {
            phase: purpose.phase().to_owned(),
            iteration: purpose.iteration(),
            model: request.model.to_string(),
            request: Json::of(&shown::Request::new(request, self.sheet.timeout_ms)),
            timestamp,
        });
    }

    /// What the call with this ticket is for, while it is under way.
    #[must_use]
    pub fn purpose(&self, ticket: Ticket) -> Option<P> {
        self.under_way.iter().find(|call| call.ticket == ticket).map(|call| call.purpose)
    }

    /// Whether a call with this ticket is under way, a try of which failed. What that try may have cost is unknown, and
    /// stays reserved beside what the next one may cost, which was promised to it.
    pub fn is_tried_again(&mut self, ticket: Ticket, reason: &str, may_be_paid: bool) -> bool {
        let Some(call) = self.under_way.iter_mut().find(|call| call.ticket == ticket) else {
            return false;
        };
        if may_be_paid {
            call.tries_left = call.tries_left.saturating_sub(1);
            let lost = call.lost(&self.sheet, reason.to_owned());
            self.ledger.lose_try(lost);
        }
        true
    }

    /// Ends a model call in the accounts and, when it succeeded, shows the reply. None when no
    /// call with this ticket is under way. `has_begun`: whether any of its text was passed on.
    pub fn settle(
        &mut self,
        ticket: Ticket,
        result: Result<Completion, ChatError>,
        has_begun: bool,
        turn: &mut Turn,
    ) -> Option<Settled<P>> {
        let at = self.under_way.iter().position(|call| call.ticket == ticket)?;
        let call = self.under_way.remove(at);
        let purpose = call.purpose;
        let cost = match &result {
            Ok(completion) => {
                self.ledger.release(call.reservation);
                self.record(purpose, completion, turn.now.since(call.started), turn)
            }
            // A failed call cost nothing when the provider turned it away. Otherwise what it used
            // is unknown: its worst case stays reserved, so that the budget holds.
            Err(error) if has_begun || error.may_have_cost() => {
                let lost = call.lost(&self.sheet, error.to_string());
                self.ledger.lose(call.reservation, lost);
                None
            }
            Err(_) => {
                self.ledger.release(call.reservation);
                Some(0.0)
            }
        };
        Some(Settled { purpose, result, cost })
    }

    /// Shows a reply and takes it into the accounts.
    fn record(
        &mut self,
        purpose: P,
        completion: &Completion,
        duration: u64,
        turn: &mut Turn,
    ) -> Option<Usd> {
        let cost = self.sheet.price.map(|price| price.cost(&completion.usage));
        let model = self.sheet.id.to_string();
        let (shown, cost_known) = shown_cost(cost);
        let timestamp = turn.at();
        turn.emit(&LlmResponse::Made(MadeResponse {
            phase: purpose.phase().to_owned(),
            iteration: purpose.iteration(),
            model: model.clone(),
            response: Json::of(&shown::Response::from(completion)),
            cost: shown,
            cost_known,
            duration,
            timestamp,
        }));
        self.ledger.record(Step {
            name: purpose.step_name(),
            phase: purpose.phase().to_owned(),
            description: purpose.description(),
            model,
            cost,
            usage: completion.usage,
            duration,
            at: turn.now,
            text: completion.text.clone(),
        });
        cost
    }

    /// Takes what a tool paid for the vector of its question into the accounts.
    pub fn paid_by_tool(&mut self, outcome: &Outcome, turn: &Turn) {
        let Some(Spent { model, tokens, cost }) = outcome.spent() else { return };
        self.ledger.record(Step {
            name: EMBEDDING.to_owned(),
            phase: EMBEDDING.to_owned(),
            description: "embedding a question to the documents".to_owned(),
            model: model.clone(),
            cost: *cost,
            usage: Usage { input: *tokens, reported: true, ..Usage::default() },
            duration: 0,
            at: turn.now,
            text: String::new(),
        });
    }

    /// Ends the accounts of all calls under way: what they used is unknown.
    pub fn lose_all(&mut self, reason: &str) {
        for call in std::mem::take(&mut self.under_way) {
            let lost = call.lost(&self.sheet, reason.to_owned());
            self.ledger.lose(call.reservation, lost);
        }
    }

    /// Every call with its cost, as an event.
    #[must_use]
    pub fn summary(&self, turn: &Turn) -> CostSummary {
        let totals = self.ledger.totals(&self.sheet.id);
        CostSummary {
            total_cost: totals.total_cost,
            cost_known: totals.cost_known,
            unpriced_calls: totals.unpriced_calls,
            token_counts: self.ledger.tokens(),
            step_costs: self.ledger.steps().iter().map(Step::shown).collect(),
            model_name: totals.model_name,
            provider: self.sheet.id.provider.to_string(),
            unsettled_calls: self.ledger.unsettled().iter().map(Unsettled::shown).collect(),
            timestamp: turn.at(),
        }
    }
}

/// Why a machine fails with an error of its provider.
#[must_use]
pub const fn failure_kind(error: &ChatError) -> FailureKind {
    match error {
        ChatError::NoCredit { .. } => FailureKind::NoCredit,
        ChatError::Unauthorized { .. } => FailureKind::Unauthorized,
        ChatError::MissingKey { .. } => FailureKind::MissingKey,
        ChatError::UnknownModel { .. } => FailureKind::UnknownModel,
        ChatError::ContextTooLong { .. } => FailureKind::ContextTooLong,
        ChatError::RateLimited { .. }
        | ChatError::Rejected { .. }
        | ChatError::Timeout { .. }
        | ChatError::Connection { .. }
        | ChatError::Unreached { .. }
        | ChatError::Unsent { .. }
        | ChatError::ProviderFailed { .. }
        | ChatError::Malformed { .. }
        | ChatError::Other { .. } => FailureKind::ProviderFailed,
    }
}

/// What a machine that fails with an error of its provider says. One that was sent more than its model takes says how much
/// that is, if anything, and never what to do; and where its context is not known nobody has said so before.
#[must_use]
pub fn failure_message(error: &ChatError) -> String {
    let words = error.to_string();
    match error {
        ChatError::ContextTooLong { .. } => {
            let words = text::unended(&words);
            format!("{words}; shorten the question, or choose a model that takes more")
        }
        _ => words,
    }
}

/// Estimated input tokens of a request, tools and what the reply must fit included.
#[must_use]
pub fn request_estimate(request: &ChatRequest) -> u64 {
    let tools: u64 = request
        .tools
        .iter()
        .map(|tool| tokens::estimate(tool.parameters.text()) + tokens::estimate(&tool.description))
        .sum();
    let schema = request.schema.as_ref();
    let schema = schema.map_or(0, |schema| tokens::estimate(schema.schema.text()));
    conversation::estimate(&request.messages) + tools + schema
}
