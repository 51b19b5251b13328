//! An ask's events as a response: its frames as they come, and the object at any moment.
//!
//! Border: it starts from the record, the ask's id and nothing else, so the same events give the same frames however
//! they are cut, and whoever begins later has the same ones from there on.

use quarry_events::{At, EventName, FailureKind, Finish};
use quarry_types::json::Written;
use serde_json::value::RawValue;

use super::calls::{annotation, begun, completed, give, item};
use super::pen::Pen;
use super::record::Record;
use super::run;
use super::wire::{
    Annotation, Beside, Failure, Frame, Incomplete, Item, More, Object, Part, SoFar, Status, Usage,
};
use crate::chat::failure::Failed;
use crate::talk::{Cited, Found, Spent, Told, ids};
use crate::{Event, Refusal};

/// What this protocol has no place for; not even read.
const BESIDE: [EventName; 3] = [EventName::Log, EventName::Stage, EventName::Sources];

/// What every stream ends with.
const DONE: &[u8] = b"data: [DONE]\n\n";

/// How it ended.
#[derive(Debug, Clone, PartialEq)]
enum End {
    Answered(Finish),
    Cancelled,
    Failed(Failure, Failed),
}

/// A response as far as it has come.
#[derive(Debug, Clone, Default)]
pub(super) struct Fold {
    /// What of the request it shows again.
    pub record: Record,
    ask: String,
    /// What of it is shared: the middle of every id here.
    name: String,
    pen: Pen,
    has_begun: bool,
    output: Vec<Item>,
    /// Calls that are open: their ids, and where their items stand.
    calls: Vec<(String, usize)>,
    /// Where the answer stands, while it is open.
    message: Option<usize>,
    model: Option<String>,
    /// The oldest turns that it has no room for.
    left_out: usize,
    finish: Option<Finish>,
    usage: Option<Usage>,
    wait_seconds: Option<f64>,
    /// Why it failed, and how much had been found.
    kind: Option<FailureKind>,
    evidence: Option<usize>,
    completed_at: Option<u64>,
    /// What all calls of a run used.
    spent: Option<Spent>,
    end: Option<End>,
}

impl Fold {
    /// Of a request, before the first event. `after` is the last frame that is not written.
    pub fn new(record: Record, after: Option<u64>) -> Fold {
        Fold { record, pen: Pen::behind(after), ..Fold::default() }
    }

    /// The ask behind it has this id.
    pub fn begin(&mut self, ask: &str) {
        ask.clone_into(&mut self.ask);
        self.name = ids::shared_name(ask);
    }

    /// What its id names.
    pub fn ask(&self) -> &str {
        &self.ask
    }

    /// Whether it goes on without a reader.
    pub const fn is_background(&self) -> bool {
        self.record.echo.background
    }

    /// Whether its reader knows of it, and could be told its frames again.
    pub const fn can_be_joined(&self) -> bool {
        self.has_begun && self.record.echo.store
    }

    /// Whether the last frame was given.
    pub const fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Whether a provider's limit ended it or its process died, so that what was paid for is still there.
    pub const fn can_go_on(&self) -> bool {
        self.wait_seconds.is_some() || matches!(self.kind, Some(FailureKind::Interrupted))
    }

    /// Why there is no answer, where it ended without one.
    pub fn failed(&self) -> Option<&Failed> {
        match &self.end {
            Some(End::Failed(_, failed)) => Some(failed),
            _ => None,
        }
    }

    /// What came of it so far.
    pub fn output(&self) -> Vec<Item> {
        self.output.clone()
    }

    /// The answer's text so far.
    pub fn answer(&self) -> &str {
        let mut texts = self.output.iter().rev().filter_map(|item| match item {
            Item::Message { .. } => item.part().map(Part::text),
            _ => None,
        });
        texts.next().unwrap_or_default()
    }

    /// Takes an event and writes the bytes to send for it. Behind the last event there is nothing more.
    pub fn step(&mut self, event: &Event, out: &mut Vec<u8>) {
        if self.end.is_some() {
            return;
        }
        self.open(out);
        if event.name.is_last() {
            self.completed_at = At::of(&event.data).map(|at| at.0.0 / 1_000);
        }
        if BESIDE.contains(&event.name) {
            return;
        }
        match Told::read(event.name, &event.data) {
            Some(told) => self.take(told, out),
            // A payload that cannot be read tells nothing; the last one still ends the stream.
            None if event.name.is_last() => self.fail("server_error", Failed::unreadable(), out),
            None => {}
        }
    }

    /// The same of a run's event: what is told of it, when it was if it is the last, and what the run then used.
    pub fn step_of_run(
        &mut self,
        told: Vec<Told>,
        at: u64,
        spent: Option<Spent>,
        out: &mut Vec<u8>,
    ) {
        if self.end.is_some() {
            return;
        }
        self.open(out);
        (self.completed_at, self.spent) = (Some(at / 1_000), spent);
        for told in told {
            if self.end.is_none() {
                self.take(told, out);
            }
        }
    }

    /// Ends what broke off.
    pub fn break_off(&mut self, why: &Refusal) -> Vec<u8> {
        let mut out = Vec::new();
        if self.end.is_none() {
            self.open(&mut out);
            self.fail("server_error", Failed::refused(why), &mut out);
        }
        out
    }

    /// The response as it is now, one JSON text.
    pub fn snapshot(&self) -> String {
        self.written(self.status())
    }

    fn status(&self) -> Status {
        match &self.end {
            None if !self.has_begun && self.is_background() => Status::Queued,
            None => Status::InProgress,
            Some(End::Answered(Finish::Stop | Finish::ProviderError)) => Status::Completed,
            Some(End::Answered(_)) => Status::Incomplete,
            Some(End::Cancelled) => Status::Cancelled,
            Some(End::Failed(..)) => Status::Failed,
        }
    }

    fn written(&self, status: Status) -> String {
        self.object(status).text().unwrap_or_default()
    }

    fn object(&self, status: Status) -> Object<'_> {
        let incomplete = match &self.end {
            Some(End::Answered(Finish::Filter)) => Some("content_filter"),
            Some(End::Answered(Finish::Length | Finish::Budget | Finish::Broken)) => {
                Some("max_output_tokens")
            }
            _ => None,
        };
        let error = match &self.end {
            Some(End::Failed(failure, _)) => Some(failure),
            _ => None,
        };
        let so_far = SoFar {
            id: format!("{}{}", super::PREFIX, self.ask),
            object: "response",
            created_at: run::born_at(&self.ask) / 1_000,
            completed_at: self.completed_at.filter(|_| status == Status::Completed),
            status,
            incomplete_details: incomplete.map(|reason| Incomplete { reason }),
            error,
            output: &self.output,
            usage: self.usage.as_ref(),
        };
        let quarry = Beside {
            model: self.model.as_deref(),
            turns_left_out: Some(self.left_out).filter(|turns| *turns > 0),
            wait_seconds: self.wait_seconds,
            kind: self.kind,
            evidence: self.evidence,
            run: run::bare(&self.ask),
            tokens: self.spent.map(|spent| spent.tokens),
            cost: self.spent.and_then(|spent| spent.cost),
        };
        Object { so_far, echo: &self.record.echo, more: More { quarry } }
    }

    /// Frames with the whole response, one for each kind.
    fn show(&mut self, kinds: &[&'static str], status: Status, out: &mut Vec<u8>) {
        let response = self.written(status);
        for kind in kinds {
            let response = Some(Written(&response));
            self.pen.put(Frame { kind, response, ..Frame::default() }, out);
        }
    }

    fn open(&mut self, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        if self.is_background() {
            self.show(&["response.created", "response.queued"], Status::Queued, out);
            self.show(&["response.in_progress"], Status::InProgress, out);
        } else {
            let kinds = ["response.created", "response.in_progress"];
            self.show(&kinds, Status::InProgress, out);
        }
    }

    fn take(&mut self, told: Told, out: &mut Vec<u8>) {
        match told {
            Told::Init { model, left_out, .. } => {
                (self.model, self.left_out) = (Some(model), left_out);
            }
            Told::Questions(questions) => {
                let list: Vec<String> = questions.iter().map(|one| format!("- {one}")).collect();
                self.think("Planning the research", &list.join("\n"), out);
            }
            Told::Thought { title, text } => self.think(&title, &text, out),
            Told::Wait(wait) => self.think("Waiting for the provider", &wait.line(), out),
            Told::Calls(calls) => {
                calls.iter().for_each(|call| self.call(&call.id, &call.name, &call.args, out));
            }
            Told::Result(found) => self.result(&found, out),
            Told::Piece(text) => self.write(&text, out),
            Told::Answer(finish, citations) => {
                self.finish = Some(finish);
                self.cite(&citations, out);
                let whole = matches!(finish, Finish::Stop | Finish::ProviderError);
                self.close_message(if whole { Status::Completed } else { Status::Incomplete }, out);
            }
            Told::Costs(costs) => self.usage = Usage::of(&costs),
            Told::Complete => match self.finish {
                Some(Finish::ProviderError) => {
                    self.kind = Some(FailureKind::ProviderFailed);
                    let failed = Failed::provider(self.answer());
                    self.fail("server_error", failed, out);
                }
                Some(Finish::Stop) => {
                    self.end(End::Answered(Finish::Stop), "response.completed", out)
                }
                Some(finish) => self.end(End::Answered(finish), "response.incomplete", out),
                None => self.end(End::Cancelled, "response.incomplete", out),
            },
            Told::Failed { kind, message, found } => {
                let code = match kind {
                    FailureKind::ContextTooLong => "invalid_prompt",
                    FailureKind::NoCredit | FailureKind::BudgetExceeded => "rate_limit_exceeded",
                    _ => "server_error",
                };
                (self.kind, self.evidence) = (Some(kind), Some(found));
                let message = self.record.why(kind, message);
                self.fail(code, Failed::of(kind, &message, found), out);
            }
            Told::Limited { message, seconds, costs, .. } => {
                if let Some(costs) = costs {
                    self.usage = Usage::of(&costs);
                }
                self.wait_seconds = Some(seconds.0);
                self.kind = Some(FailureKind::RateLimited);
                self.fail("rate_limit_exceeded", Failed::limited(&message, seconds.0), out);
            }
            Told::Begun(..) | Told::Log(_) | Told::Sources(_) => {}
        }
    }

    fn id(&self, prefix: &str) -> String {
        format!("{prefix}{}_{}", self.name, self.output.len())
    }

    fn add(&mut self, item: Item, out: &mut Vec<u8>) -> usize {
        let at = self.output.len();
        self.output.push(item);
        self.tell_item("response.output_item.added", at, out);
        at
    }

    fn tell_item(&mut self, kind: &'static str, at: usize, out: &mut Vec<u8>) {
        let item = self.output.get(at);
        self.pen.put(Frame { kind, output_index: Some(at), item, ..Frame::default() }, out);
    }

    /// A frame about an item that does not show it.
    fn about<'f>(&'f mut self, kind: &'static str, at: usize, more: Frame<'f>, out: &mut Vec<u8>) {
        let item_id = self.output.get(at).map(Item::id);
        self.pen.put(Frame { kind, output_index: Some(at), item_id, ..more }, out);
    }

    /// Something for people, whole at once.
    fn think(&mut self, title: &str, text: &str, out: &mut Vec<u8>) {
        if !self.record.has_summaries {
            return;
        }
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = format!("**{title}**\n\n{text}");
        let (id, encrypted_content) = (self.id("rs_"), None);
        let (status, summary) = (Status::InProgress, Vec::new());
        let at = self.add(Item::Reasoning { id, status, summary, encrypted_content }, out);
        let first = || Frame { summary_index: Some(0), ..Frame::default() };
        let (empty, whole) =
            (Part::SummaryText { text: String::new() }, Part::SummaryText { text: text.clone() });
        let part = Frame { part: Some(&empty), ..first() };
        self.about("response.reasoning_summary_part.added", at, part, out);
        let delta = Frame { delta: Some(&text), ..first() };
        self.about("response.reasoning_summary_text.delta", at, delta, out);
        let done = Frame { text: Some(&text), ..first() };
        self.about("response.reasoning_summary_text.done", at, done, out);
        let part = Frame { part: Some(&whole), ..first() };
        self.about("response.reasoning_summary_part.done", at, part, out);
        if let Some(Item::Reasoning { summary, status, .. }) = self.output.get_mut(at) {
            summary.push(whole);
            *status = Status::Completed;
        }
        self.tell_item("response.output_item.done", at, out);
    }

    fn call(&mut self, id: &str, tool: &str, args: &RawValue, out: &mut Vec<u8>) {
        if self.calls.iter().any(|(open, _)| open == id) {
            return;
        }
        let Some(item) = item(tool, args, |prefix| self.id(prefix)) else { return };
        let kinds = begun(&item);
        let at = self.add(item, out);
        self.calls.push((id.to_owned(), at));
        for kind in kinds {
            self.about(kind, at, Frame::default(), out);
        }
        if let Some(Item::CodeInterpreterCall { code, .. }) = self.output.get(at) {
            let code = code.clone();
            let delta = Frame { delta: Some(&code), ..Frame::default() };
            self.about("response.code_interpreter_call_code.delta", at, delta, out);
            let whole = Frame { code: Some(&code), ..Frame::default() };
            self.about("response.code_interpreter_call_code.done", at, whole, out);
            let none = Frame::default();
            self.about("response.code_interpreter_call.interpreting", at, none, out);
        }
    }

    fn result(&mut self, found: &Found, out: &mut Vec<u8>) {
        // A call that was refused before it began has a result alone.
        self.call(&found.id, &found.name, &found.args, out);
        let Some(open) = self.calls.iter().position(|(id, _)| *id == found.id) else { return };
        let (_, at) = self.calls.swap_remove(open);
        let mut status = if found.ok { Status::Completed } else { Status::Failed };
        if let Some(item) = self.output.get_mut(at) {
            give(item, found, &self.record);
            // A program that threw has been interpreted, and its logs tell; an official client takes no other word.
            if matches!(item, Item::CodeInterpreterCall { .. }) {
                status = Status::Completed;
            }
        }
        self.close_call(at, status, out);
    }

    fn close_call(&mut self, at: usize, status: Status, out: &mut Vec<u8>) {
        let kind = match self.output.get_mut(at) {
            Some(item) => {
                item.set(status);
                completed(item)
            }
            None => None,
        };
        if let Some(kind) = kind.filter(|_| status == Status::Completed) {
            self.about(kind, at, Frame::default(), out);
        }
        self.tell_item("response.output_item.done", at, out);
    }

    fn write(&mut self, text: &str, out: &mut Vec<u8>) {
        let at = match self.message {
            Some(at) => at,
            None => self.open_message(out),
        };
        if let Some(Part::OutputText { text: all, .. }) =
            self.output.get_mut(at).and_then(Item::part_mut)
        {
            all.push_str(text);
        }
        let delta = Some(text);
        let (content_index, logprobs) = (Some(0), Some(Vec::new()));
        let more = Frame { content_index, delta, logprobs, ..Frame::default() };
        self.about("response.output_text.delta", at, more, out);
    }

    fn open_message(&mut self, out: &mut Vec<u8>) -> usize {
        let (id, status) = (self.id("msg_"), Status::InProgress);
        let (role, phase, content) = ("assistant", "final_answer", Vec::new());
        let at = self.add(Item::Message { id, status, role, phase, content }, out);
        let empty =
            Part::OutputText { text: String::new(), annotations: Vec::new(), logprobs: Vec::new() };
        let more = Frame { content_index: Some(0), part: Some(&empty), ..Frame::default() };
        self.about("response.content_part.added", at, more, out);
        if let Some(Item::Message { content, .. }) = self.output.get_mut(at) {
            content.push(empty);
        }
        self.message = Some(at);
        at
    }

    fn cite(&mut self, citations: &[Cited], out: &mut Vec<u8>) {
        let Some(at) = self.message else { return };
        let all: Vec<Annotation> = citations.iter().filter_map(annotation).collect();
        for (index, annotation) in all.iter().enumerate() {
            let (annotation_index, annotation) = (Some(index), Some(annotation));
            let content_index = Some(0);
            let more = Frame { content_index, annotation_index, annotation, ..Frame::default() };
            self.about("response.output_text.annotation.added", at, more, out);
        }
        if let Some(Part::OutputText { annotations, .. }) =
            self.output.get_mut(at).and_then(Item::part_mut)
        {
            *annotations = all;
        }
    }

    fn close_message(&mut self, status: Status, out: &mut Vec<u8>) {
        let Some(at) = self.message.take() else { return };
        let Some(item) = self.output.get_mut(at) else { return };
        item.set(status);
        let part = item.part().cloned();
        let text = part.as_ref().map(Part::text);
        let (content_index, logprobs) = (Some(0), Some(Vec::new()));
        let more = Frame { content_index, text, logprobs, ..Frame::default() };
        self.about("response.output_text.done", at, more, out);
        let more = Frame { content_index: Some(0), part: part.as_ref(), ..Frame::default() };
        self.about("response.content_part.done", at, more, out);
        self.tell_item("response.output_item.done", at, out);
    }

    /// The last frame. Nothing that is open may stay so.
    fn end(&mut self, end: End, kind: &'static str, out: &mut Vec<u8>) {
        for (_, at) in std::mem::take(&mut self.calls) {
            self.close_call(at, Status::Failed, out);
        }
        self.close_message(Status::Incomplete, out);
        self.end = Some(end);
        self.show(&[kind], self.status(), out);
        out.extend_from_slice(DONE);
    }

    fn fail(&mut self, code: &'static str, failed: Failed, out: &mut Vec<u8>) {
        let failure = Failure { code, message: failed.message().to_owned() };
        self.end(End::Failed(failure, failed), "response.failed", out);
    }
}
