//! How large a budget a run needs that waits for one: with room for its call as it is by now, with what persons have
//! added. Who resumes the run with that is not told the same again.
//!
//! Border: what becomes of a call without room is the policy's; what is reserved, the accounts'.

use super::Run;
use super::calls::Ended;
use super::policy::retry;
use super::turn::Turn;
use crate::core::{Budget, ModelSheet, Ticket};
use quarry_events::run::{WaitReason, WaitingFor};
use quarry_types::Timestamp;

impl Run {
    /// Waits for a budget with room for a call.
    pub(super) fn wait_for_budget(&mut self, ended: Ended, turn: &mut Turn) {
        let needed = self.calls.needed(&self.brief, &ended);
        let ticket = Ticket(turn.ticket());
        self.calls.hold(ended, ticket, turn.now);
        let needed = self.needed_with_news(turn.now).unwrap_or(needed);
        self.wait(self.for_budget(needed), turn.now, turn);
    }

    /// A person has added something: a run that waits for a larger budget may need more than it said.
    pub(super) fn needs_anew(&mut self, turn: &mut Turn) {
        let reason = self.clockwork.waiting().map(|waiting| waiting.reason);
        if reason != Some(WaitReason::Budget) {
            return;
        }
        let Some(needed) = self.needed_with_news(turn.now) else { return };
        let waiting = self.for_budget(needed);
        if self.clockwork.waiting() != Some(&waiting) {
            self.wait(waiting, turn.now, turn);
        }
    }

    fn for_budget(&self, needed: Budget) -> WaitingFor {
        retry::for_budget(needed, !self.brief.paid_by_caller.is_empty())
    }

    /// Has the call that waits say what was added since it was made, and gives what it needs then; none: nothing was. It
    /// goes on as it is then: the same on another day may be longer.
    fn needed_with_news(&mut self, now: Timestamp) -> Option<Budget> {
        if !self.brief.is_since(9) || self.guidance.len() <= self.guided {
            return None;
        }
        // Taken out, so that a request may look at all the rest.
        let mut calls = std::mem::take(&mut self.calls);
        let request = |purpose, sheet: &ModelSheet| self.request(purpose, sheet, now);
        let needed = calls.renew_held(&self.brief, request);
        self.calls = calls;
        self.hear_all();
        needed
    }
}
