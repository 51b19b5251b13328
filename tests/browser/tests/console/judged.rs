//! Citations that a language model judged after the answer was written, and the sources they name.

use crate::console;
use anyhow::Result;
use quarry_browser_tests::Time;
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
        return [said, citations.length, spoken(answer, citations), tally(citations, 0), unmarked("\ue0000\ue001", citations)];"#;
    let expected = json!([
        ["A (source 2, to be checked)", "B."],
        1,
        "A (source 2, unverified)\n\nB.",
        { "supported": 0, "partly": 0, "not_found": 1, "uncited": 0 },
        "[2?]",
    ]);
    assert_eq!(browser.run(heard).await?, expected);
    browser.close().await
}
