//! Section 5: who contradicts whom, and what findings are unsure of.

use super::block::{Block, Inline, Item, line, line_of};
use super::catalogue::{MOST_QUOTE, Place};
use super::checked::{MOST_SENTENCES, remark};
use super::draft::Draft;
use super::evidence::tier;
use super::words::{doubted, fill};
use quarry_evidence::{Side, Tier};

/// Characters of a date that a page gives.
const MOST_DATE: usize = 40;

/// Writes section 5.
pub fn conflicts(draft: &mut Draft<'_>) -> Vec<Block> {
    let mut items = Vec::new();
    for told in draft.facts.conflicts {
        let conflict = &told.conflict;
        let difference = draft.words.difference(conflict.difference);
        let reason = draft.words.reason(told);
        let mut below = vec![side(draft, &conflict.one), side(draft, &conflict.other)];
        if let Some(explaining) = &told.explained_by {
            let label = format!("{} ", draft.words.may_explain);
            below.push([vec![Inline::text(label)], side(draft, explaining)].concat());
        }
        items.push(Item { below, ..Item::labelled(difference, reason) });
    }
    let mut blocks = vec![match items.is_empty() {
        true => Block::says(draft.words.no_conflict),
        false => Block::List(items),
    }];
    let unsure = uncertainties(draft);
    if !unsure.is_empty() {
        blocks.push(Block::Heading(draft.words.uncertainties.to_owned()));
        blocks.push(Block::List(unsure));
    }
    blocks
}

/// What one of two says, with its number.
fn side(draft: &mut Draft<'_>, side: &Side) -> Vec<Inline> {
    let entry = draft.catalogue.place_of(&side.url, &side.title);
    let quote = line_of(&side.quote, MOST_QUOTE);
    let passage = draft.catalogue.passage_with(entry, &quote);
    let mut content = vec![Inline::Quote(quote.clone()), Inline::text(" ")];
    content.extend(draft.catalogue.cite(Place { entry, passage }, &quote, None));
    let words = draft.words;
    let date = match &side.date {
        Some(date) => fill(words.published, &[&line_of(date, MOST_DATE)]),
        None => words.undated.to_owned(),
    };
    let citation = draft.catalogue.entry(entry).and_then(|entry| entry.citation);
    let citation = citation.and_then(|at| draft.facts.citations.get(at));
    let tier = match (citation, side.tier) {
        (Some(citation), _) => tier(draft, citation),
        (None, Tier::Primary) => fill(words.tier, &["1", &line(&side.url)]),
        (None, Tier::Secondary | Tier::Other) => words.tier_unknown.to_owned(),
    };
    content.push(Inline::text(format!(" — {date}, {tier}")));
    content
}

/// What models are unsure of is theirs: it is held against the sources as what they answer is. What the rules hold against a
/// finding is theirs, and says itself that the sources lack something.
fn uncertainties(draft: &mut Draft<'_>) -> Vec<Item> {
    let unsure = (0..draft.facts.findings.len()).filter_map(|at| draft.verified(at));
    let unsure: Vec<_> = unsure.filter(|finding| !finding.uncertainties.is_empty()).collect();
    let mut left = MOST_SENTENCES;
    let language = draft.facts.spoken.words();
    let mut below = |unsure: &String| {
        let own = if draft.facts.knows_doubts { doubted(language, unsure) } else { None };
        match (own, draft.facts.checks_unsure) {
            (Some(doubt), _) => vec![Inline::text(line(&doubt))],
            (None, true) => remark(draft, 5, unsure, &mut left),
            (None, false) => vec![Inline::text(line(unsure))],
        }
    };
    unsure
        .into_iter()
        .map(|finding| Item {
            content: vec![Inline::text(line(&finding.claim))],
            below: finding.uncertainties.iter().map(&mut below).collect(),
        })
        .collect()
}
