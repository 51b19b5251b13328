//! Section 3: what was found and verified, by question.

use super::block::{Block, Inline, Item, line};
use super::companion::Claim;
use super::draft::Draft;
use super::words::fill;
use crate::run::Node;
use quarry_events::run::NodeState;
use quarry_types::ReportStyle;
use quarry_types::order::Gather;
use std::collections::BTreeSet;

/// Writes section 3. Section 1 is written by now.
pub fn findings(draft: &mut Draft<'_>) -> Vec<Block> {
    let critical = critical(draft);
    let mut seen = BTreeSet::new();
    let mut blocks = Vec::new();
    for node in draft.order.clone() {
        let own: Vec<usize> = node.findings.iter().copied().filter(|at| seen.insert(*at)).collect();
        list(draft, &line(&node.question), Some(node), &own, &critical, &mut blocks);
    }
    let others: Vec<usize> =
        (0..draft.facts.findings.len()).filter(|at| !seen.contains(at)).collect();
    list(draft, draft.words.other_findings, None, &others, &critical, &mut blocks);
    if blocks.is_empty() {
        blocks.push(Block::says(draft.words.no_finding));
    }
    let is_thin = |it: &Claim| it.section == 3 && it.critical && !it.well_backed;
    if draft.claims.iter().any(is_thin) {
        blocks.push(Block::Paragraph(vec![Inline::Quiet(draft.words.thin_means.to_owned())]));
    }
    blocks
}

/// The findings that the answer rests on: the lead of each resolved question, and those that share a passage with
/// what section 1 cites.
fn critical(draft: &Draft<'_>) -> BTreeSet<usize> {
    let resolved = draft.order.iter().filter(|node| node.state == NodeState::Resolved);
    let mut found: BTreeSet<usize> = resolved.filter_map(|node| draft.lead(node)).gather();
    let cited = draft.claims.iter().flat_map(|claim| &claim.citations);
    let cited: BTreeSet<&str> = cited.filter_map(|it| it.passage_id.as_deref()).gather();
    let passages = draft.catalogue.known().passages();
    for (at, held) in draft.held.iter().enumerate() {
        let mut places = held.iter().filter_map(|held| passages.get(held.place.passage?));
        if places.any(|passage| cited.contains(passage.id.to_string().as_str())) {
            found.insert(at);
        }
    }
    found
}

fn list(
    draft: &mut Draft<'_>,
    heading: &str,
    node: Option<&Node>,
    findings: &[usize],
    critical: &BTreeSet<usize>,
    blocks: &mut Vec<Block>,
) {
    let items: Vec<Item> =
        findings.iter().filter_map(|at| item(draft, *at, node, critical.contains(at))).collect();
    if !items.is_empty() {
        blocks.extend([Block::Heading(heading.to_owned()), Block::List(items)]);
    }
}

fn item(draft: &mut Draft<'_>, at: usize, node: Option<&Node>, is_critical: bool) -> Option<Item> {
    let finding = draft.verified(at)?;
    let is_well_backed = draft.is_well_backed(&draft.sources_of(at));
    let claim = draft.claim_of(3, finding, node);
    if let Some(claim) = draft.claims.get_mut(claim) {
        claim.critical = is_critical;
        claim.well_backed = is_well_backed;
    }
    let mut content = vec![Inline::text(line(&finding.claim))];
    let (cited, is_found) = draft.cite_finding(claim, at);
    content.extend(cited);
    let mut remarks = Vec::new();
    if draft.facts.report_style == ReportStyle::Technical {
        let trust = draft.words.number(finding.confidence, 2);
        remarks.push(fill(draft.words.trust, &[&trust]));
    }
    if is_critical && !is_well_backed {
        remarks.push(draft.words.thin.to_owned());
    }
    if !is_found {
        remarks.push(draft.words.in_part.to_owned());
    }
    if !remarks.is_empty() {
        content.push(Inline::text(" "));
        content.push(Inline::Quiet(format!("({})", remarks.join("; "))));
    }
    Some(Item { content, below: Vec::new() })
}
