//! What searches brought becomes evidence, as far as a run may have more of it.
//!
//! Border: outcomes in, numbers of sources and how much of them is new out.

use super::Run;
use quarry_evidence::{Content, Evidence, Finding, Replaced};
use quarry_tools::{Hit, OwnPassage, Page};

impl Run {
    /// Takes in passages of documents of one's own: no more documents than a run may have sources.
    pub(super) fn learn_own(&mut self, query: &str, passages: &[OwnPassage]) -> (Vec<usize>, u64) {
        let replaced = if self.brief.is_since(17) { Replaced::IsKeptToo } else { Replaced::Stays };
        self.learn_by(|evidence, most| {
            let mut numbers = Vec::new();
            for finding in quarry_tools::findings(passages, query) {
                if evidence.number(&finding.url).is_some() || evidence.sources().len() < most {
                    numbers.push(evidence.find_more(finding, replaced));
                }
            }
            numbers
        })
    }

    /// Takes in what a search brought: no more sources than a run may have.
    pub(super) fn learn(&mut self, query: &str, hits: Vec<Hit>) -> (Vec<usize>, u64) {
        self.learn_by(|evidence, most| {
            let mut numbers = Vec::new();
            for mut hit in hits {
                let is_known = evidence.number(&hit.url).is_some();
                if hit.url.is_empty() || (!is_known && evidence.sources().len() >= most) {
                    continue;
                }
                let read = hit.page.as_mut().and_then(|page| page.as_mut().ok());
                let read = read.map(|page| {
                    (page.date.clone(), std::mem::take(&mut page.signals), Page::take_content(page))
                });
                let (date, signals, content) = read.unwrap_or((None, Vec::new(), Content::Unread));
                numbers.push(evidence.find(Finding {
                    url: hit.url,
                    title: Some(hit.title),
                    date,
                    query: Some(query.to_owned()),
                    description: hit.description,
                    signals,
                    content,
                }));
            }
            numbers
        })
    }

    /// What `take` gives, which adds to the evidence up to so many sources, and how much of that is new.
    fn learn_by(
        &mut self,
        take: impl FnOnce(&mut Evidence, usize) -> Vec<usize>,
    ) -> (Vec<usize>, u64) {
        let evidence = &mut self.gathered.evidence;
        let before = (evidence.pieces(), evidence.seen());
        let numbers = take(evidence, self.brief.knobs.max_sources as usize);
        let new = evidence.pieces().saturating_sub(before.0);
        (numbers, new.min(evidence.seen() - before.1) as u64)
    }
}
