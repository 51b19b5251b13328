//! The tool loop: ask the model, run the tools it wants side by side, feed it what they brought.

use super::continuation::{CallFunction, CallRequest, CycleCall};
use super::plan::numbered;
use super::text::{cut, fenced};
use super::tools::{Job, ToolName, on_offer, read_call, refusal};
use super::{Ask, Conversation, Effect, Phase, Reaction, RunState, Stage, Ticket, ToolRun};
use super::{ToolOutcome, question};
use crate::Timestamp;
use crate::event::{self, EventName};
use crate::json::put;
use quarry_prompts as prompts;
use quarry_types::{ChatError, ChatRequest, Completion, Message, ToolCall, Usd};
use serde_json::Value;

/// The loop ends after this many iterations in a row that brought nothing new.
const BARREN_ITERATIONS: u32 = 2;

/// Calls of one iteration beyond this many are refused.
const MAX_CALLS: usize = 16;

/// Sources, and characters of each, that a digest is written from.
const DIGEST_SOURCES: (usize, usize) = (2, 1_500);

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
        if !self.may_call(&request) {
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
        request.tools = on_offer(self.config.sources).into_iter().map(ToolName::spec).collect();
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
            Ok(completion) => self.run_tools(iteration, completion, now, out),
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
        completion: Completion,
        now: Timestamp,
        out: &mut Reaction,
    ) {
        let calls = with_distinct_ids(completion.tool_calls, iteration);
        self.conversation.push_calls(&completion.text, &calls);
        let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
        let noun = if calls.len() == 1 { "tool" } else { "tools" };
        self.log(
            &format!("Running {} {noun}: {}", calls.len(), cut(&names.join(", "), 300)),
            now,
            out,
        );
        let offered = on_offer(self.config.sources);
        let read: Vec<_> = calls.iter().map(|call| read_call(call, &offered)).collect();
        let shown = event::Tools {
            iteration,
            pending: calls.len(),
            calls: calls
                .iter()
                .zip(&read)
                .map(|(call, read)| event::PendingCall {
                    iteration,
                    call_id: &call.id,
                    name: &call.name,
                    args: &read.arguments,
                })
                .collect(),
        };
        super::emit(&mut self.sequence, out, EventName::Tools, &shown);
        let mut runs = Vec::with_capacity(calls.len());
        for (at, (call, read)) in calls.into_iter().zip(read).enumerate() {
            let job = if at < MAX_CALLS {
                read.job
            } else {
                Err(format!("more than {MAX_CALLS} calls at once; ask again for this one"))
            };
            let ticket = self.ticket();
            let state = match job {
                Ok(job) => {
                    out.effects.push(Effect::RunTool { ticket, job: job.clone() });
                    RunState::Running { ticket, job }
                }
                Err(problem) => {
                    let done = cycle_call(&call, refusal(&problem), 0, Some(0.0));
                    self.show_result(iteration, &read.arguments, &done, out);
                    RunState::Done(done)
                }
            };
            runs.push(ToolRun { call, arguments: read.arguments, started: now, state });
        }
        self.stage = Stage::RunningTools { iteration, runs };
        self.end_iteration_when_done(now, out);
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
        if !self.may_call(&request) {
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
            Some(prompt) => prompt.clone(),
            None => prompts::DigestSystem { fence: &self.fence }.render(),
        };
        let sources = fenced(&self.fence, "search results", &sources.join("\n\n"));
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
        match self.settle(&pending, result, now, out) {
            Ok((completion, cost)) => {
                put(&mut output, "summary", completion.text);
                put(&mut output, "summaryModel", self.model.id.to_string());
                self.finish_run(at, &output, cost, now, out);
            }
            // The results stand without their digest; a rate limit will show at the next call.
            Err(error) => {
                put(&mut output, "summaryError", error.to_string());
                self.finish_run(at, &output, Some(0.0), now, out);
            }
        }
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
        let done = cycle_call(&run.call, output.to_string(), now.since(run.started), cost);
        let arguments = run.arguments.clone();
        run.state = RunState::Done(done.clone());
        self.show_result(iteration, &arguments, &done, out);
        self.end_iteration_when_done(now, out);
    }

    fn show_result(
        &mut self,
        iteration: u32,
        arguments: &Value,
        done: &CycleCall,
        out: &mut Reaction,
    ) {
        let shown = event::ToolResult {
            iteration,
            call_id: &done.request.id,
            name: &done.request.function.name,
            args: arguments,
            output: &done.output(),
            duration: done.duration,
            cost: done.cost,
            continued: false,
        };
        super::emit(&mut self.sequence, out, EventName::ToolResult, &shown);
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
        self.cycles.push(done.into_iter().map(|(call, _)| call).collect());
        self.evidence.end_iteration();
        self.conversation.prune(self.config.profile.prune_above(self.model.context_window));
        if self.evidence.barren_iterations() >= BARREN_ITERATIONS {
            self.log("Two iterations in a row brought nothing new; research ends", now, out);
            self.begin_answer(now, out);
        } else {
            self.begin_iteration(iteration + 1, now, out);
        }
    }

    /// Takes the outcome of a call into conversation and evidence.
    pub(super) fn take_in(&mut self, call: &CycleCall, arguments: &Value) {
        let output = call.output();
        let limit = self.config.profile.result_characters();
        self.conversation.push_result(&call.call(), &output, limit, &self.fence);
        self.evidence.take_in(&call.request.function.name, arguments, &output);
    }
}

fn cycle_call(call: &ToolCall, output: String, duration: u64, cost: Option<Usd>) -> CycleCall {
    CycleCall {
        request: CallRequest {
            id: call.id.clone(),
            kind: "function".to_owned(),
            function: CallFunction { name: call.name.clone(), arguments: call.arguments.clone() },
        },
        response: Value::String(output),
        duration,
        cost,
    }
}

/// Gives calls without an id, or with one that another call of the turn has, one of their own.
fn with_distinct_ids(calls: Vec<ToolCall>, iteration: u32) -> Vec<ToolCall> {
    let mut seen: Vec<String> = Vec::with_capacity(calls.len());
    calls
        .into_iter()
        .enumerate()
        .map(|(at, mut call)| {
            if call.id.is_empty() || seen.contains(&call.id) {
                call.id = format!("iter-{iteration}-call-{}", at + 1);
            }
            seen.push(call.id.clone());
            call
        })
        .collect()
}
