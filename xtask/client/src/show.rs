//! Turns the events of an ask into what a person wants to read.
//!
//! Border: events in, text out. It prints nothing itself. Every event is matched by name, so
//! that a new one does not compile until it is decided here how it is shown.

mod flow;
mod markers;
mod proof;
pub mod words;

use crate::lines::{lines, plain};
use flow::Flow;
use markers::Markers;
use quarry_events::{AnswerDelta, AnyPayload, Complete, CostSummary, CostTotals, Ended, Failure};
use quarry_events::{
    FinalAnswer, Init, QuotaExceeded, Source, StageState, ToolResult, Tools, left_out_line,
};
use std::collections::BTreeMap;
use std::fmt::Write;
pub use words::duration;
use words::{BRIEF, clean, shorten};

/// The call that puts an answer into the form that a program wants.
const FINAL_FORMAT: &str = "final_format";

/// The columns of a label, before what belongs to it.
const BEHIND: &str = "         ";

/// Takes the line at the cursor away.
pub const ERASE_LINE: &str = "\r\x1b[2K";

/// Whether escape sequences may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Text only.
    Plain,
    /// Colours, and progress lines that are overwritten.
    Terminal,
}

impl Style {
    /// A text in a colour, where there are any.
    pub fn paint(self, code: &str, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Terminal => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

/// Shows one ask.
pub struct Screen {
    style: Style,
    /// The lines of the terminal.
    flow: Flow,
    /// Whether a progress line stands at the cursor.
    progress: bool,
    heading: Heading,
    /// Tool calls under way, by id.
    pending: BTreeMap<String, String>,
    answer: String,
    markers: Markers,
    /// Whether what is written now is JSON, which is shown when it is whole.
    is_for_programs: bool,
    /// What stands behind the answer: its sources, and how far it holds.
    proof: String,
    cost: Option<CostSummary>,
    /// Whether a language model answers: rules use no tokens and cost nothing.
    is_language_model: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heading {
    None,
    Research,
    Answer,
}

impl Screen {
    /// An empty screen.
    pub fn new(style: Style) -> Screen {
        Screen {
            style,
            flow: Flow::default(),
            progress: false,
            heading: Heading::None,
            pending: BTreeMap::new(),
            answer: String::new(),
            markers: Markers::default(),
            is_for_programs: false,
            proof: String::new(),
            cost: None,
            is_language_model: true,
        }
    }

    /// On a terminal of so many columns.
    #[must_use]
    pub fn within(self, width: Option<usize>) -> Screen {
        Screen { flow: Flow::within(width), ..self }
    }

    /// What takes the progress line away, or ends the line of the answer, before something else is written there.
    pub fn cleared(&mut self) -> String {
        let mut out = String::new();
        self.clear(&mut out);
        if self.heading == Heading::Answer {
            out.push_str(&self.flow.broken());
        }
        out
    }

    /// What to print for an event.
    pub fn event(&mut self, payload: &AnyPayload) -> String {
        let text = self.text(payload);
        let mut out = self.flow.push(&text);
        // A piece of the answer may end within a word; all else is whole.
        if !text.is_empty() && !matches!(payload, AnyPayload::AnswerDelta(_)) {
            out.push_str(&self.flow.rest());
        }
        out
    }

    /// The same in lines of any length.
    fn text(&mut self, payload: &AnyPayload) -> String {
        let mut out = String::new();
        match payload {
            AnyPayload::Init(init) => self.init(&mut out, init),
            AnyPayload::Persona(plan) => {
                self.label(&mut out, "Plan", &shorten(&plan.persona, BRIEF));
            }
            AnyPayload::ResearchQuestions(plan) => self.questions(&mut out, &plan.questions),
            AnyPayload::LlmRequest(call) => {
                self.is_for_programs = call.phase == FINAL_FORMAT;
                self.progress(&mut out, words::phase(&call.phase));
            }
            AnyPayload::Stage(stage) => match stage.state {
                StageState::Begun => self.progress(&mut out, &words::stage(stage)),
                StageState::Ended => {}
            },
            AnyPayload::Thought(thought) => {
                self.line(&mut out, "2", &format!("  · {}", shorten(&thought.title, BRIEF)));
            }
            AnyPayload::Waiting(waiting) => {
                self.line(&mut out, "33", &format!("  … {}", words::waiting(waiting)));
            }
            AnyPayload::Tools(tools) => self.tools(&mut out, tools),
            AnyPayload::ToolResult(result) => self.tool_result(&mut out, result),
            AnyPayload::Sources(sources) => self.sources(&mut out, &sources.added),
            AnyPayload::Citation(cited) => self.markers.expect(&cited.citation, self.style),
            AnyPayload::AnswerDelta(delta) => self.answer_piece(&mut out, delta),
            AnyPayload::FinalAnswer(answer) => self.final_answer(&mut out, answer),
            AnyPayload::CostSummary(cost) => self.cost = Some(cost.clone()),
            AnyPayload::Complete(complete) => self.complete(&mut out, complete),
            AnyPayload::Error(failure) => self.failure(&mut out, failure),
            AnyPayload::QuotaExceeded(quota) => self.quota(&mut out, quota),
            // What they say is said by others, or is for programs.
            AnyPayload::Log(_)
            | AnyPayload::LlmCall(_)
            | AnyPayload::LlmResponse(_)
            | AnyPayload::SetupComplete(_)
            // `final_answer` has the same.
            | AnyPayload::KnowledgeAnswer(_)
            | AnyPayload::Step(_)
            // Reserved names that nothing emits.
            | AnyPayload::SearchResults(_)
            | AnyPayload::FinalResponse(_)
            | AnyPayload::Continuation(_)
            | AnyPayload::InterruptState(_)
            | AnyPayload::Search(_)
            | AnyPayload::SearchDigest(_) => {}
        }
        out
    }

    /// A line that the next output replaces; on a plain screen it is left out.
    pub fn progress(&mut self, out: &mut String, line: &str) {
        if self.style == Style::Plain || line.is_empty() || self.heading == Heading::Answer {
            return;
        }
        // A line that wraps is not taken away whole.
        let room = self.flow.room().map_or(usize::MAX, |room| room.saturating_sub(5));
        let line = self.paint("2", &format!("  … {}", shorten(line, room)));
        let _ = write!(out, "{ERASE_LINE}{line}");
        self.progress = true;
    }

    fn init(&mut self, out: &mut String, init: &Init) {
        // An ask that is resumed begins its answer again.
        self.heading = Heading::None;
        self.answer.clear();
        self.is_for_programs = false;
        self.markers = Markers::default();
        self.is_language_model = init.language_model;
        let note = if init.language_model { "" } else { " (no language model)" };
        self.label(out, "Model", &format!("{}{note}", init.model));
        if let Some(fallback) = &init.fallback {
            self.note(out, &format!("instead of {}: {}", fallback.requested, fallback.reason));
        }
        if let Some(line) = left_out_line(init.turns_left_out) {
            self.note(out, &line);
        }
        if init.question != init.query {
            self.label(out, "Question", &init.question);
        }
    }

    fn questions(&mut self, out: &mut String, questions: &[String]) {
        self.clear(out);
        for (index, question) in questions.iter().enumerate() {
            let _ = writeln!(out, "{BEHIND}{}. {}", index + 1, clean(question));
        }
    }

    fn tools(&mut self, out: &mut String, tools: &Tools) {
        if self.heading == Heading::None {
            self.clear(out);
            let _ = writeln!(out, "{}", self.paint("1", "Research"));
            self.heading = Heading::Research;
        }
        for call in &tools.calls {
            self.pending.insert(call.id.clone(), shorten(&call.line, BRIEF));
        }
        self.show_pending(out);
    }

    fn show_pending(&mut self, out: &mut String) {
        let lines: Vec<_> = self.pending.values().cloned().collect();
        let line = match lines.as_slice() {
            [] => return,
            [one] => one.clone(),
            [first, rest @ ..] => format!("{first} and {} more", rest.len()),
        };
        self.progress(out, &line);
    }

    fn tool_result(&mut self, out: &mut String, result: &ToolResult) {
        self.clear(out);
        self.pending.remove(&result.id);
        let sign = if result.ok { self.paint("32", "✓") } else { self.paint("31", "✗") };
        let seconds = result.duration as f64 / 1000.0;
        let what = shorten(&result.line, BRIEF);
        let summary = format!("{}, {seconds:.1} s", words::outcome(result));
        let summary = self.paint("2", &summary);
        let _ = writeln!(out, "  {sign} {what}  {summary}");
        self.show_pending(out);
    }

    fn sources(&mut self, out: &mut String, added: &[Source]) {
        for source in added {
            // Its number is given when the answer cites it.
            let title = shorten(&source.title, BRIEF);
            self.line(out, "2", &format!("    · {title} {}", words::clean(&source.url)));
        }
        self.show_pending(out);
    }

    fn answer_piece(&mut self, out: &mut String, delta: &AnswerDelta) {
        if self.is_for_programs {
            return;
        }
        self.open_answer(out);
        self.answer.push_str(&delta.text);
        out.push_str(&self.markers.show(delta.at, &delta.text));
    }

    fn open_answer(&mut self, out: &mut String) {
        if self.heading != Heading::Answer {
            self.clear(out);
            let _ = writeln!(out, "\n{}\n", self.paint("1", "Answer"));
            self.heading = Heading::Answer;
        }
    }

    /// The answer is shown once: as it was written, or now, when it was not.
    fn final_answer(&mut self, out: &mut String, answer: &FinalAnswer) {
        let content = words::content(answer);
        let content = content.as_ref();
        let shown = self.answer.trim_end();
        match content.strip_prefix(shown) {
            Some(rest) if !shown.is_empty() => {
                out.push_str(&self.markers.show(shown.chars().count(), rest.trim_end()));
            }
            _ => {
                if !shown.is_empty() {
                    let _ = writeln!(out, "\n\n{}", self.paint("2", "(corrected)"));
                }
                self.open_answer(out);
                let has_markers = answer.format.is_none();
                let citations = if has_markers { answer.citations.as_slice() } else { &[] };
                self.markers = Markers::of(citations, self.style);
                out.push_str(&self.markers.show(0, content.trim_end()));
            }
        }
        content.clone_into(&mut self.answer);
        self.proof = proof::proof(answer, self.style, self.flow.room());
        out.push('\n');
        let degraded = answer.degraded.as_ref();
        let notes = [
            words::finish(answer.finish).map(str::to_owned),
            degraded.map(|why| format!("answered without the language model: {}", why.reason)),
        ];
        if notes.iter().any(Option::is_some) {
            out.push('\n');
        }
        for note in notes.into_iter().flatten() {
            self.note(out, &note);
        }
    }

    fn complete(&mut self, out: &mut String, complete: &Complete) {
        self.clear(out);
        if complete.ended == Ended::Stopped {
            let _ = writeln!(out, "\n{}", self.paint("33", "Stopped"));
        }
        out.push_str(&self.proof);
        let seconds = complete.execution_time as f64 / 1000.0;
        let mut line = String::new();
        if let Some(cost) = self.cost.as_ref().filter(|_| self.is_language_model) {
            let tokens = cost.token_counts;
            line = words::cost(cost.total_cost, cost.cost_known);
            let _ = write!(line, ", {} tokens in, {} out, ", tokens.input, tokens.output);
        }
        let _ = write!(line, "{seconds:.1} s");
        out.push('\n');
        let label = if self.is_language_model { "Cost" } else { "Time" };
        self.label(out, label, &line);
    }

    fn failure(&mut self, out: &mut String, failure: &Failure) {
        self.clear(out);
        let error = self.paint("31", "Error");
        let _ = writeln!(out, "\n{error}    {}", clean(&failure.error));
    }

    fn quota(&mut self, out: &mut String, quota: &QuotaExceeded) {
        self.clear(out);
        let paused = self.paint("33", "Paused");
        let _ = writeln!(out, "\n{paused}   {}", clean(&quota.message));
        let CostTotals { total_cost, cost_known, total_tokens, .. } = quota.cost_summary;
        let cost = words::cost(total_cost, cost_known);
        self.label(out, "Cost", &format!("{cost}, {total_tokens} tokens so far"));
    }

    fn label(&mut self, out: &mut String, label: &str, value: &str) {
        self.clear(out);
        let value = match self.flow.room() {
            Some(room) => {
                let rows = lines(&[plain(value)], room.saturating_sub(BEHIND.len()), self.style);
                rows.join(&format!("\n{BEHIND}"))
            }
            None => clean(value),
        };
        let _ = writeln!(out, "{} {value}", self.paint("1", &format!("{label:<8}")));
    }

    fn note(&mut self, out: &mut String, note: &str) {
        self.label(out, "Note", note);
    }

    /// A line of its own. Once the answer is being written it would break it up.
    fn line(&mut self, out: &mut String, code: &str, line: &str) {
        if self.heading != Heading::Answer {
            self.clear(out);
            let _ = writeln!(out, "{}", self.paint(code, line));
        }
    }

    /// Takes the progress line away.
    fn clear(&mut self, out: &mut String) {
        if self.progress {
            out.push_str(ERASE_LINE);
            self.progress = false;
        }
    }

    fn paint(&self, code: &str, text: &str) -> String {
        self.style.paint(code, text)
    }
}

#[cfg(test)]
#[path = "show/tests.rs"]
mod tests;
