//! What a person meets in the console, in a headless browser.

mod citations;
mod code;
mod collections;
mod documents;
mod follow_ups;
mod hostile;
mod interruptions;
mod judged;
mod knowledge;
mod live;
mod loading;
mod modules;
mod ordinary;
mod people;
mod recent;
mod runs;
mod taken;
mod told;
mod turning;

use anyhow::Result;
use quarry_browser_tests::{Browser, Fake, Time};
use serde_json::Value;

/// A browser on the console of a fake server; None where there is no browser.
async fn console(time: Time) -> Result<Option<(Browser, Fake)>> {
    let fake = Fake::start(time).await?;
    let Some(browser) = Browser::launch().await? else { return Ok(None) };
    browser.open(&fake.console()).await?;
    Ok(Some((browser, fake)))
}

/// Sends events.
fn send(events: &quarry_browser_tests::Events, script: &[(u64, &'static str, Value)]) {
    for (number, name, data) in script {
        events.event(*number, name, data);
    }
}
