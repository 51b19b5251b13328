//! The machine behind questions to one's own documents: retrieve, format the context, generate, process citations.
//!
//! Everything that it knows is in its state, which serialises. Source: the contract of knowledge; the stages,
//! thresholds and formats are those of the service that this one stands in for (`quarry_knowledge::asking`).
//! Border: who finds the chunks, and who writes, is outside; between them it decides alone.

mod checking;
mod convert;
mod ending;
mod request;
mod settings;

pub use request::{ConsultParams, ConsultRequest};
pub use settings::ConsultSettings;

use crate::core::{
    Calls, Draft, Effect, Fence, Input, Machine, Numbering, Purpose, Reaction, Ticket, Turn,
    listing, request_estimate,
};
use crate::extractive::{self, Asked, Length, Why};
use quarry_events::{FailureKind, Fallback, Init, Sources, StageName, User};
use quarry_evidence::{Evidence, Finding, Replaced};
use quarry_knowledge::asking::{Categories, MAX_CONTEXT, NO_RESULTS, format_context, in_label};
use quarry_prompts as prompts;
use quarry_tools::{Errand, KnowledgeQuery, Outcome, OwnPassage, Passages, findings};
use quarry_types::{ChatError, ChatRequest, Completion, FinishReason, Message, Timestamp, Usage};
use serde::{Deserialize, Serialize};

/// Bytes of what was found that are kept: more than a hundred chunks have.
const MOST_BYTES: usize = 1024 * 1024;
/// How freely the model writes: an answer from documents is no place for invention.
const TEMPERATURE: f64 = 0.1;
/// An answer that could not be longer than this is not worth a call.
const LEAST_ANSWER_TOKENS: u64 = 128;

/// What its model calls are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// The answer.
    Generation,
    /// Whether quotations say what the answer does.
    CitationCheck,
}

impl Purpose for Phase {
    fn phase(self) -> &'static str {
        match self {
            Phase::Generation => "final_synthesis",
            Phase::CitationCheck => "citation_check",
        }
    }

    fn iteration(self) -> Option<u32> {
        None
    }

    fn description(self) -> String {
        match self {
            Phase::Generation => "writing the answer from the documents".to_owned(),
            Phase::CitationCheck => "checking the citations".to_owned(),
        }
    }
}

/// What stays as it was when the question was accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Brief {
    id: String,
    query: KnowledgeQuery,
    fallback: Option<Fallback>,
    user: Option<User>,
    operator_keys: bool,
    /// Tokens of an answer at most.
    ceiling: u32,
    categories: Categories,
    /// Whether the model judges doubtful citations.
    verify_with_model: bool,
    fence: Fence,
    started: Timestamp,
}

/// What was found, and what is written from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Found {
    /// At or above the threshold, best first.
    chunks: Vec<OwnPassage>,
    /// What was not as it is set up to be.
    #[serde(default)]
    notes: Vec<String>,
    evidence: Evidence,
    draft: Draft,
}

/// Where a question stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Stage {
    /// Not begun.
    Ready,
    /// The documents are being searched.
    Retrieving(Ticket),
    /// The model is writing.
    Generating(Box<Found>),
    /// The answer is written; the model judges its citations.
    Checking(Box<Found>),
    /// Nothing more will happen.
    Ended,
}

/// The machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Consult {
    brief: Brief,
    numbering: Numbering,
    calls: Calls<Phase>,
    stage: Stage,
}

impl Consult {
    /// A new question.
    #[must_use]
    pub fn new(params: ConsultParams, now: Timestamp) -> Self {
        let ConsultParams {
            id,
            query,
            model,
            fallback,
            user,
            operator_keys,
            budget,
            ceiling,
            reasoning_effort,
            categories,
            verify_with_model,
            fence,
        } = params;
        Consult {
            brief: Brief {
                id: id.to_string(),
                query,
                fallback,
                user,
                operator_keys,
                ceiling,
                categories,
                verify_with_model,
                fence,
                started: now,
            },
            numbering: Numbering::default(),
            calls: Calls::new(model, reasoning_effort, budget),
            stage: Stage::Ready,
        }
    }

    fn begin(&mut self, turn: &mut Turn) {
        if self.stage != Stage::Ready {
            return;
        }
        let query = &self.brief.query.text;
        turn.log("Quarry has taken the question.");
        if let Some(fallback) = &self.brief.fallback {
            let (requested, reason) = (&fallback.requested, &fallback.reason);
            let instead = &self.calls.sheet().id;
            turn.log(format!("{requested} cannot answer ({reason}); {instead} does"));
        }
        turn.emit(&Init {
            id: Some(self.brief.id.clone()),
            query: query.clone(),
            model: self.calls.sheet().id.to_string(),
            user: self.brief.user.clone(),
            allow_env_fallback: self.brief.operator_keys,
            language_model: self.calls.sheet().is_language_model,
            context_profile: "roomy".to_owned(),
            question: query.clone(),
            turns: 0,
            turns_left_out: 0,
            asked: None,
            fallback: self.brief.fallback.clone(),
            timestamp: turn.at(),
        });
        turn.begin_stage(StageName::Retrieve, None);
        let ticket = turn.ticket();
        let errand = Errand::SearchKnowledge(self.brief.query.clone());
        turn.perform(Effect::RunTool { ticket, errand });
        self.stage = Stage::Retrieving(ticket);
    }

    fn on_found(&mut self, ticket: Ticket, outcome: Outcome, turn: &mut Turn) {
        if self.stage != Stage::Retrieving(ticket) {
            return;
        }
        self.calls.paid_by_tool(&outcome, turn);
        let (chunks, notes) = match outcome {
            Outcome::Passages(Passages { passages, notes, .. }) => (self.kept(passages), notes),
            Outcome::Failed(failure) => {
                self.fail_by_search(&failure, turn);
                return;
            }
            Outcome::Found(_) | Outcome::Page(_) | Outcome::Program(_) => {
                self.fail(FailureKind::ProviderFailed, "no documents were searched", turn);
                return;
            }
        };
        notes.iter().for_each(|note| turn.log(note.clone()));
        let (evidence, draft) = (Evidence::with_room(MOST_BYTES), Draft::citing_titles());
        let mut found = Found { chunks, notes, evidence, draft };
        if found.chunks.is_empty() {
            turn.log("Nothing in the documents comes near the question");
            found.draft.say(NO_RESULTS, turn);
            self.finish(found, turn);
            return;
        }
        for finding in findings(&found.chunks, &self.brief.query.text) {
            // By the title that the model is shown, and cites.
            let title = finding.title.as_deref().map(in_label);
            found.evidence.find_more(Finding { title, ..finding }, Replaced::GivesWay);
        }
        let (chunks, documents) = (found.chunks.len(), found.evidence.sources().len());
        turn.log(format!("Found {chunks} chunks in {documents} documents"));
        let added = listing(found.evidence.sources());
        turn.emit(&Sources { added, timestamp: turn.at() });
        self.generate(found, turn);
    }

    /// What reaches the threshold: whoever searched was told of it, and is not believed.
    fn kept(&self, mut passages: Vec<OwnPassage>) -> Vec<OwnPassage> {
        let threshold = self.brief.query.threshold.share();
        passages.retain(|passage| passage.score >= threshold);
        passages.truncate(self.brief.query.limit as usize);
        passages
    }

    fn generate(&mut self, found: Found, turn: &mut Turn) {
        turn.begin_stage(StageName::Context, None);
        let request = self.request(&found, turn);
        turn.begin_stage(StageName::Generate, None);
        let Some(request) = request else {
            let message = "the budget, or the model's context, leaves no room for an answer; ask again with a larger budget or another model";
            self.fail(FailureKind::BudgetExceeded, message, turn);
            return;
        };
        self.stage = Stage::Generating(Box::new(found));
        if self.calls.sheet().is_language_model {
            self.calls.start(Phase::Generation, request, 0, turn);
            return;
        }
        let completion = self.by_rule(&request);
        let settled = self.calls.answer_by_rule(Phase::Generation, &request, completion, turn);
        self.on_written(settled.result, turn);
    }

    /// The request, with as much room for an answer as there is; none: there is too little.
    fn request(&self, found: &Found, turn: &Turn) -> Option<ChatRequest> {
        let chunks: Vec<_> = found.chunks.iter().map(convert::chunk).collect();
        let fence = &self.brief.fence;
        let context = fence.around("documents", format_context(&chunks, MAX_CONTEXT).trim_end());
        let now = turn.now.spoken();
        let system =
            prompts::ConsultSystem { context: &context, fence: fence.mark(), now: &now }.render();
        let messages = vec![Message::system(system), Message::user(self.brief.query.text.clone())];
        let mut request = self.calls.request(messages, self.brief.ceiling);
        request.temperature = Some(TEMPERATURE);
        request.streams_text = true;
        let output = self.calls.output_that_fits(request_estimate(&request));
        let most = request.max_output_tokens;
        let output = output.min(u64::from(most));
        request.max_output_tokens = u32::try_from(output).unwrap_or(most);
        (output >= LEAST_ANSWER_TOKENS.min(u64::from(most))).then_some(request)
    }

    /// Ranked quotations, where no language model writes.
    fn by_rule(&self, request: &ChatRequest) -> Completion {
        let Stage::Generating(found) = &self.stage else { return rules(request, String::new()) };
        let sources: Vec<_> =
            found.evidence.sources().iter().map(extractive::EvidenceSource::from).collect();
        let asked = Asked {
            query: &self.brief.query.text,
            length: Length::Medium,
            most_tokens: u64::from(request.max_output_tokens),
            why: Why::Chosen,
        };
        rules(request, extractive::answer(&asked, &sources, &[]))
    }

    fn on_written(&mut self, result: Result<Completion, ChatError>, turn: &mut Turn) {
        let mut found = match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Generating(found) => *found,
            other => {
                self.stage = other;
                return;
            }
        };
        let completion = match result {
            Ok(completion) => completion,
            Err(error) => {
                self.stage = Stage::Generating(Box::new(found));
                self.fail_by(&error, turn);
                return;
            }
        };
        let Found { evidence, draft, .. } = &mut found;
        if self.calls.sheet().is_language_model {
            draft.close(&completion.text, evidence.sources(), turn);
        } else {
            draft.quote(&completion.text, evidence.sources(), turn);
        }
        if draft.is_empty() {
            let error = ChatError::Malformed { message: "the model wrote no answer".to_owned() };
            self.stage = Stage::Generating(Box::new(found));
            self.fail_by(&error, turn);
            return;
        }
        if completion.finish_reason == FinishReason::Length {
            draft.note("The answer reached its length limit.", turn);
        }
        self.check(found, turn);
    }
}

/// A reply that used no tokens: no language model read or wrote any.
fn rules(request: &ChatRequest, text: String) -> Completion {
    Completion {
        text,
        tool_calls: Vec::new(),
        reasoning: None,
        usage: Usage { reported: true, ..Usage::default() },
        finish_reason: FinishReason::Stop,
        model: request.model.name.clone(),
        attempts: 1,
    }
}

impl Machine for Consult {
    fn handle(&mut self, input: Input, now: Timestamp) -> Reaction {
        let mut turn = Turn::new(now, std::mem::take(&mut self.numbering));
        match input {
            Input::Begin => self.begin(&mut turn),
            Input::ModelText { ticket, text } => {
                if self.calls.purpose(ticket).is_some()
                    && let Stage::Generating(found) = &mut self.stage
                {
                    let Found { evidence, draft, .. } = &mut **found;
                    draft.push(&text, evidence.sources(), &mut turn);
                }
            }
            Input::ModelRetry { ticket, wait_ms, reason, may_be_paid } => {
                if self.calls.is_tried_again(ticket, &reason, may_be_paid) {
                    turn.wait(wait_ms, &reason);
                }
            }
            Input::ModelDone { ticket, result } => {
                let has_begun =
                    matches!(&self.stage, Stage::Generating(found) if found.draft.has_begun());
                if let Some(settled) = self.calls.settle(ticket, result, has_begun, &mut turn) {
                    match settled.purpose {
                        Phase::Generation => self.on_written(settled.result, &mut turn),
                        Phase::CitationCheck => self.after_check(settled.result, &mut turn),
                    }
                }
            }
            Input::ToolDone { ticket, outcome } => self.on_found(ticket, outcome, &mut turn),
            Input::Stop | Input::Left => self.stop(&mut turn),
        }
        let (numbering, reaction) = turn.end(self.has_ended());
        self.numbering = numbering;
        reaction
    }

    fn sequence(&self) -> u64 {
        self.numbering.sequence()
    }

    fn has_ended(&self) -> bool {
        self.stage == Stage::Ended
    }
}
