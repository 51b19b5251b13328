//! What errands bring. It stays typed until it meets a prompt or an event.

use quarry_evidence::{Content, Passage, Signal};
use quarry_types::Usd;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What an errand brought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// Results of a search.
    Found(Found),
    /// A page that was read.
    Page(Page),
    /// Passages of documents of one's own.
    Passages(Passages),
    /// A program that was run, or that threw.
    Program(Program),
    /// Nothing, and why.
    Failed(ToolFailure),
}

impl Outcome {
    /// A failure of this kind.
    #[must_use]
    pub fn failed(kind: FailureKind, message: impl Into<String>) -> Self {
        Outcome::Failed(ToolFailure::new(kind, message.into()))
    }

    /// Why nothing came of the call; none when something did.
    #[must_use]
    pub fn failure(&self) -> Option<ToolFailure> {
        match self {
            Outcome::Failed(failure) => Some(failure.clone()),
            Outcome::Program(program) => program.failure(),
            Outcome::Found(_) | Outcome::Page(_) | Outcome::Passages(_) => None,
        }
    }

    /// What was paid for the vector of a question; none: nothing.
    #[must_use]
    pub fn spent(&self) -> Option<&Spent> {
        let spent = match self {
            Outcome::Passages(found) => found.spent.as_ref(),
            Outcome::Failed(failure) => failure.spent.as_ref(),
            Outcome::Found(_) | Outcome::Page(_) | Outcome::Program(_) => None,
        };
        spent.filter(|spent| spent.tokens > 0)
    }
}

/// Why a tool brought nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolFailure {
    /// In one word.
    pub kind: FailureKind,
    /// A sentence.
    pub message: String,
    /// What the vector of a question cost whose search failed behind it; none: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<Spent>,
}

impl ToolFailure {
    /// One that cost nothing.
    #[must_use]
    pub const fn new(kind: FailureKind, message: String) -> Self {
        ToolFailure { kind, message, spent: None }
    }

    /// One before which this was paid.
    #[must_use]
    pub fn behind(self, spent: Option<Spent>) -> Self {
        ToolFailure { spent, ..self }
    }
}

/// Kinds of failures of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The arguments did not fit.
    RefusedArguments,
    /// There is no such tool.
    UnknownTool,
    /// It did not end in time.
    Timeout,
    /// A rule forbids it: a private address, robots.txt.
    Refused,
    /// The page is not there.
    NotFound,
    /// The program threw.
    Threw,
    /// The program was ended by a limit.
    Limit,
    /// What is needed for it cannot be reached; later it may.
    Unavailable,
    /// Others hold what is needed for it.
    Busy {
        /// When a retry may help.
        retry_after_ms: u64,
    },
    /// The operator has not set up what is needed for it; waiting does not help.
    NotConfigured,
    /// Anything else.
    Failed,
}

/// Results of a search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The provider that answered.
    pub provider: String,
    /// Best first.
    pub results: Vec<Hit>,
    /// Providers that failed before, one sentence each.
    pub notes: Vec<String>,
    /// Whether results or texts were left out for their size.
    #[serde(default)]
    pub truncated: bool,
    /// What a model wrote about the results, once it was asked.
    #[serde(default)]
    pub digest: Option<Digest>,
}

/// A model's digest of search results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Digest {
    /// It was written.
    Written {
        /// By which model, `provider:name`.
        model: String,
        /// The digest.
        text: String,
    },
    /// There is none, and why.
    Failed(String),
}

/// One search result.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// Title.
    pub title: String,
    /// Address.
    pub url: String,
    /// The engine's words.
    pub description: String,
    /// 0 to 1.
    pub score: f64,
    /// The engine's own figure.
    pub provider_score: Option<f64>,
    /// Which provider.
    pub provider: String,
    /// Its page, when it was read.
    pub page: Option<Result<Page, String>>,
    /// Milliseconds that reading took.
    pub fetch_ms: u64,
    /// Whether its description was cut here.
    #[serde(default)]
    pub truncated: bool,
}

/// A page that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// After redirects.
    pub url: String,
    /// As the page says.
    pub title: Option<String>,
    /// As the page says.
    pub author: Option<String>,
    /// As the page says.
    pub date: Option<String>,
    /// As the page says.
    pub language: Option<String>,
    /// What it says of its kind and of who answers for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<Signal>,
    /// Main text as Markdown.
    pub content: String,
    /// The main text in pieces, until the evidence has taken them: they are kept there alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passages: Vec<Passage>,
    /// Characters of the main text before it was cut here; none when it was not.
    #[serde(default)]
    pub cut_from: Option<usize>,
    /// Whether main text was told apart.
    pub extracted: bool,
    /// Whether the page was cut off at a limit of the reader.
    pub truncated: bool,
    /// Whether its text is made by script, so that this is only what it gives without.
    #[serde(default)]
    pub needs_script: bool,
}

impl Page {
    /// With the page's own description where there is no main text.
    #[must_use]
    pub fn or_summary(mut self, description: Option<String>) -> Self {
        if self.content.trim().is_empty() {
            self.content = description.unwrap_or(self.content);
        }
        self
    }

    /// Cuts the main text to so many characters. As many are left of the passages, and the rest of
    /// the last one: passages are whole, so that their anchors stay true.
    pub fn cut(&mut self, characters: usize) {
        let mut before = 0;
        let begins = |passage: &&Passage| {
            let begins = before < characters;
            before += passage.characters();
            begins
        };
        let kept = self.passages.iter().take_while(begins).count();
        self.passages.truncate(kept);
        let shorter = quarry_types::text::cut(&self.content, characters);
        if shorter.len() < self.content.len() {
            self.cut_from = self.cut_from.or_else(|| Some(self.content.chars().count()));
            self.content = shorter;
        }
    }

    /// What the evidence keeps of the main text. The passages leave the page.
    pub fn take_content(&mut self) -> Content {
        Content::new(&self.content, std::mem::take(&mut self.passages))
    }

    /// Whether any of the page is missing.
    #[must_use]
    pub const fn is_incomplete(&self) -> bool {
        self.truncated || self.cut_from.is_some()
    }
}

/// What a collection of documents has on a question.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Passages {
    /// Best first.
    pub passages: Vec<OwnPassage>,
    /// Whether some were left out for their size.
    #[serde(default)]
    pub truncated: bool,
    /// What was not as it is set up to be, as where a provider of embeddings failed: sentences for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What the vector of the question cost; none: they are ranked without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<Spent>,
}

/// What a model of embeddings was paid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// `provider:name`.
    pub model: String,
    /// Tokens.
    pub tokens: u64,
    /// US dollars; none: no price is known.
    pub cost: Option<Usd>,
}

/// A passage of a document of one's own. Everything in it is outside text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OwnPassage {
    /// The id of its document.
    pub document: String,
    /// The document's title.
    pub title: String,
    /// The headings that it stands under, outermost first.
    pub headings: Vec<String>,
    /// Its place in the document, from 0.
    pub number: u32,
    /// The page of a PDF file on which it begins, from 1.
    pub page: Option<u32>,
    /// What it says.
    pub text: String,
    /// The path of this server that opens it.
    pub address: String,
    /// 0 to 1.
    pub score: f64,
    /// When the document was changed last, or published, as it says.
    pub date: Option<String>,
    /// The document's category, as written.
    pub category: Option<String>,
    /// Who published it.
    pub org: Option<String>,
    /// Where it is published, as written.
    pub source_urls: Vec<String>,
}

/// A program that was run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Lines printed, in order.
    pub console: Vec<String>,
    /// The last expression's value, when it has a JSON form.
    pub value: Option<Value>,
    /// The last expression's value as text, when it has none.
    pub text: Option<String>,
    /// What was thrown, with its place.
    pub error: Option<String>,
    /// The limit that ended it.
    pub limit: Option<String>,
}

impl Program {
    fn failure(&self) -> Option<ToolFailure> {
        let kind = if self.limit.is_some() { FailureKind::Limit } else { FailureKind::Threw };
        let message = self.error.clone()?;
        Some(ToolFailure::new(kind, message))
    }
}

/// How much of an outcome a conversation may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputLimits {
    /// Estimated tokens of one search output, above which it is halved.
    pub search_tokens: u64,
    /// Characters of one page.
    pub page_characters: usize,
}
