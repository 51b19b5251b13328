//! What rules reply where no language model answers. Source: product, *local:extractive*.

use super::research::Research;
use super::{Ask, Phase};
use crate::extractive::{self, Asked, Call, Length, Offered, ResearchView, Why};
use quarry_evidence::Evidence;
use quarry_tools::{
    ExecuteJavascript, Job, ScrapeWebContent, SearchKnowledge, SearchWeb, Tool, ToolName,
};
use quarry_types::{ChatRequest, Completion, FinishReason, ToolCall, Usage};
use serde_json::{Value, json};

impl Ask {
    /// The reply of the rules in this phase.
    pub(super) fn reply_by_rule(&self, phase: Phase, request: &ChatRequest) -> Completion {
        let query = self.question();
        let known = self.known();
        let (text, tool_calls) = match phase {
            Phase::InitialSetup => (setup(query).to_string(), Vec::new()),
            Phase::Planning => (plan(query, &known.setup.questions).to_string(), Vec::new()),
            Phase::ToolIteration(iteration) => {
                (String::new(), self.calls_by_rule(iteration, &known))
            }
            Phase::SearchSummary { run, .. } => {
                let digest = known.inquiry.to_digest(run).map(|(query, sources)| {
                    let sources: Vec<_> =
                        sources.iter().map(extractive::EvidenceSource::from).collect();
                    extractive::digest(query, &sources)
                });
                (digest.unwrap_or_default(), Vec::new())
            }
            Phase::FinalSynthesis => {
                let most = u64::from(request.max_output_tokens);
                (self.answer_by_rule(&known, most, Why::Chosen), Vec::new())
            }
            // Rules judge nothing, the check of citations did; nor do they write what programs read.
            Phase::FinalFormat | Phase::CitationCheck => (String::new(), Vec::new()),
        };
        completion(request, text, tool_calls)
    }

    /// Ranked quotations from what is known.
    pub(super) fn answer_by_rule(
        &self,
        known: &Research,
        most_tokens: u64,
        why: Why<'_>,
    ) -> String {
        let length = Length::of(&known.setup.response_length);
        let asked = Asked { query: self.question(), length, most_tokens, why };
        with_views(known.inquiry.evidence(), |sources, calculations| {
            extractive::answer(&asked, sources, calculations)
        })
    }

    fn calls_by_rule(&self, iteration: u32, known: &Research) -> Vec<ToolCall> {
        let jobs = || known.inquiry.calls().filter_map(|done| done.job.as_ref().ok());
        let of = |what: fn(&Job) -> Option<&str>| -> Vec<String> {
            jobs().filter_map(what).map(str::to_owned).collect()
        };
        let (searched, read) = (of(Job::searches_for), of(Job::reads));
        let on_offer = ToolName::on_offer(self.config.sources);
        let offers = |name: &str| on_offer.iter().any(|tool| tool.as_str() == name);
        let offered = Offered {
            search: offers(SearchWeb::NAME),
            knowledge: offers(SearchKnowledge::NAME),
            read: offers(ScrapeWebContent::NAME),
            program: offers(ExecuteJavascript::NAME),
        };
        let programs = jobs().count() - searched.len() - read.len();
        let calls = with_views(known.inquiry.evidence(), |sources, calculations| {
            extractive::next_calls(&ResearchView {
                query: self.question(),
                iteration,
                offered,
                searched: &searched,
                read: &read,
                programs,
                sources,
                calculations,
            })
        });
        let made = |(at, call)| tool_call(iteration, at, call);
        calls.into_iter().enumerate().map(made).collect()
    }
}

fn tool_call(iteration: u32, at: usize, call: Call) -> ToolCall {
    let (name, arguments) = match call {
        Call::Search { query, limit, load_content } => (
            SearchWeb::NAME,
            json!({ "query": query, "limit": limit, "load_content": load_content }),
        ),
        Call::Documents { query, limit } => {
            (SearchKnowledge::NAME, json!({ "query": query, "limit": limit }))
        }
        Call::Read { url } => (ScrapeWebContent::NAME, json!({ "url": url })),
        Call::Program { code } => (ExecuteJavascript::NAME, json!({ "code": code })),
    };
    ToolCall {
        id: format!("local_{iteration}_{}", at + 1),
        name: name.to_owned(),
        arguments: arguments.to_string(),
        signature: None,
    }
}

fn with_views<T>(
    evidence: &Evidence,
    read: impl FnOnce(&[extractive::EvidenceSource<'_>], &[extractive::Calculation<'_>]) -> T,
) -> T {
    let sources: Vec<_> = evidence.sources().iter().map(extractive::EvidenceSource::from).collect();
    let calculations: Vec<_> = evidence
        .calculations()
        .iter()
        .map(|done| extractive::Calculation { code: &done.code, result: &done.result })
        .collect();
    read(&sources, &calculations)
}

/// The set-up as a model would write it: clients read it in `llm_response`.
fn setup(query: &str) -> Value {
    let advice = extractive::setup(query);
    json!({
        "persona": advice.persona,
        "questions": advice.questions,
        "response_length": advice.response_length,
        "reasoning_level": advice.reasoning_level,
        "temperature": advice.temperature,
    })
}

/// The plan, likewise.
fn plan(query: &str, questions: &[String]) -> Value {
    let advice = extractive::plan(query, questions);
    json!({
        "research_questions": advice.research_questions,
        "optimal_persona": advice.persona,
        "reasoning": advice.reasoning,
        "complexity_assessment": advice.complexity,
    })
}

/// A reply that used no tokens: no language model read or wrote any.
fn completion(request: &ChatRequest, text: String, tool_calls: Vec<ToolCall>) -> Completion {
    let finish_reason =
        if tool_calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls };
    Completion {
        text,
        tool_calls,
        reasoning: None,
        usage: Usage { reported: true, ..Usage::default() },
        finish_reason,
        model: request.model.name.clone(),
        attempts: 1,
    }
}
