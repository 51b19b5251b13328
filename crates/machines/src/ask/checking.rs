//! When the model judges an ask's citations: behind the answer, and before it is told.
//!
//! Border: what is asked, and what becomes of the reply, is `core::judging`'s.

use super::ending::Answer;
use super::{Ask, Phase, Stage};
use crate::core::{Turn, judging};
use quarry_events::StageName;
use quarry_types::{ChatError, Completion};

impl Ask {
    /// Ends the ask with this answer, or has its doubtful citations judged before. The form that it is to have comes
    /// first: it is what was asked for.
    pub(super) fn check(&mut self, answer: Answer, turn: &mut Turn) {
        let and_then = self.form_of(&answer);
        let (fence, calls) = (&self.brief.fence, (&mut self.calls, and_then));
        if self.config.verify_with_model
            && judging::judge(&answer.draft, Phase::CitationCheck, fence, calls, turn)
        {
            self.stage = Stage::Checking(Box::new(answer));
        } else {
            self.finish(answer, turn);
        }
    }

    /// Goes on with an answer whose check, or form, was interrupted: it is shown again, and neither written nor judged again.
    pub(super) fn check_again(&mut self, mut answer: Answer, turn: &mut Turn) {
        turn.begin_stage(StageName::Answer, None);
        turn.log("Going on with the answer written before");
        if self.brief.wish.form.is_some() {
            answer.draft.silence();
        } else {
            answer.draft.show_again(turn);
        }
        if answer.is_checked {
            self.finish(answer, turn);
            return;
        }
        if !self.config.verify_with_model {
            judging::not_judged("this request does not ask for it", turn);
        }
        self.check(answer, turn);
    }

    /// The answer is whole: whoever stops now gets it with the verdicts that there are.
    pub(super) fn stop_checking(&mut self, turn: &mut Turn) {
        self.calls.lose_all("dropped while under way");
        if let Stage::Checking(answer) = std::mem::replace(&mut self.stage, Stage::Ended) {
            turn.log("Stopped on request; the check's verdicts stand");
            self.finish(*answer, turn);
        }
    }

    pub(super) fn after_check(&mut self, result: Result<Completion, ChatError>, turn: &mut Turn) {
        let mut answer = match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Checking(answer) => answer,
            other => {
                self.stage = other;
                return;
            }
        };
        judging::judged(&mut answer.draft, result, turn);
        answer.is_checked = true;
        self.finish(*answer, turn);
    }
}
