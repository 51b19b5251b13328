//! Section 7: how far the report can be relied on, why, and what it cannot say.

use super::block::{Block, Inline, Item, line, line_of};
use super::catalogue::Entry;
use super::draft::Draft;
use super::facts::ReportFacts;
use super::words::{assessed, fill};
use quarry_events::run::NodeState;
use quarry_evidence::Published;
use quarry_types::ReportStyle;
use quarry_types::order::Gather;

/// Characters of a date that a page gives.
const MOST_DATE: usize = 40;

/// Writes section 7. All that cites is written by now.
pub fn limits(draft: &mut Draft<'_>, is_over: bool) -> Vec<Block> {
    let (words, facts) = (draft.words, draft.facts);
    let language = facts.spoken.words();
    let confidence = facts.confidence;
    let score = words.number(confidence.score, 2);
    let level = fill(words.confidence, &[words.level(confidence.level), &score]);
    let mut blocks = vec![Block::Paragraph(vec![Inline::Strong(level)])];
    if facts.report_style == ReportStyle::Technical && !facts.parts.is_empty() {
        let head = [words.part, words.value, words.says].map(str::to_owned).into();
        let row = |part: &super::ConfidencePart| {
            let [name, says] = [&part.name, &part.words].map(|it| line(&assessed(language, it)));
            vec![name, words.number(part.value, 2), says]
        };
        blocks.push(Block::Table(head, facts.parts.iter().map(row).collect()));
    }
    if !facts.penalties.is_empty() {
        let penalties = facts.penalties.iter();
        let penalties =
            penalties.map(|it| vec![Inline::text(line(&assessed(language, it)))]).collect();
        blocks.push(Block::List(vec![Item {
            below: penalties,
            ..Item::labelled(words.was_down, "")
        }]));
    }
    draft.limitations = limitations(draft, is_over);
    blocks.push(Block::Heading(words.limitations.to_owned()));
    blocks.push(Block::List(draft.limitations.iter().map(Item::says).collect()));
    blocks
}

/// What the report cannot say: the last two hold for every report.
fn limitations(draft: &Draft<'_>, is_over: bool) -> Vec<String> {
    let (words, facts) = (draft.words, draft.facts);
    let mut told: Vec<String> = Vec::new();
    told.extend(facts.partial.map(|cut| words.cut_short(cut).to_owned()));
    if !is_over {
        let says = if facts.has_ended() { words.ended_early } else { words.not_ended };
        told.push(says.to_owned());
    }
    if !facts.language_model {
        told.push(draft.of_quotations(words.no_model_limit));
    }
    let of = |sentence: &str, count: usize, all: usize| {
        (count > 0).then(|| fill(sentence, &[&count.to_string(), &all.to_string()]))
    };
    let all = facts.tree.nodes().len();
    told.extend(of(words.open_limit, all - facts.tree.count(NodeState::Resolved), all));
    let unread = facts.sources.iter().filter(|source| source.content.is_unread()).count();
    told.extend(of(words.unread_limit, unread, facts.sources.len()));
    let found = usize::try_from(facts.metrics.sources).unwrap_or(usize::MAX);
    told.extend(of(words.cut_limit, facts.cut, found.max(facts.cut)));
    let unsettled = facts.conflicts.iter().filter(|it| it.is_open()).count();
    told.extend((unsettled > 0).then(|| fill(words.conflict_limit, &[&unsettled.to_string()])));
    told.extend(of(words.guidance_limit, facts.shortened, facts.guidance.len()));
    told.extend(of_cited(draft));
    told.push(words.check_limit.to_owned());
    let now = facts.now.iso();
    told.push(fill(words.search_limit, &[now.get(..10).unwrap_or(&now)]));
    told
}

/// The date of the newest of some sources that have one, as it is written there.
fn newest<'e>(facts: &ReportFacts<'_>, cited: &[&'e Entry]) -> Option<&'e str> {
    let dates = cited.iter().filter_map(|entry| entry.published.as_deref());
    if facts.orders_days {
        return dates.filter_map(|date| Some((Published::parse(date)?, date))).max().map(|it| it.1);
    }
    let is_iso = |date: &&str| {
        let year = date.get(..4).unwrap_or_default();
        year.len() == 4 && year.bytes().all(|digit| digit.is_ascii_digit())
    };
    dates.filter(is_iso).max()
}

/// What the cited sources are too few or too old for.
fn of_cited(draft: &Draft<'_>) -> Vec<String> {
    let words = draft.words;
    let places = draft.catalogue.numbered();
    let cited: Vec<&Entry> = places.iter().filter_map(|at| draft.catalogue.entry(*at)).collect();
    let mut told = Vec::new();
    let voices = draft.catalogue.voices(draft.facts, places);
    let heard: std::collections::BTreeSet<&String> = voices.values().flatten().gather();
    if heard.len() == 1 {
        told.push(words.one_voice_limit.to_owned());
    }
    if let Some(newest) = newest(draft.facts, &cited) {
        told.push(fill(words.newest_limit, &[&line_of(newest, MOST_DATE)]));
    }
    let undated = cited.iter().filter(|entry| entry.published.is_none()).count();
    if undated > 0 {
        let counts = [undated, cited.len()].map(|count| count.to_string());
        told.push(fill(words.undated_limit, &[&counts[0], &counts[1]]));
    }
    told
}
