//! What a run that is resumed can do no more: use larger bounds while its report is written, and research when its time
//! is over.
//!
//! Border: what of a wish is taken is for `steering.rs` to say.

use super::turn::Turn;
use super::{Run, Stage};
use crate::core::Budget;
use quarry_events::run::{CutShort, StepFailed};
use quarry_types::{Knobs, OnTimeout, Timeouts};

impl Run {
    /// Whether research is over, or was cut short, and the report is all that is missing.
    pub(super) fn lacks_only_its_report(&self) -> bool {
        let is_done = self.agenda.is_empty() && self.cut_off.is_none() && self.round.is_judged;
        self.cut_short.is_some() || is_done
    }

    /// Whether a run whose time is over goes on with these knobs, and a budget that is no smaller than its own: to write
    /// its report, which has a time of its own. Who wants more research has to give it time, as has who gives it more
    /// money for that.
    pub(super) fn may_write_late(&self, knobs: &Knobs, budget: Budget) -> bool {
        let is_written = self.lacks_only_its_report() || knobs.on_timeout == OnTimeout::Partial;
        let is_larger = budget != self.brief.budget || knobs.is_wider_than(&self.brief.knobs);
        self.brief.is_since(13) && is_written && !is_larger
    }

    /// Goes on with what is open, or with the report where the run's time is over.
    pub(super) fn go_on_in_time(&mut self, lacks_only_its_report: bool, turn: &mut Turn) {
        let is_over = self.brief.is_since(13) && self.is_time_over(turn.now);
        match (is_over, lacks_only_its_report, self.brief.knobs.on_timeout) {
            (true, true, _) => self.write(turn),
            (true, false, OnTimeout::Partial) => {
                self.reopen();
                self.cut_short(CutShort::Timeout, turn);
            }
            (true, false, OnTimeout::Fail) | (false, ..) => self.go_on_with_what_is_open(turn),
        }
    }

    /// Tells that bounds have no use that are larger than these and came while the report is written.
    pub(super) fn tell_too_late(&self, (knobs, budget): &(Knobs, Budget), turn: &mut Turn) {
        if !matches!(self.stage, Stage::Writing(_)) || !self.brief.is_since(13) {
            return;
        }
        // A report uses these, too.
        let Timeouts { model, run, .. } = self.brief.knobs.timeouts;
        let run = match self.cut_short {
            Some(CutShort::Timeout) => knobs.timeouts.run,
            Some(CutShort::Budget) | None => run,
        };
        let before = Knobs { timeouts: Timeouts { model, run, ..knobs.timeouts }, ..knobs.clone() };
        let wants_money = self.cut_short == Some(CutShort::Budget) && self.brief.budget != *budget;
        if wants_money || self.brief.knobs.is_wider_than(&before) {
            let told = StepFailed {
                step: "using the larger bounds".to_owned(),
                message: "research is over, and the report is being written".to_owned(),
                attempts: 0,
                fallback:
                    "they are used when the run is forked behind its end, or aborted and resumed"
                        .to_owned(),
            };
            turn.tell(&told);
        }
    }
}
