//! What a person meets on the page of documents.

use crate::loading::choose;
use crate::people::checked;
use crate::taken::COPIES;
use anyhow::{Context as _, Result};
use hyper::StatusCode;
use quarry_browser_tests::{Browser, Fake, Key, Time};
use serde_json::{Value, json};

pub const ID: &str = "0192a6f0c0de4aaa8bbb0123456789ab";
pub const DOCUMENTS: &str = "GET /knowledge/documents?collection=default&limit=50";
const STATS: &str = "GET /knowledge/collections/default/stats";
const TEXT: &str = "From November to March the last ferry leaves at 18:40.";

pub fn document(id: &str, title: &str) -> Value {
    json!({
        "id": id, "collection": "default", "name": "ferries.md", "format": "markdown", "bytes": 20_480,
        "characters": 9_000, "chunks": 14, "notes": [],
        "metadata": { "title": title, "category": "operations", "source_org": "Orrin Ferries", "updated": "2026-03-01" },
    })
}

fn chunk(number: u32) -> Value {
    json!({
        "id": format!("{ID}.{number}"), "document": ID, "number": number, "title": "Ferries",
        "headings": ["Crossings", "In winter"], "text": format!("{TEXT} <b>Passage</b> {number}."),
        "start": 0, "end": 10, "address": format!("/knowledge/documents/{ID}/chunks?from={number}"),
    })
}

fn embedding() -> Value {
    json!({
        "model": "openai:text-embedding-3-small", "dimension": 1_536, "vectors": 14, "tokens": 9_000, "cost": 0.000_18,
    })
}

/// Answers what the page asks when it shows its first page.
pub async fn home(fake: &mut Fake, documents: &[Value]) -> Result<()> {
    let stats = json!({ "name": "default", "embedding": embedding() });
    home_with(fake, documents, &stats).await
}

/// The same of a collection that says this of itself.
async fn home_with(fake: &mut Fake, documents: &[Value], stats: &Value) -> Result<()> {
    let told = json!({ "documents": documents });
    fake.run(DOCUMENTS).await?.reply.json(StatusCode::OK, &told);
    let of = json!({ "name": "default", "documents": documents.len(), "chunks": 14 });
    let collections = fake.run("GET /knowledge/collections").await?;
    collections.reply.json(StatusCode::OK, &json!({ "collections": [of] }));
    fake.run(STATS).await?.reply.json(StatusCode::OK, stats);
    Ok(())
}

/// A browser on the page of documents of a fake server that has these; None where there is no browser.
pub async fn page(documents: &[Value]) -> Result<Option<(Browser, Fake)>> {
    let mut fake = Fake::start(Time::Real).await?;
    let Some(browser) = Browser::launch().await? else { return Ok(None) };
    browser.open(&fake.knowledge("")).await?;
    home(&mut fake, documents).await?;
    Ok(Some((browser, fake)))
}

#[tokio::test]
async fn a_new_collection_is_named_and_begins_with_its_first_document() -> Result<()> {
    let Some((browser, mut fake)) = page(&[document(ID, "Ferries")]).await? else { return Ok(()) };
    browser.until_text("#collection", "New collection…").await?;
    let new = "const field = document.querySelector('#collection'); field.value = ''; field.dispatchEvent(new Event('change'));";
    browser.run(new).await?;
    browser.until("document.activeElement.id === 'name'").await?;
    browser.fill("#name", "Tide tables").await?;
    browser.press(Key::Enter).await?;
    let asked = fake.run("GET /knowledge/documents?collection=Tide+tables&limit=50").await?;
    let why = "`collection` wants 1 to 64 of a-z, 0-9, - and _";
    asked.reply.refuse(StatusCode::BAD_REQUEST, "invalid_request", why);
    browser.until_text("#naming .wrong", "wants 1 to 64 of a-z").await?;
    checked(&browser, "knowledge-naming").await?;
    browser.run("document.querySelector('#name').value = '';").await?;
    browser.fill("#name", "tides").await?;
    browser.press(Key::Enter).await?;
    for _ in 0..2 {
        let asked = fake.run("GET /knowledge/documents?collection=tides&limit=50").await?;
        asked.reply.refuse(StatusCode::NOT_FOUND, "not_found", "there is no collection `tides`");
    }
    let collections = fake.run("GET /knowledge/collections").await?;
    collections.reply.json(StatusCode::OK, &json!({ "collections": [] }));
    browser.until_text("#documents-note", "No documents yet.").await?;
    browser.until("document.querySelector('#collection').value === 'tides'").await?;
    choose(&browser, &[("tides.md", "# Tides")]).await?;
    let sent = fake.run("POST /knowledge/documents").await?;
    let sent = String::from_utf8_lossy(&sent.bytes).into_owned();
    assert!(sent.contains("name=\"collection\"\r\n\r\ntides\r\n"), "{sent}");
    browser.close().await
}

#[tokio::test]
async fn passages_that_are_found_open_in_their_document() -> Result<()> {
    let Some((browser, mut fake)) = page(&[document(ID, "Ferries")]).await? else { return Ok(()) };
    browser.fill("#query", "When does the last ferry leave?").await?;
    browser.click("#find").await?;
    let asked = fake.run("POST /knowledge/search").await?;
    let question = json!({ "query": "When does the last ferry leave?", "collection": "default" });
    assert_eq!(asked.body, question);
    let hit = |number: u32, score: f64| {
        let mut hit = chunk(number);
        hit["metadata"] = document(ID, "Ferries")["metadata"].clone();
        hit["score"] = json!(score);
        hit["parts"] = json!({ "lexical": 1, "meaning": 0.5 });
        hit
    };
    let note = "ranked by words and learned meaning, not by embeddings: the provider failed";
    let told = json!({ "chunks": [hit(7, 0.75), hit(2, 0.5)], "notes": [note] });
    asked.reply.json(StatusCode::OK, &told);
    browser.until("document.querySelectorAll('#found > li').length === 2").await?;
    let said = browser.text("#found-note").await?;
    assert!(said.starts_with("Ranked by words and learned meaning") && said.ends_with("failed."));
    let shown = "Meaning by openai:text-embedding-3-small · 1,536 dimensions · 14 vectors · 9,000 tokens, $0.00018";
    browser.until_text("#embedding", shown).await?;
    let first = browser.text("#found > li").await?;
    assert!(
        first.contains("Crossings › In winter") && first.contains("<b>Passage</b> 7"),
        "{first}"
    );
    let parts = "[...document.querySelectorAll('#found > li:first-child dd')].map((each) => each.textContent)";
    assert_eq!(browser.eval(parts).await?, json!(["0.75", "1.00", "0.50"]));
    checked(&browser, "knowledge-found").await?;

    browser.click("#found a").await?;
    let of = fake.run(&format!("GET /knowledge/documents/{ID}")).await?;
    let mut told = document(ID, "Ferries");
    told["notes"] =
        json!(["`summary` of the front matter has more than 500 characters: its end is left out"]);
    told["metadata"]["source_urls"] = json!(["https://ferries.example/winter", "N/A"]);
    of.reply.json(StatusCode::OK, &told);
    let chunks =
        fake.run(&format!("GET /knowledge/documents/{ID}/chunks?from=5&limit=100")).await?;
    let some: Vec<Value> = (5..9).map(chunk).collect();
    chunks.reply.json(StatusCode::OK, &json!({ "chunks": some, "next": 9 }));
    browser.until("document.activeElement.id === 'chunk-7'").await?;
    browser.until_text("#document-read", "its end is left out.").await?;
    let links = "[...document.querySelectorAll('#published li')].map((each) => each.querySelector('a')?.href ?? each.textContent)";
    assert_eq!(browser.eval(links).await?, json!(["https://ferries.example/winter", "N/A"]));
    assert_eq!(browser.count("#chunks [aria-current]").await?, 1);
    checked(&browser, "knowledge-document").await?;
    browser.click("#more-chunks").await?;
    let rest = fake.run(&format!("GET /knowledge/documents/{ID}/chunks?from=9&limit=100")).await?;
    rest.reply.json(StatusCode::OK, &json!({ "chunks": [chunk(9)] }));
    browser.until("document.activeElement.id === 'chunk-9'").await?;
    assert_eq!(browser.eval("document.querySelector('#more-chunks').hidden").await?, true);

    browser.run("history.back();").await?;
    home(&mut fake, &[document(ID, "Ferries")]).await?;
    browser.until("document.querySelector('#found-part').checkVisibility()").await?;
    assert_eq!(browser.count("#found > li").await?, 2, "what was found is still there");
    browser.close().await
}

/// An answer with one citation, as `POST /knowledge/ask` gives it.
fn answered() -> Value {
    let url = format!("/knowledge/documents/{ID}/chunks?from=7");
    let before = "In winter the last ferry leaves at 18:40 ";
    let marker = format!("[1]({url})");
    let (start, end) = (before.len(), before.len() + marker.len());
    json!({
        "answer": format!("{before}[Ferries > In winter]."),
        "content": format!("{before}{marker}."),
        "sources": [],
        "relatedDocs": [{ "title": "Ferries", "category": "operations", "docId": ID, "url": null }],
        "citations": [], "uncited": 1, "unknown": ["Dunn’s almanac"], "unknownCount": 3, "unchecked": 2, "failed": 3,
        "verifiedCitations": [{
            "n": 1, "id": "1a", "url": url, "title": "Ferries", "claim": before, "quote": TEXT,
            "start": start, "end": end, "verdict": "supported", "coverage": 1.0,
            "vetoes": [], "missing": [], "moved": false, "added": false,
        }],
        "confidence": { "level": "High", "reason": "5 chunks, with 0.70 on average" },
        "metadata": { "model": "local:extractive", "chunksRetrieved": 5, "chunksUsed": 1, "latencyMs": 12 },
    })
}

#[tokio::test]
async fn a_number_in_an_answer_opens_its_passage_in_its_document() -> Result<()> {
    let Some((browser, mut fake)) = page(&[document(ID, "Ferries")]).await? else { return Ok(()) };
    browser.fill("#query", "When does the last ferry leave?").await?;
    browser.click("#ask").await?;
    let asked = fake.run("POST /knowledge/ask").await?;
    assert_eq!(asked.header("accept"), "text/event-stream");
    let question = json!({ "query": "When does the last ferry leave?", "collection": "default" });
    assert_eq!(asked.body, question);
    // What is written is seen while it is written.
    let told = answered();
    let (events, cited) = (asked.reply.stream(), &told["verifiedCitations"][0]);
    events.event(1, "init", &json!({ "id": "ask-0000000e", "query": "?" }));
    events.event(2, "stage", &json!({ "id": "stage-1", "name": "retrieve", "state": "begun" }));
    browser.until_text("#answer-about", "Looking in the documents").await?;
    let before = cited["claim"].as_str().context("it is a text")?;
    events.event(3, "answer_delta", &json!({ "text": before, "at": 0 }));
    browser.until_text("#answer.writing", "In winter the last ferry leaves at 18:40").await?;
    assert_eq!(browser.eval("document.querySelector('#related').hidden").await?, true);
    events.event(4, "citation", cited);
    let rest = told["content"].as_str().and_then(|all| all.strip_prefix(before));
    events.event(5, "answer_delta", &json!({ "text": rest, "at": before.len() }));
    browser.until("document.querySelector('#answer.writing [data-citation]')").await?;
    checked(&browser, "knowledge-writing").await?;
    events.event(6, "knowledge_answer", &told);
    events.event(7, "complete", &json!({ "result": {}, "executionTime": 12 }));
    browser.until("!document.querySelector('#answer.writing')").await?;
    browser.until_text("#confidence", "High confidence. 5 chunks").await?;
    let proof = browser.text("#proof").await?;
    for says in [
        "1 of 2 sentences verified",
        "1 without a source",
        "3 failed citations left out",
        "no source has it: Dunn’s almanac and 2 more",
        "Not checked: 2 citations",
    ] {
        assert!(proof.contains(says), "{proof}");
    }
    // The bar is of sentences, and citations that failed are none.
    let bar = "[...document.querySelectorAll('.shares span')].map((each) => each.dataset.verdict)";
    assert_eq!(browser.eval(bar).await?, json!(["supported", "uncited"]));
    browser.run(COPIES).await?;
    browser.click("[data-take=copy]").await?;
    let place = json!(format!("/console/knowledge/#{ID}.7)"));
    browser.until(&format!("taken[0].includes({place})")).await?;
    browser.click("#answer [data-citation]").await?;
    browser.until_text(".quotation blockquote", TEXT).await?;
    browser.until_text(".quotation .verdict", "Verified.").await?;
    checked(&browser, "knowledge-answer").await?;

    browser.click(".quotation .place a").await?;
    let of = fake.run(&format!("GET /knowledge/documents/{ID}")).await?;
    of.reply.json(StatusCode::OK, &document(ID, "Ferries"));
    let chunks =
        fake.run(&format!("GET /knowledge/documents/{ID}/chunks?from=5&limit=100")).await?;
    let some: Vec<Value> = (5..9).map(chunk).collect();
    chunks.reply.json(StatusCode::OK, &json!({ "chunks": some }));
    browser.until("document.activeElement.id === 'chunk-7'").await?;
    browser.close().await
}

#[tokio::test]
async fn an_answer_that_breaks_off_says_why_and_keeps_what_was_written() -> Result<()> {
    let Some((browser, mut fake)) = page(&[document(ID, "Ferries")]).await? else { return Ok(()) };
    browser.fill("#query", "When does the last ferry leave?").await?;
    browser.click("#ask").await?;
    let refused = fake.run("POST /knowledge/ask").await?;
    refused.reply.refuse(StatusCode::TOO_MANY_REQUESTS, "rate_limited", "too many at once");
    browser.until_text("#question .complaint", "Too many at once.").await?;
    assert_eq!(browser.eval("document.querySelector('#answer-part').hidden").await?, true);
    browser.click("#ask").await?;
    let events = fake.run("POST /knowledge/ask").await?.reply.stream();
    events.event(1, "init", &json!({ "id": "ask-0000000f", "query": "?" }));
    events.event(2, "answer_delta", &json!({ "text": "In winter", "at": 0 }));
    browser.until_text("#answer", "In winter").await?;
    // A connection that drops is joined again where it was.
    events.cut();
    let rejoin = fake.rejoin().await?;
    assert_eq!((rejoin.id.as_str(), rejoin.after), ("ask-0000000f", 2));
    let events = rejoin.reply.stream();
    events.event(3, "answer_delta", &json!({ "text": " the last", "at": 9 }));
    browser.until_text("#answer", "In winter the last").await?;
    let why = "Pipeline error: LLM request failed: the provider is away";
    events.event(4, "error", &json!({ "error": why, "type": "provider_failed" }));
    browser.until_text("#question .complaint", "the provider is away.").await?;
    browser.until_text("#answer", "In winter the last").await?;
    browser.until("!document.querySelector('#answer.writing')").await?;
    checked(&browser, "knowledge-broken").await?;
    browser.close().await
}

#[tokio::test]
async fn an_index_is_made_anew_after_a_second_word_and_shows_how_far_it_is() -> Result<()> {
    let Some((browser, mut fake)) = page(&[document(ID, "Ferries")]).await? else { return Ok(()) };
    browser.until("document.querySelector('#reindex').checkVisibility()").await?;
    browser.click("#reindex").await?;
    browser.until("document.querySelector('#remaking').open").await?;
    checked(&browser, "knowledge-remaking").await?;
    browser.click("#remaking [data-close]").await?;
    assert!(fake.untaken().is_none(), "nothing is made yet");
    browser.click("#reindex").await?;
    browser.click("#remaking [type=submit]").await?;
    let made = fake.run("POST /knowledge/collections/default/reindex").await?;
    browser.until_text("#reindexing-about", "Rebuilding the index").await?;
    let progress = json!({ "embedding": embedding(), "reindex": { "done": 5, "chunks": 14 } });
    fake.run(STATS).await?.reply.json(StatusCode::OK, &progress);
    browser.until_text("#reindexing-about", "5 of 14 passages").await?;
    let share = "document.querySelector('#reindexed').position.toFixed(2)";
    assert_eq!(browser.eval(share).await?, "0.36");
    assert_eq!(browser.eval("document.querySelector('#reindex').hidden").await?, true);
    checked(&browser, "knowledge-reindexing").await?;
    made.reply.json(StatusCode::OK, &json!({ "name": "default", "embedding": embedding() }));
    browser.until_text("#spoken", "The index was rebuilt.").await?;
    browser.until("document.querySelector('#reindexing').hidden").await?;
    browser.close().await
}

#[tokio::test]
async fn an_index_that_another_makes_anew_is_seen_and_a_refusal_is_said() -> Result<()> {
    let mut fake = Fake::start(Time::Real).await?;
    let Some(browser) = Browser::launch().await? else { return Ok(()) };
    browser.open(&fake.knowledge("")).await?;
    let progress = json!({ "embedding": embedding(), "reindex": { "done": 7, "chunks": 14 } });
    home_with(&mut fake, &[document(ID, "Ferries")], &progress).await?;
    browser.until_text("#reindexing-about", "7 of 14 passages").await?;
    let over = json!({ "embedding": embedding(), "reindex": null });
    fake.run(STATS).await?.reply.json(StatusCode::OK, &over);
    home_with(&mut fake, &[document(ID, "Ferries")], &over).await?;
    browser.until("document.querySelector('#reindex').checkVisibility()").await?;
    browser.click("#reindex").await?;
    browser.click("#remaking [type=submit]").await?;
    let made = fake.run("POST /knowledge/collections/default/reindex").await?;
    let why = "openai:small gave no embeddings: the provider failed (500)";
    made.reply.refuse(StatusCode::SERVICE_UNAVAILABLE, "unavailable", why);
    browser.until_text("#reindex-note", "the provider failed (500).").await?;
    browser.close().await
}

#[tokio::test]
async fn a_document_is_deleted_only_after_a_second_word() -> Result<()> {
    let mut fake = Fake::start(Time::Real).await?;
    let Some(browser) = Browser::launch().await? else { return Ok(()) };
    browser.open(&fake.knowledge(ID)).await?;
    let of = fake.run(&format!("GET /knowledge/documents/{ID}")).await?;
    of.reply.json(StatusCode::OK, &document(ID, "Ferries"));
    let chunks =
        fake.run(&format!("GET /knowledge/documents/{ID}/chunks?from=0&limit=100")).await?;
    chunks.reply.json(StatusCode::OK, &json!({ "chunks": [chunk(0)] }));
    browser.until_text("#document-title", "Ferries").await?;
    browser.click("#forget-it").await?;
    assert_eq!(browser.text("#forget-what").await?, "Ferries");
    browser.press(Key::Enter).await?;
    browser.until("!document.querySelector('#forget').open").await?;
    assert!(fake.untaken().is_none(), "the first button keeps it");
    browser.click("#forget-it").await?;
    browser.click("#forget [type=submit]").await?;
    fake.run(&format!("DELETE /knowledge/documents/{ID}")).await?.reply.nothing();
    home(&mut fake, &[]).await?;
    browser.until_text("#documents-note", "No documents yet.").await?;
    browser.close().await
}

#[tokio::test]
async fn what_is_no_longer_there_is_said() -> Result<()> {
    let mut fake = Fake::start(Time::Real).await?;
    let Some(browser) = Browser::launch().await? else { return Ok(()) };
    browser.open(&fake.knowledge(&format!("{ID}.3"))).await?;
    let of = fake.run(&format!("GET /knowledge/documents/{ID}")).await?;
    of.reply.refuse(StatusCode::NOT_FOUND, "not_found", "there is no such document");
    browser.until_text("#document-note", "There is no such document.").await?;
    browser.close().await
}

#[tokio::test]
async fn a_secret_that_is_wanted_is_asked_for_and_kept_nowhere() -> Result<()> {
    let mut fake = Fake::start(Time::Real).await?;
    let Some(browser) = Browser::launch().await? else { return Ok(()) };
    browser.open(&fake.knowledge("")).await?;
    let list = fake.run(DOCUMENTS).await?;
    list.reply.refuse(StatusCode::UNAUTHORIZED, "unauthorized", "accessSecret is missing or wrong");
    browser.until("document.activeElement.id === 'secret'").await?;
    browser.press("canary-sécret").await?;
    browser.click("#unlocking [type=submit]").await?;
    let again = fake.run(DOCUMENTS).await?;
    assert_eq!(again.headers["authorization"].as_bytes(), "Bearer canary-sécret".as_bytes());
    again.reply.json(StatusCode::OK, &json!({ "documents": [] }));
    let kept = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])";
    let kept = browser.eval(kept).await?;
    assert!(!kept.as_str().unwrap_or_default().contains("canary"), "{kept}");
    browser.close().await
}

#[tokio::test]
async fn the_page_is_legible_in_both_themes_and_in_a_narrow_window() -> Result<()> {
    let Some((browser, mut fake)) = page(&[document(ID, "Ferries")]).await? else { return Ok(()) };
    for (name, width, is_dark) in
        [("light", 1280, false), ("dark", 1280, true), ("narrow", 360, false)]
    {
        browser.set_view(width, 1200, is_dark).await?;
        browser.open(&fake.knowledge("")).await?;
        browser.reload().await?;
        // A reload may overtake what the page had asked for.
        while browser.count("#documents li").await? == 0 {
            let quarry_browser_tests::Call::Run(call) = fake.call().await? else { continue };
            let told = json!({ "documents": [document(ID, "Ferries")], "collections": [] });
            call.reply.json(StatusCode::OK, &told);
            browser.until("true").await?;
        }
        checked(&browser, &format!("knowledge-{name}")).await?;
    }
    browser.close().await
}
