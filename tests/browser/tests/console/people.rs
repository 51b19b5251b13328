//! Keyboards, screen readers, small windows, dark rooms.

use crate::{console, send};
use anyhow::Result;
use quarry_browser_tests::{Browser, Fake, Key, Script, Time, answer_of_several_kinds};
use serde_json::{Value, json};

const QUESTION: &str = "Which lighthouse has the tallest tower, and when was it first lit?";

/// A page on which everything is to be seen.
async fn answered(browser: &Browser, fake: &mut Fake) -> Result<()> {
    browser.ask(QUESTION).await?;
    let events = fake.ask().await?.reply.stream();
    let script = Script::ordinary("ask-00000010", QUESTION, &answer_of_several_kinds());
    send(&events, script.all());
    browser.until("document.body.dataset.phase === 'done'").await
}

#[tokio::test]
async fn everything_can_be_done_without_a_mouse() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    assert_eq!(browser.eval("document.activeElement.id").await?, "query", "one can type at once");
    browser.press(QUESTION).await?;
    browser.chord(Key::Shift, Key::Enter).await?;
    browser.press("In short.").await?;
    assert_eq!(browser.run(COMPOSING).await?, true, "it ends a word, and no question");
    assert!(fake.untaken().is_none());
    browser.press(Key::Enter).await?;
    let ask = fake.ask().await?;
    assert_eq!(ask.body["query"], format!("{QUESTION}\nIn short."));
    let events = ask.reply.stream();
    let script = Script::ordinary("ask-00000011", QUESTION, &answer_of_several_kinds());
    send(&events, script.through("tool_result"));
    browser.until("document.querySelectorAll('.call').length === 2").await?;

    // Stop is reached by the keyboard; when it goes away, the focus does not.
    let mut seen = Vec::new();
    while seen.last().is_none_or(|id| id != "stop") && seen.len() < 20 {
        browser.press(Key::Tab).await?;
        seen.push(
            browser.eval("document.activeElement.id").await?.as_str().unwrap_or("").to_owned(),
        );
    }
    assert!(seen.contains(&"stop".to_owned()), "{seen:?}");
    send(&events, script.after(script.through("tool_result").len() as u64));
    browser.until("document.body.dataset.phase === 'done'").await?;
    browser.until("document.activeElement !== document.body").await?;
    assert!(browser.eval("document.activeElement.checkVisibility()").await? == true);

    // A call opens with the keyboard alone.
    browser.run("document.querySelector('.call summary').focus();").await?;
    browser.press(Key::Enter).await?;
    browser.until("document.querySelector('.call details').open").await?;
    browser.close().await
}

/// Enter while a word is being composed; whether the page leaves the key alone.
pub const COMPOSING: &str = "
    const key = { key: 'Enter', isComposing: true, bubbles: true, cancelable: true };
    return document.activeElement.dispatchEvent(new KeyboardEvent('keydown', key));";

/// Stands in for what tells people who look elsewhere: it keeps what it is told.
pub const BELL: &str = "
    window.rung = [];
    window.Notification = class extends EventTarget {
      static permission = 'default';
      static async requestPermission() { return (this.permission = 'granted'); }
      constructor(title, { body }) { super(); rung.push([title, body]); }
      close() {}
    };";

#[tokio::test]
async fn whoever_looks_elsewhere_is_told_of_the_answer_on_request() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.run(BELL).await?;
    browser.ask(QUESTION).await?;
    let events = fake.ask().await?.reply.stream();
    let script = Script::ordinary("ask-00000013", QUESTION, "Jeddah Light.");
    send(&events, script.through("init"));
    browser.until("document.querySelector('#bell').checkVisibility()").await?;
    browser.click("#bell").await?;
    browser.until("document.querySelector('#bell').hidden").await?;
    assert_eq!(browser.eval("document.activeElement.id").await?, "progress");
    browser.run("Object.defineProperty(document, 'hidden', { value: true });").await?;
    send(&events, script.after(script.through("init").len() as u64));
    browser.until("document.body.dataset.phase === 'done'").await?;
    let once = json!([["The answer is ready", QUESTION]]);
    assert_eq!(browser.eval("rung").await?, once);

    // Where there is no such thing, nothing is offered and nothing is missed.
    browser.run("delete window.Notification;").await?;
    browser.ask("Why?").await?;
    let events = fake.ask().await?.reply.stream();
    send(&events, Script::ordinary("ask-00000014", "Why?", "Ships come far.").all());
    browser.until_text("#answer", "Ships come far.").await?;
    browser.until("document.body.dataset.phase === 'done'").await?;
    assert_eq!(browser.eval("document.querySelector('#bell').hidden").await?, true);
    assert_eq!(browser.eval("rung").await?, once);
    browser.close().await
}

#[tokio::test]
async fn every_control_has_a_name() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    answered(&browser, &mut fake).await?;
    browser
        .run("for (const each of document.querySelectorAll('details')) each.open = true;")
        .await?;
    browser.cdp("Accessibility.enable", json!({})).await?;
    let tree = browser.cdp("Accessibility.getFullAXTree", json!({})).await?;
    let mut named = 0;
    for node in tree["nodes"].as_array().into_iter().flatten() {
        let role = node["role"]["value"].as_str().unwrap_or_default();
        if node["ignored"] == true
            || ![
                "button",
                "link",
                "textbox",
                "combobox",
                "spinbutton",
                "checkbox",
                "region",
                "form",
            ]
            .contains(&role)
        {
            continue;
        }
        let name = node["name"]["value"].as_str().unwrap_or_default();
        assert!(!name.trim().is_empty(), "a {role} without a name: {node}");
        named += 1;
    }
    assert!(named > 15, "only {named} controls were found");
    assert_eq!(browser.eval("document.documentElement.lang").await?, "en");
    assert_eq!(browser.count("h1").await?, 1);
    assert_eq!(browser.count("dd[role], dl > :not(div)").await?, 0, "a list of terms is one");
    let levels = "[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].filter((each) => each.checkVisibility()).map((each) => Number(each.localName[1]))";
    let levels: Vec<i64> = serde_json::from_value(browser.eval(levels).await?)?;
    assert!(
        levels.windows(2).all(|pair| pair[1] <= pair[0] + 1),
        "a level is left out: {levels:?}"
    );
    browser.close().await
}

#[tokio::test]
async fn an_answer_is_spoken_by_paragraphs_each_once() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.run("window.said = []; new MutationObserver(() => said.push(document.querySelector('#spoken').textContent)).observe(document.querySelector('#spoken'), { childList: true, characterData: true, subtree: true });").await?;
    browser.ask("Why?").await?;
    let events = fake.ask().await?.reply.stream();
    events.event(1, "init", &json!({ "id": "ask-00000012", "query": "Why?" }));
    let deltas = [
        "The **first** para",
        "graph.\n",
        "\nThe [second](https://example.org) one.",
        "\n\nThe third",
    ];
    for (at, text) in deltas.iter().enumerate() {
        events.event(at as u64 + 2, "answer_delta", &json!({ "text": text }));
        let seen = format!(
            "document.querySelector('#answer').textContent.includes({})",
            Value::from(text.trim().split(['*', '[', '\n']).next().unwrap_or_default())
        );
        browser.until(&seen).await?;
    }
    let content = deltas.concat() + ".";
    events.event(9, "final_answer", &json!({ "content": content, "sources": [] }));
    events.event(10, "complete", &json!({ "result": {}, "executionTime": 1 }));
    browser.until("document.body.dataset.phase === 'done'").await?;
    browser.until("said.some((each) => each.includes('complete'))").await?;
    let said = browser.eval("said.join('\\n')").await?;
    let said = said.as_str().unwrap_or_default();
    for paragraph in ["The first paragraph.", "The second one.", "The third."] {
        assert_eq!(said.matches(paragraph).count(), 1, "{paragraph}: {said}");
    }
    browser.close().await
}

#[tokio::test]
async fn it_is_legible_in_both_themes_and_in_a_narrow_window() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    for (name, width, is_dark) in [
        ("light", 1280, false),
        ("dark", 1280, true),
        ("narrow", 360, false),
        ("narrow-dark", 360, true),
    ] {
        browser.set_view(width, 900, is_dark).await?;
        answered(&browser, &mut fake).await?;
        browser.screenshot(&format!("done-{name}")).await?;
        let overflow =
            "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        let overflow = browser.eval(overflow).await?.as_i64();
        assert!(overflow.is_some_and(|pixels| pixels <= 0), "{name}: the page scrolls sideways");
        let faint = browser.run(FAINT).await?;
        assert_eq!(faint, json!([]), "{name}");
    }
    browser.close().await
}

/// Texts whose contrast with what is behind them is below 4.5 : 1, as WCAG 2.2 counts it.
pub const FAINT: &str = "
    const channels = (color) => {
      const context = new OffscreenCanvas(1, 1).getContext('2d');
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data];
    };
    const luminance = ([r, g, b]) => {
      const [x, y, z] = [r, g, b].map((each) => each / 255).map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const behind = (element) => {
      for (let each = element; each; each = each.parentElement) {
        const color = channels(getComputedStyle(each).backgroundColor);
        if (color[3] > 250) return color;
      }
      return [255, 255, 255, 255];
    };
    const faint = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest('.unseen, .skip')) continue;
      const [a, b] = [luminance(channels(getComputedStyle(element).color)), luminance(behind(element))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (contrast < 4.5) faint.push([walker.currentNode.data.trim().slice(0, 30), contrast.toFixed(2)]);
    }
    return faint;";

#[tokio::test]
async fn the_theme_is_chosen_and_kept() -> Result<()> {
    let Some((browser, _fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.set_view(1280, 900, false).await?;
    let background = "getComputedStyle(document.body).backgroundColor";
    let light = browser.eval(background).await?;
    assert_eq!(
        browser.eval("document.querySelector('#theme').ariaLabel").await?,
        "Use the dark theme"
    );
    browser.click("#theme").await?;
    let dark = browser.eval(background).await?;
    assert_ne!(light, dark);
    browser.reload().await?;
    assert_eq!(browser.eval(background).await?, dark, "it is kept");
    browser.click("#theme").await?;
    assert_eq!(browser.eval(background).await?, light);
    browser.close().await
}

/// Takes a picture of what is shown; nothing of it may be too faint, or wider than the window.
pub async fn checked(browser: &Browser, name: &str) -> Result<()> {
    browser.screenshot(name).await?;
    let overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    let overflow = browser.eval(overflow).await?.as_i64();
    assert!(overflow.is_some_and(|pixels| pixels <= 0), "{name}: the page scrolls sideways");
    assert_eq!(browser.run(FAINT).await?, json!([]), "{name}");
    Ok(())
}

#[tokio::test]
async fn on_paper_there_is_the_answer_with_its_sources_and_nothing_to_press() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.set_view(800, 900, true).await?;
    answered(&browser, &mut fake).await?;
    browser.cdp("Emulation.setEmulatedMedia", json!({ "media": "print" })).await?;
    let seen = |selectors: &str| {
        format!("{selectors}.map((each) => document.querySelector(each).checkVisibility())")
    };
    let kept = seen("['#query', '#answer', '#answer table', '#proof', '#sources']");
    assert_eq!(browser.eval(&kept).await?, json!([true, true, true, true, true]));
    let left =
        seen("['header', '#ask', '#options', '#take', '#follow', '#research-part', '#books']");
    let none = json!([false, false, false, false, false, false, false]);
    assert_eq!(browser.eval(&left).await?, none);
    let ink = "getComputedStyle(document.body).color";
    assert_eq!(browser.eval(ink).await?, "rgb(21, 25, 27)", "dark on light, whatever the theme");
    browser.close().await
}

#[tokio::test]
async fn a_finger_need_not_meet_a_number_exactly() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    let touch = json!({ "enabled": true, "maxTouchPoints": 1 });
    browser.cdp("Emulation.setTouchEmulationEnabled", touch).await?;
    answered(&browser, &mut fake).await?;
    let above = "(() => { const number = document.querySelector('.cite'); number.scrollIntoView({ block: 'center' });
        const { left, width, top } = number.getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top - 5) === number; })()";
    assert_eq!(browser.eval(above).await?, true);
    browser.close().await
}
