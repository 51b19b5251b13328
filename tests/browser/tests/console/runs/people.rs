//! Keyboards, screen readers, small windows, dark rooms.

use super::{ID, TASK, completed, opened, page, read};
use crate::people::{BELL, checked};
use crate::send;
use anyhow::Result;
use quarry_browser_tests::{Key, Research, Time};
use serde_json::{Value, json};

const FOCUSED: &str = "document.activeElement.dataset.node ?? document.activeElement.localName";

#[tokio::test]
async fn the_tree_is_walked_with_the_arrow_keys() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    completed(&browser, &mut fake, &Research::whole(ID, TASK)).await?;
    assert_eq!(
        browser.count("#tree [tabindex='0']").await?,
        1,
        "one stop on the way through the page"
    );
    browser.run("document.querySelector('#tree [tabindex=\"0\"]').focus();").await?;
    browser.press(Key::Home).await?;
    for (key, reaches, why) in [
        (Key::Down, "n2", "into what is open"),
        (Key::Down, "n3", "to the next"),
        (Key::Right, "n5", "into its parts"),
        (Key::Right, "n5", "which has none"),
        (Key::Left, "n3", "up to the question"),
        (Key::Left, "n3", "folded"),
        (Key::Down, "n4", "past what is folded"),
        (Key::Up, "n3", "and back"),
        (Key::Right, "n3", "unfolded"),
        (Key::End, "n4", "to the last"),
        (Key::Home, "n1", "to the first"),
        (Key::Down, "n2", "again"),
        (Key::Enter, "h3", "to read what is chosen"),
        (Key::Escape, "n2", "and back to the tree"),
    ] {
        browser.press(key).await?;
        assert_eq!(browser.eval(FOCUSED).await?, reaches, "{why}");
    }
    assert_eq!(browser.text("#node h3").await?, "What did the bridge cost?");
    assert_eq!(browser.count("#tree [tabindex='0']").await?, 1);

    // What is chosen can be folded away with all around it.
    browser.press(Key::Left).await?;
    browser.press(Key::Left).await?;
    assert_eq!(browser.eval(FOCUSED).await?, "n1");
    assert_eq!(browser.count("#tree [aria-expanded=false]").await?, 1);
    browser.close().await
}

#[tokio::test]
async fn a_tree_that_grows_keeps_the_focus_and_what_is_folded() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    let parted = Research::parted(ID, TASK);
    let record = parted.record("running", &Value::Null);
    let events = opened(&browser, &mut fake, &parted, &record).await?;
    browser.click("[data-node=n3] > .line .question").await?;
    let whole = Research::whole(ID, TASK);
    let until = whole
        .all()
        .iter()
        .position(|(_, name, _)| *name == "pass_sufficiency_evaluated")
        .unwrap_or(0);
    let rest: Vec<_> = whole.all().iter().take(until).skip(parted.all().len()).cloned().collect();
    let (folding, later) = rest.split_at(rest.len() / 2);
    send(&events, folding);
    browser.until("document.querySelector('[data-node=n5]')").await?;
    assert_eq!(browser.eval(FOCUSED).await?, "n3");
    browser.press(Key::Left).await?;
    send(&events, later);
    browser.until("document.querySelector('[data-node=n4]').dataset.state === 'resolved'").await?;
    assert_eq!(browser.eval(FOCUSED).await?, "n3", "whoever has chosen is not led away");
    assert_eq!(browser.eval("document.activeElement.ariaExpanded").await?, "false");
    assert_eq!(browser.text("#node h3").await?, quarry_browser_tests::research::PARTED);
    browser.close().await
}

#[tokio::test]
async fn whoever_looks_elsewhere_is_told_of_the_report_on_request() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    let parted = Research::parted(ID, TASK);
    let record = parted.record("running", &Value::Null);
    let events = opened(&browser, &mut fake, &parted, &record).await?;
    browser.run(BELL).await?;
    let whole = Research::whole(ID, TASK);
    let (next, rest) = whole.after(parted.last()).split_at(1);
    send(&events, next);
    browser.until("document.querySelector('#bell').checkVisibility()").await?;
    browser.click("#bell").await?;
    browser.until("document.querySelector('#bell').hidden").await?;
    assert_eq!(browser.eval("document.activeElement.id").await?, "progress");
    browser.run("Object.defineProperty(document, 'hidden', { value: true });").await?;
    send(&events, rest);
    read(&browser, &whole).await?;
    assert_eq!(browser.eval("rung").await?, json!([["The report is ready", TASK]]));
    browser.close().await
}

#[tokio::test]
async fn a_screen_reader_is_told_of_a_tree_and_of_every_control() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    completed(&browser, &mut fake, &Research::whole(ID, TASK)).await?;
    browser
        .run("for (const each of document.querySelectorAll('#run details')) each.open = true;")
        .await?;
    browser.cdp("Accessibility.enable", json!({})).await?;
    let tree = browser.cdp("Accessibility.getFullAXTree", json!({})).await?;
    let named = |role: &str| -> Vec<String> {
        let nodes = tree["nodes"].as_array().into_iter().flatten();
        let of_role = nodes.filter(|node| node["ignored"] != true && node["role"]["value"] == role);
        of_role.map(|node| node["name"]["value"].as_str().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(named("tree"), ["Questions"]);
    let items = named("treeitem");
    assert!(items.contains(&"What did the bridge cost?. Answered: by its own evidence, score 0.82, 1 finding, 1 conflict.".replace("?.", "?")), "{items:?}");
    let mut controls = 0;
    for role in [
        "button",
        "link",
        "textbox",
        "combobox",
        "spinbutton",
        "checkbox",
        "radio",
        "region",
        "form",
        "article",
        "navigation",
        "group",
    ] {
        for name in named(role) {
            assert!(!name.trim().is_empty() || role == "group", "a {role} without a name");
            controls += 1;
        }
    }
    assert!(controls > 25, "only {controls} controls were found");
    let levels = "[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].filter((each) => each.checkVisibility()).map((each) => Number(each.localName[1]))";
    let levels: Vec<i64> = serde_json::from_value(browser.eval(levels).await?)?;
    assert_eq!(levels.iter().filter(|level| **level == 1).count(), 1);
    assert!(
        levels.windows(2).all(|pair| pair[1] <= pair[0] + 1),
        "a level is left out: {levels:?}"
    );
    browser.close().await
}

#[tokio::test]
async fn what_is_heard_is_little_and_each_thing_once() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Manual).await? else { return Ok(()) };
    browser.run("window.said = []; new MutationObserver(() => said.push(document.querySelector('#spoken').textContent)).observe(document.querySelector('#spoken'), { childList: true, characterData: true, subtree: true });").await?;
    let begun = Research::begun(ID, TASK);
    let run = Research::of_nodes(ID, TASK, 60);
    // Within the page, so that it goes on listening.
    browser.run(&format!("location.hash = '{ID}';")).await?;
    super::known(&mut fake, &begun.record("running", &Value::Null)).await?;
    let events = super::joined(&mut fake, 0).await?;
    for some in run.all().chunks(20) {
        send(&events, some);
        let last = some.last().map_or(0, |(number, ..)| *number);
        browser
            .until(&format!("document.querySelector('#log-count').textContent === '{last}'"))
            .await?;
    }
    browser.until("said.some((each) => each.startsWith('The report is complete.'))").await?;
    let said: Vec<String> = serde_json::from_value(browser.eval("said.filter(Boolean)").await?)?;
    assert!(said.len() <= 5, "too much: {said:?}");
    assert!(said.iter().any(|each| each.contains("of 60 questions answered")), "{said:?}");
    read(&browser, &run).await?;
    browser.close().await
}

#[tokio::test]
async fn it_is_legible_in_both_themes_and_in_a_narrow_window() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    let views = [
        ("light", 1280, false),
        ("dark", 1280, true),
        ("narrow", 360, false),
        ("narrow-dark", 360, true),
    ];
    for (name, width, is_dark) in views {
        browser.set_view(width, 1400, is_dark).await?;
        completed(&browser, &mut fake, &Research::whole(ID, TASK)).await?;
        browser.click("[data-node=n2] > .line .question").await?;
        checked(&browser, &format!("runs-done-{name}")).await?;

        let mut run = Research::parted(ID, TASK);
        let waiting = json!({ "reason": "needs_key", "hint": "there is no key for openai; resume the run with an apiKey" });
        run.tell("run_waiting", json!({ "waiting": waiting }));
        browser.open("about:blank").await?;
        let _events = opened(
            &browser,
            &mut fake,
            &run,
            &run.record("queued", &json!({ "waiting": waiting })),
        )
        .await?;
        browser.until_text("#notice", "needs an API key").await?;
        checked(&browser, &format!("runs-waiting-{name}")).await?;
        browser.click("[data-action=key]").await?;
        checked(&browser, &format!("runs-dialog-{name}")).await?;
        browser.open("about:blank").await?;
    }
    browser.close().await
}

#[tokio::test]
async fn a_question_that_is_tapped_in_a_narrow_window_is_brought_into_sight() -> Result<()> {
    let Some((browser, mut fake)) = page(Time::Real).await? else { return Ok(()) };
    browser.set_view(390, 700, false).await?;
    completed(&browser, &mut fake, &Research::whole(ID, TASK)).await?;
    // Its line is the last that is to be seen.
    browser
        .run("document.querySelector('[data-node=n2] > .line').scrollIntoView({ block: 'end' });")
        .await?;
    browser.click("[data-node=n2] > .line .question").await?;
    let title = "document.querySelector('#node h3')";
    browser.until(&format!("{title}.textContent === 'What did the bridge cost?'")).await?;
    browser
        .until(&format!("(({{ top, bottom }}) => top >= 0 && bottom <= innerHeight)({title}.getBoundingClientRect())"))
        .await?;
    browser.close().await
}
