//! What a person meets on the page of runs.

mod lists;
mod live;
mod people;
mod settled;
mod steering;
mod watching;

use crate::send;
use anyhow::Result;
use quarry_browser_tests::{Browser, Events, Fake, Research, Time};
use serde_json::{Value, json};

const ID: &str = "0192a6f0c0de4aaa8bbb0123456789ab";
const TASK: &str = "How did the Orrin Bridge change the island's trade?";

/// A browser on the page of runs of a fake server, whose list is empty; None where there is no browser.
async fn page(time: Time) -> Result<Option<(Browser, Fake)>> {
    let mut fake = Fake::start(time).await?;
    let Some(browser) = Browser::launch().await? else { return Ok(None) };
    browser.open(&fake.runs("")).await?;
    fake.run("GET /runs?").await?.reply.json(hyper::StatusCode::OK, &json!({ "runs": [] }));
    Ok(Some((browser, fake)))
}

/// Answers the page's question what the server says of a run.
async fn known(fake: &mut Fake, record: &Value) -> Result<()> {
    fake.run(&format!("GET /runs/{ID}")).await?.reply.json(hyper::StatusCode::OK, record);
    Ok(())
}

/// The stream that the page joins after an event.
async fn joined(fake: &mut Fake, after: u64) -> Result<Events> {
    let joined = fake.run(&format!("GET /runs/{ID}/events")).await?;
    assert_eq!(joined.header("last-event-id"), after.to_string());
    Ok(joined.reply.stream())
}

/// Has the page show a run that stands so, with all of its events, and leaves its stream open.
async fn opened(
    browser: &Browser,
    fake: &mut Fake,
    run: &Research,
    record: &Value,
) -> Result<Events> {
    browser.open(&fake.runs(ID)).await?;
    known(fake, record).await?;
    let events = joined(fake, 0).await?;
    send(&events, run.all());
    read(browser, run).await?;
    Ok(events)
}

/// Waits until the page has taken in every event of a run.
async fn read(browser: &Browser, run: &Research) -> Result<()> {
    let count = format!("document.querySelector('#log-count').textContent === '{}'", run.last());
    browser.until(&count).await
}

/// The stream ends, and the server has nothing more to say until somebody does something.
async fn still(fake: &mut Fake, events: Events, run: &Research, record: &Value) -> Result<()> {
    events.end();
    let again = fake.run(&format!("GET /runs/{ID}/events")).await?;
    assert_eq!(again.header("last-event-id"), run.last().to_string());
    again.reply.nothing();
    // Events tell of sources that were left out nothing but their names.
    let mut record = record.clone();
    if let Some(fields) = record.as_object_mut() {
        let copy =
            json!({ "citation_id": "n2c", "title": "A copy", "url": "https://copies.example/" });
        fields.insert("citations".to_owned(), json!([copy]));
    }
    let whole = fake.run(&format!("GET /runs/{ID}?include=findings")).await?;
    whole.reply.json(hyper::StatusCode::OK, &record);
    Ok(())
}

/// Has the page show a run that is completed, report and all.
async fn completed(browser: &Browser, fake: &mut Fake, run: &Research) -> Result<()> {
    let record = run.record("completed", &json!({ "report": "ready" }));
    let events = opened(browser, fake, run, &record).await?;
    still(fake, events, run, &record).await?;
    let report = fake.run(&format!("GET /runs/{ID}/report")).await?;
    assert_eq!(report.header("accept"), "application/json");
    report.reply.json(hyper::StatusCode::OK, &run.companion());
    browser.until("document.querySelectorAll('#report .cite').length === 1").await
}

/// The numbers in the event log: each once, none missing.
async fn logged(browser: &Browser) -> Result<Vec<u64>> {
    browser
        .run(
            "document.querySelector('#log').open = true; await new Promise(requestAnimationFrame);",
        )
        .await?;
    let numbers = "document.querySelector('#events').textContent.trim().split('\\n').map((line) => parseInt(line))";
    Ok(serde_json::from_value(browser.eval(numbers).await?)?)
}
