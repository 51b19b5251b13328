//! Research with tools: ask the model, run the tools that it wants side by side, feed it what they
//! brought, until it wants no more, may have no more, or learns nothing.
//!
//! A conversation, its rounds and the evidence they brought. The machine makes the model calls.

use super::tool_round::{Beside, May, Ran};
use super::{ContextProfile, Conversation, DoneCall, Fence, OpenCall, Ticket, ToolRound, Turn};
use quarry_events::{StageName, Thought};
use quarry_evidence::{Evidence, Source};
use quarry_prompts as prompts;
use quarry_tools::{Digest, Domains, Outcome, Sources, ToolName};
use quarry_types::order::Gather;
use quarry_types::text::cut;
use quarry_types::{ChatRequest, CollectionName, Completion, FinishReason, Message, ToolCall, Usd};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Research ends after this many rounds in a row that brought nothing new.
const BARREN_ROUNDS: u32 = 2;

/// Sources, and characters of each, that a digest is written from.
const DIGEST_SOURCES: (usize, usize) = (2, 1_500);

/// Characters of all of them: with its fence it must stay below the prompt's cap, or the fence
/// would lose its end.
const DIGEST_CHARACTERS: usize = 3_700;

/// Characters of a thought that stand for all of it.
const TITLE: usize = 80;

/// The temperature of research and of digests: facts are wanted.
const TEMPERATURE: f64 = 0.2;

/// What a machine decides about its research.
#[derive(Debug, Clone)]
pub struct Rules<'r> {
    /// The question, for digests of searches that name none.
    pub query: &'r str,
    /// Marks text from outside.
    pub fence: &'r Fence,
    /// How much of what tools return the model sees.
    pub profile: ContextProfile,
    /// Tokens of the model's context, when they are known.
    pub context_window: Option<u64>,
    /// Where evidence may come from.
    pub sources: Sources,
    /// Where the web may be searched and read.
    pub domains: &'r Domains,
    /// The documents of whoever names no collection; none: the default ones.
    pub collection: Option<&'r CollectionName>,
    /// Rounds at most.
    pub max_iterations: u32,
    /// Tool calls of all rounds at most.
    pub max_calls: Option<u32>,
    /// The operator's system prompt for digests of search results.
    pub digest_prompt: Option<&'r str>,
    /// A request with the model and the ceilings of research, and no messages.
    pub request: ChatRequest,
    /// The ceiling for a reply of which thoughts left nothing.
    pub roomier: u32,
}

/// A model call that research wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InquiryStep {
    /// Which tools to call next, in this iteration.
    Iteration(u32),
    /// A digest of what a run of this iteration found.
    Digest {
        /// The iteration.
        iteration: u32,
        /// The run's place among those of its round.
        run: usize,
    },
}

/// How research goes on.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// The model is to be called.
    Call(InquiryStep, Box<ChatRequest>),
    /// Something under way will end.
    Wait,
    /// No more research.
    Done(Why),
}

/// Why research is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The model wants no more tools.
    Enough,
    /// All rounds are used.
    Limit,
    /// The last rounds brought nothing new.
    LearnsNothing,
    /// The model's reply calls no tools, and is none that says that it wants none.
    BrokenOff,
}

/// A finished round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// What the model wrote beside its calls.
    pub text: String,
    /// Its calls.
    pub calls: Vec<DoneCall>,
}

/// Research that is under way or done.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Inquiry {
    conversation: Conversation,
    evidence: Evidence,
    rounds: Vec<Round>,
    /// The round under way.
    running: Option<ToolRound>,
    /// Whether the model was asked for its calls once more, with more room.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_asked_again: bool,
}

impl Inquiry {
    /// Research that begins with the researcher's role and task.
    #[must_use]
    pub fn new(system: String, user: String) -> Self {
        Inquiry { conversation: Conversation::new(system, user), ..Inquiry::default() }
    }

    /// What was found.
    #[must_use]
    pub const fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// The finished rounds.
    #[must_use]
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// The calls of all finished rounds, with their outcomes.
    pub fn calls(&self) -> impl Iterator<Item = &DoneCall> {
        self.rounds.iter().flat_map(|round| &round.calls)
    }

    /// The calls of the round under way as a checkpoint keeps them, with the model's words.
    #[must_use]
    pub fn open_calls(&self) -> (String, Vec<OpenCall>) {
        let kept = |round: &ToolRound| (round.text().to_owned(), round.open_calls());
        self.running.as_ref().map(kept).unwrap_or_default()
    }

    /// Forgets the round under way: it is about to run again.
    pub fn interrupt(&mut self) {
        self.running = None;
    }

    /// The number of the round after those that are finished, from 1.
    #[must_use]
    pub fn next_iteration(&self) -> u32 {
        u32::try_from(self.rounds.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// Begins the next round: asks the model which tools to call.
    pub fn begin_round(&mut self, rules: &Rules<'_>, turn: &mut Turn) -> Next {
        let iteration = self.next_iteration();
        if iteration > rules.max_iterations || self.calls_left(rules) == 0 {
            return Next::Done(Why::Limit);
        }
        turn.begin_stage(StageName::Research, Some(iteration));
        turn.log(format!("Research iteration {iteration}"));
        self.ask_for_calls(rules.request.max_output_tokens, rules)
    }

    fn ask_for_calls(&self, max_output_tokens: u32, rules: &Rules<'_>) -> Next {
        let offered = ToolName::on_offer(rules.sources);
        let request = ChatRequest {
            messages: self.conversation.messages().to_vec(),
            tools: offered.into_iter().filter_map(ToolName::spec).cloned().collect(),
            temperature: Some(TEMPERATURE),
            max_output_tokens,
            ..rules.request.clone()
        };
        Next::Call(InquiryStep::Iteration(self.next_iteration()), Box::new(request))
    }

    /// Takes in which tools the model wants.
    pub fn on_reply(&mut self, reply: &Completion, rules: &Rules<'_>, turn: &mut Turn) -> Next {
        if reply.tool_calls.is_empty() {
            return self.without_calls(reply, rules, turn);
        }
        self.is_asked_again = false;
        self.show_thought(&reply.text, turn);
        let mut calls = self.with_distinct_ids(&reply.tool_calls);
        let left = self.calls_left(rules);
        if calls.len() > left {
            turn.log(format!("Of {} tool calls {left} are still allowed", calls.len()));
            calls.truncate(left);
        }
        let beside = Beside { text: &reply.text, reasoning: reply.reasoning.as_deref() };
        self.run_round(beside, calls.into_iter().map(OpenCall::Open).collect(), rules, turn)
    }

    /// The model calls no tools: because it wants none, or because it came to none.
    fn without_calls(&mut self, reply: &Completion, rules: &Rules<'_>, turn: &mut Turn) -> Next {
        let is_out_of_thoughts = reply.text.trim().is_empty() || reply.usage.reasoning > 0;
        match reply.finish_reason {
            FinishReason::Stop => Next::Done(Why::Enough),
            // Who writes at such length does not look for anything any more.
            FinishReason::Length if !is_out_of_thoughts => Next::Done(Why::Enough),
            FinishReason::Length if !self.is_asked_again => {
                turn.log("The model's thoughts left no room for tools; asking again with more");
                self.is_asked_again = true;
                self.ask_for_calls(rules.roomier, rules)
            }
            FinishReason::Length
            | FinishReason::ToolCalls
            | FinishReason::ContentFilter
            | FinishReason::Other => Next::Done(Why::BrokenOff),
        }
    }

    /// Tool calls that may still be made.
    fn calls_left(&self, rules: &Rules<'_>) -> usize {
        let most = rules.max_calls.and_then(|most| usize::try_from(most).ok());
        most.map_or(usize::MAX, |most| most.saturating_sub(self.calls().count()))
    }

    fn show_thought(&self, text: &str, turn: &mut Turn) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let first = text.lines().next().unwrap_or_default();
        let title =
            cut(first.trim_matches(|c: char| c == '#' || c == '*' || c.is_whitespace()), TITLE);
        let (id, timestamp) = (turn.thought_id(), turn.at());
        let iteration = self.next_iteration();
        turn.emit(&Thought { id, iteration, title, text: text.to_owned(), timestamp });
    }

    /// Runs the calls of a round that are not answered yet. What the others brought is evidence
    /// already.
    pub fn run_round(
        &mut self,
        beside: Beside<'_>,
        calls: Vec<OpenCall>,
        rules: &Rules<'_>,
        turn: &mut Turn,
    ) -> Next {
        let offered = ToolName::on_offer(rules.sources);
        let Rules { domains, collection, .. } = *rules;
        let may = May { offered: &offered, domains, collection };
        self.running = Some(ToolRound::begin(self.next_iteration(), beside, calls, &may, turn));
        self.go_on_when_done(rules, turn)
    }

    /// Takes in what a tool's errand brought. Nothing waits for it: nothing changes.
    pub fn on_outcome(
        &mut self,
        ticket: Ticket,
        outcome: Outcome,
        rules: &Rules<'_>,
        turn: &mut Turn,
    ) -> Next {
        let limits = rules.profile.output_limits();
        let Some(round) = &mut self.running else { return Next::Wait };
        let within = (&limits, rules.domains);
        match round.on_outcome(ticket, outcome, within, &mut self.evidence, turn) {
            None => Next::Wait,
            Some(Ran::Done) => self.go_on_when_done(rules, turn),
            Some(Ran::WantsDigest(run)) => self.ask_for_digest(run, rules),
        }
    }

    fn ask_for_digest(&self, run: usize, rules: &Rules<'_>) -> Next {
        let Some((query, sources)) = self.to_digest(run) else { return Next::Wait };
        let query = if query.is_empty() { rules.query } else { query };
        let (most, characters) = DIGEST_SOURCES;
        let sources: Vec<String> = sources
            .iter()
            .take(most)
            .map(|source| {
                let body = cut(&source.body(), characters);
                format!("{} — {}\n{body}", source.title, source.url)
            })
            .collect();
        let fence = rules.fence;
        let system = match rules.digest_prompt {
            // The operator's words know nothing of the fence.
            Some(prompt) => {
                format!("{prompt}\n\n{}", prompts::OutsideText { fence: fence.mark() }.render())
            }
            None => prompts::DigestSystem { fence: fence.mark() }.render(),
        };
        let sources = cut(&sources.join("\n\n"), DIGEST_CHARACTERS);
        let sources = fence.around("search results", &sources);
        let user = prompts::Digest { query, sources: &sources }.render();
        let request = ChatRequest {
            messages: vec![Message::system(system), Message::user(user)],
            temperature: Some(TEMPERATURE),
            ..rules.request.clone()
        };
        let iteration = self.next_iteration();
        Next::Call(InquiryStep::Digest { iteration, run }, Box::new(request))
    }

    /// The query and the findings of a run that waits to be digested.
    #[must_use]
    pub fn to_digest(&self, run: usize) -> Option<(&str, Vec<Source>)> {
        let (job, outcome) = self.running.as_ref()?.to_digest(run)?;
        // Read by the tool itself, as evidence of its own: what it found is all that counts.
        let mut found = Evidence::default();
        job.learn(&mut outcome.clone(), &mut found);
        Some((job.searches_for().unwrap_or_default(), found.sources().to_vec()))
    }

    /// How many digests of the round under way may still be asked for.
    #[must_use]
    pub fn digests_to_come(&self) -> usize {
        self.running.as_ref().map_or(0, ToolRound::digests_to_come)
    }

    /// Takes in a digest, or why there is none: then the results stand without. Whatever the
    /// error, a rate limit too, it shows at the next call if it lasts.
    pub fn on_digest(
        &mut self,
        run: usize,
        digest: Digest,
        cost: Option<Usd>,
        rules: &Rules<'_>,
        turn: &mut Turn,
    ) -> Next {
        let Some(round) = &mut self.running else { return Next::Wait };
        round.on_digest(run, digest, cost, &mut self.evidence, turn);
        self.go_on_when_done(rules, turn)
    }

    /// Ends the round once every run is done, and begins the next one.
    fn go_on_when_done(&mut self, rules: &Rules<'_>, turn: &mut Turn) -> Next {
        let Some(mut round) = self.running.take() else { return Next::Wait };
        if !round.is_done() {
            self.running = Some(round);
            return Next::Wait;
        }
        let reasoning = round.take_reasoning();
        let (text, calls) = round.into_done();
        self.end_round(Round { text, calls }, reasoning, rules);
        if self.evidence.barren_iterations() >= BARREN_ROUNDS {
            turn.log("Two iterations in a row brought nothing new; research ends");
            return Next::Done(Why::LearnsNothing);
        }
        self.begin_round(rules, turn)
    }

    /// Calls enter the conversation with their results, in their order, whichever ended first.
    fn end_round(&mut self, round: Round, reasoning: Option<String>, rules: &Rules<'_>) {
        let limit = rules.profile.result_characters();
        let calls = round.calls.iter().map(|done| &done.call);
        self.conversation.push_calls(&round.text, reasoning, calls);
        for call in &round.calls {
            self.conversation.push_result(&call.call, &call.output(), limit, rules.fence);
        }
        self.rounds.push(round);
        self.evidence.end_iteration();
        self.conversation.prune(rules.profile.prune_above(rules.context_window));
    }

    /// Takes in a round that was finished before an interruption, as it was when it was made.
    pub fn restore_round(&mut self, mut round: Round, rules: &Rules<'_>) {
        for call in &mut round.calls {
            call.learn(&mut self.evidence);
        }
        // Clients are not given thoughts to keep.
        self.end_round(round, None, rules);
    }

    /// Takes in the calls of an interrupted round that were answered.
    pub fn restore_answered(&mut self, calls: &mut [OpenCall]) {
        for call in calls {
            if let OpenCall::Answered(done) = call {
                done.learn(&mut self.evidence);
            }
        }
    }

    /// Takes in the sources that were known before an interruption, in their order.
    pub fn restore_sources(&mut self, sources: Vec<Source>) {
        self.evidence.restore(sources);
    }

    /// Gives calls without an id, or with one that another call has, one of their own: a provider
    /// refuses a conversation with two calls of one id.
    fn with_distinct_ids(&self, calls: &[ToolCall]) -> Vec<ToolCall> {
        let iteration = self.next_iteration();
        let mut taken: BTreeSet<String> = self.calls().map(|done| done.call.id.clone()).gather();
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
}
