//! What a report is made of: plain data, whoever has it.

use super::words::Spoken;
use crate::run::Tree;
use crate::run::room::Wishes;
use quarry_events::run::{
    Citation, ConflictFound, CutShort, Finding, Role, RunStatus, SummaryMetrics,
};
use quarry_evidence::{Confidence, Source};
use quarry_types::{ReportStyle, RunId, Timestamp};

/// What a report is made of.
#[derive(Debug, Clone, Copy)]
pub struct ReportFacts<'a> {
    /// Of which run.
    pub run_id: RunId,
    /// What was to be found out.
    pub task: &'a str,
    /// Where the run stands.
    pub status: RunStatus,
    /// The language of the task.
    pub spoken: Spoken,
    /// How the report is written.
    pub report_style: ReportStyle,
    /// The questions.
    pub tree: &'a Tree,
    /// The findings, as the tree counts them.
    pub findings: &'a [Finding],
    /// The sources, as the run lists them.
    pub citations: &'a [Citation],
    /// What was read of them. An equal list named the passages that the model was shown.
    pub sources: &'a [Source],
    /// Of how many of them a part was read and is not kept.
    pub cut: usize,
    /// Who contradicts whom.
    pub conflicts: &'a [ConflictFound],
    /// What people said on the way.
    pub guidance: &'a [String],
    /// What they said while it was written, which is not in it.
    pub too_late: &'a [String],
    /// What was down and what stood in for it, a sentence each.
    pub penalties: &'a [String],
    /// Which model did what: those that a step took a reply of.
    pub models: &'a [ModelUse],
    /// What the run did and used.
    pub metrics: SummaryMetrics,
    /// Whether what findings are unsure of is checked. Runs of before did not, as their journals say.
    pub checks_unsure: bool,
    /// Whether the newest date is told by days, however they are written. Runs of before told it by their letters.
    pub orders_days: bool,
    /// Whether who agrees with an answer is quoted. Runs of before named them.
    pub quotes_agreement: bool,
    /// Whether what is for machines has the text of each section. That of runs of before had their titles.
    pub has_texts: bool,
    /// Whether the prompt names the passages of findings as it names them itself. That of runs of before had the names of
    /// another list.
    pub names_passages: bool,
    /// Whether doubts of the rules' own are told as theirs. In runs of before they were checked as a model's.
    pub knows_doubts: bool,
    /// Which of what people said has room in a prompt.
    pub wishes: Wishes,
    /// How much of it was too long for a model.
    pub shortened: usize,
    /// Whether what rules chose stands before the note that they did. In runs of before it stood behind.
    pub answers_first: bool,
    /// Whether a quotation is listed once whatever sign ends it, and what quotes nothing speaks of no quotations. Runs of
    /// before did neither.
    pub is_exact: bool,
    /// Whether tokens and cost are told of models alone. Runs of before told none of rules, to the fourth decimal.
    pub bills_models_alone: bool,
    /// Why research was cut short, where it was.
    pub partial: Option<CutShort>,
    /// How far the report can be relied on.
    pub confidence: Confidence,
    /// What that is made of.
    pub parts: &'a [ConfidencePart],
    /// False when `local:extractive` did it all.
    pub language_model: bool,
    /// When the run was begun.
    pub started: Timestamp,
    /// When the report is written.
    pub now: Timestamp,
    /// What the model replied that was asked to write; none: nobody was asked, or nobody replied.
    pub written: Option<&'a str>,
}

impl ReportFacts<'_> {
    /// Whether it was aborted or failed: nothing is to come.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        matches!(self.status, RunStatus::Aborted | RunStatus::Failed)
    }
}

/// A model, and what it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelUse {
    /// What for.
    pub role: Role,
    /// `provider:name`.
    pub model: String,
}

/// A part of confidence.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfidencePart {
    /// Its name, in a word or two.
    pub name: String,
    /// What it came to.
    pub value: f64,
    /// What that says, in a few words.
    pub words: String,
}

/// A number that JSON can hold.
pub(super) const fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}
