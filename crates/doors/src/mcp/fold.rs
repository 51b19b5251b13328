//! An ask's events as the state of a research, which a tool gives.
//!
//! Border: starts from the ask's id and from nothing else, so the same events give the same result. What prompts and
//! models say to each other never leaves by it.

use quarry_events::{At, EventName, FailureKind, Finish, run};
use quarry_types::Timestamp;
use quarry_types::json::put as put_in;
use quarry_types::text::unended;
use serde::Serialize;
use serde_json::{Value, json};

use super::address;
use super::era::Version;
use crate::talk::{Costs, OfRun, Pause, Told};
use crate::{Event, Refusal};

/// A research as far as it has come.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Fold {
    ask: String,
    question: String,
    answer: String,
    sources: Vec<Source>,
    finish: Option<Finish>,
    usage: Option<Usage>,
    cost: Option<f64>,
    /// The oldest turns that the model has no room for; a context is one.
    left_out: usize,
    /// What went on last.
    line: String,
    /// What a run waits for, and goes on from by itself.
    pause: Option<Pause>,
    /// Why it cannot be read on for now, though it goes on.
    unread: Option<Unread>,
    /// When the last event was, in milliseconds since 1970; 0: nobody said.
    at: u64,
    end: Option<End>,
}

/// A source.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Source {
    n: usize,
    title: String,
    url: String,
}

/// Tokens of all calls together.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Usage {
    input_tokens: u64,
    output_tokens: u64,
    total_tokens: u64,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq)]
enum End {
    Answered,
    Stopped,
    Failed {
        kind: &'static str,
        message: String,
    },
    /// Its process died, and what it had found is kept.
    Interrupted,
    Limited {
        message: String,
        seconds: f64,
        until: u64,
    },
}

/// What is told of an end that somebody can go on from at once.
const INTERRUPTED: &str = "the research was interrupted as its process ended";

/// Why there is no more of what goes on.
#[derive(Debug, Clone, PartialEq)]
struct Unread {
    kind: &'static str,
    message: String,
    /// Seconds after which to look again, where somebody said so.
    seconds: Option<u64>,
}

/// How it stands, for whoever holds a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    Working,
    /// It has a result, be it that it failed.
    Completed,
    Cancelled,
}

impl Fold {
    /// The ask behind it has this id.
    pub fn begin(&mut self, ask: &str) {
        ask.clone_into(&mut self.ask);
    }

    /// Takes an event and gives the lines to tell of it. Behind the last event there is nothing more.
    pub fn step(&mut self, event: &Event) -> Vec<String> {
        if self.end.is_some() || event.name == EventName::Log {
            return Vec::new();
        }
        if event.name == EventName::ToolResult {
            // Long, and nothing of it is told.
            self.at = At::of(&event.data).map_or(self.at, |at| at.0.0);
            return Vec::new();
        }
        let Some(told) = Told::read(event.name, &event.data) else {
            // A payload that cannot be read tells nothing; the last one still ends it.
            if event.name.is_last() {
                self.fail("internal", "the end of the ask could not be read");
            }
            return Vec::new();
        };
        self.at = At::of(&event.data).map_or(self.at, |at| at.0.0);
        self.tell(told)
    }

    /// The same of a run's event.
    pub fn step_of_run(&mut self, run: &mut OfRun, event: &Event<run::EventName>) -> Vec<String> {
        if self.end.is_some() {
            return Vec::new();
        }
        let told = run.read(event);
        let lines = told.into_iter().flat_map(|told| self.tell(told)).collect();
        self.pause = run.waits().cloned();
        self.cost = run.spent().and_then(|spent| spent.cost);
        self.at = run.at();
        lines
    }

    fn tell(&mut self, told: Told) -> Vec<String> {
        let mut lines = told.lines();
        lines.retain(|line| !line.is_empty());
        if let Some(last) = lines.last() {
            self.line.clone_from(last);
        }
        if self.end.is_none() {
            self.take(told);
        }
        lines
    }

    /// What went on last; none: nothing yet.
    pub fn line(&self) -> Option<&str> {
        Some(self.line.as_str()).filter(|line| !line.is_empty())
    }

    /// When the last event was, in milliseconds since 1970; 0: nobody said.
    pub const fn at(&self) -> u64 {
        self.at
    }

    /// Why it waits, and until when in milliseconds since 1970, where it goes on then.
    pub fn waits(&self) -> Option<(&str, u64)> {
        match (&self.end, &self.pause) {
            (Some(End::Limited { message, until, .. }), _) => Some((message, *until)),
            (Some(End::Interrupted), _) => Some((INTERRUPTED, 0)),
            (None, Some(pause)) => Some((&pause.hint, pause.until)),
            _ => None,
        }
    }

    /// When an ask that a provider's limit ended, or its process's death, can be gone on with, in milliseconds since 1970.
    pub const fn goes_on_at(&self) -> Option<u64> {
        match &self.end {
            Some(End::Limited { until, .. }) => Some(*until),
            Some(End::Interrupted) => Some(0),
            _ => None,
        }
    }

    /// How it stands for whoever holds a task. What goes on when somebody looks pauses there.
    pub const fn standing(&self) -> Standing {
        match &self.end {
            None | Some(End::Limited { .. } | End::Interrupted) => Standing::Working,
            Some(End::Answered | End::Failed { .. }) => Standing::Completed,
            Some(End::Stopped) => Standing::Cancelled,
        }
    }

    /// Whether there is nothing more to wait for.
    pub const fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Ends what broke off. That a store could not be read for a moment ends nothing: whoever took it for an end would pay
    /// for another.
    pub fn break_off(&mut self, why: &Refusal) {
        let (kind, message) = (why.kind().as_str(), why.to_string());
        match self.end {
            None if why.is_passing() => {
                self.unread = Some(Unread { kind, message, seconds: why.retry_after() });
            }
            None => self.fail(kind, &message),
            Some(_) => {}
        }
    }

    /// Goes on behind an end: somebody resumed it, or ends it for good.
    pub fn reopen(&mut self) {
        if self.end.take().is_some() {
            self.answer.clear();
            self.sources.clear();
            self.finish = None;
        }
    }

    /// Ends what could be gone on with, and what somebody stopped before that.
    pub fn call_off(&mut self) {
        if matches!(self.end, Some(End::Limited { .. } | End::Interrupted)) {
            self.end = Some(End::Stopped);
        }
    }

    fn fail(&mut self, kind: &'static str, message: &str) {
        self.end = Some(End::Failed { kind, message: message.to_owned() });
    }

    fn take(&mut self, told: Told) {
        match told {
            Told::Init { query, left_out, .. } => {
                (self.question, self.left_out) = (query, left_out);
            }
            Told::Sources(added) => {
                let source = |source: crate::talk::Source| Source {
                    n: source.n,
                    title: source.title,
                    url: source.url,
                };
                self.sources.extend(added.into_iter().map(source));
            }
            Told::Piece(text) => self.answer.push_str(&text),
            Told::Answer(finish, _) => self.finish = Some(finish),
            Told::Costs(costs) => self.count(&costs),
            Told::Complete => match self.finish {
                Some(Finish::ProviderError) => {
                    let message = std::mem::take(&mut self.answer);
                    self.fail(FailureKind::ProviderFailed.as_str(), &message);
                }
                Some(_) => self.end = Some(End::Answered),
                None => self.end = Some(End::Stopped),
            },
            Told::Failed { kind: FailureKind::Interrupted, .. } => {
                self.end = Some(End::Interrupted)
            }
            Told::Failed { kind, message, .. } => self.fail(kind.as_str(), &message),
            Told::Limited { message, seconds, until, costs } => {
                if let Some(costs) = costs {
                    self.count(&costs);
                }
                let until = Timestamp::parse_iso(&until).map_or(0, |until| until.0);
                self.end = Some(End::Limited { message, seconds: seconds.0, until });
            }
            Told::Log(_)
            | Told::Begun(..)
            | Told::Questions(_)
            | Told::Thought { .. }
            | Told::Calls(_)
            | Told::Result(_)
            | Told::Wait(_) => {}
        }
    }

    fn count(&mut self, costs: &Costs) {
        self.cost = costs.known();
        self.usage = costs.is_whole().then_some(Usage {
            input_tokens: costs.token_counts.input,
            output_tokens: costs.token_counts.output,
            total_tokens: costs.token_counts.total,
        });
    }

    fn status(&self) -> &'static str {
        match &self.end {
            None if self.limit().is_some() => "rate_limited",
            None => "running",
            Some(End::Answered) => "completed",
            Some(End::Stopped) => "stopped",
            Some(End::Failed { .. }) => "failed",
            Some(End::Interrupted) => "interrupted",
            Some(End::Limited { .. }) => "rate_limited",
        }
    }

    /// The provider's limit that a run waits for.
    fn limit(&self) -> Option<&Pause> {
        self.pause.as_ref().filter(|pause| pause.is_limit)
    }

    /// What a program reads.
    fn structured(&self) -> Value {
        let mut all = json!({ "id": self.ask, "status": self.status() });
        let mut put = |name: &str, value: Value| {
            if let Some(all) = all.as_object_mut() {
                all.insert(name.to_owned(), value);
            }
        };
        if !self.answer.is_empty() {
            let has_ended = matches!(self.end, Some(End::Answered));
            let is_whole = has_ended && self.finish == Some(Finish::Stop);
            put(if is_whole { "answer" } else { "partial" }, json!(self.answer));
        }
        put("sources", json!(self.sources));
        if self.left_out > 0 {
            put("turns_left_out", json!(self.left_out));
        }
        let mut next = json!({ "tool": "research_result", "arguments": { "id": self.ask } });
        match &self.end {
            None => {
                if let Some(Pause { hint, seconds, .. }) = self.limit() {
                    put("error", json!({ "type": "rate_limited", "message": hint }));
                    put_in(&mut next, "after_seconds", *seconds);
                } else if let Some(Unread { kind, message, seconds }) = &self.unread {
                    put("error", json!({ "type": kind, "message": message }));
                    if let Some(seconds) = seconds {
                        put_in(&mut next, "after_seconds", *seconds);
                    }
                }
                put("next", next);
            }
            Some(End::Limited { message, seconds, .. }) => {
                put("error", json!({ "type": "rate_limited", "message": message }));
                put_in(&mut next, "after_seconds", *seconds);
                put("next", next);
            }
            Some(End::Interrupted) => {
                put("error", json!({ "type": "interrupted", "message": INTERRUPTED }));
                put("next", next);
            }
            Some(End::Failed { kind, message }) => {
                put("error", json!({ "type": kind, "message": message }));
            }
            Some(End::Answered | End::Stopped) => {}
        }
        if let Some(usage) = &self.usage {
            put("usage", json!(usage));
        }
        if let Some(cost) = self.cost {
            put("cost", json!(cost));
        }
        all
    }

    /// What a model reads.
    fn words(&self) -> String {
        let id = &self.ask;
        match &self.end {
            None if self.limit().is_some() => {
                let Some(Pause { hint, seconds, .. }) = self.limit() else { return String::new() };
                format!(
                    "A provider wants a pause ({hint}), and the research goes on by itself in {seconds} s. Call research_result with id \"{id}\" then, or research_stop to end it."
                )
            }
            None => {
                let line = if self.line.is_empty() { "it has just begun" } else { &self.line };
                let unread = self.unread.as_ref().map_or_else(String::new, |unread| {
                    format!(" It cannot be read for now: {}.", unended(&unread.message))
                });
                format!(
                    "The research is under way ({line}).{unread} Call research_result with id \"{id}\" to wait for its answer, or research_stop to end it."
                )
            }
            Some(End::Answered) => self.answer.clone(),
            Some(End::Stopped) if self.answer.is_empty() => {
                "The research was stopped before there was an answer.".to_owned()
            }
            Some(End::Stopped) => {
                format!(
                    "The research was stopped. The answer as far as it came:\n\n{}",
                    self.answer
                )
            }
            Some(End::Failed { message, .. }) => format!("The research failed: {message}"),
            Some(End::Interrupted) => format!(
                "The research was interrupted as its process ended. Call research_result with id \"{id}\": it goes on from what was found, and at most what was under way is paid for again. To call research again would pay for all of it."
            ),
            Some(End::Limited { message, seconds, .. }) => format!(
                "The research was interrupted: {}. Call research_result with id \"{id}\" in {seconds} s: it goes on where it was, and nothing is paid for twice.",
                unended(message)
            ),
        }
    }

    /// The result of the tool, as this version takes it.
    pub fn result(&self, version: Version) -> Value {
        let is_trouble =
            matches!(self.end, Some(End::Failed { .. } | End::Interrupted | End::Limited { .. }));
        let mut content = vec![json!({ "type": "text", "text": self.words() })];
        if version < Version::June2025 {
            return json!({ "content": content, "isError": is_trouble });
        }
        content.push(json!({
            "type": "resource_link", "uri": address::of(&self.ask), "name": self.ask,
            "title": "The research as a document", "mimeType": address::MARKDOWN,
        }));
        let structured = self.structured();
        json!({ "content": content, "structuredContent": structured, "isError": is_trouble })
    }

    /// The research as a document.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n", self.question.trim());
        text.push_str(self.words().trim());
        text.push('\n');
        if !self.sources.is_empty() {
            text.push_str("\n## Sources\n\n");
        }
        for Source { n, title, url } in &self.sources {
            let title = title.replace(['[', ']', '\n'], " ");
            text.push_str(&format!("{n}. [{}]({url})\n", title.trim()));
        }
        text
    }

    /// Its sources, one JSON text.
    pub fn sources(&self) -> String {
        json!(self.sources).to_string()
    }
}
