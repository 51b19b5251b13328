//! The model's judgement of citations that the check could neither confirm nor refute: one call for all, when
//! it is asked for, within the budget. Source: citations, *The check*.
//!
//! An answer that is written is never lost to it: whatever goes wrong, the check's own verdicts stand.

use super::ending::Answer;
use super::{Ask, Phase, Stage};
use crate::core::Turn;
use quarry_events::{Citation, Cited, StageName};
use quarry_evidence::verify::Verdict;
use quarry_prompts as prompts;
use quarry_types::{ChatError, ChatRequest, Completion, Message, json};
use std::collections::BTreeMap;

/// Citations that are judged in the one call.
const MOST: usize = 32;
/// Tokens of a verdict, and of the object around all.
const VERDICT_TOKENS: u32 = 12;
const REPLY_TOKENS: u32 = 128;

impl Ask {
    /// Ends the ask with this answer, or has its doubtful citations judged before.
    pub(super) fn check(&mut self, answer: Answer, turn: &mut Turn) {
        let citations = &answer.draft.proof().citations;
        let doubtful = Doubtful::of(citations);
        if !self.config.verify_with_model || doubtful.count == 0 {
            self.finish(answer, turn);
            return;
        }
        let request = self.check_request(doubtful.asked.iter().filter_map(|at| citations.get(*at)));
        let why_not = if !self.calls.sheet().is_language_model {
            Some("no language model answers")
        } else if !self.calls.may_start(&request, 0) {
            Some("the budget leaves no room for it")
        } else {
            None
        };
        if let Some(why_not) = why_not {
            tell_why_not(why_not, turn);
            self.finish(answer, turn);
            return;
        }
        let (asked, count) = (doubtful.asked.len(), doubtful.count);
        let which = if asked < count { format!("the first {asked} of ") } else { String::new() };
        turn.log(format!("The model judges {which}{count} doubtful citations"));
        self.stage = Stage::Checking(Box::new(answer));
        self.calls.start(Phase::CitationCheck, request, turn);
    }

    /// Goes on with an answer whose check was interrupted: it is shown again, and not written again.
    pub(super) fn check_again(&mut self, mut answer: Answer, turn: &mut Turn) {
        turn.begin_stage(StageName::Answer, None);
        turn.log("Going on with the answer written before");
        if self.brief.wish.form.is_some() {
            answer.draft.silence();
        } else {
            answer.draft.show_again(turn);
        }
        if !self.config.verify_with_model {
            tell_why_not("this request does not ask for it", turn);
        }
        self.check(answer, turn);
    }

    fn check_request<'c>(&self, asked: impl Iterator<Item = &'c Citation>) -> ChatRequest {
        let fence = &self.brief.fence;
        let system = prompts::CheckSystem { fence: fence.mark() }.render();
        let pairs: Vec<String> = (1..)
            .zip(asked)
            .map(|(n, it)| format!("{n}. Sentence: {}\n   Quotation: {}", it.claim, it.quote))
            .collect();
        let judged = u32::try_from(pairs.len()).unwrap_or(u32::MAX);
        let pairs = fence.around("pairs", &pairs.join("\n"));
        let user = prompts::Check { pairs: &pairs }.render();
        let messages = vec![Message::system(system), Message::user(user)];
        let output = REPLY_TOKENS.saturating_add(judged.saturating_mul(VERDICT_TOKENS));
        ChatRequest { json: true, temperature: Some(0.0), ..self.calls.request(messages, output) }
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
        match result.map(|completion| verdicts(&completion.text)) {
            Ok(Some(verdicts)) => {
                let Doubtful { asked, .. } = Doubtful::of(&answer.draft.proof().citations);
                for citation in answer.draft.judge(&asked, &verdicts) {
                    turn.emit(&Cited { citation, timestamp: turn.at() });
                }
            }
            Ok(None) => {
                turn.log("The model's judgement of citations cannot be read; the check's stands")
            }
            Err(error) => turn.log(format!("The check's verdicts stand ({error})")),
        }
        self.finish(*answer, turn);
    }
}

/// The citations that the check could neither confirm nor refute.
struct Doubtful {
    /// The places of those that the model is asked about: the first ones.
    asked: Vec<usize>,
    /// How many there are.
    count: usize,
}

impl Doubtful {
    fn of(citations: &[Citation]) -> Self {
        let places = citations.iter().enumerate();
        let mut asked: Vec<usize> = places
            .filter(|(_, citation)| citation.verdict == Verdict::Partly && !citation.by_model)
            .map(|(at, _)| at)
            .collect();
        let count = asked.len();
        asked.truncate(MOST);
        Doubtful { asked, count }
    }
}

fn tell_why_not(why_not: &str, turn: &mut Turn) {
    turn.log(format!("The model does not judge the citations: {why_not}"));
}

/// The verdicts of a reply, by the numbers that the request gave.
fn verdicts(text: &str) -> Option<BTreeMap<usize, Verdict>> {
    let value = json::read(text)?;
    let given = value.get("verdicts").unwrap_or(&value).as_object()?;
    let read = given.iter().filter_map(|(n, verdict)| {
        Some((n.parse().ok()?, serde_json::from_value(verdict.clone()).ok()?))
    });
    let read: BTreeMap<usize, Verdict> = read.collect();
    (!read.is_empty()).then_some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read_as_models_write_them() {
        let some = |pairs: &[(usize, Verdict)]| Some(pairs.iter().copied().collect());
        assert_eq!(
            verdicts(
                r#"{"verdicts": {"1": "supported", "3": "not_found", "x": "partly", "2": "no"}}"#
            ),
            some(&[(1, Verdict::Supported), (3, Verdict::NotFound)])
        );
        let fenced = "So:\n```json\n{\"2\": \"supported\"}\n```";
        assert_eq!(verdicts(fenced), some(&[(2, Verdict::Supported)]));
        for nothing in ["", "I cannot", "{}", "7", r#"{"verdicts": []}"#] {
            assert_eq!(verdicts(nothing), None, "{nothing}");
        }
    }
}
