//! The first two calls: how to answer, and what to look into.
//!
//! Neither can stop an ask: what fails or cannot be read is replaced by defaults (reference
//! section 11, category 3), unless no later call could succeed either.

use super::plan::numbered;
use super::{Ask, Phase, Plan, Reaction, Setup, Stage};
use quarry_events::{self as event, At, StepKind};
use quarry_prompts as prompts;
use quarry_types::Timestamp;
use quarry_types::{ChatError, ChatRequest, Completion, Message, Usd};
use std::borrow::Cow;

/// Characters of a prompt that `llm_call` shows.
const PREVIEW: usize = 200;

impl Ask {
    pub(super) fn begin_setup(&mut self, now: Timestamp, out: &mut Reaction) {
        self.step(StepKind::SetupQuery, "Looking at what the question needs", now, out);
        self.log("Choosing an approach and an expert's view", now, out);
        let prompt = prompts::Setup { query: &self.query, now: &now.spoken() }.render();
        let preview = super::text::cut(&prompt, PREVIEW);
        self.llm_call(StepKind::SetupQuery, Some(preview), now, out);
        let mut request = self.request(vec![Message::user(prompt)], self.config.ceilings.setup);
        request.temperature = Some(0.3);
        request.json = true;
        if !self.may_call(&request, now) {
            self.setup = Some(Setup::fallback(&self.query));
            self.cut_short(now, out);
            return;
        }
        let pending = self.call_model(Phase::InitialSetup, request, now, out);
        self.stage = Stage::Setup { pending };
    }

    pub(super) fn after_setup(
        &mut self,
        result: Result<Completion, ChatError>,
        cost: Option<Usd>,
        now: Timestamp,
        out: &mut Reaction,
    ) {
        let setup = match result {
            Ok(completion) => {
                let (setup, defaulted) = Setup::read(&completion.text, &self.query);
                if defaulted {
                    self.log("The set-up could not be read in full; defaults fill it in", now, out);
                }
                setup
            }
            Err(error) => {
                if self.ends_with(&error, now, out) {
                    return;
                }
                self.log(&format!("The set-up failed ({error}); going on with defaults"), now, out);
                Setup::fallback(&self.query)
            }
        };
        let (cost, cost_known) = event::shown_cost(cost);
        let shown = event::SetupComplete {
            persona: setup.persona.clone(),
            questions: setup.questions.clone(),
            response_length: setup.response_length.clone(),
            reasoning_level: setup.reasoning_level.clone(),
            temperature: setup.temperature,
            cost,
            cost_known,
            timestamp: At(now),
        };
        super::emit(&mut self.sequence, out, &shown);
        self.setup = Some(setup);
        self.begin_planning(now, out);
    }

    pub(super) fn begin_planning(&mut self, now: Timestamp, out: &mut Reaction) {
        self.step(StepKind::QueryCycle, "Researching the question", now, out);
        self.log("Starting research with the first questions", now, out);
        self.llm_call(StepKind::QueryCycle, None, now, out);
        self.log("Working out which research serves the question best", now, out);
        self.log("Choosing research questions and the expert who answers", now, out);
        let request = self.planning_request(now);
        if !self.may_call(&request, now) {
            self.cut_short(now, out);
            return;
        }
        let pending = self.call_model(Phase::Planning, request, now, out);
        self.stage = Stage::Planning { pending };
    }

    fn planning_request(&self, now: Timestamp) -> ChatRequest {
        let setup = self.setup();
        let system = prompts::PlanningSystem { now: &now.spoken() }.render();
        let user = prompts::Planning {
            query: &self.query,
            persona: &setup.persona,
            questions: &numbered(&setup.questions),
        }
        .render();
        let messages = vec![Message::system(system), Message::user(user)];
        let mut request = self.request(messages, self.config.ceilings.planning);
        request.temperature = Some(0.2);
        request.json = true;
        request
    }

    pub(super) fn after_planning(
        &mut self,
        result: Result<Completion, ChatError>,
        now: Timestamp,
        out: &mut Reaction,
    ) {
        let (plan, defaulted) = match result {
            Ok(completion) => Plan::read(&completion.text, &self.setup()),
            Err(error) => {
                if self.ends_with(&error, now, out) {
                    return;
                }
                self.log(
                    &format!("Planning failed ({error}); the first questions stand"),
                    now,
                    out,
                );
                (Plan::fallback(&self.setup()), false)
            }
        };
        let note = if defaulted { " (filled in from the set-up)" } else { "" };
        self.log(
            &format!(
                "Research plan: {} questions, complexity {}{note}",
                plan.research_questions.len(),
                plan.complexity_assessment.as_str()
            ),
            now,
            out,
        );
        self.plan = Some(plan);
        self.show_plan(now, out);
        self.begin_research(now, out);
    }

    /// Emits `persona` and `research_questions`.
    pub(super) fn show_plan(&mut self, now: Timestamp, out: &mut Reaction) {
        let Some(plan) = &self.plan else { return };
        let persona = event::Persona {
            persona: plan.optimal_persona.clone(),
            research_questions_needed: plan.research_questions.len(),
            reasoning: plan.reasoning.clone(),
            timestamp: At(now),
        };
        super::emit(&mut self.sequence, out, &persona);
        let questions = event::ResearchQuestions {
            questions: plan.research_questions.clone(),
            questions_needed: plan.research_questions.len(),
            reasoning: plan.reasoning.clone(),
            timestamp: At(now),
        };
        super::emit(&mut self.sequence, out, &questions);
    }

    /// The set-up, or the default one.
    pub(super) fn setup(&self) -> Cow<'_, Setup> {
        let fallback = || Cow::Owned(Setup::fallback(&self.query));
        self.setup.as_ref().map_or_else(fallback, Cow::Borrowed)
    }

    /// The plan, or the default one.
    pub(super) fn plan(&self) -> Cow<'_, Plan> {
        let fallback = || Cow::Owned(Plan::fallback(&self.setup()));
        self.plan.as_ref().map_or_else(fallback, Cow::Borrowed)
    }

    fn step(&mut self, kind: StepKind, message: &str, now: Timestamp, out: &mut Reaction) {
        let step = event::Step { kind, message: message.to_owned(), timestamp: At(now) };
        super::emit(&mut self.sequence, out, &step);
    }

    fn llm_call(
        &mut self,
        kind: StepKind,
        preview: Option<String>,
        now: Timestamp,
        out: &mut Reaction,
    ) {
        let setup = if preview.is_none() { self.setup.as_ref() } else { None };
        let call = event::LlmCall {
            kind,
            model: self.model.id.to_string(),
            persona: setup.map(|setup| setup.persona.clone()),
            questions: setup.map(|setup| setup.questions.clone()),
            prompt_preview: preview,
            timestamp: At(now),
        };
        super::emit(&mut self.sequence, out, &call);
    }
}
