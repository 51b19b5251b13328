//! The report of a run as it is written: what a model has said of it, and what was told of that.
//!
//! A model's words are told as it writes them, each sentence once its citations were checked. They may be lost with
//! an instance, or their call may break off; another call writes the report again, and is heard until it has come
//! as far as what was told. Where it says something else, what was told does not count, and the report is told anew.

use super::calls::{Ended, MOST_ATTEMPTS};
use super::ends::End;
use super::input::{Purpose, What};
use super::report::{self, Beginning};
use super::turn::Turn;
use super::{Run, Stage};
use crate::core::Ticket;
use quarry_events::run::{ReportDelta, ReportGenerated, Role, RunCompleted, RunResumed, RunStatus};
use quarry_types::{ChatError, ChatRequest};
use serde::{Deserialize, Serialize};

/// Bytes of a reply that are heard before it is whole: more is not read of it.
const MOST_HEARD: usize = 60_000;

/// A report that is being written.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Writing {
    /// What the model said in the call under way.
    heard: String,
    /// What was told of the report, in Markdown.
    told: String,
    /// Whether a call broke off whose words were told: the next one tells nothing before it is whole.
    broke_off: bool,
    /// Whether more was said than is heard.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_full: bool,
    /// What follows from what was heard; made anew where it is lost.
    #[serde(skip)]
    beginning: Option<Beginning>,
}

impl Clone for Writing {
    fn clone(&self) -> Self {
        let Writing { heard, told, broke_off, is_full, beginning: _ } = self;
        let (heard, told) = (heard.clone(), told.clone());
        let (broke_off, is_full) = (*broke_off, *is_full);
        Writing { heard, told, broke_off, is_full, beginning: None }
    }
}

impl PartialEq for Writing {
    fn eq(&self, other: &Self) -> bool {
        let facts = |it: &Self| (it.heard.clone(), it.told.clone(), it.broke_off, it.is_full);
        facts(self) == facts(other)
    }
}

impl Writing {
    /// A call begins, at its first word.
    fn begin(&mut self) {
        self.heard.clear();
        self.is_full = false;
        self.beginning = None;
    }

    /// Whether these words are heard. Behind what was not, nothing is: a listener has the report's beginning, never
    /// one with a hole.
    fn hears(&mut self, text: &str) -> bool {
        self.is_full |= self.heard.len() + text.len() > MOST_HEARD;
        !self.is_full
    }

    /// What is told now that the report begins so.
    fn tell(&mut self, begins: String) -> Option<ReportDelta> {
        if self.told.starts_with(&begins) {
            return None;
        }
        let (anew, text) = match begins.strip_prefix(&self.told) {
            Some(rest) => (false, rest.to_owned()),
            None => (true, begins.clone()),
        };
        self.told = begins;
        Some(ReportDelta { section: 1, text, anew })
    }
}

impl Run {
    /// Research is over: the report is written.
    pub(super) fn write(&mut self, turn: &mut Turn) {
        self.stage = Stage::Writing(Box::default());
        self.clockwork.begin_writing(turn.now);
        self.hear_all();
        turn.checkpoint_at_border(self.brief.is_since(4));
        self.ask(Role::Write, Purpose::Report, 0, turn);
    }

    /// Whether the words of a call for this purpose are wanted as they come.
    pub(super) fn is_heard(&self, purpose: Purpose) -> bool {
        let hears = matches!(&self.stage, Stage::Writing(writing) if !writing.broke_off);
        purpose == Purpose::Report && hears
    }

    /// Notes which calls begin.
    pub(super) fn on_begun(&mut self, tickets: &[Ticket], turn: &Turn) {
        self.calls.note_begun(tickets, turn.now);
        let is_report = |ticket: &Ticket| self.calls.purpose(*ticket) == Some(Purpose::Report);
        if tickets.iter().any(is_report)
            && let Stage::Writing(writing) = &mut self.stage
        {
            writing.begin();
        }
    }

    /// Takes in what a model says of the report.
    pub(super) fn on_words(&mut self, ticket: Ticket, text: &str, turn: &mut Turn) {
        let is_report = self.calls.purpose(ticket) == Some(Purpose::Report);
        let Stage::Writing(writing) = &mut self.stage else { return };
        if !is_report || !writing.hears(text) {
            return;
        }
        // Taken out, so that it may look at all the rest.
        let mut writing = std::mem::take(writing);
        writing.heard.push_str(text);
        let beginning = writing.beginning.take();
        let mut beginning =
            beginning.unwrap_or_else(|| self.with_report_facts(None, turn.now, Beginning::new));
        let begins =
            self.with_brief_facts(turn.now, |facts| beginning.markdown(facts, &writing.heard));
        writing.beginning = Some(beginning);
        writing.tell(begins).iter().for_each(|told| turn.tell(told));
        self.stage = Stage::Writing(writing);
    }

    /// Whether a report's call broke off in the middle and is made once more, which is told.
    pub(super) fn writes_again(
        &mut self,
        ended: &Ended,
        error: &ChatError,
        turn: &mut Turn,
    ) -> bool {
        let (Stage::Writing(writing), What::Model { request, .. }) = (&mut self.stage, &ended.what)
        else {
            return false;
        };
        let is_second = self.brief.is_since(2) && ended.attempts >= MOST_ATTEMPTS;
        if is_second || !breaks_off(writing, request, error) {
            return false;
        }
        writing.broke_off = true;
        self.tell_again(ended, &request.model.to_string(), error, turn);
        true
    }

    /// Whether the report's call was made once more already.
    pub(super) fn is_written_again(&self) -> bool {
        matches!(&self.stage, Stage::Writing(writing) if writing.broke_off)
    }

    /// Tells that the run goes on. Of a report that was being told, nothing counts any more.
    pub(super) fn tell_resumed(&mut self, told: &RunResumed, turn: &mut Turn) {
        if let Stage::Writing(writing) = &mut self.stage {
            **writing = Writing::default();
        }
        turn.tell(told);
    }

    /// Takes in what a model wrote, and makes the report of it.
    pub(super) fn on_written(&mut self, reply: Option<&str>, turn: &mut Turn) {
        let report = self.with_report_facts(reply, turn.now, report::report);
        let told = match &self.stage {
            Stage::Writing(writing) => writing.told.as_str(),
            Stage::Visit(_) | Stage::Pass | Stage::Over(_) => "",
        };
        for delta in report::deltas(&report, told) {
            turn.tell(&delta);
        }
        let confidence = report.companion.confidence.confidence;
        let told = ReportGenerated {
            sections: report.sections.len() as u32,
            characters: report.markdown.chars().count() as u64,
            citations: report.companion.sources.iter().filter(|it| it.n.is_some()).count() as u64,
            confidence,
        };
        turn.tell(&told);
        self.clockwork.end(turn.now);
        let told = RunCompleted {
            status: RunStatus::Completed,
            partial: self.cut_short.is_some(),
            reason: self.cut_short,
            confidence,
            summary_metrics: self.metrics(turn.now),
        };
        self.stage = Stage::Over(Box::new(End::Completed { report: report.into() }));
        turn.checkpoint_at_border(self.brief.is_since(4));
        turn.tell(&told);
    }
}

/// Whether a call failed in the middle of what it said, and may succeed when it is made again. One that said nothing
/// yet was made again by whoever made it.
fn breaks_off(writing: &Writing, request: &ChatRequest, error: &ChatError) -> bool {
    let is_heard = request.streams_text && !writing.heard.is_empty();
    is_heard && !writing.broke_off && error.is_retryable()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_what_was_not_heard_nothing_is() {
        let mut writing = Writing::default();
        let mut heard = |bytes: usize| {
            let text = "x".repeat(bytes);
            let hears = writing.hears(&text);
            if hears {
                writing.heard.push_str(&text);
            }
            hears
        };
        assert!(heard(MOST_HEARD - 10));
        assert!(!heard(20));
        assert!(!heard(5), "it would fit, and leave a hole");
        let kept: Writing =
            serde_json::from_str(&serde_json::to_string(&writing).unwrap()).unwrap();
        assert!(kept.is_full && kept == writing.clone());
        writing.begin();
        assert!(writing.hears("another call"));
    }
}
