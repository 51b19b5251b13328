//! What models and pages may say: none of it becomes more than text.

use crate::{console, send};
use anyhow::Result;
use quarry_browser_tests::{Browser, Events, Script, Time};
use quarry_events::EventName;
use serde_json::{Value, json};

/// Answers that try to become something else.
const ANSWERS: [&str; 12] = [
    "<script>window.owned = 1</script>",
    "<img src=x onerror=\"window.owned = 1\"> <svg onload=\"window.owned = 1\">",
    "[click](javascript:window.owned=1) [too](JaVaScRiPt:window.owned=1) [data](data:text/html,<script>window.owned=1</script>)",
    "[a](java\tscript:window.owned=1) [b](//example.org/x) [c](vbscript:x) [d](file:///etc/passwd) [e](blob:x)",
    "![picture](https://example.org/pixel.png) ![bad](javascript:window.owned=1)",
    "[title](https://example.org \"\\\" onmouseover=\\\"window.owned=1\")",
    "`<b onclick=window.owned=1>` and <b onclick=window.owned=1>bold</b>",
    "```html\n<script>window.owned = 1</script>\n",
    "<!-- --><style>body { display: none }</style><meta http-equiv=refresh content=\"0;url=https://example.org\">",
    "| a | b |\n|---|---|\n| <img src=x onerror=window.owned=1> | [x](javascript:window.owned=1) |",
    "<a href=\"https://example.org\" target=_top>x</a><iframe src=https://example.org></iframe><form action=https://example.org><input></form>",
    "\u{202e}\u{0000}&lt;script&gt;window.owned = 1&lt;/script&gt;",
];

/// An ask that ends with this answer.
async fn answered(browser: &Browser, events: &Events, answer: &str, sources: Value) -> Result<()> {
    events.event(1, "init", &json!({ "id": "ask-0000000c", "query": "?" }));
    events.event(2, "answer_delta", &json!({ "text": answer }));
    events.event(3, "final_answer", &json!({ "content": answer, "sources": sources }));
    events.event(4, "complete", &json!({ "result": {}, "executionTime": 1 }));
    browser.until("document.body.dataset.phase === 'done'").await
}

#[tokio::test]
async fn nothing_in_an_answer_becomes_markup() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    for answer in ANSWERS {
        browser.ask("?").await?;
        let events = fake.ask().await?.reply.stream();
        browser.until("document.body.dataset.phase === 'running'").await?;
        answered(&browser, &events, answer, json!([])).await?;
        let foreign = "[...document.querySelectorAll('#answer *')].map((each) => each.localName).filter((name) => \
            !['p','a','code','pre','table','thead','tbody','tr','th','td','div','span','strong','em','br','ul','ol','li'].includes(name))";
        assert_eq!(browser.eval(foreign).await?, json!([]), "{answer}");
        let attributes = "[...document.querySelectorAll('#answer *')].flatMap((each) => each.getAttributeNames())\
            .filter((name) => name.startsWith('on') || name === 'style' || name === 'src')";
        assert_eq!(browser.eval(attributes).await?, json!([]), "{answer}");
        assert_eq!(browser.eval("window.owned ?? null").await?, Value::Null, "{answer}");
        links_are_safe(&browser, answer).await?;
    }
    assert!(fake.untaken().is_none(), "the page fetched something");
    browser.close().await
}

/// Links lead to the web only, and give nothing away.
async fn links_are_safe(browser: &Browser, about: &str) -> Result<()> {
    let links = "[...document.querySelectorAll('#work a')].filter((link) => !link.classList.contains('cite'))\
        .map((link) => [link.protocol, link.rel])";
    for link in browser.eval(links).await?.as_array().into_iter().flatten() {
        assert!(link[0] == "https:" || link[0] == "http:", "{about}: {link}");
        assert_eq!(link[1], "noopener noreferrer nofollow", "{about}");
    }
    Ok(())
}

#[tokio::test]
async fn sources_and_results_are_text_too() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.ask("?").await?;
    let events = fake.ask().await?.reply.stream();
    let bad = "<img src=x onerror=window.owned=1>";
    events.event(1, "init", &json!({ "id": "ask-0000000d", "query": bad, "model": bad }));
    events.event(2, "step", &json!({ "message": bad }));
    events.event(3, "persona", &json!({ "persona": bad, "reasoning": bad }));
    events.event(4, "research_questions", &json!({ "questions": [bad, 7, null] }));
    let call = json!({ "iteration": 1, "call_id": "a", "name": bad, "args": { "query": bad }, "line": bad });
    events.event(5, "tools", &json!({ "iteration": 1, "pending": 1, "calls": [call] }));
    let sources = json!([
        { "url": "javascript:window.owned=1", "title": bad, "description": bad },
        { "url": "https://example.org/\"onclick=\"window.owned=1", "title": bad },
    ]);
    let output = json!({ "results": sources }).to_string();
    let result = json!({ "iteration": 1, "call_id": "a", "name": "search_web", "args": { "query": bad }, "line": bad, "output": output });
    events.event(6, "tool_result", &result);
    events.event(7, "final_answer", &json!({ "content": "See [1] and [2].", "sources": sources }));
    events.event(8, "error", &json!({ "error": bad, "type": bad }));
    browser.until("document.body.dataset.phase === 'failed'").await?;
    browser.click(".call summary").await?;
    browser.click("#log > summary").await?;
    assert_eq!(browser.eval("window.owned ?? null").await?, Value::Null);
    assert_eq!(browser.count("#work img").await?, 0);
    assert_eq!(browser.count("#work a[href^=javascript]").await?, 0);
    assert!(browser.text("#notice").await?.contains(bad));
    links_are_safe(&browser, "sources").await?;
    browser.close().await
}

#[tokio::test]
async fn the_policy_stops_what_the_code_would_let_through() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    let script = refused(&browser, "const script = document.createElement('script'); script.textContent = 'window.owned = 1'; document.body.append(script);").await?;
    assert!(
        ["require-trusted-types-for", "script-src-elem"].contains(&script.as_str()),
        "{script}"
    );
    assert_eq!(browser.eval("window.owned ?? null").await?, Value::Null);
    assert_eq!(refused(&browser, "await fetch('https://example.org/');").await?, "connect-src");
    assert!(fake.untaken().is_none());
    browser.close().await
}

/// The directive that stops this code.
async fn refused(browser: &Browser, code: &str) -> Result<String> {
    let attempt = format!(
        "const refused = new Promise((resolve) => addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), {{ once: true }}));
         try {{ {code} }} catch {{}}
         return refused;"
    );
    Ok(browser.run(&attempt).await?.as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn an_odd_answer_of_any_size_is_drawn() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    let odd = [
        "[".repeat(50_000),
        "*".repeat(50_000),
        "> ".repeat(20_000),
        "`".repeat(50_001),
        "- ".repeat(20_000),
        "![[[(".repeat(10_000),
        "_a ".repeat(30_000),
        "|".repeat(50_000),
        format!("|{}\n|{}\n", "a|".repeat(5_000), "-|".repeat(5_000)),
        "[a](".repeat(20_000),
        "**a*".repeat(20_000),
        "  - x\n".repeat(5_000),
        "1. ".repeat(20_000),
    ];
    for answer in odd {
        browser.ask("?").await?;
        let events = fake.ask().await?.reply.stream();
        browser.until("document.body.dataset.phase === 'running'").await?;
        answered(&browser, &events, &answer, json!([])).await?;
        assert_ne!(browser.eval("document.querySelector('#answer').childNodes.length").await?, 0);
    }
    browser.close().await
}

#[tokio::test]
async fn events_that_make_no_sense_change_nothing_but_the_log() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.ask("Why?").await?;
    let events = fake.ask().await?.reply.stream();
    events.raw(
        "retry: 5\n: comment\n\nevent: constructor\ndata: {}\n\nevent: __proto__\ndata: {}\n\n",
    );
    for name in EventName::ALL.into_iter().filter(|name| !name.is_last()) {
        let name = name.as_str();
        for data in [
            "null",
            "[]",
            "7",
            "\"x\"",
            "{",
            "{\"calls\":7,\"output\":7,\"questions\":{},\"stepCosts\":[null],\"found\":{},\"ok\":7}",
            "{\"added\":[null,7,{\"url\":7}],\"id\":[],\"iteration\":{},\"title\":[],\"text\":{}}",
            "{\"seconds\":\"x\",\"why\":{},\"state\":\"begun\",\"name\":[],\"costKnown\":{}}",
            "{\"fallback\":7,\"degraded\":\"x\",\"finish\":\"constructor\",\"citations\":7}",
        ] {
            events.raw(&format!("event: {name}\ndata: {data}\n\n"));
        }
    }
    send(&events, Script::ordinary("ask-0000000e", "Why?", "Because.").all());
    browser.until("document.body.dataset.phase === 'done'").await?;
    assert_eq!(browser.text("#answer").await?, "Because.");
    browser.close().await
}
