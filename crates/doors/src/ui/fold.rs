//! An ask's events as chunks of the AI SDK's UI message stream.
//!
//! Border: starts from the request's [`Record`] and the ask's id and from nothing else, so the same events give the
//! same bytes. What prompts and models say to each other never leaves by it.

use quarry_events::Finish;
use quarry_types::AskId;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::wire::{Called, Chunk, Citation, Output, Status};
use crate::talk::{self, Call, Cited, Costs, Found, Progress, Source, Told, ids, stage_line};
use crate::{Event, Refusal, Reply, frames, responses};

/// The part that holds the answer.
const ANSWER: &str = "answer";

/// What of a request its answer depends on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// See [`Progress`].
    pub progress: Progress,
}

/// A message as far as it has come.
#[derive(Debug, Default)]
pub(super) struct Fold {
    record: Record,
    ask: String,
    has_begun: bool,
    has_ended: bool,
    /// What is told once it is known who answers.
    held: Vec<String>,
    has_named_model: bool,
    is_in_step: bool,
    /// Calls without a result.
    open: Vec<String>,
    /// Parts with thoughts so far.
    thoughts: usize,
    is_answering: bool,
    answer: String,
    finish: Option<Finish>,
    metadata: Option<Value>,
}

impl Fold {
    /// Of a request, before the first event.
    pub fn new(record: Record) -> Fold {
        Fold { record, ..Fold::default() }
    }

    /// With who answers, where that is known.
    fn open(&mut self, known: Option<Value>, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        let created = AskId::parse(&self.ask).map_or(0, |id| id.born_at());
        let message_id = &ids::of("msg_", &self.ask);
        let mut message_metadata = json!({ "createdAt": created });
        self.has_named_model = known.is_some();
        if let (Some(all), Some(Value::Object(known))) = (message_metadata.as_object_mut(), known) {
            all.extend(known);
        }
        write(&Chunk::Start { message_id, message_metadata }, out);
        self.begin_step(out);
        for message in std::mem::take(&mut self.held) {
            status(&message, out);
        }
    }

    /// Whether it can begin with this: what comes before who answers is held back until then.
    fn opens(&mut self, event: &Event, told: Option<&Told>, out: &mut Vec<u8>) -> bool {
        match told {
            _ if self.has_begun => {}
            Some(Told::Log(message)) => {
                self.held.push(message.clone());
                return false;
            }
            Some(Told::Init { model, left_out, .. }) => {
                self.open(Some(answers(model, *left_out)), out);
            }
            None if !event.name.is_last() => return false,
            _ => self.open(None, out),
        }
        true
    }

    fn begin_step(&mut self, out: &mut Vec<u8>) {
        self.is_in_step = true;
        write(&Chunk::StartStep, out);
    }

    fn end_step(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.is_in_step) {
            write(&Chunk::FinishStep, out);
        }
    }

    fn take(&mut self, told: Told, out: &mut Vec<u8>) {
        match told {
            Told::Log(message) => status(&message, out),
            Told::Begun(name, iteration) => {
                if let Some(line) = stage_line(name, iteration) {
                    status(&line, out);
                }
            }
            Told::Wait(wait) => status(&wait.line(), out),
            Told::Questions(questions) => {
                self.think(&format!("Questions:\n- {}", questions.join("\n- ")), out);
            }
            Told::Thought { text, .. } => self.think(&text, out),
            Told::Calls(calls) => {
                for Call { id, name, args, .. } in &calls {
                    self.call(id, name, args, out);
                }
            }
            Told::Result(found) => self.result(&found, out),
            Told::Sources(added) => added.iter().for_each(|source| show(source, out)),
            Told::Piece(text) => self.piece(&text, out),
            Told::Answer(finish, citations) => {
                self.finish = Some(finish);
                self.end_answer(&citations, out);
            }
            Told::Costs(costs) => self.metadata = used(&costs),
            Told::Complete => self.complete(out),
            Told::Failed { message, .. } => self.fail(&message, out),
            Told::Limited { message, seconds, until, costs } => {
                if let Some(costs) = costs {
                    self.metadata = used(&costs);
                }
                let data =
                    json!({ "waitSeconds": seconds, "resumeAfter": until, "resume": self.ask });
                write(&Chunk::DataQuota { id: "quota", data }, out);
                self.fail(&message, out);
            }
            Told::Init { .. } if self.has_named_model => {}
            Told::Init { model, left_out, .. } => {
                self.has_named_model = true;
                let message_metadata = answers(&model, left_out);
                write(&Chunk::MessageMetadata { message_metadata }, out);
            }
        }
    }

    fn think(&mut self, text: &str, out: &mut Vec<u8>) {
        if self.record.progress == Progress::None || text.is_empty() {
            return;
        }
        self.thoughts += 1;
        let id = &format!("reasoning-{}", self.thoughts);
        write(&Chunk::ReasoningStart { id }, out);
        write(&Chunk::ReasoningDelta { id, delta: text }, out);
        write(&Chunk::ReasoningEnd { id }, out);
    }

    fn call(&mut self, id: &str, tool_name: &str, input: &RawValue, out: &mut Vec<u8>) {
        write(&Chunk::ToolInputStart { call: Called::ours(id), tool_name }, out);
        write(&Chunk::ToolInputAvailable { call: Called::ours(id), tool_name, input }, out);
        self.open.push(id.to_owned());
    }

    fn result(&mut self, found: &Found, out: &mut Vec<u8>) {
        if !self.open.contains(&found.id) {
            // Refused before it began, or made before an interruption.
            self.call(&found.id, &found.name, &found.args, out);
        }
        self.open.retain(|open| *open != found.id);
        let call = Called::ours(&found.id);
        match &found.error {
            Some(error) if !found.ok => {
                write(&Chunk::ToolOutputError { call, error_text: &error.message }, out);
            }
            _ => {
                write(&Chunk::ToolOutputAvailable { call, output: shown(&found.output) }, out);
            }
        }
    }

    fn piece(&mut self, text: &str, out: &mut Vec<u8>) {
        if !std::mem::replace(&mut self.is_answering, true) {
            self.end_step(out);
            self.begin_step(out);
            write(&Chunk::TextStart { id: ANSWER }, out);
        }
        self.answer.push_str(text);
        write(&Chunk::TextDelta { id: ANSWER, delta: text }, out);
    }

    fn end_answer(&mut self, citations: &[Cited], out: &mut Vec<u8>) {
        if std::mem::take(&mut self.is_answering) {
            let units = Units::of(&self.answer);
            let citations: Vec<Citation> =
                citations.iter().filter_map(|cited| cite(cited, &units)).collect();
            write(&Chunk::TextEnd { id: ANSWER, citations: &citations }, out);
        }
    }

    /// Ends whatever is open; nothing of it may stay so.
    fn close_all(&mut self, out: &mut Vec<u8>) {
        self.open(None, out);
        for id in std::mem::take(&mut self.open) {
            let error_text = "The call did not end.";
            write(&Chunk::ToolOutputError { call: Called::ours(&id), error_text }, out);
        }
        self.end_answer(&[], out);
        self.end_step(out);
        self.has_ended = true;
    }

    fn complete(&mut self, out: &mut Vec<u8>) {
        let Some(finish) = self.finish else {
            self.close_all(out);
            write(&Chunk::Abort { reason: "The ask was stopped." }, out);
            return out.extend_from_slice(DONE);
        };
        if finish == Finish::ProviderError {
            return self.fail("The model's provider failed; what was found stands above.", out);
        }
        self.close_all(out);
        let finish_reason = match finish {
            Finish::Stop | Finish::ProviderError => "stop",
            // The text says where it broke off.
            Finish::Length | Finish::Budget | Finish::Broken => "length",
            Finish::Filter => "content-filter",
        };
        self.finished(finish_reason, out);
    }

    fn fail(&mut self, error_text: &str, out: &mut Vec<u8>) {
        self.close_all(out);
        write(&Chunk::Error { error_text }, out);
        self.finished("error", out);
    }

    fn finished(&mut self, finish_reason: &'static str, out: &mut Vec<u8>) {
        let message_metadata = self.metadata.take();
        write(&Chunk::Finish { finish_reason, message_metadata }, out);
        out.extend_from_slice(DONE);
    }
}

impl talk::Fold for Fold {
    const HEADERS: &'static [(&'static str, &'static str)] =
        &[("x-vercel-ai-ui-message-stream", "v1")];

    fn keeps(&mut self, kept: &str) {
        if responses::is_quiet(kept) {
            self.record.progress = Progress::None;
        }
    }

    fn begin(&mut self, ask: &str) {
        ask.clone_into(&mut self.ask);
    }

    fn step(&mut self, event: &Event, out: &mut Vec<u8>) {
        if self.has_ended {
            return;
        }
        let told = Told::read(event.name, &event.data);
        if !self.opens(event, told.as_ref(), out) {
            return;
        }
        match told {
            Some(told) => self.take(told, out),
            // A payload that cannot be read tells nothing; the last one still ends the stream.
            None if event.name.is_last() => {
                self.fail("The end of the ask could not be read.", out);
            }
            None => {}
        }
    }

    fn has_ended(&self) -> bool {
        self.has_ended
    }

    fn break_off(&mut self, why: &Refusal) -> Vec<u8> {
        let mut out = Vec::new();
        if !self.has_ended {
            self.fail(&why.to_string(), &mut out);
        }
        out
    }

    /// In words alone: pages show the body as it is.
    fn refused(refusal: &Refusal) -> Reply {
        let mut reply = Reply::refusal(refusal);
        reply.body = refusal.to_string().into_bytes().into();
        reply.headers.retain(|(name, _)| *name != "content-type");
        reply.headers.push(("content-type", "text/plain; charset=utf-8".into()));
        reply
    }
}

/// What every stream ends with.
const DONE: &[u8] = b"data: [DONE]\n\n";

fn write(chunk: &Chunk<'_>, out: &mut Vec<u8>) {
    frames::data(chunk, out);
}

/// What a tool gave: its JSON as it is, where that is one line, else as a text.
fn shown(output: &str) -> Output<'_> {
    let is_line = !output.contains(['\n', '\r']);
    let json = serde_json::from_str(output).ok().filter(|_| is_line);
    json.map_or(Output::Text(output), Output::Json)
}

fn status(text: &str, out: &mut Vec<u8>) {
    write(&Chunk::DataStatus { id: "status", data: Status { text }, transient: true }, out);
}

/// Documents of one's own have addresses on this server.
fn is_document(url: &str) -> bool {
    url.starts_with('/')
}

fn show(source: &Source, out: &mut Vec<u8>) {
    let Source { n, title, url } = source;
    let source_id = &format!("s{n}");
    write(
        &if is_document(url) {
            Chunk::SourceDocument { source_id, media_type: "text/plain", title }
        } else {
            Chunk::SourceUrl { source_id, url, title }
        },
        out,
    );
}

/// Where each code point of a text begins, in UTF-16 units.
enum Units {
    /// Where its number says: of a text with so many.
    Same(usize),
    Each(Vec<usize>),
}

impl Units {
    fn of(text: &str) -> Units {
        if text.is_ascii() {
            return Units::Same(text.len());
        }
        let mut at = 0;
        let mut all = vec![0];
        for letter in text.chars() {
            at += letter.len_utf16();
            all.push(at);
        }
        Units::Each(all)
    }

    fn at(&self, code_point: usize) -> usize {
        match self {
            Units::Same(all) => code_point.min(*all),
            Units::Each(all) => all.get(code_point).or(all.last()).copied().unwrap_or_default(),
        }
    }
}

fn cite(cited: &Cited, units: &Units) -> Option<Citation> {
    let Cited { n, url, title, start, end, quote } = cited;
    let id = format!("cited-{}", (*n)?);
    let source = if is_document(url) {
        json!({ "type": "source", "sourceType": "document", "id": id, "mediaType": "text/plain", "title": title })
    } else {
        json!({ "type": "source", "sourceType": "url", "id": id, "url": url, "title": title })
    };
    let (start_index, end_index) = (units.at(*start), units.at(*end));
    Some(Citation { source, start_index, end_index, cited_text: quote.clone() })
}

/// Who answers, and how many of the oldest turns that one has no room for.
fn answers(model: &str, left_out: usize) -> Value {
    let mut known = json!({ "model": model });
    if left_out > 0
        && let Some(known) = known.as_object_mut()
    {
        known.insert("turnsLeftOut".to_owned(), json!(left_out));
    }
    known
}

/// None where a call's use is unknown: a sum without it would be wrong.
fn used(costs: &Costs) -> Option<Value> {
    if !costs.is_whole() {
        return None;
    }
    let tokens = &costs.token_counts;
    let mut value = json!({ "usage": {
        "inputTokens": tokens.input, "outputTokens": tokens.output, "totalTokens": tokens.total,
        "reasoningTokens": costs.sum(|step| step.reasoning_tokens),
        "cachedInputTokens": costs.sum(|step| step.cached_input_tokens),
    } });
    if let Some(cost) = costs.known()
        && let Some(value) = value.as_object_mut()
    {
        value.insert("cost".to_owned(), json!(cost));
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_units_of_what_pages_count_by() {
        for (text, all) in [("Ada", [0, 1, 2, 3, 3]), ("é🦀x", [0, 1, 3, 4, 4])] {
            let units = Units::of(text);
            assert_eq!([0, 1, 2, 3, 9].map(|at| units.at(at)), all, "{text}");
        }
    }
}
