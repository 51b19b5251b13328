//! When the model judges the citations of an answer from documents: behind it, and before it is told.
//!
//! Border: what is asked, and what becomes of the reply, is `core::judging`'s.

use super::{Consult, Found, Phase, Stage};
use crate::core::{Turn, judging};
use quarry_events::StageName;
use quarry_types::{ChatError, Completion};

impl Consult {
    /// Ends with this answer, or has its doubtful citations judged before.
    pub(super) fn check(&mut self, found: Found, turn: &mut Turn) {
        turn.begin_stage(StageName::Citations, None);
        // Nothing that costs comes after it.
        let (fence, calls) = (&self.brief.fence, (&mut self.calls, 0));
        if self.brief.verify_with_model
            && judging::judge(&found.draft, Phase::CitationCheck, fence, calls, turn)
        {
            self.stage = Stage::Checking(Box::new(found));
        } else {
            self.finish(found, turn);
        }
    }

    pub(super) fn after_check(&mut self, result: Result<Completion, ChatError>, turn: &mut Turn) {
        let mut found = match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Checking(found) => *found,
            other => {
                self.stage = other;
                return;
            }
        };
        judging::judged(&mut found.draft, result, turn);
        self.finish(found, turn);
    }

    /// The answer is whole: whoever stops now gets it with the verdicts that there are.
    pub(super) fn stop_checking(&mut self, turn: &mut Turn) {
        self.calls.lose_all("dropped while under way");
        if let Stage::Checking(found) = std::mem::replace(&mut self.stage, Stage::Ended) {
            turn.log("Stopped on request; the check's verdicts stand");
            self.finish(*found, turn);
        }
    }
}
