//! The page of documents where something does not run to its end: a question is stopped, a tab is closed.

use crate::knowledge::{ID, document, home, page};
use crate::loading::{choose, ended, loaded};
use crate::people::{COMPOSING, checked};
use anyhow::{Context as _, Result, bail};
use hyper::StatusCode;
use quarry_browser_tests::{Browser, Call, Events, Fake, Key, Time};
use serde_json::json;

const QUESTION: &str = "When does the last ferry leave?";

#[tokio::test]
async fn an_answer_is_stopped_and_keeps_what_was_written() -> Result<()> {
    let Some((browser, mut fake)) = page(&[document(ID, "Ferries")]).await? else { return Ok(()) };
    browser.fill("#query", QUESTION).await?;
    assert_eq!(browser.run(COMPOSING).await?, true, "it ends a word, and no question");
    assert!(fake.untaken().is_none());
    browser.press(Key::Enter).await?;
    let asked = fake.run("POST /knowledge/ask").await?;
    assert_eq!(asked.body["query"], QUESTION);
    let events = asked.reply.stream();
    events.event(1, "init", &json!({ "id": "ask-0000001a", "query": QUESTION }));
    events.event(2, "answer_delta", &json!({ "text": "In winter", "at": 0 }));
    browser.until_text("#answer", "In winter").await?;
    browser.click("#stop").await?;
    assert_eq!(fake.stop().await?, "ask-0000001a", "nobody is to pay for the rest");
    browser.until_text("#stopped", "Stopped. What was written so far is below.").await?;
    browser.until("document.body.dataset.phase === 'stopped'").await?;
    assert_eq!(browser.eval("document.querySelector('#stop').hidden").await?, true);
    assert_eq!(browser.text("#answer").await?, "In winter");
    assert_eq!(browser.count("#answer.writing").await?, 0);
    assert_eq!(browser.text("#question .complaint").await?, "");
    assert_eq!(browser.eval("document.activeElement.id").await?, "ask", "one can ask again");
    checked(&browser, "knowledge-stopped").await?;

    browser.click("#ask").await?;
    let _asked = fake.run("POST /knowledge/ask").await?;
    browser.until("document.querySelector('#stop').checkVisibility()").await?;
    assert_eq!(browser.text("#stopped").await?, "");
    browser.close().await
}

#[tokio::test]
async fn an_answer_has_an_address_that_shows_it_again() -> Result<()> {
    const ASK: &str = "ask-0000001b";
    const SAID: &str = "At 18:40.";
    let begin = |events: &Events| {
        events.event(1, "init", &json!({ "id": ASK, "query": QUESTION }));
        events.event(2, "answer_delta", &json!({ "text": SAID, "at": 0 }));
    };
    let end = |events: &Events| {
        events.event(3, "knowledge_answer", &json!({ "content": SAID }));
        events.event(4, "complete", &json!({ "result": {} }));
    };
    let Some((browser, mut fake)) = page(&[document(ID, "Ferries")]).await? else { return Ok(()) };
    browser.fill("#query", QUESTION).await?;
    browser.click("#ask").await?;
    let events = fake.run("POST /knowledge/ask").await?.reply.stream();
    begin(&events);
    end(&events);
    browser.until_text("#spoken", "The answer is ready.").await?;
    assert_eq!(browser.eval("location.hash").await?, format!("#ask={ASK}"));

    browser.reload().await?;
    let (mut joined, mut is_listed) = (None, false);
    // What there is is asked for beside it, in any order.
    while joined.is_none() || !is_listed {
        match fake.call().await? {
            Call::Rejoin(rejoin) => joined = Some(rejoin),
            Call::Run(list) => {
                is_listed |= list.line == "GET /knowledge/collections";
                let none = json!({ "documents": [], "collections": [] });
                list.reply.json(StatusCode::OK, &none);
            }
            other => bail!("not expected: {other:?}"),
        }
    }
    let joined = joined.context("it is joined")?;
    assert_eq!((joined.id.as_str(), joined.after), (ASK, 0));
    let events = joined.reply.stream();
    begin(&events);
    browser.until_text("#answer.writing", SAID).await?;
    assert_eq!(browser.eval("document.querySelector('#query').value").await?, QUESTION);

    // Who only looks at it ends nothing by looking at something else.
    browser.click("#find").await?;
    let found = fake.run("POST /knowledge/search").await?;
    found.reply.json(StatusCode::OK, &json!({ "chunks": [] }));
    browser.until_text("#spoken", "Nothing was found.").await?;
    assert!(fake.untaken().is_none(), "nothing is stopped");
    browser.close().await
}

#[tokio::test]
async fn a_tab_with_files_on_their_way_is_not_closed_unasked() -> Result<()> {
    let Some((browser, mut fake)) = page(&[]).await? else { return Ok(()) };
    let leaves = "window.dispatchEvent(new Event('beforeunload', { cancelable: true }))";
    assert_eq!(browser.eval(leaves).await?, true);
    choose(&browser, &[("ferries.md", "# Ferries")]).await?;
    let sent = fake.run("POST /knowledge/documents").await?;
    assert_eq!(browser.eval(leaves).await?, false);
    ended(sent.reply, &loaded("unchanged"));
    browser.until_text("#spoken", "1 document loaded.").await?;
    assert_eq!(browser.eval(leaves).await?, true);
    browser.close().await
}

#[tokio::test]
async fn documents_that_could_not_be_loaded_are_asked_for_again() -> Result<()> {
    const LIST: &str = "GET /knowledge/documents?collection=default&limit=50";
    const COLLECTIONS: &str = "GET /knowledge/collections";
    const AWAY: StatusCode = StatusCode::SERVICE_UNAVAILABLE;
    let mut fake = Fake::start(Time::Real).await?;
    let Some(browser) = Browser::launch().await? else { return Ok(()) };
    browser.open(&fake.knowledge("")).await?;
    let asked = fake.run(LIST).await?;
    assert_eq!(browser.text("#documents-note").await?, "Loading…");
    asked.reply.refuse(AWAY, "unavailable", "the store is away");
    fake.run(COLLECTIONS).await?.reply.refuse(AWAY, "unavailable", "the store is away");
    browser.until_text("#documents-note", "The store is away.").await?;
    browser.click("#again").await?;
    let told = json!({ "documents": [document(ID, "Ferries")] });
    fake.run(LIST).await?.reply.json(StatusCode::OK, &told);
    fake.run(COLLECTIONS).await?.reply.json(StatusCode::OK, &json!({ "collections": [] }));
    browser.until("document.activeElement.closest('#documents')").await?;

    // So is a single one, and nothing is offered to be deleted that is not there.
    browser.click("#documents a").await?;
    let line = format!("GET /knowledge/documents/{ID}");
    let asked = fake.run(&line).await?;
    assert_eq!(browser.text("#document-about").await?, "Loading…");
    asked.reply.refuse(AWAY, "unavailable", "the store is away");
    browser.until_text("#document-note", "The store is away.").await?;
    let offered =
        "['#reopen', '#forget-it'].map((each) => document.querySelector(each).checkVisibility())";
    assert_eq!(browser.eval(offered).await?, json!([true, false]));
    browser.click("#reopen").await?;
    let gone = fake.run(&line).await?.reply;
    gone.refuse(StatusCode::NOT_FOUND, "not_found", "there is no such document");
    browser.until_text("#document-note", "There is no such document.").await?;
    assert_eq!(browser.eval(offered).await?, json!([false, false]));
    browser.close().await
}

#[tokio::test]
async fn a_file_that_did_not_get_through_holds_up_the_next_and_is_sent_again() -> Result<()> {
    let mut fake = Fake::start(Time::Manual).await?;
    let Some(browser) = Browser::launch().await? else { return Ok(()) };
    browser.open(&fake.knowledge("")).await?;
    home(&mut fake, &[]).await?;
    choose(&browser, &[("ferries.md", "# Ferries"), ("next.md", "# Next")]).await?;
    for seconds in [1, 2, 4, 8, 16, 32] {
        let sent = fake.run("POST /knowledge/documents").await?;
        assert!(String::from_utf8_lossy(&sent.bytes).contains("# Ferries"), "the same file");
        sent.reply.refuse(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the store is away");
        let said = format!("The store is away. It is sent again in {seconds} s.");
        browser.until_text("#loads", &said).await?;
        browser.advance(std::time::Duration::from_secs(seconds)).await?;
    }
    let sent = fake.run("POST /knowledge/documents").await?;
    sent.reply.refuse(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the store is away");
    browser.until_text("#spoken", "1 document not loaded. 1 document waiting.").await?;
    let named = "document.querySelector('#loads li button').ariaLabel";
    assert_eq!(browser.eval(named).await?, "Try again: ferries.md");
    checked(&browser, "knowledge-load-failed").await?;
    browser.click("#loads li button").await?;
    assert_eq!(browser.eval("document.activeElement.id").await?, "loads-title");
    let again = fake.run("POST /knowledge/documents").await?;
    assert!(String::from_utf8_lossy(&again.bytes).contains("# Ferries"));
    ended(again.reply, &loaded("unchanged"));
    let next = fake.run("POST /knowledge/documents").await?;
    assert!(String::from_utf8_lossy(&next.bytes).contains("# Next"));
    ended(next.reply, &loaded("unchanged"));
    browser.until_text("#spoken", "2 documents loaded.").await?;

    // What is wrong with a file is wrong the next time, too.
    choose(&browser, &[("bad.pdf", "no pdf")]).await?;
    let failed = json!({ "name": "bad.pdf", "change": "failed", "error": "bad.pdf is no PDF" });
    let bad = fake.run("POST /knowledge/documents").await?;
    ended(bad.reply, &failed);
    browser.until_text("#loads", "is no PDF").await?;
    assert_eq!(browser.count("#loads li button").await?, 0);
    browser.close().await
}

#[tokio::test]
async fn a_file_whose_name_is_taken_is_replaced_only_after_a_second_word() -> Result<()> {
    let Some((browser, mut fake)) = page(&[]).await? else { return Ok(()) };
    let says = |bytes: &[u8], replace: bool| {
        let field = format!("name=\"replace\"\r\n\r\n{replace}\r\n");
        String::from_utf8_lossy(bytes).contains(&field)
    };
    choose(&browser, &[("README.md", "# Bread")]).await?;
    let sent = fake.run("POST /knowledge/documents").await?;
    assert!(says(&sent.bytes, false), "nothing is replaced unasked");
    let why = "README.md is there already and says something else";
    let taken =
        json!({ "name": "README.md", "change": "failed", "type": "conflict", "error": why });
    ended(sent.reply, &taken);
    browser.until_text("#loads", "says something else.").await?;
    let named = "document.querySelector('#loads li button').ariaLabel";
    assert_eq!(browser.eval(named).await?, "Replace: README.md");
    checked(&browser, "knowledge-load-taken").await?;
    browser.click("#loads li button").await?;
    let meant = fake.run("POST /knowledge/documents").await?;
    assert!(says(&meant.bytes, true) && String::from_utf8_lossy(&meant.bytes).contains("# Bread"));
    ended(meant.reply, &loaded("replaced"));
    browser.until_text("#spoken", "1 document loaded.").await?;
    browser.close().await
}

#[tokio::test]
async fn a_file_for_which_its_collection_is_in_no_state_is_tried_again_and_replaces_nothing()
-> Result<()> {
    let Some((browser, mut fake)) = page(&[]).await? else { return Ok(()) };
    choose(&browser, &[("bread.md", "# Bread")]).await?;
    let sent = fake.run("POST /knowledge/documents").await?;
    let why = "the model gave an embedding of 48 numbers where the collection has 64";
    let failed = json!({ "name": "bread.md", "change": "failed", "type": "conflict",
        "status": "other_dimension", "error": why });
    ended(sent.reply, &failed);
    browser.until_text("#loads", "where the collection has 64.").await?;
    let named = "document.querySelector('#loads li button').ariaLabel";
    assert_eq!(browser.eval(named).await?, "Try again: bread.md");
    browser.click("#loads li button").await?;
    let again = fake.run("POST /knowledge/documents").await?;
    let unasked = "name=\"replace\"\r\n\r\nfalse\r\n";
    assert!(String::from_utf8_lossy(&again.bytes).contains(unasked));
    ended(again.reply, &loaded("added"));
    browser.until_text("#spoken", "1 document loaded.").await?;
    browser.close().await
}

#[tokio::test]
async fn a_citation_of_a_document_that_was_changed_opens_what_was_quoted_or_shows_it() -> Result<()>
{
    let mut fake = Fake::start(Time::Real).await?;
    let Some(browser) = Browser::launch().await? else { return Ok(()) };
    let place = |quoted: &str| format!("{ID}.1.1c0ffee5~{}", quoted.replace(' ', "%20"));
    let texts = ["Boats.", "In winter.", "The last ferry\nleaves at 18:40."];
    let chunks: Vec<_> = (0..)
        .zip(texts)
        .map(|(number, text)| {
            json!({ "id": format!("{ID}.{number}"), "document": ID, "number": number,
                "title": "Ferries", "headings": [], "text": text, "start": 0, "end": 10 })
        })
        .collect();
    let told = json!({ "chunks": chunks, "next": null, "as_of": "0ddba115", "changed": true });
    let opened = async |fake: &mut Fake| -> Result<()> {
        let of = fake.run(&format!("GET /knowledge/documents/{ID}")).await?;
        of.reply.json(StatusCode::OK, &document(ID, "Ferries"));
        // Where it was, and then from the beginning.
        for _ in 0..2 {
            let line = "chunks?from=0&limit=100&as_of=1c0ffee5";
            let asked = fake.run(&format!("GET /knowledge/documents/{ID}/{line}")).await?;
            asked.reply.json(StatusCode::OK, &told);
        }
        Ok(())
    };
    browser.open(&fake.knowledge(&place("The last ferry leaves at 18:40."))).await?;
    opened(&mut fake).await?;
    browser.until("document.activeElement.id === 'chunk-2'").await?;
    browser.until_text("#changed", "The marked passage says what was quoted:").await?;
    checked(&browser, "knowledge-changed").await?;

    let other = format!("location.hash = '{}';", place("The last ferry leaves at noon."));
    browser.run(&other).await?;
    opened(&mut fake).await?;
    browser.until_text("#changed", "What was quoted was not found in it:").await?;
    assert_eq!(browser.text("#changed blockquote").await?, "The last ferry leaves at noon.");
    assert_eq!(browser.count("#chunks [aria-current]").await?, 0);
    browser.close().await
}
