//! The lease of a run whose driver can write no step: its last one was refused, and the machine is read anew, or what
//! persons said is looked for first. What is under way would be begun once more by another else.

use super::{Driven, LOOK_MS, Leave, Slice, Written};
use quarry_types::Timestamp;

/// How far a renewal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Renewal {
    /// None is under way.
    Idle,
    /// The lease is to last until then.
    Asked(Timestamp),
    /// The store failed then.
    Failed(Timestamp),
}

impl<M: Driven> Slice<M> {
    /// A clock that was set back keeps it neither from looking nor from handing over, and a lease lasts no longer than
    /// one that begins now: others would take it for nobody's while this one sees no need to renew it.
    pub(super) fn set_back(&mut self, now: Timestamp) {
        self.backoff.set_back(now);
        self.failing_since = self.failing_since.map(|since| since.min(now));
        if let Renewal::Failed(at) = &mut self.renewal {
            *at = (*at).min(now);
        }
        self.looked = self.looked.min(now);
        self.opened = self.opened.min(now);
        let longest = Timestamp(now.0.saturating_add(self.limits.lease_ms));
        self.lease_until = self.lease_until.min(longest);
    }

    /// Until when the lease is to be renewed, if it is time to. Asked only where that cannot be done with a step.
    pub(super) fn renews(&mut self, now: Timestamp) -> Option<Timestamp> {
        let may = match self.renewal {
            Renewal::Idle => true,
            Renewal::Asked(_) => false,
            Renewal::Failed(at) => now.since(at) >= LOOK_MS,
        };
        if !may || now < self.renew_at() {
            return None;
        }
        let until = Timestamp(now.0.saturating_add(self.limits.lease_ms));
        self.renewal = Renewal::Asked(until);
        Some(until)
    }

    /// What came of a renewal.
    pub fn renewed(&mut self, renewed: Written, now: Timestamp) {
        let Renewal::Asked(until) = std::mem::replace(&mut self.renewal, Renewal::Idle) else {
            return;
        };
        match renewed {
            Written::Yes => self.lease_until = self.lease_until.max(until),
            Written::Lost => self.left = Some(Leave::Lost),
            Written::Unheard | Written::Failed => self.renewal = Renewal::Failed(now),
        }
    }
}
