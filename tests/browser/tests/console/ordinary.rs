//! An ordinary ask: what is sent, and what is seen at each stage.

use crate::{console, send};
use anyhow::Result;
use hyper::StatusCode;
use quarry_browser_tests::{Script, Time, answer_of_several_kinds};
use serde_json::{Value, json};

const QUESTION: &str = "Which lighthouse has the tallest tower, and when was it first lit?";

#[tokio::test]
async fn an_ask_is_watched_from_plan_to_answer() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.ask(QUESTION).await?;
    let ask = fake.ask().await?;
    assert_eq!(ask.body, json!({ "query": QUESTION, "stream": true }));
    let events = ask.reply.stream();
    let script = Script::ordinary("ask-00000001", QUESTION, &answer_of_several_kinds());

    send(&events, script.through("research_questions"));
    browser.until_text("#questions", "measured from the ground").await?;
    assert!(browser.text("#persona").await?.starts_with("A maritime historian"));
    assert_eq!(browser.text("#cost").await?, "$0.00022");
    assert_eq!(browser.text("#used").await?, "695 tokens");

    let sent = script.through("research_questions").len();
    let two_iterations = script.through("answer_delta");
    let (_, rest) = two_iterations.split_at(sent);
    let tools = rest.iter().rposition(|(_, name, _)| *name == "tools").unwrap_or_default();
    let (before, after) = rest.split_at(tools + 1);
    send(&events, before);
    browser.until("document.querySelectorAll('.call[data-state=running]').length === 3").await?;
    browser.until_text("#status", "Looking in 3 places at once").await?;
    assert_eq!(browser.count("#timeline > li").await?, 2);
    assert_eq!(browser.count("#sources > li").await?, 3, "the same page found twice is one source");
    let listed = "getComputedStyle(document.querySelector('#sources')).listStyleType";
    assert_eq!(browser.eval(listed).await?, "none", "numbers are given by the answer");

    send(&events, after);
    browser
        .until("document.querySelector('#answer').textContent.startsWith('The tallest')")
        .await?;
    assert_eq!(browser.text("#status").await?, "Writing the answer");
    assert_eq!(
        browser.eval("document.querySelector('#answer').getAttribute('aria-busy')").await?,
        "true"
    );
    assert_eq!(browser.count(".call[data-state=done]").await?, 4);
    assert_eq!(browser.count(".call[data-state=failed]").await?, 1);

    send(&events, script.after(two_iterations.len() as u64));
    events.end();
    browser.until("document.body.dataset.phase === 'done'").await?;
    assert_eq!(browser.text("#status").await?, "Answered");
    assert_eq!(browser.text("#elapsed").await?, "18.4 s");
    assert_eq!(browser.text("#cost").await?, "$0.0013");
    assert_eq!(browser.count("#answer table tbody tr").await?, 3);
    assert_eq!(browser.count("#step-costs tr").await?, 5);
    cited(&browser).await?;
    browser.close().await
}

async fn cited(browser: &quarry_browser_tests::Browser) -> Result<()> {
    let cites = "[...document.querySelectorAll('#answer .cite')].map((each) => each.textContent)";
    assert_eq!(browser.eval(cites).await?, json!(["1", "2?", "2?", "1", "unverified"]));
    let listed = "getComputedStyle(document.querySelector('#sources')).listStyleType";
    assert_eq!(browser.eval(listed).await?, "decimal");
    let numbers = "[...document.querySelectorAll('#sources > li')].map((item) => item.value)";
    assert_eq!(browser.eval(numbers).await?, json!([1, 2]));
    assert_eq!(browser.text("#unused a").await?, "List of tallest lighthouses");
    Ok(())
}

#[tokio::test]
async fn a_call_opens_to_show_what_it_brought() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.ask(QUESTION).await?;
    let events = fake.ask().await?.reply.stream();
    let script = Script::ordinary("ask-00000002", QUESTION, "Yes.");
    send(&events, script.all());
    browser.until("document.body.dataset.phase === 'done'").await?;
    browser.click("#timeline > li:nth-child(1) .call:nth-child(1) summary").await?;
    let preview = browser.text("#timeline > li:nth-child(1) .preview").await?;
    assert!(preview.contains("credible claim to be the world's tallest"), "{preview}");
    browser.click("#timeline > li:nth-child(2) .call:nth-child(3) summary").await?;
    let preview = browser.text("#timeline > li:nth-child(2) .call:nth-child(3) .preview").await?;
    assert!(preview.contains("first - second") && preview.contains("50.5"), "{preview}");
    browser.click("#log > summary").await?;
    browser.until_text("#events", "complete {").await?;
    let lines =
        browser.eval("document.querySelector('#events').textContent.trim().split('\\n').length");
    assert_eq!(lines.await?, Value::from(script.all().len()));
    browser.close().await
}

#[tokio::test]
async fn options_become_the_request_and_keys_stay_in_the_page() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.click("#options > summary").await?;
    browser.fill("#model", "groq:llama-3.1-8b-instant").await?;
    browser.fill("#api-key", "gsk-not-a-real-key").await?;
    browser.fill("#access-secret", "open sesame").await?;
    browser.fill("#budget", "0.05").await?;
    browser.fill("#iterations", "3").await?;
    browser.ask("Why?").await?;
    let expected = json!({
        "query": "Why?", "stream": true, "model": "groq:llama-3.1-8b-instant",
        "apiKey": "gsk-not-a-real-key", "accessSecret": "open sesame",
        "budget": { "usd": 0.05 }, "max_iterations": 3,
    });
    let ask = fake.ask().await?;
    assert_eq!(ask.body, expected);
    send(&ask.reply.stream(), Script::ordinary("ask-00000003", "Why?", "So.").all());
    browser.until("document.body.dataset.phase === 'done'").await?;
    let places = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.body.innerText, document.querySelector('#events').textContent])";
    let places = browser.eval(places).await?.to_string();
    assert!(!places.contains("gsk-not-a-real-key") && !places.contains("open sesame"), "{places}");

    // On request they outlive a reload, and only until the tab is closed.
    browser.click("#options > summary").await?;
    browser.click("#keep").await?;
    browser.reload().await?;
    browser.until("document.querySelector('#api-key').value === 'gsk-not-a-real-key'").await?;
    let kept = browser.eval("JSON.stringify({ ...localStorage })").await?.to_string();
    assert!(!kept.contains("gsk-not-a-real-key") && !kept.contains("open sesame"), "{kept}");
    browser.eval("document.querySelector('#options').open = true").await?;
    browser.click("#keep").await?;
    assert_eq!(browser.eval("sessionStorage.length").await?, 0);
    browser.close().await
}

#[tokio::test]
async fn what_makes_no_sense_is_said_before_it_is_sent() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.click("#ask").await?;
    assert_eq!(browser.text("#complaint").await?, "Write a question first.");
    browser.eval("document.querySelector('#options').open = true").await?;
    browser.fill("#model", "gpt").await?;
    browser.ask("Why?").await?;
    assert!(browser.text("#complaint").await?.contains("provider:name"));
    assert_eq!(browser.eval("document.activeElement.id").await?, "model");
    assert!(fake.untaken().is_none());
    let marked = "['aria-invalid', 'aria-describedby'].map((name) => document.querySelector('#model').getAttribute(name))";
    assert_eq!(browser.eval(marked).await?, json!(["true", "model-note complaint"]));
    browser.fill("#model", ":x").await?;
    assert_eq!(browser.eval(marked).await?, json!([null, "model-note"]), "it is another now");
    assert_eq!(browser.text("#complaint").await?, "");

    // What the server does not like is marked, too.
    browser.ask("Why?").await?;
    let refusal = json!({ "error": { "type": "invalid_field", "field": "max_iterations",
        "message": "`max_iterations` is too large" } });
    fake.ask().await?.reply.json(StatusCode::BAD_REQUEST, &refusal);
    browser.until_text("#notice", "is too large").await?;
    browser.click("#notice button").await?;
    let at = "[document.activeElement.id, document.activeElement.getAttribute('aria-describedby')]";
    assert_eq!(browser.eval(at).await?, json!(["iterations", "notice"]));
    browser.close().await
}

#[tokio::test]
async fn an_unknown_price_is_said_and_not_guessed() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.ask(QUESTION).await?;
    let events = fake.ask().await?.reply.stream();
    events.event(1, "init", &json!({ "id": "ask-00000004", "query": QUESTION }));
    let usage = json!({ "prompt_tokens": 1000, "completion_tokens": 234 });
    events.event(2, "llm_response", &json!({ "response": { "usage": usage }, "cost": null }));
    browser.until_text("#used", "1,234 tokens").await?;
    assert_eq!(browser.text("#cost").await?, "price unknown");
    browser.close().await
}
