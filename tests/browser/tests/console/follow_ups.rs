//! Questions that follow up on an answer: what is sent, and how one comes back.

use crate::code::shown;
use crate::collections::set;
use crate::{console, send};
use anyhow::{Result, bail};
use hyper::StatusCode;
use quarry_browser_tests::{Browser, Call, Fake, Key, Script, Time};
use serde_json::json;

const QUESTION: &str = "How tall is the light?";
const ID: &str = "ask-0000002a";
const LATER: &str = "And how old is it?";
const LATER_ID: &str = "ask-0000002b";

/// A page with an answer, on which one is about to follow up.
async fn following(browser: &Browser, fake: &mut Fake) -> Result<()> {
    browser.ask(QUESTION).await?;
    let events = fake.ask().await?.reply.stream();
    send(&events, Script::ordinary(ID, QUESTION, "It is 133 metres tall.").all());
    browser.until("document.body.dataset.phase === 'done'").await?;
    browser.click("#follow").await?;
    assert_eq!(browser.eval("document.activeElement.id").await?, "query", "one can type at once");
    assert_eq!(browser.eval("document.activeElement.value").await?, "");
    browser.press(LATER).await
}

#[tokio::test]
async fn a_follow_up_knows_what_was_said_before_and_leads_back_to_it() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    following(&browser, &mut fake).await?;
    assert_eq!(browser.text("#follows-what").await?, format!("Follows up on {QUESTION}"));
    browser.press(Key::Enter).await?;
    let asked = fake.run("POST /v1/responses").await?;
    let expected = json!({ "model": "quarry", "input": LATER, "previous_response_id": format!("resp_{ID}"),
        "background": true, "quarry": { "sources": ["web"] } });
    assert_eq!(asked.body, expected);
    asked.reply.json(StatusCode::OK, &json!({ "id": format!("resp_{LATER_ID}") }));
    let joined = fake.rejoin().await?;
    assert_eq!((joined.id.as_str(), joined.after), (LATER_ID, 0));
    send(&joined.reply.stream(), Script::ordinary(LATER_ID, LATER, "It is old.").all());
    browser.until_text("#answer", "It is old.").await?;
    browser.until(&format!("location.hash === '#{LATER_ID}'")).await?;

    browser.click("#follows a").await?;
    let back = fake.rejoin().await?;
    assert_eq!(back.id, ID);
    send(&back.reply.stream(), Script::ordinary(ID, QUESTION, "It is 133 metres tall.").all());
    browser.until_text("#answer", "133 metres").await?;
    assert_eq!(browser.eval("document.querySelector('#follows').hidden").await?, true);
    browser.close().await
}

#[tokio::test]
async fn a_follow_up_pays_with_the_same_key_and_can_be_asked_alone() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    following(&browser, &mut fake).await?;
    browser.click("#options > summary").await?;
    browser.fill("#api-key", "gsk-not-a-real-key").await?;
    browser.fill("#access-secret", "sésame").await?;
    browser.fill("#iterations", "3").await?;
    browser.click("#ask").await?;
    let asked = fake.run("POST /v1/responses").await?;
    assert_eq!(asked.header("x-provider-key"), "gsk-not-a-real-key");
    assert_eq!(asked.headers["authorization"].as_bytes(), "Bearer sésame".as_bytes());
    assert_eq!(asked.body["quarry"], json!({ "max_iterations": 3, "sources": ["web"] }));
    let error = json!({ "type": "invalid_request_error", "param": "previous_response_id",
        "code": "previous_response_not_found", "message": "it has expired" });
    asked.reply.json(StatusCode::BAD_REQUEST, &json!({ "error": error }));
    browser.until_text("#notice", "The answer before is no longer stored").await?;
    assert_eq!(browser.eval("location.hash").await?, format!("#{ID}"), "the way back is open");
    browser.click("#notice [data-action=alone]").await?;
    assert_eq!(browser.eval("document.querySelector('#follows').hidden").await?, true);
    assert_eq!(browser.eval("document.activeElement.id").await?, "query");
    browser.press(Key::Enter).await?;
    assert_eq!(fake.ask().await?.body["query"], LATER);
    browser.close().await
}

#[tokio::test]
async fn a_follow_up_searches_the_collection_that_is_named() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    following(&browser, &mut fake).await?;
    browser.click("#options > summary").await?;
    set(&browser, "#look-in", "web knowledge").await?;
    set(&browser, "#collection", "notes").await?;
    browser.click("#ask").await?;
    let asked = fake.run("POST /v1/responses").await?;
    let of = json!({ "sources": ["web", "knowledge"], "collection": "notes" });
    assert_eq!(asked.body["quarry"], of);
    browser.close().await
}

#[tokio::test]
async fn a_setting_that_is_not_valid_is_told_at_its_field() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    following(&browser, &mut fake).await?;
    browser.press(Key::Enter).await?;
    let error = json!({ "type": "invalid_request_error", "param": "quarry.budget",
        "code": "invalid_value", "message": "`quarry.budget` is too small" });
    let asked = fake.run("POST /v1/responses").await?;
    asked.reply.json(StatusCode::BAD_REQUEST, &json!({ "error": error }));
    browser.until_text("#notice", "A setting is not valid").await?;
    browser.click("#notice button").await?;
    assert_eq!(browser.eval("document.activeElement.id").await?, "budget");
    browser.close().await
}

#[tokio::test]
async fn a_follow_up_that_is_only_looked_at_is_one_all_the_same() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.run(&format!("location.hash = '{LATER_ID}';")).await?;
    let events = fake.rejoin().await?.reply.stream();
    events.event(1, "init", &json!({ "id": LATER_ID, "query": LATER, "turns": 2 }));
    let known = fake.run(&format!("GET /v1/responses/resp_{LATER_ID}")).await?;
    known.reply.json(StatusCode::OK, &json!({ "previous_response_id": format!("resp_{ID}") }));
    browser.until_text("#follows-what", "Follows up on an earlier answer").await?;
    let link = "document.querySelector('#follows a').hash";
    assert_eq!(browser.eval(link).await?, format!("#{ID}"));
    events.event(2, "answer_delta", &json!({ "text": "It is old." }));
    events.event(3, "complete", &json!({ "result": {}, "executionTime": 1 }));
    browser.until("document.body.dataset.phase === 'done'").await?;
    browser.click("#ask").await?;
    let again = fake.run("POST /v1/responses").await?;
    assert_eq!(again.body["previous_response_id"], format!("resp_{ID}"));
    browser.close().await
}

#[tokio::test]
async fn a_follow_up_is_shown_as_a_request_with_what_was_said_before() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    following(&browser, &mut fake).await?;
    browser.press(Key::Enter).await?;
    let asked = fake.run("POST /v1/responses").await?;
    asked.reply.json(StatusCode::OK, &json!({ "id": format!("resp_{LATER_ID}") }));
    let joined = fake.rejoin().await?;
    send(&joined.reply.stream(), Script::ordinary(LATER_ID, LATER, "It is old.").all());
    browser.until_text("#answer", "It is old.").await?;
    browser.click("#code summary").await?;
    let before = loop {
        match fake.call().await? {
            Call::Run(run) => break run,
            // Whether the server wants a secret.
            Call::Other(_) => {}
            other => bail!("expected what was said before to be asked for, got {other:?}"),
        }
    };
    let line = format!("GET /v1/responses/resp_{LATER_ID}/input_items?order=asc&limit=100");
    assert_eq!(before.line, line);
    let item = |role: &str, kind: &str, text: &str| json!({ "type": "message", "role": role, "content": [{ "type": kind, "text": text }] });
    let items = [
        item("user", "input_text", QUESTION),
        item("assistant", "output_text", "It is 133 metres tall."),
        item("user", "input_text", LATER),
    ];
    before.reply.json(StatusCode::OK, &json!({ "data": items, "has_more": false }));
    browser.until("document.querySelectorAll('#door option').length === 4").await?;
    for door in ["OpenAI: chat", "AI SDK", "AG-UI"] {
        let text = shown(&browser, door).await?;
        let places = [QUESTION, "It is 133 metres tall.", LATER].map(|said| text.find(said));
        assert!(places.is_sorted() && places[0].is_some(), "{door}: {text}");
    }
    let text = shown(&browser, "OpenAI: responses").await?;
    assert!(text.contains(&format!("resp_{ID}")) && !text.contains(QUESTION), "{text}");
    browser.close().await
}
