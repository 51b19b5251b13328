//! Rate limits, dropped connections, stops, refusals: what is shown, and what is sent.

use crate::{console, send};
use anyhow::{Context, Result};
use hyper::StatusCode;
use quarry_browser_tests::{Ask, Browser, Events, Fake, Rejoin, Script, Time};
use serde_json::{Value, json};
use std::time::Duration;

const QUESTION: &str = "How tall is the light?";
const ID: &str = "ask-0000000a";

/// Asks, and streams the script's events through the first of this name.
async fn begun(browser: &Browser, fake: &mut Fake, through: &str) -> Result<(Events, Script)> {
    browser.ask(QUESTION).await?;
    let events = fake.ask().await?.reply.stream();
    let script = Script::ordinary(ID, QUESTION, "It is **133 metres** tall.");
    send(&events, script.through(through));
    browser.until("document.querySelector('#events') && document.querySelector('#log-count').textContent !== ''").await?;
    Ok((events, script))
}

/// The next try to join again, after its pause. Two sleep then: the pause and the page's watch;
/// while a connection is open, the pause is the much longer one until it counts as dead.
async fn next_rejoin(browser: &Browser, fake: &mut Fake) -> Result<Rejoin> {
    let paused = "(left) => left.length === 2 && left.every((ms) => ms <= 10_000)";
    browser.run(&format!("await testClock.until({paused});")).await?;
    browser.advance(Duration::from_secs(10)).await?;
    fake.rejoin().await
}

async fn until_done(browser: &Browser) -> Result<()> {
    browser.until("document.body.dataset.phase === 'done'").await
}

/// The numbers in the event log: each once, none missing.
async fn logged(browser: &Browser) -> Result<Vec<u64>> {
    browser
        .run(
            "document.querySelector('#log').open = true; await new Promise(requestAnimationFrame);",
        )
        .await?;
    let numbers = "document.querySelector('#events').textContent.trim().split('\\n').map((line) => parseInt(line))";
    serde_json::from_value(browser.eval(numbers).await?).context("the log has no numbers")
}

#[tokio::test]
async fn a_rate_limit_counts_down_and_goes_on_by_itself() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    let (events, script) = begun(&browser, &mut fake, "tool_result").await?;
    let number = script.through("tool_result").len() as u64 + 1;
    let state = json!({ "id": ID, "toolCallCycles": 1, "llmCalls": 3, "totalCost": 0.001, "totalTokens": 900,
        "searchResults": [], "currentIteration": 1, "researchPlan": { "questions": ["First?"] } });
    let limit = json!({ "message": "Too many tokens a minute.", "waitTime": 90, "continuationState": state });
    events.event(number, "quota_exceeded", &limit);
    events.end();

    browser.until_text("#countdown", "1:30").await?;
    assert_eq!(browser.eval("document.body.dataset.phase").await?, "waiting");
    assert!(browser.text("#notice").await?.contains("Too many tokens a minute."));
    browser.screenshot("waiting").await?;
    browser.advance(Duration::from_secs(60)).await?;
    browser.until_text("#countdown", "0:30").await?;
    assert!(fake.untaken().is_none(), "it goes on before its time");
    browser.advance(Duration::from_secs(31)).await?;

    let resumed = fake.ask().await?;
    assert_eq!(
        resumed.body,
        json!({ "query": QUESTION, "stream": true, "continuation": true, "continuationContext": state })
    );
    let events = resumed.reply.stream();
    let again = Script::ordinary("ask-0000000b", QUESTION, "It is **133 metres** tall.");
    send(&events, again.all());
    until_done(&browser).await?;
    assert_eq!(browser.text("#answer").await?, "It is 133 metres tall.");
    assert_eq!(
        browser.count("#timeline .call").await?,
        5,
        "calls that come again take their place"
    );
    assert!(browser.eval("document.querySelector('#notice').hidden").await? == true);
    browser.close().await
}

#[tokio::test]
async fn a_wait_can_be_cut_short_or_given_up() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    let (events, _) = begun(&browser, &mut fake, "init").await?;
    let limit = json!({ "message": "Later.", "waitTime": 600 });
    events.event(3, "quota_exceeded", &limit);
    browser.until_text("#countdown", "10:00").await?;
    browser.click("#notice button[data-action=now]").await?;
    let resumed = fake.ask().await?;
    // The event held no state; the id is enough.
    assert_eq!(resumed.body["continuationContext"], json!({ "id": ID }));
    let events = resumed.reply.stream();
    events.event(1, "init", &json!({ "id": ID, "query": QUESTION }));
    events.event(2, "quota_exceeded", &limit);
    browser.until_text("#countdown", "10:00").await?;
    browser.click("#stop").await?;
    browser.until("document.body.dataset.phase === 'stopped'").await?;
    assert!(fake.untaken().is_none(), "there is nothing to stop on the server");
    browser.click("#notice button[data-action=resume]").await?;
    assert_eq!(fake.ask().await?.body["continuation"], true);
    browser.close().await
}

#[tokio::test]
async fn a_dropped_connection_is_joined_again_without_a_gap_or_a_repetition() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    let (events, script) = begun(&browser, &mut fake, "setup_complete").await?;
    let seen = script.through("setup_complete").len() as u64;
    browser.until_text("#log-count", &seen.to_string()).await?;
    // It breaks in the middle of a frame.
    events.raw(&format!("id: {}\nevent: step\ndata: {{\"mess", seen + 1));
    events.cut();
    browser.until_text("#status", "The connection dropped. Reconnecting").await?;
    let rejoin = next_rejoin(&browser, &mut fake).await?;
    assert_eq!((rejoin.id.as_str(), rejoin.after), (ID, seen));
    rejoin.reply.refuse(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "restarting");
    let rejoin = next_rejoin(&browser, &mut fake).await?;
    assert_eq!(rejoin.after, seen);
    let events = rejoin.reply.stream();
    // A server may send more than it was asked for.
    send(&events, script.through("step"));
    send(&events, script.after(seen));
    until_done(&browser).await?;
    let expected: Vec<u64> = (1..=script.all().len() as u64).collect();
    assert_eq!(logged(&browser).await?, expected);
    assert_eq!(browser.text("#answer").await?, "It is 133 metres tall.");
    browser.close().await
}

#[tokio::test]
async fn an_end_without_a_last_event_is_no_end() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    let (events, script) = begun(&browser, &mut fake, "tools").await?;
    events.end();
    browser.until_text("#status", "Reconnecting").await?;
    let rejoin = next_rejoin(&browser, &mut fake).await?;
    send(&rejoin.reply.stream(), script.after(rejoin.after));
    until_done(&browser).await?;
    browser.close().await
}

#[tokio::test]
async fn a_lost_connection_is_said_and_can_be_tried_again() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    let (events, script) = begun(&browser, &mut fake, "init").await?;
    events.cut();
    browser.until_text("#status", "Reconnecting").await?;
    for _ in 0..10 {
        let refused = next_rejoin(&browser, &mut fake).await?.reply;
        refused.refuse(StatusCode::BAD_GATEWAY, "unavailable", "nobody home");
    }
    browser.until("document.body.dataset.phase === 'failed'").await?;
    assert!(browser.text("#notice").await?.starts_with("The connection is lost"));
    browser.screenshot("failed").await?;
    browser.click("#notice button[data-action=rejoin]").await?;
    let rejoin = fake.rejoin().await?;
    assert_eq!((rejoin.id.as_str(), rejoin.after), (ID, 2));
    send(&rejoin.reply.stream(), script.after(2));
    until_done(&browser).await?;
    browser.close().await
}

#[tokio::test]
async fn a_silent_connection_is_taken_for_dead() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    let (events, script) = begun(&browser, &mut fake, "init").await?;
    browser.advance(Duration::from_secs(30)).await?;
    events.raw(": keep-alive\n\n");
    let is_heard = "(left) => left.some((ms) => ms > 49_000)";
    browser.run(&format!("await testClock.until({is_heard});")).await?;
    browser.advance(Duration::from_secs(50)).await?;
    browser.until_text("#status", "Reconnecting").await?;
    let rejoin = next_rejoin(&browser, &mut fake).await?;
    send(&rejoin.reply.stream(), script.after(rejoin.after));
    until_done(&browser).await?;
    browser.close().await
}

#[tokio::test]
async fn a_stop_ends_at_the_next_step_and_can_be_resumed() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    let (events, script) = begun(&browser, &mut fake, "tool_result").await?;
    browser.until("document.querySelectorAll('.call[data-state=done]').length === 1").await?;
    browser.click("#stop").await?;
    assert_eq!(fake.stop().await?, ID);
    browser.until_text("#status", "Stopping after this step").await?;
    let number = script.through("tool_result").len() as u64 + 1;
    let end = json!({ "result": { "query": QUESTION, "stopped": true }, "executionTime": 900 });
    events.event(number, "complete", &end);
    browser.until("document.body.dataset.phase === 'stopped'").await?;
    assert!(browser.text("#notice").await?.starts_with("Stopped."));
    assert_eq!(browser.count(".call[data-state=running]").await?, 0);
    browser.click("#notice button[data-action=resume]").await?;
    assert_eq!(fake.ask().await?.body["continuationContext"], json!({ "id": ID }));
    browser.close().await
}

#[tokio::test]
async fn every_error_says_what_to_do() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    let cases = [
        ("missing_key", "An API key is needed", "options:api-key"),
        ("no_credit", "no credit", "options:api-key"),
        ("unauthorized", "provider refuses the key", "options:api-key"),
        ("budget_exceeded", "budget is too small", "options:budget"),
        ("bad_continuation", "cannot be resumed", "retry"),
        ("interrupted", "was interrupted", "resume"),
        ("what-is-this", "This did not work", "retry"),
    ];
    for (kind, title, action) in cases {
        browser.ask(QUESTION).await?;
        let events = fake.ask().await?.reply.stream();
        browser.until("document.body.dataset.phase === 'running'").await?;
        events.event(1, "init", &json!({ "id": ID, "query": QUESTION }));
        events.event(2, "error", &json!({ "error": "The reason.", "type": kind }));
        browser.until("document.body.dataset.phase === 'failed'").await?;
        let notice = browser.text("#notice").await?;
        assert!(notice.contains(title) && notice.contains("The reason."), "{kind}: {notice}");
        assert_eq!(browser.count(&format!("#notice button[data-action='{action}']")).await?, 1);
        if let Some(field) = action.strip_prefix("options:") {
            browser.click(&format!("#notice button[data-action='{action}']")).await?;
            assert_eq!(browser.eval("document.activeElement.id").await?, field);
        }
    }
    browser.close().await
}

#[tokio::test]
async fn a_secret_that_is_missing_or_wrong_is_asked_for_and_no_key() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    for kind in ["unauthorized", "forbidden"] {
        browser.ask(QUESTION).await?;
        let events = fake.ask().await?.reply.stream();
        browser.until("document.body.dataset.phase === 'running'").await?;
        let code = "INVALID_ACCESS_SECRET";
        events.event(1, "error", &json!({ "error": "No.", "type": kind, "code": code }));
        browser.until("document.body.dataset.phase === 'failed'").await?;
        assert!(browser.text("#notice").await?.contains("access secret"), "{kind}");
        let button = "#notice button[data-action='options:access-secret']";
        assert_eq!(browser.count(button).await?, 1);
    }
    browser.close().await
}

#[tokio::test]
async fn a_refusal_is_shown_in_the_servers_words() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    let cases = [
        (StatusCode::UNAUTHORIZED, "unauthorized", "accessSecret is missing or wrong"),
        (StatusCode::TOO_MANY_REQUESTS, "rate_limited", "at most 5 asks a minute"),
        (StatusCode::BAD_REQUEST, "invalid_field", "model: there is no provider `nowhere`"),
    ];
    for (status, kind, message) in cases {
        browser.ask(QUESTION).await?;
        let ask = fake.ask().await?;
        browser.until("document.body.dataset.phase === 'running'").await?;
        ask.reply.refuse(status, kind, message);
        browser.until("document.body.dataset.phase === 'failed'").await?;
        assert!(browser.text("#notice").await?.contains(message));
        assert!(
            !browser.eval("document.querySelector('#ask').hidden").await?.as_bool().unwrap_or(true)
        );
    }
    assert!(fake.untaken().is_none(), "what was refused is not tried again unasked");
    browser.close().await
}

#[tokio::test]
async fn the_way_back_leads_to_the_answer_before() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    let (events, script) = begun(&browser, &mut fake, "init").await?;
    send(&events, script.after(script.through("init").len() as u64));
    until_done(&browser).await?;
    browser.ask("And how old?").await?;
    let later = fake.ask().await?.reply.stream();
    later.event(1, "init", &json!({ "id": "ask-0000000b", "query": "And how old?" }));
    browser.until("location.hash === '#ask-0000000b'").await?;
    browser.run("history.back();").await?;
    let rejoin = fake.rejoin().await?;
    assert_eq!((rejoin.id.as_str(), rejoin.after), (ID, 0));
    send(&rejoin.reply.stream(), script.all());
    until_done(&browser).await?;
    assert_eq!(browser.text("#answer").await?, "It is 133 metres tall.");
    browser.close().await
}

#[tokio::test]
async fn whoever_only_looks_at_an_ask_does_not_pay_for_its_rest() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    browser.run(&format!("location.hash = '#{ID}';")).await?;
    let events = fake.rejoin().await?.reply.stream();
    events.event(1, "init", &json!({ "id": ID, "query": QUESTION }));
    events.event(2, "quota_exceeded", &json!({ "message": "Later.", "waitTime": 60 }));
    browser.until("document.body.dataset.phase === 'stopped'").await?;
    browser.advance(Duration::from_secs(120)).await?;
    assert!(fake.untaken().is_none(), "nobody said that it is to go on");
    browser.click("#notice button[data-action=resume]").await?;
    assert_eq!(fake.ask().await?.body["continuationContext"], json!({ "id": ID }));
    browser.close().await
}

#[tokio::test]
async fn a_reload_joins_the_ask_that_the_address_names() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    let (_events, script) = begun(&browser, &mut fake, "setup_complete").await?;
    browser.until(&format!("location.hash === '#{ID}'")).await?;
    browser.reload().await?;
    let rejoin = fake.rejoin().await?;
    assert_eq!((rejoin.id.as_str(), rejoin.after), (ID, 0));
    send(&rejoin.reply.stream(), script.all());
    until_done(&browser).await?;
    assert_eq!(
        browser.eval("document.querySelector('#query').value").await?,
        Value::from(QUESTION)
    );
    browser.close().await
}

#[tokio::test]
async fn a_continuation_that_fails_before_it_begins_can_be_resumed_again() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    let (events, script) = begun(&browser, &mut fake, "tool_result").await?;
    let number = script.through("tool_result").len() as u64 + 1;
    let interrupted = json!({ "error": "The server restarted.", "type": "interrupted" });
    events.event(number, "error", &interrupted);
    browser.until_text("#notice", "was interrupted").await?;
    browser.click("#notice button[data-action=resume]").await?;

    // Refused within its stream, under an id of its own.
    let refused = fake.ask().await?;
    assert_eq!(refused.body["continuationContext"], json!({ "id": ID }));
    let events = refused.reply.stream();
    events.event(1, "log", &json!({ "message": "Quarry has taken the question." }));
    events.event(2, "init", &json!({ "id": "ask-0000000b", "query": QUESTION }));
    events.event(3, "error", &json!({ "error": "There is no key.", "type": "missing_key" }));
    browser.until_text("#notice", "An API key is needed").await?;
    assert_eq!(browser.count("#notice button[data-action='options:api-key']").await?, 1);
    assert_eq!(browser.count("#notice button[data-action=retry]").await?, 0);
    assert_eq!(browser.eval("location.hash").await?, format!("#{ID}"), "a reload finds it");
    browser.click("#notice button[data-action=resume]").await?;

    // Refused without one.
    let refused = fake.ask().await?;
    assert_eq!(refused.body["continuationContext"], json!({ "id": ID }));
    refused.reply.refuse(StatusCode::TOO_MANY_REQUESTS, "rate_limited", "at most 5 asks a minute");
    browser.until_text("#notice", "at most 5 asks a minute").await?;
    browser.click("#notice button[data-action=resume]").await?;

    let resumed = fake.ask().await?;
    assert_eq!(resumed.body["continuationContext"], json!({ "id": ID }));
    let again = Script::ordinary("ask-0000000c", QUESTION, "It is **133 metres** tall.");
    send(&resumed.reply.stream(), again.all());
    until_done(&browser).await?;
    assert_eq!(browser.eval("location.hash").await?, "#ask-0000000c");
    browser.close().await
}

#[tokio::test]
async fn a_joined_ask_counts_its_time_from_when_it_began() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    browser.run(&format!("location.hash = '#{ID}';")).await?;
    let events = fake.rejoin().await?.reply.stream();
    // The page's clock begins at 2025-06-15T15:06:40Z.
    let began = json!({ "id": ID, "query": QUESTION, "timestamp": "2025-06-15T15:05:10.000Z" });
    events.event(1, "init", &began);
    browser.until("document.querySelector('#log-count').textContent === '1'").await?;
    browser.advance(Duration::from_secs(1)).await?;
    browser.until_text("#elapsed", "1:31").await?;
    // Where the end does not say how long it took, the events do.
    let end = json!({ "error": "No credit.", "type": "no_credit", "timestamp": "2025-06-15T15:06:10.000Z" });
    events.event(2, "error", &end);
    browser.until_text("#elapsed", "1:00").await?;
    browser.close().await
}

#[tokio::test]
async fn an_ask_whose_answer_was_lost_is_sent_again_with_its_key_and_another_has_another()
-> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    browser.ask(QUESTION).await?;
    let Ask { key: first, reply, .. } = fake.ask().await?;
    assert_eq!(first.len(), 32);
    reply.refuse(StatusCode::BAD_GATEWAY, "unavailable", "nobody home");
    browser.until("document.body.dataset.phase === 'failed'").await?;
    browser.click("#ask").await?;
    let again = fake.ask().await?;
    assert_eq!(again.key, first, "it is paid for once");
    // A key that is used up is given up.
    again.reply.refuse(StatusCode::CONFLICT, "conflict", "the key came before");
    browser.until_text("#notice", "the key came before").await?;
    browser.click("#ask").await?;
    let fresh = fake.ask().await?;
    assert_ne!(fresh.key, first);
    let used = fresh.key;
    let script = Script::ordinary(ID, QUESTION, "It is **133 metres** tall.");
    send(&fresh.reply.stream(), script.all());
    until_done(&browser).await?;
    browser.click("#ask").await?;
    assert_ne!(fake.ask().await?.key, used, "who asks anew wants a new answer");
    browser.close().await
}

#[tokio::test]
async fn the_second_click_of_two_on_ask_stops_nothing() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Manual).await? else { return Ok(()) };
    let (_events, _) = begun(&browser, &mut fake, "init").await?;
    let second = "document.querySelector('#stop').dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));";
    browser.run(second).await?;
    assert!(fake.untaken().is_none());
    browser.click("#stop").await?;
    assert_eq!(fake.stop().await?, ID);
    browser.close().await
}
