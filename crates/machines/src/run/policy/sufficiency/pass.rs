//! Whether another round is worth it.

use super::{MOST_GAPS, RATIONALE_CHARACTERS, kept_gaps};
use crate::core::reply::{flag_of, object, text_of, texts_of};
use quarry_events::run::{PassSufficiencyEvaluated, Stop, Sufficiency};
use quarry_types::text::cut;

/// What a judge replied of a round, as far as it could be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PassReply {
    /// Whether the task is answered.
    pub sufficient: Option<bool>,
    /// What is open and matters.
    pub critical_gaps: Vec<String>,
    /// Whether following that up could materially change the conclusion.
    pub could_change_conclusion: Option<bool>,
    /// Why.
    pub rationale: Option<String>,
}

impl PassReply {
    /// Reads a reply; none where it says neither whether the task is answered nor what is open.
    #[must_use]
    pub fn read(text: &str) -> Option<PassReply> {
        let value = object(text, "critical_gaps")?;
        let reply = PassReply {
            sufficient: flag_of(&value, "sufficient"),
            critical_gaps: texts_of(&value, "critical_gaps", MOST_GAPS).unwrap_or_default(),
            could_change_conclusion: flag_of(&value, "could_change_conclusion"),
            rationale: text_of(&value, "rationale").map(|text| cut(&text, RATIONALE_CHARACTERS)),
        };
        let says = reply.sufficient.is_some()
            || reply.could_change_conclusion.is_some()
            || !reply.critical_gaps.is_empty();
        says.then_some(reply)
    }
}

/// Whether another round is worth it, and if not, why. `root`: how well the task is answered, once that was
/// judged; `open`: the questions of the frontier, which is what a round could work on; `progress`: whether this
/// one brought a verified finding or a node changed its state, or a person gave a reason for another since;
/// `rounds_left`: whether the bounds allow another.
#[must_use]
pub fn judge_pass(
    reply: Option<PassReply>,
    root: Option<&Sufficiency>,
    open: &[&str],
    progress: bool,
    rounds_left: bool,
) -> PassSufficiencyEvaluated {
    let is_answered = root.is_some_and(|root| root.sufficient);
    let knows_nothing = root.is_none_or(|root| root.scores.coverage <= 0.0);
    let reply = reply.unwrap_or_else(|| by_rule(root, open));
    let critical_gaps = kept_gaps(reply.critical_gaps.iter().map(String::as_str));
    let could_change_conclusion = !open.is_empty()
        && (knows_nothing || reply.could_change_conclusion.unwrap_or(!critical_gaps.is_empty()));
    let sufficient = is_answered
        && reply.sufficient.unwrap_or(true)
        && (critical_gaps.is_empty() || !could_change_conclusion);
    let stop = if sufficient {
        Some(Stop::Sufficient)
    } else if !could_change_conclusion {
        Some(Stop::NotMaterial)
    } else if !progress {
        Some(Stop::NoProgress)
    } else if !rounds_left {
        Some(Stop::Bounds)
    } else {
        None
    };
    let rationale = reply.rationale.unwrap_or_else(|| rationale(is_answered, open.len()));
    let rationale = cut(rationale.trim(), RATIONALE_CHARACTERS);
    PassSufficiencyEvaluated { sufficient, critical_gaps, could_change_conclusion, rationale, stop }
}

/// What stands in for a judge. Of a root that is answered nothing that is open is critical.
fn by_rule(root: Option<&Sufficiency>, open: &[&str]) -> PassReply {
    let is_answered = root.is_some_and(|root| root.sufficient);
    let gaps = root.map(|root| root.gaps.as_slice()).unwrap_or_default();
    let critical_gaps = match gaps {
        _ if is_answered => Vec::new(),
        [] => open.iter().take(MOST_GAPS).map(|question| (*question).to_owned()).collect(),
        gaps => gaps.to_vec(),
    };
    PassReply {
        sufficient: Some(is_answered),
        could_change_conclusion: Some(!is_answered),
        critical_gaps,
        rationale: None,
    }
}

fn rationale(is_answered: bool, open: usize) -> String {
    let task = if is_answered { "The task is answered" } else { "The task is not answered yet" };
    match open {
        0 => format!("Judged by rule: {task}, and no question is open."),
        1 => format!("Judged by rule: {task}, and one question is open."),
        open => format!("Judged by rule: {task}, and {open} questions are open."),
    }
}
