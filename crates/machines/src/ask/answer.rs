//! Writing the answer: within the budget, from what was found, without a model if need be.

use super::ending::Answer;
use super::plan::Complexity;
use super::research::Research;
use super::{Ask, Phase, Stage, question};
use crate::core::{
    Budget, ContextProfile, DoneCall, Draft, Turn, estimate, failure_kind, failure_message,
    request_estimate,
};
use crate::extractive::Why;
use quarry_events::{Degraded, FailureKind, Finish, StageName};
use quarry_evidence::cite::{Room, shown};
use quarry_prompts as prompts;
use quarry_tools::Job;
use quarry_types::text::{cut, unended};
use quarry_types::{ChatError, ChatRequest, Completion, FinishReason, Message};

/// An answer that could not be longer than this is not worth a call.
pub(super) const LEAST_ANSWER_TOKENS: u64 = 128;

/// Characters of evidence below which no answer is tried.
const LEAST_EVIDENCE: usize = 200;

/// By how much a short answer's prompt may still grow while research goes on: the evidence that
/// is yet to come, and the expert whom the plan chooses.
const MARGIN_TOKENS: u64 = 200;

/// Tool results that the frugal profile looks back on.
const FRUGAL_RESULTS: usize = 2;

/// What stands below an answer that its provider ended for a reason of its own.
const BROKEN_OFF: &str =
    "The answer breaks off here: the provider ended it for a reason of its own.";

/// Why there is no answer where the model wrote none.
const NOTHING_WRITTEN: &str = "the model wrote no answer to this question";

/// The same where nothing of what it wrote is shown.
const NOTHING_SHOWN: &str =
    "the model wrote no answer to this question, only addresses or names of sources";

/// The temperature of answers to calculations.
const MATH_TEMPERATURE: f64 = 0.1;

impl Ask {
    /// Whether a research call with this request may start. Only a full budget says no: what is
    /// left must hold the call and, after it, a short answer from what was found.
    pub(super) fn may_call(&self, request: &ChatRequest, turn: &Turn) -> bool {
        self.calls.budget() == Budget::default()
            || self.calls.may_start(request, self.least_answer(turn))
    }

    /// Tokens that what comes after a call takes at least.
    pub(super) fn after(&self, phase: Phase, turn: &Turn) -> u64 {
        match phase {
            _ if self.calls.budget() == Budget::default() => 0,
            Phase::InitialSetup
            | Phase::Planning
            | Phase::ToolIteration(_)
            | Phase::SearchSummary { .. } => self.least_answer(turn),
            Phase::FinalSynthesis | Phase::CitationCheck => self.least_form(),
            Phase::FinalFormat => 0,
        }
    }

    /// Tokens of a short answer from what was found, with the little that it is made from.
    fn least_answer(&self, turn: &Turn) -> u64 {
        let answer = self.answer_messages(&self.known(), LEAST_EVIDENCE, LEAST_EVIDENCE, turn);
        let answer = estimate(&answer) + LEAST_ANSWER_TOKENS + MARGIN_TOKENS;
        answer.saturating_add(self.least_form())
    }

    /// The budget leaves no room for more research: answer from what there is.
    pub(super) fn cut_short(&mut self, turn: &mut Turn) {
        turn.log("The budget leaves no room for more research; answering from what was found");
        let research = Research { partial: true, ..self.take_known() };
        self.begin_answer(research, turn);
    }

    pub(super) fn begin_answer(&mut self, research: Research, turn: &mut Turn) {
        let request = self.answer_request(&research, turn);
        let is_shown = self.brief.wish.form.is_none();
        let draft = if is_shown { Draft::ending_at(self.stops()) } else { Draft::silent() };
        let draft = Box::new(draft);
        self.stage = Stage::Answering { research, draft };
        let Some(mut request) = request else {
            self.fail_for_room(turn);
            return;
        };
        request.streams_text = is_shown;
        turn.begin_stage(StageName::Answer, None);
        turn.log("Writing the answer");
        self.ask_model(Phase::FinalSynthesis, request, turn);
    }

    /// Not even a short answer fits: into the budget, or else into the model's context.
    pub(super) fn fail_for_room(&mut self, turn: &mut Turn) {
        let Budget { usd, tokens } = self.calls.budget();
        let (kind, message) = match (usd, tokens) {
            (None, None) => (
                FailureKind::ContextTooLong,
                "The question leaves no room for an answer in the model's context. Shorten it or choose another model.",
            ),
            (Some(_), _) if self.calls.sheet().price.is_none() => (
                FailureKind::BudgetExceeded,
                "A budget in US dollars cannot be held: no price is known for this model. Ask again with a budget in tokens.",
            ),
            _ => (
                FailureKind::BudgetExceeded,
                "The budget does not even leave room for an answer from what was found. Ask again with a larger budget.",
            ),
        };
        self.fail(kind, message, turn);
    }

    /// The final request within budget and context window; evidence is cut until it fits. None
    /// when not even a short answer fits.
    fn answer_request(&self, research: &Research, turn: &Turn) -> Option<ChatRequest> {
        let is_calculation = question::is_calculation(self.question());
        let ceilings = &self.config.ceilings;
        let ceiling = match research.plan.complexity_assessment {
            _ if is_calculation => ceilings.math,
            Complexity::Low => ceilings.low,
            Complexity::Medium => ceilings.medium,
            Complexity::High => ceilings.high,
        };
        // Of an answer in a form of its own that form is what the caller's limit is for.
        let ceiling = if self.brief.wish.form.is_some() { ceiling } else { self.most(ceiling) };
        let window = self.calls.sheet().context_window;
        let (of_one, mut of_all) = self.config.profile.evidence_characters(window);
        loop {
            let messages = self.answer_messages(research, of_one, of_all, turn);
            let mut request = self.calls.request(messages, ceiling);
            let creative = research.setup.temperature;
            let ours = if is_calculation { MATH_TEMPERATURE } else { creative };
            let wish = &self.brief.wish;
            request.top_p = wish.top_p;
            // Who chooses one of the two wants the other out of its way.
            request.temperature = wish.temperature.or(wish.top_p.is_none().then_some(ours));
            let fits = self.calls.output_that_fits(request_estimate(&request));
            let fits = self.beside_form(fits);
            let most = self.most_of(&request);
            let output = fits.min(u64::from(most));
            if output >= LEAST_ANSWER_TOKENS.min(u64::from(most)) {
                request.max_output_tokens = u32::try_from(output).unwrap_or(most);
                return Some(request);
            }
            if of_all <= LEAST_EVIDENCE {
                return None;
            }
            of_all = (of_all / 2).max(LEAST_EVIDENCE);
        }
    }

    fn answer_messages(
        &self,
        research: &Research,
        of_one: usize,
        of_all: usize,
        turn: &Turn,
    ) -> Vec<Message> {
        let Research { setup, plan, inquiry, .. } = research;
        let (query, fence) = (self.question(), &self.brief.fence);
        let system = prompts::FinalSystem {
            persona: &plan.optimal_persona,
            fence: fence.mark(),
            response_length: &setup.response_length,
            reasoning_level: &setup.reasoning_level,
            now: &turn.now.spoken(),
        }
        .render();
        let evidence = match self.config.profile {
            ContextProfile::Frugal => frugal_remarks(research, of_one, of_all),
            ContextProfile::Roomy => inquiry.evidence().remarks(of_one, of_all),
        };
        let left = of_all.saturating_sub(evidence.chars().count() + 2);
        let room = Room { of_passage: of_one, of_source: of_one, of_all: left };
        let passages = shown(inquiry.evidence().sources(), query, room);
        let gap = if evidence.is_empty() || passages.is_empty() { "" } else { "\n\n" };
        let evidence = [evidence.as_str(), &passages].join(gap);
        let evidence = if evidence.is_empty() { "No evidence was gathered." } else { &evidence };
        let evidence = fence.around("evidence", evidence);
        let evidence = evidence.as_str();
        let of_its_own = format!("\n{evidence}\n");
        let user = match (&self.config.final_template, self.config.profile) {
            (Some(template), _) => prompts::substitute(template, |name| match name {
                "ORIGINAL_QUERY" => Some(query),
                // On lines of its own: a fence is known by how lines begin.
                "ALL_INFORMATION" => Some(&of_its_own),
                _ => None,
            }),
            (None, _) if question::is_calculation(query) => {
                prompts::FinalMath { query, evidence }.render()
            }
            (None, ContextProfile::Frugal) => prompts::FinalFrugal { query, evidence }.render(),
            (None, ContextProfile::Roomy) => prompts::Final { query, evidence }.render(),
        };
        let earlier = self
            .said_before()
            .map(|turns| prompts::Earlier { fence: fence.mark(), turns: &turns }.render());
        let user = earlier.into_iter().chain([user]).chain(self.wishes());
        let user = user.collect::<Vec<_>>().join("\n\n");
        vec![Message::system(system), Message::user(user)]
    }

    pub(super) fn after_answer(&mut self, result: Result<Completion, ChatError>, turn: &mut Turn) {
        if let Err(ChatError::RateLimited { wait_seconds, message }) = &result {
            self.quota_exceeded(*wait_seconds, message, turn);
            return;
        }
        let (research, mut draft) = match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Answering { research, draft } => (research, draft),
            other => {
                self.stage = other;
                return;
            }
        };
        let sources = research.inquiry.evidence().sources();
        let finish = match result {
            Ok(completion) => {
                if self.calls.sheet().is_language_model {
                    draft.close(&completion.text, sources, turn);
                } else {
                    draft.quote(&completion.text, sources, turn);
                }
                match completion.finish_reason {
                    _ if draft.is_empty() && !draft.is_stopped() => {
                        self.answer_without_text(research, completion.finish_reason, &draft, turn);
                        return;
                    }
                    _ if draft.is_stopped() => Finish::Stop,
                    // Who asked for the model's own words gets no others.
                    FinishReason::Length if self.brief.wish.is_direct => Finish::Length,
                    // It is no text that anybody is shown.
                    FinishReason::Length if self.brief.wish.form.is_some() => {
                        turn.log("The answer in words reached its length limit");
                        Finish::Stop
                    }
                    FinishReason::Length => {
                        draft.note("The answer reached its length limit.", turn);
                        Finish::Length
                    }
                    FinishReason::ContentFilter => Finish::Filter,
                    FinishReason::Other => {
                        if !self.brief.wish.is_direct && self.brief.wish.form.is_none() {
                            draft.note(BROKEN_OFF, turn);
                        }
                        Finish::Broken
                    }
                    FinishReason::Stop | FinishReason::ToolCalls => Finish::Stop,
                }
            }
            Err(error) => {
                draft.break_off(sources, turn);
                if draft.is_empty() || self.brief.wish.form.is_some() {
                    self.degrade(research, &error, turn);
                    return;
                }
                let error = error.to_string();
                draft.note(&format!("The answer breaks off here: {}.", unended(&error)), turn);
                Finish::Broken
            }
        };
        self.check(Answer::new(research, *draft, finish), turn);
    }

    /// The model replied, but wrote nothing, or nothing that is shown.
    fn answer_without_text(
        &mut self,
        research: Research,
        reason: FinishReason,
        written: &Draft,
        turn: &mut Turn,
    ) {
        if reason == FinishReason::ContentFilter {
            let mut draft = Draft::default();
            if self.brief.wish.form.is_none() {
                draft.say("The model provider's filter held the answer back.", turn);
            }
            self.tell(Answer::new(research, draft, Finish::Filter), turn);
            return;
        }
        let message = if written.has_begun() { NOTHING_SHOWN } else { NOTHING_WRITTEN };
        let message = message.to_owned();
        self.degrade(research, &ChatError::Malformed { message }, turn);
    }

    /// The provider is gone. What was found is quoted instead; where nothing was, the ask fails.
    pub(super) fn degrade(&mut self, research: Research, error: &ChatError, turn: &mut Turn) {
        // Quotations are no JSON.
        if research.inquiry.evidence().is_empty() || self.brief.wish.form.is_some() {
            self.stage = Stage::Researching(research);
            self.fail(failure_kind(error), &failure_message(error), turn);
            return;
        }
        let reason = failure_message(error);
        turn.log(format!("The model cannot write the answer ({reason}); quoting what was found"));
        turn.begin_stage(StageName::Answer, None);
        let most = u64::from(self.config.ceilings.high);
        let text = self.answer_by_rule(&research, most, Why::ProviderFailed(&reason));
        let mut draft = Draft::default();
        draft.quote(&text, research.inquiry.evidence().sources(), turn);
        let degraded = Some(Degraded { reason });
        let answer = Answer::new(research, draft, Finish::ProviderError);
        self.finish(Answer { degraded, ..answer }, turn);
    }
}

/// Of the last tool results that succeeded, those of programs: the others are shown as passages.
fn frugal_remarks(research: &Research, of_one: usize, of_all: usize) -> String {
    let succeeded: Vec<&DoneCall> = research.inquiry.calls().filter(|done| done.is_ok()).collect();
    let first = succeeded.len().saturating_sub(FRUGAL_RESULTS);
    let last = succeeded.iter().skip(first);
    let is_program = |done: &&&DoneCall| matches!(done.job, Ok(Job::ExecuteJavascript(_)));
    let kept: Vec<String> =
        last.filter(is_program).map(|done| cut(&done.output(), of_one)).collect();
    cut(&kept.join("\n"), of_all)
}
