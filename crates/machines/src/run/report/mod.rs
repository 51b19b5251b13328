//! The report of a run: eight sections, the same for machines, and one page to look at.
//!
//! Border: [`ReportFacts`] in, a [`Report`] out; pure, and the same for the same facts. A file a section; whoever
//! writes Markdown or HTML knows no section. Invariants: always all eight sections; each number stands for one
//! source, and section 4 lists those and no others by number; what could not be verified stands in section 6
//! alone. Source: the reference's section 10, and the contract of runs.

mod address;
mod answer;
mod beginning;
mod block;
mod catalogue;
mod checked;
mod chosen;
pub mod companion;
mod conflicts;
mod draft;
mod evidence;
mod facts;
mod findings;
mod gaps;
mod html;
mod limits;
mod markdown;
mod method;
mod prompt;
mod words;
mod written;

pub use beginning::Beginning;
pub use companion::Companion;
#[cfg(feature = "schema")]
pub use companion::schema;
pub use facts::{ConfidencePart, ModelUse, ReportFacts};
pub use prompt::prompt;
pub use words::{Language, Spoken};

use block::{Block, line, line_of};
use companion::{Part, ReportConfidence, ReportSection};
use draft::Draft;
use facts::finite;
use markdown::Writer;
use quarry_events::At;
use quarry_events::run::ReportDelta;
use quarry_evidence::Confidence;

/// Characters of the task in the title; the companion has all of it.
const MOST_TITLE: usize = 300;

/// The report of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The eight sections, in order.
    pub sections: Vec<Section>,
    /// All of it in Markdown.
    pub markdown: String,
    /// All of it as one HTML page.
    pub html: String,
    /// All of it for machines.
    pub companion: Companion,
    /// By section: its Markdown piece by piece.
    pieces: Vec<Vec<String>>,
}

/// A section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// 1 to 8.
    pub number: u32,
    /// In the language of the task.
    pub title: String,
    /// In Markdown, without its title. Places of citations count its code points.
    pub markdown: String,
}

/// The report of a run that is over.
#[must_use]
pub fn report(facts: &ReportFacts<'_>) -> Report {
    build(facts, true)
}

/// What can be said of a run that is not over.
#[must_use]
pub fn partial(facts: &ReportFacts<'_>) -> Report {
    build(facts, false)
}

/// The report in Markdown, piece by piece, behind what was told of it before. Where it does not begin with that, it
/// begins anew: so what was told, from there on where it does, is [`Report::markdown`].
#[must_use]
pub fn deltas(report: &Report, told: &str) -> Vec<ReportDelta> {
    let mut anew = !report.markdown.starts_with(told);
    let mut passed = if anew { 0 } else { told.len() };
    let mut deltas = Vec::new();
    for (section, pieces) in (1..).zip(&report.pieces) {
        for piece in pieces {
            let known = passed.min(piece.len());
            passed -= known;
            let text = piece.get(known..).unwrap_or_default();
            if !text.is_empty() {
                let anew = std::mem::take(&mut anew);
                deltas.push(ReportDelta { section, text: text.to_owned(), anew });
            }
        }
    }
    deltas
}

fn build(facts: &ReportFacts<'_>, is_over: bool) -> Report {
    let language = facts.spoken.words();
    let words = language.words();
    let mut draft = Draft::new(facts, words);
    // In the order in which they are read, but for the list of sources, which needs all numbers.
    let answer = answer::answer(&mut draft, is_over);
    let method = method::method(&draft);
    let findings = findings::findings(&mut draft);
    let conflicts = conflicts::conflicts(&mut draft);
    let gaps = gaps::gaps(&mut draft);
    let limits = limits::limits(&mut draft, is_over);
    let follow_up = gaps::follow_up(&draft);
    let suggested = gaps::suggested(&draft, &follow_up);
    let evidence = evidence::evidence(&draft);
    let blocks = [answer, method, findings, evidence, conflicts, gaps, limits, suggested];

    let title = line_of(facts.task, MOST_TITLE);
    let (sections, pieces) = written(&blocks, &mut draft);
    let titled = (1..).zip(words.titles).zip(&blocks);
    let shown: Vec<(u32, &str, &[Block])> =
        titled.map(|((number, title), blocks)| (number, title, blocks.as_slice())).collect();
    let at = method::day(&facts.now.iso());
    let head = html::Head { title: &title, facts: &format!("{at} · {}", facts.run_id), language };
    Report {
        html: html::page(head, &shown),
        markdown: pieces.concat().concat(),
        companion: companion(draft, &sections, follow_up, is_over, language),
        sections,
        pieces,
    }
}

/// The title of a report, and that of its first section.
fn opening(draft: &Draft<'_>) -> [String; 2] {
    let title = markdown::escaped(&line_of(draft.facts.task, MOST_TITLE), false);
    let [first, ..] = draft.words.titles;
    [format!("# {title}\n\n"), format!("## 1. {first}\n\n")]
}

/// The sections in Markdown, and the pieces of all of it.
fn written(blocks: &[Vec<Block>; 8], draft: &mut Draft<'_>) -> (Vec<Section>, Vec<Vec<String>>) {
    let (mut sections, mut all) = (Vec::new(), Vec::new());
    for ((number, name), blocks) in (1..).zip(draft.words.titles).zip(blocks) {
        let mut writer = Writer::default();
        blocks.iter().for_each(|block| writer.block(block));
        for shown in &writer.shown {
            let Some((claim, citation)) = draft.marks.get(shown.mark) else { continue };
            let claim = draft.claims.get_mut(*claim);
            if let Some(citation) = claim.and_then(|claim| claim.citations.get_mut(*citation)) {
                (citation.start, citation.end) = (Some(shown.start), Some(shown.end));
            }
        }
        let markdown = writer.pieces.concat();
        sections.push(Section { number, title: name.to_owned(), markdown });
        let mut pieces = match number {
            1 => opening(draft).to_vec(),
            _ => vec![format!("## {number}. {name}\n\n")],
        };
        pieces.extend(writer.pieces);
        all.push(pieces);
    }
    (sections, all)
}

fn companion(
    draft: Draft<'_>,
    sections: &[Section],
    follow_up: Vec<String>,
    is_over: bool,
    language: Language,
) -> Companion {
    let facts = draft.facts;
    let part = |part: &ConfidencePart| Part {
        name: line(&part.name),
        value: finite(part.value),
        words: line(&part.words),
    };
    let text = |section: &Section| facts.has_texts.then(|| section.markdown.clone());
    let sections = sections.iter().map(|it| ReportSection {
        number: it.number,
        title: it.title.clone(),
        markdown: text(it),
    });
    let mut summary_metrics = facts.metrics;
    summary_metrics.cost = finite(summary_metrics.cost);
    Companion {
        run_id: facts.run_id,
        task: facts.task.to_owned(),
        status: facts.status,
        partial: !is_over || facts.partial.is_some(),
        reason: facts.partial,
        written_at: At(facts.now),
        language,
        report_style: facts.report_style,
        language_model: facts.language_model,
        answer_by_model: draft.is_by_model,
        sections: sections.collect(),
        sources: evidence::sources(&draft),
        unresolved: gaps::unresolved(&draft),
        nodes: gaps::nodes(&draft),
        conflicts: facts.conflicts.to_vec(),
        confidence: ReportConfidence {
            confidence: Confidence { score: finite(facts.confidence.score), ..facts.confidence },
            parts: facts.parts.iter().map(part).collect(),
            penalties: facts.penalties.to_vec(),
            limitations: draft.limitations,
        },
        guidance: [facts.guidance, facts.too_late].concat(),
        follow_up,
        summary_metrics,
        claims: draft.claims,
    }
}
