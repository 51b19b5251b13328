//! Turns the events of a run into what a person wants to read: its tree as it grows, then its report.
//!
//! Border: events in, text out. It prints nothing itself. Every event is matched by name, so that a new one does
//! not compile until it is decided here how it is shown.

mod report;
mod words;

use crate::lines::{Span, lines, painted, plain};
use crate::show::words::{BRIEF, shorten};
use crate::show::{ERASE_LINE, Style, duration};
use quarry_events::run::{
    AnyPayload, Citation, ConflictFound, CostUpdated, Envelope, Finding, NodeDecomposed,
    NodeResolved, NodeStarted, NodeSufficiencyEvaluated, NodeUnresolved, PassSufficiencyEvaluated,
    ReportDelta, RoundCompleted, RoundStarted, RunCompleted, RunStarted, SourcesRanked, StepFailed,
    SummaryMetrics, SynthesisCompleted,
};
use quarry_types::text::count;
use report::ReportText;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

const BOLD: &str = "1";
const QUIET: &str = "2";
const RED: &str = "31";
const GREEN: &str = "32";
const YELLOW: &str = "33";
const BLUE: &str = "36";

/// Characters of a claim, a gap, a message.
const LONG: usize = 400;
/// Sources, gaps and the like that are told one by one.
const MOST: usize = 8;

/// Shows one run.
pub struct Tree {
    style: Style,
    /// Columns; none: lines are as long as they are.
    width: Option<usize>,
    /// Whether a progress line stands at the cursor.
    progress: bool,
    /// What is going on, and what it has cost.
    now: (String, String),
    /// Steps below the root, by node.
    depths: BTreeMap<String, u32>,
    /// Sources by their names in the run.
    sources: BTreeMap<String, Citation>,
    report: Option<ReportText>,
    /// Whether a language model works: rules use no tokens and cost nothing.
    is_language_model: bool,
}

impl Tree {
    /// An empty screen.
    pub fn new(style: Style, width: Option<usize>) -> Tree {
        Tree {
            style,
            width,
            progress: false,
            now: (String::new(), String::new()),
            depths: BTreeMap::new(),
            sources: BTreeMap::new(),
            report: None,
            is_language_model: true,
        }
    }

    /// What to print for an event.
    pub fn event(&mut self, about: &Envelope, payload: &AnyPayload) -> String {
        let mut shown = String::new();
        let out = &mut shown;
        let node = about.node_id.as_deref().unwrap_or_default();
        let depth = self.depths.get(node).map_or(0, |depth| *depth as usize);
        match payload {
            AnyPayload::RunStarted(started) => self.started(out, about, started),
            AnyPayload::RunCompleted(completed) => self.completed(out, completed),
            AnyPayload::RunFailed(failed) => {
                self.ended(out, (RED, "Failed"), &failed.message, &failed.summary_metrics);
            }
            AnyPayload::RunAborted(aborted) => {
                let why = "somebody ended the run";
                self.ended(out, (YELLOW, "Aborted"), why, &aborted.summary_metrics);
            }
            AnyPayload::RoundStarted(round) => self.round(out, about, round),
            AnyPayload::RoundCompleted(round) => self.round_ended(out, round),
            AnyPayload::NodeStarted(started) => self.node(out, node, started),
            AnyPayload::NodeResolved(resolved) => self.answered(out, (node, depth), resolved),
            AnyPayload::NodeUnresolved(open) => self.left_open(out, (node, depth), open),
            AnyPayload::QueriesGenerated(chosen) => {
                let queries = count(chosen.queries.len() as u64, "query", "queries");
                self.goes_on(node, &format!("{queries}{}", words::by(chosen.by)));
            }
            AnyPayload::QueryExecuted(query) => {
                let code = if query.error.is_some() { RED } else { QUIET };
                self.query(out, depth, &query.query, painted(code, words::brought(query)));
            }
            AnyPayload::QuerySkippedCached(query) => {
                let age = duration(query.age as f64);
                let whose = if query.from_run_id.is_some() { " by another run" } else { "" };
                let same = shorten(&query.same_as, BRIEF);
                let words = format!("cached: as “{same}”, {age} ago{whose}");
                self.query(out, depth, &query.query, painted(QUIET, words));
            }
            AnyPayload::SourcesRanked(ranked) => self.ranked(out, depth, ranked),
            AnyPayload::SynthesisCompleted(found) => self.findings(out, depth, found),
            AnyPayload::NodeSufficiencyEvaluated(judged) => self.judged(out, depth, judged),
            AnyPayload::PassSufficiencyEvaluated(pass) => self.pass(out, pass),
            AnyPayload::NodeDecomposed(parted) => self.parted(out, depth, parted),
            // The last event has its confidence too.
            AnyPayload::ReportGenerated(_) => self.end_report(out),
            AnyPayload::ReportDelta(delta) => self.report_piece(out, delta),
            AnyPayload::CostUpdated(cost) => self.cost(out, cost),
            AnyPayload::ConflictFound(found) => self.conflict(out, depth, found),
            AnyPayload::GuidanceReceived(it) => self.notice(out, BLUE, "» Guidance:", &it.text),
            AnyPayload::RunWaiting(waits) => {
                let words = words::waiting(&waits.waiting, about.at);
                self.notice(out, YELLOW, "… The run", &words);
                "waiting".clone_into(&mut self.now.0);
            }
            AnyPayload::RunResumed(resumed) => {
                let asked = resumed.by_request;
                let why = if asked { "somebody asked for it" } else { "its time has come" };
                self.end_report(out);
                self.report = None;
                self.notice(out, GREEN, "▸ The run goes on:", why);
                if let Some(task) = &resumed.task {
                    self.label(out, "Task", &shorten(task, 4 * LONG));
                }
                if let Some(model) = &resumed.model {
                    self.label(out, "Model", model);
                }
            }
            AnyPayload::StepFailed(failed) => self.failed(out, depth, failed),
            // For whoever keeps the run.
            AnyPayload::CheckpointSaved(_) => {}
        }
        shown
    }

    /// The progress line, so long after the start; on a plain screen there is none.
    pub fn tick(&mut self, elapsed: Duration) -> String {
        if self.style == Style::Plain || self.report.is_some() {
            return String::new();
        }
        let (what, cost) = &self.now;
        let mut line = duration(elapsed.as_secs() as f64);
        for part in [what, cost].into_iter().filter(|part| !part.is_empty()) {
            let _ = write!(line, " · {part}");
        }
        self.progress = true;
        let room = self.width.unwrap_or(BRIEF).saturating_sub(6);
        let line = self.style.paint(QUIET, &format!("  … {}", shorten(&line, room)));
        format!("{ERASE_LINE}{line}")
    }

    /// What has to be printed before something else is.
    pub fn clear(&mut self) -> String {
        let mut out = String::new();
        self.break_off(&mut out);
        out
    }

    fn started(&mut self, out: &mut String, about: &Envelope, started: &RunStarted) {
        self.is_language_model = started.language_model;
        let note = if started.language_model { "" } else { " (no language model)" };
        self.label(out, "Run", &about.run_id.to_string());
        self.label(out, "Task", &shorten(&started.task, 4 * LONG));
        self.label(out, "Model", &format!("{}{note}", started.model));
        self.label(out, "Bounds", &words::bounds(started));
        self.depths.insert(started.root_node_id.clone(), 0);
    }

    fn round(&mut self, out: &mut String, about: &Envelope, round: &RoundStarted) {
        let open = count(round.frontier.len() as u64, "open question", "open questions");
        let round = format!("Round {}", about.round.unwrap_or(1));
        self.break_off(out);
        out.push('\n');
        self.put(out, 0, &[painted(BOLD, round), painted(QUIET, format!(" – {open}"))]);
    }

    fn round_ended(&mut self, out: &mut String, round: &RoundCompleted) {
        let all = round.resolved + round.unresolved;
        let found = count(round.new_findings, "new finding", "new findings");
        let words = format!("{} of {all} answered, {found}", round.resolved);
        self.put(out, 0, &[plain("Round ended: "), painted(QUIET, words)]);
    }

    fn node(&mut self, out: &mut String, node: &str, started: &NodeStarted) {
        self.depths.insert(node.to_owned(), started.depth);
        let again = match started.attempt {
            0 | 1 => String::new(),
            attempt => format!(" (again, visit {attempt})"),
        };
        let question = painted(BOLD, format!("{node} {}", shorten(&started.question, LONG)));
        let spans = [plain("○ "), question, painted(QUIET, again)];
        self.put_mark(out, 2 * started.depth as usize, &spans);
        self.goes_on(node, "choosing queries");
    }

    fn answered(
        &mut self,
        out: &mut String,
        (node, depth): (&str, usize),
        resolved: &NodeResolved,
    ) {
        let why = words::resolution(resolved.resolution_reason);
        let findings = count(resolved.findings, "finding", "findings");
        let words = format!(" {why}, score {:.2}, {findings}", resolved.score);
        let sign = painted(GREEN, format!("✓ {node} answered"));
        self.put_mark(out, 2 * depth, &[sign, plain(words)]);
    }

    fn left_open(&mut self, out: &mut String, (node, depth): (&str, usize), open: &NodeUnresolved) {
        let why = format!(" {}", words::resolution(open.resolution_reason));
        let more = format!(" – {}", shorten(&open.message, LONG));
        let sign = painted(YELLOW, format!("✗ {node} open:"));
        self.put_mark(out, 2 * depth, &[sign, plain(why), painted(QUIET, more)]);
    }

    /// Something that is about the run and no node.
    fn notice(&mut self, out: &mut String, code: &'static str, sign: &str, text: &str) {
        let text = plain(format!(" {}", shorten(text, LONG)));
        self.put_mark(out, 0, &[painted(code, sign), text]);
    }

    fn query(&mut self, out: &mut String, depth: usize, query: &str, brought: Span) {
        let query = plain(format!("⌕ {}", shorten(query, LONG)));
        self.put_mark(out, 2 * depth + 2, &[query, painted(QUIET, " – "), brought]);
    }

    fn ranked(&mut self, out: &mut String, depth: usize, ranked: &SourcesRanked) {
        for source in &ranked.sources {
            self.sources.insert(source.citation_id.clone(), source.clone());
        }
        for source in ranked.sources.iter().take(MOST) {
            let (code, sign) =
                if source.quality_tier == 1 { (GREEN, "★ ") } else { (QUIET, "· ") };
            let tier = painted(code, format!("tier {} ", source.quality_tier));
            let why = format!(" – {}", shorten(&source.tier_reason, BRIEF));
            let title = plain(words::source(source));
            self.put_mark(
                out,
                2 * depth + 2,
                &[painted(code, sign), tier, title, painted(QUIET, why)],
            );
        }
        let more = ranked.sources.len().saturating_sub(MOST) as u64;
        let left_out = ranked.dropped.len() as u64;
        let counts = [(more, "more"), (left_out, "left out")];
        let counts = counts.into_iter().filter(|(number, _)| *number > 0);
        let words: Vec<String> = counts.map(|(number, what)| format!("{number} {what}")).collect();
        if !words.is_empty() {
            self.put(out, 2 * depth + 4, &[painted(QUIET, words.join(", "))]);
        } else if ranked.sources.is_empty() {
            self.put(out, 2 * depth + 2, &[painted(QUIET, "no source")]);
        }
    }

    fn findings(&mut self, out: &mut String, depth: usize, found: &SynthesisCompleted) {
        for finding in &found.findings {
            self.finding(out, depth, finding);
        }
        if found.findings.is_empty() {
            self.put(out, 2 * depth + 2, &[painted(QUIET, "no new finding")]);
        }
        if found.rejected_snippets > 0 {
            let snippets = count(found.rejected_snippets, "quotation", "quotations");
            let words = format!("{snippets} left out: no source has them");
            self.put(out, 2 * depth + 2, &[painted(QUIET, words)]);
        }
    }

    fn finding(&mut self, out: &mut String, depth: usize, finding: &Finding) {
        let sign = if finding.verified { painted(GREEN, "• ") } else { painted(YELLOW, "◦ ") };
        let mut behind = if finding.verified { String::new() } else { " (unverified)".to_owned() };
        let from: Vec<String> = finding
            .citation_ids
            .iter()
            .filter_map(|id| self.sources.get(id))
            .map(|source| format!("{}, tier {}", words::source(source), source.quality_tier))
            .collect();
        let from = if from.is_empty() { "no source".to_owned() } else { from.join("; ") };
        let _ = write!(behind, " – {:.2}, {from}", finding.confidence);
        let claim = plain(shorten(&finding.claim, LONG));
        self.put_mark(out, 2 * depth + 2, &[sign, claim, painted(QUIET, behind)]);
    }

    fn judged(&mut self, out: &mut String, depth: usize, judged: &NodeSufficiencyEvaluated) {
        let it = &judged.sufficiency;
        let (code, enough) = if it.sufficient { (GREEN, "enough") } else { (YELLOW, "not enough") };
        let of = if judged.from_children { " with its parts" } else { "" };
        let score = painted(code, format!("score {:.2}, {enough}{of}", it.score));
        let scores = painted(QUIET, format!(": {}", words::scores(it)));
        self.put(out, 2 * depth + 2, &[score, scores]);
        self.list(out, 2 * depth + 4, "missing:", &it.gaps);
    }

    fn pass(&mut self, out: &mut String, pass: &PassSufficiencyEvaluated) {
        let (code, words) = match pass.stop {
            Some(stop) => (GREEN, words::stop(stop)),
            None => (YELLOW, "another round is worth it"),
        };
        self.put(out, 0, &[plain("Research: "), painted(code, words)]);
        self.list(out, 2, "critical:", &pass.critical_gaps);
    }

    fn parted(&mut self, out: &mut String, depth: usize, parted: &NodeDecomposed) {
        let parts = match parted.children.len() as u64 {
            0 => "no part that could be asked by itself".to_owned(),
            parts => count(parts, "part", "parts"),
        };
        let by = words::by(parted.by);
        self.put(out, 2 * depth + 2, &[painted(BOLD, format!("⑂ {parts}")), painted(QUIET, by)]);
        for child in &parted.children {
            self.depths.insert(child.node_id.clone(), depth as u32 + 1);
            let words = format!("- {} {}", child.node_id, shorten(&child.question, LONG));
            self.put_mark(out, 2 * depth + 4, &[plain(words)]);
        }
        for child in &parted.dropped {
            let question = shorten(&child.question, BRIEF);
            let words = format!("- left out: {question} ({})", shorten(&child.reason, BRIEF));
            self.put_mark(out, 2 * depth + 4, &[painted(QUIET, words)]);
        }
    }

    fn conflict(&mut self, out: &mut String, depth: usize, found: &ConflictFound) {
        let conflict = &found.conflict;
        let what = format!("≠ Sources disagree {}", words::difference(conflict.difference));
        self.put(out, 2 * depth + 2, &[painted(YELLOW, what)]);
        for side in [&conflict.one, &conflict.other] {
            let quote = format!("“{}”", shorten(&side.quote, LONG));
            let title = format!(" {}", shorten(&side.title, BRIEF));
            self.put(out, 2 * depth + 4, &[plain(quote), painted(QUIET, title)]);
        }
        let Some(explaining) = &found.explained_by else {
            let believed = words::believed(conflict.reason);
            return self.put(out, 2 * depth + 4, &[painted(QUIET, believed)]);
        };
        self.put(
            out,
            2 * depth + 4,
            &[painted(QUIET, "Both may be right, as another place says:")],
        );
        let quote = format!("“{}”", shorten(&explaining.quote, LONG));
        let title = format!(" {}", shorten(&explaining.title, BRIEF));
        self.put(out, 2 * depth + 4, &[plain(quote), painted(QUIET, title)]);
    }

    fn cost(&mut self, out: &mut String, cost: &CostUpdated) {
        let spent = words::spent(cost.cost, cost.cost_known, cost.tokens, cost.unsettled_calls);
        if self.style == Style::Plain && self.report.is_none() {
            let words = format!("$ {spent} so far ({}, {})", words::role(cost.role), cost.model);
            self.put(out, 0, &[plain(words)]);
        }
        self.now.1 = spent;
    }

    fn failed(&mut self, out: &mut String, depth: usize, failed: &StepFailed) {
        let times = count(failed.attempts.into(), "try", "tries");
        let sign = painted(RED, format!("! {} failed after {times}:", failed.step));
        let message = format!(" {}", shorten(&failed.message, LONG));
        let instead = format!(" – instead: {}", shorten(&failed.fallback, BRIEF));
        self.put_mark(out, 2 * depth, &[sign, plain(message), painted(QUIET, instead)]);
    }

    fn report_piece(&mut self, out: &mut String, piece: &ReportDelta) {
        self.break_off(out);
        let (room, style) = (self.room(0), self.style);
        if piece.anew {
            self.end_report(out);
            self.report = None;
        }
        if self.report.is_none() {
            let title = if piece.anew { "The report, begun anew" } else { "Report" };
            let _ = writeln!(out, "\n{}\n", style.paint(BOLD, title));
        }
        let report = self.report.get_or_insert_with(ReportText::default);
        out.push_str(&report.show(&piece.text, room, style));
    }

    fn end_report(&mut self, out: &mut String) {
        let (room, style) = (self.room(0), self.style);
        if let Some(report) = &mut self.report {
            out.push_str(&report.end(room, style));
        }
    }

    fn completed(&mut self, out: &mut String, completed: &RunCompleted) {
        // A report ends with an empty line, as its sections do.
        let is_apart = self.report.take().is_some_and(|report| report.is_apart());
        self.break_off(out);
        if !is_apart {
            out.push('\n');
        }
        if completed.partial {
            let why = completed.reason.map_or("research was cut short", words::cut_short);
            self.label(out, "Partial", why);
        }
        self.label(out, "Confidence", &words::confidence(completed.confidence));
        self.totals(out, &completed.summary_metrics);
    }

    fn ended(
        &mut self,
        out: &mut String,
        (code, how): (&'static str, &str),
        why: &str,
        metrics: &SummaryMetrics,
    ) {
        self.break_off(out);
        self.end_report(out);
        let _ = writeln!(out, "\n{}  {}", self.style.paint(code, how), shorten(why, LONG));
        self.totals(out, metrics);
    }

    fn totals(&mut self, out: &mut String, metrics: &SummaryMetrics) {
        self.label(out, "Totals", &words::totals(metrics));
        if self.is_language_model {
            let SummaryMetrics { cost, cost_known, tokens, unsettled_calls, .. } = *metrics;
            self.label(out, "Cost", &words::spent(cost, cost_known, tokens, unsettled_calls));
        }
        self.label(out, "Time", &format!("{:.1} s", metrics.latency as f64 / 1_000.0));
    }

    fn goes_on(&mut self, node: &str, what: &str) {
        self.now.0 = format!("{node}: {what}");
    }

    fn list(&mut self, out: &mut String, indent: usize, label: &str, items: &[String]) {
        for item in items.iter().take(MOST) {
            let item = plain(format!(" {}", shorten(item, LONG)));
            self.put(out, indent, &[painted(QUIET, label), item]);
        }
    }

    fn label(&mut self, out: &mut String, label: &str, value: &str) {
        self.put_behind(out, 0, &[painted(BOLD, label)], label.len().max(8) + 1, &[plain(value)]);
    }

    /// A line of a node, or several.
    fn put(&mut self, out: &mut String, indent: usize, spans: &[Span]) {
        self.put_behind(out, indent, &[], 0, spans);
    }

    /// The same, with what follows the first line moved in: it begins with a sign of one column.
    fn put_mark(&mut self, out: &mut String, indent: usize, spans: &[Span]) {
        self.put_behind(out, indent, &[], 2, spans);
    }

    /// Lines, the first of them behind a label; those that follow are moved in by so many columns.
    fn put_behind(
        &mut self,
        out: &mut String,
        indent: usize,
        label: &[Span],
        hang: usize,
        spans: &[Span],
    ) {
        self.break_off(out);
        // A deep tree on a narrow terminal would have no columns left.
        let indent = self.width.map_or(indent, |width| indent.min(width / 3));
        let room = self.room(indent + hang);
        let (first, next) = (" ".repeat(indent), " ".repeat(indent + hang));
        let shown = lines(spans, room, self.style);
        for (at, line) in shown.iter().enumerate() {
            let _ = match (at, label) {
                (0, [Span { code, text }, ..]) => {
                    let gap = " ".repeat(hang.saturating_sub(text.chars().count()));
                    writeln!(out, "{first}{}{gap}{line}", self.style.paint(code, text))
                }
                (0, []) => writeln!(out, "{first}{line}"),
                _ => writeln!(out, "{next}{line}"),
            };
        }
    }

    /// Columns for text behind so many.
    fn room(&self, taken: usize) -> usize {
        self.width.map_or(usize::MAX, |width| width.saturating_sub(taken).max(20))
    }

    /// Takes the progress line away.
    fn break_off(&mut self, out: &mut String) {
        if self.progress {
            out.push_str(ERASE_LINE);
            self.progress = false;
        }
    }
}

#[cfg(test)]
#[path = "tree/tests.rs"]
mod tests;
