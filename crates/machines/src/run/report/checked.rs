//! A model's answer, checked sentence by sentence: what may stand in section 1, and what is left out.
//!
//! Border: sentences in, in their order, be it all at once or as they are written; what they become depends on
//! none that follows.

use super::block::{Block, Inline, Item, line};
use super::catalogue::Place;
use super::companion::ClaimCitation;
use super::draft::Draft;
use quarry_evidence::cite::{Answer, Out, Proof, VerifiedCitation};
use quarry_evidence::text::sentences;
use quarry_evidence::verify::{Claim, Verdict};

/// Sentences that are checked: more than anybody reads. What follows is unverified.
pub const MOST_SENTENCES: usize = 400;

/// What is left of an answer.
#[derive(Debug, Default)]
pub struct Checked {
    blocks: Vec<Block>,
    /// The part under way: its checks, and what is shown of it.
    answer: Answer,
    content: Vec<Inline>,
    /// Sentences that were checked.
    count: usize,
    has_cited: bool,
}

impl Checked {
    /// Takes in the next sentence of the part under way.
    pub fn sentence(&mut self, draft: &mut Draft<'_>, sentence: &str) {
        let sentence = line(sentence);
        if self.count >= MOST_SENTENCES {
            draft.left_out.push(without_marks(&sentence));
            return;
        }
        self.count += 1;
        let shown = self::sentence(draft, &mut self.answer, (1, &sentence));
        if shown.is_empty() {
            // As it was written: what stands in it instead of its markers is ours.
            draft.left_out.push(without_marks(&unmarked(&sentence)));
        }
        self.has_cited |= shown.iter().any(|it| matches!(it, Inline::Cite { .. }));
        if !self.content.is_empty() && !shown.is_empty() {
            self.content.push(Inline::text(" "));
        }
        self.content.extend(shown);
    }

    /// Ends the part under way.
    pub fn end_part(&mut self, is_item: bool) {
        self.answer = Answer::default();
        let content = std::mem::take(&mut self.content);
        put(&mut self.blocks, is_item, content);
    }

    /// What there is when all parts are in; nothing where no sentence cites anything.
    pub fn blocks(self) -> Vec<Block> {
        if self.has_cited { self.blocks } else { Vec::new() }
    }

    /// What there is while a part is under way: the beginning of what there will be.
    pub fn so_far(&self, is_item: bool) -> Vec<Block> {
        if !self.has_cited {
            return Vec::new();
        }
        let mut blocks = self.blocks.clone();
        put(&mut blocks, is_item, self.content.clone());
        blocks
    }
}

fn put(blocks: &mut Vec<Block>, is_item: bool, content: Vec<Inline>) {
    match (is_item, blocks.last_mut()) {
        _ if content.is_empty() => {}
        (true, Some(Block::List(items))) => items.push(Item { content, below: Vec::new() }),
        (true, _) => blocks.push(Block::List(vec![Item { content, below: Vec::new() }])),
        (false, _) => blocks.push(Block::Paragraph(content)),
    }
}

/// What a model says outside its answer, sentence by sentence: cited where sources say it, else marked as unverified.
/// `left`: sentences that are still checked.
pub fn remark(draft: &mut Draft<'_>, section: u32, remark: &str, left: &mut usize) -> Vec<Inline> {
    let (remark, mut answer) = (line(remark), Answer::default());
    let mut content: Vec<Inline> = Vec::new();
    for range in sentences(&remark) {
        let sentence = remark.get(range).unwrap_or_default().trim();
        if !content.is_empty() {
            content.push(Inline::text(" "));
        }
        let may_check = *left > 0;
        *left = left.saturating_sub(1);
        let shown = match may_check {
            true => self::sentence(draft, &mut answer, (section, sentence)),
            false => Vec::new(),
        };
        if shown.iter().any(|it| matches!(it, Inline::Cite { .. })) {
            content.extend(shown);
        } else {
            let said = without_marks(&unmarked(sentence));
            content.extend([Inline::text(said), Inline::text(" ")]);
            content.push(Inline::Quiet(draft.words.unverified.to_owned()));
        }
    }
    content
}

/// A sentence as it is shown; nothing where it is left out.
fn sentence(
    draft: &mut Draft<'_>,
    answer: &mut Answer,
    (section, sentence): (u32, &str),
) -> Vec<Inline> {
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
        return Vec::new();
    }
    if proof.citations.is_empty() {
        return strong(&text.iter().collect::<String>());
    }
    let claim = draft
        .claim(section, &proof.citations.first().map(|it| it.claim.clone()).unwrap_or_default());
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

/// Whether a sentence that cites nothing and is not counted states something all the same: it has a figure, or a name and
/// is neither a question nor the head of a list. What a writer says of itself is no name.
fn states(sentence: &str) -> bool {
    let claim = Claim::new(sentence);
    let has_figure = !claim.figures.quantities.is_empty() || !claim.figures.dates.is_empty();
    let is_open = sentence.trim_end().trim_end_matches(['*', '_']).ends_with(['?', '？', ':']);
    has_figure || (!is_open && claim.words.iter().any(|word| word.is_name && word.shown != "I"))
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
