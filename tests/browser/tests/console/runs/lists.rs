//! The list of runs: pages, a filter, runs that only this browser knows, a server that wants its secret.

use super::{ID, TASK, page};
use anyhow::Result;
use hyper::StatusCode;
use quarry_browser_tests::{Browser, Fake, Research, Time};
use serde_json::{Value, json};

fn listed(id: &str, task: &str, status: &str) -> Value {
    Research::begun(id, task).record(status, &Value::Null)
}

#[tokio::test]
async fn runs_are_listed_page_by_page_and_by_state() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    browser.until_text("#list-note", "No runs yet.").await?;
    browser.reload().await?;
    let first = json!({ "runs": [listed(&"a".repeat(32), "First?", "running"), listed(&"b".repeat(32), "Second?", "completed")],
        "next_cursor": "17-b" });
    fake.run("GET /runs?").await?.reply.json(StatusCode::OK, &first);
    browser.until("document.querySelectorAll('#list li').length === 2").await?;
    let item = browser.text("#list li").await?;
    assert!(
        item.starts_with("First?\nRunning ") && item.contains("4 questions · 6 sources · $0.01"),
        "{item}"
    );
    browser.click("#more").await?;
    let more = fake.run("GET /runs?cursor=17-b").await?;
    more.reply
        .json(StatusCode::OK, &json!({ "runs": [listed(&"c".repeat(32), "Third?", "failed")] }));
    browser.until("document.querySelectorAll('#list li').length === 3").await?;
    assert_eq!(browser.eval("document.querySelector('#more').hidden").await?, true);
    let focused = browser.eval("document.activeElement.textContent").await?;
    assert_eq!(focused, "Third?", "one reads on where one was");
    browser.screenshot("runs-list").await?;

    browser.run("const filter = document.querySelector('#filter'); filter.value = 'failed'; filter.dispatchEvent(new Event('change'));").await?;
    fake.run("GET /runs?status=failed").await?.reply.json(StatusCode::OK, &json!({ "runs": [] }));
    browser.until_text("#list-note", "No failed runs.").await?;
    browser.close().await
}

#[tokio::test]
async fn a_list_that_could_not_be_loaded_is_asked_for_again() -> Result<()> {
    let mut fake = Fake::start(Time::Real).await?;
    let Some(browser) = Browser::launch().await? else { return Ok(()) };
    browser.open(&fake.runs("")).await?;
    let asked = fake.run("GET /runs?").await?;
    assert_eq!(browser.text("#list-note").await?, "Loading…");
    asked.reply.refuse(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the store is away");
    browser.until_text("#list-note", "The store is away.").await?;
    browser.click("#again").await?;
    let told = json!({ "runs": [listed(ID, TASK, "completed")] });
    fake.run("GET /runs?").await?.reply.json(StatusCode::OK, &told);
    browser.until_text("#list", TASK).await?;
    browser.until("document.activeElement.closest('#list')").await?;
    assert_eq!(browser.eval("document.querySelector('#again').hidden").await?, true);
    assert_eq!(browser.text("#list-note").await?, "");
    browser.close().await
}

#[tokio::test]
async fn where_the_list_is_closed_the_browser_remembers_what_it_began() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    browser.until_text("#list-note", "No runs yet.").await?;
    let gone = "d".repeat(32);
    browser
        .run(&format!(
            "localStorage.setItem('runs', JSON.stringify(['{ID}', '{gone}', 7, '<img>']));"
        ))
        .await?;
    browser.reload().await?;
    fake.run("GET /runs?").await?.reply.json(StatusCode::OK, &json!({ "runs": [] }));
    fake.run(&format!("GET /runs/{ID}"))
        .await?
        .reply
        .json(StatusCode::OK, &listed(ID, TASK, "completed"));
    let missing = fake.run(&format!("GET /runs/{gone}")).await?;
    missing.reply.refuse(StatusCode::NOT_FOUND, "not_found", "there is no such run");
    browser.until_text("#list", TASK).await?;
    assert_eq!(browser.text("#list-note").await?, "Started in this browser.");
    assert_eq!(browser.eval("localStorage.getItem('runs')").await?, format!("[\"{ID}\"]"));
    browser.close().await
}

#[tokio::test]
async fn a_server_that_wants_its_secret_is_given_it_and_it_is_kept_nowhere() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    browser.fill("#task", TASK).await?;
    browser.click("#start").await?;
    let refused = fake.run("POST /runs").await?;
    assert_eq!(refused.header("authorization"), "");
    refused.reply.refuse(
        StatusCode::UNAUTHORIZED,
        "unauthorized",
        "accessSecret is missing or wrong",
    );
    browser.until("document.activeElement.id === 'secret'").await?;
    browser.screenshot("runs-secret").await?;
    browser.press("canary-sécret").await?;
    browser.click("#unlocking [type=submit]").await?;
    let again = fake.run("POST /runs").await?;
    assert_eq!(again.headers["authorization"].as_bytes(), "Bearer canary-sécret".as_bytes());
    again.reply.json(StatusCode::ACCEPTED, &listed(ID, TASK, "queued"));
    let snapshot = fake.run(&format!("GET /runs/{ID}")).await?;
    assert_eq!(snapshot.headers["authorization"].as_bytes(), "Bearer canary-sécret".as_bytes());
    let kept = browser
        .eval("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])")
        .await?;
    assert!(!kept.as_str().unwrap_or_default().contains("canary"), "{kept}");
    browser.close().await
}
