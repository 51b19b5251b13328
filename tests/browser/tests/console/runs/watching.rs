//! A run that is watched: its tree as it grows, broken connections, reloads, waits, a thousand questions.

use super::{ID, TASK, completed, joined, known, logged, opened, page, read, still};
use crate::send;
use anyhow::Result;
use quarry_browser_tests::research::{CLAIM, PARTED, QUOTE};
use quarry_browser_tests::{Research, Time};
use serde_json::{Value, json};
use std::time::Duration;

const PHASE: &str = "document.body.dataset.phase";

#[tokio::test]
async fn the_tree_grows_to_a_report_whose_citations_open_their_passages() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    let begun = Research::begun(ID, TASK);
    let running = begun.record("running", &Value::Null);
    let events = opened(&browser, &mut fake, &begun, &running).await?;
    assert_eq!(browser.text("#run-task").await?, TASK);
    assert_eq!(browser.count("[role=treeitem]").await?, 1);

    let whole = Research::whole(ID, TASK);
    let parted = Research::parted(ID, TASK);
    send(&events, parted.after(begun.last()));
    read(&browser, &parted).await?;
    browser.screenshot("runs-running").await?;
    assert_eq!(browser.count("[role=treeitem]").await?, 4);
    let chosen = "document.querySelector('[aria-selected=true] .question').textContent";
    assert_eq!(browser.eval(chosen).await?, PARTED, "one sees what is under way");
    assert_eq!(browser.text("#tally").await?, "1 of 4 answered · round 1");
    let bounds = browser.text("#bounds").await?.replace('\n', " ");
    for words in ["Questions 4 of 40", "Rounds 1 of 3", "Cost $0.0011 of $0.05"] {
        assert!(bounds.contains(words), "{words}: {bounds}");
    }

    send(&events, whole.after(parted.last()));
    read(&browser, &whole).await?;
    let record = whole.record("completed", &json!({ "report": "ready" }));
    still(&mut fake, events, &whole, &record).await?;
    let report = fake.run(&format!("GET /runs/{ID}/report")).await?;
    report.reply.json(hyper::StatusCode::OK, &whole.companion());
    browser.until("document.querySelectorAll('#report .cite').length === 1").await?;
    assert_eq!(browser.eval(PHASE).await?, "completed");
    assert_eq!(browser.text("#report-note").await?, "Confidence medium (0.71 of 1)");
    browser.click("#report .cite").await?;
    let quotation = browser.text(".quotation").await?;
    assert!(quotation.contains(QUOTE) && quotation.contains("Verified."), "{quotation}");
    let place = "document.querySelector('.quotation a').href";
    let place = browser.eval(place).await?;
    assert_eq!(place, "https://orrin.example/accounts#:~:text=When%20the");
    browser.screenshot("runs-quotation").await?;
    assert!(fake.untaken().is_none(), "nothing is asked for twice");
    browser.close().await
}

#[tokio::test]
async fn a_question_shows_its_scores_findings_sources_and_queries() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    completed(&browser, &mut fake, &Research::whole(ID, TASK)).await?;
    browser.click("[data-node=n2] > .line .question").await?;
    browser.until_text("#node h3", "What did the bridge cost?").await?;
    let shown = browser.text("#node").await?;
    for words in [
        "Answered: by its own evidence.",
        "Enough – 0.82 on average",
        "Quality of sources",
        "0.80",
        "The accounts give the sum.",
        "coverage: only one voice",
        CLAIM,
        "Verified · confidence 0.86",
        QUOTE,
        "Tier 1: official or primary",
        "Uncertain: Whether the approach roads are included is not said.",
        "and 1 quotation left out that no source has",
        "A copy\nA copy of another",
        "5 results, 14 new passages",
        "Not asked again: the same as “orrin bridge”, 1:15 ago",
        "On a number",
        "a bridge of 210 million",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let place = "document.querySelector('#node figcaption a').href";
    assert_eq!(
        browser.eval(place).await?,
        "https://orrin.example/n2a#:~:text=When%20the%20accounts%20were%20closed,186%20million%20euros%2C%20not%20155%2E"
    );
    assert!(browser.text("#conflicts-part").await?.contains("it alone is a primary source"));
    browser.close().await
}

#[tokio::test]
async fn a_dropped_connection_and_a_reload_lose_nothing_and_show_nothing_twice() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Manual).await? else { return Ok(()) };
    let parted = Research::parted(ID, TASK);
    let running = parted.record("running", &Value::Null);
    let events = opened(&browser, &mut fake, &parted, &running).await?;
    events.raw("id: 999\nevent: node_resolved\ndata: {\"node");
    events.cut();
    browser.until_text("#status", "the connection dropped. reconnecting").await?;
    browser.run("await testClock.until((left) => left.some((ms) => ms <= 500));").await?;
    browser.advance(Duration::from_secs(1)).await?;
    let events = joined(&mut fake, parted.last()).await?;
    // A server may send more than it was asked for.
    let whole = Research::whole(ID, TASK);
    send(&events, whole.all());
    read(&browser, &whole).await?;
    let every: Vec<u64> = (1..=whole.last()).collect();
    assert_eq!(logged(&browser).await?, every);
    assert_eq!(browser.count("[role=treeitem]").await?, 5);
    let findings = "document.querySelector('[data-node=n2] .facts').textContent";
    assert_eq!(browser.eval(findings).await?, "0.82 · 1 finding · 1 conflict");

    browser.reload().await?;
    known(&mut fake, &running).await?;
    let events = joined(&mut fake, 0).await?;
    send(&events, parted.all());
    read(&browser, &parted).await?;
    assert_eq!(browser.count("[role=treeitem]").await?, 4);
    assert_eq!(logged(&browser).await?.len() as u64, parted.last());
    browser.close().await
}

#[tokio::test]
async fn a_wait_says_for_what_and_until_when_and_passes_by_itself() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Manual).await? else { return Ok(()) };
    let mut run = Research::parted(ID, TASK);
    // The page's clock begins at 2025-06-15T15:06:40Z.
    let waiting = json!({ "reason": "rate_limit", "until": "2025-06-15T15:08:10.000Z",
        "hint": "the provider makes the run wait: Rate limit reached; it goes on by itself" });
    run.tell("run_waiting", json!({ "waiting": waiting }));
    let record = run.record("queued", &json!({ "waiting": waiting }));
    let events = opened(&browser, &mut fake, &run, &record).await?;
    browser.until_text("#countdown", "1:30").await?;
    let notice = browser.text("#notice").await?;
    assert!(notice.starts_with("The run is waiting for its provider\n"), "{notice}");
    assert!(notice.contains("Rate limit reached"), "{notice}");
    browser.screenshot("runs-waiting").await?;
    browser.advance(Duration::from_secs(30)).await?;
    browser.until_text("#countdown", "1:00").await?;
    let number = run.tell("run_resumed", json!({ "by_request": false }));
    send(&events, run.after(number - 1));
    known(&mut fake, &run.record("running", &Value::Null)).await?;
    browser.until("document.querySelector('#notice').hidden").await?;
    assert_eq!(browser.eval(PHASE).await?, "running");
    browser.close().await
}

#[tokio::test]
async fn a_run_that_is_gone_or_out_of_reach_says_so() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Manual).await? else { return Ok(()) };
    browser.open(&fake.runs(ID)).await?;
    let asked = fake.run(&format!("GET /runs/{ID}")).await?;
    asked.reply.refuse(hyper::StatusCode::NOT_FOUND, "not_found", "there is no such run");
    browser.until_text("#notice", "There is no such run").await?;
    browser.screenshot("runs-gone").await?;
    browser.click("#notice [data-action=home]").await?;
    fake.run("GET /runs?").await?.reply.json(hyper::StatusCode::OK, &json!({ "runs": [] }));
    browser.until_text("#list-note", "No runs yet.").await?;

    browser.open(&fake.runs(ID)).await?;
    let asked = fake.run(&format!("GET /runs/{ID}")).await?;
    asked.reply.refuse(hyper::StatusCode::SERVICE_UNAVAILABLE, "unavailable", "the store is away");
    browser.until_text("#notice", "The store is away.").await?;
    browser.click("#notice [data-action=join]").await?;
    let run = Research::parted(ID, TASK);
    known(&mut fake, &run.record("running", &Value::Null)).await?;
    let events = joined(&mut fake, 0).await?;
    send(&events, run.all());
    read(&browser, &run).await?;
    assert_eq!(browser.eval("document.querySelector('#notice').hidden").await?, true);
    browser.close().await
}

#[tokio::test]
async fn a_failed_run_says_why_and_shows_what_can_be_said() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    let mut run = Research::parted(ID, TASK);
    let failed = json!({ "status": "failed", "message": "the run's time was over", "summary_metrics": { "latency": 1_800_000 } });
    run.tell("run_failed", failed);
    let record = run.record("failed", &json!({ "message": "the run's time was over" }));
    let events = opened(&browser, &mut fake, &run, &record).await?;
    still(&mut fake, events, &run, &record).await?;
    browser.until_text("#notice", "The run's time was over.").await?;
    browser.screenshot("runs-failed").await?;
    assert_eq!(browser.eval("document.querySelector('#report-part').hidden").await?, true);
    browser.click("[data-action=sofar]").await?;
    let line = format!("GET /runs/{ID}/report?partial=true");
    let markdown = fake.run(&line).await?;
    assert_eq!(markdown.header("accept"), "text/markdown");
    let text = format!(
        "# T\n\n## 1. Executive answer\n\n{CLAIM} [1](https://orrin.example/accounts#:~:text=When%20the)\n"
    );
    markdown.reply.text("text/markdown", &text);
    fake.run(&line).await?.reply.json(hyper::StatusCode::OK, &run.companion());
    browser.until("document.querySelectorAll('#report .cite').length === 1").await?;
    assert_eq!(browser.text("#report-title").await?, "Report so far");
    browser.close().await
}

#[tokio::test]
async fn a_thousand_questions_are_drawn_once_and_changed_one_by_one() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    let run = Research::of_nodes(ID, TASK, 1_000);
    let all = run.all();
    let half = all.len() / 2;
    browser.open(&fake.runs(ID)).await?;
    known(&mut fake, &run.record("running", &json!({ "sequence": half }))).await?;
    let events = joined(&mut fake, 0).await?;
    send(&events, &all[..half]);
    browser
        .until(&format!("document.querySelector('#log-count').textContent === '{half}'"))
        .await?;
    // What is there stays: each item is the one that it was, and of the tree only what an event is about is touched.
    browser
        .run("window.first = [...document.querySelectorAll('[role=treeitem]')];
              window.changed = new Set();
              new MutationObserver((all) => { for (const { target } of all) changed.add((target.nodeType === 1 ? target : target.parentElement)?.closest('[role=treeitem]')); })
                .observe(document.querySelector('#tree'), { subtree: true, childList: true, characterData: true, attributes: true });")
        .await?;
    send(&events, &all[half..half + 1]);
    browser
        .until(&format!("document.querySelector('#log-count').textContent === '{}'", half + 1))
        .await?;
    let touched = browser.eval("changed.size").await?.as_u64().unwrap_or(u64::MAX);
    assert!(touched <= 3, "{touched} items were touched by one event");
    send(&events, &all[half + 1..]);
    read(&browser, &run).await?;
    browser.until("document.querySelectorAll('[role=treeitem]').length === 1000").await?;
    let same = "first.every((item) => item.isConnected)";
    assert_eq!(browser.eval(same).await?, true, "no item was made anew");
    browser.until(&format!("{PHASE} === 'completed'")).await?;
    browser.screenshot("runs-thousand").await?;
    browser.close().await
}

#[tokio::test]
async fn what_pages_and_models_write_stays_text() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    let bad = "<script>window.owned = 1</script><img src=x onerror=window.owned=1>";
    let mut run = Research::parted(ID, bad);
    run.title = bad.to_owned();
    run.tell("guidance_received", json!({ "text": bad }));
    let source = json!({ "citation_id": "bad", "url": "javascript:window.owned=1", "title": bad, "quality_tier": bad,
        "tier_reason": bad, "relevance_score": "x" });
    let finding = json!({ "claim": bad, "confidence": bad, "verified": "yes", "uncertainties": [bad],
        "evidence_snippets": [{ "citation_id": "bad", "quote": bad }, 7, null] });
    for (name, payload) in [
        (
            "sources_ranked",
            json!({ "sources": [source, 7, null, {}], "dropped": [{ "citation_id": bad, "reason": bad }, 7] }),
        ),
        ("synthesis_completed", json!({ "findings": [finding, null, 7] })),
        (
            "node_sufficiency_evaluated",
            json!({ "sufficiency": { "score": bad, "scores": bad, "gaps": [bad], "caps": bad, "rationale": bad } }),
        ),
        (
            "node_decomposed",
            json!({ "children": [{ "node_id": "__proto__", "question": bad }, { "node_id": "n3", "question": bad }, 7], "dropped": "x" }),
        ),
        (
            "conflict_found",
            json!({ "conflict": { "difference": "constructor", "one": { "url": "javascript:x", "title": bad, "quote": bad }, "other": null } }),
        ),
        ("step_failed", json!({ "step": bad, "message": bad, "fallback": bad, "attempts": bad })),
        ("toString", json!({})),
        ("run_waiting", json!({ "waiting": { "reason": "constructor", "hint": bad } })),
    ] {
        let mut payload = payload;
        payload["node_id"] = json!("n3");
        run.tell(name, payload);
    }
    opened(
        &browser,
        &mut fake,
        &run,
        &run.record(
            "queued",
            &json!({ "task": bad, "waiting": { "reason": "budget", "hint": bad } }),
        ),
    )
    .await?;
    browser.click("[data-node=n3] > .line .question").await?;
    for place in ["#run-task", "#node", "#tree", "#guidance-part", "#notice", "#conflicts-part"] {
        assert!(
            browser.text(place).await?.contains("<script>window.owned = 1</script>"),
            "{place}"
        );
    }
    assert_eq!(browser.count("main img, main script, main a[href^=javascript]").await?, 0);
    assert_eq!(browser.eval("window.owned ?? null").await?, Value::Null);
    browser.close().await
}
