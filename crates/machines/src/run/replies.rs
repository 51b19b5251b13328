//! What models reply: whether it can be read, and what becomes of a step whose model was of no use.
//!
//! | a reply | then (since revision 4) |
//! |---|---|
//! | says what was asked for | the step takes it |
//! | says that there is none: an empty list of queries, findings or parts | that is an answer, too |
//! | cannot be read | it is as a call that failed: the next model is asked, or rules do the step, and it is told and counted |
//!
//! In runs of before rules did the step untold, also where a model had found nothing.

use super::Run;
use super::calls::Ended;
use super::input::{Purpose, What};
use super::policy::{decomposition, search, sufficiency, synthesis};
use super::turn::Turn;
use super::visit::next_model;
use crate::core::reply::says_none;
use quarry_events::run::StepFailed;

/// Why a reply is of no use.
const UNREADABLE: &str = "its reply could not be read";

/// Whether a step for this purpose can take such a reply.
fn is_readable(purpose: Purpose, text: &str) -> bool {
    match purpose {
        Purpose::Queries(_) => {
            search::read_reply(text) != search::Proposal::default() || says_none(text, "queries")
        }
        Purpose::Findings(_) => {
            !synthesis::read_reply(text).is_empty() || says_none(text, "findings")
        }
        Purpose::Parts(_) => {
            !decomposition::read_reply(text).is_empty() || says_none(text, "parts")
        }
        Purpose::Judgement(_) => sufficiency::Reply::read(text).is_some(),
        Purpose::Pass(_) => sufficiency::PassReply::read(text).is_some(),
        // Whatever is written is read as its answer; none where there was nothing to write of.
        Purpose::Report => !text.trim().is_empty(),
        // A search is no call.
        Purpose::Query(..) => true,
    }
}

impl Run {
    /// Takes in what a model replied.
    pub(super) fn on_replied(&mut self, ended: &Ended, text: &str, turn: &mut Turn) {
        let What::Model { role, request } = &ended.what else { return };
        if self.brief.is_since(4) && !is_readable(ended.purpose, text) {
            return self.falls_back(ended, (UNREADABLE, false), turn);
        }
        if self.brief.is_since(1) {
            self.gathered.note_used(*role, request.model.to_string());
        }
        self.on_reply(ended.purpose, Some(text), turn);
    }

    /// Does a step without the model that was of no use: with the next of its list, or by rules.
    pub(super) fn falls_back(
        &mut self,
        ended: &Ended,
        (why, is_away): (&str, bool),
        turn: &mut Turn,
    ) {
        let What::Model { role, request } = &ended.what else { return };
        let later = next_model(self.brief.models.of(*role), ended.choice + 1);
        let fallback = match (later, self.brief.is_since(6)) {
            (None, _) => "rules".to_owned(),
            (Some(sheet), true) => sheet.id.to_string(),
            (Some(sheet), false) => sheet.id.name.clone(),
        };
        let away = is_away.then(|| request.model.provider.as_str());
        let what = format!("{} could not be used: {why}", request.model);
        self.gathered.note_failure(what, self.away(away));
        self.gathered.fallbacks += u32::from(later.is_none());
        let told = StepFailed {
            step: ended.purpose.to_string(),
            message: why.to_owned(),
            attempts: ended.attempts,
            fallback,
        };
        turn.emit(self.brief.node_of(ended.purpose), &told);
        self.ask(*role, ended.purpose, ended.choice + 1, turn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::NodeId;

    #[test]
    fn prose_is_no_reply_and_none_is_one() {
        let node = NodeId::ROOT;
        for (purpose, readable) in [
            (
                Purpose::Queries(node),
                &[r#"{"queries": ["a b"]}"#, r#"{"queries": []}"#, r#"{"recheck": true}"#][..],
            ),
            (
                Purpose::Findings(node),
                &[
                    r#"{"findings": [{"claim": "It burns."}]}"#,
                    r#"{"findings": []}"#,
                    "```json\n[]\n```",
                    r#"{"findings": null}"#,
                ],
            ),
            (Purpose::Parts(node), &[r#"{"parts": ["Who?"]}"#, r#"{"parts": []}"#, "[]"]),
            (Purpose::Judgement(node), &[r#"{"coverage": 0.5}"#]),
            (Purpose::Pass(1), &[r#"{"sufficient": true}"#]),
            (Purpose::Report, &["It burns [q1].", r#"{"answer": "It burns [q1]."}"#]),
        ] {
            for text in readable {
                assert!(is_readable(purpose, text), "{purpose}: {text}");
            }
            // Whatever is written of a report is read as its answer.
            let others = ["{}", r#"{"findings": [{"claim": " "}]}"#, r#"{"other": []}"#];
            let is_report = purpose == Purpose::Report;
            for text in others.into_iter().filter(|_| !is_report).chain([""]) {
                assert!(!is_readable(purpose, text), "{purpose}: {text}");
            }
            let prose = "I am sorry, but I cannot help with [1] that.";
            assert_eq!(is_readable(purpose, prose), is_report, "{purpose}");
        }
    }
}
