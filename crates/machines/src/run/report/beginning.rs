//! The beginning of a report while a model writes it: what will stand there whatever it writes next.
//!
//! Border: a reply as far as it has come in, Markdown out; each text begins with the one before it. Nothing is shown
//! before its citations were checked, and nothing at all before one held: without any, rules write the answer.

use super::ReportFacts;
use super::block::Block;
use super::catalogue::Catalogue;
use super::checked::Checked;
use super::draft::Draft;
use super::markdown::Writer;
use super::written::{answer_so_far, parts_so_far};

/// The beginning of a report. Each sentence is checked once, however often its reply is looked at.
#[derive(Debug)]
pub struct Beginning {
    /// None while a reply is looked at.
    catalogue: Option<Catalogue>,
    checked: Checked,
    /// Parts that are over, and sentences that were taken in of the one that goes on.
    passed: (usize, usize),
}

impl Beginning {
    /// Of a report of these facts, of which nothing is written yet.
    #[must_use]
    pub fn new(facts: &ReportFacts<'_>) -> Self {
        let catalogue = Some(Catalogue::new(facts));
        Beginning { catalogue, checked: Checked::default(), passed: (0, 0) }
    }

    /// What the report begins with where a reply begins so; empty while that is open. The reply begins with what
    /// it was before; of the facts, neither the sources nor the findings are looked at again.
    pub fn markdown(&mut self, facts: &ReportFacts<'_>, reply: &str) -> String {
        let (Some(answer), Some(catalogue)) = (answer_so_far(reply), self.catalogue.take()) else {
            return String::new();
        };
        let mut draft = Draft::of(facts, facts.spoken.words().words(), catalogue);
        let parts = parts_so_far(&answer);
        let last = parts.len().saturating_sub(1);
        for (at, part) in parts.iter().enumerate().skip(self.passed.0) {
            let known = if at == self.passed.0 { self.passed.1 } else { 0 };
            let new = part.sentences.iter().skip(known);
            new.for_each(|sentence| self.checked.sentence(&mut draft, sentence));
            self.passed = (at, part.sentences.len().max(known));
            if at < last {
                self.checked.end_part(part.is_item);
            }
        }
        let is_item = parts.last().is_some_and(|part| part.is_item);
        let blocks = self.checked.so_far(is_item);
        let shown = if blocks.is_empty() { String::new() } else { written(&draft, &blocks) };
        self.catalogue = Some(draft.catalogue);
        shown
    }
}

/// These blocks with what a report has above them, without the end of the last, which may go on.
fn written(draft: &Draft<'_>, blocks: &[Block]) -> String {
    let above = draft.facts.partial.map(|cut| Block::says(draft.words.partial(cut)));
    let mut writer = Writer::default();
    above.iter().chain(blocks).for_each(|block| writer.block(block));
    let [title, heading] = super::opening(draft);
    let shown = format!("{title}{heading}{}", writer.pieces.concat());
    shown.trim_end_matches('\n').to_owned()
}
