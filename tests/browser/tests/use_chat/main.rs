//! A page of somebody else's, with React and the AI SDK's `useChat`, as README.md and the console say to write it: on an
//! origin of its own, in a headless browser, against the built components.

#![cfg(test)]

mod page;

use anyhow::{Context, Result};
use page::Page;
use quarry_browser_tests::Browser;
use quarry_scenarios::clients::{self, Clients};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_scenarios::readme;
use quarry_test_provider::{Match, Phase, Reply, Script, Split};
use serde_json::{Value, json};

const QUESTION: &str = "What is six times seven?";
const BEGIN: &str = "Six times seven";
const END: &str = "the last of them.";

/// What the README has for such a page.
fn component(quarry: &Quarry) -> Result<String> {
    let blocks = readme::under("From other programs", "Pages and apps", "jsx")?;
    Ok(blocks.first().context("no block")?.at(&quarry.url))
}

/// An answer that stops half way until the test lets it go on.
fn held() -> Script {
    let sentence = "Six times seven is forty-two, as every table says. ";
    let text = sentence.repeat(8) + "It is the last of them.";
    let reply = Reply::text(text).split(Split::Frames).hold_midway("answer");
    Script::ordinary().first(Match::Phase(Phase::Synthesis), [reply])
}

/// What a page needs: nothing where there is no browser or the page's packages are not installed.
async fn scene() -> Result<Option<(Clients, Browser)>> {
    let Some(clients) = Clients::with(&["use-chat"])? else { return Ok(None) };
    Ok(Browser::launch().await?.map(|browser| (clients, browser)))
}

/// A page whose question is being answered: half of the answer stands there.
async fn half_answered(clients: &Clients, browser: &Browser) -> Result<(Quarry, Page)> {
    let quarry = Setup::new(held()).start().await?;
    let page = Page::serve(clients, &component(&quarry)?).await?;
    browser.open(&page.url).await?;
    asks(browser).await?;
    browser.until_text("p.assistant", BEGIN).await?;
    Ok((quarry, page))
}

async fn asks(browser: &Browser) -> Result<()> {
    browser
        .until("document.querySelector('button:not([disabled])')?.textContent === 'Ask'")
        .await?;
    browser.fill("input", QUESTION).await?;
    browser.click("button").await?;
    browser.until_text("p.user", QUESTION).await
}

const READY: &str = "!document.querySelector('button').disabled";

fn begun(quarry: &Quarry) -> usize {
    quarry.provider.calls().iter().filter(|call| call.phase() == Some(Phase::Setup)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_loaded_again_goes_on_where_it_was() -> Result<()> {
    let Some((clients, browser)) = scene().await? else { return Ok(()) };
    let (quarry, _page) = half_answered(&clients, &browser).await?;
    assert!(!browser.text("p.assistant").await?.contains(END));

    browser.reload().await?;
    browser.until_text("p.assistant", BEGIN).await?;
    assert!(!browser.text("p.assistant").await?.contains(END));
    quarry.provider.release("answer");
    browser.until_text("p.assistant", END).await?;
    browser.until(READY).await?;
    assert_eq!(browser.count("p.assistant").await?, 1);
    assert_eq!(begun(&quarry), 1, "it was asked twice");

    // What has ended a moment ago is told again, too.
    browser.reload().await?;
    browser.until_text("p.assistant", END).await?;
    assert_eq!(begun(&quarry), 1, "it was asked twice");
    browser.screenshot("use-chat").await?;
    browser.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_stops_its_ask() -> Result<()> {
    let Some((clients, browser)) = scene().await? else { return Ok(()) };
    let (quarry, _page) = half_answered(&clients, &browser).await?;
    browser.click("button[type=button]").await?;
    browser.until(READY).await?;
    quarry.until_stored("\"ended\":\"stopped\"").await?;

    // The next question is one of its own.
    asks(&browser).await?;
    browser.until("document.querySelectorAll('p.assistant').length === 2").await?;
    browser
        .until("document.querySelectorAll('p.assistant')[1].textContent.includes('31.2 percent')")
        .await?;
    browser.until(READY).await?;
    assert_eq!(begun(&quarry), 2);
    quarry.provider.release("answer");
    browser.close().await
}

/// The console's text is the inside of a component: asking in it would ask at each drawing.
fn around(text: &str) -> Result<String> {
    let (imports, inside) = text.split_once("\n\n").context("no imports")?;
    let (hook, ask) = inside.rsplit_once("\nsendMessage(").context("asks nothing")?;
    Ok(format!(
        "import {{ useEffect }} from \"react\";\n{imports}\n
         export function Research() {{
           {hook}
           useEffect(() => {{ sendMessage({ask} }}, []);
           const text = (message) => message.parts.map((part) => part.text ?? \"\").join(\"\");
           return messages.map((message) => <p key={{message.id}} className={{message.role}}>{{text(message)}}</p>);
         }}"
    ))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_console_shows_for_a_page_runs() -> Result<()> {
    let Some((clients, browser)) = scene().await? else { return Ok(()) };
    let question = r#"What did "O'Hara's" bridge cost: $186 or \186?"#;
    let asked = json!({ "query": question, "max_iterations": 3 }).to_string();
    for secret in ["", "open sesame"] {
        let setup = Setup::new(Script::ordinary()).variable("access_secret", secret);
        let quarry = setup.start().await?;
        let has_secret = (!secret.is_empty()).to_string();
        let arguments = [&*asked, &quarry.url, &has_secret];
        let shown = clients::run_script(clients.node(), "console.mjs", &arguments).await?;
        let shown: Value = serde_json::from_str(&shown)?;
        let of_page = |request: &&Value| request["name"] == "AI SDK";
        let text = shown.as_array().and_then(|all| all.iter().find(of_page)).context("no text")?;
        let text = text["text"].as_str().context("no text")?.replace("YOUR_ACCESS_SECRET", secret);
        let page = Page::serve(&clients, &around(&text)?).await?;
        browser.open(&page.url).await?;
        browser.until_text("p.assistant", "31.2 percent").await?;
        assert_eq!(browser.text("p.user").await?, question);
        assert_eq!(begun(&quarry), 1);
    }
    browser.close().await
}
