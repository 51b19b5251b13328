//! Section 1: what the model wrote, each sentence checked, or what rules choose of the findings.

use super::block::{Block, Inline, Item, line};
use super::catalogue::Place;
use super::companion::{self, ClaimCitation};
use super::draft::Draft;
use super::words::fill;
use super::written::{Part, Written};
use crate::run::Node;
use quarry_events::run::NodeState;
use quarry_evidence::cite::{Answer, Out, Proof, VerifiedCitation};
use quarry_evidence::verify::{Claim, Verdict};
use std::collections::BTreeSet;

/// Sentences that are checked: more than anybody reads. What follows is unverified.
const MOST_SENTENCES: usize = 400;

/// Writes section 1.
pub fn answer(draft: &mut Draft<'_>, is_over: bool) -> Vec<Block> {
    let words = draft.words;
    let mut blocks = Vec::new();
    if !is_over {
        blocks.push(Block::says(words.so_far));
    }
    if let Some(cut) = draft.facts.partial {
        blocks.push(Block::says(words.partial(cut)));
    }
    let written = draft.facts.written.map(Written::read).unwrap_or_default();
    let has_written = !written.parts.is_empty();
    draft.follow_up = written.follow_up;
    let by_model =
        if draft.facts.language_model { checked(draft, &written.parts) } else { Vec::new() };
    if by_model.is_empty() {
        if !draft.facts.language_model {
            blocks.push(Block::says(words.no_model));
        } else if has_written || is_over {
            blocks.push(Block::says(words.fell_back));
        }
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
    blocks
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
    let mut blocks: Vec<Block> = Vec::new();
    let mut left = MOST_SENTENCES;
    let cited_before = draft.marks.len();
    for part in parts {
        let mut answer = Answer::default();
        let mut content: Vec<Inline> = Vec::new();
        for sentence in &part.sentences {
            let sentence = line(sentence);
            if left == 0 {
                draft.left_out.push(without_marks(&sentence));
                continue;
            }
            left -= 1;
            let shown = self::sentence(draft, &mut answer, &sentence);
            if !content.is_empty() && !shown.is_empty() {
                content.push(Inline::text(" "));
            }
            content.extend(shown);
        }
        match (part.is_item, blocks.last_mut()) {
            _ if content.is_empty() => {}
            (true, Some(Block::List(items))) => items.push(Item { content, below: Vec::new() }),
            (true, _) => blocks.push(Block::List(vec![Item { content, below: Vec::new() }])),
            (false, _) => blocks.push(Block::Paragraph(content)),
        }
    }
    if draft.marks.len() == cited_before { Vec::new() } else { blocks }
}

/// A sentence as it is shown; nothing where it is left out.
fn sentence(draft: &mut Draft<'_>, answer: &mut Answer, sentence: &str) -> Vec<Inline> {
    let (out, proof) = answer.sentence(sentence, draft.catalogue.known());
    let text: Vec<char> = out
        .iter()
        .filter_map(|out| match out {
            Out::Text(text) => Some(text.chars()),
            Out::Citation(_) => None,
        })
        .flatten()
        .collect();
    if !holds(&proof) || (proof.citations.is_empty() && states(sentence)) {
        // As it was written: what stands in it instead of its markers is ours.
        draft.left_out.push(without_marks(&unmarked(sentence)));
        return Vec::new();
    }
    if proof.citations.is_empty() {
        return strong(&text.iter().collect::<String>());
    }
    let claim =
        draft.claim(1, &proof.citations.first().map(|it| it.claim.clone()).unwrap_or_default());
    let mut content = Vec::new();
    let mut passed = 0;
    let mut sources = Vec::new();
    for citation in &proof.citations {
        let Some(place) = draft.catalogue.by_passage(&citation.id) else { continue };
        let before = text.get(passed..citation.start).unwrap_or_default();
        content.extend(strong(&before.iter().collect::<String>()));
        passed = citation.end;
        sources.push(place.entry);
        let told = told(draft, citation, place);
        content.extend(draft.cite(claim, place, told));
    }
    let rest = text.get(passed..).unwrap_or_default();
    content.extend(strong(&rest.iter().collect::<String>()));
    let is_well_backed = draft.is_well_backed(&sources);
    if let Some(claim) = draft.claims.get_mut(claim) {
        claim.well_backed = is_well_backed;
    }
    content
}

/// Whether a sentence may stand in the answer: all that it cites was found, and it cites something or states
/// nothing.
fn holds(proof: &Proof) -> bool {
    let is_found =
        |citation: &VerifiedCitation| citation.n.is_some() && citation.verdict != Verdict::NotFound;
    let cites = !proof.citations.is_empty();
    proof.citations.iter().all(is_found)
        && proof.uncited == 0
        && proof.unchecked == 0
        && (cites || proof.unknown_count == 0)
}

/// Whether a sentence that cites nothing states something all the same, though it is too short to be looked for
/// or ends as what states nothing: it has a figure, or a name and is neither a question nor the head of a list.
fn states(sentence: &str) -> bool {
    let claim = Claim::new(sentence);
    let has_figure = !claim.figures.quantities.is_empty() || !claim.figures.dates.is_empty();
    let is_open = sentence.trim_end().trim_end_matches(['*', '_']).ends_with(['?', '？', ':']);
    has_figure || (!is_open && claim.words.iter().any(|word| word.is_name))
}

fn told(draft: &Draft<'_>, citation: &VerifiedCitation, place: Place) -> ClaimCitation {
    let entry = draft.catalogue.entry(place.entry);
    let run = entry.and_then(|entry| entry.citation).and_then(|at| draft.facts.citations.get(at));
    ClaimCitation {
        n: None,
        citation_id: run.map(|run| run.citation_id.clone()),
        url: draft.catalogue.address(place).unwrap_or_default(),
        title: entry.map(|entry| entry.title.clone()).unwrap_or_default(),
        passage_id: Some(citation.id.clone()),
        passage: citation.passage.clone(),
        quote: citation.quote.clone(),
        verdict: Some(citation.verdict),
        coverage: Some(citation.coverage),
        vetoes: citation.vetoes.clone(),
        moved: citation.moved,
        added: citation.added,
        start: None,
        end: None,
    }
}

/// Words between double asterisks stand out.
fn strong(text: &str) -> Vec<Inline> {
    let parts: Vec<&str> = text.split("**").collect();
    let is_paired = parts.len() % 2 == 1;
    let shown = parts.into_iter().enumerate().filter(|(_, part)| !part.is_empty());
    shown
        .map(|(at, part)| match is_paired && at % 2 == 1 {
            true => Inline::Strong(part.to_owned()),
            false => Inline::text(part),
        })
        .collect()
}

/// A sentence without the markers that models write.
fn unmarked(sentence: &str) -> String {
    let mut out = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some(at) = rest.find(['[', '【', '［']) {
        let (before, marker) = rest.split_at(at);
        match super::written::marker(marker) {
            Some(end) => {
                out.push_str(before.trim_end());
                rest = marker.get(end..).unwrap_or_default();
            }
            None => {
                let next = marker.chars().next().map_or(0, char::len_utf8);
                out.push_str(before);
                out.push_str(marker.get(..next).unwrap_or_default());
                rest = marker.get(next..).unwrap_or_default();
            }
        }
    }
    out + rest
}

fn without_marks(sentence: &str) -> String {
    unmarked(sentence).replace("**", "")
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
