//! The page of documents turns to another collection, or back, while something is under way.

use crate::collections::set;
use crate::knowledge::{DOCUMENTS, ID, document};
use crate::loading::{choose, ended};
use crate::people::checked;
use anyhow::{Result, bail};
use hyper::StatusCode;
use quarry_browser_tests::{Browser, Call, Events, Fake, Key, Rejoin, Run, Time};
use serde_json::{Value, json};

const COLLECTIONS: &str = "GET /knowledge/collections";
const ASK: &str = "ask-0000002a";
const OTHER: &str = "ask-0000002b";
const QUESTION: &str = "When does the last ferry leave?";
const TYPED: &str = "And on Sundays?";
/// What is in the field of the question.
const FIELD: &str = "document.querySelector('#query').value";
/// Whether the first page shows an answer.
const IS_ANSWERED: &str = "document.querySelector('#answer-part').checkVisibility()";

/// What there is: three collections, and nothing in them.
fn collections() -> Value {
    let of = |name| json!({ "name": name, "documents": 0, "chunks": 0 });
    json!({ "collections": [of("default"), of("notes"), of("tides")] })
}

/// A browser on the first page of a fake server that has them; None where there is no browser.
async fn page() -> Result<Option<(Browser, Fake)>> {
    let mut fake = Fake::start(Time::Real).await?;
    let Some(browser) = Browser::launch().await? else { return Ok(None) };
    browser.open(&fake.knowledge("")).await?;
    fake.run(DOCUMENTS).await?.reply.json(StatusCode::OK, &json!({ "documents": [] }));
    fake.run(COLLECTIONS).await?.reply.json(StatusCode::OK, &collections());
    browser.until("document.querySelector('#collection').options.length === 4").await?;
    Ok(Some((browser, fake)))
}

/// The next call that does not ask for what there is, which is told beside it.
async fn beside(fake: &mut Fake) -> Result<Call> {
    loop {
        match fake.call().await? {
            Call::Run(run) if run.line.starts_with("GET /knowledge/documents?") => {
                run.reply.json(StatusCode::OK, &json!({ "documents": [] }));
            }
            Call::Run(run) if run.line == COLLECTIONS => {
                run.reply.json(StatusCode::OK, &collections());
            }
            other => return Ok(other),
        }
    }
}

/// The same, which must be about documents.
async fn run_beside(fake: &mut Fake, line: &str) -> Result<Run> {
    match beside(fake).await? {
        Call::Run(run) if run.line == line => Ok(run),
        other => bail!("expected {line}, got {other:?}"),
    }
}

/// The same, which must join this answer from its beginning.
async fn rejoin_beside(fake: &mut Fake, id: &str) -> Result<Rejoin> {
    match beside(fake).await? {
        Call::Rejoin(rejoin) if rejoin.id == id && rejoin.after == 0 => Ok(rejoin),
        other => bail!("expected to join {id}, got {other:?}"),
    }
}

fn begin(events: &Events, id: &str, query: &str, says: &str) {
    events.event(1, "init", &json!({ "id": id, "query": query }));
    events.event(2, "answer_delta", &json!({ "text": says, "at": 0 }));
}

fn end(events: &Events, says: &str) {
    events.event(3, "knowledge_answer", &json!({ "content": says }));
    events.event(4, "complete", &json!({ "result": {} }));
}

/// Asks, and waits until the address names the answer, which is still written.
async fn asked(browser: &Browser, fake: &mut Fake) -> Result<Events> {
    browser.ask(QUESTION).await?;
    let events = fake.run("POST /knowledge/ask").await?.reply.stream();
    begin(&events, ASK, QUESTION, "In winter");
    browser.until_text("#answer", "In winter").await?;
    browser.until(&format!("location.hash === '#ask={ASK}'")).await?;
    Ok(events)
}

#[tokio::test]
async fn whoever_passes_collections_by_keyboard_ends_no_answer_and_is_back_at_it_in_one_step()
-> Result<()> {
    let Some((browser, mut fake)) = page().await? else { return Ok(()) };
    let _events = asked(&browser, &mut fake).await?;
    let before = browser.eval("history.length").await?;
    browser.run("document.querySelector('#collection').focus();").await?;
    for name in ["notes", "tides"] {
        browser.press(Key::Down).await?;
        browser.until(&format!("location.search === '?collection={name}'")).await?;
    }
    assert_eq!(browser.eval(IS_ANSWERED).await?, false, "it is not of this collection");
    let entries = browser.eval("history.length").await?;
    assert_eq!(entries.as_u64(), before.as_u64().map(|length| length + 1));

    browser.run("history.back();").await?;
    // Nothing was stopped meanwhile, or that would come first.
    let events = rejoin_beside(&mut fake, ASK).await?.reply.stream();
    begin(&events, ASK, QUESTION, "In winter");
    end(&events, "In winter at 18:40.");
    browser.until_text("#spoken", "The answer is ready.").await?;
    assert_eq!(browser.text("#answer").await?, "In winter at 18:40.");
    assert_eq!(browser.eval("location.search").await?, "");
    assert_eq!(browser.eval(FIELD).await?, QUESTION);
    browser.close().await
}

#[tokio::test]
async fn an_answer_goes_on_while_a_document_of_another_collection_is_looked_at() -> Result<()> {
    let Some((browser, mut fake)) = page().await? else { return Ok(()) };
    let events = asked(&browser, &mut fake).await?;
    browser.run(&format!("location.hash = '#{ID}';")).await?;
    let of = run_beside(&mut fake, &format!("GET /knowledge/documents/{ID}")).await?;
    let mut told = document(ID, "Ferries");
    told["collection"] = json!("notes");
    of.reply.json(StatusCode::OK, &told);
    let line = format!("GET /knowledge/documents/{ID}/chunks?from=0&limit=100");
    let chunks = run_beside(&mut fake, &line).await?;
    chunks.reply.json(StatusCode::OK, &json!({ "chunks": [] }));
    browser.until("document.activeElement.id === 'document-title'").await?;
    assert_eq!(browser.eval("location.search").await?, "?collection=notes");
    end(&events, "In winter at 18:40.");
    browser.until_text("#spoken", "The answer is ready.").await?;

    // Whoever goes back is where they were; whoever goes on is in the document's collection.
    browser.run("history.back();").await?;
    browser.until(&format!("{IS_ANSWERED} && location.search === ''")).await?;
    assert_eq!(browser.text("#answer").await?, "In winter at 18:40.");
    assert_eq!(browser.eval("document.querySelector('#collection').value").await?, "default");
    browser.run("history.forward();").await?;
    let of = run_beside(&mut fake, &format!("GET /knowledge/documents/{ID}")).await?;
    of.reply.json(StatusCode::OK, &told);
    let chunks = run_beside(&mut fake, &line).await?;
    chunks.reply.json(StatusCode::OK, &json!({ "chunks": [] }));
    browser.until("document.activeElement.id === 'document-title'").await?;
    browser.click("#all").await?;
    let chosen = "document.querySelector('#collection').value === 'notes'";
    browser.until(&format!("{chosen} && location.search === '?collection=notes'")).await?;
    assert_eq!(browser.eval(IS_ANSWERED).await?, false);
    while let Some(call) = fake.untaken() {
        assert!(!matches!(call, Call::Stop(_)), "{call:?}");
    }
    browser.close().await
}

#[tokio::test]
async fn an_answer_that_begins_beside_a_document_has_its_address_once_that_is_left() -> Result<()> {
    let Some((browser, mut fake)) = page().await? else { return Ok(()) };
    browser.ask(QUESTION).await?;
    let asked = fake.run("POST /knowledge/ask").await?;
    browser.run(&format!("location.hash = '#{ID}';")).await?;
    let of = run_beside(&mut fake, &format!("GET /knowledge/documents/{ID}")).await?;
    let events = asked.reply.stream();
    begin(&events, ASK, QUESTION, "In winter");
    browser.until_text("#answer", "In winter").await?;
    assert_eq!(browser.eval("location.hash").await?, format!("#{ID}"));
    of.reply.refuse(StatusCode::NOT_FOUND, "not_found", "there is no such document");
    browser.run("history.back();").await?;
    browser.until(&format!("{IS_ANSWERED} && location.hash === '#ask={ASK}'")).await?;
    browser.close().await
}

#[tokio::test]
async fn a_new_collection_that_is_let_be_is_not_chosen_when_the_server_answers() -> Result<()> {
    let Some((browser, mut fake)) = page().await? else { return Ok(()) };
    let before = browser.eval("history.length").await?;
    let list = |name: &str| format!("GET /knowledge/documents?collection={name}&limit=50");
    set(&browser, "#collection", "").await?;
    browser.until("document.activeElement.id === 'name'").await?;
    browser.press("boats").await?;
    browser.press(Key::Enter).await?;
    let slow = fake.run(&list("boats")).await?;
    browser.press(Key::Escape).await?;
    browser.until("!document.querySelector('#naming').open").await?;
    slow.reply.refuse(StatusCode::NOT_FOUND, "not_found", "there is no collection `boats`");

    // Another is named meanwhile: neither is it held up, nor closed by what comes of the first.
    set(&browser, "#collection", "").await?;
    browser.until("document.activeElement.id === 'name'").await?;
    browser.press("harbours").await?;
    browser.press(Key::Enter).await?;
    for _ in 0..2 {
        let asked = fake.run(&list("harbours")).await?;
        asked.reply.refuse(StatusCode::NOT_FOUND, "not_found", "there is no such collection");
    }
    browser.until("location.search === '?collection=harbours'").await?;
    let entries = browser.eval("history.length").await?;
    assert_eq!(entries.as_u64(), before.as_u64().map(|length| length + 1));
    browser.close().await
}

#[tokio::test]
async fn a_file_for_another_collection_than_the_one_that_is_shown_names_it() -> Result<()> {
    const NAMED: &str = "document.querySelector('#loads li button').ariaLabel";
    let Some((browser, mut fake)) = page().await? else { return Ok(()) };
    choose(&browser, &[("README.md", "# Bread")]).await?;
    let sent = fake.run("POST /knowledge/documents").await?;
    let why = "README.md is there already and says something else";
    let taken =
        json!({ "name": "README.md", "change": "failed", "type": "conflict", "error": why });
    ended(sent.reply, &taken);
    browser.until_text("#loads", "says something else.").await?;
    assert_eq!(browser.eval(NAMED).await?, "Replace: README.md");
    assert_eq!(browser.count("#loads .where").await?, 0);

    set(&browser, "#collection", "notes").await?;
    browser.until_text("#loads .where", "In the collection default").await?;
    assert_eq!(browser.eval(NAMED).await?, "Replace: README.md, in the collection default");
    checked(&browser, "knowledge-load-elsewhere").await?;
    browser.click("#loads li button").await?;
    let meant = run_beside(&mut fake, "POST /knowledge/documents").await?;
    let sent = String::from_utf8_lossy(&meant.bytes).into_owned();
    assert!(sent.contains("name=\"collection\"\r\n\r\ndefault\r\n"), "{sent}");

    set(&browser, "#collection", "default").await?;
    browser.until("!document.querySelector('#loads .where')").await?;
    browser.close().await
}

#[tokio::test]
async fn the_way_back_takes_a_question_away_that_was_asked_and_none_that_is_only_typed()
-> Result<()> {
    let Some((browser, mut fake)) = page().await? else { return Ok(()) };
    for (id, query, says) in [(ASK, QUESTION, "At 18:40."), (OTHER, "In summer?", "At 21:00.")] {
        browser.ask(query).await?;
        let events = fake.run("POST /knowledge/ask").await?.reply.stream();
        begin(&events, id, query, says);
        end(&events, says);
        browser.until_text("#answer:not(.writing)", says).await?;
        browser.until(&format!("location.hash === '#ask={id}'")).await?;
    }
    browser.run("history.back();").await?;
    let events = rejoin_beside(&mut fake, ASK).await?.reply.stream();
    begin(&events, ASK, QUESTION, "At 18:40.");
    end(&events, "At 18:40.");
    browser.until_text("#answer:not(.writing)", "At 18:40.").await?;
    assert_eq!(browser.eval(FIELD).await?, QUESTION);

    browser.run("document.querySelector('#query').value = '';").await?;
    browser.fill("#query", TYPED).await?;
    browser.run("history.forward();").await?;
    let events = rejoin_beside(&mut fake, OTHER).await?.reply.stream();
    begin(&events, OTHER, "In summer?", "At 21:00.");
    end(&events, "At 21:00.");
    browser.until_text("#answer:not(.writing)", "At 21:00.").await?;
    assert_eq!(browser.eval(FIELD).await?, TYPED);
    browser.close().await
}
