//! Numbers in an answer: what they open, what they say without colour, what they survive.

use crate::{console, send};
use anyhow::Result;
use quarry_browser_tests::{Browser, Events, Fake, Key, Script, Time, answer_of_several_kinds};
use serde_json::{Value, json};

const QUESTION: &str = "Which lighthouse has the tallest tower, and when was it first lit?";
const ID: &str = "ask-0000000f";
const PARTLY: &str = ".cite[data-verdict=partly]";

/// A page with an answer and its citations.
async fn answered(browser: &Browser, fake: &mut Fake) -> Result<()> {
    browser.ask(QUESTION).await?;
    let events = fake.ask().await?.reply.stream();
    browser.until("document.body.dataset.phase === 'running'").await?;
    send(&events, Script::ordinary(ID, QUESTION, &answer_of_several_kinds()).all());
    browser.until("document.body.dataset.phase === 'done'").await
}

/// A citation of this source that stands at this place.
fn citation(place: (usize, usize), n: u64, url: &str, quote: &str) -> Value {
    json!({ "n": n, "id": "q1", "url": url, "title": "A source", "claim": "It was lit.", "quote": quote, "start": place.0,
        "end": place.1, "verdict": "supported", "coverage": 1, "vetoes": [], "missing": [], "moved": false,
        "added": false, "by_model": false })
}

async fn is_open(browser: &Browser) -> Result<bool> {
    Ok(browser.count(".quotation").await? == 1)
}

#[tokio::test]
async fn a_number_opens_the_quotation_beside_the_answer() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.set_view(1280, 900, false).await?;
    answered(&browser, &mut fake).await?;
    assert!(!is_open(&browser).await?);
    browser.click(".cite").await?;
    let shown = browser.text(".quotation").await?;
    for words in ["1 · Jeddah Light", "133 metres", "Verified. The source says this."] {
        assert!(shown.contains(words), "{shown}");
    }
    let place = "(() => { const link = document.querySelector('.quotation a'); return [link.textContent, link.href, link.target, link.rel]; })()";
    let address = "https://en.wikipedia.org/wiki/Jeddah_Light#:~:text=With%20an,tallest";
    let rel = "noopener noreferrer nofollow";
    assert_eq!(browser.eval(place).await?, json!(["Open at this place", address, "_blank", rel]));
    let beside = "(() => { const [panel, answer, marker] = ['.quotation', '#answer', '.cite'].map((each) => document.querySelector(each).getBoundingClientRect());
        return panel.left >= answer.right && panel.top <= marker.top && panel.bottom >= marker.bottom && panel.right <= innerWidth; })()";
    assert_eq!(browser.eval(beside).await?, true);

    // Another number takes its place, and says what there is to check.
    browser.click(PARTLY).await?;
    assert!(is_open(&browser).await?);
    let shown = browser.text(".quotation").await?;
    for words in [
        "To check. The source says part of this.",
        "Not there: “lit”, “first”.",
        "What differs: a date, two names that changed places.",
        "The model cited another passage, which does not say it; the check found this one.",
    ] {
        assert!(shown.contains(words), "{shown}");
    }
    assert_eq!(browser.eval("document.querySelectorAll('[aria-expanded=true]').length").await?, 1);
    browser.click(PARTLY).await?;
    assert!(!is_open(&browser).await?, "the same number closes it");
    browser.click(".cite[data-verdict=not_found]").await?;
    assert!(browser.text(".quotation").await?.contains("Nothing that was read says this."));
    browser.click(".quotation .close").await?;
    assert!(!is_open(&browser).await?);
    assert!(fake.untaken().is_none());
    browser.close().await
}

#[tokio::test]
async fn quotations_open_and_close_by_the_keyboard() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    answered(&browser, &mut fake).await?;
    browser.run("document.querySelector('#answer').focus();").await?;
    for key in [Key::Enter, Key::Space] {
        browser.press(Key::Tab).await?;
        assert_eq!(browser.eval("document.activeElement.className").await?, "cite");
        let number = browser.eval("document.activeElement.dataset.citation").await?;
        browser.press(key).await?;
        assert!(is_open(&browser).await?);
        let focused = "document.activeElement === document.querySelector('.quotation')";
        assert_eq!(browser.eval(focused).await?, true, "one reads on in the quotation");
        browser.press(Key::Tab).await?;
        browser.press(Key::Tab).await?;
        assert_eq!(browser.eval("document.activeElement.textContent").await?, "Open at this place");
        browser.press(Key::Escape).await?;
        assert!(!is_open(&browser).await?);
        assert_eq!(browser.eval("document.activeElement.dataset.citation").await?, number);
    }
    browser.close().await
}

#[tokio::test]
async fn verdicts_are_told_without_colour() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    answered(&browser, &mut fake).await?;
    let looks = "['supported', 'partly', 'not_found'].map((verdict) => {
        const marker = document.querySelector(`.cite[data-verdict=${verdict}]`);
        const { borderTopStyle, textDecorationLine } = getComputedStyle(marker);
        return [marker.textContent, marker.ariaLabel, borderTopStyle, textDecorationLine];
    })";
    let expected = json!([
        ["1", "Source 1, Jeddah Light: verified", "solid", "none"],
        ["2?", "Source 2, The Lighthouse Directory: Saudi Arabia: to check", "dashed", "none"],
        ["unverified", "Source, List of tallest lighthouses: unverified", "none", "underline"],
    ]);
    assert_eq!(browser.eval(looks).await?, expected);

    let shares = "[...document.querySelectorAll('.shares span')].map((each) => [each.dataset.verdict, each.style.flexGrow, getComputedStyle(each).borderTopStyle])";
    let expected = json!([
        ["supported", "2", "solid"],
        ["partly", "2", "solid"],
        ["not_found", "1", "dotted"],
        ["uncited", "2", "solid"],
    ]);
    assert_eq!(browser.eval(shares).await?, expected);
    let said = browser.text("#proof").await?;
    for words in [
        "2 of 7 sentences verified",
        "2 to check",
        "1 unverified",
        "2 without a source",
        "Confidence medium (0.71 of 1)",
        "Where sources disagree",
        "On a number",
        "133 m (436 ft) concrete tower",
        "2023-05-02 · secondary source",
        "The control tower is 131 metres tall.",
        "no date · secondary source",
        "The first is believed: it is newer.",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    browser.until_text("#spoken", "2 of 7 sentences verified").await?;
    browser.close().await
}

#[tokio::test]
async fn a_quotation_is_legible_in_both_themes_and_in_a_narrow_window() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    for (name, width, height, is_dark) in [
        ("light", 1280, 1500, false),
        ("dark", 1280, 1500, true),
        ("middle", 900, 1900, false),
        ("narrow", 360, 2600, false),
        ("narrow-dark", 360, 2600, true),
    ] {
        browser.set_view(width, height, is_dark).await?;
        answered(&browser, &mut fake).await?;
        for (at, marker) in [(0, "supported"), (1, "partly"), (4, "not_found")] {
            browser
                .run(&format!("document.querySelector('[data-citation=\"{at}\"]').click();"))
                .await?;
            browser.screenshot(&format!("quotation-{name}-{marker}")).await?;
            let overflow =
                "document.documentElement.scrollWidth - document.documentElement.clientWidth";
            let overflow = browser.eval(overflow).await?.as_i64();
            assert!(
                overflow.is_some_and(|pixels| pixels <= 0),
                "{name}: the page scrolls sideways"
            );
            assert_eq!(browser.run(crate::people::FAINT).await?, json!([]), "{name}");
        }
        if width < 1000 {
            let below = "(() => { const [panel, block, marker] = [document.querySelector('.quotation'), document.querySelector('#answer blockquote:not(.quotation *) p'), document.querySelector('[data-citation=\"4\"]')];
                return panel.previousElementSibling === block && panel.getBoundingClientRect().top >= marker.getBoundingClientRect().bottom; })()";
            assert_eq!(browser.eval(below).await?, true, "{name}: it stands below its block");
        }
    }
    // In a list it stands below its item, and a window that grows moves it beside the answer.
    browser.run("document.querySelector('[data-citation=\"2\"]').click();").await?;
    let parent = "document.querySelector('.quotation').parentElement.localName";
    assert_eq!(browser.eval(parent).await?, "li");
    browser.set_view(1280, 900, false).await?;
    browser.until("document.querySelector('.quotation').getBoundingClientRect().left >= document.querySelector('#answer').getBoundingClientRect().right").await?;
    browser.close().await
}

/// The beginning of an answer, and the marker with which it goes on.
const BEGUN: &str = "First.\n\n- Ünlit 🗼 **in 1823** ";
const MARKER: &str = "[1](https://a.example/#:~:text=a)";

fn lit() -> Value {
    let start = BEGUN.chars().count();
    let place = (start, start + MARKER.chars().count());
    citation(place, 1, "https://a.example/#:~:text=a", "Lit in 1823.")
}

/// An ask whose answer has begun, up to the middle of a marker; what is left of that.
async fn begun(browser: &Browser, fake: &mut Fake) -> Result<(Events, &'static str)> {
    browser.ask("?").await?;
    let events = fake.ask().await?.reply.stream();
    events.event(1, "init", &json!({ "id": ID, "query": "?" }));
    events.event(2, "answer_delta", &json!({ "text": BEGUN }));
    events.event(3, "citation", &lit());
    let (half, rest) = MARKER.split_at(20);
    events.event(4, "answer_delta", &json!({ "text": half }));
    Ok((events, rest))
}

#[tokio::test]
async fn an_open_quotation_and_a_selection_survive_what_is_written_after_them() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    let (events, rest) = begun(&browser, &mut fake).await?;
    browser.until("document.querySelector('#log-count').textContent === '4'").await?;
    assert_eq!(
        browser.text("#answer").await?.trim(),
        "First.\nÜnlit 🗼 in 1823",
        "half a marker is not shown"
    );
    events.event(6, "answer_delta", &json!({ "text": rest }));
    browser.until("document.querySelectorAll('.cite').length === 1").await?;
    browser.click(".cite").await?;
    let keep = "window.kept = ['.quotation', '.cite', '#answer li'].map((each) => document.querySelector(each));
        const words = document.querySelector('#answer li').firstChild;
        getSelection().setBaseAndExtent(words, 0, words, 5);";
    browser.run(keep).await?;
    let parts = [" and", " more", " **of** it", ".\n- Second", " item.\n\nLast", " words."];
    for (number, part) in (7..).zip(parts) {
        events.event(number, "answer_delta", &json!({ "text": part }));
        let words = part.replace('*', "");
        let words = words.rsplit('\n').next().unwrap_or_default().trim_start_matches("- ").trim();
        browser.until_text("#answer", words).await?;
    }
    let content = format!("{BEGUN}{MARKER}{}", parts.concat());
    let sources = json!([{ "n": 1, "title": "A source", "url": "https://a.example/" }]);
    events.event(
        20,
        "final_answer",
        &json!({ "content": content, "sources": sources, "citations": [lit()] }),
    );
    events.event(21, "complete", &json!({ "result": {}, "executionTime": 1 }));
    browser.until("document.body.dataset.phase === 'done'").await?;
    let same = "['.quotation', '.cite', '#answer li'].every((each, at) => document.querySelector(each) === kept[at])";
    assert_eq!(browser.eval(same).await?, true, "nothing was made anew");
    assert_eq!(browser.eval("getSelection().toString()").await?, "Ünlit");
    assert_eq!(browser.eval("document.activeElement === kept[0]").await?, true);

    // A new ask closes it.
    browser.ask("Another?").await?;
    browser.until("document.querySelectorAll('.quotation').length === 0").await?;
    browser.close().await
}

#[tokio::test]
async fn a_focused_number_keeps_the_focus_while_its_paragraph_grows() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    let (events, rest) = begun(&browser, &mut fake).await?;
    events.event(6, "answer_delta", &json!({ "text": format!("{rest} and") }));
    browser.until_text("#answer", "and").await?;
    browser.run("document.querySelector('.cite').focus();").await?;
    // An empty line between two items makes paragraphs of them: the item is drawn anew.
    for (number, part) in [(7, " more.\n\n- Second"), (8, " item.")] {
        events.event(number, "answer_delta", &json!({ "text": part }));
        browser.until_text("#answer", part.rsplit(' ').next().unwrap_or_default()).await?;
    }
    assert_eq!(browser.count("#answer li > p").await?, 2);
    assert_eq!(browser.eval("document.activeElement.className").await?, "cite");
    browser.close().await
}

#[tokio::test]
async fn numbers_are_there_again_after_a_reload() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    answered(&browser, &mut fake).await?;
    let answer = browser.text("#answer").await?;
    browser.reload().await?;
    let rejoin = fake.rejoin().await?;
    assert_eq!((rejoin.id.as_str(), rejoin.after), (ID, 0));
    send(&rejoin.reply.stream(), Script::ordinary(ID, QUESTION, &answer_of_several_kinds()).all());
    browser.until("document.body.dataset.phase === 'done'").await?;
    assert_eq!(browser.text("#answer").await?, answer);
    browser.click(PARTLY).await?;
    assert!(browser.text(".quotation").await?.contains("three white flashes"));
    browser.close().await
}

#[tokio::test]
async fn what_pages_say_of_themselves_is_text() -> Result<()> {
    let Some((browser, mut fake)) = console(Time::Real).await? else { return Ok(()) };
    browser.ask("?").await?;
    let events = fake.ask().await?.reply.stream();
    events.event(1, "init", &json!({ "id": ID, "query": "?" }));
    let bad = "\"><img src=x onerror=window.owned=1>";
    let script = "javascript:window.owned=1";
    let content =
        format!("A \u{e000}0\u{e001} b [1]({script}) c `d [2](https://b.example/)` e (no).");
    let place = |marker: &str| {
        let start = content.split(marker).next().unwrap_or_default().chars().count();
        (start, start + marker.chars().count())
    };
    let mut hostile = citation(place(&format!("[1]({script})")), 1, script, bad);
    for (field, value) in [
        ("title", json!(bad)),
        ("missing", json!([bad, 7, null, { "a": 1 }])),
        ("vetoes", json!(["constructor", bad, "number"])),
        ("verdict", json!("constructor")),
    ] {
        hostile[field] = value;
    }
    let citations = json!([
        hostile,
        citation(place("[2](https://b.example/)"), 2, "https://b.example/", "x"),
        citation((3, 1), 3, "x", "x"), citation((5, 9_000_000_000), 3, "x", "x"), citation((0, 3), 3, "x", "x"),
        7, null, "x", { "start": "x", "end": {}, "n": [] }, { "start": -1, "end": 1e300, "n": 1.5 },
    ]);
    let side = json!({ "url": script, "title": bad, "date": bad, "quote": bad, "tier": bad });
    let conflicts =
        json!([{ "difference": "constructor", "one": side, "other": null, "reason": bad }, 7, {}]);
    let last = json!({ "content": content, "sources": [{ "n": "x", "title": bad, "url": script }],
        "citations": citations, "uncited": "x", "unknown": [bad, 7], "conflicts": conflicts,
        "confidence": { "level": "constructor", "score": "1" } });
    events.event(2, "final_answer", &last);
    events.event(3, "complete", &json!({ "result": {}, "executionTime": 1 }));
    browser.until("document.body.dataset.phase === 'done'").await?;
    assert_eq!(browser.count(".cite").await?, 1, "what fits no marker is none");
    let shown = browser.text("#answer").await?;
    assert!(shown.contains("c d [2] e (no)."), "{shown}");
    assert!(!shown.contains(['\u{e000}']), "{shown}");
    browser.click(".cite").await?;
    let shown = browser.text(".quotation").await?;
    assert!(
        shown.contains(bad) && shown.contains("To check.") && shown.contains("a number"),
        "{shown}"
    );
    assert_eq!(browser.count(".quotation a").await?, 0, "there is no place to open");
    assert_eq!(browser.count("#work img").await?, 0);
    assert_eq!(browser.count("#work a[href^=javascript]").await?, 0);
    assert_eq!(browser.eval("window.owned ?? null").await?, Value::Null);
    assert!(!browser.text("#proof").await?.contains("Confidence"));
    assert!(fake.untaken().is_none());
    browser.close().await
}

#[tokio::test]
async fn markers_are_found_wherever_the_answer_is_cut() -> Result<()> {
    let Some((browser, _fake)) = console(Time::Real).await? else { return Ok(()) };
    let cut = r#"
        const { pieces, spoken, tally } = await import("./citations.js");
        const marker = (n, text, at) => ({ n, url: text.slice(4, -1), start: at, end: at + text.length, verdict: "supported" });
        const [one, two] = ["[1](https://a.example/x_(y))", "[2](https://b.example/)"];
        const answer = `🗼 a ${one} ${two}, b (unverified) c [1](https://a.example/x_(y)).`;
        const citations = [marker(1, one, 4), marker(2, two, 33), { n: null, url: "", start: 60, end: 72, verdict: "not_found" }];
        for (let at = 0; at <= answer.length; at++) {
          const found = pieces(answer.slice(0, at), citations);
          const text = found.filter((each) => typeof each === "string").join("");
          if (text.includes("(h") && at < 80) throw new Error(`${at}: ${text}`);
          if (!answer.replace(one, "").replace(two, "").replace("(unverified)", "").startsWith(text)) throw new Error(`${at}: ${text}`);
        }
        const whole = pieces(answer, citations).map((each) => each.n === undefined ? each : each.n);
        citations[1].verdict = "partly";
        return [whole, tally(citations, { uncited: 3, failed: 2 }), spoken(answer, citations)];"#;
    let expected = json!([
        ["🗼 a ", 1, " ", 2, ", b ", null, " c [1](https://a.example/x_(y))."],
        { "supported": 1, "partly": 0, "not_found": 1, "uncited": 3, "failed": 2 },
        "🗼 a (source 1) (source 2, to be checked), b (unverified) c [1](https://a.example/x_(y)).",
    ]);
    assert_eq!(browser.run(cut).await?, expected);
    browser.close().await
}
