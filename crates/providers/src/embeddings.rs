//! Embeddings: texts as the HTTP request that a provider wants, and its reply as vectors.
//!
//! Border: sans I/O, as [`crate::Call`] is: whoever drives it sends [`EmbeddingCall::outgoing`], reads what comes with
//! an [`EmbeddingExchange`], and tells [`EmbeddingCall::tried`] how that ended. Whether vectors fit together is their
//! user's business.

use crate::call::{self, Next};
use crate::catalogue::Wire;
use crate::exchange::Lost;
use crate::failure::{self, Failure};
use crate::json::{count, lenient};
use crate::request::{Address, HttpRequest, post};
use crate::retry::Retry;
use crate::target::Target;
use crate::wait::Header;
use quarry_types::{Backoff, ChatError, ModelId, Provider, Retries, Usage, tokens};
use serde::Deserialize;
use serde_json::json;

/// Bytes of a reply that are read: a hundred vectors of the largest models take a tenth.
const REPLY_LIMIT: usize = 32 * 1024 * 1024;
/// Bytes of an error's body that are read.
const ERROR_LIMIT: usize = 64 * 1024;

/// Vectors of texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// In the order of the texts.
    pub vectors: Vec<Vec<f32>>,
    /// Tokens that were paid for.
    pub tokens: u64,
    /// Whether the provider said how many; else they are estimated.
    pub reported: bool,
}

/// A call for embeddings under way.
#[derive(Debug)]
pub struct EmbeddingCall {
    model: ModelId,
    texts: Vec<String>,
    target: Target,
    retry: Retry,
}

impl EmbeddingCall {
    /// A call that was not tried yet.
    ///
    /// # Errors
    /// [`ChatError::Unsent`] where the provider has no embeddings.
    pub fn new(model: ModelId, texts: Vec<String>, target: Target) -> Result<Self, ChatError> {
        if model.provider.sheet().wire == Wire::ChatCompletions {
            // Who asked counts each try that may have been paid for, and decides whether there is another.
            let retry = Retry::new(Retries::of_unpaid(Backoff::default()));
            return Ok(EmbeddingCall { model, texts, target, retry });
        }
        let message = format!(
            "{} has no embeddings; set embedding_model to a model of another provider, as in \
             openai:text-embedding-3-small",
            model.provider
        );
        Err(ChatError::Unsent { message })
    }

    /// What to send.
    #[must_use]
    pub fn outgoing(&self) -> HttpRequest {
        let EmbeddingCall { model, texts, target, .. } = self;
        let Target { address, key } = target;
        let key = key.as_deref();
        let accept = "application/json";
        match form(model.provider) {
            Form::Ollama => {
                let body = json!({ "model": model.name, "input": texts }).to_string();
                let path = format!("{}/api/embed", root(address));
                post(address, path, Wire::ChatCompletions, key, accept, body.into_bytes())
            }
            Form::OpenAi => {
                let body =
                    json!({ "model": model.name, "input": texts, "encoding_format": "float" });
                let path = format!("{}/embeddings", address.path);
                let body = body.to_string().into_bytes();
                post(address, path, Wire::ChatCompletions, key, accept, body)
            }
        }
    }

    /// The response to a try, which begins so. Only a refusal's headers are asked for.
    #[must_use]
    pub fn answered(
        &self,
        status: u16,
        headers: impl FnOnce() -> Vec<Header>,
    ) -> EmbeddingExchange {
        let refused = (!(200..300).contains(&status)).then(|| (status, headers()));
        let estimate = self.texts.iter().map(|text| tokens::estimate(text)).sum();
        EmbeddingExchange { form: form(self.model.provider), refused, body: Vec::new(), estimate }
    }

    /// Takes how a try ended. `left_ms`: how long the call as a whole may last yet. `random` gives a number from 0 to 1
    /// and is asked when the try failed.
    #[must_use]
    pub fn tried(
        &mut self,
        tried: Result<Embedded, Failure>,
        left_ms: impl FnOnce() -> u64,
        random: impl FnOnce() -> f64,
    ) -> Next<Embedded> {
        match tried {
            Ok(embedded) => Next::Ended(Ok(embedded)),
            Err(failure) => {
                let step = self.retry.after(failure, false, left_ms(), random());
                call::next(step, self.target.key.as_deref())
            }
        }
    }
}

/// Which of the two forms a provider has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    OpenAi,
    Ollama,
}

const fn form(provider: Provider) -> Form {
    match provider {
        Provider::Ollama => Form::Ollama,
        _ => Form::OpenAi,
    }
}

/// The path under which Ollama has its own interface: beside the one that it shares with others.
fn root(address: &Address) -> &str {
    address.path.strip_suffix("/v1").unwrap_or(&address.path)
}

/// A reply with vectors that is arriving.
#[derive(Debug)]
pub struct EmbeddingExchange {
    form: Form,
    refused: Option<(u16, Vec<Header>)>,
    body: Vec<u8>,
    estimate: u64,
}

impl EmbeddingExchange {
    /// Takes bytes of the body in. Whether the rest is needed.
    ///
    /// # Errors
    /// Where a reply is longer than any that is meant so.
    pub fn push(&mut self, bytes: &[u8]) -> Result<bool, Failure> {
        self.body.extend_from_slice(bytes);
        match self.refused {
            Some(_) => Ok(self.body.len() < ERROR_LIMIT),
            None if self.body.len() > REPLY_LIMIT => {
                Err(malformed("the reply is too long for embeddings"))
            }
            None => Ok(true),
        }
    }

    /// The body has ended; `lost` is why it broke off, if it did. `now` is in Unix seconds, and asked for when the
    /// call was refused.
    ///
    /// # Errors
    /// What the provider refused the call with, or why its reply cannot be used.
    pub fn end(self, lost: Option<Lost>, now: impl FnOnce() -> f64) -> Result<Embedded, Failure> {
        if let Some((status, headers)) = self.refused {
            return Err(failure::from_response(status, &headers, &self.body, now()));
        }
        if let Some(lost) = lost {
            return Err(lost.into());
        }
        let (vectors, tokens) = match self.form {
            Form::OpenAi => read_openai(&self.body)?,
            Form::Ollama => read_ollama(&self.body)?,
        };
        // No count and a count of nothing are no report.
        let told = tokens.filter(|tokens| *tokens > 0);
        let (input, reported) = (told.unwrap_or(self.estimate), told.is_some());
        let used = Usage { input, reported, ..Usage::default() }.of_call();
        Ok(Embedded { vectors, tokens: used.input, reported: used.reported })
    }
}

type Read = (Vec<Vec<f32>>, Option<u64>);

fn read_openai(body: &[u8]) -> Result<Read, Failure> {
    #[derive(Deserialize)]
    struct Reply {
        data: Vec<Item>,
        #[serde(default, deserialize_with = "lenient")]
        usage: Option<Told>,
    }
    #[derive(Deserialize)]
    struct Item {
        #[serde(default)]
        index: Option<u32>,
        embedding: Vec<Option<f32>>,
    }
    #[derive(Deserialize)]
    struct Told {
        #[serde(default, deserialize_with = "count")]
        prompt_tokens: Option<u64>,
    }
    let mut reply: Reply = read(body)?;
    // The places are told, and nothing says that they come in order.
    reply.data.sort_by_key(|item| item.index);
    let places = reply.data.iter().zip(0_u32..);
    if places.clone().any(|(item, at)| item.index.is_some_and(|index| index != at)) {
        return Err(malformed("the places of its embeddings are not those of the texts"));
    }
    let tokens = reply.usage.and_then(|usage| usage.prompt_tokens);
    Ok((reply.data.into_iter().map(|item| numbers(item.embedding)).collect(), tokens))
}

fn read_ollama(body: &[u8]) -> Result<Read, Failure> {
    #[derive(Deserialize)]
    struct Reply {
        embeddings: Vec<Vec<Option<f32>>>,
        #[serde(default, deserialize_with = "count")]
        prompt_eval_count: Option<u64>,
    }
    let reply: Reply = read(body)?;
    Ok((reply.embeddings.into_iter().map(numbers).collect(), reply.prompt_eval_count))
}

/// JSON has no word but `null` for what is no number.
fn numbers(numbers: Vec<Option<f32>>) -> Vec<f32> {
    numbers.into_iter().map(|number| number.unwrap_or(f32::NAN)).collect()
}

fn read<'b, T: Deserialize<'b>>(body: &'b [u8]) -> Result<T, Failure> {
    serde_json::from_slice(body).map_err(|error| {
        let why = match error.classify() {
            serde_json::error::Category::Eof => "the reply with embeddings is empty or broke off",
            _ => "the reply holds no embeddings that can be read",
        };
        malformed(why)
    })
}

fn malformed(why: &str) -> Failure {
    ChatError::Malformed { message: why.to_owned() }.into()
}

#[cfg(test)]
mod tests;
