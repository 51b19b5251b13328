//! Section 2: what the run did, what it used, and what went wrong.

use super::block::{Block, Item, line};
use super::draft::Draft;
use super::words::{assessed, fill};
use quarry_events::run::{NodeState, Role};

/// Sentences of others that are shown, of each kind.
const MOST: usize = 40;

/// Writes section 2.
pub fn method(draft: &Draft<'_>) -> Vec<Block> {
    let mut items = figures(draft);
    items.push(Item::labelled(draft.words.models, models(draft)));
    let language = draft.facts.spoken.words();
    let penalties = draft.facts.penalties.iter().map(|it| assessed(language, it).into_owned());
    let penalties: Vec<String> = penalties.collect();
    items.push(listed(draft, draft.words.guidance, draft.facts.guidance));
    if !draft.facts.too_late.is_empty() {
        items.push(listed(draft, draft.words.too_late, draft.facts.too_late));
    }
    items.push(listed(draft, draft.words.was_down, &penalties));
    vec![Block::says(draft.words.method), Block::List(items)]
}

fn figures(draft: &Draft<'_>) -> Vec<Item> {
    let (words, facts) = (draft.words, draft.facts);
    let metrics = &facts.metrics;
    let text = |number: u64| number.to_string();
    let nodes = facts.tree.nodes();
    let resolved = facts.tree.count(NodeState::Resolved);
    let counts = [nodes.len(), resolved, nodes.len() - resolved].map(|count| count.to_string());
    let [all, resolved, open] = &counts;
    let read = facts.sources.iter().filter(|source| !source.content.is_unread()).count();
    let queries = [text(metrics.queries), text(metrics.queries_cached)];
    // Sources that nobody kept were found all the same.
    let found = text(metrics.sources.max(u64::try_from(read).unwrap_or(u64::MAX)));
    let mut items = vec![
        Item::labelled(words.started, day(&facts.started.iso())),
        Item::labelled(words.time, lasting(metrics.latency)),
        Item::labelled(words.rounds, metrics.rounds.to_string()),
        Item::labelled(words.questions, fill(words.questions_are, &[all, resolved, open])),
        Item::labelled(words.queries, fill(words.queries_are, &[&queries[0], &queries[1]])),
        Item::labelled(words.pages, fill(words.pages_are, &[&found, &read.to_string()])),
        Item::labelled(words.findings, text(metrics.findings)),
    ];
    if facts.language_model || !facts.bills_models_alone {
        items.push(Item::labelled(words.tokens, text(metrics.tokens)));
        items.push(Item::labelled(words.cost, cost(draft)));
    }
    if metrics.unsettled_calls > 0 {
        items.push(Item::labelled(words.unsettled, text(metrics.unsettled_calls)));
    }
    items
}

fn cost(draft: &Draft<'_>) -> String {
    let metrics = &draft.facts.metrics;
    let known = draft.words.number(metrics.cost, 4);
    match (metrics.cost_known, metrics.cost > 0.0) {
        (true, _) => format!("{known} US$"),
        (false, true) => fill(draft.words.cost_at_least, &[&known]),
        (false, false) => draft.words.cost_unknown.to_owned(),
    }
}

fn models(draft: &Draft<'_>) -> String {
    if !draft.facts.language_model {
        return draft.words.rules_alone.to_owned();
    }
    // A model is named once, with all that it did.
    let mut used: Vec<(String, Vec<Role>)> = Vec::new();
    for told in draft.facts.models.iter().take(MOST) {
        let model = line(&told.model);
        match used.iter_mut().find(|(known, _)| *known == model) {
            Some((_, roles)) if roles.contains(&told.role) => {}
            Some((_, roles)) => roles.push(told.role),
            None => used.push((model, vec![told.role])),
        }
    }
    let told = used.into_iter().map(|(model, roles)| {
        let roles: Vec<&str> = roles.into_iter().map(|role| draft.words.role(role)).collect();
        format!("{model} ({})", roles.join(", "))
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() { draft.words.rules_alone.to_owned() } else { told.join("; ") }
}

/// What others said, below its name.
fn listed(draft: &Draft<'_>, label: &str, told: &[String]) -> Item {
    if told.is_empty() {
        return Item::labelled(label, draft.words.none);
    }
    let mut item = Item::labelled(label, "");
    item.below =
        told.iter().take(MOST).map(|text| vec![super::block::Inline::text(line(text))]).collect();
    if told.len() > MOST {
        let more = fill(draft.words.more, &[&(told.len() - MOST).to_string()]);
        item.below.push(vec![super::block::Inline::text(more)]);
    }
    item
}

/// The day and the minute of a point in time: `2026-11-22 18:30 UTC`.
pub fn day(iso: &str) -> String {
    let (day, clock) = iso.split_once('T').unwrap_or((iso, ""));
    format!("{day} {} UTC", clock.get(..5).unwrap_or_default())
}

fn lasting(milliseconds: u64) -> String {
    let seconds = milliseconds / 1_000;
    match (seconds / 3_600, seconds / 60 % 60, seconds % 60) {
        (0, 0, 0) => format!("{milliseconds} ms"),
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}
