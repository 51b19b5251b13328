//! Section 4: the sources by their numbers, what was quoted of them, and what was consulted too.

use super::address::linked;
use super::block::{Block, Inline, Item, line, line_of};
use super::catalogue::Entry;
use super::companion::ReportSource;
use super::draft::Draft;
use super::words::{fill, tier_reason};
use quarry_events::run::Citation;
use quarry_types::ReportStyle;

/// Characters of the reason of a tier, and of a date that a page gives.
const MOST_REASON: usize = 120;
const MOST_DATE: usize = 40;

/// Writes section 4. All that cites is written by now.
pub fn evidence(draft: &Draft<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let numbered = draft.catalogue.numbered();
    let cited = numbered.iter().filter_map(|place| draft.catalogue.entry(*place));
    let items: Vec<Item> = cited.map(|entry| item(draft, entry)).collect();
    blocks.push(match items.is_empty() {
        true => Block::says(draft.words.no_source),
        false => Block::Sources(items),
    });
    let others = draft.catalogue.entries().iter().filter(|entry| entry.n.is_none());
    let others: Vec<Item> = others.map(|entry| item(draft, entry)).collect();
    if !others.is_empty() {
        blocks.push(Block::Heading(draft.words.also_consulted.to_owned()));
        blocks.push(Block::List(others));
    }
    blocks
}

fn run_citation<'a>(draft: &Draft<'a>, entry: &Entry) -> Option<&'a Citation> {
    entry.citation.and_then(|at| draft.facts.citations.get(at))
}

fn item(draft: &Draft<'_>, entry: &Entry) -> Item {
    let title = Inline::Link { words: entry.title.clone(), address: linked(&entry.url) };
    let facts = Inline::text(format!(" — {}", facts(draft, entry)));
    let mut below = Vec::new();
    let original = run_citation(draft, entry).and_then(|citation| citation.duplicate_of.as_deref());
    if let Some(original) = original {
        let place = draft.catalogue.by_id(original);
        let place = place.and_then(|place| draft.catalogue.entry(place));
        let title = place.map_or_else(|| line_of(original, MOST_REASON), |it| it.title.clone());
        below.push(vec![Inline::text(fill(draft.words.copy_of, &[&title]))]);
    }
    if draft.facts.report_style == ReportStyle::Technical {
        below.extend(entry.quotes.iter().map(|quote| vec![Inline::Quote(quote.clone())]));
    }
    Item { content: vec![title, facts], below }
}

/// Its tier, and when it was published and read.
fn facts(draft: &Draft<'_>, entry: &Entry) -> String {
    let words = draft.words;
    let citation = run_citation(draft, entry);
    let mut told =
        vec![citation.map_or_else(|| words.tier_unknown.to_owned(), |it| tier(draft, it))];
    told.push(match &entry.published {
        Some(date) => fill(words.published, &[&line_of(date, MOST_DATE)]),
        None => words.undated.to_owned(),
    });
    if let Some(citation) = citation {
        let at = citation.retrieved_at.0.iso();
        told.push(fill(words.retrieved, &[at.get(..10).unwrap_or(&at)]));
        let kind = line_of(&citation.source_type, MOST_DATE);
        // What nearly all are says nothing.
        told.extend(Some(kind).filter(|kind| !kind.is_empty() && kind != "page"));
    }
    told.join(", ")
}

/// Its tier, with the reason.
pub fn tier(draft: &Draft<'_>, citation: &Citation) -> String {
    let number = citation.quality_tier.to_string();
    let reason = tier_reason(draft.facts.spoken.words(), &citation.tier_reason);
    fill(draft.words.tier, &[&number, &line_of(reason, MOST_REASON)])
}

/// The sources for machines: by their numbers, then the others.
pub fn sources(draft: &Draft<'_>) -> Vec<ReportSource> {
    let numbered = draft.catalogue.numbered().iter();
    let numbered = numbered.filter_map(|place| draft.catalogue.entry(*place));
    let others = draft.catalogue.entries().iter().filter(|entry| entry.n.is_none());
    let all = numbered.chain(others).map(|entry| {
        let citation = run_citation(draft, entry);
        ReportSource {
            n: entry.n,
            citation_id: citation.map(|it| it.citation_id.clone()),
            url: entry.url.clone(),
            title: entry.title.clone(),
            quality_tier: citation.map(|it| it.quality_tier),
            tier_reason: citation.map(|it| line(&it.tier_reason)),
            published: entry.published.clone(),
            retrieved_at: citation.map(|it| it.retrieved_at),
            voice: citation
                .map_or_else(|| quarry_evidence::voice(&entry.url), |it| it.voice.clone()),
            duplicate_of: citation.and_then(|it| it.duplicate_of.clone()),
        }
    });
    all.collect()
}
