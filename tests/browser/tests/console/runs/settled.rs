//! Contradictions in a run: who explains them, and who corrects whom. And a report that is begun anew, or taken along.

use super::{ID, TASK, completed, opened, page, read};
use crate::send;
use crate::taken::COPIES;
use anyhow::Result;
use hyper::StatusCode;
use quarry_browser_tests::{Browser, Key, Research, Time};
use serde_json::{Value, json};

const ONE: &str = "The array delivers 41 gigawatt-hours a year.";
const OTHER: &str = "The array fed 37 gigawatt-hours a year into the grid.";
const EXPLAINS: &str = "The 41 are measured at the turbines, the 37 at the meter on land, without what the cable loses.";

fn side(place: &str, quote: &str) -> Value {
    json!({ "url": format!("https://{place}.example/report#p-1"), "title": format!("Report of {place}"),
        "date": "2025-03-01", "quote": quote, "tier": "secondary" })
}

/// A contradiction as a run tells it, by a node.
fn told(reason: Option<&str>, explained_by: Option<Value>) -> Value {
    let mut conflict = json!({ "difference": "number", "one": side("turbines", ONE), "other": side("grid", OTHER) });
    if let (Some(reason), Some(conflict)) = (reason, conflict.as_object_mut()) {
        conflict.insert("reason".to_owned(), json!(reason));
    }
    let mut told =
        json!({ "node_id": "n2", "round": 1, "conflict": conflict, "finding_ids": ["f1", "f2"] });
    if let (Some(explaining), Some(told)) = (explained_by, told.as_object_mut()) {
        told.insert("explained_by".to_owned(), explaining);
    }
    told
}

/// The last contradiction that is listed for the run, as it is read.
async fn last(browser: &Browser) -> Result<String> {
    let list = "[...document.querySelectorAll('#conflicts-part li')].at(-1).innerText";
    Ok(browser.eval(list).await?.as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_contradiction_that_a_third_sentence_explains_shows_it_with_its_place() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    let mut run = Research::parted(ID, TASK);
    let running = run.record("running", &Value::Null);
    let events = opened(&browser, &mut fake, &run, &running).await?;
    let known = browser.count("#conflicts-part li").await?;

    let before = run.last();
    run.tell("conflict_found", told(None, None));
    send(&events, run.after(before));
    read(&browser, &run).await?;
    assert_eq!(browser.count("#conflicts-part li").await?, known + 1);
    let open = last(&browser).await?;
    assert!(open.contains(ONE) && open.contains(OTHER), "{open}");
    assert!(open.contains("Nothing settles which of them is right."), "{open}");

    // What explains it is found later, and takes the place of what was told before.
    let before = run.last();
    run.tell("conflict_found", told(None, Some(side("operator", EXPLAINS))));
    send(&events, run.after(before));
    read(&browser, &run).await?;
    assert_eq!(browser.count("#conflicts-part li").await?, known + 1, "it is told once");
    let explained = last(&browser).await?;
    for words in [ONE, OTHER, EXPLAINS, "Both may be right", "Report of operator", "2025-03-01"] {
        assert!(explained.contains(words), "{words}: {explained}");
    }
    assert!(!explained.contains("Nothing settles"), "{explained}");
    let link = "[...document.querySelectorAll('#conflicts-part li')].at(-1).querySelectorAll('figure')[2].querySelector('a').href";
    assert_eq!(browser.eval(link).await?, "https://operator.example/report#p-1");
    browser.click("[data-node=n2] > .line .question").await?;
    browser.until_text("#node", EXPLAINS).await?;
    browser.screenshot("runs-explained").await?;
    browser.close().await
}

#[tokio::test]
async fn whoever_corrects_the_other_is_said_to_and_words_of_a_page_stay_words() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    let mut run = Research::parted(ID, TASK);
    let running = run.record("running", &Value::Null);
    let events = opened(&browser, &mut fake, &run, &running).await?;
    let before = run.last();
    run.tell("conflict_found", told(Some("corrected"), None));
    send(&events, run.after(before));
    read(&browser, &run).await?;
    assert!(last(&browser).await?.contains("The first is believed: it corrects the other."));

    let before = run.last();
    let mut hostile = side("evil", "<img src=x onerror=\"document.title='owned'\">");
    hostile["url"] = json!("javascript:alert(1)");
    let mut conflict = told(None, Some(hostile));
    conflict["conflict"]["one"]["quote"] = json!("Another sentence with 12 words.");
    run.tell("conflict_found", conflict);
    send(&events, run.after(before));
    read(&browser, &run).await?;
    assert!(last(&browser).await?.contains("<img src=x"));
    assert_eq!(browser.count("#conflicts-part img").await?, 0);
    let links =
        "[...document.querySelectorAll('#conflicts-part li')].at(-1).querySelectorAll('a').length";
    assert_eq!(browser.eval(links).await?, 2, "what is no page of the web is no link");
    browser.close().await
}

#[tokio::test]
async fn a_report_grows_as_it_is_written_and_other_words_take_its_place() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    let mut run = Research::parted(ID, TASK);
    let running = run.record("running", &json!({ "report": "writing" }));
    let events = opened(&browser, &mut fake, &run, &running).await?;
    for (text, anew, shown) in [
        ("# T\n\n## 1. Executive answer\n\nIt cost 186 million.", false, "It cost 186 million."),
        (" A toll paid.", false, "It cost 186 million. A toll paid."),
        ("# T\n\n## 1. Executive answer\n\nNobody knows.", true, "Nobody knows."),
    ] {
        let before = run.last();
        let mut piece = json!({ "section": 1, "text": text });
        if anew {
            piece["anew"] = json!(true);
        }
        run.tell("report_delta", piece);
        send(&events, run.after(before));
        read(&browser, &run).await?;
        let paragraphs =
            "[...document.querySelectorAll('#report p')].map((it) => it.innerText).join('|')";
        browser.until(&format!("{paragraphs} === {}", json!(shown))).await?;
        assert_eq!(browser.eval("document.querySelector('#report').ariaBusy").await?, "true");
    }
    // An aborted run has no report, and shows no half of one.
    let before = run.last();
    run.tell("run_aborted", json!({ "status": "aborted", "summary_metrics": {} }));
    send(&events, run.after(before));
    read(&browser, &run).await?;
    browser.until("document.querySelector('#report-part').hidden").await?;
    browser.close().await
}

#[tokio::test]
async fn a_report_is_copied_and_so_is_its_address() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    completed(&browser, &mut fake, &Research::whole(ID, TASK)).await?;
    browser.run(COPIES).await?;
    browser.click("[data-take=copy]").await?;
    let cited = "[1](https://orrin.example/accounts#:~:text=When%20the)";
    browser.until(&format!("taken[0].includes({})", json!(cited))).await?;
    assert_eq!(browser.eval("taken[0].startsWith('# ')").await?, true);
    browser.click("[data-take=link]").await?;
    browser.until(&format!("taken[1] === {}", json!(fake.runs(ID)))).await?;
    assert!(fake.untaken().is_none(), "nothing of it has to be asked for");
    browser.close().await
}

#[tokio::test]
async fn a_question_follows_up_on_a_report() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    completed(&browser, &mut fake, &Research::whole(ID, TASK)).await?;
    browser.click("#follow").await?;
    browser.until_text("#follows-what", "Follows up on a report").await?;
    let link = "document.querySelector('#follows a').href";
    assert_eq!(browser.eval(link).await?, fake.runs(ID), "the way back leads to it");
    assert_eq!(browser.eval("document.activeElement.id").await?, "query");
    browser.press("Who paid for it?").await?;
    browser.press(Key::Enter).await?;
    let asked = fake.run("POST /v1/responses").await?;
    assert_eq!(asked.body["previous_response_id"], format!("resp_run_{ID}"));
    asked.reply.json(StatusCode::OK, &json!({ "id": "resp_ask-0000004a" }));
    let joined = fake.rejoin().await?;
    let events = joined.reply.stream();
    events.event(1, "init", &json!({ "id": "ask-0000004a", "query": "Who paid for it?" }));
    browser.until("location.hash === '#ask-0000004a'").await?;

    // One may change one's mind.
    browser.run("history.back();").await?;
    browser.until("location.hash.startsWith('#follow=')").await?;
    browser.until("document.body.dataset.phase === 'idle'").await?;
    assert_eq!(browser.text("#follows-what").await?, "Follows up on a report");
    browser.close().await
}
