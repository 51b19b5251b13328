//! What a chat completion is told of an ask: of each event the few fields that it needs.
//!
//! Border: payloads in. The bodies of model calls, most of a log's bytes, are not even read.

use quarry_events::{EventName, FailureKind, Finish, StageName, StageState};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::failure::Failed;
use super::usage::{Costs, Usage};

/// Something that is told.
pub(super) enum Told {
    Stage(StageName, Option<u32>),
    Questions(Vec<String>),
    /// Sentences about what goes on.
    Lines(Vec<String>),
    /// Seconds, and why.
    Wait(Value, String),
    Piece(String),
    Answer(Finish, Vec<Cited>),
    Costs(Option<Usage>),
    Complete,
    Failed(Failed),
}

/// A citation of the answer.
#[derive(Deserialize)]
pub(super) struct Cited {
    /// None where the link was taken out.
    #[serde(default)]
    pub n: Option<usize>,
    pub url: String,
    pub title: String,
    /// Code points of the answer.
    pub start: usize,
    pub end: usize,
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
}

#[derive(Deserialize)]
struct Tools {
    calls: Vec<Call>,
}

#[derive(Deserialize)]
struct Call {
    line: String,
}

#[derive(Deserialize)]
struct Wait {
    seconds: Value,
    message: String,
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
    wait_time: f64,
}

impl Told {
    /// None for what is not told, and for what cannot be read.
    pub fn read(name: EventName, data: &str) -> Option<Told> {
        match name {
            EventName::Stage => {
                let Stage { name, iteration, state } = read(data)?;
                (state == StageState::Begun).then_some(Told::Stage(name, iteration))
            }
            EventName::ResearchQuestions => {
                read(data).map(|plan: Plan| Told::Questions(plan.questions))
            }
            EventName::Thought => {
                read(data).map(|thought: Thought| Told::Lines(vec![thought.title]))
            }
            EventName::Tools => read(data).map(|tools: Tools| {
                Told::Lines(tools.calls.into_iter().map(|call| call.line).collect())
            }),
            EventName::Waiting => {
                read(data).map(|wait: Wait| Told::Wait(wait.seconds, wait.message))
            }
            EventName::AnswerDelta => read(data).map(|delta: Delta| Told::Piece(delta.text)),
            EventName::FinalAnswer => {
                read(data).map(|answer: Answer| Told::Answer(answer.finish, answer.citations))
            }
            EventName::CostSummary => read(data).map(|costs: Costs| Told::Costs(Usage::of(costs))),
            EventName::Complete => Some(Told::Complete),
            EventName::Error => read(data).map(|failure: Failure| {
                let found = failure.evidence.map_or(0, |evidence| evidence.len());
                Told::Failed(Failed::of(failure.kind, &failure.error, found))
            }),
            EventName::QuotaExceeded => read(data)
                .map(|quota: Quota| Told::Failed(Failed::limited(&quota.message, quota.wait_time))),
            _ => None,
        }
    }
}

fn read<'a, T: Deserialize<'a>>(data: &'a str) -> Option<T> {
    serde_json::from_str(data).ok()
}
