//! The page against the real components: from a question to an answer, to another, and through a rate limit.

use anyhow::Result;
use quarry_browser_tests::{Browser, Key};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script};

async fn open(quarry: &Quarry) -> Result<Option<Browser>> {
    let Some(browser) = Browser::launch().await? else { return Ok(None) };
    browser.open(&format!("{}/console/", quarry.url)).await?;
    Ok(Some(browser))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_without_a_key() -> Result<()> {
    let setup = Setup::new(Script::ordinary()).variable("default_model", "local:extractive");
    let quarry = setup.start().await?;
    let Some(browser) = open(&quarry).await? else { return Ok(()) };
    browser.ask("What did the Orrin Bridge cost?").await?;
    browser.until("document.body.dataset.phase === 'done'").await?;
    assert!(browser.text("#answer").await?.contains("186 million euros"));
    assert!(browser.text("#answer-note").await?.contains("without a language model"));
    assert_ne!(browser.count("#sources a").await?, 0);
    assert_ne!(browser.count(".call[data-state=done]").await?, 0);
    for spent in ["#cost", "#used"] {
        assert_eq!(browser.text(spent).await?, "", "rules cost nothing, and no token: {spent}");
    }
    browser.screenshot("live").await?;

    // A number opens what it rests on.
    browser.click(".cite").await?;
    let quotation = browser.text(".quotation").await?;
    assert!(quotation.contains("186 million euros"), "{quotation}");
    assert!(quotation.contains("Open at this place"), "{quotation}");
    browser.screenshot("live-quotation").await?;
    assert!(browser.text("#proof").await?.contains("sentences verified"));
    browser.press(Key::Escape).await?;
    assert_eq!(browser.count(".quotation").await?, 0);

    // The address names the ask: a reload shows it again.
    let answer = browser.text("#answer").await?;
    browser.reload().await?;
    browser.until("document.body.dataset.phase === 'done'").await?;
    assert_eq!(browser.text("#answer").await?, answer);
    browser.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rate_limit_is_waited_out_and_the_ask_goes_on() -> Result<()> {
    let limit = Reply::rate_limited("3");
    let script = Script::ordinary().first(Match::Phase(Phase::Synthesis), [limit]);
    let quarry = Setup::new(script).start().await?;
    let Some(browser) = open(&quarry).await? else { return Ok(()) };
    browser.ask("What is the capacity factor?").await?;
    browser.until("document.body.dataset.phase === 'waiting'").await?;
    browser.until("document.body.dataset.phase === 'done'").await?;
    assert_eq!(browser.count(".call").await?, 2, "no tool ran twice");
    assert!(!browser.text("#answer").await?.is_empty());
    browser.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_follow_up_is_answered_and_known_as_one_after_a_reload() -> Result<()> {
    let quarry = Setup::new(Script::ordinary()).start().await?;
    let Some(browser) = open(&quarry).await? else { return Ok(()) };
    browser.ask("What is the capacity factor?").await?;
    browser.until("document.body.dataset.phase === 'done'").await?;
    let first = browser.eval("location.hash").await?;
    browser.click("#follow").await?;
    browser.press("And of the other one?").await?;
    browser.press(Key::Enter).await?;
    let answered = format!("document.body.dataset.phase === 'done' && location.hash !== {first}");
    browser.until(&answered).await?;
    assert!(!browser.text("#answer").await?.is_empty());
    browser.reload().await?;
    let known = format!("document.querySelector('#follows a')?.hash === {first}");
    browser.until(&known).await?;
    browser.close().await
}
