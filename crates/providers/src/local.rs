//! `local:extractive`: a "model" that is none. It plans with the question's own words, gathers
//! evidence with the tools on offer, and answers with quotations and where they stand.
//!
//! Border: a `ChatRequest` in, a `Completion` out; the same request always gives the same
//! completion. Which step it is asked for, it reads off the request: prompts that name the keys of
//! a plan want that plan, tools on offer want calls, anything else wants the answer.

mod answer;
mod arithmetic;
mod evidence;
mod plan;
mod question;
mod rank;
mod research;
mod words;

use crate::catalogue;
use crate::reply::{Reply, estimate_usage};
use quarry_types::{ChatError, ChatRequest, Completion, FinishReason, ToolCall};

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    SetUp,
    Planning,
    Research,
    Answer,
}

/// Completes a request.
///
/// # Errors
/// [`ChatError::UnknownModel`] for any name but `extractive`.
pub fn complete(request: &ChatRequest) -> Result<Completion, ChatError> {
    if request.model.name != catalogue::LOCAL_MODEL {
        let message = format!("the only built-in model is {}", catalogue::local_extractive());
        return Err(ChatError::UnknownModel { message });
    }
    let question = question::of(&request.messages);
    let (text, tool_calls) = match step(request) {
        Step::SetUp => (plan::set_up(&question), Vec::new()),
        Step::Planning => (plan::planning(&question), Vec::new()),
        Step::Research => (String::new(), research::calls(request, &question)),
        Step::Answer => (answer::answer(request, &question), Vec::new()),
    };
    Ok(reply(text, tool_calls).into_local_completion(request))
}

fn reply(text: String, tool_calls: Vec<ToolCall>) -> Reply {
    let finish_reason =
        if tool_calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls };
    let model = catalogue::LOCAL_MODEL.to_owned();
    Reply { text, tool_calls, usage: None, finish_reason, model }
}

impl Reply {
    fn into_local_completion(self, request: &ChatRequest) -> Completion {
        let usage = estimate_usage(request, &self);
        Reply { usage: Some(usage), ..self }.into_completion(request, 1)
    }
}

fn step(request: &ChatRequest) -> Step {
    if !request.tools.is_empty() {
        return Step::Research;
    }
    let names = |keys: &[&str]| {
        keys.iter().all(|key| {
            let quoted = format!("\"{key}\"");
            request.messages.iter().any(|message| message.content.contains(&quoted))
        })
    };
    if names(&["research_questions", "optimal_persona"]) {
        Step::Planning
    } else if names(&["persona", "questions"]) {
        Step::SetUp
    } else if request.json
        && request.messages.iter().any(|m| m.content.contains("research_questions"))
    {
        Step::Planning
    } else if request.json {
        Step::SetUp
    } else {
        Step::Answer
    }
}

#[cfg(test)]
mod tests;
