//! What the provider was asked.

use serde::Deserialize;
use serde_json::Value;

/// The wire format of a model call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// Chat Completions.
    OpenAi,
    /// Responses.
    Responses,
    /// Messages.
    Anthropic,
    /// Embeddings in OpenAI's form.
    Embeddings,
    /// Embeddings in Ollama's.
    OllamaEmbed,
}

impl Wire {
    /// Whether texts are embedded.
    #[must_use]
    pub fn embeds(self) -> bool {
        matches!(self, Wire::Embeddings | Wire::OllamaEmbed)
    }
}

/// Which step of an ask a model call belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The first call: persona, questions, lengths.
    Setup,
    /// The research plan.
    Planning,
    /// A call with tools on offer; counted from 1 by the calls that the conversation shows.
    Iteration(u32),
    /// The digest of search results.
    Digest,
    /// The final answer.
    Synthesis,
    /// The answer as JSON.
    Format,
    /// Texts are embedded.
    Embedding,
}

impl Phase {
    /// Tells the phase from a request's body: by the tools, then by what the prompt asks for.
    pub fn of(wire: Wire, body: &Value) -> Phase {
        if wire.embeds() {
            return Phase::Embedding;
        }
        let tools = body["tools"].as_array().is_some_and(|tools| !tools.is_empty());
        if tools {
            return Phase::Iteration(1 + rounds_of_calls(wire, body));
        }
        let text = text_of(body);
        if text.contains("\"optimal_persona\"") {
            Phase::Planning
        } else if text.contains("\"reasoning_level\"") {
            Phase::Setup
        } else if text.contains("You digest search results") {
            Phase::Digest
        } else if text.contains("into the form that a program reads")
            || text.contains("Reply with one JSON object, a \"")
        {
            Phase::Format
        } else {
            Phase::Synthesis
        }
    }
}

/// Assistant messages that call tools.
fn rounds_of_calls(wire: Wire, body: &Value) -> u32 {
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    if wire == Wire::Responses {
        return rounds_of_results(body["input"].as_array().map(Vec::as_slice).unwrap_or_default());
    }
    let calls = messages.iter().filter(|message| match wire {
        Wire::OpenAi => message["tool_calls"].as_array().is_some_and(|calls| !calls.is_empty()),
        Wire::Anthropic => message["content"]
            .as_array()
            .is_some_and(|blocks| blocks.iter().any(|block| block["type"] == "tool_use")),
        Wire::Responses | Wire::Embeddings | Wire::OllamaEmbed => false,
    });
    u32::try_from(calls.count()).unwrap_or(u32::MAX)
}

/// Results stand behind the calls of a turn, which there are items of their own.
fn rounds_of_results(items: &[Value]) -> u32 {
    let is_result = |item: &Value| item["type"] == "function_call_output";
    let ends = items.windows(2).filter(|it| matches!(it, [a, b] if is_result(a) && !is_result(b)));
    let rounds = ends.count() + usize::from(items.last().is_some_and(is_result));
    u32::try_from(rounds).unwrap_or(u32::MAX)
}

/// All text of a request: system, messages, results.
pub(crate) fn text_of(body: &Value) -> String {
    let mut text = String::new();
    collect(&body["system"], &mut text);
    collect(&body["messages"], &mut text);
    collect(&body["input"], &mut text);
    text
}

fn collect(value: &Value, text: &mut String) {
    match value {
        Value::String(s) => {
            text.push_str(s);
            text.push('\n');
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, text)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// One request as it arrived.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// `GET`, `POST`, …
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// In the order of arrival, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as JSON; null when it is none.
    pub body: Value,
    /// For model calls.
    pub call: Option<(Wire, Phase)>,
}

impl Recorded {
    /// A request with this method, path with query, headers (names in lower case) and body.
    #[must_use]
    pub fn new(method: &str, path: &str, headers: Vec<(String, String)>, body: &[u8]) -> Recorded {
        let body: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
        let wire = match path.split('?').next().unwrap_or_default() {
            _ if method != "POST" => None,
            path if path.ends_with("/chat/completions") => Some(Wire::OpenAi),
            path if path.ends_with("/responses") => Some(Wire::Responses),
            path if path.ends_with("/messages") => Some(Wire::Anthropic),
            path if path.ends_with("/embeddings") => Some(Wire::Embeddings),
            path if path.ends_with("/api/embed") => Some(Wire::OllamaEmbed),
            _ => None,
        };
        Recorded {
            method: method.to_owned(),
            path: path.to_owned(),
            headers,
            call: wire.map(|wire| (wire, Phase::of(wire, &body))),
            body,
        }
    }

    /// The texts that are to be embedded.
    pub fn inputs(&self) -> Vec<&str> {
        let inputs =
            self.body.get("input").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        inputs.iter().filter_map(Value::as_str).collect()
    }

    /// The first header of this name (in lower case).
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The phase, for model calls.
    pub fn phase(&self) -> Option<Phase> {
        self.call.map(|(_, phase)| phase)
    }

    /// All text that the model would have read.
    pub fn text(&self) -> String {
        text_of(&self.body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn asked(text: &str) -> Value {
        json!({ "messages": [{ "role": "user", "content": text }] })
    }

    #[test]
    fn phases_without_tools_are_told_by_what_the_prompt_asks_for() {
        let phase = |text| Phase::of(Wire::OpenAi, &asked(text));
        assert_eq!(phase("{ \"reasoning_level\": … }"), Phase::Setup);
        assert_eq!(phase("{ \"optimal_persona\": … }"), Phase::Planning);
        assert_eq!(phase("You digest search results for"), Phase::Digest);
        assert_eq!(phase("into the form that a program reads"), Phase::Format);
        assert_eq!(phase("Answer the question"), Phase::Synthesis);
    }

    #[test]
    fn iterations_are_counted_by_the_calls_already_made() {
        let openai = json!({
            "tools": [{}],
            "messages": [
                { "role": "user", "content": "\"optimal_persona\"" },
                { "role": "assistant", "tool_calls": [{}] },
                { "role": "tool", "content": "…" },
            ],
        });
        assert_eq!(Phase::of(Wire::OpenAi, &openai), Phase::Iteration(2));
        let result = || json!({ "type": "function_call_output" });
        let items = json!([{ "type": "function_call" }, result(), result(), { "type": "reasoning" },
            { "type": "function_call" }, result()]);
        let responses = json!({ "tools": [{}], "input": items });
        assert_eq!(Phase::of(Wire::Responses, &responses), Phase::Iteration(3));
        let anthropic = json!({
            "tools": [{}],
            "messages": [{ "role": "assistant", "content": [{ "type": "tool_use" }] }],
        });
        assert_eq!(Phase::of(Wire::Anthropic, &anthropic), Phase::Iteration(2));
        assert_eq!(Phase::of(Wire::Anthropic, &json!({ "tools": [{}] })), Phase::Iteration(1));
    }
}
