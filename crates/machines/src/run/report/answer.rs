//! Section 1: what the model wrote, each sentence checked, or what rules choose of the findings.

use super::block::{Block, Inline, Item, line};
use super::checked::Checked;
use super::companion;
use super::draft::Draft;
use super::words::fill;
use super::written::{Part, Written};
use crate::run::Node;
use quarry_events::run::NodeState;
use quarry_evidence::verify::Verdict;
use std::collections::BTreeSet;

/// Writes section 1.
pub fn answer(draft: &mut Draft<'_>, is_over: bool) -> Vec<Block> {
    let words = draft.words;
    let mut blocks = Vec::new();
    if !is_over {
        let says = if draft.facts.has_ended() { words.ended_without } else { words.so_far };
        blocks.push(Block::says(says));
    }
    if let Some(cut) = draft.facts.partial {
        blocks.push(Block::says(words.partial(cut)));
    }
    let written = draft.facts.written.map(Written::read).unwrap_or_default();
    let has_written = !written.parts.is_empty();
    draft.follow_up = written.follow_up;
    let by_model =
        if draft.facts.language_model { checked(draft, &written.parts) } else { Vec::new() };
    let mut note = None;
    if by_model.is_empty() {
        note = by_whom(draft, has_written || is_over);
        blocks.extend(note.take_if(|_| !draft.facts.answers_first).map(Block::says));
        let chosen = by_rule(draft);
        blocks.extend(if chosen.is_empty() { quoted(draft) } else { chosen });
    } else {
        draft.is_by_model = true;
        blocks.extend(by_model);
    }
    blocks.extend(thinly_backed(draft));
    if !draft.left_out.is_empty() {
        let count = draft.left_out.len().to_string();
        blocks.push(Block::says(fill(words.left_out, &[&count])));
    }
    blocks.extend(note.map(|note| Block::says(draft.of_quotations(note))));
    blocks
}

/// That rules chose what stands there, and why: no model is asked, or nothing is left of what one was asked for.
const fn by_whom(draft: &Draft<'_>, was_asked: bool) -> Option<&'static str> {
    let words = draft.words;
    match (draft.facts.language_model, was_asked) {
        (false, _) => Some(words.no_model),
        (true, true) => Some(words.fell_back),
        (true, false) => None,
    }
}

/// What rules choose of the sources; nothing where a model has worded findings, which are quoted then.
fn by_rule(draft: &mut Draft<'_>) -> Vec<Block> {
    if draft.facts.language_model { Vec::new() } else { super::chosen::chosen(draft) }
}

/// How much of this section has neither a source of tier 1 nor two voices of tier 2 behind it.
fn thinly_backed(draft: &Draft<'_>) -> Option<Block> {
    let critical = |claim: &&companion::Claim| claim.critical && !claim.citations.is_empty();
    let cited = || draft.claims.iter().filter(critical);
    let thin = cited().filter(|claim| !claim.well_backed).count();
    let counts = [thin, cited().count()].map(|count| count.to_string());
    (thin > 0).then(|| Block::says(fill(draft.words.thin_answer, &[&counts[0], &counts[1]])))
}

/// What is left of a model's answer after checking; nothing where no sentence of it cites anything.
fn checked(draft: &mut Draft<'_>, parts: &[Part]) -> Vec<Block> {
    let mut checked = Checked::default();
    for part in parts {
        part.sentences.iter().for_each(|sentence| checked.sentence(draft, sentence));
        checked.end_part(part.is_item);
    }
    checked.blocks()
}

/// The lead finding of each resolved question, quoted; where none is resolved, of each that has one.
fn quoted(draft: &mut Draft<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut found = leads(draft, |node| node.state == NodeState::Resolved);
    if found.is_empty() {
        found = leads(draft, |_| true);
        let words = draft.words;
        let is_nothing = found.is_empty();
        blocks.push(Block::says(if is_nothing {
            words.nothing_verified
        } else {
            words.none_resolved
        }));
    }
    let is_one = found.len() == 1;
    let items = found.into_iter().filter_map(|(node, lead)| {
        let mut content = quotation(draft, node, lead)?;
        if !is_one {
            content.splice(0..0, [Inline::Strong(line(&node.question)), Inline::text(" ")]);
        }
        Some(Item { content, below: Vec::new() })
    });
    let items: Vec<Item> = items.collect();
    if !items.is_empty() {
        blocks.push(Block::List(items));
    }
    blocks
}

/// The lead findings of some questions, each once.
fn leads<'a>(draft: &Draft<'a>, is_meant: impl Fn(&Node) -> bool) -> Vec<(&'a Node, usize)> {
    let mut seen = BTreeSet::new();
    let nodes = draft.order.iter().copied().filter(|node| is_meant(node));
    let leads = nodes.filter_map(|node| Some((node, draft.lead(node)?)));
    leads.filter(|(_, lead)| seen.insert(*lead)).collect()
}

/// The first snippet of a finding, with its citation.
fn quotation(draft: &mut Draft<'_>, node: &Node, finding: usize) -> Option<Vec<Inline>> {
    let told = draft.facts.findings.get(finding)?;
    let held = *draft.held.get(finding)?.first()?;
    let quote = line(&told.evidence_snippets.get(held.snippet)?.quote);
    let claim = draft.claim_of(1, told, Some(node));
    let mut citation = draft.citation(&quote, held.place, &quote);
    // What stands there word for word is there, however short or odd it is.
    if citation.verdict.is_some() {
        (citation.verdict, citation.coverage) = (Some(Verdict::Supported), Some(1.0));
        citation.vetoes.clear();
    }
    let is_well_backed = draft.is_well_backed(&[held.place.entry]);
    if let Some(claim) = draft.claims.get_mut(claim) {
        claim.text.clone_from(&quote);
        claim.well_backed = is_well_backed;
    }
    let shown = draft.cite(claim, held.place, citation)?;
    Some(vec![Inline::Quote(quote), Inline::text(" "), shown])
}
