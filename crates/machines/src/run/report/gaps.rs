//! Sections 6 and 8: what is open, what could not be verified, and what may be asked next.

use super::block::{Block, Inline, Item, line, line_of};
use super::companion::{Claim, NodeSufficiency, Unresolved};
use super::draft::Draft;
use super::facts::finite;
use super::words::fill;
use crate::run::Node;
use quarry_events::run::{NodeState, Sufficiency};
use quarry_types::order::Gather;
use std::collections::{BTreeMap, BTreeSet};

/// What is listed of each kind.
const MOST: usize = 100;
/// Questions that are suggested, and characters of what they ask about.
const MOST_QUESTIONS: usize = 6;
const MOST_CONFIRMED: usize = 2;
const MOST_ASKED: usize = 200;

/// Writes section 6.
pub fn gaps(draft: &mut Draft<'_>) -> Vec<Block> {
    let words = draft.words;
    let mut open: Vec<Item> = draft.open().map(|node| item(draft, node)).collect();
    open.extend(unsaid(draft));
    let unverified = unverified(draft);
    let left_out: Vec<Item> = draft
        .left_out
        .clone()
        .into_iter()
        .map(|text| {
            draft.claim(6, &text);
            marked(draft, &text)
        })
        .collect();
    let mut blocks = Vec::new();
    for (heading, mut items) in [
        (words.open_questions, open),
        (words.not_verified, unverified),
        (words.left_out_sentences, left_out),
    ] {
        if items.is_empty() {
            continue;
        }
        if items.len() > MOST {
            let more = (items.len() - MOST).to_string();
            items.truncate(MOST);
            items.push(Item::says(fill(words.more, &[&more])));
        }
        blocks.extend([Block::Heading(heading.to_owned()), Block::List(items)]);
    }
    if blocks.is_empty() {
        blocks.push(Block::says(words.no_gap));
    }
    blocks
}

fn item(draft: &Draft<'_>, node: &Node) -> Item {
    let words = draft.words;
    let why = match (node.state, node.resolution_reason) {
        (NodeState::Running, _) => words.under_way,
        (NodeState::Unresolved, Some(reason)) => words.why_open(reason),
        _ => words.not_taken_up,
    };
    let mut below: Vec<String> =
        gaps_of(draft, node).map(|gap| fill(words.missing, &[&line(gap)])).collect();
    let judged = node.sufficiency.as_ref().filter(|_| draft.lead(node).is_some());
    if let Some(scores) = judged.map(|it| &it.scores) {
        let scores = [scores.coverage, scores.quality, scores.contradiction_handling];
        let [coverage, quality, handling] = scores.map(|score| words.number(score, 2));
        below.push(fill(words.judged, &[&coverage, &quality, &handling]));
    }
    Item {
        content: vec![Inline::text(format!("{} — {why}", line(&node.question)))],
        below: below.into_iter().map(|text| vec![Inline::text(text)]).collect(),
    }
}

/// Parts of the task that no source answers, though what was looked for was found.
fn unsaid(draft: &Draft<'_>) -> Vec<Item> {
    let unsaid = draft.unsaid.iter().filter(|question| !draft.is_asked(question));
    let says = |question: &String| format!("{} — {}", line(question), draft.words.nobody_says);
    unsaid.map(|question| Item::says(says(question))).collect()
}

/// What a node lacks, but for what is listed as an open question itself.
fn gaps_of<'a>(draft: &'a Draft<'_>, node: &'a Node) -> impl Iterator<Item = &'a String> {
    let gaps = node.sufficiency.as_ref().map_or(&[][..], |it| &it.gaps);
    gaps.iter().filter(|gap| !draft.is_asked(gap))
}

fn unverified(draft: &mut Draft<'_>) -> Vec<Item> {
    let nodes = draft.order.iter().rev();
    let of_node = nodes.flat_map(|node| node.findings.iter().map(move |at| (*at, *node)));
    let of_node: BTreeMap<usize, &Node> = of_node.gather();
    let mut items = Vec::new();
    let all = draft.facts.findings.iter().enumerate();
    let vouched: BTreeSet<&str> = all
        .filter(|(at, _)| draft.verified(*at).is_some())
        .map(|(_, finding)| finding.claim.as_str())
        .gather();
    for (at, finding) in draft.facts.findings.iter().enumerate() {
        if draft.verified(at).is_none() && !vouched.contains(finding.claim.as_str()) {
            draft.claim_of(6, finding, of_node.get(&at).copied());
            items.push(marked(draft, &finding.claim));
        }
    }
    items
}

/// A statement that nothing vouches for.
fn marked(draft: &Draft<'_>, text: &str) -> Item {
    let unverified = Inline::Quiet(draft.words.unverified.to_owned());
    Item {
        content: vec![Inline::text(line(text)), Inline::text(" "), unverified],
        below: Vec::new(),
    }
}

/// What the model suggests to ask next, or what follows from gaps and open conflicts.
pub fn follow_up(draft: &Draft<'_>) -> Vec<String> {
    if draft.is_by_model && !draft.follow_up.is_empty() {
        return draft.follow_up.clone();
    }
    let words = draft.words;
    let plain = |text: &str| line_of(text.trim().trim_end_matches(['.', ':', ';']), MOST_ASKED);
    let of_gap = |gap: &String| {
        let gap = plain(gap);
        if gap.ends_with(['?', '？']) { gap } else { fill(words.ask_gap, &[&gap]) }
    };
    let mut found: Vec<String> = Vec::new();
    for node in draft.open() {
        found.extend(gaps_of(draft, node).filter(|gap| !gap.trim().is_empty()).map(of_gap));
        // Who asks the task again asks nothing new.
        if node.parent.is_some() && node.children.is_empty() {
            found.push(plain(&node.question));
        }
    }
    let unsettled = draft.facts.conflicts.iter().filter(|it| it.is_open());
    found.extend(unsettled.map(|it| {
        let sides = [&it.conflict.one, &it.conflict.other].map(|side| plain(&side.quote));
        fill(words.ask_conflict, &[&sides[0], &sides[1]])
    }));
    let is_thin = |it: &&Claim| it.section == 1 && it.critical && !it.well_backed;
    let thin = draft.claims.iter().filter(is_thin);
    let thin = thin.filter(|it| !it.citations.is_empty()).take(MOST_CONFIRMED);
    found.extend(thin.map(|it| fill(words.ask_confirm, &[&plain(&it.text)])));
    if found.is_empty() && !draft.unmentioned.is_empty() {
        found.push(of_gap(&draft.unmentioned.join(", ")));
    }
    let mut asked: Vec<String> = Vec::new();
    for question in found {
        if asked.len() < MOST_QUESTIONS && !question.is_empty() && !asked.contains(&question) {
            asked.push(question);
        }
    }
    asked
}

/// Writes section 8.
pub fn suggested(draft: &Draft<'_>, questions: &[String]) -> Vec<Block> {
    if questions.is_empty() {
        return vec![Block::says(draft.words.no_follow_up)];
    }
    vec![Block::List(questions.iter().map(Item::says).collect())]
}

/// The open questions for machines.
pub fn unresolved(draft: &Draft<'_>) -> Vec<Unresolved> {
    let open = draft.open().map(|node| Unresolved {
        node_id: node.id.to_string(),
        question: node.question.clone(),
        state: node.state,
        reason: node.resolution_reason,
        gaps: node.sufficiency.as_ref().map(|it| it.gaps.clone()).unwrap_or_default(),
    });
    open.collect()
}

/// All questions for machines.
pub fn nodes(draft: &Draft<'_>) -> Vec<NodeSufficiency> {
    let nodes = draft.order.iter().map(|node| NodeSufficiency {
        node_id: node.id.to_string(),
        parent_id: node.parent.map(|parent| parent.to_string()),
        depth: node.depth,
        question: node.question.clone(),
        state: node.state,
        resolution_reason: node.resolution_reason,
        sufficiency: node.sufficiency.as_ref().map(written),
    });
    nodes.collect()
}

/// Scores as JSON can hold them.
fn written(told: &Sufficiency) -> Sufficiency {
    let mut told = told.clone();
    told.score = finite(told.score);
    told.scores.coverage = finite(told.scores.coverage);
    told.scores.quality = finite(told.scores.quality);
    told.scores.contradiction_handling = finite(told.scores.contradiction_handling);
    told.scores.recency = told.scores.recency.map(finite);
    told
}
