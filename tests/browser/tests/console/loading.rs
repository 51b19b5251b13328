//! Documents on their way into a collection.

use crate::knowledge::{DOCUMENTS, ID, document, home, page};
use crate::people::checked;
use anyhow::{Context as _, Result};
use hyper::StatusCode;
use quarry_browser_tests::{Browser, Call, Fake, Reply, Time};
use serde_json::{Value, json};
use std::time::Duration;

/// Chooses files as a person does in the box of their system.
pub async fn choose(browser: &Browser, files: &[(&str, &str)]) -> Result<()> {
    let files = serde_json::to_string(files)?;
    let chosen = format!(
        "const held = new DataTransfer();
         for (const [name, text] of {files}) held.items.add(new File([text], name));
         const field = document.querySelector('#files');
         field.files = held.files;
         field.dispatchEvent(new Event('change'));"
    );
    browser.run(&chosen).await?;
    Ok(())
}

/// What became of a file that was loaded.
pub fn loaded(change: &str) -> Value {
    json!({
        "name": "ferries.md", "change": change, "document": document(ID, "Ferries"),
        "embedding": { "model": "openai:text-embedding-3-small", "tokens": if change == "added" { 9_000 } else { 0 }, "cost": 0.000_18 },
    })
}

/// Tells what became of the only file of a load, and ends.
pub fn ended(reply: Reply, outcome: &Value) {
    let events = reply.stream();
    events.unnumbered("document", outcome);
    events.unnumbered("done", &json!({ "loaded": 1, "unchanged": 0, "failed": 0 }));
}

#[tokio::test]
async fn files_are_loaded_one_after_the_other_and_a_bad_one_stops_none() -> Result<()> {
    let Some((browser, mut fake)) = page(&[]).await? else { return Ok(()) };
    browser.until_text("#documents-note", "No documents yet.").await?;
    let files = [("ferries.md", "# Ferries"), ("bad.pdf", "no pdf"), ("again.md", "# Ferries")];
    choose(&browser, &files).await?;
    let first = fake.run("POST /knowledge/documents").await?;
    assert!(first.header("content-type").starts_with("multipart/form-data"));
    let sent = String::from_utf8_lossy(&first.bytes).into_owned();
    assert!(sent.contains("filename=\"ferries.md\"") && sent.contains("# Ferries"), "{sent}");
    let states = "[...document.querySelectorAll('#loads li')].map((each) => each.dataset.state)";
    assert_eq!(browser.eval(states).await?, json!(["reading", "waiting", "waiting"]));
    ended(first.reply, &loaded("added"));
    // The list is asked for anew while the next are on their way: they come in any order.
    let why = "bad.pdf is no PDF: its first bytes are not those of one";
    let failed = json!({ "name": "bad.pdf", "change": "failed", "error": why });
    let mut answers = vec![loaded("unchanged"), failed];
    for _ in 0..4 {
        match fake.call().await? {
            Call::Run(call) if call.line == DOCUMENTS => {
                call.reply.json(StatusCode::OK, &json!({ "documents": [document(ID, "Ferries")] }));
            }
            Call::Run(call) if call.line == "GET /knowledge/collections" => {
                call.reply.json(StatusCode::OK, &json!({ "collections": [] }));
            }
            Call::Run(call) => {
                assert_eq!(call.line, "POST /knowledge/documents");
                let answer = answers.pop().context("a file is sent once")?;
                ended(call.reply, &answer);
            }
            other => anyhow::bail!("not expected: {other:?}"),
        }
    }
    browser.until(&format!("{states}.join() === 'added,failed,unchanged'")).await?;
    let words = browser.text("#loads ul").await?;
    assert!(
        words.contains("Not loaded Bad.pdf is no PDF") || words.contains("bad.pdf is no PDF"),
        "{words}"
    );
    assert!(words.contains("Added 14 passages · 9,000 tokens, $0.00018"), "{words}");
    browser.until_text("#spoken", "2 documents loaded. 1 document not loaded.").await?;
    assert_eq!(browser.count("#documents li").await?, 1);
    checked(&browser, "knowledge-loads").await?;
    browser.click("#clear").await?;
    assert_eq!(browser.eval("document.querySelector('#loads').hidden").await?, true);
    assert!(fake.untaken().is_none(), "what changed nothing needs no new list");
    browser.close().await
}

#[tokio::test]
async fn a_file_shows_how_far_it_is_and_tells_listeners_now_and_then() -> Result<()> {
    const SPOKEN: &str = "document.querySelector('#spoken').textContent";
    let mut fake = Fake::start(Time::Manual).await?;
    let Some(browser) = Browser::launch().await? else { return Ok(()) };
    browser.open(&fake.knowledge("")).await?;
    home(&mut fake, &[]).await?;
    choose(&browser, &[("ferries.md", "# Ferries")]).await?;
    let sent = fake.run("POST /knowledge/documents").await?;
    assert_eq!(sent.header("accept"), "text/event-stream");
    let events = sent.reply.stream();
    let far = |done: u32| {
        let progress = json!({ "name": "ferries.md", "done": done, "chunks": 1_400 });
        events.unnumbered("progress", &progress);
    };
    events.raw(":\n\n");
    far(500);
    browser.until_text("#loads small", "Loading 500 of 1,400 passages").await?;
    let bar = "const { position, ariaLabel } = document.querySelector('#loads progress'); \
               return [position.toFixed(2), ariaLabel];";
    assert_eq!(browser.run(bar).await?, json!(["0.36", "Loading: ferries.md"]));
    assert_eq!(browser.eval(SPOKEN).await?, "ferries.md: 500 of 1,400 passages.");
    checked(&browser, "knowledge-loading").await?;
    // Whoever listens is not told of each batch.
    far(1_000);
    browser.until_text("#loads small", "Loading 1,000 of 1,400 passages").await?;
    assert_eq!(browser.eval(SPOKEN).await?, "ferries.md: 500 of 1,400 passages.");
    browser.advance(Duration::from_secs(20)).await?;
    far(1_400);
    browser.until_text("#spoken", "ferries.md: 1,400 of 1,400 passages.").await?;
    // What became of it stands, whatever breaks off behind that. What is shown tells that it has come.
    events.unnumbered("document", &loaded("unchanged"));
    far(1_399);
    browser.until_text("#loads small", "1,399 of 1,400").await?;
    events.cut();
    browser.until_text("#loads small", "Unchanged 14 passages").await?;
    browser.until_text("#spoken", "1 document loaded.").await?;
    assert_eq!(browser.count("#loads progress").await?, 0);
    browser.close().await
}

#[tokio::test]
async fn a_load_that_breaks_off_is_sent_again_and_one_that_fails_is_on_request() -> Result<()> {
    let mut fake = Fake::start(Time::Manual).await?;
    let Some(browser) = Browser::launch().await? else { return Ok(()) };
    browser.open(&fake.knowledge("")).await?;
    home(&mut fake, &[]).await?;
    choose(&browser, &[("ferries.md", "# Ferries")]).await?;
    let events = fake.run("POST /knowledge/documents").await?.reply.stream();
    events.unnumbered("progress", &json!({ "name": "ferries.md", "done": 5, "chunks": 14 }));
    browser.until_text("#loads small", "Loading 5 of 14 passages").await?;
    events.cut();
    browser.until_text("#loads small", "It is sent again in 1 s.").await?;
    assert_eq!(browser.count("#loads progress").await?, 0);
    browser.advance(Duration::from_secs(1)).await?;
    let again = fake.run("POST /knowledge/documents").await?;
    // One that ends in good order, and has told nothing.
    again.reply.stream().end();
    browser.until_text("#loads small", "It is sent again in 2 s.").await?;
    browser.advance(Duration::from_secs(2)).await?;
    let again = fake.run("POST /knowledge/documents").await?;
    let failed = json!({ "name": "ferries.md", "change": "failed", "type": "provider_failed",
        "error": "openai:small gave no embeddings: the provider failed (500)" });
    ended(again.reply, &failed);
    browser.until_text("#loads small", "the provider failed (500).").await?;
    browser.click("#loads li button").await?;
    let again = fake.run("POST /knowledge/documents").await?;
    ended(again.reply, &loaded("unchanged"));
    browser.until_text("#spoken", "1 document loaded.").await?;
    browser.close().await
}

#[tokio::test]
async fn a_file_that_is_too_large_is_not_sent() -> Result<()> {
    let Some((browser, mut fake)) = page(&[]).await? else { return Ok(()) };
    browser
        .run("const held = new DataTransfer(); held.items.add(new File([new Uint8Array(20 * 1024 * 1024 + 1)], 'large.txt')); document.querySelector('#drop').dispatchEvent(new DragEvent('drop', { dataTransfer: held, bubbles: true, cancelable: true }));")
        .await?;
    browser.until_text("#loads", "a document may have up to 20 MiB").await?;
    assert!(fake.untaken().is_none());
    browser.close().await
}

#[tokio::test]
async fn an_address_is_loaded_and_a_refusal_stands_where_it_belongs() -> Result<()> {
    let Some((browser, mut fake)) = page(&[]).await? else { return Ok(()) };
    browser.click("#load").await?;
    browser.until_text("#by-address .wrong", "Write an address first.").await?;
    browser.fill("#url", "https://ferries.example/winter").await?;
    browser.click("#load").await?;
    let asked = fake.run("POST /knowledge/documents").await?;
    assert_eq!(
        asked.body,
        json!({ "url": "https://ferries.example/winter", "collection": "default" })
    );
    let failed = json!({ "name": "https://ferries.example/winter", "change": "failed",
        "type": "unavailable", "error": "ferries.example does not answer" });
    ended(asked.reply, &failed);
    browser.until_text("#loads", "Ferries.example does not answer.").await?;
    browser.until_text("#loads li button", "Try again").await?;
    browser.close().await
}
