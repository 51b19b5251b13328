//! Citations that a language model judged after the answer was written, and the sources they name.

use crate::console;
use anyhow::Result;
use quarry_browser_tests::{Key, Time};
use serde_json::{Value, json};

const ID: &str = "ask-00000015";
const ANSWER: &str = "Lit in 1823 [1](https://a.example/x). Tall [2](https://a.example/x/). Red [3](https://a.example/x#t).";

/// The citation of the source of this number.
fn citation(n: usize, verdict: &str, is_judged: bool) -> Value {
    let marker = ANSWER.split('[').nth(n).and_then(|rest| rest.split(')').next());
    let marker = format!("[{})", marker.unwrap_or_default());
    let start = ANSWER.find(&marker).unwrap_or_default();
    json!({ "n": n, "id": format!("q{n}"), "url": marker[4..marker.len() - 1], "title": format!("Source {n}"),
        "claim": "It is so.", "quote": "It may be so.", "start": start, "end": start + marker.len(),
        "verdict": verdict, "coverage": 0.5, "vetoes": [], "missing": [], "moved": false, "added": false,
        "by_model": is_judged })
}

#[tokio::test]
async fn what_a_language_model_judged_replaces_what_was_told_before() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.ask("?").await?;
    let events = fake.ask().await?.reply.stream();
    events.event(1, "init", &json!({ "id": ID, "query": "?" }));
    let first = [
        citation(1, "supported", false),
        citation(2, "partly", false),
        citation(3, "partly", false),
    ];
    for (number, each) in (2..).zip(&first) {
        events.event(number, "citation", each);
    }
    events.event(5, "answer_delta", &json!({ "text": ANSWER, "at": 0 }));
    let signs = "[...document.querySelectorAll('.cite')].map((each) => each.textContent).join(' ')";
    browser.until(&format!("{signs} === '1 2? 3?'")).await?;
    let judged = [citation(2, "not_found", true), citation(3, "supported", true)];
    for (number, each) in (6..).zip(&judged) {
        events.event(number, "citation", each);
    }
    browser.until(&format!("{signs} === '1 2? 3'")).await?;
    // No list of citations: what the events told counts.
    let source =
        |n: usize, url: &str| json!({ "n": n, "title": format!("Source {n}"), "url": url });
    let sources = [
        source(1, "https://a.example/x"),
        source(2, "https://a.example/x/"),
        source(3, "https://a.example/x#t"),
    ];
    events.event(8, "final_answer", &json!({ "content": ANSWER, "sources": sources }));
    events.event(9, "complete", &json!({ "result": {}, "executionTime": 1 }));
    browser.until("document.body.dataset.phase === 'done'").await?;

    let second = "(() => { const marker = document.querySelectorAll('.cite')[1]; const { borderTopStyle, textDecorationLine } = getComputedStyle(marker);
        return [marker.textContent, marker.ariaLabel, borderTopStyle, textDecorationLine]; })()";
    assert_eq!(
        browser.eval(second).await?,
        json!(["2?", "Source 2, Source 2: unverified", "none", "underline"])
    );
    let said = browser.text("#proof").await?;
    assert!(said.contains("2 of 3 sentences verified") && said.contains("1 unverified"), "{said}");
    let shares = "[...document.querySelectorAll('.shares span')].map((each) => [each.dataset.verdict, each.style.flexGrow])";
    assert_eq!(browser.eval(shares).await?, json!([["supported", "2"], ["not_found", "1"]]));

    for (at, words, is_judged) in [
        (0, "Verified. The source says this.", false),
        (1, "Unverified. The source does not say this.", true),
        (2, "Verified. The source says this.", true),
    ] {
        browser.click(&format!("[data-citation='{at}']")).await?;
        let shown = browser.text(".quotation").await?;
        assert!(shown.contains(words), "{shown}");
        assert_eq!(shown.contains("A language model judged this."), is_judged, "{shown}");
    }

    // Each number has its source, however alike their addresses are.
    let numbers = "[...document.querySelectorAll('#sources > li')].map((each) => [each.value, each.querySelector('a').textContent])";
    let expected = json!([[1, "Source 1"], [2, "Source 2"], [3, "Source 3"]]);
    assert_eq!(browser.eval(numbers).await?, expected);
    browser.close().await
}

#[tokio::test]
async fn an_open_quotation_stays_open_while_its_citation_is_judged() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.ask("?").await?;
    let events = fake.ask().await?.reply.stream();
    events.event(1, "init", &json!({ "id": ID, "query": "?" }));
    let mut doubtful = citation(2, "partly", false);
    doubtful["vetoes"] = json!(["date"]);
    doubtful["missing"] = json!(["lit"]);
    events.event(2, "citation", &citation(1, "supported", false));
    events.event(3, "citation", &doubtful);
    events.event(4, "answer_delta", &json!({ "text": ANSWER, "at": 0 }));
    browser.until("document.querySelectorAll('.cite').length === 2").await?;
    browser.click("[data-citation='1']").await?;
    let told = browser.text(".quotation").await?;
    assert!(told.contains("To check.") && told.contains("a date"), "{told}");
    let keep =
        "window.kept = ['.quotation', '.quotation blockquote', '.quotation .close', '.quotation a']
            .map((each) => document.querySelector(each));
        const words = kept[1].firstChild;
        getSelection().setBaseAndExtent(words, 0, words, 6);
        kept[3].focus();";
    browser.run(keep).await?;

    events.event(5, "citation", &citation(2, "not_found", true));
    browser.until_text(".quotation", "Unverified. The source does not say this.").await?;
    let same = "['.quotation', '.quotation blockquote', '.quotation .close', '.quotation a'].every((each, at) => document.querySelector(each) === kept[at])";
    assert_eq!(browser.eval(same).await?, true, "nothing was made anew");
    assert_eq!(browser.eval("document.activeElement === kept[3]").await?, true);
    assert_eq!(browser.eval("getSelection().toString()").await?, "It may");
    let told = browser.text(".quotation").await?;
    assert!(told.contains("A language model judged this.") && !told.contains("a date"), "{told}");
    let looks = "(() => { const [panel, marker] = ['.quotation', '[data-citation=\"1\"]'].map((each) => document.querySelector(each));
        return [panel.dataset.verdict, marker.dataset.verdict, marker.getAttribute('aria-expanded'), panel.querySelector('.verdict').ariaLive,
            [...panel.children].map((each) => each.className || each.localName)]; })()";
    let order = ["head", "verdict", "blockquote", "finding", "place"];
    assert_eq!(
        browser.eval(looks).await?,
        json!(["not_found", "not_found", "true", "polite", order])
    );

    // A number that has the focus keeps it, and closes what it opened.
    browser.press(Key::Escape).await?;
    browser.press(Key::Enter).await?;
    browser.run("document.querySelector('[data-citation=\"1\"]').focus();").await?;
    events.event(6, "citation", &citation(2, "supported", true));
    browser.until_text(".quotation", "Verified. The source says this.").await?;
    assert_eq!(browser.eval("document.activeElement.dataset.citation").await?, "1");
    browser.press(Key::Enter).await?;
    assert_eq!(browser.count(".quotation").await?, 0);

    // What is no longer the same passage is no longer what was opened.
    browser.press(Key::Enter).await?;
    let mut other = citation(2, "supported", true);
    other["quote"] = json!("Something else.");
    events.event(7, "citation", &other);
    browser.until("document.querySelectorAll('.quotation').length === 0").await?;
    browser.close().await
}

#[tokio::test]
async fn an_unverified_number_is_heard_as_such_and_nothing_is_heard_twice() -> Result<()> {
    let Some((browser, _fake)) = console(Time::Real).await? else { return Ok(()) };
    let heard = r#"
        const { spoken, tally, unmarked } = await import("./citations.js");
        const { speaker } = await import("./spoken.js");
        const { initial, reduce } = await import("./state.js");
        const marker = "[2](https://a.example/)";
        const answer = `A ${marker}\n\nB.`;
        const told = (verdict) => ({ n: 2, url: "https://a.example/", start: 2, end: 2 + marker.length, verdict });
        const region = { textContent: "" };
        const say = speaker(region);
        const said = [];
        let state = { ...initial(), phase: "running" };
        say(state);
        const on = (name, data) => {
          region.textContent = "";
          state = reduce(state, name, data, 1);
          say(state);
          if (region.textContent) said.push(region.textContent);
        };
        on("citation", told("partly"));
        on("answer_delta", { text: answer });
        on("citation", told("supported"));
        on("citation", told("not_found"));
        on("final_answer", { content: answer, sources: [] });
        const { citations } = state;
        return [said, citations.length, spoken(answer, citations), tally(citations, null), unmarked("\ue0000\ue001", citations)];"#;
    let expected = json!([
        ["A (source 2, to be checked)", "B."],
        1,
        "A (source 2, unverified)\n\nB.",
        { "supported": 0, "partly": 0, "not_found": 1, "uncited": 0, "failed": 0 },
        "[2?]",
    ]);
    assert_eq!(browser.run(heard).await?, expected);
    browser.close().await
}
