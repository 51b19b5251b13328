//! The tool loop: ask the model, run the tools it wants side by side, feed it what they brought.

use super::continuation::CycleCall;
use super::plan::numbered;
use super::text::{cut, fenced};
use super::tools::{Job, ReadCall, ToolName, on_offer, read_call, refusal};
use super::{Ask, Conversation, Effect, Phase, Reaction, RunState, Stage, Ticket, ToolOutcome};
use super::{ToolRun, question};
use crate::json::put;
use quarry_events::{self as event, At};
use quarry_prompts as prompts;
use quarry_types::Timestamp;
use quarry_types::{ChatError, ChatRequest, Completion, Message, ToolCall, Usd};
use serde_json::Value;
use std::collections::BTreeSet;

/// The loop ends after this many iterations in a row that brought nothing new.
const BARREN_ITERATIONS: u32 = 2;

/// Calls of one iteration beyond this many are refused.
const MAX_CALLS: usize = 16;

/// Sources, and characters of each, that a digest is written from.
const DIGEST_SOURCES: (usize, usize) = (2, 1_500);

/// Characters of all of them: with its fence it must stay below the prompt's cap, or the fence
/// would lose its end.
const DIGEST_CHARACTERS: usize = 3_700;

impl Ask {
    pub(super) fn begin_research(&mut self, now: Timestamp, out: &mut Reaction) {
        let (system, user) = self.research_prompts(now);
        self.conversation = Conversation::new(system, user);
        self.begin_iteration(1, now, out);
    }

    pub(super) fn research_prompts(&self, now: Timestamp) -> (String, String) {
        let (setup, plan) = (self.setup(), self.plan());
        let system = prompts::ResearchSystem {
            persona: &plan.optimal_persona,
            fence: &self.fence,
            now: &now.spoken(),
        }
        .render();
        let user = if question::is_calculation(&self.query) {
            prompts::MathUser { query: &self.query }.render()
        } else {
            prompts::ResearchUser {
                query: &self.query,
                questions: &numbered(&plan.research_questions),
                response_length: &setup.response_length,
                reasoning_level: &setup.reasoning_level,
            }
            .render()
        };
        (system, user)
    }

    pub(super) fn begin_iteration(&mut self, iteration: u32, now: Timestamp, out: &mut Reaction) {
        if iteration > self.config.max_iterations {
            self.begin_answer(now, out);
            return;
        }
        self.log(&format!("Research iteration {iteration}"), now, out);
        let request = self.iteration_request();
        if !self.may_call(&request, now) {
            self.cut_short(now, out);
            return;
        }
        let pending = self.call_model(Phase::ToolIteration(iteration), request, now, out);
        self.stage = Stage::Iterating { pending, iteration };
    }

    fn iteration_request(&self) -> ChatRequest {
        let messages = self.conversation.messages().to_vec();
        let mut request = self.request(messages, self.config.ceilings.tool_synthesis);
        request.temperature = Some(0.2);
        request.tools =
            on_offer(self.config.sources).into_iter().map(ToolName::spec).cloned().collect();
        request
    }

    pub(super) fn after_iteration(
        &mut self,
        iteration: u32,
        result: Result<Completion, ChatError>,
        now: Timestamp,
        out: &mut Reaction,
    ) {
        match result {
            Ok(completion) if completion.tool_calls.is_empty() => self.begin_answer(now, out),
            Ok(completion) => self.run_tools(iteration, &completion, now, out),
            Err(error) => {
                if self.ends_with(&error, now, out) {
                    return;
                }
                self.log(
                    &format!("Research ends early ({error}); answering from what was found"),
                    now,
                    out,
                );
                self.begin_answer(now, out);
            }
        }
    }

    fn run_tools(
        &mut self,
        iteration: u32,
        completion: &Completion,
        now: Timestamp,
        out: &mut Reaction,
    ) {
        let calls = self.with_distinct_ids(&completion.tool_calls, iteration);
        let cycle = calls.iter().map(CycleCall::open).collect();
        self.run_cycle(iteration, &completion.text, cycle, now, out);
    }

    /// Runs the calls of an iteration that are not answered yet.
    pub(super) fn run_cycle(
        &mut self,
        iteration: u32,
        text: &str,
        cycle: Vec<CycleCall>,
        now: Timestamp,
        out: &mut Reaction,
    ) {
        let calls: Vec<ToolCall> = cycle.iter().map(CycleCall::call).collect();
        self.conversation.push_calls(text, calls.iter());
        let offered = on_offer(self.config.sources);
        let read: Vec<ReadCall> = calls.iter().map(|call| read_call(call, &offered)).collect();
        let open = cycle.iter().map(CycleCall::is_answered).zip(calls.iter().zip(&read));
        let open: Vec<_> = open.filter(|(answered, _)| !answered).map(|(_, call)| call).collect();
        self.show_calls(iteration, &open, now, out);
        let mut runs = Vec::with_capacity(calls.len());
        for (at, (call, (kept, read))) in
            calls.into_iter().zip(cycle.into_iter().zip(read)).enumerate()
        {
            let job = if at < MAX_CALLS {
                read.job
            } else {
                Err(format!("more than {MAX_CALLS} calls at once; ask again for this one"))
            };
            let state = if kept.is_answered() {
                RunState::Done(kept)
            } else {
                self.start_run(iteration, kept, &read.arguments, job, now, out)
            };
            runs.push(ToolRun { call, arguments: read.arguments, started: now, state });
        }
        self.stage = Stage::RunningTools { iteration, runs };
        self.end_iteration_when_done(now, out);
    }

    /// Emits `log` and `tools` for calls that are about to run.
    fn show_calls(
        &mut self,
        iteration: u32,
        open: &[(&ToolCall, &ReadCall)],
        now: Timestamp,
        out: &mut Reaction,
    ) {
        let names: Vec<&str> = open.iter().map(|(call, _)| call.name.as_str()).collect();
        let noun = if open.len() == 1 { "tool" } else { "tools" };
        let message = format!("Running {} {noun}: {}", open.len(), cut(&names.join(", "), 300));
        self.log(&message, now, out);
        let calls = open.iter().map(|(call, read)| event::PendingCall {
            iteration,
            call_id: call.id.clone(),
            name: call.name.clone(),
            args: read.arguments.clone(),
            id: call.id.clone(),
        });
        let (calls, timestamp) = (calls.collect(), At(now));
        let shown = event::Tools { iteration, pending: open.len(), calls, timestamp };
        super::emit(&mut self.sequence, out, &shown);
    }

    /// Starts a tool, or answers the call at once with the reason why not.
    fn start_run(
        &mut self,
        iteration: u32,
        mut call: CycleCall,
        arguments: &Value,
        job: Result<Job, String>,
        now: Timestamp,
        out: &mut Reaction,
    ) -> RunState {
        let ticket = self.ticket();
        match job {
            Ok(job) => {
                out.effects.push(Effect::RunTool { ticket, job: job.clone() });
                RunState::Running { ticket, job }
            }
            Err(problem) => {
                call.response = refusal(&problem).into();
                call.cost = Some(0.0);
                self.show_result(iteration, arguments, &call, now, out);
                RunState::Done(call)
            }
        }
    }

    /// Gives calls without an id, or with one that another call of the ask has, one of their own.
    fn with_distinct_ids(&self, calls: &[ToolCall], iteration: u32) -> Vec<ToolCall> {
        let earlier = self.cycles.iter().flatten().map(|call| call.request.id.as_str());
        let mut taken: BTreeSet<String> = earlier.map(str::to_owned).collect();
        let mut distinct = Vec::with_capacity(calls.len());
        for (at, call) in calls.iter().enumerate() {
            let mut id = call.id.clone();
            while id.is_empty() || taken.contains(&id) {
                let separator = if id.is_empty() { "" } else { "-" };
                id = format!("{id}{separator}iter-{iteration}-call-{}", at + 1);
            }
            taken.insert(id.clone());
            distinct.push(ToolCall { id, ..call.clone() });
        }
        distinct
    }

    pub(super) fn on_tool(
        &mut self,
        ticket: Ticket,
        outcome: &ToolOutcome,
        now: Timestamp,
        out: &mut Reaction,
    ) {
        let Some((at, job)) = self.running(ticket) else { return };
        let output = outcome.output(&job, self.config.profile);
        let wants_digest = matches!(&job, Job::SearchWeb { generate_summary: true, .. })
            && output.get("results").and_then(Value::as_array).is_some_and(|r| !r.is_empty());
        if wants_digest {
            self.begin_digest(at, output, now, out);
        } else {
            self.finish_run(at, &output, Some(0.0), now, out);
        }
    }

    /// The run with this ticket, and its job.
    fn running(&self, ticket: Ticket) -> Option<(usize, Job)> {
        let Stage::RunningTools { runs, .. } = &self.stage else { return None };
        runs.iter().enumerate().find_map(|(at, run)| match &run.state {
            RunState::Running { ticket: held, job } if *held == ticket => Some((at, job.clone())),
            RunState::Running { .. } | RunState::Digesting { .. } | RunState::Done(_) => None,
        })
    }

    fn begin_digest(&mut self, at: usize, mut output: Value, now: Timestamp, out: &mut Reaction) {
        let Stage::RunningTools { iteration, .. } = self.stage else { return };
        let request = self.digest_request(&output);
        if !self.may_call(&request, now) {
            put(&mut output, "summaryError", "the budget leaves no room for a digest");
            self.finish_run(at, &output, Some(0.0), now, out);
            return;
        }
        let pending = self.call_model(Phase::SearchSummary(iteration), request, now, out);
        if let Stage::RunningTools { runs, .. } = &mut self.stage
            && let Some(run) = runs.get_mut(at)
        {
            run.state = RunState::Digesting { pending, output };
        }
    }

    fn digest_request(&self, output: &Value) -> ChatRequest {
        let (most, characters) = DIGEST_SOURCES;
        let results = output.get("results").and_then(Value::as_array);
        let sources: Vec<String> = results
            .into_iter()
            .flatten()
            .take(most)
            .map(|result| {
                let field = |name: &str| result.get(name).and_then(Value::as_str).unwrap_or("");
                let body = if field("content").is_empty() { "description" } else { "content" };
                format!("{} — {}\n{}", field("title"), field("url"), cut(field(body), characters))
            })
            .collect();
        let query = output.get("query").and_then(Value::as_str).unwrap_or(&self.query);
        let system = match &self.config.digest_system_prompt {
            // The operator's words know nothing of the fence.
            Some(prompt) => {
                format!("{prompt}\n\n{}", prompts::OutsideText { fence: &self.fence }.render())
            }
            None => prompts::DigestSystem { fence: &self.fence }.render(),
        };
        let sources = cut(&sources.join("\n\n"), DIGEST_CHARACTERS);
        let sources = fenced(&self.fence, "search results", &sources);
        let user = prompts::Digest { query, sources: &sources }.render();
        let messages = vec![Message::system(system), Message::user(user)];
        let mut request = self.request(messages, self.config.ceilings.tool_synthesis);
        request.temperature = Some(0.2);
        request
    }

    pub(super) fn on_digest(
        &mut self,
        ticket: Ticket,
        result: Result<Completion, ChatError>,
        now: Timestamp,
        out: &mut Reaction,
    ) {
        let Stage::RunningTools { runs, .. } = &self.stage else { return };
        let found = runs.iter().enumerate().find_map(|(at, run)| match &run.state {
            RunState::Digesting { pending, output } if pending.ticket == ticket => {
                Some((at, pending.clone(), output.clone()))
            }
            RunState::Running { .. } | RunState::Digesting { .. } | RunState::Done(_) => None,
        });
        let Some((at, pending, mut output)) = found else { return };
        let (result, cost) = self.settle(&pending, result, now, out);
        match result {
            Ok(completion) => {
                put(&mut output, "summary", completion.text);
                put(&mut output, "summaryModel", self.model.id.to_string());
            }
            // The results stand without their digest. Whatever the error, a rate limit too, it
            // shows at the next call if it lasts: only there is the ask between two steps.
            Err(error) => put(&mut output, "summaryError", error.to_string()),
        }
        self.finish_run(at, &output, cost, now, out);
    }

    fn finish_run(
        &mut self,
        at: usize,
        output: &Value,
        cost: Option<Usd>,
        now: Timestamp,
        out: &mut Reaction,
    ) {
        let Stage::RunningTools { iteration, runs } = &mut self.stage else { return };
        let iteration = *iteration;
        let Some(run) = runs.get_mut(at) else { return };
        let response = Value::String(output.to_string());
        let duration = now.since(run.started);
        let done = CycleCall { response, duration, cost, ..CycleCall::open(&run.call) };
        let arguments = run.arguments.clone();
        run.state = RunState::Done(done.clone());
        self.show_result(iteration, &arguments, &done, now, out);
        self.end_iteration_when_done(now, out);
    }

    fn show_result(
        &mut self,
        iteration: u32,
        arguments: &Value,
        done: &CycleCall,
        now: Timestamp,
        out: &mut Reaction,
    ) {
        let shown = done.shown(iteration, arguments.clone(), false, now);
        super::emit(&mut self.sequence, out, &shown);
    }

    /// Ends the iteration once every run is done: results enter the conversation in the order
    /// of their calls, whichever ended first.
    fn end_iteration_when_done(&mut self, now: Timestamp, out: &mut Reaction) {
        let Stage::RunningTools { iteration, runs } = &self.stage else { return };
        let iteration = *iteration;
        let done: Vec<(CycleCall, Value)> = runs
            .iter()
            .filter_map(|run| match &run.state {
                RunState::Done(done) => Some((done.clone(), run.arguments.clone())),
                RunState::Running { .. } | RunState::Digesting { .. } => None,
            })
            .collect();
        if done.len() < runs.len() {
            return;
        }
        for (call, arguments) in &done {
            self.take_in(call, arguments);
        }
        self.end_cycle(done.into_iter().map(|(call, _)| call).collect());
        if self.evidence.barren_iterations() >= BARREN_ITERATIONS {
            self.log("Two iterations in a row brought nothing new; research ends", now, out);
            self.begin_answer(now, out);
        } else {
            self.begin_iteration(iteration + 1, now, out);
        }
    }

    /// Keeps a finished iteration, whose calls are taken in.
    pub(super) fn end_cycle(&mut self, cycle: Vec<CycleCall>) {
        self.cycles.push(cycle);
        self.evidence.end_iteration();
        self.conversation.prune(self.config.profile.prune_above(self.model.context_window));
    }

    /// The number of the iteration after those that are finished.
    pub(super) fn next_iteration(&self) -> u32 {
        u32::try_from(self.cycles.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// Takes the outcome of a call into conversation and evidence.
    pub(super) fn take_in(&mut self, call: &CycleCall, arguments: &Value) {
        let output = call.output();
        let limit = self.config.profile.result_characters();
        self.conversation.push_result(&call.call(), &output, limit, &self.fence);
        self.evidence.take_in(&call.request.function.name, arguments, &output);
    }
}
