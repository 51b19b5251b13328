//! Questions that were asked in this browser: how they are found again, and that no more is kept of them than a name.

use crate::{console, send};
use anyhow::Result;
use hyper::StatusCode;
use quarry_browser_tests::{Browser, Fake, Script, Time};
use serde_json::json;

const QUESTION: &str = "How tall is the light?";
const ID: &str = "ask-0000003a";
const GONE: &str = "ask-0000003b";
const IS_SHOWN: &str = "document.querySelector('#recent').checkVisibility()";

async fn answered(browser: &Browser, fake: &mut Fake) -> Result<()> {
    browser.ask(QUESTION).await?;
    let events = fake.ask().await?.reply.stream();
    send(&events, Script::ordinary(ID, QUESTION, "It is 133 metres tall.").all());
    browser.until("document.body.dataset.phase === 'done'").await
}

#[tokio::test]
async fn what_was_asked_before_is_found_again_by_its_id() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    assert_eq!(browser.eval(IS_SHOWN).await?, false, "nothing was asked yet");
    answered(&browser, &mut fake).await?;
    let kept = browser.eval("JSON.stringify({ ...localStorage })").await?;
    assert_eq!(kept, json!({ "asks": json!([ID]).to_string() }).to_string(), "no word of it");
    browser.click(".brand").await?;
    let looked = fake.rejoin().await?;
    assert_eq!((looked.id.as_str(), looked.after), (ID, 0));
    send(&looked.reply.stream(), Script::ordinary(ID, QUESTION, "").through("init"));
    browser.until_text("#recent", QUESTION).await?;
    browser.click("#recent a").await?;
    let opened = fake.rejoin().await?;
    assert_eq!(opened.id, ID);
    send(&opened.reply.stream(), Script::ordinary(ID, QUESTION, "It is 133 metres tall.").all());
    browser.until_text("#answer", "133 metres").await?;
    assert_eq!(browser.eval(IS_SHOWN).await?, false);
    browser.close().await
}

#[tokio::test]
async fn what_is_no_longer_stored_is_forgotten_and_so_is_all_on_request() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    let kept = json!(json!([ID, GONE, 7, "<img>"]).to_string());
    browser.run(&format!("localStorage.setItem('asks', {kept});")).await?;
    browser.reload().await?;
    for _ in 0..2 {
        let looked = fake.rejoin().await?;
        if looked.id == GONE {
            looked.reply.refuse(StatusCode::NOT_FOUND, "not_found", "there is no such ask");
        } else {
            let init = json!({ "id": ID, "query": "<img src=x onerror=window.owned=1>" });
            looked.reply.stream().event(1, "init", &init);
        }
    }
    browser.until_text("#recent", "<img src=x").await?;
    assert_eq!(browser.count("#recent img").await?, 0, "it is text");
    let left = browser.eval("localStorage.getItem('asks')").await?;
    assert_eq!(left, json!([ID]).to_string());
    browser.click("#recent button").await?;
    assert_eq!(browser.eval(IS_SHOWN).await?, false);
    assert_eq!(browser.eval("localStorage.length").await?, 0);
    assert_eq!(browser.eval("document.activeElement.id").await?, "query");
    browser.close().await
}
