//! The page against the real components: from a task to a report, and what a person may do on the way.

use anyhow::Result;
use quarry_browser_tests::{Browser, Key};
use quarry_scenarios::quarry::{KEY, Quarry, Setup};
use quarry_scenarios::research::{ASKED, TASK, asked, script};
use quarry_test_provider::{Reply, Script};

/// What rules part, where they find too little.
const PARTS: &str = "What did the Orrin Bridge cost, and who paid for it?";
const PHASE: &str = "document.body.dataset.phase";

async fn open(setup: Setup) -> Result<Option<(Browser, Quarry)>> {
    let Some(browser) = Browser::launch().await? else { return Ok(None) };
    let quarry = setup.start().await?;
    browser.open(&format!("{}/console/runs/", quarry.url)).await?;
    Ok(Some((browser, quarry)))
}

/// A setup whose provider answers all that a run of one node asks, once it has held back what has these words.
fn held(words: &str) -> Setup {
    // With the usual lease: nobody dies here, and no driver is to lose its run to another, however slow the machine.
    Setup::new(script().first(asked(words), [Reply::text("").hold("held")]))
}

async fn start(browser: &Browser, task: &str, effort: &str) -> Result<()> {
    browser.fill("#task", task).await?;
    browser.click(&format!(".effort input[value={effort}]")).await?;
    browser.click("#start").await
}

async fn until(browser: &Browser, phase: &str) -> Result<()> {
    browser.until(&format!("{PHASE} === '{phase}'")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_grows_to_a_report_without_a_key() -> Result<()> {
    let setup = Setup::new(Script::ordinary()).variable("default_model", "local:extractive");
    let Some((browser, quarry)) = open(setup).await? else { return Ok(()) };
    start(&browser, PARTS, "standard").await?;
    until(&browser, "completed").await?;
    assert_ne!(
        browser.count("#tree [role=group] [role=treeitem]").await?,
        0,
        "the question was parted"
    );
    assert_eq!(browser.count("#report h4").await?, 8);
    browser.until("document.querySelectorAll('#report .cite').length > 0").await?;
    browser.screenshot("runs-live").await?;
    assert!(!browser.text("#bounds").await?.contains("Cost"), "rules cost nothing");

    // A citation opens what it rests on.
    browser.click("#report .cite").await?;
    let quotation = browser.text(".quotation").await?;
    assert!(
        quotation.contains("186 million") && quotation.contains("Open at this place"),
        "{quotation}"
    );
    browser.screenshot("runs-live-quotation").await?;
    browser.press(Key::Escape).await?;

    // The address names the run: a reload shows it again, and so does the list.
    let (report, tree) = (browser.text("#report").await?, browser.count("[role=treeitem]").await?);
    browser.reload().await?;
    until(&browser, "completed").await?;
    browser.until("document.querySelectorAll('#report .cite').length > 0").await?;
    assert_eq!(browser.text("#report").await?, report);
    assert_eq!(browser.count("[role=treeitem]").await?, tree);
    let files = tempfile::tempdir()?;
    let place = serde_json::json!({ "behavior": "allow", "downloadPath": files.path(), "eventsEnabled": false });
    browser.cdp("Browser.setDownloadBehavior", place).await?;
    for button in [
        "[data-download='text/markdown']",
        "[data-download='text/html']",
        "[data-download='application/json']",
        "[data-trace=lines]",
        "[data-trace=bundle]",
    ] {
        browser.click(button).await?;
        browser
            .until(&format!("document.querySelector(\"{button}\").ariaDisabled === 'false'"))
            .await?;
    }
    let text = downloaded(&files, ".md").await?;
    assert!(text.starts_with("# ") && text.contains("186 million"), "{text}");
    assert!(downloaded(&files, ".html").await?.contains("<html"));
    assert!(downloaded(&files, ".json").await?.contains("\"claims\""));
    assert_eq!(browser.text("#complaint").await?, "");
    browser.click("#all-runs").await?;
    browser.until_text("#list-note", "Started in this browser.").await?;
    assert!(browser.text("#list").await?.contains(PARTS));
    drop(quarry);
    browser.close().await
}

/// The text of the file with this ending, once it is whole.
async fn downloaded(files: &tempfile::TempDir, ending: &str) -> Result<String> {
    loop {
        for file in std::fs::read_dir(files.path())? {
            let path = file?.path();
            if path.to_string_lossy().ends_with(ending) {
                return Ok(std::fs::read_to_string(path)?);
            }
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_guided_aborted_resumed_forked_and_deleted() -> Result<()> {
    let Some((browser, quarry)) = open(held(ASKED[1])).await? else { return Ok(()) };
    start(&browser, TASK, "quick").await?;
    quarry.provider.holding("held", 1).await;
    until(&browser, "running").await?;
    browser.click("[data-action=guide]").await?;
    browser.press("Look at the accounts.").await?;
    browser.click("#guide [type=submit]").await?;
    browser.until_text("#guidance-part", "Look at the accounts.").await?;
    browser.click("[data-action=abort]").await?;
    until(&browser, "aborted").await?;
    browser.until_text("#notice", "The run was aborted").await?;

    // Another tab sees the same, and what it does is seen here.
    let address = browser.eval("location.href").await?;
    browser.open_tab(address.as_str().unwrap_or_default()).await?;
    until(&browser, "aborted").await?;
    browser.until_text("#guidance-part", "Look at the accounts.").await?;
    quarry.provider.release("held");
    browser.click("#notice [data-action=resume]").await?;
    browser.click("#resume [type=submit]").await?;
    until(&browser, "completed").await?;
    browser.show_tab(0).await?;
    until(&browser, "completed").await?;
    browser.until("document.querySelectorAll('#report .cite').length > 0").await?;

    let asked_for = quarry.provider.calls().len();
    browser.click("[data-action=fork]").await?;
    browser.click("#fork [type=submit]").await?;
    browser.until(&format!("location.href !== {address}")).await?;
    until(&browser, "completed").await?;
    browser.until_text("#run-about", "forked from another run").await?;
    browser.until("document.querySelectorAll('#report .cite').length > 0").await?;
    assert!(quarry.provider.calls().len() <= asked_for + 2, "what was done is not done again");
    browser.click("[data-action=forget]").await?;
    browser.click("#forget [type=submit]").await?;
    browser.until("location.hash === ''").await?;
    browser.until("document.querySelectorAll('#list li').length === 1").await?;
    browser.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_key_is_gone_waits_for_it_and_goes_on() -> Result<()> {
    const OWN: &str = "canary-callers-key-91bc";
    let setup = held(ASKED[1]).variable("openai_api_key", "");
    // Its driver dies here, and is waited for as long.
    let setup = setup.variable("run_lease_ms", "1000");
    let Some((browser, quarry)) = open(setup).await? else { return Ok(()) };
    browser.run("document.querySelector('#options').open = true;").await?;
    browser.fill("#model", "openai:m").await?;
    browser.fill("#api-key", OWN).await?;
    start(&browser, TASK, "quick").await?;
    quarry.provider.holding("held", 1).await;
    let hash = browser.eval("location.hash").await?;
    let quarry = quarry.restart().await?;
    quarry.provider.set_script(script());
    browser
        .open(&format!("{}/console/runs/{}", quarry.url, hash.as_str().unwrap_or_default()))
        .await?;
    until(&browser, "waiting").await?;
    browser.until_text("#notice", "The run needs an API key").await?;
    browser.click("#notice [data-action=key]").await?;
    browser.press(OWN).await?;
    browser.click("#resume [type=submit]").await?;
    until(&browser, "completed").await?;
    let stored = quarry.stored()?;
    for secret in [OWN, KEY] {
        assert!(!stored.windows(secret.len()).any(|bytes| bytes == secret.as_bytes()));
    }
    browser.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_knob_is_told_at_its_field() -> Result<()> {
    let setup = Setup::new(Script::ordinary()).variable("default_model", "local:extractive");
    let Some((browser, quarry)) = open(setup).await? else { return Ok(()) };
    browser.open(&format!("{}/console/runs", quarry.url)).await?;
    assert_eq!(
        browser.eval("location.pathname").await?,
        "/console/runs/",
        "the slash may be left out"
    );
    browser.run("document.querySelector('#options').open = true; document.querySelector('#begin [data-knobs]').open = true;").await?;
    browser
        .until("document.querySelectorAll('#begin [data-field^=\"config.\"]').length > 10")
        .await?;
    browser.fill("#begin [data-field='config.timeouts.run']", "3").await?;
    start(&browser, TASK, "quick").await?;
    browser.until("document.activeElement.dataset.field === 'config.timeouts.run'").await?;
    assert_eq!(browser.text("#begin .wrong").await?, "Wants a whole number from 10 to 86400.");
    browser.close().await
}
