//! The model's judgement of citations that the check could neither confirm nor refute: one call for all, when
//! it is asked for, within the budget. Source: citations, *The check*.
//!
//! An answer that is written is never lost to it: whatever goes wrong, the check's own verdicts stand.

use super::{Calls, Draft, Fence, Purpose, Turn};
use quarry_events::{Citation, Cited};
use quarry_evidence::verify::{Verdict, Veto};
use quarry_prompts as prompts;
use quarry_types::{ChatError, ChatRequest, Completion, Message, json};
use std::collections::BTreeMap;

/// Citations that are judged in the one call.
const MOST: usize = 32;
/// Tokens of a verdict, and of the object around all.
const VERDICT_TOKENS: u32 = 12;
const REPLY_TOKENS: u32 = 128;

/// Asks the model about the doubtful citations of a closed answer, where there are any and something answers;
/// else says why not. Whether it was asked: then [`judged`] takes its reply. Nothing is asked that would leave less than so
/// many tokens for what must come after it: nobody loses an answer because it was to be judged.
pub fn judge<P: Purpose>(
    draft: &Draft,
    purpose: P,
    fence: &Fence,
    (calls, and_then): (&mut Calls<P>, u64),
    turn: &mut Turn,
) -> bool {
    let citations = &draft.proof().citations;
    let Doubtful { asked, count } = Doubtful::of(citations);
    if count == 0 {
        return false;
    }
    let request = request(asked.iter().filter_map(|at| citations.get(*at)), fence, calls);
    let why_not = if !calls.sheet().is_language_model {
        "no language model answers"
    } else if !calls.may_start(&request, and_then) {
        "the budget leaves no room for it"
    } else {
        let which = if asked.len() < count {
            format!("the first {} of ", asked.len())
        } else {
            String::new()
        };
        turn.log(format!("The model judges {which}{count} doubtful citations"));
        calls.start(purpose, request, and_then, turn);
        return true;
    };
    not_judged(why_not, turn);
    false
}

/// Says why the model is not asked.
pub fn not_judged(why_not: &str, turn: &mut Turn) {
    turn.log(format!("The model does not judge the citations: {why_not}"));
}

/// Takes in what the model said, and tells of each verdict that is another now.
pub fn judged(draft: &mut Draft, result: Result<Completion, ChatError>, turn: &mut Turn) {
    match result.map(|completion| verdicts(&completion.text)) {
        Ok(Some(verdicts)) => {
            let Doubtful { asked, .. } = Doubtful::of(&draft.proof().citations);
            let changed = draft.judge(&asked, &verdicts);
            for citation in &changed {
                turn.emit(&Cited { citation: citation.clone(), timestamp: turn.at() });
            }
            draft.doubt(&changed, turn);
        }
        Ok(None) => {
            turn.log("The model's judgement of citations cannot be read; the check's stands");
        }
        Err(error) => turn.log(format!("The check's verdicts stand ({error})")),
    }
}

fn request<'c, P: Purpose>(
    asked: impl Iterator<Item = &'c Citation>,
    fence: &Fence,
    calls: &Calls<P>,
) -> ChatRequest {
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
    ChatRequest { json: true, temperature: Some(0.0), ..calls.request(messages, output) }
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
            .filter(|(_, citation)| {
                // No model knows what a page says that nobody read.
                let may_be_known = !citation.vetoes.contains(&Veto::Unread);
                citation.verdict == Verdict::Partly && !citation.by_model && may_be_known
            })
            .map(|(at, _)| at)
            .collect();
        let count = asked.len();
        asked.truncate(MOST);
        Doubtful { asked, count }
    }
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
