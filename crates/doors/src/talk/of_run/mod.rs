//! A run's events, told as those of an ask: what it searches and reads as calls, each question of its tree and what
//! came of it as thoughts, and its report as the answer.
//!
//! Border: starts from nothing but the events, so that the same events tell the same. A run is over for whoever is told
//! of it here at its first end; what it does when somebody resumes it is told at its own address.

mod cited;
mod read;

use std::collections::BTreeMap;

use quarry_events::run::EventName;
use quarry_events::{FailureKind, Finish, Seconds, StageName};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use self::cited::{Listed, cited};
use self::read::{Metrics, Ranked, Read, Sufficiency, Waiting};
use super::told::{Call, Found, Source, Told, Wait};
use crate::Event;

/// Findings of a node that are told.
const MOST_FINDINGS: usize = 12;

/// A run as far as it was told.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct OfRun {
    nodes: BTreeMap<String, Node>,
    /// Every source that was ranked, as it came.
    sources: Vec<Listed>,
    /// The report as it is written. What begins it anew takes the place of it all.
    report: Vec<String>,
    is_writing: bool,
    waits: Option<Pause>,
    spent: Option<Spent>,
    /// When the last event was, in milliseconds since 1970.
    at: u64,
}

/// What a run waits for that it goes on from by itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pause {
    /// Why, and what to do.
    pub hint: String,
    /// Seconds from when that was told.
    pub seconds: f64,
    /// When it is over, in milliseconds since 1970.
    pub until: u64,
    /// Whether a provider's limit is why.
    pub is_limit: bool,
}

/// What all calls of a run used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spent {
    /// In and out.
    pub tokens: u64,
    /// US dollars; none where not every call's cost is known.
    pub cost: Option<f64>,
}

/// A question of the tree.
#[derive(Debug, Clone, Default, PartialEq)]
struct Node {
    question: String,
    findings: Vec<String>,
    sufficiency: Option<Sufficiency>,
}

impl OfRun {
    /// What the run waits for now, where it goes on by itself.
    pub(crate) const fn waits(&self) -> Option<&Pause> {
        self.waits.as_ref()
    }

    /// What it used, once it has ended.
    pub(crate) const fn spent(&self) -> Option<Spent> {
        self.spent
    }

    /// When the last event was, in milliseconds since 1970.
    pub(crate) const fn at(&self) -> u64 {
        self.at
    }

    /// Takes an event and gives what is told of it.
    pub(crate) fn read(&mut self, event: &Event<EventName>) -> Vec<Told> {
        let Ok(read) = serde_json::from_str::<Read>(&event.data) else {
            // A payload that cannot be read tells nothing; the last one still ends it.
            let failed =
                || self::failed(FailureKind::Internal, "the end of the run could not be read");
            return event.name.is_last().then(failed).into_iter().collect();
        };
        self.at = read.at.map_or(self.at, |at| at.0.0);
        self.waits = None;
        match event.name {
            EventName::RunStarted => {
                vec![Told::Init { query: read.task, model: read.model, left_out: 0 }]
            }
            EventName::RoundStarted => vec![Told::Begun(StageName::Research, read.round)],
            EventName::NodeStarted => self.taken_up(read),
            EventName::QueryExecuted => searched(event, read),
            EventName::SourcesRanked => self.ranked(event, read.sources),
            EventName::SynthesisCompleted => self.found(&read),
            EventName::NodeSufficiencyEvaluated => self.judged(read),
            EventName::NodeDecomposed => parted(&read),
            EventName::NodeResolved => self.left(&read, "Answered"),
            EventName::NodeUnresolved => self.left(&read, "Still open"),
            EventName::PassSufficiencyEvaluated => passed(&read),
            EventName::GuidanceReceived => vec![thought("Guidance was given", read.text)],
            EventName::StepFailed => vec![thought(
                &format!("A step failed: {}", read.step),
                format!("{}. {}", read.message.trim_end_matches('.'), read.fallback),
            )],
            EventName::RunWaiting => self.waiting(read),
            EventName::RunResumed => {
                self.report.clear();
                Vec::new()
            }
            EventName::ReportDelta => self.written(read),
            EventName::RunCompleted => self.completed(&read),
            EventName::RunAborted => self.aborted(read),
            EventName::RunFailed => self.ended(&read, failed(FailureKind::Internal, &read.message)),
            EventName::RoundCompleted
            | EventName::QueriesGenerated
            | EventName::QuerySkippedCached
            | EventName::ReportGenerated
            | EventName::CostUpdated
            | EventName::ConflictFound
            | EventName::CheckpointSaved => Vec::new(),
        }
    }

    fn taken_up(&mut self, read: Read) -> Vec<Told> {
        let part = read.parent_id.as_ref().and_then(|id| self.nodes.get(id));
        let text = match part {
            Some(whole) => format!("A part of: {}", whole.question),
            None if read.attempt > 1 => "Taken up again.".to_owned(),
            None => "The whole task.".to_owned(),
        };
        let node = self.nodes.entry(read.node_id).or_default();
        node.question.clone_from(&read.question);
        vec![thought(&read.question, text)]
    }

    /// Pages that are read are told once, and documents of one's own as what was searched for.
    fn ranked(&mut self, event: &Event<EventName>, ranked: Vec<Ranked>) -> Vec<Told> {
        let mut told = Vec::new();
        for (at, Ranked { citation_id, url, title }) in ranked.into_iter().enumerate() {
            if self.sources.iter().any(|known| known.citation_id == citation_id) {
                continue;
            }
            if !url.starts_with('/') {
                let line = format!("Reading: {url}");
                let id = format!("page{}-{at}", event.sequence.unwrap_or_default());
                told.extend(call(id, "scrape_web_content", &json!({ "url": url }), line, None));
            }
            self.sources.push(Listed { citation_id, url, title });
        }
        told
    }

    fn found(&mut self, read: &Read) -> Vec<Told> {
        let Some(node) = self.nodes.get_mut(&read.node_id) else { return Vec::new() };
        for finding in read.findings.as_array().into_iter().flatten() {
            let claim = finding.get("claim").and_then(serde_json::Value::as_str);
            let is_verified = finding.get("verified").and_then(serde_json::Value::as_bool);
            let mark = if is_verified == Some(true) { "" } else { " (not verified)" };
            node.findings.extend(claim.map(|claim| format!("- {claim}{mark}")));
        }
        Vec::new()
    }

    fn judged(&mut self, read: Read) -> Vec<Told> {
        if let Some(node) = self.nodes.get_mut(&read.node_id) {
            node.sufficiency = read.sufficiency;
        }
        Vec::new()
    }

    /// What came of a question: what was found, how far that answers it, and how it stands.
    fn left(&mut self, read: &Read, stands: &str) -> Vec<Told> {
        let Some(node) = self.nodes.get_mut(&read.node_id) else { return Vec::new() };
        let mut lines = std::mem::take(&mut node.findings);
        let more = lines.len().saturating_sub(MOST_FINDINGS);
        lines.truncate(MOST_FINDINGS);
        if more > 0 {
            lines.push(format!("- and {more} more"));
        }
        if lines.is_empty() {
            lines.push("Nothing new was found.".to_owned());
        }
        lines.push(String::new());
        if let Some(Sufficiency { score, rationale, gaps, .. }) = &node.sufficiency {
            lines.push(format!("Sufficiency {score:.2}: {rationale}"));
            lines.extend(gaps.iter().map(|gap| format!("- Missing: {gap}")));
        }
        let why = Some(read.message.as_str()).filter(|why| !why.is_empty());
        let why = why.map_or_else(|| read.resolution_reason.replace('_', " "), str::to_owned);
        lines.push(format!("{stands}: {why}"));
        vec![thought(&node.question, lines.join("\n"))]
    }

    fn waiting(&mut self, read: Read) -> Vec<Told> {
        let Some(Waiting { reason, until, hint }) = read.waiting else { return Vec::new() };
        let Some(until) = until.map(|until| until.0.0) else {
            return vec![failed(reason.kind(), &format!("the run waits: {hint}"))];
        };
        let seconds = Seconds(until.saturating_sub(self.at) as f64 / 1_000.0);
        let is_limit = reason.is_limit();
        let message = hint.clone();
        self.waits = Some(Pause { hint, seconds: seconds.0, until, is_limit });
        vec![Told::Wait(Wait { seconds: json!(seconds), message })]
    }

    fn written(&mut self, read: Read) -> Vec<Told> {
        if read.anew {
            self.report.clear();
        }
        self.report.push(read.text);
        let is_first = !std::mem::replace(&mut self.is_writing, true);
        is_first.then_some(Told::Begun(StageName::Answer, None)).into_iter().collect()
    }

    /// The report is told when it is whole: a piece of it may yet be taken back.
    fn completed(&mut self, read: &Read) -> Vec<Told> {
        let report = std::mem::take(&mut self.report);
        let citations = cited(&report.concat(), &self.sources);
        let mut sources: Vec<Source> = Vec::new();
        for it in &citations {
            let Some(n) = it.n else { continue };
            let Err(at) = sources.binary_search_by_key(&n, |source| source.n) else { continue };
            let (url, title) = cited::source(&it.url, &self.sources)
                .map_or_else(|| (&it.url, &it.title), |it| (&it.url, &it.title));
            sources.insert(at, Source { n, title: title.clone(), url: url.clone() });
        }
        let finish = if read.partial { Finish::Budget } else { Finish::Stop };
        let mut told = vec![Told::Sources(sources)];
        told.extend(report.into_iter().map(Told::Piece));
        told.push(Told::Answer(finish, citations));
        told.extend(self.ended(read, Told::Complete));
        told
    }

    /// What is under way when somebody ends a run is cut off, and nobody knows what it used. What is known of all else is
    /// told all the same, and no cost.
    fn aborted(&mut self, mut read: Read) -> Vec<Told> {
        if let Some(metrics) = &mut read.summary_metrics {
            metrics.cost_known = metrics.is_known();
            metrics.unsettled_calls = 0;
        }
        self.ended(&read, Told::Complete)
    }

    /// The end, behind what all calls used.
    fn ended(&mut self, read: &Read, end: Told) -> Vec<Told> {
        let metrics = read.summary_metrics.as_ref();
        self.spent = metrics.map(|metrics| Spent {
            tokens: metrics.tokens,
            cost: metrics.is_known().then_some(metrics.cost),
        });
        let costs = metrics.and_then(Metrics::costs).map(|costs| Told::Costs(Box::new(costs)));
        costs.into_iter().chain([end]).collect()
    }
}

/// The events without the ends that somebody has gone on from since, and without waits that an end came behind: how the run
/// stands now, whatever it did before.
pub(crate) fn standing(events: &mut Vec<Event<EventName>>) {
    let resumed = events.iter().rposition(|event| event.name == EventName::RunResumed);
    // Who ends a run that waits does not resume it first.
    let ended = events.iter().rposition(|event| event.name.is_last());
    let mut at = 0;
    events.retain(|event| {
        let over = match event.name {
            EventName::RunWaiting => resumed.max(ended),
            name if name.is_last() => resumed,
            _ => None,
        };
        let is_over = over.is_some_and(|over| at < over);
        at += 1;
        !is_over
    });
}

fn thought(title: &str, text: String) -> Told {
    Told::Thought { title: title.to_owned(), text }
}

fn failed(kind: FailureKind, message: &str) -> Told {
    Told::Failed { kind, message: message.to_owned(), found: 0 }
}

/// A call that began and ended.
fn call(
    id: String,
    name: &str,
    args: &serde_json::Value,
    line: String,
    error: Option<String>,
) -> [Told; 2] {
    let (ok, output) = (error.is_none(), error.unwrap_or_default());
    let args = to_raw_value(args).unwrap_or_else(|_| RawValue::NULL.to_owned());
    let begun = Call { id: id.clone(), name: name.to_owned(), args: args.clone(), line };
    let (urls, error) = (None, None);
    let ended = Found { id, name: name.to_owned(), args, output, ok, urls, error };
    [Told::Calls(vec![begun]), Told::Result(Box::new(ended))]
}

fn searched(event: &Event<EventName>, read: Read) -> Vec<Told> {
    let id = format!("query{}", event.sequence.unwrap_or_default());
    let (name, verb) = match read.searched_in.as_deref() {
        Some("knowledge") => ("search_knowledge", "Searching the documents"),
        _ => ("search_web", "Searching"),
    };
    let line = format!("{verb}: {}", read.query);
    call(id, name, &json!({ "query": read.query }), line, read.error).into()
}

fn parted(read: &Read) -> Vec<Told> {
    let parts: Vec<String> = read.children.iter().map(|it| format!("- {}", it.question)).collect();
    if parts.is_empty() {
        return Vec::new();
    }
    vec![thought("Parting the question", parts.join("\n"))]
}

fn passed(read: &Read) -> Vec<Told> {
    let gaps = read.critical_gaps.iter().map(|gap| format!("- Missing: {gap}"));
    let stop =
        read.stop.as_ref().map(|stop| format!("No further round: {}", stop.replace('_', " ")));
    let lines = std::iter::once(read.rationale.clone()).chain(gaps).chain(stop);
    vec![thought("Looking at all of it", lines.collect::<Vec<_>>().join("\n"))]
}

#[cfg(test)]
mod tests;
