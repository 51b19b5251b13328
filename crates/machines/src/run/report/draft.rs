//! A report that is being written: what its sections share.

use super::ReportFacts;
use super::block::{Inline, line, line_of};
use super::catalogue::{Catalogue, MOST_QUOTE, Place};
use super::companion::{Claim, ClaimCitation};
use super::facts::finite;
use super::words::{Words, head};
use crate::run::{Node, NodeId};
use quarry_events::run::{Finding, NodeState};
use quarry_evidence::verify::{self, Verdict, squeezed};
use quarry_types::order::Gather;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// Claims that are checked against their passages: far more than a run has. Whatever it has, it ends.
const MOST_CHECKS: usize = 2_000;

/// A report that is being written.
#[derive(Debug)]
pub struct Draft<'a> {
    /// What it is made of.
    pub facts: &'a ReportFacts<'a>,
    /// Its fixed words.
    pub words: &'static Words,
    /// Its sources.
    pub catalogue: Catalogue,
    /// By finding: where its snippets stand.
    pub held: Vec<Vec<Held>>,
    /// The nodes, each before its parts.
    pub order: Vec<&'a Node>,
    /// What it claims.
    pub claims: Vec<Claim>,
    /// By mark: the claim and the citation.
    pub marks: Vec<(usize, usize)>,
    /// Whether a model wrote section 1.
    pub is_by_model: bool,
    /// What the model wrote and nothing supports.
    pub left_out: Vec<String>,
    /// What the model suggests to ask next.
    pub follow_up: Vec<String>,
    /// Words of the task that no source has.
    pub unmentioned: Vec<String>,
    /// Parts of the task that no source answers, where rules look for answers.
    pub unsaid: Vec<String>,
    /// What section 7 says that the report cannot say.
    pub limitations: Vec<String>,
    checks: usize,
    /// The open questions, as they are compared: every gap is held against all of them.
    asked: OnceCell<BTreeSet<String>>,
}

/// A snippet of a finding that stands in its source.
#[derive(Debug, Clone, Copy)]
pub struct Held {
    /// Which of the finding's.
    pub snippet: usize,
    /// Where it stands.
    pub place: Place,
}

impl<'a> Draft<'a> {
    /// Nothing written yet.
    pub fn new(facts: &'a ReportFacts<'a>, words: &'static Words) -> Self {
        let catalogue = Catalogue::new(facts);
        let held = facts.findings.iter().map(|finding| held(finding, &catalogue)).collect();
        Draft { held, order: order(facts), ..Draft::of(facts, words, catalogue) }
    }

    /// The same of sources alone: it knows neither findings nor nodes.
    pub fn of(facts: &'a ReportFacts<'a>, words: &'static Words, catalogue: Catalogue) -> Self {
        Draft {
            facts,
            words,
            catalogue,
            held: Vec::new(),
            order: Vec::new(),
            claims: Vec::new(),
            marks: Vec::new(),
            is_by_model: false,
            left_out: Vec::new(),
            follow_up: Vec::new(),
            unmentioned: Vec::new(),
            unsaid: Vec::new(),
            limitations: Vec::new(),
            checks: 0,
            asked: OnceCell::new(),
        }
    }

    /// The finding at this place, if it is verified and what it rests on stands in its sources.
    pub fn verified(&self, finding: usize) -> Option<&'a Finding> {
        let held = self.held.get(finding).is_some_and(|held| !held.is_empty());
        self.facts.findings.get(finding).filter(|finding| held && finding.verified)
    }

    /// The nodes that are not resolved.
    pub fn open(&self) -> impl Iterator<Item = &'a Node> + use<'a> {
        let order = self.order.clone().into_iter();
        order.filter(|node| node.state != NodeState::Resolved)
    }

    /// Whether this is an open question itself.
    pub fn is_asked(&self, gap: &str) -> bool {
        let asked = || self.open().map(|node| squeezed(&node.question)).gather();
        self.asked.get_or_init(asked).contains(&squeezed(gap))
    }

    /// A sentence that speaks of quotations behind its colon: without that, where nothing is cited so far. Reports of runs
    /// of before spoke of them all the same.
    pub fn of_quotations(&self, sentence: &str) -> String {
        let has_any = self.claims.iter().any(|claim| !claim.citations.is_empty());
        if has_any || !self.facts.is_exact { sentence.to_owned() } else { head(sentence) }
    }

    /// The first verified finding of a node.
    pub fn lead(&self, node: &Node) -> Option<usize> {
        node.findings.iter().copied().find(|at| self.verified(*at).is_some())
    }

    /// Whether a source of tier 1, or two independent ones of tier 2, are among these.
    pub fn is_well_backed(&self, sources: &[usize]) -> bool {
        let voices = self.catalogue.voices(self.facts, sources);
        voices.contains_key(&1) || voices.get(&2).is_some_and(|voices| voices.len() > 1)
    }

    /// Adds a claim; returns its place.
    pub fn claim(&mut self, section: u32, text: &str) -> usize {
        self.claims.push(Claim {
            claim_id: format!("k{}", self.claims.len() + 1),
            section,
            text: line(text),
            verified: section != 6,
            finding_id: None,
            node_id: None,
            critical: section == 1,
            well_backed: false,
            confidence: None,
            uncertainties: Vec::new(),
            citations: Vec::new(),
        });
        self.claims.len() - 1
    }

    /// Adds a claim that a finding makes; returns its place.
    pub fn claim_of(&mut self, section: u32, finding: &Finding, node: Option<&Node>) -> usize {
        let at = self.claim(section, &finding.claim);
        if let Some(claim) = self.claims.get_mut(at) {
            claim.finding_id = Some(finding.finding_id.clone());
            claim.node_id = node.map(|node| node.id.to_string());
            claim.confidence = Some(finite(finding.confidence));
            claim.uncertainties = finding.uncertainties.clone();
        }
        at
    }

    /// Cites a place for a claim: the number as it is shown.
    pub fn cite(&mut self, claim: usize, place: Place, citation: ClaimCitation) -> Option<Inline> {
        let mark = self.marks.len();
        let shown = self.catalogue.cite(place, &citation.quote, Some(mark))?;
        let Inline::Cite { n, .. } = &shown else { return None };
        let claim_at = self.claims.get_mut(claim)?;
        self.marks.push((claim, claim_at.citations.len()));
        claim_at.citations.push(ClaimCitation { n: Some(*n), ..citation });
        Some(shown)
    }

    /// What is told of a place that has this quotation; the claim is checked against it.
    pub fn citation(&mut self, claim: &str, place: Place, quote: &str) -> ClaimCitation {
        let known = self.catalogue.known();
        self.checks += 1;
        let may_check = self.checks <= MOST_CHECKS;
        let check = place
            .passage
            .filter(|_| may_check)
            .and_then(|passage| known.index().check(&verify::Claim::new(&line(claim)), passage));
        let passage = place.passage.and_then(|at| known.passage(at));
        let entry = self.catalogue.entry(place.entry);
        let run = entry.and_then(|entry| entry.citation);
        let run = run.and_then(|at| self.facts.citations.get(at));
        ClaimCitation {
            n: None,
            citation_id: run.map(|citation| citation.citation_id.clone()),
            url: self.catalogue.address(place).unwrap_or_default(),
            title: entry.map(|entry| entry.title.clone()).unwrap_or_default(),
            passage_id: passage.map(|passage| passage.id.to_string()),
            passage: passage.and_then(|it| it.anchor.as_ref()).map(ToString::to_string),
            quote: line_of(quote, MOST_QUOTE),
            verdict: check.as_ref().map(|check| check.verdict),
            coverage: check.as_ref().map(|check| (check.coverage * 1_000.0).round() / 1_000.0),
            vetoes: check.map(|check| check.vetoes.into_iter().collect()).unwrap_or_default(),
            moved: false,
            added: false,
            start: None,
            end: None,
        }
    }

    /// Cites what a finding rests on, each source once, for a claim; says whether the check found the claim there
    /// in full.
    pub fn cite_finding(&mut self, claim: usize, finding: usize) -> (Vec<Inline>, bool) {
        let Some(told) = self.facts.findings.get(finding) else { return (Vec::new(), false) };
        let mut out = Vec::new();
        let mut best = Verdict::NotFound;
        let mut is_checked = false;
        let mut seen = BTreeSet::new();
        for held in self.held.get(finding).cloned().unwrap_or_default() {
            let Some(snippet) = told.evidence_snippets.get(held.snippet) else { continue };
            let citation = self.citation(&told.claim, held.place, &snippet.quote);
            is_checked |= citation.verdict.is_some();
            best = best.max(citation.verdict.unwrap_or_default());
            if !seen.insert((held.place.entry, held.place.passage)) {
                self.catalogue.quoted(held.place.entry, &snippet.quote);
                continue;
            }
            if let Some(shown) = self.cite(claim, held.place, citation) {
                out.push(Inline::text(" "));
                out.push(shown);
            }
        }
        (out, !is_checked || best == Verdict::Supported)
    }

    /// The sources that a finding rests on.
    pub fn sources_of(&self, finding: usize) -> Vec<usize> {
        let held = self.held.get(finding).map_or(&[][..], Vec::as_slice);
        held.iter().map(|held| held.place.entry).collect()
    }
}

fn held(finding: &Finding, catalogue: &Catalogue) -> Vec<Held> {
    let snippets = finding.evidence_snippets.iter().enumerate();
    let found = snippets.filter_map(|(at, snippet)| {
        let passage = snippet.passage.as_deref();
        let place = catalogue.locate(&snippet.citation_id, passage, &snippet.quote)?;
        Some(Held { snippet: at, place })
    });
    found.collect()
}

/// The nodes, each before its parts, and parts in their order. What the root does not lead to follows.
fn order<'a>(facts: &ReportFacts<'a>) -> Vec<&'a Node> {
    let tree = facts.tree;
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let others = tree.nodes().iter().rev().map(|node| node.id);
    let mut next: Vec<NodeId> = others.chain([NodeId::ROOT]).collect();
    while let Some(id) = next.pop() {
        if let Some(node) = tree.get(id).filter(|_| seen.insert(id)) {
            found.push(node);
            next.extend(node.children.iter().rev());
        }
    }
    found
}
