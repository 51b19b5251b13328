//! What an ask tells beside its plan, its calls and its answer: thoughts, waits, sources as they
//! are found, another model than was asked for, costs that nobody knows.

use crate::console;
use anyhow::Result;
use quarry_browser_tests::Time;
use serde_json::{Value, json};
use std::time::Duration;

const QUESTION: &str = "How tall is the light?";
const ID: &str = "ask-0000000c";
const LINE: &str = "Searching: light";

fn source(n: u64, url: &str) -> Value {
    json!({ "n": n, "title": format!("Title {n}"), "url": url, "date": null, "description": "" })
}

/// An ask by another model, of which no price is known; the answer comes without it at last.
fn events() -> Vec<(&'static str, Value)> {
    let fallback = json!({ "requested": "openai:dear", "reason": "the server has no key for it" });
    let args = json!({ "query": "light" });
    let call = json!({ "iteration": 1, "call_id": "", "id": "c1", "name": "search_web", "args": args, "line": LINE });
    let found = json!({ "results": [{ "title": "A", "url": "https://a.example/" }] });
    let result = json!({ "iteration": 1, "call_id": "", "id": "c1", "name": "search_web", "args": args, "line": LINE,
        "output": found.to_string(), "duration": 10, "cost": 0, "costKnown": true, "ok": true,
        "urls": ["https://a.example/"], "found": [2] });
    vec![
        (
            "init",
            json!({ "id": ID, "query": QUESTION, "model": "local:extractive",
            "languageModel": false, "fallback": fallback, "turnsLeftOut": 2 }),
        ),
        (
            "stage",
            json!({ "id": "research-1", "name": "research", "iteration": 1, "state": "begun" }),
        ),
        (
            "llm_response",
            json!({ "phase": "tool_iteration", "response": { "usage": { "prompt_tokens": 10, "completion_tokens": 2 } },
            "cost": 0, "costKnown": false }),
        ),
        (
            "thought",
            json!({ "id": "t1", "iteration": 1, "title": "Lists may disagree.", "text": "Lists may disagree. The port knows." }),
        ),
        ("tools", json!({ "iteration": 1, "pending": 1, "calls": [call] })),
        ("tool_result", result),
        ("sources", json!({ "added": [source(2, "https://a.example/")] })),
    ]
}

#[tokio::test]
async fn thoughts_sources_and_unknown_costs_are_shown_as_they_come() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.ask(QUESTION).await?;
    let stream = fake.ask().await?.reply.stream();
    for (number, (name, data)) in (1..).zip(events()) {
        stream.event(number, name, &data);
    }
    browser.until("document.querySelectorAll('#sources > li').length === 1").await?;
    assert_eq!(
        browser.eval("document.querySelector('#sources > li').hasAttribute('value')").await?,
        false,
        "the answer will call it by another number"
    );
    assert_eq!(browser.text("#cost").await?, "price unknown");
    assert_eq!(browser.text(".thought summary").await?, "Lists may disagree.");
    browser.click(".thought summary").await?;
    assert!(browser.text(".thought").await?.contains("The port knows."));
    assert_eq!(browser.text(".call[data-state=done] .what").await?, LINE);

    let degraded = json!({ "reason": "the provider is away" });
    stream.event(
        8,
        "final_answer",
        &json!({ "content": "It is tall.", "sources": [], "finish": "provider_error", "degraded": degraded }),
    );
    let steps = json!([{ "description": "research", "cost": 0, "costKnown": false, "inputTokens": 10, "outputTokens": 2, "duration": 5 }]);
    stream.event(
        9,
        "cost_summary",
        &json!({ "totalCost": 0, "costKnown": false, "unpricedCalls": 1,
        "tokenCounts": { "input": 10, "output": 2, "total": 12 }, "stepCosts": steps }),
    );
    stream.event(
        10,
        "complete",
        &json!({ "result": {}, "executionTime": 100, "ended": "answered" }),
    );
    stream.end();
    browser.until("document.body.dataset.phase === 'done'").await?;
    let note = browser.text("#answer-note").await?;
    for words in [
        "Answered by local:extractive instead of openai:dear: the server has no key for it.",
        "The 2 oldest turns of the conversation were left out: the model has no room for them.",
        "Answered without the language model: the provider is away.",
        "The provider failed before it wrote an answer.",
    ] {
        assert!(note.contains(words), "{note}");
    }
    assert_eq!(browser.text("#cost").await?, "price unknown");
    browser.click("#costs > summary").await?;
    assert!(browser.text("#step-costs").await?.contains("unknown"));
    browser.close().await
}

#[tokio::test]
async fn a_wait_for_the_provider_counts_down_and_passes() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    browser.ask(QUESTION).await?;
    let stream = fake.ask().await?.reply.stream();
    stream.event(1, "init", &json!({ "id": ID, "query": QUESTION, "model": "openai:x" }));
    let waiting =
        json!({ "seconds": 75, "why": "rate_limit", "message": "Too many requests a minute." });
    stream.event(2, "waiting", &waiting);
    browser.until_text("#countdown", "1:15").await?;
    let notice = browser.text("#notice").await?;
    assert!(notice.contains("The provider asks for a pause."), "{notice}");
    assert!(notice.contains("Too many requests a minute."), "{notice}");
    assert_eq!(browser.eval("document.body.dataset.phase").await?, "running");
    browser.advance(Duration::from_secs(15)).await?;
    browser.until_text("#countdown", "1:00").await?;
    stream.event(3, "log", &json!({ "message": "Still there." }));
    browser.until("document.querySelector('#log-count').textContent === '3'").await?;
    assert!(browser.eval("document.querySelector('#notice').hidden").await? == false);
    stream.event(4, "stage", &json!({ "id": "s", "name": "planning", "state": "begun" }));
    browser.until("document.querySelector('#notice').hidden").await?;
    assert_eq!(browser.text("#status").await?, "Planning the research");
    browser.close().await
}

#[tokio::test]
async fn an_ask_that_was_stopped_says_so() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.ask(QUESTION).await?;
    let stream = fake.ask().await?.reply.stream();
    stream.event(1, "init", &json!({ "id": ID, "query": QUESTION, "model": "openai:x" }));
    stream.event(2, "complete", &json!({ "result": {}, "executionTime": 100, "ended": "stopped" }));
    stream.end();
    browser.until("document.body.dataset.phase === 'stopped'").await?;
    browser.until_text("#notice", "Stopped. Nothing was found yet.").await?;
    browser.close().await
}

#[tokio::test]
async fn what_is_for_a_program_is_shown_as_it_reads_well() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.ask(QUESTION).await?;
    let stream = fake.ask().await?.reply.stream();
    let content = r#"{"height_m":41.50,"lit":[],"says":"*tall* ```[1](https://a.example/)","n":12345678901234567890}"#;
    let citation = |verdict: &str| {
        json!({ "n": 1, "id": "q1", "url": "https://a.example/", "title": "Title 1", "claim": "It is tall.",
            "quote": "It is tall.", "start": 0, "end": 0, "verdict": verdict, "coverage": 1, "vetoes": [],
            "missing": [], "moved": false, "added": false, "by_model": false })
    };
    let phase = |phase: &str| json!({ "phase": phase, "model": "openai:m", "request": {} });
    let written = "Tall [1](https://a.example/)";
    let events = [
        (
            "init",
            json!({ "id": ID, "query": QUESTION, "model": "openai:m", "languageModel": true }),
        ),
        ("llm_request", phase("final_synthesis")),
        ("answer_delta", json!({ "at": 0, "text": written })),
        ("llm_request", phase("final_format")),
    ];
    for (number, (name, data)) in (1..).zip(&events) {
        stream.event(number, name, data);
    }
    browser
        .until(
            "document.querySelector('#status').textContent === 'Putting the answer into its form'",
        )
        .await?;
    let more = [
        ("answer_delta", json!({ "at": 0, "text": content })),
        (
            "final_answer",
            json!({ "content": content, "format": "json", "finish": "stop", "sources": [source(1, "https://a.example/")],
                "citations": [citation("supported"), citation("supported"), citation("partly")], "uncited": 0,
                "unknown": [], "conflicts": [] }),
        ),
        ("complete", json!({ "ended": "answered", "executionTime": 10, "result": {} })),
    ];
    for (number, (name, data)) in (events.len() as u64 + 1..).zip(&more) {
        stream.event(number, name, data);
    }
    stream.end();
    browser.until("document.body.dataset.phase === 'done'").await?;
    let pretty = "{\n  \"height_m\": 41.50,\n  \"lit\": [],\n  \"says\": \"*tall* ```[1](https://a.example/)\",\n  \"n\": 12345678901234567890\n}";
    let shown = "(() => { const all = document.querySelector('#answer').children;
        return [all.length, all[0].localName, all[0].textContent.trim()]; })()";
    assert_eq!(browser.eval(shown).await?, json!([1, "pre", pretty]));
    assert_eq!(browser.count("#answer :is(em, a, .cite)").await?, 0, "nothing of it is Markdown");
    assert!(browser.text(".legend").await?.contains("2 of 3 sentences verified"));
    assert_eq!(browser.count("#sources > li").await?, 1);
    browser.close().await
}
