//! The screen, fed with the events of an ask.

use super::*;
use quarry_events::EventName;
use serde_json::{Value, json};

const NOW: &str = "2026-01-02T03:04:05.678Z";

/// A payload, with its time filled in.
fn payload(name: EventName, mut data: Value) -> AnyPayload {
    data["timestamp"] = NOW.into();
    AnyPayload::parse(name, &data.to_string()).unwrap()
}

fn show(screen: &mut Screen, events: &[AnyPayload]) -> String {
    events.iter().map(|payload| screen.event(payload)).collect()
}

fn result(id: &str, name: &str, line: &str, duration: u64, output: Value) -> AnyPayload {
    let error = output.get("error").map(|why| json!({ "kind": "timeout", "message": why }));
    let mut data = json!({ "iteration": 1, "call_id": "", "name": name, "args": {}, "line": line,
        "output": output.to_string(), "duration": duration, "cost": 0, "costKnown": true,
        "id": id, "ok": error.is_none(), "urls": [], "found": [] });
    if let Some(error) = error {
        data["error"] = error;
    }
    payload(EventName::ToolResult, data)
}

fn source() -> Value {
    json!({ "n": 1, "title": "Orrin Bridge", "url": "http://x/a", "date": null, "description": "" })
}

fn totals(cost: f64, known: bool) -> Value {
    json!({ "totalCost": cost, "costKnown": known, "unpricedCalls": usize::from(!known),
        "totalTokens": 3712, "modelName": "m" })
}

fn cost_summary(cost: f64, known: bool) -> AnyPayload {
    let mut data = totals(cost, known);
    data["tokenCounts"] = json!({ "input": 3200, "output": 512, "total": 3712 });
    data["stepCosts"] = json!([]);
    data["provider"] = "p".into();
    payload(EventName::CostSummary, data)
}

fn answer(content: &str, finish: &str, more: Value) -> AnyPayload {
    let mut data = json!({ "content": content, "costSummary": totals(0.0, true),
        "sources": [source()], "citations": [], "finish": finish });
    data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    payload(EventName::FinalAnswer, data)
}

fn complete(ended: &str) -> AnyPayload {
    let result = json!({ "id": "i", "query": "q", "searches": [], "searchResults": [],
        "response": null, "persona": "", "questions": [], "stopped": false, "partial": false,
        "metadata": { "totalResults": 0, "searchIterations": 0, "totalToolCalls": 0,
            "totalLLMCalls": 0, "finalModel": "", "setup_cost": 0, "query_cost": 0,
            "total_cost": 0, "costKnown": true, "unpricedCalls": 0 } });
    let data = json!({ "result": result, "executionTime": 12_340, "ended": ended });
    payload(EventName::Complete, data)
}

fn delta(text: &str) -> AnyPayload {
    payload(EventName::AnswerDelta, json!({ "text": text, "at": 0 }))
}

fn init(more: Value) -> AnyPayload {
    let mut data = json!({ "id": "i", "query": "q", "model": "local:extractive", "user": null,
        "allowEnvFallback": true, "languageModel": false, "contextProfile": "frugal",
        "question": "q", "turns": 0 });
    data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    payload(EventName::Init, data)
}

fn events() -> Vec<AnyPayload> {
    let call = |id: &str, name: &str, line: &str| json!({ "iteration": 1, "call_id": "", "id": id, "name": name, "args": {}, "line": line });
    let search = call("c1", "search_web", "Searching: orrin bridge cost");
    let page = call("c2", "scrape_web_content", "Reading http://x/a");
    let stage = |state: &str| json!({ "id": "research-1", "name": "research", "iteration": 1, "state": state });
    vec![
        payload(EventName::Log, json!({ "message": "noise" })),
        init(json!({})),
        payload(EventName::LlmRequest, json!({ "phase": "planning", "model": "m", "request": {} })),
        payload(
            EventName::Persona,
            json!({ "persona": "You are an economist.", "research_questions_needed": 2, "reasoning": "" }),
        ),
        payload(
            EventName::ResearchQuestions,
            json!({ "questions": ["What did it cost?", "Who paid?"], "questions_needed": 2, "reasoning": "" }),
        ),
        payload(EventName::Stage, stage("begun")),
        payload(
            EventName::Thought,
            json!({ "id": "t1", "iteration": 1, "title": "The ledgers should say", "text": "The ledgers should say. More." }),
        ),
        payload(EventName::Tools, json!({ "iteration": 1, "pending": 2, "calls": [search, page] })),
        result(
            "c1",
            "search_web",
            "Searching: orrin bridge cost",
            340,
            json!({ "results": [{}, {}] }),
        ),
        payload(EventName::Sources, json!({ "added": [source()] })),
        result(
            "c2",
            "scrape_web_content",
            "Reading http://x/a",
            1500,
            json!({ "error": "timed out" }),
        ),
        payload(EventName::Stage, stage("ended")),
        payload(
            EventName::Waiting,
            json!({ "seconds": 90, "why": "rate_limit", "message": "too many requests" }),
        ),
        delta("It cost 186 "),
        delta("million euros."),
        cost_summary(0.00123, true),
        answer("It cost 186 million euros.\n", "stop", json!({})),
        complete("answered"),
    ]
}

#[test]
fn a_plain_screen_shows_plan_tools_answer_sources_and_time() {
    let shown = show(&mut Screen::new(Style::Plain), &events());
    let expected = "\
Model    local:extractive (no language model)
Plan     You are an economist.
         1. What did it cost?
         2. Who paid?
  · The ledgers should say
Research
  ✓ Searching: orrin bridge cost  2 results, 0.3 s
    [1] Orrin Bridge http://x/a
  ✗ Reading http://x/a  timed out, 1.5 s
  … waiting 1 min 30 s: too many requests

Answer

It cost 186 million euros.

Sources
  [1] Orrin Bridge http://x/a

Time     12.3 s
";
    assert_eq!(shown, expected);
}

#[test]
fn tokens_and_cost_are_shown_of_language_models_alone() {
    let known = init(json!({ "model": "openai:gpt-4o-mini", "languageModel": true }));
    let shown = show(
        &mut Screen::new(Style::Plain),
        &[known, cost_summary(0.00123, true), complete("answered")],
    );
    assert!(shown.ends_with("\nCost     $0.0012, 3200 tokens in, 512 out, 12.3 s\n"), "{shown}");
}

#[test]
fn a_terminal_erases_each_progress_line() {
    let shown = show(&mut Screen::new(Style::Terminal), &events());
    assert!(shown.contains("Searching: orrin bridge cost"), "{shown:?}");
    assert!(shown.contains("  … researching, round 1"), "{shown:?}");
    for part in shown.split("\x1b[2m  … ").skip(1) {
        let line = part.split('\n').next().unwrap();
        assert!(line.contains(ERASE_LINE), "{line:?}");
    }
}

#[test]
fn an_answer_without_deltas_or_with_a_correction_is_shown() {
    let answer = answer("All of it.", "stop", json!({}));
    let mut screen = Screen::new(Style::Plain);
    assert!(screen.event(&answer).ends_with("All of it.\n"));
    let mut screen = Screen::new(Style::Plain);
    let shown = show(&mut screen, &[delta("Some of it."), answer]);
    assert!(shown.contains("(corrected)\nAll of it.\n"));
}

#[test]
fn a_cost_that_is_not_wholly_known_is_unknown() {
    for (cost, known, words) in
        [(0.0, true, "$0"), (0.0, false, "unknown"), (0.5, false, "unknown ($0.5000 of it known)")]
    {
        let mut screen = Screen::new(Style::Plain);
        let shown = show(&mut screen, &[cost_summary(cost, known), complete("answered")]);
        assert!(shown.contains(&format!("Cost     {words}, 3200 tokens in")), "{shown}");
    }
}

#[test]
fn how_an_ask_ended_is_said() {
    let one = |event: AnyPayload| Screen::new(Style::Plain).event(&event);
    let why = json!({ "degraded": { "reason": "the provider is away" } });
    let shown = one(answer("A.", "provider_error", why));
    assert!(
        shown.contains("\nNote     the provider failed before it wrote an answer\n"),
        "{shown}"
    );
    assert!(shown.ends_with("without the language model: the provider is away\n"), "{shown}");
    assert!(!one(answer("A.", "stop", json!({}))).contains("Note"));
    assert!(one(complete("stopped")).starts_with("\nStopped\n"));
    let failed = json!({ "error": "No key.", "type": "missing_key", "code": "NO_API_KEY" });
    assert_eq!(one(payload(EventName::Error, failed)), "\nError    No key.\n");
    let quota = json!({ "message": "Wait.", "waitTime": 7, "continuationState": {},
        "costSummary": totals(0.0, false), "resumeAfter": NOW });
    let shown = one(payload(EventName::QuotaExceeded, quota));
    assert_eq!(shown, "\nPaused   Wait.\nCost     unknown, 3712 tokens so far\n");
}

#[test]
fn another_model_or_question_than_was_asked_for_is_said() {
    let more = json!({ "question": "Whole question?",
        "fallback": { "requested": "openai:x", "reason": "no key" } });
    let shown = Screen::new(Style::Plain).event(&init(more));
    assert!(shown.contains("Note     instead of openai:x: no key\n"), "{shown}");
    assert!(shown.ends_with("Question Whole question?\n"), "{shown}");
}

#[test]
fn durations_read_well() {
    assert_eq!(duration(1.2), "2 s");
    assert_eq!(duration(432.5), "7 min 13 s");
    assert_eq!(duration(7260.0), "2 h 1 min");
}
