//! The facts of a run, owned, as a machine would have them.

use quarry_events::At;
use quarry_events::run::{
    Citation, ConflictFound, CutShort, EvidenceSnippet, Finding, Role, RunStatus, SummaryMetrics,
};
use quarry_evidence::{Anchor, Confidence, Content, Level, Passage, Source};
use quarry_machines::run::Tree;
use quarry_machines::run::report::{ConfidencePart, ModelUse, ReportFacts, Spoken};
use quarry_machines::run::room::Wishes;
use quarry_types::{ReportStyle, RunId, Timestamp};

/// 2026-11-22, 18:30.
pub const NOW: Timestamp = Timestamp(1_795_372_200_000);

/// What a machine would lend to a report.
#[derive(Debug, Clone)]
pub struct Facts {
    pub task: String,
    pub status: RunStatus,
    pub style: ReportStyle,
    pub tree: Tree,
    pub findings: Vec<Finding>,
    pub citations: Vec<Citation>,
    pub sources: Vec<Source>,
    pub conflicts: Vec<ConflictFound>,
    pub guidance: Vec<String>,
    pub too_late: Vec<String>,
    pub penalties: Vec<String>,
    pub metrics: SummaryMetrics,
    pub partial: Option<CutShort>,
    pub language_model: bool,
    pub written: Option<String>,
    pub score: f64,
    pub models: Vec<ModelUse>,
    pub parts: Vec<ConfidencePart>,
}

impl Facts {
    pub fn new(task: &str) -> Self {
        let part = |name: &str, value, words: &str| ConfidencePart {
            name: name.to_owned(),
            value,
            words: words.to_owned(),
        };
        let used = |role| ModelUse { role, model: "scripted:one".to_owned() };
        Facts {
            task: task.to_owned(),
            status: RunStatus::Completed,
            style: ReportStyle::Technical,
            tree: Tree::new(task),
            findings: Vec::new(),
            citations: Vec::new(),
            sources: Vec::new(),
            conflicts: Vec::new(),
            guidance: Vec::new(),
            too_late: Vec::new(),
            penalties: Vec::new(),
            metrics: SummaryMetrics::default(),
            partial: None,
            language_model: true,
            written: None,
            score: 0.74,
            models: vec![
                used(Role::Plan),
                used(Role::Write),
                ModelUse { role: Role::Read, model: "scripted:two".to_owned() },
            ],
            parts: vec![
                part("verified", 0.75, "three of four findings are verified"),
                part("agreement", 0.5, "one contradiction is open"),
            ],
        }
    }

    pub fn lend(&self) -> ReportFacts<'_> {
        ReportFacts {
            run_id: RunId::new(1_795_370_400_000, 7),
            task: &self.task,
            spoken: Spoken::of(&self.task),
            status: self.status,
            report_style: self.style,
            tree: &self.tree,
            findings: &self.findings,
            citations: &self.citations,
            sources: &self.sources,
            cut: 0,
            conflicts: &self.conflicts,
            guidance: &self.guidance,
            too_late: &self.too_late,
            penalties: &self.penalties,
            models: &self.models,
            metrics: self.metrics,
            checks_unsure: true,
            orders_days: true,
            quotes_agreement: true,
            has_texts: true,
            names_passages: true,
            wishes: Wishes::NewestFirst,
            shortened: 0,
            answers_first: true,
            is_exact: true,
            bills_models_alone: true,
            knows_doubts: true,
            partial: self.partial,
            confidence: Confidence { level: Level::Medium, score: self.score },
            parts: &self.parts,
            language_model: self.language_model,
            started: Timestamp(1_795_370_400_000),
            now: NOW,
            written: self.written.as_deref(),
        }
    }

    /// Adds a source that was read, and lists it.
    pub fn read(&mut self, url: &str, title: &str, date: Option<&str>, tier: u8, texts: &[&str]) {
        let n = self.sources.len() + 1;
        let passages = texts.iter().enumerate().map(|(at, text)| {
            let anchor = Anchor::new(format!("p-{n}-{at}"));
            Passage::new(anchor, Vec::new(), (*text).to_owned(), &format!("{url}#p-{at}"))
        });
        let found = quarry_evidence::Finding {
            url: url.to_owned(),
            title: Some(title.to_owned()),
            date: date.map(str::to_owned),
            query: None,
            description: "What the search said.".to_owned(),
            signals: Vec::new(),
            content: Content::new("", passages.collect()),
        };
        self.sources.push(Source::new(n, found));
        self.citations.push(Citation {
            citation_id: format!("c{n}"),
            url: url.to_owned(),
            title: title.to_owned(),
            source_type: "article".to_owned(),
            retrieved_at: At(Timestamp(1_795_371_000_000)),
            published: date.map(str::to_owned),
            quality_tier: tier,
            tier_reason: "by its host".to_owned(),
            relevance_score: 0.8,
            voice: quarry_evidence::voice(url),
            duplicate_of: None,
        });
    }

    /// Adds a finding that quotes passages by their short names.
    pub fn find(&mut self, claim: &str, quotes: &[(&str, &str, &str)]) -> usize {
        let snippets = quotes.iter().map(|(citation_id, passage, quote)| EvidenceSnippet {
            citation_id: (*citation_id).to_owned(),
            quote: (*quote).to_owned(),
            passage: Some((*passage).to_owned()),
        });
        self.findings.push(Finding {
            finding_id: format!("f{}", self.findings.len() + 1),
            claim: claim.to_owned(),
            evidence_snippets: snippets.collect(),
            citation_ids: quotes.iter().map(|(id, ..)| (*id).to_owned()).collect(),
            confidence: 0.8,
            uncertainties: Vec::new(),
            verified: true,
        });
        self.findings.len() - 1
    }
}
