//! What the doors of conversations are told of an ask: of each event the few fields that they need.
//!
//! Border: payloads in. The bodies of model calls, most of a log's bytes, are not even read.

use quarry_events::{
    EventName, FailureKind, Finish, Seconds, StageName, StageState, left_out_line,
};
use quarry_types::text::unended;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

/// Something that is told.
#[derive(Debug)]
pub(crate) enum Told {
    /// What the ask is about, who answers, `provider:name`, and how many of the oldest turns before it that one has no
    /// room for.
    Init { query: String, model: String, left_out: usize },
    /// A sentence from the engine room.
    Log(String),
    /// A stage begins.
    Begun(StageName, Option<u32>),
    /// What is researched.
    Questions(Vec<String>),
    /// The model's words beside its calls, the first of them in front.
    Thought { title: String, text: String },
    /// Tool calls that begin.
    Calls(Vec<Call>),
    /// A tool call that has ended.
    Result(Box<Found>),
    /// Sources that were not known before.
    Sources(Vec<Source>),
    /// The ask waits for a provider.
    Wait(Wait),
    /// The next piece of the answer.
    Piece(String),
    /// The answer is whole.
    Answer(Finish, Vec<Cited>),
    /// What all calls used.
    Costs(Box<Costs>),
    /// The last event of an ask that was carried out.
    Complete,
    /// The last event of one that failed, with the number of sources that had been found.
    Failed { kind: FailureKind, message: String, found: usize },
    /// The last event of one that waits for a provider's limit, with what all calls used by then, where that is told.
    Limited { message: String, seconds: Seconds, until: String, costs: Option<Box<Costs>> },
}

/// A tool call.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Call {
    /// Unique in the ask.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments, as they stand in the event.
    pub args: Box<RawValue>,
    /// The call in a line for people.
    pub line: String,
}

/// What a tool call came to.
#[derive(Debug, Deserialize)]
pub(crate) struct Found {
    /// As when the call began.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments, as they stand in the event.
    pub args: Box<RawValue>,
    /// A JSON text.
    pub output: String,
    /// Whether the tool did what it was asked to.
    pub ok: bool,
    /// Addresses of what it found, where that is told.
    #[serde(default)]
    pub urls: Option<Vec<String>>,
    /// Why not.
    #[serde(default)]
    pub error: Option<Why>,
}

/// Why a call brought nothing.
#[derive(Debug, Deserialize)]
pub(crate) struct Why {
    /// In words.
    pub message: String,
}

/// A source.
#[derive(Debug, Deserialize)]
pub(crate) struct Source {
    /// Its number among the evidence.
    pub n: usize,
    /// Its title, or its address.
    pub title: String,
    /// Its address.
    pub url: String,
}

/// A wait.
#[derive(Debug, Deserialize)]
pub(crate) struct Wait {
    /// How long.
    pub seconds: Value,
    /// Why.
    pub message: String,
}

impl Wait {
    /// The same in a line.
    pub(crate) fn line(&self) -> String {
        format!("{}; waiting {} s", unended(&self.message), self.seconds)
    }
}

/// A citation of the answer.
#[derive(Debug, Deserialize)]
pub(crate) struct Cited {
    /// None where the link was taken out.
    #[serde(default)]
    pub n: Option<usize>,
    /// The source's address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Code points of the answer before it.
    pub start: usize,
    /// Code points up to its end.
    pub end: usize,
    /// The passage that it rests on.
    #[serde(default)]
    pub quote: Option<String>,
}

/// What is read of `cost_summary`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Costs {
    /// US dollars.
    pub total_cost: f64,
    /// Whether that is the cost of every call.
    pub cost_known: bool,
    /// Of all calls together.
    pub token_counts: Tokens,
    /// Each call.
    pub step_costs: Vec<Step>,
    /// Calls of which nobody knows what they used.
    #[serde(default)]
    pub unsettled_calls: Vec<IgnoredAny>,
}

impl Costs {
    /// A sum over all calls.
    pub(crate) fn sum(&self, of: fn(&Step) -> u64) -> u64 {
        self.step_costs.iter().map(of).fold(0, u64::saturating_add)
    }

    /// Whether it is known of every call what it used.
    pub(crate) const fn is_whole(&self) -> bool {
        self.unsettled_calls.is_empty()
    }

    /// US dollars, where that is the cost of every call.
    pub(crate) fn known(&self) -> Option<f64> {
        (self.cost_known && self.is_whole()).then_some(self.total_cost)
    }
}

/// Tokens of several calls.
#[derive(Debug, Deserialize)]
pub(crate) struct Tokens {
    /// Input.
    pub input: u64,
    /// Output.
    pub output: u64,
    /// Both.
    pub total: u64,
}

/// What one call used.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Step {
    /// `provider:name`.
    pub model: String,
    /// All input.
    pub input_tokens: u64,
    /// All output.
    pub output_tokens: u64,
    /// Of the input.
    pub cached_input_tokens: u64,
    /// Of the output.
    pub reasoning_tokens: u64,
}

#[derive(Deserialize)]
struct Init {
    query: String,
    model: String,
    #[serde(default, rename = "turnsLeftOut")]
    left_out: usize,
}

#[derive(Deserialize)]
struct Log {
    message: String,
}

#[derive(Deserialize)]
struct Stage {
    name: StageName,
    iteration: Option<u32>,
    state: StageState,
}

#[derive(Deserialize)]
struct Plan {
    questions: Vec<String>,
}

#[derive(Deserialize)]
struct Thought {
    title: String,
    text: String,
}

#[derive(Deserialize)]
struct Tools {
    calls: Vec<Call>,
}

#[derive(Deserialize)]
struct Sources {
    added: Vec<Source>,
}

#[derive(Deserialize)]
struct Delta {
    text: String,
}

#[derive(Deserialize)]
struct Answer {
    finish: Finish,
    citations: Vec<Cited>,
}

/// What is told of an ask whose process died.
const INTERRUPTED: &str = "The ask was interrupted; send the request again.";

#[derive(Deserialize)]
struct Failure {
    error: String,
    #[serde(rename = "type")]
    kind: FailureKind,
    #[serde(default)]
    evidence: Option<Vec<IgnoredAny>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Quota {
    message: String,
    wait_time: Seconds,
    resume_after: String,
    #[serde(default)]
    costs: Option<Box<Costs>>,
}

impl Told {
    /// None for what is not told, and for what cannot be read.
    pub(crate) fn read(name: EventName, data: &str) -> Option<Told> {
        Some(match name {
            EventName::Init => {
                let Init { query, model, left_out } = read(data)?;
                Told::Init { query, model, left_out }
            }
            EventName::Log => Told::Log(read::<Log>(data)?.message),
            EventName::Stage => {
                let Stage { name, iteration, state } = read(data)?;
                (state == StageState::Begun).then_some(Told::Begun(name, iteration))?
            }
            EventName::ResearchQuestions => Told::Questions(read::<Plan>(data)?.questions),
            EventName::Thought => {
                let Thought { title, text } = read(data)?;
                Told::Thought { title, text }
            }
            EventName::Tools => Told::Calls(read::<Tools>(data)?.calls),
            EventName::ToolResult => Told::Result(Box::new(read(data)?)),
            EventName::Sources => Told::Sources(read::<Sources>(data)?.added),
            EventName::Waiting => Told::Wait(read(data)?),
            EventName::AnswerDelta => Told::Piece(read::<Delta>(data)?.text),
            EventName::FinalAnswer => {
                let Answer { finish, citations } = read(data)?;
                Told::Answer(finish, once_each(citations))
            }
            EventName::CostSummary => Told::Costs(Box::new(read(data)?)),
            EventName::Complete => Told::Complete,
            EventName::Error => {
                let Failure { error, kind, evidence } = read(data)?;
                let found = evidence.map_or(0, |evidence| evidence.len());
                let message = match kind {
                    // The event says it in the words of another door.
                    FailureKind::Interrupted => INTERRUPTED.to_owned(),
                    _ => error,
                };
                Told::Failed { kind, message, found }
            }
            EventName::QuotaExceeded => {
                let Quota { message, wait_time: seconds, resume_after: until, costs } = read(data)?;
                Told::Limited { message, seconds, until, costs }
            }
            _ => return None,
        })
    }
}

impl Told {
    /// What goes on, in lines for people; none for what is the answer's, or not theirs.
    pub(crate) fn lines(&self) -> Vec<String> {
        let lines = match self {
            Told::Init { left_out, .. } => left_out_line(*left_out).into_iter().collect(),
            Told::Begun(name, iteration) => stage_line(*name, *iteration).into_iter().collect(),
            Told::Questions(questions) => vec![format!("Questions: {}", questions.join(" · "))],
            Told::Thought { title, .. } => vec![title.clone()],
            Told::Calls(calls) => calls.iter().map(|call| call.line.clone()).collect(),
            Told::Wait(wait) => vec![wait.line()],
            _ => Vec::new(),
        };
        let on_one = |line: String| line.split_whitespace().collect::<Vec<_>>().join(" ");
        lines.into_iter().map(on_one).collect()
    }
}

/// Citations of JSON have no place in it: they are the list of its sources, each once.
fn once_each(citations: Vec<Cited>) -> Vec<Cited> {
    let mut kept: Vec<Cited> = Vec::with_capacity(citations.len());
    for citation in citations {
        let is_placed = citation.start < citation.end;
        let is_new = || citation.n.is_some() && kept.iter().all(|known| known.url != citation.url);
        if is_placed || is_new() {
            kept.push(citation);
        }
    }
    kept
}

fn read<'a, T: Deserialize<'a>>(data: &'a str) -> Option<T> {
    serde_json::from_str(data).ok()
}

/// A stage in words, where readers of a conversation are told it.
pub(crate) fn stage_line(name: StageName, iteration: Option<u32>) -> Option<String> {
    Some(match name {
        StageName::Setup => "Choosing an approach".to_owned(),
        StageName::Planning => "Planning the research".to_owned(),
        StageName::Research => format!("Research, round {}", iteration.unwrap_or(1)),
        StageName::Answer => "Writing the answer".to_owned(),
        StageName::Retrieve | StageName::Context | StageName::Generate | StageName::Citations => {
            return None;
        }
    })
}
