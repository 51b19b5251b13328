//! Reading a provider's reply as its bytes come in.
//!
//! Border: bytes in; text as soon as there is some, then the whole reply or why there is none.
//! Streams and answers that are not streamed are told apart by their first byte.

use crate::catalogue::{self, Wire};
use crate::failure::{self, Failure};
use crate::{chat_completions, messages, responses};
use quarry_types::{
    ChatError, ChatRequest, Completion, FinishReason, Message, ToolCall, Usage, tokens,
};
use serde_json::Value;

/// Bytes that a whole reply may have. The longest answers of today's models are far below.
pub const REPLY_LIMIT: usize = 8 * 1024 * 1024;

/// What comes of a base URL that leads to somebody's web pages.
const A_PAGE: &str =
    "it is a web page, neither JSON nor an event stream; check the provider's base URL";

/// A reply as the provider gave it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The text, empty when there are only calls.
    pub text: String,
    /// The calls it asks for, in order.
    pub tool_calls: Vec<ToolCall>,
    /// What it thought before, as far as that was told.
    pub reasoning: Option<String>,
    /// None: the provider reported none.
    pub usage: Option<Usage>,
    /// Why the model stopped.
    pub finish_reason: FinishReason,
    /// The model's name as the provider reports it; may be empty.
    pub model: String,
}

impl Reply {
    /// The completion, with what the provider left out: usage by estimate, the model's name.
    #[must_use]
    pub fn into_completion(self, request: &ChatRequest, attempts: u32) -> Completion {
        let usage = self.usage.unwrap_or_else(|| estimate_usage(request, &self)).of_call();
        let model = if self.model.is_empty() { request.model.name.clone() } else { self.model };
        // Only beside calls does anybody want it back.
        let is_wanted =
            !self.tool_calls.is_empty() && catalogue::takes_reasoning_back(request.model.provider);
        Completion {
            text: self.text,
            tool_calls: self.tool_calls,
            reasoning: self.reasoning.filter(|_| is_wanted),
            usage,
            finish_reason: self.finish_reason,
            model,
            attempts,
        }
    }
}

/// Usage where no provider has counted it.
#[must_use]
pub fn estimate_usage(request: &ChatRequest, reply: &Reply) -> Usage {
    let call = |call: &ToolCall| tokens::estimate(&call.name) + tokens::estimate(&call.arguments);
    let input: u64 = request.messages.iter().map(Message::estimate).sum();
    let tools: u64 = request
        .tools
        .iter()
        .map(|tool| {
            tokens::estimate(&tool.name)
                + tokens::estimate(&tool.description)
                + tokens::estimate(tool.parameters.text())
        })
        .sum();
    Usage {
        input: input + tools,
        output: tokens::estimate(&reply.text) + reply.tool_calls.iter().map(call).sum::<u64>(),
        cached_input: 0,
        reasoning: 0,
        reported: false,
    }
}

/// Whether more bytes are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Yes.
    More,
    /// The provider said that this was all; the rest of the body need not be read.
    Done,
}

#[derive(Debug)]
enum Decoder {
    ChatCompletions(chat_completions::Decoder),
    Messages(messages::Decoder),
    Responses(responses::Decoder),
}

#[derive(Debug)]
enum Form {
    /// No byte has come that tells.
    Unknown,
    Stream(quarry_sse::Parser),
    Whole(Vec<u8>),
}

/// Reads one reply.
#[derive(Debug)]
pub struct ReplyReader {
    form: Form,
    decoder: Decoder,
    text: String,
    bytes: usize,
    /// Whether something of it has come.
    begun: bool,
    done: bool,
}

impl ReplyReader {
    /// A reader for a wire format.
    #[must_use]
    pub fn new(wire: Wire) -> Self {
        let decoder = match wire {
            Wire::Messages => Decoder::Messages(messages::Decoder::default()),
            Wire::Responses => Decoder::Responses(responses::Decoder::default()),
            Wire::ChatCompletions | Wire::BuiltIn => {
                Decoder::ChatCompletions(chat_completions::Decoder::default())
            }
        };
        ReplyReader {
            form: Form::Unknown,
            decoder,
            text: String::new(),
            bytes: 0,
            begun: false,
            done: false,
        }
    }

    /// Takes bytes in, cut anywhere. New text can be read with [`ReplyReader::text`].
    ///
    /// # Errors
    /// What the provider says inside its stream, or what cannot be understood.
    pub fn push(&mut self, chunk: &[u8]) -> Result<Progress, Failure> {
        self.bytes = self.bytes.saturating_add(chunk.len());
        if self.bytes > REPLY_LIMIT {
            return Err(malformed(format!("it is longer than {REPLY_LIMIT} bytes")));
        }
        if matches!(self.form, Form::Unknown) {
            match chunk.iter().find(|byte| !byte.is_ascii_whitespace()) {
                None => return Ok(Progress::More),
                Some(b'{' | b'[') => self.form = Form::Whole(Vec::new()),
                Some(b'<') => return Err(malformed(A_PAGE.to_owned())),
                Some(_) => self.form = Form::Stream(quarry_sse::Parser::new(REPLY_LIMIT)),
            }
        }
        match &mut self.form {
            Form::Whole(body) => body.extend_from_slice(chunk),
            Form::Stream(parser) => {
                let (decoder, text, done) = (&mut self.decoder, &mut self.text, &mut self.done);
                let (begun, mut outcome) = (&mut self.begun, Ok(()));
                parser
                    .push(chunk, |event| {
                        if outcome.is_ok() && !*done {
                            let taken = take_event(decoder, event, text, done);
                            let is_begun = std::mem::replace(begun, true);
                            outcome = match is_begun {
                                true => taken.map_err(Failure::behind_output),
                                false => taken,
                            };
                        }
                    })
                    .map_err(|error| malformed(error.to_string()))?;
                outcome?;
            }
            Form::Unknown => {}
        }
        Ok(if self.done { Progress::Done } else { Progress::More })
    }

    /// The text so far.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the provider said that the reply is whole.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.done
            || match &self.decoder {
                Decoder::ChatCompletions(decoder) => decoder.is_finished(),
                Decoder::Messages(decoder) => decoder.is_finished(),
                Decoder::Responses(decoder) => decoder.is_finished(),
            }
    }

    /// The whole reply, once the body has ended or `push` said [`Progress::Done`].
    ///
    /// # Errors
    /// When the reply broke off, or cannot be understood.
    pub fn finish(mut self) -> Result<Reply, Failure> {
        match std::mem::replace(&mut self.form, Form::Unknown) {
            Form::Unknown => {
                return Err(Failure::from(ChatError::Connection {
                    message: "the provider sent an empty reply".to_owned(),
                }));
            }
            Form::Whole(body) => self.take_whole(&body)?,
            Form::Stream(parser) => {
                let (decoder, text, done) = (&mut self.decoder, &mut self.text, &mut self.done);
                let (begun, mut outcome) = (self.begun, Ok(()));
                parser.finish(|event| {
                    if !*done {
                        outcome = take_event(decoder, event, text, done);
                    }
                });
                if begun {
                    outcome = outcome.map_err(Failure::behind_output);
                }
                if !self.is_whole() {
                    return Err(broken_off(outcome));
                }
                outcome?;
            }
        }
        Ok(match self.decoder {
            Decoder::ChatCompletions(decoder) => decoder.into_reply(self.text),
            Decoder::Messages(decoder) => decoder.into_reply(self.text),
            Decoder::Responses(decoder) => decoder.into_reply(self.text),
        })
    }

    fn take_whole(&mut self, body: &[u8]) -> Result<(), Failure> {
        match &mut self.decoder {
            Decoder::ChatCompletions(decoder) => {
                let mut chunk: chat_completions::Chunk = whole(body)?;
                if let Some(error) = chunk.take_error() {
                    return Err(failure::in_stream(&error));
                }
                decoder.take(chunk, &mut self.text);
                if !decoder.is_finished() && self.text.is_empty() {
                    return Err(malformed("it holds no answer".to_owned()));
                }
            }
            Decoder::Messages(decoder) => {
                decoder.take_whole(&whole::<Value>(body).and_then(object)?, &mut self.text)?;
            }
            Decoder::Responses(decoder) => {
                decoder.take_whole(&whole::<Value>(body).and_then(object)?, &mut self.text)?;
                if decoder.is_empty() {
                    return Err(malformed("it holds no answer".to_owned()));
                }
            }
        }
        Ok(())
    }
}

/// Why a stream ended before its reply did: what the provider says last. A torn last line tells less than that it broke
/// off.
fn broken_off(last: Result<(), Failure>) -> Failure {
    match last {
        Err(failure) if !matches!(failure.error, ChatError::Malformed { .. }) => failure,
        Err(_) | Ok(()) => Failure::from(ChatError::Connection {
            message: "the reply broke off before its end".to_owned(),
        }),
    }
}

fn take_event(
    decoder: &mut Decoder,
    event: quarry_sse::Event<'_>,
    text: &mut String,
    done: &mut bool,
) -> Result<(), Failure> {
    let data = event.data.trim();
    if data.is_empty() {
        return Ok(());
    }
    if data == "[DONE]" {
        *done = true;
        return Ok(());
    }
    match decoder {
        Decoder::ChatCompletions(decoder) => {
            let mut chunk: chat_completions::Chunk = match piece(data) {
                // What follows a whole reply, and is torn or of no known form, takes nothing from it.
                Err(_) if decoder.is_finished() => return Ok(()),
                chunk => chunk?,
            };
            if let Some(error) = chunk.take_error() {
                return Err(failure::in_stream(&error));
            }
            if event.event == "error" {
                let value: Value = piece(data)?;
                return Err(failure::in_stream(&value));
            }
            decoder.take(chunk, text);
        }
        Decoder::Messages(decoder) => {
            let event = match piece::<Value>(data).and_then(object) {
                Err(_) if decoder.is_finished() => return Ok(()),
                event => event?,
            };
            decoder.take(&event, text)?;
            *done = decoder.has_stopped();
        }
        Decoder::Responses(decoder) => {
            decoder.take(&piece::<Value>(data).and_then(object)?, text)?;
            *done = decoder.is_finished();
        }
    }
    Ok(())
}

/// An event or an answer of a format whose every one is an object.
fn object(value: Value) -> Result<Value, Failure> {
    match value.is_object() {
        true => Ok(value),
        false => Err(malformed("it is no JSON of this format".to_owned())),
    }
}

fn piece<'a, T: serde::Deserialize<'a>>(data: &'a str) -> Result<T, Failure> {
    serde_json::from_str(data)
        .map_err(|error| malformed(format!("a chunk is no JSON of this format: {error}")))
}

fn whole<'a, T: serde::Deserialize<'a>>(body: &'a [u8]) -> Result<T, Failure> {
    serde_json::from_slice(body)
        .map_err(|error| malformed(format!("it is no JSON of this format: {error}")))
}

pub(crate) fn malformed(message: String) -> Failure {
    Failure::from(ChatError::Malformed { message })
}

#[cfg(test)]
mod tests;
