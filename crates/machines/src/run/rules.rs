//! Under which rules a run works, and which are others where it is taken up.
//!
//! Border: their versions are the policies'. What follows is that the run waits for somebody to say so.

use super::policy::{self, retry};
use super::turn::Turn;
use super::{Run, RunInput};
use quarry_events::run::WaitReason;
use quarry_types::Timestamp;
use quarry_types::order::Gather;
use std::collections::{BTreeMap, BTreeSet};

impl Run {
    /// The policies that have another version than those under which it works, each in words.
    #[must_use]
    pub fn changed_policies(&self) -> Vec<String> {
        changed(&self.policies, &policy::versions())
    }

    /// What it is told first by whoever takes it up by itself; none: it goes on under the policies it has.
    #[must_use]
    pub fn told_of_policies(&self) -> Option<RunInput> {
        let waits = self.clockwork.waiting().map(|waiting| waiting.reason);
        let policies = self.changed_policies();
        let is_known = self.has_ended() || waits == Some(WaitReason::PolicyChanged);
        (!policies.is_empty() && !is_known).then_some(RunInput::PolicyChanged { policies })
    }

    /// What drives it since then has other policies: nothing goes on before somebody says so.
    pub(super) fn wait_for_policies(
        &mut self,
        changed: &[String],
        since: Timestamp,
        turn: &mut Turn,
    ) {
        if !self.has_ended() {
            self.calls.hold_all(&self.brief);
            let own_key = !self.brief.paid_by_caller.is_empty();
            self.wait(retry::for_policies(changed, own_key), since, turn);
        }
    }
}

/// What has another version now, each in words. What is named now and was not then had its first.
fn changed(then: &BTreeMap<String, u32>, now: &BTreeMap<String, u32>) -> Vec<String> {
    let names: BTreeSet<&String> = then.keys().chain(now.keys()).gather();
    let words = |name: &String| {
        let (was, is) = (then.get(name).copied().unwrap_or(policy::FIRST), now.get(name).copied());
        match is {
            Some(is) if is == was => None,
            Some(is) => Some(format!("{name} {was} → {is}")),
            None => Some(format!("{name} {was} is gone")),
        }
    };
    names.into_iter().filter_map(words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_a_run_of_before_does_not_name_are_their_first_ones() {
        let of = |versions: &[(&str, u32)]| -> BTreeMap<String, u32> {
            versions.iter().map(|(name, version)| ((*name).to_owned(), *version)).collect()
        };
        let then = of(&[("astrology", 2), ("search", 2), ("synthesis", 3)]);
        let now = of(&[("evidence", 1), ("extractive", 2), ("search", 2), ("synthesis", 4)]);
        let words = ["astrology 2 is gone", "extractive 1 → 2", "synthesis 3 → 4"];
        assert_eq!(changed(&then, &now), words);
        assert!(changed(&now, &now).is_empty());
    }
}
