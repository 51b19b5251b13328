//! The first two calls: how to answer, and what to look into.
//!
//! Neither can stop an ask: what fails or cannot be read is replaced by defaults (reference
//! section 11, category 3), unless no later call could succeed either.

use super::plan::{self, Plan, Setup, numbered};
use super::research::Research;
use super::{Ask, Phase, Stage};
use crate::core::Turn;
use quarry_events::{
    LlmCall, Persona, ResearchQuestions, SetupComplete, StageName, Step, StepKind, shown_cost,
};
use quarry_prompts as prompts;
use quarry_types::text::cut;
use quarry_types::{ChatError, ChatRequest, Completion, Message, Usd};

/// Characters of a prompt that `llm_call` shows.
const PREVIEW: usize = 200;

/// The temperature of the set-up: some choice is wanted.
const SETUP_TEMPERATURE: f64 = 0.3;

/// The temperature of planning.
const PLANNING_TEMPERATURE: f64 = 0.2;

impl Ask {
    pub(super) fn begin_setup(&mut self, turn: &mut Turn) {
        turn.begin_stage(StageName::Setup, None);
        show_step(StepKind::SetupQuery, "Looking at what the question needs", turn);
        turn.log("Choosing an approach and an expert's view");
        let query = &self.brief.query;
        let prompt = prompts::Setup { query, now: &turn.now.spoken() }.render();
        let asked = [Some(prompt), self.conversation(), self.wishes()];
        let prompt = asked.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
        let timestamp = turn.at();
        turn.emit(&LlmCall {
            kind: StepKind::SetupQuery,
            model: self.calls.sheet().id.to_string(),
            prompt_preview: Some(cut(&prompt, PREVIEW)),
            persona: None,
            questions: None,
            timestamp,
        });
        let messages = vec![Message::user(prompt)];
        let mut request = self.calls.request(messages, self.config.ceilings.setup);
        request.temperature = Some(SETUP_TEMPERATURE);
        request.json = true;
        self.stage = Stage::Setup;
        if self.may_call(&request, turn) {
            self.ask_model(Phase::InitialSetup, request, turn);
        } else {
            self.cut_short(turn);
        }
    }

    pub(super) fn after_setup(
        &mut self,
        result: Result<Completion, ChatError>,
        cost: Option<Usd>,
        turn: &mut Turn,
    ) {
        let query = self.brief.query.clone();
        let query = query.as_str();
        let setup = match result {
            Ok(completion) => {
                if !self.brief.wish.history.is_empty() {
                    self.brief.question = plan::standalone(&completion.text);
                }
                let (setup, defaulted) = Setup::read(&completion.text, query);
                if defaulted {
                    turn.log("The set-up could not be read in full; defaults fill it in");
                }
                setup
            }
            Err(error) => {
                turn.log(format!("The set-up failed ({error}); going on with defaults"));
                Setup::fallback(query)
            }
        };
        let (cost, cost_known) = shown_cost(cost);
        let timestamp = turn.at();
        turn.emit(&SetupComplete {
            persona: setup.persona.clone(),
            questions: setup.questions.clone(),
            response_length: setup.response_length.clone(),
            reasoning_level: setup.reasoning_level.clone(),
            temperature: setup.temperature,
            question: self.brief.question.clone(),
            cost,
            cost_known,
            timestamp,
        });
        self.begin_planning(setup, turn);
    }

    /// What was said before; the set-up is to make a question of it that stands alone.
    fn conversation(&self) -> Option<String> {
        let turns = self.said_before()?;
        Some(prompts::Conversation { fence: self.brief.fence.mark(), turns: &turns }.render())
    }

    /// What was said before, fenced.
    pub(super) fn said_before(&self) -> Option<String> {
        let said = self.brief.wish.conversation();
        (!said.is_empty()).then(|| self.brief.fence.around("what was said before", &said))
    }

    /// How the caller wants to be answered.
    pub(super) fn wishes(&self) -> Option<String> {
        let fence = &self.brief.fence;
        let wishes = fence.around("the caller's wishes", self.brief.wish.instructions.as_ref()?);
        Some(prompts::Wishes { fence: fence.mark(), wishes: &wishes }.render())
    }

    pub(super) fn begin_planning(&mut self, setup: Setup, turn: &mut Turn) {
        turn.begin_stage(StageName::Planning, None);
        show_step(StepKind::QueryCycle, "Researching the question", turn);
        turn.log("Starting research with the first questions");
        let timestamp = turn.at();
        turn.emit(&LlmCall {
            kind: StepKind::QueryCycle,
            model: self.calls.sheet().id.to_string(),
            prompt_preview: None,
            persona: Some(setup.persona.clone()),
            questions: Some(setup.questions.clone()),
            timestamp,
        });
        turn.log("Working out which research serves the question best");
        turn.log("Choosing research questions and the expert who answers");
        let request = self.planning_request(&setup, turn);
        self.stage = Stage::Planning { setup };
        if self.may_call(&request, turn) {
            self.ask_model(Phase::Planning, request, turn);
        } else {
            self.cut_short(turn);
        }
    }

    fn planning_request(&self, setup: &Setup, turn: &Turn) -> ChatRequest {
        let system = prompts::PlanningSystem { now: &turn.now.spoken() }.render();
        let user = prompts::Planning {
            query: self.question(),
            persona: &setup.persona,
            questions: &numbered(&setup.questions),
        }
        .render();
        let messages = vec![Message::system(system), Message::user(user)];
        let mut request = self.calls.request(messages, self.config.ceilings.planning);
        request.temperature = Some(PLANNING_TEMPERATURE);
        request.json = true;
        request
    }

    pub(super) fn after_planning(
        &mut self,
        setup: Setup,
        result: Result<Completion, ChatError>,
        turn: &mut Turn,
    ) {
        let (plan, defaulted) = match result {
            Ok(completion) => Plan::read(&completion.text, &setup),
            Err(error) => {
                turn.log(format!("Planning failed ({error}); the first questions stand"));
                (Plan::fallback(&setup), false)
            }
        };
        let note = if defaulted { " (filled in from the set-up)" } else { "" };
        turn.log(format!(
            "Research plan: {} questions, complexity {}{note}",
            plan.research_questions.len(),
            plan.complexity_assessment.as_str()
        ));
        show_plan(&plan, turn);
        let mut research = Research::new(setup, plan);
        research.inquiry = self.new_inquiry(&research, turn.now);
        self.begin_round(research, turn);
    }
}

fn show_step(kind: StepKind, message: &str, turn: &mut Turn) {
    let timestamp = turn.at();
    turn.emit(&Step { kind, message: message.to_owned(), timestamp });
}

/// Emits `persona` and `research_questions`.
pub(super) fn show_plan(plan: &Plan, turn: &mut Turn) {
    let timestamp = turn.at();
    turn.emit(&Persona {
        persona: plan.optimal_persona.clone(),
        research_questions_needed: plan.research_questions.len(),
        reasoning: plan.reasoning.clone(),
        timestamp,
    });
    turn.emit(&ResearchQuestions {
        questions: plan.research_questions.clone(),
        questions_needed: plan.research_questions.len(),
        reasoning: plan.reasoning.clone(),
        timestamp,
    });
}
