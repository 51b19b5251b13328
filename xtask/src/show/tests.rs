//! The screen, fed with the events of an ask.

use super::*;
use serde_json::json;

fn events() -> Vec<(&'static str, Value)> {
    let call = json!({ "iteration": 1, "call_id": "c1", "name": "search_web",
        "args": { "query": "orrin  bridge\ncost" } });
    let page = json!({ "iteration": 1, "call_id": "c2", "name": "scrape_web_content",
        "args": { "url": "http://x/a" } });
    vec![
        ("log", json!({ "message": "noise" })),
        ("init", json!({ "model": "local:extractive", "languageModel": false })),
        ("llm_request", json!({ "phase": "planning" })),
        ("persona", json!({ "persona": "You are an economist." })),
        ("research_questions", json!({ "questions": ["What did it cost?", "Who paid?"] })),
        ("tools", json!({ "calls": [call, page] })),
        (
            "tool_result",
            json!({ "call_id": "c1", "name": "search_web",
            "args": { "query": "orrin bridge cost" }, "duration": 340,
            "output": "{\"results\":[{},{}]}" }),
        ),
        (
            "tool_result",
            json!({ "call_id": "c2", "name": "scrape_web_content",
            "args": { "url": "http://x/a" }, "duration": 1500, "output": "{\"error\":\"timed out\"}" }),
        ),
        ("answer_delta", json!({ "text": "It cost 186 " })),
        ("answer_delta", json!({ "text": "million euros." })),
        (
            "cost_summary",
            json!({ "totalCost": 0.00123,
            "tokenCounts": { "input": 3200, "output": 512, "total": 3712 } }),
        ),
        (
            "final_answer",
            json!({ "content": "It cost 186 million euros.\n",
            "sources": [{ "n": 1, "title": "Orrin Bridge", "url": "http://x/a" }] }),
        ),
        ("complete", json!({ "executionTime": 12_340 })),
    ]
}

#[test]
fn a_plain_screen_shows_plan_tools_answer_sources_and_cost() {
    let mut screen = Screen::new(Style::Plain);
    let shown: String = events().iter().map(|(name, data)| screen.event(name, data)).collect();
    let expected = "\
Model    local:extractive (no language model)
Plan     You are an economist.
         1. What did it cost?
         2. Who paid?
Research
  ✓ search_web orrin bridge cost  2 results, 0.3 s
  ✗ scrape_web_content http://x/a  timed out, 1.5 s

Answer

It cost 186 million euros.

Sources
  [1] Orrin Bridge http://x/a

Cost     $0.0012, 3200 tokens in, 512 out, 12.3 s
";
    assert_eq!(shown, expected);
}

#[test]
fn a_terminal_erases_each_progress_line() {
    let mut screen = Screen::new(Style::Terminal);
    let shown: String = events().iter().map(|(name, data)| screen.event(name, data)).collect();
    assert!(shown.contains("search_web orrin bridge cost"), "{shown:?}");
    for part in shown.split("  … ").skip(1) {
        let line = part.split('\n').next().unwrap();
        assert!(line.contains(ERASE_LINE), "{line:?}");
    }
}

#[test]
fn an_answer_without_deltas_or_with_a_correction_is_shown() {
    let final_answer = json!({ "content": "All of it." });
    let mut screen = Screen::new(Style::Plain);
    assert!(screen.event("final_answer", &final_answer).ends_with("All of it.\n"));
    let mut screen = Screen::new(Style::Plain);
    let _ = screen.event("answer_delta", &json!({ "text": "Some of it." }));
    assert!(screen.event("final_answer", &final_answer).contains("(corrected)\nAll of it.\n"));
}

#[test]
fn an_unknown_price_is_not_zero() {
    let mut screen = Screen::new(Style::Plain);
    let _ = screen.event("cost_summary", &json!({ "totalCost": null }));
    let shown = screen.event("complete", &json!({ "executionTime": 100 }));
    assert!(shown.contains("Cost     unknown"), "{shown}");
}

#[test]
fn durations_read_well() {
    assert_eq!(duration(1.2), "2 s");
    assert_eq!(duration(432.5), "7 min 13 s");
    assert_eq!(duration(7260.0), "2 h 1 min");
}
