//! Drives the machine to its end: models and tools are closures, time is a number.
//!
//! Nothing waits. Each effect is answered at the virtual time that the script gives; of two
//! answers due at once the one asked for first comes first. At every step a copy of the machine
//! that went through JSON must react as the machine does, and every run keeps the invariants.

use quarry_events::{Event, EventName};
use quarry_machines::ask::{Ask, AskConfig, AskParams, ContinuationState, Own, Wish};
use quarry_machines::core::{Effect, Fence, Input, Machine, ModelSheet, Reaction, Ticket};
use quarry_tools::{Errand, Outcome};
use quarry_types::{AskId, Timestamp};
use quarry_types::{ChatError, ChatRequest, Completion, Price};
use serde_json::Value;
use std::collections::BTreeMap;

/// When every ask begins.
pub const START: Timestamp = Timestamp(1_792_532_100_000);

/// What lines around outside text begin with.
pub const FENCE: &str = "[[outside 7f3a]]";

/// More inputs than any ask of these tests takes.
const STEP_CAP: usize = 2_000;

/// A model call as the script sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The phase, as `llm_request` showed it.
    pub phase: String,
    /// The iteration, where there is one.
    pub iteration: u64,
    /// The request.
    pub request: ChatRequest,
}

/// A try that failed, and is followed by another.
#[derive(Debug, Clone)]
pub struct FailedTry {
    /// Milliseconds before the next.
    pub wait_ms: u64,
    /// Why.
    pub reason: String,
    /// Whether it may have been paid for.
    pub may_be_paid: bool,
}

/// A scripted reply.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Milliseconds until it comes.
    pub after_ms: u64,
    /// Failed tries before it.
    pub retries: Vec<FailedTry>,
    /// Pieces of text that stream before it.
    pub pieces: Vec<String>,
    /// How it ends.
    pub result: Result<Completion, ChatError>,
}

impl From<Result<Completion, ChatError>> for Reply {
    fn from(result: Result<Completion, ChatError>) -> Self {
        Reply { after_ms: 100, retries: Vec::new(), pieces: Vec::new(), result }
    }
}

impl From<Completion> for Reply {
    fn from(completion: Completion) -> Self {
        Reply::from(Ok(completion))
    }
}

impl From<ChatError> for Reply {
    fn from(error: ChatError) -> Self {
        Reply::from(Err(error))
    }
}

/// How models and tools behave.
pub trait World {
    /// Answers a model call.
    fn model(&mut self, call: &Call) -> Reply;

    /// Answers a tool call, after so many milliseconds.
    fn tool(&mut self, job: &Errand) -> (u64, Outcome);
}

impl<M: FnMut(&Call) -> Reply, T: FnMut(&Errand) -> (u64, Outcome)> World for (M, T) {
    fn model(&mut self, call: &Call) -> Reply {
        (self.0)(call)
    }

    fn tool(&mut self, job: &Errand) -> (u64, Outcome) {
        (self.1)(job)
    }
}

/// All that an ask showed and did.
#[derive(Debug, Default, PartialEq)]
pub struct Run {
    /// Every event.
    pub events: Vec<Event>,
    /// Every model call.
    pub calls: Vec<Call>,
    /// Every tool that was run.
    pub jobs: Vec<Errand>,
    /// The continuation state, when there was one.
    pub continuation: Option<Value>,
}

impl Run {
    /// The names of all events, in order.
    pub fn names(&self) -> Vec<&'static str> {
        self.events.iter().map(|event| event.name.as_str()).collect()
    }

    /// The payloads of all events with this name.
    pub fn all(&self, name: EventName) -> Vec<Value> {
        let named = self.events.iter().filter(|event| event.name == name);
        named.map(|event| serde_json::from_str(&event.data).unwrap()).collect()
    }

    /// The payload of the one event with this name.
    #[track_caller]
    pub fn the(&self, name: EventName) -> Value {
        let mut all = self.all(name);
        assert_eq!(all.len(), 1, "events named {}: {:?}", name.as_str(), self.names());
        all.remove(0)
    }

    /// The phases of all model calls, in order.
    pub fn phases(&self) -> Vec<&str> {
        self.calls.iter().map(|call| call.phase.as_str()).collect()
    }

    /// The one call in this phase.
    #[track_caller]
    pub fn call(&self, phase: &str) -> &Call {
        let calls: Vec<&Call> = self.calls.iter().filter(|call| call.phase == phase).collect();
        assert_eq!(calls.len(), 1, "calls in {phase}: {:?}", self.phases());
        calls[0]
    }

    /// The answer.
    #[track_caller]
    pub fn answer(&self) -> String {
        self.the(EventName::FinalAnswer)["content"].as_str().unwrap().to_owned()
    }

    /// Whether any log message contains this text.
    pub fn logged(&self, text: &str) -> bool {
        let logs = self.all(EventName::Log);
        logs.iter().any(|log| log["message"].as_str().unwrap().contains(text))
    }

    /// The outputs of all tool results, in order, as JSON.
    pub fn outputs(&self) -> Vec<Value> {
        let results = self.all(EventName::ToolResult);
        let read = |result: &Value| serde_json::from_str(result["output"].as_str().unwrap());
        results.iter().map(|result| read(result).unwrap()).collect()
    }
}

/// An ask with its surroundings.
pub struct Driver<W> {
    /// The machine.
    pub ask: Ask,
    /// What it showed so far.
    pub run: Run,
    /// The present.
    pub now: Timestamp,
    /// All that the machine was told, and when.
    pub told: Vec<(Timestamp, Input)>,
    world: W,
    secret: Option<String>,
    queue: BTreeMap<(u64, usize), Input>,
    queued: usize,
}

impl<W: World> Driver<W> {
    /// A new ask that has not begun.
    pub fn new(params: AskParams, world: W) -> Self {
        let secret = params.secret.clone();
        Driver::of(Ask::new(params, START), secret, world)
    }

    /// An ask that goes on from a state as a client would send it.
    pub fn resumed(params: AskParams, state: &Value, world: W) -> Self {
        // Through text, as it travels.
        let state: Value = serde_json::from_str(&state.to_string()).unwrap();
        let state = ContinuationState::read(&state, params.secret.as_deref()).unwrap();
        let secret = params.secret.clone();
        Driver::of(Ask::resume(params, state, START), secret, world)
    }

    /// An ask that goes on from this one's checkpoint, as it is stored.
    pub fn revived<N: World>(&self, params: AskParams, world: N) -> Driver<N> {
        let stored = serde_json::to_string(&self.ask).unwrap();
        let checkpoint: Ask = serde_json::from_str(&stored).unwrap();
        let secret = params.secret.clone();
        Driver::of(Ask::revive(params, checkpoint, START), secret, world)
    }

    fn of(ask: Ask, secret: Option<String>, world: W) -> Self {
        let mut driver = Driver {
            ask,
            run: Run::default(),
            now: START,
            told: Vec::new(),
            world,
            secret,
            queue: BTreeMap::new(),
            queued: 0,
        };
        driver.push(0, Input::Begin);
        driver
    }

    /// Adds an input that comes after so many milliseconds.
    pub fn push(&mut self, after_ms: u64, input: Input) {
        self.queued += 1;
        self.queue.insert((self.now.0 + after_ms, self.queued), input);
    }

    /// Handles the next input; false when there is none.
    pub fn step(&mut self) -> bool {
        let Some(((at, _), input)) = self.queue.pop_first() else { return false };
        self.now = Timestamp(at);
        self.handle(input);
        true
    }

    /// Hands an input to the machine, and to a copy of it that was a checkpoint.
    #[track_caller]
    pub fn handle(&mut self, input: Input) {
        let checkpoint = serde_json::to_string(&self.ask).unwrap();
        let copy: Ask = serde_json::from_str(&checkpoint).unwrap();
        let mut copy = copy.with_secret(self.secret.clone());
        assert_eq!(copy, self.ask, "a checkpoint reads back as it was");
        self.told.push((self.now, input.clone()));
        let reaction = self.ask.handle(input.clone(), self.now);
        assert_eq!(copy.handle(input, self.now), reaction, "a checkpoint goes on as the ask does");
        assert_eq!(reaction.ended, self.ask.has_ended());
        self.take(reaction);
    }

    /// Takes in what the machine answered.
    fn take(&mut self, reaction: Reaction) {
        let requests = reaction.events.iter().filter(|event| event.name == EventName::LlmRequest);
        let mut shown: Vec<Value> =
            requests.map(|event| serde_json::from_str(&event.data).unwrap()).collect();
        shown.reverse();
        self.run.events.extend(reaction.events);
        if reaction.resumable {
            let (state, _) = self.ask.continuation().write(self.secret.as_deref());
            self.run.continuation = Some(state);
        }
        for effect in reaction.effects {
            match effect {
                Effect::CallModel { ticket, request, lost_tries } => {
                    let shown = shown.pop().expect("each call is shown by an llm_request");
                    self.start_call(ticket, &shown, *request, lost_tries);
                }
                Effect::RunTool { ticket, errand: job } => {
                    let (after, outcome) = self.world.tool(&job);
                    self.push(after, Input::ToolDone { ticket, outcome });
                    self.run.jobs.push(job);
                }
            }
        }
    }

    /// What is lost once more than the machine allows is the call's end.
    fn start_call(&mut self, ticket: Ticket, shown: &Value, request: ChatRequest, lost_tries: u32) {
        let phase = shown["phase"].as_str().unwrap().to_owned();
        let iteration = shown["iteration"].as_u64().unwrap_or_default();
        let call = Call { phase, iteration, request };
        let reply = self.world.model(&call);
        self.run.calls.push(call);
        let mut left = lost_tries;
        for FailedTry { wait_ms, reason, may_be_paid } in reply.retries {
            if may_be_paid && left == 0 {
                let error = ChatError::Connection { message: reason };
                self.push(1, Input::ModelDone { ticket, result: Err(error) });
                return;
            }
            left -= u32::from(may_be_paid);
            self.push(1, Input::ModelRetry { ticket, wait_ms, reason, may_be_paid });
        }
        for text in reply.pieces {
            self.push(reply.after_ms / 2, Input::ModelText { ticket, text });
        }
        self.push(reply.after_ms, Input::ModelDone { ticket, result: reply.result });
    }

    /// Steps until the machine has started a call in this phase.
    #[track_caller]
    pub fn until(&mut self, phase: &str) {
        while self.run.calls.last().is_none_or(|call| call.phase != phase) {
            assert!(self.step(), "never came to {phase}: {:?}", self.run.phases());
        }
    }

    /// Runs to the end.
    #[track_caller]
    pub fn finish(mut self) -> Run {
        for _ in 0..STEP_CAP {
            if self.ask.has_ended() {
                crate::invariants::check(&self.run);
                return self.run;
            }
            assert!(self.step(), "the ask hangs: {:?}", self.run.names());
        }
        panic!("the ask does not end: {:?}", self.run.names());
    }
}

/// Drives a new ask to its end.
#[track_caller]
pub fn run(params: AskParams, world: impl World) -> Run {
    Driver::new(params, world).finish()
}

/// Drives an ask from a continuation state to its end.
#[track_caller]
pub fn resume(params: AskParams, state: &Value, world: impl World) -> Run {
    Driver::resumed(params, state, world).finish()
}

/// A price whose sums are easy to follow.
pub const PRICE: Price = Price { input: 1.0, output: 2.0, cached_input: None, reasoning: None };

/// An ordinary ask.
pub fn params(config: AskConfig) -> AskParams {
    AskParams {
        id: AskId::new(START.0, 7),
        query: "When was the lighthouse of Sker first lit?".to_owned(),
        wish: Wish::default(),
        model: ModelSheet {
            id: "openai:test-model".parse().unwrap(),
            price: Some(PRICE),
            context_window: Some(128_000),
            is_language_model: true,
            thinks: false,
            timeout_ms: 120_000,
        },
        fallback: None,
        user: None,
        operator_keys: true,
        config,
        own: Own::default(),
        fence: Fence(FENCE.to_owned()),
        secret: None,
    }
}

/// An ordinary ask with so many iterations at most.
pub fn with_iterations(max_iterations: u32) -> AskParams {
    params(AskConfig { max_iterations, ..AskConfig::default() })
}
