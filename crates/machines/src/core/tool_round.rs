//! The tool calls of one step, run side by side.

use super::{Effect, Ticket, Turn, shown};
use quarry_events::{
    PendingCall, Sources, ToolError, ToolErrorKind, ToolResult, Tools, shown_cost,
};
use quarry_evidence::Evidence;
use quarry_tools::{
    Call, Digest, Domains, FailureKind, Job, Outcome, OutputLimits, ToolFailure, ToolName, line,
    read_call,
};
use quarry_types::text::cut;
use quarry_types::{CollectionName, Timestamp, ToolCall, Usd};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Calls of one step beyond this many are refused.
const MAX_CALLS: usize = 16;

/// Characters of the tools' names that the log shows.
const NAMES: usize = 300;

/// A tool call with its outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DoneCall {
    /// The call as the model made it.
    pub call: ToolCall,
    /// Its arguments as far as they could be read; an object.
    pub arguments: Value,
    /// What was run, or why nothing was.
    pub job: Result<Job, ToolFailure>,
    /// What came of it.
    pub outcome: Outcome,
    /// Milliseconds.
    pub duration: u64,
    /// US dollars of model calls inside the tool, when they are known.
    pub cost: Option<Usd>,
}

impl DoneCall {
    /// The output that models and clients read: a JSON text.
    #[must_use]
    pub fn output(&self) -> String {
        match &self.job {
            Ok(job) => job.output(&self.outcome).to_string(),
            Err(failure) => json!({ "error": failure.message }).to_string(),
        }
    }

    /// Whether the tool did what it was asked to.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.outcome.failure().is_none()
    }

    /// Adds the outcome to the evidence, which takes its passages; returns the numbers of its sources.
    pub fn learn(&mut self, evidence: &mut Evidence) -> Vec<usize> {
        let job = self.job.as_ref().ok();
        job.map(|job| job.learn(&mut self.outcome, evidence)).unwrap_or_default()
    }

    /// The numbers that the sources of the outcome have in the evidence that knows them.
    #[must_use]
    pub fn found_in(&self, evidence: &Evidence) -> Vec<usize> {
        let Some(job) = self.job.as_ref().ok().filter(|_| self.is_ok()) else { return Vec::new() };
        let addresses = job.addresses(&self.outcome);
        addresses.iter().filter_map(|address| evidence.number(address)).collect()
    }

    /// Shows the result.
    pub fn show(
        &self,
        iteration: u32,
        id: &str,
        found: Vec<usize>,
        continued: bool,
        turn: &mut Turn,
    ) {
        let (cost, cost_known) = shown_cost(self.cost);
        let failure = self.outcome.failure();
        let timestamp = turn.at();
        turn.emit(&ToolResult {
            iteration,
            call_id: self.call.id.clone(),
            name: self.call.name.clone(),
            args: self.arguments.clone(),
            line: line(&self.call.name, &self.job),
            output: self.output(),
            duration: self.duration,
            cost,
            cost_known,
            continued,
            id: id.to_owned(),
            ok: failure.is_none(),
            error: failure.map(shown_failure),
            urls: self.job.as_ref().map(|job| job.addresses(&self.outcome)).unwrap_or_default(),
            found,
            timestamp,
        });
    }
}

fn shown_failure(failure: ToolFailure) -> ToolError {
    let kind = match failure.kind {
        FailureKind::RefusedArguments => ToolErrorKind::RefusedArguments,
        FailureKind::UnknownTool => ToolErrorKind::UnknownTool,
        FailureKind::Timeout => ToolErrorKind::Timeout,
        FailureKind::Refused => ToolErrorKind::Blocked,
        FailureKind::NotFound => ToolErrorKind::NotFound,
        FailureKind::Limit => ToolErrorKind::Limit,
        FailureKind::Unavailable | FailureKind::Busy { .. } | FailureKind::NotConfigured => {
            ToolErrorKind::Unavailable
        }
        FailureKind::Threw | FailureKind::Failed => ToolErrorKind::Failed,
    };
    ToolError { kind, message: failure.message }
}

/// A call of a round that was interrupted: answered, or yet to run.
#[allow(
    clippy::large_enum_variant,
    reason = "a round has few, and most are answered; on 32 bits it is not large"
)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum OpenCall {
    /// It was answered.
    Answered(DoneCall),
    /// It is yet to run.
    Open(ToolCall),
}

impl OpenCall {
    /// The call itself.
    #[must_use]
    pub const fn call(&self) -> &ToolCall {
        match self {
            OpenCall::Answered(done) => &done.call,
            OpenCall::Open(call) => call,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Run {
    id: String,
    call: ToolCall,
    arguments: Value,
    job: Result<Job, ToolFailure>,
    started: Timestamp,
    state: State,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum State {
    /// About to be started.
    Open,
    Running {
        ticket: Ticket,
    },
    /// The tool is done and a model digests what it brought.
    Digesting {
        outcome: Outcome,
    },
    Done {
        outcome: Outcome,
        duration: u64,
        cost: Option<Usd>,
    },
}

/// What the calls of a step may be.
#[derive(Debug, Clone, Copy)]
pub struct May<'a> {
    /// The tools on offer.
    pub offered: &'a [ToolName],
    /// Where the web may be searched and read.
    pub domains: &'a Domains,
    /// The documents of whoever names no collection; none: the default ones.
    pub collection: Option<&'a CollectionName>,
}

/// The calls of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolRound {
    iteration: u32,
    /// What the model wrote beside its calls.
    text: String,
    /// What it thought before them, where that is wanted back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reasoning: Option<String>,
    runs: Vec<Run>,
}

/// What a model wrote and thought beside its calls.
#[derive(Debug, Clone, Copy, Default)]
pub struct Beside<'b> {
    /// What it wrote.
    pub text: &'b str,
    /// What it thought, where that is wanted back.
    pub reasoning: Option<&'b str>,
}

/// What becomes of a run whose errand ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ran {
    /// It is done.
    Done,
    /// A model is to digest what run number so-and-so brought.
    WantsDigest(usize),
}

impl ToolRound {
    /// Shows the calls that are not answered yet, and starts them. What is refused is answered
    /// at once.
    pub fn begin(
        iteration: u32,
        beside: Beside<'_>,
        calls: Vec<OpenCall>,
        may: &May<'_>,
        turn: &mut Turn,
    ) -> Self {
        let runs = calls.into_iter().enumerate().map(|(at, call)| Run::new(at, call, may, turn));
        let runs = runs.collect();
        let (text, reasoning) = (beside.text.to_owned(), beside.reasoning.map(str::to_owned));
        let mut round = ToolRound { iteration, text, reasoning, runs };
        round.show(turn);
        let open: Vec<usize> = (0..round.runs.len()).filter(|at| round.is_open(*at)).collect();
        for at in open {
            round.start(at, may, turn);
        }
        round
    }

    /// What the model wrote beside its calls.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Emits `log` and `tools` for calls that are about to run.
    fn show(&self, turn: &mut Turn) {
        let open: Vec<&Run> = self.runs.iter().filter(|run| !run.is_done()).collect();
        let names: Vec<&str> = open.iter().map(|run| run.call.name.as_str()).collect();
        let noun = if open.len() == 1 { "tool" } else { "tools" };
        turn.log(format!("Running {} {noun}: {}", open.len(), cut(&names.join(", "), NAMES)));
        let shown = |run: &&Run| PendingCall {
            iteration: self.iteration,
            call_id: run.call.id.clone(),
            name: run.call.name.clone(),
            args: run.arguments.clone(),
            line: line(&run.call.name, &run.job),
            id: run.id.clone(),
        };
        let calls: Vec<PendingCall> = open.iter().map(shown).collect();
        let timestamp = turn.at();
        turn.emit(&Tools { iteration: self.iteration, pending: calls.len(), calls, timestamp });
    }

    fn is_open(&self, at: usize) -> bool {
        self.runs.get(at).is_some_and(|run| !run.is_done())
    }

    /// Starts a run, or answers it with the reason why not.
    fn start(&mut self, at: usize, may: &May<'_>, turn: &mut Turn) {
        let iteration = self.iteration;
        let Some(run) = self.runs.get_mut(at) else { return };
        match &run.job {
            Ok(job) => {
                let ticket = turn.ticket();
                let errand = may.domains.narrow(job.errand()).in_collection(may.collection);
                turn.perform(Effect::RunTool { ticket, errand });
                run.state = State::Running { ticket };
            }
            Err(failure) => {
                let outcome = Outcome::Failed(failure.clone());
                run.state = State::Done { outcome, duration: 0, cost: Some(0.0) };
                if let Some(done) = run.done() {
                    done.show(iteration, &run.id, Vec::new(), false, turn);
                }
            }
        }
    }

    /// Takes in what an errand brought; none when no run waits for it.
    pub fn on_outcome(
        &mut self,
        ticket: Ticket,
        outcome: Outcome,
        (limits, domains): (&OutputLimits, &Domains),
        evidence: &mut Evidence,
        turn: &mut Turn,
    ) -> Option<Ran> {
        let waits =
            |run: &Run| matches!(run.state, State::Running { ticket: held } if held == ticket);
        let at = self.runs.iter().position(waits)?;
        let run = self.runs.get_mut(at)?;
        let job = run.job.as_ref().ok()?;
        let outcome = job.bound(domains.keep(outcome), limits);
        if job.wants_digest(&outcome) {
            run.state = State::Digesting { outcome };
            return Some(Ran::WantsDigest(at));
        }
        let cost = outcome.spent().map_or(Some(0.0), |spent| spent.cost);
        self.finish(at, outcome, cost, evidence, turn);
        Some(Ran::Done)
    }

    /// What waits to be digested in this run.
    #[must_use]
    pub fn to_digest(&self, at: usize) -> Option<(&Job, &Outcome)> {
        let run = self.runs.get(at)?;
        match &run.state {
            State::Digesting { outcome } => Some((run.job.as_ref().ok()?, outcome)),
            State::Open | State::Running { .. } | State::Done { .. } => None,
        }
    }

    /// Runs that are under way and may want to be digested when they end.
    #[must_use]
    pub fn digests_to_come(&self) -> usize {
        let asks = |run: &&Run| {
            matches!(run.state, State::Running { .. })
                && run.job.as_ref().is_ok_and(Job::asks_for_digest)
        };
        self.runs.iter().filter(asks).count()
    }

    /// Takes in a digest. Results stand without one.
    pub fn on_digest(
        &mut self,
        at: usize,
        digest: Digest,
        cost: Option<Usd>,
        evidence: &mut Evidence,
        turn: &mut Turn,
    ) {
        let Some(run) = self.runs.get(at) else { return };
        let State::Digesting { outcome } = &run.state else { return };
        let mut outcome = outcome.clone();
        if let Outcome::Found(found) = &mut outcome {
            found.digest = Some(digest);
        }
        self.finish(at, outcome, cost, evidence, turn);
    }

    fn finish(
        &mut self,
        at: usize,
        mut outcome: Outcome,
        cost: Option<Usd>,
        evidence: &mut Evidence,
        turn: &mut Turn,
    ) {
        let Some(run) = self.runs.get_mut(at) else { return };
        let Ok(job) = &run.job else { return };
        let known = evidence.sources().len();
        let found = job.learn(&mut outcome, evidence);
        show_added(evidence, known, turn);
        let duration = turn.now.since(run.started);
        run.state = State::Done { outcome, duration, cost };
        if let Some(done) = run.done() {
            done.show(self.iteration, &run.id, found, false, turn);
        }
    }

    /// Whether every call is done.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.runs.iter().all(Run::is_done)
    }

    /// What the model thought, where that is wanted back.
    pub const fn take_reasoning(&mut self) -> Option<String> {
        self.reasoning.take()
    }

    /// What the model wrote, and the calls that are done, in the order of the calls.
    #[must_use]
    pub fn into_done(self) -> (String, Vec<DoneCall>) {
        (self.text, self.runs.into_iter().filter_map(Run::into_done).collect())
    }

    /// The calls as a checkpoint keeps them: what runs is yet to run.
    #[must_use]
    pub fn open_calls(&self) -> Vec<OpenCall> {
        let kept = |run: &Run| match run.done() {
            Some(done) => OpenCall::Answered(done),
            None => OpenCall::Open(run.call.clone()),
        };
        self.runs.iter().map(kept).collect()
    }
}

/// Emits `sources` when there are any beyond those that were known.
fn show_added(evidence: &Evidence, known: usize, turn: &mut Turn) {
    let added = shown::listing(evidence.sources().get(known..).unwrap_or_default());
    if !added.is_empty() {
        let timestamp = turn.at();
        turn.emit(&Sources { added, timestamp });
    }
}

impl Run {
    fn new(at: usize, call: OpenCall, may: &May<'_>, turn: &mut Turn) -> Run {
        let (id, started) = (turn.call_id(), turn.now);
        match call {
            OpenCall::Answered(done) => {
                let DoneCall { call, arguments, job, outcome, duration, cost } = done;
                let state = State::Done { outcome, duration, cost };
                Run { id, call, arguments, job, started, state }
            }
            OpenCall::Open(call) => {
                let Call { arguments, job } = read_call(&call, may.offered);
                let job = job.and_then(|job| match may.domains.refuse(&job) {
                    Some(outside) => Err(outside),
                    None => Ok(job),
                });
                let job = if at < MAX_CALLS { job } else { Err(too_many()) };
                Run { id, call, arguments, job, started, state: State::Open }
            }
        }
    }

    const fn is_done(&self) -> bool {
        matches!(self.state, State::Done { .. })
    }

    fn done(&self) -> Option<DoneCall> {
        self.is_done().then(|| self.clone().into_done()).flatten()
    }

    fn into_done(self) -> Option<DoneCall> {
        let Run { call, arguments, job, state, .. } = self;
        let State::Done { outcome, duration, cost } = state else { return None };
        Some(DoneCall { call, arguments, job, outcome, duration, cost })
    }
}

fn too_many() -> ToolFailure {
    let message = format!("more than {MAX_CALLS} calls at once; ask again for this one");
    ToolFailure::new(FailureKind::Limit, message)
}
