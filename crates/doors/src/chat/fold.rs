//! An ask's events as chunks of a chat completion, and all of them together as one.
//!
//! Border: starts from the request's [`Record`] and the ask's id and from nothing else, so the same events give the
//! same bytes, however they are cut into batches and whoever reads them. What prompts and models say to each
//! other never leaves by it.

use quarry_events::{EventName, Finish};
use quarry_types::{AskId, json};
use serde::Serialize;

use super::failure::Failed;
use super::usage::Usage;
use super::wire::{
    Annotation, Beside, Choice, Chunk, ChunkChoice, Completion, Delta, Message, UrlCitation,
};
use crate::talk::{Cited, Progress, Told, ids};
use crate::{Event, frames};

/// What of a request its answer depends on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// The model, as it was asked for.
    pub model: String,
    /// See [`Progress`].
    pub progress: Progress,
    /// Whether a last chunk has the usage.
    pub includes_usage: bool,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq)]
enum End {
    Answered(Finish),
    Failed(Failed),
}

/// A chat completion as far as it has come.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Fold {
    record: Record,
    id: String,
    /// Seconds since 1970: when the ask was born.
    created: u64,
    has_begun: bool,
    content: String,
    reasoning: String,
    /// What was left out of the conversation; none: nothing.
    beside: Option<Beside>,
    /// Whether `<think>` is open.
    is_thinking: bool,
    /// Code points of the content before the answer; none: it has not begun.
    answer_at: Option<usize>,
    annotations: Vec<Annotation>,
    citations: Vec<String>,
    finish: Option<Finish>,
    /// What all calls used, as its event says it: it is read where somebody is told of it.
    costs: Option<String>,
    end: Option<End>,
}

impl Fold {
    /// Of a request, before the first event.
    #[must_use]
    pub fn new(record: Record) -> Fold {
        Fold { record, ..Fold::default() }
    }

    /// The ask behind it has this id.
    pub fn begin(&mut self, ask: &str) {
        self.id = ids::of("chatcmpl-", ask);
        self.created = AskId::parse(ask).map_or(0, |id| id.born_at() / 1_000);
    }

    /// Takes an event and writes the bytes to send for it. Behind the last event there is nothing more.
    pub fn step(&mut self, event: &Event, out: &mut Vec<u8>) {
        if self.end.is_some() {
            return;
        }
        self.open(out);
        if BESIDE.contains(&event.name) {
            return;
        }
        if event.name == EventName::CostSummary {
            self.costs = Some(event.data.clone());
            return;
        }
        match Told::read(event.name, &event.data) {
            Some(told) => self.take(told, out),
            // A payload that cannot be read tells nothing; the last one still ends the stream.
            None if event.name.is_last() => self.fail(Failed::unreadable(), out),
            None => {}
        }
    }

    /// Whether the last frame was given.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Ends what broke off.
    pub fn break_off(&mut self, failed: Failed) -> Vec<u8> {
        let mut out = Vec::new();
        if self.end.is_none() {
            self.open(&mut out);
            self.fail(failed, &mut out);
        }
        out
    }

    /// A chunk that says nothing, for streams that are silent.
    #[must_use]
    pub fn sign_of_life(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.delta(Delta::default(), None, &mut out);
        out
    }

    /// The whole completion, one JSON text, or why there is none.
    ///
    /// # Errors
    /// [`Failed`] when the ask ended without an answer.
    pub fn snapshot(&self) -> Result<String, Failed> {
        let finish = match &self.end {
            Some(End::Answered(finish)) => *finish,
            Some(End::Failed(failed)) => return Err(failed.clone()),
            None => return Err(Failed::unfinished()),
        };
        let message = Message {
            role: "assistant",
            content: &self.content,
            refusal: None,
            annotations: &self.annotations,
            reasoning_content: &self.reasoning,
        };
        let usage = self.usage();
        let completion = Completion {
            id: &self.id,
            object: "chat.completion",
            created: self.created,
            model: &self.record.model,
            choices: [Choice { index: 0, message, logprobs: None, finish_reason: reason(finish) }],
            citations: &self.citations,
            usage: usage.as_ref(),
            quarry: self.beside,
        };
        json::text(&completion).map_err(|_| Failed::unreadable())
    }

    fn open(&mut self, out: &mut Vec<u8>) {
        if !self.has_begun {
            self.has_begun = true;
            let first = Delta { role: Some("assistant"), content: Some(""), ..Delta::default() };
            self.delta(first, None, out);
        }
    }

    fn take(&mut self, told: Told, out: &mut Vec<u8>) {
        for line in told.lines() {
            self.tell(&line, out);
        }
        match told {
            Told::Piece(text) => self.write(&text, out),
            Told::Answer(finish, citations) => {
                self.finish = Some(finish);
                self.cite(&citations, out);
            }
            Told::Complete => match self.finish {
                Some(Finish::ProviderError) => self.fail(Failed::provider(&self.content), out),
                Some(finish) => self.complete(finish, out),
                None => self.fail(Failed::stopped(), out),
            },
            Told::Failed { kind, message, found } => {
                self.fail(Failed::of(kind, &message, found), out);
            }
            Told::Limited { message, seconds, .. } => {
                self.fail(Failed::limited(&message, seconds.0), out);
            }
            Told::Init { left_out, .. } => {
                self.beside = (left_out > 0).then_some(Beside { turns_left_out: left_out });
            }
            Told::Log(_)
            | Told::Begun(..)
            | Told::Questions(_)
            | Told::Thought { .. }
            | Told::Calls(_)
            | Told::Wait(_)
            | Told::Result(_)
            | Told::Sources(_)
            | Told::Costs(_) => {}
        }
    }

    fn usage(&self) -> Option<Usage> {
        match Told::read(EventName::CostSummary, self.costs.as_deref()?)? {
            Told::Costs(costs) => Usage::of(&costs),
            _ => None,
        }
    }

    /// A line of what goes on.
    fn tell(&mut self, line: &str, out: &mut Vec<u8>) {
        let line = format!("{line}\n");
        match self.record.progress {
            Progress::None => {}
            // The answer has begun: what comes late would stand within it.
            Progress::Think if self.answer_at.is_some() => {}
            Progress::Think => {
                let opens = if self.is_thinking { "" } else { "<think>\n" };
                self.is_thinking = true;
                self.add(&format!("{opens}{line}"), out);
            }
            Progress::Reasoning => {
                self.reasoning.push_str(&line);
                let delta = Delta { reasoning_content: Some(&line), ..Delta::default() };
                self.delta(delta, None, out);
            }
        }
    }

    fn write(&mut self, text: &str, out: &mut Vec<u8>) {
        self.close_thoughts(out);
        if self.answer_at.is_none() {
            self.answer_at = Some(self.content.chars().count());
        }
        self.add(text, out);
    }

    fn close_thoughts(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.is_thinking) {
            self.add("</think>\n\n", out);
        }
    }

    fn add(&mut self, text: &str, out: &mut Vec<u8>) {
        self.content.push_str(text);
        self.delta(Delta { content: Some(text), ..Delta::default() }, None, out);
    }

    /// All annotations leave in one chunk: clients take a second one for a mistake.
    fn cite(&mut self, citations: &[Cited], out: &mut Vec<u8>) {
        let before = self.answer_at.unwrap_or(0);
        for citation in citations.iter().filter(|citation| citation.n.is_some()) {
            // What has no place stands at the beginning and covers nothing, wherever the answer begins.
            let before = if citation.start < citation.end { before } else { 0 };
            self.annotations.push(Annotation {
                kind: "url_citation",
                url_citation: UrlCitation {
                    start_index: before + citation.start,
                    end_index: before + citation.end,
                    url: citation.url.clone(),
                    title: citation.title.clone(),
                },
            });
            if !self.citations.contains(&citation.url) {
                self.citations.push(citation.url.clone());
            }
        }
        if !self.annotations.is_empty() {
            let delta = Delta { annotations: &self.annotations, ..Delta::default() };
            self.delta_with(delta, None, &self.citations, out);
        }
    }

    fn complete(&mut self, finish: Finish, out: &mut Vec<u8>) {
        self.close_thoughts(out);
        self.delta(Delta::default(), Some(reason(finish)), out);
        if self.record.includes_usage
            && let Some(usage) = self.usage()
        {
            frame(&self.chunk(&[], &[], Some(Some(&usage))), out);
        }
        self.end = Some(End::Answered(finish));
        out.extend_from_slice(DONE);
    }

    fn fail(&mut self, failed: Failed, out: &mut Vec<u8>) {
        self.close_thoughts(out);
        frame(&failed.body(), out);
        self.end = Some(End::Failed(failed));
        out.extend_from_slice(DONE);
    }

    fn delta(&self, delta: Delta<'_>, finish: Option<&'static str>, out: &mut Vec<u8>) {
        self.delta_with(delta, finish, &[], out);
    }

    fn delta_with(
        &self,
        delta: Delta<'_>,
        finish_reason: Option<&'static str>,
        citations: &[String],
        out: &mut Vec<u8>,
    ) {
        let usage = self.record.includes_usage.then_some(None);
        let choice = ChunkChoice { index: 0, delta, logprobs: None, finish_reason };
        frame(&self.chunk(std::slice::from_ref(&choice), citations, usage), out);
    }

    fn chunk<'a>(
        &'a self,
        choices: &'a [ChunkChoice<'a>],
        citations: &'a [String],
        usage: Option<Option<&'a Usage>>,
    ) -> Chunk<'a> {
        let (id, model) = (self.id.as_str(), self.record.model.as_str());
        let object = "chat.completion.chunk";
        let is_end = choices.iter().any(|choice| choice.finish_reason.is_some());
        let quarry = self.beside.filter(|_| is_end);
        Chunk { id, object, created: self.created, model, choices, citations, usage, quarry }
    }
}

/// Without a number: clients of this protocol know none, and one of them fails at an id beside a comment.
fn frame(data: &impl Serialize, out: &mut Vec<u8>) {
    frames::data(data, out);
}

/// What this protocol has no place for; not even read.
const BESIDE: [EventName; 3] = [EventName::Log, EventName::ToolResult, EventName::Sources];

/// What every stream ends with.
const DONE: &[u8] = b"data: [DONE]\n\n";

const fn reason(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop | Finish::ProviderError => "stop",
        // The text says where it broke off.
        Finish::Length | Finish::Budget | Finish::Broken => "length",
        Finish::Filter => "content_filter",
    }
}
