//! What events of a run say, in a few words.

use crate::show::duration;
use crate::show::words::{cost, shorten};
use quarry_events::At;
use quarry_events::run::{
    By, Citation, CutShort, QueryExecuted, QueryRule, ResolutionReason, Role, RunStarted, Stop,
    Sufficiency, SummaryMetrics, WaitingFor,
};
use quarry_evidence::{Confidence, Difference, Level, Reason};
use quarry_types::text::count;
use std::fmt::Write;

/// Characters of titles and of reasons.
const TITLE: usize = 60;

/// What bounds a run.
pub fn bounds(run: &RunStarted) -> String {
    let knobs = &run.config;
    format!(
        "depth {}, {}, {}, {}, {}",
        knobs.max_depth,
        count(knobs.max_rounds.into(), "round", "rounds"),
        count(knobs.max_nodes.into(), "question", "questions"),
        count(knobs.max_sources.into(), "source", "sources"),
        duration(knobs.timeouts.run as f64),
    )
}

/// What a query brought.
pub fn brought(query: &QueryExecuted) -> String {
    let rule = rule(query.rule, query.attempt);
    if let Some(error) = &query.error {
        return format!("{rule}, failed: {}", shorten(error, 200));
    }
    let results = count(query.results, "result", "results");
    let passages = count(query.new_passages, "new passage", "new passages");
    format!("{rule}, {results}, {passages}")
}

fn rule(rule: QueryRule, attempt: u32) -> String {
    match rule {
        QueryRule::New => "new".to_owned(),
        QueryRule::Cached => "cached".to_owned(),
        QueryRule::TimeSensitive => "again: what it asks changes with time".to_owned(),
        QueryRule::Recheck => "again: to check it".to_owned(),
        QueryRule::Stale => "again: what is kept is too old".to_owned(),
        QueryRule::FailedBefore => "again: it failed before".to_owned(),
        QueryRule::MoreResults => "again: for more results".to_owned(),
        QueryRule::Broadened => format!("broader, attempt {attempt}"),
    }
}

/// Who chose something, where it was no model.
pub const fn by(by: By) -> &'static str {
    match by {
        By::Model => "",
        By::Rule => " (by rule)",
    }
}

/// A source in a few words: its title and who has it.
pub fn source(citation: &Citation) -> String {
    let host = url::Url::parse(&citation.url).ok();
    let host = host.as_ref().and_then(url::Url::host_str).unwrap_or(&citation.url);
    format!("{} ({})", shorten(&citation.title, TITLE), shorten(host, TITLE))
}

/// The scores of an answer.
pub fn scores(sufficiency: &Sufficiency) -> String {
    let scores = &sufficiency.scores;
    let mut words = format!(
        "coverage {:.2}, quality {:.2}, contradictions {:.2}",
        scores.coverage, scores.quality, scores.contradiction_handling
    );
    if let Some(recency) = scores.recency {
        let _ = write!(words, ", recency {recency:.2}");
    }
    words
}

/// Why a node is as it is.
pub const fn resolution(reason: ResolutionReason) -> &'static str {
    match reason {
        ResolutionReason::Direct => "by its own evidence",
        ResolutionReason::Children => "by its parts",
        ResolutionReason::Depth => "it may not be parted further",
        ResolutionReason::Policy => "a bound on questions or sources",
        ResolutionReason::NoGain => "searching brought nothing new",
        ResolutionReason::Duplicate => "its parts are asked elsewhere",
        ResolutionReason::Budget => "the budget is used up",
        ResolutionReason::Timeout => "the time is over",
        ResolutionReason::Error => "a step failed",
        ResolutionReason::Aborted => "the run was ended",
    }
}

/// Why no further round follows.
pub const fn stop(stop: Stop) -> &'static str {
    match stop {
        Stop::Sufficient => "the task is answered",
        Stop::NoProgress => "the round brought nothing new",
        Stop::Bounds => "a bound is reached",
        Stop::NotMaterial => "nothing that is open could change the conclusion",
    }
}

/// Why a run is partial.
pub const fn cut_short(why: CutShort) -> &'static str {
    match why {
        CutShort::Timeout => "its time was over",
        CutShort::Budget => "its budget was used up",
    }
}

/// What a wait is for, and until when.
pub fn waiting(waiting: &WaitingFor, now: At) -> String {
    let hint = shorten(&waiting.hint, 400);
    let Some(until) = waiting.until else { return format!("waits for somebody: {hint}") };
    let seconds = until.0.since(now.0) as f64 / 1_000.0;
    let time = until.0.iso();
    let time = time.get(11..19).unwrap_or(&time);
    format!("waits until {time} UTC ({}): {hint}", duration(seconds))
}

/// What a call was for.
pub const fn role(role: Role) -> &'static str {
    match role {
        Role::Plan => "planning",
        Role::Read => "reading",
        Role::Judge => "judging",
        Role::Write => "writing",
    }
}

/// What two sources differ on.
pub const fn difference(difference: Difference) -> &'static str {
    match difference {
        Difference::Number => "on a number",
        Difference::Date => "on a date",
        Difference::Polarity => "on whether it is so",
    }
}

/// Who of two is believed.
pub const fn believed(reason: Option<Reason>) -> &'static str {
    match reason {
        Some(Reason::Primary) => "the first is believed: it alone is a primary source",
        Some(Reason::Newer) => "the first is believed: it is newer",
        Some(Reason::Corrected) => "the first is believed: it corrects the other",
        None => "nothing settles which of them is right",
    }
}

/// How far a report can be relied on.
pub fn confidence(confidence: Confidence) -> String {
    let level = match confidence.level {
        Level::Low => "low",
        Level::Medium => "medium",
        Level::High => "high",
    };
    format!("{level} ({:.2} of 1)", confidence.score)
}

/// What a run did.
pub fn totals(metrics: &SummaryMetrics) -> String {
    format!(
        "{}, {}, {} and {} answered from cache, {}, {}",
        count(metrics.rounds.into(), "round", "rounds"),
        count(metrics.nodes, "question", "questions"),
        count(metrics.queries, "query", "queries"),
        metrics.queries_cached,
        count(metrics.sources, "source", "sources"),
        count(metrics.findings, "verified finding", "verified findings"),
    )
}

/// What a run has cost so far.
pub fn spent(dollars: f64, known: bool, tokens: u64, unsettled: u64) -> String {
    let mut words = format!("{}, {}", cost(dollars, known), count(tokens, "token", "tokens"));
    if unsettled > 0 {
        let calls = count(unsettled, "call", "calls");
        let _ = write!(words, ", and {calls} of unknown cost");
    }
    words
}
