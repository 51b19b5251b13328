//! What is taken along of an answer: copied, downloaded, or as its address.

use crate::{console, send};
use anyhow::Result;
use quarry_browser_tests::{Browser, Fake, Script, Time, answer_of_several_kinds};
use serde_json::json;

const QUESTION: &str = "Which lighthouse has the tallest tower, and when was it first lit?";
const ID: &str = "ask-0000001c";

/// Stands in for the clipboard, and for the disk: both keep what they are given, for as long as they take it.
pub const COPIES: &str = "
    window.taken = [];
    navigator.clipboard.writeText = async (words) => {
      if (window.isClosed) throw new Error('not allowed');
      taken.push(words);
    };
    URL.createObjectURL = (file) => { window.file = file; return 'blob:x'; };
    HTMLAnchorElement.prototype.click = function () { document.body.dataset.named = this.download; };";

/// A page with an answer whose copies are kept.
async fn answered(browser: &Browser, fake: &mut Fake) -> Result<()> {
    browser.run(COPIES).await?;
    browser.ask(QUESTION).await?;
    let events = fake.ask().await?.reply.stream();
    send(&events, Script::ordinary(ID, QUESTION, &answer_of_several_kinds()).all());
    browser.until("document.body.dataset.phase === 'done'").await
}

#[tokio::test]
async fn an_answer_is_copied_with_its_sources_and_with_its_doubts() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    answered(&browser, &mut fake).await?;
    browser.click("[data-take=copy]").await?;
    browser.until_text("#spoken", "Copied").await?;
    let taken = browser.eval("taken[0]").await?;
    let taken = taken.as_str().unwrap_or_default();
    for words in [
        "about 133 metres from the ground to its top [1](https://en.wikipedia.org/wiki/Jeddah_Light#:~:text=With%20an,tallest).",
        "**1990** [2?](https://www.ibiblio.org/lighthouse/sau.htm#:~:text=Jeddah%20%28Jiddah%29).",
        "no survey is public (unverified).",
        "A number with a question mark is to be checked",
        "- 1: [Jeddah Light](https://en.wikipedia.org/wiki/Jeddah_Light)\n",
        "- 2: [The Lighthouse Directory: Saudi Arabia](https://www.ibiblio.org/lighthouse/sau.htm), 2023-05-02\n",
    ] {
        assert!(taken.contains(words), "{words}: {taken}");
    }
    assert!(!taken.contains("- 3:"), "what is not cited is no source of it: {taken}");
    browser.click("[data-take=link]").await?;
    let address = format!("{}#{ID}", fake.console());
    browser.until(&format!("taken[1] === {}", json!(address))).await?;

    // Who may not copy for a person selects it for them.
    browser.run("window.isClosed = true;").await?;
    browser.click("[data-take=copy]").await?;
    browser.until_text("[data-take=copy]", "Selected").await?;
    let selected = "getSelection().toString().startsWith('The tallest lighthouse tower')";
    assert_eq!(browser.eval(selected).await?, true);
    browser.close().await
}

#[tokio::test]
async fn an_answer_is_downloaded_with_its_question() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    answered(&browser, &mut fake).await?;
    browser.click("[data-take=file]").await?;
    browser.until("document.body.dataset.named").await?;
    assert_eq!(browser.eval("document.body.dataset.named").await?, format!("answer-{ID}.md"));
    let file = browser.run("return await file.text();").await?;
    let file = file.as_str().unwrap_or_default();
    assert!(file.starts_with(&format!("# {QUESTION}\n\nThe tallest lighthouse")), "{file}");
    assert!(file.contains("\nSources:\n\n- 1: "), "{file}");

    // While another is written there is nothing to take.
    browser.ask("Another?").await?;
    browser.until("!document.querySelector('#take').checkVisibility()").await?;
    browser.close().await
}

#[tokio::test]
async fn what_is_taken_leads_nowhere_but_to_the_web_and_to_documents() -> Result<()> {
    let Some((browser, _fake)) = console(Time::Real).await? else { return Ok(()) };
    let taken = r#"
        const { whole } = await import("./take.js");
        const script = "javascript:alert(1)";
        const text = `A [1](${script}).`;
        const citations = [{ n: 1, url: script, start: 2, end: text.length - 1, verdict: "supported" }];
        const sources = [{ n: 1, url: script, title: "a](https://evil.example/)\n# *b*" }, { n: null, url: "x", title: "x" }];
        return whole(text, citations, sources);"#;
    let expected = "A [1].\n\nSources:\n\n- 1: [a\\](https://evil.example/) # \\*b\\*]\n";
    assert_eq!(browser.run(taken).await?, expected);
    browser.close().await
}
