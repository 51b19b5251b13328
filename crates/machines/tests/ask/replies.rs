//! Replies of scripted models and tools.

use crate::driver::{Call, Reply};
use quarry_evidence::{Anchor, Passage};
use quarry_tools::{Errand, Found, Hit, Outcome, Page, Passages, Program};
use quarry_types::{ChatError, Completion, FinishReason, ToolCall, Usage};

/// The answer of the ordinary case.
pub const ANSWER: &str = "It was first lit in 1823.";

/// What every scripted call reports to have used.
pub const USAGE: Usage =
    Usage { input: 100, output: 20, cached_input: 0, reasoning: 0, reported: true };

/// A reply of text alone.
pub fn text(text: &str) -> Completion {
    Completion {
        text: text.to_owned(),
        tool_calls: Vec::new(),
        reasoning: None,
        usage: USAGE,
        finish_reason: FinishReason::Stop,
        model: "test-model".to_owned(),
        attempts: 1,
    }
}

/// A reply that wants tools: id, name, arguments.
pub fn calls(calls: &[(&str, &str, &str)]) -> Completion {
    let tool_calls = calls.iter().map(|(id, name, arguments)| ToolCall {
        id: (*id).to_owned(),
        name: (*name).to_owned(),
        arguments: (*arguments).to_owned(),
        signature: None,
    });
    Completion {
        tool_calls: tool_calls.collect(),
        finish_reason: FinishReason::ToolCalls,
        ..text("")
    }
}

/// The set-up of the ordinary case.
pub fn setup() -> Completion {
    text(
        r#"{"persona": "A historian of lighthouses", "questions": ["When was it built?", "Who lit it?"],
            "response_length": "short", "reasoning_level": "basic", "temperature": 0.2}"#,
    )
}

/// The plan of the ordinary case.
pub fn plan(complexity: &str) -> Completion {
    text(&format!(
        r#"{{"research_questions": ["When was it lit?"], "optimal_persona": "You are a keeper of records",
            "reasoning": "A date settles it.", "complexity_assessment": "{complexity}"}}"#
    ))
}

/// The answer of the ordinary case, streamed in two pieces.
pub fn answer() -> Reply {
    let (first, second) = ANSWER.split_at(20);
    Reply { pieces: vec![first.to_owned(), second.to_owned()], ..Reply::from(text(ANSWER)) }
}

/// Set-up, plan and answer of the ordinary case; `research` decides the rest.
pub fn ordinary(mut research: impl FnMut(&Call) -> Reply) -> impl FnMut(&Call) -> Reply {
    move |call| match call.phase.as_str() {
        "initial_setup" => setup().into(),
        "planning" => plan("low").into(),
        "final_synthesis" => answer(),
        _ => research(call),
    }
}

/// A model that runs one different program in each iteration, up to `last`.
pub fn programs(last: u64) -> impl FnMut(&Call) -> Reply {
    ordinary(move |call| {
        if call.iteration > last {
            return text("I know enough.").into();
        }
        let n = call.iteration;
        let code = format!(r#"{{"code":"console.log({n} * 100)"}}"#);
        calls(&[(&format!("call-{n}"), "execute_javascript", &code)]).into()
    })
}

/// What the page says of which [`tools`] know.
pub const LAMP: &str = "The lamp of Sker was lit for the first time on 1 February 1823.";

/// Tools that always work: a page and a search result on the lighthouse, and for a program the
/// program itself as its output.
pub fn tools(job: &Errand) -> (u64, Outcome) {
    let page = || Page {
        url: "https://sker.example/".to_owned(),
        title: Some("Sker".to_owned()),
        content: LAMP.to_owned(),
        passages: vec![Passage::new(
            Anchor::new("p-1823".to_owned()),
            vec!["History".to_owned()],
            LAMP.to_owned(),
            "https://sker.example/#:~:text=The%20lamp",
        )],
        extracted: true,
        ..Page::default()
    };
    let outcome = match job {
        Errand::Search { load_content, .. } => {
            let hit = Hit {
                title: "Sker lighthouse".to_owned(),
                url: "https://sker.example/".to_owned(),
                description: "A lighthouse.".to_owned(),
                score: 0.9,
                provider: "searxng".to_owned(),
                page: load_content.then(|| Ok(page())),
                ..Hit::default()
            };
            let found =
                Found { provider: "searxng".to_owned(), results: vec![hit], ..Found::default() };
            Outcome::Found(found)
        }
        Errand::SearchKnowledge(_) => Outcome::Passages(Passages::default()),
        Errand::ReadPage { .. } => Outcome::Page(page()),
        Errand::RunProgram { code, .. } => {
            Outcome::Program(Program { console: vec![code.clone()], ..Program::default() })
        }
    };
    (10, outcome)
}

/// A rate limit with a wait too long to sleep through.
pub fn rate_limit() -> ChatError {
    ChatError::RateLimited { wait_seconds: 432.5, message: "try again in 7m12.5s".to_owned() }
}

/// A call that broke off: nobody knows what it used.
pub fn broken_off() -> ChatError {
    ChatError::Timeout { message: "no byte for 30 s".to_owned() }
}

/// A provider that turned the call away.
pub fn turned_away() -> ChatError {
    ChatError::ProviderFailed { status: 503, message: "overloaded".to_owned() }
}
