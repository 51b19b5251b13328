//! Collections of documents: one is chosen, its address leads to it, and an ask or a run names it.

use crate::code::{body_of, shown};
use crate::console;
use crate::knowledge::{ID, document};
use crate::loading::choose;
use crate::people::checked;
use anyhow::Result;
use hyper::StatusCode;
use quarry_browser_tests::{Browser, Fake, Key, Time};
use quarry_scenarios::client;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::Script;
use serde_json::{Value, json};

const ASKED: &str = "Where was the ferry Kestrel launched?";
/// Two documents that say otherwise of the same.
const REGISTER: &str =
    "# Register of ferries\n\nThe ferry Kestrel was launched at the Brandt yard in May 1911.\n";
const LOG: &str =
    "# Log of the Kestrel\n\nThe ferry Kestrel was launched at the Aldous yard in May 1911.\n";
/// The titles of the documents that are listed.
const LISTED: &str =
    "[...document.querySelectorAll('#documents a')].map((each) => each.textContent).join()";
/// Whether there is a field for a collection.
const OFFERED: &str = "document.querySelector('#collection').checkVisibility()";

/// Sets a field as a person does who leaves it then.
pub async fn set(browser: &Browser, selector: &str, value: &str) -> Result<()> {
    let (selector, value) = (json!(selector), json!(value));
    let set = format!(
        "const field = document.querySelector({selector}); field.value = {value};
         for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, {{ bubbles: true }}));"
    );
    browser.run(&set).await.map(|_| ())
}

/// A server without a language model.
async fn start() -> Result<Quarry> {
    let setup = Setup::new(Script::ordinary()).variable("default_model", "local:extractive");
    setup.start().await
}

/// Waits until the documents of a collection are listed that is named so by the address.
async fn until_listed(browser: &Browser, query: &str, titles: &str) -> Result<()> {
    let (query, titles) = (json!(query), json!(titles));
    browser.until(&format!("location.search === {query} && {LISTED} === {titles}")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_are_loaded_listed_asked_and_deleted_in_the_collection_that_is_chosen()
-> Result<()> {
    const HERE: &str = "?collection=notes";
    let quarry = start().await?;
    let Some(browser) = Browser::launch().await? else { return Ok(()) };
    browser.open(&format!("{}/console/knowledge/", quarry.url)).await?;
    choose(&browser, &[("register.md", REGISTER)]).await?;
    until_listed(&browser, "", "Register of ferries").await?;
    browser.until_text("#collection", "New collection…").await?;
    set(&browser, "#collection", "").await?;
    browser.until("document.activeElement.id === 'name'").await?;
    browser.press("notes").await?;
    browser.press(Key::Enter).await?;
    browser.until_text("#documents-note", "No documents yet.").await?;
    until_listed(&browser, HERE, "").await?;
    choose(&browser, &[("log.md", LOG)]).await?;
    until_listed(&browser, HERE, "Log of the Kestrel").await?;
    browser.reload().await?;
    until_listed(&browser, HERE, "Log of the Kestrel").await?;

    browser.fill("#query", ASKED).await?;
    browser.click("#ask").await?;
    browser.until_text("#spoken", "The answer is ready.").await?;
    let answer = browser.text("#answer").await?;
    assert!(answer.contains("Aldous yard") && !answer.contains("Brandt"), "{answer}");
    browser.click("#answer [data-citation]").await?;
    browser.until_text(".quotation blockquote", "Aldous yard").await?;
    checked(&browser, "knowledge-collection").await?;

    // Of another collection nothing is left, and the way back leads to it and to its answer.
    browser.until("[...document.querySelector('#collection').options].length === 3").await?;
    set(&browser, "#collection", "default").await?;
    until_listed(&browser, "", "Register of ferries").await?;
    let is_answered = "document.querySelector('#answer-part').checkVisibility()";
    assert_eq!(browser.eval(is_answered).await?, false);
    browser.run("history.back();").await?;
    until_listed(&browser, HERE, "Log of the Kestrel").await?;
    browser.until(is_answered).await?;
    browser.until_text("#answer", "Aldous yard").await?;

    browser.click("#documents a").await?;
    browser.until("document.querySelector('#forget-it').checkVisibility()").await?;
    browser.click("#forget-it").await?;
    browser.click("#forget [type=submit]").await?;
    browser.until_text("#documents-note", "No documents yet.").await?;
    until_listed(&browser, HERE, "").await?;
    set(&browser, "#collection", "default").await?;
    until_listed(&browser, "", "Register of ferries").await?;
    browser.close().await
}

#[tokio::test]
async fn the_address_of_a_document_leads_to_the_collection_that_it_is_in() -> Result<()> {
    let mut fake = Fake::start(Time::Real).await?;
    let Some(browser) = Browser::launch().await? else { return Ok(()) };
    browser.open(&format!("{}?collection=notes", fake.knowledge(""))).await?;
    let listed = fake.run("GET /knowledge/documents?collection=notes&limit=50").await?;
    listed.reply.json(StatusCode::OK, &json!({ "documents": [document(ID, "Ferries")] }));
    let of = json!({ "collections": [{ "name": "notes", "documents": 1, "chunks": 0 }] });
    fake.run("GET /knowledge/collections").await?.reply.json(StatusCode::OK, &of);
    browser.until("document.querySelector('#collection').value === 'notes'").await?;
    browser.click("#documents a").await?;
    let of = fake.run(&format!("GET /knowledge/documents/{ID}")).await?;
    // It says that it is in the one that has no name in the address.
    of.reply.json(StatusCode::OK, &document(ID, "Ferries"));
    let line = format!("GET /knowledge/documents/{ID}/chunks?from=0&limit=100");
    fake.run(&line).await?.reply.json(StatusCode::OK, &json!({ "chunks": [] }));
    browser.until("document.activeElement.id === 'document-title'").await?;
    let address = browser.eval("location.search + location.hash").await?;
    assert_eq!(address, format!("#{ID}"));
    browser.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ask_is_answered_from_the_collection_that_is_named_and_code_names_it() -> Result<()> {
    let quarry = start().await?;
    for (collection, markdown) in [("default", REGISTER), ("notes", LOG)] {
        let body = json!({ "collection": collection, "markdown": markdown });
        let line = "POST /knowledge/documents";
        let (status, told) = client::exchanged(&quarry.url, line, &body).await?;
        assert_eq!(status, 201, "{told}");
    }
    let Some(browser) = Browser::launch().await? else { return Ok(()) };
    browser.open(&format!("{}/console/", quarry.url)).await?;
    browser.click("#options > summary").await?;
    assert_eq!(browser.eval(OFFERED).await?, false, "the web has no collections");
    set(&browser, "#look-in", "knowledge").await?;
    browser.until(OFFERED).await?;
    browser.click("#collection").await?;
    let names = "[...document.querySelectorAll('#collections option')].map((each) => each.value).join() === 'default,notes'";
    browser.until(names).await?;
    browser.press("notes").await?;
    browser.until_text("#chosen", "your documents · collection notes").await?;
    browser.ask(ASKED).await?;
    browser.until("document.body.dataset.phase === 'done'").await?;
    let answer = browser.text("#answer").await?;
    assert!(answer.contains("Aldous yard") && !answer.contains("Brandt"), "{answer}");

    browser.click("#code summary").await?;
    browser.until("document.querySelectorAll('#door option').length === 6").await?;
    let native: Value = serde_json::from_str(&body_of(&shown(&browser, "curl").await?)?)?;
    assert_eq!(
        (&native["sources"], &native["collection"]),
        (&json!(["knowledge"]), &json!("notes"))
    );
    for door in ["OpenAI: chat", "OpenAI: responses", "AI SDK", "AG-UI"] {
        let text = shown(&browser, door).await?;
        assert!(text.contains("\"notes\""), "{door}: {text}");
    }
    browser.close().await
}

#[tokio::test]
async fn a_collection_that_is_wrong_is_told_at_its_field_and_with_the_web_alone_none_is_sent()
-> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.click("#options > summary").await?;
    set(&browser, "#look-in", "web knowledge").await?;
    set(&browser, "#collection", "A b").await?;
    checked(&browser, "collection").await?;
    browser.ask(ASKED).await?;
    let asked = fake.ask().await?;
    assert_eq!(
        (&asked.body["sources"], &asked.body["collection"]),
        (&json!(["web", "knowledge"]), &json!("A b"))
    );
    let refusal = json!({ "error": { "type": "invalid_field", "field": "collection",
        "message": "`collection` wants 1 to 64 of a–z, 0–9, - and _" } });
    asked.reply.json(StatusCode::BAD_REQUEST, &refusal);
    browser.until("document.querySelector('#collection').ariaInvalid === 'true'").await?;

    set(&browser, "#look-in", "").await?;
    assert_eq!(browser.eval(OFFERED).await?, false);
    assert_eq!(browser.eval("document.querySelector('#chosen').textContent").await?, "");
    browser.ask(ASKED).await?;
    assert_eq!(fake.ask().await?.body, json!({ "query": ASKED, "stream": true }));
    browser.close().await
}
