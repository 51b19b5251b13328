//! The sentences that findings rest on, taken apart once.
//!
//! Border: findings with their citations in, sentences in the order of these out. What they mean for each other is the
//! rules' of contradictions.

use super::{denied_of, figures_of, side, stems_of};
use crate::extractive::explains;
use quarry_events::run::{Citation, Finding};
use quarry_evidence::text::{sentences, tokens};
use quarry_evidence::{Parsed, Side};
use quarry_types::order::Gather;
use std::cell::OnceCell;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Sentences that are looked at.
pub(super) const MOST_SENTENCES: usize = 600;
/// Sentences of one quotation.
const OF_ONE_QUOTE: usize = 4;
/// New findings whose citations are looked for one by one.
const FEW: usize = 32;

#[cfg(test)]
thread_local! {
    /// Sentences of quotations that were told apart by this thread.
    pub(in crate::run) static TOLD_APART: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The sentences that findings rest on, each once for a source, with the first finding that has it; of too many the
/// last. They are taken apart once, so that what is new costs the same however much there is. Made anew from the findings
/// where it is lost.
#[derive(Debug, Default)]
pub struct Heard {
    /// Findings that were taken in.
    findings: usize,
    /// Those of them that rest on more than they did then.
    grown: BTreeSet<usize>,
    /// Places of citations, and sentences, that were met, with the finding that has them.
    seen: BTreeMap<(usize, String), usize>,
    pub(super) said: VecDeque<Said>,
    /// Each stem's number.
    pub(super) stems: BTreeMap<String, u32>,
}

/// A sentence that a finding rests on.
#[derive(Debug)]
pub(super) struct Said {
    /// By their places.
    pub finding: usize,
    pub citation: usize,
    pub sentence: String,
    /// The whole quotation.
    pub quote: String,
    pub stems: Vec<u32>,
    pub figures: BTreeSet<String>,
    /// Those that it says are wrong.
    pub denied: BTreeSet<String>,
    /// Whether it says what figures mean.
    pub explains: bool,
    pub parsed: OnceCell<Parsed>,
}

impl Said {
    pub(super) fn side(&self, citations: &[Citation]) -> Option<Side> {
        Some(side(citations.get(self.citation)?, &self.sentence))
    }
}

impl Heard {
    /// The finding at this place rests on more than it did.
    pub fn rests_on_more(&mut self, finding: usize) {
        if finding < self.findings {
            self.grown.insert(finding);
        }
    }

    pub(super) fn take_in(&mut self, findings: &[Finding], citations: &[Citation]) {
        let grown = std::mem::take(&mut self.grown);
        if !grown.into_iter().all(|at| self.take_in_more(at, findings, citations)) {
            *self = Heard::default();
        }
        let new = findings.iter().enumerate().skip(self.findings);
        // Whoever takes a long run up has all of its findings to place, and else there are a few, of the last.
        let places: BTreeMap<&str, usize> = match findings.len() - self.findings.min(findings.len())
        {
            0..=FEW => BTreeMap::new(),
            _ => (0..).zip(citations).map(|(at, it)| (it.citation_id.as_str(), at)).gather(),
        };
        let place = |id: &str| match places.is_empty() {
            true => place_of(citations, id),
            false => places.get(id).copied(),
        };
        // What there is no room for is not taken apart.
        let mut heard: VecDeque<(usize, usize, String, &str)> = VecDeque::new();
        for (at, finding) in new {
            for snippet in &finding.evidence_snippets {
                let Some(citation) = place(&snippet.citation_id) else { continue };
                for sentence in told_apart(&snippet.quote) {
                    if let Entry::Vacant(free) = self.seen.entry((citation, sentence.to_owned())) {
                        free.insert(at);
                        heard.push_back((at, citation, sentence.to_owned(), &snippet.quote));
                    }
                    if heard.len() > MOST_SENTENCES {
                        heard.pop_front();
                    }
                }
            }
        }
        for (finding, citation, sentence, quote) in heard {
            let said = self.taken_apart(finding, citation, sentence, quote.to_owned());
            self.hear(self.said.len(), said);
        }
        self.findings = findings.len();
    }

    /// Takes in what a finding came to rest on, as if it had had that from the beginning. False where that needs a
    /// sentence which there was no room for.
    fn take_in_more(&mut self, at: usize, findings: &[Finding], citations: &[Citation]) -> bool {
        let snippets = findings.get(at).map(|it| it.evidence_snippets.as_slice());
        for snippet in snippets.unwrap_or_default() {
            let Some(citation) = place_of(citations, &snippet.citation_id) else { continue };
            for sentence in told_apart(&snippet.quote) {
                let had_by = match self.seen.entry((citation, sentence.to_owned())) {
                    Entry::Vacant(free) => {
                        free.insert(at);
                        None
                    }
                    Entry::Occupied(mut had_by) if *had_by.get() > at => Some(had_by.insert(at)),
                    Entry::Occupied(_) => continue,
                };
                let place = self.said.partition_point(|it| it.finding <= at);
                // Whether there are sentences before those that there was room for, and this one is of them.
                let others = self.seen.len() - usize::from(had_by.is_none());
                let is_before = place == 0 && others > self.said.len();
                let had = had_by.and_then(|had_by| self.position(had_by, citation, sentence));
                match (had_by, had) {
                    (None, _) if is_before => {}
                    (None, _) => {
                        let quote = snippet.quote.clone();
                        let said = self.taken_apart(at, citation, sentence.to_owned(), quote);
                        self.hear(place, said);
                    }
                    // There was no room for it where it stood, which was later.
                    (Some(_), None) => {}
                    (Some(_), Some(_)) if is_before => return false,
                    (Some(_), Some(had)) => {
                        if let Some(mut said) = self.said.remove(had) {
                            (said.finding, said.quote) = (at, snippet.quote.clone());
                            self.said.insert(place, said);
                        }
                    }
                }
            }
        }
        true
    }

    /// The sentences that findings, by their places, came to rest on with citations, by theirs, and that there was no room
    /// for among the last.
    pub(super) fn without_room(
        &mut self,
        joined: &BTreeSet<(usize, usize)>,
        findings: &[Finding],
        citations: &[Citation],
    ) -> Vec<Said> {
        let mut late = Vec::new();
        for (at, citation) in joined {
            let (finding, cited) = (findings.get(*at), citations.get(*citation));
            let Some((finding, cited)) = finding.zip(cited) else { continue };
            let snippets = finding.evidence_snippets.iter();
            let quotes = snippets.filter(|it| it.citation_id == cited.citation_id);
            for quote in quotes.map(|it| &it.quote) {
                for sentence in told_apart(quote) {
                    let is_its = self.seen.get(&(*citation, sentence.to_owned())) == Some(at);
                    if is_its && self.position(*at, *citation, sentence).is_none() {
                        late.push(self.taken_apart(
                            *at,
                            *citation,
                            sentence.to_owned(),
                            quote.clone(),
                        ));
                    }
                }
            }
        }
        late
    }

    fn position(&self, finding: usize, citation: usize, sentence: &str) -> Option<usize> {
        let is_it = |it: &Said| (it.finding, it.citation) == (finding, citation);
        self.said.iter().position(|it| is_it(it) && it.sentence == sentence)
    }

    fn taken_apart(
        &mut self,
        finding: usize,
        citation: usize,
        sentence: String,
        quote: String,
    ) -> Said {
        let tokens = tokens(&sentence);
        let mut numbers = Vec::new();
        for stem in stems_of(&tokens) {
            let next = u32::try_from(self.stems.len()).unwrap_or(u32::MAX);
            numbers.push(*self.stems.entry(stem).or_insert(next));
        }
        Said {
            finding,
            citation,
            quote,
            stems: numbers,
            figures: figures_of(&tokens),
            denied: denied_of(&tokens),
            explains: explains(&sentence),
            parsed: OnceCell::new(),
            sentence,
        }
    }

    fn hear(&mut self, place: usize, said: Said) {
        self.said.insert(place, said);
        if self.said.len() > MOST_SENTENCES {
            self.said.pop_front();
        }
    }
}

/// Where the citation of this name stands: mostly among the last.
pub(super) fn place_of(citations: &[Citation], id: &str) -> Option<usize> {
    citations.iter().rposition(|it| it.citation_id == id)
}

/// The sentences of a quotation that count.
fn told_apart(quote: &str) -> impl Iterator<Item = &str> {
    sentences(quote).into_iter().take(OF_ONE_QUOTE).map(move |range| {
        #[cfg(test)]
        TOLD_APART.with(|count| count.set(count.get() + 1));
        quote.get(range).unwrap_or_default()
    })
}
