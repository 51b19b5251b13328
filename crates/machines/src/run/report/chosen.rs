//! Section 1 without a language model: each part of the task with the sentence that answers it, what supports
//! it and what says otherwise; or that no source says it, with what comes nearest.

use super::block::{Block, Inline, Item, line, line_of};
use super::catalogue::Place;
use super::draft::Draft;
use super::words::fill;
use crate::extractive::{Choice, Chosen, Differing, EvidenceSource, Length, choices};
use quarry_evidence::cite::Sought;
use quarry_evidence::verify::{Verdict, squeezed};

/// Characters of the title of a source that is named, of its date, and of an answer in a few words.
const MOST_NAME: usize = 90;
const MOST_DATE: usize = 10;
const MOST_ANSWER: usize = 120;
/// Other sources that are named for one answer.
const ALSO: usize = 3;

/// What rules choose of the sources; nothing where these have nothing to quote.
pub fn chosen(draft: &mut Draft<'_>) -> Vec<Block> {
    let facts = draft.facts;
    let sources: Vec<EvidenceSource<'_>> = readable(draft);
    let choices = choices(facts.task, &sources, Length::Short);
    let has_several = choices.len() > 1;
    let mut blocks = Vec::new();
    let mut has_quoted = false;
    for choice in &choices {
        if has_several {
            blocks.push(Block::Heading(line(&choice.question)));
        }
        let shown = part(draft, choice);
        has_quoted |= !draft.claims.is_empty();
        blocks.extend(shown);
        draft.unmentioned.extend(unmentioned(draft, choice));
    }
    if has_quoted { blocks } else { Vec::new() }
}

/// The sources, numbered by their places; copies are left out, for they say nothing of their own.
fn readable<'a>(draft: &Draft<'a>) -> Vec<EvidenceSource<'a>> {
    let sources = draft.facts.sources.iter().enumerate();
    let is_copy = |at: usize| {
        let entry = draft.catalogue.of_read(at).and_then(|entry| draft.catalogue.entry(entry));
        let citation = entry.and_then(|it| draft.facts.citations.get(it.citation?));
        citation.is_some_and(|it| it.duplicate_of.is_some())
    };
    let own = sources.filter(|(at, _)| !is_copy(*at));
    own.map(|(at, source)| EvidenceSource { n: at, ..EvidenceSource::from(source) }).collect()
}

fn part(draft: &mut Draft<'_>, choice: &Choice<'_>) -> Vec<Block> {
    let words = draft.words;
    let mut blocks = Vec::new();
    let lead = choice.lead.as_ref().and_then(|lead| claimed(draft, lead, true));
    let is_answered = lead.is_some();
    match lead {
        Some((claim, place, mut content)) => {
            content.extend(match draft.facts.quotes_agreement {
                true => agreeing(draft, choice, (claim, place)),
                false => named(draft, choice),
            });
            blocks.push(Block::Paragraph(content));
        }
        None => {
            draft.unsaid.push(choice.question.clone());
            blocks.push(Block::says(nobody(draft, choice)));
        }
    }
    let support: Vec<Item> = choice.support.iter().filter_map(|it| item(draft, it)).collect();
    if !support.is_empty() {
        let label = if is_answered { words.more_on_this } else { words.nearest };
        blocks.extend([Block::says(label), Block::List(support)]);
    }
    let differing = choice.differing.iter().filter(|_| is_answered);
    let differing: Vec<Item> = differing.filter_map(|it| differs(draft, it)).collect();
    if !differing.is_empty() {
        blocks.extend([Block::says(words.other_figures), Block::List(differing)]);
    }
    blocks
}

fn nobody(draft: &Draft<'_>, choice: &Choice<'_>) -> String {
    let named: Vec<String> = unmentioned(draft, choice);
    match named.is_empty() {
        true => draft.words.nobody_says.to_owned(),
        false => fill(draft.words.none_mentions, &[&named.join(", ")]),
    }
}

/// What no source speaks of, without the function words of the task's language.
fn unmentioned(draft: &Draft<'_>, choice: &Choice<'_>) -> Vec<String> {
    let spoken = draft.facts.spoken;
    let telling = choice.unmentioned.iter().filter(|it| !spoken.is_function_word(it));
    telling.map(|it| line_of(it, MOST_NAME)).collect()
}

fn item(draft: &mut Draft<'_>, chosen: &Chosen<'_>) -> Option<Item> {
    Some(Item { content: quoted(draft, chosen, false)?, below: Vec::new() })
}

fn differs(draft: &mut Draft<'_>, differing: &Differing<'_>) -> Option<Item> {
    let content = quoted(draft, &differing.other, true)?;
    let mut item = Item { content, below: Vec::new() };
    if let Some(age) = differing.age.filter(|age| age.is_ne()) {
        item.content.push(Inline::text(format!(" ({})", draft.words.age(age))));
    }
    if let Some(explaining) = &differing.explained_by
        && let Some(content) = quoted(draft, &Chosen { answer: None, ..explaining.clone() }, false)
    {
        let label = Inline::text(format!("{} ", draft.words.may_explain));
        item.below.push([vec![label], content].concat());
    }
    Some(item)
}

/// A sentence in its source's words, with the answer in short before it, its source and its number. It is a
/// claim: what stands there word for word is there.
fn quoted(draft: &mut Draft<'_>, chosen: &Chosen<'_>, is_critical: bool) -> Option<Vec<Inline>> {
    claimed(draft, chosen, is_critical).map(|(_, _, content)| content)
}

/// The same with the claim, and where it stands.
fn claimed(
    draft: &mut Draft<'_>,
    chosen: &Chosen<'_>,
    is_critical: bool,
) -> Option<(usize, Place, Vec<Inline>)> {
    let (place, quote) = draft.catalogue.quote(chosen.source.n, &Sought::new(&chosen.text))?;
    let known = finding(draft, &quote);
    let claim = match known.and_then(|at| draft.facts.findings.get(at)) {
        Some(finding) => draft.claim_of(1, finding, None),
        None => draft.claim(1, &quote),
    };
    let mut citation = draft.citation(&quote, place, &quote);
    if citation.verdict.is_some() {
        (citation.verdict, citation.coverage) = (Some(Verdict::Supported), Some(1.0));
        citation.vetoes.clear();
    }
    let is_well_backed = draft.is_well_backed(&[place.entry]);
    if let Some(claim) = draft.claims.get_mut(claim) {
        claim.text.clone_from(&quote);
        claim.critical = is_critical;
        claim.well_backed = is_well_backed;
    }
    let shown = draft.cite(claim, place, citation)?;
    let mut content = Vec::new();
    let answer = chosen.answer.as_deref().map(|answer| line_of(answer, MOST_ANSWER));
    if let Some(answer) = answer.filter(|answer| !answer.is_empty() && *answer != quote) {
        content.extend([Inline::Strong(answer.replace('*', "")), Inline::text(" — ")]);
    }
    content.extend([Inline::Quote(quote), Inline::text(format!(" — {} ", name(draft, place)))]);
    content.push(shown);
    Some((claim, place, content))
}

/// The finding that rests on these words.
fn finding(draft: &Draft<'_>, quote: &str) -> Option<usize> {
    let quote = squeezed(quote);
    let says = |at: &usize| {
        let snippets = draft.verified(*at).map(|finding| &finding.evidence_snippets);
        snippets.into_iter().flatten().any(|snippet| squeezed(&snippet.quote) == quote)
    };
    (0..draft.facts.findings.len()).find(says)
}

fn name(draft: &Draft<'_>, place: Place) -> String {
    let entry = draft.catalogue.entry(place.entry);
    let title = entry.map(|entry| line_of(&entry.title, MOST_NAME)).unwrap_or_default();
    match entry.and_then(|entry| entry.published.as_deref()) {
        Some(date) => format!("{title}, {}", line_of(date, MOST_DATE)),
        None => title,
    }
}

/// Who gives the same answer: the claim is cited to the sentences in which they do, each checked as any other. What
/// the check does not find to say it is not named.
fn agreeing(
    draft: &mut Draft<'_>,
    choice: &Choice<'_>,
    (claim, first): (usize, Place),
) -> Vec<Inline> {
    let mut sources = vec![first.entry];
    let said = draft.claims.get(claim).map(|claim| claim.text.clone()).unwrap_or_default();
    let mut shown = Vec::new();
    for also in &choice.agreeing {
        let sought = Sought::new(&also.text);
        let Some((place, quote)) = draft.catalogue.quote(also.source.n, &sought) else { continue };
        let citation = draft.citation(&said, place, &quote);
        if shown.len() < ALSO && citation.verdict != Some(Verdict::NotFound) {
            shown.extend(draft.cite(claim, place, citation));
            sources.push(place.entry);
        }
    }
    let is_well_backed = draft.is_well_backed(&sources);
    draft.claims.get_mut(claim).into_iter().for_each(|it| it.well_backed = is_well_backed);
    same(draft, shown)
}

/// The same in runs of before: their sources by number, whatever they say.
fn named(draft: &mut Draft<'_>, choice: &Choice<'_>) -> Vec<Inline> {
    let mut shown = Vec::new();
    for also in choice.agreeing.iter().take(ALSO) {
        let entry = draft.catalogue.of_read(also.source.n);
        let place = entry.map(|entry| Place { entry, passage: None });
        shown.extend(place.and_then(|it| draft.catalogue.cite(it, "", None)));
    }
    same(draft, shown)
}

/// That the same is said there.
fn same(draft: &Draft<'_>, shown: Vec<Inline>) -> Vec<Inline> {
    let mut content = Vec::new();
    for shown in shown {
        content.push(match content.is_empty() {
            true => Inline::text(format!(". {} ", draft.words.same)),
            false => Inline::text(", "),
        });
        content.push(shown);
    }
    content
}
