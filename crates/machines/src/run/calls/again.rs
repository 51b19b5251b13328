//! What is begun again: what was lost with an instance, held while the run waited, or failed and may have been paid for.
//!
//! Border: each first try that may have been paid for is unsettled in the accounts, and each next one is reserved anew.

use super::{CallMade, Calls, Ended, Phase, UnderWay, needed};
use crate::core::{Budget, ModelSheet, Reservation, Ticket, Unsettled};
use crate::run::{Brief, Effect, Purpose, What};
use quarry_events::run::{Role, SearchedIn};
use quarry_tools::Errand;
use quarry_types::{ChatRequest, Timestamp};

/// How often an effect is begun whose outcome nobody records. The journal does not tell an instance that it took down
/// from a store that took no outcome, and a call that is paid for is made again once in either case.
pub const MOST_ATTEMPTS: u32 = 2;

/// Why what a call used is unknown.
const LOST: &str = "its instance died, or could not store what came of it";

/// What stands for the model in the accounts where it is not known which made a vector.
pub(super) const VECTOR: &str = "question_embedding";

/// Why something that was lost is not begun again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotAgain {
    /// It is a call that was begun twice, and lost the second time.
    Call {
        /// What became of its first try; none: it was lost, too.
        first: Option<String>,
    },
    /// It is an errand that was.
    Errand,
    /// The budget has no room for the vector of its question.
    NoRoom,
}

impl Calls {
    /// What something used is unknown: a call, or the vector of a question to documents.
    pub(super) fn lose(&mut self, brief: &Brief, it: &mut UnderWay, reason: String) {
        let (most, model) = match (&it.effect.what, it.call) {
            (What::Model { request, .. }, Some(call)) => {
                (Some(call.reservation), request.model.to_string())
            }
            (What::Errand(_), _) if brief.is_since(2) => (it.vector.take(), VECTOR.to_owned()),
            (What::Model { .. } | What::Errand(_), _) => return,
        };
        let name = it.effect.id.clone();
        if let Some(most) = most {
            self.ledger.lose(most, Unsettled { name, model, reason, most });
        }
    }

    /// Keeps a call that its provider turned away, to be begun again when the run goes on.
    pub fn hold(&mut self, ended: Ended, ticket: Ticket, now: Timestamp) {
        self.under_way.push(ended.held(ticket, now));
    }

    /// Begins a call once more that failed and may have been paid for: the same, under the same name, as its next
    /// attempt. Gives it back where the budget has no room for it.
    pub fn call_again(
        &mut self,
        brief: &Brief,
        ended: Ended,
        ticket: Ticket,
        now: Timestamp,
    ) -> Option<Ended> {
        let attempts = ended.attempts + 1;
        let again = Ended { attempts, ..ended }.held(ticket, now);
        self.begin_again(again, brief, true).map(UnderWay::ended)
    }

    /// Holds everything: what was begun is lost with whoever began it, and tried again when the run goes on, however
    /// often it was before: that is for somebody to say, who may have mended what it failed of.
    pub fn hold_all(&mut self, brief: &Brief) {
        for mut it in std::mem::take(&mut self.under_way) {
            match it.phase {
                Phase::Begun => {
                    self.lose(brief, &mut it, LOST.to_owned());
                    it.effect.attempt += 1;
                }
                // What is reserved for a vector stays so.
                Phase::Due if it.call.is_some() => self.ledger_release(&it),
                Phase::Due | Phase::Held => {}
            }
            it.phase = Phase::Held;
            self.under_way.push(it);
        }
    }

    /// Begins what was held again; gives what the budget has no room for any more: errands for want of a vector, which
    /// are to fail, and calls.
    pub fn release_held(&mut self, brief: &Brief) -> (Vec<Ticket>, Vec<Ended>) {
        let held = |it: &UnderWay| it.phase == Phase::Held;
        let (held, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.under_way).into_iter().partition(held);
        self.under_way = others;
        let (mut unsent, mut without_room) = (Vec::new(), Vec::new());
        for it in held {
            match self.begin_again(it, brief, brief.is_since(10)) {
                Some(it) if it.call.is_none() => {
                    unsent.push(it.effect.ticket);
                    self.under_way.push(UnderWay { phase: Phase::Due, ..it });
                }
                again => without_room.extend(again.map(UnderWay::ended)),
            }
        }
        (unsent, without_room)
    }

    /// Begins again what was lost with an instance. Gives what is not, and why; and the calls that the budget has no room
    /// for any more.
    pub fn begin_lost(&mut self, brief: &Brief) -> (Vec<(Ticket, NotAgain)>, Vec<Ended>) {
        let (mut failed, mut without_room) = (Vec::new(), Vec::new());
        for mut it in std::mem::take(&mut self.under_way) {
            if it.phase != Phase::Begun {
                self.under_way.push(it);
            } else if it.effect.attempt >= MOST_ATTEMPTS {
                // A call ends as any other that failed, and its reservation is lost there.
                let is_call = it.call.is_some();
                if !is_call {
                    self.lose(brief, &mut it, LOST.to_owned());
                }
                let first = self.first_try(it.purpose);
                let why = if is_call { NotAgain::Call { first } } else { NotAgain::Errand };
                failed.push((it.effect.ticket, why));
                self.under_way.push(it);
            } else {
                self.lose(brief, &mut it, LOST.to_owned());
                it.effect.attempt += 1;
                match self.begin_again(it, brief, true) {
                    Some(it) if it.call.is_none() => {
                        failed.push((it.effect.ticket, NotAgain::NoRoom));
                        self.under_way.push(it);
                    }
                    again => without_room.extend(again.map(UnderWay::ended)),
                }
            }
        }
        (failed, without_room)
    }

    /// What became of the try before, where it was not lost.
    pub(super) fn first_try(&self, purpose: Purpose) -> Option<String> {
        let of = format!("{purpose}/");
        let tries = self.ledger.unsettled().iter().rev();
        let last = tries.into_iter().find(|it| it.name.starts_with(&of))?;
        (last.reason != LOST).then(|| last.reason.clone())
    }

    /// Begins what another run had under way. Its search was within that run's bounds.
    pub(super) fn begin_in_fork(&mut self, brief: &Brief, mut it: UnderWay) {
        if brief.is_since(8) {
            self.begin_again(it, brief, false);
        } else {
            it.phase = Phase::Due;
            self.under_way.push(it);
        }
    }

    /// Takes out the calls that wait to be begun again: for whom each is, which model of its role's list it asks, and
    /// which try it is.
    pub fn take_held_calls(&mut self) -> Vec<((Role, Purpose), usize, u32)> {
        let mut calls = Vec::new();
        self.under_way.retain(|it| match (&it.effect.what, it.call, it.phase) {
            (What::Model { role, .. }, Some(call), Phase::Held) => {
                calls.push(((*role, it.purpose), call.choice, it.effect.attempt));
                false
            }
            _ => true,
        });
        calls
    }

    /// Has the calls that wait to be begun again ask this instead. Gives the least budget that has room for the last of
    /// them; none: none waits.
    pub fn renew_held(
        &mut self,
        brief: &Brief,
        request: impl Fn(Purpose, &ModelSheet) -> ChatRequest,
    ) -> Option<Budget> {
        let mut least = None;
        for it in self.under_way.iter_mut().filter(|it| it.phase == Phase::Held) {
            let (What::Model { role, request: asked }, Some(call)) = (&mut it.effect.what, it.call)
            else {
                continue;
            };
            let Some(sheet) = brief.models.of(*role).get(call.choice) else { continue };
            **asked = request(it.purpose, sheet);
            least = Some(needed(&self.ledger, brief, (*role, Some(sheet)), asked));
        }
        least
    }

    /// What the budget has no room for; none: it is begun. `must_fit`: also a vector.
    fn begin_again(&mut self, mut it: UnderWay, brief: &Brief, must_fit: bool) -> Option<UnderWay> {
        if let (What::Model { role, request }, Some(call)) = (&it.effect.what, &mut it.call) {
            let sheet = brief.models.of(*role).get(call.choice);
            let reservation = sheet.and_then(|sheet| self.reserve(brief, *role, sheet, request));
            let Some(reservation) = reservation else { return Some(it) };
            call.reservation = reservation;
            it.effect.timeout_ms = brief.knobs.timeouts.model.saturating_mul(1_000);
        }
        if let What::Errand(Errand::SearchKnowledge(query)) = &it.effect.what
            && brief.is_since(2)
            && it.vector.is_none()
        {
            let asked = (SearchedIn::Knowledge, query.text.as_str());
            let Ok(vector) = self.reserve_vector(brief, asked, must_fit) else { return Some(it) };
            it.vector = vector;
        }
        it.phase = Phase::Due;
        self.under_way.push(it);
        None
    }
}

impl Ended {
    /// The same, to be begun again.
    fn held(self, ticket: Ticket, now: Timestamp) -> UnderWay {
        let Ended { purpose, attempts, what, choice } = self;
        let none = Reservation { tokens: 0, usd: None };
        let id = format!("{purpose}/{}", ticket.0);
        let effect = Effect { ticket, id, attempt: attempts, timeout_ms: 0, what, reuse: None };
        let (call, phase) = (Some(CallMade { choice, reservation: none }), Phase::Held);
        UnderWay { effect, purpose, started: now, call, phase, vector: None }
    }
}
