//! What is under way of a run, and what its model calls cost. Before a call its worst case is reserved; a part
//! of the budget is set aside for the report.

mod again;

pub use again::{MOST_ATTEMPTS, NotAgain};

use super::share::{for_research, with_report};
use super::turn::Turn;
use super::{Brief, Effect, Purpose, Reuse, What, vectors};
use crate::core::request_estimate;
use crate::core::{Budget, Ledger, ModelSheet, Reservation, Room, Ticket};
use quarry_events::run::{CostUpdated, Role};
use quarry_tools::{Errand, Outcome};
use quarry_types::{ChatError, ChatRequest, Completion, ModelId, Timestamp, Usage, Usd};
use serde::{Deserialize, Serialize};

/// The role of a vector: no model of a run's makes it, and it serves what documents are read for.
pub(super) const VECTORS: Role = Role::Read;

/// Something under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct UnderWay {
    effect: Effect,
    purpose: Purpose,
    started: Timestamp,
    call: Option<CallMade>,
    phase: Phase,
    /// What is reserved for the vector of a question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    vector: Option<Reservation>,
}

/// How far something under way is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Phase {
    /// It is to be begun.
    Due,
    /// The journal says that it was.
    Begun,
    /// It waits to be begun again: a provider made the run wait.
    Held,
}

/// A model call, as far as its accounts go.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct CallMade {
    /// Which model of its role's list.
    choice: usize,
    reservation: Reservation,
}

/// How something under way ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// What it was for.
    pub purpose: Purpose,
    /// How often it was begun.
    pub attempts: u32,
    /// What to do again, should it be worth it.
    pub what: What,
    /// Which model of its role's list was called.
    pub choice: usize,
}

/// Whether a call could be begun.
#[derive(Debug, Clone, PartialEq)]
pub enum Begun {
    /// It was.
    Yes,
    /// No model of the list can be called: rules answer.
    ByRule,
    /// Its worst case does not fit the budget.
    NoRoom(Box<Ended>),
}

/// What is under way of a run, and its accounts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Calls {
    ledger: Ledger,
    under_way: Vec<UnderWay>,
    /// The most that a vector cost, in US dollars for a million tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    vector_price: Option<Usd>,
    /// Limits of providers that were waited for since a model replied last.
    #[serde(default, skip_serializing_if = "crate::core::is_zero")]
    limits: u32,
    /// The call that an end cut off behind a try that had failed, and which try it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cut_off: Option<(Purpose, u32)>,
}

impl Calls {
    /// Whoever has a run go on may have had the provider's limit raised.
    pub(super) const fn forget_limits(&mut self) {
        self.limits = 0;
    }

    /// Which limit in a row this is that a provider gave; 0: it gave none, or a run of before does not count them.
    pub(super) const fn note_limit(&mut self, brief: &Brief, error: &ChatError) -> u32 {
        if brief.is_since(2) && matches!(error, ChatError::RateLimited { .. }) {
            self.limits = self.limits.saturating_add(1);
            return self.limits;
        }
        0
    }

    /// The accounts.
    #[must_use]
    pub const fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The accounts, to be added to.
    pub(super) const fn ledger_mut(&mut self) -> &mut Ledger {
        &mut self.ledger
    }

    /// The most that a vector cost, in US dollars for a million tokens; none: nobody has paid for one.
    pub(super) const fn vector_price(&self) -> Option<Usd> {
        self.vector_price
    }

    /// A vector cost so much for a million tokens.
    pub(super) fn note_vector_price(&mut self, price: Usd) {
        self.vector_price = Some(self.vector_price.unwrap_or_default().max(price));
    }

    /// Begins a call of a role, with the first model of its list from `choice` on that is one.
    pub fn call(
        &mut self,
        brief: &Brief,
        (role, purpose): (Role, Purpose),
        choice: usize,
        request: impl FnOnce(&ModelSheet) -> ChatRequest,
        turn: &mut Turn,
    ) -> Begun {
        let sheets = brief.models.of(role).iter().enumerate().skip(choice);
        let Some((choice, sheet)) = sheets.into_iter().find(|(_, sheet)| sheet.is_language_model)
        else {
            return Begun::ByRule;
        };
        let request = request(sheet);
        let Some(reservation) = self.reserve(brief, role, sheet, &request) else {
            let what = What::Model { role, request: Box::new(request) };
            return Begun::NoRoom(Box::new(Ended { purpose, attempts: 1, what, choice }));
        };
        let timeout_ms = brief.knobs.timeouts.model.saturating_mul(1_000);
        let what = What::Model { role, request: Box::new(request) };
        let call = Some(CallMade { choice, reservation });
        self.begin(purpose, (what, None), timeout_ms, call, turn);
        Begun::Yes
    }

    /// The call that was begun last is the try with this number of what it is for.
    pub(super) fn count_last_as(&mut self, attempt: u32) {
        if let Some(last) = self.under_way.last_mut() {
            last.effect.attempt = attempt;
        }
    }

    fn reserve(
        &mut self,
        brief: &Brief,
        role: Role,
        sheet: &ModelSheet,
        request: &ChatRequest,
    ) -> Option<Reservation> {
        let budget = if role == Role::Write { brief.budget } else { for_research(brief.budget) };
        let (input, output) = (request_estimate(request), u64::from(request.max_output_tokens));
        let price = sheet.price.as_ref();
        let fits = self.ledger.room(&budget, price, input, output) != Room::DoesNotFit;
        fits.then(|| self.ledger.reserve(price, input, output))
    }

    /// The least budget that would have room for a call that has none: the limits that there are, grown.
    #[must_use]
    pub fn needed(&self, brief: &Brief, ended: &Ended) -> Budget {
        let What::Model { role, request } = &ended.what else { return brief.budget };
        let sheet = brief.models.of(*role).get(ended.choice);
        needed(&self.ledger, brief, (*role, sheet), request)
    }

    /// Begins an errand, whose outcome is first looked for there, and for whose vector so much is reserved.
    pub fn run(
        &mut self,
        purpose: Purpose,
        (errand, reuse, vector): (Errand, Option<Reuse>, Option<Reservation>),
        timeout_ms: u64,
        turn: &mut Turn,
    ) {
        self.begin(purpose, (What::Errand(errand), reuse), timeout_ms, None, turn);
        if let Some(begun) = self.under_way.last_mut() {
            begun.vector = vector;
        }
    }

    fn begin(
        &mut self,
        purpose: Purpose,
        (what, reuse): (What, Option<Reuse>),
        timeout_ms: u64,
        call: Option<CallMade>,
        turn: &mut Turn,
    ) {
        let ticket = turn.ticket();
        let id = format!("{purpose}/{ticket}");
        let effect = Effect { ticket: Ticket(ticket), id, attempt: 1, timeout_ms, what, reuse };
        let (started, phase) = (turn.now, Phase::Due);
        self.under_way.push(UnderWay { effect, purpose, started, call, phase, vector: None });
    }

    /// What is to be begun, in order: of errands no more than may be side by side.
    #[must_use]
    pub fn due(&self, side_by_side: u32) -> Vec<Effect> {
        let is_errand = |it: &UnderWay| matches!(it.effect.what, What::Errand(_));
        let begun = self.under_way.iter().filter(|it| is_errand(it) && it.phase == Phase::Begun);
        let mut room = (side_by_side as usize).saturating_sub(begun.count());
        let due = self.under_way.iter().filter(|it| it.phase == Phase::Due);
        let fits = due.filter(|it| {
            let fits = !is_errand(it) || room > 0;
            room = room.saturating_sub(usize::from(is_errand(it)));
            fits
        });
        fits.map(|it| it.effect.clone()).collect()
    }

    /// Whether anything was begun of which nothing came yet.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.under_way.iter().any(|it| it.phase == Phase::Begun)
    }

    /// Notes that these were begun.
    pub fn note_begun(&mut self, tickets: &[Ticket], now: Timestamp) {
        for it in &mut self.under_way {
            if it.phase == Phase::Due && tickets.contains(&it.effect.ticket) {
                it.phase = Phase::Begun;
                it.started = now;
            }
        }
    }

    /// What the call or errand with this ticket is for; none: nothing of that is under way.
    #[must_use]
    pub fn purpose(&self, ticket: Ticket) -> Option<Purpose> {
        let is_it = |it: &&UnderWay| it.effect.ticket == ticket && it.phase == Phase::Begun;
        self.under_way.iter().find(is_it).map(|it| it.purpose)
    }

    fn take(&mut self, ticket: Ticket) -> Option<UnderWay> {
        let is_it = |it: &UnderWay| it.effect.ticket == ticket && it.phase != Phase::Held;
        let at = self.under_way.iter().position(is_it)?;
        Some(self.under_way.remove(at))
    }

    /// Ends an errand; none when nothing with this ticket is under way. What the vector of a search cost that failed is
    /// unknown.
    pub fn end(
        &mut self,
        brief: &Brief,
        ticket: Ticket,
        outcome: &Outcome,
        turn: &mut Turn,
    ) -> Option<Ended> {
        let mut it = self.take(ticket)?;
        // Where it says what it paid, nothing is guessed.
        if let Outcome::Failed(failure) = outcome
            && outcome.spent().is_none()
            && brief.is_since(3)
            && vectors::may_have_paid(failure.kind)
        {
            let may_have_cost = it.vector.is_some();
            self.lose(brief, &mut it, failure.message.clone());
            if may_have_cost && brief.is_since(9) {
                let told = self.told(VECTORS, again::VECTOR.to_owned(), None, 0);
                turn.emit(brief.node_of(it.purpose), &told);
            }
        }
        self.release_vector(&it);
        Some(it.ended())
    }

    /// Ends a call in the accounts and tells what it cost; none when nothing with this ticket is under way.
    pub fn settle(
        &mut self,
        brief: &Brief,
        ticket: Ticket,
        result: &Result<Completion, ChatError>,
        turn: &mut Turn,
    ) -> Option<Ended> {
        let mut it = self.take(ticket)?;
        let (What::Model { role, request }, Some(call)) = (&it.effect.what, it.call) else {
            return Some(it.ended());
        };
        let sheet = brief.models.of(*role).get(call.choice);
        match result {
            Ok(completion) => {
                self.limits = 0;
                self.ledger.release(call.reservation);
                let price = sheet.and_then(|sheet| sheet.price);
                let cost = price.map(|price| price.cost(&completion.usage));
                let model = request.model.to_string();
                // The journal has the rest.
                self.ledger.count(cost, &kept(brief, completion.usage));
                let call_tokens = completion.usage.input.saturating_add(completion.usage.output);
                let told = self.told(*role, model, cost, call_tokens);
                turn.emit(brief.node_of(it.purpose), &told);
            }
            Err(error) if error.may_have_cost() => {
                let (role, model) = (*role, request.model.to_string());
                self.lose(brief, &mut it, error.to_string());
                if brief.is_since(6) {
                    let told = self.told(role, model, None, 0);
                    turn.emit(brief.node_of(it.purpose), &told);
                }
            }
            Err(_) => self.ledger.release(call.reservation),
        }
        Some(it.ended())
    }

    /// What is told of a call that cost so much.
    pub(super) fn told(
        &self,
        role: Role,
        model: String,
        cost: Option<f64>,
        tokens: u64,
    ) -> CostUpdated {
        CostUpdated {
            role,
            model,
            call_cost: cost,
            call_tokens: tokens,
            cost: self.ledger.total_cost(),
            cost_known: self.ledger.unpriced_calls() == 0,
            tokens: self.ledger.tokens().total,
            unsettled_calls: self.ledger.unsettled().len() as u64,
        }
    }

    fn ledger_release(&mut self, it: &UnderWay) {
        if let Some(call) = it.call {
            self.ledger.release(call.reservation);
        }
        self.release_vector(it);
    }

    fn release_vector(&mut self, it: &UnderWay) {
        if let Some(vector) = it.vector {
            self.ledger.release(vector);
        }
    }

    /// The models whose calls wait to be begun again.
    pub fn held(&self) -> impl Iterator<Item = &ModelId> {
        let held = self.under_way.iter().filter(|it| it.phase == Phase::Held);
        held.filter_map(|it| match &it.effect.what {
            What::Model { request, .. } => Some(&request.model),
            What::Errand(_) => None,
        })
    }

    /// What another run paid is not this one's. What was searched for there is searched for here; calls are given
    /// back, to be made with this run's models and within its budget. `bound` holds a search to this run's knobs, in
    /// which one may take so long.
    pub fn fork(
        &mut self,
        brief: &Brief,
        most_ms: u64,
        bound: impl Fn(Purpose, &mut Errand),
    ) -> Vec<(Role, Purpose)> {
        self.ledger = Ledger::default();
        // It may have another provider.
        self.forget_limits();
        self.cut_off = None;
        let mut calls = Vec::new();
        for mut it in std::mem::take(&mut self.under_way) {
            match &mut it.effect.what {
                What::Model { role, .. } => calls.push((*role, it.purpose)),
                What::Errand(errand) => {
                    bound(it.purpose, errand);
                    it.effect.timeout_ms = it.effect.timeout_ms.min(most_ms);
                    it.effect.attempt = 1;
                    it.vector = None;
                    self.begin_in_fork(brief, it);
                }
            }
        }
        calls
    }

    /// Has `bound` hold to other knobs what is not begun yet, or waits to be begun again.
    pub fn bound_unbegun(&mut self, bound: impl Fn(Purpose, &mut Errand)) {
        for it in self.under_way.iter_mut().filter(|it| it.phase != Phase::Begun) {
            if let What::Errand(errand) = &mut it.effect.what {
                bound(it.purpose, errand);
            }
        }
    }

    /// Which try of this call is the next, where one was cut off whose tries count; it is told once.
    pub fn take_cut_off(&mut self, purpose: Purpose) -> Option<u32> {
        self.cut_off.take_if(|(of, _)| *of == purpose).map(|(_, attempt)| attempt)
    }

    /// Lets go of everything: what it used is unknown. A try that failed counts for whoever goes on; that one was cut
    /// off, or lost with its instance before, is not the call's fault.
    pub fn abandon(&mut self, brief: &Brief, reason: &str) {
        for mut it in std::mem::take(&mut self.under_way) {
            let has_failed = it.effect.attempt > 1 && self.first_try(it.purpose).is_some();
            if it.call.is_some() && has_failed && brief.is_since(10) {
                self.cut_off = Some((it.purpose, it.effect.attempt));
            }
            match it.phase {
                Phase::Begun => {
                    self.lose(brief, &mut it, reason.to_owned());
                    self.release_vector(&it);
                }
                Phase::Due => self.ledger_release(&it),
                Phase::Held => self.release_vector(&it),
            }
        }
    }
}

/// What of a call's use is summed up: runs of before kept neither what came from a cache nor thoughts apart.
const fn kept(brief: &Brief, usage: Usage) -> Usage {
    if brief.is_since(12) { usage } else { Usage { cached_input: 0, reasoning: 0, ..usage } }
}

/// The limits of a run, grown to where they have room for such a call beside what these accounts hold.
fn needed(
    ledger: &Ledger,
    brief: &Brief,
    (role, sheet): (Role, Option<&ModelSheet>),
    request: &ChatRequest,
) -> Budget {
    let price = sheet.and_then(|sheet| sheet.price.as_ref());
    let (input, output) = (request_estimate(request), u64::from(request.max_output_tokens));
    let sum = ledger.with(price, input, output);
    let with = Budget { usd: sum.usd, tokens: Some(sum.tokens) };
    let with = if role == Role::Write { with } else { with_report(with) };
    Budget {
        usd: brief.budget.usd.zip(with.usd).map(|(own, needed)| own.max(needed)),
        tokens: brief.budget.tokens.zip(with.tokens).map(|(own, needed)| own.max(needed)),
    }
}

impl UnderWay {
    fn ended(self) -> Ended {
        let choice = self.call.map_or(0, |call| call.choice);
        let Effect { what, attempt, .. } = self.effect;
        Ended { purpose: self.purpose, attempts: attempt, what, choice }
    }
}
