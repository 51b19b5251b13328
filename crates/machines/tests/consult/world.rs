//! A scripted search and a scripted model. At every step a copy of the machine that went through JSON must react
//! as the machine does.

use quarry_events::{Event, EventName};
use quarry_knowledge::asking::Categories;
use quarry_machines::consult::{Consult, ConsultParams};
use quarry_machines::core::{Budget, Effect, Fence, Input, Machine, ModelSheet};
use quarry_tools::{Errand, KnowledgeFilter, KnowledgeQuery, Outcome, OwnPassage, Passages, Share};
use quarry_types::{
    AskId, ChatError, ChatRequest, Completion, FinishReason, Price, Timestamp, Usage,
};
use serde_json::Value;
use std::collections::VecDeque;

/// When every question begins.
const START: Timestamp = Timestamp(1_792_532_100_000);
/// What lines around outside text begin with.
pub const FENCE: &str = "[[outside 7f3a]]";
/// Milliseconds that a search and a reply take.
const SEARCH_MS: u64 = 5;
const REPLY_MS: u64 = 100;

/// What happens to a question.
pub struct Script {
    found: Outcome,
    /// Of one call after the other; the last also of all others.
    replies: Vec<Result<String, ChatError>>,
}

impl Script {
    /// The documents have these.
    pub fn new(passages: Vec<OwnPassage>) -> Self {
        Script::failing(Outcome::Passages(Passages { passages, ..Passages::default() }))
    }

    /// The search brings this.
    pub fn failing(found: Outcome) -> Self {
        Script { found, replies: Vec::new() }
    }

    /// The model writes this, in two pieces where its text is streamed.
    pub fn streams(mut self, text: &str) -> Self {
        self.replies.push(Ok(text.to_owned()));
        self
    }

    /// The model fails.
    pub fn fails(mut self, error: ChatError) -> Self {
        self.replies.push(Err(error));
        self
    }

    fn reply(&self, call: usize) -> Result<String, ChatError> {
        let reply = self.replies.get(call).or(self.replies.last());
        reply.cloned().unwrap_or_else(|| Ok(String::new()))
    }
}

/// All that a question showed and did.
#[derive(Default)]
pub struct Run {
    pub events: Vec<Event>,
    pub requests: Vec<ChatRequest>,
    pub errands: Vec<Errand>,
}

impl Run {
    pub fn names(&self) -> Vec<&'static str> {
        self.events.iter().map(|event| event.name.as_str()).collect()
    }

    pub fn all(&self, name: EventName) -> Vec<Value> {
        let named = self.events.iter().filter(|event| event.name == name);
        named.map(|event| serde_json::from_str(&event.data).unwrap()).collect()
    }

    #[track_caller]
    pub fn the(&self, name: EventName) -> Value {
        let mut all = self.all(name);
        assert_eq!(all.len(), 1, "{}: {:?}", name.as_str(), self.names());
        all.remove(0)
    }

    /// The pieces of the answer together.
    pub fn pieces(&self) -> String {
        let pieces = self.all(EventName::AnswerDelta);
        pieces.iter().map(|piece| piece["text"].as_str().unwrap()).collect()
    }
}

/// An ordinary question.
pub fn asked() -> ConsultParams {
    ConsultParams {
        id: AskId::new(START.0, 7),
        query: KnowledgeQuery {
            text: "What is the late fee?".to_owned(),
            collection: Some("harbour".to_owned()),
            limit: 10,
            threshold: Share::of(0.15),
            filter: KnowledgeFilter::default(),
        },
        model: ModelSheet {
            id: "openai:test-model".parse().unwrap(),
            price: Some(Price { input: 1.0, output: 2.0, cached_input: None, reasoning: None }),
            context_window: Some(128_000),
            is_language_model: true,
            thinks: false,
            timeout_ms: 120_000,
        },
        fallback: None,
        user: None,
        operator_keys: true,
        budget: Budget::default(),
        ceiling: 2_048,
        reasoning_effort: None,
        categories: Categories::default(),
        verify_with_model: false,
        fence: Fence(FENCE.to_owned()),
    }
}

/// The same without a language model.
pub fn local() -> ConsultParams {
    let asked = asked();
    let id = "local:extractive".parse().unwrap();
    let model = ModelSheet { id, price: None, is_language_model: false, ..asked.model.clone() };
    ConsultParams { model, ..asked }
}

/// A passage of a document.
pub fn passage(
    document: &str,
    number: u32,
    title: &str,
    heading: &str,
    text: &str,
    score: f64,
) -> OwnPassage {
    OwnPassage {
        document: document.to_owned(),
        title: title.to_owned(),
        headings: vec![heading.to_owned()],
        number,
        text: text.to_owned(),
        address: format!("/knowledge/documents/{document}/chunks?from={number}"),
        score,
        ..OwnPassage::default()
    }
}

/// The passage that answers.
pub fn fees() -> OwnPassage {
    OwnPassage {
        date: Some("2025-05-01".to_owned()),
        org: Some("Harbour Board".to_owned()),
        category: Some("01_regulatory".to_owned()),
        source_urls: vec!["N/A".to_owned(), "https://board.example/fees".to_owned()],
        ..passage(
            "fees",
            2,
            "Fees",
            "Late return",
            "The late fee is 12 euros a day since 1 May 2025.",
            0.8,
        )
    }
}

/// Drives a question to its end.
#[track_caller]
pub fn run(params: ConsultParams, script: Script) -> Run {
    drive(params, &script, None)
}

/// The same, stopped while the model is at this call, from 0.
#[track_caller]
pub fn stopped(params: ConsultParams, script: Script, call: usize) -> Run {
    drive(params, &script, Some(call))
}

#[track_caller]
fn drive(params: ConsultParams, script: &Script, stops: Option<usize>) -> Run {
    let mut machine = Consult::new(params, START);
    let mut run = Run::default();
    let mut queue = VecDeque::from([(START, Input::Begin)]);
    while let Some((now, input)) = queue.pop_front() {
        let kept = serde_json::to_string(&machine).unwrap();
        let mut copy: Consult = serde_json::from_str(&kept).unwrap();
        assert_eq!(copy, machine, "a checkpoint reads back as it was");
        let reaction = machine.handle(input.clone(), now);
        assert_eq!(copy.handle(input, now), reaction, "a checkpoint goes on as the machine does");
        run.events.extend(reaction.events);
        for effect in reaction.effects {
            match effect {
                Effect::RunTool { ticket, errand } => {
                    run.errands.push(errand);
                    let outcome = script.found.clone();
                    queue.push_back((later(now, SEARCH_MS), Input::ToolDone { ticket, outcome }));
                }
                Effect::CallModel { ticket, request, .. } => {
                    let (call, streams) = (run.requests.len(), request.streams_text);
                    run.requests.push(*request);
                    if stops == Some(call) {
                        queue.push_back((later(now, 1), Input::Stop));
                    }
                    let (at, reply) = (later(now, REPLY_MS), script.reply(call));
                    if let (Ok(text), true) = (&reply, streams) {
                        let middle = text.ceil_char_boundary(text.len() / 2);
                        let (first, second) = text.split_at(middle);
                        for piece in [first, second] {
                            let text = piece.to_owned();
                            queue.push_back((at, Input::ModelText { ticket, text }));
                        }
                    }
                    let result = reply.map(completion);
                    queue.push_back((at, Input::ModelDone { ticket, result }));
                }
            }
        }
    }
    assert!(machine.has_ended(), "it hangs: {:?}", run.names());
    let last = run.events.iter().filter(|event| event.name.is_last()).count();
    assert_eq!(last, 1, "one last event: {:?}", run.names());
    run
}

fn later(now: Timestamp, ms: u64) -> Timestamp {
    Timestamp(now.0 + ms)
}

fn completion(text: String) -> Completion {
    Completion {
        text,
        tool_calls: Vec::new(),
        reasoning: None,
        usage: Usage { input: 100, output: 20, cached_input: 0, reasoning: 0, reported: true },
        finish_reason: FinishReason::Stop,
        model: "test-model".to_owned(),
        attempts: 1,
    }
}
