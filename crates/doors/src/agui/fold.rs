//! An ask's events as events of AG-UI.
//!
//! Border: starts from the request's [`Record`] and the ask's id and from nothing else, so the same events give the
//! same bytes. What prompts and models say to each other never leaves by it.

use quarry_events::{At, EventName, Finish, Seconds, StageName, left_out_line};
use serde_json::{Value, json};

use super::wire::{Change, Frame, Interrupt, New, Outcome, State, Timed, TokenUsage, When};
use crate::talk::{self, Call, Cited, Costs, Found, Progress, Source, Told, ids};
use crate::{Event, Refusal};

/// The protocol's version.
const VERSION: &str = "1.0";

/// Bytes of a tool's result that an app is shown.
const MAX_RESULT: usize = 4 * 1024;

/// What of a request its answer depends on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// The conversation's name.
    pub thread: String,
    /// The run's name.
    pub run: String,
    /// The name of the run that it comes from.
    pub parent: Option<String>,
    /// See [`Progress`].
    pub progress: Progress,
    /// Whether its reader names its version of the protocol, as readers do from 1.0 on. An older one refuses outcomes that
    /// it does not know, and with them the run.
    pub names_version: bool,
}

/// A run as far as it has come.
#[derive(Debug, Default)]
pub(super) struct Fold {
    record: Record,
    ask: String,
    /// What of it is shared: the middle of every id here.
    name: String,
    has_begun: bool,
    has_ended: bool,
    /// The stage that is open.
    step: Option<String>,
    /// Calls without a result, by the ids that they have in the stream.
    open: Vec<String>,
    /// Messages so far, besides the answer.
    messages: usize,
    /// The oldest turns that the model has no room for.
    left_out: usize,
    is_answering: bool,
    finish: Option<Finish>,
    answer: String,
    usage: Vec<TokenUsage>,
    cost: Option<f64>,
    /// When the event was written that is taken in, in milliseconds since 1970.
    at: Option<u64>,
}

impl Fold {
    /// Of a request, before the first event.
    pub fn new(record: Record) -> Fold {
        Fold { record, ..Fold::default() }
    }

    /// Only of what is told: an event with the bodies of a call is long to read.
    fn at(&mut self, event: &Event) {
        self.at = At::of(&event.data).map(|at| at.0.0);
    }

    fn open(&mut self, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        let (thread_id, run_id) = (&self.record.thread, &self.record.run);
        let parent_run_id = self.record.parent.as_deref();
        let protocol_version = VERSION;
        self.write(&Frame::RunStarted { thread_id, run_id, parent_run_id, protocol_version }, out);
        let snapshot =
            State { status: "running", question: "", questions: [], sources: [], cost: None };
        self.write(&Frame::StateSnapshot { snapshot }, out);
    }

    fn take(&mut self, told: Told, out: &mut Vec<u8>) {
        match told {
            Told::Init { query, left_out, .. } => {
                self.left_out = left_out;
                self.change("replace", "/question", New::Text(&query), out);
                if let Some(line) = left_out_line(left_out) {
                    self.think(&line, out);
                }
            }
            Told::Begun(name, iteration) => self.stage(name, iteration, out),
            Told::Questions(questions) => {
                self.think(&format!("Questions:\n- {}", questions.join("\n- ")), out);
                self.change("replace", "/questions", New::Texts(&questions), out);
            }
            Told::Thought { text, .. } => self.think(&text, out),
            Told::Wait(wait) => self.think(&wait.line(), out),
            Told::Calls(calls) => {
                let parent = self.message("msg_");
                calls.iter().for_each(|call| self.call(call, &parent, out));
            }
            Told::Result(found) => self.result(*found, out),
            Told::Sources(added) => {
                for Source { n, title, url } in &added {
                    self.change("add", "/sources/-", New::Source { n: *n, title, url }, out);
                }
            }
            Told::Piece(text) => self.piece(&text, out),
            Told::Answer(finish, citations) => {
                self.finish = Some(finish);
                self.end_answer(out);
                self.cite(&citations, out);
            }
            Told::Costs(costs) => self.count(&costs),
            Told::Complete => self.complete(out),
            Told::Failed { kind, message, .. } => self.fail(&message, kind.as_str(), out),
            Told::Limited { message, seconds, until, costs } => {
                if let Some(costs) = costs {
                    self.count(&costs);
                }
                self.interrupt(&message, seconds, &until, out);
            }
            Told::Log(_) => {}
        }
    }

    fn stage(&mut self, name: StageName, iteration: Option<u32>, out: &mut Vec<u8>) {
        let name = match name {
            StageName::Setup => "setup".to_owned(),
            StageName::Planning => "planning".to_owned(),
            StageName::Research => format!("research {}", iteration.unwrap_or(1)),
            StageName::Answer => "answer".to_owned(),
            StageName::Retrieve
            | StageName::Context
            | StageName::Generate
            | StageName::Citations => return,
        };
        self.end_step(out);
        self.write(&Frame::StepStarted { step_name: &name }, out);
        self.step = Some(name);
    }

    fn end_step(&mut self, out: &mut Vec<u8>) {
        if let Some(name) = self.step.take() {
            self.write(&Frame::StepFinished { step_name: &name }, out);
        }
    }

    /// The id of one more message.
    fn message(&mut self, prefix: &str) -> String {
        self.messages += 1;
        format!("{prefix}{}_{}", self.name, self.messages)
    }

    fn think(&mut self, text: &str, out: &mut Vec<u8>) {
        if self.record.progress == Progress::None || text.is_empty() {
            return;
        }
        let id = self.message("rs_");
        let message_id = id.as_str();
        self.write(&Frame::ReasoningStart { message_id }, out);
        self.write(&Frame::ReasoningMessageStart { message_id, role: "reasoning" }, out);
        self.write(&Frame::ReasoningMessageContent { message_id, delta: text }, out);
        self.write(&Frame::ReasoningMessageEnd { message_id }, out);
        self.write(&Frame::ReasoningEnd { message_id }, out);
    }

    /// A call's id here: those of several asks stand in one conversation.
    fn call_id(&self, id: &str) -> String {
        format!("call_{}_{id}", self.name)
    }

    fn call(&mut self, call: &Call, parent_message_id: &str, out: &mut Vec<u8>) {
        let id = self.call_id(&call.id);
        let tool_call_id = id.as_str();
        let tool_call_name = &call.name;
        self.write(&Frame::ToolCallStart { tool_call_id, tool_call_name, parent_message_id }, out);
        self.write(&Frame::ToolCallArgs { tool_call_id, delta: call.args.get() }, out);
        self.write(&Frame::ToolCallEnd { tool_call_id }, out);
        self.open.push(id);
    }

    fn result(&mut self, found: Found, out: &mut Vec<u8>) {
        let Found { id, name, args, output, ok, error, urls: _ } = found;
        let here = self.call_id(&id);
        if !self.open.contains(&here) {
            // Refused before it began, or made before an interruption.
            let parent = self.message("msg_");
            self.call(&Call { id, name, args, line: String::new() }, &parent, out);
        }
        let told = error.filter(|_| !ok).map_or(output, |error| error.message);
        self.close(&here, &told, out);
    }

    fn close(&mut self, id: &str, content: &str, out: &mut Vec<u8>) {
        self.open.retain(|open| open != id);
        let message = self.message("res_");
        let content = shortened(content);
        let (message_id, tool_call_id) = (message.as_str(), id);
        self.write(&Frame::ToolCallResult { message_id, tool_call_id, content, role: "tool" }, out);
    }

    fn piece(&mut self, text: &str, out: &mut Vec<u8>) {
        if text.is_empty() {
            return;
        }
        let id = format!("msg_{}", self.name);
        if !std::mem::replace(&mut self.is_answering, true) {
            self.write(&Frame::TextMessageStart { message_id: &id, role: "assistant" }, out);
        }
        self.answer.push_str(text);
        self.write(&Frame::TextMessageContent { message_id: &id, delta: text }, out);
    }

    fn end_answer(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.is_answering) {
            let id = format!("msg_{}", self.name);
            self.write(&Frame::TextMessageEnd { message_id: &id }, out);
        }
    }

    fn count(&mut self, costs: &Costs) {
        self.cost = costs.known();
        if !costs.is_whole() {
            // Sums without a call whose use is unknown would be wrong.
            self.usage.clear();
            return;
        }
        for step in &costs.step_costs {
            let (provider, model) = step.model.split_once(':').unwrap_or(("", &step.model));
            let known = |usage: &TokenUsage| usage.provider == provider && usage.model == model;
            let at = self.usage.iter().position(known).unwrap_or(self.usage.len());
            if at == self.usage.len() {
                let (provider, model) = (provider.to_owned(), model.to_owned());
                self.usage.push(TokenUsage { provider, model, ..TokenUsage::default() });
            }
            let Some(usage) = self.usage.get_mut(at) else { continue };
            usage.input_tokens = usage.input_tokens.saturating_add(step.input_tokens);
            usage.output_tokens = usage.output_tokens.saturating_add(step.output_tokens);
            usage.total_tokens = usage.input_tokens.saturating_add(usage.output_tokens);
            usage.reasoning_tokens = usage.reasoning_tokens.saturating_add(step.reasoning_tokens);
            usage.cached_input_tokens =
                usage.cached_input_tokens.saturating_add(step.cached_input_tokens);
        }
    }

    /// Ends whatever is open; nothing of it may stay so.
    fn close_all(&mut self, status: &str, out: &mut Vec<u8>) {
        self.open(out);
        for id in std::mem::take(&mut self.open) {
            self.close(&id, "The call did not end.", out);
        }
        self.end_answer(out);
        self.end_step(out);
        self.change("replace", "/status", New::Text(status), out);
        if let Some(cost) = self.cost {
            self.change("replace", "/cost", New::Number(cost), out);
        }
        self.has_ended = true;
    }

    fn complete(&mut self, out: &mut Vec<u8>) {
        match self.finish {
            Some(Finish::ProviderError) => {
                let message = std::mem::take(&mut self.answer);
                self.fail(&message, "provider_error", out);
            }
            Some(finish) => {
                self.close_all("complete", out);
                self.finished(Some(Outcome::Success), json!({ "finish": finish }), out);
            }
            None => {
                self.close_all("stopped", out);
                // The state says it, too.
                let outcome = self.record.names_version.then_some(Outcome::Cancelled);
                self.finished(outcome, json!({}), out);
            }
        }
    }

    fn interrupt(&mut self, message: &str, seconds: Seconds, until: &str, out: &mut Vec<u8>) {
        self.close_all("rate_limited", out);
        let metadata = json!({ "waitSeconds": seconds, "resumeAfter": until });
        let (id, reason) = (self.ask.as_str(), "rate_limited");
        let interrupts = [Interrupt { id, reason, message, metadata }];
        self.finished(Some(Outcome::Interrupt { interrupts }), json!({}), out);
    }

    fn finished(&self, outcome: Option<Outcome<'_>>, mut result: Value, out: &mut Vec<u8>) {
        if let Some(result) = result.as_object_mut() {
            result.insert("ask".to_owned(), json!(self.ask));
            if self.left_out > 0 {
                result.insert("turnsLeftOut".to_owned(), json!(self.left_out));
            }
            if let Some(cost) = self.cost {
                result.insert("cost".to_owned(), json!(cost));
            }
        }
        let (thread_id, run_id) = (&self.record.thread, &self.record.run);
        self.write(
            &Frame::RunFinished { thread_id, run_id, outcome, usage: &self.usage, result },
            out,
        );
    }

    fn fail(&mut self, message: &str, code: &str, out: &mut Vec<u8>) {
        self.close_all("failed", out);
        self.write(&Frame::RunError { message, code, usage: &self.usage }, out);
    }

    /// `data:` alone: readers of this protocol take every line for JSON.
    fn write(&self, frame: &Frame<'_>, out: &mut Vec<u8>) {
        Timed { frame, when: When { timestamp: self.at } }.write(out);
    }

    fn change(&self, op: &'static str, path: &'static str, value: New<'_>, out: &mut Vec<u8>) {
        self.write(&Frame::StateDelta { delta: [Change { op, path, value }] }, out);
    }

    fn cite(&self, citations: &[Cited], out: &mut Vec<u8>) {
        let all: Vec<Value> = citations
            .iter()
            .filter_map(|cited| {
                let mut value = json!({
                    "n": cited.n?, "url": cited.url, "title": cited.title,
                    "start": cited.start, "end": cited.end,
                });
                if let (Some(quote), Some(value)) = (&cited.quote, value.as_object_mut()) {
                    value.insert("quote".to_owned(), json!(quote));
                }
                Some(value)
            })
            .collect();
        if !all.is_empty() {
            self.write(&Frame::Custom { name: "quarry.citations", value: json!(all) }, out);
        }
    }
}

impl talk::Fold for Fold {
    fn begin(&mut self, ask: &str) {
        ask.clone_into(&mut self.ask);
        self.name = ids::shared_name(ask);
    }

    fn step(&mut self, event: &Event, out: &mut Vec<u8>) {
        if self.has_ended {
            return;
        }
        if !self.has_begun {
            self.at(event);
            self.open(out);
        }
        if event.name == EventName::Log {
            return;
        }
        match Told::read(event.name, &event.data) {
            Some(told) => {
                self.at(event);
                self.take(told, out);
            }
            // A payload that cannot be read tells nothing; the last one still ends the stream.
            None if event.name.is_last() => self.fail(UNREADABLE, "internal_error", out),
            None => {}
        }
    }

    fn has_ended(&self) -> bool {
        self.has_ended
    }

    fn break_off(&mut self, why: &Refusal) -> Vec<u8> {
        let mut out = Vec::new();
        if !self.has_ended {
            // No event says when.
            self.at = None;
            self.fail(&why.to_string(), "interrupted", &mut out);
        }
        out
    }
}

const UNREADABLE: &str = "the end of the ask could not be read";

fn shortened(text: &str) -> &str {
    let end = (0..=MAX_RESULT.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    end.and_then(|end| text.get(..end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stopped(names_version: bool) -> Value {
        let mut fold = Fold::new(Record { names_version, ..Record::default() });
        talk::Fold::begin(&mut fold, "0af3");
        let (sequence, name, data) = (Some(1), EventName::Complete, "{}".to_owned());
        let mut out = Vec::new();
        talk::Fold::step(&mut fold, &Event { sequence, name, data }, &mut out);
        let frames = String::from_utf8(out).unwrap();
        assert!(frames.contains(r#""path":"/status","value":"stopped""#), "{frames}");
        serde_json::from_str(frames.trim_end().rsplit_once("data: ").unwrap().1).unwrap()
    }

    #[test]
    fn an_event_is_written_as_its_type_says() {
        let frame = &Frame::StepStarted { step_name: "a \"b\"" };
        for timestamp in [Some(1_700_000_000_000), None] {
            let timed = Timed { frame, when: When { timestamp } };
            let mut out = Vec::new();
            timed.write(&mut out);
            let expected = format!("data: {}\n\n", serde_json::to_string(&timed).unwrap());
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn a_reader_of_before_the_word_is_not_told_that_a_run_was_cancelled() {
        for (names_version, outcome) in [(true, Some("cancelled")), (false, None)] {
            let last = stopped(names_version);
            assert_eq!(last["type"], "RUN_FINISHED");
            assert_eq!(last.get("outcome").and_then(|outcome| outcome["type"].as_str()), outcome);
        }
    }
}
