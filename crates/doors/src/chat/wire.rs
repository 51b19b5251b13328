//! Chat completions as they are written: whole, and in chunks.
//!
//! Border: names and shapes of the protocol; what they say is the fold's.

use serde::Serialize;

use super::usage::Usage;

/// A completion.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ChatCompletion"))]
pub(crate) struct Completion<'a> {
    /// Made of the ask's id, which it does not tell.
    pub id: &'a str,
    /// Always `chat.completion`.
    pub object: &'static str,
    /// Seconds since 1970.
    pub created: u64,
    /// As it was asked for.
    pub model: &'a str,
    /// Exactly one.
    pub choices: [Choice<'a>; 1],
    /// The addresses that the answer cites, each once.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub citations: &'a [String],
    /// Sums over all of the ask's model calls; absent where a call's use is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<&'a Usage>,
    /// What only Quarry knows, where there is something to tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quarry: Option<Beside>,
}

/// What only Quarry knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Beside {
    /// How many of the oldest messages were left out, because the model has no room for them.
    pub turns_left_out: usize,
}

/// An answer.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Choice<'a> {
    /// Always 0.
    pub index: u32,
    /// What is answered.
    pub message: Message<'a>,
    /// Always null.
    pub logprobs: Option<()>,
    /// `stop`, `length` or `content_filter`.
    pub finish_reason: &'static str,
}

/// What is answered.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Message<'a> {
    /// Always `assistant`.
    pub role: &'static str,
    /// Markdown.
    pub content: &'a str,
    /// Always null.
    pub refusal: Option<()>,
    /// What it cites.
    pub annotations: &'a [Annotation],
    /// What went on before the answer, a line each.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub reasoning_content: &'a str,
}

/// A place in the answer that cites a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Annotation {
    /// Always `url_citation`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Where, and what.
    pub url_citation: UrlCitation,
}

/// Where a source is cited, and which.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct UrlCitation {
    /// Code points of the content before the link.
    pub start_index: usize,
    /// Code points of the content up to its end.
    pub end_index: usize,
    /// The source's address.
    pub url: String,
    /// Its title.
    pub title: String,
}

/// A piece of a completion.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "ChatCompletionChunk")
)]
pub(crate) struct Chunk<'a> {
    /// The same in all chunks.
    pub id: &'a str,
    /// Always `chat.completion.chunk`.
    pub object: &'static str,
    /// Seconds since 1970; the same in all chunks.
    pub created: u64,
    /// As it was asked for.
    pub model: &'a str,
    /// Exactly one; none in the chunk with the usage.
    pub choices: &'a [ChunkChoice<'a>],
    /// The addresses that the answer cites, beside its annotations.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub citations: &'a [String],
    /// Where usage was asked for: null in all chunks but the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Usage>"))]
    pub usage: Option<Option<&'a Usage>>,
    /// What only Quarry knows, where there is something to tell: in the last chunk with a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quarry: Option<Beside>,
}

/// What is new.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct ChunkChoice<'a> {
    /// Always 0.
    pub index: u32,
    /// What is new.
    pub delta: Delta<'a>,
    /// Always null.
    pub logprobs: Option<()>,
    /// `stop`, `length` or `content_filter` in the last chunk with a choice, else null.
    pub finish_reason: Option<&'static str>,
}

/// What is new.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Delta<'a> {
    /// In the first chunk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<&'static str>,
    /// The next piece of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<&'a str>,
    /// What goes on, a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_content: Option<&'a str>,
    /// What the answer cites; once, behind its last piece.
    #[serde(skip_serializing_if = "<[Annotation]>::is_empty")]
    pub annotations: &'a [Annotation],
}
