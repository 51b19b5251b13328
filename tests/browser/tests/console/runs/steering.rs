//! Runs that are begun, guided, aborted, resumed, forked and deleted: what is sent, and what is said where that is
//! refused.

use super::{ID, TASK, completed, joined, known, opened, page, read, still};
use crate::send;
use anyhow::Result;
use hyper::StatusCode;
use quarry_browser_tests::{Browser, Fake, Research, Time};
use serde_json::{Value, json};

/// What the browser keeps of a page.
const KEPT: &str = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])";

async fn set(browser: &Browser, selector: &str, value: &str) -> Result<()> {
    let value = json!(value);
    let set = format!(
        "const field = document.querySelector({}); for (let each = field; each; each = each.parentElement) if (each.localName === 'details') each.open = true;
         field.value = {value}; field.dispatchEvent(new Event('input', {{ bubbles: true }}));",
        json!(selector)
    );
    browser.run(&set).await.map(|_| ())
}

/// Opens the knobs of a form.
async fn open_knobs(browser: &Browser, form: &str) -> Result<()> {
    browser.run(&format!("for (let each = document.querySelector('{form} [data-knobs]'); each; each = each.parentElement) if (each.localName === 'details') each.open = true;")).await?;
    browser
        .until(&format!(
            "document.querySelectorAll('{form} [data-field^=\"config.\"]').length > 10"
        ))
        .await
}

/// A run whose key is gone.
fn keyless() -> (Research, Value) {
    let mut run = Research::parted(ID, TASK);
    let waiting = json!({ "reason": "needs_key", "hint": "there is no key for openai; resume the run with an apiKey" });
    run.tell("run_waiting", json!({ "waiting": waiting }));
    let record = run.record("queued", &json!({ "waiting": waiting }));
    (run, record)
}

#[tokio::test]
async fn a_run_is_begun_with_all_that_was_set_and_the_key_is_kept_nowhere() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    assert_eq!(browser.eval("document.activeElement.id").await?, "task", "one can type at once");
    browser.fill("#task", TASK).await?;
    browser.click(".effort input[value=deep]").await?;
    open_knobs(&browser, "#begin").await?;
    for (field, value) in [
        ("#model", "openai:gpt-4o-mini"),
        ("#api-key", "canary-key-31"),
        ("#usd", "0.5"),
        ("#sources", "both"),
        ("#collection", "notes"),
        ("#guidance", "Leave out tourism."),
        ("#judge", "openai:a, openai:b"),
        ("#begin [data-field='config.max_depth']", "1"),
        ("#begin [data-field='config.timeouts.run']", "600"),
        ("#begin [data-field='config.report_style']", "concise"),
    ] {
        set(&browser, field, value).await?;
    }
    let chosen = browser.text("#chosen").await?;
    assert!(
        chosen
            .contains("openai:gpt-4o-mini · own key · $0.5 · web and documents · collection notes")
            && chosen.contains("3 settings"),
        "{chosen}"
    );
    browser.screenshot("runs-options").await?;
    browser.click("#start").await?;
    let asked = fake.run("POST /runs").await?;
    let expected = json!({ "task": TASK, "effort": "deep", "model": "openai:gpt-4o-mini", "apiKey": "canary-key-31",
        "budget": { "usd": 0.5 }, "sources": "both", "collection": "notes", "guidance": "Leave out tourism.",
        "models": { "judge": ["openai:a", "openai:b"] },
        "config": { "max_depth": 1, "timeouts": { "run": 600 }, "report_style": "concise" } });
    assert_eq!(asked.body, expected);
    let key = asked.header("idempotency-key").to_owned();
    assert_eq!(key.len(), 32);
    // Refused for now, and sent again: with the same key there is one run.
    asked.reply.refuse(
        StatusCode::SERVICE_UNAVAILABLE,
        "unavailable",
        "the store is away; try again",
    );
    browser.until_text("#begin .complaint", "The store is away; try again.").await?;
    browser.click("#start").await?;
    let again = fake.run("POST /runs").await?;
    assert_eq!((again.body, again.headers["idempotency-key"].to_str()?), (expected, key.as_str()));
    let begun = Research::begun(ID, TASK);
    again.reply.json(StatusCode::ACCEPTED, &begun.record("queued", &Value::Null));
    known(&mut fake, &begun.record("running", &Value::Null)).await?;
    send(&joined(&mut fake, 0).await?, begun.all());
    browser.until(&format!("location.hash === '#{ID}'")).await?;
    let kept = browser.eval(KEPT).await?;
    let kept = kept.as_str().unwrap_or_default();
    assert!(kept.contains(ID) && !kept.contains("canary"), "{kept}");
    assert_eq!(browser.eval("document.querySelector('#api-key').value").await?, "");
    assert_eq!(browser.eval("document.querySelector('#collection-line').hidden").await?, true);
    browser.close().await
}

#[tokio::test]
async fn what_is_wrong_stands_at_its_field() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    browser.click("#start").await?;
    browser.until_text(".wrong", "Write a task first.").await?;
    assert!(fake.untaken().is_none());
    browser.fill("#task", TASK).await?;
    open_knobs(&browser, "#begin").await?;
    set(&browser, "#begin [data-field='config.max_depth']", "9").await?;
    browser.run("document.querySelector('#options').open = false;").await?;
    for (field, message) in [
        ("config.max_depth", "wants a whole number from 0 to 6"),
        (
            "budget.usd",
            "cannot be held: no price is known for one of the models; use budget.tokens",
        ),
        ("models.judge", "wants provider:name"),
        ("sources", "this version has no knowledge base; use \"web\""),
    ] {
        browser.click("#start").await?;
        let refusal = json!({ "error": { "type": "invalid_field", "code": "INVALID_FIELD",
            "message": format!("`{field}` {message}"), "field": field } });
        fake.run("POST /runs").await?.reply.json(StatusCode::BAD_REQUEST, &refusal);
        let at = format!(
            "document.activeElement.dataset.field === '{field}' && document.activeElement.ariaInvalid === 'true' && document.activeElement.checkVisibility()"
        );
        browser.until(&at).await?;
        let said = "document.getElementById(document.activeElement.getAttribute('aria-errormessage')).textContent";
        let said = browser.eval(said).await?;
        let said = said.as_str().unwrap_or_default().to_lowercase();
        assert_eq!(said, format!("{message}.").to_lowercase());
        assert_eq!(browser.count(".wrong").await?, 1, "what was wrong before is gone");
    }
    browser.screenshot("runs-wrong").await?;
    set(&browser, "#sources", "web").await?;
    assert_eq!(browser.count(".wrong, #begin [aria-invalid]").await?, 0, "it is another now");
    browser.close().await
}

#[tokio::test]
async fn a_run_is_guided_and_aborted() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    let mut run = Research::parted(ID, TASK);
    let record = run.record("running", &Value::Null);
    let events = opened(&browser, &mut fake, &run, &record).await?;
    browser.click("[data-action=guide]").await?;
    assert_eq!(browser.eval("document.activeElement.id").await?, "guide-text");
    browser.press("Leave out tourism.").await?;
    browser.click("#guide [type=submit]").await?;
    let guided = fake.run(&format!("POST /runs/{ID}/guidance")).await?;
    assert_eq!(guided.body, json!({ "text": "Leave out tourism." }));
    guided.reply.json(StatusCode::ACCEPTED, &record);
    browser.until("!document.querySelector('#guide').open").await?;
    let focused = "document.activeElement.dataset.action";
    assert_eq!(browser.eval(focused).await?, "guide", "the focus is where it was");
    run.tell("guidance_received", json!({ "text": "Leave out tourism." }));
    send(&events, run.after(run.last() - 1));
    browser.until_text("#guidance-part", "Leave out tourism.").await?;

    browser.click("[data-action=abort]").await?;
    let aborted = fake.run(&format!("POST /runs/{ID}/abort")).await?;
    aborted.reply.json(StatusCode::ACCEPTED, &record);
    browser.until_text("#status", "ending at the next step").await?;
    run.tell("run_aborted", json!({ "status": "aborted", "summary_metrics": {} }));
    send(&events, run.after(run.last() - 1));
    browser.until_text("#notice", "The run was aborted").await?;
    assert_eq!(browser.count("[role=treeitem][data-state=running]").await?, 0);
    let focused =
        "document.activeElement !== document.body && document.activeElement.checkVisibility()";
    assert_eq!(browser.eval(focused).await?, true, "the focus is not lost with the button");
    browser.close().await
}

#[tokio::test]
async fn a_run_without_its_key_goes_on_with_one_that_is_kept_nowhere() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    let (mut run, record) = keyless();
    browser.open(&fake.runs(ID)).await?;
    known(&mut fake, &record).await?;
    browser.until_text("#notice", "The run needs an API key").await?;
    browser.run("window.offered = document.querySelector('[data-action=key]');").await?;
    let events = joined(&mut fake, 0).await?;
    send(&events, run.all());
    read(&browser, &run).await?;
    still(&mut fake, events, &run, &record).await?;
    let same = "offered === document.querySelector('[data-action=key]')";
    assert_eq!(browser.eval(same).await?, true, "what is offered stays where it is");
    browser.screenshot("runs-keyless").await?;
    browser.click("[data-action=key]").await?;
    assert_eq!(browser.eval("document.activeElement.id").await?, "resume-key");
    browser.press("canary-key-32").await?;
    browser.click("#resume [type=submit]").await?;
    let resumed = fake.run(&format!("POST /runs/{ID}/resume")).await?;
    assert_eq!(resumed.body, json!({ "apiKey": "canary-key-32" }));
    let before = run.last();
    let going = run.record("running", &Value::Null);
    resumed.reply.json(StatusCode::ACCEPTED, &going);
    known(&mut fake, &going).await?;
    let events = joined(&mut fake, before).await?;
    run.tell("run_resumed", json!({ "by_request": true }));
    send(&events, run.after(before));
    known(&mut fake, &going).await?;
    browser.until("document.body.dataset.phase === 'running'").await?;
    let kept = browser.eval(KEPT).await?;
    assert!(!kept.as_str().unwrap_or_default().contains("canary"), "{kept}");
    assert_eq!(browser.eval("document.querySelector('#resume-key').value").await?, "");
    browser.close().await
}

#[tokio::test]
async fn changed_policies_are_named_and_can_be_overruled() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    let (run, record) = keyless();
    let events = opened(&browser, &mut fake, &run, &record).await?;
    still(&mut fake, events, &run, &record).await?;
    browser.click("[data-action=key]").await?;
    open_knobs(&browser, "#resume").await?;
    let depth = "document.querySelector('#resume [data-field=\"config.max_depth\"]').placeholder";
    assert_eq!(browser.eval(depth).await?, "now 2");
    set(&browser, "#resume [data-field='config.max_depth']", "3").await?;
    browser.click("#resume [type=submit]").await?;
    let refused = fake.run(&format!("POST /runs/{ID}/resume")).await?;
    assert_eq!(refused.body, json!({ "config": { "max_depth": 3 } }));
    let message = "policies have changed since the run began: search from version 1 to 2; resume with \"force\": true";
    refused.reply.refuse(StatusCode::CONFLICT, "conflict", message);
    browser.until("document.activeElement.id === 'force'").await?;
    assert!(browser.text("#resume .complaint").await?.contains("search from version 1 to 2"));
    browser.screenshot("runs-force").await?;
    browser.press(quarry_browser_tests::Key::Space).await?;
    browser.click("#resume [type=submit]").await?;
    let forced = fake.run(&format!("POST /runs/{ID}/resume")).await?;
    assert_eq!(forced.body, json!({ "config": { "max_depth": 3 }, "force": true }));
    browser.close().await
}

#[tokio::test]
async fn a_run_is_forked_before_a_question_and_deleted() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    let run = Research::whole(ID, TASK);
    completed(&browser, &mut fake, &run).await?;
    browser.click("[data-node=n5] > .line .question").await?;
    let started = run
        .all()
        .iter()
        .position(|(_, name, data)| *name == "node_started" && data["node_id"] == "n5");
    browser.click("#node > button").await?;
    browser.fill("#fork-task", "What did wool cost?").await?;
    browser.click("#fork [type=submit]").await?;
    let forked = fake.run(&format!("POST /runs/{ID}/fork")).await?;
    assert_eq!(forked.body, json!({ "at": started, "task": "What did wool cost?" }));
    let other = "1".repeat(32);
    let record = json!({ "run_id": other, "task": "What did wool cost?", "status": "queued", "forked_from": ID, "sequence": 0 });
    forked.reply.json(StatusCode::ACCEPTED, &record);
    fake.run(&format!("GET /runs/{other}")).await?.reply.json(StatusCode::OK, &record);
    let _events = fake.run(&format!("GET /runs/{other}/events")).await?.reply.stream();
    browser.until_text("#run-task", "What did wool cost?").await?;
    assert_eq!(browser.count("[role=treeitem]").await?, 0, "nothing of the other run is left");

    // The way back leads to the run that was forked.
    browser.run("history.back();").await?;
    let record = run.record("completed", &json!({ "report": "ready" }));
    known(&mut fake, &record).await?;
    let events = joined(&mut fake, 0).await?;
    send(&events, run.all());
    browser.until("document.body.dataset.phase === 'completed'").await?;
    browser.click("[data-action=forget]").await?;
    assert_eq!(browser.eval("document.activeElement.textContent").await?, "Keep it");
    browser.click("#forget [type=submit]").await?;
    forgotten(&mut fake).await?;
    browser.until("location.hash === ''").await?;
    browser.close().await
}

/// The next request but those about the stream, which must forget the run.
async fn forgotten(fake: &mut Fake) -> Result<()> {
    fake.run(&format!("DELETE /runs/{ID}")).await?.reply.nothing();
    Ok(())
}
