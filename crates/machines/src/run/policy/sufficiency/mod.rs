//! The sufficiency policy: whether a node's question is answered, and whether another round is worth it.
//!
//! Border: a judge's reply and facts in, a judgement out. A reply can only say less than the rules allow.
//!
//! | a node | rule |
//! |---|---|
//! | scores | coverage, quality, contradiction handling, and recency where it matters; each 0 to 1 |
//! | judged by | the model; each score that it left out, and all without a reply, by rule |
//! | cap | no verified finding: coverage 0 |
//! | cap | no source above tier 3: quality at most 0.4 |
//! | cap | a contradiction that no finding names: handling at most 0.5 |
//! | cap | the question is time-sensitive and its newest source older than 365 days: recency at most 0.4 |
//! | recency matters | where the question is time-sensitive; else a model's score counts only if it lowers the mean |
//! | sufficient | the weakest score reaches 0.5, and the mean `sufficiency_threshold` |
//! | coverage by rule | the share of the question's parts that verified findings answer, a tenth less while one is open: half an answer is none |
//! | quality by rule | tier 1: 0.8, with two voices of tier 1 or 2 or more: 1; tier 2: 0.6, with two: 0.8; tier 3: 0.4; 0.1 less where most findings are unverified |
//! | handling by rule | 1; 0.5 with a contradiction that no finding names |
//! | recency by rule | by the age of the newest source: 30 days 1, 90 days 0.8, 365 days 0.6, older 0.3; 0.5 where no date is known |
//!
//! | a pass | rule |
//! |---|---|
//! | sufficient | the root is, the model does not deny it, and no critical gap is left that could change the conclusion |
//! | could change the conclusion | as the model says; always while nothing of the root is covered; never where nothing is open |
//! | without a reply | gaps are the root's, else the open questions; they could change the conclusion |
//! | stops, the first that holds | `sufficient`; `not_material`: what is open could not change the conclusion; `no_progress`; `bounds` |

mod node;
mod pass;
mod reply;

pub use node::{Facts, judge};
pub use pass::{PassReply, judge_pass};
pub use reply::Reply;

/// Of these rules. A run that was begun under another is resumed only when that is asked for.
pub const VERSION: u32 = 1;

/// Gaps of one judgement at most.
const MOST_GAPS: usize = 8;
/// Characters of a gap.
const GAP_CHARACTERS: usize = 400;
/// Characters of a rationale.
const RATIONALE_CHARACTERS: usize = 1_000;

/// Gaps as they are kept: few, short, none twice.
fn kept_gaps<'a>(gaps: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for gap in gaps {
        let gap = quarry_types::text::cut(gap.trim(), GAP_CHARACTERS);
        if kept.len() < MOST_GAPS && !gap.is_empty() && !kept.contains(&gap) {
            kept.push(gap);
        }
    }
    kept
}

#[cfg(test)]
mod tests;
